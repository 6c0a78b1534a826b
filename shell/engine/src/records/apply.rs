//! Writing: one batch as one transaction, with its history.
//!
//! eui-core's `apply_record_batch` decides what an app's write does to a record and whether the kind's schema allows it; this adds
//! the rows around it. Nothing is visible to anybody before the commit.

use jiff::Timestamp;
use jiff::tz::TimeZone;
use rusqlite::{Connection, OptionalExtension, Transaction, TransactionBehavior, params};
use serde_json::{Value, json};

use super::allowed::{allowed, attached, refers};
use super::error::StoreError;
use super::id::IdSource;
use super::model::{ActionId, Batch, Kind, Operation, Put, Receipt, Record, RecordId, Write};
use super::moving::moved;
use super::quota::Before;
use super::read::{Stored, one};
use super::state::{keep, keep_new};
use crate::app_id::AppId;
use crate::clock::iso;
use crate::package::kinds::record_issues;

/// Why a batch did not land: SQLite, or the data's own rules.
pub(super) enum Stop {
    Sqlite(rusqlite::Error),
    Refused(String),
    Store(StoreError),
}

impl From<rusqlite::Error> for Stop {
    fn from(error: rusqlite::Error) -> Stop {
        Stop::Sqlite(error)
    }
}

pub(super) type Step<T> = Result<T, Stop>;

pub(super) fn refused<T>(why: impl Into<String>) -> Step<T> {
    Err(Stop::Refused(why.into()))
}

/// What a batch has come to.
pub(super) struct Landed {
    pub receipt: Receipt,
    /// How many records the app has now, where that is worth telling ([`super::quota`]).
    pub filled: Option<usize>,
}

impl From<Receipt> for Landed {
    fn from(receipt: Receipt) -> Landed {
        Landed {
            receipt,
            filled: None,
        }
    }
}

/// Write `batch` at `now`, whole or not at all.
pub(super) fn commit(
    connection: &mut Connection,
    batch: &Batch,
    (now, zone): (Timestamp, &TimeZone),
    ids: &mut dyn IdSource,
) -> Step<Landed> {
    if batch.writes.is_empty() {
        return Ok(Landed::from(Receipt {
            action: None,
            ids: Vec::new(),
        }));
    }
    let tx = connection.transaction_with_behavior(TransactionBehavior::Immediate)?;
    let landed = commit_in(&tx, batch, (now, zone), ids)?;
    tx.commit()?;
    Ok(landed)
}

/// [`commit`] as a part of a larger transaction, which ends if this fails, or goes back to before it.
pub(super) fn commit_in(
    tx: &Transaction<'_>,
    batch: &Batch,
    (now, zone): (Timestamp, &TimeZone),
    ids: &mut dyn IdSource,
) -> Step<Landed> {
    let many = batch.writes.len() > 1;
    land(tx, batch, (now, zone), ids).map_err(|(position, stop)| match (position, stop) {
        (Some(position), Stop::Refused(why)) if many => {
            Stop::Refused(format!("write {}: {why}", position + 1))
        }
        (_, stop) => stop,
    })
}

/// [`commit_in`], telling which write it is that was refused, where it is one.
pub(super) fn land(
    tx: &Transaction<'_>,
    batch: &Batch,
    (now, zone): (Timestamp, &TimeZone),
    ids: &mut dyn IdSource,
) -> Result<Landed, (Option<usize>, Stop)> {
    let whole = |stop: Stop| (None, stop);
    if let Some(key) = &batch.key
        && let Some(receipt) = earlier(tx, &batch.app, key).map_err(whole)?
    {
        return Ok(Landed::from(receipt));
    }
    let sqlite = |error: rusqlite::Error| whole(error.into());
    let before = Before::of(tx, batch).map_err(sqlite)?;
    let action = begin(tx, batch, now).map_err(sqlite)?;
    let mut touched = Vec::with_capacity(batch.writes.len());
    // What is put whole may refer to what comes after it.
    let mut later = Vec::new();
    for (position, write) in batch.writes.iter().enumerate() {
        let here = |stop: Stop| (Some(position), stop);
        let (id, before) =
            apply(tx, batch, write, (now, zone), ids, (action, position)).map_err(here)?;
        later.push((position, id.clone(), before));
        touched.push(id);
    }
    for (position, id, before) in later {
        let here = |stop: Stop| (Some(position), stop);
        refers_whole(tx, batch, &batch.writes[position], &id, before).map_err(here)?;
    }
    Ok(Landed {
        filled: before.judge(tx, &batch.app).map_err(whole)?,
        receipt: Receipt {
            action: Some(action),
            ids: touched,
        },
    })
}

