//! `ede:clock`: the time, the date and one month's calendar, in the person's zone and locale. Reads nothing.
//!
//! Parameters: `seconds=1` puts seconds into `time` and makes the value change each second instead of each minute;
//! `month=2026-10` or `month=-1` (months from this one) picks the month whose calendar is answered, default this one.
//!
//! The value:
//! `{iso, date, time, weekday, weekdayShort, day, dateLong, dateShort, week, hour, minute, hourLabel, minuteLabel, month}`, where
//! `hourLabel` and `minuteLabel` are the two halves of `time` as people there write them, and `month` is
//! `{key, label, name, year, previous, next, current, weekdays: [{key, label, name}], weeks: [{week, days}], days: [42 × {date,
//! day, outside, today, weekend}]}`. `date` is `YYYY-MM-DD`, `week` the ISO week; texts are English, digits the locale's.

use ede_engine::binding::Answer;
use eui_core::format::english_names;
use jiff::civil::{Date, Weekday};
use jiff::{Span, Timestamp, Zoned};
use serde_json::{Map, Value, json};

use super::{Params, Source, SourceCx};
use crate::formatter::Locale;

/// Six weeks: every month fits, and the calendar never changes its height.
const WEEKS: usize = 6;

/// The source. It keeps nothing between two calls.
#[derive(Debug, Clone, Copy)]
pub struct Clock;

impl Source for Clock {
    fn name(&self) -> &'static str {
        "clock"
    }

    fn value(&mut self, params: &Params, cx: &SourceCx) -> Value {
        let now = cx.now.to_zoned(cx.zone.clone());
        let mut all: Map<String, Value> = moment(&now, params, cx.locale)
            .into_iter()
            .map(|(name, value)| (name.to_owned(), value))
            .collect();
        let month = month_of(params.get("month").map(String::as_str), now.date());
        all.insert("month".into(), calendar(month, now.date(), cx.locale));
        Value::Object(all)
    }

    /// All but the month, which is most of the value, while the day, the month asked for and the locale are those of `last`.
    fn change(&mut self, last: &Value, params: &Params, cx: &SourceCx) -> Answer {
        let now = cx.now.to_zoned(cx.zone.clone());
        let today = now.date();
        let month = month_of(params.get("month").map(String::as_str), today);
        let shown = &last["month"];
        let first = &shown["days"][0];
        let digits = |day: &Value| cx.locale.digits(&day.to_string());
        let same = last["date"] == today.to_string()
            && shown["key"] == key(month)
            && shown["weekdays"][0]["key"] == cx.locale.week_start()
            && first["label"] == digits(&first["day"]);
        if same {
            Answer::Fields(moment(&now, params, cx.locale))
        } else {
            Answer::Whole(self.value(params, cx))
        }
    }

    fn next_change(&self, params: &Params, cx: &SourceCx) -> Option<Timestamp> {
        let step = if seconds(params) { 1 } else { 60 };
        let last = cx.now.as_second().div_euclid(step) * step;
        Timestamp::from_second(last + step).ok()
    }
}

/// Every member but the month.
fn moment(now: &Zoned, params: &Params, locale: &Locale) -> Vec<(&'static str, Value)> {
    let today = now.date();
    let names = english_names();
    let weekday = weekday_index(today.weekday());
    let (hour, minute) = locale.hour_and_minute(now);
    vec![
        ("iso", json!(iso(now))),
        ("date", json!(today.to_string())),
        ("time", json!(locale.time(now, seconds(params)))),
        ("hour", json!(now.hour())),
        ("minute", json!(now.minute())),
        ("hourLabel", json!(hour)),
        ("minuteLabel", json!(minute)),
        ("weekday", json!(names.weekdays[weekday])),
        ("weekdayShort", json!(names.weekdays_short[weekday])),
        ("day", json!(today.day())),
        ("dateLong", json!(locale.day_and_month(today, true))),
        ("dateShort", json!(locale.day_and_month(today, false))),
        ("week", json!(today.iso_week_date().week())),
    ]
}

fn seconds(params: &Params) -> bool {
    matches!(
        params.get("seconds").map(String::as_str),
        Some("1" | "true")
    )
}

/// `2026-11-30T09:41:00+01:00`: what eui-core's date functions read.
fn iso(now: &Zoned) -> String {
    now.strftime("%Y-%m-%dT%H:%M:%S%:z").to_string()
}

