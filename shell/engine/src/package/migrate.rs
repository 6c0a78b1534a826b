//! A record's way from an older version of its app to this one, and which changes of the kinds need such a way. Pure: the store moves
//! the records ([`crate::records`]), [`super::migrations`] checks what a package declares.
//!
//! A migration takes the records of its kind, as written by a version in its range, to *this* version: of several that fit, each is
//! applied, in the file's order. A record that has been moved is this version's and is never moved again.
//!
//! What may be lost ([`losses`]), and the steps that say it is meant:
//!
//! | a change of a kind | covered by |
//! |---|---|
//! | the kind is gone | `renameKind` |
//! | a field is gone (unless the kind keeps further fields) | `drop`, or `rename` from it |
//! | a field's type, its items' type or its format is another (an integer that becomes a number aside) | `map`, or as if it were gone |
//! | an enum lost a value, or is new | `map`, or as if it were gone |
//! | a field is required that was not | `default`, `map`, or `rename` to it |
//!
//! A new optional field, a wider enum and other bounds need none: bounds hold for what is written from then on.

use eui_core::cel::{ExpressionEnv, evaluate_expression};
use serde_json::{Map, Value};

use super::Package;
use super::kinds::record_issues;
use crate::issue::{Issue, quoted};
use crate::pointer;

/// A record's kind and data.
#[derive(Debug, Clone, PartialEq)]
pub struct Moved {
    pub kind: String,
    pub data: Map<String, Value>,
}

/// Is `version` (`1.4.2`) in `range` (`^1.2`): of its major version, and not before it?
fn in_range(version: &str, range: &str) -> bool {
    let parts =
        |text: &str| -> Option<Vec<u32>> { text.split('.').map(|p| p.parse().ok()).collect() };
    let range = range.strip_prefix('^').and_then(parts);
    match (parts(version), range) {
        (Some(version), Some(range)) => {
            version.len() == 3 && version.first() == range.first() && version >= range
        }
        _ => false,
    }
}

/// The migrations of `package` for records of `kind` that `version` wrote.
fn steps<'a>(package: &'a Map<String, Value>, kind: &str, version: &str) -> Vec<&'a Value> {
    let migrations = package.get("migrations").and_then(Value::as_array);
    let fits = |migration: &&Value| {
        let from = migration["from"].as_str().unwrap_or_default();
        migration["kind"] == kind && in_range(version, from)
    };
    migrations
        .into_iter()
        .flatten()
        .filter(fits)
        .flat_map(|migration| migration["ops"].as_array().into_iter().flatten())
        .collect()
}

impl Package {
    /// Are there steps for records of `kind` that `version` of the app wrote?
    pub fn moves(&self, kind: &str, version: &str) -> bool {
        version != self.version() && !steps(&self.value, kind, version).is_empty()
    }

    /// A record of `kind`, which `version` of the app wrote, as this version has it; as it is where no migration is for it. `env` is
    /// the clock and the zone its expressions read days in.
    ///
    /// # Errors
    /// The step that fails, or what of the outcome this version does not accept: one sentence without a full stop.
    pub fn migrate_record(
        &self,
        kind: &str,
        version: &str,
        data: &Map<String, Value>,
        env: &ExpressionEnv,
    ) -> Result<Moved, String> {
        let mut moved = Moved {
            kind: kind.to_owned(),
            data: data.clone(),
        };
        if version == self.version() {
            return Ok(moved);
        }
        let steps = steps(&self.value, kind, version);
        if steps.is_empty() {
            return Ok(moved);
        }
        for step in steps {
            moved.take(step, env)?;
        }
        let schema = self
            .kind(&moved.kind)
            .and_then(|kind| kind.get("schema"))
            .ok_or_else(|| format!("the app declares no kind {}", moved.kind))?;
        let issues = record_issues(schema, &Value::Object(moved.data.clone()));
        match issues.first() {
            Some(issue) => {
                let field = issue.path.trim_start_matches('/');
                Err(format!("{field}: {}", issue.message))
            }
            None => Ok(moved),
        }
    }
}

