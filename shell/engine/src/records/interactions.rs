//! What agents ask the person, kept beside the records so that it is shown again after a restart, and its end is told whoever asks for it.
//! Each change is one transaction over the row as it is then: the first end wins, also between processes. The agents' words and the
//! person's answers are in no log.

use jiff::Timestamp;
use rusqlite::{Connection, OptionalExtension, Row, Transaction, TransactionBehavior, params};

use super::apply::{Step, refused};
use super::id::IdSource;
use super::store::{Pending, Store};
use crate::interactions::brake::{PAUSE, may_ask};
use crate::interactions::{
    AgentId, Answer, AppSessionId, Call, CallId, Caller, ConversationId, Event, Interaction,
    NotAsked, Refused, State, Wanted,
};

/// How many of one agent's wait for the person at most, and how many of all.
pub const MOST_WAITING_OF_ONE: usize = 8;
pub const MOST_WAITING: usize = 32;

/// How many that have come to their end are kept at most, and for how many days.
const MOST_ENDED: usize = 256;
const ENDED_DAYS: i64 = 7;

const LIVE: &str = "state IN ('pending', 'presented')";

/// What came of a change.
#[derive(Debug, Clone, PartialEq)]
pub struct Settled {
    /// As it is now.
    pub interaction: Interaction,
    pub outcome: Result<(), Refused>,
}

impl Store {
    /// Keep something to ask the person, where its agent may ask now.
    pub fn ask_person(&self, wanted: Wanted) -> Pending<Result<Interaction, NotAsked>> {
        self.ask(move |database| {
            database.write(|connection, now, ids| put(connection, wanted.clone(), now, ids))
        })
    }

    /// One of this caller's; `None` when it has none of this id.
    pub fn interaction(&self, caller: Caller, id: CallId) -> Pending<Option<Interaction>> {
        self.ask(move |database| {
            if !database.exists() {
                return Ok(None);
            }
            let found = database.read(|connection| find(connection, &id))?;
            Ok(found.filter(|found| found.caller == caller))
        })
    }

    /// The person, or the time, settles one; `None` when there is none of this id.
    pub fn settle(&self, id: CallId, event: Event) -> Pending<Option<Settled>> {
        self.ask(move |database| {
            database.write(|connection, now, _| change(connection, None, &id, &event, now))
        })
    }

    /// A caller takes back what it has asked; `None` when it has none of this id. Once it is taken back, or the person has left it, this
    /// changes nothing.
    pub fn dismiss(&self, caller: Caller, id: CallId) -> Pending<Option<Settled>> {
        self.ask(move |database| {
            if !database.exists() {
                return Ok(None);
            }
            database.write(|connection, now, _| {
                change(connection, Some(&caller), &id, &Event::Cancel, now)
            })
        })
    }

    /// What waits for the person, the oldest first. Those whose time has come expire by this.
    pub fn waiting_interactions(&self) -> Pending<Vec<Interaction>> {
        self.ask(move |database| {
            if !database.exists() {
                return Ok(Vec::new());
            }
            let now = database.now().as_millisecond();
            let over =
                format!("SELECT count(*) FROM interactions WHERE {LIVE} AND expires_at <= ?1");
            let over: usize = database.read(|c| c.query_row(&over, [now], |row| row.get(0)))?;
            if over > 0 {
                database
                    .write(|connection, now, _| Ok(expire(connection, now.as_millisecond())?))?;
            }
            database.read(waiting)
        })
    }
}

/// Remove what came to its end long ago.
pub(super) fn sweep(tx: &Transaction<'_>, now: i64) -> rusqlite::Result<()> {
    const DAY: i64 = 24 * 60 * 60 * 1000;
    expire(tx, now)?;
    fail_senseless(tx, now)?;
    let old = format!("DELETE FROM interactions WHERE NOT {LIVE} AND updated_at < ?1");
    tx.execute(&old, [now - ENDED_DAYS * DAY])?;
    Ok(())
}

