//! Moving records to a new version of their app's package, in batches: each lands whole or not at all, with a row of history for each
//! record it changes. What has moved says so itself (`package_version`), so a kill in between costs nothing: the next batch goes on
//! where the last one ended, whoever asks for it. Until it moves a record is read as it was written; a write to it moves it first.
//!
//! Records in the trash stay as they are and move when they come back.

use eui_core::cel::ExpressionEnv;
use jiff::Timestamp;
use jiff::tz::TimeZone;
use rusqlite::{Connection, Transaction, TransactionBehavior, params};

use super::apply::{Step, Stop};
use super::error::StoreError;
use super::model::{ActionId, Kind, LOCAL, Operation, Via};
use super::read::{COLUMNS, Stored, stored};
use super::removed::next_move;
use super::state::keep;
use crate::app_id::AppId;
use crate::clock::offset_in;
use crate::package::Package;

/// How many records one batch moves.
pub const BATCH: usize = 500;

/// How far an app's records have come.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Moving {
    pub app: AppId,
    /// How many the batch moved.
    pub moved: usize,
    /// How many are still to be moved.
    pub left: usize,
}

/// `before` as the version of `package` has it; as it is where there is no way for it.
///
/// # Errors
/// Why it cannot be moved, in one sentence.
pub(super) fn moved(
    package: &Package,
    before: &Stored,
    now: Timestamp,
    zone: &TimeZone,
) -> Result<Stored, String> {
    let mut after = before.clone();
    let (kind, version) = (before.record.kind.as_str(), before.package_version.as_str());
    if !package.moves(kind, version) {
        return Ok(after);
    }
    let offset = offset_in(zone.clone());
    let env = ExpressionEnv {
        now: Some(now.as_millisecond() as f64),
        offset: Some(&offset),
        max_steps: None,
    };
    let moved = package.migrate_record(kind, version, &before.record.data, &env)?;
    after.record.kind = Kind::parse(&moved.kind).map_err(|e| e.to_string())?;
    after.record.data = moved.data;
    after.package_version = package.version().to_owned();
    Ok(after)
}

/// That `before` has no way to the version of `package`, and why.
pub(super) fn not_moved(package: &Package, before: &Stored, reason: String) -> StoreError {
    StoreError::NotMoved {
        app: package.id().clone(),
        version: package.version().to_owned(),
        kind: before.record.kind.clone(),
        record: before.record.id.clone(),
        reason,
    }
}

/// Records of one kind that one older version wrote.
struct Group {
    kind: String,
    version: String,
    records: usize,
}

/// The live records that are not of this version yet, of kinds it knows or has a way for.
fn older(connection: &Connection, package: &Package) -> rusqlite::Result<Vec<Group>> {
    let mut statement = connection.prepare_cached(
        "SELECT kind, package_version, count(*) FROM records
         WHERE app = ?1 AND deleted_at IS NULL AND package_version <> ?2 GROUP BY kind, package_version",
    )?;
    let groups = statement.query_map([package.id().as_str(), package.version()], |row| {
        Ok(Group {
            kind: row.get(0)?,
            version: row.get(1)?,
            records: row.get(2)?,
        })
    })?;
    groups.collect()
}

/// Move one batch of the records of `package`'s app to its version.
pub(super) fn step(
    connection: &mut Connection,
    package: &Package,
    now: Timestamp,
    zone: &TimeZone,
) -> Step<Moving> {
    let (app, version) = (package.id(), package.version());
    if older(connection, package)?.is_empty() {
        let (app, moved, left) = (app.clone(), 0, 0);
        return Ok(Moving { app, moved, left });
    }
    let tx = connection.transaction_with_behavior(TransactionBehavior::Immediate)?;
    let (to_move, as_they_are): (Vec<Group>, Vec<Group>) = older(&tx, package)?
        .into_iter()
        .partition(|group| package.moves(&group.kind, &group.version));
    // What needs no step is of this version already. Of a kind that is gone nothing is said: a later version may know it again.
    for group in as_they_are {
        if package.kind(&group.kind).is_some() {
            tx.execute(
                "UPDATE records SET package_version = ?1 WHERE app = ?2 AND kind = ?3 AND package_version = ?4 AND deleted_at IS NULL",
                params![version, app.as_str(), group.kind, group.version],
            )?;
        }
    }
    let left: usize = to_move.iter().map(|group| group.records).sum();
    let moved = match to_move.first() {
        Some(group) => batch(&tx, package, group, now, zone)?,
        None => 0,
    };
    tx.commit()?;
    Ok(Moving {
        app: app.clone(),
        moved,
        left: left - moved,
    })
}

fn batch(
    tx: &Transaction<'_>,
    package: &Package,
    group: &Group,
    now: Timestamp,
    zone: &TimeZone,
) -> Step<usize> {
    let app = package.id();
    let sql = format!(
        "SELECT {COLUMNS} FROM records WHERE app = ?1 AND kind = ?2 AND package_version = ?3 AND deleted_at IS NULL ORDER BY rowid LIMIT {BATCH}"
    );
    let records: Vec<Stored> = tx
        .prepare_cached(&sql)?
        .query_map(params![app.as_str(), group.kind, group.version], stored)?
        .collect::<Result<_, _>>()?;
    tx.execute(
        "INSERT INTO actions (app, actor, via, name, at) VALUES (?1, ?2, ?3, ?4, ?5)",
        params![
            app.as_str(),
            LOCAL,
            Via::Migration.as_str(),
            format!("{} to {}", group.version, package.version()),
            now.as_millisecond()
        ],
    )?;
    let action = ActionId(tx.last_insert_rowid());
    let mut renamed = false;
    for (position, before) in records.iter().enumerate() {
        let not_moved = |reason| Stop::Store(not_moved(package, before, reason));
        let mut after = moved(package, before, now, zone).map_err(not_moved)?;
        // Nobody has edited it: when and by whom it was written last stays as it is.
        after.record.revision += 1;
        renamed |= after.record.kind != before.record.kind;
        let (at, before) = ((action, position), Some(before));
        keep(tx, app, at, Operation::Update, before, &after).map_err(|stop| match stop {
            Stop::Refused(reason) => not_moved(reason),
            other => other,
        })?;
    }
    if renamed {
        // Whoever has read the kind under its old name reads anew.
        next_move(tx)?;
    }
    Ok(records.len())
}
