//! What apps do by themselves, as far as the shell is concerned: it has the records look when something may be due (at its start, when apps
//! changed, when a record was written, when a schedule's time has come), and makes the calls that follow on a run, in the background.

use std::sync::Arc;

use ede_engine::automations::{Automation, Trigger};
use ede_engine::broker::audit::{AutomationId, Client};
use ede_engine::package::Package;
use ede_engine::records::{AutomationRuns, Change};
use jiff::{SignedDuration, Timestamp};

use super::{News, Shell};
use crate::wayland::Platform;

/// After trouble with the records it is looked again so much later.
const AGAIN: SignedDuration = SignedDuration::from_secs(60);

#[derive(Default)]
pub(super) struct Automations {
    /// When the next schedule is due.
    next: Option<Timestamp>,
    /// The records are looking.
    looking: bool,
    /// Something happened meanwhile.
    again: bool,
}

impl Automations {
    /// When the next schedule is due.
    pub fn next(&self) -> Option<Timestamp> {
        self.next
    }
}

impl Shell {
    /// Have what is due run. Nothing does before it is known what the person decided.
    pub(super) fn run_automations(&mut self) {
        let Some(store) = self.desk.feed.store().filter(|_| self.desk.gate.knows()) else {
            return;
        };
        let state = &mut self.calls.automations;
        state.again = state.looking;
        if std::mem::replace(&mut state.looking, true) {
            return;
        }
        // All of them: what an app no longer does by itself is forgotten too.
        let packages: Vec<Arc<Package>> = self.desk.shelf.iter().cloned().collect();
        let zone = self.desk.feed.viewer().now.time_zone().clone();
        let tell = self.tell.clone();
        store.run_automations(packages, zone).then(move |runs| {
            let stopped = |error| AutomationRuns {
                trouble: Some(error),
                ..AutomationRuns::default()
            };
            tell(News::Automations(runs.unwrap_or_else(stopped)));
        });
    }

    /// Records were written: does an app wait for that?
    pub(super) fn written(&mut self, changes: &[Change]) {
        let waits = |change: &Change| {
            let package = self.desk.shelf.get(&change.app);
            let all = package.map(|p| Automation::all(p)).unwrap_or_default();
            (all.iter()).any(|a| matches!(&a.on, Trigger::Record(kind, _) if *kind == change.kind))
        };
        if changes.iter().any(waits) {
            self.run_automations();
        }
    }

    /// The clock on the wall has moved.
    pub(super) fn time_for_automations(&mut self) {
        let (now, next) = (Timestamp::now(), &mut self.calls.automations.next);
        // It is said anew by who looks; until then there is nothing to wake for.
        if next.take_if(|next| *next <= now).is_some() {
            self.run_automations();
        }
    }

    /// What was due has run.
    pub(super) fn automations_ran(&mut self, platform: &mut Platform, runs: AutomationRuns) {
        let state = &mut self.calls.automations;
        state.looking = false;
        let again = std::mem::take(&mut state.again);
        state.next = runs.next;
        if let Some(trouble) = &runs.trouble {
            // The store tells of it by itself.
            tracing::debug!("automations wait: {trouble}");
            let later = Timestamp::now() + AGAIN;
            state.next = Some(state.next.map_or(later, |next| next.min(later)));
        }
        for (package, name, calls) in runs.calls {
            for call in calls {
                let client = Client::Automation(AutomationId::new(&name));
                self.follow(platform, &package, client, call);
            }
        }
        // Whoever cannot be looked at now is not asked in a circle.
        if again || runs.more && runs.trouble.is_none() {
            self.run_automations();
        }
    }
}
