//! Which way a line of text runs. The layout's direction says where a line stands; how its words follow each other is the
//! content's own affair: an English sentence keeps its order in a Hebrew layout and a Hebrew one in an English layout.

use unicode_bidi::{Direction as Strong, get_base_direction};

/// The direction of the hard lines of a text.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum Direction {
    /// Each as its first letter runs. One without letters but with digits is a value (`82 %`, `-3`, `05:00 – 11:30`) and runs
    /// left to right; one without either (`…`, `(•)`, nothing) as the layout around it does, here left to right.
    #[default]
    Content,
    /// The same inside a layout from right to left.
    ContentInRtl,
    /// Left to right whatever the lines hold: code.
    LeftToRight,
}

impl Direction {
    /// Content inside a layout that runs from right to left, or does not.
    pub fn within(rtl: Option<bool>) -> Direction {
        match rtl {
            Some(true) => Direction::ContentInRtl,
            _ => Direction::Content,
        }
    }

    /// Does `line` run from right to left?
    pub fn is_rtl(self, line: &str) -> bool {
        match (self, get_base_direction(line)) {
            (Direction::LeftToRight, _) | (_, Strong::Ltr) => false,
            (_, Strong::Rtl) => true,
            (Direction::Content, Strong::Mixed) => false,
            (Direction::ContentInRtl, Strong::Mixed) => {
                !line.bytes().any(|byte| byte.is_ascii_digit())
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::Direction::{Content, ContentInRtl, LeftToRight};

    #[test]
    fn the_first_letter_decides_then_a_digit_then_the_layout() {
        for (line, within_ltr, within_rtl) in [
            ("3 due", false, false),
            ("שלום 3", true, true),
            ("3 שלום", true, true),
            ("6 h 30 · שלום", false, false),
            ("82 %", false, false),
            ("-3", false, false),
            ("٣ / ٥", false, true),
            ("(…)", false, true),
            ("", false, true),
            // An isolated name says nothing about the sentence it stands in; a mark does.
            ("\u{2068}Ines\u{2069} שלום", true, true),
            ("\u{200f}3 due", true, true),
        ] {
            assert_eq!(Content.is_rtl(line), within_ltr, "{line:?}");
            assert_eq!(ContentInRtl.is_rtl(line), within_rtl, "{line:?} in rtl");
            assert!(!LeftToRight.is_rtl(line), "{line:?} as code");
        }
    }
}
