//! Notifications that wait for their time, kept beside the records so that they are shown after a restart too. Whoever takes one because
//! it is due has it alone: it is shown at most once. What a kill ends between its taking and its showing is lost, as the other choice would
//! be to show a reminder twice. One whose app cannot be shown just then (its file does not read) waits on, for a day.

use std::collections::BTreeSet;
use std::fmt;

use jiff::{SignedDuration, Timestamp};
use rusqlite::{Connection, OptionalExtension, Row, Transaction, TransactionBehavior, params};
use serde_json::{Map, Value};

use super::apply::Step;
use super::store::{Pending, Store};
use crate::app_id::AppId;
use crate::bridge::format::Format;
use crate::broker::grants::Subject;
use crate::package::ScreenId;

/// How many notifications of one app wait at most.
pub const MOST_SCHEDULED: usize = 64;

/// How late one may be: a machine that was off for longer shows no reminders of another day.
const LATEST: SignedDuration = SignedDuration::from_hours(24);

/// The scope that lets an app post them; without it, what waits is withdrawn.
const SCOPE: &str = "notifications.post";

/// What an app calls one of its notifications: 1 to 64 of `[A-Za-z0-9._-]`.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub struct NoticeId(String);

impl NoticeId {
    /// The id that `text` spells.
    pub fn parse(text: &str) -> Option<NoticeId> {
        Format::Token.fits(text).then(|| NoticeId(text.into()))
    }

    pub fn as_str(&self) -> &str {
        &self.0
    }
}

impl fmt::Display for NoticeId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

/// What a press on a notification opens.
#[derive(Debug, Clone, PartialEq)]
pub struct Tap {
    pub screen: ScreenId,
    pub params: Map<String, Value>,
}

/// A notification of an app, in the app's words.
#[derive(Debug, Clone, PartialEq)]
pub struct Notice {
    pub app: AppId,
    pub id: NoticeId,
    pub title: String,
    pub body: Option<String>,
    pub tap: Option<Tap>,
}

/// What is due, the oldest first, and when the next one is.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Due {
    pub notices: Vec<Notice>,
    pub next: Option<Timestamp>,
}

impl Store {
    /// Keep a notification until `at`, in place of the one the app calls the same. False when [`MOST_SCHEDULED`] others of the app wait.
    pub fn schedule(&self, notice: Notice, at: Timestamp) -> Pending<bool> {
        self.ask(move |database| database.write(|connection, _, _| put(connection, &notice, at)))
    }

    /// Withdraw one that waits; false when there is none.
    pub fn unschedule(&self, app: AppId, id: NoticeId) -> Pending<bool> {
        self.ask(move |database| {
            if !database.exists() {
                return Ok(false);
            }
            database.write(|connection, _, _| {
                let gone = "DELETE FROM notices WHERE app = ?1 AND id = ?2";
                Ok(connection.execute(gone, [app.as_str(), id.as_str()])? > 0)
            })
        })
    }

    /// Take what is due at `now` of the apps that are `there`. What has been due for more than a day is dropped, whosever it is.
    pub fn due_notices(&self, now: Timestamp, there: BTreeSet<AppId>) -> Pending<Due> {
        self.ask(move |database| {
            if !database.exists() {
                return Ok(Due::default());
            }
            let look = |connection: &Connection| look(connection, now, &there);
            let looked = database.read(look)?;
            if looked.over.is_empty() {
                Ok(looked.due)
            } else {
                database.write(|connection, _, _| take(connection, now, &there))
            }
        })
    }
}

/// An app, or a scope of it, is no longer allowed: what waits of it goes.
pub(super) fn withdraw(
    tx: &Transaction<'_>,
    app: &AppId,
    subject: Option<&Subject>,
) -> rusqlite::Result<()> {
    let posts = |about: &Subject| matches!(about, Subject::Scope(scope) if scope.as_str() == SCOPE);
    if subject.is_none_or(posts) {
        tx.execute("DELETE FROM notices WHERE app = ?1", [app.as_str()])?;
    }
    Ok(())
}

