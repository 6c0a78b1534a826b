//! When automations run: the last moment of a schedule that has passed since it was looked at, once; and every record that was written
//! since, in order, once. What was taken is kept in the transaction that writes what the run writes, so that neither a kill nor a second
//! shell runs anything twice. An automation that is new, or set off by something else than before, begins now.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use jiff::tz::TimeZone;
use jiff::{SignedDuration, Timestamp};
use rusqlite::{Connection, Transaction, TransactionBehavior, params};
use serde_json::{Map, Value};

use super::apply::{self, Step, Stop};
use super::audit;
use super::database::Database;
use super::error::StoreError;
use super::id::IdSource;
use super::model::{LOCAL, Via};
use super::query::Viewer;
use super::rate::Rate;
use super::store::{Pending, Store};
use crate::actions::Effect;
use crate::app_id::AppId;
use crate::automations::{Automation, NotRun, Trigger};
use crate::broker::audit::{AuditRow, Status};
use crate::package::Package;

/// What is older is not caught up; and what is said to have been looked at that far ahead was so by a clock that was wrong.
const LATE: SignedDuration = SignedDuration::from_hours(24);

/// How many writes are looked at in one go; others may have questions too.
const WRITES: i64 = 64;

/// What follows on a run: its calls, by its app and its name.
pub type Followed = (Arc<Package>, String, Vec<Effect>);

/// What came of looking.
#[derive(Debug, Default)]
pub struct AutomationRuns {
    /// Of every run that has been written, whatever came after it. They are made once at most: a shell that ends here makes them never.
    pub calls: Vec<Followed>,
    /// When the next schedule is due.
    pub next: Option<Timestamp>,
    /// There are more writes to look at: look again.
    pub more: bool,
    /// The first trouble that kept an app's automations from being looked at; the others were.
    pub trouble: Option<StoreError>,
}

impl Store {
    /// Run what is due of these apps' automations. Days and hours are those of `zone`, where a schedule names no other.
    pub fn run_automations(
        &self,
        packages: Vec<Arc<Package>>,
        zone: TimeZone,
    ) -> Pending<AutomationRuns> {
        self.ask(move |database| {
            let mut runs = AutomationRuns::default();
            let begun = match database.exists() {
                true => database.read(begun)?,
                false => BTreeSet::new(),
            };
            for package in &packages {
                let all = Automation::all(package);
                if all.is_empty() && !begun.contains(package.id().as_str()) {
                    continue;
                }
                let look = Look {
                    package,
                    all: &all,
                    zone: &zone,
                };
                if let Err(error) = look.run(database, &mut runs) {
                    runs.trouble.get_or_insert(error);
                }
            }
            Ok(runs)
        })
    }
}

/// The apps with automations that have begun.
fn begun(connection: &Connection) -> rusqlite::Result<BTreeSet<String>> {
    let mut apps = connection.prepare_cached("SELECT DISTINCT app FROM automations")?;
    apps.query_map([], |row| row.get(0))?.collect()
}

/// The app is gone: what its automations had taken is forgotten with it.
pub(super) fn forget(tx: &Transaction<'_>, app: &AppId) -> rusqlite::Result<()> {
    tx.execute("DELETE FROM automations WHERE app = ?1", [app.as_str()])?;
    Rate::Automations.forget(tx, app)
}

/// One app looked at. Where there is nothing to do nothing is written.
struct Look<'a> {
    package: &'a Arc<Package>,
    all: &'a [Automation],
    zone: &'a TimeZone,
}

/// What there is to do.
#[derive(Default)]
struct Todo {
    /// Automations came, went, changed what sets them off, or were looked at by a clock that was wrong.
    begin: bool,
    /// The schedules whose moment has passed, by their numbers.
    due: Vec<(usize, Timestamp)>,
    /// Those with writes they have not looked at.
    written: Vec<usize>,
    next: Option<Timestamp>,
}

/// One write to a record, as a trigger sees it.
struct Written {
    action: i64,
    position: i64,
    kind: String,
    op: String,
    /// Its data and id, of a deleted one what it had; nothing where an automation wrote it, or it only moved to a new version of the app.
    record: Option<Map<String, Value>>,
}

