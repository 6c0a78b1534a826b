//! `ede records`: the data of the apps, listed, put, deleted, imported, exported, taken back. What an app would not accept is refused here too.

mod app_file;
mod history;

use std::path::{Path, PathBuf};

use clap::{Args, Subcommand};
use ede_engine::app_id::AppId;
use ede_engine::apps::AppsError;
use ede_engine::package::Package;
use ede_engine::records::import::{RowIssue, read_csv};
use ede_engine::records::{ActionId, Batch, Kind, LOCAL, Put, Record, RecordId, Via, Write};
use serde_json::{Map, Value, json};

use super::context::{OpenRecords, app_id, apps, input, installed, json_input, mend, named};
use super::{Exit, Failure, Output};
use crate::paths::Paths;

/// List, put, delete, import (CSV) and export (JSON, or an .app.json with its app) an app's records, and go back to what they were.
#[derive(Debug, Args)]
pub struct Records {
    #[command(subcommand)]
    what: What,
}

#[derive(Debug, Subcommand)]
enum What {
    /// An app's records, or those of one kind.
    List {
        #[command(flatten)]
        of: Of,
        /// One JSON document.
        #[arg(long)]
        json: bool,
        /// The deleted records instead, kept for 30 days.
        #[arg(long)]
        deleted: bool,
    },
    /// Put a record, or an array of them, as they are: all or none.
    Put {
        /// The app's id.
        #[arg(value_parser = app_id)]
        app: AppId,
        /// The kind of record.
        #[arg(value_parser = kind)]
        kind: Kind,
        /// JSON: {id?, data, author?, createdAt?, updatedAt?}, or an array of such; - reads standard input.
        file: PathBuf,
        /// One JSON document: the ids, in order.
        #[arg(long)]
        json: bool,
    },
    /// Move records to the trash: all or none.
    Delete {
        /// The app's id.
        #[arg(value_parser = app_id)]
        app: AppId,
        /// The kind of record.
        #[arg(value_parser = kind)]
        kind: Kind,
        /// The records' ids.
        #[arg(required = true, value_parser = record_id)]
        ids: Vec<RecordId>,
        /// Of the app of this id that was removed.
        #[arg(long)]
        removed: bool,
    },
    /// Import a spreadsheet: columns go to fields by name, rows that do not read are named and left out.
    Import {
        /// The app's id.
        #[arg(value_parser = app_id)]
        app: AppId,
        /// The kind of record.
        #[arg(value_parser = kind)]
        kind: Kind,
        /// CSV with a header; - reads standard input.
        file: PathBuf,
        /// Show what would be imported, write nothing.
        #[arg(long)]
        dry_run: bool,
        /// One JSON document.
        #[arg(long)]
        json: bool,
    },
    /// Print records as JSON, or write them with their app into one .app.json file.
    ///
    /// The JSON is what `put` takes: an array for one kind, else an object of arrays by kind. The file of `-o tasks.app.json` is what `ede apps
    /// install` takes, on another machine too; without the files on the records. A spreadsheet comes in by `import`, as CSV.
    Export {
        #[command(flatten)]
        of: Of,
        /// Write the app and all its records, without the files on them, into this file instead, for `ede apps install`; - is standard output.
        #[arg(short, long, value_name = "FILE", conflicts_with_all = ["kind", "removed"])]
        output: Option<PathBuf>,
    },
    /// What was done to a record in the last 90 days, newest first.
    History {
        /// The app's id.
        #[arg(value_parser = app_id)]
        app: AppId,
        /// The record's id.
        #[arg(value_parser = record_id)]
        id: RecordId,
        /// One JSON document, with the record before and after each write.
        #[arg(long)]
        json: bool,
    },
    /// Take a deleted record out of the trash, or a record back to what it was.
    Restore {
        /// The app's id.
        #[arg(value_parser = app_id)]
        app: AppId,
        /// The record's id.
        #[arg(value_parser = record_id)]
        id: RecordId,
        /// The action (a number of `history`) after which it was as it is to be again.
        action: Option<i64>,
    },
    /// Take an action back, unless a record it touched was written since.
    Undo {
        /// The app's id.
        #[arg(value_parser = app_id)]
        app: AppId,
        /// The action: a number of `history`.
        action: i64,
    },
}

#[derive(Debug, Args)]
struct Of {
    /// The app's id.
    #[arg(value_parser = app_id)]
    app: AppId,
    /// Only this kind of record.
    #[arg(value_parser = kind)]
    kind: Option<Kind>,
    /// Those of the app of this id that was removed, kept for 30 days.
    #[arg(long)]
    removed: bool,
}

fn kind(text: &str) -> Result<Kind, String> {
    Kind::parse(text).map_err(|error| error.to_string())
}

fn record_id(text: &str) -> Result<RecordId, String> {
    RecordId::parse(text).map_err(|error| error.to_string())
}

