//! The index of what agents hand over ([`crate::artifacts`]): metadata, and where the bytes are among the files.

use jiff::Timestamp;
use rusqlite::{Connection, OptionalExtension, Row, Transaction, TransactionBehavior, params};

use super::apply::{Step, refused};
use super::id::IdSource;
use super::store::{Pending, Store};
use crate::artifacts::{Artifact, ArtifactId, Hash, Integrity, Offer};
use crate::bridge::files::FileId;
use crate::interactions::{AgentId, Caller, ConversationId};

/// How many of one agent's are known at most, and for how many days.
pub(crate) const MOST: usize = 256;
const DAYS: i64 = 30;

impl Store {
    /// Know of one from now on; `None` when too many of its agent's are known.
    pub(crate) fn keep_artifact(
        &self,
        caller: Caller,
        offer: Offer,
        integrity: Integrity,
        local_ref: Option<FileId>,
    ) -> Pending<Option<Artifact>> {
        self.ask(move |database| {
            database.write(|connection, now, ids| {
                let new = Artifact {
                    id: ArtifactId::new(""),
                    caller: caller.clone(),
                    offer: offer.clone(),
                    integrity,
                    created_at: now,
                    local_ref: local_ref.clone(),
                };
                keep(connection, new, now, ids)
            })
        })
    }

    /// Has this agent room for one more?
    pub(crate) fn has_room_for_artifact(&self, agent: AgentId) -> Pending<bool> {
        self.ask(move |database| match database.exists() {
            true => database.read(|connection| Ok(known(connection, &agent)? < MOST)),
            false => Ok(true),
        })
    }

    /// One of this caller's.
    pub fn artifact(&self, caller: Caller, id: ArtifactId) -> Pending<Option<Artifact>> {
        self.ask(move |database| {
            if !database.exists() {
                return Ok(None);
            }
            let found = database.read(|connection| find(connection, &id))?;
            Ok(found.filter(|found| found.caller == caller))
        })
    }
}

/// Forget those from before; their files go when they are named no longer.
pub(super) fn sweep(tx: &Transaction<'_>, now: i64) -> rusqlite::Result<()> {
    const DAY: i64 = 24 * 60 * 60 * 1000;
    let old = "DELETE FROM artifacts WHERE created_at < ?1";
    tx.execute(old, [now - DAYS * DAY]).map(|_| ())
}

fn keep(
    connection: &mut Connection,
    new: Artifact,
    now: Timestamp,
    ids: &mut dyn IdSource,
) -> Step<Option<Artifact>> {
    let tx = connection.transaction_with_behavior(TransactionBehavior::Immediate)?;
    let agent = new.caller.agent.as_str();
    if known(&tx, &new.caller.agent)? >= MOST {
        return Ok(None);
    }
    let id = match ids.next(now) {
        Ok(id) => ArtifactId::new(id.to_string()),
        Err(error) => return refused(format!("no id could be made: {error}")),
    };
    tx.execute(
        "INSERT INTO artifacts (id, agent, conversation, name, mime_type, size, sha256, integrity, created_at, local_ref)
         VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10)",
        params![
            id.as_str(),
            agent,
            new.caller.conversation.as_str(),
            new.offer.name,
            new.offer.mime_type,
            i64::try_from(new.offer.size).unwrap_or(i64::MAX),
            new.offer.hash.as_ref().map(Hash::as_str),
            new.integrity.as_str(),
            now.as_millisecond(),
            new.local_ref.as_ref().map(FileId::as_str),
        ],
    )?;
    let kept = find(&tx, &id)?;
    tx.commit()?;
    Ok(kept)
}

/// How many of an agent's are known.
fn known(connection: &Connection, agent: &AgentId) -> rusqlite::Result<usize> {
    let known = "SELECT count(*) FROM artifacts WHERE agent = ?1";
    connection.query_row(known, [agent.as_str()], |row| row.get(0))
}

fn find(connection: &Connection, id: &ArtifactId) -> rusqlite::Result<Option<Artifact>> {
    let found = "SELECT id, agent, conversation, name, mime_type, size, sha256, integrity, created_at, local_ref FROM artifacts WHERE id = ?1";
    let mut found = connection.prepare_cached(found)?;
    let found = found.query_row([id.as_str()], read).optional()?;
    Ok(found.flatten())
}

/// `None` for a row that makes no sense: it is nobody's.
fn read(row: &Row<'_>) -> rusqlite::Result<Option<Artifact>> {
    let text = |n: usize| row.get::<_, String>(n);
    let (agent, conversation) = (text(1)?, text(2)?);
    let (name, mime_type, size) = (text(3)?, text(4)?, row.get::<_, i64>(5)?);
    let (hash, integrity): (Option<String>, String) = (row.get(6)?, text(7)?);
    let local_ref: Option<String> = row.get(9)?;
    let (id, created_at): (String, i64) = (text(0)?, row.get(8)?);
    let whole = || {
        Some(Artifact {
            id: ArtifactId::new(id),
            caller: Caller {
                agent: AgentId::parse(&agent).ok()?,
                conversation: ConversationId::parse(&conversation).ok()?,
            },
            offer: Offer {
                name,
                mime_type,
                size: u64::try_from(size).ok()?,
                hash: match hash {
                    Some(hash) => Some(Hash::parse(&hash)?),
                    None => None,
                },
            },
            integrity: Integrity::parse(&integrity)?,
            created_at: Timestamp::from_millisecond(created_at).ok()?,
            local_ref: local_ref.map(FileId::new),
        })
    };
    Ok(whole())
}
