//! Readings and calls of MCP servers, well behaved and not: over pipes and over HTTP on loopback, through the shell's own hub and through its
//! command line.
#![allow(clippy::unwrap_used, clippy::expect_used)]

mod calling;
mod command_line;
mod hostile;
mod reading;
mod wire;

use std::path::{Path, PathBuf};
use std::sync::mpsc;
use std::time::{Duration, Instant};

use ede::upstreams::Upstreams;
use ede_engine::upstreams::rule::{Allowed, May};
use ede_engine::upstreams::servers::ServerUrl;
use ede_engine::upstreams::{Outcome, Reading, Server, ServerName, Servers};
use tempfile::TempDir;

/// Nothing here takes as long.
const PATIENCE: Duration = Duration::from_secs(60);

/// The server of the tests.
fn program() -> &'static str {
    env!("CARGO_BIN_EXE_ede-upstream")
}

/// A server called `bank`, and what it was asked.
struct World {
    folder: TempDir,
    hub: Upstreams,
    /// The process that answers over HTTP, while it is one.
    _http: Option<Killed>,
}

struct Killed(std::process::Child);

impl Drop for Killed {
    fn drop(&mut self) {
        let _ = self.0.kill();
        let _ = self.0.wait();
    }
}

impl World {
    /// Over its pipes, in this manner.
    fn pipes(manner: &str) -> World {
        World::program(tempfile::tempdir().unwrap(), &[manner])
    }

    /// Over the pipes of the program with these arguments.
    fn program(folder: TempDir, arguments: &[&str]) -> World {
        let log = folder.path().join("log");
        let words = [&[program(), log.to_str().unwrap()], arguments].concat();
        let words = words.into_iter().map(str::to_owned).collect();
        World::of(folder, Server::command(words).unwrap(), None)
    }

    /// Over HTTP. `token` is the one it wants.
    fn http(token: Option<&str>, path: &str) -> World {
        let folder = tempfile::tempdir().unwrap();
        let log = folder.path().join("log");
        let mut command = std::process::Command::new(program());
        command.args([log.as_os_str(), "http".as_ref()]).args(token);
        let http = Killed(command.spawn().unwrap());
        let url = wait_for("its address", || {
            let log = std::fs::read_to_string(&log).ok()?;
            Some(log.lines().next()?.replace("/mcp", path))
        });
        let url = ServerUrl::parse(&url).unwrap();
        World::of(folder, Server::Url { url, token: false }, Some(http))
    }

    fn of(folder: TempDir, server: Server, http: Option<Killed>) -> World {
        let mut servers = Servers::default();
        servers.insert(ServerName::parse("bank").unwrap(), server);
        let mut hub = Upstreams::default();
        hub.set_servers(servers);
        World {
            folder,
            hub,
            _http: http,
        }
    }

    /// Read, as a package does that lists every tool of the server.
    fn read(&mut self, source: &str) -> Outcome {
        self.begin(source, false).recv_timeout(PATIENCE).unwrap()
    }

    fn begin(&mut self, source: &str, vouched: bool) -> mpsc::Receiver<Outcome> {
        let reading = Reading::parse(source).unwrap();
        let (told, hears) = mpsc::channel();
        let allowed = Allowed::new(reading, May { vouched });
        self.hub
            .read(allowed, Box::new(move |outcome| drop(told.send(outcome))));
        hears
    }

    /// What the server was asked, a line each.
    fn asked(&self) -> Vec<String> {
        lines(&self.folder.path().join("log"))
    }

    fn times(&self, what: &str) -> usize {
        let starts = |line: &&String| line.starts_with(what);
        self.asked().iter().filter(starts).count()
    }
}

fn lines(path: &Path) -> Vec<String> {
    let text = std::fs::read_to_string(path).unwrap_or_default();
    text.lines().map(str::to_owned).collect()
}

fn wait_for<T>(what: &str, mut look: impl FnMut() -> Option<T>) -> T {
    let end = Instant::now() + PATIENCE;
    loop {
        if let Some(found) = look() {
            return found;
        }
        assert!(Instant::now() < end, "{what} did not come");
        std::thread::sleep(Duration::from_millis(5));
    }
}

/// Does this process run? One that has ended and is not waited for does not.
fn runs(pid: u64) -> bool {
    let stat = std::fs::read_to_string(PathBuf::from(format!("/proc/{pid}/stat")));
    stat.is_ok_and(|stat| !stat.contains(") Z "))
}
