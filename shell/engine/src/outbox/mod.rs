//! The outbox: writes of apps that wait for a server. A host without one (this desktop) writes through: the records are the authority,
//! and nothing here runs. A host with one keeps a queue for the account's apps together: an entry is kept before it is sent, what can be
//! sent at once answers its own call, the rest is sent in the order it came, and an entry lies over the synced rows until they show it.
//!
//! Where the queue is kept is the host's ([`OutboxLog`]), and so is who sends ([`Transport`]). Pure but for those two.

mod entry;
mod queue;

pub use entry::{Call, Entry, State, Write, WriteId, WriteOp};
pub use queue::{Outbox, Refusal, Reply, Submitted};

/// When a write of an app reaches the authority.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Mode {
    /// At once, in one transaction.
    Direct,
    /// Through the queue.
    Queue,
}

impl Mode {
    /// Of a host with a sync provider, or without.
    pub fn of(syncs: bool) -> Mode {
        if syncs { Mode::Queue } else { Mode::Direct }
    }

    pub fn as_str(self) -> &'static str {
        match self {
            Mode::Direct => "direct",
            Mode::Queue => "queue",
        }
    }
}

/// The log could not be read or written; in words for a person.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("what waits to be sent cannot be kept: {0}")]
pub struct LogFailed(pub String);

/// Where a host keeps the queue. What a method has answered `Ok` to survives the process.
pub trait OutboxLog {
    /// Every entry, the oldest first.
    ///
    /// # Errors
    /// It cannot be read.
    fn entries(&self) -> Result<Vec<Entry>, LogFailed>;

    /// One more, behind the others.
    ///
    /// # Errors
    /// It was not kept.
    fn push(&mut self, entry: &Entry) -> Result<(), LogFailed>;

    /// The server has it, since this moment.
    ///
    /// # Errors
    /// It was not kept.
    fn ack(&mut self, id: &WriteId, at: jiff::Timestamp) -> Result<(), LogFailed>;

    /// It is done with.
    ///
    /// # Errors
    /// It was not kept.
    fn remove(&mut self, id: &WriteId) -> Result<(), LogFailed>;
}

/// Who sends an entry to the server and waits for its answer. The server answers a write id it knows as it did the first time.
pub trait Transport {
    fn send(&mut self, entry: &Entry) -> Reply;
}
