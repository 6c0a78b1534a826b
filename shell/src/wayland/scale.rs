//! How many pixels a logical length is. Plain arithmetic, no Wayland.
//!
//! Scales are whole 120ths, the unit of `wp_fractional_scale_v1`, so two scales are equal exactly when their pixels are.

use super::geometry::{MAX_LENGTH, PixelRect, PixelSize, Rect, Size};

/// Pixels per logical length, in 120ths.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Scale(u32);

impl Scale {
    pub const ONE: Scale = Scale(120);
    const MIN: u32 = 30;
    const MAX: u32 = 1200;

    /// From 120ths; kept between a quarter and ten.
    pub fn from_120ths(n: u32) -> Self {
        Scale(n.clamp(Self::MIN, Self::MAX))
    }

    /// From a whole buffer scale; anything below one is one.
    pub fn from_integer(n: i32) -> Self {
        Scale::from_120ths(u32::try_from(n.max(1)).unwrap_or(1).saturating_mul(120))
    }

    /// The scale at which a logical length covers this many pixels, to the nearest 120th; `None` without a length.
    pub fn from_ratio(pixels: u32, logical: u32) -> Option<Self> {
        if pixels == 0 || logical == 0 {
            return None;
        }
        let exact = (u64::from(pixels) * 120 + u64::from(logical) / 2) / u64::from(logical);
        Some(Scale::from_120ths(
            u32::try_from(exact).unwrap_or(Self::MAX),
        ))
    }

    pub fn in_120ths(self) -> u32 {
        self.0
    }

    pub fn as_f32(self) -> f32 {
        self.0 as f32 / 120.0
    }

    pub fn as_f64(self) -> f64 {
        f64::from(self.0) / 120.0
    }

    /// The scale as a whole number, rounded up: what `wl_surface.set_buffer_scale` takes.
    pub fn ceil(self) -> Scale {
        Scale(self.0.div_ceil(120) * 120)
    }

    /// The whole number of a whole scale (rounded up otherwise).
    pub fn integer(self) -> i32 {
        i32::try_from(self.0.div_ceil(120)).unwrap_or(1)
    }

    /// A logical length in pixels, halves rounded away from zero, as the fractional-scale protocol says.
    pub fn pixels(self, logical: u32) -> u32 {
        let exact = (u64::from(logical) * u64::from(self.0) + 60) / 120;
        u32::try_from(exact).unwrap_or(u32::MAX)
    }

    /// The buffer size of a surface. Clamped so that a buffer always fits `wl_shm`'s 31 bits.
    pub fn size(self, logical: Size) -> PixelSize {
        let length = |n: u32| self.pixels(n).clamp(1, MAX_LENGTH);
        PixelSize {
            width: length(logical.width),
            height: length(logical.height),
        }
    }

    /// The pixels a logical box touches, clipped to `within`.
    pub fn rect(self, logical: Rect, within: PixelSize) -> PixelRect {
        let low =
            |n: i32| u32::try_from(n.max(0)).map_or(0, |n| u64::from(n) * u64::from(self.0) / 120);
        let high = |n: i64| {
            u64::try_from(n.max(0))
                .map_or(0, |n| (n * u64::from(self.0)).div_ceil(120))
                .min(u64::from(u32::MAX))
        };
        let (x, y) = (low(logical.x), low(logical.y));
        let right = high(i64::from(logical.x) + i64::from(logical.width.max(0)));
        let bottom = high(i64::from(logical.y) + i64::from(logical.height.max(0)));
        let narrow = |n: u64| u32::try_from(n).unwrap_or(u32::MAX);
        PixelRect {
            x: narrow(x),
            y: narrow(y),
            width: narrow(right.saturating_sub(x)),
            height: narrow(bottom.saturating_sub(y)),
        }
        .clipped(within)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn halves_round_away_from_zero() {
        assert_eq!(Scale::from_120ths(180).pixels(3), 5);
        assert_eq!(Scale::from_120ths(150).pixels(40), 50);
        assert_eq!(Scale::from_integer(2).pixels(33), 66);
    }

    #[test]
    fn a_scale_is_found_again_from_rounded_sizes() {
        for scale in [120, 132, 150, 160, 180, 210, 240, 300] {
            for mode in [1366, 1920, 2560, 2880, 3840] {
                let logical = (mode * 120 + scale / 2) / scale;
                assert_eq!(
                    Scale::from_ratio(mode, logical),
                    Some(Scale(scale)),
                    "{mode} px at {scale}/120"
                );
            }
        }
    }

    #[test]
    fn broken_scales_are_kept_in_bounds() {
        assert_eq!(Scale::from_integer(-3), Scale::ONE);
        assert_eq!(Scale::from_integer(i32::MAX).as_f64(), 10.0);
        assert_eq!(Scale::from_ratio(100, 0), None);
        assert_eq!(
            Scale::from_120ths(0).size(Size::new(1, 1)),
            PixelSize {
                width: 1,
                height: 1
            }
        );
    }

    #[test]
    fn a_logical_box_covers_every_pixel_it_touches() {
        let within = PixelSize {
            width: 150,
            height: 150,
        };
        let scale = Scale::from_120ths(180);
        assert_eq!(
            scale.rect(Rect::new(1, 1, 1, 1), within),
            PixelRect::new(1, 1, 2, 2)
        );
        assert_eq!(
            scale.rect(Rect::new(-5, 90, 10, 50), within),
            PixelRect::new(0, 135, 8, 15)
        );
    }
}
