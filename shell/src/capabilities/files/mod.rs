//! `files`: the person picks files for an app to read, or where to save one of its. The dialog is the consent: the portal's ([`dialogs`]),
//! or where there is none a sheet of the shell's own ([`Pick`]). What the app gets is names and bytes ([`disk`]), never a path.

pub mod accept;
mod disk;
pub mod folder;

use std::path::PathBuf;
use std::sync::Arc;
use std::sync::mpsc::{Sender, channel};

use ashpd::desktop::file_chooser::{FileFilter, OpenFileRequest, SaveFileRequest, SelectedFiles};
use ede_engine::app_id::AppId;
use ede_engine::bridge::NativeAnswer;
use ede_engine::bridge::files::NewFile;
use ede_engine::bridge::format;
use ede_engine::bridge::mime::MimeTypes;
use ede_engine::package::Package;
use ede_engine::plain;
use serde_json::{Map, Value, json};

use super::dialogs::{self, Dialog, Turn, Turns};
use super::{Call, Provider, Ran, Stop, failed};
use crate::wayland::Platform;
use accept::{Accept, One};

pub use disk::PICK_MAX_FILES;

/// The longest name of an app in a dialog's title (characters).
const APP_NAME: usize = 80;

/// What the person is to pick.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Wanted {
    /// Files to read.
    Open { accept: Accept, multiple: bool },
    /// Where to write a file, by this name unless the person has a better one.
    Save { name: String },
}

/// Who asks the person for files.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Whose {
    /// An app, with its name as one plain line.
    App(AppId, String),
    /// An agent, by the words the person knows it by: only to save what it has handed over.
    Agent(String),
}

impl Whose {
    pub fn name(&self) -> &str {
        match self {
            Whose::App(_, name) | Whose::Agent(name) => name,
        }
    }

    pub fn app(&self) -> Option<&AppId> {
        match self {
            Whose::App(app, _) => Some(app),
            Whose::Agent(_) => None,
        }
    }
}

/// A question to the person: which files? None is an answer too.
pub struct Pick {
    pub whose: Whose,
    pub wanted: Wanted,
    answer: Sender<Picked>,
}

/// What the person has picked; nothing when they left.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Picked {
    pub paths: Vec<PathBuf>,
    /// They were asked about the file that is there, and it may go.
    pub replaces: bool,
}

impl Pick {
    pub fn answer(self, picked: Picked) {
        // Who asked may have ended.
        let _ = self.answer.send(picked);
    }
}

/// Puts a pick to the person, from any thread.
pub type Sheet = Arc<dyn Fn(Pick) + Send + Sync>;

/// Asks the person for files, for one thing at a time of each app. Clones share their turns.
#[derive(Clone)]
pub struct Files {
    /// The shell's own way to ask.
    sheet: Sheet,
    turns: Turns,
}

impl Files {
    pub fn new(sheet: Sheet) -> Files {
        Files {
            sheet,
            turns: Turns::default(),
        }
    }

    /// Ask the person for files that `package`'s app is to have, until `stop`; `done` is called on another thread. The errors are
    /// sentences for the person.
    ///
    /// # Errors
    /// They are not asked.
    pub fn ask(
        &self,
        package: &Package,
        (accept, multiple): (Accept, bool),
        stop: Stop,
        done: impl FnOnce(Result<Vec<PathBuf>, &'static str>) + Send + 'static,
    ) -> Result<(), &'static str> {
        self.begin(package, stop, move |asks| {
            let picked = asks.pick(Wanted::Open { accept, multiple });
            drop(asks);
            done(picked.map(|picked| picked.paths));
        })
    }

