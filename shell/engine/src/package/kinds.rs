//! The kinds of record a package declares: what formats 3 and up add to a schema. Checks them, and works out a
//! record's computed fields; stores nothing.

use eui_core::cel::{
    ExpressionEnv, check_expression, evaluate_expression, is_optional, required_type,
};
use eui_core::host::{PackageIssue, RECORD_RESERVED_KEYS, RecordRow, record_row_type};
use serde_json::{Map, Value, json};

use super::expression::Lasts;
use crate::attachments::{FORMAT, SAYS, file_at, in_record};
use crate::issue::{Issue, Note, did_you_mean, expression_words, quoted};
use crate::pointer;

/// The keys of a record row that are not its data; an expression reads them by these names.
#[derive(Debug, Clone, Copy)]
pub struct RowKeys<'a> {
    pub id: &'a str,
    pub author: &'a str,
    pub created_by: &'a str,
    /// RFC 3339.
    pub created_at: &'a str,
    /// RFC 3339.
    pub updated_at: &'a str,
}

impl<'a> RowKeys<'a> {
    /// Of a row that is `author`'s.
    pub fn of(row: &'a RecordRow, author: &'a str) -> RowKeys<'a> {
        RowKeys {
            id: &row.id,
            author,
            created_by: row.created_by.as_deref().unwrap_or_default(),
            created_at: &row.created_at,
            updated_at: &row.updated_at,
        }
    }
}

/// Every problem with the kinds' own rules.
pub(super) fn check(kinds: &Map<String, Value>, format: u8) -> Vec<Issue> {
    let mut issues = Vec::new();
    for (name, kind) in kinds {
        let at = pointer::child("/records", name);
        attachments(kind, &at, format, &mut issues);
        computed(kind, &at, &mut issues);
        refs(kind, kinds, &at, &mut issues);
        transitions(kind, &at, &mut issues);
    }
    issues
}

fn fields(kind: &Value) -> Option<&Map<String, Value>> {
    kind.get("schema")?.get("properties")?.as_object()
}

fn attachments(kind: &Value, at: &str, format: u8, issues: &mut Vec<Issue>) {
    for (name, field) in fields(kind).into_iter().flatten() {
        let here = pointer::child(&format!("{at}/schema/properties"), name);
        let (list, items) = (field["type"] == "array", &field["items"]);
        if field["format"] == FORMAT {
            let here = format!("{here}/format");
            if format < 3 {
                issues.push(Issue::new(
                    here,
                    format!(
                        "the format `attachment` needs formatVersion 3: this file says {format}"
                    ),
                ));
            } else if list {
                let words = "a list of files says `attachment` in its `items`";
                issues.push(Issue::new(here, words));
            } else if field["type"] != "string" {
                issues.push(Issue::new(here, "an attachment is a field of type string"));
            }
        }
        if items["format"] == FORMAT && items["type"] != "string" {
            let here = format!("{here}/items/format");
            issues.push(Issue::new(here, "a list of files has items of type string"));
        }
    }
}

/// Everything that is wrong with a record's data, as the schema of its kind has it: a pointer within the record, and why.
pub fn record_issues(schema: &Value, data: &Value) -> Vec<PackageIssue> {
    let mut issues = eui_core::host::validate_record(schema, data);
    let fields = data.as_object();
    let addresses = fields.into_iter().flat_map(|f| in_record(schema, f));
    let wrong = addresses.filter(|(.., text)| file_at(text).is_none());
    issues.extend(wrong.map(|(_, path, _)| PackageIssue {
        path,
        message: SAYS.into(),
    }));
    issues
}

/// A kind's computed fields: name and expression, in the file's order.
pub fn computed_of(kind: &Value) -> impl Iterator<Item = (&String, &str)> {
    kind.get("computed")
        .and_then(Value::as_object)
        .into_iter()
        .flatten()
        .filter_map(|(name, expr)| Some((name, expr.as_str()?)))
}

/// The kind of this name that a package does not have.
pub(super) fn unknown(package: &Map<String, Value>, name: &str, here: String) -> Option<Issue> {
    let none = Map::new();
    let kinds = package.get("records").and_then(Value::as_object);
    let kinds = kinds.unwrap_or(&none);
    (!kinds.contains_key(name)).then(|| {
        let hint = did_you_mean(name, kinds.keys().map(String::as_str));
        Issue::new(here, format!("no kind is called {}{hint}", quoted(name)))
    })
}

