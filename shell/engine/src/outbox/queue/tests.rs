//! What the queue keeps to beyond the contract's cases: that nothing is lost when the log or the process fails, and what a person sees
//! meanwhile.
#![allow(clippy::unwrap_used)]

use std::cell::RefCell;
use std::rc::Rc;

use proptest::prelude::*;
use serde_json::json;

use super::*;
use crate::outbox::{Write, WriteOp};

/// A log that fails from some step on, as a full disk does.
#[derive(Clone, Default)]
struct Log {
    kept: Rc<RefCell<Vec<Entry>>>,
    fails: Rc<RefCell<bool>>,
}

impl Log {
    fn write(&self, change: impl FnOnce(&mut Vec<Entry>)) -> Result<(), LogFailed> {
        if *self.fails.borrow() {
            return Err(LogFailed("the disk is full".into()));
        }
        change(&mut self.kept.borrow_mut());
        Ok(())
    }
}

impl OutboxLog for Log {
    fn entries(&self) -> Result<Vec<Entry>, LogFailed> {
        Ok(self.kept.borrow().clone())
    }

    fn push(&mut self, entry: &Entry) -> Result<(), LogFailed> {
        self.write(|all| all.push(entry.clone()))
    }

    fn ack(&mut self, id: &WriteId, at: Timestamp) -> Result<(), LogFailed> {
        self.write(|all| {
            for entry in all.iter_mut().filter(|e| e.write_id == *id) {
                entry.state = State::Acked { at };
            }
        })
    }

    fn remove(&mut self, id: &WriteId) -> Result<(), LogFailed> {
        self.write(|all| all.retain(|e| e.write_id != *id))
    }
}

/// A server that answers by rote, the last answer for ever, and remembers what it was sent.
#[derive(Clone)]
struct Server {
    replies: Rc<RefCell<Vec<Reply>>>,
    sent: Rc<RefCell<Vec<String>>>,
}

impl Server {
    fn new(replies: Vec<Reply>) -> Server {
        Server {
            replies: Rc::new(RefCell::new(replies)),
            sent: Rc::default(),
        }
    }
}

impl Transport for Server {
    fn send(&mut self, entry: &Entry) -> Reply {
        self.sent.borrow_mut().push(entry.write_id.as_str().into());
        let mut replies = self.replies.borrow_mut();
        if replies.len() > 1 {
            replies.remove(0)
        } else {
            replies[0].clone()
        }
    }
}

fn now() -> Timestamp {
    "2026-11-30T10:00:00Z".parse().unwrap()
}

fn error(code: &str) -> Reply {
    Reply::Error {
        code: code.into(),
        message: None,
        invalid: false,
    }
}

fn entry(id: &str, op: WriteOp, record: &str, data: Value) -> Entry {
    Entry {
        write_id: WriteId::new(id),
        app_id: "acme.app".into(),
        call: Call::Upsert,
        writes: vec![Write {
            op,
            id: record.into(),
            kind: Some("task".into()),
            data: data.as_object().unwrap().clone(),
        }],
        at: now(),
        state: State::Pending,
    }
}

fn made(id: &str) -> Entry {
    entry(
        id,
        WriteOp::Create,
        &format!("r-{id}"),
        json!({"title": id}),
    )
}

#[test]
fn what_was_not_kept_was_not_sent() {
    let (log, server) = (Log::default(), Server::new(vec![Reply::Done(json!(1))]));
    let mut outbox = Outbox::new(log.clone(), server.clone()).unwrap();
    *log.fails.borrow_mut() = true;
    assert!(outbox.submit(made("w1"), true, now()).is_err());
    assert_eq!(outbox.visible("acme.app", "me"), []);
    assert!(server.sent.borrow().is_empty());
}

#[test]
fn a_kill_between_the_sending_and_its_row_sends_the_same_write_again() {
    let (log, server) = (Log::default(), Server::new(vec![Reply::Done(json!(1))]));
    let mut outbox = Outbox::new(log.clone(), server.clone()).unwrap();
    assert_eq!(
        outbox.submit(made("w1"), false, now()),
        Ok(Submitted::Queued)
    );
    *log.fails.borrow_mut() = true;
    assert!(outbox.flush(now(), |r| panic!("{r:?}")).is_err());
    drop(outbox);
    *log.fails.borrow_mut() = false;
    let mut again = Outbox::new(log, server.clone()).unwrap();
    assert_eq!(again.flush(now(), |r| panic!("{r:?}")), Ok(()));
    assert_eq!(*server.sent.borrow(), ["w1", "w1"]);
    assert_eq!(again.waiting().count(), 0);
}

