//! `ede upstreams`, and `ede query` of what it set up.

use std::io::Write;
use std::os::unix::fs::PermissionsExt;
use std::process::{Output, Stdio};

use ede_tests::program::Ede;
use serde_json::{Value, json};

use super::{lines, program};

fn run(ede: &Ede, arguments: &[&str]) -> Output {
    ede.command(arguments).output().unwrap()
}

fn said(output: &Output) -> String {
    String::from_utf8_lossy(&output.stdout).into_owned()
}

fn error(output: &Output) -> String {
    assert!(!output.status.success());
    String::from_utf8_lossy(&output.stderr).into_owned()
}

#[test]
fn a_server_is_added_listed_and_removed() {
    let ede = Ede::new();
    assert!(said(&run(&ede, &["upstreams", "list"])).contains("no server is set up"));
    let added = run(
        &ede,
        &[
            "upstreams",
            "add",
            "bank",
            "--command",
            "bank-mcp",
            "--verbose",
            "--",
            "a b",
        ],
    );
    assert_eq!(said(&added), "bank is bank-mcp --verbose -- a b\n");
    let added = run(
        &ede,
        &[
            "upstreams",
            "add",
            "rates",
            "--url",
            "https://rates.example/mcp",
        ],
    );
    assert!(added.status.success(), "{}", error(&added));
    let listed = run(&ede, &["upstreams", "list", "--json"]);
    let listed: Value = serde_json::from_slice(&listed.stdout).unwrap();
    assert_eq!(
        listed,
        json!([
            {"name": "bank", "command": ["bank-mcp", "--verbose", "--", "a b"]},
            {"name": "rates", "url": "https://rates.example/mcp", "token": false}])
    );
    let file = ede.config().join("upstreams.json");
    let mode = std::fs::metadata(&file).unwrap().permissions().mode();
    assert_eq!(mode & 0o777, 0o600);
    assert!(
        run(&ede, &["upstreams", "remove", "rates"])
            .status
            .success()
    );
    let gone = error(&run(&ede, &["upstreams", "remove", "rates"]));
    assert_eq!(
        gone,
        "error: there is no such server, rates, `ede upstreams list` has those there are\n"
    );
    assert_eq!(
        said(&run(&ede, &["upstreams", "list"])),
        "bank: bank-mcp --verbose -- a b\n"
    );
}

#[test]
fn what_is_no_server_is_wrong_usage_and_a_mistake_in_the_file_names_its_line() {
    let ede = Ede::new();
    for wrong in [
        &["bank"][..],
        &["bank", "--url", "http://bank.example/mcp"],
        &["bank", "--url", "https://me:word@bank.example"],
        &["bank", "--url", "bank.example"],
        &["bank", "--url", "https://bank.example", "--command", "x"],
        &["bank", "--url", "https://bank.example", "--token", "secret"],
        &["", "--url", "https://bank.example"],
    ] {
        let arguments = [&["upstreams", "add"], wrong].concat();
        assert_eq!(run(&ede, &arguments).status.code(), Some(2), "{wrong:?}");
    }
    std::fs::create_dir_all(ede.config()).unwrap();
    let file = ede.config().join("upstreams.json");
    std::fs::write(
        &file,
        "{\"formatVersion\": 1,\n \"servers\": {\"bank\": {\"url\": \"http://bank.example\"}}}",
    )
    .unwrap();
    for command in [
        &["list"][..],
        &["add", "a", "--command", "x"],
        &["remove", "bank"],
    ] {
        let error = error(&run(&ede, &[&["upstreams"], command].concat()));
        let place = format!("{}:2:30, mend the file", file.display());
        assert!(
            error.contains("/servers/bank/url") && error.contains(&place),
            "{error}"
        );
    }
}

#[test]
fn a_token_is_kept_in_the_keyring_or_not_at_all() {
    let ede = Ede::new();
    let mut command = ede.command(&[
        "upstreams",
        "add",
        "bank",
        "--url",
        "https://bank.example",
        "--token",
        "-",
    ]);
    let mut child = command.stdin(Stdio::piped()).spawn().unwrap();
    child
        .stdin
        .take()
        .unwrap()
        .write_all(b"very-secret\n")
        .unwrap();
    let output = child.wait_with_output().unwrap();
    assert!(error(&output).contains("no keyring answers on this session's bus"));
    assert!(!ede.config().join("upstreams.json").exists());
}

/// A package that names the server `bank`.
fn reader() -> Ede {
    let ede = Ede::new();
    let package = include_str!("../../../fixtures/apps/test.rates.app.json");
    ede.write_package("test.rates", package);
    ede
}

