//! Files for an app's own: picked in a dialog or dropped, kept, on a record, and on screen as a picture; and none of it for another app.

use std::path::PathBuf;

use ede_tests::bus::Bus;
use ede_tests::compositor::{Compositor, Globals, LEFT, Request, Scene, SurfaceView};
use ede_tests::picture::{self, Picture};
use ede_tests::program::{Ede, Shell};
use serde_json::{Value, json};

use super::files::uri;
use super::harness::{Desktop, one, painted, panel, wait_for};
use super::portal::{Does, Portal};

/// Receipts with their pictures.
fn shelf(id: &str) -> Value {
    json!({
        "formatVersion": 3, "id": id, "name": "Shelf", "version": "1.0.0", "catalogId": "https://ui.exponential.at/catalogs/core/v1",
        "description": "Receipts with their pictures.", "sources": ["records:receipt"], "functions": ["actions.*"],
        "records": {"receipt": {"schema": {"type": "object", "required": ["file"], "properties": {"file": {"type": "string", "format": "attachment"}}}}},
        "actions": {"keep": {
            "params": {"type": "object", "required": ["file"], "properties": {"file": {"type": "string"}}},
            "steps": [{"require": "params.file != ''", "message": "Choose a file first."}, {"records.upsert": {"kind": "receipt", "data": {"file": "params.file"}}}, {"set": {"path": "/draft/files", "value": "[]"}}]}},
        "screens": [{"template": "main", "title": "Shelf"}],
        "templates": {"main": {"data": {"draft": {"files": []}}, "bindings": [{"path": "/receipts", "source": "records:receipt?limit=4"}], "components": [
            {"id": "root", "component": "Box", "style": {"display": "flex", "flexDirection": "column", "gap": 16, "padding": 24}, "children": ["keep", "upload", "list"]},
            {"id": "keep", "component": "Button", "label": "Keep", "on": {"press": {"functionCall": {"call": "actions.keep", "args": {"file": {"path": "/draft/files/0/url"}}}}}},
            {"id": "upload", "component": "FileUpload", "label": "Receipt", "name": "receipt", "accept": "image/*", "maxSize": 100000, "files": {"path": "/draft/files"}},
            {"id": "list", "component": "List", "children": {"path": "/receipts/rows", "componentId": "picture"}},
            {"id": "picture", "component": "Image", "src": {"path": "file"}, "alt": "A receipt", "style": {"width": 96, "height": 96}}]}},
    })
}

/// A window of the app `test.shelf`, beside another app of the same making.
struct Open {
    _shell: Shell,
    compositor: Compositor,
    ede: Ede,
    window: SurfaceView,
}

/// Within the window, shadow included.
const KEEP: (f64, f64) = (504.0, 160.0);
const BROWSE: (f64, f64) = (504.0, 313.0);

fn opened(ede: &Ede, compositor: &Compositor) -> SurfaceView {
    let opened = ede.command(&["open", "test.shelf"]).output().unwrap();
    assert!(opened.status.success(), "{opened:?}");
    compositor.wait_for("the window", |s| {
        s.toplevel("test.shelf").filter(|w| painted(w)).cloned()
    })
}

impl Open {
    fn start(bus: &Bus) -> Open {
        let ede = Ede::new();
        for id in ["test.shelf", "test.other"] {
            ede.write_package(id, &shelf(id).to_string());
        }
        let compositor = Compositor::start(Globals::all());
        compositor.add_output(one());
        let shell = ede.run_on_bus(bus, &compositor);
        compositor.wait_for("a panel", |s: &Scene| {
            s.layer("ede-panel").filter(|p| painted(p)).map(drop)
        });
        let window = opened(&ede, &compositor);
        Open {
            _shell: shell,
            compositor,
            ede,
            window,
        }
    }

    fn press(&self, (x, y): (f64, f64)) {
        let (left, top) = self.window.origin;
        let pointer = self.compositor.pointer();
        pointer
            .motion_to(f64::from(left) + x, f64::from(top) + y)
            .click(LEFT);
    }

    fn path(&self, name: &str) -> PathBuf {
        self.ede.data().parent().unwrap().join(name)
    }

    fn records(&self) -> Vec<Value> {
        let ran = self
            .ede
            .command(&["records", "list", "test.shelf", "--json"]);
        let ran = { ran }.output().unwrap();
        serde_json::from_slice(&ran.stdout).unwrap()
    }

    /// Press Keep until there is this many records.
    fn keep(&self, many: usize) -> Vec<Value> {
        wait_for("a record", || {
            self.press(KEEP);
            let records = self.records();
            (records.len() >= many).then_some(records)
        })
    }

    fn kept(&self) -> usize {
        let folder = std::fs::read_dir(self.ede.data().join("files"));
        folder.into_iter().flatten().count()
    }
}

fn is_red(p: [u8; 4]) -> bool {
    p[0] > 0xc0 && p[1] < 0x20 && p[2] < 0x20
}

