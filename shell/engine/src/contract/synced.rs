//! `syncedCases`: an outbox from its `log` on, through `steps`: `submit` (with `entry`, `online`, `expected`), `flush`, `rows` (of an `app`)
//! and `prune`. `transport` says what each write's sendings are answered, in order; where none is left there is no network. `sent`,
//! `refused` and `logAfter` are what is to come of it.

use std::cell::RefCell;
use std::collections::{BTreeMap, VecDeque};
use std::rc::Rc;

use eui_core::host::RecordRow;
use jiff::Timestamp;
use serde::Deserialize;
use serde_json::{Value, json};

use super::{Replayed, Setting, each};
use crate::outbox::{
    Entry, LogFailed, Outbox, OutboxLog, Refusal, Reply, State, Submitted, Transport, WriteId,
};

#[derive(Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
struct Case {
    #[serde(rename = "name")]
    _name: Option<String>,
    log: Vec<Entry>,
    transport: BTreeMap<String, VecDeque<Scripted>>,
    steps: Vec<Step>,
    sent: Value,
    refused: Value,
    log_after: Value,
}

#[derive(Deserialize)]
#[serde(tag = "do", rename_all = "camelCase", deny_unknown_fields)]
enum Step {
    Submit {
        entry: Entry,
        online: bool,
        expected: Value,
    },
    Flush {},
    Rows {
        app: String,
        rows: Vec<RecordRow>,
    },
    Prune {},
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Scripted {
    #[serde(default)]
    ok: bool,
    #[serde(default)]
    answer: Value,
    #[serde(default)]
    transport: bool,
    code: Option<String>,
    message: Option<String>,
    #[serde(default)]
    invalid: bool,
}

impl Scripted {
    fn reply(self) -> Reply {
        match self.code {
            Some(code) => Reply::Error {
                code,
                message: self.message,
                invalid: self.invalid,
            },
            None if self.ok && !self.transport => Reply::Done(self.answer),
            None => Reply::Lost,
        }
    }
}

/// What came of the sendings, and who was sent.
#[derive(Default)]
struct Line {
    script: BTreeMap<String, VecDeque<Scripted>>,
    sent: Rc<RefCell<Vec<Value>>>,
}

impl Transport for Line {
    fn send(&mut self, entry: &Entry) -> Reply {
        let id = entry.write_id.as_str();
        let Some(next) = self.script.get_mut(id).and_then(VecDeque::pop_front) else {
            return Reply::Lost;
        };
        self.sent.borrow_mut().push(id.into());
        next.reply()
    }
}

#[derive(Default)]
struct Kept(Rc<RefCell<Vec<Entry>>>);

impl OutboxLog for Kept {
    fn entries(&self) -> Result<Vec<Entry>, LogFailed> {
        Ok(self.0.borrow().clone())
    }

    fn push(&mut self, entry: &Entry) -> Result<(), LogFailed> {
        self.0.borrow_mut().push(entry.clone());
        Ok(())
    }

    fn ack(&mut self, id: &WriteId, at: Timestamp) -> Result<(), LogFailed> {
        for entry in self.0.borrow_mut().iter_mut() {
            if entry.write_id == *id {
                entry.state = State::Acked { at };
            }
        }
        Ok(())
    }

    fn remove(&mut self, id: &WriteId) -> Result<(), LogFailed> {
        self.0.borrow_mut().retain(|entry| entry.write_id != *id);
        Ok(())
    }
}

pub(super) fn replay(cases: &Value, setting: &Setting) -> Vec<Replayed> {
    each(cases, |case: Case| {
        let answers: Vec<Value> = (case.steps.iter())
            .filter_map(|step| match step {
                Step::Submit { expected, .. } => Some(expected.clone()),
                _ => None,
            })
            .collect();
        let expected = json!({"answers": answers, "sent": case.sent, "refused": case.refused, "logAfter": case.log_after});
        let actual = run(case.log, case.transport, case.steps, setting.now);
        let actual = actual.unwrap_or_else(|failed| failed.to_string().into());
        (expected, actual)
    })
}

fn run(
    log: Vec<Entry>,
    script: BTreeMap<String, VecDeque<Scripted>>,
    steps: Vec<Step>,
    now: Timestamp,
) -> Result<Value, LogFailed> {
    let (kept, sent) = (Rc::new(RefCell::new(log)), Rc::default());
    let line = Line {
        script,
        sent: Rc::clone(&sent),
    };
    let mut outbox = Outbox::new(Kept(Rc::clone(&kept)), line)?;
    let (mut answers, mut refused) = (Vec::new(), Vec::new());
    for step in steps {
        match step {
            Step::Submit { entry, online, .. } => {
                answers.push(answer(outbox.submit(entry, online, now)?));
            }
            Step::Flush {} => outbox.flush(now, |refusal| refused.push(told(refusal)))?,
            Step::Rows { app, rows } => outbox.set_rows(&app, rows, now)?,
            Step::Prune {} => outbox.prune(now)?,
        }
    }
    let left = kept.borrow();
    let left = left
        .iter()
        .map(|entry| json!({"writeId": entry.write_id, "state": entry.state.as_str()}));
    Ok(json!({
        "answers": answers,
        "sent": *sent.borrow(),
        "refused": refused,
        "logAfter": left.collect::<Value>(),
    }))
}

fn answer(submitted: Submitted) -> Value {
    match submitted {
        Submitted::Done(answer) => json!({"done": answer}),
        Submitted::Refused { message, invalid } => {
            json!({"refused": {"message": message, "invalid": invalid}})
        }
        Submitted::Queued => json!({"queued": true}),
    }
}

fn told(refusal: Refusal) -> Value {
    json!({"writeId": refusal.write_id, "verb": refusal.verb.as_str(), "message": refusal.message})
}
