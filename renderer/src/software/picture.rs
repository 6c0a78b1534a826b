//! Bitmaps onto a canvas: copied where they fit, averaged when made smaller (kept, bounded), interpolated when made larger.

use std::sync::Arc;

use super::canvas::{Canvas, Px, over, scale_px};
use super::shape::Shape;
use crate::geometry::Rect;
use crate::grid::IRect;
use crate::images::Bitmap;

const MOST_BYTES: usize = 8 * 1024 * 1024;

/// A bitmap's part at a smaller size. Holding the bitmap keeps its address its own.
struct Small {
    bitmap: Arc<Bitmap>,
    source: [u32; 4],
    w: i32,
    h: i32,
    pixels: Arc<Vec<Px>>,
}

/// Scaled pictures between frames, the last used last.
#[derive(Default)]
pub(super) struct Pictures {
    kept: Vec<Small>,
}

impl Pictures {
    /// `source` of `bitmap` onto `shape`.
    pub fn paint(
        &mut self,
        canvas: &mut Canvas<'_>,
        bitmap: &Arc<Bitmap>,
        source: &Rect,
        shape: &Shape,
    ) {
        let (w, h) = (bitmap.width as f32, bitmap.height as f32);
        let source = source.intersect(&Rect::new(0.0, 0.0, w, h));
        let at = shape.rect;
        let whole = bitmap.width as usize * bitmap.height as usize * 4;
        if source.is_empty() || at.is_empty() || bitmap.pixels.len() < whole {
            return;
        }
        let shrinks = (at.w as f32) < source.w && (at.h as f32) < source.h;
        if shrinks {
            let small = self.small(bitmap, &source, at.w, at.h);
            let row_of = |y: i32| (y - at.y) as usize * at.w as usize;
            lay(canvas, shape, |x, y| {
                small
                    .get(row_of(y) + (x - at.x) as usize)
                    .copied()
                    .unwrap_or([0; 4])
            });
        } else {
            let (kx, ky) = (source.w / at.w as f32, source.h / at.h as f32);
            lay(canvas, shape, |x, y| {
                let u = source.x + ((x - at.x) as f32 + 0.5) * kx - 0.5;
                let v = source.y + ((y - at.y) as f32 + 0.5) * ky - 0.5;
                between(bitmap, &source, u, v)
            });
        }
    }

    fn small(&mut self, bitmap: &Arc<Bitmap>, source: &Rect, w: i32, h: i32) -> Arc<Vec<Px>> {
        let key = [source.x, source.y, source.w, source.h].map(f32::to_bits);
        let found = self.kept.iter().position(|s| {
            Arc::ptr_eq(&s.bitmap, bitmap) && s.source == key && (s.w, s.h) == (w, h)
        });
        if let Some(i) = found {
            let entry = self.kept.remove(i);
            let pixels = entry.pixels.clone();
            self.kept.push(entry);
            return pixels;
        }
        let pixels = Arc::new(average(bitmap, source, w as usize, h as usize));
        // A picture nobody else holds will not be painted again.
        self.kept.retain(|s| Arc::strong_count(&s.bitmap) > 1);
        let mut bytes = pixels.len() * 4;
        let mut first = self.kept.len();
        while first > 0 && bytes + self.kept[first - 1].pixels.len() * 4 <= MOST_BYTES {
            first -= 1;
            bytes += self.kept[first].pixels.len() * 4;
        }
        self.kept.drain(..first);
        self.kept.push(Small {
            bitmap: bitmap.clone(),
            source: key,
            w,
            h,
            pixels: pixels.clone(),
        });
        pixels
    }
}

/// Put a picture's pixel (RGBA) on every pixel of the shape.
fn lay(canvas: &mut Canvas<'_>, shape: &Shape, pixel: impl Fn(i32, i32) -> Px) {
    let clip: IRect = canvas.clip().intersect(&shape.rect);
    let order = canvas.order();
    for y in clip.y..clip.bottom() {
        let (l, r) = shape.edges(y);
        let (a, b) = (shape.rect.x + l, shape.rect.right() - r);
        for (x, d) in (clip.x..).zip(canvas.row(y, clip.x, clip.right())) {
            let cover = if x >= a && x < b {
                255
            } else {
                shape.cover(x, y)
            };
            let p = scale_px(pixel(x, y), cover);
            let p = match order {
                super::Order::Rgba => p,
                super::Order::Bgra => [p[2], p[1], p[0], p[3]],
            };
            over(d, p);
        }
    }
}

