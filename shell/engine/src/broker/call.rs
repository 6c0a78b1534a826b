//! One call from its request to its answer. It moves through types, each of which offers only the steps that may come next, and it
//! ends as a [`Closed`], whose answer is given only to who takes its audit row: no call ends without one, and none with two.
//!
//! [`Request::decide`] → ([`Question::resume`] when the person is asked) → [`Allowed::prepare`] → the host runs the native →
//! [`Prepared::Native`]'s [`Running::finish`] → [`Closed::settle`]. Nothing here waits but the two steps that touch the app's files; every
//! type may be sent to another thread. A step that breaks ends its call, with its row.

use std::panic::{AssertUnwindSafe, catch_unwind};

use serde::{Serialize, Serializer};
use serde_json::{Map, Value};

use super::audit::{APP_CLOSED, ArgsHash, AuditRow, AuditSink, Client, Outcome, unknown_name};
use super::catalog::{Scope, Tool};
use super::decide::{Reason, Standing, Verdict, decide};
use super::grants::Grant;
use super::state::CallState;
use crate::app_id::AppId;
use crate::bridge::files::{FileStore, NotificationIds};
use crate::bridge::mime::MimeTypes;
use crate::bridge::result::CallResult;
use crate::bridge::{self, Answered, AppContext, Bridged, Ended, NativeAnswer};
use crate::package::ScreenId;

/// A call as it comes in.
#[derive(Debug, Clone, PartialEq)]
pub struct Request {
    pub app: AppId,
    pub client: Client,
    /// As the caller spelled it.
    pub name: String,
    /// As received; null counts as none.
    pub arguments: Value,
}

/// What becomes of a request.
#[derive(Debug)]
#[must_use]
pub enum Decided {
    /// It ends here.
    Refused(Closed),
    /// The person is to be asked.
    Ask(Question),
    Call(Allowed),
}

/// What all steps of a call carry.
#[derive(Debug)]
struct Carried {
    request: Request,
    /// How the audit names the tool.
    tool: String,
    hash: ArgsHash,
}

impl Carried {
    fn close(self, verdict: Verdict, outcome: Outcome, answer: Answer) -> Closed {
        let row = AuditRow {
            app_id: self.request.app,
            client_id: self.request.client,
            tool: self.tool,
            status: outcome.status(),
            error: outcome.error(),
            args_hash: self.hash,
        };
        Closed {
            verdict,
            answer,
            state: outcome.state(),
            row,
        }
    }

    fn refuse(self, tool: &'static Tool, reason: Reason) -> Closed {
        let answer = Answer::Result(CallResult::error(reason.as_str()));
        let verdict = Verdict::Denied(tool, reason);
        self.close(verdict, Outcome::Refused(reason), answer)
    }

    fn cancel(self, verdict: Verdict) -> Closed {
        let answer = Answer::Result(CallResult::error(APP_CLOSED));
        self.close(verdict, Outcome::AppClosed, answer)
    }
}

impl Request {
    /// Decide about the call.
    pub fn decide(self, standing: &Standing<'_>) -> Decided {
        let verdict = decide(standing, self.client.caller(), &self.name, &self.arguments);
        let tool = match verdict.tool() {
            Some(tool) => tool.qualified().to_owned(),
            None => unknown_name(&self.name),
        };
        let call = Carried {
            hash: ArgsHash::of(&self.arguments),
            request: self,
            tool,
        };
        match verdict {
            Verdict::Unknown => {
                Decided::Refused(call.close(verdict, Outcome::Unknown, Answer::UnknownTool))
            }
            Verdict::Unavailable(_) => {
                let outcome = Outcome::Unavailable;
                let answer = Answer::Result(CallResult::error("unavailable"));
                Decided::Refused(call.close(verdict, outcome, answer))
            }
            Verdict::Denied(tool, reason) => Decided::Refused(call.refuse(tool, reason)),
            Verdict::Ask(tool) => Decided::Ask(Question { call, tool }),
            Verdict::Call(tool) => Decided::Call(Allowed { call, tool }),
        }
    }
}

/// What the person answered.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Consent {
    Granted,
    Denied,
    /// The sheet was left without an answer, or could not be shown.
    Dismissed,
}

impl Consent {
    /// What is kept of the answer; nothing of a dismissed sheet.
    pub fn grant(self) -> Option<Grant> {
        match self {
            Consent::Granted => Some(Grant::Granted),
            Consent::Denied => Some(Grant::Denied),
            Consent::Dismissed => None,
        }
    }
}

/// A call that waits for the person.
#[derive(Debug)]
#[must_use]
pub struct Question {
    call: Carried,
    tool: &'static Tool,
}

impl Question {
    /// Who asks.
    pub fn app(&self) -> &AppId {
        &self.call.request.app
    }

