//! `ede call interaction …`: what an agent asks the person, by the running shell. Until agents have a hub of their own it speaks for the
//! shell's own agent, in a conversation of its own.

use ede_engine::interactions::call::{FAMILY, tools};
use serde_json::{Value, json};

use super::{Exit, Failure, Output};
use crate::desktop::shell::Command;
use crate::ipc;
use crate::paths::Paths;

/// Call one of the tools. `agent`: it is an agent that does.
pub(super) fn run(
    (tool, arguments): (&str, Value),
    agent: bool,
    paths: &Paths,
    out: &mut Output,
) -> Result<Exit, Failure> {
    if !agent {
        return Err(Failure::new(
            "only agents ask the person",
            FAMILY,
            "add --agent, and nothing that answers for anybody",
        ));
    }
    if tool == "tools" {
        let all = tools().iter();
        let all = all
            .map(|t| json!({"name": t.name, "description": t.description, "inputSchema": t.input}));
        out.json(&all.collect::<Value>())?;
        return Ok(Exit::Done);
    }
    let nobody = || Failure::new("no shell is running", FAMILY, "start it with `ede run`");
    let runtime = paths.runtime().map_err(|_| nobody())?;
    let command = Command::Interact {
        tool: tool.into(),
        arguments,
    };
    let said = ipc::ask(runtime, &command).map_err(|error| match error {
        Some(error) => Failure::new(error, FAMILY, "try again"),
        None => nobody(),
    })?;
    out.json(&said)?;
    Ok(Exit::Done)
}
