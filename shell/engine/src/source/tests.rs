#![allow(clippy::unwrap_used, clippy::expect_used)]

use super::*;
use proptest::prelude::*;

const SMALL: Limits = Limits {
    what: "A test",
    bytes: 1000,
    depth: 5,
};

fn refused(text: &[u8]) -> (Position, String) {
    let issue = Source::read(text, SMALL).expect_err("this text is refused");
    (
        issue.position.expect("a refusal has a position"),
        issue.message,
    )
}

#[test]
fn every_part_is_found_by_its_pointer() {
    let source = Source::read(
        "{\n  \"a\": [1, {\"ü\": true}],\n  \"x/y\": 2\n}".as_bytes(),
        SMALL,
    )
    .unwrap();
    let value = |p| source.locate(p, Anchor::Value);
    assert_eq!(value(""), Position { line: 1, column: 1 });
    assert_eq!(
        value("/a/1/ü"),
        Position {
            line: 2,
            column: 18
        }
    );
    assert_eq!(
        source.locate("/a/1/ü", Anchor::Key),
        Position {
            line: 2,
            column: 13
        }
    );
    assert_eq!(
        value("/x~1y"),
        Position {
            line: 3,
            column: 10
        }
    );
}

#[test]
fn a_missing_key_is_placed_at_the_object_that_lacks_it() {
    let source = Source::read(b"{\n \"a\": {}}", SMALL).unwrap();
    assert_eq!(
        source.locate("/a/name", Anchor::Value),
        Position { line: 2, column: 7 }
    );
    assert_eq!(
        source.locate("/a/name", Anchor::Key),
        Position { line: 2, column: 7 }
    );
}

#[test]
fn a_key_written_twice_is_an_issue_at_the_second_key() {
    let source = Source::read(b"{\"a\": 1,\n \"a\": 2}", SMALL).unwrap();
    let [issue] = source.issues() else {
        panic!("one issue")
    };
    assert_eq!(
        (issue.pointer.as_str(), issue.position),
        ("/a", Some(Position { line: 2, column: 2 }))
    );
}

#[test]
fn what_is_not_json_is_one_issue_with_its_place() {
    for (text, line, column, words) in [
        ("{\n  \"a\": 1,\n}", 3, 1, "comma before a closing bracket"),
        ("{'a': 1}", 1, 2, "double quotes"),
        ("{\"a\" 1}", 1, 6, "followed by `:`"),
        ("[1 2]", 1, 4, "comma between them"),
        ("[NaN]", 1, 2, "not a JSON value"),
        ("[1e999]", 1, 6, "too large"),
        ("{\"a\": 1} // no", 1, 10, "more text after"),
        ("{\"é\": tru}", 1, 10, "not a JSON word"),
        ("{\"a\": [1", 1, 8, "ends too early"),
        ("[\"a\nb\"]", 2, 1, "raw line break"),
        ("[\"\\ud800\"]", 1, 9, "surrogate"),
    ] {
        let (position, message) = refused(text.as_bytes());
        assert!(message.contains(words), "{text}: {message}");
        assert_eq!(position.line, line, "{text}: {message}");
        assert!(
            position.column.abs_diff(column) <= 1,
            "{text}: column {} near {column}",
            position.column
        );
    }
}

#[test]
fn what_is_no_text_is_one_issue() {
    for (bytes, words) in [
        (&b""[..], "empty"),
        (b" \n ", "empty"),
        (b"\xef\xbb\xbf{}", "byte order mark"),
        (b"\xff\xfe{\0}\0", "UTF-16"),
        (b"{\0}\0", "UTF-16"),
        (b"{\"a\": \"\xff\"}", "not UTF-8"),
    ] {
        let (_, message) = refused(bytes);
        assert!(message.contains(words), "{message}");
    }
    assert_eq!(
        refused(b"{\"a\": \"\xff\"}").0,
        Position { line: 1, column: 8 }
    );
}

#[test]
fn too_large_and_too_deep_are_refused_before_they_are_read() {
    assert!(refused(&[b'x'; 1001]).1.contains("at most 1000 bytes"));
    assert!(refused(&b"[".repeat(900)).1.contains("5 levels deep"));
    let deep_text = format!("[\"{}\"]", "[".repeat(500));
    assert!(
        Source::read(deep_text.as_bytes(), SMALL).is_ok(),
        "brackets in a text nest nothing"
    );
}

#[test]
fn a_megabyte_of_text_in_one_string_is_refused_by_size_alone() {
    let big = format!("{{\"id\": \"{}\"}}", "a".repeat(1_000_000));
    let issue = Source::read(big.as_bytes(), Limits::PACKAGE).unwrap_err();
    assert_eq!(
        issue.message,
        "A package is at most 128 KB: this file is 977 KB"
    );
}

#[test]
fn json_lines_keep_their_own_places() {
    let source = Source::read_lines(b"{\"a\": 1}\n\n{\"b\": {\"c\": 2}}\n", SMALL).unwrap();
    assert_eq!(source.value().as_array().map(Vec::len), Some(2));
    assert_eq!(
        source.locate("/1/b/c", Anchor::Value),
        Position {
            line: 3,
            column: 13
        }
    );
    let issue = Source::read_lines(b"{}\n{\"a\":}\n", SMALL).unwrap_err();
    assert_eq!(
        (issue.pointer.as_str(), issue.position.map(|p| p.line)),
        ("/1", Some(2))
    );
}

proptest! {
    #[test]
    fn any_bytes_at_all_are_read_or_refused_with_a_position(bytes in proptest::collection::vec(any::<u8>(), 0..200)) {
        if let Err(issue) = Source::read(&bytes, SMALL) {
            prop_assert!(issue.position.is_some());
        }
    }

    #[test]
    fn the_places_agree_with_the_value(text in "[\\[\\]{}\":,0-9a-z \\n\\\\.eE+-]{0,40}") {
        if let Ok(source) = Source::read(text.as_bytes(), SMALL) {
            prop_assert_eq!(matches!(source.value(), Value::Array(_)), matches!(source.root.inside, Inside::Items(_)));
            prop_assert_eq!(matches!(source.value(), Value::Object(_)), matches!(source.root.inside, Inside::Members(_)));
        }
    }
}
