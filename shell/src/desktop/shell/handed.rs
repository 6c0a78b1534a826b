//! Files that agents hand over: kept on a thread of its own, offered on a card where they are whole ([`super::cards`]), and saved where the
//! person says, by the dialog apps save with. The agent hears whether that was done, never where.

use ede_engine::artifacts::call::{FAMILY, tools};
use ede_engine::artifacts::{Artifacts, Call, Refused};
use ede_engine::bridge::result::CallResult;
use ede_engine::broker::audit::AuditSink;
use ede_engine::interactions::request::Matter;
use ede_engine::interactions::row::{End, row};
use ede_engine::interactions::{CallError, CallId, Caller, Event, Interaction, Request, Wanted};
use ede_engine::records::Store;
use serde_json::{Value, json};

use super::interactions::{Heard, Learnt};
use super::{News, Reply, Shell, Tell};
use crate::capabilities::Stop;
use crate::desktop::cards;
use crate::wayland::Platform;

/// How many calls are answered at once: each waits for the disk.
const AT_ONCE: usize = 4;

/// What became of one in the person's hands.
pub enum Saved {
    Yes,
    /// They left the dialog: the card comes back.
    Left,
    /// It could not be written where they said: the card comes back.
    Not(String),
    /// It is no longer what was handed over.
    Spoilt,
}

/// The one the person saves.
pub(super) struct Saving {
    pub id: CallId,
    stop: Stop,
}

/// Is it the offer of a file?
fn offers(one: &Interaction) -> bool {
    matches!(one.request.matter, Matter::Save { .. })
}

impl super::interactions::Interactions {
    /// May its card be shown while the person saves a file? One dialog at a time.
    pub(super) fn is_free(&self, one: &Interaction) -> bool {
        self.saving.is_none() || !offers(one)
    }
}

impl Shell {
    /// An agent calls one of the tools about files it hands over. Its arguments hold a whole file: they are read on a thread of their own.
    pub(super) fn handed(&mut self, caller: Caller, tool: &str, given: Value, reply: Reply) {
        let heard = self.hear(&caller, (FAMILY, tool, tools()), given, reply);
        let Some(store) = self.desk.feed.store().cloned() else {
            let result = CallResult::error("unavailable");
            return heard.answer(result, None, Some(End::Unavailable));
        };
        if self.interactions.handing >= AT_ONCE {
            return heard.answer(CallResult::error("tooMany"), None, Some(End::TooMany));
        }
        let over = Over(self.tell.clone());
        let work = move || {
            let _over = over;
            let (result, end) = done(&store, caller, &heard);
            heard.answer(result, None, end);
        };
        let thread = std::thread::Builder::new().name("ede-artifact".into());
        match thread.spawn(work) {
            Ok(_) => self.interactions.handing += 1,
            // Whoever asked hears that nobody answers.
            Err(error) => tracing::error!("what an agent hands over is not kept: {error}"),
        }
    }

    /// The person would save the file on this card.
    pub(super) fn save_handed(&mut self, id: CallId) {
        let Some(store) = self.desk.feed.store().cloned() else {
            return;
        };
        let Some(one) = self.interactions.get(&id).filter(|one| offers(one)) else {
            return;
        };
        let Matter::Save { artifact, .. } = &one.request.matter else {
            return;
        };
        let (caller, artifact) = (one.caller.clone(), artifact.clone());
        let by = cards::sign(&caller.agent).1;
        let (tell, told, stop) = (self.tell.clone(), id.clone(), Stop::default());
        let (spoilt, whole) = std::sync::mpsc::channel();
        let read = move || {
            let read = Artifacts::new(store).saveable(caller, artifact);
            read.map(|file| (file.name, file.bytes)).map_err(|refused| {
                let gone = matches!(refused, Refused::NotVerified | Refused::Unknown);
                let _ = spoilt.send(gone);
                "It cannot be read".to_owned()
            })
        };
        let done = move |saved: Result<bool, String>| {
            let saved = match saved {
                Ok(true) => Saved::Yes,
                Ok(false) => Saved::Left,
                Err(_) if whole.try_recv() == Ok(true) => Saved::Spoilt,
                Err(words) => Saved::Not(words),
            };
            tell(News::Interactions(Learnt::Saved(told, saved)));
        };
        let files = self.uploads.files();
        match files.save_for_agent(by, read, stop.clone(), done) {
            Ok(()) => self.interactions.saving = Some(Saving { id, stop }),
            Err(words) => self.tell(NOT_SAVED, words),
        }
    }

