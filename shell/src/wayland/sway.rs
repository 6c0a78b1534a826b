//! Workspaces by sway's own IPC, for its versions without a protocol for them.
//!
//! The socket is read on a thread of its own, which sends each new list to the loop; a command has a connection and a
//! short thread of its own. The thread ends when sway or the session does.

use super::notice::Notice;
use super::outputs::Outputs;
use super::runtime::Runtime;
use super::workspaces::{WorkspaceId, WorkspaceInfo, WorkspaceSource};
use calloop::LoopHandle;
use calloop::channel::{self, Sender};
use std::net::Shutdown;
use std::os::unix::net::UnixStream;
use std::path::{Path, PathBuf};
use swayipc::{Connection, EventType, Workspace};

pub(super) struct SwayWorkspaces {
    path: PathBuf,
    /// Shut down to end the reading thread.
    events: UnixStream,
    list: Vec<Workspace>,
}

impl Drop for SwayWorkspaces {
    fn drop(&mut self) {
        // It may be gone already.
        let _ = self.events.shutdown(Shutdown::Both);
    }
}

impl SwayWorkspaces {
    /// `None`, with a line in the log, if nobody answers on the socket.
    pub fn start(path: &Path, handle: &LoopHandle<'static, Runtime>) -> Option<Self> {
        let connect = || -> Result<_, Box<dyn std::error::Error>> {
            let events = UnixStream::connect(path)?;
            let queries = UnixStream::connect(path)?;
            let kept = events.try_clone()?;
            let (sender, receiver) = channel::channel();
            handle
                .insert_source(receiver, |event, (), runtime: &mut Runtime| {
                    if let channel::Event::Msg(list) = event
                        && let Some(sway) = &mut runtime.platform.sway
                    {
                        sway.list = list;
                        runtime.platform.notices.push(Notice::WorkspacesChanged);
                    }
                })
                .map_err(|error| error.error)?;
            std::thread::Builder::new()
                .name("sway".into())
                .spawn(move || {
                    match follow(events.into(), queries.into(), &sender) {
                        // Its end is the compositor's, which the connection tells.
                        Err(swayipc::Error::Io(error)) if is_end(&error) => {
                            tracing::debug!("sway is gone: {error}")
                        }
                        Err(error) => {
                            tracing::warn!("sway's workspaces are no longer followed: {error}");
                        }
                        Ok(()) => {}
                    }
                })?;
            Ok(kept)
        };
        match connect() {
            Ok(events) => Some(SwayWorkspaces {
                path: path.to_owned(),
                events,
                list: Vec::new(),
            }),
            Err(error) => {
                tracing::warn!("no workspaces: sway does not answer: {error}");
                None
            }
        }
    }
}

fn is_end(error: &std::io::Error) -> bool {
    use std::io::ErrorKind::{BrokenPipe, ConnectionReset, UnexpectedEof};
    matches!(error.kind(), BrokenPipe | ConnectionReset | UnexpectedEof)
}

/// Send the list now and after every event, until either end goes. Sway 1.7 refuses a subscription to outputs; their
/// coming and going moves workspaces, which is told.
fn follow(
    events: Connection,
    mut queries: Connection,
    sender: &Sender<Vec<Workspace>>,
) -> Result<(), swayipc::Error> {
    let events = events.subscribe([EventType::Workspace])?;
    if sender.send(queries.get_workspaces()?).is_err() {
        return Ok(());
    }
    for event in events {
        event?;
        if sender.send(queries.get_workspaces()?).is_err() {
            break;
        }
    }
    Ok(())
}

impl WorkspaceSource for SwayWorkspaces {
    fn name(&self) -> &'static str {
        "sway-ipc"
    }

    fn workspaces(&self, outputs: &Outputs) -> Vec<WorkspaceInfo> {
        self.list
            .iter()
            .map(|workspace| WorkspaceInfo {
                id: WorkspaceId(workspace.id),
                name: workspace.name.clone(),
                output: outputs.id_named(&workspace.output),
                active: workspace.visible,
                focused: workspace.focused,
                urgent: workspace.urgent,
                hidden: false,
            })
            .collect()
    }

    fn activate(&self, id: WorkspaceId) -> bool {
        let Some(workspace) = self.list.iter().find(|workspace| workspace.id == id.0) else {
            return false;
        };
        let Some(command) = command(&workspace.name) else {
            tracing::warn!(workspace.name, "sway takes this name for a word of its own");
            return false;
        };
        let (path, command) = (self.path.clone(), command);
        let spawned = std::thread::Builder::new()
            .name("sway command".into())
            .spawn(move || {
                let run = || -> Result<(), Box<dyn std::error::Error>> {
                    let mut connection = Connection::from(UnixStream::connect(&path)?);
                    for outcome in connection.run_command(command)? {
                        outcome?;
                    }
                    Ok(())
                };
                if let Err(error) = run() {
                    tracing::warn!("sway did not change the workspace: {error}");
                }
            });
        spawned.is_ok()
    }
}

/// The command that goes to a workspace, and stays there if it is there. `None` for a name that sway reads as a direction or an option,
/// quoted or not.
fn command(name: &str) -> Option<String> {
    const WORDS: [&str; 9] = [
        "next",
        "prev",
        "next_on_output",
        "prev_on_output",
        "current",
        "number",
        "back_and_forth",
        "output",
        "gaps",
    ];
    let word = WORDS.iter().any(|word| name.eq_ignore_ascii_case(word));
    (!word).then(|| format!("workspace --no-auto-back-and-forth {}", quoted(name)))
}

/// A name as one argument of a sway command: whatever it contains, it stays one.
fn quoted(name: &str) -> String {
    let mut quoted = String::with_capacity(name.len() + 2);
    quoted.push('"');
    for c in name.chars() {
        if matches!(c, '"' | '\\') {
            quoted.push('\\');
        }
        quoted.push(c);
    }
    quoted.push('"');
    quoted
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn going_to_a_workspace_never_goes_elsewhere() {
        let to = command("1: web").unwrap_or_default();
        assert_eq!(to, r#"workspace --no-auto-back-and-forth "1: web""#);
        assert_eq!(command("Next"), None);
        assert_eq!(command("gaps"), None);
    }

    #[test]
    fn a_workspace_name_is_never_a_second_command() {
        assert_eq!(quoted(r#"a"; exec evil"#), r#""a\"; exec evil""#);
        assert_eq!(quoted(r"a\"), r#""a\\""#);
    }
}
