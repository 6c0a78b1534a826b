//! The system's clock: the one place of the shell that asks what time it is, in the zone the session reads dates in.

use ede_engine::clock::Clock;
use jiff::Zoned;

/// The time of this machine, in its time zone (`TZ`, else the system's).
#[derive(Debug, Clone, Copy, Default)]
pub struct SystemClock;

impl Clock for SystemClock {
    fn now(&self) -> Zoned {
        Zoned::now()
    }
}
