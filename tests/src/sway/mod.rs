//! A real compositor for smoke tests: headless sway with a message bus of its own, both as an ordinary user.
//!
//! Nothing of the person's session is touched: display, bus, settings and home are in a folder of the test. What was
//! started is killed by its process id when the value is dropped, and by the kernel should the test itself be killed.
//! sway must be installed (`make test` sees to it); a test that needs it fails without it.
//!
//! ```no_run
//! use ede_tests::compositor::LEFT;
//! use ede_tests::sway::Sway;
//!
//! let sway = Sway::start();
//! let mut shell = sway.spawn("ede", &["run"]);
//! let bar = sway.wait_for("a panel", |sway| {
//!     let colours = ede_tests::picture::colours(&ede_tests::picture::crop(&sway.screenshot(), 0, 0, 1280, 48));
//!     (colours > 10).then_some(colours)
//! });
//! sway.click(LEFT, 640.0, 28.0);
//! sway.text("written by hand");
//! ```

mod hands;
mod ipc;

use std::cell::RefCell;
use std::fs::File;
use std::io;
use std::os::unix::fs::PermissionsExt;
use std::os::unix::net::UnixStream;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};

use tempfile::TempDir;

use crate::picture::Picture;
use hands::Hands;

pub use ipc::Question;

/// How long a wait may last before the test fails.
const PATIENCE: Duration = Duration::from_secs(30);

/// The user and group that own nothing: sway refuses root.
const NOBODY: u32 = 65534;

/// sway without surprises: one output, no bar, no frames, no focus that follows the mouse.
const CONFIG: &str = "\
output HEADLESS-1 mode 1280x800 position 0 0
default_border none
default_floating_border none
focus_follows_mouse no
xwayland disable
";

/// A running sway.
pub struct Sway {
    started: Vec<Child>,
    folder: TempDir,
    display: String,
    ipc: PathBuf,
    hands: RefCell<Option<Hands>>,
}

impl Sway {
    /// sway with one output of 1280×800.
    ///
    /// # Panics
    /// When sway, the bus or one of their sockets does not come up; the message holds what they said.
    pub fn start() -> Self {
        Self::start_with("")
    }

    /// sway with lines added to its configuration, such as `output HEADLESS-1 scale 2`.
    ///
    /// # Panics
    /// As [`start`](Self::start).
    pub fn start_with(config: &str) -> Self {
        let sway =
            Self::try_start(config).unwrap_or_else(|error| panic!("sway does not start: {error}"));
        sway.hands.replace(Some(Hands::new(sway.connect())));
        sway
    }

    fn try_start(config: &str) -> io::Result<Self> {
        let folder = tempfile::Builder::new().prefix("sway").tempdir()?;
        let path = folder.path();
        std::fs::set_permissions(path, std::fs::Permissions::from_mode(0o700))?;
        std::fs::create_dir(path.join("home"))?;
        std::fs::write(path.join("config"), format!("{CONFIG}{config}\n"))?;
        if is_root() {
            for owned in [path.to_owned(), path.join("config")] {
                std::os::unix::fs::chown(owned, Some(NOBODY), Some(NOBODY))?;
            }
        }
        let mut sway = Self {
            started: Vec::new(),
            display: String::new(),
            ipc: PathBuf::new(),
            hands: RefCell::new(None),
            folder,
        };
        let address = format!("--address={}", sway.bus());
        let bus = [
            "dbus-daemon",
            "--session",
            "--nofork",
            "--nopidfile",
            "--nosyslog",
            &address,
        ];
        sway.start_as_nobody(&bus)?;
        sway.await_file(|name| name == "bus")?;
        let config = sway.path().join("config").display().to_string();
        sway.start_as_nobody(&["sway", "--config", &config])?;
        sway.display =
            sway.await_file(|name| name.starts_with("wayland-") && !name.ends_with(".lock"))?;
        let socket = sway.await_file(|name| name.starts_with("sway-ipc."))?;
        sway.ipc = sway.path().join(socket);
        Ok(sway)
    }

    fn start_as_nobody(&mut self, command: &[&str]) -> io::Result<()> {
        let mut setpriv = Command::new("setpriv");
        setpriv.args(["--pdeathsig", "KILL"]);
        if is_root() {
            let nobody = NOBODY.to_string();
            setpriv.args(["--reuid", &nobody, "--regid", &nobody, "--clear-groups"]);
        }
        let log = self.log(command[0]);
        setpriv.arg("--").args(command).stdin(Stdio::null());
        setpriv
            .stdout(File::create(&log)?)
            .stderr(File::options().append(true).open(&log)?);
        setpriv
            .env_clear()
            .envs(std::env::vars_os().filter(|(name, _)| name == "PATH"));
        setpriv
            .env("HOME", self.path())
            .env("XDG_RUNTIME_DIR", self.path())
            .env("LANG", "C.UTF-8");
        setpriv.env("DBUS_SESSION_BUS_ADDRESS", self.bus());
        setpriv
            .env("WLR_BACKENDS", "headless")
            .env("WLR_RENDERER", "pixman")
            .env("WLR_LIBINPUT_NO_DEVICES", "1");
        self.started.push(setpriv.spawn()?);
        Ok(())
    }

