//! The fields that a package's queries read, named ones and those of its sources, exist in their kind and can be what they are used for; what
//! they compare with is no expression.

use eui_core::host::{
    ParsedSource, RECORDS_ROW_KEYS, RecordsAggregateOp, RecordsQuery, RecordsRunningOp,
    parse_records_json, parse_records_source, parse_source,
};
use serde_json::{Map, Value, json};

use super::{bindings, kinds};
use crate::issue::{Issue, Note, did_you_mean, quoted};
use crate::pointer;

pub(super) fn check(package: &Map<String, Value>, issues: &mut Vec<Issue>, notes: &mut Vec<Note>) {
    let queries = package.get("queries").and_then(Value::as_object);
    for (name, query) in queries.into_iter().flatten() {
        let at = pointer::child("/queries", name);
        // Another app's kind, or one a parameter names, is known only when the query runs.
        let from = query.get("from").and_then(Value::as_str);
        let Some(def) = from.and_then(|kind| own_kind(package, kind, query.get("app").is_some()))
        else {
            continue;
        };
        let kind = from.unwrap_or_default();
        let expand = query.get("expand").and_then(Value::as_array);
        for (i, field) in expand.into_iter().flatten().enumerate() {
            if let Some(field) = field
                .as_str()
                .filter(|f| kinds::ref_target(def, f).is_none())
            {
                issues.push(Issue::new(
                    pointer::item(&format!("{at}/expand"), i),
                    bindings::no_ref(field, kind, def),
                ));
            }
        }
        if let Some(mut fields) = Fields::of(def, kind, issues, notes) {
            fields.written(query, &at);
        }
    }
}

/// A records source, written at `here`: what it filters, sorts, sums and cuts by are fields of its kind. A named query is judged where it
/// stands; the rest of such a source fills it in.
pub(super) fn source(
    package: &Map<String, Value>,
    source: &str,
    here: &str,
    issues: &mut Vec<Issue>,
    notes: &mut Vec<Note>,
) {
    let (bare, _) = bindings::split_expand(source, None);
    let Some(parsed) = parse_source(&bare) else {
        return;
    };
    let kind = parsed.name.as_str();
    let Some(def) = own_kind(package, kind, parsed.params.contains_key("app")) else {
        return;
    };
    if let Some(name) = parsed.params.get("query") {
        let query = package.get("queries").and_then(|all| all.get(name));
        let unread = query.map_or_else(Vec::new, |query| unread(query, &parsed));
        for param in unread {
            notes.push(Note::new(format!(
                "{here}: the query {} reads no ${{{param}}}, so that part of the source does nothing",
                quoted(name)
            )));
        }
        return;
    }
    let Some(mut fields) = Fields::of(def, kind, issues, notes) else {
        return;
    };
    match parsed.params.get("q").map(|q| serde_json::from_str(q)) {
        Some(Ok(query)) => fields.written_within(&query, here),
        // One that is filled in, or none at all, is told when it is asked.
        Some(Err(_)) => {}
        None => {
            if let Some(query) = parse_records_source(&parsed) {
                fields.all(&query, here);
            }
        }
    }
}

/// A query of a kind that a tool writes out at `at`, with what fields must be `equal` to.
pub(super) fn written(
    package: &Map<String, Value>,
    kind: &str,
    query: &Value,
    equal: Option<&Value>,
    at: &str,
    issues: &mut Vec<Issue>,
    notes: &mut Vec<Note>,
) {
    let Some(def) = own_kind(package, kind, false) else {
        return;
    };
    let Some(mut fields) = Fields::of(def, kind, issues, notes) else {
        return;
    };
    for (field, _) in equal.and_then(Value::as_object).into_iter().flatten() {
        fields.need(field, pointer::child(&format!("{at}/where"), field));
    }
    fields.written(query, at);
}

/// The params of a source that its named query has no place for.
fn unread(query: &Value, source: &ParsedSource) -> Vec<String> {
    let text = query.to_string();
    let other = source.params.keys().filter(|key| *key != "query");
    let unread = other.filter(|key| !text.contains(&format!("${{{key}}}")));
    unread.cloned().collect()
}

/// A kind of the package's own, where that is what is asked.
fn own_kind<'a>(package: &'a Map<String, Value>, kind: &str, elsewhere: bool) -> Option<&'a Value> {
    package.get("records")?.get(kind).filter(|_| !elsewhere)
}

/// Values that look like expressions: nothing evaluates them, they are compared as the text they are.
pub(super) fn notes(package: &Map<String, Value>) -> Vec<Note> {
    let mut notes = Vec::new();
    let queries = package.get("queries").and_then(Value::as_object);
    for (name, query) in queries.into_iter().flatten() {
        for (place, condition) in conditions(query, &pointer::child("/queries", name)) {
            let at = pointer::item(&place, 2);
            let values = match condition.get(2) {
                Some(Value::Array(list)) => list.as_slice(),
                Some(one) => std::slice::from_ref(one),
                None => &[],
            };
            let called = values.iter().filter_map(Value::as_str);
            for text in called.filter(|text| is_call(text)) {
                notes.push(Note::new(format!(
                    "{at}: {} is compared as text, a condition has no expressions: give the kind a `computed` field for it and compare that",
                    quoted(text)
                )));
            }
        }
    }
    notes
}

