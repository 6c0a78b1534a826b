//! The calls of apps: each goes to the broker, to the person where the broker says so, to the provider, and back into the surface that
//! asked, at `/calls/<capability>/<tool>` as `{state, value}` or `{state, error, title, message, retryable, action}` ([`CallState`]). What a
//! binding reveals is asked for in the same way, when the person presses the app. [`questions`] is what the person is asked, [`under_way`]
//! what is being done, [`errands`] what servers do, [`tools`] what agents have apps do; a call may come from `ede call` too, which gets the answer
//! back. A call of a window that closes is cancelled.

pub mod errands;
mod questions;
pub mod tools;
mod under_way;

use std::collections::{BTreeMap, BTreeSet, VecDeque};
use std::sync::{Arc, mpsc};

use ede_engine::app_id::AppId;
use ede_engine::broker::audit::Client;
use ede_engine::broker::call::{Answer, Closed, Decided};
use ede_engine::broker::catalog::Tool;
use ede_engine::broker::decide::{Reason, Verdict};
use ede_engine::broker::grants::Subject;
use ede_engine::broker::state::CallState;
use ede_engine::broker::trouble;
use ede_engine::exposes;
use ede_engine::instances::CallNumber;
use ede_engine::package::Package;
use ede_engine::records::{Decisions, Store};
use ede_engine::upstreams::{Errand, Reading, ServerName, ServerTool};
use serde_json::{Value, json};

use super::automations::Automations;
use super::effects::At;
use super::notices::Notices;
use super::{DocRef, News, Shell, Tell, Where};
use crate::capabilities::files::Files;
use crate::capabilities::host;
use crate::capabilities::worker::Worker;
use crate::capabilities::{Press, Providers};
use crate::desktop::app_view::WaitsFor;
use crate::desktop::consent;
use crate::desktop::gate::what_reveals;
use crate::wayland::Platform;
use errands::{By, Sent};
use questions::Asked;
use under_way::UnderWay;

/// How long after a press an app is in the foreground (ms).
const FOREGROUND: f64 = 5000.0;

pub(super) struct Calls {
    providers: Providers,
    pub(super) notices: Notices,
    pub(super) automations: Automations,
    tickets: u64,
    under_way: BTreeMap<u64, UnderWay>,
    /// What servers are asked to do, by the same numbers.
    errands: BTreeMap<u64, Sent>,
    /// Started with the first call.
    worker: Option<Worker>,
    /// What the person is to be asked, the first one first; its sheet is open.
    questions: VecDeque<Asked>,
    /// What the person left a sheet about, until the app is pressed again.
    muted: BTreeSet<(AppId, Subject)>,
    /// When each app was pressed last (ms of the shell's clock).
    presses: BTreeMap<AppId, f64>,
}

impl Calls {
    /// Of a shell with these records, if any.
    pub fn new(store: Option<&Store>, tell: &Tell, files: Files) -> Calls {
        let (notices, providers) = Notices::start(store, tell, files);
        Calls {
            providers,
            notices,
            automations: Automations::default(),
            tickets: 0,
            under_way: BTreeMap::new(),
            errands: BTreeMap::new(),
            worker: None,
            questions: VecDeque::new(),
            muted: BTreeSet::new(),
            presses: BTreeMap::new(),
        }
    }

    /// The number of another call.
    fn next_number(&mut self) -> CallNumber {
        self.tickets += 1;
        CallNumber(self.tickets)
    }
}

/// A call of an app's surface, and how far the surface has it.
pub(super) struct OfSurface {
    at: At,
    number: CallNumber,
    state: CallState,
}

/// Who waits for what comes of a call.
pub(super) enum Caller {
    Surface(OfSurface),
    /// A binding, which is decided again once the person has.
    Binding(Where),
    /// Another process, which waits as long as it takes.
    Program(Reply),
    /// What an app does by itself.
    Nobody,
}

impl Caller {
    /// The screen it is on, where that is known.
    fn screen(&self) -> Where {
        match self {
            Caller::Surface(call) => screen_of(call.at.doc),
            Caller::Binding(on) => *on,
            Caller::Program(_) | Caller::Nobody => None,
        }
    }

    /// Is it one of these calls?
    fn is_of(&self, calls: &[CallNumber]) -> bool {
        matches!(self, Caller::Surface(call) if calls.contains(&call.number))
    }
}

/// Where the answer to another process goes; an error is one line for a person.
pub type Reply = mpsc::Sender<Result<Value, String>>;

