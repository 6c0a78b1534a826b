//! Reading: the SQL that turns rows into records, and nothing more. What an answer means is eui-core's to decide.

use std::collections::BTreeMap;

use eui_core::host::RecordRow;
use jiff::Timestamp;
use rusqlite::{Connection, OptionalExtension, Row, params};
use serde_json::{Map, Value, json};

use super::model::{ActionId, Change, HistoryEntry, Kind, Operation, Record, RecordId};
use super::table::Placed;
use crate::app_id::AppId;
use crate::clock::iso;

/// The columns [`stored`] reads, in its order.
pub(super) const COLUMNS: &str = "id, kind, data, author, created_by, created_at, updated_at, deleted_at, revision, package_version, updated_by";

/// A record with what only the store itself needs to know of it.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Stored {
    pub record: Record,
    pub package_version: String,
    pub updated_by: String,
}

impl Stored {
    /// The state history keeps, as JSON; `data` is the record's, which is JSON already.
    pub fn snapshot(&self, data: &str) -> String {
        let r = &self.record;
        let author = Value::from(r.author.as_str());
        let (created, updated) = (iso(r.created_at), iso(r.updated_at));
        format!(
            r#"{{"data":{data},"author":{author},"createdAt":"{created}","updatedAt":"{updated}"}}"#
        )
    }

    /// The row as eui-core's batch takes it.
    pub fn as_row(&self) -> Value {
        let r = &self.record;
        json!({"id": r.id.as_str(), "kind": r.kind.as_str(), "data": r.data, "createdBy": r.created_by, "createdAt": iso(r.created_at), "updatedAt": iso(r.updated_at)})
    }
}

/// A value in the database that none of ours could have written, as the error of that column.
fn unreadable(column: usize, reason: impl std::fmt::Display) -> rusqlite::Error {
    rusqlite::Error::FromSqlConversionFailure(
        column,
        rusqlite::types::Type::Text,
        reason.to_string().into(),
    )
}

fn instant(row: &Row<'_>, column: usize) -> rusqlite::Result<Timestamp> {
    Timestamp::from_millisecond(row.get(column)?).map_err(|e| unreadable(column, e))
}

fn object(row: &Row<'_>, column: usize) -> rusqlite::Result<Map<String, Value>> {
    serde_json::from_str(row.get_ref(column)?.as_str()?).map_err(|e| unreadable(column, e))
}

fn json_or_none(row: &Row<'_>, column: usize) -> rusqlite::Result<Option<Value>> {
    row.get_ref(column)?
        .as_str_or_null()?
        .map(serde_json::from_str)
        .transpose()
        .map_err(|e| unreadable(column, e))
}

fn name<T, E: std::fmt::Display>(
    row: &Row<'_>,
    column: usize,
    parse: impl Fn(&str) -> Result<T, E>,
) -> rusqlite::Result<T> {
    parse(row.get_ref(column)?.as_str()?).map_err(|e| unreadable(column, e))
}

pub(super) fn stored(row: &Row<'_>) -> rusqlite::Result<Stored> {
    let deleted: Option<i64> = row.get(7)?;
    Ok(Stored {
        record: Record {
            id: name(row, 0, RecordId::parse)?,
            kind: name(row, 1, Kind::parse)?,
            data: object(row, 2)?,
            author: row.get(3)?,
            created_by: row.get(4)?,
            created_at: instant(row, 5)?,
            updated_at: instant(row, 6)?,
            deleted_at: deleted
                .map(Timestamp::from_millisecond)
                .transpose()
                .map_err(|e| unreadable(7, e))?,
            revision: row.get(8)?,
        },
        package_version: row.get(9)?,
        updated_by: row.get(10)?,
    })
}

/// One record, in the trash or not.
pub(super) fn one(
    connection: &Connection,
    app: &AppId,
    id: &RecordId,
) -> rusqlite::Result<Option<Stored>> {
    let sql = format!("SELECT {COLUMNS} FROM records WHERE app = ?1 AND id = ?2");
    connection
        .prepare_cached(&sql)?
        .query_row(params![app.as_str(), id.as_str()], stored)
        .optional()
}

/// The live records of an app (of one kind), oldest first.
pub(super) fn list(
    connection: &Connection,
    app: &AppId,
    kind: Option<&Kind>,
) -> rusqlite::Result<Vec<Record>> {
    let sql = format!(
        "SELECT {COLUMNS} FROM records WHERE app = ?1 AND (?2 IS NULL OR kind = ?2) AND deleted_at IS NULL ORDER BY kind, created_at, id"
    );
    let mut statement = connection.prepare_cached(&sql)?;
    let rows = statement.query_map(params![app.as_str(), kind.map(Kind::as_str)], |row| {
        Ok(stored(row)?.record)
    })?;
    rows.collect()
}

