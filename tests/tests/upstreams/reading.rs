//! What a server that keeps to the protocol is asked, and what comes of it.

use ede_engine::upstreams::{Outcome, Refusal, Servers, Unread};
use serde_json::json;

use super::{World, runs, wait_for};

fn refused(refusal: Refusal) -> Outcome {
    Outcome::Unread(Unread::Refused(refusal))
}

#[test]
fn a_tool_that_reads_is_called_with_its_arguments_over_pipes_and_over_http() {
    for mut world in [World::pipes("well"), World::http(None, "/mcp")] {
        // It is on the second page of the list of tools.
        let answer = world.read("upstream:bank/rates?day=7&name=Bob&more=%7B%22a%22:[1]%7D");
        let asked = json!({"day": 7, "name": "Bob", "more": {"a": [1]}});
        assert_eq!(
            answer,
            Outcome::Answered(json!({"eur": 1.25, "calls": 1, "asked": asked}))
        );
        assert_eq!(
            world.read("upstream:bank/json"),
            Outcome::Answered(json!({"from": "text"}))
        );
        assert_eq!(
            world.read("upstream:bank/words"),
            Outcome::Answered(json!("just words"))
        );
        assert_eq!(
            world.read("upstream:bank/fails"),
            Outcome::Unread(Unread::Failed)
        );
        assert_eq!(
            world.read("upstream:bank/none"),
            refused(Refusal::UnknownTool)
        );
        assert_eq!(world.times("initialize"), 1, "one connection for all");
        assert_eq!(
            world.times("GET"),
            0,
            "nothing is listened to beside the calls"
        );
    }
}

#[test]
fn what_was_answered_within_the_minute_is_not_asked_for_again_and_an_error_is() {
    let mut world = World::pipes("well");
    let first = world.read("upstream:bank/rates?a=1&b=2");
    let Outcome::Answered(value) = first else {
        panic!("{first:?}")
    };
    assert_eq!(
        world.read("upstream:bank/rates?b=2&a=1"),
        Outcome::Kept(value)
    );
    assert!(matches!(
        world.read("upstream:bank/rates?a=2"),
        Outcome::Answered(_)
    ));
    assert_eq!(world.times("tools/call rates"), 2);
    for n in 1..=3 {
        world.read("upstream:bank/fails");
        assert_eq!(world.times("tools/call fails"), n);
    }
}

#[test]
fn who_reads_the_same_at_once_waits_for_the_same_call() {
    let mut world = World::pipes("well");
    let all: Vec<_> = (0..20)
        .map(|_| world.begin("upstream:bank/rates", false))
        .collect();
    let answers: Vec<Outcome> = all
        .iter()
        .map(|a| a.recv_timeout(super::PATIENCE).unwrap())
        .collect();
    let made = answers.iter().filter(|a| matches!(a, Outcome::Answered(_)));
    assert_eq!(made.count(), 1, "one of them made it");
    assert!(answers.iter().all(|a| !matches!(a, Outcome::Unread(_))));
    assert_eq!((world.times("tools/call"), world.times("started")), (1, 1));
}

#[test]
fn a_tool_that_may_change_something_is_never_called() {
    for mut world in [World::pipes("well"), World::http(None, "/mcp")] {
        for tool in ["pay", "wipe", "wipe2"] {
            for vouched in [false, true] {
                let source = format!("upstream:bank/{tool}");
                let answer = world.begin(&source, vouched).recv_timeout(super::PATIENCE);
                assert_eq!(answer.unwrap(), refused(Refusal::NotReadOnly), "{tool}");
            }
        }
        assert_eq!(
            world.read("upstream:bank/unsaid"),
            refused(Refusal::NotReadOnly)
        );
        assert_eq!(world.times("tools/call"), 0);
        let vouched = world
            .begin("upstream:bank/unsaid", true)
            .recv_timeout(super::PATIENCE);
        assert_eq!(vouched.unwrap(), Outcome::Answered(json!("just words")));
        // What the one may read, the other still may not.
        assert_eq!(
            world.read("upstream:bank/unsaid"),
            refused(Refusal::NotReadOnly)
        );
    }
}

#[test]
fn a_tool_is_looked_at_before_every_call() {
    let mut world = World::pipes("well");
    assert!(matches!(
        world.read("upstream:bank/turns?n=1"),
        Outcome::Answered(_)
    ));
    assert_eq!(
        world.read("upstream:bank/turns?n=2"),
        refused(Refusal::NotReadOnly)
    );
    assert!(matches!(
        world.read("upstream:bank/turns?n=3"),
        Outcome::Answered(_)
    ));
    assert_eq!(world.times("tools/call turns"), 2);
}

#[test]
fn a_program_sees_four_names_of_our_environment() {
    let mut world = World::pipes("well");
    let answer = world.read("upstream:bank/surroundings");
    let Outcome::Answered(value) = answer else {
        panic!("{answer:?}")
    };
    let names = value["environment"].as_array().unwrap();
    let known = ["HOME", "LANG", "PATH", "XDG_RUNTIME_DIR"];
    assert!(
        names.iter().all(|n| known.contains(&n.as_str().unwrap())),
        "{names:?}"
    );
}

#[test]
fn a_program_ends_with_the_hub_and_with_all_it_started() {
    let mut world = World::pipes("well");
    let answer = world.read("upstream:bank/family");
    let Outcome::Answered(value) = answer else {
        panic!("{answer:?}")
    };
    let [own, child] = ["own", "child"].map(|who| value[who].as_u64().unwrap());
    assert!(runs(own) && runs(child));
    world.hub = Default::default();
    wait_for("the end of both", || {
        (!runs(own) && !runs(child)).then_some(())
    });
}

#[test]
fn a_server_that_is_taken_from_the_list_is_closed_and_its_answers_forgotten() {
    let mut world = World::pipes("well");
    let answer = world.read("upstream:bank/family");
    let Outcome::Answered(value) = answer else {
        panic!("{answer:?}")
    };
    let servers = world.hub.servers().clone();
    world.hub.set_servers(Servers::default());
    assert_eq!(
        world.read("upstream:bank/family"),
        refused(Refusal::NoServer)
    );
    let own = value["own"].as_u64().unwrap();
    wait_for("its end", || (!runs(own)).then_some(()));
    world.hub.set_servers(servers);
    assert!(matches!(
        world.read("upstream:bank/family"),
        Outcome::Answered(_)
    ));
    assert_eq!(world.times("started"), 2);
}

#[test]
fn who_reads_from_a_successor_does_not_wait_for_what_its_forerunner_says() {
    let (mut world, successor) = (World::pipes("mute"), World::pipes("well"));
    let _waits = world.begin("upstream:bank/words", false);
    wait_for("the first server", || {
        (world.times("started") == 1).then_some(())
    });
    world.hub.set_servers(successor.hub.servers().clone());
    let words = json!("just words");
    let answer = world.read("upstream:bank/words");
    assert_eq!(answer, Outcome::Answered(words.clone()));
    assert_eq!(world.read("upstream:bank/words"), Outcome::Kept(words));
    assert_eq!(successor.times("tools/call words"), 1);
}

#[test]
fn a_token_is_for_the_address_it_was_given_for() {
    let mut wants = World::http(Some("secret"), "/mcp");
    assert_eq!(
        wants.read("upstream:bank/rates"),
        Outcome::Unread(Unread::Unauthorized)
    );
    let mut moved = World::http(None, "/moved");
    let read = moved.read("upstream:bank/rates");
    assert!(matches!(read, Outcome::Unread(_)), "{read:?}");
    assert_eq!(moved.times("elsewhere"), 0, "no redirect is followed");
}
