//! What a server is asked to do: once, with what it says of its tools looked at first.

use std::sync::mpsc;

use ede_engine::upstreams::{Errand, Outcome, Refusal, ServerTool, Unread};
use serde_json::{Value, json};

use super::{PATIENCE, World};

impl World {
    fn call(&mut self, tool: &str, arguments: Value) -> Outcome {
        let errand = Errand {
            to: ServerTool::parse(&format!("bank/{tool}")).unwrap(),
            arguments: arguments.as_object().unwrap().clone(),
            only_reads: false,
        };
        let (told, hears) = mpsc::channel();
        let then = Box::new(move |outcome| drop(told.send(outcome)));
        self.hub.call(errand, then);
        hears.recv_timeout(PATIENCE).unwrap()
    }
}

#[test]
fn a_tool_is_called_each_time_and_what_was_read_before_is_read_again() {
    for mut world in [World::pipes("well"), World::http(None, "/mcp")] {
        world.read("upstream:bank/rates");
        for _ in 0..2 {
            let done = world.call("pay", json!({"sum": 3}));
            assert_eq!(done, Outcome::Answered(json!("just words")));
        }
        assert_eq!(world.times(r#"tools/call pay {"sum":3}"#), 2);
        assert!(matches!(
            world.read("upstream:bank/rates"),
            Outcome::Answered(_)
        ));
        assert_eq!(world.times("tools/call rates"), 2);
        assert_eq!(world.times("initialize"), 1, "one connection for all");
    }
}

#[test]
fn what_says_that_it_destroys_or_is_not_there_is_not_called() {
    let mut world = World::pipes("well");
    for (tool, refusal) in [
        ("wipe", Refusal::Destructive),
        ("wipe2", Refusal::Destructive),
        ("none", Refusal::UnknownTool),
    ] {
        let refused = Outcome::Unread(Unread::Refused(refusal));
        assert_eq!(world.call(tool, json!({})), refused, "{tool}");
    }
    assert_eq!(world.times("tools/call"), 0);
    // What says nothing of itself is the person's to allow.
    assert_eq!(
        world.call("unsaid", json!({})),
        Outcome::Answered(json!("just words"))
    );
}

#[test]
fn what_came_to_nothing_is_not_tried_again() {
    let mut world = World::pipes("well");
    assert_eq!(
        world.call("fails", json!({})),
        Outcome::Unread(Unread::Failed)
    );
    assert_eq!(
        world.call("ends", json!({})),
        Outcome::Unread(Unread::Unreachable)
    );
    assert_eq!(
        (
            world.times("tools/call fails"),
            world.times("tools/call ends")
        ),
        (1, 1)
    );
}
