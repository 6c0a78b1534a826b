//! `${record.<field>}`, `${firedAt}` and `${input.<path>}` in what a run is asked: a text that is one of them alone becomes the value itself,
//! within a longer one it becomes its words. Data stays data: what is filled in is never looked at again, and no key is ever filled.

use serde_json::{Map, Value};

/// What becomes of a member whose value is the name of something that is not there. Within a longer text it is nothing, in a list null.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Absent {
    /// It is null: an automation's record has no such field.
    Null,
    /// It is left out: a tool was called without it.
    LeftOut,
}

/// `value` with everything filled from `scope`.
pub(crate) fn value(value: &Value, scope: &Value, absent: Absent) -> Value {
    match value {
        Value::String(text) => self::text(text, scope),
        Value::Array(items) => {
            let filled = items.iter().map(|item| self::value(item, scope, absent));
            filled.collect()
        }
        Value::Object(members) => {
            let stays = |member: &Value| {
                absent == Absent::Null || !member.as_str().is_some_and(|t| is_absent(t, scope))
            };
            let members = members.iter().filter(|(_, member)| stays(member));
            let filled =
                members.map(|(key, member)| (key.clone(), self::value(member, scope, absent)));
            Value::Object(filled.collect::<Map<_, _>>())
        }
        other => other.clone(),
    }
}

/// Does it name one thing alone, which is not there?
fn is_absent(text: &str, scope: &Value) -> bool {
    matches!(opening(text), Some((path, "")) if named(path, scope).is_none())
}

fn text(text: &str, scope: &Value) -> Value {
    if let Some((path, "")) = opening(text) {
        return named(path, scope).cloned().unwrap_or_default();
    }
    let mut filled = String::with_capacity(text.len());
    let mut rest = text;
    while let Some(at) = rest.find("${") {
        filled.push_str(&rest[..at]);
        match opening(&rest[at..]) {
            Some((path, after)) => {
                match named(path, scope) {
                    None | Some(Value::Null) => {}
                    Some(Value::String(words)) => filled.push_str(words),
                    Some(other) => filled.push_str(&other.to_string()),
                }
                rest = after;
            }
            None => {
                filled.push_str("${");
                rest = &rest[at + 2..];
            }
        }
    }
    filled.push_str(rest);
    Value::String(filled)
}

/// What a text names, in its order.
pub(crate) fn paths(text: &str) -> Vec<&str> {
    let mut paths = Vec::new();
    let mut rest = text;
    while let Some(at) = rest.find("${") {
        rest = match opening(&rest[at..]) {
            Some((path, after)) => {
                paths.push(path);
                after
            }
            None => &rest[at + 2..],
        };
    }
    paths
}

/// The path in the braces that `text` begins with, and what comes after them.
fn opening(text: &str) -> Option<(&str, &str)> {
    let (path, after) = text.strip_prefix("${")?.split_once('}')?;
    let is_name = |name: &str| {
        !name.is_empty() && name.bytes().all(|b| b.is_ascii_alphanumeric() || b == b'_')
    };
    path.split('.').all(is_name).then_some((path, after))
}

fn named<'a>(path: &str, scope: &'a Value) -> Option<&'a Value> {
    path.split('.').try_fold(scope, |at, name| at.get(name))
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn a_name_alone_is_its_value_and_within_a_text_its_words() {
        let scope = json!({"firedAt": "2026-11-30T08:00:00.000Z", "record": {"id": "r1", "hours": 2.5, "title": "Say ${firedAt}", "tags": ["a"]}});
        let asked = json!({
            "at": "${firedAt}", "hours": "${record.hours}", "tags": ["${record.tags}"], "gone": "${record.gone}",
            "words": "${record.title}: ${record.hours} h, ${record.gone}!", "plain": "costs $5, {x} ${no name} ${", "n": 1});
        let filled = json!({
            "at": "2026-11-30T08:00:00.000Z", "hours": 2.5, "tags": [["a"]], "gone": null,
            "words": "Say ${firedAt}: 2.5 h, !", "plain": "costs $5, {x} ${no name} ${", "n": 1});
        assert_eq!(value(&asked, &scope, Absent::Null), filled);
    }

    #[test]
    fn what_a_text_names_is_what_is_filled_in_it() {
        let text = "${firedAt}: ${record.title}, costs $5, ${no name}, ${${a}";
        assert_eq!(paths(text), ["firedAt", "record.title", "a"]);
        assert_eq!(paths("nothing"), [""; 0]);
    }

    #[test]
    fn what_a_tool_was_called_without_is_left_out() {
        let scope = json!({"input": {"hours": 2, "note": null}});
        let asked = json!({"data": {"hours": "${input.hours}", "note": "${input.note}", "day": "${input.day}", "all": ["${input.day}"]}});
        let filled = json!({"data": {"hours": 2, "note": null, "all": [null]}});
        assert_eq!(value(&asked, &scope, Absent::LeftOut), filled);
    }

    #[test]
    fn what_is_filled_in_is_data_and_names_nothing() {
        let scope = json!({"input": {"a": "${input.b}", "b": "secret"}});
        let asked = json!({"${input.b}": "${input.a} ${input.a}", "x": "${input.a}"});
        let filled = json!({"${input.b}": "${input.b} ${input.b}", "x": "${input.b}"});
        assert_eq!(value(&asked, &scope, Absent::LeftOut), filled);
    }
}
