//! `ede call interaction …` and `ede call artifact …`: what an agent asks the person, and what it hands over, by the running shell. Until agents have a hub of their own it speaks for the
//! shell's own agent, in a conversation of its own.

use ede_engine::artifacts::call as artifacts;
use ede_engine::interactions::call as interactions;
use serde_json::{Value, json};

use super::{Exit, Failure, Output};
use crate::desktop::shell::Command;
use crate::ipc;
use crate::paths::Paths;

/// A family of tools that are the shell's own.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Family {
    Interaction,
    Artifact,
}

impl Family {
    /// The family called `name`; no app has such an id.
    pub fn parse(name: &str) -> Option<Family> {
        let all = [Family::Interaction, Family::Artifact];
        all.into_iter().find(|family| family.name() == name)
    }

    fn name(self) -> &'static str {
        match self {
            Family::Interaction => interactions::FAMILY,
            Family::Artifact => artifacts::FAMILY,
        }
    }

    fn tools(self) -> &'static [interactions::Tool] {
        match self {
            Family::Interaction => interactions::tools(),
            Family::Artifact => artifacts::tools(),
        }
    }
}

/// Call one of the tools. `agent`: it is an agent that does.
pub(super) fn run(
    family: Family,
    (tool, arguments): (&str, Value),
    agent: bool,
    paths: &Paths,
    out: &mut Output,
) -> Result<Exit, Failure> {
    if !agent {
        return Err(Failure::new(
            "only agents ask the person and hand things over",
            family.name(),
            "add --agent, and nothing that answers for anybody",
        ));
    }
    if tool == "tools" {
        let all = family.tools().iter();
        let all = all
            .map(|t| json!({"name": t.name, "description": t.description, "inputSchema": t.input}));
        out.json(&all.collect::<Value>())?;
        return Ok(Exit::Done);
    }
    let nobody = || {
        Failure::new(
            "no shell is running",
            family.name(),
            "start it with `ede run`",
        )
    };
    let runtime = paths.runtime().map_err(|_| nobody())?;
    let command = Command::Interact {
        family: family.name().into(),
        tool: tool.into(),
        arguments,
    };
    let said = ipc::ask(runtime, &command).map_err(|error| match error {
        Some(error) => Failure::new(error, family.name(), "try again"),
        None => nobody(),
    })?;
    out.json(&said)?;
    Ok(Exit::Done)
}
