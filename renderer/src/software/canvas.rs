//! Premultiplied 8-bit pixels and the few ways of putting colour on them. Every method keeps to the canvas's clip, and what it
//! does to a pixel depends on that pixel alone: painting in parts gives the same bytes as painting at once.

use super::gradient::Gradient;
use crate::color::Color;
use crate::grid::IRect;

/// Byte order of a pixel in memory. Wayland's `argb8888` is `Bgra` on the machines we run on.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Order {
    Rgba,
    Bgra,
}

/// A premultiplied pixel in the order of its canvas.
pub(super) type Px = [u8; 4];

/// What covers pixels.
#[derive(Clone, Copy)]
pub(super) enum Ink<'a> {
    Solid(Px),
    Gradient(&'a Gradient),
}

/// `a × b / 255`, rounded. In 16 bits, so that rows of it become vector code.
#[inline]
pub(super) fn mul255(a: u8, b: u8) -> u8 {
    let v = u16::from(a) * u16::from(b) + 128;
    ((v + (v >> 8)) >> 8) as u8
}

#[inline]
pub(super) fn scale_px(p: Px, by: u8) -> Px {
    p.map(|c| mul255(c, by))
}

/// `src` over `dst`.
#[inline]
pub(super) fn over(dst: &mut Px, src: Px) {
    let keep = 255 - src[3];
    *dst = std::array::from_fn(|c| src[c].saturating_add(mul255(dst[c], keep)));
}

/// Pixels under a clip. `origin` is the absolute place of the first one, so that every canvas speaks of the same places.
pub(super) struct Canvas<'a> {
    pixels: &'a mut [u8],
    area: IRect,
    stride: usize,
    order: Order,
    clip: IRect,
}

