//! What the store's own view of the file promises, where the store's thread would hide it.
#![allow(clippy::unwrap_used)]
use serde_json::json;

use super::super::apply;
use super::super::id::RandomIds;
use super::super::model::{Batch, Via, Write};
use super::*;
use crate::clock::FixedClock;
use crate::package::Package;

fn database(path: &std::path::Path) -> Database {
    let clock = FixedClock("2026-10-01T09:30:00[UTC]".parse().unwrap());
    let answers = Arc::new(Answers::of(path));
    let ids = Box::new(RandomIds::default());
    let patience = Duration::from_secs(60);
    Database::new(path.to_path_buf(), patience, Arc::new(clock), ids, answers)
}

fn package() -> Package {
    let package = json!({
        "formatVersion": 2, "id": "acme.hours", "name": "Hours", "version": "1.0.0", "catalogId": eui_core::CORE_CATALOG_ID,
        "records": {"entry": {"schema": {"type": "object", "properties": {"hours": {"type": "number"}}}}},
        "templates": {"main": {"components": [{"id": "root", "component": "Text", "text": "Hours"}]}},
    });
    let read = Package::read(package.to_string().as_bytes());
    read.package.unwrap()
}

fn question() -> (RecordsRequest, Viewer) {
    let request = RecordsRequest::parse("records:entry", &package(), |_| None).unwrap();
    let (me, now) = ("local".into(), "2026-10-01T09:30:00[UTC]".parse().unwrap());
    (request, Viewer { me, now })
}

#[test]
fn what_was_written_is_answered_so_even_when_its_changes_cannot_be_read() {
    let dir = tempfile::tempdir().unwrap();
    let mut database = database(&dir.path().join("records.db"));
    let mut times = 0;
    let counted = std::cell::RefCell::new(&mut times);
    let written = database.write(|connection, _, _| {
        **counted.borrow_mut() += 1;
        // A fault of the disk would do.
        connection.execute_batch("DROP TABLE history")?;
        Ok(())
    });
    assert_eq!((written, times), (Ok(()), 1));
    assert_eq!(database.take_events(), [StoreEvent::Replaced]);
}

#[test]
fn what_cannot_be_written_is_not_mended_by_what_can_be_read() {
    let dir = tempfile::tempdir().unwrap();
    let mut database = database(&dir.path().join("records.db"));
    let full = || rusqlite::Error::SqliteFailure(rusqlite::ffi::Error::new(13), None);
    let trouble = database.write(|_, _, _| -> Result<(), Stop> { Err(full().into()) });
    let Err(trouble) = trouble else {
        panic!("a full disk is trouble")
    };
    assert_eq!(database.take_events(), [StoreEvent::Trouble(trouble)]);
    for _ in 0..2 {
        assert_eq!(database.read(|_| Ok(())), Ok(()));
        assert!(
            database
                .write(|_, _, _| -> Result<(), Stop> { Err(full().into()) })
                .is_err()
        );
    }
    assert_eq!(database.take_events(), [], "nothing goes in circles");
    assert_eq!(database.write(|_, _, _| Ok(())), Ok(()));
    assert_eq!(database.take_events(), [StoreEvent::Mended]);
}

#[test]
fn after_a_trouble_nothing_is_known_until_it_is_read_again() {
    let dir = tempfile::tempdir().unwrap();
    let mut database = database(&dir.path().join("records.db"));
    let (request, viewer) = question();
    assert!(database.value(&request, &viewer).is_ok());
    let answers = database.answers.clone();
    let known = || answers.find_from_outside(&request, &viewer);
    assert!(known().is_some());
    let full = || rusqlite::Error::SqliteFailure(rusqlite::ffi::Error::new(13), None);
    assert!(database.read(|_| Err::<(), _>(full())).is_err());
    assert_eq!(known(), None);
    assert!(database.value(&request, &viewer).is_ok());
    assert!(known().is_some());
}

#[test]
fn all_that_is_in_a_database_that_came_to_be_unseen_is_news() {
    let dir = tempfile::tempdir().unwrap();
    let path = dir.path().join("records.db");
    let (mut one, mut other) = (database(&path), database(&path));
    assert!(one.look(), "there is nothing yet");
    let package = package();
    let write = json!({"op": "upsert", "kind": "entry", "data": {"hours": 1}});
    let batch = Batch::new(
        Arc::new(package),
        Via::App,
        vec![Write::from_json(&write).unwrap()],
    );
    let written = other.write(|connection, now, ids| {
        let now = (now, &TimeZone::UTC);
        apply::commit(connection, &batch, now, ids)
    });
    assert!(written.is_ok());
    assert!(one.look());
    assert!(matches!(&one.take_events()[..], [StoreEvent::Changed(changes)] if changes.len() == 1));
    assert!(one.look());
    assert!(one.take_events().is_empty(), "it is told once");
}
