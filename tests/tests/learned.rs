//! The table of what others learned the hard way, held to the truth: the tests it names exist.
#![allow(clippy::unwrap_used, clippy::expect_used)]

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

/// Every Rust file below a folder.
fn sources(folder: &Path, found: &mut Vec<PathBuf>) {
    for entry in std::fs::read_dir(folder).unwrap().flatten() {
        let path = entry.path();
        if path.is_dir() {
            sources(&path, found);
        } else if path.extension().is_some_and(|extension| extension == "rs") {
            found.push(path);
        }
    }
}

/// The names of the functions that stand directly below a `#[test]`.
fn tests(source: &str) -> impl Iterator<Item = String> + '_ {
    source.split("#[test]").skip(1).filter_map(|after| {
        let (_, declared) = after.split_once("fn ")?;
        declared.split_once('(').map(|(name, _)| name.to_owned())
    })
}

#[test]
fn every_line_of_the_table_names_tests_that_exist_or_gives_a_reason() {
    let crate_folder = Path::new(env!("CARGO_MANIFEST_DIR"));
    let mut files = Vec::new();
    for part in ["shell", "renderer", "widgets", "tests"] {
        sources(&crate_folder.join("..").join(part), &mut files);
    }
    let known: BTreeSet<_> = files
        .iter()
        .flat_map(|file| tests(&std::fs::read_to_string(file).unwrap()).collect::<Vec<_>>())
        .collect();
    let table = std::fs::read_to_string(crate_folder.join("LEARNED.md")).unwrap();
    let rows: Vec<_> = table
        .lines()
        .filter(|line| line.starts_with("| ") && !line.starts_with("| kind"))
        .collect();
    assert!(rows.len() > 20);
    for row in rows {
        let held = row.trim_matches('|').rsplit('|').next().unwrap().trim();
        assert!(!held.is_empty(), "nothing holds {row}");
        for name in held.split('`').skip(1).step_by(2) {
            assert!(
                known.contains(name),
                "there is no test {name}, which should hold {row}"
            );
        }
    }
}
