//! What presses, drags and keys on the real components tell the surface.
#![allow(clippy::unwrap_used, clippy::expect_used)]

mod support;

use ede_renderer::display::{Item, Op};
use ede_renderer::geometry::{Point, Rect};
use ede_renderer::input::{Button, Key, KeyPress, Modifiers, PointerEvent};
use ede_renderer::nested::NoNested;
use ede_renderer::resources::Resources;
use ede_renderer::view::View;
use eui_core::surface::OutEvent;
use serde_json::{Value, json};
use support::{LIGHT, Look, paint_view, resources, surface};

/// 200 px square.
const PICTURE: &str = "data:image/svg+xml,%3Csvg xmlns='http://www.w3.org/2000/svg' width='200' height='200'%3E%3Crect width='200' height='200'/%3E%3C/svg%3E";

struct Hands {
    view: View,
    res: Resources,
    now: f64,
    heard: Vec<OutEvent>,
}

impl Hands {
    fn on(tree: Value, rtl: bool) -> Hands {
        let mut res = resources();
        let (s, issues) = surface(&tree, (400.0, 0.0), Look { rtl, ..LIGHT });
        assert!(issues.is_empty(), "{issues:?}");
        let view = paint_view(&mut res, s, false, 0.0).view;
        Hands {
            view,
            res,
            now: 100.0,
            heard: Vec::new(),
        }
    }

    fn frame(&self, id: &str) -> Rect {
        let node = self.view.scene().nodes().find(|n| n.placed.id == id);
        node.expect("node").frame
    }

    fn tell(&mut self, event: PointerEvent) {
        self.now += 30.0;
        let r = self.view.pointer(event, &mut self.res, self.now);
        self.heard.extend(r.events);
        self.view.update(&mut self.res, &mut NoNested, self.now);
    }

    fn click(&mut self, at: Point) {
        self.now += 1000.0;
        self.tell(PointerEvent::Move(at));
        self.tell(PointerEvent::Press {
            at,
            button: Button::Left,
            mods: Modifiers::default(),
            clicks: 1,
        });
        self.tell(PointerEvent::Release {
            at,
            button: Button::Left,
        });
    }

    fn key(&mut self, key: Key, text: Option<&str>) {
        self.now += 30.0;
        let press = KeyPress {
            key,
            mods: Modifiers::default(),
            text: text.map(str::to_string),
            repeat: false,
        };
        let r = self.view.key(&press, &mut self.res, self.now);
        self.heard.extend(r.events);
        self.view.update(&mut self.res, &mut NoNested, self.now);
    }

    fn ops(&self) -> Vec<&Op> {
        let items = self.view.painted().main.items.iter();
        let nodes = items.filter_map(|i| match i {
            Item::Node { ops, .. } => Some(&ops.list),
            _ => None,
        });
        nodes.flatten().collect()
    }

    /// What is written, in the order it is painted.
    fn texts(&self) -> Vec<String> {
        let ops = self.ops().into_iter();
        ops.filter_map(|op| match op {
            Op::Text { block, .. } => Some(block.buffer().lines.iter().map(|l| l.text()).collect()),
            _ => None,
        })
        .collect()
    }

    /// Which part of the only picture is seen (its pixels).
    fn shown(&self) -> Rect {
        let source = self.ops().into_iter().find_map(|op| match op {
            Op::Image { source, .. } => Some(*source),
            _ => None,
        });
        source.expect("a picture")
    }

    /// A share of the node's frame.
    fn at(&self, id: &str, x: f32, y: f32) -> Point {
        let f = self.frame(id);
        Point::new(f.x + f.w * x, f.y + f.h * y)
    }

    fn values(&self) -> Vec<Value> {
        self.heard
            .iter()
            .filter_map(|e| match e {
                OutEvent::Input { value, .. } => Some(value.clone()),
                _ => None,
            })
            .collect()
    }

    fn actions(&self) -> Vec<(String, Value)> {
        self.heard
            .iter()
            .filter_map(|e| match e {
                OutEvent::Action { name, context, .. } => Some((name.clone(), context.clone())),
                _ => None,
            })
            .collect()
    }
}

