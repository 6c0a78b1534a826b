//! What apps may do on this desktop: what the person decided, what this session provides, and the audit every call leaves. The broker
//! decides ([`ede_engine::broker`]); this hands it how things stand and keeps what comes of it.

use std::collections::BTreeSet;
use std::sync::Arc;

use ede_engine::app_id::AppId;
use ede_engine::binding::Host;
use ede_engine::broker::audit::{AuditSink, Client};
use ede_engine::broker::call::{Closed, Decided, Request, Settled};
use ede_engine::broker::catalog::catalog;
use ede_engine::broker::decide::Standing;
use ede_engine::broker::grants::{Grant, Grants, Subject};
use ede_engine::broker::providers::Provided;
use ede_engine::exposes;
use ede_engine::package::Package;
use ede_engine::records::{Decisions, Store, Wish};
use ede_engine::upstreams::rule::{self, May, Relation};
use ede_engine::upstreams::{
    Errand, Outcome, Reading, Refusal, Server, ServerName, ServerTool, Servers, Unread,
};
use serde_json::Value;

use super::permissions;
use super::shelf::Packages;

#[derive(Default)]
pub struct Gate {
    /// Where decisions and the audit are kept; a preview keeps none.
    store: Option<Store>,
    /// `None` until they have been read: nothing is decided before.
    decisions: Option<Decisions>,
    provided: Provided,
    /// What the person has set up to be read from.
    servers: Servers,
}

impl Gate {
    pub fn new(store: Option<Store>) -> Gate {
        Gate {
            store,
            ..Gate::default()
        }
    }

    /// This session provides these capabilities.
    pub fn provide(&mut self, provided: Provided) {
        self.provided = provided;
    }

    /// The person's servers, from now on.
    pub fn set_servers(&mut self, servers: Servers) {
        self.servers = servers;
    }

    /// The person's decisions, as they are kept. True when they are news.
    pub fn learn(&mut self, decisions: Decisions) -> bool {
        let decisions = Some(decisions);
        let news = self.decisions != decisions;
        self.decisions = decisions;
        news
    }

    /// Are the person's decisions known?
    pub fn knows(&self) -> bool {
        self.decisions.is_some()
    }

    /// What the person decided about an app's scopes.
    pub fn grants(&self, package: &Package) -> Grants {
        let known = self.decisions.as_ref();
        known.map_or_else(Grants::default, |d| d.of(package))
    }

    /// Decide about a call of the app's own surface, or of an agent that speaks for the app.
    pub fn decide(
        &self,
        package: &Package,
        client: Client,
        name: &str,
        arguments: Value,
        foreground: bool,
    ) -> Decided {
        let request = Request {
            app: package.id().clone(),
            client,
            name: name.to_owned(),
            arguments,
        };
        request.decide(&Standing {
            manifest: package.capabilities(),
            grants: &self.grants(package),
            provided: &self.provided,
            foreground,
        })
    }

    /// Keep the row of a call that came to its end.
    pub fn settle(&self, closed: Closed) -> Settled {
        match &self.store {
            Some(store) => closed.settle(&mut store.clone()),
            None => closed.settle(&mut Vec::new()),
        }
    }

    /// Keep the row of a call of a tool that an app offers.
    pub fn settle_tool(&self, closed: exposes::Closed) -> Value {
        match &self.store {
            Some(store) => closed.settle(&mut store.clone()),
            None => closed.settle(&mut Vec::new()),
        }
    }

    /// May an app follow what `scope` reveals? A binding alone is a call in the background.
    fn may_follow(&self, package: &Package, scope: &str) -> bool {
        if self.decisions.is_none() {
            return false;
        }
        let Some(name) = what_reveals(scope) else {
            return false;
        };
        let (may, closed) = match self.decide(package, Client::Ui, &name, Value::Null, false) {
            Decided::Call(allowed) => (true, allowed.follow()),
            Decided::Refused(closed) => (false, closed),
            // Nobody is asked behind their back, whatever the broker would say.
            Decided::Ask(_) => return false,
        };
        self.settle(closed);
        may
    }

    /// Would a call that was made before, and has its row, be allowed now, in the background? A refusal is a row of its own.
    pub fn still_may(&self, package: &Package, name: &str) -> bool {
        match self.decide(package, Client::Ui, name, Value::Null, false) {
            Decided::Call(_) => true,
            Decided::Refused(closed) => {
                self.settle(closed);
                false
            }
            Decided::Ask(_) => false,
        }
    }
}

