//! The editing model of a text field: text, caret, selection, undo. Knows no field, no font and no surface; every offset is a byte
//! on a grapheme boundary.

use std::ops::Range;

use unicode_segmentation::{GraphemeCursor, UnicodeSegmentation};

use super::history::{Change, History, Kind};

/// The longest text a field holds, in bytes; what goes beyond is cut.
const LONGEST: usize = 1 << 20;

/// A caret movement in reading order.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Step {
    Back,
    Forward,
    WordBack,
    WordForward,
    Start,
    End,
}

#[derive(Clone, Debug, Default)]
pub struct Buffer {
    text: String,
    caret: usize,
    anchor: usize,
    history: History,
}

impl Buffer {
    /// `text` with the caret at its end.
    pub fn new(text: &str) -> Buffer {
        let text = cut(text, LONGEST).to_string();
        Buffer {
            caret: text.len(),
            anchor: text.len(),
            text,
            history: History::default(),
        }
    }

    pub fn text(&self) -> &str {
        &self.text
    }

    pub fn caret(&self) -> usize {
        self.caret
    }

    pub fn anchor(&self) -> usize {
        self.anchor
    }

    /// The selected bytes; empty at the caret when nothing is selected.
    pub fn selection(&self) -> Range<usize> {
        self.caret.min(self.anchor)..self.caret.max(self.anchor)
    }

    pub fn selected(&self) -> &str {
        &self.text[self.selection()]
    }

    /// Another text from outside: nothing of the old one can be undone.
    pub fn replace_all(&mut self, text: &str) {
        let caret = self.caret;
        *self = Buffer::new(text);
        self.place(caret, false);
    }

    /// The grapheme boundary at or before `byte`.
    pub fn snap(&self, byte: usize) -> usize {
        let mut b = byte.min(self.text.len());
        while !self.text.is_char_boundary(b) {
            b -= 1;
        }
        let mut cursor = GraphemeCursor::new(b, self.text.len(), true);
        match cursor.is_boundary(&self.text, 0) {
            Ok(true) => b,
            _ => cursor
                .prev_boundary(&self.text, 0)
                .ok()
                .flatten()
                .unwrap_or(0),
        }
    }

    /// Move the caret to `byte`; `extend` keeps the other end of the selection.
    pub fn place(&mut self, byte: usize, extend: bool) {
        self.caret = self.snap(byte);
        if !extend {
            self.anchor = self.caret;
        }
        self.history.rest();
    }

    pub fn select(&mut self, range: Range<usize>) {
        self.anchor = self.snap(range.start);
        self.caret = self.snap(range.end);
        self.history.rest();
    }

    pub fn select_all(&mut self) {
        self.select(0..self.text.len());
    }

    pub fn step(&mut self, step: Step, extend: bool) {
        let sel = self.selection();
        let to = match step {
            Step::Back if !extend && !sel.is_empty() => sel.start,
            Step::Forward if !extend && !sel.is_empty() => sel.end,
            _ => self.after(self.caret, step),
        };
        self.place(to, extend);
    }

    /// Where a step from `byte` leads.
    pub fn after(&self, byte: usize, step: Step) -> usize {
        match step {
            Step::Back => self.previous(byte),
            Step::Forward => self.next(byte),
            Step::WordBack => self.word_start(byte),
            Step::WordForward => self.word_end(byte),
            Step::Start => 0,
            Step::End => self.text.len(),
        }
    }

    fn previous(&self, byte: usize) -> usize {
        GraphemeCursor::new(byte, self.text.len(), true)
            .prev_boundary(&self.text, 0)
            .ok()
            .flatten()
            .unwrap_or(0)
    }

    fn next(&self, byte: usize) -> usize {
        GraphemeCursor::new(byte, self.text.len(), true)
            .next_boundary(&self.text, 0)
            .ok()
            .flatten()
            .unwrap_or(self.text.len())
    }

    /// The hard line around `byte`, without its line break.
    pub fn line_at(&self, byte: usize) -> Range<usize> {
        let start = self.text[..byte].rfind('\n').map_or(0, |i| i + 1);
        let end = self.text[byte..]
            .find('\n')
            .map_or(self.text.len(), |i| byte + i);
        start..end
    }

