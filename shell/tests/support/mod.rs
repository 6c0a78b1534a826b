//! Runs the `ede` binary in folders of its own, so that no test touches the person's.
#![allow(clippy::unwrap_used, clippy::expect_used, dead_code)]

use std::path::{Path, PathBuf};
use std::process::{Command, Output};

use serde_json::{Value, json};
use tempfile::TempDir;

/// A person's folders, made for one test.
pub struct Home(TempDir);

/// What a run of `ede` answered.
#[derive(Debug)]
pub struct Ran {
    pub code: i32,
    pub out: String,
    pub err: String,
}

impl Home {
    pub fn new() -> Home {
        Home(tempfile::tempdir().unwrap())
    }

    pub fn path(&self, name: &str) -> PathBuf {
        self.0.path().join(name)
    }

    pub fn file(&self, name: &str, content: impl AsRef<[u8]>) -> PathBuf {
        let path = self.path(name);
        std::fs::write(&path, content).unwrap();
        path
    }

    /// `ede` with these folders, ready to run.
    pub fn command(&self, program: &Path) -> Command {
        let mut command = Command::new(program);
        command
            .env_clear()
            .env("PATH", "/usr/bin:/bin")
            .env("TZ", "UTC")
            .env("HOME", self.path("home"))
            .env("XDG_DATA_HOME", self.path("xdg"))
            .env("EDE_CONFIG_HOME", self.path("config"))
            .env("EDE_DATA_HOME", self.path("data"))
            .env("EDE_RUNTIME_DIR", self.path("run"));
        command
    }

    pub fn ede<A: AsRef<std::ffi::OsStr>>(&self, arguments: impl IntoIterator<Item = A>) -> Ran {
        Ran::from(self.command(&binary()).args(arguments).output().unwrap())
    }

    /// The same, words split at spaces; it must succeed. Answers stdout.
    pub fn ok(&self, line: &str) -> String {
        let ran = self.ede(line.split(' '));
        assert_eq!(
            (ran.code, ran.err.as_str()),
            (0, ""),
            "ede {line}\n{}",
            ran.out
        );
        ran.out
    }

    pub fn json(&self, line: &str) -> Value {
        serde_json::from_str(&self.ok(line)).unwrap()
    }

    /// The same; it must fail with code 1 and one `error:` line, which is answered.
    pub fn error(&self, line: &str) -> String {
        let ran = self.ede(line.split(' '));
        assert_eq!(
            (ran.code, ran.out.as_str()),
            (1, ""),
            "ede {line}\n{}",
            ran.err
        );
        assert_eq!(ran.err.lines().count(), 1, "{}", ran.err);
        let message = ran
            .err
            .trim_end()
            .strip_prefix("error: ")
            .unwrap_or_else(|| panic!("{}", ran.err));
        assert!(
            message.matches(", ").count() >= 2,
            "what, where, what to do: {message}"
        );
        message.to_owned()
    }

    /// Install [`hours`].
    pub fn with_hours() -> Home {
        let home = Home::new();
        let file = home.file("hours.app.json", hours().to_string());
        home.ok(&format!("apps install {}", file.display()));
        home
    }
}

impl From<Output> for Ran {
    fn from(output: Output) -> Ran {
        let text = |bytes| String::from_utf8(bytes).unwrap();
        Ran {
            code: output.status.code().unwrap_or(-1),
            out: text(output.stdout),
            err: text(output.stderr),
        }
    }
}

pub fn binary() -> PathBuf {
    PathBuf::from(env!("CARGO_BIN_EXE_ede"))
}

/// A package with two kinds and a named query.
pub fn hours() -> Value {
    json!({
        "formatVersion": 2, "id": "acme.hours", "name": "Hours", "version": "1.0.0", "catalogId": "https://ui.exponential.at/catalogs/core/v1",
        "icon": {"glyph": "clock", "color": "blue"}, "description": "Log hours per day",
        "records": {
            "entry": {"schema": {"type": "object", "properties": {
                "day": {"type": "string", "format": "date"}, "hours": {"type": "number", "minimum": 0}, "note": {"type": "string"}}, "required": ["day", "hours"]}},
            "task": {"schema": {"type": "object", "properties": {"title": {"type": "string"}, "status": {"type": "string"}}, "required": ["title"]}},
        },
        "queries": {"perDay": {"from": "entry", "group": ["day"], "aggregate": {"total": ["sum", "hours"]}, "sort": [["day", "asc"]]}},
        "templates": {"main": {"components": [{"id": "root", "component": "Text", "text": "Hours"}],
                               "bindings": [{"path": "/entries", "source": "records:entry?by=day&sum=hours"}]}},
    })
}
