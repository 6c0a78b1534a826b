//! Damaged, locked, foreign, newer, read-only: each is a value a caller can tell apart, told once, and loses nothing.
#![allow(clippy::unwrap_used, clippy::expect_used)]

mod support;

use std::fs;
use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};
use std::sync::mpsc;

use ede_engine::records::{Store, StoreError, StoreEvent};
use serde_json::json;
use support::*;

fn hear(store: &Store) -> mpsc::Receiver<StoreEvent> {
    let (tell, heard) = mpsc::channel();
    store.listen(move |event| {
        let _ = tell.send(event.clone());
    });
    heard
}

/// A database with one record, closed.
fn with_a_record(path: &Path) {
    let store = store(path);
    store
        .commit(batch(vec![put(
            "entry",
            json!({"id": "r", "data": {"hours": 1}}),
        )]))
        .wait()
        .unwrap();
}

/// What was told by the questions before the last: an answer goes out before the events of its question.
fn troubles(events: &mpsc::Receiver<StoreEvent>) -> Vec<StoreError> {
    events
        .try_iter()
        .filter_map(|event| {
            if let StoreEvent::Trouble(error) = event {
                Some(error)
            } else {
                None
            }
        })
        .collect()
}

fn count(store: &Store) -> usize {
    store.list(app(), None).wait().unwrap().len()
}

#[test]
fn a_file_that_is_no_database_is_moved_aside_and_a_fresh_one_started() {
    let dir = tempfile::tempdir().unwrap();
    let path = dir.path().join("records.db");
    let text = "not a database ".repeat(1000);
    fs::write(&path, &text).unwrap();
    let store = store(&path);
    let events = hear(&store);
    assert_eq!(count(&store), 0);
    store
        .commit(batch(vec![create("entry", json!({"hours": 1}))]))
        .wait()
        .unwrap();
    assert_eq!(count(&store), 1);
    let [StoreError::Damaged(kept)] = &troubles(&events)[..] else {
        panic!("the damage is told, once")
    };
    assert_eq!(
        fs::read_to_string(kept).unwrap(),
        text,
        "what was there is kept under the name that was told"
    );
    assert!(
        kept.file_name()
            .unwrap()
            .to_str()
            .unwrap()
            .starts_with("records.db.damaged-2026")
    );
}

#[test]
fn a_database_damaged_in_the_middle_is_found_out_and_kept() {
    let dir = tempfile::tempdir().unwrap();
    let path = dir.path().join("records.db");
    {
        let store = store(&path);
        let writes = (0..400)
            .map(|n| {
                put(
                    "entry",
                    json!({"id": format!("r{n}"), "data": {"hours": n, "note": "x".repeat(200)}}),
                )
            })
            .collect();
        store.commit(batch(writes)).wait().unwrap();
    }
    let mut bytes = fs::read(&path).unwrap();
    assert!(bytes.len() > 40_000, "closing wrote the log back");
    // The first page (the header and the tables' places) stays whole: only reading the rows can notice.
    bytes[8192..].fill(0xa5);
    fs::write(&path, &bytes).unwrap();
    let store = store(&path);
    let events = hear(&store);
    assert_eq!(count(&store), 0);
    assert_eq!(count(&store), 0);
    let [StoreError::Damaged(kept)] = &troubles(&events)[..] else {
        panic!("the damage is told, once")
    };
    assert_eq!(fs::read(kept).unwrap().len(), bytes.len());
    store
        .commit(batch(vec![create("entry", json!({"hours": 1}))]))
        .wait()
        .unwrap();
}

#[test]
fn two_processes_that_find_the_same_damage_end_up_in_the_same_fresh_database() {
    let dir = tempfile::tempdir().unwrap();
    let path = dir.path().join("records.db");
    fs::write(&path, "garbage ".repeat(2000)).unwrap();
    let (one, two) = (store(&path), store(&path));
    let (first, second) = (
        one.commit(batch(vec![put(
            "entry",
            json!({"id": "one", "data": {"hours": 1}}),
        )])),
        two.commit(batch(vec![put(
            "entry",
            json!({"id": "two", "data": {"hours": 2}}),
        )])),
    );
    let (tell, heard) = mpsc::channel();
    let told = tell.clone();
    first.then(move |outcome| tell.send(outcome).unwrap());
    second.then(move |outcome| told.send(outcome).unwrap());
    for outcome in heard.iter().take(2) {
        outcome.unwrap();
    }
    assert_eq!((count(&one), count(&two)), (2, 2));
    let kept = fs::read_dir(dir.path())
        .unwrap()
        .flatten()
        .filter(|e| e.file_name().to_str().unwrap().contains("damaged"))
        .count();
    assert_eq!(kept, 1);
}

#[test]
fn another_programs_database_is_refused_and_left_alone() {
    let dir = tempfile::tempdir().unwrap();
    let path = dir.path().join("records.db");
    rusqlite::Connection::open(&path)
        .unwrap()
        .execute_batch("CREATE TABLE bookmarks (url TEXT)")
        .unwrap();
    let before = fs::read(&path).unwrap();
    let store = store(&path);
    assert!(matches!(
        store.list(app(), None).wait(),
        Err(StoreError::Foreign(_))
    ));
    drop(store);
    assert_eq!(fs::read(&path).unwrap()[100..], before[100..]);
}

