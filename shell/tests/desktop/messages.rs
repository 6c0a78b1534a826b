//! What apps do to their records, and taking it back.

use ede_tests::compositor::{Compositor, Globals, LEFT, RIGHT, Scene, SurfaceView};
use ede_tests::program::Ede;

use super::harness::{Desktop, one, painted, wait_for};

/// The middle of the widget, and of the button of the message it causes.
const WIDGET: (f64, f64) = (200.0, 160.0);
const UNDO: (f64, f64) = (1212.0, 740.0);

/// Steps that say something.
const ONLY_WORDS: &str = r#"[{"call": "harness.toast", "args": {"text": "'Only words'"}}]"#;

/// A shell with one widget on the desktop, whose press runs these steps on the first record.
fn start(steps: &str) -> Desktop {
    let ede = bin(steps);
    with_record(Desktop::start_with(&[one()], ede).0)
}

/// Folders with an app whose widget is all there is on the desktop.
pub fn bin(steps: &str) -> Ede {
    let ede = Ede::new();
    ede.write_package("test.bin", &format!(r#"{{"formatVersion": 3, "id": "test.bin", "name": "Bin", "version": "1.0.0", "catalogId": "https://ui.exponential.at/catalogs/core/v1", "description": "One record.",
        "functions": ["actions.*", "harness.toast"], "sources": ["records:item"],
        "records": {{"item": {{"title": "Item", "schema": {{"type": "object", "required": ["name"], "properties": {{"name": {{"type": "string"}}}}}}}}}},
        "actions": {{"act": {{"params": {{"type": "object", "required": ["record"], "properties": {{"record": {{"type": "string"}}}}}}, "steps": {steps}}}}},
        "screens": [{{"template": "main", "title": "Bin", "widget": {{"template": "main", "size": "m"}}}}],
        "templates": {{"main": {{"components": [
            {{"id": "root", "component": "Box", "pressable": true, "children": ["name"], "on": {{"press": {{"functionCall": {{"call": "actions.act", "args": {{"record": {{"path": "/items/rows/0/id"}}}}}}}}}}}},
            {{"id": "name", "component": "Text", "text": {{"path": "/items/rows/0/name"}}}}],
            "data": {{"items": {{"rows": []}}}}, "bindings": [{{"path": "/items", "source": "records:item"}}]}}}}}}"#));
    ede.write_document("desktop", r#"{"formatVersion": 1, "id": "desktop", "kind": "desktop", "place": {"outputs": ["*"]}, "components": [{"id": "root", "component": "Box", "children": ["bin"]}, {"id": "bin", "component": "AppWidget", "app": "test.bin", "size": "m", "cell": [0, 0]}]}"#);
    ede
}

pub fn put_record(d: &Desktop) {
    let file = d.ede.config().join("item.json");
    std::fs::write(&file, r#"{"data": {"name": "A record"}}"#).unwrap();
    d.ok(&["records", "put", "test.bin", "item", file.to_str().unwrap()]);
}

/// With the record that the widget shows.
fn with_record(d: Desktop) -> Desktop {
    put_record(&d);
    d.compositor.wait_for("the record in the widget", |s| {
        s.layer("ede-widget").filter(|w| painted(w)).map(|_| ())
    });
    d
}

pub fn records(d: &Desktop) -> usize {
    let ran = d
        .ede
        .command(&["records", "list", "test.bin", "item", "--json"])
        .output()
        .unwrap();
    String::from_utf8_lossy(&ran.stdout)
        .matches("A record")
        .count()
}

fn message(s: &Scene) -> Option<SurfaceView> {
    s.layer("ede-toast").filter(|t| painted(t)).cloned()
}

fn takes_presses(message: &SurfaceView) -> bool {
    message.input_region.as_ref().is_none_or(|r| !r.is_empty())
}

#[test]
fn a_deleted_record_comes_back_by_the_messages_button() {
    let d = start(r#"[{"records.delete": {"id": "params.record"}}]"#);
    assert_eq!(records(&d), 1);
    d.press(LEFT, WIDGET);
    let told = d.compositor.wait_for("the message", message);
    assert!(takes_presses(&told));
    wait_for("the record gone", || (records(&d) == 0).then_some(()));
    d.press(LEFT, UNDO);
    d.compositor.wait_for("the message gone", |s| {
        s.layer("ede-toast").is_none().then_some(())
    });
    wait_for("the record back", || (records(&d) == 1).then_some(()));
}

#[test]
fn a_message_of_what_cannot_be_undone_has_no_button() {
    let d = start(ONLY_WORDS);
    d.press(LEFT, WIDGET);
    let told = d.compositor.wait_for("the message", message);
    assert!(!takes_presses(&told));
}

#[test]
fn what_an_app_tells_the_person_is_in_no_log() {
    let ede = bin(ONLY_WORDS);
    let compositor = Compositor::start(Globals::all());
    compositor.add_output(one());
    let shell = ede.run_telling("trace", &compositor);
    let d = with_record(Desktop {
        shell,
        compositor,
        ede,
    });
    d.press(LEFT, WIDGET);
    d.compositor.wait_for("the message", message);
    let Desktop {
        mut shell,
        compositor,
        ede: _folders,
    } = d;
    drop(compositor);
    let said = shell.wait().1;
    assert!(
        said.contains("INFO") || said.contains("DEBUG"),
        "it says nothing: {said}"
    );
    assert!(!said.contains("Only words"));
}

#[test]
fn a_document_with_a_mistake_is_told_of_on_screen_at_the_start_and_when_it_is_saved() {
    let ede = bin(ONLY_WORDS);
    let broken = r#"{"formatVersion": 1, "id": "panel-side", "kind": "panel", "place": {"edge": "lft"}, "components": []}"#;
    ede.write_document("panel-side", broken);
    let (d, _) = Desktop::start_with(&[one()], ede);
    d.compositor.wait_for("the message", message);
    d.compositor.wait_for("the message gone", |s| {
        s.layer("ede-toast").is_none().then_some(())
    });
    d.ede.write_document("panel-top", "{");
    d.compositor.wait_for("the next message", message);
}

#[test]
fn what_could_not_be_opened_is_told_of_on_screen() {
    let ede = bin(ONLY_WORDS);
    ede.write_document("session", r#"{"formatVersion": 1, "id": "session", "kind": "session", "session": {"startup": ["no.such"]}}"#);
    let (d, _) = Desktop::start_with(&[one()], ede);
    d.compositor.wait_for("the message", message);
}

#[test]
fn an_edit_that_is_refused_is_told_of_on_screen_and_the_file_stands() {
    let d = with_record(Desktop::start_with(&[one()], bin(ONLY_WORDS)).0);
    let file = d.ede.config().join("ui/desktop.ede-ui.json");
    let before = std::fs::read(&file).unwrap();
    let mut permissions = std::fs::metadata(&file).unwrap().permissions();
    permissions.set_readonly(true);
    std::fs::set_permissions(&file, permissions).unwrap();
    d.press(RIGHT, WIDGET);
    let menu = d.popup(None);
    d.compositor.wait_for("the menu has the keyboard", |s| {
        (s.keyboard_focus == Some(menu)).then_some(())
    });
    // Its last entry takes the widget away.
    let hand = d.compositor.keyboard();
    hand.tap("Tab").tap("Tab").tap("Tab").tap("Return");
    d.compositor.wait_for("the message", message);
    assert_eq!(std::fs::read(&file).unwrap(), before);
}
