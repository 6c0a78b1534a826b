//! Text fields, where they stand and when what is in them is kept.

use ede_tests::compositor::{Interactivity, LEFT, Scene, SurfaceId, SurfaceView};
use ede_tests::program::Ede;

use super::harness::{Desktop, one, painted, panel, wait_for};
use super::hiding;

/// A panel with the app's smallest widget.
const PANEL: &str = r#""components": [{"id": "root", "component": "Box", "children": ["field"]}, {"id": "field", "component": "AppWidget", "app": "test.field", "size": "s"}]"#;

/// An app of one field, which keeps what is in it when it loses the focus; as a widget on the desktop, in a panel's popup and in its window.
pub fn app(documents: &[(&str, &str)]) -> Ede {
    let ede = Ede::new();
    ede.write_package("test.field", r#"{"formatVersion": 3, "id": "test.field", "name": "Field", "version": "1.0.0", "catalogId": "https://ui.exponential.at/catalogs/core/v1", "description": "One field.",
        "functions": ["actions.*"], "sources": ["records:item"],
        "records": {"item": {"title": "Item", "schema": {"type": "object", "required": ["name"], "properties": {"name": {"type": "string"}}}}},
        "actions": {"add": {"params": {"type": "object", "required": ["name"], "properties": {"name": {"type": "string"}}}, "steps": [{"records.upsert": {"kind": "item", "data": {"name": "params.name"}}}]}},
        "screens": [{"template": "main", "title": "Field", "widget": [{"template": "small", "size": "s"}, {"template": "main", "size": "m"}]}],
        "templates": {
            "small": {"components": [{"id": "root", "component": "Text", "text": "Field"}], "data": {}},
            "main": {"components": [
                {"id": "root", "component": "Box", "children": ["name"], "style": {"display": "flex", "flexDirection": "column", "padding": 16}},
                {"id": "name", "component": "Input", "label": "Name", "name": "name", "value": {"path": "/draft"},
                 "on": {"blur": {"functionCall": {"call": "actions.add", "args": {"name": {"path": "/draft"}}}}}}],
                "data": {"draft": ""}}}}"#);
    ede.write_document("desktop", r#"{"formatVersion": 1, "id": "desktop", "kind": "desktop", "place": {"outputs": ["*"]}, "components": [{"id": "root", "component": "Box", "children": ["field"]}, {"id": "field", "component": "AppWidget", "app": "test.field", "size": "m", "cell": [0, 0]}]}"#);
    for (name, content) in documents {
        ede.write_document(name, content);
    }
    ede
}

fn start(documents: &[(&str, &str)]) -> Desktop {
    let d = Desktop::start_with(&[one()], app(documents)).0;
    d.compositor.wait_for("the widget", |s| {
        s.layer("ede-widget").filter(|w| painted(w)).map(|_| ())
    });
    d
}

/// The names that were kept.
pub fn kept(ede: &Ede) -> String {
    let ran = ede
        .command(&["records", "list", "test.field", "item", "--json"])
        .output()
        .unwrap();
    String::from_utf8_lossy(&ran.stdout).into_owned()
}

/// The input method has heard of these letters before the caret.
fn told(d: &Desktop, text: &str) {
    d.compositor
        .wait_for("the letters told to the input method", |s| {
            let (told, ..) = s.text_input.as_ref()?.surrounding.as_ref()?;
            (told == text).then_some(())
        });
}

/// The window, with these letters in its field and nothing more done.
fn typed(d: &Desktop, text: &str) -> SurfaceView {
    d.ok(&["open", "test.field"]);
    let window = d.compositor.wait_for("the window", |s| {
        s.toplevels().last().filter(|w| painted(w)).cloned()
    });
    d.compositor
        .keyboard()
        .focus(Some(window.id))
        .tap("Tab")
        .text(text);
    told(d, text);
    window
}

/// The panel's field, a press and its letters: the panel has the keys.
fn type_into_panel(d: &Desktop, text: &str) {
    d.compositor.pointer().motion_to(200.0, 60.0);
    d.compositor.wait_for("keys on demand", |s| {
        (asks(s, "ede-panel") == Some(Interactivity::OnDemand)).then_some(())
    });
    d.press(LEFT, (200.0, 60.0));
    let keys = |s: &Scene| s.keyboard_focus == s.layer("ede-panel").map(|p| p.id);
    d.compositor.wait_for("the keys", |s| keys(s).then_some(()));
    d.compositor.keyboard().text(text);
    told(d, text);
}

/// The panel's popup, with these letters in its field and nothing more done.
fn type_into_popup(d: &Desktop, text: &str) -> SurfaceId {
    d.press(LEFT, (32.0, 28.0));
    let popup = d.popup(None);
    d.compositor.wait_for("the popup and its keys", |s| {
        s.surface(popup).filter(|p| painted(p))?;
        s.keyboard_focus
    });
    d.compositor.keyboard().tap("Tab").text(text);
    told(d, text);
    popup
}

/// A panel at this place with a field of its own, and the clock behind it.
fn with_field_panel(place: &str) -> Desktop {
    let members = r#""components": [
        {"id": "root", "component": "Box", "children": ["name", "clock"], "style": {"display": "flex", "flexDirection": "row"}},
        {"id": "name", "component": "Input", "label": "Name", "name": "name", "value": {"path": "/name"}, "style": {"width": 400}},
        {"id": "clock", "component": "AppWidget", "app": "ede.clock", "screen": "clock", "size": "s"}], "data": {"name": ""}"#;
    start(&[("panel-top", &panel(place, members))])
}

