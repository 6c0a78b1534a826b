//! What runs on a call or by itself: `exposes` and `automations`, beyond what eui-core checks of them.

use eui_core::host::{ACTION_CALL_PREFIX, expose_name_destructive, expose_template_paths};
use serde_json::{Map, Value};

use super::cron::Cron;
use super::kinds;
use crate::exposes;
use crate::issue::{Issue, Note, did_you_mean, quoted};
use crate::pointer;
use crate::runs::action_name;

pub(super) fn check(package: &Map<String, Value>) -> Vec<Issue> {
    let mut issues = Vec::new();
    for (i, expose) in package
        .get("exposes")
        .and_then(Value::as_array)
        .into_iter()
        .flatten()
        .enumerate()
    {
        let at = format!("{}/run", pointer::item("/exposes", i));
        action(package, &expose["run"], &at, &mut issues);
        agent(&expose["run"], &at, &mut issues);
        reads(package, &expose["run"]["records"], &at, &mut issues);
    }
    let mut names: Vec<&str> = Vec::new();
    let mut hooks: Vec<&str> = Vec::new();
    for (i, automation) in package
        .get("automations")
        .and_then(Value::as_array)
        .into_iter()
        .flatten()
        .enumerate()
    {
        let at = pointer::item("/automations", i);
        if let Some(name) = automation["name"].as_str() {
            if names.contains(&name) {
                issues.push(Issue::new(
                    format!("{at}/name"),
                    format!(
                        "a second automation is called {}: give it its own name",
                        quoted(name)
                    ),
                ));
            }
            names.push(name);
        }
        trigger(package, &automation["on"], &at, &mut hooks, &mut issues);
        let run = &automation["run"];
        let here = format!("{at}/run");
        action(package, run, &here, &mut issues);
        agent(run, &here, &mut issues);
        records(package, run, &here, &mut issues);
        upstream(package, run, &here, &mut issues);
    }
    issues
}

/// A run's action is one of the package's own, by its name or as `actions.<name>`.
fn action(package: &Map<String, Value>, run: &Value, at: &str, issues: &mut Vec<Issue>) {
    let Some(written) = run["action"].as_str() else {
        return;
    };
    let name = written.strip_prefix(ACTION_CALL_PREFIX).unwrap_or(written);
    let none = Map::new();
    let actions = package
        .get("actions")
        .and_then(Value::as_object)
        .unwrap_or(&none);
    if !actions.contains_key(name) {
        let hint = did_you_mean(name, actions.keys().map(String::as_str));
        issues.push(Issue::new(
            format!("{at}/action"),
            format!("the package has no action {}{hint}", quoted(name)),
        ));
    }
}

/// An agent's prompt is fixed text; data reaches the agent beside it.
fn agent(run: &Value, at: &str, issues: &mut Vec<Issue>) {
    if run["agent"].is_string() && run.get("prompt").is_none() {
        issues.push(Issue::new(
            format!("{at}/prompt"),
            "`prompt` is missing: say what the agent is asked",
        ));
    }
    if run["upstream"].is_string() && run.get("tool").is_none() {
        issues.push(Issue::new(
            format!("{at}/tool"),
            "`tool` is missing: name the upstream's tool",
        ));
    }
}

fn records(package: &Map<String, Value>, run: &Value, at: &str, issues: &mut Vec<Issue>) {
    let Some(records) = run.get("records") else {
        return;
    };
    let here = format!("{at}/records");
    if let Some(kind) = records["kind"].as_str() {
        issues.extend(kinds::unknown(package, kind, format!("{here}/kind")));
    }
    match records["op"].as_str() {
        Some("list" | "get" | "upsert") | None => {}
        Some("delete") => issues.push(Issue::new(
            format!("{here}/op"),
            "nothing that runs by itself deletes records: use list, get or upsert",
        )),
        Some(op) => issues.push(Issue::new(
            format!("{here}/op"),
            format!("{} is no operation: use list, get or upsert", quoted(op)),
        )),
    }
}

