//! What a file writes out against the schema it is for, before anything runs. What is bound, worked out or filled in only later may be
//! anything, and is not judged. Pure.

use eui_core::host::validate_record;
use serde_json::{Map, Value, json};

use super::kinds;
use crate::issue::{Issue, did_you_mean, quoted};
use crate::pointer;

/// What makes a value one that only shows when it runs.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Later {
    /// `{"path": …}` and `{"call": …}`, as templates bind.
    Bound,
    /// `${…}` in a text, as automations and tools are filled.
    Filled,
}

impl Later {
    /// Is `value`, or anything within it, such a one?
    pub fn is(self, value: &Value) -> bool {
        match value {
            Value::String(text) => self == Later::Filled && text.contains("${"),
            Value::Array(items) => items.iter().any(|item| self.is(item)),
            Value::Object(members) => {
                let bound = |key: &str| members.get(key).is_some_and(Value::is_string);
                self == Later::Bound && (bound("path") || bound("call"))
                    || members.values().any(|member| self.is(member))
            }
            _ => false,
        }
    }
}

/// The schema that something is written for.
pub(super) struct Wanted<'a> {
    /// A record schema: a kind's, or an action's params.
    pub schema: &'a Value,
    /// Whose it is, as messages name it: "the action `add`".
    pub whose: String,
    /// Are all required fields to be there, or only some given?
    pub whole: bool,
    pub later: Later,
}

impl Wanted<'_> {
    /// What of `data`, written at `at`, the schema refuses whatever comes later.
    pub fn check(&self, data: &Map<String, Value>, at: &str) -> Vec<Issue> {
        let none = Map::new();
        let Some(fields) = self.schema.as_object().map(|schema| {
            let fields = schema.get("properties").and_then(Value::as_object);
            fields.unwrap_or(&none)
        }) else {
            return Vec::new();
        };
        let open = self.schema["additionalProperties"] == true;
        let required = self.schema["required"].as_array();
        let required = required.into_iter().flatten().filter_map(Value::as_str);
        let needed: Vec<&str> = required.collect();
        let mut issues = Vec::new();
        for field in &needed {
            if self.whole && !data.contains_key(*field) {
                let what = format!("{} needs {}: add it", self.whose, quoted(field));
                issues.push(Issue::new(at, what));
            }
        }
        for (name, value) in data {
            let here = pointer::child(at, name);
            let Some(field) = fields.get(name) else {
                if !open {
                    let hint = did_you_mean(name, fields.keys().map(String::as_str));
                    let hint = if hint.is_empty() {
                        ": take it out".into()
                    } else {
                        hint
                    };
                    let what = format!("{} has no {}{hint}", self.whose, quoted(name));
                    issues.push(Issue::key(here, what));
                }
                continue;
            };
            if self.later.is(value) {
                continue;
            }
            if value.is_null() && needed.contains(&name.as_str()) {
                let what = format!("{} needs {}: give it a value", self.whose, quoted(name));
                issues.push(Issue::new(here, what));
                continue;
            }
            // Under a plain name, so that the places of eui-core's issues are read back.
            let alone = json!({"properties": {"v": field}});
            for problem in validate_record(&alone, &json!({"v": value})) {
                let item = problem.path.strip_prefix("/v").unwrap_or_default();
                let what = format!("{} must be {}", quoted(name), problem.message);
                issues.push(Issue::new(format!("{here}{item}"), what));
            }
        }
        issues
    }
}

/// The arguments of one of the package's actions; one without params takes any.
pub(super) fn arguments(
    package: &Map<String, Value>,
    action: &str,
    args: &Map<String, Value>,
    at: &str,
    later: Later,
    issues: &mut Vec<Issue>,
) {
    let actions = package.get("actions");
    let Some(schema) = actions
        .and_then(|all| all.get(action)?.get("params"))
        .filter(|schema| schema.is_object())
    else {
        return;
    };
    let wanted = Wanted {
        schema,
        whose: format!("the action {}", quoted(action)),
        whole: true,
        later,
    };
    issues.extend(wanted.check(args, at));
}

