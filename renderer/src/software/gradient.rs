//! Linear gradients, computed with fractions and dithered, so that large ones show no bands.

use super::canvas::{Canvas, Px};
use crate::display::LinearGradient;
use crate::grid::IRect;

/// Entries of the colour table.
const STEPS: usize = 1024;
/// Physical pixels from which on a gradient is dithered.
const DITHERED_AREA: i64 = 64 * 64;

/// Thresholds of an 8×8 ordered dither, 0 to 63.
static BAYER: [[u8; 8]; 8] = bayer();

const fn bayer() -> [[u8; 8]; 8] {
    let mut m = [[0u8; 8]; 8];
    let mut y = 0;
    while y < 8 {
        let mut x = 0;
        while x < 8 {
            let (mut v, mut bit) = (0u8, 0);
            while bit < 3 {
                let (xb, yb) = ((x >> bit) & 1, (y >> bit) & 1);
                v |= (((xb ^ yb) << 1 | yb) as u8) << (2 * (2 - bit));
                bit += 1;
            }
            m[y][x] = v;
            x += 1;
        }
        y += 1;
    }
    m
}

/// One colour of the table.
#[derive(Clone, Copy)]
struct Entry {
    /// Premultiplied, in the canvas's order, 8 bits with 8 bits of fraction.
    color: [u16; 4],
    /// What stays of the ground, of 65535.
    keep: u16,
}

/// A gradient laid over a box, ready to be sampled at any pixel.
pub(super) struct Gradient {
    table: Vec<Entry>,
    /// Table position of the pixel (0, 0), and its change for a step right and down.
    start: f32,
    right: f32,
    down: f32,
    dithered: bool,
    /// The first and the last entry that is not transparent.
    shown: (f32, f32),
}

impl Gradient {
    /// `rect` is the gradient's box.
    pub fn new(spec: &LinearGradient, rect: IRect, canvas: &Canvas<'_>) -> Gradient {
        let (sin, cos) = spec.angle.to_radians().sin_cos();
        let (dx, dy) = (sin, -cos);
        let (w, h) = (rect.w as f32, rect.h as f32);
        let length = ((w * dx).abs() + (h * dy).abs()).max(1.0e-3);
        let k = (STEPS - 1) as f32 / length;
        let (cx, cy) = (rect.x as f32 + w / 2.0, rect.y as f32 + h / 2.0);
        let start = ((0.5 - cx) * dx + (0.5 - cy) * dy + length / 2.0) * k;
        let table = table(spec, canvas);
        let visible = |c: &Entry| c.color[3] > 0;
        let first = table.iter().position(visible).unwrap_or(STEPS);
        let last = table.iter().rposition(visible).unwrap_or(0);
        let shown = (
            if first == 0 { f32::MIN } else { first as f32 },
            if last == STEPS - 1 {
                f32::MAX
            } else {
                last as f32
            },
        );
        Gradient {
            table,
            start: if start.is_finite() { start } else { 0.0 },
            right: dx * k,
            down: dy * k,
            dithered: i64::from(rect.w) * i64::from(rect.h) >= DITHERED_AREA,
            shown,
        }
    }

    /// The part of `x0..x1` on row `y` that is not transparent, give or take a pixel.
    pub fn visible(&self, y: i32, x0: i32, x1: i32) -> (i32, i32) {
        let row = self.start + self.down * y as f32;
        let (first, last) = self.shown;
        if self.right.abs() < 1.0e-6 {
            let seen = row >= first - 1.0 && row <= last + 1.0;
            return if seen { (x0, x1) } else { (x0, x0) };
        }
        let (a, b) = ((first - row) / self.right, (last - row) / self.right);
        let (from, to) = (a.min(b).floor() - 1.0, a.max(b).ceil() + 2.0);
        let side = |v: f32| v.clamp(x0 as f32, x1 as f32) as i32;
        let from = side(from);
        (from, side(to).max(from))
    }

    /// Paint the pixels `d`, which begin at (x, y).
    #[inline]
    pub fn blend_row(&self, y: i32, x: i32, cover: u8, d: &mut [Px]) {
        // In whole steps of 1/65536, so that a pixel's place does not depend on where the row began.
        let row = (f64::from(self.start + self.down * y as f32) * 65536.0) as i64;
        let step = (f64::from(self.right) * 65536.0) as i64;
        let noise: [u16; 8] = if self.dithered {
            BAYER[(y & 7) as usize].map(|v| u16::from(v) * 4 + 2)
        } else {
            [128; 8]
        };
        for (x, d) in (x..).zip(d) {
            let at = ((row + step * i64::from(x)) >> 16).clamp(0, STEPS as i64 - 1);
            let Some(entry) = self.table.get(at as usize) else {
                continue;
            };
            let (mut src, mut keep) = (entry.color, entry.keep);
            if cover < 255 {
                src = src.map(|v| (u32::from(v) * u32::from(cover) / 255) as u16);
                keep = u16::MAX - (u32::from(u16::MAX - keep) * u32::from(cover) / 255) as u16;
            }
            let noise = noise[(x & 7) as usize];
            // 8 bits with 8 bits of fraction; the noise decides how they are rounded.
            let old: [u16; 4] =
                std::array::from_fn(|c| (((u32::from(d[c]) << 8) * u32::from(keep)) >> 16) as u16);
            let sum: [u16; 4] =
                std::array::from_fn(|c| src[c].saturating_add(old[c]).saturating_add(noise));
            *d = sum.map(|v| (v >> 8) as u8);
        }
    }
}

fn table(spec: &LinearGradient, canvas: &Canvas<'_>) -> Vec<Entry> {
    let stops: Vec<(f32, [f32; 4])> = spec
        .stops
        .iter()
        .map(|(at, c)| {
            let a = f32::from(c.a) / 255.0;
            let [r, g, b, _] = canvas.ordered([c.r, c.g, c.b, c.a]);
            let m = |v: u8| f32::from(v) * a;
            (*at, [m(r), m(g), m(b), f32::from(c.a)])
        })
        .collect();
    (0..STEPS)
        .map(|i| {
            let t = i as f32 / (STEPS - 1) as f32;
            let after = stops.partition_point(|s| s.0 <= t);
            let color: [f32; 4] = match (
                after.checked_sub(1).and_then(|j| stops.get(j)),
                stops.get(after),
            ) {
                (Some(a), Some(b)) => {
                    let f = (t - a.0) / (b.0 - a.0).max(1.0e-6);
                    std::array::from_fn(|c| a.1[c] + (b.1[c] - a.1[c]) * f)
                }
                (Some(only), None) | (None, Some(only)) => only.1,
                (None, None) => [0.0; 4],
            };
            Entry {
                color: color.map(|v| (v * 256.0).round() as u16),
                keep: ((1.0 - color[3] / 255.0) * 65535.0).round() as u16,
            }
        })
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_dither_has_every_threshold_once() {
        let mut all: Vec<u8> = BAYER.iter().flatten().copied().collect();
        all.sort_unstable();
        assert_eq!(all, (0..64).collect::<Vec<u8>>());
    }
}
