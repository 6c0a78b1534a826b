//! The pointer: hover, presses, drags, double clicks, context menus, the wheel. A press counts when the button comes up over the node
//! it went down on.

use eui_core::hold::HoldInput;
use serde_json::json;

use super::cx::InputCx;
use super::event::{Button, Modifiers, PointerEvent};
use super::focus::{By, focusable_at};
use super::grip::{Grip, Press};
use super::hit::{self, Found};
use super::intent::{Drag, Nudge, Phase};
use super::response::Selection;
use super::role::Rove;
use super::sheet::Sheet;
use super::{Input, order, role};
use crate::geometry::Point;

/// Clicks this close together, in time and px, count as one double or triple click.
const CLICK_TIME: f64 = 400.0;
const CLICK_REACH: f32 = 5.0;
/// The last click, to count double and triple ones.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Clicks {
    at: Point,
    when: f64,
    count: u8,
}

impl Input {
    pub(crate) fn pointer(&mut self, cx: &mut InputCx<'_>, event: PointerEvent) {
        match event {
            PointerEvent::Move(at) => self.pointer_move(cx, at),
            PointerEvent::Leave => self.pointer_leave(cx),
            PointerEvent::Press {
                at,
                button,
                mods,
                clicks,
            } => {
                self.pointer_move(cx, at);
                let clicks = self.count_clicks(at, button, clicks, cx.now);
                self.pointer_press(cx, at, button, mods, clicks);
            }
            PointerEvent::Release { at, button } => self.pointer_release(cx, at, button),
            PointerEvent::Wheel { at, dx, dy } => {
                self.pointer_move(cx, at);
                if !self.wheel_nudge(cx, at, dy) {
                    let over = self.hover.scrollers.clone();
                    self.wheel(cx, &over, dx, dy);
                }
            }
        }
        self.focus_asked(cx);
    }

    /// The wheel is for what has the focus under the pointer, before it scrolls what is around.
    fn wheel_nudge(&mut self, cx: &mut InputCx<'_>, at: Point, dy: f32) -> bool {
        let over = self.pointer_path.iter().copied();
        let Some(slot) = self
            .focus
            .slot
            .filter(|s| over.into_iter().any(|o| o == *s))
        else {
            return false;
        };
        let local = cx.local(slot, at);
        local.is_some_and(|at| self.nudge(cx, slot, &Nudge::Wheel { at, dy }))
    }

    fn count_clicks(&mut self, at: Point, button: Button, clicks: u8, now: f64) -> u8 {
        if button != Button::Left {
            return 1;
        }
        let c = self.clicks;
        let near = (at.x - c.at.x).abs() <= CLICK_REACH && (at.y - c.at.y).abs() <= CLICK_REACH;
        let count = match clicks {
            0 if near && now - c.when <= CLICK_TIME => c.count % 3 + 1,
            0 => 1,
            n => n,
        };
        self.clicks = Clicks {
            at,
            when: now,
            count,
        };
        count
    }

    /// Where the pointer is, for hover and for components that follow it.
    fn pointer_move(&mut self, cx: &mut InputCx<'_>, at: Point) {
        let moved = self.pointer != Some(at);
        self.pointer = Some(at);
        if self.press.is_some() {
            self.drag_on(cx, at);
            return;
        }
        let found = hit::test(cx.scene, at);
        if self.path_changed(cx, &found) {
            self.hover(cx, &found);
        }
        if moved {
            self.follow_rows(cx);
            self.hint_bars(cx);
        }
        self.run_toasts(cx);
    }

    /// In a menu or a list of options the focus goes with the pointer, so that keys go on from the row it is on.
    fn follow_rows(&mut self, cx: &mut InputCx<'_>) {
        let owner = |slot: u32| {
            let root = order::root_of(cx.scene, slot);
            let layer = cx.scene.layers().iter().find(|l| l.root == root);
            layer.map(|l| l.owner.as_str())
        };
        let Some(list) = self.focus.slot.and_then(owner) else {
            return;
        };
        let row = self.pointer_path.iter().copied().find(|s| {
            cx.node(*s).is_some_and(|n| {
                matches!(role::rove(&n.placed), Some(Rove::Menu | Rove::Options))
                    && !role::disabled(&n.placed)
            })
        });
        if let Some(row) = row.filter(|r| {
            self.editor().is_none() && self.focus.slot != Some(*r) && owner(*r) == Some(list)
        }) {
            self.focus_on(cx, Some(row), By::Pointer);
        }
    }

    /// Repaint what follows the pointer, where it is and where it was. True when the pointer is over other nodes than before.
    fn path_changed(&mut self, cx: &mut InputCx<'_>, found: &Found) -> bool {
        let path: Vec<u32> = found.path.iter().map(|s| s.slot).collect();
        for slot in self.pointer_path.iter().chain(&path) {
            if cx.component(*slot).is_some_and(|c| c.follows_pointer()) {
                self.repaints.push(*slot);
                cx.out.repaint = true;
            }
        }
        let changed = path != self.pointer_path;
        self.pointer_path = path;
        changed
    }

