//! Running apps: whose window the person is at, what a close cancels, and which windows come back when the shell does.

use std::path::PathBuf;

use ede_tests::bus::Bus;
use ede_tests::compositor::{Compositor, Globals, LEFT, Scene, SurfaceId, SurfaceView};
use ede_tests::picture::Picture;
use ede_tests::program::{Ede, Shell};
use serde_json::Value;

use super::files::audit;
use super::harness::{Desktop, one, painted, wait_for};
use super::portal::{Does, Portal};

/// An app with a button that notifies, one that opens a file and a field that opens one when it is left or entered, and a second screen
/// that shows what it was opened with.
const WORK: &str = r#"{"formatVersion": 5, "id": "test.work", "name": "Work", "version": "1.0.0", "catalogId": "https://ui.exponential.at/catalogs/core/v1", "description": "Work.",
    "functions": ["files.open", "notifications.post"],
    "capabilities": [{"id": "files.read", "why": "To read it."}, {"id": "notifications.post", "why": "To tell."}],
    "screens": [{"template": "main", "title": "Work"}, {"template": "other", "title": "Other"}],
    "templates": {
        "main": {"components": [
            {"id": "root", "component": "Box", "children": ["open", "post", "name"], "style": {"display": "flex", "flexDirection": "column", "padding": 16, "gap": 16}},
            {"id": "open", "component": "Box", "pressable": true, "children": ["open.text"], "style": {"height": 100}, "on": {"press": {"functionCall": {"call": "files.open", "args": {}}}}},
            {"id": "open.text", "component": "Text", "text": "Open"},
            {"id": "post", "component": "Box", "pressable": true, "children": ["post.text"], "style": {"height": 100}, "on": {"press": {"functionCall": {"call": "notifications.post", "args": {"title": "Done"}}}}},
            {"id": "post.text", "component": "Text", "text": {"path": "/calls/notifications/post/state"}},
            {"id": "name", "component": "Input", "label": "Name", "name": "name", "value": {"path": "/draft"},
             "on": {"blur": {"functionCall": {"call": "files.open", "args": {}}}, "submit": {"functionCall": {"call": "files.open", "args": {}}}}}],
            "data": {"draft": "", "calls": {"notifications": {"post": {"state": "idle"}}}}},
        "other": {"components": [{"id": "root", "component": "Text", "text": {"path": "/params/name"}, "style": {"fontSize": 40}}], "data": {"params": {"name": "nobody"}}}}}"#;

