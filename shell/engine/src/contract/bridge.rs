//! `bridgeCases`: `{name, tool, arguments, native, nativeResult, puts, expected}`: what the native is asked (null: it never runs), what it
//! answers, what is stored (compared when it is there), and what the app gets: `{structuredContent}` or `{isError, outcome}`. `blobs` are files the app has
//! already; `failure` is a native that did not answer; `expected.result` compares the whole call result.

use std::collections::BTreeMap;

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use serde::Deserialize;
use serde_json::{Value, json};

use super::{Replayed, Setting, as_json, each};
use crate::app_id::AppId;
use crate::bridge::files::{FileId, FileStore, NewFile, NotificationIds, StoreError};
use crate::bridge::{Answered, AppContext, Bridged, Ended, NativeAnswer, format};
use crate::broker::catalog::{Caller, catalog};

#[derive(Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
struct Case {
    #[serde(rename = "name")]
    _name: Option<String>,
    tool: String,
    #[serde(default)]
    arguments: Value,
    #[serde(default)]
    native: Value,
    #[serde(default)]
    native_result: Value,
    failure: Option<Failure>,
    #[serde(default)]
    blobs: BTreeMap<String, Blob>,
    puts: Option<Vec<Value>>,
    expected: Value,
}

/// A file the app has.
#[derive(Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub(super) struct Blob {
    #[serde(rename = "name")]
    _name: Option<String>,
    #[serde(rename = "mimeType")]
    _mime_type: Option<String>,
    base64: String,
}

/// A native that did not answer.
#[derive(Clone, Copy, Deserialize)]
#[serde(rename_all = "camelCase")]
pub(super) enum Failure {
    RpcError,
    Unreachable,
    Timeout,
}

impl Failure {
    pub fn answer(self) -> NativeAnswer {
        match self {
            Failure::RpcError => NativeAnswer::RpcError,
            Failure::Unreachable => NativeAnswer::Unreachable,
            Failure::Timeout => NativeAnswer::Timeout,
        }
    }
}

pub(super) fn replay(cases: &Value, setting: &Setting) -> Vec<Replayed> {
    each(cases, |case: Case| {
        let mut files = CaseFiles::holding(&setting.app, case.blobs);
        let Some(tool) = catalog().parse(Caller::Ui, &case.tool) else {
            return (case.expected, json!("there is no such tool"));
        };
        let context = AppContext {
            app: &setting.app,
            screens: &setting.screens,
            mime_types: &setting.mime_types,
        };
        let mut ids = CountedIds::default();
        let (asked, answered) =
            match Bridged::open(tool, &case.arguments, context, &mut files, &mut ids) {
                Bridged::Answered(answered) => (Value::Null, answered),
                Bridged::Native(mut running) => {
                    let asked = Value::Object(running.take_native_arguments());
                    let answer = case.failure.map(Failure::answer);
                    let answer = answer.unwrap_or(NativeAnswer::Result(case.native_result));
                    (asked, running.close(answer, &setting.app, &mut files))
                }
            };
        let got = answer(&answered, &case.expected);
        let stored = case.puts.is_some().then(|| files.puts());
        (
            json!({"native": case.native, "puts": case.puts, "answer": case.expected}),
            json!({"native": asked, "puts": stored, "answer": got}),
        )
    })
}

/// The answer in the words of the case.
pub(super) fn answer(answered: &Answered, expected: &Value) -> Value {
    let result = &answered.result;
    let mut got = match result.structured() {
        Some(content) => json!({"structuredContent": content}),
        None => json!({"isError": result.text(), "outcome": answered.ended.as_str()}),
    };
    if answered.ended == Ended::Ok && expected.get("outcome").is_some() {
        got["outcome"] = json!(answered.ended.as_str());
    }
    if expected.get("result").is_some() {
        got["result"] = as_json(result);
    }
    // The text of an answer is its content as JSON; only what is not so shows.
    let text = result.structured().map(Value::to_string);
    if text.is_some() && result.text() != text.as_deref() {
        got["text"] = json!(result.text());
    }
    got
}

/// The files of one app; new ones are `blob-1`, `blob-2`, …
pub(super) struct CaseFiles {
    app: AppId,
    held: BTreeMap<FileId, Vec<u8>>,
    stored: Vec<NewFile>,
}

impl CaseFiles {
    pub fn holding(app: &AppId, blobs: BTreeMap<String, Blob>) -> CaseFiles {
        let held = blobs.into_iter().filter_map(|(id, blob)| {
            let bytes = format::bytes(&blob.base64)?;
            Some((FileId::new(id), bytes))
        });
        CaseFiles {
            app: app.clone(),
            held: held.collect(),
            stored: Vec::new(),
        }
    }

    /// What was stored, in order.
    pub fn stored(&self) -> &[NewFile] {
        &self.stored
    }

    fn puts(&self) -> Vec<Value> {
        let put = |file: &NewFile| json!({"name": file.name, "mimeType": file.mime_type, "base64": STANDARD.encode(&file.bytes)});
        self.stored.iter().map(put).collect()
    }
}

impl FileStore for CaseFiles {
    fn get(&self, app: &AppId, id: &FileId) -> Result<Option<Vec<u8>>, StoreError> {
        let own = self.held.get(id).filter(|_| *app == self.app);
        Ok(own.cloned())
    }

    fn put(&mut self, _: &AppId, files: Vec<NewFile>) -> Result<Vec<FileId>, StoreError> {
        let first = self.stored.len() + 1;
        let ids = (first..first + files.len()).map(|n| FileId::new(format!("blob-{n}")));
        self.stored.extend(files);
        Ok(ids.collect())
    }
}

/// Ids that count up from nothing.
#[derive(Default)]
pub(super) struct CountedIds(u128);

impl NotificationIds for CountedIds {
    fn next(&mut self) -> std::io::Result<u128> {
        let id = self.0;
        self.0 += 1;
        Ok(id)
    }
}
