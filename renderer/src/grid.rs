//! The physical pixel grid: where logical boxes land on it, for every backend alike.

use crate::display::Transform;
use crate::geometry::{Point, Rect};

/// A rectangle of physical pixels.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct IRect {
    pub x: i32,
    pub y: i32,
    pub w: i32,
    pub h: i32,
}

impl IRect {
    pub const fn new(x: i32, y: i32, w: i32, h: i32) -> IRect {
        IRect { x, y, w, h }
    }

    pub fn right(&self) -> i32 {
        self.x + self.w
    }

    pub fn bottom(&self) -> i32 {
        self.y + self.h
    }

    pub fn is_empty(&self) -> bool {
        self.w <= 0 || self.h <= 0
    }

    /// The common part; `0×0` when there is none.
    pub fn intersect(&self, o: &IRect) -> IRect {
        let (x, y) = (self.x.max(o.x), self.y.max(o.y));
        let w = self.right().min(o.right()) - x;
        let h = self.bottom().min(o.bottom()) - y;
        if w <= 0 || h <= 0 {
            IRect::default()
        } else {
            IRect { x, y, w, h }
        }
    }

    /// Grown by `d` on every side.
    pub fn grow(&self, d: i32) -> IRect {
        IRect::new(self.x - d, self.y - d, self.w + 2 * d, self.h + 2 * d)
    }
}

/// From an item's logical coordinates to physical pixels.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Map {
    pub scale: f32,
    /// Physical px.
    pub dx: f32,
    pub dy: f32,
}

impl Map {
    pub fn point(&self, p: Point) -> Point {
        Point::new(p.x * self.scale + self.dx, p.y * self.scale + self.dy)
    }

    /// The same map moved by logical `by`.
    pub fn moved(&self, by: Point) -> Map {
        Map {
            dx: self.dx + by.x * self.scale,
            dy: self.dy + by.y * self.scale,
            ..*self
        }
    }

    pub fn rect(&self, r: &Rect) -> Rect {
        let p = self.point(r.origin());
        Rect::new(p.x, p.y, r.w * self.scale, r.h * self.scale)
    }

    /// The box on the pixel grid: every edge on its nearest pixel edge, thin boxes equally thin wherever they stand.
    pub fn snap(&self, r: &Rect) -> IRect {
        if r.is_empty() {
            return IRect::default();
        }
        let d = self.rect(r);
        let (x, w) = snap_side(d.x, d.w);
        let (y, h) = snap_side(d.y, d.h);
        IRect { x, y, w, h }
    }

    /// Every pixel the box touches.
    pub fn cover(&self, r: &Rect) -> IRect {
        if r.is_empty() {
            return IRect::default();
        }
        outer(&self.rect(r))
    }
}

/// Every pixel a physical box touches.
pub(crate) fn outer(d: &Rect) -> IRect {
    let (x, y) = (whole(d.x.floor()), whole(d.y.floor()));
    IRect {
        x,
        y,
        w: whole(d.right().ceil()) - x,
        h: whole(d.bottom().ceil()) - y,
    }
}

/// Far outside any screen but far from overflow.
fn whole(v: f32) -> i32 {
    v.clamp(-1.0e8, 1.0e8) as i32
}

fn snap_side(at: f32, long: f32) -> (i32, i32) {
    // Up to this many px a side keeps its length (a hairline stays one); longer ones keep their edges.
    const THIN: f32 = 4.0;
    let from = whole((at + 0.001).round());
    if long < THIN {
        (from, whole((long - 0.001).round()).max(1))
    } else {
        (from, (whole((at + long + 0.001).round()) - from).max(1))
    }
}

/// Physical width of a border of `w` logical px: whole pixels, at least one.
pub(crate) fn border_width(w: f32, scale: f32) -> i32 {
    if w.is_nan() || w <= 0.0 {
        return 0;
    }
    whole((w * scale + 0.01).floor()).max(1)
}

/// Content scaled by less than this share is sampled from its natural size, so that an animation's text does not jump from pixel to
/// pixel; beyond it is painted at its real size, sharp.
const SAMPLED: f32 = 0.12;
/// How transformed content is painted.
pub(crate) enum Placement {
    /// Shrunk to nothing, or by numbers that are none.
    Nowhere,
    /// Only moved, or clearly another size: straight in this map, sharp.
    At(Map),
    /// Turned or nearly its own size: painted aside and sampled.
    Turned(Turn),
}