    /// The person has saved it, or not.
    pub(super) fn handed_saved(&mut self, id: &CallId, saved: Saved) {
        self.interactions.saving.take_if(|saving| saving.id == *id);
        let end = match &saved {
            Saved::Left => None,
            Saved::Yes => Some(End::Ok),
            Saved::Not(_) | Saved::Spoilt => Some(End::Failed),
        };
        // The call was the offer; what the person has done with it changes their disk, and has a row of its own.
        if let Some(end) = end
            && let Some(one) = self.interactions.get(id)
            && let Some(store) = self.desk.feed.store()
        {
            let given = json!({"id": id.as_str()});
            let row = row(&one.caller, (FAMILY, "save"), &given, Some(id), end);
            row.into_iter().for_each(|row| store.clone().write(row));
        }
        match saved {
            Saved::Left => {}
            Saved::Yes => self.settle_one(id, Event::Answer(json!({"saved": true}))),
            Saved::Not(words) => self.tell(NOT_SAVED, &words),
            Saved::Spoilt => {
                self.settle_one(id, Event::Fail);
                self.tell(NOT_SAVED, "It is no longer what was handed over");
            }
        }
    }

    /// Nobody waits for the file the person is about to save: its dialog goes.
    pub(super) fn stop_saving(&mut self, platform: &mut Platform) {
        let all = &mut self.interactions;
        let waits = |saving: &Saving| all.waiting.iter().any(|one| one.id == saving.id);
        if all.saving.as_ref().is_some_and(|saving| !waits(saving))
            && let Some(saving) = all.saving.take()
        {
            saving.stop.stop();
            self.drop_picks(platform, |whose| whose.app().is_none());
        }
    }
}

/// Tells that a call about files is over, however it ends.
struct Over(Tell);

impl Drop for Over {
    fn drop(&mut self) {
        (self.0)(News::Interactions(Learnt::HandedOver));
    }
}

/// Do what a call asks for, and how that ended where it leaves a row. Waits for the disk.
fn done(store: &Store, caller: Caller, heard: &Heard) -> (CallResult, Option<End>) {
    let refused = |why: &str, end: End| (CallResult::error(why), Some(end));
    match Call::read(heard.tool(), heard.given()) {
        Err(error) => refused(&error.to_string(), End::from(&error)),
        Ok(Call::Get(id)) => match store.artifact(caller, id).wait() {
            Ok(Some(found)) => (CallResult::ok(found.told()), None),
            Ok(None) => refused(&CallError::NoSuchCall.to_string(), End::NotFound),
            Err(_) => refused("unavailable", End::Unavailable),
        },
        Ok(Call::Keep(offer, bytes)) => {
            match Artifacts::new(store.clone()).keep(caller.clone(), offer, bytes) {
                Ok(kept) => {
                    let mut told = kept.told();
                    if kept.is_whole() {
                        let request = Request::to_save(&kept);
                        told["call"] = offered(store, Wanted::of(caller, request));
                    }
                    (CallResult::ok(told), Some(End::Ok))
                }
                Err(why) => refused(&why.to_string(), End::Failed),
            }
        }
    }
}

const NOT_SAVED: &str = "A file was not saved";

/// Put the offer to the person; the id it is polled by, or null where they are not asked now.
fn offered(store: &Store, wanted: Wanted) -> Value {
    match store.ask_person(wanted).wait() {
        Ok(asked) => json!(asked.ok().map(|asked| asked.id.as_str().to_owned())),
        Err(error) => {
            tracing::error!("the offer of a file is not kept: {error}");
            Value::Null
        }
    }
}
