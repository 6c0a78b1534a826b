//! Every contract case, through the code of `ede contract`: our own under `fixtures/contract`, and those of a folder that the variable
//! `CONTRACT_CASES` names.
#![allow(clippy::unwrap_used, clippy::expect_used)]

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

use ede_engine::contract::{kinds, replay};

fn files(folder: &Path) -> Vec<PathBuf> {
    let entries = std::fs::read_dir(folder).unwrap();
    let mut files: Vec<PathBuf> = entries.map(|e| e.unwrap().path()).collect();
    files.retain(|f| f.extension().is_some_and(|e| e == "json"));
    files.sort();
    files
}

/// Replays the files; answers the kinds of case that were in them.
fn pass(files: &[PathBuf]) -> BTreeSet<&'static str> {
    assert!(!files.is_empty());
    let mut seen = BTreeSet::new();
    let mut failed = Vec::new();
    for file in files {
        let all = replay(&std::fs::read(file).unwrap());
        for cases in all.unwrap_or_else(|e| panic!("{}: {e}", file.display())) {
            seen.extend((!cases.replayed.is_empty()).then_some(cases.kind));
            let wrong = cases.replayed.into_iter().filter(|case| !case.passed());
            failed.extend(wrong.map(|case| (file.clone(), cases.kind, case)));
        }
    }
    assert!(failed.is_empty(), "{failed:#?}");
    seen
}

#[test]
fn our_own_cases_pass_and_there_is_one_of_every_kind() {
    let ours = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../fixtures/contract");
    let seen = pass(&files(&ours));
    assert_eq!(seen, kinds().collect());
}

#[test]
fn the_cases_of_the_contract_pass_where_they_are_at_hand() {
    let Some(folder) = std::env::var_os("CONTRACT_CASES") else {
        println!("skipped: CONTRACT_CASES names no folder of cases");
        return;
    };
    pass(&files(Path::new(&folder)));
}