/// Those that wait and cannot be read (any more) would be neither shown nor over, and take the room of others for ever.
fn fail_senseless(tx: &Transaction<'_>, now: i64) -> rusqlite::Result<()> {
    let live = format!("SELECT {COLUMNS} FROM interactions WHERE {LIVE}");
    let mut live = tx.prepare(&live)?;
    let mut rows = live.query([])?;
    let mut senseless: Vec<String> = Vec::new();
    while let Some(row) = rows.next()? {
        if read(row)?.is_none() {
            senseless.push(row.get(0)?);
        }
    }
    for id in senseless {
        let failed = "UPDATE interactions SET state = 'failed', updated_at = ?2 WHERE id = ?1";
        tx.execute(failed, params![id, now])?;
    }
    Ok(())
}

fn expire(connection: &Connection, now: i64) -> rusqlite::Result<()> {
    let over = format!(
        "UPDATE interactions SET state = 'expired', updated_at = ?1 WHERE {LIVE} AND expires_at <= ?1"
    );
    connection.execute(&over, [now]).map(|_| ())
}

fn put(
    connection: &mut Connection,
    wanted: Wanted,
    now: Timestamp,
    ids: &mut dyn IdSource,
) -> Step<Result<Interaction, NotAsked>> {
    let tx = connection.transaction_with_behavior(TransactionBehavior::Immediate)?;
    expire(&tx, now.as_millisecond())?;
    let count = |of: &str, agent: &str| -> rusqlite::Result<usize> {
        let waiting = format!("SELECT count(*) FROM interactions WHERE {LIVE} AND {of}");
        tx.query_row(&waiting, [agent], |row| row.get(0))
    };
    let agent = wanted.caller().agent.clone();
    if count("agent = ?1", agent.as_str())? >= MOST_WAITING_OF_ONE
        || count("?1 <> ''", agent.as_str())? >= MOST_WAITING
    {
        return Ok(Err(NotAsked::TooMany));
    }
    if let Err(not) = brake(&tx, &agent, now)? {
        return Ok(Err(not));
    }
    let id = match ids.next(now) {
        Ok(id) => CallId::parse(&id.to_string()).ok(),
        Err(error) => return refused(format!("no id could be made: {error}")),
    };
    let Some(id) = id else {
        return refused("the id made is none of a call");
    };
    let asked = Interaction::new(id, wanted, kept(now.as_millisecond()));
    tx.execute(
        "INSERT INTO interactions (id, agent, conversation, session, kind, request, state, answer, created_at, updated_at, expires_at)
         VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, NULL, ?8, ?8, ?9)",
        params![
            asked.id.as_str(),
            asked.caller.agent.as_str(),
            asked.caller.conversation.as_str(),
            asked.session.as_ref().map(AppSessionId::as_str),
            asked.request.kind().as_str(),
            asked.request.to_json().to_string(),
            asked.state.as_str(),
            asked.created_at.as_millisecond(),
            asked.expires_at.map(Timestamp::as_millisecond),
        ],
    )?;
    let older = format!(
        "DELETE FROM interactions WHERE NOT {LIVE} AND id NOT IN
         (SELECT id FROM interactions WHERE NOT {LIVE} ORDER BY updated_at DESC, id DESC LIMIT {MOST_ENDED})"
    );
    tx.execute(&older, [])?;
    tx.commit()?;
    Ok(Ok(asked))
}

/// May this agent ask at `now`, after what it has asked and what the person has left of that?
fn brake(
    connection: &Connection,
    agent: &AgentId,
    now: Timestamp,
) -> rusqlite::Result<Result<(), NotAsked>> {
    let left = "SELECT max(left_at) FROM interactions WHERE agent = ?1";
    let left: Option<i64> = connection.query_row(left, [agent.as_str()], |row| row.get(0))?;
    let again = left.map(|at| kept(at).min(now).saturating_add(PAUSE).unwrap_or(now));
    if let Some(again) = again.filter(|again| *again > now) {
        return Ok(Err(NotAsked::PersonLeft(again)));
    }
    let before = "SELECT created_at FROM interactions WHERE agent = ?1 ORDER BY created_at";
    let mut before = connection.prepare_cached(before)?;
    let before = before.query_map([agent.as_str()], |row| Ok(kept(row.get(0)?)))?;
    Ok(may_ask(before.collect::<Result<Vec<_>, _>>()?, now))
}

