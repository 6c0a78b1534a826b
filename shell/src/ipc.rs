//! The running shell's socket: `ede open`, `ede focus` and `ede call` speak one line of JSON to it and get one line back. The socket lies in the
//! runtime folder, 0600, and only this user's processes are answered. Whose it is, a lock beside it says, which goes with its process.

use std::fs::File;
use std::io::{BufRead, BufReader, Read, Write};
use std::os::unix::fs::{OpenOptionsExt, PermissionsExt};
use std::os::unix::net::{UnixListener, UnixStream};
use std::path::{Path, PathBuf};
use std::sync::{Arc, mpsc};
use std::time::Duration;

use ede_engine::app_id::AppId;
use rustix::fs::{FlockOperation, flock};
use rustix::net::sockopt::socket_peercred;
use serde_json::{Value, json};

use crate::desktop::shell::{Called, Command, Reply};

/// The longest command (bytes): the largest file an agent may hand over fits, in base64. The longest answer: what an app may get fits well.
const LONGEST: u64 = 48 * 1024 * 1024;
const LONGEST_ANSWER: u64 = 16 * 1024 * 1024;

/// How long either side waits for the other. A call takes as long as it takes: the person may be asked.
const PATIENCE: Duration = Duration::from_secs(5);

/// A command and where its answer goes.
pub struct Asked {
    pub command: Command,
    pub answer: Reply,
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

/// Listen on the runtime folder's socket; each command goes to `ask`, on a thread of its own. An error when a shell runs already.
pub fn listen(
    runtime: &Path,
    ask: impl Fn(Asked) + Send + Sync + 'static,
) -> Result<Socket, String> {
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
    let ask = Arc::new(ask);
    let served = thread().spawn(move || {
        for stream in listener.incoming().flatten() {
            let ask = ask.clone();
            let answered = thread().spawn(move || {
                if let Err(error) = serve(stream, ask.as_ref()) {
                    tracing::debug!("a command was not answered: {error}");
                }
            });
            if let Err(error) = answered {
                tracing::warn!("a command was not answered: {error}");
            }
        }
    });
    served.map_err(|e| format!("nothing answers commands, {}, {e}", path.display()))?;
    Ok(Socket { path, _lock: lock })
}

/// The lock of the one shell of a session. Its file stays: one that is removed could be locked twice.
fn thread() -> std::thread::Builder {
    std::thread::Builder::new().name("ede-ipc".into())
}

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
            let call = waits(&command);
            ask(Asked {
                command,
                answer: tx,
            });
            let answer = if call {
                rx.recv().ok()
            } else {
                rx.recv_timeout(PATIENCE).ok()
            };
            answer.unwrap_or_else(|| Err("the shell did not answer in time".into()))
        }
        Err(error) => Err(error),
    };
    let reply = match answer {
        Ok(value) => json!({"ok": true, "value": value}),
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
        Some("interact") => {
            let text = |k: &str| v.get(k).and_then(Value::as_str).unwrap_or_default();
            Ok(Command::Interact {
                family: text("family").into(),
                tool: text("tool").into(),
                arguments: v.get("arguments").cloned().unwrap_or_default(),
            })
        }
        Some("call") => {
            let text = |k: &str| v.get(k).and_then(Value::as_str).unwrap_or_default();
            let yes = |k: &str| v.get(k) == Some(&Value::Bool(true));
            Ok(Command::Call(Called {
                app: AppId::parse(text("app")).map_err(|e| e.to_string())?,
                name: text("name").into(),
                arguments: v.get("arguments").cloned().unwrap_or_default(),
                agent: yes("agent"),
                foreground: yes("foreground"),
            }))
        }
        _ => Err("not a command this shell knows".into()),
    }
}

/// Does it take as long as the person, a server or the disk does?
fn waits(command: &Command) -> bool {
    matches!(command, Command::Call(_) | Command::Interact { .. })
}

/// Does a shell answer there?
pub fn answers(runtime: &Path) -> bool {
    UnixStream::connect(path(runtime)).is_ok()
}