#[test]
fn a_person_may_query_what_a_package_may_read_and_nothing_else() {
    let ede = reader();
    let log = ede.data().join("log");
    let command = [
        "upstreams",
        "add",
        "bank",
        "--command",
        program(),
        log.to_str().unwrap(),
    ];
    assert!(run(&ede, &command).status.success());
    let query = |source: &str| run(&ede, &["query", "test.rates", source]);
    let rates = query("upstream:bank/rates?day=monday");
    let value: Value =
        serde_json::from_slice(&rates.stdout).unwrap_or_else(|_| panic!("{}", error(&rates)));
    assert_eq!(value["asked"], json!({"day": "monday"}));
    for (source, why) in [
        (
            "upstream:bank/words",
            "the package's sources do not list upstream:bank/words",
        ),
        (
            "upstream:theirs/rates",
            "the package's upstreams do not name theirs",
        ),
        ("upstream:shop/list", "no server is set up as shop"),
        (
            "upstream:bank/pay",
            "the tool pay of bank may change something",
        ),
        ("upstream:bank", "is no source"),
    ] {
        let error = error(&query(source));
        assert!(error.contains(why), "{source}: {error}");
    }
    let calls = lines(&log)
        .iter()
        .filter(|l| l.starts_with("tools/call"))
        .count();
    assert_eq!(calls, 1, "nothing but what may be read was called");
    let audit = run(&ede, &["audit", "--json"]);
    let rows: Vec<Value> = serde_json::from_slice(&audit.stdout).unwrap();
    let row = |r: &Value| {
        ["tool", "status", "error"]
            .map(|k| r[k].as_str().unwrap_or("-").to_owned())
            .join(" ")
    };
    let rows: Vec<String> = rows.iter().rev().map(row).collect();
    assert_eq!(
        rows,
        [
            "bank/rates ok -",
            "bank/words denied notListed",
            "theirs/rates denied notDeclared",
            "shop/list denied unavailable",
            "bank/pay denied notReadOnly"
        ]
    );
}

#[test]
fn without_a_shell_a_tool_is_called_where_it_was_allowed_or_is_for_this_once() {
    let ede = Ede::new();
    let package = include_str!("../../../fixtures/apps/test.payer.app.json");
    ede.write_package("test.payer", package);
    let log = ede.data().join("log");
    let call = |name: &str, more: &[&str]| {
        let arguments = [&["call", "test.payer", name], more].concat();
        let ran = run(&ede, &arguments);
        serde_json::from_slice::<Value>(&ran.stdout).unwrap_or_else(|_| panic!("{}", error(&ran)))
    };
    let pay = "upstream.bank.pay";
    assert_eq!(call(pay, &["--yes"])["verdict"]["verdict"], "unavailable");
    let command = [
        "upstreams",
        "add",
        "bank",
        "--command",
        program(),
        log.to_str().unwrap(),
    ];
    assert!(run(&ede, &command).status.success());
    let asks = call(pay, &[]);
    assert_eq!(
        asks,
        json!({"verdict": {"verdict": "ask", "capability": "upstream", "tool": "bank/pay", "scope": "call:bank/pay", "reason": null}})
    );
    assert_eq!(call(pay, &["--no"])["verdict"]["reason"], "consentDenied");
    assert_eq!(
        call("upstream.bank.words", &["--yes"])["verdict"]["reason"],
        "notListed"
    );
    assert_eq!(
        call("upstream.bank.wipe", &["--yes"])["verdict"]["reason"],
        "destructive"
    );
    let done = call(pay, &["--yes"]);
    assert_eq!(done["verdict"]["verdict"], "call");
    assert_eq!(done["answer"]["structuredContent"], "just words");
    let calls = lines(&log)
        .iter()
        .filter(|l| l.starts_with("tools/call"))
        .count();
    assert_eq!(calls, 1);
    // Whatever is no object is not called with.
    let list = ede.data().join("list.json");
    std::fs::write(&list, "[1]").unwrap();
    let refused = run(
        &ede,
        &["call", "test.payer", pay, list.to_str().unwrap(), "--yes"],
    );
    assert!(error(&refused).contains("the arguments are no JSON object"));
    let calls = lines(&log)
        .iter()
        .filter(|l| l.starts_with("tools/call"))
        .count();
    assert_eq!(calls, 1);
    // The answer was for this once.
    assert_eq!(call(pay, &[])["verdict"]["verdict"], "ask");
}

#[test]
fn a_person_sees_what_a_server_offers_and_nothing_of_it_is_called() {
    let ede = Ede::new();
    let log = ede.config().join("log");
    let bank = [
        "upstreams",
        "add",
        "bank\u{202e}x",
        "--command",
        program(),
        log.to_str().unwrap(),
    ];
    assert_eq!(
        said(&run(&ede, &bank)).split(" is ").next(),
        Some("bank\\u{202e}x")
    );
    let tools = ["upstreams", "tools", "bank\u{202e}x"];
    let plain = said(&run(&ede, &tools));
    for line in [
        "json (only reads)\n",
        "pay (changes something)\n",
        "wipe (destroys something, and is never called)\n",
        "unsaid (does not say whether it only reads)\n",
        "strange (only reads): Says what[2J it likes\n",
    ] {
        assert!(plain.contains(line), "{line}: {plain}");
    }
    let ran = run(&ede, &[&tools[..], &["--json"]].concat());
    assert!(!said(&ran).contains(['\u{202e}', '\u{1b}']));
    let all: Vec<Value> = serde_json::from_slice(&ran.stdout).unwrap();
    let of = |name: &str| all.iter().find(|t| t["name"] == name).unwrap();
    assert_eq!(
        (&of("pay")["readOnly"], &of("pay")["destructive"]),
        (&json!(false), &Value::Null)
    );
    assert_eq!(
        of("strange")["description"],
        "Says\u{202e} what\u{1b}[2J it\nlikes"
    );
    assert_eq!(of("json")["inputSchema"]["type"], "object");
    assert!(!lines(&log).iter().any(|l| l.starts_with("tools/call")));
    let none = run(&ede, &["upstreams", "tools", "shop"]);
    assert!(error(&none).contains("there is no such server, shop"));
    run(
        &ede,
        &["upstreams", "add", "gone", "--command", "/nowhere/server"],
    );
    let gone = run(&ede, &["upstreams", "tools", "gone"]);
    assert_eq!(
        error(&gone),
        "error: the server cannot be reached, gone, see to it, and ask again\n"
    );
}
