//! How somebody sees the records of a kind: which ones, by its policy, and with what is worked out on reading (computed fields, the
//! states a record may move to). Pure.

use eui_core::cel::ExpressionEnv;
use eui_core::host::RecordRow;
use jiff::Zoned;
use serde_json::{Map, Value};

use super::model::actor;
use super::query::{Read, RecordsRequest, Viewer};
use crate::clock::offset_in;
use crate::package::expression::Lasts;
use crate::package::kinds::{RowKeys, TRANSITIONS, computed_of, has_transitions, with_computed};
use crate::package::rules::{Policy, next_states};

/// What one viewer sees of a kind.
#[derive(Debug, Clone)]
pub(super) struct Sight {
    definition: Value,
    policy: Policy,
    me: String,
    now: Zoned,
    computes: bool,
    /// How long what is computed stays the same.
    lasts: Lasts,
    moves: bool,
}

impl RecordsRequest {
    /// How `viewer` sees what `read` reads; `None`: as it is stored.
    pub(super) fn sight(&self, read: &Read, viewer: &Viewer) -> Option<Sight> {
        let definition = &read.definition;
        let computes = self.own && computed_of(definition).next().is_some();
        let moves = self.own && has_transitions(definition);
        (!actor(&viewer.me).owner || computes || moves).then(|| Sight {
            definition: definition.clone(),
            policy: Policy::of(definition, self.format),
            me: viewer.me.clone(),
            now: viewer.now.clone(),
            computes,
            lasts: read.lasts,
            moves,
        })
    }
}

impl Sight {
    /// Would `other` show the same of the same rows?
    pub fn shows_as(&self, other: &Sight) -> bool {
        let same_moment = self.now.time_zone() == other.now.time_zone()
            && match self.lasts {
                Lasts::Moment => self.now == other.now,
                Lasts::Day => self.now.date() == other.now.date(),
                Lasts::Always => true,
            };
        (!self.computes || same_moment)
            && (self.computes, self.moves, self.policy)
                == (other.computes, other.moves, other.policy)
            && self.me == other.me
            && self.definition == other.definition
    }

    /// `row` as it is seen; `None` where it is not.
    pub fn see(&self, mut row: RecordRow) -> Option<RecordRow> {
        let actor = actor(&self.me);
        let author = row.as_ref().author().unwrap_or_default().to_owned();
        if !self.policy.read.allows(actor, &author) {
            return None;
        }
        let stored: Map<String, Value> = match row.data.take() {
            Value::Object(stored) => stored,
            _ => Map::new(),
        };
        let states = self
            .moves
            .then(|| next_states(&self.definition, &stored, &author, actor).into());
        let mut data = if self.computes {
            let offset = offset_in(self.now.time_zone().clone());
            let env = ExpressionEnv {
                now: Some(self.now.timestamp().as_millisecond() as f64),
                offset: Some(&offset),
                max_steps: None,
            };
            let keys = RowKeys::of(&row, &author);
            with_computed(&self.definition, &stored, keys, &env)
        } else {
            stored
        };
        if let Some(states) = states {
            data.insert(TRANSITIONS.into(), states);
        }
        row.data = Value::Object(data);
        Some(row)
    }
}
