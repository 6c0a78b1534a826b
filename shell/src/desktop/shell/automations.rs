//! What apps do by themselves, as far as the shell is concerned: it has the records look when something may be due (at its start, when apps
//! changed, when a record was written, when a schedule's time has come), and makes the calls that follow on a run, in the background.

use std::sync::Arc;

use ede_engine::actions::Effect;
use ede_engine::automations::{Automation, Trigger};
use ede_engine::broker::audit::{AutomationId, Client};
use ede_engine::package::Package;
use ede_engine::records::{AutomationRuns, Change};
use jiff::Timestamp;

use super::calls::Caller;
use super::{News, Shell};
use crate::wayland::Platform;

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
            // The store tells of its trouble by itself, and of its end: then it looks again.
            let runs = runs.inspect_err(|error| tracing::debug!("automations wait: {error}"));
            tell(News::Automations(runs.ok()));
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
        let now = Timestamp::now();
        if self.calls.automations.next.is_some_and(|next| next <= now) {
            self.run_automations();
        }
    }

    /// What was due has run.
    pub(super) fn automations_ran(
        &mut self,
        platform: &mut Platform,
        runs: Option<AutomationRuns>,
    ) {
        let state = &mut self.calls.automations;
        state.looking = false;
        let again = std::mem::take(&mut state.again);
        let Some(runs) = runs else { return };
        state.next = runs.next;
        for (package, name, calls) in runs.calls {
            for call in calls {
                self.follow_automation(platform, &package, &name, call);
            }
        }
        if again || runs.more {
            self.run_automations();
        }
    }

    /// What needs a surface does nothing: there is none, and nothing opens one by itself.
    fn follow_automation(
        &mut self,
        platform: &mut Platform,
        package: &Arc<Package>,
        name: &str,
        call: Effect,
    ) {
        match call {
            Effect::Toast(text) => self.say(package.id(), &text),
            Effect::Capability { function, args } => {
                let client = Client::Automation(AutomationId::new(name));
                let decided = (self.desk.gate).decide(package, client, &function, args, false);
                self.go_on(platform, package.clone(), Caller::Nobody, decided, None);
            }
            _ => {}
        }
    }
}
