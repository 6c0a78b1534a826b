#![allow(clippy::unwrap_used, clippy::expect_used)]

use serde_json::json;

use super::harness::Sim;
use crate::input::Key;

fn input() -> Sim {
    Sim::new(
        json!([{ "id": "f", "component": "Input", "label": "Name", "value": { "path": "/name" } }]),
        json!({ "name": "" }),
    )
}

#[test]
fn typing_reaches_the_data_after_a_pause() {
    let mut s = input();
    s.click("f.field");
    s.type_text("hello");
    assert_eq!(s.text(), "hello");
    assert_eq!(s.data("/name"), "");
    s.pass(200.0);
    assert_eq!(s.data("/name"), "hello");
    assert_eq!(s.text(), "hello");
    s.key(Key::Backspace);
    s.key(Key::Tab);
    assert_eq!(s.data("/name"), "hell", "leaving the field commits");
}
