//! Applications that apps start: by their command lines and by D-Bus, with the person's press handed on.

use std::collections::HashMap;
use std::os::unix::fs::PermissionsExt;
use std::path::PathBuf;
use std::sync::{Arc, Mutex, mpsc};

use ede::clock::SystemClock;
use ede_engine::broker::grants::Grant;
use ede_engine::package::Package;
use ede_engine::records::{Store, StoreOptions};
use ede_tests::bus::Bus;
use ede_tests::compositor::{Compositor, Globals, LEFT, Request};
use ede_tests::program::{Ede, Shell};
use zbus::zvariant::OwnedValue;

use super::harness::{one, painted, wait_for};

/// A widget that starts an application at every press.
const STARTER: &str = r#"{"formatVersion": 5, "id": "test.starter", "name": "Starter", "version": "1.0.0", "catalogId": "https://ui.exponential.at/catalogs/core/v1", "description": "Starts.",
    "functions": ["launch.app"], "capabilities": [{"id": "launch.app", "why": "To start it."}],
    "screens": [{"template": "main", "title": "Starter", "widget": {"template": "main", "size": "m"}}],
    "templates": {"main": {"components": [
        {"id": "root", "component": "Box", "pressable": true, "children": ["name", "state", "error", "value"], "style": {"display": "flex", "flexDirection": "column", "gap": 8},
         "on": {"press": {"functionCall": {"call": "launch.app", "args": {"app": "org.example.Calc"}}}}},
        {"id": "name", "component": "Text", "text": "Press to start the calculator, and see what came of it"},
        {"id": "state", "component": "Text", "text": {"path": "/calls/launch/app/state"}},
        {"id": "error", "component": "Text", "text": {"path": "/calls/launch/app/error"}},
        {"id": "value", "component": "Text", "text": {"path": "/calls/launch/app/value/launched"}}],
        "data": {"calls": {"launch": {"app": {"state": "idle", "error": "", "value": {"launched": "unknown"}}}}}}}}"#;

const WIDGET: (f64, f64) = (200.0, 160.0);

