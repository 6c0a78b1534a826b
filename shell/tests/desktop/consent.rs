//! What apps ask the person for: the sheet, what comes of its answers, and what the audit keeps.

use base64::Engine;
use ed25519_dalek::{Signer, SigningKey};
use ede_tests::compositor::{
    Compositor, Global, Globals, LEFT, OutputSpec, RIGHT, Scene, SurfaceId, SurfaceView, Window,
};
use ede_tests::picture;
use ede_tests::program::Ede;
use serde_json::{Value, json};

use super::harness::{Desktop, one, painted, wait_for};

/// A widget that lists the open windows; a press on it brings the first one to the front.
const TIMER: &str = include_str!("../../../fixtures/apps/test.timer.app.json");

/// The middle of the widget.
const WIDGET: (f64, f64) = (200.0, 160.0);

/// The button that allows.
const ALLOW: (f64, f64) = (796.0, 522.0);

fn app() -> Ede {
    let ede = Ede::new();
    ede.write_package("test.timer", TIMER);
    ede.write_document("desktop", r#"{"formatVersion": 1, "id": "desktop", "kind": "desktop", "place": {"outputs": ["*"]}, "components": [{"id": "root", "component": "Box", "children": ["timer"]}, {"id": "timer", "component": "AppWidget", "app": "test.timer", "size": "m", "cell": [0, 0]}]}"#);
    ede
}

fn start() -> Desktop {
    let d = Desktop::start_with(&[one()], app()).0;
    let letter = Window::new("A letter", "org.example.Editor");
    d.compositor.open_window(letter);
    d.compositor
        .wait_for("the widget", |s| widget(s).map(|_| ()));
    // Its binding has been decided: nobody has been asked yet.
    wait_for("the first row", || (!audit(&d).is_empty()).then_some(()));
    d
}

fn widget(s: &Scene) -> Option<SurfaceView> {
    s.layer("ede-widget").filter(|w| painted(w)).cloned()
}

fn sheet(s: &Scene) -> Option<SurfaceView> {
    s.layer("ede-sheet").filter(|w| painted(w)).cloned()
}

/// Do the sheet's buttons answer? The safe one is dark then.
fn lit(sheet: &SurfaceView) -> bool {
    let dark = |p: [u8; 4]| p[3] > 200 && p[0] < 0x50;
    let buttons = picture::crop(&sheet.picture(), 640, 490, 120, 80);
    picture::count(&buttons, dark) > 1500
}

/// The sheet, another one than `before`, once its buttons answer.
fn ready(compositor: &Compositor, before: Option<SurfaceId>) -> SurfaceView {
    compositor.wait_for("a sheet whose buttons are lit", |s| {
        sheet(s).filter(|now| Some(now.id) != before && lit(now))
    })
}

/// `tool status error` of every call, the oldest first.
fn audit(d: &Desktop) -> Vec<String> {
    let ran = d.ede.command(&["audit", "--json"]).output().unwrap();
    let rows: Vec<Value> = serde_json::from_slice(&ran.stdout).unwrap();
    let word = |row: &Value, key: &str| row[key].as_str().unwrap_or("-").to_string();
    let line = |row: &Value| {
        ["tool", "status", "error"]
            .map(|key| word(row, key))
            .join(" ")
    };
    rows.iter().rev().map(line).collect()
}

fn grants(d: &Desktop) -> Vec<(String, String)> {
    let ran = d.ede.command(&["grants", "--json"]).output().unwrap();
    let rows: Vec<Value> = serde_json::from_slice(&ran.stdout).unwrap();
    let word = |row: &Value, key: &str| row[key].as_str().unwrap().to_string();
    rows.iter()
        .map(|row| (word(row, "scope"), word(row, "grant")))
        .collect()
}

/// The widget's first line: a title.
fn title(widget: &SurfaceView) -> picture::Picture {
    let width = widget.picture().width();
    picture::crop(&widget.picture(), 30, 48, width - 60, 34)
}

/// The sheet that has the keyboard, another one than `before`.
fn with_keys(d: &Desktop, before: Option<SurfaceId>) -> SurfaceId {
    d.compositor.wait_for("a sheet with the keys", |s| {
        let id = sheet(s)?.id;
        (Some(id) != before && s.keyboard_focus == Some(id)).then_some(id)
    })
}

fn no_sheet(d: &Desktop) {
    d.compositor
        .wait_for("no sheet", |s| s.layer("ede-sheet").is_none().then_some(()));
}

#[test]
fn a_person_allows_and_denies_and_takes_back() {
    let d = start();
    let before = title(&widget(&d.compositor.scene()).unwrap());
    d.press(LEFT, WIDGET);
    let first = ready(&d.compositor, None);
    d.press(LEFT, ALLOW);
    // The press called a tool too: that is the next question, whose safe answer has the focus.
    ready(&d.compositor, Some(first.id));
    d.compositor.keyboard().tap("Return");
    no_sheet(&d);
    let told = [("focus.window", "denied"), ("windows.read", "granted")];
    wait_for("both decisions", || {
        (grants(&d) == told.map(|(s, g)| (s.to_string(), g.to_string()))).then_some(())
    });
    d.compositor.wait_for("the window's title", |s| {
        (title(&widget(s)?) != before).then_some(())
    });
    // Denied is denied: nobody is asked again.
    d.press(LEFT, WIDGET);
    wait_for("the second refusal", || {
        let denied = "focus__window denied consentDenied";
        (audit(&d).iter().filter(|row| *row == denied).count() == 2).then_some(())
    });
    assert!(d.compositor.scene().layer("ede-sheet").is_none());
    let rows = audit(&d);
    assert_eq!(
        rows.first().map(String::as_str),
        Some("windows__list denied consentNeeded"),
        "at the start nobody was there to ask"
    );
    assert!(rows.contains(&"windows__list ok -".to_string()), "{rows:?}");
    d.ok(&["grants", "test.timer", "revoke", "windows.read"]);
    d.compositor.wait_for("what the template says", |s| {
        (title(&widget(s)?) == before).then_some(())
    });
}

#[test]
fn a_press_that_was_meant_for_what_was_there_before_answers_nothing() {
    // On a busy machine a press may come too late to be early, and is an answer then: another desktop is tried.
    for _ in 0..8 {
        let d = start();
        d.press(LEFT, WIDGET);
        let open = with_keys(&d, None);
        d.press(LEFT, ALLOW);
        // By then an answer has closed the sheet, and its buttons have begun to answer.
        std::thread::sleep(std::time::Duration::from_millis(1500));
        let scene = d.compositor.scene();
        if scene.surface(open).is_some_and(|s| s.mapped) {
            assert_eq!(grants(&d), []);
            return;
        }
    }
    panic!("no press came early");
}

#[test]
fn a_sheet_that_is_left_decides_nothing_and_is_not_shown_again_by_itself() {
    let d = start();
    d.press(LEFT, WIDGET);
    let first = with_keys(&d, None);
    d.compositor.keyboard().tap("Escape");
    // The other question of the same press.
    with_keys(&d, Some(first));
    d.compositor.keyboard().tap("Escape");
    no_sheet(&d);
    assert_eq!(grants(&d), []);
    let needed = audit(&d)
        .iter()
        .filter(|row| row.ends_with("denied consentNeeded"))
        .count();
    assert!(needed >= 3, "{:?}", audit(&d));
    // Another press is another wish.
    d.press(LEFT, WIDGET);
    d.compositor.wait_for("a sheet", sheet);
}

#[test]
fn the_one_window_asks_too() {
    let compositor = Compositor::start(Globals::all().without(Global::LayerShell));
    compositor.add_output(one());
    let ede = app();
    let shell = ede.run_on(&compositor);
    let window = compositor.wait_for("the desktop's window", |s| {
        s.toplevels().next().filter(|w| painted(w)).cloned()
    });
    let (left, top) = window.origin;
    let at = |x: f64, y: f64| (f64::from(left) + x, f64::from(top) + y);
    let press = |(x, y): (f64, f64)| {
        let (x, y) = at(x, y);
        compositor.pointer().motion_to(x, y).click(LEFT);
    };
    let corner = |s: &Scene| Some(s.surface(window.id)?.picture().get_pixel(4, 700).0);
    let lit = corner(&compositor.scene());
    press(WIDGET);
    compositor.wait_for("a dimmed desktop", |s| (corner(s) != lit).then_some(()));
    // One for each question of the press.
    let hand = compositor.keyboard();
    hand.focus(Some(window.id)).tap("Escape").tap("Escape");
    compositor.wait_for("a lit desktop", |s| (corner(s) == lit).then_some(()));
    drop(shell);
}

#[test]
fn what_an_app_may_do_is_in_its_widgets_menu_and_can_be_asked_again() {
    let d = start();
    d.press(LEFT, WIDGET);
    let first = ready(&d.compositor, None);
    d.press(LEFT, ALLOW);
    ready(&d.compositor, Some(first.id));
    d.compositor.keyboard().tap("Return");
    no_sheet(&d);
    d.press(RIGHT, WIDGET);
    d.popup(None);
    // Its second entry.
    d.press(LEFT, (260.0, 200.0));
    let list = d.compositor.wait_for("the sheet", sheet);
    d.no_popup();
    // The first row's button, at its end.
    d.press(LEFT, (796.0, 380.0));
    wait_for("one decision", || (grants(&d).len() == 1).then_some(()));
    let fewer = d.compositor.wait_for("a sheet that says so", |s| {
        sheet(s).filter(|now| now.picture() != list.picture())
    });
    assert_eq!(fewer.id, list.id);
    d.compositor.keyboard().tap("Escape");
    no_sheet(&d);
    assert_eq!(
        grants(&d),
        [("focus.window".to_string(), "denied".to_string())]
    );
}

#[test]
fn a_call_from_the_command_line_waits_for_the_sheets_answer() {
    let d = start();
    let call = ["call", "test.timer", "windows.list"];
    let waiting = d.ede.command(&call).spawn().unwrap();
    ready(&d.compositor, None);
    // Meanwhile others are answered, and nobody else may answer for the person.
    let focus = d.ede.command(&["focus", "panel"]).output().unwrap();
    let told = String::from_utf8_lossy(&focus.stderr).into_owned();
    assert!(
        told.contains("a question waits for an answer first"),
        "{told}"
    );
    let yes = d
        .ede
        .command(&[&call[..], &["--yes"]].concat())
        .output()
        .unwrap();
    assert_eq!(yes.status.code(), Some(1));
    assert!(String::from_utf8_lossy(&yes.stderr).contains("--yes"));
    d.press(LEFT, ALLOW);
    let ran = waiting.wait_with_output().unwrap();
    let said: Value = serde_json::from_slice(&ran.stdout).unwrap();
    assert_eq!(said["verdict"]["verdict"], "call");
    let windows = &said["answer"]["structuredContent"]["windows"];
    assert_eq!(windows[0]["title"], "A letter");
    wait_for("its row", || {
        audit(&d)
            .contains(&"windows__list ok -".to_string())
            .then_some(())
    });
    // It was asked for as the app asks: the answer holds for the app.
    no_sheet(&d);
    assert_eq!(
        grants(&d),
        [("windows.read".to_string(), "granted".to_string())]
    );
}

#[test]
fn a_sheet_is_never_larger_than_its_output() {
    let long = TIMER.replace("\"why\": \"", &format!("\"why\": \"{} ", "W".repeat(400)));
    let ede = app();
    ede.write_package("test.timer", &long);
    let small = OutputSpec::new("DP-1", 480, 320);
    let d = Desktop::start_with(&[small], ede).0;
    d.compositor
        .wait_for("the widget", |s| widget(s).map(|_| ()));
    wait_for("the first row", || (!audit(&d).is_empty()).then_some(()));
    d.press(LEFT, (100.0, 160.0));
    let shown = d.compositor.wait_for("a sheet whose buttons are lit", |s| {
        let sheet = sheet(s)?;
        let dark = |p: [u8; 4]| p[3] > 200 && p[0] < 0x50;
        // Along its lower edge, where they stand whatever the reason is.
        let buttons = picture::crop(&sheet.picture(), 250, 240, 200, 70);
        (picture::count(&buttons, dark) > 1500).then_some(sheet)
    });
    let title = picture::crop(&shown.picture(), 80, 16, 330, 40);
    assert!(picture::count(&title, |p| p[3] > 200 && p[0] < 0x50) > 100);
    d.compositor.keyboard().tap("Return");
    wait_for("the denial", || {
        (grants(&d) == [("windows.read".to_string(), "denied".to_string())]).then_some(())
    });
}

#[test]
fn a_sheet_goes_with_its_app() {
    let d = start();
    d.press(LEFT, WIDGET);
    with_keys(&d, None);
    d.ok(&["apps", "remove", "test.timer"]);
    no_sheet(&d);
    assert_eq!(grants(&d), []);
}

#[test]
fn a_press_beside_the_sheet_leaves_the_safe_answer_the_focus_and_a_right_press_asks_nothing() {
    let d = start();
    d.press(RIGHT, WIDGET);
    d.popup(None);
    d.compositor.keyboard().tap("Escape");
    d.no_popup();
    assert!(d.compositor.scene().layer("ede-sheet").is_none());
    d.press(LEFT, WIDGET);
    ready(&d.compositor, None);
    d.press(LEFT, (100.0, 700.0));
    d.compositor.keyboard().tap("Return");
    let denied = ("windows.read".to_string(), "denied".to_string());
    wait_for("the refusal", || grants(&d).contains(&denied).then_some(()));
}

/// The package, signed by somebody.
fn signed(package: &str) -> String {
    let mut package: Value = serde_json::from_str(package).unwrap();
    let key = SigningKey::from_bytes(&[7; 32]);
    let text = |bytes: &[u8]| base64::engine::general_purpose::STANDARD.encode(bytes);
    let author = format!("ed25519:{}", text(key.verifying_key().as_bytes()));
    package["author"] = json!({"name": "Ines Moreau", "key": author});
    let bytes = eui_core::host::package_file_signed_bytes(package.as_object().unwrap());
    package["signature"] = json!({"alg": "ed25519", "value": text(&key.sign(&bytes).to_bytes())});
    package.to_string()
}

#[test]
fn what_was_allowed_to_nobodys_app_is_not_allowed_to_the_first_who_signs_it() {
    let d = start();
    d.press(LEFT, WIDGET);
    ready(&d.compositor, None);
    d.press(LEFT, ALLOW);
    wait_for("the decision", || (grants(&d).len() == 1).then_some(()));
    let file = d.ede.config().join("signed.app.json");
    std::fs::write(&file, signed(TIMER)).unwrap();
    d.ok(&["apps", "install", file.to_str().unwrap()]);
    assert_eq!(grants(&d), []);
}
