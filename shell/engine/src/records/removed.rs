//! The records and files of removed apps. They wait 30 days, under an id of the shell's own that no app can have: whoever comes next by the id of the
//! removed one starts without them, and its author, should it come back, has them again.

use jiff::Timestamp;
use rusqlite::{Connection, OptionalExtension, Transaction, TransactionBehavior, params};

use super::apply::Step;
use super::rate::Rate;
use super::{automations, grants};
use crate::app_id::AppId;
use crate::apps::Author;

/// The ids records wait under: this and a number that is used once.
const PREFIX: &str = "ede.removed.n";

/// How often all records of an app came or went: what was read before the last time is stale.
pub(super) fn moves(connection: &Connection) -> rusqlite::Result<i64> {
    let found: Option<i64> = connection
        .prepare_cached("SELECT CAST(value AS INTEGER) FROM meta WHERE key = 'moves'")?
        .query_row([], |row| row.get(0))
        .optional()?;
    Ok(found.unwrap_or(0))
}

pub(super) fn next_move(tx: &Transaction<'_>) -> rusqlite::Result<i64> {
    let n = moves(tx)? + 1;
    tx.execute("INSERT INTO meta (key, value) VALUES ('moves', ?1) ON CONFLICT (key) DO UPDATE SET value = excluded.value", [n.to_string()])?;
    Ok(n)
}

/// `app`, which is `author`'s, was removed at `now`.
pub(super) fn set_aside(
    connection: &mut Connection,
    app: &AppId,
    author: &Author,
    now: Timestamp,
) -> Step<()> {
    let tx = connection.transaction_with_behavior(TransactionBehavior::Immediate)?;
    put_aside(&tx, app, author.as_str(), now.as_millisecond())?;
    // Whoever comes next by this id is asked about again.
    grants::forget(&tx, app, None)?;
    automations::forget(&tx, app)?;
    Rate::Tools.forget(&tx, app)?;
    tx.commit()?;
    Ok(())
}

fn put_aside(tx: &Transaction<'_>, app: &AppId, author: &str, at: i64) -> rusqlite::Result<()> {
    let kept_as = format!("{PREFIX}{}", next_move(tx)?);
    tx.execute(
        "INSERT INTO removed (kept_as, app, author, removed_at) VALUES (?1, ?2, ?3, ?4)",
        params![kept_as, app.as_str(), author, at],
    )?;
    for table in ["records", "history", "actions", "blobs"] {
        let all = format!("UPDATE {table} SET app = ?1 WHERE app = ?2");
        tx.execute(&all, [&kept_as, app.as_str()])?;
    }
    Ok(())
}

/// `author`'s version of `app` was installed: what waits for it is there again. Where no version was there before (`anew`), what came
/// in after the last one was removed is still that one's.
pub(super) fn give_back(
    connection: &mut Connection,
    app: &AppId,
    author: &Author,
    anew: bool,
) -> Step<()> {
    let tx = connection.transaction_with_behavior(TransactionBehavior::Immediate)?;
    give_back_in(&tx, app, author, anew)?;
    tx.commit()?;
    Ok(())
}

/// [`give_back`] as a part of a larger transaction.
pub(super) fn give_back_in(
    tx: &Transaction<'_>,
    app: &AppId,
    author: &Author,
    anew: bool,
) -> rusqlite::Result<()> {
    if anew {
        grants::forget(tx, app, None)?;
    }
    let last: Option<(String, i64)> = tx
        .query_row(
            "SELECT author, removed_at FROM removed WHERE app = ?1 ORDER BY removed_at DESC LIMIT 1",
            [app.as_str()],
            |row| Ok((row.get(0)?, row.get(1)?)),
        )
        .optional()?;
    let left: bool = tx.query_row(
        "SELECT EXISTS (SELECT 1 FROM records WHERE app = ?1) OR EXISTS (SELECT 1 FROM blobs WHERE app = ?1)",
        [app.as_str()],
        |row| row.get(0),
    )?;
    if let Some((former, at)) = last.filter(|_| anew && left) {
        put_aside(tx, app, &former, at)?;
    }
    let theirs: Vec<String> = tx
        .prepare(
            "SELECT kept_as FROM removed WHERE app = ?1 AND author = ?2 ORDER BY removed_at DESC",
        )?
        .query_map([app.as_str(), author.as_str()], |row| row.get(0))?
        .collect::<Result<_, _>>()?;
    for kept_as in &theirs {
        // What was written since is newer; a key that was used since is not used twice.
        for move_back in [
            "UPDATE OR IGNORE records SET app = ?1 WHERE app = ?2",
            "DELETE FROM records WHERE app = ?2 AND ?1 = ?1",
            "UPDATE history SET app = ?1 WHERE app = ?2",
            "UPDATE blobs SET app = ?1 WHERE app = ?2",
            "UPDATE OR IGNORE actions SET app = ?1 WHERE app = ?2",
            "UPDATE actions SET app = ?1, write_key = NULL WHERE app = ?2",
        ] {
            tx.execute(move_back, [app.as_str(), kept_as])?;
        }
        tx.execute("DELETE FROM removed WHERE kept_as = ?1", [kept_as])?;
    }
    if !theirs.is_empty() {
        next_move(tx)?;
    }
    Ok(())
}

/// The ids that records of removed versions of `app` wait under, newest first.
pub(super) fn kept(connection: &Connection, app: &AppId) -> rusqlite::Result<Vec<AppId>> {
    let mut statement = connection.prepare_cached(
        "SELECT kept_as FROM removed WHERE app = ?1 AND EXISTS (SELECT 1 FROM records WHERE app = kept_as) ORDER BY removed_at DESC",
    )?;
    let rows = statement.query_map([app.as_str()], |row| row.get::<_, String>(0))?;
    let ids = rows.collect::<Result<Vec<_>, _>>()?;
    Ok(ids.iter().filter_map(|id| AppId::parse(id).ok()).collect())
}