impl Look<'_> {
    fn run(&self, database: &mut Database, runs: &mut AutomationRuns) -> Result<(), StoreError> {
        let now = database.now();
        let mut todo = database.read(|connection| self.todo(connection, now))?;
        if todo.begin {
            database.write(|connection, now, _| self.begin(connection, now))?;
            todo = database.read(|connection| self.todo(connection, now))?;
        }
        runs.next = [runs.next, todo.next].into_iter().flatten().min();
        for (n, due) in todo.due {
            let automation = &self.all[n];
            let calls = database.write(|connection, now, ids| {
                self.scheduled(connection, automation, due, now, ids)
            })?;
            runs.calls.extend(calls);
        }
        for n in todo.written {
            let automation = &self.all[n];
            let (calls, more) = database
                .write(|connection, now, ids| self.writes(connection, automation, now, ids))?;
            runs.calls.extend(calls);
            runs.more |= more;
        }
        Ok(())
    }

    fn app(&self) -> &str {
        self.package.id().as_str()
    }

    fn todo(&self, connection: &Connection, now: Timestamp) -> rusqlite::Result<Todo> {
        let mut todo = Todo::default();
        let known = self.known(connection)?;
        let ahead = |ms: &i64| *ms > now.as_millisecond() + LATE.as_millis() as i64;
        let there: BTreeMap<&str, &str> = (self.all.iter())
            .map(|a| (a.name.as_str(), a.trigger.as_str()))
            .collect();
        let same = known.len() == there.len()
            && (known.iter()).all(|(name, (trigger, checked))| {
                there.get(name.as_str()) == Some(&trigger.as_str()) && !ahead(checked)
            });
        if !same {
            todo.begin = true;
            return Ok(todo);
        }
        for (n, automation) in self.all.iter().enumerate() {
            match &automation.on {
                Trigger::Schedule(cron, zone) => {
                    let zone = zone.as_ref().unwrap_or(self.zone);
                    let zoned = |at: Timestamp| at.to_zoned(zone.clone());
                    let checked = known.get(&automation.name).map_or(0, |(_, ms)| *ms);
                    let checked = Timestamp::from_millisecond(checked).unwrap_or_default();
                    let late = now.checked_sub(LATE).unwrap_or(now);
                    let due = cron.latest(&zoned(checked.max(late)), now);
                    todo.due.extend(due.map(|due| (n, due)));
                    let next = cron.next(&zoned(now.max(checked)));
                    todo.next = [todo.next, next].into_iter().flatten().min();
                }
                Trigger::Record(..) if !self.since(connection, automation, 1)?.is_empty() => {
                    todo.written.push(n);
                }
                Trigger::Record(..) | Trigger::Never => {}
            }
        }
        Ok(todo)
    }

    /// What sets off each that is known, and the moment up to which it was looked at (ms), by its name.
    fn known(&self, connection: &Connection) -> rusqlite::Result<BTreeMap<String, (String, i64)>> {
        connection
            .prepare_cached("SELECT name, trigger, checked_at FROM automations WHERE app = ?1")?
            .query_map([self.app()], |row| {
                Ok((row.get(0)?, (row.get(1)?, row.get(2)?)))
            })?
            .collect()
    }

    /// What is new, or set off by something else than before, begins now; what is gone is forgotten; what was looked at by a clock that
    /// was wrong goes on from now.
    fn begin(&self, connection: &mut Connection, now: Timestamp) -> Step<()> {
        let tx = connection.transaction_with_behavior(TransactionBehavior::Immediate)?;
        for (name, (trigger, _)) in self.known(&tx)? {
            let stays = (self.all.iter()).any(|a| a.name == name && a.trigger == trigger);
            if !stays {
                tx.execute(
                    "DELETE FROM automations WHERE app = ?1 AND name = ?2",
                    [self.app(), &name],
                )?;
            }
        }
        for new in self.all {
            tx.execute(
                "INSERT OR IGNORE INTO automations (app, name, trigger, checked_at, action, position)
                 VALUES (?1, ?2, ?3, ?4, (SELECT coalesce(max(id), 0) FROM actions), ?5)",
                params![self.app(), new.name, new.trigger, now.as_millisecond(), i64::MAX],
            )?;
        }
        tx.execute(
            "UPDATE automations SET checked_at = ?2 WHERE app = ?1 AND checked_at > ?2",
            params![self.app(), now.as_millisecond()],
        )?;
        tx.commit()?;
        Ok(())
    }

    fn scheduled(
        &self,
        connection: &mut Connection,
        automation: &Automation,
        due: Timestamp,
        now: Timestamp,
        ids: &mut dyn IdSource,
    ) -> Step<Option<Followed>> {
        let tx = connection.transaction_with_behavior(TransactionBehavior::Immediate)?;
        // Another shell may have been here; and a clock that was set back makes nothing due again.
        let mine = tx.execute(
            "UPDATE automations SET checked_at = ?3 WHERE app = ?1 AND name = ?2 AND checked_at < ?3",
            params![self.app(), automation.name, due.as_millisecond()],
        )?;
        let followed = match mine {
            1 => self.run_one(&tx, automation, None, now, ids)?,
            _ => None,
        };
        tx.commit()?;
        Ok(followed)
    }

    /// The writes since, in order. True when there are more.
    fn writes(
        &self,
        connection: &mut Connection,
        automation: &Automation,
        now: Timestamp,
        ids: &mut dyn IdSource,
    ) -> Step<(Vec<Followed>, bool)> {
        let tx = connection.transaction_with_behavior(TransactionBehavior::Immediate)?;
        let mut all = Vec::new();
        let written = self.since(&tx, automation, WRITES)?;
        for write in &written {
            let sets_off = matches!(&automation.on, Trigger::Record(kind, op) if write.kind == kind.as_str() && write.op == op.as_str());
            if let Some(record) = write.record.as_ref().filter(|_| sets_off) {
                all.extend(self.run_one(&tx, automation, Some(record), now, ids)?);
            }
        }
        if let Some(last) = written.last() {
            tx.execute(
                "UPDATE automations SET action = ?3, position = ?4 WHERE app = ?1 AND name = ?2",
                params![self.app(), automation.name, last.action, last.position],
            )?;
        }
        tx.commit()?;
        Ok((all, written.len() as i64 == WRITES))
    }

    /// Up to `most` writes that an automation has not looked at.
    fn since(
        &self,
        connection: &Connection,
        automation: &Automation,
        most: i64,
    ) -> rusqlite::Result<Vec<Written>> {
        let mut statement = connection.prepare_cached(
            "SELECT h.action, h.position, h.kind, h.op, h.record, coalesce(h.after, h.before), a.via
             FROM automations t JOIN actions a ON a.app = t.app AND a.id >= t.action
             JOIN history h ON h.action = a.id AND (h.action, h.position) > (t.action, t.position)
             WHERE t.app = ?1 AND t.name = ?2 ORDER BY h.action, h.position LIMIT ?3",
        )?;
        let rows = statement.query_map(params![self.app(), automation.name, most], |row| {
            let (id, state, via): (String, Option<String>, String) =
                (row.get(4)?, row.get(5)?, row.get(6)?);
            let by_itself = [Via::Automation, Via::Migration]
                .iter()
                .any(|v| v.as_str() == via);
            Ok(Written {
                action: row.get(0)?,
                position: row.get(1)?,
                kind: row.get(2)?,
                op: row.get(3)?,
                record: (!by_itself).then(|| record(id, state.as_deref())),
            })
        })?;
        rows.collect()
    }

    /// Run one automation within `tx`. What it writes lands with the rest of that, or is taken back alone; the row lands either way.
    fn run_one(
        &self,
        tx: &Transaction<'_>,
        automation: &Automation,
        record: Option<&Map<String, Value>>,
        now: Timestamp,
        ids: &mut dyn IdSource,
    ) -> Step<Option<Followed>> {
        let package = self.package;
        let row = |row: &AuditRow| -> Step<Option<Followed>> {
            audit::put_one(tx, row, now)?;
            Ok(None)
        };
        if !Rate::Automations.take(tx, package.id(), now)? {
            return row(&automation.refused(package, NotRun::RateLimited));
        }
        let viewer = Viewer {
            me: LOCAL.into(),
            now: now.to_zoned(self.zone.clone()),
        };
        let planned = automation.plan(package, record, &viewer);
        let Ok(deed) = planned.deed else {
            return planned.row.map_or(Ok(None), |planned| row(&planned));
        };
        if let Some(batch) = &deed.batch {
            tx.execute_batch("SAVEPOINT run")?;
            match apply::commit_in(tx, batch, (now, self.zone), ids) {
                Ok(_) => tx.execute_batch("RELEASE run")?,
                Err(Stop::Sqlite(error)) => return Err(error.into()),
                Err(_) => {
                    tx.execute_batch("ROLLBACK TO run; RELEASE run")?;
                    return planned.row.map_or(Ok(None), |mut planned| {
                        planned.status = Status::Failed;
                        row(&planned)
                    });
                }
            }
        }
        if let Some(row) = &planned.row {
            audit::put_one(tx, row, now)?;
        }
        let calls = (package.clone(), automation.name.clone(), deed.calls);
        Ok(Some(calls).filter(|(.., calls)| !calls.is_empty()))
    }
}

/// A record as `${record.…}` names its parts.
fn record(id: String, state: Option<&str>) -> Map<String, Value> {
    let state: Option<Value> = state.and_then(|state| serde_json::from_str(state).ok());
    let data = state.and_then(|mut state| state.get_mut("data").map(Value::take));
    let mut record = match data {
        Some(Value::Object(data)) => data,
        _ => Map::new(),
    };
    record.insert("id".into(), id.into());
    record
}
