//! `listCases`: `{name, manifest, provided, expected: [<qualified name>]}`, an agent's tools in order.

use serde::Deserialize;
use serde_json::Value;

use super::standing::{Declared, manifest, provided};
use super::{Replayed, Setting, each};
use crate::broker::catalog::Tool;
use crate::broker::decide::list;
use crate::broker::names::CapabilityName;

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Case {
    #[serde(rename = "name")]
    _name: Option<String>,
    manifest: Vec<Declared>,
    provided: Vec<CapabilityName>,
    expected: Value,
}

pub(super) fn replay(cases: &Value, _: &Setting) -> Vec<Replayed> {
    each(cases, |case: Case| {
        let tools = list(&manifest(case.manifest), &provided(case.provided));
        let names = tools.into_iter().map(Tool::qualified);
        (case.expected, names.collect())
    })
}
