//! The weight of text: coverage corrected for the brightness of the text, so that light text on dark is as heavy as dark on light.
//!
//! The curve is the one browsers use on Linux (gamma 1.2, contrast 0.2), measured against the target pictures: letters of one colour
//! then have the same mean brightness within two percent.

use std::sync::OnceLock;

use crate::color::Color;

const GAMMA: f32 = 1.2;
const CONTRAST: f32 = 0.2;
const TONES: usize = 8;

/// One of a few brightnesses of text, or no correction at all.
#[derive(Clone, Copy, Default, PartialEq, Eq, Hash)]
pub(super) struct Tone(Option<u8>);

impl Tone {
    pub fn of(color: Color) -> Tone {
        let (r, g, b) = (u32::from(color.r), u32::from(color.g), u32::from(color.b));
        let bright = (r * 54 + g * 183 + b * 19) >> 8;
        // Middling colours count as darker, so that only really light text is made heavier.
        let bright = bright - (255 - bright) * bright / 255;
        Tone(Some((bright >> 5) as u8))
    }

    /// Correct a glyph's coverage.
    pub fn apply(self, cover: &mut [u8]) {
        static TABLES: OnceLock<[[u8; 256]; TONES]> = OnceLock::new();
        let Some(tone) = self.0 else { return };
        let tables = TABLES.get_or_init(|| std::array::from_fn(table));
        if let Some(table) = tables.get(usize::from(tone)) {
            for c in cover {
                *c = table[usize::from(*c)];
            }
        }
    }
}

/// Blend in light rather than in sRGB bytes, over the opposite brightness as the likely ground.
fn table(tone: usize) -> [u8; 256] {
    let text = tone as f32 / (TONES - 1) as f32;
    let ground = 1.0 - text;
    let (text_light, ground_light) = (text.powf(GAMMA), ground.powf(GAMMA));
    let contrast = CONTRAST * ground_light;
    std::array::from_fn(|i| {
        let cover = i as f32 / 255.0;
        let cover = cover + (1.0 - cover) * contrast * cover;
        let light = text_light * cover + ground_light * (1.0 - cover);
        let seen = light.powf(1.0 / GAMMA);
        let out = (seen - ground) / (text - ground);
        (out * 255.0).round().clamp(0.0, 255.0) as u8
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn light_text_gains_weight_and_dark_text_keeps_it() {
        let half = |c: Color| {
            let mut cover = [0, 128, 255];
            Tone::of(c).apply(&mut cover);
            assert_eq!((cover[0], cover[2]), (0, 255));
            cover[1]
        };
        assert!((140..=146).contains(&half(Color::WHITE)));
        assert!((122..=132).contains(&half(Color::BLACK)));
        let mut plain = [0, 128, 255];
        Tone::default().apply(&mut plain);
        assert_eq!(plain, [0, 128, 255]);
    }
}