/// Ask the running shell. `Err(None)`: no shell runs.
pub fn ask(runtime: &Path, command: &Command) -> Result<Value, Option<String>> {
    let stream = UnixStream::connect(path(runtime)).map_err(|_| None)?;
    let fail = |e: std::io::Error| Some(e.to_string());
    let call = waits(command);
    let patience = Some(PATIENCE).filter(|_| !call);
    stream.set_read_timeout(patience).map_err(fail)?;
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
        Command::Interact {
            family,
            tool,
            arguments,
        } => {
            json!({"command": "interact", "family": family, "tool": tool, "arguments": arguments})
        }
        Command::Call(call) => {
            json!({"command": "call", "app": call.app.as_str(), "name": call.name, "arguments": call.arguments,
                "agent": call.agent, "foreground": call.foreground})
        }
    };
    let line = format!("{line}\n");
    if line.len() as u64 > LONGEST {
        let most = LONGEST / 1024 / 1024;
        return Err(Some(format!(
            "the arguments are too large, {most} MiB at most"
        )));
    }
    (&stream).write_all(line.as_bytes()).map_err(fail)?;
    let mut reply = String::new();
    BufReader::new((&stream).take(LONGEST_ANSWER))
        .read_line(&mut reply)
        .map_err(fail)?;
    let mut reply: Value = serde_json::from_str(&reply)
        .map_err(|e| Some(format!("the shell's answer makes no sense: {e}")))?;
    match reply.get("error").and_then(Value::as_str) {
        Some(error) => Err(Some(error.to_string())),
        None => Ok(reply.get_mut("value").map(Value::take).unwrap_or_default()),
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
                Command::FocusPanel => Ok(Value::Null),
                Command::Call(call) => Ok(call.arguments),
                Command::Interact {
                    family,
                    tool,
                    arguments,
                } => Ok(json!([family, tool, arguments])),
                Command::Open { .. } => Err("it is not installed".into()),
            };
            asked.answer.send(answer).unwrap();
        })
        .unwrap();
        assert_eq!(ask(dir.path(), &Command::FocusPanel), Ok(Value::Null));
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
        let interact = Command::Interact {
            family: "interaction".into(),
            tool: "confirm".into(),
            arguments: json!({"title": "T"}),
        };
        let told = json!(["interaction", "confirm", {"title": "T"}]);
        assert_eq!(ask(dir.path(), &interact), Ok(told));
        assert!(listen(dir.path(), |_| {}).is_err());
        drop(socket);
        assert_eq!(ask(dir.path(), &Command::FocusPanel), Err(None));
    }

    #[test]
    fn a_call_that_waits_for_the_person_keeps_nobody_else_waiting() {
        let dir = tempfile::tempdir().unwrap();
        let waiting = std::sync::Mutex::new(None);
        let _socket = listen(dir.path(), move |asked| match asked.command {
            Command::Call(call) => *waiting.lock().unwrap() = Some((asked.answer, call)),
            _ => {
                if let Some((answer, call)) = waiting.lock().unwrap().take() {
                    let call = json!([
                        call.app.as_str(),
                        call.name,
                        call.arguments,
                        call.agent,
                        call.foreground
                    ]);
                    answer.send(Ok(call)).unwrap();
                }
                asked.answer.send(Ok(Value::Null)).unwrap();
            }
        })
        .unwrap();
        let call = Command::Call(Called {
            app: AppId::parse("acme.timer").unwrap(),
            name: "windows.list".into(),
            arguments: json!({"a": [1]}),
            agent: false,
            foreground: true,
        });
        std::thread::scope(|scope| {
            let answer = scope.spawn(|| ask(dir.path(), &call));
            while !answer.is_finished() {
                assert_eq!(ask(dir.path(), &Command::FocusPanel), Ok(Value::Null));
            }
            let told = json!(["acme.timer", "windows.list", {"a": [1]}, false, true]);
            assert_eq!(answer.join().unwrap(), Ok(told));
        });
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
                listen(dir.path(), |asked| {
                    asked.answer.send(Ok(Value::Null)).unwrap()
                })
            };
            let started: Vec<_> = (0..8).map(|_| scope.spawn(start)).collect();
            started.into_iter().map(|s| s.join().unwrap()).collect()
        });
        let mut running: Vec<Socket> = shells.into_iter().flatten().collect();
        assert_eq!(running.len(), 1);
        assert_eq!(ask(dir.path(), &Command::FocusPanel), Ok(Value::Null));
        running.clear();
        listen(dir.path(), |_| {}).unwrap();
    }

    #[test]
    fn rubbish_is_answered_and_the_next_command_works() {
        let dir = tempfile::tempdir().unwrap();
        let _socket = listen(dir.path(), |asked| {
            asked.answer.send(Ok(Value::Null)).unwrap()
        })
        .unwrap();
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
        assert_eq!(ask(dir.path(), &Command::FocusPanel), Ok(Value::Null));
    }
}
