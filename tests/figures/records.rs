//! What records cost: a query over as many as an app may have, asked again and after a change, and an action of many writes. Beside
//! each query what eui-core's evaluator alone takes over all rows.

use std::collections::HashMap;
use std::sync::Arc;
use std::time::{Duration, Instant};

use ede_engine::clock::{Clock, local_iso};
use ede_engine::package::Package;
use ede_engine::records::{
    Batch, Kind, LOCAL, MOST_RECORDS, Record, RecordId, RecordsRequest, Store, StoreOptions, Via,
    Viewer, Write,
};
use eui_core::host::{RecordRow, RecordsContext, parse_records_source, records_value_owned};
use jiff::Zoned;
use rustix::time::{ClockId, clock_gettime};
use serde_json::{Value, json};

use crate::surfaces::{middle, timed};
use crate::table::{Row, Table};

/// How many records an app may have.
const RECORDS: usize = MOST_RECORDS;
/// How often each step is measured.
const TIMES: usize = 41;

struct Now;

impl Clock for Now {
    fn now(&self) -> Zoned {
        Zoned::now()
    }
}

pub fn measure(table: &mut Table) {
    let folder = tempfile::tempdir().unwrap();
    // As the shell keeps it.
    let options = StoreOptions::new(folder.path().join("records.db"), Arc::new(Now)).watched();
    let store = Store::start(options).unwrap();
    let package = package("acme.hours");
    let kind = Kind::parse("entry").unwrap();
    let mut ids = Vec::new();
    for start in (0..RECORDS).step_by(1000) {
        let writes = (start..start + 1000).map(|n| create(&kind, n)).collect();
        ids.extend(commit(&store, &package, writes));
    }
    let viewer = Viewer {
        me: LOCAL.into(),
        now: Zoned::now(),
    };
    let value = |source: &str| {
        let request = RecordsRequest::parse(source, &package, |_| None).unwrap();
        let known = store.known(&request, &viewer);
        known.unwrap_or_else(|| store.value(request, viewer.clone()).wait().unwrap())
    };
    // One record changes, elsewhere each time, and the query is asked again.
    let mut n = 0;
    let mut changed = |source: &str| {
        let times = (0..TIMES).map(|_| {
            n += 1;
            let id = ids[n * 7919 % ids.len()].clone();
            commit(&store, &package, vec![patch(&kind, id, n)]);
            spent(|| drop(value(source)))
        });
        slowest_but_few(times.collect())
    };
    let records = store.list(package.id().clone(), None).wait().unwrap();
    let rows: Vec<RecordRow> = records.iter().map(row).collect();
    for (what, source, most) in [
        (
            "filter and sort",
            "records:entry?status=open&hours.gt=1&sort=date",
            16.0,
        ),
        (
            "filter and sort, most rows",
            "records:entry?hours.gt=1&sort=note&order=asc",
            16.0,
        ),
        (
            "group and sum",
            r#"records:entry?q={"group":["project"],"sum":"hours"}"#,
            8.0,
        ),
        (
            "month by days",
            "records:entry?by=date&month=2026-05&sum=hours",
            16.0,
        ),
    ] {
        value(source);
        let figure = changed(source);
        let title = format!("25,000 records, after a change: {what}, p95");
        table.push(Row::alone(title, "ms", figure).below(most));
        let times = (0..5).map(|_| timed(|| drop(plain(&rows, source, &viewer))));
        table.push(Row::alone(
            "  the evaluator alone over all rows",
            "ms",
            middle(times.collect()),
        ));
    }
    let source = "records:entry?hours.gt=1&sort=note&order=asc";
    value(source);
    let times = (0..TIMES).map(|_| elapsed(|| drop(value(source))));
    let figure = slowest_but_few(times.collect());
    table.push(Row::alone("25,000 records: an unchanged query, p95", "ms", figure).below(0.1));
    // Of another app: this one has all it may keep.
    let package = self::package("acme.other");
    let times = (0..9).map(|_| {
        let writes = (0..1000).map(|n| create(&kind, n)).collect();
        elapsed(|| drop(commit(&store, &package, writes)))
    });
    let figure = middle(times.collect());
    table.push(Row::alone("an action of 1,000 writes", "ms", figure).below(20.0));
}

fn package(id: &str) -> Arc<Package> {
    let (text, number) = (json!({"type": "string"}), json!({"type": "number"}));
    let day = json!({"type": "string", "format": "date"});
    let properties =
        json!({"date": day, "hours": number, "project": text, "status": text, "note": text});
    let package = json!({
        "formatVersion": 3, "id": id, "name": "Hours", "version": "1.0.0", "catalogId": eui_core::CORE_CATALOG_ID,
        "records": {"entry": {"schema": {"type": "object", "properties": properties, "required": ["hours"]}}},
        "templates": {"main": {"components": [{"id": "root", "component": "Text", "text": "Hours"}]}},
    });
    let read = Package::read(package.to_string().as_bytes());
    Arc::new(read.package.unwrap())
}

fn data(n: usize) -> Value {
    // Spread, the same every time.
    let spread = |of: usize| n.wrapping_mul(2_654_435_761) / 64 % of;
    json!({
        "date": format!("2026-{:02}-{:02}", spread(12) + 1, spread(28) + 1), "hours": spread(32) as f64 / 4.0,
        "project": format!("Project {}", spread(40)), "status": (["open", "waiting", "done"])[spread(3)],
        "note": format!("note {} of what was done", spread(100_003)),
    })
}

fn create(kind: &Kind, n: usize) -> Write {
    Write::Upsert {
        kind: kind.clone(),
        id: None,
        data: data(n),
    }
}

fn patch(kind: &Kind, id: RecordId, n: usize) -> Write {
    Write::Upsert {
        kind: kind.clone(),
        id: Some(id),
        data: data(n + RECORDS),
    }
}

fn commit(store: &Store, package: &Arc<Package>, writes: Vec<Write>) -> Vec<RecordId> {
    let batch = Batch::new(package.clone(), Via::App, writes);
    store.commit(batch).wait().unwrap().ids
}

fn row(record: &Record) -> RecordRow {
    let json = record.to_json();
    let text = |key: &str| json[key].as_str().unwrap().to_owned();
    RecordRow {
        id: text("id"),
        kind: text("kind"),
        data: json["data"].clone(),
        created_by: Some(text("createdBy")),
        author_id: Some(text("author")),
        created_at: text("createdAt"),
        updated_at: text("updatedAt"),
    }
}

fn plain(rows: &[RecordRow], source: &str, viewer: &Viewer) -> Option<Value> {
    let parsed = eui_core::host::parse_source(source)?;
    let context = RecordsContext {
        me: Some(LOCAL),
        now: &local_iso(&viewer.now),
        names: &HashMap::new(),
    };
    records_value_owned(rows, &parse_records_source(&parsed)?, context)
}

/// What this process takes on the processors for `work`, whichever thread does it.
fn spent(work: impl FnOnce()) -> Duration {
    let begun = clock_gettime(ClockId::ProcessCPUTime);
    work();
    let spent = clock_gettime(ClockId::ProcessCPUTime) - begun;
    spent.try_into().unwrap_or_default()
}

fn elapsed(work: impl FnOnce()) -> Duration {
    let begun = Instant::now();
    work();
    begun.elapsed()
}

/// The time that 95 of 100 stay within, in milliseconds.
fn slowest_but_few(mut times: Vec<Duration>) -> f64 {
    times.sort();
    let at = times.len().saturating_sub(1) * 95 / 100;
    times
        .get(at)
        .map_or(0.0, |time| time.as_secs_f64() * 1000.0)
}
