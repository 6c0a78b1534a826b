//! The real components under the real input: what is typed, chosen and dragged reaches the data, and the states look as they should.
#![allow(clippy::unwrap_used, clippy::expect_used)]

mod support;

use ede_renderer::color::Color;
use ede_renderer::geometry::Point;
use ede_renderer::input::{Button, Key, KeyPress, Modifiers, PointerEvent};
use ede_renderer::nested::NoNested;
use ede_renderer::resources::Resources;
use ede_renderer::view::View;
use serde_json::{Value, json};
use support::{LIGHT, assert_golden, raster, resources, surface};

struct Hand {
    view: View,
    res: Resources,
    now: f64,
}

impl Hand {
    fn new(tree: &Value, data: Value, size: (f32, f32)) -> Hand {
        let (mut surface, issues) = surface(tree, size, LIGHT);
        assert!(issues.is_empty(), "{issues:?}");
        surface.set_data("/", Some(data)).unwrap();
        let mut hand = Hand {
            view: View::new(surface),
            res: resources(),
            now: 0.0,
        };
        hand.show();
        hand
    }

    fn show(&mut self) {
        self.view.update(&mut self.res, &mut NoNested, self.now);
        self.now += 16.0;
    }

    fn key(&mut self, key: Key, mods: Modifiers) {
        self.view
            .key(&KeyPress::with(key, mods), &mut self.res, self.now);
        self.show();
    }

    fn keys(&mut self, keys: &[Key]) {
        for k in keys {
            self.key(*k, Modifiers::NONE);
        }
    }

    fn type_text(&mut self, text: &str) {
        for c in text.chars() {
            let press = KeyPress {
                text: Some(c.to_string()),
                ..KeyPress::plain(Key::Char(c))
            };
            self.view.key(&press, &mut self.res, self.now);
            self.show();
        }
    }

    fn press(&mut self, at: Point) {
        self.view.pointer(
            PointerEvent::Press {
                at,
                button: Button::Left,
                mods: Modifiers::NONE,
                clicks: 0,
            },
            &mut self.res,
            self.now,
        );
        self.show();
    }

    fn release(&mut self, at: Point) {
        self.view.pointer(
            PointerEvent::Release {
                at,
                button: Button::Left,
            },
            &mut self.res,
            self.now,
        );
        self.show();
    }

    fn click(&mut self, id: &str) {
        let at = self.place(id).center();
        self.press(at);
        self.release(at);
        self.now += 600.0;
    }

    fn place(&self, id: &str) -> ede_renderer::geometry::Rect {
        let slot = self
            .view
            .surface()
            .index_of(id)
            .unwrap_or_else(|| panic!("no {id}"));
        self.view.scene().shown_frame(slot).unwrap()
    }

    fn rest(&mut self) {
        for _ in 0..40 {
            let Some(at) = self.view.next_wake(self.now) else {
                break;
            };
            self.now = at.max(self.now);
            self.view.wake(&mut self.res, self.now);
            self.show();
        }
        self.now += 1000.0;
        self.show();
    }

    fn data(&self, path: &str) -> Value {
        self.view
            .surface()
            .get_data(path)
            .cloned()
            .unwrap_or(Value::Null)
    }

    fn picture(&mut self, name: &str) {
        // Transitions have run out.
        self.now += 1000.0;
        self.view.invalidate();
        self.show();
        let painted = self.view.painted();
        let mut lists = vec![painted.main.clone()];
        lists.extend(painted.layers.iter().map(|l| l.list.clone()));
        let size = self.view.scene().size();
        assert_golden(name, &raster(&lists, (size.w, size.h), 1.0, Color::WHITE));
    }
}

