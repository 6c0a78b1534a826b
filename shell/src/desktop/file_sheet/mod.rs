//! The shell's own way to pick files, where no portal shows a dialog: one folder at a time, the choice, and a name to save by. What a
//! press or a key does to that; [`shown`] is what the person sees of it. Reading folders and showing the sheet is the shell's. A template
//! of its own.

mod shown;

pub use shown::size;

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

use ede_engine::plain::file_name;
use ede_renderer::input::Key;
use serde_json::Value;

use crate::capabilities::files::accept::Accept;
use crate::capabilities::files::folder::{Entry, Listing};
use crate::capabilities::files::{Pick, Picked, Wanted, Whose};

/// The sheet's components.
const SHEET: &str = include_str!("../../../../assets/sheets/files.json");
/// The list of files, which has the focus at first: nothing in it is chosen, so a stray key gives nothing away.
pub const LIST: &str = "list";
/// The button that leaves.
pub const CANCEL: &str = "cancel";
/// The field with the name to save by.
pub const NAME: &str = "name";

const CHOOSE_BUTTON: &str = "choose";

const UP: &str = "files.up";
const HOME: &str = "files.home";
const ALL: &str = "files.all";
const ROW: &str = "files.row";
const LEAVE: &str = "files.cancel";
/// The event of the button that goes on.
pub const CHOOSE: &str = "files.choose";

/// The rows a page key goes over.
const PAGE: usize = 6;

/// What has keys of its own: the buttons and the field. The list's rows come and go.
pub const CONTROLS: [&str; 6] = ["up", "home", "all", NAME, CANCEL, CHOOSE_BUTTON];

pub fn components() -> Value {
    // It is part of the program; a test reads it.
    serde_json::from_str(SHEET).unwrap_or_default()
}

/// What comes of a press or a key.
#[derive(Debug, PartialEq, Eq)]
pub enum Step {
    /// Not for the sheet's list.
    Nothing,
    /// Show what has changed.
    Show,
    /// The cursor stands on this row now.
    Row(usize),
    /// Read this folder, then [`Browser::listed`].
    Read(PathBuf),
    /// There is a file by this name already: ask. What would replace it does nothing at first, as in every question.
    Ask,
    /// The person has chosen; nothing when they left.
    Done(Picked),
}

/// A pick in its sheet.
pub struct Browser {
    pick: Pick,
    home: PathBuf,
    folder: PathBuf,
    /// `None` while the folder is read.
    listing: Option<Listing>,
    /// The folder could not be read.
    trouble: bool,
    /// Entries the app cannot use are shown too.
    all: bool,
    /// The entries that are shown, by their numbers.
    rows: Vec<usize>,
    /// The row the keys are on.
    cursor: Option<usize>,
    /// The rows that are chosen.
    chosen: BTreeSet<usize>,
    /// The file that would be replaced.
    asks: Option<PathBuf>,
    ready: bool,
}

impl Browser {
    /// For `pick`, in `folder`, which is to be read.
    pub fn new(pick: Pick, home: PathBuf, folder: PathBuf) -> Browser {
        Browser {
            pick,
            home,
            folder,
            listing: None,
            trouble: false,
            all: false,
            rows: Vec::new(),
            cursor: None,
            chosen: BTreeSet::new(),
            asks: None,
            ready: false,
        }
    }

    pub fn whose(&self) -> &Whose {
        &self.pick.whose
    }

    pub fn folder(&self) -> &Path {
        &self.folder
    }

    /// Answer the app.
    pub fn answer(self, picked: Picked) {
        self.pick.answer(picked);
    }

