//! What the records promise an app: all or nothing, nothing lost, every write in the history and able to be taken back.
#![allow(clippy::unwrap_used, clippy::expect_used)]

mod support;

use ede_engine::apps::Author;
use ede_engine::records::{LOCAL, Operation, RecordsRequest, StoreError, Viewer, Write};
use serde_json::{Value, json};
use support::*;

fn data(store: &ede_engine::records::Store) -> Vec<(String, Value)> {
    store
        .list(app(), None)
        .wait()
        .unwrap()
        .into_iter()
        .map(|r| (r.id.to_string(), Value::Object(r.data)))
        .collect()
}

fn refusal(result: Result<impl std::fmt::Debug, StoreError>) -> String {
    match result.unwrap_err() {
        StoreError::Refused(why) => why,
        other => panic!("expected a refusal, got {other:?}"),
    }
}

#[test]
fn a_record_is_created_patched_and_deleted() {
    let dir = tempfile::tempdir().unwrap();
    let store = store(&dir.path().join("d/records.db"));
    let receipt = store
        .commit(batch(vec![create(
            "entry",
            json!({"hours": 2, "note": "a"}),
        )]))
        .wait()
        .unwrap();
    assert_eq!(receipt.ids, [id("n-1")]);
    store
        .commit(batch(vec![patch("entry", "n-1", json!({"hours": 3}))]))
        .wait()
        .unwrap();
    let record = store
        .list(app(), Some(kind("entry")))
        .wait()
        .unwrap()
        .remove(0);
    assert_eq!(
        Value::Object(record.data.clone()),
        json!({"hours": 3, "note": "a"}),
        "a patch keeps what it does not name"
    );
    assert_eq!(
        (
            record.author.as_str(),
            record.created_by.as_str(),
            record.revision
        ),
        (LOCAL, LOCAL, 2)
    );
    assert!(record.updated_at > record.created_at);
    store.commit(batch(vec![delete("n-1")])).wait().unwrap();
    assert!(data(&store).is_empty());
    assert_eq!(
        store.trash(app()).wait().unwrap()[0].id,
        id("n-1"),
        "a deleted record is in the trash"
    );
}

#[test]
fn an_action_lands_whole_or_not_at_all() {
    let dir = tempfile::tempdir().unwrap();
    let store = store(&dir.path().join("records.db"));
    let bad = batch(vec![
        create("entry", json!({"hours": 1})),
        create("entry", json!({"hours": -1})),
        create("task", json!({"title": "t"})),
    ]);
    let why = refusal(store.commit(bad).wait());
    assert!(
        why.starts_with("write 2:") && why.contains("/hours at least 0"),
        "{why}"
    );
    assert!(data(&store).is_empty());
    assert!(store.kinds(app()).wait().unwrap().is_empty());
    let receipt = store
        .commit(batch(vec![create("entry", json!({"hours": 1}))]))
        .wait()
        .unwrap();
    assert_eq!(
        receipt.action.unwrap().0,
        1,
        "a refused action leaves no trace, not even a number"
    );
}

#[test]
fn later_writes_of_an_action_see_the_earlier_ones() {
    let dir = tempfile::tempdir().unwrap();
    let store = store(&dir.path().join("records.db"));
    let writes = vec![
        create("entry", json!({"hours": 1})),
        patch("entry", "n-1", json!({"note": "x"})),
        delete("n-1"),
        create("entry", json!({"hours": 9})),
    ];
    store.commit(batch(writes)).wait().unwrap();
    assert_eq!(data(&store), [("n-2".into(), json!({"hours": 9}))]);
    let operations: Vec<Operation> = store
        .history(app(), id("n-1"))
        .wait()
        .unwrap()
        .into_iter()
        .map(|h| h.operation)
        .collect();
    assert_eq!(
        operations,
        [Operation::Delete, Operation::Update, Operation::Create]
    );
}

