//! Records on their way to a new version of their app: in batches, each whole, going on after whatever stopped them, and of use to
//! everybody in the meantime.
#![allow(clippy::unwrap_used, clippy::expect_used)]

mod support;

use std::io::{BufRead, BufReader, Write as _};
use std::path::Path;
use std::process::{Command, Stdio};
use std::sync::{Arc, mpsc};

use ede_engine::package::Package;
use ede_engine::records::{
    Batch, LOCAL, RecordsRequest, Store, StoreError, StoreEvent, Via, Viewer, Write,
};
use serde_json::{Value, json};
use support::*;

/// The next version: hours are minutes, entries are called logs, a state is needed.
fn newer() -> Arc<Package> {
    let mut value = Value::Object(package().value().clone());
    value["formatVersion"] = 3.into();
    value["version"] = "2.0.0".into();
    let properties = json!({"minutes": {"type": "number", "maximum": 6000}, "note": {"type": "string"}, "state": {"type": "string"}});
    value["records"]["log"] = json!({"schema": {"type": "object", "properties": properties, "required": ["minutes", "state"]}});
    value["records"].as_object_mut().unwrap().remove("entry");
    value["migrations"] = json!([{"from": "^1", "kind": "entry", "ops": [
        {"renameKind": "log"}, {"rename": {"from": "hours", "to": "minutes"}}, {"map": {"field": "minutes", "expr": "minutes * 60"}},
        {"default": {"field": "state", "value": "open"}},
    ]}]);
    read(&value)
}

fn entries(store: &Store, records: usize) {
    let entry = |n: usize| {
        put(
            "entry",
            json!({"id": format!("e{n}"), "data": {"hours": n % 7}, "updatedAt": "2026-09-01T00:00:00Z"}),
        )
    };
    let writes = (0..records).map(entry).collect();
    store.commit(batch(writes)).wait().unwrap();
}

fn write(
    store: &Store,
    package: Arc<Package>,
    write: Write,
) -> Result<Option<ede_engine::records::ActionId>, StoreError> {
    let batch = Batch::new(package, Via::App, vec![write]);
    Ok(store.commit(batch).wait()?.action)
}

fn count(store: &Store, package: &Package, source: &str) -> u64 {
    let request = RecordsRequest::parse(source, package, |_| None).unwrap();
    let viewer = Viewer {
        me: LOCAL.into(),
        now: "2026-10-01T12:00:00[UTC]".parse().unwrap(),
    };
    store.value(request, viewer).wait().unwrap()["count"]
        .as_u64()
        .unwrap()
}

#[test]
fn records_move_in_batches_each_told_and_kept_in_the_history() {
    let dir = tempfile::tempdir().unwrap();
    let store = store(&dir.path().join("records.db"));
    entries(&store, 1100);
    write(&store, package(), create("task", json!({"title": "t"}))).unwrap();
    write(&store, package(), delete("e7")).unwrap();
    let (tell, heard) = mpsc::channel();
    store.listen(move |event| {
        if let StoreEvent::Moving(moving) = event {
            let _ = tell.send((moving.moved, moving.left));
        }
    });
    assert_eq!(count(&store, &package(), "records:entry"), 1099);
    let mut steps = Vec::new();
    loop {
        let step = store.move_records(newer()).wait().unwrap();
        steps.push((step.moved, step.left));
        if step.moved == 0 {
            break;
        }
    }
    assert_eq!(steps, [(500, 599), (500, 99), (99, 0), (0, 0)]);
    assert_eq!(heard.try_iter().collect::<Vec<_>>(), steps[..3]);
    assert_eq!(count(&store, &newer(), "records:log"), 1099);
    assert_eq!(
        count(&store, &package(), "records:entry"),
        0,
        "nobody sees it under its old name"
    );
    let record = store.list(app(), Some(kind("log"))).wait().unwrap();
    let record = record.iter().find(|record| record.id == id("e6")).unwrap();
    assert_eq!(
        Value::Object(record.data.clone()),
        json!({"minutes": 360, "state": "open"})
    );
    assert_eq!(
        record.updated_at.to_string(),
        "2026-09-01T00:00:00Z",
        "nobody has edited it"
    );
    let history = store.history(app(), id("e6")).wait().unwrap();
    assert_eq!((history.len(), history[0].via.as_str()), (2, "migration"));
    assert_eq!(
        history[0].before.as_ref().unwrap()["data"],
        json!({"hours": 6})
    );
    let undone = store
        .undo(app(), history[0].action, LOCAL.into(), Some(newer()))
        .wait()
        .unwrap_err();
    assert!(
        undone.to_string().contains("cannot be taken back"),
        "{undone}"
    );
}