    fn pointer_leave(&mut self, cx: &mut InputCx<'_>) {
        if self.press.is_some() {
            // A held button goes on beyond the edge; the release comes from there.
            return;
        }
        self.pointer = None;
        self.path_changed(cx, &Found::default());
        self.unhover(cx);
        self.run_toasts(cx);
    }

    fn pointer_press(
        &mut self,
        cx: &mut InputCx<'_>,
        at: Point,
        button: Button,
        mods: Modifiers,
        clicks: u8,
    ) {
        self.keyboard = false;
        self.stop_glide();
        self.hide_tips(cx);
        if self.press.is_some() && self.held != Some(button) {
            cx.out.taken = true;
            return;
        }
        // The release of the last press went astray.
        self.drop_press(cx);
        self.held = Some(button);
        let found = hit::test(cx.scene, at);
        if found.path.is_empty()
            && let Some(root) = found.layer
        {
            self.press_scrim(cx, root);
            cx.out.taken = true;
            self.press = Some(Press::dead(at));
            return;
        }
        let path: Vec<u32> = found.path.iter().map(|s| s.slot).collect();
        if self.press_outside(cx, found.layer, &path) {
            cx.out.taken = true;
            self.press = Some(Press::dead(at));
            return;
        }
        match button {
            Button::Left => self.left_press(cx, at, &found, mods, clicks),
            Button::Middle => self.middle_press(cx, at, &found),
            Button::Right => self.right_press(cx, at, &found),
        }
    }

    fn left_press(
        &mut self,
        cx: &mut InputCx<'_>,
        at: Point,
        found: &Found,
        mods: Modifiers,
        clicks: u8,
    ) {
        if self.grab_thumb(cx, at) {
            let mut p = Press::dead(at);
            if self.scrolling.thumb.is_some() {
                p.grip = Grip::Thumb;
            }
            self.press = Some(p);
            cx.out.taken = true;
            return;
        }
        for step in &found.path {
            let slot = step.slot;
            let Some(node) = cx.scene.node(slot) else {
                continue;
            };
            let n = &node.placed;
            if role::inert(n) {
                self.press = Some(Press::dead(at));
                cx.out.taken = true;
                return;
            }
            let id = n.id.clone();
            let press = |grip: Grip| Press {
                grip,
                id: id.clone(),
                start: at,
                local: step.at,
                inside: true,
                moved: false,
            };
            if let Some(owner) = role::labels(n)
                && let Some(field) = cx.slot(owner).and_then(|o| control_of(cx, o, slot))
            {
                self.focus_on(cx, Some(field), By::Pointer);
                self.press = Some(Press::dead(at));
                cx.out.taken = true;
                return;
            }
            let component = cx.res.registry.of(n);
            // A press beside a field's text may be on a button of its own (a composer's): that one is told on release.
            let size = node.frame.size();
            let beside = component.field(n).is_some()
                && !component.field_area(n, &node.look, size).contains(step.at)
                && component
                    .press(n, &node.look, size, step.at, cx.recipes, &mut cx.res.text)
                    .is_some();
            if beside {
                self.focus_on(cx, Some(slot), By::Pointer);
                self.press = Some(press(Grip::Press));
                cx.out.taken = true;
                return;
            }
            if component.field(n).is_some() {
                self.focus_on(cx, Some(slot), By::Pointer);
                self.field_press(cx, at, clicks, mods.shift);
                self.press = Some(press(Grip::Text));
                cx.out.taken = true;
                return;
            }
            if role::is_part(n, "Resizable", "handle") {
                let vertical =
                    n.props.get("orientation").and_then(|v| v.as_str()) == Some("horizontal");
                let p = press(Grip::Resize { vertical });
                self.focus_pressed(cx, found);
                self.begin_press(cx, slot, p);
                cx.fire(
                    slot,
                    "drag",
                    Some(json!({ "phase": "start", "delta": 0.0 })),
                );
                return;
            }
            if Sheet::is_handle(n) {
                let sheet = Sheet::around(cx, slot);
                let p = sheet.map_or(Press::dead(at), |s| press(Grip::Sheet(s)));
                self.begin_press(cx, slot, p);
                return;
            }
            if role::held(n) {
                let p = press(Grip::Hold);
                self.focus_pressed(cx, found);
                let events = cx.surface.hold(
                    slot,
                    &HoldInput::PointerDown {
                        x: step.at.x,
                        y: step.at.y,
                    },
                );
                cx.absorb(events);
                self.begin_press(cx, slot, p);
                return;
            }
            let drag = Drag {
                phase: Phase::Start,
                start: step.at,
                at: step.at,
            };
            if !role::disabled(n)
                && let Some(intent) = component.drag(n, &node.look, node.frame.size(), &drag)
            {
                let p = press(Grip::Drag);
                self.focus_pressed(cx, found);
                self.begin_press(cx, slot, p);
                self.tell(cx, slot, intent);
                return;
            }
            let pressed = role::pressable(n)
                || (component.focusable(n) == Some(true) && component.holds_press());
            if self.nudge(cx, slot, &first_nudge(drag, clicks)) {
                self.focus_pressed(cx, found);
                self.begin_press(cx, slot, press(Grip::Nudge));
                return;
            }
            if pressed {
                let p = press(Grip::Press);
                self.focus_pressed(cx, found);
                self.begin_press(cx, slot, p);
                return;
            }
        }
        // Nothing pressable: a component below may still know the place (a link in a text).
        self.focus_pressed(cx, found);
        if let Some(step) = found.path.first()
            && let Some(id) = cx.id(step.slot)
        {
            self.press = Some(Press {
                grip: Grip::Press,
                id,
                start: at,
                local: step.at,
                inside: true,
                moved: false,
            });
        }
        // A press inside an overlay never falls through it.
        cx.out.taken = found.layer.is_some();
    }