    /// The word, run of blanks or sign around `byte`: what a double click selects.
    pub fn word_at(&self, byte: usize) -> Range<usize> {
        let line = self.line_at(byte);
        let found = self.text[line.clone()]
            .split_word_bound_indices()
            .map(|(i, w)| line.start + i..line.start + i + w.len())
            .find(|r| byte < r.end);
        match found {
            Some(r) => r,
            // At the end of a line the last word is meant.
            None => self.text[line.clone()]
                .split_word_bound_indices()
                .next_back()
                .map_or(line.end..line.end, |(i, w)| {
                    line.start + i..line.start + i + w.len()
                }),
        }
    }

    fn word_start(&self, byte: usize) -> usize {
        let line = self.line_at(byte);
        let before = self.text[line.start..byte]
            .split_word_bound_indices()
            .rev()
            .find(|(_, w)| !w.trim().is_empty());
        match before {
            Some((i, _)) => line.start + i,
            None if line.start == 0 || byte != line.start => line.start,
            None => line.start - 1,
        }
    }

    fn word_end(&self, byte: usize) -> usize {
        let line = self.line_at(byte);
        let after = self.text[byte..line.end]
            .split_word_bound_indices()
            .find(|(_, w)| !w.trim().is_empty());
        match after {
            Some((i, w)) => byte + i + w.len(),
            None if line.end == self.text.len() || byte != line.end => line.end,
            None => line.end + 1,
        }
    }

    /// Put `text` in place of the selection. False when nothing changed.
    pub fn insert(&mut self, text: &str, kind: Kind) -> bool {
        let range = self.selection();
        let room = LONGEST.saturating_sub(self.text.len() - range.len());
        let text = cut(text, room).to_string();
        self.replace(range, text, kind)
    }

    /// Delete the selection, else what the step passes over.
    pub fn delete(&mut self, step: Step) -> bool {
        let mut range = self.selection();
        if range.is_empty() {
            let to = self.after(self.caret, step);
            range = self.caret.min(to)..self.caret.max(to);
        }
        self.replace(range, String::new(), Kind::Delete)
    }

    /// Delete this many bytes around the caret, as an input method asks. Widened to whole graphemes.
    pub fn delete_around(&mut self, before: usize, after: usize) -> bool {
        let sel = self.selection();
        let start = self.snap(sel.start.saturating_sub(before));
        let wanted = sel.end.saturating_add(after).min(self.text.len());
        let mut end = self.snap(wanted);
        if end < wanted {
            end = self.next(end);
        }
        self.replace(start..end.max(start), String::new(), Kind::Other)
    }

    fn replace(&mut self, range: Range<usize>, inserted: String, kind: Kind) -> bool {
        if range.is_empty() && inserted.is_empty() {
            return false;
        }
        let change = Change {
            at: range.start,
            removed: self.text[range.clone()].to_string(),
            inserted,
            caret: self.caret,
            anchor: self.anchor,
        };
        self.text.replace_range(range, &change.inserted);
        self.caret = change.at + change.inserted.len();
        self.anchor = self.caret;
        self.history.push(change, kind);
        self.settle();
        true
    }

    /// Inserted text may have joined with what is around it into one grapheme.
    fn settle(&mut self) {
        let at = |b: usize, s: &Buffer| {
            let snapped = s.snap(b);
            if snapped < b {
                s.next(snapped)
            } else {
                snapped
            }
        };
        self.caret = at(self.caret, self);
        self.anchor = at(self.anchor, self);
    }

    pub fn undo(&mut self) -> bool {
        let Some(changes) = self.history.undo() else {
            return false;
        };
        for c in changes.iter().rev() {
            self.text
                .replace_range(c.at..c.at + c.inserted.len(), &c.removed);
            (self.caret, self.anchor) = (c.caret, c.anchor);
        }
        self.settle();
        true
    }

    pub fn redo(&mut self) -> bool {
        let Some(changes) = self.history.redo() else {
            return false;
        };
        for c in &changes {
            self.text
                .replace_range(c.at..c.at + c.removed.len(), &c.inserted);
            self.caret = c.at + c.inserted.len();
            self.anchor = self.caret;
        }
        self.settle();
        true
    }
}

/// The longest prefix of at most `room` bytes that ends on a grapheme boundary.
fn cut(text: &str, room: usize) -> &str {
    if text.len() <= room {
        return text;
    }
    let end = text
        .grapheme_indices(true)
        .map(|(i, g)| i + g.len())
        .take_while(|end| *end <= room)
        .last()
        .unwrap_or(0);
    &text[..end]
}

