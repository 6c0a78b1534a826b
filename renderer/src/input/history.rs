//! Undo and redo of a text field. Typing runs together until a word begins or the caret rests elsewhere.

/// One replacement, with the selection as it was before.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Change {
    pub at: usize,
    pub removed: String,
    pub inserted: String,
    pub caret: usize,
    pub anchor: usize,
}

/// What made a change: typed letters and deleted ones run together, anything else stands alone.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    Type,
    Delete,
    Other,
}

/// Steps kept for undo.
const MOST: usize = 256;
/// Bytes of removed and inserted text kept for undo.
const MOST_BYTES: usize = 4 << 20;

#[derive(Clone, Debug, Default)]
pub(crate) struct History {
    done: Vec<Vec<Change>>,
    undone: Vec<Vec<Change>>,
    /// What may still join the last step.
    open: Option<Kind>,
    bytes: usize,
}

impl History {
    pub fn push(&mut self, change: Change, kind: Kind) {
        self.undone.clear();
        self.bytes += change.removed.len() + change.inserted.len();
        let joins = self.open == Some(kind)
            && kind != Kind::Other
            && self
                .done
                .last()
                .and_then(|step| step.last())
                .is_some_and(|last| follows(last, &change, kind));
        match self.done.last_mut().filter(|_| joins) {
            Some(step) => step.push(change),
            None => self.done.push(vec![change]),
        }
        self.open = Some(kind);
        while self.done.len() > MOST || (self.bytes > MOST_BYTES && self.done.len() > 1) {
            let gone = self.done.remove(0);
            self.bytes -= size(&gone);
        }
    }

    /// The caret moved: the next change starts a step of its own.
    pub fn rest(&mut self) {
        self.open = None;
    }

    /// The changes of the last step, to be taken back from the last to the first.
    pub fn undo(&mut self) -> Option<Vec<Change>> {
        self.open = None;
        let step = self.done.pop()?;
        self.bytes -= size(&step);
        self.undone.push(step.clone());
        Some(step)
    }

    pub fn redo(&mut self) -> Option<Vec<Change>> {
        self.open = None;
        let step = self.undone.pop()?;
        self.bytes += size(&step);
        self.done.push(step.clone());
        Some(step)
    }
}

fn size(step: &[Change]) -> usize {
    step.iter()
        .map(|c| c.removed.len() + c.inserted.len())
        .sum()
}

fn follows(last: &Change, next: &Change, kind: Kind) -> bool {
    match kind {
        Kind::Type => {
            let blank = |s: &str, end: bool| {
                let c = if end {
                    s.chars().next_back()
                } else {
                    s.chars().next()
                };
                c.is_some_and(char::is_whitespace)
            };
            // A step ends where a word does: the blanks belong to the word before them.
            let word_begins = blank(&last.inserted, true) && !blank(&next.inserted, false);
            next.removed.is_empty() && next.at == last.at + last.inserted.len() && !word_begins
        }
        Kind::Delete => {
            last.inserted.is_empty()
                && (next.at + next.removed.len() == last.at || next.at == last.at)
        }
        Kind::Other => false,
    }
}
