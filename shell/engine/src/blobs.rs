//! The files of apps: the bytes, one file each, in a folder of their own beside the database that has their index
//! ([`crate::records`]). Bytes are whole on the disk before the index names them, and go after it has forgotten them: a kill at any
//! moment leaves at worst bytes that no app has, which the records' sweep finds and removes 30 days later (by then nobody restores the
//! database that knew them). A row without its bytes is no file.
//!
//! How long a file lives: as long as a record of its app names it, in the trash too, or for a week where none does. A removed app's
//! wait with its records.
//!
//! Touches: the folder it is given, and the store. Everything here waits for the disk: not for the thread that paints, nor for the
//! store's callbacks.

use std::collections::BTreeSet;
use std::fs;
use std::io::{self, ErrorKind, Read};
use std::path::{Path, PathBuf};

use crate::app_id::AppId;
use crate::bridge::files::{FileId, FileStore, NewFile, StoreError};
use crate::files;
use crate::records::{Blob, Store};
use crate::uuid::{is_uuid, spell};

/// The largest file an app keeps: 32 MiB.
pub const FILE_MAX_BYTES: usize = 32 * 1024 * 1024;
/// What the files of one app take at most: 256 MiB, each counted in whole blocks of 4 KiB.
pub const APP_MAX_BYTES: u64 = 256 * 1024 * 1024;

/// The folder with the bytes. Each file is named by its id.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Folder(PathBuf);

impl Folder {
    /// The one that belongs to the database at `records`.
    pub fn beside(records: &Path) -> Folder {
        Folder(records.with_file_name("files"))
    }

    // Only a UUID in lower case is an id, so that no id is a path.
    fn of(&self, id: &FileId) -> Option<PathBuf> {
        is_uuid(id.as_str()).then(|| self.0.join(id.as_str()))
    }

    /// The names in it that can only be ours: files, and what a kill left of one that was being written.
    pub fn names(&self) -> BTreeSet<String> {
        let entries = fs::read_dir(&self.0).into_iter().flatten().flatten();
        let names = entries.filter_map(|entry| entry.file_name().into_string().ok());
        names.filter(|name| is_ours(name)).collect()
    }

    /// Remove these, by the names [`Folder::names`] answers. One that cannot be removed is met again by the next sweep.
    pub fn remove(&self, names: impl IntoIterator<Item = String>) {
        for name in names.into_iter().filter(|name| is_ours(name)) {
            if let Err(error) = files::remove(&self.0.join(name)) {
                tracing::warn!("a file of an app's stays: {error}");
            }
        }
    }
}

fn is_ours(name: &str) -> bool {
    let temporary = name.strip_prefix('.').filter(|n| n.ends_with(".tmp"));
    is_uuid(temporary.and_then(|n| n.get(..36)).unwrap_or(name))
}

/// The ids that stand in `text`, wherever they stand.
pub(crate) fn ids_in(text: &str) -> impl Iterator<Item = &str> {
    let dashes = text.match_indices('-').map(|(at, _)| at);
    dashes.filter_map(|at| {
        let id = text.get(at.checked_sub(8)?..)?.get(..36)?;
        is_uuid(id).then_some(id)
    })
}

/// A UUID of version 4: 122 bits nobody can guess.
fn new_id() -> io::Result<FileId> {
    let mut random = [0; 16];
    fs::File::open("/dev/urandom")?.read_exact(&mut random)?;
    Ok(FileId::new(spell(u128::from_be_bytes(random), 4)))
}

/// The files of apps, as the bridge reads and writes them. Clones share one store.
#[derive(Clone)]
pub struct Blobs {
    store: Store,
    folder: Folder,
}

impl Blobs {
    pub(crate) fn new(store: Store, folder: Folder) -> Blobs {
        Blobs { store, folder }
    }

    /// Whole on the disk, in order; on an error none of them is there.
    fn write(&self, new: &[(FileId, NewFile)]) -> Result<(), StoreError> {
        let write = |(id, file): &(FileId, NewFile)| {
            let path = self.folder.of(id)?;
            files::replace(&path, &file.bytes, files::PRIVATE_FILE)
                .map_err(|error| tracing::warn!("a file of an app's is not kept: {error}"))
                .ok()
        };
        let made = files::private_dir(&self.folder.0)
            .map_err(|error| tracing::warn!("files of apps are not kept: {error}"));
        if made.is_err() || new.iter().any(|file| write(file).is_none()) {
            self.take_back(new);
            return Err(StoreError::Unavailable);
        }
        Ok(())
    }

