//! What runs, when, and how often: over a store whose clock the test moves.
#![allow(clippy::unwrap_used)]

use std::path::Path;
use std::sync::Mutex;

use jiff::{Timestamp, Zoned};

use super::*;
use crate::actions::TOAST;
use crate::clock::Clock;
use crate::records::{AuditQuery, AutomationRuns, HistoryEntry, RecordId, Store, StoreOptions};

/// A clock that stands where the test puts it.
#[derive(Clone)]
struct Hand(Arc<Mutex<Zoned>>);

impl Hand {
    fn at(text: &str) -> Hand {
        Hand(Arc::new(Mutex::new(text.parse().unwrap())))
    }

    fn set(&self, text: &str) {
        *self.0.lock().unwrap() = text.parse().unwrap();
    }
}

impl Clock for Hand {
    fn now(&self) -> Zoned {
        self.0.lock().unwrap().clone()
    }
}

fn package(automations: Value) -> Arc<Package> {
    let text = json!({"type": "string"});
    let package = json!({
        "formatVersion": 5, "id": "acme.desk", "name": "Desk", "version": "1.0.0", "catalogId": eui_core::CORE_CATALOG_ID,
        "functions": ["records.*", TOAST],
        "records": {
            "request": {"schema": {"type": "object", "properties": {"title": text, "hours": {"type": "number"}}, "required": ["title"]}},
            "log": {"schema": {"type": "object", "properties": {"title": text, "of": text, "hours": {"type": "number"}}, "required": ["title"]}},
        },
        "actions": {"tell": {"params": {"type": "object", "properties": {"title": text}, "required": ["title"]}, "steps": [
            {"require": "params.title != 'quiet'", "message": "Nothing to tell"},
            {"records.upsert": {"kind": "log", "data": {"title": "'told ' + params.title"}}},
            {"call": TOAST, "args": {"text": "params.title"}},
        ]}},
        "automations": automations,
        "templates": {"main": {"components": [{"id": "root", "component": "Text", "text": "t"}]}},
    });
    let parsed = Package::read(package.to_string().as_bytes());
    Arc::new(parsed.package.ok_or(parsed.issues).unwrap())
}

fn log_of(title: &str) -> Value {
    json!({"records": {"op": "upsert", "kind": "log", "data": {"title": title}}})
}

struct World {
    _dir: tempfile::TempDir,
    clock: Hand,
    store: Store,
    package: Arc<Package>,
}

fn store(path: &Path, clock: &Hand) -> Store {
    let path = path.join("records.db");
    Store::start(StoreOptions::new(path, Arc::new(clock.clone()))).unwrap()
}

impl World {
    fn new(automations: Value, now: &str) -> World {
        let (dir, clock) = (tempfile::tempdir().unwrap(), Hand::at(now));
        let world = World {
            store: store(dir.path(), &clock),
            _dir: dir,
            clock,
            package: package(automations),
        };
        world.look();
        world
    }

    fn look(&self) -> AutomationRuns {
        let zone = self.clock.now().time_zone().clone();
        let runs = self.store.run_automations(vec![self.package.clone()], zone);
        runs.wait().unwrap()
    }

    /// As a shell does: until there is nothing more to look at.
    fn look_on(&self) {
        while self.look().more {}
    }

    fn write(&self, kind: &str, id: Option<&str>, data: Value) -> RecordId {
        let write = Write::Upsert {
            kind: Kind::parse(kind).unwrap(),
            id: id.map(|id| RecordId::parse(id).unwrap()),
            data,
        };
        let batch = Batch::new(self.package.clone(), Via::App, vec![write]);
        let receipt = self.store.commit(batch).wait().unwrap();
        receipt.ids[0].clone()
    }

    fn titles(&self) -> Vec<String> {
        let kind = Some(Kind::parse("log").unwrap());
        let all = self.store.list(self.package.id().clone(), kind).wait();
        let title = |r: &crate::records::Record| r.data["title"].as_str().unwrap().to_owned();
        all.unwrap().iter().map(title).collect()
    }

    /// `client tool status error`, the oldest first.
    fn audit(&self) -> Vec<String> {
        let rows = self.store.audit(AuditQuery::default()).wait().unwrap();
        let line = |r: &crate::records::Kept| {
            let error = r.error.as_deref().unwrap_or("-");
            format!("{} {} {} {error}", r.client_id, r.tool, r.status)
        };
        rows.iter().rev().map(line).collect()
    }
}

