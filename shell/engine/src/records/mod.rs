//! Records: the data of the apps, in one SQLite database behind one thread.
//!
//! What holds here
//! - **One transaction per action.** A [`Batch`] lands whole or not at all, and leaves one row of history per write with the
//!   record before and after it. `synchronous=FULL` and WAL: what was acknowledged survives a `kill -9` and a power cut.
//! - **One evaluator.** eui-core's `records_value` decides every answer; SQL only fetches rows of one (app, kind), and of those that
//!   are kept in memory the ones that cannot matter are not handed to it. An answer is kept until a record it is made of changes.
//! - **Data is checked on the way in** against the kind's schema by eui-core, whoever writes.
//! - **Several processes at once.** The database is shared: the command line writes beside a running shell. Every read first asks
//!   SQLite whether another connection has committed (`PRAGMA data_version`), so it is never stale; and the store's thread sleeps
//!   on an inotify watch of the write-ahead log, so a write of another process wakes it without a timer and without that process
//!   knowing the shell is there. A socket would have needed both sides up and a notice sent after the commit, which a kill loses.
//!   What changed is read from the history, by (app, kind).
//! - **Trouble is a value.** A damaged database is moved aside under a name that is told, and a fresh one started; a locked or
//!   read-only one or a full disk is a typed error. A listener hears of each trouble once.
//!
//! - **What apps may do and did** lies beside what they keep: the person's decisions about scopes, the audit, the notifications that
//!   wait for their time, what agents ask the person and hand over.
//!
//! - **Files of apps** have their index here; their bytes lie in the folder beside ([`crate::blobs`]), which the sweep keeps in step.
//!
//! Touches: the database file it is given, its siblings (`-wal`, `-shm`, `.lock`), that folder, and nothing else.

mod allowed;
mod answer;
mod answers;
mod apply;
mod artifacts;
mod audit;
mod automations;
mod blobs;
mod bring;
mod cache;
mod cell;
mod database;
mod error;
mod grants;
mod groups;
mod id;
pub mod import;
mod installs;
mod interactions;
mod mailbox;
mod model;
mod moving;
mod narrow;
mod notices;
mod open;
mod query;
mod quota;
mod rate;
mod read;
mod rehearse;
mod removed;
mod schema;
mod sight;
mod state;
mod store;
mod sweep;
mod table;
mod tools;
mod undo;

#[cfg(test)]
pub(crate) use artifacts::MOST as MOST_ARTIFACTS;
pub use audit::{AuditQuery, Kept};
pub use automations::AutomationRuns;
pub use blobs::Blob;
pub use bring::Brought;
pub use error::StoreError;
pub use grants::{Decision, Decisions, Wish};
pub use id::{IdSource, RandomIds};
pub use installs::Install;
pub use interactions::{MOST_WAITING, MOST_WAITING_OF_ONE, Settled};
pub use model::{
    ActionId, Batch, Change, HistoryEntry, InvalidName, Kind, LOCAL, Operation, Put,
    RECORD_MAX_BYTES, Receipt, Record, RecordId, Via, Write,
};
pub use moving::Moving;
pub use notices::{Due, MOST_SCHEDULED, Notice, NoticeId, Tap};
pub use query::{QueryError, RecordsRequest, Viewer};
pub use quota::MOST_RECORDS;
pub use store::{Pending, Store, StoreEvent, StoreOptions};
pub use tools::ToolRan;