fn segments() -> Value {
    json!({"component": "Segmented", "fill": true, "value": "a",
        "items": [{"label": "A", "value": "a"}, {"label": "B", "value": "b"}, {"label": "C", "value": "c"}]})
}

#[test]
fn a_press_picks_the_segment_under_the_pointer_in_both_directions() {
    for (rtl, want) in [(false, "c"), (true, "a")] {
        let mut h = Hands::on(segments(), rtl);
        h.click(h.at("x", 0.9, 0.5));
        h.click(h.at("x", 0.5, 0.5));
        let values = h.values();
        if rtl {
            // The right end is the first segment: already chosen, so only the second press says something.
            assert_eq!(values, [json!("b")], "{want}");
        } else {
            assert_eq!(values, [json!(want), json!("b")]);
        }
    }
}

#[test]
fn arrows_walk_the_segments_the_way_they_are_read() {
    for (rtl, key) in [(false, Key::Right), (true, Key::Left)] {
        let mut h = Hands::on(segments(), rtl);
        h.click(h.at("x", 0.5, 0.5));
        h.key(key, None);
        h.key(Key::Home, None);
        assert_eq!(h.values(), [json!("b"), json!("c"), json!("a")]);
    }
}

#[test]
fn a_slider_follows_the_pointer_and_steps_by_keys() {
    let mut h = Hands::on(
        json!({"component": "Slider", "min": 0, "max": 10, "value": 5}),
        false,
    );
    let (start, end) = (h.at("x.track", 0.5, 0.5), h.at("x.track", 1.0, 0.5));
    h.tell(PointerEvent::Move(start));
    h.tell(PointerEvent::Press {
        at: start,
        button: Button::Left,
        mods: Modifiers::default(),
        clicks: 1,
    });
    h.tell(PointerEvent::Move(end));
    h.tell(PointerEvent::Release {
        at: end,
        button: Button::Left,
    });
    assert_eq!(h.values().last(), Some(&json!(10)));
    h.key(Key::Left, None);
    assert_eq!(h.values().last(), Some(&json!(9)));
    h.key(Key::Home, None);
    assert_eq!(h.values().last(), Some(&json!(0)));
}

#[test]
fn a_link_in_markdown_opens_and_the_words_beside_it_do_not() {
    let tree = json!({"component": "Markdown", "text": "[here](https://example.org) and words"});
    for rtl in [false, true] {
        let mut h = Hands::on(tree.clone(), rtl);
        let f = h.frame("x");
        let link = if rtl { f.right() - 230.0 } else { f.x + 8.0 };
        // In right-to-left the line stands at the right: the link is where its text starts.
        let line = 150.0;
        let link = if rtl {
            (f.right() - line).max(link)
        } else {
            link
        };
        let words = if rtl { f.right() - 8.0 } else { f.x + 100.0 };
        h.click(Point::new(words, f.y + 10.0));
        assert!(h.heard.is_empty(), "{:?}", h.heard);
        let mut x = link;
        while h.heard.is_empty() && x < f.right() {
            h.click(Point::new(x, f.y + 10.0));
            x += 10.0;
        }
        assert!(
            matches!(&h.heard[..], [OutEvent::OpenUrl { url }] if url == "https://example.org")
        );
    }
}

#[test]
fn the_composers_button_sends_what_stands_in_it() {
    let tree = json!({"component": "Composer", "on": {"submit": {"event": {"name": "send"}}}});
    let mut h = Hands::on(tree, false);
    h.click(h.at("x", 0.3, 0.5));
    for c in "hi".chars() {
        h.key(Key::Char(c), Some(&c.to_string()));
    }
    let f = h.frame("x");
    h.click(Point::new(f.right() - 20.0, f.bottom() - 20.0));
    let sent = h.actions();
    assert_eq!(sent.len(), 1, "{:?}", h.heard);
    let mut blank = Hands::on(
        json!({"component": "Composer", "on": {"submit": {"event": {"name": "send"}}}}),
        false,
    );
    let f = blank.frame("x");
    blank.click(Point::new(f.right() - 20.0, f.bottom() - 20.0));
    assert!(blank.actions().is_empty(), "nothing was written");
    assert_eq!(
        (sent[0].0.as_str(), &sent[0].1["value"]),
        ("send", &json!("hi"))
    );
}

