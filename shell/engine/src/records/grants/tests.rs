#![allow(clippy::unwrap_used)]
use std::sync::atomic::{AtomicUsize, Ordering};

use serde_json::{Value, json};

use super::*;
use crate::clock::FixedClock;
use crate::records::{StoreEvent, StoreOptions};

fn store(dir: &tempfile::TempDir) -> Store {
    let clock = FixedClock("2026-11-30T16:00:00[UTC]".parse().unwrap());
    Store::start(StoreOptions::new(
        dir.path().join("records.db"),
        Arc::new(clock),
    ))
    .unwrap()
}

/// A package that declares these scopes, signed by this key.
fn package(id: &str, capabilities: Value, key: Option<&str>) -> Package {
    let mut value = json!({
        "id": id, "name": "Timer", "version": "1.0.0", "formatVersion": 5, "catalogId": "https://ui.exponential.at/catalogs/core/v1",
        "capabilities": capabilities,
        "templates": {"main": {"components": [{"id": "root", "component": "Box"}]}}});
    if let Some(key) = key {
        value["author"] = json!({"name": "Ana", "key": key});
        value["signature"] = json!({"alg": "ed25519", "value": ""});
    }
    // Who signed it is checked where it is installed.
    Package::read_checked(value.to_string().as_bytes()).unwrap()
}

fn timer(scopes: &[&str]) -> Package {
    let declared = scopes.iter().map(|s| json!({"id": s, "why": "Because."}));
    package("acme.timer", declared.collect(), None)
}

fn net(origins: &[&str]) -> Package {
    let declared = json!([{"id": "http.fetch", "why": "Because.", "origins": origins}]);
    package("acme.timer", declared, None)
}

fn decide(store: &Store, package: &Package, grant: Grant) {
    let declared = &package.capabilities()[0];
    store.decide(package, declared, grant).wait().unwrap();
}

fn held(store: &Store, package: &Package) -> Vec<Option<Grant>> {
    let grants = store.decisions().wait().unwrap().of(package);
    let declared = package.capabilities().iter();
    declared.map(|c| grants.get(&c.scope)).collect()
}

#[test]
fn a_decision_holds_for_the_scope_as_it_was_declared() {
    let dir = tempfile::tempdir().unwrap();
    let store = store(&dir);
    assert_eq!(store.decisions().wait().unwrap(), Decisions::default());
    let windows = timer(&["windows.read"]);
    let both = net(&["https://a.example", "https://b.example"]);
    decide(&store, &windows, Grant::Granted);
    decide(&store, &both, Grant::Denied);
    decide(&store, &both, Grant::Granted);
    assert_eq!(store.decisions().wait().unwrap().iter().count(), 2);
    assert_eq!(held(&store, &windows), [Some(Grant::Granted)]);
    let swapped = net(&["https://b.example", "https://a.example"]);
    assert_eq!(held(&store, &swapped), [Some(Grant::Granted)]);
    let other = net(&["https://b.example"]);
    assert_eq!(held(&store, &other), [None], "asked for again");
    let declared = json!([{"id": "windows.read", "why": "Because."}]);
    assert_eq!(held(&store, &package("acme.other", declared, None)), [None]);
}

#[test]
fn another_authors_app_of_the_same_id_was_allowed_nothing() {
    let dir = tempfile::tempdir().unwrap();
    let store = store(&dir);
    let keys = [
        "ed25519:11qYAYKxCrfVS/7TyWQHOg7hcvPapiMlrwIaaPcHURo",
        "ed25519:PUAXw+hDiVqStwqnTRt+vJyYLM8uxJaMwM1V8Sr0Zgw",
    ];
    let of = |key| {
        let declared = json!([{"id": "windows.read", "why": "Because."}]);
        package("acme.timer", declared, key)
    };
    let (ana, eve, nobody) = (of(Some(keys[0])), of(Some(keys[1])), of(None));
    decide(&store, &ana, Grant::Granted);
    assert_eq!(held(&store, &ana), [Some(Grant::Granted)]);
    assert_eq!(held(&store, &eve), [None]);
    assert_eq!(held(&store, &nobody), [None]);
    // Once hers is installed, what was Ana's is gone for good.
    store.keep_declared(Arc::new(eve)).wait().unwrap();
    assert_eq!(held(&store, &ana), [None]);
}