/// The app, and another one that is the same.
fn apps() -> Ede {
    let ede = Ede::new();
    for id in ["test.work", "test.play"] {
        ede.write_package(id, &WORK.replace("test.work", id));
    }
    // Nothing on the desktop that moves.
    ede.write_document("desktop", r#"{"formatVersion": 1, "id": "desktop", "kind": "desktop", "place": {"outputs": ["*"]}, "components": [{"id": "root", "component": "Box", "children": []}]}"#);
    ede
}

fn start() -> Desktop {
    let d = Desktop::start_with(&[one()], apps()).0;
    d.panel();
    d
}

fn window(s: &Scene, app: &str) -> Option<SurfaceView> {
    s.toplevel(app).filter(|w| painted(w)).cloned()
}

/// Open an app's window and give it the keyboard.
fn open(d: &Desktop, arguments: &[&str]) -> SurfaceView {
    d.ok(&[&["open"], arguments].concat());
    let app = arguments[0];
    let shown = d.compositor.wait_for("the window", |s| window(s, app));
    d.compositor.keyboard().focus(Some(shown.id));
    shown
}

fn press_in(d: &Desktop, window: &SurfaceView, (x, y): (f64, f64)) {
    let scene = d.compositor.scene();
    let (left, top) = scene.surface(window.id).unwrap().origin;
    d.press(LEFT, (f64::from(left) + x, f64::from(top) + y));
}

fn sheet(s: &Scene) -> Option<SurfaceId> {
    let sheet = s.layer("ede-sheet").filter(|w| painted(w))?;
    (s.keyboard_focus == Some(sheet.id)).then_some(sheet.id)
}

fn no_sheet(d: &Desktop) {
    d.compositor
        .wait_for("no sheet", |s| s.layer("ede-sheet").is_none().then_some(()));
}

fn row(d: &Desktop, row: &str) {
    wait_for(row, || {
        audit(&d.ede).contains(&row.to_string()).then_some(())
    });
}

/// The points of the buttons in a window 864 wide that navigates by a sidebar.
const OPEN: (f64, f64) = (500.0, 140.0);
const POST: (f64, f64) = (500.0, 256.0);

#[test]
fn a_call_under_way_is_cancelled_when_its_window_closes() {
    let d = start();
    let work = open(&d, &["test.work"]);
    press_in(&d, &work, OPEN);
    // It waits for the person to pick.
    d.compositor.wait_for("the file sheet", sheet);
    d.compositor.close_toplevel(work.id);
    no_sheet(&d);
    row(&d, "files__open cancelled app_closed");
    // The app may ask again, from another window.
    let again = open(&d, &["test.work"]);
    press_in(&d, &again, OPEN);
    d.compositor.wait_for("another sheet", sheet);
    d.compositor.keyboard().tap("Escape");
    row(&d, "files__open ok -");
    assert_eq!(audit(&d.ede).len(), 2, "{:?}", audit(&d.ede));
}

#[test]
fn a_portals_dialog_is_given_up_when_its_window_closes() {
    let bus = Bus::start();
    let portal = Portal::on(&bus);
    let (ede, compositor) = (apps(), Compositor::start(Globals::all()));
    compositor.add_output(one());
    let d = Desktop {
        shell: ede.run_on_bus(&bus, &compositor),
        compositor,
        ede,
    };
    d.panel();
    portal.person(Does::Waits);
    let work = open(&d, &["test.work"]);
    press_in(&d, &work, OPEN);
    portal.asked();
    d.compositor.close_toplevel(work.id);
    row(&d, "files__open cancelled app_closed");
    // Nothing of it is left: the app's next one is its only one.
    portal.person(Does::Cancels);
    let again = open(&d, &["test.work"]);
    press_in(&d, &again, OPEN);
    portal.asked();
    row(&d, "files__open ok -");
}

#[test]
fn a_question_goes_with_the_window_it_was_asked_from() {
    let d = start();
    let work = open(&d, &["test.work"]);
    press_in(&d, &work, POST);
    d.compositor.wait_for("the question", sheet);
    d.compositor.close_toplevel(work.id);
    no_sheet(&d);
    row(&d, "notifications__post cancelled app_closed");
    let grants = d.ede.command(&["grants", "--json"]).output().unwrap();
    let grants: Value = serde_json::from_slice(&grants.stdout).unwrap();
    assert_eq!(grants, serde_json::json!([]));
}

#[test]
fn a_question_that_is_left_is_cancelled_and_not_refused() {
    let d = start();
    let work = open(&d, &["test.work"]);
    let state = |s: &Scene| -> Option<Picture> {
        let shown = s.surface(work.id)?.picture();
        Some(ede_tests::picture::crop(&shown, 200, 170, 500, 120))
    };
    let idle = d.compositor.wait_for("the state", state);
    press_in(&d, &work, POST);
    d.compositor.wait_for("the question", sheet);
    let waits = d
        .compositor
        .wait_for("that it waits", |s| state(s).filter(|now| *now != idle));
    d.compositor.keyboard().tap("Escape");
    no_sheet(&d);
    let left = d
        .compositor
        .wait_for("that it was left", |s| state(s).filter(|now| *now != waits));
    assert_ne!(left, idle);
    row(&d, "notifications__post denied consentNeeded");
}

#[test]
fn an_app_is_in_the_background_while_another_windows_has_the_keys() {
    let d = start();
    let play = open(&d, &["test.play"]);
    let work = open(&d, &["test.work"]);
    d.compositor.keyboard().tap("Tab").tap("Tab").tap("Tab");
    d.compositor.keyboard().tap("x").tap("Return");
    // At its window, nobody pressed: it may ask.
    d.compositor.wait_for("the file sheet", sheet);
    d.compositor.keyboard().tap("Escape");
    row(&d, "files__open ok -");
    no_sheet(&d);
    // The field is left for the other window, and calls then.
    d.compositor.keyboard().focus(Some(work.id));
    d.compositor.keyboard().tap("Tab").tap("Tab").tap("Tab");
    d.compositor.keyboard().tap("y");
    d.compositor.keyboard().focus(Some(play.id));
    row(&d, "files__open denied needsForeground");
    assert!(d.compositor.scene().layer("ede-sheet").is_none());
}

/// A session whose shell ends and comes again.
struct Session {
    compositor: Compositor,
    ede: Ede,
}

/// How a shell ends.
#[derive(Clone, Copy)]
enum End {
    Told,
    Killed,
}

impl Session {
    fn of(d: Desktop) -> (Session, Shell) {
        let Desktop {
            shell,
            compositor,
            ede,
        } = d;
        (Session { compositor, ede }, shell)
    }

    fn end(&self, mut shell: Shell, how: End) {
        if let End::Told = how {
            let pid = rustix::process::Pid::from_raw(shell.id().cast_signed()).unwrap();
            rustix::process::kill_process(pid, rustix::process::Signal::TERM).unwrap();
            let (status, said) = shell.wait();
            assert!(status.success(), "{said}");
        }
        drop(shell);
        self.compositor.wait_for("an empty screen", |s| {
            (s.toplevels().count() == 0 && s.layers().count() == 0).then_some(())
        });
    }

    fn again(&self) -> Shell {
        let shell = self.ede.run_on(&self.compositor);
        self.compositor.wait_for("the panel", |s| {
            s.layer("ede-panel").filter(|p| painted(p)).map(drop)
        });
        shell
    }

    fn file(&self) -> PathBuf {
        self.ede.data().parent().unwrap().join("run/instances.json")
    }

    /// The apps that would come back, in the order of the focus, once they are these.
    fn keeps(&self, wanted: &[&str]) {
        let kept = || -> Option<Vec<String>> {
            let read: Value = serde_json::from_slice(&std::fs::read(self.file()).ok()?).ok()?;
            let instances = read["instances"]["instances"].as_array()?;
            let app = |id: &Value| {
                let of = instances.iter().find(|i| i["instance_id"] == *id)?;
                Some(of["app_scope"].as_str()?.to_owned())
            };
            let stack = read["instances"]["stack"].as_array()?;
            (read["opening"] == false).then(|| stack.iter().filter_map(app).collect())
        };
        wait_for("the snapshot", || {
            kept().is_some_and(|kept| kept == wanted).then_some(())
        });
    }

    fn apps(&self, many: usize) -> Vec<String> {
        self.compositor.wait_for("the windows", |s| {
            let all: Vec<&SurfaceView> = s.toplevels().filter(|w| painted(w)).collect();
            let names = all.iter().filter_map(|w| w.app_id().map(str::to_owned));
            (all.len() == many).then(|| names.collect())
        })
    }

    /// The shell answers, and has opened nothing by then.
    fn has_no_windows(&self) {
        // Panels first, then windows: with the panel focused all that was to open is on its way.
        let focused = self.ede.command(&["focus", "panel"]).status().unwrap();
        assert!(focused.success());
        self.compositor.wait_for("the panel's keys", |s| {
            (s.keyboard_focus == s.layer("ede-panel").map(|p| p.id)).then_some(())
        });
        assert_eq!(self.compositor.scene().toplevels().count(), 0);
    }
}

#[test]
fn windows_come_back_at_their_screens_after_a_restart_or_a_crash() {
    let d = start();
    let params = d.ede.config().join("params.json");
    std::fs::write(&params, r#"{"name": "Ines"}"#).unwrap();
    open(&d, &["test.work"]);
    let at = ["test.play", "other", params.to_str().unwrap()];
    let other = open(&d, &at);
    // Nobody is at a window, so that none looks as if.
    d.compositor.keyboard().focus(None);
    let before = d.compositor.wait_for("the window at rest", |s| {
        Some(s.surface(other.id)?.picture())
    });
    let (session, mut shell) = Session::of(d);
    for how in [End::Killed, End::Told, End::Killed] {
        session.keeps(&["test.work", "test.play"]);
        session.end(shell, how);
        shell = session.again();
        assert_eq!(session.apps(2), ["test.work", "test.play"]);
        session.compositor.wait_for("the same screen", |s| {
            (window(s, "test.play")?.picture() == before).then_some(())
        });
    }
    // The one the person goes to is the last to come back.
    let work = session
        .compositor
        .wait_for("the window", |s| window(s, "test.work"));
    session.compositor.keyboard().focus(Some(work.id));
    session.keeps(&["test.play", "test.work"]);
    session.end(shell, End::Killed);
    let _shell = session.again();
    assert_eq!(session.apps(2), ["test.play", "test.work"]);
}

#[test]
fn a_window_that_was_closed_and_an_app_that_is_gone_do_not_come_back() {
    let d = start();
    let work = open(&d, &["test.work"]);
    open(&d, &["test.play"]);
    d.compositor.close_toplevel(work.id);
    let (session, shell) = Session::of(d);
    session.keeps(&["test.play"]);
    session.end(shell, End::Killed);
    let shell = session.again();
    assert_eq!(session.apps(1), ["test.play"]);
    session.keeps(&["test.play"]);
    session.end(shell, End::Told);
    std::fs::remove_file(session.ede.data().join("apps/test.play.app.json")).unwrap();
    let _shell = session.again();
    session.has_no_windows();
    session.keeps(&[]);
}

#[test]
fn a_damaged_snapshot_is_one_line_and_a_fresh_start() {
    let d = start();
    open(&d, &["test.work"]);
    let (session, shell) = Session::of(d);
    session.keeps(&["test.work"]);
    session.end(shell, End::Killed);
    std::fs::write(session.file(), "{").unwrap();
    let mut shell = session.again();
    session.has_no_windows();
    session.compositor.kill();
    let (_, said) = shell.wait();
    let lines: Vec<&str> = said.lines().collect();
    assert_eq!(lines.len(), 2, "{said}");
    assert!(
        lines[0].contains("not opened again") && lines[1].starts_with("error: "),
        "{said}"
    );
    // The session ended with its compositor.
    assert!(!session.file().exists());
}

#[test]
fn a_new_session_begins_with_what_it_starts_with_and_a_restarted_shell_with_what_was_open() {
    let ede = apps();
    ede.write_document("session", r#"{"formatVersion": 1, "id": "session", "kind": "session", "session": {"mode": "light", "startup": ["test.work"]}}"#);
    let d = Desktop::start_with(&[one()], ede).0;
    let work = d
        .compositor
        .wait_for("its window", |s| window(s, "test.work"));
    d.compositor.keyboard().focus(Some(work.id));
    let (session, shell) = Session::of(d);
    session.keeps(&["test.work"]);
    session.compositor.close_toplevel(work.id);
    session.keeps(&[]);
    session.end(shell, End::Told);
    let mut shell = session.again();
    session.has_no_windows();
    session.compositor.kill();
    shell.wait();
    let compositor = Compositor::start(Globals::all());
    compositor.add_output(one());
    let session = Session {
        compositor,
        ..session
    };
    let _shell = session.again();
    assert_eq!(session.apps(1), ["test.work"]);
}
