//! Whatever is pressed, typed and scrolled, in whatever order: no panic, and what the view remembers is true.

#![allow(clippy::unwrap_used, clippy::expect_used)]

use proptest::prelude::*;
use serde_json::{Value, json};
use unicode_segmentation::UnicodeSegmentation;

use super::harness::Sim;
use crate::geometry::Point;
use crate::input::{
    Button, DropOffer, Dropped, FileInfo, FocusStep, Key, Modifiers, PointerEvent, TouchEvent,
};

#[derive(Clone, Debug)]
enum Op {
    Move(Point),
    Press(Point, Button, bool),
    Release(Point, Button),
    Wheel(Point, f32, f32),
    Leave,
    Touch(TouchEvent),
    Key(Key, Modifiers),
    KeyUp(Key),
    Type(String),
    Paste(String),
    Preedit(String, usize),
    Commit(String),
    Around(usize, usize),
    Step(FocusStep),
    Drop(Point, bool),
    Blur,
    Data(usize),
    Pass(f64),
}

fn point() -> impl Strategy<Value = Point> {
    (-20.0f32..420.0, -20.0f32..620.0).prop_map(|(x, y)| Point::new(x, y))
}

fn key() -> impl Strategy<Value = Key> {
    prop::sample::select(vec![
        Key::Enter,
        Key::Escape,
        Key::Tab,
        Key::Space,
        Key::Backspace,
        Key::Delete,
        Key::Insert,
        Key::Left,
        Key::Right,
        Key::Up,
        Key::Down,
        Key::Home,
        Key::End,
        Key::PageUp,
        Key::PageDown,
        Key::Menu,
        Key::F(10),
        Key::Char('a'),
        Key::Char('c'),
        Key::Char('x'),
        Key::Char('z'),
        Key::Char('y'),
        Key::Char('v'),
    ])
}

fn mods() -> impl Strategy<Value = Modifiers> {
    (
        prop::bool::weighted(0.2),
        prop::bool::weighted(0.3),
        prop::bool::weighted(0.05),
    )
        .prop_map(|(ctrl, shift, alt)| Modifiers {
            ctrl,
            shift,
            alt,
            logo: false,
        })
}

fn text() -> impl Strategy<Value = String> {
    prop::sample::select(vec![
        "a",
        "hello ",
        "👨‍👩‍👧",
        "e\u{301}",
        "\u{301}",
        "שלום",
        "1",
        "-2.5",
        ",",
        "\n",
        "\t\u{7}",
    ])
    .prop_map(String::from)
}

fn button() -> impl Strategy<Value = Button> {
    prop::sample::select(vec![
        Button::Left,
        Button::Left,
        Button::Left,
        Button::Right,
        Button::Middle,
    ])
}

fn touch() -> impl Strategy<Value = TouchEvent> {
    prop_oneof![
        point().prop_map(|at| TouchEvent::Down { id: 1, at }),
        point().prop_map(|at| TouchEvent::Move { id: 1, at }),
        Just(TouchEvent::Up { id: 1 }),
        Just(TouchEvent::Cancel),
    ]
}

fn op() -> impl Strategy<Value = Op> {
    prop_oneof![
        3 => point().prop_map(Op::Move),
        6 => (point(), button(), any::<bool>()).prop_map(|(p, b, up)| Op::Press(p, b, up)),
        2 => (point(), button()).prop_map(|(p, b)| Op::Release(p, b)),
        2 => (point(), -400.0f32..400.0, -400.0f32..400.0).prop_map(|(p, x, y)| Op::Wheel(p, x, y)),
        1 => Just(Op::Leave),
        3 => touch().prop_map(Op::Touch),
        8 => (key(), mods()).prop_map(|(k, m)| Op::Key(k, m)),
        1 => key().prop_map(Op::KeyUp),
        4 => text().prop_map(Op::Type),
        1 => text().prop_map(Op::Paste),
        1 => (text(), 0usize..9).prop_map(|(t, c)| Op::Preedit(t, c)),
        1 => text().prop_map(Op::Commit),
        1 => (0usize..6, 0usize..6).prop_map(|(a, b)| Op::Around(a, b)),
        2 => prop::sample::select(vec![FocusStep::First, FocusStep::Last, FocusStep::Next, FocusStep::Previous]).prop_map(Op::Step),
        1 => (point(), any::<bool>()).prop_map(|(p, f)| Op::Drop(p, f)),
        1 => Just(Op::Blur),
        2 => (0usize..6).prop_map(Op::Data),
        3 => (0.0f64..1500.0).prop_map(Op::Pass),
    ]
}