/// A home with the app, its scope granted, and the application it starts.
fn home(entry: &str) -> Ede {
    let ede = Ede::new();
    ede.write_package("test.starter", STARTER);
    ede.write_document("desktop", r#"{"formatVersion": 1, "id": "desktop", "kind": "desktop", "place": {"outputs": ["*"]}, "components": [{"id": "root", "component": "Box", "children": ["starter"]}, {"id": "starter", "component": "AppWidget", "app": "test.starter", "size": "m", "cell": [0, 0]}]}"#);
    let records = ede.data().join("records.db");
    let store = Store::start(StoreOptions::new(records, Arc::new(SystemClock))).unwrap();
    let package = Package::read_checked(STARTER.as_bytes()).unwrap();
    let declared = &package.capabilities()[0];
    let kept = store.decide(&package, declared, Grant::Granted);
    kept.wait().unwrap();
    let applications = ede.xdg_data().join("applications");
    std::fs::create_dir_all(&applications).unwrap();
    std::fs::write(applications.join("org.example.Calc.desktop"), entry).unwrap();
    ede
}

/// A program that writes down how it was started, beside itself; and where it does.
fn program(ede: &Ede) -> (PathBuf, PathBuf) {
    let folder = ede.data().join("pro \"gram");
    std::fs::create_dir_all(&folder).unwrap();
    let (program, seen) = (folder.join("calc"), folder.join("seen"));
    let script = "#!/bin/sh\ncd \"${0%/*}\"\n{ printf '<%s>' \"$@\"; echo; echo \"$XDG_ACTIVATION_TOKEN $DESKTOP_STARTUP_ID\"; grep SigBlk /proc/self/status; ls -l /proc/$$/fd | tr '\\n' ' '; } > new && mv new seen\n";
    std::fs::write(&program, script).unwrap();
    std::fs::set_permissions(&program, std::fs::Permissions::from_mode(0o755)).unwrap();
    (program, seen)
}

fn audit(ede: &Ede) -> Vec<String> {
    let ran = ede.command(&["audit", "--json"]).output().unwrap();
    let rows: Vec<serde_json::Value> = serde_json::from_slice(&ran.stdout).unwrap();
    let line = |row: &serde_json::Value| format!("{} {}", row["tool"], row["status"]);
    rows.iter().map(line).collect()
}

/// Press the widget, and wait until another picture of it says what came of it.
fn press(compositor: &Compositor) {
    let widget =
        |s: &ede_tests::compositor::Scene| s.layer("ede-widget").filter(|w| painted(w)).cloned();
    let before = compositor.wait_for("the widget", widget).picture();
    compositor
        .pointer()
        .motion_to(WIDGET.0, WIDGET.1)
        .click(LEFT);
    compositor.wait_for("another picture of the widget", |s| {
        widget(s).filter(|w| w.picture() != before).map(drop)
    });
}

fn start(shell: impl FnOnce(&Compositor) -> Shell) -> (Shell, Compositor) {
    let compositor = Compositor::start(Globals::all());
    compositor.add_output(one());
    (shell(&compositor), compositor)
}

#[test]
fn a_command_line_is_started_without_a_shell_and_with_the_persons_press() {
    let ede = home("");
    let (program, seen) = program(&ede);
    let quoted = program.to_str().unwrap().replace('"', "\\\\\"");
    let entry = format!(
        "[Desktop Entry]\nType=Application\nName=Calc\nExec=\"{quoted}\" \"$HOME `id`\" %U --name=%c *\n"
    );
    // The backtick and the dollar need their escapes to be read as the specification says; here they are what a careless entry has.
    let file = ede.xdg_data().join("applications/org.example.Calc.desktop");
    std::fs::write(file, entry).unwrap();
    let (_shell, compositor) = start(|c| ede.run_on(c));
    press(&compositor);
    let seen = wait_for("the program", || std::fs::read_to_string(&seen).ok());
    let lines: Vec<&str> = seen.lines().collect();
    assert_eq!(lines[0], "<$HOME `id`><--name=Calc><*>");
    let (token, startup) = lines[1].split_once(' ').unwrap();
    assert!(token.starts_with("token-") && token == startup, "{seen}");
    assert_eq!(lines[2].split_whitespace().last(), Some("0000000000000000"));
    // What the shell has open: its compositor, its wakers, its buffers, its database.
    for ours in ["socket:", "anon_inode:", "memfd:", "records.db"] {
        assert!(!lines[3].contains(ours), "{seen}");
    }
    let asked = compositor.take_requests().into_iter().any(|r| {
        matches!(r, Request::ActivationToken { app_id: Some(id), with_serial: true, .. } if id == "org.example.Calc")
    });
    assert!(asked, "a token for the press");
    wait_for("its row", || {
        audit(&ede)
            .contains(&"\"launch__app\" \"ok\"".to_string())
            .then_some(())
    });
}

#[test]
fn what_needs_a_terminal_or_is_not_installed_starts_nothing() {
    let ede = home("");
    let (program, seen) = program(&ede);
    let file = ede.xdg_data().join("applications/org.example.Calc.desktop");
    let quoted = program.to_str().unwrap().replace('"', "\\\\\"");
    let entry = |more: &str| {
        format!("[Desktop Entry]\nType=Application\nName=Calc\nExec=\"{quoted}\"\n{more}\n")
    };
    std::fs::write(&file, entry("Terminal=true")).unwrap();
    let (_shell, compositor) = start(|c| ede.run_on(c));
    press(&compositor);
    wait_for("a failed call", || {
        audit(&ede)
            .contains(&"\"launch__app\" \"failed\"".to_string())
            .then_some(())
    });
    std::fs::write(&file, entry("Hidden=true")).unwrap();
    press(&compositor);
    wait_for("a call that found nothing", || {
        audit(&ede)
            .contains(&"\"launch__app\" \"ok\"".to_string())
            .then_some(())
    });
    assert!(!seen.exists(), "it ran");
}

/// An application on the bus: what it is told at each activation.
struct Calc(Mutex<mpsc::Sender<HashMap<String, OwnedValue>>>);

#[zbus::interface(name = "org.freedesktop.Application")]
impl Calc {
    fn activate(&self, data: HashMap<String, OwnedValue>) {
        self.0.lock().unwrap().send(data).unwrap();
    }
}

/// Serve the application until the test ends.
fn on_bus(bus: &Bus, calc: Calc) {
    let (ready, served) = mpsc::channel();
    let builder = zbus::connection::Builder::address(bus.address()).unwrap();
    let builder = builder.serve_at("/org/example/Calc", calc).unwrap();
    let builder = builder.name("org.example.Calc").unwrap();
    std::thread::spawn(move || {
        let runtime = tokio::runtime::Builder::new_current_thread()
            .enable_all()
            .build();
        runtime.unwrap().block_on(async {
            let _connection = builder.build().await.unwrap();
            ready.send(()).unwrap();
            std::future::pending::<()>().await;
        });
    });
    served.recv().unwrap();
}

#[test]
fn an_application_on_the_bus_is_activated_with_the_persons_press() {
    let bus = Bus::start();
    let (told, activated) = mpsc::channel();
    on_bus(&bus, Calc(Mutex::new(told)));
    let ede = home(
        "[Desktop Entry]\nType=Application\nName=Calc\nDBusActivatable=true\nExec=/no/such/program\n",
    );
    let (_shell, compositor) = start(|c| ede.run_on_bus(&bus, c));
    press(&compositor);
    let data = activated.recv().unwrap();
    let text = |key: &str| String::try_from(data[key].try_clone().unwrap()).unwrap();
    assert!(text("activation-token").starts_with("token-"));
    assert_eq!(text("activation-token"), text("desktop-startup-id"));
    wait_for("the row", || {
        audit(&ede)
            .contains(&"\"launch__app\" \"ok\"".to_string())
            .then_some(())
    });
}
