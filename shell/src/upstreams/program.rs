//! A server that is a program of the person's: started in a process group of its own, with nothing of ours but a few names of the
//! environment, and ended with everything it started.

use std::env;
use std::os::unix::process::CommandExt;
use std::path::PathBuf;
use std::process::Stdio;
use std::time::Duration;

use rustix::process::{Pid, Signal, WaitId, WaitIdOptions, kill_process_group, waitid};
use tokio::process::{Child, ChildStdin, ChildStdout, Command};
use tokio::sync::{mpsc, oneshot};

/// What it gets of our environment: enough to find programs, its own files and the session's bus.
const ENVIRONMENT: [&str; 4] = ["PATH", "HOME", "LANG", "XDG_RUNTIME_DIR"];
/// How long it may take to end once it has no input any more, and again once it is told to.
const GRACE: Duration = Duration::from_millis(300);
/// How often it is looked at meanwhile.
const LOOK: Duration = Duration::from_millis(10);

/// Held by every program that runs: whoever waits for the other end to close waits for all to be gone.
pub type Alive = mpsc::Sender<()>;

/// A running program. Dropped, it is asked to end, and killed with its whole group where it does not.
pub struct Program {
    _runs: oneshot::Sender<()>,
}

impl Program {
    /// Start a command line: the program and its arguments. Its standard error goes nowhere.
    pub fn start(
        words: &[String],
        alive: Alive,
    ) -> std::io::Result<(Program, ChildStdout, ChildStdin)> {
        let mut words = words.iter();
        let mut command = std::process::Command::new(words.next().map_or("", String::as_str));
        command.args(words).env_clear().process_group(0);
        for name in ENVIRONMENT {
            if let Some(value) = env::var_os(name) {
                command.env(name, value);
            }
        }
        let home = env::var_os("HOME").map(PathBuf::from);
        if let Some(home) = home.filter(|home| home.is_dir()) {
            command.current_dir(home);
        }
        command
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::null());
        let mut child = Command::from(command).kill_on_drop(true).spawn()?;
        let pipes = child.stdout.take().zip(child.stdin.take());
        let (runs, ended) = oneshot::channel();
        tokio::spawn(async move {
            let _ = ended.await;
            end(child).await;
            drop(alive);
        });
        let (output, input) = pipes.ok_or_else(|| std::io::Error::other("it has no pipes"))?;
        Ok((Program { _runs: runs }, output, input))
    }
}

/// End a program and whatever it started: its input is closed, which is the word to end; then it is told, then it is killed. Until it is
/// waited for, its number is nobody else's.
async fn end(mut child: Child) {
    let Some(group) = child.id().and_then(|id| Pid::from_raw(id.cast_signed())) else {
        return;
    };
    ended(group).await;
    let _ = kill_process_group(group, Signal::TERM);
    ended(group).await;
    let _ = kill_process_group(group, Signal::KILL);
    if let Err(error) = child.wait().await {
        tracing::debug!("the end of an upstream's program was not seen: {error}");
    }
}

/// Wait until a program has ended, for as long as it may take.
async fn ended(program: Pid) {
    let look = WaitIdOptions::EXITED | WaitIdOptions::NOHANG | WaitIdOptions::NOWAIT;
    let goes_on = || matches!(waitid(WaitId::Pid(program), look), Ok(None));
    let ended = async {
        while goes_on() {
            tokio::time::sleep(LOOK).await;
        }
    };
    let _ = tokio::time::timeout(GRACE, ended).await;
}
