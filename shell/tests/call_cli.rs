//! `ede call` where no shell runs: what the broker says, what is done, and the row each call leaves.
#![allow(clippy::unwrap_used, clippy::expect_used)]

mod support;

use std::os::unix::fs::PermissionsExt;

use serde_json::{Value, json};
use support::Home;

/// An app that may ask for windows and for applications, and keeps entries.
fn home() -> Home {
    let home = Home::new();
    let package = json!({
        "formatVersion": 5, "id": "acme.app", "name": "App", "version": "1.0.0", "catalogId": "https://ui.exponential.at/catalogs/core/v1",
        "functions": ["records.upsert", "windows.list", "launch.app", "harness.toast", "openUrl", "exponential.*"],
        "capabilities": [{"id": "windows.read", "why": "To list them."}, {"id": "launch.app", "why": "To start one."}, {"id": "print.document", "why": "To print."}],
        "records": {"entry": {"schema": {"type": "object", "properties": {"hours": {"type": "number"}}, "required": ["hours"]}}},
        "actions": {"log": {"params": {"type": "object", "properties": {"hours": {"type": "number"}}, "required": ["hours"]}, "steps": [
            {"require": "params.hours > 0", "message": "Log more than nothing"},
            {"records.upsert": {"kind": "entry", "data": {"hours": "params.hours"}}},
        ]}, "tell": {"params": {"type": "object", "properties": {}}, "steps": [
            {"records.upsert": {"kind": "entry", "data": {"hours": "1.0"}}},
            {"set": {"path": "/open", "value": "true"}},
            {"call": "harness.toast", "args": {"text": "'Logged'"}},
        ]}},
        "screens": [{"template": "list", "title": "List"}],
        "templates": {"list": {"components": [{"id": "root", "component": "Text", "text": "t"}]}},
    });
    let file = home.file("acme.app.json", package.to_string());
    let ran = home.ede(["apps", "install", file.to_str().unwrap()]);
    assert_eq!(ran.code, 0, "{ran:?}");
    home
}

/// What `ede call acme.app …` prints.
fn call(home: &Home, name: &str, arguments: &Value, flags: &[&str]) -> Value {
    let file = home.file("arguments.json", arguments.to_string());
    let mut all = vec!["call", "acme.app", name, file.to_str().unwrap()];
    all.extend(flags);
    let ran = home.ede(all);
    assert_eq!((ran.code, ran.err.as_str()), (0, ""), "{name}");
    serde_json::from_str(&ran.out).unwrap()
}

/// `client tool status error` of the newest row.
fn row(home: &Home) -> String {
    let rows: Vec<Value> = serde_json::from_str(&home.ok("audit --json")).unwrap();
    let word = |key: &str| rows[0][key].as_str().unwrap_or("-").to_string();
    ["clientId", "tool", "status", "error"].map(word).join(" ")
}

#[test]
fn a_consent_question_is_answered_for_this_once_and_nothing_is_kept_of_it() {
    let home = home();
    let calc = json!({"app": "org.example.Calc"});
    let verdict = |said: &Value| {
        (
            said["verdict"]["verdict"].clone(),
            said["verdict"]["reason"].clone(),
        )
    };
    let said = call(&home, "launch.app", &calc, &[]);
    assert_eq!(
        said,
        json!({"verdict": {"verdict": "ask", "capability": "launch", "tool": "app", "scope": "launch.app", "reason": null}})
    );
    assert_eq!(row(&home), "ui launch__app denied consentNeeded");
    let said = call(&home, "launch.app", &calc, &["--no"]);
    assert_eq!(verdict(&said), (json!("denied"), json!("consentDenied")));
    assert_eq!(row(&home), "ui launch__app denied consentDenied");
    let said = call(&home, "launch.app", &calc, &["--yes"]);
    assert_eq!(verdict(&said), (json!("call"), Value::Null));
    assert_eq!(
        said["answer"]["structuredContent"],
        json!({"launched": false})
    );
    assert_eq!(row(&home), "ui launch__app ok -");
    let said = call(
        &home,
        "launch__app",
        &calc,
        &["--agent", "--background", "--yes"],
    );
    assert_eq!(
        verdict(&said),
        (json!("denied"), json!("consentNeeded")),
        "nobody is asked in the background"
    );
    assert_eq!(row(&home), "ede-call launch__app denied consentNeeded");
    assert_eq!(home.ok("grants --json").trim(), "[]");
}

