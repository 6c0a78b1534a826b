//! What came of a reading, for whoever waits for it and for the audit: every call leaves one row, an answer of the last minute none.

use serde_json::{Map, Value, json};

use super::errand::Errand;
use super::reading::Reading;
use super::rule::Refusal;
use crate::app_id::AppId;
use crate::bridge::Ended;
use crate::bridge::result::CallResult;
use crate::broker::audit::{ArgsHash, AuditRow, Client, Outcome as Ending, Status};
use crate::broker::state::CallState;

/// What came of a reading.
#[derive(Debug, Clone, PartialEq)]
pub enum Outcome {
    /// An answer of the last minute.
    Kept(Value),
    /// The server was asked, and this is what it says.
    Answered(Value),
    Unread(Unread),
}

/// Why there is no answer.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Unread {
    Refused(Refusal),
    /// The tool says that it failed.
    Failed,
    /// There is too much in the answer.
    TooLarge,
    /// The server answered an error, or what is no answer.
    RpcError,
    /// The server does not run, or ended.
    Unreachable,
    /// The server took too long.
    Timeout,
    /// The server's token is not to be had from the keyring.
    NoToken,
    /// The server wants another token, or one at all.
    Unauthorized,
    /// The app was closed while it was called.
    AppClosed,
}

impl Unread {
    /// What a person reads of a server that gives no answer; `None` where it is no trouble of the server's.
    pub fn says(self) -> Option<&'static str> {
        match self {
            Unread::Refused(_) | Unread::AppClosed => None,
            Unread::Failed | Unread::RpcError => Some("answers with an error"),
            Unread::TooLarge => Some("answers too much"),
            Unread::Unreachable => Some("cannot be reached"),
            Unread::Timeout => Some("did not answer"),
            Unread::NoToken => Some("needs its token, and the keyring does not give it"),
            Unread::Unauthorized => Some("does not accept its token, or wants one"),
        }
    }

    fn row(self) -> (Status, Option<&'static str>) {
        let ended = |ended| {
            let ending = Ending::Bridged(ended);
            (ending.status(), ending.error())
        };
        match self {
            Unread::Refused(refusal) => (Status::Denied, Some(refusal.as_str())),
            Unread::Failed => ended(Ended::IsError),
            Unread::TooLarge => (Status::Upstream, Some("tooLarge")),
            Unread::RpcError => ended(Ended::RpcError),
            Unread::Unreachable => ended(Ended::Unreachable),
            Unread::Timeout => ended(Ended::Timeout),
            Unread::NoToken => (Status::Upstream, Some("noToken")),
            Unread::Unauthorized => (Status::Upstream, Some("unauthorized")),
            Unread::AppClosed => (Ending::AppClosed.status(), Ending::AppClosed.error()),
        }
    }
}

impl Outcome {
    /// What the audit keeps of a reading, of an app's own surface.
    pub fn row(&self, app: &AppId, reading: &Reading) -> Option<AuditRow> {
        self.row_of(app, Client::Ui, reading.name(), &reading.arguments)
    }

    /// What the audit keeps of a call.
    pub fn errand_row(&self, app: &AppId, client: Client, errand: &Errand) -> Option<AuditRow> {
        self.row_of(app, client, errand.to.to_string(), &errand.arguments)
    }

    fn row_of(
        &self,
        app: &AppId,
        client: Client,
        tool: String,
        arguments: &Map<String, Value>,
    ) -> Option<AuditRow> {
        if matches!(self, Outcome::Kept(_)) {
            return None;
        }
        let (status, error) = self.ended();
        Some(AuditRow {
            app_id: app.clone(),
            client_id: client,
            tool,
            status,
            error,
            args_hash: ArgsHash::of(&Value::Object(arguments.clone())),
        })
    }

    /// What another program hears of a call: `{verdict, answer}`, as of a capability's.
    pub fn said(&self, errand: &Errand) -> Value {
        let (verdict, reason) = match self {
            Outcome::Unread(Unread::Refused(Refusal::NoServer)) => ("unavailable", None),
            Outcome::Unread(Unread::Refused(refusal)) => ("denied", Some(refusal.as_str())),
            _ => ("call", None),
        };
        json!({"verdict": errand.verdict(verdict, reason), "answer": self.result()})
    }

    /// What whoever called is answered.
    pub fn result(&self) -> CallResult {
        match self {
            Outcome::Kept(value) | Outcome::Answered(value) => CallResult::ok(value.clone()),
            Outcome::Unread(_) => CallResult::error(self.error().unwrap_or_default()),
        }
    }

