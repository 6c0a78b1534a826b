//! The values behind bindings. Live sources answer at once; records come from the store's thread and arrive later. What nobody is
//! bound to is never asked; what did not change is never handed out again.

use std::collections::HashMap;
use std::path::Path;
use std::sync::Arc;

use ede_engine::app_id::AppId;
use ede_engine::package::Package;
use ede_engine::records::{Change, RecordsRequest, Store, Viewer};
use eui_core::host::RECORDS_SCHEME;
use jiff::{Timestamp, Zoned};
use serde_json::Value;

use crate::formatter::Locale;
use crate::sources::zone::ZoneFile;
use crate::sources::{Audience, Source, SourceCx, Sources};

/// Who is bound, and to what.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Bound {
    /// `None` for the shell's own documents.
    pub app: Option<AppId>,
    pub source: String,
}

/// A records value on its way from the store's thread.
#[derive(Debug)]
pub struct Arrived {
    bound: Bound,
    turn: u64,
    value: Value,
}

/// Carries what the store answers to the loop that owns the values.
pub type Deliver = Arc<dyn Fn(Arrived) + Send + Sync>;

/// How records are read.
pub enum Records {
    /// There are none: every query runs over no rows (snapshots).
    Empty,
    /// Each question waits for its answer (`run --offscreen`).
    Waiting(Store),
    /// Answers arrive by the callback.
    Live(Store, Deliver),
}

struct Known {
    value: Option<Value>,
    reads: Vec<Change>,
    daily: bool,
    /// The newest question asked; an older answer is dropped.
    turn: u64,
}

pub struct Values {
    sources: Sources,
    pub zone: ZoneFile,
    pub locale: Locale,
    /// The instant that counts as now; `None` is the machine's clock.
    fixed: Option<Timestamp>,
    records: Records,
    known: HashMap<Bound, Known>,
    turn: u64,
    day: jiff::civil::Date,
    changed: bool,
}

impl Values {
    pub fn new(proc: &Path, zone: ZoneFile, locale: Locale, fixed: Option<Timestamp>, records: Records) -> Values {
        let mut values =
            Values { sources: Sources::new(proc), zone, locale, fixed, records, known: HashMap::new(), turn: 0, day: jiff::civil::Date::default(), changed: false };
        values.day = values.now().date();
        values
    }

    /// Now, in the person's zone.
    pub fn now(&self) -> Zoned {
        self.fixed.unwrap_or_else(Timestamp::now).to_zoned(self.zone.zone().clone())
    }

    /// Add a source of the platform's.
    pub fn add(&mut self, source: Box<dyn Source>) {
        self.sources.add(source);
    }

    /// A value the platform hands in.
    pub fn push(&mut self, name: &str, value: Value) {
        if self.sources.push(name, value) {
            self.reread(|b| b.source.starts_with(&format!("ede:{name}")));
        }
    }

    /// The value of a binding; `None` while it is on its way, or when there is none to be had.
    pub fn get(&mut self, package: Option<&Package>, source: &str) -> Option<Value> {
        let bound = Bound { app: package.map(|p| p.id().clone()), source: source.into() };
        if let Some(known) = self.known.get(&bound) {
            return known.value.clone();
        }
        self.ask(bound.clone(), package);
        self.known.get(&bound).and_then(|k| k.value.clone())
    }

    fn ask(&mut self, bound: Bound, package: Option<&Package>) {
        self.turn += 1;
        let turn = self.turn;
        if !bound.source.starts_with(&format!("{RECORDS_SCHEME}:")) {
            let value = self.live(&bound, package);
            self.known.insert(bound, Known { value, reads: Vec::new(), daily: false, turn });
            return;
        }
        let Some(package) = package else {
            self.known.insert(bound, Known { value: None, reads: Vec::new(), daily: false, turn });
            return;
        };
        let request = match RecordsRequest::parse(&bound.source, package, |_| None) {
            Ok(request) => request,
            Err(error) => {
                tracing::warn!(app = %package.id(), "a binding has no value: {error}");
                self.known.insert(bound, Known { value: None, reads: Vec::new(), daily: false, turn });
                return;
            }
        };
        let viewer = Viewer { me: ede_engine::records::LOCAL.into(), now: self.now() };
        let (reads, daily) = (request.reads().cloned().collect(), request.depends_on_day());
        let old = self.known.get(&bound).and_then(|k| k.value.clone());
        let value = match &self.records {
            Records::Empty => Some(request.evaluate_empty(&viewer)),
            Records::Waiting(store) => store.value(request, viewer).wait().map_err(|e| tracing::warn!("records: {e}")).ok(),
            Records::Live(store, deliver) => {
                let (deliver, bound) = (deliver.clone(), bound.clone());
                store.value(request, viewer).then(move |answer| match answer {
                    Ok(value) => deliver(Arrived { bound, turn, value }),
                    Err(error) => tracing::warn!("records: {error}"),
                });
                old
            }
        };
        self.known.insert(bound, Known { value, reads, daily, turn });
    }

