//! What goes out: everything the host must do after an input event, a timer or a layout.

use eui_core::surface::OutEvent;

use super::order::FocusMove;
use crate::geometry::Point;

/// Which of the desktop's two selections.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Selection {
    Clipboard,
    /// What was selected last; the middle button pastes it.
    Primary,
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
    /// Put this on the clipboard.
    pub clipboard: Option<String>,
    /// Offer this as the primary selection.
    pub primary: Option<String>,
    /// Read this selection and hand its text to [`crate::View::paste`].
    pub paste: Option<Selection>,
    /// A right press or a resting finger here opened nothing: the host may show a menu of its own.
    pub context_menu: Option<Point>,
    /// Where the keyboard focus went, when it moved.
    pub focus: Option<FocusMove>,
    /// The text field, its caret or its surrounding text changed: tell the input method ([`crate::View::text_input`]).
    pub text_input: bool,
}

impl Response {
    /// Append what came after.
    pub fn merge(&mut self, later: Response) {
        self.events.extend(later.events);
        self.relayout |= later.relayout;
        self.repaint |= later.repaint;
        self.taken |= later.taken;
        self.clipboard = later.clipboard.or(self.clipboard.take());
        self.primary = later.primary.or(self.primary.take());
        self.paste = later.paste.or(self.paste);
        self.context_menu = later.context_menu.or(self.context_menu);
        self.focus = later.focus.or(self.focus.take());
        self.text_input |= later.text_input;
    }
}
