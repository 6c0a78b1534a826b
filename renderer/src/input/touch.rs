//! A finger: a tap presses, a move scrolls and a flick glides on, resting asks for the context menu. What can be dragged is dragged.

use serde_json::json;

use super::cx::InputCx;
use super::event::{Button, Modifiers, PointerEvent, TouchEvent};
use super::grip::{Grip, Press};
use super::hit::{self, Found};
use super::intent::{Drag, Phase};
use super::sheet::Sheet;
use super::timers::Timer;
use super::{Input, role};
use crate::geometry::Point;

/// A finger that moves this far is no tap.
const SLOP: f32 = 8.0;
/// A finger that rests this long asks for the context menu.
const LONG_PRESS: f64 = 500.0;
/// The speed of a flick is taken over the last of its movement.
const RECENT: f64 = 80.0;

/// What the finger does.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Mode {
    /// It may still become a tap.
    Tap,
    Scroll(u32),
    /// It holds what a pointer would hold.
    Hold,
    /// Nothing more comes of it.
    Over,
}

#[derive(Clone, Debug)]
pub(crate) struct Touch {
    id: i32,
    mode: Mode,
    start: Point,
    at: Point,
    /// Where it was lately, for the speed of a flick.
    trail: Vec<(f64, Point)>,
}

impl Input {
    pub(crate) fn touch(&mut self, cx: &mut InputCx<'_>, event: TouchEvent) {
        match event {
            TouchEvent::Down { id, at } => self.touch_down(cx, id, at),
            TouchEvent::Move { id, at } => self.touch_move(cx, id, at),
            TouchEvent::Up { id } => self.touch_up(cx, id),
            TouchEvent::Cancel => self.touch_cancel(cx),
        }
        self.focus_asked(cx);
    }

    fn touch_down(&mut self, cx: &mut InputCx<'_>, id: i32, at: Point) {
        if self.touch.is_some() {
            cx.out.taken = true;
            return;
        }
        self.keyboard = false;
        let caught = self.stop_glide();
        let found = hit::test(cx.scene, at);
        let drags = drags(cx, &found);
        let mode = if caught {
            Mode::Over
        } else if drags {
            self.press_at(cx, at);
            Mode::Hold
        } else {
            let target = found.path.iter().find(|s| {
                cx.scene
                    .node(s.slot)
                    .is_some_and(|n| role::pressable(&n.placed))
            });
            let id = target.and_then(|s| cx.id(s.slot));
            self.set_pressed(cx, id);
            self.timers.set(Timer::LongPress, cx.now + LONG_PRESS);
            Mode::Tap
        };
        cx.out.taken = !found.path.is_empty() || found.layer.is_some();
        self.touch = Some(Touch {
            id,
            mode,
            start: at,
            at,
            trail: vec![(cx.now, at)],
        });
    }

    fn touch_move(&mut self, cx: &mut InputCx<'_>, id: i32, at: Point) {
        let Some(mut t) = self.touch.take_if(|t| t.id == id) else {
            return;
        };
        cx.out.taken = true;
        let by = t.at - at;
        t.at = at;
        t.trail.push((cx.now, at));
        t.trail.retain(|(when, _)| cx.now - when <= RECENT);
        let way = at - t.start;
        if t.mode == Mode::Tap && way.x.abs().max(way.y.abs()) > SLOP {
            self.set_pressed(cx, None);
            self.timers.cancel(&Timer::LongPress);
            t.mode = match scroller(cx, t.start, way) {
                Some(slot) => Mode::Scroll(slot),
                None => self.swipe(cx, &t, way),
            };
        }
        match t.mode {
            Mode::Scroll(slot) => {
                self.scroll_by(cx, slot, by);
            }
            Mode::Hold => {
                self.pointer = Some(at);
                self.drag_on(cx, at);
            }
            Mode::Tap | Mode::Over => {}
        }
        self.touch = Some(t);
    }