/// A surface with something of everything.
fn everything() -> Sim {
    let rows: Vec<Value> = (0..120)
        .map(|i| json!({ "id": format!("r{i}"), "name": format!("Row {i}") }))
        .collect();
    Sim::of(
        json!([
            { "id": "root", "component": "Box", "children": ["input", "area", "num", "chips", "select", "tabs", "radio", "menu", "tip", "dialog", "list", "split", "slider", "files", "date", "seek", "toast", "drawer"],
              "style": { "display": "flex", "flexDirection": "column", "gap": 4, "padding": 8, "height": 600, "overflowY": "auto" } },
            { "id": "input", "component": "Input", "label": "Name", "value": { "path": "/name" } },
            { "id": "area", "component": "Textarea", "value": { "path": "/text" } },
            { "id": "num", "component": "NumberField", "value": { "path": "/n" }, "min": 0, "max": 50 },
            { "id": "chips", "component": "ChipInput", "values": { "path": "/chips" }, "suggestions": [ { "label": "alpha", "value": "alpha" }, { "label": "hello", "value": "hello" } ] },
            { "id": "select", "component": "Select", "searchable": true, "value": { "path": "/pick" }, "options": [ { "label": "Red", "value": "r" }, { "label": "Green", "value": "g" } ] },
            { "id": "tabs", "component": "Tabs", "tabs": [ { "label": "One", "value": "1" }, { "label": "Two", "value": "2" } ], "value": "1", "children": ["t1", "t2"] },
            { "id": "t1", "component": "Text", "text": "one" },
            { "id": "t2", "component": "Button", "label": "two" },
            { "id": "radio", "component": "Radio", "options": [ { "label": "A", "value": "a" }, { "label": "B", "value": "b" } ], "value": { "path": "/r" } },
            { "id": "menu", "component": "Menu", "label": "More", "items": [ { "label": "Open", "value": "o" }, { "label": "Sub", "kind": "submenu", "items": [ { "label": "In", "value": "i" } ] } ] },
            { "id": "tip", "component": "Tooltip", "content": "tip", "children": ["tb"] },
            { "id": "tb", "component": "Button", "label": "tip" },
            { "id": "dialog", "component": "Dialog", "title": "D", "children": ["dx"], "slots": { "trigger": "dopen" } },
            { "id": "dopen", "component": "Button", "label": "open" },
            { "id": "dx", "component": "Input", "label": "in", "value": { "path": "/dx" } },
            { "id": "list", "component": "List", "children": { "path": "/rows", "componentId": "row", "key": "/id" }, "style": { "height": 120, "flexShrink": 0 } },
            { "id": "row", "component": "Box", "pressable": true, "children": ["rname"], "style": { "height": 24 } },
            { "id": "rname", "component": "Text", "text": { "path": "name" } },
            { "id": "split", "component": "Resizable", "sizes": [30, 70], "children": ["p1", "p2"], "style": { "height": 40 } },
            { "id": "p1", "component": "Text", "text": "left" },
            { "id": "p2", "component": "Text", "text": "right" },
            { "id": "slider", "component": "Slider", "value": { "path": "/v" } },
            { "id": "files", "component": "FileUpload", "label": "Files", "accept": ".txt" },
            { "id": "date", "component": "DatePicker", "value": { "path": "/d" } },
            { "id": "seek", "component": "SearchList", "items": [ { "label": "Ship", "value": "s" }, { "label": "Close", "value": "c" } ] },
            { "id": "toast", "component": "Toast", "title": "Saved", "duration": 3000, "actionLabel": "Undo" },
            { "id": "drawer", "component": "Drawer", "title": "W", "children": ["wx"], "slots": { "trigger": "wopen" } },
            { "id": "wopen", "component": "Button", "label": "drawer" },
            { "id": "wx", "component": "Button", "label": "x" }
        ]),
        json!({ "name": "Ann", "text": "two\nlines", "n": 3, "chips": ["a"], "pick": "g", "r": "a", "rows": rows, "v": 40, "d": "2026-10-14", "dx": "" }),
        400.0,
        600.0,
    )
}

