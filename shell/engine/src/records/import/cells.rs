//! One cell as a field's type. What may be read in two ways is not read.

use jiff::civil::{Date, Time};
use serde_json::{Number, Value};

/// `cell` as the field that `definition` (a property of a record schema) describes; `None` where it is empty.
pub(super) fn read(cell: &str, definition: &Value) -> Result<Option<Value>, String> {
    let cell = cell.trim();
    if cell.is_empty() {
        return Ok(None);
    }
    let of_type = |definition: &Value| {
        definition
            .get("type")
            .and_then(Value::as_str)
            .unwrap_or("string")
            .to_owned()
    };
    if of_type(definition) != "array" {
        return scalar(cell, &of_type(definition), definition).map(Some);
    }
    let items = definition.get("items").unwrap_or(&Value::Null);
    let separator = if cell.contains(';') { ';' } else { ',' };
    let parts = cell
        .split(separator)
        .map(str::trim)
        .filter(|part| !part.is_empty());
    let list: Result<Vec<Value>, String> = parts
        .map(|part| scalar(part, &of_type(items), items))
        .collect();
    Ok(Some(Value::Array(list?)))
}

fn scalar(text: &str, of_type: &str, definition: &Value) -> Result<Value, String> {
    let not = |what: &str| format!("{text:?} is not {what}");
    match of_type {
        "number" => number(text).map(json_number).ok_or_else(|| not("a number")),
        "integer" => {
            let whole = number(text).filter(|n| n.fract() == 0.0);
            whole.map(json_number).ok_or_else(|| not("a whole number"))
        }
        "boolean" => match text.to_lowercase().as_str() {
            "true" | "yes" | "y" | "1" | "x" => Ok(true.into()),
            "false" | "no" | "n" | "0" => Ok(false.into()),
            _ => Err(not("yes or no")),
        },
        _ => match definition.get("format").and_then(Value::as_str) {
            Some("date") => date(text).map(Value::String),
            Some("time") => time(text).map(Value::String).ok_or_else(|| not("a time")),
            _ => choice(text, definition),
        },
    }
}

/// One of the values allowed, whatever its case; any text where none are listed.
fn choice(text: &str, definition: &Value) -> Result<Value, String> {
    let Some(allowed) = definition.get("enum").and_then(Value::as_array) else {
        return Ok(text.into());
    };
    let same = |value: &&Value| {
        value
            .as_str()
            .is_some_and(|value| value.to_lowercase() == text.to_lowercase())
    };
    allowed.iter().find(same).cloned().ok_or_else(|| {
        let words: Vec<&str> = allowed.iter().filter_map(Value::as_str).collect();
        format!("{text:?} is not one of {}", words.join(", "))
    })
}

/// A decimal number in either spelling: a lone comma is the decimal sign; of both signs, the last is, and the other one groups
/// thousands.
fn number(text: &str) -> Option<f64> {
    let (sign, digits) = match text.strip_prefix('-') {
        Some(rest) => (-1.0, rest),
        None => (1.0, text.strip_prefix('+').unwrap_or(text)),
    };
    let decimal = digits.rfind([',', '.']);
    let (whole, fraction) = match decimal {
        Some(at) => (&digits[..at], &digits[at + 1..]),
        None => (digits, ""),
    };
    let sign_of = |at: usize| digits.as_bytes()[at];
    let grouping = decimal.map(|at| if sign_of(at) == b',' { '.' } else { ',' });
    let mut groups = whole.split(|c| Some(c) == grouping);
    let first = groups.next().unwrap_or_default();
    let rest: Vec<&str> = groups.collect();
    let all_digits = |text: &str| text.bytes().all(|b| b.is_ascii_digit());
    let grouped = rest.is_empty()
        || ((1..=3).contains(&first.len()) && rest.iter().all(|group| group.len() == 3));
    let whole = [&[first], &rest[..]].concat().concat();
    if !grouped
        || !all_digits(&whole)
        || !all_digits(fraction)
        || (whole.is_empty() && fraction.is_empty())
    {
        return None;
    }
    format!("0{whole}.{fraction}0")
        .parse::<f64>()
        .ok()
        .filter(|n| n.is_finite())
        .map(|n| sign * n)
}

/// Whole numbers as integers, as JSON writes them.
fn json_number(n: f64) -> Value {
    const EXACT: f64 = 9_007_199_254_740_992.0;
    if n.fract() == 0.0 && n.abs() <= EXACT {
        return Value::Number(Number::from(n as i64));
    }
    Number::from_f64(n).map_or(Value::Null, Value::Number)
}

