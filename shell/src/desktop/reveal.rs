//! When a panel that hides itself is out. It comes when a pointer has rested at its edge for a while, or somebody needs it at once (the
//! keyboard, a finger), and goes a little after nobody is in it any more. Plain values over a clock in ms: it knows no surface.

use super::motion::Motion;

/// How long it stays after the pointer left (ms): long enough to come back to what was just missed.
const LEAVES: f64 = 400.0;
/// How long it stays after a finger called it.
const LINGERS: f64 = 3000.0;
/// A step of the movement (ms).
const STEP: f64 = 16.0;

#[derive(Clone, Debug, PartialEq)]
pub struct Reveal {
    /// How long a pointer rests at the edge before the panel comes (ms).
    delay: f64,
    /// Where it is going, or is.
    out: bool,
    /// How far out it was when it set off, and when that was.
    from: f32,
    since: f64,
    /// When it sets off to the other side.
    due: Option<f64>,
    pointer: bool,
    held: bool,
    motion: Motion,
}

impl Reveal {
    /// Hidden, with nobody near.
    pub fn new(delay_ms: u32, motion: Motion) -> Reveal {
        Reveal {
            delay: f64::from(delay_ms),
            out: false,
            from: 0.0,
            since: f64::NEG_INFINITY,
            due: None,
            pointer: false,
            held: false,
            motion,
        }
    }

    /// The document or the theme says otherwise now.
    pub fn set(&mut self, delay_ms: u32, motion: Motion) {
        (self.delay, self.motion) = (f64::from(delay_ms), motion);
    }

    /// Does it take presses on all of its plate? Else it is a strip at the edge.
    pub fn is_out(&self) -> bool {
        self.out
    }

    /// A pointer, or something dragged, is on it or went.
    pub fn pointer(&mut self, inside: bool, now: f64) {
        if self.pointer != inside {
            self.pointer = inside;
            self.decide(now);
        }
    }

    /// Something of it is in use: a popup, the keyboard, a press that is down.
    pub fn hold(&mut self, held: bool, now: f64) {
        if self.held != held {
            self.held = held;
            self.decide(now);
        }
    }

    /// It was pressed at its edge: it comes at once, and stays a while even if nobody is on it.
    pub fn call(&mut self, now: f64) {
        self.turn(true, now);
        self.due = (!self.pointer && !self.held).then_some(now + LINGERS);
    }

    fn decide(&mut self, now: f64) {
        let wanted = self.pointer || self.held;
        if wanted == self.out {
            self.due = None;
        } else if self.held {
            self.turn(true, now);
        } else {
            let wait = if wanted { self.delay } else { LEAVES };
            self.due = Some(now + wait);
        }
    }

    fn turn(&mut self, out: bool, now: f64) {
        self.due = None;
        if self.out != out {
            self.from = self.shown(now);
            self.since = now;
            self.out = out;
        }
    }

    /// Set off if it is time.
    pub fn step(&mut self, now: f64) {
        if self.due.is_some_and(|due| due <= now) {
            self.turn(!self.out, now);
        }
    }

    /// How far out it is: 0 hidden, 1 all of it.
    pub fn shown(&self, now: f64) -> f32 {
        let goal = if self.out { 1.0 } else { 0.0 };
        self.from + (goal - self.from) * self.motion.at(now - self.since)
    }

    /// When [`Reveal::step`] should be called next; `None` while nothing is to come.
    pub fn next_wake(&self, now: f64) -> Option<f64> {
        let moves = now - self.since < self.motion.ms;
        moves.then_some(now + STEP).or(self.due)
    }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]
    use super::*;
    use crate::desktop::setup;

    fn reveal() -> Reveal {
        let desk = setup::desk(
            &setup::Look::default(),
            Default::default(),
            crate::desktop::feed::Records::Empty,
        )
        .unwrap();
        Reveal::new(200, Motion::of(&desk.style))
    }

    /// Let everything that is to come happen; the time after it.
    fn settle(r: &mut Reveal, mut now: f64) -> f64 {
        while let Some(next) = r.next_wake(now) {
            now = next;
            r.step(now);
        }
        now
    }

    #[test]
    fn a_pointer_that_passes_leaves_it_hidden_and_one_that_rests_brings_it() {
        let mut r = reveal();
        assert_eq!((r.shown(0.0), r.next_wake(0.0)), (0.0, None));
        r.pointer(true, 0.0);
        r.step(199.0);
        assert!(!r.is_out());
        r.pointer(false, 199.0);
        assert_eq!(r.next_wake(199.0), None);
        r.pointer(true, 1000.0);
        let now = settle(&mut r, 1000.0);
        assert!(r.is_out() && r.shown(now) == 1.0 && now >= 1200.0);
    }

    #[test]
    fn it_goes_a_little_after_the_pointer_and_not_while_it_is_held() {
        let mut r = reveal();
        r.pointer(true, 0.0);
        let now = settle(&mut r, 0.0);
        r.hold(true, now);
        r.pointer(false, now);
        assert_eq!(r.next_wake(now), None);
        r.hold(false, now + 5000.0);
        assert!(r.is_out());
        // Back in time: nothing happens.
        r.pointer(true, now + 5100.0);
        assert_eq!(r.next_wake(now + 5100.0), None);
        r.pointer(false, now + 6000.0);
        let end = settle(&mut r, now + 6000.0);
        assert_eq!((r.is_out(), r.shown(end)), (false, 0.0));
    }

    #[test]
    fn the_keyboard_brings_it_at_once_and_it_turns_round_where_it_is() {
        let mut r = reveal();
        r.hold(true, 0.0);
        assert!(r.is_out() && r.shown(0.0) == 0.0);
        let half = r.shown(30.0);
        assert!(half > 0.0 && half < 1.0);
        r.turn(false, 30.0);
        assert_eq!(r.shown(30.0), half);
    }

    #[test]
    fn a_finger_at_the_edge_brings_it_for_a_while() {
        let mut r = reveal();
        r.call(0.0);
        assert!(r.is_out());
        let end = settle(&mut r, 0.0);
        assert!(!r.is_out() && end > LINGERS);
    }
}