/// A computed field in data that is written at `at`.
pub(super) fn never_stored(field: &str, at: &str) -> Issue {
    Issue::key(
        pointer::child(at, field),
        format!(
            "{} is computed and never stored: leave it out",
            quoted(field)
        ),
    )
}

/// How long the computed fields of a record that nobody writes stay the same.
pub(crate) fn computed_last(kind: &Value) -> Lasts {
    computed_of(kind)
        .map(|(_, expression)| Lasts::of(expression))
        .fold(Lasts::Always, Ord::min)
}

/// The type of a kind's computed field as a schema field, or why it has none.
fn computed_schema(kind: &Value, expression: &str) -> Result<Value, String> {
    let row = record_row_type(Some(&json!({"schema": kind.get("schema")})));
    let Value::Object(types) = row else {
        return Err("the kind has no fields".into());
    };
    let found = check_expression(expression, &types).map_err(|problem| {
        let mut others = types.clone();
        others.extend(computed_of(kind).map(|(name, _)| (name.clone(), Value::String("dyn".into()))));
        let reads_another = check_expression(expression, &others).is_ok();
        if reads_another { "a computed field reads stored fields only, never another computed one: write its expression here".into() } else { problem }
    })?;
    let plain = if is_optional(&found) {
        required_type(&found)
    } else {
        found
    };
    scalar_schema(&plain)
        .or_else(|| {
            plain
                .as_array()
                .and_then(|items| scalar_schema(items.first()?))
                .map(|items| json!({"type": "array", "items": {"type": items["type"]}}))
        })
        .ok_or_else(|| {
            "a computed field is a text, a number, a flag, a date or a list of these".into()
        })
}

fn scalar_schema(ty: &Value) -> Option<Value> {
    Some(match ty.as_str()? {
        "number" => json!({"type": "number"}),
        "bool" => json!({"type": "boolean"}),
        "string" => json!({"type": "string"}),
        "date" => json!({"type": "string", "format": "date"}),
        "timestamp" => json!({"type": "string", "format": "date-time"}),
        _ => return None,
    })
}

fn computed(kind: &Value, at: &str, issues: &mut Vec<Issue>) {
    for (name, expression) in computed_of(kind) {
        let here = pointer::child(&format!("{at}/computed"), name);
        if fields(kind).is_some_and(|f| f.contains_key(name)) {
            issues.push(Issue::key(
                &here,
                format!(
                    "the schema has a field {} already: give the computed one another name",
                    quoted(name)
                ),
            ));
        } else if RECORD_RESERVED_KEYS.contains(&name.as_str()) {
            issues.push(Issue::key(
                &here,
                format!(
                    "{} is a key every row has: give the computed field another name",
                    quoted(name)
                ),
            ));
        }
        if let Err(problem) = computed_schema(kind, expression) {
            issues.push(Issue::new(&here, expression_words(&problem)));
        }
    }
}

/// A kind's schema with its computed fields, and the states a row may move to, as typed optional fields, and without what only this host knows: what
/// eui-core's checker and query are given.
pub(super) fn schema_for_core(kind: &Value) -> Value {
    let mut schema = kind.get("schema").cloned().unwrap_or(Value::Null);
    if let Some(properties) = schema.get_mut("properties").and_then(Value::as_object_mut) {
        for field in properties.values_mut().filter_map(Value::as_object_mut) {
            if field.get("format").is_some_and(|f| f == FORMAT) {
                field.shift_remove("format");
            }
        }
        for (name, expression) in computed_of(kind) {
            if let Ok(field) = computed_schema(kind, expression) {
                properties.entry(name.clone()).or_insert(field);
            }
        }
        if has_transitions(kind) {
            let states = json!({"type": "array", "items": {"type": "string"}});
            properties.entry(TRANSITIONS).or_insert(states);
        }
    }
    schema
}

