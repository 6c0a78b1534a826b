#![allow(clippy::unwrap_used, clippy::expect_used)]

use serde_json::{Value, json};

use super::harness::Sim;
use crate::geometry::Point;
use crate::input::{Button, Hit, Key, Modifiers, PointerEvent};

fn button(id: &str) -> Value {
    json!({ "id": id, "component": "Button", "label": id, "on": { "press": { "event": { "name": id } } } })
}

fn inside(mut c: Value) -> Value {
    c["inside"] = json!(true);
    c
}

fn dialog() -> Sim {
    Sim::new(
        json!([
            { "id": "d", "component": "Dialog", "title": "Sure?", "children": ["x", "y"], "slots": { "trigger": "open" } },
            button("after"),
            inside(button("open")),
            inside(button("x")),
            inside(button("y"))
        ]),
        json!({}),
    )
}

#[test]
fn a_dialog_traps_the_focus_and_gives_it_back() {
    let mut s = dialog();
    s.key(Key::Tab);
    assert_eq!(s.focused().as_deref(), Some("open"));
    s.key(Key::Enter);
    assert_eq!(s.focused().as_deref(), Some("x"), "the first thing inside");
    let mut seen = vec![];
    for _ in 0..6 {
        s.key(Key::Tab);
        seen.push(s.focused().unwrap());
    }
    assert!(
        seen.iter()
            .all(|id| ["x", "y", "d.close"].contains(&id.as_str())),
        "{seen:?}"
    );
    s.key(Key::Escape);
    assert!(!s.exists("d.content"));
    assert_eq!(s.focused().as_deref(), Some("open"));
}

#[test]
fn a_press_on_the_scrim_closes_the_dialog_and_nothing_else() {
    let mut s = dialog();
    s.click("open");
    let after = s.middle("after");
    let Hit::Scrim { .. } = s.view.hit(Point::new(2.0, 2.0)) else {
        panic!("the scrim covers everything");
    };
    assert!(s.exists("d.content"));
    s.click_at(Point::new(2.0, 2.0));
    assert!(!s.exists("d.content"));
    s.now += 1000.0;
    s.click_at(after);
    assert_eq!(s.actions().last().map(String::as_str), Some("after"));
}

fn menu() -> Sim {
    Sim::new(
        json!([
            { "id": "m", "component": "Menu", "label": "More", "items": [
                { "label": "Open", "value": "open" },
                { "label": "Off", "value": "off", "disabled": true },
                { "label": "Share", "kind": "submenu", "items": [ { "label": "Mail", "value": "mail" }, { "label": "Link", "value": "link" } ] },
                { "label": "Delete", "value": "delete" }
            ], "on": { "select": { "event": { "name": "select" } } } },
            button("below")
        ]),
        json!({}),
    )
}

#[test]
fn arrows_and_letters_move_in_a_menu_and_skip_what_is_off() {
    let mut s = menu();
    s.key(Key::Tab);
    s.key(Key::Down);
    assert_eq!(s.focused().as_deref(), Some("m.item.0"));
    s.key(Key::Down);
    assert_eq!(s.focused().as_deref(), Some("m.item.2"));
    s.key(Key::Right);
    assert_eq!(
        s.focused().as_deref(),
        Some("m.item.2.0"),
        "into the submenu"
    );
    s.key(Key::Left);
    assert_eq!(s.focused().as_deref(), Some("m.item.2"), "and back");
    assert!(!s.exists("m.content.2"));
    s.type_text("d");
    assert_eq!(s.focused().as_deref(), Some("m.item.3"));
    s.key(Key::Enter);
    assert_eq!(s.actions(), ["select"]);
    assert_eq!(s.focused().as_deref(), Some("m.trigger"));
    s.key(Key::Up);
    assert_eq!(
        s.focused().as_deref(),
        Some("m.item.3"),
        "Up opens at the end"
    );
}

#[test]
fn a_menu_closes_on_a_press_outside_and_swallows_it() {
    let mut s = menu();
    s.click("m.trigger");
    assert!(s.exists("m.content"));
    let corner = Point::new(390.0, 290.0);
    s.click_at(corner);
    assert!(!s.exists("m.content"));
    assert!(s.actions().is_empty());
    s.now += 1000.0;
    s.click("m.trigger");
    s.click("m.trigger");
    assert!(
        !s.exists("m.content"),
        "its trigger closes it, not opens it again"
    );
}

#[test]
fn the_wheel_does_not_reach_below_a_modal_layer() {
    let mut s = dialog();
    s.click("open");
    s.pointer(PointerEvent::Wheel {
        at: Point::new(3.0, 3.0),
        dx: 0.0,
        dy: 50.0,
    });
    assert!(!s.last.taken);
}