impl Moved {
    fn take(&mut self, step: &Value, env: &ExpressionEnv) -> Result<(), String> {
        let text = |value: &Value| value.as_str().map(str::to_owned);
        let Some((name, with)) = step.as_object().and_then(|step| step.iter().next()) else {
            return Ok(());
        };
        let (from, to) = (text(&with["from"]), text(&with["to"]));
        let field = text(&with["field"]);
        match (name.as_str(), text(with), from, to, field) {
            ("rename", _, Some(from), Some(to), _) => {
                if let Some(value) = self.data.shift_remove(&from) {
                    self.data.insert(to, value);
                }
            }
            ("default", _, _, _, Some(field))
                if self.data.get(&field).is_none_or(Value::is_null) =>
            {
                self.data.insert(field, with["value"].clone());
            }
            ("drop", Some(field), ..) => drop(self.data.shift_remove(&field)),
            ("map", _, _, _, Some(field)) => {
                let expression = with["expr"].as_str().unwrap_or_default();
                let value =
                    evaluate_expression(expression, &Fields(&self.data).all(expression), env)
                        .map_err(|why| format!("{field}: {why}"))?;
                self.data.insert(field, value);
            }
            ("renameKind", Some(kind), ..) => self.kind = kind,
            _ => {}
        }
        Ok(())
    }
}

/// What an expression of a migration reads: the record's fields as they are at that step, null where one is not there.
struct Fields<'a>(&'a Map<String, Value>);

impl Fields<'_> {
    fn all(&self, expression: &str) -> Map<String, Value> {
        let mut all: Map<String, Value> = super::expression::reads(expression)
            .into_iter()
            .map(|name| (name, Value::Null))
            .collect();
        all.extend(self.0.clone());
        all
    }
}

/// What records would lose if `after` took the place of `before`, kind by kind: each a sentence at its place in `after`, with the
/// kind's name as `before` called it.
pub fn losses(before: &Package, after: &Package) -> Vec<(String, Issue)> {
    let none = Map::new();
    let kinds = |package: &Package| -> Map<String, Value> {
        let kinds = package.value.get("records").and_then(Value::as_object);
        kinds.unwrap_or(&none).clone()
    };
    let (old, new) = (kinds(before), kinds(after));
    let mut lost = Vec::new();
    for (name, kind) in &old {
        let steps = steps(&after.value, name, before.version());
        let renamed = steps
            .iter()
            .filter_map(|op| op["renameKind"].as_str())
            .next_back();
        let called = renamed.unwrap_or(name);
        let mut say = |pointer: String, what: String| {
            lost.push((name.clone(), Issue::new(pointer, what)));
        };
        let Some(now) = new.get(called) else {
            say(
                "/records".into(),
                format!(
                    "the kind {} is gone and its records with it: keep it, or rename it with a migration from {} that says `renameKind`",
                    quoted(name),
                    range(before)
                ),
            );
            continue;
        };
        let at = pointer::child("/records", called);
        for change in changes(&kind["schema"], &now["schema"], &steps) {
            let what = format!(
                "{} of the kind {} {}: {}, in `migrations` from {}",
                quoted(change.field),
                quoted(name),
                change.what,
                change.remedy,
                range(before)
            );
            say(format!("{at}/schema"), what);
        }
    }
    lost
}

/// The range of versions that has `package` in it.
fn range(package: &Package) -> String {
    let major = package.version().split('.').next().unwrap_or_default();
    format!("^{major}")
}

struct Lossy<'a> {
    field: &'a str,
    what: &'static str,
    remedy: &'static str,
}

/// The changes from one schema to another that no step covers.
fn changes<'a>(old: &'a Value, new: &'a Value, steps: &[&Value]) -> Vec<Lossy<'a>> {
    let none = Map::new();
    let fields = |schema: &'a Value| schema.get("properties").and_then(Value::as_object);
    let (before, after) = (fields(old), fields(new).unwrap_or(&none).clone());
    let taken = |field: &str| {
        let takes = |op: &&Value| op["drop"] == field || op["rename"]["from"] == field;
        steps.iter().any(takes)
    };
    let mapped = |field: &str| steps.iter().any(|op| op["map"]["field"] == field);
    let mut lossy = Vec::new();
    for (name, definition) in before.into_iter().flatten() {
        if taken(name) {
            continue;
        }
        let found = match after.get(name) {
            None if new["additionalProperties"] == true => None,
            None => Some(("is gone", "say `drop` or `rename`")),
            Some(_) if mapped(name) => None,
            Some(now) => {
                narrowed(definition, now).map(|what| (what, "say with `map` what becomes of it"))
            }
        };
        if let Some((what, remedy)) = found {
            lossy.push(Lossy {
                field: name,
                what,
                remedy,
            });
        }
    }
    let required = |schema: &'a Value| {
        let list = schema.get("required").and_then(Value::as_array);
        list.into_iter().flatten().filter_map(Value::as_str)
    };
    for field in required(new) {
        let given = steps
            .iter()
            .any(|op| op["default"]["field"] == field || op["rename"]["to"] == field);
        if !given && !mapped(field) && !required(old).any(|was| was == field) {
            lossy.push(Lossy {
                field,
                what: "is required now",
                remedy: "give older records one with `default`",
            });
        }
    }
    lossy
}

