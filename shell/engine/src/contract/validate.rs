//! `validateCases`: `{tool, arguments, expected: {arguments} | {error: "invalidParams: <pointer> <keyword>"}}`.

use serde::Deserialize;
use serde_json::{Value, json};

use super::{Replayed, Setting, each};
use crate::bridge::validate::arguments;
use crate::broker::catalog::{Caller, catalog};

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Case {
    #[serde(rename = "name")]
    _name: Option<String>,
    tool: String,
    #[serde(default)]
    arguments: Value,
    expected: Value,
}

pub(super) fn replay(cases: &Value, _: &Setting) -> Vec<Replayed> {
    each(cases, |case: Case| {
        let tool = catalog().parse(Caller::Ui, &case.tool);
        let actual = match tool.and_then(|tool| tool.terms.as_ref()) {
            None => json!({"error": "there is no such tool"}),
            Some(terms) => match arguments(&terms.input.schema, &case.arguments) {
                Ok(arguments) => json!({"arguments": arguments}),
                Err(violation) => json!({"error": format!("invalidParams: {violation}")}),
            },
        };
        (case.expected, actual)
    })
}
