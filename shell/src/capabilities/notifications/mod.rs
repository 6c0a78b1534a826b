//! `notifications`: what an app wants the person to know, now or at a time of its own. The session's notification service shows it
//! ([`service`]), or the shell itself where there is none; what waits for its time is kept with the records. So there is always
//! something that shows it while the shell runs, and nothing without the shell.

mod service;
mod shown;

use std::collections::{BTreeMap, VecDeque};
use std::sync::Arc;
use std::time::{Duration, Instant};

use ede_engine::app_id::AppId;
use ede_engine::bridge::NativeAnswer;
use ede_engine::clock::parse_instant;
use ede_engine::package::ScreenId;
use ede_engine::records::{Due, MOST_SCHEDULED, Notice, NoticeId, Store, Tap};
use jiff::Timestamp;
use serde_json::{Map, Value, json};

use super::{Call, Later, Provider, Ran, failed};
use crate::wayland::Platform;
pub use service::Service;
pub use shown::Shown;

/// How many notifications an app posts within [`WHILE`] at most, those that wait for their time included.
const MOST_POSTED: usize = 30;
const WHILE: Duration = Duration::from_secs(60);

/// The longest params of a tap, as JSON text (bytes): as much as a record.
const MOST_PARAMS: usize = 16 * 1024;

/// What the shell is told of, from any thread.
#[derive(Debug)]
pub enum Event {
    /// One waits for this time.
    Scheduled(Timestamp),
    /// These are to be shown now.
    Due(Due),
    /// The person pressed one. The token lets the app's window come to the front.
    Tapped {
        app: AppId,
        tap: Tap,
        token: Option<String>,
    },
    /// No service shows this: the shell does.
    Unserved(Box<Shown>),
    /// The shell shows this no longer.
    Withdrawn(AppId, NoticeId),
}

/// Takes events to the loop.
pub type Tell = Arc<dyn Fn(Event) + Send + Sync>;

/// Posts and cancels for apps.
pub struct Notifications {
    store: Store,
    service: Service,
    tell: Tell,
    /// When each app posted, within the last while.
    posts: BTreeMap<AppId, VecDeque<Instant>>,
}

impl Notifications {
    /// What waits is kept in `store`, what is shown goes to `service`.
    pub fn new(store: Store, service: Service, tell: Tell) -> Notifications {
        Notifications {
            store,
            service,
            tell,
            posts: BTreeMap::new(),
        }
    }

    /// May the app post one more? It counts.
    fn may_post(&mut self, app: &AppId, now: Instant) -> bool {
        let posts = self.posts.entry(app.clone()).or_default();
        posts.retain(|at| now.saturating_duration_since(*at) < WHILE);
        let may = posts.len() < MOST_POSTED;
        if may {
            posts.push_back(now);
        }
        may
    }

    fn post(&mut self, call: Call<'_>) -> Ran {
        let app = call.package.id();
        if !self.may_post(app, Instant::now()) {
            return Ran::Now(failed(&format!(
                "tooMany: at most {MOST_POSTED} notifications a minute"
            )));
        }
        let Some((notice, at)) = read(app, &call.arguments) else {
            return Ran::Now(failed("The notification makes no sense"));
        };
        let params = notice.tap.as_ref().map(|tap| &tap.params);
        if params.is_some_and(|p| json!(p).to_string().len() > MOST_PARAMS) {
            return Ran::Now(failed(&format!(
                "tooLarge: at most {MOST_PARAMS} bytes of params"
            )));
        }
        match at.filter(|at| *at > Timestamp::now()) {
            Some(at) => self.schedule(notice, at, call.later),
            None => self.show(Shown::new(notice, call.package), call.later),
        }
        Ran::Later
    }

    fn schedule(&self, notice: Notice, at: Timestamp, later: Later) {
        let (service, tell) = (self.service.clone(), self.tell.clone());
        let (app, id) = (notice.app.clone(), notice.id.clone());
        self.store.schedule(notice, at).then(move |kept| {
            later.answer(match kept {
                Ok(true) => {
                    // What the app calls by this id is the one that waits now.
                    service.close(app, id, |_| {});
                    tell(Event::Scheduled(at));
                    done(json!({}))
                }
                Ok(false) => failed(&format!(
                    "tooMany: at most {MOST_SCHEDULED} notifications wait for their time"
                )),
                Err(error) => {
                    tracing::debug!("a notification was not kept: {error}");
                    failed("The notification could not be kept")
                }
            });
        });
    }

    fn show(&self, shown: Shown, later: Later) {
        let service = self.service.clone();
        let waits = (self.store).unschedule(shown.app.clone(), shown.id.clone());
        waits.then(move |withdrawn| {
            // Trouble with the records is told by the store.
            if let Err(error) = withdrawn {
                tracing::debug!("a notification may be shown again: {error}");
            }
            service.show(shown);
            later.answer(done(json!({})));
        });
    }

