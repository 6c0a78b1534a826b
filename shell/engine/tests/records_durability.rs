//! A `kill -9` at any moment loses no acknowledged write and leaves no half of one. The child is this test binary itself, told by
//! an environment variable to write and to say after every commit which one it was.
#![allow(clippy::unwrap_used, clippy::expect_used)]

mod support;

use std::io::{BufRead, BufReader, Write as _};
use std::path::Path;
use std::process::{Child, Command, Stdio};

use ede_engine::records::{Store, StoreOptions};
use serde_json::json;
use support::*;

const CHILD: &str = "EDE_TEST_WRITES_TO";

/// Not a test of its own: what the child does when it is started by the tests below.
#[test]
fn child_writes_until_it_is_killed() {
    let Ok(path) = std::env::var(CHILD) else {
        return;
    };
    let prefix = std::process::id();
    let store = Store::start(StoreOptions {
        patience: std::time::Duration::from_secs(30),
        ..options(Path::new(&path))
    })
    .unwrap();
    let mut out = std::io::stdout();
    for n in 0.. {
        let half = |name: &str| {
            put(
                "entry",
                json!({"id": format!("{prefix}-{n}-{name}"), "data": {"hours": n}}),
            )
        };
        store
            .commit(batch(vec![half("a"), half("b")]))
            .wait()
            .unwrap();
        writeln!(out, "acknowledged {prefix}-{n}").unwrap();
        out.flush().unwrap();
    }
}

fn start(path: &Path) -> Child {
    Command::new(std::env::current_exe().unwrap())
        .args(["--exact", "child_writes_until_it_is_killed", "--nocapture"])
        .env(CHILD, path)
        .stdout(Stdio::piped())
        .stderr(Stdio::null())
        .spawn()
        .unwrap()
}

/// Read acknowledgements until there are `count`, kill the child there, and take what was still in the pipe.
fn kill_after(mut child: Child, count: usize) -> Vec<String> {
    let mut lines = BufReader::new(child.stdout.take().unwrap())
        .lines()
        .map_while(Result::ok)
        .filter_map(|line| Some(line.split_once("acknowledged ")?.1.to_owned()));
    let mut acknowledged: Vec<String> = lines.by_ref().take(count).collect();
    child.kill().unwrap();
    acknowledged.extend(lines);
    child.wait().unwrap();
    acknowledged
}

fn assert_kept(path: &Path, acknowledged: &[String]) {
    let store = store(path);
    let found: std::collections::BTreeSet<String> = store
        .list(app(), None)
        .wait()
        .unwrap()
        .into_iter()
        .map(|r| r.id.to_string())
        .collect();
    for write in acknowledged {
        assert!(
            found.contains(&format!("{write}-a")),
            "acknowledged {write} is lost"
        );
    }
    for id in &found {
        let other = if let Some(write) = id.strip_suffix("-a") {
            format!("{write}-b")
        } else {
            format!("{}-a", id.strip_suffix("-b").unwrap())
        };
        assert!(
            found.contains(&other),
            "half of a write is there: {id} without {other}"
        );
    }
}

fn kill_rounds(rounds: u32) {
    let dir = tempfile::tempdir().unwrap();
    let path = dir.path().join("records.db");
    let mut acknowledged = Vec::new();
    for round in 0..rounds {
        // Spread over none to a dozen commits, so that kills fall before, in and after the first ones.
        let count = usize::try_from(round * 7 % 12).unwrap();
        acknowledged.extend(kill_after(start(&path), count));
        assert_kept(&path, &acknowledged);
    }
    assert!(!acknowledged.is_empty());
}

#[test]
fn five_hundred_kills_lose_no_acknowledged_write() {
    kill_rounds(500);
}

#[test]
fn two_processes_killed_while_writing_together_lose_nothing_of_either() {
    let dir = tempfile::tempdir().unwrap();
    let path = dir.path().join("records.db");
    let (one, two) = (start(&path), start(&path));
    let mut acknowledged = kill_after(one, 8);
    acknowledged.extend(kill_after(two, 8));
    assert!(acknowledged.len() >= 16);
    assert_kept(&path, &acknowledged);
}
