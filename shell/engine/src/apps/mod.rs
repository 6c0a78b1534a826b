//! The installed apps: packages in one folder, `<id>.app.json` each.
//!
//! - `apps install` checks a package whole and writes it in one step; it never asks what the app may do, consent is asked at
//!   first use.
//! - A version whose kinds do not keep all that records have is refused, unless its migrations say what becomes of it.
//! - An app belongs to the first key it was signed with: a version with another signature, or none, is refused until the person has
//!   removed the app.
//! - The file beside is the person's to edit: what it paints and does applies at once. What it *keeps and may reach* (kinds,
//!   migrations, capabilities, exposed tools) stays as it was installed until `apps install` says otherwise; the installed copy
//!   is kept in `.installed/` for that.
//! - Of a file with records the package is kept here. Whose it is to keep the records says [`Admitted::rows`]; a file with records that was
//!   merely put into the folder is told of and not used, so that nobody's data comes in unseen.
//! - A file that does not check keeps the last good version of its app and is told with its issues.
//!
//! Touches only the folder it is given. Watching it is the shell's work; [`Apps::scan`] says what changed since the last scan.

mod author;
mod load;
mod scan;

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use crate::app_file::{AppFile, Row};
use crate::app_id::AppId;
use crate::files::{self, FileError};
use crate::issue::{Issue, Note};
use crate::package::{AuthorKey, Judge, Package, losses};

pub use author::Author;
pub use scan::{Broken, Scan};

/// What an app's file must be named: its id, then this.
pub const SUFFIX: &str = ".app.json";
/// The folder of the installed copies, inside the apps' folder.
const INSTALLED: &str = ".installed";

/// One app that can be used.
#[derive(Debug, Clone)]
pub struct App {
    /// The package in force: the file, with what only an install changes taken from the installed copy.
    pub package: Arc<Package>,
    pub file: PathBuf,
    /// Keys whose change in the file waits for `apps install`.
    pub waiting: Vec<&'static str>,
}

impl App {
    /// The app's id.
    pub fn id(&self) -> &AppId {
        self.package.id()
    }

    /// Do both do and keep the same?
    fn means(&self, other: &App) -> bool {
        self.package.content_hash() == other.package.content_hash() && self.waiting == other.waiting
    }
}

/// Who brings a package.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Origin {
    /// The person, from a file.
    Person,
    /// eDE itself: it alone may use ids that begin with `ede.`.
    Bundled,
}

/// Why a package was not installed or removed. Nothing was changed.
#[derive(Debug, thiserror::Error)]
pub enum AppsError {
    /// The package has problems; with places when the text could be read.
    #[error("not a valid package, {}", first(.0))]
    Invalid(Vec<Issue>),
    /// The id is kept for what eDE ships.
    #[error(
        "the id {0} is taken, ids that begin with ede. are for the apps eDE ships, choose another id"
    )]
    Reserved(AppId),
    /// No app of that id is installed.
    #[error(
        "no app {0} is installed, see `ede apps list`, install it with `ede apps install FILE`"
    )]
    Unknown(AppId),
    /// The app belongs to another author.
    #[error(
        "{id} belongs to whoever signed it first ({first}), this file is {}, run `ede apps remove {id}` first to replace the app",
        if *signed { "signed with another key" } else { "not signed" }
    )]
    OtherAuthor {
        id: AppId,
        first: Box<AuthorKey>,
        signed: bool,
    },
    /// The app's records would lose something on the way to this version.
    #[error(
        "{app} {version} does not keep all its records have, {}",
        first(.issues)
    )]
    Loses {
        app: AppId,
        version: String,
        issues: Vec<Issue>,
    },
    /// The folder or a file in it.
    #[error(transparent)]
    File(#[from] FileError),
}