/// What a tool reads: a query of the package's by its name, or one written out, of the kind that the run says.
fn reads(package: &Map<String, Value>, records: &Value, at: &str, issues: &mut Vec<Issue>) {
    let here = format!("{at}/records");
    if let Some(key) = ["app", "from"]
        .into_iter()
        .find(|k| records.get(k).is_some_and(|v| *v != records["kind"]))
    {
        issues.push(Issue::new(
            format!("{here}/{key}"),
            "a tool reads its own app's records, of the run's `kind`: take it out",
        ));
    }
    let Some(query) = records.get("query") else {
        return;
    };
    let none = Map::new();
    let queries = package.get("queries").and_then(Value::as_object);
    let queries = queries.unwrap_or(&none);
    let named = query.as_str().and_then(|name| queries.get(name));
    match (named, query.as_str()) {
        (Some(named), _) if named.get("app").is_none() && named["from"] == records["kind"] => {}
        (Some(_), _) => issues.push(Issue::new(
            format!("{here}/query"),
            "that query is not of this app's records of the run's `kind`",
        )),
        (None, Some(name)) => issues.push(Issue::new(
            format!("{here}/query"),
            format!(
                "the package has no query {}{}",
                quoted(name),
                did_you_mean(name, queries.keys().map(String::as_str))
            ),
        )),
        (None, None) => issues.push(Issue::new(
            format!("{here}/query"),
            "`query` is the name of one of the package's queries: write the keys of another beside `kind`",
        )),
    }
}

fn upstream(package: &Map<String, Value>, run: &Value, at: &str, issues: &mut Vec<Issue>) {
    let Some(server) = run["upstream"].as_str() else {
        return;
    };
    let known: Vec<&str> = package
        .get("upstreams")
        .and_then(Value::as_array)
        .into_iter()
        .flatten()
        .filter_map(Value::as_str)
        .collect();
    if !known.contains(&server) {
        issues.push(Issue::new(
            format!("{at}/upstream"),
            format!("`upstreams` does not name {}: add it", quoted(server)),
        ));
    }
    if run["tool"].as_str().is_some_and(expose_name_destructive) {
        issues.push(Issue::new(
            format!("{at}/tool"),
            "a destructive tool never runs by itself",
        ));
    }
}

fn trigger<'a>(
    package: &Map<String, Value>,
    on: &'a Value,
    at: &str,
    hooks: &mut Vec<&'a str>,
    issues: &mut Vec<Issue>,
) {
    let here = format!("{at}/on");
    if let Some(cron) = on["schedule"]["cron"].as_str()
        && let Err(problem) = Cron::parse(cron)
    {
        issues.push(Issue::new(format!("{here}/schedule/cron"), problem));
    }
    if let Some(zone) = on["schedule"]["tz"]
        .as_str()
        .filter(|zone| jiff::tz::TimeZone::get(zone).is_err())
    {
        issues.push(Issue::new(
            format!("{here}/schedule/tz"),
            format!(
                "{} is no time zone: write one like Europe/Vienna",
                quoted(zone)
            ),
        ));
    }
    if let Some(kind) = on["record"]["kind"].as_str() {
        issues.extend(kinds::unknown(package, kind, format!("{here}/record/kind")));
    }
    if let Some(hook) = on["webhook"]["name"].as_str() {
        if hooks.contains(&hook) {
            issues.push(Issue::new(
                format!("{here}/webhook/name"),
                format!(
                    "a second webhook is called {}: give it its own name",
                    quoted(hook)
                ),
            ));
        }
        hooks.push(hook);
    }
}

/// `${record.…}`, `${event.…}` and `${firedAt}` are an automation's; `${input.…}` is a tool's and stands for nothing here.
pub(super) fn templates(package: &Map<String, Value>) -> Vec<Issue> {
    let mut issues = Vec::new();
    for (i, automation) in package
        .get("automations")
        .and_then(Value::as_array)
        .into_iter()
        .flatten()
        .enumerate()
    {
        if let Some(path) = expose_template_paths(&automation["run"]).first() {
            let here = format!("{}/run", pointer::item("/automations", i));
            issues.push(Issue::new(here, format!("${{input.{path}}} belongs to a tool: an automation reads ${{record.…}}, ${{event.…}} and ${{firedAt}}")));
        }
    }
    issues
}

/// What this desktop never hears (no server sends it calls, and no team's events reach it), and what nobody would see.
pub(super) fn notes(package: &Map<String, Value>) -> Vec<Note> {
    let automations = package.get("automations").and_then(Value::as_array);
    let note = |automation: &Value| {
        let never = match &automation["on"] {
            on if on["event"].is_string() => "a team's event",
            on if on["webhook"].is_object() => "a call from outside",
            _ => return None,
        };
        let name = automation["name"].as_str()?;
        Some(Note::new(format!(
            "{} waits for {never}, which never comes here",
            quoted(name)
        )))
    };
    let automations = automations.into_iter().flatten().filter_map(note);
    let tools = exposes::written(package).filter_map(|one| tool_note(package, one));
    automations.chain(tools).collect()
}

