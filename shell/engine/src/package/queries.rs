//! The fields a package's named queries read exist in their kind; what they compare with is no expression.

use eui_core::host::{RECORDS_ROW_KEYS, parse_records_json};
use serde_json::{Map, Value};

use super::{bindings, kinds};
use crate::issue::{Issue, Note, did_you_mean, quoted};
use crate::pointer;

pub(super) fn check(package: &Map<String, Value>) -> Vec<Issue> {
    let mut issues = Vec::new();
    let Some(all) = package.get("records").and_then(Value::as_object) else {
        return issues;
    };
    for (name, query) in package
        .get("queries")
        .and_then(Value::as_object)
        .into_iter()
        .flatten()
    {
        // Another app's kind, or one a parameter names, is known only when the query runs.
        let Some(kind) = query
            .get("from")
            .and_then(Value::as_str)
            .filter(|_| query.get("app").is_none())
        else {
            continue;
        };
        let Some(def) = all.get(kind) else { continue };
        let at = pointer::child("/queries", name);
        for (i, field) in query
            .get("expand")
            .and_then(Value::as_array)
            .into_iter()
            .flatten()
            .enumerate()
        {
            if let Some(field) = field
                .as_str()
                .filter(|f| kinds::ref_target(def, f).is_none())
            {
                issues.push(Issue::new(
                    pointer::item(&format!("{at}/expand"), i),
                    bindings::no_ref(field, kind, def),
                ));
            }
        }
        fields(query, def, kind, &at, &mut issues);
    }
    issues
}

/// Values that look like expressions: nothing evaluates them, they are compared as the text they are.
pub(super) fn notes(package: &Map<String, Value>) -> Vec<Note> {
    let mut notes = Vec::new();
    let queries = package.get("queries").and_then(Value::as_object);
    for (name, query) in queries.into_iter().flatten() {
        for (place, condition) in conditions(query, &pointer::child("/queries", name)) {
            let at = pointer::item(&place, 2);
            let values = match condition.get(2) {
                Some(Value::Array(list)) => list.as_slice(),
                Some(one) => std::slice::from_ref(one),
                None => &[],
            };
            let called = values.iter().filter_map(Value::as_str);
            for text in called.filter(|text| is_call(text)) {
                notes.push(Note::new(format!(
                    "{at}: {} is compared as text, a condition has no expressions: give the kind a `computed` field for it and compare that",
                    quoted(text)
                )));
            }
        }
    }
    notes
}

/// `today()`, `dateAdd(today(), 1, 'day')`: a name and its arguments.
fn is_call(text: &str) -> bool {
    let Some((name, rest)) = text.trim().split_once('(') else {
        return false;
    };
    let mut letters = name.chars();
    letters.next().is_some_and(char::is_alphabetic)
        && letters.all(|c| c.is_alphanumeric() || matches!(c, '_' | '.'))
        && rest.ends_with(')')
}

/// The conditions of a query that stands at `at`, each with its place; those of an `or` one by one.
fn conditions<'a>(query: &'a Value, at: &str) -> Vec<(String, &'a Value)> {
    let at = pointer::child(at, "where");
    let mut all = Vec::new();
    let entries = query.get("where").and_then(Value::as_array);
    for (i, entry) in entries.into_iter().flatten().enumerate() {
        let here = pointer::item(&at, i);
        let Some(alternatives) = entry.get("or").and_then(Value::as_array) else {
            all.push((here, entry));
            continue;
        };
        for (j, list) in alternatives.iter().enumerate() {
            let of = pointer::item(&pointer::child(&here, "or"), j);
            let list = list.as_array().into_iter().flatten().enumerate();
            all.extend(list.map(|(k, condition)| (pointer::item(&of, k), condition)));
        }
    }
    all
}

