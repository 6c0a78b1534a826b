//! Finds themes by name: eui-core's own, the person's (`themes` in the configuration folder), or a file that is named itself. Reads
//! files, checks them by the engine, and keeps nothing.

use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::SystemTime;

use ede_engine::files::read_regular;
use ede_engine::source::Limits;
use ede_engine::theme;
use eui_core::theme::{ResolvedTheme, THEME_SCHEMA_ID};
use eui_core::themes::BUILTIN_THEME_IDS;
use serde_json::Value;

/// What a theme's file is called after its id.
const ENDING: &str = ".theme.json";

/// What a theme was read from, and when that was written.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Stamp(Vec<(PathBuf, SystemTime)>);

/// Where the person's themes are. Without a folder there are none but the built-in ones and files.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Themes {
    folder: Option<PathBuf>,
}

impl Themes {
    pub fn new(folder: PathBuf) -> Themes {
        Themes {
            folder: Some(folder),
        }
    }

    /// The theme of this name: an id, or the path of a file. Errors are sentences.
    pub fn find(&self, name: &str) -> Result<Arc<ResolvedTheme>, String> {
        if let Some(theme) = theme::built_in(name) {
            return Ok(theme);
        }
        let file = self.file(name).ok_or_else(|| {
            let known = BUILTIN_THEME_IDS.join(" ");
            format!(
                "there is no theme {name}, built in are {known}, name one of them or a theme file"
            )
        })?;
        let bytes = read_regular(&file, Limits::THEME.bytes)
            .map_err(|e| format!("the theme cannot be read: {e}"))?;
        let read = theme::read(&bytes, &self.beside(&file));
        read.theme.ok_or_else(|| {
            let said = read.issues.first();
            let said = said.map(|i| match i.pointer.as_str() {
                "" => format!(": {}", i.message),
                at => format!(" at {at}: {}", i.message),
            });
            let said = said.unwrap_or_default();
            format!("the theme is wrong{said}, {name}, run `ede check` on it")
        })
    }

    /// When the file behind this name and those it may extend were last written; empty for a built-in theme. Another answer: the theme
    /// may be another.
    pub fn stamp(&self, name: &str) -> Stamp {
        let Some(file) = self.file(name) else {
            return Stamp::default();
        };
        let mut all = self.files_beside(&file);
        all.push(file);
        let written = |path: PathBuf| {
            let when = std::fs::metadata(&path).ok()?.modified().ok()?;
            Some((path, when))
        };
        Stamp(all.into_iter().filter_map(written).collect())
    }

    /// What the file of a theme is called, without its folder; `None` for a built-in theme and where there is none.
    pub fn file_name(&self, name: &str) -> Option<String> {
        let file = self.file(name)?;
        Some(file.file_name()?.to_string_lossy().into_owned())
    }

    /// The file of a name that is no built-in theme.
    fn file(&self, name: &str) -> Option<PathBuf> {
        if BUILTIN_THEME_IDS.contains(&name) {
            return None;
        }
        let path = Path::new(name);
        if path.is_absolute() || path.extension().is_some() {
            return Some(path.to_owned());
        }
        let own = self.folder.as_ref()?.join(format!("{name}{ENDING}"));
        own.is_file().then_some(own)
    }

    /// The themes a file may extend: the person's own, and those in the file's folder.
    pub fn beside(&self, file: &Path) -> Vec<Value> {
        let theme = |path: PathBuf| -> Option<Value> {
            let bytes = read_regular(&path, Limits::THEME.bytes).ok()?;
            let value: Value = serde_json::from_slice(&bytes).ok()?;
            (value.get("$schema")?.as_str()? == THEME_SCHEMA_ID).then_some(value)
        };
        self.files_beside(file)
            .into_iter()
            .filter_map(theme)
            .collect()
    }

    fn files_beside(&self, file: &Path) -> Vec<PathBuf> {
        let parent = file.parent().filter(|p| !p.as_os_str().is_empty());
        let beside = parent.unwrap_or(Path::new(".")).to_owned();
        let folders = self.folder.iter().filter(|own| **own != beside);
        let mut found: Vec<PathBuf> = folders
            .chain([&beside])
            .filter_map(|folder| std::fs::read_dir(folder).ok())
            .flatten()
            .flatten()
            .map(|entry| entry.path())
            .filter(|p| p.extension().is_some_and(|e| e == "json") && p != file)
            .collect();
        found.sort();
        found
    }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]

    use serde_json::json;

    use super::*;

    fn put(folder: &Path, id: &str, extends: &str) {
        let theme = json!({"$schema": THEME_SCHEMA_ID, "id": id, "name": id, "extends": extends});
        std::fs::write(folder.join(format!("{id}{ENDING}")), theme.to_string()).unwrap();
    }

    #[test]
    fn a_theme_of_the_persons_is_found_by_its_id_and_may_extend_another_of_them() {
        let folder = tempfile::tempdir().unwrap();
        put(folder.path(), "base", "neutral");
        put(folder.path(), "mine", "base");
        let themes = Themes::new(folder.path().to_owned());
        assert_eq!(themes.find("mine").unwrap().id, "mine");
        assert_eq!(themes.find("orange").unwrap().id, "orange");
        assert_eq!(themes.stamp("orange"), Stamp::default());
        let file = folder.path().join("mine.theme.json");
        let by_path = Themes::default().find(file.to_str().unwrap()).unwrap();
        assert_eq!(by_path.id, "mine");
    }

    #[test]
    fn a_theme_is_another_when_what_it_extends_is_written_again() {
        let folder = tempfile::tempdir().unwrap();
        put(folder.path(), "base", "neutral");
        put(folder.path(), "mine", "base");
        let themes = Themes::new(folder.path().to_owned());
        let before = themes.stamp("mine");
        assert_eq!(themes.stamp("mine"), before);
        let base = std::fs::File::options()
            .write(true)
            .open(folder.path().join("base.theme.json"))
            .unwrap();
        base.set_modified(SystemTime::UNIX_EPOCH).unwrap();
        assert_ne!(themes.stamp("mine"), before);
    }

    #[test]
    fn what_is_no_theme_is_told_in_one_sentence() {
        let folder = tempfile::tempdir().unwrap();
        let themes = Themes::new(folder.path().to_owned());
        let said = themes.find("nope").unwrap_err();
        assert!(
            said.starts_with("there is no theme nope, built in are neutral"),
            "{said}"
        );
        put(folder.path(), "odd", "nowhere");
        let said = themes.find("odd").unwrap_err();
        assert!(said.starts_with("the theme is wrong at /extends"), "{said}");
    }
}
