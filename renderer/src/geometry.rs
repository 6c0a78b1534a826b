//! Points, sizes, rectangles and corner radii in logical pixels. Pure arithmetic: nothing here knows a surface or a backend.

/// A position, or a displacement between two of them.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Point {
    pub x: f32,
    pub y: f32,
}

impl Point {
    pub const ZERO: Point = Point { x: 0.0, y: 0.0 };

    pub const fn new(x: f32, y: f32) -> Point {
        Point { x, y }
    }
}

impl std::ops::Add for Point {
    type Output = Point;
    fn add(self, o: Point) -> Point {
        Point::new(self.x + o.x, self.y + o.y)
    }
}

impl std::ops::Sub for Point {
    type Output = Point;
    fn sub(self, o: Point) -> Point {
        Point::new(self.x - o.x, self.y - o.y)
    }
}

#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Size {
    pub w: f32,
    pub h: f32,
}

impl Size {
    pub const fn new(w: f32, h: f32) -> Size {
        Size { w, h }
    }
}

#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Rect {
    pub x: f32,
    pub y: f32,
    pub w: f32,
    pub h: f32,
}

impl Rect {
    pub const ZERO: Rect = Rect {
        x: 0.0,
        y: 0.0,
        w: 0.0,
        h: 0.0,
    };
    /// A clip that clips nothing; small enough that arithmetic on it stays exact.
    pub const EVERYTHING: Rect = Rect {
        x: -1.0e6,
        y: -1.0e6,
        w: 2.0e6,
        h: 2.0e6,
    };

    pub const fn new(x: f32, y: f32, w: f32, h: f32) -> Rect {
        Rect { x, y, w, h }
    }

    pub const fn of_size(size: Size) -> Rect {
        Rect {
            x: 0.0,
            y: 0.0,
            w: size.w,
            h: size.h,
        }
    }

    pub fn right(&self) -> f32 {
        self.x + self.w
    }

    pub fn bottom(&self) -> f32 {
        self.y + self.h
    }

    pub fn center(&self) -> Point {
        Point::new(self.x + self.w / 2.0, self.y + self.h / 2.0)
    }

    pub fn origin(&self) -> Point {
        Point::new(self.x, self.y)
    }

    pub fn size(&self) -> Size {
        Size::new(self.w, self.h)
    }

    /// True for anything that covers no pixel; a NaN side counts as empty.
    pub fn is_empty(&self) -> bool {
        !(self.w > 0.0 && self.h > 0.0)
    }

    pub fn contains(&self, p: Point) -> bool {
        p.x >= self.x && p.x < self.right() && p.y >= self.y && p.y < self.bottom()
    }

    pub fn translate(&self, by: Point) -> Rect {
        Rect {
            x: self.x + by.x,
            y: self.y + by.y,
            ..*self
        }
    }

    /// Shrunk by `d` on every side (grown when negative), never below zero.
    pub fn inset(&self, d: f32) -> Rect {
        self.inset_sides([d; 4])
    }

    /// Shrunk by `[top, right, bottom, left]`.
    pub fn inset_sides(&self, [t, r, b, l]: [f32; 4]) -> Rect {
        Rect {
            x: self.x + l,
            y: self.y + t,
            w: (self.w - l - r).max(0.0),
            h: (self.h - t - b).max(0.0),
        }
    }

    /// The common part; empty (zero-sized) when there is none.
    pub fn intersect(&self, o: &Rect) -> Rect {
        let (x, y) = (self.x.max(o.x), self.y.max(o.y));
        let (r, b) = (self.right().min(o.right()), self.bottom().min(o.bottom()));
        Rect {
            x,
            y,
            w: (r - x).max(0.0),
            h: (b - y).max(0.0),
        }
    }

    /// The smallest rectangle around both; an empty one adds nothing.
    pub fn union(&self, o: &Rect) -> Rect {
        if self.is_empty() {
            return *o;
        }
        if o.is_empty() {
            return *self;
        }
        let (x, y) = (self.x.min(o.x), self.y.min(o.y));
        Rect {
            x,
            y,
            w: self.right().max(o.right()) - x,
            h: self.bottom().max(o.bottom()) - y,
        }
    }

