//! Strings on their way to the compositor: what the protocol cannot carry never reaches it. Plain data, no Wayland.
//!
//! A string of the protocol ends at its first NUL, and a message has 4096 bytes at most: either mistake breaks the
//! connection, and with it every panel. Titles, names and texts come from packages and records, so nothing about them is
//! known here.

use std::borrow::Cow;

/// A name is cut to so many bytes.
const MAX_NAME: usize = 1024;

/// A name on one line: a title, an application, a form of a selection. Control characters become spaces.
pub(super) fn name(text: &str) -> Cow<'_, str> {
    blanked(head(text, MAX_NAME), |c| c.is_control())
}

/// Part of a person's text, which may have lines. Every byte stays in its place, so that positions in it hold.
pub(super) fn text(text: &str) -> Cow<'_, str> {
    blanked(text, |c| c.is_control() && !matches!(c, '\n' | '\t'))
}

/// The longest beginning of this many bytes.
fn head(text: &str, bytes: usize) -> &str {
    let mut end = text.len().min(bytes);
    while !text.is_char_boundary(end) {
        end -= 1;
    }
    &text[..end]
}

/// The same text with spaces, one for each byte, for what it must not have.
fn blanked(text: &str, unfit: impl Fn(char) -> bool) -> Cow<'_, str> {
    if !text.contains(&unfit) {
        return Cow::Borrowed(text);
    }
    let mut out = String::with_capacity(text.len());
    for c in text.chars() {
        if unfit(c) {
            out.extend(std::iter::repeat_n(' ', c.len_utf8()));
        } else {
            out.push(c);
        }
    }
    Cow::Owned(out)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_name_is_one_short_line_without_control_characters() {
        assert_eq!(name("Notes"), "Notes");
        assert_eq!(name("a\0b\nc\u{1b}d"), "a b c d");
        let long = "ä".repeat(MAX_NAME);
        assert_eq!(name(&long), "ä".repeat(MAX_NAME / 2));
    }

    #[test]
    fn a_text_keeps_its_lines_and_the_place_of_every_byte() {
        let odd = "ä\0\nb\u{85}\tc";
        assert_eq!(text(odd), "ä \nb  \tc");
        assert_eq!(text(odd).len(), odd.len());
    }
}
