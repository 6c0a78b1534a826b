//! What a server says, broken at random at the level of its lines: whatever comes over the pipe ends in an answer or a refusal, and the hub
//! goes on to serve others.

#[path = "../../../fuzz/broken.rs"]
mod broken;

use ede_engine::upstreams::Outcome;
use proptest::test_runner::{Config, TestError, TestRunner};
use serde_json::{Value, json};

use super::World;

/// The lines of a server that answers a reading of `rates`: to each request, and to the notification in between, one.
fn conversation(result: Value) -> Vec<u8> {
    let said = |id: u64, result: Value| json!({"jsonrpc": "2.0", "id": id, "result": result});
    let hello = json!({"protocolVersion": "2025-06-18", "capabilities": {"tools": {}}, "serverInfo": {"name": "test", "version": "1"}});
    let news = json!({"jsonrpc": "2.0", "method": "notifications/tools/list_changed"});
    let tool = json!({"name": "rates", "inputSchema": {"type": "object"}, "annotations": {"readOnlyHint": true}});
    let lines = [
        said(0, hello),
        news,
        said(1, json!({"tools": [tool]})),
        said(2, result),
    ];
    lines
        .iter()
        .flat_map(|line| format!("{line}\n").into_bytes())
        .collect()
}

/// Read of a server that says `bytes`.
fn read(bytes: &[u8]) -> Outcome {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("says");
    std::fs::write(&file, bytes).unwrap();
    let mut world = World::program(folder, &["replay", file.to_str().unwrap()]);
    world.read("upstream:bank/rates")
}

fn good() -> Vec<Vec<u8>> {
    let structured = json!({"content": [], "structuredContent": {"eur": 1.25}});
    let text = json!({"content": [{"type": "text", "text": "{\"eur\": 1.25}"}]});
    let failed = json!({"content": [{"type": "text", "text": "no"}], "isError": true});
    [structured, text, failed].map(conversation).to_vec()
}

#[test]
fn lines_that_are_broken_end_in_an_answer_or_a_refusal() {
    // Unbroken they are a conversation: what is broken is not refused at its first line.
    assert_eq!(read(&good()[0]), Outcome::Answered(json!({"eur": 1.25})));
    let config = Config::default();
    // Each is a program of its own: fewer of them than of other cases.
    let config = Config {
        cases: (config.cases / 10).max(24),
        failure_persistence: None,
        ..config
    };
    let ran = TestRunner::new(config).run(&broken::one_of(good()), |bytes| {
        let outcome = read(&bytes);
        assert!(!matches!(outcome, Outcome::Kept(_)), "{outcome:?}");
        Ok(())
    });
    if let Err(TestError::Fail(why, bytes)) = ran {
        panic!("{why}: {:?}", String::from_utf8_lossy(&bytes));
    }
}
