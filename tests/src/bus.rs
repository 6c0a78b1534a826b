//! A session bus that nobody else is on.

use std::io::{BufRead, BufReader};
use std::process::{Child, Command, Stdio};

/// A running `dbus-daemon`. It is killed when this is dropped.
pub struct Bus {
    daemon: Child,
    address: String,
}

impl Bus {
    /// A bus with nothing on it.
    ///
    /// # Panics
    /// When `dbus-daemon` does not start.
    pub fn start() -> Bus {
        let daemon = Command::new("dbus-daemon")
            .args([
                "--session",
                "--nofork",
                "--nopidfile",
                "--nosyslog",
                "--print-address=1",
            ])
            .stdin(Stdio::null())
            .stdout(Stdio::piped())
            .stderr(Stdio::null())
            .spawn();
        let mut daemon = daemon.unwrap_or_else(|error| panic!("no dbus-daemon: {error}"));
        let mut address = String::new();
        if let Some(said) = &mut daemon.stdout {
            let _ = BufReader::new(said).read_line(&mut address);
        }
        assert!(!address.is_empty(), "the bus has no address");
        Bus {
            daemon,
            address: address.trim_end().into(),
        }
    }

    /// Where it listens, as `DBUS_SESSION_BUS_ADDRESS` has it.
    pub fn address(&self) -> &str {
        &self.address
    }
}

impl Drop for Bus {
    fn drop(&mut self) {
        let _ = self.daemon.kill();
        let _ = self.daemon.wait();
    }
}
