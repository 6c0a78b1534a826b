//! Boxes with rounded corners on the pixel grid. Corner coverage is computed exactly once for each radius and kept.

use std::collections::HashMap;
use std::rc::Rc;

use super::canvas::{Canvas, Ink};
use crate::geometry::{Radii, Size};
use crate::grid::IRect;

/// Coverage of a quarter disc in its `n × n` box, top left corner.
#[derive(Debug)]
pub(super) struct Corner {
    n: i32,
    cover: Vec<u8>,
}

impl Corner {
    fn new(radius: f32) -> Corner {
        let n = radius.ceil().max(1.0) as i32;
        const COLUMNS: i32 = 16;
        let mut cover = Vec::with_capacity((n * n) as usize);
        for y in 0..n {
            for x in 0..n {
                // The share of the pixel below the arc, over thin columns.
                let mut sum = 0.0;
                for k in 0..COLUMNS {
                    let at = x as f32 + (k as f32 + 0.5) / COLUMNS as f32;
                    let dx = radius - at;
                    let top = if dx <= 0.0 {
                        0.0
                    } else {
                        radius - (radius * radius - dx * dx).max(0.0).sqrt()
                    };
                    sum += ((y + 1) as f32 - top).clamp(0.0, 1.0);
                }
                cover.push((sum / COLUMNS as f32 * 255.0).round() as u8);
            }
        }
        Corner { n, cover }
    }
}

/// The corners of the radii in use, by the radius's bits.
#[derive(Default)]
pub(super) struct Corners {
    known: HashMap<u32, Rc<Corner>>,
    bytes: usize,
}

const MOST_CORNER_BYTES: usize = 512 * 1024;
/// Radii are drawn up to this size (physical px): beyond it nobody sees the difference.
const MOST_RADIUS: f32 = 1024.0;

impl Corners {
    fn get(&mut self, radius: f32) -> Option<Rc<Corner>> {
        // A corner under a quarter pixel is square.
        if radius.is_nan() || radius < 0.25 {
            return None;
        }
        let radius = radius.min(MOST_RADIUS);
        if let Some(found) = self.known.get(&radius.to_bits()) {
            return Some(found.clone());
        }
        if self.bytes > MOST_CORNER_BYTES {
            self.known.clear();
            self.bytes = 0;
        }
        let corner = Rc::new(Corner::new(radius));
        self.bytes += corner.cover.len();
        self.known.insert(radius.to_bits(), corner.clone());
        Some(corner)
    }

    /// `radii` in physical px; they are fitted to the box.
    pub fn shape(&mut self, rect: IRect, radii: &Radii) -> Shape {
        let radii = radii.fit(Size::new(rect.w as f32, rect.h as f32));
        Shape {
            rect,
            corners: radii.0.map(|r| self.get(r)),
        }
    }
}

/// A box on the pixel grid with its corners.
pub(super) struct Shape {
    pub rect: IRect,
    /// Top left, top right, bottom right, bottom left.
    corners: [Option<Rc<Corner>>; 4],
}

impl Shape {
    pub fn is_square(&self) -> bool {
        self.corners.iter().all(Option::is_none)
    }

    /// The boxes of the corners that are round.
    pub fn corner_boxes(&self) -> impl Iterator<Item = IRect> {
        let r = self.rect;
        self.corners.iter().enumerate().filter_map(move |(i, c)| {
            let n = c.as_ref()?.n;
            let x = if i == 1 || i == 2 { r.right() - n } else { r.x };
            let y = if i >= 2 { r.bottom() - n } else { r.y };
            Some(IRect::new(x, y, n, n))
        })
    }

    /// How many columns at the left and right of row `y` may be covered in part.
    pub fn edges(&self, y: i32) -> (i32, i32) {
        let (from_top, from_bottom) = (y - self.rect.y, self.rect.bottom() - 1 - y);
        let reach = |i: usize, from: i32| {
            self.corners[i]
                .as_ref()
                .map_or(0, |c| if from < c.n { c.n } else { 0 })
        };
        (
            reach(0, from_top).max(reach(3, from_bottom)),
            reach(1, from_top).max(reach(2, from_bottom)),
        )
    }

