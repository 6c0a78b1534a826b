//! A record's new state put down: its row, and the row of history that says what it was before. Part of a transaction of whoever
//! writes.

use jiff::Timestamp;
use rusqlite::{Transaction, ffi, params};
use serde_json::Value;

use super::apply::{Step, Stop, refused};
use super::model::{ActionId, Operation, RECORD_MAX_BYTES, RecordId};
use super::read::Stored;
use crate::app_id::AppId;

/// How deep a field's value may nest: far from where a reader of the stored text would give up.
const MAX_DEPTH: usize = 32;

fn depth(value: &Value) -> usize {
    match value {
        Value::Array(items) => 1 + items.iter().map(depth).max().unwrap_or(0),
        Value::Object(fields) => 1 + fields.values().map(depth).max().unwrap_or(0),
        _ => 0,
    }
}

/// Put down a record's new state, which was `before` (itself perhaps in the trash).
pub(super) fn keep(
    tx: &Transaction<'_>,
    app: &AppId,
    at: (ActionId, usize),
    operation: Operation,
    before: Option<&Stored>,
    after: &Stored,
) -> Step<()> {
    let data = text(after)?;
    save(tx, app, after, &data, KEEP)?;
    log(tx, app, at, operation, before, (after, &data))
}

/// Put down a new record; where its id is another record's, in the trash or not, under the next one of `ids`.
pub(super) fn keep_new(
    tx: &Transaction<'_>,
    app: &AppId,
    at: (ActionId, usize),
    after: &mut Stored,
    mut ids: impl FnMut() -> Step<RecordId>,
) -> Step<()> {
    let data = text(after)?;
    while let Err(error) = save(tx, app, after, &data, ADD) {
        match error.sqlite_error() {
            Some(error) if error.extended_code == ffi::SQLITE_CONSTRAINT_PRIMARYKEY => {
                after.record.id = ids()?;
            }
            _ => return Err(error.into()),
        }
    }
    log(tx, app, at, Operation::Create, None, (after, &data))
}

/// The data of a record as it is stored.
fn text(stored: &Stored) -> Step<String> {
    let data = &stored.record.data;
    if data.values().any(|value| depth(value) > MAX_DEPTH) {
        return refused(format!("a record nests {MAX_DEPTH} levels at most"));
    }
    let text = json(stored)?;
    if text.len() > RECORD_MAX_BYTES {
        return refused(format!(
            "a record holds {RECORD_MAX_BYTES} bytes at most, this one has {}",
            text.len()
        ));
    }
    Ok(text)
}

fn json(stored: &Stored) -> Step<String> {
    serde_json::to_string(&stored.record.data).map_err(|e| Stop::Refused(e.to_string()))
}

const ADD: &str = "INSERT INTO records (app, id, kind, data, author, created_by, updated_by, created_at, updated_at, deleted_at, revision, package_version)
    VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10, ?11, ?12)";

const KEEP: &str = "INSERT INTO records (app, id, kind, data, author, created_by, updated_by, created_at, updated_at, deleted_at, revision, package_version)
    VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10, ?11, ?12)
    ON CONFLICT (app, id) DO UPDATE SET kind = excluded.kind, data = excluded.data, author = excluded.author, updated_by = excluded.updated_by, created_at = excluded.created_at,
    updated_at = excluded.updated_at, deleted_at = excluded.deleted_at, revision = excluded.revision, package_version = excluded.package_version";

/// Run `statement`, [`ADD`] or [`KEEP`].
fn save(
    tx: &Transaction<'_>,
    app: &AppId,
    after: &Stored,
    data: &str,
    statement: &str,
) -> rusqlite::Result<()> {
    let record = &after.record;
    tx.prepare_cached(statement)?.execute(params![
        app.as_str(),
        record.id.as_str(),
        record.kind.as_str(),
        data,
        record.author,
        record.created_by,
        after.updated_by,
        record.created_at.as_millisecond(),
        record.updated_at.as_millisecond(),
        record.deleted_at.map(Timestamp::as_millisecond),
        record.revision,
        after.package_version,
    ])?;
    Ok(())
}

fn log(
    tx: &Transaction<'_>,
    app: &AppId,
    (action, position): (ActionId, usize),
    operation: Operation,
    before: Option<&Stored>,
    (after, data): (&Stored, &str),
) -> Step<()> {
    let is_live = |stored: &Stored| stored.record.deleted_at.is_none();
    let before = match before.filter(|before| is_live(before)) {
        Some(before) => Some(before.snapshot(&json(before)?)),
        None => None,
    };
    let now = is_live(after).then(|| after.snapshot(data));
    let record = &after.record;
    tx.prepare_cached("INSERT INTO history (action, position, app, record, kind, op, before, after, revision) VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9)")?.execute(params![
        action.0,
        i64::try_from(position).unwrap_or(i64::MAX),
        app.as_str(),
        record.id.as_str(),
        record.kind.as_str(),
        operation.as_str(),
        before,
        now,
        record.revision,
    ])?;
    Ok(())
}
