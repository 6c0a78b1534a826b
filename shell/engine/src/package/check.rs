//! A package's value against everything a package must keep, in order; its tests aside.

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::Arc;

use eui_core::catalog::CatalogView;
use eui_core::host::{
    RECORDS_SCHEME, parse_source, supported_catalog_ids, validate_package_tests,
    validate_package_with,
};
use serde_json::{Map, Value};

use super::shape::{FORMATS, PACKAGE};
use super::{
    Package, WidgetSize, bindings, core, functions, given, kinds, manifest, migrations, presses,
    queries, runs, screens, secrets, signature,
};
use crate::app_id::AppId;
use crate::broker::catalog::catalog;
use crate::issue::{Issue, Note, expression_words, first_words, quoted};
use crate::layout::{LayoutCheck, Stand};
use crate::pointer;
use crate::schema::check::shape_issues;
use crate::surface::{Catalog, check_components};

#[derive(Default)]
pub(super) struct Found {
    pub issues: Vec<Issue>,
    pub notes: Vec<Note>,
    /// The format-2 copy, when the package is an object.
    pub core: Map<String, Value>,
}

/// The format a file says it is written in; the newest where it does not say, so that nothing is called too new.
fn format_of(value: &Value) -> u8 {
    let written = value
        .get("formatVersion")
        .and_then(Value::as_u64)
        .and_then(|v| u8::try_from(v).ok());
    written
        .filter(|v| FORMATS.contains(v))
        .unwrap_or(*FORMATS.end())
}

/// [`check`], with its own failure as one more issue: no file takes the shell down.
pub(super) fn guarded(value: &Value) -> Found {
    catch_unwind(AssertUnwindSafe(|| check(value))).unwrap_or_else(|_| Found {
        issues: vec![Issue::new(
            "",
            "the package could not be checked to its end: simplify it",
        )],
        ..Found::default()
    })
}

fn check(value: &Value) -> Found {
    let Value::Object(package) = value else {
        return Found {
            issues: vec![Issue::new("", "a package is one JSON object")],
            ..Found::default()
        };
    };
    let format = format_of(value);
    let mut found = Found {
        issues: shape_issues(value, &PACKAGE, format),
        ..Found::default()
    };
    newer(package, &mut found.issues);
    for issue in found.issues.iter_mut().filter(|i| i.pointer == "/tools") {
        issue.message = "a package brings no tools of its own: name MCP servers the person has added in `upstreams`".into();
    }
    let shape = found.issues.len();

    identity(package, &mut found.issues);
    secrets::check(value, "", &mut found.issues);
    let shaped = |i: &Issue| {
        !pointer::is_within(&i.pointer, "/author") && !pointer::is_within(&i.pointer, "/signature")
    };
    if found.issues.iter().all(shaped) {
        signature::check(package, &mut found.issues);
    }
    bindings::check(package, &mut found.issues, &mut found.notes);
    presses::check(package, &mut found.issues, &mut found.notes);
    if let Some(kinds) = package.get("records").and_then(Value::as_object) {
        found.issues.extend(kinds::check(kinds, format));
    }
    queries::check(package, &mut found.issues, &mut found.notes);
    given::check(package, &mut found.issues, &mut found.notes);
    for check in [
        screens::check,
        manifest::check,
        migrations::check,
        runs::check,
        runs::templates,
    ] {
        found.issues.extend(check(package));
    }
    written_computed(package, &mut found.issues);
    found.notes.extend(queries::notes(package));
    found.notes.extend(kinds::notes(package));
    found.notes.extend(functions::notes(package));
    found.notes.extend(runs::notes(package));
    templates(package, format, &mut found);
    found.core = core::copy(package, format);
    eui(package, &found.core, &mut found.issues);
    first_words(&mut found.issues, shape);
    if !package.contains_key("signature") {
        found.notes.push(Note::new("the package is not signed"));
    }
    found
}

/// A format newer than this host reads says so, rather than that a number is out of range.
fn newer(package: &Map<String, Value>, issues: &mut [Issue]) {
    let newest = *FORMATS.end();
    let Some(version) = package
        .get("formatVersion")
        .and_then(Value::as_u64)
        .filter(|v| *v > u64::from(newest))
    else {
        return;
    };
    if let Some(issue) = issues.iter_mut().find(|i| i.pointer == "/formatVersion") {
        issue.message = format!(
            "format {version} is newer than this host reads ({newest}): update ede, or write {newest} or lower"
        );
    }
}

