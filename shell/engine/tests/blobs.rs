//! The files of apps: whose they are, how much there may be, how long they stay, and what a kill leaves of them.
#![allow(clippy::unwrap_used, clippy::expect_used)]

mod support;

use std::collections::BTreeSet;
use std::io::{BufRead, BufReader, Write as _};
use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::sync::Arc;

use ede_engine::app_id::AppId;
use ede_engine::apps::Author;
use ede_engine::blobs::{APP_MAX_BYTES, FILE_MAX_BYTES};
use ede_engine::bridge::files::{FileId, FileStore, NewFile, StoreError};
use ede_engine::clock::FixedClock;
use ede_engine::records::{Store, StoreOptions};
use serde_json::json;
use support::*;

const CHILD: &str = "EDE_TEST_KEEPS_FILES_BESIDE";

struct Home(tempfile::TempDir);

impl Home {
    fn new() -> Home {
        Home(tempfile::tempdir().unwrap())
    }

    fn records(&self) -> PathBuf {
        self.0.path().join("records.db")
    }

    fn folder(&self) -> PathBuf {
        self.0.path().join("files")
    }

    fn store(&self) -> Store {
        store(&self.records())
    }

    fn on(&self, day: &str) -> Store {
        let clock = FixedClock(format!("{day}T12:00:00[UTC]").parse().unwrap());
        Store::start(StoreOptions::new(self.records(), Arc::new(clock))).unwrap()
    }

    fn names(&self) -> BTreeSet<String> {
        let entries = std::fs::read_dir(self.folder()).into_iter().flatten();
        entries
            .map(|e| e.unwrap().file_name().into_string().unwrap())
            .collect()
    }
}

fn file(bytes: &[u8]) -> NewFile {
    NewFile {
        name: "letter.txt".into(),
        mime_type: "text/plain".into(),
        bytes: bytes.to_vec(),
    }
}

fn put(store: &Store, bytes: &[u8]) -> FileId {
    put_for(store, &app(), bytes)
}

fn put_for(store: &Store, app: &AppId, bytes: &[u8]) -> FileId {
    let ids = store.blobs().put(app, vec![file(bytes)]).unwrap();
    ids.into_iter().next().unwrap()
}

fn get(store: &Store, id: &FileId) -> Option<Vec<u8>> {
    store.blobs().get(&app(), id).unwrap()
}

fn name_in_a_record(store: &Store, id: &FileId) -> String {
    let data = json!({"hours": 1, "note": format!("/api/attachments/{}", id.as_str())});
    let receipt = store.commit(batch(vec![create("entry", data)])).wait();
    receipt.unwrap().ids[0].to_string()
}

#[test]
fn a_file_is_its_apps_alone_and_private_to_the_person() {
    let home = Home::new();
    let store = home.store();
    let id = put(&store, b"Dear Ines");
    assert_eq!(get(&store, &id).unwrap(), b"Dear Ines");
    let other = AppId::parse("acme.spy").unwrap();
    assert_eq!(store.blobs().get(&other, &id), Ok(None));
    for no_id in ["", "..", "../records.db", "/etc/passwd", "letter.txt"] {
        assert_eq!(get(&store, &FileId::new(no_id)), None, "{no_id}");
    }
    let known = store.blob(app(), id.clone()).wait().unwrap().unwrap();
    assert_eq!((known.name.as_str(), known.size), ("letter.txt", 9));
    let mode = |path: &Path| std::fs::metadata(path).unwrap().permissions().mode() & 0o777;
    assert_eq!(mode(&home.folder()), 0o700);
    assert_eq!(mode(&home.folder().join(id.as_str())), 0o600);
}

#[test]
fn several_files_are_kept_together_or_not_at_all() {
    let home = Home::new();
    let store = home.store();
    let largest = vec![7; FILE_MAX_BYTES];
    let too_large = vec![7; FILE_MAX_BYTES + 1];
    let both = vec![file(b"small"), file(&too_large)];
    assert_eq!(store.blobs().put(&app(), both), Err(StoreError::Quota));
    assert!(home.names().is_empty());
    for _ in 0..APP_MAX_BYTES / FILE_MAX_BYTES as u64 - 1 {
        put(&store, &largest);
    }
    let before = home.names();
    let one_block_too_many = vec![file(b""), file(&largest)];
    let refused = store.blobs().put(&app(), one_block_too_many);
    assert_eq!(
        refused,
        Err(StoreError::Quota),
        "an empty file takes room too"
    );
    assert_eq!(home.names(), before);
    put(&store, &largest);
    assert_eq!(
        store.blobs().put(&app(), vec![file(b"x")]),
        Err(StoreError::Quota)
    );
    // Another app has room of its own.
    put_for(&store, &AppId::parse("acme.other").unwrap(), b"x");
}

