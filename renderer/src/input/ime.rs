//! The input method: what it composes, commits and deletes, and what it is told of the field.

use super::Input;
use super::buffer::Step;
use super::cx::InputCx;
use super::history::Kind;
use super::intent::Purpose;
use crate::geometry::Rect;

/// Text around the caret an input method is told, in bytes.
const SURROUNDING: usize = 2000;

/// What an input method needs to know of the field that is typed into.
#[derive(Clone, Debug, PartialEq)]
pub struct TextInputState {
    /// The caret on the surface.
    pub rect: Rect,
    pub purpose: Purpose,
    pub multiline: bool,
    /// Text around the caret, without the preedit; empty for secrets.
    pub surrounding: String,
    /// Bytes of `surrounding`.
    pub cursor: usize,
    pub anchor: usize,
}

impl Input {
    /// What an input method is composing at the caret; `None` or an empty text ends it.
    pub(crate) fn preedit(&mut self, cx: &mut InputCx<'_>, text: &str, cursor: usize) {
        let Some(e) = &mut self.editor else { return };
        if !text.is_empty() && !e.buffer.selection().is_empty() && e.view.preedit.is_none() {
            e.delete(Step::Back, cx.now);
        }
        let mut at = cursor.min(text.len());
        while !text.is_char_boundary(at) {
            at -= 1;
        }
        e.view.preedit = (!text.is_empty()).then(|| (text.to_string(), at));
        e.touched(cx.now);
        cx.out.taken = true;
        self.edited(cx);
    }

    /// Text an input method is done with.
    pub(crate) fn commit_text(&mut self, cx: &mut InputCx<'_>, text: &str) {
        let Some(e) = &mut self.editor else { return };
        e.view.preedit = None;
        e.insert(text, Kind::Type, cx.now);
        cx.out.taken = true;
        self.edited(cx);
    }

    /// Take bytes around the caret away, as an input method asks.
    pub(crate) fn delete_surrounding(&mut self, cx: &mut InputCx<'_>, before: usize, after: usize) {
        let Some(e) = &mut self.editor else { return };
        e.delete_around(before, after, cx.now);
        cx.out.taken = true;
        self.edited(cx);
    }

    /// The caret is moved or the field left in the middle of composing: the preedit becomes text.
    pub(crate) fn commit_preedit(&mut self, cx: &mut InputCx<'_>) {
        let waiting = self.editor.as_mut().and_then(|e| e.view.preedit.take());
        if let Some((text, _)) = waiting {
            self.commit_text(cx, &text);
        }
    }

    /// What an input method is told, while a field has the focus.
    pub(crate) fn text_input(&self, cx: &mut InputCx<'_>) -> Option<TextInputState> {
        let (slot, f) = self.field_geometry(cx)?;
        let e = self.editor.as_ref()?;
        let rect = f.caret().translate(cx.shown(slot)?.origin());
        let b = &e.buffer;
        let (surrounding, cursor, anchor) = if e.spec.secret {
            (String::new(), 0, 0)
        } else {
            let from = b.snap(b.caret().saturating_sub(SURROUNDING));
            let to = b.snap((b.caret() + SURROUNDING).min(b.text().len()));
            let inside = |byte: usize| byte.clamp(from, to) - from;
            (
                b.text()[from..to].to_string(),
                inside(b.caret()),
                inside(b.anchor()),
            )
        };
        Some(TextInputState {
            rect,
            purpose: e.spec.purpose,
            multiline: e.spec.multiline,
            surrounding,
            cursor,
            anchor,
        })
    }
}
