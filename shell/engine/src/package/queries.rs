//! The fields a package's named queries read exist in their kind.

use eui_core::host::{RECORDS_ROW_KEYS, parse_records_json};
use serde_json::{Map, Value};

use super::{bindings, kinds};
use crate::issue::{Issue, did_you_mean, quoted};
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
    let mut condition = |i: String, value: &Value| {
        if let Some(field) = value.get(0).and_then(Value::as_str) {
            need(field, format!("{at}/where/{i}/0"));
        }
    };
    for (i, entry) in query
        .get("where")
        .and_then(Value::as_array)
        .into_iter()
        .flatten()
        .enumerate()
    {
        match entry.get("or").and_then(Value::as_array) {
            Some(alternatives) => alternatives
                .iter()
                .enumerate()
                .flat_map(|(j, list)| {
                    list.as_array()
                        .into_iter()
                        .flatten()
                        .enumerate()
                        .map(move |(k, c)| (format!("{i}/or/{j}/{k}"), c))
                })
                .for_each(|(place, c)| condition(place, c)),
            None => condition(i.to_string(), entry),
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
