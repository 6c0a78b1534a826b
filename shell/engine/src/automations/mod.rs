//! What an app does by itself: one trigger, one run, and nothing follows on a run. An automation is read from the package here, and its run
//! is worked out; when it is due, and that it runs once, is kept with the records ([`crate::records`]), in the transaction that writes what
//! it writes.
//!
//! Here everybody is the owner, so every automation is the owner's own (its `sponsor` is a member of a team this desktop has none of). A
//! team's events and calls from outside never come, and agents are unavailable to what runs by itself.

use std::sync::Arc;

use eui_core::host::canonical_json;
use jiff::tz::TimeZone;
use serde_json::{Map, Value, json};

use crate::actions::{self, Effect, Snapshot};
use crate::broker::audit::{ArgsHash, AuditRow, AutomationId, Client, Status};
use crate::clock::iso;
use crate::package::Package;
use crate::package::cron::Cron;
use crate::records::{Batch, Kind, Operation, Via, Viewer, Write};
use crate::runs::fill::{self, Absent};
use crate::runs::{Op, Run, upsert};
use crate::upstreams::Errand;

/// One automation of a package.
#[derive(Debug, Clone)]
pub struct Automation {
    pub name: String,
    pub on: Trigger,
    /// What sets it off, as it is written: with another trigger it is another automation.
    pub(crate) trigger: String,
    run: Run,
}

/// What sets it off.
#[derive(Debug, Clone)]
pub enum Trigger {
    /// A clock, in its own zone or the person's.
    Schedule(Cron, Option<TimeZone>),
    /// A record of the kind was written so, by anybody but an automation.
    Record(Kind, Operation),
    /// What never happens here.
    Never,
}

/// Why a trigger that came does not run.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum NotRun {
    /// The app has had its runs for this minute.
    RateLimited,
    /// This desktop cannot do it.
    Unavailable,
}

impl NotRun {
    fn as_str(self) -> &'static str {
        match self {
            NotRun::RateLimited => "rateLimited",
            NotRun::Unavailable => "unavailable",
        }
    }
}

/// What a run is going to do.
#[derive(Debug, Clone)]
pub struct Deed {
    pub batch: Option<Batch>,
    /// What follows once that has landed; nothing of it needs a surface.
    pub calls: Vec<Effect>,
}

/// A run worked out.
#[derive(Debug, Clone)]
pub struct Planned {
    /// What it will do, or in words why nothing.
    pub deed: Result<Deed, String>,
    /// Its row, as it stands if all of that is done; `None` where the one call that follows leaves the row.
    pub row: Option<AuditRow>,
}

impl Automation {
    /// Those of a package, in its order.
    pub fn all(package: &Package) -> Vec<Automation> {
        let written = package.value().get("automations").and_then(Value::as_array);
        written.into_iter().flatten().filter_map(read).collect()
    }

    /// Work out a run: set off at `viewer.now`, by `record` where one was written. Nothing happens yet.
    pub fn plan(
        &self,
        package: &Arc<Package>,
        record: Option<&Map<String, Value>>,
        viewer: &Viewer,
    ) -> Planned {
        let scope = json!({"firedAt": iso(viewer.now.timestamp()), "record": record});
        let asked = match &self.run {
            Run::Records { run, .. } => fill::value(run, &scope, Absent::Null),
            Run::Action { args, .. } => fill::value(args, &scope, Absent::Null),
            Run::Tool { to, args } => {
                let arguments = match fill::value(args, &scope, Absent::Null) {
                    Value::Object(arguments) => arguments,
                    _ => Map::new(),
                };
                let errand = Errand {
                    to: to.clone(),
                    arguments,
                    only_reads: false,
                };
                return Planned {
                    deed: Ok(Deed {
                        batch: None,
                        calls: vec![Effect::Errand(errand)],
                    }),
                    row: None,
                };
            }
            Run::Agent(_) => {
                let why = NotRun::Unavailable;
                return Planned {
                    deed: Err(why.as_str().to_owned()),
                    row: Some(self.refused(package, why)),
                };
            }
        };
        let deed = self.deed(package, &asked, viewer);
        let status = if deed.is_ok() {
            Status::Ok
        } else {
            Status::Failed
        };
        Planned {
            deed,
            row: Some(self.row(package, &asked, status, None)),
        }
    }

    fn deed(&self, package: &Arc<Package>, asked: &Value, viewer: &Viewer) -> Result<Deed, String> {
        match &self.run {
            Run::Records {
                kind,
                op: Op::Upsert,
                ..
            } => Ok(Deed {
                batch: Some(self.batch(package, vec![upsert(kind, asked)?])),
                calls: Vec::new(),
            }),
            Run::Action { name, .. } => {
                let snapshot = Snapshot {
                    data: &json!({}),
                    viewer,
                };
                let plan = actions::plan(package, name, asked, snapshot);
                let plan = plan.map_err(|error| error.to_string())?;
                Ok(Deed {
                    batch: (!plan.writes.is_empty()).then(|| self.batch(package, plan.writes)),
                    calls: plan.calls,
                })
            }
            _ => Ok(Deed {
                batch: None,
                calls: Vec::new(),
            }),
        }
    }

    /// The row of a run that was refused.
    pub fn refused(&self, package: &Package, why: NotRun) -> AuditRow {
        self.row(package, &Value::Null, Status::Denied, Some(why.as_str()))
    }

    fn row(
        &self,
        package: &Package,
        asked: &Value,
        status: Status,
        error: Option<&'static str>,
    ) -> AuditRow {
        let tool = match &self.run {
            Run::Records { kind, op, .. } => format!("records.{}:{kind}", op.as_str()),
            Run::Action { name, .. } => format!("actions.{name}"),
            Run::Tool { to, .. } => to.to_string(),
            Run::Agent(agent) => format!("agent:{agent}"),
        };
        AuditRow {
            app_id: package.id().clone(),
            client_id: Client::Automation(AutomationId::new(&self.name)),
            tool,
            status,
            error,
            args_hash: ArgsHash::of(asked),
        }
    }

    fn batch(&self, package: &Arc<Package>, writes: Vec<Write>) -> Batch {
        Batch {
            action: Some(self.name.clone()),
            ..Batch::new(package.clone(), Via::Automation, writes)
        }
    }
}

fn read(automation: &Value) -> Option<Automation> {
    let text = |value: &Value| value.as_str().map(str::to_owned);
    let (on, run) = (&automation["on"], &automation["run"]);
    let trigger = if let Some(cron) = on["schedule"]["cron"].as_str() {
        let zone = on["schedule"]["tz"].as_str();
        Trigger::Schedule(
            Cron::parse(cron).ok()?,
            zone.and_then(|zone| TimeZone::get(zone).ok()),
        )
    } else if let Some(kind) = on["record"]["kind"].as_str() {
        let op = on["record"]["op"].as_str()?;
        Trigger::Record(Kind::parse(kind).ok()?, Operation::parse(op)?)
    } else {
        Trigger::Never
    };
    Some(Automation {
        name: text(&automation["name"])?,
        on: trigger,
        trigger: canonical_json(on),
        run: Run::read(run)?,
    })
}

#[cfg(test)]
mod tests;
