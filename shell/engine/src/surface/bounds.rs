//! Sizes no honest surface has. The catalog bounds few numbers; these would cost a layout seconds or place things
//! where no screen is, so they are refused where they are written.

use eui_core::types::{FlatComponent, PropSchema};
use serde_json::Value;

use crate::issue::Issue;
use crate::pointer;

/// The largest length a style may name, in logical pixels either way: some 25 screens.
pub const LENGTH: f64 = 100_000.0;

/// Props that multiply what is laid out, with the most each may be.
const COUNTS: &[(&str, f64)] = &[
    ("columns", 64.0),
    ("rows", 1000.0),
    ("maxRows", 1000.0),
    ("depth", 64.0),
    ("totalPages", 1_000_000.0),
];

/// The most a number prop may be, where the catalog does not say.
pub fn most(prop: &str, schema: &PropSchema) -> Option<f64> {
    if schema.type_ != "number" || schema.maximum.is_some() {
        return schema.maximum;
    }
    COUNTS
        .iter()
        .find(|(name, _)| *name == prop)
        .map(|(_, most)| *most)
}

/// Numbers in a component beyond these bounds.
pub(super) fn check(
    component: &FlatComponent,
    def: &eui_core::types::ComponentDef,
    here: &str,
) -> Vec<Issue> {
    let mut issues = Vec::new();
    for (name, schema) in &def.props {
        let (Some(value), Some(most), None) =
            (component.rest.get(name), most(name, schema), schema.maximum)
        else {
            continue;
        };
        numbers(value, &pointer::child(here, name), &mut |n, at| {
            if n > most {
                issues.push(Issue::new(at, format!("`{name}` is at most {most}")));
            }
        });
    }
    if let Some(style) = &component.style {
        numbers(
            &Value::Object(style.clone()),
            &format!("{here}/style"),
            &mut |n, at| {
                if n.abs() > LENGTH {
                    issues.push(Issue::new(
                        at,
                        format!("a length is at most {LENGTH} pixels"),
                    ));
                }
            },
        );
    }
    issues
}

/// Every number in a value, with its place.
fn numbers(value: &Value, at: &str, found: &mut dyn FnMut(f64, &str)) {
    match value {
        Value::Number(n) => found(n.as_f64().unwrap_or(f64::INFINITY), at),
        Value::Array(items) => items
            .iter()
            .enumerate()
            .for_each(|(i, v)| numbers(v, &pointer::item(at, i), found)),
        Value::Object(members) => members
            .iter()
            .for_each(|(k, v)| numbers(v, &pointer::child(at, k), found)),
        _ => {}
    }
}
