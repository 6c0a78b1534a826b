//! The shell on a real compositor: sway, headless. Only what a real one can show: that panel, widgets, windows and popups come up, take
//! clicks and typing, write what they are told, follow the files on disk, and end with the compositor.
//!
//! Nothing is timed: every step waits for what the person would see. Places are those of the default session on 1280×800.
#![allow(clippy::unwrap_used, clippy::expect_used)]

use std::io::Read;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use ede_tests::compositor::{LEFT, RIGHT};
use ede_tests::picture::{self, Picture};
use ede_tests::sway::{Running, Sway};
use serde_json::{Value, json};

/// A part of the screen: x, y, width, height.
type Part = (u32, u32, u32, u32);

/// The middle of the panel's clock.
const CLOCK: (f64, f64) = (640.0, 28.0);
/// What the clock's popup covers of the wallpaper.
const UNDER_CLOCK: Part = (500, 80, 280, 200);
/// The tasks on the desktop: the head, the titles, and the first one's box.
const TASKS_HEAD: Part = (920, 612, 140, 44);
const TASKS_TITLES: Part = (950, 682, 70, 70);
const FIRST_BOX: (f64, f64) = (936.0, 692.0);
/// Launcher and workspaces at the panel's left end.
const PANEL_START: Part = (12, 10, 130, 36);

/// The shell in a session of its own, with its folders in the session's home and the sample records in its database.
struct Desktop {
    // Before sway: it need not see it go.
    shell: Running,
    sway: Sway,
    home: PathBuf,
}

fn shell_on(sway: &Sway) -> Running {
    let mut shell = sway.command(env!("CARGO_BIN_EXE_ede"));
    shell.arg("run").stdin(Stdio::null()).stderr(Stdio::piped());
    Running(shell.spawn().unwrap())
}

impl Desktop {
    fn start() -> Desktop {
        let sway = Sway::start();
        let home = sway.home();
        let d = Desktop {
            shell: shell_on(&sway),
            sway,
            home,
        };
        d.sway.wait_for("the first run", |_| {
            d.home.join("data/ede/records.db").exists().then_some(())
        });
        let fixtures = Path::new(env!("CARGO_MANIFEST_DIR")).join("../fixtures/apps");
        for (app, kind) in [("ede.tasks", "task"), ("ede.notes", "note")] {
            let file = fixtures.join(format!("{app}.{kind}.records.json"));
            d.ede(&["records", "put", app, kind, file.to_str().unwrap()]);
        }
        d.sway.wait_for("panel and tasks on the desktop", |_| {
            (d.colours((560, 12, 160, 32)) > 20 && d.colours(TASKS_TITLES) > 20).then_some(())
        });
        d
    }

    /// Run the command line beside the shell; it must succeed.
    fn ede(&self, arguments: &[&str]) -> String {
        let mut command: Command = self.sway.command(env!("CARGO_BIN_EXE_ede"));
        let output = command.args(arguments).output().unwrap();
        assert!(
            output.status.success(),
            "ede {arguments:?}: {}",
            String::from_utf8_lossy(&output.stderr)
        );
        String::from_utf8(output.stdout).unwrap()
    }

    fn tasks(&self) -> Vec<Value> {
        serde_json::from_str(&self.ede(&["records", "list", "ede.tasks", "task", "--json"]))
            .unwrap()
    }

    fn see(&self, (x, y, width, height): Part) -> Picture {
        picture::crop(&self.sway.screenshot(), x, y, width, height)
    }

    fn colours(&self, part: Part) -> usize {
        picture::colours(&self.see(part))
    }

    /// Wait until a part of the screen is another one than before, or again the same.
    fn wait(&self, what: &str, part: Part, before: &Picture, same: bool) -> Picture {
        self.sway.wait_for(what, |_| {
            Some(self.see(part)).filter(|now| (now == before) == same)
        })
    }

    /// A part once it has stopped changing: a window that has just come still fills itself.
    fn steady(&self, part: Part) -> Picture {
        let mut seen = self.see(part);
        let mut times = 0;
        self.sway.wait_for("a part that stays as it is", |_| {
            let now = self.see(part);
            times = if now == seen { times + 1 } else { 0 };
            seen = now;
            (times >= 4).then(|| seen.clone())
        })
    }

    fn click(&self, (x, y): (f64, f64)) {
        self.sway.click(LEFT, x, y);
    }

    /// An app's window: where sway put it.
    fn window(&self, app: &str) -> Value {
        self.sway.wait_for("the app's window", |sway| {
            sway.windows(app).first().map(|w| w["rect"].clone())
        })
    }

