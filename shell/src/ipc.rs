//! The running shell's socket: `ede open` and `ede focus` speak one line of JSON to it and get one line back. The socket lies in the
//! runtime folder, 0600, and only this user's processes are answered. Whose it is, a lock beside it says, which goes with its process.

use std::fs::File;
use std::io::{BufRead, BufReader, Read, Write};
use std::os::unix::fs::{OpenOptionsExt, PermissionsExt};
use std::os::unix::net::{UnixListener, UnixStream};
use std::path::{Path, PathBuf};
use std::sync::mpsc;
use std::time::Duration;

use ede_engine::app_id::AppId;
use rustix::fs::{FlockOperation, flock};
use rustix::net::sockopt::socket_peercred;
use serde_json::{Value, json};

use crate::desktop::shell::Command;

/// The longest line that is read (bytes): a screen's parameters fit well.
const LONGEST: u64 = 256 * 1024;

/// How long either side waits for the other.
const PATIENCE: Duration = Duration::from_secs(5);

/// A command and where its answer goes.
pub struct Asked {
    pub command: Command,
    pub answer: mpsc::Sender<Result<(), String>>,
}

/// Removes the socket's file when the shell ends, and only then gives up the lock that made it this shell's.
pub struct Socket {
    path: PathBuf,
    _lock: File,
}

impl Drop for Socket {
    fn drop(&mut self) {
        let _ = std::fs::remove_file(&self.path);
    }
}

pub fn path(runtime: &Path) -> PathBuf {
    runtime.join("shell.sock")
}

/// Listen on the runtime folder's socket; each command goes to `ask` on a thread of its own. An error when a shell runs already.
pub fn listen(runtime: &Path, ask: impl Fn(Asked) + Send + 'static) -> Result<Socket, String> {
    let path = path(runtime);
    let lock = lock(runtime)?;
    // Left behind by a shell that was killed: whoever has the lock is alone.
    let _ = std::fs::remove_file(&path);
    let listener = UnixListener::bind(&path)
        .map_err(|e| format!("the shell's socket cannot be made, {}, {e}", path.display()))?;
    std::fs::set_permissions(&path, std::fs::Permissions::from_mode(0o600)).map_err(|e| {
        format!(
            "the shell's socket cannot be made private, {}, {e}",
            path.display()
        )
    })?;
    let served = std::thread::Builder::new()
        .name("ede-ipc".into())
        .spawn(move || {
            for stream in listener.incoming().flatten() {
                if let Err(error) = serve(stream, &ask) {
                    tracing::debug!("a command was not answered: {error}");
                }
            }
        });
    served.map_err(|e| format!("nothing answers commands, {}, {e}", path.display()))?;
    Ok(Socket { path, _lock: lock })
}

/// The lock of the one shell of a session. Its file stays: one that is removed could be locked twice.
fn lock(runtime: &Path) -> Result<File, String> {
    let path = runtime.join("shell.lock");
    let file = File::options()
        .create(true)
        .truncate(false)
        .write(true)
        .mode(0o600)
        .open(&path)
        .map_err(|e| format!("the shell's lock cannot be made, {}, {e}", path.display()))?;
    match flock(&file, FlockOperation::NonBlockingLockExclusive) {
        Ok(()) => Ok(file),
        Err(rustix::io::Errno::WOULDBLOCK) => {
            Err("a shell is running already, in this session, end it first".into())
        }
        Err(e) => Err(format!(
            "the shell's lock cannot be taken, {}, {e}",
            path.display()
        )),
    }
}

fn serve(stream: UnixStream, ask: &impl Fn(Asked)) -> std::io::Result<()> {
    let peer = socket_peercred(&stream)?;
    if peer.uid != rustix::process::getuid() {
        return Err(std::io::Error::other("the caller is another user"));
    }
    stream.set_read_timeout(Some(PATIENCE))?;
    stream.set_write_timeout(Some(PATIENCE))?;
    let mut line = Vec::new();
    BufReader::new((&stream).take(LONGEST)).read_until(b'\n', &mut line)?;
    let answer = match parse(&line) {
        Ok(command) => {
            let (tx, rx) = mpsc::channel();
            ask(Asked {
                command,
                answer: tx,
            });
            rx.recv_timeout(PATIENCE)
                .unwrap_or_else(|_| Err("the shell did not answer in time".into()))
        }
        Err(error) => Err(error),
    };
    let reply = match answer {
        Ok(()) => json!({"ok": true}),
        Err(error) => json!({"ok": false, "error": error}),
    };
    (&stream).write_all(format!("{reply}\n").as_bytes())
}

