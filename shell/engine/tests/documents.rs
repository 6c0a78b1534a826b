//! Every document in `fixtures/documents`, against the checker and the JSON Schema.
#![allow(clippy::unwrap_used, clippy::expect_used)]

mod common;

use common::{Fault, Seen, folder};
use ede_engine::documents::Document;
use ede_engine::schema::formats::Format;

#[test]
fn every_good_document_is_good_and_keeps_the_schema() {
    let schema = common::Schema::new(Format::Document);
    for (name, bytes) in folder("documents/good") {
        let parsed = Document::read(&bytes);
        assert_eq!(common::said(&parsed.issues), [""; 0], "{name}");
        assert_eq!(parsed.document.unwrap().id().as_str(), name);
        assert_eq!(schema.refusals(&bytes), [""; 0], "{name}");
    }
}

#[test]
fn every_bad_document_says_what_is_wrong_and_where() {
    let files = folder("documents/bad").into_iter().map(|(name, bytes)| {
        let parsed = Document::read(&bytes);
        assert!(parsed.document.is_none(), "{name}");
        (name, bytes, parsed.issues)
    });
    common::each_fault_is_found(Format::Document, files.collect(), BAD);
}

/// The file, the pointer of an issue it must have, a part of its message, and whether the schema can see it.
const BAD: &[Fault] = &[
    (
        "format-newer",
        "/formatVersion",
        "document format 2 is newer",
        Seen::Shape,
    ),
    (
        "title-with-nul",
        "/title",
        "without control characters",
        Seen::Shape,
    ),
    ("id-path", "/id", "lower-case letters, digits", Seen::Shape),
    ("id-missing", "/id", "`id` is missing", Seen::Shape),
    (
        "kind-unknown",
        "/kind",
        "did you mean `panel`?",
        Seen::Shape,
    ),
    ("kind-missing", "/kind", "`kind` is missing", Seen::Shape),
    ("place-missing", "/place", "`place` is missing", Seen::Shape),
    (
        "edge-unknown",
        "/place/edge",
        "one of top, bottom, left, right",
        Seen::Shape,
    ),
    (
        "layer-overlay",
        "/place/layer",
        "one of bottom, top",
        Seen::Shape,
    ),
    (
        "thickness-zero",
        "/place/thickness",
        "a number from 16 to 512",
        Seen::Shape,
    ),
    (
        "thickness-text",
        "/place/thickness",
        "a number from 16 to 512",
        Seen::Shape,
    ),
    (
        "place-misspelt",
        "/place/autohid",
        "did you mean `autohide`?",
        Seen::Shape,
    ),
    (
        "reveal-delay-part",
        "/place/revealDelay",
        "a whole number",
        Seen::Shape,
    ),
    (
        "outputs-empty",
        "/place/outputs",
        "a list of 1 to 32",
        Seen::Shape,
    ),
    (
        "override-outputs",
        "/place/overrides/DP-1/outputs",
        "unknown key",
        Seen::Shape,
    ),
    ("grid-on-a-panel", "/place/grid", "unknown key", Seen::Shape),
    (
        "no-root",
        "/components",
        "no component has the id `root`",
        Seen::Meaning,
    ),
    (
        "component-unknown",
        "/components/1/component",
        "did you mean `WindowList`?",
        Seen::Shape,
    ),
    (
        "widget-no-app",
        "/components/0/app",
        "`app` is missing",
        Seen::Shape,
    ),
    (
        "widget-app-path",
        "/components/0/app",
        "no app id",
        Seen::Meaning,
    ),
    (
        "widget-size",
        "/components/0/size",
        "expected one of s|m|l",
        Seen::Shape,
    ),
    (
        "widget-prop",
        "/components/0/sreen",
        "did you mean `screen`?",
        Seen::Shape,
    ),
    (
        "cell-on-a-panel",
        "/components/0/cell",
        "is for the desktop",
        Seen::Meaning,
    ),
    (
        "widget-nowhere",
        "/components/1",
        "needs `cell` or `at`",
        Seen::Meaning,
    ),
    (
        "widget-two-places",
        "/components/1/at",
        "keep one",
        Seen::Meaning,
    ),
    (
        "cell-part",
        "/components/1/cell",
        "two whole numbers, column and row (below zero from the last), not `[",
        Seen::Meaning,
    ),
    (
        "cell-text",
        "/components/1/cell",
        "two whole numbers",
        Seen::Shape,
    ),
    (
        "at-negative",
        "/components/1/at",
        "at least 0",
        Seen::Meaning,
    ),
    ("at-three", "/components/1/at", "two numbers", Seen::Meaning),
    (
        "window-sizes",
        "/place/size",
        "smaller than `minSize`",
        Seen::Meaning,
    ),
    (
        "window-min-over-max",
        "/place/minSize",
        "larger than `maxSize`",
        Seen::Meaning,
    ),
    ("window-size-one", "/place/size", "a list of 2", Seen::Shape),
    (
        "binding-records",
        "/bindings/0/source",
        "ede: sources only",
        Seen::Meaning,
    ),
    (
        "binding-unknown",
        "/bindings/0/source",
        "did you mean `windows`?",
        Seen::Meaning,
    ),
    (
        "picture-from-the-network",
        "/components/0/src",
        "no picture from the network",
        Seen::Meaning,
    ),
    (
        "expression-wrong",
        "/components/0/text/args/expr",
        "the expression is wrong at character",
        Seen::Meaning,
    ),
    ("session-in-place", "/place", "unknown key", Seen::Shape),
    (
        "session-missing",
        "/session",
        "`session` is missing",
        Seen::Shape,
    ),
    (
        "session-mode",
        "/session/mode",
        "did you mean `dark`?",
        Seen::Shape,
    ),
    (
        "session-locale",
        "/session/locale",
        "a language tag",
        Seen::Shape,
    ),
    (
        "session-font-scale",
        "/session/fontScale",
        "0.5 to 3",
        Seen::Shape,
    ),
    (
        "session-startup-command",
        "/session/startup/0",
        "a desktop entry id",
        Seen::Shape,
    ),
    (
        "wallpaper-address",
        "/session/wallpaper/path",
        "a file's path",
        Seen::Shape,
    ),
    (
        "wallpaper-literal-colour",
        "/session/wallpaper/color",
        "a colour token",
        Seen::Shape,
    ),
    (
        "wallpaper-kind",
        "/session/wallpaper/kind",
        "one of gradient, color, image",
        Seen::Shape,
    ),
];
