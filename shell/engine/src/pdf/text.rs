//! Text to lines: characters to the codes of WinAnsi, words into the width of a page.

use super::metrics::{Style, win_ansi};

/// What stands for a character that WinAnsi has not.
const UNKNOWN: u8 = b'?';

/// A text in WinAnsi. A tab is a space; other control characters are left out.
pub fn encode(text: &str) -> Vec<u8> {
    let code = |character| match character {
        '\t' => Some(b' '),
        character if character.is_control() => None,
        character => Some(win_ansi(character).unwrap_or(UNKNOWN)),
    };
    text.chars().filter_map(code).collect()
}

/// The lines of a paragraph (one in WinAnsi): its words, one space between two, as many as fit. A word wider than a line is broken
/// where the line ends. A paragraph without a word is one empty line.
pub struct Lines<'a> {
    words: Box<dyn Iterator<Item = &'a [u8]> + 'a>,
    /// The word, or what is left of it, that did not fit.
    next: Option<&'a [u8]>,
    begun: bool,
    style: Style,
}

impl<'a> Lines<'a> {
    pub fn of(paragraph: &'a [u8], style: Style) -> Lines<'a> {
        let words = paragraph.split(|code| *code == b' ');
        Lines {
            words: Box::new(words.filter(|word| !word.is_empty())),
            next: None,
            begun: false,
            style,
        }
    }

    /// How many codes of a word fit into `room`, and how wide they are. It looks no further than that.
    fn fit(&self, word: &[u8], room: u32) -> (usize, u32) {
        let mut width = 0;
        for (count, code) in word.iter().enumerate() {
            let wider = width + self.style.font.width(*code);
            if wider > room {
                return (count, width);
            }
            width = wider;
        }
        (word.len(), width)
    }
}

impl Iterator for Lines<'_> {
    type Item = Vec<u8>;

    fn next(&mut self) -> Option<Vec<u8>> {
        let mut line = Vec::new();
        let mut room = self.style.room();
        while let Some(word) = self.next.take().or_else(|| self.words.next()) {
            if line.is_empty() {
                let (count, width) = self.fit(word, room);
                let (head, rest) = word.split_at(count.max(1));
                line.extend_from_slice(head);
                room = room.saturating_sub(width);
                if !rest.is_empty() {
                    self.next = Some(rest);
                    break;
                }
            } else {
                let space = self.style.font.width(b' ');
                let (count, width) = self.fit(word, room.saturating_sub(space));
                if count < word.len() {
                    self.next = Some(word);
                    break;
                }
                line.push(b' ');
                line.extend_from_slice(word);
                room = room.saturating_sub(space + width);
            }
        }
        let first = !std::mem::replace(&mut self.begun, true);
        (first || !line.is_empty()).then_some(line)
    }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]
    use super::*;

    fn lines(text: &str, style: Style) -> Vec<String> {
        let codes = encode(text);
        let lines = Lines::of(&codes, style);
        lines.map(|line| String::from_utf8(line).unwrap()).collect()
    }

    fn width(line: &str, style: Style) -> u32 {
        line.bytes().map(|code| style.font.width(code)).sum()
    }

    #[test]
    fn characters_become_codes() {
        assert_eq!(encode("Ä €“x”"), b"\xc4 \x80\x93x\x94");
        assert_eq!(encode("a\tb\r\u{7f}\u{85}c\0"), b"a bc");
        assert_eq!(encode("ł中😀e\u{301}"), b"???e?");
    }

    #[test]
    fn words_are_set_apart_by_one_space() {
        assert_eq!(lines("  a   b\t c ", Style::TEXT), ["a b c"]);
        assert_eq!(lines("", Style::TEXT), [""]);
        assert_eq!(lines("  \t ", Style::TEXT), [""]);
        let nbsp = encode("a\u{a0}b");
        assert_eq!(Lines::of(&nbsp, Style::TEXT).next().unwrap(), b"a\xa0b");
    }

    #[test]
    fn a_line_holds_what_fits_exactly_and_not_a_thousandth_more() {
        let style = Style::HEADING;
        let word = |wide: usize, narrow: usize| "m".repeat(wide) + &"i".repeat(narrow);
        let all = (1..40).flat_map(|wide| (0..100).map(move |narrow| (wide, narrow)));
        let (mut fitting, mut not) = (0, 0);
        for (wide, narrow) in all {
            let word = word(wide, narrow);
            let two = format!("{word} i");
            let fits = width(&two, style) * style.size <= 483_000;
            let whole = width(&word, style) * style.size <= 483_000;
            match (fits, whole) {
                (true, _) => {
                    fitting += 1;
                    assert_eq!(lines(&two, style).concat(), two);
                }
                (false, true) => {
                    not += 1;
                    assert_eq!(lines(&two, style), [word, "i".into()]);
                }
                (false, false) => assert!(lines(&two, style).len() > 1),
            }
        }
        assert!(fitting > 0 && not > 0);
    }

    #[test]
    fn a_word_wider_than_a_line_begins_its_own_and_is_broken_at_the_longest_prefix() {
        // 483000 / 11 = 43909; an `m` is 833 wide: 52 fit.
        let long = "m".repeat(110);
        let broken = lines(&format!("x {long} y"), Style::TEXT);
        assert_eq!(
            broken,
            [
                "x".into(),
                "m".repeat(52),
                "m".repeat(52),
                "mmmmmm y".into()
            ]
        );
    }

    #[test]
    fn nothing_is_lost_and_no_line_is_too_wide() {
        let text = "Wi lll MMMM ".repeat(60) + &"abc".repeat(200) + " end";
        for style in [Style::HEADING, Style::TEXT, Style::CAPTION] {
            let set = lines(&text, style);
            assert!(set.iter().all(|line| width(line, style) <= style.room()));
            assert_eq!(set.concat().replace(' ', ""), text.replace(' ', ""));
        }
    }
}
