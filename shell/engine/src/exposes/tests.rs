#![allow(clippy::unwrap_used)]

use std::sync::Arc;

use serde_json::{Value, json};

use super::*;
use crate::actions::Effect;
use crate::broker::audit::Client;
use crate::broker::names::RunId;
use crate::records::{LOCAL, Viewer, Write};

/// A package of these tools, and of actions that write, delete, call and show.
fn package(exposes: Value) -> Arc<Package> {
    let text = json!({"type": "string"});
    let upsert = json!({"records.upsert": {"kind": "task", "data": {"title": "params.title"}}});
    let titled = json!({"type": "object", "properties": {"title": text}, "required": ["title"]});
    let package = json!({
        "formatVersion": 5, "id": "acme.tasks", "name": "Tasks", "version": "1.0.0", "catalogId": eui_core::CORE_CATALOG_ID,
        "functions": ["records.upsert", "notifications.post", "harness.toast"],
        "capabilities": [{"id": "notifications.post", "why": "To tell you."}],
        "upstreams": ["bank"],
        "records": {"task": {"schema": {"type": "object", "properties": {"title": text, "status": text}, "required": ["title"]}},
            "note": {"schema": {"type": "object", "properties": {"title": text}}}},
        "queries": {"by": {"from": "task", "where": [["status", "=", "${status}"]]}, "notes": {"from": "note"}},
        "actions": {
            "add": {"params": titled, "steps": [upsert, {"call": "harness.toast", "args": {"text": "'Added'"}}]},
            "tidy": {"steps": [{"records.delete": {"id": "'t1'"}}]},
            "peek_list": {"params": titled, "steps": [upsert]},
            "tell": {"steps": [{"call": "notifications.post", "args": {"title": "'Done'"}}]},
        },
        "exposes": exposes,
        "templates": {"main": {"components": [{"id": "root", "component": "Text", "text": "t"}]}},
    });
    let parsed = Package::read(package.to_string().as_bytes());
    Arc::new(parsed.package.ok_or(parsed.issues).unwrap())
}

fn tool(name: &str, access: &str, properties: Value, run: Value) -> Value {
    json!({
        "name": name, "title": "T", "description": "D.", "access": access,
        "input": {"type": "object", "properties": properties, "additionalProperties": false}, "run": run,
    })
}

fn agent() -> Client {
    Client::Run(RunId::parse("run-1").unwrap())
}

fn viewer() -> Viewer {
    Viewer {
        me: LOCAL.into(),
        now: "2026-11-30T12:00:00[UTC]".parse().unwrap(),
    }
}

fn open(package: &Arc<Package>, tool: &str, given: Value) -> Result<Call, Closed> {
    Call::open(package, agent(), &format!("acme.tasks__{tool}"), &given).unwrap()
}

/// `{verdict, answer}` and the row, as `status error`.
fn settled(closed: Closed) -> (Value, String) {
    let mut rows = Vec::new();
    let said = closed.settle(&mut rows);
    let row = &rows[0];
    assert_eq!((rows.len(), row.client_id.as_str()), (1, "run-1"));
    let error = row.error.unwrap_or("-");
    (
        said,
        format!("{} {} {error}", row.tool, row.status.as_str()),
    )
}

fn deed(tool: Value, given: Value, calls: bool) -> Result<Deed, Answered> {
    let name = tool["name"].as_str().unwrap().to_owned();
    let package = package(json!([tool]));
    open(&package, &name, given).unwrap().deed(&viewer(), calls)
}

fn text() -> Value {
    json!({"title": {"type": "string"}})
}

#[test]
fn a_tool_goes_by_its_one_name() {
    let add = tool(
        "add",
        "write",
        text(),
        json!({"action": "add", "args": {"title": "${input.title}"}}),
    );
    let package = package(json!([add]));
    let found = |name: &str| Call::open(&package, agent(), name, &json!({})).is_some();
    assert!(found("acme.tasks__add"));
    for none in [
        "add",
        "acme.tasks.add",
        "acme.tasks__gone",
        "acme.task__add",
    ] {
        assert!(!found(none), "{none}");
    }
}

