//! Upstreams: MCP servers that the person has set up. A package may name them, read from them through its bindings, and have them do
//! what the person allows; it never brings a command or an address of its own. What is pure of that is here, the connections are the shell's.
//!
//! - [`servers`] is the person's list, a file of theirs
//! - [`reading`] is what a binding spells: `upstream:<server>/<tool>?<arguments>`
//! - [`errand`] is what an app has a server do
//! - [`rule`] says whether an app may read so, and whether a tool only reads
//! - [`answer`] is what a tool's answer is worth, [`cache`] how long, [`outcome`] what the audit keeps of it

pub mod answer;
pub mod cache;
pub mod errand;
pub mod outcome;
pub mod reading;
pub mod rule;
pub mod servers;

pub use errand::{Errand, ServerTool};
pub use outcome::{Outcome, Unread};
pub use reading::Reading;
pub use rule::{Hints, Refusal, Relation};
pub use servers::{Server, ServerName, Servers};
