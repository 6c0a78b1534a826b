#![allow(clippy::unwrap_used, clippy::expect_used)]

use std::collections::{BTreeMap, BTreeSet};
use std::io;

use jiff::Timestamp;
use proptest::prelude::*;
use serde_json::{Value, json};

use super::*;
use crate::app_id::AppId;

/// Ids that count up.
#[derive(Default)]
struct Counting(u128);

impl Ids for Counting {
    fn next(&mut self) -> io::Result<u128> {
        self.0 += 1;
        Ok(self.0)
    }
}

fn at(second: i64) -> Timestamp {
    Timestamp::from_second(1_790_000_000 + second).unwrap()
}

fn app(name: &str) -> AppId {
    AppId::parse(name).unwrap()
}

/// A table and where its ids come from.
#[derive(Default)]
struct Desk {
    table: Instances,
    ids: Counting,
}

impl Desk {
    fn open(&mut self, name: &str) -> InstanceId {
        let launch = Launch::by_person(app(name));
        let launched = self.table.launch(launch, &mut self.ids, at(0)).unwrap();
        self.table.bring_forward(&launched.id, at(0)).unwrap();
        launched.id
    }

    fn state(&self, id: &InstanceId) -> State {
        self.table.get(id).unwrap().state
    }
}

/// The table after a restart, by way of text.
fn restarted(table: &Instances) -> Instances {
    let text = serde_json::to_string(&table.snapshot()).unwrap();
    let read: Snapshot = serde_json::from_str(&text).unwrap();
    read.restore().unwrap()
}

fn agents(conversation: &str) -> Caller {
    Caller {
        agent: AgentId::shell(),
        conversation: ConversationId::parse(conversation).unwrap(),
    }
}

#[test]
fn an_app_that_runs_is_used_again_and_each_context_has_its_own() {
    let mut desk = Desk::default();
    let first = desk.open("acme.hours");
    assert_eq!(desk.open("acme.hours"), first);
    let with_agent = Launch {
        context: Some(agents("c-1")),
        ..Launch::by_person(app("acme.hours"))
    };
    let mut launch = || desk.table.launch(with_agent.clone(), &mut desk.ids, at(1));
    let (other, again) = (launch().unwrap(), launch().unwrap());
    assert!(other.id != first && !other.reused);
    assert!(again.id == other.id && again.reused);
    let _ = desk.table.close(&first, at(2)).unwrap();
    assert_ne!(desk.open("acme.hours"), first, "what has ended stays so");
    assert_eq!(desk.state(&first), State::Stopped);
}

#[test]
fn a_parent_must_be_running() {
    let mut desk = Desk::default();
    let parent = desk.open("acme.chat");
    let child = |name: &str, parent: &InstanceId| Launch {
        parent: Some(parent.clone()),
        ..Launch::by_person(app(name))
    };
    let launched = (desk.table).launch(child("acme.game", &parent), &mut desk.ids, at(1));
    let game = launched.unwrap().id;
    assert_eq!(
        desk.table.get(&game).unwrap().parent_instance_id.as_ref(),
        Some(&parent)
    );
    let _ = desk.table.close(&parent, at(2)).unwrap();
    let refused = (desk.table).launch(child("acme.board", &parent), &mut desk.ids, at(3));
    assert!(matches!(refused, Err(LaunchError::ParentNotRunning(id)) if id == parent));
    assert_eq!(desk.state(&game), State::Starting, "a child outlives it");
}

#[test]
fn a_session_goes_on_from_an_ended_one_of_the_same_app_and_context() {
    let mut desk = Desk::default();
    let first = desk.open("acme.hours");
    let session = desk.table.get(&first).unwrap().app_session_id.clone();
    let session = session.unwrap();
    let on = |name: &str, conversation: Option<&str>| Launch {
        context: conversation.map(agents),
        continues: Some(session.clone()),
        ..Launch::by_person(app(name))
    };
    let _ = desk.table.close(&first, at(1)).unwrap();
    for launch in [on("acme.other", None), on("acme.hours", Some("c-1"))] {
        let refused = desk.table.launch(launch, &mut desk.ids, at(2));
        assert!(matches!(refused, Err(LaunchError::UnknownSession(_))));
    }
    let went_on = (desk.table).launch(on("acme.hours", None), &mut desk.ids, at(2));
    let went_on = desk.table.get(&went_on.unwrap().id).unwrap();
    assert_eq!(
        went_on.continued_from_app_session_id.as_ref(),
        Some(&session)
    );
    assert_ne!(went_on.app_session_id.as_ref(), Some(&session));
}

