//! The keyboard focus: which node has it, how it moves, and what the surface hears of it.

use eui_core::surface::SurfaceCommand;

use super::cx::InputCx;
use super::editor::Editor;
use super::order::{self, FocusMove, FocusStep};
use super::role::Rove;
use super::{Input, role};
use crate::component::Registry;
use crate::measure::EXTENSION;
use crate::scene::Scene;

/// What moved the focus.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum By {
    /// A key: show where the focus is.
    Keyboard,
    Pointer,
    /// The surface itself: show it if the person was at the keyboard.
    Program,
}

/// How the focus is shown.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) enum Mark {
    #[default]
    Ring,
    /// A menu's row is filled, as under the pointer.
    Row,
    /// A row of options is filled too; as the chosen one is filled, a ring tells them apart.
    Option,
}

#[derive(Debug, Default)]
pub(crate) struct FocusHolder {
    pub id: Option<String>,
    pub slot: Option<u32>,
    pub visible: bool,
    pub mark: Mark,
}

impl Input {
    /// Give the focus to the node at `slot`, or take it from all.
    pub(crate) fn focus_on(&mut self, cx: &mut InputCx<'_>, slot: Option<u32>, by: By) {
        let id = slot.and_then(|s| cx.id(s));
        let visible = match by {
            By::Keyboard => true,
            By::Pointer => false,
            By::Program => self.keyboard,
        };
        if id == self.focus.id {
            self.show_focus(cx, visible);
            return;
        }
        self.leave(cx);
        let Some((slot, id)) = slot.zip(id) else {
            cx.out.focus = Some(FocusMove::Nowhere);
            return;
        };
        self.focus.id = Some(id.clone());
        self.focus.slot = Some(slot);
        self.repaints.push(slot);
        cx.out.repaint = true;
        self.show_focus(cx, visible);
        if by != By::Pointer {
            self.reveal(cx, slot);
        }
        let nested = cx
            .node(slot)
            .is_some_and(|n| n.placed.component == EXTENSION);
        cx.out.focus = Some(if nested {
            FocusMove::Nested { slot, id }
        } else {
            FocusMove::Node { id: id.clone() }
        });
        if !nested {
            self.begin_edit(cx, slot, by == By::Keyboard);
        }
    }

    /// Draw the ring or not; fields show that they are typed into either way.
    fn show_focus(&mut self, cx: &mut InputCx<'_>, visible: bool) {
        // A layer that has the focus itself, for want of anything in it, shows no ring.
        let visible = visible
            && !cx
                .scene
                .layers()
                .iter()
                .any(|l| Some(l.root) == self.focus.slot);
        self.focus.visible = visible;
        let Some((id, slot)) = self.focus.id.clone().zip(self.focus.slot) else {
            return;
        };
        self.repaints.push(slot);
        self.focus.mark = match cx.node(slot).and_then(|n| role::rove(&n.placed)) {
            Some(Rove::Menu) => Mark::Row,
            Some(Rove::Options) => Mark::Option,
            _ => Mark::Ring,
        };
        if self.focus.mark != Mark::Ring {
            cx.flag(&id, &["selected"], visible);
        }
        let field = cx
            .node(slot)
            .is_some_and(|n| cx.res.registry.of(&n.placed).field(&n.placed).is_some());
        match (visible, field) {
            (true, _) => cx.flag(&id, &["focus", "focus-visible"], true),
            (false, true) => {
                cx.flag(&id, &["focus-visible"], false);
                cx.flag(&id, &["focus"], true);
            }
            (false, false) => cx.flag(&id, &["focus", "focus-visible"], false),
        }
        self.focus_tip(cx, slot, visible);
    }

    /// The focus leaves where it is: a field commits, a held button lets go.
    fn leave(&mut self, cx: &mut InputCx<'_>) {
        self.end_edit(cx);
        self.rove.reset();
        if let Some(id) = self.focus.id.take() {
            if let Some(slot) = cx.slot(&id) {
                self.repaints.push(slot);
                self.release_hold(cx, slot);
            }
            cx.flag(&id, &["focus", "focus-visible"], false);
            if self.focus.mark != Mark::Ring {
                cx.flag(&id, &["selected"], false);
            }
        }
        self.focus.slot = None;
        self.unfocus_tip(cx);
        cx.out.repaint = true;
    }