#[test]
fn what_needs_a_session_is_unavailable_without_one_and_what_there_is_not_is_unknown() {
    let home = home();
    let said = call(&home, "windows.list", &Value::Null, &["--yes"]);
    assert_eq!(said["verdict"]["verdict"], "unavailable");
    assert_eq!(row(&home), "ui windows__list denied unavailable");
    for (name, flags) in [
        ("windows.list", &["--agent"][..]),
        ("records.drop", &[]),
        ("records.upsert", &["--agent"]),
    ] {
        let said = call(&home, name, &Value::Null, flags);
        assert_eq!(
            said["verdict"],
            json!({"verdict": "unknown", "capability": null, "tool": null, "scope": null, "reason": null})
        );
        assert!(
            row(&home).ends_with(&format!("{name} denied unknownTool")),
            "{}",
            row(&home)
        );
    }
    let said = call(&home, "focus.window", &json!({"window": "1"}), &["--yes"]);
    assert_eq!(said["verdict"]["reason"], "notDeclared");
}

#[test]
fn a_document_is_laid_out_without_a_shell_and_goes_with_its_app() {
    let home = home();
    let document = json!({"title": "May", "blocks": [{"text": "Seven hours"}]});
    let said = call(&home, "print.pdf", &document, &[]);
    let file = &said["answer"]["structuredContent"]["file"];
    assert_eq!(
        (&file["name"], &file["mimeType"]),
        (&json!("May.pdf"), &json!("application/pdf"))
    );
    assert_eq!(row(&home), "ui print__pdf ok -");
    let id = file["fileId"].as_str().unwrap();
    let again = json!({"title": "June", "blocks": [{"image": id}]});
    let said = call(&home, "print.pdf", &again, &[]);
    let told = format!("unsupportedImage: {id}");
    assert_eq!(
        said["answer"]["content"][0]["text"], told,
        "a PDF is no picture, but it is found"
    );
    let removed = home.ede(["apps", "remove", "acme.app"]);
    assert_eq!(removed.code, 0, "{removed:?}");
    let file = home.path("acme.app.json");
    assert_eq!(
        home.ede(["apps", "install", file.to_str().unwrap()]).code,
        0
    );
    let said = call(&home, "print.pdf", &again, &[]);
    assert_eq!(
        said["answer"]["content"][0]["text"], told,
        "its author has it again"
    );
}

#[test]
fn an_application_is_started_and_told_of_no_token() {
    let home = home();
    let (program, seen) = (home.path("calc"), home.path("seen"));
    std::fs::write(
        &program,
        format!(
            "#!/bin/sh\necho \"$1 ${{XDG_ACTIVATION_TOKEN-none}}\" > {0}.new && mv {0}.new {0}\n",
            seen.display()
        ),
    )
    .unwrap();
    std::fs::set_permissions(&program, std::fs::Permissions::from_mode(0o755)).unwrap();
    let applications = home.path("xdg/applications");
    std::fs::create_dir_all(&applications).unwrap();
    let entry = format!(
        "[Desktop Entry]\nType=Application\nName=Calc\nExec={} \"a  b\"\n",
        program.display()
    );
    std::fs::write(applications.join("org.example.Calc.desktop"), entry).unwrap();
    let said = call(
        &home,
        "launch.app",
        &json!({"app": "org.example.Calc.desktop"}),
        &["--yes"],
    );
    assert_eq!(
        said["answer"]["structuredContent"],
        json!({"launched": true})
    );
    while !seen.exists() {
        std::thread::sleep(std::time::Duration::from_millis(10));
    }
    assert_eq!(std::fs::read_to_string(seen).unwrap(), "a  b none\n");
}