#[test]
fn what_the_package_does_not_declare_is_refused() {
    let dir = tempfile::tempdir().unwrap();
    let store = store(&dir.path().join("records.db"));
    store
        .commit(batch(vec![create("entry", json!({"hours": 1}))]))
        .wait()
        .unwrap();
    for (write, expected) in [
        (create("ghost", json!({})), "no kind ghost"),
        (
            create("entry", json!({"hours": 1, "extra": 1})),
            "/extra not in the schema",
        ),
        (create("entry", json!({"note": "x"})), "/hours required"),
        (
            create("entry", json!({"hours": 1, "note": "x".repeat(17_000)})),
            "16384 bytes at most",
        ),
        (
            patch("task", "n-1", json!({"title": "t"})),
            "record n-1 is a entry, not a task",
        ),
        (
            patch("entry", "nope", json!({"hours": 1})),
            "record nope not found",
        ),
        (delete("nope"), "record nope not found"),
        (
            Write::Delete {
                id: id("n-1"),
                kind: Some(kind("task")),
            },
            "record n-1 is a entry, not a task",
        ),
        (
            put("entry", json!({"data": {"hours": "two"}})),
            "/hours a number",
        ),
        (put("ghost", json!({"data": {}})), "no kind ghost"),
    ] {
        let why = refusal(store.commit(batch(vec![write.clone()])).wait());
        assert!(why.contains(expected), "{write:?}: {why}");
    }
    assert_eq!(data(&store).len(), 1);
}

#[test]
fn apps_do_not_see_each_others_records() {
    let dir = tempfile::tempdir().unwrap();
    let store = store(&dir.path().join("records.db"));
    store
        .commit(batch(vec![put(
            "entry",
            json!({"id": "same", "data": {"hours": 1}}),
        )]))
        .wait()
        .unwrap();
    let other = ede_engine::app_id::AppId::parse("other.app").unwrap();
    let mut theirs = batch(vec![put(
        "entry",
        json!({"id": "same", "data": {"hours": 2}}),
    )]);
    theirs.app = other.clone();
    store.commit(theirs).wait().unwrap();
    assert_eq!(data(&store), [("same".into(), json!({"hours": 1}))]);
    let mut deleting = batch(vec![delete("same")]);
    deleting.app = other.clone();
    store.commit(deleting).wait().unwrap();
    assert_eq!(data(&store).len(), 1);
    assert!(store.list(other, None).wait().unwrap().is_empty());
}

#[test]
fn a_put_replaces_whole_keeps_who_and_when_and_brings_back_from_the_trash() {
    let dir = tempfile::tempdir().unwrap();
    let store = store(&dir.path().join("records.db"));
    let whole = json!({"id": "r", "data": {"hours": 1, "note": "x"}, "author": "ada", "createdAt": "2020-01-01T01:00:00+01:00", "updatedAt": "2020-01-02T00:00:00Z"});
    store
        .commit(batch(vec![put("entry", whole)]))
        .wait()
        .unwrap();
    let exported = store.list(app(), None).wait().unwrap()[0].to_put_json();
    assert_eq!(
        exported,
        json!({"id": "r", "data": {"hours": 1, "note": "x"}, "author": "ada", "createdAt": "2020-01-01T00:00:00.000Z", "updatedAt": "2020-01-02T00:00:00.000Z"})
    );
    store.commit(batch(vec![delete("r")])).wait().unwrap();
    store
        .commit(batch(vec![put(
            "entry",
            json!({"id": "r", "data": {"hours": 5}}),
        )]))
        .wait()
        .unwrap();
    let record = store.list(app(), None).wait().unwrap().remove(0);
    assert_eq!(
        (Value::Object(record.data.clone()), record.author.as_str()),
        (json!({"hours": 5}), "ada")
    );
    assert_eq!(record.created_at.to_string(), "2020-01-01T00:00:00Z");
    assert_eq!(
        store.history(app(), id("r")).wait().unwrap()[0].operation,
        Operation::Restore
    );
    store
        .commit(batch(vec![put("entry", exported.clone())]))
        .wait()
        .unwrap();
    assert_eq!(
        store.list(app(), None).wait().unwrap()[0].to_put_json(),
        exported,
        "an export put back is the same record"
    );
}

