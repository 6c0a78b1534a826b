//! The manifest: `capabilities`, the ceiling of what an app may ever ask for.

use serde_json::{Map, Value};

use crate::issue::{Issue, did_you_mean, quoted};
use crate::pointer;
use crate::scopes::{self, SCOPES};

/// One declared scope.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Capability {
    /// A scope id of the catalog.
    pub scope: String,
    /// What the person reads before deciding; plain text.
    pub why: String,
    /// The exact origins of a network scope.
    pub origins: Vec<String>,
}

/// The declared scopes of a well-formed package.
pub(super) fn of(package: &Map<String, Value>) -> Vec<Capability> {
    let read = |c: &Value| {
        let origins = c
            .get("origins")
            .and_then(Value::as_array)
            .into_iter()
            .flatten()
            .filter_map(Value::as_str)
            .map(str::to_owned)
            .collect();
        Some(Capability {
            scope: c.get("id")?.as_str()?.to_owned(),
            why: c.get("why")?.as_str()?.to_owned(),
            origins,
        })
    };
    package
        .get("capabilities")
        .and_then(Value::as_array)
        .into_iter()
        .flatten()
        .filter_map(read)
        .collect()
}

pub(super) fn check(package: &Map<String, Value>) -> Vec<Issue> {
    let mut issues = Vec::new();
    let mut seen: Vec<&str> = Vec::new();
    for (i, entry) in package
        .get("capabilities")
        .and_then(Value::as_array)
        .into_iter()
        .flatten()
        .enumerate()
    {
        let at = pointer::item("/capabilities", i);
        let Some(id) = entry["id"].as_str() else {
            continue;
        };
        let here = format!("{at}/id");
        if seen.contains(&id) {
            issues.push(Issue::new(
                &here,
                format!("{} is declared already: keep one", quoted(id)),
            ));
        }
        seen.push(id);
        match scopes::find(id) {
            None => {
                let known: Vec<&str> = SCOPES
                    .iter()
                    .filter(|s| !s.host_only)
                    .map(|s| s.id)
                    .collect();
                let hint = did_you_mean(id, known.iter().copied());
                let what = if hint.is_empty() {
                    format!(": there are {}", known.join(", "))
                } else {
                    hint
                };
                issues.push(Issue::new(
                    here,
                    format!("there is no scope {}{what}", quoted(id)),
                ));
            }
            Some(scope) if scope.host_only => issues.push(Issue::new(
                here,
                format!("{id} is the shell's own and no app gets it: remove it"),
            )),
            Some(scope) if scope.origins && entry.get("origins").is_none() => {
                issues.push(Issue::new(format!("{at}/origins"), format!("{id} needs `origins`: list the exact origins it reaches, like https://api.example.org")));
            }
            Some(scope) if !scope.origins && entry.get("origins").is_some() => {
                issues.push(Issue::key(
                    format!("{at}/origins"),
                    format!("{id} reaches no network: remove `origins`"),
                ));
            }
            Some(_) => {}
        }
    }
    issues
}
