//! The calls of apps: each goes to the broker, to the person where the broker says so, to the provider, and back into the surface that
//! asked, at `/calls/<capability>/<tool>` as `{state, value}` or `{state, error}`. What a binding reveals is asked for in the same way, when
//! the person presses the app.

use std::collections::{BTreeMap, BTreeSet, VecDeque};
use std::fs::File;
use std::io::Read;
use std::sync::Arc;

use ede_engine::app_id::AppId;
use ede_engine::bridge::NativeAnswer;
use ede_engine::bridge::files::{FileId, FileStore, NewFile, NotificationIds, StoreError};
use ede_engine::bridge::mime::MimeTypes;
use ede_engine::broker::call::{Answer, Closed, Consent, Decided, Prepared, Question, Running};
use ede_engine::broker::catalog::Tool;
use ede_engine::broker::decide::{Reason, Verdict};
use ede_engine::broker::grants::Grant;
use ede_engine::broker::names::ScopeId;
use ede_engine::package::{Capability, Package};
use ede_engine::records::Decisions;
use serde_json::{Value, json};

use super::effects::At;
use super::sheets::About;
use super::{DocRef, News, Shell, Where};
use crate::capabilities::{Call, Later, Press, Providers, Ran};
use crate::desktop::consent;
use crate::desktop::gate::what_reveals;
use crate::desktop::permissions;
use crate::wayland::Platform;

/// How long after a press an app is in the foreground (ms).
const FOREGROUND: f64 = 5000.0;

#[derive(Default)]
pub(super) struct Calls {
    providers: Providers,
    tickets: u64,
    running: BTreeMap<u64, (Arc<Package>, At, Running)>,
    /// What the person is to be asked, the first one first; its sheet is open.
    questions: VecDeque<Asked>,
    /// Scopes the person left a sheet about, until the app is pressed again.
    muted: BTreeSet<(AppId, ScopeId)>,
    /// When each app was pressed last (ms of the shell's clock).
    presses: BTreeMap<AppId, f64>,
}

/// A call that waits for the person.
struct Asked {
    question: Question,
    package: Arc<Package>,
    caller: Caller,
}

/// Who waits for what comes of a call.
#[derive(Clone)]
enum Caller {
    Surface(At),
    /// A binding, which is decided again once the person has.
    Binding(Where),
}

impl Asked {
    fn key(&self) -> (AppId, ScopeId) {
        (
            self.question.app().clone(),
            self.question.scope().id.clone(),
        )
    }

    /// As the manifest declares what is asked for.
    fn declared(&self) -> Option<Capability> {
        let scope = &self.question.scope().id;
        let all = self.package.capabilities();
        all.iter().find(|c| c.scope == *scope).cloned()
    }
}

impl Shell {
    /// Learn what the person has decided so far, now and whenever it changes.
    pub(super) fn ask_decisions(&self) {
        let Some(store) = self.desk.feed.store() else {
            return;
        };
        let tell = self.tell.clone();
        store.decisions().then(move |found| match found {
            Ok(decisions) => tell(News::Decisions(decisions)),
            // The store tells of its trouble by itself; nothing that needs consent is allowed meanwhile.
            Err(error) => tracing::debug!("decisions cannot be read: {error}"),
        });
    }

    /// What the person decided has been read: what apps follow is decided again.
    pub(super) fn decisions_known(&mut self, platform: &mut Platform, decisions: Decisions) {
        if self.desk.gate.learn(decisions) {
            self.permissions_changed();
            self.drop_decided(platform);
            for at in self.docs() {
                for (_, w) in self.doc_mut(at).into_iter().flat_map(|d| d.widgets_mut()) {
                    w.content.rebind();
                }
            }
        }
    }

    /// What this session can do for apps.
    pub(super) fn provide(&mut self, platform: &Platform) {
        let provided = self.calls.providers.provided(Some(platform));
        self.desk.gate.provide(provided);
    }

    /// The person pressed an app's surface: it is in the foreground.
    pub(super) fn app_pressed(&mut self, doc: DocRef, widget: &str) {
        let content = (self.doc(doc)).and_then(|d| Some(&d.widget(widget)?.content));
        let Some(app) = content.and_then(|c| c.app()).cloned() else {
            return;
        };
        let now = self.now_ms();
        self.calls.muted.retain(|(muted, _)| *muted != app);
        self.calls.presses.insert(app, now);
    }

