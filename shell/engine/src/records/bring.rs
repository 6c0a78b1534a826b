//! The records a file of an app brings along ([`crate::app_file`]): those that are not there yet are added, in one transaction with its
//! history. What is there stays as it is, and what was deleted stays deleted, so that bringing the same file again changes nothing.
//!
//! A record keeps its id. Where a record of another kind has it, it gets one that follows from both, and what refers to it is turned to
//! that. Its author stays the person's; a stranger's record is the person's who brings it, since nobody else is a member here.

use std::collections::{BTreeSet, HashMap};
use std::sync::Arc;

use jiff::Timestamp;
use jiff::tz::TimeZone;
use rusqlite::{Connection, Transaction, TransactionBehavior};
use serde_json::Value;

use super::apply::{Step, Stop, land};
use super::blobs;
use super::id::IdSource;
use super::model::{ActionId, Batch, Kind, LOCAL, RecordId, Via, Write};
use super::moving::moved;
use super::read::one;
use super::store::{Pending, Store, StoreEvent};
use crate::app_file::{Row, derived_id};
use crate::attachments;
use crate::package::Package;
use crate::package::kinds::{RefTarget, ref_target};

/// What bringing records came to.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Brought {
    /// The action that added them, to be undone by; `None` where nothing was added.
    pub action: Option<ActionId>,
    pub added: usize,
    /// Records that were here before, untouched.
    pub here: usize,
    /// Records that are in the trash, and stay there.
    pub trash: usize,
    /// Added records that were somebody else's, and are the person's now.
    pub others: usize,
    /// Files on added records that are not here: the fields come in without them.
    pub files: usize,
    /// How many records the app has now, where that is worth telling ([`StoreEvent::Filling`]).
    pub(super) filled: Option<usize>,
}

impl Store {
    /// Add the records of `rows`, read for `package`, that are not there yet: all of them or none.
    ///
    /// # Errors
    /// [`super::StoreError::Refused`] with the pointer of the row it is about, [`super::StoreError::TooMany`], the database's trouble.
    pub fn bring(&self, package: Arc<Package>, rows: Vec<Row>) -> Pending<Brought> {
        self.try_bring(package, rows, true)
    }

    /// What [`Store::bring`] would answer now, with nothing written.
    pub fn would_bring(&self, package: Arc<Package>, rows: Vec<Row>) -> Pending<Brought> {
        self.try_bring(package, rows, false)
    }

    fn try_bring(&self, package: Arc<Package>, rows: Vec<Row>, keep: bool) -> Pending<Brought> {
        self.ask(move |database| {
            let zone = database.zone();
            let brought = database.write(|connection, now, ids| {
                let tx = connection.transaction_with_behavior(TransactionBehavior::Immediate)?;
                let brought = bring(&tx, &package, &rows, (now, &zone), ids)?;
                if keep {
                    tx.commit()?;
                }
                Ok(brought)
            })?;
            if let Some(records) = brought.filled.filter(|_| keep) {
                database.tell(StoreEvent::Filling(package.id().clone(), records));
            }
            Ok(brought)
        })
    }
}

/// What becomes of a row.
enum Place {
    /// Added under this id.
    Free(RecordId),
    Here,
    Trash,
}

