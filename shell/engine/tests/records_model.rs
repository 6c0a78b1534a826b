//! Any sequence of writes leaves the store as a plain map of records would be: the store is checked against that map after every
//! step, over restarts, refusals and undos.
#![allow(clippy::unwrap_used, clippy::expect_used)]

mod support;

use std::collections::BTreeMap;

use ede_engine::records::{ActionId, LOCAL, RecordsRequest, Store, StoreError, Viewer, Write};
use proptest::prelude::*;
use serde_json::{Value, json};
use support::*;

/// One write; records are named by how manieth they are among those ever made.
#[derive(Debug, Clone)]
enum Step {
    Create { hours: i32 },
    Patch { record: usize, hours: i32 },
    Note { record: usize },
    Delete { record: usize },
    Put { record: usize, hours: i32 },
    PutTask { record: usize },
}

#[derive(Debug, Clone)]
enum Op {
    /// One action of several writes: whole or not at all.
    Act(Vec<Step>),
    /// Take the newest action back, if there is one.
    UndoNewest,
    /// Stop the store and start it again.
    Restart,
}

fn step() -> impl Strategy<Value = Step> {
    let hours = -2..20i32;
    let record = 0..8usize;
    prop_oneof![
        3 => hours.clone().prop_map(|hours| Step::Create { hours }),
        3 => (record.clone(), hours.clone()).prop_map(|(record, hours)| Step::Patch { record, hours }),
        1 => record.clone().prop_map(|record| Step::Note { record }),
        2 => record.clone().prop_map(|record| Step::Delete { record }),
        2 => (record.clone(), hours).prop_map(|(record, hours)| Step::Put { record, hours }),
        1 => record.prop_map(|record| Step::PutTask { record }),
    ]
}

fn op() -> impl Strategy<Value = Op> {
    prop_oneof![
        8 => prop::collection::vec(step(), 1..4).prop_map(Op::Act),
        2 => Just(Op::UndoNewest),
        1 => Just(Op::Restart),
    ]
}

/// Kind and data of every live record, by id.
type Records = BTreeMap<String, (String, Value)>;

#[derive(Debug, Clone, Default)]
struct Model {
    live: Records,
    /// The kinds of records in the trash: an id never changes its kind.
    trash: BTreeMap<String, String>,
    made: u64,
}

impl Model {
    fn name(record: usize) -> String {
        format!("n-{}", record + 1)
    }

    /// Do one step, or refuse it as the store must.
    fn apply(&mut self, step: &Step) -> Option<()> {
        let fits = |hours: i32| hours >= 0;
        match step {
            Step::Create { hours } => {
                // An id is used up even when the write is refused afterwards; one that a put took is passed over.
                let taken = |made: u64| {
                    let name = format!("n-{made}");
                    self.live.contains_key(&name) || self.trash.contains_key(&name)
                };
                self.made = (self.made + 1..).find(|made| !taken(*made))?;
                fits(*hours).then_some(())?;
                self.live.insert(
                    format!("n-{}", self.made),
                    ("entry".into(), json!({"hours": hours})),
                );
            }
            Step::Patch { record, hours } => {
                let (kind, data) = self
                    .live
                    .get_mut(&Model::name(*record))
                    .filter(|(kind, _)| kind == "entry")?;
                assert_eq!(kind, "entry");
                fits(*hours).then_some(())?;
                data["hours"] = (*hours).into();
            }
            Step::Note { record } => {
                let (_, data) = self
                    .live
                    .get_mut(&Model::name(*record))
                    .filter(|(kind, _)| kind == "entry")?;
                data["note"] = "x".into();
            }
            Step::Delete { record } => {
                let name = Model::name(*record);
                let (kind, _) = self.live.remove(&name)?;
                self.trash.insert(name, kind);
            }
            Step::Put { record, hours } => {
                let name = Model::name(*record);
                fits(*hours).then_some(())?;
                self.place(name, "entry", json!({"hours": hours}))?;
            }
            Step::PutTask { record } => {
                self.place(Model::name(*record), "task", json!({"title": "t"}))?
            }
        }
        Some(())
    }

    fn place(&mut self, name: String, kind: &str, data: Value) -> Option<()> {
        let other = self
            .live
            .get(&name)
            .map(|(kind, _)| kind)
            .or(self.trash.get(&name))
            .is_some_and(|known| known != kind);
        (!other).then_some(())?;
        self.trash.remove(&name);
        self.live.insert(name, (kind.into(), data));
        Some(())
    }
}

