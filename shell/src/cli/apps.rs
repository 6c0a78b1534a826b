//! `ede apps`: install, remove and list the packages of this user.

use std::path::PathBuf;
use std::sync::Arc;

use clap::{Args, Subcommand};
use ede_engine::app_id::AppId;
use ede_engine::apps::{App, AppsError, Broken};
use ede_engine::exposes::Tool;
use ede_engine::issue::Issue;
use ede_engine::package::Package;
use ede_engine::plain;
use ede_engine::records::{ActionId, Brought, Store};
use ede_engine::source::Limits;
use serde_json::{Value, json};

use super::context::{OpenRecords, app_id, apps};
use super::{Exit, Failure, Output};
use crate::desktop_entries;
use crate::installs::{self, Done, InstallError};
use crate::paths::Paths;

/// The longest name that is shown (characters).
const NAME: usize = 80;

/// Install, remove and list apps.
#[derive(Debug, Args)]
pub struct Apps {
    #[command(subcommand)]
    what: What,
}

#[derive(Debug, Subcommand)]
enum What {
    /// Check a package and install it (or its new version). What it may do is asked at first use.
    Install {
        /// The package, an .app.json file.
        file: PathBuf,
    },
    /// Remove an app. Its records are kept for 30 days.
    Remove {
        /// The app's id.
        #[arg(value_parser = app_id)]
        app: AppId,
    },
    /// The installed apps, and the tools they offer to agents.
    List {
        /// One JSON document.
        #[arg(long)]
        json: bool,
    },
}

impl Apps {
    pub(super) fn run(self, paths: &Paths, out: &mut Output) -> Result<Exit, Failure> {
        match self.what {
            What::Install { file } => install(paths, &file, out),
            What::Remove { app } => remove(paths, &app, out),
            What::List { json } => list(paths, json, out),
        }
    }
}

fn install(paths: &Paths, file: &std::path::Path, out: &mut Output) -> Result<Exit, Failure> {
    // Beyond the limit of a file, so that the checker says so.
    let bytes = ede_engine::files::read_limited(file, 2 * Limits::APP_FILE.bytes)?;
    let records = OpenRecords::open(paths)?;
    let Done {
        installed,
        others,
        brought,
    } = installs::install(paths, records.store(), &bytes).map_err(|error| match error {
        InstallError::Apps(error @ AppsError::Invalid(_)) => Failure::new(
            error,
            file.display(),
            format_args!("see `ede check {}`", file.display()),
        ),
        error => failed(error),
    })?;
    let (id, version) = (installed.app.id(), installed.app.package.version());
    match installed.replaced {
        Some(before) if before != version => {
            out.line(format_args!("updated {id} from {before} to {version}"))?;
        }
        Some(_) => out.line(format_args!("installed {id} {version} again"))?,
        None => out.line(format_args!("installed {id} {version}"))?,
    }
    if others {
        out.line(format_args!("note: it starts without the records of the {id} that was removed, another author's or another unsigned file; `ede records export {id} --removed` prints them"))?;
    }
    for note in &installed.notes {
        out.line(format_args!("note: {}", note.message))?;
    }
    if let Some(brought) = brought {
        say_brought(id, &brought, out)?;
    }
    move_records(records.store(), &installed.app.package, out)?;
    records.finish(out);
    Ok(Exit::Done)
}

/// What became of the records the file has.
fn say_brought(id: &AppId, brought: &Brought, out: &mut Output) -> Result<(), Failure> {
    let one_or_more = |records: usize, one: &'static str, more: &'static str| match records {
        1 => one,
        _ => more,
    };
    match (brought.added, brought.action) {
        (added, Some(ActionId(action))) => {
            let records = one_or_more(added, "record", "records");
            out.line(format_args!("{added} {records} came along, `ede records undo {id} {action}` takes back what came"))?;
        }
        (_, None) => out.line("no record came along")?,
    }
    if let here @ 1.. = brought.here {
        let stay = one_or_more(
            here,
            "is here already and stays as it is",
            "are here already and stay as they are",
        );
        out.line(format_args!("{here} of the file's records {stay}"))?;
    }
    if let trash @ 1.. = brought.trash {
        let is = one_or_more(trash, "is", "are");
        out.line(format_args!(
            "{trash} of the file's records {is} in the trash, see `ede records list {id} --deleted`"
        ))?;
    }
    if let others @ 1.. = brought.others {
        let were = one_or_more(
            others,
            "record was somebody else's and is",
            "records were somebody else's and are",
        );
        out.line(format_args!("note: {others} {were} yours here"))?;
    }
    if let files @ 1.. = brought.files {
        let were = one_or_more(files, "file on them is", "files on them are");
        out.line(format_args!(
            "note: {files} {were} not here and did not come along"
        ))?;
    }
    Ok(())
}