    /// Change a file of the home as an editor does: a new file, renamed.
    fn edit(&self, file: &str, change: impl FnOnce(String) -> String) {
        let path = self.home.join(file);
        let new = path.with_extension("new");
        std::fs::write(&new, change(std::fs::read_to_string(&path).unwrap())).unwrap();
        std::fs::rename(new, path).unwrap();
    }
}

#[test]
fn panel_and_desktop_widgets_are_on_the_screen() {
    let d = Desktop::start();
    let shot = d.sway.screenshot();
    let text = |(x, y, w, h): Part| picture::colours(&picture::crop(&shot, x, y, w, h)) > 20;
    assert!(text((560, 12, 160, 32)), "the panel's clock");
    assert!(text((1040, 12, 220, 32)), "the panel's items at its end");
    assert!(text((920, 90, 310, 300)), "the large clock");
    assert!(text(TASKS_HEAD) && text(TASKS_TITLES), "the tasks");
    // Plate and wallpaper differ: the panel has an edge.
    assert_ne!(shot.get_pixel(300, 28), shot.get_pixel(300, 70));
}

#[test]
fn the_clock_opens_its_popup_and_a_second_click_closes_it() {
    let d = Desktop::start();
    let wallpaper = d.see(UNDER_CLOCK);
    let low: Part = (500, 280, 280, 100);
    let below = d.see(low);
    d.click(CLOCK);
    d.wait("the popup", UNDER_CLOCK, &wallpaper, false);
    d.wait("the month down to its end", low, &below, false);
    d.click(CLOCK);
    d.wait("the wallpaper again", UNDER_CLOCK, &wallpaper, true);
}

#[test]
fn escape_closes_a_popup_and_windows_hear_keys_again() {
    let d = Desktop::start();
    d.ede(&["open", "ede.tasks"]);
    d.window("ede.tasks");
    let behind = d.steady(UNDER_CLOCK);
    d.click(CLOCK);
    let popup = d.wait("the popup", UNDER_CLOCK, &behind, false);
    assert_ne!(popup, behind);
    d.sway.tap("Escape");
    d.wait("no popup", UNDER_CLOCK, &behind, true);
    d.sway.wait_for("the window has the focus", |sway| {
        sway.windows("ede.tasks")
            .first()
            .is_some_and(|w| w["focused"] == true)
            .then_some(())
    });
}

#[test]
fn the_right_button_opens_a_widgets_menu_and_a_press_elsewhere_closes_it() {
    let d = Desktop::start();
    let under: Part = (1080, 64, 140, 24);
    let before = d.see(under);
    d.sway.click(RIGHT, 1210.0, 28.0);
    d.wait("the menu", under, &before, false);
    d.click((300.0, 28.0));
    d.wait("no menu", under, &before, true);
}

#[test]
fn a_task_ticked_on_the_desktop_is_done_in_the_records() {
    let d = Desktop::start();
    let done = |id: &str| {
        d.tasks()
            .iter()
            .any(|t| t["id"] == id && t["data"]["done"] == true)
    };
    assert!(!done("task-01"));
    d.click(FIRST_BOX);
    d.sway
        .wait_for("the task is done", |_| done("task-01").then_some(()));
}

#[test]
fn what_is_typed_into_a_window_becomes_a_record() {
    let d = Desktop::start();
    d.ede(&["open", "ede.tasks"]);
    let rect = d.window("ede.tasks");
    let (x, y) = (rect["x"].as_f64().unwrap(), rect["y"].as_f64().unwrap());
    let list: Part = (x as u32 + 40, y as u32 + 200, 300, 120);
    d.sway.wait_for("the window with its list", |_| {
        (d.colours(list) > 20).then_some(())
    });
    d.click((600.0, 210.0));
    d.sway.text("Buy yeast");
    d.sway.tap("Return");
    d.sway.wait_for("the new task", |_| {
        d.tasks()
            .iter()
            .any(|t| t["data"]["title"] == "Buy yeast")
            .then_some(())
    });
}

