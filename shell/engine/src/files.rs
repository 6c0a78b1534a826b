//! Private folders and atomic files: the two things every writer of a person's data needs, done once.
//!
//! A file is replaced whole (a temporary sibling, fsync, rename, fsync of the folder), so a kill at any moment leaves the old
//! bytes or the new ones. Touches only the paths it is given; follows no policy about where they are.

use std::fs::{self, File, OpenOptions};
use std::io::{self, Write};
use std::os::unix::fs::{DirBuilderExt, MetadataExt, OpenOptionsExt, PermissionsExt};
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicU32, Ordering};

use rustix::fs::{CWD, RenameFlags, renameat_with};
use rustix::io::Errno;

/// Mode of eDE's folders: this user alone.
pub const PRIVATE_DIR: u32 = 0o700;
/// Mode of eDE's files: this user alone.
pub const PRIVATE_FILE: u32 = 0o600;

/// Why a folder or file could not be made, and where.
#[derive(Debug, thiserror::Error)]
pub enum FileError {
    /// The system refused; the remedy depends on why.
    #[error("cannot {action} {}, {}, {}", path.display(), reason(source), remedy(source))]
    Io {
        /// What was tried, as a verb: `write`, `read`, `make the folder`.
        action: &'static str,
        path: PathBuf,
        source: io::Error,
    },
    /// The folder belongs to another user.
    #[error("{} belongs to another user (uid {owner}), it must be yours alone, remove it or choose another folder", path.display())]
    NotOurs { path: PathBuf, owner: u32 },
    /// Something that is not a folder stands in its place.
    #[error("{} is not a folder, it stands where a folder must be, move it away", path.display())]
    NotAFolder { path: PathBuf },
}

impl FileError {
    fn io(action: &'static str, path: &Path, source: io::Error) -> FileError {
        FileError::Io {
            action,
            path: path.to_owned(),
            source,
        }
    }

    /// The operating system's kind of error, where there is one.
    pub fn kind(&self) -> Option<io::ErrorKind> {
        match self {
            FileError::Io { source, .. } => Some(source.kind()),
            FileError::NotOurs { .. } | FileError::NotAFolder { .. } => None,
        }
    }
}

/// What happened, in plain words.
fn reason(error: &io::Error) -> String {
    match error.kind() {
        io::ErrorKind::NotFound => "it does not exist".into(),
        io::ErrorKind::PermissionDenied => "permission is denied".into(),
        io::ErrorKind::ReadOnlyFilesystem => "the file system is read-only".into(),
        io::ErrorKind::StorageFull | io::ErrorKind::QuotaExceeded => "the disk is full".into(),
        io::ErrorKind::IsADirectory => "it is a folder".into(),
        _ => error.to_string(),
    }
}

/// What a person can do about it.
fn remedy(error: &io::Error) -> &'static str {
    match error.kind() {
        io::ErrorKind::NotFound => "check the path",
        io::ErrorKind::PermissionDenied => "check its owner and permissions",
        io::ErrorKind::ReadOnlyFilesystem => "make it writable or choose another folder",
        io::ErrorKind::StorageFull | io::ErrorKind::QuotaExceeded => {
            "free some space and try again"
        }
        io::ErrorKind::IsADirectory => "name a file",
        _ => "check the path and try again",
    }
}

/// Make `path` (and its missing parents) a folder for this user alone: mode 0700, owner checked. A folder of ours that is more
/// open is closed; another user's is refused.
pub fn private_dir(path: &Path) -> Result<(), FileError> {
    let made = fs::DirBuilder::new()
        .recursive(true)
        .mode(PRIVATE_DIR)
        .create(path);
    let meta = match (made, fs::metadata(path)) {
        (_, Ok(meta)) if !meta.is_dir() => {
            return Err(FileError::NotAFolder {
                path: path.to_owned(),
            });
        }
        (Err(error), _) | (Ok(()), Err(error)) => {
            return Err(FileError::io("make the folder", path, error));
        }
        (Ok(()), Ok(meta)) => meta,
    };
    if meta.uid() != rustix::process::geteuid().as_raw() {
        return Err(FileError::NotOurs {
            path: path.to_owned(),
            owner: meta.uid(),
        });
    }
    if meta.mode() & 0o077 != 0 {
        fs::set_permissions(path, fs::Permissions::from_mode(PRIVATE_DIR))
            .map_err(|e| FileError::io("close the folder", path, e))?;
    }
    Ok(())
}

