//! Every package in `fixtures/packages`: the good ones have nothing wrong, each bad one has exactly what it is there for.
#![allow(clippy::unwrap_used, clippy::expect_used)]

use std::path::PathBuf;

use ede_engine::package::Package;

fn fixtures(folder: &str) -> Vec<PathBuf> {
    let root = PathBuf::from(env!("CARGO_MANIFEST_DIR"))
        .join("../../fixtures/packages")
        .join(folder);
    let mut files: Vec<PathBuf> = std::fs::read_dir(root)
        .unwrap()
        .map(|e| e.unwrap().path())
        .collect();
    files.sort();
    files
}

#[test]
fn every_good_package_is_good() {
    for path in fixtures("good") {
        let parsed = Package::read(&std::fs::read(&path).unwrap());
        let issues: Vec<String> = parsed
            .issues
            .iter()
            .map(|i| format!("{} {}", i.pointer, i.message))
            .collect();
        assert!(issues.is_empty(), "{}: {issues:#?}", path.display());
        assert!(parsed.package.is_some());
    }
}
