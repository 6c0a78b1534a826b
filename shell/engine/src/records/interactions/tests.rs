//! What waits is kept over restarts, comes to one end, and there is room for so many.
#![allow(clippy::unwrap_used)]

use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::{AtomicI64, Ordering};

use jiff::Zoned;
use jiff::tz::TimeZone;
use serde_json::{Value, json};

use super::*;
use crate::clock::Clock;
use crate::interactions::AppSessions;
use crate::interactions::brake::{BURST, EACH};
use crate::records::StoreOptions;

/// A clock that is set by hand, in seconds after the start.
#[derive(Default)]
struct Hand(AtomicI64);

impl Clock for Hand {
    fn now(&self) -> Zoned {
        let second = 1_796_040_000 + self.0.load(Ordering::Relaxed);
        let now = Timestamp::from_second(second).unwrap();
        now.to_zoned(TimeZone::UTC)
    }
}

struct NoSessions;

impl AppSessions for NoSessions {
    fn is_of(&self, _: &AppSessionId, _: &Caller) -> bool {
        false
    }
}

struct World {
    clock: Arc<Hand>,
    path: PathBuf,
    store: Store,
    _dir: tempfile::TempDir,
}

impl World {
    fn new() -> World {
        let dir = tempfile::tempdir().unwrap();
        let path = dir.path().join("records.db");
        let clock = Arc::new(Hand::default());
        World {
            store: store(&path, &clock),
            clock,
            path,
            _dir: dir,
        }
    }

    fn restart(&mut self) {
        self.store = store(&self.path, &self.clock);
    }

    fn set(&self, second: i64) {
        self.clock.0.store(second, Ordering::Relaxed);
    }

    fn try_ask(&self, agent: &str, tool: &str, given: Value) -> Result<Interaction, NotAsked> {
        let Call::Ask(request, None) = Call::read(tool, &given).unwrap() else {
            panic!("{given}");
        };
        let wanted = Wanted::new(caller(agent, "c"), request, None, &NoSessions).unwrap();
        self.store.ask_person(wanted).wait().unwrap()
    }

    fn confirm(&self, agent: &str, waits: i64) -> Interaction {
        let given = json!({"title": format!("{agent} {waits}"), "expiresIn": waits});
        self.try_ask(agent, "confirm", given).unwrap()
    }

    fn settle(&self, one: &Interaction, event: Event) -> Settled {
        self.store
            .settle(one.id.clone(), event)
            .wait()
            .unwrap()
            .unwrap()
    }

    fn waiting(&self) -> Vec<Interaction> {
        self.store.waiting_interactions().wait().unwrap()
    }
}

fn store(path: &Path, clock: &Arc<Hand>) -> Store {
    Store::start(StoreOptions::new(path, clock.clone())).unwrap()
}

fn caller(agent: &str, conversation: &str) -> Caller {
    Caller {
        agent: AgentId::parse(agent).unwrap(),
        conversation: ConversationId::parse(conversation).unwrap(),
    }
}

fn yes() -> Event {
    Event::Answer(json!({"approved": true}))
}

#[test]
fn after_a_restart_what_is_over_has_expired_and_what_is_not_waits_on() {
    let mut world = World::new();
    assert_eq!(world.waiting(), []);
    assert!(!world.path.exists(), "asking for it makes no database");
    let (short, long) = (world.confirm("a", 60), world.confirm("a", 120));
    let told = json!({"title": "T", "message": "M"});
    let notice = world.try_ask("b", "notice", told).unwrap();
    let seen = world.settle(&long, Event::Present).interaction;
    assert_eq!(seen.state, State::Presented);
    world.restart();
    world.set(60);
    assert_eq!(world.waiting(), [seen.clone(), notice]);
    let found = |one: &Interaction| {
        let (caller, id) = (one.caller.clone(), one.id.clone());
        world.store.interaction(caller, id).wait().unwrap().unwrap()
    };
    assert_eq!(found(&short).state, State::Expired);
    assert_eq!(found(&short).updated_at, kept((1_796_040_000 + 60) * 1000));
    let answered = world.settle(&seen, yes());
    assert_eq!(answered.outcome, Ok(()));
    assert_eq!(found(&long), answered.interaction);
    assert_eq!(found(&long).answer, Some(Answer::Approved(true)));
}

#[test]
fn the_first_end_wins_and_whoever_comes_later_gets_the_record() {
    let world = World::new();
    let one = world.confirm("a", 60);
    let odd = world.settle(&one, Event::Answer(json!({"text": "x"})));
    assert_eq!(odd.outcome, Err(Refused::InvalidAnswer));
    assert_eq!(odd.interaction, one);
    let first = world.settle(&one, yes());
    assert_eq!(first.outcome, Ok(()));
    let later = world.settle(&one, Event::Answer(json!({"approved": false})));
    assert_eq!(later.outcome, Err(Refused::InvalidTransition));
    assert_eq!(later.interaction, first.interaction);
    let back = world.store.dismiss(one.caller.clone(), one.id.clone());
    let back = back.wait().unwrap().unwrap();
    assert_eq!(back, later);
    world.set(100);
    assert_eq!(world.waiting(), []);
    assert_eq!(world.settle(&one, Event::Expire), later);
}

