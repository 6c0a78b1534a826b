//! Installs the file of an app, whole: its package, the records that wait for it and those it brings, its entry in the launchers. What is
//! begun is noted among the records ([`Install`]); where a process ended in between, the next one to open them goes on ([`resume`]), and
//! where the package was not in place yet, nothing has happened, but that what it was allowed may have to be asked again.
//!
//! One process at a time: whoever installs or removes holds `install.lock` in the data folder. Touches that, the apps' folder, the entries
//! and the records.

use std::fmt;
use std::fs::{File, OpenOptions, TryLockError};
use std::io;
use std::os::unix::fs::OpenOptionsExt;
use std::sync::Arc;

use ede_engine::app_id::AppId;
use ede_engine::apps::{Apps, AppsError, Installed, Origin};
use ede_engine::files::{self, FileError};
use ede_engine::package::Package;
use ede_engine::records::{Brought, Install, Store, StoreError};

use crate::desktop_entries;
use crate::packages::is_bundled;
use crate::paths::Paths;

/// Why a file was not installed. With [`InstallError::Records`] after the package is in place its records are as they were.
#[derive(Debug, thiserror::Error)]
pub enum InstallError {
    #[error(transparent)]
    Apps(#[from] AppsError),
    #[error(transparent)]
    File(#[from] FileError),
    #[error(transparent)]
    Records(#[from] StoreError),
}

/// What an install came to.
#[derive(Debug)]
pub struct Done {
    pub installed: Installed,
    /// Records of a removed app by this id wait for another author, or for the person.
    pub others: bool,
    /// What came of the file's records; `None` where it has none.
    pub brought: Option<Brought>,
}

/// An install that was cut short and is finished now.
#[derive(Debug)]
pub struct Resumed {
    pub app: AppId,
    pub version: String,
    /// Why its records did not come along.
    pub refused: Option<StoreError>,
}

impl fmt::Display for Resumed {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Resumed {
            app,
            version,
            refused,
        } = self;
        write!(
            f,
            "the install of {app} {version}, which was cut short, is finished"
        )?;
        match refused {
            Some(why) => write!(f, " without the records of its file: {why}"),
            None => Ok(()),
        }
    }
}

/// Install `file`. Records of older versions are not moved: that can be cut short anywhere ([`Store::move_records`]).
///
/// # Errors
/// What is wrong with the file, its app, the folders or the records. Before the package is in place nothing was changed.
pub fn install(paths: &Paths, store: &Store, file: &[u8]) -> Result<Done, InstallError> {
    let _turn = turn(paths)?;
    // Whoever held the lock may have been killed meanwhile: this install's note would take the place of theirs.
    for begun in store.installs().wait()? {
        if let Err(error) = go_on(paths, store, begun) {
            tracing::warn!("an install that was cut short is not finished: {error}");
        }
    }
    let mut apps = Apps::new(paths.apps());
    let keeps = |app: &AppId, kind: &str| keeps(paths, store, app, kind);
    let admitted = apps.admit(file, origin(file), keeps)?;
    let package = Arc::new(admitted.package().clone());
    let rows = admitted.rows().to_vec();
    if !rows.is_empty() {
        // What cannot come is found before anything has.
        store.would_bring(package.clone(), rows.clone()).wait()?;
    }
    // Without a database there is nothing to be given back, and none is made for it.
    let noted = paths.records().exists();
    let id = package.id().clone();
    if noted {
        let (app, file, anew) = (id.clone(), file.to_vec(), apps.is_new(&id));
        store.begin_install(Install { app, file, anew }).wait()?;
        forget_what_changed(&apps, store, &package)?;
    }
    let installed = match apps.install(admitted) {
        Ok(installed) => installed,
        Err(error) => {
            if noted && let Err(kept) = store.drop_install(id).wait() {
                tracing::warn!("{kept}");
            }
            return Err(error.into());
        }
    };
    let (mut others, mut brought) = (false, None);
    if noted {
        let any = !rows.is_empty();
        let came = end(store, &installed, rows)?;
        brought = any.then_some(came);
        others = !store.removed(id).wait()?.is_empty();
    }
    // Last: an app without an entry is one that the next install mends, its records without it would wait for that.
    let program = desktop_entries::this_program();
    desktop_entries::write(paths.applications(), &installed.app, &program)?;
    Ok(Done {
        installed,
        others,
        brought,
    })
}

/// Finish what was begun by processes that are gone. Where another is at it now nothing is done.
///
/// # Errors
/// The folders or the records; it is tried again the next time.
pub fn resume(paths: &Paths, store: &Store) -> Result<Vec<Resumed>, InstallError> {
    if store.installs().wait()?.is_empty() {
        return Ok(Vec::new());
    }
    let lock = lock_file(paths)?;
    match lock.try_lock() {
        Ok(()) => {}
        Err(TryLockError::WouldBlock) => return Ok(Vec::new()),
        Err(TryLockError::Error(error)) => return Err(lock_trouble(paths, error)),
    }
    let mut resumed = Vec::new();
    // Whoever held the lock may have finished some.
    let mut trouble = None;
    for begun in store.installs().wait()? {
        match go_on(paths, store, begun) {
            Ok(done) => resumed.extend(done),
            // The others have their turn.
            Err(error) => trouble = Some(error),
        }
    }
    match trouble {
        Some(error) if resumed.is_empty() => Err(error),
        Some(error) => {
            tracing::warn!("an install that was cut short is not finished: {error}");
            Ok(resumed)
        }
        None => Ok(resumed),
    }
}

fn go_on(paths: &Paths, store: &Store, begun: Install) -> Result<Option<Resumed>, InstallError> {
    let mut apps = Apps::new(paths.apps());
    let admitted = match apps.admit(&begun.file, origin(&begun.file), |_, _| true) {
        // Whether it is in place cannot be told now: the note stays.
        Err(error @ AppsError::File(_)) => return Err(error.into()),
        admitted => admitted.ok().filter(|admitted| apps.holds(admitted)),
    };
    let Some(admitted) = admitted else {
        // It ended before the package was in place.
        store.drop_install(begun.app).wait()?;
        return Ok(None);
    };
    let rows = admitted.rows().to_vec();
    let installed = apps.install(admitted)?;
    let refused = match end(store, &installed, rows) {
        Ok(_) => None,
        Err(error) if is_final(&error) => Some(error),
        Err(error) => return Err(error.into()),
    };
    let package = &installed.app.package;
    store.move_all(package.clone());
    let program = desktop_entries::this_program();
    if let Err(error) = desktop_entries::write(paths.applications(), &installed.app, &program) {
        tracing::warn!("{error}");
    }
    Ok(Some(Resumed {
        app: begun.app,
        version: package.version().to_owned(),
        refused,
    }))
}

/// Bring the records in. Where they are refused the install ends without them: asking again would not mend it.
fn end(
    store: &Store,
    installed: &Installed,
    rows: Vec<ede_engine::app_file::Row>,
) -> Result<Brought, StoreError> {
    let end = |rows| {
        let (package, author) = (installed.app.package.clone(), installed.author.clone());
        store.end_install(package, author, rows).wait()
    };
    end(rows).or_else(|error| {
        if is_final(&error) {
            end(Vec::new())?;
        }
        Err(error)
    })
}

fn is_final(error: &StoreError) -> bool {
    matches!(error, StoreError::Refused(_) | StoreError::TooMany { .. })
}

fn origin(file: &[u8]) -> Origin {
    match is_bundled(file) {
        true => Origin::Bundled,
        false => Origin::Person,
    }
}

/// Has `app` records of this kind? Where that cannot be read, it may.
fn keeps(paths: &Paths, store: &Store, app: &AppId, kind: &str) -> bool {
    if !paths.records().exists() {
        return false;
    }
    let kinds = store.kinds(app.clone()).wait();
    kinds.map_or(true, |kinds| {
        kinds.iter().any(|(known, _)| known.as_str() == kind)
    })
}

/// What the person decided about an app holds for what its new version declares too, and for the same author: the rest is forgotten before
/// the new version is there.
fn forget_what_changed(
    apps: &Apps,
    store: &Store,
    package: &Arc<Package>,
) -> Result<(), InstallError> {
    match apps.open(package.id()) {
        Ok(_) => Ok(store.keep_declared(package.clone()).wait()?),
        // There was none.
        Err(_) => Ok(()),
    }
}

/// Wait for the turn of this process to change which apps there are; it lasts as long as what is given.
///
/// # Errors
/// The data folder's.
pub fn turn(paths: &Paths) -> Result<File, InstallError> {
    files::private_dir(paths.data())?;
    let lock = lock_file(paths)?;
    lock.lock().map_err(|error| lock_trouble(paths, error))?;
    Ok(lock)
}

fn lock_file(paths: &Paths) -> Result<File, InstallError> {
    let lock = OpenOptions::new()
        .create(true)
        .truncate(false)
        .write(true)
        .mode(files::PRIVATE_FILE)
        .open(paths.install_lock());
    lock.map_err(|error| lock_trouble(paths, error))
}

fn lock_trouble(paths: &Paths, source: io::Error) -> InstallError {
    let path = paths.install_lock();
    let action = "lock";
    FileError::Io {
        action,
        path,
        source,
    }
    .into()
}
