//! `ede records` and `ede query`, run as a person runs them.
#![allow(clippy::unwrap_used, clippy::expect_used)]

mod import;
#[path = "../support/mod.rs"]
mod support;

use serde_json::{Value, json};
use support::{Home, Ran, binary, hours};

fn entry(id: &str, day: &str, hours: f64) -> Value {
    json!({"id": id, "data": {"day": day, "hours": hours}})
}

#[test]
fn records_are_put_listed_exported_and_deleted() {
    let home = Home::with_hours();
    let one = home.file(
        "one.json",
        json!({"data": {"day": "2026-10-01", "hours": 1.5}}).to_string(),
    );
    assert_eq!(
        home.ok(&format!("records put acme.hours entry {}", one.display())),
        "put 1 record of kind entry in acme.hours\n"
    );
    let more = json!([
        {"id": "a", "data": {"day": "2026-10-02", "hours": 2}, "author": "ada", "createdAt": "2026-10-02T08:00:00Z", "updatedAt": "2026-10-02T09:00:00+02:00"},
        entry("b", "2026-10-03", 3.0),
    ]);
    let more = home.file("more.json", more.to_string());
    assert_eq!(
        home.json(&format!(
            "records put acme.hours entry {} --json",
            more.display()
        )),
        json!({"ids": ["a", "b"]})
    );
    let listed = home.json("records list acme.hours entry --json");
    assert_eq!(listed.as_array().unwrap().len(), 3);
    let exported = home.json("records export acme.hours entry");
    let a = exported
        .as_array()
        .unwrap()
        .iter()
        .find(|r| r["id"] == "a")
        .unwrap();
    assert_eq!(
        a,
        &json!({"id": "a", "data": {"day": "2026-10-02", "hours": 2}, "author": "ada", "createdAt": "2026-10-02T08:00:00.000Z", "updatedAt": "2026-10-02T07:00:00.000Z"})
    );
    assert_eq!(home.json("records export acme.hours")["entry"], exported);
    assert_eq!(
        home.ok("records delete acme.hours entry a b"),
        "deleted 2 records of kind entry in acme.hours\n"
    );
    assert_eq!(
        home.json("records list acme.hours --json")
            .as_array()
            .unwrap()
            .len(),
        1
    );
    let trash = home.json("records list acme.hours --deleted --json");
    assert_eq!(trash.as_array().unwrap().len(), 2);
    // What was exported comes back as it was.
    let file = home.file("back.json", exported.to_string());
    home.ok(&format!("records put acme.hours entry {}", file.display()));
    assert_eq!(home.json("records export acme.hours entry"), exported);
}

#[test]
fn a_put_that_does_not_fit_the_schema_writes_nothing() {
    let home = Home::with_hours();
    for (content, expected) in [
        (
            json!([entry("a", "2026-10-01", 1.0), {"data": {"day": "2026-10-01", "hours": "two"}}]),
            "write 2: data: /hours a number",
        ),
        (
            json!({"day": "2026-10-01", "hours": 1}),
            "/day is no key of a record",
        ),
        (json!([1]), "a record is an object"),
        (
            json!({"data": {"day": "2026-10-01", "hours": 1}, "createdAt": "yesterday"}),
            "/createdAt is a time",
        ),
    ] {
        let file = home.file("bad.json", content.to_string());
        let message = home.error(&format!("records put acme.hours entry {}", file.display()));
        assert!(message.contains(expected), "{message}");
    }
    let file = home.file("not.json", "{");
    assert!(
        home.error(&format!("records put acme.hours entry {}", file.display()))
            .contains("not JSON")
    );
    assert_eq!(home.json("records list acme.hours --json"), json!([]));
}

