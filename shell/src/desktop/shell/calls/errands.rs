//! What apps have the person's servers do ([`ede_engine::upstreams::errand`]): decided by the manifest and the person, asked where they have
//! not said, called once, and told to whoever waits: a surface at `/calls/upstream/<server>/<tool>`, or another process.

use std::sync::Arc;

use ede_engine::broker::audit::Client;
use ede_engine::broker::state::CallState;
use ede_engine::exposes;
use ede_engine::instances::CallNumber;
use ede_engine::package::Package;
use ede_engine::plain::line;
use ede_engine::pointer;
use ede_engine::upstreams::errand::may_call;
use ede_engine::upstreams::rule::Relation;
use ede_engine::upstreams::{Errand, Outcome, Refusal, Server, ServerName, ServerTool, Unread};
use serde_json::{Value, json};

use super::super::{DocRef, News, Shell};
use super::questions::Matter;
use super::{Caller, screen_of, trouble_of};
use crate::desktop::consent::call_verb;
use crate::wayland::Platform;

/// The longest name of a server that is shown (characters).
const NAME: usize = 80;

/// One call on its way.
pub(in crate::desktop::shell) struct Sent {
    pub package: Arc<Package>,
    pub caller: Caller,
    pub by: By,
    pub errand: Errand,
}

/// In whose name.
pub(in crate::desktop::shell) enum By {
    /// The app's, of its surface, of what it does by itself, or of what follows on a tool.
    App(Client),
    /// An agent's, by a tool that the app offers: the row is that call's.
    Tool(Box<exposes::Call>),
}

/// What the person is asked about a tool, with the call that waits for it; none where something that runs by itself will call it.
pub(super) struct Wanted {
    pub to: ServerTool,
    pub server: Server,
    pub call: Option<(Errand, By)>,
}

impl Wanted {
    /// The call that waits for the answer.
    pub fn sent(self, package: Arc<Package>, caller: Caller) -> Option<Sent> {
        let (errand, by) = self.call?;
        Some(Sent {
            package,
            caller,
            by,
            errand,
        })
    }
}

impl Shell {
    /// Something of an app's calls a tool. Only who looks at the app is asked.
    pub(in crate::desktop::shell) fn errand(
        &mut self,
        platform: &mut Platform,
        sent: Sent,
        foreground: bool,
    ) {
        let relation = self.desk.gate.stands(&sent.package, &sent.errand.to);
        let refusal = match may_call(&sent.package, &sent.errand.to, relation) {
            Ok(()) => return self.call_out(sent),
            Err(Refusal::Undecided) => {
                let server = self.desk.gate.server(&sent.errand.to.server).cloned();
                match server.filter(|_| foreground && self.desk.gate.knows()) {
                    Some(server) => return self.ask_to_call(platform, sent, server),
                    None if foreground || matches!(sent.caller, Caller::Nobody) => {
                        Refusal::Undecided
                    }
                    None => Refusal::NeedsForeground,
                }
            }
            Err(refusal) => refusal,
        };
        self.errand_over(sent, Outcome::Unread(Unread::Refused(refusal)));
    }

    fn ask_to_call(&mut self, platform: &mut Platform, sent: Sent, server: Server) {
        let Sent {
            package,
            caller,
            by,
            errand,
        } = sent;
        let wanted = Wanted {
            to: errand.to.clone(),
            server,
            call: Some((errand, by)),
        };
        self.put_question(platform, Matter::Tool(Box::new(wanted)), package, caller);
    }

    /// The person pressed an app some of whose automations call tools that nothing was decided about.
    pub(super) fn ask_for_automations(
        &mut self,
        platform: &mut Platform,
        doc: DocRef,
        package: &Arc<Package>,
    ) {
        for to in package.automation_errands() {
            let undecided = self.desk.gate.stands(package, &to) == Relation::Decided(None);
            if let Some(server) = self.desk.gate.server(&to.server).filter(|_| undecided) {
                let wanted = Wanted {
                    server: server.clone(),
                    to,
                    call: None,
                };
                let caller = Caller::Binding(screen_of(doc));
                self.put_new_question(
                    platform,
                    Matter::Tool(Box::new(wanted)),
                    package.clone(),
                    caller,
                );
            }
        }
    }

    /// An allowed call goes to its server.
    pub(super) fn call_out(&mut self, mut sent: Sent) {
        self.move_errand(&mut sent, CallState::Executing, Value::Null);
        let Some(reads) = &mut self.desk.feed.reads else {
            return self.errand_over(sent, Outcome::Unread(Unread::Unreachable));
        };
        let number = match &sent.caller {
            Caller::Surface(call) => call.number,
            _ => self.calls.next_number(),
        };
        let (CallNumber(ticket), tell) = (number, self.tell.clone());
        let server = sent.errand.to.server.clone();
        let told = Box::new(move |outcome| tell(News::Called(ticket, server, outcome)));
        reads.call(sent.errand.clone(), told);
        self.calls.errands.insert(ticket, sent);
    }

