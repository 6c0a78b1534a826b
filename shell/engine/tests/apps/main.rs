//! The folder of apps: what installing, editing by hand, breaking and removing a file means for the app in use.
#![allow(clippy::unwrap_used, clippy::expect_used)]

mod authors;
#[path = "../support/mod.rs"]
mod support;

use std::fs;
use std::os::unix::fs::PermissionsExt;
use std::path::Path;

use ede_engine::app_id::AppId;
use ede_engine::apps::{Apps, AppsError, Installed, Origin, Scan};
use serde_json::{Value, json};

fn package(id: &str, version: &str) -> Value {
    json!({
        "formatVersion": 2, "id": id, "name": "App", "version": version, "catalogId": eui_core::CORE_CATALOG_ID,
        "records": {"entry": {"schema": {"type": "object", "properties": {"hours": {"type": "number"}}}}},
        "templates": {"main": {"components": [{"id": "root", "component": "Text", "text": "App"}]}},
    })
}

fn id(text: &str) -> AppId {
    AppId::parse(text).unwrap()
}

fn bring(apps: &mut Apps, bytes: &[u8], origin: Origin) -> Result<Installed, AppsError> {
    let admitted = apps.admit(bytes, origin, |_, _| true)?;
    apps.install(admitted)
}

fn install(apps: &mut Apps, package: &Value) {
    bring(apps, package.to_string().as_bytes(), Origin::Person).unwrap();
}

fn write(apps: &Apps, app: &str, content: impl AsRef<[u8]>) {
    fs::create_dir_all(apps.folder()).unwrap();
    fs::write(apps.file_of(&id(app)), content).unwrap();
}

fn scan(apps: &mut Apps) -> (Vec<String>, Vec<String>, Vec<String>, usize) {
    let Scan {
        added,
        changed,
        removed,
        broken,
    } = apps.scan().unwrap();
    let names = |ids: Vec<AppId>| ids.iter().map(AppId::to_string).collect();
    (names(added), names(changed), names(removed), broken.len())
}

fn none() -> (Vec<String>, Vec<String>, Vec<String>, usize) {
    Default::default()
}

#[test]
fn an_installed_file_is_private_whole_and_byte_for_byte() {
    let dir = tempfile::tempdir().unwrap();
    let mut apps = Apps::new(dir.path().join("apps"));
    let text = serde_json::to_string_pretty(&package("acme.app", "1.0.0")).unwrap() + "\n\n";
    let installed = bring(&mut apps, text.as_bytes(), Origin::Person).unwrap();
    assert_eq!(installed.replaced, None);
    let file = apps.file_of(&id("acme.app"));
    assert_eq!(fs::read_to_string(&file).unwrap(), text);
    let mode = |path: &Path| fs::metadata(path).unwrap().permissions().mode() & 0o777;
    assert_eq!((mode(&file), mode(apps.folder())), (0o600, 0o700));
    let again = bring(
        &mut apps,
        package("acme.app", "1.1.0").to_string().as_bytes(),
        Origin::Person,
    )
    .unwrap();
    assert_eq!(
        (again.replaced.as_deref(), again.app.package.version()),
        (Some("1.0.0"), "1.1.0")
    );
    let left: Vec<_> = fs::read_dir(apps.folder())
        .unwrap()
        .flatten()
        .map(|e| e.file_name())
        .collect();
    assert_eq!(left.len(), 2, "the app and the folder of copies: {left:?}");
}

#[test]
fn a_package_that_does_not_check_replaces_nothing() {
    let dir = tempfile::tempdir().unwrap();
    let mut apps = Apps::new(dir.path());
    install(&mut apps, &package("acme.app", "1.0.0"));
    let mut bad = package("acme.app", "2.0.0");
    bad["templates"]["main"]["components"][0]["component"] = "NoSuchThing".into();
    let AppsError::Invalid(issues) =
        bring(&mut apps, bad.to_string().as_bytes(), Origin::Person).unwrap_err()
    else {
        panic!()
    };
    assert!(
        issues[0].pointer.starts_with("/templates/main"),
        "{issues:?}"
    );
    assert_eq!(
        apps.open(&id("acme.app")).unwrap().package.version(),
        "1.0.0"
    );
    let reserved = package("ede.clock", "1.0.0");
    assert!(matches!(
        bring(&mut apps, reserved.to_string().as_bytes(), Origin::Person),
        Err(AppsError::Reserved(_))
    ));
    bring(&mut apps, reserved.to_string().as_bytes(), Origin::Bundled).unwrap();
}