#[test]
fn a_mistake_in_what_is_piped_in_is_called_standard_input() {
    use std::io::Write;
    use std::process::Stdio;
    let home = Home::with_hours();
    let mut child = home
        .command(&support::binary())
        .args(["records", "put", "acme.hours", "entry", "-"])
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    child.stdin.take().unwrap().write_all(b"{").unwrap();
    let ran = support::Ran::from(child.wait_with_output().unwrap());
    assert_eq!(ran.code, 1);
    assert!(
        ran.err.contains("not JSON, standard input: ")
            && ran.err.ends_with(", mend what is piped in\n"),
        "{}",
        ran.err
    );
}

#[test]
fn apps_and_kinds_that_are_not_there_are_named() {
    let home = Home::with_hours();
    let file = home.file("r.json", entry("a", "2026-10-01", 1.0).to_string());
    assert!(
        home.error(&format!("records put acme.nope entry {}", file.display()))
            .contains("no app acme.nope")
    );
    let message = home.error(&format!("records put acme.hours ghost {}", file.display()));
    assert!(
        message.contains("no kind ghost") && message.contains("entry, task"),
        "{message}"
    );
    assert!(
        home.error("records list acme.nope")
            .contains("no app acme.nope")
    );
    assert!(
        home.error("records list acme.hours ghost")
            .contains("no kind ghost")
    );
    assert!(
        home.error("records delete acme.hours entry nope")
            .contains("nope not found")
    );
    assert!(
        home.error("query acme.nope records:entry")
            .contains("no app acme.nope")
    );
    assert!(
        home.error("query acme.hours records:ghost")
            .contains("ghost")
    );
    assert!(home.error("query acme.hours ede:ghost").contains("ghost"));
    assert!(
        home.error("query acme.hours ede:clock")
            .contains("not among the package's sources")
    );
    for wrong in [
        "records",
        "records list",
        "records list ../x",
        "records put acme.hours Entry f",
        "query acme.hours",
        "query acme.hours records:entry --now soon",
        "nonsense",
    ] {
        assert_eq!(home.ede(wrong.split(' ')).code, 2, "ede {wrong}");
    }
}

#[test]
fn a_query_answers_what_the_evaluator_decides() {
    let home = Home::with_hours();
    let rows = json!([entry("a", "2026-10-01", 1.5), entry("b", "2026-10-01", 2.0), entry("c", "2026-11-02", 4.0), {"id": "d", "data": {"day": "2026-10-05", "hours": 8}, "author": "ada"}]);
    let file = home.file("rows.json", rows.to_string());
    home.ok(&format!("records put acme.hours entry {}", file.display()));
    let value = home.json("query acme.hours records:entry?sum=hours&day.lt=2026-11-01");
    assert_eq!(
        (value["count"].as_i64(), value["sum"].as_f64()),
        (Some(3), Some(11.5))
    );
    let mine = home.json("query acme.hours records:entry?mine=1 --as ada");
    assert_eq!(
        (mine["count"].as_i64(), mine["rows"][0]["id"].as_str()),
        (Some(1), Some("d"))
    );
    let days = home.json("query acme.hours records:entry?query=perDay");
    assert_eq!(
        days["groups"][0],
        json!({"day": "2026-10-01", "count": 2, "total": 3.5})
    );
    let month =
        home.json("query acme.hours records:entry?by=day&sum=hours --now 2026-10-31T23:59:59Z");
    assert_eq!(
        (month["month"]["key"].as_str(), month["sum"].as_f64()),
        (Some("2026-10"), Some(11.5))
    );
}

#[test]
fn the_day_of_a_query_is_that_of_the_system_zone() {
    let home = Home::with_hours();
    let ran = home
        .command(&binary())
        .env("TZ", "Pacific/Kiritimati")
        .args([
            "query",
            "acme.hours",
            "records:entry?by=day",
            "--now",
            "2026-10-31T12:00:00Z",
        ])
        .output()
        .unwrap();
    let ran = Ran::from(ran);
    assert_eq!(ran.code, 0, "{}", ran.err);
    assert_eq!(
        serde_json::from_str::<Value>(&ran.out).unwrap()["month"]["today"],
        "2026-11-01"
    );
}