fn put(connection: &mut Connection, notice: &Notice, at: Timestamp) -> Step<bool> {
    let tx = connection.transaction_with_behavior(TransactionBehavior::Immediate)?;
    let (app, id) = (notice.app.as_str(), notice.id.as_str());
    let others = "SELECT count(*) FROM notices WHERE app = ?1 AND id <> ?2";
    let others: usize = tx.query_row(others, [app, id], |row| row.get(0))?;
    if others >= MOST_SCHEDULED {
        return Ok(false);
    }
    let screen = notice.tap.as_ref().map(|tap| tap.screen.as_str());
    let given = notice
        .tap
        .as_ref()
        .map(|tap| Value::Object(tap.params.clone()).to_string());
    tx.execute(
        "INSERT OR REPLACE INTO notices (app, id, title, body, screen, params, due) VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7)",
        params![app, id, notice.title, notice.body, screen, given, at.as_millisecond()],
    )?;
    tx.commit()?;
    Ok(true)
}

/// What a look at what waits finds.
#[derive(Default)]
struct Looked {
    due: Due,
    /// What waits no longer: what is due, what is too late, and what makes no sense.
    over: Vec<(String, String)>,
}

fn look(
    connection: &Connection,
    now: Timestamp,
    there: &BTreeSet<AppId>,
) -> rusqlite::Result<Looked> {
    let millisecond = now.as_millisecond();
    let oldest = millisecond - LATEST.as_millis() as i64;
    let mut looked = Looked::default();
    let next: Option<i64> = connection
        .prepare_cached("SELECT due FROM notices WHERE due > ?1 ORDER BY due LIMIT 1")?
        .query_row([millisecond], |row| row.get(0))
        .optional()?;
    looked.due.next = next.and_then(|due| Timestamp::from_millisecond(due).ok());
    let mut statement = connection.prepare_cached(
        "SELECT app, id, title, body, screen, params, due FROM notices WHERE due <= ?1 ORDER BY due, app, id",
    )?;
    let mut rows = statement.query([millisecond])?;
    while let Some(row) = rows.next()? {
        let due: i64 = row.get(6)?;
        match notice(row)?.filter(|_| due >= oldest) {
            Some(notice) if there.contains(&notice.app) => looked.due.notices.push(notice),
            Some(_) => continue,
            None => {}
        }
        looked.over.push((row.get(0)?, row.get(1)?));
    }
    Ok(looked)
}

fn take(connection: &mut Connection, now: Timestamp, there: &BTreeSet<AppId>) -> Step<Due> {
    let tx = connection.transaction_with_behavior(TransactionBehavior::Immediate)?;
    let looked = look(&tx, now, there)?;
    for (app, id) in &looked.over {
        tx.execute("DELETE FROM notices WHERE app = ?1 AND id = ?2", [app, id])?;
    }
    tx.commit()?;
    Ok(looked.due)
}