pub(super) fn bring(
    tx: &Transaction<'_>,
    package: &Arc<Package>,
    rows: &[Row],
    (now, zone): (Timestamp, &TimeZone),
    ids: &mut dyn IdSource,
) -> Step<Brought> {
    let mut brought = Brought::default();
    let mut added: Vec<(&Row, RecordId)> = Vec::new();
    // The rows that go by another id here than in the file.
    let mut renamed: HashMap<(&Kind, &str), RecordId> = HashMap::new();
    for row in rows {
        let Some(id) = &row.put.id else {
            continue;
        };
        let mut place = place(tx, package, row, id, (now, zone))?;
        if place.is_none()
            && let Some(other) = derived_id(package.id(), &row.kind, id.as_str())
        {
            place = self::place(tx, package, row, &other, (now, zone))?;
            renamed.insert((&row.kind, id.as_str()), other);
        }
        match place {
            Some(Place::Free(id)) => added.push((row, id)),
            Some(Place::Here) => brought.here += 1,
            Some(Place::Trash) => brought.trash += 1,
            None => {
                let why = format!("{}/id: {id} is the id of another record here", row.pointer);
                return Err(Stop::Refused(why));
            }
        }
    }
    let strangers =
        |row: &&(&Row, RecordId)| row.0.put.author.as_deref().is_some_and(|a| a != LOCAL);
    brought.others = added.iter().filter(strangers).count();
    brought.added = added.len();
    if added.is_empty() {
        return Ok(brought);
    }
    let mut writes = Vec::with_capacity(added.len());
    for (row, id) in &added {
        let mut put = row.put.clone();
        put.id = Some(id.clone());
        put.author = None;
        turn(package, &row.kind, &mut put.data, &renamed);
        brought.files += leave_out(tx, package, &row.kind, &mut put.data)?;
        writes.push(Write::Put {
            kind: row.kind.clone(),
            put,
        });
    }
    let batch = Batch::new(package.clone(), Via::Import, writes);
    let landed = land(tx, &batch, (now, zone), ids).map_err(|(position, stop)| {
        match (position.and_then(|at| added.get(at)), stop) {
            (Some((row, _)), Stop::Refused(why)) => {
                Stop::Refused(format!("{}: {why}", row.pointer))
            }
            (_, stop) => stop,
        }
    })?;
    brought.action = landed.receipt.action;
    brought.filled = landed.filled;
    Ok(brought)
}

/// Take the files off `data` that the app has none of here, and count them. Where a field must have one, the kind says so next.
fn leave_out(
    tx: &Transaction<'_>,
    package: &Package,
    kind: &Kind,
    data: &mut Value,
) -> rusqlite::Result<usize> {
    let (Some(definition), Some(fields)) = (package.kind(kind.as_str()), data.as_object_mut())
    else {
        return Ok(0);
    };
    let mut gone: BTreeSet<(String, String)> = BTreeSet::new();
    let mut count = 0;
    for (field, _, address) in attachments::in_record(&definition["schema"], fields) {
        // What is no address at all is the kind's to speak of.
        let Some(file) = attachments::file_at(address) else {
            continue;
        };
        if blobs::find(tx, package.id(), &file)?.is_none() {
            count += 1;
            gone.insert((field.to_owned(), address.to_owned()));
        }
    }
    for (field, address) in &gone {
        match fields.get_mut(field) {
            Some(Value::Array(items)) => items.retain(|item| item != address.as_str()),
            _ => drop(fields.shift_remove(field)),
        }
    }
    Ok(count)
}

/// What becomes of `row` under this id; `None` where a record of another kind has it.
fn place(
    connection: &Connection,
    package: &Package,
    row: &Row,
    id: &RecordId,
    (now, zone): (Timestamp, &TimeZone),
) -> rusqlite::Result<Option<Place>> {
    let Some(there) = one(connection, package.id(), id)? else {
        return Ok(Some(Place::Free(id.clone())));
    };
    let deleted = there.record.deleted_at.is_some();
    // One that an older version wrote may have had another kind then.
    let there = moved(package, &there, now, zone).unwrap_or(there);
    Ok((there.record.kind == row.kind).then_some(match deleted {
        true => Place::Trash,
        false => Place::Here,
    }))
}

/// Turn what `data` refers to, where that goes by another id here.
fn turn(
    package: &Package,
    kind: &Kind,
    data: &mut Value,
    renamed: &HashMap<(&Kind, &str), RecordId>,
) {
    let (Some(definition), Some(fields)) = (package.kind(kind.as_str()), data.as_object_mut())
    else {
        return;
    };
    for (field, value) in fields {
        let Some(RefTarget::Kind(target)) = ref_target(definition, field) else {
            continue;
        };
        let to = Kind::parse(&target).ok();
        let to = to.and_then(|target| renamed.get(&(&target, value.as_str()?)).cloned());
        if let Some(id) = to {
            *value = id.as_str().into();
        }
    }
}