fn form() -> Hand {
    let field = |component: &str, path: &str, more: Value| {
        let mut c = json!({ "component": component, "label": path, "value": { "path": format!("/{path}") } });
        if component != "Slider" {
            c["name"] = json!(path);
        }
        for (k, v) in more.as_object().unwrap() {
            c[k] = v.clone();
        }
        c
    };
    let tree = json!({ "component": "Stack", "gap": "md", "style": { "padding": 16 }, "children": [
        field("Input", "name", json!({})),
        field("Input", "secret", json!({ "type": "password" })),
        field("Textarea", "notes", json!({ "rows": 3 })),
        field("NumberField", "seats", json!({ "min": 1, "max": 50 })),
        field("Slider", "volume", json!({ "min": 0, "max": 100 })),
        field("Select", "board", json!({ "options": [ { "label": "Backlog", "value": "b" }, { "label": "Sprint", "value": "s" } ] })),
        { "component": "Button", "label": "Save" }
    ] });
    let data = json!({ "name": "Ada Lovelace", "secret": "hunter2", "notes": "one line\nand a longer second line", "seats": 3, "volume": 40, "board": "s" });
    Hand::new(&tree, data, (360.0, 0.0))
}

#[test]
fn a_form_is_filled_in_by_keyboard_alone() {
    let mut h = form();
    h.keys(&[Key::Tab]);
    h.type_text("Grace");
    h.keys(&[Key::Tab, Key::Tab, Key::Tab, Key::Up, Key::Up]);
    assert_eq!(h.data("/name"), "Grace");
    assert_eq!(h.data("/seats").as_f64(), Some(5.0));
    h.keys(&[Key::Tab, Key::Right, Key::PageUp]);
    assert_eq!(h.data("/volume").as_f64(), Some(51.0));
    h.keys(&[Key::Tab, Key::Down, Key::Up, Key::Enter]);
    assert_eq!(h.data("/board"), "b");
    assert_eq!(h.view.focused(), Some("x-5.trigger"));
}

#[test]
fn a_number_stands_between_its_buttons_or_beside_its_unit() {
    let caret = |more: Value| {
        let mut field = json!({"component": "NumberField", "label": "N", "name": "n", "value": 5});
        for (k, v) in more.as_object().unwrap() {
            field[k] = v.clone();
        }
        let tree = json!({"component": "Stack", "style": {"padding": 16}, "children": [field]});
        let mut h = Hand::new(&tree, json!({}), (360.0, 0.0));
        h.click("x-0.input");
        h.keys(&[Key::End]);
        h.view.text_input(&mut h.res).unwrap().rect.x
    };
    // The field is 328 wide from 16 on.
    let middle = caret(json!({}));
    assert!((middle - 180.0).abs() < 12.0, "{middle}");
    let beside = caret(json!({"unit": "min"}));
    assert!(beside > 250.0, "{beside}");
}

#[test]
fn a_click_lands_between_the_letters_it_points_at() {
    let mut h = form();
    h.click("x-0.field");
    h.keys(&[Key::Home]);
    let start = h.view.text_input(&mut h.res).unwrap().rect;
    for _ in 0..3 {
        h.keys(&[Key::Right]);
    }
    let third = h.view.text_input(&mut h.res).unwrap().rect;
    assert!(third.x > start.x + 10.0);
    h.keys(&[Key::End]);
    h.now += 1000.0;
    let at = Point::new(third.x + 0.5, third.center().y);
    h.press(at);
    h.release(at);
    assert_eq!(h.view.text_input(&mut h.res).unwrap().cursor, 3);
}

#[test]
fn editing_looks_like_editing() {
    let mut h = form();
    h.click("x-0.field");
    h.key(
        Key::Char('a'),
        Modifiers {
            ctrl: true,
            ..Modifiers::NONE
        },
    );
    h.picture("input.selected");
    h.click("x-2.field");
    h.view.preedit("pinyin", 6, &mut h.res, h.now);
    h.picture("input.composing");
    h.view.preedit("", 0, &mut h.res, h.now);
    h.keys(&[Key::Tab, Key::Tab]);
    h.picture("input.slider");
    h.keys(&[Key::Tab, Key::Down]);
    h.picture("input.options");
}

#[test]
fn a_filled_form_at_rest_wakes_nobody() {
    let mut h = form();
    h.click("x-0.field");
    h.type_text("!");
    h.rest();
    assert_eq!(h.view.next_wake(h.now), None);
    assert!(!h.view.is_dirty());
}