#[test]
fn a_number_steps_by_keys_within_its_bounds() {
    let tree = json!({"component": "NumberField", "label": "N", "name": "n", "value": 4, "min": 0, "max": 5, "step": 0.5,
        "on": {"change": {"event": {"name": "c"}}}});
    let mut h = Hands::on(tree, false);
    h.click(h.at("x.input", 0.5, 0.5));
    for _ in 0..4 {
        h.key(Key::Up, None);
    }
    let last = h.actions().last().map(|a| a.1["value"].clone());
    assert_eq!(last, Some(json!(5)));
}

#[test]
fn a_carousel_dot_goes_to_its_page() {
    let tree = json!({"component": "Carousel", "on": {"change": {"event": {"name": "turn"}}}, "children": [
        {"component": "Text", "text": "a"}, {"component": "Text", "text": "b"}, {"component": "Text", "text": "c"}]});
    let mut h = Hands::on(tree, false);
    h.click(h.at("x.indicator", 0.95, 0.5));
    assert_eq!(
        h.actions().last().map(|a| a.1["page"].clone()),
        Some(json!(2))
    );
}

#[test]
fn arrows_move_a_charts_mark_and_its_value_is_shown() {
    for (rtl, want) in [(false, ["1", "2", "3", "2"]), (true, ["3", "2", "1", "2"])] {
        let chart = json!({"component": "Chart", "kind": "bar", "showAxes": false, "showLegend": false,
            "categories": ["a", "b", "c"], "series": [{"name": "", "values": [1, 2, 3]}]});
        let mut hands = Hands::on(chart, rtl);
        hands.key(Key::Tab, None);
        assert_eq!(hands.texts(), ["c", "b", "a"], "nothing is marked yet");
        for (key, want) in [Key::Right, Key::Right, Key::Right, Key::Left]
            .into_iter()
            .zip(want)
        {
            hands.key(key, None);
            assert_eq!(
                hands.texts().last().map(String::as_str),
                Some(want),
                "{rtl}"
            );
        }
        hands.key(Key::Home, None);
        assert_eq!(hands.texts().last().map(String::as_str), Some("1"));
        // The mark belongs to the focus.
        hands.click(Point::new(-20.0, -20.0));
        assert_eq!(hands.texts(), ["c", "b", "a"]);
    }
}

#[test]
fn a_picture_is_zoomed_by_the_wheel_panned_by_a_drag_and_put_back_by_a_double_press() {
    let mut hands = Hands::on(
        json!({"component": "ZoomableImage", "src": PICTURE, "alt": "A square", "initial": "actual",
            "style": {"width": 100}}),
        false,
    );
    let wheel = |at| PointerEvent::Wheel {
        at,
        dx: 0.0,
        dy: -200.0,
    };
    let middle = hands.at("x", 0.5, 0.5);
    let rest = hands.shown();
    hands.tell(wheel(middle));
    assert_eq!(
        hands.shown(),
        rest,
        "without the focus the wheel is the page's"
    );
    hands.click(middle);
    hands.tell(wheel(middle));
    let near = hands.shown();
    assert!(near.w < rest.w, "less of it is seen, larger: {near:?}");
    let press = |at, clicks| PointerEvent::Press {
        at,
        button: Button::Left,
        mods: Modifiers::default(),
        clicks,
    };
    let release = |at| PointerEvent::Release {
        at,
        button: Button::Left,
    };
    hands.tell(press(middle, 1));
    let aside = Point::new(middle.x + 10.0, middle.y);
    hands.tell(PointerEvent::Move(aside));
    hands.tell(release(aside));
    let panned = hands.shown();
    assert!(panned.x < near.x && panned.w == near.w, "{panned:?}");
    hands.key(Key::Char('+'), Some("+"));
    assert!(hands.shown().w < panned.w);
    hands.tell(press(middle, 2));
    hands.tell(release(middle));
    assert_eq!(hands.shown(), rest);
}