#[test]
fn an_undo_restores_every_record_of_the_action() {
    let dir = tempfile::tempdir().unwrap();
    let store = store(&dir.path().join("records.db"));
    store
        .commit(batch(vec![
            create("entry", json!({"hours": 1})),
            create("entry", json!({"hours": 2})),
        ]))
        .wait()
        .unwrap();
    let before: Vec<Value> = store
        .list(app(), None)
        .wait()
        .unwrap()
        .iter()
        .map(|r| r.to_put_json())
        .collect();
    let action = store
        .commit(batch(vec![
            patch("entry", "n-1", json!({"hours": 7})),
            patch("entry", "n-1", json!({"hours": 8})),
            delete("n-2"),
            create("task", json!({"title": "new"})),
        ]))
        .wait()
        .unwrap();
    let undone = store
        .undo(app(), action.action.unwrap(), LOCAL.into(), None)
        .wait()
        .unwrap();
    let after: Vec<Value> = store
        .list(app(), None)
        .wait()
        .unwrap()
        .iter()
        .map(|r| r.to_put_json())
        .collect();
    assert_eq!(after, before);
    store
        .undo(app(), undone.action.unwrap(), LOCAL.into(), None)
        .wait()
        .unwrap();
    assert_eq!(
        data(&store),
        [
            ("n-1".into(), json!({"hours": 8})),
            ("n-3".into(), json!({"title": "new"}))
        ],
        "an undo can be undone"
    );
}

#[test]
fn an_undo_never_takes_back_more_than_was_asked() {
    let dir = tempfile::tempdir().unwrap();
    let store = store(&dir.path().join("records.db"));
    let first = store
        .commit(batch(vec![create("entry", json!({"hours": 1}))]))
        .wait()
        .unwrap();
    store
        .commit(batch(vec![patch("entry", "n-1", json!({"note": "since"}))]))
        .wait()
        .unwrap();
    let why = refusal(
        store
            .undo(app(), first.action.unwrap(), LOCAL.into(), None)
            .wait(),
    );
    assert!(why.contains("changed since"), "{why}");
    assert_eq!(data(&store).len(), 1);
    let stranger = ede_engine::app_id::AppId::parse("other.app").unwrap();
    assert!(
        refusal(
            store
                .undo(stranger, first.action.unwrap(), LOCAL.into(), None)
                .wait()
        )
        .contains("not in the history")
    );
}

#[test]
fn a_repeated_key_writes_once_and_answers_the_same() {
    let dir = tempfile::tempdir().unwrap();
    let store = store(&dir.path().join("records.db"));
    let mut keyed = batch(vec![
        create("entry", json!({"hours": 1})),
        create("task", json!({"title": "t"})),
    ]);
    keyed.key = Some("press-1".into());
    let first = store.commit(keyed.clone()).wait().unwrap();
    assert_eq!(store.commit(keyed).wait().unwrap(), first);
    assert_eq!(data(&store).len(), 2);
}

#[test]
fn the_trash_is_emptied_after_thirty_days_and_history_after_ninety() {
    let dir = tempfile::tempdir().unwrap();
    let path = dir.path().join("records.db");
    let at = |text: &str| {
        let clock = ede_engine::clock::FixedClock(text.parse().unwrap());
        ede_engine::records::Store::start(ede_engine::records::StoreOptions {
            ids: Box::new(Numbered::default()),
            ..ede_engine::records::StoreOptions::new(&path, std::sync::Arc::new(clock))
        })
        .unwrap()
    };
    let store = at("2026-01-01T00:00:00[UTC]");
    assert_eq!(store.sweep().wait().unwrap(), 0);
    assert!(!path.exists(), "nothing is made just to sweep it");
    store
        .commit(batch(vec![
            put("entry", json!({"id": "kept", "data": {"hours": 1}})),
            put("entry", json!({"id": "gone", "data": {"hours": 1}})),
        ]))
        .wait()
        .unwrap();
    store.commit(batch(vec![delete("gone")])).wait().unwrap();
    drop(store);
    let store = at("2026-01-30T00:00:00[UTC]");
    assert_eq!(store.sweep().wait().unwrap(), 0);
    drop(store);
    let store = at("2026-02-01T00:00:00[UTC]");
    assert_eq!(store.sweep().wait().unwrap(), 1);
    assert!(
        store.history(app(), id("gone")).wait().unwrap().is_empty(),
        "what is gone for good leaves no data behind"
    );
    assert_eq!(store.history(app(), id("kept")).wait().unwrap().len(), 1);
    let author = Author::of(&package());
    store.set_aside(app(), author).wait().unwrap();
    let kept = store.removed(app()).wait().unwrap();
    assert!(data(&store).is_empty());
    drop(store);
    let store = at("2026-03-01T00:00:00[UTC]");
    assert_eq!(
        store.sweep().wait().unwrap(),
        0,
        "a removed app's records stay for thirty days"
    );
    drop(store);
    let store = at("2026-04-02T00:00:00[UTC]");
    let waiting = || store.list(kept[0].clone(), None).wait().unwrap().len();
    assert_eq!(waiting(), 1);
    assert_eq!(store.sweep().wait().unwrap(), 1);
    assert_eq!(waiting(), 0);
    assert!(store.removed(app()).wait().unwrap().is_empty());
}

