//! One entry of the queue: a call of an app's with all its writes, which reach the server together or not at all.

use eui_core::host::RecordRow;
use jiff::Timestamp;
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};

use crate::clock::iso;

/// The id of a call's writes: the server never writes the same one twice.
#[derive(Debug, Clone, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(transparent)]
pub struct WriteId(String);

impl WriteId {
    pub fn new(id: impl Into<String>) -> WriteId {
        WriteId(id.into())
    }

    pub fn as_str(&self) -> &str {
        &self.0
    }
}

/// The call an entry stands for.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub enum Call {
    Upsert,
    Delete,
    /// Several writes of one action.
    Batch,
}

impl Call {
    pub fn as_str(self) -> &'static str {
        match self {
            Call::Upsert => "upsert",
            Call::Delete => "delete",
            Call::Batch => "batch",
        }
    }
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub enum WriteOp {
    Create,
    Update,
    Delete,
}

/// One write. A create's id is the client's own, so that it can be referred to before the server has it.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Write {
    pub op: WriteOp,
    pub id: String,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub kind: Option<String>,
    /// The fields that are written; of an update, the others stay.
    #[serde(default, skip_serializing_if = "Map::is_empty")]
    pub data: Map<String, Value>,
}

/// How far an entry is.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(tag = "state", rename_all = "camelCase")]
pub enum State {
    Pending,
    /// The server has it; the synced rows may not show it yet.
    Acked {
        #[serde(rename = "ackedAt", with = "text")]
        at: Timestamp,
    },
}

impl State {
    pub fn as_str(self) -> &'static str {
        match self {
            State::Pending => "pending",
            State::Acked { .. } => "acked",
        }
    }
}

#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Entry {
    pub write_id: WriteId,
    pub app_id: String,
    pub call: Call,
    pub writes: Vec<Write>,
    /// When the app wrote.
    #[serde(with = "text")]
    pub at: Timestamp,
    #[serde(flatten)]
    pub state: State,
}

impl Entry {
    /// One write of something that is there, which another's delete overtakes in silence.
    pub(super) fn yields_to_a_delete(&self) -> bool {
        self.call != Call::Batch
            && matches!(self.writes.as_slice(), [one] if one.op != WriteOp::Create)
    }

    /// Do the synced rows of its app show all it wrote?
    pub(super) fn is_in(&self, rows: &[RecordRow]) -> bool {
        self.writes.iter().all(|write| {
            let row = rows.iter().find(|row| row.id == write.id);
            match (write.op, row) {
                (WriteOp::Delete, row) => row.is_none(),
                // Others may have changed it by now.
                (WriteOp::Create, row) => row.is_some(),
                (WriteOp::Update, row) => row.is_some_and(|row| {
                    (write.data.iter()).all(|(field, value)| row.data.get(field) == Some(value))
                }),
            }
        })
    }

    /// Lay what it wrote over the rows; what it made is `me`'s.
    pub(super) fn lay_over(&self, rows: &mut Vec<RecordRow>, me: &str) {
        for write in &self.writes {
            let there = rows.iter().position(|row| row.id == write.id);
            match (write.op, there) {
                (WriteOp::Delete, Some(n)) => drop(rows.remove(n)),
                (WriteOp::Create | WriteOp::Update, Some(n)) => {
                    if let Value::Object(data) = &mut rows[n].data {
                        data.extend(write.data.clone());
                    }
                    rows[n].updated_at = iso(self.at);
                }
                (WriteOp::Create, None) => rows.push(RecordRow {
                    id: write.id.clone(),
                    kind: write.kind.clone().unwrap_or_default(),
                    data: Value::Object(write.data.clone()),
                    created_by: Some(me.to_owned()),
                    author_id: Some(me.to_owned()),
                    created_at: iso(self.at),
                    updated_at: iso(self.at),
                }),
                // Somebody has deleted it: that stays so.
                (WriteOp::Update | WriteOp::Delete, None) => {}
            }
        }
    }
}

/// A moment as JSON has it.
mod text {
    use jiff::Timestamp;
    use serde::de::Error;
    use serde::{Deserialize, Deserializer, Serializer};

    use crate::clock::iso;

    pub fn serialize<S: Serializer>(at: &Timestamp, to: S) -> Result<S::Ok, S::Error> {
        to.serialize_str(&iso(*at))
    }

    pub fn deserialize<'de, D: Deserializer<'de>>(from: D) -> Result<Timestamp, D::Error> {
        String::deserialize(from)?.parse().map_err(D::Error::custom)
    }
}
