//! The programs that are compared, and how each is told to show the same thing.

use std::path::{Path, PathBuf};
use std::process::Command;

/// What a program is asked to show.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Scenario {
    /// What it shows when nobody configured it.
    Default,
    /// A clock of hours and minutes and nothing else: an idle desktop.
    Idle,
    /// A clock that ticks each second.
    Ticking,
    /// The load of the machine, which the source of ede samples every two seconds.
    System,
}

impl Scenario {
    pub fn name(self) -> &'static str {
        match self {
            Self::Default => "the default panel",
            Self::Idle => "a clock of minutes",
            Self::Ticking => "a clock of seconds",
            Self::System => "the load of the machine",
        }
    }

    /// Whether the program is watched after its start.
    pub fn watched(self) -> bool {
        self != Self::Default
    }
}

/// The peers, in the order of their columns.
const PEERS: [&str; 2] = ["waybar", "yambar"];

pub struct Program {
    pub name: &'static str,
    path: PathBuf,
}

impl Program {
    /// The release build of this workspace, which stands beside this program.
    pub fn ede() -> Program {
        let here = std::env::current_exe().unwrap_or_default();
        Program {
            name: "ede",
            path: here.with_file_name("ede"),
        }
    }

    /// ede and the peers that are here.
    pub fn installed() -> Vec<Program> {
        let peers = PEERS.into_iter().filter_map(|name| {
            Some(Program {
                name,
                path: which(name)?,
            })
        });
        peers.chain([Program::ede()]).collect()
    }

    /// The peers that are not among `programs`.
    pub fn missing(programs: &[Program]) -> impl Iterator<Item = &'static str> + '_ {
        let there = |name: &&str| programs.iter().any(|p| p.name == *name);
        PEERS.into_iter().filter(move |name| !there(name))
    }

    /// Can it show this without being given a program of its own?
    pub fn shows(&self, scenario: Scenario) -> bool {
        match scenario {
            Scenario::System => self.name != "yambar",
            Scenario::Default | Scenario::Idle | Scenario::Ticking => true,
        }
    }

    /// The command, after its settings were written into the home it will have.
    pub fn command(&self, scenario: Scenario, config: &Path) -> std::io::Result<Command> {
        let mut command = Command::new(&self.path);
        match self.name {
            "ede" => {
                command.arg("run");
                if let Some(panel) = ede_panel(scenario) {
                    let folder = config.join("ede/ui");
                    std::fs::create_dir_all(&folder)?;
                    std::fs::write(folder.join("panel-top.ede-ui.json"), panel)?;
                    // The first run would add the default desktop, whose widgets move.
                    std::fs::write(folder.join("desktop.ede-ui.json"), EMPTY_DESKTOP)?;
                }
            }
            "waybar" => {
                if let Some(modules) = waybar_modules(scenario) {
                    std::fs::create_dir_all(config.join("waybar"))?;
                    std::fs::write(
                        config.join("waybar/config"),
                        format!(r#"{{"height": 40, {modules}}}"#),
                    )?;
                }
            }
            "yambar" => {
                let format = strftime(scenario).unwrap_or("%H:%M");
                std::fs::create_dir_all(config.join("yambar"))?;
                std::fs::write(
                    config.join("yambar/config.yml"),
                    format!(
                        "bar:\n  height: 40\n  location: top\n  background: 000000ff\n  center:\n    - clock:\n        \
                         time-format: \"{format}\"\n        content: [{{string: {{text: \"{{time}}\"}}}}]\n"
                    ),
                )?;
            }
            _ => {}
        }
        Ok(command)
    }
}

fn waybar_modules(scenario: Scenario) -> Option<String> {
    let interval = match scenario {
        Scenario::Default => return None,
        Scenario::System => {
            return Some(
                r#""modules-center": ["cpu", "memory"], "cpu": {"interval": 2}, "memory": {"interval": 2}"#
                    .into(),
            );
        }
        Scenario::Idle => 60,
        Scenario::Ticking => 1,
    };
    let format = strftime(scenario)?;
    Some(format!(
        r#""modules-center": ["clock"], "clock": {{"format": "{{:{format}}}", "interval": {interval}}}"#
    ))
}

fn strftime(scenario: Scenario) -> Option<&'static str> {
    match scenario {
        Scenario::Default | Scenario::System => None,
        Scenario::Idle => Some("%H:%M"),
        Scenario::Ticking => Some("%H:%M:%S"),
    }
}

const EMPTY_DESKTOP: &str = r#"{
    "formatVersion": 1, "id": "desktop", "kind": "desktop", "place": {"outputs": ["*"]},
    "components": [{"id": "root", "component": "Box", "children": []}]
}"#;

/// A panel with one text.
fn ede_panel(scenario: Scenario) -> Option<String> {
    let (source, path) = match scenario {
        Scenario::Default => return None,
        Scenario::Idle => ("ede:clock", "/value/time"),
        Scenario::Ticking => ("ede:clock?seconds=1", "/value/time"),
        Scenario::System => ("ede:system", "/value/cpu/percent"),
    };
    let document = serde_json::json!({
        "formatVersion": 1,
        "id": "panel-top",
        "kind": "panel",
        "place": {"outputs": ["*"], "edge": "top", "thickness": 40, "layer": "top", "reserve": true, "margin": 8},
        "components": [
            {"id": "root", "component": "Box", "children": ["text"],
             "style": {"display": "flex", "flexDirection": "row", "alignItems": "center", "justifyContent": "center"}},
            {"id": "text", "component": "Text", "text": {"path": path}}
        ],
        "bindings": [{"path": "/value", "source": source}]
    });
    Some(document.to_string())
}

fn which(name: &str) -> Option<PathBuf> {
    let path = std::env::var_os("PATH")?;
    std::env::split_paths(&path)
        .map(|folder| folder.join(name))
        .find(|file| file.is_file())
}
