//! The tools an app offers to agents (`exposes`): what each is called, what it takes, and a call of one from its arguments to its answer.
//! Pure: who asks does what a call says is to be done ([`crate::records::Store::run_tool`] what concerns records), and says what the person
//! decided.
//!
//! What holds here
//! - **An agent calls `<app>__<tool>`** and nothing else of an app's. No app's id is a capability's name, so no tool is taken for one of
//!   those.
//! - **What is not checked does not run.** Arguments keep to the tool's schema before anything else is looked at, and are data ever after:
//!   nothing of them names a kind, an action or a server.
//! - **What reads cannot write**, whatever its action comes to, and nothing an agent calls destroys anything.
//! - **The person is asked once** about a tool that runs an action which may write, and about each tool of a server. Records are the
//!   app's own to show and to take; a read or one record written, which can be undone, asks nobody.
//! - **Every call has its one row**, refused ones too ([`Closed`]).

mod call;
mod name;
mod reading;

use std::fmt;

use serde_json::{Map, Value, json};
use sha2::{Digest, Sha256};

pub use call::{Answered, Call, Closed, Deed, MOST_ARGUMENTS, Refused, Whole};
pub use name::ExposeName;

use crate::bridge::schema::{BadSchema, Schema};
use crate::broker::grants::Subject;
use crate::package::{Package, hex};
use crate::records::Wish;
use crate::runs::Run;

/// One tool of an app's.
#[derive(Debug, Clone)]
pub struct Tool {
    pub name: ExposeName,
    /// For people; one line, in the app's words.
    pub title: String,
    /// For agents, in the app's words.
    pub description: String,
    pub access: Access,
    /// What its arguments must keep to, as JSON Schema.
    pub input: Value,
    schema: Schema,
    run: Run,
    /// What it is and what it runs, as one text: with another it is another tool.
    mark: String,
}

/// What it may do.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Access {
    Read,
    Write,
}

impl Access {
    /// The word.
    pub fn as_str(self) -> &'static str {
        match self {
            Access::Read => "read",
            Access::Write => "write",
        }
    }
}

impl fmt::Display for Access {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.as_str())
    }
}

/// Why one of a package's `exposes` is no tool here.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub(crate) enum NoTool {
    /// Its arguments could not be checked.
    #[error("{0}")]
    Input(BadSchema),
    /// It is not what a package that was checked has.
    #[error("it is no tool")]
    Shape,
}

impl Tool {
    /// Those of a package, in its order.
    pub fn all(package: &Package) -> Vec<Tool> {
        let written = written(package.value());
        let tools = written.filter_map(|one| Tool::read(package.value(), one).ok());
        tools.collect()
    }

    /// The one of this name.
    pub fn named(package: &Package, name: &ExposeName) -> Option<Tool> {
        let mut written = written(package.value());
        let written = written.find(|one| one["name"] == name.as_str())?;
        Tool::read(package.value(), written).ok()
    }

    pub(crate) fn read(package: &Map<String, Value>, written: &Value) -> Result<Tool, NoTool> {
        let text = |key: &str| written[key].as_str().ok_or(NoTool::Shape);
        let schema = Schema::read(&written["input"]).map_err(NoTool::Input)?;
        let run = Run::read(&written["run"]).ok_or(NoTool::Shape)?;
        let action = match &run {
            Run::Action { name, .. } => package.get("actions").and_then(|all| all.get(name)),
            Run::Records { .. } | Run::Tool { .. } | Run::Agent(_) => None,
        };
        let whole = eui_core::host::canonical_json(&json!([written, action]));
        Ok(Tool {
            name: ExposeName::parse(text("name")?).ok_or(NoTool::Shape)?,
            title: text("title")?.to_owned(),
            description: text("description")?.to_owned(),
            access: match text("access")? {
                "read" => Access::Read,
                "write" => Access::Write,
                _ => return Err(NoTool::Shape),
            },
            input: written["input"].clone(),
            schema,
            run,
            mark: hex(&Sha256::digest(whole)),
        })
    }

    /// What the person must have allowed before an agent may call it; `None` where nothing, and where it is a server's tool, which is
    /// asked about as such.
    pub fn wish(&self) -> Option<Wish> {
        let asks = self.access == Access::Write && matches!(self.run, Run::Action { .. });
        asks.then(|| Wish::exposed(&self.name, &self.mark))
    }

    /// What a decision about it is kept under.
    fn subject(&self) -> Option<Subject> {
        match &self.run {
            Run::Tool { to, .. } => Some(Subject::Tool(to.clone())),
            _ => self.wish().map(|wish| wish.subject),
        }
    }
}

/// As they are written.
pub(crate) fn written(package: &Map<String, Value>) -> impl Iterator<Item = &Value> {
    let all = package.get("exposes").and_then(Value::as_array);
    all.into_iter().flatten()
}

#[cfg(test)]
mod tests;
