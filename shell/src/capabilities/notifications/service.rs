//! The session's notification service, as one of its ordinary clients (`org.freedesktop.Notifications`), on a thread of its own that
//! starts with the first notification. Where no service answers the shell is told to show it itself. What is shown is known by the app and
//! the app's own id, until it is closed.
//!
//! The bus is listened to while the service shows something of ours, and no longer: it tells everybody of everybody's notifications, and
//! its numbers are nothing that the bus could choose by. An idle desktop is not woken by what other programs show.

use std::collections::{BTreeMap, HashMap};
use std::pin::Pin;
use std::sync::{Arc, Mutex, PoisonError};
use std::task::Poll;
use std::time::Duration;

use ede_engine::app_id::AppId;
use ede_engine::records::{NoticeId, Tap};
use tokio::sync::mpsc::{UnboundedReceiver, UnboundedSender, unbounded_channel};
use zbus::export::futures_core::Stream;
use zbus::proxy::{OwnerChangedStream, SignalStream};
use zbus::zvariant::Value;

use super::{Event, Shown, Tell};

/// How long the service may take to answer.
const PATIENCE: Duration = Duration::from_secs(5);

/// How many notifications of one app are shown at once: the next one takes the place of the oldest.
const MOST_SHOWN: usize = 64;

/// The action of a press on the notification itself.
const DEFAULT: &str = "default";

/// The urgency of what apps post: never low, never critical.
const NORMAL: u8 = 1;

#[zbus::proxy(
    interface = "org.freedesktop.Notifications",
    default_service = "org.freedesktop.Notifications",
    default_path = "/org/freedesktop/Notifications",
    gen_blocking = false
)]
trait Notifications {
    fn get_capabilities(&self) -> zbus::Result<Vec<String>>;

    #[expect(clippy::too_many_arguments)]
    fn notify(
        &self,
        app_name: &str,
        replaces_id: u32,
        app_icon: &str,
        summary: &str,
        body: &str,
        actions: &[&str],
        hints: HashMap<&str, Value<'_>>,
        expire_timeout: i32,
    ) -> zbus::Result<u32>;

    fn close_notification(&self, id: u32) -> zbus::Result<()>;
}

/// The way to the service, from any thread.
#[derive(Clone)]
pub struct Service(Arc<Inner>);

struct Inner {
    tell: Tell,
    wishes: Mutex<Option<UnboundedSender<Wish>>>,
}

type Closed = Box<dyn FnOnce(bool) + Send>;

enum Wish {
    Show(Box<Shown>),
    /// Close one, and say whether it was there.
    Close(Key, Closed),
    /// Close those of all other apps.
    Keep(Vec<AppId>),
    /// The shell has shown this one long enough.
    Ended(Key),
}

type Key = (AppId, NoticeId);

impl Service {
    /// Nothing is asked of the session before the first notification.
    pub fn new(tell: Tell) -> Service {
        Service(Arc::new(Inner {
            tell,
            wishes: Mutex::default(),
        }))
    }

    /// Show a notification in place of the one with the same id.
    pub fn show(&self, shown: Shown) {
        let mut wishes = self.0.wishes.lock().unwrap_or_else(PoisonError::into_inner);
        if wishes.is_none() {
            *wishes = start(self.0.tell.clone());
        }
        let wish = Wish::Show(Box::new(shown));
        let unsent = match wishes.as_ref() {
            Some(wishes) => wishes.send(wish).err().map(|unsent| unsent.0),
            None => Some(wish),
        };
        if let Some(Wish::Show(shown)) = unsent {
            (self.0.tell)(Event::Unserved(shown));
        }
    }

    /// Close a notification; `closed` is told, on any thread, whether it was shown.
    pub fn close(&self, app: AppId, id: NoticeId, closed: impl FnOnce(bool) + Send + 'static) {
        let wish = Wish::Close((app, id), Box::new(closed));
        if let Some(Wish::Close(_, closed)) = self.send(wish) {
            closed(false);
        }
    }

    /// These apps alone may have something shown.
    pub fn keep(&self, apps: Vec<AppId>) {
        self.send(Wish::Keep(apps));
    }

    /// The shell shows what it was told to show no longer.
    pub fn ended(&self, app: AppId, id: NoticeId) {
        self.send(Wish::Ended((app, id)));
    }

    /// The wish comes back where nothing has been shown yet.
    fn send(&self, wish: Wish) -> Option<Wish> {
        let wishes = self.0.wishes.lock().unwrap_or_else(PoisonError::into_inner);
        match wishes.as_ref() {
            Some(wishes) => wishes.send(wish).err().map(|unsent| unsent.0),
            None => Some(wish),
        }
    }
}

fn start(tell: Tell) -> Option<UnboundedSender<Wish>> {
    let (wishes, heard) = unbounded_channel();
    let started = std::thread::Builder::new()
        .name("ede-notify".into())
        .spawn(move || {
            let runtime = tokio::runtime::Builder::new_current_thread()
                .enable_all()
                .build();
            match runtime {
                Ok(runtime) => runtime.block_on(Desk::new(tell).serve(heard)),
                Err(error) => tracing::warn!("notifications go to the shell: {error}"),
            }
        });
    if let Err(error) = &started {
        tracing::warn!("notifications go to the shell: {error}");
    }
    started.ok().map(|_| wishes)
}

