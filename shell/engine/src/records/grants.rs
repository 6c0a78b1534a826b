//! What the person decided about the apps' scopes, kept beside their records. A decision is about a scope as it was declared: with
//! other origins, or no longer declared at all, it is none.

use jiff::Timestamp;
use rusqlite::{Connection, OptionalExtension, Row, Transaction, TransactionBehavior, params};

use super::apply::Step;
use super::notices;
use super::store::{Pending, Store};
use crate::app_id::AppId;
use crate::broker::grants::{Grant, Grants};
use crate::broker::names::ScopeId;
use crate::package::Capability;

/// One decision.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Decision {
    pub app: AppId,
    pub scope: ScopeId,
    pub grant: Grant,
    pub at: Timestamp,
    origins: String,
}

/// Every decision there is.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Decisions(Vec<Decision>);

impl Decisions {
    /// What holds for `app`, which declares `capabilities` now.
    pub fn of(&self, app: &AppId, capabilities: &[Capability]) -> Grants {
        let of_app = self.0.iter().filter(|d| d.app == *app);
        let held = of_app.filter(|d| d.holds(capabilities));
        held.map(|d| (d.scope.clone(), d.grant)).collect()
    }

    /// In the order of apps and scopes.
    pub fn iter(&self) -> impl Iterator<Item = &Decision> {
        self.0.iter()
    }
}

impl Decision {
    /// Does it say anything about an app that declares `capabilities`?
    pub fn holds(&self, capabilities: &[Capability]) -> bool {
        capabilities.iter().any(|c| self.is_about(c))
    }

    fn is_about(&self, declared: &Capability) -> bool {
        self.scope == declared.scope && self.origins == origins(declared)
    }
}

/// The origins of a scope as one text, whatever order they are declared in.
fn origins(declared: &Capability) -> String {
    let mut all: Vec<String> = declared.origins.iter().map(ToString::to_string).collect();
    all.sort();
    all.dedup();
    all.join(" ")
}

fn word(grant: Grant) -> &'static str {
    match grant {
        Grant::Granted => "granted",
        Grant::Denied => "denied",
    }
}

impl Store {
    /// Every decision.
    pub fn decisions(&self) -> Pending<Decisions> {
        self.ask(|database| {
            if !database.exists() {
                return Ok(Decisions::default());
            }
            database.read(all)
        })
    }

    /// The person decided about a scope that `app` declares.
    pub fn decide(&self, app: AppId, declared: Capability, grant: Grant) -> Pending<()> {
        self.ask(move |database| {
            database.write(|connection, now, _| put(connection, &app, &declared, grant, now))
        })
    }

    /// The person took a decision back; false when there was none.
    pub fn revoke(&self, app: AppId, scope: ScopeId) -> Pending<bool> {
        self.ask(move |database| {
            database.write(|connection, _, _| remove(connection, &app, Some(&scope)))
        })
    }

    /// A version of `app` that declares `capabilities` was installed: a decision about anything else is none any more, and is not
    /// one again when a later version declares that.
    pub fn keep_declared(&self, app: AppId, capabilities: Vec<Capability>) -> Pending<()> {
        self.ask(move |database| {
            database.write(|connection, _, _| keep(connection, &app, &capabilities))
        })
    }
}

/// How often decisions changed: what was read before the last time is stale.
pub(super) fn changes(connection: &Connection) -> rusqlite::Result<i64> {
    let found: Option<i64> = connection
        .prepare_cached("SELECT CAST(value AS INTEGER) FROM meta WHERE key = 'decisions'")?
        .query_row([], |row| row.get(0))
        .optional()?;
    Ok(found.unwrap_or(0))
}

fn changed(tx: &Transaction<'_>) -> rusqlite::Result<()> {
    let n = changes(tx)? + 1;
    tx.execute(
        "INSERT INTO meta (key, value) VALUES ('decisions', ?1) ON CONFLICT (key) DO UPDATE SET value = excluded.value",
        [n.to_string()],
    )?;
    Ok(())
}

fn decision(row: &Row<'_>) -> rusqlite::Result<Option<Decision>> {
    let (app, scope): (String, String) = (row.get(0)?, row.get(1)?);
    let grant = match row.get::<_, String>(2)?.as_str() {
        "granted" => Grant::Granted,
        _ => Grant::Denied,
    };
    let at = Timestamp::from_millisecond(row.get(4)?).unwrap_or_default();
    let names = AppId::parse(&app).ok().zip(ScopeId::parse(&scope));
    let origins = row.get(3)?;
    Ok(names.map(|(app, scope)| Decision {
        app,
        scope,
        grant,
        at,
        origins,
    }))
}

fn all(connection: &Connection) -> rusqlite::Result<Decisions> {
    let mut statement = connection.prepare_cached(
        "SELECT app, scope, state, origins, decided_at FROM grants ORDER BY app, scope",
    )?;
    let rows = statement.query_map([], decision)?;
    let rows = rows.collect::<rusqlite::Result<Vec<_>>>()?;
    Ok(Decisions(rows.into_iter().flatten().collect()))
}

fn put(
    connection: &mut Connection,
    app: &AppId,
    declared: &Capability,
    grant: Grant,
    now: Timestamp,
) -> Step<()> {
    let tx = connection.transaction_with_behavior(TransactionBehavior::Immediate)?;
    tx.execute(
        "INSERT OR REPLACE INTO grants (app, scope, state, origins, decided_at) VALUES (?1, ?2, ?3, ?4, ?5)",
        params![app.as_str(), declared.scope.as_str(), word(grant), origins(declared), now.as_millisecond()],
    )?;
    if grant == Grant::Denied {
        notices::withdraw(&tx, app, Some(&declared.scope))?;
    }
    changed(&tx)?;
    tx.commit()?;
    Ok(())
}

