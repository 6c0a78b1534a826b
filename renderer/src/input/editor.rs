//! One text field being edited: the buffer, what the surface was told and has answered, the caret's blink. Knows no surface: it says
//! what to tell, [`super::typing`] tells it.

use super::buffer::{Buffer, Step};
use super::history::Kind;
use super::intent::{Edit, FieldSpec, Purpose};
use crate::geometry::Point;

/// A `change` is told this long after the last keystroke.
pub(crate) const CHANGE_DELAY: f64 = 150.0;
/// Half a blink of the caret.
const BLINK: f64 = 530.0;
/// A caret nobody moves stops blinking, so that an idle field wakes nobody.
const BLINK_FOR: f64 = 5000.0;
/// Told values whose echo is still awaited.
const MOST_ECHOES: usize = 64;

#[derive(Clone, Debug)]
pub(crate) struct Editor {
    pub id: String,
    pub spec: FieldSpec,
    pub buffer: Buffer,
    /// What the painter reads.
    pub view: Edit,
    /// The x a run of up and down moves keeps to.
    pub goal_x: Option<f32>,
    /// The prop as it was last seen.
    base: String,
    /// Values told to the surface that may still come back.
    told: Vec<String>,
    /// The text as it was when the surface last heard it whole (focus, commit, submit).
    committed: String,
    changed_at: Option<f64>,
    moved_at: f64,
    /// When the caret's half was last decided.
    blinked_at: f64,
    blinks: bool,
}

impl Editor {
    /// Start editing `text`, all of it selected when the focus came by the keyboard.
    pub fn new(id: String, spec: FieldSpec, text: &str, select: bool, now: f64) -> Editor {
        let mut buffer = Buffer::new(text);
        if select && !spec.multiline {
            buffer.select_all();
        }
        let mut e = Editor {
            id,
            spec,
            base: text.to_string(),
            committed: text.to_string(),
            told: Vec::new(),
            buffer,
            view: Edit {
                focused: true,
                caret_on: true,
                ..Edit::default()
            },
            goal_x: None,
            changed_at: None,
            moved_at: now,
            blinked_at: now,
            blinks: true,
        };
        e.refresh();
        e
    }

    /// Copy the buffer into what the painter reads.
    pub fn refresh(&mut self) {
        if self.view.text != self.buffer.text() {
            self.view.text = self.buffer.text().to_string();
        }
        self.view.caret = self.buffer.caret();
        self.view.anchor = self.buffer.anchor();
    }

    /// The caret moved or the text changed: show the caret steadily first.
    pub fn touched(&mut self, now: f64) {
        self.moved_at = now;
        self.blinked_at = now;
        self.view.caret_on = true;
        self.refresh();
    }

    /// Type `text` over the selection. Line breaks become blanks where there is one line; a number field takes no letters.
    pub fn insert(&mut self, text: &str, kind: Kind, now: f64) -> bool {
        let text: String = text
            .replace("\r\n", "\n")
            .chars()
            .filter(|c| *c == '\n' || *c == '\t' || !c.is_control())
            .map(|c| {
                if c == '\n' && !self.spec.multiline {
                    ' '
                } else {
                    c
                }
            })
            .filter(|c| self.spec.purpose != Purpose::Number || in_number(*c))
            .collect();
        if text.is_empty() && self.buffer.selection().is_empty() {
            return false;
        }
        let changed = self.buffer.insert(&text, kind);
        self.after_change(changed, now)
    }

    pub fn delete(&mut self, step: Step, now: f64) -> bool {
        let step = self.masked(step);
        let changed = self.buffer.delete(step);
        self.after_change(changed, now)
    }

    pub fn delete_around(&mut self, before: usize, after: usize, now: f64) -> bool {
        let changed = self.buffer.delete_around(before, after);
        self.after_change(changed, now)
    }

    pub fn undo(&mut self, now: f64) -> bool {
        let changed = self.buffer.undo();
        self.after_change(changed, now)
    }

    pub fn redo(&mut self, now: f64) -> bool {
        let changed = self.buffer.redo();
        self.after_change(changed, now)
    }

    pub fn step(&mut self, step: Step, extend: bool, now: f64) {
        self.goal_x = None;
        let step = self.masked(step);
        self.buffer.step(step, extend);
        self.touched(now);
    }

    /// The words of a secret are nobody's business: its word steps go all the way.
    fn masked(&self, step: Step) -> Step {
        match step {
            Step::WordBack if self.spec.secret => Step::Start,
            Step::WordForward if self.spec.secret => Step::End,
            s => s,
        }
    }

