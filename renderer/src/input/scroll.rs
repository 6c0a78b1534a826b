//! Scrolling: wheel, fingers, keys, scrollbar thumbs. Offsets move in the scene at once; a windowed list is told to the engine only
//! when rows it has not built would show, because each telling builds its window again.

use super::Input;
use super::cx::InputCx;
use super::order;
use super::timers::Timer;
use crate::geometry::{Point, Rect};
use crate::scene::{Scene, thumb};

/// Scrollbars stay this long after the last movement, then fade.
const BARS_STAY: f64 = 900.0;
const BARS_FADE: f64 = 200.0;
/// The strip along an edge in which a scrollbar is grabbed.
const GRAB: f32 = 12.0;
/// One arrow key.
pub(crate) const LINE: f32 = 40.0;
/// A flick loses this part of its speed each millisecond.
const FRICTION: f64 = 0.003;
/// A flick slower than this (px a millisecond) stops.
const SLOWEST: f32 = 0.02;

/// A flicked container on its way to rest.
#[derive(Clone, Debug)]
struct Glide {
    id: String,
    /// Px a millisecond.
    speed: Point,
    at: f64,
}

/// A thumb that is held.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct ThumbDrag {
    id: String,
    vertical: bool,
    /// The pointer and the offset when it was grabbed.
    from: f32,
    offset: f32,
}

#[derive(Debug, Default)]
pub(crate) struct Scrolling {
    glide: Option<Glide>,
    pub thumb: Option<ThumbDrag>,
    /// Containers whose bars show, and since when nothing moved there.
    bars: Vec<(String, f64)>,
    /// Containers moved in the scene that the engine was not told of.
    untold: Vec<String>,
}

impl Scrolling {
    pub fn glides(&self) -> bool {
        self.glide.is_some()
    }

    /// How visible the bars of a container are, 0 to 1.
    pub fn bar_opacity(&self, id: &str, now: f64) -> f32 {
        if self.thumb.as_ref().is_some_and(|t| t.id == id) {
            return 1.0;
        }
        let Some((_, since)) = self.bars.iter().find(|(b, _)| b == id) else {
            return 0.0;
        };
        let past = now - since - BARS_STAY;
        (1.0 - past / BARS_FADE).clamp(0.0, 1.0) as f32
    }

    /// Are bars fading right now?
    pub fn fades(&self, now: f64) -> bool {
        self.thumb.is_none()
            && self
                .bars
                .iter()
                .any(|(_, since)| now - since >= BARS_STAY - 1.0)
    }
}

impl Input {
    /// Move a container by this many px. What it could not take is left over.
    pub(crate) fn scroll_by(&mut self, cx: &mut InputCx<'_>, slot: u32, by: Point) -> Point {
        let Some((s, frame)) = cx
            .scene
            .scroll_of(slot)
            .copied()
            .zip(cx.scene.node(slot).map(|n| n.frame))
        else {
            return by;
        };
        let along = |on: bool, offset: f32, by: f32, content: f32, shown: f32| {
            if on {
                (offset + by).clamp(0.0, (content - shown).max(0.0))
            } else {
                offset
            }
        };
        let x = along(s.scroll_x, s.offset_x, by.x, s.content_width, frame.w);
        let y = along(s.scroll_y, s.offset_y, by.y, s.content_height, frame.h);
        let moved = Point::new(x - s.offset_x, y - s.offset_y);
        if moved != Point::ZERO {
            self.scroll_to(cx, slot, Point::new(x, y));
        }
        by - moved
    }

    /// Put a container's content at `offset`, which must be in range.
    fn scroll_to(&mut self, cx: &mut InputCx<'_>, slot: u32, offset: Point) {
        let Some(id) = cx.id(slot) else { return };
        cx.scene.set_scroll(slot, offset);
        cx.out.repaint = true;
        if cx.scene.shows_only_built(slot) {
            if !self.scrolling.untold.contains(&id) {
                self.scrolling.untold.push(id.clone());
            }
            if !cx.scene.has_window(slot) {
                // A plain container costs the engine nothing to know.
                self.tell_scrolls(cx);
            }
        } else {
            self.scrolling.untold.retain(|u| *u != id);
            cx.surface.scroll_to(&id, offset.x, offset.y);
            cx.drain();
            cx.out.relayout = true;
        }
        self.show_bars(cx, &id);
    }

    /// Before a layout or an event that reads offsets: the engine hears of every movement.
    pub(crate) fn tell_scrolls(&mut self, cx: &mut InputCx<'_>) {
        for id in std::mem::take(&mut self.scrolling.untold) {
            if let Some(slot) = cx.slot(&id)
                && let Some(s) = cx.scene.scroll_of(slot).copied()
            {
                cx.surface.scroll_to(&id, s.offset_x, s.offset_y);
            }
        }
        cx.drain();
    }

