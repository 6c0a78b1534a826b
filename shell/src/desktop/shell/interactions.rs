//! What agents ask the person, as far as the shell is concerned: each call goes to the store, what waits is read from it and shown, the cards
//! ([`super::cards`]) one after the other, notices in the corner as it becomes free. The agents' hub calls [`Shell::interact`] with the agent
//! and the conversation it knows; until then `ede call` speaks for the shell's own agent.

use std::collections::BTreeSet;

use ede_engine::artifacts::call as artifacts;
use ede_engine::bridge::result::CallResult;
use ede_engine::broker::audit::AuditSink;
use ede_engine::interactions::call::{FAMILY, tools};
use ede_engine::interactions::request::Matter;
use ede_engine::interactions::row::{End, row};
use ede_engine::interactions::{
    AgentId, Call, CallError, CallId, Caller, ConversationId, Event, Interaction, Refused, Tool,
    Wanted,
};
use ede_engine::records::{Settled, Store, StoreError};
use jiff::Timestamp;
use serde_json::{Value, json};

use super::cards::OpenCard;
use super::handed::{Saved, Saving};
use super::toasts::{Message, Told};
use super::{News, Reply, Shell};
use crate::desktop::popup::Tone;
use crate::wayland::Platform;

/// What the store has to say of them.
pub enum Learnt {
    /// What waits for the person, the oldest first.
    Waiting(Vec<Interaction>),
    /// Something else may wait.
    Changed,
    /// This one has been settled: by the person, or by who came first.
    Settled(CallId, Result<(), Refused>),
    /// What the person did with one could not be kept: it waits on.
    NotKept(CallId, StoreError),
    /// A file was taken in, or refused; its offer may wait.
    HandedOver,
    /// What the person has done with the file of this one.
    Saved(CallId, Saved),
}

#[derive(Default)]
pub(super) struct Interactions {
    /// What waits for the person, by how long it has.
    pub(super) waiting: Vec<Interaction>,
    /// What is being settled: what the store said before that of it is old.
    settled: BTreeSet<CallId>,
    /// The store has been asked what waits.
    asked: bool,
    pub(super) card: Option<OpenCard>,
    /// The file the person is saving.
    pub(super) saving: Option<Saving>,
    /// How many files are being taken in.
    pub(super) handing: usize,
}

impl Interactions {
    /// What is to be asked, the first one first.
    pub fn questions(&self) -> impl Iterator<Item = &Interaction> {
        let asks = |one: &&Interaction| !matches!(one.request.matter, Matter::Notice { .. });
        let free = |one: &&Interaction| self.is_free(one);
        self.waiting.iter().filter(asks).filter(free)
    }

    /// One that waits.
    pub fn get(&self, id: &CallId) -> Option<&Interaction> {
        self.waiting.iter().find(|one| one.id == *id)
    }

    /// When the next one is over; nothing to wait for while the store is asked.
    pub fn next(&self) -> Option<Timestamp> {
        let waiting = self.waiting.iter().filter(|_| !self.asked);
        waiting.filter_map(|one| one.expires_at).min()
    }
}

/// An agent's call that waits for its answer.
pub(super) struct Heard {
    audit: Option<Store>,
    caller: Caller,
    family: &'static str,
    tool: String,
    given: Value,
    verdict: Value,
    reply: Reply,
}

impl Heard {
    pub fn tool(&self) -> &str {
        &self.tool
    }

    /// Its arguments.
    pub fn given(&self) -> &Value {
        &self.given
    }

    /// It has its row where it is told how it ended, and whoever called hears what came of it.
    pub fn answer(self, result: CallResult, about: Option<&CallId>, end: Option<End>) {
        if let (Some(mut audit), Some(end)) = (self.audit, end) {
            let tool = (self.family, self.tool.as_str());
            if let Some(row) = row(&self.caller, tool, &self.given, about, end) {
                audit.write(row);
            }
        }
        // It may have given up.
        let said = json!({"verdict": self.verdict, "answer": result});
        let _ = self.reply.send(Ok(said));
    }
}

