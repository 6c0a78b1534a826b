//! The `ede` program itself, as a process on a compositor, with a home of its own.

use std::io::Read;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, ExitStatus, Stdio};
use std::sync::OnceLock;
use std::time::{Duration, Instant, SystemTime};

use tempfile::TempDir;

use crate::bus::Bus;
use crate::compositor::Compositor;

/// How long the end of a process is waited for.
const PATIENCE: Duration = Duration::from_secs(20);

/// The `ede` of this build. `cargo test --workspace` makes it; before a single test, `cargo build -p ede` does.
///
/// # Panics
/// When there is none, or it is older than what it is made of.
pub fn ede() -> &'static Path {
    static BUILT: OnceLock<PathBuf> = OnceLock::new();
    BUILT.get_or_init(|| {
        let test =
            std::env::current_exe().unwrap_or_else(|error| panic!("which test is this? {error}"));
        // target/PROFILE/deps/TEST-HASH
        let folder = test.ancestors().nth(2).unwrap_or(&test);
        let program = folder.join("ede");
        let Ok(built) = program.metadata().and_then(|data| data.modified()) else {
            panic!(
                "there is no {}: run `cargo build -p ede`",
                program.display()
            )
        };
        let workspace = Path::new(env!("CARGO_MANIFEST_DIR")).join("..");
        for part in [
            "shell/src",
            "shell/engine/src",
            "renderer/src",
            "widgets/src",
            "assets",
        ] {
            if let Some(newer) = newer_than(built, &workspace.join(part)) {
                panic!(
                    "ede is older than {}: run `cargo build -p ede`",
                    newer.display()
                );
            }
        }
        program
    })
}

/// A file below a folder that was written after a moment.
fn newer_than(moment: SystemTime, folder: &Path) -> Option<PathBuf> {
    std::fs::read_dir(folder).ok()?.flatten().find_map(|entry| {
        let data = entry.metadata().ok()?;
        if data.is_dir() {
            newer_than(moment, &entry.path())
        } else {
            (data.modified().ok()? > moment).then(|| entry.path())
        }
    })
}

/// A running `ede` with a home that nobody else has. It is killed when this is dropped.
///
/// ```no_run
/// use ede_tests::compositor::{Compositor, Globals, OutputSpec};
/// use ede_tests::program::Ede;
///
/// let compositor = Compositor::start(Globals::all());
/// compositor.add_output(OutputSpec::new("DP-1", 1280, 800));
/// let ede = Ede::new();
/// let mut shell = ede.run_on(&compositor);
/// compositor.wait_for("the panel", |scene| scene.layer("ede-panel").cloned());
/// compositor.kill();
/// assert_eq!(shell.wait().0.code(), Some(1));
/// ```
pub struct Ede {
    home: TempDir,
}

impl Default for Ede {
    fn default() -> Self {
        Self::new()
    }
}

impl Ede {
    /// A fresh home: the next run is a first run.
    ///
    /// # Panics
    /// When the system gives no temporary folder.
    pub fn new() -> Self {
        let home = tempfile::Builder::new().prefix("ede-home").tempdir();
        Self {
            home: home.unwrap_or_else(|error| panic!("no home: {error}")),
        }
    }

    /// Where documents are: `EDE_CONFIG_HOME`.
    pub fn config(&self) -> PathBuf {
        self.home.path().join("config")
    }

    /// Where packages and records are: `EDE_DATA_HOME`.
    pub fn data(&self) -> PathBuf {
        self.home.path().join("data")
    }

    /// The session's data: `XDG_DATA_HOME`.
    pub fn xdg_data(&self) -> PathBuf {
        self.home.path().join("xdg-DATA")
    }

    /// Write a document into the folder of documents, whole and at once, as an editor does: a new file, renamed.
    ///
    /// # Panics
    /// When the folder cannot be written.
    pub fn write_document(&self, name: &str, content: &str) {
        write(&self.config().join("ui"), name, "ede-ui.json", content);
    }

    /// Write a package into the folder of installed ones, as [`write_document`](Self::write_document) does.
    ///
    /// # Panics
    /// When the folder cannot be written.
    pub fn write_package(&self, id: &str, content: &str) {
        write(&self.home.path().join("data/apps"), id, "app.json", content);
    }

