//! How records of an older version become this one's: the declared steps name what exists and type.

use eui_core::cel::{check_expression, parse_expression};
use serde_json::{Map, Value};

use super::expression::names;
use crate::issue::{Issue, did_you_mean, expression_words, quoted};
use crate::pointer;

pub(super) fn check(package: &Map<String, Value>) -> Vec<Issue> {
    let mut issues = Vec::new();
    let none = Map::new();
    let kinds = package
        .get("records")
        .and_then(Value::as_object)
        .unwrap_or(&none);
    for (i, migration) in package
        .get("migrations")
        .and_then(Value::as_array)
        .into_iter()
        .flatten()
        .enumerate()
    {
        let at = pointer::item("/migrations", i);
        let ops = migration["ops"].as_array().map_or(&[][..], Vec::as_slice);
        // The kind is called as the old version called it; the last new name is one of this version's.
        let renamed = ops
            .iter()
            .filter_map(|op| op["renameKind"].as_str())
            .next_back();
        let Some(written) = migration["kind"].as_str() else {
            continue;
        };
        let (name, here) = renamed.map_or((written, format!("{at}/kind")), |name| {
            (name, format!("{at}/ops"))
        });
        let Some(kind) = kinds.get(name) else {
            issues.push(Issue::new(
                here,
                format!(
                    "no kind is called {}{}",
                    quoted(name),
                    did_you_mean(name, kinds.keys().map(String::as_str))
                ),
            ));
            continue;
        };
        let fields = kind["schema"]["properties"].as_object().unwrap_or(&none);
        for (j, op) in ops.iter().enumerate() {
            let here = pointer::item(&format!("{at}/ops"), j);
            let later = &ops[j + 1..];
            let mut lands = |field: &Value, place: String| {
                let Some(field) = field
                    .as_str()
                    .filter(|f| !fields.contains_key(*f) && !moves_on(f, later))
                else {
                    return;
                };
                issues.push(Issue::new(
                    place,
                    format!(
                        "{name} has no field {}{}",
                        quoted(field),
                        did_you_mean(field, fields.keys().map(String::as_str))
                    ),
                ));
            };
            lands(&op["rename"]["to"], format!("{here}/rename/to"));
            lands(&op["default"]["field"], format!("{here}/default/field"));
            lands(&op["map"]["field"], format!("{here}/map/field"));
            if let Some(expression) = op["map"]["expr"].as_str()
                && let Err(problem) = check_old(expression)
            {
                issues.push(Issue::new(
                    format!("{here}/map/expr"),
                    expression_words(&problem),
                ));
            }
        }
    }
    issues
}

/// Does a later step take this field away again?
fn moves_on(field: &str, later: &[Value]) -> bool {
    later
        .iter()
        .any(|op| op["rename"]["from"] == field || op["drop"] == field)
}

/// The old shape is not in this file, so a field may be anything: the expression must parse and its calls must type.
fn check_old(expression: &str) -> Result<(), String> {
    let mut types = Map::new();
    names(&parse_expression(expression)?, &mut types);
    check_expression(expression, &types).map(|_| ())
}