    fn after_change(&mut self, changed: bool, now: f64) -> bool {
        if changed {
            self.goal_x = None;
            self.changed_at = Some(now);
        }
        self.touched(now);
        changed
    }

    /// The value to tell as `change`, once typing has paused (`due`) or whatever waits.
    pub fn take_change(&mut self, due: Option<f64>) -> Option<String> {
        let at = self.changed_at?;
        if due.is_some_and(|now| now + 0.5 < at + CHANGE_DELAY) {
            return None;
        }
        self.changed_at = None;
        let text = self.buffer.text().to_string();
        self.tell(&text);
        Some(text)
    }

    fn tell(&mut self, text: &str) {
        if self.told.last().map(String::as_str) != Some(text) {
            self.told.push(text.to_string());
        }
        if self.told.len() > MOST_ECHOES {
            self.told.remove(0);
        }
    }

    /// The text of a commit or submit. From here on the surface's answer is the truth.
    pub fn settle(&mut self) -> String {
        self.changed_at = None;
        self.told.clear();
        self.committed = self.buffer.text().to_string();
        self.committed.clone()
    }

    /// Was anything typed since the surface last heard the whole text?
    pub fn uncommitted(&self) -> bool {
        self.buffer.text() != self.committed
    }

    /// The prop that holds the text is now `value`. True when the field takes it over.
    pub fn heard(&mut self, value: &str, now: f64) -> bool {
        if value == self.base {
            return false;
        }
        self.base = value.to_string();
        if self.told.last().is_some_and(|t| t == value) {
            // Everything told has come back.
            self.told.clear();
            return false;
        }
        let newer = self.changed_at.is_some() || self.view.preedit.is_some();
        if newer || self.told.iter().any(|t| t == value) || value == self.buffer.text() {
            return false;
        }
        if same_number(self.spec, value, self.buffer.text()) {
            // The surface shows what was typed in its own form; the typed form stays until the field is left.
            return false;
        }
        self.told.clear();
        self.committed = value.to_string();
        self.buffer.replace_all(value);
        self.touched(now);
        true
    }

    /// After a commit: show the text as the surface has it.
    pub fn reload(&mut self, value: &str, now: f64) {
        self.base = value.to_string();
        if self.buffer.text() != value && self.changed_at.is_none() {
            self.committed = value.to_string();
            self.buffer.replace_all(value);
            self.touched(now);
        }
    }

    /// When the caret or a debounced change wants attention next.
    pub fn next_wake(&self) -> Option<f64> {
        let change = self.changed_at.map(|t| t + CHANGE_DELAY);
        let blink = self.next_blink();
        match (change, blink) {
            (Some(a), Some(b)) => Some(a.min(b)),
            (a, b) => a.or(b),
        }
    }

    fn next_blink(&self) -> Option<f64> {
        if !self.blinks || !self.view.focused {
            return None;
        }
        let end = self.moved_at + BLINK_FOR;
        let halves = ((self.blinked_at - self.moved_at) / BLINK + 0.001)
            .floor()
            .max(0.0);
        let at = (self.moved_at + (halves + 1.0) * BLINK).min(end);
        // After the last one the caret stays on.
        (self.blinked_at + 0.5 < end || !self.view.caret_on).then_some(at)
    }

    /// Let the caret blink at `now`. True when it changed.
    pub fn blink(&mut self, now: f64, still: bool) -> bool {
        self.blinks = !still;
        self.blinked_at = now;
        let idle = now - self.moved_at;
        let on = still || idle >= BLINK_FOR || (idle / BLINK + 0.001).floor() as i64 % 2 == 0;
        std::mem::replace(&mut self.view.caret_on, on) != on
    }

    pub fn scroll_to(&mut self, scroll: Point) {
        self.view.scroll = scroll;
    }
}

fn in_number(c: char) -> bool {
    c.is_numeric()
        || matches!(
            c,
            '+' | '-'
                | '−'
                | '.'
                | ','
                | '\''
                | '’'
                | '٫'
                | '٬'
                | ' '
                | '\u{a0}'
                | '\u{202f}'
                | '%'
        )
}

fn same_number(spec: FieldSpec, shown: &str, typed: &str) -> bool {
    let digits = |s: &str| -> String {
        s.chars()
            .filter(|c| c.is_numeric() || matches!(c, '-' | '−'))
            .collect()
    };
    spec.purpose == Purpose::Number && {
        let (a, b) = (digits(shown), digits(typed));
        a == b
            || a.trim_start_matches('0').trim_end_matches('0')
                == b.trim_start_matches('0').trim_end_matches('0')
    }
}