#[test]
fn it_is_taken_back_by_its_own_agent_in_its_own_conversation_once_or_twice() {
    let world = World::new();
    let one = world.confirm("a", 60);
    let dismiss = |who: Caller| world.store.dismiss(who, one.id.clone()).wait().unwrap();
    for other in [caller("b", "c"), caller("a", "d")] {
        assert_eq!(dismiss(other.clone()), None);
        let found = world.store.interaction(other, one.id.clone()).wait();
        assert_eq!(found, Ok(None));
    }
    assert_eq!(world.waiting(), std::slice::from_ref(&one));
    let first = dismiss(one.caller.clone()).unwrap();
    assert_eq!(
        (first.interaction.state, first.outcome),
        (State::Cancelled, Ok(()))
    );
    world.set(1);
    assert_eq!(dismiss(one.caller.clone()), Some(first));
    let strange = CallId::parse("none").unwrap();
    assert_eq!(
        world.store.dismiss(caller("a", "c"), strange).wait(),
        Ok(None)
    );
}

#[test]
fn of_one_agent_and_of_all_so_many_wait() {
    let world = World::new();
    let asks = |agent: &str| {
        let given = json!({"title": "T", "expiresIn": 60});
        world.try_ask(agent, "confirm", given)
    };
    for _ in 0..MOST_WAITING_OF_ONE {
        assert!(asks("a").is_ok());
    }
    assert_eq!(asks("a"), Err(NotAsked::TooMany));
    for agent in ["b", "c", "d"] {
        for _ in 0..MOST_WAITING_OF_ONE {
            assert!(asks(agent).is_ok());
        }
    }
    assert_eq!(world.waiting().len(), MOST_WAITING);
    assert_eq!(asks("e"), Err(NotAsked::TooMany));
    // What has expired takes no room.
    world.set(60);
    assert!(asks("a").is_ok() && asks("e").is_ok());
}

#[test]
fn of_those_that_have_ended_the_newest_are_kept_for_a_week() {
    let world = World::new();
    let mut all = Vec::new();
    let each = EACH.as_secs();
    for n in (0..).take(MOST_ENDED + 2) {
        world.set(n * each);
        let one = world.confirm("a", 60);
        world.settle(&one, yes());
        all.push(one);
    }
    let left = world.confirm("a", 86_400);
    let there = |one: &Interaction| {
        let found = world.store.interaction(one.caller.clone(), one.id.clone());
        found.wait().unwrap().is_some()
    };
    assert!(!there(&all[0]) && !there(&all[1]) && there(&all[2]));
    world.set(MOST_ENDED as i64 * each + ENDED_DAYS * 86_400 + each + 1);
    world.store.sweep().wait().unwrap();
    assert!(!there(&all[MOST_ENDED + 1]));
    // It expired only now.
    assert!(there(&left));
}

#[test]
fn a_row_that_makes_no_sense_is_nobodys() {
    let world = World::new();
    let one = world.confirm("a", 60);
    let open = Connection::open(&world.path).unwrap();
    open.execute("UPDATE interactions SET request = '{}'", [])
        .unwrap();
    assert_eq!(world.waiting(), []);
    let found = world.store.interaction(one.caller, one.id).wait();
    assert_eq!(found, Ok(None));
}

#[test]
fn rows_that_make_no_sense_take_no_room_after_the_next_sweep() {
    let world = World::new();
    let notice = || world.try_ask("a", "notice", json!({"title": "T", "message": "M"}));
    for _ in 0..MOST_WAITING_OF_ONE - 1 {
        notice().unwrap();
    }
    let open = Connection::open(&world.path).unwrap();
    open.execute("UPDATE interactions SET request = '{}'", [])
        .unwrap();
    let well = notice().unwrap();
    assert_eq!(notice(), Err(NotAsked::TooMany));
    world.store.sweep().wait().unwrap();
    assert_eq!(world.waiting(), std::slice::from_ref(&well));
    assert!(notice().is_ok());
    let failed = "SELECT count(*) FROM interactions WHERE state = 'failed'";
    let failed: usize = open.query_row(failed, [], |row| row.get(0)).unwrap();
    assert_eq!(failed, MOST_WAITING_OF_ONE - 1);
}

#[test]
fn an_agent_whose_questions_are_over_at_once_is_slowed_down_and_no_other() {
    let mut world = World::new();
    let ask = |world: &World, agent: &str| {
        let given = json!({"title": "T", "expiresIn": 60});
        let asked = world.try_ask(agent, "confirm", given)?;
        world.settle(&asked, yes());
        Ok(())
    };
    for _ in 0..BURST {
        assert_eq!(ask(&world, "a"), Ok(()));
    }
    let again = kept((1_796_040_000 + EACH.as_secs()) * 1000);
    let too_often = Err(NotAsked::TooOften(again));
    assert_eq!(ask(&world, "a"), too_often);
    assert_eq!(ask(&world, "b"), Ok(()));
    world.restart();
    assert_eq!(ask(&world, "a"), too_often, "a restart changes nothing");
    world.set(EACH.as_secs());
    assert_eq!(ask(&world, "a"), Ok(()));
    assert!(ask(&world, "a").is_err());
}

#[test]
fn after_the_person_has_left_one_its_agent_waits() {
    let world = World::new();
    let [one, back] = ["a", "b"].map(|agent| world.confirm(agent, 600));
    world.set(10);
    world.settle(&one, Event::Cancel);
    let taken_back = world.store.dismiss(back.caller.clone(), back.id.clone());
    taken_back.wait().unwrap().unwrap();
    let ask = |agent: &str| world.try_ask(agent, "confirm", json!({"title": "T"}));
    let again = kept((1_796_040_000 + 10 + PAUSE.as_secs()) * 1000);
    assert_eq!(ask("a"), Err(NotAsked::PersonLeft(again)));
    assert!(
        ask("b").is_ok(),
        "what it has taken back itself is nobody's to mind"
    );
    world.set(10 + PAUSE.as_secs());
    assert!(ask("a").is_ok());
}