    /// A press on an app's surface is over: what its bindings wait for is asked.
    pub(super) fn ask_for_bindings(&mut self, platform: &mut Platform, doc: DocRef, widget: &str) {
        let content = (self.doc(doc)).and_then(|d| Some(&d.widget(widget)?.content));
        let Some(content) = content else { return };
        let Some(package) = content.app().and_then(|app| self.desk.shelf.get(app)) else {
            return;
        };
        let (package, waits_for) = (package.clone(), content.waits_for().to_vec());
        for name in waits_for.into_iter().filter_map(what_reveals) {
            let decided = self.desk.gate.decide(&package, &name, Value::Null, true);
            // What is decided already stays as it is: the row was written when it was bound.
            if let Decided::Ask(question) = decided {
                let caller = Caller::Binding(screen_of(doc));
                self.ask(platform, question, package.clone(), caller);
            }
        }
    }

    /// Has the app a surface with the keyboard, or was it pressed just now?
    fn is_foreground(&self, app: &AppId) -> bool {
        let pressed = self.calls.presses.get(app);
        let typed = self.keyboard.and_then(|id| self.typing(id));
        let keys = typed
            .and_then(|(doc, widget)| Some(self.doc(doc)?.widget(&widget?)?.content.app()? == app));
        keys == Some(true) || pressed.is_some_and(|at| self.now_ms() - at <= FOREGROUND)
    }

    /// An app's surface calls a capability.
    pub(super) fn call(
        &mut self,
        platform: &mut Platform,
        package: &Arc<Package>,
        at: At,
        function: &str,
        arguments: Value,
    ) {
        let foreground = self.is_foreground(package.id());
        let decided = self
            .desk
            .gate
            .decide(package, function, arguments, foreground);
        let press = self.newest_press().filter(|_| foreground);
        self.go_on(
            platform,
            package.clone(),
            Caller::Surface(at),
            decided,
            press,
        );
    }

    fn newest_press(&self) -> Option<Press> {
        let serial = self.grab_serial()?;
        Some(Press {
            surface: self.keyboard,
            serial,
        })
    }

    fn go_on(
        &mut self,
        platform: &mut Platform,
        package: Arc<Package>,
        caller: Caller,
        decided: Decided,
        press: Option<Press>,
    ) {
        match decided {
            Decided::Refused(closed) => self.closed_call(&package, &caller, closed),
            Decided::Ask(question) => self.ask(platform, question, package, caller),
            Decided::Call(allowed) => match caller {
                // It is bound with the decision that has just been written; that is its row.
                Caller::Binding(_) => drop(allowed),
                Caller::Surface(at) => {
                    let screens: Vec<_> = package.screens().iter().map(|s| s.id.clone()).collect();
                    let mime = MimeTypes::known();
                    let prepared = allowed.prepare(&screens, mime, &mut NoFiles, &mut Chance);
                    match prepared {
                        Prepared::Closed(closed) => {
                            self.closed_call(&package, &Caller::Surface(at), closed);
                        }
                        Prepared::Native(running) => {
                            self.run(platform, package, at, running, press);
                        }
                    }
                }
            },
        }
    }

    fn run(
        &mut self,
        platform: &mut Platform,
        package: Arc<Package>,
        at: At,
        running: Running,
        press: Option<Press>,
    ) {
        self.calls.tickets += 1;
        let ticket = self.calls.tickets;
        let tool = running.tool();
        let tell = self.tell.clone();
        let call = Call {
            app: package.id(),
            tool: tool.name.as_str(),
            arguments: running.native_arguments(),
            press,
            later: Later::new(move |answer| tell(News::Native(ticket, answer))),
        };
        let ran = self
            .calls
            .providers
            .call(tool.capability.as_str(), call, Some(platform));
        match ran {
            Ran::Now(answer) => {
                let closed = running.finish(answer, &mut NoFiles);
                self.closed_call(&package, &Caller::Surface(at), closed);
            }
            Ran::Later => {
                self.write_state(&at, tool, json!({"state": "executing"}));
                self.calls.running.insert(ticket, (package, at, running));
            }
        }
    }

    /// The compositor has answered a wish for an activation token, perhaps a provider's.
    pub(super) fn token_for_call(&mut self, wish: u64, token: Option<&str>) {
        self.calls.providers.activation_token(wish, token);
    }