/// Note the action that the writes of `batch` are of.
pub(super) fn begin(
    tx: &Transaction<'_>,
    batch: &Batch,
    now: Timestamp,
) -> rusqlite::Result<ActionId> {
    tx.execute(
        "INSERT INTO actions (app, actor, via, name, write_key, at) VALUES (?1, ?2, ?3, ?4, ?5, ?6)",
        params![batch.app.as_str(), batch.actor, batch.via.as_str(), batch.action, batch.key, now.as_millisecond()],
    )?;
    Ok(ActionId(tx.last_insert_rowid()))
}

/// Is what a record refers to there, where it was put whole? Asked once the others are written, to which it may refer.
pub(super) fn refers_whole(
    tx: &Transaction<'_>,
    batch: &Batch,
    write: &Write,
    id: &RecordId,
    before: Option<Stored>,
) -> Step<()> {
    if !matches!(write, Write::Put { .. }) {
        return Ok(());
    }
    let after = one(tx, &batch.app, id)?;
    match after.filter(|after| after.record.deleted_at.is_none()) {
        Some(after) => refers(tx, batch, before.as_ref(), &after),
        None => Ok(()),
    }
}

/// The receipt of the batch that used `key` before.
fn earlier(tx: &Transaction<'_>, app: &AppId, key: &str) -> Step<Option<Receipt>> {
    let action: Option<i64> = tx
        .query_row(
            "SELECT id FROM actions WHERE app = ?1 AND write_key = ?2",
            params![app.as_str(), key],
            |row| row.get(0),
        )
        .optional()?;
    let Some(action) = action else {
        return Ok(None);
    };
    let mut statement =
        tx.prepare_cached("SELECT record FROM history WHERE action = ?1 ORDER BY position")?;
    let ids = statement
        .query_map([action], |row| row.get::<_, String>(0))?
        .collect::<Result<Vec<_>, _>>()?;
    let ids = ids
        .iter()
        .map(|id| RecordId::parse(id))
        .collect::<Result<_, _>>()
        .map_err(|e| Stop::Refused(e.to_string()))?;
    Ok(Some(Receipt {
        action: Some(ActionId(action)),
        ids,
    }))
}

/// Do one write of the batch; answers the record it touched, and what it was before.
pub(super) fn apply(
    tx: &Transaction<'_>,
    batch: &Batch,
    write: &Write,
    (now, zone): (Timestamp, &TimeZone),
    ids: &mut dyn IdSource,
    at: (ActionId, usize),
) -> Step<(RecordId, Option<Stored>)> {
    let (id, kind) = match write {
        Write::Upsert { kind, id, .. } => (id.clone(), Some(kind)),
        Write::Delete { id, kind } => (Some(id.clone()), kind.as_ref()),
        Write::Put { kind, put } => (put.id.clone(), Some(kind)),
    };
    let existing = id
        .as_ref()
        .map(|id| one(tx, &batch.app, id))
        .transpose()?
        .flatten()
        .map(|existing| of_this_version(batch, write, existing, (now, zone)))
        .transpose()?;
    let is_named = id.is_some();
    let id = match id {
        Some(id) => id,
        None => fresh(ids, now)?,
    };
    if let (Some(existing), Some(kind)) = (&existing, kind)
        && existing.record.kind != *kind
    {
        return refused(format!(
            "record {id} is a {}, not a {kind}",
            existing.record.kind
        ));
    }
    let (operation, mut after) = match write {
        Write::Put { kind, put } => place(batch, kind, put, existing.as_ref(), id, now)?,
        _ => run(
            batch,
            write,
            existing.as_ref().filter(|e| e.record.deleted_at.is_none()),
            id,
            now,
        )?,
    };
    allowed(batch, write, operation, existing.as_ref(), &after)?;
    if operation != Operation::Delete {
        attached(tx, batch, existing.as_ref(), &after)?;
    }
    if operation != Operation::Delete && !matches!(write, Write::Put { .. }) {
        refers(tx, batch, existing.as_ref(), &after)?;
    }
    if is_named {
        keep(tx, &batch.app, at, operation, existing.as_ref(), &after)?;
    } else {
        keep_new(tx, &batch.app, at, &mut after, || fresh(ids, now))?;
    }
    Ok((after.record.id, existing))
}

/// A record that an older version of the app wrote, as this one has it: what is written goes on from there. One that has no way there
/// can still be deleted or put whole.
fn of_this_version(
    batch: &Batch,
    write: &Write,
    mut existing: Stored,
    (now, zone): (Timestamp, &TimeZone),
) -> Step<Stored> {
    let Some(package) = &batch.package else {
        return Ok(existing);
    };
    match (moved(package, &existing, now, zone), write) {
        (Ok(moved), _) => Ok(moved),
        (Err(why), Write::Upsert { .. }) => refused(format!(
            "record {} has no way to version {}, {why}",
            existing.record.id,
            package.version()
        )),
        (Err(_), Write::Put { kind, .. }) => {
            existing.record.kind = kind.clone();
            Ok(existing)
        }
        (Err(_), Write::Delete { .. }) => Ok(existing),
    }
}