/// `2026-10-01`, `1.10.2026` or `01.10.2026`, as `2026-10-01`.
fn date(text: &str) -> Result<String, String> {
    if let [a, b, year] = text.split('/').collect::<Vec<_>>()[..]
        && let (Ok(month), Ok(day), Ok(year)) =
            (a.parse::<i8>(), b.parse::<i8>(), year.parse::<i16>())
        && let (Ok(one), Ok(other)) = (Date::new(year, month, day), Date::new(year, day, month))
        && one != other
    {
        return Err(format!(
            "{text:?} is a day in {} or in {}: write it like 2026-10-01",
            one.strftime("%B"),
            other.strftime("%B")
        ));
    }
    let parts: Vec<&str> = text.split('.').collect();
    let read = match parts[..] {
        [day, month, year]
            if year.len() == 4
                && (1..=2).contains(&day.len())
                && (1..=2).contains(&month.len()) =>
        {
            let numbers = (year.parse(), month.parse(), day.parse());
            if let (Ok(year), Ok(month), Ok(day)) = numbers {
                Date::new(year, month, day).ok()
            } else {
                None
            }
        }
        _ if text.len() == 10 && text.as_bytes()[4] == b'-' => text.parse::<Date>().ok(),
        _ => None,
    };
    read.map(|date| date.to_string())
        .ok_or_else(|| format!("{text:?} is not a date like 2026-10-01"))
}

/// `9:05`, `09:05` or `09:05:30`, as `09:05` (seconds kept).
fn time(text: &str) -> Option<String> {
    let parts: Vec<&str> = text.split(':').collect();
    let number = |text: &str, most: usize| {
        (1..=most)
            .contains(&text.len())
            .then(|| text.parse::<i8>().ok())
            .flatten()
    };
    let (hour, minute, second) = match parts[..] {
        [hour, minute] if minute.len() == 2 => (number(hour, 2)?, number(minute, 2)?, None),
        [hour, minute, second] if minute.len() == 2 && second.len() == 2 => (
            number(hour, 2)?,
            number(minute, 2)?,
            Some(number(second, 2)?),
        ),
        _ => return None,
    };
    Time::new(hour, minute, second.unwrap_or(0), 0).ok()?;
    let seconds = second
        .map(|second| format!(":{second:02}"))
        .unwrap_or_default();
    Some(format!("{hour:02}:{minute:02}{seconds}"))
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]
    use super::*;
    use serde_json::json;

    fn ok(cell: &str, definition: Value) -> Value {
        read(cell, &definition).unwrap().unwrap()
    }

    #[test]
    fn numbers_read_in_either_spelling() {
        for (cell, value) in [
            ("6.5", json!(6.5)),
            ("6,5", json!(6.5)),
            ("1,240.5", json!(1240.5)),
            ("1.240,5", json!(1240.5)),
            ("-3", json!(-3)),
            ("+3", json!(3)),
            ("1.234.567,25", json!(1_234_567.25)),
            (".5", json!(0.5)),
            ("6.0", json!(6)),
            (" 12 ", json!(12)),
            ("1,240", json!(1.24)),
        ] {
            assert_eq!(ok(cell, json!({"type": "number"})), value, "{cell}");
        }
        for cell in [
            "three", "1,2,3", "1.2.3", "1,24.5", "12e3", "NaN", "1 000", "-", ",", "0x10", "६",
        ] {
            assert!(read(cell, &json!({"type": "number"})).is_err(), "{cell}");
        }
        assert!(read("1.5", &json!({"type": "integer"})).is_err());
        assert_eq!(ok("2,0", json!({"type": "integer"})), 2);
    }

    #[test]
    fn dates_read_where_they_can_mean_one_day_only() {
        let date = json!({"type": "string", "format": "date"});
        for cell in ["2026-10-01", "1.10.2026", "01.10.2026"] {
            assert_eq!(ok(cell, date.clone()), "2026-10-01", "{cell}");
        }
        for cell in [
            "3/4/2026",
            "31.02.2026",
            "2026-13-01",
            "1.10.26",
            "tomorrow",
            "20261001",
            "13/14/2026",
            "2026-1-1ü",
        ] {
            assert!(read(cell, &date).is_err(), "{cell}");
        }
    }

    #[test]
    fn times_are_padded() {
        let time = json!({"type": "string", "format": "time"});
        assert_eq!(
            (ok("9:05", time.clone()), ok("09:05:07", time.clone())),
            (json!("09:05"), json!("09:05:07"))
        );
        for cell in ["25:00", "9:5", "9", "9:60", "-1:00"] {
            assert!(read(cell, &time).is_err(), "{cell}");
        }
    }

    #[test]
    fn words_choices_and_lists_read_whatever_their_case() {
        assert_eq!(ok("X", json!({"type": "boolean"})), true);
        assert_eq!(ok("No", json!({"type": "boolean"})), false);
        assert!(read("maybe", &json!({"type": "boolean"})).is_err());
        assert_eq!(
            ok("open", json!({"type": "string", "enum": ["Open", "Done"]})),
            "Open"
        );
        assert!(
            read("shut", &json!({"type": "string", "enum": ["Open"]}))
                .unwrap_err()
                .contains("one of Open")
        );
        assert_eq!(
            ok(
                "1;2,5",
                json!({"type": "array", "items": {"type": "number"}})
            ),
            json!([1, 2.5])
        );
        assert_eq!(
            ok(
                "a, b,,",
                json!({"type": "array", "items": {"type": "string"}})
            ),
            json!(["a", "b"])
        );
        assert_eq!(read("  ", &json!({"type": "string"})), Ok(None));
    }
}
