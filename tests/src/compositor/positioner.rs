//! `xdg_positioner`: where a popup goes. The arithmetic is a pure function, [`Positioner::place`].

use std::sync::{Mutex, PoisonError};

use wayland_protocols::xdg::shell::server::xdg_positioner::{
    self, Anchor, ConstraintAdjustment, Gravity, XdgPositioner,
};
use wayland_server::{DataInit, Resource, WEnum};

use super::dispatch::Object;
use super::geometry::Rect;
use super::state::State;

/// -1 for the left or top side, 1 for the right or bottom one, 0 for the middle.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Side {
    pub x: i32,
    pub y: i32,
}

/// The rules by which a popup is placed. Lengths are logical pixels, relative to the parent's window geometry.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Positioner {
    pub size: (i32, i32),
    pub anchor_rect: Rect,
    pub anchor: Side,
    pub gravity: Side,
    pub offset: (i32, i32),
    pub flip: (bool, bool),
    pub slide: (bool, bool),
    pub resize: (bool, bool),
    pub reactive: bool,
    anchored: bool,
}

impl Positioner {
    /// Whether size and anchor rectangle were both given.
    pub fn complete(&self) -> bool {
        self.size.0 > 0 && self.size.1 > 0 && self.anchored
    }

    /// The popup's rectangle so that it stays inside `room`, as far as the adjustments it allows can bring it there.
    pub fn place(&self, room: Rect) -> Rect {
        let rect = self.anchor_rect;
        let across = Axis {
            from: rect.x,
            length: rect.width,
            anchor: self.anchor.x,
            gravity: self.gravity.x,
            offset: self.offset.0,
            size: self.size.0,
        };
        let down = Axis {
            from: rect.y,
            length: rect.height,
            anchor: self.anchor.y,
            gravity: self.gravity.y,
            offset: self.offset.1,
            size: self.size.1,
        };
        let (x, width) = across.place(
            (room.x, room.right()),
            self.flip.0,
            self.slide.0,
            self.resize.0,
        );
        let (y, height) = down.place(
            (room.y, room.bottom()),
            self.flip.1,
            self.slide.1,
            self.resize.1,
        );
        Rect::new(x, y, width, height)
    }
}

/// One direction of a placement.
#[derive(Clone, Copy)]
struct Axis {
    from: i32,
    length: i32,
    anchor: i32,
    gravity: i32,
    offset: i32,
    size: i32,
}

impl Axis {
    fn start(&self) -> i32 {
        let point = match self.anchor {
            -1 => self.from,
            1 => self.from + self.length,
            _ => self.from + self.length / 2,
        };
        let start = match self.gravity {
            -1 => point - self.size,
            1 => point,
            _ => point - self.size / 2,
        };
        start + self.offset
    }

    fn flipped(mut self) -> Self {
        self.anchor = -self.anchor;
        self.gravity = -self.gravity;
        self.offset = -self.offset;
        self
    }

    /// Flip, else slide, else shrink. Where it fits at once, nothing is done.
    fn place(self, (low, high): (i32, i32), flip: bool, slide: bool, resize: bool) -> (i32, i32) {
        let fits = |start: i32| start >= low && start + self.size <= high;
        let mut start = self.start();
        if fits(start) || high <= low {
            return (start, self.size);
        }
        let other = self.flipped().start();
        if flip && fits(other) {
            return (other, self.size);
        }
        if slide {
            // The side the popup grows away from stays in view when it is larger than the room.
            start = if self.gravity < 0 {
                start.max(low).min(high - self.size)
            } else {
                start.min(high - self.size).max(low)
            };
            if fits(start) {
                return (start, self.size);
            }
        }
        if resize {
            let (from, to) = (start.max(low), (start + self.size).min(high));
            if to > from {
                return (from, to - from);
            }
        }
        (start, self.size)
    }
}

#[derive(Default)]
pub(crate) struct PositionerData(Mutex<Positioner>);

impl PositionerData {
    pub fn of(positioner: &XdgPositioner) -> Positioner {
        positioner
            .data::<Self>()
            .map(|data| *data.0.lock().unwrap_or_else(PoisonError::into_inner))
            .unwrap_or_default()
    }
}

