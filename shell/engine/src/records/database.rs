//! One process's view of the database file: opened when first needed, checked to still be the file at its path, kept fresh against
//! other processes, moved aside when it is damaged. Only the store's thread holds one.

use std::collections::HashSet;
use std::fs;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::PathBuf;
use std::sync::Arc;
use std::time::Duration;

use jiff::Timestamp;
use jiff::tz::TimeZone;
use rusqlite::Connection;
use serde_json::Value;

use super::answer::Tables;
use super::answers::Answers;
use super::apply::{self, Stop};
use super::cache::{Cache, Kept};
use super::error::{StoreError, is_busy, is_damage};
use super::grants;
use super::id::IdSource;
use super::model::{Batch, Change, Receipt};
use super::open::{Fault, Open, beside, data_version, identity, io_error, is_sound, lock, open};
use super::query::{RecordsRequest, Viewer};
use super::sight::Sight;
use super::store::StoreEvent;
use super::table::{Placed, Table};
use super::{read, removed};
use crate::clock::Clock;

/// What was asked of the database.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Way {
    Read,
    Write,
}

/// The database as the store's thread uses it.
pub(super) struct Database {
    path: PathBuf,
    /// How long to wait while another process holds the file.
    patience: Duration,
    clock: Arc<dyn Clock>,
    ids: Box<dyn IdSource>,
    cache: Cache,
    answers: Arc<Answers>,
    open: Option<Open>,
    /// There was no file when last looked for: all that is in the one to come is news.
    absent: bool,
    /// The trouble a listener was last told of, so that each is told once.
    told: Option<(Way, StoreError)>,
    events: Vec<StoreEvent>,
}

impl Database {
    pub fn new(
        path: PathBuf,
        patience: Duration,
        clock: Arc<dyn Clock>,
        ids: Box<dyn IdSource>,
        answers: Arc<Answers>,
    ) -> Database {
        Database {
            path,
            patience,
            clock,
            ids,
            cache: Cache::default(),
            answers,
            open: None,
            absent: false,
            told: None,
            events: Vec::new(),
        }
    }

    /// What time it is.
    pub fn now(&self) -> Timestamp {
        self.clock.now().timestamp()
    }

    /// Let go of the connection: the next question opens a new one, whatever state this one was left in.
    pub fn close(&mut self) {
        self.open = None;
        self.forget();
    }

    /// What was read and answered is stale, all of it.
    fn forget(&mut self) {
        self.cache.clear();
        self.answers.clear();
    }

    /// Is there a database file at all?
    pub fn exists(&mut self) -> bool {
        let exists = self.path.exists();
        self.absent |= !exists;
        exists
    }

    /// The zone the person reads days in.
    pub fn zone(&self) -> TimeZone {
        self.clock.now().time_zone().clone()
    }

    /// Let listeners hear of `event`.
    pub fn tell(&mut self, event: StoreEvent) {
        self.events.push(event);
    }

    /// What listeners have yet to hear.
    pub fn take_events(&mut self) -> Vec<StoreEvent> {
        std::mem::take(&mut self.events)
    }

    /// Somebody has touched the database's files: if another process has written, its changes become events. `false`: it is still
    /// writing, look again.
    ///
    /// The log is written before the commit in it can be seen (SQLite publishes it after the sync), so looking at once would miss
    /// it and nothing would say so later. Whoever writes holds the write lock until the commit is public: once we have had that
    /// lock, it is.
    pub fn look(&mut self) -> bool {
        if !self.exists() {
            return true;
        }
        let waited = self.attempt(Way::Read, |database| {
            let open = database.opened()?;
            let turn = if open.writable {
                open.connection.execute_batch("BEGIN IMMEDIATE; ROLLBACK")
            } else {
                Ok(())
            };
            match turn {
                Err(error) if is_busy(&error) => Ok(false),
                turn => {
                    turn?;
                    database.freshen()?;
                    Ok(true)
                }
            }
        });
        // Whatever else is wrong has become an event; looking again would not mend it.
        waited.unwrap_or(true)
    }

    /// Run `work` on the newest state.
    pub fn read<T>(
        &mut self,
        work: impl Fn(&Connection) -> rusqlite::Result<T>,
    ) -> Result<T, StoreError> {
        self.attempt(Way::Read, |database| {
            database.freshen()?;
            Ok(work(&database.opened()?.connection)?)
        })
    }

