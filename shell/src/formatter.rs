//! How the person's locale writes numbers, dates and times, and in which zone: the [`Formatter`] every eUI surface shows its
//! values through. Pure: the zone comes from [`crate::sources::zone`], the locale from the session.
//!
//! Words stay English (the packages' own texts are); what follows the locale is what a person misreads otherwise: day before
//! month or after it, 12 or 24 hours, the first day of the week, the decimal sign, the digits. eui-core parses values and picks
//! units; this only writes them down.

use eui_core::format::{
    DateOptions, DateStyle, DateValue, EnglishFormatter, Formatter, NumberOptions, PluralCategory,
    RelativeUnit, english_names, format_pattern, utc_fields,
};
use eui_core::locale::{parse_locale, week_start};
use jiff::civil::Date;
use jiff::{Timestamp, Zoned, tz::TimeZone};

/// Regions that write 12 hours and a day period by default (CLDR's preferred hour cycle `h`).
const TWELVE_HOURS: &str = "AE AG AU BB BD BH BM BN BS CA CO CY DJ DM DZ EG ER ET FJ FM GD GH GM GR GU GY HK IN IQ JM JO KE KH \
     KN KR KW KY LB LC LR LY MH MO MP MR MW MY MX NA NZ OM PA PG PH PK PR PS QA SA SB SC SD SG SL SO SS SY SZ TC TD TN TO TT \
     TW UM US VC VE VG VI VU WS YE ZM";

/// What a locale decides here.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Locale {
    tag: String,
    week_start: u8,
    twelve_hours: bool,
    month_first: bool,
    /// `None` where a number is not grouped.
    group: &'static str,
    decimal: &'static str,
    /// The digit zero; the other nine follow it.
    zero: char,
}

impl Locale {
    /// The locale a BCP 47 tag or a POSIX name (`de_AT.UTF-8`) stands for; a bare language means its likely region, nonsense
    /// and `C` mean `en-US`.
    pub fn new(name: &str) -> Locale {
        let name = name.split(['.', '@']).next().unwrap_or_default();
        let (language, region) = parse_locale(name);
        let known =
            (2..=3).contains(&language.len()) && language.bytes().all(|b| b.is_ascii_lowercase());
        let tag = match (&region, known) {
            (Some(region), true) => format!("{language}-{region}"),
            (None, true) => language.clone(),
            (_, false) => "en-US".to_owned(),
        };
        let (language, region) = parse_locale(&tag);
        let region = region.unwrap_or_else(|| likely_region(&language).to_owned());
        let (group, decimal) = separators(&language, &region);
        Locale {
            week_start: week_start(&tag),
            twelve_hours: TWELVE_HOURS
                .split_ascii_whitespace()
                .any(|listed| listed == region),
            month_first: matches!(region.as_str(), "US" | "PH" | "PR" | "GU" | "UM" | "VI"),
            group,
            decimal,
            zero: zero(&language, &region),
            tag,
        }
    }

    /// The BCP 47 tag.
    pub fn tag(&self) -> &str {
        &self.tag
    }

    /// The first day of the week, 0 = Sunday.
    pub fn week_start(&self) -> u8 {
        self.week_start
    }

    /// `text` with its ASCII digits as the locale writes them.
    pub fn digits(&self, text: &str) -> String {
        if self.zero == '0' {
            return text.to_owned();
        }
        text.chars()
            .map(|c| {
                c.to_digit(10)
                    .and_then(|digit| char::from_u32(u32::from(self.zero) + digit))
                    .unwrap_or(c)
            })
            .collect()
    }

    /// `whole` and `tenths` as one number with one decimal.
    pub fn decimal(&self, whole: u64, tenths: u64) -> String {
        self.digits(&format!("{whole}{}{tenths}", self.decimal))
    }

    /// The wall clock: `09:41`, `09:41:07`, `9:41 AM`.
    pub fn time(&self, at: &Zoned, seconds: bool) -> String {
        self.digits(&at.strftime(self.time_format(seconds)).to_string())
    }

    /// The hour and the minute of the wall clock on their own: `09` and `41`, or `9` and `41`.
    pub fn hour_and_minute(&self, at: &Zoned) -> (String, String) {
        let hour = if self.twelve_hours { "%-I" } else { "%H" };
        let part = |format: &str| self.digits(&at.strftime(format).to_string());
        (part(hour), part("%M"))
    }