/// Replace the file at `path` by `bytes` in one step, mode `mode`. Its folder must exist. On an error the old file is untouched
/// and no temporary file is left.
pub fn replace(path: &Path, bytes: &[u8], mode: u32) -> Result<(), FileError> {
    Staged::new(path, bytes, mode)?.put()?;
    sync_dir(folder_of(path))
}

/// Put a new file at `path` in one step, mode `mode`. False where something is there already, which stays as it is.
pub fn create(path: &Path, bytes: &[u8], mode: u32) -> Result<bool, FileError> {
    let put = Staged::new(path, bytes, mode)?.put_anew()?;
    if put {
        sync_dir(folder_of(path))?;
    }
    Ok(put)
}

/// Replace the files at both paths by `bytes`: both are whole before the first takes its place, and where the second cannot take its own,
/// the first is put back as it was, so that an error means that nothing changed. A kill may come between the two.
pub fn replace_both(paths: [&Path; 2], bytes: &[u8], mode: u32) -> Result<(), FileError> {
    let [first, second] = paths;
    let (new, last) = (
        Staged::new(first, bytes, mode)?,
        Staged::new(second, bytes, mode)?,
    );
    let old = Staged::as_it_is(first)?;
    new.put()?;
    last.put().inspect_err(|_| {
        let undone = match old {
            Some(old) => old.put(),
            None => remove(first).map(drop),
        };
        if let Err(error) = undone {
            tracing::error!("what was there before could not be put back: {error}");
        }
    })?;
    sync_dir(folder_of(first))?;
    sync_dir(folder_of(second))
}

/// A whole file beside the path it is for. Dropped, it is gone.
struct Staged<'a> {
    temporary: PathBuf,
    path: &'a Path,
}

impl Staged<'_> {
    fn new<'a>(path: &'a Path, bytes: &[u8], mode: u32) -> Result<Staged<'a>, FileError> {
        let (temporary, mut file) = create_beside(path, |temporary| {
            OpenOptions::new()
                .write(true)
                .create_new(true)
                .mode(mode)
                .open(temporary)
        })?;
        let staged = Staged { temporary, path };
        file.write_all(bytes)
            .and_then(|()| file.set_permissions(fs::Permissions::from_mode(mode)))
            .and_then(|()| file.sync_all())
            .map_err(|error| FileError::io("write", path, error))?;
        Ok(staged)
    }

    /// The file that is at `path` now, if any, by another name.
    fn as_it_is(path: &Path) -> Result<Option<Staged<'_>>, FileError> {
        if !path.exists() {
            return Ok(None);
        }
        // Not every file system has links.
        let again = |temporary: &Path| match fs::hard_link(path, temporary) {
            Err(error) if error.kind() != io::ErrorKind::AlreadyExists => {
                fs::copy(path, temporary).map(drop)
            }
            linked => linked,
        };
        let (temporary, ()) = create_beside(path, again)?;
        Ok(Some(Staged { temporary, path }))
    }

    /// Let it take its place. Durable once the folder is synced.
    fn put(self) -> Result<(), FileError> {
        fs::rename(&self.temporary, self.path)
            .map_err(|error| FileError::io("write", self.path, error))
    }

    /// The same, but never in the place of anything: false then.
    fn put_anew(self) -> Result<bool, FileError> {
        let (from, to) = (&self.temporary, self.path);
        match renameat_with(CWD, from, CWD, to, RenameFlags::NOREPLACE) {
            Ok(()) => Ok(true),
            Err(Errno::EXIST) => Ok(false),
            // Not every file system can: then what is there is looked for, which leaves a moment between.
            Err(Errno::INVAL | Errno::NOSYS) if fs::symlink_metadata(to).is_err() => {
                self.put().map(|()| true)
            }
            Err(Errno::INVAL | Errno::NOSYS) => Ok(false),
            Err(error) => Err(FileError::io("write", to, error.into())),
        }
    }
}

impl Drop for Staged<'_> {
    fn drop(&mut self) {
        // Gone already when it was put in its place; one that cannot be removed is only litter.
        let _ = fs::remove_file(&self.temporary);
    }
}

/// The folder a file is in.
fn folder_of(path: &Path) -> &Path {
    path.parent()
        .filter(|p| !p.as_os_str().is_empty())
        .unwrap_or(Path::new("."))
}

