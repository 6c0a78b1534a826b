//! A desktop entry per installed app, so that other launchers find it too: `ede-<id>.desktop`, which runs `ede open <id>`.
//!
//! The text of a package never becomes anything but the text of a value: line ends cannot start a new key, and `Exec` is built
//! from the program's path and the app's id alone.

use std::path::{Path, PathBuf};

use ede_engine::app_id::AppId;
use ede_engine::apps::App;
use ede_engine::files::{self, FileError};

/// Entries are read by other programs.
const MODE: u32 = 0o644;

/// The icon of an app that names none of these: what an icon theme always has.
const PLAIN_ICON: &str = "application-x-executable";

/// Icon theme names for the glyphs apps commonly use.
const ICONS: [(&str, &str); 16] = [
    ("bookmark", "user-bookmarks"),
    ("calculator", "accessories-calculator"),
    ("calendar", "x-office-calendar"),
    ("camera", "camera-photo"),
    ("chart", "x-office-spreadsheet"),
    ("check", "checkbox-checked"),
    ("clock", "preferences-system-time"),
    ("file", "text-x-generic"),
    ("folder", "folder"),
    ("hours", "appointment-new"),
    ("image", "image-x-generic"),
    ("mail", "mail-message"),
    ("music", "audio-x-generic"),
    ("note", "accessories-text-editor"),
    ("system", "utilities-system-monitor"),
    ("timer", "appointment-new"),
];

/// The file of the entry of `app` in the folder `applications`.
pub fn file(applications: &Path, app: &AppId) -> PathBuf {
    applications.join(format!("ede-{app}.desktop"))
}

/// Write the entry of `app`, which runs `program` (an absolute path, or a name found on `PATH`).
pub fn write(applications: &Path, app: &App, program: &str) -> Result<(), FileError> {
    std::fs::create_dir_all(applications).map_err(|source| FileError::Io {
        action: "make the folder",
        path: applications.to_owned(),
        source,
    })?;
    files::replace(
        &file(applications, app.id()),
        text(app, program).as_bytes(),
        MODE,
    )
}

/// Remove the entry of `app`; `false` when there was none.
pub fn remove(applications: &Path, app: &AppId) -> Result<bool, FileError> {
    files::remove(&file(applications, app))
}

/// How a launcher starts this program: by name where `PATH` leads to it, else by where it is.
pub fn this_program() -> String {
    let Ok(own) = std::env::current_exe() else {
        return "ede".into();
    };
    let on_path = std::env::var_os("PATH").is_some_and(|path| {
        std::env::split_paths(&path)
            .map(|folder| folder.join("ede"))
            .find(|candidate| candidate.is_file())
            .is_some_and(|first| std::fs::canonicalize(first).is_ok_and(|first| first == own))
    });
    match own.to_str() {
        Some(own) if !on_path => own.into(),
        _ => "ede".into(),
    }
}

fn text(app: &App, program: &str) -> String {
    let package = &app.package;
    let description = Some(package.description()).filter(|text| !text.is_empty());
    let mut lines = vec![
        "[Desktop Entry]".to_owned(),
        "Type=Application".into(),
        "Version=1.5".into(),
        format!("Name={}", value(package.name())),
    ];
    lines.extend(description.map(|text| format!("Comment={}", value(text))));
    lines.push(format!("Icon={}", icon(package.icon())));
    lines.push(format!(
        "Exec={} open {}",
        value(&argument(program)),
        app.id()
    ));
    lines.push("Terminal=false".into());
    lines.push("Categories=Utility;".into());
    lines.push(format!("StartupWMClass={}", app.id()));
    lines.push(format!("X-eDE-App={}", app.id()));
    lines.join("\n") + "\n"
}

/// A string value: escapes as the desktop entry rules ask, other control characters dropped.
fn value(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    for c in text.chars() {
        match c {
            '\\' => out.push_str("\\\\"),
            '\n' => out.push_str("\\n"),
            '\r' => out.push_str("\\r"),
            '\t' => out.push_str("\\t"),
            c if c.is_control() => {}
            c => out.push(c),
        }
    }
    // A leading space is not kept by readers.
    if out.starts_with(' ') {
        out.replace_range(..1, "\\s");
    }
    out
}

/// One argument of `Exec`, quoted where a reserved character is in it; `%` doubled, since it starts a field code.
fn argument(text: &str) -> String {
    let text = text.replace('%', "%%");
    let plain = |c: char| c.is_alphanumeric() || "/-_.,:=+@%".contains(c);
    if !text.is_empty() && text.chars().all(plain) {
        return text;
    }
    let mut quoted = String::from("\"");
    for c in text.chars() {
        if matches!(c, '"' | '`' | '$' | '\\') {
            quoted.push('\\');
        }
        quoted.push(c);
    }
    quoted + "\""
}

/// The name in an icon theme of what stands for an app's own glyph.
pub fn icon(glyph: Option<&str>) -> &'static str {
    ICONS
        .iter()
        .find(|(word, _)| glyph.is_some_and(|glyph| glyph.contains(word)))
        .map_or(PLAIN_ICON, |(_, name)| name)
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]
    use super::*;
    use ede_engine::package::Package;
    use serde_json::json;
    use std::sync::Arc;

    fn app(name: &str) -> App {
        let package = json!({
            "formatVersion": 2, "id": "acme.hours", "name": name, "version": "1.0.0", "catalogId": eui_core::CORE_CATALOG_ID,
            "icon": {"glyph": "clock"}, "description": "Log hours",
            "templates": {"main": {"components": [{"id": "root", "component": "Text", "text": "t"}]}},
        });
        App {
            package: Arc::new(Package::read_checked(package.to_string().as_bytes()).unwrap()),
            file: PathBuf::new(),
            waiting: Vec::new(),
        }
    }

    #[test]
    fn an_entry_opens_its_app() {
        let dir = tempfile::tempdir().unwrap();
        let folder = dir.path().join("applications");
        write(&folder, &app("Hours"), "ede").unwrap();
        let text = std::fs::read_to_string(folder.join("ede-acme.hours.desktop")).unwrap();
        assert!(text.starts_with("[Desktop Entry]\nType=Application\n"));
        for line in [
            "Name=Hours",
            "Comment=Log hours",
            "Icon=preferences-system-time",
            "Exec=ede open acme.hours",
        ] {
            assert!(text.lines().any(|l| l == line), "{line} in\n{text}");
        }
        assert!(remove(&folder, app("x").id()).unwrap());
        assert!(!remove(&folder, app("x").id()).unwrap());
    }

    #[test]
    fn a_packages_text_cannot_add_a_key() {
        let text = text(
            &app("Hours\nExec=rm -rf ~\r\n[Desktop Action x]\u{1b}"),
            "ede",
        );
        assert_eq!(text.lines().filter(|l| l.starts_with("Exec=")).count(), 1);
        assert_eq!(text.lines().filter(|l| l.starts_with('[')).count(), 1);
        assert!(!text.contains('\u{1b}'));
    }

    #[test]
    fn the_programs_path_is_quoted_as_launchers_read_it() {
        assert_eq!(argument("/usr/bin/ede"), "/usr/bin/ede");
        assert_eq!(argument("/home/a b/ede"), "\"/home/a b/ede\"");
        assert_eq!(argument("/x/$HOME/`a\"b"), "\"/x/\\$HOME/\\`a\\\"b\"");
        assert_eq!(argument("/100%/ede"), "/100%%/ede");
        assert_eq!(
            value(&argument("/a\\b c")),
            "\"/a\\\\\\\\b c\"",
            "quoted for Exec, then escaped as a value"
        );
    }
}