/// The id is free for an app to take.
fn identity(package: &Map<String, Value>, issues: &mut Vec<Issue>) {
    let Some(id) = package.get("id").and_then(Value::as_str) else {
        return;
    };
    let whose = if AppId::parse(id).is_err() {
        "the shell's own name"
    } else if catalog().is_capability(id) {
        "a capability's name"
    } else {
        return;
    };
    issues.push(Issue::new(
        "/id",
        format!("{} is {whose}: no app may be called so", quoted(id)),
    ));
}

/// Each template's components, against the catalog as eui-core reduces them.
fn templates(package: &Map<String, Value>, format: u8, found: &mut Found) {
    let catalog_id = package
        .get("catalogId")
        .and_then(Value::as_str)
        .unwrap_or_default();
    if !supported_catalog_ids::<&str>(&[])
        .iter()
        .any(|id| id == catalog_id)
    {
        return;
    }
    let catalog = Catalog::new(catalog_id, CatalogView::core());
    let copy = core::copy(package, format);
    for (id, template) in copy
        .get("templates")
        .and_then(Value::as_object)
        .into_iter()
        .flatten()
    {
        let at = pointer::child(&pointer::child("/templates", id), "components");
        let Some(components) = template["components"].as_array() else {
            continue;
        };
        match catch_unwind(AssertUnwindSafe(|| {
            check_components(components, &at, &catalog)
        })) {
            Ok((issues, notes)) => {
                found.issues.extend(issues);
                found.notes.extend(notes);
            }
            Err(_) => found.issues.push(Issue::new(
                at,
                "these components could not be checked: simplify them",
            )),
        }
    }
}

/// Nothing stores what is worked out on reading.
fn written_computed(package: &Map<String, Value>, issues: &mut Vec<Issue>) {
    let computed = |kind: &str, field: &str| {
        package
            .get("records")
            .and_then(|r| r.get(kind))
            .is_some_and(|k| {
                let moves = field == kinds::TRANSITIONS && kinds::has_transitions(k);
                moves || kinds::computed_of(k).any(|(name, _)| name == field)
            })
    };
    let mut refuse = |kind: &str, data: &Value, at: &str| {
        for (field, _) in data
            .as_object()
            .into_iter()
            .flatten()
            .filter(|(field, _)| computed(kind, field))
        {
            issues.push(kinds::never_stored(field, at));
        }
    };
    for (name, action) in package
        .get("actions")
        .and_then(Value::as_object)
        .into_iter()
        .flatten()
    {
        for (i, step) in action["steps"].as_array().into_iter().flatten().enumerate() {
            let at = format!(
                "{}/records.upsert/data",
                pointer::item(&format!("{}/steps", pointer::child("/actions", name)), i)
            );
            refuse(
                step["records.upsert"]["kind"].as_str().unwrap_or_default(),
                &step["records.upsert"]["data"],
                &at,
            );
        }
    }
    for (i, test) in package
        .get("tests")
        .and_then(Value::as_array)
        .into_iter()
        .flatten()
        .enumerate()
    {
        for (kind, rows) in test["records"].as_object().into_iter().flatten() {
            let at = pointer::child(&format!("{}/records", pointer::item("/tests", i)), kind);
            for (j, row) in rows.as_array().into_iter().flatten().enumerate() {
                refuse(kind, row, &pointer::item(&at, j));
            }
        }
    }
}

/// eui-core's own checks over the copy, tests aside.
fn eui(package: &Map<String, Value>, core: &Map<String, Value>, issues: &mut Vec<Issue>) {
    let mut copy = core.clone();
    copy.shift_remove("tests");
    let invented = expanded_kinds(package, &mut copy);
    let checked = catch_unwind(AssertUnwindSafe(|| {
        let mut found = validate_package_with(
            &Value::Object(copy),
            &supported_catalog_ids::<&str>(&[]),
            Some(&[]),
        );
        let mut tested = package.clone();
        if let Some(list) = tested.get_mut("tests").and_then(Value::as_array_mut) {
            for test in list.iter_mut().filter_map(Value::as_object_mut) {
                test.shift_remove("role");
            }
        }
        found.extend(validate_package_tests(&tested));
        found
    }));
    match checked {
        Ok(found) => issues.extend(
            found
                .into_iter()
                .filter(|i| !invented.iter().any(|at| pointer::is_within(&i.path, at)))
                .map(|i| Issue::new(i.path, expression_words(&i.message))),
        ),
        Err(_) => issues.push(Issue::new(
            "",
            "the package could not be checked to its end: simplify it",
        )),
    }
}