/// Move the records of older versions to this one, and say how far that is.
fn move_records(store: &Store, package: &Arc<Package>, out: &mut Output) -> Result<(), Failure> {
    let mut done = 0;
    loop {
        let step = store.move_records(package.clone()).wait()?;
        if step.moved == 0 {
            return Ok(());
        }
        done += step.moved;
        let (all, version) = (done + step.left, package.version());
        out.line(format_args!("moved {done} of {all} records to {version}"))?;
    }
}

fn failed(error: InstallError) -> Failure {
    match error {
        InstallError::Apps(error) => error.into(),
        InstallError::File(error) => error.into(),
        InstallError::Records(error) => error.into(),
    }
}

fn remove(paths: &Paths, app: &AppId, out: &mut Output) -> Result<Exit, Failure> {
    let _turn = installs::turn(paths).map_err(failed)?;
    let mut apps = apps(paths);
    let author = apps.author_of(app)?;
    // The records first: an app that is gone leaves none to whoever comes next.
    if paths.records().exists() {
        let records = OpenRecords::open(paths)?;
        let store = records.store();
        store.set_aside(app.clone(), author.clone()).wait()?;
        if let Err(error) = apps.remove(app) {
            store.give_back(app.clone(), author, false).wait()?;
            return Err(error.into());
        }
        records.finish(out);
    } else {
        apps.remove(app)?;
    }
    desktop_entries::remove(paths.applications(), app)?;
    out.line(format_args!(
        "removed {app}, its records are kept for 30 days"
    ))?;
    Ok(Exit::Done)
}

fn list(paths: &Paths, as_json: bool, out: &mut Output) -> Result<Exit, Failure> {
    let mut apps = apps(paths);
    apps.scan()?;
    let broken = apps.broken();
    if as_json {
        let mut rows: Vec<Value> = apps.iter().map(|app| row(app, &broken)).collect();
        let nameless = |b: &&Broken| b.id.as_ref().is_none_or(|id| apps.get(id).is_none());
        rows.extend(broken.iter().filter(nameless).map(|b| {
            let id = b.id.as_ref().map(AppId::as_str);
            json!({"id": id, "file": b.file, "ok": false, "issues": issues(&b.issues)})
        }));
        out.json(&rows)?;
        return Ok(Exit::Done);
    }
    let width = apps.iter().map(|app| app.id().as_str().len()).max();
    let width = width.unwrap_or(0);
    for app in apps.iter() {
        let (id, package) = (app.id().as_str(), &app.package);
        out.line(format_args!(
            "{id:width$}  {}  {}",
            package.version(),
            plain::line(package.name(), NAME)
        ))?;
        for tool in Tool::all(package) {
            let (name, title) = (
                tool.name.qualified(app.id()),
                plain::line(&tool.title, NAME),
            );
            out.line(format_args!(
                "{:width$}  agents may call {name} ({}): {title}",
                "", tool.access
            ))?;
        }
    }
    for b in &broken {
        let first = b
            .issues
            .first()
            .map_or("it cannot be read", |issue| &issue.message);
        out.line(format_args!("{} is not used: {first}", b.file.display()))?;
    }
    if apps.iter().next().is_none() && broken.is_empty() {
        out.line("no apps are installed")?;
    }
    Ok(Exit::Done)
}

fn row(app: &App, broken: &[Broken]) -> Value {
    let problems = broken.iter().find(|b| b.id.as_ref() == Some(app.id()));
    let package = &app.package;
    json!({
        "id": app.id().as_str(), "name": package.name(), "version": package.version(), "description": package.description(),
        "icon": package.icon(), "formatVersion": package.format(), "file": app.file, "waiting": app.waiting,
        "ok": problems.is_none(), "issues": problems.map_or_else(Vec::new, |b| issues(&b.issues)),
        "tools": Tool::all(package).iter().map(|tool| tool_row(app.id(), tool)).collect::<Vec<_>>(),
    })
}

/// A tool, as an agent is told of it.
fn tool_row(app: &AppId, tool: &Tool) -> Value {
    json!({
        "name": tool.name.qualified(app), "title": tool.title, "description": tool.description, "access": tool.access.as_str(),
        "inputSchema": tool.input,
    })
}

fn issues(issues: &[Issue]) -> Vec<Value> {
    let json = |issue: &Issue| {
        let mut json = json!({"path": issue.pointer, "message": issue.message});
        if let Some(position) = issue.position {
            json["line"] = position.line.into();
            json["column"] = position.column.into();
        }
        json
    };
    issues.iter().map(json).collect()
}
