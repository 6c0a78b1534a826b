//! Who asks: an agent, in one of its conversations, perhaps about a session it has with an app. Names without a meaning of their own.

use std::fmt;
use std::sync::Arc;

use crate::instances::Instances;
pub use crate::instances::{AppSessionId, ConversationId};

/// The longest name (characters).
const LONGEST: usize = 128;

fn is_name(text: &str) -> bool {
    (1..=LONGEST).contains(&text.len())
        && text
            .bytes()
            .all(|b| b.is_ascii_alphanumeric() || b"._:-".contains(&b))
}

macro_rules! name {
    ($(#[$about:meta])* $name:ident) => {
        $(#[$about])*
        #[derive(Debug, Clone, PartialEq, Eq, Hash, PartialOrd, Ord)]
        pub struct $name(Arc<str>);

        impl $name {
            /// The name that `text` spells: 1 to 128 of `[A-Za-z0-9._:-]`.
            pub fn parse(text: &str) -> Option<$name> {
                is_name(text).then(|| $name(text.into()))
            }

            pub fn as_str(&self) -> &str {
                &self.0
            }
        }

        impl fmt::Display for $name {
            fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str(&self.0)
            }
        }
    };
}

name!(
    /// An agent: the shell's own, or the name the person has paired another by.
    AgentId
);
name!(
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
    fn names_are_short_and_of_few_characters() {
        for good in ["shell", "claude-code", "a.b:c_d-1", &"x".repeat(128)] {
            assert!(AgentId::parse(good).is_some(), "{good}");
        }
        for bad in ["", "a b", "a/b", "ü", "a\n", "..\\x", &"x".repeat(129)] {
            assert_eq!(CallId::parse(bad), None, "{bad:?}");
        }
        assert_eq!(AgentId::parse("shell"), Some(AgentId::shell()));
    }
}