#[test]
fn records_outlive_their_app_and_come_back_with_it() {
    let home = Home::with_hours();
    let file = home.file("r.json", entry("a", "2026-10-01", 1.0).to_string());
    home.ok(&format!("records put acme.hours entry {}", file.display()));
    home.ok("apps remove acme.hours");
    assert_eq!(
        home.json("records list acme.hours --json")
            .as_array()
            .unwrap()
            .len(),
        1
    );
    assert!(
        home.error(&format!("records put acme.hours entry {}", file.display()))
            .contains("no app acme.hours")
    );
    let package = home.path("hours.app.json");
    home.ok(&format!("apps install {}", package.display()));
    assert_eq!(home.json("query acme.hours records:entry")["count"], 1);
}

#[test]
fn a_damaged_database_is_kept_under_a_name_that_is_told() {
    let home = Home::with_hours();
    std::fs::write(
        home.path("data/records.db"),
        "this is no database, it is a text that somebody put here".repeat(100),
    )
    .unwrap();
    let ran = home.ede(["query", "acme.hours", "records:entry"]);
    assert_eq!(ran.code, 0, "{}", ran.err);
    let kept = ran
        .err
        .lines()
        .find(|line| line.starts_with("note: ") && line.contains("records.db.damaged-"))
        .expect("the name is told");
    let name = kept
        .split_whitespace()
        .find(|word| word.contains(".damaged-"))
        .unwrap()
        .trim_end_matches(',');
    assert!(
        std::fs::read_to_string(name)
            .unwrap()
            .starts_with("this is no database")
    );
    home.ok("query acme.hours records:entry");
}

#[test]
fn an_app_edited_by_hand_paints_anew_but_keeps_the_kinds_it_was_installed_with() {
    let home = Home::with_hours();
    let mut edited = hours();
    edited["name"] = "Hours, edited".into();
    edited["records"]["entry"]["schema"]["properties"]["extra"] = json!({"type": "string"});
    std::fs::write(
        home.path("data/apps/acme.hours.app.json"),
        edited.to_string(),
    )
    .unwrap();
    let listed = home.json("apps list --json");
    assert_eq!(
        (listed[0]["name"].as_str(), &listed[0]["waiting"]),
        (Some("Hours, edited"), &json!(["records"]))
    );
    let file = home.file(
        "r.json",
        json!({"data": {"day": "2026-10-01", "hours": 1, "extra": "x"}}).to_string(),
    );
    let put = format!("records put acme.hours entry {}", file.display());
    assert!(home.error(&put).contains("/extra not in the schema"));
    home.ok(&format!(
        "apps install {}",
        home.path("data/apps/acme.hours.app.json").display()
    ));
    home.ok(&put);
    std::fs::write(home.path("data/apps/acme.hours.app.json"), "{ half a file").unwrap();
    let listed = home.json("apps list --json");
    assert_eq!(
        (listed[0]["id"].as_str(), listed[0]["ok"].as_bool()),
        (Some("acme.hours"), Some(false))
    );
    assert!(home.ok("apps list").contains("is not used"));
}

#[test]
fn a_reader_that_goes_away_is_no_error() {
    let home = Home::with_hours();
    let rows: Vec<Value> = (0..3000)
        .map(|n| entry(&format!("r{n}"), "2026-10-01", 1.0))
        .collect();
    let file = home.file("rows.json", Value::Array(rows).to_string());
    home.ok(&format!("records put acme.hours entry {}", file.display()));
    let mut child = home
        .command(&binary())
        .args(["records", "list", "acme.hours"])
        .stdout(std::process::Stdio::piped())
        .stderr(std::process::Stdio::piped())
        .spawn()
        .unwrap();
    drop(child.stdout.take());
    let output = child.wait_with_output().unwrap();
    assert_eq!(
        (
            output.status.code(),
            String::from_utf8(output.stderr).unwrap().as_str()
        ),
        (Some(0), "")
    );
}

