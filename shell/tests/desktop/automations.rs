//! What apps do by themselves in a running shell: on records that any process writes, and on those written while none ran.

use ede_tests::compositor::{Compositor, Globals};
use ede_tests::program::Ede;
use serde_json::{Value, json};

use super::harness::{Desktop, one, painted, wait_for};

/// An app that logs each request that comes in, would say so in the corner, which nothing does by itself, and would notify the person, which
/// nobody has allowed.
fn app() -> Ede {
    let text = json!({"type": "string"});
    let package = json!({
        "formatVersion": 5, "id": "test.desk", "name": "Desk", "version": "1.0.0", "catalogId": "https://ui.exponential.at/catalogs/core/v1",
        "functions": ["records.*", "harness.toast", "notifications.post"],
        "capabilities": [{"id": "notifications.post", "why": "To tell of requests."}],
        "records": {
            "request": {"schema": {"type": "object", "properties": {"title": text}, "required": ["title"]}},
            "log": {"schema": {"type": "object", "properties": {"title": text}, "required": ["title"]}},
        },
        "actions": {"log": {"params": {"type": "object", "properties": {"title": text}, "required": ["title"]}, "steps": [
            {"records.upsert": {"kind": "log", "data": {"title": "params.title"}}},
            {"call": "harness.toast", "args": {"text": "params.title"}},
            {"call": "notifications.post", "args": {"title": "params.title"}},
        ]}},
        "automations": [{"name": "log_request", "on": {"record": {"kind": "request", "op": "create"}}, "run": {"action": "log", "args": {"title": "got ${record.title}"}}}],
        "screens": [{"template": "main", "title": "Desk", "widget": {"template": "main", "size": "s"}}],
        "templates": {"main": {"components": [{"id": "root", "component": "Text", "text": "Desk"}], "data": {}}},
    });
    let ede = Ede::new();
    ede.write_package("test.desk", &package.to_string());
    ede.write_document("desktop", r#"{"formatVersion": 1, "id": "desktop", "kind": "desktop", "place": {"outputs": ["*"]}, "components": [{"id": "root", "component": "Box", "children": ["desk"]}, {"id": "desk", "component": "AppWidget", "app": "test.desk", "size": "s", "cell": [0, 0]}]}"#);
    ede
}

fn read(ede: &Ede, arguments: &[&str]) -> Vec<Value> {
    let ran = ede.command(arguments).output().unwrap();
    serde_json::from_slice(&ran.stdout).unwrap()
}

fn logged(ede: &Ede) -> Vec<String> {
    let rows = read(ede, &["records", "list", "test.desk", "log", "--json"]);
    let title = |r: &Value| r["data"]["title"].as_str().unwrap().to_owned();
    rows.iter().map(title).collect()
}

/// What the app's automations have done, the oldest first.
fn audit(ede: &Ede) -> Vec<String> {
    let rows = read(ede, &["audit", "--app", "test.desk", "--json"]);
    let word = |r: &Value, key: &str| r[key].as_str().unwrap_or("-").to_owned();
    let line = |r: &Value| {
        ["clientId", "tool", "status", "error"]
            .map(|k| word(r, k))
            .join(" ")
    };
    rows.iter().rev().map(line).collect()
}

fn request(ede: &Ede, title: &str) {
    let file = ede.config().join("request.json");
    std::fs::write(&file, json!({"data": {"title": title}}).to_string()).unwrap();
    let file = file.to_str().unwrap();
    let put = ede.command(&["records", "put", "test.desk", "request", file]);
    assert!({ put }.status().unwrap().success());
}

#[test]
fn a_record_from_anywhere_sets_off_its_automation_once_whether_a_shell_runs_or_not() {
    let d = Desktop::start_with(&[one()], app()).0;
    d.compositor.wait_for("the widget", |s| {
        s.layer("ede-widget").filter(|w| painted(w)).map(|_| ())
    });
    // A first one that is done says that the app's automations have begun.
    let Desktop {
        shell,
        compositor,
        ede,
    } = d;
    wait_for("the beginning", || {
        request(&ede, "probe");
        logged(&ede).first().cloned()
    });
    // What nobody has allowed is refused, in the background nobody is asked.
    wait_for("the refused notification", || {
        let row = "automation:log_request notifications__post denied consentNeeded";
        audit(&ede).iter().any(|r| r == row).then_some(())
    });
    let shown = compositor.scene();
    assert!(shown.layer("ede-sheet").is_none() && shown.layer("ede-toast").is_none());
    // Killed, and something written meanwhile.
    drop(shell);
    drop(compositor);
    let before = logged(&ede).len();
    request(&ede, "while nobody looked");
    assert_eq!(logged(&ede).len(), before);
    let again = Compositor::start(Globals::all());
    again.add_output(one());
    let _shell = ede.run_on(&again);
    wait_for("what was missed", || {
        logged(&ede)
            .contains(&"got while nobody looked".to_owned())
            .then_some(())
    });
    request(&ede, "last");
    wait_for("the last", || {
        logged(&ede).contains(&"got last".to_owned()).then_some(())
    });
    let missed = logged(&ede);
    let missed = missed.iter().filter(|t| *t == "got while nobody looked");
    assert_eq!(missed.count(), 1);
}
