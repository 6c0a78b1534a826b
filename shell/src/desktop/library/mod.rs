//! The person's files: installed packages and desktop documents. Read at start, read again when something below the folders changed.
//! A file that does not check changes nothing on screen: the last good version stays, and what is wrong is said, once.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use ede_engine::app_id::AppId;
use ede_engine::apps::{Apps, Broken, Origin};
use ede_engine::documents::{Document, store};
use ede_engine::files;
use ede_engine::issue::Issue;
use ede_engine::package::Package;
use ede_engine::source::Limits;

use super::documents::Documents;
use super::error_tile::Problem;
use super::mistakes::Mistake;
use super::shelf::Packages;
use crate::desktop_entries;
use crate::packages::{BUNDLED, DOCUMENTS};
use crate::paths::Paths;

pub struct Library {
    ui: PathBuf,
    pub apps: Apps,
    /// Which document each file held when it last checked.
    held: BTreeMap<PathBuf, String>,
    /// What is wrong with each document that is not used.
    told: BTreeMap<PathBuf, String>,
    /// What is wrong with the session's theme.
    theme: Option<Mistake>,
    /// What is wrong with the person's list of servers.
    servers: Option<Mistake>,
    /// What the person has not been told yet.
    untold: Vec<Mistake>,
}

/// A file and the id of the document that is in it, or that was when it last checked.
struct Claim {
    path: PathBuf,
    id: String,
    /// `None` while the file has a mistake.
    document: Option<Document>,
}

/// This is wrong with a file now. True when it is another mistake than before, or none any more.
fn read(known: &mut Option<Mistake>, mistake: Option<&Mistake>, untold: &mut Vec<Mistake>) -> bool {
    let other = known.as_ref() != mistake;
    if other {
        *known = mistake.cloned();
        untold.extend(mistake.cloned());
    }
    other
}

/// Lies in a folder whose first run is over.
const DONE: &str = ".first-run-done";

/// Lies in the folder of the apps once other launchers know those that came with eDE.
const LISTED: &str = ".launcher-entries-done";

fn done(folder: &Path) -> bool {
    folder.join(DONE).exists()
}

/// Tell the session's other launchers of the apps that came with eDE, once: an entry the person removes stays removed. For a shell
/// that is on screen; a picture leaves the launchers alone.
pub fn list_in_launchers(paths: &Paths) {
    let apps = Apps::new(paths.apps());
    let marker = apps.folder().join(LISTED);
    if marker.exists() {
        return;
    }
    let program = desktop_entries::this_program();
    let bundled = BUNDLED.iter().filter_map(|(id, _)| AppId::parse(id).ok());
    let mut written = Vec::new();
    for app in bundled.filter_map(|id| apps.open(&id).ok()) {
        written.push(desktop_entries::write(paths.applications(), &app, &program));
    }
    written.push(files::replace(&marker, b"", 0o600));
    // Other launchers are a convenience: without their entry the app still opens from here.
    for error in written.into_iter().filter_map(Result::err) {
        tracing::warn!("{error}");
    }
}

/// What a look at the folders found.
#[derive(Debug, Default, PartialEq)]
pub struct Changed {
    pub documents: bool,
    /// The session document among them.
    pub session: bool,
    pub apps: Vec<AppId>,
    /// Other files have mistakes than before, or others.
    pub mistakes: bool,
}

impl Library {
    pub fn new(paths: &Paths) -> Library {
        Library {
            ui: paths.ui(),
            apps: Apps::new(paths.apps()),
            held: BTreeMap::new(),
            told: BTreeMap::new(),
            theme: None,
            servers: None,
            untold: Vec::new(),
        }
    }

    /// No folders at all (the preview).
    pub fn empty() -> Library {
        Library {
            ui: PathBuf::new(),
            apps: Apps::new(PathBuf::new()),
            held: BTreeMap::new(),
            told: BTreeMap::new(),
            theme: None,
            servers: None,
            untold: Vec::new(),
        }
    }

    /// Copy what a desktop starts with, once. From then on the folders are the truth: what the person removes stays removed. A first
    /// run that was cut short is finished by the next one. Nothing outside of eDE's own folders is written.
    pub fn first_run(&mut self) -> Result<(), String> {
        let text = |e: files::FileError| e.to_string();
        if !done(&self.ui) {
            files::private_dir(&self.ui).map_err(text)?;
            for (id, bytes) in DOCUMENTS {
                let file = store::path_of(&self.ui, id);
                if !file.exists() {
                    files::replace(&file, bytes, 0o600).map_err(text)?;
                }
            }
            files::replace(&self.ui.join(DONE), b"", 0o600).map_err(text)?;
        }
        let folder = self.apps.folder().to_path_buf();
        if !done(&folder) {
            for (id, bytes) in BUNDLED {
                let there = AppId::parse(id).is_ok_and(|id| self.apps.file_of(&id).exists());
                if there {
                    continue;
                }
                self.apps
                    .admit(bytes, Origin::Bundled, |_, _| true)
                    .and_then(|admitted| self.apps.install(admitted))
                    .map_err(|e| format!("{id}: {e}"))?;
            }
            files::replace(&folder.join(DONE), b"", 0o600).map_err(text)?;
        }
        Ok(())
    }