#[test]
fn a_removed_apps_records_wait_for_its_author_and_nobody_else() {
    let dir = tempfile::tempdir().unwrap();
    let path = dir.path().join("records.db");
    let other = store(&path);
    let store = store(&path);
    let mut changed = Value::Object(package().value().clone());
    changed["name"] = "Not the same".into();
    let (first, stranger) = (Author::of(&package()), Author::of(&read(&changed)));
    let request = RecordsRequest::parse("records:entry?sum=hours", &package(), |_| None).unwrap();
    let viewer = Viewer {
        me: LOCAL.into(),
        now: "2026-10-01T12:00:00[UTC]".parse().unwrap(),
    };
    // What the other process, which keeps what it has read, shows.
    let sum = || other.value(request.clone(), viewer.clone()).wait().unwrap()["sum"].clone();
    let add = |hours: u32| {
        let mut add = batch(vec![create("entry", json!({"hours": hours}))]);
        add.key = Some("the first".into());
        store.commit(add).wait().unwrap();
    };
    let remove = |author: &Author| store.set_aside(app(), author.clone()).wait().unwrap();
    let install = |author: &Author| store.give_back(app(), author.clone(), true).wait().unwrap();
    add(1);
    assert_eq!(sum(), 1);
    remove(&first);
    assert_eq!(sum(), 0);
    // A field that was left as the app went is the app's that went.
    add(2);
    install(&stranger);
    assert_eq!(
        (sum(), store.removed(app()).wait().unwrap().len()),
        (json!(0), 2)
    );
    // Even a key that was used before is new to the stranger.
    add(4);
    assert_eq!(sum(), 4);
    remove(&stranger);
    install(&first);
    assert_eq!(sum(), 3);
    assert_eq!(store.removed(app()).wait().unwrap().len(), 1);
    remove(&first);
    install(&stranger);
    assert_eq!(sum(), 4);
}

#[test]
fn a_query_sees_every_write_at_once() {
    let dir = tempfile::tempdir().unwrap();
    let store = store(&dir.path().join("records.db"));
    let request = RecordsRequest::parse(
        "records:entry?sum=hours&sort=hours&order=asc",
        &package(),
        |_| None,
    )
    .unwrap();
    let viewer = Viewer {
        me: LOCAL.into(),
        now: "2026-10-01T12:00:00[UTC]".parse().unwrap(),
    };
    let sum = || store.value(request.clone(), viewer.clone()).wait().unwrap()["sum"].clone();
    assert_eq!(sum(), 0);
    store
        .commit(batch(vec![
            create("entry", json!({"hours": 1.5})),
            create("task", json!({"title": "t"})),
        ]))
        .wait()
        .unwrap();
    assert_eq!(sum(), 1.5);
    store
        .commit(batch(vec![
            create("entry", json!({"hours": 2})),
            delete("n-1"),
        ]))
        .wait()
        .unwrap();
    assert_eq!(sum(), 2);
}

#[test]
fn a_record_that_nests_too_deep_is_refused_before_anybody_has_to_read_it() {
    let dir = tempfile::tempdir().unwrap();
    let store = store(&dir.path().join("records.db"));
    let mut open = Value::Object(package().value().clone());
    open["records"]["entry"]["schema"]["additionalProperties"] = true.into();
    let open = read(&open);
    let nested = |levels: usize| (0..levels).fold(json!(1), |inner, _| json!([inner]));
    let commit = |levels: usize| {
        let write = create("entry", json!({"hours": 1, "more": nested(levels)}));
        store
            .commit(ede_engine::records::Batch::new(
                open.clone(),
                ede_engine::records::Via::App,
                vec![write],
            ))
            .wait()
    };
    commit(32).unwrap();
    assert!(refusal(commit(33)).contains("nests 32 levels"));
    assert_eq!(data(&store).len(), 1);
}
