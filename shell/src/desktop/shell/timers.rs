//! One timer for everything that waits: the earliest of what the views ask for. Live values, notifications, automations and what agents ask follow the clock on the
//! wall, by a timer of their own that ends when the clock is set or the machine wakes. Nothing asks, nothing wakes.

use std::time::{Duration, SystemTime};

use super::{BOARDS_LATEST, Shell};
use crate::wayland::{Platform, Wake};

impl Shell {
    /// Arm the timers for the earliest moment anything waits for.
    pub(super) fn set_timers(&mut self, platform: &mut Platform) {
        let now = self.now_ms();
        let mut next: Option<f64> = None;
        for at in self.docs() {
            let Some(doc) = self.doc(at) else { continue };
            let views =
                std::iter::once(&doc.view).chain(doc.widgets().map(|(_, w)| &w.content.view));
            for ms in views.filter_map(|v| v.next_wake(now)) {
                next = Some(next.map_or(ms, |n| n.min(ms)));
            }
        }
        if let Some(ms) = self.next_reveal(now) {
            next = Some(next.map_or(ms, |n| n.min(ms)));
        }
        if let Some(ms) = self.toast_ends() {
            next = Some(next.map_or(ms, |n| n.min(ms)));
        }
        if let Some(ms) = self.card_waits() {
            next = Some(next.map_or(ms, |n| n.min(ms)));
        }
        if let Some(ms) = self.sheet_waits() {
            next = Some(next.map_or(ms, |n| n.min(ms)));
        }
        if let Some(ms) = self.instances.due() {
            next = Some(next.map_or(ms, |n| n.min(ms)));
        }
        if let Some(ms) = self.next_reading() {
            next = Some(next.map_or(ms, |n| n.min(ms)));
        }
        if let Some(at) = self.desk.res.images.next_wake() {
            let ms = at.saturating_duration_since(self.started).as_secs_f64() * 1000.0;
            next = Some(next.map_or(ms, |n| n.min(ms)));
        }
        let usable = (self.outputs.values()).filter_map(|on| on.usable.waits_until());
        for ms in usable {
            next = Some(next.map_or(ms, |n| n.min(ms)));
        }
        if self.boards_wait {
            next = Some(next.map_or(BOARDS_LATEST, |n| n.min(BOARDS_LATEST)));
        }
        if self.wake != next {
            self.wake = next;
            platform.wake_at(
                next.map(|ms| self.started + Duration::from_secs_f64((ms / 1000.0).max(0.0))),
            );
        }
        let docs = self.docs();
        let uris = docs
            .iter()
            .filter_map(|at| self.doc(*at))
            .flat_map(|d| d.bounds())
            .flat_map(|b| b.set.shell_sources())
            .map(|s| s.uri.as_str());
        let values = self.desk.feed.next_change(uris);
        let next = [
            values,
            self.calls.notices.next(),
            self.calls.automations.next(),
            self.interactions.next(),
        ];
        let wall = next.into_iter().flatten().min().map(SystemTime::from);
        if self.wall != wall {
            self.wall = wall;
            platform.wake_at_wall(wall);
        }
    }

    pub(super) fn timer(&mut self, platform: &mut Platform, wake: Wake) {
        match wake {
            Wake::Timer => {
                self.wake = None;
                // Whoever shows one that is given up hears of it as of one that comes.
                self.desk.res.images.poll();
                self.read_again();
                let now = self.now_ms();
                for at in self.docs() {
                    let ids: Vec<Option<String>> = self
                        .doc(at)
                        .map(|d| {
                            std::iter::once(None)
                                .chain(d.widgets().map(|(id, _)| Some(id.to_string())))
                                .collect()
                        })
                        .unwrap_or_default();
                    for id in ids {
                        let due = |v: &ede_renderer::View| {
                            v.next_wake(now).is_some_and(|at| at <= now + 1.0)
                        };
                        let response = self
                            .with_view(at, id.as_deref(), |view, res| {
                                due(view).then(|| view.wake(res, now))
                            })
                            .flatten();
                        if let Some(r) = response {
                            self.answer(platform, at, id.as_deref(), r);
                        }
                    }
                }
            }
            Wake::Wall { .. } => {
                self.wall = None;
                self.clock_moved();
                self.time_for_notices();
                self.time_for_automations();
                self.time_for_interactions();
            }
        }
    }
}
