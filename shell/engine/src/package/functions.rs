//! The functions a package calls exist on this host. One that does not is a note and no issue: the package may be at home elsewhere, and
//! what calls it here says so when it is pressed.

use std::collections::BTreeSet;

use serde_json::{Map, Value};

use crate::actions::{FUNCTIONS, is_function};
use crate::issue::{Note, did_you_mean, quoted};

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
    called.into_iter().map(note).collect()
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
}
