//! `parseCases`: `{name, from: "ui" | "agent", expected: {capability, tool} | null}`; `from` left out is an agent.

use serde::Deserialize;
use serde_json::{Value, json};

use super::{Replayed, Setting, each};
use crate::broker::catalog::{Caller, catalog};

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Case {
    name: String,
    from: Option<Caller>,
    expected: Value,
}

pub(super) fn replay(cases: &Value, _: &Setting) -> Vec<Replayed> {
    each(cases, |case: Case| {
        let found = catalog().parse(case.from.unwrap_or(Caller::Agent), &case.name);
        let actual = found.map(|t| json!({"capability": t.capability, "tool": t.name}));
        (case.expected, actual.unwrap_or(Value::Null))
    })
}
