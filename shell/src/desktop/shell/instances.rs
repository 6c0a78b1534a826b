//! The windows of apps as instances ([`ede_engine::instances`]): a window is one from its opening to its close, the keyboard says which
//! one the person is at, and what a close cancels is cancelled. Those that were open when the shell ended are opened again.

use std::collections::{BTreeMap, BTreeSet};

use ede_engine::app_id::AppId;
use ede_engine::instances::{CallNumber, Instance, InstanceId, Instances, Launch, State};
use jiff::Timestamp;

use super::{DocRef, Shell};
use crate::capabilities::host::Chance;
use crate::desktop::screens::Visit;
use crate::desktop::snapshot::{Kept, SnapshotFile};
use crate::wayland::{Platform, SurfaceId};

/// How often the snapshot is written at most (ms).
const BETWEEN: f64 = 1000.0;

/// What an instance fails with whose app is no longer installed.
const GONE: &str = "The app is no longer installed.";

#[derive(Default)]
pub(super) struct AppInstances {
    table: Instances,
    file: SnapshotFile,
    /// What the windows showed that are to be opened again.
    waiting: BTreeMap<InstanceId, Visit>,
    /// Windows that were opened again and have not been painted yet.
    opening: BTreeSet<SurfaceId>,
    /// How often a window went to another screen.
    visits: u64,
    /// What was written last.
    written: (u64, u64),
    /// When it may be written again, and when it is to be (ms of the shell's clock).
    not_before: f64,
    due: Option<f64>,
}

impl AppInstances {
    /// Of a session that may have been here before.
    pub fn resuming(file: SnapshotFile) -> AppInstances {
        AppInstances {
            file,
            ..AppInstances::default()
        }
    }

    /// The instances themselves.
    pub fn table(&self) -> &Instances {
        &self.table
    }

    /// Is the person at this app's window?
    pub fn is_foreground(&self, app: &AppId) -> bool {
        self.table.foreground().is_some_and(|i| i.app_scope == *app)
    }

    pub fn call_submitted(&mut self, call: CallNumber) {
        self.table.call_submitted(call);
    }

    pub fn call_ended(&mut self, call: CallNumber) {
        self.table.call_ended(call);
    }

    /// A window shows another screen.
    pub fn visited(&mut self) {
        self.visits += 1;
    }

    /// When the snapshot is to be written (ms of the shell's clock).
    pub fn due(&self) -> Option<f64> {
        // While windows are opened again it waits for their pictures.
        self.due.filter(|_| self.opening.is_empty())
    }
}

impl Shell {
    /// Take up the session where an earlier shell left it. False where there was none, or nothing is known of it.
    pub(super) fn take_up(&mut self) -> bool {
        let Some(Kept { table, mut windows }) = self.instances.file.read() else {
            return false;
        };
        // A window of nobody's is none.
        windows.retain(|id, _| table.get(id).is_some());
        let now = Timestamp::now();
        self.instances.table = table;
        self.instances.waiting = windows;
        // None of them has a window yet.
        let table = &mut self.instances.table;
        let living: Vec<InstanceId> = ids(table.by_focus());
        for id in living {
            let known = self.instances.waiting.contains_key(&id);
            let moved = match known {
                true => table.suspend(&id, now),
                false => table.close(&id, now).map(drop),
            };
            report(moved);
        }
        true
    }

    /// Open the windows again that were open, as the person went from one to the other. An app that is gone stays away.
    pub(super) fn reopen_windows(&mut self, platform: &mut Platform) {
        if self.instances.waiting.is_empty() {
            return;
        }
        // That they are being opened is known before the first one is.
        let kept = self.kept(true);
        self.instances.file.write(kept);
        self.instances.file.wait();
        for id in ids(self.instances.table.by_focus()) {
            let Some(visit) = self.instances.waiting.remove(&id) else {
                continue;
            };
            let Some(app) = self.instances.table.get(&id).map(|i| i.app_scope.clone()) else {
                continue;
            };
            let Visit { screen, params } = visit;
            let there = self.desk.window_of(&app, Some(&screen)).is_ok();
            let opened = match there {
                true => self.open_app(platform, &app, Some(&screen), params, None),
                // Another version has other screens.
                false => self.open_app(platform, &app, None, Default::default(), None),
            };
            match opened {
                Ok(()) => self.instances.opening.extend(self.window_of_instance(&id)),
                Err(error) => {
                    tracing::debug!(%app, "not opened again: {error}");
                    let failed = self.instances.table.fail(&id, GONE, Timestamp::now());
                    report(failed.map(drop));
                }
            }
        }
    }

    /// The instance that a new window of an app, or the one it has, is of.
    pub(super) fn launch(&mut self, app: &AppId) -> Result<InstanceId, String> {
        let launch = Launch::by_person(app.clone());
        let table = &mut self.instances.table;
        let launched = table.launch(launch, &mut Chance, Timestamp::now());
        let launched = launched.map_err(|error| error.to_string())?;
        // It is opened now, not later.
        self.instances.waiting.remove(&launched.id);
        Ok(launched.id)
    }

