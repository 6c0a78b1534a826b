//! When automations run: the last moment of a schedule that has passed since it was looked at, once; and every record that was written
//! since, in order, once. What was taken is kept in the transaction that writes what the run writes, so that neither a kill nor a second
//! shell runs anything twice. An automation that is new begins now.

use std::collections::BTreeSet;
use std::sync::Arc;

use jiff::tz::TimeZone;
use jiff::{SignedDuration, Timestamp};
use rusqlite::{Connection, OptionalExtension, Transaction, TransactionBehavior, params};
use serde_json::{Map, Value};

use super::apply::{self, Step, Stop};
use super::audit;
use super::id::IdSource;
use super::model::{LOCAL, Via};
use super::query::Viewer;
use super::store::{Pending, Store};
use crate::actions::Effect;
use crate::app_id::AppId;
use crate::automations::{Automation, NotRun, Planned, Trigger};
use crate::broker::audit::{AUTOMATION, Status};
use crate::package::Package;

/// How many runs an app has within a minute.
const MOST_RUNS: i64 = 30;
const MINUTE: i64 = 60_000;

/// What is older is not caught up.
const LATE: SignedDuration = SignedDuration::from_hours(24);

/// How many writes are looked at in one go; others may have questions too.
const WRITES: i64 = 64;

/// What came of looking.
#[derive(Debug, Default)]
pub struct AutomationRuns {
    /// What follows on what was written: the calls of each run, by its app and its name.
    pub calls: Vec<(Arc<Package>, String, Vec<Effect>)>,
    /// When the next schedule is due.
    pub next: Option<Timestamp>,
    /// There are more writes to look at: look again.
    pub more: bool,
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
            for package in &packages {
                let all = Automation::all(package);
                if all.is_empty() && !database.exists() {
                    continue;
                }
                let of_app = database.write(|connection, now, ids| {
                    let mut look = Look {
                        package,
                        all: &all,
                        now,
                        zone: &zone,
                        ids,
                        runs: AutomationRuns::default(),
                    };
                    look.begin(connection)?;
                    look.schedules(connection)?;
                    look.writes(connection)?;
                    Ok(look.runs)
                })?;
                runs.calls.extend(of_app.calls);
                runs.next = [runs.next, of_app.next].into_iter().flatten().min();
                runs.more |= of_app.more;
            }
            Ok(runs)
        })
    }
}

/// The app is gone: what its automations had taken is forgotten with it.
pub(super) fn forget(tx: &Transaction<'_>, app: &AppId) -> rusqlite::Result<()> {
    tx.execute("DELETE FROM automations WHERE app = ?1", [app.as_str()])?;
    Ok(())
}

