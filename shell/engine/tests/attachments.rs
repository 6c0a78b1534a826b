//! Files on records: whose they must be, whoever writes and however the address is spelled.
#![allow(clippy::unwrap_used, clippy::expect_used)]

mod support;

use std::sync::Arc;

use ede_engine::app_file::{AppFile, export};
use ede_engine::app_id::AppId;
use ede_engine::attachments::address;
use ede_engine::bridge::files::{FileId, FileStore, NewFile};
use ede_engine::package::{Judge, Package};
use ede_engine::records::import::{RowIssue, read_csv};
use ede_engine::records::{Batch, Record, Store, StoreError, Via, Write};
use serde_json::{Value, json};
use support::*;

fn package_value() -> Value {
    let file = json!({"type": "string", "format": "attachment"});
    json!({
        "formatVersion": 3, "id": "acme.hours", "name": "Receipts", "version": "1.0.0", "catalogId": eui_core::CORE_CATALOG_ID,
        "records": {"receipt": {"schema": {"type": "object", "properties": {"title": {"type": "string"}, "file": file, "more": {"type": "array", "items": file}}}}},
        "templates": {"main": {"components": [{"id": "root", "component": "Text", "text": "Receipts"}]}},
    })
}

fn receipts() -> Arc<Package> {
    read(&package_value())
}

fn keep(store: &Store, app: &AppId) -> FileId {
    let new = NewFile {
        name: "a.png".into(),
        mime_type: "image/png".into(),
        bytes: b"bytes".to_vec(),
    };
    store.blobs().put(app, vec![new]).unwrap().remove(0)
}

fn commit(store: &Store, via: Via, write: Write) -> Result<String, StoreError> {
    let receipt = store
        .commit(Batch::new(receipts(), via, vec![write]))
        .wait()?;
    Ok(receipt.ids[0].to_string())
}

fn refused(done: Result<String, StoreError>) -> String {
    match done.unwrap_err() {
        StoreError::Refused(why) => why,
        other => panic!("{other:?}"),
    }
}

#[test]
fn a_record_names_files_of_its_own_app_and_no_others() {
    let dir = tempfile::tempdir().unwrap();
    let store = store(&dir.path().join("records.db"));
    let (ours, also) = (keep(&store, &app()), keep(&store, &app()));
    let theirs = keep(&store, &AppId::parse("acme.other").unwrap());
    let both = json!({"file": address(&ours), "more": [address(&ours), address(&also)]});
    let id = commit(&store, Via::App, create("receipt", both)).unwrap();
    let nobodys = address(&FileId::new("0123abcd-0123-4abc-8def-0123456789ab"));
    let kept = "attachments must be files uploaded to this app";
    let shape = "a file of the app, as /api/attachments/<id>";
    for (file, words) in [
        (json!(address(&theirs)), kept),
        (json!(nobodys), kept),
        (json!(address(&ours).to_uppercase()), shape),
        (json!(address(&ours).replace("/api", "/API")), shape),
        (
            json!(format!("/api/attachments/{}", ours.as_str().to_uppercase())),
            shape,
        ),
        (
            json!(format!("/api/attachments/../attachments/{}", ours.as_str())),
            shape,
        ),
        (json!("/api/attachments/../../etc/passwd"), shape),
        (json!(format!("{}\u{0}", address(&ours))), shape),
        (
            json!(format!("https://ui.exponential.at{}", address(&ours))),
            shape,
        ),
        (json!("/etc/passwd"), shape),
        (json!(""), shape),
        (json!(7), "a string"),
        (json!([address(&ours)]), "a string"),
    ] {
        let alone = json!({"file": file});
        for write in [
            create("receipt", alone.clone()),
            patch("receipt", &id, alone.clone()),
            put("receipt", json!({"data": alone})),
        ] {
            let why = refused(commit(&store, Via::App, write));
            assert!(why.contains(words), "{file}: {why}");
        }
        let listed = json!({"more": [address(&also), file]});
        let why = refused(commit(&store, Via::App, create("receipt", listed)));
        assert!(why.contains(words), "{file} in a list: {why}");
    }
    // What has no place for files may say what it likes.
    let text = json!({"title": address(&theirs)});
    commit(&store, Via::App, create("receipt", text)).unwrap();
}

#[test]
fn a_records_other_fields_change_whatever_became_of_its_file() {
    let dir = tempfile::tempdir().unwrap();
    let path = dir.path().join("records.db");
    let store = store(&path);
    let file = keep(&store, &app());
    let data = json!({"file": address(&file)});
    let id = commit(&store, Via::App, create("receipt", data)).unwrap();
    // As a restored database, or a hand in it, may leave it.
    let forget = rusqlite::Connection::open(&path).unwrap();
    forget.execute("DELETE FROM blobs", []).unwrap();
    let title = patch("receipt", &id, json!({"title": "Lunch"}));
    commit(&store, Via::App, title).unwrap();
    let again = create("receipt", json!({"file": address(&file)}));
    assert!(refused(commit(&store, Via::App, again)).contains("must be files"));
}

#[test]
fn spreadsheets_and_files_of_apps_name_no_file_that_is_not_there() {
    let dir = tempfile::tempdir().unwrap();
    let (store, elsewhere) = (
        store(&dir.path().join("a/records.db")),
        store(&dir.path().join("b/records.db")),
    );
    let package = receipts();
    let schema = &package.kind("receipt").unwrap()["schema"];
    let read = read_csv("title,file\nLunch,/etc/passwd\n", &kind("receipt"), schema).unwrap();
    let told: Vec<String> = read.issues.iter().map(RowIssue::to_string).collect();
    assert_eq!(
        told,
        ["row 2: file: a file of the app, as /api/attachments/<id>"]
    );
    let with = |file: &str| json!({"package": package_value(), "records": {"receipt": [{"id": "r", "data": {"file": file}}]}});
    let file = |file: &str| AppFile::read(with(file).to_string().as_bytes(), Judge::default());
    assert_eq!(
        file("/etc/passwd").issues[0].pointer,
        "/records/receipt/0/data/file"
    );
    let ours = keep(&store, &app());
    let brought = file(&address(&ours)).file.unwrap();
    let bring = |store: &Store| store.bring(receipts(), brought.rows.clone()).wait();
    // The file stays where it is, and the record comes in without it.
    let came = bring(&elsewhere).unwrap();
    assert_eq!((came.added, came.files), (1, 1));
    let there: Vec<Record> = elsewhere.list(app(), None).wait().unwrap();
    assert_eq!(there[0].data.get("file"), None);
    let here = bring(&store).unwrap();
    assert_eq!((here.added, here.files), (1, 0));
    let all: Vec<Record> = store.list(app(), None).wait().unwrap();
    assert_eq!(export(&receipts(), &all).unwrap().files, 1);
}
