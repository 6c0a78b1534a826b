//! What the shell ships keeps its own rules: bundled packages, default documents, themes.
#![allow(clippy::unwrap_used, clippy::expect_used)]

mod common;

use std::path::PathBuf;

use ede_engine::check::{Context, FileKind, check};
use ede_engine::schema::formats::Format;

#[test]
fn everything_the_shell_ships_is_good_and_keeps_its_schema() {
    let root = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../..");
    let mut seen = 0;
    for (folder, kind, format) in [
        ("assets/apps", FileKind::Package, Format::Package),
        ("assets/ui", FileKind::Document, Format::Document),
        ("themes", FileKind::Theme, Format::Theme),
    ] {
        let schema = common::Schema::new(format);
        let mut files: Vec<PathBuf> = std::fs::read_dir(root.join(folder))
            .unwrap()
            .map(|e| e.unwrap().path())
            .filter(|p| p.extension().is_some_and(|e| e == "json"))
            .collect();
        files.sort();
        for path in files {
            let (name, bytes) = (path.display().to_string(), std::fs::read(&path).unwrap());
            let report = check(&name, &bytes, Context::default());
            assert_eq!(report.kind, kind, "{name}");
            assert_eq!(common::said(&report.issues), [""; 0], "{name}");
            assert_eq!(schema.refusals(&bytes), [""; 0], "{name}");
            seen += 1;
        }
    }
    assert!(seen >= 9, "{seen} files");
}
