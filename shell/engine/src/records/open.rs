//! Opening the database file: made private where it is missing, brought to the current design, read only where it cannot be
//! written; and telling a sound file from a damaged one.

use std::fs::{self, File, OpenOptions};
use std::os::unix::fs::{MetadataExt, OpenOptionsExt};
use std::path::{Path, PathBuf};
use std::time::Duration;

use rusqlite::{Connection, OpenFlags};

use super::apply::Stop;
use super::error::{StoreError, is_busy, is_damage};
use super::schema::{self, Found};
use super::{grants, removed};
use crate::files;

/// An open database file.
pub(super) struct Open {
    pub connection: Connection,
    /// Device and inode of the file the connection holds.
    pub identity: FileId,
    pub writable: bool,
    /// SQLite's count of commits by other connections, as last seen.
    pub data_version: i64,
    /// The newest action whose changes have been told.
    pub last_action: i64,
    /// How often all records of an app came or went so far.
    pub moves: i64,
    /// How often the person's decisions changed so far.
    pub decisions: i64,
}

impl Open {
    /// A `data_version` SQLite never gives: whatever is there has not been told.
    pub const UNSEEN: i64 = i64::MIN;
}

/// An error on its way out of the database.
pub(super) enum Fault {
    Sqlite(rusqlite::Error),
    Store(StoreError),
}

impl From<rusqlite::Error> for Fault {
    fn from(error: rusqlite::Error) -> Fault {
        Fault::Sqlite(error)
    }
}

impl From<Stop> for Fault {
    fn from(stop: Stop) -> Fault {
        match stop {
            Stop::Sqlite(error) => Fault::Sqlite(error),
            Stop::Refused(why) => Fault::Store(StoreError::Refused(why)),
            Stop::Store(error) => Fault::Store(error),
        }
    }
}

/// `path` with `suffix` after its name.
pub(super) fn beside(path: &Path, suffix: &str) -> PathBuf {
    let mut name = path.as_os_str().to_owned();
    name.push(suffix);
    PathBuf::from(name)
}

/// Which file it is, whatever it is called: its device and its number there.
pub(super) type FileId = (u64, u64);

/// The file at `path` now.
pub(super) fn identity(path: &Path) -> Option<FileId> {
    fs::metadata(path).ok().map(|meta| (meta.dev(), meta.ino()))
}

pub(super) fn io_error(path: &Path, error: &std::io::Error) -> StoreError {
    use std::io::ErrorKind;
    match error.kind() {
        ErrorKind::PermissionDenied | ErrorKind::ReadOnlyFilesystem => {
            StoreError::ReadOnly(path.to_owned())
        }
        ErrorKind::StorageFull | ErrorKind::QuotaExceeded => StoreError::Full(path.to_owned()),
        _ => StoreError::Io {
            path: path.to_owned(),
            reason: error.to_string(),
        },
    }
}

/// Hold the file beside the database that says "I am moving it": released when the answer is dropped.
pub(super) fn lock(path: &Path) -> Result<File, Fault> {
    let locked = OpenOptions::new()
        .create(true)
        .truncate(false)
        .write(true)
        .mode(files::PRIVATE_FILE)
        .open(beside(path, ".lock"))
        .and_then(|file| {
            rustix::fs::flock(&file, rustix::fs::FlockOperation::LockExclusive)?;
            Ok(file)
        });
    locked.map_err(|error| Fault::Store(io_error(path, &error)))
}

/// Is the file whole, as far as SQLite can see?
pub(super) fn is_sound(path: &Path, patience: Duration) -> bool {
    let check = || -> rusqlite::Result<bool> {
        let connection = Connection::open_with_flags(
            path,
            OpenFlags::SQLITE_OPEN_READ_WRITE | OpenFlags::SQLITE_OPEN_NO_MUTEX,
        )?;
        connection.busy_timeout(patience)?;
        let answer: String = connection.query_row("PRAGMA quick_check(1)", [], |row| row.get(0))?;
        Ok(answer == "ok")
    };
    check().unwrap_or_else(|error| !is_damage(&error))
}

pub(super) fn data_version(connection: &Connection) -> rusqlite::Result<i64> {
    connection
        .prepare_cached("PRAGMA data_version")?
        .query_row([], |row| row.get(0))
}

