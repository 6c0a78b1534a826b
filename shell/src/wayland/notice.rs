//! What Wayland has said and the client has not been told yet.

use super::client::CloseReason;
use super::clipboard::Payload;
use super::event::InputEvent;
use super::spec::SurfaceId;
use super::transfer::{TransferError, TransferId};
use super::wake::Wake;
use std::collections::VecDeque;

/// One call of the client, put off until the events at hand are read.
pub(super) enum Notice {
    OutputsChanged,
    /// Carries no value: the client is told what holds when it is told.
    Configured(SurfaceId),
    Closed(SurfaceId, CloseReason),
    Presented(SurfaceId, u32),
    Input(SurfaceId, InputEvent),
    Focus(SurfaceId, bool),
    WindowsChanged,
    WorkspacesChanged,
    Transferred(TransferId, Result<Vec<u8>, TransferError>),
    DragEnded(Payload, bool),
    ActivationToken(u64, Option<String>),
    Woke(Wake),
}

/// The queue. News that replace older news of the same kind are kept once.
#[derive(Default)]
pub(super) struct Notices {
    queue: VecDeque<Notice>,
}

impl Notices {
    pub fn push(&mut self, notice: Notice) {
        let known = match &notice {
            Notice::OutputsChanged => self
                .queue
                .iter()
                .any(|n| matches!(n, Notice::OutputsChanged)),
            Notice::WindowsChanged => self
                .queue
                .iter()
                .any(|n| matches!(n, Notice::WindowsChanged)),
            Notice::WorkspacesChanged => self
                .queue
                .iter()
                .any(|n| matches!(n, Notice::WorkspacesChanged)),
            Notice::Configured(id) => self
                .queue
                .iter()
                .any(|n| matches!(n, Notice::Configured(other) if other == id)),
            _ => false,
        };
        if !known {
            self.queue.push_back(notice);
        }
    }

    pub fn pop(&mut self) -> Option<Notice> {
        self.queue.pop_front()
    }

    pub fn is_empty(&self) -> bool {
        self.queue.is_empty()
    }
}
