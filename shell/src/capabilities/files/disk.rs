//! Files the person has picked: read for an app, written for an app. Regular files alone, whose size is known before they are read; a
//! link is followed, but not to where the system keeps no files (`/proc`, `/sys`, `/dev`). No path leaves this folder's modules.

use std::fs::{self, File, OpenOptions};
use std::io::{self, ErrorKind, Read};
use std::os::unix::fs::{OpenOptionsExt, PermissionsExt};
use std::path::{Path, PathBuf};

use ede_engine::blobs::FILE_MAX_BYTES;
use ede_engine::files;
use ede_engine::plain::file_name;

/// What the files of one pick hold at most, together: 64 MiB.
pub const PICK_MAX_BYTES: u64 = 64 * 1024 * 1024;
/// The most files of one pick (the catalog's).
pub const PICK_MAX_FILES: usize = 100;

/// Why a file is not read or written, as the app and the person hear it: no path, none of the system's words.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum DiskError {
    #[error("A file is larger than 32 MiB, choose a smaller one")]
    TooLarge,
    #[error("The files hold more than 64 MiB together, choose fewer")]
    TooMuch,
    #[error("More than 100 files were chosen, choose fewer")]
    TooMany,
    #[error("Only plain files can be opened, not devices, pipes or folders")]
    NotAFile,
    #[error("The file could not be read")]
    Unreadable,
    #[error("The file could not be saved there, choose another folder")]
    Unwritable,
    #[error("There is a file by that name already, choose another name")]
    Taken,
}

/// A file as it was read.
#[derive(Debug, PartialEq, Eq)]
pub struct Given {
    pub name: String,
    pub bytes: Vec<u8>,
}

/// Where the system keeps what looks like files and is none.
fn is_odd(path: &Path) -> bool {
    ["/proc", "/sys", "/dev"]
        .iter()
        .any(|odd| path.starts_with(odd))
}

/// Read these files; all of them or none.
pub fn read(paths: &[PathBuf]) -> Result<Vec<Given>, DiskError> {
    if paths.len() > PICK_MAX_FILES {
        return Err(DiskError::TooMany);
    }
    // All are measured before the first is read.
    let opened: Vec<(String, File, u64)> =
        paths.iter().map(|p| open(p)).collect::<Result<_, _>>()?;
    if opened.iter().map(|(.., size)| size).sum::<u64>() > PICK_MAX_BYTES {
        return Err(DiskError::TooMuch);
    }
    opened
        .into_iter()
        .map(|(name, file, size)| {
            // One that grows meanwhile is cut where it was measured.
            let mut bytes = Vec::with_capacity(usize::try_from(size).unwrap_or(0));
            file.take(size)
                .read_to_end(&mut bytes)
                .map_err(|error| not_read(&error))?;
            Ok(Given { name, bytes })
        })
        .collect()
}

fn open(path: &Path) -> Result<(String, File, u64), DiskError> {
    let name = path.file_name().ok_or(DiskError::NotAFile)?;
    let whole = fs::canonicalize(path).map_err(|error| not_read(&error))?;
    if is_odd(&whole) {
        return Err(DiskError::NotAFile);
    }
    // A pipe is not waited for, and a link that took the file's place is not followed.
    let flags = rustix::fs::OFlags::NONBLOCK | rustix::fs::OFlags::NOFOLLOW;
    let file = OpenOptions::new()
        .read(true)
        .custom_flags(flags.bits().cast_signed())
        .open(&whole)
        .map_err(|error| not_read(&error))?;
    let meta = file.metadata().map_err(|error| not_read(&error))?;
    if !meta.is_file() {
        return Err(DiskError::NotAFile);
    }
    if meta.len() > FILE_MAX_BYTES as u64 {
        return Err(DiskError::TooLarge);
    }
    Ok((file_name(&name.to_string_lossy()), file, meta.len()))
}

fn not_read(error: &io::Error) -> DiskError {
    tracing::debug!("a picked file is not read: {error}");
    DiskError::Unreadable
}

/// Write `bytes` where the person said, whole or not at all. A file that was there keeps its mode; it goes only where it may.
pub fn write(path: &Path, bytes: &[u8], replaces: bool) -> Result<(), DiskError> {
    // Before anything is written; and again when it takes its place.
    if !replaces && fs::symlink_metadata(path).is_ok() {
        return Err(DiskError::Taken);
    }
    let (at, mode) = place(path)?;
    let put = if replaces {
        files::replace(&at, bytes, mode).map(|()| true)
    } else {
        files::create(&at, bytes, mode)
    };
    match put {
        Ok(true) => Ok(()),
        Ok(false) => Err(DiskError::Taken),
        Err(error) => {
            tracing::debug!("a file of an app's is not saved: {error}");
            Err(DiskError::Unwritable)
        }
    }
}