    /// Wait for a file of the folder; says its name.
    fn await_file(&mut self, mut is_it: impl FnMut(&str) -> bool) -> io::Result<String> {
        let end = Instant::now() + PATIENCE;
        loop {
            for entry in std::fs::read_dir(self.path())? {
                let name = entry?.file_name().to_string_lossy().into_owned();
                if is_it(&name) {
                    return Ok(name);
                }
            }
            let gone = self
                .started
                .iter_mut()
                .any(|child| child.try_wait().is_ok_and(|ended| ended.is_some()));
            if gone || Instant::now() > end {
                return Err(io::Error::other(self.said()));
            }
            std::thread::sleep(Duration::from_millis(10));
        }
    }

    fn log(&self, program: &str) -> PathBuf {
        self.folder.path().join(format!("{program}.log"))
    }

    /// All that sway and the bus said.
    pub fn said(&self) -> String {
        let logs = ["dbus-daemon", "sway"]
            .map(|program| std::fs::read_to_string(self.log(program)).unwrap_or_default());
        logs.join("\n")
    }

    /// The process ids of the bus and of sway.
    pub fn processes(&self) -> Vec<u32> {
        self.started.iter().map(Child::id).collect()
    }

    fn path(&self) -> &Path {
        self.folder.path()
    }

    fn bus(&self) -> String {
        format!("unix:path={}/bus", self.path().display())
    }

    // ---- clients

    /// A connection for a client of this process.
    ///
    /// # Panics
    /// When sway is gone.
    pub fn connect(&self) -> UnixStream {
        let socket = UnixStream::connect(self.path().join(&self.display));
        socket.unwrap_or_else(|error| panic!("no connection to sway: {error}\n{}", self.said()))
    }

    /// A command that runs in this session and no other, with a home of its own.
    pub fn command(&self, program: impl AsRef<std::ffi::OsStr>) -> Command {
        let (home, mut command) = (self.home(), Command::new(program));
        for name in ["DISPLAY", "XAUTHORITY", "WAYLAND_SOCKET"] {
            command.env_remove(name);
        }
        command
            .env("XDG_RUNTIME_DIR", self.path())
            .env("WAYLAND_DISPLAY", &self.display);
        command
            .env("SWAYSOCK", &self.ipc)
            .env("DBUS_SESSION_BUS_ADDRESS", self.bus())
            .env("HOME", &home);
        for (name, folder) in [
            ("CONFIG", "config"),
            ("DATA", "data"),
            ("CACHE", "cache"),
            ("STATE", "state"),
        ] {
            command.env(format!("XDG_{name}_HOME"), home.join(folder));
        }
        command
            .env("XDG_CURRENT_DESKTOP", "sway")
            .env("XDG_SESSION_TYPE", "wayland");
        command
    }

    /// Start a command of this session that is killed when the answer is dropped.
    ///
    /// # Panics
    /// When it cannot be started.
    pub fn spawn(&self, program: impl AsRef<std::ffi::OsStr>, arguments: &[&str]) -> Running {
        let child = self
            .command(program)
            .args(arguments)
            .stdin(Stdio::null())
            .spawn();
        Running(child.unwrap_or_else(|error| panic!("not started: {error}")))
    }

    /// The home of the commands.
    pub fn home(&self) -> PathBuf {
        self.path().join("home")
    }

    // ---- looking

    /// The whole screen, taken by `grim`.
    ///
    /// # Panics
    /// When `grim` is missing or fails.
    pub fn screenshot(&self) -> Picture {
        let grim = self.command("grim").args(["-t", "png", "-"]).output();
        let grim = grim.unwrap_or_else(|error| panic!("grim does not start: {error}"));
        let picture = image::load_from_memory_with_format(&grim.stdout, image::ImageFormat::Png);
        let said = String::from_utf8_lossy(&grim.stderr);
        picture
            .unwrap_or_else(|error| panic!("no screenshot: {error}, {said}"))
            .into_rgba8()
    }

    /// Wait until `look` finds something.
    ///
    /// # Panics
    /// When it finds nothing within 30 seconds.
    pub fn wait_for<T>(&self, what: &str, mut look: impl FnMut(&Self) -> Option<T>) -> T {
        let end = Instant::now() + PATIENCE;
        loop {
            if let Some(found) = look(self) {
                return found;
            }
            assert!(
                Instant::now() < end,
                "waited in vain for {what}\n{}",
                self.said()
            );
            std::thread::sleep(Duration::from_millis(50));
        }
    }
}

impl Drop for Sway {
    fn drop(&mut self) {
        self.hands.take();
        for child in self.started.iter_mut().rev() {
            let _ = child.kill();
            let _ = child.wait();
        }
    }
}

/// A command that runs, and is killed when this is dropped.
pub struct Running(pub Child);

impl Drop for Running {
    fn drop(&mut self) {
        let _ = self.0.kill();
        let _ = self.0.wait();
    }
}

fn is_root() -> bool {
    rustix::process::geteuid().is_root()
}