/// A call by another process of the person's, in an app's name: `ede call`.
#[derive(Clone, Debug, PartialEq)]
pub struct Called {
    pub app: AppId,
    /// As the caller spells it.
    pub name: String,
    pub arguments: Value,
    /// As an agent calls, not as the app's surface does.
    pub agent: bool,
    pub foreground: bool,
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
            self.withdraw_notices();
            self.allow_pictures();
            for at in self.docs() {
                for (_, w) in self.doc_mut(at).into_iter().flat_map(|d| d.widgets_mut()) {
                    w.content.rebind();
                }
            }
        }
        self.ask_due();
        self.run_automations();
    }

    /// What this session can do for apps.
    pub(super) fn provide(&mut self, platform: &Platform) {
        let provided = self.calls.providers.provided(Some(platform));
        self.desk.gate.provide(provided);
    }

    /// Does a document show a file that is not installed? It calls nobody, and nobody is asked for it.
    pub(super) fn is_preview(&self, doc: DocRef) -> bool {
        let window = |id| self.windows.get(&id);
        matches!(doc, DocRef::Window(id) if window(id).is_some_and(|w| w.window.is_preview()))
    }

    /// The person pressed an app's surface: it is in the foreground.
    pub(super) fn app_pressed(&mut self, doc: DocRef, widget: &str) {
        if self.is_preview(doc) {
            return;
        }
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
        if self.is_preview(doc) {
            return;
        }
        let content = (self.doc(doc)).and_then(|d| Some(&d.widget(widget)?.content));
        let Some(content) = content else { return };
        let Some(package) = content.app().and_then(|app| self.desk.shelf.get(app)) else {
            return;
        };
        let (package, waits_for) = (package.clone(), content.waits_for().to_vec());
        let reads = content.bound.iter().flat_map(|b| b.set.upstreams());
        let reads: Vec<ServerName> = reads.map(|a| a.reading.server.clone()).collect();
        for waits in waits_for {
            match waits {
                WaitsFor::Scope(scope) => self.ask_for_scope(platform, doc, &package, scope),
                WaitsFor::Word(reading) => self.ask_for_reading(platform, doc, &package, reading),
                WaitsFor::Server(server) => self.tell_of_no_server(package.id(), &server),
            }
        }
        self.ask_for_automations(platform, doc, &package);
        for server in reads {
            self.tell_of_trouble(package.id(), &server);
        }
    }

    /// Bindings of an app that was pressed want to read from a server of the person's.
    pub(super) fn ask_for_reading(
        &mut self,
        platform: &mut Platform,
        doc: DocRef,
        package: &Arc<Package>,
        reading: Box<Reading>,
    ) {
        let caller = Caller::Binding(screen_of(doc));
        self.ask_to_read(platform, reading, package.clone(), caller);
    }

    fn ask_for_scope(
        &mut self,
        platform: &mut Platform,
        doc: DocRef,
        package: &Arc<Package>,
        scope: &str,
    ) {
        let Some(name) = what_reveals(scope) else {
            return;
        };
        let decided = (self.desk.gate).decide(package, Client::Ui, &name, Value::Null, true);
        // What is decided already stays as it is: the row was written when it was bound.
        if let Decided::Ask(question) = decided {
            let caller = Caller::Binding(screen_of(doc));
            self.ask(platform, question, package.clone(), caller);
        }
    }

    /// Is the person at the app's window, has a widget of it the keyboard, or was it pressed just now?
    pub(super) fn is_foreground(&self, app: &AppId) -> bool {
        let window = self.instances.is_foreground(app);
        let typed = self.keyboard.and_then(|id| self.typing(id));
        let keys = typed
            .and_then(|(doc, widget)| Some(self.doc(doc)?.widget(&widget?)?.content.app()? == app));
        let pressed = self.calls.presses.get(app);
        window || keys == Some(true) || pressed.is_some_and(|at| self.now_ms() - at <= FOREGROUND)
    }

    /// Something of an app's surface calls. False where its window has closed: the call followed an action that landed after that.
    pub(super) fn surface_calls(&mut self, at: At) -> (Caller, bool) {
        let number = self.calls.next_number();
        let is_there = self.call_of_window(number, at.doc);
        let state = CallState::Requested;
        (Caller::Surface(OfSurface { at, number, state }), is_there)
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
        let decided = (self.desk.gate).decide(package, Client::Ui, function, arguments, foreground);
        let press = self.newest_press().filter(|_| foreground);
        let (caller, is_there) = self.surface_calls(at);
        match decided {
            Decided::Ask(question) if !is_there => {
                self.closed_call(package, caller, question.cancel());
            }
            Decided::Call(allowed) if !is_there => {
                self.closed_call(package, caller, allowed.cancel());
            }
            decided => self.go_on(platform, package.clone(), caller, decided, press),
        }
    }

    /// A process of the person's calls in an app's name.
    pub(super) fn called(&mut self, platform: &mut Platform, call: Called, reply: Reply) {
        let Some(package) = self.desk.shelf.get(&call.app).cloned() else {
            let _ = reply.send(Err("it is not installed".into()));
            return;
        };
        let client = host::client(call.agent);
        let to = ServerTool::of_function(package.value(), &call.name).filter(|_| !call.agent);
        if let Some(to) = to {
            let Some(errand) = Errand::new(to, &call.arguments) else {
                let _ = reply.send(Err("the arguments are no JSON object".into()));
                return;
            };
            let sent = Sent {
                package,
                caller: Caller::Program(reply),
                by: By::App(client),
                errand,
            };
            return self.errand(platform, sent, call.foreground);
        }
        let open = || exposes::Call::open(&package, client.clone(), &call.name, &call.arguments);
        if let Some(opened) = call.agent.then(open).flatten() {
            let caller = Caller::Program(reply);
            return self.tool_called(platform, opened, caller, call.foreground);
        }
        // An agent's call alone puts no app in the foreground.
        let foreground = call.foreground && (!call.agent || self.is_foreground(&call.app));
        let gate = &self.desk.gate;
        let decided = gate.decide(&package, client, &call.name, call.arguments, foreground);
        self.go_on(platform, package, Caller::Program(reply), decided, None);
    }

    fn newest_press(&self) -> Option<Press> {
        let serial = self.grab_serial()?;
        Some(Press {
            surface: self.keyboard,
            serial,
        })
    }

    pub(super) fn go_on(
        &mut self,
        platform: &mut Platform,
        package: Arc<Package>,
        caller: Caller,
        decided: Decided,
        press: Option<Press>,
    ) {
        match decided {
            Decided::Refused(closed) => self.closed_call(&package, caller, closed),
            Decided::Ask(question) => self.ask(platform, question, package, caller),
            Decided::Call(allowed) => match &caller {
                // It is bound with the decision that has just been written; that is its row.
                Caller::Binding(_) => drop(allowed),
                Caller::Surface(_) | Caller::Program(_) | Caller::Nobody => {
                    self.begin(platform, package, caller, allowed, press);
                }
            },
        }
    }

    /// The compositor has answered a wish for an activation token, perhaps a provider's.
    pub(super) fn token_for_call(&mut self, wish: u64, token: Option<&str>) {
        self.calls.providers.activation_token(wish, token);
    }

    /// A call came to its end: its row is kept, and who called hears what came of it.
    fn closed_call(&mut self, package: &Package, caller: Caller, closed: Closed) {
        let settled = self.desk.gate.settle(closed);
        let mut call = match caller {
            Caller::Surface(call) => call,
            Caller::Binding(_) | Caller::Nobody => return,
            Caller::Program(reply) => {
                // It may have given up.
                let _ = reply.send(Ok(json!(settled)));
                return;
            }
        };
        self.instances.call_ended(call.number);
        let app = package.id();
        let tool = match settled.verdict {
            Verdict::Unknown => return,
            Verdict::Unavailable(tool) => {
                let label = consent_words(package, tool);
                self.say(app, &format!("This desktop cannot {label}"));
                tool
            }
            Verdict::Denied(tool, reason) => {
                if reason == Reason::ConsentDenied {
                    let label = consent_words(package, tool);
                    let words = format!("It may not {label}; `ede grants {app}` changes that");
                    self.say(app, &words);
                }
                tool
            }
            Verdict::Ask(tool) | Verdict::Call(tool) => tool,
        };
        let more = of_answer(&settled.answer);
        self.move_call(&mut call, &path_of(tool), settled.state, more);
    }

    /// A call of a surface is as far as `to`: the surface's data says so at `path`, with what there is to say of it beside.
    fn move_call(&mut self, call: &mut OfSurface, path: &str, to: CallState, more: Value) {
        match call.state.moved_to(to) {
            Ok(state) => call.state = state,
            Err(error) => {
                tracing::error!(path, "{error}");
                return;
            }
        }
        let mut value = json!({"state": to});
        if let (Value::Object(value), Value::Object(more)) = (&mut value, more) {
            value.extend(more);
        }
        self.with_view(call.at.doc, Some(&call.at.widget), |view, _| {
            if let Err(error) = view.surface_mut().set_data(path, Some(value)) {
                tracing::warn!(
                    path,
                    "an answer has no place in the surface's data: {error}"
                );
            }
        });
    }

    /// The app of these calls was closed: nobody is asked for them, nothing is done for them any more, and each has its row.
    pub(super) fn cancel_calls(&mut self, platform: &mut Platform, calls: &[CallNumber]) {
        if calls.is_empty() {
            return;
        }
        self.cancel_questions(platform, calls);
        for call in calls {
            self.cancel_under_way(platform, *call);
            self.cancel_errand(*call);
        }
    }
}

/// The screen a document stands on, where that is known.
pub(super) fn screen_of(doc: DocRef) -> Where {
    match doc {
        DocRef::Panel(on, _) | DocRef::Board(on) => on,
        DocRef::Window(_) | DocRef::Popup(_) | DocRef::Toast | DocRef::Card | DocRef::Sheet => None,
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

/// Where a surface's data says how far a call of this tool is.
fn path_of(tool: &Tool) -> String {
    format!("/calls/{}/{}", tool.capability, tool.name)
}

/// What an answer has to say beside the state of its call.
fn of_answer(answer: &Answer) -> Value {
    let error = match answer {
        Answer::Result(result) if result.is_error() => result.text().unwrap_or_default(),
        Answer::Result(result) => {
            return json!({"value": result.structured().cloned().unwrap_or_default()});
        }
        Answer::UnknownTool => "unknownTool",
    };
    trouble_of(error)
}

/// The error of a call that came to nothing, and what an app may say of it.
fn trouble_of(error: &str) -> Value {
    let words = trouble::of(error);
    json!({
        "error": error, "title": words.title, "message": words.message, "retryable": words.retryable, "action": words.action,
    })
}
