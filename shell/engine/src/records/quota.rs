//! How many records an app may keep on this machine: 25,000, trash aside. A batch is judged as a whole, by what is there after it; one
//! that makes no records more is never refused, and neither is taking something back. At four fifths listeners are told, once each time
//! that line is passed.

use rusqlite::{Transaction, params};

use super::apply::{Step, Stop};
use super::error::StoreError;
use super::model::{Batch, Write};
use crate::app_id::AppId;

/// The most records an app may keep.
pub const MOST_RECORDS: usize = 25_000;
/// From here on it is told.
const NEARLY: usize = MOST_RECORDS / 5 * 4;

/// The records of an app before a batch that may make more of them.
pub(super) struct Before(Option<usize>);

impl Before {
    pub fn of(tx: &Transaction<'_>, batch: &Batch) -> rusqlite::Result<Before> {
        let makes =
            |write: &Write| matches!(write, Write::Upsert { id: None, .. } | Write::Put { .. });
        let may = batch.writes.iter().any(makes);
        Ok(Before(may.then(|| live(tx, &batch.app)).transpose()?))
    }

    /// How many there are now, where that is worth telling.
    pub fn judge(self, tx: &Transaction<'_>, app: &AppId) -> Step<Option<usize>> {
        let Some(before) = self.0 else {
            return Ok(None);
        };
        let records = live(tx, app)?;
        if records > before && records > MOST_RECORDS {
            return Err(Stop::Store(StoreError::TooMany {
                app: app.clone(),
                records,
            }));
        }
        Ok((before < NEARLY && records >= NEARLY).then_some(records))
    }
}

fn live(tx: &Transaction<'_>, app: &AppId) -> rusqlite::Result<usize> {
    tx.prepare_cached("SELECT count(*) FROM records WHERE app = ?1 AND deleted_at IS NULL")?
        .query_row(params![app.as_str()], |row| row.get(0))
}
