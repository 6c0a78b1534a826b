//! Sizes no honest surface has. The catalog bounds few numbers; these would cost a layout seconds or place things
//! where no screen is, so they are refused where they are written.

use eui_core::types::{FlatComponent, PropSchema};
use serde_json::Value;

use crate::issue::Issue;
use crate::pointer;

/// The largest length a style may name, in logical pixels either way: some 25 screens.
pub const LENGTH: f64 = 100_000.0;

/// Style keys that say how large something is: never less than nothing. The rest may pull (margins, offsets, tracking).
const SIZES: &[&str] = &[
    "width",
    "height",
    "flexBasis",
    "gap",
    "rowGap",
    "columnGap",
    "fontSize",
    "lineHeight",
    "flexGrow",
    "flexShrink",
];

/// May a style key hold a negative number?
pub fn may_be_negative(key: &str) -> bool {
    let size = SIZES.contains(&key)
        || ["padding", "min", "max"]
            .iter()
            .any(|start| key.starts_with(start))
        || ["Radius", "borderWidth"]
            .iter()
            .any(|end| key.ends_with(end))
        || (key.starts_with("border") && key.ends_with("Width"));
    !size
}

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
        let style = Value::Object(style.clone());
        lengths(&style, "", &format!("{here}/style"), &mut issues);
    }
    issues
}

/// Lengths of a style beyond the bounds, written as numbers or as text (`40px`, `50%`).
fn lengths(value: &Value, key: &str, at: &str, issues: &mut Vec<Issue>) {
    let number = match value {
        Value::Number(n) => n.as_f64().unwrap_or(f64::INFINITY),
        Value::String(text) => {
            let digits = text.strip_suffix("px").or(text.strip_suffix('%'));
            match digits.and_then(|d| d.parse().ok()) {
                Some(number) => number,
                None => return,
            }
        }
        Value::Array(items) => {
            let each = items.iter().enumerate();
            return each.for_each(|(i, v)| lengths(v, key, &pointer::item(at, i), issues));
        }
        Value::Object(members) => {
            return members
                .iter()
                .for_each(|(k, v)| lengths(v, k, &pointer::child(at, k), issues));
        }
        Value::Null | Value::Bool(_) => return,
    };
    if number.abs() > LENGTH {
        issues.push(Issue::new(
            at,
            format!("a length is at most {LENGTH} pixels"),
        ));
    } else if number < 0.0 && !may_be_negative(key) {
        issues.push(Issue::new(at, format!("`{key}` is at least 0")));
    }
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