/// The data of a write of a kind there is; one with an id keeps what it does not name.
pub(super) fn data(
    package: &Map<String, Value>,
    write: &Map<String, Value>,
    at: &str,
    later: Later,
    issues: &mut Vec<Issue>,
) {
    let name = write.get("kind").and_then(Value::as_str);
    let Some((name, def)) = name.and_then(|n| Some((n, package.get("records")?.get(n)?))) else {
        return;
    };
    let here = format!("{at}/data");
    let Some(data) = write.get("data") else {
        let what = format!("`data` is missing: give the fields of {}", quoted(name));
        return issues.push(Issue::new(here, what));
    };
    let Some(fields) = data.as_object() else {
        if !later.is(data) {
            issues.push(Issue::new(here, "`data` must be an object of fields"));
        }
        return;
    };
    let bound = |key: &str| fields.get(key).is_some_and(Value::is_string);
    let own = |key: &str| def["schema"]["properties"].get(key).is_some();
    if later == Later::Bound && ["path", "call"].into_iter().any(|k| bound(k) && !own(k)) {
        return;
    }
    let (computed, stored): (Map<_, _>, Map<_, _>) = (fields.clone().into_iter())
        .partition(|(field, _)| kinds::computed_of(def).any(|(name, _)| name == field));
    for (field, _) in &computed {
        issues.push(kinds::never_stored(field, &here));
    }
    let wanted = Wanted {
        schema: &def["schema"],
        whose: format!("the kind {}", quoted(name)),
        whole: write.get("id").is_none_or(Value::is_null),
        later,
    };
    issues.extend(wanted.check(&stored, &here));
}

#[cfg(test)]
#[allow(clippy::unwrap_used)]
mod tests {
    use super::*;

    fn said(later: Later, whole: bool, data: Value) -> Vec<String> {
        let schema = json!({"type": "object", "required": ["title"], "properties": {
            "title": {"type": "string", "maxLength": 5}, "hours": {"type": "number"}, "tags": {"type": "array"}, "a/b": {"type": "integer"}}});
        let wanted = Wanted {
            schema: &schema,
            whose: "it".into(),
            whole,
            later,
        };
        let issues = wanted.check(data.as_object().unwrap(), "/at");
        issues
            .into_iter()
            .map(|i| format!("{} {}", i.pointer, i.message))
            .collect()
    }

    #[test]
    fn what_is_written_out_must_keep_the_schema() {
        for (data, expected) in [
            (json!({}), "/at it needs `title`: add it"),
            (
                json!({"title": null}),
                "/at/title it needs `title`: give it a value",
            ),
            (
                json!({"title": "x", "hous": 1}),
                "/at/hous it has no `hous`: did you mean `hours`?",
            ),
            (
                json!({"title": "x", "zz": 1}),
                "/at/zz it has no `zz`: take it out",
            ),
            (
                json!({"title": "longer"}),
                "/at/title `title` must be at most 5 characters",
            ),
            (
                json!({"title": "x", "hours": "2"}),
                "/at/hours `hours` must be a number",
            ),
            (
                json!({"title": "x", "tags": ["a", 2]}),
                "/at/tags/1 `tags` must be a string",
            ),
            (
                json!({"title": "x", "a/b": 0.5}),
                "/at/a~1b `a/b` must be an integer",
            ),
        ] {
            assert_eq!(said(Later::Bound, true, data), [expected]);
        }
        assert_eq!(said(Later::Bound, false, json!({"hours": 2})), [""; 0]);
    }

    #[test]
    fn what_only_shows_later_fits_everything() {
        let bound = json!({"title": {"path": "/t"}, "hours": {"call": "len", "args": {}}, "tags": [{"path": "tag"}]});
        assert_eq!(said(Later::Bound, true, bound), [""; 0]);
        let filled =
            json!({"title": "${record.title}", "hours": "${record.h}", "tags": ["${record.t}"]});
        assert_eq!(said(Later::Filled, true, filled), [""; 0]);
        let plain = said(Later::Bound, true, json!({"title": "x", "hours": "${h}"}));
        assert_eq!(plain, ["/at/hours `hours` must be a number"]);
    }
}