/// Why values of a field `old` may not be ones of `new`.
fn narrowed(old: &Value, new: &Value) -> Option<&'static str> {
    let ty = |field: &Value| field["type"].as_str().unwrap_or_default().to_owned();
    let widened = |old: &Value, new: &Value| {
        ty(old) == ty(new) || (ty(old) == "integer" && ty(new) == "number")
    };
    if !widened(old, new) {
        return Some("has another type");
    }
    if ty(new) == "array"
        && (!widened(&old["items"], &new["items"]) || lost_value(&old["items"], &new["items"]))
    {
        return Some("has items of another type");
    }
    if !new["format"].is_null() && new["format"] != old["format"] {
        return Some("has another format");
    }
    lost_value(old, new).then_some("allows fewer values")
}

/// Is there a value that only `old` lists?
fn lost_value(old: &Value, new: &Value) -> bool {
    match (old["enum"].as_array(), new["enum"].as_array()) {
        (_, None) => false,
        (None, Some(_)) => true,
        (Some(old), Some(new)) => old.iter().any(|value| !new.contains(value)),
    }
}

#[cfg(test)]
#[allow(clippy::unwrap_used)]
mod tests {
    use super::*;
    use serde_json::json;

    fn package(version: &str, records: Value, migrations: Value) -> Package {
        let value = json!({
            "formatVersion": 3, "id": "acme.hours", "name": "Hours", "version": version, "catalogId": eui_core::CORE_CATALOG_ID,
            "records": records, "migrations": migrations,
            "templates": {"main": {"components": [{"id": "root", "component": "Text", "text": "Hours"}]}},
        });
        let read = Package::read(value.to_string().as_bytes());
        read.package.ok_or(read.issues).unwrap()
    }

    fn kind(properties: Value, required: Value) -> Value {
        json!({"schema": {"type": "object", "properties": properties, "required": required}})
    }

    fn entry(properties: Value, required: Value) -> Value {
        json!({"entry": kind(properties, required)})
    }

    fn said(before: &Package, after: &Package) -> Vec<String> {
        losses(before, after)
            .into_iter()
            .map(|(_, issue)| issue.message)
            .collect()
    }

    fn moved(package: &Package, version: &str, data: Value) -> Result<Value, String> {
        let env = ExpressionEnv::default();
        let moved = package.migrate_record("entry", version, data.as_object().unwrap(), &env)?;
        Ok(json!([moved.kind, moved.data]))
    }

    #[test]
    fn a_record_goes_through_the_steps_of_its_version_in_order() {
        let records = json!({"log": kind(json!({"hours": {"type": "number"}, "note": {"type": "string"}, "state": {"type": "string"}}), json!(["hours", "state"]))});
        let ops = json!([
            {"renameKind": "log"}, {"rename": {"from": "minutes", "to": "hours"}}, {"map": {"field": "hours", "expr": "orElse(hours, 0) / 60"}},
            {"map": {"field": "note", "expr": "note == null ? 'none' : note"}}, {"default": {"field": "state", "value": "open"}}, {"drop": "old"},
        ]);
        let new = package(
            "2.1.0",
            records,
            json!([{"from": "^1.2", "kind": "entry", "ops": ops}]),
        );
        assert_eq!(
            moved(&new, "1.2.0", json!({"minutes": 90, "old": 1})),
            Ok(json!(["log", {"hours": 1.5, "note": "none", "state": "open"}]))
        );
        assert_eq!(
            moved(
                &new,
                "1.9.9",
                json!({"minutes": 60, "note": "n", "state": "done"})
            ),
            Ok(json!(["log", {"hours": 1, "note": "n", "state": "done"}]))
        );
        let as_it_is = json!({"minutes": 90});
        for version in ["1.1.0", "2.1.0", "3.0.0", "not a version"] {
            assert_eq!(
                moved(&new, version, as_it_is.clone()),
                Ok(json!(["entry", as_it_is])),
                "{version}"
            );
        }
    }