    /// A server has answered a call, or not. What is read of it is read again: it may be otherwise now.
    pub(in crate::desktop::shell) fn errand_answered(
        &mut self,
        ticket: u64,
        server: &ServerName,
        outcome: Outcome,
    ) {
        let refused = matches!(outcome, Outcome::Unread(Unread::Refused(_)));
        if !refused {
            self.stale(|set| set.read_again(|allowed| allowed.reading.server == *server));
        }
        // One whose app was closed is over already.
        if let Some(sent) = self.calls.errands.remove(&ticket) {
            self.errand_over(sent, outcome);
        }
    }

    /// The app of a call was closed. What the server does is done all the same; nobody hears of it.
    pub(super) fn cancel_errand(&mut self, call: CallNumber) {
        if let Some(sent) = self.calls.errands.remove(&call.0) {
            self.errand_over(sent, Outcome::Unread(Unread::AppClosed));
        }
    }

    /// It has its row, and who called hears what came of it.
    pub(in crate::desktop::shell) fn errand_over(&mut self, mut sent: Sent, outcome: Outcome) {
        let client = match sent.by {
            By::App(ref client) => client.clone(),
            By::Tool(call) => {
                let closed = call.close(exposes::Answered::Server(outcome));
                return self.tool_over(sent.caller, closed);
            }
        };
        let app = sent.package.id().clone();
        let gate = &self.desk.gate;
        gate.keep_errand(&outcome, &app, client, &sent.errand);
        match &sent.caller {
            Caller::Surface(call) => {
                let left = call.state == CallState::AwaitingApproval
                    && outcome == Outcome::Unread(Unread::Refused(Refusal::Undecided));
                // Nobody said no.
                let state = match left {
                    true => CallState::Cancelled,
                    false => outcome.state(call.state),
                };
                let more = match &outcome {
                    Outcome::Kept(value) | Outcome::Answered(value) => json!({"value": value}),
                    Outcome::Unread(_) => trouble_of(outcome.error().unwrap_or_default()),
                };
                self.instances.call_ended(call.number);
                if let Outcome::Unread(unread) = &outcome
                    && let Some(says) = in_words(*unread, &sent)
                {
                    self.say(&app, &says);
                }
                self.move_errand(&mut sent, state, more);
            }
            Caller::Program(reply) => {
                // It may have given up.
                let _ = reply.send(Ok(outcome.said(&sent.errand)));
            }
            Caller::Binding(_) | Caller::Nobody => {}
        }
    }

    /// The session ends: nobody answers any more, and every call has its row.
    pub(super) fn end_errands(&mut self) {
        for (_, sent) in std::mem::take(&mut self.calls.errands) {
            self.errand_over(sent, Outcome::Unread(Unread::Unreachable));
        }
    }

    /// A call is as far as `to`, which its surface shows.
    fn move_errand(&mut self, sent: &mut Sent, to: CallState, more: Value) {
        if let Caller::Surface(call) = &mut sent.caller {
            let path = path_of_errand(&sent.errand.to);
            self.move_call(call, &path, to, more);
        }
    }
}

/// Where a surface's data says how far a call of this tool is.
pub(super) fn path_of_errand(to: &ServerTool) -> String {
    let server = pointer::child("/calls/upstream", to.server.as_str());
    pointer::child(&server, &to.tool)
}

/// What the person is told where their press came to nothing. What was asked a moment ago needs no words.
fn in_words(unread: Unread, sent: &Sent) -> Option<String> {
    let to = &sent.errand.to;
    let server = line(to.server.as_str(), NAME);
    match unread {
        Unread::Refused(Refusal::NoServer) => Some(format!(
            "It uses {server}, which is not set up here. `ede upstreams add` sets it up"
        )),
        Unread::Refused(Refusal::Denied) => Some(format!(
            "It may not {}; `ede grants {}` changes that",
            call_verb(to),
            sent.package.id()
        )),
        Unread::Refused(Refusal::UnknownTool) => {
            Some(format!("{server} has no tool {}", line(&to.tool, NAME)))
        }
        Unread::Refused(Refusal::Destructive) => Some(format!(
            "It may not {}: that destroys something",
            call_verb(to)
        )),
        Unread::Refused(_) => None,
        unread => unread.says().map(|says| format!("{server} {says}")),
    }
}