    /// `ede` with these arguments in this home, with no compositor and no bus.
    pub fn command(&self, arguments: &[&str]) -> Command {
        let home = self.home.path();
        let mut command = Command::new(ede());
        command
            .args(arguments)
            .stdin(Stdio::null())
            .stdout(Stdio::piped())
            .stderr(Stdio::piped());
        for name in [
            "WAYLAND_DISPLAY",
            "WAYLAND_SOCKET",
            "DISPLAY",
            "SWAYSOCK",
            "DBUS_SESSION_BUS_ADDRESS",
        ] {
            command.env_remove(name);
        }
        command
            .env("HOME", home)
            .env("TZ", "UTC")
            .env("LANG", "C.UTF-8")
            .env("EDE_CONFIG_HOME", self.config());
        command
            .env("EDE_DATA_HOME", self.data())
            .env("EDE_RUNTIME_DIR", home.join("run"));
        for name in ["CONFIG", "DATA", "CACHE", "STATE"] {
            command.env(format!("XDG_{name}_HOME"), home.join(format!("xdg-{name}")));
        }
        command.env("XDG_RUNTIME_DIR", home);
        command
    }

    /// The shell on a fake compositor.
    pub fn run_on(&self, compositor: &Compositor) -> Shell {
        self.start(&["run"], compositor)
    }

    /// The shell on a fake compositor, saying what this filter lets through on standard error.
    pub fn run_telling(&self, filter: &str, compositor: &Compositor) -> Shell {
        let mut command = self.command(&["run"]);
        command.env("EDE_LOG", filter);
        spawn(command, compositor)
    }

    /// The shell on a fake compositor and a bus of its own.
    pub fn run_on_bus(&self, bus: &Bus, compositor: &Compositor) -> Shell {
        let mut command = self.command(&["run"]);
        command.env("DBUS_SESSION_BUS_ADDRESS", bus.address());
        spawn(command, compositor)
    }

    /// Any command on a fake compositor.
    ///
    /// # Panics
    /// When the program does not start.
    pub fn start(&self, arguments: &[&str], compositor: &Compositor) -> Shell {
        spawn(self.command(arguments), compositor)
    }
}

fn spawn(mut command: Command, compositor: &Compositor) -> Shell {
    let child = command.env("WAYLAND_DISPLAY", compositor.display()).spawn();
    Shell(child.unwrap_or_else(|error| panic!("ede does not start: {error}")))
}

fn write(folder: &Path, name: &str, ending: &str, content: &str) {
    let (new, file) = (
        folder.join(format!(".{name}.new")),
        folder.join(format!("{name}.{ending}")),
    );
    let written = std::fs::create_dir_all(folder).and_then(|()| std::fs::write(&new, content));
    let written = written.and_then(|()| std::fs::rename(&new, &file));
    written.unwrap_or_else(|error| panic!("{}: {error}", file.display()));
}

/// A running `ede` process.
pub struct Shell(Child);

impl Shell {
    pub fn id(&self) -> u32 {
        self.0.id()
    }

    /// Whether it is still there.
    pub fn runs(&mut self) -> bool {
        self.0.try_wait().is_ok_and(|ended| ended.is_none())
    }

    /// Wait for its end: how it ended, and what it said on standard error.
    ///
    /// # Panics
    /// When it goes on for 20 seconds.
    pub fn wait(&mut self) -> (ExitStatus, String) {
        let end = Instant::now() + PATIENCE;
        loop {
            if let Ok(Some(status)) = self.0.try_wait() {
                let mut said = String::new();
                if let Some(stderr) = self.0.stderr.as_mut() {
                    let _ = stderr.read_to_string(&mut said);
                }
                return (status, said);
            }
            assert!(Instant::now() < end, "ede goes on");
            std::thread::sleep(Duration::from_millis(5));
        }
    }

    /// Proportional set size in KiB: shared pages count by their share. None when it is gone.
    pub fn memory(&self) -> Option<u64> {
        let rollup = std::fs::read_to_string(format!("/proc/{}/smaps_rollup", self.id())).ok()?;
        let line = rollup.lines().find(|line| line.starts_with("Pss:"))?;
        line.split_whitespace().nth(1)?.parse().ok()
    }

    /// How many files, sockets and mappings of memory it has open.
    pub fn open_files(&self) -> usize {
        std::fs::read_dir(format!("/proc/{}/fd", self.id())).map_or(0, |files| files.count())
    }
}

impl Drop for Shell {
    fn drop(&mut self) {
        let ended = self.0.try_wait().ok().flatten();
        let _ = self.0.kill();
        let _ = self.0.wait();
        if std::thread::panicking() {
            let mut said = String::new();
            if let Some(stderr) = self.0.stderr.as_mut() {
                let _ = stderr.read_to_string(&mut said);
            }
            eprintln!("the shell ({ended:?}) said:\n{said}");
        }
    }
}
