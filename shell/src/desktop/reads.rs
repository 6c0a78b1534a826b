//! What surfaces read of the person's servers, and the way to them for what is called there. Asked of the hub ([`crate::upstreams`]), and asked again a minute after the last answer
//! for as long as it is bound on screen: nothing bound, no timer.

use std::collections::{BTreeMap, BTreeSet};
use std::path::PathBuf;
use std::sync::Arc;
use std::time::Instant;

use ede_engine::app_id::AppId;
use ede_engine::binding::Ticket;
use ede_engine::upstreams::cache::{GOOD_FOR, Key};
use ede_engine::upstreams::rule::Allowed;
use ede_engine::upstreams::{Errand, Outcome, ServerName, Servers};

use super::feed::FeedId;
use super::mistakes::Mistake;
use crate::upstreams::file::List;
use crate::upstreams::{Then, Upstreams};

/// What came of one binding's reading.
#[derive(Debug)]
pub struct Read {
    pub feed: FeedId,
    pub ticket: Ticket,
    pub app: AppId,
    pub allowed: Allowed,
    pub outcome: Outcome,
}

/// Carries what servers answer to the loop that owns the surfaces.
pub type Deliver = Arc<dyn Fn(Read) + Send + Sync>;

pub struct Reads {
    file: PathBuf,
    hub: Upstreams,
    deliver: Deliver,
    /// When what was answered is to be read again.
    due: BTreeMap<Key, Instant>,
    /// What the last reading of a server that gave no answer came to.
    troubles: BTreeMap<ServerName, &'static str>,
    /// What the person has been told of, until it is another.
    told: BTreeSet<(AppId, ServerName)>,
}

impl Reads {
    /// Reads of the servers that the file lists ([`Reads::look`]).
    pub fn new(file: PathBuf, deliver: Deliver) -> Reads {
        Reads {
            file,
            hub: Upstreams::default(),
            deliver,
            due: BTreeMap::new(),
            troubles: BTreeMap::new(),
            told: BTreeSet::new(),
        }
    }

    /// Read the list of servers; with a mistake in it the last good one stays. True when they are others now.
    pub fn look(&mut self) -> Result<bool, Mistake> {
        let list = List::open(self.file.clone()).map_err(|error| Mistake {
            file: self
                .file
                .file_name()
                .unwrap_or_default()
                .to_string_lossy()
                .into(),
            what: error.to_string(),
        })?;
        let others = list.servers != *self.hub.servers();
        if others {
            self.hub.set_servers(list.servers);
            self.troubles.clear();
            self.told.clear();
        }
        Ok(others)
    }

    pub fn servers(&self) -> &Servers {
        self.hub.servers()
    }

    /// Ask for what a binding reads.
    pub fn ask(&mut self, feed: FeedId, ticket: Ticket, app: &AppId, allowed: Allowed) {
        self.due.remove(&allowed.key);
        let (deliver, app) = (self.deliver.clone(), app.clone());
        let read = allowed.clone();
        self.hub.read(
            allowed,
            Box::new(move |outcome| {
                deliver(Read {
                    feed,
                    ticket,
                    app,
                    allowed: read,
                    outcome,
                });
            }),
        );
    }

    /// Have a server do something; `then` hears what came of it, on the hub's thread.
    pub fn call(&mut self, errand: Errand, then: Then) {
        self.hub.call(errand, then);
    }

    /// Take note of what came.
    pub fn arrived(&mut self, read: &Read, now: Instant) {
        self.due.insert(read.allowed.key.clone(), now + GOOD_FOR);
        let server = &read.allowed.reading.server;
        let trouble = match &read.outcome {
            Outcome::Unread(unread) => unread.says(),
            Outcome::Kept(_) | Outcome::Answered(_) => None,
        };
        match trouble {
            Some(says) => drop(self.troubles.insert(server.clone(), says)),
            None if self.troubles.remove(server).is_some() => {
                self.told.retain(|(_, told)| told != server);
            }
            None => {}
        }
    }