    #[test]
    fn a_record_that_does_not_fit_afterwards_is_refused_by_its_field() {
        let number = json!({"hours": {"type": "number", "minimum": 0}});
        let ops = json!([{"map": {"field": "hours", "expr": "hours - 10"}}]);
        let new = package(
            "2.0.0",
            entry(number, json!(["hours"])),
            json!([{"from": "^1", "kind": "entry", "ops": ops}]),
        );
        assert_eq!(
            moved(&new, "1.0.0", json!({"hours": 4})),
            Err("hours: at least 0".into())
        );
        let failed = moved(&new, "1.0.0", json!({"hours": "four"})).unwrap_err();
        assert!(failed.starts_with("hours: "), "{failed}");
    }

    #[test]
    fn a_change_that_loses_data_is_named_unless_a_step_covers_it() {
        let text = json!({"type": "string"});
        let old = package(
            "1.4.0",
            entry(
                json!({"a": text, "n": {"type": "number"}, "s": {"type": "string", "enum": ["x", "y"]}}),
                json!([]),
            ),
            json!([]),
        );
        let new = |properties: Value, required: Value, ops: Value| {
            let migrations = if ops == json!([]) {
                json!([])
            } else {
                json!([{"from": "^1", "kind": "entry", "ops": ops}])
            };
            package("2.0.0", entry(properties, required), migrations)
        };
        let number = json!({"type": "number"});
        let states = |values: Value| json!({"type": "string", "enum": values});
        let all = |a: Value, n: Value, s: Value| json!({"a": a, "n": n, "s": s});
        let same = all(text.clone(), number.clone(), states(json!(["x", "y"])));
        let gone = json!({"n": number, "s": states(json!(["x", "y"]))});
        let typed = all(text.clone(), text.clone(), states(json!(["x", "y"])));
        let dated = all(
            json!({"type": "string", "format": "date"}),
            number.clone(),
            states(json!(["x", "y"])),
        );
        let fewer = all(text.clone(), number.clone(), states(json!(["x", "z"])));
        for (properties, required, what, covering) in [
            (gone, json!([]), "is gone", json!([{"drop": "a"}])),
            (
                typed,
                json!([]),
                "has another type",
                json!([{"map": {"field": "n", "expr": "'n'"}}]),
            ),
            (
                dated,
                json!([]),
                "has another format",
                json!([{"map": {"field": "a", "expr": "null"}}]),
            ),
            (
                fewer,
                json!([]),
                "allows fewer values",
                json!([{"map": {"field": "s", "expr": "'x'"}}]),
            ),
            (
                same,
                json!(["a"]),
                "is required now",
                json!([{"default": {"field": "a", "value": ""}}]),
            ),
        ] {
            let refused = said(&old, &new(properties.clone(), required.clone(), json!([])));
            let [only] = &refused[..] else {
                panic!("{refused:?}")
            };
            assert!(
                only.contains(what) && only.contains("`entry`") && only.contains("from ^1"),
                "{only}"
            );
            assert_eq!(
                said(&old, &new(properties, required, covering)),
                [""; 0],
                "{what}"
            );
        }
    }

    #[test]
    fn more_than_before_loses_nothing() {
        let old = package(
            "1.0.0",
            entry(
                json!({"n": {"type": "integer"}, "s": {"type": "string", "enum": ["x"]}}),
                json!(["n"]),
            ),
            json!([]),
        );
        let wider = json!({"n": {"type": "number", "minimum": 3}, "s": {"type": "string"}, "new": {"type": "boolean"}});
        let mut records = entry(wider, json!([]));
        records["other"] = kind(json!({}), json!([]));
        assert_eq!(said(&old, &package("2.0.0", records, json!([]))), [""; 0]);
    }

    #[test]
    fn a_kind_that_is_gone_or_only_has_a_way_from_other_versions_is_refused() {
        let old = package(
            "1.0.0",
            entry(json!({"n": {"type": "number"}}), json!([])),
            json!([]),
        );
        let log = json!({"log": kind(json!({"n": {"type": "number"}}), json!([]))});
        let way =
            |from: &str| json!([{"from": from, "kind": "entry", "ops": [{"renameKind": "log"}]}]);
        assert_eq!(
            said(&old, &package("2.0.0", log.clone(), way("^1"))),
            [""; 0]
        );
        for way in [json!([]), way("^1.1")] {
            let refused = said(&old, &package("2.0.0", log.clone(), way));
            assert!(
                refused.len() == 1 && refused[0].contains("the kind `entry` is gone"),
                "{refused:?}"
            );
        }
    }
}
