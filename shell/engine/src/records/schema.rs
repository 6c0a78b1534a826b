//! The tables, and how an older database becomes a current one.
//!
//! - `records` holds the newest state of every record, `actions` one row per committed batch in commit order, `history` one row per write
//!   with the record before and after
//! - `removed` has one row per removed app, whose rows in the other three go by the id it says
//! - `grants` is what the person decided about each scope of an app and its author, `audit` one row per call
//! - `blobs` is the index of the apps' files, `lost_blobs` what lies among their bytes and is in no index
//! - `automations` is how far each of an app's has come: the moment up to which its schedule, the write up to which its records have
//!   run; `automation_runs` are those of the last minute
//! - `notices` are the notifications that wait for their time
//! - `interactions` is what agents ask the person, until it has come to its end and for a while after
//! - `artifacts` is what agents have handed over, whose bytes are files
//! - `installs` is what is being installed, until it is
//! - `tool_runs` are the calls that agents made of each app's tools within the last minute
//!
//! Times are milliseconds since 1970 in UTC, JSON is text. A change of the design is a new entry of [`MIGRATIONS`]; an entry that has
//! shipped is never edited.

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
", "
    CREATE TABLE removed (
        kept_as    TEXT    PRIMARY KEY,
        app        TEXT    NOT NULL,
        author     TEXT    NOT NULL,
        removed_at INTEGER NOT NULL
    ) STRICT, WITHOUT ROWID;
    INSERT INTO removed
        SELECT 'ede.removed.n' || row_number() OVER (ORDER BY app), app, CASE WHEN app LIKE 'ede.%' THEN 'ede' ELSE '' END, removed_at
        FROM removed_apps;
    INSERT INTO meta (key, value) SELECT 'moves', count(*) FROM removed;
    UPDATE records SET app = (SELECT kept_as FROM removed WHERE removed.app = records.app) WHERE app IN (SELECT app FROM removed);
    UPDATE history SET app = (SELECT kept_as FROM removed WHERE removed.app = history.app) WHERE app IN (SELECT app FROM removed);
    UPDATE actions SET app = (SELECT kept_as FROM removed WHERE removed.app = actions.app) WHERE app IN (SELECT app FROM removed);
    DROP TABLE removed_apps;
", "
    CREATE TABLE grants (
        app        TEXT    NOT NULL,
        scope      TEXT    NOT NULL,
        state      TEXT    NOT NULL CHECK (state IN ('granted', 'denied')),
        origins    TEXT    NOT NULL,
        decided_at INTEGER NOT NULL,
        PRIMARY KEY (app, scope)
    ) STRICT, WITHOUT ROWID;

    CREATE TABLE audit (
        seq       INTEGER PRIMARY KEY,
        at        INTEGER NOT NULL,
        app       TEXT    NOT NULL,
        client    TEXT    NOT NULL,
        tool      TEXT    NOT NULL,
        status    TEXT    NOT NULL,
        error     TEXT,
        args_hash TEXT    NOT NULL
    ) STRICT;
    CREATE INDEX audit_of_app ON audit (app, seq);
    CREATE INDEX audit_by_time ON audit (at);
", "
    CREATE TABLE blobs (
        id         TEXT    PRIMARY KEY,
        app        TEXT    NOT NULL,
        name       TEXT    NOT NULL,
        mime_type  TEXT    NOT NULL,
        size       INTEGER NOT NULL,
        created_at INTEGER NOT NULL
    ) STRICT, WITHOUT ROWID;
    CREATE INDEX blobs_of_app ON blobs (app);

    CREATE TABLE lost_blobs (
        name    TEXT    PRIMARY KEY,
        seen_at INTEGER NOT NULL
    ) STRICT, WITHOUT ROWID;
", "
    CREATE TABLE notices (
        app    TEXT    NOT NULL,
        id     TEXT    NOT NULL,
        title  TEXT    NOT NULL,
        body   TEXT,
        screen TEXT,
        params TEXT,
        due    INTEGER NOT NULL,
        PRIMARY KEY (app, id)
    ) STRICT, WITHOUT ROWID;
    CREATE INDEX notices_by_time ON notices (due);
", "
    ALTER TABLE grants ADD COLUMN signer TEXT NOT NULL DEFAULT '';
