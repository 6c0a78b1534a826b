//! The audit as it is kept: one row for every call, for [`DAYS`] days, at most [`MOST`] of them. Writing waits for nobody: rows are
//! collected, and whatever has come by the time the store's thread gets to them lands in one transaction.

use std::sync::{Mutex, PoisonError};

use jiff::Timestamp;
use rusqlite::{Connection, Transaction, TransactionBehavior, params};
use serde::Serialize;

use super::apply::Step;
use super::store::{Pending, Store};
use crate::app_id::AppId;
use crate::broker::audit::{AuditRow, AuditSink};

/// How long a row is kept (days).
pub(super) const DAYS: i64 = 90;
/// How many rows are kept: an app that calls in a loop pushes out the oldest, not the disk's last free byte.
const MOST: i64 = 100_000;
/// How many rows wait for the store's thread; of a flood beyond them only the number is kept, in the log.
const WAITING: usize = 10_000;

/// A row as it was kept.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct Kept {
    #[serde(serialize_with = "iso")]
    pub at: Timestamp,
    pub app_id: String,
    pub client_id: String,
    pub tool: String,
    pub status: String,
    pub error: Option<String>,
    pub args_hash: String,
}

fn iso<S: serde::Serializer>(at: &Timestamp, to: S) -> Result<S::Ok, S::Error> {
    to.serialize_str(&crate::clock::iso(*at))
}

/// Which rows are asked for.
#[derive(Debug, Clone, Default)]
pub struct AuditQuery {
    /// Of one app.
    pub app: Option<AppId>,
    /// From this moment on.
    pub since: Option<Timestamp>,
}

/// Rows on their way.
#[derive(Debug, Default)]
pub(super) struct Waiting(Mutex<Rows>);

#[derive(Debug, Default)]
struct Rows {
    rows: Vec<AuditRow>,
    dropped: usize,
    /// Somebody comes for them.
    awaited: bool,
}

impl Waiting {
    /// Add a row. True when somebody must be sent for it.
    fn push(&self, row: AuditRow) -> bool {
        let mut waiting = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        if waiting.rows.len() == WAITING {
            waiting.dropped += 1;
            return false;
        }
        waiting.rows.push(row);
        !std::mem::replace(&mut waiting.awaited, true)
    }

    /// They could not be written: they go with whatever comes next.
    fn put_back(&self, rows: Vec<AuditRow>) {
        let mut waiting = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        waiting.rows.splice(0..0, rows);
    }

    fn take(&self) -> Vec<AuditRow> {
        let mut waiting = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        let waiting = std::mem::take(&mut *waiting);
        if waiting.dropped > 0 {
            tracing::error!(
                rows = waiting.dropped,
                "a flood of calls: not all are in the audit"
            );
        }
        waiting.rows
    }
}

/// The store as the place where the broker's rows go.
impl AuditSink for Store {
    fn write(&mut self, row: AuditRow) {
        if !self.waiting().push(row) {
            return;
        }
        let waiting = self.waiting().clone();
        let written = self.ask(move |database| {
            let rows = waiting.take();
            let written = database.write(|connection, now, _| put(connection, &rows, now));
            if written.is_err() {
                waiting.put_back(rows);
            }
            written
        });
        written.then(|done| {
            // Trouble with the database is told to the listeners.
            if let Err(error) = done {
                tracing::error!("calls were not written to the audit yet: {error}");
            }
        });
    }
}

impl Store {
    /// The rows asked for, the newest first.
    pub fn audit(&self, query: AuditQuery) -> Pending<Vec<Kept>> {
        self.ask(move |database| {
            if !database.exists() {
                return Ok(Vec::new());
            }
            database.read(|connection| read(connection, &query))
        })
    }
}

fn put(connection: &mut Connection, rows: &[AuditRow], now: Timestamp) -> Step<()> {
    let tx = connection.transaction_with_behavior(TransactionBehavior::Immediate)?;
    for row in rows {
        put_one(&tx, row, now)?;
    }
    tx.execute(
        "DELETE FROM audit WHERE seq <= (SELECT max(seq) FROM audit) - ?1",
        [MOST],
    )?;
    tx.commit()?;
    Ok(())
}

/// One row, as a part of what it tells of.
pub(super) fn put_one(
    tx: &Transaction<'_>,
    row: &AuditRow,
    now: Timestamp,
) -> rusqlite::Result<()> {
    let mut insert = tx.prepare_cached(
        "INSERT INTO audit (at, app, client, tool, status, error, args_hash) VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7)",
    )?;
    insert.execute(params![
        now.as_millisecond(),
        row.app_id.as_str(),
        row.client_id.as_str(),
        row.tool,
        row.status.as_str(),
        row.error,
        row.args_hash.as_str(),
    ])?;
    Ok(())
}