    fn show_bars(&mut self, cx: &InputCx<'_>, id: &str) {
        self.scrolling.bars.retain(|(b, _)| b != id);
        self.scrolling.bars.push((id.to_string(), cx.now));
        self.timers.set(Timer::Scrollbars, cx.now + BARS_STAY);
    }

    /// The pointer moved over these containers: their bars show.
    pub(crate) fn hint_bars(&mut self, cx: &mut InputCx<'_>) {
        for slot in self.hover.scrollers.clone() {
            let moves = cx.scene.node(slot).is_some_and(|n| {
                cx.scene.scroll_of(slot).is_some_and(|s| {
                    (s.scroll_y && s.content_height > n.frame.h + 0.5)
                        || (s.scroll_x && s.content_width > n.frame.w + 0.5)
                })
            });
            if let Some(id) = cx.id(slot).filter(|_| moves) {
                let fresh = self.scrolling.bar_opacity(&id, cx.now) < 1.0;
                self.show_bars(cx, &id);
                cx.out.repaint |= fresh;
            }
        }
    }

    /// Forget bars that have faded; wake again while some are left.
    pub(crate) fn age_bars(&mut self, now: f64) -> bool {
        let before = self.scrolling.bars.len();
        self.scrolling
            .bars
            .retain(|(_, since)| now - since < BARS_STAY + BARS_FADE);
        before != self.scrolling.bars.len()
    }

    /// When bars that still show begin to fade.
    pub(crate) fn bars_wake(&self) -> Option<f64> {
        self.scrolling
            .bars
            .iter()
            .map(|(_, since)| since + BARS_STAY)
            .reduce(f64::min)
    }

    /// The wheel turned over these containers, the innermost first: the nearest that can still move that way takes it.
    pub(crate) fn wheel(&mut self, cx: &mut InputCx<'_>, over: &[u32], dx: f32, dy: f32) {
        self.scrolling.glide = None;
        for slot in over {
            let Some(s) = cx.scene.scroll_of(*slot).copied() else {
                continue;
            };
            // A strip that only scrolls sideways takes the ordinary wheel too.
            let by = if s.scroll_x && !s.scroll_y && dx == 0.0 {
                Point::new(dy, 0.0)
            } else {
                Point::new(dx, dy)
            };
            if self.scroll_by(cx, *slot, by) != by {
                cx.out.taken = true;
                return;
            }
        }
    }

    /// Scroll everything around the node until it shows.
    pub(crate) fn reveal(&mut self, cx: &mut InputCx<'_>, slot: u32) {
        let around: Vec<u32> = order::ancestors(cx.scene, slot)
            .skip(1)
            .filter(|s| cx.scene.scroll_of(*s).is_some())
            .collect();
        for scroller in around {
            let (Some(target), Some(view)) = (cx.shown(slot), cx.shown(scroller)) else {
                return;
            };
            let along = |lo: f32, hi: f32, from: f32, to: f32| {
                if lo < from || hi - lo > to - from {
                    lo - from
                } else if hi > to {
                    hi - to
                } else {
                    0.0
                }
            };
            let by = Point::new(
                along(target.x, target.right(), view.x, view.right()),
                along(target.y, target.bottom(), view.y, view.bottom()),
            );
            let s = cx.scene.scroll_of(scroller).copied();
            let by = s.map_or(by, |s| {
                Point::new(
                    if s.scroll_x { by.x } else { 0.0 },
                    if s.scroll_y { by.y } else { 0.0 },
                )
            });
            if by != Point::ZERO {
                self.scroll_by(cx, scroller, by);
            }
        }
    }

    /// A finger let go at this speed (px a millisecond).
    pub(crate) fn flick(&mut self, cx: &mut InputCx<'_>, slot: u32, speed: Point) {
        if cx.reduced_motion() || speed.x.abs().max(speed.y.abs()) < 0.1 {
            return;
        }
        if let Some(id) = cx.id(slot) {
            self.scrolling.glide = Some(Glide {
                id,
                speed,
                at: cx.now,
            });
            cx.out.repaint = true;
        }
    }

    pub(crate) fn stop_glide(&mut self) -> bool {
        self.scrolling.glide.take().is_some()
    }

    /// One frame of a flick.
    pub(crate) fn glide(&mut self, cx: &mut InputCx<'_>) {
        let Some(mut g) = self.scrolling.glide.take() else {
            return;
        };
        let Some(slot) = cx.slot(&g.id) else { return };
        let dt = (cx.now - g.at).clamp(0.0, 64.0);
        let left = (-FRICTION * dt).exp() as f32;
        // The way under an exponentially falling speed.
        let way = (1.0 - left) / FRICTION as f32;
        let by = Point::new(g.speed.x * way, g.speed.y * way);
        let over = self.scroll_by(cx, slot, by);
        // What is left over was stopped by the edge.
        g.speed = Point::new(
            if over.x.abs() > 0.1 {
                0.0
            } else {
                g.speed.x * left
            },
            if over.y.abs() > 0.1 {
                0.0
            } else {
                g.speed.y * left
            },
        );
        g.at = cx.now;
        if g.speed.x.abs().max(g.speed.y.abs()) > SLOWEST {
            self.scrolling.glide = Some(g);
        }
    }

