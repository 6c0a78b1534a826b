//! What the store keeps of kinds and answers, and which rows it chooses, never shows: every answer is the one eui-core gives over all
//! records as they are, whoever wrote them and however they were written.
#![allow(clippy::unwrap_used, clippy::expect_used)]

mod support;

use std::collections::HashMap;
use std::sync::Arc;

use ede_engine::package::Package;
use ede_engine::package::kinds::{RowKeys, with_computed};
use ede_engine::records::{
    ActionId, Batch, LOCAL, Record, RecordsRequest, Store, StoreError, Via, Viewer, Write,
};
use eui_core::cel::ExpressionEnv;
use eui_core::host::{
    RecordRow, RecordsContext, expand_query_source, parse_records_source, parse_source,
    records_value_owned,
};
use proptest::prelude::*;
use serde_json::{Value, json};
use support::*;

/// More than what is handed over whole.
const MANY: usize = 300;

fn hours() -> Arc<Package> {
    let mut value = Value::Object(package().value().clone());
    value["formatVersion"] = 3.into();
    let entry = &mut value["records"]["entry"];
    entry["schema"]["properties"]["state"] = json!({"type": "string", "enum": ["open", "done"]});
    entry["schema"]["properties"]["task"] = json!({"type": "string"});
    entry["refs"] = json!({"task": {"kind": "task"}});
    entry["computed"] =
        json!({"minutes": "hours * 60", "stamp": "createdAt < now() ? 'past' : 'future'"});
    entry["policy"] = json!({"read": "author", "update": "member", "delete": "member"});
    read(&value)
}

const SOURCES: [&str; 7] = [
    "records:entry?hours.gt=3&sort=note&order=asc&limit=20",
    r#"records:entry?q={"group":["state"],"sum":"minutes","sort":[["count","desc"]],"limit":5}"#,
    "records:entry?state=open&mine=1&sum=hours&limit=7",
    "records:entry?sort=minutes&limit=9&expand=task",
    r#"records:entry?q={"aggregate":{"last":["last","note"],"all":["sum","hours"]},"sort":[["hours","desc"]],"limit":3}"#,
    "records:task",
    "records:entry?sort=createdAt&order=asc&limit=5",
];

#[derive(Debug, Clone)]
enum Op {
    Create(u32),
    Change(usize, u32),
    Delete(usize),
    Restore(usize, u32),
    Retitle(u32),
    Undo,
}

fn op() -> impl Strategy<Value = Op> {
    let record = 0..MANY;
    prop_oneof![
        2 => (0..20u32).prop_map(Op::Create),
        4 => (record.clone(), 0..20u32).prop_map(|(record, n)| Op::Change(record, n)),
        2 => record.clone().prop_map(Op::Delete),
        2 => (record, 0..20u32).prop_map(|(record, n)| Op::Restore(record, n)),
        1 => (0..9u32).prop_map(Op::Retitle),
        1 => Just(Op::Undo),
    ]
}

fn entry(n: u32) -> Value {
    json!({"hours": f64::from(n) / 4.0, "note": format!("n{}", n * 7 % 11), "state": if n.is_multiple_of(3) { "open" } else { "done" }, "task": "t"})
}

fn named(record: usize, n: u32) -> Write {
    let author = if record.is_multiple_of(4) {
        "ada"
    } else {
        LOCAL
    };
    put(
        "entry",
        json!({"id": format!("e{record}"), "data": entry(n), "author": author}),
    )
}

fn commit(store: &Store, package: &Arc<Package>, writes: Vec<Write>) -> Option<ActionId> {
    let batch = Batch::new(package.clone(), Via::App, writes);
    // A record that is not there is refused, which changes nothing.
    store.commit(batch).wait().ok()?.action
}

