//! Blurred shadows of rounded boxes: one small blurred mask for each (radius, blur), stretched over boxes of any size.

use std::collections::HashMap;
use std::rc::Rc;

use super::canvas::{Canvas, Ink, Px, mul255};
use super::shape::{Corners, Shape};
use crate::geometry::{Radii, Size};
use crate::grid::IRect;

/// The shadow of a box, in physical px.
pub(super) struct Shadow {
    pub rect: IRect,
    pub radii: Radii,
    pub blur: f32,
    pub px: Px,
}

#[derive(Clone, PartialEq, Eq, Hash)]
struct Key {
    radii: [u32; 4],
    deviation: u32,
    w: i32,
    h: i32,
}

struct Mask {
    w: i32,
    h: i32,
    cover: Vec<u8>,
}

#[derive(Default)]
pub(super) struct Shadows {
    known: HashMap<Key, Rc<Mask>>,
    bytes: usize,
}

const MOST_BYTES: usize = 1024 * 1024;
/// Physical px; a wider blur is drawn as this one.
const MOST_BLUR: f32 = 256.0;

impl Shadows {
    /// Paint a shadow outside `hole` only.
    pub fn paint(
        &mut self,
        canvas: &mut Canvas<'_>,
        corners: &mut Corners,
        shadow: &Shadow,
        hole: &Shape,
    ) {
        let Shadow { rect, blur, px, .. } = *shadow;
        let ink = Ink::Solid(px);
        let radii = shadow.radii.fit(Size::new(rect.w as f32, rect.h as f32));
        let deviation = blur.clamp(0.0, MOST_BLUR) / 2.0;
        let reach = (deviation * 3.0).ceil() as i32;
        let most = radii.0.iter().fold(0.0_f32, |m, r| m.max(*r)).ceil() as i32;
        // The middle of a side is the same all along: keep one pixel of it.
        let arm = most + reach;
        let (w, h) = (rect.w.min(2 * arm + 1), rect.h.min(2 * arm + 1));
        let key = Key {
            radii: radii.0.map(f32::to_bits),
            deviation: deviation.to_bits(),
            w,
            h,
        };
        let mask = match self.known.get(&key) {
            Some(mask) => mask.clone(),
            None => {
                let shape = corners.shape(IRect::new(reach, reach, w, h), &radii);
                let mask = Rc::new(blurred(&shape, reach, deviation));
                if self.bytes > MOST_BYTES {
                    self.known.clear();
                    self.bytes = 0;
                }
                self.bytes += mask.cover.len();
                self.known.insert(key, mask.clone());
                mask
            }
        };
        stretch(canvas, &mask, rect.grow(reach), hole, ink);
    }
}

/// Lay the mask over `area`, its middle row and column repeated.
fn stretch(canvas: &mut Canvas<'_>, mask: &Mask, area: IRect, hole: &Shape, ink: Ink<'_>) {
    let place = |at: i32, from: i32, long: i32, short: i32| {
        let (d, half) = (at - from, short / 2);
        if d <= half {
            d
        } else if d >= long - (short - half) {
            d - (long - short)
        } else {
            half
        }
    };
    let clip = canvas.clip().intersect(&area);
    // Between these columns the mask is the same all along a row.
    let half = mask.w / 2;
    let (even, uneven) = (area.x + half, area.right() - (mask.w - half));
    let mut row = Vec::with_capacity(clip.w.max(0) as usize);
    for y in clip.y..clip.bottom() {
        let my = place(y, area.y, area.h, mask.h);
        let at = |x: i32| {
            let mx = place(x, area.x, area.w, mask.w);
            let i = (my * mask.w + mx) as usize;
            mask.cover.get(i).copied().unwrap_or(0)
        };
        let mut part = |from: i32, to: i32, open: bool, canvas: &mut Canvas<'_>| {
            let (from, to) = (from.max(clip.x), to.min(clip.right()));
            if from >= to {
                return;
            }
            row.clear();
            if open {
                row.extend((from..to).map(at));
            } else {
                row.extend((from..to).map(|x| mul255(at(x), 255 - hole.cover(x, y))));
            }
            canvas.mask_row(y, from, &row, ink);
        };
        let h = hole.rect;
        if h.is_empty() || y < h.y || y >= h.bottom() {
            part(area.x, even, true, canvas);
            canvas.span(y, even, uneven, at(even), ink);
            part(uneven.max(even), area.right(), true, canvas);
            continue;
        }
        // Nothing shows where the box itself stands.
        let (l, r) = hole.edges(y);
        let (from, to) = (h.x + l, h.right() - r);
        part(area.x, h.x.min(area.right()), true, canvas);
        part(h.x.max(area.x), from.min(h.right()), false, canvas);
        part(to.max(from).max(area.x), h.right(), false, canvas);
        part(h.right().max(area.x), area.right(), true, canvas);
    }
}