fn notice(row: &Row<'_>) -> rusqlite::Result<Option<Notice>> {
    let (app, id): (String, String) = (row.get(0)?, row.get(1)?);
    let (screen, params): (Option<String>, Option<String>) = (row.get(4)?, row.get(5)?);
    let (title, body) = (row.get(2)?, row.get(3)?);
    let tap = screen.map(|screen| Tap {
        screen: ScreenId::new(screen),
        params: params
            .and_then(|text| serde_json::from_str(&text).ok())
            .unwrap_or_default(),
    });
    let names = AppId::parse(&app).ok().zip(NoticeId::parse(&id));
    Ok(names.map(|(app, id)| Notice {
        app,
        id,
        title,
        body,
        tap,
    }))
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]
    use std::path::Path;
    use std::sync::Arc;

    use serde_json::{Value, json};

    use super::*;
    use crate::apps::Author;
    use crate::broker::grants::Grant;
    use crate::clock::FixedClock;
    use crate::package::Package;
    use crate::records::StoreOptions;

    fn store(path: &Path) -> Store {
        let clock = FixedClock("2026-11-30T16:00:00[UTC]".parse().unwrap());
        Store::start(StoreOptions::new(path, Arc::new(clock))).unwrap()
    }

    fn at(text: &str) -> Timestamp {
        text.parse().unwrap()
    }

    fn apps(ids: &[&str]) -> BTreeSet<AppId> {
        ids.iter().map(|id| AppId::parse(id).unwrap()).collect()
    }

    /// What is due while both apps are there.
    fn due(store: &Store, at: Timestamp) -> Pending<Due> {
        store.due_notices(at, apps(&["acme.one", "acme.two"]))
    }

    fn notice(app: &str, id: &str) -> Notice {
        Notice {
            app: AppId::parse(app).unwrap(),
            id: NoticeId::parse(id).unwrap(),
            title: format!("{app} {id}"),
            body: Some("b".into()),
            tap: Some(Tap {
                screen: ScreenId::new("day"),
                params: json!({"day": "2026-12-01"}).as_object().unwrap().clone(),
            }),
        }
    }

    #[test]
    fn what_waits_is_had_once_when_it_is_due_whoever_asks_after_a_restart() {
        let dir = tempfile::tempdir().unwrap();
        let path = dir.path().join("records.db");
        let first = store(&path);
        let now = at("2026-11-30T17:00:00Z");
        let none = due(&first, now).wait();
        assert_eq!(none, Ok(Due::default()));
        assert!(!path.exists(), "asking makes no database");
        let (one, other) = (notice("acme.one", "a"), notice("acme.one", "b"));
        let later = at("2026-11-30T18:00:00.5Z");
        assert_eq!(first.schedule(other.clone(), later).wait(), Ok(true));
        assert_eq!(first.schedule(one.clone(), now).wait(), Ok(true));
        drop(first);
        let again = store(&path);
        let early = due(&again, at("2026-11-30T16:59:59.999Z")).wait();
        let (notices, next) = (Vec::new(), Some(now));
        assert_eq!(early, Ok(Due { notices, next }));
        let is_due = Due {
            notices: vec![one],
            next: Some(later),
        };
        assert_eq!(due(&again, now).wait(), Ok(is_due));
        let is_due = due(&again, later).wait().unwrap();
        assert_eq!(is_due.notices, [other]);
        assert_eq!(due(&again, later).wait(), Ok(Due::default()));
    }

    #[test]
    fn one_that_is_a_day_late_is_dropped_and_the_others_are_not() {
        let dir = tempfile::tempdir().unwrap();
        let store = store(&dir.path().join("records.db"));
        let (late, later) = (at("2026-11-30T17:00:00Z"), at("2026-11-30T17:00:00.001Z"));
        store
            .schedule(notice("acme.one", "a"), late)
            .wait()
            .unwrap();
        let kept = notice("acme.one", "b");
        store.schedule(kept.clone(), later).wait().unwrap();
        let due = due(&store, at("2026-12-01T17:00:00.001Z")).wait();
        let (notices, next) = (vec![kept], None);
        assert_eq!(due, Ok(Due { notices, next }));
    }

    #[test]
    fn one_whose_app_is_not_there_waits_for_it_and_the_others_do_not() {
        let dir = tempfile::tempdir().unwrap();
        let store = store(&dir.path().join("records.db"));
        let (soon, later) = (at("2026-11-30T17:00:00Z"), at("2026-11-30T18:00:00Z"));
        let (one, two) = (notice("acme.one", "a"), notice("acme.two", "a"));
        for notice in [&one, &two] {
            store.schedule(notice.clone(), soon).wait().unwrap();
        }
        store
            .schedule(notice("acme.two", "b"), later)
            .wait()
            .unwrap();
        let of = |at, there: &[&str]| store.due_notices(at, apps(there)).wait().unwrap();
        let (notices, next) = (vec![two], Some(later));
        assert_eq!(of(soon, &["acme.two"]), Due { notices, next });
        // Nobody has to look again before something else happens.
        assert_eq!(of(soon, &["acme.two"]).notices, []);
        assert_eq!(of(soon, &[]).next, Some(later), "never what is past");
        assert_eq!(of(soon, &["acme.one"]).notices, std::slice::from_ref(&one));
        assert_eq!(of(soon, &["acme.one"]).notices, [], "once");
        // A day later it is nobody's business any more.
        store.schedule(one, soon).wait().unwrap();
        let day = at("2026-12-01T18:00:00.001Z");
        assert_eq!(of(day, &[]), Due::default());
        assert_eq!(due(&store, soon).wait(), Ok(Due::default()));
    }

    #[test]
    fn posted_again_it_replaces_what_waits_and_an_app_has_room_for_so_many() {
        let dir = tempfile::tempdir().unwrap();
        let store = store(&dir.path().join("records.db"));
        let soon = at("2026-11-30T17:00:00Z");
        for n in 0..MOST_SCHEDULED {
            let kept = store.schedule(notice("acme.one", &format!("n{n}")), soon);
            assert_eq!(kept.wait(), Ok(true));
        }
        let schedule = |app: &str, id: &str, at| store.schedule(notice(app, id), at).wait();
        assert_eq!(schedule("acme.one", "more", soon), Ok(false));
        assert_eq!(schedule("acme.two", "more", soon), Ok(true));
        let never = at("2027-11-30T17:00:00Z");
        assert_eq!(schedule("acme.one", "n0", never), Ok(true));
        let due = due(&store, soon).wait().unwrap();
        assert_eq!(due.notices.len(), MOST_SCHEDULED);
        assert!(!due.notices.contains(&notice("acme.one", "n0")));
        assert_eq!(due.next, Some(never));
    }

    #[test]
    fn withdrawn_means_that_it_is_never_due() {
        let dir = tempfile::tempdir().unwrap();
        let store = store(&dir.path().join("records.db"));
        let soon = at("2026-11-30T17:00:00Z");
        let one = notice("acme.one", "a");
        let withdraw = || store.unschedule(one.app.clone(), one.id.clone()).wait();
        assert_eq!(withdraw(), Ok(false));
        store.schedule(one.clone(), soon).wait().unwrap();
        let others = store.unschedule(AppId::parse("acme.two").unwrap(), one.id.clone());
        assert_eq!(others.wait(), Ok(false), "an id is the app's own");
        assert_eq!((withdraw(), withdraw()), (Ok(true), Ok(false)));
        assert_eq!(due(&store, soon).wait(), Ok(Due::default()));
    }

    #[test]
    fn what_waits_goes_with_the_scope_and_with_the_app() {
        let dir = tempfile::tempdir().unwrap();
        let store = store(&dir.path().join("records.db"));
        let of = |scopes: &[&str]| {
            let declared = scopes.iter().map(|s| json!({"id": s, "why": "Because."}));
            let package = json!({
                "formatVersion": 5, "id": "acme.one", "name": "One", "version": "1.0.0", "catalogId": eui_core::CORE_CATALOG_ID,
                "capabilities": declared.collect::<Value>(),
                "templates": {"main": {"components": [{"id": "root", "component": "Text", "text": "One"}]}},
            });
            Arc::new(Package::read_checked(package.to_string().as_bytes()).unwrap())
        };
        let (package, less) = (of(&[SCOPE, "windows.read"]), of(&[]));
        let [post, windows] = package.capabilities() else {
            unreachable!("two are declared")
        };
        let one = notice("acme.one", "a");
        let app = || one.app.clone();
        let soon = at("2026-11-30T17:00:00Z");
        type Away<'a> = &'a dyn Fn();
        let revoke = || assert!(store.revoke(app(), post.scope.clone()).wait().unwrap());
        let deny = || {
            let denied = store.decide(&package, post, Grant::Denied);
            denied.wait().unwrap();
        };
        let declare_less = || store.keep_declared(less.clone()).wait().unwrap();
        let author = Author::of(&package);
        let remove = || store.set_aside(app(), author.clone()).wait().unwrap();
        let revoke_other = || assert!(store.revoke(app(), windows.scope.clone()).wait().unwrap());
        for (away, left) in [
            (&revoke as Away<'_>, 0),
            (&deny, 0),
            (&declare_less, 0),
            (&remove, 0),
            (&revoke_other, 1),
        ] {
            for c in [post, windows] {
                let decided = store.decide(&package, c, Grant::Granted);
                decided.wait().unwrap();
            }
            store.schedule(one.clone(), soon).wait().unwrap();
            away();
            let due = due(&store, soon).wait().unwrap();
            assert_eq!(due.notices.len(), left);
        }
    }
}