    fn time_format(&self, seconds: bool) -> &'static str {
        match (self.twelve_hours, seconds) {
            (false, false) => "%H:%M",
            (false, true) => "%H:%M:%S",
            (true, false) => "%-I:%M\u{202f}%p",
            (true, true) => "%-I:%M:%S\u{202f}%p",
        }
    }

    /// `Monday 30 November` and `Mon 30 Nov`, or `Monday, November 30` and `Mon, Nov 30` where the month comes first.
    pub fn day_and_month(&self, date: Date, long: bool) -> String {
        let format = match (self.month_first, long) {
            (false, true) => "%A %-d %B",
            (false, false) => "%a %-d %b",
            (true, true) => "%A, %B %-d",
            (true, false) => "%a, %b %-d",
        };
        self.digits(&date.strftime(format).to_string())
    }

    /// The TR35 pattern of a date style.
    fn pattern(&self, style: DateStyle) -> &'static str {
        match (self.month_first, style) {
            (false, DateStyle::Short) => "dd/MM/yy",
            (false, DateStyle::Medium) => "d MMM y",
            (false, DateStyle::Long) => "d MMMM y",
            (false, DateStyle::Full) => "EEEE d MMMM y",
            (true, DateStyle::Short) => "M/d/yy",
            (true, DateStyle::Medium) => "MMM d, y",
            (true, DateStyle::Long) => "MMMM d, y",
            (true, DateStyle::Full) => "EEEE, MMMM d, y",
        }
    }

    fn time_pattern(&self) -> &'static str {
        if self.twelve_hours {
            "h:mm\u{202f}a"
        } else {
            "HH:mm"
        }
    }

    /// English separators exchanged for the locale's, in one pass (they may swap), then the digits.
    fn number(&self, english: &str) -> String {
        let mut out = String::with_capacity(english.len());
        for c in english.chars() {
            match c {
                ',' => out.push_str(self.group),
                '.' => out.push_str(self.decimal),
                c => out.push(c),
            }
        }
        self.digits(&out)
    }
}

impl Default for Locale {
    fn default() -> Locale {
        Locale::new(eui_core::locale::DEFAULT_LOCALE)
    }
}

/// The region that decides for a language without one, where it is not the United States' way.
fn likely_region(language: &str) -> &'static str {
    match language {
        "en" => "US",
        "ar" => "EG",
        "hi" | "bn" | "ta" | "te" => "IN",
        "ko" => "KR",
        "el" => "GR",
        "de" => "DE",
        "fr" => "FR",
        "fa" => "IR",
        _ => "",
    }
}

/// Between thousands, and before decimals.
fn separators(language: &str, region: &str) -> (&'static str, &'static str) {
    match (language, region) {
        ("de", "AT") => ("\u{a0}", ","),
        ("de", "CH" | "LI") | ("it" | "rm", "CH") => ("\u{2019}", "."),
        ("es", "MX" | "US" | "PA" | "GT" | "HN" | "NI" | "SV" | "DO" | "PE" | "PR") => (",", "."),
        (
            "de" | "es" | "it" | "nl" | "da" | "el" | "id" | "tr" | "ro" | "hr" | "sl" | "sr"
            | "vi",
            _,
        )
        | ("pt", "BR" | "") => (".", ","),
        ("fr", _) => ("\u{202f}", ","),
        (
            "pt" | "cs" | "sk" | "pl" | "ru" | "uk" | "bg" | "fi" | "sv" | "nb" | "nn" | "no"
            | "hu" | "et" | "lv" | "lt",
            _,
        ) => ("\u{a0}", ","),
        (
            "ar",
            "EG" | "SA" | "IQ" | "SY" | "JO" | "LB" | "KW" | "QA" | "BH" | "OM" | "YE" | "SD",
        )
        | ("fa" | "ckb", _) => ("\u{66c}", "\u{66b}"),
        _ => (",", "."),
    }
}

fn zero(language: &str, region: &str) -> char {
    match (language, region) {
        (
            "ar",
            "EG" | "SA" | "IQ" | "SY" | "JO" | "LB" | "KW" | "QA" | "BH" | "OM" | "YE" | "SD",
        )
        | ("ckb", _) => '\u{660}',
        ("fa" | "ur", "IR" | "AF" | "" | "IN") => '\u{6f0}',
        ("mr" | "ne", _) => '\u{966}',
        ("bn", _) => '\u{9e6}',
        _ => '0',
    }
}

/// The formatter of a surface: a locale in a zone.
#[derive(Debug, Clone)]
pub struct LocaleFormatter {
    locale: Locale,
    zone: TimeZone,
}

impl LocaleFormatter {
    /// `locale` in `zone`. Cheap to build: make a new one when either changes and share it over all surfaces.
    pub fn new(locale: Locale, zone: TimeZone) -> LocaleFormatter {
        LocaleFormatter { locale, zone }
    }

    /// The locale.
    pub fn locale(&self) -> &Locale {
        &self.locale
    }

    /// Minutes east of UTC in force at `utc_ms`; 0 where the instant is no date.
    fn offset(&self, utc_ms: f64) -> i32 {
        if !utc_ms.is_finite() {
            return 0;
        }
        // Past the ends of the calendar this saturates, and the instant is then no timestamp.
        Timestamp::from_millisecond(utc_ms as i64)
            .map(|at| self.zone.to_offset(at).seconds() / 60)
            .unwrap_or(0)
    }
}

impl Formatter for LocaleFormatter {
    fn locale(&self) -> String {
        self.locale.tag.clone()
    }

    fn number(&self, value: f64, options: NumberOptions) -> String {
        self.locale.number(&EnglishFormatter.number(value, options))
    }

