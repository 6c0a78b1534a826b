//! Calls on their way: prepared and finished on the worker's thread, with a provider's answer in between. Whatever ends the session
//! leaves the row of each.

use std::sync::Arc;

use ede_engine::app_id::AppId;
use ede_engine::bridge::NativeAnswer;
use ede_engine::bridge::mime::MimeTypes;
use ede_engine::broker::call::{Allowed, Closed, Prepared, Running};
use ede_engine::broker::state::CallState;
use ede_engine::instances::CallNumber;
use ede_engine::package::Package;
use serde_json::Value;

use super::super::{DocRef, News, Shell, Where};
use super::questions::Unanswered;
use super::{Caller, path_of};
use crate::capabilities::host::Chance;
use crate::capabilities::worker::{Job, Worker};
use crate::capabilities::{Call, Later, Press, Ran, Stop};
use crate::wayland::Platform;

/// The capability whose calls the person picks files for.
const FILES: &str = "files";

pub(super) struct UnderWay {
    package: Arc<Package>,
    caller: Caller,
    press: Option<Press>,
    /// While a provider has it.
    running: Option<Running>,
    /// Tells the provider when its answer is nobody's.
    stop: Stop,
    /// Its app was closed while it was prepared.
    cancelled: bool,
}

impl Shell {
    /// An allowed call is made.
    pub(super) fn begin(
        &mut self,
        platform: &mut Platform,
        package: Arc<Package>,
        mut caller: Caller,
        allowed: Allowed,
        press: Option<Press>,
    ) {
        let CallNumber(ticket) = match &mut caller {
            Caller::Surface(call) => {
                self.move_call(
                    call,
                    &path_of(allowed.tool()),
                    CallState::Executing,
                    Value::Null,
                );
                call.number
            }
            _ => self.calls.next_number(),
        };
        let app = package.id().clone();
        let screens: Vec<_> = package.screens().iter().map(|s| s.id.clone()).collect();
        let call = UnderWay {
            package,
            caller,
            press,
            running: None,
            stop: Stop::default(),
            cancelled: false,
        };
        self.calls.under_way.insert(ticket, call);
        let prepare: Job = Box::new(move |files| match files {
            Some(files) => allowed.prepare(&screens, MimeTypes::known(), files, &mut Chance),
            None => Prepared::Closed(allowed.unreached()),
        });
        self.step(platform, &app, ticket, prepare);
    }

    /// Have a call's next step taken.
    fn step(&mut self, platform: &mut Platform, app: &AppId, ticket: u64, job: Job) {
        let Some(store) = self.desk.feed.store() else {
            // Where nothing is kept nothing is called: a preview's own words are elsewhere.
            self.calls.under_way.remove(&ticket);
            return;
        };
        if self.calls.worker.is_none() {
            let tell = self.tell.clone();
            self.calls.worker = Worker::start(store.blobs(), move || tell(News::Steps))
                .map_err(|error| tracing::warn!("calls have no thread of their own: {error}"))
                .ok();
        }
        match &self.calls.worker {
            Some(worker) => worker.put(app, ticket, job),
            None => {
                let prepared = job(Some(&mut store.blobs()));
                self.went_on(platform, ticket, prepared);
            }
        }
    }

    /// Steps have been taken.
    pub(in crate::desktop::shell) fn steps_taken(&mut self, platform: &mut Platform) {
        let taken = self.calls.worker.as_ref().map(Worker::take);
        for (ticket, prepared) in taken.into_iter().flatten() {
            self.went_on(platform, ticket, prepared);
        }
    }

    fn went_on(&mut self, platform: &mut Platform, ticket: u64, prepared: Prepared) {
        match prepared {
            Prepared::Closed(closed) => self.came_to_end(ticket, closed),
            Prepared::Native(running) => {
                let call = self.calls.under_way.get(&ticket);
                match call.is_some_and(|call| call.cancelled) {
                    true => self.came_to_end(ticket, running.cancel()),
                    false => self.run(platform, ticket, running),
                }
            }
        }
    }