fn blurred(shape: &Shape, reach: i32, deviation: f32) -> Mask {
    let (w, h) = (shape.rect.w + 2 * reach, shape.rect.h + 2 * reach);
    let mut a: Vec<f32> = (0..w * h)
        .map(|i| f32::from(shape.cover(i % w, i / w)))
        .collect();
    let mut b = vec![0.0; a.len()];
    for radius in boxes(deviation) {
        blur_rows(&a, &mut b, w as usize, radius);
        transpose(&b, &mut a, w as usize, h as usize);
        blur_rows(&a, &mut b, h as usize, radius);
        transpose(&b, &mut a, h as usize, w as usize);
    }
    Mask {
        w,
        h,
        cover: a
            .iter()
            .map(|v| v.round().clamp(0.0, 255.0) as u8)
            .collect(),
    }
}

/// Half widths (fractional) of three box blurs that together are very nearly a gaussian.
fn boxes(deviation: f32) -> [f32; 3] {
    // Three boxes of width d have the variance (d² − 1) / 4 of the gaussian they replace.
    let d = (4.0 * deviation * deviation + 1.0).sqrt();
    [(d - 1.0) / 2.0; 3]
}

/// A box of `2·radius + 1` over each row; the two outermost pixels count in part.
fn blur_rows(from: &[f32], to: &mut [f32], w: usize, radius: f32) {
    let whole = radius.floor() as usize;
    let part = radius - radius.floor();
    let share = 1.0 / (2.0 * radius + 1.0);
    for (src, dst) in from.chunks_exact(w).zip(to.chunks_exact_mut(w)) {
        let at = |i: isize| {
            usize::try_from(i)
                .ok()
                .and_then(|i| src.get(i))
                .copied()
                .unwrap_or(0.0)
        };
        let r = whole as isize;
        let mut sum: f32 = (0..=r).map(at).sum();
        for (i, d) in dst.iter_mut().enumerate() {
            let i = i as isize;
            *d = (sum + part * (at(i - r - 1) + at(i + r + 1))) * share;
            sum += at(i + r + 1) - at(i - r);
        }
    }
}

fn transpose(from: &[f32], to: &mut [f32], w: usize, h: usize) {
    for (y, row) in from.chunks_exact(w).enumerate() {
        for (x, v) in row.iter().enumerate() {
            to[x * h + y] = *v;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_blur_keeps_the_light_and_its_spread() {
        let n = 201;
        let mut a = vec![0.0; n];
        a[100] = 1.0;
        let mut b = vec![0.0; n];
        for radius in boxes(8.0) {
            blur_rows(&a, &mut b, n, radius);
            std::mem::swap(&mut a, &mut b);
        }
        let sum: f32 = a.iter().sum();
        let variance: f32 = a
            .iter()
            .enumerate()
            .map(|(i, v)| (i as f32 - 100.0).powi(2) * v)
            .sum();
        assert!((sum - 1.0).abs() < 0.01, "{sum}");
        assert!((variance.sqrt() - 8.0).abs() < 0.2, "{}", variance.sqrt());
    }
}
