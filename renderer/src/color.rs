//! Colours as the painter uses them: straight (not premultiplied) sRGB bytes, parsed once from the theme's hex strings.

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct Color {
    pub r: u8,
    pub g: u8,
    pub b: u8,
    pub a: u8,
}

impl Color {
    pub const TRANSPARENT: Color = Color {
        r: 0,
        g: 0,
        b: 0,
        a: 0,
    };
    pub const BLACK: Color = Color::rgb(0, 0, 0);
    pub const WHITE: Color = Color::rgb(255, 255, 255);

    pub const fn rgb(r: u8, g: u8, b: u8) -> Color {
        Color { r, g, b, a: 255 }
    }

    pub const fn rgba(r: u8, g: u8, b: u8, a: u8) -> Color {
        Color { r, g, b, a }
    }

    /// `#rgb`, `#rgba`, `#rrggbb` or `#rrggbbaa`. `None` for anything else.
    pub fn hex(text: &str) -> Option<Color> {
        let digits = text.strip_prefix('#')?;
        let nibble = |i: usize| {
            digits
                .as_bytes()
                .get(i)
                .and_then(|b| (*b as char).to_digit(16))
                .map(|d| d as u8)
        };
        let short = |i: usize| nibble(i).map(|n| n * 17);
        let long = |i: usize| Some(nibble(2 * i)? * 16 + nibble(2 * i + 1)?);
        match digits.len() {
            3 => Some(Color::rgb(short(0)?, short(1)?, short(2)?)),
            4 => Some(Color::rgba(short(0)?, short(1)?, short(2)?, short(3)?)),
            6 => Some(Color::rgb(long(0)?, long(1)?, long(2)?)),
            8 => Some(Color::rgba(long(0)?, long(1)?, long(2)?, long(3)?)),
            _ => None,
        }
    }

    /// The same colour at `factor` (0 to 1) of its opacity.
    pub fn fade(self, factor: f32) -> Color {
        Color {
            a: (f32::from(self.a) * factor.clamp(0.0, 1.0)).round() as u8,
            ..self
        }
    }

    pub fn is_invisible(self) -> bool {
        self.a == 0
    }

    /// `self` painted over an opaque or translucent `under`.
    pub fn over(self, under: Color) -> Color {
        let (a, b) = (f32::from(self.a) / 255.0, f32::from(under.a) / 255.0);
        let out = a + b * (1.0 - a);
        if out <= 0.0 {
            return Color::TRANSPARENT;
        }
        let mix =
            |s: u8, u: u8| ((f32::from(s) * a + f32::from(u) * b * (1.0 - a)) / out).round() as u8;
        Color {
            r: mix(self.r, under.r),
            g: mix(self.g, under.g),
            b: mix(self.b, under.b),
            a: (out * 255.0).round() as u8,
        }
    }

    /// The contrast ratio of two opaque colours (WCAG 2: 1 for the same colour, 21 for black on white).
    pub fn contrast(self, other: Color) -> f32 {
        let light = |c: Color| {
            let linear = |v: u8| {
                let v = f32::from(v) / 255.0;
                if v <= 0.040_45 {
                    v / 12.92
                } else {
                    ((v + 0.055) / 1.055).powf(2.4)
                }
            };
            0.2126 * linear(c.r) + 0.7152 * linear(c.g) + 0.0722 * linear(c.b)
        };
        let (a, b) = (light(self), light(other));
        (a.max(b) + 0.05) / (a.min(b) + 0.05)
    }

    /// The way from `self` (0) to `to` (1).
    pub fn mix(self, to: Color, t: f32) -> Color {
        let t = t.clamp(0.0, 1.0);
        let lerp = |a: u8, b: u8| (f32::from(a) + (f32::from(b) - f32::from(a)) * t).round() as u8;
        // A transparent end has no hue of its own: only the alpha moves.
        let (from, to) = match (self.a, to.a) {
            (0, _) => (Color { a: 0, ..to }, to),
            (_, 0) => (self, Color { a: 0, ..self }),
            _ => (self, to),
        };
        Color {
            r: lerp(from.r, to.r),
            g: lerp(from.g, to.g),
            b: lerp(from.b, to.b),
            a: lerp(from.a, to.a),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_hex_form_of_the_theme_parses() {
        assert_eq!(
            Color::hex("#ffffff0f"),
            Some(Color::rgba(255, 255, 255, 15))
        );
        assert_eq!(Color::hex("#0a0"), Some(Color::rgb(0, 170, 0)));
        assert_eq!(Color::hex("red"), None);
        assert_eq!(Color::hex("#ggg"), None);
    }

    #[test]
    fn card_over_background_is_flat() {
        assert_eq!(
            Color::rgba(255, 255, 255, 15).over(Color::rgb(10, 10, 10)),
            Color::rgb(24, 24, 24)
        );
    }

    #[test]
    fn contrast_is_the_one_of_wcag() {
        assert!((Color::BLACK.contrast(Color::WHITE) - 21.0).abs() < 0.01);
        let grey = Color::hex("#949494").unwrap_or_default();
        assert!((Color::WHITE.contrast(grey) - 3.03).abs() < 0.01);
        assert_eq!(grey.contrast(grey), 1.0);
    }
}