    /// The coverage of a pixel.
    pub fn cover(&self, x: i32, y: i32) -> u8 {
        let r = self.rect;
        let (l, t, rt, b) = (x - r.x, y - r.y, r.right() - 1 - x, r.bottom() - 1 - y);
        if l < 0 || t < 0 || rt < 0 || b < 0 {
            return 0;
        }
        let mut cover = 255;
        for (corner, (dx, dy)) in self.corners.iter().zip([(l, t), (rt, t), (rt, b), (l, b)]) {
            if let Some(c) = corner
                && dx < c.n
                && dy < c.n
            {
                let part = c
                    .cover
                    .get((dy * c.n + dx) as usize)
                    .copied()
                    .unwrap_or(255);
                cover = super::canvas::mul255(cover, part);
            }
        }
        cover
    }

    /// Fill it.
    pub fn fill(&self, canvas: &mut Canvas<'_>, ink: Ink<'_>) {
        if self.is_square() {
            canvas.fill(self.rect, ink);
            return;
        }
        let r = self.rect;
        let clip = canvas.clip().intersect(&r);
        for y in clip.y..clip.bottom() {
            let (left, right) = self.edges(y);
            let (a, b) = (r.x + left, r.right() - right);
            if a >= b {
                self.edge_dots(canvas, y, r.x, r.right(), ink);
                continue;
            }
            self.edge_dots(canvas, y, r.x, a, ink);
            canvas.span(y, a, b, 255, ink);
            self.edge_dots(canvas, y, b, r.right(), ink);
        }
    }

    fn edge_dots(&self, canvas: &mut Canvas<'_>, y: i32, x0: i32, x1: i32, ink: Ink<'_>) {
        for x in x0..x1 {
            canvas.dot(x, y, self.cover(x, y), ink);
        }
    }

    /// Fill what lies in this shape but not in `inner` (which lies inside it): a border of one colour.
    pub fn fill_between(&self, inner: &Shape, canvas: &mut Canvas<'_>, ink: Ink<'_>) {
        let (r, i) = (self.rect, inner.rect);
        let clip = canvas.clip().intersect(&r);
        for y in clip.y..clip.bottom() {
            let outside = i.is_empty() || y < i.y || y >= i.bottom();
            let (ol, or) = self.edges(y);
            let (a, b) = if outside {
                (r.x + ol, r.right() - or)
            } else {
                let (il, ir) = inner.edges(y);
                (
                    (r.x + ol).max(i.x + il),
                    (r.right() - or).min(i.right() - ir),
                )
            };
            let dots = |from: i32, to: i32, canvas: &mut Canvas<'_>| {
                for x in from..to {
                    let cover = self.cover(x, y).saturating_sub(inner.cover(x, y));
                    canvas.dot(x, y, cover, ink);
                }
            };
            if a >= b {
                dots(r.x, r.right(), canvas);
                continue;
            }
            dots(r.x, a, canvas);
            if outside {
                canvas.span(y, a, b, 255, ink);
            }
            dots(b, r.right(), canvas);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_disc_has_the_area_of_a_circle() {
        for r in [2.0_f32, 4.5, 8.0, 31.25] {
            let side = (2.0 * r).round() as i32;
            let shape = Corners::default().shape(IRect::new(0, 0, side, side), &Radii::all(99.0));
            let mut area = 0.0;
            for y in 0..side {
                for x in 0..side {
                    area += f32::from(shape.cover(x, y)) / 255.0;
                }
            }
            let exact = std::f32::consts::PI * (side as f32 / 2.0).powi(2);
            assert!((area - exact).abs() / exact < 0.01, "{r}: {area} {exact}");
        }
    }

    #[test]
    fn rows_are_solid_between_their_edges() {
        let shape =
            Corners::default().shape(IRect::new(3, 4, 40, 30), &Radii([12.0, 4.0, 0.0, 7.5]));
        for y in 4..34 {
            let (l, r) = shape.edges(y);
            assert!((3 + l..43 - r).all(|x| shape.cover(x, y) == 255), "row {y}");
        }
    }
}
