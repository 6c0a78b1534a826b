//! What of the table survives a restart: instances and focus. Calls do not.

use std::collections::BTreeSet;

use serde::{Deserialize, Serialize};
use serde_json::Value;

use super::focus::FocusStack;
use super::id::InstanceId;
use super::record::Instance;
use super::state::State;
use super::table::Instances;

/// The only version there is.
pub const VERSION: u32 = 1;

/// Instances and focus at one moment. What is read is looked at record by record, in [`Snapshot::restore`].
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Snapshot {
    version: u32,
    instances: Vec<Value>,
    stack: Vec<Value>,
}

/// Why nothing can be restored.
#[derive(Debug, thiserror::Error)]
pub enum SnapshotError {
    #[error("it is of version {0}, which this desktop does not know")]
    Version(u32),
}

impl Instances {
    /// What is to survive.
    pub fn snapshot(&self) -> Snapshot {
        let value = |i: &Instance| serde_json::to_value(i).unwrap_or_default();
        let stack = self.focus.all();
        Snapshot {
            version: VERSION,
            instances: self.records.iter().map(value).collect(),
            stack: stack.iter().map(|id| id.as_str().into()).collect(),
        }
    }
}

impl Snapshot {
    /// The table as it was: what was caught starting or stopping is suspended, what makes no sense is left out, the focus holds what is
    /// there.
    pub fn restore(self) -> Result<Instances, SnapshotError> {
        if self.version != VERSION {
            return Err(SnapshotError::Version(self.version));
        }
        let mut table = Instances::default();
        for value in self.instances {
            let Ok(mut instance) = serde_json::from_value::<Instance>(value) else {
                continue;
            };
            if matches!(instance.state, State::Starting | State::Stopping) {
                instance.state = State::Suspended;
            }
            let context = instance.context();
            let active = table.active(&instance.app_scope, context.as_ref());
            let second = instance.is_living() && active.is_some();
            let known = table.get(&instance.instance_id).is_some();
            let session = instance.app_session_id.as_ref();
            let known_session = session.is_some_and(|s| table.session(s).is_some());
            if instance.is_sound() && !second && !known && !known_session {
                table.records.push(instance);
            }
        }
        let mut seen = BTreeSet::new();
        // Of one that is there twice the newer place counts.
        let newest = self.stack.into_iter().rev();
        let ids = newest.filter_map(|id| serde_json::from_value::<InstanceId>(id).ok());
        let living = ids.filter(|id| table.get(id).is_some_and(Instance::is_living));
        let kept: Vec<InstanceId> = living.filter(|id| seen.insert(id.clone())).collect();
        let mut focus = FocusStack::default();
        kept.into_iter().rev().for_each(|id| focus.push(id));
        table.focus = focus;
        let top = table.focus.top().cloned();
        for instance in &mut table.records {
            // There is one at most, and it is the newest of the focus.
            if instance.state == State::Foreground && Some(&instance.instance_id) != top.as_ref() {
                instance.state = State::Background;
            }
        }
        table.forget_oldest();
        Ok(table)
    }
}
