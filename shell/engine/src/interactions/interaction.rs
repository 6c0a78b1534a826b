//! One interaction from being asked to its one end. Pure: who changes it says what time it is.

use jiff::{SignedDuration, Timestamp};
use serde_json::{Value, json};

use super::agent::{AppSessionId, CallId, Caller};
use super::answer::Answer;
use super::request::{Matter, Request, Wanted};
use crate::clock::iso;

/// How far one has come.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum State {
    /// It waits to be shown.
    Pending,
    /// The person sees it.
    Presented,
    /// It was answered; a notice was shown.
    Completed,
    /// The person left it, or its agent took it back.
    Cancelled,
    Expired,
    /// It could not be shown.
    Failed,
}

impl State {
    pub const ALL: [State; 6] = [
        State::Pending,
        State::Presented,
        State::Completed,
        State::Cancelled,
        State::Expired,
        State::Failed,
    ];

    /// The state called `name`.
    pub fn parse(name: &str) -> Option<State> {
        State::ALL.into_iter().find(|s| s.as_str() == name)
    }

    pub fn as_str(self) -> &'static str {
        match self {
            State::Pending => "pending",
            State::Presented => "presented",
            State::Completed => "completed",
            State::Cancelled => "cancelled",
            State::Expired => "expired",
            State::Failed => "failed",
        }
    }

    /// May anything still happen to it?
    pub fn is_live(self) -> bool {
        matches!(self, State::Pending | State::Presented)
    }
}

/// What happens to one.
#[derive(Debug, Clone, PartialEq)]
pub enum Event {
    /// The person sees it. Again after a restart, which changes nothing.
    Present,
    /// The person answers this.
    Answer(Value),
    /// The person leaves it, or its agent takes it back.
    Cancel,
    /// Its time may have come.
    Expire,
    /// It cannot be shown.
    Fail,
}

/// Why nothing happened to one.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub enum Refused {
    /// It has come to its end, or its time has not.
    #[error("invalid_transition")]
    InvalidTransition,
    /// The answer has not the request's shape.
    #[error("invalid_answer")]
    InvalidAnswer,
}

/// Something an agent asks the person, and what has become of it.
#[derive(Debug, Clone, PartialEq)]
pub struct Interaction {
    pub id: CallId,
    pub caller: Caller,
    pub session: Option<AppSessionId>,
    pub request: Request,
    pub state: State,
    /// Of one that was answered.
    pub answer: Option<Answer>,
    pub created_at: Timestamp,
    /// When it came into its state.
    pub updated_at: Timestamp,
    /// `None` for a notice.
    pub expires_at: Option<Timestamp>,
}

impl Interaction {
    /// Asked `now`.
    pub fn new(id: CallId, wanted: Wanted, now: Timestamp) -> Interaction {
        let (caller, session, request) = wanted.into_parts();
        let expires_at = request.expires_at(now);
        Interaction {
            id,
            caller,
            session,
            request,
            state: State::Pending,
            answer: None,
            created_at: now,
            updated_at: now,
            expires_at,
        }
    }

    /// Has its time come?
    fn is_over(&self, now: Timestamp) -> bool {
        self.expires_at.is_some_and(|at| at <= now)
    }

    /// Have something happen to it at `now`. One whose time has come by then has expired first, whatever else comes.
    ///
    /// # Errors
    /// Nothing has happened, but that it may have expired.
    pub fn apply(&mut self, event: &Event, now: Timestamp) -> Result<(), Refused> {
        if !self.state.is_live() {
            return Err(Refused::InvalidTransition);
        }
        if self.is_over(now) {
            self.come(State::Expired, now);
            return match event {
                Event::Expire => Ok(()),
                _ => Err(Refused::InvalidTransition),
            };
        }
        let notice = matches!(self.request.matter, Matter::Notice { .. });
        match event {
            Event::Present if notice => self.come(State::Completed, now),
            Event::Present if self.state == State::Presented => {}
            Event::Present => self.come(State::Presented, now),
            Event::Answer(value) => {
                let answer = Answer::read(&self.request, value).ok_or(Refused::InvalidAnswer)?;
                self.answer = Some(answer);
                self.come(State::Completed, now);
            }
            Event::Cancel => self.come(State::Cancelled, now),
            Event::Expire => return Err(Refused::InvalidTransition),
            Event::Fail => self.come(State::Failed, now),
        }
        Ok(())
    }

    fn come(&mut self, state: State, now: Timestamp) {
        (self.state, self.updated_at) = (state, now);
    }

    /// What its agent is told at `now`: `{state: "pending", retryAfter, id}` while it is live, else the record.
    pub fn told(&self, now: Timestamp) -> Value {
        if self.state.is_live() && !self.is_over(now) {
            return json!({"state": "pending", "retryAfter": self.retry_after(now), "id": self.id.as_str()});
        }
        let state = if self.state.is_live() {
            State::Expired
        } else {
            self.state
        };
        let mut record = json!({
            "id": self.id.as_str(), "kind": self.request.kind().as_str(), "state": state.as_str(),
            "createdAt": iso(self.created_at), "updatedAt": iso(self.updated_at),
        });
        if let Some(at) = self.expires_at {
            record["expiresAt"] = iso(at).into();
        }
        if let Some(session) = &self.session {
            record["appSession"] = session.as_str().into();
        }
        if let Some(answer) = &self.answer {
            record["answer"] = answer.to_json();
        }
        record
    }

    /// When to poll again, in seconds: soon at first, later the longer nobody has answered, never past its end by much. 1 to 60.
    fn retry_after(&self, now: Timestamp) -> i64 {
        let asked = now
            .duration_since(self.created_at)
            .max(SignedDuration::ZERO);
        let grows = 2 + asked.as_secs() / 8;
        let left = self
            .expires_at
            .map(|at| at.duration_since(now).as_secs() + 1);
        grows.min(left.unwrap_or(60)).clamp(1, 60)
    }
}
