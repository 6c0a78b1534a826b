//! The nouns of the store: a record and its names, a batch of writes, the receipt it answers, a change, an entry of history.

use std::fmt;
use std::sync::Arc;

use jiff::Timestamp;
use serde_json::{Map, Value};

use crate::app_id::AppId;
use crate::clock::{iso, parse_instant};
use crate::package::Package;
use crate::package::rules::Actor;

/// The member everything on this machine is written by: the person. Packages may be tried as somebody else (`--as`).
pub const LOCAL: &str = "local";

/// The largest a record's data may be, as JSON text.
pub const RECORD_MAX_BYTES: usize = 16 * 1024;

/// A text that is not the name it should be.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("{0}")]
pub struct InvalidName(String);

macro_rules! name {
    ($(#[$doc:meta])* $type:ident) => {
        $(#[$doc])*
        #[derive(Debug, Clone, PartialEq, Eq, Hash, PartialOrd, Ord)]
        pub struct $type(Arc<str>);

        impl $type {
            /// The name as text.
            pub fn as_str(&self) -> &str {
                &self.0
            }
        }

        impl fmt::Display for $type {
            fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str(&self.0)
            }
        }
    };
}

name! {
    /// A record's id, unique within its app: 1 to 128 bytes, no control characters.
    RecordId
}
name! {
    /// A kind of record a package declares: a lowercase letter, then lowercase letters, digits and underscores, 32 at most.
    Kind
}

impl RecordId {
    /// The id that `text` spells.
    pub fn parse(text: &str) -> Result<RecordId, InvalidName> {
        if text.is_empty() || text.len() > 128 || text.chars().any(char::is_control) {
            return Err(InvalidName(
                "a record's id is 1 to 128 bytes without control characters".into(),
            ));
        }
        Ok(RecordId(text.into()))
    }
}

impl Kind {
    /// The kind that `text` names.
    pub fn parse(text: &str) -> Result<Kind, InvalidName> {
        if !eui_core::host::is_record_kind(text) {
            return Err(InvalidName(format!(
                "{text:?} is no kind: a kind is a lowercase letter, then lowercase letters, digits and underscores"
            )));
        }
        Ok(Kind(text.into()))
    }
}

/// The number of an action: one batch of writes, in the order the batches were committed.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct ActionId(pub i64);

/// One record as it is stored.
#[derive(Debug, Clone, PartialEq)]
pub struct Record {
    pub id: RecordId,
    pub kind: Kind,
    /// What the package's schema describes.
    pub data: Map<String, Value>,
    /// Whose record it is.
    pub author: String,
    /// Who wrote it first; never changes.
    pub created_by: String,
    pub created_at: Timestamp,
    pub updated_at: Timestamp,
    /// Set while the record is in the trash.
    pub deleted_at: Option<Timestamp>,
    /// 1 when created, one more with every write.
    pub revision: i64,
}

impl Record {
    /// The record as `records export` writes and `records put` takes it.
    pub fn to_put_json(&self) -> Value {
        serde_json::json!({
            "id": self.id.as_str(), "data": self.data, "author": self.author,
            "createdAt": iso(self.created_at), "updatedAt": iso(self.updated_at),
        })
    }

    /// The whole record, as `records list --json` shows it.
    pub fn to_json(&self) -> Value {
        let mut json = serde_json::json!({
            "id": self.id.as_str(), "kind": self.kind.as_str(), "data": self.data, "author": self.author, "createdBy": self.created_by,
            "createdAt": iso(self.created_at), "updatedAt": iso(self.updated_at), "revision": self.revision,
        });
        if let (Some(at), Some(object)) = (self.deleted_at, json.as_object_mut()) {
            object.insert("deletedAt".into(), iso(at).into());
        }
        json
    }
}

/// A record put as it is: created, or replaced whole where the id exists (out of the trash too).
#[derive(Debug, Clone, PartialEq)]
pub struct Put {
    /// Without one, a new id.
    pub id: Option<RecordId>,
    pub data: Value,
    /// Without one: the record's own, else who writes.
    pub author: Option<String>,
    /// Without one: the record's own, else now.
    pub created_at: Option<Timestamp>,
    /// Without one: now.
    pub updated_at: Option<Timestamp>,
}

impl Put {
    /// The put that `json` (`{id?, data, author?, createdAt?, updatedAt?}`) asks for; else what is wrong with it, with the key.
    pub fn from_json(json: &Value) -> Result<Put, String> {
        const KEYS: [&str; 5] = ["id", "data", "author", "createdAt", "updatedAt"];
        let object = json
            .as_object()
            .ok_or("a record is an object {id?, data, author?, createdAt?, updatedAt?}")?;
        if let Some(key) = object.keys().find(|key| !KEYS.contains(&key.as_str())) {
            return Err(format!(
                "/{key} is no key of a record: the keys are {}",
                KEYS.join(", ")
            ));
        }
        let text = |key: &str| match object.get(key) {
            None | Some(Value::Null) => Ok(None),
            Some(Value::String(text)) if !text.is_empty() => Ok(Some(text.as_str())),
            Some(_) => Err(format!("/{key} is a string that is not empty")),
        };
        let instant = |key: &str| match text(key)? {
            None => Ok(None),
            Some(text) => parse_instant(text)
                .map(Some)
                .ok_or_else(|| format!("/{key} is a time like 2026-10-01T09:30:00Z")),
        };
        let data = object
            .get("data")
            .ok_or("/data is missing: the record's fields go there")?;
        if !data.is_object() {
            return Err("/data is an object".into());
        }
        Ok(Put {
            id: text("id")?
                .map(RecordId::parse)
                .transpose()
                .map_err(|e| format!("/id: {e}"))?,
            data: data.clone(),
            author: text("author")?.map(str::to_owned),
            created_at: instant("createdAt")?,
            updated_at: instant("updatedAt")?,
        })
    }
}

/// One write of a batch.
#[derive(Debug, Clone, PartialEq)]
pub enum Write {
    /// Without an id a new record; with one a shallow patch of that record: what a package's actions and functions do.
    Upsert {
        kind: Kind,
        id: Option<RecordId>,
        data: Value,
    },
    /// Into the trash. With a kind, only a record of that kind.
    Delete { id: RecordId, kind: Option<Kind> },
    /// A whole record, from outside the app.
    Put { kind: Kind, put: Put },
}

impl Write {
    /// The write that a plan of eui-core or a call of `records.batch` spells: `{op: "upsert", kind, data, id?}` or
    /// `{op: "delete", id}`.
    pub fn from_json(json: &Value) -> Result<Write, String> {
        let text = |key: &str| {
            json.get(key)
                .filter(|v| !v.is_null())
                .map(|v| v.as_str().ok_or_else(|| format!("{key} is a string")))
        };
        let id = text("id")
            .transpose()?
            .map(RecordId::parse)
            .transpose()
            .map_err(|e| e.to_string())?;
        let kind = text("kind")
            .transpose()?
            .map(Kind::parse)
            .transpose()
            .map_err(|e| e.to_string())?;
        match (text("op").transpose()?, kind, id) {
            (Some("upsert"), Some(kind), id) => {
                let data = json
                    .get("data")
                    .filter(|data| data.is_object())
                    .ok_or("data is an object of fields")?;
                Ok(Write::Upsert {
                    kind,
                    id,
                    data: data.clone(),
                })
            }
            (Some("delete"), kind, Some(id)) => Ok(Write::Delete { id, kind }),
            (Some("upsert"), None, _) => Err("an upsert names its kind".into()),
            (Some("delete"), _, None) => Err("a delete names the record's id".into()),
            _ => Err("a write is {op: \"upsert\", kind, data, id?} or {op: \"delete\", id}".into()),
        }
    }
}

/// By which way a batch came.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Via {
    /// A press in the app: one of its actions or a `records.*` function.
    App,
    /// The command line.
    Cli,
    /// A file of many records.
    Import,
    /// An earlier action taken back.
    Undo,
    /// One of the app's automations: none follows on it.
    Automation,
    /// An agent, by a tool that the app offers.
    Agent,
    /// A new version of the app, whose records have another shape.
    Migration,
}

