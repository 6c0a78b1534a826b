//! Answers what surfaces are bound to: live sources at once, records from the store's thread and the person's servers
//! ([`super::reads`]) in their own time. Which binding may follow what, and whether an answer says anything new, is the engine's
//! ([`ede_engine::binding`]).

use std::convert::Infallible;
use std::path::Path;
use std::sync::Arc;

use ede_engine::binding::{Answer, Ask, BindingSet, DataWrite, SourceRef, Ticket};
use ede_engine::records::{LOCAL, Store, Viewer};
use ede_renderer::View;
use jiff::{Timestamp, Zoned};
use serde_json::Value;

use super::reads::Reads;
use crate::formatter::Locale;
use crate::sources::zone::ZoneFile;
use crate::sources::{Audience, Pushed, SourceCx, Sources};

/// What apps see of `ede:windows`, once they may: protected windows are not in it.
pub const APP_WINDOWS: &str = "windows-of-apps";
const APP_WINDOWS_URI: &str = "ede:windows-of-apps";

/// A surface's bindings, apart from every other surface's: an answer finds its way back by this number.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct FeedId(u64);

/// The bindings of one surface.
pub struct Bound {
    pub id: FeedId,
    pub set: BindingSet,
}

/// An answer of the store's.
#[derive(Debug)]
pub struct Arrived {
    pub feed: FeedId,
    ticket: Ticket,
    /// `None` when the store had trouble, which it tells by itself.
    value: Option<Value>,
}

/// Carries what the store answers to the loop that owns the surfaces.
pub type Deliver = Arc<dyn Fn(Arrived) + Send + Sync>;

/// How records are read.
pub enum Records {
    /// There are none: every query runs over no rows (pictures of a file).
    Empty,
    /// Each question waits for its answer (`run --offscreen`).
    Waiting(Store),
    /// Answers are delivered.
    Live(Store, Deliver),
}

pub struct Feed {
    sources: Sources,
    pub zone: ZoneFile,
    pub locale: Locale,
    /// The instant that counts as now; `None` is the machine's clock.
    fixed: Option<Timestamp>,
    records: Records,
    /// What is read of the person's servers; pictures read of none.
    pub reads: Option<Reads>,
    /// The member who looks.
    pub who: String,
    day: jiff::civil::Date,
    feeds: u64,
}

impl Feed {
    pub fn new(
        proc: &Path,
        zone: ZoneFile,
        locale: Locale,
        fixed: Option<Timestamp>,
        records: Records,
    ) -> Feed {
        let mut sources = Sources::new(proc);
        for name in ["windows", APP_WINDOWS, "workspaces", "apps"] {
            sources.add(Box::new(Pushed::new(
                name,
                Audience::Shell,
                Value::Array(Vec::new()),
            )));
        }
        let mut feed = Feed {
            sources,
            zone,
            locale,
            fixed,
            records,
            reads: None,
            who: LOCAL.into(),
            day: jiff::civil::Date::default(),
            feeds: 0,
        };
        feed.day = feed.now().date();
        feed
    }

    /// Give a surface's bindings their number.
    pub fn bind(&mut self, set: BindingSet) -> Bound {
        self.feeds += 1;
        Bound {
            id: FeedId(self.feeds),
            set,
        }
    }

    /// The store records are written to; `None` where there is none.
    pub fn store(&self) -> Option<&Store> {
        match &self.records {
            Records::Empty => None,
            Records::Waiting(store) | Records::Live(store, _) => Some(store),
        }
    }

    /// Now, in the person's zone.
    pub fn now(&self) -> Zoned {
        self.fixed
            .unwrap_or_else(Timestamp::now)
            .to_zoned(self.zone.zone().clone())
    }

    pub fn viewer(&self) -> Viewer {
        Viewer {
            me: self.who.clone(),
            now: self.now(),
        }
    }

    /// A value the platform hands in. True when bindings to it are stale.
    pub fn push(&mut self, name: &str, value: Value) -> bool {
        self.sources.push(name, value)
    }