/// An id for a new record.
fn fresh(ids: &mut dyn IdSource, now: Timestamp) -> Step<RecordId> {
    ids.next(now)
        .map_err(|e| Stop::Refused(format!("no id can be made: {e}")))
}

/// An app's own write, as eui-core decides it. `live` is the record unless it is new or in the trash.
fn run(
    batch: &Batch,
    write: &Write,
    live: Option<&Stored>,
    id: RecordId,
    now: Timestamp,
) -> Step<(Operation, Stored)> {
    let spelled = match write {
        Write::Upsert {
            kind,
            id: None,
            data,
        } => json!({"op": "upsert", "kind": kind.as_str(), "data": data}),
        Write::Upsert {
            kind,
            id: Some(id),
            data,
        } => json!({"op": "upsert", "kind": kind.as_str(), "id": id.as_str(), "data": data}),
        Write::Delete { .. } | Write::Put { .. } => json!({"op": "delete", "id": id.as_str()}),
    };
    let package = batch.package.as_deref();
    if package.is_none() && !matches!(write, Write::Delete { .. }) {
        return refused("the app is not installed");
    }
    let kinds = package.and_then(|package| package.value().get("records"));
    let rows: Vec<Value> = live.map(Stored::as_row).into_iter().collect();
    let (after, _) = eui_core::host::apply_record_batch(
        &rows,
        &[spelled],
        kinds,
        Some(&batch.actor),
        &iso(now),
        |_| id.to_string(),
    )
    .map_err(|why| Stop::Refused(why.strip_prefix("write 0: ").unwrap_or(&why).to_owned()))?;
    let data = after
        .into_iter()
        .next()
        .and_then(|mut row| row.get_mut("data").map(Value::take));
    match (live, write, data) {
        (Some(live), Write::Delete { .. }, None) => {
            let mut after = next(batch, live, now);
            after.record.deleted_at = Some(now);
            Ok((Operation::Delete, after))
        }
        (Some(live), _, Some(Value::Object(data))) => {
            let mut after = next(batch, live, now);
            after.record.data = data;
            Ok((Operation::Update, after))
        }
        (None, Write::Upsert { kind, .. }, Some(Value::Object(data))) => {
            Ok((Operation::Create, new(batch, kind, id, data, now)))
        }
        _ => refused("a record's data is an object"),
    }
}

/// A record put whole.
fn place(
    batch: &Batch,
    kind: &Kind,
    put: &Put,
    existing: Option<&Stored>,
    id: RecordId,
    now: Timestamp,
) -> Step<(Operation, Stored)> {
    let Some(package) = &batch.package else {
        return refused("the app is not installed");
    };
    let schema = package
        .kind(kind.as_str())
        .and_then(|kind| kind.get("schema"));
    let Some(schema) = schema else {
        return refused(format!("the app declares no kind {kind}"));
    };
    let issues = record_issues(schema, &put.data);
    if !issues.is_empty() {
        let words: Vec<String> = issues
            .iter()
            .map(|i| {
                format!(
                    "{} {}",
                    if i.path.is_empty() { "/" } else { &i.path },
                    i.message
                )
            })
            .collect();
        return refused(format!("data: {}", words.join("; ")));
    }
    let Value::Object(data) = put.data.clone() else {
        return refused("a record's data is an object");
    };
    let (operation, mut after) = match existing {
        None => (Operation::Create, new(batch, kind, id, data, now)),
        Some(existing) => {
            let mut after = next(batch, existing, now);
            after.record.data = data;
            (
                if after.record.deleted_at.take().is_some() {
                    Operation::Restore
                } else {
                    Operation::Update
                },
                after,
            )
        }
    };
    let record = &mut after.record;
    if let Some(author) = &put.author {
        record.author.clone_from(author);
    }
    record.created_at = put.created_at.unwrap_or(record.created_at);
    record.updated_at = put.updated_at.unwrap_or(record.updated_at);
    Ok((operation, after))
}

fn new(
    batch: &Batch,
    kind: &Kind,
    id: RecordId,
    data: serde_json::Map<String, Value>,
    now: Timestamp,
) -> Stored {
    let (author, created_by) = (batch.actor.clone(), batch.actor.clone());
    Stored {
        record: Record {
            id,
            kind: kind.clone(),
            data,
            author,
            created_by,
            created_at: now,
            updated_at: now,
            deleted_at: None,
            revision: 1,
        },
        package_version: version(batch).unwrap_or_default().to_owned(),
        updated_by: batch.actor.clone(),
    }
}

fn version(batch: &Batch) -> Option<&str> {
    batch.package.as_ref().map(|package| package.version())
}

/// The record as a write by `batch` leaves it, before what the write itself changes.
fn next(batch: &Batch, before: &Stored, now: Timestamp) -> Stored {
    let mut after = before.clone();
    after.record.revision += 1;
    after.record.updated_at = now;
    if let Some(version) = version(batch) {
        after.package_version = version.to_owned();
    }
    after.updated_by.clone_from(&batch.actor);
    after
}
