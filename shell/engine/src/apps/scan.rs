//! What changed in the folder of apps since it was last looked at.

use std::collections::BTreeMap;
use std::fs;
use std::os::unix::fs::MetadataExt;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use super::{App, Apps, AppsError, SUFFIX};
use crate::app_id::AppId;
use crate::files::FileError;
use crate::issue::Issue;

/// What of a file tells that it may have changed. Changes within the same nanosecond and of the same size do not happen to files
/// that are replaced: the inode differs.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
struct Stamp {
    inode: (u64, u64),
    size: u64,
    modified: (i64, i64),
    changed: (i64, i64),
}

impl Stamp {
    fn of(path: &Path) -> Option<Stamp> {
        let meta = fs::metadata(path).ok().filter(|meta| meta.is_file())?;
        Some(Stamp {
            inode: (meta.dev(), meta.ino()),
            size: meta.size(),
            modified: (meta.mtime(), meta.mtime_nsec()),
            changed: (meta.ctime(), meta.ctime_nsec()),
        })
    }
}

/// Of an app's file, and of the copy that was installed.
type Stamps = (Option<Stamp>, Option<Stamp>);

/// So few apps are read faster one after the other than on threads of their own.
const FEW: usize = 16;

/// One app's file as it was last seen.
#[derive(Debug)]
pub(super) struct Entry {
    stamps: Stamps,
    /// The last good version, even while the file does not check.
    pub app: Option<Arc<App>>,
    problems: Vec<Issue>,
}

/// A file whose name is no app's.
#[derive(Debug)]
pub(super) struct Stray {
    problems: Vec<Issue>,
}

/// An app's file that cannot be used as it is.
#[derive(Debug, Clone, PartialEq)]
pub struct Broken {
    pub file: PathBuf,
    /// The app, when the file's name says which. Its last good version stays in use.
    pub id: Option<AppId>,
    pub issues: Vec<Issue>,
}

/// What a scan found that was not so at the last one.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Scan {
    pub added: Vec<AppId>,
    pub changed: Vec<AppId>,
    pub removed: Vec<AppId>,
    /// Newly broken, or broken in another way.
    pub broken: Vec<Broken>,
}

impl Scan {
    /// Is everything as it was?
    pub fn is_empty(&self) -> bool {
        *self == Scan::default()
    }
}

impl Apps {
    /// Look at the folder and read what changed. A folder that is not there holds no apps.
    ///
    /// # Errors
    /// The folder cannot be listed; what was known stays.
    pub fn scan(&mut self) -> Result<Scan, AppsError> {
        let mut found = Scan::default();
        let mut names = Vec::new();
        match fs::read_dir(&self.folder) {
            Ok(listing) => names.extend(
                listing
                    .flatten()
                    .filter_map(|entry| entry.file_name().into_string().ok()),
            ),
            Err(error) if error.kind() == std::io::ErrorKind::NotFound => {}
            Err(source) => {
                return Err(AppsError::File(FileError::Io {
                    action: "read",
                    path: self.folder.clone(),
                    source,
                }));
            }
        }
        names.retain(|name| !name.starts_with('.') && name.ends_with(SUFFIX));
        names.sort();
        let mut seen = Vec::new();
        let mut touched = Vec::new();
        let mut strays = BTreeMap::new();
        for name in names {
            match AppId::parse(name.strip_suffix(SUFFIX).unwrap_or_default()) {
                Ok(id) => {
                    touched.extend(self.touched(&id).map(|stamps| (id.clone(), stamps)));
                    seen.push(id);
                }
                Err(error) => {
                    let problems = vec![Issue::new(
                        "",
                        format!("{error}; the file is named after its app's id"),
                    )];
                    if !self.strays.contains_key(&name) {
                        found.broken.push(Broken {
                            file: self.folder.join(&name),
                            id: None,
                            issues: problems.clone(),
                        });
                    }
                    strays.insert(name, Stray { problems });
                }
            }
        }
        self.strays = strays;
        let loaded = self.load_all(&touched);
        for ((id, stamps), loaded) in touched.into_iter().zip(loaded) {
            self.take_in(&id, stamps, loaded, &mut found);
        }
        let gone: Vec<AppId> = self
            .entries
            .keys()
            .filter(|id| !seen.contains(id))
            .cloned()
            .collect();
        for id in gone {
            if self
                .entries
                .remove(&id)
                .is_some_and(|entry| entry.app.is_some())
            {
                found.removed.push(id);
            }
        }
        Ok(found)
    }