impl Records {
    pub(super) fn run(self, paths: &Paths, out: &mut Output) -> Result<Exit, Failure> {
        let records = OpenRecords::open(paths)?;
        let done = match self.what {
            What::List { of, json, deleted } => list(paths, &records, of, json, deleted, out),
            What::Put {
                app,
                kind,
                file,
                json,
            } => put(paths, &records, app, kind, &file, json, out),
            What::Delete {
                app,
                kind,
                ids,
                removed,
            } => delete(paths, &records, (app, removed), kind, ids, out),
            What::Import {
                app,
                kind,
                file,
                dry_run,
                json,
            } => {
                let wanted = Import { dry_run, json };
                import(paths, &records, app, kind, &file, wanted, out)
            }
            What::Export { of, output } => match output {
                None => export(paths, &records, of, out),
                Some(file) => app_file::export(paths, &records, &of.app, &file, out),
            },
            What::History { app, id, json } => {
                history::history(paths, &records, (&app, &id), json, out)
            }
            What::Restore { app, id, action } => {
                let action = action.map(ActionId);
                history::restore(paths, &records, (&app, &id), action, out)
            }
            What::Undo { app, action } => {
                history::undo(paths, &records, app, ActionId(action), out)
            }
        };
        records.finish(out);
        done
    }
}

/// The records asked for. An app nobody has heard of, or a kind it does not have, is an error and not an empty list.
fn find(paths: &Paths, records: &OpenRecords, of: Of, trash: bool) -> Result<Vec<Record>, Failure> {
    let Of { app, kind, removed } = of;
    let package = installed(paths, &app);
    let mut found = Vec::new();
    // Without a database nothing is made just to look.
    if paths.records().exists() {
        let store = records.store();
        for id in places(paths, records, &app, removed)? {
            found.extend(if trash {
                store.trash(id).wait()?
            } else {
                store.list(id, kind.clone()).wait()?
            });
        }
        found.retain(|record| kind.as_ref().is_none_or(|kind| record.kind == *kind));
    }
    if found.is_empty() && !removed {
        // Records outlive their app for a while: only where there are none must the app be there.
        let package = package?.package;
        if let Some(kind) = kind {
            declared(&package, &kind)?;
        }
    }
    Ok(found)
}

/// The ids that records of `app` are kept under: its own, or those of the removed ones, which is also where they are as long as there is no
/// app of that id.
fn places(
    paths: &Paths,
    records: &OpenRecords,
    app: &AppId,
    removed: bool,
) -> Result<Vec<AppId>, Failure> {
    let gone = matches!(apps(paths).author_of(app), Err(AppsError::Unknown(_)));
    let mut places = Vec::new();
    if !removed {
        places.push(app.clone());
    }
    if removed || gone {
        places.extend(records.store().removed(app.clone()).wait()?);
    }
    Ok(places)
}

/// `kind` is one the app's package declares.
fn declared(package: &Package, kind: &Kind) -> Result<(), Failure> {
    if package.kind(kind.as_str()).is_some() {
        return Ok(());
    }
    let known: Vec<&str> = package.kinds().map(|(name, _)| name).collect();
    let remedy = if known.is_empty() {
        "it keeps no records".to_owned()
    } else {
        format!("its kinds are {}", known.join(", "))
    };
    Err(Failure::new(
        format_args!("no kind {kind}"),
        format_args!("in {}", package.id()),
        remedy,
    ))
}

fn list(
    paths: &Paths,
    records: &OpenRecords,
    of: Of,
    as_json: bool,
    trash: bool,
    out: &mut Output,
) -> Result<Exit, Failure> {
    let found = find(paths, records, of, trash)?;
    if as_json {
        out.json(&found.iter().map(Record::to_json).collect::<Vec<_>>())?;
        return Ok(Exit::Done);
    }
    for record in &found {
        let data = serde_json::to_string(&record.data).map_err(std::io::Error::from)?;
        out.line(format_args!(
            "{}  {}  {}  {data}",
            record.id, record.kind, record.updated_at
        ))?;
    }
    if found.is_empty() {
        out.line("no records")?;
    }
    Ok(Exit::Done)
}

fn export(paths: &Paths, records: &OpenRecords, of: Of, out: &mut Output) -> Result<Exit, Failure> {
    let by_kind = of.kind.is_none();
    let found = find(paths, records, of, false)?;
    if by_kind {
        let mut kinds: Map<String, Value> = Map::new();
        for record in &found {
            let list = kinds
                .entry(record.kind.as_str())
                .or_insert_with(|| json!([]));
            list.as_array_mut()
                .into_iter()
                .for_each(|list| list.push(record.to_put_json()));
        }
        out.json(&kinds)?;
    } else {
        out.json(&found.iter().map(Record::to_put_json).collect::<Vec<_>>())?;
    }
    Ok(Exit::Done)
}

