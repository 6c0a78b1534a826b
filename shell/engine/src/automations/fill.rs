//! `${record.<field>}` and `${firedAt}` in what a run is asked: a text that is one of them alone becomes the value itself, within a longer
//! one it becomes its words. What is not there is null, or nothing. Data stays data: what is filled in is never looked at again.

use serde_json::{Map, Value};

/// `value` with everything filled from `scope`.
pub(super) fn value(value: &Value, scope: &Value) -> Value {
    match value {
        Value::String(text) => self::text(text, scope),
        Value::Array(items) => items.iter().map(|item| self::value(item, scope)).collect(),
        Value::Object(members) => {
            let filled = members
                .iter()
                .map(|(key, member)| (key.clone(), self::value(member, scope)));
            Value::Object(filled.collect::<Map<_, _>>())
        }
        other => other.clone(),
    }
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
        assert_eq!(value(&asked, &scope), filled);
    }
}