/// Take the newest action on `record` back under the newer version; answers the newest state of its history.
fn take_back(store: &Store, record: &str) -> Value {
    let action = store.history(app(), id(record)).wait().unwrap()[0].action;
    let undone = store.undo(app(), action, LOCAL.into(), Some(newer()));
    undone.wait().unwrap();
    let newest = store.history(app(), id(record)).wait().unwrap().remove(0);
    newest
        .after
        .map_or(Value::Null, |after| after["data"].clone())
}

#[test]
fn what_an_undo_brings_back_moves_to_the_installed_version_at_once() {
    let dir = tempfile::tempdir().unwrap();
    let store = store(&dir.path().join("records.db"));
    entries(&store, 3);
    write(&store, package(), delete("e1")).unwrap();
    write(&store, package(), patch("entry", "e2", json!({"hours": 5}))).unwrap();
    let entry = || count(&store, &package(), "records:entry");
    let log = || count(&store, &newer(), "records:log");
    assert_eq!((entry(), log()), (2, 0));
    let moved = json!({"minutes": 60, "state": "open"});
    assert_eq!(take_back(&store, "e1"), moved, "out of the trash");
    assert_eq!((entry(), log()), (2, 1));
    let older = json!({"minutes": 120, "state": "open"});
    assert_eq!(take_back(&store, "e2"), older, "to an older state");
    assert_eq!(
        (entry(), log()),
        (1, 2),
        "nobody sees it under its old name"
    );
    // Into the trash and back again, nothing is moved twice.
    assert_eq!(take_back(&store, "e1"), Value::Null);
    assert_eq!(take_back(&store, "e1"), moved);
    assert_eq!(store.move_records(newer()).wait().unwrap().moved, 1);
}

#[test]
fn what_an_undo_brings_back_and_has_no_way_comes_as_it_was_and_is_told() {
    let dir = tempfile::tempdir().unwrap();
    let store = store(&dir.path().join("records.db"));
    let long = json!({"id": "long", "data": {"hours": 101}});
    write(&store, package(), put("entry", long)).unwrap();
    write(&store, package(), delete("long")).unwrap();
    let (tell, heard) = mpsc::channel();
    store.listen(move |event| {
        if let StoreEvent::NotMoved(_, error) = event {
            let _ = tell.send(error.to_string());
        }
    });
    assert_eq!(take_back(&store, "long"), json!({"hours": 101}));
    assert_eq!(count(&store, &package(), "records:entry"), 1);
    let told: Vec<String> = heard.try_iter().collect();
    assert!(
        told.len() == 1 && told[0].contains("ede records put"),
        "{told:?}"
    );
}

#[test]
fn a_record_that_has_not_moved_yet_is_read_as_it_was_and_moves_when_it_is_written() {
    let dir = tempfile::tempdir().unwrap();
    let store = store(&dir.path().join("records.db"));
    entries(&store, 3);
    assert_eq!(count(&store, &newer(), "records:log"), 0);
    assert_eq!(store.list(app(), None).wait().unwrap()[1].data["hours"], 1);
    write(&store, newer(), patch("log", "e1", json!({"note": "n"}))).unwrap();
    let record = store
        .list(app(), Some(kind("log")))
        .wait()
        .unwrap()
        .remove(0);
    assert_eq!(
        Value::Object(record.data),
        json!({"minutes": 60, "state": "open", "note": "n"})
    );
    assert_eq!(store.move_records(newer()).wait().unwrap().moved, 2);
}

