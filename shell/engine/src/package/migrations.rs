//! How records of an older version become this one's: the declared steps name what exists and type.

use eui_core::cel::{check_expression, parse_expression, required_type, type_display};
use eui_core::host::{schema_type, validate_record};
use serde_json::{Map, Value, json};

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
            // A field of this version that this step has the last word on.
            let last = |step: &str| {
                let field = op[step]["field"].as_str()?;
                let again = |op: &Value| op["map"]["field"] == field;
                let kept = !moves_on(field, later) && !later.iter().any(again);
                Some((field, fields.get(field).filter(|_| kept)?))
            };
            if let (Some((name, field)), Some(value)) =
                (last("default"), op["default"].get("value"))
            {
                let alone = json!({"properties": {"v": field}});
                for problem in validate_record(&alone, &json!({"v": value})) {
                    let item = problem.path.strip_prefix("/v").unwrap_or_default();
                    issues.push(Issue::new(
                        format!("{here}/default/value{item}"),
                        format!("{} must be {}", quoted(name), problem.message),
                    ));
                }
            }
            let Some(expression) = op["map"]["expr"].as_str() else {
                continue;
            };
            let place = format!("{here}/map/expr");
            match check_old(expression) {
                Err(problem) => issues.push(Issue::new(place, expression_words(&problem))),
                Ok(found) => {
                    if let Some((name, field)) = last("map")
                        && !fits(&schema_type(Some(field)), &found)
                    {
                        issues.push(Issue::new(
                            place,
                            format!(
                                "{} is {}, and this gives {}",
                                quoted(name),
                                type_display(&schema_type(Some(field))),
                                type_display(&required_type(&found))
                            ),
                        ));
                    }
                }
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

/// The old shape is not in this file, so a field may be anything: the expression must parse and its calls must type. The type it gives.
fn check_old(expression: &str) -> Result<Value, String> {
    let mut types = Map::new();
    names(&parse_expression(expression)?, &mut types);
    check_expression(expression, &types)
}

/// May what an expression gives stand in a field? What is not known, and what may be missing, may.
fn fits(field: &Value, given: &Value) -> bool {
    let given = required_type(given);
    let field = required_type(field);
    let textual = |t: &Value| matches!(t.as_str(), Some("string" | "date" | "timestamp"));
    let open = |t: &Value| t == "dyn" || t == "null";
    open(&field)
        || open(&given)
        || (textual(&field) && textual(&given))
        || (field.is_array() && given.is_array())
        || type_display(&field) == type_display(&given)
}
