//! Golden pictures of what ships, by `ede snapshot` and `ede run --offscreen`, and the texts of public A2UI streams in their dumps.
//!
//! Everything is fixed: the moment, the zone, the locale, the data. All texts are in scripts that the bundled faces have, so the
//! system's fonts play no part. `EDE_BLESS=1` takes the pictures as they are: look at each before committing it.
#![allow(clippy::unwrap_used, clippy::expect_used)]

mod support;

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

use ede_tests::golden::{Tolerance, assert_golden, check};
use ede_tests::picture;
use serde_json::Value;
use support::Home;

const MOMENT: [&str; 4] = [
    "--now",
    "2026-11-30T09:41:00+01:00",
    "--tz",
    "Europe/Vienna",
];
const APPS: [&str; 5] = [
    "ede.clock",
    "ede.hours",
    "ede.notes",
    "ede.system",
    "ede.tasks",
];
/// The same painter, but another machine's floating point may round an edge differently.
const SAME: Tolerance = Tolerance {
    channel: 2,
    share: 0.0005,
};

fn workspace(path: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("..").join(path)
}

/// `ede snapshot` of a bundled package with its sample data; the options are split at spaces.
fn snapshot(home: &Home, app: &str, options: &str) -> picture::Picture {
    let (png, file) = (
        home.path("shot.png"),
        workspace(&format!("assets/apps/{app}.app.json")),
    );
    let data = workspace(&format!("fixtures/apps/{app}.data.json"));
    let mut arguments = vec![
        "snapshot",
        file.to_str().unwrap(),
        "-o",
        png.to_str().unwrap(),
        "--data",
        data.to_str().unwrap(),
    ];
    arguments.extend(MOMENT);
    arguments.extend(options.split(' '));
    let ran = home.ede(arguments);
    assert_eq!((ran.code, ran.err.as_str()), (0, ""), "{app} {options}");
    picture::load(png).unwrap()
}

