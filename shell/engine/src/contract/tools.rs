//! `tools`: the terms of tools, `{name: "<capability>_<tool>", runs, description, inputSchema, nativeOutputSchema, outputSchema}`. What
//! an entry leaves out is not compared; the order of properties is, since violations are told in it.

use serde_json::{Value, json};

use super::{Replayed, Setting, each, spoken_of};
use crate::broker::catalog::{Caller, Runs, Terms, catalog};

pub(super) fn replay(entries: &Value, _: &Setting) -> Vec<Replayed> {
    each(entries, |entry: Value| {
        let name = entry["name"].as_str().unwrap_or_default();
        let found = catalog().parse(Caller::Ui, name);
        let ours = match found.and_then(|tool| tool.terms.as_ref()) {
            Some(terms) => shown(name, terms),
            None => json!({}),
        };
        let ours = match &entry {
            Value::Object(theirs) => spoken_of(theirs, &ours),
            _ => ours,
        };
        (ordered(entry), ordered(ours))
    })
}

fn shown(name: &str, terms: &Terms) -> Value {
    let (runs, native) = match &terms.runs {
        Runs::Native { answer, .. } => ("native", Some(&answer.json)),
        Runs::Engine(_) => ("engine", None),
    };
    json!({
        "name": name,
        "runs": runs,
        "description": terms.description,
        "inputSchema": terms.input.json,
        "nativeOutputSchema": native,
        "outputSchema": terms.output,
    })
}

/// The entry with the order of its properties beside it.
fn ordered(entry: Value) -> Value {
    let mut order = Vec::new();
    properties(&entry, &mut order);
    json!({"entry": entry, "order": order})
}

fn properties(value: &Value, order: &mut Vec<String>) {
    match value {
        Value::Object(members) => {
            // Keywords may stand in any order, so the schemas are walked in one that is always the same.
            let mut keys: Vec<&String> = members.keys().collect();
            keys.sort();
            for key in keys {
                if let ("properties", Value::Object(named)) = (key.as_str(), &members[key]) {
                    order.extend(named.keys().cloned());
                }
                properties(&members[key], order);
            }
        }
        Value::Array(items) => items.iter().for_each(|item| properties(item, order)),
        _ => {}
    }
}
