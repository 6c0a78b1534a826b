#![allow(clippy::unwrap_used, clippy::expect_used)]

use serde_json::json;

use super::harness::Sim;
use crate::input::{FocusMove, FocusStep, Hit, Key};

fn button(id: &str) -> serde_json::Value {
    json!({ "id": id, "component": "Button", "label": id, "on": { "press": { "event": { "name": id } } } })
}

#[test]
fn tab_walks_in_paint_order_and_is_exhausted_at_the_end() {
    let mut s = Sim::new(json!([button("a"), button("b")]), json!({}));
    s.key(Key::Tab);
    assert_eq!(s.focused().as_deref(), Some("a"));
    assert!(s.states("a").contains(&"focus-visible".to_string()));
    s.key(Key::Tab);
    assert_eq!(s.focused().as_deref(), Some("b"));
    s.key(Key::Enter);
    assert_eq!(s.actions(), ["b"]);
    s.key(Key::Tab);
    assert_eq!(s.last.focus, Some(FocusMove::Exhausted));
    assert!(!s.last.taken);
    s.shift(Key::Tab);
    assert_eq!(s.focused().as_deref(), Some("a"));
    s.click("b");
    assert_eq!(s.focused().as_deref(), Some("b"));
    assert!(
        s.states("b").iter().all(|f| f != "focus-visible"),
        "a click shows no ring"
    );
}

fn choices(component: &str, extra: serde_json::Value) -> Sim {
    let mut c = json!({ "id": "g", "component": component, "value": { "path": "/v" } });
    for (k, v) in extra.as_object().unwrap() {
        c[k] = v.clone();
    }
    Sim::new(json!([button("a"), c, button("z")]), json!({ "v": "2" }))
}

#[test]
fn radio_buttons_are_one_stop_and_arrows_choose() {
    let options: Vec<_> = (1..=3)
        .map(|i| json!({ "label": format!("Option {i}"), "value": i.to_string() }))
        .collect();
    let mut s = choices("Radio", json!({ "options": options }));
    s.key(Key::Tab);
    s.key(Key::Tab);
    assert_eq!(s.focused().as_deref(), Some("g.item.1"), "the chosen one");
    s.key(Key::Down);
    assert_eq!(s.data("/v"), "3");
    s.key(Key::Right);
    assert_eq!(s.data("/v"), "1", "round and round");
    s.key(Key::Tab);
    assert_eq!(s.focused().as_deref(), Some("z"));
}

#[test]
fn tabs_turn_with_the_arrows_and_swap_from_right_to_left() {
    let mut s = Sim::of(
        json!([
            { "id": "root", "component": "Box", "children": ["g"], "style": { "direction": "rtl" } },
            { "id": "g", "component": "Tabs", "value": { "path": "/v" }, "tabs": [
                { "label": "One", "value": "1" }, { "label": "Two", "value": "2" }, { "label": "Three", "value": "3" }
            ], "children": ["x", "y", "w"] },
            { "id": "x", "component": "Text", "text": "x" },
            { "id": "y", "component": "Text", "text": "y" },
            { "id": "w", "component": "Text", "text": "w" }
        ]),
        json!({ "v": "2" }),
        400.0,
        300.0,
    );
    s.key(Key::Tab);
    assert_eq!(s.focused().as_deref(), Some("g.tab.1"));
    s.key(Key::Left);
    assert_eq!(s.data("/v"), "3");
    s.key(Key::Home);
    assert_eq!(s.data("/v"), "1");
}

