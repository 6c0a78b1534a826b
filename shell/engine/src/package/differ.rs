//! What of a test's answer is not what it expects, in words: the parts that differ, each at its place in the answer. Pure text.

use eui_core::host::{canonical_json, test_matches};
use serde_json::{Map, Value};

use crate::pointer;

/// How many parts are told; the rest are counted.
const TOLD: usize = 3;
/// The most characters of one value that are shown.
const SHOWN: usize = 80;

/// Why `got` does not match `expect`: one sentence without a full stop. `""` when it does.
pub fn words(expect: &Value, got: &Value) -> String {
    if let Some(error) = failure(got).filter(|_| !expect.is_object()) {
        return format!("{error}; expected {}", shown(expect));
    }
    let mut all = Vec::new();
    walk(expect, Some(got), "", &mut all);
    let rest = all.len().saturating_sub(TOLD);
    all.truncate(TOLD);
    if rest > 0 {
        all.push(format!("and {rest} more"));
    }
    all.join("; ")
}

/// What a test answers that could not be run.
fn failure(got: &Value) -> Option<&str> {
    let members = got.as_object().filter(|o| o.len() == 1)?;
    members.get("error")?.as_str()
}

/// The same walk as eui-core's match: members that are not expected do not count, a list is expected whole.
fn walk(expect: &Value, got: Option<&Value>, at: &str, out: &mut Vec<String>) {
    let place = |is: &str| {
        if at.is_empty() {
            is.to_owned()
        } else {
            format!("{at} is {is}")
        }
    };
    match (expect, got) {
        (Value::Object(e), Some(got @ Value::Object(g))) => {
            // An action that failed answers nothing of what was expected.
            if let Some(error) = failure(got).filter(|_| !e.contains_key("error")) {
                out.push(error.to_owned());
                return;
            }
            for (key, value) in e {
                walk(value, g.get(key), &pointer::child(at, key), out);
            }
        }
        (Value::Array(e), Some(Value::Array(g))) if e.len() == g.len() => {
            for (i, (e, g)) in e.iter().zip(g).enumerate() {
                walk(e, Some(g), &pointer::item(at, i), out);
            }
        }
        (Value::Array(e), Some(Value::Array(g))) => {
            let of = e.first().unwrap_or(&Value::Null);
            let g: Vec<Value> = g.iter().map(|item| asked_for(of, item)).collect();
            let (n, is) = (e.len(), shown(&Value::Array(g.clone())));
            let many = format!("{}, {is}, expected {n}", items(g.len()));
            out.push(place(&many));
        }
        (e, g) if test_matches(e, g.unwrap_or(&Value::Null)) => {}
        (e, None) => out.push(place(&format!("missing, expected {}", shown(e)))),
        (e, Some(g)) => out.push(place(&format!(
            "{}, expected {}",
            shown(&asked_for(e, g)),
            shown(e)
        ))),
    }
}

fn items(n: usize) -> String {
    match n {
        1 => "a list of 1 item".into(),
        n => format!("a list of {n} items"),
    }
}

/// `got` without the members that `expect` does not ask for: who wrote a row, and when, is no difference.
fn asked_for(expect: &Value, got: &Value) -> Value {
    match (expect, got) {
        (Value::Object(e), Value::Object(g)) => {
            let kept = g.iter().filter(|(k, _)| e.contains_key(*k));
            let kept: Map<String, Value> = kept.map(|(k, v)| (k.clone(), v.clone())).collect();
            Value::Object(kept)
        }
        _ => got.clone(),
    }
}

fn shown(value: &Value) -> String {
    let text = canonical_json(value);
    match text.char_indices().nth(SHOWN) {
        Some((cut, _)) => format!("{}…", &text[..cut]),
        None => text,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn only_the_fields_that_differ_are_told() {
        let row = |total: i32| {
            json!({"id": "entry-1", "author": "member", "createdAt": "2026-11-30T08:41:20Z",
                "updatedAt": "2026-11-30T08:41:20Z", "note": "n".repeat(300), "total": total})
        };
        let expect = json!({"rows": [{"total": 7}, {"total": 2}], "count": 2});
        let got = json!({"rows": [row(5), row(2)], "count": 2, "at": "x"});
        assert_eq!(words(&expect, &got), "/rows/0/total is 5, expected 7");
        assert_eq!(
            words(&expect, &json!({"rows": [row(7), row(2)], "count": 2})),
            ""
        );
    }

    #[test]
    fn a_list_of_another_length_is_told_with_what_was_asked_of_its_items() {
        let expect = json!({"rows": [{"title": "a"}]});
        let got = json!({"rows": [
            {"title": "a", "author": "member"}, {"title": "b", "author": "member"}]});
        assert_eq!(
            words(&expect, &got),
            r#"/rows is a list of 2 items, [{"title":"a"},{"title":"b"}], expected 1"#
        );
    }

    #[test]
    fn a_value_of_its_own_a_missing_one_and_a_failure_are_told_as_they_are() {
        assert_eq!(words(&json!(2), &json!(1)), "1, expected 2");
        assert_eq!(
            words(&json!({"sum": 2}), &json!({})),
            "/sum is missing, expected 2"
        );
        let failed = json!({"error": "no such field"});
        assert_eq!(words(&json!({"sum": 2}), &failed), "no such field");
        assert_eq!(words(&json!(2), &failed), "no such field; expected 2");
        let long = json!({"text": "a".repeat(1000)});
        assert!(words(&json!({"text": "b"}), &long).len() < 200);
    }

    #[test]
    fn many_differences_are_counted() {
        let (a, b): (Vec<i32>, Vec<i32>) = ((0..9).collect(), (1..10).collect());
        let said = words(&json!(a), &json!(b));
        assert!(said.starts_with("/0 is 1, expected 0; "), "{said}");
        assert!(said.ends_with("; and 6 more"), "{said}");
    }
}
