//! What eui-core 0.6 is given. It reads format 2; everything formats 3 to 5 add is taken out or said in format 2's
//! words, so that its checker, actions and templates judge and run a newer package as its author meant it.

use eui_core::host::ACTION_CALL_PREFIX;
use serde_json::{Map, Value, json};

use super::kinds;
use crate::broker::catalog::catalog;

/// eui-core takes a function for a host's own only under its known prefixes; `harness.` is one of them. A call step
/// named by this host's families is renamed under it on the way in and back on the way out.
const HOST_PREFIX: &str = "harness.";

/// The call that opens a screen.
pub const NAVIGATE: &str = "app.navigate";

/// The call that makes a path of the data follow another source. eui-core counts it among its own functions, and its surfaces
/// swallow a press that calls one of those: under the host's prefix it comes out.
pub const BIND: &str = "bind";

/// The host functions of this shell that eui-core would take for its own or for pure ones.
fn is_ours(call: &str) -> bool {
    call == BIND || call.starts_with("app.") || catalog().is_capability_call(call)
}

/// The name eui-core knows a call step's function by.
pub fn core_call_name(call: &str) -> String {
    if is_ours(call) {
        format!("{HOST_PREFIX}{call}")
    } else {
        call.to_owned()
    }
}

/// The function a planned call names, as the package wrote it.
pub fn package_call_name(planned: &str) -> &str {
    planned
        .strip_prefix(HOST_PREFIX)
        .filter(|name| is_ours(name))
        .unwrap_or(planned)
}

/// The style conditions of format 3 in format 2's words: a phone is narrower than the `md` breakpoint (768).
const FORM_FACTORS: [(&str, &str); 2] = [
    (
        "@media (form-factor: phone)",
        "@media (max-width: 767.98px)",
    ),
    (
        "@media (form-factor: wide)",
        "@media (min-width: $breakpoint.md)",
    ),
];

/// A package's copy in format 2. `package` is an object; whatever is malformed in it stays as it is.
pub(super) fn copy(package: &Map<String, Value>, format: u8) -> Map<String, Value> {
    let mut core = without_templates(package);
    if let Some(templates) = package.get("templates") {
        let mut templates = templates.clone();
        for template in templates
            .as_object_mut()
            .into_iter()
            .flat_map(Map::values_mut)
        {
            translate(template, format);
        }
        core.insert("templates".into(), templates);
    }
    core
}

/// As [`copy`], but for the templates, which are most of a package.
pub(super) fn without_templates(package: &Map<String, Value>) -> Map<String, Value> {
    let rest = package.iter().filter(|(key, _)| *key != "templates");
    let mut core: Map<String, Value> = rest.map(|(k, v)| (k.clone(), v.clone())).collect();
    core.insert(
        "formatVersion".into(),
        eui_core::host::PACKAGE_FORMAT_VERSION.into(),
    );
    for key in [
        "screens",
        "migrations",
        "automations",
        "capabilities",
        "author",
        "signature",
    ] {
        core.shift_remove(key);
    }
    core.entry("sources")
        .or_insert_with(|| json!(["records:*"]));
    if let Some(records) = core.get_mut("records").and_then(Value::as_object_mut) {
        for kind in records.values_mut().filter(|k| k.is_object()) {
            let title = kind.get("title").cloned();
            *kind = json!({"schema": kinds::schema_for_core(kind)});
            if let Some(title) = title {
                kind["title"] = title;
            }
        }
    }
    for query in core
        .get_mut("queries")
        .and_then(Value::as_object_mut)
        .into_iter()
        .flat_map(Map::values_mut)
    {
        if let Some(query) = query.as_object_mut() {
            query.shift_remove("expand");
        }
    }
    functions(&mut core);
    for action in core
        .get_mut("actions")
        .and_then(Value::as_object_mut)
        .into_iter()
        .flat_map(Map::values_mut)
    {
        for step in action
            .get_mut("steps")
            .and_then(Value::as_array_mut)
            .into_iter()
            .flatten()
        {
            if let Some(call) = step.get("call").and_then(Value::as_str).map(core_call_name) {
                step["call"] = call.into();
            }
        }
    }
    exposes(&mut core, package);
    core
}

