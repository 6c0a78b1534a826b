//! The command line as CLI.md says it, command by command: what is typed wrong ends with code 2 before anything is done, what cannot be
//! done with code 1 and one line that says what, where, and what to do.
#![allow(clippy::unwrap_used, clippy::expect_used)]

mod support;

use std::path::{Path, PathBuf};

use serde_json::{Value, json};
use support::Home;

fn workspace(path: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("..").join(path)
}

/// A home with a package beside it, and the line with `FILE` filled in.
fn filled(home: &Home, line: &str) -> String {
    let hours = home.file("hours.app.json", support::hours().to_string());
    line.replace("FILE", hours.to_str().unwrap())
        .replace("OUT", home.path("out.png").to_str().unwrap())
}

#[test]
fn what_is_typed_wrong_is_wrong_usage() {
    let home = Home::new();
    for line in [
        "run --renderer vulkan",
        "run --size 800x600",
        "run --scale 2",
        "run --offscreen OUT --size 0x5",
        "run --offscreen OUT --scale 0",
        "run --offscreen OUT --now yesterday",
        "run --offscreen OUT --tz Mars/Olympus",
        "open",
        "open NO!",
        "focus",
        "focus desk",
        "preview",
        "preview FILE --gallery",
        "preview FILE --locale !!",
        "preview FILE --mode grey",
        "snapshot FILE",
        "snapshot FILE -o OUT --frame widget:x",
        "snapshot FILE -o OUT --size 10",
        "snapshot FILE -o OUT --scale x",
        "snapshot FILE -o OUT --mode grey",
        "snapshot FILE -o OUT --locale !!",
        "snapshot FILE -o OUT --now 12:00",
        "snapshot FILE -o OUT --tz nowhere",
        "snapshot FILE -o OUT --renderer vulkan",
        "check",
        "apps",
        "records list",
        "query acme.hours",
        "query acme.hours records:entry --now x",
        "schema stream",
        "nothing",
    ] {
        let line = filled(&home, line);
        let ran = home.ede(line.split(' '));
        assert_eq!((ran.code, ran.out.as_str()), (2, ""), "ede {line}");
        assert!(
            ran.err.contains("error: ") || ran.err.contains("Usage: "),
            "ede {line}: {}",
            ran.err
        );
    }
    assert!(!home.path("out.png").exists());
}

#[test]
fn what_cannot_be_done_is_one_line_that_says_what_to_do() {
    let home = Home::new();
    let list = home.file("list.json", "[1]");
    let broken = home.file("broken.json", "{");
    let panel = workspace("assets/ui/panel-top.ede-ui.json");
    for (line, says) in [
        (
            "run --offscreen /nowhere/x.png",
            "cannot write /nowhere/x.png",
        ),
        (
            "run --offscreen OUT --size 16384x16384 --scale 8",
            "more than 16384",
        ),
        ("run --offscreen OUT --renderer wgpu", "--renderer wgpu"),
        ("run", "no Wayland compositor"),
        ("run", "ede run --offscreen PNG"),
        ("preview FILE", "no Wayland compositor"),
        ("preview FILE", "hours.app.json -o PNG`"),
        ("preview --gallery", "no Wayland compositor"),
        ("preview /nowhere.app.json", "no such file"),
        ("preview FILE --theme nope", "no theme nope"),
        (
            "preview FILE --theme nope.theme.json",
            "cannot read nope.theme.json",
        ),
        ("open acme.hours", "no shell is running"),
        (
            "open acme.hours main LIST",
            "a screen's parameters are an object",
        ),
        ("open acme.hours main BROKEN", "not JSON"),
        ("focus panel", "no shell is running"),
        ("snapshot /nowhere -o OUT", "cannot read /nowhere"),
        ("snapshot /dev/zero -o OUT", "holds more than"),
        (
            "snapshot FILE -o /nowhere/x.png",
            "cannot write /nowhere/x.png",
        ),
        (
            "snapshot FILE -o OUT --dump /nowhere/x.json",
            "cannot write /nowhere/x.json",
        ),
        ("snapshot FILE -o OUT --renderer wgpu", "--renderer wgpu"),
        ("snapshot FILE -o OUT --theme nope", "no theme nope"),
        (
            "snapshot FILE -o OUT --theme BROKEN",
            "the theme is wrong: the file ends too early",
        ),
        ("snapshot FILE -o OUT --theme FILE", "the theme is wrong"),
        (
            "snapshot FILE -o OUT --screen nope",
            "no screen nope, it has main",
        ),
        ("snapshot FILE -o OUT --frame widget:s", "no s widget"),
        ("snapshot FILE -o OUT --open nope", "no component nope"),
        (
            "snapshot FILE -o OUT --surface s",
            "only a stream has surfaces",
        ),
        (
            "snapshot PANEL -o OUT --screen x",
            "only a package has screens",
        ),
        (
            "snapshot FILE -o OUT --data LIST",
            "the data is not an object",
        ),
        ("snapshot FILE -o OUT --data BROKEN", "not JSON"),
        (
            "snapshot FILE -o OUT --size 16000x16000 --scale 8",
            "more than 16384",
        ),
        ("snapshot BROKEN -o OUT", "run `ede check` on it"),
        ("snapshot LIST -o OUT", "run `ede check` on it"),
        ("check /nowhere", "cannot read /nowhere"),
        ("apps install BROKEN", "ede check"),
        ("query acme.hours records:entry", "no app acme.hours"),
    ] {
        let line = filled(&home, line)
            .replace("LIST", list.to_str().unwrap())
            .replace("BROKEN", broken.to_str().unwrap())
            .replace("PANEL", panel.to_str().unwrap());
        let error = home.error(&line);
        assert!(error.contains(says), "ede {line}: {error}");
    }
}

