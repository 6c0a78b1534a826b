//! What the events of a package's templates call, as far as it is written out: the arguments of its actions, the kinds and sources it names,
//! and whether it may. That an action is there and that a place to go is a screen are said elsewhere; what no host has is a note of
//! [`super::functions`].

use eui_core::host::{
    FunctionDecision, RECORDS_BATCH_FUNCTION, action_call_name, decide_function, package_policy,
};
use serde_json::{Map, Value};

use super::bindings::Sources;
use super::core::{BIND, NAVIGATE};
use super::kinds;
use super::literals::{Later, arguments, data};
use crate::actions::is_function;
use crate::broker::catalog::{Caller, catalog};
use crate::issue::{Issue, Note};
use crate::pointer;

pub(super) fn check(package: &Map<String, Value>, issues: &mut Vec<Issue>, notes: &mut Vec<Note>) {
    let none = Map::new();
    for (at, press) in all(package) {
        let Some(function) = press["call"].as_str() else {
            continue;
        };
        allowed(package, function, &at, issues, notes);
        let args = match press.get("args") {
            None | Some(Value::Null) => &none,
            Some(Value::Object(args)) => args,
            Some(_) => continue,
        };
        let at = format!("{at}/args");
        if let Some(action) = action_call_name(function) {
            arguments(package, action, args, &at, Later::Bound, issues);
        }
        match function {
            "records.upsert" => upsert(package, args, &at, issues),
            "records.delete" => issues.extend(no_kind(package, args, &at)),
            RECORDS_BATCH_FUNCTION => {
                let writes = args.get("writes").and_then(Value::as_array);
                for (i, write) in writes.into_iter().flatten().enumerate() {
                    let here = pointer::item(&format!("{at}/writes"), i);
                    match write.as_object() {
                        Some(write) if write.get("op").is_some_and(|op| op == "upsert") => {
                            upsert(package, write, &here, issues);
                        }
                        Some(write) => issues.extend(no_kind(package, write, &here)),
                        None => {}
                    }
                }
            }
            BIND => {
                if let Some(source) = args.get("source").and_then(Value::as_str) {
                    let here = format!("{at}/source");
                    let sources = Sources::of(package);
                    sources.check(source, &here, issues, notes);
                    sources.named(source, &here, issues);
                }
            }
            _ => {}
        }
    }
}

/// Every call of an event, with its place.
fn all(package: &Map<String, Value>) -> Vec<(String, &Value)> {
    let mut found = Vec::new();
    let templates = package.get("templates").and_then(Value::as_object);
    for (name, template) in templates.into_iter().flatten() {
        let at = format!("{}/components", pointer::child("/templates", name));
        let components = template["components"].as_array();
        for (i, component) in components.into_iter().flatten().enumerate() {
            let at = format!("{}/on", pointer::item(&at, i));
            for (event, handler) in component["on"].as_object().into_iter().flatten() {
                if let Some(press) = handler.get("functionCall") {
                    let here = format!("{}/functionCall", pointer::child(&at, event));
                    found.push((here, press));
                }
            }
        }
    }
    found
}

/// The function is one that the package lists, and a capability one that its manifest asks for.
fn allowed(
    package: &Map<String, Value>,
    function: &str,
    at: &str,
    issues: &mut Vec<Issue>,
    notes: &mut Vec<Note>,
) {
    let at = format!("{at}/call");
    // What there is not is said where functions are named; an own action and a screen need no list.
    if !is_function(package, function)
        || function == NAVIGATE
        || action_call_name(function).is_some()
    {
        return;
    }
    let listed = package.get("functions").and_then(Value::as_array);
    let texts = listed.into_iter().flatten().filter_map(Value::as_str);
    let patterns: Vec<String> = texts.map(str::to_owned).collect();
    let policy = package_policy(Some(&patterns));
    if decide_function(Some(&policy), function, true) != FunctionDecision::Allow {
        if listed.is_some() {
            let what = format!("{function} is not in the package's functions: add it");
            return issues.push(Issue::new(at, what));
        }
        notes.push(Note::new(format!(
            "{at}: without `functions` a package calls its own actions only, so {function} does nothing: list it there"
        )));
    }
    scope(package, function, &at, issues);
}

/// A capability's function stands under a scope of the manifest.
fn scope(package: &Map<String, Value>, function: &str, at: &str, issues: &mut Vec<Issue>) {
    let Some(tool) = catalog().parse(Caller::Ui, function) else {
        return;
    };
    let scope = &tool.scope;
    let declared = package.get("capabilities").and_then(Value::as_array);
    let mut declared = declared.into_iter().flatten();
    let id = scope.id.as_str();
    if scope.host_only {
        let what = format!("{function} is the shell's own and no app may call it: remove it");
        issues.push(Issue::new(at, what));
    } else if !declared.any(|entry| entry["id"] == id) {
        let what = format!(
            "{function} needs the capability {id}: declare it in `capabilities` (formatVersion 5)"
        );
        issues.push(Issue::new(at, what));
    }
}

/// A record that is written: its kind, and of its data what is written out.
fn upsert(
    package: &Map<String, Value>,
    write: &Map<String, Value>,
    at: &str,
    issues: &mut Vec<Issue>,
) {
    issues.extend(no_kind(package, write, at));
    data(package, write, at, Later::Bound, issues);
}

/// The kind that a write names, where the package has none such.
fn no_kind(package: &Map<String, Value>, write: &Map<String, Value>, at: &str) -> Option<Issue> {
    let name = write.get("kind").and_then(Value::as_str)?;
    kinds::unknown(package, name, format!("{at}/kind"))
}
