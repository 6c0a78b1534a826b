//! A calendar by keyboard: the focus moves by day, week, month and year, and the page turns when it must.

use serde_json::Value;

use super::cx::InputCx;
use super::event::{Key, KeyPress};
use super::focus::By;
use super::rove::is_rtl;
use super::{Input, order, role};

impl Input {
    /// Days: arrows by day and week, pages by month and year, Home and End by week.
    pub(crate) fn day_key(&mut self, cx: &mut InputCx<'_>, slot: u32, key: &KeyPress) -> bool {
        let Some(n) = cx.node(slot).map(|n| &n.placed) else {
            return false;
        };
        let (Some(owner), Some(date)) = (
            n.owner.clone(),
            n.props
                .get("date")
                .and_then(Value::as_str)
                .map(str::to_string),
        ) else {
            return false;
        };
        let week =
            n.id.rsplit('.')
                .next()
                .and_then(|d| d.parse::<i64>().ok())
                .unwrap_or(0);
        let Some(day) = Day::parse(&date) else {
            return false;
        };
        let rtl = is_rtl(cx, slot);
        let back = if rtl { 1 } else { -1 };
        let to = match key.key {
            Key::Left => day.plus_days(back),
            Key::Right => day.plus_days(-back),
            Key::Up => day.plus_days(-7),
            Key::Down => day.plus_days(7),
            Key::Home => day.plus_days(-week),
            Key::End => day.plus_days(6 - week),
            Key::PageUp => day.plus_months(if key.mods.shift { -12 } else { -1 }),
            Key::PageDown => day.plus_months(if key.mods.shift { 12 } else { 1 }),
            _ => return false,
        };
        self.rove.day = Some((owner, to.iso()));
        self.turn_to_day(cx);
        true
    }

    /// Focus the day the keyboard asked for, turning the calendar's page until it is there.
    pub(crate) fn turn_to_day(&mut self, cx: &mut InputCx<'_>) {
        let Some((owner, date)) = self.rove.day.clone() else {
            return;
        };
        let Some(want) = Day::parse(&date) else {
            self.rove.day = None;
            return;
        };
        let title = cx.slot(&format!("{owner}.title")).and_then(|s| cx.node(s));
        let shown = title.and_then(|n| {
            Some((
                n.placed.props.get("year")?.as_i64()?,
                n.placed.props.get("month")?.as_i64()?,
            ))
        });
        let Some((year, month)) = shown else {
            self.rove.day = None;
            return;
        };
        let months = (want.year - year) * 12 + (want.month - month);
        if months != 0 {
            let part = if months > 0 { "next" } else { "previous" };
            let Some(turn) = cx.slot(&format!("{owner}.{part}")) else {
                self.rove.day = None;
                return;
            };
            for _ in 0..months.unsigned_abs().min(24) {
                cx.fire(turn, "press", None);
            }
            return;
        }
        let mut found = None;
        if let Some(layer) = cx.scene.layers().iter().rfind(|l| l.owner == owner) {
            order::each(cx.scene, layer.root, &mut |s| {
                if let Some(n) = cx.scene.node(s)
                    && n.placed.part.as_deref() == Some("day")
                    && n.placed.props.get("date").and_then(Value::as_str) == Some(date.as_str())
                    && !role::flag(&n.placed, "outside")
                {
                    found = Some(s);
                }
            });
        }
        self.rove.day = None;
        if found.is_some_and(|s| {
            cx.node(s)
                .is_some_and(|n| role::focusable(n, cx.res.registry.of(&n.placed)))
        }) {
            self.focus_on(cx, found, By::Keyboard);
        }
    }
}

/// A day of the Gregorian calendar.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Day {
    year: i64,
    month: i64,
    day: i64,
}

impl Day {
    fn parse(iso: &str) -> Option<Day> {
        let mut parts = iso.splitn(3, '-').map(|p| p.parse::<i64>().ok());
        let (year, month, day) = (parts.next()??, parts.next()??, parts.next()??);
        ((1..=12).contains(&month) && (1..=31).contains(&day)).then_some(Day { year, month, day })
    }

    fn iso(self) -> String {
        format!("{:04}-{:02}-{:02}", self.year, self.month, self.day)
    }

    fn length(year: i64, month: i64) -> i64 {
        let leap = (year % 4 == 0 && year % 100 != 0) || year % 400 == 0;
        match month {
            2 => 28 + i64::from(leap),
            4 | 6 | 9 | 11 => 30,
            _ => 31,
        }
    }

    /// At most a few weeks either way.
    fn plus_days(mut self, days: i64) -> Day {
        self.day += days;
        while self.day < 1 {
            let to = self.plus_months(-1);
            self = Day {
                day: self.day + Day::length(to.year, to.month),
                ..to
            };
        }
        while self.day > Day::length(self.year, self.month) {
            let day = self.day - Day::length(self.year, self.month);
            let to = Day { day: 1, ..self }.plus_months(1);
            self = Day { day, ..to };
        }
        self
    }

    fn plus_months(self, months: i64) -> Day {
        let total = self.year * 12 + self.month - 1 + months;
        let (year, month) = (total.div_euclid(12), total.rem_euclid(12) + 1);
        Day {
            year,
            month,
            day: self.day.clamp(1, Day::length(year, month)),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn days_cross_months_and_years() {
        let day = Day {
            year: 2024,
            month: 3,
            day: 1,
        };
        assert_eq!(day.plus_days(-1).iso(), "2024-02-29");
        assert_eq!(day.plus_days(-7).iso(), "2024-02-23");
        let last = Day {
            year: 2025,
            month: 12,
            day: 31,
        };
        assert_eq!(last.plus_days(1).iso(), "2026-01-01");
        assert_eq!(last.plus_months(2).iso(), "2026-02-28");
    }
}