#[test]
fn a_select_opens_on_its_choice_and_follows_letters() {
    let mut s = Sim::new(
        json!([{ "id": "s", "component": "Select", "value": { "path": "/v" }, "options": [
            { "label": "Red", "value": "r" }, { "label": "Green", "value": "g" }, { "label": "Blue", "value": "b" }
        ] }]),
        json!({ "v": "g" }),
    );
    s.key(Key::Tab);
    s.key(Key::Down);
    assert_eq!(s.focused().as_deref(), Some("s.item.1"));
    s.type_text("b");
    s.key(Key::Enter);
    assert_eq!(s.data("/v"), "b");
    assert_eq!(s.focused().as_deref(), Some("s.trigger"));
}

#[test]
fn a_tooltip_waits_and_hides_on_a_press() {
    let mut s = Sim::new(
        json!([{ "id": "t", "component": "Tooltip", "content": "Copy", "children": ["a"] }, inside(button("a")), button("b")]),
        json!({}),
    );
    let a = s.middle("a");
    s.point(a);
    assert!(!s.exists("t.content"));
    s.pass(600.0);
    assert!(s.exists("t.content"));
    s.press(a);
    s.release(a);
    assert!(!s.exists("t.content"));
    s.pass(900.0);
    assert!(!s.exists("t.content"), "silent until the pointer leaves");
    let b = s.middle("b");
    s.point(b);
    s.point(a);
    s.pass(600.0);
    assert!(s.exists("t.content"));
    s.point(b);
    s.pass(600.0);
    assert!(!s.exists("t.content"));
    s.key(Key::Tab);
    s.shift(Key::Tab);
    s.pass(600.0);
    assert_eq!(s.focused().as_deref(), Some("a"));
    assert!(s.exists("t.content"), "the keyboard shows it too");
    s.key(Key::Escape);
    assert!(!s.exists("t.content"));
}

#[test]
fn a_toast_goes_by_itself_but_not_under_the_pointer() {
    let mut s = Sim::new(
        json!([{ "id": "t", "component": "Toast", "title": "Saved", "duration": 2000 }, button("b")]),
        json!({}),
    );
    assert!(s.exists("t.root"));
    s.pass(1500.0);
    let over = s.middle("t.root");
    s.point(over);
    s.pass(5000.0);
    assert!(s.exists("t.root"), "paused");
    s.point(Point::new(10.0, 200.0));
    s.pass(600.0);
    assert!(!s.exists("t.root"));
    assert_eq!(s.view.next_wake(s.now), None);
}

#[test]
fn a_context_menu_opens_at_the_pointer_and_elsewhere_the_host_is_asked() {
    let mut s = Sim::new(
        json!([
            { "id": "m", "component": "Menu", "openOn": "contextmenu", "children": ["row"], "items": [ { "label": "Copy", "value": "copy" } ] },
            inside(json!({ "id": "row", "component": "Text", "text": "A row" }))
        ]),
        json!({}),
    );
    let right = |s: &mut Sim, at: Point| {
        s.pointer(PointerEvent::Press {
            at,
            button: Button::Right,
            mods: Modifiers::NONE,
            clicks: 1,
        });
        s.pointer(PointerEvent::Release {
            at,
            button: Button::Right,
        });
    };
    let empty = Point::new(300.0, 250.0);
    right(&mut s, empty);
    let at = s.middle("row");
    right(&mut s, at);
    assert!(s.exists("m.content"));
    s.key(Key::Down);
    assert_eq!(s.focused().as_deref(), Some("m.item.0"));
}

#[test]
fn days_move_by_arrow_and_turn_the_page() {
    let mut s = Sim::new(
        json!([{ "id": "d", "component": "DatePicker", "value": { "path": "/d" } }]),
        json!({ "d": "2026-10-31" }),
    );
    s.key(Key::Tab);
    s.key(Key::Enter);
    let date = |s: &Sim| {
        let slot = s.slot(&s.focused().unwrap());
        s.view.scene().node(slot).unwrap().placed.props["date"]
            .as_str()
            .unwrap()
            .to_string()
    };
    assert_eq!(date(&s), "2026-10-31");
    s.key(Key::Right);
    assert_eq!(date(&s), "2026-11-01");
    s.key(Key::Up);
    assert_eq!(date(&s), "2026-10-25");
    s.key(Key::PageDown);
    assert_eq!(date(&s), "2026-11-25");
    s.key(Key::Enter);
    assert_eq!(s.data("/d"), "2026-11-25");
    assert_eq!(s.focused().as_deref(), Some("d.trigger"));
}

#[test]
fn keys_go_on_from_the_row_under_the_pointer() {
    let mut s = menu();
    s.click("m.trigger");
    let row = s.middle("m.item.2");
    s.point(row);
    assert!(s.exists("m.content.2"), "a submenu opens under the pointer");
    let last = s.middle("m.item.3");
    s.point(last);
    assert!(!s.exists("m.content.2"), "and closes under the next row");
    assert_eq!(s.focused().as_deref(), Some("m.item.3"));
    s.key(Key::Up);
    assert_eq!(s.focused().as_deref(), Some("m.item.2"));
    assert!(s.states("m.item.2").contains(&"selected".to_string()));
    s.key(Key::Up);
    assert!(s.states("m.item.2").iter().all(|f| f != "selected"));
}
