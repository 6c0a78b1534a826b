//! The list of servers as a file: `upstreams.json` beside the folder of documents, this user's alone. Whoever may write it decides
//! what runs in this user's name, so a file that others may write is not read.

use std::io;
use std::os::unix::fs::MetadataExt;
use std::path::{Path, PathBuf};

use ede_engine::documents::store::{self, WriteError};
use ede_engine::files::{self, FileError};
use ede_engine::issue::Issue;
use ede_engine::upstreams::Servers;
use ede_engine::upstreams::servers::LIMITS;

/// Why the servers are not known, or not written.
#[derive(Debug, thiserror::Error)]
pub enum ListError {
    /// The file has a mistake; the first is told.
    #[error("{}", in_file(.0, .1))]
    Mistake(PathBuf, Issue),
    /// Others may write it.
    #[error("others may write {}, and with it say what runs in your name, `chmod 600` it and look through it", .0.display())]
    NotPrivate(PathBuf),
    #[error(transparent)]
    File(#[from] FileError),
    #[error(transparent)]
    Write(#[from] WriteError),
}

fn in_file(path: &Path, issue: &Issue) -> String {
    let file = path.display();
    match issue.position {
        Some(at) => format!("{issue}, {file}:{}:{}, mend the file", at.line, at.column),
        None => format!("{issue}, {file}, mend the file"),
    }
}

/// The servers as they were read, and the bytes they were read from.
pub struct List {
    path: PathBuf,
    bytes: Option<Vec<u8>>,
    pub servers: Servers,
}

impl List {
    /// Read the list at `path`; where there is none it is empty.
    pub fn open(path: PathBuf) -> Result<List, ListError> {
        let bytes = match files::read_regular(&path, LIMITS.bytes) {
            Ok(bytes) => bytes,
            Err(error) if error.kind() == Some(io::ErrorKind::NotFound) => {
                let servers = Servers::default();
                return Ok(List {
                    path,
                    bytes: None,
                    servers,
                });
            }
            Err(error) => return Err(error.into()),
        };
        let open = std::fs::metadata(&path).is_ok_and(|meta| meta.mode() & 0o022 != 0);
        if open {
            return Err(ListError::NotPrivate(path));
        }
        match Servers::read(&bytes) {
            Ok(servers) => Ok(List {
                path,
                bytes: Some(bytes),
                servers,
            }),
            Err(issues) => {
                let first = issues.into_iter().next();
                let issue = first.unwrap_or_else(|| Issue::new("", "it is no list of upstreams"));
                Err(ListError::Mistake(path, issue))
            }
        }
    }

    /// Write the list as it is now, in one step; not over what somebody else has written since it was read.
    pub fn save(&self) -> Result<(), ListError> {
        if let Some(folder) = self.path.parent() {
            files::private_dir(folder)?;
        }
        let text = self.servers.to_json();
        Ok(store::write(
            &self.path,
            text.as_bytes(),
            Some(self.bytes.as_deref()),
        )?)
    }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]
    use super::*;
    use std::os::unix::fs::PermissionsExt;

    use ede_engine::upstreams::{Server, ServerName};

    #[test]
    fn what_is_saved_is_read_again_and_is_this_users_alone() {
        let dir = tempfile::tempdir().unwrap();
        let path = dir.path().join("ede/upstreams.json");
        let mut list = List::open(path.clone()).unwrap();
        assert_eq!(list.servers, Servers::default());
        let server = Server::command(vec!["server".into()]).unwrap();
        list.servers
            .insert(ServerName::parse("notes").unwrap(), server);
        list.save().unwrap();
        let again = List::open(path.clone()).unwrap();
        assert_eq!(again.servers, list.servers);
        let mode = std::fs::metadata(&path).unwrap().permissions().mode();
        assert_eq!(mode & 0o777, 0o600);
        // Written by somebody else meanwhile.
        std::fs::write(&path, "{}").unwrap();
        assert!(matches!(again.save(), Err(ListError::Write(_))));
    }

    #[test]
    fn a_file_that_others_may_write_is_not_read() {
        let dir = tempfile::tempdir().unwrap();
        let path = dir.path().join("upstreams.json");
        std::fs::write(&path, Servers::default().to_json()).unwrap();
        std::fs::set_permissions(&path, std::fs::Permissions::from_mode(0o620)).unwrap();
        assert!(matches!(List::open(path), Err(ListError::NotPrivate(_))));
    }

    #[test]
    fn a_mistake_names_its_line() {
        let dir = tempfile::tempdir().unwrap();
        let path = dir.path().join("upstreams.json");
        std::fs::write(&path, "{\n  \"formatVersion\": 1,\n  \"server\": {}\n}").unwrap();
        let error = List::open(path.clone()).err().unwrap().to_string();
        assert!(error.contains("upstreams.json:"), "{error}");
    }
}