/// Where a file of this path is written, links followed, and with what mode.
fn place(path: &Path) -> Result<(PathBuf, u32), DiskError> {
    let unwritable = |_| DiskError::Unwritable;
    let (at, mode) = match fs::canonicalize(path) {
        Ok(at) => {
            let meta = fs::metadata(&at).map_err(unwritable)?;
            if !meta.is_file() {
                return Err(DiskError::Unwritable);
            }
            (at, meta.permissions().mode() & 0o777)
        }
        Err(error) if error.kind() == ErrorKind::NotFound => {
            let (Some(folder), Some(name)) = (path.parent(), path.file_name()) else {
                return Err(DiskError::Unwritable);
            };
            let folder = fs::canonicalize(folder).map_err(unwritable)?;
            (folder.join(name), 0o666 & !umask())
        }
        Err(_) => return Err(DiskError::Unwritable),
    };
    if is_odd(&at) {
        return Err(DiskError::Unwritable);
    }
    Ok((at, mode))
}

/// The person's own idea of who may read new files; where it is not to be had, nobody else.
fn umask() -> u32 {
    let status = fs::read_to_string("/proc/self/status").unwrap_or_default();
    let said = status
        .lines()
        .find_map(|line| line.strip_prefix("Umask:"))
        .and_then(|mask| u32::from_str_radix(mask.trim(), 8).ok());
    said.unwrap_or(0o077)
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]
    use std::os::unix::fs::symlink;

    use super::*;

    fn mode(path: &Path) -> u32 {
        fs::metadata(path).unwrap().permissions().mode() & 0o777
    }

    fn fails(path: &Path) -> DiskError {
        read(&[path.to_owned()]).unwrap_err()
    }

    #[test]
    fn only_plain_files_are_read_wherever_a_link_leads() {
        let dir = tempfile::tempdir().unwrap();
        let at = |name: &str| dir.path().join(name);
        fs::write(at("letter.txt"), "Dear Ines").unwrap();
        symlink(at("letter.txt"), at("link.txt")).unwrap();
        let given = read(&[at("letter.txt"), at("link.txt")]).unwrap();
        assert_eq!(given[0].bytes, given[1].bytes);
        assert_eq!(
            (given[0].name.as_str(), given[1].name.as_str()),
            ("letter.txt", "link.txt")
        );
        let fifo = rustix::fs::FileType::Fifo;
        let all = rustix::fs::Mode::RWXU;
        rustix::fs::mknodat(rustix::fs::CWD, at("pipe"), fifo, all, 0).unwrap();
        symlink("/dev/zero", at("zeros.txt")).unwrap();
        symlink("/proc/self/environ", at("secrets.txt")).unwrap();
        for odd in ["pipe", "zeros.txt", "secrets.txt", ""] {
            assert_eq!(fails(&at(odd)), DiskError::NotAFile, "{odd}");
        }
        symlink(at("nowhere"), at("dangling")).unwrap();
        assert_eq!(fails(&at("dangling")), DiskError::Unreadable);
    }

    #[test]
    fn what_is_too_large_is_not_read() {
        let dir = tempfile::tempdir().unwrap();
        let sized = |name: &str, size: u64| {
            let path = dir.path().join(name);
            File::create(&path).unwrap().set_len(size).unwrap();
            path
        };
        let most = FILE_MAX_BYTES as u64;
        assert_eq!(fails(&sized("huge", 1 << 40)), DiskError::TooLarge);
        assert_eq!(fails(&sized("over", most + 1)), DiskError::TooLarge);
        let three = [sized("a", most), sized("b", most), sized("c", 1)];
        assert_eq!(read(&three), Err(DiskError::TooMuch));
        assert_eq!(read(&vec![three[2].clone(); 101]), Err(DiskError::TooMany));
        assert_eq!(read(&three[2..]).unwrap()[0].bytes.len(), 1);
    }

    #[test]
    fn a_file_is_saved_whole_with_the_mode_it_had() {
        let dir = tempfile::tempdir().unwrap();
        let at = |name: &str| dir.path().join(name);
        write(&at("new.txt"), b"one", false).unwrap();
        assert_eq!(write(&at("new.txt"), b"x", false), Err(DiskError::Taken));
        assert_eq!(mode(&at("new.txt")), 0o666 & !umask());
        fs::set_permissions(at("new.txt"), fs::Permissions::from_mode(0o640)).unwrap();
        symlink(at("new.txt"), at("link.txt")).unwrap();
        write(&at("link.txt"), b"two", true).unwrap();
        assert_eq!(fs::read(at("new.txt")).unwrap(), b"two");
        assert_eq!(mode(&at("new.txt")), 0o640);
        assert!(fs::symlink_metadata(at("link.txt")).unwrap().is_symlink());
        symlink("/dev/null", at("null.txt")).unwrap();
        for odd in [
            at("null.txt"),
            at(""),
            at("no/such/folder.txt"),
            "/proc/x".into(),
        ] {
            assert_eq!(
                write(&odd, b"x", true),
                Err(DiskError::Unwritable),
                "{odd:?}"
            );
        }
    }
}