#[test]
fn arguments_keep_to_the_schema_before_anything_is_looked_at() {
    let run =
        json!({"records": {"op": "upsert", "kind": "task", "data": {"title": "${input.title}"}}});
    let package = package(json!([tool("add", "write", text(), run)]));
    for (given, says) in [
        (json!({"title": 7}), "invalidParams: /title type"),
        (
            json!({"title": "x", "kind": "note"}),
            "invalidParams: /kind additionalProperties",
        ),
        (json!([]), "invalidParams: / type"),
    ] {
        let (said, row) = settled(open(&package, "add", given).unwrap_err());
        assert_eq!(said["answer"]["content"][0]["text"], says);
        assert_eq!(row, "acme.tasks__add invalid invalidParams");
    }
    let huge = json!({"title": "x".repeat(MOST_ARGUMENTS)});
    let (said, row) = settled(open(&package, "add", huge).unwrap_err());
    assert_eq!(said["answer"]["content"][0]["text"], "tooLarge");
    assert_eq!(row, "acme.tasks__add invalid tooLarge");
}

#[test]
fn what_an_agent_says_is_data_and_names_nothing() {
    let run = json!({"records": {"op": "upsert", "kind": "task", "data": {"title": "${input.title}", "status": "${input.status}"}}});
    let properties = json!({"title": {"type": "string"}, "status": {"type": "string"}});
    let given = json!({"title": "${input.status} ${record.id} ${firedAt}"});
    let Deed::Write { batch, .. } =
        deed(tool("add", "write", properties, run), given, true).unwrap()
    else {
        panic!("it writes")
    };
    let batch = batch.unwrap();
    let [
        Write::Upsert {
            kind,
            id: None,
            data,
        },
    ] = &batch.writes[..]
    else {
        panic!("{batch:?}")
    };
    let whole = json!({"title": "${input.status} ${record.id} ${firedAt}"});
    assert_eq!(
        (kind.as_str(), data),
        ("task", &whole),
        "what is left out is not null"
    );
    assert_eq!(
        (batch.via.as_str(), batch.action.as_deref()),
        ("agent", Some("add"))
    );
}

#[test]
fn a_list_is_the_packages_query_or_one_written_out_and_of_its_own_kind() {
    let status = json!({"status": {}, "query": {}, "app": {}, "q": {}});
    let list = |records: Value, given: Value| {
        deed(
            tool("all", "read", status.clone(), json!({"records": records})),
            given,
            true,
        )
    };
    let given = json!({"status": "open", "query": "notes", "app": "acme.other", "q": "{}"});
    let named = json!({"op": "list", "kind": "task", "query": "by"});
    let Deed::Read(named, Whole::All) = list(named, given.clone()).unwrap() else {
        panic!("it reads")
    };
    let kinds: Vec<String> = named
        .reads()
        .map(|c| format!("{} {}", c.app, c.kind))
        .collect();
    assert_eq!(kinds, ["acme.tasks task"]);
    for written in [
        json!({"op": "list", "kind": "task", "where": {"status": "${input.status}"}}),
        json!({"op": "list", "kind": "task", "where": [["status", "=", "${input.status}"]]}),
    ] {
        let Deed::Read(written, _) = list(written, given.clone()).unwrap() else {
            panic!("it reads")
        };
        assert_eq!(written, named, "the same question");
    }
    // Where a template would lead elsewhere.
    let elsewhere = json!({"op": "list", "kind": "task", "where": "${input.status}"});
    let odd = list(
        elsewhere,
        json!({"status": {"from": "note", "app": "acme.other"}}),
    );
    assert!(odd.is_ok_and(
        |d| matches!(d, Deed::Read(r, _) if r.reads().all(|c| c.kind.as_str() == "task"))
    ));
}

#[test]
fn what_reads_never_writes_and_nothing_destroys() {
    let run = |name: &str, access: &str, action: &str| {
        let run =
            json!({"action": format!("actions.{action}"), "args": {"title": "${input.title}"}});
        deed(tool(name, access, text(), run), json!({"title": "x"}), true)
    };
    let refused = |why| Err(Answered::Refused(why));
    let why = |deed: Result<Deed, Answered>| deed.map(|_| ());
    assert_eq!(
        why(run("peek", "read", "peek_list")),
        refused(Refused::AccessTooLow)
    );
    assert_eq!(
        why(run("tidy", "write", "tidy")),
        refused(Refused::Destructive)
    );
    let Deed::Write {
        batch: Some(batch),
        calls,
    } = run("add", "write", "add").unwrap()
    else {
        panic!("it writes")
    };
    assert_eq!(
        (batch.writes.len(), calls.len()),
        (1, 0),
        "nobody sees a message"
    );
}

