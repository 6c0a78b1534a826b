//! How far a call is, as the app that made it sees it: requested, perhaps waiting for the person, executing, ended. Nothing executes before
//! it was approved; what has ended stays so.

use serde::Serialize;

/// How far a call is.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "camelCase")]
pub enum CallState {
    /// It was made, and the broker has not answered.
    Requested,
    /// The person is asked.
    AwaitingApproval,
    /// It was approved, now or before, and is being done.
    Executing,
    Completed,
    /// It was done, and came to nothing.
    Failed,
    /// The person left the question, or the app was closed.
    Cancelled,
    /// The broker or the person said no.
    Rejected,
    /// The question was there longer than it was good for.
    Expired,
    /// Nobody here does such things.
    Unsupported,
}

/// A move that is not allowed.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[error("a call that is {} does not become {}", from.as_str(), to.as_str())]
pub struct Forbidden {
    pub from: CallState,
    pub to: CallState,
}

impl CallState {
    /// Every state there is.
    pub const ALL: [CallState; 9] = [
        CallState::Requested,
        CallState::AwaitingApproval,
        CallState::Executing,
        CallState::Completed,
        CallState::Failed,
        CallState::Cancelled,
        CallState::Rejected,
        CallState::Expired,
        CallState::Unsupported,
    ];

    /// Nothing comes after it.
    pub fn is_final(self) -> bool {
        !matches!(
            self,
            CallState::Requested | CallState::AwaitingApproval | CallState::Executing
        )
    }

    /// The state after a move to `to`.
    pub fn moved_to(self, to: CallState) -> Result<CallState, Forbidden> {
        use CallState::{
            AwaitingApproval, Cancelled, Completed, Executing, Expired, Failed, Rejected,
            Requested, Unsupported,
        };
        let next: &[CallState] = match self {
            // What was granted before needs no question.
            Requested => &[
                AwaitingApproval,
                Executing,
                Cancelled,
                Rejected,
                Unsupported,
            ],
            AwaitingApproval => &[Executing, Cancelled, Rejected, Expired, Unsupported],
            Executing => &[Completed, Failed, Cancelled],
            Completed | Failed | Cancelled | Rejected | Expired | Unsupported => &[],
        };
        match next.contains(&to) {
            true => Ok(to),
            false => Err(Forbidden { from: self, to }),
        }
    }

    /// The word an app reads.
    pub fn as_str(self) -> &'static str {
        match self {
            CallState::Requested => "requested",
            CallState::AwaitingApproval => "awaitingApproval",
            CallState::Executing => "executing",
            CallState::Completed => "completed",
            CallState::Failed => "failed",
            CallState::Cancelled => "cancelled",
            CallState::Rejected => "rejected",
            CallState::Expired => "expired",
            CallState::Unsupported => "unsupported",
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn nothing_executes_or_ends_well_before_it_was_approved_and_what_has_ended_stays_so() {
        for from in CallState::ALL {
            for to in CallState::ALL {
                let allowed = from.moved_to(to).is_ok();
                if allowed {
                    assert!(!from.is_final() && to != CallState::Requested && from != to);
                }
                // What is done has been executing, and what has been executing was done or cancelled.
                let done = matches!(to, CallState::Completed | CallState::Failed);
                assert!(!(allowed && done) || from == CallState::Executing);
                let ends = done || to == CallState::Cancelled;
                assert_eq!(
                    allowed && from == CallState::Executing,
                    ends && from == CallState::Executing
                );
            }
            let cancelled = from.moved_to(CallState::Cancelled);
            assert_eq!(cancelled.is_err(), from.is_final(), "{from:?}");
        }
        let asked = CallState::AwaitingApproval;
        assert!(asked.moved_to(CallState::Expired).is_ok());
        let said = CallState::Completed.moved_to(CallState::Failed).err();
        assert_eq!(
            said.map(|e| e.to_string()).as_deref(),
            Some("a call that is completed does not become failed")
        );
    }

    #[test]
    fn a_state_is_written_as_its_word() {
        for state in CallState::ALL {
            let written = serde_json::to_value(state).ok();
            assert_eq!(written, Some(state.as_str().into()));
        }
    }
}
