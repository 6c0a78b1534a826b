//! `modeCases`: `{name, sync, expected: "queue"|"direct"}`, when a write of an app reaches the authority.

use serde::Deserialize;
use serde_json::Value;

use super::{Replayed, Setting, each};
use crate::outbox::Mode;

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Case {
    #[serde(rename = "name")]
    _name: Option<String>,
    sync: bool,
    expected: Value,
}

pub(super) fn replay(cases: &Value, _: &Setting) -> Vec<Replayed> {
    each(cases, |case: Case| {
        (case.expected, Mode::of(case.sync).as_str().into())
    })
}
