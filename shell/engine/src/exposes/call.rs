//! One call of a tool, from its arguments to its answer: [`Call::open`] → ([`Call::wish`], what the person says) → [`Call::deed`] → who asked
//! does it → [`Call::close`]. It ends as a [`Closed`], whose answer is given only to who takes its audit row.

use std::sync::Arc;

use serde_json::{Map, Value, json};

use super::{Access, ExposeName, Tool, reading};
use crate::actions::{self, Effect, Snapshot};
use crate::bridge::Ended;
use crate::bridge::result::CallResult;
use crate::bridge::validate::arguments;
use crate::broker::audit::{ArgsHash, AuditRow, AuditSink, Client, Outcome as Ending, Status};
use crate::package::Package;
use crate::records::{Batch, RecordsRequest, Via, Viewer, Wish, Write};
use crate::runs::fill::{self, Absent};
use crate::runs::{Op, Run, upsert};
use crate::upstreams::{Errand, Outcome, Refusal, ServerTool, Unread};

/// How much an agent may send (bytes of JSON).
pub const MOST_ARGUMENTS: usize = 256 * 1024;
/// How much it is answered (bytes of JSON); what is more, it asks for in parts.
const MOST_ANSWER: usize = 1024 * 1024;

/// A call that may still come to something.
#[derive(Debug, Clone)]
pub struct Call {
    package: Arc<Package>,
    tool: Tool,
    client: Client,
    input: Map<String, Value>,
    hash: ArgsHash,
}

/// Why a call is refused.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Refused {
    /// The person has not said whether agents may.
    ConsentNeeded,
    /// The person said no.
    ConsentDenied,
    /// The app's tools were called too often within a minute.
    RateLimited,
    /// The tool says that it reads, and what it runs would write.
    AccessTooLow,
    /// What it runs would take something away.
    Destructive,
}

impl Refused {
    /// In one word, as the audit has it.
    pub fn as_str(self) -> &'static str {
        match self {
            Refused::ConsentNeeded => "consentNeeded",
            Refused::ConsentDenied => "consentDenied",
            Refused::RateLimited => "rateLimited",
            Refused::AccessTooLow => "accessTooLow",
            Refused::Destructive => "destructive",
        }
    }
}

/// What came of a call.
#[derive(Debug, Clone, PartialEq)]
pub enum Answered {
    /// The tool's answer.
    Done(Value),
    /// Its arguments are wrong: `/hours type`.
    Invalid(String),
    /// There is too much in its arguments, or in the answer.
    TooLarge,
    Refused(Refused),
    /// This desktop, or this moment, cannot do it; in a sentence.
    Unavailable(String),
    /// It ran, and failed; in a sentence.
    Failed(String),
    /// What the person's server said, or did not.
    Server(Outcome),
    /// Its app was closed, or is another one now.
    AppClosed,
}

/// What is to be done.
#[derive(Debug, Clone)]
pub enum Deed {
    /// Ask the records.
    Read(Box<RecordsRequest>, Whole),
    /// Write, where there is anything to, and make the calls that follow once that has landed.
    Write {
        batch: Option<Batch>,
        calls: Vec<Effect>,
    },
    /// Have a server do it.
    Errand(Errand),
}

/// What of the records' answer is the tool's.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Whole {
    All,
    /// The record of this id.
    One(String),
}

impl Whole {
    /// The tool's answer.
    pub(crate) fn of(&self, value: &Value) -> Answered {
        match self {
            Whole::All => Answered::Done(value.clone()),
            Whole::One(id) => match value.pointer("/rows/0") {
                Some(record) => Answered::Done(json!({"record": record})),
                None => Answered::Failed(format!("notFound: {id}")),
            },
        }
    }
}

