//! What is wrong with a person's file, and where. Every checker of the engine answers with [`Issue`]s;
//! nothing here reads a file or prints.

use serde::Serialize;

/// A place in a text: both count from 1, the column in characters (not bytes).
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize)]
pub struct Position {
    pub line: usize,
    pub column: usize,
}

/// Which end of a member an issue points at: its value, or the key itself (an unknown key has a harmless value).
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Anchor {
    #[default]
    Value,
    Key,
}

/// One problem that stops a file from being used.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Issue {
    /// The JSON pointer of the value, `""` for the whole file.
    pub pointer: String,
    /// What is wrong and what to do, one sentence without a full stop.
    pub message: String,
    pub anchor: Anchor,
    /// Where that is in the text, once a [`crate::source::Source`] has placed it.
    pub position: Option<Position>,
}

impl Issue {
    /// A problem with the value at `pointer`.
    pub fn new(pointer: impl Into<String>, message: impl Into<String>) -> Issue {
        Issue {
            pointer: pointer.into(),
            message: message.into(),
            anchor: Anchor::Value,
            position: None,
        }
    }

    /// A problem with the key that `pointer` ends in.
    pub fn key(pointer: impl Into<String>, message: impl Into<String>) -> Issue {
        Issue {
            anchor: Anchor::Key,
            ..Issue::new(pointer, message)
        }
    }
}

impl std::fmt::Display for Issue {
    /// `POINTER: MESSAGE`; the message alone where it is about the whole file.
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        if !self.pointer.is_empty() {
            write!(f, "{}: ", self.pointer)?;
        }
        f.write_str(&self.message)
    }
}

/// Something worth knowing that stops nothing.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Note {
    pub message: String,
}

impl Note {
    pub fn new(message: impl Into<String>) -> Note {
        Note {
            message: message.into(),
        }
    }
}

/// Of several checkers' words about one place the first stand: `issues[..shape]` are kept, and of the later ones those
/// that are not at or inside a place already spoken of. A checker that stumbled over a broken shape is silenced so.
pub(crate) fn first_words(issues: &mut Vec<Issue>, shape: usize) {
    let later = issues.split_off(shape.min(issues.len()));
    for issue in later {
        let told = |k: &Issue| {
            !k.pointer.is_empty() && crate::pointer::is_within(&issue.pointer, &k.pointer)
        };
        let about_all = issue.pointer.is_empty() && !issues.is_empty();
        if !about_all && !issues.iter().any(told) {
            issues.push(issue);
        }
    }
}

/// An expression's error (`at 5: unexpected end`), its place counted from 1 as a person does.
pub(crate) fn expression_words(error: &str) -> String {
    let place = error
        .strip_prefix("at ")
        .and_then(|rest| rest.split_once(": "));
    match place.and_then(|(at, what)| Some((at.parse::<usize>().ok()?, what))) {
        Some((at, what)) => format!("the expression is wrong at character {}: {what}", at + 1),
        None => error.to_owned(),
    }
}

/// The known word that `word` most likely meant: at most two slips away, and fewer than half its letters.
pub fn nearest<'a>(word: &str, known: impl IntoIterator<Item = &'a str>) -> Option<&'a str> {
    // A name long enough to make the comparison costly is no slip of the finger.
    let letters = word.chars().count();
    if letters > 64 {
        return None;
    }
    known
        .into_iter()
        .filter(|k| *k != word)
        .map(|k| (slips(&word.to_lowercase(), &k.to_lowercase()), k))
        .filter(|(n, k)| *n <= 2 && *n * 2 < letters.max(k.chars().count()))
        .min_by_key(|(n, _)| *n)
        .map(|(_, k)| k)
}

/// `": did you mean `x`?"`, or nothing.
pub fn did_you_mean<'a>(word: &str, known: impl IntoIterator<Item = &'a str>) -> String {
    nearest(word, known).map_or_else(String::new, |k| format!(": did you mean `{k}`?"))
}

/// Insertions, deletions, replacements and swaps of neighbours between two words.
fn slips(a: &str, b: &str) -> usize {
    let (a, b): (Vec<char>, Vec<char>) = (a.chars().collect(), b.chars().collect());
    let mut before = vec![0; b.len() + 1];
    let mut last: Vec<usize> = (0..=b.len()).collect();
    for i in 1..=a.len() {
        let mut row = vec![i; b.len() + 1];
        for j in 1..=b.len() {
            let replace = last[j - 1] + usize::from(a[i - 1] != b[j - 1]);
            row[j] = replace.min(last[j] + 1).min(row[j - 1] + 1);
            if i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1] {
                row[j] = row[j].min(before[j - 2] + 1);
            }
        }
        before = std::mem::replace(&mut last, row);
    }
    last[b.len()]
}

/// Text quoted in a message: cut at 40 characters, controls shown as their escapes, so that one hostile value
/// neither fills a screen nor moves a cursor.
pub fn quoted(text: &str) -> String {
    let mut out = String::from("`");
    for (n, c) in text.chars().enumerate() {
        if n == 40 {
            out.push('…');
            break;
        }
        if c.is_control() || is_bidi_control(c) {
            out.extend(c.escape_unicode());
        } else {
            out.push(c);
        }
    }
    out.push('`');
    out
}

/// Characters that reorder the text around them.
pub fn is_bidi_control(c: char) -> bool {
    matches!(c, '\u{061c}' | '\u{200e}' | '\u{200f}' | '\u{202a}'..='\u{202e}' | '\u{2066}'..='\u{2069}')
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_slip_finds_the_word_it_meant_and_a_different_word_finds_nothing() {
        let known = ["Text", "Heading", "Button", "templates"];
        assert_eq!(nearest("Buton", known), Some("Button"));
        assert_eq!(nearest("Hedaing", known), Some("Heading"));
        assert_eq!(nearest("tempaltes", known), Some("templates"));
        assert_eq!(nearest("Carousel", known), None);
        assert_eq!(nearest("x", ["y"]), None);
        assert_eq!(nearest(&"a".repeat(100_000), known), None);
    }

    #[test]
    fn a_quoted_value_is_short_and_cannot_move_the_cursor() {
        assert_eq!(quoted("a\u{1b}[2J"), "`a\\u{1b}[2J`");
        assert_eq!(quoted(&"x".repeat(1000)).chars().count(), 43);
        assert_eq!(quoted("\u{202e}abc"), "`\\u{202e}abc`");
    }
}
