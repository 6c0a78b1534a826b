//! The schemas of tool arguments and answers: the subset of JSON Schema the engine contract names, read once into a type.
//! A keyword outside the subset is refused, so that no schema promises more than [`super::validate`] checks.

use serde_json::{Map, Value, json};

use super::format::Format;

/// The type of a JSON value.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Type {
    Object,
    Array,
    String,
    Number,
    /// A number without a fraction, however it is written (`2.0` is one).
    Integer,
    Boolean,
    Null,
}

impl Type {
    fn parse(name: &str) -> Option<Type> {
        Some(match name {
            "object" => Type::Object,
            "array" => Type::Array,
            "string" => Type::String,
            "number" => Type::Number,
            "integer" => Type::Integer,
            "boolean" => Type::Boolean,
            "null" => Type::Null,
            _ => return None,
        })
    }

    /// Is `value` of this type?
    pub fn fits(self, value: &Value) -> bool {
        match self {
            Type::Object => value.is_object(),
            Type::Array => value.is_array(),
            Type::String => value.is_string(),
            Type::Number => value.is_number(),
            Type::Integer => {
                value.is_i64() || value.is_u64() || value.as_f64().is_some_and(|n| n.fract() == 0.0)
            }
            Type::Boolean => value.is_boolean(),
            Type::Null => value.is_null(),
        }
    }
}

/// A schema that cannot be read: the pointer of the keyword.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("{0} is no keyword of a tool's schema, or has a wrong value")]
pub struct BadSchema(pub String);

/// What a value must be. Everything that is not said is allowed.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Schema {
    /// One of these; empty for any.
    pub(super) types: Vec<Type>,
    /// In the order they are reported missing.
    pub(super) required: Vec<String>,
    /// In the order they are checked.
    pub(super) properties: Vec<(String, Schema)>,
    /// No other keys than `properties`.
    pub(super) closed: bool,
    pub(super) minimum: Option<f64>,
    pub(super) maximum: Option<f64>,
    /// In code points.
    pub(super) min_length: Option<usize>,
    pub(super) max_length: Option<usize>,
    pub(super) min_items: Option<usize>,
    pub(super) max_items: Option<usize>,
    pub(super) items: Option<Box<Schema>>,
    pub(super) options: Option<Vec<Value>>,
    pub(super) format: Option<Format>,
    /// With this key there must be those.
    pub(super) dependent: Vec<(String, Vec<String>)>,
    /// At least one of these sets of keys is there.
    pub(super) any_of: Option<Vec<Vec<String>>>,
    /// Exactly one of these sets of keys is there.
    pub(super) one_of: Option<Vec<Vec<String>>>,
    /// What a missing value becomes (heeded for the arguments' own members only).
    pub(super) default: Option<Value>,
}

impl Schema {
    /// The schema that `value` spells.
    ///
    /// # Errors
    /// A keyword outside the subset, or one with a value of the wrong kind.
    pub fn read(value: &Value) -> Result<Schema, BadSchema> {
        let keywords = value.as_object().ok_or_else(|| BadSchema("/".into()))?;
        let mut schema = Schema::default();
        for (keyword, value) in keywords {
            schema
                .keyword(keyword, value)
                .map_err(|BadSchema(inner)| BadSchema(format!("/{keyword}{inner}")))?;
        }
        Ok(schema)
    }

    fn keyword(&mut self, keyword: &str, value: &Value) -> Result<(), BadSchema> {
        let bad = || BadSchema(String::new());
        match keyword {
            "type" => self.types = types(value).ok_or_else(bad)?,
            "required" => self.required = names(value).ok_or_else(bad)?,
            "properties" => {
                for (key, inner) in value.as_object().ok_or_else(bad)? {
                    let inner = Schema::read(inner)
                        .map_err(|BadSchema(rest)| BadSchema(format!("/{key}{rest}")))?;
                    self.properties.push((key.clone(), inner));
                }
            }
            "additionalProperties" if value == &json!(false) => self.closed = true,
            "minimum" => self.minimum = Some(value.as_f64().ok_or_else(bad)?),
            "maximum" => self.maximum = Some(value.as_f64().ok_or_else(bad)?),
            "minLength" => self.min_length = Some(size(value).ok_or_else(bad)?),
            "maxLength" => self.max_length = Some(size(value).ok_or_else(bad)?),
            "minItems" => self.min_items = Some(size(value).ok_or_else(bad)?),
            "maxItems" => self.max_items = Some(size(value).ok_or_else(bad)?),
            "items" => self.items = Some(Box::new(Schema::read(value)?)),
            "enum" => self.options = Some(value.as_array().ok_or_else(bad)?.clone()),
            "format" => {
                self.format = Some(value.as_str().and_then(Format::parse).ok_or_else(bad)?);
            }
            "dependentRequired" => {
                for (key, needs) in value.as_object().ok_or_else(bad)? {
                    self.dependent
                        .push((key.clone(), names(needs).ok_or_else(bad)?));
                }
            }
            "anyOf" => self.any_of = Some(required_sets(value).ok_or_else(bad)?),
            "oneOf" => self.one_of = Some(required_sets(value).ok_or_else(bad)?),
            "default" => self.default = Some(value.clone()),
            // Words for whoever reads it.
            "title" | "description" if value.is_string() => {}
            _ => return Err(bad()),
        }
        Ok(())
    }
}