#[test]
fn a_database_of_a_newer_version_is_refused_and_left_alone() {
    let dir = tempfile::tempdir().unwrap();
    let path = dir.path().join("records.db");
    with_a_record(&path);
    rusqlite::Connection::open(&path)
        .unwrap()
        .execute(
            "UPDATE meta SET value = '99' WHERE key = 'schema_version'",
            [],
        )
        .unwrap();
    let store = store(&path);
    assert!(matches!(
        store.list(app(), None).wait(),
        Err(StoreError::Newer { found: 99, .. })
    ));
}

#[test]
fn a_lock_held_too_long_is_told_once_and_nothing_is_lost() {
    let dir = tempfile::tempdir().unwrap();
    let path = dir.path().join("records.db");
    with_a_record(&path);
    let holder = rusqlite::Connection::open(&path).unwrap();
    holder.execute_batch("BEGIN IMMEDIATE").unwrap();
    let store = store(&path);
    let events = hear(&store);
    assert_eq!(count(&store), 1, "reading goes on");
    for _ in 0..2 {
        let written = store
            .commit(batch(vec![create("entry", json!({"hours": 2}))]))
            .wait();
        assert_eq!(written, Err(StoreError::Locked(path.clone())));
    }
    assert_eq!(troubles(&events).len(), 1, "the same trouble is told once");
    holder.execute_batch("ROLLBACK").unwrap();
    store
        .commit(batch(vec![create("entry", json!({"hours": 2}))]))
        .wait()
        .unwrap();
    assert_eq!(count(&store), 2);
    assert!(events.try_iter().any(|event| event == StoreEvent::Mended));
}

#[test]
fn a_database_that_was_taken_away_is_noticed_and_a_fresh_one_made() {
    let dir = tempfile::tempdir().unwrap();
    let path = dir.path().join("d/records.db");
    let store = store(&path);
    let events = hear(&store);
    store
        .commit(batch(vec![create("entry", json!({"hours": 1}))]))
        .wait()
        .unwrap();
    fs::rename(dir.path().join("d"), dir.path().join("backup")).unwrap();
    store
        .commit(batch(vec![create("entry", json!({"hours": 2}))]))
        .wait()
        .unwrap();
    assert_eq!(
        count(&store),
        1,
        "the write is in the database that is there, not in the one that went"
    );
    assert!(events.try_iter().any(|event| event == StoreEvent::Replaced));
}

#[test]
fn the_database_and_its_siblings_are_private() {
    let dir = tempfile::tempdir().unwrap();
    let path = dir.path().join("d/records.db");
    let store = store(&path);
    store
        .commit(batch(vec![create("entry", json!({"hours": 1}))]))
        .wait()
        .unwrap();
    let mode = |path: PathBuf| fs::metadata(path).unwrap().permissions().mode() & 0o777;
    assert_eq!(mode(dir.path().join("d")), 0o700);
    for name in ["records.db", "records.db-wal", "records.db-shm"] {
        assert_eq!(mode(dir.path().join("d").join(name)), 0o600, "{name}");
    }
}

const CHILD: &str = "EDE_TEST_READS";

/// Not a test of its own: what the child below does, as a user whom the folder's mode binds.
#[test]
fn child_reads_what_it_cannot_write() {
    let Ok(path) = std::env::var(CHILD) else {
        return;
    };
    let path = PathBuf::from(path);
    let store = store(&path);
    let events = hear(&store);
    assert_eq!(count(&store), 1, "reading works");
    for _ in 0..2 {
        let written = store
            .commit(batch(vec![create("entry", json!({"hours": 2}))]))
            .wait();
        assert_eq!(written, Err(StoreError::ReadOnly(path.clone())));
    }
    assert_eq!(count(&store), 1);
    let told = troubles(&events);
    assert_eq!(told, [StoreError::ReadOnly(path.clone())], "told once");
    println!("read-only as it should be");
}

#[test]
fn a_read_only_folder_is_read_and_told_once() {
    let dir = tempfile::tempdir().unwrap();
    let folder = dir.path().join("d");
    let path = folder.join("records.db");
    with_a_record(&path);
    let open = |mode: u32| {
        fs::set_permissions(dir.path(), fs::Permissions::from_mode(0o755)).unwrap();
        fs::set_permissions(
            &path,
            fs::Permissions::from_mode(if mode == 0o555 { 0o444 } else { 0o600 }),
        )
        .unwrap();
        fs::set_permissions(&folder, fs::Permissions::from_mode(mode)).unwrap();
    };
    open(0o555);
    // Root is bound by no mode: as root, the child is somebody else.
    let own = std::env::current_exe().unwrap();
    let mut child = if rustix::process::geteuid().is_root() {
        let copy = dir.path().join("child");
        fs::copy(&own, &copy).unwrap();
        let mut child = std::process::Command::new("setpriv");
        child
            .args(["--reuid=65534", "--regid=65534", "--clear-groups"])
            .arg(copy);
        child
    } else {
        std::process::Command::new(own)
    };
    let output = child
        .args(["--exact", "child_reads_what_it_cannot_write", "--nocapture"])
        .env(CHILD, &path)
        .current_dir("/")
        .output()
        .unwrap();
    open(0o755);
    let text = String::from_utf8_lossy(&output.stdout).into_owned()
        + &String::from_utf8_lossy(&output.stderr);
    assert!(text.contains("read-only as it should be"), "{text}");
}
