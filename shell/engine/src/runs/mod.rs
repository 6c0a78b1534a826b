//! What an automation or a tool runs, one thing each, read from the package once for both, and the `${…}` in it filled in. Pure: what may
//! run when, and what becomes of it, is [`crate::automations`]' and [`crate::exposes`]' to say.

pub(crate) mod fill;

use serde_json::{Value, json};

use crate::package::core::package_call_name;
use crate::records::{Kind, Write};
use crate::upstreams::ServerTool;

/// The one thing it does.
#[derive(Debug, Clone)]
pub(crate) enum Run {
    /// The records of a kind, read or written; `run` is as it is written.
    Records { kind: Kind, op: Op, run: Value },
    /// An action of the package's.
    Action { name: String, args: Value },
    /// A tool of a server of the person's.
    Tool { to: ServerTool, args: Value },
    /// An agent of a team's; nothing of that is here.
    Agent(String),
}

/// What is done to records. Nothing that runs on a call or by itself deletes any.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Op {
    List,
    Get,
    Upsert,
}

impl Op {
    fn parse(word: &str) -> Option<Op> {
        Some(match word {
            "list" => Op::List,
            "get" => Op::Get,
            "upsert" => Op::Upsert,
            _ => return None,
        })
    }

    pub fn as_str(self) -> &'static str {
        match self {
            Op::List => "list",
            Op::Get => "get",
            Op::Upsert => "upsert",
        }
    }
}

impl Run {
    /// What a package's `run` says; `None` where no package that was checked says so.
    pub fn read(run: &Value) -> Option<Run> {
        let args = || run.get("args").cloned().unwrap_or_else(|| json!({}));
        if let Some(records) = run.get("records") {
            return Some(Run::Records {
                kind: Kind::parse(records["kind"].as_str()?).ok()?,
                op: Op::parse(records["op"].as_str()?)?,
                run: records.clone(),
            });
        }
        if let Some(action) = run["action"].as_str() {
            return Some(Run::Action {
                name: action_name(action).to_owned(),
                args: args(),
            });
        }
        if let Some(to) = ServerTool::of_run(run) {
            return Some(Run::Tool { to, args: args() });
        }
        Some(Run::Agent(run["agent"].as_str()?.to_owned()))
    }
}

/// An action is written by its name, or as it is called.
pub(crate) fn action_name(written: &str) -> &str {
    let name = package_call_name(written);
    eui_core::host::action_call_name(name).unwrap_or(name)
}

/// The write that a filled `records` run asks for.
pub(crate) fn upsert(kind: &Kind, asked: &Value) -> Result<Write, String> {
    let mut write = json!({"op": "upsert", "kind": kind.as_str(), "data": asked["data"]});
    if let Some(id) = asked.get("id").filter(|id| !id.is_null()) {
        write["id"] = id.clone();
    }
    Write::from_json(&write)
}