/// Write a file a person named for this one answer: through links, into devices and pipes, neither durable nor in one step.
pub fn write(path: &Path, bytes: &[u8]) -> Result<(), FileError> {
    fs::write(path, bytes).map_err(|e| FileError::io("write", path, e))
}

/// Remove the file at `path`, durably. A file that is not there is no error; the answer says whether it was.
pub fn remove(path: &Path) -> Result<bool, FileError> {
    match fs::remove_file(path) {
        Ok(()) => {
            sync_dir(folder_of(path))?;
            Ok(true)
        }
        Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(false),
        Err(error) => Err(FileError::io("remove", path, error)),
    }
}

/// Read a whole file that may hold at most `limit` bytes; a longer one is an [`io::ErrorKind::FileTooLarge`] error and is not read to
/// its end.
pub fn read_limited(path: &Path, limit: usize) -> Result<Vec<u8>, FileError> {
    read_open(path, limit, || File::open(path))
}

/// As [`read_limited`], for what merely lies in a folder or is named in a file: a pipe or a device is refused, and not waited for.
pub fn read_regular(path: &Path, limit: usize) -> Result<Vec<u8>, FileError> {
    read_open(path, limit, || {
        let flags = rustix::fs::OFlags::NONBLOCK.bits();
        let file = OpenOptions::new()
            .read(true)
            .custom_flags(flags.cast_signed())
            .open(path)?;
        let meta = file.metadata()?;
        if meta.is_file() || meta.is_dir() {
            Ok(file)
        } else {
            Err(io::Error::new(
                io::ErrorKind::InvalidInput,
                "it is a pipe or a device",
            ))
        }
    })
}

fn read_open(
    path: &Path,
    limit: usize,
    open: impl FnOnce() -> io::Result<File>,
) -> Result<Vec<u8>, FileError> {
    use std::io::Read;
    let read = || -> io::Result<Vec<u8>> {
        let file = open()?;
        if file.metadata()?.is_dir() {
            return Err(io::ErrorKind::IsADirectory.into());
        }
        let mut bytes = Vec::new();
        file.take(limit as u64 + 1).read_to_end(&mut bytes)?;
        if bytes.len() > limit {
            return Err(io::Error::new(
                io::ErrorKind::FileTooLarge,
                format!("it holds more than {limit} bytes"),
            ));
        }
        Ok(bytes)
    };
    read().map_err(|error| FileError::io("read", path, error))
}

fn sync_dir(folder: &Path) -> Result<(), FileError> {
    File::open(folder)
        .and_then(|dir| dir.sync_all())
        .map_err(|e| FileError::io("write", folder, e))
}

