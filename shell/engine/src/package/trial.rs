//! A package's own tests, run. eui-core has such a runner, but it knows no computed fields, no refs, no policies and no
//! navigation; this one runs the same tests over the same evaluator with them.

use std::collections::HashMap;

use eui_core::cel::{ExpressionEnv, evaluate_expression, parse_timestamp};
use eui_core::host::{
    ActionContext, PACKAGE_TEST_DEFAULT_AS, PACKAGE_TEST_DEFAULT_NOW, RECORDS_SCHEME, RecordRow,
    RecordsContext, apply_record_batch, canonical_json, expand_query_source, parse_records_source,
    parse_source, records_value_owned, run_action, source_with_params, test_matches,
};
use serde_json::{Map, Value, json};

use super::bindings::split_expand;
use super::core::package_call_name;
use super::differ;
use super::kinds::{self, RefTarget, RowKeys};
use super::rules::{Actor, Policy, check_move, next_states};
use crate::issue::{Issue, quoted};
use crate::pointer;

/// One test's outcome.
#[derive(Debug, Clone, PartialEq)]
pub struct Outcome {
    pub name: String,
    pub pass: bool,
    /// What came out; `{"error": …}` for a failure.
    pub got: Value,
}

/// Run every test of a well-formed package. `core` is its copy for eui-core.
pub(super) fn run_all(package: &Map<String, Value>, core: &Value, format: u8) -> Vec<Outcome> {
    let empty = Map::new();
    let kinds = package
        .get("records")
        .and_then(Value::as_object)
        .unwrap_or(&empty);
    let tests = package
        .get("tests")
        .and_then(Value::as_array)
        .into_iter()
        .flatten();
    tests
        .map(|test| {
            let trial = Trial::new(test, kinds, package, core, format);
            let got = trial
                .run(test)
                .unwrap_or_else(|message| json!({"error": message}));
            Outcome {
                name: test["name"].as_str().unwrap_or_default().to_owned(),
                pass: test_matches(&test["expect"], &got),
                got,
            }
        })
        .collect()
}

/// The tests that fail, as issues at their places.
pub(super) fn issues(package: &Map<String, Value>, core: &Value, format: u8) -> Vec<Issue> {
    let tests = package
        .get("tests")
        .and_then(Value::as_array)
        .map_or(&[][..], Vec::as_slice);
    run_all(package, core, format)
        .into_iter()
        .zip(tests)
        .enumerate()
        .filter(|(_, (outcome, _))| !outcome.pass)
        .map(|(i, (outcome, test))| {
            Issue::new(
                pointer::item("/tests", i),
                format!(
                    "the test {} fails: {}",
                    quoted(&outcome.name),
                    differ::words(&test["expect"], &outcome.got)
                ),
            )
        })
        .collect()
}

struct Trial<'a> {
    kinds: &'a Map<String, Value>,
    queries: Option<&'a Value>,
    core: &'a Value,
    format: u8,
    now: &'a str,
    now_ms: f64,
    actor: Actor<'a>,
    /// As stored: no computed field.
    rows: Vec<RecordRow>,
}