    fn currency(&self, value: f64, code: &str, options: NumberOptions) -> String {
        self.locale
            .number(&EnglishFormatter.currency(value, code, options))
    }

    fn percent(&self, value: f64, decimals: Option<u32>) -> String {
        self.locale
            .number(&EnglishFormatter.percent(value, decimals))
    }

    fn date(&self, value: DateValue, options: &DateOptions) -> String {
        let shift = if value.date_only {
            0
        } else {
            self.offset(value.ms)
        };
        let fields = utc_fields(value.ms + f64::from(shift) * 60_000.0);
        let names = english_names();
        let write = |pattern: &str| format_pattern(pattern, &fields, names);
        let text = match &options.format {
            Some(pattern) => write(pattern),
            None => {
                let date = write(self.locale.pattern(options.style.unwrap_or_default()));
                if options.time {
                    format!("{date}, {}", write(self.locale.time_pattern()))
                } else {
                    date
                }
            }
        };
        self.locale.digits(&text)
    }

    fn relative_time(&self, value: i64, unit: RelativeUnit) -> String {
        self.locale
            .number(&EnglishFormatter.relative_time(value, unit))
    }

    fn plural(&self, value: f64) -> PluralCategory {
        EnglishFormatter.plural(value)
    }

    fn offset_minutes(&self, utc_ms: f64) -> i32 {
        self.offset(utc_ms)
    }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used, clippy::expect_used)]
    use super::*;
    use eui_core::format::{format_date_value, parse_number};
    use serde_json::json;

    fn formatter(locale: &str) -> LocaleFormatter {
        LocaleFormatter::new(Locale::new(locale), TimeZone::get("Europe/Vienna").unwrap())
    }

    #[test]
    fn an_instant_is_written_in_the_persons_zone_and_a_day_never_moves() {
        let options = |time| DateOptions {
            time,
            ..DateOptions::default()
        };
        let show = |locale: &str, value: &str, time| {
            format_date_value(&formatter(locale), &json!(value), &options(time))
        };
        assert_eq!(
            show("en-AT", "2026-11-29T23:41:00Z", true),
            "30 Nov 2026, 00:41"
        );
        assert_eq!(
            show("en-AT", "2026-06-30T23:41:00Z", true),
            "1 Jul 2026, 01:41"
        );
        assert_eq!(show("en-AT", "2026-11-30", false), "30 Nov 2026");
        assert_eq!(
            show("en-US", "2026-11-30T13:05:00Z", true),
            "Nov 30, 2026, 2:05\u{202f}PM"
        );
    }

    #[test]
    fn date_maths_gets_the_offset_of_that_instant() {
        let f = formatter("en-AT");
        assert_eq!(f.offset_minutes(1_785_000_000_000.0), 120); // July 2026
        assert_eq!(f.offset_minutes(1_796_030_000_000.0), 60); // November 2026
        for nonsense in [f64::NAN, f64::INFINITY, f64::MIN, 1e300] {
            assert_eq!(f.offset_minutes(nonsense), 0);
        }
    }

    #[test]
    fn numbers_have_the_locales_signs_and_typed_ones_are_read_back() {
        let two = NumberOptions {
            decimals: Some(2),
            grouping: true,
        };
        for (locale, text) in [
            ("en-AT", "12,345.60"),
            ("de-DE", "12.345,60"),
            ("de-AT", "12\u{a0}345,60"),
            ("de-CH", "12\u{2019}345.60"),
            ("fr-FR", "12\u{202f}345,60"),
            ("pt-PT", "12\u{a0}345,60"),
            ("ar-EG", "١٢٬٣٤٥٫٦٠"),
            ("fa-IR", "۱۲٬۳۴۵٫۶۰"),
        ] {
            let f = formatter(locale);
            assert_eq!(f.number(12_345.6, two), text, "{locale}");
            assert_eq!(parse_number(&f, text), Some(12_345.6), "{locale}");
        }
    }

    #[test]
    fn hours_order_and_week_follow_the_region() {
        let at = "2026-11-30T13:05:00[Europe/Vienna]"
            .parse::<Zoned>()
            .unwrap();
        for (locale, time, date, week) in [
            ("en-GB", "13:05", "Mon 30 Nov", 1),
            ("en-US", "1:05\u{202f}PM", "Mon, Nov 30", 0),
            ("de_AT.UTF-8", "13:05", "Mon 30 Nov", 1),
            ("en-AU", "1:05\u{202f}PM", "Mon 30 Nov", 1),
            ("C", "1:05\u{202f}PM", "Mon, Nov 30", 0),
            ("C.UTF-8", "1:05\u{202f}PM", "Mon, Nov 30", 0),
            ("", "1:05\u{202f}PM", "Mon, Nov 30", 0),
            ("ar-EG", "١:٠٥\u{202f}PM", "Mon ٣٠ Nov", 6),
        ] {
            let l = Locale::new(locale);
            assert_eq!(l.time(&at, false), time, "{locale}");
            assert_eq!(l.day_and_month(at.date(), false), date, "{locale}");
            assert_eq!(l.week_start(), week, "{locale}");
        }
    }
}