/// A record's data with its computed fields worked out, as a query or a template reads it. An expression that fails
/// gives null. `env` is the clock and the zone the expressions read days in.
pub fn with_computed(
    kind: &Value,
    data: &Map<String, Value>,
    row: RowKeys,
    env: &ExpressionEnv,
) -> Map<String, Value> {
    let mut out = data.clone();
    let mut fields = computed_of(kind).peekable();
    if fields.peek().is_none() {
        return out;
    }
    // A field that is not there reads null, as the checker has typed it.
    let mut vars: Map<String, Value> = self::fields(kind)
        .into_iter()
        .flatten()
        .map(|(name, _)| (name.clone(), Value::Null))
        .collect();
    vars.extend(data.clone());
    for (key, value) in [
        ("id", row.id),
        ("author", row.author),
        ("authorId", row.author),
        ("createdBy", row.created_by),
        ("createdAt", row.created_at),
        ("updatedAt", row.updated_at),
    ] {
        vars.insert(key.into(), value.into());
    }
    for (name, expression) in fields {
        out.insert(
            name.clone(),
            evaluate_expression(expression, &vars, env).unwrap_or(Value::Null),
        );
    }
    out
}

/// What a ref field of a kind points at.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum RefTarget {
    /// A record of a kind of the same package.
    Kind(String),
    /// An issue's identifier; nothing on this host holds issues.
    Issue,
    /// A member's id.
    Member,
}

/// The target of a kind's ref field.
pub fn ref_target(kind: &Value, field: &str) -> Option<RefTarget> {
    match kind.get("refs")?.get(field)? {
        Value::String(s) if s == "issue" => Some(RefTarget::Issue),
        Value::String(s) if s == "member" => Some(RefTarget::Member),
        other => other
            .get("kind")?
            .as_str()
            .map(|k| RefTarget::Kind(k.to_owned())),
    }
}

fn refs(kind: &Value, kinds: &Map<String, Value>, at: &str, issues: &mut Vec<Issue>) {
    for (field, target) in kind
        .get("refs")
        .and_then(Value::as_object)
        .into_iter()
        .flatten()
    {
        let here = pointer::child(&format!("{at}/refs"), field);
        match fields(kind).and_then(|f| f.get(field)) {
            Some(declared) if declared["type"] == "string" => {}
            Some(_) => issues.push(Issue::key(
                &here,
                format!("a ref is a text field: {} is not", quoted(field)),
            )),
            None => issues.push(unknown_field(kind, &here, field)),
        }
        if let Some(name) = target
            .get("kind")
            .and_then(Value::as_str)
            .filter(|k| !kinds.contains_key(*k))
        {
            let hint = did_you_mean(name, kinds.keys().map(String::as_str));
            issues.push(Issue::new(
                format!("{here}/kind"),
                format!("no kind is called {}{hint}", quoted(name)),
            ));
        }
    }
}

fn unknown_field(kind: &Value, here: &str, field: &str) -> Issue {
    let hint = did_you_mean(
        field,
        fields(kind).into_iter().flatten().map(|(k, _)| k.as_str()),
    );
    Issue::key(
        here,
        format!("the schema has no field {}{hint}", quoted(field)),
    )
}

/// What a row carries of a kind with `transitions`: the states the viewer may move it to. Worked out on reading, never stored.
pub const TRANSITIONS: &str = "transitions";

/// Do rows of the kind carry [`TRANSITIONS`]?
pub fn has_transitions(kind: &Value) -> bool {
    kind.get(TRANSITIONS).is_some_and(Value::is_object)
}