/// The answer over the records as they are now: eui-core's own, over every row `me` sees, with nothing of the store's but what it lists.
fn plain(store: &Store, package: &Package, source: &str, viewer: &Viewer) -> Value {
    let now = viewer.now.timestamp().as_millisecond() as f64;
    let env = ExpressionEnv {
        now: Some(now),
        offset: None,
        max_steps: None,
    };
    let rows = |name: &str| -> Vec<RecordRow> {
        let definition = package.kind(name).unwrap();
        let records = store.list(app(), Some(kind(name))).wait().unwrap();
        // Entries are read by their authors; the person reads everything.
        let seen = records
            .iter()
            .filter(|record| name != "entry" || viewer.me == LOCAL || record.author == viewer.me);
        let row = |record: &Record| {
            let json = record.to_json();
            let text = |key: &str| json[key].as_str().unwrap().to_owned();
            let (created_at, updated_at) = (text("createdAt"), text("updatedAt"));
            let keys = RowKeys {
                id: record.id.as_str(),
                author: &record.author,
                created_by: &record.created_by,
                created_at: &created_at,
                updated_at: &updated_at,
            };
            RecordRow {
                id: text("id"),
                kind: text("kind"),
                data: with_computed(definition, &record.data, keys, &env).into(),
                created_by: Some(text("createdBy")),
                author_id: Some(text("author")),
                created_at,
                updated_at,
            }
        };
        seen.map(row).collect()
    };
    let bare = source.replace("&expand=task", "");
    let parsed = parse_source(&expand_query_source(&bare, None)).unwrap();
    let query = parse_records_source(&parsed).unwrap();
    let context = RecordsContext {
        me: Some(&viewer.me),
        now: "2026-10-01",
        names: &HashMap::new(),
    };
    let asked = rows(query.from.as_deref().unwrap());
    let mut value = records_value_owned(&asked, &query, context).unwrap();
    if bare != source {
        let tasks = rows("task");
        for row in value["rows"].as_array_mut().unwrap() {
            let named = tasks.iter().find(|task| row["task"] == task.id);
            row["task"] = named.map_or(Value::Null, |task| {
                let mut data = task.data.clone();
                data["id"] = task.id.clone().into();
                data
            });
        }
    }
    value
}

proptest! {
    #![proptest_config(ProptestConfig { cases: ProptestConfig::default().cases / 32, failure_persistence: None, ..ProptestConfig::default() })]
    #[test]
    fn an_answer_is_never_an_old_one(ops in prop::collection::vec((any::<bool>(), op()), 1..6)) {
        let dir = tempfile::tempdir().unwrap();
        let path = dir.path().join("records.db");
        let stores = [store(&path), store(&path)];
        let package = hours();
        let first = (0..MANY).map(|record| named(record, record as u32 % 20));
        let task = put("task", json!({"id": "t", "data": {"title": "T"}}));
        commit(&stores[0], &package, [task].into_iter().chain(first).collect()).unwrap();
        let requests = SOURCES.map(|source| RecordsRequest::parse(source, &package, |_| None).unwrap());
        let now = |minute: usize| format!("2026-10-01T12:{minute:02}:00[UTC]").parse().unwrap();
        let mut newest = None;
        for (step, (which, op)) in ops.into_iter().enumerate() {
            let writer = &stores[usize::from(which)];
            let write = match op {
                Op::Create(n) => create("entry", entry(n)),
                Op::Change(record, n) => patch("entry", &format!("e{record}"), entry(n)),
                Op::Delete(record) => delete(&format!("e{record}")),
                Op::Restore(record, n) => named(record, n),
                Op::Retitle(n) => patch("task", "t", json!({"title": format!("T{n}")})),
                Op::Undo => {
                    if let Some(action) = newest.take() {
                        writer.undo(app(), action, LOCAL.into(), None).wait().unwrap();
                    }
                    continue;
                }
            };
            newest = commit(writer, &package, vec![write]).or(newest);
            for me in [LOCAL, "ada"] {
                let viewer = Viewer { me: me.into(), now: now(step) };
                for (source, request) in SOURCES.iter().zip(&requests) {
                    let expected = plain(&stores[0], &package, source, &viewer);
                    for store in &stores {
                        let value = store.value(request.clone(), viewer.clone()).wait().unwrap();
                        prop_assert_eq!(&*value, &expected, "{} {:?}", me, request);
                    }
                }
            }
        }
    }
}

