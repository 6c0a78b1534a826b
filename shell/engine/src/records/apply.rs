//! Writing: one batch as one transaction, with its history; taking one back; sweeping out what has been in the trash too long.
//!
//! eui-core's `apply_record_batch` decides what an app's write does to a record and whether the kind's schema allows it; this adds
//! the rows around it. Nothing is visible to anybody before the commit.

use jiff::Timestamp;
use rusqlite::{Connection, OptionalExtension, Transaction, TransactionBehavior, params};
use serde_json::{Value, json};

use super::id::IdSource;
use super::model::{
    ActionId, Batch, Kind, Operation, Put, RECORD_MAX_BYTES, Receipt, Record, RecordId, Via, Write,
};
use super::read::{Stored, one, stored};
use crate::app_id::AppId;
use crate::clock::{iso, parse_instant};

/// Why a batch did not land: SQLite, or the data's own rules.
pub(super) enum Stop {
    Sqlite(rusqlite::Error),
    Refused(String),
}

impl From<rusqlite::Error> for Stop {
    fn from(error: rusqlite::Error) -> Stop {
        Stop::Sqlite(error)
    }
}

type Step<T> = Result<T, Stop>;

fn refused<T>(why: impl Into<String>) -> Step<T> {
    Err(Stop::Refused(why.into()))
}

/// Days a deleted record can be brought back, and a removed app's records are kept.
const TRASH_DAYS: i64 = 30;
/// Days history is kept.
const HISTORY_DAYS: i64 = 90;