/// Where a notification is shown.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Place {
    /// By the service, which calls it so.
    Service(u32),
    Shell,
}

struct Entry {
    place: Place,
    tap: Option<Tap>,
    /// What lets a window come to the front, of a press that is about to be told.
    token: Option<String>,
    /// The lower, the older.
    order: u64,
}

/// The service and what is heard of it.
struct Server {
    proxy: NotificationsProxy<'static>,
    signals: SignalStream<'static>,
    owners: OwnerChangedStream<'static>,
    known: Option<Known>,
}

/// What is known of the service that answers now.
struct Known {
    /// Its name on the bus.
    owner: String,
    /// Does it read the body as markup?
    markup: bool,
}

enum Heard {
    Signal(zbus::Message),
    /// The service is this one now, or none.
    Owner(Option<String>),
    /// The bus has ended.
    Gone,
}

/// What the thread knows.
struct Desk {
    tell: Tell,
    shown: BTreeMap<Key, Entry>,
    server: Option<Server>,
    orders: u64,
}

impl Desk {
    fn new(tell: Tell) -> Desk {
        Desk {
            tell,
            shown: BTreeMap::new(),
            server: None,
            orders: 0,
        }
    }

    /// Until nobody can wish any more.
    async fn serve(mut self, mut wishes: UnboundedReceiver<Wish>) {
        loop {
            tokio::select! {
                // What has happened already comes before what is wished next.
                biased;
                heard = hear(&mut self.server) => self.heard(heard),
                wish = wishes.recv() => match wish {
                    Some(wish) => self.wish(wish).await,
                    None => return,
                },
            }
            self.leave_when_done();
        }
    }

    /// Nothing of ours is shown by the service: nothing it tells is about us, until there is again.
    fn leave_when_done(&mut self) {
        let served = |entry: &Entry| matches!(entry.place, Place::Service(_));
        if !self.shown.values().any(served) {
            self.server = None;
        }
    }

    async fn wish(&mut self, wish: Wish) {
        match wish {
            Wish::Show(shown) => self.show(*shown).await,
            Wish::Close(key, closed) => closed(self.close(&key).await),
            Wish::Keep(apps) => {
                let gone = self.shown.keys().filter(|(app, _)| !apps.contains(app));
                for key in gone.cloned().collect::<Vec<_>>() {
                    self.close(&key).await;
                }
            }
            Wish::Ended(key) => {
                if self.place(&key) == Some(Place::Shell) {
                    self.shown.remove(&key);
                }
            }
        }
    }

    fn place(&self, key: &Key) -> Option<Place> {
        self.shown.get(key).map(|entry| entry.place)
    }

    async fn show(&mut self, shown: Shown) {
        let key = (shown.app.clone(), shown.id.clone());
        self.make_room(&key).await;
        let replaces = match self.place(&key) {
            Some(Place::Service(id)) => id,
            _ => 0,
        };
        let tap = shown.tap.clone();
        let place = match self.notify(&shown, replaces).await {
            Ok(id) => {
                if self.place(&key) == Some(Place::Shell) {
                    (self.tell)(Event::Withdrawn(shown.app, shown.id));
                }
                Place::Service(id)
            }
            Err(why) => {
                tracing::debug!("no service shows a notification: {why}");
                (self.tell)(Event::Unserved(Box::new(shown)));
                Place::Shell
            }
        };
        self.orders += 1;
        let entry = Entry {
            place,
            tap,
            token: None,
            order: self.orders,
        };
        self.shown.insert(key, entry);
    }

    /// An app that shows too much loses its oldest.
    async fn make_room(&mut self, key: &Key) {
        let others = || self.shown.iter().filter(|(k, _)| k.0 == key.0 && *k != key);
        if others().count() >= MOST_SHOWN
            && let Some((oldest, _)) = others().min_by_key(|(_, entry)| entry.order)
        {
            let oldest = oldest.clone();
            self.close(&oldest).await;
        }
    }

    /// Have the service show it; its number there.
    async fn notify(&mut self, shown: &Shown, replaces: u32) -> Result<u32, String> {
        let server = match &mut self.server {
            Some(server) => server,
            none => none.insert(in_time(connect()).await?),
        };
        let known = match &server.known {
            Some(known) => known,
            None => {
                let known = in_time(know(&server.proxy)).await?;
                server.known.insert(known)
            }
        };
        let body = if known.markup {
            shown.body_as_markup()
        } else {
            shown.body.clone()
        };
        let actions: &[&str] = match shown.tap {
            Some(_) => &[DEFAULT, "Open"],
            None => &[],
        };
        let entry = format!("ede-{}", shown.app);
        let hints = HashMap::from([
            ("urgency", Value::from(NORMAL)),
            ("desktop-entry", Value::from(entry)),
        ]);
        in_time(server.proxy.notify(
            &shown.name,
            replaces,
            shown.icon,
            &shown.title,
            &body,
            actions,
            hints,
            -1,
        ))
        .await
    }