    fn touch_up(&mut self, cx: &mut InputCx<'_>, id: i32) {
        let Some(t) = self.touch.take_if(|t| t.id == id) else {
            return;
        };
        self.timers.cancel(&Timer::LongPress);
        self.set_pressed(cx, None);
        cx.out.taken = true;
        match t.mode {
            Mode::Tap => {
                self.press_at(cx, t.at);
                self.end_press(cx, t.at);
            }
            Mode::Scroll(slot) => {
                if let Some((when, from)) = t.trail.first().copied() {
                    let dt = (cx.now - when).max(1.0) as f32;
                    let d = from - t.at;
                    self.flick(cx, slot, Point::new(d.x / dt, d.y / dt));
                }
            }
            Mode::Hold => self.end_press(cx, t.at),
            Mode::Over => {}
        }
        self.pointer = None;
        self.unhover(cx);
    }

    fn touch_cancel(&mut self, cx: &mut InputCx<'_>) {
        if self.touch.take().is_some() {
            self.timers.cancel(&Timer::LongPress);
            self.set_pressed(cx, None);
            self.drop_press(cx);
            self.pointer = None;
            self.unhover(cx);
        }
    }

    /// Nothing scrolls the way the finger goes: a drawer under it may go with it.
    fn swipe(&mut self, cx: &mut InputCx<'_>, t: &Touch, way: Point) -> Mode {
        let under = hit::test(cx.scene, t.start).deepest();
        let sheet = under
            .and_then(|s| Sheet::around(cx, s))
            .filter(|s| s.goes(way));
        let Some(sheet) = sheet else {
            return Mode::Over;
        };
        self.press = Some(Press {
            grip: Grip::Sheet(sheet),
            ..Press::dead(t.start)
        });
        Mode::Hold
    }

    /// The finger has rested.
    pub(crate) fn long_press(&mut self, cx: &mut InputCx<'_>) {
        let Some(t) = self.touch.as_mut().filter(|t| t.mode == Mode::Tap) else {
            return;
        };
        t.mode = Mode::Over;
        let at = t.at;
        self.set_pressed(cx, None);
        let found = hit::test(cx.scene, at);
        let field = found.path.iter().map(|s| s.slot).find(|s| {
            cx.scene.node(*s).is_some_and(|n| {
                cx.res.registry.of(&n.placed).field(&n.placed).is_some()
                    && !role::disabled(&n.placed)
            })
        });
        if let Some(slot) = field {
            self.focus_on(cx, Some(slot), super::focus::By::Pointer);
            self.field_press(cx, at, 2, false);
            return;
        }
        let opened = found.deepest().is_some_and(|slot| {
            cx.fire(slot, "contextmenu", Some(json!({ "x": at.x, "y": at.y })))
        });
        if !opened && found.layer.is_none() {
            cx.out.context_menu = Some(at);
        }
    }

    fn press_at(&mut self, cx: &mut InputCx<'_>, at: Point) {
        self.pointer(
            cx,
            PointerEvent::Press {
                at,
                button: Button::Left,
                mods: Modifiers::NONE,
                clicks: 0,
            },
        );
    }
}

/// Is the first thing under the finger one that is dragged rather than tapped?
fn drags(cx: &InputCx<'_>, found: &Found) -> bool {
    for s in &found.path {
        let Some(node) = cx.scene.node(s.slot) else {
            continue;
        };
        let n = &node.placed;
        let drag = Drag {
            phase: Phase::Start,
            start: s.at,
            at: s.at,
        };
        if role::held(n) || role::is_part(n, "Resizable", "handle") || Sheet::is_handle(n) {
            return true;
        }
        if role::inert(n) {
            return false;
        }
        if cx
            .res
            .registry
            .of(n)
            .drag(n, &node.look, node.frame.size(), &drag)
            .is_some()
        {
            return true;
        }
        if role::pressable(n) {
            return false;
        }
    }
    false
}

/// The nearest container around `start` that can move the way the finger goes.
fn scroller(cx: &InputCx<'_>, start: Point, way: Point) -> Option<u32> {
    let upright = way.y.abs() >= way.x.abs();
    hit::test(cx.scene, start)
        .path
        .iter()
        .map(|s| s.slot)
        .find(|slot| {
            cx.scene
                .scroll_of(*slot)
                .zip(cx.scene.node(*slot))
                .is_some_and(|(s, n)| {
                    let (on, offset, most, by) = if upright {
                        (s.scroll_y, s.offset_y, s.content_height - n.frame.h, -way.y)
                    } else {
                        (s.scroll_x, s.offset_x, s.content_width - n.frame.w, -way.x)
                    };
                    on && if by < 0.0 {
                        offset > 0.5
                    } else {
                        offset < most - 0.5
                    }
                })
        })
}