#[test]
fn the_focus_scrolls_into_view_and_pages_scroll_without_it() {
    let many: Vec<_> = (0..30).map(|i| button(&format!("b{i}"))).collect();
    let ids: Vec<_> = (0..30).map(|i| format!("b{i}")).collect();
    let mut all = vec![json!({ "id": "root", "component": "Box", "children": ids,
        "style": { "display": "flex", "flexDirection": "column", "height": 200, "overflowY": "auto" } })];
    all.extend(many);
    let mut s = Sim::of(json!(all), json!({}), 300.0, 200.0);
    let offset = |s: &Sim| s.view.scene().scroll_of(s.slot("root")).unwrap().offset_y;
    s.key(Key::PageDown);
    assert_eq!(offset(&s), 180.0);
    s.key(Key::End);
    assert!(offset(&s) > 180.0);
    s.key(Key::Tab);
    assert_eq!((s.focused().as_deref(), offset(&s)), (Some("b0"), 0.0));
    s.shift(Key::Tab);
    s.with(|v, res, now| v.step_focus(FocusStep::Last, res, now).1);
    let last = s.shown("b29");
    assert!(last.bottom() <= 200.5 && last.y >= 0.0, "{last:?}");
}

#[test]
fn a_host_can_ask_for_the_focus_and_take_it_away() {
    let mut s = Sim::new(json!([button("a"), button("b")]), json!({}));
    let ask = eui_core::surface::SurfaceCommand::Focus { id: "b".into() };
    s.with(|v, res, now| v.command(&ask, res, now));
    assert_eq!(s.focused().as_deref(), Some("b"));
    s.with(|v, res, now| v.blur(res, now));
    assert_eq!(s.focused(), None);
    assert_eq!(s.last.focus, Some(FocusMove::Nowhere));
}

#[test]
fn a_failed_form_focuses_its_first_bad_field() {
    let mut s = Sim::new(
        json!([
            { "id": "form", "component": "Form", "name": "form", "children": ["f", "ok"] },
            { "id": "f", "component": "Input", "value": { "path": "/f" }, "inside": true,
              "checks": [ { "condition": { "call": "required", "args": { "value": { "path": "/f" } } }, "message": "Needed" } ] },
            { "id": "ok", "component": "Button", "label": "Save", "submit": true, "inside": true }
        ]),
        json!({ "f": "" }),
    );
    s.click("ok");
    assert_eq!(s.focused().as_deref(), Some("f.field"));
    s.type_text("x");
    s.key(Key::Enter);
    assert_eq!(s.data("/f"), "x");
}

#[test]
fn a_held_button_holds_by_key_and_lets_go_when_the_focus_leaves() {
    let mut s = Sim::new(
        json!([
            { "id": "h", "component": "Button", "label": "Hold", "hold": true, "on": {
                "holdStart": { "event": { "name": "start" } }, "holdEnd": { "event": { "name": "end" } }, "holdCancel": { "event": { "name": "cancel" } } } },
            button("b")
        ]),
        json!({}),
    );
    s.key(Key::Tab);
    s.key(Key::Space);
    s.with(|v, res, now| v.key_release(Key::Space, res, now));
    s.key(Key::Space);
    s.key(Key::Tab);
    assert_eq!(s.actions(), ["start", "end", "start", "cancel"]);
}

#[test]
fn the_order_leads_into_the_surfaces_inside_and_on() {
    let mut s = Sim::new(
        json!([button("a"), { "id": "w", "component": "Spot", "app": "clock" }, button("b")]),
        json!({}),
    );
    s.key(Key::Tab);
    s.key(Key::Tab);
    let Some(FocusMove::Nested { id, slot }) = s.last.focus.clone() else {
        panic!("{:?}", s.last.focus);
    };
    assert_eq!((id.as_str(), slot), ("w", s.slot("w")));
    let at = s.middle("w");
    let Hit::Nested { id, at: inside, .. } = s.view.hit(at) else {
        panic!("the leaf is there");
    };
    assert_eq!((id.as_str(), inside), ("w", at - s.shown("w").origin()));
    // The surface inside is exhausted: the host goes on.
    s.with(|v, res, now| v.step_focus(FocusStep::Next, res, now).1);
    assert_eq!(s.focused().as_deref(), Some("b"));
    s.press(at);
    assert!(
        !s.last.taken,
        "a press the widget did not take is the host's"
    );
}
