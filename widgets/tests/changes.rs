//! What a component shows while one of its props has just changed, and what it shows at once.
#![allow(clippy::unwrap_used, clippy::expect_used)]

mod support;

use ede_renderer::color::Color;
use ede_renderer::display::{Item, Op};
use ede_renderer::geometry::{Rect, Size};
use ede_renderer::nested::NoNested;
use ede_renderer::resources::Resources;
use ede_renderer::view::View;
use eui_core::surface::SurfaceSettings;
use serde_json::{Value, json};
use support::{LIGHT, Look, paint_view, resources, surface};

struct Stage {
    view: View,
    res: Resources,
}

impl Stage {
    /// `tree` with its bound values under `/v`.
    fn new(tree: Value, v: Value, settings: impl Fn(&mut SurfaceSettings)) -> Stage {
        let mut res = resources();
        let (mut s, issues) = surface(&tree, (400.0, 0.0), LIGHT);
        assert!(issues.is_empty(), "{issues:?}");
        let mut own = s.settings().clone();
        settings(&mut own);
        s.set_settings(own);
        let mut stage = Stage {
            view: paint_view(&mut res, s, false, 0.0).view,
            res,
        };
        stage.write(v, 0.0);
        stage
    }

    fn write(&mut self, v: Value, now: f64) {
        let message = json!({"version": "v0.9", "updateDataModel": {"surfaceId": "s", "path": "/v", "value": v}});
        self.view.surface_mut().apply(&message).expect("data");
        self.at(now);
    }

    /// Put `tree` in the place of the one component.
    fn put(&mut self, mut tree: Value, now: f64) {
        tree["id"] = json!("x");
        let message = json!({"version": "v0.9", "updateComponents": {"surfaceId": "s", "components": [tree]}});
        self.view.surface_mut().apply(&message).expect("components");
        self.at(now);
    }

    /// Paint at `now`; is there more to come?
    fn at(&mut self, now: f64) -> bool {
        self.view.update(&mut self.res, &mut NoNested, now).animates
    }

    fn ops(&self) -> Vec<(Rect, Op)> {
        fn gather(items: &[Item], out: &mut Vec<(Rect, Op)>) {
            for item in items {
                match item {
                    Item::Node { ops, at, .. } => out.extend(
                        ops.list
                            .iter()
                            .map(|op| (op.bounds().translate(*at), op.clone())),
                    ),
                    Item::Group { items, .. } => gather(items, out),
                    Item::Nested { list, .. } => gather(&list.items, out),
                }
            }
        }
        let mut out = Vec::new();
        gather(&self.view.painted().main.items, &mut out);
        out
    }

    /// Where the thumb of the only switch is: its left edge.
    fn thumb(&self) -> f32 {
        let of =
            |op: &Op| matches!(op, Op::Fill { rect, .. } if rect.size() == Size::new(16.0, 16.0));
        let ops = self.ops();
        let (at, _) = ops.iter().rfind(|(_, op)| of(op)).expect("a thumb");
        at.x
    }

    fn spins(&self) -> bool {
        self.ops()
            .iter()
            .any(|(_, op)| matches!(op, Op::Path { stroke: Some(s), .. } if s.round))
    }
}

fn switch() -> Value {
    json!({"component": "Switch", "label": "Quiet", "name": "quiet", "checked": {"path": "/v"}})
}

#[test]
fn the_thumb_of_a_switch_travels_and_arrives() {
    let mut stage = Stage::new(switch(), json!(false), |_| {});
    assert!(!stage.at(1000.0));
    let off = stage.thumb();
    stage.write(json!(true), 2000.0);
    assert_eq!(stage.thumb(), off);
    assert!(stage.at(2060.0));
    let between = stage.thumb();
    assert!(!stage.at(2200.0));
    let on = stage.thumb();
    assert!(off < between && between < on, "{off} {between} {on}");
    // Another change of its props is no reason to travel again.
    assert!(!stage.at(3000.0));
    assert_eq!(stage.thumb(), on);
}

#[test]
fn under_reduced_motion_the_thumb_is_there_at_once() {
    let mut moving = Stage::new(switch(), json!(false), |_| {});
    moving.write(json!(true), 2000.0);
    moving.at(5000.0);
    let mut still = Stage::new(switch(), json!(false), |s| s.reduced_motion = true);
    still.write(json!(true), 2000.0);
    assert_eq!(still.thumb(), moving.thumb());
    assert!(!still.at(2001.0));
}

#[test]
fn a_short_wait_shows_no_spinner_and_a_long_one_does() {
    let button = |loading| json!({"component": "Button", "label": "Save", "loading": loading});
    let mut stage = Stage::new(button(false), Value::Null, |_| {});
    assert!(!stage.spins());
    stage.put(button(true), 1000.0);
    assert!(!stage.spins());
    assert!(stage.at(1100.0), "it has to come back to show the spinner");
    assert!(!stage.spins());
    stage.at(1160.0);
    assert!(stage.spins());
    stage.put(button(false), 1300.0);
    assert!(!stage.spins());
    // What is busy from the start says so from the start.
    assert!(Stage::new(button(true), Value::Null, |_| {}).spins());
}

#[test]
fn type_without_a_node_of_its_own_grows_with_the_persons_font_scale() {
    let chart = json!({"component": "Chart", "kind": "bar", "categories": ["Mon", "Tue"],
        "series": [{"name": "Hours", "values": [4, 8]}]});
    let tallest = |scale: f32| {
        let stage = Stage::new(chart.clone(), Value::Null, |s| s.font_scale = scale);
        let ops = stage.ops();
        let heights = ops.iter().filter_map(|(_, op)| match op {
            Op::Text { block, .. } => Some(block.size().h),
            _ => None,
        });
        heights.fold(0.0_f32, f32::max)
    };
    assert!((tallest(1.5) - 1.5 * tallest(1.0)).abs() < 0.6);
}

#[test]
fn the_edge_of_an_empty_box_is_seen_in_every_theme_and_mode() {
    for theme in ["exponential", "neutral", "playful", "orange"] {
        for dark in [false, true] {
            for tree in [
                json!({"component": "Checkbox", "label": "Done", "name": "done"}),
                json!({"component": "Radio", "label": "Size", "name": "size",
                    "options": [{"label": "Small", "value": "s"}]}),
            ] {
                let mut res = resources();
                let look = Look {
                    theme,
                    dark,
                    ..LIGHT
                };
                let (s, issues) = surface(&tree, (400.0, 0.0), look);
                assert!(issues.is_empty(), "{issues:?}");
                let colors = &s.effective_theme().unwrap().modes.get(s.mode()).color;
                let page = Color::hex(&colors["background"]).unwrap();
                let stage = Stage {
                    view: paint_view(&mut res, s, false, 0.0).view,
                    res,
                };
                let edges: Vec<f32> = stage
                    .ops()
                    .iter()
                    .filter_map(|(_, op)| match op {
                        Op::Border { color, .. } => Some(color.over(page).contrast(page)),
                        _ => None,
                    })
                    .collect();
                assert_eq!(edges.len(), 1, "{theme}: {tree}");
                assert!(edges[0] > 2.7, "{theme} {dark}: {edges:?} of {tree}");
            }
        }
    }
}