    /// The buttons answer from now on. Answers what is to have the focus.
    pub fn ready(&mut self) -> &'static str {
        self.ready = true;
        if self.asks.is_some() { CANCEL } else { LIST }
    }

    /// What is in `folder`, if that is still the one that is shown.
    pub fn listed(&mut self, folder: &Path, listing: Option<Listing>) -> bool {
        let wanted = folder == self.folder;
        if wanted {
            self.trouble = listing.is_none();
            self.listing = Some(listing.unwrap_or_default());
            self.count();
        }
        wanted
    }

    fn saves(&self) -> bool {
        matches!(self.pick.wanted, Wanted::Save { .. })
    }

    fn multiple(&self) -> bool {
        matches!(self.pick.wanted, Wanted::Open { multiple: true, .. })
    }

    fn accept(&self) -> Option<&Accept> {
        match &self.pick.wanted {
            Wanted::Open { accept, .. } => Some(accept).filter(|accept| !accept.is_everything()),
            Wanted::Save { .. } => None,
        }
    }

    /// Which entries are rows now.
    fn count(&mut self) {
        let accept = self.accept().filter(|_| !self.all);
        let entries = self.listing.iter().flat_map(|l| &l.entries).enumerate();
        let shown = |entry: &Entry| {
            entry.is_folder || accept.is_none_or(|a| a.fits(&entry.name.to_string_lossy()))
        };
        self.rows = entries.filter(|(_, e)| shown(e)).map(|(n, _)| n).collect();
        self.cursor = None;
        self.chosen.clear();
    }

    fn entry(&self, row: usize) -> Option<&Entry> {
        let n = *self.rows.get(row)?;
        self.listing.as_ref()?.entries.get(n)
    }

    fn go(&mut self, folder: PathBuf) -> Step {
        self.folder = folder.clone();
        self.listing = None;
        self.trouble = false;
        self.count();
        Step::Read(folder)
    }

    /// A press on the sheet; `name` is what stands in its field.
    pub fn pressed(&mut self, event: &str, context: &Value, name: &str) -> Step {
        if self.asks.is_some() && event != CHOOSE {
            self.asks = None;
            return Step::Show;
        }
        match event {
            UP => match self.folder.parent().map(Path::to_path_buf) {
                Some(above) => self.go(above),
                None => Step::Nothing,
            },
            HOME => self.go(self.home.clone()),
            ALL => {
                self.all = !self.all;
                self.count();
                Step::Show
            }
            ROW => {
                let row = context.get("n").and_then(Value::as_u64);
                row.map_or(Step::Nothing, |row| self.row(row as usize))
            }
            LEAVE => Step::Done(Picked::default()),
            CHOOSE => self.choose(name),
            _ => Step::Nothing,
        }
    }

    /// A key that is not a field's or a button's own.
    pub fn key(&mut self, key: Key, name: &str) -> Step {
        let last = self.rows.len().checked_sub(1);
        let to = match (key, self.cursor) {
            (Key::Enter, _) if self.asks.is_some() => return Step::Nothing,
            (Key::Enter, Some(row)) => return self.enter(row, name),
            (Key::Space, Some(row)) if self.multiple() => return self.row_or_nothing(row),
            (Key::Down, None) | (Key::PageDown, None) => Some(0),
            (Key::Down, Some(row)) => Some(row + 1),
            (Key::PageDown, Some(row)) => Some(row + PAGE),
            (Key::Up, Some(row)) => Some(row.saturating_sub(1)),
            (Key::PageUp, Some(row)) => Some(row.saturating_sub(PAGE)),
            _ => None,
        };
        let (Some(to), Some(last)) = (to, last) else {
            return Step::Nothing;
        };
        let row = to.min(last);
        self.asks = None;
        self.cursor = Some(row);
        if !self.multiple() {
            self.choose_row(row);
        }
        Step::Row(row)
    }

    /// Enter on a row: into a folder, or done with a file.
    fn enter(&mut self, row: usize, name: &str) -> Step {
        match self.entry(row) {
            Some(entry) if entry.is_folder => {
                let folder = self.folder.join(&entry.name);
                self.go(folder)
            }
            Some(_) => {
                if self.chosen.is_empty() {
                    self.choose_row(row);
                }
                self.choose(name)
            }
            None => Step::Nothing,
        }
    }

    /// The space key chooses files; folders are entered otherwise.
    fn row_or_nothing(&mut self, row: usize) -> Step {
        match self.entry(row) {
            Some(entry) if !entry.is_folder => self.row(row),
            _ => Step::Nothing,
        }
    }

    /// A press on a row.
    fn row(&mut self, row: usize) -> Step {
        let Some(entry) = self.entry(row) else {
            return Step::Nothing;
        };
        if entry.is_folder {
            let folder = self.folder.join(&entry.name);
            return self.go(folder);
        }
        self.cursor = Some(row);
        if !(self.multiple() && self.chosen.remove(&row)) {
            self.choose_row(row);
        }
        Step::Row(row)
    }

    fn choose_row(&mut self, row: usize) {
        if !self.multiple() {
            self.chosen.clear();
        }
        if self.entry(row).is_some_and(|entry| !entry.is_folder) {
            self.chosen.insert(row);
        }
    }

    /// The name of the file that is chosen to be replaced.
    pub fn chosen_name(&self) -> Option<String> {
        let row = *self.chosen.first().filter(|_| self.saves())?;
        Some(self.entry(row)?.shown())
    }

    fn choose(&mut self, name: &str) -> Step {
        if !self.ready || self.listing.is_none() {
            return Step::Nothing;
        }
        if !self.saves() {
            let paths = self.chosen.iter().filter_map(|row| self.entry(*row));
            let paths: Vec<PathBuf> = paths.map(|e| self.folder.join(&e.name)).collect();
            return if paths.is_empty() {
                Step::Nothing
            } else {
                Step::Done(Picked {
                    paths,
                    replaces: false,
                })
            };
        }
        if name.trim().is_empty() || self.trouble {
            return Step::Nothing;
        }
        let path = self.folder.join(file_name(name));
        let mut entries = self.listing.iter().flat_map(|l| &l.entries);
        let taken = entries.find(|e| Some(e.name.as_os_str()) == path.file_name());
        match taken {
            Some(entry) if entry.is_folder => return self.go(path),
            Some(_) if self.asks.as_ref() != Some(&path) => {
                self.asks = Some(path);
                self.ready = false;
                return Step::Ask;
            }
            _ => {}
        }
        // What is not known to be there is not replaced.
        Step::Done(Picked {
            replaces: self.asks.as_ref() == Some(&path),
            paths: vec![path],
        })
    }
}

#[cfg(test)]
mod tests;
