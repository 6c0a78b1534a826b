//! Notifications of apps as far as the shell is concerned: those whose time has come are shown while the app may still post, a press on
//! one opens the app, and where the session has no service for them they are messages in the corner, one after the other.

use std::collections::VecDeque;
use std::sync::Arc;

use ede_engine::app_id::AppId;
use ede_engine::broker::grants::Grant;
use ede_engine::broker::names::ScopeId;
use ede_engine::records::{NoticeId, Store, Tap};
use jiff::Timestamp;
use serde_json::Value;

use super::toasts::{Message, Offer, Told};
use super::{News, Shell, Tell};
use crate::capabilities::files::Files;
use crate::capabilities::notifications::{Event, Notifications, Service, Shown};
use crate::capabilities::{Providers, notifications};
use crate::desktop::popup::Tone;
use crate::wayland::Platform;

/// The call that posts, as an app's surface spells it.
const POST: &str = "notifications.post";

/// How many wait for the corner; of more the oldest go unseen.
const MOST_WAITING: usize = 16;

/// Nothing of it is there in a shell without records.
#[derive(Default)]
pub(super) struct Notices {
    service: Option<Service>,
    /// When the next one is due.
    next: Option<Timestamp>,
    /// What the corner has no room for yet.
    waiting: VecDeque<Shown>,
}

impl Notices {
    /// With the providers that post through it.
    pub fn start(store: Option<&Store>, tell: &Tell, files: Files) -> (Notices, Providers) {
        let Some(store) = store else {
            return (Notices::default(), Providers::new());
        };
        let tell = tell.clone();
        let tell: notifications::Tell = Arc::new(move |event| tell(News::Notices(event)));
        let service = Service::new(tell.clone());
        let posts = Notifications::new(store.clone(), service.clone(), tell);
        let notices = Notices {
            service: Some(service),
            ..Notices::default()
        };
        (notices, Providers::of_shell(posts, files))
    }

    /// When the next one is due.
    pub fn next(&self) -> Option<Timestamp> {
        self.next
    }
}

impl Shell {
    /// Ask for what is due: at the start, when the time has come, when the records or the apps are others. Never before it is known what
    /// the person decided. What an app posted that is not there just now waits for it.
    pub(super) fn ask_due(&mut self) {
        let Some(store) = self.desk.feed.store().filter(|_| self.desk.gate.knows()) else {
            return;
        };
        self.calls.notices.next = None;
        let tell = self.tell.clone();
        let there = self.desk.shelf.iter().map(|app| app.id().clone()).collect();
        store
            .due_notices(Timestamp::now(), there)
            .then(move |due| match due {
                Ok(due) => tell(News::Notices(Event::Due(due))),
                // The store tells of its trouble by itself, and of its end: then it is asked again.
                Err(error) => tracing::debug!("what is due cannot be read: {error}"),
            });
    }

    /// The clock on the wall has moved.
    pub(super) fn time_for_notices(&mut self) {
        let now = Timestamp::now();
        if self.calls.notices.next.is_some_and(|next| next <= now) {
            self.ask_due();
        }
    }

    /// What an app may no longer post goes from the screen too.
    pub(super) fn withdraw_notices(&mut self) {
        let Some(service) = &self.calls.notices.service else {
            return;
        };
        // Scope and tool go by the same name.
        let Some(scope) = ScopeId::parse(POST) else {
            return;
        };
        let gate = &self.desk.gate;
        let apps = self.desk.shelf.iter();
        let apps = apps.filter(|p| gate.grants(p).get(&scope) == Some(Grant::Granted));
        service.keep(apps.map(|package| package.id().clone()).collect());
    }

    pub(super) fn noticed(&mut self, platform: &mut Platform, event: Event) {
        match event {
            Event::Scheduled(at) => self.next_at(at),
            Event::Due(due) => {
                for notice in due.notices {
                    let Some(package) = self.desk.shelf.get(&notice.app) else {
                        continue;
                    };
                    let service = self.calls.notices.service.as_ref();
                    let Some(service) = service.filter(|_| self.desk.gate.still_may(package, POST))
                    else {
                        continue;
                    };
                    service.show(Shown::new(notice, package));
                }
                if let Some(next) = due.next {
                    self.next_at(next);
                }
            }
            Event::Tapped { app, tap, token } => self.open_tapped(platform, &app, tap, token),
            Event::Unserved(shown) => self.show_in_corner(platform, *shown),
            Event::Withdrawn(app, id) => self.take_from_corner(platform, &(app, id)),
        }
    }

    fn next_at(&mut self, at: Timestamp) {
        let next = &mut self.calls.notices.next;
        *next = Some(next.map_or(at, |n| n.min(at)));
    }

    /// A press on a notification: the app's window at the screen it says.
    pub(super) fn open_tapped(
        &mut self,
        platform: &mut Platform,
        app: &AppId,
        tap: Tap,
        token: Option<String>,
    ) {
        let params = Value::Object(tap.params);
        let screen = Some(tap.screen.as_str());
        if let Err(error) = self.open_app(platform, app, screen, params, token) {
            self.tell(self.app_name(app), error);
        }
    }

    fn show_in_corner(&mut self, platform: &mut Platform, shown: Shown) {
        let key = (shown.app.clone(), shown.id.clone());
        self.take_from_corner(platform, &key);
        let waiting = &mut self.calls.notices.waiting;
        waiting.push_back(shown);
        if waiting.len() > MOST_WAITING
            && let Some(unseen) = waiting.pop_front()
        {
            self.notice_ended(unseen.app, unseen.id);
        }
    }

    fn take_from_corner(&mut self, platform: &mut Platform, key: &(AppId, NoticeId)) {
        let other = |shown: &Shown| (&shown.app, &shown.id) != (&key.0, &key.1);
        self.calls.notices.waiting.retain(other);
        let told = Told::Apps(key.0.clone(), key.1.clone());
        let shows = |t: &super::OpenToast| t.told.as_ref() == Some(&told);
        if self.toast.as_ref().is_some_and(shows) {
            self.close_toast(platform);
        }
    }

    /// The corner is free: the next one, or else what an agent tells.
    pub(super) fn next_in_corner(&mut self) {
        let Some(shown) = self.calls.notices.waiting.pop_front() else {
            return self.next_notice();
        };
        let text = match shown.body.as_str() {
            "" => shown.title,
            body => format!("{}\n{body}", shown.title),
        };
        let offer = shown.tap.map(|tap| Offer::Open(shown.app.clone(), tap));
        self.message = Some(Message {
            about: shown.name,
            text,
            tone: Tone::Notice,
            offer,
            told: Some(Told::Apps(shown.app, shown.id)),
        });
    }

    /// One is in the corner no longer.
    pub(super) fn notice_ended(&self, app: AppId, id: NoticeId) {
        if let Some(service) = &self.calls.notices.service {
            service.ended(app, id);
        }
    }
}
