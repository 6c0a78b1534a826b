//! `ede apps`, run as a person runs it.
#![allow(clippy::unwrap_used, clippy::expect_used)]

mod support;

use std::os::unix::fs::PermissionsExt;

use serde_json::json;
use support::{Home, hours};

#[test]
fn an_app_is_installed_listed_and_removed_with_its_desktop_entry() {
    let home = Home::new();
    assert_eq!(home.ok("apps list"), "no apps are installed\n");
    assert_eq!(home.json("apps list --json"), json!([]));
    let file = home.file("hours.app.json", hours().to_string());
    assert_eq!(
        home.ok(&format!("apps install {}", file.display())),
        "installed acme.hours 1.0.0\nnote: the package is not signed\n"
    );
    let installed = home.path("data/apps/acme.hours.app.json");
    assert_eq!(
        std::fs::read_to_string(&installed).unwrap(),
        hours().to_string(),
        "the file is kept byte for byte"
    );
    assert_eq!(
        std::fs::metadata(&installed).unwrap().permissions().mode() & 0o777,
        0o600
    );
    assert_eq!(
        std::fs::metadata(home.path("data"))
            .unwrap()
            .permissions()
            .mode()
            & 0o777,
        0o700
    );
    let entry = home.path("xdg/applications/ede-acme.hours.desktop");
    let text = std::fs::read_to_string(&entry).unwrap();
    assert!(
        text.contains("Name=Hours\n") && text.contains(" open acme.hours\n"),
        "{text}"
    );
    let listed = home.json("apps list --json");
    assert_eq!(
        (
            listed[0]["id"].as_str(),
            listed[0]["ok"].as_bool(),
            listed[0]["version"].as_str()
        ),
        (Some("acme.hours"), Some(true), Some("1.0.0"))
    );
    let mut newer = hours();
    newer["version"] = "1.1.0".into();
    let file = home.file("newer.app.json", newer.to_string());
    assert_eq!(
        home.ok(&format!("apps install {}", file.display())),
        "updated acme.hours from 1.0.0 to 1.1.0\nnote: the package is not signed\n"
    );
    home.ok("apps remove acme.hours");
    assert!(!entry.exists() && !installed.exists());
    assert!(
        home.error("apps remove acme.hours")
            .contains("no app acme.hours")
    );
}

#[test]
fn a_package_with_problems_is_not_installed() {
    let home = Home::new();
    for (name, content, expected) in [
        ("broken.json", "{\"id\": ".to_owned(), "not a valid package"),
        ("empty.json", "{}".to_owned(), "not a valid package"),
        (
            "big.json",
            format!("{{\"id\": \"{}\"}}", "x".repeat(200 * 1024)),
            "128 KB",
        ),
        (
            "reserved.json",
            hours().to_string().replace("acme.hours", "ede.hours"),
            "ede.hours",
        ),
        (
            "bad-id.json",
            hours()
                .to_string()
                .replace("acme.hours", "../../etc/passwd"),
            "/id",
        ),
    ] {
        let file = home.file(name, content);
        let message = home.error(&format!("apps install {}", file.display()));
        assert!(message.contains(expected), "{name}: {message}");
    }
    assert!(
        home.error("apps install /no/such/file")
            .contains("it does not exist")
    );
    assert_eq!(home.json("apps list --json"), json!([]));
}

#[test]
fn a_strangers_app_starts_without_the_records_of_the_one_that_was_removed() {
    let home = Home::with_hours();
    let entry = home.file(
        "entry.json",
        r#"{"id": "mine", "data": {"day": "2026-10-01", "hours": 2}}"#,
    );
    home.ok(&format!("records put acme.hours entry {}", entry.display()));
    let exported = home.ok("records export acme.hours");
    assert!(exported.contains("mine"));
    home.ok("apps remove acme.hours");
    // As long as there is no other, the id alone says which.
    assert_eq!(home.ok("records export acme.hours"), exported);
    let mut stranger = hours();
    stranger["description"] = "By somebody else.".into();
    let file = home.file("stranger.app.json", stranger.to_string());
    let said = home.ok(&format!("apps install {}", file.display()));
    assert!(
        said.contains("`ede records export acme.hours --removed`"),
        "{said}"
    );
    assert_eq!(home.json("records export acme.hours"), json!({}));
    assert_eq!(
        home.json("query acme.hours records:entry?sum=hours")["sum"],
        0
    );
    assert_eq!(home.ok("records export acme.hours --removed"), exported);
    home.ok("apps remove acme.hours");
    let same = home.path("hours.app.json");
    let said = home.ok(&format!("apps install {}", same.display()));
    assert!(!said.contains("--removed"), "{said}");
    assert_eq!(home.ok("records export acme.hours"), exported);
    // The person can throw away what waits.
    home.ok("apps remove acme.hours");
    home.ok("records delete acme.hours entry mine");
    assert_eq!(
        home.json("records list acme.hours --deleted --json")[0]["id"],
        "mine"
    );
    assert!(
        !home
            .ok("records export acme.hours --removed")
            .contains("mine")
    );
}

#[test]
fn a_version_that_would_lose_data_is_refused_and_one_with_migrations_moves_the_records() {
    let home = Home::with_hours();
    let record = json!({"id": "r", "data": {"day": "2026-10-01", "hours": 2}});
    let record = home.file("r.json", record.to_string());
    home.ok(&format!(
        "records put acme.hours entry {}",
        record.display()
    ));
    let mut newer = hours();
    newer["version"] = "2.0.0".into();
    newer["formatVersion"] = 3.into();
    newer["queries"] = json!({});
    newer["templates"]["main"]["bindings"] = json!([]);
    let schema = &mut newer["records"]["entry"]["schema"];
    schema["properties"]
        .as_object_mut()
        .unwrap()
        .remove("hours");
    schema["properties"]["minutes"] = json!({"type": "number"});
    schema["required"] = json!(["day", "minutes"]);
    let file = home.file("newer.app.json", newer.to_string());
    let install = format!("apps install {}", file.display());
    let refused = home.error(&install);
    assert!(
        refused.contains("`hours` of the kind `entry` is gone"),
        "{refused}"
    );
    assert_eq!(home.json("apps list --json")[0]["version"], "1.0.0");
    newer["migrations"] = json!([{"from": "^1", "kind": "entry", "ops": [
        {"map": {"field": "minutes", "expr": "hours * 60"}}, {"drop": "hours"}]}]);
    home.file("newer.app.json", newer.to_string());
    assert_eq!(
        home.ok(&install),
        "updated acme.hours from 1.0.0 to 2.0.0\nnote: the package is not signed\nmoved 1 of 1 records to 2.0.0\n"
    );
    let moved = home.json("records list acme.hours --json");
    assert_eq!(
        moved[0]["data"],
        json!({"day": "2026-10-01", "minutes": 120})
    );
}