fn first(issues: &[Issue]) -> String {
    match issues {
        [] => "it cannot be read".into(),
        [only] => format!("{}: {}", shown(&only.pointer), only.message),
        [first, rest @ ..] => format!(
            "{}: {} (and {} more)",
            shown(&first.pointer),
            first.message,
            rest.len()
        ),
    }
}

fn shown(pointer: &str) -> &str {
    if pointer.is_empty() { "/" } else { pointer }
}

/// A package that may be the next version of its app.
#[derive(Debug)]
pub struct Admitted<'a> {
    whole: &'a [u8],
    file: AppFile,
    notes: Vec<Note>,
    replaced: Option<String>,
}

impl Admitted<'_> {
    /// The package.
    pub fn package(&self) -> &Package {
        &self.file.package
    }

    /// The records its file brings along, which are not the folder's to keep.
    pub fn rows(&self) -> &[Row] {
        &self.file.rows
    }
}

/// What an install did.
#[derive(Debug, Clone)]
pub struct Installed {
    pub app: Arc<App>,
    /// What is worth knowing about the package.
    pub notes: Vec<Note>,
    /// The version that was there before.
    pub replaced: Option<String>,
    pub author: Author,
}

/// The apps of one folder.
#[derive(Debug)]
pub struct Apps {
    folder: PathBuf,
    entries: BTreeMap<AppId, scan::Entry>,
    /// Files of the folder that are no app's at all, by name.
    strays: BTreeMap<String, scan::Stray>,
}

impl Apps {
    /// The apps in `folder` (which need not exist). Nothing is read until [`Apps::scan`].
    pub fn new(folder: impl Into<PathBuf>) -> Apps {
        Apps {
            folder: folder.into(),
            entries: BTreeMap::new(),
            strays: BTreeMap::new(),
        }
    }

    /// The folder.
    pub fn folder(&self) -> &Path {
        &self.folder
    }

    /// The app `id`, as of the last scan or install.
    pub fn get(&self, id: &AppId) -> Option<&Arc<App>> {
        self.entries.get(id).and_then(|entry| entry.app.as_ref())
    }

    /// Every usable app, by id.
    pub fn iter(&self) -> impl Iterator<Item = &Arc<App>> {
        self.entries.values().filter_map(|entry| entry.app.as_ref())
    }

    /// Where the file of `id` is.
    pub fn file_of(&self, id: &AppId) -> PathBuf {
        self.folder.join(format!("{id}{SUFFIX}"))
    }

    fn installed_copy(&self, id: &AppId) -> PathBuf {
        self.folder.join(INSTALLED).join(format!("{id}{SUFFIX}"))
    }

    /// Read one app's files now, without looking at the others: what a command that needs one app does. Where the file does not
    /// check, the app is as it was installed.
    ///
    /// # Errors
    /// [`AppsError::Unknown`] without the file, [`AppsError::Invalid`] when nothing good of it is left.
    pub fn open(&self, id: &AppId) -> Result<App, AppsError> {
        match self.load(id) {
            Ok(app) => Ok(app),
            Err(AppsError::File(error)) if error.kind() == Some(std::io::ErrorKind::NotFound) => {
                Err(AppsError::Unknown(id.clone()))
            }
            Err(error) => self.load_installed(id).ok_or(error),
        }
    }

