//! A field with the focus: keys, clicks and the input method change its [`Editor`], and the surface hears `change`, `commit`,
//! `submit` and `blur` as the catalog says.

use serde_json::json;

use super::buffer::Step;
use super::cx::InputCx;
use super::editor::Editor;
use super::event::{Key, KeyPress};
use super::field::{FieldLayout, FieldText};
use super::focus::field_text;
use super::history::Kind;
use super::response::Selection;
use super::{Input, role};
use crate::geometry::Point;
use crate::text::Direction;

impl Input {
    /// The shaped text of the field that is edited, with its slot.
    pub(crate) fn field_geometry(&self, cx: &mut InputCx<'_>) -> Option<(u32, FieldText)> {
        let e = self.editor.as_ref()?;
        let slot = cx.slot(&e.id)?;
        let node = cx.scene.node(slot)?;
        let component = cx.res.registry.of(&node.placed);
        let layout = FieldLayout {
            area: component.field_area(&node.placed, &node.look, node.frame.size()),
            style: &node.style,
            align: e.spec.align(&node.look),
            rtl: node.look.rtl,
        };
        Some((
            slot,
            FieldText::new(&mut cx.res.text, e.spec, layout, &e.view),
        ))
    }

    /// After any change: show the caret, repaint, tell the input method.
    pub(crate) fn edited(&mut self, cx: &mut InputCx<'_>) {
        let Some((slot, text)) = self.field_geometry(cx) else {
            return;
        };
        let scroll = text.scroll_to_caret();
        if let Some(e) = &mut self.editor {
            let still = cx.reduced_motion();
            e.blink(cx.now, still);
            e.scroll_to(scroll);
        }
        self.repaints.push(slot);
        cx.out.repaint = true;
        cx.out.text_input = true;
    }

    /// A key in a field. False leaves it to the rules every node shares.
    pub(crate) fn field_key(&mut self, cx: &mut InputCx<'_>, key: &KeyPress) -> bool {
        let now = cx.now;
        let rtl = self.field_rtl(cx);
        let Some(e) = &mut self.editor else {
            return false;
        };
        let shift = key.mods.shift;
        if let Some(c) = key.command() {
            match c {
                'a' => e.buffer.select_all(),
                'c' => return self.copy(cx, false),
                'x' => return self.copy(cx, true),
                'v' => {
                    cx.out.paste = Some(Selection::Clipboard);
                    return true;
                }
                'z' if shift => drop(e.redo(now)),
                'y' => drop(e.redo(now)),
                'z' => drop(e.undo(now)),
                _ => return false,
            }
            e.touched(now);
            self.edited(cx);
            return true;
        }
        if key.key == Key::Insert && (shift || key.mods.ctrl) {
            if shift {
                cx.out.paste = Some(Selection::Clipboard);
                return true;
            }
            return self.copy(cx, false);
        }
        if key.mods.alt || key.mods.logo {
            return false;
        }
        let word = key.mods.ctrl;
        match key.key {
            Key::Left | Key::Right => {
                let back = (key.key == Key::Left) != rtl;
                let step = match (back, word) {
                    (true, true) => Step::WordBack,
                    (true, false) => Step::Back,
                    (false, true) => Step::WordForward,
                    (false, false) => Step::Forward,
                };
                e.step(step, shift, now);
            }
            Key::Home | Key::End if word => {
                let step = if key.key == Key::Home {
                    Step::Start
                } else {
                    Step::End
                };
                e.step(step, shift, now);
            }
            Key::Home | Key::End => self.line_edge(cx, key.key == Key::End, shift),
            Key::Up | Key::Down | Key::PageUp | Key::PageDown => {
                return self.field_vertical(cx, key.key, shift);
            }
            Key::Backspace | Key::Delete => {
                let step = match (key.key == Key::Backspace, word) {
                    (true, true) => Step::WordBack,
                    (true, false) => Step::Back,
                    (false, true) => Step::WordForward,
                    (false, false) => Step::Forward,
                };
                let nothing = e.buffer.text().is_empty();
                e.delete(step, now);
                if nothing {
                    return false;
                }
            }
            Key::Enter => return self.field_enter(cx, key),
            _ => {
                let Some(text) = key.typed() else {
                    return false;
                };
                let text = text.to_string();
                e.insert(&text, Kind::Type, now);
            }
        }
        self.edited(cx);
        self.offer_selection(cx);
        true
    }

