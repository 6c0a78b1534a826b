//! Servers that do not keep to anything: each comes to a refusal in time and in bounds, and does not take others with it.

use std::time::Instant;

use ede_engine::upstreams::{Outcome, Server, Unread};

use super::{PATIENCE, World};

fn unread(answer: Outcome) -> Unread {
    match answer {
        Outcome::Unread(unread) => unread,
        other => panic!("{other:?}"),
    }
}

/// Its connection is a new one, after a pause.
fn answers_again(world: &mut World) {
    let mut n = 0;
    super::wait_for("an answer again", || {
        n += 1;
        let answer = world.read(&format!("upstream:bank/rates?time={n}"));
        matches!(answer, Outcome::Answered(_)).then_some(())
    });
}

#[test]
fn what_is_too_large_is_not_listened_to() {
    for mut world in [World::pipes("well"), World::http(None, "/mcp")] {
        for tool in ["huge", "flood", "many"] {
            let answer = world.read(&format!("upstream:bank/{tool}"));
            assert_eq!(unread(answer), Unread::TooLarge, "{tool}");
            answers_again(&mut world);
        }
    }
}

#[test]
fn a_server_that_talks_without_end_is_closed() {
    for manner in ["endless", "chatter"] {
        let mut world = World::pipes(manner);
        let answer = unread(world.read("upstream:bank/words"));
        assert!(
            matches!(answer, Unread::TooLarge | Unread::Unreachable),
            "{manner}: {answer:?}"
        );
    }
}

#[test]
fn a_server_that_says_nothing_is_given_up_in_time() {
    let mut world = World::pipes("mute");
    let other = World::pipes("well");
    let start = Instant::now();
    let never = world.begin("upstream:bank/words", false);
    let mut other = other;
    assert!(matches!(
        other.read("upstream:bank/words"),
        Outcome::Answered(_)
    ));
    assert_eq!(
        unread(never.recv_timeout(PATIENCE).unwrap()),
        Unread::Timeout
    );
    assert!(
        start.elapsed() >= ede::upstreams::PATIENCE,
        "it had its time"
    );
    // It is not tried again before the pause is over: the next one hears at once.
    assert_eq!(
        unread(world.read("upstream:bank/words")),
        Unread::Unreachable
    );
    assert_eq!(world.times("started"), 1);
}

#[test]
fn a_tool_that_says_nothing_is_given_up_and_its_server_with_it() {
    let mut world = World::pipes("well");
    assert!(matches!(
        world.read("upstream:bank/words"),
        Outcome::Answered(_)
    ));
    assert_eq!(unread(world.read("upstream:bank/silent")), Unread::Timeout);
}

#[test]
fn rubbish_and_strange_answers_are_no_answers() {
    let mut over_http = World::http(None, "/mcp");
    assert!(matches!(
        over_http.read("upstream:bank/rubbish"),
        Outcome::Unread(_)
    ));
    for mut world in [World::pipes("well"), over_http] {
        assert_eq!(
            unread(world.read("upstream:bank/strange")),
            Unread::RpcError
        );
    }
}

#[test]
fn a_server_that_ends_is_started_again_and_one_that_never_starts_waits_longer_each_time() {
    let mut world = World::pipes("well");
    assert!(matches!(
        world.read("upstream:bank/words"),
        Outcome::Answered(_)
    ));
    assert_eq!(
        unread(world.read("upstream:bank/ends")),
        Unread::Unreachable
    );
    answers_again(&mut world);
    assert_eq!(world.times("started"), 2);

    let mut crashes = World::pipes("crash");
    for _ in 0..50 {
        assert_eq!(
            unread(crashes.read("upstream:bank/words")),
            Unread::Unreachable
        );
    }
    let mut nowhere = World::of(
        tempfile::tempdir().unwrap(),
        Server::command(vec!["/nonexistent/server".into()]).unwrap(),
        None,
    );
    assert_eq!(
        unread(nowhere.read("upstream:bank/words")),
        Unread::Unreachable
    );
}