/// Open the database at `path`, made (with its folder) when it is missing; for reading only where it cannot be written.
pub(super) fn open(path: &Path, patience: Duration) -> Result<Open, Fault> {
    let made = path
        .parent()
        .map_or(Ok(()), files::private_dir)
        .and_then(|()| create(path));
    let connection = match made {
        Ok(()) => writable(path, patience)?,
        Err(_) if path.exists() => None,
        Err(files::FileError::Io { source, .. }) => {
            return Err(Fault::Store(io_error(path, &source)));
        }
        Err(error) => {
            return Err(Fault::Store(StoreError::Io {
                path: path.to_owned(),
                reason: error.to_string(),
            }));
        }
    };
    let is_writable = connection.is_some();
    let mut connection = match connection {
        Some(connection) => connection,
        None => readable(path, patience)?,
    };
    let found = match schema::inspect(&connection)? {
        // A current database is opened without a write, so a lock somebody holds does not keep anybody from reading.
        Found::Version(schema::CURRENT) => Found::Version(schema::CURRENT),
        _ if is_writable => schema::migrate(&mut connection)?,
        found => found,
    };
    match found {
        Found::Version(schema::CURRENT) => {}
        Found::Version(found) => {
            return Err(Fault::Store(StoreError::Newer {
                path: path.to_owned(),
                found,
                known: schema::CURRENT,
            }));
        }
        Found::Foreign => return Err(Fault::Store(StoreError::Foreign(path.to_owned()))),
        // Nobody has written yet and we cannot: there is nothing to read from.
        Found::Empty => return Err(Fault::Store(StoreError::not_writable(path))),
    }
    let identity = identity(path).ok_or_else(|| {
        Fault::Store(StoreError::Io {
            path: path.to_owned(),
            reason: "it is gone".into(),
        })
    })?;
    // In this order: a commit between the two is told rather than missed.
    let data_version = data_version(&connection)?;
    let moves = removed::moves(&connection)?;
    let decisions = grants::changes(&connection)?;
    let last_action =
        connection.query_row("SELECT coalesce(max(id), 0) FROM actions", [], |row| {
            row.get(0)
        })?;
    Ok(Open {
        connection,
        identity,
        writable: is_writable,
        data_version,
        last_action,
        moves,
        decisions,
    })
}

/// An empty private file where there is none, so that SQLite's own siblings take its mode.
fn create(path: &Path) -> Result<(), files::FileError> {
    match OpenOptions::new()
        .create(true)
        .truncate(false)
        .read(true)
        .write(true)
        .mode(files::PRIVATE_FILE)
        .open(path)
    {
        Ok(_) => Ok(()),
        Err(source) => Err(files::FileError::Io {
            action: "open",
            path: path.to_owned(),
            source,
        }),
    }
}

/// How often the log of a database is asked for while another process makes it, and how long is waited between.
const TURNS: usize = 100;
const TURN: Duration = Duration::from_millis(10);

/// A connection that can write, or `None` where the system allows reading only.
fn writable(path: &Path, patience: Duration) -> Result<Option<Connection>, Fault> {
    let connection = Connection::open_with_flags(
        path,
        OpenFlags::SQLITE_OPEN_READ_WRITE | OpenFlags::SQLITE_OPEN_NO_MUTEX,
    )?;
    connection.busy_timeout(patience)?;
    let prepare = || {
        connection.execute_batch("PRAGMA synchronous = FULL; PRAGMA journal_mode = WAL; PRAGMA foreign_keys = ON; PRAGMA trusted_schema = OFF")
    };
    let mut prepared = prepare();
    // Two that make a fresh database at once: SQLite does not let the second wait for its turn at the log.
    for _ in 0..TURNS {
        if !prepared.as_ref().is_err_and(is_busy) {
            break;
        }
        std::thread::sleep(TURN);
        prepared = prepare();
    }
    match prepared {
        Ok(()) if connection.is_readonly("main")? => Ok(None),
        Ok(()) => Ok(Some(connection)),
        Err(error) => match error.sqlite_error_code() {
            Some(
                rusqlite::ErrorCode::ReadOnly
                | rusqlite::ErrorCode::CannotOpen
                | rusqlite::ErrorCode::PermissionDenied,
            ) => Ok(None),
            _ => Err(Fault::Sqlite(error)),
        },
    }
}

/// A connection that reads only. Where SQLite cannot make the files a write-ahead log needs (a read-only file system) and no log
/// is there, the file alone is the whole truth and is read as one that never changes.
fn readable(path: &Path, patience: Duration) -> Result<Connection, Fault> {
    let flags = OpenFlags::SQLITE_OPEN_READ_ONLY | OpenFlags::SQLITE_OPEN_NO_MUTEX;
    let connection = Connection::open_with_flags(path, flags)?;
    connection.busy_timeout(patience)?;
    match schema::inspect(&connection) {
        Ok(_) => Ok(connection),
        Err(error) if is_damage(&error) => Err(Fault::Sqlite(error)),
        Err(error) => {
            let log = fs::metadata(beside(path, "-wal")).map_or(0, |meta| meta.len());
            if log > 0 {
                return Err(Fault::Sqlite(error));
            }
            Ok(Connection::open_with_flags(
                uri(path),
                flags | OpenFlags::SQLITE_OPEN_URI,
            )?)
        }
    }
}

/// `path` as the URI of a file that does not change while it is open.
fn uri(path: &Path) -> String {
    use std::fmt::Write;
    use std::os::unix::ffi::OsStrExt;
    let mut uri = String::from("file:");
    for &byte in path.as_os_str().as_bytes() {
        if byte.is_ascii_alphanumeric() || b"/-_.~".contains(&byte) {
            uri.push(char::from(byte));
        } else {
            let _ = write!(uri, "%{byte:02X}");
        }
    }
    uri.push_str("?immutable=1");
    uri
}