fn change(
    connection: &mut Connection,
    caller: Option<&Caller>,
    id: &CallId,
    event: &Event,
    now: Timestamp,
) -> Step<Option<Settled>> {
    let tx = connection.transaction_with_behavior(TransactionBehavior::Immediate)?;
    let found = find(&tx, id)?.filter(|found| caller.is_none_or(|c| *c == found.caller));
    let Some(mut interaction) = found else {
        return Ok(None);
    };
    let before = interaction.clone();
    let again = caller.is_some() && interaction.state == State::Cancelled;
    let outcome = match again {
        true => Ok(()),
        false => interaction.apply(event, kept(now.as_millisecond())),
    };
    if interaction != before {
        let answer = interaction.answer.as_ref().map(Answer::to_json);
        tx.execute(
            "UPDATE interactions SET state = ?2, answer = ?3, updated_at = ?4, left_at = ?5 WHERE id = ?1",
            params![
                id.as_str(),
                interaction.state.as_str(),
                answer.map(|answer| answer.to_string()),
                interaction.updated_at.as_millisecond(),
                // What an agent takes back nobody has left.
                (caller.is_none() && interaction.state == State::Cancelled)
                    .then(|| now.as_millisecond()),
            ],
        )?;
        tx.commit()?;
    }
    Ok(Some(Settled {
        interaction,
        outcome,
    }))
}

const COLUMNS: &str = "id, agent, conversation, session, kind, request, state, answer, created_at, updated_at, expires_at";

fn find(connection: &Connection, id: &CallId) -> rusqlite::Result<Option<Interaction>> {
    let found = format!("SELECT {COLUMNS} FROM interactions WHERE id = ?1");
    let found = connection
        .prepare_cached(&found)?
        .query_row([id.as_str()], read)
        .optional()?;
    Ok(found.flatten())
}

fn waiting(connection: &Connection) -> rusqlite::Result<Vec<Interaction>> {
    let all = format!("SELECT {COLUMNS} FROM interactions WHERE {LIVE} ORDER BY created_at, id");
    let mut statement = connection.prepare_cached(&all)?;
    let all = statement.query_map([], read)?;
    Ok(all
        .collect::<rusqlite::Result<Vec<_>>>()?
        .into_iter()
        .flatten()
        .collect())
}

/// The instant of a column.
fn kept(milliseconds: i64) -> Timestamp {
    Timestamp::from_millisecond(milliseconds).unwrap_or(Timestamp::UNIX_EPOCH)
}

/// `None` for a row that makes no sense (any more): it is nobody's.
fn read(row: &Row<'_>) -> rusqlite::Result<Option<Interaction>> {
    let text = |n: usize| row.get::<_, String>(n);
    let (id, agent, conversation) = (text(0)?, text(1)?, text(2)?);
    let session: Option<String> = row.get(3)?;
    let (kind, request, state) = (text(4)?, text(5)?, text(6)?);
    let answer: Option<String> = row.get(7)?;
    let (created_at, updated_at) = (kept(row.get(8)?), kept(row.get(9)?));
    let expires_at = row.get::<_, Option<i64>>(10)?.map(kept);
    let whole = || {
        let request = Call::kept(&kind, &request)?;
        let answer = match answer {
            Some(answer) => {
                let value = serde_json::from_str(&answer).ok()?;
                Some(Answer::read(&request, &value)?)
            }
            None => None,
        };
        Some(Interaction {
            id: CallId::parse(&id).ok()?,
            caller: Caller {
                agent: AgentId::parse(&agent).ok()?,
                conversation: ConversationId::parse(&conversation).ok()?,
            },
            session: match session {
                Some(session) => Some(AppSessionId::parse(&session).ok()?),
                None => None,
            },
            request,
            state: State::parse(&state)?,
            answer,
            created_at,
            updated_at,
            expires_at,
        })
    };
    Ok(whole())
}

#[cfg(test)]
mod tests;