fn texel(b: &Bitmap, x: i32, y: i32) -> Px {
    let at = (y as usize * b.width as usize + x as usize) * 4;
    b.pixels
        .get(at..at + 4)
        .and_then(|p| p.try_into().ok())
        .unwrap_or([0; 4])
}

/// The colour between four pixels; the edge of the source is its own neighbour.
fn between(b: &Bitmap, source: &Rect, u: f32, v: f32) -> Px {
    let (left, top) = (source.x.floor() as i32, source.y.floor() as i32);
    let (right, bottom) = (
        (source.right().ceil() as i32 - 1).max(left),
        (source.bottom().ceil() as i32 - 1).max(top),
    );
    let (x, y) = (u.floor(), v.floor());
    let (fx, fy) = (((u - x) * 256.0) as u32, ((v - y) * 256.0) as u32);
    let (x, y) = (x as i32, y as i32);
    let (x0, x1) = (x.clamp(left, right), (x + 1).clamp(left, right));
    let (y0, y1) = (y.clamp(top, bottom), (y + 1).clamp(top, bottom));
    let corners = [
        texel(b, x0, y0),
        texel(b, x1, y0),
        texel(b, x0, y1),
        texel(b, x1, y1),
    ];
    let weights = [
        (256 - fx) * (256 - fy),
        fx * (256 - fy),
        (256 - fx) * fy,
        fx * fy,
    ];
    std::array::from_fn(|c| {
        let sum: u32 = corners
            .iter()
            .zip(weights)
            .map(|(p, w)| u32::from(p[c]) * w)
            .sum();
        ((sum + 32768) >> 16) as u8
    })
}

/// Every target pixel is the mean of the source pixels under it, in parts where they are cut.
fn average(b: &Bitmap, source: &Rect, w: usize, h: usize) -> Vec<Px> {
    let columns = shares(source.x, source.w, w, b.width as usize);
    let rows = shares(source.y, source.h, h, b.height as usize);
    let mut out = Vec::with_capacity(w * h);
    // One source row at a time, narrowed, then added up.
    let mut sums = vec![[0.0_f32; 4]; w];
    for (first, weights) in &rows {
        sums.fill([0.0; 4]);
        for (i, wy) in weights.iter().enumerate() {
            let y = first + i;
            let row = &b.pixels[y * b.width as usize * 4..(y + 1) * b.width as usize * 4];
            let row = row.as_chunks::<4>().0;
            for (sum, (from, weights)) in sums.iter_mut().zip(&columns) {
                for (p, wx) in row[*from..].iter().zip(weights) {
                    for (s, v) in sum.iter_mut().zip(p) {
                        *s += f32::from(*v) * wx * wy;
                    }
                }
            }
        }
        out.extend(sums.iter().map(|s| s.map(|v| v.round() as u8)));
    }
    out
}

/// For each of `n` equal parts of `from..from + long`: the first pixel under it and the share of each.
fn shares(from: f32, long: f32, n: usize, limit: usize) -> Vec<(usize, Vec<f32>)> {
    let step = long / n as f32;
    (0..n)
        .map(|i| {
            let (a, b) = (from + step * i as f32, from + step * (i + 1) as f32);
            let first = (a.floor().max(0.0) as usize).min(limit - 1);
            let last = (b.ceil().max(0.0) as usize).clamp(first + 1, limit);
            let parts: Vec<f32> = (first..last)
                .map(|p| (b.min(p as f32 + 1.0) - a.max(p as f32)).max(0.0))
                .collect();
            let all: f32 = parts.iter().sum::<f32>().max(1.0e-6);
            (first, parts.iter().map(|p| p / all).collect())
        })
        .collect()
}