impl<'a> Canvas<'a> {
    /// `stride` in bytes. A buffer too small for the area makes the area smaller.
    pub fn new(pixels: &'a mut [u8], area: IRect, stride: usize, order: Order) -> Canvas<'a> {
        let fits = area.w >= 0 && stride >= area.w as usize * 4;
        let rows = if fits && stride > 0 {
            (pixels.len() + stride - area.w as usize * 4) / stride
        } else {
            0
        };
        let area = IRect {
            h: area.h.min(rows as i32).max(0),
            ..area
        };
        Canvas {
            pixels,
            area,
            stride,
            order,
            clip: area,
        }
    }

    pub fn area(&self) -> IRect {
        self.area
    }

    pub fn clip(&self) -> IRect {
        self.clip
    }

    /// Narrow the clip to `to`; returns what it was.
    pub fn narrow(&mut self, to: IRect) -> IRect {
        let narrowed = self.clip.intersect(&to);
        std::mem::replace(&mut self.clip, narrowed)
    }

    pub fn set_clip(&mut self, clip: IRect) {
        self.clip = clip.intersect(&self.area);
    }

    pub fn order(&self) -> Order {
        self.order
    }

    pub fn px(&self, c: Color) -> Px {
        let m = |v: u8| mul255(v, c.a);
        self.ordered([m(c.r), m(c.g), m(c.b), c.a])
    }

    /// An RGBA pixel in this canvas's order.
    #[inline]
    pub fn ordered(&self, p: Px) -> Px {
        match self.order {
            Order::Rgba => p,
            Order::Bgra => [p[2], p[1], p[0], p[3]],
        }
    }

    /// The pixels `x0..x1` of row `y`; the caller keeps to the area.
    #[inline]
    pub fn row(&mut self, y: i32, x0: i32, x1: i32) -> &mut [Px] {
        let from = (y - self.area.y) as usize * self.stride + (x0 - self.area.x) as usize * 4;
        let to = from + (x1 - x0).max(0) as usize * 4;
        self.pixels
            .get_mut(from..to)
            .map_or(&mut [], |bytes| bytes.as_chunks_mut::<4>().0)
    }

    /// Replace whatever is inside the clip.
    pub fn clear(&mut self, px: Px) {
        let c = self.clip;
        for y in c.y..c.bottom() {
            self.row(y, c.x, c.right()).fill(px);
        }
    }

    pub fn fill(&mut self, rect: IRect, ink: Ink<'_>) {
        let r = rect.intersect(&self.clip);
        for y in r.y..r.bottom() {
            self.span_unclipped(y, r.x, r.right(), 255, ink);
        }
    }

    /// One row from `x0` to `x1` at one coverage.
    pub fn span(&mut self, y: i32, x0: i32, x1: i32, cover: u8, ink: Ink<'_>) {
        let c = self.clip;
        let (x0, x1) = (x0.max(c.x), x1.min(c.right()));
        if cover > 0 && y >= c.y && y < c.bottom() && x0 < x1 {
            self.span_unclipped(y, x0, x1, cover, ink);
        }
    }

    fn span_unclipped(&mut self, y: i32, x0: i32, x1: i32, cover: u8, ink: Ink<'_>) {
        match ink {
            Ink::Solid(px) => {
                let px = scale_px(px, cover);
                let row = self.row(y, x0, x1);
                match px[3] {
                    255 => row.fill(px),
                    0 => {}
                    _ => row.iter_mut().for_each(|d| over(d, px)),
                }
            }
            Ink::Gradient(g) => {
                // Where it is transparent nothing happens.
                let (a, b) = g.visible(y, x0, x1);
                g.blend_row(y, a, cover, self.row(y, a, b));
            }
        }
    }

    /// One pixel; cheap enough for edges.
    #[inline]
    pub fn dot(&mut self, x: i32, y: i32, cover: u8, ink: Ink<'_>) {
        self.span(y, x, x + 1, cover, ink);
    }

    /// A row of coverage that starts at `x`.
    pub fn mask_row(&mut self, y: i32, x: i32, cover: &[u8], ink: Ink<'_>) {
        let c = self.clip;
        if y < c.y || y >= c.bottom() {
            return;
        }
        let from = (c.x - x).max(0) as usize;
        let to = ((c.right() - x).max(0) as usize).min(cover.len());
        if from >= to {
            return;
        }
        let x0 = x + from as i32;
        let cover = &cover[from..to];
        let x1 = x0 + cover.len() as i32;
        match ink {
            Ink::Solid(px) => {
                for (d, c) in self.row(y, x0, x1).iter_mut().zip(cover) {
                    match (*c, px[3]) {
                        (0, _) => {}
                        (255, 255) => *d = px,
                        _ => over(d, scale_px(px, *c)),
                    }
                }
            }
            Ink::Gradient(g) => {
                for ((x, d), c) in (x0..).zip(self.row(y, x0, x1)).zip(cover) {
                    g.blend_row(y, x, *c, std::slice::from_mut(d));
                }
            }
        }
    }

    /// A copy of the pixels of `rect` (inside the clip), to be mixed back by [`Canvas::mix_back`].
    pub fn save(&mut self, rect: IRect) -> Saved {
        let rect = rect.intersect(&self.clip);
        let mut pixels = Vec::with_capacity((rect.w * rect.h).max(0) as usize);
        for y in rect.y..rect.bottom() {
            pixels.extend_from_slice(self.row(y, rect.x, rect.right()));
        }
        Saved { rect, pixels }
    }

    /// Of what was painted since `saved`, keep the share `cover(x, y)` (255 is all of it). For content painted straight onto the
    /// canvas this equals painting it on a layer and laying that down at `cover`.
    pub fn mix_back(&mut self, saved: &Saved, cover: impl Fn(i32, i32) -> u8) {
        let r = saved.rect;
        if r.is_empty() {
            return;
        }
        for (y, old) in (r.y..r.bottom()).zip(saved.pixels.chunks(r.w as usize)) {
            for ((x, d), old) in (r.x..).zip(self.row(y, r.x, r.right())).zip(old) {
                let c = cover(x, y);
                match c {
                    255 => {}
                    0 => *d = *old,
                    _ => *d = mix(*d, *old, c),
                }
            }
        }
    }
}

/// `share` (of 255) of `new`, the rest of `old`.
fn mix(new: Px, old: Px, share: u8) -> Px {
    let (a, b) = (u32::from(share), u32::from(255 - share));
    std::array::from_fn(|c| {
        let v = u32::from(new[c]) * a + u32::from(old[c]) * b + 128;
        ((v + (v >> 8)) >> 8) as u8
    })
}

/// Pixels set aside.
pub(super) struct Saved {
    rect: IRect,
    pixels: Vec<Px>,
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn products_round_to_nearest() {
        for a in 0..=255 {
            for b in 0..=255 {
                let exact = (f64::from(a) * f64::from(b) / 255.0).round();
                assert_eq!(f64::from(mul255(a, b)), exact, "{a} {b}");
            }
        }
    }

    #[test]
    fn a_buffer_too_small_is_painted_as_far_as_it_goes() {
        let mut pixels = vec![0; 4 * 10 * 3 - 4];
        let mut canvas = Canvas::new(&mut pixels, IRect::new(0, 0, 10, 10), 40, Order::Rgba);
        assert_eq!(canvas.area().h, 2);
        canvas.fill(IRect::new(-5, -5, 100, 100), Ink::Solid([1, 2, 3, 255]));
        assert_eq!(pixels[76..80], [1, 2, 3, 255]);
        assert_eq!(pixels[80..84], [0, 0, 0, 0]);
    }

    #[test]
    fn mixing_back_an_untouched_pixel_changes_nothing() {
        let mut pixels: Vec<u8> = (0..=255).collect();
        let before = pixels.clone();
        let area = IRect::new(0, 0, 64, 1);
        let mut canvas = Canvas::new(&mut pixels, area, 256, Order::Rgba);
        let saved = canvas.save(area);
        canvas.mix_back(&saved, |x, _| (x * 4) as u8);
        assert_eq!(pixels, before);
    }
}