    fn begin_edit(&mut self, cx: &mut InputCx<'_>, slot: u32, select: bool) {
        let Some(node) = cx.node(slot) else { return };
        let Some(spec) = cx.res.registry.of(&node.placed).field(&node.placed) else {
            return;
        };
        let text = field_text(&node.placed, spec.prop);
        let id = node.placed.id.clone();
        self.editor = Some(Editor::new(id, spec, &text, select, cx.now));
        if let Some(e) = &mut self.editor {
            let still = cx.reduced_motion();
            e.blink(cx.now, still);
        }
        cx.out.text_input = true;
        cx.fire(slot, "focus", None);
    }

    /// Move along the tab order. What happened is in the response's `focus`.
    pub(crate) fn focus_step(&mut self, cx: &mut InputCx<'_>, step: FocusStep) {
        let at = self.focus.slot;
        let stops = order::stops(cx.scene, &cx.res.registry, at);
        let here = at.and_then(|slot| place(cx.scene, &stops, slot));
        let trapped = cx.scene.layers().iter().any(|l| l.modal);
        let next = match (step, here) {
            (FocusStep::First, _) | (FocusStep::Next, None) => stops.first(),
            (FocusStep::Last, _) | (FocusStep::Previous, None) => stops.last(),
            (FocusStep::Next, Some(Place::At(i))) => stops.get(i + 1),
            (FocusStep::Next, Some(Place::Before(i))) => stops.get(i),
            (FocusStep::Previous, Some(Place::At(i) | Place::Before(i))) => {
                i.checked_sub(1).and_then(|i| stops.get(i))
            }
        };
        let wrapped = match step {
            FocusStep::Previous => stops.last(),
            _ => stops.first(),
        };
        match next.or(wrapped.filter(|_| trapped)) {
            Some(slot) => {
                self.keyboard = true;
                self.focus_on(cx, Some(*slot), By::Keyboard);
                cx.out.taken = true;
            }
            None => {
                cx.out.focus = Some(FocusMove::Exhausted);
                cx.out.taken = trapped;
            }
        }
    }

    /// Nothing on this surface has the focus any more.
    pub(crate) fn blur(&mut self, cx: &mut InputCx<'_>) {
        self.focus_on(cx, None, By::Program);
    }

    /// A command of the host.
    pub(crate) fn command(&mut self, cx: &mut InputCx<'_>, command: &SurfaceCommand) {
        self.tell_scrolls(cx);
        let events = cx.surface.command(command);
        cx.absorb(events);
        cx.drain();
        self.focus_asked(cx);
    }

    /// The engine asks for the focus on a node: the first focusable one at or below it.
    pub(crate) fn focus_asked(&mut self, cx: &mut InputCx<'_>) {
        let Some(id) = cx.asked_focus.take() else {
            return;
        };
        let Some(slot) = cx.slot(&id) else { return };
        let target = focusable_at(cx.scene, &cx.res.registry, slot);
        if target.is_some() {
            self.focus_on(cx, target, By::Program);
        }
    }
}

/// The first node at or below `slot` that can take the focus.
pub(crate) fn focusable_at(scene: &Scene, registry: &Registry, slot: u32) -> Option<u32> {
    let node = scene.node(slot)?;
    if role::focusable(node, registry.of(&node.placed)) {
        return Some(slot);
    }
    order::stops_in(scene, registry, slot).first().copied()
}

/// The text a field's prop holds.
pub(crate) fn field_text(n: &eui_core::surface::PlacedNode, prop: &str) -> String {
    match n.props.get(prop) {
        Some(serde_json::Value::String(s)) => s.clone(),
        Some(v @ (serde_json::Value::Number(_) | serde_json::Value::Bool(_))) => v.to_string(),
        _ => String::new(),
    }
}

enum Place {
    At(usize),
    /// The focus is on no stop, but before this one in paint order.
    Before(usize),
}

fn place(scene: &Scene, stops: &[u32], slot: u32) -> Option<Place> {
    if let Some(i) = stops.iter().position(|s| *s == slot) {
        return Some(Place::At(i));
    }
    // The first stop that follows `slot` in the paint order of its tree.
    let mut seen = false;
    let mut after = None;
    order::each(scene, order::root_of(scene, slot), &mut |s| {
        seen |= s == slot;
        if seen && after.is_none() {
            after = stops.iter().position(|x| *x == s);
        }
    });
    seen.then(|| Place::Before(after.unwrap_or(stops.len())))
}
