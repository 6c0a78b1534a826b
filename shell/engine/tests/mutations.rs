//! Good files broken at random: the checker answers every time, never panics, and what it lets through works.
#![allow(clippy::unwrap_used, clippy::expect_used)]

mod common;

use common::folder;
use ede_engine::check::{Context, FileKind, check};
use ede_engine::documents::Document;
use ede_engine::package::Package;
use ede_engine::schema::formats::Format;
use eui_core::surface::{Surface, SurfaceOptions};
use proptest::prelude::*;
use serde_json::{Value, json};

/// One change to a file.
#[derive(Debug, Clone)]
struct Mutation {
    /// Which of the file's values, counted through the tree.
    place: prop::sample::Index,
    what: What,
}

#[derive(Debug, Clone)]
enum What {
    Remove,
    Replace(Value),
    /// Another value of the same file.
    Copy(prop::sample::Index),
    Rename(String),
    Twice,
}

fn values() -> impl Strategy<Value = Value> {
    let leaf = prop_oneof![
        Just(Value::Null),
        any::<bool>().prop_map(Value::from),
        any::<f64>()
            .prop_filter("JSON", |n| n.is_finite())
            .prop_map(Value::from),
        any::<i64>().prop_map(Value::from),
        "\\PC{0,12}".prop_map(Value::from),
        Just(json!("root")),
        Just(json!("${params.x}")),
        Just(json!("records:task?query=a&expand=b")),
        Just(json!("a.b == null ? [1.0] : {}")),
        Just(json!({"path": "/a"})),
        Just(json!({"call": "expr", "args": {"expr": "((((1.0"}})),
    ];
    leaf.prop_recursive(3, 16, 4, |inner| {
        prop_oneof![
            prop::collection::vec(inner.clone(), 0..4).prop_map(Value::from),
            prop::collection::hash_map("[a-z~/.$]{0,6}", inner, 0..4).prop_map(|m| json!(m))
        ]
    })
}

fn mutation() -> impl Strategy<Value = Mutation> {
    let what = prop_oneof![
        Just(What::Remove),
        values().prop_map(What::Replace),
        any::<prop::sample::Index>().prop_map(What::Copy),
        "[a-zA-Z~/.$]{0,8}".prop_map(What::Rename),
        Just(What::Twice),
    ];
    (any::<prop::sample::Index>(), what).prop_map(|(place, what)| Mutation { place, what })
}

fn pointers(value: &Value, at: String, out: &mut Vec<String>) {
    match value {
        Value::Object(members) => members
            .iter()
            .for_each(|(k, v)| pointers(v, ede_engine::pointer::child(&at, k), out)),
        Value::Array(items) => items
            .iter()
            .enumerate()
            .for_each(|(i, v)| pointers(v, ede_engine::pointer::item(&at, i), out)),
        _ => {}
    }
    out.push(at);
}

fn apply(value: &mut Value, mutation: &Mutation) {
    let mut all = Vec::new();
    pointers(value, String::new(), &mut all);
    let place = mutation.place.get(&all).clone();
    let other = match &mutation.what {
        What::Copy(index) => value
            .pointer(index.get(&all).as_str())
            .cloned()
            .unwrap_or_default(),
        What::Replace(new) => new.clone(),
        _ => Value::Null,
    };
    let Some((parent, last)) = place.rsplit_once('/') else {
        *value = other;
        return;
    };
    let last = ede_engine::pointer::unescape(last);
    match (value.pointer_mut(parent), &mutation.what) {
        (Some(Value::Object(members)), What::Remove) => {
            members.shift_remove(&last);
        }
        (Some(Value::Object(members)), What::Rename(name)) => {
            if let Some(old) = members.shift_remove(&last) {
                members.insert(name.clone(), old);
            }
        }
        (Some(Value::Object(members)), What::Twice) => {
            let old = members[&last].clone();
            members.insert(last, json!([old, old]));
        }
        (Some(Value::Array(items)), What::Remove) => {
            items.remove(last.parse().unwrap());
        }
        (Some(Value::Array(items)), What::Twice | What::Rename(_)) => {
            let index: usize = last.parse().unwrap();
            items.insert(index, items[index].clone());
        }
        (Some(parent), _) => {
            *parent
                .pointer_mut(&place[place.rfind('/').unwrap()..])
                .unwrap() = other;
        }
        (None, _) => {}
    }
}

fn check_mutated(
    name: &str,
    value: &Value,
    schemas: &[(FileKind, common::Schema)],
) -> Result<(), TestCaseError> {
    let bytes = serde_json::to_vec(value).unwrap();
    let report = check(name, &bytes, Context::default());
    for issue in &report.issues {
        prop_assert!(issue.position.is_some());
        prop_assert!(
            !issue.message.contains("could not be"),
            "{}: a checker gave up at {}: {}",
            name,
            issue.pointer,
            value
        );
    }
    // What the checker lets through the schema never refuses.
    if let Some((_, schema)) = schemas
        .iter()
        .find(|(kind, _)| report.ok() && *kind == report.kind)
    {
        prop_assert_eq!(schema.refusals(&bytes), Vec::<String>::new(), "{}", value);
    }
    // What is let through is what the shell draws.
    if let Some(package) = Package::read(&bytes).package {
        for template in package.templates() {
            let mut surface = Surface::new("t", SurfaceOptions::default());
            for message in package.template_messages(template, "t", None).unwrap() {
                surface.apply(&message).map_err(TestCaseError::fail)?;
            }
            prop_assert!(surface.issues().is_empty(), "{:?}", surface.issues());
        }
    }
    if let Some(document) = Document::read(&bytes).document {
        let mut surface = Surface::new(
            "d",
            SurfaceOptions {
                extensions: vec![ede_engine::documents::catalog::extension()],
                ..Default::default()
            },
        );
        for message in document.messages("d") {
            surface.apply(&message).map_err(TestCaseError::fail)?;
        }
        prop_assert!(surface.issues().is_empty(), "{:?}", surface.issues());
    }
    Ok(())
}

fn good() -> Vec<(String, Value)> {
    let mut files = Vec::new();
    for (kind, ending) in [
        ("packages", ".app.json"),
        ("documents", ".ede-ui.json"),
        ("themes", ".theme.json"),
        ("streams", ".json"),
    ] {
        for (name, bytes) in folder(&format!("{kind}/good")) {
            if let Ok(value) = serde_json::from_slice(&bytes) {
                files.push((name + ending, value));
            }
        }
    }
    files
}

#[test]
fn a_good_file_broken_anywhere_is_answered() {
    let files = good();
    let kinds = [
        (FileKind::Package, Format::Package),
        (FileKind::Document, Format::Document),
        (FileKind::Theme, Format::Theme),
    ];
    let schemas = kinds.map(|(kind, format)| (kind, common::Schema::new(format)));
    proptest!(ProptestConfig::default(), |(file in any::<prop::sample::Index>(), mutations in prop::collection::vec(mutation(), 1..4))| {
        let (name, mut value) = file.get(&files).clone();
        for mutation in &mutations {
            apply(&mut value, mutation);
        }
        check_mutated(&name, &value, &schemas)?;
    });
}