    /// What tells of the files of an app that are others than before.
    fn touched(&self, id: &AppId) -> Option<Stamps> {
        let stamps = (
            Stamp::of(&self.file_of(id)),
            Stamp::of(&self.installed_copy(id)),
        );
        let known = self.entries.get(id);
        known
            .is_none_or(|entry| entry.stamps != stamps)
            .then_some(stamps)
    }

    /// Read these apps; many of them on as many threads as there are processors.
    fn load_all(&self, touched: &[(AppId, Stamps)]) -> Vec<Result<App, AppsError>> {
        let threads = std::thread::available_parallelism().map_or(1, usize::from);
        let each = touched.len().div_ceil(threads).max(FEW);
        let load = |part: &[(AppId, Stamps)]| -> Vec<_> {
            part.iter().map(|(id, _)| self.load(id)).collect()
        };
        let (first, others) = touched.split_at(each.min(touched.len()));
        std::thread::scope(|scope| {
            let started = others.chunks(each).map(|part| {
                let thread = std::thread::Builder::new().name("ede-apps".into());
                (part, thread.spawn_scoped(scope, move || load(part)))
            });
            let others: Vec<_> = started.collect();
            let mut loaded = load(first);
            for (part, other) in others {
                match other.map(|thread| thread.join()) {
                    Ok(Ok(part)) => loaded.extend(part),
                    Ok(Err(panic)) => std::panic::resume_unwind(panic),
                    // No thread was to be had.
                    Err(_) => loaded.extend(load(part)),
                }
            }
            loaded
        })
    }

    fn take_in(
        &mut self,
        id: &AppId,
        stamps: Stamps,
        loaded: Result<App, AppsError>,
        found: &mut Scan,
    ) {
        let known = self.entries.get(id);
        let last = known.and_then(|entry| entry.app.clone());
        let (app, problems) = match loaded {
            Ok(app) => {
                if last.as_ref().is_some_and(|last| last.means(&app)) {
                    // Touched, or written again with the same meaning.
                    (last, Vec::new())
                } else {
                    let list = if last.is_some() {
                        &mut found.changed
                    } else {
                        &mut found.added
                    };
                    list.push(id.clone());
                    (Some(Arc::new(app)), Vec::new())
                }
            }
            Err(error) => {
                let problems = match error {
                    AppsError::Invalid(issues) => issues,
                    other @ AppsError::OtherAuthor { .. } => {
                        vec![Issue::new("/signature", other.to_string())]
                    }
                    other => vec![Issue::new("", other.to_string())],
                };
                if known.is_none_or(|entry| entry.problems != problems) {
                    found.broken.push(Broken {
                        file: self.file_of(id),
                        id: Some(id.clone()),
                        issues: problems.clone(),
                    });
                }
                // The last good one in use, else the one that was installed: broken files survive a restart too.
                let good = last.or_else(|| {
                    let installed = self.load_installed(id).map(Arc::new);
                    found.added.extend(installed.iter().map(|_| id.clone()));
                    installed
                });
                (good, problems)
            }
        };
        self.entries.insert(
            id.clone(),
            Entry {
                stamps,
                app,
                problems,
            },
        );
    }

    /// Every file that cannot be used as it is now.
    pub fn broken(&self) -> Vec<Broken> {
        let apps = self
            .entries
            .iter()
            .filter(|(_, entry)| !entry.problems.is_empty())
            .map(|(id, entry)| Broken {
                file: self.file_of(id),
                id: Some(id.clone()),
                issues: entry.problems.clone(),
            });
        let strays = self.strays.iter().map(|(name, stray)| Broken {
            file: self.folder.join(name),
            id: None,
            issues: stray.problems.clone(),
        });
        apps.chain(strays).collect()
    }
}
