//! `windows`: which windows are open. Titles are other programs' words: plain data, shortened. Windows that a person expects nobody to
//! look at are left out: password managers, and the shell's own.

use serde_json::{Value, json};

use super::{Call, Provider, Ran};
use crate::wayland::{Platform, WindowInfo};

/// Programs whose windows no app sees or moves, by the parts of their app ids.
const PROTECTED: [&str; 12] = [
    "keepassxc",
    "keepass2",
    "secrets",
    "bitwarden",
    "1password",
    "kwalletmanager",
    "seahorse",
    "gcr-prompter",
    "pinentry",
    "lastpass",
    "enpass",
    "polkit-gnome-authentication-agent-1",
];

/// The windows an answer holds at most, and the letters of a title and of an app id, as the catalog says.
const MOST: usize = 500;
const TITLE: usize = 500;
const APP: usize = 200;

pub(super) struct Windows;

impl Provider for Windows {
    fn capability(&self) -> &'static str {
        "windows"
    }

    fn is_there(&self, session: Option<&Platform>) -> bool {
        session.is_some_and(Platform::tells_of_windows)
    }

    fn call(&mut self, _: Call<'_>, session: Option<&mut Platform>) -> Ran {
        let windows = session.map(|platform| platform.windows());
        Ran::ok(json!({"windows": windows_value(&windows.unwrap_or_default())}))
    }
}

/// May an app know of this window?
pub(super) fn is_open(window: &WindowInfo) -> bool {
    let id = window.app_id.to_lowercase();
    let program = id.rsplit('.').next().unwrap_or_default();
    id != "ede" && !PROTECTED.contains(&program) && !PROTECTED.contains(&id.as_str())
}

/// What an app sees of the windows: the tool's answer, and the value of `ede:windows` for apps.
pub fn windows_value(windows: &[WindowInfo]) -> Value {
    let one = |w: &WindowInfo| {
        json!({
            "id": w.id.to_string(), "title": text(&w.title, TITLE), "app": text(&w.app_id, APP),
            // No protocol says where a window is parked.
            "workspace": 0, "focused": w.active, "minimized": w.minimized,
        })
    };
    windows
        .iter()
        .filter(|w| is_open(w))
        .take(MOST)
        .map(one)
        .collect()
}

fn text(words: &str, most: usize) -> String {
    words
        .chars()
        .filter(|c| !c.is_control())
        .take(most)
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn window(title: &str, app_id: &str) -> WindowInfo {
        WindowInfo {
            title: title.into(),
            app_id: app_id.into(),
            ..WindowInfo::default()
        }
    }

    #[test]
    fn password_managers_and_the_shell_itself_are_left_out() {
        let all = [
            window("Passwords", "org.keepassxc.KeePassXC"),
            window("Secrets", "org.gnome.World.Secrets"),
            window("Desktop", "ede"),
            window("Hours", "ede.hours"),
            window("A\u{0}letter\n", "org.gnome.TextEditor"),
        ];
        let seen = windows_value(&all);
        let titles: Vec<&str> = seen
            .as_array()
            .into_iter()
            .flatten()
            .filter_map(|w| w["title"].as_str())
            .collect();
        assert_eq!(titles, ["Hours", "Aletter"]);
    }

    #[test]
    fn an_answer_keeps_to_the_catalogs_sizes() {
        let many = vec![window(&"x".repeat(9000), &"y".repeat(9000)); 900];
        let seen = windows_value(&many);
        let windows = seen.as_array().map(Vec::len);
        assert_eq!(windows, Some(MOST));
        assert_eq!(seen[0]["title"].as_str().map(str::len), Some(TITLE));
        assert_eq!(seen[0]["app"].as_str().map(str::len), Some(APP));
    }
}