#[test]
fn what_an_agent_asks_takes_no_keys_from_a_window_and_is_typed_into_after_a_press() {
    let d = Desktop::start();
    d.ede(&["open", "ede.tasks"]);
    let rect = d.window("ede.tasks");
    let (x, y) = (rect["x"].as_f64().unwrap(), rect["y"].as_f64().unwrap());
    let list: Part = (x as u32 + 40, y as u32 + 200, 300, 120);
    d.sway.wait_for("the window with its list", |_| {
        (d.colours(list) > 20).then_some(())
    });
    d.click((600.0, 210.0));
    d.sway.text("Buy ");
    let call = |tool: &str, given: Value| -> Value {
        let file = d.home.join("arguments.json");
        std::fs::write(&file, given.to_string()).unwrap();
        let ask = [
            "call",
            "interaction",
            tool,
            file.to_str().unwrap(),
            "--agent",
        ];
        let said: Value = serde_json::from_str(&d.ede(&ask)).unwrap();
        said["answer"]["structuredContent"].clone()
    };
    let card: Part = (912, 640, 336, 128);
    let before = d.see(card);
    let asked = call(
        "input",
        json!({"title": "Who is it for?", "field": {"label": "Name"}}),
    );
    let shown = d.wait("the card", card, &before, false);
    d.wait("its controls lit", card, &shown, false);
    d.sway.text("yeast");
    d.sway.tap("Return");
    d.sway.wait_for("the new task", |_| {
        let tasks = d.tasks();
        tasks
            .iter()
            .any(|t| t["data"]["title"] == "Buy yeast")
            .then_some(())
    });
    let record = d.sway.wait_for("the answer", |_| {
        d.click((1080.0, 686.0));
        d.sway.text("Ines");
        d.sway.tap("Return");
        let said = call("get", json!({"id": asked["id"]}));
        Some(said).filter(|said| said["state"] == "completed")
    });
    let text = record["answer"]["text"].as_str().unwrap();
    assert!(text.ends_with("Ines"), "{text}");
    // It is gone, and the window has the keys again.
    d.sway.wait_for("the window has the focus", |sway| {
        sway.windows("ede.tasks")
            .first()
            .is_some_and(|w| w["focused"] == true)
            .then_some(())
    });
}

#[test]
fn the_keyboard_goes_to_the_panel_on_request_and_escape_gives_it_back() {
    let d = Desktop::start();
    let before = d.see(PANEL_START);
    d.ede(&["focus", "panel"]);
    let ring = d.wait("a focus ring on the panel", PANEL_START, &before, false);
    assert_ne!(ring, before);
    d.sway.tap("Escape");
    d.wait("no ring", PANEL_START, &before, true);
}

#[test]
fn workspaces_are_shown_and_followed() {
    let d = Desktop::start();
    let first = d.see(PANEL_START);
    d.sway.run("workspace 2");
    d.wait("the second workspace", PANEL_START, &first, false);
    d.sway.run("workspace 1");
    d.wait("the first workspace alone", PANEL_START, &first, true);
}

#[test]
fn files_edited_on_disk_show_and_broken_ones_change_nothing() {
    let d = Desktop::start();
    d.ede(&["open", "ede.tasks"]);
    let top = |d: &Desktop| d.window("ede.tasks")["y"].as_i64().unwrap();
    let before = top(&d);
    let panel = "config/ede/ui/panel-top.ede-ui.json";
    d.edit(panel, |text| {
        text.replace("\"thickness\": 40", "\"thickness\": 64")
    });
    d.sway.wait_for("windows below the thicker panel", |_| {
        (top(&d) == before + 24).then_some(())
    });

    // A broken document, then a package with another title: once that shows, the document has been looked at as well.
    d.edit(panel, |text| text[..text.len() / 2].to_owned());
    d.sway.run("[app_id=\"ede.tasks\"] kill");
    d.sway.wait_for("no window", |sway| {
        sway.windows("ede.tasks").is_empty().then_some(())
    });
    let head: Part = (TASKS_HEAD.0, TASKS_HEAD.1 + 24, TASKS_HEAD.2, TASKS_HEAD.3);
    let title = d.see(head);
    d.edit("data/ede/apps/ede.tasks.app.json", |text| {
        text.replace("\"Tasks\"", "\"Chores\"")
    });
    d.wait("the package's new title", head, &title, false);
    d.ede(&["open", "ede.tasks"]);
    assert_eq!(top(&d), before + 24);
}

