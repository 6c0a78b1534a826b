//! Taking an action back, as a new action that writes what history kept. What an older version of the app wrote comes back as the
//! installed one has it; a record that has no way there comes back as it was, and listeners hear of it.

use jiff::Timestamp;
use jiff::tz::TimeZone;
use rusqlite::{Connection, OptionalExtension, TransactionBehavior, params};
use serde_json::Value;

use super::apply::{Step, Stop, refused};
use super::error::StoreError;
use super::model::{ActionId, Operation, Receipt, RecordId, Via};
use super::moving::{moved, not_moved};
use super::read::{Stored, one};
use super::removed::next_move;
use super::state::keep;
use crate::app_id::AppId;
use crate::clock::parse_instant;
use crate::package::Package;

/// What an undo has come to.
pub(super) struct Undone {
    pub receipt: Receipt,
    /// Of the first record that came back and has no way to the installed version.
    pub not_moved: Option<StoreError>,
}

/// Take `action` of `app` back: every record it touched is as it was before it. Refused when one has been written since, so
/// that an undo never takes back more than was asked. `installed` is the app's package, where there is one.
pub(super) fn undo(
    connection: &mut Connection,
    app: &AppId,
    action: ActionId,
    actor: &str,
    installed: Option<&Package>,
    (now, zone): (Timestamp, &TimeZone),
) -> Step<Undone> {
    let tx = connection.transaction_with_behavior(TransactionBehavior::Immediate)?;
    let via: Option<String> = tx
        .query_row(
            "SELECT via FROM actions WHERE id = ?1 AND app = ?2",
            params![action.0, app.as_str()],
            |row| row.get(0),
        )
        .optional()?;
    if via.as_deref() == Some(Via::Migration.as_str()) {
        return refused(format!(
            "action {} moved records to a new version of {app} and cannot be taken back",
            action.0
        ));
    }
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
    let (mut renamed, mut stays) = (false, None);
    for (position, (id, before, revision)) in steps.into_iter().enumerate() {
        let id = RecordId::parse(&id).map_err(|e| Stop::Refused(e.to_string()))?;
        let Some(current) =
            one(&tx, app, &id)?.filter(|current| current.record.revision == revision)
        else {
            return refused(format!("record {id} has changed since"));
        };
        let (operation, mut after) = reverted(&current, before.as_deref(), actor, now)?;
        if let Some(package) = installed
            && operation != Operation::Delete
        {
            match moved(package, &after, now, zone) {
                Ok(moved) => after = moved,
                Err(reason) => {
                    stays.get_or_insert_with(|| not_moved(package, &after, reason));
                }
            }
        }
        renamed |= after.record.kind != current.record.kind;
        let at = (undoing, position);
        keep(&tx, app, at, operation, Some(&current), &after)?;
        ids.push(id);
    }
    if renamed {
        // Whoever has read the kind under its old name reads anew.
        next_move(&tx)?;
    }
    tx.commit()?;
    Ok(Undone {
        receipt: Receipt {
            action: Some(undoing),
            ids,
        },
        not_moved: stays,
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
