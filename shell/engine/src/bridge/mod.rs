//! What stands between a call that may be made and the native that makes it, the same for apps and agents. Nothing here waits: the
//! host runs the native between [`Bridged::open`] and [`Running::close`]. Both may read or write the app's files, so a host runs
//! them where it runs the native, not on the thread that paints.
//!
//! 1. [`validate`]: the arguments keep to the tool's [`schema`], or the native never runs
//! 2. [`map`]: what the app said becomes what the native is asked; files by their ids become bytes ([`files`], [`mime`])
//! 3. the native's answer keeps to its schema, or nothing of it is kept
//! 4. [`store`]: bytes in it become files of the app, and the app gets their ids
//!
//! A tool the engine answers itself ([`pdf`]) has no native: its answer is there when the call is opened.
//!
//! No native's answer reaches an app unchecked, and none carries bytes in `data`.

pub mod files;
pub mod format;
pub mod map;
pub mod mime;
mod pdf;
pub mod result;
pub mod schema;
pub mod store;
pub mod validate;

use serde_json::{Map, Value, json};

use crate::app_id::AppId;
use crate::broker::catalog::{Described, EngineTool, Runs, Tool};
use crate::package::ScreenId;
use files::{FileStore, NotificationIds};
use map::Unmapped;
use mime::MimeTypes;
use result::CallResult;

/// How a bridged call ended.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Ended {
    Ok,
    /// The answer is an error of the tool's.
    IsError,
    /// The arguments were wrong; nothing ran.
    InvalidParams,
    /// Who should have answered sent an error of the protocol.
    RpcError,
    /// Who should have answered is not there.
    Unreachable,
    /// Who should have answered took too long.
    Timeout,
}

impl Ended {
    pub fn as_str(self) -> &'static str {
        match self {
            Ended::Ok => "ok",
            Ended::IsError => "isError",
            Ended::InvalidParams => "invalidParams",
            Ended::RpcError => "rpcError",
            Ended::Unreachable => "unreachable",
            Ended::Timeout => "timeout",
        }
    }
}

/// What the caller gets, and how the call ended.
#[derive(Debug, Clone, PartialEq)]
pub struct Answered {
    pub result: CallResult,
    pub ended: Ended,
}

impl Answered {
    fn error(reason: impl Into<String>) -> Answered {
        Answered {
            result: CallResult::error(reason),
            ended: Ended::IsError,
        }
    }

    /// The step itself broke.
    pub(crate) fn broken() -> Answered {
        Answered::error("unavailable")
    }

    /// Who should have answered is not there.
    pub(crate) fn unreachable() -> Answered {
        upstream(Ended::Unreachable)
    }

    fn invalid(violation: impl std::fmt::Display) -> Answered {
        Answered {
            result: CallResult::error(format!("invalidParams: {violation}")),
            ended: Ended::InvalidParams,
        }
    }
}

/// What the native came back with.
#[derive(Debug, Clone, PartialEq)]
pub enum NativeAnswer {
    /// An MCP call result.
    Result(Value),
    RpcError,
    Unreachable,
    Timeout,
}

/// Whose call it is.
#[derive(Debug, Clone, Copy)]
pub struct AppContext<'a> {
    pub app: &'a AppId,
    /// The screens of its package.
    pub screens: &'a [ScreenId],
    pub mime_types: &'a MimeTypes,
}

/// A call's next step.
#[derive(Debug)]
#[must_use]
pub enum Bridged {
    /// The native is to run.
    Native(Running),
    /// There is an answer already.
    Answered(Answered),
}

/// A call whose native runs.
#[derive(Debug)]
#[must_use]
pub struct Running {
    /// What its answer must keep to.
    answer: &'static Described,
    arguments: Map<String, Value>,
    /// What the app calls what it made (a notification), where that is the answer.
    own_id: Option<String>,
}

impl Bridged {
    /// Take a call of `tool` as far as the native.
    pub fn open(
        tool: &'static Tool,
        received: &Value,
        context: AppContext<'_>,
        files: &mut dyn FileStore,
        ids: &mut dyn NotificationIds,
    ) -> Bridged {
        let Some(terms) = &tool.terms else {
            return Bridged::Answered(Answered::error("unavailable"));
        };
        let arguments = match validate::arguments(&terms.input.schema, received) {
            Ok(arguments) => arguments,
            Err(violation) => return Bridged::Answered(Answered::invalid(violation)),
        };
        let (bridge, answer) = match &terms.runs {
            Runs::Native { bridge, answer } => (*bridge, answer.as_ref()),
            Runs::Engine(EngineTool::Pdf) => {
                return Bridged::Answered(pdf::answer(&arguments, context.app, files));
            }
        };
        match map::native_arguments(bridge, arguments, context, files, ids) {
            Ok(mapped) => Bridged::Native(Running {
                answer,
                arguments: mapped.arguments,
                own_id: mapped.own_id,
            }),
            Err(Unmapped::Invalid(violation)) => Bridged::Answered(Answered::invalid(violation)),
            Err(Unmapped::Error(reason)) => Bridged::Answered(Answered::error(reason)),
        }
    }
}

impl Running {
    /// What the native is asked; handed over once, for it may be long.
    pub fn take_native_arguments(&mut self) -> Map<String, Value> {
        std::mem::take(&mut self.arguments)
    }

    /// Turn the native's answer into the caller's. The files in it are stored together or not at all.
    pub fn close(self, native: NativeAnswer, app: &AppId, files: &mut dyn FileStore) -> Answered {
        let answer = match native {
            NativeAnswer::Result(answer) => answer,
            NativeAnswer::RpcError => return upstream(Ended::RpcError),
            NativeAnswer::Unreachable => return Answered::unreachable(),
            NativeAnswer::Timeout => return upstream(Ended::Timeout),
        };
        if answer.get("isError") == Some(&json!(true)) {
            return Answered {
                result: CallResult::passed_on(answer),
                ended: Ended::IsError,
            };
        }
        let content = match answer {
            Value::Object(mut members) => members.remove("structuredContent"),
            _ => None,
        };
        let mut content = content.unwrap_or_default();
        if let Err(violation) = validate::value(&self.answer.schema, &content) {
            return Answered::error(format!("badResult: {violation}"));
        }
        if let Err(error) = store::files(&mut content, app, files) {
            return Answered::error(error.to_string());
        }
        if let Some(id) = self.own_id {
            content = json!({"id": id});
        }
        Answered {
            result: CallResult::ok(content),
            ended: Ended::Ok,
        }
    }
}

fn upstream(ended: Ended) -> Answered {
    Answered {
        result: CallResult::error(ended.as_str()),
        ended,
    }
}