    /// A press at `at`: on a thumb that shows, or in the track beside it.
    pub(crate) fn grab_thumb(&mut self, cx: &mut InputCx<'_>, at: Point) -> bool {
        for slot in self.hover.scrollers.clone() {
            let Some(id) = cx.id(slot) else { continue };
            if self.scrolling.bar_opacity(&id, cx.now) <= 0.0 {
                continue;
            }
            let (Some(local), Some(s)) = (cx.local(slot, at), cx.scene.scroll_of(slot).copied())
            else {
                continue;
            };
            let frame = cx
                .scene
                .node(slot)
                .map_or(Rect::ZERO, |n| Rect::of_size(n.frame.size()));
            for vertical in [true, false] {
                let Some(t) = thumb(frame, &s, vertical, cx.scene.rtl()) else {
                    continue;
                };
                let (pos, lo, hi, across, near, offset) = if vertical {
                    (local.y, t.y, t.bottom(), local.x, t.center().x, s.offset_y)
                } else {
                    (local.x, t.x, t.right(), local.y, t.center().y, s.offset_x)
                };
                if (across - near).abs() > GRAB / 2.0 + 1.0 {
                    continue;
                }
                if pos < lo || pos > hi {
                    let page = if vertical { frame.h } else { frame.w }
                        * if pos < lo { -0.9 } else { 0.9 };
                    let by = if vertical {
                        Point::new(0.0, page)
                    } else {
                        Point::new(page, 0.0)
                    };
                    self.scroll_by(cx, slot, by);
                    return true;
                }
                self.scrolling.thumb = Some(ThumbDrag {
                    id,
                    vertical,
                    from: pos,
                    offset,
                });
                cx.out.repaint = true;
                return true;
            }
        }
        false
    }

    /// The pointer moves with a thumb held.
    pub(crate) fn drag_thumb(&mut self, cx: &mut InputCx<'_>, at: Point) {
        let Some(t) = self.scrolling.thumb.clone() else {
            return;
        };
        let Some(slot) = cx.slot(&t.id) else {
            self.scrolling.thumb = None;
            return;
        };
        let (Some(local), Some(s)) = (cx.local(slot, at), cx.scene.scroll_of(slot).copied()) else {
            return;
        };
        let frame = cx
            .scene
            .node(slot)
            .map_or(Rect::ZERO, |n| Rect::of_size(n.frame.size()));
        let Some(bar) = thumb(frame, &s, t.vertical, cx.scene.rtl()) else {
            return;
        };
        let (pos, shown, all, length, now) = if t.vertical {
            (local.y, frame.h, s.content_height, bar.h, s.offset_y)
        } else {
            (local.x, frame.w, s.content_width, bar.w, s.offset_x)
        };
        let travel = (shown - length).max(1.0);
        let to = t.offset + (pos - t.from) * (all - shown) / travel;
        let by = to - now;
        let by = if t.vertical {
            Point::new(0.0, by)
        } else {
            Point::new(by, 0.0)
        };
        self.scroll_by(cx, slot, by);
    }

    /// Let the thumb go.
    pub(crate) fn drop_thumb(&mut self, cx: &mut InputCx<'_>) -> bool {
        let held = self.scrolling.thumb.take();
        if let Some(t) = &held {
            self.show_bars(cx, &t.id);
        }
        held.is_some()
    }

    /// The container keys scroll: around the focus, under the pointer, else the first one shown.
    pub(crate) fn key_scroller(&self, scene: &Scene) -> Option<u32> {
        let moves = |s: &u32| {
            scene
                .scroll_of(*s)
                .zip(scene.node(*s))
                .is_some_and(|(o, n)| {
                    o.content_height > n.frame.h + 0.5 || o.content_width > n.frame.w + 0.5
                })
        };
        let around = self
            .focus
            .slot
            .and_then(|slot| order::ancestors(scene, slot).find(|s| moves(s)));
        around
            .or_else(|| self.hover.scrollers.iter().copied().find(|s| moves(s)))
            .or_else(|| {
                let root = scene
                    .layers()
                    .iter()
                    .rfind(|l| l.modal)
                    .map(|l| l.root)
                    .or(scene.root())?;
                let mut first = None;
                order::each(scene, root, &mut |s| {
                    if first.is_none() && moves(&s) {
                        first = Some(s);
                    }
                });
                first
            })
    }
}
