//! One field of one row, read once for ordering and narrowing. The meaning is eui-core's: two values are compared as numbers where
//! both read as one in JavaScript, else as text by UTF-16 units. Whatever could be read otherwise than here is [`Cell::Unsure`],
//! and then nothing is decided by it. Pure.

use std::cmp::Ordering;

use eui_core::host::{RecordsFilter, RecordsFilterOp, RecordsFilterValue};
use serde_json::Value;

/// What a field holds.
#[derive(Debug, Clone, PartialEq)]
pub(super) enum Cell {
    /// Nothing, null or the empty text: before everything else.
    Empty,
    Number(f64),
    /// A text that is no number in any spelling.
    Text(Box<str>),
    Unsure,
}

impl Cell {
    /// The cell of a value of a record's data.
    pub fn of(value: Option<&Value>) -> Cell {
        match value {
            None | Some(Value::Null) => Cell::Empty,
            Some(Value::Bool(true)) => Cell::Text("true".into()),
            Some(Value::Bool(false)) => Cell::Text("false".into()),
            Some(Value::String(text)) => Cell::of_text(text),
            Some(Value::Number(n)) => n
                .as_f64()
                .filter(|n| n.is_finite())
                .map_or(Cell::Unsure, Cell::Number),
            Some(Value::Array(_) | Value::Object(_)) => Cell::Unsure,
        }
    }

    /// The cell of a text.
    pub fn of_text(text: &str) -> Cell {
        if text.is_empty() {
            Cell::Empty
        } else if let Some(number) = plain_number(text) {
            Cell::Number(number)
        } else if no_number(text) {
            Cell::Text(text.into())
        } else {
            Cell::Unsure
        }
    }

    /// How two cells of one column compare; a column that holds both numbers and texts, or anything unsure, has no order that this
    /// could tell.
    pub fn order(&self, other: &Cell) -> Ordering {
        match (self, other) {
            (Cell::Number(a), Cell::Number(b)) => a.partial_cmp(b).unwrap_or(Ordering::Equal),
            (Cell::Text(a), Cell::Text(b)) => by_units(a, b),
            (Cell::Empty, Cell::Number(_) | Cell::Text(_)) => Ordering::Less,
            (Cell::Number(_) | Cell::Text(_), Cell::Empty) => Ordering::Greater,
            _ => Ordering::Equal,
        }
    }
}

/// `a` before `b`, as JavaScript orders texts.
pub(super) fn by_units(a: &str, b: &str) -> Ordering {
    if a.is_ascii() && b.is_ascii() {
        a.cmp(b)
    } else {
        a.encode_utf16().cmp(b.encode_utf16())
    }
}

/// A text of digits, with a sign or a fraction: what every reader takes for the same number.
fn plain_number(text: &str) -> Option<f64> {
    let digits = text.strip_prefix('-').unwrap_or(text);
    let (whole, fraction) = digits.split_once('.').unwrap_or((digits, "0"));
    let plain = |part: &str| !part.is_empty() && part.bytes().all(|b| b.is_ascii_digit());
    (digits.len() <= 17 && plain(whole) && plain(fraction))
        .then(|| text.parse().ok())
        .flatten()
}

/// Is `text` surely no number? A number begins with a digit, a sign or a point, holds nothing but digits, the letters of an
/// exponent or of another base, points and signs, and has its signs in front or after an `e`.
fn no_number(text: &str) -> bool {
    let text = text.trim_matches(|c: char| c.is_whitespace() || c == '\u{feff}');
    let Some(first) = text.bytes().next() else {
        return true;
    };
    if !matches!(first, b'0'..=b'9' | b'+' | b'-' | b'.') {
        return true;
    }
    let mut before = b'e';
    text.bytes().any(|byte| {
        let misplaced = match byte {
            b'0'..=b'9' | b'a'..=b'f' | b'A'..=b'F' | b'x' | b'X' | b'o' | b'O' | b'.' => false,
            b'+' | b'-' => !matches!(before, b'e' | b'E'),
            _ => true,
        };
        before = byte;
        misplaced
    })
}

/// A condition of a query, its values read once.
pub(super) struct Condition {
    op: RecordsFilterOp,
    values: Vec<(String, Cell)>,
}

