//! What goes in the end: deleted records, the records and files of removed apps, files that no record names, old history, old rows of the
//! audit, what agents asked and handed over long ago.

use jiff::Timestamp;
use rusqlite::{Connection, TransactionBehavior};

use super::apply::Step;
use super::artifacts;
use super::audit;
use super::blobs;
use super::interactions;
use super::model::Record;
use super::read::stored;
use crate::app_id::AppId;
use crate::blobs::Folder;

/// Days a deleted record can be brought back, and a removed app's records are kept.
const TRASH_DAYS: i64 = 30;
/// Days a file is kept that no record names.
const UNNAMED_DAYS: i64 = 7;
/// Days history is kept.
const HISTORY_DAYS: i64 = 90;

/// Remove for good what has been in the trash, or belongs to an app removed, for [`TRASH_DAYS`], and history older than
/// [`HISTORY_DAYS`]; with them files whose time has come, from the index and then from `folder`. Answers how many records went.
pub(super) fn sweep(connection: &mut Connection, folder: &Folder, now: Timestamp) -> Step<usize> {
    const DAY: i64 = 24 * 60 * 60 * 1000;
    let now = now.as_millisecond();
    // Listed first: what comes later is in the index by the time it is asked.
    let names = folder.names();
    let tx = connection.transaction_with_behavior(TransactionBehavior::Immediate)?;
    let gone = tx.execute(
        "DELETE FROM records WHERE deleted_at < ?1 OR app IN (SELECT kept_as FROM removed WHERE removed_at < ?1)",
        [now - TRASH_DAYS * DAY],
    )?;
    tx.execute(
        "DELETE FROM history WHERE action IN (SELECT id FROM actions WHERE at < ?1) OR NOT EXISTS (SELECT 1 FROM records r WHERE r.app = history.app AND r.id = history.record)",
        [now - HISTORY_DAYS * DAY],
    )?;
    interactions::sweep(&tx, now)?;
    artifacts::sweep(&tx, now)?;
    // What can be brought back keeps its files.
    let mut files = blobs::forget(&tx, now - UNNAMED_DAYS * DAY, now - TRASH_DAYS * DAY)?;
    tx.execute(
        "DELETE FROM removed WHERE removed_at < ?1",
        [now - TRASH_DAYS * DAY],
    )?;
    tx.execute("DELETE FROM actions WHERE at < ?1 AND NOT EXISTS (SELECT 1 FROM history h WHERE h.action = actions.id)", [now - HISTORY_DAYS * DAY])?;
    tx.execute("DELETE FROM audit WHERE at < ?1", [now - audit::DAYS * DAY])?;
    files.append(&mut blobs::lost(&tx, &names, now, now - TRASH_DAYS * DAY)?);
    tx.commit()?;
    folder.remove(files);
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
