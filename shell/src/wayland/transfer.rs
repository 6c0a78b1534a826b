//! Bytes through pipes: what the clipboard and drags carry, read and written a piece at a time by the loop.
//!
//! The other end may be slow, silent, endless, or this very process, so nothing here waits: every transfer has a size
//! limit and a deadline.

use super::notice::Notice;
use super::platform::Platform;
use super::runtime::Runtime;
use calloop::timer::{TimeoutAction, Timer};
use calloop::{PostAction, RegistrationToken};
use rustix::fs::{OFlags, fcntl_getfl, fcntl_setfl};
use smithay_client_toolkit::data_device_manager::{ReadPipe, WritePipe};
use std::collections::BTreeMap;
use std::io::{ErrorKind, Read, Write};
use std::sync::Arc;
use std::time::Duration;

/// More than this is not taken.
const MAX_BYTES: usize = 32 * 1024 * 1024;
/// How long the other side may take.
const DEADLINE: Duration = Duration::from_secs(20);
const PIECE: usize = 64 * 1024;

/// One read in progress.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct TransferId(u64);

/// Why nothing arrived.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum TransferError {
    #[error("the other program sent more than 32 MB")]
    TooLarge,
    #[error("the other program took too long")]
    TimedOut,
    #[error("the other program broke off")]
    Broken,
}

/// The two sources of the loop that belong to one transfer.
struct Sources {
    pipe: RegistrationToken,
    deadline: Option<RegistrationToken>,
}

#[derive(Default)]
pub(super) struct Transfers {
    next: u64,
    running: BTreeMap<u64, Sources>,
}

impl Platform {
    /// Read a pipe to its end; the client's `transferred` gets the result.
    pub(super) fn read_pipe(&mut self, pipe: ReadPipe) -> TransferId {
        let id = self.next_transfer();
        let mut bytes = Vec::new();
        let source = self
            .handle
            .insert_source(pipe, move |(), file, runtime: &mut Runtime| {
                let mut piece = [0; PIECE];
                let mut file: &std::fs::File = file;
                let result = match file.read(&mut piece) {
                    Ok(0) => Ok(std::mem::take(&mut bytes)),
                    Ok(n) if bytes.len() + n > MAX_BYTES => Err(TransferError::TooLarge),
                    Ok(n) => {
                        bytes.extend_from_slice(&piece[..n]);
                        return PostAction::Continue;
                    }
                    Err(error)
                        if matches!(
                            error.kind(),
                            ErrorKind::WouldBlock | ErrorKind::Interrupted
                        ) =>
                    {
                        return PostAction::Continue;
                    }
                    Err(_) => Err(TransferError::Broken),
                };
                runtime.platform.transfer_done(id, result);
                PostAction::Remove
            });
        match source {
            Ok(pipe) => self.watch(id, pipe, true),
            Err(_) => self
                .notices
                .push(Notice::Transferred(id, Err(TransferError::Broken))),
        }
        id
    }

    /// Write bytes to whoever asked for them, then close. Nobody is told how it went.
    pub(super) fn write_pipe(&mut self, pipe: WritePipe, bytes: Arc<[u8]>) {
        let nonblocking =
            fcntl_getfl(&pipe).and_then(|flags| fcntl_setfl(&pipe, flags | OFlags::NONBLOCK));
        if nonblocking.is_err() {
            return;
        }
        let id = self.next_transfer();
        let mut written = 0;
        let source = self
            .handle
            .insert_source(pipe, move |(), file, runtime: &mut Runtime| {
                let mut file: &std::fs::File = file;
                let rest = &bytes[written..];
                match file.write(&rest[..rest.len().min(PIECE)]) {
                    Ok(n) if n > 0 => {
                        written += n;
                        if written < bytes.len() {
                            return PostAction::Continue;
                        }
                    }
                    Err(error)
                        if matches!(
                            error.kind(),
                            ErrorKind::WouldBlock | ErrorKind::Interrupted
                        ) =>
                    {
                        return PostAction::Continue;
                    }
                    _ => {}
                }
                runtime.platform.stop_watching(id);
                PostAction::Remove
            });
        if let Ok(pipe) = source {
            self.watch(id, pipe, false);
        }
    }

    fn next_transfer(&mut self) -> TransferId {
        self.transfers.next += 1;
        TransferId(self.transfers.next)
    }

    /// Remember a transfer and end it at its deadline.
    fn watch(&mut self, id: TransferId, pipe: RegistrationToken, tell: bool) {
        let deadline = self.handle.insert_source(
            Timer::from_duration(DEADLINE),
            move |_, (), runtime: &mut Runtime| {
                let platform = &mut runtime.platform;
                if let Some(sources) = platform.transfers.running.remove(&id.0) {
                    platform.handle.remove(sources.pipe);
                    if tell {
                        platform.finish_drop(id, false);
                        platform
                            .notices
                            .push(Notice::Transferred(id, Err(TransferError::TimedOut)));
                    }
                }
                TimeoutAction::Drop
            },
        );
        self.transfers.running.insert(
            id.0,
            Sources {
                pipe,
                deadline: deadline.ok(),
            },
        );
    }

    fn stop_watching(&mut self, id: TransferId) {
        if let Some(deadline) = self
            .transfers
            .running
            .remove(&id.0)
            .and_then(|sources| sources.deadline)
        {
            self.handle.remove(deadline);
        }
    }

    fn transfer_done(&mut self, id: TransferId, result: Result<Vec<u8>, TransferError>) {
        self.stop_watching(id);
        self.finish_drop(id, result.is_ok());
        self.notices.push(Notice::Transferred(id, result));
    }
}
