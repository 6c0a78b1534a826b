//! What agents ask the person: a notice, a choice, a confirmation, a line of text. Pure: what may be asked ([`request`]), what is an answer
//! ([`answer`]), and how one of them goes on to its one end ([`interaction`]); [`call`] is an agent's call as it comes in. They are kept
//! beside the records ([`crate::records::Store::ask_person`]), and shown by the shell.
//!
//! What holds here
//! - **The first end wins.** What is answered, dismissed, expired or failed stays so; whoever comes later hears so, with the record.
//! - **An answer has the request's shape exactly**, or it is none.
//! - **Words are plain.** What an agent says is folded as it comes in ([`crate::plain`]): what is kept is what is shown.
//! - **An agent that asks often is slowed down** ([`brake`]), and one whose question was left waits.
//! - **Whose it is** is an agent in one of its conversations ([`agent`]): nobody else polls or dismisses it, or learns that it is there.

pub mod agent;
pub mod answer;
pub mod brake;
pub mod call;
pub mod interaction;
pub mod request;
pub mod row;

pub use agent::{
    AgentId, AppSessionId, AppSessions, CallId, Caller, ConversationId, NotItsSession,
};
pub use answer::Answer;
pub use brake::NotAsked;
pub use call::{Call, CallError, Tool};
pub use interaction::{Event, Interaction, Refused, State};
pub use request::{Action, ActionId, Matter, Request, RequestKind, Wanted};

#[cfg(test)]
mod tests;
