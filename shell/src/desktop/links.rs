//! Opens a link with the person's own program for it.

use std::process::Command;

use crate::processes;

/// Hand `url`, which the engine has held against the link policy, to the desktop's opener. No shell is involved: the link is one
/// argument of one program.
pub fn open(url: &str) {
    let mut opener = Command::new("xdg-open");
    opener.arg(url);
    processes::start(opener, |started| {
        if let Err(error) = started {
            tracing::warn!("the link was not opened: {error}; install xdg-utils");
        }
    });
}