#[test]
fn an_answer_stays_the_same_one_until_a_record_of_its_kind_changes() {
    let dir = tempfile::tempdir().unwrap();
    let store = store(&dir.path().join("records.db"));
    let request = RecordsRequest::parse("records:entry?sum=hours", &package(), |_| None).unwrap();
    let viewer = |day: u32| Viewer {
        me: LOCAL.into(),
        now: format!("2026-10-{day:02}T12:00:00[UTC]").parse().unwrap(),
    };
    let ask = |day: u32| store.value(request.clone(), viewer(day)).wait().unwrap();
    let first = ask(1);
    let write = |write: Write| store.commit(batch(vec![write])).wait().unwrap();
    write(create("task", json!({"title": "t"})));
    assert!(Arc::ptr_eq(&first, &ask(1)));
    assert!(
        !Arc::ptr_eq(&first, &ask(2)),
        "another day is another question"
    );
    write(create("entry", json!({"hours": 1})));
    assert_eq!(ask(1)["sum"], 1);
}

#[test]
fn a_computed_field_tells_the_time_however_its_expression_is_spelled() {
    let dir = tempfile::tempdir().unwrap();
    let store = store(&dir.path().join("records.db"));
    let mut value = Value::Object(package().value().clone());
    value["formatVersion"] = 3.into();
    value["records"]["entry"]["computed"] =
        json!({"stamp": "now () < createdAt ? 'before' : 'after'"});
    value["records"]["task"]["computed"] = json!({"day": "today\t()"});
    let package = read(&value);
    let written = vec![
        create("entry", json!({"hours": 1})),
        create("task", json!({"title": "t"})),
    ];
    commit(&store, &package, written).unwrap();
    let ask = |kind: &str, now: &str| {
        let source = format!("records:{kind}");
        let request = RecordsRequest::parse(&source, &package, |_| None).unwrap();
        assert!(request.depends_on_day());
        let viewer = Viewer {
            me: LOCAL.into(),
            now: now.parse().unwrap(),
        };
        store.value(request, viewer).wait().unwrap()["rows"][0].clone()
    };
    let stamp = |now| ask("entry", now)["stamp"].clone();
    assert_eq!(stamp("2026-10-01T08:00:00[UTC]"), "before");
    assert_eq!(stamp("2026-10-01T10:00:00[UTC]"), "after");
    let day = |now| ask("task", now)["day"].clone();
    assert_eq!(day("2026-10-02T10:00:00[UTC]"), "2026-10-02");
    assert_eq!(day("2026-10-03T10:00:00[UTC]"), "2026-10-03");
}

#[test]
fn numbers_among_texts_that_have_no_order_are_a_plain_error() {
    const WORDS: [&str; 8] = ["9", "10", "5x", "100", "7z", "1e3", "2a", "-3"];
    let mut seed = 1_u64;
    let mut without = 0;
    for _ in 0..20 {
        let dir = tempfile::tempdir().unwrap();
        let store = store(&dir.path().join("records.db"));
        let notes = (0..60).map(|_| {
            seed ^= seed << 13;
            seed ^= seed >> 7;
            seed ^= seed << 17;
            let word = WORDS[(seed % 8) as usize];
            create("entry", json!({"hours": 1, "note": word}))
        });
        store.commit(batch(notes.collect())).wait().unwrap();
        let ask = |source: &str| {
            let request = RecordsRequest::parse(source, &package(), |_| None).unwrap();
            let viewer = Viewer {
                me: LOCAL.into(),
                now: "2026-10-01T12:00:00[UTC]".parse().unwrap(),
            };
            store.value(request, viewer).wait()
        };
        match ask("records:entry?sort=note&order=asc") {
            Ok(value) => assert_eq!(value["count"], 60),
            Err(error) => {
                assert_eq!(error, StoreError::NoOrder);
                without += 1;
            }
        }
        assert_eq!(ask("records:entry?sort=hours").unwrap()["count"], 60);
    }
    assert!(without > 0, "the rows should have met it");
}
