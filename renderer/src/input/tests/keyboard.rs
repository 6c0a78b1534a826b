#![allow(clippy::unwrap_used, clippy::expect_used)]

use serde_json::json;

use super::harness::Sim;
use crate::input::{FocusMove, Key};

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