fn write(step: &Step) -> Write {
    match step {
        Step::Create { hours } => create("entry", json!({"hours": hours})),
        Step::Patch { record, hours } => {
            patch("entry", &Model::name(*record), json!({"hours": hours}))
        }
        Step::Note { record } => patch("entry", &Model::name(*record), json!({"note": "x"})),
        Step::Delete { record } => delete(&Model::name(*record)),
        Step::Put { record, hours } => put(
            "entry",
            json!({"id": Model::name(*record), "data": {"hours": hours}}),
        ),
        Step::PutTask { record } => put(
            "task",
            json!({"id": Model::name(*record), "data": {"title": "t"}}),
        ),
    }
}

fn stored(store: &Store) -> Records {
    let records = store.list(app(), None).wait().unwrap();
    records
        .into_iter()
        .map(|r| {
            (
                r.id.to_string(),
                (r.kind.to_string(), Value::Object(r.data)),
            )
        })
        .collect()
}

fn check(ops: Vec<Op>) -> Result<(), TestCaseError> {
    let dir = tempfile::tempdir().unwrap();
    let path = dir.path().join("records.db");
    let numbered = |made: u64| {
        Store::start(ede_engine::records::StoreOptions {
            ids: Box::new(Numbered(made)),
            ..options(&path)
        })
        .unwrap()
    };
    let mut store = numbered(0);
    let mut model = Model::default();
    // The state before the newest action, and its number.
    let mut newest: Option<(ActionId, Model)> = None;
    for op in ops {
        match op {
            Op::Act(steps) => {
                let before = model.clone();
                let mut after = model.clone();
                // The store stops at the first refused write, and so do the ids it uses up.
                let expected = steps
                    .iter()
                    .try_for_each(|step| after.apply(step).ok_or(()))
                    .is_ok();
                let outcome = store
                    .commit(batch(steps.iter().map(write).collect()))
                    .wait();
                match outcome {
                    Ok(receipt) => {
                        prop_assert!(expected, "the store took {steps:?}");
                        prop_assert_eq!(receipt.ids.len(), steps.len());
                        model = after;
                        newest = Some((receipt.action.unwrap(), before));
                    }
                    Err(StoreError::Refused(why)) => {
                        prop_assert!(!expected, "the store refused {steps:?}: {why}");
                        model.made = after.made;
                    }
                    Err(other) => prop_assert!(false, "{other:?}"),
                }
            }
            Op::UndoNewest => {
                if let Some((action, before)) = newest.take() {
                    store
                        .undo(app(), action, LOCAL.into(), None)
                        .wait()
                        .unwrap();
                    // What the undo deleted is in the trash, kinds and all.
                    let made = model.made;
                    let mut trash = model.trash.clone();
                    trash.extend(
                        model
                            .live
                            .iter()
                            .map(|(id, (kind, _))| (id.clone(), kind.clone())),
                    );
                    trash.retain(|id, _| !before.live.contains_key(id));
                    model = Model {
                        live: before.live,
                        trash,
                        made,
                    };
                }
            }
            Op::Restart => {
                drop(store);
                store = numbered(model.made);
            }
        }
        prop_assert_eq!(stored(&store), model.live.clone());
        let request =
            RecordsRequest::parse("records:entry?sum=hours", &package(), |_| None).unwrap();
        let viewer = Viewer {
            me: LOCAL.into(),
            now: "2026-10-01T12:00:00[UTC]".parse().unwrap(),
        };
        let value = store.value(request, viewer).wait().unwrap();
        let entries: Vec<i64> = model
            .live
            .values()
            .filter(|(kind, _)| kind == "entry")
            .map(|(_, data)| data["hours"].as_i64().unwrap())
            .collect();
        prop_assert_eq!(
            (value["count"].as_u64(), value["sum"].as_f64()),
            (
                Some(entries.len() as u64),
                Some(entries.iter().sum::<i64>() as f64)
            )
        );
    }
    Ok(())
}

proptest! {
    #![proptest_config(ProptestConfig { cases: ProptestConfig::default().cases / 10, failure_persistence: None, ..ProptestConfig::default() })]
    #[test]
    fn the_store_is_always_the_map_it_should_be(ops in prop::collection::vec(op(), 1..25)) {
        check(ops)?;
    }
}

/// The same over many more operations.
#[test]
#[ignore = "soak"]
fn the_store_is_the_map_it_should_be_over_a_hundred_thousand_operations() {
    let config = ProptestConfig {
        cases: 1000,
        failure_persistence: None,
        ..ProptestConfig::default()
    };
    proptest!(config, |(ops in prop::collection::vec(op(), 100))| check(ops)?);
}
