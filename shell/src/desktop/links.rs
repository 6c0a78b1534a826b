//! Opens a link with the person's own program for it.

use std::process::{Command, Stdio};

/// Hand `url`, which the engine has held against the link policy, to the desktop's opener. No shell is involved: the link is one
/// argument of one program.
pub fn open(url: &str) {
    let started = Command::new("xdg-open")
        .arg(url)
        .stdin(Stdio::null())
        .stdout(Stdio::null())
        .stderr(Stdio::null())
        .spawn();
    match started {
        // Someone has to wait for it, or it stays behind as a zombie.
        Ok(mut child) => {
            let waited = std::thread::Builder::new()
                .name("ede-link".into())
                .spawn(move || child.wait());
            if let Err(error) = waited {
                tracing::warn!("nobody waits for the link's opener: {error}");
            }
        }
        Err(error) => tracing::warn!("the link was not opened: {error}; install xdg-utils"),
    }
}
