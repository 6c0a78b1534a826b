//! The fuzz targets on every toolchain: their seeds and every case that once failed are replayed, and broken at random.
#![allow(clippy::unwrap_used, clippy::expect_used)]

#[path = "../../../fuzz/targets.rs"]
mod targets;

use std::path::{Path, PathBuf};

use proptest::prelude::*;
use proptest::sample::Index;
use proptest::test_runner::{Config, TestRunner};

/// One change to some bytes.
#[derive(Debug, Clone)]
enum Change {
    Set(Index, u8),
    Insert(Index, Vec<u8>),
    Cut(Index, Index),
    /// A part of it once more, elsewhere.
    Copy(Index, Index, Index),
    End(Index),
}

/// What is more likely to matter than any bytes.
const WORDS: [&str; 20] = [
    "{",
    "}",
    "[",
    "]",
    "\"",
    ",",
    ":",
    "null",
    "true",
    "-0.0",
    "1e999",
    "9007199254740993",
    "\\u0000",
    "\u{202e}",
    "%00",
    "&",
    "=",
    "${",
    "\n",
    ";",
];

fn change() -> impl Strategy<Value = Change> {
    let word = prop::sample::select(&WORDS[..]).prop_map(|w| w.as_bytes().to_vec());
    let bytes = prop::collection::vec(any::<u8>(), 1..8);
    prop_oneof![
        (any::<Index>(), any::<u8>()).prop_map(|(at, b)| Change::Set(at, b)),
        (any::<Index>(), prop_oneof![word, bytes]).prop_map(|(at, b)| Change::Insert(at, b)),
        (any::<Index>(), any::<Index>()).prop_map(|(a, b)| Change::Cut(a, b)),
        (any::<Index>(), any::<Index>(), any::<Index>())
            .prop_map(|(a, b, c)| Change::Copy(a, b, c)),
        any::<Index>().prop_map(Change::End),
    ]
}

fn apply(bytes: &mut Vec<u8>, change: &Change) {
    // Also behind the last one.
    let at = |index: &Index, bytes: &[u8]| index.index(bytes.len() + 1);
    let range = |a: &Index, b: &Index, bytes: &[u8]| {
        let (a, b) = (at(a, bytes), at(b, bytes));
        a.min(b)..a.max(b)
    };
    match change {
        Change::Set(index, byte) => {
            let n = at(index, bytes);
            if let Some(there) = bytes.get_mut(n) {
                *there = *byte;
            }
        }
        Change::Insert(index, new) => {
            let n = at(index, bytes);
            bytes.splice(n..n, new.iter().copied());
        }
        Change::Cut(a, b) => drop(bytes.drain(range(a, b, bytes))),
        Change::Copy(a, b, to) => {
            let (part, n) = (bytes[range(a, b, bytes)].to_vec(), at(to, bytes));
            bytes.splice(n..n, part);
        }
        Change::End(index) => bytes.truncate(at(index, bytes)),
    }
}

/// The seeds of a target.
fn seeds(name: &str) -> Vec<(PathBuf, Vec<u8>)> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR"))
        .join("../../fuzz/seeds")
        .join(name);
    let entries =
        std::fs::read_dir(&folder).unwrap_or_else(|e| panic!("{}: {e}", folder.display()));
    let mut files: Vec<PathBuf> = entries.map(|e| e.unwrap().path()).collect();
    files.sort();
    assert!(!files.is_empty(), "{name} has no seeds");
    files
        .into_iter()
        .map(|f| (f.clone(), std::fs::read(f).unwrap()))
        .collect()
}

fn fuzz(name: &str) {
    let seeds = seeds(name);
    for (file, bytes) in &seeds {
        println!("{}", file.display());
        targets::run(name, bytes);
    }
    let bytes: Vec<Vec<u8>> = seeds.into_iter().map(|(_, bytes)| bytes).collect();
    let broken = (
        prop::sample::select(bytes),
        prop::collection::vec(change(), 1..6),
    );
    let broken = broken.prop_map(|(mut bytes, changes)| {
        changes.iter().for_each(|c| apply(&mut bytes, c));
        bytes
    });
    // What fails is kept as a seed, by hand: it says more there than as a number.
    let config = Config {
        failure_persistence: None,
        ..Config::default()
    };
    let ran = TestRunner::new(config).run(&broken, |bytes| {
        targets::run(name, &bytes);
        Ok(())
    });
    if let Err(proptest::test_runner::TestError::Fail(why, bytes)) = ran {
        panic!(
            "{name}: {why}; keep this in fuzz/seeds/{name}: {:?}",
            String::from_utf8_lossy(&bytes)
        );
    }
}

macro_rules! targets {
    ($($name:ident),*) => {
        $(#[test] fn $name() { fuzz(stringify!($name)); })*

        #[test]
        fn every_target_is_tested_here_and_by_libfuzzer() {
            let all: Vec<&str> = targets::ALL.iter().map(|(name, _)| *name).collect();
            assert_eq!(all, [$(stringify!($name)),*]);
            let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../fuzz/fuzz_targets");
            for name in all {
                let file = folder.join(format!("{name}.rs"));
                assert!(std::fs::read_to_string(file).unwrap().contains(&format!("targets::run(\"{name}\"")));
            }
        }
    };
}

targets!(
    arguments,
    csv,
    expression,
    file,
    image,
    interaction,
    native,
    package,
    pdf,
    query,
    upstream
);
