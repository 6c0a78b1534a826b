//! What the person is asked about calls, about reading from their servers, and about what agents call: one sheet at a time, the oldest question first; an answer
//! is for every question about the same.

use std::sync::Arc;

use ede_engine::app_id::AppId;
use ede_engine::broker::call::{Consent, Question};
use ede_engine::broker::grants::{Grant, Subject};
use ede_engine::broker::state::CallState;
use ede_engine::exposes;
use ede_engine::instances::CallNumber;
use ede_engine::package::{Capability, Package};
use ede_engine::records::Wish;
use ede_engine::upstreams::{Outcome, Reading, Refusal, Server, Unread};
use serde_json::Value;

use super::super::sheets::{About, OpenSheet};
use super::super::{DocRef, News, Shell};
use super::errands::{Wanted, path_of_errand};
use super::{Caller, path_of, screen_of};
use crate::capabilities::files::Picked;
use crate::desktop::{consent, permissions};
use crate::wayland::Platform;

/// What waits for the person.
pub(super) struct Asked {
    about: Matter,
    package: Arc<Package>,
    caller: Caller,
}

/// What the person is asked.
pub(super) enum Matter {
    /// May this call be made?
    Call(Question),
    /// May bindings read from this server? With the first reading that needs it.
    Reading(Box<Reading>, Server),
    /// May this tool of a server be called?
    Tool(Box<Wanted>),
    /// May agents call this tool that the app offers?
    Offered(Box<exposes::Call>),
}

/// Why nobody has answered.
#[derive(Clone, Copy)]
pub(super) enum Unanswered {
    /// The person left the sheet, or it could not stay.
    Left,
    /// They were not asked: they have just left one about the same.
    Muted,
    /// The window it was asked from has closed.
    AppClosed,
}

impl Matter {
    /// Where a surface's data says how far the call is that waits for it.
    fn path(&self) -> Option<String> {
        match self {
            Matter::Call(question) => question.verdict().tool().map(path_of),
            Matter::Reading(..) | Matter::Offered(_) => None,
            Matter::Tool(wanted) => Some(path_of_errand(&wanted.to)),
        }
    }
}

impl Asked {
    fn app(&self) -> &AppId {
        self.package.id()
    }

    fn key(&self) -> (AppId, Subject) {
        let subject = match &self.about {
            Matter::Call(question) => question.scope().id.clone().into(),
            Matter::Reading(reading, _) => Subject::Upstream(reading.server.clone()),
            Matter::Tool(wanted) => Subject::Tool(wanted.to.clone()),
            Matter::Offered(call) => Subject::Exposed(call.tool().name.clone()),
        };
        (self.app().clone(), subject)
    }

    /// What an answer is kept for.
    fn wish(&self) -> Option<Wish> {
        match &self.about {
            Matter::Call(question) => self.declared(question).map(Wish::from),
            Matter::Reading(reading, server) => Some(Wish::server(&reading.server, server)),
            Matter::Tool(wanted) => Some(Wish::tool(&wanted.to, &wanted.server)),
            Matter::Offered(call) => call.wish(),
        }
    }

    /// As the manifest declares what is asked for.
    fn declared(&self, question: &Question) -> Option<&Capability> {
        let scope = &question.scope().id;
        let all = self.package.capabilities();
        all.iter().find(|c| c.scope == *scope)
    }

    /// What the sheet says.
    fn data(&self) -> Option<Value> {
        match &self.about {
            Matter::Call(question) => {
                let declared = self.declared(question)?;
                Some(consent::data(&self.package, question.scope(), declared))
            }
            Matter::Reading(reading, server) => {
                Some(consent::reading(&self.package, &reading.server, server))
            }
            Matter::Tool(wanted) => {
                Some(consent::calling(&self.package, &wanted.to, &wanted.server))
            }
            Matter::Offered(call) => Some(consent::offering(&self.package, call.tool())),
        }
    }
}

impl Shell {
    /// Put a question to the person, after those that wait already.
    pub(super) fn ask(
        &mut self,
        platform: &mut Platform,
        question: Question,
        package: Arc<Package>,
        caller: Caller,
    ) {
        self.put_question(platform, Matter::Call(question), package, caller);
    }

