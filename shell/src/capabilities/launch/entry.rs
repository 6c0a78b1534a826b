//! Desktop entries of installed applications: found by id as the desktop entry specification has it, and read as far as a start needs.
//!
//! The first file that has an id among the folders decides, whatever it says: a person hides an application with a file of their own.
//! `NoDisplay` is for menus; a hidden application is one that is not installed.

use std::ffi::OsStr;
use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};

use ede_engine::files;

/// The largest entry that is read (bytes): the longest known ones are translated into a hundred languages.
const LARGEST: usize = 1024 * 1024;

/// What a start needs of a desktop entry.
#[derive(Debug, Default, PartialEq)]
pub struct Entry {
    /// With its dots, without `.desktop`.
    pub id: String,
    pub file: PathBuf,
    pub name: String,
    pub icon: Option<String>,
    /// The command line, its string escapes undone.
    pub exec: Option<String>,
    /// The folder it wants to start in.
    pub folder: Option<PathBuf>,
    pub terminal: bool,
    pub by_bus: bool,
}

/// Where this session's applications are listed, the person's own folder first.
pub fn folders() -> Vec<PathBuf> {
    let set = |name: &str| std::env::var_os(name).filter(|value| !value.is_empty());
    let own = set("XDG_DATA_HOME").map(PathBuf::from);
    let own = own.or_else(|| Some(PathBuf::from(set("HOME")?).join(".local/share")));
    let all = set("XDG_DATA_DIRS").unwrap_or_else(|| "/usr/local/share:/usr/share".into());
    own.into_iter()
        .chain(std::env::split_paths(&all))
        // Others are to be ignored.
        .filter(|folder| folder.is_absolute())
        .map(|folder| folder.join("applications"))
        .collect()
}

/// The application that is installed under this id, with or without `.desktop`; `None` when there is none, or it is hidden.
pub fn find(folders: &[PathBuf], id: &str) -> Option<Entry> {
    let id = id.strip_suffix(".desktop").unwrap_or(id);
    let plain = |c: char| c != '/' && !c.is_control();
    if id.is_empty() || !id.chars().all(plain) {
        return None;
    }
    let file = folders.iter().find_map(|folder| file_of(folder, id))?;
    let bytes = files::read_regular(&file, LARGEST).ok()?;
    read(id, file, std::str::from_utf8(&bytes).ok()?)
}

/// The file of an id below a folder. A dash in an id may stand for a folder: `kde4-kate` is `kde4/kate.desktop` too.
fn file_of(folder: &Path, id: &str) -> Option<PathBuf> {
    let whole = folder.join(format!("{id}.desktop"));
    if whole.is_file() {
        return Some(whole);
    }
    id.match_indices('-').find_map(|(at, _)| {
        let (below, rest) = (id.get(..at)?, id.get(at + 1..)?);
        if matches!(below, "" | "." | "..") || rest.is_empty() {
            return None;
        }
        let below = folder.join(below);
        below.is_dir().then(|| file_of(&below, rest)).flatten()
    })
}

fn read(id: &str, file: PathBuf, text: &str) -> Option<Entry> {
    let mut entry = Entry {
        id: id.into(),
        file,
        ..Entry::default()
    };
    let (mut ours, mut application) = (false, false);
    for line in text.lines() {
        if let Some(group) = line.strip_prefix('[') {
            // Of two groups with one name the first counts; what follows are the entry's actions.
            if ours {
                break;
            }
            ours = group.trim_end() == "Desktop Entry]";
        }
        let Some((key, value)) = line.split_once('=').filter(|_| ours) else {
            continue;
        };
        let value = value.trim_start();
        let yes = value.trim_end() == "true";
        match key.trim_end() {
            "Type" => application = value.trim_end() == "Application",
            "Hidden" if yes => return None,
            "TryExec" if !is_there(&unescaped(value)) => return None,
            "Name" => entry.name = unescaped(value),
            "Icon" => entry.icon = Some(unescaped(value)).filter(|icon| !icon.is_empty()),
            "Exec" => entry.exec = Some(unescaped(value)),
            "Path" => entry.folder = Some(unescaped(value).into()),
            "Terminal" => entry.terminal = yes,
            "DBusActivatable" => entry.by_bus = yes,
            _ => {}
        }
    }
    application.then_some(entry)
}