    /// Run `work`, which writes at the given instant, and tell what changed.
    pub fn write<T>(
        &mut self,
        work: impl Fn(&mut Connection, Timestamp, &mut dyn IdSource) -> Result<T, Stop>,
    ) -> Result<T, StoreError> {
        self.attempt(Way::Write, |database| {
            let now = database.clock.now().timestamp();
            let path = database.path.clone();
            let (open, ids) = database.opened_with_ids()?;
            if !open.writable {
                return Err(Fault::Store(StoreError::not_writable(&path)));
            }
            let done = work(&mut open.connection, now, ids)?;
            // What is written is written, whatever comes after: nobody is to write it again.
            if database.tell_changes().is_err() {
                database.close();
                database.events.push(StoreEvent::Replaced);
            }
            Ok(done)
        })
    }

    /// Write a batch: all of it, in one transaction, or none.
    pub fn commit(&mut self, batch: &Batch) -> Result<Receipt, StoreError> {
        let zone = self.zone();
        let landed =
            self.write(|connection, now, ids| apply::commit(connection, batch, (now, &zone), ids))?;
        if let Some(records) = landed.filled {
            self.tell(StoreEvent::Filling(batch.app.clone(), records));
        }
        Ok(landed.receipt)
    }

    /// The value of a records source, on the newest state.
    pub fn value(
        &mut self,
        request: &RecordsRequest,
        viewer: &Viewer,
    ) -> Result<Arc<Value>, StoreError> {
        self.attempt(Way::Read, |database| {
            database.freshen()?;
            if let Some(value) = database.answers.find(request, viewer) {
                return Ok(value);
            }
            // Rust's sort panics where it finds that eui-core's comparison is no order.
            let answered = catch_unwind(AssertUnwindSafe(|| request.answer(viewer, database)));
            let Ok(answer) = answered else {
                database.forget();
                return Err(Fault::Store(StoreError::NoOrder));
            };
            let value = Arc::new(answer?);
            let open = database.opened()?;
            // Who cannot take a turn at the lock does not know what is being written.
            let file = open.writable.then_some(open.identity);
            database.answers.keep(file, request, viewer, &value);
            Ok(value)
        })
    }

    /// Do `work`; where it meets a damaged database, once more on a fresh one.
    fn attempt<T>(
        &mut self,
        way: Way,
        mut work: impl FnMut(&mut Database) -> Result<T, Fault>,
    ) -> Result<T, StoreError> {
        let mut outcome = self.reopen_if_replaced().and_then(|()| work(self));
        if let Err(Fault::Sqlite(error)) = &outcome
            && is_damage(error)
        {
            outcome = self.recover().and_then(|()| work(self));
        }
        let outcome = outcome.map_err(|fault| match fault {
            Fault::Store(error) => error,
            Fault::Sqlite(error) => StoreError::sqlite(&error, &self.path),
        });
        self.note(way, outcome.as_ref().err());
        outcome
    }

    /// Tell listeners of a trouble when it is a new one, and when the last one is over.
    fn note(&mut self, way: Way, error: Option<&StoreError>) {
        match error {
            Some(error) if error.is_trouble() => {
                // An unwritable or unreachable database is opened anew by the next call: the person may have mended it.
                // What is answered meanwhile would never be found stale.
                self.close();
                if self.told.as_ref().map(|(_, told)| told) != Some(error) {
                    self.told = Some((way, error.clone()));
                    self.events.push(StoreEvent::Trouble(error.clone()));
                }
            }
            Some(_) => {}
            None => {
                // What cannot be written may well be read.
                let mends = |told: &mut (Way, _)| way == Way::Write || told.0 == Way::Read;
                if self.told.take_if(mends).is_some() {
                    self.events.push(StoreEvent::Mended);
                }
            }
        }
    }

    fn opened(&mut self) -> Result<&mut Open, Fault> {
        if self.open.is_none() {
            self.forget();
            let mut open = open(&self.path, self.patience)?;
            if std::mem::take(&mut self.absent) {
                (open.data_version, open.last_action) = (Open::UNSEEN, 0);
            }
            self.open = Some(open);
        }
        self.open.as_mut().ok_or(Fault::Store(StoreError::Stopped))
    }

    fn opened_with_ids(&mut self) -> Result<(&mut Open, &mut dyn IdSource), Fault> {
        self.opened()?;
        let open = self
            .open
            .as_mut()
            .ok_or(Fault::Store(StoreError::Stopped))?;
        Ok((open, self.ids.as_mut()))
    }

    /// The file at our path is no longer the one we hold (moved aside by another process, removed, restored from a backup): let
    /// go of the old one, since writes to it would be lost to everybody else.
    fn reopen_if_replaced(&mut self) -> Result<(), Fault> {
        let Some(open) = &self.open else {
            return Ok(());
        };
        if identity(&self.path) != Some(open.identity) {
            self.open = None;
            self.forget();
            self.events.push(StoreEvent::Replaced);
        }
        Ok(())
    }

