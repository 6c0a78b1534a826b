//! A document's value against everything a document must keep.

use std::panic::{AssertUnwindSafe, catch_unwind};

use eui_core::host::{actions::validate_package_effects, validate_package_expressions};
use serde_json::{Map, Value, json};

use super::catalog::{SHELL_CATALOG_ID, names, view};
use super::{place, shape};
use crate::issue::{Issue, Note, expression_words, quoted};
use crate::package::check_document_source;
use crate::pointer;
use crate::schema::check::{in_words, shape_issues};
use crate::schema::patterns;
use crate::surface::{Catalog, check_components};

/// Every problem with a document, and what is worth knowing. `components` are its components as eui-core reads them.
pub(super) fn guarded(value: &Value, components: &[Value]) -> (Vec<Issue>, Vec<Note>) {
    let gave_up = || {
        vec![Issue::new(
            "",
            "the document could not be checked to its end: simplify it",
        )]
    };
    catch_unwind(AssertUnwindSafe(|| check(value, components)))
        .unwrap_or_else(|_| (gave_up(), Vec::new()))
}

fn check(value: &Value, components: &[Value]) -> (Vec<Issue>, Vec<Note>) {
    let mut issues = shape_issues(value, &shape::DOCUMENT, 0);
    newer(value, &mut issues);
    let Some(document) = value.as_object() else {
        return (issues, Vec::new());
    };
    if issues.iter().any(|i| i.pointer == "/kind") {
        // What else a document must keep is decided by what it is.
        return (issues, Vec::new());
    }
    let shape = issues.len();
    sizes(document, &mut issues);
    widgets(document, &mut issues);
    for (i, binding) in value["bindings"]
        .as_array()
        .into_iter()
        .flatten()
        .enumerate()
    {
        if let Some(source) = binding["source"].as_str() {
            issues.extend(check_document_source(
                source,
                &format!("{}/source", pointer::item("/bindings", i)),
            ));
        }
    }
    let mut notes = Vec::new();
    if !components.is_empty() {
        let catalog = Catalog::new(SHELL_CATALOG_ID, view());
        let checked = catch_unwind(AssertUnwindSafe(|| {
            let (mut issues, notes) = check_components(components, "/components", &catalog);
            issues.extend(expressions(document, components));
            (issues, notes)
        }));
        match checked {
            Ok((found, said)) => {
                issues.extend(found);
                notes.extend(said);
            }
            Err(_) => issues.push(Issue::new(
                "/components",
                "these components could not be checked: simplify them",
            )),
        }
    }
    crate::issue::first_words(&mut issues, shape);
    (issues, notes)
}

fn newer(value: &Value, issues: &mut [Issue]) {
    let Some(version) = value["formatVersion"]
        .as_u64()
        .filter(|v| *v > u64::from(shape::FORMAT))
    else {
        return;
    };
    if let Some(issue) = issues.iter_mut().find(|i| i.pointer == "/formatVersion") {
        issue.message = format!(
            "document format {version} is newer than this shell reads ({}): update ede",
            shape::FORMAT
        );
    }
}

/// A window's least size is no more than its most.
fn sizes(document: &Map<String, Value>, issues: &mut Vec<Issue>) {
    let Some(place) = document
        .get("place")
        .filter(|_| document.get("kind").is_some_and(|k| k == "window"))
    else {
        return;
    };
    let window = place::window(place);
    let above = |a: (f32, f32), b: (f32, f32)| a.0 > b.0 || a.1 > b.1;
    if window
        .min_size
        .zip(window.max_size)
        .is_some_and(|(min, max)| above(min, max))
    {
        issues.push(Issue::new(
            "/place/minSize",
            "`minSize` is larger than `maxSize`: make it smaller",
        ));
    }
    if place.get("size").is_some() {
        if window.min_size.is_some_and(|min| above(min, window.size)) {
            issues.push(Issue::new(
                "/place/size",
                "`size` is smaller than `minSize`: make it larger",
            ));
        } else if window.max_size.is_some_and(|max| above(window.size, max)) {
            issues.push(Issue::new(
                "/place/size",
                "`size` is larger than `maxSize`: make it smaller",
            ));
        }
    }
}