    /// Check the file in `bytes` whole: may its package be the next version of its app?
    ///
    /// A change of a kind that loses something ([`losses`]) needs a migration that says so wherever the version is another one. The same
    /// version may change as it likes (somebody is still at work on it) until there are records of the kind: `keeps` says whether the
    /// app has some.
    ///
    /// # Errors
    /// Every problem of the package, a reserved id, another author, what would be lost.
    pub fn admit<'a>(
        &self,
        bytes: &'a [u8],
        origin: Origin,
        keeps: impl Fn(&AppId, &str) -> bool,
    ) -> Result<Admitted<'a>, AppsError> {
        let read = AppFile::read(bytes, Judge::default());
        let file = read.file.ok_or(AppsError::Invalid(read.issues))?;
        let package = &file.package;
        let id = package.id().clone();
        if origin == Origin::Person && id.is_reserved() {
            return Err(AppsError::Reserved(id));
        }
        let before = self.open(&id).ok();
        // The installed copy says whose the app is, whatever was put beside it since.
        let installed = self.load_installed(&id).or(before.clone());
        if let Some(installed) = installed {
            let before = &installed.package;
            load::same_author(before, package)?;
            let mut lost = losses(before, package);
            if before.version() == package.version() {
                lost.retain(|(kind, _)| keeps(&id, kind));
                for (_, issue) in &mut lost {
                    issue
                        .message
                        .push_str(", and give the package another version");
                }
            }
            if !lost.is_empty() {
                return Err(AppsError::Loses {
                    app: id,
                    version: package.version().to_owned(),
                    issues: lost.into_iter().map(|(_, issue)| issue).collect(),
                });
            }
        }
        Ok(Admitted {
            whole: bytes,
            file,
            notes: read.notes,
            replaced: before.map(|app| app.package.version().to_owned()),
        })
    }

    /// Is no file of the app `id` here, good or not?
    pub fn is_new(&self, id: &AppId) -> bool {
        !self.file_of(id).exists() && !self.installed_copy(id).exists()
    }

    /// Is what was admitted the installed version already, whatever the file beside holds?
    pub fn holds(&self, admitted: &Admitted<'_>) -> bool {
        let copy = self.copy_of(admitted.package().id());
        copy.as_deref() == Some(admitted.file.package_text(admitted.whole))
    }

    /// Make what was admitted the installed version of its app.
    ///
    /// # Errors
    /// The folder's trouble; the installed version stays as it was.
    pub fn install(&mut self, admitted: Admitted<'_>) -> Result<Installed, AppsError> {
        let Admitted {
            whole,
            file,
            notes,
            replaced,
        } = admitted;
        let bytes = file.package_text(whole);
        let id = file.package.id().clone();
        let author = Author::of(&file.package);
        files::private_dir(&self.folder.join(INSTALLED))?;
        // The copy first: a kill between the two leaves the old file with the new copy's kinds, which the next install settles,
        // and never a new file that nobody vouched for.
        let both = [self.installed_copy(&id), self.file_of(&id)];
        files::replace_both([&both[0], &both[1]], bytes, files::PRIVATE_FILE)?;
        self.scan()?;
        let app = self.get(&id).cloned().ok_or(AppsError::Unknown(id))?;
        Ok(Installed {
            app,
            notes,
            replaced,
            author,
        })
    }

    /// Whose the app `id` is: of what was installed, whatever its file holds now.
    ///
    /// # Errors
    /// [`AppsError::Unknown`] when there is no such file.
    pub fn author_of(&self, id: &AppId) -> Result<Author, AppsError> {
        if let Some(installed) = self.load_installed(id) {
            return Ok(Author::of(&installed.package));
        }
        match self.open(id) {
            Ok(app) => Ok(Author::of(&app.package)),
            Err(AppsError::Unknown(_)) if self.installed_copy(id).exists() => Ok(Author::unknown()),
            Err(error @ AppsError::Unknown(_)) => Err(error),
            Err(_) => Ok(Author::unknown()),
        }
    }

    /// Remove the app `id`. Its records are not touched.
    ///
    /// # Errors
    /// [`AppsError::Unknown`] when there is no such file, or the folder's trouble.
    pub fn remove(&mut self, id: &AppId) -> Result<(), AppsError> {
        // The file first: while the copy alone is left, the app is gone, but its id is still its author's.
        let file = files::remove(&self.file_of(id))?;
        let copy = files::remove(&self.installed_copy(id))?;
        if !file && !copy {
            return Err(AppsError::Unknown(id.clone()));
        }
        self.entries.remove(id);
        Ok(())
    }
}
