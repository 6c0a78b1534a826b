//! Bad input, kind by kind: `ede check` names it at its place, a running shell keeps what was good, shows an error tile where nothing was,
//! and goes on. Files too large or too strange to lie in `fixtures/` are made here; the rest are there, each with its line in the
//! engine's tables.
#![allow(clippy::unwrap_used, clippy::expect_used)]

mod support;

use std::os::unix::fs::{PermissionsExt, symlink};
use std::path::{Path, PathBuf};

use ede_tests::compositor::{Compositor, Globals, OutputSpec, SurfaceView};
use ede_tests::picture;
use ede_tests::program::{Ede, Shell};
use serde_json::{Value, json};
use support::Home;

/// A pipe nobody writes to.
fn pipe(path: &Path) {
    let mode = rustix::fs::Mode::RUSR | rustix::fs::Mode::WUSR;
    let fifo = rustix::fs::FileType::Fifo;
    rustix::fs::mknodat(rustix::fs::CWD, path, fifo, mode, 0).unwrap();
}

/// A small package that checks, its page saying `text`.
fn package(text: &str) -> Value {
    json!({
        "formatVersion": 3, "id": "bad.input", "name": "Bad input", "version": "1.0.0", "catalogId": "https://ui.exponential.at/catalogs/core/v1",
        "icon": {"glyph": "clock", "color": "blue"}, "description": "A package to break",
        "templates": {"main": {"components": [{"id": "root", "component": "Text", "text": text}]}},
        "screens": [{"template": "main", "title": "Main", "widget": {"template": "main", "size": "s"}}],
    })
}

fn with_components(components: Value) -> String {
    let mut package = package("");
    package["templates"]["main"]["components"] = components;
    package.to_string()
}

/// A panel that shows the package, this thick.
fn panel(thickness: u32) -> Value {
    json!({
        "formatVersion": 1, "id": "panel-top", "kind": "panel", "place": {"edge": "top", "thickness": thickness},
        "components": [{"id": "root", "component": "Box", "children": ["w"]}, {"id": "w", "component": "AppWidget", "app": "bad.input"}],
    })
}

/// Every kind of broken package: what it is, its bytes, the pointer of the problem, a part of its words.
fn broken() -> Vec<(&'static str, Vec<u8>, &'static str, &'static str)> {
    let text = |t: &str| json!([{"id": "root", "component": "Text", "text": t}]);
    let boxed =
        |style: Value| json!([{"id": "root", "component": "Box", "children": [], "style": style}]);
    let deep = format!("{}{}", "[".repeat(3000), "]".repeat(3000));
    let chain: Vec<Value> = (0..200)
        .map(|n| {
            let id = if n == 0 {
                "root".to_string()
            } else {
                format!("c{n}")
            };
            json!({"id": id, "component": "Box", "children": [format!("c{}", n + 1)]})
        })
        .chain([json!({"id": "c200", "component": "Text", "text": "deep"})])
        .collect();
    let good = package("whole").to_string();
    let numbers = |number: &str| good.replace("\"whole\"", number).into_bytes();
    vec![
        ("nothing", vec![], "", "empty"),
        ("no JSON", b"hello".to_vec(), "", "JSON"),
        ("half a file", good.as_bytes()[..good.len() / 2].to_vec(), "", "ends too early"),
        ("bytes that are no text", vec![0xff, 0xfe, 0x00, 0x80], "", "UTF-8"),
        ("zero bytes", vec![0; 4096], "", "UTF-8"),
        ("one byte too many", {
            let mut long = good.clone().into_bytes();
            long.resize(128 * 1024 + 1, b' ');
            long
        }, "", "128"),
        ("a string of a megabyte", with_components(text(&"x".repeat(1 << 20))).into_bytes(), "", "128"),
        ("not a number", numbers("NaN"), "", "not a JSON value"),
        ("an endless number", numbers("1e999"), "", "number"),
        ("nesting of the text", deep.into_bytes(), "", "nested"),
        ("nesting of the tree", with_components(json!(chain)).into_bytes(), "/templates/main/components", "deep"),
        ("an unknown component", with_components(json!([{"id": "root", "component": "Txet"}])).into_bytes(), "/templates/main/components/0/component", "did you mean"),
        ("a wrong prop", with_components(json!([{"id": "root", "component": "Text", "text": 5, "lines": "many"}])).into_bytes(), "/templates/main/components/0/lines", ""),
        ("a cycle", with_components(json!([{"id": "root", "component": "Box", "children": ["a"]}, {"id": "a", "component": "Box", "children": ["root"]}])).into_bytes(), "/templates/main/components", ""),
        ("no root", with_components(json!([{"id": "a", "component": "Text", "text": "a"}])).into_bytes(), "/templates/main/components", "root"),
        ("a hostile size", with_components(boxed(json!({"width": 1e30}))).into_bytes(), "/templates/main/components/0/style/width", ""),
        ("a negative size", with_components(boxed(json!({"height": -5}))).into_bytes(), "/templates/main/components/0/style/height", ""),
    ]
}