    /// Put a question after those that wait already; one that the person has just left is not put.
    pub(super) fn put_question(
        &mut self,
        platform: &mut Platform,
        about: Matter,
        package: Arc<Package>,
        caller: Caller,
    ) {
        let mut asked = Asked {
            about,
            package,
            caller,
        };
        if self.calls.muted.contains(&asked.key()) {
            return self.unanswered(asked, Unanswered::Muted);
        }
        if let (Caller::Surface(call), Some(path)) = (&mut asked.caller, asked.about.path()) {
            self.move_call(call, &path, CallState::AwaitingApproval, Value::Null);
        }
        self.calls.questions.push_back(asked);
        self.show_question(platform);
    }

    /// Ask the person whether an app may read from a server of theirs, after what waits already.
    pub(super) fn ask_to_read(
        &mut self,
        platform: &mut Platform,
        reading: Box<Reading>,
        package: Arc<Package>,
        caller: Caller,
    ) {
        let Some(server) = self.desk.gate.server(&reading.server).cloned() else {
            return;
        };
        self.put_new_question(platform, Matter::Reading(reading, server), package, caller);
    }

    /// Put a question that no call waits for, once.
    pub(super) fn put_new_question(
        &mut self,
        platform: &mut Platform,
        about: Matter,
        package: Arc<Package>,
        caller: Caller,
    ) {
        let asked = Asked {
            about,
            package,
            caller,
        };
        let key = asked.key();
        let waits = self.calls.questions.iter().any(|q| q.key() == key);
        if !waits && self.decided(&asked).is_none() && !self.calls.muted.contains(&key) {
            self.calls.questions.push_back(asked);
            self.show_question(platform);
        }
    }

    /// What has been decided meanwhile about what is asked.
    fn decided(&self, asked: &Asked) -> Option<Grant> {
        let gate = &self.desk.gate;
        match &asked.about {
            Matter::Call(question) => gate.grants(&asked.package).get(&question.scope().id),
            Matter::Reading(..) | Matter::Tool(_) | Matter::Offered(_) => {
                gate.decided(&asked.package, &asked.wish()?)
            }
        }
    }

    /// Questions that need none any more go on without the person.
    pub(super) fn drop_decided(&mut self, platform: &mut Platform) {
        let first = self.calls.questions.front().and_then(|q| self.decided(q));
        let asks = |s: &OpenSheet| s.about == About::Question;
        if first.is_some() && self.sheet.as_ref().is_some_and(asks) {
            self.close_sheet(platform);
        }
        for asked in std::mem::take(&mut self.calls.questions) {
            match self.decided(&asked) {
                Some(Grant::Granted) => {
                    self.answered_question(platform, asked, Consent::Granted);
                }
                Some(Grant::Denied) => self.answered_question(platform, asked, Consent::Denied),
                None => self.calls.questions.push_back(asked),
            }
        }
        self.show_question(platform);
    }

    /// These apps are others now, or gone: nobody is asked about what they were.
    pub(in crate::desktop::shell) fn drop_questions_of(
        &mut self,
        platform: &mut Platform,
        apps: &[AppId],
    ) {
        let stale = |q: &Asked| apps.contains(q.app());
        let about = self.sheet.as_ref().map(|s| &s.about);
        let shown = match about {
            Some(About::Question) => self.calls.questions.front().is_some_and(stale),
            Some(About::Permissions(app)) => apps.contains(app),
            Some(About::Files) | None => false,
        };
        if shown {
            self.close_sheet(platform);
        }
        let questions = std::mem::take(&mut self.calls.questions);
        let (gone, others): (Vec<_>, Vec<_>) = questions.into_iter().partition(stale);
        self.calls.questions = others.into();
        for asked in gone {
            self.answered_question(platform, asked, Consent::Dismissed);
        }
        self.drop_picks_of(platform, apps);
        self.show_question(platform);
    }

