//! The session's word that it is over: SIGTERM, as a service manager sends it, SIGHUP and SIGINT. The shell ends in order then, and what
//! is being typed is kept.

use std::io;
use std::os::unix::net::UnixStream;

use signal_hook::consts::{SIGHUP, SIGINT, SIGTERM};
use signal_hook::low_level::pipe;

/// A stream that can be read from once one of the signals came.
///
/// # Errors
/// There are no more file descriptors, or the signals cannot be caught.
pub fn ending() -> io::Result<UnixStream> {
    let (told, tell) = UnixStream::pair()?;
    for signal in [SIGTERM, SIGHUP, SIGINT] {
        pipe::register(signal, tell.try_clone()?)?;
    }
    told.set_nonblocking(true)?;
    Ok(told)
}
