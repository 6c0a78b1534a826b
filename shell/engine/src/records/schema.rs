//! The tables, and how an older database becomes a current one.
//!
//! `records` holds the newest state of every record, `actions` one row per committed batch in commit order, `history` one row per
//! write with the record before and after. Times are milliseconds since 1970 in UTC, JSON is text. A change of the design is a
//! new entry of [`MIGRATIONS`]; an entry that has shipped is never edited.

use rusqlite::{Connection, OptionalExtension, TransactionBehavior};

/// Marks the file as eDE's (`PRAGMA application_id`): "eDE1".
pub(super) const APPLICATION_ID: i64 = 0x6544_4531;

/// The steps from an empty file to the current design; the schema version is how many have run.
const MIGRATIONS: &[&str] = &["
    CREATE TABLE meta (
        key   TEXT PRIMARY KEY,
        value TEXT NOT NULL
    ) STRICT, WITHOUT ROWID;

    CREATE TABLE records (
        app             TEXT    NOT NULL,
        id              TEXT    NOT NULL,
        kind            TEXT    NOT NULL,
        data            TEXT    NOT NULL CHECK (json_type(data) = 'object'),
        author          TEXT    NOT NULL,
        created_by      TEXT    NOT NULL,
        updated_by      TEXT    NOT NULL,
        created_at      INTEGER NOT NULL,
        updated_at      INTEGER NOT NULL,
        deleted_at      INTEGER,
        revision        INTEGER NOT NULL,
        package_version TEXT    NOT NULL,
        PRIMARY KEY (app, id)
    ) STRICT;
    CREATE INDEX records_of_kind ON records (app, kind, deleted_at);

    CREATE TABLE actions (
        id        INTEGER PRIMARY KEY AUTOINCREMENT,
        app       TEXT    NOT NULL,
        actor     TEXT    NOT NULL,
        via       TEXT    NOT NULL,
        name      TEXT,
        write_key TEXT,
        at        INTEGER NOT NULL,
        undoes    INTEGER
    ) STRICT;
    CREATE UNIQUE INDEX actions_by_key ON actions (app, write_key) WHERE write_key IS NOT NULL;

    CREATE TABLE history (
        action   INTEGER NOT NULL REFERENCES actions (id),
        position INTEGER NOT NULL,
        app      TEXT    NOT NULL,
        record   TEXT    NOT NULL,
        kind     TEXT    NOT NULL,
        op       TEXT    NOT NULL CHECK (op IN ('create', 'update', 'delete', 'restore')),
        before   TEXT,
        after    TEXT,
        revision INTEGER NOT NULL,
        PRIMARY KEY (action, position)
    ) STRICT, WITHOUT ROWID;
    CREATE INDEX history_of_record ON history (app, record);

    CREATE TABLE removed_apps (
        app        TEXT PRIMARY KEY,
        removed_at INTEGER NOT NULL
    ) STRICT, WITHOUT ROWID;
"];

/// The schema version this code reads and writes.
pub(super) const CURRENT: i64 = MIGRATIONS.len() as i64;

/// What a database file turned out to be.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Found {
    /// Nothing in it yet.
    Empty,
    /// Ours, at this schema version.
    Version(i64),
    /// A database of another program.
    Foreign,
}

/// Look, without changing anything.
pub(super) fn inspect(connection: &Connection) -> rusqlite::Result<Found> {
    let tables: i64 =
        connection.query_row("SELECT count(*) FROM sqlite_schema", [], |row| row.get(0))?;
    if tables == 0 {
        return Ok(Found::Empty);
    }
    let application: i64 = connection.query_row("PRAGMA application_id", [], |row| row.get(0))?;
    if application != APPLICATION_ID {
        return Ok(Found::Foreign);
    }
    let version: Option<String> = connection
        .query_row(
            "SELECT value FROM meta WHERE key = 'schema_version'",
            [],
            |row| row.get(0),
        )
        .optional()?;
    Ok(version
        .and_then(|v| v.parse().ok())
        .map_or(Found::Foreign, Found::Version))
}

/// Bring the database from what it is to [`CURRENT`], in one transaction. Two processes may do this at once: the second finds
/// the work done.
pub(super) fn migrate(connection: &mut Connection) -> rusqlite::Result<Found> {
    let tx = connection.transaction_with_behavior(TransactionBehavior::Immediate)?;
    let from = match inspect(&tx)? {
        Found::Empty => 0,
        Found::Version(version) if (0..CURRENT).contains(&version) => version,
        other => return Ok(other),
    };
    for step in &MIGRATIONS[usize::try_from(from).unwrap_or(0)..] {
        tx.execute_batch(step)?;
    }
    tx.execute_batch(&format!("PRAGMA application_id = {APPLICATION_ID}"))?;
    tx.execute("INSERT INTO meta (key, value) VALUES ('schema_version', ?1) ON CONFLICT (key) DO UPDATE SET value = excluded.value", [CURRENT.to_string()])?;
    tx.commit()?;
    Ok(Found::Version(CURRENT))
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]
    use super::*;

    #[test]
    fn an_empty_file_becomes_the_current_design_and_stays_it() {
        let mut connection = Connection::open_in_memory().unwrap();
        assert_eq!(inspect(&connection).unwrap(), Found::Empty);
        assert_eq!(migrate(&mut connection).unwrap(), Found::Version(CURRENT));
        assert_eq!(inspect(&connection).unwrap(), Found::Version(CURRENT));
        assert_eq!(
            migrate(&mut connection).unwrap(),
            Found::Version(CURRENT),
            "migrating again changes nothing"
        );
    }

    #[test]
    fn another_programs_database_is_left_alone() {
        let mut connection = Connection::open_in_memory().unwrap();
        connection
            .execute_batch("CREATE TABLE bookmarks (url TEXT)")
            .unwrap();
        assert_eq!(migrate(&mut connection).unwrap(), Found::Foreign);
        let tables: i64 = connection
            .query_row("SELECT count(*) FROM sqlite_schema", [], |row| row.get(0))
            .unwrap();
        assert_eq!(tables, 1);
    }

    #[test]
    fn every_list_of_a_kind_is_read_through_the_index() {
        let mut connection = Connection::open_in_memory().unwrap();
        migrate(&mut connection).unwrap();
        let plan: String = connection
            .query_row("EXPLAIN QUERY PLAN SELECT id FROM records WHERE app = 'a' AND kind = 'k' AND deleted_at IS NULL", [], |row| row.get(3))
            .unwrap();
        assert!(plan.contains("records_of_kind"), "{plan}");
    }
}
