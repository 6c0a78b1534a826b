//! The audit: one row for every call, refused ones too. A row holds a hash of the arguments, never the arguments, and nothing of
//! the answer. Where rows are kept is another's; [`super::call`] sees to it that every call ends with exactly one.

use eui_core::host::canonical_json;
use serde::{Serialize, Serializer};
use serde_json::{Value, json};
use sha2::{Digest, Sha256};

use super::catalog::Caller;
use super::decide::Reason;
use super::names::RunId;
use super::state::CallState;
use crate::app_id::AppId;
use crate::bridge::Ended;
use crate::package::hex;

/// The client id of an app's own surface.
pub const UI: &str = "ui";

/// The longest name of an unknown tool that is kept (characters): it is whatever the caller sent.
const NAME_MOST: usize = 128;

/// Who called.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Client {
    /// The app's own surface.
    Ui,
    /// A run of an agent.
    Run(RunId),
    /// What the app does by itself, by its name.
    Automation(AutomationId),
}

/// An automation as the audit names it: `automation:<name>`.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct AutomationId(String);

impl AutomationId {
    /// Of the app's automation `name`.
    pub fn new(name: &str) -> AutomationId {
        AutomationId(format!("automation:{name}"))
    }
}

impl Client {
    /// `ui`, or the run's id.
    pub fn as_str(&self) -> &str {
        match self {
            Client::Ui => UI,
            Client::Run(run) => run.as_str(),
            Client::Automation(id) => &id.0,
        }
    }

    /// How the client spells names.
    pub fn caller(&self) -> Caller {
        match self {
            // The package spells both.
            Client::Ui | Client::Automation(_) => Caller::Ui,
            Client::Run(_) => Caller::Agent,
        }
    }
}

impl Serialize for Client {
    fn serialize<S: Serializer>(&self, to: S) -> Result<S::Ok, S::Error> {
        to.serialize_str(self.as_str())
    }
}

/// How a call ended, in one word.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "camelCase")]
pub enum Status {
    Ok,
    /// Refused, unknown or unavailable: nothing ran.
    Denied,
    /// The tool answered an error.
    Failed,
    /// The arguments were wrong.
    Invalid,
    /// Who should have answered did not.
    Upstream,
    /// It ended before it was done: its app was closed.
    Cancelled,
}

impl Status {
    /// The word.
    pub fn as_str(self) -> &'static str {
        match self {
            Status::Ok => "ok",
            Status::Denied => "denied",
            Status::Failed => "failed",
            Status::Invalid => "invalid",
            Status::Upstream => "upstream",
            Status::Cancelled => "cancelled",
        }
    }
}

/// How a call ended, for the audit.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Outcome {
    Unknown,
    Unavailable,
    Refused(Reason),
    Bridged(Ended),
    /// Its app was closed while it was under way.
    AppClosed,
}

/// The error of a call whose app was closed.
pub const APP_CLOSED: &str = "app_closed";

impl Outcome {
    /// The row's status.
    pub fn status(self) -> Status {
        match self {
            Outcome::Unknown | Outcome::Unavailable | Outcome::Refused(_) => Status::Denied,
            Outcome::Bridged(Ended::Ok) => Status::Ok,
            Outcome::Bridged(Ended::IsError) => Status::Failed,
            Outcome::Bridged(Ended::InvalidParams) => Status::Invalid,
            Outcome::Bridged(Ended::RpcError | Ended::Unreachable | Ended::Timeout) => {
                Status::Upstream
            }
            Outcome::AppClosed => Status::Cancelled,
        }
    }

    /// The row's error; none where all went well, and where the tool itself failed.
    pub fn error(self) -> Option<&'static str> {
        match self {
            Outcome::Unknown => Some("unknownTool"),
            Outcome::Unavailable => Some("unavailable"),
            Outcome::Refused(reason) => Some(reason.as_str()),
            Outcome::Bridged(Ended::Ok | Ended::IsError) => None,
            Outcome::Bridged(ended) => Some(ended.as_str()),
            Outcome::AppClosed => Some(APP_CLOSED),
        }
    }

    /// The state it leaves the call in.
    pub fn state(self) -> CallState {
        match self {
            Outcome::Unknown | Outcome::Unavailable => CallState::Unsupported,
            Outcome::Refused(_) => CallState::Rejected,
            Outcome::Bridged(Ended::Ok) => CallState::Completed,
            Outcome::Bridged(_) => CallState::Failed,
            Outcome::AppClosed => CallState::Cancelled,
        }
    }
}

/// The SHA-256 of a call's arguments in their RFC 8785 form, in lower-case hex: the arguments as received, before defaults. Absent
/// ones hash as `{}`.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[serde(transparent)]
pub struct ArgsHash(String);

impl ArgsHash {
    /// The hash of `arguments`.
    pub fn of(arguments: &Value) -> ArgsHash {
        let canonical = match arguments {
            Value::Null => canonical_json(&json!({})),
            given => canonical_json(given),
        };
        ArgsHash(hex(&Sha256::digest(canonical)))
    }

    pub fn as_str(&self) -> &str {
        &self.0
    }
}

/// One row.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct AuditRow {
    #[serde(serialize_with = "app_id")]
    pub app_id: AppId,
    pub client_id: Client,
    /// The qualified name with the double underscore, whoever called; of an unknown tool the name as it came, shortened.
    pub tool: String,
    pub status: Status,
    pub error: Option<&'static str>,
    pub args_hash: ArgsHash,
}

fn app_id<S: Serializer>(app: &AppId, to: S) -> Result<S::Ok, S::Error> {
    to.serialize_str(app.as_str())
}

/// The name of an unknown tool, as it may be kept.
pub(crate) fn unknown_name(name: &str) -> String {
    let kept = name.chars().filter(|c| !c.is_control());
    kept.take(NAME_MOST).collect()
}

/// Where the rows go.
pub trait AuditSink {
    /// Keep one row. The writer may put it off; it must not lose it.
    fn write(&mut self, row: AuditRow);
}

impl AuditSink for Vec<AuditRow> {
    fn write(&mut self, row: AuditRow) {
        self.push(row);
    }
}