/// The call that a binding of this scope stands for, as an app's surface spells it: the scope's first tool.
pub fn what_reveals(scope: &str) -> Option<String> {
    let mut tools = catalog().tools().iter();
    let tool = tools.find(|t| t.scope.id.as_str() == scope)?;
    Some(format!("{}.{}", tool.capability, tool.name))
}

/// How a surface's bindings are decided: by the installed apps and the gate.
pub struct Around<'a> {
    pub shelf: &'a Packages,
    pub gate: &'a Gate,
}

impl Gate {
    /// May an app read so from a server of the person's? What is refused leaves its row here, what is read when it is.
    fn may_read(&self, package: &Package, reading: &Reading) -> Result<May, Refusal> {
        let relation = self.relation(package, &reading.server);
        let may = rule::may_read(package, reading, relation);
        if let (Err(refusal), true) = (may, self.knows()) {
            self.keep(
                &Outcome::Unread(Unread::Refused(refusal)),
                package.id(),
                reading,
            );
        }
        may
    }

    /// What the person decided about just this wish.
    pub fn decided(&self, package: &Package, wish: &Wish) -> Option<Grant> {
        let known = self.decisions.as_ref();
        known.and_then(|d| d.about(package, wish))
    }

    /// Where an app stands with a tool of a server.
    pub fn stands(&self, package: &Package, tool: &ServerTool) -> Relation {
        match self.servers.get(&tool.server) {
            None => Relation::NoServer,
            Some(server) => Relation::Decided(self.decided(package, &Wish::tool(tool, server))),
        }
    }

    /// Where an app stands with every server that its package names, with every tool of one that it names, or that was decided about where
    /// it names tools by a pattern, and with the tools it offers that the person is asked about.
    pub fn stands_with(&self, package: &Package) -> permissions::Stands {
        let read = |name: ServerName| {
            let relation = self.relation(package, &name);
            (name, relation)
        };
        let call = |tool: ServerTool| {
            let relation = self.stands(package, &tool);
            (tool, relation)
        };
        let mut tools: BTreeSet<ServerTool> = package.errands().into_iter().collect();
        let decided = self.decisions.iter().flat_map(Decisions::iter);
        tools.extend(
            decided
                .filter(|d| d.holds(package))
                .filter_map(|d| match &d.subject {
                    Subject::Tool(tool) => Some(tool.clone()),
                    Subject::Scope(_) | Subject::Upstream(_) | Subject::Exposed(_) => None,
                }),
        );
        permissions::Stands {
            reads: package.upstreams().map(read).collect(),
            calls: tools.into_iter().map(call).collect(),
            tools: exposes::Tool::all(package)
                .into_iter()
                .filter_map(|tool| {
                    let grant = self.decided(package, &tool.wish()?);
                    Some((tool, grant))
                })
                .collect(),
        }
    }

    fn relation(&self, package: &Package, name: &ServerName) -> Relation {
        match self.servers.get(name) {
            None => Relation::NoServer,
            Some(server) => Relation::Decided(self.decided(package, &Wish::server(name, server))),
        }
    }

    /// What is behind the name of a server.
    pub fn server(&self, name: &ServerName) -> Option<&Server> {
        self.servers.get(name)
    }

    /// Keep the row of a call of a server's tool.
    pub fn keep_errand(&self, outcome: &Outcome, app: &AppId, client: Client, errand: &Errand) {
        if let (Some(row), Some(store)) = (outcome.errand_row(app, client, errand), &self.store) {
            store.clone().write(row);
        }
    }

    /// Keep the row of a reading.
    pub fn keep(&self, outcome: &Outcome, app: &AppId, reading: &Reading) {
        if let (Some(row), Some(store)) = (outcome.row(app, reading), &self.store) {
            store.clone().write(row);
        }
    }
}

impl Host for Around<'_> {
    fn package(&self, app: &AppId) -> Option<Arc<Package>> {
        self.shelf.get(app).cloned()
    }

    fn may(&self, package: &Package, scope: &'static str) -> bool {
        self.gate.may_follow(package, scope)
    }

    fn may_read(&self, package: &Package, reading: &Reading) -> Result<May, Refusal> {
        // A file that is only looked at calls nobody, whatever id it has.
        let installed = self.shelf.get(package.id());
        if installed.is_none_or(|installed| !std::ptr::eq(&**installed, package)) {
            return Err(Refusal::Undecided);
        }
        self.gate.may_read(package, reading)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_scope_of_a_source_has_a_call_it_stands_for() {
        for (name, access) in ede_engine::package::EDE_SOURCES {
            if let ede_engine::package::Access::Scope(scope) = access {
                assert!(what_reveals(scope).is_some(), "ede:{name} needs {scope}");
            }
        }
    }
}
