//! Tokens of servers: kept by the session's Secret Service, which is a mock on a bus of its own, sent to the server they are for, and
//! found nowhere else.

use std::collections::HashMap;
use std::io::Write;
use std::path::Path;
use std::process::{Child, Command, Output, Stdio};
use std::sync::{Arc, Mutex, mpsc};

use ede_tests::bus::Bus;
use ede_tests::program::{self, Ede};
use serde_json::Value as Json;
use zbus::fdo;
use zbus::zvariant::{ObjectPath, OwnedObjectPath, OwnedValue, Value};

use super::harness::wait_for;

const SERVICE: &str = "/org/freedesktop/secrets";
const COLLECTION: &str = "/org/freedesktop/secrets/collection/login";
const ITEM: &str = "/org/freedesktop/secrets/collection/login/1";
const SESSION: &str = "/org/freedesktop/secrets/session/1";
const NONE: &str = "/";
const TOKEN: &str = "a-very-secret-token";

/// The session, parameters, the secret, its kind.
type Secret = (OwnedObjectPath, Vec<u8>, Vec<u8>, String);

/// The one item there may be: what it is found by, and its secret.
type Kept = Arc<Mutex<Option<(HashMap<String, String>, Vec<u8>)>>>;

fn path(path: &'static str) -> OwnedObjectPath {
    ObjectPath::from_static_str(path).unwrap().into()
}

struct Service;

#[zbus::interface(name = "org.freedesktop.Secret.Service")]
impl Service {
    fn open_session(
        &self,
        algorithm: String,
        _input: OwnedValue,
    ) -> fdo::Result<(OwnedValue, OwnedObjectPath)> {
        if algorithm != "plain" {
            return Err(fdo::Error::NotSupported("plain only".into()));
        }
        let nothing = Value::from("").try_to_owned().unwrap();
        Ok((nothing, path(SESSION)))
    }

    fn read_alias(&self, name: String) -> OwnedObjectPath {
        path(if name == "default" { COLLECTION } else { NONE })
    }
}

struct Session;

#[zbus::interface(name = "org.freedesktop.Secret.Session")]
impl Session {
    fn close(&self) {}
}

struct Collection {
    kept: Kept,
    locked: bool,
}

#[zbus::interface(name = "org.freedesktop.Secret.Collection")]
impl Collection {
    #[zbus(property)]
    fn locked(&self) -> bool {
        self.locked
    }

    fn search_items(&self, attributes: HashMap<String, String>) -> Vec<OwnedObjectPath> {
        let kept = self.kept.lock().unwrap();
        let found = kept.as_ref().is_some_and(|(by, _)| {
            attributes
                .iter()
                .all(|(key, value)| by.get(key) == Some(value))
        });
        if found { vec![path(ITEM)] } else { Vec::new() }
    }

    fn create_item(
        &self,
        mut properties: HashMap<String, OwnedValue>,
        secret: Secret,
        _replace: bool,
    ) -> (OwnedObjectPath, OwnedObjectPath) {
        let attributes = properties
            .remove("org.freedesktop.Secret.Item.Attributes")
            .unwrap();
        let attributes = HashMap::try_from(attributes).unwrap();
        *self.kept.lock().unwrap() = Some((attributes, secret.2));
        (path(ITEM), path(NONE))
    }
}

struct Item(Kept);

#[zbus::interface(name = "org.freedesktop.Secret.Item")]
impl Item {
    fn get_secret(&self, session: OwnedObjectPath) -> Secret {
        let kept = self.0.lock().unwrap();
        let secret = kept
            .as_ref()
            .map(|(_, secret)| secret.clone())
            .unwrap_or_default();
        (session, Vec::new(), secret, "text/plain".into())
    }

    fn delete(&self) -> OwnedObjectPath {
        *self.0.lock().unwrap() = None;
        path(NONE)
    }
}

/// A keyring on a bus of its own.
struct Keyring {
    bus: Bus,
    kept: Kept,
}

impl Keyring {
    fn start(locked: bool) -> Keyring {
        let bus = Bus::start();
        let kept = Kept::default();
        let collection = Collection {
            kept: kept.clone(),
            locked,
        };
        let (item, address) = (Item(kept.clone()), bus.address().to_owned());
        let (ready, served) = mpsc::channel();
        std::thread::spawn(move || {
            let runtime = tokio::runtime::Builder::new_current_thread()
                .enable_all()
                .build();
            runtime.unwrap().block_on(async {
                let builder = zbus::connection::Builder::address(address.as_str()).unwrap();
                let builder = builder.name("org.freedesktop.secrets").unwrap();
                let builder = builder.serve_at(SERVICE, Service).unwrap();
                let builder = builder.serve_at(SESSION, Session).unwrap();
                let builder = builder.serve_at(COLLECTION, collection).unwrap();
                let builder = builder.serve_at(ITEM, item).unwrap();
                let _connection = builder.build().await.unwrap();
                ready.send(()).unwrap();
                std::future::pending::<()>().await;
            });
        });
        served.recv().unwrap();
        Keyring { bus, kept }
    }

