//! Several users of one database at once: nobody reads what is stale, and a watching store hears of others' writes unasked.
#![allow(clippy::unwrap_used, clippy::expect_used)]

mod support;

use std::sync::mpsc;
use std::time::{Duration, Instant};

use ede_engine::records::{Batch, Change, LOCAL, RecordsRequest, Store, StoreEvent, Viewer};
use serde_json::json;
use support::*;

/// Long enough for any machine; what is awaited comes at once or never.
const PATIENCE: Duration = Duration::from_secs(60);

fn question() -> (RecordsRequest, Viewer) {
    let request = RecordsRequest::parse("records:entry", &package(), |_| None).unwrap();
    let viewer = Viewer {
        me: LOCAL.into(),
        now: "2026-10-01T12:00:00[UTC]".parse().unwrap(),
    };
    (request, viewer)
}

fn count(store: &Store) -> u64 {
    let (request, viewer) = question();
    store.value(request, viewer).wait().unwrap()["count"]
        .as_u64()
        .unwrap()
}

/// [`count`] where it is known without asking.
fn known(store: &Store) -> Option<u64> {
    let (request, viewer) = question();
    store.known(&request, &viewer)?["count"].as_u64()
}

/// The same, once the store's thread has gone to sleep.
fn known_in_time(store: &Store) -> u64 {
    let start = Instant::now();
    loop {
        match known(store) {
            Some(known) => return known,
            None => assert!(start.elapsed() < PATIENCE, "it never comes to be known"),
        }
        std::thread::yield_now();
    }
}

fn entry(n: u64) -> Batch {
    let data = json!({"id": format!("r{n}"), "data": {"hours": 1}});
    batch(vec![put("entry", data)])
}

#[test]
fn what_is_known_is_never_older_than_a_commit_here_or_elsewhere() {
    let dir = tempfile::tempdir().unwrap();
    let path = dir.path().join("records.db");
    let (watching, other) = (
        Store::start(options(&path).watched()).unwrap(),
        store(&path),
    );
    for n in 0..100u64 {
        assert_eq!(count(&watching), n);
        assert_eq!(known_in_time(&watching), n);
        let writer = if n % 3 == 0 { &watching } else { &other };
        writer.commit(entry(n)).wait().unwrap();
        // Nothing is known, or what is true now.
        for _ in 0..50 {
            assert!(known(&watching).is_none_or(|known| known == n + 1));
        }
    }
    assert_eq!(known(&other), None, "a store that does not watch asks");
}

#[test]
fn what_is_known_through_a_link_is_never_older_either() {
    let dir = tempfile::tempdir().unwrap();
    let (there, link) = (dir.path().join("there"), dir.path().join("here"));
    std::fs::create_dir(&there).unwrap();
    std::fs::create_dir(&link).unwrap();
    let (path, link) = (there.join("kept.db"), link.join("records.db"));
    let other = store(&path);
    other.commit(entry(0)).wait().unwrap();
    std::os::unix::fs::symlink(&path, &link).unwrap();
    let watching = Store::start(options(&link).watched()).unwrap();
    for n in 1..20u64 {
        assert_eq!(count(&watching), n);
        assert_eq!(known_in_time(&watching), n);
        other.commit(entry(n)).wait().unwrap();
        assert!(known(&watching).is_none_or(|known| known == n + 1));
    }
}

#[test]
fn nothing_is_known_while_a_write_is_on_its_way_or_the_file_is_another_one() {
    let dir = tempfile::tempdir().unwrap();
    let path = dir.path().join("records.db");
    let store = Store::start(options(&path).watched()).unwrap();
    assert_eq!(known(&store), None, "nobody has asked");
    count(&store);
    known_in_time(&store);
    let (go, wait) = mpsc::channel::<()>();
    store.kinds(app()).then(move |_| {
        let _ = wait.recv();
    });
    store.commit(entry(0)).then(|_| {});
    assert_eq!(known(&store), None);
    go.send(()).unwrap();
    count(&store);
    assert_eq!(known_in_time(&store), 1);
    std::fs::rename(&path, dir.path().join("aside.db")).unwrap();
    assert_eq!(known(&store), None);
}

