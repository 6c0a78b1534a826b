//! Apps that would reach more of the network than a person allowed: each line of what they may not do, refused and in the audit.
#![allow(clippy::unwrap_used, clippy::expect_used)]

mod support;

use std::net::TcpListener;

use serde_json::{Value, json};
use support::{Home, Ran, binary};

/// Somebody who would hear of it, were it reached.
struct Ear(TcpListener);

impl Ear {
    fn open() -> Ear {
        let listener = TcpListener::bind("127.0.0.1:0").unwrap();
        listener.set_nonblocking(true).unwrap();
        Ear(listener)
    }

    fn port(&self) -> u16 {
        self.0.local_addr().unwrap().port()
    }

    fn heard(&self) -> bool {
        self.0.accept().is_ok()
    }
}

/// A home with an app that declares these origins.
fn home(origins: &[String]) -> Home {
    let home = Home::new();
    let package = json!({
        "formatVersion": 5, "id": "acme.net", "name": "Net", "version": "1.0.0", "catalogId": "https://ui.exponential.at/catalogs/core/v1",
        "functions": ["http.fetch"],
        "capabilities": [{"id": "http.fetch", "why": "To ask.", "origins": origins}],
        "screens": [{"template": "list", "title": "List"}],
        "templates": {"list": {"components": [{"id": "root", "component": "Text", "text": "t"}]}},
    });
    let file = home.file("acme.app.json", package.to_string());
    let ran = home.ede(["apps", "install", file.to_str().unwrap()]);
    assert_eq!(ran.code, 0, "{ran:?}");
    home
}

/// What `ede call acme.net http.fetch …` prints, with the person's leave where `flag` gives it. Every server would be trusted, and a proxy
/// is named in the environment.
fn fetch(home: &Home, arguments: &Value, flag: &str, proxy: u16) -> Value {
    let file = home.file("arguments.json", arguments.to_string());
    let authority = concat!(env!("CARGO_MANIFEST_DIR"), "/../fixtures/tls/authority.pem");
    let proxy = format!("http://127.0.0.1:{proxy}");
    let mut command = home.command(&binary());
    command
        .args(["call", "acme.net", "http.fetch", file.to_str().unwrap()])
        .args(Some(flag).filter(|f| !f.is_empty()))
        .env("SSL_CERT_FILE", authority);
    for name in ["HTTPS_PROXY", "https_proxy", "ALL_PROXY", "all_proxy"] {
        command.env(name, &proxy);
    }
    let ran = Ran::from(command.output().unwrap());
    assert_eq!((ran.code, ran.err.as_str()), (0, ""), "{arguments}");
    serde_json::from_str(&ran.out).unwrap()
}

/// `tool status error` of the newest row.
fn row(home: &Home) -> String {
    let rows: Vec<Value> = serde_json::from_str(&home.ok("audit --json")).unwrap();
    let word = |key: &str| rows[0][key].as_str().unwrap_or("-").to_string();
    ["tool", "status", "error"].map(word).join(" ")
}

#[test]
fn this_machine_and_the_networks_around_it_are_out_of_reach_however_they_are_spelt() {
    let (inside, proxy) = (Ear::open(), Ear::open());
    let port = inside.port();
    let hosts = [
        format!("localhost:{port}"),
        format!("127.0.0.1:{port}"),
        format!("127.1:{port}"),
        format!("2130706433:{port}"),
        format!("0x7f.0.0.1:{port}"),
        format!("0.0.0.0:{port}"),
        "10.0.0.1".into(),
        "169.254.169.254".into(),
        "192.168.1.1".into(),
        "100.64.0.1".into(),
    ];
    // As an app may declare them, if it may at all: the numbers of old spellings are the same machine.
    let origins = hosts.each_ref().map(|host| format!("https://{host}"));
    let home = home(&origins);
    for origin in origins {
        let said = fetch(
            &home,
            &json!({"url": format!("{origin}/")}),
            "--yes",
            proxy.port(),
        );
        let reached = &said["answer"]["content"][0]["text"];
        match said["verdict"]["verdict"].as_str().unwrap() {
            "call" => {
                assert_eq!(reached, "privateAddress", "{origin}");
                assert_eq!(row(&home), "http__fetch failed -");
            }
            verdict => {
                // It spells an origin in a way that none is declared in.
                assert_eq!((verdict, reached), ("denied", &json!("originNotDeclared")));
                assert_eq!(row(&home), "http__fetch denied originNotDeclared");
            }
        }
    }
    assert!(!inside.heard() && !proxy.heard());
}

#[test]
fn what_is_not_declared_or_not_allowed_is_not_asked() {
    let (inside, proxy) = (Ear::open(), Ear::open());
    let home = home(&[format!("https://localhost:{}", inside.port())]);
    let said = |url: &str, flag: &str| {
        let said = fetch(&home, &json!({"url": url}), flag, proxy.port());
        (said["verdict"]["verdict"].clone(), row(&home))
    };
    let declared = format!("https://localhost:{}/", inside.port());
    let denied = |why: &str| (json!("denied"), format!("http__fetch denied {why}"));
    for other in [
        "https://localhost/".to_string(),
        declared.replace("https", "http"),
        declared.replace("localhost", "me@localhost"),
        declared.replace("localhost", "localhost."),
        declared.replace("localhost", "127.0.0.1"),
    ] {
        assert_eq!(
            said(&other, "--yes"),
            denied("originNotDeclared"),
            "{other}"
        );
    }
    assert_eq!(said(&declared, "--no"), denied("consentDenied"));
    let (verdict, row) = said(&declared, "");
    assert_eq!(verdict, "ask");
    assert_eq!(row, "http__fetch denied consentNeeded");
    assert!(!inside.heard() && !proxy.heard());
}

#[test]
fn an_app_speaks_for_itself_alone() {
    let (inside, proxy) = (Ear::open(), Ear::open());
    let url = format!("https://localhost:{}/", inside.port());
    let home = home(&[format!("https://localhost:{}", inside.port())]);
    for name in [
        "Host",
        "Cookie",
        "Proxy-Authorization",
        "Origin",
        "Connection",
    ] {
        let headers = json!([{"name": name, "value": "evil.example"}]);
        let said = fetch(
            &home,
            &json!({"url": url, "headers": headers}),
            "--yes",
            proxy.port(),
        );
        let why = &said["answer"]["content"][0]["text"];
        assert_eq!(*why, format!("refusedHeader: {name}"));
        assert_eq!(row(&home), "http__fetch failed -");
    }
    assert!(!inside.heard() && !proxy.heard());
}
