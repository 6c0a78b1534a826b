//! Why the platform could not start, or had to stop.

use wayland_client::ConnectError;
use wayland_client::backend::WaylandError;
use wayland_client::backend::protocol::ProtocolError;

/// One line a person can read. Every one of them ends the process.
#[derive(Debug, thiserror::Error)]
pub enum PlatformError {
    /// Whoever tells it says what can be done without one.
    #[error("no Wayland compositor answers, {0}")]
    Connect(#[from] ConnectError),
    #[error("this compositor has no {0}, which a window needs")]
    MissingGlobal(&'static str),
    #[error("the compositor is gone")]
    Disconnected,
    #[error("the compositor refused a request: {message} ({interface}, code {code})")]
    Refused {
        interface: String,
        code: u32,
        message: String,
    },
    #[error("the event loop stopped: {0}")]
    Loop(String),
}

impl From<ProtocolError> for PlatformError {
    fn from(error: ProtocolError) -> Self {
        PlatformError::Refused {
            interface: error.object_interface,
            code: error.code,
            message: error.message,
        }
    }
}

impl From<WaylandError> for PlatformError {
    fn from(error: WaylandError) -> Self {
        match error {
            WaylandError::Protocol(error) => error.into(),
            WaylandError::Io(_) => PlatformError::Disconnected,
        }
    }
}