#[test]
fn check_names_every_kind_of_broken_package() {
    let home = Home::new();
    let mut wrong = Vec::new();
    for (what, bytes, pointer, words) in broken() {
        let file = home.file("bad.input.app.json", bytes);
        let ran = home.ede(["check", "--json", file.to_str().unwrap()]);
        let report: Value = serde_json::from_str(&ran.out).unwrap_or_default();
        let issues = report[0]["issues"].as_array().cloned().unwrap_or_default();
        let found = issues.iter().any(|i| {
            i["path"].as_str().unwrap().starts_with(pointer)
                && i["message"].as_str().unwrap().contains(words)
                && i["line"].is_u64()
                && i["column"].is_u64()
        });
        if ran.code != 1 || !ran.err.is_empty() || report[0]["ok"] != json!(false) || !found {
            wrong.push(format!(
                "{what}: code {}, {} {issues:#?}",
                ran.code, ran.err
            ));
        }
        // What does not check is neither installed nor drawn, and says why in one line.
        home.error(&format!("apps install {}", file.display()));
        home.error(&format!(
            "snapshot {} -o {}",
            file.display(),
            home.path("x.png").display()
        ));
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

#[test]
fn check_reads_files_that_are_no_files_without_waiting_or_failing() {
    let home = Home::new();
    let (folder, looped, gone) = (
        home.path("folder.app.json"),
        home.path("loop.app.json"),
        home.path("gone.app.json"),
    );
    std::fs::create_dir(&folder).unwrap();
    symlink(&looped, &looped).unwrap();
    symlink("nowhere", &gone).unwrap();
    for file in [&folder, &looped, &gone] {
        home.error(&format!("check {}", file.display()));
    }
    let endless = home.ede(["check", "--json", "/dev/zero"]);
    assert_eq!(endless.code, 1);
    assert!(endless.out.contains("at most"), "{}", endless.out);
    // A pipe that lies beside the file, where themes are looked for.
    pipe(&home.path("pipe.json"));
    let good = home.file("bad.input.app.json", package("whole").to_string());
    home.ok(&format!("check {}", good.display()));
}

/// What a person cannot see lets the rest be drawn: the fallbacks are there.
#[test]
fn what_is_missing_has_a_visible_stand_in() {
    let home = Home::new();
    let seen = |component: Value| {
        let mut root = component;
        root["id"] = json!("root");
        let file = home.file("bad.input.app.json", with_components(json!([root])));
        let out = home.path("out.png");
        home.ok(&format!(
            "snapshot {} -o {} --size 100x100",
            file.display(),
            out.display()
        ));
        picture::colours(&picture::load(out).unwrap())
    };
    assert!(
        seen(
            json!({"component": "Image", "src": "data:image/png;base64,AAAA", "alt": "A cat", "width": 80, "height": 80})
        ) > 1
    );
    assert!(
        seen(
            json!({"component": "Image", "src": "https://example.org/cat.png", "alt": "A cat", "width": 80, "height": 80})
        ) > 1
    );
    assert!(
        seen(
            json!({"component": "Text", "text": "Text", "style": {"fontFamily": "$type.family.mono"}})
        ) > 1
    );
}

/// A shell with the panel on a fake compositor. The fields go in this order: the compositor fails the test for what the shell did wrong.
struct Desk {
    shell: Shell,
    compositor: Compositor,
    ede: Ede,
}

impl Desk {
    fn start(ede: Ede) -> Desk {
        let compositor = Compositor::start(Globals::all());
        compositor.add_output(OutputSpec::new("DP-1", 1280, 800));
        Desk {
            shell: ede.run_on(&compositor),
            compositor,
            ede,
        }
    }

    /// The panel once it reserves `thickness`: whatever was saved before has been seen by then.
    fn panel(&self, thickness: u32) -> SurfaceView {
        self.compositor
            .wait_for(&format!("a panel of {thickness}"), |s| {
                let panel = s.layer("ede-panel")?;
                let zone = panel.layer()?.place.exclusive_zone;
                (zone >= thickness as i32
                    && zone < thickness as i32 + 10
                    && !panel.picture().is_empty())
                .then(|| panel.clone())
            })
    }

    fn apps(&self) -> PathBuf {
        self.ede.data().join("apps")
    }
}

/// How many dark pixels a part of the panel has: text.
fn ink(panel: &SurfaceView) -> usize {
    picture::count(&panel.picture(), |p| {
        p[3] > 200 && p[0] < 0x70 && p[1] < 0x70 && p[2] < 0x70
    })
}

/// A home whose only document is the panel.
fn home_with(package: Option<&[u8]>) -> Ede {
    let ede = Ede::new();
    ede.write_document("panel-top", &panel(40).to_string());
    std::fs::create_dir_all(ede.data().join("apps")).unwrap();
    if let Some(bytes) = package {
        std::fs::write(ede.data().join("apps/bad.input.app.json"), bytes).unwrap();
    }
    ede
}

#[test]
fn a_running_shell_keeps_the_last_good_package_and_goes_on() {
    let mut desk = Desk::start(home_with(Some(package("whole").to_string().as_bytes())));
    let before = ink(&desk.panel(40));
    assert!(before > 0, "the package's text is on the panel");
    for (n, (what, bytes, ..)) in broken().into_iter().enumerate() {
        std::fs::write(desk.apps().join("bad.input.app.json"), bytes).unwrap();
        // The next document is taken up after it.
        let thickness = 60 + 20 * (n as u32 % 2);
        desk.ede
            .write_document("panel-top", &panel(thickness).to_string());
        let panel = desk.panel(thickness);
        assert!(ink(&panel) > 0, "{what}: the last good version stays");
        assert!(desk.shell.runs(), "{what}");
    }
}

#[test]
fn a_package_that_was_never_good_is_an_error_tile_with_its_name() {
    for (what, bytes, ..) in broken().into_iter().step_by(4) {
        let mut desk = Desk::start(home_with(Some(&bytes)));
        let panel = desk.panel(40);
        // The tile's triangle is the theme's red.
        let red = picture::count(&panel.picture(), |p| {
            p[0] > 0xb0 && p[1] < 0x50 && p[2] < 0x50
        });
        assert!(red > 20, "{what}: {red} red pixels");
        assert!(desk.shell.runs(), "{what}");
    }
}

#[test]
fn folders_links_and_pipes_among_the_files_are_passed_over() {
    let ede = home_with(Some(package("whole").to_string().as_bytes()));
    let (apps, ui) = (ede.data().join("apps"), ede.config().join("ui"));
    for (folder, ending) in [(&apps, "app.json"), (&ui, "ede-ui.json")] {
        let path = |name: &str| folder.join(format!("{name}.{ending}"));
        std::fs::create_dir(path("folder")).unwrap();
        symlink(path("loop"), path("loop")).unwrap();
        symlink("/nowhere", path("gone")).unwrap();
        symlink(folder, path("up")).unwrap();
        symlink("/dev/zero", path("endless")).unwrap();
        pipe(&path("pipe"));
        std::fs::write(path("closed"), "{}").unwrap();
        std::fs::set_permissions(path("closed"), std::fs::Permissions::from_mode(0o000)).unwrap();
    }
    let mut desk = Desk::start(ede);
    assert!(ink(&desk.panel(40)) > 0);
    desk.ede.write_document("panel-top", &panel(80).to_string());
    desk.panel(80);
    assert!(desk.shell.runs());
}

#[test]
fn a_document_of_every_broken_kind_leaves_the_panel_as_it_is() {
    let mut desk = Desk::start(home_with(Some(package("whole").to_string().as_bytes())));
    desk.panel(40);
    let good = panel(60).to_string();
    let file = desk.ede.config().join("ui/panel-top.ede-ui.json");
    let many: Vec<Value> = (0..5000)
        .map(|n| json!({"id": format!("c{n}"), "component": "Text", "text": "x"}))
        .collect();
    let huge = |of: &str, with: &str| good.replace(of, with).into_bytes();
    let broken: Vec<(&str, Vec<u8>)> = vec![
        ("nothing", vec![]),
        ("half", good.as_bytes()[..good.len() / 2].to_vec()),
        (
            "too large",
            good.clone()
                .into_bytes()
                .into_iter()
                .chain(std::iter::repeat_n(b' ', 1 << 20))
                .collect(),
        ),
        (
            "a string of a megabyte",
            huge("bad.input", &"x".repeat(1 << 20)),
        ),
        ("a hostile thickness", huge(":60", ":1e308")),
        ("a number without end", huge(":60", ":1e999")),
        ("a cycle", huge(r#"["w"]"#, r#"["root"]"#)),
        ("no root", huge(r#""root""#, r#""toor""#)),
        (
            "a component that is not there",
            huge("AppWidget", "AppWidgte"),
        ),
        ("a crowd", {
            let mut p = panel(60);
            p["components"] = json!(many);
            p.to_string().into_bytes()
        }),
    ];
    for (n, (what, bytes)) in broken.into_iter().enumerate() {
        std::fs::write(&file, bytes).unwrap();
        // A document beside it is taken up after it, at the other edge.
        let low = panel(50 + n as u32)
            .to_string()
            .replace("panel-top", "panel-low")
            .replace("\"top\"", "\"bottom\"");
        desk.ede.write_document("panel-low", &low);
        desk.compositor.wait_for(what, |s| {
            let zones: Vec<i32> = s
                .layers()
                .filter(|l| l.namespace() == Some("ede-panel"))
                .filter_map(|l| Some(l.layer()?.place.exclusive_zone))
                .collect();
            let low = 50 + n as i32;
            (zones.iter().any(|z| (low..low + 10).contains(z))
                && zones.iter().any(|z| (40..50).contains(z)))
            .then_some(())
        });
        assert!(desk.shell.runs(), "{what}");
    }
}

/// `ede` in this home with no file larger than `bytes`, which is what a full disk looks like to it.
fn on_a_full_disk(home: &Home, bytes: u64, line: &str) -> support::Ran {
    let ede = support::binary();
    let script = format!(
        "trap '' XFSZ; ulimit -f {}; exec \"$0\" \"$@\"",
        bytes / 1024
    );
    let mut command = home.command(Path::new("/bin/bash"));
    support::Ran::from(
        command
            .args(["-c", &script])
            .arg(ede)
            .args(line.split(' '))
            .output()
            .unwrap(),
    )
}

#[test]
fn a_full_disk_is_said_and_nothing_is_lost() {
    let home = Home::with_hours();
    let rows: Vec<Value> = (0..2000).map(|n| json!({"id": format!("e{n}"), "data": {"day": "2026-11-30", "hours": 1.0, "note": "x".repeat(400)}})).collect();
    let first = home.file("first.json", json!([rows[0]]).to_string());
    let rest = home.file("rest.json", json!(rows[1..]).to_string());
    home.ok(&format!("records put acme.hours entry {}", first.display()));
    let ran = on_a_full_disk(
        &home,
        256 * 1024,
        &format!("records put acme.hours entry {}", rest.display()),
    );
    assert_eq!((ran.code, ran.err.lines().count()), (1, 1), "{}", ran.err);
    assert!(ran.err.starts_with("error: "), "{}", ran.err);
    let kept = home.json("records list acme.hours entry --json");
    assert_eq!(
        kept.as_array().unwrap().len(),
        1,
        "the first record, and nothing of the batch"
    );
    let picture = on_a_full_disk(
        &home,
        1024,
        &format!(
            "snapshot {} -o {}",
            home.path("hours.app.json").display(),
            home.path("x.png").display()
        ),
    );
    assert_eq!(
        (picture.code, picture.err.lines().count()),
        (1, 1),
        "{}",
        picture.err
    );
}