impl Placement {
    pub fn of(t: &Transform, map: &Map) -> Placement {
        let sane = [
            t.scale, t.degrees, t.about.x, t.about.y, t.offset.x, t.offset.y,
        ]
        .iter()
        .all(|v| v.is_finite());
        if !sane || t.scale <= 0.0 {
            return Placement::Nowhere;
        }
        let turned = t.degrees.rem_euclid(360.0) != 0.0;
        if turned || (t.scale != 1.0 && (t.scale - 1.0).abs() <= SAMPLED) {
            return Placement::Turned(Turn::new(t, map));
        }
        let origin = map.point(Point::new(
            t.about.x + t.offset.x - t.about.x * t.scale,
            t.about.y + t.offset.y - t.about.y * t.scale,
        ));
        Placement::At(Map {
            scale: map.scale * t.scale,
            dx: origin.x,
            dy: origin.y,
        })
    }
}

/// From a physical pixel back to the place in the content painted aside.
pub(crate) struct Turn {
    /// Physical px per logical one, of the content painted aside.
    pub scale: f32,
    about: Point,
    moved: Point,
    sin: f32,
    cos: f32,
    grow: f32,
    map: Map,
}

impl Turn {
    pub fn new(t: &Transform, map: &Map) -> Turn {
        let (sin, cos) = t.degrees.to_radians().sin_cos();
        // Clearly enlarged or shrunk content is painted at its real size before it is turned.
        let natural = (t.scale - 1.0).abs() <= SAMPLED;
        Turn {
            scale: if natural {
                map.scale
            } else {
                map.scale * t.scale
            },
            about: t.about,
            moved: t.about + t.offset,
            sin,
            cos,
            grow: t.scale,
            map: *map,
        }
    }

    pub fn back(&self, x: f32, y: f32) -> Point {
        let x = (x - self.map.dx) / self.map.scale - self.moved.x;
        let y = (y - self.map.dy) / self.map.scale - self.moved.y;
        let (u, v) = (
            (x * self.cos + y * self.sin) / self.grow,
            (y * self.cos - x * self.sin) / self.grow,
        );
        Point::new(
            (self.about.x + u) * self.scale,
            (self.about.y + v) * self.scale,
        )
    }

    pub fn back_bounds(&self, r: &IRect) -> Rect {
        let corners = [
            (r.x, r.y),
            (r.right(), r.y),
            (r.x, r.bottom()),
            (r.right(), r.bottom()),
        ]
        .map(|(x, y)| self.back(x as f32, y as f32));
        let (l, t) = corners
            .iter()
            .fold((f32::MAX, f32::MAX), |(l, t), p| (l.min(p.x), t.min(p.y)));
        let (rt, b) = corners
            .iter()
            .fold((f32::MIN, f32::MIN), |(r, b), p| (r.max(p.x), b.max(p.y)));
        Rect::new(l, t, rt - l, b - t)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn hairlines_are_one_whole_pixel_wherever_they_stand() {
        for scale in [1.0, 1.5, 2.0] {
            let map = Map {
                scale,
                dx: 0.0,
                dy: 0.0,
            };
            for i in 0..40 {
                let at = i as f32 * 0.37;
                let line = map.snap(&Rect::new(at, at, 100.0, 1.0));
                assert_eq!(line.h, if scale == 2.0 { 2 } else { 1 }, "{scale} {at}");
            }
        }
        assert_eq!(border_width(1.0, 1.5), 1);
        assert_eq!(border_width(1.0, 2.0), 2);
        assert_eq!(border_width(0.5, 1.0), 1);
        assert_eq!(border_width(0.0, 2.0), 0);
    }

    #[test]
    fn neighbours_share_their_edge() {
        let map = Map {
            scale: 1.5,
            dx: 0.3,
            dy: 0.0,
        };
        for i in 0..50 {
            let x = i as f32 * 7.1;
            let (a, b) = (
                map.snap(&Rect::new(x, 0.0, 7.1, 9.0)),
                map.snap(&Rect::new(x + 7.1, 0.0, 7.1, 9.0)),
            );
            assert_eq!(a.right(), b.x);
        }
    }

    #[test]
    fn lengths_that_are_no_numbers_stay_in_range() {
        let map = Map {
            scale: 2.0,
            dx: 0.0,
            dy: 0.0,
        };
        let r = map.cover(&Rect::new(-1.0e30, 0.0, f32::MAX, 10.0));
        assert!(r.x >= -100_000_000 && r.w <= 200_000_000);
        assert!(
            map.snap(&Rect::new(0.0, f32::NAN, 10.0, f32::NAN))
                .is_empty()
        );
    }
}
