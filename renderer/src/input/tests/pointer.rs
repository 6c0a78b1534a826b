#![allow(clippy::unwrap_used, clippy::expect_used)]

use serde_json::json;

use super::harness::Sim;
use crate::geometry::Point;
use crate::input::{Hit, PointerEvent};

fn button(id: &str) -> serde_json::Value {
    json!({ "id": id, "component": "Button", "label": id, "on": { "press": { "event": { "name": id } } } })
}

#[test]
fn a_press_counts_when_it_goes_down_and_up_on_the_same_node() {
    let mut s = Sim::new(json!([button("a"), button("b")]), json!({}));
    let (a, b) = (s.middle("a"), s.middle("b"));
    s.click("a");
    assert_eq!(s.actions(), ["a"]);
    s.press(a);
    assert!(s.states("a").contains(&"pressed".to_string()));
    s.point(b);
    assert!(!s.states("a").contains(&"pressed".to_string()));
    s.release(b);
    assert_eq!(s.actions(), ["a"], "left before release");
    s.press(a);
    s.point(b);
    s.point(a);
    s.release(a);
    assert_eq!(s.actions(), ["a", "a"], "came back");
}

#[test]
fn hover_follows_the_pointer_and_leaves_with_it() {
    let mut s = Sim::new(json!([button("a"), button("b")]), json!({}));
    let (a, b) = (s.middle("a"), s.middle("b"));
    s.point(a);
    assert_eq!(s.states("a"), ["hover"]);
    s.point(b);
    assert!(s.states("a").is_empty());
    s.pointer(PointerEvent::Leave);
    assert!(s.states("b").is_empty());
}

#[test]
fn a_disabled_button_takes_the_press_and_does_nothing() {
    let mut s = Sim::new(
        json!([{ "id": "a", "component": "Button", "label": "a", "disabled": true, "on": { "press": { "event": { "name": "a" } } } }]),
        json!({}),
    );
    let a = s.middle("a");
    s.press(a);
    assert!(s.last.taken);
    s.release(a);
    assert!(s.actions().is_empty());
}

#[test]
fn a_press_on_nothing_is_not_taken() {
    let mut s = Sim::new(json!([button("a")]), json!({}));
    s.press(Point::new(390.0, 290.0));
    assert!(!s.last.taken);
}

fn long_list(rows: usize) -> Sim {
    let data: Vec<_> = (0..rows)
        .map(|i| json!({ "id": format!("r{i}"), "name": format!("Row {i}") }))
        .collect();
    Sim::of(
        json!([
            { "id": "root", "component": "Box", "children": ["list"], "style": { "display": "flex", "flexDirection": "column", "height": "300px" } },
            { "id": "list", "component": "List", "children": { "path": "/rows", "componentId": "row", "key": "/id" }, "style": { "height": "300px" } },
            { "id": "row", "component": "Box", "pressable": true, "children": ["name"], "style": { "height": "32px" } },
            { "id": "name", "component": "Text", "text": { "path": "name" } }
        ]),
        json!({ "rows": data }),
        400.0,
        300.0,
    )
}

#[test]
fn the_wheel_scrolls_the_list_under_it_and_rows_are_built_on_the_way() {
    let mut s = long_list(500);
    for _ in 0..50 {
        s.wheel("list", 60.0);
    }
    assert!(s.last.taken);
    let offset = s.view.scene().scroll_of(s.slot("list")).unwrap().offset_y;
    assert_eq!(offset, 3000.0);
    let Hit::Node { slot } = s.view.hit(Point::new(50.0, 150.0)) else {
        panic!("a row is there");
    };
    let text = s.view.scene().node(slot).unwrap();
    assert_eq!(text.placed.props["text"], "Row 98");
    // Up past the start: nothing left to move.
    s.wheel("list", -1.0e6);
    s.wheel("list", -10.0);
    assert!(!s.last.taken);
}