#[test]
fn the_focus_goes_to_the_newest_and_back_to_the_one_below() {
    let mut desk = Desk::default();
    let [a, b, c] = ["acme.a", "acme.b", "acme.c"].map(|name| desk.open(name));
    assert_eq!(
        [&a, &b, &c].map(|id| desk.state(id)),
        [State::Background, State::Background, State::Foreground]
    );
    desk.table.bring_forward(&a, at(1)).unwrap();
    let order = |desk: &Desk| -> Vec<InstanceId> {
        let all = desk.table.by_focus().into_iter();
        all.map(|i| i.instance_id.clone()).collect()
    };
    assert_eq!(order(&desk), [b.clone(), c.clone(), a.clone()]);
    let ended = desk.table.close(&a, at(2)).unwrap();
    assert_eq!(ended.restored.as_ref(), Some(&c));
    assert_eq!(desk.table.foreground().unwrap().instance_id, c);
    assert_eq!(desk.table.get(&a).unwrap().stopped_at, Some(at(2)));
    // The person is at another program: who is closed then brings nobody forward.
    desk.table.send_back(&c, at(3)).unwrap();
    let ended = desk.table.close(&c, at(3)).unwrap();
    assert_eq!((ended.restored, desk.table.foreground()), (None, None));
    assert_eq!(order(&desk), [b]);
    let refused = desk.table.bring_forward(&a, at(4)).unwrap_err();
    let (from, to) = (State::Stopped, State::Foreground);
    assert_eq!(refused, MoveError::Forbidden(Forbidden { from, to }));
}

#[test]
fn closing_cancels_what_runs_once_and_what_is_submitted_flows_on() {
    let mut desk = Desk::default();
    let (a, b) = (desk.open("acme.a"), desk.open("acme.b"));
    for (call, of) in [(1, &a), (2, &a), (3, &a), (4, &b)] {
        assert!(desk.table.call_began(CallNumber(call), of));
    }
    desk.table.call_submitted(CallNumber(2));
    desk.table.call_ended(CallNumber(3));
    let ended = desk.table.close(&a, at(1)).unwrap();
    assert_eq!(ended.cancelled, [CallNumber(1)]);
    assert_eq!(desk.table.close(&a, at(2)).unwrap(), Ended::default());
    assert!(
        !desk.table.call_began(CallNumber(5), &a),
        "nobody calls for it any more"
    );
    let failed = desk.table.fail(&b, "It broke.", at(3)).unwrap();
    assert_eq!(failed.cancelled, [CallNumber(4)]);
    let b = desk.table.get(&b).unwrap();
    assert_eq!(
        (b.state, b.stopped_at, b.error.as_deref()),
        (State::Failed, Some(at(3)), Some("It broke."))
    );
}

#[test]
fn of_the_ended_ones_the_newest_are_remembered() {
    let mut desk = Desk::default();
    let living = desk.open("acme.stays");
    let mut ids = Vec::new();
    for n in 0..MOST_ENDED as i64 + 3 {
        let id = desk.open("acme.a");
        let _ = desk.table.close(&id, at(n)).unwrap();
        ids.push(id);
    }
    let known = ids.iter().filter(|id| desk.table.get(id).is_some());
    assert_eq!(known.count(), MOST_ENDED);
    assert!(desk.table.get(&ids[2]).is_none() && desk.table.get(&ids[3]).is_some());
    assert_eq!(desk.state(&living), State::Foreground);
}

#[test]
fn a_restart_keeps_instances_and_focus_and_suspends_what_was_under_way() {
    let mut desk = Desk::default();
    let (a, b) = (desk.open("acme.a"), desk.open("acme.b"));
    let launch = Launch::by_person(app("acme.c"));
    let c = desk.table.launch(launch, &mut desk.ids, at(1)).unwrap().id;
    let closed = desk.open("acme.d");
    let _ = desk.table.close(&closed, at(2)).unwrap();
    let mut stopping = serde_json::to_value(desk.table.snapshot()).unwrap();
    let restored = restarted(&desk.table);
    let states =
        |table: &Instances| [&a, &b, &c, &closed].map(|id| table.get(id).map(|i| i.state).unwrap());
    assert_eq!(
        states(&restored),
        [
            State::Background,
            State::Foreground,
            State::Suspended,
            State::Stopped
        ]
    );
    let ids: Vec<&InstanceId> = restored.by_focus().iter().map(|i| &i.instance_id).collect();
    assert_eq!(ids, [&c, &a, &b]);
    stopping["instances"][0]["state"] = json!("stopping");
    let read: Snapshot = serde_json::from_value(stopping).unwrap();
    assert_eq!(states(&read.restore().unwrap())[0], State::Suspended);
}