impl Call {
    /// A call of `name` with these arguments, absent (null) ones being none; `None` where the package offers no such tool.
    ///
    /// # Errors
    /// It ends here: what it runs is not here, or its arguments are wrong.
    pub fn open(
        package: &Arc<Package>,
        client: Client,
        name: &str,
        given: &Value,
    ) -> Option<Result<Call, Closed>> {
        let name = ExposeName::of_call(package.id(), name)?;
        let mut call = Call {
            tool: Tool::named(package, &name)?,
            package: package.clone(),
            client,
            input: Map::new(),
            hash: ArgsHash::of(given),
        };
        if let Run::Agent(agent) = &call.tool.run {
            return Some(Err(call.close(no_agent(agent))));
        }
        if given.to_string().len() > MOST_ARGUMENTS {
            return Some(Err(call.close(Answered::TooLarge)));
        }
        Some(match arguments(&call.tool.schema, given) {
            Ok(input) => {
                call.input = input;
                Ok(call)
            }
            Err(violation) => Err(call.close(Answered::Invalid(violation.to_string()))),
        })
    }

    pub fn package(&self) -> &Arc<Package> {
        &self.package
    }

    pub fn tool(&self) -> &Tool {
        &self.tool
    }

    pub fn client(&self) -> &Client {
        &self.client
    }

    /// What the person must have allowed first.
    pub fn wish(&self) -> Option<Wish> {
        self.tool.wish()
    }

    /// The call as it is asked about: `{verdict: {verdict: "ask", …}}`.
    pub fn asks(&self) -> Value {
        json!({"verdict": self.verdict("ask", None)})
    }

    /// The tool of a server that it will call.
    pub fn server_tool(&self) -> Option<&ServerTool> {
        match &self.tool.run {
            Run::Tool { to, .. } => Some(to),
            _ => None,
        }
    }

    /// What is to be done, by whom `viewer` is. `calls`: those that follow on an action can be made.
    ///
    /// # Errors
    /// What came of it instead: nothing has happened.
    pub fn deed(&self, viewer: &Viewer, calls: bool) -> Result<Deed, Answered> {
        let scope = json!({"input": self.input});
        let filled = |value: &Value| fill::value(value, &scope, Absent::LeftOut);
        match &self.tool.run {
            Run::Records { kind, op, run } => self.records(kind, *op, &filled(run)),
            Run::Action { name, args } => {
                let snapshot = Snapshot {
                    data: &json!({}),
                    viewer,
                };
                let plan = actions::plan(&self.package, name, &filled(args), snapshot);
                let plan = plan.map_err(|failed| Answered::Failed(failed.to_string()))?;
                self.action(plan, calls)
            }
            Run::Tool { to, args } => {
                let arguments = match filled(args) {
                    Value::Object(arguments) => arguments,
                    _ => Map::new(),
                };
                Ok(Deed::Errand(Errand {
                    to: to.clone(),
                    arguments,
                    only_reads: self.tool.access == Access::Read,
                }))
            }
            Run::Agent(agent) => Err(no_agent(agent)),
        }
    }

    fn records(
        &self,
        kind: &crate::records::Kind,
        op: Op,
        asked: &Value,
    ) -> Result<Deed, Answered> {
        let failed = Answered::Failed;
        match op {
            Op::List => {
                let request = reading::list(&self.package, kind, asked, &self.input);
                Ok(Deed::Read(Box::new(request.map_err(failed)?), Whole::All))
            }
            Op::Get => {
                let id = asked["id"].as_str();
                let id = id.ok_or_else(|| failed("id is the record's, a text".into()))?;
                let request = reading::get(&self.package, kind, id).map_err(failed)?;
                Ok(Deed::Read(Box::new(request), Whole::One(id.to_owned())))
            }
            Op::Upsert if self.tool.access == Access::Read => {
                Err(Answered::Refused(Refused::AccessTooLow))
            }
            Op::Upsert => Ok(Deed::Write {
                batch: Some(self.batch(vec![upsert(kind, asked).map_err(failed)?])),
                calls: Vec::new(),
            }),
        }
    }

