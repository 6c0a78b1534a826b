//! A file with an app and its records: what of it is refused and where, and what becomes of its records here.
#![allow(clippy::unwrap_used, clippy::expect_used)]

mod support;

use std::sync::Arc;

use ede_engine::app_file::{AppFile, ExportError, MOST_ROWS, export};
use ede_engine::check::{Context, FileKind, check};
use ede_engine::issue::Position;
use ede_engine::package::Judge;
use ede_engine::records::{Brought, MOST_RECORDS, Record, Store, StoreError, Write};
use serde_json::{Value, json};
use support::*;

/// An app of companies and the deals with them, which may follow on each other.
fn crm() -> Value {
    json!({
        "formatVersion": 3, "id": "acme.hours", "name": "Deals", "version": "1.0.0", "catalogId": eui_core::CORE_CATALOG_ID,
        "records": {
            "company": {"schema": {"type": "object", "required": ["name"], "properties": {"name": {"type": "string"}}}},
            "deal": {
                "schema": {"type": "object", "required": ["title"], "properties": {
                    "title": {"type": "string"}, "company": {"type": "string"}, "after": {"type": "string"}, "worth": {"type": "number", "minimum": 0}}},
                "refs": {"company": {"kind": "company"}, "after": {"kind": "deal"}},
                "computed": {"double": "orElse(worth, 0) * 2"},
            },
        },
        "templates": {"main": {"components": [{"id": "root", "component": "Text", "text": "Deals"}]}},
    })
}

fn file(records: Value) -> Value {
    json!({"package": crm(), "records": records})
}

fn read(file: &Value) -> AppFile {
    let read = AppFile::read(file.to_string().as_bytes(), Judge::default());
    assert_eq!(read.issues, []);
    read.file.unwrap()
}

fn bring(store: &Store, file: &Value) -> Result<Brought, StoreError> {
    let AppFile { package, rows, .. } = read(file);
    store.bring(Arc::new(package), rows).wait()
}

fn here(store: &Store) -> Vec<(String, Value)> {
    let records: Vec<Record> = store.list(app(), None).wait().unwrap();
    let short = |r: Record| (r.id.to_string(), Value::Object(r.data));
    records.into_iter().map(short).collect()
}

/// Deals that follow on each other, in no order, and their company.
fn deals() -> Value {
    file(json!({
        "deal": [
            {"id": "d2", "data": {"title": "More", "company": "c", "after": "d1"}, "author": "local", "createdAt": "2026-01-02T00:00:00Z", "updatedAt": "2026-01-03T00:00:00Z"},
            {"id": "d1", "data": {"title": "First", "company": "c", "worth": 2}, "createdAt": "2026-01-01T00:00:00Z"},
        ],
        "company": [{"id": "c", "data": {"name": "Acme"}, "author": "ada"}],
    }))
}

#[test]
fn what_is_wrong_with_a_files_records_is_told_where_it_stands() {
    let many = |n: usize| vec![json!({"data": {"name": "x"}}); n];
    for (records, pointer, words) in [
        (
            json!({"dael": []}),
            "/records/dael",
            "no kind `dael`: did you mean `deal`?",
        ),
        (json!({"deal": {}}), "/records/deal", "must be a list"),
        (
            json!({"deal": [{"title": "x"}]}),
            "/records/deal/0/data",
            "missing",
        ),
        (
            json!({"deal": [{"data": {"title": "x"}, "at": 1}]}),
            "/records/deal/0/at",
            "",
        ),
        (
            json!({"deal": [{"data": {}}]}),
            "/records/deal/0/data/title",
            "required",
        ),
        (
            json!({"deal": [{"data": {"title": "x", "worth": -1}}]}),
            "/records/deal/0/data/worth",
            "at least 0",
        ),
        (
            json!({"deal": [{"data": {"title": "x", "price": 1}}]}),
            "/records/deal/0/data/price",
            "not in the schema",
        ),
        (
            json!({"deal": [{"data": {"title": "x", "double": 1}}]}),
            "/records/deal/0/data/double",
            "computed",
        ),
        (
            json!({"deal": [{"data": {"title": "x"}, "createdAt": "yesterday"}]}),
            "/records/deal/0/createdAt",
            "a time like",
        ),
        (
            json!({"deal": [{"id": "a\u{0}", "data": {"title": "x"}}]}),
            "/records/deal/0/id",
            "",
        ),
        (
            json!({"deal": [{"data": {"title": "x".repeat(17_000)}}]}),
            "/records/deal/0/data",
            "16384 bytes at most",
        ),
        (
            json!({"company": [{"id": "a", "data": {"name": "x"}}], "deal": [{"id": "a", "data": {"title": "x"}}]}),
            "/records/deal/0/id",
            "/records/company/0 has this id",
        ),
        (
            json!({"company": many(MOST_ROWS + 1)}),
            "/records",
            "2000 records at most, this one has 2001",
        ),
    ] {
        let text = format!("{:#}", file(records));
        let report = check("a.app.json", text.as_bytes(), Context::default());
        assert_eq!(report.kind, FileKind::Package);
        let found = report
            .issues
            .iter()
            .find(|i| i.pointer == pointer && i.message.contains(words));
        let found = found.unwrap_or_else(|| panic!("{pointer}: {:#?}", report.issues));
        assert_ne!(
            found.position,
            Some(Position { line: 1, column: 1 }),
            "{pointer}"
        );
    }
    read(&file(json!({"company": many(MOST_ROWS)})));
}