#[test]
fn a_schedule_runs_once_at_its_time_and_is_caught_up_once() {
    let monday = json!([{"name": "week", "on": {"schedule": {"cron": "0 8 * * MON"}}, "run": log_of("week of ${firedAt}")}]);
    let w = World::new(monday, "2026-11-30T07:00:00[Europe/Vienna]");
    let next = |text: &str| Some(text.parse::<Timestamp>().unwrap());
    assert_eq!(w.look().next, next("2026-11-30T07:00:00Z"));
    assert_eq!(w.titles(), Vec::<String>::new());
    w.clock.set("2026-11-30T08:00:00[Europe/Vienna]");
    assert_eq!(w.look().next, next("2026-12-07T07:00:00Z"));
    w.look();
    assert_eq!(w.titles(), ["week of 2026-11-30T07:00:00.000Z"]);
    // Off for two weeks and a few hours: the last one that was missed, no other.
    w.clock.set("2026-12-14T13:00:00[Europe/Vienna]");
    w.look();
    w.look();
    assert_eq!(w.titles().len(), 2);
    // Missed for longer than a day: not any more.
    w.clock.set("2026-12-22T09:00:00[Europe/Vienna]");
    w.look();
    assert_eq!(w.titles().len(), 2);
    // A clock that is set back a little makes nothing due again.
    w.clock.set("2026-12-14T07:59:00[Europe/Vienna]");
    w.look();
    w.clock.set("2026-12-14T08:01:00[Europe/Vienna]");
    w.look();
    assert_eq!(w.titles().len(), 2);
    assert_eq!(
        w.audit(),
        ["automation:week records.upsert:log ok -"; 2].map(str::to_owned)
    );
}

#[test]
fn a_schedule_in_a_zone_of_its_own_runs_by_that_ones_clock() {
    let tokyo = json!([{"name": "day", "on": {"schedule": {"cron": "0 9 * * *", "tz": "Asia/Tokyo"}}, "run": log_of("day")}]);
    let w = World::new(tokyo, "2026-11-30T00:30:00[Europe/Vienna]");
    w.clock.set("2026-11-30T01:00:00[Europe/Vienna]");
    w.look();
    assert_eq!(w.titles(), ["day"]);
}

#[test]
fn a_written_record_sets_off_one_run_of_each_that_waits_for_it_and_nothing_follows_on_that() {
    let automations = json!([
        {"name": "note", "on": {"record": {"kind": "request", "op": "create"}},
         "run": {"records": {"op": "upsert", "kind": "log", "data": {"title": "new: ${record.title}", "of": "${record.id}", "hours": "${record.hours}"}}}},
        {"name": "chain", "on": {"record": {"kind": "log", "op": "create"}}, "run": log_of("chained")},
        {"name": "tell", "on": {"record": {"kind": "request", "op": "update"}}, "run": {"action": "actions.tell", "args": {"title": "${record.title}"}}},
        {"name": "gone", "on": {"record": {"kind": "request", "op": "delete"}}, "run": log_of("gone: ${record.title}")},
    ]);
    let w = World::new(automations, "2026-11-30T08:00:00[UTC]");
    let id = w.write("request", None, json!({"title": "a desk", "hours": 1.5}));
    w.look_on();
    w.look_on();
    assert_eq!(w.titles(), ["new: a desk"]);
    let kind = Some(Kind::parse("log").unwrap());
    let logged = w.store.list(w.package.id().clone(), kind).wait().unwrap();
    assert_eq!(logged[0].data["of"], id.as_str());
    assert_eq!(logged[0].data["hours"], 1.5);
    let history = w
        .store
        .history(w.package.id().clone(), logged[0].id.clone());
    let HistoryEntry { via, name, .. } = history.wait().unwrap()[0].clone();
    assert_eq!(
        (via.as_str(), name.as_deref()),
        ("automation", Some("note"))
    );

    w.write("request", Some(id.as_str()), json!({"title": "two desks"}));
    let told = w.look();
    assert_eq!(w.titles(), ["new: a desk", "told two desks"]);
    let calls: Vec<_> = told
        .calls
        .iter()
        .map(|(_, name, calls)| (name.as_str(), calls.as_slice()))
        .collect();
    assert_eq!(calls, [("tell", &[Effect::Toast("two desks".into())][..])]);

    let delete = Write::Delete { id, kind: None };
    let batch = Batch::new(w.package.clone(), Via::App, vec![delete]);
    w.store.commit(batch).wait().unwrap();
    w.look_on();
    assert_eq!(
        w.titles(),
        ["new: a desk", "told two desks", "gone: two desks"]
    );
}

#[test]
fn what_was_written_while_no_shell_ran_runs_when_one_does_and_what_came_before_never_does() {
    let automations = json!([{"name": "note", "on": {"record": {"kind": "request", "op": "create"}}, "run": log_of("${record.title}")}]);
    let w = World::new(automations, "2026-11-30T08:00:00[UTC]");
    w.write("request", None, json!({"title": "one"}));
    let again = World {
        store: store(w._dir.path(), &w.clock),
        clock: w.clock.clone(),
        package: w.package.clone(),
        _dir: tempfile::tempdir().unwrap(),
    };
    // Two shells look at the same time: it runs once.
    let start = std::sync::Barrier::new(2);
    std::thread::scope(|threads| {
        for shell in [&again, &w] {
            let start = &start;
            threads.spawn(move || {
                start.wait();
                shell.look_on();
            });
        }
    });
    assert_eq!(w.titles(), ["one"]);

    // A version with another automation: that one begins with it.
    let both = json!([
        {"name": "note", "on": {"record": {"kind": "request", "op": "create"}}, "run": log_of("${record.title}")},
        {"name": "other", "on": {"record": {"kind": "request", "op": "create"}}, "run": log_of("other ${record.title}")},
    ]);
    let newer = World {
        package: package(both),
        ..again
    };
    newer.write("request", None, json!({"title": "two"}));
    newer.look_on();
    newer.write("request", None, json!({"title": "three"}));
    newer.look_on();
    // Two stores make ids of their own: at one and the same moment their order says nothing.
    let mut titles = newer.titles();
    titles.sort();
    assert_eq!(titles, ["one", "other three", "three", "two"]);
}

