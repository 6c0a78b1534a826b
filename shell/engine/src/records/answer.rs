//! The answer to a records source: eui-core's evaluator over the rows the viewer sees, and refs followed after it.

use std::collections::HashMap;

use eui_core::host::{RecordRow, RecordsContext};
use serde_json::{Value, json};

use super::model::Change;
use super::narrow;
use super::query::{Read, RecordsRequest, Viewer};
use super::sight::Sight;
use super::table::{Placed, Table};
use crate::clock::local_iso;
use crate::package::kinds::RefTarget;

/// Where the rows are.
pub(super) trait Tables {
    type Error;

    /// The live rows of a kind, as they are seen with `sight`.
    fn table(&mut self, of: &Change, sight: Option<Sight>) -> Result<&mut Table, Self::Error>;
}

impl RecordsRequest {
    /// The answer over what `rows` gives: the live rows of each of [`RecordsRequest::reads`].
    ///
    /// # Errors
    /// Those of `rows`.
    pub fn evaluate<E>(
        &self,
        viewer: &Viewer,
        rows: impl FnMut(&Change) -> Result<Vec<RecordRow>, E>,
    ) -> Result<Value, E> {
        let mut given = Given {
            rows,
            table: Table::default(),
        };
        self.answer(viewer, &mut given)
    }

    /// The answer from `tables`.
    pub(super) fn answer<T: Tables>(
        &self,
        viewer: &Viewer,
        tables: &mut T,
    ) -> Result<Value, T::Error> {
        let Some(asked) = self.reads.first() else {
            return Ok(Value::Null);
        };
        let now = local_iso(&viewer.now);
        let context = RecordsContext {
            me: Some(&viewer.me),
            now: &now,
            names: &HashMap::new(),
        };
        let table = tables.table(&asked.of, self.sight(asked, viewer))?;
        let mut value = narrow::value(table, &self.query, context);
        for (field, target) in &self.refs {
            let read = match target {
                RefTarget::Kind(kind) => {
                    let named = |read: &&Read| read.of.kind.as_str() == kind;
                    self.reads.iter().find(named)
                }
                RefTarget::Issue | RefTarget::Member => None,
            };
            let table = match read {
                Some(read) => Some(&*tables.table(&read.of, self.sight(read, viewer))?),
                None => None,
            };
            let listed = value.get_mut("rows").and_then(Value::as_array_mut);
            for row in listed.into_iter().flatten() {
                row[field] = follow(target, &row[field], table);
            }
        }
        Ok(value)
    }
}

/// Rows that somebody hands over.
struct Given<F> {
    rows: F,
    table: Table,
}

impl<E, F: FnMut(&Change) -> Result<Vec<RecordRow>, E>> Tables for Given<F> {
    type Error = E;

    fn table(&mut self, of: &Change, sight: Option<Sight>) -> Result<&mut Table, E> {
        let rows = (self.rows)(of)?.into_iter();
        let seen = rows.filter_map(|row| match &sight {
            Some(sight) => sight.see(row),
            None => Some(row),
        });
        self.table = Table::of((0..).zip(seen).map(|(place, row)| Placed {
            place,
            row,
            bytes: 0,
        }));
        Ok(&mut self.table)
    }
}

/// What a ref field holds once it is followed: the record, a member, or null where nothing is any more.
fn follow(target: &RefTarget, id: &Value, table: Option<&Table>) -> Value {
    match target {
        RefTarget::Kind(_) => {
            id.as_str()
                .and_then(|id| table?.get(id))
                .map_or(Value::Null, |row| {
                    let mut data = row.data.as_object().cloned().unwrap_or_default();
                    data.insert("id".into(), row.id.clone().into());
                    Value::Object(data)
                })
        }
        RefTarget::Member if id.is_string() => json!({"id": id, "name": id}),
        RefTarget::Member | RefTarget::Issue => Value::Null,
    }
}