#[test]
fn a_package_inside_a_file_is_judged_as_alone_and_at_its_place() {
    let mut wrong = deals();
    wrong["package"]["templates"]["main"]["components"][0]["component"] = "Txt".into();
    wrong["signature"] = json!({"alg": "ed25519"});
    let text = format!("{wrong:#}");
    let issues = check("a.app.json", text.as_bytes(), Context::default()).issues;
    let told = |pointer: &str| issues.iter().find(|i| i.pointer == pointer).unwrap();
    let at = told("/package/templates/main/components/0/component")
        .position
        .unwrap();
    assert!(text.lines().nth(at.line - 1).unwrap().contains("Txt"));
    assert!(told("/signature").message.contains("belongs inside"));
    // Its own limit holds inside too, and the file's for all of it.
    let mut large = file(json!({}));
    large["package"]["templates"]["main"]["data"] = json!({"text": "x".repeat(140_000)});
    let read = |file: &Value| AppFile::read(file.to_string().as_bytes(), Judge::default());
    assert!(
        read(&large)
            .issues
            .iter()
            .any(|i| i.pointer == "/package" && i.message.contains("at most 128 KB"))
    );
    let mut larger = file(json!({}));
    larger["package"]["templates"]["main"]["data"] = json!({"text": "x".repeat(5_000_000)});
    let text = larger.to_string();
    let issues = check("a.app.json", text.as_bytes(), Context::default()).issues;
    assert!(
        issues[0].message.contains("is at most 4.0 MB"),
        "{issues:?}"
    );
}

#[test]
fn records_come_along_with_their_ids_times_and_references_whatever_their_order() {
    let dir = tempfile::tempdir().unwrap();
    let store = store(&dir.path().join("records.db"));
    let brought = bring(&store, &deals()).unwrap();
    assert_eq!((brought.added, brought.here, brought.others), (3, 0, 1));
    let found = store.list(app(), Some(kind("deal"))).wait().unwrap();
    let d2 = found.iter().find(|r| r.id == id("d2")).unwrap();
    assert_eq!(
        d2.to_put_json(),
        deals()["records"]["deal"][0]
            .as_object()
            .map(|row| {
                let mut row = row.clone();
                row["createdAt"] = "2026-01-02T00:00:00.000Z".into();
                row["updatedAt"] = "2026-01-03T00:00:00.000Z".into();
                Value::Object(row)
            })
            .unwrap()
    );
    let company = store
        .list(app(), Some(kind("company")))
        .wait()
        .unwrap()
        .remove(0);
    assert_eq!(
        company.author, "local",
        "nobody but the person is a member here"
    );
    // All of it is one action, and can be taken back as one.
    store
        .undo(app(), brought.action.unwrap(), "local".into(), None)
        .wait()
        .unwrap();
    assert_eq!(here(&store), []);
}

#[test]
fn a_file_brought_twice_changes_nothing_and_what_is_here_stays_as_it_is() {
    let dir = tempfile::tempdir().unwrap();
    let store = store(&dir.path().join("records.db"));
    let mut file = deals();
    // Without ids too: the same record is known again, and one that is there twice comes twice.
    file["records"]["company"] = json!([{"id": "c", "data": {"name": "Acme"}}, {"data": {"name": "Twin"}}, {"data": {"name": "Twin"}}]);
    assert_eq!(bring(&store, &file).unwrap().added, 5);
    let package = Arc::new(read(&file).package);
    let writes = vec![
        patch("company", "c", json!({"name": "Acme Inc"})),
        delete("d2"),
    ];
    let changed = ede_engine::records::Batch::new(package, ede_engine::records::Via::App, writes);
    store.commit(changed).wait().unwrap();
    let before = here(&store);
    let again = bring(&store, &file).unwrap();
    assert_eq!(
        (again.action, again.added, again.here, again.trash),
        (None, 0, 4, 1)
    );
    assert_eq!(here(&store), before);
}

