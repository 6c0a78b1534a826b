//! What agents hand over: a file of theirs, known by its metadata. The bytes are a file of the file store ([`crate::blobs`]) behind a
//! reference that says nothing: no path, no address, and no agent ever hears it. Whole means that the bytes are as many as was said and have
//! the hash that was said; nothing else can be saved. What is whole is offered to the person on a card of its own
//! ([`Request::to_save`](crate::interactions::Request::to_save)).
//!
//! Touches: the store and its files. Keeping and reading wait for the disk.

pub mod call;

pub use call::Call;

use jiff::Timestamp;
use serde_json::{Value, json};
use sha2::{Digest, Sha256};

use crate::app_id::AppId;
use crate::blobs::FILE_MAX_BYTES;
use crate::bridge::files::{FileId, FileStore, NewFile, StoreError};
use crate::clock::iso;
use crate::interactions::Caller;
use crate::records::Store;

/// The largest one that is spoken of: 512 MiB. Of one whose bytes are kept, [`FILE_MAX_BYTES`].
pub const MAX_BYTES: u64 = 512 * 1024 * 1024;

/// Whose files they are in the file store. The id is reserved: no app is called so.
pub(crate) const OWNER: &str = "ede.artifacts";

/// What an artifact is known by.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub struct ArtifactId(pub(crate) String);

impl ArtifactId {
    /// The id that `text` spells; whether there is such an artifact the store knows.
    pub fn new(text: impl Into<String>) -> ArtifactId {
        ArtifactId(text.into())
    }

    pub fn as_str(&self) -> &str {
        &self.0
    }
}

/// Is it what it was said to be?
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Integrity {
    /// Its bytes have the hash that was said.
    Verified,
    /// No hash was said, or no bytes are here.
    Unverified,
    /// Its bytes are others; they were not kept.
    Failed,
}

impl Integrity {
    const ALL: [Integrity; 3] = [
        Integrity::Verified,
        Integrity::Unverified,
        Integrity::Failed,
    ];

    /// The integrity called `name`.
    pub fn parse(name: &str) -> Option<Integrity> {
        Integrity::ALL.into_iter().find(|i| i.as_str() == name)
    }

    pub fn as_str(self) -> &'static str {
        match self {
            Integrity::Verified => "verified",
            Integrity::Unverified => "unverified",
            Integrity::Failed => "failed",
        }
    }
}

/// SHA-256, as 64 lower-case hex digits.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Hash(String);

impl Hash {
    /// The hash of these bytes.
    pub fn of(bytes: &[u8]) -> Hash {
        let digest = Sha256::digest(bytes);
        Hash(digest.iter().map(|byte| format!("{byte:02x}")).collect())
    }

    /// The hash that `text` spells.
    pub fn parse(text: &str) -> Option<Hash> {
        let hex = |b: u8| b.is_ascii_digit() || (b'a'..=b'f').contains(&b);
        (text.len() == 64 && text.bytes().all(hex)).then(|| Hash(text.into()))
    }

    pub fn as_str(&self) -> &str {
        &self.0
    }
}

/// What an agent says of a file it hands over.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Offer {
    /// As the name of a file: no path, nothing hidden.
    pub name: String,
    pub mime_type: String,
    /// In bytes.
    pub size: u64,
    pub hash: Option<Hash>,
}

impl Offer {
    /// What these bytes are to what was said.
    pub fn judge(&self, bytes: &[u8]) -> Integrity {
        if bytes.len() as u64 != self.size {
            return Integrity::Failed;
        }
        match &self.hash {
            None => Integrity::Unverified,
            Some(said) if *said == Hash::of(bytes) => Integrity::Verified,
            Some(_) => Integrity::Failed,
        }
    }
}

/// One that is known.
#[derive(Debug, Clone, PartialEq)]
pub struct Artifact {
    pub id: ArtifactId,
    pub caller: Caller,
    pub offer: Offer,
    pub integrity: Integrity,
    pub created_at: Timestamp,
    /// Where its bytes are; nobody outside is told.
    pub(crate) local_ref: Option<FileId>,
}

impl Artifact {
    /// Is it known to be what it was said to be? What is not cannot be saved.
    pub fn is_whole(&self) -> bool {
        self.integrity == Integrity::Verified
    }