fn fields(query: &Value, def: &Value, kind: &str, at: &str, issues: &mut Vec<Issue>) {
    let Some(properties) = def
        .get("schema")
        .and_then(|s| s.get("properties"))
        .and_then(Value::as_object)
    else {
        return;
    };
    if def["schema"]["additionalProperties"] == true {
        return;
    }
    let known: Vec<&str> = properties
        .keys()
        .map(String::as_str)
        .chain(kinds::computed_of(def).map(|(k, _)| k.as_str()))
        .chain(RECORDS_ROW_KEYS.iter().copied())
        .collect();
    let mut need = |field: &str, here: String| {
        if !field.contains("${") && !known.contains(&field) {
            issues.push(Issue::new(
                here,
                format!(
                    "{kind} has no field {}{}",
                    quoted(field),
                    did_you_mean(field, known.iter().copied())
                ),
            ));
        }
    };
    // eui-core reads the query; its reading names the fields, the text says where they stand.
    let mut bare = query.clone();
    if let Some(members) = bare.as_object_mut() {
        members.shift_remove("expand");
    }
    let (read, problems) = parse_records_json(&bare, None);
    if !problems.is_empty() {
        return;
    }
    for (place, condition) in conditions(query, at) {
        if let Some(field) = condition.get(0).and_then(Value::as_str) {
            need(field, pointer::item(&place, 0));
        }
    }
    // A grouped query sorts by its groups and aggregates too.
    let grouped: Vec<&str> = read
        .aggregate
        .iter()
        .map(|a| a.name.as_str())
        .chain(["count", "key"])
        .collect();
    if query.get("sort").is_some() {
        for (i, key) in read
            .sort
            .iter()
            .enumerate()
            .filter(|(_, k)| read.group.is_empty() || !grouped.contains(&k.field.as_str()))
        {
            let place = if query["sort"].is_string() {
                format!("{at}/sort")
            } else {
                pointer::item(&format!("{at}/sort"), i)
            };
            need(&key.field, place);
        }
    }
    for (i, key) in read.group.iter().enumerate() {
        need(&key.field, pointer::item(&format!("{at}/group"), i));
    }
    for aggregate in &read.aggregate {
        if let Some(field) = &aggregate.field {
            need(
                field,
                format!(
                    "{}/1",
                    pointer::child(&format!("{at}/aggregate"), &aggregate.name)
                ),
            );
        }
    }
    if let Some(month) = &read.month {
        need(&month.field, format!("{at}/month/field"));
    }
    if let Some(sum) = &read.sum {
        need(sum, format!("{at}/sum"));
        let number = |f: &Value| matches!(f["type"].as_str(), Some("number" | "integer"));
        if properties.get(sum).is_some_and(|f| !number(f)) {
            issues.push(Issue::new(
                format!("{at}/sum"),
                format!("{} is no number: sum a number field", quoted(sum)),
            ));
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    fn said(conditions: Value) -> Vec<String> {
        let package = json!({"queries": {"due": {"from": "task", "where": conditions}}});
        let Value::Object(package) = package else {
            panic!("an object")
        };
        notes(&package).into_iter().map(|n| n.message).collect()
    }

    #[test]
    fn a_value_that_looks_like_an_expression_is_told_to_be_text() {
        for (conditions, place) in [
            (json!([["next", "<=", "today()"]]), "/queries/due/where/0/2"),
            (
                json!([["next", "<=", "yesterday()"]]),
                "/queries/due/where/0/2",
            ),
            (
                json!([["a", "=", "x"], {"or": [[["day", "between", ["2026-01-01", "dateAdd(today(), 1, 'day')"]]]]}]),
                "/queries/due/where/1/or/0/0/2",
            ),
        ] {
            let said = said(conditions);
            assert_eq!(said.len(), 1, "{said:?}");
            assert!(said[0].starts_with(&format!("{place}: ")), "{said:?}");
        }
    }

    #[test]
    fn a_text_with_something_in_brackets_is_a_text() {
        let texts = ["2026-11-30", "Call (urgent)", "f(", "(x)", "", "3(4)"];
        let all = texts.map(|text| json!(["title", "=", text]));
        assert_eq!(said(json!(all)), [""; 0]);
    }
}
