//! Files of apps: what they lay out, print, open and save, by the portal's dialogs.

use std::path::Path;
use std::process::{Child, Stdio};

use ede_tests::bus::Bus;
use ede_tests::compositor::{Compositor, Globals, Scene};
use ede_tests::program::{Ede, Shell};
use serde_json::{Value, json};

use super::harness::{one, painted, wait_for};
use super::portal::{Does, Portal};

/// An app that may pick files and print.
pub const DESK: &str = r#"{"formatVersion": 5, "id": "test.desk", "name": "Desk", "version": "1.0.0", "catalogId": "https://ui.exponential.at/catalogs/core/v1", "description": "Files.",
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
pub fn audit(ede: &Ede) -> Vec<String> {
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

pub fn uri(path: &Path) -> String {
    format!("file://{}", path.to_str().unwrap().replace(' ', "%20"))
}

#[test]
fn a_picked_file_is_the_apps_by_its_name_and_goes_where_the_person_saves_it() {
    let bus = Bus::start();
    let portal = Portal::on(&bus);
    let desk = Desk::start(&bus);
    let folder = desk.ede.data().join("my files");
    std::fs::create_dir_all(&folder).unwrap();
    let (letter, copy) = (folder.join("letter 1.txt"), folder.join("copy.txt"));
    std::fs::write(&letter, "Dear Ines").unwrap();
    portal.person(Does::Picks(vec![uri(&letter)]));
    let asked = json!({"accept": ["text/*", ".md"], "multiple": true});
    let opened = desk.call("files.open", &asked);
    let file = &opened["structuredContent"]["files"][0];
    assert_eq!(
        (
            &file["name"],
            &file["mimeType"],
            &file["size"],
            &file["data"]
        ),
        (
            &json!("letter 1.txt"),
            &json!("text/plain"),
            &json!(9),
            &Value::Null
        )
    );
    let dialog = portal.asked();
    assert_eq!(dialog.method, "OpenFile");
    assert!(dialog.options.contains_key("filters") && dialog.options.contains_key("multiple"));
    portal.person(Does::Picks(vec![uri(&copy)]));
    let save = json!({"name": "../../.bashrc", "fileId": file["fileId"]});
    let saved = desk.call("files.save", &save);
    assert_eq!(saved["structuredContent"], json!({"saved": true}));
    assert_eq!(std::fs::read(&copy).unwrap(), b"Dear Ines");
    let dialog = portal.asked();
    assert_eq!(
        (dialog.method, dialog.text("current_name").as_str()),
        ("SaveFile", "-..-.bashrc")
    );
    portal.person(Does::Cancels);
    let left = desk.call("files.open", &json!({}));
    assert_eq!(left["structuredContent"], json!({"files": []}));
    let left = desk.call("files.save", &json!({"name": "a", "text": "b"}));
    assert_eq!(left["structuredContent"], json!({"saved": false}));
    // Another app's file is not saved for this one.
    let said = desk.call_of("test.other", "files.save", &save);
    let id = file["fileId"].as_str().unwrap();
    assert_eq!(error(&said), format!("notFound: {id}"));
    let told = ["files__open ok -", "files__save ok -"];
    let all = [&told[..], &told[..], &["files__save failed -"]].concat();
    assert_eq!(rows(&desk.ede, 5), all);
}

#[test]
fn what_is_no_plain_file_of_a_bearable_size_is_not_opened() {
    let bus = Bus::start();
    let portal = Portal::on(&bus);
    let desk = Desk::start(&bus);
    let folder = desk.ede.data().join("odd");
    std::fs::create_dir_all(&folder).unwrap();
    let (pipe, huge, link) = (
        folder.join("pipe"),
        folder.join("huge"),
        folder.join("link"),
    );
    let fifo = rustix::fs::FileType::Fifo;
    let all = rustix::fs::Mode::RWXU;
    rustix::fs::mknodat(rustix::fs::CWD, &pipe, fifo, all, 0).unwrap();
    std::fs::File::create(&huge)
        .unwrap()
        .set_len(1 << 40)
        .unwrap();
    std::os::unix::fs::symlink("/proc/self/environ", &link).unwrap();
    let uris = [
        uri(&pipe),
        uri(&huge),
        uri(&link),
        uri(&folder),
        "sftp://far.example/x".into(),
    ];
    for uri in uris {
        portal.person(Does::Picks(vec![uri.clone()]));
        let said = desk.call("files.open", &json!({}));
        let said = error(&said);
        assert!(
            said.contains("file") && !said.contains(folder.to_str().unwrap()),
            "{uri}: {said}"
        );
    }
    assert_eq!(rows(&desk.ede, 5), ["files__open failed -"; 5]);
    assert!(
        !desk.ede.data().join("files").exists(),
        "nothing was kept of them"
    );
}

#[test]
fn an_app_has_one_dialog_at_a_time() {
    let bus = Bus::start();
    let portal = Portal::on(&bus);
    let desk = Desk::start(&bus);
    portal.person(Does::Waits);
    let mut first = desk.calling("test.desk", "files.open", &json!({}));
    portal.asked();
    let second = desk.call("files.save", &json!({"name": "a", "text": "b"}));
    assert_eq!(error(&second), "Another dialog of the app's is open");
    // Another app's is its own.
    portal.person(Does::Cancels);
    let other = desk.call_of("test.other", "files.open", &json!({}));
    assert_eq!(other["structuredContent"], json!({"files": []}));
    first.kill().unwrap();
    first.wait().unwrap();
}
