//! What this desktop does for apps once the broker has allowed it: one provider a file, listed once in [`Providers`]. A provider
//! decides nothing about consent; what it answers is held against the tool's schema by the engine's bridge.

mod dialogs;
pub mod files;
mod focus;
pub mod host;
pub mod http;
mod launch;
pub mod notifications;
mod print;
mod windows;
pub mod worker;

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use ede_engine::bridge::NativeAnswer;
use ede_engine::broker::names::CapabilityName;
use ede_engine::broker::providers::Provided;
use ede_engine::package::Package;
use serde_json::{Map, Value, json};
use tokio::sync::Notify;

use crate::wayland::{Platform, Serial, SurfaceId};

use notifications::Notifications;
pub use windows::windows_value;

/// What answers the calls of one capability.
pub trait Provider {
    /// The capability's name in the catalog.
    fn capability(&self) -> &'static str;

    /// Is there what it takes? `session` is the shell's hand on its session; the command line has none.
    fn is_there(&self, session: Option<&Platform>) -> bool;

    /// Do what an allowed call asks. It must not block: what takes time answers [`Later`].
    fn call(&mut self, call: Call<'_>, session: Option<&mut Platform>) -> Ran;

    /// The compositor has answered a wish for an activation token, perhaps one of this provider's.
    fn activation_token(&mut self, _wish: u64, _token: Option<&str>) {}
}

/// One allowed call.
pub struct Call<'a> {
    /// Whose call it is.
    pub package: &'a Package,
    /// The tool within the capability.
    pub tool: &'a str,
    /// Checked against the tool's schema.
    pub arguments: Map<String, Value>,
    /// What the person did, of an app in the foreground: what it starts may come to the front.
    pub press: Option<Press>,
    /// Where the answer goes that is not there at once.
    pub later: Later,
    /// Says when the answer is nobody's any more.
    pub stop: Stop,
}

/// The person's newest press or key.
#[derive(Clone, Copy, Debug)]
pub struct Press {
    /// The surface that has the keyboard.
    pub surface: Option<SurfaceId>,
    pub serial: Serial,
}

/// Takes one answer from any thread to the loop. Where all that hold it are gone without one, as after a panic, it answers that by itself.
#[derive(Clone)]
pub struct Later(Arc<Answer>);

struct Answer {
    to: Box<dyn Fn(NativeAnswer) + Send + Sync>,
    given: AtomicBool,
}

impl Later {
    pub fn new(answer: impl Fn(NativeAnswer) + Send + Sync + 'static) -> Later {
        Later(Arc::new(Answer {
            to: Box::new(answer),
            given: AtomicBool::new(false),
        }))
    }

    /// The first answer counts.
    pub fn answer(&self, answer: NativeAnswer) {
        self.0.give(answer);
    }

    /// The answer was there at once: none comes here.
    fn unused(&self) {
        self.0.given.store(true, Ordering::Relaxed);
    }
}

impl Answer {
    fn give(&self, answer: NativeAnswer) {
        if !self.given.swap(true, Ordering::Relaxed) {
            (self.to)(answer);
        }
    }
}

impl Drop for Answer {
    fn drop(&mut self) {
        self.give(failed("It ended without an answer"));
    }
}

/// Tells a provider that its call was cancelled: what is open for it may close.
#[derive(Clone, Default)]
pub struct Stop(Arc<Notify>);

impl Stop {
    pub fn stop(&self) {
        self.0.notify_one();
    }

    /// Wait until it is stopped. For one to wait at a time.
    pub async fn stopped(&self) {
        self.0.notified().await;
    }
}

/// How far a provider came.
pub enum Ran {
    Now(NativeAnswer),
    /// The answer comes by [`Call::later`].
    Later,
}

impl Ran {
    /// An answer that is there at once.
    pub fn ok(content: Value) -> Ran {
        Ran::Now(NativeAnswer::Result(json!({"structuredContent": content})))
    }
}

/// A native's own error, in words for a person: no path, no other program's words.
fn failed(words: &str) -> NativeAnswer {
    NativeAnswer::Result(json!({"isError": true, "content": [{"type": "text", "text": words}]}))
}

/// Every provider there is.
pub struct Providers(Vec<Box<dyn Provider>>);

impl Providers {
    /// Those that need no running shell, or answer that it is missing.
    pub fn new() -> Providers {
        Providers(vec![
            Box::new(windows::Windows),
            Box::new(focus::Focus),
            Box::new(launch::Launch::default()),
            Box::new(http::Http::default()),
            Box::new(print::Print::default()),
        ])
    }

    /// Those of a shell that keeps records.
    pub fn of_shell(notifications: Notifications, files: files::Files) -> Providers {
        let mut all = Providers::new();
        all.0.push(Box::new(notifications));
        all.0.push(Box::new(files));
        all
    }

    /// The capabilities that can be answered for.
    pub fn provided(&self, session: Option<&Platform>) -> Provided {
        let there = self.0.iter().filter(|p| p.is_there(session));
        there
            .filter_map(|p| CapabilityName::parse(p.capability()))
            .collect()
    }

    /// Hand a call to the provider of its capability.
    pub fn call(
        &mut self,
        capability: &str,
        call: Call<'_>,
        session: Option<&mut Platform>,
    ) -> Ran {
        // Held here, so that one that answers at once may drop it.
        let later = call.later.clone();
        let ran = match self.0.iter_mut().find(|p| p.capability() == capability) {
            Some(provider) => provider.call(call, session),
            None => Ran::Now(NativeAnswer::Unreachable),
        };
        if matches!(ran, Ran::Now(_)) {
            later.unused();
        }
        ran
    }

    /// See [`Provider::activation_token`].
    pub fn activation_token(&mut self, wish: u64, token: Option<&str>) {
        for provider in &mut self.0 {
            provider.activation_token(wish, token);
        }
    }
}

impl Default for Providers {
    fn default() -> Providers {
        Providers::new()
    }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]
    use std::sync::mpsc::channel;

    use super::*;

    fn later() -> (Later, std::sync::mpsc::Receiver<NativeAnswer>) {
        let (tell, told) = channel();
        (Later::new(move |answer| drop(tell.send(answer))), told)
    }

    #[test]
    fn whoever_breaks_before_it_has_answered_has_answered_that() {
        let (later, told) = later();
        let answer = later.clone();
        let broke = std::thread::spawn(move || {
            let _holds = answer;
            std::panic::resume_unwind(Box::new("a dialog broke"));
        });
        assert!(broke.join().is_err());
        assert!(told.try_recv().is_err(), "another one may answer yet");
        drop(later);
        let NativeAnswer::Result(said) = told.recv().unwrap() else {
            unreachable!()
        };
        assert_eq!(said["isError"], true);
        assert!(told.recv().is_err(), "once");
    }

    #[test]
    fn the_first_answer_counts_and_one_that_was_there_at_once_is_no_other() {
        let (first, told) = later();
        first.answer(NativeAnswer::Timeout);
        first.answer(NativeAnswer::Unreachable);
        drop(first);
        let all: Vec<NativeAnswer> = told.iter().collect();
        assert!(matches!(all[..], [NativeAnswer::Timeout]));
        let (unused, told) = later();
        unused.unused();
        drop(unused);
        assert_eq!(told.iter().count(), 0);
    }
}