#[test]
fn a_picture_is_taken_with_every_option() {
    let home = Home::new();
    let data = home.file("data.json", r#"{"entries": {"rows": []}}"#);
    let dump = home.path("dump.json");
    let line = format!(
        "snapshot FILE -o OUT --frame phone --size 400x300 --scale 2 --theme neutral --mode dark --locale de-AT --screen main --data {} \
         --now 2026-11-30T09:41:00+01:00 --tz Europe/Vienna --renderer software --dump {}",
        data.display(),
        dump.display()
    );
    let said = home.ok(&filled(&home, &line));
    assert!(said.ends_with("800 × 600 pixels\n"), "{said}");
    let dump: Value = serde_json::from_slice(&std::fs::read(dump).unwrap()).unwrap();
    assert_eq!(
        (&dump["width"], &dump["height"], &dump["issues"]),
        (&json!(400.0), &json!(300.0), &json!([]))
    );
    let text = dump["nodes"]
        .as_array()
        .unwrap()
        .iter()
        .find(|n| n["component"] == "Text")
        .unwrap();
    assert_eq!(text["text"], "Hours");
    assert_eq!(text["frame"].as_array().unwrap().len(), 4);
}

/// What there is of a node in a dump: its frame.
fn frame(dump: &Path, id: &str) -> Vec<f64> {
    let dump: Value = serde_json::from_slice(&std::fs::read(dump).unwrap()).unwrap();
    let nodes = dump["nodes"].as_array().unwrap();
    let node = nodes.iter().find(|n| n["id"] == id).unwrap();
    serde_json::from_value(node["frame"].clone()).unwrap()
}

#[test]
fn a_page_stands_in_a_picture_as_it_does_in_a_window_with_and_without_a_size() {
    let home = Home::new();
    let mut package = support::hours();
    package["templates"]["main"]["components"] = json!([
        {"id": "root", "component": "Box", "style": {"width": "100%", "maxWidth": 400, "alignSelf": "center"}, "children": ["page"]},
        {"id": "page", "component": "Text", "text": "Hours", "style": {"width": "100%"}},
    ]);
    let file = home.file("page.app.json", package.to_string());
    let (out, dump) = (home.path("out.png"), home.path("dump.json"));
    for options in ["--frame wide", "--frame wide --size 1280x800"] {
        home.ok(&format!(
            "snapshot {} -o {} --dump {} {options}",
            file.display(),
            out.display(),
            dump.display()
        ));
        let [x, _, w, _] = frame(&dump, "page")[..] else {
            panic!("a frame has four sides")
        };
        assert_eq!((x, w), (440.0, 400.0), "{options}");
    }
}

#[test]
fn a_package_with_a_test_that_fails_is_drawn_and_the_test_noted() {
    let home = Home::new();
    let mut package = support::hours();
    package["tests"] = json!([{"name": "one is two", "expr": {"expr": "1.0"}, "expect": 2}]);
    let file = home.file("failing.app.json", package.to_string());
    let out = home.path("out.png");
    let ran = home.ede([
        "snapshot",
        file.to_str().unwrap(),
        "-o",
        out.to_str().unwrap(),
    ]);
    assert_eq!(ran.code, 0, "{}", ran.err);
    assert!(out.is_file());
    let note = "/tests/0: the test `one is two` fails: 1, expected 2\n";
    assert!(
        ran.err.starts_with("note: ") && ran.err.ends_with(note),
        "{}",
        ran.err
    );
    assert_eq!(home.ede(["check", file.to_str().unwrap()]).code, 1);
}

#[test]
fn a_picture_of_the_session_tells_of_broken_files_and_leaves_the_launchers_alone() {
    let home = Home::new();
    let out = home.path("out.png");
    home.ok(&format!("run --offscreen {}", out.display()));
    assert!(home.path("data/apps/ede.notes.app.json").is_file());
    let error = home.error("run");
    assert!(error.contains("no Wayland compositor"), "{error}");
    assert!(!home.path("xdg").exists(), "no entries for other launchers");
    home.file("config/ui/panel-top.ede-ui.json", r#"{"id": "panel-top"}"#);
    home.file("data/apps/ede.notes.app.json", "{");
    let session = home.path("config/ui/session.ede-ui.json");
    let named = std::fs::read_to_string(&session).unwrap();
    std::fs::write(&session, named.replace("\"exponential\"", "\"mine\"")).unwrap();
    std::fs::create_dir_all(home.path("config/themes")).unwrap();
    home.file("config/themes/mine.theme.json", "{}");
    let ran = home.ede(["run", "--offscreen", out.to_str().unwrap()]);
    assert_eq!(ran.code, 0, "{}", ran.err);
    let told: Vec<&str> = ran.err.lines().collect();
    assert_eq!(told.len(), 3, "{}", ran.err);
    assert!(
        told.iter()
            .any(|t| t.starts_with("note: mine.theme.json: ")),
        "{told:?}"
    );
    assert!(
        told.iter()
            .any(|t| t.starts_with("note: panel-top.ede-ui.json: ")),
        "{told:?}"
    );
    assert!(
        told.iter()
            .any(|t| t.starts_with("note: ede.notes.app.json: ")),
        "{told:?}"
    );
}

#[test]
fn a_window_document_is_shown_as_its_window_with_its_widgets() {
    let home = Home::new();
    let (out, dump) = (home.path("out.png"), home.path("dump.json"));
    let file = workspace("fixtures/documents/good/welcome.ede-ui.json");
    home.ok(&format!(
        "snapshot {} -o {} --dump {}",
        file.display(),
        out.display(),
        dump.display()
    ));
    let document: Value = serde_json::from_slice(&std::fs::read(file).unwrap()).unwrap();
    let dump: Value = serde_json::from_slice(&std::fs::read(dump).unwrap()).unwrap();
    assert_eq!(
        json!([dump["width"], dump["height"]]),
        json!([
            document["place"]["size"][0].as_f64(),
            document["place"]["size"][1].as_f64()
        ])
    );
    let nodes = dump["nodes"].as_array().unwrap();
    assert!(nodes.iter().any(|n| n["id"] == "window.title"));
    assert_eq!(dump["issues"], json!([]));
}

#[test]
fn a_live_source_is_answered_for_an_app_that_may_follow_it() {
    let home = Home::new();
    let mut package = support::hours();
    package["sources"] = json!(["records:*", "ede:clock"]);
    let file = home.file("hours.app.json", package.to_string());
    home.ok(&format!("apps install {}", file.display()));
    let clock = home.json("query acme.hours ede:clock --now 2026-11-30T09:41:00Z");
    assert!(
        clock.to_string().contains("09:41") || clock.to_string().contains("9:41"),
        "{clock}"
    );
    let error = home.error("query acme.hours ede:windows");
    assert!(error.contains("ede:windows asked by acme.hours"), "{error}");
}

#[test]
fn a_query_is_answered_for_the_member_it_is_asked_as() {
    let home = Home::with_hours();
    let file = home.file(
        "entries.json",
        json!([
            {"data": {"day": "2026-11-30", "hours": 2.0}, "author": "ada"},
            {"data": {"day": "2026-11-30", "hours": 3.0}},
        ])
        .to_string(),
    );
    home.ok(&format!("records put acme.hours entry {}", file.display()));
    let mine = |line: &str| home.json(line)["rows"].as_array().unwrap().len();
    assert_eq!(mine("query acme.hours records:entry"), 2);
    assert_eq!(mine("query acme.hours records:entry?mine=true --as ada"), 1);
}
