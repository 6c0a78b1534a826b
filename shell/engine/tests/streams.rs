//! Every stream in `fixtures/streams`; and the public ones, where this machine has them (`EDE_A2UI_STREAMS` names their folder).
#![allow(clippy::unwrap_used, clippy::expect_used)]

mod common;

use common::{Fault, Seen, folder};
use ede_engine::check::{Context, FileKind, check};
use ede_engine::stream::Stream;
use eui_core::surface::Surface;

/// The surface eui-core makes of a stream's messages: every one of them is taken.
fn surface(stream: &Stream, id: &str) -> Surface {
    let found = stream.surface(Some(id)).unwrap();
    let mut surface = Surface::new(id, Default::default());
    for message in &found.messages {
        surface
            .apply(message)
            .unwrap_or_else(|e| panic!("{id}: {e}: {message}"));
    }
    surface
}

#[test]
fn every_good_stream_is_good_and_eui_core_takes_it() {
    for (name, bytes) in folder("streams/good") {
        let parsed = Stream::read(&bytes);
        assert_eq!(common::said(&parsed.issues), [""; 0], "{name}");
        let stream = parsed.stream.unwrap();
        for made in stream.surfaces() {
            let mut surface = surface(&stream, &made.id);
            assert_eq!(surface.issues(), [], "{name}");
            assert!(surface.root().is_some(), "{name}");
        }
    }
}

#[test]
fn every_bad_stream_says_what_is_wrong_and_where() {
    let mut wrong = Vec::new();
    let files = folder("streams/bad");
    for (name, pointer, words, _) in BAD {
        let (_, bytes) = files
            .iter()
            .find(|(n, _)| n == name)
            .unwrap_or_else(|| panic!("{name}: no file"));
        let report = check(&format!("{name}.jsonl"), bytes, Context::default());
        assert_eq!(report.kind, FileKind::Stream, "{name}");
        if !report
            .issues
            .iter()
            .any(|i| i.pointer == *pointer && i.message.contains(words))
        {
            wrong.push(format!(
                "{name}: wanted {pointer} {words:?}, got {:#?}",
                common::said(&report.issues)
            ));
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
    assert!(
        files
            .iter()
            .all(|(name, _)| BAD.iter().any(|f| f.0 == name)),
        "every file has its line"
    );
}

#[test]
fn the_public_streams_make_surfaces_and_their_faults_are_known() {
    let Some(folder) = std::env::var_os("EDE_A2UI_STREAMS") else {
        return;
    };
    let mut files: Vec<_> = std::fs::read_dir(folder)
        .unwrap()
        .map(|e| e.unwrap().path())
        .collect();
    files.sort();
    assert!(!files.is_empty());
    for path in files {
        let parsed = Stream::read(&std::fs::read(&path).unwrap());
        let stream = parsed
            .stream
            .unwrap_or_else(|| panic!("{}: {:?}", path.display(), parsed.issues));
        for made in stream.surfaces() {
            surface(&stream, &made.id)
                .root()
                .unwrap_or_else(|| panic!("{}: no root", path.display()));
        }
        for issue in common::said(&parsed.issues) {
            println!("{}: {issue}", path.file_name().unwrap().to_string_lossy());
        }
    }
}

const BAD: &[Fault] = &[
    (
        "component-unknown",
        "/1/updateComponents/components/0/component",
        "did you mean `Column`?",
        Seen::Meaning,
    ),
    (
        "catalog-unknown",
        "/0/createSurface/catalogId",
        "has no catalog",
        Seen::Meaning,
    ),
    (
        "version-unknown",
        "/0/version",
        "this host reads v0.9",
        Seen::Meaning,
    ),
    (
        "message-unknown",
        "/3/updateComponent",
        "did you mean `updateComponents`?",
        Seen::Meaning,
    ),
    ("message-two-in-one", "/0", "exactly one of", Seen::Meaning),
    (
        "message-text",
        "/0",
        "a message is an object",
        Seen::Meaning,
    ),
    (
        "surface-unknown",
        "/3/updateDataModel/surfaceId",
        "no surface `t`",
        Seen::Meaning,
    ),
    (
        "surface-missing",
        "/0/createSurface/surfaceId",
        "`surfaceId` is missing",
        Seen::Meaning,
    ),
    (
        "components-missing",
        "/1/updateComponents/components",
        "`components` is missing",
        Seen::Meaning,
    ),
    (
        "style-text",
        "/1/updateComponents/components/0/style",
        "must be an object",
        Seen::Meaning,
    ),
    (
        "old-version",
        "/0/surfaceUpdate",
        "A2UI v0.8",
        Seen::Meaning,
    ),
    ("empty", "", "no messages", Seen::Meaning),
    (
        "child-missing",
        "/1/updateComponents/components/0/children/0",
        "no component has the id `x`",
        Seen::Meaning,
    ),
    ("line-broken", "/1", "not a JSON value", Seen::Meaning),
];
