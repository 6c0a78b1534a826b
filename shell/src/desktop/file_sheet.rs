//! The shell's own way to pick files, where no portal shows a dialog: one folder at a time, the choice, and a name to save by. What the
//! sheet shows and what a press or a key does to it; reading folders and showing the sheet is the shell's. A template of its own.

use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};

use ede_renderer::input::Key;
use serde_json::{Value, json};

use crate::capabilities::files::accept::Accept;
use crate::capabilities::files::folder::{Entry, Listing};
use crate::capabilities::files::{Pick, Picked, Wanted, safe_name};
use crate::plain;

/// The sheet's components.
const SHEET: &str = include_str!("../../../assets/sheets/files.json");
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

/// How much of a folder's path is shown, from its end (characters).
const PATH: usize = 44;
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

    pub fn app(&self) -> &ede_engine::app_id::AppId {
        &self.pick.app
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
        let path = self.folder.join(safe_name(name));
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

    /// Everything the sheet shows at first.
    pub fn data(&self) -> Value {
        let name = match &self.pick.wanted {
            Wanted::Save { name } => name.as_str(),
            Wanted::Open { .. } => "",
        };
        let verb = match &self.pick.wanted {
            Wanted::Open { multiple: true, .. } => "Open files for",
            Wanted::Open { .. } => "Open a file for",
            Wanted::Save { .. } => "Save a file from",
        };
        let promise = if self.saves() {
            "it learns only whether it was saved"
        } else {
            "it gets only what you choose"
        };
        let mut data = json!({
            "title": format!("{verb} {}", self.pick.name),
            "sentence": format!("{}: {promise}.", self.pick.app),
            "icon": if self.saves() { "save" } else { "folder-open" },
            "saves": self.saves(), "name": name, "filtered": self.accept().is_some(),
        });
        if let (Value::Object(all), Value::Object(now)) = (&mut data, self.shown()) {
            all.extend(now);
            all.insert("rows".into(), self.row_values());
        }
        data
    }

    /// What changes with the folder and the choice, but for the rows and the field.
    pub fn shown(&self) -> Value {
        let asks = self.asks.as_ref().and_then(|path| path.file_name());
        let asked = asks.map(|name| plain::line(&name.to_string_lossy(), 80));
        let empty = self.rows.is_empty();
        let nothing = match &self.listing {
            None => "Reading the folder",
            Some(_) if self.trouble => "This folder cannot be opened",
            Some(listing) if listing.entries.is_empty() => "Nothing here",
            Some(_) => "Nothing here that the app can use",
        };
        let more = self.listing.as_ref().is_some_and(|l| l.more);
        let path = self.folder_words();
        json!({
            "folder": if more { format!("{path} (the first 2,000)") } else { path },
            "listed": !empty, "empty": empty, "nothing": nothing,
            "types": if self.all { "Fewer" } else { "All files" },
            "asks": asked.is_some(),
            "question": asked.map(|name| format!("“{name}” is there already. Replace it?")).unwrap_or_default(),
            "cancel": if self.asks.is_some() { "Keep it" } else { "Cancel" },
            "verb": match (self.saves(), &self.asks) {
                (true, Some(_)) => "Replace",
                (true, None) => "Save",
                (false, _) => "Open",
            },
            "blocked": !self.ready || if self.saves() { self.trouble } else { self.chosen.is_empty() },
        })
    }

    /// The rows, as they are shown.
    pub fn row_values(&self) -> Value {
        (0..self.rows.len())
            .map(|row| self.row_value(row))
            .collect()
    }

    pub fn row_value(&self, row: usize) -> Value {
        let Some(entry) = self.entry(row) else {
            return Value::Null;
        };
        let (icon, size) = if entry.is_folder {
            ("folder", String::new())
        } else {
            ("file", size(entry.size))
        };
        let marks = self.marks();
        let mark = marks.get(&row);
        // Where the keys are looks as what is chosen does; of several, those have a check.
        let icon = if self.multiple() && mark == Some(&true) {
            "check"
        } else {
            icon
        };
        json!({"n": row, "name": entry.shown(), "icon": icon, "size": size, "selected": mark.is_some()})
    }

    /// The rows that are marked: is it chosen, or do the keys only stand there?
    pub fn marks(&self) -> BTreeMap<usize, bool> {
        let cursor = self.cursor.map(|row| (row, false));
        let chosen = self.chosen.iter().map(|row| (*row, true));
        cursor.into_iter().chain(chosen).collect()
    }

    fn folder_words(&self) -> String {
        let path = match self.folder.strip_prefix(&self.home) {
            Ok(rest) if rest.as_os_str().is_empty() => "Home".into(),
            Ok(rest) => format!("~/{}", rest.to_string_lossy()),
            Err(_) => self.folder.to_string_lossy().into_owned(),
        };
        let path = plain::line(&path, 4096);
        let long = path.chars().count().saturating_sub(PATH);
        if long == 0 {
            return path;
        }
        let end: String = path.chars().skip(long).collect();
        // From the next whole folder on.
        let end = end.split_once('/').map_or(end.as_str(), |(_, rest)| rest);
        format!("…/{end}")
    }
}