#[cfg(test)]
#[allow(clippy::unwrap_used, clippy::expect_used)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    #[test]
    fn a_family_is_one_step_and_one_deletion() {
        let mut b = Buffer::new("a👨‍👩‍👧e\u{301}");
        b.step(Step::Back, false);
        assert_eq!(b.caret(), "a👨‍👩‍👧".len());
        b.delete(Step::Back);
        assert_eq!(b.text(), "ae\u{301}");
    }

    #[test]
    fn word_steps_stop_where_words_begin_and_end() {
        let mut b = Buffer::new("one  two, three\nfour");
        let walk = |b: &mut Buffer, step| -> Vec<usize> {
            let mut out = vec![];
            for _ in 0..20 {
                let before = b.caret();
                b.step(step, false);
                if b.caret() == before {
                    break;
                }
                out.push(b.caret());
            }
            out
        };
        b.place(0, false);
        assert_eq!(walk(&mut b, Step::WordForward), [3, 8, 9, 15, 16, 20]);
        assert_eq!(walk(&mut b, Step::WordBack), [16, 15, 10, 8, 5, 0]);
    }

    #[test]
    fn a_double_click_selects_the_word_or_the_blanks() {
        let b = Buffer::new("one  two");
        assert_eq!(b.word_at(1), 0..3);
        assert_eq!(b.word_at(3), 3..5);
        assert_eq!(b.word_at(8), 5..8);
    }

    #[test]
    fn undo_takes_back_a_word_at_a_time_and_redo_brings_it_again() {
        let mut b = Buffer::new("");
        for c in "one two".chars() {
            b.insert(&c.to_string(), Kind::Type);
        }
        b.undo();
        assert_eq!(b.text(), "one ");
        b.undo();
        assert_eq!(b.text(), "");
        b.redo();
        b.redo();
        assert_eq!(b.text(), "one two");
        b.insert("!", Kind::Other);
        assert!(!b.redo(), "a new change ends what could be redone");
    }

    #[derive(Clone, Debug)]
    enum Op {
        Insert(String, bool),
        Delete(u8),
        Step(u8, bool),
        Place(usize, bool),
        Around(usize, usize),
    }

    fn step(n: u8) -> Step {
        [
            Step::Back,
            Step::Forward,
            Step::WordBack,
            Step::WordForward,
            Step::Start,
            Step::End,
        ][n as usize % 6]
    }

    fn op() -> impl Strategy<Value = Op> {
        let text = prop::sample::select(vec![
            "a",
            "é",
            "e\u{301}",
            "\u{301}",
            "👨‍👩‍👧",
            "🇩🇪",
            "🇩",
            " ",
            "\n",
            "שלום",
            "नि",
            "word one",
        ]);
        prop_oneof![
            (text, any::<bool>()).prop_map(|(t, k)| Op::Insert(t.into(), k)),
            any::<u8>().prop_map(Op::Delete),
            (any::<u8>(), any::<bool>()).prop_map(|(s, e)| Op::Step(s, e)),
            (0usize..64, any::<bool>()).prop_map(|(p, e)| Op::Place(p, e)),
            (0usize..6, 0usize..6).prop_map(|(a, b)| Op::Around(a, b)),
        ]
    }

    fn on_boundary(b: &Buffer, byte: usize) -> bool {
        byte == b.text().len() || b.text().grapheme_indices(true).any(|(i, _)| i == byte)
    }

    proptest! {
        #[test]
        fn the_caret_stays_on_graphemes_and_undo_returns_to_the_start(ops in prop::collection::vec(op(), 1..40)) {
            let start = "first שלום 👨‍👩‍👧 line\nsecond";
            let mut b = Buffer::new(start);
            for op in &ops {
                match op {
                    Op::Insert(t, typed) => { b.insert(t, if *typed { Kind::Type } else { Kind::Other }); }
                    Op::Delete(s) => { b.delete(step(*s)); }
                    Op::Step(s, extend) => b.step(step(*s), *extend),
                    Op::Place(p, extend) => b.place(*p, *extend),
                    Op::Around(a, c) => { b.delete_around(*a, *c); }
                }
                prop_assert!(on_boundary(&b, b.caret()), "{:?} caret {}", b.text(), b.caret());
                prop_assert!(on_boundary(&b, b.anchor()), "{:?} anchor {}", b.text(), b.anchor());
            }
            let end = b.text().to_string();
            while b.undo() {
                prop_assert!(on_boundary(&b, b.caret()));
            }
            prop_assert_eq!(b.text(), start);
            while b.redo() {}
            prop_assert_eq!(b.text(), end);
        }
    }
}
