//! `mimeCases`: `{given?, name, base64 | text, expected: <MIME type>}`, by this host's own table of extensions.

use serde::Deserialize;
use serde_json::{Value, json};

use super::{Replayed, Setting, each};
use crate::bridge::format;
use crate::bridge::mime::MimeTypes;

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Case {
    given: Option<String>,
    name: String,
    base64: Option<String>,
    text: Option<String>,
    expected: Value,
}

pub(super) fn replay(cases: &Value, _: &Setting) -> Vec<Replayed> {
    each(cases, |case: Case| {
        let bytes = match (&case.text, &case.base64) {
            (Some(text), None) => Some(text.as_bytes().to_vec()),
            (None, Some(base64)) => format::bytes(base64),
            _ => None,
        };
        let Some(bytes) = bytes else {
            return (case.expected, json!("a case has a `text` or a `base64`"));
        };
        let given = case.given.as_deref();
        let found = MimeTypes::known().of_file(given, &case.name, &bytes, case.text.is_some());
        (case.expected, json!(found))
    })
}
