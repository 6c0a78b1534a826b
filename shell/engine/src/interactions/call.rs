//! An agent's call as it comes in: the name of a tool and its arguments, checked by the tool's schema before anything else is.

use std::sync::LazyLock;

use serde::Deserialize;
use serde_json::Value;

use super::agent::{AppSessionId, CallId};
use super::request::{Request, RequestKind};
use crate::bridge::schema::Schema;
use crate::bridge::validate::{Violation, arguments};

/// The tools: their names, descriptions for agents, and schemas.
const TOOLS: &str = include_str!("tools.json");

/// Where they are found among what an agent may call: `interaction__choice`. No app has this id.
pub const FAMILY: &str = "interaction";

/// One of the tools.
#[derive(Debug)]
pub struct Tool {
    /// `choice`.
    pub name: String,
    /// For agents.
    pub description: String,
    /// What its arguments must keep to, as JSON Schema.
    pub input: Value,
    schema: Schema,
}

#[derive(Deserialize)]
struct Written {
    description: String,
    input: Value,
}

/// Every tool, in the order they are listed.
pub fn tools() -> &'static [Tool] {
    static ALL: LazyLock<Vec<Tool>> = LazyLock::new(|| read_tools(TOOLS));
    &ALL
}

/// The tools of a family as they are written: `{name: {description, input}}`, a part of the program that tests read.
pub(crate) fn read_tools(written: &str) -> Vec<Tool> {
    let all: serde_json::Map<String, Value> = serde_json::from_str(written).unwrap_or_default();
    let read = |(name, tool): (String, Value)| {
        let written: Written = serde_json::from_value(tool).ok()?;
        Some(Tool {
            name,
            description: written.description,
            schema: Schema::read(&written.input).ok()?,
            input: written.input,
        })
    };
    all.into_iter().filter_map(read).collect()
}

impl Tool {
    pub(crate) fn schema(&self) -> &Schema {
        &self.schema
    }
}

/// What an agent wants.
#[derive(Debug, Clone, PartialEq)]
pub enum Call {
    /// Put this to the person, in a session with an app where it says so.
    Ask(Request, Option<AppSessionId>),
    /// What has become of it?
    Get(CallId),
    /// It is not to be answered any more.
    Dismiss(CallId),
}

/// Why a call is none.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum CallError {
    #[error("unknownTool")]
    UnknownTool,
    /// The first thing wrong with its arguments: `invalidParams: <pointer> <keyword>`.
    #[error("invalidParams: {0}")]
    Arguments(Violation),
    /// An id that none has.
    #[error("notFound: id")]
    NoSuchCall,
}

impl Call {
    /// The call of the tool `name` with these arguments.
    ///
    /// # Errors
    /// There is no such tool, or its arguments are wrong; nothing is asked.
    pub fn read(name: &str, given: &Value) -> Result<Call, CallError> {
        let tool = tools().iter().find(|tool| tool.name == name);
        let tool = tool.ok_or(CallError::UnknownTool)?;
        let given = arguments(&tool.schema, given).map_err(CallError::Arguments)?;
        let text = |key: &str| given.get(key).and_then(Value::as_str);
        if let Some(kind) = RequestKind::parse(name) {
            let request = Request::read(kind, &given).map_err(CallError::Arguments)?;
            let wrong = || {
                CallError::Arguments(Violation {
                    pointer: "/appSession".into(),
                    keyword: "format",
                })
            };
            let session = text("appSession").map(|s| AppSessionId::parse(s).map_err(|_| wrong()));
            return Ok(Call::Ask(request, session.transpose()?));
        }
        let id = CallId::parse(text("id").unwrap_or_default());
        let id = id.map_err(|_| CallError::NoSuchCall)?;
        match name {
            "get" => Ok(Call::Get(id)),
            "dismiss" => Ok(Call::Dismiss(id)),
            _ => Err(CallError::UnknownTool),
        }
    }

    /// A request as it was kept; `None` where it is none any more.
    pub(crate) fn kept(kind: &str, request: &str) -> Option<Request> {
        let given: Value = serde_json::from_str(request).ok()?;
        if kind == RequestKind::Save.as_str() {
            return Request::kept_to_save(&given);
        }
        match Call::read(kind, &given) {
            Ok(Call::Ask(request, None)) => Some(request),
            _ => None,
        }
    }
}
