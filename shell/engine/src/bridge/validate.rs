//! Whether a value keeps to a schema. The order of the checks is part of the contract: the first violation is the answer.
//!
//! A value: its type, then by what it is. An object: required keys (in their order), unknown keys (sorted), each property (in
//! the schema's order), dependent keys, `anyOf`, `oneOf`. A list: its length, then each item. A number or a text: its bounds,
//! the values allowed, its format.

use std::fmt;

use serde_json::{Map, Value};

use super::schema::Schema;
use crate::pointer;

/// The first thing wrong with a value.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Violation {
    /// The JSON pointer of the value, empty for the whole. A missing key is pointed at where it should be.
    pub pointer: String,
    /// The keyword of the schema.
    pub keyword: &'static str,
}

impl fmt::Display for Violation {
    /// `<pointer> <keyword>`, the root as `/`.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let at = if self.pointer.is_empty() {
            "/"
        } else {
            &self.pointer
        };
        write!(f, "{at} {}", self.keyword)
    }
}

fn wrong(at: &str, keyword: &'static str) -> Result<(), Violation> {
    Err(Violation {
        pointer: at.to_owned(),
        keyword,
    })
}

/// The arguments of a call, checked: absent (null) ones are none at all, and a missing member with a default has it.
///
/// # Errors
/// The first violation.
pub fn arguments(schema: &Schema, received: &Value) -> Result<Map<String, Value>, Violation> {
    let given = match received {
        Value::Null => Value::Object(Map::new()),
        other => other.clone(),
    };
    value(schema, &given)?;
    // A schema without a type lets anything through; what is no object has no members to give.
    let mut given = match given {
        Value::Object(given) => given,
        _ => Map::new(),
    };
    for (key, property) in &schema.properties {
        if let (false, Some(default)) = (given.contains_key(key), &property.default) {
            given.insert(key.clone(), default.clone());
        }
    }
    Ok(given)
}

/// Does `value` keep to `schema`?
///
/// # Errors
/// The first violation.
pub fn value(schema: &Schema, value: &Value) -> Result<(), Violation> {
    at(schema, value, "")
}

fn at(schema: &Schema, value: &Value, here: &str) -> Result<(), Violation> {
    if !schema.types.is_empty() && !schema.types.iter().any(|t| t.fits(value)) {
        return wrong(here, "type");
    }
    match value {
        Value::Object(members) => object(schema, members, here)?,
        Value::Array(items) => array(schema, items, here)?,
        Value::Number(_) => number(schema, value.as_f64().unwrap_or(f64::NAN), here)?,
        Value::String(text) => length(schema, text, here)?,
        Value::Bool(_) | Value::Null => {}
    }
    if schema
        .options
        .as_ref()
        .is_some_and(|allowed| !allowed.contains(value))
    {
        return wrong(here, "enum");
    }
    match (schema.format, value) {
        (Some(format), Value::String(text)) if !format.fits(text) => wrong(here, "format"),
        _ => Ok(()),
    }
}

fn object(schema: &Schema, members: &Map<String, Value>, here: &str) -> Result<(), Violation> {
    if let Some(missing) = schema.required.iter().find(|k| !members.contains_key(*k)) {
        return wrong(&pointer::child(here, missing), "required");
    }
    if schema.closed {
        let known = |key: &str| schema.properties.iter().any(|(k, _)| k == key);
        let unknown = members.keys().filter(|key| !known(key));
        if let Some(first) = unknown.min_by(|a, b| a.encode_utf16().cmp(b.encode_utf16())) {
            return wrong(&pointer::child(here, first), "additionalProperties");
        }
    }
    for (key, property) in &schema.properties {
        if let Some(member) = members.get(key) {
            at(property, member, &pointer::child(here, key))?;
        }
    }
    for (_, needs) in schema
        .dependent
        .iter()
        .filter(|(key, _)| members.contains_key(key))
    {
        if let Some(missing) = needs.iter().find(|k| !members.contains_key(*k)) {
            return wrong(&pointer::child(here, missing), "dependentRequired");
        }
    }
    let there = |set: &&Vec<String>| set.iter().all(|key| members.contains_key(key));
    if schema
        .any_of
        .as_ref()
        .is_some_and(|sets| !sets.iter().any(|set| there(&set)))
    {
        return wrong(here, "anyOf");
    }
    if schema
        .one_of
        .as_ref()
        .is_some_and(|sets| sets.iter().filter(there).count() != 1)
    {
        return wrong(here, "oneOf");
    }
    Ok(())
}

