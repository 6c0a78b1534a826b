//! `decideCases`: `{name, manifest, grants, provided, foreground, call: {from, name, arguments}, expected: <verdict>}`.

use serde::Deserialize;
use serde_json::Value;

use super::standing::{Call, Declared, Held, manifest, provided};
use super::{Replayed, Setting, as_json, each};
use crate::broker::decide::decide;
use crate::broker::grants::Grants;
use crate::broker::names::CapabilityName;

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Case {
    #[serde(rename = "name")]
    _name: Option<String>,
    manifest: Vec<Declared>,
    #[serde(default)]
    grants: Grants,
    provided: Vec<CapabilityName>,
    #[serde(default)]
    foreground: bool,
    call: Call,
    expected: Value,
}

pub(super) fn replay(cases: &Value, _: &Setting) -> Vec<Replayed> {
    each(cases, |case: Case| {
        let held = Held {
            manifest: manifest(case.manifest),
            grants: case.grants,
            provided: provided(case.provided),
            foreground: case.foreground,
        };
        let call = case.call;
        let verdict = decide(&held.standing(), call.from, &call.name, &call.arguments);
        (case.expected, as_json(&verdict))
    })
}