fn read(connection: &Connection, query: &AuditQuery) -> rusqlite::Result<Vec<Kept>> {
    let mut statement = connection.prepare_cached(
        "SELECT at, app, client, tool, status, error, args_hash FROM audit
         WHERE (?1 IS NULL OR app = ?1) AND at >= ?2 ORDER BY seq DESC",
    )?;
    let since = query.since.map_or(i64::MIN, |t| t.as_millisecond());
    let app = query.app.as_ref().map(AppId::as_str);
    let rows = statement.query_map(params![app, since], |row| {
        Ok(Kept {
            at: Timestamp::from_millisecond(row.get(0)?).unwrap_or_default(),
            app_id: row.get(1)?,
            client_id: row.get(2)?,
            tool: row.get(3)?,
            status: row.get(4)?,
            error: row.get(5)?,
            args_hash: row.get(6)?,
        })
    })?;
    rows.collect()
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]
    use std::sync::Arc;

    use serde_json::json;

    use super::*;
    use crate::broker::audit::{ArgsHash, Client, Status};
    use crate::clock::FixedClock;
    use crate::records::StoreOptions;

    fn store(dir: &tempfile::TempDir, now: &str) -> Store {
        let clock = FixedClock(format!("{now}[UTC]").parse().unwrap());
        let path = dir.path().join("records.db");
        Store::start(StoreOptions::new(path, Arc::new(clock))).unwrap()
    }

    fn row(app: &str, tool: &str) -> AuditRow {
        AuditRow {
            app_id: AppId::parse(app).unwrap(),
            client_id: Client::Ui,
            tool: tool.into(),
            status: Status::Denied,
            error: Some("consentDenied"),
            args_hash: ArgsHash::of(&json!({"window": "w3"})),
        }
    }

    #[test]
    fn every_row_is_kept_in_order_and_found_by_app_and_time() {
        let dir = tempfile::tempdir().unwrap();
        let mut first = store(&dir, "2026-11-29T16:00:00");
        assert_eq!(first.audit(AuditQuery::default()).wait(), Ok(vec![]));
        for n in 0..50 {
            first.write(row("acme.timer", &format!("windows__list{n}")));
        }
        let kept = first.audit(AuditQuery::default()).wait().unwrap();
        assert_eq!(kept.len(), 50);
        assert_eq!(kept[0].tool, "windows__list49", "the newest first");
        let json = serde_json::to_value(&kept[0]).unwrap();
        assert_eq!(json["at"], "2026-11-29T16:00:00.000Z");
        assert_eq!(json["error"], "consentDenied");
        assert!(
            !json.to_string().contains("w3"),
            "the arguments are not in it"
        );
        let mut later = store(&dir, "2026-11-30T16:00:00");
        later.write(row("acme.other", "focus__window"));
        let of = |app: Option<&str>, since: Option<&str>| {
            let query = AuditQuery {
                app: app.map(|a| AppId::parse(a).unwrap()),
                since: since.map(|t| t.parse().unwrap()),
            };
            later.audit(query).wait().unwrap().len()
        };
        assert_eq!(of(None, None), 51);
        assert_eq!(of(Some("acme.other"), None), 1);
        assert_eq!(of(None, Some("2026-11-30T00:00:00Z")), 1);
        assert_eq!(of(Some("acme.timer"), Some("2026-11-30T00:00:00Z")), 0);
    }

    #[test]
    fn rows_that_could_not_be_written_go_with_the_next() {
        let dir = tempfile::tempdir().unwrap();
        let mut store = store(&dir, "2026-11-30T16:00:00");
        let path = dir.path().join("records.db");
        std::fs::create_dir(&path).unwrap();
        store.write(row("acme.timer", "first"));
        assert!(store.audit(AuditQuery::default()).wait().is_err());
        std::fs::remove_dir(&path).unwrap();
        store.write(row("acme.timer", "second"));
        let kept = store.audit(AuditQuery::default()).wait().unwrap();
        let tools: Vec<&str> = kept.iter().map(|k| k.tool.as_str()).collect();
        assert_eq!(tools, ["second", "first"]);
    }

    #[test]
    fn after_ninety_days_a_row_goes() {
        let dir = tempfile::tempdir().unwrap();
        store(&dir, "2026-01-01T00:00:00").write(row("acme.timer", "windows__list"));
        for (now, left) in [("2026-03-31T00:00:00", 1), ("2026-04-02T00:00:00", 0)] {
            let store = store(&dir, now);
            store.sweep().wait().unwrap();
            let kept = store.audit(AuditQuery::default()).wait().unwrap();
            assert_eq!(kept.len(), left, "{now}");
        }
    }

    #[test]
    fn the_oldest_rows_make_room() {
        let dir = tempfile::tempdir().unwrap();
        let mut store = store(&dir, "2026-11-30T16:00:00");
        store.write(row("acme.first", "windows__list"));
        let many = store.ask(|database| {
            let rows: Vec<AuditRow> = (0..MOST)
                .map(|_| row("acme.loop", "windows__list"))
                .collect();
            database.write(|connection, now, _| put(connection, &rows, now))
        });
        many.wait().unwrap();
        let kept = store.audit(AuditQuery::default()).wait().unwrap();
        assert_eq!(kept.len() as i64, MOST);
        assert!(kept.iter().all(|k| k.app_id == "acme.loop"));
    }
}