    /// The app of these calls was closed: nobody is asked about them.
    pub(super) fn cancel_questions(&mut self, platform: &mut Platform, calls: &[CallNumber]) {
        let gone = |q: &Asked| q.caller.is_of(calls);
        let asks = self
            .sheet
            .as_ref()
            .is_some_and(|s| s.about == About::Question);
        if asks && self.calls.questions.front().is_some_and(gone) {
            self.close_sheet(platform);
        }
        let questions = std::mem::take(&mut self.calls.questions);
        let (gone, others): (Vec<_>, Vec<_>) = questions.into_iter().partition(gone);
        self.calls.questions = others.into();
        for asked in gone {
            self.unanswered(asked, Unanswered::AppClosed);
        }
        self.show_question(platform);
    }

    /// Open the sheet of the first question, if none is open, or else of the first pick. What has been decided already must be known first.
    pub(in crate::desktop::shell) fn show_question(&mut self, platform: &mut Platform) {
        while self.sheet.is_none()
            && self.desk.gate.knows()
            && let Some(first) = self.calls.questions.front()
        {
            let on = first.caller.screen();
            let data = first.data();
            self.close_popup(platform);
            let shown =
                data.is_some_and(|data| self.open_sheet(platform, on, About::Question, data));
            if !shown {
                self.answer_question(platform, Consent::Dismissed);
            }
        }
        self.show_pick(platform);
    }

    /// What an app may do, and the way to be asked again.
    pub(in crate::desktop::shell) fn show_permissions(
        &mut self,
        platform: &mut Platform,
        doc: DocRef,
        app: &AppId,
    ) {
        let Some(package) = self.desk.shelf.get(app).filter(|_| self.sheet.is_none()) else {
            return;
        };
        let gate = &self.desk.gate;
        let data = permissions::data(package, &gate.grants(package), &gate.stands_with(package));
        self.open_sheet(
            platform,
            screen_of(doc),
            About::Permissions(app.clone()),
            data,
        );
    }

    /// Decisions changed: an open sheet about them says so.
    pub(super) fn permissions_changed(&mut self) {
        let Some(sheet) = &mut self.sheet else { return };
        let About::Permissions(app) = &sheet.about else {
            return;
        };
        if let Some(package) = self.desk.shelf.get(app) {
            let gate = &self.desk.gate;
            let data =
                permissions::data(package, &gate.grants(package), &gate.stands_with(package));
            sheet.popup.set("/", data);
        }
    }

    /// A press on one of the sheet's buttons; of a row, its scope is in the context.
    pub(in crate::desktop::shell) fn sheet_pressed(
        &mut self,
        platform: &mut Platform,
        name: &str,
        context: &Value,
    ) {
        let Some(sheet) = &self.sheet else { return };
        if sheet.about == About::Files {
            return self.browse_pressed(platform, name, context);
        }
        if let About::Permissions(app) = sheet.about.clone() {
            let scope = context.get("scope").and_then(Value::as_str);
            match (name, scope.and_then(Subject::parse), self.desk.feed.store()) {
                (permissions::FORGET, Some(subject), Some(store)) => {
                    let tell = self.tell.clone();
                    store.revoke(app.clone(), subject).then(move |done| {
                        if let Err(error) = done {
                            tell(News::NotKept(app, error));
                        }
                    });
                }
                (permissions::DONE, ..) => self.sheet_left(platform),
                _ => {}
            }
            return;
        }
        let consent = match name {
            consent::ALLOW => Consent::Granted,
            consent::DENY => Consent::Denied,
            _ => return,
        };
        if self.sheet.as_ref().is_some_and(|s| s.is_ready()) {
            self.answer_question(platform, consent);
        }
    }

    /// The person left the sheet, or it could not stay.
    pub(in crate::desktop::shell) fn sheet_left(&mut self, platform: &mut Platform) {
        match self.sheet.as_ref().map(|s| &s.about) {
            Some(About::Permissions(_)) => {
                self.close_sheet(platform);
                return self.show_question(platform);
            }
            Some(About::Files) => return self.pick_made(platform, Picked::default()),
            Some(About::Question) | None => {}
        }
        if let Some(first) = self.calls.questions.front() {
            self.calls.muted.insert(first.key());
        }
        self.answer_question(platform, Consent::Dismissed);
    }