    /// How it ended, for the audit.
    pub fn ended(&self) -> (Status, Option<&'static str>) {
        match self {
            Outcome::Kept(_) | Outcome::Answered(_) => (Status::Ok, None),
            Outcome::Unread(unread) => unread.row(),
        }
    }

    /// The state it leaves a call in that was in `from`: one that had gone out, and was refused by what the server says of itself, has
    /// failed.
    pub fn state(&self, from: CallState) -> CallState {
        match self {
            Outcome::Unread(Unread::Refused(_)) if from == CallState::Executing => {
                CallState::Failed
            }
            Outcome::Kept(_) | Outcome::Answered(_) => CallState::Completed,
            Outcome::Unread(Unread::Refused(Refusal::NoServer | Refusal::UnknownTool)) => {
                CallState::Unsupported
            }
            Outcome::Unread(Unread::Refused(_)) => CallState::Rejected,
            Outcome::Unread(Unread::AppClosed) => CallState::Cancelled,
            Outcome::Unread(_) => CallState::Failed,
        }
    }

    /// Why there is no answer, in the one word that apps and the audit have for it.
    pub fn error(&self) -> Option<&'static str> {
        match self {
            Outcome::Kept(_) | Outcome::Answered(_) => None,
            Outcome::Unread(unread) => unread.row().1.or(Some("failed")),
        }
    }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]
    use super::*;

    #[test]
    fn a_call_can_always_come_to_the_state_its_outcome_says() {
        use CallState::{AwaitingApproval, Executing, Requested};
        let refusals = [
            Refusal::NotDeclared,
            Refusal::NotListed,
            Refusal::NoServer,
            Refusal::Denied,
            Refusal::Undecided,
            Refusal::UnknownTool,
            Refusal::Destructive,
            Refusal::NeedsForeground,
        ];
        for refusal in refusals {
            let outcome = Outcome::Unread(Unread::Refused(refusal));
            // The hub refuses what has gone out already.
            for from in [Requested, AwaitingApproval, Executing] {
                let to = outcome.state(from);
                assert_eq!(from.moved_to(to), Ok(to), "{refusal:?}");
            }
        }
        let ended = [
            Unread::Failed,
            Unread::TooLarge,
            Unread::RpcError,
            Unread::Unreachable,
            Unread::Timeout,
            Unread::NoToken,
            Unread::Unauthorized,
            Unread::AppClosed,
        ];
        let ended = ended.map(Outcome::Unread).into_iter();
        for outcome in ended.chain([Outcome::Answered(json!(1)), Outcome::Kept(json!(1))]) {
            let to = outcome.state(Executing);
            assert_eq!(Executing.moved_to(to), Ok(to), "{outcome:?}");
        }
    }

    #[test]
    fn every_call_leaves_a_row_without_its_arguments_and_a_kept_answer_none() {
        let app = AppId::parse("acme.rates").unwrap();
        let reading = Reading::parse("upstream:bank/rates?day=tuesday").unwrap();
        let row = |outcome: Outcome| {
            let row = outcome.row(&app, &reading)?;
            assert_eq!(
                (row.tool.as_str(), row.client_id),
                ("bank/rates", Client::Ui)
            );
            assert_eq!(row.args_hash, ArgsHash::of(&json!({"day": "tuesday"})));
            Some((row.status.as_str(), row.error))
        };
        assert_eq!(row(Outcome::Kept(json!(1))), None);
        assert_eq!(row(Outcome::Answered(json!(1))), Some(("ok", None)));
        for (unread, is) in [
            (
                Unread::Refused(Refusal::NotReadOnly),
                ("denied", Some("notReadOnly")),
            ),
            (Unread::Failed, ("failed", None)),
            (Unread::TooLarge, ("upstream", Some("tooLarge"))),
            (Unread::RpcError, ("upstream", Some("rpcError"))),
            (Unread::Unreachable, ("upstream", Some("unreachable"))),
            (Unread::Timeout, ("upstream", Some("timeout"))),
            (Unread::NoToken, ("upstream", Some("noToken"))),
            (Unread::Unauthorized, ("upstream", Some("unauthorized"))),
            (Unread::AppClosed, ("cancelled", Some("app_closed"))),
        ] {
            assert_eq!(row(Outcome::Unread(unread)), Some(is));
        }
    }
}