impl Condition {
    pub fn of(filter: &RecordsFilter) -> Condition {
        let values = match &filter.value {
            RecordsFilterValue::One(value) => std::slice::from_ref(value),
            RecordsFilterValue::Many(values) => values,
        };
        Condition {
            op: filter.op,
            values: values
                .iter()
                .map(|value| (value.clone(), Cell::of_text(value)))
                .collect(),
        }
    }

    /// Could a row with this cell satisfy the condition? `false` only where it surely does not.
    pub fn may_hold(&self, cell: &Cell) -> bool {
        use RecordsFilterOp::{Between, Eq, Gt, Gte, In, Lt, Lte};
        // An order that cannot be told leaves the row in.
        let to = |at: usize, holds: fn(Ordering) -> bool| {
            self.values
                .get(at)
                .is_none_or(|(text, value)| compare(cell, text, value).is_none_or(holds))
        };
        match self.op {
            Eq | In => self
                .values
                .iter()
                .any(|(text, value)| equal(cell, text, value)),
            Gt => to(0, Ordering::is_gt),
            Gte => to(0, Ordering::is_ge),
            Lt => to(0, Ordering::is_lt),
            Lte => to(0, Ordering::is_le),
            Between => to(0, Ordering::is_ge) && to(1, Ordering::is_le),
        }
    }
}

/// Could the cell's text be `text` (whose cell is `value`)?
fn equal(cell: &Cell, text: &str, value: &Cell) -> bool {
    match cell {
        Cell::Empty => text.is_empty(),
        Cell::Text(own) => **own == *text,
        Cell::Number(own) => match value {
            Cell::Number(number) => own == number,
            Cell::Unsure => true,
            Cell::Empty | Cell::Text(_) => false,
        },
        Cell::Unsure => true,
    }
}

/// How the cell compares with `text` (whose cell is `value`), where that can be told.
fn compare(cell: &Cell, text: &str, value: &Cell) -> Option<Ordering> {
    match (cell, value) {
        (Cell::Unsure, _) | (_, Cell::Unsure) => None,
        (Cell::Number(a), Cell::Number(b)) => a.partial_cmp(b),
        // The text of a number is eui-core's to spell; it is not empty.
        (Cell::Number(_), Cell::Empty) => Some(Ordering::Greater),
        (Cell::Number(_), Cell::Text(_)) => None,
        (Cell::Empty, _) => Some("".cmp(text)),
        (Cell::Text(own), _) => Some(by_units(own, text)),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn what_might_be_a_number_is_not_taken_for_a_text() {
        for maybe in [
            "0x10", "1e3", "-1e-3", " 5 ", "+5", "5.", ".5", "1.2.3", "0b1",
        ] {
            assert_eq!(Cell::of_text(maybe), Cell::Unsure, "{maybe}");
        }
        for text in [
            "2026-10-01",
            "2026-10-01T09:00:00.000Z",
            "09:05",
            "x1",
            "Infinity",
            " ",
            "1 2",
            "é",
        ] {
            assert_eq!(Cell::of_text(text), Cell::Text(text.into()), "{text}");
        }
        for (text, number) in [("7", 7.0), ("-0.25", -0.25), ("007", 7.0)] {
            assert_eq!(Cell::of_text(text), Cell::Number(number), "{text}");
        }
        assert_eq!(Cell::of(Some(&json!([1]))), Cell::Unsure);
        assert_eq!(Cell::of(None), Cell::Empty);
    }

    #[test]
    fn texts_are_ordered_by_their_utf_16_units() {
        assert_eq!(by_units("\u{1f600}", "\u{ffee}"), Ordering::Less);
        assert_eq!(by_units("a", "b"), Ordering::Less);
    }

    #[test]
    fn a_condition_leaves_in_what_it_cannot_tell() {
        let condition = |op, value: &str| {
            Condition::of(&RecordsFilter {
                field: "f".into(),
                op,
                value: RecordsFilterValue::One(value.into()),
            })
        };
        let hours = condition(RecordsFilterOp::Gt, "5");
        assert!(hours.may_hold(&Cell::Number(6.0)) && !hours.may_hold(&Cell::Number(5.0)));
        assert!(hours.may_hold(&Cell::Unsure) && !hours.may_hold(&Cell::Empty));
        let same = condition(RecordsFilterOp::Eq, "5.0");
        assert!(same.may_hold(&Cell::Number(5.0)) && !same.may_hold(&Cell::Text("five".into())));
    }
}
