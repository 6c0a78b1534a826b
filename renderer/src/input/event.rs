//! What comes in: pointer, touch and key events, already in surface coordinates and already translated by the keyboard layout.

use crate::geometry::Point;

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Modifiers {
    pub ctrl: bool,
    pub shift: bool,
    pub alt: bool,
    pub logo: bool,
}

impl Modifiers {
    pub const NONE: Modifiers = Modifiers {
        ctrl: false,
        shift: false,
        alt: false,
        logo: false,
    };

    /// Held keys that make a letter a command rather than text.
    pub fn commands(&self) -> bool {
        self.ctrl || self.alt || self.logo
    }
}

/// A key by its meaning.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Key {
    Char(char),
    Enter,
    Escape,
    Tab,
    Space,
    Backspace,
    Delete,
    Insert,
    Left,
    Right,
    Up,
    Down,
    Home,
    End,
    PageUp,
    PageDown,
    Menu,
    F(u8),
    Other,
}

impl Key {
    /// The name eUI knows the key by, for the events that carry one.
    pub fn name(self) -> Option<&'static str> {
        Some(match self {
            Key::Enter => "Enter",
            Key::Escape => "Escape",
            Key::Tab => "Tab",
            Key::Space => " ",
            Key::Left => "ArrowLeft",
            Key::Right => "ArrowRight",
            Key::Up => "ArrowUp",
            Key::Down => "ArrowDown",
            Key::Home => "Home",
            Key::End => "End",
            Key::PageUp => "PageUp",
            Key::PageDown => "PageDown",
            _ => return None,
        })
    }
}

#[derive(Clone, Debug, PartialEq)]
pub struct KeyPress {
    pub key: Key,
    pub mods: Modifiers,
    /// The text the key types, compose and layout applied.
    pub text: Option<String>,
    pub repeat: bool,
}

impl KeyPress {
    /// A key without modifiers or text.
    pub fn plain(key: Key) -> KeyPress {
        KeyPress {
            key,
            mods: Modifiers::NONE,
            text: None,
            repeat: false,
        }
    }

    pub fn with(key: Key, mods: Modifiers) -> KeyPress {
        KeyPress {
            mods,
            ..KeyPress::plain(key)
        }
    }

    /// The letter of a command such as ctrl+C, in lower case.
    pub(crate) fn command(&self) -> Option<char> {
        match self.key {
            Key::Char(c) if self.mods.ctrl && !self.mods.alt && !self.mods.logo => {
                c.to_lowercase().next()
            }
            _ => None,
        }
    }

    /// The text this press types, if it types any.
    pub(crate) fn typed(&self) -> Option<&str> {
        self.text
            .as_deref()
            .filter(|t| !t.is_empty() && !self.mods.commands() && !t.chars().any(char::is_control))
    }
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Button {
    Left,
    Right,
    Middle,
}

/// A pointer event in surface coordinates.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum PointerEvent {
    Move(Point),
    Leave,
    Press {
        at: Point,
        button: Button,
        mods: Modifiers,
        /// 1 for a first click, 2 for a double click; 0 lets the view count.
        clicks: u8,
    },
    Release {
        at: Point,
        button: Button,
    },
    /// Scroll by this many px.
    Wheel {
        at: Point,
        dx: f32,
        dy: f32,
    },
}

/// A finger, in surface coordinates. `id` tells fingers apart; only the first one acts.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum TouchEvent {
    Down { id: i32, at: Point },
    Move { id: i32, at: Point },
    Up { id: i32 },
    Cancel,
}