#[test]
fn a_record_whose_id_another_kind_has_gets_its_own_and_is_referred_to_by_it() {
    let dir = tempfile::tempdir().unwrap();
    let store = store(&dir.path().join("records.db"));
    bring(
        &store,
        &file(json!({"deal": [{"id": "c", "data": {"title": "Mine"}}]})),
    )
    .unwrap();
    assert_eq!(bring(&store, &deals()).unwrap().added, 3);
    let company = store
        .list(app(), Some(kind("company")))
        .wait()
        .unwrap()
        .remove(0);
    assert_ne!(company.id, id("c"));
    let now: Vec<(String, Value)> = here(&store);
    let of = |deal: &str| &now.iter().find(|(id, _)| id == deal).unwrap().1;
    assert_eq!(of("d1")["company"], company.id.as_str());
    assert_eq!(
        (&of("c")["title"], &of("d2")["after"]),
        (&json!("Mine"), &json!("d1"))
    );
    assert_eq!(
        bring(&store, &deals()).unwrap().added,
        0,
        "it is known again by that"
    );
}

#[test]
fn all_records_come_or_none_and_a_look_before_writes_nothing() {
    let dir = tempfile::tempdir().unwrap();
    let store = store(&dir.path().join("records.db"));
    let mut file = deals();
    file["records"]["deal"][1]["data"]["company"] = "nobody".into();
    let refused = bring(&store, &file).unwrap_err();
    assert_eq!(
        refused,
        StoreError::Refused("/records/deal/1: company refers to no company".into())
    );
    assert_eq!(here(&store), []);
    let AppFile { package, rows, .. } = read(&deals());
    let would = store.would_bring(Arc::new(package), rows).wait().unwrap();
    assert_eq!(would.added, 3);
    assert_eq!(here(&store), []);
}

#[test]
fn a_file_does_not_fill_an_app_beyond_its_most() {
    let dir = tempfile::tempdir().unwrap();
    let store = store(&dir.path().join("records.db"));
    let package = Arc::new(read(&deals()).package);
    let company = |_| create("company", json!({"name": "x"}));
    let writes: Vec<Write> = (0..MOST_RECORDS - 2).map(company).collect();
    let full = ede_engine::records::Batch::new(package, ede_engine::records::Via::App, writes);
    store.commit(full).wait().unwrap();
    assert!(matches!(
        bring(&store, &deals()),
        Err(StoreError::TooMany { .. })
    ));
    assert_eq!(here(&store).len(), MOST_RECORDS - 2);
}

#[test]
fn what_is_exported_is_a_file_that_brings_the_same_back() {
    let dir = tempfile::tempdir().unwrap();
    let (one, other) = (
        store(&dir.path().join("a/records.db")),
        store(&dir.path().join("b/records.db")),
    );
    bring(&one, &deals()).unwrap();
    let package = Arc::new(read(&deals()).package);
    let all = one.list(app(), None).wait().unwrap();
    let exported = export(&package, &all).unwrap();
    assert_eq!(exported.dangling, 0);
    let value: Value = serde_json::from_str(&exported.text).unwrap();
    assert_eq!(value["package"], crm());
    bring(&other, &value).unwrap();
    let plain =
        |records: Vec<Record>| -> Vec<Value> { records.iter().map(Record::to_put_json).collect() };
    assert_eq!(plain(other.list(app(), None).wait().unwrap()), plain(all));
    // A reference to what is deleted leads nowhere, and is left out.
    let gone = ede_engine::records::Batch::new(
        package.clone(),
        ede_engine::records::Via::App,
        vec![delete("c")],
    );
    one.commit(gone).wait().unwrap();
    let exported = export(&package, &one.list(app(), None).wait().unwrap()).unwrap();
    assert_eq!(exported.dangling, 2);
    assert!(
        !exported.text.contains("\"company\":\"c\""),
        "{}",
        exported.text
    );
    read(&serde_json::from_str(&exported.text).unwrap());
}

#[test]
fn what_no_file_could_bring_back_is_not_exported() {
    let package = read(&deals()).package;
    let dir = tempfile::tempdir().unwrap();
    let store = store(&dir.path().join("records.db"));
    bring(&store, &deals()).unwrap();
    let all = store.list(app(), None).wait().unwrap();
    let many: Vec<Record> = all.iter().cycle().take(MOST_ROWS + 1).cloned().collect();
    assert_eq!(export(&package, &many), Err(ExportError::TooMany(2001)));
    let mut large = all[0].clone();
    large.data.insert("name".into(), "x".repeat(16_000).into());
    let large = vec![large; 300];
    assert!(matches!(
        export(&package, &large),
        Err(ExportError::TooLarge(_))
    ));
    let mut wrong = all;
    wrong[0].data.insert("name".into(), 1.into());
    assert!(matches!(
        export(&package, &wrong),
        Err(ExportError::Invalid { .. })
    ));
}