    fn live(&mut self, bound: &Bound, package: Option<&Package>) -> Option<Value> {
        // The manifest of a package is its ceiling: what it does not list, it does not get.
        if package.is_some_and(|p| !p.may_follow(&bound.source)) {
            return None;
        }
        let audience = if bound.app.is_some() { Audience::Packages } else { Audience::Shell };
        let zone = self.zone.zone().clone();
        let cx = SourceCx { now: self.fixed.unwrap_or_else(Timestamp::now), zone: &zone, locale: &self.locale };
        match self.sources.value(&bound.source, audience, &cx) {
            Ok(value) => Some(value),
            Err(error) => {
                tracing::warn!("a binding has no value: {error}");
                None
            }
        }
    }

    /// An answer of the store's. True when it is news.
    pub fn arrived(&mut self, a: Arrived) -> bool {
        let Some(known) = self.known.get_mut(&a.bound).filter(|k| k.turn == a.turn) else { return false };
        let news = known.value.as_ref() != Some(&a.value);
        known.value = Some(a.value);
        self.changed |= news;
        news
    }

    /// Records of these kinds changed.
    pub fn records_changed(&mut self, changes: &[Change], package: impl Fn(&AppId) -> Option<Arc<Package>>) {
        let stale: Vec<Bound> = self.known.iter().filter(|(_, k)| k.reads.iter().any(|r| changes.contains(r))).map(|(b, _)| b.clone()).collect();
        self.ask_again(stale, package);
    }

    /// Every records value, asked again: the database is another one, a package changed.
    pub fn records_replaced(&mut self, package: impl Fn(&AppId) -> Option<Arc<Package>>) {
        let stale: Vec<Bound> = self.known.iter().filter(|(b, _)| b.app.is_some()).map(|(b, _)| b.clone()).collect();
        self.ask_again(stale, package);
    }

    fn ask_again(&mut self, stale: Vec<Bound>, package: impl Fn(&AppId) -> Option<Arc<Package>>) {
        for bound in stale {
            let package = bound.app.as_ref().and_then(&package);
            self.changed = true;
            self.ask(bound, package.as_deref());
        }
    }

    /// Live values after time has passed; records that know the day when it is another one.
    pub fn tick(&mut self, package: impl Fn(&AppId) -> Option<Arc<Package>>) {
        self.reread(|b| b.source.starts_with("ede:"));
        let today = self.now().date();
        if today != self.day {
            self.day = today;
            let stale: Vec<Bound> = self.known.iter().filter(|(_, k)| k.daily).map(|(b, _)| b.clone()).collect();
            self.ask_again(stale, package);
        }
    }

    fn reread(&mut self, which: impl Fn(&Bound) -> bool) {
        let live: Vec<Bound> = self.known.keys().filter(|b| which(b)).cloned().collect();
        for bound in live {
            // Whether the package may follow it was decided when it was first asked.
            let allowed = self.known.get(&bound).is_some_and(|k| k.value.is_some());
            let value = if allowed { self.live(&bound, None) } else { None };
            if let Some(known) = self.known.get_mut(&bound)
                && value.is_some()
                && known.value != value
            {
                known.value = value;
                self.changed = true;
            }
        }
    }

    /// When the next live value changes.
    pub fn next_change(&self) -> Option<Timestamp> {
        let zone = self.zone.zone().clone();
        let cx = SourceCx { now: self.fixed.unwrap_or_else(Timestamp::now), zone: &zone, locale: &self.locale };
        self.sources.next_change(self.known.keys().filter(|b| b.source.starts_with("ede:")).map(|b| b.source.as_str()), &cx)
    }

    /// Forget what is bound by nobody any more.
    pub fn keep(&mut self, bound: impl Fn(&Bound) -> bool) {
        self.known.retain(|b, _| bound(b));
    }

    /// Has any value changed since the last call?
    pub fn take_changed(&mut self) -> bool {
        std::mem::take(&mut self.changed)
    }
}
