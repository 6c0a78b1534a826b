#![allow(clippy::unwrap_used, clippy::expect_used)]

use serde_json::json;

use super::harness::Sim;
use crate::geometry::Point;
use crate::input::{DropOffer, Dropped, FileInfo, Hit, PointerEvent, TouchEvent};

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
            { "id": "root", "component": "Box", "children": ["list"], "style": { "display": "flex", "flexDirection": "column", "height": 300 } },
            { "id": "list", "component": "List", "children": { "path": "/rows", "componentId": "row", "key": "/id" }, "style": { "height": 300 } },
            { "id": "row", "component": "Box", "pressable": true, "children": ["name"], "style": { "height": 32, "flexShrink": 0 } },
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

#[test]
fn a_thumb_is_dragged_the_whole_way() {
    let mut s = long_list(300);
    let list = s.shown("list");
    s.point(Point::new(100.0, 100.0));
    let bar = Point::new(list.right() - 5.0, 10.0);
    s.press(bar);
    assert!(s.view.holds_pointer());
    s.point(Point::new(bar.x, 1000.0));
    s.release(Point::new(bar.x, 1000.0));
    let o = *s.view.scene().scroll_of(s.slot("list")).unwrap();
    assert_eq!(o.offset_y, o.content_height - list.h);
    assert!(s.actions().is_empty());
}

#[test]
fn scrollbars_show_with_the_movement_and_fade() {
    let mut s = long_list(100);
    assert_eq!(s.view.input.scrollbar_opacity("list", s.now), 0.0);
    s.wheel("list", 40.0);
    assert_eq!(s.view.input.scrollbar_opacity("list", s.now), 1.0);
    s.pass(1000.0);
    assert!(s.view.is_dirty(), "it fades");
    let half = s.view.input.scrollbar_opacity("list", s.now);
    assert!(half > 0.0 && half < 1.0, "{half}");
    s.pass(500.0);
    s.update();
    s.update();
    assert!(!s.view.is_dirty());
}

#[test]
fn a_finger_taps_scrolls_and_flicks() {
    let mut s = long_list(300);
    let touch = |s: &mut Sim, e: TouchEvent| s.with(|v, res, now| v.touch(e, res, now));
    let offset = |s: &Sim| s.view.scene().scroll_of(s.slot("list")).unwrap().offset_y;
    touch(
        &mut s,
        TouchEvent::Down {
            id: 7,
            at: Point::new(50.0, 200.0),
        },
    );
    for i in 1..=10 {
        s.now += 16.0;
        touch(
            &mut s,
            TouchEvent::Move {
                id: 7,
                at: Point::new(50.0, 200.0 - 10.0 * i as f32),
            },
        );
    }
    assert!((offset(&s) - 90.0).abs() < 11.0, "{}", offset(&s));
    touch(&mut s, TouchEvent::Up { id: 7 });
    assert!(s.view.is_dirty(), "it glides on");
    let mut frames = 0;
    while s.view.is_dirty() && frames < 400 {
        s.now += 16.0;
        s.update();
        frames += 1;
    }
    assert!(offset(&s) > 150.0, "{}", offset(&s));
    assert!(frames < 400, "and comes to rest");
}

#[test]
fn a_tap_presses_and_a_resting_finger_asks_for_the_menu() {
    let mut s = Sim::new(json!([button("a")]), json!({}));
    let at = s.middle("a");
    s.with(|v, res, now| v.touch(TouchEvent::Down { id: 0, at }, res, now));
    assert!(s.states("a").contains(&"pressed".to_string()));
    s.with(|v, res, now| v.touch(TouchEvent::Up { id: 0 }, res, now));
    assert_eq!(s.actions(), ["a"]);
    assert!(s.states("a").is_empty(), "a finger leaves no hover behind");
    s.with(|v, res, now| v.touch(TouchEvent::Down { id: 0, at }, res, now));
    s.pass(600.0);
    assert_eq!(s.last.context_menu, Some(at));
    s.with(|v, res, now| v.touch(TouchEvent::Up { id: 0 }, res, now));
    assert_eq!(s.actions(), ["a"]);
}

#[test]
fn a_slider_follows_the_pointer_beyond_its_edge() {
    let mut s = Sim::new(
        json!([{ "id": "v", "component": "Slider", "value": { "path": "/v" } }]),
        json!({ "v": 0 }),
    );
    let t = s.shown("v.track");
    s.press(t.center());
    assert_eq!(s.data("/v").as_f64(), Some(50.0));
    s.point(Point::new(t.right() + 50.0, 200.0));
    assert_eq!(s.data("/v").as_f64(), Some(100.0));
    s.release(Point::new(t.right() + 50.0, 200.0));
    s.point(Point::new(t.x, t.y));
    assert_eq!(s.data("/v").as_f64(), Some(100.0), "let go");
}

#[test]
fn panels_are_resized_by_their_thin_line_and_escape_takes_it_back() {
    let mut s = Sim::new(
        json!([
            { "id": "r", "component": "Resizable", "sizes": { "path": "/s" }, "children": ["p", "q"], "style": { "height": 60 } },
            { "id": "p", "component": "Text", "text": "left", "inside": true },
            { "id": "q", "component": "Text", "text": "right", "inside": true }
        ]),
        json!({ "s": [50, 50] }),
    );
    let line = s.shown("r.handle.0");
    let grab = Point::new(line.x - 2.0, line.center().y);
    s.point(grab);
    assert_eq!(s.view.cursor(), crate::input::Cursor::ColResize);
    s.press(grab);
    s.point(Point::new(grab.x + 38.0, grab.y));
    s.key(crate::input::Key::Escape);
    s.release(Point::new(grab.x + 38.0, grab.y));
    assert_eq!(s.data("/s"), json!([50, 50]));
    s.press(grab);
    s.point(Point::new(grab.x + 38.0, grab.y));
    s.release(Point::new(grab.x + 38.0, grab.y));
    let first = s.data("/s")[0].as_f64().unwrap();
    assert!((first - 60.0).abs() < 0.5, "{first}");
}

#[test]
fn dropped_files_reach_the_upload_that_accepts_them() {
    let mut s = Sim::new(
        json!([{ "id": "u", "component": "FileUpload", "accept": ".pdf", "on": { "upload": { "event": { "name": "up" } } } }]),
        json!({}),
    );
    let at = s.middle("u.dropzone");
    s.with(|v, res, now| {
        v.drag_over(
            at,
            DropOffer {
                text: false,
                files: true,
            },
            res,
            now,
        )
        .1
    });
    assert_eq!(s.states("u.dropzone"), ["dragover"]);
    let file = |n: &str| FileInfo {
        name: n.into(),
        size: 3,
        kind: String::new(),
    };
    s.with(|v, res, now| v.drop(at, &Dropped::Files(vec![file("a.txt")]), res, now));
    assert!(s.actions().is_empty());
    s.with(|v, res, now| v.drop(at, &Dropped::Files(vec![file("a.pdf")]), res, now));
    assert_eq!(s.actions(), ["up"]);
    assert!(s.states("u.dropzone").is_empty());
}