/// Bytes in words: `512 B`, `4.1 kB`, `32 MB`.
fn size(bytes: u64) -> String {
    let mut amount = bytes as f64;
    let mut units = ["B", "kB", "MB", "GB", "TB"].iter();
    let mut unit = units.next().copied().unwrap_or_default();
    for larger in units {
        if amount < 999.5 {
            break;
        }
        amount /= 1000.0;
        unit = larger;
    }
    if unit == "B" || amount >= 9.95 {
        format!("{amount:.0} {unit}")
    } else {
        format!("{amount:.1} {unit}")
    }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]
    use super::*;
    use crate::capabilities::files::pick;

    fn listing(names: &[&str]) -> Listing {
        let entry = |name: &&str| Entry {
            name: name.trim_end_matches('/').into(),
            is_folder: name.ends_with('/'),
            size: 1234,
        };
        Listing {
            entries: names.iter().map(entry).collect(),
            more: false,
        }
    }

    /// A sheet over `/home/ines` with these entries, whose buttons answer.
    fn browser(wanted: Wanted, names: &[&str]) -> Browser {
        let (pick, _) = pick(wanted);
        let mut browser = Browser::new(pick, "/home/ines".into(), "/home/ines".into());
        browser.listed(Path::new("/home/ines"), Some(listing(names)));
        browser.ready();
        browser
    }

    fn opens(accept: &[&str], multiple: bool) -> Wanted {
        Wanted::Open {
            accept: Accept::parse(accept.iter().copied()),
            multiple,
        }
    }

    fn saves() -> Wanted {
        Wanted::Save {
            name: "letter.txt".into(),
        }
    }

    fn done(paths: &[&str], replaces: bool) -> Step {
        Step::Done(Picked {
            paths: paths.iter().map(PathBuf::from).collect(),
            replaces,
        })
    }

    fn press(browser: &mut Browser, row: usize) -> Step {
        browser.pressed(ROW, &json!({"n": row}), "")
    }

    fn choose(browser: &mut Browser, name: &str) -> Step {
        browser.pressed(CHOOSE, &Value::Null, name)
    }

    #[test]
    fn the_sheet_is_read_and_everything_that_is_named_is_in_it() {
        let all = components();
        let ids: Vec<&str> = (all.as_array().unwrap().iter())
            .map(|c| c["id"].as_str().unwrap())
            .collect();
        for id in CONTROLS.iter().chain([&LIST]) {
            assert!(ids.contains(id), "{id}");
        }
    }

    #[test]
    fn nothing_is_chosen_before_the_buttons_answer_nor_without_a_choice() {
        let (pick, _) = pick(opens(&[], false));
        let mut early = Browser::new(pick, "/".into(), "/".into());
        assert_eq!(choose(&mut early, ""), Step::Nothing);
        early.listed(Path::new("/"), Some(listing(&["a"])));
        press(&mut early, 0);
        assert_eq!(choose(&mut early, ""), Step::Nothing);
        assert_eq!(early.shown()["blocked"], true);
        early.ready();
        assert_eq!(early.key(Key::Enter, ""), done(&["/a"], false));
        let mut none = browser(opens(&[], false), &["a"]);
        assert_eq!(none.key(Key::Enter, ""), Step::Nothing);
        let mut stray = browser(saves(), &[]);
        assert_eq!(stray.key(Key::Enter, "letter.txt"), Step::Nothing);
    }

    #[test]
    fn only_what_the_app_takes_is_shown_until_the_person_wants_all() {
        let mut b = browser(opens(&["image/*"], false), &["Music/", "a.png", "b.txt"]);
        let names = |b: &Browser| -> Vec<String> {
            let rows = b.row_values();
            let name = |row: &Value| row["name"].as_str().unwrap().to_owned();
            rows.as_array().unwrap().iter().map(name).collect()
        };
        assert_eq!(names(&b), ["Music", "a.png"]);
        assert_eq!(b.pressed(ALL, &Value::Null, ""), Step::Show);
        assert_eq!(names(&b), ["Music", "a.png", "b.txt"]);
        assert_eq!(press(&mut b, 2), Step::Row(2));
        assert_eq!(choose(&mut b, ""), done(&["/home/ines/b.txt"], false));
    }

    #[test]
    fn of_several_each_press_takes_one_in_or_out_and_of_one_the_last_counts() {
        let names = ["a", "b", "c"];
        let mut several = browser(opens(&[], true), &names);
        for row in [0, 1, 2, 1] {
            press(&mut several, row);
        }
        assert_eq!(
            choose(&mut several, ""),
            done(&["/home/ines/a", "/home/ines/c"], false)
        );
        let mut one = browser(opens(&[], false), &names);
        for row in [0, 2] {
            press(&mut one, row);
        }
        assert_eq!(choose(&mut one, ""), done(&["/home/ines/c"], false));
    }

    #[test]
    fn keys_walk_the_rows_and_stay_among_them() {
        let mut b = browser(opens(&[], true), &["Music/", "b", "c"]);
        assert_eq!(b.key(Key::Up, ""), Step::Nothing);
        assert_eq!(b.key(Key::Down, ""), Step::Row(0));
        assert_eq!(b.key(Key::PageDown, ""), Step::Row(2));
        assert_eq!(b.key(Key::Space, ""), Step::Row(2));
        assert_eq!(b.key(Key::Up, ""), Step::Row(1));
        assert_eq!(
            b.key(Key::Enter, ""),
            done(&["/home/ines/c"], false),
            "what is checked, not where the keys are"
        );
        assert_eq!(b.key(Key::PageUp, ""), Step::Row(0));
        assert_eq!(b.key(Key::Enter, ""), Step::Read("/home/ines/Music".into()));
        assert!(
            !b.listed(Path::new("/home/ines"), None),
            "a folder that was left is not shown"
        );
    }

    #[test]
    fn a_name_that_is_taken_is_asked_about_once_and_a_folders_is_entered() {
        let mut b = browser(saves(), &["Music/", "letter.txt"]);
        let letter = ["/home/ines/letter.txt"];
        assert_eq!(choose(&mut b, "letter.txt"), Step::Ask);
        let asked = "“letter.txt” is there already. Replace it?";
        assert_eq!(b.shown()["question"], asked);
        let again = choose(&mut b, "letter.txt");
        assert_eq!(again, Step::Nothing, "a second press at once is no answer");
        let kept = b.pressed(LEAVE, &Value::Null, "");
        assert_eq!(kept, Step::Show, "it is kept, and the sheet stays");
        assert_eq!(b.ready(), LIST);
        assert_eq!(choose(&mut b, "letter.txt"), Step::Ask);
        assert_eq!(b.ready(), CANCEL);
        assert_eq!(choose(&mut b, "letter.txt"), done(&letter, true));
        let mut b = browser(saves(), &["Music/", "letter.txt"]);
        choose(&mut b, "letter.txt");
        b.ready();
        let other = ["/home/ines/other.txt"];
        let chosen = choose(&mut b, "other.txt");
        assert_eq!(chosen, done(&other, false), "that was not asked about");
        let mut b = browser(saves(), &["Music/"]);
        assert_eq!(
            choose(&mut b, "../../etc/passwd"),
            done(&["/home/ines/-..-etc-passwd"], false)
        );
        assert_eq!(choose(&mut b, " "), Step::Nothing);
        assert_eq!(
            choose(&mut b, "Music"),
            Step::Read("/home/ines/Music".into())
        );
    }

    #[test]
    fn sizes_and_paths_are_short() {
        let sizes = [0, 999, 1000, 4800, 9_960, 999_600, 32 << 20].map(size);
        assert_eq!(
            sizes,
            [
                "0 B", "999 B", "1.0 kB", "4.8 kB", "10 kB", "1.0 MB", "34 MB"
            ]
        );
        let mut b = browser(saves(), &[]);
        assert_eq!(b.shown()["folder"], "Home");
        b.go(format!("/home/ines/{}/deep/er", "x".repeat(60)).into());
        assert_eq!(b.shown()["folder"], "…/deep/er");
    }
}
