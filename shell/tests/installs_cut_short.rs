//! An install that is killed is finished by whoever opens the records next, or has not happened: the app is never there without its records.
#![allow(clippy::unwrap_used, clippy::expect_used)]

mod support;

use std::process::Stdio;
use std::sync::Arc;
use std::time::Duration;

use ede::clock::SystemClock;
use ede_engine::app_id::AppId;
use ede_engine::apps::{Apps, Origin};
use ede_engine::records::{Install, Store, StoreOptions};
use serde_json::{Value, json};
use support::{Home, binary, hours};

fn id() -> AppId {
    AppId::parse("acme.hours").unwrap()
}

/// The app with this many records.
fn file(records: usize) -> Vec<u8> {
    let tasks: Vec<Value> = (0..records)
        .map(|n| json!({"id": format!("t{n}"), "data": {"title": "x".repeat(500)}}))
        .collect();
    let file = json!({"package": hours(), "records": {"task": tasks}});
    file.to_string().into_bytes()
}

fn store(home: &Home) -> Store {
    std::fs::create_dir_all(home.path("data")).unwrap();
    let path = home.path("data/records.db");
    Store::start(StoreOptions::new(path, Arc::new(SystemClock))).unwrap()
}

/// Begin an install as `ede apps install` does, and end before the records come: with the package in place, or without.
fn cut_short(home: &Home, file: &[u8], in_place: bool) {
    let store = store(home);
    let mut apps = Apps::new(home.path("data/apps"));
    let anew = apps.is_new(&id());
    let (app, bytes) = (id(), file.to_vec());
    let begun = Install {
        app,
        file: bytes,
        anew,
    };
    store.begin_install(begun).wait().unwrap();
    if in_place {
        let admitted = apps.admit(file, Origin::Person, |_, _| true).unwrap();
        apps.install(admitted).unwrap();
    }
}

fn count(home: &Home) -> usize {
    home.json("records list acme.hours --json")
        .as_array()
        .unwrap()
        .len()
}

#[test]
fn the_records_of_an_install_that_was_cut_short_come_with_the_next_command() {
    let home = Home::new();
    cut_short(&home, &file(3), true);
    let ran = home.ede(["records", "list", "acme.hours", "--json"]);
    assert_eq!(
        ran.err,
        "note: the install of acme.hours 1.0.0, which was cut short, is finished\n"
    );
    assert_eq!(
        serde_json::from_str::<Vec<Value>>(&ran.out).unwrap().len(),
        3
    );
    assert!(
        home.path("xdg/applications/ede-acme.hours.desktop")
            .exists()
    );
    // It is said, and done, once: what is deleted afterwards stays so.
    home.ok("records delete acme.hours task t0");
    assert_eq!(count(&home), 2);
    assert!(store(&home).installs().wait().unwrap().is_empty());
}

#[test]
fn an_install_that_was_cut_short_before_the_package_was_there_has_not_happened() {
    let home = Home::new();
    cut_short(&home, &file(3), false);
    // Any command that opens the records.
    home.ok("audit");
    assert_eq!(home.json("apps list --json"), json!([]));
    assert!(store(&home).installs().wait().unwrap().is_empty());
    let path = home.file("hours.app.json", file(3));
    home.ok(&format!("apps install {}", path.display()));
    assert_eq!(count(&home), 3);
}

#[test]
fn a_file_that_was_replaced_in_the_installed_copy_alone_is_replaced_whole() {
    let home = Home::with_hours();
    let mut newer = hours();
    newer["version"] = "1.1.0".into();
    let file = json!({"package": newer, "records": {"task": [{"data": {"title": "T"}}]}});
    let beside = std::fs::read(home.path("data/apps/acme.hours.app.json")).unwrap();
    cut_short(&home, file.to_string().as_bytes(), true);
    std::fs::write(home.path("data/apps/acme.hours.app.json"), beside).unwrap();
    home.ede(["audit"]);
    assert_eq!(count(&home), 1);
    assert_eq!(home.json("apps list --json")[0]["version"], "1.1.0");
}

#[test]
fn what_waited_for_the_author_is_given_back_by_an_install_that_was_cut_short() {
    let home = Home::with_hours();
    let task = home.file("task.json", r#"{"id": "mine", "data": {"title": "T"}}"#);
    home.ok(&format!("records put acme.hours task {}", task.display()));
    home.ok("apps remove acme.hours");
    cut_short(&home, hours().to_string().as_bytes(), true);
    home.ede(["audit"]);
    assert_eq!(home.json("records list acme.hours --json")[0]["id"], "mine");
}

#[test]
fn records_that_cannot_come_any_more_are_told_of_once_and_the_app_works() {
    let home = Home::new();
    let mut package = hours();
    package["formatVersion"] = 3.into();
    package["records"]["entry"]["schema"]["properties"]["task"] = json!({"type": "string"});
    package["records"]["entry"]["refs"] = json!({"task": {"kind": "task"}});
    let entry = json!({"data": {"day": "2026-10-01", "hours": 1, "task": "none"}});
    let file = json!({"package": package, "records": {"entry": [entry]}});
    cut_short(&home, file.to_string().as_bytes(), true);
    let ran = home.ede(["audit"]);
    assert!(
        ran.err
            .contains("is finished without the records of its file: ")
            && ran.err.contains("task refers to no task"),
        "{}",
        ran.err
    );
    assert_eq!(count(&home), 0);
}

#[test]
fn nobody_finishes_an_install_that_is_still_going_on() {
    let home = Home::new();
    cut_short(&home, &file(1), true);
    let lock = std::fs::File::create(home.path("data/install.lock")).unwrap();
    lock.lock().unwrap();
    home.ok("audit");
    assert_eq!(store(&home).installs().wait().unwrap().len(), 1);
    drop(lock);
    home.ede(["audit"]);
    assert_eq!(count(&home), 1);
}

#[test]
fn an_app_that_is_there_after_a_kill_has_all_its_records() {
    let bytes = file(400);
    for delay in (0..12).map(|n| Duration::from_millis(n * 25)) {
        let home = Home::new();
        let path = home.file("hours.app.json", &bytes);
        let mut install = home.command(&binary());
        install.args(["apps", "install"]).arg(&path);
        let mut install = install.stdout(Stdio::null()).spawn().unwrap();
        std::thread::sleep(delay);
        install.kill().unwrap();
        install.wait().unwrap();
        let there = home.path("data/apps/acme.hours.app.json").exists()
            || home
                .path("data/apps/.installed/acme.hours.app.json")
                .exists();
        home.ede(["audit"]);
        let listed = home.json("apps list --json");
        assert_eq!(listed.as_array().unwrap().len(), usize::from(there));
        if there {
            assert_eq!(count(&home), 400, "killed after {delay:?}");
        }
    }
}
