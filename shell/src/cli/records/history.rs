//! `ede records history`, `restore` and `undo`: what was done to a record, and back to what it was. Each is a new write, which the app's
//! kinds must accept like any other.

use ede_engine::app_id::AppId;
use ede_engine::clock::iso;
use ede_engine::records::{ActionId, Batch, HistoryEntry, LOCAL, Put, RecordId, Via, Write};
use serde_json::{Value, json};

use super::super::context::{OpenRecords, installed};
use super::super::{Exit, Failure, Output};
use crate::paths::Paths;

/// The entries of one record, newest first; an error where there are none.
fn entries(
    paths: &Paths,
    records: &OpenRecords,
    app: &AppId,
    id: &RecordId,
) -> Result<Vec<HistoryEntry>, Failure> {
    let found = if paths.records().exists() {
        records.store().history(app.clone(), id.clone()).wait()?
    } else {
        Vec::new()
    };
    if found.is_empty() {
        return Err(Failure::new(
            format_args!("no record {id}"),
            format_args!("in the history of {app}"),
            "see `ede records list`",
        ));
    }
    Ok(found)
}

/// What was done to a record, newest first.
pub fn history(
    paths: &Paths,
    records: &OpenRecords,
    (app, id): (&AppId, &RecordId),
    as_json: bool,
    out: &mut Output,
) -> Result<Exit, Failure> {
    let found = entries(paths, records, app, id)?;
    if as_json {
        let row = |entry: &HistoryEntry| {
            json!({
                "action": entry.action.0, "kind": entry.kind.as_str(), "operation": entry.operation.as_str(), "actor": entry.actor,
                "via": entry.via, "at": iso(entry.at), "name": entry.name, "before": entry.before, "after": entry.after,
            })
        };
        out.json(&found.iter().map(row).collect::<Vec<Value>>())?;
        return Ok(Exit::Done);
    }
    for entry in &found {
        let data = entry.after.as_ref().map_or("", |_| "  ");
        let after = entry.after.as_ref().map(|state| state["data"].to_string());
        out.line(format_args!(
            "{}  {}  {} by {} ({}){data}{}",
            entry.action.0,
            iso(entry.at),
            entry.operation.as_str(),
            entry.actor,
            entry.via,
            after.unwrap_or_default()
        ))?;
    }
    Ok(Exit::Done)
}

/// A record as it was after `action`; without one, as it was before it went to the trash.
pub fn restore(
    paths: &Paths,
    records: &OpenRecords,
    (app, id): (&AppId, &RecordId),
    action: Option<ActionId>,
    out: &mut Output,
) -> Result<Exit, Failure> {
    let package = installed(paths, app)?.package;
    let found = entries(paths, records, app, id)?;
    let state = match action {
        Some(action) => found
            .iter()
            .find(|entry| entry.action == action)
            .and_then(|entry| entry.after.as_ref()),
        None => found
            .first()
            .filter(|newest| newest.after.is_none())
            .and_then(|newest| newest.before.as_ref()),
    };
    let Some((state, kind)) = state.zip(found.first().map(|newest| newest.kind.clone())) else {
        let (what, remedy) = match action {
            Some(_) => (
                "it was not there after that action",
                "see `ede records history`",
            ),
            None => (
                "it is not in the trash",
                "name the action after which it was as it should be",
            ),
        };
        return Err(Failure::new(what, format_args!("{id} of {app}"), remedy));
    };
    let author = state["author"].as_str().map(str::to_owned);
    let put = Put {
        id: Some(id.clone()),
        data: state["data"].clone(),
        author,
        created_at: None,
        updated_at: None,
    };
    let batch = Batch::new(package, Via::Cli, vec![Write::Put { kind, put }]);
    records.store().commit(batch).wait()?;
    out.line(format_args!("restored {id} in {app}"))?;
    Ok(Exit::Done)
}

/// Take an action back: every record it touched is as it was before it.
pub fn undo(
    paths: &Paths,
    records: &OpenRecords,
    app: AppId,
    action: ActionId,
    out: &mut Output,
) -> Result<Exit, Failure> {
    let ActionId(number) = action;
    // An app that was removed or cannot be read gets its records back as they were.
    let package = installed(paths, &app).ok().map(|app| app.package);
    let undone = records
        .store()
        .undo(app.clone(), action, LOCAL.into(), package);
    let many = super::counted(undone.wait()?.ids.len());
    out.line(format_args!("took back action {number} of {app}: {many}"))?;
    Ok(Exit::Done)
}
