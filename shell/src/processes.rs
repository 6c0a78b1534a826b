//! Programs the shell starts for the person. They get nothing of ours but the environment: no descriptor, no blocked signal, a process
//! group of their own. Each is waited for on a thread of its own, so that none stays behind as a zombie.

use std::io;
use std::os::unix::process::CommandExt;
use std::process::{Command, Stdio};

use nix::sys::signal::SigSet;

/// Start a program and forget about it. `told` hears, on another thread, whether it started; not how it ended.
pub fn start(mut command: Command, told: impl FnOnce(io::Result<()>) + Send + 'static) {
    command
        .stdin(Stdio::null())
        .stdout(Stdio::null())
        .stderr(Stdio::null())
        .process_group(0);
    let waiting = std::thread::Builder::new()
        .name("ede-child".into())
        .stack_size(64 * 1024);
    let started = waiting.spawn(move || {
        // A program has the mask of the thread that starts it.
        let unmasked = SigSet::empty().thread_set_mask().map_err(io::Error::from);
        match unmasked.and_then(|()| command.spawn()) {
            Ok(mut child) => {
                told(Ok(()));
                if let Err(error) = child.wait() {
                    tracing::warn!("a program's end was not seen: {error}");
                }
            }
            Err(error) => told(Err(error)),
        }
    });
    if let Err(error) = started {
        tracing::warn!("a program was not started: {error}");
    }
}