/// What `create` makes beside `path` by a name that nothing else has: hidden, named after it.
fn create_beside<T>(
    path: &Path,
    create: impl Fn(&Path) -> io::Result<T>,
) -> Result<(PathBuf, T), FileError> {
    static NEXT: AtomicU32 = AtomicU32::new(0);
    let name = path.file_name().unwrap_or_default().to_string_lossy();
    loop {
        let n = NEXT.fetch_add(1, Ordering::Relaxed);
        let temporary = folder_of(path).join(format!(".{name}.{}-{n}.tmp", std::process::id()));
        match create(&temporary) {
            Ok(made) => return Ok((temporary, made)),
            Err(error) if error.kind() == io::ErrorKind::AlreadyExists => {}
            Err(error) => return Err(FileError::io("write", path, error)),
        }
    }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used, clippy::expect_used)]
    use super::*;

    fn mode(path: &Path) -> u32 {
        fs::metadata(path).unwrap().mode() & 0o777
    }

    #[test]
    fn a_private_folder_is_closed_to_others() {
        let dir = tempfile::tempdir().unwrap();
        let deep = dir.path().join("a/b");
        private_dir(&deep).unwrap();
        assert_eq!((mode(&deep), mode(&dir.path().join("a"))), (0o700, 0o700));
        fs::set_permissions(&deep, fs::Permissions::from_mode(0o777)).unwrap();
        private_dir(&deep).unwrap();
        assert_eq!(mode(&deep), 0o700);
    }

    #[test]
    fn a_new_file_takes_nothings_place() {
        let dir = tempfile::tempdir().unwrap();
        let path = dir.path().join("x");
        assert!(create(&path, b"one", 0o640).unwrap());
        assert_eq!(mode(&path), 0o640);
        assert!(!create(&path, b"two", 0o600).unwrap());
        let link = dir.path().join("link");
        std::os::unix::fs::symlink("nowhere", &link).unwrap();
        assert!(!create(&link, b"two", 0o600).unwrap());
        assert_eq!(fs::read(&path).unwrap(), b"one");
        assert_eq!(fs::read_dir(dir.path()).unwrap().count(), 2, "no litter");
    }

    #[test]
    fn a_file_in_the_place_of_a_folder_is_named() {
        let dir = tempfile::tempdir().unwrap();
        let path = dir.path().join("x");
        fs::write(&path, "").unwrap();
        assert!(matches!(
            private_dir(&path),
            Err(FileError::NotAFolder { .. })
        ));
    }

    #[test]
    fn replacing_keeps_the_old_bytes_until_the_new_are_whole() {
        let dir = tempfile::tempdir().unwrap();
        let path = dir.path().join("f.json");
        replace(&path, b"one", PRIVATE_FILE).unwrap();
        let reader = File::open(&path).unwrap();
        replace(&path, b"two", PRIVATE_FILE).unwrap();
        assert_eq!(
            io::read_to_string(reader).unwrap(),
            "one",
            "a reader of the old file still sees all of it"
        );
        assert_eq!(fs::read_to_string(&path).unwrap(), "two");
        assert_eq!(mode(&path), 0o600);
    }

    #[test]
    fn a_failed_write_leaves_nothing_behind() {
        let dir = tempfile::tempdir().unwrap();
        let taken = dir.path().join("taken");
        fs::create_dir(&taken).unwrap();
        fs::write(taken.join("inside"), "").unwrap();
        let message = replace(&taken, b"x", PRIVATE_FILE).unwrap_err().to_string();
        assert!(message.starts_with("cannot write"), "{message}");
        assert_eq!(fs::read_dir(dir.path()).unwrap().count(), 1);
    }

    #[test]
    fn of_two_files_both_are_replaced_or_none() {
        let dir = tempfile::tempdir().unwrap();
        let (copy, file) = (dir.path().join("copy"), dir.path().join("file"));
        let both = |bytes: &[u8]| replace_both([&copy, &file], bytes, PRIVATE_FILE);
        let left = || fs::read_dir(dir.path()).unwrap().count();
        // A folder in the second one's place cannot be replaced.
        fs::create_dir(&file).unwrap();
        both(b"one").unwrap_err();
        assert_eq!((copy.exists(), left()), (false, 1));
        fs::remove_dir(&file).unwrap();
        both(b"two").unwrap();
        fs::remove_file(&file).unwrap();
        fs::create_dir(&file).unwrap();
        both(b"three").unwrap_err();
        assert_eq!(fs::read_to_string(&copy).unwrap(), "two");
        assert_eq!((mode(&copy), left()), (0o600, 2));
    }

    #[test]
    fn a_file_over_the_limit_is_not_read() {
        let dir = tempfile::tempdir().unwrap();
        let path = dir.path().join("big");
        fs::write(&path, [b'x'; 11]).unwrap();
        assert_eq!(
            read_limited(&path, 10).unwrap_err().kind(),
            Some(io::ErrorKind::FileTooLarge)
        );
        assert_eq!(read_limited(&path, 11).unwrap().len(), 11);
        assert!(read_limited(dir.path(), 10).is_err(), "a folder is no file");
    }

    #[test]
    fn a_pipe_in_a_folder_is_refused_and_not_waited_for() {
        let dir = tempfile::tempdir().unwrap();
        let path = dir.path().join("pipe.app.json");
        let mode = rustix::fs::Mode::RUSR | rustix::fs::Mode::WUSR;
        let fifo = rustix::fs::FileType::Fifo;
        rustix::fs::mknodat(rustix::fs::CWD, &path, fifo, mode, 0).unwrap();
        for path in [path.as_path(), Path::new("/dev/zero")] {
            let error = read_regular(path, 10).unwrap_err().to_string();
            assert!(error.contains("a pipe or a device"), "{error}");
        }
        assert!(read_regular(dir.path(), 10).is_err(), "a folder is no file");
    }

    #[test]
    fn removing_says_whether_it_was_there() {
        let dir = tempfile::tempdir().unwrap();
        let path = dir.path().join("f");
        fs::write(&path, "").unwrap();
        assert_eq!(
            (remove(&path).unwrap(), remove(&path).unwrap()),
            (true, false)
        );
    }
}
