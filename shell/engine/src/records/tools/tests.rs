#![allow(clippy::unwrap_used)]

use std::sync::Arc;

use serde_json::{Value, json};

use super::*;
use crate::broker::audit::Client;
use crate::broker::names::RunId;
use crate::clock::FixedClock;
use crate::package::Package;
use crate::records::{AuditQuery, RecordId, StoreOptions};

fn store(dir: &tempfile::TempDir, now: &str) -> Store {
    let clock = FixedClock(format!("{now}[UTC]").parse().unwrap());
    let path = dir.path().join("records.db");
    Store::start(StoreOptions::new(path, Arc::new(clock))).unwrap()
}

fn package() -> Arc<Package> {
    let title = json!({"type": "object", "properties": {"title": {"type": "string"}, "id": {"type": "string"}}});
    let tool = |name: &str, access: &str, run: Value| json!({"name": name, "title": "T", "description": "D.", "access": access, "input": title, "run": run});
    let package = json!({
        "formatVersion": 3, "id": "acme.tasks", "name": "Tasks", "version": "1.0.0", "catalogId": eui_core::CORE_CATALOG_ID,
        "records": {"task": {"schema": {"type": "object", "properties": {"title": {"type": "string", "maxLength": 5}}, "required": ["title"]},
            "computed": {"long": "size(title) > 3"}}},
        "actions": {"two": {"params": {"type": "object", "properties": {"title": {"type": "string"}}, "required": ["title"]}, "steps": [
            {"records.upsert": {"kind": "task", "data": {"title": "'one'"}}}, {"records.upsert": {"kind": "task", "data": {"title": "params.title"}}}]}},
        "exposes": [
            tool("put", "write", json!({"records": {"op": "upsert", "kind": "task", "id": "${input.id}", "data": {"title": "${input.title}"}}})),
            tool("get", "read", json!({"records": {"op": "get", "kind": "task", "id": "${input.id}"}})),
            tool("all", "read", json!({"records": {"op": "list", "kind": "task", "sort": "title", "limit": 2}})),
            tool("two", "write", json!({"action": "two", "args": {"title": "${input.title}"}})),
        ],
        "templates": {"main": {"components": [{"id": "root", "component": "Text", "text": "t"}]}},
    });
    let parsed = Package::read(package.to_string().as_bytes());
    Arc::new(parsed.package.ok_or(parsed.issues).unwrap())
}

/// What an agent is answered: the structured content, or the error's text.
fn called(store: &Store, tool: &str, given: Value) -> Value {
    let client = Client::Run(RunId::parse("run-1").unwrap());
    let name = format!("acme.tasks__{tool}");
    let call = Call::open(&package(), client, &name, &given)
        .unwrap()
        .unwrap();
    let ToolRan::Closed(closed, calls) = store.run_tool(call, true).wait().unwrap() else {
        panic!("no server is asked")
    };
    assert_eq!(calls, []);
    let said = closed.settle(&mut store.clone());
    let answer = &said["answer"];
    let content = answer
        .get("structuredContent")
        .unwrap_or(&answer["content"][0]["text"]);
    content.clone()
}

#[test]
fn a_record_is_written_and_read_as_the_apps_own_surfaces_read_it() {
    let dir = tempfile::tempdir().unwrap();
    let store = store(&dir, "2026-11-30T12:00:00");
    let written = called(&store, "put", json!({"title": "Paint"}));
    let id = written["records"][0].as_str().unwrap();
    let one = called(&store, "get", json!({"id": id}));
    assert_eq!(
        (&one["record"]["title"], &one["record"]["long"]),
        (&json!("Paint"), &json!(true))
    );
    called(&store, "put", json!({"id": id, "title": "Hang"}));
    let all = called(&store, "all", json!({}));
    assert_eq!(
        (&all["count"], &all["rows"][0]["title"]),
        (&json!(1), &json!("Hang"))
    );
    assert_eq!(
        called(&store, "get", json!({"id": "gone"})),
        "notFound: gone"
    );
    let record = RecordId::parse(id).unwrap();
    let history = store
        .history(package().id().clone(), record)
        .wait()
        .unwrap();
    assert_eq!(
        (history[0].via.as_str(), history[0].name.as_deref()),
        ("agent", Some("put"))
    );
    let rows = store.audit(AuditQuery::default()).wait().unwrap();
    let rows: Vec<String> = rows
        .iter()
        .map(|r| format!("{} {}", r.tool, r.status))
        .collect();
    assert_eq!(rows.len(), 5);
    assert_eq!(rows[0], "acme.tasks__get failed");
    assert_eq!(rows[4], "acme.tasks__put ok");
}

#[test]
fn an_action_writes_all_or_nothing() {
    let dir = tempfile::tempdir().unwrap();
    let store = store(&dir, "2026-11-30T12:00:00");
    let refused = called(&store, "two", json!({"title": "too long"}));
    assert!(refused.as_str().unwrap().contains("title"), "{refused}");
    assert_eq!(called(&store, "all", json!({}))["count"], 0);
    let written = called(&store, "two", json!({"title": "two"}));
    assert_eq!(written["records"].as_array().unwrap().len(), 2);
    assert_eq!(called(&store, "all", json!({}))["count"], 2);
}

#[test]
fn an_apps_tools_are_called_sixty_times_a_minute_whoever_counts() {
    let dir = tempfile::tempdir().unwrap();
    for n in 0..60 {
        // Each process has its own.
        let store = store(&dir, "2026-11-30T12:00:00");
        assert_eq!(called(&store, "all", json!({}))["count"], 0, "{n}");
    }
    let store_then = store(&dir, "2026-11-30T12:00:59");
    assert_eq!(
        called(&store_then, "put", json!({"title": "x"})),
        "rateLimited"
    );
    let rows = store_then.audit(AuditQuery::default()).wait().unwrap();
    assert_eq!(rows[0].error.as_deref(), Some("rateLimited"));
    let later = store(&dir, "2026-11-30T12:01:00");
    assert_eq!(called(&later, "all", json!({}))["count"], 0);
}