/// A row as the evaluator takes it, with its place.
fn placed(row: &Row<'_>, kind: &Kind) -> rusqlite::Result<Placed> {
    // Parsed JSON takes a few times the room of its text; the constant stands for the fields around it.
    let bytes = 4 * row.get_ref(2)?.as_str()?.len() + 256;
    Ok(Placed {
        place: row.get(0)?,
        bytes,
        row: RecordRow {
            id: row.get(1)?,
            kind: kind.as_str().to_owned(),
            data: Value::Object(object(row, 2)?),
            author_id: Some(row.get(3)?),
            created_by: Some(row.get(4)?),
            created_at: iso(instant(row, 5)?),
            updated_at: iso(instant(row, 6)?),
        },
    })
}

const PLACED: &str = "SELECT rowid, id, data, author, created_by, created_at, updated_at FROM records WHERE app = ?1 AND kind = ?2 AND deleted_at IS NULL";

/// The live rows of one kind.
pub(super) fn rows(connection: &Connection, of: &Change) -> rusqlite::Result<Vec<Placed>> {
    let mut statement = connection.prepare_cached(PLACED)?;
    let rows = statement.query_map(params![of.app.as_str(), of.kind.as_str()], |row| {
        placed(row, &of.kind)
    })?;
    rows.collect()
}

/// The row of one record of a kind, while it is live.
pub(super) fn row(
    connection: &Connection,
    of: &Change,
    id: &str,
) -> rusqlite::Result<Option<Placed>> {
    connection
        .prepare_cached(&format!("{PLACED} AND id = ?3"))?
        .query_row(params![of.app.as_str(), of.kind.as_str(), id], |row| {
            placed(row, &of.kind)
        })
        .optional()
}

/// What was written after action `last`: the records of each kind, and the newest action.
pub(super) fn written_since(
    connection: &Connection,
    last: i64,
) -> rusqlite::Result<(BTreeMap<Change, Vec<String>>, i64)> {
    let mut statement = connection
        .prepare_cached("SELECT app, kind, record, action FROM history WHERE action > ?1")?;
    let mut rows = statement.query([last])?;
    let (mut written, mut newest) = (BTreeMap::<Change, Vec<String>>::new(), last);
    let mut current: Option<Change> = None;
    while let Some(row) = rows.next()? {
        newest = newest.max(row.get(3)?);
        let (app, kind) = (row.get_ref(0)?.as_str()?, row.get_ref(1)?.as_str()?);
        let same = |of: &Change| of.app.as_str() == app && of.kind.as_str() == kind;
        if !current.as_ref().is_some_and(same) {
            current = match (AppId::parse(app), Kind::parse(kind)) {
                (Ok(app), Ok(kind)) => Some(Change { app, kind }),
                _ => None,
            };
        }
        let Some(of) = &current else { continue };
        let record = row.get(2)?;
        match written.get_mut(of) {
            Some(records) => records.push(record),
            None => drop(written.insert(of.clone(), vec![record])),
        }
    }
    Ok((written, newest))
}

/// How many live records of each kind an app has.
pub(super) fn kinds(connection: &Connection, app: &AppId) -> rusqlite::Result<Vec<(Kind, u64)>> {
    let mut statement = connection.prepare_cached("SELECT kind, count(*) FROM records WHERE app = ?1 AND deleted_at IS NULL GROUP BY kind ORDER BY kind")?;
    let rows = statement.query_map([app.as_str()], |row| {
        Ok((name(row, 0, Kind::parse)?, row.get(1)?))
    })?;
    rows.collect()
}

/// What was done to a record, newest first.
pub(super) fn history(
    connection: &Connection,
    app: &AppId,
    id: &RecordId,
) -> rusqlite::Result<Vec<HistoryEntry>> {
    let mut statement = connection.prepare_cached(
        "SELECT h.action, h.kind, h.op, h.before, h.after, a.actor, a.via, a.at, a.name FROM history h JOIN actions a ON a.id = h.action
         WHERE h.app = ?1 AND h.record = ?2 ORDER BY h.action DESC, h.position DESC",
    )?;
    let rows = statement.query_map(params![app.as_str(), id.as_str()], |row| {
        Ok(HistoryEntry {
            action: ActionId(row.get(0)?),
            record: id.clone(),
            kind: name(row, 1, Kind::parse)?,
            operation: name(row, 2, |word| Operation::parse(word).ok_or("no operation"))?,
            before: json_or_none(row, 3)?,
            after: json_or_none(row, 4)?,
            actor: row.get(5)?,
            via: row.get(6)?,
            at: instant(row, 7)?,
            name: row.get(8)?,
        })
    })?;
    rows.collect()
}