/// A record that is as it should be.
fn sound(id: &str, app: &str, state: &str) -> Value {
    let mut record = json!({"instance_id": id, "app_scope": app, "state": state,
        "started_at": "2026-10-01T09:30:00.000Z"});
    if ["stopped", "failed"].contains(&state) {
        record["stopped_at"] = json!("2026-10-01T09:31:00.000Z");
    }
    record
}

#[test]
fn a_bad_record_is_left_out_and_the_focus_holds_what_is_there() {
    let with = |key: &str, value: Value| {
        let mut record = sound("bad", "acme.bad", "background");
        record[key] = value;
        record
    };
    let bad = [
        with("instance_id", json!("a b")),
        with("app_scope", json!("../x")),
        with("state", json!("asleep")),
        with("started_at", json!("yesterday")),
        with("stopped_at", json!("2026-10-01T09:31:00.000Z")),
        with("stopped_at", Value::Null),
        with("app_session_id", json!(7)),
        with("error", json!("x".repeat(MOST_ERROR + 1))),
        with("more", json!(true)),
        json!({}),
        Value::Null,
        sound("i1", "acme.other", "background"),
        sound("second", "acme.a", "background"),
    ];
    let mut instances = vec![
        sound("i1", "acme.a", "foreground"),
        sound("i2", "acme.b", "foreground"),
        sound("i3", "acme.c", "stopped"),
    ];
    instances.extend(bad);
    let stack = json!(["i2", "i1", "i2", "i3", "gone", 7, "a b"]);
    let read = json!({"version": 1, "instances": instances, "stack": stack});
    let read: Snapshot = serde_json::from_value(read).unwrap();
    let table = read.restore().unwrap();
    let states: Vec<(&str, State)> = (table.all().iter())
        .map(|i| (i.instance_id.as_str(), i.state))
        .collect();
    assert_eq!(
        states,
        [
            ("i1", State::Background),
            ("i2", State::Foreground),
            ("i3", State::Stopped)
        ]
    );
    let order: Vec<&str> = (table.by_focus().iter())
        .map(|i| i.instance_id.as_str())
        .collect();
    assert_eq!(order, ["i1", "i2"]);
}

#[test]
fn a_snapshot_of_another_version_or_shape_is_not_read() {
    let other: Snapshot =
        serde_json::from_value(json!({"version": 2, "instances": [], "stack": []})).unwrap();
    assert!(matches!(other.restore(), Err(SnapshotError::Version(2))));
    for strange in [
        json!({"version": 1, "instances": []}),
        json!({"version": 1, "instances": [], "stack": [], "more": 1}),
        json!([]),
    ] {
        assert!(serde_json::from_value::<Snapshot>(strange).is_err());
    }
}

/// What may happen, in any order.
#[derive(Debug, Clone)]
enum Op {
    Launch {
        app: usize,
        conversation: Option<usize>,
        parent: Option<usize>,
    },
    Forward(usize),
    Back(usize),
    Suspend(usize),
    Close(usize),
    Fail(usize),
    Call(usize),
    Submit(u64),
    EndCall(u64),
    Restart,
}

fn op() -> impl Strategy<Value = Op> {
    let one = 0..12usize;
    prop_oneof![
        3 => (0..4usize, prop::option::of(0..2usize), prop::option::of(one.clone()))
            .prop_map(|(app, conversation, parent)| Op::Launch { app, conversation, parent }),
        4 => one.clone().prop_map(Op::Forward),
        2 => one.clone().prop_map(Op::Back),
        1 => one.clone().prop_map(Op::Suspend),
        2 => one.clone().prop_map(Op::Close),
        1 => one.clone().prop_map(Op::Fail),
        2 => one.prop_map(Op::Call),
        1 => (0..20u64).prop_map(Op::Submit),
        1 => (0..20u64).prop_map(Op::EndCall),
        1 => Just(Op::Restart),
    ]
}

/// What must hold after anything.
fn check(table: &Instances) -> Result<(), TestCaseError> {
    let all = table.all();
    let foreground: Vec<&InstanceId> = (all.iter())
        .filter(|i| i.state == State::Foreground)
        .map(|i| &i.instance_id)
        .collect();
    prop_assert!(foreground.len() <= 1, "{foreground:?}");
    let stack = table.focus.all();
    prop_assert!(foreground.first().is_none_or(|id| stack.last() == Some(id)));
    let distinct: BTreeSet<&InstanceId> = stack.iter().collect();
    prop_assert_eq!(distinct.len(), stack.len());
    let living = |id: &InstanceId| table.get(id).is_some_and(Instance::is_living);
    prop_assert!(stack.iter().all(living));
    for i in all {
        prop_assert_eq!(i.stopped_at.is_some(), i.state.is_final());
        let same = all
            .iter()
            .filter(|o| o.is_living() && o.is_of(&i.app_scope, i.context().as_ref()));
        prop_assert!(same.count() <= 1);
        let id = &i.instance_id;
        prop_assert_eq!(all.iter().filter(|o| o.instance_id == *id).count(), 1);
    }
    let ended = all.iter().filter(|i| !i.is_living()).count();
    prop_assert!(ended <= MOST_ENDED);
    Ok(())
}