/// `today()`, `dateAdd(today(), 1, 'day')`: a name and its arguments.
fn is_call(text: &str) -> bool {
    let Some((name, rest)) = text.trim().split_once('(') else {
        return false;
    };
    let mut letters = name.chars();
    letters.next().is_some_and(char::is_alphabetic)
        && letters.all(|c| c.is_alphanumeric() || matches!(c, '_' | '.'))
        && rest.ends_with(')')
}

/// The conditions of a query that stands at `at`, each with its place; those of an `or` one by one.
fn conditions<'a>(query: &'a Value, at: &str) -> Vec<(String, &'a Value)> {
    let at = pointer::child(at, "where");
    let mut all = Vec::new();
    let entries = query.get("where").and_then(Value::as_array);
    for (i, entry) in entries.into_iter().flatten().enumerate() {
        let here = pointer::item(&at, i);
        let Some(alternatives) = entry.get("or").and_then(Value::as_array) else {
            all.push((here, entry));
            continue;
        };
        for (j, list) in alternatives.iter().enumerate() {
            let of = pointer::item(&pointer::child(&here, "or"), j);
            let list = list.as_array().into_iter().flatten().enumerate();
            all.extend(list.map(|(k, condition)| (pointer::item(&of, k), condition)));
        }
    }
    all
}

/// The fields of a kind, and what is found of a query that reads them.
struct Fields<'a> {
    kind: &'a str,
    /// With the computed ones, typed.
    properties: Map<String, Value>,
    issues: &'a mut Vec<Issue>,
    notes: &'a mut Vec<Note>,
}