    /// An action's plan, held against what a tool may do. What it does to a surface has none here, and is not done.
    fn action(&self, plan: actions::Plan, calls: bool) -> Result<Deed, Answered> {
        let deletes = |write: &Write| matches!(write, Write::Delete { .. });
        if plan.writes.iter().any(deletes) {
            return Err(Answered::Refused(Refused::Destructive));
        }
        let writes = plan.writes;
        let mut follow = Vec::new();
        for effect in plan.calls {
            match effect {
                Effect::Capability { .. } | Effect::Errand(_) => follow.push(effect),
                // A package that was checked writes by its steps, and runs one action at a time.
                Effect::Write { .. } | Effect::Run { .. } => {
                    let says = "its action writes by a call, which a tool's does not";
                    return Err(Answered::Failed(says.into()));
                }
                Effect::Navigate { .. }
                | Effect::Bind { .. }
                | Effect::Set(_)
                | Effect::OpenUrl(_)
                | Effect::Toast(_) => {}
            }
        }
        if self.tool.access == Access::Read && (!writes.is_empty() || !follow.is_empty()) {
            return Err(Answered::Refused(Refused::AccessTooLow));
        }
        if !follow.is_empty() && !calls {
            let says = "its action calls what only a running shell has";
            return Err(Answered::Unavailable(says.into()));
        }
        Ok(Deed::Write {
            batch: (!writes.is_empty()).then(|| self.batch(writes)),
            calls: follow,
        })
    }

    fn batch(&self, writes: Vec<Write>) -> Batch {
        Batch {
            action: Some(self.tool.name.to_string()),
            ..Batch::new(self.package.clone(), Via::Agent, writes)
        }
    }

    /// The call is over.
    pub fn close(&self, answered: Answered) -> Closed {
        let answered = match answered {
            Answered::Done(value) if value.to_string().len() > MOST_ANSWER => Answered::TooLarge,
            answered => answered,
        };
        let denied = |why: &'static str| (Status::Denied, Some(why));
        let ended = |ending: Ending| (ending.status(), ending.error());
        let (verdict, reason, (status, error), result) = match answered {
            Answered::Done(value) => (
                "call",
                None,
                ended(Ending::Bridged(Ended::Ok)),
                CallResult::ok(value),
            ),
            Answered::Invalid(why) => (
                "call",
                None,
                ended(Ending::Bridged(Ended::InvalidParams)),
                CallResult::error(format!("invalidParams: {why}")),
            ),
            Answered::TooLarge => (
                "call",
                None,
                (Status::Invalid, Some("tooLarge")),
                CallResult::error("tooLarge"),
            ),
            Answered::Refused(why) => (
                "denied",
                Some(why.as_str()),
                denied(why.as_str()),
                CallResult::error(why.as_str()),
            ),
            Answered::Unavailable(why) => (
                "unavailable",
                None,
                ended(Ending::Unavailable),
                CallResult::error(format!("unavailable: {why}")),
            ),
            Answered::Failed(why) => (
                "call",
                None,
                ended(Ending::Bridged(Ended::IsError)),
                CallResult::error(why),
            ),
            Answered::AppClosed => (
                "call",
                None,
                ended(Ending::AppClosed),
                CallResult::error(Ending::AppClosed.error().unwrap_or_default()),
            ),
            Answered::Server(outcome) => {
                let (verdict, reason) = match &outcome {
                    Outcome::Unread(Unread::Refused(Refusal::NoServer)) => ("unavailable", None),
                    Outcome::Unread(Unread::Refused(refusal)) => ("denied", Some(refusal.as_str())),
                    _ => ("call", None),
                };
                (verdict, reason, outcome.ended(), outcome.result())
            }
        };
        Closed {
            said: json!({"verdict": self.verdict(verdict, reason), "answer": result}),
            row: Box::new(AuditRow {
                app_id: self.package.id().clone(),
                client_id: self.client.clone(),
                tool: self.tool.name.qualified(self.package.id()),
                status,
                error,
                args_hash: self.hash.clone(),
            }),
        }
    }

    /// What is decided about it, in the words of a capability call's verdict.
    fn verdict(&self, verdict: &str, reason: Option<&str>) -> Value {
        json!({
            "verdict": verdict, "capability": self.package.id().as_str(), "tool": self.tool.name, "scope": self.tool.subject(),
            "reason": reason,
        })
    }
}

fn no_agent(agent: &str) -> Answered {
    let says =
        format!("it asks {agent:?}, an agent of a team's, which this desktop is not connected to");
    Answered::Unavailable(says)
}

/// A call at its end.
#[derive(Debug)]
#[must_use]
pub struct Closed {
    said: Value,
    row: Box<AuditRow>,
}

impl Closed {
    /// Hand the row to the audit, and have the answer for it: `{verdict, answer}`, as of a capability's.
    pub fn settle(self, audit: &mut dyn AuditSink) -> Value {
        audit.write(*self.row);
        self.said
    }
}
