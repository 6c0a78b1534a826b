//! Fields with a list below them: the arrows move in the list while the focus and the caret stay in the field.

use serde_json::json;

use super::cx::InputCx;
use super::event::{Key, KeyPress};
use super::focus::By;
use super::{Input, order, role};

impl Input {
    /// Keys of a field that filters a list below it: the arrows move in the list, the focus stays in the field.
    pub(crate) fn search_key(&mut self, cx: &mut InputCx<'_>, slot: u32, key: &KeyPress) -> bool {
        let Some(n) = cx.node(slot).map(|n| &n.placed) else {
            return false;
        };
        if n.part.as_deref() == Some("input") && n.owner_component.as_deref() == Some("ChipInput") {
            return self.chip_key(cx, slot, key);
        }
        if n.part.as_deref() != Some("search") || key.mods.commands() {
            return false;
        }
        let select = n.owner_component.as_deref() == Some("Select");
        let menu = n.owner_component.as_deref() == Some("Menu");
        let at_start = self
            .editor()
            .is_some_and(|e| e.buffer.caret() == 0 && e.buffer.selection().is_empty());
        let name = match key.key {
            Key::Up | Key::Down | Key::Enter => key.key.name(),
            Key::Tab if !select && !key.mods.shift => key.key.name(),
            Key::Left if menu && at_start => key.key.name(),
            _ => None,
        };
        let Some(name) = name else { return false };
        // What is typed must have filtered the list before a row of it is picked.
        self.flush_change(cx);
        if select {
            return self.option_key(cx, slot, key.key);
        }
        let came = cx.fire(slot, "key", Some(json!({ "key": name })));
        match key.key {
            // Tab picks the marked row; out of a plain list it also goes on.
            Key::Tab => came && menu,
            Key::Left => came,
            _ => true,
        }
    }

    /// A select with a search field: the marked option follows the arrows, Enter takes it.
    fn option_key(&mut self, cx: &mut InputCx<'_>, slot: u32, key: Key) -> bool {
        let root = order::root_of(cx.scene, slot);
        let options = options_in(cx, root);
        if options.is_empty() {
            return true;
        }
        let active = self
            .rove
            .active
            .as_ref()
            .and_then(|id| cx.slot(id))
            .and_then(|s| options.iter().position(|o| *o == s));
        match key {
            Key::Enter => {
                if let Some(s) = active.map(|i| options[i]).or(options.first().copied()) {
                    cx.fire(s, "press", None);
                }
            }
            _ => {
                let next = match (key, active) {
                    (Key::Down, Some(i)) => (i + 1) % options.len(),
                    (Key::Up, Some(0) | None) => options.len() - 1,
                    (Key::Up, Some(i)) => i - 1,
                    _ => 0,
                };
                self.mark_option(cx, options[next]);
            }
        }
        true
    }

    fn mark_option(&mut self, cx: &mut InputCx<'_>, slot: u32) {
        if let Some(old) = self.rove.active.take() {
            cx.flag(&old, &["hover"], self.hover.has(&old));
        }
        if let Some(id) = cx.id(slot) {
            cx.flag(&id, &["hover"], true);
            self.rove.active = Some(id);
            self.reveal(cx, slot);
        }
    }

    /// Chips: Backspace in the empty field reaches the last one, Down the suggestions.
    fn chip_key(&mut self, cx: &mut InputCx<'_>, slot: u32, key: &KeyPress) -> bool {
        let Some(owner) = cx.node(slot).and_then(|n| n.placed.owner.clone()) else {
            return false;
        };
        let empty = self.editor().is_some_and(|e| e.buffer.text().is_empty());
        match key.key {
            Key::Backspace if empty => {
                let mut last = None;
                for i in 0.. {
                    match cx.slot(&format!("{owner}.remove.{i}")) {
                        Some(s) => last = Some(s),
                        None => break,
                    }
                }
                if let Some(s) = last {
                    if self.chip_armed.take().as_deref() == Some(owner.as_str()) {
                        self.hover_chip(cx, s, false);
                        cx.fire(s, "press", None);
                    } else {
                        self.hover_chip(cx, s, true);
                        self.chip_armed = Some(owner);
                    }
                }
                true
            }
            Key::Down => {
                let layer = cx
                    .scene
                    .layers()
                    .iter()
                    .find(|l| l.owner == owner)
                    .map(|l| l.root);
                let first = layer.and_then(|root| options_in(cx, root).first().copied());
                if let Some(s) = first {
                    self.flush_change(cx);
                    self.focus_on(cx, Some(s), By::Keyboard);
                }
                first.is_some()
            }
            _ => {
                self.chip_armed = None;
                false
            }
        }
    }

    /// The chip that the next Backspace removes shows it.
    fn hover_chip(&mut self, cx: &mut InputCx<'_>, remove: u32, on: bool) {
        let chip = cx
            .node(remove)
            .and_then(|n| n.placed.parent)
            .and_then(|p| cx.id(p));
        if let Some(id) = chip {
            cx.flag(&id, &["hover", "focus"], on);
        }
    }
}

/// The options of a list, disabled ones left out.
fn options_in(cx: &InputCx<'_>, root: u32) -> Vec<u32> {
    let mut out = Vec::new();
    order::each(cx.scene, root, &mut |s| {
        if let Some(n) = cx.scene.node(s)
            && matches!(n.placed.part.as_deref(), Some("item" | "suggestion"))
            && role::focusable(n, cx.res.registry.of(&n.placed))
        {
            out.push(s);
        }
    });
    out
}
