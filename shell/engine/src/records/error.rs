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
    /// No space is left on its disk.
    #[error("the disk is full, {} cannot be read or written, free some space and try again", .0.display())]
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
        StoreError::with_room(error, path, room(path))
    }

    /// The same, with so many bytes free on the disk, where that is known.
    fn with_room(error: &rusqlite::Error, path: &Path, room: Option<u64>) -> StoreError {
        let path = path.to_owned();
        let full = room.is_some_and(|room| room < LEAST_ROOM);
        match error.sqlite_error_code() {
            // What SQLite keeps beside the database is mapped and cannot be made: of a full disk it says this.
            Some(ErrorCode::SystemIoFailure | ErrorCode::CannotOpen) if full => {
                StoreError::Full(path)
            }
            Some(ErrorCode::ReadOnly | ErrorCode::PermissionDenied) => StoreError::ReadOnly(path),
            Some(ErrorCode::DatabaseBusy | ErrorCode::DatabaseLocked) => StoreError::Locked(path),
            Some(ErrorCode::DiskFull) => StoreError::Full(path),
            _ => StoreError::Io {
                path,
                reason: error.to_string(),
            },
        }
    }

    /// That the database could be opened for reading only.
    pub(super) fn not_writable(path: &Path) -> StoreError {
        match room(path) {
            Some(room) if room < LEAST_ROOM => StoreError::Full(path.to_owned()),
            _ => StoreError::ReadOnly(path.to_owned()),
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

    /// In words for an agent: no path, and nothing that the system says. What is left out goes to the log.
    pub fn told(&self) -> String {
        if self.is_trouble() || *self == StoreError::Stopped {
            tracing::error!("the records: {self}");
            return "unavailable".to_owned();
        }
        self.to_string()
    }
}

/// With less than this free on its disk SQLite cannot make the files it needs beside a database (bytes).
const LEAST_ROOM: u64 = 64 * 1024;

/// How many bytes are free on the disk of the database.
fn room(path: &Path) -> Option<u64> {
    let disk = rustix::fs::statvfs(path.parent()?).ok()?;
    Some(disk.f_bavail.saturating_mul(disk.f_frsize))
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
    fn what_sqlite_cannot_make_on_a_full_disk_is_told_as_that() {
        let path = Path::new("/data/records.db");
        for code in [
            rusqlite::ffi::SQLITE_IOERR_SHMSIZE,
            rusqlite::ffi::SQLITE_CANTOPEN,
        ] {
            let error = rusqlite::Error::SqliteFailure(rusqlite::ffi::Error::new(code), None);
            let told = |room: Option<u64>| StoreError::with_room(&error, path, room);
            for room in [0, LEAST_ROOM - 1] {
                assert_eq!(told(Some(room)), StoreError::Full(path.into()));
            }
            for room in [Some(LEAST_ROOM), None] {
                assert!(matches!(told(room), StoreError::Io { .. }), "{room:?}");
            }
        }
        // Here there is room.
        let dir = tempfile::tempdir().unwrap();
        let path = dir.path().join("records.db");
        assert!(room(&path).is_some_and(|room| room > LEAST_ROOM));
        assert_eq!(StoreError::not_writable(&path), StoreError::ReadOnly(path));
    }

    #[test]
    fn an_agent_hears_no_path_and_nothing_of_the_systems() {
        let path = std::path::PathBuf::from("/home/ines/records.db");
        for trouble in [
            StoreError::Full(path.clone()),
            StoreError::Damaged(path.clone()),
            StoreError::Io {
                path,
                reason: "EIO".into(),
            },
            StoreError::Stopped,
        ] {
            assert_eq!(trouble.told(), "unavailable");
        }
        let refused = StoreError::Refused("hours: at most 24".into());
        assert_eq!(refused.told(), refused.to_string());
    }

    #[test]
    fn a_refused_write_is_no_trouble_of_the_database() {
        assert!(!StoreError::Refused("data: /day required".into()).is_trouble());
    }
}