impl<'a> Trial<'a> {
    fn new(
        test: &'a Value,
        kinds: &'a Map<String, Value>,
        package: &'a Map<String, Value>,
        core: &'a Value,
        format: u8,
    ) -> Trial<'a> {
        let now = test["now"].as_str().unwrap_or(PACKAGE_TEST_DEFAULT_NOW);
        let member = test["as"].as_str().unwrap_or(PACKAGE_TEST_DEFAULT_AS);
        let actor = Actor {
            member,
            owner: test["role"] == "owner",
        };
        Trial {
            kinds,
            queries: package.get("queries"),
            core,
            format,
            now,
            now_ms: parse_timestamp(now).unwrap_or_default(),
            actor,
            rows: seed(test, member, now),
        }
    }

    fn run(&self, test: &Value) -> Result<Value, String> {
        if let Some(expr) = test["expr"]["expr"].as_str() {
            let mut vars = Map::new();
            for (name, var) in test["expr"]["vars"].as_object().into_iter().flatten() {
                let source = var
                    .as_object()
                    .filter(|o| o.len() == 1)
                    .and_then(|o| o.get("source"))
                    .and_then(Value::as_str);
                vars.insert(
                    name.clone(),
                    source.map_or_else(|| Ok(var.clone()), |s| self.source(s))?,
                );
            }
            let env = ExpressionEnv {
                now: Some(self.now_ms),
                offset: None,
                max_steps: None,
            };
            return evaluate_expression(expr, &vars, &env);
        }
        if let Some(name) = test["query"]["name"].as_str() {
            let from = self
                .queries
                .and_then(|q| q.get(name))
                .and_then(|q| q["from"].as_str())
                .unwrap_or_default();
            let mut params = Map::new();
            params.insert("query".into(), name.into());
            for (key, value) in test["query"]["params"].as_object().into_iter().flatten() {
                params.insert(
                    key.clone(),
                    value
                        .as_str()
                        .map_or_else(|| canonical_json(value), str::to_owned)
                        .into(),
                );
            }
            return self.source(&source_with_params(
                &format!("{RECORDS_SCHEME}:{from}"),
                Some(&Value::Object(params)),
            ));
        }
        self.action(&test["action"])
    }

    /// The value of a records source, over the rows the actor may read.
    fn source(&self, source: &str) -> Result<Value, String> {
        let (bare, refs) = split_expand(source, self.queries);
        let expanded = expand_query_source(&bare, self.core.get("queries"));
        let query = parse_source(&expanded)
            .filter(|p| p.scheme == RECORDS_SCHEME)
            .and_then(|p| parse_records_source(&p));
        let query = query.ok_or_else(|| format!("{source} is not a records source"))?;
        let rows = self.readable();
        let mut value = records_value_owned(
            &rows,
            &query,
            RecordsContext {
                me: Some(self.actor.member),
                now: self.now,
                names: &HashMap::new(),
            },
        )
        .unwrap_or(Value::Null);
        let kind = query.from.as_deref().unwrap_or_default();
        for row in value
            .get_mut("rows")
            .and_then(Value::as_array_mut)
            .into_iter()
            .flatten()
        {
            for (field, id) in refs
                .iter()
                .filter_map(|f| Some((f, row.get(f)?.clone())))
                .collect::<Vec<_>>()
            {
                if let Some(row) = row.as_object_mut() {
                    row.insert(field.clone(), self.expand(kind, field, &id, &rows));
                }
            }
        }
        Ok(value)
    }

    /// The rows the actor may read, with what is worked out on reading.
    fn readable(&self) -> Vec<RecordRow> {
        let of = |row: &RecordRow| {
            row.author_id
                .clone()
                .or_else(|| row.created_by.clone())
                .unwrap_or_default()
        };
        let mut rows = self.rows.clone();
        rows.retain(|row| {
            self.kinds.get(&row.kind).is_none_or(|kind| {
                Policy::of(kind, self.format)
                    .read
                    .allows(self.actor, &of(row))
            })
        });
        // A test's days are UTC, wherever it runs.
        let env = ExpressionEnv {
            now: Some(self.now_ms),
            offset: None,
            max_steps: None,
        };
        for row in &mut rows {
            let (Some(kind), Some(data)) = (self.kinds.get(&row.kind), row.data.as_object()) else {
                continue;
            };
            let author = row.author_id.clone().unwrap_or_default();
            let keys = RowKeys::of(row, &author);
            let mut seen = kinds::with_computed(kind, data, keys, &env);
            if kinds::has_transitions(kind) {
                let states = next_states(kind, data, &author, self.actor);
                seen.insert(kinds::TRANSITIONS.into(), states.into());
            }
            row.data = Value::Object(seen);
        }
        rows
    }

    /// The row a ref points at; null when nothing is there any more.
    fn expand(&self, kind: &str, field: &str, id: &Value, rows: &[RecordRow]) -> Value {
        match self
            .kinds
            .get(kind)
            .and_then(|k| kinds::ref_target(k, field))
        {
            Some(RefTarget::Kind(target)) => {
                let Some(row) = rows
                    .iter()
                    .find(|r| r.kind == target && *id == r.id.as_str())
                else {
                    return Value::Null;
                };
                let mut out = row.data.as_object().cloned().unwrap_or_default();
                out.insert("id".into(), row.id.clone().into());
                Value::Object(out)
            }
            Some(RefTarget::Member) if id.is_string() => json!({"id": id, "name": id}),
            _ => Value::Null,
        }
    }

    fn action(&self, call: &Value) -> Result<Value, String> {
        let context = ActionContext {
            data: call.get("data"),
            me: Some(self.actor.member),
            now: Some(self.now_ms),
            offset: None,
            max_steps: None,
        };
        let name = call["name"].as_str().unwrap_or_default();
        let plan = run_action(self.core, name, &call["params"], &context)?;
        let writes = plan["writes"].as_array().cloned().unwrap_or_default();
        let start: Vec<Value> = self
            .rows
            .iter()
            .filter_map(|r| serde_json::to_value(r).ok())
            .collect();
        let schemas = Value::Object(self.kinds.clone());
        let (after, _) = apply_record_batch(
            &start,
            &writes,
            Some(&schemas),
            Some(self.actor.member),
            self.now,
            |i| format!("new-{}", i + 1),
        )?;
        self.allowed(&start, &after)?;
        let mut records = Map::new();
        for row in &after {
            let mut out = row["data"].as_object().cloned().unwrap_or_default();
            out.insert("id".into(), row["id"].clone());
            out.insert("author".into(), author(row).into());
            if let Value::Array(list) = records
                .entry(row["kind"].as_str().unwrap_or_default())
                .or_insert_with(|| json!([]))
            {
                list.push(Value::Object(out));
            }
        }
        let mut calls = plan["calls"].clone();
        for step in calls.as_array_mut().into_iter().flatten() {
            if let Some(renamed) = step["name"]
                .as_str()
                .map(|c| package_call_name(c).to_owned())
            {
                step["name"] = renamed.into();
            }
        }
        Ok(json!({"records": records, "sets": plan["sets"], "calls": calls}))
    }

    /// The policies and transitions, over what the batch changed.
    fn allowed(&self, before: &[Value], after: &[Value]) -> Result<(), String> {
        let find = |rows: &'_ [Value], id: &Value| rows.iter().find(|r| r["id"] == *id).cloned();
        let me = self.actor.member;
        for row in after {
            let kind_name = row["kind"].as_str().unwrap_or_default();
            let Some(kind) = self.kinds.get(kind_name) else {
                continue;
            };
            let policy = Policy::of(kind, self.format);
            let old = find(before, &row["id"]);
            let data = row["data"].as_object().cloned().unwrap_or_default();
            let allowed = match &old {
                None => policy.create.allows(self.actor, me),
                Some(old) if old["data"] == row["data"] => continue,
                Some(old) => policy.update.allows(self.actor, &author(old)),
            };
            if !allowed {
                return Err(format!(
                    "{me} may not {} a {kind_name}",
                    if old.is_some() { "update" } else { "create" }
                ));
            }
            check_move(
                kind,
                old.as_ref().and_then(|o| o["data"].as_object()),
                &data,
                &author(row),
                self.actor,
            )?;
        }
        for old in before
            .iter()
            .filter(|old| find(after, &old["id"]).is_none())
        {
            let kind_name = old["kind"].as_str().unwrap_or_default();
            let policy = self
                .kinds
                .get(kind_name)
                .map_or(Policy::OPEN, |k| Policy::of(k, self.format));
            if !policy.delete.allows(self.actor, &author(old)) {
                return Err(format!("{me} may not delete a {kind_name}"));
            }
        }
        Ok(())
    }
}

