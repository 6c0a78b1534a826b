//! The shell's own file sheet, where no portal shows a dialog: with the pointer and with keys alone, and what comes of it.

use std::process::{Child, Stdio};

use ede_tests::compositor::{Compositor, Global, Globals, LEFT, OutputSpec, Scene, SurfaceView};
use ede_tests::picture;
use ede_tests::program::Ede;
use serde_json::{Value, json};

use super::files::{DESK, audit};
use super::harness::{Desktop, one, painted, wait_for};

/// A person's folder with something in it.
fn start() -> Desktop {
    start_on(one(), |_| {})
}

fn start_on(output: OutputSpec, prepare: impl FnOnce(&Ede)) -> Desktop {
    let ede = Ede::new();
    ede.write_package("test.desk", DESK);
    let home = ede.data().parent().unwrap().to_path_buf();
    for folder in ["Documents", "Music"] {
        std::fs::create_dir_all(home.join(folder)).unwrap();
    }
    std::fs::write(home.join("letter.txt"), "Dear Ines").unwrap();
    std::fs::write(home.join("table.csv"), "a;b\n".repeat(1200)).unwrap();
    std::fs::write(home.join("Documents/invoice.pdf"), "%PDF-1.4").unwrap();
    std::fs::write(home.join("Documents/notes.txt"), "Seven hours").unwrap();
    prepare(&ede);
    let (desk, _) = Desktop::start_with(&[output], ede);
    desk.panel();
    desk
}

fn calling(d: &Desktop, name: &str, arguments: &Value) -> Child {
    let file = d.ede.config().join("arguments.json");
    std::fs::write(&file, arguments.to_string()).unwrap();
    let mut command = d
        .ede
        .command(&["call", "test.desk", name, file.to_str().unwrap()]);
    command.stdout(Stdio::piped()).stderr(Stdio::piped());
    command.spawn().unwrap()
}

fn answer(call: Child) -> Value {
    let ran = call.wait_with_output().unwrap();
    let said: Value = serde_json::from_slice(&ran.stdout)
        .unwrap_or_else(|_| panic!("{}", String::from_utf8_lossy(&ran.stderr)));
    said["answer"]["structuredContent"].clone()
}

fn sheet(s: &Scene) -> Option<SurfaceView> {
    s.layer("ede-sheet").filter(|w| painted(w)).cloned()
}

/// So many rows are in the list: there is ink in the last one's line, and none below.
fn rows(sheet: &SurfaceView, top: u32, rows: u32) -> bool {
    let ink = |from: u32, height: u32| {
        let line = picture::crop(&sheet.picture(), 450, from, 300, height);
        picture::count(&line, |p| p[0] < 0x60) > 20
    };
    let last = top + (rows - 1) * ROW;
    ink(last, ROW) && !ink(last + ROW, 20)
}

/// The height of a row.
const ROW: u32 = 28;
/// Where the list begins in a sheet that opens files, and in one that saves.
const OPENS: u32 = 297;
const SAVES: u32 = 265;
/// In one that asks whether a file may go.
const ASKS: u32 = 249;
/// The button that goes on, of the two.
const OPEN: (f64, f64) = (796.0, 592.0);
pub const SAVE: (f64, f64) = (796.0, 632.0);
const REPLACE: (f64, f64) = (796.0, 648.0);
/// The folders of a home in the list, before its files.
const FOLDERS: u32 = 6;

/// A sheet with this many rows.
fn listed(d: &Desktop, top: u32, many: u32) -> SurfaceView {
    d.compositor.wait_for("the folder in the sheet", |s| {
        sheet(s).filter(|w| rows(w, top, many))
    })
}

/// The button that goes on is dark: it answers.
pub fn answers(d: &Desktop, (x, y): (f64, f64)) {
    d.compositor.wait_for("a button that answers", |s| {
        let button = picture::crop(&sheet(s)?.picture(), x as u32 - 40, y as u32 - 12, 80, 24);
        (picture::count(&button, |p| p[0] < 0x30) > 1000).then_some(())
    });
}

/// Tap a key until the call is over: the sheet answers nothing at first.
fn tap_until_over(d: &Desktop, call: &mut Child, key: &str) {
    wait_for("the answer", || {
        d.compositor.keyboard().tap(key);
        call.try_wait().unwrap()
    });
}

fn down(d: &Desktop, rows: u32) {
    for _ in 0..rows {
        d.compositor.keyboard().tap("Down");
    }
}

#[test]
fn a_file_in_a_folder_is_opened_with_keys_alone() {
    let d = start();
    let mut call = calling(&d, "files.open", &json!({}));
    listed(&d, OPENS, FOLDERS + 2);
    down(&d, 3);
    d.compositor.keyboard().tap("Return");
    listed(&d, OPENS, 2);
    down(&d, 2);
    tap_until_over(&d, &mut call, "Return");
    let files = answer(call)["files"].clone();
    assert_eq!(files.as_array().unwrap().len(), 1);
    assert_eq!(
        (&files[0]["name"], &files[0]["size"]),
        (&json!("notes.txt"), &json!(11))
    );
    // The next one begins where the last was found.
    let call = calling(&d, "files.save", &json!({"name": "x", "text": "y"}));
    listed(&d, SAVES, 2);
    d.compositor.keyboard().tap("Escape");
    assert_eq!(answer(call), json!({"saved": false}));
    wait_for("both rows", || {
        (audit(&d.ede) == ["files__open ok -", "files__save ok -"]).then_some(())
    });
}