#[test]
fn a_running_store_hears_of_what_the_command_line_writes() {
    use ede::clock::SystemClock;
    use ede_engine::records::{Store, StoreEvent, StoreOptions};
    let home = Home::with_hours();
    let options = StoreOptions::new(
        home.path("data/records.db"),
        std::sync::Arc::new(SystemClock),
    );
    let store = Store::start(options.watched()).unwrap();
    let (tell, heard) = std::sync::mpsc::channel();
    store.listen(move |event| {
        let _ = tell.send(event.clone());
    });
    let file = home.file("r.json", entry("a", "2026-10-01", 1.0).to_string());
    home.ok(&format!("records put acme.hours entry {}", file.display()));
    // It comes at once or never; the limit only ends a test that has failed.
    let event = heard
        .recv_timeout(std::time::Duration::from_secs(60))
        .unwrap();
    assert!(
        matches!(&event, StoreEvent::Changed(changes) if changes[0].kind.as_str() == "entry"),
        "{event:?}"
    );
    home.ok("records delete acme.hours entry a");
    assert!(matches!(
        heard.recv_timeout(std::time::Duration::from_secs(60)),
        Ok(StoreEvent::Changed(_))
    ));
}

#[test]
fn an_app_that_comes_with_ede_may_be_installed_again_but_not_another_under_its_id() {
    let home = Home::new();
    let (id, bytes) = ede::packages::BUNDLED[0];
    let file = home.file("bundled.app.json", bytes);
    home.ok(&format!("apps install {}", file.display()));
    assert_eq!(home.json("apps list --json")[0]["id"], id);
    let other = home.file(
        "other.app.json",
        hours().to_string().replace("acme.hours", id),
    );
    assert!(
        home.error(&format!("apps install {}", other.display()))
            .contains("choose another id")
    );
}

#[test]
fn a_record_goes_back_to_what_it_was() {
    let home = Home::with_hours();
    let put = |hours: f64| {
        let file = home.file("r.json", entry("r", "2026-10-01", hours).to_string());
        home.ok(&format!("records put acme.hours entry {}", file.display()));
    };
    put(1.0);
    put(2.0);
    home.ok("records delete acme.hours entry r");
    assert_eq!(
        home.json("records list acme.hours --deleted --json")[0]["id"],
        "r"
    );
    assert_eq!(
        home.ok("records restore acme.hours r"),
        "restored r in acme.hours\n"
    );
    let hours = || home.json("records list acme.hours --json")[0]["data"]["hours"].as_f64();
    assert_eq!(hours(), Some(2.0));
    assert!(
        home.error("records restore acme.hours r")
            .contains("not in the trash")
    );
    let history = home.json("records history acme.hours r --json");
    let what = |key: &str| -> Vec<Value> {
        history
            .as_array()
            .unwrap()
            .iter()
            .map(|row| row[key].clone())
            .collect()
    };
    assert_eq!(what("operation"), ["restore", "delete", "update", "create"]);
    assert_eq!(what("via"), ["cli"; 4]);
    let first = history[3]["action"].as_i64().unwrap();
    home.ok(&format!("records restore acme.hours r {first}"));
    assert_eq!(hours(), Some(1.0));
    let shown = home.ok("records history acme.hours r");
    assert_eq!(shown.lines().count(), 5);
    assert!(
        shown
            .lines()
            .next()
            .unwrap()
            .ends_with(r#"update by local (cli)  {"day":"2026-10-01","hours":1.0}"#),
        "{shown}"
    );
    let newest = shown.split_whitespace().next().unwrap();
    let undone = home.ok(&format!("records undo acme.hours {newest}"));
    assert_eq!(
        undone,
        format!("took back action {newest} of acme.hours: 1 record\n")
    );
    assert_eq!(hours(), Some(2.0));
    assert!(
        home.error(&format!("records undo acme.hours {first}"))
            .contains("changed since")
    );
    assert!(
        home.error("records history acme.hours nope")
            .contains("no record nope")
    );
}