fn transitions(kind: &Value, at: &str, issues: &mut Vec<Issue>) {
    let Some(def) = kind.get("transitions").filter(|t| t.is_object()) else {
        return;
    };
    let named = [
        ("schema/properties", fields(kind)),
        ("computed", kind["computed"].as_object()),
    ];
    for (place, _) in named
        .iter()
        .filter(|(_, names)| names.is_some_and(|n| n.contains_key(TRANSITIONS)))
    {
        issues.push(Issue::key(
            format!("{at}/{place}/{TRANSITIONS}"),
            "rows of a kind with `transitions` carry the next states by this name: give the field another one",
        ));
    }
    let at = format!("{at}/transitions");
    let name = def["field"].as_str().unwrap_or_default();
    let Some(states) = fields(kind).and_then(|f| f.get(name)).map(|f| &f["enum"]) else {
        issues.push(Issue {
            anchor: crate::issue::Anchor::Value,
            ..unknown_field(kind, &format!("{at}/field"), name)
        });
        return;
    };
    let states: Vec<&str> = states
        .as_array()
        .into_iter()
        .flatten()
        .filter_map(Value::as_str)
        .collect();
    if states.is_empty() {
        issues.push(Issue::new(
            format!("{at}/field"),
            format!(
                "{} needs an `enum`: its states are its values",
                quoted(name)
            ),
        ));
        return;
    }
    let mut state = |text: &str, here: String, key: bool| {
        if !states.contains(&text) {
            let message = format!(
                "{} is no state of `{name}`{}",
                quoted(text),
                did_you_mean(text, states.iter().copied())
            );
            issues.push(if key {
                Issue::key(here, message)
            } else {
                Issue::new(here, message)
            });
        }
    };
    let texts = |value: &Value| -> Vec<String> {
        value
            .as_array()
            .into_iter()
            .flatten()
            .filter_map(Value::as_str)
            .map(str::to_owned)
            .collect()
    };
    for (i, text) in texts(&def["initial"]).iter().enumerate() {
        state(text, pointer::item(&format!("{at}/initial"), i), false);
    }
    for (from, next) in def["from"].as_object().into_iter().flatten() {
        let here = pointer::child(&format!("{at}/from"), from);
        state(from, here.clone(), true);
        for (i, text) in texts(next).iter().enumerate() {
            state(text, pointer::item(&here, i), false);
        }
    }
    for (edge, _) in def["who"].as_object().into_iter().flatten() {
        let here = pointer::child(&format!("{at}/who"), edge);
        match edge.split_once("->") {
            Some((from, to)) => {
                let declared = def["from"]
                    .get(from)
                    .is_some_and(|next| texts(next).iter().any(|t| t == to));
                if !declared {
                    state(from, here.clone(), true);
                    state(to, here.clone(), true);
                }
            }
            None => state(edge, here, true),
        }
    }
    roles(kind, def, &at, issues);
}

/// Rules of who may move a record that no move comes under.
pub(super) fn notes(package: &Map<String, Value>) -> Vec<Note> {
    let mut notes = Vec::new();
    let kinds = package.get("records").and_then(Value::as_object);
    for (name, kind) in kinds.into_iter().flatten() {
        let def = &kind["transitions"];
        let leads = |from: &str, to: &str| {
            let next = def["from"].get(from).and_then(Value::as_array);
            next.is_some_and(|next| next.iter().any(|state| state == to))
        };
        let at = format!("{}/transitions/who", pointer::child("/records", name));
        for (edge, _) in def["who"].as_object().into_iter().flatten() {
            let (used, what) = match edge.split_once("->") {
                Some((from, to)) => (leads(from, to), "has no such move"),
                None => {
                    let mut from = def["from"].as_object().into_iter().flat_map(Map::keys);
                    (from.any(|from| leads(from, edge)), "never leads there")
                }
            };
            if !used {
                notes.push(Note::new(format!(
                    "{}: `from` {what}, so the rule never applies: add the move or take the rule out",
                    pointer::child(&at, edge)
                )));
            }
        }
    }
    notes
}

fn roles(kind: &Value, def: &Value, at: &str, issues: &mut Vec<Issue>) {
    for (edge, who) in def["who"].as_object().into_iter().flatten() {
        let Some(field) = who.as_str().and_then(|w| w.strip_prefix("role:")) else {
            continue;
        };
        if ref_target(kind, field) != Some(RefTarget::Member) {
            let here = pointer::child(&format!("{at}/who"), edge);
            issues.push(Issue::new(
                here,
                format!(
                    "role:{field} needs a ref to a member: declare {} in refs as \"member\"",
                    quoted(field)
                ),
            ));
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_rule_for_a_move_there_is_not_is_noted() {
        let who = json!({"open->done": "owners", "open->sent": "owners", "sent": "owners", "open": "owners"});
        let kind = json!({"transitions": {"field": "status", "from": {"open": ["sent"], "sent": ["done"]}, "who": who}});
        let package = Map::from_iter([("records".to_owned(), json!({"task": kind}))]);
        let said: Vec<String> = notes(&package).into_iter().map(|n| n.message).collect();
        let at = "/records/task/transitions/who";
        let end = "so the rule never applies: add the move or take the rule out";
        assert_eq!(
            said,
            [
                format!("{at}/open->done: `from` has no such move, {end}"),
                format!("{at}/open: `from` never leads there, {end}"),
            ]
        );
    }
}