/// A red picture at this path.
fn red(path: PathBuf) -> PathBuf {
    let red = Picture::from_pixel(40, 40, [0xe0, 0, 0, 0xff].into());
    red.save(&path).unwrap();
    path
}

#[test]
fn a_picked_picture_is_kept_on_a_record_and_shown() {
    let bus = Bus::start();
    let portal = Portal::on(&bus);
    let open = Open::start(&bus);
    let file = red(open.path("receipt.png"));
    portal.person(Does::Picks(vec![uri(&file)]));
    open.press(BROWSE);
    assert_eq!(portal.asked().method, "OpenFile");
    wait_for("the file", || (open.kept() == 1).then_some(()));
    let record = open.keep(1).remove(0);
    open.compositor.wait_for("the picture", |s| {
        let picture = s.surface(open.window.id)?.picture();
        (picture::count(&picture, is_red) > 5000).then_some(())
    });
    let address = record["data"]["file"].as_str().unwrap();
    let id = address.strip_prefix("/api/attachments/").unwrap();
    let kept = open.ede.data().join("files").join(id);
    assert_eq!(std::fs::read(kept).unwrap(), std::fs::read(file).unwrap());
    // It is no other app's to name.
    let spy = open.path("spy.json");
    std::fs::write(&spy, json!({"data": {"file": address}}).to_string()).unwrap();
    let put = [
        "records",
        "put",
        "test.other",
        "receipt",
        spy.to_str().unwrap(),
    ];
    let ran = open.ede.command(&put).output().unwrap();
    let said = String::from_utf8_lossy(&ran.stderr);
    assert!(
        said.contains("must be files uploaded to this app"),
        "{said}"
    );
}

#[test]
fn what_is_dropped_is_kept_where_the_component_takes_it() {
    let bus = Bus::start();
    let open = Open::start(&bus);
    let letter = open.path("letter.txt");
    std::fs::write(&letter, "Dear Ines").unwrap();
    let large = red(open.path("large.png"));
    std::fs::File::options()
        .append(true)
        .open(&large)
        .unwrap()
        .set_len(200_000)
        .unwrap();
    let receipt = red(open.path("receipt.png"));
    let (mut drops, mut finished) = (0, 0);
    for (file, taken) in [(letter, false), (large, false), (receipt, true)] {
        let list = format!("{}\r\n", uri(&file));
        open.compositor.drag(&[("text/uri-list", list.as_bytes())]);
        open.compositor
            .pointer()
            .motion(open.window.id, BROWSE.0 - 100.0, BROWSE.1);
        let count = |s: &Scene, what: &Request| s.requests.iter().filter(|r| *r == what).count();
        open.compositor.wait_for("the drag is taken", |s| {
            let accepts = Request::DragAccept(Some("text/uri-list".into()));
            (count(s, &accepts) > drops).then_some(())
        });
        open.compositor
            .pointer()
            .motion(open.window.id, BROWSE.0 - 101.0, BROWSE.1)
            .release(LEFT);
        drops = open.compositor.wait_for("the drop", |s| {
            let accepts = Request::DragAccept(Some("text/uri-list".into()));
            let over = count(s, &Request::DragFinished) > finished;
            over.then(|| count(s, &accepts))
        });
        finished += 1;
        if taken {
            let record = open.keep(1).remove(0);
            assert!(
                record["data"]["file"]
                    .as_str()
                    .unwrap()
                    .starts_with("/api/attachments/")
            );
        }
    }
    assert_eq!(
        open.kept(),
        1,
        "what is no picture or too large is not kept"
    );
}

#[test]
fn a_file_that_cannot_be_kept_leaves_the_list_and_is_told_of() {
    let bus = Bus::start();
    let portal = Portal::on(&bus);
    let open = Open::start(&bus);
    // Something else is where the files of apps go.
    std::fs::write(open.ede.data().join("files"), "").unwrap();
    let file = red(open.path("receipt.png"));
    portal.person(Does::Picks(vec![uri(&file)]));
    open.press(BROWSE);
    portal.asked();
    open.compositor.wait_for("a message", |s| {
        s.layer("ede-toast").filter(|t| painted(t)).map(drop)
    });
    // Where the file would be listed there is nothing.
    open.compositor.wait_for("an empty list", |s| {
        let picture = s.surface(open.window.id)?.picture();
        let row = picture::crop(&picture, 100, 356, 500, 30);
        (picture::count(&row, |p| p[0] < 0x80) == 0).then_some(())
    });
    assert_eq!(open.records(), [] as [Value; 0]);
}