    /// The focus follows the press to the nearest node that can hold it; a press on nothing lets it go, but never out of a layer.
    fn focus_pressed(&mut self, cx: &mut InputCx<'_>, found: &Found) {
        let target = found.path.iter().map(|s| s.slot).find(|s| {
            cx.scene.node(*s).is_some_and(|n| {
                role::focusable(n, cx.res.registry.of(&n.placed)) && !keeps_focus_elsewhere(n)
            })
        });
        let elsewhere = found
            .path
            .iter()
            .any(|s| cx.scene.node(s.slot).is_some_and(keeps_focus_elsewhere));
        match target {
            Some(_) if elsewhere => {}
            Some(s) => self.focus_on(cx, Some(s), By::Pointer),
            None if elsewhere => {}
            None if found.layer.is_some() => self.focus_on(cx, found.layer, By::Pointer),
            None => self.focus_on(cx, None, By::Pointer),
        }
    }

    fn middle_press(&mut self, cx: &mut InputCx<'_>, at: Point, found: &Found) {
        let field = found.path.iter().map(|s| s.slot).find(|s| {
            cx.scene.node(*s).is_some_and(|n| {
                cx.res.registry.of(&n.placed).field(&n.placed).is_some()
                    && !role::disabled(&n.placed)
            })
        });
        if let Some(slot) = field {
            self.focus_on(cx, Some(slot), By::Pointer);
            self.field_press(cx, at, 1, false);
            cx.out.paste = Some(Selection::Primary);
            cx.out.taken = true;
        }
    }

    fn right_press(&mut self, cx: &mut InputCx<'_>, at: Point, found: &Found) {
        if let Some(slot) = found.deepest() {
            cx.out.taken = cx.fire(slot, "contextmenu", Some(json!({ "x": at.x, "y": at.y })));
        }
        if found.layer.is_some() {
            cx.out.taken = true;
        } else if !cx.out.taken {
            cx.out.context_menu = Some(at);
        }
    }

    fn pointer_release(&mut self, cx: &mut InputCx<'_>, at: Point, button: Button) {
        self.pointer = Some(at);
        if self.held == Some(button) {
            self.held = None;
            self.end_press(cx, at);
        }
        let found = hit::test(cx.scene, at);
        self.path_changed(cx, &found);
        self.hover(cx, &found);
    }
}

/// What a press is to a component that is nudged.
fn first_nudge(drag: Drag, clicks: u8) -> Nudge {
    if clicks == 2 {
        Nudge::Double(drag.at)
    } else {
        Nudge::Drag(drag)
    }
}

/// Rows and buttons of a field that is typed into: a press on them leaves the caret where it is.
fn keeps_focus_elsewhere(n: &crate::scene::Node) -> bool {
    let p = &n.placed;
    matches!(
        (p.owner_component.as_deref(), p.part.as_deref()),
        (Some("SearchList"), Some("item"))
            | (Some("ChipInput"), Some("suggestion" | "remove"))
            | (Some("NumberField"), Some("decrement" | "increment"))
    )
}

/// The control inside a field's owner that its label stands for.
fn control_of(cx: &InputCx<'_>, owner: u32, label: u32) -> Option<u32> {
    let registry = &cx.res.registry;
    let node = cx.scene.node(owner)?;
    node.placed
        .children
        .iter()
        .copied()
        .filter(|c| *c != label)
        .find_map(|c| focusable_at(cx.scene, registry, c))
}