#[test]
fn a_record_that_has_no_way_stops_its_batch_alone_and_can_be_put_right() {
    let dir = tempfile::tempdir().unwrap();
    let store = store(&dir.path().join("records.db"));
    entries(&store, 500);
    write(
        &store,
        package(),
        put("entry", json!({"id": "fine", "data": {"hours": 1}})),
    )
    .unwrap();
    write(
        &store,
        package(),
        put("entry", json!({"id": "too-long", "data": {"hours": 101}})),
    )
    .unwrap();
    let (tell, heard) = mpsc::channel();
    store.listen(move |event| {
        if let StoreEvent::NotMoved(app, _) = event {
            let _ = tell.send(app.clone());
        }
    });
    assert_eq!(store.move_records(newer()).wait().unwrap().moved, 500);
    for _ in 0..2 {
        let stopped = store.move_records(newer()).wait().unwrap_err();
        let StoreError::NotMoved {
            kind,
            record,
            reason,
            ..
        } = &stopped
        else {
            panic!("{stopped:?}")
        };
        assert_eq!(
            (kind.as_str(), record.as_str(), reason.as_str()),
            ("entry", "too-long", "minutes: at most 6000")
        );
        assert!(stopped.to_string().contains("ede records put"), "{stopped}");
        assert_eq!(
            count(&store, &newer(), "records:log"),
            500,
            "the batch is whole or not at all"
        );
    }
    let refused = write(
        &store,
        newer(),
        patch("log", "too-long", json!({"note": "n"})),
    )
    .unwrap_err();
    assert!(
        refused.to_string().contains("no way to version 2.0.0"),
        "{refused}"
    );
    write(
        &store,
        newer(),
        put(
            "log",
            json!({"id": "too-long", "data": {"minutes": 6000, "state": "open"}}),
        ),
    )
    .unwrap();
    assert_eq!(store.move_records(newer()).wait().unwrap().moved, 1);
    assert_eq!(count(&store, &newer(), "records:log"), 502);
    assert_eq!(heard.try_iter().collect::<Vec<_>>(), [app(), app()]);
}

const CHILD: &str = "EDE_TEST_MOVES";

/// Not a test of its own: what the child of the test below does.
#[test]
fn child_moves_until_it_is_killed() {
    let Ok(path) = std::env::var(CHILD) else {
        return;
    };
    let store = store(Path::new(&path));
    let mut out = std::io::stdout();
    while store.move_records(newer()).wait().unwrap().moved > 0 {
        writeln!(out, "moved").unwrap();
        out.flush().unwrap();
    }
}

#[test]
fn a_kill_in_the_middle_moves_no_record_twice_and_forgets_none() {
    let dir = tempfile::tempdir().unwrap();
    let path = dir.path().join("records.db");
    entries(&store(&path), 4000);
    for batches in [0, 1, 2] {
        let mut child = Command::new(std::env::current_exe().unwrap())
            .args(["--exact", "child_moves_until_it_is_killed", "--nocapture"])
            .env(CHILD, &path)
            .stdout(Stdio::piped())
            .stderr(Stdio::null())
            .spawn()
            .unwrap();
        let lines = BufReader::new(child.stdout.take().unwrap()).lines();
        let moved = lines
            .map_while(Result::ok)
            .filter(|line| line.ends_with("moved"));
        assert_eq!(moved.take(batches).count(), batches);
        child.kill().unwrap();
        child.wait().unwrap();
    }
    let store = store(&path);
    assert!(count(&store, &newer(), "records:log") >= 1500);
    while store.move_records(newer()).wait().unwrap().moved > 0 {}
    let records = store.list(app(), None).wait().unwrap();
    assert_eq!(records.len(), 4000);
    for record in records {
        let n: u64 = record.id.as_str()[1..].parse().unwrap();
        assert_eq!(record.data["minutes"], n % 7 * 60, "{}", record.id);
        assert_eq!(record.revision, 2);
    }
}