    /// What its agent and the person hear of it.
    pub fn told(&self) -> Value {
        json!({
            "id": self.id.as_str(), "name": self.offer.name, "mimeType": self.offer.mime_type, "size": self.offer.size,
            "integrity": self.integrity.as_str(), "createdAt": iso(self.created_at),
        })
    }
}

/// Why one is not kept, or cannot be saved.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub enum Refused {
    /// Its bytes are more than the file store keeps of one file.
    #[error("tooLarge")]
    TooLarge,
    /// There is no room for it, or the agent has handed over too many.
    #[error("quotaExceeded")]
    Quota,
    /// Not of this agent in this conversation.
    #[error("notFound: artifact")]
    Unknown,
    /// It is not known to be whole.
    #[error("notVerified")]
    NotVerified,
    #[error("unavailable")]
    Unavailable,
}

/// A whole one, to be saved where the person says.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Saveable {
    pub name: String,
    pub bytes: Vec<u8>,
}

/// The artifacts of a store.
#[derive(Clone)]
pub struct Artifacts {
    store: Store,
}

impl Artifacts {
    pub fn new(store: Store) -> Artifacts {
        Artifacts { store }
    }

    /// Keep what `caller` hands over, with its bytes where they are here. Bytes that are not what was said are not kept; that they were
    /// others is.
    ///
    /// # Errors
    /// Nothing is kept.
    pub fn keep(
        &self,
        caller: Caller,
        offer: Offer,
        bytes: Option<Vec<u8>>,
    ) -> Result<Artifact, Refused> {
        let integrity = match &bytes {
            Some(bytes) if bytes.len() > FILE_MAX_BYTES => return Err(Refused::TooLarge),
            Some(bytes) => offer.judge(bytes),
            None => Integrity::Unverified,
        };
        // Before its bytes take the room of others'.
        let room = self.store.has_room_for_artifact(caller.agent.clone());
        if !room.wait().map_err(|_| Refused::Unavailable)? {
            return Err(Refused::Quota);
        }
        let bytes = bytes.filter(|_| integrity != Integrity::Failed);
        let local_ref = bytes.map(|bytes| self.put(&offer, bytes)).transpose()?;
        // Bytes that nothing speaks of go with the sweep.
        let kept = self
            .store
            .keep_artifact(caller, offer, integrity, local_ref);
        kept.wait()
            .map_err(|_| Refused::Unavailable)?
            .ok_or(Refused::Quota)
    }

    fn put(&self, offer: &Offer, bytes: Vec<u8>) -> Result<FileId, Refused> {
        let file = NewFile {
            name: offer.name.clone(),
            mime_type: offer.mime_type.clone(),
            bytes,
        };
        let put = self.store.blobs().put(&owner()?, vec![file]);
        let ids = put.map_err(|error| match error {
            StoreError::Quota => Refused::Quota,
            StoreError::Unavailable => Refused::Unavailable,
        })?;
        ids.into_iter().next().ok_or(Refused::Unavailable)
    }

    /// One of `caller`'s, to be saved. Its bytes are held against the hash once more.
    ///
    /// # Errors
    /// It is not whole, or not `caller`'s.
    pub fn saveable(&self, caller: Caller, id: ArtifactId) -> Result<Saveable, Refused> {
        let found = self.store.artifact(caller, id).wait();
        let found = found.map_err(|_| Refused::Unavailable)?;
        let found = found.ok_or(Refused::Unknown)?;
        let place = found.local_ref.as_ref();
        let place = place.filter(|_| found.integrity == Integrity::Verified);
        let place = place.ok_or(Refused::NotVerified)?;
        let read = self.store.blobs().get(&owner()?, place);
        let bytes = read.map_err(|_| Refused::Unavailable)?;
        let bytes = bytes.ok_or(Refused::Unavailable)?;
        if found.offer.judge(&bytes) != Integrity::Verified {
            return Err(Refused::NotVerified);
        }
        Ok(Saveable {
            name: found.offer.name,
            bytes,
        })
    }
}

fn owner() -> Result<AppId, Refused> {
    AppId::parse(OWNER).map_err(|_| Refused::Unavailable)
}

#[cfg(test)]
mod tests;