    /// Hear of other processes' commits.
    fn freshen(&mut self) -> Result<(), Fault> {
        let open = self.opened()?;
        let version = data_version(&open.connection)?;
        if version != open.data_version {
            self.tell_changes()?;
            // Told first: what could not be is looked at again.
            self.opened()?.data_version = version;
        }
        Ok(())
    }

    /// Drop what the newest actions made stale and tell listeners, whoever wrote them.
    fn tell_changes(&mut self) -> Result<(), Fault> {
        let open = self.opened()?;
        let moves = removed::moves(&open.connection)?;
        if moves != open.moves {
            open.moves = moves;
            self.forget();
            self.events.push(StoreEvent::Replaced);
        }
        let open = self.opened()?;
        let decisions = grants::changes(&open.connection)?;
        if std::mem::replace(&mut open.decisions, decisions) != decisions {
            self.events.push(StoreEvent::Decided);
        }
        let open = self.opened()?;
        let (written, last) = read::written_since(&open.connection, open.last_action)?;
        open.last_action = last;
        if !written.is_empty() {
            for (change, records) in &written {
                self.cache.changed(change, records);
                self.answers.changed(change);
            }
            self.events
                .push(StoreEvent::Changed(written.into_keys().collect()));
        }
        Ok(())
    }

    /// Move the damaged file and its siblings aside and start afresh. Processes take turns: the one that comes second finds a
    /// sound database and uses it.
    fn recover(&mut self) -> Result<(), Fault> {
        self.open = None;
        self.forget();
        let lock = lock(&self.path)?;
        if is_sound(&self.path, self.patience) {
            drop(lock);
            return Ok(());
        }
        let kept = self.name_for_damaged();
        // Its siblings first: once the database is gone somebody may start a fresh one here, whose siblings these would be.
        let siblings = ["-wal", "-shm"].into_iter().try_for_each(|sibling| {
            match fs::rename(beside(&self.path, sibling), beside(&kept, sibling)) {
                Err(error) if error.kind() != std::io::ErrorKind::NotFound => Err(error),
                _ => Ok(()),
            }
        });
        let moved = siblings.and_then(|()| fs::rename(&self.path, &kept));
        if let Err(error) = moved {
            return Err(Fault::Store(io_error(&self.path, &error)));
        }
        tracing::error!(kept = %kept.display(), "the records were damaged and have been moved aside");
        self.events
            .push(StoreEvent::Trouble(StoreError::Damaged(kept)));
        self.events.push(StoreEvent::Replaced);
        self.opened().map(|_| ())
    }

    /// A free name beside the database that says what it is and when: `records.db.damaged-20261001T093000Z`.
    fn name_for_damaged(&self) -> PathBuf {
        let stamp = self
            .clock
            .now()
            .timestamp()
            .strftime("%Y%m%dT%H%M%SZ")
            .to_string();
        let name = beside(&self.path, &format!(".damaged-{stamp}"));
        (2..)
            .map(|n| beside(&name, &format!("-{n}")))
            .find(|path| !path.exists())
            .filter(|_| name.exists())
            .unwrap_or(name)
    }
}

impl Tables for Database {
    type Error = Fault;

    fn table(&mut self, of: &Change, sight: Option<Sight>) -> Result<&mut Table, Fault> {
        self.opened()?;
        let connection = match &self.open {
            Some(open) => &open.connection,
            None => return Err(Fault::Store(StoreError::Stopped)),
        };
        let see = |sight: &Option<Sight>, placed: Placed| match sight {
            None => Some(placed),
            Some(sight) => {
                let row = sight.see(placed.row)?;
                Some(Placed { row, ..placed })
            }
        };
        let kept = match self.cache.take(of, sight.as_ref()) {
            Some(mut kept) => {
                for id in std::mem::take(&mut kept.stale) {
                    let placed = read::row(connection, of, &id)?;
                    let seen = placed.and_then(|placed| see(&kept.sight, placed));
                    kept.table.set(&id, seen);
                }
                kept
            }
            None => {
                let rows = read::rows(connection, of)?.into_iter();
                let table = Table::of(rows.filter_map(|placed| see(&sight, placed)));
                Kept {
                    of: of.clone(),
                    sight,
                    table,
                    stale: HashSet::new(),
                }
            }
        };
        Ok(self.cache.keep(kept))
    }
}

#[cfg(test)]
mod tests;
