//! What differs between two versions of one app's package, and what a running shell may take over at once: a changed
//! file redraws, but what an app may do and what its records look like change only when the person installs it.

use serde_json::Value;

use super::Package;

/// The differences that matter to who runs the app.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Change {
    /// Templates that are new, gone or different, by id.
    pub templates: Vec<String>,
    /// The navigation is another: screens or widgets came, went or changed.
    pub screens: bool,
    /// Queries, actions, sources, functions or tests changed: the same surfaces, bound afresh.
    pub behaviour: bool,
    /// Keys that apply only through an install.
    pub needs_install: Vec<&'static str>,
}

impl Change {
    /// Nothing differs.
    pub fn is_empty(&self) -> bool {
        *self == Change::default()
    }
}

/// What only an install changes.
pub const INSTALLED: &[&str] = &[
    "records",
    "migrations",
    "capabilities",
    "exposes",
    "upstreams",
    "automations",
];
/// What a reload takes over, templates and screens aside.
const BEHAVIOUR: &[&str] = &[
    "queries",
    "actions",
    "sources",
    "functions",
    "tests",
    "catalogId",
];

impl Package {
    /// What differs from an earlier version of the same app.
    pub fn changes_since(&self, before: &Package) -> Change {
        let differs = |key: &&str| self.value.get(*key) != before.value.get(*key);
        let template = |package: &Package, id: &str| {
            package
                .value
                .get("templates")
                .and_then(|t: &Value| t.get(id))
                .cloned()
        };
        let gone = before.templates().filter(|id| template(self, id).is_none());
        let mut templates: Vec<String> = self
            .templates()
            .filter(|id| template(self, id) != template(before, id))
            .chain(gone)
            .map(str::to_owned)
            .collect();
        templates.sort();
        Change {
            templates,
            screens: self.screens != before.screens,
            behaviour: BEHAVIOUR.iter().any(differs),
            needs_install: INSTALLED.iter().copied().filter(|k| differs(k)).collect(),
        }
    }
}

#[cfg(test)]
#[allow(clippy::unwrap_used, clippy::expect_used)]
mod tests {
    use super::*;
    use serde_json::json;

    fn package(change: impl Fn(&mut Value)) -> Package {
        let text =
            |text: &str| json!({"components": [{"id": "root", "component": "Text", "text": text}]});
        let mut value = json!({
            "formatVersion": 5, "id": "acme.a", "name": "A", "version": "1.0.0", "catalogId": "https://ui.exponential.at/catalogs/core/v1",
            "templates": {"main": text("a"), "side": text("b")}, "screens": [{"template": "main", "title": "A"}],
        });
        change(&mut value);
        let parsed = Package::read(serde_json::to_string(&value).unwrap().as_bytes());
        assert_eq!(parsed.issues, []);
        parsed.package.unwrap()
    }

    #[test]
    fn a_changed_template_is_named_and_needs_no_install() {
        let change = package(|v| v["templates"]["side"]["components"][0]["text"] = json!("c"))
            .changes_since(&package(|_| ()));
        assert_eq!(
            change,
            Change {
                templates: vec!["side".into()],
                ..Change::default()
            }
        );
        assert!(package(|_| ()).changes_since(&package(|_| ())).is_empty());
    }

    #[test]
    fn more_rights_wait_for_an_install() {
        let more = |v: &mut Value| {
            v["capabilities"] = json!([{"id": "windows.read", "why": "To show them."}])
        };
        assert_eq!(
            package(more).changes_since(&package(|_| ())).needs_install,
            ["capabilities"]
        );
        let renamed = |v: &mut Value| v["screens"][0]["title"] = json!("B");
        let change = package(renamed).changes_since(&package(|_| ()));
        assert!(change.screens && change.needs_install.is_empty());
    }
}
