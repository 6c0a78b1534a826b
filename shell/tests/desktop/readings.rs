//! What apps read of the person's servers: asked for by the sheet, shown while it is allowed, gone when it is taken back.

use std::path::PathBuf;

use ede_tests::compositor::{LEFT, RIGHT, Scene, SurfaceId, SurfaceView};
use ede_tests::picture::{self, Picture};
use ede_tests::program::{self, Ede};
use serde_json::Value;

use super::harness::{Desktop, one, painted, wait_for};

/// A widget that shows a bank's rate, and on a press tries to follow a server that its package does not name.
const RATES: &str = include_str!("../../../fixtures/apps/test.rates.app.json");

/// The middle of the widget.
pub const WIDGET: (f64, f64) = (200.0, 160.0);

fn app() -> Ede {
    let ede = Ede::new();
    ede.write_package("test.rates", RATES);
    ede.write_document("desktop", r#"{"formatVersion": 1, "id": "desktop", "kind": "desktop", "place": {"outputs": ["*"]}, "components": [{"id": "root", "component": "Box", "children": ["rates"]}, {"id": "rates", "component": "AppWidget", "app": "test.rates", "size": "m", "cell": [0, 0]}]}"#);
    ede
}

/// What the bank was asked, a line each.
fn log(ede: &Ede) -> PathBuf {
    ede.data().join("bank.log")
}

pub fn asked(d: &Desktop) -> String {
    std::fs::read_to_string(log(&d.ede)).unwrap_or_default()
}

/// Set up the server of the tests as `bank`.
pub fn add_bank(ede: &Ede) {
    let program = program::ede().with_file_name("ede-upstream");
    assert!(
        program.exists(),
        "run `cargo build -p ede-tests --bin ede-upstream`"
    );
    let mut command = ede.command(&["upstreams", "add", "bank", "--command"]);
    let added = command.arg(program).arg(log(ede)).output().unwrap();
    assert!(
        added.status.success(),
        "{}",
        String::from_utf8_lossy(&added.stderr)
    );
}

pub fn start(ede: Ede) -> Desktop {
    let d = Desktop::start_with(&[one()], ede).0;
    d.compositor
        .wait_for("the widget", |s| widget(s).map(|_| ()));
    d
}

pub fn widget(s: &Scene) -> Option<SurfaceView> {
    s.layer("ede-widget").filter(|w| painted(w)).cloned()
}

/// The widget's two lines.
fn lines(s: &Scene) -> Option<Picture> {
    let widget = widget(s)?.picture();
    Some(picture::crop(&widget, 30, 40, widget.width() - 60, 80))
}

/// The sheet, once its buttons answer: the safe one is dark then.
pub fn ready(d: &Desktop) -> SurfaceView {
    d.compositor.wait_for("a sheet whose buttons are lit", |s| {
        let sheet = s.layer("ede-sheet").filter(|w| painted(w))?;
        let dark = |p: [u8; 4]| p[3] > 200 && p[0] < 0x50;
        let lower = picture::crop(&sheet.picture(), 440, 480, 420, 200);
        (picture::count(&lower, dark) > 1500).then(|| sheet.clone())
    })
}

pub fn no_sheet(d: &Desktop) {
    d.compositor
        .wait_for("no sheet", |s| s.layer("ede-sheet").is_none().then_some(()));
}

fn rows(d: &Desktop, command: &[&str], keys: &[&str]) -> Vec<String> {
    let ran = d.ede.command(command).output().unwrap();
    let rows: Vec<Value> = serde_json::from_slice(&ran.stdout).unwrap();
    let word = |row: &Value, key: &str| row[key].as_str().unwrap_or("-").to_string();
    let line = |row: &Value| {
        keys.iter()
            .map(|key| word(row, key))
            .collect::<Vec<_>>()
            .join(" ")
    };
    rows.iter().map(line).collect()
}

pub fn audit(d: &Desktop) -> Vec<String> {
    rows(d, &["audit", "--json"], &["tool", "status", "error"])
}

pub fn grants(d: &Desktop) -> Vec<String> {
    rows(d, &["grants", "--json"], &["scope", "grant"])
}

pub fn row(d: &Desktop, is: &str) {
    wait_for(is, || audit(d).contains(&is.to_string()).then_some(()));
}

fn allow(d: &Desktop) -> SurfaceView {
    d.press(LEFT, WIDGET);
    let sheet = ready(d);
    // From the safe answer to the other one.
    d.compositor.keyboard().tap("Tab").tap("Return");
    no_sheet(d);
    sheet
}

#[test]
fn an_app_reads_once_the_person_has_allowed_it_until_they_take_it_back() {
    let ede = app();
    add_bank(&ede);
    let d = start(ede);
    row(&d, "bank/rates denied consentNeeded");
    let before = lines(&d.compositor.scene()).unwrap();
    assert_eq!(asked(&d), "", "its program is not even started");
    allow(&d);
    wait_for("the decision", || {
        (grants(&d) == ["upstream:bank granted"]).then_some(())
    });
    d.compositor
        .wait_for("the rate", |s| (lines(s)? != before).then_some(()));
    row(&d, "bank/rates ok -");
    assert!(
        asked(&d).contains(r#"tools/call rates {"day":"monday"}"#),
        "{}",
        asked(&d)
    );
    // The press followed a server that its package does not name, too.
    row(&d, "theirs/secrets denied notDeclared");
    d.ok(&["grants", "test.rates", "revoke", "upstream:bank"]);
    d.compositor.wait_for("what the template says", |s| {
        (lines(s)? == before).then_some(())
    });
    assert_eq!(grants(&d), Vec::<String>::new());
}

#[test]
fn an_app_that_is_denied_reads_nothing_and_is_not_asked_about_again() {
    let ede = app();
    add_bank(&ede);
    let d = start(ede);
    d.press(LEFT, WIDGET);
    ready(&d);
    // The safe answer has the focus.
    d.compositor.keyboard().tap("Return");
    no_sheet(&d);
    row(&d, "bank/rates denied consentDenied");
    d.press(LEFT, WIDGET);
    let tried = "theirs/secrets denied notDeclared".to_string();
    wait_for("the second press", || {
        (audit(&d).iter().filter(|row| **row == tried).count() == 2).then_some(())
    });
    assert!(d.compositor.scene().layer("ede-sheet").is_none());
    assert_eq!(asked(&d), "");
}

#[test]
fn a_server_that_is_another_now_is_asked_about_again_and_the_former_one_ends() {
    let ede = app();
    add_bank(&ede);
    let d = start(ede);
    let before = lines(&d.compositor.scene()).unwrap();
    allow(&d);
    d.compositor
        .wait_for("the rate", |s| (lines(s)? != before).then_some(()));
    d.ok(&[
        "upstreams",
        "add",
        "bank",
        "--command",
        "/nonexistent/server",
    ]);
    d.compositor.wait_for("what the template says", |s| {
        (lines(s)? == before).then_some(())
    });
    wait_for("its end", || asked(&d).contains("ended").then_some(()));
    assert_eq!(
        grants(&d).len(),
        1,
        "it is kept for the server it was about"
    );
    d.press(LEFT, WIDGET);
    ready(&d);
}

/// The package with some of it replaced.
fn but(replaced: &[(&str, &str)]) -> Ede {
    let text = replaced
        .iter()
        .fold(RATES.to_owned(), |text, (is, becomes)| {
            assert!(text.contains(is), "{is}");
            text.replace(is, becomes)
        });
    let ede = app();
    ede.write_package("test.rates", &text);
    ede
}

/// The package, whose press has nothing to say.
fn quiet() -> Ede {
    but(&[
        (r#""functions": ["bind"]"#, r#""functions": ["set"]"#),
        (r#""call": "bind""#, r#""call": "set""#),
        (r#""source": {"path": "/from"}"#, r#""value": "pressed""#),
    ])
}

pub fn toast(s: &Scene) -> Option<SurfaceId> {
    s.layer("ede-toast").filter(|t| painted(t)).map(|t| t.id)
}

#[test]
fn what_a_press_binds_is_asked_about_and_goes_when_it_is_taken_back() {
    // Nothing is bound by itself.
    let ede = but(&[
        (
            r#"[{"path": "/rates", "source": "upstream:bank/rates?day=monday"}]"#,
            "[]",
        ),
        ("/stolen", "/rates"),
        ("upstream:theirs/secrets", "upstream:bank/rates?day=friday"),
    ]);
    add_bank(&ede);
    let d = start(ede);
    let before = lines(&d.compositor.scene()).unwrap();
    allow(&d);
    wait_for("the decision", || {
        (grants(&d) == ["upstream:bank granted"]).then_some(())
    });
    d.press(LEFT, WIDGET);
    d.compositor
        .wait_for("the rate", |s| (lines(s)? != before).then_some(()));
    assert!(asked(&d).contains(r#"tools/call rates {"day":"friday"}"#));
    d.ok(&["grants", "test.rates", "revoke", "upstream:bank"]);
    d.compositor.wait_for("what the template says", |s| {
        (lines(s)? == before).then_some(())
    });
}

#[test]
fn what_an_app_may_read_is_in_its_widgets_menu_and_can_be_asked_again() {
    let ede = app();
    add_bank(&ede);
    let d = start(ede);
    allow(&d);
    wait_for("the decision", || {
        (grants(&d) == ["upstream:bank granted"]).then_some(())
    });
    d.press(RIGHT, WIDGET);
    d.popup(None);
    // Its second entry.
    d.press(LEFT, (260.0, 200.0));
    let sheet = |s: &Scene| s.layer("ede-sheet").filter(|w| painted(w)).cloned();
    d.compositor.wait_for("the sheet", sheet);
    // From the button that closes it to the first row's.
    d.compositor.keyboard().tap("Tab").tap("Return");
    wait_for("no decision", || grants(&d).is_empty().then_some(()));
    d.compositor.keyboard().tap("Escape");
    no_sheet(&d);
}

#[test]
fn a_server_that_is_not_set_up_is_told_of_when_the_app_is_pressed() {
    let d = start(quiet());
    row(&d, "bank/rates denied unavailable");
    assert_eq!(toast(&d.compositor.scene()), None, "nobody is told before");
    d.press(LEFT, WIDGET);
    d.compositor.wait_for("a message", toast);
    assert!(d.compositor.scene().layer("ede-sheet").is_none());
    // It is set up, and asked about.
    add_bank(&d.ede);
    row(&d, "bank/rates denied consentNeeded");
    allow(&d);
    row(&d, "bank/rates ok -");
}

#[test]
fn a_list_of_servers_with_a_mistake_in_it_changes_nothing() {
    let ede = quiet();
    add_bank(&ede);
    let d = start(ede);
    let before = lines(&d.compositor.scene()).unwrap();
    allow(&d);
    d.compositor
        .wait_for("the rate", |s| (lines(s)? != before).then_some(()));
    std::fs::write(d.ede.config().join("upstreams.json"), "{").unwrap();
    d.compositor.wait_for("a message", toast);
    assert_ne!(lines(&d.compositor.scene()).unwrap(), before);
}

#[test]
fn the_server_ends_with_the_shell() {
    let ede = app();
    add_bank(&ede);
    let mut d = start(ede);
    allow(&d);
    row(&d, "bank/rates ok -");
    let started = asked(&d);
    let pid: u32 = started
        .lines()
        .find_map(|l| l.strip_prefix("started ")?.parse().ok())
        .unwrap();
    let runs = || std::path::Path::new(&format!("/proc/{pid}")).exists();
    assert!(runs());
    let ended = std::process::Command::new("kill")
        .arg(d.shell.id().to_string())
        .status();
    assert!(ended.unwrap().success());
    d.shell.wait();
    assert!(!runs());
}