#[test]
fn a_scan_says_what_changed_and_nothing_twice() {
    let dir = tempfile::tempdir().unwrap();
    let mut apps = Apps::new(dir.path());
    assert_eq!(
        scan(&mut apps),
        none(),
        "a folder that is not there holds no apps"
    );
    for name in ["a.one", "a.two"] {
        write(&apps, name, package(name, "1.0.0").to_string());
    }
    assert_eq!(
        scan(&mut apps),
        (vec!["a.one".into(), "a.two".into()], vec![], vec![], 0)
    );
    assert_eq!(scan(&mut apps), none());
    write(&apps, "a.one", package("a.one", "1.1.0").to_string());
    fs::remove_file(apps.file_of(&id("a.two"))).unwrap();
    assert_eq!(
        scan(&mut apps),
        (vec![], vec!["a.one".into()], vec!["a.two".into()], 0)
    );
    // Saved again with other spaces: the same app.
    write(
        &apps,
        "a.one",
        serde_json::to_string_pretty(&package("a.one", "1.1.0")).unwrap(),
    );
    assert_eq!(scan(&mut apps), none());
}

#[test]
fn a_broken_file_keeps_the_last_good_version_and_is_told_once() {
    let dir = tempfile::tempdir().unwrap();
    let mut apps = Apps::new(dir.path());
    install(&mut apps, &package("acme.app", "1.0.0"));
    for half in ["{\"formatVersion\": 2, \"id\"", ""] {
        write(&apps, "acme.app", half);
        assert_eq!(scan(&mut apps).3, 1);
        assert_eq!(scan(&mut apps), none());
        assert_eq!(
            apps.get(&id("acme.app")).unwrap().package.version(),
            "1.0.0"
        );
    }
    assert_eq!(apps.broken().len(), 1);
    // After a restart there is no last good version in memory: the installed one takes its place.
    let mut restarted = Apps::new(dir.path());
    assert_eq!(
        scan(&mut restarted),
        (vec!["acme.app".into()], vec![], vec![], 1)
    );
    assert_eq!(
        restarted.open(&id("acme.app")).unwrap().package.version(),
        "1.0.0"
    );
    write(&apps, "acme.app", package("acme.app", "1.2.0").to_string());
    assert_eq!(
        scan(&mut apps),
        (vec![], vec!["acme.app".into()], vec![], 0)
    );
    assert!(apps.broken().is_empty());
}

#[test]
fn a_file_of_another_name_than_its_app_is_not_used() {
    let dir = tempfile::tempdir().unwrap();
    let mut apps = Apps::new(dir.path());
    write(
        &apps,
        "acme.other",
        package("acme.app", "1.0.0").to_string(),
    );
    fs::write(
        dir.path().join("NOT AN ID.app.json"),
        package("acme.app", "1.0.0").to_string(),
    )
    .unwrap();
    fs::write(dir.path().join(".acme.app.app.json.1-1.tmp"), "half").unwrap();
    fs::write(dir.path().join("notes.txt"), "mine").unwrap();
    assert_eq!(scan(&mut apps), (vec![], vec![], vec![], 2));
    assert!(apps.iter().next().is_none());
    let told: Vec<String> = apps
        .broken()
        .iter()
        .map(|b| b.issues[0].message.clone())
        .collect();
    assert!(
        told.iter().any(|m| m.contains("acme.app.app.json"))
            && told.iter().any(|m| m.contains("is no app id")),
        "{told:?}"
    );
}

#[test]
fn an_edit_by_hand_changes_templates_at_once_and_kinds_only_with_an_install() {
    let dir = tempfile::tempdir().unwrap();
    let mut apps = Apps::new(dir.path());
    install(&mut apps, &package("acme.app", "1.0.0"));
    let mut edited = package("acme.app", "1.0.0");
    edited["templates"]["main"]["components"][0]["text"] = "Edited".into();
    edited["records"]["entry"]["schema"]["properties"]["note"] = json!({"type": "string"});
    write(&apps, "acme.app", edited.to_string());
    assert_eq!(
        scan(&mut apps),
        (vec![], vec!["acme.app".into()], vec![], 0)
    );
    let app = apps.get(&id("acme.app")).unwrap().clone();
    assert_eq!(app.waiting, ["records"]);
    assert_eq!(
        app.package.value()["templates"]["main"]["components"][0]["text"],
        "Edited"
    );
    assert_eq!(
        app.package.kind("entry").unwrap()["schema"]["properties"].get("note"),
        None
    );
    // A template that needs the new kind has to wait with it.
    edited["records"]["task"] = edited["records"]["entry"].clone();
    edited["templates"]["main"]["bindings"] = json!([{"path": "/tasks", "source": "records:task"}]);
    write(&apps, "acme.app", edited.to_string());
    assert_eq!(scan(&mut apps).3, 1);
    assert!(
        apps.broken()[0].issues[0]
            .message
            .contains("ede apps install")
    );
    install(&mut apps, &edited);
    let app = apps.get(&id("acme.app")).unwrap();
    assert!(app.waiting.is_empty() && app.package.kind("task").is_some());
}