    /// The folders whose changes matter.
    pub fn folders(&self) -> [&Path; 2] {
        [&self.ui, self.apps.folder()]
    }

    /// The packages of the apps that can be used, as of the last look.
    pub fn packages(&self) -> impl Iterator<Item = Arc<Package>> {
        self.apps.iter().map(|app| app.package.clone())
    }

    /// Read what changed since the last look.
    pub fn look(&mut self, docs: &mut Documents, packages: &mut Packages) -> Changed {
        let mut changed = Changed::default();
        let before = self.mistakes();
        self.look_at_apps(packages, &mut changed);
        self.look_at_documents(docs, &mut changed);
        changed.mistakes = self.mistakes() != before;
        changed
    }

    /// What of the files is wrong and has not been asked for yet.
    pub fn take_untold(&mut self) -> Vec<Mistake> {
        std::mem::take(&mut self.untold)
    }

    /// The session's theme was read, and this is wrong with it. True when it is another mistake than before, or none any more.
    pub fn theme_read(&mut self, mistake: Option<&Mistake>) -> bool {
        read(&mut self.theme, mistake, &mut self.untold)
    }

    /// As [`Library::theme_read`], of the person's list of servers.
    pub fn servers_read(&mut self, mistake: Option<&Mistake>) -> bool {
        read(&mut self.servers, mistake, &mut self.untold)
    }

    /// Every file that is not used as it is now, documents first.
    pub fn mistakes(&self) -> Vec<Mistake> {
        let documents = self.told.iter().map(|(path, what)| Mistake {
            file: file_name(path),
            what: what.clone(),
        });
        let apps = self.apps.broken();
        let documents = documents
            .chain(self.theme.clone())
            .chain(self.servers.clone());
        documents.chain(apps.iter().map(of_package)).collect()
    }

    fn look_at_apps(&mut self, packages: &mut Packages, changed: &mut Changed) {
        let scan = match self.apps.scan() {
            Ok(scan) => scan,
            Err(error) => {
                tracing::error!("the installed apps cannot be read: {error}");
                return;
            }
        };
        // What the first run installed is no news to the folder, but it is to the screen.
        let fresh: Vec<AppId> = self
            .apps
            .iter()
            .filter(|a| packages.get(a.id()).is_none())
            .map(|a| a.id().clone())
            .collect();
        for id in scan.changed.iter().chain(&fresh) {
            if let Some(app) = self.apps.get(id) {
                packages.put(app.package.clone());
                changed.apps.push(id.clone());
            }
        }
        for id in &scan.removed {
            packages.remove(id);
            changed.apps.push(id.clone());
        }
        for broken in &scan.broken {
            let mistake = of_package(broken);
            tracing::warn!(file = %broken.file.display(), "the package is not used: {}", mistake.what);
            let name = broken
                .id
                .as_ref()
                .map_or_else(|| mistake.file.clone(), AppId::to_string);
            packages.put_broken(problem(&name, &broken.issues));
            self.untold.push(mistake);
            // Where a good version is in use, nothing changes.
            let shows = |id: &&AppId| packages.get(id).is_none();
            changed
                .apps
                .extend(broken.id.as_ref().filter(shows).cloned());
        }
    }

    fn look_at_documents(&mut self, docs: &mut Documents, changed: &mut Changed) {
        let found = match store::list(&self.ui) {
            Ok(found) => found,
            Err(error) => {
                tracing::error!(folder = %self.ui.display(), "the documents cannot be read: {error}");
                return;
            }
        };
        self.told.retain(|path, _| found.contains(path));
        let mut claims: Vec<Claim> = Vec::new();
        for path in found {
            match store::read(&path).map(|parsed| parsed.document.ok_or(parsed.issues)) {
                Ok(Ok(document)) => claims.push(Claim {
                    id: document.id().as_str().to_string(),
                    path,
                    document: Some(document),
                }),
                not_used => {
                    let what = match not_used {
                        Ok(Err(issues)) => sentence(&issues),
                        Err(error) => error.to_string(),
                        Ok(Ok(_)) => continue,
                    };
                    self.tell(&path, what);
                    // Its last good version stays, and keeps its id.
                    let last = self.held.get(&path).cloned();
                    claims.extend(last.map(|id| Claim {
                        path,
                        id,
                        document: None,
                    }));
                }
            }
        }
        // Of files with one id, the one that is named after it counts, else the one that is shown already, else the first.
        claims.sort_by_key(|c| (document_name(&c.path) != c.id, c.document.is_some()));
        let mut held: BTreeMap<PathBuf, String> = BTreeMap::new();
        let mut by_id: BTreeMap<String, PathBuf> = BTreeMap::new();
        for Claim { path, id, document } in claims {
            if let Some(first) = by_id.get(&id) {
                if document.is_some() {
                    let what = format!(
                        "/id: {id} is the id of {} already: give it another",
                        file_name(first)
                    );
                    self.tell(&path, what);
                }
                continue;
            }
            by_id.insert(id.clone(), path.clone());
            held.insert(path.clone(), id);
            let Some(document) = document else { continue };
            self.told.remove(&path);
            let session = matches!(document.kind(), ede_engine::documents::Kind::Session(_));
            if docs.put(document) {
                changed.documents = true;
                changed.session |= session;
            }
        }
        for id in std::mem::take(&mut self.held).values() {
            if !held.values().any(|still| still == id) {
                changed.documents |= docs.remove(id);
                changed.session |= id == "session";
            }
        }
        self.held = held;
    }