impl Shell {
    /// An agent calls a tool of a family's.
    pub(super) fn hear(
        &self,
        caller: &Caller,
        (family, tool, tools): (&'static str, &str, &[Tool]),
        given: Value,
        reply: Reply,
    ) -> Heard {
        Heard {
            audit: self.desk.feed.store().cloned(),
            caller: caller.clone(),
            family,
            tool: tool.to_owned(),
            given,
            verdict: verdict(family, tool, tools),
            reply,
        }
    }

    /// A process of the person's calls one of the tools of a family as the shell's own agent does, in a conversation of its own.
    pub(super) fn interact_here(&mut self, family: &str, tool: &str, given: Value, reply: Reply) {
        match ConversationId::parse("cli") {
            Ok(conversation) => {
                let agent = AgentId::shell();
                let caller = Caller {
                    agent,
                    conversation,
                };
                match family {
                    artifacts::FAMILY => self.handed(caller, tool, given, reply),
                    _ => self.interact(caller, tool, given, reply),
                }
            }
            Err(error) => drop(reply.send(Err(error.to_string()))),
        }
    }

    /// An agent calls one of the tools that ask the person. The answer is `{verdict, answer}`, as every call's, and it
    /// leaves its row as every call does.
    pub(super) fn interact(&mut self, caller: Caller, tool: &str, given: Value, reply: Reply) {
        let call = Call::read(tool, &given);
        let heard = self.hear(&caller, (FAMILY, tool, tools()), given, reply);
        let answer = move |result: CallResult, about: Option<&CallId>, end: Option<End>| {
            heard.answer(result, about, end);
        };
        let Some(store) = self.desk.feed.store() else {
            let result = CallResult::error("unavailable");
            return answer(result, None, Some(End::Unavailable));
        };
        let call = match call {
            Ok(call) => call,
            Err(error) => {
                let end = End::from(&error);
                return answer(CallResult::error(error.to_string()), None, Some(end));
            }
        };
        let tell = self.tell.clone();
        match call {
            Call::Ask(request, session) => {
                match Wanted::new(caller, request, session, self.instances.table()) {
                    Ok(wanted) => store.ask_person(wanted).then(move |asked| {
                        match asked {
                            Ok(Ok(asked)) => {
                                let told = CallResult::ok(asked.told(asked.created_at));
                                answer(told, Some(&asked.id), Some(End::Ok));
                            }
                            Ok(Err(not)) => {
                                let told = not.told(Timestamp::now());
                                let refused = CallResult::refused(not.to_string(), told);
                                answer(refused, None, Some(End::TooMany));
                            }
                            Err(error) => answer(not_kept(&error), None, Some(End::Unavailable)),
                        }
                        tell(News::Interactions(Learnt::Changed));
                    }),
                    Err(strange) => {
                        let result = CallResult::error(strange.to_string());
                        answer(result, None, Some(End::NotFound));
                    }
                }
            }
            Call::Get(id) => store.interaction(caller, id.clone()).then(move |found| {
                let (result, end) = match found {
                    Ok(Some(found)) => (CallResult::ok(found.told(Timestamp::now())), None),
                    Ok(None) => (no_such_call(), Some(End::NotFound)),
                    Err(error) => (not_kept(&error), Some(End::Unavailable)),
                };
                answer(result, Some(&id), end);
            }),
            Call::Dismiss(id) => store.dismiss(caller, id.clone()).then(move |settled| {
                let (result, end) = match settled {
                    Ok(Some(settled)) => {
                        let over = settled.outcome.is_err();
                        let end = if over { End::Failed } else { End::Ok };
                        (dismissed(&settled), end)
                    }
                    Ok(None) => (no_such_call(), End::NotFound),
                    Err(error) => (not_kept(&error), End::Unavailable),
                };
                answer(result, Some(&id), Some(end));
                tell(News::Interactions(Learnt::Changed));
            }),
        }
    }

    /// Read what waits for the person: at the start, when something has changed, when the time of one has come.
    pub(super) fn ask_waiting(&mut self) {
        let store = self.desk.feed.store().filter(|_| !self.solo);
        let Some(store) = store else { return };
        self.interactions.asked = true;
        let tell = self.tell.clone();
        store.waiting_interactions().then(move |found| match found {
            Ok(waiting) => tell(News::Interactions(Learnt::Waiting(waiting))),
            // The store tells of its trouble by itself, and of its end: then it is asked again.
            Err(error) => tracing::debug!("what agents ask cannot be read: {error}"),
        });
    }

    /// The store has said something of them.
    pub(super) fn learnt(&mut self, platform: &mut Platform, learnt: Learnt) {
        let all = &mut self.interactions;
        match learnt {
            Learnt::Changed => self.ask_waiting(),
            Learnt::Waiting(waiting) => {
                all.asked = false;
                let settled = &all.settled;
                let waits = |one: &Interaction| !settled.contains(&one.id);
                all.waiting = waiting.into_iter().filter(waits).collect();
                self.stop_saving(platform);
            }
            Learnt::HandedOver => {
                all.handing = all.handing.saturating_sub(1);
                self.ask_waiting();
            }
            Learnt::Saved(id, saved) => self.handed_saved(&id, saved),
            Learnt::Settled(id, outcome) => {
                all.settled.remove(&id);
                if outcome.is_err() {
                    let text = "It was over before your answer came: nobody waits for it";
                    self.tell("Too late", text);
                }
                self.ask_waiting();
            }
            Learnt::NotKept(id, error) => {
                all.settled.remove(&id);
                tracing::error!("an answer of the person's was not kept: {error}");
                let text = format!("Your answer could not be kept: {error}");
                self.tell("An agent asked something", text);
                self.ask_waiting();
            }
        }
    }

    /// The clock on the wall has moved.
    pub(super) fn time_for_interactions(&mut self) {
        if (self.interactions.next()).is_some_and(|next| next <= Timestamp::now()) {
            self.ask_waiting();
        }
    }

    /// The person sees one that waits for an answer.
    pub(super) fn present(&self, id: &CallId) {
        if let Some(store) = self.desk.feed.store() {
            // An answer that comes later says so too: nothing hangs on this one.
            store.settle(id.clone(), Event::Present).then(|_| {});
        }
    }

    /// One is over for the person, whatever the store makes of it.
    pub(super) fn settle_one(&mut self, id: &CallId, event: Event) {
        let all = &mut self.interactions;
        // A file that is saved is saved, whoever hears of it.
        let saves = matches!(
            all.get(id).map(|one| &one.request.matter),
            Some(Matter::Save { .. })
        );
        all.waiting.retain(|one| one.id != *id);
        all.settled.insert(id.clone());
        let Some(store) = self.desk.feed.store() else {
            return;
        };
        let (tell, id) = (self.tell.clone(), id.clone());
        let answers = matches!(event, Event::Answer(_));
        let persons = answers || event == Event::Cancel;
        store.settle(id.clone(), event).then(move |settled| {
            let learnt = match settled {
                Ok(Some(settled)) if answers && !saves => Learnt::Settled(id, settled.outcome),
                Ok(_) => Learnt::Settled(id, Ok(())),
                Err(error) if persons => Learnt::NotKept(id, error),
                // What was shown, or cannot be, is not tried over and over.
                Err(error) => {
                    return tracing::warn!("what became of a notice is not kept: {error}");
                }
            };
            tell(News::Interactions(learnt));
        });
    }

    /// The corner is free: the first notice that waits.
    pub(super) fn next_notice(&mut self) {
        let mut waiting = self.interactions.waiting.iter();
        let next = waiting.find_map(|one| match &one.request.matter {
            Matter::Notice { message } => Some((one, message)),
            _ => None,
        });
        let Some((one, message)) = next else { return };
        self.message = Some(Message {
            about: one.request.title.clone(),
            text: message.clone(),
            tone: Tone::Info,
            offer: None,
            told: Some(Told::Agents(one.id.clone(), one.caller.agent.clone())),
        });
    }
}

/// What the broker says of an agent's call of a tool of the shell's own.
fn verdict(family: &str, tool: &str, tools: &[Tool]) -> Value {
    let known = tools.iter().any(|known| known.name == tool);
    let named = |name: &str| known.then(|| name.to_owned());
    json!({
        "verdict": if known { "call" } else { "unknown" }, "capability": named(family), "tool": named(tool),
        "scope": null, "reason": null,
    })
}

fn dismissed(settled: &Settled) -> CallResult {
    let record = settled.interaction.told(Timestamp::now());
    match settled.outcome {
        Ok(()) => CallResult::ok(record),
        Err(refused) => CallResult::refused(refused.to_string(), record),
    }
}

fn no_such_call() -> CallResult {
    CallResult::error(CallError::NoSuchCall.to_string())
}

/// The person's files are none of an agent's business: it hears what an app would.
fn not_kept(error: &StoreError) -> CallResult {
    tracing::error!("what an agent asks is not kept: {error}");
    CallResult::error("unavailable")
}
