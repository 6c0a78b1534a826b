//! `ede contract` as a person runs it.
#![allow(clippy::unwrap_used, clippy::expect_used)]

mod support;

use std::path::Path;

use serde_json::json;
use support::Home;

#[test]
fn our_cases_pass_and_the_last_line_counts_them() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../fixtures/contract");
    let files = std::fs::read_dir(folder)
        .unwrap()
        .map(|e| e.unwrap().path());
    let mut arguments = vec!["contract".into()];
    arguments.extend(files);
    let ran = Home::new().ede(arguments);
    assert_eq!((ran.code, ran.err.as_str()), (0, ""), "{}", ran.out);
    let count = ran.out.strip_suffix(" passed, 0 failed\n").unwrap();
    assert!(count.parse::<usize>().unwrap() > 300, "{count}");
}

#[test]
fn a_case_that_fails_is_shown_with_both_answers() {
    let home = Home::new();
    let cases = json!({"parseCases": [
        {"name": "windows__list", "expected": {"capability": "windows", "tool": "list"}},
        {"name": "windows__open", "expected": {"capability": "windows", "tool": "open"}},
    ]});
    let file = home.file("cases.json", cases.to_string());
    let ran = home.ede(["contract".as_ref(), file.as_os_str()]);
    assert_eq!(ran.code, 1);
    let lines: Vec<&str> = ran.out.lines().collect();
    assert!(
        lines[0].ends_with("cases.json: parseCases: windows__open"),
        "{}",
        lines[0]
    );
    assert_eq!(
        lines[1..],
        [
            "  expected {\"capability\":\"windows\",\"tool\":\"open\"}",
            "  actual   null",
            "1 passed, 1 failed"
        ]
    );
}

#[test]
fn a_file_nobody_understands_is_an_error_and_nothing_passes() {
    let home = Home::new();
    let good = home.file(
        "good.json",
        json!({"parseCases": [{"name": "x", "expected": null}]}).to_string(),
    );
    for (text, word) in [
        ("{", "no JSON"),
        ("{}", "no case"),
        (r#"{"parseCases": [], "about": "nothing"}"#, "no case"),
        (r#"{"guessCases": [1]}"#, "guessCases"),
    ] {
        let bad = home.file("bad.json", text);
        let ran = home.ede(["contract".as_ref(), good.as_os_str(), bad.as_os_str()]);
        assert_eq!((ran.code, ran.out.as_str()), (1, ""), "{text}");
        assert!(
            ran.err.starts_with("error: ") && ran.err.contains(word),
            "{}",
            ran.err
        );
    }
}
