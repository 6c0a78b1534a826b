//! The start of the session and the end of the compositor.

use std::sync::Arc;

use ede::clock::SystemClock;
use ede_engine::app_id::AppId;
use ede_engine::apps::{Apps, Origin};
use ede_engine::records::{Install, Store, StoreOptions};
use ede_tests::compositor::LEFT;
use ede_tests::program::Ede;
use serde_json::json;

use super::harness::{CLOCK, Desktop, beside, one, wait_for};

#[test]
fn when_the_compositor_goes_the_shell_ends_with_one_line() {
    for round in 0..4 {
        let (mut d, ids) = Desktop::start(&[one(), beside()]);
        d.settle(2);
        if round > 0 {
            d.press(LEFT, CLOCK);
            d.popup(None);
        }
        if round > 1 {
            // A window with a field, a key held in it.
            d.ok(&["open", "ede.tasks"]);
            let window = d.window();
            d.compositor.keyboard().focus(Some(window.id)).press("a");
        }
        if round > 2 {
            d.compositor.remove_output(ids[1]);
        }
        d.compositor.kill();
        let (status, said) = d.shell.wait();
        assert_eq!(
            (status.code(), said.lines().count()),
            (Some(1), 1),
            "{said}"
        );
        assert!(said.starts_with("error: "), "{said}");
    }
}

#[test]
fn what_the_session_starts_with_is_opened_once() {
    let ede = Ede::new();
    let session = |mode: &str, startup: &str| {
        format!(
            r#"{{"formatVersion": 1, "id": "session", "kind": "session", "session": {{"mode": "{mode}", "startup": {startup}}}}}"#
        )
    };
    ede.write_document(
        "session",
        &session(
            "light",
            r#"["ede.notes", "ede-ede.tasks.desktop", "no.such.app"]"#,
        ),
    );
    let (d, _) = Desktop::start_with(&[one()], ede);
    d.settle(1);
    d.compositor.wait_for("both windows", |s| {
        (s.toplevel("ede.notes").is_some() && s.toplevel("ede.tasks").is_some()).then_some(())
    });
    let notes = d.compositor.scene().toplevel("ede.notes").unwrap().id;
    d.compositor.close_toplevel(notes);
    d.compositor
        .wait_for("one window", |s| (s.toplevels().count() == 1).then_some(()));
    let panel = d.panel();
    d.ede
        .write_document("session", &session("dark", r#"["ede.notes", "ede.clock"]"#));
    d.compositor.wait_for("a dark panel", |s| {
        let p = s.surface(panel.id)?.picture();
        (p.get_pixel(20, 20).0[0] < 0x40).then_some(())
    });
    // An answer of the shell's after that: a window that was to open is on its way before it.
    d.ok(&["focus", "panel"]);
    d.compositor.wait_for("the keyboard in the panel", |s| {
        (s.keyboard_focus == Some(panel.id)).then_some(())
    });
    assert_eq!(d.compositor.scene().toplevels().count(), 1);
}

#[test]
fn an_install_that_was_cut_short_is_finished_at_the_start() {
    let ede = Ede::new();
    std::fs::create_dir_all(ede.data()).unwrap();
    let options = || StoreOptions::new(ede.data().join("records.db"), Arc::new(SystemClock));
    let app = AppId::parse("acme.cut").unwrap();
    let package = json!({
        "formatVersion": 3, "id": "acme.cut", "name": "Cut", "version": "1.0.0", "catalogId": "https://ui.exponential.at/catalogs/core/v1",
        "records": {"task": {"schema": {"type": "object", "properties": {"title": {"type": "string"}}}}},
        "templates": {"main": {"components": [{"id": "root", "component": "Text", "text": "Cut"}]}},
    });
    let file = json!({"package": package, "records": {"task": [{"data": {"title": "T"}}]}});
    let file = file.to_string().into_bytes();
    let store = Store::start(options()).unwrap();
    let begun = Install {
        app: app.clone(),
        file: file.clone(),
        anew: true,
    };
    store.begin_install(begun).wait().unwrap();
    let mut apps = Apps::new(ede.data().join("apps"));
    let admitted = apps.admit(&file, Origin::Person, |_, _| true).unwrap();
    apps.install(admitted).unwrap();
    assert_eq!(store.list(app.clone(), None).wait().unwrap(), []);
    let (_d, _) = Desktop::start_with(&[one()], ede);
    wait_for("its record", || {
        let records = store.list(app.clone(), None).wait().unwrap();
        (records.len() == 1).then_some(())
    });
}