fn put(
    paths: &Paths,
    records: &OpenRecords,
    app: AppId,
    kind: Kind,
    file: &Path,
    as_json: bool,
    out: &mut Output,
) -> Result<Exit, Failure> {
    let package = installed(paths, &app)?.package;
    declared(&package, &kind)?;
    let given = match json_input(file)? {
        Value::Array(list) => list,
        one => vec![one],
    };
    let mut writes = Vec::with_capacity(given.len());
    for (index, json) in given.iter().enumerate() {
        let put = Put::from_json(json).map_err(|why| {
            let place = if given.len() > 1 {
                format!("record {} of {}", index + 1, named(file))
            } else {
                named(file).into_owned()
            };
            let remedy = format_args!("{}, nothing was written", mend(file));
            Failure::new(why, place, remedy)
        })?;
        writes.push(Write::Put {
            kind: kind.clone(),
            put,
        });
    }
    let batch = Batch::new(package, Via::Cli, writes);
    let ids = records.store().commit(batch).wait()?.ids;
    if as_json {
        let ids: Vec<&str> = ids.iter().map(RecordId::as_str).collect();
        out.json(&json!({"ids": ids}))?;
    } else {
        let put = counted(ids.len());
        out.line(format_args!("put {put} of kind {kind} in {app}"))?;
    }
    Ok(Exit::Done)
}

/// How an import is wanted.
struct Import {
    dry_run: bool,
    json: bool,
}

fn import(
    paths: &Paths,
    records: &OpenRecords,
    app: AppId,
    kind: Kind,
    file: &Path,
    wanted: Import,
    out: &mut Output,
) -> Result<Exit, Failure> {
    let package = installed(paths, &app)?.package;
    declared(&package, &kind)?;
    let text = String::from_utf8(input(file)?)
        .map_err(|_| Failure::new("not UTF-8 text", named(file), "save it as CSV in UTF-8"))?;
    let schema = package.kind(kind.as_str()).and_then(|k| k.get("schema"));
    let mut read = read_csv(&text, &kind, schema.unwrap_or(&Value::Null))
        .map_err(|error| Failure::new(error, named(file), mend(file)))?;
    let batch = |writes| Batch::new(package.clone(), Via::Import, writes);
    let rehearsed = records.store().rehearse(batch(read.writes.clone()));
    read.refuse(rehearsed.wait()?);
    let (ready, total) = (read.writes.len(), read.total);
    if ready == 0 && !wanted.json {
        let first = read
            .issues
            .first()
            .map_or("it has a header only".into(), RowIssue::to_string);
        return Err(Failure::new("no row can be imported", named(file), first));
    }
    if !wanted.dry_run {
        records.store().commit(batch(read.writes)).wait()?;
    }
    if wanted.json {
        let mapping: Map<String, Value> = read
            .mapping
            .pairs()
            .map(|(field, column)| (field.to_owned(), column.into()))
            .collect();
        let issue = |issue: &RowIssue| json!({"row": issue.row, "field": issue.field, "message": issue.message});
        let issues: Vec<Value> = read.issues.iter().map(issue).collect();
        let imported = if wanted.dry_run { 0 } else { ready };
        out.json(&json!({"total": total, "ready": ready, "imported": imported, "mapping": mapping, "issues": issues}))?;
        return Ok(Exit::Done);
    }
    for (field, column) in read.mapping.pairs().filter(|_| wanted.dry_run) {
        out.line(format_args!("{field} from {column}"))?;
    }
    for issue in &read.issues {
        out.note(issue);
    }
    let done = if wanted.dry_run { "ready" } else { "imported" };
    out.line(format_args!(
        "{done}: {ready} of {total} rows, as kind {kind} in {app}"
    ))?;
    Ok(Exit::Done)
}

fn delete(
    paths: &Paths,
    records: &OpenRecords,
    (app, removed): (AppId, bool),
    kind: Kind,
    ids: Vec<RecordId>,
    out: &mut Output,
) -> Result<Exit, Failure> {
    let delete = |id: &RecordId| Write::Delete {
        id: id.clone(),
        kind: Some(kind.clone()),
    };
    let mut place = app.clone();
    for kept in places(paths, records, &app, removed)? {
        let there = records.store().list(kept.clone(), Some(kind.clone()));
        let there = there.wait()?;
        if ids.iter().all(|id| there.iter().any(|r| r.id == *id)) {
            place = kept;
            break;
        }
    }
    let batch = Batch {
        app: place,
        // A deletion is checked against no schema: it works for an app that was removed too.
        package: None,
        actor: LOCAL.into(),
        via: Via::Cli,
        action: None,
        key: None,
        writes: ids.iter().map(delete).collect(),
    };
    let deleted = counted(records.store().commit(batch).wait()?.ids.len());
    out.line(format_args!("deleted {deleted} of kind {kind} in {app}"))?;
    Ok(Exit::Done)
}

fn counted(records: usize) -> String {
    if records == 1 {
        "1 record".into()
    } else {
        format!("{records} records")
    }
}
