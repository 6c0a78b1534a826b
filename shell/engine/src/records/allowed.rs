//! What a write must keep beyond the schema of its kind: who may write, which state may follow which, whether what the record refers to
//! is there, whether the files on it are its app's. Part of a transaction of whoever writes.

use rusqlite::Transaction;
use serde_json::Value;

use super::apply::{Step, Stop, refused};
use super::blobs;
use super::model::{Batch, Operation, Record, RecordId, Write};
use super::read::{Stored, one};
use crate::attachments;
use crate::package::kinds::{RefTarget, ref_target};
use crate::package::rules::{Policy, check_move};

/// The rules of the kind beyond its schema: who may write, which state may follow which.
pub(super) fn allowed(
    batch: &Batch,
    write: &Write,
    operation: Operation,
    before: Option<&Stored>,
    after: &Stored,
) -> Step<()> {
    let Some(package) = &batch.package else {
        return Ok(());
    };
    let record = &after.record;
    let Some(kind) = package.kind(record.kind.as_str()) else {
        return Ok(());
    };
    let policy = Policy::of(kind, package.format());
    let actor = batch.actor();
    let owner = before.map_or(&record.author, |before| &before.record.author);
    let level = match operation {
        Operation::Create => policy.create,
        Operation::Update | Operation::Restore => policy.update,
        Operation::Delete => policy.delete,
    };
    if !level.allows(actor, owner) {
        let verb = operation.as_str();
        return refused(format!(
            "{} may not {verb} this {}",
            batch.actor, record.kind
        ));
    }
    if operation == Operation::Delete {
        return Ok(());
    }
    // What is put from outside stands as it was elsewhere, in whatever state.
    if !matches!(write, Write::Put { .. }) {
        let before = before.map(|before| &before.record.data);
        check_move(kind, before, &record.data, &record.author, actor).map_err(Stop::Refused)?;
    }
    Ok(())
}

/// The kind of a record, as the package of the batch has it.
fn definition<'a>(batch: &'a Batch, record: &Record) -> Option<&'a Value> {
    batch.package.as_deref()?.kind(record.kind.as_str())
}

/// Are the files on the record there, and its app's?
pub(super) fn attached(
    tx: &Transaction<'_>,
    batch: &Batch,
    before: Option<&Stored>,
    after: &Stored,
) -> Step<()> {
    let record = &after.record;
    let Some(kind) = definition(batch, record) else {
        return Ok(());
    };
    for (field, _, address) in attachments::in_record(&kind["schema"], &record.data) {
        // What was there before is kept as long as the record.
        let same = |before: &Stored| before.record.data.get(field) == record.data.get(field);
        if before.is_some_and(same) {
            continue;
        }
        let Some(file) = attachments::file_at(address) else {
            return refused(format!("data: /{field} {}", attachments::SAYS));
        };
        if blobs::find(tx, &batch.app, &file)?.is_none() {
            let why = "attachments must be files uploaded to this app";
            return refused(format!("{field}: {why}"));
        }
    }
    Ok(())
}

/// Is what the record refers to there?
pub(super) fn refers(
    tx: &Transaction<'_>,
    batch: &Batch,
    before: Option<&Stored>,
    after: &Stored,
) -> Step<()> {
    let record = &after.record;
    let Some(kind) = definition(batch, record) else {
        return Ok(());
    };
    for (field, value) in &record.data {
        let Some(RefTarget::Kind(target)) = ref_target(kind, field) else {
            continue;
        };
        let there = match value.as_str().map(RecordId::parse) {
            // No reference, and what the schema had to say about it is said.
            None => continue,
            Some(Ok(id)) => one(tx, &batch.app, &id)?.is_some_and(|to| {
                to.record.deleted_at.is_none() && to.record.kind.as_str() == target
            }),
            Some(Err(_)) => false,
        };
        // A reference that was left dangling by a deletion may stay.
        let unchanged = before.is_some_and(|before| before.record.data.get(field) == Some(value));
        if !there && !unchanged {
            return refused(format!("{field} refers to no {target}"));
        }
    }
    Ok(())
}