    fn cancel(&self, call: Call<'_>) -> Ran {
        let app = call.package.id().clone();
        let id = call.arguments.get("id").and_then(Value::as_str);
        let Some(id) = id.and_then(|id| own_id(&app, id)) else {
            return Ran::ok(json!({"cancelled": false}));
        };
        let (service, later) = (self.service.clone(), call.later);
        let waits = self.store.unschedule(app.clone(), id.clone());
        waits.then(move |withdrawn| match withdrawn {
            Ok(withdrawn) => service.close(app, id, move |closed| {
                later.answer(done(json!({"cancelled": withdrawn || closed})));
            }),
            Err(error) => {
                tracing::debug!("a notification was not withdrawn: {error}");
                later.answer(failed("The notification could not be withdrawn"));
            }
        });
        Ran::Later
    }
}

impl Provider for Notifications {
    fn capability(&self) -> &'static str {
        "notifications"
    }

    fn is_there(&self, session: Option<&Platform>) -> bool {
        session.is_some()
    }

    fn call(&mut self, call: Call<'_>, _: Option<&mut Platform>) -> Ran {
        match call.tool {
            "cancel" => self.cancel(call),
            _ => self.post(call),
        }
    }
}

fn done(content: Value) -> NativeAnswer {
    NativeAnswer::Result(json!({"structuredContent": content}))
}

/// The app's own id in the one the bridge made of it.
fn own_id(app: &AppId, id: &str) -> Option<NoticeId> {
    let (of, id) = id.split_once('/')?;
    NoticeId::parse(id).filter(|_| of == app.as_str())
}

/// What the bridge hands over: a notification and its time.
fn read(app: &AppId, arguments: &Map<String, Value>) -> Option<(Notice, Option<Timestamp>)> {
    let text = |key: &str| arguments.get(key).and_then(Value::as_str);
    let at = match text("at") {
        Some(at) => Some(parse_instant(at)?),
        None => None,
    };
    let tap = arguments.get("tap").and_then(|tap| {
        Some(Tap {
            screen: ScreenId::new(tap.get("screen")?.as_str()?),
            params: tap.get("params")?.as_object()?.clone(),
        })
    });
    let notice = Notice {
        app: app.clone(),
        id: own_id(app, text("id")?)?,
        title: text("title")?.into(),
        body: text("body").map(str::to_owned),
        tap,
    };
    Some((notice, at))
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]
    use ede_engine::records::StoreOptions;

    use super::*;
    use crate::clock::SystemClock;

    #[test]
    fn what_the_bridge_hands_over_is_read() {
        let app = AppId::parse("acme.one").unwrap();
        let arguments = json!({"id": "acme.one/a", "title": "T", "body": null, "at": "2026-12-01T09:00:00+01:00",
            "tap": {"type": "notificationTap", "app": "acme.one", "screen": "day", "params": {"day": 1}}});
        let (notice, at) = read(&app, arguments.as_object().unwrap()).unwrap();
        assert_eq!(at.unwrap().to_string(), "2026-12-01T08:00:00Z");
        let tap = notice.tap.unwrap();
        assert_eq!(
            (tap.screen.as_str(), &tap.params["day"]),
            ("day", &json!(1))
        );
        assert_eq!((notice.id.as_str(), notice.body), ("a", None));
        let others =
            json!({"id": "acme.two/a", "title": "T", "body": null, "at": null, "tap": null});
        assert!(read(&app, others.as_object().unwrap()).is_none());
    }

    #[test]
    fn an_app_posts_so_many_in_a_while_and_no_other_pays_for_it() {
        let dir = tempfile::tempdir().unwrap();
        let options = StoreOptions::new(dir.path().join("records.db"), Arc::new(SystemClock));
        let tell: Tell = Arc::new(|_| {});
        let store = Store::start(options).unwrap();
        let mut posts = Notifications::new(store, Service::new(tell.clone()), tell);
        let (one, other) = (
            AppId::parse("acme.one").unwrap(),
            AppId::parse("acme.two").unwrap(),
        );
        let start = Instant::now();
        for n in 0..MOST_POSTED as u64 {
            assert!(posts.may_post(&one, start + Duration::from_secs(n)));
        }
        let after = |seconds| start + Duration::from_secs(seconds);
        assert!(!posts.may_post(&one, after(59)));
        assert!(posts.may_post(&other, after(59)));
        assert!(posts.may_post(&one, after(60)), "the first is a minute ago");
        assert!(!posts.may_post(&one, after(60)));
    }
}
