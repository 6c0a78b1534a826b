//! The answer to a records source: eui-core's evaluator over the rows the viewer may read, with computed fields and states worked
//! out before it and refs followed after it.

use std::collections::HashMap;
use std::sync::Arc;

use eui_core::cel::ExpressionEnv;
use eui_core::host::{RecordRow, RecordsContext, records_value_owned};
use serde_json::{Map, Value, json};

use super::model::{Change, actor};
use super::query::{RecordsRequest, Viewer};
use crate::clock::{local_iso, offset_in};
use crate::package::kinds::{RefTarget, RowKeys, computed_of, with_computed};
use crate::package::rules::{Policy, next_states};

impl RecordsRequest {
    /// The answer over what `rows` gives: the live rows of each of [`RecordsRequest::reads`].
    ///
    /// # Errors
    /// Those of `rows`.
    pub fn evaluate<E>(
        &self,
        viewer: &Viewer,
        mut rows: impl FnMut(&Change) -> Result<Arc<Vec<RecordRow>>, E>,
    ) -> Result<Value, E> {
        let Some(asked) = self.reads.first() else {
            return Ok(Value::Null);
        };
        let now = local_iso(&viewer.now);
        let context = RecordsContext {
            me: Some(&viewer.me),
            now: &now,
            names: &HashMap::new(),
        };
        let stored = rows(&asked.of)?;
        let seen = self.seen_by(viewer, &asked.definition, &stored);
        let seen = seen.as_deref().unwrap_or(&stored);
        let mut value = records_value_owned(seen, &self.query, context).unwrap_or(Value::Null);
        for (field, target) in &self.refs {
            let followed = match target {
                RefTarget::Kind(kind) => {
                    let Some(read) = self.reads.iter().find(|read| read.of.kind.as_str() == kind)
                    else {
                        continue;
                    };
                    let rows = rows(&read.of)?;
                    self.seen_by(viewer, &read.definition, &rows)
                        .unwrap_or_else(|| rows.to_vec())
                }
                RefTarget::Issue | RefTarget::Member => Vec::new(),
            };
            let by_id: HashMap<&str, &RecordRow> =
                followed.iter().map(|row| (row.id.as_str(), row)).collect();
            for row in value
                .get_mut("rows")
                .and_then(Value::as_array_mut)
                .into_iter()
                .flatten()
            {
                row[field] = follow(target, &row[field], &by_id);
            }
        }
        Ok(value)
    }

    /// The rows of the kind `definition` that the viewer may read, with what is worked out on reading; `None` when that is all of them as they
    /// are.
    fn seen_by(
        &self,
        viewer: &Viewer,
        definition: &Value,
        rows: &[RecordRow],
    ) -> Option<Vec<RecordRow>> {
        let actor = actor(&viewer.me);
        let read = Policy::of(definition, self.format).read;
        let computes = self.own && computed_of(definition).next().is_some();
        let moves = self.own && definition.get("transitions").is_some();
        if actor.owner && !computes && !moves {
            return None;
        }
        let offset = offset_in(viewer.now.time_zone().clone());
        let env = ExpressionEnv {
            now: Some(viewer.now.timestamp().as_millisecond() as f64),
            offset: Some(&offset),
            max_steps: None,
        };
        let author = |row: &RecordRow| {
            row.author_id
                .clone()
                .or_else(|| row.created_by.clone())
                .unwrap_or_default()
        };
        let visible = rows.iter().filter(|row| read.allows(actor, &author(row)));
        let worked_out = visible.map(|row| {
            let author = author(row);
            let keys = RowKeys {
                id: &row.id,
                author: &author,
                created_by: row.created_by.as_deref().unwrap_or_default(),
                created_at: &row.created_at,
                updated_at: &row.updated_at,
            };
            let stored: Map<String, Value> = row.data.as_object().cloned().unwrap_or_default();
            let mut data = if computes {
                with_computed(definition, &stored, keys, &env)
            } else {
                stored.clone()
            };
            if moves {
                data.insert(
                    "transitions".into(),
                    next_states(definition, &stored, &author, actor).into(),
                );
            }
            RecordRow {
                data: Value::Object(data),
                ..row.clone()
            }
        });
        Some(worked_out.collect())
    }
}

/// What a ref field holds once it is followed: the record, a member, or null where nothing is any more.
fn follow(target: &RefTarget, id: &Value, rows: &HashMap<&str, &RecordRow>) -> Value {
    match target {
        RefTarget::Kind(_) => id
            .as_str()
            .and_then(|id| rows.get(id))
            .map_or(Value::Null, |row| {
                let mut data = row.data.as_object().cloned().unwrap_or_default();
                data.insert("id".into(), row.id.clone().into());
                Value::Object(data)
            }),
        RefTarget::Member if id.is_string() => json!({"id": id, "name": id}),
        RefTarget::Member | RefTarget::Issue => Value::Null,
    }
}