    pub(super) fn window_of_instance(&self, id: &InstanceId) -> Option<SurfaceId> {
        let of = |(_, w): &(&SurfaceId, &super::OpenWindow)| w.instance.as_ref() == Some(id);
        self.windows.iter().find(of).map(|(id, _)| *id)
    }

    /// A window is on screen.
    pub(super) fn window_came(&mut self, id: SurfaceId) {
        let Some(instance) = self.windows.get(&id).and_then(|w| w.instance.clone()) else {
            return;
        };
        let state = self.instances.table.get(&instance).map(|i| i.state);
        if matches!(state, Some(State::Starting | State::Suspended)) {
            report(self.instances.table.send_back(&instance, Timestamp::now()));
        }
    }

    /// A window closed, and with it its app: what it called is cancelled.
    pub(super) fn window_went(&mut self, platform: &mut Platform, instance: &InstanceId) {
        let ended = self.instances.table.close(instance, Timestamp::now());
        // The keyboard says who is at the front now.
        self.focus_instances();
        match ended {
            Ok(ended) => self.cancel_calls(platform, &ended.cancelled),
            Err(error) => report(Err(error)),
        }
        self.stop_uploads(platform);
    }

    /// The instance whose window has the keyboard is in the foreground, and no other.
    pub(super) fn focus_instances(&mut self) {
        let typed = self.keyboard.and_then(|id| self.typing(id));
        let at = match typed {
            Some((DocRef::Window(id), _)) => self.windows.get(&id).and_then(|w| w.instance.clone()),
            _ => None,
        };
        let table = &mut self.instances.table;
        let before = table.foreground().map(|i| i.instance_id.clone());
        report(match (at, before) {
            (Some(at), before) if before.as_ref() != Some(&at) => {
                table.bring_forward(&at, Timestamp::now())
            }
            (None, Some(before)) => table.send_back(&before, Timestamp::now()),
            _ => Ok(()),
        });
    }

    /// A call begins. False where it is one of a window that has closed.
    pub(super) fn call_of_window(&mut self, call: CallNumber, doc: DocRef) -> bool {
        let DocRef::Window(id) = doc else { return true };
        match self.windows.get(&id).map(|w| w.instance.as_ref()) {
            Some(Some(instance)) => self.instances.table.call_began(call, instance),
            Some(None) => true,
            None => false,
        }
    }

    /// What is to be kept as it is now.
    fn kept(&self, opening: bool) -> Vec<u8> {
        let shown = self.windows.values().filter_map(|w| {
            let visit = w.window.visit()?;
            Some((w.instance.clone()?, visit.clone()))
        });
        let waiting = self.instances.waiting.iter();
        let waiting = waiting.map(|(id, visit)| (id.clone(), visit.clone()));
        SnapshotFile::bytes(
            &self.instances.table.snapshot(),
            waiting.chain(shown),
            opening,
        )
    }

    /// Write the snapshot when it is another one: at once after a rest, and not too often while much happens.
    pub(super) fn keep_instances(&mut self) {
        if !self.instances.file.is_kept() {
            return;
        }
        let now = self.now_ms();
        let painted = |id: &SurfaceId| {
            let pane = self.panes.get(id);
            pane.is_none_or(|(_, pane)| pane.is_shown())
        };
        let opening = !self.instances.opening.is_empty();
        let all_painted = self.instances.opening.iter().all(painted);
        if opening && !all_painted {
            return;
        }
        self.instances.opening.clear();
        let state = &mut self.instances;
        let is = (state.table.revision(), state.visits);
        if is != state.written && state.due.is_none() {
            state.due = Some(state.not_before.max(now));
        }
        // That they could be opened is worth keeping at once.
        if opening || state.due.is_some_and(|due| due <= now) {
            self.keep_instances_now();
        }
    }

    /// The session ends: what is kept then is what comes back.
    pub(super) fn keep_instances_at_the_end(&mut self) {
        self.keep_instances_now();
        self.instances.file.wait();
    }

    fn keep_instances_now(&mut self) {
        let bytes = self.kept(false);
        let now = self.now_ms();
        let state = &mut self.instances;
        state.written = (state.table.revision(), state.visits);
        state.due = None;
        state.not_before = now + BETWEEN;
        state.file.write(bytes);
    }
}

fn ids(all: Vec<&Instance>) -> Vec<InstanceId> {
    all.iter().map(|i| i.instance_id.clone()).collect()
}

/// A move that was not allowed is a mistake of ours, and changes nothing.
fn report<E: std::fmt::Display>(moved: Result<(), E>) {
    if let Err(error) = moved {
        tracing::error!("{error}");
    }
}