fn array(schema: &Schema, items: &[Value], here: &str) -> Result<(), Violation> {
    if schema.min_items.is_some_and(|least| items.len() < least) {
        return wrong(here, "minItems");
    }
    if schema.max_items.is_some_and(|most| items.len() > most) {
        return wrong(here, "maxItems");
    }
    let Some(each) = &schema.items else {
        return Ok(());
    };
    items
        .iter()
        .enumerate()
        .try_for_each(|(index, item)| at(each, item, &pointer::item(here, index)))
}

fn number(schema: &Schema, number: f64, here: &str) -> Result<(), Violation> {
    if schema.minimum.is_some_and(|least| number < least) {
        return wrong(here, "minimum");
    }
    if schema.maximum.is_some_and(|most| number > most) {
        return wrong(here, "maximum");
    }
    Ok(())
}

fn length(schema: &Schema, text: &str, here: &str) -> Result<(), Violation> {
    if schema.min_length.is_none() && schema.max_length.is_none() {
        return Ok(());
    }
    let length = text.chars().count();
    if schema.min_length.is_some_and(|least| length < least) {
        return wrong(here, "minLength");
    }
    if schema.max_length.is_some_and(|most| length > most) {
        return wrong(here, "maxLength");
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]
    use super::*;
    use serde_json::json;

    fn first(schema: Value, value: Value) -> String {
        super::value(&Schema::read(&schema).unwrap(), &value)
            .unwrap_err()
            .to_string()
    }

    #[test]
    fn the_first_violation_is_told_in_the_contracts_order() {
        let schema = json!({"type": "object", "properties": {"b": {"type": "string"}, "a": {"type": "integer"}},
            "required": ["z", "a"], "additionalProperties": false, "dependentRequired": {"b": ["c"]}, "anyOf": [{"required": ["q"]}], "oneOf": [{"required": ["r"]}]});
        let says = |value| first(schema.clone(), value);
        assert_eq!(says(json!([])), "/ type");
        assert_eq!(says(json!({"y": 1})), "/z required");
        assert_eq!(says(json!({"z": 1})), "/a required");
        assert_eq!(
            says(json!({"z": 1, "y": 1, "a": "x"})),
            "/y additionalProperties"
        );
        let open = json!({"properties": {"b": {"type": "string"}, "a": {"type": "integer"}},
            "dependentRequired": {"b": ["c"]}, "anyOf": [{"required": ["q"]}, {"required": ["s"]}], "oneOf": [{"required": ["r"]}]});
        let says = |value| first(open.clone(), value);
        assert_eq!(says(json!({"a": 1.5, "b": 1})), "/b type");
        assert_eq!(says(json!({"a": 1.5, "b": "x"})), "/a type");
        assert_eq!(says(json!({"b": "x"})), "/c dependentRequired");
        assert_eq!(says(json!({})), "/ anyOf");
        assert_eq!(says(json!({"q": 1})), "/ oneOf");
    }

    #[test]
    fn unknown_keys_sort_by_code_unit_and_stand_escaped_in_the_pointer() {
        let schema = json!({"additionalProperties": false});
        assert_eq!(
            first(schema.clone(), json!({"\u{fffd}": 1, "\u{1f600}": 2})),
            "/\u{1f600} additionalProperties"
        );
        assert_eq!(
            first(schema, json!({"a/b~": 1})),
            "/a~1b~0 additionalProperties"
        );
    }

    #[test]
    fn a_default_is_given_to_a_missing_member_of_the_arguments_only() {
        let schema = Schema::read(
            &json!({"type": "object", "properties": {"n": {"type": "integer", "default": 3},
            "o": {"type": "object", "properties": {"m": {"default": 1}}}}}),
        )
        .unwrap();
        let given = arguments(&schema, &json!({"o": {}})).unwrap();
        assert_eq!(Value::Object(given), json!({"o": {}, "n": 3}));
        assert_eq!(arguments(&schema, &Value::Null).unwrap()["n"], 3);
        let written = arguments(&schema, &json!({"n": 2.0})).unwrap();
        assert_eq!(written["n"].to_string(), "2.0");
    }
}