fn remove(connection: &mut Connection, app: &AppId, scope: Option<&ScopeId>) -> Step<bool> {
    let tx = connection.transaction_with_behavior(TransactionBehavior::Immediate)?;
    let gone = forget(&tx, app, scope)?;
    tx.commit()?;
    Ok(gone)
}

/// Forget what was decided about an app, or about one scope of it, and with it what the app has waiting for that. True when something was
/// decided.
pub(super) fn forget(
    tx: &Transaction<'_>,
    app: &AppId,
    scope: Option<&ScopeId>,
) -> rusqlite::Result<bool> {
    let gone = tx.execute(
        "DELETE FROM grants WHERE app = ?1 AND (?2 IS NULL OR scope = ?2)",
        params![app.as_str(), scope.map(ScopeId::as_str)],
    )?;
    if gone > 0 {
        changed(tx)?;
    }
    notices::withdraw(tx, app, scope)?;
    Ok(gone > 0)
}

fn keep(connection: &mut Connection, app: &AppId, declared: &[Capability]) -> Step<()> {
    let tx = connection.transaction_with_behavior(TransactionBehavior::Immediate)?;
    let stale = |d: &&Decision| d.app == *app && !d.holds(declared);
    for d in all(&tx)?.0.iter().filter(stale) {
        forget(&tx, app, Some(&d.scope))?;
    }
    tx.commit()?;
    Ok(())
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]
    use std::sync::Arc;
    use std::sync::atomic::{AtomicUsize, Ordering};

    use super::*;
    use crate::broker::origin::Origin;
    use crate::clock::FixedClock;
    use crate::records::{StoreEvent, StoreOptions};

    fn store(dir: &tempfile::TempDir) -> Store {
        let clock = FixedClock("2026-11-30T16:00:00[UTC]".parse().unwrap());
        Store::start(StoreOptions::new(
            dir.path().join("records.db"),
            Arc::new(clock),
        ))
        .unwrap()
    }

    fn declared(scope: &str, origins: &[&str]) -> Capability {
        Capability {
            scope: ScopeId::parse(scope).unwrap(),
            why: "Because.".into(),
            origins: origins.iter().map(|o| Origin::parse(o).unwrap()).collect(),
        }
    }

    #[test]
    fn a_decision_holds_for_the_scope_as_it_was_declared() {
        let dir = tempfile::tempdir().unwrap();
        let (store, app) = (store(&dir), AppId::parse("acme.timer").unwrap());
        assert_eq!(store.decisions().wait().unwrap(), Decisions::default());
        let windows = declared("windows.read", &[]);
        let net = declared("http.fetch", &["https://a.example", "https://b.example"]);
        let decide = |c: &Capability, g| store.decide(app.clone(), c.clone(), g).wait().unwrap();
        decide(&windows, Grant::Granted);
        decide(&net, Grant::Denied);
        decide(&net, Grant::Granted);
        let all = store.decisions().wait().unwrap();
        assert_eq!(all.iter().count(), 2);
        let swapped = declared("http.fetch", &["https://b.example", "https://a.example"]);
        let more = declared("http.fetch", &["https://b.example"]);
        let held = |c: &Capability| all.of(&app, std::slice::from_ref(c)).get(&c.scope);
        assert_eq!(held(&windows), Some(Grant::Granted));
        assert_eq!(held(&swapped), Some(Grant::Granted));
        assert_eq!(held(&more), None, "other origins are asked for again");
        assert_eq!(all.of(&app, &[]).get(&windows.scope), None);
        let other = AppId::parse("acme.other").unwrap();
        let others = all.of(&other, std::slice::from_ref(&windows));
        assert_eq!(others.get(&windows.scope), None);
    }

    #[test]
    fn what_an_update_no_longer_declares_is_asked_for_again_when_it_comes_back() {
        let dir = tempfile::tempdir().unwrap();
        let (store, app) = (store(&dir), AppId::parse("acme.timer").unwrap());
        let (windows, focus) = (declared("windows.read", &[]), declared("focus.window", &[]));
        for c in [&windows, &focus] {
            let decided = store.decide(app.clone(), c.clone(), Grant::Granted);
            decided.wait().unwrap();
        }
        let both = [windows.clone(), focus.clone()];
        let kept = store.keep_declared(app.clone(), vec![windows.clone()]);
        kept.wait().unwrap();
        let held = store.decisions().wait().unwrap().of(&app, &both);
        assert_eq!(held.get(&windows.scope), Some(Grant::Granted));
        assert_eq!(held.get(&focus.scope), None);
        let revoke = || store.revoke(app.clone(), windows.scope.clone()).wait();
        assert_eq!((revoke(), revoke()), (Ok(true), Ok(false)));
    }

    #[test]
    fn another_process_hears_of_a_decision() {
        let dir = tempfile::tempdir().unwrap();
        let (one, other) = (store(&dir), store(&dir));
        let app = AppId::parse("acme.timer").unwrap();
        let windows = declared("windows.read", &[]);
        let heard = Arc::new(AtomicUsize::new(0));
        let count = heard.clone();
        one.decide(app.clone(), windows.clone(), Grant::Granted)
            .wait()
            .unwrap();
        one.listen(move |event| {
            if *event == StoreEvent::Decided {
                count.fetch_add(1, Ordering::SeqCst);
            }
        });
        let revoked = other.revoke(app.clone(), windows.scope.clone());
        assert_eq!(revoked.wait(), Ok(true));
        // The next question sees it; the event comes after the answer.
        for _ in 0..2 {
            assert_eq!(one.decisions().wait().unwrap(), Decisions::default());
        }
        assert_eq!(heard.load(Ordering::SeqCst), 1);
    }
}
