//! A schedule's five fields (minute, hour, day, month, weekday): read, and asked for the minutes they name. Days are civil days of a zone;
//! of a minute that a change of the clock skips the next one that exists is meant, of one it repeats the first.

use jiff::civil::{Date, Time, Weekday};
use jiff::tz::TimeZone;
use jiff::{Timestamp, Zoned};

use crate::issue::quoted;

/// How close the minutes of a day may stand (minutes).
const APART: u32 = 15;

/// How far a date is looked for (days): the 29th of February on one weekday comes again within 40 years at most.
const FAR: usize = 366 * 41;

const WEEKDAYS: [&str; 7] = ["SUN", "MON", "TUE", "WED", "THU", "FRI", "SAT"];
const MONTHS: [&str; 12] = [
    "JAN", "FEB", "MAR", "APR", "MAY", "JUN", "JUL", "AUG", "SEP", "OCT", "NOV", "DEC",
];

/// A schedule that reads.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Cron {
    /// The times of a day, in order.
    times: Vec<Time>,
    days: Vec<u32>,
    months: Vec<u32>,
    weekdays: Vec<u32>,
    /// Both are restricted: either is enough, as cron has always had it.
    either_day: bool,
}

impl Cron {
    /// Read a schedule. The minutes of its day stand at least 15 apart.
    ///
    /// # Errors
    /// What is wrong with it, for its author.
    pub fn parse(text: &str) -> Result<Cron, String> {
        let fields: Vec<&str> = text.split_whitespace().collect();
        let [minute, hour, day, month, weekday] = fields.as_slice() else {
            return Err(format!(
                "a schedule has five fields (minute hour day month weekday), this one has {}",
                fields.len()
            ));
        };
        let minutes = field(minute, 0, 59, &[], 0)?;
        let hours = field(hour, 0, 23, &[], 0)?;
        let days = field(day, 1, 31, &[], 0)?;
        let months = field(month, 1, 12, &MONTHS, 1)?;
        let mut weekdays = field(weekday, 0, 7, &WEEKDAYS, 0)?;
        // Sunday has two numbers.
        weekdays.iter_mut().for_each(|n| *n %= 7);
        let mut all: Vec<u32> = (hours.iter())
            .flat_map(|h| minutes.iter().map(move |m| h * 60 + m))
            .collect();
        all.sort_unstable();
        let close = all.windows(2).any(|w| w[1] - w[0] < APART);
        let over_midnight = all.len() > 1 && all[0] + 24 * 60 - all[all.len() - 1] < APART;
        if close || over_midnight {
            return Err("a schedule runs at most every 15 minutes: spread it out".into());
        }
        let either_day = *day != "*" && *weekday != "*";
        let longest = |month: u32| match month {
            2 => 29,
            4 | 6 | 9 | 11 => 30,
            _ => 31,
        };
        let comes = |day: &u32| months.iter().any(|m| *day <= longest(*m));
        if !either_day && !days.iter().any(comes) {
            return Err("none of its months has such a day".into());
        }
        let time = |n: u32| Time::new((n / 60) as i8, (n % 60) as i8, 0, 0).ok();
        Ok(Cron {
            times: all.into_iter().filter_map(time).collect(),
            either_day,
            days,
            months,
            weekdays,
        })
    }

    /// The first of its moments after `after`, in that one's zone; `None` where there is none within a lifetime.
    pub fn next(&self, after: &Zoned) -> Option<Timestamp> {
        let zone = after.time_zone();
        let of = |date: Date| {
            self.of_day(date, zone)
                .filter(|at| *at > after.timestamp())
                .min()
        };
        // A minute that the evening before has skipped may be in this day.
        let mut date = after.date().yesterday().ok()?;
        for _ in 0..FAR {
            let next = date.tomorrow().ok()?;
            if let Some(at) = of(date) {
                return Some(of(next).map_or(at, |other| other.min(at)));
            }
            date = next;
        }
        None
    }

    /// The last of its moments after `after`, up to `until`.
    pub fn latest(&self, after: &Zoned, until: Timestamp) -> Option<Timestamp> {
        let (mut last, mut from) = (None, after.clone());
        while let Some(next) = self.next(&from).filter(|next| *next <= until) {
            last = Some(next);
            from = next.to_zoned(after.time_zone().clone());
        }
        last
    }

    fn is_on(&self, date: Date) -> bool {
        let has = |all: &[u32], n: i8| u32::try_from(n).is_ok_and(|n| all.contains(&n));
        let day = has(&self.days, date.day());
        let weekday = has(&self.weekdays, sunday_is_zero(date.weekday()));
        has(&self.months, date.month())
            && if self.either_day {
                day || weekday
            } else {
                day && weekday
            }
    }

    fn of_day(&self, date: Date, zone: &TimeZone) -> impl Iterator<Item = Timestamp> {
        let times = self.times.iter().filter(move |_| self.is_on(date));
        times.filter_map(move |time| {
            let at = zone.to_ambiguous_timestamp(date.to_datetime(*time));
            at.compatible().ok()
        })
    }
}

fn sunday_is_zero(day: Weekday) -> i8 {
    day.to_sunday_zero_offset()
}