    /// Arrows move on screen; in text that runs from right to left they swap.
    fn field_rtl(&self, cx: &InputCx<'_>) -> bool {
        let Some(e) = &self.editor else { return false };
        let line = e.buffer.line_at(e.buffer.caret());
        let layout = cx
            .slot(&e.id)
            .and_then(|s| cx.node(s))
            .and_then(|n| n.look.rtl);
        Direction::within(layout).is_rtl(&e.buffer.text()[line])
    }

    /// Home and End keep to the line as it is wrapped.
    fn line_edge(&mut self, cx: &mut InputCx<'_>, end: bool, extend: bool) {
        let target = self.field_geometry(cx).map(|(_, f)| {
            let caret = f.caret();
            let x = if end { 1.0e6 } else { -1.0e6 };
            (f.hit(Point::new(x, caret.center().y)), caret.y)
        });
        let Some(((mut byte, y), e)) = target.zip(self.editor.as_mut()) else {
            return;
        };
        let from = e.buffer.caret();
        let line = e.buffer.line_at(from);
        if !e.spec.multiline {
            byte = if end { line.end } else { line.start };
        }
        e.goal_x = None;
        e.buffer.place(byte.clamp(line.start, line.end), extend);
        e.touched(cx.now);
        // The end of a wrapped line is also the start of the next: stay on the line the caret was on.
        if end
            && self
                .field_geometry(cx)
                .is_some_and(|(_, f)| f.caret().y > y + 0.5)
            && let Some(e) = &mut self.editor
        {
            let back = e.buffer.after(e.buffer.caret(), Step::Back);
            if back >= from {
                e.buffer.place(back, extend);
            } else {
                e.buffer.place(from, extend);
            }
            e.touched(cx.now);
        }
    }

    /// Up, down and pages: in one line they belong to the surface, in many they keep their column.
    fn field_vertical(&mut self, cx: &mut InputCx<'_>, key: Key, extend: bool) -> bool {
        if self.editor.as_ref().is_none_or(|e| !e.spec.multiline) {
            return false;
        }
        let Some((_, f)) = self.field_geometry(cx) else {
            return false;
        };
        let Some(e) = &mut self.editor else {
            return false;
        };
        let caret = f.caret();
        let x = e.goal_x.unwrap_or(caret.x);
        let down = matches!(key, Key::Down | Key::PageDown);
        let by = match key {
            Key::PageUp | Key::PageDown => (f.area.h - caret.h).max(caret.h),
            _ => caret.h,
        };
        let y = caret.center().y + if down { by } else { -by };
        let (top, bottom) = (f.origin().y, f.origin().y + f.block.size().h);
        let byte = if y < top {
            0
        } else if y >= bottom {
            e.buffer.text().len()
        } else {
            f.hit(Point::new(x, y))
        };
        e.buffer.place(byte, extend);
        e.touched(cx.now);
        e.goal_x = Some(x);
        self.edited(cx);
        self.offer_selection(cx);
        true
    }

    fn field_enter(&mut self, cx: &mut InputCx<'_>, key: &KeyPress) -> bool {
        let Some(e) = &mut self.editor else {
            return false;
        };
        let newline = e.spec.multiline
            && if e.spec.enter_submits {
                key.mods.shift
            } else {
                !key.mods.ctrl
            };
        if newline {
            e.insert("\n", Kind::Other, cx.now);
            self.edited(cx);
            return true;
        }
        self.submit(cx);
        true
    }

