//! Notifications of apps: by the session's service, which is a mock on a bus of its own, and in the corner where there is none.

use std::sync::Arc;
use std::time::Duration;

use ede::clock::SystemClock;
use ede_engine::app_id::AppId;
use ede_engine::broker::grants::Grant;
use ede_engine::package::Package;
use ede_engine::records::{Notice, NoticeId, Store, StoreOptions};
use ede_tests::bus::Bus;
use ede_tests::compositor::{Compositor, Globals, LEFT, Request, Scene, SurfaceView};
use ede_tests::program::{Ede, Shell};
use jiff::Timestamp;
use serde_json::{Value, json};

use super::harness::{one, painted, wait_for};
use super::notifier::{Does, Notified, Service, Told};

fn package(id: &str) -> Value {
    json!({
        "formatVersion": 5, "id": id, "name": "The <Poster>", "version": "1.0.0", "icon": "clock", "description": "Posts.",
        "catalogId": "https://ui.exponential.at/catalogs/core/v1",
        "functions": ["notifications.post", "notifications.cancel"], "capabilities": [{"id": "notifications.post", "why": "To remind you."}],
        "screens": [{"template": "list", "title": "List"}, {"template": "day", "title": "Day"}],
        "templates": {
            "list": {"components": [{"id": "root", "component": "Text", "text": "List"}]},
            "day": {"components": [{"id": "root", "component": "Text", "text": "Day"}]},
        },
    })
}

const APP: &str = "test.poster";

