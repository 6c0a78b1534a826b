//! `ede focus panel`: the keyboard to the panel of the running shell, until Escape. Meant for a key binding of the compositor.

use clap::{Args, ValueEnum};

use super::open::ask;
use super::{Exit, Failure, Output};
use crate::desktop::shell::Command;
use crate::paths::Paths;

#[derive(Debug, Args)]
pub struct Focus {
    #[arg(value_enum)]
    what: What,
}

#[derive(Debug, Clone, Copy, ValueEnum)]
enum What {
    Panel,
}

impl Focus {
    pub fn run(self, paths: &Paths, _out: &mut Output) -> Result<Exit, Failure> {
        match self.what {
            What::Panel => {
                let remedy = "it works while a panel is shown and no question is";
                ask(paths, &Command::FocusPanel, "panel", remedy)
            }
        }
    }
}