    /// What it asks for; the answer is kept for its id.
    pub fn scope(&self) -> &'static Scope {
        &self.tool.scope
    }

    /// The verdict so far.
    pub fn verdict(&self) -> Verdict {
        Verdict::Ask(self.tool)
    }

    /// Go on with the person's answer: the call is made, or refused.
    pub fn resume(self, consent: Consent) -> Decided {
        match consent {
            Consent::Granted => Decided::Call(Allowed {
                call: self.call,
                tool: self.tool,
            }),
            Consent::Denied => Decided::Refused(self.call.refuse(self.tool, Reason::ConsentDenied)),
            Consent::Dismissed => Decided::Refused(self.left()),
        }
    }

    /// The person was asked, and did not say.
    pub fn left(self) -> Closed {
        Closed {
            state: CallState::Cancelled,
            ..self.unasked()
        }
    }

    /// The person is not to be asked now.
    pub fn unasked(self) -> Closed {
        self.call.refuse(self.tool, Reason::ConsentNeeded)
    }

    /// Its app was closed.
    pub fn cancel(self) -> Closed {
        let verdict = self.verdict();
        self.call.cancel(verdict)
    }
}

/// A call that may be made.
#[derive(Debug)]
#[must_use]
pub struct Allowed {
    call: Carried,
    tool: &'static Tool,
}

/// A call as far as it goes without the native.
#[derive(Debug)]
#[must_use]
pub enum Prepared {
    /// The native is to run.
    Native(Running),
    /// It ends here.
    Closed(Closed),
}

impl Allowed {
    pub fn tool(&self) -> &'static Tool {
        self.tool
    }

    /// The call is a binding: what the tool would answer is followed from now on, and no native runs.
    pub fn follow(self) -> Closed {
        let verdict = Verdict::Call(self.tool);
        let answer = Answer::Result(CallResult::ok(serde_json::json!({})));
        self.call
            .close(verdict, Outcome::Bridged(Ended::Ok), answer)
    }

    /// Nobody came to look at it.
    pub fn unreached(self) -> Closed {
        let answered = Answered::unreachable();
        self.call.answered(self.tool, answered)
    }

    /// Its app was closed.
    pub fn cancel(self) -> Closed {
        self.call.cancel(Verdict::Call(self.tool))
    }

    /// Check the arguments and make the native's of them. `screens` are those of the app's package.
    pub fn prepare(
        self,
        screens: &[ScreenId],
        mime_types: &MimeTypes,
        files: &mut dyn FileStore,
        ids: &mut dyn NotificationIds,
    ) -> Prepared {
        let Allowed { call, tool } = self;
        let context = AppContext {
            app: &call.request.app,
            screens,
            mime_types,
        };
        let open = || Bridged::open(tool, &call.request.arguments, context, files, ids);
        let bridged = catch_unwind(AssertUnwindSafe(open));
        match bridged.unwrap_or_else(|_| Bridged::Answered(Answered::broken())) {
            Bridged::Native(running) => Prepared::Native(Running {
                call,
                tool,
                running,
            }),
            Bridged::Answered(answered) => Prepared::Closed(call.answered(tool, answered)),
        }
    }
}

impl Carried {
    fn answered(self, tool: &'static Tool, answered: Answered) -> Closed {
        let outcome = Outcome::Bridged(answered.ended);
        self.close(
            Verdict::Call(tool),
            outcome,
            Answer::Result(answered.result),
        )
    }
}

/// A call whose native runs.
#[derive(Debug)]
#[must_use]
pub struct Running {
    call: Carried,
    tool: &'static Tool,
    running: bridge::Running,
}

impl Running {
    /// Whose native runs.
    pub fn tool(&self) -> &'static Tool {
        self.tool
    }

    /// What it is asked; handed over once.
    pub fn take_native_arguments(&mut self) -> Map<String, Value> {
        self.running.take_native_arguments()
    }

    /// Its app was closed; what the native comes to answer is nobody's.
    pub fn cancel(self) -> Closed {
        self.call.cancel(Verdict::Call(self.tool))
    }

    /// The native never came to answer.
    pub fn unreached(self) -> Closed {
        let answered = Answered::unreachable();
        self.call.answered(self.tool, answered)
    }

    /// Go on with what the native came back with.
    pub fn finish(self, native: NativeAnswer, files: &mut dyn FileStore) -> Closed {
        let Running {
            call,
            tool,
            running,
        } = self;
        let close = || running.close(native, &call.request.app, files);
        let answered = catch_unwind(AssertUnwindSafe(close));
        call.answered(tool, answered.unwrap_or_else(|_| Answered::broken()))
    }
}

/// A call at its end.
#[derive(Debug)]
#[must_use]
pub struct Closed {
    verdict: Verdict,
    answer: Answer,
    state: CallState,
    row: AuditRow,
}

