//! How components name each other and their events, in the core's and in the basic catalog's ways.

use eui_core::types::{ComponentDef, FlatComponent};
use serde_json::Value;

use crate::issue::{Issue, did_you_mean, quoted};
use crate::pointer;

/// One place where a component is named by another.
pub(super) struct Reference {
    pub id: String,
    pub pointer: String,
    /// The index of the component that names it.
    pub owner: usize,
}

/// Every other component this one names.
pub(super) fn references(component: &Value, owner: usize, here: &str) -> Vec<Reference> {
    let mut out = Vec::new();
    let mut add = |value: &Value, pointer: String| {
        if let Some(id) = value.as_str() {
            out.push(Reference {
                id: id.to_owned(),
                pointer,
                owner,
            });
        }
    };
    let children = pointer::child(here, "children");
    match &component["children"] {
        Value::Array(ids) => ids
            .iter()
            .enumerate()
            .for_each(|(i, id)| add(id, pointer::item(&children, i))),
        Value::Object(template) => {
            if let Some(id) = template.get("componentId") {
                add(id, pointer::child(&children, "componentId"));
            }
        }
        _ => {}
    }
    if let Some(slots) = component["slots"].as_object() {
        let at = pointer::child(here, "slots");
        slots
            .iter()
            .for_each(|(name, id)| add(id, pointer::child(&at, name)));
    }
    for key in ["child", "trigger", "content"] {
        add(&component[key], pointer::child(here, key));
    }
    if let Some(tabs) = component["tabs"].as_array() {
        let at = pointer::child(here, "tabs");
        tabs.iter().enumerate().for_each(|(i, tab)| {
            add(
                &tab["child"],
                pointer::child(&pointer::item(&at, i), "child"),
            )
        });
    }
    out
}

/// Events a component does not have.
pub(super) fn event_issues(
    component: &FlatComponent,
    def: &ComponentDef,
    here: &str,
) -> Vec<Issue> {
    let events: Vec<&str> = def.events.iter().flatten().map(String::as_str).collect();
    let unknown = component
        .on
        .iter()
        .flatten()
        .map(|(event, _)| event)
        .filter(|e| !events.contains(&e.as_str()));
    unknown
        .map(|event| {
            let hint = did_you_mean(event, events.iter().copied());
            let known = if events.is_empty() {
                "none".into()
            } else {
                events.join(", ")
            };
            let what = if hint.is_empty() {
                format!(": its events are {known}")
            } else {
                hint
            };
            Issue::key(
                pointer::child(&pointer::child(here, "on"), event),
                format!(
                    "{} has no event {}{what}",
                    component.component,
                    quoted(event)
                ),
            )
        })
        .collect()
}