#[test]
fn functions_write_as_the_apps_surface_would() {
    let home = home();
    let said = call(
        &home,
        "records.upsert",
        &json!({"kind": "entry", "data": {"hours": 2}}),
        &[],
    );
    assert_eq!(said["verdict"]["verdict"], "call");
    let id = said["answer"]["structuredContent"]["records"][0].clone();
    assert_eq!(row(&home), "ui records.upsert ok -");
    call(&home, "actions.log", &json!({"hours": 3}), &[]);
    let kept: Vec<Value> =
        serde_json::from_str(&home.ok("records list acme.app entry --json")).unwrap();
    assert_eq!(kept.len(), 2);
    assert!(kept.iter().any(|r| r["id"] == id));
    let failed = call(&home, "actions.log", &json!({"hours": 0}), &[]);
    assert_eq!(
        failed["answer"],
        json!({"content": [{"type": "text", "text": "Log more than nothing"}], "isError": true})
    );
    assert_eq!(row(&home), "ui actions.log failed -");
    let refused = call(
        &home,
        "records.delete",
        &json!({"kind": "entry", "id": id}),
        &[],
    );
    assert_eq!(
        (
            &refused["verdict"]["verdict"],
            &refused["verdict"]["reason"]
        ),
        (&json!("denied"), &json!("notListed"))
    );
    assert_eq!(row(&home), "ui records.delete denied notListed");
    let nowhere = call(&home, "app.navigate", &json!({"screen": "list"}), &[]);
    assert_eq!(nowhere["verdict"]["verdict"], "unavailable");
    let wrong = call(&home, "records.upsert", &json!({"kind": 7}), &[]);
    assert_eq!(
        row(&home),
        "ui records.upsert invalid invalidParams",
        "{wrong}"
    );
}

#[test]
fn a_write_that_comes_twice_by_one_id_is_one_and_answers_the_same() {
    let home = home();
    let write = |id: &str, hours: u8| {
        let given = json!({"kind": "entry", "data": {"hours": hours}, "writeId": id});
        call(&home, "records.upsert", &given, &[])["answer"]["structuredContent"].clone()
    };
    let first = write("w-1", 1);
    assert_eq!(write("w-1", 1), first);
    assert_ne!(write("w-2", 1), first);
    let there = home.json("records list acme.app entry --json");
    assert_eq!(there.as_array().unwrap().len(), 2);
    let given = json!({"kind": "entry", "data": {"hours": 1}, "writeId": "a b"});
    call(&home, "records.upsert", &given, &[]);
    assert_eq!(row(&home), "ui records.upsert invalid invalidParams");
}

#[test]
fn what_is_wrong_and_what_is_not_to_be_had_are_told_apart() {
    let home = home();
    let said = call(&home, "actions.log", &json!({}), &[]);
    assert_eq!(
        said["answer"]["content"][0]["text"],
        "invalidParams: /hours required"
    );
    assert_eq!(row(&home), "ui actions.log invalid invalidParams");
    let said = call(&home, "exponential.issues.create", &json!({}), &[]);
    let words = said["answer"]["content"][0]["text"].as_str().unwrap();
    assert_eq!(said["verdict"]["verdict"], "unavailable");
    assert!(words.contains("needs an Exponential account"), "{words}");
    assert_eq!(
        row(&home),
        "ui exponential.issues.create denied unavailable"
    );
    call(&home, "openUrl", &json!({"url": "file:///etc/passwd"}), &[]);
    assert_eq!(row(&home), "ui openUrl invalid invalidParams");
    call(
        &home,
        "openUrl",
        &json!({"url": "https://example.com"}),
        &[],
    );
    assert_eq!(row(&home), "ui openUrl denied unavailable");
}