#[test]
fn what_an_update_no_longer_declares_is_asked_for_again_when_it_comes_back() {
    let dir = tempfile::tempdir().unwrap();
    let store = store(&dir);
    let both = timer(&["windows.read", "focus.window"]);
    for declared in both.capabilities() {
        let decided = store.decide(&both, declared, Grant::Granted);
        decided.wait().unwrap();
    }
    let less = timer(&["windows.read"]);
    store.keep_declared(Arc::new(less)).wait().unwrap();
    assert_eq!(held(&store, &both), [Some(Grant::Granted), None]);
    let scope = both.capabilities()[0].scope.clone();
    let revoke = || store.revoke(both.id().clone(), scope.clone()).wait();
    assert_eq!((revoke(), revoke()), (Ok(true), Ok(false)));
}

#[test]
fn a_decision_about_a_server_is_about_what_is_behind_its_name() {
    let dir = tempfile::tempdir().unwrap();
    let store = store(&dir);
    let reader = |id: &str, upstreams: Value, key: Option<&str>| {
        let mut value = package(id, json!([]), key).value().clone();
        value.insert("upstreams".into(), upstreams);
        Package::read_checked(Value::Object(value).to_string().as_bytes()).unwrap()
    };
    let app = reader("acme.rates", json!(["bank"]), None);
    let bank = ServerName::parse("bank").unwrap();
    let command = |word: &str| Server::command(vec![word.into()]).unwrap();
    let (mine, other) = (command("bank-mcp"), command("other-mcp"));
    let decide = |grant| {
        store
            .decide(&app, Wish::server(&bank, &mine), grant)
            .wait()
            .unwrap()
    };
    let reads = |app: &Package, server: &Server| {
        let decisions = store.decisions().wait().unwrap();
        assert_eq!(decisions.of(app), Grants::default(), "it is no scope");
        decisions.about(app, &Wish::server(&bank, server))
    };
    assert_eq!(reads(&app, &mine), None);
    decide(Grant::Denied);
    assert_eq!(reads(&app, &mine), Some(Grant::Denied));
    decide(Grant::Granted);
    assert_eq!(reads(&app, &mine), Some(Grant::Granted));
    assert_eq!(
        reads(&app, &other),
        None,
        "another command by the same name"
    );
    assert_eq!(
        reads(&reader("acme.other", json!(["bank"]), None), &mine),
        None
    );
    assert_eq!(
        reads(&reader("acme.rates", json!(["shop"]), None), &mine),
        None
    );
    let signed = reader(
        "acme.rates",
        json!(["bank"]),
        Some("ed25519:11qYAYKxCrfVS/7TyWQHOg7hcvPapiMlrwIaaPcHURo"),
    );
    assert_eq!(reads(&signed, &mine), None, "another author's");

    // A version that does not name it.
    let without = reader("acme.rates", json!([]), None);
    store.keep_declared(Arc::new(app.clone())).wait().unwrap();
    assert_eq!(reads(&app, &mine), Some(Grant::Granted));
    store.keep_declared(Arc::new(without)).wait().unwrap();
    assert_eq!(reads(&app, &mine), None);

    decide(Grant::Granted);
    store.forget_server(bank.clone()).wait().unwrap();
    assert_eq!(reads(&app, &mine), None);
    decide(Grant::Granted);
    let revoked = store.revoke(app.id().clone(), Subject::Upstream(bank.clone()));
    assert_eq!(revoked.wait(), Ok(true));
    assert_eq!(reads(&app, &mine), None);
}

#[test]
fn another_process_hears_of_a_decision() {
    let dir = tempfile::tempdir().unwrap();
    let (one, other) = (store(&dir), store(&dir));
    let windows = timer(&["windows.read"]);
    let heard = Arc::new(AtomicUsize::new(0));
    let count = heard.clone();
    decide(&one, &windows, Grant::Granted);
    // Its own event comes after its answer.
    one.decisions().wait().unwrap();
    one.listen(move |event| {
        if *event == StoreEvent::Decided {
            count.fetch_add(1, Ordering::SeqCst);
        }
    });
    let scope = windows.capabilities()[0].scope.clone();
    let revoked = other.revoke(windows.id().clone(), scope);
    assert_eq!(revoked.wait(), Ok(true));
    // The next question sees it; the event comes after the answer.
    for _ in 0..2 {
        assert_eq!(one.decisions().wait().unwrap(), Decisions::default());
    }
    assert_eq!(heard.load(Ordering::SeqCst), 1);
}
