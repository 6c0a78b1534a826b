//! Reads a node's props as a painter needs them. A missing or wrong-typed prop is never an error here: it reads as unset.

use std::borrow::Cow;

use eui_core::format::display_string;
use serde_json::{Map, Value};

pub type Props = Map<String, Value>;

/// Characters of one text that are ever shaped; past this it ends in an ellipsis. Keeps a hostile megabyte from stalling a frame.
const MOST_CHARS: usize = 20_000;

/// `text`, cut where no reader would follow.
pub fn bounded(text: &str) -> Cow<'_, str> {
    match text.char_indices().nth(MOST_CHARS) {
        Some((end, _)) => Cow::Owned(format!("{}…", &text[..end])),
        None => Cow::Borrowed(text),
    }
}

/// A value as text: strings as they are, numbers and booleans as the catalog shows them, the rest as nothing.
pub fn shown(value: &Value) -> Cow<'_, str> {
    match value {
        Value::String(s) => bounded(s),
        Value::Number(_) | Value::Bool(_) => Cow::Owned(display_string(value)),
        _ => Cow::Borrowed(""),
    }
}

/// The text of the first of `names` that is set; empty when none is.
pub fn text<'a>(props: &'a Props, names: &[&str]) -> Cow<'a, str> {
    names
        .iter()
        .find_map(|n| props.get(*n).filter(|v| !v.is_null()))
        .map(shown)
        .unwrap_or_default()
}

/// A non-empty string prop.
pub fn string<'a>(props: &'a Props, name: &str) -> Option<&'a str> {
    props
        .get(name)
        .and_then(Value::as_str)
        .filter(|s| !s.is_empty())
}

/// A finite number.
pub fn number(props: &Props, name: &str) -> Option<f64> {
    props
        .get(name)
        .and_then(Value::as_f64)
        .filter(|n| n.is_finite())
}

/// A finite number above zero, at most `most`, in px.
pub fn length(props: &Props, name: &str, most: f32) -> Option<f32> {
    number(props, name)
        .filter(|n| *n > 0.0)
        .map(|n| (n as f32).min(most))
}

pub fn flag(props: &Props, name: &str) -> bool {
    props.get(name).and_then(Value::as_bool).unwrap_or(false)
}

/// The items of an array prop; none when it is anything else.
pub fn list<'a>(props: &'a Props, name: &str) -> &'a [Value] {
    props
        .get(name)
        .and_then(Value::as_array)
        .map_or(&[], Vec::as_slice)
}

/// The object items of an array prop: what the engine skips is skipped here too.
pub fn objects<'a>(props: &'a Props, name: &str) -> impl Iterator<Item = &'a Props> {
    list(props, name).iter().filter_map(Value::as_object)
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn wrong_types_read_as_unset() {
        let props =
            json!({"text": ["a"], "value": "x", "open": "yes", "items": {"a": 1}, "n": 412})
                .as_object()
                .cloned()
                .unwrap_or_default();
        assert_eq!(text(&props, &["text"]), "");
        assert_eq!(text(&props, &["missing", "n"]), "412");
        assert_eq!(number(&props, "value"), None);
        assert!(!flag(&props, "open"));
        assert!(list(&props, "items").is_empty());
    }

    #[test]
    fn a_megabyte_is_cut() {
        let long = "ä".repeat(MOST_CHARS + 5);
        assert_eq!(bounded(&long).chars().count(), MOST_CHARS + 1);
        assert_eq!(bounded("short"), "short");
    }
}