    fn run(&self, ede: &Ede, arguments: &[&str], input: &str) -> Output {
        let mut command = ede.command(arguments);
        command
            .env("DBUS_SESSION_BUS_ADDRESS", self.bus.address())
            .stdin(Stdio::piped());
        let mut child = command.spawn().unwrap();
        let mut stdin = child.stdin.take().unwrap();
        stdin.write_all(input.as_bytes()).unwrap();
        drop(stdin);
        child.wait_with_output().unwrap()
    }
}

/// The server of the tests on loopback, which wants the token.
struct Server(Child, String);

impl Server {
    fn start(folder: &Path) -> Server {
        let log = folder.join("bank.log");
        let program = program::ede().with_file_name("ede-upstream");
        let child = Command::new(program)
            .arg(&log)
            .args(["http", TOKEN])
            .spawn()
            .unwrap();
        let url = wait_for("its address", || {
            let log = std::fs::read_to_string(&log).ok()?;
            Some(log.lines().next()?.to_owned())
        });
        Server(child, url)
    }
}

impl Drop for Server {
    fn drop(&mut self) {
        let _ = self.0.kill();
        let _ = self.0.wait();
    }
}

fn said(output: &Output) -> String {
    String::from_utf8_lossy(&output.stderr).into_owned()
}

fn home() -> Ede {
    let ede = Ede::new();
    let package = include_str!("../../../fixtures/apps/test.rates.app.json");
    ede.write_package("test.rates", package);
    ede
}

/// Is the token in any file below this folder?
fn is_written(folder: &Path) -> bool {
    std::fs::read_dir(folder).unwrap().flatten().any(|entry| {
        let path = entry.path();
        if path.is_dir() {
            return is_written(&path);
        }
        let bytes = std::fs::read(&path).unwrap_or_default();
        bytes
            .windows(TOKEN.len())
            .any(|part| part == TOKEN.as_bytes())
    })
}

#[test]
fn a_token_goes_into_the_keyring_to_its_server_and_out_again() {
    let (ede, keyring) = (home(), Keyring::start(false));
    let server = Server::start(&ede.data());
    let query = ["query", "test.rates", "upstream:bank/rates?day=monday"];
    let add = ["upstreams", "add", "bank", "--url", &server.1];

    let without = keyring.run(&ede, &add, "");
    assert!(without.status.success(), "{}", said(&without));
    let refused = keyring.run(&ede, &query, "");
    assert!(
        said(&refused).contains("does not accept its token, or wants one"),
        "{}",
        said(&refused)
    );

    let added = keyring.run(
        &ede,
        &[&add[..], &["--token", "-"]].concat(),
        &format!("{TOKEN}\n"),
    );
    assert!(added.status.success(), "{}", said(&added));
    let kept = keyring.kept.lock().unwrap().clone();
    assert_eq!(kept.unwrap().1, TOKEN.as_bytes());
    assert!(!is_written(&ede.config()), "it is in no file");
    let answer = keyring.run(&ede, &query, "");
    let value: Json =
        serde_json::from_slice(&answer.stdout).unwrap_or_else(|_| panic!("{}", said(&answer)));
    assert_eq!(value["asked"]["day"], "monday");

    // Another address under the same name does not get it.
    let file = ede.config().join("upstreams.json");
    let list = std::fs::read_to_string(&file).unwrap();
    std::fs::write(&file, list.replace("/mcp", "/elsewhere")).unwrap();
    let other = keyring.run(&ede, &query, "");
    assert!(said(&other).contains("needs its token"), "{}", said(&other));
    let log = std::fs::read_to_string(ede.data().join("bank.log")).unwrap();
    assert!(!log.contains("elsewhere"), "it was not even asked");
    std::fs::write(&file, list).unwrap();

    let removed = keyring.run(&ede, &["upstreams", "remove", "bank"], "");
    assert!(removed.status.success(), "{}", said(&removed));
    assert_eq!(*keyring.kept.lock().unwrap(), None);
}

#[test]
fn a_locked_keyring_is_not_opened_for_what_nobody_asked_for() {
    let (ede, keyring) = (home(), Keyring::start(true));
    let list = r#"{"formatVersion": 1, "servers": {"bank": {"url": "http://127.0.0.1:9/mcp", "token": true}}}"#;
    std::fs::create_dir_all(ede.config()).unwrap();
    std::fs::write(ede.config().join("upstreams.json"), list).unwrap();
    let refused = keyring.run(&ede, &["query", "test.rates", "upstream:bank/rates"], "");
    assert!(
        said(&refused).contains("needs its token, and the keyring does not give it"),
        "{}",
        said(&refused)
    );
}
