//! What the person decided about the apps' scopes, about their reading from the person's servers, and about the tools they offer to agents,
//! kept beside their records. A
//! decision is about a scope as it was declared, or a server as it was set up, and an app of this author: with other origins, another
//! command or address behind the name, no longer declared at all, or signed by somebody else, it is none.

use std::sync::Arc;

use jiff::Timestamp;
use rusqlite::{Connection, OptionalExtension, Row, Transaction, TransactionBehavior, params};

use super::apply::Step;
use super::notices;
use super::store::{Pending, Store};
use crate::app_id::AppId;
use crate::broker::grants::{Grant, Grants, Subject};
use crate::exposes::{ExposeName, Tool};
use crate::package::{Capability, Package};
use crate::upstreams::{Server, ServerName, ServerTool};

/// One decision.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Decision {
    pub app: AppId,
    pub subject: Subject,
    pub grant: Grant,
    pub at: Timestamp,
    bounds: String,
    signer: String,
}

/// What an app wishes to be allowed: the subject, and within which bounds.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Wish {
    pub subject: Subject,
    bounds: String,
}

impl Wish {
    /// Reading from a server, as it is set up.
    pub fn server(name: &ServerName, server: &Server) -> Wish {
        Wish {
            subject: Subject::Upstream(name.clone()),
            bounds: server.mark(),
        }
    }

    /// Calling a tool of a server, as that is set up.
    pub fn tool(tool: &ServerTool, server: &Server) -> Wish {
        Wish {
            subject: Subject::Tool(tool.clone()),
            bounds: server.mark(),
        }
    }

    /// Agents' calling a tool that the app offers, which is and runs what `mark` stands for.
    pub fn exposed(tool: &ExposeName, mark: &str) -> Wish {
        Wish {
            subject: Subject::Exposed(tool.clone()),
            bounds: mark.to_owned(),
        }
    }
}

impl From<&Capability> for Wish {
    /// A scope, as it is declared.
    fn from(declared: &Capability) -> Wish {
        Wish {
            subject: Subject::Scope(declared.scope.clone()),
            bounds: origins(declared),
        }
    }
}

/// Every decision there is.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Decisions(Vec<Decision>);

impl Decisions {
    /// What holds for an app, as it is signed and as it declares its scopes now.
    pub fn of(&self, package: &Package) -> Grants {
        let held = self.0.iter().filter(|d| d.holds(package));
        let scopes = held.filter_map(|d| match &d.subject {
            Subject::Scope(scope) => Some((scope.clone(), d.grant)),
            Subject::Upstream(_) | Subject::Tool(_) | Subject::Exposed(_) => None,
        });
        scopes.collect()
    }

    /// What was decided about just this wish of an app, as it is signed now.
    pub fn about(&self, package: &Package, wish: &Wish) -> Option<Grant> {
        let about = |d: &&Decision| d.subject == wish.subject && d.bounds == wish.bounds;
        let mut held = self.0.iter().filter(|d| d.holds(package));
        held.find(about).map(|d| d.grant)
    }

    /// In the order of apps and subjects.
    pub fn iter(&self) -> impl Iterator<Item = &Decision> {
        self.0.iter()
    }
}

impl Decision {
    /// Does it say anything about this app, as it is now?
    pub fn holds(&self, package: &Package) -> bool {
        self.app == *package.id()
            && self.signer == signer(package)
            && match &self.subject {
                Subject::Scope(_) => package.capabilities().iter().any(|c| self.is_about(c)),
                // Which server is behind the name is not for the app to say.
                Subject::Upstream(server) => package.names_upstream(server),
                Subject::Tool(tool) => package.lists_tool(tool),
                Subject::Exposed(name) => {
                    let wish = Tool::named(package, name).and_then(|tool| tool.wish());
                    wish.is_some_and(|wish| wish.bounds == self.bounds)
                }
            }
    }

    fn is_about(&self, declared: &Capability) -> bool {
        let Wish { subject, bounds } = declared.into();
        self.subject == subject && self.bounds == bounds
    }
}

/// The origins of a scope as one text, whatever order they are declared in.
fn origins(declared: &Capability) -> String {
    let mut all: Vec<String> = declared.origins.iter().map(ToString::to_string).collect();
    all.sort();
    all.dedup();
    all.join(" ")
}

