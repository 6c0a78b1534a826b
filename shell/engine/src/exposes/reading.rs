//! The records a tool reads, as the question to the store that a binding of the app's would put: one evaluator, whoever asks. Only its own
//! kinds, and of each call the one kind the package wrote.

use std::collections::BTreeMap;

use eui_core::host::{canonical_json, fill_query_templates, source_with_params};
use serde_json::{Map, Value, json};

use crate::package::Package;
use crate::records::{Kind, RecordsRequest};

/// The question of a `list`: `asked` has the keys of a query, filled in, or names one of the package's by `query`, whose `${param}`s are
/// the call's `input`.
pub(super) fn list(
    package: &Package,
    kind: &Kind,
    asked: &Value,
    input: &Map<String, Value>,
) -> Result<RecordsRequest, String> {
    let mut query = match asked.get("query") {
        None => Map::new(),
        Some(Value::String(name)) => named(package, name, input)?,
        Some(_) => return Err("query is the name of one of the package's queries".into()),
    };
    for (key, value) in asked.as_object().into_iter().flatten() {
        if !matches!(key.as_str(), "op" | "kind" | "query") {
            query.insert(key.clone(), value.clone());
        }
    }
    // Each member of an object is what its field must be.
    if let Some(Value::Object(equal)) = query.get("where") {
        let conditions = equal
            .iter()
            .map(|(field, value)| json!([field, "=", value]))
            .collect();
        query.insert("where".into(), conditions);
    }
    request(package, kind, query)
}

/// The question for one record.
pub(super) fn get(package: &Package, kind: &Kind, id: &str) -> Result<RecordsRequest, String> {
    let mut query = Map::new();
    query.insert("where".into(), json!([["id", "=", id]]));
    query.insert("limit".into(), 1.into());
    request(package, kind, query)
}

fn named(
    package: &Package,
    name: &str,
    input: &Map<String, Value>,
) -> Result<Map<String, Value>, String> {
    let found = package.queries().and_then(|all| all.get(name));
    let found = found.ok_or_else(|| format!("the app has no query {name:?}"))?;
    let text = |value: &Value| match value {
        Value::String(text) => text.clone(),
        other => other.to_string(),
    };
    let given = input.iter().filter(|(_, value)| !value.is_null());
    let params: BTreeMap<String, String> = given
        .map(|(key, value)| (key.clone(), text(value)))
        .collect();
    match fill_query_templates(found, &params) {
        Value::Object(query) => Ok(query),
        _ => Err(format!("the query {name:?} is none")),
    }
}

fn request(
    package: &Package,
    kind: &Kind,
    mut query: Map<String, Value>,
) -> Result<RecordsRequest, String> {
    let is = |key: &str, only: &str| query.get(key).is_none_or(|v| v == only);
    if !is("app", package.id().as_str()) || !is("from", kind.as_str()) {
        return Err(format!("it reads {kind} records of its own app only"));
    }
    query.insert("from".into(), kind.as_str().into());
    let text = canonical_json(&Value::Object(query));
    let source = source_with_params(&format!("records:{kind}"), Some(&json!({"q": text})));
    RecordsRequest::parse(&source, package, |_| None).map_err(|error| error.to_string())
}