#[test]
fn what_an_action_would_do_to_a_surface_is_said_to_be_left() {
    let home = home();
    let said = call(&home, "actions.tell", &json!({}), &[]);
    let content = &said["answer"]["structuredContent"];
    assert_eq!(content["records"].as_array().unwrap().len(), 1);
    assert_eq!(content["left"], json!(["set", "harness.toast"]));
}

#[test]
fn an_agents_call_alone_puts_no_app_in_the_foreground() {
    let home = home();
    let calc = json!({"app": "org.example.Calc"});
    for flags in [&["--agent"][..], &["--agent", "--yes"]] {
        let said = call(&home, "launch__app", &calc, flags);
        assert_eq!(said["verdict"]["reason"], "consentNeeded");
        assert_eq!(row(&home), "ede-call launch__app denied consentNeeded");
    }
}

#[test]
fn an_app_that_is_not_installed_calls_nothing() {
    let ran = home().ede(["call", "acme.none", "windows.list"]);
    assert_eq!(ran.code, 1);
    assert!(
        ran.err.starts_with("error: ") && ran.err.contains("acme.none"),
        "{}",
        ran.err
    );
}

#[test]
fn the_person_is_asked_by_agents_alone_and_by_a_running_shell() {
    let home = Home::new();
    let ask = "call interaction confirm";
    assert_eq!(
        home.error(ask),
        "only agents ask the person and hand things over, interaction, add --agent, and nothing that answers for anybody"
    );
    let alone = home.error(&format!("{ask} --agent"));
    assert_eq!(
        alone,
        "no shell is running, interaction, start it with `ede run`"
    );
    assert!(
        home.error(&format!("{ask} --agent --yes"))
            .starts_with("only agents")
    );
    for (family, tools) in [
        ("interaction", "notice choice confirm input get dismiss"),
        ("artifact", "keep get"),
    ] {
        let listed = home.json(&format!("call {family} tools --agent"));
        let names: Vec<&str> = (listed.as_array().unwrap().iter())
            .map(|tool| tool["name"].as_str().unwrap())
            .collect();
        assert_eq!(names.join(" "), tools);
        // No app is called so.
        let ran = home.ede(["open", family]);
        assert_eq!(ran.code, 2, "{ran:?}");
    }
}

/// An app that offers tools of every kind.
fn offering() -> Home {
    let home = Home::new();
    let title = json!({"type": "object", "properties": {"title": {"type": "string"}}, "required": ["title"], "additionalProperties": false});
    let tool = |name: &str, access: &str, run: Value| json!({"name": name, "title": "Tool \u{202e}x", "description": "It does.", "access": access, "input": title, "run": run});
    let package = json!({
        "formatVersion": 5, "id": "acme.app", "name": "App", "version": "1.0.0", "catalogId": "https://ui.exponential.at/catalogs/core/v1",
        "records": {"task": {"schema": {"type": "object", "properties": {"title": {"type": "string"}}, "required": ["title"]}}},
        "upstreams": ["bank"],
        "actions": {
            "add": {"params": title, "steps": [{"records.upsert": {"kind": "task", "data": {"title": "params.title"}}}]},
            "tidy": {"params": title, "steps": [{"records.delete": {"id": "params.title"}}]},
        },
        "exposes": [
            tool("find", "read", json!({"records": {"op": "list", "kind": "task", "where": {"title": "${input.title}"}}})),
            tool("put", "write", json!({"records": {"op": "upsert", "kind": "task", "data": {"title": "${input.title}"}}})),
            tool("add", "write", json!({"action": "add", "args": {"title": "${input.title}"}})),
            tool("delete_all", "write", json!({"action": "tidy", "args": {"title": "${input.title}"}})),
            tool("pay", "write", json!({"upstream": "bank", "tool": "pay"})),
            tool("plan", "write", json!({"agent": "planner", "prompt": "Plan."})),
        ],
        "screens": [{"template": "list", "title": "List"}],
        "templates": {"list": {"components": [{"id": "root", "component": "Text", "text": "t"}]}},
    });
    let file = home.file("acme.app.json", package.to_string());
    let ran = home.ede(["apps", "install", file.to_str().unwrap()]);
    assert_eq!(ran.code, 0, "{ran:?}");
    assert!(
        ran.out.contains("note: `delete_all` deletes records"),
        "{}",
        ran.out
    );
    home
}