#[test]
fn where_nothing_can_be_kept_nothing_is_and_the_app_hears_a_word() {
    let home = Home::new();
    std::fs::write(home.folder(), "in the way").unwrap();
    let store = home.store();
    let refused = store.blobs().put(&app(), vec![file(b"x")]);
    assert_eq!(refused, Err(StoreError::Unavailable));
    std::fs::remove_file(home.folder()).unwrap();
    let id = put(&store, b"x");
    assert_eq!(home.names(), [id.as_str().to_owned()].into());
}

#[test]
fn an_index_row_without_its_bytes_is_no_file() {
    let home = Home::new();
    let store = home.store();
    let (gone, cut) = (put(&store, b"gone"), put(&store, b"cut short"));
    std::fs::remove_file(home.folder().join(gone.as_str())).unwrap();
    std::fs::write(home.folder().join(cut.as_str()), "cut").unwrap();
    assert_eq!((get(&store, &gone), get(&store, &cut)), (None, None));
}

#[test]
fn a_file_stays_while_a_record_names_it_and_a_week_where_none_does() {
    let home = Home::new();
    let store = home.on("2026-01-01");
    let (named, unnamed) = (put(&store, b"named"), put(&store, b"unnamed"));
    let record = name_in_a_record(&store, &named);
    drop(store);
    let store = home.on("2026-01-08");
    store.sweep().wait().unwrap();
    assert!(get(&store, &unnamed).is_some(), "a week has not passed");
    drop(store);
    let store = home.on("2026-01-09");
    let young = put(&store, b"young");
    store.sweep().wait().unwrap();
    let left = [&named, &unnamed, &young].map(|id| get(&store, id).is_some());
    assert_eq!(left, [true, false, true]);
    assert_eq!(home.names().len(), 2, "its bytes went with it");
    store.commit(batch(vec![delete(&record)])).wait().unwrap();
    drop(store);
    let store = home.on("2026-02-07");
    store.sweep().wait().unwrap();
    assert!(
        get(&store, &named).is_some(),
        "a record in the trash names it"
    );
    drop(store);
    let store = home.on("2026-02-10");
    store.sweep().wait().unwrap();
    assert_eq!(get(&store, &named), None);
    assert!(home.names().is_empty());
}

#[test]
fn a_file_stays_as_long_as_what_named_it_can_be_brought_back() {
    let home = Home::new();
    let store = home.on("2026-01-01");
    let file = put(&store, b"a receipt");
    let record = name_in_a_record(&store, &file);
    let emptied = patch("entry", &record, json!({"note": "none"}));
    let action = store.commit(batch(vec![emptied])).wait().unwrap().action;
    drop(store);
    let store = home.on("2026-02-01");
    store.sweep().wait().unwrap();
    let undone = store.undo(app(), action.unwrap(), "local".into(), None);
    undone.wait().unwrap();
    assert_eq!(get(&store, &file), Some(b"a receipt".to_vec()));
}

#[test]
fn a_removed_apps_files_wait_for_its_author_and_nobody_else() {
    let home = Home::new();
    let store = home.on("2026-01-01");
    let id = put(&store, b"Dear Ines");
    let (author, stranger) = (Author::of(&package()), {
        let mut changed = serde_json::Value::Object(package().value().clone());
        changed["name"] = "Not the same".into();
        Author::of(&read(&changed))
    });
    store.set_aside(app(), author.clone()).wait().unwrap();
    assert_eq!(get(&store, &id), None);
    store
        .give_back(app(), stranger.clone(), true)
        .wait()
        .unwrap();
    assert_eq!(get(&store, &id), None);
    let theirs = put(&store, b"of the stranger");
    store.set_aside(app(), stranger).wait().unwrap();
    drop(store);
    let store = home.on("2026-01-30");
    store.sweep().wait().unwrap();
    store.give_back(app(), author.clone(), true).wait().unwrap();
    assert_eq!(get(&store, &id).unwrap(), b"Dear Ines");
    assert_eq!(get(&store, &theirs), None);
    // For good.
    store.set_aside(app(), author.clone()).wait().unwrap();
    drop(store);
    let store = home.on("2026-03-15");
    store.sweep().wait().unwrap();
    store.give_back(app(), author, true).wait().unwrap();
    assert_eq!(get(&store, &id), None);
    assert!(home.names().is_empty());
}