fn run(s: &mut Sim, op: &Op) {
    match op {
        Op::Move(p) => s.point(*p),
        Op::Press(at, button, up) => {
            s.pointer(PointerEvent::Press {
                at: *at,
                button: *button,
                mods: Modifiers::NONE,
                clicks: 0,
            });
            if *up {
                s.pointer(PointerEvent::Release {
                    at: *at,
                    button: *button,
                });
            }
        }
        Op::Release(at, button) => s.pointer(PointerEvent::Release {
            at: *at,
            button: *button,
        }),
        Op::Wheel(at, dx, dy) => s.pointer(PointerEvent::Wheel {
            at: *at,
            dx: *dx,
            dy: *dy,
        }),
        Op::Leave => s.pointer(PointerEvent::Leave),
        Op::Touch(e) => {
            let e = *e;
            s.with(|v, res, now| v.touch(e, res, now));
        }
        Op::Key(k, m) => s.key_with(*k, *m),
        Op::KeyUp(k) => {
            let k = *k;
            s.with(|v, res, now| v.key_release(k, res, now));
        }
        Op::Type(t) => s.type_text(t),
        Op::Paste(t) => s.with(|v, res, now| v.paste(t, res, now)),
        Op::Preedit(t, c) => s.with(|v, res, now| v.preedit(t, *c, res, now)),
        Op::Commit(t) => s.with(|v, res, now| v.commit(t, res, now)),
        Op::Around(a, b) => s.with(|v, res, now| v.delete_surrounding(*a, *b, res, now)),
        Op::Step(step) => {
            let step = *step;
            s.with(|v, res, now| v.step_focus(step, res, now).1);
        }
        Op::Drop(at, files) => {
            let what = if *files {
                Dropped::Files(vec![FileInfo {
                    name: "a.txt".into(),
                    size: 3,
                    kind: "text/plain".into(),
                }])
            } else {
                Dropped::Text("dropped".into())
            };
            s.with(|v, res, now| {
                v.drag_over(
                    *at,
                    DropOffer {
                        text: true,
                        files: true,
                    },
                    res,
                    now,
                )
                .1
            });
            s.with(|v, res, now| v.drop(*at, &what, res, now));
        }
        Op::Blur => s.with(|v, res, now| v.blur(res, now)),
        Op::Data(n) => {
            let (path, value) = [
                ("/name", json!("from outside")),
                ("/text", json!("")),
                ("/n", json!(7)),
                ("/rows", json!([{ "id": "only", "name": "one row" }])),
                ("/chips", json!(["x", "y"])),
                ("/pick", json!("r")),
            ][*n]
                .clone();
            s.view.surface_mut().set_data(path, Some(value)).unwrap();
            s.update();
        }
        Op::Pass(ms) => s.pass(*ms),
    }
}

fn check(s: &Sim) -> Result<(), TestCaseError> {
    if let Some(id) = s.focused() {
        let slot = s.view.surface().index_of(&id);
        prop_assert!(slot.is_some(), "the focus is on {id}, which is gone");
        prop_assert_eq!(s.view.input.focus().slot, slot);
    }
    if let Some(e) = s.view.input.focus().edit {
        for byte in [e.caret, e.anchor] {
            let on = byte == e.text.len() || e.text.grapheme_indices(true).any(|(i, _)| i == byte);
            prop_assert!(on, "{byte} of {:?}", e.text);
        }
        if let Some((t, c)) = &e.preedit {
            prop_assert!(t.is_char_boundary(*c));
        }
    }
    if let Some(at) = s.view.next_wake(s.now) {
        prop_assert!(at.is_finite());
    }
    for n in s.view.scene().nodes() {
        if let Some(o) = s.view.scene().scroll_of(n.placed.index) {
            prop_assert!(o.offset_x >= 0.0 && o.offset_y >= 0.0);
        }
    }
    Ok(())
}

proptest! {
    #![proptest_config(ProptestConfig { cases: ProptestConfig::default().cases / 10, max_shrink_iters: 400, ..ProptestConfig::default() })]

    #[test]
    fn any_input_in_any_order_leaves_the_view_true(ops in prop::collection::vec(op(), 1..60)) {
        let mut s = everything();
        for op in &ops {
            run(&mut s, op);
            check(&s)?;
        }
        // Whatever state it is in, a person can get out of it.
        s.with(|v, res, now| v.touch(TouchEvent::Cancel, res, now));
        s.release(Point::new(-10.0, -10.0));
        for _ in 0..6 {
            s.key(Key::Escape);
        }
        prop_assert!(s.view.scene().layers().iter().all(|l| l.kind == "Toast"), "{:?}", s.view.scene().layers());
        s.with(|v, res, now| v.blur(res, now));
        s.pass(20_000.0);
        prop_assert_eq!(s.view.next_wake(s.now), None, "an idle view wakes nobody");
    }
}
