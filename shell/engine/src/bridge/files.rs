//! The files of apps, as the bridge needs them, and the ids it makes. Where bytes are kept, and where chance comes from, is the
//! host's.

use serde::{Deserialize, Serialize};

use crate::app_id::AppId;

/// The id of a stored file. It belongs to one app; to another it is no id at all.
#[derive(Debug, Clone, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(transparent)]
pub struct FileId(String);

impl FileId {
    pub fn new(id: impl Into<String>) -> FileId {
        FileId(id.into())
    }

    pub fn as_str(&self) -> &str {
        &self.0
    }
}

/// A file to store.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct NewFile {
    pub name: String,
    pub mime_type: String,
    pub bytes: Vec<u8>,
}

/// The store refused or failed; its answer to the caller is the word alone.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub enum StoreError {
    /// The app has no room left.
    #[error("quotaExceeded")]
    Quota,
    /// The store does not work at the moment.
    #[error("unavailable")]
    Unavailable,
}

/// Files by app and id.
pub trait FileStore {
    /// The bytes of a file of this app; `None` when it has no such file.
    ///
    /// # Errors
    /// The store does not work.
    fn get(&self, app: &AppId, id: &FileId) -> Result<Option<Vec<u8>>, StoreError>;

    /// Store files of this app, all or none, and answer their ids in the same order.
    ///
    /// # Errors
    /// There is no room, or the store does not work; nothing was stored.
    fn put(&mut self, app: &AppId, files: Vec<NewFile>) -> Result<Vec<FileId>, StoreError>;
}

/// Where the ids of notifications that an app gives none come from.
pub trait NotificationIds {
    /// 128 bits nobody can guess and nobody had before.
    ///
    /// # Errors
    /// There is no chance to be had.
    fn next(&mut self) -> std::io::Result<u128>;
}