impl Object<XdgPositioner> for PositionerData {
    fn request(
        &self,
        resource: &XdgPositioner,
        request: xdg_positioner::Request,
        state: &mut State,
        _: &mut DataInit<'_, State>,
    ) {
        let mut positioner = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        let mut wrong = None;
        match request {
            xdg_positioner::Request::SetSize { width, height } => {
                positioner.size = (width, height);
                wrong = (width < 1 || height < 1).then(|| format!("a popup of {width}×{height}"));
            }
            xdg_positioner::Request::SetAnchorRect {
                x,
                y,
                width,
                height,
            } => {
                positioner.anchor_rect = Rect::new(x, y, width, height);
                positioner.anchored = true;
                wrong = (width < 0 || height < 0)
                    .then(|| format!("an anchor rectangle of {width}×{height}"));
            }
            xdg_positioner::Request::SetAnchor { anchor } => match anchor {
                WEnum::Value(anchor) => positioner.anchor = anchor_side(anchor),
                WEnum::Unknown(number) => wrong = Some(format!("anchor {number}")),
            },
            xdg_positioner::Request::SetGravity { gravity } => match gravity {
                WEnum::Value(gravity) => positioner.gravity = gravity_side(gravity),
                WEnum::Unknown(number) => wrong = Some(format!("gravity {number}")),
            },
            xdg_positioner::Request::SetConstraintAdjustment {
                constraint_adjustment,
            } => {
                let allowed = constraint_adjustment
                    .into_result()
                    .unwrap_or(ConstraintAdjustment::None);
                let has = |adjustment| allowed.contains(adjustment);
                positioner.flip = (
                    has(ConstraintAdjustment::FlipX),
                    has(ConstraintAdjustment::FlipY),
                );
                positioner.slide = (
                    has(ConstraintAdjustment::SlideX),
                    has(ConstraintAdjustment::SlideY),
                );
                positioner.resize = (
                    has(ConstraintAdjustment::ResizeX),
                    has(ConstraintAdjustment::ResizeY),
                );
            }
            xdg_positioner::Request::SetOffset { x, y } => positioner.offset = (x, y),
            xdg_positioner::Request::SetReactive => positioner.reactive = true,
            _ => {}
        }
        if let Some(what) = wrong {
            state.protocol_error(resource, xdg_positioner::Error::InvalidInput, what);
        }
    }
}

fn anchor_side(anchor: Anchor) -> Side {
    let (x, y) = match anchor {
        Anchor::Top => (0, -1),
        Anchor::Bottom => (0, 1),
        Anchor::Left => (-1, 0),
        Anchor::Right => (1, 0),
        Anchor::TopLeft => (-1, -1),
        Anchor::BottomLeft => (-1, 1),
        Anchor::TopRight => (1, -1),
        Anchor::BottomRight => (1, 1),
        _ => (0, 0),
    };
    Side { x, y }
}

fn gravity_side(gravity: Gravity) -> Side {
    let (x, y) = match gravity {
        Gravity::Top => (0, -1),
        Gravity::Bottom => (0, 1),
        Gravity::Left => (-1, 0),
        Gravity::Right => (1, 0),
        Gravity::TopLeft => (-1, -1),
        Gravity::BottomLeft => (-1, 1),
        Gravity::TopRight => (1, -1),
        Gravity::BottomRight => (1, 1),
        _ => (0, 0),
    };
    Side { x, y }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A menu of 100×200 below a button of 40×20.
    fn menu(x: i32, y: i32) -> Positioner {
        Positioner {
            size: (100, 200),
            anchor_rect: Rect::new(x, y, 40, 20),
            anchor: Side { x: -1, y: 1 },
            gravity: Side { x: 1, y: 1 },
            anchored: true,
            ..Positioner::default()
        }
    }

    const ROOM: Rect = Rect::new(0, 0, 800, 600);

    #[test]
    fn a_popup_that_fits_stays_where_its_anchor_and_gravity_put_it() {
        let mut below = menu(10, 10);
        below.flip = (true, true);
        below.slide = (true, true);
        assert_eq!(below.place(ROOM), Rect::new(10, 30, 100, 200));
        below.gravity = Side::default();
        assert_eq!(
            below.place(Rect::new(-500, -500, 2000, 2000)),
            Rect::new(-40, -70, 100, 200)
        );
    }

    #[test]
    fn at_the_lower_edge_it_flips_above() {
        let mut below = menu(10, 570);
        assert_eq!(below.place(ROOM).y, 590, "no adjustment allowed");
        below.flip.1 = true;
        assert_eq!(below.place(ROOM), Rect::new(10, 370, 100, 200));
    }

    #[test]
    fn where_flipping_does_not_help_it_slides_and_then_shrinks() {
        let mut right = menu(760, 100);
        right.flip.0 = true;
        assert_eq!(right.place(ROOM).x, 700, "flipped at the right edge");
        right.flip.0 = false;
        right.slide.0 = true;
        assert_eq!(right.place(ROOM), Rect::new(700, 120, 100, 200));
        let mut tall = menu(10, 100);
        tall.size.1 = 900;
        tall.resize.1 = true;
        assert_eq!(tall.place(ROOM), Rect::new(10, 120, 100, 480));
    }
}
