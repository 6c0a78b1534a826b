//! The queue itself: what is submitted, what is sent and in which order, what the server's answer means, and when an entry is done with.

use std::collections::BTreeMap;

use eui_core::host::RecordRow;
use jiff::{SignedDuration, Timestamp};
use serde_json::Value;

use super::entry::{Call, Entry, State, WriteId};
use super::{LogFailed, OutboxLog, Transport};

/// How long an entry the server has lies over rows that are known and do not show it.
const GRACE: SignedDuration = SignedDuration::from_secs(30);

/// The server's own trouble: the entry is sent again.
const RETRIED: [&str; 4] = [
    "INTERNAL_SERVER_ERROR",
    "TIMEOUT",
    "TOO_MANY_REQUESTS",
    "SERVICE_UNAVAILABLE",
];

/// What came of sending an entry.
#[derive(Debug, Clone, PartialEq)]
pub enum Reply {
    /// The server has written it.
    Done(Value),
    /// It did not get there, or no answer came back.
    Lost,
    /// The server says no, by a code.
    Error {
        code: String,
        message: Option<String>,
        /// What was written breaks a rule of its kind.
        invalid: bool,
    },
}

/// What the call that wrote is answered.
#[derive(Debug, Clone, PartialEq)]
pub enum Submitted {
    /// By the server's own answer.
    Done(Value),
    /// It was refused, and nothing of it is left.
    Refused { message: String, invalid: bool },
    /// It waits, or needed nothing any more: the call is answered from the entry.
    Queued,
}

/// An entry the server refused after its call had been answered.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Refusal {
    pub write_id: WriteId,
    pub app_id: String,
    /// The call it was.
    pub verb: Call,
    pub message: String,
}

/// What is to become of an entry.
enum Outcome {
    Acked(Value),
    Retry,
    Dropped,
    Refused { message: String, invalid: bool },
}

/// The account's queue. It is read from its log when it is made and written through afterwards.
pub struct Outbox<L, T> {
    log: L,
    transport: T,
    entries: Vec<Entry>,
    /// The synced rows of the apps whose rows are known.
    rows: BTreeMap<String, Vec<RecordRow>>,
}

impl<L: OutboxLog, T: Transport> Outbox<L, T> {
    /// # Errors
    /// The log cannot be read.
    pub fn new(log: L, transport: T) -> Result<Outbox<L, T>, LogFailed> {
        Ok(Outbox {
            entries: log.entries()?,
            log,
            transport,
            rows: BTreeMap::new(),
        })
    }

    /// Take a call's writes. Alone on a connected device it is sent at once and answered by what came of it; else it waits for
    /// [`Outbox::flush`], which the host is to start.
    ///
    /// # Errors
    /// It was not kept, and not sent; or what came of it was not kept, and it will be sent again.
    pub fn submit(
        &mut self,
        entry: Entry,
        online: bool,
        now: Timestamp,
    ) -> Result<Submitted, LogFailed> {
        let alone = self.waiting().next().is_none();
        self.log.push(&entry)?;
        self.entries.push(entry);
        if !online || !alone {
            return Ok(Submitted::Queued);
        }
        let last = self.entries.len() - 1;
        Ok(match self.send(last, now)? {
            Outcome::Acked(answer) => Submitted::Done(answer),
            Outcome::Retry | Outcome::Dropped => Submitted::Queued,
            Outcome::Refused { message, invalid } => Submitted::Refused { message, invalid },
        })
    }

    /// Send what waits, in order, until all is sent or one has to wait on. What is refused goes to `refused` as it comes: a person is to
    /// be told.
    ///
    /// # Errors
    /// What came of an entry was not kept; it will be sent again, and those behind it wait.
    pub fn flush(
        &mut self,
        now: Timestamp,
        mut refused: impl FnMut(Refusal),
    ) -> Result<(), LogFailed> {
        while let Some(n) = (self.entries.iter()).position(|e| e.state == State::Pending) {
            let (write_id, app_id) = (
                self.entries[n].write_id.clone(),
                self.entries[n].app_id.clone(),
            );
            let verb = self.entries[n].call;
            match self.send(n, now)? {
                Outcome::Acked(_) | Outcome::Dropped => {}
                Outcome::Retry => break,
                Outcome::Refused { message, .. } => refused(Refusal {
                    write_id,
                    app_id,
                    verb,
                    message,
                }),
            }
        }
        Ok(())
    }

    /// The synced rows of an app: what they show is done with.
    ///
    /// # Errors
    /// That was not kept.
    pub fn set_rows(
        &mut self,
        app: &str,
        rows: Vec<RecordRow>,
        now: Timestamp,
    ) -> Result<(), LogFailed> {
        self.rows.insert(app.to_owned(), rows);
        self.prune(now)
    }

    /// Forget what the server has and the rows show, or have had long enough to show.
    ///
    /// # Errors
    /// That was not kept.
    pub fn prune(&mut self, now: Timestamp) -> Result<(), LogFailed> {
        let mut n = 0;
        while let Some(entry) = self.entries.get(n) {
            let done = match (entry.state, self.rows.get(&entry.app_id)) {
                (State::Acked { at }, Some(rows)) => {
                    entry.is_in(rows) || now.duration_since(at) >= GRACE
                }
                _ => false,
            };
            if done {
                self.log.remove(&entry.write_id)?;
                self.entries.remove(n);
            } else {
                n += 1;
            }
        }
        Ok(())
    }

    /// The rows of an app as `me` sees them: the synced ones with every entry laid over them, the oldest first.
    pub fn visible(&self, app: &str, me: &str) -> Vec<RecordRow> {
        let mut rows = self.rows.get(app).cloned().unwrap_or_default();
        for entry in self.entries.iter().filter(|e| e.app_id == app) {
            entry.lay_over(&mut rows, me);
        }
        rows
    }

    /// What has not been sent yet, the oldest first.
    pub fn waiting(&self) -> impl Iterator<Item = &Entry> {
        self.entries.iter().filter(|e| e.state == State::Pending)
    }

    /// Send one entry, and keep what came of it.
    fn send(&mut self, n: usize, now: Timestamp) -> Result<Outcome, LogFailed> {
        let outcome = match self.transport.send(&self.entries[n]) {
            Reply::Done(answer) => Outcome::Acked(answer),
            Reply::Lost => Outcome::Retry,
            Reply::Error { code, .. } if RETRIED.contains(&code.as_str()) => Outcome::Retry,
            Reply::Error { code, .. }
                if code == "NOT_FOUND" && self.entries[n].yields_to_a_delete() =>
            {
                Outcome::Dropped
            }
            Reply::Error {
                code,
                message,
                invalid,
            } => Outcome::Refused {
                message: message.unwrap_or(code),
                invalid,
            },
        };
        match outcome {
            Outcome::Acked(_) => {
                self.log.ack(&self.entries[n].write_id, now)?;
                self.entries[n].state = State::Acked { at: now };
            }
            Outcome::Retry => {}
            Outcome::Dropped | Outcome::Refused { .. } => {
                self.log.remove(&self.entries[n].write_id)?;
                self.entries.remove(n);
            }
        }
        Ok(outcome)
    }
}

#[cfg(test)]
mod tests;