    fn take_back(&self, new: &[(FileId, NewFile)]) {
        let names = new.iter().map(|(id, _)| id.as_str().to_owned());
        self.folder.remove(names);
    }
}

impl FileStore for Blobs {
    fn get(&self, app: &AppId, id: &FileId) -> Result<Option<Vec<u8>>, StoreError> {
        let found = self.store.blob(app.clone(), id.clone()).wait();
        let Some(blob) = found.map_err(|_| StoreError::Unavailable)? else {
            return Ok(None);
        };
        let Some(path) = self.folder.of(&blob.id) else {
            return Ok(None);
        };
        match files::read_regular(&path, FILE_MAX_BYTES) {
            Ok(bytes) => Ok(Some(bytes).filter(|bytes| bytes.len() as u64 == blob.size)),
            Err(error) if error.kind() == Some(ErrorKind::NotFound) => Ok(None),
            Err(error) => {
                tracing::warn!("a file of an app's is not read: {error}");
                Err(StoreError::Unavailable)
            }
        }
    }

    fn put(&mut self, app: &AppId, new: Vec<NewFile>) -> Result<Vec<FileId>, StoreError> {
        let whole: u64 = new.iter().map(|file| file.bytes.len() as u64).sum();
        let too_large = new.iter().any(|file| file.bytes.len() > FILE_MAX_BYTES);
        if too_large || whole > APP_MAX_BYTES {
            return Err(StoreError::Quota);
        }
        let new: Vec<(FileId, NewFile)> = new
            .into_iter()
            .map(|file| Ok((new_id()?, file)))
            .collect::<io::Result<_>>()
            .map_err(|_| StoreError::Unavailable)?;
        self.write(&new)?;
        let blob = |(id, file): &(FileId, NewFile)| Blob {
            id: id.clone(),
            name: file.name.clone(),
            mime_type: file.mime_type.clone(),
            size: file.bytes.len() as u64,
        };
        let blobs = new.iter().map(blob).collect();
        let refused = match self.store.keep_blobs(app.clone(), blobs).wait() {
            Ok(true) => return Ok(new.into_iter().map(|(id, _)| id).collect()),
            Ok(false) => StoreError::Quota,
            Err(_) => StoreError::Unavailable,
        };
        self.take_back(&new);
        Err(refused)
    }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]
    use super::*;

    #[test]
    fn ids_are_uuids_and_nothing_else_is_one() {
        let id = new_id().unwrap();
        assert!(is_uuid(id.as_str()), "{id:?}");
        assert_eq!(&id.as_str()[14..15], "4");
        assert!("89ab".contains(&id.as_str()[19..20]));
        assert_ne!(id, new_id().unwrap());
        let upper = id.as_str().to_uppercase();
        for other in [
            "",
            "..",
            "../records.db",
            "/etc/passwd",
            upper.as_str(),
            "00000000-0000-0000-0000-00000000000/",
        ] {
            assert_eq!(Folder("/x".into()).of(&FileId::new(other)), None, "{other}");
        }
    }

    #[test]
    fn only_names_that_are_ours_are_swept() {
        let id = new_id().unwrap();
        let id = id.as_str();
        assert!(is_ours(id) && is_ours(&format!(".{id}.7-1.tmp")));
        assert!(!is_ours(&format!("{id}.bak")) && !is_ours("notes.txt") && !is_ours(".x.tmp"));
    }

    #[test]
    fn ids_are_found_in_whatever_a_record_says() {
        let (one, two) = (new_id().unwrap(), new_id().unwrap());
        let (one, two) = (one.as_str(), two.as_str());
        let text = format!(
            r#"{{"a":"/api/attachments/{one}","b":["ü-{two}-","{}"]}}"#,
            &two[1..]
        );
        assert_eq!(ids_in(&text).collect::<Vec<_>>(), [one, two]);
        assert_eq!(ids_in("------------------ü-------------------").count(), 0);
    }
}
