//! A value held against a [`Shape`]: every difference is an issue at its pointer, with what to do.

use serde_json::{Map, Value};

use super::shape::{FREE_KEYS, Field, Object, Shape};
use crate::issue::{Issue, did_you_mean, quoted};
use crate::pointer;

/// Every difference between `value` and `shape`, written for a file of format `version` (0 where a format has one
/// version only).
pub fn shape_issues(value: &Value, shape: &Shape, version: u8) -> Vec<Issue> {
    let mut check = Check {
        version,
        issues: Vec::new(),
    };
    check.value(value, shape, "", "the file");
    check.issues
}

struct Check {
    version: u8,
    issues: Vec<Issue>,
}

impl Check {
    fn say(&mut self, at: &str, message: impl Into<String>) {
        self.issues.push(Issue::new(at, message));
    }

    fn wrong(&mut self, value: &Value, shape: &Shape, at: &str, name: &str) {
        self.say(
            at,
            format!("{name} must be {}, not {}", shape.says(), in_words(value)),
        );
    }

    fn value(&mut self, value: &Value, shape: &Shape, at: &str, name: &str) {
        match (shape, value) {
            (Shape::Any, _) | (Shape::Flag, Value::Bool(_)) => {}
            (Shape::Text(rule), Value::String(text)) => {
                let length = text.chars().count();
                let fits = length >= rule.min
                    && rule.max.is_none_or(|max| length <= max)
                    && rule.pattern.is_none_or(|p| (p.test)(text));
                if !fits {
                    self.wrong(value, shape, at, name);
                }
            }
            (Shape::Choice(words), Value::String(text)) => {
                if !words.contains(text) {
                    let hint = did_you_mean(text, words.iter().map(String::as_str));
                    self.say(
                        at,
                        format!(
                            "{name} must be {}, not {}{hint}",
                            shape.says(),
                            quoted(text)
                        ),
                    );
                }
            }
            (Shape::Number(rule), Value::Number(number)) => {
                let n = number.as_f64().unwrap_or(f64::NAN);
                let fits = n.is_finite()
                    && rule.min.is_none_or(|min| n >= min)
                    && rule.max.is_none_or(|max| n <= max)
                    && (!rule.whole || n.fract() == 0.0);
                if !fits {
                    self.wrong(value, shape, at, name);
                }
            }
            (Shape::List(rule), Value::Array(items)) => {
                if items.len() < rule.min || rule.max.is_some_and(|max| items.len() > max) {
                    self.say(
                        at,
                        format!(
                            "{name} must be {}; this one has {}",
                            shape.says(),
                            items.len()
                        ),
                    );
                }
                for (i, item) in items.iter().enumerate() {
                    self.value(
                        item,
                        &rule.of,
                        &pointer::item(at, i),
                        &format!("item {i} of {name}"),
                    );
                }
            }
            (Shape::Map(rule), Value::Object(members)) => {
                let named: Vec<_> = members
                    .iter()
                    .filter(|(k, _)| !FREE_KEYS.contains(&k.as_str()))
                    .collect();
                if named.len() < rule.min || rule.max.is_some_and(|max| named.len() > max) {
                    self.say(
                        at,
                        format!(
                            "{name} must be {}; this one has {}",
                            shape.says(),
                            named.len()
                        ),
                    );
                }
                for (key, inner) in named {
                    let here = pointer::child(at, key);
                    if let Some(pattern) = rule.keys.filter(|p| !(p.test)(key)) {
                        self.issues.push(Issue::key(
                            &here,
                            format!("the key {} must be {}", quoted(key), pattern.says),
                        ));
                    }
                    self.value(inner, &rule.of, &here, &quoted(key));
                }
            }
            (Shape::Object(object), Value::Object(members)) => {
                self.object(members, object, at, name)
            }
            (Shape::Tagged { tag, variants }, Value::Object(members)) => match members.get(*tag) {
                Some(Value::String(word)) => match variants.iter().find(|(v, _)| v == word) {
                    Some((_, object)) => self.object(members, object, at, name),
                    None => {
                        let words: Vec<&str> = variants.iter().map(|(v, _)| *v).collect();
                        let hint = did_you_mean(word, words.iter().copied());
                        self.say(
                            &pointer::child(at, tag),
                            format!(
                                "`{tag}` must be one of {}, not {}{hint}",
                                words.join(", "),
                                quoted(word)
                            ),
                        );
                    }
                },
                Some(other) => {
                    let words: Vec<&str> = variants.iter().map(|(v, _)| *v).collect();
                    self.say(
                        &pointer::child(at, tag),
                        format!(
                            "`{tag}` must be one of {}, not {}",
                            words.join(", "),
                            in_words(other)
                        ),
                    );
                }
                None => self.say(
                    &pointer::child(at, tag),
                    format!("`{tag}` is missing: {name} must be {}", shape.says()),
                ),
            },
            (Shape::Either(shapes), _) => match shapes.iter().find(|s| takes(s, value)) {
                Some(Shape::Text(_) | Shape::Choice(_))
                    if !shapes.iter().any(|s| fits_text(s, value)) =>
                {
                    self.wrong(value, shape, at, name)
                }
                Some(Shape::Text(_) | Shape::Choice(_)) => {}
                Some(one) => self.value(value, one, at, name),
                None => self.wrong(value, shape, at, name),
            },
            (Shape::Named(_, inner), _) => self.value(value, inner, at, name),
            _ => self.wrong(value, shape, at, name),
        }
    }

