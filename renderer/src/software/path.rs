//! Paths: tiny-skia turns them into coverage, the canvas lays colour through it. The coverage never depends on the clip.

use tiny_skia::{FillRule, LineCap, LineJoin, Mask, PathBuilder, StrokeDash, Transform};

use super::canvas::{Canvas, IRect, Ink};
use crate::display::{Path, Segment, Stroke};
use crate::geometry::{Point, Rect};

/// From an item's logical coordinates to physical pixels.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Map {
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
pub(super) fn outer(d: &Rect) -> IRect {
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
pub(super) fn border_width(w: f32, scale: f32) -> i32 {
    if w.is_nan() || w <= 0.0 {
        return 0;
    }
    whole((w * scale + 0.01).floor()).max(1)
}

/// A path in physical px.
pub(super) fn build(path: &Path, map: &Map) -> Option<tiny_skia::Path> {
    let mut b = PathBuilder::new();
    // tiny-skia takes lines that begin nowhere from the origin: skip what comes before the first move.
    let mut open = false;
    for s in &path.segments {
        let p = |p: &Point| map.point(*p);
        match s {
            Segment::Move(a) => {
                let a = p(a);
                b.move_to(a.x, a.y);
                open = true;
            }
            _ if !open => {}
            Segment::Line(a) => {
                let a = p(a);
                b.line_to(a.x, a.y);
            }
            Segment::Quad(c, a) => {
                let (c, a) = (p(c), p(a));
                b.quad_to(c.x, c.y, a.x, a.y);
            }
            Segment::Cubic(c, d, a) => {
                let (c, d, a) = (p(c), p(d), p(a));
                b.cubic_to(c.x, c.y, d.x, d.y, a.x, a.y);
            }
            Segment::Close => b.close(),
        }
    }
    b.finish()
}

/// The outline of a line along `path`.
pub(super) fn outline(
    path: &tiny_skia::Path,
    stroke: &Stroke,
    scale: f32,
) -> Option<tiny_skia::Path> {
    let width = stroke.width * scale;
    if !(width > 0.0 && width.is_finite()) {
        return None;
    }
    let (cap, join) = if stroke.round {
        (LineCap::Round, LineJoin::Round)
    } else {
        (LineCap::Butt, LineJoin::Miter)
    };
    let spec = tiny_skia::Stroke {
        width,
        line_cap: cap,
        line_join: join,
        ..tiny_skia::Stroke::default()
    };
    let dashed = stroke
        .dash
        .map(|d| d.map(|v| (v * scale).max(0.05)))
        .and_then(|d| StrokeDash::new(d.to_vec(), 0.0))
        // A line with more dashes than pixels is no longer dashed.
        .filter(|_| path.bounds().width() + path.bounds().height() < 20_000.0)
        .and_then(|d| path.dash(&d, 1.0));
    dashed.as_ref().unwrap_or(path).stroke(&spec, 1.0)
}

/// Pixels of a path's mask; of a larger one only the part on the canvas is made.
const MOST_MASK: i64 = 8 << 20;

/// Fill a path given in physical px.
pub(super) fn fill(canvas: &mut Canvas<'_>, path: &tiny_skia::Path, rule: FillRule, ink: Ink<'_>) {
    let b = path.bounds();
    // The mask lies where the path lies, whatever part of it is painted now: elsewhere its edges would round differently.
    let mut area = outer(&Rect::new(b.x(), b.y(), b.width(), b.height())).grow(1);
    if i64::from(area.w) * i64::from(area.h) > MOST_MASK {
        area = area.intersect(&canvas.area());
    }
    if area.is_empty() || area.intersect(&canvas.clip()).is_empty() {
        return;
    }
    let Some(mut mask) = Mask::new(area.w as u32, area.h as u32) else {
        return;
    };
    let to_mask = Transform::from_translate(-area.x as f32, -area.y as f32);
    mask.fill_path(path, rule, true, to_mask);
    let clip = canvas.clip();
    let rows = mask.data().chunks_exact(area.w as usize);
    for (y, row) in (area.y..).zip(rows) {
        if y >= clip.y && y < clip.bottom() {
            canvas.mask_row(y, area.x, row, ink);
        }
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
