//! What a person does to a surface. Plain data, no Wayland.
//!
//! Positions are logical, from the top left of the surface the event is for. Times are the compositor's milliseconds:
//! good for differences only.

use super::geometry::Point;

pub use smithay_client_toolkit::seat::keyboard::Keysym;
pub use smithay_client_toolkit::seat::pointer::CursorIcon as CursorShape;

/// Proof of a person's act, which a compositor asks for before it moves a window or opens a grabbing popup.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Serial {
    pub(super) raw: u32,
    pub(super) seat: SeatId,
}

/// A seat: one person's set of devices.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct SeatId(pub(super) u32);

/// One thing that happened on one surface.
#[derive(Clone, Debug, PartialEq)]
pub enum InputEvent {
    Pointer(PointerEvent),
    Touch(TouchEvent),
    Key(KeyEvent),
    /// Shift and its like changed while this surface has the keys.
    Modifiers(Modifiers),
    /// The input method changed the focused text field, after [`super::Platform::set_text_input`].
    Text(TextEdit),
    Drag(DragEvent),
}

/// A mouse button.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Button {
    Left,
    Right,
    Middle,
    Back,
    Forward,
    /// Any other, by its evdev code.
    Other(u32),
}

impl Button {
    /// From a code of `linux/input-event-codes.h`.
    pub fn from_code(code: u32) -> Self {
        match code {
            0x110 => Button::Left,
            0x111 => Button::Right,
            0x112 => Button::Middle,
            0x113 | 0x116 => Button::Back,
            0x114 | 0x115 => Button::Forward,
            other => Button::Other(other),
        }
    }
}

/// The pointer. Events the compositor grouped in one frame arrive one after the other, a scroll's axes as one.
#[derive(Clone, Debug, PartialEq)]
pub enum PointerEvent {
    Enter {
        position: Point,
    },
    Motion {
        time: u32,
        position: Point,
    },
    Leave,
    Press {
        time: u32,
        button: Button,
        position: Point,
        serial: Serial,
        /// This press has just closed a popup (its `closed` came first): the control that opened it should not again.
        dismissed: bool,
    },
    Release {
        time: u32,
        button: Button,
        position: Point,
        serial: Serial,
    },
    Scroll {
        time: u32,
        position: Point,
        horizontal: ScrollAxis,
        vertical: ScrollAxis,
        source: ScrollSource,
    },
}

/// One direction of a scroll.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct ScrollAxis {
    /// Logical length; positive is down or right.
    pub pixels: f64,
    /// Steps of a wheel in 120ths, zero for other devices.
    pub steps120: i32,
    /// The fingers left: inertia may start here.
    pub stop: bool,
}

/// What scrolls.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum ScrollSource {
    #[default]
    Wheel,
    Finger,
    Continuous,
    WheelTilt,
}

/// One finger.
#[derive(Clone, Debug, PartialEq)]
pub enum TouchEvent {
    /// `dismissed` as in [`PointerEvent::Press`].
    Down {
        id: i32,
        time: u32,
        position: Point,
        serial: Serial,
        dismissed: bool,
    },
    Motion {
        id: i32,
        time: u32,
        position: Point,
    },
    Up {
        id: i32,
        time: u32,
        serial: Serial,
    },
    /// The compositor took the touches over (a gesture): forget all of them.
    Cancel,
}

/// Held modifier keys.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Modifiers {
    pub ctrl: bool,
    pub alt: bool,
    pub shift: bool,
    pub logo: bool,
    pub caps_lock: bool,
    pub num_lock: bool,
}

/// What a key did.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum KeyPhase {
    Pressed,
    /// Still held.
    Repeated,
    Released,
}

/// One key.
#[derive(Clone, Debug, PartialEq)]
pub struct KeyEvent {
    pub phase: KeyPhase,
    pub time: u32,
    /// evdev code: the key's place on the keyboard.
    pub code: u32,
    /// The key's meaning in the person's layout.
    pub keysym: Keysym,
    /// What it types, after dead keys and compose sequences; no control characters; `None` if it types nothing.
    pub text: Option<String>,
    pub modifiers: Modifiers,
    /// `None` for repeats made here.
    pub serial: Option<Serial>,
}

/// What an input method wants done, in this order: delete, insert, show the preedit.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct TextEdit {
    /// Bytes to delete before and after the caret. They may cut into a character if the field has moved on: round out.
    pub delete: (u32, u32),
    /// Text to insert at the caret.
    pub commit: Option<String>,
    /// Text to show at the caret until the next edit; `None` shows none.
    pub preedit: Option<Preedit>,
}

/// Text an input method is still working on.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Preedit {
    pub text: String,
    /// Bytes of `text` to mark; equal ends are a caret; `None` hides it.
    pub cursor: Option<(usize, usize)>,
}

/// Something is dragged over a surface.
#[derive(Clone, Debug, PartialEq)]
pub enum DragEvent {
    /// Answer with [`super::Platform::accept_drop`], now or on a motion.
    Enter {
        position: Point,
        mimes: Vec<String>,
    },
    Motion {
        time: u32,
        position: Point,
    },
    Leave,
    /// Let go here. Read it with [`super::Platform::read_drop`], or it is refused.
    Drop {
        position: Point,
    },
}