/// One app looked at.
struct Look<'a> {
    package: &'a Arc<Package>,
    all: &'a [Automation],
    now: Timestamp,
    zone: &'a TimeZone,
    ids: &'a mut dyn IdSource,
    runs: AutomationRuns,
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
    fn app(&self) -> &str {
        self.package.id().as_str()
    }

    /// Automations that are new begin now, those that are gone are forgotten.
    fn begin(&self, connection: &mut Connection) -> Step<()> {
        let known: BTreeSet<String> = connection
            .prepare_cached("SELECT name FROM automations WHERE app = ?1")?
            .query_map([self.app()], |row| row.get(0))?
            .collect::<rusqlite::Result<_>>()?;
        let there: BTreeSet<String> = self.all.iter().map(|a| a.name.clone()).collect();
        if known == there {
            return Ok(());
        }
        let tx = connection.transaction_with_behavior(TransactionBehavior::Immediate)?;
        for gone in known.difference(&there) {
            tx.execute(
                "DELETE FROM automations WHERE app = ?1 AND name = ?2",
                [self.app(), gone],
            )?;
        }
        for new in there.difference(&known) {
            tx.execute(
                "INSERT OR IGNORE INTO automations (app, name, checked_at, action, position) VALUES (?1, ?2, ?3, (SELECT coalesce(max(id), 0) FROM actions), ?4)",
                params![self.app(), new, self.now.as_millisecond(), i64::MAX],
            )?;
        }
        tx.commit()?;
        Ok(())
    }

    fn schedules(&mut self, connection: &mut Connection) -> Step<()> {
        for automation in self.all {
            let Trigger::Schedule(cron, zone) = &automation.on else {
                continue;
            };
            let zone = zone.as_ref().unwrap_or(self.zone);
            let zoned = |at: Timestamp| at.to_zoned(zone.clone());
            let checked = self.checked(connection, &automation.name)?;
            let late = self.now.checked_sub(LATE).unwrap_or(self.now);
            if let Some(due) = cron.latest(&zoned(checked.max(late)), self.now) {
                let tx = connection.transaction_with_behavior(TransactionBehavior::Immediate)?;
                // Another shell may have been here; and a clock that was set back makes nothing due again.
                let mine = tx.execute(
                    "UPDATE automations SET checked_at = ?3 WHERE app = ?1 AND name = ?2 AND checked_at < ?3",
                    params![self.app(), automation.name, due.as_millisecond()],
                )?;
                if mine == 1 {
                    self.run(&tx, automation, None)?;
                }
                tx.commit()?;
            }
            let from = zoned(self.now.max(checked));
            let next = cron.next(&from);
            self.runs.next = [self.runs.next, next].into_iter().flatten().min();
        }
        Ok(())
    }

    fn checked(&self, connection: &Connection, name: &str) -> rusqlite::Result<Timestamp> {
        let found: Option<i64> = connection
            .prepare_cached("SELECT checked_at FROM automations WHERE app = ?1 AND name = ?2")?
            .query_row([self.app(), name], |row| row.get(0))
            .optional()?;
        Ok(found.map_or(self.now, |ms| {
            Timestamp::from_millisecond(ms).unwrap_or_default()
        }))
    }

    /// The writes since, each for every automation it sets off.
    fn writes(&mut self, connection: &mut Connection) -> Step<()> {
        let waits = |a: &&Automation| matches!(a.on, Trigger::Record(..));
        let all: Vec<&Automation> = self.all.iter().filter(waits).collect();
        for automation in all {
            let Trigger::Record(kind, op) = &automation.on else {
                continue;
            };
            if self.since(connection, automation, 1)?.is_empty() {
                continue;
            }
            let tx = connection.transaction_with_behavior(TransactionBehavior::Immediate)?;
            let written = self.since(&tx, automation, WRITES)?;
            for write in &written {
                let sets_off = write.kind == kind.as_str() && write.op == op.as_str();
                if let Some(record) = write.record.as_ref().filter(|_| sets_off) {
                    self.run(&tx, automation, Some(record))?;
                }
            }
            if let Some(last) = written.last() {
                tx.execute(
                    "UPDATE automations SET action = ?3, position = ?4 WHERE app = ?1 AND name = ?2",
                    params![self.app(), automation.name, last.action, last.position],
                )?;
            }
            tx.commit()?;
            self.runs.more |= written.len() as i64 == WRITES;
        }
        Ok(())
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
             FROM automations t JOIN history h ON +h.app = t.app AND (h.action, h.position) > (t.action, t.position) JOIN actions a ON a.id = h.action
             WHERE t.app = ?1 AND t.name = ?2 ORDER BY h.action, h.position LIMIT ?3",
        )?;
        let rows = statement.query_map(params![self.app(), automation.name, most], |row| {
            let (id, state, via): (String, Option<String>, String) =
                (row.get(4)?, row.get(5)?, row.get(6)?);
            let silent = [Via::Automation, Via::Migration].map(Via::as_str);
            Ok(Written {
                action: row.get(0)?,
                position: row.get(1)?,
                kind: row.get(2)?,
                op: row.get(3)?,
                record: (!silent.contains(&via.as_str())).then(|| record(id, state.as_deref())),
            })
        })?;
        rows.collect()
    }

    /// Run one automation within `tx`. What it writes lands with the rest of that, or is taken back alone; the row lands either way.
    fn run(
        &mut self,
        tx: &Transaction<'_>,
        automation: &Automation,
        record: Option<&Map<String, Value>>,
    ) -> Step<()> {
        let package = self.package;
        if self.runs_of_the_minute(tx)? >= MOST_RUNS {
            let row = automation.refused(package, NotRun::RateLimited);
            return Ok(audit::put_one(tx, &row, self.now)?);
        }
        let viewer = Viewer {
            me: LOCAL.into(),
            now: self.now.to_zoned(self.zone.clone()),
        };
        let Planned { deed, mut row } = automation.plan(package, record, &viewer);
        let deed = match deed {
            Ok(deed) => deed,
            Err(why) => {
                tell_failure(package, automation, &why);
                return Ok(audit::put_one(tx, &row, self.now)?);
            }
        };
        if let Some(batch) = &deed.batch {
            tx.execute_batch("SAVEPOINT run")?;
            let landed = apply::commit_in(tx, batch, (self.now, self.zone), self.ids);
            match landed {
                Ok(_) => tx.execute_batch("RELEASE run")?,
                Err(Stop::Refused(why)) => {
                    tx.execute_batch("ROLLBACK TO run; RELEASE run")?;
                    tell_failure(package, automation, &why);
                    row.status = Status::Failed;
                    return Ok(audit::put_one(tx, &row, self.now)?);
                }
                Err(stop) => return Err(stop),
            }
        }
        audit::put_one(tx, &row, self.now)?;
        if !deed.calls.is_empty() {
            let calls = (package.clone(), automation.name.clone(), deed.calls);
            self.runs.calls.push(calls);
        }
        Ok(())
    }

    /// How often the app's automations have run within the last minute; what was refused is no run.
    fn runs_of_the_minute(&self, tx: &Transaction<'_>) -> rusqlite::Result<i64> {
        tx.prepare_cached(
            "SELECT count(*) FROM audit WHERE at > ?2 AND +app = ?1 AND substr(client, 1, ?3) = ?4 AND status != 'denied'",
        )?
        .query_row(
            params![self.app(), self.now.as_millisecond() - MINUTE, AUTOMATION.len() as i64, AUTOMATION],
            |row| row.get(0),
        )
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

/// The author may want to know; a record's words are no business of the log's.
fn tell_failure(package: &Package, automation: &Automation, why: &str) {
    tracing::info!(
        app = package.id().as_str(),
        name = automation.name,
        "an automation did not run"
    );
    tracing::trace!("{why}");
}
