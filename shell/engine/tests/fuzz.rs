//! The fuzz targets on every toolchain: their seeds and every case that once failed are replayed, and broken at random.
#![allow(clippy::unwrap_used, clippy::expect_used)]

#[path = "../../../fuzz/broken.rs"]
mod broken;
#[path = "../../../fuzz/targets.rs"]
mod targets;

use std::path::{Path, PathBuf};

use proptest::test_runner::{Config, TestRunner};

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
    // What fails is kept as a seed, by hand: it says more there than as a number.
    let config = Config {
        failure_persistence: None,
        ..Config::default()
    };
    let ran = TestRunner::new(config).run(&broken::one_of(bytes), |bytes| {
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
    offered,
    package,
    pdf,
    query,
    upstream
);
