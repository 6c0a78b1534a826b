//! The manifest: `capabilities`, the ceiling of what an app may ever ask for.

use serde_json::{Map, Value};

use crate::broker::catalog::catalog;
use crate::broker::names::ScopeId;
use crate::broker::origin::Origin;
use crate::issue::{Issue, did_you_mean, quoted};
use crate::pointer;

/// One declared scope.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Capability {
    /// A scope id of the catalog.
    pub scope: ScopeId,
    /// What the person reads before deciding; plain text.
    pub why: String,
    /// The exact origins of a network scope.
    pub origins: Vec<Origin>,
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
            .filter_map(Origin::parse)
            .collect();
        Some(Capability {
            scope: ScopeId::parse(c.get("id")?.as_str()?)?,
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
        match catalog().scope(id) {
            None => {
                let known: Vec<&str> = catalog()
                    .scopes()
                    .filter(|s| !s.host_only)
                    .map(|s| s.id.as_str())
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
            Some(_) => issues.extend(no_origins(entry, &at)),
        }
    }
    issues
}

/// Origins that look like one and are none: a port that is too high, a host no address has.
fn no_origins(entry: &Value, at: &str) -> Vec<Issue> {
    let texts = entry.get("origins").and_then(Value::as_array);
    let texts = texts.into_iter().flatten().enumerate();
    let none = texts.filter_map(|(i, o)| {
        let text = o.as_str().filter(|t| Origin::parse(t).is_none())?;
        let at = pointer::item(&format!("{at}/origins"), i);
        let what = format!(
            "{} is no exact origin like https://api.example.org",
            quoted(text)
        );
        Some(Issue::new(at, what))
    });
    none.collect()
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]
    use crate::broker::origin::Origin;
    use crate::package::Package;
    use serde_json::json;

    #[test]
    fn a_checked_package_knows_its_scopes_and_their_origins() {
        let package = json!({
            "formatVersion": 5, "id": "acme.rates", "name": "Rates", "version": "1.0.0", "catalogId": eui_core::CORE_CATALOG_ID,
            "capabilities": [
                {"id": "windows.read", "why": "It lists them."},
                {"id": "http.fetch", "why": "Rates come from there.", "origins": ["https://api.example.org:443"]},
            ],
            "screens": [{"template": "list", "title": "List"}],
            "templates": {"list": {"components": [{"id": "root", "component": "Text", "text": "t"}]}},
        });
        let parsed = Package::read(package.to_string().as_bytes());
        let package = parsed.package.ok_or(parsed.issues).unwrap();
        let [windows, http] = package.capabilities() else {
            panic!("there are two")
        };
        assert_eq!(windows.scope.as_str(), "windows.read");
        assert_eq!(windows.why, "It lists them.");
        assert_eq!(
            http.origins,
            [Origin::parse("https://api.example.org").unwrap()]
        );
    }
}
