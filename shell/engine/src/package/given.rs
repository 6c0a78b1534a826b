//! What automations and tools are to run with: the records they write, the arguments of their actions, what a tool lists, and the `${…}` that
//! is filled in. Nothing is installed that must fail whenever it runs.

use eui_core::host::parse_records_json;
use serde_json::{Map, Value};

use super::kinds;
use super::literals::{Later, arguments, data};
use super::queries;
use crate::issue::{Issue, Note, did_you_mean, quoted};
use crate::pointer;
use crate::runs::{action_name, fill};

pub(super) fn check(package: &Map<String, Value>, issues: &mut Vec<Issue>, notes: &mut Vec<Note>) {
    let each = |key: &str| package.get(key).and_then(Value::as_array);
    for (i, automation) in each("automations").into_iter().flatten().enumerate() {
        let at = format!("{}/run", pointer::item("/automations", i));
        let given = Given::of(package, &automation["on"]);
        run(package, &automation["run"], &at, &given, issues);
    }
    for (i, tool) in each("exposes").into_iter().flatten().enumerate() {
        let at = format!("{}/run", pointer::item("/exposes", i));
        run(package, &tool["run"], &at, &Given::Input, issues);
        let records = &tool["run"]["records"];
        if records["op"] == "list" {
            list(package, records, &format!("{at}/records"), issues, notes);
        }
    }
}

fn run(
    package: &Map<String, Value>,
    run: &Value,
    at: &str,
    given: &Given,
    issues: &mut Vec<Issue>,
) {
    let none = Map::new();
    if let Some(action) = run["action"].as_str() {
        let args = run["args"].as_object().unwrap_or(&none);
        let here = format!("{at}/args");
        let name = action_name(action);
        arguments(package, name, args, &here, Later::Filled, issues);
    }
    if let Some(records) = run["records"].as_object()
        && records.get("op").is_some_and(|op| op == "upsert")
    {
        let here = format!("{at}/records");
        data(package, records, &here, Later::Filled, issues);
    }
    // An agent's prompt is never filled.
    for key in ["records", "args"] {
        names(&run[key], &pointer::child(at, key), given, issues);
    }
}

/// What the `${…}` of a run may name.
enum Given<'a> {
    /// A record of the kind was written: its fields, and when.
    Record { kind: &'a str, def: &'a Value },
    /// Something happened elsewhere: what that says, and when.
    Event,
    /// When.
    Clock,
    /// A tool's `input`, whose properties eui-core holds the names against.
    Input,
}

impl<'a> Given<'a> {
    fn of(package: &'a Map<String, Value>, on: &'a Value) -> Given<'a> {
        if let Some(kind) = on["record"]["kind"].as_str() {
            let def = package.get("records").and_then(|all| all.get(kind));
            let def = def.unwrap_or(&Value::Null);
            return Given::Record { kind, def };
        }
        if on["event"].is_string() || on["webhook"].is_object() {
            return Given::Event;
        }
        Given::Clock
    }

    /// Why `path` names nothing.
    fn refuses(&self, path: &str) -> Option<String> {
        let (root, rest) = path
            .split_once('.')
            .map_or((path, None), |(root, rest)| (root, Some(rest)));
        match (self, root) {
            (Given::Input, "input") => return None,
            (Given::Input, _) => {
                return Some(format!(
                    "a tool is given `input` alone: write {}",
                    quoted("${input.…}")
                ));
            }
            // What belongs to a tool has been said.
            (_, "input") => return None,
            (_, "firedAt") if rest.is_none() => return None,
            (_, "firedAt") => {
                return Some("firedAt is one time and has no parts: write ${firedAt}".into());
            }
            (Given::Event, "event") => return None,
            (Given::Record { kind, def }, "record") => return no_field(kind, def, rest?),
            (_, "record") => "a record's fields are there when `on` is {record: …}",
            (_, "event") => "an event is there when `on` is {event: …} or {webhook: …}",
            _ => "an automation reads ${record.…}, ${event.…} and ${firedAt}",
        }
        .to_owned()
        .into()
    }
}

/// Why the record of a trigger has no such field; it comes with its id, and computes nothing.
fn no_field(kind: &str, def: &Value, field: &str) -> Option<String> {
    let fields = def["schema"]["properties"].as_object()?;
    let open = def["schema"]["additionalProperties"] == true;
    if open || field == "id" || fields.contains_key(field) {
        return None;
    }
    if kinds::computed_of(def).any(|(name, _)| name == field) {
        return Some(format!(
            "{} is computed, and a trigger gives what is stored",
            quoted(field)
        ));
    }
    let known = fields.keys().map(String::as_str).chain(["id"]);
    Some(format!(
        "{kind} has no field {}{}",
        quoted(field),
        did_you_mean(field, known)
    ))
}

/// Every `${…}` of a value that stands at `at`; no key is filled.
fn names(value: &Value, at: &str, given: &Given, issues: &mut Vec<Issue>) {
    match value {
        Value::String(text) => {
            for path in fill::paths(text) {
                if let Some(why) = given.refuses(path) {
                    let what =
                        format!("{} is nothing here: {why}", quoted(&format!("${{{path}}}")));
                    issues.push(Issue::new(at, what));
                }
            }
        }
        Value::Array(items) => {
            for (i, item) in items.iter().enumerate() {
                names(item, &pointer::item(at, i), given, issues);
            }
        }
        Value::Object(members) => {
            for (key, member) in members {
                names(member, &pointer::child(at, key), given, issues);
            }
        }
        _ => {}
    }
}

/// The keys of a query that a tool's run writes out itself.
fn list(
    package: &Map<String, Value>,
    records: &Value,
    at: &str,
    issues: &mut Vec<Issue>,
    notes: &mut Vec<Note>,
) {
    let Some(kind) = records["kind"].as_str() else {
        return;
    };
    // What is filled in is known when it is called, but for the conditions, whose fields stand there.
    let own = |key: &str| !matches!(key, "op" | "kind" | "query" | "app" | "from");
    let written = records.as_object().into_iter().flatten();
    let mut query: Map<String, Value> = written
        .filter(|(key, value)| {
            let conditions = *key == "where" && !value.is_string();
            own(key) && (conditions || !Later::Filled.is(value))
        })
        .map(|(key, value)| (key.clone(), value.clone()))
        .collect();
    let equal = match query.get("where") {
        // Each member of an object is what its field must be.
        Some(Value::Object(_)) => query.shift_remove("where"),
        _ => None,
    };
    let query = Value::Object(query);
    for problem in parse_records_json(&query, Some(kind)).1 {
        let place = query.pointer(&problem.path);
        if !place.is_some_and(|value| Later::Filled.is(value)) {
            issues.push(Issue::new(format!("{at}{}", problem.path), problem.message));
        }
    }
    queries::written(package, kind, &query, equal.as_ref(), at, issues, notes);
}