    /// Ask for whatever is stale in a surface's bindings, and write what is known at once.
    pub fn fill(&mut self, bound: &mut Bound, view: &mut View) {
        for Ask { ticket, source } in bound.set.asks() {
            let value = match source {
                SourceRef::Shell(source) => {
                    let for_apps = source.name == "windows" && bound.set.app().is_some();
                    let uri = if for_apps {
                        APP_WINDOWS_URI
                    } else {
                        &source.uri
                    };
                    let answer = self.live(uri, bound.set.last(ticket));
                    match answer {
                        Some(answer) => {
                            let writes = bound.set.take(ticket, answer);
                            writes.into_iter().for_each(|write| write_data(view, write));
                        }
                        None => bound.set.missed(ticket),
                    }
                    continue;
                }
                SourceRef::Upstream(allowed) => {
                    match (&mut self.reads, bound.set.app()) {
                        (Some(reads), Some(app)) => reads.ask(bound.id, ticket, app, *allowed),
                        _ => bound.set.missed(ticket),
                    }
                    continue;
                }
                SourceRef::Records(request) => match &self.records {
                    Records::Empty => request
                        .evaluate(&self.viewer(), |_| Ok::<_, Infallible>(Vec::new()))
                        .ok(),
                    Records::Waiting(store) => store
                        .value(*request, self.viewer())
                        .wait()
                        .map_err(|e| tracing::warn!("records: {e}"))
                        .ok()
                        .map(Arc::unwrap_or_clone),
                    Records::Live(store, deliver) => {
                        let viewer = self.viewer();
                        let known = store.known(&request, &viewer);
                        if let Some(known) = known.filter(|known| is_small(known)) {
                            land(bound, view, ticket, Arc::unwrap_or_clone(known));
                            continue;
                        }
                        let (deliver, feed) = (deliver.clone(), bound.id);
                        store.value(*request, viewer).then(move |answer| {
                            deliver(Arrived {
                                feed,
                                ticket,
                                // Copied here, on the store's thread.
                                value: answer.ok().map(Arc::unwrap_or_clone),
                            })
                        });
                        continue;
                    }
                },
            };
            match value {
                Some(value) => land(bound, view, ticket, value),
                None => bound.set.missed(ticket),
            }
        }
    }

    fn live(&mut self, uri: &str, last: Option<&Value>) -> Option<Answer> {
        let zone = self.zone.zone().clone();
        let cx = SourceCx {
            now: self.fixed.unwrap_or_else(Timestamp::now),
            zone: &zone,
            locale: &self.locale,
        };
        // Who may follow it was decided when it was bound.
        self.sources
            .change(uri, last, Audience::Shell, &cx)
            .map_err(|e| tracing::warn!("a binding has no value: {e}"))
            .ok()
    }

    /// Time has passed: is it another day?
    pub fn day_changed(&mut self) -> bool {
        let today = self.now().date();
        let changed = today != self.day;
        self.day = today;
        changed
    }

    /// When the next of these live sources changes.
    pub fn next_change<'a>(&self, uris: impl IntoIterator<Item = &'a str>) -> Option<Timestamp> {
        let zone = self.zone.zone().clone();
        let cx = SourceCx {
            now: self.fixed.unwrap_or_else(Timestamp::now),
            zone: &zone,
            locale: &self.locale,
        };
        self.sources.next_change(uris, &cx)
    }
}

impl Arrived {
    /// Write the answer into its surface.
    pub fn land(self, bound: &mut Bound, view: &mut View) {
        match self.value {
            Some(value) => land(bound, view, self.ticket, value),
            None => bound.set.missed(self.ticket),
        }
    }
}

/// An answer of no more rows than this is copied on the thread that paints, so that it is in the first frame of what is newly shown.
const FEW: usize = 200;

fn is_small(answer: &Value) -> bool {
    let many = |key: &str| answer[key].as_array().map_or(0, Vec::len);
    many("rows") + many("groups") <= FEW
}

pub(super) fn land(bound: &mut Bound, view: &mut View, ticket: Ticket, value: Value) {
    if let Some(write) = bound.set.land(ticket, value) {
        write_data(view, write);
    }
}

/// Put a value into a surface's data.
pub fn write_data(view: &mut View, DataWrite { path, value }: DataWrite) {
    if let Err(error) = view.surface_mut().set_data(&path, Some(value)) {
        tracing::warn!(path, "a value has no place in the surface's data: {error}");
    }
}
