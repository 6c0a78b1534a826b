//! Linear gradients, computed to 1/256 of a step and dithered, so that large ones show no bands.

use super::canvas::{Canvas, IRect, Px};
use crate::display::LinearGradient;

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

/// A gradient laid over a box, ready to be sampled at any pixel.
pub(super) struct Gradient {
    /// Premultiplied, in the canvas's order, 8 bits and 8 bits of fraction.
    table: Vec<[u16; 4]>,
    /// Table position of the pixel (0, 0), and its change for a step right and down.
    start: f32,
    right: f32,
    down: f32,
    dithered: bool,
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
        Gradient {
            table: table(spec, canvas),
            start: if start.is_finite() { start } else { 0.0 },
            right: dx * k,
            down: dy * k,
            dithered: i64::from(rect.w) * i64::from(rect.h) >= DITHERED_AREA,
        }
    }

    /// Sampling from pixel (x, y) on to the right.
    #[inline]
    pub fn walk(&self, x: i32, y: i32) -> Walk<'_> {
        Walk {
            gradient: self,
            row: self.start + self.down * y as f32,
            x,
            dither: &BAYER[(y & 7) as usize],
        }
    }
}

pub(super) struct Walk<'a> {
    gradient: &'a Gradient,
    row: f32,
    x: i32,
    dither: &'static [u8; 8],
}

impl Walk<'_> {
    /// Paint the next pixel.
    #[inline]
    pub fn blend(&mut self, d: &mut Px, cover: u8) {
        let at = self.row + self.gradient.right * self.x as f32;
        let i = (at.max(0.0) as usize).min(STEPS - 1);
        let noise = if self.gradient.dithered {
            u32::from(self.dither[(self.x & 7) as usize]) * 4 + 2
        } else {
            128
        };
        self.x += 1;
        let mut src = self.gradient.table[i].map(u32::from);
        if cover < 255 {
            src = src.map(|v| v * u32::from(cover) / 255);
        }
        let keep = 65280 - src[3];
        if keep == 65280 {
            return;
        }
        for (d, s) in d.iter_mut().zip(src) {
            // 255 × 65280 / 255: the old value with its own 8 bits of fraction.
            let old = u32::from(*d) * keep / 255;
            *d = ((s + old + noise) >> 8).min(255) as u8;
        }
    }
}

fn table(spec: &LinearGradient, canvas: &Canvas<'_>) -> Vec<[u16; 4]> {
    let stops: Vec<(f32, [f32; 4])> = spec
        .stops
        .iter()
        .map(|(at, c)| {
            let a = f32::from(c.a) / 255.0;
            let [r, g, b, _] = canvas.ordered([c.r, c.g, c.b, c.a]);
            let m = |v: u8| f32::from(v) * a * 256.0;
            (*at, [m(r), m(g), m(b), f32::from(c.a) * 256.0])
        })
        .collect();
    (0..STEPS)
        .map(|i| {
            let t = i as f32 / (STEPS - 1) as f32;
            let after = stops.partition_point(|s| s.0 <= t);
            let color = match (
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
            color.map(|v: f32| v.round() as u16)
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
