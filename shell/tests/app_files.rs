//! An app and its records in one file, as a person moves them to another machine.
#![allow(clippy::unwrap_used, clippy::expect_used)]

mod support;

use base64::Engine as _;
use serde_json::{Value, json};
use support::{Home, hours};

fn filled() -> Home {
    let home = Home::with_hours();
    let entries = json!([
        {"id": "a", "data": {"day": "2026-10-01", "hours": 1.5}, "createdAt": "2026-10-01T08:00:00Z", "updatedAt": "2026-10-02T08:00:00Z"},
        {"id": "b", "data": {"day": "2026-10-02", "hours": 2, "note": "ü \"x\""}},
        {"id": "gone", "data": {"day": "2026-10-03", "hours": 3}},
    ]);
    let entries = home.file("entries.json", entries.to_string());
    home.ok(&format!(
        "records put acme.hours entry {}",
        entries.display()
    ));
    let task = home.file(
        "task.json",
        json!({"id": "t", "data": {"title": "T"}}).to_string(),
    );
    home.ok(&format!("records put acme.hours task {}", task.display()));
    home.ok("records delete acme.hours entry gone");
    home
}

#[test]
fn an_app_goes_to_another_home_with_its_records_and_back_without_a_trace() {
    let (one, other) = (filled(), Home::new());
    let file = one.path("hours.app.json");
    let file = file.display();
    assert_eq!(
        one.ok(&format!("records export acme.hours -o {file}")),
        format!("wrote acme.hours with 3 records to {file}\n")
    );
    assert_eq!(
        one.ok("records export acme.hours --output -"),
        std::fs::read_to_string(one.path("hours.app.json")).unwrap()
    );
    assert!(other.ok(&format!("check {file}")).contains("ok, a package"));
    let before = one.json("records export acme.hours");
    let said = other.ok(&format!("apps install {file}"));
    assert!(
        said.contains("3 records came along, `ede records undo acme.hours 1`"),
        "{said}"
    );
    assert_eq!(other.json("records export acme.hours"), before);
    assert_eq!(
        other.json("records list acme.hours --deleted --json"),
        json!([])
    );
    // The app's own file is the package alone, as it was.
    let kept = std::fs::read(other.path("data/apps/acme.hours.app.json")).unwrap();
    assert_eq!(serde_json::from_slice::<Value>(&kept).unwrap(), hours());
    assert_eq!(other.json("apps list --json")[0]["ok"], true);
    // Once more, there and at home: nothing changes.
    for home in [&one, &other] {
        let said = home.ok(&format!("apps install {file}"));
        assert!(
            said.contains("no record came along\n3 of the file's records are here already"),
            "{said}"
        );
        assert_eq!(home.json("records export acme.hours"), before);
    }
    other.ok("records undo acme.hours 1");
    assert_eq!(other.json("records export acme.hours"), json!({}));
}

#[test]
fn an_app_that_comes_with_ede_brings_its_records_too() {
    let home = Home::new();
    let (_, tasks) = ede::packages::BUNDLED
        .iter()
        .find(|(id, _)| *id == "ede.tasks")
        .unwrap();
    let mut file = json!({"package": serde_json::from_slice::<Value>(tasks).unwrap(), "records": {"task": [{"data": {"title": "Move", "done": false}}]}});
    let path = home.file("tasks.app.json", file.to_string());
    assert!(
        home.ok(&format!("apps install {}", path.display()))
            .contains("1 record came along")
    );
    file["package"]["name"] = "Mine".into();
    let path = home.file("tasks.app.json", file.to_string());
    assert!(
        home.error(&format!("apps install {}", path.display()))
            .contains("choose another id")
    );
}

#[test]
fn a_file_whose_records_do_not_all_fit_installs_nothing() {
    let home = Home::new();
    for (records, expected) in [
        (
            json!({"entry": [{"data": {"day": "2026-10-01", "hours": -1}}]}),
            "/records/entry/0/data/hours: at least 0",
        ),
        (
            json!({"tasks": []}),
            "/records/tasks: the package has no kind `tasks`: did you mean `task`?",
        ),
        (
            json!({"task": vec![json!({"data": {"title": "x"}}); 2001]}),
            "/records: a file brings 2000 records at most",
        ),
    ] {
        let file = home.file(
            "bad.app.json",
            json!({"package": hours(), "records": records}).to_string(),
        );
        let message = home.error(&format!("apps install {}", file.display()));
        assert!(message.contains(expected), "{message}");
    }
    // What only the records here can tell is found before the app is there, too.
    let mut package = hours();
    package["formatVersion"] = 3.into();
    package["records"]["entry"]["schema"]["properties"]["task"] = json!({"type": "string"});
    package["records"]["entry"]["refs"] = json!({"task": {"kind": "task"}});
    let records = json!({"entry": [{"data": {"day": "2026-10-01", "hours": 1, "task": "none"}}]});
    let file = home.file(
        "bad.app.json",
        json!({"package": package, "records": records}).to_string(),
    );
    let message = home.error(&format!("apps install {}", file.display()));
    assert!(
        message.contains("/records/entry/0: task refers to no task"),
        "{message}"
    );
    assert_eq!(home.json("apps list --json"), json!([]));
}

#[test]
fn a_file_with_records_that_lies_in_the_apps_folder_brings_nothing_unseen() {
    let home = filled();
    home.ok(&format!(
        "records export acme.hours -o {}",
        home.path("file.json").display()
    ));
    let before = home.json("records export acme.hours");
    std::fs::copy(
        home.path("file.json"),
        home.path("data/apps/acme.hours.app.json"),
    )
    .unwrap();
    let listed = home.json("apps list --json");
    assert_eq!(listed[0]["ok"], false);
    assert!(
        listed[0]["issues"][0]["message"]
            .as_str()
            .unwrap()
            .contains("ede apps install"),
        "{listed}"
    );
    // The app stays as it was installed, and so do its records.
    assert_eq!(home.json("records export acme.hours"), before);
}

#[test]
fn a_signature_goes_with_the_package_and_says_nothing_of_the_records() {
    use ed25519_dalek::{Signer, SigningKey};
    let key = SigningKey::from_bytes(&[7; 32]);
    let text = |bytes: &[u8]| base64::engine::general_purpose::STANDARD.encode(bytes);
    let mut package = hours();
    let author = format!("ed25519:{}", text(key.verifying_key().as_bytes()));
    package["author"] = json!({"name": "Acme", "key": author});
    let bytes = eui_core::host::package_file_signed_bytes(package.as_object().unwrap());
    package["signature"] = json!({"alg": "ed25519", "value": text(&key.sign(&bytes).to_bytes())});
    let (one, other) = (Home::new(), Home::new());
    let file = one.file("hours.app.json", package.to_string());
    one.ok(&format!("apps install {}", file.display()));
    let task = one.file(
        "task.json",
        json!({"id": "t", "data": {"title": "T"}}).to_string(),
    );
    one.ok(&format!("records put acme.hours task {}", task.display()));
    let file = one.path("all.app.json");
    one.ok(&format!("records export acme.hours -o {}", file.display()));
    let said = other.ok(&format!("apps install {}", file.display()));
    assert!(
        said.contains("1 record came along") && !said.contains("not signed"),
        "{said}"
    );
    // It is the author's there too: another file of that id is not let in.
    let bare = other.file("bare.app.json", hours().to_string());
    assert!(
        other
            .error(&format!("apps install {}", bare.display()))
            .contains("belongs to whoever signed it first")
    );
}
