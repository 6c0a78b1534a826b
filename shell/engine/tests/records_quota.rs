//! How much an app may keep: told when it is nearly all, refused in one sentence when it is too much, never in part.
#![allow(clippy::unwrap_used, clippy::expect_used)]

mod support;

use std::path::Path;
use std::sync::mpsc;

use ede_engine::records::{LOCAL, MOST_RECORDS, StoreError, StoreEvent};
use serde_json::json;
use support::*;

/// As many entries as make it `records`, put there by hand.
fn fill(path: &Path, records: usize) {
    let connection = rusqlite::Connection::open(path).unwrap();
    connection
        .execute(
            "WITH RECURSIVE n(i) AS (SELECT count(*) FROM records UNION ALL SELECT i + 1 FROM n WHERE i + 1 < ?1)
             INSERT INTO records SELECT 'acme.hours', 'f' || i, 'entry', '{\"hours\":1}', 'local', 'local', 'local', 1, 1, NULL, 1, '1.0.0' FROM n",
            [records],
        )
        .unwrap();
}

#[test]
fn an_app_keeps_so_many_records_and_hears_of_it_before() {
    let dir = tempfile::tempdir().unwrap();
    let path = dir.path().join("records.db");
    let store = store(&path);
    let (tell, heard) = mpsc::channel();
    store.listen(move |event| {
        if let StoreEvent::Filling(app, records) = event {
            let _ = tell.send((app.clone(), *records));
        }
    });
    let add = |n: usize| {
        let entries = (0..n)
            .map(|_| create("entry", json!({"hours": 1})))
            .collect();
        store.commit(batch(entries)).wait()
    };
    add(1).unwrap();
    fill(&path, MOST_RECORDS / 5 * 4 - 1);
    add(2).unwrap();
    add(1).unwrap();
    fill(&path, MOST_RECORDS - 1);
    let over = add(2).unwrap_err();
    let app = app();
    assert_eq!(
        over,
        StoreError::TooMany {
            app: app.clone(),
            records: MOST_RECORDS + 1
        }
    );
    assert!(over.to_string().contains("25000 at most") && !over.is_trouble());
    assert_eq!(
        store.kinds(app.clone()).wait().unwrap()[0].1,
        MOST_RECORDS as u64 - 1,
        "nothing of it has landed"
    );
    add(1).unwrap();
    assert!(add(1).is_err());
    // What makes no more of them goes on, and what was deleted comes back.
    store
        .commit(batch(vec![patch("entry", "f7", json!({"hours": 2}))]))
        .wait()
        .unwrap();
    let gone = store.commit(batch(vec![delete("f7")])).wait().unwrap();
    add(1).unwrap();
    store
        .undo(app.clone(), gone.action.unwrap(), LOCAL.into(), None)
        .wait()
        .unwrap();
    store
        .commit(batch(vec![
            delete("f8"),
            delete("f9"),
            create("entry", json!({"hours": 1})),
        ]))
        .wait()
        .unwrap();
    assert_eq!(
        heard.try_iter().collect::<Vec<_>>(),
        [(app, MOST_RECORDS / 5 * 4 + 1)]
    );
}