/// One field of a schedule as the numbers it names.
fn field(text: &str, low: u32, high: u32, names: &[&str], first: u32) -> Result<Vec<u32>, String> {
    let wrong = || {
        format!(
            "{} is no part of a schedule: use numbers from {low} to {high}, *, lists, ranges and steps",
            quoted(text)
        )
    };
    let number = |word: &str| -> Option<u32> {
        let named = names
            .iter()
            .position(|n| n.eq_ignore_ascii_case(word))
            .and_then(|i| u32::try_from(i).ok())
            .map(|i| i + first);
        named
            .or_else(|| word.parse().ok())
            .filter(|n| (low..=high).contains(n))
    };
    let mut out = Vec::new();
    for part in text.split(',') {
        let (range, step) = part
            .split_once('/')
            .map_or((part, None), |(r, s)| (r, Some(s)));
        let step = match step {
            Some(s) => s
                .parse::<usize>()
                .ok()
                .filter(|s| *s > 0)
                .ok_or_else(wrong)?,
            None => 1,
        };
        let (from, to) = match range.split_once('-') {
            _ if range == "*" => (low, high),
            Some((a, b)) => (number(a).ok_or_else(wrong)?, number(b).ok_or_else(wrong)?),
            None => {
                let one = number(range).ok_or_else(wrong)?;
                (one, if step > 1 { high } else { one })
            }
        };
        if from > to {
            return Err(wrong());
        }
        out.extend((from..=to).step_by(step));
    }
    out.sort_unstable();
    out.dedup();
    Ok(out)
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]
    use super::*;

    #[test]
    fn a_schedule_reads_numbers_names_lists_ranges_and_steps() {
        for good in [
            "0 8 * * MON",
            "0,30 9-17 * * 1-5",
            "*/15 * * * *",
            "5 0 1 JAN *",
            "0 0 * * 7",
        ] {
            assert!(Cron::parse(good).is_ok(), "{good}");
        }
        for bad in [
            "* * * * *",
            "*/5 * * * *",
            "0,10 * * * *",
            "0 8 * *",
            "60 8 * * *",
            "0 8 * * FOO",
            "0 8 5-1 * *",
            "0/0 8 * * *",
            "59,0 0,23 * * *",
            "0 0 31 FEB,APR *",
        ] {
            assert!(Cron::parse(bad).is_err(), "{bad}");
        }
    }

    /// The next moments of `cron` after `from`, in the zone of that one.
    fn nexts(cron: &str, from: &str, n: usize) -> Vec<String> {
        let cron = Cron::parse(cron).unwrap();
        let mut at: Zoned = from.parse().unwrap();
        let mut all = Vec::new();
        for _ in 0..n {
            at = cron.next(&at).unwrap().to_zoned(at.time_zone().clone());
            all.push(at.strftime("%a %Y-%m-%d %H:%M").to_string());
        }
        all
    }

    #[test]
    fn the_next_moments_are_those_it_names() {
        let vienna = "2026-11-30T08:00:00[Europe/Vienna]";
        assert_eq!(
            nexts("0 8 * * MON", vienna, 2),
            ["Mon 2026-12-07 08:00", "Mon 2026-12-14 08:00"]
        );
        assert_eq!(
            nexts("0,30 17 * * *", vienna, 3),
            [
                "Mon 2026-11-30 17:00",
                "Mon 2026-11-30 17:30",
                "Tue 2026-12-01 17:00"
            ]
        );
        // The 13th, and every Friday.
        assert_eq!(
            nexts("0 0 13 * FRI", "2026-12-10T00:00:00[UTC]", 3),
            [
                "Fri 2026-12-11 00:00",
                "Sun 2026-12-13 00:00",
                "Fri 2026-12-18 00:00"
            ]
        );
        assert_eq!(
            nexts("0 0 29 FEB *", vienna, 2),
            ["Tue 2028-02-29 00:00", "Sun 2032-02-29 00:00"]
        );
    }

    #[test]
    fn a_change_of_the_clock_neither_skips_nor_repeats_a_run() {
        // Half past two is not there on the last Sunday of March, and there twice on that of October.
        assert_eq!(
            nexts("30 2 * * *", "2026-03-28T12:00:00[Europe/Vienna]", 2),
            ["Sun 2026-03-29 03:30", "Mon 2026-03-30 02:30"]
        );
        assert_eq!(
            nexts("30 2 * * *", "2026-10-24T12:00:00[Europe/Vienna]", 2),
            ["Sun 2026-10-25 02:30", "Mon 2026-10-26 02:30"]
        );
    }

    #[test]
    fn the_latest_is_the_last_one_that_is_due() {
        let cron = Cron::parse("*/15 * * * *").unwrap();
        let after: Zoned = "2026-11-30T08:00:00[UTC]".parse().unwrap();
        let until = |text: &str| text.parse().unwrap();
        assert_eq!(cron.latest(&after, until("2026-11-30T08:14:59Z")), None);
        let due = until("2026-11-30T09:45:00Z");
        assert_eq!(cron.latest(&after, due), Some(due));
        assert_eq!(
            cron.latest(&after, until("2026-11-30T09:59:00Z")),
            Some(due)
        );
    }
}