", "
    CREATE TABLE automations (
        app        TEXT    NOT NULL,
        name       TEXT    NOT NULL,
        checked_at INTEGER NOT NULL,
        action     INTEGER NOT NULL,
        position   INTEGER NOT NULL,
        PRIMARY KEY (app, name)
    ) STRICT, WITHOUT ROWID;
", "
    DROP TABLE automations;
    CREATE TABLE automations (
        app        TEXT    NOT NULL,
        name       TEXT    NOT NULL,
        trigger    TEXT    NOT NULL,
        checked_at INTEGER NOT NULL,
        action     INTEGER NOT NULL,
        position   INTEGER NOT NULL,
        PRIMARY KEY (app, name)
    ) STRICT, WITHOUT ROWID;
    CREATE TABLE automation_runs (
        app TEXT    NOT NULL,
        at  INTEGER NOT NULL
    ) STRICT;
    CREATE INDEX automation_runs_of_app ON automation_runs (app, at);
    CREATE INDEX actions_of_app ON actions (app);
", "
    CREATE TABLE interactions (
        id           TEXT    PRIMARY KEY,
        agent        TEXT    NOT NULL,
        conversation TEXT    NOT NULL,
        session      TEXT,
        kind         TEXT    NOT NULL,
        request      TEXT    NOT NULL,
        state        TEXT    NOT NULL,
        answer       TEXT,
        created_at   INTEGER NOT NULL,
        updated_at   INTEGER NOT NULL,
        expires_at   INTEGER
    ) STRICT, WITHOUT ROWID;
", "
    CREATE TABLE artifacts (
        id           TEXT    PRIMARY KEY,
        agent        TEXT    NOT NULL,
        conversation TEXT    NOT NULL,
        name         TEXT    NOT NULL,
        mime_type    TEXT    NOT NULL,
        size         INTEGER NOT NULL,
        sha256       TEXT,
        integrity    TEXT    NOT NULL,
        created_at   INTEGER NOT NULL,
        local_ref    TEXT
    ) STRICT, WITHOUT ROWID;
    CREATE INDEX artifacts_of_agent ON artifacts (agent);
", "
    CREATE TABLE installs (
        app  TEXT    PRIMARY KEY,
        file BLOB    NOT NULL,
        anew INTEGER NOT NULL
    ) STRICT, WITHOUT ROWID;
", "
    CREATE TABLE tool_runs (
        app TEXT    NOT NULL,
        at  INTEGER NOT NULL
    ) STRICT;
    CREATE INDEX tool_runs_of_app ON tool_runs (app, at);
", "
    ALTER TABLE interactions ADD COLUMN left_at INTEGER;
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
    fn the_records_of_an_app_removed_before_they_were_set_aside_wait_as_long_as_they_were_to() {
        let mut connection = Connection::open_in_memory().unwrap();
        connection.execute_batch(MIGRATIONS[0]).unwrap();
        let record = "INSERT INTO records VALUES (?1, 'r', 'k', '{}', 'me', 'me', 'me', 1, 1, NULL, 1, '1.0.0')";
        for app in ["acme.gone", "acme.here"] {
            connection.execute(record, [app]).unwrap();
        }
        connection
            .execute_batch(&format!(
                "INSERT INTO removed_apps VALUES ('acme.gone', 7); PRAGMA application_id = {APPLICATION_ID};
                 INSERT INTO meta VALUES ('schema_version', '1')"
            ))
            .unwrap();
        assert_eq!(migrate(&mut connection).unwrap(), Found::Version(CURRENT));
        let of = |app: &str| {
            let found = "SELECT count(*) FROM records WHERE app = ?1";
            connection.query_row(found, [app], |row| row.get::<_, i64>(0))
        };
        let counts = ["acme.gone", "acme.here", "ede.removed.n1"].map(|app| of(app).unwrap());
        assert_eq!(counts, [0, 1, 1]);
        let removed =
            "SELECT kept_as || ' ' || app || ' ' || author || ' ' || removed_at FROM removed";
        let removed: String = connection.query_row(removed, [], |row| row.get(0)).unwrap();
        assert_eq!(removed, "ede.removed.n1 acme.gone  7");
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
