//! What a call costs apart from what it calls: the decision, and the whole way with its audit row.

use std::hint::black_box;

use ede_engine::app_id::AppId;
use ede_engine::bridge::NativeAnswer;
use ede_engine::bridge::files::{FileId, FileStore, NewFile, NotificationIds, StoreError};
use ede_engine::bridge::mime::MimeTypes;
use ede_engine::broker::audit::{AuditRow, Client};
use ede_engine::broker::call::{Decided, Prepared, Request};
use ede_engine::broker::catalog::{Caller, catalog};
use ede_engine::broker::decide::{Standing, decide};
use ede_engine::broker::grants::{Grant, Grants};
use ede_engine::broker::origin::Origin;
use ede_engine::package::Capability;
use serde_json::json;

use crate::surfaces::{middle, timed};
use crate::table::{Row, Table};

/// How often a step is measured, and how many of it make one measurement; the middle one counts.
const TIMES: usize = 101;
const EACH: usize = 200;

pub fn measure(table: &mut Table) {
    // An app that declares all there is, each granted: the longest way through the rules.
    let scopes: Vec<_> = catalog().scopes().map(|s| s.id.clone()).collect();
    let declared = scopes.iter().map(|scope| Capability {
        scope: scope.clone(),
        why: String::new(),
        origins: Origin::parse("https://api.example.org")
            .into_iter()
            .collect(),
    });
    let manifest: Vec<Capability> = declared.collect();
    let grants: Grants = scopes.into_iter().map(|s| (s, Grant::Granted)).collect();
    let provided = catalog()
        .capabilities
        .iter()
        .map(|c| c.name.clone())
        .collect();
    let standing = Standing {
        manifest: &manifest,
        grants: &grants,
        provided: &provided,
        foreground: true,
    };
    let decision = |name: &str, arguments| {
        each(|| _ = black_box(decide(&standing, Caller::Ui, black_box(name), &arguments)))
    };
    let list = decision("windows.list", json!({}));
    table.push(Row::alone("broker: decision", "µs", list).below(2.0));
    let fetch = decision(
        "http.fetch",
        json!({"url": "https://api.example.org/rates?day=1"}),
    );
    table.push(Row::alone("broker: decision with an origin", "µs", fetch).below(2.0));
    let call = each(|| call(&standing));
    table.push(Row::alone("broker: a whole call without its native", "µs", call).below(30.0));
}

/// Microseconds of one.
fn each(mut work: impl FnMut()) -> f64 {
    let times = (0..TIMES).map(|_| timed(|| (0..EACH).for_each(|_| work())));
    middle(times.collect()) * 1000.0 / EACH as f64
}

fn call(standing: &Standing<'_>) {
    let request = Request {
        app: AppId::parse("acme.app").unwrap(),
        client: Client::Ui,
        name: "focus.window".into(),
        arguments: json!({"window": "w-12"}),
    };
    let Decided::Call(allowed) = request.decide(standing) else {
        panic!("it is granted")
    };
    let Prepared::Native(running) =
        allowed.prepare(&[], MimeTypes::known(), &mut Nothing, &mut Nothing)
    else {
        panic!("its arguments are right")
    };
    let native = NativeAnswer::Result(json!({"structuredContent": {"focused": true}}));
    let mut rows: Vec<AuditRow> = Vec::new();
    black_box(running.finish(native, &mut Nothing).settle(&mut rows));
    black_box(rows);
}

/// No files and no ids: the measured call needs none.
struct Nothing;

impl FileStore for Nothing {
    fn get(&self, _: &AppId, _: &FileId) -> Result<Option<Vec<u8>>, StoreError> {
        Ok(None)
    }

    fn put(&mut self, _: &AppId, _: Vec<NewFile>) -> Result<Vec<FileId>, StoreError> {
        Err(StoreError::Unavailable)
    }
}

impl NotificationIds for Nothing {
    fn next(&mut self) -> std::io::Result<u128> {
        Ok(0)
    }
}
