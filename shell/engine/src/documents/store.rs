//! Documents as files: `<id>.ede-ui.json` in the person's `ui` folder. Reads and writes only where it is told.

use std::fs;
use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};

use super::{Document, ParsedDocument};
use crate::files::{self, FileError};
use crate::issue::Issue;
use crate::source::Limits;

/// What every document's file name ends in.
pub const SUFFIX: &str = ".ede-ui.json";

/// Why a document was not written.
#[derive(Debug, thiserror::Error)]
pub enum WriteError {
    #[error("the document is read-only, {}, make it writable to change it", path.display())]
    ReadOnly { path: PathBuf },
    #[error("the document has changed since it was read, {}, read it again", path.display())]
    Changed { path: PathBuf },
    #[error(transparent)]
    File(#[from] FileError),
}

/// The file of the document called `id` in a folder.
pub fn path_of(folder: &Path, id: &str) -> PathBuf {
    folder.join(format!("{id}{SUFFIX}"))
}

/// Every document of a folder with its file, in the order of the file names. Hidden files and other names are none.
///
/// # Errors
/// The folder cannot be read.
pub fn list(folder: &Path) -> Result<Vec<PathBuf>, std::io::Error> {
    let mut found: Vec<PathBuf> = fs::read_dir(folder)?
        .filter_map(|entry| entry.ok().map(|e| e.path()))
        .filter(|path| is_document(path))
        .collect();
    found.sort();
    Ok(found)
}

/// Does the path name a document's file?
pub fn is_document(path: &Path) -> bool {
    path.file_name()
        .and_then(|n| n.to_str())
        .is_some_and(|name| {
            name.ends_with(SUFFIX) && !name.starts_with('.') && name.len() > SUFFIX.len()
        })
}

/// Read one document's file.
///
/// # Errors
/// The file cannot be read; what is wrong inside it is in the answer.
pub fn read(path: &Path) -> Result<ParsedDocument, FileError> {
    // One byte over the limit is enough to be refused with the document's own words.
    let bytes = match files::read_regular(path, Limits::DOCUMENT.bytes) {
        Err(error) if error.kind() == Some(std::io::ErrorKind::FileTooLarge) => {
            let message = format!(
                "a document is at most {} KB: make it smaller",
                Limits::DOCUMENT.bytes / 1024
            );
            return Ok(ParsedDocument {
                document: None,
                issues: vec![Issue::new("", message)],
                notes: Vec::new(),
            });
        }
        read => read?,
    };
    Ok(Document::read(&bytes))
}

/// Replace a document's file in one step; a symbolic link stays and its target is written. With `expected`, only when
/// the file still holds those bytes (`None` inside: only when there is no file).
///
/// # Errors
/// The document is read-only, has changed, or the system refused; the old file stands.
pub fn write(path: &Path, bytes: &[u8], expected: Option<Option<&[u8]>>) -> Result<(), WriteError> {
    let target = target(path);
    if let Some(expected) = expected {
        let now = fs::read(&target).ok();
        if now.as_deref() != expected {
            return Err(WriteError::Changed {
                path: path.to_owned(),
            });
        }
    }
    let now = fs::metadata(&target).map(|m| m.permissions()).ok();
    if now.as_ref().is_some_and(fs::Permissions::readonly) {
        return Err(WriteError::ReadOnly {
            path: path.to_owned(),
        });
    }
    let mode = now.map_or(files::PRIVATE_FILE, |p| p.mode() & 0o777);
    Ok(files::replace(&target, bytes, mode)?)
}

/// Where a path's bytes are: through symbolic links, as far as they lead anywhere.
fn target(path: &Path) -> PathBuf {
    if let Ok(real) = fs::canonicalize(path) {
        return real;
    }
    // A dangling link names a file that is not there yet.
    match fs::read_link(path) {
        Ok(link) if link.is_absolute() => link,
        Ok(link) => path.parent().unwrap_or(Path::new(".")).join(link),
        Err(_) => path.to_owned(),
    }
}

#[cfg(test)]
#[allow(clippy::unwrap_used, clippy::expect_used)]
mod tests {
    use super::*;
    use std::os::unix::fs::symlink;

    #[test]
    fn a_linked_document_is_written_through_its_target() {
        let dir = tempfile::tempdir().unwrap();
        let real = dir.path().join("dotfiles.json");
        fs::write(&real, "old").unwrap();
        let link = path_of(dir.path(), "panel-top");
        symlink("dotfiles.json", &link).unwrap();
        write(&link, b"new", None).unwrap();
        assert_eq!(fs::read_to_string(&real).unwrap(), "new");
        assert!(fs::symlink_metadata(&link).unwrap().is_symlink());
    }

    #[test]
    fn a_dangling_link_gets_its_file() {
        let dir = tempfile::tempdir().unwrap();
        let link = path_of(dir.path(), "a");
        symlink("later.json", &link).unwrap();
        write(&link, b"x", None).unwrap();
        assert_eq!(
            fs::read_to_string(dir.path().join("later.json")).unwrap(),
            "x"
        );
    }

    #[test]
    fn a_read_only_document_is_refused_and_stands() {
        let dir = tempfile::tempdir().unwrap();
        let path = path_of(dir.path(), "a");
        fs::write(&path, "old").unwrap();
        fs::set_permissions(&path, fs::Permissions::from_mode(0o444)).unwrap();
        let error = write(&path, b"new", None).unwrap_err();
        assert!(
            error.to_string().starts_with("the document is read-only, "),
            "{error}"
        );
        assert_eq!(fs::read_to_string(&path).unwrap(), "old");
    }

    #[test]
    fn a_document_changed_meanwhile_is_not_overwritten() {
        let dir = tempfile::tempdir().unwrap();
        let path = path_of(dir.path(), "a");
        write(&path, b"one", Some(None)).unwrap();
        assert!(matches!(
            write(&path, b"two", Some(None)),
            Err(WriteError::Changed { .. })
        ));
        assert!(matches!(
            write(&path, b"two", Some(Some(b"zero"))),
            Err(WriteError::Changed { .. })
        ));
        write(&path, b"two", Some(Some(b"one"))).unwrap();
        assert_eq!(fs::read_to_string(&path).unwrap(), "two");
    }

    #[test]
    fn only_documents_are_listed() {
        let dir = tempfile::tempdir().unwrap();
        for name in [
            "b.ede-ui.json",
            "a.ede-ui.json",
            ".c.ede-ui.json",
            "d.json",
            ".ede-ui.json",
        ] {
            fs::write(dir.path().join(name), "").unwrap();
        }
        let names: Vec<_> = list(dir.path())
            .unwrap()
            .into_iter()
            .map(|p| p.file_name().unwrap().to_owned())
            .collect();
        assert_eq!(names, ["a.ede-ui.json", "b.ede-ui.json"]);
    }
}