#[test]
fn bytes_that_no_app_has_wait_thirty_days_and_what_is_not_ours_stays() {
    let home = Home::new();
    let store = home.on("2026-01-01");
    let kept = put(&store, b"kept");
    name_in_a_record(&store, &kept);
    let litter = "5f0c7a1e-0000-4000-8000-000000000000".to_owned();
    let half = format!(".{litter}.17-0.tmp");
    for name in [litter.as_str(), half.as_str(), "notes of the person.txt"] {
        std::fs::write(home.folder().join(name), "x").unwrap();
    }
    store.sweep().wait().unwrap();
    drop(store);
    let store = home.on("2026-01-30");
    store.sweep().wait().unwrap();
    assert_eq!(home.names().len(), 4);
    drop(store);
    let store = home.on("2026-02-01");
    store.sweep().wait().unwrap();
    let left = [kept.as_str(), "notes of the person.txt"].map(str::to_owned);
    assert_eq!(home.names(), left.into());
    assert!(get(&store, &kept).is_some());
}

#[test]
fn a_damaged_index_loses_no_bytes_at_once() {
    let home = Home::new();
    let store = home.store();
    let id = put(&store, b"kept");
    drop(store);
    let whole = std::fs::read(home.records()).unwrap();
    std::fs::write(home.records(), "no database").unwrap();
    let fresh = home.store();
    fresh.sweep().wait().unwrap();
    assert_eq!(get(&fresh, &id), None);
    drop(fresh);
    for sibling in ["records.db-wal", "records.db-shm"] {
        let _ = std::fs::remove_file(home.0.path().join(sibling));
    }
    std::fs::write(home.records(), whole).unwrap();
    let mended = home.store();
    mended.sweep().wait().unwrap();
    assert_eq!(get(&mended, &id).unwrap(), b"kept");
}

/// Not a test of its own: what the child does when it is started by the tests below.
#[test]
fn child_keeps_files_until_it_is_killed() {
    let Ok(path) = std::env::var(CHILD) else {
        return;
    };
    let store = store(Path::new(&path));
    let mut out = std::io::stdout();
    for n in 0_usize.. {
        let bytes = vec![u8::try_from(n % 251).unwrap(); 40_000 + n * 1000];
        let two = vec![file(&bytes), file(&bytes)];
        let ids = store.blobs().put(&app(), two).unwrap();
        let [one, two] = ids.as_slice() else { panic!() };
        writeln!(out, "kept {n} {} {}", one.as_str(), two.as_str()).unwrap();
        out.flush().unwrap();
    }
}

fn kill_rounds(rounds: usize) {
    let home = Home::new();
    let mut told = Vec::new();
    for round in 0..rounds {
        let mut child = Command::new(std::env::current_exe().unwrap())
            .args([
                "--exact",
                "child_keeps_files_until_it_is_killed",
                "--nocapture",
            ])
            .env(CHILD, home.records())
            .stdout(Stdio::piped())
            .stderr(Stdio::null())
            .spawn()
            .unwrap();
        let mut lines = BufReader::new(child.stdout.take().unwrap())
            .lines()
            .map_while(Result::ok)
            .filter_map(|line| Some(line.split_once("kept ")?.1.to_owned()));
        // Spread over none to four writes, so that kills fall before, in and after the first ones.
        told.extend(lines.by_ref().take(round * 3 % 5));
        child.kill().unwrap();
        told.extend(lines);
        child.wait().unwrap();
    }
    assert!(!told.is_empty());
    let store = home.store();
    for line in told {
        let mut words = line.split(' ');
        let n: usize = words.next().unwrap().parse().unwrap();
        for id in words {
            let bytes = get(&store, &FileId::new(id)).expect("a file that was acknowledged");
            assert_eq!(which(&bytes), n);
        }
    }
    // Whatever else lies there is whole and an app's, or no app's at all.
    for name in home.names() {
        if let Some(bytes) = get(&store, &FileId::new(name)) {
            which(&bytes);
        }
    }
}

/// Which of the child's files this is; a part of one is none.
fn which(bytes: &[u8]) -> usize {
    let n = bytes.len().checked_sub(40_000).unwrap() / 1000;
    assert_eq!(bytes.len(), 40_000 + n * 1000);
    assert!(bytes.iter().all(|b| usize::from(*b) == n % 251));
    n
}

#[test]
fn a_kill_at_any_moment_loses_no_file_that_was_kept() {
    kill_rounds(6);
}

#[test]
#[ignore = "soak"]
fn five_hundred_kills_lose_no_file_that_was_kept() {
    kill_rounds(500);
}