/// Is this program installed: a path, or a name on `PATH`?
fn is_there(program: &str) -> bool {
    let runs = |file: &Path| {
        let meta = file.metadata();
        meta.is_ok_and(|m| m.is_file() && m.permissions().mode() & 0o111 != 0)
    };
    if program.starts_with('/') {
        return runs(Path::new(program));
    }
    let path = std::env::var_os("PATH").unwrap_or_default();
    let on_path = |folder: PathBuf| runs(&folder.join(OsStr::new(program)));
    !program.is_empty() && !program.contains('/') && std::env::split_paths(&path).any(on_path)
}

/// A string value without its escapes.
fn unescaped(value: &str) -> String {
    let mut out = String::with_capacity(value.len());
    let mut chars = value.chars();
    while let Some(c) = chars.next() {
        match (c, if c == '\\' { chars.next() } else { None }) {
            ('\\', Some('s')) => out.push(' '),
            ('\\', Some('n')) => out.push('\n'),
            ('\\', Some('t')) => out.push('\t'),
            ('\\', Some('r')) => out.push('\r'),
            ('\\', Some('\\')) => out.push('\\'),
            ('\\', Some(other)) => out.extend(['\\', other]),
            (other, _) => out.push(other),
        }
    }
    out
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]
    use super::*;

    const CALCULATOR: &str = "# a comment\n[Desktop Entry]\nType=Application\nName=Calculator\nName[de]=Rechner\nExec=calc\\s\"a\\\\\\\\b\" %U\nNoDisplay=true\nDBusActivatable=true\n\n[Desktop Action new]\nExec=calc --new\n";

    fn folders(dir: &Path, files: &[(&str, &str)]) -> Vec<PathBuf> {
        for (name, text) in files {
            let file = dir.join(name);
            std::fs::create_dir_all(file.parent().unwrap()).unwrap();
            std::fs::write(file, text).unwrap();
        }
        vec![dir.join("own"), dir.join("system")]
    }

    #[test]
    fn an_application_is_found_by_its_id_with_or_without_the_ending() {
        let dir = tempfile::tempdir().unwrap();
        let all = folders(
            dir.path(),
            &[("system/org.example.Calc.desktop", CALCULATOR)],
        );
        let found = find(&all, "org.example.Calc").unwrap();
        assert_eq!(
            find(&all, "org.example.Calc.desktop").as_ref(),
            Some(&found)
        );
        assert_eq!(
            found,
            Entry {
                id: "org.example.Calc".into(),
                file: dir.path().join("system/org.example.Calc.desktop"),
                name: "Calculator".into(),
                exec: Some("calc \"a\\\\b\" %U".into()),
                by_bus: true,
                ..Entry::default()
            },
            "hidden from menus only; the action's command is not the entry's"
        );
    }

    #[test]
    fn a_dash_may_stand_for_a_folder_and_nothing_leads_out_of_it() {
        let dir = tempfile::tempdir().unwrap();
        let all = folders(
            dir.path(),
            &[
                ("system/kde4/office/calc-x.desktop", CALCULATOR),
                ("secret.desktop", CALCULATOR),
            ],
        );
        assert!(find(&all, "kde4-office-calc-x").is_some());
        for none in [
            "kde4-calc",
            "..-secret",
            ".-kde4",
            "../secret",
            "system/kde4",
            "",
            "-",
            "a\0b",
        ] {
            assert_eq!(find(&all, none), None, "{none:?}");
        }
    }

    #[test]
    fn the_first_file_decides_and_may_hide_what_is_installed() {
        let dir = tempfile::tempdir().unwrap();
        let all = folders(
            dir.path(),
            &[
                ("system/calc.desktop", CALCULATOR),
                (
                    "own/calc.desktop",
                    "[Desktop Entry]\nType=Application\nHidden=true\n",
                ),
                (
                    "system/link.desktop",
                    "[Desktop Entry]\nType=Link\nURL=https://example.com\n",
                ),
                (
                    "system/gone.desktop",
                    "[Desktop Entry]\nType=Application\nTryExec=/no/such/program\nExec=x\n",
                ),
                (
                    "system/here.desktop",
                    "[Desktop Entry]\nType=Application\nTryExec=sh\nExec=x\n",
                ),
            ],
        );
        for none in ["calc", "link", "gone"] {
            assert_eq!(find(&all, none), None, "{none}");
        }
        assert!(find(&all, "here").is_some());
    }
}