/// A template's copy in format 2.
pub(super) fn template(template: &Value, format: u8) -> Value {
    let mut copy = template.clone();
    translate(&mut copy, format);
    copy
}

fn translate(template: &mut Value, format: u8) {
    let components = template.get_mut("components").and_then(Value::as_array_mut);
    for component in components.into_iter().flatten() {
        presses(component);
        if format >= 3 {
            conditions(component);
        }
    }
}

/// The functions a component's events call, by the names eui-core's surfaces let out.
fn presses(component: &mut Value) {
    for handler in component
        .get_mut("on")
        .and_then(Value::as_object_mut)
        .into_iter()
        .flat_map(Map::values_mut)
    {
        if let Some(call) = handler
            .pointer_mut("/functionCall/call")
            .filter(|call| *call == BIND)
        {
            *call = core_call_name(BIND).into();
        }
    }
}

/// Patterns that allow our functions allow their renamed form too; navigating is always allowed.
fn functions(core: &mut Map<String, Value>) {
    let Some(list) = core.get_mut("functions").and_then(Value::as_array_mut) else {
        return;
    };
    let renamed: Vec<Value> = list
        .iter()
        .filter_map(Value::as_str)
        .filter(|f| is_ours(f))
        .map(|f| format!("{HOST_PREFIX}{f}").into())
        .collect();
    list.extend(renamed);
    list.push(NAVIGATE.into());
    list.push(format!("{HOST_PREFIX}{NAVIGATE}").into());
}

/// A tool that asks an agent, or runs an action by its short name, in the only words eui-core has for it.
fn exposes(core: &mut Map<String, Value>, package: &Map<String, Value>) {
    let actions = package.get("actions").and_then(Value::as_object);
    for expose in core
        .get_mut("exposes")
        .and_then(Value::as_array_mut)
        .into_iter()
        .flatten()
    {
        let Some(run) = expose.get_mut("run").and_then(Value::as_object_mut) else {
            continue;
        };
        if let Some(agent) = run.shift_remove("agent") {
            // An agent's run always writes, which is how eui-core reads an action with this name.
            run.insert("action".into(), "agents.run".into());
            run.insert(
                "args".into(),
                json!({"agent": agent, "prompt": run.get("prompt")}),
            );
        } else if let Some(name) = run
            .get("action")
            .and_then(Value::as_str)
            .filter(|n| actions.is_some_and(|a| a.contains_key(*n)))
        {
            run.insert(
                "action".into(),
                format!("{ACTION_CALL_PREFIX}{}", name.to_lowercase()).into(),
            );
        }
    }
}

/// Form-factor conditions of a component's styles, at any depth, as width conditions.
pub(crate) fn conditions(value: &mut Value) {
    match value {
        Value::Array(items) => items.iter_mut().for_each(conditions),
        Value::Object(members) => {
            members.values_mut().for_each(conditions);
            if !members
                .keys()
                .any(|k| FORM_FACTORS.iter().any(|(ours, _)| k == ours))
            {
                return;
            }
            // Later blocks win over earlier ones, so the order of the keys is kept.
            let old = std::mem::take(members);
            for (key, inner) in old {
                let key = FORM_FACTORS
                    .iter()
                    .find(|(ours, _)| key == *ours)
                    .map_or(key, |(_, core)| (*core).to_owned());
                match (members.get_mut(&key), inner) {
                    (Some(Value::Object(there)), Value::Object(more)) => there.extend(more),
                    (_, inner) => {
                        members.insert(key, inner);
                    }
                }
            }
        }
        _ => {}
    }
}
