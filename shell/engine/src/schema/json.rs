//! A [`Shape`] as JSON Schema, draft 2020-12.

use serde_json::{Map as Json, Value, json};

use super::shape::{FREE_KEYS, Object, Shape};

/// The dialect every schema here names.
pub const DIALECT: &str = "https://json-schema.org/draft/2020-12/schema";

/// The schema of a shape, all versions together.
pub fn json_schema(shape: &Shape) -> Value {
    match shape {
        Shape::Any => json!({}),
        Shape::Flag => json!({"type": "boolean"}),
        Shape::Text(rule) => {
            let mut out = Json::new();
            out.insert("type".into(), "string".into());
            if rule.min > 0 {
                out.insert("minLength".into(), rule.min.into());
            }
            if let Some(max) = rule.max {
                out.insert("maxLength".into(), max.into());
            }
            if let Some(pattern) = rule.pattern {
                out.insert("pattern".into(), pattern.regex.into());
            }
            Value::Object(out)
        }
        Shape::Choice(words) => json!({"enum": words}),
        Shape::Number(rule) => {
            let mut out = Json::new();
            out.insert(
                "type".into(),
                if rule.whole { "integer" } else { "number" }.into(),
            );
            for (key, bound) in [("minimum", rule.min), ("maximum", rule.max)] {
                if let Some(n) = bound {
                    out.insert(key.into(), eui_core::json::number(n));
                }
            }
            Value::Object(out)
        }
        Shape::List(rule) => {
            let mut out = Json::new();
            out.insert("type".into(), "array".into());
            out.insert("items".into(), json_schema(&rule.of));
            if rule.min > 0 {
                out.insert("minItems".into(), rule.min.into());
            }
            if let Some(max) = rule.max {
                out.insert("maxItems".into(), max.into());
            }
            Value::Object(out)
        }
        Shape::Map(rule) => {
            let mut out = Json::new();
            out.insert("type".into(), "object".into());
            out.insert("properties".into(), free());
            out.insert("additionalProperties".into(), json_schema(&rule.of));
            if let Some(pattern) = rule.keys {
                out.insert(
                    "propertyNames".into(),
                    json!({"anyOf": [{"pattern": pattern.regex}, {"enum": FREE_KEYS}]}),
                );
            }
            if rule.min > 0 {
                out.insert("minProperties".into(), rule.min.into());
            }
            if let Some(max) = rule.max {
                out.insert("maxProperties".into(), max.into());
            }
            Value::Object(out)
        }
        Shape::Object(object) => object_schema(object),
        Shape::Tagged { tag, variants } => {
            let words: Vec<&str> = variants.iter().map(|(word, _)| *word).collect();
            let branches: Vec<Value> =
                variants.iter().map(|(word, object)| json!({"if": {"properties": {(*tag): {"const": word}}, "required": [tag]}, "then": object_schema(object)})).collect();
            json!({"type": "object", "required": [tag], "properties": {(*tag): {"enum": words}}, "allOf": branches})
        }
        Shape::Either(shapes) => {
            json!({"anyOf": shapes.iter().map(json_schema).collect::<Vec<_>>()})
        }
        Shape::Named(name, _) => json!({"$ref": format!("#/$defs/{name}")}),
    }
}

fn free() -> Value {
    Value::Object(
        FREE_KEYS
            .iter()
            .map(|k| ((*k).to_owned(), json!({})))
            .collect(),
    )
}

fn object_schema(object: &Object) -> Value {
    let mut properties = Json::new();
    for field in &object.fields {
        let mut schema = json_schema(&field.shape);
        if let (Some(members), false) = (schema.as_object_mut(), field.help.is_empty()) {
            members.insert("description".into(), field.help.into());
        }
        properties.insert(field.name.into(), schema);
    }
    if let Value::Object(free) = free() {
        properties.extend(free);
    }
    let mut out = Json::new();
    out.insert("type".into(), "object".into());
    out.insert("properties".into(), Value::Object(properties));
    let required: Vec<&str> = object
        .fields
        .iter()
        .filter(|f| f.required)
        .map(|f| f.name)
        .collect();
    if !required.is_empty() {
        out.insert("required".into(), json!(required));
    }
    if !object.open {
        out.insert("additionalProperties".into(), false.into());
    }
    if !object.one_of.is_empty() {
        out.insert(
            "oneOf".into(),
            object
                .one_of
                .iter()
                .map(|key| json!({"required": [key]}))
                .collect(),
        );
    }
    Value::Object(out)
}

/// A schema that refuses every key newer than `version`, wherever it stands; `None` where a shape has none.
pub fn without_later_keys(shape: &Shape, version: u8) -> Option<Value> {
    match shape {
        Shape::List(rule) => {
            without_later_keys(&rule.of, version).map(|inner| json!({"items": inner}))
        }
        Shape::Map(rule) => without_later_keys(&rule.of, version)
            .map(|inner| json!({"additionalProperties": inner})),
        Shape::Object(object) => without_later_object_keys(object, version),
        Shape::Tagged { variants, .. } => {
            let all: Vec<Value> = variants
                .iter()
                .filter_map(|(_, object)| without_later_object_keys(object, version))
                .collect();
            (!all.is_empty()).then(|| json!({"allOf": all}))
        }
        Shape::Either(shapes) => {
            let all: Vec<Value> = shapes
                .iter()
                .filter_map(|s| without_later_keys(s, version))
                .collect();
            (!all.is_empty()).then(|| json!({"allOf": all}))
        }
        Shape::Named(_, inner) => without_later_keys(inner, version),
        _ => None,
    }
}

fn without_later_object_keys(object: &Object, version: u8) -> Option<Value> {
    let mut properties = Json::new();
    for field in &object.fields {
        if field.since > version {
            properties.insert(field.name.into(), Value::Bool(false));
        } else if let Some(inner) = without_later_keys(&field.shape, version) {
            properties.insert(field.name.into(), inner);
        }
    }
    (!properties.is_empty()).then(|| json!({"properties": properties}))
}

/// A whole schema: the shape, its definitions, its name and its dialect.
pub fn document(id: &str, title: &str, shape: &Shape, definitions: Json<String, Value>) -> Value {
    let mut out = Json::new();
    out.insert("$schema".into(), DIALECT.into());
    out.insert("$id".into(), id.into());
    out.insert("title".into(), title.into());
    if let Value::Object(body) = json_schema(shape) {
        out.extend(body);
    }
    if !definitions.is_empty() {
        out.insert("$defs".into(), Value::Object(definitions));
    }
    Value::Object(out)
}