    /// A provider that took its time has answered.
    pub(super) fn native_answered(&mut self, ticket: u64, answer: NativeAnswer) {
        if let Some((package, at, running)) = self.calls.running.remove(&ticket) {
            let closed = running.finish(answer, &mut NoFiles);
            self.closed_call(&package, &Caller::Surface(at), closed);
        }
    }

    /// A call came to its end: its row is kept, and its surface hears what came of it.
    fn closed_call(&mut self, package: &Package, caller: &Caller, closed: Closed) {
        let settled = self.desk.gate.settle(closed);
        let Caller::Surface(at) = caller else { return };
        let (tool, state) = match settled.verdict {
            Verdict::Unknown => return,
            Verdict::Unavailable(tool) => {
                let label = consent_words(package, tool);
                self.say(package.id(), &format!("This desktop cannot {label}"));
                (
                    tool,
                    json!({"state": "unsupported", "error": "unavailable"}),
                )
            }
            Verdict::Denied(tool, reason) => {
                if reason == Reason::ConsentDenied {
                    let label = consent_words(package, tool);
                    let app = package.id();
                    self.say(
                        app,
                        &format!("It may not {label}; `ede grants {app}` changes that"),
                    );
                }
                (tool, json!({"state": "rejected", "error": reason.as_str()}))
            }
            // It was asked, and went on.
            Verdict::Ask(tool) | Verdict::Call(tool) => (tool, state_of(&settled.answer)),
        };
        self.write_state(at, tool, state);
    }

    fn write_state(&mut self, at: &At, tool: &Tool, state: Value) {
        let path = format!("/calls/{}/{}", tool.capability, tool.name);
        self.with_view(at.doc, Some(&at.widget), |view, _| {
            if let Err(error) = view.surface_mut().set_data(&path, Some(state)) {
                tracing::warn!(
                    path,
                    "an answer has no place in the surface's data: {error}"
                );
            }
        });
    }

    /// Put a question to the person, after those that wait already.
    fn ask(
        &mut self,
        platform: &mut Platform,
        question: Question,
        package: Arc<Package>,
        caller: Caller,
    ) {
        let tool = question.verdict();
        let asked = Asked {
            question,
            package,
            caller,
        };
        if self.calls.muted.contains(&asked.key()) {
            return self.answered_question(platform, asked, Consent::Dismissed);
        }
        if let (Caller::Surface(at), Verdict::Ask(tool)) = (asked.caller.clone(), tool) {
            self.write_state(&at, tool, json!({"state": "awaitingApproval"}));
        }
        self.calls.questions.push_back(asked);
        self.show_question(platform);
    }

    /// Questions that need none any more go on without the person.
    fn drop_decided(&mut self, platform: &mut Platform) {
        let gate = &self.desk.gate;
        let decided = |q: &Asked| gate.grants(&q.package).get(&q.question.scope().id);
        if (self.sheet.as_ref()).is_some_and(|s| s.about == About::Question)
            && self
                .calls
                .questions
                .front()
                .is_some_and(|q| decided(q).is_some())
        {
            self.close_sheet(platform);
        }
        let gate = &self.desk.gate;
        let decided = |q: &Asked| gate.grants(&q.package).get(&q.question.scope().id);
        let questions = std::mem::take(&mut self.calls.questions);
        let mut answered = Vec::new();
        for asked in questions {
            match decided(&asked) {
                Some(Grant::Granted) => answered.push((asked, Consent::Granted)),
                Some(Grant::Denied) => answered.push((asked, Consent::Denied)),
                None => self.calls.questions.push_back(asked),
            }
        }
        for (asked, consent) in answered {
            self.answered_question(platform, asked, consent);
        }
        self.show_question(platform);
    }

    /// Open the sheet of the first question, if none is open. What has been decided already must be known first.
    fn show_question(&mut self, platform: &mut Platform) {
        while self.sheet.is_none()
            && self.desk.gate.knows()
            && let Some(first) = self.calls.questions.front()
        {
            let on = match &first.caller {
                Caller::Surface(at) => screen_of(at.doc),
                Caller::Binding(on) => *on,
            };
            let data = first
                .declared()
                .map(|declared| consent::data(&first.package, first.question.scope(), &declared));
            self.close_popup(platform);
            let shown =
                data.is_some_and(|data| self.open_sheet(platform, on, About::Question, data));
            if !shown {
                self.answer_question(platform, Consent::Dismissed);
            }
        }
    }

