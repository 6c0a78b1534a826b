//! `auditCases`: a whole call through the broker and the row it leaves. `{name, app, client: "ui" | <run id>, manifest, grants, provided,
//! foreground, call: {name, arguments}, consent?, nativeResult?, failure?, blobs?, expected: <row>, answer?}`: `consent` is what the
//! person answers when asked, `answer` (compared when it is there) what the caller gets.

use std::collections::BTreeMap;

use serde::Deserialize;
use serde_json::{Value, json};

use super::bridge::{Blob, CaseFiles, CountedIds, Failure};
use super::standing::{Declared, Held, manifest, provided};
use super::{Replayed, Setting, as_json, each};
use crate::app_id::AppId;
use crate::bridge::NativeAnswer;
use crate::broker::audit::{AuditRow, Client, UI};
use crate::broker::call::{Closed, Consent, Decided, Prepared, Request};
use crate::broker::grants::Grants;
use crate::broker::names::{CapabilityName, RunId};

#[derive(Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
struct Case {
    #[serde(rename = "name")]
    _name: Option<String>,
    app: String,
    client: String,
    manifest: Vec<Declared>,
    #[serde(default)]
    grants: Grants,
    provided: Vec<CapabilityName>,
    #[serde(default)]
    foreground: bool,
    call: Call,
    consent: Option<Answered>,
    #[serde(default)]
    native_result: Value,
    failure: Option<Failure>,
    #[serde(default)]
    blobs: BTreeMap<String, Blob>,
    expected: Value,
    answer: Option<Value>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Call {
    name: String,
    #[serde(default)]
    arguments: Value,
}

#[derive(Clone, Copy, Deserialize)]
#[serde(rename_all = "camelCase")]
enum Answered {
    Granted,
    Denied,
    Dismissed,
}

pub(super) fn replay(cases: &Value, setting: &Setting) -> Vec<Replayed> {
    each(cases, |case: Case| {
        let expected = json!({"rows": [case.expected], "answer": case.answer});
        let wants_answer = case.answer.is_some();
        let actual = match run(case, setting) {
            Ok((rows, answer)) => {
                let answer = wants_answer.then_some(answer);
                json!({"rows": as_json(&rows), "answer": answer})
            }
            Err(why) => json!(why),
        };
        (expected, actual)
    })
}

fn run(case: Case, setting: &Setting) -> Result<(Vec<AuditRow>, Value), String> {
    let app = AppId::parse(&case.app).map_err(|e| e.to_string())?;
    let client = match case.client.as_str() {
        UI => Client::Ui,
        run => Client::Run(RunId::parse(run).ok_or("the client is no run id")?),
    };
    let held = Held {
        manifest: manifest(case.manifest),
        grants: case.grants,
        provided: provided(case.provided),
        foreground: case.foreground,
    };
    let mut files = CaseFiles::holding(&app, case.blobs);
    let request = Request {
        app,
        client,
        name: case.call.name,
        arguments: case.call.arguments,
    };
    let mut decided = request.decide(&held.standing());
    if let Decided::Ask(question) = decided {
        let consent = match case
            .consent
            .ok_or("the person is asked, and the case has no answer")?
        {
            Answered::Granted => Consent::Granted,
            Answered::Denied => Consent::Denied,
            Answered::Dismissed => Consent::Dismissed,
        };
        decided = question.resume(consent);
    }
    let closed: Closed = match decided {
        Decided::Refused(closed) => closed,
        Decided::Ask(_) => return Err("the person is asked twice".into()),
        Decided::Call(allowed) => {
            let mut ids = CountedIds::default();
            let types = &setting.mime_types;
            match allowed.prepare(&setting.screens, types, &mut files, &mut ids) {
                Prepared::Closed(closed) => closed,
                Prepared::Native(running) => {
                    let answer = case.failure.map(Failure::answer);
                    let answer = answer.unwrap_or(NativeAnswer::Result(case.native_result));
                    running.finish(answer, &mut files)
                }
            }
        }
    };
    let mut rows: Vec<AuditRow> = Vec::new();
    let settled = closed.settle(&mut rows);
    Ok((rows, as_json(&settled.answer)))
}
