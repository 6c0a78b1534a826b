//! `pdfCases`: `{name, arguments, blobs?, expected}`: what an app gets for a document, `{structuredContent, sha256}` with the hash of the
//! file that is stored, or `{isError, outcome}`, and then nothing is stored. `blobs` are files the app has already.

use std::collections::BTreeMap;

use serde::Deserialize;
use serde_json::{Value, json};
use sha2::{Digest, Sha256};

use super::bridge::{Blob, CaseFiles, CountedIds, answer};
use super::{Replayed, Setting, each};
use crate::bridge::{AppContext, Bridged};
use crate::broker::catalog::{Caller, catalog};
use crate::package::hex;

const TOOL: &str = "print_pdf";

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Case {
    #[serde(rename = "name")]
    _name: String,
    arguments: Value,
    #[serde(default)]
    blobs: BTreeMap<String, Blob>,
    expected: Value,
}

pub(super) fn replay(cases: &Value, setting: &Setting) -> Vec<Replayed> {
    each(cases, |case: Case| {
        let mut files = CaseFiles::holding(&setting.app, case.blobs);
        let Some(tool) = catalog().parse(Caller::Ui, TOOL) else {
            return (case.expected, json!("there is no such tool"));
        };
        let context = AppContext {
            app: &setting.app,
            screens: &setting.screens,
            mime_types: &setting.mime_types,
        };
        let mut ids = CountedIds::default();
        let opened = Bridged::open(tool, &case.arguments, context, &mut files, &mut ids);
        let Bridged::Answered(answered) = opened else {
            return (case.expected, json!("a native was asked"));
        };
        let mut got = answer(&answered, &case.expected);
        match files.stored() {
            [] => {}
            [file] => got["sha256"] = json!(hex(&Sha256::digest(&file.bytes))),
            files => got["stored"] = json!(files.len()),
        }
        (case.expected, got)
    })
}