    /// Close one; was it there?
    async fn close(&mut self, key: &Key) -> bool {
        let Some(entry) = self.shown.remove(key) else {
            return false;
        };
        match (entry.place, &self.server) {
            (Place::Service(id), Some(server)) => {
                if let Err(why) = in_time(server.proxy.close_notification(id)).await {
                    tracing::debug!("a notification may still be shown: {why}");
                }
            }
            (Place::Service(_), None) => {}
            (Place::Shell, _) => (self.tell)(Event::Withdrawn(key.0.clone(), key.1.clone())),
        }
        true
    }

    fn heard(&mut self, heard: Heard) {
        match heard {
            Heard::Signal(message) => self.signal(&message),
            Heard::Owner(owner) => {
                let Some(server) = &mut self.server else {
                    return;
                };
                let same = |known: &Known| Some(&known.owner) == owner.as_ref();
                if !server.known.as_ref().is_some_and(same) {
                    // What the last one showed is gone with it.
                    server.known = None;
                    self.shown.retain(|_, entry| entry.place == Place::Shell);
                }
            }
            Heard::Gone => {
                self.shown.retain(|_, entry| entry.place == Place::Shell);
                self.server = None;
            }
        }
    }

    /// What the service tells; other programs' notifications are nothing of ours.
    fn signal(&mut self, message: &zbus::Message) {
        let (header, body) = (message.header(), message.body());
        let name = header.member().map(|name| name.as_str());
        match name.unwrap_or_default() {
            "NotificationClosed" => {
                let id = body.deserialize::<(u32, u32)>().map(|(id, _)| id);
                if let Ok(id) = id {
                    (self.shown).retain(|_, entry| entry.place != Place::Service(id));
                }
            }
            // It comes before the press it is for.
            "ActivationToken" => {
                if let Ok((id, token)) = body.deserialize::<(u32, String)>()
                    && let Some((_, entry)) = self.find(id)
                {
                    entry.token = Some(token);
                }
            }
            "ActionInvoked" => {
                if let Ok((id, DEFAULT)) = body.deserialize::<(u32, &str)>()
                    && let Some((app, entry)) = self.find(id)
                    && let Some(tap) = entry.tap.clone()
                {
                    let token = entry.token.take();
                    (self.tell)(Event::Tapped { app, tap, token });
                }
            }
            _ => {}
        }
    }

    fn find(&mut self, id: u32) -> Option<(AppId, &mut Entry)> {
        let mut all = self.shown.iter_mut();
        let (key, entry) = all.find(|(_, entry)| entry.place == Place::Service(id))?;
        Some((key.0.clone(), entry))
    }
}

async fn connect() -> zbus::Result<Server> {
    let bus = zbus::Connection::session().await?;
    let proxy = NotificationsProxy::new(&bus).await?;
    // All of them in one stream: a press comes after its token.
    let signals = proxy.inner().receive_all_signals().await?;
    let owners = proxy.inner().receive_owner_changed().await?;
    Ok(Server {
        proxy,
        signals,
        owners,
        known: None,
    })
}

/// Ask the service what it can, which starts it where it is not running yet.
async fn know(proxy: &NotificationsProxy<'_>) -> zbus::Result<Known> {
    let abilities = proxy.get_capabilities().await?;
    let bus = zbus::fdo::DBusProxy::new(proxy.inner().connection()).await?;
    let name = proxy.inner().destination().to_owned();
    Ok(Known {
        owner: bus.get_name_owner(name).await?.to_string(),
        markup: abilities.iter().any(|a| a == "body-markup"),
    })
}

/// Wait for an answer, but not for ever.
async fn in_time<T>(answer: impl Future<Output = zbus::Result<T>>) -> Result<T, String> {
    match tokio::time::timeout(PATIENCE, answer).await {
        Ok(answer) => answer.map_err(|error| error.to_string()),
        Err(_) => Err("it does not answer".into()),
    }
}

/// What comes next of the service; nothing while there is none.
async fn hear(server: &mut Option<Server>) -> Heard {
    let Some(server) = server else {
        return std::future::pending().await;
    };
    std::future::poll_fn(|cx| {
        match Pin::new(&mut server.owners).poll_next(cx) {
            Poll::Ready(Some(owner)) => {
                let owner = owner.map(|name| name.to_string());
                return Poll::Ready(Heard::Owner(owner));
            }
            Poll::Ready(None) => return Poll::Ready(Heard::Gone),
            Poll::Pending => {}
        }
        match Pin::new(&mut server.signals).poll_next(cx) {
            Poll::Ready(Some(message)) => Poll::Ready(Heard::Signal(message)),
            Poll::Ready(None) => Poll::Ready(Heard::Gone),
            Poll::Pending => Poll::Pending,
        }
    })
    .await
}