/// Who signed an app, as it is kept: nobody is the empty text.
fn signer(package: &Package) -> String {
    package
        .signer()
        .map(|key| key.to_string())
        .unwrap_or_default()
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

    /// The person decided about a scope that an app declares, or about a server that it names.
    pub fn decide(&self, package: &Package, wish: impl Into<Wish>, grant: Grant) -> Pending<()> {
        let (app, signer) = (package.id().clone(), signer(package));
        let Wish { subject, bounds } = wish.into();
        self.ask(move |database| {
            database.write(|connection, at, _| {
                let decision = Decision {
                    app: app.clone(),
                    subject: subject.clone(),
                    grant,
                    at,
                    bounds: bounds.clone(),
                    signer: signer.clone(),
                };
                put(connection, &decision)
            })
        })
    }

    /// The person took a decision back; false when there was none.
    pub fn revoke(&self, app: AppId, subject: impl Into<Subject>) -> Pending<bool> {
        let subject = subject.into();
        self.ask(move |database| {
            database.write(|connection, _, _| remove(connection, &app, Some(&subject)))
        })
    }

    /// A server is no more: what was decided about it is none any more, whatever takes its name.
    pub fn forget_server(&self, name: ServerName) -> Pending<()> {
        self.ask(move |database| {
            database.write(|connection, _, _| forget_server(connection, &name))
        })
    }

    /// This version of an app is installed: a decision about what it does not declare, or about somebody else's app of its id, is none
    /// any more, and is not one again when a later version would make it so.
    pub fn keep_declared(&self, package: Arc<Package>) -> Pending<()> {
        self.ask(move |database| database.write(|connection, _, _| keep(connection, &package)))
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
    let names = AppId::parse(&app).ok().zip(Subject::parse(&scope));
    let (bounds, signer) = (row.get(3)?, row.get(5)?);
    Ok(names.map(|(app, subject)| Decision {
        app,
        subject,
        grant,
        at,
        bounds,
        signer,
    }))
}

fn all(connection: &Connection) -> rusqlite::Result<Decisions> {
    let mut statement = connection.prepare_cached(
        "SELECT app, scope, state, origins, decided_at, signer FROM grants ORDER BY app, scope",
    )?;
    let rows = statement.query_map([], decision)?;
    let rows = rows.collect::<rusqlite::Result<Vec<_>>>()?;
    Ok(Decisions(rows.into_iter().flatten().collect()))
}

fn put(connection: &mut Connection, decision: &Decision) -> Step<()> {
    let tx = connection.transaction_with_behavior(TransactionBehavior::Immediate)?;
    tx.execute(
        "INSERT OR REPLACE INTO grants (app, scope, state, origins, decided_at, signer) VALUES (?1, ?2, ?3, ?4, ?5, ?6)",
        params![
            decision.app.as_str(),
            decision.subject.to_string(),
            word(decision.grant),
            decision.bounds,
            decision.at.as_millisecond(),
            decision.signer
        ],
    )?;
    if decision.grant == Grant::Denied {
        notices::withdraw(&tx, &decision.app, Some(&decision.subject))?;
    }
    changed(&tx)?;
    tx.commit()?;
    Ok(())
}

fn remove(connection: &mut Connection, app: &AppId, subject: Option<&Subject>) -> Step<bool> {
    let tx = connection.transaction_with_behavior(TransactionBehavior::Immediate)?;
    let gone = forget(&tx, app, subject)?;
    tx.commit()?;
    Ok(gone)
}

fn forget_server(connection: &mut Connection, name: &ServerName) -> Step<()> {
    let tx = connection.transaction_with_behavior(TransactionBehavior::Immediate)?;
    let of_it = |subject: &Subject| match subject {
        Subject::Scope(_) | Subject::Exposed(_) => false,
        Subject::Upstream(server) => server == name,
        Subject::Tool(tool) => tool.server == *name,
    };
    let mut gone = 0;
    for decision in all(&tx)?.0.iter().filter(|d| of_it(&d.subject)) {
        let Decision { app, subject, .. } = decision;
        gone += tx.execute(
            "DELETE FROM grants WHERE app = ?1 AND scope = ?2",
            [app.as_str(), &subject.to_string()],
        )?;
    }
    if gone > 0 {
        changed(&tx)?;
    }
    tx.commit()?;
    Ok(())
}

/// Forget what was decided about an app, or about one subject of it, and with it what the app has waiting for that. True when something
/// was decided.
pub(super) fn forget(
    tx: &Transaction<'_>,
    app: &AppId,
    subject: Option<&Subject>,
) -> rusqlite::Result<bool> {
    let gone = tx.execute(
        "DELETE FROM grants WHERE app = ?1 AND (?2 IS NULL OR scope = ?2)",
        params![app.as_str(), subject.map(Subject::to_string)],
    )?;
    if gone > 0 {
        changed(tx)?;
    }
    notices::withdraw(tx, app, subject)?;
    Ok(gone > 0)
}

fn keep(connection: &mut Connection, package: &Package) -> Step<()> {
    let tx = connection.transaction_with_behavior(TransactionBehavior::Immediate)?;
    let stale = |d: &&Decision| d.app == *package.id() && !d.holds(package);
    for d in all(&tx)?.0.iter().filter(stale) {
        forget(&tx, &d.app, Some(&d.subject))?;
    }
    tx.commit()?;
    Ok(())
}

#[cfg(test)]
mod tests;
