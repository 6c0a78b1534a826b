//! The time as the engine sees it. Nothing in the engine asks the system what time it is: the shell passes a [`Clock`], a test
//! or `--now` a fixed one, and every answer that depends on the day says in which zone.

use std::ops::Range;

use jiff::civil::DateTime;
use jiff::tz::TimeZone;
use jiff::{Timestamp, Zoned};

/// Tells the time. The shell's reads the system's clock.
pub trait Clock: Send + Sync {
    /// The instant now, in the zone a person reads dates in.
    fn now(&self) -> Zoned;
}

/// A clock that stands still (tests, `--now`).
#[derive(Debug, Clone)]
pub struct FixedClock(pub Zoned);

impl Clock for FixedClock {
    fn now(&self) -> Zoned {
        self.0.clone()
    }
}

/// `instant` as records carry it: UTC with milliseconds, `2026-10-01T09:30:00.000Z`.
pub fn iso(instant: Timestamp) -> String {
    spelled(TimeZone::UTC.to_datetime(instant))
}

/// Written digit by digit: every row that is read has two of these.
fn spelled(at: DateTime) -> String {
    let mut text = *b"0000-00-00T00:00:00.000Z";
    let mut digits = |places: Range<usize>, mut number: u16| {
        for place in places.rev() {
            text[place] = b'0' + (number % 10) as u8;
            number /= 10;
        }
    };
    let small = |number: i8| u16::from(number.unsigned_abs());
    // No clock that anybody reads is before the year 0.
    digits(0..4, at.year().unsigned_abs());
    digits(5..7, small(at.month()));
    digits(8..10, small(at.day()));
    digits(11..13, small(at.hour()));
    digits(14..16, small(at.minute()));
    digits(17..19, small(at.second()));
    digits(20..23, at.millisecond().unsigned_abs());
    String::from_utf8_lossy(&text).into_owned()
}

/// The wall-clock reading of `now` in its own zone, spelled like [`iso`]: what a query takes the day and the month from, so
/// that "today" is the person's day and not that of UTC.
pub fn local_iso(now: &Zoned) -> String {
    spelled(now.datetime())
}

/// Minutes east of UTC in `zone` at an instant given in epoch milliseconds, as expressions ask for it.
pub fn offset_in(zone: TimeZone) -> impl Fn(f64) -> i32 + Send + Sync {
    move |milliseconds| {
        // The cast saturates and an instant out of range has no offset: expressions may compute any number.
        Timestamp::from_millisecond(milliseconds as i64)
            .map_or(0, |instant| zone.to_offset(instant).seconds() / 60)
    }
}

/// The instant that `text` (RFC 3339 with an offset or `Z`) names, cut to milliseconds; `None` when it names none or lies
/// outside the years 0 to 9999.
pub fn parse_instant(text: &str) -> Option<Timestamp> {
    let instant: Timestamp = text.trim().parse().ok()?;
    let instant = Timestamp::from_millisecond(instant.as_millisecond()).ok()?;
    (0..=9999)
        .contains(&i32::from(TimeZone::UTC.to_datetime(instant).year()))
        .then_some(instant)
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used, clippy::expect_used)]
    use super::*;

    #[test]
    fn instants_are_spelled_in_utc_with_milliseconds() {
        let t = parse_instant("2026-10-01T11:30:00.1239+02:00").unwrap();
        assert_eq!(iso(t), "2026-10-01T09:30:00.123Z");
        assert_eq!(parse_instant(&iso(t)), Some(t));
        for spelled in ["0000-01-01T00:00:00.000Z", "9999-12-29T23:59:59.999Z"] {
            assert_eq!(parse_instant(spelled).map(iso).as_deref(), Some(spelled));
        }
        assert_eq!(parse_instant("yesterday"), None);
        assert_eq!(parse_instant("2026-10-01"), None, "a day is no instant");
    }

    #[test]
    fn the_local_day_is_the_persons() {
        let now: Zoned = "2026-10-01T00:30:00+14:00[Pacific/Kiritimati]"
            .parse()
            .unwrap();
        assert_eq!(&local_iso(&now)[..10], "2026-10-01");
        assert_eq!(&iso(now.timestamp())[..10], "2026-09-30");
        let offset = offset_in(now.time_zone().clone());
        assert_eq!(offset(now.timestamp().as_millisecond() as f64), 14 * 60);
        assert_eq!(
            offset(f64::NAN),
            offset(0.0),
            "no number reads like the epoch"
        );
        assert_eq!(offset(f64::INFINITY), 0);
    }
}
