//! How often an app may have something done within a minute: by itself, and by agents through its tools. Counted with what is done, so that no
//! number of processes has more of it.

use jiff::Timestamp;
use rusqlite::{Transaction, params};

use crate::app_id::AppId;

/// How long what was done counts (ms).
const MINUTE: i64 = 60_000;

/// What is counted.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Rate {
    /// What it does by itself.
    Automations,
    /// What agents call.
    Tools,
}

impl Rate {
    fn table(self) -> &'static str {
        match self {
            Rate::Automations => "automation_runs",
            Rate::Tools => "tool_runs",
        }
    }

    /// How many within a minute.
    pub fn most(self) -> i64 {
        match self {
            Rate::Automations => 30,
            Rate::Tools => 60,
        }
    }

    /// Has the app one left in this minute? This one is counted. What was refused does not count.
    pub fn take(self, tx: &Transaction<'_>, app: &AppId, now: Timestamp) -> rusqlite::Result<bool> {
        let (table, now) = (self.table(), now.as_millisecond());
        tx.execute(
            &format!("DELETE FROM {table} WHERE app = ?1 AND at NOT BETWEEN ?2 AND ?3"),
            params![app.as_str(), now - MINUTE + 1, now],
        )?;
        let counted = tx.execute(
            &format!("INSERT INTO {table} (app, at) SELECT ?1, ?2 WHERE (SELECT count(*) FROM {table} WHERE app = ?1) < ?3"),
            params![app.as_str(), now, self.most()],
        )?;
        Ok(counted == 1)
    }

    /// The app is gone.
    pub fn forget(self, tx: &Transaction<'_>, app: &AppId) -> rusqlite::Result<()> {
        let gone = format!("DELETE FROM {} WHERE app = ?1", self.table());
        tx.execute(&gone, [app.as_str()]).map(|_| ())
    }
}
