//! Paths: tiny-skia turns them into coverage, the canvas lays colour through it. The coverage never depends on the clip.

use tiny_skia::{FillRule, LineCap, LineJoin, Mask, PathBuilder, StrokeDash, Transform};

use super::canvas::{Canvas, Ink};
use crate::display::{Path, Segment, Stroke};
use crate::geometry::{Point, Rect};
use crate::grid::{Map, outer};

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