    fn object(&mut self, members: &Map<String, Value>, object: &Object, at: &str, name: &str) {
        for (key, inner) in members {
            let here = pointer::child(at, key);
            match object.fields.iter().find(|f| f.name == key) {
                Some(field) if self.is_later(field) => {
                    let (since, version) = (field.since, self.version);
                    self.issues.push(Issue::key(
                        &here,
                        format!("`{key}` needs formatVersion {since}: this file says {version}"),
                    ));
                }
                Some(field) => self.value(inner, &field.shape, &here, &quoted(key)),
                None if object.open || FREE_KEYS.contains(&key.as_str()) => {}
                None => {
                    let known: Vec<&str> = object
                        .fields
                        .iter()
                        .filter(|f| !self.is_later(f))
                        .map(|f| f.name)
                        .collect();
                    let hint = did_you_mean(key, known.iter().copied());
                    let message = if hint.is_empty() {
                        format!(
                            "unknown key {}: known here are {}",
                            quoted(key),
                            list(&known)
                        )
                    } else {
                        format!("unknown key {}{hint}", quoted(key))
                    };
                    self.issues.push(Issue::key(&here, message));
                }
            }
        }
        for field in object
            .fields
            .iter()
            .filter(|f| f.required && !members.contains_key(f.name))
        {
            self.say(
                &pointer::child(at, field.name),
                format!("`{}` is missing: add {}", field.name, field.shape.says()),
            );
        }
        if !object.one_of.is_empty() {
            let has = object
                .one_of
                .iter()
                .filter(|k| members.contains_key(**k))
                .count();
            if has != 1 {
                let known: Vec<&str> = object
                    .one_of
                    .iter()
                    .copied()
                    .filter(|k| {
                        !object
                            .fields
                            .iter()
                            .any(|f| f.name == *k && self.is_later(f))
                    })
                    .collect();
                self.say(
                    at,
                    format!(
                        "{name} must have exactly one of {}; it has {has}",
                        known.join(", ")
                    ),
                );
            }
        }
    }

    fn is_later(&self, field: &Field) -> bool {
        self.version != 0 && field.since > self.version
    }
}

/// Does the shape take this JSON type at all?
fn takes(shape: &Shape, value: &Value) -> bool {
    match (shape, value) {
        (Shape::Any, _)
        | (Shape::Flag, Value::Bool(_))
        | (Shape::Text(_) | Shape::Choice(_), Value::String(_))
        | (Shape::Number(_), Value::Number(_))
        | (Shape::List(_), Value::Array(_))
        | (Shape::Map(_) | Shape::Object(_) | Shape::Tagged { .. }, Value::Object(_)) => true,
        (Shape::Either(shapes), _) => shapes.iter().any(|s| takes(s, value)),
        (Shape::Named(_, inner), _) => takes(inner, value),
        _ => false,
    }
}

fn fits_text(shape: &Shape, value: &Value) -> bool {
    matches!(shape, Shape::Text(_) | Shape::Choice(_)) && shape_issues(value, shape, 0).is_empty()
}

fn list(words: &[&str]) -> String {
    if words.is_empty() {
        "none".into()
    } else {
        words.join(", ")
    }
}

/// A wrong value in a few words.
pub fn in_words(value: &Value) -> String {
    match value {
        Value::Null => "null".into(),
        Value::Bool(b) => b.to_string(),
        Value::Number(n) => n.to_string(),
        Value::String(s) if s.is_empty() => "an empty text".into(),
        Value::String(s) => quoted(s),
        Value::Array(_) => "a list".into(),
        Value::Object(_) => "an object".into(),
    }
}

#[cfg(test)]
mod tests {
    use super::super::shape::{may, must};
    use super::*;
    use serde_json::json;

    fn said(value: Value, shape: &Shape, version: u8) -> Vec<String> {
        shape_issues(&value, shape, version)
            .into_iter()
            .map(|i| format!("{} {}", i.pointer, i.message))
            .collect()
    }

    fn screen() -> Shape {
        Shape::object(vec![
            must("title", Shape::text(1, 8), ""),
            may("size", Shape::choice(&["s", "m", "l"]), ""),
            may("widget", Shape::Flag, "").since(3),
        ])
    }

    #[test]
    fn a_misspelt_key_names_the_one_it_meant_and_the_missing_one_says_what_to_add() {
        assert_eq!(
            said(json!({"titel": "x"}), &screen(), 3),
            [
                "/titel unknown key `titel`: did you mean `title`?",
                "/title `title` is missing: add text of 1 to 8 characters"
            ]
        );
    }

    #[test]
    fn a_key_of_a_later_format_names_the_format_it_needs() {
        assert_eq!(
            said(json!({"title": "x", "widget": true}), &screen(), 2),
            ["/widget `widget` needs formatVersion 3: this file says 2"]
        );
        assert!(said(json!({"title": "x", "widget": true}), &screen(), 3).is_empty());
    }

    #[test]
    fn a_wrong_value_says_what_it_must_be() {
        assert_eq!(
            said(json!({"title": "x", "size": "xl"}), &screen(), 3),
            ["/size `size` must be one of s, m, l, not `xl`"]
        );
        assert_eq!(
            said(json!({"title": 7}), &screen(), 3),
            ["/title `title` must be text of 1 to 8 characters, not 7"]
        );
    }

    #[test]
    fn a_text_with_two_rules_needs_to_keep_one_of_them() {
        let shape = Shape::Either(vec![
            Shape::choice(&["issue"]),
            Shape::object(vec![must("kind", Shape::text(1, 9), "")]),
        ]);
        assert!(said(json!("issue"), &shape, 0).is_empty());
        assert_eq!(
            said(json!("isue"), &shape, 0),
            [" the file must be \"issue\", or an object with kind, not `isue`"]
        );
        assert_eq!(
            said(json!({}), &shape, 0),
            ["/kind `kind` is missing: add text of 1 to 9 characters"]
        );
    }
}
