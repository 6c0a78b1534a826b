//! What a component may say about input: the event it wants, how it takes a drag, how its text field edits.

use serde_json::Value;

use super::event::KeyPress;
use crate::geometry::Point;
use crate::look::{Align, Look};

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

/// Numbers a component keeps for one node between frames (a chart's marked column, a picture's view). What they mean is its own.
pub type Own = [f64; 6];

/// What happens to a node without the engine's knowledge: it changes how a component shows it, nothing else. Points are the node's.
#[derive(Clone, Debug, PartialEq)]
pub enum Nudge {
    /// A key while the node has the focus.
    Key(KeyPress),
    /// The wheel over the node while it has the focus, in px downwards.
    Wheel {
        at: Point,
        dy: f32,
    },
    /// The second press of a double one.
    Double(Point),
    Drag(Drag),
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
    /// Where the text stands.
    pub stand: Stand,
}

impl FieldSpec {
    /// How the text is set in a node of this look.
    pub fn align(&self, look: &Look) -> Align {
        match (self.stand, look.rtl) {
            (Stand::Styled, _) => look.align.unwrap_or_default(),
            (Stand::Center, _) => Align::Center,
            (Stand::End, Some(true)) => Align::Left,
            (Stand::End, _) => Align::Right,
        }
    }
}

/// Where a field's text stands.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Stand {
    /// As the node's style says.
    #[default]
    Styled,
    Center,
    /// Where lines end.
    End,
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

/// A text field in the midst of editing, as its painter sees it. Offsets are bytes of `text`.
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
