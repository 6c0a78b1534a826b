//! Borders: solid ones as the difference of two rounded boxes, uneven ones as paths, dashed and dotted ones as strokes along the
//! middle of each side.

use tiny_skia::{FillRule, PathBuilder};

use super::canvas::{Canvas, Ink};
use super::path;
use super::shape::Corners;
use crate::color::Color;
use crate::display::{BorderStyle, Path, Segment, Stroke};
use crate::geometry::{Point, Radii, Rect, Size};
use crate::grid::{IRect, Map, border_width};

pub(super) struct Border<'a> {
    pub rect: &'a Rect,
    pub radii: &'a Radii,
    /// Top, right, bottom, left.
    pub widths: &'a [f32; 4],
    pub color: Color,
    pub style: BorderStyle,
}

pub(super) fn paint(
    canvas: &mut Canvas<'_>,
    corners: &mut Corners,
    border: &Border<'_>,
    map: &Map,
) {
    let at = map.snap(border.rect);
    let [t, r, b, l] = border.widths.map(|w| border_width(w, map.scale));
    if at.is_empty() || border.color.is_invisible() || t + r + b + l == 0 {
        return;
    }
    let radii =
        Radii(border.radii.0.map(|r| r * map.scale)).fit(Size::new(at.w as f32, at.h as f32));
    let ink = Ink::Solid(canvas.px(border.color));
    let even = t == r && r == b && b == l;
    match border.style {
        BorderStyle::Solid if even => {
            let outer = corners.shape(at, &radii);
            let inner = corners.shape(at.grow(-t), &radii.shrink(t as f32));
            outer.fill_between(&inner, canvas, ink);
        }
        BorderStyle::Solid if radii.is_zero() => {
            let (t, b) = (t.min(at.h), b.min(at.h - t.min(at.h)));
            let middle = at.h - t - b;
            canvas.fill(IRect::new(at.x, at.y, at.w, t), ink);
            canvas.fill(IRect::new(at.x, at.bottom() - b, at.w, b), ink);
            canvas.fill(IRect::new(at.x, at.y + t, l.min(at.w), middle), ink);
            let r = r.min(at.w - l.min(at.w));
            canvas.fill(IRect::new(at.right() - r, at.y + t, r, middle), ink);
        }
        BorderStyle::Solid => {
            if let Some(ring) = ring(&at, &radii, [t, r, b, l]) {
                path::fill(canvas, &ring, FillRule::EvenOdd, ink);
            }
        }
        BorderStyle::Dashed | BorderStyle::Dotted => {
            let dotted = border.style == BorderStyle::Dotted;
            for (line, width) in middle_lines(&at, &radii, [t, r, b, l], even) {
                dashes(canvas, &line, width as f32, dotted, ink);
            }
        }
    }
}

/// The outer rounded box and the inner one, whose corners are ellipses where the sides differ.
fn ring(at: &IRect, radii: &Radii, [t, r, b, l]: [i32; 4]) -> Option<tiny_skia::Path> {
    let mut p = PathBuilder::new();
    let outer = radii.0.map(|r| (r, r));
    push_box(
        &mut p,
        [at.x, at.y, at.right(), at.bottom()].map(|v| v as f32),
        outer,
    );
    let inside = [at.x + l, at.y + t, at.right() - r, at.bottom() - b].map(|v| v as f32);
    if inside[0] < inside[2] && inside[1] < inside[3] {
        let [tl, tr, br, bl] = radii.0;
        let less = |r: f32, w: i32| (r - w as f32).max(0.0);
        let inner = [
            (less(tl, l), less(tl, t)),
            (less(tr, r), less(tr, t)),
            (less(br, r), less(br, b)),
            (less(bl, l), less(bl, b)),
        ];
        push_box(&mut p, inside, inner);
    }
    p.finish()
}

/// Left, top, right, bottom; the radii (across, down) of each corner from the top left on.
fn push_box(p: &mut PathBuilder, [x0, y0, x1, y1]: [f32; 4], radii: [(f32, f32); 4]) {
    // Of a quarter circle's radius, how far its cubic's control points lie along the tangents.
    const K: f32 = 0.552_284_8;
    let [(ax, ay), (bx, by), (cx, cy), (dx, dy)] = radii;
    let o = 1.0 - K;
    p.move_to(x0 + ax, y0);
    p.line_to(x1 - bx, y0);
    p.cubic_to(x1 - bx * o, y0, x1, y0 + by * o, x1, y0 + by);
    p.line_to(x1, y1 - cy);
    p.cubic_to(x1, y1 - cy * o, x1 - cx * o, y1, x1 - cx, y1);
    p.line_to(x0 + dx, y1);
    p.cubic_to(x0 + dx * o, y1, x0, y1 - dy * o, x0, y1 - dy);
    p.line_to(x0, y0 + ay);
    p.cubic_to(x0, y0 + ay * o, x0 + ax * o, y0, x0 + ax, y0);
    p.close();
}