fn record(d: &Desktop) {
    wait_for("the record", || {
        kept(&d.ede).contains("draft").then_some(())
    });
}

#[test]
fn a_window_the_compositor_closes_keeps_what_was_typed() {
    let d = start(&[]);
    let window = typed(&d, "draft");
    d.compositor.close_toplevel(window.id);
    record(&d);
}

#[test]
fn a_popup_the_compositor_ends_keeps_what_was_typed() {
    let d = start(&[("panel-top", &panel(r#"{"edge": "top"}"#, PANEL))]);
    let popup = type_into_popup(&d, "draft");
    d.compositor.dismiss_popup(popup);
    record(&d);
}

/// How the surface asks for the keyboard.
fn asks(s: &Scene, namespace: &str) -> Option<Interactivity> {
    Some(s.layer(namespace)?.layer()?.place.interactivity)
}

#[test]
fn a_field_on_the_desktop_has_the_keys_from_the_press_until_escape() {
    let d = start(&[]);
    let widget = d.compositor.wait_for("the widget", |s| {
        s.layer("ede-widget").filter(|w| painted(w)).cloned()
    });
    let (x, y) = (f64::from(widget.origin.0), f64::from(widget.origin.1));
    let (w, h) = (f64::from(widget.size.0), f64::from(widget.size.1));
    assert_eq!(
        asks(&d.compositor.scene(), "ede-widget"),
        Some(Interactivity::None)
    );
    d.compositor.pointer().motion_to(x + w / 2.0, y + h / 2.0);
    d.compositor.wait_for("keys on demand", |s| {
        (asks(s, "ede-widget") == Some(Interactivity::OnDemand)).then_some(())
    });
    d.press(LEFT, (x + w / 2.0, y + 98.0));
    d.compositor.wait_for("the keys", |s| {
        (s.keyboard_focus == Some(widget.id)).then_some(())
    });
    d.compositor.keyboard().text("draft");
    told(&d, "draft");
    let caret = d.compositor.scene().text_input.and_then(|t| t.cursor);
    assert!(
        caret.is_some_and(|c| c.y < 98 && c.y + c.height > 98),
        "candidates stand where the caret is on the widget's own surface: {caret:?}"
    );
    d.compositor.pointer().motion_to(1000.0, 600.0);
    d.compositor.keyboard().tap("Escape");
    d.compositor.wait_for("the keys given back", |s| {
        (asks(s, "ede-widget") == Some(Interactivity::None)).then_some(())
    });
    record(&d);
}

#[test]
fn a_field_in_a_panel_has_the_keys_from_the_press_until_escape() {
    let d = with_field_panel(r#"{"edge": "top", "thickness": 80}"#);
    type_into_panel(&d, "draft");
    d.compositor.pointer().motion_to(1000.0, 600.0);
    d.compositor.keyboard().tap("Escape");
    d.compositor.wait_for("the keys given back", |s| {
        (asks(s, "ede-panel") == Some(Interactivity::None)).then_some(())
    });
}

#[test]
fn an_overlay_of_a_panel_has_the_keys_and_one_that_opens_from_it_stands_on_it() {
    let members = r#""components": [
        {"id": "root", "component": "Box", "children": ["more"]},
        {"id": "more", "component": "Popover", "side": "bottom", "slots": {"trigger": "open"}, "children": ["pick"]},
        {"id": "open", "component": "Button", "label": "Open"},
        {"id": "pick", "component": "Select", "label": "Pick", "name": "pick", "value": {"path": "/pick"}, "options": [{"value": "a", "label": "A"}, {"value": "b", "label": "B"}]}],
        "data": {"pick": "a"}"#;
    let d = start(&[("panel-top", &panel(r#"{"edge": "top"}"#, members))]);
    d.press(LEFT, (40.0, 28.0));
    let first = d.popup(None);
    let place = d.compositor.wait_for("the popover", |s| {
        let popover = s.surface(first).filter(|p| painted(p))?;
        (asks(s, "ede-panel") == Some(Interactivity::Exclusive)).then_some(())?;
        Some(popover.popup()?.place)
    });
    let panel = d.panel().origin;
    d.press(
        LEFT,
        (
            f64::from(panel.0 + place.x + place.width / 2),
            f64::from(panel.1 + place.y + place.height - 30),
        ),
    );
    d.compositor.wait_for("the list on the popover", |s| {
        s.popups()
            .find(|p| p.popup().is_some_and(|p| p.parent == Some(first)))?;
        s.surface(first).map(|_| ())
    });
    d.compositor.keyboard().tap("Escape");
    d.compositor.wait_for("the popover alone", |s| {
        (s.popups().count() == 1 && s.keyboard_focus == Some(first)).then_some(())
    });
    d.compositor.keyboard().tap("Escape");
    d.no_popup();
    d.compositor.wait_for("the keys given back", |s| {
        (asks(s, "ede-panel") == Some(Interactivity::None)).then_some(())
    });
}

#[test]
fn a_press_on_another_item_of_the_panel_ends_the_typing_in_its_field() {
    let d = with_field_panel(r#"{"edge": "top", "thickness": 80}"#);
    type_into_panel(&d, "draft");
    d.press(LEFT, (500.0, 60.0));
    d.popup(None);
    d.compositor.keyboard().tap("Escape");
    d.no_popup();
    d.compositor.wait_for("the keys given back", |s| {
        (asks(s, "ede-panel") == Some(Interactivity::None)).then_some(())
    });
}

#[test]
fn a_press_on_a_window_takes_the_keys_from_a_panels_field() {
    let d = with_field_panel(r#"{"edge": "top", "thickness": 80}"#);
    d.ok(&["open", "ede.system"]);
    let window = d.window();
    d.compositor.wait_for("the window has the keys", |s| {
        (s.keyboard_focus == Some(window.id)).then_some(())
    });
    type_into_panel(&d, "draft");
    let (x, y) = window.origin;
    d.press(LEFT, (f64::from(x) + 120.0, f64::from(y) + 200.0));
    d.compositor.wait_for("the window has the keys again", |s| {
        (s.keyboard_focus == Some(window.id)).then_some(())
    });
}

#[test]
fn a_press_on_a_window_takes_the_keys_from_a_panel_that_was_called() {
    let d = start(&[("panel-top", &panel(r#"{"edge": "top"}"#, PANEL))]);
    let window = typed(&d, "dra");
    d.ok(&["focus", "panel"]);
    let called = d.panel().id;
    d.compositor.wait_for("the panel has the keys", |s| {
        (s.keyboard_focus == Some(called)).then_some(())
    });
    let (x, y) = (f64::from(window.origin.0), f64::from(window.origin.1));
    d.press(LEFT, (x + 300.0, y + 178.0));
    d.compositor.wait_for("the window has the keys again", |s| {
        (s.keyboard_focus == Some(window.id)).then_some(())
    });
    d.compositor.keyboard().tap("End").text("ft");
    told(&d, "draft");
}

#[test]
fn a_hiding_panel_stays_while_its_field_is_typed_into() {
    let d = with_field_panel(r#"{"edge": "top", "thickness": 80, "autohide": true}"#);
    d.compositor.pointer().motion_to(200.0, 0.5);
    d.compositor.wait_for("the panel down to its end", |s| {
        let panel = hiding::out(s)?.picture();
        (panel.get_pixel(panel.width() / 2, 84).0[3] > 200).then_some(())
    });
    type_into_panel(&d, "draft");
    d.compositor.pointer().motion_to(1000.0, 600.0);
    // Longer than a panel that nobody uses stays.
    std::thread::sleep(std::time::Duration::from_millis(900));
    assert!(hiding::out(&d.compositor.scene()).is_some());
    d.compositor.keyboard().tap("Escape");
    d.compositor
        .wait_for("the panel hidden again", hiding::hidden);
}

/// The app's package file, changed by `edit`.
fn edit_package(d: &Desktop, edit: impl Fn(String) -> String) {
    let file = d.ede.data().join("apps/test.field.app.json");
    let text = std::fs::read_to_string(&file).unwrap();
    std::fs::write(&file, edit(text)).unwrap();
}

#[test]
fn a_package_file_with_a_mistake_leaves_what_is_typed_alone() {
    let d = start(&[("panel-top", &panel(r#"{"edge": "top"}"#, PANEL))]);
    typed(&d, "draft");
    edit_package(&d, |text| text[..text.len() / 2].to_string());
    d.compositor.wait_for("the mark of the mistake", |s| {
        let red = |p: [u8; 4]| p[3] > 200 && p[0] > 0xb0 && p[1] < 0x60 && p[2] < 0x60;
        let panel = s.layer("ede-panel")?.picture();
        (ede_tests::picture::count(&panel, red) > 20).then_some(())
    });
    d.compositor.keyboard().text("y");
    told(&d, "drafty");
    assert!(!kept(&d.ede).contains("draft"));
}

#[test]
fn a_package_file_that_changes_keeps_what_was_typed() {
    let d = start(&[]);
    typed(&d, "draft");
    edit_package(&d, |text| text.replace("\"Name\"", "\"Title\""));
    record(&d);
}

#[test]
fn another_screen_of_the_window_keeps_what_was_typed() {
    let d = start(&[]);
    typed(&d, "draft");
    d.ok(&["open", "test.field", "main"]);
    record(&d);
}

#[test]
fn a_widget_that_is_taken_off_the_desktop_keeps_what_was_typed() {
    let d = start(&[]);
    let widget = d.compositor.scene().layer("ede-widget").unwrap().clone();
    let (x, y) = (f64::from(widget.origin.0), f64::from(widget.origin.1));
    let field = (x + f64::from(widget.size.0) / 2.0, y + 98.0);
    d.compositor.pointer().motion_to(field.0, field.1);
    d.compositor.wait_for("keys on demand", |s| {
        (asks(s, "ede-widget") == Some(Interactivity::OnDemand)).then_some(())
    });
    d.press(LEFT, field);
    d.compositor.wait_for("the keys", |s| {
        (s.keyboard_focus == Some(widget.id)).then_some(())
    });
    d.compositor.keyboard().text("draft");
    told(&d, "draft");
    d.ede.write_document("desktop", r#"{"formatVersion": 1, "id": "desktop", "kind": "desktop", "place": {"outputs": ["*"]}, "components": [{"id": "root", "component": "Box", "children": []}]}"#);
    record(&d);
}

#[test]
fn the_sessions_end_keeps_what_was_typed() {
    let d = start(&[]);
    typed(&d, "draft");
    let id = rustix::process::Pid::from_raw(d.shell.id() as i32).unwrap();
    rustix::process::kill_process(id, rustix::process::Signal::TERM).unwrap();
    record(&d);
    wait_for("the window's size", || {
        let sizes = std::fs::read_to_string(d.ede.data().join("windows.json")).ok()?;
        sizes.contains("test.field").then_some(())
    });
}

#[test]
fn another_look_leaves_a_popup_and_what_is_typed_in_it() {
    let d = start(&[("panel-top", &panel(r#"{"edge": "top"}"#, PANEL))]);
    let popup = type_into_popup(&d, "draft");
    let dark =
        r#"{"formatVersion": 1, "id": "session", "kind": "session", "session": {"mode": "dark"}}"#;
    d.ede.write_document("session", dark);
    d.compositor.wait_for("a dark popup", |s| {
        let picture = s.surface(popup)?.picture();

        let middle = picture
            .get_pixel(picture.width() / 2, picture.height() - 60)
            .0;
        (middle[0] < 0x40 && middle[3] > 200).then_some(())
    });
    d.compositor.keyboard().text("y");
    told(&d, "drafty");
}