impl Closed {
    /// Hand the row to the audit, and have the answer for it.
    pub fn settle(self, audit: &mut dyn AuditSink) -> Settled {
        audit.write(self.row);
        Settled {
            verdict: self.verdict,
            answer: self.answer,
            state: self.state,
        }
    }
}

/// What the caller gets.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Settled {
    pub verdict: Verdict,
    pub answer: Answer,
    /// For the app that made it.
    #[serde(skip)]
    pub state: CallState,
}

/// The answer of a call.
#[derive(Debug, Clone, PartialEq)]
pub enum Answer {
    Result(CallResult),
    /// There is no such tool; no hint why. An agent gets the protocol's own error for that.
    UnknownTool,
}

impl Answer {
    /// JSON-RPC's code for an unknown tool.
    pub const UNKNOWN_TOOL_CODE: i64 = -32602;
}

impl Serialize for Answer {
    /// The call result, or `{code, message}`.
    fn serialize<S: Serializer>(&self, to: S) -> Result<S::Ok, S::Error> {
        match self {
            Answer::Result(result) => result.serialize(to),
            Answer::UnknownTool => {
                serde_json::json!({"code": Answer::UNKNOWN_TOOL_CODE, "message": "unknown tool"})
                    .serialize(to)
            }
        }
    }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]
    use super::*;
    use crate::bridge::files::{FileId, NewFile, StoreError};
    use crate::broker::catalog::catalog;
    use crate::broker::grants::Grants;
    use crate::package::Capability;

    struct Nothing;

    impl FileStore for Nothing {
        fn get(&self, _: &AppId, _: &FileId) -> Result<Option<Vec<u8>>, StoreError> {
            Ok(None)
        }

        fn put(&mut self, _: &AppId, _: Vec<NewFile>) -> Result<Vec<FileId>, StoreError> {
            Err(StoreError::Unavailable)
        }
    }

    impl NotificationIds for Nothing {
        fn next(&mut self) -> std::io::Result<u128> {
            Ok(1)
        }
    }

    fn decided(name: &str) -> Decided {
        let all = catalog().scopes().map(|scope| Capability {
            scope: scope.id.clone(),
            why: "It is needed.".into(),
            origins: Vec::new(),
        });
        let capabilities = catalog().capabilities.iter();
        let request = Request {
            app: AppId::parse("acme.app").unwrap(),
            client: Client::Ui,
            name: name.into(),
            arguments: serde_json::json!({}),
        };
        request.decide(&Standing {
            manifest: &all.collect::<Vec<_>>(),
            grants: &Grants::default(),
            provided: &capabilities.map(|c| c.name.clone()).collect(),
            foreground: true,
        })
    }

    fn question() -> Question {
        match decided("windows.list") {
            Decided::Ask(question) => question,
            other => unreachable!("{other:?}"),
        }
    }

    fn running() -> Running {
        let Decided::Call(allowed) = decided("files.open") else {
            unreachable!()
        };
        match allowed.prepare(&[], MimeTypes::known(), &mut Nothing, &mut Nothing) {
            Prepared::Native(running) => running,
            Prepared::Closed(closed) => unreachable!("{closed:?}"),
        }
    }

    #[test]
    fn a_call_ends_in_the_state_of_what_ended_it_with_its_one_row() {
        let allowed = || match decided("files.open") {
            Decided::Call(allowed) => allowed,
            other => unreachable!("{other:?}"),
        };
        let denied = match question().resume(Consent::Denied) {
            Decided::Refused(closed) => closed,
            other => unreachable!("{other:?}"),
        };
        let answered = serde_json::json!({"structuredContent": {"files": []}});
        let done = running().finish(NativeAnswer::Result(answered), &mut Nothing);
        let closed_app = (CallState::Cancelled, "cancelled", Some(APP_CLOSED));
        let ends = [
            (question().cancel(), closed_app),
            (allowed().cancel(), closed_app),
            (running().cancel(), closed_app),
            (
                question().left(),
                (CallState::Cancelled, "denied", Some("consentNeeded")),
            ),
            (
                question().unasked(),
                (CallState::Rejected, "denied", Some("consentNeeded")),
            ),
            (
                denied,
                (CallState::Rejected, "denied", Some("consentDenied")),
            ),
            (
                running().unreached(),
                (CallState::Failed, "upstream", Some("unreachable")),
            ),
            (done, (CallState::Completed, "ok", None)),
        ];
        for (closed, (state, status, error)) in ends {
            let mut rows = Vec::new();
            let settled = closed.settle(&mut rows);
            assert_eq!(settled.state, state);
            let row = |row: &AuditRow| (row.status.as_str(), row.error);
            assert_eq!(rows.iter().map(row).collect::<Vec<_>>(), [(status, error)]);
            let said = serde_json::to_value(&settled).unwrap();
            assert!(said.get("state").is_none(), "it is the app's alone");
        }
    }
}