#[test]
fn an_install_that_cannot_be_finished_changes_nothing() {
    let dir = tempfile::tempdir().unwrap();
    let mut apps = Apps::new(dir.path());
    let (app, file) = (id("acme.app"), apps.file_of(&id("acme.app")));
    // A folder stands where the file belongs.
    let refused = |apps: &mut Apps, version: &str| {
        fs::create_dir(&file).unwrap();
        let new = package("acme.app", version).to_string();
        let error = bring(apps, new.as_bytes(), Origin::Person).unwrap_err();
        fs::remove_dir(&file).unwrap();
        assert!(matches!(error, AppsError::File(_)), "{error}");
    };
    refused(&mut apps, "1.0.0");
    assert!(matches!(apps.remove(&app), Err(AppsError::Unknown(_))));
    install(&mut apps, &package("acme.app", "1.1.0"));
    fs::remove_file(&file).unwrap();
    refused(&mut apps, "2.0.0");
    // What was installed before is what a file that does not check falls back to.
    fs::write(&file, "{").unwrap();
    assert_eq!(apps.open(&app).unwrap().package.version(), "1.1.0");
}

#[test]
fn a_removed_app_is_gone_with_its_copy() {
    let dir = tempfile::tempdir().unwrap();
    let mut apps = Apps::new(dir.path());
    install(&mut apps, &package("acme.app", "1.0.0"));
    apps.remove(&id("acme.app")).unwrap();
    assert!(apps.get(&id("acme.app")).is_none());
    assert!(matches!(
        apps.open(&id("acme.app")),
        Err(AppsError::Unknown(_))
    ));
    assert!(matches!(
        apps.remove(&id("acme.app")),
        Err(AppsError::Unknown(_))
    ));
    assert_eq!(scan(&mut apps), none());
    assert_eq!(
        fs::read_dir(dir.path().join(".installed")).unwrap().count(),
        0
    );
}

#[test]
fn two_hundred_apps_are_read_without_running_their_tests_again() {
    let dir = tempfile::tempdir().unwrap();
    let mut apps = Apps::new(dir.path());
    for n in 0..200 {
        let name = format!("acme.app{n}");
        write(&apps, &name, package(&name, "1.0.0").to_string());
        // As an install leaves it, but with a test that fails: were it run, the app would not be there.
        let mut checked = package(&name, "1.0.0");
        checked["tests"] = json!([{"name": "never run", "expr": {"expr": "1"}, "expect": 2}]);
        write(&apps, &name, checked.to_string());
        fs::create_dir_all(dir.path().join(".installed")).unwrap();
        fs::copy(
            apps.file_of(&id(&name)),
            dir.path().join(format!(".installed/{name}.app.json")),
        )
        .unwrap();
    }
    let found = apps.scan().unwrap();
    assert_eq!((found.added.len(), found.broken.len()), (200, 0));
}

#[test]
fn a_version_that_loses_what_records_have_is_refused_and_changes_nothing() {
    let dir = tempfile::tempdir().unwrap();
    let mut apps = Apps::new(dir.path());
    install(&mut apps, &package("acme.app", "1.0.0"));
    let text = |version: &str, migrations: Value| {
        let mut new = package("acme.app", version);
        new["formatVersion"] = 3.into();
        new["records"]["entry"]["schema"]["properties"] = json!({"minutes": {"type": "number"}});
        new["migrations"] = migrations;
        new.to_string()
    };
    let admit = |apps: &Apps, text: &str, keeps: bool| {
        let admitted = apps.admit(text.as_bytes(), Origin::Person, |app, kind| {
            assert_eq!((app.as_str(), kind), ("acme.app", "entry"));
            keeps
        });
        admitted.map(drop).map_err(|error| error.to_string())
    };
    let refused = admit(&apps, &text("1.1.0", json!([])), false).unwrap_err();
    assert!(
        refused.contains("1.1.0") && refused.contains("`hours` of the kind `entry` is gone"),
        "{refused}"
    );
    // Somebody at work on a version may change it until something is kept.
    assert_eq!(admit(&apps, &text("1.0.0", json!([])), false), Ok(()));
    let refused = admit(&apps, &text("1.0.0", json!([])), true).unwrap_err();
    assert!(refused.contains("another version"), "{refused}");
    let ops = json!([{"rename": {"from": "hours", "to": "minutes"}}]);
    let covered = json!([{"from": "^1", "kind": "entry", "ops": ops}]);
    let covered = text("2.0.0", covered);
    assert_eq!(admit(&apps, &covered, true), Ok(()));
    assert_eq!(
        apps.open(&id("acme.app")).unwrap().package.version(),
        "1.0.0"
    );
    bring(&mut apps, covered.as_bytes(), Origin::Person).unwrap();
    assert_eq!(
        apps.open(&id("acme.app")).unwrap().package.version(),
        "2.0.0"
    );
}
