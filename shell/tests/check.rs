//! `ede check` and `ede schema` as a person runs them.
#![allow(clippy::unwrap_used, clippy::expect_used)]

use std::path::Path;
use std::process::{Command, Output};

use serde_json::{Value, json};

fn ede(folder: &Path, arguments: &[&str]) -> Output {
    let home = folder.join("home");
    Command::new(env!("CARGO_BIN_EXE_ede"))
        .args(arguments)
        .current_dir(folder)
        .env("EDE_CONFIG_HOME", &home)
        .env("EDE_DATA_HOME", &home)
        .output()
        .unwrap()
}

fn stdout(output: &Output) -> String {
    String::from_utf8(output.stdout.clone()).unwrap()
}

const BROKEN: &str = "{\n  \"formatVersion\": 1,\n  \"id\": \"session\",\n  \"kind\": \"session\",\n  \"session\": { \"mode\": \"drak\" }\n}\n";
const GOOD: &str =
    "{\"formatVersion\": 1, \"id\": \"session\", \"kind\": \"session\", \"session\": {}}";

#[test]
fn a_problem_is_one_line_with_its_place_then_the_line_of_the_file_and_a_mark() {
    let dir = tempfile::tempdir().unwrap();
    std::fs::write(dir.path().join("session.ede-ui.json"), BROKEN).unwrap();
    let answer = ede(dir.path(), &["check", "session.ede-ui.json"]);
    assert_eq!(answer.status.code(), Some(1));
    let text = stdout(&answer);
    let lines: Vec<&str> = text.lines().collect();
    assert_eq!(
        lines[..3],
        [
            "session.ede-ui.json:5:24: /session/mode: `mode` must be one of auto, light, dark, not `drak`: did you mean `dark`?",
            "  \"session\": { \"mode\": \"drak\" }",
            "                       ^",
        ]
    );
    assert!(answer.stderr.is_empty());
}

#[test]
fn json_is_one_document_with_every_file_and_the_code_says_whether_all_are_good() {
    let dir = tempfile::tempdir().unwrap();
    std::fs::write(dir.path().join("broken.json"), BROKEN).unwrap();
    std::fs::write(dir.path().join("good.json"), GOOD).unwrap();
    std::fs::write(dir.path().join("no.json"), "{\"a\": ").unwrap();
    let answer = ede(
        dir.path(),
        &["check", "--json", "broken.json", "good.json", "no.json"],
    );
    assert_eq!(answer.status.code(), Some(1));
    let report: Value = serde_json::from_slice(&answer.stdout).unwrap();
    assert_eq!(report[0]["issues"][0]["path"], "/session/mode");
    assert_eq!(
        (
            &report[0]["issues"][0]["line"],
            &report[0]["issues"][0]["column"]
        ),
        (&json!(5), &json!(24))
    );
    assert_eq!(
        report[1],
        json!({"file": "good.json", "kind": "document", "ok": true, "issues": [], "notes": []})
    );
    assert_eq!(
        (&report[2]["ok"], &report[2]["issues"][0]["line"]),
        (&json!(false), &json!(1))
    );
    assert_eq!(
        ede(dir.path(), &["check", "good.json"]).status.code(),
        Some(0)
    );
}

#[test]
fn a_missing_file_is_an_error_and_a_wrong_usage_is_two() {
    let dir = tempfile::tempdir().unwrap();
    let answer = ede(dir.path(), &["check", "gone.json"]);
    assert_eq!(answer.status.code(), Some(1));
    assert!(
        String::from_utf8(answer.stderr)
            .unwrap()
            .starts_with("error: cannot read gone.json, it does not exist")
    );
    assert_eq!(ede(dir.path(), &["check"]).status.code(), Some(2));
    assert_eq!(
        ede(dir.path(), &["schema", "stream"]).status.code(),
        Some(2)
    );
}

#[test]
fn a_schema_is_printed_as_one_json_document() {
    let dir = tempfile::tempdir().unwrap();
    for format in ["package", "document", "theme"] {
        let schema: Value =
            serde_json::from_slice(&ede(dir.path(), &["schema", format]).stdout).unwrap();
        assert_eq!(
            schema["$schema"],
            "https://json-schema.org/draft/2020-12/schema"
        );
    }
}