    /// The app of a call was closed. What has its answer goes on to its end, what is being prepared ends when it is.
    pub(super) fn cancel_under_way(&mut self, platform: &mut Platform, call: CallNumber) {
        let Some(under_way) = self.calls.under_way.get_mut(&call.0) else {
            return;
        };
        let Some(running) = under_way.running.take() else {
            under_way.cancelled = true;
            return;
        };
        under_way.stop.stop();
        let app = under_way.package.id().clone();
        let picks = running.tool().capability.as_str() == FILES;
        self.came_to_end(call.0, running.cancel());
        if picks {
            self.drop_picks_of(platform, &[app]);
        }
    }

    fn came_to_end(&mut self, ticket: u64, closed: Closed) {
        if let Some(call) = self.calls.under_way.remove(&ticket) {
            self.closed_call(&call.package, call.caller, closed);
        }
    }

    fn run(&mut self, platform: &mut Platform, ticket: u64, mut running: Running) {
        let Some(under_way) = self.calls.under_way.get_mut(&ticket) else {
            return;
        };
        let tool = running.tool();
        let tell = self.tell.clone();
        let call = Call {
            package: &under_way.package,
            tool: tool.name.as_str(),
            arguments: running.take_native_arguments(),
            press: under_way.press,
            later: Later::new(move |answer| tell(News::Native(ticket, answer))),
            stop: under_way.stop.clone(),
        };
        under_way.running = Some(running);
        let providers = &mut self.calls.providers;
        match providers.call(tool.capability.as_str(), call, Some(platform)) {
            Ran::Now(answer) => self.native_answered(platform, ticket, answer),
            Ran::Later => {}
        }
    }

    /// A provider has answered.
    pub(in crate::desktop::shell) fn native_answered(
        &mut self,
        platform: &mut Platform,
        ticket: u64,
        answer: NativeAnswer,
    ) {
        let Some(under_way) = self.calls.under_way.get_mut(&ticket) else {
            return;
        };
        let app = under_way.package.id().clone();
        if let Some(running) = under_way.running.take() {
            self.instances.call_submitted(CallNumber(ticket));
            let finish: Job = Box::new(move |files| {
                Prepared::Closed(match files {
                    Some(files) => running.finish(answer, files),
                    None => running.unreached(),
                })
            });
            self.step(platform, &app, ticket, finish);
        }
    }

    /// Where files are asked for by a call in this app's name, and on which screen; nothing where none does, or no more.
    pub(in crate::desktop::shell) fn call_that_picks(
        &self,
        app: &AppId,
    ) -> Option<(Option<DocRef>, Where)> {
        let asks = |call: &&UnderWay| {
            let tool = call.running.as_ref().map(Running::tool);
            call.package.id() == app && tool.is_some_and(|t| t.capability.as_str() == FILES)
        };
        let call = self.calls.under_way.values().find(asks)?;
        let doc = match &call.caller {
            Caller::Surface(call) => Some(call.at.doc),
            _ => None,
        };
        Some((doc, call.caller.screen()))
    }

    /// The session ends: nobody answers any more, and every call has its row.
    pub(in crate::desktop::shell) fn end_calls(&mut self) {
        for asked in std::mem::take(&mut self.calls.questions) {
            self.unanswered(asked, Unanswered::Left);
        }
        self.end_errands();
        let taken = self.calls.worker.take().map(Worker::end);
        for (ticket, prepared) in taken.into_iter().flatten() {
            let closed = match prepared {
                Prepared::Closed(closed) => closed,
                Prepared::Native(running) => running.unreached(),
            };
            self.came_to_end(ticket, closed);
        }
        for (_, call) in std::mem::take(&mut self.calls.under_way) {
            if let Some(running) = call.running {
                self.closed_call(&call.package, call.caller, running.unreached());
            }
        }
    }
}