/// A binding that expands a ref reads rows with the ref's row inside. eui-core types rows by their kind, so each such
/// binding is pointed at a kind of the checker's own, typed so. The answer: those kinds' places, to be silent about.
fn expanded_kinds(package: &Map<String, Value>, copy: &mut Map<String, Value>) -> Vec<String> {
    let mut invented = Vec::new();
    let Some(kinds) = package.get("records").and_then(Value::as_object) else {
        return invented;
    };
    let mut extra = Map::new();
    for template in copy
        .get_mut("templates")
        .and_then(Value::as_object_mut)
        .into_iter()
        .flat_map(Map::values_mut)
    {
        for binding in template
            .get_mut("bindings")
            .and_then(Value::as_array_mut)
            .into_iter()
            .flatten()
        {
            let Some(source) = binding.get("source").and_then(Value::as_str) else {
                continue;
            };
            let (bare, refs) = bindings::split_expand(source, package.get("queries"));
            let Some(parsed) =
                parse_source(&bare).filter(|p| p.scheme == RECORDS_SCHEME && !refs.is_empty())
            else {
                continue;
            };
            let Some(kind) = kinds.get(&parsed.name) else {
                continue;
            };
            let name = format!("expanded_{}", extra.len());
            let mut schema = kinds::schema_for_core(kind);
            for field in &refs {
                if let Some(ty) = bindings::expanded_type(kinds, kind, field)
                    && let Some(properties) =
                        schema.get_mut("properties").and_then(Value::as_object_mut)
                {
                    properties.insert(field.clone(), ty);
                }
            }
            // Dangling refs read null, so an expanded ref is never required.
            if let Some(required) = schema.get_mut("required").and_then(Value::as_array_mut) {
                required.retain(|f| !refs.iter().any(|r| f == r.as_str()));
            }
            extra.insert(name.clone(), serde_json::json!({"schema": schema}));
            invented.push(format!("/records/{name}"));
            let query = bare
                .split_once('?')
                .map_or_else(String::new, |(_, query)| format!("?{query}"));
            binding["source"] = format!("{RECORDS_SCHEME}:{name}{query}").into();
        }
    }
    if let Some(records) = copy.get_mut("records").and_then(Value::as_object_mut) {
        records.extend(extra);
    }
    // The invented names are in no list of sources; what may be followed is checked on the package as written.
    copy.insert("sources".into(), serde_json::json!(["*"]));
    invented
}

/// What a painter notices about the templates: each is tried in a phone's window, or as the widgets it is declared for, the small one in a panel too. What shows
/// nothing without records may show something with them, so all of it is worth knowing and none of it an issue.
pub(super) fn layout_notes(package: &Arc<Package>, layout: &dyn LayoutCheck) -> Vec<Note> {
    let mut notes: Vec<Note> = Vec::new();
    for template in package.templates() {
        let widgets = package
            .screens()
            .iter()
            .flat_map(|s| &s.widgets)
            .filter(|w| w.template == template);
        let mut stands: Vec<Stand> = widgets.map(|w| Stand::Widget(w.size)).collect();
        // The small widget is also what stands in a panel.
        if stands.contains(&Stand::Widget(WidgetSize::S)) {
            stands.push(Stand::Panel);
        }
        if stands.is_empty() || package.screens().iter().any(|s| s.id.as_str() == template) {
            stands.push(Stand::Phone);
        }
        let at = pointer::child(&pointer::child("/templates", template), "components");
        let components = &package.value()["templates"][template]["components"];
        let found = stands
            .into_iter()
            .flat_map(|stand| layout.template(package, template, stand));
        for finding in found {
            let note = crate::layout::note(&finding, &at, components);
            if !notes.contains(&note) {
                notes.push(note);
            }
        }
    }
    notes
}
