//! A button or finger that is down, and what it holds: a press that may still count, a drag, a selection, a sheet.

use eui_core::hold::HoldInput;
use serde_json::json;

use super::Input;
use super::cx::InputCx;
use super::hit;
use super::hover::Cursor;
use super::intent::{Drag, Nudge, Phase};
use super::sheet::Sheet;
use super::timers::Timer;
use crate::geometry::Point;

/// The button held and moved this far selects; less is a click.
const DRAG_START: f32 = 3.0;
/// A selection dragged past the field's edge scrolls on this often.
const AUTOSCROLL: f64 = 50.0;

/// What a held button does.
#[derive(Clone, Debug, PartialEq)]
pub(crate) enum Grip {
    /// Waits to become a press.
    Press,
    /// A component drags.
    Drag,
    /// A component shows its node otherwise meanwhile.
    Nudge,
    /// The line between two panels.
    Resize {
        vertical: bool,
    },
    Thumb,
    Text,
    Hold,
    /// A sheet pulled towards its edge.
    Sheet(Sheet),
    /// Nothing comes of it.
    Dead,
}

/// A button that is down.
#[derive(Clone, Debug)]
pub(crate) struct Press {
    pub grip: Grip,
    /// The node that acts.
    pub id: String,
    /// Where the button went down, on the surface and in the node.
    pub start: Point,
    pub local: Point,
    /// The pointer is over the node.
    pub inside: bool,
    /// It went further than a click does.
    pub moved: bool,
}

impl Press {
    /// Takes the button and does nothing.
    pub fn dead(at: Point) -> Press {
        Press {
            grip: Grip::Dead,
            id: String::new(),
            start: at,
            local: Point::ZERO,
            inside: false,
            moved: false,
        }
    }
}

impl Input {
    /// The pointer moves with a button down.
    pub(crate) fn drag_on(&mut self, cx: &mut InputCx<'_>, at: Point) {
        let Some(mut p) = self.press.take() else {
            return;
        };
        let by = at - p.start;
        p.moved |= by.x.abs().max(by.y.abs()) > DRAG_START;
        let slot = cx.slot(&p.id);
        cx.out.taken = true;
        match (&mut p.grip, slot) {
            (Grip::Thumb, _) => self.drag_thumb(cx, at),
            (Grip::Text, Some(_)) if !p.moved => {}
            (Grip::Text, Some(slot)) => {
                self.field_drag(cx, at);
                if cx.shown(slot).is_some_and(|r| !r.contains(at)) {
                    self.timers.set(Timer::Autoscroll, cx.now + AUTOSCROLL);
                }
            }
            (Grip::Drag, Some(slot)) => self.component_drag(cx, slot, &p, at, Phase::Move),
            (Grip::Nudge, Some(slot)) => self.nudge_drag(cx, slot, &p, at, Phase::Move),
            (Grip::Resize { vertical }, Some(slot)) => {
                let delta = if *vertical { by.y } else { by.x };
                cx.fire(
                    slot,
                    "drag",
                    Some(json!({ "phase": "move", "delta": delta })),
                );
            }
            (Grip::Hold, Some(slot)) => {
                if let Some(l) = cx.local(slot, at) {
                    let events = cx
                        .surface
                        .hold(slot, &HoldInput::PointerMove { x: l.x, y: l.y });
                    cx.absorb(events);
                }
            }
            (Grip::Sheet(sheet), _) => sheet.pull(cx, by),
            (Grip::Press, Some(slot)) => {
                let inside = hit::test(cx.scene, at).step(slot).is_some();
                if inside != p.inside {
                    p.inside = inside;
                    let id = inside.then(|| p.id.clone());
                    self.set_pressed(cx, id);
                }
            }
            (Grip::Dead, _) => {}
            (_, None) => p.grip = Grip::Dead,
        }
        self.press = Some(p);
    }

    pub(crate) fn end_press(&mut self, cx: &mut InputCx<'_>, at: Point) {
        let Some(p) = self.press.take() else { return };
        self.set_pressed(cx, None);
        self.timers.cancel(&Timer::Autoscroll);
        let slot = cx.slot(&p.id);
        cx.out.taken = p.grip != Grip::Press;
        match (&p.grip, slot) {
            (Grip::Thumb, _) => drop(self.drop_thumb(cx)),
            (Grip::Text, Some(_)) => self.offer_selection(cx),
            (Grip::Drag, Some(slot)) => self.component_drag(cx, slot, &p, at, Phase::End),
            (Grip::Nudge, Some(slot)) if p.moved => {
                self.nudge_drag(cx, slot, &p, at, Phase::End);
            }
            (Grip::Resize { vertical }, Some(slot)) => {
                let by = at - p.start;
                let delta = if *vertical { by.y } else { by.x };
                cx.fire(
                    slot,
                    "drag",
                    Some(json!({ "phase": "end", "delta": delta })),
                );
            }
            (Grip::Hold, Some(slot)) => {
                if let Some(l) = cx.local(slot, at) {
                    let events = cx
                        .surface
                        .hold(slot, &HoldInput::PointerUp { x: l.x, y: l.y });
                    cx.absorb(events);
                }
            }
            (Grip::Sheet(sheet), _) => sheet.let_go(cx),
            (Grip::Press | Grip::Nudge, Some(slot)) => {
                let found = hit::test(cx.scene, at);
                if found.step(slot).is_some() {
                    self.activate(cx, &found, slot);
                }
            }
            _ => {}
        }
    }