#[test]
fn an_agent_calls_the_tools_that_an_app_offers_and_nobody_else_does() {
    let home = offering();
    let paint = json!({"title": "Paint"});
    let agent = |name: &str, given: &Value, flags: &[&str]| {
        let flags = [&["--agent"], flags].concat();
        call(&home, &format!("acme.app__{name}"), given, &flags)
    };
    let said = agent("put", &paint, &[]);
    assert_eq!(
        said["verdict"],
        json!({"verdict": "call", "capability": "acme.app", "tool": "put", "scope": null, "reason": null})
    );
    assert_eq!(row(&home), "ede-call acme.app__put ok -");
    let said = agent("find", &paint, &[]);
    assert_eq!(said["answer"]["structuredContent"]["count"], 1);
    let said = agent("find", &json!({"title": "x", "kind": "y"}), &[]);
    let text = &said["answer"]["content"][0]["text"];
    assert_eq!(text, "invalidParams: /kind additionalProperties");
    assert_eq!(row(&home), "ede-call acme.app__find invalid invalidParams");
    // Its surface has no such function.
    let said = call(&home, "acme.app__put", &paint, &[]);
    assert_eq!(said["verdict"]["verdict"], "unknown");
}

#[test]
fn what_an_action_writes_is_allowed_first_and_destroys_nothing() {
    let home = offering();
    let paint = json!({"title": "Paint"});
    let agent = |name: &str, flags: &[&str]| {
        let flags = [&["--agent"], flags].concat();
        let said = call(&home, &format!("acme.app__{name}"), &paint, &flags);
        let verdict = &said["verdict"];
        let word = |key: &str| verdict[key].as_str().unwrap_or("-").to_string();
        format!("{} {}", word("verdict"), word("reason"))
    };
    let tasks = || home.ok("query acme.app records:task");
    assert_eq!(agent("add", &[]), "ask -");
    assert_eq!(row(&home), "ede-call acme.app__add denied consentNeeded");
    assert_eq!(agent("add", &["--background"]), "denied consentNeeded");
    assert_eq!(agent("add", &["--no"]), "denied consentDenied");
    assert!(tasks().contains("\"count\": 0"), "{}", tasks());
    assert_eq!(agent("add", &["--yes"]), "call -");
    assert_eq!(row(&home), "ede-call acme.app__add ok -");
    assert!(tasks().contains("\"count\": 1"), "{}", tasks());
    assert_eq!(agent("delete_all", &["--yes"]), "denied destructive");
    assert_eq!(agent("pay", &["--yes"]), "unavailable -");
    assert_eq!(row(&home), "ede-call acme.app__pay denied unavailable");
    assert_eq!(agent("plan", &["--yes"]), "unavailable -");
    assert_eq!(row(&home), "ede-call acme.app__plan denied unavailable");
    assert_eq!(home.ok("grants --json").trim(), "[]");
}

#[test]
fn the_tools_are_listed_with_their_apps() {
    let home = offering();
    let list: Value = serde_json::from_str(&home.ok("apps list --json")).unwrap();
    let tools = list[0]["tools"].as_array().unwrap();
    assert_eq!(tools.len(), 6);
    assert_eq!(
        (
            &tools[0]["name"],
            &tools[0]["access"],
            &tools[0]["inputSchema"]["required"]
        ),
        (&json!("acme.app__find"), &json!("read"), &json!(["title"]))
    );
    let plain = home.ok("apps list");
    let line = "agents may call acme.app__put (write): Tool x";
    assert!(plain.contains(line), "{plain}");
}