fn size(value: &Value) -> Option<usize> {
    usize::try_from(value.as_u64()?).ok()
}

fn names(value: &Value) -> Option<Vec<String>> {
    let name = |v: &Value| v.as_str().map(str::to_owned);
    value.as_array()?.iter().map(name).collect()
}

fn types(value: &Value) -> Option<Vec<Type>> {
    match value {
        Value::String(name) => Some(vec![Type::parse(name)?]),
        Value::Array(all) => all.iter().map(|v| Type::parse(v.as_str()?)).collect(),
        _ => None,
    }
}

/// `[{"required": [a]}, {"required": [b, c]}]`.
fn required_sets(value: &Value) -> Option<Vec<Vec<String>>> {
    let set = |v: &Value| {
        let alternative = v.as_object().filter(|o| o.len() == 1)?;
        names(alternative.get("required")?)
    };
    value.as_array()?.iter().map(set).collect()
}

/// The schema of what the bridge answers where the native answers `native`: every object with `data` has lost it and gained
/// `size` (bytes) and `fileId` (see [`super::store`]).
pub fn stored(native: &Value) -> Value {
    match native {
        Value::Object(keywords) => {
            let mut out: Map<String, Value> = Map::new();
            let carries = |key: &str| match keywords.get("properties") {
                Some(Value::Object(properties)) => properties.contains_key(key),
                _ => false,
            };
            let loses = carries("data");
            for (keyword, value) in keywords {
                let mut value = stored(value);
                match (keyword.as_str(), &mut value) {
                    ("properties", Value::Object(properties)) if loses => {
                        properties.shift_remove("data");
                        properties.insert("size".into(), json!({"type": "integer", "minimum": 0}));
                        let id = json!({"type": "string", "minLength": 1, "maxLength": 200});
                        properties.insert("fileId".into(), id);
                    }
                    ("required", Value::Array(required)) if loses => {
                        required.retain(|name| name != "data");
                        required.extend([json!("size"), json!("fileId")]);
                    }
                    _ => {}
                }
                out.insert(keyword.clone(), value);
            }
            Value::Object(out)
        }
        Value::Array(items) => items.iter().map(stored).collect(),
        other => other.clone(),
    }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]
    use super::*;

    #[test]
    fn a_keyword_that_would_not_be_checked_is_refused() {
        let bad = |value| Schema::read(&value).unwrap_err().0;
        assert_eq!(bad(json!({"pattern": "x"})), "/pattern");
        assert_eq!(
            bad(json!({"properties": {"a": {"type": "text"}}})),
            "/properties/a/type"
        );
        assert_eq!(
            bad(json!({"additionalProperties": true})),
            "/additionalProperties"
        );
        assert_eq!(bad(json!({"oneOf": [{"type": "object"}]})), "/oneOf");
        assert_eq!(bad(json!({"items": {"format": "email"}})), "/items/format");
    }

    #[test]
    fn what_is_stored_is_described_by_size_and_id() {
        let native = json!({"type": "object", "properties": {"files": {"type": "array", "items": {
            "type": "object", "properties": {"name": {"type": "string"}, "data": {"type": "string"}}, "required": ["name", "data"]}}}});
        let item = &stored(&native)["properties"]["files"]["items"];
        assert_eq!(item["required"], json!(["name", "size", "fileId"]));
        assert!(item["properties"].get("data").is_none());
        let plain = json!({"type": "object", "properties": {"saved": {"type": "boolean"}}});
        assert_eq!(stored(&plain), plain);
    }
}