#[test]
fn a_read_is_never_older_than_anothers_commit() {
    let dir = tempfile::tempdir().unwrap();
    let path = dir.path().join("records.db");
    let (one, two) = (store(&path), store(&path));
    for n in 0..20u64 {
        let (writer, reader) = if n % 2 == 0 {
            (&one, &two)
        } else {
            (&two, &one)
        };
        assert_eq!(count(reader), n, "the cache is warm before the write");
        writer.commit(entry(n)).wait().unwrap();
        assert_eq!(count(reader), n + 1);
    }
}

#[test]
fn a_watching_store_hears_of_anothers_write_without_asking() {
    let dir = tempfile::tempdir().unwrap();
    let path = dir.path().join("records.db");
    let watching = Store::start(options(&path).watched()).unwrap();
    let (tell, heard) = mpsc::channel();
    watching.listen(move |event| {
        let _ = tell.send(event.clone());
    });
    assert_eq!(count(&watching), 0);
    let other = store(&path);
    other
        .commit(batch(vec![
            put("task", json!({"id": "t", "data": {"title": "t"}})),
            put("entry", json!({"id": "e", "data": {"hours": 1}})),
        ]))
        .wait()
        .unwrap();
    let expected = StoreEvent::Changed(vec![
        Change {
            app: app(),
            kind: kind("entry"),
        },
        Change {
            app: app(),
            kind: kind("task"),
        },
    ]);
    assert_eq!(heard.recv_timeout(PATIENCE).unwrap(), expected);
    assert!(heard.try_recv().is_err(), "once");
}

#[test]
fn a_store_hears_of_its_own_writes_once() {
    let dir = tempfile::tempdir().unwrap();
    let store = Store::start(options(&dir.path().join("records.db")).watched()).unwrap();
    let (tell, heard) = mpsc::channel();
    store.listen(move |event| {
        let _ = tell.send(event.clone());
    });
    store
        .commit(batch(vec![create("entry", json!({"hours": 1}))]))
        .wait()
        .unwrap();
    assert_eq!(count(&store), 1);
    drop(store);
    let events: Vec<StoreEvent> = heard.iter().collect();
    assert_eq!(
        events,
        [StoreEvent::Changed(vec![Change {
            app: app(),
            kind: kind("entry")
        }])]
    );
}

#[test]
fn writers_wait_for_each_other_and_none_is_lost() {
    let dir = tempfile::tempdir().unwrap();
    let path = dir.path().join("records.db");
    let threads: Vec<_> = (0..4)
        .map(|writer| {
            let path = path.clone();
            std::thread::spawn(move || {
                let mut options = options(&path);
                options.patience = PATIENCE;
                let store = Store::start(options).unwrap();
                for n in 0..10 {
                    store
                        .commit(batch(vec![put(
                            "entry",
                            json!({"id": format!("w{writer}-{n}"), "data": {"hours": 1}}),
                        )]))
                        .wait()
                        .unwrap();
                }
            })
        })
        .collect();
    threads
        .into_iter()
        .for_each(|thread| thread.join().unwrap());
    assert_eq!(count(&store(&path)), 40);
}

#[test]
fn what_was_asked_is_answered_before_the_store_ends_and_never_after() {
    let dir = tempfile::tempdir().unwrap();
    let path = dir.path().join("records.db");
    let handle = store(&path);
    let (tell, heard) = mpsc::channel();
    for n in 0..50 {
        let tell = tell.clone();
        handle
            .commit(batch(vec![put(
                "entry",
                json!({"id": format!("r{n}"), "data": {"hours": n}}),
            )]))
            .then(move |outcome| tell.send(outcome.is_ok()).unwrap());
    }
    drop((handle, tell));
    assert_eq!(heard.iter().filter(|ok| *ok).count(), 50);
    assert_eq!(count(&store(&path)), 50);
}

#[test]
fn a_callback_that_panics_costs_its_own_answer_only() {
    let dir = tempfile::tempdir().unwrap();
    let store = store(&dir.path().join("records.db"));
    store
        .commit(batch(vec![create("entry", json!({"hours": 1}))]))
        .then(|_| panic!("a fault of the shell's"));
    assert_eq!(count(&store), 1);
}
