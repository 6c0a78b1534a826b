//! `ede grants`: what the person allowed and denied the apps, and taking it back. A running shell hears of it at once.

use clap::Args;
use ede_engine::app_id::AppId;
use ede_engine::broker::catalog::catalog;
use ede_engine::broker::grants::Grant;
use ede_engine::broker::names::ScopeId;
use ede_engine::clock::iso;
use ede_engine::records::Decision;
use serde_json::{Value, json};

use super::context::{OpenRecords, app_id, apps};
use super::{Exit, Failure, Output};
use crate::paths::Paths;

/// What apps may do, as the person decided.
///
/// `ede grants APP revoke SCOPE` takes a decision back: the app asks again when it needs it.
#[derive(Debug, Args)]
pub struct Grants {
    /// Only this app's
    #[arg(value_parser = app_id)]
    app: Option<AppId>,
    /// `revoke` takes the decision about SCOPE back
    #[arg(value_parser = ["revoke"], requires = "scope")]
    change: Option<String>,
    /// A scope, like windows.read
    #[arg(value_parser = scope)]
    scope: Option<ScopeId>,
    /// One JSON document
    #[arg(long)]
    json: bool,
}

fn scope(text: &str) -> Result<ScopeId, String> {
    let known = catalog().scope(text).map(|s| s.id.clone());
    known.ok_or_else(|| {
        let all: Vec<&str> = catalog().scopes().map(|s| s.id.as_str()).collect();
        format!("there are {}", all.join(", "))
    })
}

impl Grants {
    pub(super) fn run(self, paths: &Paths, out: &mut Output) -> Result<Exit, Failure> {
        match (self.app, self.scope) {
            (Some(app), Some(scope)) => revoke(paths, &app, &scope, out),
            (app, _) => list(paths, app.as_ref(), self.json, out),
        }
    }
}

fn revoke(paths: &Paths, app: &AppId, scope: &ScopeId, out: &mut Output) -> Result<Exit, Failure> {
    let none = || {
        let remedy = "`ede grants` lists what was decided";
        Failure::new(
            format_args!("nothing was decided about {scope}"),
            app,
            remedy,
        )
    };
    if !paths.records().exists() {
        return Err(none());
    }
    let records = OpenRecords::open(paths)?;
    let revoked = records.store().revoke(app.clone(), scope.clone()).wait()?;
    records.finish(out);
    if !revoked {
        return Err(none());
    }
    out.line(format_args!(
        "{app} asks again before it may {}",
        verb(scope)
    ))?;
    Ok(Exit::Done)
}

fn list(
    paths: &Paths,
    app: Option<&AppId>,
    as_json: bool,
    out: &mut Output,
) -> Result<Exit, Failure> {
    let mut rows: Vec<Decision> = Vec::new();
    if paths.records().exists() {
        let records = OpenRecords::open(paths)?;
        let all = records.store().decisions().wait()?;
        rows.extend(
            all.iter()
                .filter(|d| app.is_none_or(|a| d.app == *a))
                .cloned(),
        );
        records.finish(out);
    }
    // A decision about what is no longer declared, with other origins, or of another author's app, holds nothing.
    let mut installed = apps(paths);
    installed.scan()?;
    rows.retain(|d| installed.get(&d.app).is_some_and(|a| d.holds(&a.package)));
    if as_json {
        let rows: Vec<Value> = rows.iter().map(row).collect();
        out.json(&rows)?;
        return Ok(Exit::Done);
    }
    for d in &rows {
        let may = match d.grant {
            Grant::Granted => "may",
            Grant::Denied => "may not",
        };
        let (app, scope, at) = (&d.app, &d.scope, iso(d.at));
        out.line(format_args!(
            "{app} {may} {} ({scope}), since {at}",
            verb(scope)
        ))?;
    }
    if rows.is_empty() {
        out.line("nothing was decided yet: an app asks when it needs something")?;
    }
    Ok(Exit::Done)
}

fn row(d: &Decision) -> Value {
    json!({"app": d.app.as_str(), "scope": d.scope, "grant": d.grant, "at": iso(d.at)})
}

fn verb(scope: &ScopeId) -> String {
    let known = catalog().scope(scope.as_str());
    known.map_or_else(String::new, |s| s.verb.replace("{origins}", "its servers"))
}
