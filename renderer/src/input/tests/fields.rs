#![allow(clippy::unwrap_used, clippy::expect_used)]

use serde_json::json;

use super::harness::Sim;
use crate::geometry::Point;
use crate::input::{Button, Dropped, Key, Modifiers, PointerEvent, Selection};

fn input_of(extra: serde_json::Value) -> Sim {
    let mut c =
        json!({ "id": "f", "component": "Input", "label": "Name", "value": { "path": "/name" } });
    for (k, v) in extra.as_object().unwrap() {
        c[k] = v.clone();
    }
    Sim::new(
        json!([c, { "id": "b", "component": "Button", "label": "Go", "on": { "press": { "event": { "name": "go" } } } }]),
        json!({ "name": "" }),
    )
}

fn input() -> Sim {
    input_of(json!({}))
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

#[test]
fn enter_submits_what_is_typed_at_once() {
    let mut s = input_of(json!({ "on": { "submit": { "event": { "name": "send" } } } }));
    s.click("f.field");
    s.type_text("now");
    s.key(Key::Enter);
    assert_eq!(s.data("/name"), "now");
    assert_eq!(s.actions(), ["send"]);
}

#[test]
fn a_late_echo_never_overwrites_newer_typing() {
    let mut s = input();
    s.click("f.field");
    s.type_text("a");
    s.pass(200.0);
    s.type_text("b");
    s.view
        .surface_mut()
        .set_data("/name", Some(json!("a")))
        .unwrap();
    s.update();
    assert_eq!(s.text(), "ab");
    s.pass(200.0);
    assert_eq!(s.data("/name"), "ab");
    s.view
        .surface_mut()
        .set_data("/name", Some(json!("from elsewhere")))
        .unwrap();
    s.update();
    assert_eq!(
        s.text(),
        "from elsewhere",
        "a settled field follows the data"
    );
}

#[test]
fn selection_clipboard_and_undo_work_by_keyboard() {
    let mut s = input();
    s.click("f.field");
    s.type_text("one two");
    s.shift(Key::Home);
    assert_eq!(s.last.primary.as_deref(), Some("one two"));
    s.ctrl(Key::Char('c'));
    assert_eq!(s.last.clipboard.as_deref(), Some("one two"));
    s.ctrl(Key::Char('x'));
    assert_eq!(s.text(), "");
    s.ctrl(Key::Char('z'));
    assert_eq!(s.text(), "one two");
    s.ctrl(Key::Char('v'));
    assert_eq!(s.last.paste, Some(Selection::Clipboard));
    s.key(Key::End);
    s.with(|v, res, now| v.paste("\nthree", res, now));
    assert_eq!(s.text(), "one two three", "one line stays one line");
    s.ctrl(Key::Backspace);
    assert_eq!(s.text(), "one two ");
}

#[test]
fn a_secret_is_never_copied_and_its_words_stay_hidden() {
    let mut s = input_of(json!({ "type": "password" }));
    s.click("f.field");
    s.type_text("my secret");
    s.ctrl(Key::Char('a'));
    s.ctrl(Key::Char('c'));
    assert_eq!(
        (s.last.clipboard.clone(), s.last.primary.clone()),
        (None, None)
    );
    s.ctrl(Key::Char('x'));
    assert_eq!(s.text(), "my secret");
    s.key(Key::End);
    s.ctrl(Key::Left);
    assert_eq!(s.edit().caret, 0);
    let (view, res) = (&mut s.view, &mut s.res);
    let state = view.text_input(res).unwrap();
    assert_eq!(state.surrounding, "");
}

#[test]
fn clicks_place_the_caret_and_select_words_and_lines() {
    let mut s = input();
    s.click("f.field");
    s.type_text("alpha beta");
    let start = s.edit().clone();
    assert_eq!(start.caret, 10);
    let f = s.shown("f.field");
    let at = Point::new(f.x + 16.0, f.center().y);
    s.now += 1000.0;
    s.click_at(at);
    assert!(s.edit().caret <= 2);
    s.click_at(at);
    assert_eq!(
        (s.edit().anchor, s.edit().caret),
        (0, 5),
        "a double click takes the word"
    );
    s.click_at(at);
    assert_eq!(
        (s.edit().anchor, s.edit().caret),
        (0, 10),
        "a triple click takes the line"
    );
    s.now += 1000.0;
    s.press(at);
    s.point(Point::new(f.right() - 4.0, f.center().y));
    s.release(Point::new(f.right() - 4.0, f.center().y));
    assert_eq!(s.edit().caret, 10, "a drag selects");
    assert!(s.last.primary.is_some());
}

#[test]
fn the_middle_button_asks_for_the_primary_selection() {
    let mut s = input();
    let at = s.middle("f.field");
    s.pointer(PointerEvent::Press {
        at,
        button: Button::Middle,
        mods: Modifiers::NONE,
        clicks: 1,
    });
    assert_eq!(s.last.paste, Some(Selection::Primary));
}

#[test]
fn an_input_method_composes_commits_and_deletes_around() {
    let mut s = input();
    s.click("f.field");
    s.type_text("ab");
    s.key(Key::Left);
    s.with(|v, res, now| v.preedit("に", 3, res, now));
    assert_eq!(s.edit().preedit.as_ref().map(|p| p.0.as_str()), Some("に"));
    assert_eq!(s.text(), "ab");
    s.with(|v, res, now| v.commit("日", res, now));
    assert_eq!(s.text(), "a日b");
    assert_eq!(s.edit().preedit, None);
    s.with(|v, res, now| v.delete_surrounding(3, 1, res, now));
    assert_eq!(s.text(), "a");
    let state = {
        let (view, res) = (&mut s.view, &mut s.res);
        view.text_input(res).unwrap()
    };
    let f = s.shown("f.field");
    assert_eq!((state.surrounding.as_str(), state.cursor), ("a", 1));
    assert!(f.contains(Point::new(state.rect.x, state.rect.center().y)));
}

#[test]
fn leaving_in_the_middle_of_composing_keeps_the_text() {
    let mut s = input();
    s.click("f.field");
    s.with(|v, res, now| v.preedit("か", 3, res, now));
    s.click("b");
    assert_eq!(s.data("/name"), "か");
}

#[test]
fn a_number_field_takes_no_letters_and_keeps_what_is_typed() {
    let mut s = Sim::new(
        json!([
            { "id": "n", "component": "NumberField", "value": { "path": "/n" }, "precision": 2, "max": 20 },
            { "id": "b", "component": "Button", "label": "Go" }
        ]),
        json!({ "n": 3 }),
    );
    s.click("n.input");
    s.ctrl(Key::Char('a'));
    s.type_text("1x2.");
    s.pass(200.0);
    assert_eq!(s.data("/n").as_f64(), Some(12.0));
    assert_eq!(s.text(), "12.", "its own form comes when the field is left");
    s.type_text("5");
    s.key(Key::Tab);
    assert_eq!(s.data("/n").as_f64(), Some(12.5));
    s.click("n.input");
    s.click("n.increment");
    assert_eq!(
        s.focused().as_deref(),
        Some("n.input"),
        "a stepper leaves the caret where it is"
    );
    assert_eq!(s.data("/n").as_f64(), Some(13.5));
    assert_eq!(s.text(), "13.50");
    s.key(Key::Up);
    assert_eq!(s.data("/n").as_f64(), Some(14.5));
    s.key(Key::PageUp);
    assert_eq!(
        s.data("/n").as_f64(),
        Some(20.0),
        "no further than its bound"
    );
}

#[test]
fn lines_keep_their_column_on_the_way_up_and_down() {
    let mut s = Sim::new(
        json!([{ "id": "t", "component": "Textarea", "value": { "path": "/t" } }]),
        json!({ "t": "a long first line\nx\nanother long line" }),
    );
    s.click("t.field");
    s.ctrl(Key::Home);
    for _ in 0..8 {
        s.key(Key::Right);
    }
    s.key(Key::Down);
    assert_eq!(s.edit().caret, 19, "the short line ends early");
    s.key(Key::Down);
    let third = s.edit().caret - 20;
    assert!((7..=9).contains(&third), "back in the column: {third}");
    s.key(Key::Enter);
    assert!(s.text().contains("\nanother"));
    assert_eq!(s.text().matches('\n').count(), 3);
    s.key(Key::PageUp);
    s.key(Key::PageUp);
    s.key(Key::Up);
    assert_eq!(s.edit().caret, 0);
}

#[test]
fn an_idle_field_wakes_nobody() {
    let mut s = input();
    s.click("f.field");
    let mut on = vec![];
    for _ in 0..4 {
        s.pass(530.0);
        on.push(s.edit().caret_on);
    }
    assert!(
        on.contains(&true) && on.contains(&false),
        "it blinks: {on:?}"
    );
    s.pass(8000.0);
    assert!(s.edit().caret_on);
    assert_eq!(s.view.next_wake(s.now), None);
}

#[test]
fn dropped_text_lands_in_the_field_under_it() {
    let mut s = input();
    let at = s.middle("f.field");
    s.with(|v, res, now| v.drop(at, &Dropped::Text("dropped".into()), res, now));
    assert_eq!(s.text(), "dropped");
}

#[test]
fn chips_are_added_and_removed_by_keyboard() {
    let mut s = Sim::new(
        json!([{ "id": "c", "component": "ChipInput", "values": { "path": "/v" } }]),
        json!({ "v": ["a"] }),
    );
    s.click("c.input");
    s.type_text("bee");
    s.key(Key::Enter);
    assert_eq!(s.data("/v"), json!(["a", "bee"]));
    assert_eq!(s.text(), "", "ready for the next one");
    s.key(Key::Backspace);
    assert_eq!(
        s.data("/v"),
        json!(["a", "bee"]),
        "the first Backspace only warns"
    );
    s.key(Key::Backspace);
    assert_eq!(s.data("/v"), json!(["a"]));
}