/// Installed, asked for, allowed, denied, seen in the audit, taken back.
#[test]
fn a_person_decides_what_an_app_may_see_and_do() {
    let d = Desktop::start();
    let app = Path::new(env!("CARGO_MANIFEST_DIR")).join("../fixtures/apps/test.timer.app.json");
    d.ede(&["apps", "install", app.to_str().unwrap()]);
    d.edit("config/ede/ui/desktop.ede-ui.json", |text| {
        let timer = r#"{"id": "timer", "component": "AppWidget", "app": "test.timer", "size": "m", "cell": [0, 0]}"#;
        text.replace("[\"clock\",", "[\"timer\", \"clock\",")
            .replace("{\"id\": \"clock\"", &format!("{timer},\n    {{\"id\": \"clock\""))
    });
    let line: Part = (44, 92, 300, 28);
    // The pointer is not in the picture.
    d.click((600.0, 600.0));
    d.sway
        .wait_for("the widget", |_| (d.colours(line) > 10).then_some(()));
    let blank = d.see(line);
    // A window it can know of, out of the way of the desktop.
    d.ede(&["open", "ede.notes"]);
    d.window("ede.notes");
    d.sway
        .run("[app_id=\"ede.notes\"] move container to workspace 2");
    d.wait("a widget that has been allowed nothing", line, &blank, true);

    let scrim: Part = (100, 400, 40, 40);
    let lit = d.see(scrim);
    d.click((200.0, 160.0));
    d.wait("a sheet over the desktop", scrim, &lit, false);
    let buttons: Part = (640, 490, 120, 80);
    let wait_for_buttons = |what: &str| {
        d.sway.wait_for(what, |_| {
            let dark = |p: [u8; 4]| p[0] < 0x50;
            (picture::count(&d.see(buttons), dark) > 1500).then_some(())
        });
    };
    wait_for_buttons("the first question's buttons");
    d.click((796.0, 522.0));
    d.wait("the notes in the list", line, &blank, false);
    // The safe answer of the second question has the focus.
    d.sway.wait_for("the second question's buttons", |_| {
        let rows = d.ede(&["grants", "--json"]);
        rows.contains("windows.read").then_some(())
    });
    wait_for_buttons("the second question's buttons");
    d.sway.tap("Return");
    d.wait("the desktop again", scrim, &lit, true);
    let audit = d.ede(&["audit", "--app", "test.timer"]);
    let has = |what: &str| {
        audit
            .lines()
            .any(|l| l.contains("test.timer") && l.ends_with(what))
    };
    assert!(has("windows__list  ok"), "{audit}");
    assert!(has("focus__window  denied (consentDenied)"), "{audit}");

    d.ede(&["grants", "test.timer", "revoke", "windows.read"]);
    d.sway.wait_for("the widget as it was", |_| {
        let now = d.see(line);
        let mut pairs = now.pixels().zip(blank.pixels());
        pairs.all(|(a, b)| picture::near(a.0, b.0, 8)).then_some(())
    });
}

#[test]
fn windows_come_back_after_a_crash_and_the_one_the_person_was_at_has_the_focus() {
    let mut d = Desktop::start();
    for app in ["ede.notes", "ede.tasks"] {
        d.ede(&["open", app]);
        d.window(app);
    }
    let focused = |d: &Desktop, app: &str| {
        d.sway.wait_for("the focus", |sway| {
            (sway.windows(app).first()?["focused"] == true).then_some(())
        });
    };
    focused(&d, "ede.tasks");
    d.sway.run("[app_id=ede.notes] focus");
    focused(&d, "ede.notes");
    d.sway.wait_for("what would come back", |_| {
        let file = d.home.parent()?.join("ede/instances.json");
        let kept: Value = serde_json::from_slice(&std::fs::read(file).ok()?).ok()?;
        let newest = kept["instances"]["stack"].as_array()?.last()?.clone();
        let all = kept["instances"]["instances"].as_array()?;
        let newest = all.iter().find(|i| i["instance_id"] == newest)?;
        (newest["app_scope"] == "ede.notes" && all.len() == 2).then_some(())
    });
    d.shell.0.kill().unwrap();
    d.shell.0.wait().unwrap();
    d.sway.wait_for("no windows", |sway| {
        (sway.windows("ede.notes").is_empty() && sway.windows("ede.tasks").is_empty()).then_some(())
    });
    d.shell = shell_on(&d.sway);
    d.window("ede.tasks");
    focused(&d, "ede.notes");
}

#[test]
fn when_sway_goes_the_shell_ends_with_one_line() {
    let mut d = Desktop::start();
    d.click(CLOCK);
    d.ede(&["open", "ede.notes"]);
    d.window("ede.notes");
    let sway = d.sway.processes().pop().unwrap();
    assert!(
        Command::new("kill")
            .args(["-KILL", &sway.to_string()])
            .status()
            .unwrap()
            .success()
    );
    let status = d.shell.0.wait().unwrap();
    let mut said = String::new();
    d.shell
        .0
        .stderr
        .take()
        .unwrap()
        .read_to_string(&mut said)
        .unwrap();
    assert_eq!(
        (status.code(), said.lines().count()),
        (Some(1), 1),
        "{said}"
    );
    assert!(said.starts_with("error: "), "{said}");
}