fn author(row: &Value) -> String {
    row["authorId"]
        .as_str()
        .or_else(|| row["createdBy"].as_str())
        .unwrap_or_default()
        .to_owned()
}

/// A test's records as stored rows: ids `<kind>-<n>` unless given, by the test's member unless given, stamped `now`.
fn seed(test: &Value, member: &str, now: &str) -> Vec<RecordRow> {
    let mut kinds: Vec<(&String, &Value)> =
        test["records"].as_object().into_iter().flatten().collect();
    kinds.sort_by_key(|(name, _)| *name);
    let mut rows = Vec::new();
    for (kind, list) in kinds {
        for (j, row) in list.as_array().into_iter().flatten().enumerate() {
            let Some(row) = row.as_object() else { continue };
            let text = |key: &str| row.get(key).and_then(Value::as_str).map(str::to_owned);
            let author = text("author").unwrap_or_else(|| member.to_owned());
            rows.push(RecordRow {
                id: text("id").unwrap_or_else(|| format!("{kind}-{}", j + 1)),
                kind: kind.clone(),
                data: Value::Object(
                    row.iter()
                        .filter(|(k, _)| *k != "id" && *k != "author")
                        .map(|(k, v)| (k.clone(), v.clone()))
                        .collect(),
                ),
                created_by: Some(author.clone()),
                author_id: Some(author),
                created_at: now.to_owned(),
                updated_at: now.to_owned(),
            });
        }
    }
    rows
}