    fn tell(&mut self, path: &Path, what: String) {
        if self.told.get(path) != Some(&what) {
            tracing::warn!(file = %path.display(), "the document is not used: {what}");
            self.untold.push(Mistake {
                file: file_name(path),
                what: what.clone(),
            });
            self.told.insert(path.to_path_buf(), what);
        }
    }

    /// Change or remove a widget of a document in its file: `size` gives it another size, `None` takes it away.
    pub fn edit_widget(
        &self,
        docs: &Documents,
        id: &str,
        widget: &str,
        size: Option<&str>,
    ) -> Result<(), String> {
        let document = docs
            .iter()
            .find(|d| d.id().as_str() == id)
            .ok_or("the document is gone")?;
        let path = self
            .held
            .iter()
            .find(|(_, held)| held.as_str() == id)
            .map(|(p, _)| p)
            .ok_or("its file is gone")?;
        // What is changed is the file as it is, not as it was shown: the person may be in the middle of writing it.
        let written =
            files::read_regular(path, Limits::DOCUMENT.bytes).map_err(|e| e.to_string())?;
        let parsed = Document::read(&written);
        match &parsed.document {
            None => {
                let what = sentence(&parsed.issues);
                return Err(format!("its file has a mistake, {what}, mend it first"));
            }
            Some(now) if now != document => {
                return Err("its file has just changed, try again".into());
            }
            Some(_) => {}
        }
        let mut value = document.value().clone();
        let list = value
            .get_mut("components")
            .and_then(serde_json::Value::as_array_mut)
            .ok_or("it has no components")?;
        match size {
            Some(size) => {
                let found = list
                    .iter_mut()
                    .filter_map(serde_json::Value::as_object_mut)
                    .find(|c| c.get("id").is_some_and(|i| i == widget));
                found
                    .ok_or("the widget is gone")?
                    .insert("size".into(), size.into());
            }
            None => {
                list.retain(|c| c.get("id").is_none_or(|i| i != widget));
                for c in list.iter_mut() {
                    if let Some(children) = c
                        .get_mut("children")
                        .and_then(serde_json::Value::as_array_mut)
                    {
                        children.retain(|child| child != widget);
                    }
                }
            }
        }
        let mut bytes = serde_json::to_vec_pretty(&value).map_err(|e| e.to_string())?;
        bytes.push(b'\n');
        let parsed = Document::read(&bytes);
        if parsed.document.is_none() {
            return Err(sentence(&parsed.issues));
        }
        store::write(path, &bytes, Some(Some(&written))).map_err(|e| e.to_string())
    }
}

/// `panel-top` of `panel-top.ede-ui.json`.
fn document_name(path: &Path) -> String {
    let name = path
        .file_name()
        .and_then(|n| n.to_str())
        .unwrap_or_default();
    name.strip_suffix(".ede-ui.json")
        .unwrap_or(name)
        .to_string()
}

fn file_name(path: &Path) -> String {
    let name = path.file_name().unwrap_or_default();
    name.to_string_lossy().into_owned()
}

fn of_package(broken: &Broken) -> Mistake {
    Mistake {
        file: file_name(&broken.file),
        what: sentence(&broken.issues),
    }
}

fn sentence(issues: &[Issue]) -> String {
    match issues {
        [] => "it cannot be read".into(),
        [first, rest @ ..] => {
            let line = first.position.map(|p| format!("line {}", p.line));
            let pointer = Some(first.pointer.clone()).filter(|p| !p.is_empty());
            let place: Vec<String> = line.into_iter().chain(pointer).collect();
            let place = match place.join(", ") {
                nowhere if nowhere.is_empty() => nowhere,
                place => format!("{place}: "),
            };
            let more = if rest.is_empty() {
                String::new()
            } else {
                format!(" (and {} more; `ede check` lists them)", rest.len())
            };
            format!("{place}{}{more}", first.message)
        }
    }
}

fn problem(name: &str, issues: &[Issue]) -> Problem {
    let first = issues.first();
    Problem {
        name: name.into(),
        message: first.map_or_else(|| "It cannot be read.".into(), |i| i.message.clone()),
        pointer: first.map(|i| i.pointer.clone()).unwrap_or_default(),
        count: issues.len(),
    }
}

#[cfg(test)]
mod tests;
