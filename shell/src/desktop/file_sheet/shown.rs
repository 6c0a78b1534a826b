//! What the sheet shows: its words and rows as data for its template.

use std::collections::BTreeMap;

use ede_engine::plain;
use serde_json::{Value, json};

use super::Browser;
use crate::capabilities::files::{Wanted, Whose};

/// How much of a folder's path is shown, from its end (characters).
const PATH: usize = 44;

impl Browser {
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
            "title": format!("{verb} {}", self.pick.whose.name()),
            "sentence": match &self.pick.whose {
                Whose::App(app, _) => format!("{app}: {promise}."),
                Whose::Agent(_) => "It learns only whether the file was saved.".to_owned(),
            },
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
pub fn size(bytes: u64) -> String {
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
