//! The shell on a real compositor: sway, headless. Only what a real one can show: that panel, widgets, windows and popups come up,
//! take clicks and typing, and look as they should.
#![allow(clippy::unwrap_used, clippy::expect_used)]

use std::path::{Path, PathBuf};
use std::process::Command;

use ede_tests::compositor::{LEFT, RIGHT};
use ede_tests::sway::{Running, Sway};

/// The shell in a session of its own, with its folders in the session's home.
struct Desktop {
    sway: Sway,
    home: PathBuf,
    _shell: Running,
}

impl Desktop {
    fn start() -> Desktop {
        let sway = Sway::start();
        let home = sway.home();
        let fixtures = Path::new(env!("CARGO_MANIFEST_DIR")).join("../fixtures/apps");
        let desktop = Desktop {
            _shell: sway.spawn(env!("CARGO_BIN_EXE_ede"), &["run"]),
            sway,
            home,
        };
        desktop.sway.wait_for("the first run", |_| {
            desktop
                .home
                .join("data/ede/records.db")
                .exists()
                .then_some(())
        });
        for (app, kind) in [
            ("ede.tasks", "task"),
            ("ede.notes", "note"),
            ("ede.hours", "entry"),
        ] {
            let file = fixtures.join(format!("{app}.{kind}.records.json"));
            desktop.ede(&["records", "put", app, kind, file.to_str().unwrap()]);
        }
        desktop
    }

    /// Run the command line beside the shell.
    fn ede(&self, arguments: &[&str]) {
        let mut command: Command = self.sway.command(env!("CARGO_BIN_EXE_ede"));
        let output = command.args(arguments).output().unwrap();
        assert!(
            output.status.success(),
            "ede {arguments:?}: {}",
            String::from_utf8_lossy(&output.stderr)
        );
    }

    fn keep(&self, name: &str) {
        let dir = Path::new(env!("CARGO_TARGET_TMPDIR"));
        self.sway
            .screenshot()
            .save(dir.join(format!("{name}.png")))
            .unwrap();
    }
}

#[test]
fn explore() {
    let d = Desktop::start();
    std::thread::sleep(std::time::Duration::from_secs(2));
    d.keep("1-desktop");
    d.sway.click(LEFT, 640.0, 28.0);
    std::thread::sleep(std::time::Duration::from_secs(2));
    d.keep("2-popup");
    d.sway.click(LEFT, 640.0, 28.0);
    std::thread::sleep(std::time::Duration::from_secs(1));
    d.keep("3-closed");
    d.sway.click(RIGHT, 1210.0, 28.0);
    std::thread::sleep(std::time::Duration::from_secs(1));
    d.keep("4-menu");
    d.sway.click(LEFT, 300.0, 400.0);
    std::thread::sleep(std::time::Duration::from_secs(1));
    d.sway.click(LEFT, 936.0, 692.0);
    std::thread::sleep(std::time::Duration::from_secs(1));
    d.keep("5-task-ticked");
    d.ede(&["open", "ede.tasks"]);
    std::thread::sleep(std::time::Duration::from_secs(2));
    d.keep("6-window");
    d.sway.click(LEFT, 600.0, 210.0);
    std::thread::sleep(std::time::Duration::from_secs(1));
    d.sway.text("Buy yeast");
    std::thread::sleep(std::time::Duration::from_secs(1));
    d.keep("7-typed");
    d.sway.tap("Return");
    std::thread::sleep(std::time::Duration::from_secs(1));
    d.keep("8-entered");
}
