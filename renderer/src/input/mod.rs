//! Input: pointer, keys, IME and drags to surface events. What a component may say about input is defined here.

pub mod field;

use eui_core::surface::{OutEvent, Surface};
use serde_json::Value;

use crate::component::Registry;
use crate::geometry::Point;
use crate::recipes::Recipes;
use crate::resources::Resources;
use crate::scene::Scene;

/// What a component answers to a press, drag or key: an event for the engine on the node it was asked about.
#[derive(Clone, Debug, PartialEq)]
pub struct Intent {
    pub event: &'static str,
    pub payload: Option<Value>,
}

impl Intent {
    pub fn new(event: &'static str, payload: Option<Value>) -> Intent {
        Intent { event, payload }
    }
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Phase {
    Start,
    Move,
    End,
}

/// A drag over a node, in the node's coordinates.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Drag {
    pub phase: Phase,
    pub start: Point,
    pub at: Point,
}

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Modifiers {
    pub ctrl: bool,
    pub shift: bool,
    pub alt: bool,
    pub logo: bool,
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

#[derive(Clone, Debug, PartialEq)]
pub struct KeyPress {
    pub key: Key,
    pub mods: Modifiers,
    /// The text the key types, compose and layout applied.
    pub text: Option<String>,
    pub repeat: bool,
}

/// How a text field edits and tells.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct FieldSpec {
    pub multiline: bool,
    /// Shown as dots, never copied, told to the input method as a password.
    pub secret: bool,
    pub purpose: Purpose,
    /// The prop that holds the text (`value`, `text`).
    pub prop: &'static str,
    /// Enter submits (a single-line field, a composer).
    pub enter_submits: bool,
}

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Purpose {
    #[default]
    Text,
    Number,
    Email,
    Url,
    Phone,
    Password,
}

/// A text field in the midst of editing. Offsets are bytes of `text`.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Edit {
    pub text: String,
    pub caret: usize,
    /// The other end of the selection; equal to `caret` when nothing is selected.
    pub anchor: usize,
    /// Text an input method is composing, shown at the caret, and its own caret in bytes.
    pub preedit: Option<(String, usize)>,
    /// How far the text is scrolled inside the field.
    pub scroll: Point,
    pub focused: bool,
    /// The caret is in its visible half of the blink.
    pub caret_on: bool,
}

/// A pointer or touch event in surface coordinates.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum PointerEvent {
    Move(Point),
    Leave,
    Press {
        at: Point,
        button: Button,
        mods: Modifiers,
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

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Button {
    Left,
    Right,
    Middle,
}

/// What came of an input event.
#[derive(Clone, Debug, Default)]
pub struct Response {
    /// For the host, in order.
    pub events: Vec<OutEvent>,
    /// The surface must be laid out again.
    pub relayout: bool,
    /// Only the picture changed.
    pub repaint: bool,
    /// Something on the surface took the event; a press that nothing took belongs to the host.
    pub taken: bool,
}

/// Where the keyboard focus is, for the painter.
pub(crate) struct FocusState<'a> {
    pub slot: Option<u32>,
    pub visible: bool,
    pub edit: Option<&'a Edit>,
}

/// The input state of one surface.
#[derive(Default)]
pub struct Input {
    pointer: Option<Point>,
    repaints: Vec<u32>,
}

impl Input {
    pub(crate) fn pointer_at(&self) -> Option<Point> {
        self.pointer
    }

    pub(crate) fn focus(&self) -> FocusState<'_> {
        FocusState {
            slot: None,
            visible: false,
            edit: None,
        }
    }

    pub(crate) fn wants_paint(&self) -> bool {
        !self.repaints.is_empty()
    }

    pub(crate) fn take_repaints(&mut self) -> Vec<u32> {
        std::mem::take(&mut self.repaints)
    }

    pub(crate) fn shows_scrollbar(&self, _slot: u32, _now_ms: f64) -> bool {
        false
    }

    /// Nodes came and went: keep hover, focus and edits on those that stayed.
    pub(crate) fn after_layout(
        &mut self,
        _surface: &mut Surface,
        _scene: &Scene,
        _registry: &Registry,
    ) {
    }

    pub(crate) fn pointer(
        &mut self,
        event: PointerEvent,
        _surface: &mut Surface,
        _scene: &mut Scene,
        _res: &mut Resources,
        _recipes: &Recipes,
        _now_ms: f64,
    ) -> Response {
        if let PointerEvent::Move(at) = event {
            self.pointer = Some(at);
        }
        Response::default()
    }
}
