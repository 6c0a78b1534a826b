//! A notification service of the session that shows nothing: it says what it was told, and does what a person would.

use std::collections::HashMap;
use std::sync::{Arc, Mutex, mpsc};
use std::time::Duration;

use ede_tests::bus::Bus;
use tokio::sync::mpsc::{UnboundedReceiver, UnboundedSender, unbounded_channel};
use zbus::fdo::DBusProxy;
use zbus::message::Header;
use zbus::object_server::SignalEmitter;
use zbus::zvariant::OwnedValue;

/// What the mock service was told.
#[derive(Debug, PartialEq)]
pub enum Told {
    Notify(Box<Notified>),
    Close(u32),
}

#[derive(Debug, PartialEq)]
pub struct Notified {
    pub name: String,
    pub replaces: u32,
    pub icon: String,
    pub title: String,
    pub body: String,
    pub actions: Vec<String>,
    pub urgency: u8,
    pub entry: String,
    pub expires: i32,
    /// How the service calls it.
    pub id: u32,
}

/// What the mock service does.
pub enum Does {
    Token(u32, String),
    Press(u32),
    Closed(u32),
    /// Whether a client is on the bus.
    Ask(String, mpsc::Sender<bool>),
}

struct Notifier {
    told: Mutex<mpsc::Sender<Told>>,
    /// The bus's name for whoever notified last.
    client: Arc<Mutex<String>>,
    ids: u32,
}

#[zbus::interface(name = "org.freedesktop.Notifications")]
impl Notifier {
    fn get_capabilities(&self) -> Vec<String> {
        ["actions", "body", "body-markup"].map(String::from).into()
    }

    #[expect(clippy::too_many_arguments)]
    fn notify(
        &mut self,
        name: String,
        replaces: u32,
        icon: String,
        title: String,
        body: String,
        actions: Vec<String>,
        mut hints: HashMap<String, OwnedValue>,
        expires: i32,
        #[zbus(header)] head: Header<'_>,
    ) -> u32 {
        *self.client.lock().unwrap() = head.sender().unwrap().to_string();
        let id = match replaces {
            0 => {
                self.ids += 1;
                self.ids
            }
            known => known,
        };
        let hint = |value: Option<OwnedValue>| value.unwrap();
        let notified = Notified {
            name,
            replaces,
            icon,
            title,
            body,
            actions,
            urgency: u8::try_from(hint(hints.remove("urgency"))).unwrap(),
            entry: String::try_from(hint(hints.remove("desktop-entry"))).unwrap(),
            expires,
            id,
        };
        let told = self.told.lock().unwrap();
        let _ = told.send(Told::Notify(Box::new(notified)));
        id
    }

    fn close_notification(&self, id: u32) {
        let _ = self.told.lock().unwrap().send(Told::Close(id));
    }

    #[zbus(signal)]
    async fn activation_token(to: &SignalEmitter<'_>, id: u32, token: &str) -> zbus::Result<()>;

    #[zbus(signal)]
    async fn action_invoked(to: &SignalEmitter<'_>, id: u32, action: &str) -> zbus::Result<()>;

    #[zbus(signal)]
    async fn notification_closed(to: &SignalEmitter<'_>, id: u32, why: u32) -> zbus::Result<()>;
}

/// The mock service, on a bus until it is dropped.
pub struct Service {
    told: mpsc::Receiver<Told>,
    client: Arc<Mutex<String>>,
    does: UnboundedSender<Does>,
}

impl Service {
    pub fn start(bus: &Bus) -> Service {
        let (sender, told) = mpsc::channel();
        let (does, wishes) = unbounded_channel();
        let (ready, served) = mpsc::channel();
        let client = Arc::<Mutex<String>>::default();
        let notifier = Notifier {
            told: Mutex::new(sender),
            client: client.clone(),
            ids: 40,
        };
        let builder = zbus::connection::Builder::address(bus.address()).unwrap();
        let path = "/org/freedesktop/Notifications";
        let builder = builder.serve_at(path, notifier).unwrap();
        let builder = builder.name("org.freedesktop.Notifications").unwrap();
        std::thread::spawn(move || {
            let runtime = tokio::runtime::Builder::new_current_thread()
                .enable_all()
                .build();
            runtime.unwrap().block_on(async {
                let connection = builder.build().await.unwrap();
                ready.send(()).unwrap();
                let to = SignalEmitter::new(&connection, path).unwrap();
                serve(wishes, &to).await;
            });
        });
        served.recv().unwrap();
        Service { told, client, does }
    }

    /// Is whoever notified last on the bus?
    pub fn is_listened_to(&self) -> bool {
        let client = self.client.lock().unwrap().clone();
        let (answer, answers) = mpsc::channel();
        self.do_this(Does::Ask(client, answer));
        answers.recv().unwrap()
    }

    pub fn next(&self) -> Told {
        self.told.recv_timeout(Duration::from_secs(60)).unwrap()
    }

    pub fn notified(&self) -> Notified {
        match self.next() {
            Told::Notify(notified) => *notified,
            other => panic!("{other:?}"),
        }
    }

    pub fn do_this(&self, does: Does) {
        assert!(self.does.send(does).is_ok());
    }
}

async fn serve(mut wishes: UnboundedReceiver<Does>, to: &SignalEmitter<'_>) {
    while let Some(does) = wishes.recv().await {
        let done = match does {
            Does::Token(id, token) => Notifier::activation_token(to, id, &token).await,
            Does::Press(id) => Notifier::action_invoked(to, id, "default").await,
            Does::Closed(id) => Notifier::notification_closed(to, id, 2).await,
            Does::Ask(client, answer) => {
                let bus = DBusProxy::new(to.connection()).await.unwrap();
                let there = bus.name_has_owner(client.try_into().unwrap()).await;
                answer.send(there.unwrap()).unwrap();
                Ok(())
            }
        };
        done.unwrap();
    }
}
