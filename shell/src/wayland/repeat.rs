//! Key repeat, on the loop's timers.
//!
//! Not smithay-client-toolkit's own: its timer goes with the keyboard object, which goes while the loop is busy reading,
//! so a keyboard unplugged after its first key would panic.

use super::event::{KeyPhase, SeatId};
use super::platform::Platform;
use super::runtime::Runtime;
use super::spec::SurfaceId;
use calloop::RegistrationToken;
use calloop::timer::{TimeoutAction, Timer};
use smithay_client_toolkit::seat::keyboard::{KeyEvent, RepeatInfo};
use std::time::Duration;

/// The key that is down, and where it types.
struct Held {
    key: KeyEvent,
    on: SurfaceId,
}

/// How one seat's keys repeat.
pub(super) struct Repeat {
    /// Wait, then pace; `None`: keys do not repeat.
    pace: Option<(Duration, Duration)>,
    held: Option<Held>,
    timer: Option<RegistrationToken>,
}

impl Default for Repeat {
    /// For seats too old to say.
    fn default() -> Self {
        Repeat {
            pace: Some((Duration::from_millis(600), Duration::from_millis(40))),
            held: None,
            timer: None,
        }
    }
}

impl Repeat {
    pub fn configure(&mut self, info: RepeatInfo) {
        self.pace = match info {
            RepeatInfo::Disable => None,
            RepeatInfo::Repeat { rate, delay } => {
                let pace = Duration::from_micros(1_000_000 / u64::from(rate.get()));
                // A pace of zero would never let the loop sleep.
                Some((
                    Duration::from_millis(delay.into()),
                    pace.max(Duration::from_millis(1)),
                ))
            }
        };
    }
}

impl Platform {
    /// A key went down on `on`: it repeats in place of the one before.
    pub(super) fn start_repeat(&mut self, seat_id: SeatId, on: SurfaceId, key: &KeyEvent) {
        // Keys that change what others mean are held to be held.
        if key.keysym.is_modifier_key() {
            return;
        }
        self.stop_repeat(seat_id, None);
        let Some(seat) = self.seats.find(|seat| seat.id == seat_id) else {
            return;
        };
        let Some((delay, pace)) = seat.repeat.pace else {
            return;
        };
        let timer = Timer::from_duration(delay);
        let token = self
            .handle
            .insert_source(timer, move |_, (), runtime: &mut Runtime| {
                if runtime.platform.repeat(seat_id, pace) {
                    TimeoutAction::ToDuration(pace)
                } else {
                    TimeoutAction::Drop
                }
            });
        if let (Ok(token), Some(seat)) = (token, self.seats.find(|seat| seat.id == seat_id)) {
            seat.repeat.timer = Some(token);
            seat.repeat.held = Some(Held {
                key: key.clone(),
                on,
            });
        }
    }

    /// The key with this code is up, or (`None`) whatever is held does not count any more.
    pub(super) fn stop_repeat(&mut self, seat: SeatId, code: Option<u32>) {
        let Some(seat) = self.seats.find(|known| known.id == seat) else {
            return;
        };
        let other = |held: &Held| code.is_some_and(|code| held.key.raw_code != code);
        if seat.repeat.held.as_ref().is_some_and(other) {
            return;
        }
        seat.repeat.held = None;
        if let Some(token) = seat.repeat.timer.take() {
            self.handle.remove(token);
        }
    }

    /// Type the held key again. `false` if it is held no more.
    fn repeat(&mut self, seat_id: SeatId, pace: Duration) -> bool {
        let Some(seat) = self.seats.find(|seat| seat.id == seat_id) else {
            return false;
        };
        let keys_on = seat.keys_on;
        let held = seat
            .repeat
            .held
            .as_mut()
            .filter(|held| keys_on == Some(held.on));
        let Some(held) = held else {
            seat.repeat.held = None;
            seat.repeat.timer = None;
            return false;
        };
        let passed = u32::try_from(pace.as_millis()).unwrap_or(u32::MAX);
        held.key.time = held.key.time.wrapping_add(passed);
        let key = held.key.clone();
        self.key(seat_id, None, key, KeyPhase::Repeated);
        true
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::num::NonZeroU32;

    #[test]
    fn no_rate_keeps_the_loop_awake() {
        let mut repeat = Repeat::default();
        repeat.configure(RepeatInfo::Repeat {
            rate: NonZeroU32::MAX,
            delay: 0,
        });
        assert!(repeat.pace.is_some_and(|(_, pace)| !pace.is_zero()));
        repeat.configure(RepeatInfo::Disable);
        assert_eq!(repeat.pace, None);
    }
}
