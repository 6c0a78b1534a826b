//! What can go wrong with the records, as values a caller can tell apart. Texts read `what, where, what to do`.

use std::path::{Path, PathBuf};

use rusqlite::ErrorCode;

use super::model::{Kind, RecordId};
use crate::app_id::AppId;

/// Why records could not be read or written. Nothing was changed.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum StoreError {
    /// The write was refused by the data's own rules (schema, size, a record that is not there).
    #[error("the records were not changed, {0}, mend the data and try again")]
    Refused(String),
    /// The database or its folder cannot be written.
    #[error("the records cannot be written, {} is read-only, make it writable", .0.display())]
    ReadOnly(PathBuf),
    /// Another process has held the database for too long.
    #[error("the records are locked, another process holds {}, try again", .0.display())]
    Locked(PathBuf),
    /// No space is left for the write.
    #[error("the records cannot be written, the disk of {} is full, free some space and try again", .0.display())]
    Full(PathBuf),
    /// The database was damaged and has been moved aside; a fresh one is in use.
    #[error("the records were damaged, the old database is kept as {}, a fresh one was started", .0.display())]
    Damaged(PathBuf),
    /// A newer eDE wrote the database.
    #[error("the records were written by a newer version, {} has schema {found} and this version reads {known}, update eDE", path.display())]
    Newer {
        path: PathBuf,
        found: i64,
        known: i64,
    },
    /// The file is a database, but none of eDE's.
    #[error("not a database of records, {} belongs to another program, move it away", .0.display())]
    Foreign(PathBuf),
    /// The system refused in another way.
    #[error("the records cannot be reached, {}: {reason}, check the file and its folder", path.display())]
    Io { path: PathBuf, reason: String },
    /// The app keeps as many records as it may.
    #[error("the records were not changed, {app} would have {records} and an app keeps {most} at most, delete some first", most = super::MOST_RECORDS)]
    TooMany { app: AppId, records: usize },
    /// A record has no way to the app's new version. Those before it have moved, it and those after it have not.
    #[error(
        "not all records of {app} are moved to version {version}, {kind} {record}: {reason}, put it right with `ede records put` or delete it, then install the app again"
    )]
    NotMoved {
        app: AppId,
        version: String,
        kind: Kind,
        record: RecordId,
        reason: String,
    },
    /// A query sorts or groups by values that no order holds for: numbers go by their size, and among texts by their spelling.
    #[error(
        "the records have no order, numbers and texts are mixed in what they are sorted by, sort by another field"
    )]
    NoOrder,
    /// The store was shut down before it could answer.
    #[error("the records are closed, the store has stopped, start again")]
    Stopped,
}

impl StoreError {
    /// SQLite's error as one of ours. `path` is the database's.
    pub(super) fn sqlite(error: &rusqlite::Error, path: &Path) -> StoreError {
        let path = path.to_owned();
        match error.sqlite_error_code() {
            Some(ErrorCode::ReadOnly | ErrorCode::PermissionDenied) => StoreError::ReadOnly(path),
            Some(ErrorCode::DatabaseBusy | ErrorCode::DatabaseLocked) => StoreError::Locked(path),
            Some(ErrorCode::DiskFull) => StoreError::Full(path),
            _ => StoreError::Io {
                path,
                reason: error.to_string(),
            },
        }
    }

    /// Trouble with the database itself, as opposed to one refused write: what a listener is told of, once.
    pub fn is_trouble(&self) -> bool {
        !matches!(
            self,
            StoreError::Refused(_)
                | StoreError::TooMany { .. }
                | StoreError::NotMoved { .. }
                | StoreError::NoOrder
                | StoreError::Stopped
        )
    }
}

/// Does SQLite say that somebody else holds the database?
pub(super) fn is_busy(error: &rusqlite::Error) -> bool {
    let code = error.sqlite_error_code();
    matches!(
        code,
        Some(ErrorCode::DatabaseBusy | ErrorCode::DatabaseLocked)
    )
}

/// Does SQLite say that the file itself is broken?
pub(super) fn is_damage(error: &rusqlite::Error) -> bool {
    matches!(
        error.sqlite_error_code(),
        Some(ErrorCode::DatabaseCorrupt | ErrorCode::NotADatabase)
    )
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used, clippy::expect_used)]
    use super::*;
    use rusqlite::Connection;

    #[test]
    fn a_full_disk_is_told_apart_and_says_what_to_do() {
        let connection = Connection::open_in_memory().unwrap();
        connection
            .execute_batch("PRAGMA max_page_count = 2; CREATE TABLE t (x)")
            .unwrap();
        let error = connection
            .execute("INSERT INTO t VALUES (zeroblob(100000))", [])
            .unwrap_err();
        let error = StoreError::sqlite(&error, Path::new("/data/records.db"));
        assert_eq!(error, StoreError::Full("/data/records.db".into()));
        assert!(error.to_string().contains("free some space"));
        assert!(error.is_trouble());
    }

    #[test]
    fn a_refused_write_is_no_trouble_of_the_database() {
        assert!(!StoreError::Refused("data: /day required".into()).is_trouble());
    }
}