/// Compare all, then fail for all that differ at once.
fn frames(mode: &str) {
    let home = Home::new();
    let mut wrong = Vec::new();
    for app in APPS {
        for (name, frame) in [
            ("phone", "--frame phone --size 390x844"),
            ("wide", "--frame wide --size 1280x800"),
            ("panel", "--frame panel"),
            ("s", "--frame widget:s"),
            ("m", "--frame widget:m"),
            ("l", "--frame widget:l"),
        ] {
            let shot = snapshot(&home, app, &format!("{frame} --mode {mode} --locale en-IE"));
            wrong.extend(
                check(&format!("shell/{app}.{name}.{mode}"), &shot, SAME)
                    .err()
                    .map(|e| e.to_string()),
            );
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

#[test]
fn every_bundled_package_looks_as_it_should_in_light() {
    frames("light");
}

#[test]
fn every_bundled_package_looks_as_it_should_in_dark() {
    frames("dark");
}

#[test]
fn beyond_a_widgets_corners_its_picture_is_empty() {
    let home = Home::new();
    for frame in ["widget:s", "panel"] {
        let shot = snapshot(&home, "ede.tasks", &format!("--frame {frame} --mode dark"));
        let (right, bottom) = (shot.width() - 1, shot.height() - 1);
        for (x, y) in [(0, 0), (right, 0), (0, bottom), (right, bottom)] {
            assert_eq!(shot.get_pixel(x, y).0[3], 0, "{frame} {x},{y}");
        }
    }
}

#[test]
fn right_to_left_mirrors_the_page_and_its_lists() {
    let home = Home::new();
    for app in ["ede.clock", "ede.tasks"] {
        let shot = snapshot(&home, app, "--frame phone --size 390x844 --locale he");
        assert_golden(&format!("shell/{app}.phone.rtl"), &shot, SAME);
    }
}

#[test]
fn scripts_of_the_systems_fonts_are_in_the_first_picture() {
    // Arabic digits are in no bundled face. A machine without any font for them shows boxes, which is ink as well.
    let home = Home::new();
    let clock = snapshot(
        &home,
        "ede.clock",
        "--frame phone --size 390x844 --locale ar",
    );
    let days = picture::crop(&clock, 24, 190, 340, 220);
    let dark = picture::count(&days, |p| p[0] < 0x60 && p[1] < 0x60 && p[2] < 0x60);
    let cell = 43 * 32;
    assert!(
        dark > cell + 400,
        "the digits of the days: {dark} dark pixels"
    );
}

/// A home with the records of the sample world and the session without what shows this machine.
fn session(wallpaper: &str) -> Home {
    let home = Home::new();
    for (file, gone) in [
        ("panel-top", vec!["system"]),
        ("desktop", vec!["system"]),
        ("session", vec![]),
    ] {
        let bundled =
            std::fs::read_to_string(workspace(&format!("assets/ui/{file}.ede-ui.json"))).unwrap();
        let mut document: Value = serde_json::from_str(&bundled).unwrap();
        if file == "session" {
            document["session"]["wallpaper"] = serde_json::from_str(wallpaper).unwrap();
        } else {
            let list = document["components"].as_array_mut().unwrap();
            list.retain(|c| !gone.contains(&c["id"].as_str().unwrap()));
            for component in list {
                if let Some(children) = component.get_mut("children").and_then(Value::as_array_mut)
                {
                    children.retain(|c| !gone.contains(&c.as_str().unwrap()));
                }
            }
        }
        std::fs::create_dir_all(home.path("config/ui")).unwrap();
        home.file(
            &format!("config/ui/{file}.ede-ui.json"),
            document.to_string(),
        );
    }
    let run = |arguments: &[&str]| {
        let ran = home.ede(arguments);
        assert_eq!((ran.code, ran.err.as_str()), (0, ""), "{arguments:?}");
    };
    let first = home.path("first.png");
    run(&[
        "run",
        "--offscreen",
        first.to_str().unwrap(),
        "--size",
        "64x64",
    ]);
    for (app, kind) in [
        ("ede.tasks", "task"),
        ("ede.notes", "note"),
        ("ede.hours", "entry"),
        ("ede.hours", "work"),
    ] {
        let file = workspace(&format!("fixtures/apps/{app}.{kind}.records.json"));
        run(&["records", "put", app, kind, file.to_str().unwrap()]);
    }
    home
}

fn desktop(home: &Home, options: &str) -> picture::Picture {
    let png = home.path("desktop.png");
    let mut arguments = vec!["run", "--offscreen", png.to_str().unwrap()];
    arguments.extend(MOMENT);
    arguments.extend(options.split(' ').filter(|o| !o.is_empty()));
    let mut command = home.command(&support::binary());
    let ran = command
        .env("LANG", "en_IE.UTF-8")
        .args(arguments)
        .output()
        .unwrap();
    assert!(
        ran.status.success(),
        "{}",
        String::from_utf8_lossy(&ran.stderr)
    );
    picture::load(png).unwrap()
}

#[test]
fn the_session_shows_the_records_in_light_and_dark() {
    let home = session(r#"{"kind": "gradient"}"#);
    assert_golden("shell/session.light", &desktop(&home, ""), SAME);
    assert_golden("shell/session.dark", &desktop(&home, "--dark"), SAME);
}

/// The same panel document, moved to a side.
#[test]
fn the_default_panel_stands_down_a_side_in_both_directions() {
    for (edge, locale, name, x) in [
        ("left", "en-IE", "panel.left", 0),
        ("right", "he", "panel.right.rtl", 576),
    ] {
        let home = session(r#"{"kind": "color", "color": "$color.muted"}"#);
        let change = |file: &str, pointer: &str, value: Value| {
            let path = home.path(&format!("config/ui/{file}.ede-ui.json"));
            let mut document: Value =
                serde_json::from_str(&std::fs::read_to_string(&path).unwrap()).unwrap();
            let (parent, key) = pointer.rsplit_once('/').unwrap();
            document.pointer_mut(parent).unwrap()[key] = value;
            std::fs::write(path, document.to_string()).unwrap();
        };
        change("panel-top", "/place/edge", edge.into());
        change("session", "/session/locale", locale.into());
        let whole = desktop(&home, "--size 640x800");
        assert_golden(
            &format!("shell/{name}"),
            &picture::crop(&whole, x, 0, 64, 800),
            SAME,
        );
    }
}

#[test]
fn the_session_is_drawn_at_fractional_and_double_scale() {
    // A plain wallpaper keeps these large pictures small.
    let home = session(r#"{"kind": "color", "color": "$color.muted"}"#);
    assert_golden(
        "shell/session.scale-1.5",
        &desktop(&home, "--scale 1.5"),
        SAME,
    );
    assert_golden("shell/session.scale-2", &desktop(&home, "--scale 2"), SAME);
}

/// Texts of the reference processor that are not in our dump: stream, text, why.
const MISSES: &[(&str, &str, &str)] = &[
    (
        "samples_agent_adk_custom-components-example_0.9_org_chart.json",
        "Organizational Chart",
        "an inline catalog of its own, with a component nobody else has",
    ),
    (
        "spec_v0_9_basic_05_product-card.json",
        "(2,847 reviews)",
        CALLS,
    ),
    (
        "spec_v0_9_basic_17_event-detail.json",
        "Fri, Dec 19 • 2:00 PM - 3:30 PM",
        CALLS,
    ),
    (
        "spec_v0_9_basic_19_software-purchase.json",
        "$1,188.00/year",
        CALLS,
    ),
    (
        "spec_v0_9_basic_23_step-counter.json",
        "84% of 10,000 goal",
        CALLS,
    ),
    (
        "spec_v0_9_basic_24_recipe-card.json",
        "(1,247 reviews)",
        CALLS,
    ),
];
const CALLS: &str = "calls inside of formatString, which eui-core 0.6 does not evaluate";

/// The Text strings of a resolved tree that are seen: closed overlays and inactive tabs are not.
fn texts(node: &Value, out: &mut Vec<String>) {
    match node {
        Value::Array(list) => list.iter().for_each(|n| texts(n, out)),
        Value::Object(members) => {
            let kind = node["type"].as_str().unwrap_or_default();
            if let ("Text", Some(text)) = (kind, node["text"].as_str()) {
                out.push(text.to_owned());
            }
            for (name, value) in members {
                match (kind, name.as_str(), value) {
                    ("Modal", "content", _) => {}
                    ("Tabs", "tabs", Value::Array(tabs)) => {
                        tabs.iter().take(1).for_each(|t| texts(t, out))
                    }
                    _ => texts(value, out),
                }
            }
        }
        _ => {}
    }
}

#[test]
fn every_text_of_the_public_streams_is_in_the_dump() {
    let samples = workspace("../shared/a2ui");
    let Ok(expected) = std::fs::read_dir(samples.join("expected")) else {
        println!("not run: the public A2UI streams are not beside the repository (shared/a2ui)");
        return;
    };
    let home = Home::new();
    let (png, dump) = (home.path("shot.png"), home.path("dump.json"));
    let (mut missed, mut seen) = (BTreeSet::new(), 0);
    for entry in expected {
        let path = entry.unwrap().path();
        let name = path.file_name().unwrap().to_str().unwrap().to_owned();
        let tree: Value = serde_json::from_slice(&std::fs::read(&path).unwrap()).unwrap();
        let stream = samples.join("streams").join(&name);
        for (surface, resolved) in tree["surfaces"].as_object().unwrap() {
            let mut arguments = vec![
                "snapshot",
                stream.to_str().unwrap(),
                "-o",
                png.to_str().unwrap(),
                "--surface",
                surface,
            ];
            arguments.extend([
                "--dump",
                dump.to_str().unwrap(),
                "--locale",
                "en-US",
                "--now",
                "2026-11-30T09:41:00Z",
                "--tz",
                "UTC",
            ]);
            let ran = home.ede(arguments);
            assert_eq!(ran.code, 0, "{name}: {}", ran.err);
            let dumped: Value = serde_json::from_slice(&std::fs::read(&dump).unwrap()).unwrap();
            let shown: Vec<&str> = dumped["nodes"]
                .as_array()
                .unwrap()
                .iter()
                .filter_map(|n| n["text"].as_str())
                .collect();
            let mut wanted = Vec::new();
            texts(&resolved["tree"], &mut wanted);
            for text in wanted.into_iter().filter(|t| !t.trim().is_empty()) {
                if shown.iter().any(|s| s.contains(&text)) {
                    seen += 1;
                } else {
                    missed.insert((name.clone(), text));
                }
            }
        }
    }
    let known: BTreeSet<(String, String)> = MISSES
        .iter()
        .map(|(s, t, _)| ((*s).to_owned(), (*t).to_owned()))
        .collect();
    assert_eq!(missed, known, "{seen} texts were found");
}