    /// When what these bindings read is to be read again; the earliest.
    pub fn next<'a>(&self, bound: impl Iterator<Item = &'a Allowed>) -> Option<Instant> {
        bound.filter_map(|a| self.due.get(&a.key)).min().copied()
    }

    /// Is it to be read again now?
    pub fn is_due(&self, allowed: &Allowed, now: Instant) -> bool {
        self.due.get(&allowed.key).is_some_and(|due| *due <= now)
    }

    /// Forget about what is not bound any more.
    pub fn prune(&mut self, bound: &BTreeSet<Key>) {
        self.due.retain(|key, _| bound.contains(key));
    }

    /// What the person is told of a server that gives no answer to this app, once.
    pub fn trouble(&mut self, app: &AppId, server: &ServerName) -> Option<&'static str> {
        let says = *self.troubles.get(server)?;
        self.tell(app, server).then_some(says)
    }

    /// Is the person to be told of this server? Once an app.
    pub fn tell(&mut self, app: &AppId, server: &ServerName) -> bool {
        self.told.insert((app.clone(), server.clone()))
    }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]
    use std::time::Duration;

    use ede_engine::binding::{BindingSet, Host, Owner};
    use ede_engine::package::Package;
    use ede_engine::upstreams::rule::May;
    use ede_engine::upstreams::{Reading, Refusal, Unread};
    use serde_json::json;

    use super::*;

    /// A person who allows everything.
    struct Allows;

    impl Host for Allows {
        fn package(&self, _: &AppId) -> Option<Arc<Package>> {
            None
        }
        fn may(&self, _: &Package, _: &'static str) -> bool {
            true
        }
        fn may_read(&self, _: &Package, _: &Reading) -> Result<May, Refusal> {
            Ok(May { vouched: true })
        }
    }

    /// A surface that reads these sources, and what came of its first.
    fn surface(sources: &[&str], outcome: Outcome) -> (BindingSet, Read) {
        let file = include_bytes!("../../../fixtures/apps/test.rates.app.json");
        let package = Arc::new(Package::read_checked(file).unwrap());
        let app = package.id().clone();
        let mut set = BindingSet::new(Owner::App(package));
        for (n, source) in sources.iter().enumerate() {
            set.bind(&format!("/{n}"), source, &Allows).unwrap();
        }
        let read = Read {
            feed: FeedId::default(),
            ticket: set.asks()[0].ticket,
            app,
            allowed: set.upstreams().next().unwrap().clone(),
            outcome,
        };
        (set, read)
    }

    fn reads() -> Reads {
        Reads::new(PathBuf::new(), Arc::new(|_| {}))
    }

    #[test]
    fn what_is_bound_is_read_again_a_minute_after_it_came_and_what_is_not_wakes_nobody() {
        let (mut reads, start) = (reads(), Instant::now());
        let at = |seconds| start + Duration::from_secs(seconds);
        let (set, first) = surface(&["upstream:bank/rates"], Outcome::Answered(json!(1)));
        assert_eq!(reads.next(set.upstreams()), None, "it is on its way");
        reads.arrived(&first, start);
        assert_eq!(reads.next(set.upstreams()), Some(at(60)));
        assert!(!reads.is_due(&first.allowed, at(59)));
        assert!(reads.is_due(&first.allowed, at(60)));
        assert_eq!(reads.next([].into_iter()), None, "nothing is bound");
        // What failed is tried again as late.
        let (_, failed) = surface(&["upstream:bank/rates"], Outcome::Unread(Unread::Timeout));
        reads.arrived(&failed, at(60));
        assert_eq!(reads.next(set.upstreams()), Some(at(120)));
        reads.prune(&BTreeSet::new());
        assert_eq!(reads.next(set.upstreams()), None);
    }

    #[test]
    fn a_person_is_told_of_a_servers_trouble_once_until_it_is_over() {
        let (mut reads, now) = (reads(), Instant::now());
        let read = |outcome| surface(&["upstream:bank/rates"], outcome).1;
        let bank = ServerName::parse("bank").unwrap();
        let app = read(Outcome::Kept(json!(1))).app;
        assert_eq!(reads.trouble(&app, &bank), None);
        for _ in 0..2 {
            for _ in 0..2 {
                reads.arrived(&read(Outcome::Unread(Unread::Unreachable)), now);
            }
            assert_eq!(reads.trouble(&app, &bank), Some("cannot be reached"));
            assert_eq!(reads.trouble(&app, &bank), None);
            reads.arrived(&read(Outcome::Answered(json!(1))), now);
            assert_eq!(reads.trouble(&app, &bank), None);
        }
    }
}
