//! Files of apps: what they lay out, print, open and save, by the portal's dialogs.

use std::process::{Child, Stdio};

use ede_tests::bus::Bus;
use ede_tests::compositor::{Compositor, Globals, Scene};
use ede_tests::program::{Ede, Shell};
use serde_json::{Value, json};

use super::harness::{one, painted, wait_for};
use super::portal::{Does, Portal};

/// An app that may pick files and print.
const DESK: &str = r#"{"formatVersion": 5, "id": "test.desk", "name": "Desk", "version": "1.0.0", "catalogId": "https://ui.exponential.at/catalogs/core/v1", "description": "Files.",
    "functions": ["files.open", "files.save", "print.pdf", "print.print"],
    "capabilities": [{"id": "files.read", "why": "To read it."}, {"id": "files.write", "why": "To write it."}, {"id": "print.document", "why": "To print it."}],
    "screens": [{"template": "main", "title": "Desk"}],
    "templates": {"main": {"components": [{"id": "root", "component": "Text", "text": "Desk"}]}}}"#;

/// A shell with the app; the portal, where there is a bus.
struct Desk {
    shell: Shell,
    _compositor: Compositor,
    ede: Ede,
}

impl Desk {
    fn start(bus: &Bus) -> Desk {
        let ede = Ede::new();
        for id in ["test.desk", "test.other"] {
            ede.write_package(id, &DESK.replace("test.desk", id));
        }
        let compositor = Compositor::start(Globals::all());
        compositor.add_output(one());
        let shell = ede.run_on_bus(bus, &compositor);
        let panel = |s: &Scene| s.layer("ede-panel").filter(|p| painted(p)).map(drop);
        compositor.wait_for("a panel", panel);
        Desk {
            shell,
            _compositor: compositor,
            ede,
        }
    }

    fn calling(&self, app: &str, name: &str, arguments: &Value) -> Child {
        let file = self.ede.config().join(format!("{app}-{name}.json"));
        std::fs::write(&file, arguments.to_string()).unwrap();
        let mut command = self
            .ede
            .command(&["call", app, name, file.to_str().unwrap()]);
        command.stdout(Stdio::piped()).stderr(Stdio::piped());
        command.spawn().unwrap()
    }

    /// What the app hears of a call.
    fn call_of(&self, app: &str, name: &str, arguments: &Value) -> Value {
        let ran = self.calling(app, name, arguments).wait_with_output();
        let ran = ran.unwrap();
        let said: Value = serde_json::from_slice(&ran.stdout)
            .unwrap_or_else(|_| panic!("{}", String::from_utf8_lossy(&ran.stderr)));
        said["answer"].clone()
    }

    fn call(&self, name: &str, arguments: &Value) -> Value {
        self.call_of("test.desk", name, arguments)
    }

    /// A file of the app's.
    fn pdf(&self) -> String {
        let document = json!({"title": "Invoice", "blocks": [{"heading": "Invoice"}, {"text": "Seven hours"}]});
        let made = self.call("print.pdf", &document);
        let file = &made["structuredContent"]["file"];
        assert_eq!(file["name"], "Invoice.pdf", "{made}");
        file["fileId"].as_str().unwrap().to_owned()
    }
}

/// `tool status error` of every row, oldest first.
fn audit(ede: &Ede) -> Vec<String> {
    let ran = ede.command(&["audit", "--json"]).output().unwrap();
    let rows: Vec<Value> = serde_json::from_slice(&ran.stdout).unwrap();
    let word = |row: &Value, key: &str| row[key].as_str().unwrap_or("-").to_string();
    let line = |row| {
        ["tool", "status", "error"]
            .map(|key| word(row, key))
            .join(" ")
    };
    rows.iter().rev().map(line).collect()
}

/// The rows, once there are so many.
fn rows(ede: &Ede, many: usize) -> Vec<String> {
    wait_for("the rows", || {
        let rows = audit(ede);
        (rows.len() >= many).then_some(rows)
    })
}

fn error(answer: &Value) -> &str {
    assert_eq!(answer["isError"], true, "{answer}");
    answer["content"][0]["text"].as_str().unwrap()
}

#[test]
fn what_an_app_lays_out_is_its_file_and_is_printed_as_it_is() {
    let bus = Bus::start();
    let portal = Portal::on(&bus);
    let desk = Desk::start(&bus);
    let id = desk.pdf();
    portal.person(Does::Picks(Vec::new()));
    let printed = desk.call("print.print", &json!({"fileId": id, "name": "May"}));
    assert_eq!(
        printed["structuredContent"],
        json!({"printed": true}),
        "{printed}"
    );
    let print = portal.asked();
    let kept = std::fs::read(desk.ede.data().join("files").join(&id)).unwrap();
    assert!(print.method == "Print" && print.document == kept);
    portal.person(Does::Cancels);
    let left = desk.call("print.print", &json!({"fileId": id}));
    assert_eq!(left["structuredContent"], json!({"printed": false}));
    // Another app's file is no file, whatever it is called by.
    for no_file in [id.as_str(), "../records.db", "/etc/passwd"] {
        let said = desk.call_of("test.other", "print.print", &json!({"fileId": no_file}));
        assert_eq!(error(&said), format!("notFound: {no_file}"));
    }
    let told = ["print__pdf ok -", "print__print ok -", "print__print ok -"];
    let refused = ["print__print failed -"; 3];
    assert_eq!(rows(&desk.ede, 6), [&told[..], &refused[..]].concat());
}

#[test]
fn where_there_is_no_portal_printing_says_so_and_laying_out_goes_on() {
    let bus = Bus::start();
    let desk = Desk::start(&bus);
    let id = desk.pdf();
    let said = desk.call("print.print", &json!({"fileId": id}));
    assert_eq!(error(&said), "unavailable");
}

#[test]
fn a_call_that_is_under_way_when_the_session_ends_has_its_row() {
    let bus = Bus::start();
    let portal = Portal::on(&bus);
    let mut desk = Desk::start(&bus);
    let id = desk.pdf();
    portal.person(Does::Waits);
    let mut waiting = desk.calling("test.desk", "print.print", &json!({"fileId": id}));
    portal.asked();
    let shell = i32::try_from(desk.shell.id()).unwrap();
    let shell = rustix::process::Pid::from_raw(shell).unwrap();
    rustix::process::kill_process(shell, rustix::process::Signal::TERM).unwrap();
    assert_eq!(desk.shell.wait().0.code(), Some(0));
    waiting.wait().unwrap();
    let rows = audit(&desk.ede);
    assert_eq!(
        rows.last().map(String::as_str),
        Some("print__print upstream unreachable"),
        "{rows:?}"
    );
}
