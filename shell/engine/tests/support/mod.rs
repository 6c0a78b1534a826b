//! What the tests of the records share: a clock that moves when it is read, ids in order, a package's kinds, batches.
#![allow(clippy::unwrap_used, clippy::expect_used, dead_code)]

use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::{AtomicI64, Ordering};
use std::time::Duration;

use ede_engine::app_id::AppId;
use ede_engine::clock::Clock;
use ede_engine::package::Package;
use ede_engine::records::{Batch, IdSource, Kind, Put, RecordId, Store, StoreOptions, Via, Write};
use jiff::{Timestamp, Zoned, tz::TimeZone};
use serde_json::{Value, json};

/// Starts at 2026-10-01T09:00Z; a second passes with every look.
#[derive(Default)]
pub struct TickingClock(AtomicI64);

impl Clock for TickingClock {
    fn now(&self) -> Zoned {
        let at = 1_790_845_200 + self.0.fetch_add(1, Ordering::SeqCst);
        Timestamp::from_second(at).unwrap().to_zoned(TimeZone::UTC)
    }
}

/// `n-1`, `n-2`, …
#[derive(Default)]
pub struct Numbered(pub u64);

impl IdSource for Numbered {
    fn next(&mut self, _: Timestamp) -> std::io::Result<RecordId> {
        self.0 += 1;
        Ok(RecordId::parse(&format!("n-{}", self.0)).unwrap())
    }
}

pub fn app() -> AppId {
    AppId::parse("acme.hours").unwrap()
}

pub fn kind(name: &str) -> Kind {
    Kind::parse(name).unwrap()
}

pub fn id(text: &str) -> RecordId {
    RecordId::parse(text).unwrap()
}

/// An app with two kinds: entries with hours, tasks with a title.
pub fn package() -> Arc<Package> {
    let package = json!({
        "formatVersion": 2, "id": "acme.hours", "name": "Hours", "version": "1.0.0", "catalogId": eui_core::CORE_CATALOG_ID,
        "records": {
            "entry": {"schema": {"type": "object", "properties": {"hours": {"type": "number", "minimum": 0}, "note": {"type": "string"}}, "required": ["hours"]}},
            "task": {"schema": {"type": "object", "properties": {"title": {"type": "string"}}, "required": ["title"]}},
        },
        "templates": {"main": {"components": [{"id": "root", "component": "Text", "text": "Hours"}]}},
    });
    read(&package)
}

pub fn read(package: &Value) -> Arc<Package> {
    let parsed = Package::read(package.to_string().as_bytes());
    Arc::new(parsed.package.ok_or(parsed.issues).unwrap())
}

pub fn options(path: &Path) -> StoreOptions {
    StoreOptions {
        ids: Box::new(Numbered::default()),
        patience: Duration::from_millis(50),
        ..StoreOptions::new(path, Arc::new(TickingClock::default()))
    }
}

pub fn store(path: &Path) -> Store {
    Store::start(options(path)).unwrap()
}

pub fn batch(writes: Vec<Write>) -> Batch {
    Batch::new(package(), Via::App, writes)
}

pub fn create(kind_name: &str, data: Value) -> Write {
    Write::Upsert {
        kind: kind(kind_name),
        id: None,
        data,
    }
}

pub fn patch(kind_name: &str, record: &str, data: Value) -> Write {
    Write::Upsert {
        kind: kind(kind_name),
        id: Some(id(record)),
        data,
    }
}

pub fn delete(record: &str) -> Write {
    Write::Delete {
        id: id(record),
        kind: None,
    }
}

pub fn put(kind_name: &str, json: Value) -> Write {
    Write::Put {
        kind: kind(kind_name),
        put: Put::from_json(&json).unwrap(),
    }
}