impl<'a> Fields<'a> {
    /// `None` where a record may hold fields that the kind does not name.
    fn of(
        def: &Value,
        kind: &'a str,
        issues: &'a mut Vec<Issue>,
        notes: &'a mut Vec<Note>,
    ) -> Option<Fields<'a>> {
        let mut schema = kinds::schema_for_core(def);
        if schema["additionalProperties"] == true {
            return None;
        }
        let Value::Object(mut properties) = schema.get_mut("properties")?.take() else {
            return None;
        };
        // A computed field that does not type has its own issue.
        for (name, _) in kinds::computed_of(def) {
            properties.entry(name.clone()).or_insert(Value::Null);
        }
        for key in RECORDS_ROW_KEYS {
            let time = matches!(*key, "createdAt" | "updatedAt");
            let format = if time {
                json!("date-time")
            } else {
                Value::Null
            };
            properties.insert(
                (*key).to_owned(),
                json!({"type": "string", "format": format}),
            );
        }
        Some(Fields {
            kind,
            properties,
            issues,
            notes,
        })
    }

    /// The field's declaration; one there is not is an issue, one that is filled in is none.
    fn need(&mut self, field: &str, here: String) -> Option<Value> {
        let found = self.properties.get(field).cloned();
        if found.is_none() && !field.contains("${") {
            let hint = did_you_mean(field, self.properties.keys().map(String::as_str));
            let what = format!("{} has no field {}{hint}", self.kind, quoted(field));
            self.issues.push(Issue::new(here, what));
        }
        found
    }

    /// A field that is added up.
    fn number(&mut self, field: &str, here: String, verb: &str) {
        let Some(found) = self.need(field, here.clone()) else {
            return;
        };
        if !matches!(found["type"].as_str(), None | Some("number" | "integer")) {
            let what = format!("{} is no number: {verb} a number field", quoted(field));
            self.issues.push(Issue::new(here, what));
        }
    }

    /// A field that is cut into days, weeks or months. A text may hold a day without saying so.
    fn day(&mut self, field: &str, here: String) {
        let Some(found) = self.need(field, here.clone()) else {
            return;
        };
        match (found["type"].as_str(), found["format"].as_str()) {
            (None, _) | (Some("string"), Some("date" | "date-time")) => {}
            (Some("string"), None) if found.get("enum").is_none() => {
                self.notes.push(Note::new(format!(
                    "{here}: {} is a text that may be no day: give it `format` date or date-time",
                    quoted(field)
                )))
            }
            _ => self.issues.push(Issue::new(
                here,
                format!(
                    "{} is no day: cut a field of `format` date or date-time",
                    quoted(field)
                ),
            )),
        }
    }

    /// A query as a package writes it, at `at`.
    fn written(&mut self, query: &Value, at: &str) {
        // eui-core reads the query; its reading names the fields, the text says where they stand.
        let Some(read) = read(query) else { return };
        for (place, condition) in conditions(query, at) {
            if let Some(field) = condition.get(0).and_then(Value::as_str) {
                self.need(field, pointer::item(&place, 0));
            }
        }
        if let Some(field) = query["before"]["field"].as_str() {
            self.need(field, format!("{at}/before/field"));
        }
        let sorts = query.get("sort").is_some_and(Value::is_string);
        self.read(&read, &|part| match part {
            Part::Sort(_) if sorts => format!("{at}/sort"),
            Part::Sort(i) => pointer::item(&format!("{at}/sort"), i),
            Part::Group(i) => pointer::item(&format!("{at}/group"), i),
            Part::Aggregate(name) => {
                format!("{}/1", pointer::child(&format!("{at}/aggregate"), name))
            }
            Part::Running(name) => pointer::child(&format!("{at}/running"), name),
            Part::Month => format!("{at}/month/field"),
            Part::Sum => format!("{at}/sum"),
        });
    }

    /// One within a source: all of it stands at one place.
    fn written_within(&mut self, query: &Value, here: &str) {
        if let Some(read) = read(query) {
            self.all(&read, here);
        }
    }

    /// A query that stands at one place.
    fn all(&mut self, query: &RecordsQuery, here: &str) {
        self.conditions(query, here);
        self.read(query, &|_| here.to_owned());
    }

    /// What a query reads, but for its conditions in a package's text. `place` says where each part stands.
    fn read(&mut self, query: &RecordsQuery, place: &dyn Fn(Part) -> String) {
        // A grouped query sorts by its groups and aggregates too.
        let columns = query.aggregate.iter().map(|a| a.name.as_str());
        let columns: Vec<&str> = columns.chain(["count", "key"]).collect();
        for (i, key) in query.sort.iter().enumerate() {
            if query.group.is_empty() || !columns.contains(&key.field.as_str()) {
                self.need(&key.field, place(Part::Sort(i)));
            }
        }
        for (i, key) in query.group.iter().enumerate() {
            let here = place(Part::Group(i));
            if key.bucket.is_some() {
                self.day(&key.field, here);
            } else {
                self.need(&key.field, here);
            }
        }
        for aggregate in &query.aggregate {
            let Some(field) = &aggregate.field else {
                continue;
            };
            let here = place(Part::Aggregate(&aggregate.name));
            match aggregate.op {
                RecordsAggregateOp::Sum => self.number(field, here, "sum"),
                RecordsAggregateOp::Avg => self.number(field, here, "average"),
                _ => {
                    self.need(field, here);
                }
            }
        }
        for running in &query.running {
            let (field, here) = (&running.field, place(Part::Running(&running.field)));
            match running.op {
                RecordsRunningOp::Sum => self.number(field, here, "sum"),
                RecordsRunningOp::Avg => self.number(field, here, "average"),
                _ => {
                    self.need(field, here);
                }
            }
        }
        if let Some(month) = &query.month {
            self.day(&month.field, place(Part::Month));
        }
        if let Some(sum) = &query.sum {
            self.number(sum, place(Part::Sum), "sum");
        }
    }

    fn conditions(&mut self, query: &RecordsQuery, here: &str) {
        let any = query.or.iter().flatten();
        for condition in query.where_.iter().chain(any) {
            self.need(&condition.field, here.to_owned());
        }
    }
}

/// A part of a query that names a field.
#[derive(Clone, Copy)]
enum Part<'a> {
    Sort(usize),
    Group(usize),
    Aggregate(&'a str),
    Running(&'a str),
    Month,
    Sum,
}

/// A query as eui-core reads it, where it is whole.
fn read(query: &Value) -> Option<RecordsQuery> {
    let mut bare = query.clone();
    bare.as_object_mut()?.shift_remove("expand");
    let (read, problems) = parse_records_json(&bare, None);
    problems.is_empty().then_some(read)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn said(conditions: Value) -> Vec<String> {
        let package = json!({"queries": {"due": {"from": "task", "where": conditions}}});
        let Value::Object(package) = package else {
            panic!("an object")
        };
        notes(&package).into_iter().map(|n| n.message).collect()
    }

    #[test]
    fn a_value_that_looks_like_an_expression_is_told_to_be_text() {
        for (conditions, place) in [
            (json!([["next", "<=", "today()"]]), "/queries/due/where/0/2"),
            (
                json!([["next", "<=", "yesterday()"]]),
                "/queries/due/where/0/2",
            ),
            (
                json!([["a", "=", "x"], {"or": [[["day", "between", ["2026-01-01", "dateAdd(today(), 1, 'day')"]]]]}]),
                "/queries/due/where/1/or/0/0/2",
            ),
        ] {
            let said = said(conditions);
            assert_eq!(said.len(), 1, "{said:?}");
            assert!(said[0].starts_with(&format!("{place}: ")), "{said:?}");
        }
    }

    #[test]
    fn a_text_with_something_in_brackets_is_a_text() {
        let texts = ["2026-11-30", "Call (urgent)", "f(", "(x)", "", "3(4)"];
        let all = texts.map(|text| json!(["title", "=", text]));
        assert_eq!(said(json!(all)), [""; 0]);
    }
}
