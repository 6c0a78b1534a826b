//! The running apps: which instances there are, in which state, which one the person is at, and which of their calls run. An instance is
//! one opening of an app in one context; on this desktop it is an app's window. Widgets and popups show apps where a document puts them:
//! nobody launches or closes them, and they are no instances.
//!
//! The focus is a stack that only this changes, never an app. Pure: who calls says what time it is and where ids come from; whether a
//! window is on screen is the shell's affair.
//!
//! - [`Instances`] is the table, [`Instance`] one record of it, [`State`] what it may become
//! - [`Launch`] asks for an instance: the one that runs is used again
//! - [`Snapshot`] is what survives a restart

mod calls;
mod focus;
pub(crate) mod id;
mod record;
mod snapshot;
mod state;
mod table;
#[cfg(test)]
mod tests;

pub use calls::CallNumber;
pub use id::{AgentId, AppSessionId, Caller, ConversationId, Ids, InstanceId, InvalidId};
pub use record::{Instance, MOST_ERROR};
pub use snapshot::{Snapshot, SnapshotError, VERSION};
pub use state::{Forbidden, State};
pub use table::{Ended, Instances, Launch, LaunchError, Launched, MOST_ENDED, MoveError};