    /// Tell the whole text as `submit`.
    pub(crate) fn submit(&mut self, cx: &mut InputCx<'_>) {
        self.flush_change(cx);
        let Some((slot, e)) = self
            .editor
            .as_mut()
            .and_then(|e| cx.surface.index_of(&e.id).map(|s| (s, e)))
        else {
            return;
        };
        // A message without words is not sent.
        if e.spec.multiline && e.spec.enter_submits && e.view.text.trim().is_empty() {
            return;
        }
        let value = e.settle();
        let form = cx
            .scene
            .node(slot)
            .filter(|n| n.placed.component == "Textarea")
            .and_then(|n| n.placed.form.clone());
        cx.fire(slot, "submit", Some(json!({ "value": value })));
        if let Some(form) = form {
            let events = cx.surface.submit_form(&form);
            cx.absorb(events);
            cx.drain();
        }
        self.reload_after_layout = true;
    }

    /// Tell a waiting `change` at once.
    pub(crate) fn flush_change(&mut self, cx: &mut InputCx<'_>) {
        self.tell_change(cx, None);
    }

    /// Tell the `change` that is due (`None`: whatever waits).
    pub(crate) fn tell_change(&mut self, cx: &mut InputCx<'_>, due: Option<f64>) {
        let told = self
            .editor
            .as_mut()
            .and_then(|e| e.take_change(due).map(|v| (e.id.clone(), v)));
        if let Some((id, value)) = told
            && let Some(slot) = cx.slot(&id)
        {
            cx.fire(slot, "change", Some(json!({ "value": value })));
        }
    }

    /// The field is left: what is typed counts.
    pub(crate) fn end_edit(&mut self, cx: &mut InputCx<'_>) {
        if self.editor.is_none() {
            return;
        }
        self.commit_preedit(cx);
        let Some(mut e) = self.editor.take() else {
            return;
        };
        cx.out.text_input = true;
        let Some(slot) = cx.slot(&e.id) else { return };
        self.repaints.push(slot);
        let told = e.take_change(None);
        if let Some(value) = told {
            cx.fire(slot, "change", Some(json!({ "value": value })));
        }
        if e.uncommitted() {
            let value = e.settle();
            cx.fire(slot, "commit", Some(json!({ "value": value })));
        }
        cx.fire(slot, "blur", None);
    }

    /// Copy the selection, or cut it. A secret keeps its text to itself.
    fn copy(&mut self, cx: &mut InputCx<'_>, cut: bool) -> bool {
        let Some(e) = &mut self.editor else {
            return false;
        };
        if e.spec.secret || e.buffer.selection().is_empty() {
            return true;
        }
        cx.out.clipboard = Some(e.buffer.selected().to_string());
        if cut {
            e.delete(Step::Back, cx.now);
            self.edited(cx);
        }
        true
    }

    /// What is selected is also the primary selection.
    pub(crate) fn offer_selection(&self, cx: &mut InputCx<'_>) {
        if let Some(e) = &self.editor
            && !e.spec.secret
            && !e.buffer.selection().is_empty()
        {
            cx.out.primary = Some(e.buffer.selected().to_string());
        }
    }

    /// Text from the clipboard, or dropped on the field.
    pub(crate) fn paste(&mut self, cx: &mut InputCx<'_>, text: &str) {
        if let Some(e) = &mut self.editor {
            e.insert(text, Kind::Other, cx.now);
            cx.out.taken = true;
            self.edited(cx);
        }
    }

    /// The surface changed: does the field still exist, and has its text changed from outside?
    pub(crate) fn sync_field(&mut self, cx: &mut InputCx<'_>) {
        let Some(e) = &mut self.editor else { return };
        let node = cx
            .surface
            .index_of(&e.id)
            .and_then(|s| cx.scene.node(s))
            .filter(|n| n.placed.id == e.id && !role::disabled(&n.placed));
        let spec = node.and_then(|n| cx.res.registry.of(&n.placed).field(&n.placed));
        let (Some(node), Some(spec)) = (node, spec) else {
            self.editor = None;
            cx.out.text_input = true;
            return;
        };
        e.spec = spec;
        let value = field_text(&node.placed, spec.prop);
        let changed = if std::mem::take(&mut self.reload_after_layout) {
            e.reload(&value, cx.now);
            true
        } else {
            e.heard(&value, cx.now)
        };
        if changed {
            self.edited(cx);
        }
    }

    pub(crate) fn editor(&self) -> Option<&Editor> {
        self.editor.as_ref()
    }
}
