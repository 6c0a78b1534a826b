//! Computed fields of a kind (`records.<kind>.computed`, package format 3): expressions evaluated on every read, never stored, so
//! they never go stale. A query filters, sorts and groups by them like by any field.

use std::collections::BTreeMap;

use eui_core::cel::{ExpressionEnv, evaluate_expression};
use eui_core::host::RecordRow;
use serde_json::{Map, Value};

/// The computed fields of one kind.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Computed {
    /// Name and expression.
    fields: BTreeMap<String, String>,
    /// Every field the schema declares: a record without one reads null, not an unknown name.
    declared: Vec<String>,
}

impl Computed {
    /// The computed fields of the kind that `definition` (`{schema, computed?, …}`) describes; `None` when it has none.
    pub fn of(definition: &Value) -> Option<Computed> {
        let fields: BTreeMap<String, String> = definition
            .get("computed")?
            .as_object()?
            .iter()
            .filter_map(|(name, expression)| Some((name.clone(), expression.as_str()?.to_owned())))
            .collect();
        let declared = definition
            .pointer("/schema/properties")
            .and_then(Value::as_object)
            .map(|fields| fields.keys().cloned().collect())
            .unwrap_or_default();
        (!fields.is_empty()).then_some(Computed { fields, declared })
    }

    /// Does a value here depend on the time it is read?
    pub fn depends_on_day(&self) -> bool {
        self.fields
            .values()
            .any(|expression| expression.contains("today(") || expression.contains("now("))
    }

    /// `row` with its computed fields. A failing expression reads null; a stored field is never covered.
    pub fn fill(&self, row: &RecordRow, env: &ExpressionEnv<'_>) -> RecordRow {
        let mut variables: Map<String, Value> = self
            .declared
            .iter()
            .map(|name| (name.clone(), Value::Null))
            .collect();
        let data = row.data.as_object();
        variables.extend(
            data.into_iter()
                .flatten()
                .map(|(name, value)| (name.clone(), value.clone())),
        );
        let author = row.author_id.as_ref().or(row.created_by.as_ref());
        let keys = [
            ("id", Some(&row.id)),
            ("createdAt", Some(&row.created_at)),
            ("updatedAt", Some(&row.updated_at)),
            ("createdBy", row.created_by.as_ref()),
            ("authorId", author),
        ];
        variables.extend(keys.map(|(name, value)| {
            (
                name.to_owned(),
                value.map_or(Value::Null, |text| Value::String(text.clone())),
            )
        }));
        let mut filled = data.cloned().unwrap_or_default();
        for (name, expression) in &self.fields {
            if !filled.contains_key(name) {
                filled.insert(
                    name.clone(),
                    evaluate_expression(expression, &variables, env).unwrap_or(Value::Null),
                );
            }
        }
        RecordRow {
            data: Value::Object(filled),
            ..row.clone()
        }
    }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]
    use super::*;
    use serde_json::json;

    fn filled(data: Value) -> Value {
        let kind = json!({
            "schema": {"type": "object", "properties": {"hours": {"type": "number"}, "note": {"type": "string"}}},
            "computed": {"minutes": "round(hours * 60)", "broken": "note + 1", "mine": "authorId == 'local'", "hours": "0"},
        });
        let row = RecordRow {
            id: "r".into(),
            kind: "entry".into(),
            data,
            created_by: Some("local".into()),
            author_id: None,
            created_at: "2026-01-01T00:00:00.000Z".into(),
            updated_at: "2026-01-01T00:00:00.000Z".into(),
        };
        Computed::of(&kind)
            .unwrap()
            .fill(&row, &ExpressionEnv::default())
            .data
    }

    #[test]
    fn computed_fields_read_the_record_and_its_keys() {
        assert_eq!(
            filled(json!({"hours": 1.5})),
            json!({"hours": 1.5, "minutes": 90, "broken": null, "mine": true})
        );
    }

    #[test]
    fn a_missing_field_makes_its_computed_field_null() {
        assert_eq!(filled(json!({}))["minutes"], Value::Null);
    }
}
