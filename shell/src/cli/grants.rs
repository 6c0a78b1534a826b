//! `ede grants`: what the person allowed and denied the apps, and taking it back. A running shell hears of it at once.

use clap::Args;
use ede_engine::app_id::AppId;
use ede_engine::broker::catalog::catalog;
use ede_engine::broker::grants::{Grant, Subject};
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
    /// A scope, like windows.read, reading from a server, like upstream:github, a tool of one, like call:github/create_issue, or one that the app offers to agents, like tool:log_hours
    #[arg(value_parser = subject)]
    scope: Option<Subject>,
    /// One JSON document
    #[arg(long)]
    json: bool,
}

fn subject(text: &str) -> Result<Subject, String> {
    let known = Subject::parse(text).filter(|subject| match subject {
        Subject::Scope(scope) => catalog().scope(scope.as_str()).is_some(),
        Subject::Upstream(_) | Subject::Tool(_) | Subject::Exposed(_) => true,
    });
    known.ok_or_else(|| {
        let all: Vec<&str> = catalog().scopes().map(|s| s.id.as_str()).collect();
        format!(
            "there are {}, upstream:SERVER, call:SERVER/TOOL and tool:NAME",
            all.join(", ")
        )
    })
}

impl Grants {
    pub(super) fn run(self, paths: &Paths, out: &mut Output) -> Result<Exit, Failure> {
        match (self.app, self.scope) {
            (Some(app), Some(subject)) => revoke(paths, &app, &subject, out),
            (app, _) => list(paths, app.as_ref(), self.json, out),
        }
    }
}

fn revoke(
    paths: &Paths,
    app: &AppId,
    subject: &Subject,
    out: &mut Output,
) -> Result<Exit, Failure> {
    let none = || {
        let remedy = "`ede grants` lists what was decided";
        Failure::new(
            format_args!("nothing was decided about {subject}"),
            app,
            remedy,
        )
    };
    if !paths.records().exists() {
        return Err(none());
    }
    let records = OpenRecords::open(paths)?;
    let revoked = records
        .store()
        .revoke(app.clone(), subject.clone())
        .wait()?;
    records.finish(out);
    if !revoked {
        return Err(none());
    }
    out.line(format_args!(
        "{app} asks again before it may {}",
        verb(subject)
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
        let (app, subject, at) = (&d.app, &d.subject, iso(d.at));
        out.line(format_args!(
            "{app} {may} {} ({subject}), since {at}",
            verb(subject)
        ))?;
    }
    if rows.is_empty() {
        out.line("nothing was decided yet: an app asks when it needs something")?;
    }
    Ok(Exit::Done)
}

fn row(d: &Decision) -> Value {
    json!({"app": d.app.as_str(), "scope": d.subject, "grant": d.grant, "at": iso(d.at)})
}

fn verb(subject: &Subject) -> String {
    let scope = match subject {
        Subject::Scope(scope) => scope,
        Subject::Upstream(server) => return format!("read from {server}"),
        Subject::Tool(tool) => return format!("use {} of {}", tool.tool, tool.server),
        Subject::Exposed(tool) => return format!("let agents use {tool}"),
    };
    let known = catalog().scope(scope.as_str());
    known.map_or_else(String::new, |s| s.verb.replace("{origins}", "its servers"))
}
