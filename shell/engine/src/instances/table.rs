//! The table of instances: the one place where they are launched, moved and ended, and where the focus changes with them.

use std::io;

use jiff::Timestamp;

use super::calls::{CallNumber, RunningCalls};
use super::focus::FocusStack;
use super::id::{AppSessionId, Caller, Ids, InstanceId};
use super::record::{Instance, MOST_ERROR};
use super::state::{Forbidden, State};
use crate::app_id::AppId;

/// How many ended instances are remembered; the oldest go.
pub const MOST_ENDED: usize = 64;

/// What is to be launched.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Launch {
    pub app: AppId,
    /// The agent it is for, in one of its conversations; `None` for the person's own.
    pub context: Option<Caller>,
    /// The instance it is launched from; it must be running.
    pub parent: Option<InstanceId>,
    /// The session it goes on from: an ended one of the same app and context.
    pub continues: Option<AppSessionId>,
}

impl Launch {
    /// The person opens an app.
    pub fn by_person(app: AppId) -> Launch {
        Launch {
            app,
            context: None,
            parent: None,
            continues: None,
        }
    }
}

/// What a launch came to.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Launched {
    pub id: InstanceId,
    /// It ran already.
    pub reused: bool,
}

/// Why nothing was launched.
#[derive(Debug, thiserror::Error)]
pub enum LaunchError {
    #[error("the instance it would be launched from, {0}, is not running")]
    ParentNotRunning(InstanceId),
    #[error("there is no ended session {0} of this app here to go on from")]
    UnknownSession(AppSessionId),
    #[error("there is no new id for it: {0}")]
    NoId(#[from] io::Error),
}

/// Why nothing was moved.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum MoveError {
    #[error("there is no instance {0}")]
    Unknown(InstanceId),
    #[error(transparent)]
    Forbidden(#[from] Forbidden),
}

/// What the end of an instance brings with it.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
#[must_use]
pub struct Ended {
    /// Its calls that are to be cancelled because their app was closed; each is named once.
    pub cancelled: Vec<CallNumber>,
    /// The one below it, which is in the foreground now.
    pub restored: Option<InstanceId>,
}

/// Every instance there is, and the ended ones that are remembered.
#[derive(Debug, Clone, Default)]
pub struct Instances {
    /// In the order they were launched.
    pub(super) records: Vec<Instance>,
    pub(super) focus: FocusStack,
    calls: RunningCalls,
    revision: u64,
}

impl Instances {
    /// Launch an app, or find that it runs in this context already. A new one is [`State::Starting`].
    pub fn launch(
        &mut self,
        launch: Launch,
        ids: &mut dyn Ids,
        now: Timestamp,
    ) -> Result<Launched, LaunchError> {
        if let Some(parent) = launch.parent.as_ref().filter(|id| !self.is_living(id)) {
            return Err(LaunchError::ParentNotRunning(parent.clone()));
        }
        if let Some(found) = self.active(&launch.app, launch.context.as_ref()) {
            let id = found.instance_id.clone();
            return Ok(Launched { id, reused: true });
        }
        let ended = |session: &AppSessionId| {
            let found = self.session(session);
            found.is_some_and(|i| !i.is_living() && i.is_of(&launch.app, launch.context.as_ref()))
        };
        if let Some(session) = launch.continues.as_ref().filter(|s| !ended(s)) {
            return Err(LaunchError::UnknownSession(session.clone()));
        }
        let id = InstanceId::fresh(ids)?;
        let (agent_id, conversation_id) = match launch.context {
            Some(context) => (Some(context.agent), Some(context.conversation)),
            None => (None, None),
        };
        self.records.push(Instance {
            instance_id: id.clone(),
            app_session_id: Some(AppSessionId::fresh(ids)?),
            app_scope: launch.app,
            agent_id,
            conversation_id,
            state: State::Starting,
            parent_instance_id: launch.parent,
            continued_from_app_session_id: launch.continues,
            started_at: now,
            stopped_at: None,
            error: None,
        });
        self.revision += 1;
        Ok(Launched { id, reused: false })
    }

    pub fn get(&self, id: &InstanceId) -> Option<&Instance> {
        self.records.iter().find(|i| i.instance_id == *id)
    }

    /// The instance a session is, or was, of.
    pub fn session(&self, id: &AppSessionId) -> Option<&Instance> {
        let of = |i: &&Instance| i.app_session_id.as_ref() == Some(id);
        self.records.iter().find(of)
    }

    /// All that are known, in the order they were launched; the ended ones too.
    pub fn all(&self) -> &[Instance] {
        &self.records
    }

    /// The living ones, those nobody has been at first, then as the person went from one to the other.
    pub fn by_focus(&self) -> Vec<&Instance> {
        let stack = self.focus.all();
        let unseen = |i: &&Instance| i.is_living() && !stack.contains(&i.instance_id);
        let seen = stack.iter().filter_map(|id| self.get(id));
        self.records.iter().filter(unseen).chain(seen).collect()
    }