impl Via {
    /// The word history keeps.
    pub fn as_str(self) -> &'static str {
        match self {
            Via::App => "app",
            Via::Cli => "cli",
            Via::Import => "import",
            Via::Undo => "undo",
            Via::Automation => "automation",
            Via::Agent => "agent",
            Via::Migration => "migration",
        }
    }
}

/// The writes of one action: they land together or not at all.
#[derive(Debug, Clone)]
pub struct Batch {
    pub app: AppId,
    /// The app's package: its kinds, their schemas and rules. Without one (an app that was removed) records can be deleted only.
    pub package: Option<Arc<Package>>,
    /// Who writes ([`LOCAL`], who owns every app here, unless tried as somebody else).
    pub actor: String,
    pub via: Via,
    /// The package action's name, when it was one.
    pub action: Option<String>,
    /// A key that makes a repeated batch harmless: the same app and key answer the first receipt and write nothing.
    pub key: Option<String>,
    pub writes: Vec<Write>,
}

impl Batch {
    /// `writes` to the app of `package`, by the person, with no name and no key.
    pub fn new(package: Arc<Package>, via: Via, writes: Vec<Write>) -> Batch {
        Batch {
            app: package.id().clone(),
            package: Some(package),
            actor: LOCAL.into(),
            via,
            action: None,
            key: None,
            writes,
        }
    }

    /// The actor, as the package's rules see them.
    pub(super) fn actor(&self) -> Actor<'_> {
        actor(&self.actor)
    }
}

/// A member as a package's rules see them: the person at this machine owns its apps, anybody else is a member.
pub(super) fn actor(member: &str) -> Actor<'_> {
    Actor {
        member,
        owner: member == LOCAL,
    }
}

/// What a committed batch answers.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Receipt {
    /// `None`: the batch held no write, so there was nothing to commit.
    pub action: Option<ActionId>,
    /// The record of each write, in order.
    pub ids: Vec<RecordId>,
}

/// Records of this kind of this app have changed.
#[derive(Debug, Clone, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Change {
    pub app: AppId,
    pub kind: Kind,
}

/// What one write did to a record.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Operation {
    Create,
    Update,
    Delete,
    Restore,
}

impl Operation {
    /// The word history keeps.
    pub fn as_str(self) -> &'static str {
        match self {
            Operation::Create => "create",
            Operation::Update => "update",
            Operation::Delete => "delete",
            Operation::Restore => "restore",
        }
    }

    pub(crate) fn parse(word: &str) -> Option<Operation> {
        [
            Operation::Create,
            Operation::Update,
            Operation::Delete,
            Operation::Restore,
        ]
        .into_iter()
        .find(|op| op.as_str() == word)
    }
}

/// One write as history keeps it.
#[derive(Debug, Clone, PartialEq)]
pub struct HistoryEntry {
    pub action: ActionId,
    pub record: RecordId,
    pub kind: Kind,
    pub operation: Operation,
    /// Who wrote, by which way, when, and the package action's name.
    pub actor: String,
    pub via: String,
    pub at: Timestamp,
    pub name: Option<String>,
    /// The record before and after (`{data, author, createdAt, updatedAt}`); `None` where it was not there.
    pub before: Option<Value>,
    pub after: Option<Value>,
}