#[test]
fn an_action_whose_calls_cannot_be_made_does_nothing() {
    let tell = tool("tell", "write", json!({}), json!({"action": "tell"}));
    let Deed::Write { batch: None, calls } = deed(tell.clone(), json!({}), true).unwrap() else {
        panic!("it calls")
    };
    assert!(
        matches!(&calls[..], [Effect::Capability { function, .. }] if function == "notifications.post")
    );
    assert!(matches!(
        deed(tell, json!({}), false),
        Err(Answered::Unavailable(_))
    ));
}

#[test]
fn the_person_is_asked_about_what_an_action_may_write_and_again_when_it_is_another() {
    let run = json!({"action": "add", "args": {"title": "${input.title}"}});
    let add = tool("add", "write", text(), run.clone());
    let list = tool(
        "all",
        "read",
        json!({}),
        json!({"records": {"op": "list", "kind": "task"}}),
    );
    let put = tool(
        "put",
        "write",
        text(),
        json!({"records": {"op": "upsert", "kind": "task", "data": {"title": "${input.title}"}}}),
    );
    let wishes =
        |package: &Package| -> Vec<_> { Tool::all(package).iter().map(Tool::wish).collect() };
    let before = package(json!([add, list, put]));
    let [Some(wish), None, None] = &wishes(&before)[..] else {
        panic!("of the action alone")
    };
    assert_eq!(wish.subject.to_string(), "tool:add");
    let mut other = before.value().clone();
    other["actions"]["add"]["steps"][0]["records.upsert"]["kind"] = "note".into();
    let after = Package::read(Value::Object(other).to_string().as_bytes())
        .package
        .unwrap();
    assert_ne!(wishes(&after)[0].as_ref(), Some(wish));
    assert_eq!(
        wishes(&package(json!([tool("add", "write", text(), run)])))[0].as_ref(),
        Some(wish)
    );
}

#[test]
fn an_agent_is_not_reached_and_says_so_in_a_sentence() {
    let ask = tool(
        "ask",
        "write",
        text(),
        json!({"agent": "planner", "prompt": "Plan ${input.title}."}),
    );
    let (said, row) = settled(open(&package(json!([ask])), "ask", json!({})).unwrap_err());
    assert_eq!(said["verdict"]["verdict"], "unavailable");
    assert_eq!(said["verdict"]["capability"], "acme.tasks");
    assert!(
        said["answer"]["content"][0]["text"]
            .as_str()
            .unwrap()
            .contains("not connected")
    );
    assert_eq!(row, "acme.tasks__ask denied unavailable");
}

#[test]
fn a_servers_tool_is_told_whether_it_may_only_read() {
    let run = json!({"upstream": "bank", "tool": "rates", "args": {"of": "${input.title}", "on": "${input.day}"}});
    let properties = json!({"title": {"type": "string"}, "day": {"type": "string", "format": "date", "description": "When."}});
    let read = |access: &str| match deed(
        tool("rates", access, properties.clone(), run.clone()),
        json!({"title": "EUR"}),
        true,
    ) {
        Ok(Deed::Errand(errand)) => errand,
        other => panic!("{other:?}"),
    };
    let errand = read("read");
    assert_eq!(
        (errand.to.to_string(), errand.only_reads),
        ("bank/rates".into(), true)
    );
    assert_eq!(Value::Object(errand.arguments), json!({"of": "EUR"}));
    assert!(!read("write").only_reads);
    let package = package(json!([tool("rates", "read", properties, run)]));
    let (said, _) = settled(open(&package, "rates", json!({"day": "2026-02-30"})).unwrap_err());
    assert_eq!(
        said["answer"]["content"][0]["text"],
        "invalidParams: /day format"
    );
}

#[test]
fn a_tool_whose_arguments_could_not_be_checked_is_not_offered() {
    let run = json!({"records": {"op": "list", "kind": "task"}});
    let properties = json!({"title": {"type": "string", "pattern": "^a"}});
    assert!(Tool::all(&package(json!([tool("all", "read", properties, run)]))).is_empty());
}