/// The lines dashes run along: all the way round an even border, else one for each side that has a width.
fn middle_lines(at: &IRect, radii: &Radii, widths: [i32; 4], even: bool) -> Vec<(Path, i32)> {
    let [t, r, b, l] = widths;
    let (x0, y0) = (at.x as f32 + l as f32 / 2.0, at.y as f32 + t as f32 / 2.0);
    let (x1, y1) = (
        at.right() as f32 - r as f32 / 2.0,
        at.bottom() as f32 - b as f32 / 2.0,
    );
    if even && !radii.is_zero() {
        return vec![(round_box([x0, y0, x1, y1], radii.shrink(t as f32 / 2.0)), t)];
    }
    let (left, top, right, bottom) = (
        at.x as f32,
        at.y as f32,
        at.right() as f32,
        at.bottom() as f32,
    );
    [
        ((left, y0), (right, y0), t),
        ((x1, top), (x1, bottom), r),
        ((right, y1), (left, y1), b),
        ((x0, bottom), (x0, top), l),
    ]
    .into_iter()
    .filter(|side| side.2 > 0)
    .map(|((ax, ay), (bx, by), w)| (Path::new().move_to(ax, ay).line_to(bx, by), w))
    .collect()
}

fn round_box([x0, y0, x1, y1]: [f32; 4], radii: Radii) -> Path {
    let [tl, tr, br, bl] = radii.fit(Size::new(x1 - x0, y1 - y0)).0;
    let quarter = std::f32::consts::FRAC_PI_2;
    let mut segments = Vec::new();
    for (cx, cy, r, start) in [
        (x0 + tl, y0 + tl, tl, -2.0 * quarter),
        (x1 - tr, y0 + tr, tr, -quarter),
        (x1 - br, y1 - br, br, 0.0),
        (x0 + bl, y1 - bl, bl, quarter),
    ] {
        let arc = Path::arc(Point::new(cx, cy), r, start, quarter);
        segments.extend(arc.segments.into_iter().map(|s| match s {
            Segment::Move(p) if start >= -quarter => Segment::Line(p),
            other => other,
        }));
    }
    segments.push(Segment::Close);
    Path { segments }
}

/// Dashes three widths long (two from 3 px on) or dots two widths apart, stretched so that they come out even.
fn dashes(canvas: &mut Canvas<'_>, line: &Path, width: f32, dotted: bool, ink: Ink<'_>) {
    let whole = Map {
        scale: 1.0,
        dx: 0.0,
        dy: 0.0,
    };
    let Some(built) = path::build(line, &whole) else {
        return;
    };
    let closed = matches!(line.segments.last(), Some(Segment::Close));
    let long = length(line);
    let dash = match dotted {
        true => width,
        false if width < 3.0 => width * 3.0,
        false => width * 2.0,
    };
    // An open side begins and ends with a dash.
    let periods = if closed {
        (long / (2.0 * dash)).round().max(1.0)
    } else {
        ((long + dash) / (2.0 * dash)).round().max(1.0)
    };
    let gap = if closed {
        long / periods - dash
    } else if periods > 1.0 {
        (long - periods * dash) / (periods - 1.0)
    } else {
        dash
    };
    let stroke = if dotted && width > 1.5 {
        Stroke {
            width,
            dash: Some([0.05, (dash + gap - 0.05).max(0.05)]),
            round: true,
        }
    } else {
        Stroke {
            width,
            dash: Some([dash, gap.max(0.05)]),
            round: false,
        }
    };
    if let Some(outline) = path::outline(&built, &stroke, 1.0) {
        path::fill(canvas, &outline, FillRule::Winding, ink);
    }
}

/// The length of a path of lines and the arcs [`Path::arc`] makes.
fn length(path: &Path) -> f32 {
    let (mut sum, mut at, mut first) = (0.0, Point::ZERO, Point::ZERO);
    let far = |a: Point, b: Point| (a.x - b.x).hypot(a.y - b.y);
    for s in &path.segments {
        match *s {
            Segment::Move(p) => {
                at = p;
                first = p;
            }
            Segment::Line(p) => {
                sum += far(at, p);
                at = p;
            }
            Segment::Quad(c, p) => {
                sum += (far(at, c) + far(c, p) + far(at, p)) / 2.0;
                at = p;
            }
            Segment::Cubic(c, d, p) => {
                // Between the chord and the hull; for quarter circles within a hundredth.
                sum += (far(at, c) + far(c, d) + far(d, p)) * 0.6 + far(at, p) * 0.4;
                at = p;
            }
            Segment::Close => {
                sum += far(at, first);
                at = first;
            }
        }
    }
    sum
}
