//! What several commands need from the folders: the store of records, the installed apps, one app by the name a person typed.

use std::io::Read;
use std::path::Path;
use std::sync::{Arc, Mutex, PoisonError};

use ede_engine::app_id::AppId;
use ede_engine::apps::{App, Apps, AppsError};
use ede_engine::records::{MOST_RECORDS, Store, StoreError, StoreEvent, StoreOptions};

use super::{Failure, Output};
use crate::clock::SystemClock;
use crate::installs::{self, InstallError, Resumed};
use crate::paths::Paths;

/// The largest file of records a command reads.
const INPUT_MAX_BYTES: usize = 64 * 1024 * 1024;

impl From<StoreError> for Failure {
    fn from(error: StoreError) -> Failure {
        Failure(error.to_string())
    }
}

impl From<AppsError> for Failure {
    fn from(error: AppsError) -> Failure {
        Failure(error.to_string())
    }
}

/// The app id that `text` spells.
pub fn app_id(text: &str) -> Result<AppId, String> {
    AppId::parse(text).map_err(|error| error.to_string())
}

/// The installed apps, not scanned yet.
pub fn apps(paths: &Paths) -> Apps {
    Apps::new(paths.apps())
}

/// The installed app `id`.
pub fn installed(paths: &Paths, id: &AppId) -> Result<App, Failure> {
    Ok(apps(paths).open(id)?)
}

/// The records, with what the store has to say about the database's state.
pub struct OpenRecords {
    store: Store,
    told: Arc<Mutex<Vec<String>>>,
}

impl OpenRecords {
    /// The records of `paths`.
    pub fn open(paths: &Paths) -> Result<OpenRecords, Failure> {
        let store = Store::start(StoreOptions::new(paths.records(), Arc::new(SystemClock)))
            .map_err(|error| Failure::new("the records cannot be opened", error, "try again"))?;
        let told: Arc<Mutex<Vec<String>>> = Arc::default();
        let heard = told.clone();
        store.listen(move |event| {
            let worth_telling = match event {
                StoreEvent::Trouble(trouble @ StoreError::Damaged(_)) => trouble.to_string(),
                StoreEvent::NotMoved(_, why) => why.to_string(),
                StoreEvent::Filling(app, records) => {
                    format!("{app} keeps {records} records now, of {MOST_RECORDS} at most")
                }
                _ => return,
            };
            let mut heard = heard.lock().unwrap_or_else(PoisonError::into_inner);
            heard.push(worth_telling);
        });
        let records = OpenRecords { store, told };
        records.finish_installs(paths);
        Ok(records)
    }

    /// Finish what an install that was cut short has left to do.
    fn finish_installs(&self, paths: &Paths) {
        let said: Vec<String> = match installs::resume(paths, &self.store) {
            Ok(resumed) => resumed.iter().map(Resumed::to_string).collect(),
            // What is wrong with the records themselves says whoever asks them.
            Err(InstallError::Records(_)) => Vec::new(),
            Err(error) => vec![format!(
                "an install that was cut short is not finished: {error}"
            )],
        };
        let mut told = self.told.lock().unwrap_or_else(PoisonError::into_inner);
        told.extend(said);
    }

    /// Ask the store.
    pub fn store(&self) -> &Store {
        &self.store
    }

    /// Say what happened meanwhile: a damaged database was moved aside, and where to; an app has nearly as many records as it may.
    pub fn finish(self, out: &mut Output) {
        // Events follow answers: the store's end is the end of its events.
        drop(self.store);
        for trouble in self
            .told
            .lock()
            .unwrap_or_else(PoisonError::into_inner)
            .drain(..)
        {
            out.note(&trouble);
        }
    }
}

/// The bytes of a file a person named; `-` is standard input.
pub fn input(path: &Path) -> Result<Vec<u8>, Failure> {
    if path != Path::new("-") {
        return Ok(ede_engine::files::read_limited(path, INPUT_MAX_BYTES)?);
    }
    let mut bytes = Vec::new();
    std::io::stdin()
        .lock()
        .take(INPUT_MAX_BYTES as u64 + 1)
        .read_to_end(&mut bytes)
        .map_err(|error| Failure::new("cannot read", "standard input", error))?;
    if bytes.len() > INPUT_MAX_BYTES {
        return Err(Failure::new(
            "too much to read",
            "standard input",
            format!("give at most {INPUT_MAX_BYTES} bytes"),
        ));
    }
    Ok(bytes)
}

/// The JSON in a file a person named.
pub fn json_input(path: &Path) -> Result<serde_json::Value, Failure> {
    serde_json::from_slice(&input(path)?)
        .map_err(|error| Failure::new("not JSON", format!("{}: {error}", named(path)), mend(path)))
}

/// How a message names what [`input`] read.
pub fn named(path: &Path) -> std::borrow::Cow<'_, str> {
    if path == Path::new("-") {
        "standard input".into()
    } else {
        path.to_string_lossy()
    }
}

/// What to do about a mistake in what [`input`] read.
pub fn mend(path: &Path) -> &'static str {
    if path == Path::new("-") {
        "mend what is piped in"
    } else {
        "mend the file"
    }
}
