//! Every theme in `fixtures/themes`, against the checker and the JSON Schema.
#![allow(clippy::unwrap_used, clippy::expect_used)]

mod common;

use common::{Fault, Seen, folder};
use ede_engine::schema::formats::Format;
use ede_engine::theme;

#[test]
fn every_good_theme_is_good_and_keeps_the_schema() {
    let schema = common::Schema::new(Format::Theme);
    for (name, bytes) in folder("themes/good") {
        let parsed = theme::read(&bytes, &[]);
        assert_eq!(common::said(&parsed.issues), [""; 0], "{name}");
        assert!(parsed.theme.is_some(), "{name}");
        assert_eq!(schema.refusals(&bytes), [""; 0], "{name}");
    }
}

#[test]
fn every_bad_theme_says_what_is_wrong_and_where() {
    let files = folder("themes/bad").into_iter().map(|(name, bytes)| {
        let parsed = theme::read(&bytes, &[]);
        assert!(parsed.theme.is_none(), "{name}");
        (name, bytes, parsed.issues)
    });
    common::each_fault_is_found(Format::Theme, files.collect(), BAD);
}

/// The file, the pointer of an issue it must have, a part of its message, and whether the schema can see it.
const BAD: &[Fault] = &[
    ("schema-missing", "/$schema", "expected", Seen::Shape),
    ("id-upper-case", "/id", "kebab-case", Seen::Shape),
    ("name-missing", "/name", "expected a name", Seen::Shape),
    (
        "key-unknown",
        "/recipez",
        "did you mean `recipes`?",
        Seen::Shape,
    ),
    (
        "extends-unknown",
        "/extends",
        "unknown theme",
        Seen::Meaning,
    ),
    (
        "colour-name",
        "/modes/light/color/primary",
        "expected #rrggbb",
        Seen::Shape,
    ),
    (
        "token-unknown",
        "/tokens/spacing/mdd",
        "did you mean `md`?",
        Seen::Shape,
    ),
    (
        "token-text",
        "/tokens/spacing/md",
        "expected a number",
        Seen::Shape,
    ),
    (
        "opacity-range",
        "/tokens/opacity/disabled",
        "expected 0",
        Seen::Shape,
    ),
    ("mode-unknown", "/modes/dim", "unknown mode", Seen::Shape),
    (
        "shadow-layer",
        "/modes/light/shadow/sm/0/y",
        "expected a number",
        Seen::Shape,
    ),
    (
        "ease-three",
        "/tokens/ease/standard",
        "expected [x1, y1, x2, y2]",
        Seen::Shape,
    ),
    (
        "recipe-component",
        "/recipes/Buton",
        "unknown component",
        Seen::Shape,
    ),
    (
        "recipe-part",
        "/recipes/Button/rot",
        "did you mean `root`?",
        Seen::Shape,
    ),
    (
        "recipe-key",
        "/recipes/Button/root/0/style/display",
        "not a recipe key",
        Seen::Shape,
    ),
    (
        "recipe-value",
        "/recipes/Button/root/0/style/backgroundColor",
        "expected #rrggbb",
        Seen::Meaning,
    ),
    (
        "incomplete",
        "/modes/light/color",
        "no value for background, foreground, card",
        Seen::Shape,
    ),
    (
        "font-source",
        "/fonts/Inter/source",
        "expected system|host",
        Seen::Shape,
    ),
];