    fn begin(
        &self,
        package: &Package,
        stop: Stop,
        work: impl FnOnce(Asks) + Send + 'static,
    ) -> Result<(), &'static str> {
        let turn = self.turns.begin(package.id());
        let turn = turn.ok_or("Another dialog of the app's is open")?;
        let name = plain::line(package.name(), APP_NAME);
        let whose = Whose::App(package.id().clone(), name);
        self.start(whose, Some(turn), stop, work)
    }

    /// Have the person save a file that an agent has handed over, called `by`, until `stop`: `read` gives its name and its bytes. `done` is called on another
    /// thread: was it saved? The errors are sentences for the person.
    ///
    /// # Errors
    /// They are not asked.
    pub fn save_for_agent(
        &self,
        by: String,
        read: impl FnOnce() -> Result<(String, Vec<u8>), String> + Send + 'static,
        stop: Stop,
        done: impl FnOnce(Result<bool, String>) + Send + 'static,
    ) -> Result<(), &'static str> {
        self.start(Whose::Agent(by), None, stop, move |asks| {
            done(read().and_then(|(name, bytes)| asks.write(name, &bytes)));
        })
    }

    fn start(
        &self,
        whose: Whose,
        turn: Option<Turn>,
        stop: Stop,
        work: impl FnOnce(Asks) + Send + 'static,
    ) -> Result<(), &'static str> {
        let sheet = self.sheet.clone();
        let asks = Asks {
            whose,
            sheet,
            stop,
            _turn: turn,
        };
        let thread = std::thread::Builder::new().name("ede-files".into());
        let started = thread.spawn(move || work(asks));
        started.map(drop).map_err(|_| "The dialog did not open")
    }
}

/// Files the person has picked or dropped, read for an app, in order: all of them or none. The error is a sentence for the person. Waits
/// for the disk.
///
/// # Errors
/// One is no plain file, cannot be read or is too large.
pub fn read(paths: &[PathBuf]) -> Result<Vec<NewFile>, String> {
    let given = disk::read(paths).map_err(|error| error.to_string())?;
    Ok(given.into_iter().map(file_of).collect())
}

fn file_of(given: disk::Given) -> NewFile {
    let disk::Given { name, bytes } = given;
    let mime_type = MimeTypes::known().of_file(None, &name, &bytes, false);
    NewFile {
        mime_type: mime_type.to_string(),
        name,
        bytes,
    }
}

impl Provider for Files {
    fn capability(&self) -> &'static str {
        "files"
    }

    fn is_there(&self, session: Option<&Platform>) -> bool {
        session.is_some()
    }

    fn call(&mut self, call: Call<'_>, _: Option<&mut Platform>) -> Ran {
        let (tool, arguments, later) = (call.tool.to_owned(), call.arguments, call.later);
        let begun = self.begin(call.package, call.stop, move |asks| {
            let answered = if tool == "save" {
                asks.save(&arguments)
            } else {
                asks.open(&arguments)
            };
            drop(asks);
            later.answer(answered);
        });
        match begun {
            Ok(()) => Ran::Later,
            Err(words) => Ran::Now(failed(words)),
        }
    }
}

/// Who asks the person, on a thread of its own.
struct Asks {
    whose: Whose,
    sheet: Sheet,
    stop: Stop,
    _turn: Option<Turn>,
}

impl Asks {
    fn open(&self, arguments: &Map<String, Value>) -> NativeAnswer {
        let said = arguments.get("accept").and_then(Value::as_array);
        let said = said.into_iter().flatten().filter_map(Value::as_str);
        let accept = Accept::parse(said);
        let multiple = arguments.get("multiple") == Some(&json!(true));
        let given = match self.pick(Wanted::Open { accept, multiple }) {
            Ok(picked) => read(&picked.paths),
            Err(words) => return failed(words),
        };
        let file = |file: NewFile| json!({"name": file.name, "mimeType": file.mime_type, "data": format::base64(&file.bytes)});
        match given {
            Ok(given) => {
                let files: Vec<Value> = given.into_iter().map(file).collect();
                done(json!({"files": files}))
            }
            Err(words) => failed(&words),
        }
    }

