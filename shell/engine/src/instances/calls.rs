//! The calls of instances that run. What has been handed over (its answer is there and being taken in) flows on whatever becomes of the
//! instance; what has not ends with it, once.

use std::collections::BTreeMap;

use super::id::InstanceId;

/// A call, by a number of whoever runs it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct CallNumber(pub u64);

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Progress {
    Running,
    Submitted,
}

#[derive(Debug, Clone, Default)]
pub(super) struct RunningCalls(BTreeMap<CallNumber, (InstanceId, Progress)>);

impl RunningCalls {
    pub fn began(&mut self, call: CallNumber, of: &InstanceId) {
        self.0.insert(call, (of.clone(), Progress::Running));
    }

    pub fn submitted(&mut self, call: CallNumber) {
        if let Some((_, progress)) = self.0.get_mut(&call) {
            *progress = Progress::Submitted;
        }
    }

    pub fn ended(&mut self, call: CallNumber) {
        self.0.remove(&call);
    }

    /// The instance ended: those of its calls that are to be cancelled, which are known no more.
    pub fn cancel(&mut self, of: &InstanceId) -> Vec<CallNumber> {
        let runs =
            |(id, progress): &(InstanceId, Progress)| id == of && *progress == Progress::Running;
        let gone: Vec<CallNumber> = (self.0.iter())
            .filter(|(_, call)| runs(call))
            .map(|(number, _)| *number)
            .collect();
        self.0.retain(|_, call| !runs(call));
        gone
    }
}
