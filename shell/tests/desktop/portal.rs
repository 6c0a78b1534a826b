//! A desktop portal of the tests' own: dialogs that answer as they are told, and what they were asked.

use std::collections::HashMap;
use std::io::Read;
use std::os::fd::OwnedFd;
use std::sync::mpsc::{Receiver, Sender, channel};
use std::sync::{Arc, Mutex};
use std::time::Duration;

use ede_tests::bus::Bus;
use zbus::message::Header;
use zbus::object_server::InterfaceRef;
use zbus::zvariant::{Fd, ObjectPath, OwnedObjectPath, OwnedValue, Value};

const PATH: &str = "/org/freedesktop/portal/desktop";

/// What the person does with the next dialog.
#[derive(Clone, Debug)]
pub enum Does {
    Picks(Vec<String>),
    Cancels,
    /// Nothing, for as long as the test runs.
    Waits,
}

/// A dialog that was asked for.
#[derive(Debug)]
pub struct Asked {
    pub method: &'static str,
    pub options: HashMap<String, OwnedValue>,
    /// What was handed over to print.
    pub document: Vec<u8>,
}

impl Asked {
    pub fn text(&self, key: &str) -> String {
        String::try_from(self.options[key].try_clone().unwrap()).unwrap()
    }
}

struct Dialogs {
    does: Arc<Mutex<Does>>,
    asked: Mutex<Sender<Asked>>,
}

impl Dialogs {
    async fn show(
        &self,
        header: &Header<'_>,
        bus: &zbus::Connection,
        asked: Asked,
        answer: HashMap<&str, Value<'_>>,
    ) -> OwnedObjectPath {
        let sender = header.sender().unwrap().trim_start_matches(':');
        let token = asked.text("handle_token");
        let path = format!("{PATH}/request/{}/{token}", sender.replace('.', "_"));
        let path = ObjectPath::try_from(path).unwrap();
        let does = self.does.lock().unwrap().clone();
        self.asked.lock().unwrap().send(asked).unwrap();
        let response = match does {
            Does::Picks(_) => Some((0_u32, answer)),
            Does::Cancels => Some((1, HashMap::new())),
            Does::Waits => None,
        };
        if let Some(response) = response {
            let interface = "org.freedesktop.portal.Request";
            bus.emit_signal(
                header.sender().cloned(),
                &path,
                interface,
                "Response",
                &response,
            )
            .await
            .unwrap();
        }
        path.into()
    }

    fn picked(&self) -> HashMap<&'static str, Value<'static>> {
        match &*self.does.lock().unwrap() {
            Does::Picks(uris) => HashMap::from([("uris", Value::from(uris.clone()))]),
            _ => HashMap::new(),
        }
    }
}

fn asked(method: &'static str, options: HashMap<String, OwnedValue>) -> Asked {
    Asked {
        method,
        options,
        document: Vec::new(),
    }
}

struct FileChooser(Arc<Dialogs>);

#[zbus::interface(name = "org.freedesktop.portal.FileChooser")]
impl FileChooser {
    #[zbus(property, name = "version")]
    fn version(&self) -> u32 {
        4
    }

    async fn open_file(
        &self,
        _parent: &str,
        _title: &str,
        options: HashMap<String, OwnedValue>,
        #[zbus(header)] header: Header<'_>,
        #[zbus(connection)] bus: &zbus::Connection,
    ) -> OwnedObjectPath {
        let asked = asked("OpenFile", options);
        self.0.show(&header, bus, asked, self.0.picked()).await
    }

    async fn save_file(
        &self,
        _parent: &str,
        _title: &str,
        options: HashMap<String, OwnedValue>,
        #[zbus(header)] header: Header<'_>,
        #[zbus(connection)] bus: &zbus::Connection,
    ) -> OwnedObjectPath {
        let asked = asked("SaveFile", options);
        self.0.show(&header, bus, asked, self.0.picked()).await
    }
}

struct Print(Arc<Dialogs>);

#[zbus::interface(name = "org.freedesktop.portal.Print")]
impl Print {
    #[zbus(property, name = "version")]
    fn version(&self) -> u32 {
        3
    }

    async fn print(
        &self,
        _parent: &str,
        _title: &str,
        document: Fd<'_>,
        options: HashMap<String, OwnedValue>,
        #[zbus(header)] header: Header<'_>,
        #[zbus(connection)] bus: &zbus::Connection,
    ) -> OwnedObjectPath {
        let mut asked = asked("Print", options);
        let document: OwnedFd = std::os::fd::AsFd::as_fd(&document)
            .try_clone_to_owned()
            .unwrap();
        std::fs::File::from(document)
            .read_to_end(&mut asked.document)
            .unwrap();
        self.0.show(&header, bus, asked, HashMap::new()).await
    }
}

/// The portal on a bus, until the test ends.
pub struct Portal {
    does: Arc<Mutex<Does>>,
    asked: Receiver<Asked>,
}

impl Portal {
    pub fn on(bus: &Bus) -> Portal {
        let does = Arc::new(Mutex::new(Does::Cancels));
        let (sender, asked) = channel();
        let dialogs = Arc::new(Dialogs {
            does: does.clone(),
            asked: Mutex::new(sender),
        });
        let builder = zbus::connection::Builder::address(bus.address())
            .and_then(|b| b.serve_at(PATH, FileChooser(dialogs.clone())))
            .and_then(|b| b.serve_at(PATH, Print(dialogs)))
            .and_then(|b| b.name("org.freedesktop.portal.Desktop"))
            .unwrap();
        let (ready, served) = channel();
        std::thread::spawn(move || {
            let runtime = tokio::runtime::Builder::new_current_thread()
                .enable_all()
                .build();
            runtime.unwrap().block_on(async {
                let bus = builder.build().await.unwrap();
                let there: zbus::Result<InterfaceRef<Print>> =
                    bus.object_server().interface(PATH).await;
                there.unwrap();
                ready.send(()).unwrap();
                std::future::pending::<()>().await;
            });
        });
        served.recv().unwrap();
        Portal { does, asked }
    }

    /// The dialog that was asked for next.
    pub fn asked(&self) -> Asked {
        self.asked.recv_timeout(Duration::from_secs(60)).unwrap()
    }

    /// From the next dialog on.
    pub fn person(&self, does: Does) {
        *self.does.lock().unwrap() = does;
    }
}
