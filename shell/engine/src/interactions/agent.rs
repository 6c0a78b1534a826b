//! Who asks: an agent, in one of its conversations, perhaps about a session it has with an app. Names without a meaning of their own.

use crate::instances::Instances;
use crate::instances::id::id;
pub use crate::instances::{AgentId, AppSessionId, Caller, ConversationId};

id!(
    /// A call of an agent's that waits for the person: what it polls and dismisses by.
    CallId
);

/// Knows whose the sessions with apps are, those that have ended too.
pub trait AppSessions {
    /// Is it a session of this agent in this conversation?
    fn is_of(&self, session: &AppSessionId, caller: &Caller) -> bool;
}

impl AppSessions for Instances {
    fn is_of(&self, session: &AppSessionId, caller: &Caller) -> bool {
        let found = self.session(session);
        found.is_some_and(|i| i.is_in(Some(caller)))
    }
}

/// A request names a session that is not its agent's and conversation's: nothing is asked.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[error("notFound: appSession")]
pub struct NotItsSession;

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_shells_own_agent_goes_by_a_name_as_others_do() {
        assert_eq!(AgentId::parse("shell"), Ok(AgentId::shell()));
        assert!(AgentId::parse("claude-code").is_ok_and(|agent| !agent.is_shell()));
    }
}