    /// The app's instance that runs in this context.
    pub fn active(&self, app: &AppId, context: Option<&Caller>) -> Option<&Instance> {
        let runs = |i: &&Instance| i.is_living() && i.is_of(app, context);
        self.records.iter().find(runs)
    }

    /// The one the person is at.
    pub fn foreground(&self) -> Option<&Instance> {
        let top = self.get(self.focus.top()?)?;
        (top.state == State::Foreground).then_some(top)
    }

    fn is_living(&self, id: &InstanceId) -> bool {
        self.get(id).is_some_and(Instance::is_living)
    }

    /// Another number after every change.
    pub fn revision(&self) -> u64 {
        self.revision
    }

    /// Let one move. What it is already it stays, without a change.
    fn step(&mut self, id: &InstanceId, to: State, now: Timestamp) -> Result<(), MoveError> {
        let found = self.records.iter_mut().find(|i| i.instance_id == *id);
        let instance = found.ok_or_else(|| MoveError::Unknown(id.clone()))?;
        if instance.state != to {
            instance.state = instance.state.moved_to(to)?;
            instance.stopped_at = to.is_final().then_some(now.max(instance.started_at));
            self.revision += 1;
        }
        Ok(())
    }

    /// The person is at this one; the one they were at goes to the background.
    pub fn bring_forward(&mut self, id: &InstanceId, now: Timestamp) -> Result<(), MoveError> {
        let before = self.foreground().map(|i| i.instance_id.clone());
        self.step(id, State::Foreground, now)?;
        if let Some(before) = before.filter(|before| before != id) {
            self.step(&before, State::Background, now)?;
        }
        if self.focus.top() != Some(id) {
            self.focus.push(id.clone());
            self.revision += 1;
        }
        Ok(())
    }

    /// The person is elsewhere. It keeps its place in the focus.
    pub fn send_back(&mut self, id: &InstanceId, now: Timestamp) -> Result<(), MoveError> {
        self.step(id, State::Background, now)
    }

    /// It has no window for now. It keeps its place in the focus.
    pub fn suspend(&mut self, id: &InstanceId, now: Timestamp) -> Result<(), MoveError> {
        self.step(id, State::Suspended, now)
    }

    /// Close one, in order. One that has ended already changes nothing.
    pub fn close(&mut self, id: &InstanceId, now: Timestamp) -> Result<Ended, MoveError> {
        self.end(id, State::Stopped, None, now)
    }

    /// One has ended by itself, for this reason: plain words. One that has ended already changes nothing.
    pub fn fail(
        &mut self,
        id: &InstanceId,
        error: &str,
        now: Timestamp,
    ) -> Result<Ended, MoveError> {
        self.end(id, State::Failed, Some(error), now)
    }

    fn end(
        &mut self,
        id: &InstanceId,
        to: State,
        error: Option<&str>,
        now: Timestamp,
    ) -> Result<Ended, MoveError> {
        let found = self.get(id).ok_or_else(|| MoveError::Unknown(id.clone()))?;
        if !found.is_living() {
            return Ok(Ended::default());
        }
        let was_foreground = found.state == State::Foreground;
        self.step(id, State::Stopping, now)?;
        self.step(id, to, now)?;
        if let Some(instance) = self.records.iter_mut().find(|i| i.instance_id == *id) {
            instance.error = error.map(|words| words.chars().take(MOST_ERROR).collect());
        }
        self.focus.remove(id);
        let below = self.focus.top().cloned().filter(|_| was_foreground);
        if let Some(below) = &below {
            self.step(below, State::Foreground, now)?;
        }
        self.forget_oldest();
        Ok(Ended {
            cancelled: self.calls.cancel(id),
            restored: below,
        })
    }

    /// Of the ended ones the newest are remembered.
    pub(super) fn forget_oldest(&mut self) {
        let ended = self.records.iter().filter(|i| !i.is_living());
        let mut over = ended.count().saturating_sub(MOST_ENDED);
        while over > 0 {
            let ended = self.records.iter().enumerate();
            let ended = ended.filter(|(_, i)| !i.is_living());
            let Some((oldest, _)) = ended.min_by_key(|(_, i)| i.stopped_at) else {
                return;
            };
            self.records.remove(oldest);
            over -= 1;
        }
    }

    /// A call of an instance begins. False where the instance is not running: there is nobody to call.
    pub fn call_began(&mut self, call: CallNumber, of: &InstanceId) -> bool {
        let runs = self.is_living(of);
        if runs {
            self.calls.began(call, of);
        }
        runs
    }

    /// A call has its answer, which is being taken in: it flows on even if the app closes.
    pub fn call_submitted(&mut self, call: CallNumber) {
        self.calls.submitted(call);
    }

    /// A call is over.
    pub fn call_ended(&mut self, call: CallNumber) {
        self.calls.ended(call);
    }
}