#[test]
fn a_person_sees_what_was_written_before_the_server_does() {
    let server = Server::new(vec![Reply::Lost]);
    let mut outbox = Outbox::new(Log::default(), server).unwrap();
    let row = |id: &str, title: &str| RecordRow {
        id: id.into(),
        kind: "task".into(),
        data: json!({"title": title, "done": false}),
        created_by: Some("ana".into()),
        author_id: None,
        created_at: "2026-11-01T00:00:00.000Z".into(),
        updated_at: "2026-11-01T00:00:00.000Z".into(),
    };
    let synced = vec![row("a", "A"), row("b", "B")];
    outbox.set_rows("acme.app", synced, now()).unwrap();
    for entry in [
        entry("1", WriteOp::Update, "a", json!({"title": "A2"})),
        entry("2", WriteOp::Delete, "b", json!({})),
        entry("3", WriteOp::Create, "c", json!({"title": "C"})),
        entry("4", WriteOp::Update, "c", json!({"done": true})),
        entry("5", WriteOp::Update, "gone", json!({"done": true})),
    ] {
        outbox.submit(entry, false, now()).unwrap();
    }
    let seen = outbox.visible("acme.app", "me");
    let seen: Vec<_> = seen
        .iter()
        .map(|r| (r.id.as_str(), r.data.clone(), r.created_by.as_deref()))
        .collect();
    assert_eq!(
        seen,
        [
            ("a", json!({"title": "A2", "done": false}), Some("ana")),
            ("c", json!({"title": "C", "done": true}), Some("me")),
        ]
    );
    assert_eq!(outbox.visible("acme.other", "me"), []);
}

#[test]
fn an_actions_writes_are_refused_together_even_where_one_record_is_gone() {
    let server = Server::new(vec![error("NOT_FOUND")]);
    let log = Log::default();
    let mut outbox = Outbox::new(log.clone(), server).unwrap();
    let batch = Entry {
        call: Call::Batch,
        ..entry("w1", WriteOp::Update, "gone", json!({"title": "x"}))
    };
    let refused = Submitted::Refused {
        message: "NOT_FOUND".into(),
        invalid: false,
    };
    assert_eq!(outbox.submit(batch, true, now()), Ok(refused));
    assert!(log.kept.borrow().is_empty());
}

fn replies() -> impl Strategy<Value = Vec<Reply>> {
    let one = prop_oneof![
        Just(Reply::Done(json!(null))),
        Just(Reply::Lost),
        Just(error("TIMEOUT")),
        Just(error("FORBIDDEN")),
        Just(error("NOT_FOUND")),
    ];
    prop::collection::vec(one, 1..20)
}

proptest! {
    /// Whatever the server answers: no entry overtakes another, none is sent again once it has its answer, every refusal is told once,
    /// and the log is what the queue says it is.
    #[test]
    fn the_queue_stays_in_order_and_nothing_is_lost(
        script in replies(),
        steps in prop::collection::vec(prop_oneof![Just(None), any::<bool>().prop_map(Some)], 1..24),
    ) {
        let (log, server) = (Log::default(), Server::new(script));
        let mut outbox = Outbox::new(log.clone(), server.clone()).unwrap();
        let mut submitted = Vec::new();
        let mut told = Vec::new();
        for step in steps {
            match step {
                None => outbox.flush(now(), |r| told.push(r.write_id)).unwrap(),
                Some(online) => {
                    let id = format!("w{:03}", submitted.len());
                    submitted.push(id.clone());
                    if let Submitted::Refused { .. } = outbox.submit(made(&id), online, now()).unwrap() {
                        told.push(WriteId::new(id));
                    }
                }
            }
        }
        prop_assert!(server.sent.borrow().is_sorted());
        let kept = log.kept.borrow();
        let again = Outbox::new(log.clone(), server.clone()).unwrap();
        prop_assert_eq!(&again.entries, &outbox.entries);
        let left: Vec<&str> = kept.iter().map(|e| e.write_id.as_str()).collect();
        for id in &submitted {
            let told = told.iter().filter(|t| t.as_str() == id).count();
            let left = left.iter().filter(|l| *l == id).count();
            prop_assert_eq!(told + left, 1, "{} is neither told nor kept, or both", id);
        }
    }
}