/// A home with an app that may post, and another one.
fn home() -> Ede {
    let ede = Ede::new();
    for id in [APP, "test.other"] {
        ede.write_package(id, &package(id).to_string());
        grant(&ede, id);
    }
    ede.write_document("desktop", r#"{"formatVersion": 1, "id": "desktop", "kind": "desktop", "place": {"outputs": ["*"]}, "components": [{"id": "root", "component": "Box", "children": []}]}"#);
    ede
}

fn store(ede: &Ede) -> Store {
    let records = ede.data().join("records.db");
    Store::start(StoreOptions::new(records, Arc::new(SystemClock))).unwrap()
}

/// One of an app's that is due at once, put there beside the shell.
fn schedule(ede: &Ede, app: &str, title: &str) {
    let notice = Notice {
        app: AppId::parse(app).unwrap(),
        id: NoticeId::parse("a").unwrap(),
        title: title.into(),
        body: None,
        tap: None,
    };
    let kept = store(ede).schedule(notice, Timestamp::now());
    kept.wait().unwrap();
}

fn grant(ede: &Ede, id: &str) {
    let package = Package::read_checked(package(id).to_string().as_bytes()).unwrap();
    let declared = &package.capabilities()[0];
    let decided = store(ede).decide(&package, declared, Grant::Granted);
    decided.wait().unwrap();
}

/// The answer of a call in an app's name; what it says where it is an error.
fn call(ede: &Ede, app: &str, tool: &str, arguments: &Value) -> Result<Value, String> {
    let file = ede.config().join("arguments.json");
    std::fs::write(&file, arguments.to_string()).unwrap();
    let name = format!("notifications.{tool}");
    let call = ["call", app, &name, file.to_str().unwrap()];
    let ran = ede.command(&call).output().unwrap();
    let mut said: Value = serde_json::from_slice(&ran.stdout)
        .unwrap_or_else(|_| panic!("{}", String::from_utf8_lossy(&ran.stderr)));
    match said["answer"]["isError"] {
        Value::Bool(true) => Err(said["answer"]["content"][0]["text"]
            .as_str()
            .unwrap()
            .into()),
        _ => Ok(said["answer"]["structuredContent"].take()),
    }
}

fn post(ede: &Ede, app: &str, arguments: Value) -> Value {
    call(ede, app, "post", &arguments).unwrap()
}

fn cancel(ede: &Ede, id: &str) -> bool {
    call(ede, APP, "cancel", &json!({"id": id})) == Ok(json!({"cancelled": true}))
}

/// So many seconds from now.
fn at(seconds: i64) -> String {
    (Timestamp::now() + jiff::SignedDuration::from_secs(seconds)).to_string()
}

/// A shell that answers commands already.
fn shell(ede: &Ede, bus: &Bus, compositor: &Compositor) -> Shell {
    let shell = ede.run_on_bus(bus, compositor);
    compositor.wait_for("the panel", |s| {
        s.layer("ede-panel").filter(|p| painted(p)).map(drop)
    });
    shell
}

fn compositor() -> Compositor {
    let compositor = Compositor::start(Globals::all());
    compositor.add_output(one());
    compositor
}

fn audit(ede: &Ede) -> Vec<String> {
    let ran = ede.command(&["audit", "--json"]).output().unwrap();
    let rows: Vec<Value> = serde_json::from_slice(&ran.stdout).unwrap();
    let word = |row: &Value, key: &str| row[key].as_str().unwrap_or("-").to_string();
    let line = |row: &Value| {
        ["appId", "tool", "status", "error"]
            .map(|key| word(row, key))
            .join(" ")
    };
    rows.iter().map(line).collect()
}

fn message(s: &Scene) -> Option<SurfaceView> {
    s.layer("ede-toast").filter(|t| painted(t)).cloned()
}

#[test]
fn the_sessions_service_shows_an_apps_words_as_plain_text_and_in_its_name() {
    let (bus, compositor, ede) = (Bus::start(), compositor(), home());
    let service = Service::start(&bus);
    let _shell = shell(&ede, &bus, &compositor);
    let said = json!({"id": "a", "title": "\u{202e}<b>Tea</b>", "body": "<a href='x'>5 & 6</a>\nmin", "screen": "day"});
    assert_eq!(post(&ede, APP, said), json!({"id": "a"}));
    let first = service.notified();
    assert_eq!(
        first,
        Notified {
            name: "The <Poster>".into(),
            replaces: 0,
            icon: "preferences-system-time".into(),
            title: "<b>Tea</b>".into(),
            body: "&lt;a href='x'&gt;5 &amp; 6&lt;/a&gt;\nmin".into(),
            actions: vec!["default".into(), "Open".into()],
            urgency: 1,
            entry: "ede-test.poster".into(),
            expires: -1,
            id: 41,
        }
    );
    // Another app's of the same id is another one; the same one again takes its place.
    post(&ede, "test.other", json!({"id": "a", "title": "Other"}));
    let other = service.notified();
    assert_eq!((other.replaces, other.id, other.actions), (0, 42, vec![]));
    post(&ede, APP, json!({"id": "a", "title": "Coffee"}));
    assert_eq!(service.notified().replaces, 41);
    assert!(cancel(&ede, "a"));
    assert_eq!(service.next(), Told::Close(41));
    assert!(!cancel(&ede, "a"));
    // What the person closed is gone.
    let unnamed = post(&ede, APP, json!({"title": "Unnamed"}));
    let id = unnamed["id"].as_str().unwrap();
    service.do_this(Does::Closed(service.notified().id));
    wait_for("the closed one gone", || (!cancel(&ede, id)).then_some(()));
    post(&ede, APP, json!({"id": id, "title": "Anew"}));
    let mut next = service.next();
    // Perhaps it was withdrawn before it was heard that it is gone.
    if matches!(next, Told::Close(_)) {
        next = service.next();
    }
    assert!(matches!(next, Told::Notify(n) if n.replaces == 0));
    assert!(
        compositor.scene().layer("ede-toast").is_none(),
        "the shell says nothing beside it"
    );
}

#[test]
fn a_press_opens_the_app_where_the_notification_says_and_its_window_may_come_to_the_front() {
    let (bus, compositor, ede) = (Bus::start(), compositor(), home());
    let service = Service::start(&bus);
    let _shell = shell(&ede, &bus, &compositor);
    let tap = json!({"title": "Tea", "screen": "day", "params": {"day": "2026-12-01"}});
    post(&ede, APP, tap);
    let id = service.notified().id;
    // Of another program's notification nothing comes.
    service.do_this(Does::Press(id + 1));
    service.do_this(Does::Token(id, "for-the-window".into()));
    service.do_this(Does::Press(id));
    let window = compositor.wait_for("the app's window", |s| s.toplevels().last().cloned());
    let asked = wait_for("the window's wish", || {
        let all = compositor.take_requests();
        all.into_iter().find_map(|r| match r {
            Request::Activate { token, surface, .. } => Some((token, surface)),
            _ => None,
        })
    });
    assert_eq!(asked, ("for-the-window".into(), window.id));
    assert_eq!(compositor.scene().toplevels().count(), 1);
}

#[test]
fn the_bus_is_listened_to_while_something_is_shown_and_no_longer() {
    let (bus, compositor, ede) = (Bus::start(), compositor(), home());
    let service = Service::start(&bus);
    let _shell = shell(&ede, &bus, &compositor);
    let show = |id: &str| {
        post(
            &ede,
            APP,
            json!({"id": id, "title": "Tea", "screen": "day"}),
        );
        service.notified().id
    };
    let left = || {
        wait_for("nobody listening", || {
            (!service.is_listened_to()).then_some(())
        })
    };
    let (first, second) = (show("a"), show("b"));
    service.do_this(Does::Closed(first));
    assert!(cancel(&ede, "b"), "the second one is shown yet");
    assert_eq!(service.next(), Told::Close(second));
    left();
    let third = show("c");
    assert!(service.is_listened_to());
    service.do_this(Does::Closed(third));
    left();
    // A press is heard all the same.
    service.do_this(Does::Press(show("d")));
    compositor.wait_for("the app's window", |s| s.toplevels().last().map(drop));
}

#[test]
fn what_waits_is_shown_at_its_time_and_once_though_the_shell_was_not_there() {
    let (bus, compositor, ede) = (Bus::start(), compositor(), home());
    let service = Service::start(&bus);
    let first = shell(&ede, &bus, &compositor);
    post(&ede, APP, json!({"id": "now", "title": "Now"}));
    let shown = service.notified().id;
    // Posted again for later, it is no longer there now.
    post(
        &ede,
        APP,
        json!({"id": "now", "title": "Soon", "at": at(6)}),
    );
    assert_eq!(service.next(), Told::Close(shown));
    post(
        &ede,
        APP,
        json!({"id": "never", "title": "Never", "at": at(6)}),
    );
    assert!(cancel(&ede, "never"));
    post(
        &ede,
        APP,
        json!({"id": "later", "title": "Later", "at": at(3600)}),
    );
    assert_eq!(service.notified().title, "Soon");
    post(
        &ede,
        APP,
        json!({"id": "off", "title": "While it was off", "at": at(5)}),
    );
    drop(first);
    std::thread::sleep(Duration::from_secs(5));
    let second = shell(&ede, &bus, &compositor);
    assert_eq!(service.notified().title, "While it was off");
    drop(second);
    let _third = shell(&ede, &bus, &compositor);
    post(&ede, "test.other", json!({"title": "The last"}));
    assert_eq!(service.notified().title, "The last");
    assert!(cancel(&ede, "later"), "it waits through it all");
}

#[test]
fn what_waits_for_an_app_that_is_not_there_is_shown_when_it_is() {
    let (bus, compositor, ede) = (Bus::start(), compositor(), home());
    let service = Service::start(&bus);
    let late = "test.late";
    grant(&ede, late);
    schedule(&ede, late, "Late");
    let _shell = shell(&ede, &bus, &compositor);
    // What is due was looked at before this is shown.
    post(&ede, APP, json!({"title": "Soon", "at": at(1)}));
    assert_eq!(service.notified().title, "Soon");
    ede.write_package(late, &package(late).to_string());
    assert_eq!(service.notified().title, "Late");
}

#[test]
fn an_app_that_may_post_no_longer_posts_nothing_and_what_it_has_shown_goes() {
    let (bus, compositor, ede) = (Bus::start(), compositor(), home());
    let service = Service::start(&bus);
    // Somebody put it there behind the shell's back.
    let stranger = "test.stranger";
    ede.write_package(stranger, &package(stranger).to_string());
    schedule(&ede, stranger, "Not allowed");
    let _shell = shell(&ede, &bus, &compositor);
    let refused = "test.stranger notifications__post denied consentNeeded".to_string();
    wait_for("the refusal", || {
        audit(&ede).contains(&refused).then_some(())
    });
    post(&ede, APP, json!({"id": "a", "title": "Shown"}));
    let shown = service.notified().id;
    post(&ede, APP, json!({"id": "b", "title": "Waits", "at": at(2)}));
    let revoke = ["grants", APP, "revoke", "notifications.post"];
    assert!(ede.command(&revoke).output().unwrap().status.success());
    assert_eq!(service.next(), Told::Close(shown));
    post(
        &ede,
        "test.other",
        json!({"id": "c", "title": "Shown", "at": at(3)}),
    );
    let other = service.notified();
    assert_eq!(other.entry, "ede-test.other");
    let remove = ["apps", "remove", "test.other"];
    assert!(ede.command(&remove).output().unwrap().status.success());
    assert_eq!(service.next(), Told::Close(other.id));
}

#[test]
fn an_app_that_posts_without_end_is_told_so() {
    let (bus, compositor, ede) = (Bus::start(), compositor(), home());
    let _service = Service::start(&bus);
    let _shell = shell(&ede, &bus, &compositor);
    let long = json!({"title": "x", "screen": "day", "params": {"x": "x".repeat(20_000)}});
    let refused = call(&ede, APP, "post", &long).unwrap_err();
    assert_eq!(refused, "tooLarge: at most 16384 bytes of params");
    let refused = (0..31).find_map(|_| call(&ede, APP, "post", &json!({"title": "x"})).err());
    assert_eq!(
        refused.as_deref(),
        Some("tooMany: at most 30 notifications a minute")
    );
    let row = "test.poster notifications__post failed -".to_string();
    wait_for("its row", || (audit(&ede)[0] == row).then_some(()));
    post(&ede, "test.other", json!({"title": "x"}));
}

#[test]
fn where_the_session_has_no_service_the_shell_shows_it_until_one_comes() {
    let (bus, compositor, ede) = (Bus::start(), compositor(), home());
    let _shell = shell(&ede, &bus, &compositor);
    post(
        &ede,
        APP,
        json!({"id": "a", "title": "Tea", "body": "It is ready.", "screen": "day"}),
    );
    let first = compositor.wait_for("the message", message);
    // Another one waits for its turn; one that is withdrawn goes at once.
    post(&ede, "test.other", json!({"id": "a", "title": "Coffee"}));
    assert!(cancel(&ede, "a"));
    let second = compositor.wait_for("the next message", |s| {
        message(s).filter(|m| m.picture() != first.picture())
    });
    assert!(!cancel(&ede, "a"));
    let nothing = |m: &SurfaceView| m.input_region.as_ref().is_some_and(|r| r.is_empty());
    assert!(nothing(&second), "it opens nothing");
    post(
        &ede,
        APP,
        json!({"id": "b", "title": "Tea", "screen": "day"}),
    );
    let third = compositor.wait_for("the third message", |s| message(s).filter(|m| !nothing(m)));
    let (_, y) = third.origin;
    let middle = f64::from(y) + f64::from(third.picture().height()) / 2.0;
    compositor.pointer().motion_to(1212.0, middle).click(LEFT);
    compositor.wait_for("the app's window", |s| s.toplevels().last().map(drop));
    let service = Service::start(&bus);
    post(&ede, APP, json!({"id": "c", "title": "By the service"}));
    assert_eq!(service.notified().title, "By the service");
    drop(service);
    // It has gone, and what it showed with it.
    let gone = || {
        post(
            &ede,
            "test.other",
            json!({"id": "d", "title": "By the shell"}),
        );
        compositor.scene().layer("ede-toast").map(drop)
    };
    wait_for("the message after all", gone);
}