    /// A `size` box in the middle of this one.
    pub fn centered(&self, size: Size) -> Rect {
        Rect {
            x: self.x + (self.w - size.w) / 2.0,
            y: self.y + (self.h - size.h) / 2.0,
            w: size.w,
            h: size.h,
        }
    }
}

/// Corner radii `[top left, top right, bottom right, bottom left]`.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Radii(pub [f32; 4]);

impl Radii {
    pub const NONE: Radii = Radii([0.0; 4]);

    pub const fn all(r: f32) -> Radii {
        Radii([r; 4])
    }

    pub fn is_zero(&self) -> bool {
        self.0.iter().all(|r| *r <= 0.0)
    }

    /// Scaled down together, as CSS does, until neighbouring corners fit a `size` box.
    pub fn fit(&self, size: Size) -> Radii {
        let r = self.0.map(|r| if r.is_finite() { r.max(0.0) } else { 0.0 });
        let ratio = |side: f32, a: f32, b: f32| {
            if a + b > side && a + b > 0.0 {
                side.max(0.0) / (a + b)
            } else {
                1.0
            }
        };
        let f = ratio(size.w, r[0], r[1])
            .min(ratio(size.w, r[2], r[3]))
            .min(ratio(size.h, r[0], r[3]))
            .min(ratio(size.h, r[1], r[2]));
        Radii(r.map(|x| x * f))
    }

    /// The radii of a box `d` px inside this one (concentric corners).
    pub fn shrink(&self, d: f32) -> Radii {
        Radii(self.0.map(|r| if r > 0.0 { (r - d).max(0.0) } else { 0.0 }))
    }

    /// Does `part` of a rounded `rect` reach past one of its arcs, so that it would show outside without a rounded clip?
    pub fn cuts(&self, rect: &Rect, part: &Rect) -> bool {
        let part = part.intersect(rect);
        if part.is_empty() {
            return false;
        }
        let r = self.fit(rect.size()).0;
        let corners = [
            (r[0], rect.x, rect.y, 1.0, 1.0),
            (r[1], rect.right(), rect.y, -1.0, 1.0),
            (r[2], rect.right(), rect.bottom(), -1.0, -1.0),
            (r[3], rect.x, rect.bottom(), 1.0, -1.0),
        ];
        corners.iter().any(|&(r, cx, cy, sx, sy)| {
            if r <= 0.0 {
                return false;
            }
            // The point of `part` nearest to the corner, measured from the arc's centre.
            let (px, py) = (
                cx.clamp(part.x, part.right()),
                cy.clamp(part.y, part.bottom()),
            );
            let (dx, dy) = ((cx + sx * r - px) * sx, (cy + sy * r - py) * sy);
            dx > 0.0 && dy > 0.0 && dx * dx + dy * dy > r * r
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn radii_shrink_together_until_they_fit() {
        assert_eq!(
            Radii::all(9999.0).fit(Size::new(40.0, 20.0)),
            Radii::all(10.0)
        );
        assert_eq!(
            Radii([8.0, 8.0, 0.0, 0.0]).fit(Size::new(100.0, 100.0)),
            Radii([8.0, 8.0, 0.0, 0.0])
        );
    }

    #[test]
    fn only_what_reaches_past_an_arc_needs_a_rounded_clip() {
        let (rect, r) = (Rect::new(0.0, 0.0, 100.0, 100.0), Radii::all(16.0));
        assert!(r.cuts(&rect, &Rect::new(0.0, 0.0, 10.0, 10.0)));
        assert!(!r.cuts(&rect, &Rect::new(16.0, 16.0, 60.0, 60.0)));
        assert!(!r.cuts(&rect, &Rect::new(0.0, 40.0, 100.0, 20.0)));
        assert!(r.cuts(&rect, &Rect::new(90.0, 90.0, 50.0, 50.0)));
    }

    #[test]
    fn intersections_never_have_negative_sides() {
        let a = Rect::new(0.0, 0.0, 10.0, 10.0);
        assert!(a.intersect(&Rect::new(20.0, 20.0, 5.0, 5.0)).is_empty());
        assert_eq!(a.union(&Rect::ZERO), a);
    }
}