    /// The first question is answered, and with it every other about the same.
    fn answer_question(&mut self, platform: &mut Platform, consent: Consent) {
        self.close_sheet(platform);
        let Some(key) = self.calls.questions.front().map(Asked::key) else {
            return;
        };
        let questions = std::mem::take(&mut self.calls.questions);
        let (same, others): (Vec<_>, Vec<_>) = questions.into_iter().partition(|q| q.key() == key);
        self.calls.questions = others.into();
        if let (Some(grant), Some(store), Some(first)) =
            (consent.grant(), self.desk.feed.store(), same.first())
            && let Some(wish) = first.wish()
        {
            let (tell, app) = (self.tell.clone(), key.0);
            let kept = store.decide(&first.package, wish, grant);
            kept.then(move |done| {
                if let Err(error) = done {
                    tell(News::NotKept(app, error));
                }
            });
        }
        for asked in same {
            self.answered_question(platform, asked, consent);
        }
        self.show_question(platform);
    }

    /// Nobody has answered: nothing is called, which has its row.
    pub(super) fn unanswered(&mut self, asked: Asked, why: Unanswered) {
        let unread = match why {
            Unanswered::Left | Unanswered::Muted => Unread::Refused(Refusal::Undecided),
            Unanswered::AppClosed => Unread::AppClosed,
        };
        match asked.about {
            Matter::Call(question) => {
                let closed = match why {
                    Unanswered::Left => question.left(),
                    Unanswered::Muted => question.unasked(),
                    Unanswered::AppClosed => question.cancel(),
                };
                self.closed_call(&asked.package, asked.caller, closed);
            }
            Matter::Reading(reading, _) => {
                let outcome = Outcome::Unread(unread);
                self.desk.gate.keep(&outcome, asked.package.id(), &reading);
            }
            Matter::Tool(wanted) => {
                if let Some(sent) = wanted.sent(asked.package, asked.caller) {
                    self.errand_over(sent, Outcome::Unread(unread));
                }
            }
            Matter::Offered(call) => {
                let answered = match why {
                    Unanswered::Left | Unanswered::Muted => {
                        exposes::Answered::Refused(exposes::Refused::ConsentNeeded)
                    }
                    Unanswered::AppClosed => exposes::Answered::AppClosed,
                };
                self.tool_over(asked.caller, call.close(answered));
            }
        }
    }

    fn answered_question(&mut self, platform: &mut Platform, asked: Asked, consent: Consent) {
        if consent == Consent::Dismissed {
            return self.unanswered(asked, Unanswered::Left);
        }
        let question = match asked.about {
            Matter::Call(question) => question,
            // What is read is bound again with the decision, which leaves its row.
            Matter::Reading(..) => return,
            Matter::Offered(call) if consent == Consent::Granted => {
                return self.run_tool(*call, asked.caller, true);
            }
            Matter::Offered(call) => {
                let denied = exposes::Answered::Refused(exposes::Refused::ConsentDenied);
                return self.tool_over(asked.caller, call.close(denied));
            }
            Matter::Tool(wanted) => {
                // The server was another one while the person read: nothing was said about this one.
                let same = self.desk.gate.server(&wanted.to.server) == Some(&wanted.server);
                let sent = wanted.sent(asked.package, asked.caller);
                return match (sent, consent) {
                    (Some(sent), Consent::Granted) if same => self.call_out(sent),
                    (Some(sent), Consent::Granted) => {
                        let refusal = Unread::Refused(Refusal::Undecided);
                        self.errand_over(sent, Outcome::Unread(refusal));
                    }
                    (Some(sent), _) => {
                        let refusal = Unread::Refused(Refusal::Denied);
                        self.errand_over(sent, Outcome::Unread(refusal));
                    }
                    (None, _) => {}
                };
            }
        };
        let decided = question.resume(consent);
        // Only an app in the foreground asks; a program's own press was elsewhere.
        let of_program = matches!(asked.caller, Caller::Program(_));
        let press = self.newest_press().filter(|_| !of_program);
        self.go_on(platform, asked.package, asked.caller, decided, press);
    }
}
