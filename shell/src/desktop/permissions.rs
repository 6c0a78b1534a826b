//! What the person sees of an app's decisions: every scope it declares, what was decided, and the way to be asked again. A template of
//! the shell's own.

use ede_engine::broker::catalog::{Consent, catalog};
use ede_engine::broker::grants::{Grant, Grants, Subject};
use ede_engine::exposes::Tool;
use ede_engine::package::Package;
use ede_engine::plain::without_links;
use ede_engine::upstreams::rule::Relation;
use ede_engine::upstreams::{ServerName, ServerTool};
use serde_json::{Value, json};

use super::consent::{agents_verb, call_verb, capital, read_verb, verb};

/// The sheet's components.
const SHEET: &str = include_str!("../../../assets/sheets/permissions.json");
/// The event of a row's button; the scope is in its context.
pub const FORGET: &str = "permissions.forget";
/// The event of the button that closes the sheet.
pub const DONE: &str = "sheet.done";
/// The button that has the focus.
pub const SAFE: &str = "done";

pub fn components() -> Value {
    // It is part of the program; a test reads it.
    serde_json::from_str(SHEET).unwrap_or_default()
}

/// Where an app stands with the person's servers, reading from each and each tool that it may call, and with the tools it offers to agents
/// that the person is asked about.
pub struct Stands {
    pub reads: Vec<(ServerName, Relation)>,
    pub calls: Vec<(ServerTool, Relation)>,
    pub tools: Vec<(Tool, Option<Grant>)>,
}

/// What the sheet says of `package`.
pub fn data(package: &Package, grants: &Grants, stands: &Stands) -> Value {
    let declared = package.capabilities();
    let by_itself = package.value().get("automations").and_then(Value::as_array);
    let sentence = if declared.is_empty() && stands.reads.is_empty() {
        "It asks for nothing: it sees and keeps its own records only."
    } else {
        "It can never do more than it declares here."
    };
    let mut rows: Vec<Value> = (declared.iter())
        .filter_map(|c| {
            let scope = catalog().scope(c.scope.as_str())?;
            let grant = grants.get(&c.scope);
            let state = match (scope.consent, grant) {
                (Consent::Picker, _) => "You choose each time",
                (Consent::Ask, Some(Grant::Granted)) => "Allowed",
                (Consent::Ask, Some(Grant::Denied)) => "Denied",
                (Consent::Ask, None) => "Asks first",
            };
            let words = capital(&verb(scope, c));
            let servers: Vec<String> = match c.origins.as_slice() {
                [_] => Vec::new(),
                several => several.iter().map(ToString::to_string).collect(),
            };
            Some(json!({
                "scope": c.scope, "verb": words, "state": state, "decided": grant.is_some(),
                "servers": servers.join("\n"), "several": !servers.is_empty()}))
        })
        .collect();
    rows.extend(stands.reads.iter().map(|(name, relation)| {
        server(Subject::Upstream(name.clone()), &read_verb(name), *relation)
    }));
    rows.extend(
        stands.calls.iter().map(|(tool, relation)| {
            server(Subject::Tool(tool.clone()), &call_verb(tool), *relation)
        }),
    );
    rows.extend(stands.tools.iter().map(|(tool, grant)| {
        let subject = Subject::Exposed(tool.name.clone());
        server(subject, &agents_verb(tool), Relation::Decided(*grant))
    }));
    rows.extend(by_itself.into_iter().flatten().map(automation));
    json!({
        "title": format!("What {} may do", without_links(package.name(), 80)),
        "sentence": sentence,
        "rows": rows,
    })
}

/// A server that its package names, a tool of one, or one it offers itself.
fn server(subject: Subject, verb: &str, relation: Relation) -> Value {
    let (state, decided) = match relation {
        Relation::NoServer => ("Not set up", false),
        Relation::Decided(Some(Grant::Granted)) => ("Allowed", true),
        Relation::Decided(Some(Grant::Denied)) => ("Denied", true),
        Relation::Decided(None) => ("Asks first", false),
    };
    json!({
        "scope": subject, "verb": capital(verb), "state": state, "decided": decided,
        "servers": "", "several": false})
}

/// What it does by itself; nothing of that is decided, so there is nothing to ask again.
fn automation(written: &Value) -> Value {
    let name = written["name"].as_str().unwrap_or_default();
    let title = written["title"].as_str().unwrap_or(name);
    let on = &written["on"];
    let when = match (on["record"]["kind"].as_str(), on["record"]["op"].as_str()) {
        (Some(kind), Some("create")) => format!("when a {kind} is made"),
        (Some(kind), Some("update")) => format!("when a {kind} changes"),
        (Some(kind), _) => format!("when a {kind} is deleted"),
        _ if on["schedule"].is_object() => "on a schedule".into(),
        _ => "but never on this desktop".into(),
    };
    json!({
        "scope": format!("automation:{name}"), "verb": without_links(title, 80), "state": format!("By itself, {when}"), "decided": false,
        "servers": "", "several": false})
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]
    use super::*;

    #[test]
    fn the_sheet_is_read_and_its_button_is_there() {
        let all = components();
        assert!(all.as_array().unwrap().iter().any(|c| c["id"] == SAFE));
    }

    #[test]
    fn it_says_what_was_decided_about_everything_the_app_declares() {
        let file = include_bytes!("../../../fixtures/apps/test.timer.app.json");
        let package = Package::read(file).package.unwrap();
        let scope = package.capabilities()[0].scope.clone();
        let grants: Grants = [(scope, Grant::Granted)].into_iter().collect();
        let bank = ServerName::parse("bank").unwrap();
        let stands = Stands {
            reads: vec![(bank, Relation::Decided(Some(Grant::Denied)))],
            calls: vec![(
                ServerTool::parse("bank/pay").unwrap(),
                Relation::Decided(None),
            )],
            tools: Vec::new(),
        };
        let data = data(&package, &grants, &stands);
        let row =
            |n: usize| ["verb", "state"].map(|k| data["rows"][n][k].as_str().unwrap().to_string());
        assert_eq!(row(0), ["See your open windows", "Allowed"]);
        assert_eq!(row(1), ["Switch to your windows", "Asks first"]);
        assert_eq!(data["rows"][1]["decided"], false);
        assert_eq!(row(2), ["Read from bank", "Denied"]);
        assert_eq!(data["rows"][2]["scope"], "upstream:bank");
        assert_eq!(row(3), ["Use pay of bank", "Asks first"]);
        assert_eq!(data["rows"][3]["scope"], "call:bank/pay");
    }

    #[test]
    fn what_an_app_does_by_itself_is_said_too() {
        let row = |on: Value| automation(&json!({"name": "weekly", "on": on}))["state"].clone();
        let made = row(json!({"record": {"kind": "request", "op": "create"}}));
        assert_eq!(made, "By itself, when a request is made");
        let clock = row(json!({"schedule": {"cron": "0 8 * * MON"}}));
        assert_eq!(clock, "By itself, on a schedule");
    }
}
