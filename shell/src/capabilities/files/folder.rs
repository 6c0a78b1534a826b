//! What is in a folder, as the shell's own file sheet shows it: folders first, hidden entries and what is neither a folder nor a file left
//! out. Reading may take as long as a disk or a network takes.

use std::ffi::OsString;
use std::fs;
use std::path::Path;

use ede_engine::plain;

/// The entries of a folder that are shown; of more, the rest is told.
const MOST: usize = 2000;

/// One entry.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Entry {
    pub name: OsString,
    pub is_folder: bool,
    /// Of a file, in bytes.
    pub size: u64,
}

impl Entry {
    /// Its name, for people.
    pub fn shown(&self) -> String {
        plain::line(&self.name.to_string_lossy(), 255)
    }
}

/// What was found.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Listing {
    pub entries: Vec<Entry>,
    /// There are more than are shown.
    pub more: bool,
}

/// The entries of `folder`; `None` where it cannot be read.
pub fn list(folder: &Path) -> Option<Listing> {
    let entry = |found: fs::DirEntry| {
        let name = found.file_name();
        if name.as_encoded_bytes().starts_with(b".") {
            return None;
        }
        // A link is what it leads to.
        let meta = fs::metadata(found.path()).ok()?;
        (meta.is_dir() || meta.is_file()).then(|| Entry {
            name,
            is_folder: meta.is_dir(),
            size: meta.len(),
        })
    };
    let mut entries: Vec<Entry> = fs::read_dir(folder)
        .ok()?
        .flatten()
        .filter_map(entry)
        .collect();
    entries.sort_by_cached_key(|e| (!e.is_folder, e.shown().to_lowercase(), e.name.clone()));
    let more = entries.len() > MOST;
    entries.truncate(MOST);
    Some(Listing { entries, more })
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]
    use super::*;

    #[test]
    fn folders_come_first_and_what_is_hidden_or_no_file_is_left_out() {
        let dir = tempfile::tempdir().unwrap();
        let at = |name: &str| dir.path().join(name);
        for file in ["b.txt", "A.txt", ".hidden"] {
            fs::write(at(file), "abc").unwrap();
        }
        for folder in ["zoo", "Music", ".cache"] {
            fs::create_dir(at(folder)).unwrap();
        }
        std::os::unix::fs::symlink("/dev/null", at("null")).unwrap();
        std::os::unix::fs::symlink(at("zoo"), at("link")).unwrap();
        let listing = list(dir.path()).unwrap();
        let names: Vec<String> = listing.entries.iter().map(Entry::shown).collect();
        assert_eq!(names, ["link", "Music", "zoo", "A.txt", "b.txt"]);
        assert_eq!((listing.entries[3].size, listing.more), (3, false));
        assert_eq!(list(&at("A.txt")), None);
    }
}
