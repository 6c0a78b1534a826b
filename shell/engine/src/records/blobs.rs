//! The index of the apps' files: whose a file is, and what it is called. Its bytes lie elsewhere ([`crate::blobs`]).

use std::collections::BTreeSet;

use jiff::Timestamp;
use rusqlite::{Connection, OptionalExtension, Transaction, TransactionBehavior, params};

use super::apply::Step;
use super::store::{Pending, Store};
use crate::app_id::AppId;
use crate::artifacts::OWNER;
use crate::blobs::{APP_MAX_BYTES, ids_in};
use crate::bridge::files::FileId;

/// What is known of a file without reading it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Blob {
    pub id: FileId,
    /// As the app or the person named it; never a path anything is read from.
    pub name: String,
    pub mime_type: String,
    /// In bytes.
    pub size: u64,
}

/// The room a file takes: whole blocks, so that empty ones are not for nothing.
const ROOM: &str = "(max(size, 1) + 4095) / 4096 * 4096";

impl Store {
    /// A file of `app`; `None` when it has no such file.
    pub fn blob(&self, app: AppId, id: FileId) -> Pending<Option<Blob>> {
        self.ask(move |database| {
            if !database.exists() {
                return Ok(None);
            }
            database.read(|connection| find(connection, &app, &id))
        })
    }

    /// These files are `app`'s from now on, all or none; false when it has no room for them. Their bytes are where they belong already.
    pub(crate) fn keep_blobs(&self, app: AppId, new: Vec<Blob>) -> Pending<bool> {
        self.ask(move |database| {
            database.write(|connection, now, _| keep(connection, &app, &new, now))
        })
    }
}

pub(super) fn find(
    connection: &Connection,
    app: &AppId,
    id: &FileId,
) -> rusqlite::Result<Option<Blob>> {
    let found = "SELECT name, mime_type, size FROM blobs WHERE id = ?1 AND app = ?2";
    let blob = |row: &rusqlite::Row<'_>| {
        Ok(Blob {
            id: id.clone(),
            name: row.get(0)?,
            mime_type: row.get(1)?,
            size: u64::try_from(row.get::<_, i64>(2)?).unwrap_or(0),
        })
    };
    connection
        .prepare_cached(found)?
        .query_row([id.as_str(), app.as_str()], blob)
        .optional()
}

fn keep(connection: &mut Connection, app: &AppId, new: &[Blob], now: Timestamp) -> Step<bool> {
    let tx = connection.transaction_with_behavior(TransactionBehavior::Immediate)?;
    for blob in new {
        tx.execute(
            "INSERT INTO blobs (id, app, name, mime_type, size, created_at) VALUES (?1, ?2, ?3, ?4, ?5, ?6)",
            params![
                blob.id.as_str(),
                app.as_str(),
                blob.name,
                blob.mime_type,
                i64::try_from(blob.size).unwrap_or(i64::MAX),
                now.as_millisecond()
            ],
        )?;
    }
    let room = format!("SELECT coalesce(sum({ROOM}), 0) FROM blobs WHERE app = ?1");
    let taken: i64 = tx.query_row(&room, [app.as_str()], |row| row.get(0))?;
    let fits = u64::try_from(taken).is_ok_and(|taken| taken <= APP_MAX_BYTES);
    if fits {
        tx.commit()?;
    }
    Ok(fits)
}

/// Forget the files from before `before` that nothing of their app names, no record, no state that can be brought back, no artifact, and
/// those of apps removed before `trash`; what waits for its app waits whole. Answers their ids.
pub(super) fn forget(
    tx: &Transaction<'_>,
    before: i64,
    trash: i64,
) -> rusqlite::Result<BTreeSet<String>> {
    let texts = |sql: &str, of: &dyn rusqlite::ToSql| -> rusqlite::Result<BTreeSet<String>> {
        let mut statement = tx.prepare_cached(sql)?;
        let found = statement.query_map([of], |row| row.get(0))?;
        found.collect()
    };
    let mut gone = texts(
        "SELECT id FROM blobs WHERE app IN (SELECT kept_as FROM removed WHERE removed_at < ?1)",
        &trash,
    )?;
    for app in texts(
        "SELECT app FROM blobs WHERE created_at < ?1 AND app NOT IN (SELECT kept_as FROM removed)",
        &before,
    )? {
        let mut unnamed: BTreeSet<String> = tx
            .prepare_cached("SELECT id FROM blobs WHERE app = ?1 AND created_at < ?2")?
            .query_map(params![app, before], |row| row.get(0))?
            .collect::<rusqlite::Result<_>>()?;
        let mut states = tx.prepare_cached(
            "SELECT data FROM records WHERE app = ?1 UNION ALL SELECT before FROM history WHERE app = ?1 AND before IS NOT NULL
             UNION ALL SELECT local_ref FROM artifacts WHERE ?1 = ?2 AND local_ref IS NOT NULL",
        )?;
        let mut rows = states.query([app.as_str(), OWNER])?;
        while let Some(row) = rows.next()?.filter(|_| !unnamed.is_empty()) {
            for id in ids_in(row.get_ref(0)?.as_str()?) {
                unnamed.remove(id);
            }
        }
        gone.append(&mut unnamed);
    }
    let mut forget = tx.prepare_cached("DELETE FROM blobs WHERE id = ?1")?;
    for id in &gone {
        forget.execute([id])?;
    }
    Ok(gone)
}

/// Of the names in the folder, those that the index has not known for long: first seen so before `long_ago`. The others that it does
/// not know are remembered as seen `now`.
pub(super) fn lost(
    tx: &Transaction<'_>,
    names: &BTreeSet<String>,
    now: i64,
    long_ago: i64,
) -> rusqlite::Result<BTreeSet<String>> {
    tx.execute_batch("CREATE TEMP TABLE here (name TEXT PRIMARY KEY) STRICT, WITHOUT ROWID")?;
    let mut here = tx.prepare("INSERT INTO here VALUES (?1)")?;
    for name in names {
        here.execute([name])?;
    }
    drop(here);
    // What is known again, or gone, is lost no more.
    tx.execute(
        "DELETE FROM lost_blobs WHERE name NOT IN (SELECT name FROM here) OR name IN (SELECT id FROM blobs)",
        [],
    )?;
    tx.execute(
        "INSERT OR IGNORE INTO lost_blobs (name, seen_at) SELECT name, ?1 FROM here WHERE name NOT IN (SELECT id FROM blobs)",
        [now],
    )?;
    tx.execute_batch("DROP TABLE here")?;
    let mut statement = tx.prepare("SELECT name FROM lost_blobs WHERE seen_at < ?1")?;
    let found = statement.query_map([long_ago], |row| row.get(0))?;
    found.collect()
}
