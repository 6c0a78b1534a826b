//! The functions a package calls, and those it lists, exist on this host. One that does not is a note and no issue: the package may be at
//! home elsewhere, and what calls it here says so when it is pressed.

use std::collections::BTreeSet;

use eui_core::host::{FunctionDecision, decide_function, package_policy};
use serde_json::{Map, Value};

use crate::actions::{FUNCTIONS, is_function};
use crate::broker::catalog::{Tool, catalog};
use crate::issue::{Note, did_you_mean, quoted};
use crate::upstreams::ServerTool;
use crate::upstreams::errand::{PREFIX, upstreams};

pub(super) fn notes(package: &Map<String, Value>) -> Vec<Note> {
    let mut called = BTreeSet::new();
    let templates = package.get("templates").and_then(Value::as_object);
    for template in templates.into_iter().flat_map(Map::values) {
        let components = template.get("components").and_then(Value::as_array);
        for component in components.into_iter().flatten() {
            let handlers = component.get("on").and_then(Value::as_object);
            for handler in handlers.into_iter().flat_map(Map::values) {
                called.extend(
                    handler
                        .pointer("/functionCall/call")
                        .and_then(Value::as_str),
                );
            }
        }
    }
    let actions = package.get("actions").and_then(Value::as_object);
    for action in actions.into_iter().flat_map(Map::values) {
        let steps = action.get("steps").and_then(Value::as_array);
        called.extend(
            (steps.into_iter().flatten())
                .filter_map(|step| step.get("call").and_then(Value::as_str)),
        );
    }
    // Without a dot it is the catalog's, and held against that.
    called.retain(|name| name.contains('.') && !is_function(package, name));
    let own = actions.into_iter().flat_map(Map::keys);
    let own: Vec<String> = own.map(|name| format!("actions.{name}")).collect();
    let known = || own.iter().map(String::as_str).chain(FUNCTIONS);
    let note = |name: &str| {
        let hint = did_you_mean(name, known());
        Note::new(format!(
            "no function is called {} here, what calls it does nothing{hint}",
            quoted(name)
        ))
    };
    let listed = package.get("functions").and_then(Value::as_array);
    let listed = listed.into_iter().flatten().filter_map(Value::as_str);
    let useless = listed.filter(|pattern| !allows_something(package, pattern, &own));
    let allows_nothing = useless.map(|pattern| {
        let why = if pattern.starts_with(PREFIX) {
            "`upstreams` names no server whose tool it is".to_owned()
        } else {
            format!(
                "no function is called so here{}",
                did_you_mean(pattern, known())
            )
        };
        Note::new(format!(
            "{} in `functions` allows nothing: {why}",
            quoted(pattern)
        ))
    });
    called.into_iter().map(note).chain(allows_nothing).collect()
}

/// Is there anything that this one of its `functions`, a name or a pattern, lets it call? What only Exponential has is at home there. `own`: its
/// actions.
fn allows_something(package: &Map<String, Value>, pattern: &str, own: &[String]) -> bool {
    // What the catalog itself runs needs no listing.
    let builtin = |name: &str| decide_function(None, name, false) == FunctionDecision::Allow;
    let Some(fixed) = pattern.split_once('*').map(|(fixed, _)| fixed) else {
        return builtin(pattern) || is_function(package, pattern);
    };
    if fixed.starts_with("exponential.") {
        return true;
    }
    if fixed.starts_with(PREFIX) {
        // A server's tools are not known before it is asked.
        let any = ServerTool::of_function(package, &pattern.replace('*', "x")).is_some();
        return any || fixed == PREFIX && upstreams(package).next().is_some();
    }
    let policy = package_policy(Some(&[pattern.to_owned()]));
    let fits = |name: &str| {
        !builtin(name) && decide_function(Some(&policy), name, true) == FunctionDecision::Allow
    };
    let spelled = |tool: &Tool| {
        ['.', '_'].map(|between| format!("{}{between}{}", tool.capability, tool.name))
    };
    FUNCTIONS.iter().any(|name| fits(name))
        || own.iter().any(|name| fits(name))
        || catalog()
            .tools()
            .iter()
            .flat_map(spelled)
            .any(|name| fits(&name))
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn a_call_of_nothing_is_noted_wherever_it_stands() {
        let press = |name: &str| json!({"id": "b", "component": "Button", "on": {"press": {"functionCall": {"call": name}}}});
        let package = json!({
            "actions": {"log": {"steps": [{"call": "records.upsrt"}, {"call": "windows.list"}]}},
            "templates": {"main": {"components": [press("actions.lgo"), press("openUrl"), press("exponential.issues.create"), press("harness.toast")]}}});
        let package = package.as_object().cloned().unwrap_or_default();
        let said: Vec<String> = notes(&package).into_iter().map(|n| n.message).collect();
        assert_eq!(
            said,
            [
                "no function is called `actions.lgo` here, what calls it does nothing: did you mean `actions.log`?",
                "no function is called `records.upsrt` here, what calls it does nothing: did you mean `records.upsert`?",
            ]
        );
    }

    #[test]
    fn what_is_listed_and_allows_nothing_is_noted() {
        let package = json!({
            "upstreams": ["shop"],
            "actions": {"log": {}},
            "functions": ["records.*", "actions.*", "windows_*", "harness.toast", "bind", "exponential.issues.*", "upstream.shop.*", "upstream.*", "*",
                "upstream.bank.*", "upstream.bank.pay", "records.upsrt", "windws.*", "bnd"]});
        let package = package.as_object().cloned().unwrap_or_default();
        let said: Vec<String> = notes(&package).into_iter().map(|n| n.message).collect();
        assert_eq!(
            said,
            [
                "`upstream.bank.*` in `functions` allows nothing: `upstreams` names no server whose tool it is",
                "`upstream.bank.pay` in `functions` allows nothing: `upstreams` names no server whose tool it is",
                "`records.upsrt` in `functions` allows nothing: no function is called so here: did you mean `records.upsert`?",
                "`windws.*` in `functions` allows nothing: no function is called so here",
                "`bnd` in `functions` allows nothing: no function is called so here: did you mean `bind`?",
            ]
        );
    }
}
