//! Pictures on other machines: asked for in the name of the app that shows them, where the person lets it connect, and for nobody else.

use std::fs::File;
use std::net::TcpListener;
use std::process::Child;
use std::sync::Arc;

use ede::clock::SystemClock;
use ede_engine::broker::grants::Grant;
use ede_engine::package::Package;
use ede_engine::records::{Store, StoreOptions};
use ede_tests::compositor::{Compositor, Globals};
use ede_tests::program::Ede;
use serde_json::{Value, json};

use super::harness::{one, wait_for};

/// A shell whose words are in a file. It is killed when this is dropped.
struct Told(Child);

impl Drop for Told {
    fn drop(&mut self) {
        let _ = self.0.kill();
        let _ = self.0.wait();
    }
}

/// A widget that shows a picture of a server.
fn package(id: &str, origin: &str) -> Value {
    json!({
        "formatVersion": 5, "id": id, "name": "Pictures", "version": "1.0.0", "description": "One picture.",
        "catalogId": "https://ui.exponential.at/catalogs/core/v1",
        "functions": ["http.fetch"], "capabilities": [{"id": "http.fetch", "why": "To show it.", "origins": [origin]}],
        "screens": [{"template": "main", "title": "Main", "widget": {"template": "main", "size": "m"}}],
        "templates": {"main": {"components": [
            {"id": "root", "component": "Box", "children": ["picture"]},
            {"id": "picture", "component": "Image", "src": format!("{origin}/a.png?token=secret"), "alt": "A picture", "style": {"width": 64, "height": 64}}]}},
    })
}

#[test]
fn an_app_loads_them_where_it_may_connect_and_the_others_are_not_even_looked_up() {
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    listener.set_nonblocking(true).unwrap();
    let origin = format!(
        "https://localhost:{}",
        listener.local_addr().unwrap().port()
    );
    let ede = Ede::new();
    for id in ["test.may", "test.not"] {
        ede.write_package(id, &package(id, &origin).to_string());
    }
    ede.write_document("desktop", &json!({"formatVersion": 1, "id": "desktop", "kind": "desktop", "place": {"outputs": ["*"]}, "components": [
        {"id": "root", "component": "Box", "children": ["may", "not"]},
        {"id": "may", "component": "AppWidget", "app": "test.may", "size": "m", "cell": [0, 0]},
        {"id": "not", "component": "AppWidget", "app": "test.not", "size": "m", "cell": [0, 2]}]}).to_string());
    let compositor = Compositor::start(Globals::all());
    compositor.add_output(one());
    let words = ede.config().join("words");
    let mut command = ede.command(&["run"]);
    let authority = concat!(env!("CARGO_MANIFEST_DIR"), "/../fixtures/tls/authority.pem");
    command
        .env("EDE_LOG", "warn")
        .env("SSL_CERT_FILE", authority)
        .env("WAYLAND_DISPLAY", compositor.display())
        .stderr(File::create(&words).unwrap());
    let _shell = Told(command.spawn().unwrap());
    let says = |app: &str, what: &str| {
        let all = std::fs::read_to_string(&words).unwrap();
        let line = |l: &&str| [app, &origin, what].iter().all(|part| l.contains(part));
        all.lines().find(line).map(drop)
    };
    for app in ["test.may", "test.not"] {
        wait_for("what is refused", || {
            says(app, "pictures from elsewhere are not loaded")
        });
    }
    let package = Package::read_checked(package("test.may", &origin).to_string().as_bytes());
    let package = package.unwrap();
    let records = ede.data().join("records.db");
    let store = Store::start(StoreOptions::new(records, Arc::new(SystemClock))).unwrap();
    let declared = &package.capabilities()[0];
    let granted = store.decide(&package, declared, Grant::Granted);
    granted.wait().unwrap();
    // It is asked for anew, under the rules of every request: this machine is out of reach.
    wait_for("what is out of reach", || {
        says("test.may", "privateAddress")
    });
    assert_eq!(says("test.not", "privateAddress"), None);
    assert!(listener.accept().is_err(), "nobody came");
    let all = std::fs::read_to_string(&words).unwrap();
    assert!(!all.contains("secret"), "{all}");
}