    /// What an app may do, and the way to be asked again.
    pub(super) fn show_permissions(&mut self, platform: &mut Platform, doc: DocRef, app: &AppId) {
        let Some(package) = self.desk.shelf.get(app).filter(|_| self.sheet.is_none()) else {
            return;
        };
        let data = permissions::data(package, &self.desk.gate.grants(package));
        self.open_sheet(
            platform,
            screen_of(doc),
            About::Permissions(app.clone()),
            data,
        );
    }

    /// Decisions changed: an open sheet about them says so.
    fn permissions_changed(&mut self) {
        let Some(sheet) = &mut self.sheet else { return };
        let About::Permissions(app) = &sheet.about else {
            return;
        };
        if let Some(package) = self.desk.shelf.get(app) {
            let data = permissions::data(package, &self.desk.gate.grants(package));
            sheet.popup.set("/", data);
        }
    }

    /// A press on one of the sheet's buttons; of a row, its scope is in the context.
    pub(super) fn sheet_pressed(&mut self, platform: &mut Platform, name: &str, context: &Value) {
        let Some(sheet) = &self.sheet else { return };
        if let About::Permissions(app) = sheet.about.clone() {
            let scope = context.get("scope").and_then(Value::as_str);
            match (name, scope.and_then(ScopeId::parse), self.desk.feed.store()) {
                (permissions::FORGET, Some(scope), Some(store)) => {
                    store.revoke(app, scope).then(|done| {
                        if let Err(error) = done {
                            tracing::error!("the decision was not taken back: {error}");
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
    pub(super) fn sheet_left(&mut self, platform: &mut Platform) {
        if self
            .sheet
            .as_ref()
            .is_some_and(|s| s.about != About::Question)
        {
            self.close_sheet(platform);
            return self.show_question(platform);
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
        if let (Some(grant), Some(store), Some(declared)) = (
            consent.grant(),
            self.desk.feed.store(),
            same.first().and_then(Asked::declared),
        ) {
            let kept = store.decide(key.0, declared, grant);
            kept.then(|done| {
                if let Err(error) = done {
                    tracing::error!(
                        "the person's decision was not kept, it is asked for again: {error}"
                    );
                }
            });
        }
        for asked in same {
            self.answered_question(platform, asked, consent);
        }
        self.show_question(platform);
    }

    fn answered_question(&mut self, platform: &mut Platform, asked: Asked, consent: Consent) {
        let decided = asked.question.resume(consent);
        // Only an app in the foreground asks.
        let press = self.newest_press();
        self.go_on(platform, asked.package, asked.caller, decided, press);
    }
}

/// The screen a document stands on, where that is known.
fn screen_of(doc: DocRef) -> Where {
    match doc {
        DocRef::Panel(on, _) | DocRef::Board(on) => on,
        DocRef::Window(_) | DocRef::Popup(_) | DocRef::Toast | DocRef::Sheet => None,
    }
}

/// What a call would do, in words: `see your open windows`.
fn consent_words(package: &Package, tool: &Tool) -> String {
    let declared = package.capabilities();
    let declared = declared.iter().find(|c| c.scope == tool.scope.id);
    declared.map_or_else(
        || tool.scope.verb.to_string(),
        |c| consent::verb(&tool.scope, c),
    )
}

fn state_of(answer: &Answer) -> Value {
    match answer {
        Answer::Result(result) if result.is_error() => {
            json!({"state": "failed", "error": result.text().unwrap_or_default()})
        }
        Answer::Result(result) => {
            json!({"state": "completed", "value": result.structured().cloned().unwrap_or_default()})
        }
        Answer::UnknownTool => json!({"state": "unsupported", "error": "unknownTool"}),
    }
}

/// No capability of this desktop keeps files yet.
struct NoFiles;

impl FileStore for NoFiles {
    fn get(&self, _: &AppId, _: &FileId) -> Result<Option<Vec<u8>>, StoreError> {
        Ok(None)
    }

    fn put(&mut self, _: &AppId, _: Vec<NewFile>) -> Result<Vec<FileId>, StoreError> {
        Err(StoreError::Unavailable)
    }
}

/// The system's own source of chance.
struct Chance;

impl NotificationIds for Chance {
    fn next(&mut self) -> std::io::Result<u128> {
        let mut bytes = [0; 16];
        File::open("/dev/urandom")?.read_exact(&mut bytes)?;
        Ok(u128::from_ne_bytes(bytes))
    }
}