    fn save(&self, arguments: &Map<String, Value>) -> NativeAnswer {
        let text = |key: &str| {
            let said = arguments.get(key).and_then(Value::as_str);
            said.unwrap_or_default()
        };
        let Some(bytes) = format::bytes(text("data")) else {
            return failed("There is nothing to save");
        };
        match self.write(plain::file_name(text("name")), &bytes) {
            Ok(saved) => done(json!({"saved": saved})),
            Err(words) => failed(&words),
        }
    }

    /// Write a file where the person says; `false` when they leave. The error is a sentence for them.
    fn write(&self, name: String, bytes: &[u8]) -> Result<bool, String> {
        let picked = self.pick(Wanted::Save { name })?;
        let Some(path) = picked.paths.first() else {
            return Ok(false);
        };
        disk::write(path, bytes, picked.replaces)
            .map(|()| true)
            .map_err(|error| error.to_string())
    }

    /// Ask the person; the error is a sentence for them.
    fn pick(&self, wanted: Wanted) -> Result<Picked, &'static str> {
        let title = match &self.whose {
            Whose::App(app, name) => format!("{} {name} ({app})", verb(&wanted)),
            Whose::Agent(name) => format!("{} {name}", verb(&wanted)),
        };
        let chosen = dialogs::ask(&self.stop, |bus| {
            let wanted = wanted.clone();
            async move {
                let title = title.as_str();
                match wanted {
                    Wanted::Open { accept, multiple } => OpenFileRequest::default()
                        .connection(Some(bus))
                        .title(title)
                        .modal(true)
                        .multiple(multiple)
                        .filters(filter(&accept))
                        .send()
                        .await?
                        .response(),
                    Wanted::Save { name } => SaveFileRequest::default()
                        .connection(Some(bus))
                        .title(title)
                        .modal(true)
                        .current_name(name.as_str())
                        .send()
                        .await?
                        .response(),
                }
            }
        });
        match chosen {
            // The dialog has asked about a file that is there.
            Dialog::Answered(chosen) => local(&chosen)
                .map(|paths| Picked {
                    paths,
                    replaces: true,
                })
                .ok_or("Only files on this computer can be used, choose another"),
            Dialog::Cancelled => Ok(Picked::default()),
            Dialog::Failed => Err("The file dialog did not open"),
            Dialog::NoPortal => {
                let (answer, picked) = channel();
                (self.sheet)(Pick {
                    whose: self.whose.clone(),
                    wanted,
                    answer,
                });
                // The shell ends before it answers: nothing was picked.
                Ok(picked.recv().unwrap_or_default())
            }
        }
    }
}

/// What a dialog is for, before the app's name.
fn verb(wanted: &Wanted) -> &'static str {
    match wanted {
        Wanted::Open { multiple: true, .. } => "Open files for",
        Wanted::Open { .. } => "Open a file for",
        Wanted::Save { .. } => "Save a file from",
    }
}

fn filter(accept: &Accept) -> Option<FileFilter> {
    let add = |filter: FileFilter, one: &One| match one {
        One::Mime(kind) => filter.mimetype(kind),
        One::Extension(extension) => filter.glob(&format!("*.{extension}")),
    };
    let named = FileFilter::new(&accept.words());
    (!accept.is_everything()).then(|| accept.iter().fold(named, add))
}

/// The paths of what was chosen; `None` when some of it is elsewhere.
fn local(chosen: &SelectedFiles) -> Option<Vec<PathBuf>> {
    let path = |uri: &ashpd::Uri| reqwest::Url::parse(uri.as_str()).ok()?.to_file_path().ok();
    chosen.uris().iter().map(path).collect()
}

fn done(content: Value) -> NativeAnswer {
    NativeAnswer::Result(json!({"structuredContent": content}))
}

#[cfg(test)]
pub fn pick(wanted: Wanted) -> (Pick, std::sync::mpsc::Receiver<Picked>) {
    let (answer, picked) = channel();
    let id = "acme.app";
    let pick = Pick {
        whose: Whose::App(
            AppId::parse(id).unwrap_or_else(|_| unreachable!("{id}")),
            "App".into(),
        ),
        wanted,
        answer,
    };
    (pick, picked)
}
