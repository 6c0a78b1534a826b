//! What the bundled apps promise of their layout whatever the numbers are: nothing is cut, nothing moves.
#![allow(clippy::unwrap_used, clippy::expect_used)]

mod support;

use std::path::Path;

use serde_json::{Value, json};
use support::Home;

/// The frame of a component in a picture of a bundled app over `data`: `[x, y, w, h]`.
fn frame(home: &Home, app: &str, stand: &str, data: &Value, id: &str) -> Vec<f64> {
    let file = Path::new(env!("CARGO_MANIFEST_DIR")).join(format!("../assets/apps/{app}.app.json"));
    let data = home.file("data.json", data.to_string());
    let (png, dump) = (home.path("out.png"), home.path("dump.json"));
    home.ok(&format!(
        "snapshot {} -o {} --frame {stand} --data {} --dump {} --now 2026-11-30T21:41:00Z --tz UTC --locale en-IE",
        file.display(),
        png.display(),
        data.display(),
        dump.display()
    ));
    let dump: Value = serde_json::from_slice(&std::fs::read(dump).unwrap()).unwrap();
    let node = dump["nodes"].as_array().unwrap().iter();
    let node = node.clone().find(|n| n["id"] == id);
    let frame = node.unwrap_or_else(|| panic!("{app} {stand} has {id}"))["frame"].clone();
    serde_json::from_value(frame).unwrap()
}

#[test]
fn a_long_days_hours_are_read_whole_in_every_widget() {
    let home = Home::new();
    for minutes in [570, 665, 1439] {
        let data = json!({
            "week": {"groups": [{"day": "2026-11-30", "minutes": minutes}]},
            "running": {"rows": [], "count": 0},
        });
        let of = |stand: &str, id: &str| frame(&home, "ede.hours", stand, &data, id);
        // The window has room for any of them.
        let whole = of("wide", "figure-value")[2];
        for stand in ["widget:m", "widget:l"] {
            let (value, unit) = (of(stand, "figure-value"), of(stand, "figure"));
            assert_eq!(value[2], whole, "{minutes} minutes in {stand}");
            assert!(value[2] <= unit[2] && value[1] < unit[1] + unit[3]);
        }
        assert!(of("widget:s", "value")[2] >= whole, "{minutes} minutes");
    }
}

#[test]
fn the_panels_processor_figure_keeps_its_width() {
    let home = Home::new();
    let wide = |percent: Value, label: &str| {
        let data = json!({"system": {"cpu": {"percent": percent, "label": label, "history": []}}});
        frame(&home, "ede.system", "panel", &data, "bar")[2]
    };
    let widths = [
        wide(Value::Null, "–"),
        wide(json!(3), "3 %"),
        wide(json!(12), "12 %"),
        wide(json!(100), "100 %"),
    ];
    assert!(widths.iter().all(|w| *w == widths[0]), "{widths:?}");
}