fn parse(line: &[u8]) -> Result<Command, String> {
    let v: Value = serde_json::from_slice(line).map_err(|e| format!("not a command: {e}"))?;
    match v.get("command").and_then(Value::as_str) {
        Some("open") => {
            let app = v.get("app").and_then(Value::as_str).unwrap_or_default();
            let text = |k: &str| v.get(k).and_then(Value::as_str).map(str::to_string);
            let params = v.get("params").cloned().unwrap_or_default();
            Ok(Command::Open {
                app: AppId::parse(app).map_err(|e| e.to_string())?,
                screen: text("screen"),
                params,
                token: text("token"),
            })
        }
        Some("focus-panel") => Ok(Command::FocusPanel),
        _ => Err("not a command this shell knows".into()),
    }
}

/// Ask the running shell. `Err(None)`: no shell runs.
pub fn ask(runtime: &Path, command: &Command) -> Result<(), Option<String>> {
    let stream = UnixStream::connect(path(runtime)).map_err(|_| None)?;
    let fail = |e: std::io::Error| Some(e.to_string());
    stream.set_read_timeout(Some(PATIENCE)).map_err(fail)?;
    let line = match command {
        Command::Open {
            app,
            screen,
            params,
            token,
        } => {
            json!({"command": "open", "app": app.as_str(), "screen": screen, "params": params, "token": token})
        }
        Command::FocusPanel => json!({"command": "focus-panel"}),
    };
    (&stream)
        .write_all(format!("{line}\n").as_bytes())
        .map_err(fail)?;
    let mut reply = String::new();
    BufReader::new((&stream).take(LONGEST))
        .read_line(&mut reply)
        .map_err(fail)?;
    let reply: Value = serde_json::from_str(&reply)
        .map_err(|e| Some(format!("the shell's answer makes no sense: {e}")))?;
    match reply.get("error").and_then(Value::as_str) {
        Some(error) => Err(Some(error.to_string())),
        None => Ok(()),
    }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]
    use super::*;

    #[test]
    fn a_command_reaches_the_shell_and_its_answer_comes_back() {
        let dir = tempfile::tempdir().unwrap();
        let socket = listen(dir.path(), |asked| {
            let answer = match asked.command {
                Command::FocusPanel => Ok(()),
                Command::Open { .. } => Err("it is not installed".into()),
            };
            asked.answer.send(answer).unwrap();
        })
        .unwrap();
        assert_eq!(ask(dir.path(), &Command::FocusPanel), Ok(()));
        let open = Command::Open {
            app: AppId::parse("ede.none").unwrap(),
            screen: None,
            params: Value::Null,
            token: None,
        };
        assert_eq!(
            ask(dir.path(), &open),
            Err(Some("it is not installed".into()))
        );
        assert!(listen(dir.path(), |_| {}).is_err());
        drop(socket);
        assert_eq!(ask(dir.path(), &Command::FocusPanel), Err(None));
    }

    #[test]
    fn of_shells_that_start_together_one_has_the_socket_and_the_others_leave_it_alone() {
        let dir = tempfile::tempdir().unwrap();
        // One that was killed left its socket.
        drop(UnixListener::bind(path(dir.path())).unwrap());
        let together = std::sync::Barrier::new(8);
        let shells: Vec<_> = std::thread::scope(|scope| {
            let start = || {
                together.wait();
                listen(dir.path(), |asked| asked.answer.send(Ok(())).unwrap())
            };
            let started: Vec<_> = (0..8).map(|_| scope.spawn(start)).collect();
            started.into_iter().map(|s| s.join().unwrap()).collect()
        });
        let mut running: Vec<Socket> = shells.into_iter().flatten().collect();
        assert_eq!(running.len(), 1);
        assert_eq!(ask(dir.path(), &Command::FocusPanel), Ok(()));
        running.clear();
        listen(dir.path(), |_| {}).unwrap();
    }

    #[test]
    fn rubbish_is_answered_and_the_next_command_works() {
        let dir = tempfile::tempdir().unwrap();
        let _socket = listen(dir.path(), |asked| asked.answer.send(Ok(())).unwrap()).unwrap();
        let stream = UnixStream::connect(path(dir.path())).unwrap();
        (&stream).write_all(b"\xff{rubbish\n").unwrap();
        let mut reply = String::new();
        BufReader::new(&stream).read_line(&mut reply).unwrap();
        let reply: Value = serde_json::from_str(&reply).unwrap();
        assert_eq!(reply["ok"], false);
        assert!(
            reply["error"]
                .as_str()
                .unwrap()
                .starts_with("not a command")
        );
        assert_eq!(ask(dir.path(), &Command::FocusPanel), Ok(()));
    }
}