/// App widgets name an app; those on the desktop say where they stand, others do not. No document loads a picture
/// from the network.
fn widgets(document: &Map<String, Value>, issues: &mut Vec<Issue>) {
    let desktop = document.get("kind").is_some_and(|k| k == "desktop");
    let list = document
        .get("components")
        .and_then(Value::as_array)
        .map_or(&[][..], Vec::as_slice);
    let on_root: Vec<&str> = list
        .iter()
        .filter(|c| c["id"] == "root")
        .flat_map(|c| c["children"].as_array().into_iter().flatten())
        .filter_map(Value::as_str)
        .collect();
    for (i, component) in list.iter().enumerate() {
        let at = pointer::item("/components", i);
        if component["src"]
            .as_str()
            .is_some_and(|src| src.starts_with("http://") || src.starts_with("https://"))
        {
            issues.push(Issue::new(
                format!("{at}/src"),
                "a document loads no picture from the network: name a file or an icon",
            ));
        }
        if component["component"] != names::APP_WIDGET {
            continue;
        }
        if let Some(app) = component["app"]
            .as_str()
            .filter(|a| !(patterns::APP_ID.test)(a))
        {
            issues.push(Issue::new(
                format!("{at}/app"),
                format!(
                    "{} is no app id: write {}",
                    quoted(app),
                    patterns::APP_ID.says
                ),
            ));
        }
        let (cell, point) = (component.get("cell"), component.get("at"));
        for (key, value, valid) in [
            ("cell", cell, cell.is_some_and(is_cell)),
            ("at", point, point.is_some_and(is_point)),
        ] {
            let Some(value) = value else { continue };
            let here = pointer::child(&at, key);
            if !desktop {
                issues.push(Issue::key(
                    here,
                    format!(
                        "`{key}` is for the desktop: a {} lays its components out itself",
                        document
                            .get("kind")
                            .and_then(Value::as_str)
                            .unwrap_or("document")
                    ),
                ));
            } else if !valid {
                let what = if key == "cell" {
                    "two whole numbers, column and row (below zero from the last)"
                } else {
                    "two numbers of at least 0, x and y"
                };
                issues.push(Issue::new(
                    here,
                    format!("`{key}` must be {what}, not {}", list_in_words(value)),
                ));
            }
        }
        if desktop
            && component["id"]
                .as_str()
                .is_some_and(|id| on_root.contains(&id))
        {
            match (cell, point) {
                (Some(_), Some(_)) => issues.push(Issue::key(
                    format!("{at}/at"),
                    "`cell` and `at` both say where it stands: keep one",
                )),
                (None, None) => issues.push(Issue::new(
                    &at,
                    "a widget on the desktop needs `cell` or `at`: say where it stands",
                )),
                _ => {}
            }
        }
    }
}

/// A list whose items are wrong is shown as it is.
fn list_in_words(value: &Value) -> String {
    if value.is_array() {
        quoted(&value.to_string())
    } else {
        in_words(value)
    }
}

fn is_cell(value: &Value) -> bool {
    value.as_array().is_some_and(|a| a.len() == 2)
        && place::widget(&json!({"cell": value})).is_some()
}

fn is_point(value: &Value) -> bool {
    value.as_array().is_some_and(|a| {
        a.len() == 2
            && a.iter()
                .all(|n| n.as_f64().is_some_and(|n| (0.0..=1e6).contains(&n)))
    })
}

/// Expressions type and bindings are pure, as in a package's templates.
fn expressions(document: &Map<String, Value>, components: &[Value]) -> Vec<Issue> {
    let mut template = document.clone();
    template.insert("components".into(), components.to_vec().into());
    let package = json!({"templates": {"d": template}});
    let Some(package) = package.as_object() else {
        return Vec::new();
    };
    let mut found = validate_package_expressions(package);
    found.extend(validate_package_effects(package));
    found
        .into_iter()
        .map(|i| {
            Issue::new(
                i.path.strip_prefix("/templates/d").unwrap_or(&i.path),
                expression_words(&i.message),
            )
        })
        .collect()
}
