//! What agents have apps do while a shell runs: asked once about what may change something, told to the agent, one row a call.

use ede_tests::program::Ede;
use serde_json::{Value, json};

use super::harness::wait_for;
use super::readings::{add_bank, asked, audit, grants, no_sheet, ready, start};

fn app() -> Ede {
    let ede = Ede::new();
    let title = json!({"type": "object", "properties": {"title": {"type": "string"}}, "required": ["title"]});
    let tool = |name: &str, access: &str, run: Value| json!({"name": name, "title": format!("The tool {name}"), "description": "Adds a task to the list, as if you had.", "access": access, "input": title, "run": run});
    let package = json!({
        "formatVersion": 5, "id": "test.tools", "name": "Tasks", "version": "1.0.0", "catalogId": "https://ui.exponential.at/catalogs/core/v1",
        "records": {"task": {"schema": {"type": "object", "properties": {"title": {"type": "string"}}, "required": ["title"]}}},
        "upstreams": ["bank"],
        "functions": ["windows.list"],
        "capabilities": [{"id": "windows.read", "why": "To list them."}],
        "actions": {"add": {"params": title, "steps": [
            {"records.upsert": {"kind": "task", "data": {"title": "params.title"}}}, {"call": "windows.list"}]}},
        "exposes": [
            tool("add", "write", json!({"action": "add", "args": {"title": "${input.title}"}})),
            tool("rates", "read", json!({"upstream": "bank", "tool": "json", "args": {"of": "${input.title}"}})),
            tool("look", "read", json!({"upstream": "bank", "tool": "pay"})),
        ],
        "templates": {"main": {"components": [{"id": "root", "component": "Text", "text": "Tasks"}]}},
        "screens": [{"template": "main", "title": "Tasks"}],
    });
    ede.write_package("test.tools", &package.to_string());
    ede.write_document("desktop", r#"{"formatVersion": 1, "id": "desktop", "kind": "desktop", "place": {"outputs": ["*"]}, "components": [{"id": "root", "component": "Box", "children": ["tasks"]}, {"id": "tasks", "component": "AppWidget", "app": "test.tools", "size": "m", "cell": [0, 0]}]}"#);
    add_bank(&ede);
    ede
}

/// What an agent is told.
fn call(ede: &Ede, name: &str, more: &[&str]) -> Value {
    let file = ede.config().join("arguments.json");
    std::fs::write(&file, r#"{"title": "Paint"}"#).unwrap();
    let name = format!("test.tools__{name}");
    let mut arguments = vec![
        "call",
        "test.tools",
        &name,
        file.to_str().unwrap(),
        "--agent",
    ];
    arguments.extend(more);
    let ran = ede.command(&arguments).output().unwrap();
    serde_json::from_slice(&ran.stdout)
        .unwrap_or_else(|_| panic!("{}", String::from_utf8_lossy(&ran.stderr)))
}

fn reason(said: &Value) -> &str {
    said["verdict"]["reason"].as_str().unwrap_or_default()
}

#[test]
fn the_person_lets_agents_use_a_tool_once_and_what_follows_is_asked_about_as_ever() {
    let d = start(app());
    let ede = &d.ede;
    assert_eq!(
        reason(&call(ede, "add", &["--background"])),
        "consentNeeded"
    );
    std::thread::scope(|scope| {
        let asked = scope.spawn(|| call(ede, "add", &[]));
        ready(&d);
        d.compositor.keyboard().tap("Return");
        assert_eq!(reason(&asked.join().unwrap()), "consentDenied");
    });
    no_sheet(&d);
    assert_eq!(grants(&d), ["tool:add denied"]);
    assert_eq!(reason(&call(ede, "add", &[])), "consentDenied");
    d.ok(&["grants", "test.tools", "revoke", "tool:add"]);
    wait_for("the question, and its answer", || {
        // The shell hears of it in its own time.
        std::thread::scope(|scope| {
            let asked = scope.spawn(|| call(ede, "add", &[]));
            while !asked.is_finished() && d.compositor.scene().layer("ede-sheet").is_none() {
                std::thread::sleep(std::time::Duration::from_millis(20));
            }
            if !asked.is_finished() {
                ready(&d);
                d.compositor.keyboard().tap("Tab").tap("Return");
            }
            let said = asked.join().unwrap();
            (said["verdict"]["verdict"] == "call").then_some(())
        })
    });
    no_sheet(&d);
    // Allowed is allowed.
    let said = call(ede, "add", &["--background"]);
    let records = &said["answer"]["structuredContent"]["records"];
    assert_eq!(records.as_array().map(Vec::len), Some(1), "{said}");
    let rows = audit(&d);
    let times = |row: &str| rows.iter().filter(|r| *r == row).count();
    assert_eq!(times("test.tools__add ok -"), 2, "{rows:?}");
    // Nobody is asked for what follows, behind their back.
    wait_for("what follows", || {
        let refused = "windows__list denied consentNeeded".to_string();
        audit(&d).contains(&refused).then_some(())
    });
}

#[test]
fn a_servers_tool_is_asked_about_as_such_and_one_that_reads_is_held_to_that() {
    let d = start(app());
    let ede = &d.ede;
    let allow = |name: &str| {
        std::thread::scope(|scope| {
            let asked = scope.spawn(|| call(ede, name, &[]));
            ready(&d);
            d.compositor.keyboard().tap("Tab").tap("Return");
            asked.join().unwrap()
        })
    };
    let said = allow("rates");
    assert_eq!(said["verdict"]["verdict"], "call", "{said}");
    assert_eq!(said["verdict"]["scope"], "call:bank/json");
    no_sheet(&d);
    let said = allow("look");
    assert_eq!(reason(&said), "notReadOnly", "{said}");
    assert!(!asked(&d).contains("tools/call pay"), "{}", asked(&d));
    assert_eq!(
        grants(&d),
        ["call:bank/json granted", "call:bank/pay granted"]
    );
    assert_eq!(
        audit(&d)[..2],
        [
            "test.tools__look denied notReadOnly",
            "test.tools__rates ok -"
        ]
    );
}
