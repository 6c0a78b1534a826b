//! The focus: the living instances the person has been at, the newest last.

use super::id::InstanceId;

#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(super) struct FocusStack(Vec<InstanceId>);

impl FocusStack {
    /// The newest.
    pub fn top(&self) -> Option<&InstanceId> {
        self.0.last()
    }

    /// The oldest first.
    pub fn all(&self) -> &[InstanceId] {
        &self.0
    }

    /// The person is at this one: wherever it stood, it is the newest.
    pub fn push(&mut self, id: InstanceId) {
        self.remove(&id);
        self.0.push(id);
    }

    pub fn remove(&mut self, id: &InstanceId) {
        self.0.retain(|other| other != id);
    }
}