    fn nudge_drag(&mut self, cx: &mut InputCx<'_>, slot: u32, p: &Press, at: Point, phase: Phase) {
        if let Some(local) = cx.local(slot, at).filter(|_| p.moved) {
            let start = p.local;
            let drag = Drag {
                phase,
                start,
                at: local,
            };
            self.nudge(cx, slot, &Nudge::Drag(drag));
        }
    }

    fn component_drag(
        &mut self,
        cx: &mut InputCx<'_>,
        slot: u32,
        p: &Press,
        at: Point,
        phase: Phase,
    ) {
        let Some(local) = cx.local(slot, at) else {
            return;
        };
        let Some(node) = cx.scene.node(slot) else {
            return;
        };
        let drag = Drag {
            phase,
            start: p.local,
            at: local,
        };
        let intent = cx.res.registry.of(&node.placed).drag(
            &node.placed,
            &node.look,
            node.frame.size(),
            &drag,
        );
        if let Some(intent) = intent {
            self.tell(cx, slot, intent);
        }
    }

    /// Escape while a button is down: nothing comes of it.
    pub(crate) fn cancel_press(&mut self, cx: &mut InputCx<'_>) -> bool {
        let Some(p) = self.press.as_mut() else {
            return false;
        };
        if p.grip == Grip::Dead {
            return false;
        }
        let p = std::mem::replace(p, Press::dead(Point::ZERO));
        self.set_pressed(cx, None);
        match (&p.grip, cx.slot(&p.id)) {
            (Grip::Resize { .. }, Some(slot)) => {
                cx.fire(slot, "drag", Some(json!({ "phase": "move", "delta": 0.0 })));
                cx.fire(slot, "drag", Some(json!({ "phase": "end", "delta": 0.0 })));
            }
            (Grip::Hold, Some(slot)) => {
                let events = cx.surface.hold(slot, &HoldInput::PointerCancel);
                cx.absorb(events);
            }
            (Grip::Sheet(sheet), _) => sheet.show(cx, 0.0),
            (Grip::Thumb, _) => drop(self.drop_thumb(cx)),
            _ => {}
        }
        true
    }

    /// The button will not come up here: nothing comes of it, and the next press starts afresh.
    pub(crate) fn drop_press(&mut self, cx: &mut InputCx<'_>) {
        self.cancel_press(cx);
        self.press = None;
        self.held = None;
        self.timers.cancel(&Timer::Autoscroll);
    }

    /// The selection goes on while the pointer is held past the field's edge.
    pub(crate) fn autoscroll(&mut self, cx: &mut InputCx<'_>) {
        let text = self.press.as_ref().is_some_and(|p| p.grip == Grip::Text);
        if let Some(at) = self.pointer.filter(|_| text) {
            self.drag_on(cx, at);
        }
    }

    /// The pointer's shape now.
    pub(crate) fn cursor(&self) -> Cursor {
        match self.press.as_ref().map(|p| &p.grip) {
            Some(Grip::Text) => Cursor::Text,
            Some(Grip::Resize { vertical: true }) => Cursor::RowResize,
            Some(Grip::Resize { vertical: false }) => Cursor::ColResize,
            Some(Grip::Sheet(_)) => Cursor::Grabbing,
            _ => self.hover.cursor,
        }
    }

    /// Is a button down on this surface? Until it is up, every pointer event belongs here.
    pub(crate) fn holds_pointer(&self) -> bool {
        self.press.is_some()
    }

    pub(crate) fn set_pressed(&mut self, cx: &mut InputCx<'_>, id: Option<String>) {
        let ids: Vec<String> = id.into_iter().collect();
        if cx.surface.set_pressed(&ids) {
            cx.out.relayout = true;
        }
        cx.drain();
    }

    pub(crate) fn begin_press(&mut self, cx: &mut InputCx<'_>, slot: u32, press: Press) {
        let id = press.id.clone();
        self.press = Some(press);
        self.set_pressed(cx, Some(id));
        self.repaints.push(slot);
        cx.out.taken = true;
    }
}