/// What keeps a tool from being offered here, or its calls from coming to anything.
fn tool_note(package: &Map<String, Value>, expose: &Value) -> Option<Note> {
    let name = quoted(expose["name"].as_str()?);
    let why = match exposes::Tool::read(package, expose) {
        Err(exposes::NoTool::Input(bad)) => {
            format!("{name} is not offered to agents: in its `input`, {bad}")
        }
        Err(exposes::NoTool::Shape) => return None,
        Ok(_) if expose["run"]["agent"].is_string() => {
            format!("{name} asks an agent of a team's, which this desktop is not connected to")
        }
        Ok(_) => {
            let written = expose["run"]["action"].as_str()?;
            let steps = package.get("actions")?.get(action_name(written))?["steps"].as_array()?;
            let does = |what: &str| steps.iter().any(|step| step.get(what).is_some());
            if does("records.delete") {
                format!(
                    "{name} deletes records, and what an agent calls never does: its calls are refused"
                )
            } else if expose["access"] == "read" && does("records.upsert") {
                format!("{name} says that it reads, and its action writes: its calls are refused")
            } else {
                return None;
            }
        }
    };
    Some(Note::new(why))
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    fn package(expose: Value) -> Map<String, Value> {
        let package = json!({
            "records": {"task": {}, "note": {}},
            "queries": {"open": {"from": "task"}, "notes": {"from": "note"}, "others": {"from": "task", "app": "acme.other"}},
            "actions": {"add": {"steps": [{"records.upsert": {}}]}, "tidy": {"steps": [{"records.delete": {}}]}},
            "exposes": [expose],
        });
        package.as_object().cloned().unwrap_or_default()
    }

    fn tool(access: &str, input: Value, run: Value) -> Value {
        json!({"name": "it", "title": "T", "description": "D.", "access": access, "input": input, "run": run})
    }

    #[test]
    fn a_tool_reads_the_kind_it_says_by_a_query_there_is() {
        let said = |records: Value| {
            let package = package(tool("read", json!({}), json!({"records": records})));
            let issues = check(&package);
            issues.into_iter().map(|i| i.pointer).collect::<Vec<_>>()
        };
        let query = |name: Value| said(json!({"op": "list", "kind": "task", "query": name}));
        assert_eq!(query(json!("open")), [""; 0]);
        for wrong in ["opn", "notes", "others"] {
            assert_eq!(
                query(json!(wrong)),
                ["/exposes/0/run/records/query"],
                "{wrong}"
            );
        }
        assert_eq!(
            query(json!({"from": "task"})),
            ["/exposes/0/run/records/query"]
        );
        let from = said(json!({"op": "list", "kind": "task", "from": "note"}));
        assert_eq!(from, ["/exposes/0/run/records/from"]);
        let app = said(json!({"op": "list", "kind": "task", "app": "acme.other"}));
        assert_eq!(app, ["/exposes/0/run/records/app"]);
    }

    #[test]
    fn what_keeps_a_tool_from_its_work_here_is_noted() {
        let said = |access: &str, input: Value, run: Value| {
            let notes = notes(&package(tool(access, input, run)));
            notes
                .into_iter()
                .map(|n| n.message)
                .collect::<Vec<_>>()
                .join("; ")
        };
        let none = json!({"type": "object"});
        let action = |name: &str| json!({"action": name});
        assert_eq!(said("write", none.clone(), action("add")), "");
        assert!(said("read", none.clone(), action("actions.add")).contains("its action writes"));
        assert!(said("write", none.clone(), action("tidy")).contains("`it` deletes records"));
        let agent = json!({"agent": "planner", "prompt": "Plan."});
        assert!(said("write", none, agent).contains("an agent of a team's"));
        let strict = json!({"type": "object", "properties": {"title": {"pattern": "^a"}}});
        assert_eq!(
            said("write", strict, action("add")),
            "`it` is not offered to agents: in its `input`, /properties/title/pattern is no keyword of a tool's schema, or has a wrong value"
        );
    }
}