/// 0 = Sunday, as eui-core counts.
fn weekday_index(weekday: Weekday) -> usize {
    usize::try_from(weekday.to_sunday_zero_offset()).unwrap_or(0)
}

/// The first day of the month a parameter asks for; this month where it asks for none that exists.
fn month_of(asked: Option<&str>, today: Date) -> Date {
    let this = today.first_of_month();
    let Some(text) = asked else { return this };
    if let Ok(months) = text.parse::<i32>() {
        return shifted(this, months).unwrap_or(this);
    }
    text.split_once('-')
        .filter(|(year, month)| year.len() == 4 && month.len() == 2)
        .and_then(|(year, month)| Date::new(year.parse().ok()?, month.parse().ok()?, 1).ok())
        .unwrap_or(this)
}

/// `month` moved by whole months; `None` at the ends of the calendar.
fn shifted(month: Date, months: i32) -> Option<Date> {
    month.checked_add(Span::new().try_months(months).ok()?).ok()
}

fn key(month: Date) -> String {
    format!("{:04}-{:02}", month.year(), month.month())
}

/// The calendar of the month that starts on `first`.
fn calendar(first: Date, today: Date, locale: &Locale) -> Value {
    let names = english_names();
    let start = usize::from(locale.week_start());
    let name = &names.months[usize::try_from(first.month() - 1).unwrap_or(0)];
    let weekdays: Vec<Value> = (0..7)
        .map(|i| {
            let name = &names.weekdays[(start + i) % 7];
            json!({ "key": (start + i) % 7, "label": name.chars().take(2).collect::<String>(), "name": name })
        })
        .collect();

    let lead = (weekday_index(first.weekday()) + 7 - start) % 7;
    let before = i64::try_from(lead).unwrap_or(0);
    // At the very first month of the calendar there is no day before: the grid then starts on the month itself.
    let mut date = first.checked_sub(Span::new().days(before)).unwrap_or(first);
    let mut days = Vec::with_capacity(WEEKS * 7);
    for _ in 0..WEEKS * 7 {
        let outside = (date.year(), date.month()) != (first.year(), first.month());
        days.push(json!({
            "date": date.to_string(),
            "day": date.day(),
            "label": locale.digits(&date.day().to_string()),
            "outside": outside,
            "today": date == today,
            "weekend": matches!(date.weekday(), Weekday::Saturday | Weekday::Sunday),
        }));
        let Ok(next) = date.tomorrow() else { break };
        date = next;
    }
    let weeks: Vec<Value> = days
        .chunks(7)
        .map(|week| {
            let number = week
                .iter()
                .filter_map(|day| day["date"].as_str()?.parse::<Date>().ok())
                .find(|date| date.weekday() == Weekday::Thursday)
                .map(|date| date.iso_week_date().week());
            json!({ "week": number, "days": week })
        })
        .collect();
    json!({
        "key": key(first),
        "name": name,
        "year": first.year(),
        "label": locale.digits(&format!("{name} {}", first.year())),
        "previous": key(shifted(first, -1).unwrap_or(first)),
        "next": key(shifted(first, 1).unwrap_or(first)),
        "current": first == today.first_of_month(),
        "weekdays": weekdays,
        "weeks": weeks,
        "days": days,
    })
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used, clippy::expect_used)]
    use super::*;
    use jiff::tz::TimeZone;

    fn value(now: &str, zone: &str, locale: &str, params: &[(&str, &str)]) -> Value {
        let zone = TimeZone::get(zone).unwrap();
        let locale = Locale::new(locale);
        let cx = SourceCx {
            now: now.parse().unwrap(),
            zone: &zone,
            locale: &locale,
        };
        let params = params
            .iter()
            .map(|(k, v)| (k.to_string(), v.to_string()))
            .collect();
        let whole = Clock.value(&params, &cx);
        // Whoever knows any earlier answer comes to the same.
        for before in ["2026-11-30T22:04:59Z", "2026-10-01T00:00:00Z"] {
            let earlier = SourceCx {
                now: before.parse().unwrap(),
                ..cx
            };
            let mut last = Clock.value(&params, &earlier);
            match Clock.change(&last, &params, &cx) {
                Answer::Whole(value) => last = value,
                Answer::Fields(fields) => {
                    for (name, value) in fields {
                        last[name] = value;
                    }
                }
            }
            assert_eq!(last, whole);
        }
        whole
    }

    #[test]
    fn the_next_second_is_said_without_the_month_and_the_next_day_with_it() {
        let (zone, locale) = (TimeZone::UTC, Locale::new("en-US"));
        let at = |now: &str| SourceCx {
            now: now.parse().unwrap(),
            zone: &zone,
            locale: &locale,
        };
        let params = Params::new();
        let last = Clock.value(&params, &at("2026-11-30T23:59:58Z"));
        let next = |now: &str| Clock.change(&last, &params, &at(now));
        assert!(matches!(next("2026-11-30T23:59:59Z"), Answer::Fields(_)));
        assert!(matches!(next("2026-12-01T00:00:00Z"), Answer::Whole(_)));
        let german = Locale::new("de-AT");
        let cx = SourceCx {
            locale: &german,
            ..at("2026-11-30T23:59:59Z")
        };
        let other = Clock.change(&last, &params, &cx);
        assert!(
            matches!(other, Answer::Whole(_)),
            "its weeks begin on Monday"
        );
    }

    #[test]
    fn time_date_and_week_are_the_persons_own() {
        let v = value("2026-11-30T08:41:00Z", "Europe/Vienna", "en-AT", &[]);
        assert_eq!(v["iso"], "2026-11-30T09:41:00+01:00");
        assert_eq!(
            (&v["time"], &v["date"]),
            (&json!("09:41"), &json!("2026-11-30"))
        );
        assert_eq!(v["dateLong"], "Monday 30 November");
        assert_eq!(v["dateShort"], "Mon 30 Nov");
        assert_eq!(v["week"], 49);
        // The same instant is still Sunday evening further west, and twelve hours are counted there.
        let v = value("2026-11-30T03:05:00Z", "America/New_York", "en-US", &[]);
        assert_eq!(v["time"], "10:05\u{202f}PM");
        assert_eq!(
            (&v["hourLabel"], &v["minuteLabel"]),
            (&json!("10"), &json!("05"))
        );
        assert_eq!(v["dateLong"], "Sunday, November 29");
    }

    #[test]
    fn the_calendar_starts_on_the_locales_first_weekday_and_always_has_six_weeks() {
        let v = value("2026-11-30T08:41:00Z", "Europe/Vienna", "en-AT", &[]);
        let month = &v["month"];
        assert_eq!(month["label"], "November 2026");
        assert_eq!(month["weekdays"][0]["label"], "Mo");
        assert_eq!(month["days"][0]["date"], "2026-10-26");
        assert_eq!(month["days"].as_array().unwrap().len(), 42);
        assert_eq!(month["weeks"][5]["week"], 49);
        assert_eq!(month["days"][35]["today"], true);
        assert_eq!(month["days"][36]["outside"], true);
        let us = value("2026-11-30T08:41:00Z", "Europe/Vienna", "en-US", &[]);
        assert_eq!(us["month"]["weekdays"][0]["label"], "Su");
        assert_eq!(us["month"]["days"][0]["date"], "2026-11-01");
    }

    #[test]
    fn a_month_is_asked_for_by_key_or_by_distance_and_nonsense_means_this_one() {
        let at = |month| {
            value(
                "2026-11-30T08:41:00Z",
                "Europe/Vienna",
                "en-AT",
                &[("month", month)],
            )["month"]
                .clone()
        };
        assert_eq!(at("2027-01")["previous"], "2026-12");
        assert_eq!(at("-11")["key"], "2025-12");
        assert_eq!(at("2")["label"], "January 2027");
        for nonsense in ["", "2026-13", "2026-1", "soon", "99999999999", "2000000000"] {
            assert_eq!(at(nonsense)["key"], "2026-11", "{nonsense}");
        }
        assert_eq!(at("2027-01")["current"], false);
        for edge in ["-9999-01", "9999-12", "0001-01"] {
            assert!(at(edge)["days"].is_array(), "{edge}");
        }
    }

    #[test]
    fn a_day_of_twenty_five_hours_is_one_day() {
        // Vienna turns its clocks back on 25 October 2026: the calendar has no day twice.
        let v = value(
            "2026-10-25T00:59:00Z",
            "Europe/Vienna",
            "en-AT",
            &[("seconds", "1")],
        );
        assert_eq!(v["time"], "02:59:00");
        let days = v["month"]["days"].as_array().unwrap();
        let dates: std::collections::BTreeSet<&str> =
            days.iter().map(|d| d["date"].as_str().unwrap()).collect();
        assert_eq!(dates.len(), 42);
    }
}