/// Write `batch` at `now`, whole or not at all.
pub(super) fn commit(
    connection: &mut Connection,
    batch: &Batch,
    now: Timestamp,
    ids: &mut dyn IdSource,
) -> Step<Receipt> {
    if batch.writes.is_empty() {
        return Ok(Receipt {
            action: None,
            ids: Vec::new(),
        });
    }
    let tx = connection.transaction_with_behavior(TransactionBehavior::Immediate)?;
    if let Some(key) = &batch.key
        && let Some(receipt) = earlier(&tx, &batch.app, key)?
    {
        return Ok(receipt);
    }
    tx.execute(
        "INSERT INTO actions (app, actor, via, name, write_key, at) VALUES (?1, ?2, ?3, ?4, ?5, ?6)",
        params![batch.app.as_str(), batch.actor, batch.via.as_str(), batch.action, batch.key, now.as_millisecond()],
    )?;
    let action = ActionId(tx.last_insert_rowid());
    let mut touched = Vec::with_capacity(batch.writes.len());
    for (position, write) in batch.writes.iter().enumerate() {
        let id =
            apply(&tx, batch, write, now, ids, (action, position)).map_err(|stop| match stop {
                Stop::Refused(why) if batch.writes.len() > 1 => {
                    Stop::Refused(format!("write {}: {why}", position + 1))
                }
                other => other,
            })?;
        touched.push(id);
    }
    tx.commit()?;
    Ok(Receipt {
        action: Some(action),
        ids: touched,
    })
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

/// Do one write of the batch; answers the record it touched.
fn apply(
    tx: &Transaction<'_>,
    batch: &Batch,
    write: &Write,
    now: Timestamp,
    ids: &mut dyn IdSource,
    at: (ActionId, usize),
) -> Step<RecordId> {
    let fresh = |ids: &mut dyn IdSource| {
        ids.next(now)
            .map_err(|e| Stop::Refused(format!("no id can be made: {e}")))
    };
    let (id, kind) = match write {
        Write::Upsert { kind, id, .. } => (id.clone(), Some(kind)),
        Write::Delete { id, kind } => (Some(id.clone()), kind.as_ref()),
        Write::Put { kind, put } => (put.id.clone(), Some(kind)),
    };
    let existing = id
        .as_ref()
        .map(|id| one(tx, &batch.app, id))
        .transpose()?
        .flatten();
    let id = match id {
        Some(id) => id,
        None => fresh(ids)?,
    };
    if let (Some(existing), Some(kind)) = (&existing, kind)
        && existing.record.kind != *kind
    {
        return refused(format!(
            "record {id} is a {}, not a {kind}",
            existing.record.kind
        ));
    }
    let (operation, after) = match write {
        Write::Put { kind, put } => place(batch, kind, put, existing.as_ref(), id, now)?,
        _ => run(
            batch,
            write,
            existing.as_ref().filter(|e| e.record.deleted_at.is_none()),
            id,
            now,
        )?,
    };
    save(tx, &batch.app, &after)?;
    log(tx, &batch.app, at, operation, existing.as_ref(), &after)?;
    Ok(after.record.id)
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
    let rows: Vec<Value> = live.map(Stored::as_row).into_iter().collect();
    let (after, _) = eui_core::host::apply_record_batch(
        &rows,
        &[spelled],
        Some(&batch.kinds),
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
    let schema = batch
        .kinds
        .get(kind.as_str())
        .and_then(|kind| kind.get("schema"));
    let Some(schema) = schema else {
        return refused(format!("the app declares no kind {kind}"));
    };
    let issues = eui_core::host::validate_record(schema, &put.data);
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
        package_version: batch.version.clone(),
        updated_by: batch.actor.clone(),
    }
}

/// The record as a write by `batch` leaves it, before what the write itself changes.
fn next(batch: &Batch, before: &Stored, now: Timestamp) -> Stored {
    let mut after = before.clone();
    after.record.revision += 1;
    after.record.updated_at = now;
    after.package_version.clone_from(&batch.version);
    after.updated_by.clone_from(&batch.actor);
    after
}

/// Store a record's new state.
fn save(tx: &Transaction<'_>, app: &AppId, after: &Stored) -> Step<()> {
    let record = &after.record;
    let data = serde_json::to_string(&record.data).map_err(|e| Stop::Refused(e.to_string()))?;
    if data.len() > RECORD_MAX_BYTES {
        return refused(format!(
            "a record holds {RECORD_MAX_BYTES} bytes at most, this one has {}",
            data.len()
        ));
    }
    tx.prepare_cached(
        "INSERT INTO records (app, id, kind, data, author, created_by, updated_by, created_at, updated_at, deleted_at, revision, package_version)
         VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10, ?11, ?12)
         ON CONFLICT (app, id) DO UPDATE SET data = excluded.data, author = excluded.author, updated_by = excluded.updated_by, created_at = excluded.created_at,
         updated_at = excluded.updated_at, deleted_at = excluded.deleted_at, revision = excluded.revision, package_version = excluded.package_version",
    )?
    .execute(params![
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
    after: &Stored,
) -> Step<()> {
    let live = |stored: &Stored| {
        stored
            .record
            .deleted_at
            .is_none()
            .then(|| stored.snapshot().to_string())
    };
    let record = &after.record;
    tx.prepare_cached("INSERT INTO history (action, position, app, record, kind, op, before, after, revision) VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9)")?.execute(params![
        action.0,
        i64::try_from(position).unwrap_or(i64::MAX),
        app.as_str(),
        record.id.as_str(),
        record.kind.as_str(),
        operation.as_str(),
        before.and_then(live),
        live(after),
        record.revision,
    ])?;
    Ok(())
}

/// Take `action` of `app` back: every record it touched is as it was before it. Refused when one has been written since, so
/// that an undo never takes back more than was asked.
pub(super) fn undo(
    connection: &mut Connection,
    app: &AppId,
    action: ActionId,
    actor: &str,
    now: Timestamp,
) -> Step<Receipt> {
    let tx = connection.transaction_with_behavior(TransactionBehavior::Immediate)?;
    // The state before the action is that before its first write of a record; the revision to find is that of its last.
    let steps: Vec<(String, Option<String>, i64)> = {
        let mut statement = tx.prepare_cached(
            "SELECT h.record, (SELECT f.before FROM history f WHERE f.action = h.action AND f.record = h.record ORDER BY f.position LIMIT 1), max(h.revision)
             FROM history h WHERE h.action = ?1 AND h.app = ?2 GROUP BY h.record ORDER BY min(h.position)",
        )?;
        let rows = statement.query_map(params![action.0, app.as_str()], |row| {
            Ok((row.get(0)?, row.get(1)?, row.get(2)?))
        })?;
        rows.collect::<Result<_, _>>()?
    };
    if steps.is_empty() {
        return refused(format!(
            "action {} is not in the history of {app}",
            action.0
        ));
    }
    tx.execute(
        "INSERT INTO actions (app, actor, via, at, undoes) VALUES (?1, ?2, ?3, ?4, ?5)",
        params![
            app.as_str(),
            actor,
            Via::Undo.as_str(),
            now.as_millisecond(),
            action.0
        ],
    )?;
    let undoing = ActionId(tx.last_insert_rowid());
    let mut ids = Vec::with_capacity(steps.len());
    for (position, (id, before, revision)) in steps.into_iter().enumerate() {
        let id = RecordId::parse(&id).map_err(|e| Stop::Refused(e.to_string()))?;
        let Some(current) =
            one(&tx, app, &id)?.filter(|current| current.record.revision == revision)
        else {
            return refused(format!("record {id} has changed since"));
        };
        let (operation, after) = reverted(&current, before.as_deref(), actor, now)?;
        save(&tx, app, &after)?;
        log(
            &tx,
            app,
            (undoing, position),
            operation,
            Some(&current),
            &after,
        )?;
        ids.push(id);
    }
    tx.commit()?;
    Ok(Receipt {
        action: Some(undoing),
        ids,
    })
}

/// `current` as the snapshot `before` has it; into the trash where there was none.
fn reverted(
    current: &Stored,
    before: Option<&str>,
    actor: &str,
    now: Timestamp,
) -> Step<(Operation, Stored)> {
    let mut after = current.clone();
    after.record.revision += 1;
    after.updated_by = actor.to_owned();
    let Some(before) = before else {
        after.record.updated_at = now;
        after.record.deleted_at = Some(now);
        return Ok((Operation::Delete, after));
    };
    let unreadable = || {
        Stop::Refused(format!(
            "the history of record {} cannot be read",
            current.record.id
        ))
    };
    let snapshot: Value = serde_json::from_str(before).map_err(|_| unreadable())?;
    let text = |key: &str| {
        snapshot
            .get(key)
            .and_then(Value::as_str)
            .ok_or_else(unreadable)
    };
    let instant = |key: &str| text(key).and_then(|text| parse_instant(text).ok_or_else(unreadable));
    let record = &mut after.record;
    record.data = snapshot
        .get("data")
        .and_then(Value::as_object)
        .cloned()
        .ok_or_else(unreadable)?;
    record.author = text("author")?.to_owned();
    record.created_at = instant("createdAt")?;
    record.updated_at = instant("updatedAt")?;
    Ok((
        if record.deleted_at.take().is_some() {
            Operation::Restore
        } else {
            Operation::Update
        },
        after,
    ))
}

/// Note that `app` was removed at `now` (its records stay for [`TRASH_DAYS`]), or, with `None`, that it is there again.
pub(super) fn mark_removed(
    connection: &Connection,
    app: &AppId,
    at: Option<Timestamp>,
) -> Step<()> {
    match at {
        Some(at) => connection.execute("INSERT INTO removed_apps (app, removed_at) VALUES (?1, ?2) ON CONFLICT (app) DO NOTHING", params![app.as_str(), at.as_millisecond()])?,
        None => connection.execute("DELETE FROM removed_apps WHERE app = ?1", [app.as_str()])?,
    };
    Ok(())
}

/// Remove for good what has been in the trash, or belongs to an app removed, for [`TRASH_DAYS`], and history older than
/// [`HISTORY_DAYS`]. Answers how many records went.
pub(super) fn sweep(connection: &mut Connection, now: Timestamp) -> Step<usize> {
    const DAY: i64 = 24 * 60 * 60 * 1000;
    let now = now.as_millisecond();
    let tx = connection.transaction_with_behavior(TransactionBehavior::Immediate)?;
    let gone = tx.execute(
        "DELETE FROM records WHERE deleted_at < ?1 OR app IN (SELECT app FROM removed_apps WHERE removed_at < ?1)",
        [now - TRASH_DAYS * DAY],
    )?;
    tx.execute(
        "DELETE FROM removed_apps WHERE removed_at < ?1",
        [now - TRASH_DAYS * DAY],
    )?;
    tx.execute(
        "DELETE FROM history WHERE action IN (SELECT id FROM actions WHERE at < ?1) OR NOT EXISTS (SELECT 1 FROM records r WHERE r.app = history.app AND r.id = history.record)",
        [now - HISTORY_DAYS * DAY],
    )?;
    tx.execute("DELETE FROM actions WHERE at < ?1 AND NOT EXISTS (SELECT 1 FROM history h WHERE h.action = actions.id)", [now - HISTORY_DAYS * DAY])?;
    tx.commit()?;
    Ok(gone)
}

/// The records of `app` in the trash, newest first.
pub(super) fn trash(connection: &Connection, app: &AppId) -> rusqlite::Result<Vec<Record>> {
    let sql = format!(
        "SELECT {} FROM records WHERE app = ?1 AND deleted_at IS NOT NULL ORDER BY deleted_at DESC, id",
        super::read::COLUMNS
    );
    let mut statement = connection.prepare_cached(&sql)?;
    let rows = statement.query_map([app.as_str()], |row| Ok(stored(row)?.record))?;
    rows.collect()
}
