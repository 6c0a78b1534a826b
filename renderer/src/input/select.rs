//! Selecting text with the pointer: a click places the caret, two take a word, three a line, and a drag goes on in the same unit.

use super::Input;
use super::cx::InputCx;
use crate::geometry::Point;

/// What a drag selects in.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) enum Unit {
    #[default]
    Grapheme,
    Word,
    Line,
}

impl Input {
    /// A press in the field at surface point `at`: the caret, a word for two clicks, the line for three.
    pub(crate) fn field_press(
        &mut self,
        cx: &mut InputCx<'_>,
        at: Point,
        clicks: u8,
        extend: bool,
    ) {
        self.commit_preedit(cx);
        let Some(byte) = self.byte_at(cx, at) else {
            return;
        };
        let Some(e) = &mut self.editor else { return };
        e.goal_x = None;
        match clicks {
            0 | 1 => e.buffer.place(byte, extend),
            _ if e.spec.secret => e.buffer.select_all(),
            2 => e.buffer.select(e.buffer.word_at(byte)),
            _ => e.buffer.select(e.buffer.line_at(byte)),
        }
        e.touched(cx.now);
        self.select_unit = match clicks {
            0 | 1 => Unit::Grapheme,
            2 => Unit::Word,
            _ => Unit::Line,
        };
        self.select_from = self.editor.as_ref().map_or(0..0, |e| e.buffer.selection());
        self.edited(cx);
    }

    /// The pointer moves with the button held: select up to it, in whole words or lines after a double or triple click.
    pub(crate) fn field_drag(&mut self, cx: &mut InputCx<'_>, at: Point) {
        let Some(byte) = self.byte_at(cx, at) else {
            return;
        };
        let from = self.select_from.clone();
        let unit = self.select_unit;
        let Some(e) = &mut self.editor else { return };
        let whole = match unit {
            Unit::Grapheme => byte..byte,
            Unit::Word => e.buffer.word_at(byte),
            Unit::Line => e.buffer.line_at(byte),
        };
        match unit {
            Unit::Grapheme => e.buffer.place(byte, true),
            _ if whole.start < from.start => e.buffer.select(from.end..whole.start),
            _ => e.buffer.select(from.start..whole.end.max(from.end)),
        }
        e.touched(cx.now);
        self.edited(cx);
    }

    fn byte_at(&mut self, cx: &mut InputCx<'_>, at: Point) -> Option<usize> {
        let (slot, f) = self.field_geometry(cx)?;
        let local = cx.local(slot, at)?;
        Some(f.hit(local))
    }
}
