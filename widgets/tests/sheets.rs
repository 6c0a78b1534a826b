//! Contact sheets of the components against golden images.
#![allow(clippy::unwrap_used, clippy::expect_used)]

mod support;

use ede_renderer::color::Color;
use ede_renderer::geometry::Point;
use ede_renderer::input::PointerEvent;
use ede_renderer::nested::NoNested;
use serde_json::json;
use support::{LIGHT, Look, assert_golden, paint_view, raster, resources, sheet, surface};

const SHEETS: &[&str] = &[
    "text", "markdown", "buttons", "forms", "charts", "data", "lists", "overlays",
];

fn check(suffix: &str, look: Look) {
    for name in SHEETS {
        assert_golden(&format!("{name}.{suffix}"), &sheet(name, look));
    }
}

#[test]
fn every_sheet_looks_the_same_in_light() {
    check("light", LIGHT);
}

#[test]
fn every_sheet_looks_the_same_in_dark() {
    check(
        "dark",
        Look {
            dark: true,
            ..LIGHT
        },
    );
}

#[test]
fn right_to_left_mirrors_every_sheet() {
    check(
        "rtl",
        Look {
            rtl: true,
            dark: true,
            ..LIGHT
        },
    );
}

#[test]
fn a_fractional_scale_stays_sharp() {
    for name in ["buttons", "charts"] {
        let look = Look {
            scale: 1.5,
            ..LIGHT
        };
        assert_golden(&format!("{name}.scale15"), &sheet(name, look));
    }
}

#[test]
fn other_themes_dress_the_same_parts() {
    for theme in ["neutral", "playful", "orange"] {
        for name in ["buttons", "forms"] {
            let look = Look {
                theme,
                dark: theme == "orange",
                ..LIGHT
            };
            assert_golden(&format!("{name}.{theme}"), &sheet(name, look));
        }
    }
}

#[test]
fn a_chart_says_what_is_under_the_pointer() {
    for (name, tree) in [
        (
            "bar",
            json!({"component": "Chart", "kind": "stackedBar", "height": 180, "categories": ["Mon", "Tue", "Wed"],
            "series": [{"name": "Before", "tone": "info", "values": [3, 5, 2]}, {"name": "Today", "values": [1, 0, 4]}]}),
        ),
        (
            "line",
            json!({"component": "Chart", "kind": "line", "height": 180, "categories": ["Mon", "Tue", "Wed"],
            "series": [{"name": "Load", "values": [3, 5, 2]}]}),
        ),
        (
            "donut",
            json!({"component": "Chart", "kind": "donut", "height": 180, "categories": ["Bakery", "Market"],
            "series": [{"name": "h", "values": [60, 30]}]}),
        ),
    ] {
        let mut res = resources();
        let (s, _) = surface(&tree, (320.0, 0.0), LIGHT);
        let mut painted = paint_view(&mut res, s, false, 0.0);
        let before = painted.view.painted().main.clone();
        painted
            .view
            .pointer(PointerEvent::Move(Point::new(210.0, 70.0)), &mut res, 10.0);
        let after = painted
            .view
            .update(&mut res, &mut NoNested, 20.0)
            .main
            .clone();
        assert_ne!(before, after, "{name}: nothing appeared");
        let picture = raster(&[after], painted.size, 1.0, Color::WHITE);
        assert_golden(&format!("hover.{name}"), &picture);
    }
}