#[test]
fn a_run_that_fails_leaves_the_others_and_its_row() {
    let automations = json!([
        {"name": "bad", "on": {"record": {"kind": "request", "op": "create"}}, "run": {"records": {"op": "upsert", "kind": "log", "data": {"title": "t", "hours": "${record.title}"}}}},
        {"name": "good", "on": {"record": {"kind": "request", "op": "create"}}, "run": log_of("good")},
        {"name": "mute", "on": {"record": {"kind": "request", "op": "create"}}, "run": {"action": "tell", "args": {"title": "quiet"}}},
        {"name": "ask", "on": {"record": {"kind": "request", "op": "create"}}, "run": {"agent": "triage", "prompt": "Route ${record.title}"}},
        {"name": "list", "on": {"record": {"kind": "request", "op": "create"}}, "run": {"records": {"op": "list", "kind": "log"}}},
    ]);
    let w = World::new(automations, "2026-11-30T08:00:00[UTC]");
    w.write("request", None, json!({"title": "one"}));
    w.look_on();
    assert_eq!(w.titles(), ["good"]);
    assert_eq!(
        w.audit(),
        [
            "automation:bad records.upsert:log failed -",
            "automation:good records.upsert:log ok -",
            "automation:mute actions.tell failed -",
            "automation:ask agent:triage denied unavailable",
            "automation:list records.list:log ok -",
        ]
    );
}

#[test]
fn an_app_has_thirty_runs_a_minute_and_the_rest_is_refused() {
    let automations = json!([{"name": "note", "on": {"record": {"kind": "request", "op": "create"}}, "run": log_of("n")}]);
    let w = World::new(automations, "2026-11-30T08:00:00[UTC]");
    let request = |n: usize| Write::Upsert {
        kind: Kind::parse("request").unwrap(),
        id: None,
        data: json!({"title": n.to_string()}),
    };
    let many = Batch::new(
        w.package.clone(),
        Via::Import,
        (0..100).map(request).collect(),
    );
    w.store.commit(many).wait().unwrap();
    assert!(w.look().more);
    w.look_on();
    assert_eq!(w.titles().len(), 30);
    let refused = w
        .audit()
        .into_iter()
        .filter(|row| row.ends_with("denied rateLimited"));
    assert_eq!(refused.count(), 70);
    w.clock.set("2026-11-30T08:01:00[UTC]");
    w.write("request", None, json!({"title": "later"}));
    w.look_on();
    assert_eq!(w.titles().len(), 31);
}

#[test]
fn a_removed_app_begins_anew() {
    let automations = json!([{"name": "note", "on": {"record": {"kind": "request", "op": "create"}}, "run": log_of("${record.title}")}]);
    let w = World::new(automations, "2026-11-30T08:00:00[UTC]");
    w.write("request", None, json!({"title": "before"}));
    let author = || crate::apps::Author::of(&w.package);
    let id = || w.package.id().clone();
    w.store.set_aside(id(), author()).wait().unwrap();
    w.store.give_back(id(), author(), true).wait().unwrap();
    w.look_on();
    w.write("request", None, json!({"title": "after"}));
    w.look_on();
    assert_eq!(w.titles(), ["after"]);
}

#[test]
fn a_clock_that_was_years_ahead_silences_nothing_once_it_is_right() {
    let day =
        json!([{"name": "day", "on": {"schedule": {"cron": "0 8 * * *"}}, "run": log_of("day")}]);
    let w = World::new(day, "2031-01-01T00:00:00[UTC]");
    w.clock.set("2031-01-01T08:00:00[UTC]");
    w.look();
    w.clock.set("2026-11-30T07:00:00[UTC]");
    w.look();
    assert_eq!(w.titles().len(), 1, "nothing is due by that");
    w.clock.set("2026-11-30T08:00:00[UTC]");
    w.look();
    assert_eq!(w.titles().len(), 2);
}

#[test]
fn with_another_trigger_it_is_another_automation_and_begins_now() {
    let scheduled =
        json!([{"name": "note", "on": {"schedule": {"cron": "0 8 * * *"}}, "run": log_of("day")}]);
    let w = World::new(scheduled, "2026-11-30T09:00:00[UTC]");
    w.write("request", None, json!({"title": "before"}));
    w.look_on();
    let on_records = json!([{"name": "note", "on": {"record": {"kind": "request", "op": "create"}}, "run": log_of("${record.title}")}]);
    let w = World {
        package: package(on_records),
        ..w
    };
    w.look_on();
    w.write("request", None, json!({"title": "after"}));
    w.look_on();
    assert_eq!(w.titles(), ["after"]);
}
