//! Measures of the page and of its two fonts. Sizes are points (1/72 inch), widths of glyphs thousandths of an em.

use super::glyphs::{FIRST, GLYPHS, NONE};

/// A4: width and height.
pub const PAGE: (u32, u32) = (595, 842);
/// What stays free on every side.
pub const MARGIN: u32 = 56;
/// Width of what is laid out.
pub const CONTENT_WIDTH: u32 = PAGE.0 - 2 * MARGIN;
/// Height of what is laid out.
pub const CONTENT_HEIGHT: u32 = PAGE.1 - 2 * MARGIN;
/// Where a page begins; it ends at [`MARGIN`], since a PDF counts from below.
pub const TOP: u32 = PAGE.1 - MARGIN;

/// One of the fonts every reader of PDFs has.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Font {
    Regular,
    Bold,
}

impl Font {
    /// In the order of their resources.
    pub const ALL: [Font; 2] = [Font::Regular, Font::Bold];

    /// What pages call it.
    pub fn resource(self) -> &'static str {
        match self {
            Font::Regular => "F1",
            Font::Bold => "F2",
        }
    }

    /// What the reader calls it.
    pub fn base(self) -> &'static str {
        match self {
            Font::Regular => "Helvetica",
            Font::Bold => "Helvetica-Bold",
        }
    }

    /// The width of a WinAnsi code; 0 where there is no glyph.
    pub fn width(self, code: u8) -> u32 {
        let glyph = code.checked_sub(FIRST).map(usize::from);
        let Some((_, regular, bold)) = glyph.and_then(|at| GLYPHS.get(at)) else {
            return 0;
        };
        u32::from(match self {
            Font::Regular => *regular,
            Font::Bold => *bold,
        })
    }
}

/// How lines of one kind are set.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Style {
    pub font: Font,
    pub size: u32,
    /// How far the cursor goes down for a line.
    pub leading: u32,
}

impl Style {
    pub const HEADING: Style = Style {
        font: Font::Bold,
        size: 18,
        leading: 24,
    };
    pub const TEXT: Style = Style {
        font: Font::Regular,
        size: 11,
        leading: 15,
    };
    pub const CAPTION: Style = Style {
        font: Font::Regular,
        size: 9,
        leading: 12,
    };

    /// The sum of widths that fits in a line: the largest whole one with `sum × size ≤ 1000 × width`.
    pub fn room(self) -> u32 {
        CONTENT_WIDTH * 1000 / self.size
    }
}

/// The code of a character in WinAnsi, `None` when it has none.
pub fn win_ansi(character: char) -> Option<u8> {
    let own = u8::try_from(u32::from(character)).ok();
    match own.filter(|code| matches!(code, 0x20..=0x7e | 0xa0..=0xff)) {
        Some(code) => Some(code),
        None => mapped().find_map(|(code, to)| (to == character).then_some(code)),
    }
}

/// The codes that stand for a character of another number.
pub fn mapped() -> impl Iterator<Item = (u8, char)> {
    let codes = (FIRST..=u8::MAX).zip(&GLYPHS);
    codes
        .filter(|(code, (character, ..))| {
            *character != NONE && u32::from(*character) != u32::from(*code)
        })
        .map(|(code, (character, ..))| (code, *character))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_code_with_a_character_has_a_width_in_both_fonts() {
        for (code, (character, regular, bold)) in (FIRST..=u8::MAX).zip(GLYPHS) {
            let there = character != NONE;
            assert_eq!((regular > 0, bold > 0), (there, there), "{code:02x}");
            if there {
                assert_eq!(win_ansi(character), Some(code), "{code:02x}");
            }
        }
        assert_eq!(Font::Regular.width(b'\n'), 0);
        assert_eq!(Font::Bold.width(b'@'), 975);
    }

    #[test]
    fn only_the_codes_of_the_controls_stand_for_other_characters() {
        assert_eq!(mapped().count(), 27);
        assert!(mapped().all(|(code, _)| matches!(code, 0x80..=0x9f)));
        assert_eq!(win_ansi('€'), Some(0x80));
        for none in ['\t', '\u{7f}', '\u{80}', '\u{9f}', 'ł', '中', '\0'] {
            assert_eq!(win_ansi(none), None, "{none:?}");
        }
    }

    #[test]
    fn room_is_exact() {
        for style in [Style::HEADING, Style::TEXT, Style::CAPTION] {
            assert!(style.room() * style.size <= 483_000);
            assert!((style.room() + 1) * style.size > 483_000);
        }
    }
}