#[test]
fn several_files_are_opened_with_the_pointer_of_the_kinds_the_app_takes() {
    let d = start();
    let wanted = json!({"accept": [".csv", ".txt"], "multiple": true});
    std::fs::write(d.ede.data().parent().unwrap().join("song.ogg"), "la").unwrap();
    let mut call = calling(&d, "files.open", &wanted);
    listed(&d, OPENS, FOLDERS + 2);
    for row in [FOLDERS, FOLDERS + 1] {
        d.press(LEFT, (600.0, f64::from(OPENS + row * ROW + 14)));
    }
    wait_for("the answer", || {
        d.press(LEFT, OPEN);
        call.try_wait().unwrap()
    });
    let files = answer(call)["files"].clone();
    let names: Vec<&Value> = files
        .as_array()
        .unwrap()
        .iter()
        .map(|f| &f["name"])
        .collect();
    assert_eq!(names, ["letter.txt", "table.csv"]);
}

#[test]
fn a_file_that_is_there_goes_only_when_the_person_has_said_so() {
    let d = start();
    let home = d.ede.data().parent().unwrap().to_path_buf();
    let letter = || std::fs::read_to_string(home.join("letter.txt")).unwrap();
    let mut call = calling(
        &d,
        "files.save",
        &json!({"name": "letter.txt", "text": "Dear Max"}),
    );
    let first = listed(&d, SAVES, FOLDERS + 2);
    answers(&d, SAVE);
    d.press(LEFT, SAVE);
    // The sheet grows by the question; a second press in the same place is no answer to it.
    d.press(LEFT, SAVE);
    let asks = listed(&d, ASKS, FOLDERS + 2);
    assert_eq!((asks.id, letter().as_str()), (first.id, "Dear Ines"));
    // What keeps it has the focus.
    answers(&d, REPLACE);
    d.compositor.keyboard().tap("Return");
    listed(&d, SAVES, FOLDERS + 2);
    assert_eq!(letter(), "Dear Ines");
    d.press(LEFT, SAVE);
    listed(&d, ASKS, FOLDERS + 2);
    answers(&d, REPLACE);
    d.press(LEFT, REPLACE);
    wait_for("the answer", || call.try_wait().unwrap());
    assert_eq!(answer(call), json!({"saved": true}));
    assert_eq!(letter(), "Dear Max");
}

#[test]
fn a_file_is_saved_by_the_name_the_person_types() {
    let d = start();
    let call = calling(
        &d,
        "files.save",
        &json!({"name": "draft", "text": "Dear Max"}),
    );
    listed(&d, SAVES, FOLDERS + 2);
    // The last letter counts however soon Return comes after it.
    answers(&d, SAVE);
    d.press(LEFT, (600.0, 586.0));
    d.compositor.keyboard().tap("End").tap("2").tap("Return");
    assert_eq!(answer(call), json!({"saved": true}));
    let home = d.ede.data().parent().unwrap().to_owned();
    let there: Vec<_> = std::fs::read_dir(&home)
        .unwrap()
        .map(|entry| entry.unwrap().file_name())
        .collect();
    let saved = std::fs::read_to_string(home.join("draft2"));
    assert_eq!(saved.ok().as_deref(), Some("Dear Max"), "{there:?}");
}

#[test]
fn one_app_is_answered_after_the_other_and_a_sheet_goes_with_its_app() {
    let d = start_on(one(), |ede| {
        ede.write_package("test.other", &DESK.replace("test.desk", "test.other"));
    });
    let first = calling(&d, "files.open", &json!({}));
    let shown = listed(&d, OPENS, FOLDERS + 2);
    let mut second = d.ede.command(&["call", "test.other", "files.open"]);
    let second = second.spawn().unwrap();
    d.ok(&["apps", "remove", "test.desk"]);
    assert_eq!(answer(first), json!({"files": []}));
    d.compositor.wait_for("the other app's sheet", |s| {
        sheet(s)
            .filter(|w| w.id != shown.id)
            .filter(|w| s.keyboard_focus == Some(w.id))
    });
    d.compositor.keyboard().tap("Escape");
    assert_eq!(answer(second), json!({"files": []}));
    d.compositor
        .wait_for("no sheet", |s| s.layer("ede-sheet").is_none().then_some(()));
}

#[test]
fn the_one_window_has_the_sheet_too() {
    let compositor = Compositor::start(Globals::all().without(Global::LayerShell));
    compositor.add_output(one());
    let ede = Ede::new();
    ede.write_package("test.desk", DESK);
    let shell = ede.run_on(&compositor);
    let window = compositor.wait_for("the desktop's window", |s| {
        s.toplevels().next().filter(|w| painted(w)).cloned()
    });
    compositor.keyboard().focus(Some(window.id));
    let corner = |s: &Scene| Some(s.surface(window.id)?.picture().get_pixel(4, 700).0);
    let lit = corner(&compositor.scene());
    let mut command = ede.command(&["call", "test.desk", "files.open"]);
    let call = command.spawn().unwrap();
    compositor.wait_for("a dimmed desktop", |s| (corner(s) != lit).then_some(()));
    compositor.keyboard().tap("Escape");
    assert_eq!(answer(call), json!({"files": []}));
    compositor.wait_for("a lit desktop", |s| (corner(s) == lit).then_some(()));
    drop(shell);
}
