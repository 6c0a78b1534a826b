//! Who asks: an agent, in one of its conversations, perhaps about a session it has with an app. Names without a meaning of their own.

use crate::instances::Instances;
use crate::instances::id::id;
pub use crate::instances::{AppSessionId, ConversationId};

id!(
    /// An agent: the shell's own, or the name the person has paired another by.
    AgentId
);
id!(
    /// A call of an agent's that waits for the person: what it polls and dismisses by.
    CallId
);

impl AgentId {
    /// The shell's own agent.
    pub fn shell() -> AgentId {
        AgentId("shell".into())
    }

    /// Is it the shell's own?
    pub fn is_shell(&self) -> bool {
        &*self.0 == "shell"
    }
}

/// Who calls. A conversation is one agent's: its id is the hub's to make, never an agent's.
#[derive(Debug, Clone, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Caller {
    pub agent: AgentId,
    pub conversation: ConversationId,
}

/// Knows whose the sessions with apps are, those that have ended too.
pub trait AppSessions {
    /// Is it a session of this agent in this conversation?
    fn is_of(&self, session: &AppSessionId, caller: &Caller) -> bool;
}

impl AppSessions for Instances {
    fn is_of(&self, session: &AppSessionId, caller: &Caller) -> bool {
        let found = self.session(session);
        found.is_some_and(|i| i.conversation_id.as_ref() == Some(&caller.conversation))
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