proptest! {
    #[test]
    fn whatever_happens_the_table_is_sound(ops in prop::collection::vec(op(), 1..80)) {
        let (mut table, mut ids) = (Instances::default(), Counting::default());
        let mut known: Vec<InstanceId> = Vec::new();
        let mut finals: BTreeMap<InstanceId, Instance> = BTreeMap::new();
        let (mut calls, mut submitted, mut over) = (0, BTreeSet::new(), BTreeSet::new());
        for (n, op) in ops.into_iter().enumerate() {
            let now = at(n as i64);
            let pick = |n: usize| known.get(n % known.len().max(1)).cloned();
            match op {
                Op::Launch { app: name, conversation, parent } => {
                    let launch = Launch {
                        app: app(&format!("acme.a{name}")),
                        context: conversation.map(|c| agents(&format!("c{c}"))),
                        parent: parent.and_then(pick),
                        continues: None,
                    };
                    let asked = launch.clone();
                    match table.launch(launch, &mut ids, now) {
                        Ok(launched) => {
                            let found = table.active(&asked.app, asked.context.as_ref());
                            prop_assert_eq!(&found.unwrap().instance_id, &launched.id);
                            prop_assert_eq!(launched.reused, known.contains(&launched.id));
                            if !launched.reused {
                                known.push(launched.id);
                            }
                        }
                        Err(LaunchError::ParentNotRunning(id)) => {
                            prop_assert!(table.get(&id).is_none_or(|i| !i.is_living()));
                        }
                        Err(other) => prop_assert!(false, "{other}"),
                    }
                }
                Op::Forward(i) => if let Some(id) = pick(i) {
                    let ends = finals.contains_key(&id);
                    let moved = table.bring_forward(&id, now);
                    prop_assert_eq!(moved.is_err(), ends);
                    prop_assert!(ends || table.foreground().unwrap().instance_id == id);
                },
                Op::Back(i) => if let Some(id) = pick(i) {
                    prop_assert_eq!(table.send_back(&id, now).is_err(), finals.contains_key(&id));
                },
                Op::Suspend(i) => if let Some(id) = pick(i) {
                    prop_assert_eq!(table.suspend(&id, now).is_err(), finals.contains_key(&id));
                },
                Op::Close(i) | Op::Fail(i) => if let Some(id) = pick(i) {
                    let ended = match op {
                        Op::Fail(_) => table.fail(&id, "It broke.", now),
                        _ => table.close(&id, now),
                    };
                    for call in ended.unwrap().cancelled {
                        prop_assert!(!submitted.contains(&call), "what is submitted flows on");
                        prop_assert!(over.insert(call), "cancelled once");
                    }
                },
                Op::Call(i) => if let Some(id) = pick(i) {
                    calls += 1;
                    let began = table.call_began(CallNumber(calls), &id);
                    prop_assert_eq!(began, !finals.contains_key(&id));
                },
                Op::Submit(call) if call <= calls => {
                    table.call_submitted(CallNumber(call));
                    submitted.insert(CallNumber(call));
                }
                Op::EndCall(call) if call <= calls => {
                    table.call_ended(CallNumber(call));
                    over.insert(CallNumber(call));
                }
                Op::Submit(_) | Op::EndCall(_) => {}
                Op::Restart => {
                    let after = restarted(&table);
                    prop_assert_eq!(after.focus.all(), table.focus.all());
                    for (before, after) in table.all().iter().zip(after.all()) {
                        let mut wanted = before.clone();
                        if wanted.state == State::Starting {
                            wanted.state = State::Suspended;
                        }
                        prop_assert_eq!(&wanted, after);
                    }
                    prop_assert_eq!(table.all().len(), after.all().len());
                    let twice = restarted(&after);
                    prop_assert_eq!(twice.all(), after.all());
                    table = after;
                }
            }
            check(&table)?;
            for (id, before) in &finals {
                prop_assert!(table.get(id).is_none_or(|now| now == before), "final is final");
            }
            let ended = table.all().iter().filter(|i| !i.is_living());
            finals.extend(ended.map(|i| (i.instance_id.clone(), i.clone())));
        }
    }
}
