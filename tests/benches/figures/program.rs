//! The programs that are compared, and how each is told to show the same thing.

use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::Duration;

/// What a program is asked to show.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Scenario {
    /// What it shows when nobody configured it.
    Default,
    /// A clock of hours and minutes and nothing else: an idle desktop.
    Idle,
    /// A clock that ticks each second.
    Ticking,
}

impl Scenario {
    pub const ALL: [Self; 3] = [Self::Default, Self::Idle, Self::Ticking];

    pub fn title(self, watch: Duration) -> String {
        let seconds = watch.as_secs();
        match self {
            Self::Default => "The default panel".to_owned(),
            Self::Idle => format!("Idle with a clock of minutes, for {seconds} s"),
            Self::Ticking => format!("A clock that ticks each second, for {seconds} s"),
        }
    }

    /// Whether the program is watched after its start.
    pub fn watched(self) -> bool {
        self != Self::Default
    }
}

pub struct Program {
    pub name: &'static str,
    path: PathBuf,
}

impl Program {
    /// ede and the peers that are here; the peers first, for the ratios.
    pub fn installed() -> Vec<Self> {
        let mut found: Vec<_> = ["waybar", "yambar"]
            .into_iter()
            .filter_map(|name| {
                Some(Self {
                    name,
                    path: which(name)?,
                })
            })
            .collect();
        found.push(Self {
            name: "ede",
            path: ede(),
        });
        found
    }

    /// The figures that were asked for, in words.
    pub fn wanted(&self, scenario: Scenario) -> Option<&'static str> {
        if self.name != "ede" {
            return None;
        }
        Some(match scenario {
            Scenario::Default => "start ≤ 0.25, memory ≤ 0.8 of waybar's",
            Scenario::Idle => "no tick, at most one wake-up a minute",
            Scenario::Ticking => "repaints under 3 % of the panel, less processor than waybar",
        })
    }

    /// The command, after its settings were written into the home it will have.
    pub fn command(&self, scenario: Scenario, config: &Path) -> std::io::Result<Command> {
        let mut command = Command::new(&self.path);
        match self.name {
            "ede" => {
                command.arg("run");
                if let Some(clock) = ede_clock(scenario) {
                    let folder = config.join("ede/ui");
                    std::fs::create_dir_all(&folder)?;
                    std::fs::write(folder.join("panel-top.ede-ui.json"), clock)?;
                }
            }
            "waybar" => {
                if let Some(format) = strftime(scenario) {
                    let clock = format!(
                        r#""clock": {{"format": "{{:{format}}}", "interval": {}}}"#,
                        interval(scenario)
                    );
                    std::fs::create_dir_all(config.join("waybar"))?;
                    std::fs::write(
                        config.join("waybar/config"),
                        format!(r#"{{"height": 40, "modules-center": ["clock"], {clock}}}"#),
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

fn strftime(scenario: Scenario) -> Option<&'static str> {
    match scenario {
        Scenario::Default => None,
        Scenario::Idle => Some("%H:%M"),
        Scenario::Ticking => Some("%H:%M:%S"),
    }
}

fn interval(scenario: Scenario) -> u32 {
    if scenario == Scenario::Ticking { 1 } else { 60 }
}

fn ede_clock(scenario: Scenario) -> Option<String> {
    let source = match scenario {
        Scenario::Default => return None,
        Scenario::Idle => "ede:clock",
        Scenario::Ticking => "ede:clock?seconds=1",
    };
    let document = serde_json::json!({
        "formatVersion": 1,
        "id": "panel-top",
        "kind": "panel",
        "place": {"outputs": ["*"], "edge": "top", "thickness": 40, "layer": "top", "reserve": true},
        "components": [
            {"id": "root", "component": "Row", "justify": "center", "align": "center", "children": ["time"]},
            {"id": "time", "component": "Text", "text": {"path": "/clock/time"}}
        ],
        "bindings": [{"path": "/clock", "source": source}]
    });
    Some(document.to_string())
}

/// The release build of this workspace, which `make bench` makes first.
fn ede() -> PathBuf {
    let target = std::env::var_os("CARGO_TARGET_DIR").map(PathBuf::from);
    target
        .unwrap_or_else(|| Path::new(env!("CARGO_MANIFEST_DIR")).join("../target"))
        .join("release/ede")
}

fn which(name: &str) -> Option<PathBuf> {
    let path = std::env::var_os("PATH")?;
    std::env::split_paths(&path)
        .map(|folder| folder.join(name))
        .find(|file| file.is_file())
}