#[test]
fn a_window_that_closes_takes_its_dialog_along() {
    let bus = Bus::start();
    let portal = Portal::on(&bus);
    let mut open = Open::start(&bus);
    portal.person(Does::Waits);
    open.press(BROWSE);
    portal.asked();
    open.compositor.close_toplevel(open.window.id);
    open.compositor.wait_for("no window", |s| {
        s.toplevels().next().is_none().then_some(())
    });
    // The app may ask again: one dialog at a time is open for it.
    open.window = opened(&open.ede, &open.compositor);
    let file = red(open.path("receipt.png"));
    portal.person(Does::Picks(vec![uri(&file)]));
    wait_for("the file", || {
        open.press(BROWSE);
        (open.kept() > 0).then_some(())
    });
}

/// A panel with one app, whose popup takes a receipt.
fn receipts() -> Desktop {
    let ede = Ede::new();
    let mut package = shelf("test.shelf");
    package["screens"][0]["widget"] =
        json!([{"template": "small", "size": "s"}, {"template": "main", "size": "l"}]);
    package["templates"]["small"] =
        json!({"components": [{"id": "root", "component": "Text", "text": "Shelf"}]});
    ede.write_package("test.shelf", &package.to_string());
    let app = r#""components": [{"id": "root", "component": "Box", "children": ["shelf"]}, {"id": "shelf", "component": "AppWidget", "app": "test.shelf", "size": "s"}]"#;
    ede.write_document("panel-top", &panel(r#"{"edge": "top"}"#, app));
    red(ede.data().parent().unwrap().join("receipt.png"));
    let (d, _) = Desktop::start_with(&[one()], ede);
    d.panel();
    d
}

#[test]
fn a_popup_waits_behind_the_sheet_its_file_is_picked_in_and_gets_it() {
    let d = receipts();
    d.press(LEFT, (28.0, 28.0));
    let popup = d.popup(None);
    let shown = d.compositor.wait_for("the component", |s| {
        s.surface(popup).filter(|p| painted(p)).cloned()
    });
    let ink = |s: &Scene| {
        let picture = s.surface(popup).unwrap().picture();
        picture::count(&picture, |p| p[3] > 0x80)
    };
    let (left, top) = shown.origin;
    let at = |y: f64| (f64::from(left) + 208.0, f64::from(top) + y);
    let (keep, browse) = (at(96.0), at(249.0));
    d.press(LEFT, browse);
    // Where a compositor has popups above sheets it would lie over this one.
    d.compositor.wait_for("the sheet, and nothing else", |s| {
        s.layer("ede-sheet").filter(|w| painted(w))?;
        (ink(s) == 0).then_some(())
    });
    d.press(LEFT, (600.0, 500.0));
    let home = d.ede.data().parent().unwrap().to_path_buf();
    let folders = std::fs::read_dir(&home).unwrap();
    let folders = folders
        .filter(|e| e.as_ref().unwrap().path().is_dir())
        .count();
    for _ in 0..=folders {
        d.compositor.keyboard().tap("Down");
    }
    wait_for("the end of the sheet", || {
        d.compositor.keyboard().tap("Return");
        d.compositor
            .scene()
            .layer("ede-sheet")
            .is_none()
            .then_some(())
    });
    d.compositor.wait_for("the same popup again", |s| {
        (s.popup()?.id == popup && ink(s) > 10_000).then_some(())
    });
    let kept = || std::fs::read_dir(d.ede.data().join("files")).map_or(0, Iterator::count);
    wait_for("the file", || (kept() == 1).then_some(()));
    let records = || {
        let mut list = d.ede.command(&["records", "list", "test.shelf", "--json"]);
        let read: Vec<Value> = serde_json::from_slice(&list.output().unwrap().stdout).unwrap();
        read.len()
    };
    wait_for("a record", || {
        d.press(LEFT, keep);
        (records() > 0).then_some(())
    });
    d.press(LEFT, (28.0, 28.0));
    d.no_popup();
}

#[test]
fn a_sheet_goes_with_the_popup_that_asked_for_it_and_leaves_it_when_nothing_is_picked() {
    let d = receipts();
    for dismissed in [false, true] {
        d.press(LEFT, (28.0, 28.0));
        let popup = d.popup(None);
        let shown = d.compositor.wait_for("the component", |s| {
            s.surface(popup).filter(|p| painted(p)).cloned()
        });
        let (left, top) = shown.origin;
        d.press(LEFT, (f64::from(left) + 208.0, f64::from(top) + 249.0));
        d.compositor.wait_for("the sheet", |s| {
            s.layer("ede-sheet").filter(|w| painted(w)).map(drop)
        });
        match dismissed {
            true => d.compositor.dismiss_popup(popup),
            false => drop(d.compositor.keyboard().tap("Escape")),
        }
        d.compositor
            .wait_for("no sheet", |s| s.layer("ede-sheet").is_none().then_some(()));
        if !dismissed {
            d.compositor.wait_for("the popup", |s| {
                s.surface(popup).filter(|p| painted(p)).map(drop)
            });
            d.press(LEFT, (28.0, 28.0));
        }
        d.no_popup();
    }
}
