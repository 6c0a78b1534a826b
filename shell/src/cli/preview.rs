//! `ede preview FILE`: a package at phone and wide size side by side, live while it is edited.

use std::path::PathBuf;

use clap::Args;

use super::run::log;
use super::snapshot::ModeArg;
use super::{Exit, Failure, Output};
use crate::desktop::preview::PreviewOptions;
use crate::desktop::session;

#[derive(Debug, Args)]
pub struct Preview {
    /// The package's file
    file: PathBuf,
    /// The screen to begin with
    #[arg(long)]
    screen: Option<String>,
    /// A built-in theme or a theme file
    #[arg(long)]
    theme: Option<String>,
    #[arg(long, value_enum, default_value_t = ModeArg::Light)]
    mode: ModeArg,
    /// BCP 47
    #[arg(long)]
    locale: Option<String>,
}

impl Preview {
    pub fn run(self, _out: &mut Output) -> Result<Exit, Failure> {
        log();
        if !self.file.is_file() {
            return Err(Failure::new(
                "there is no such file",
                self.file.display(),
                "name a package's file",
            ));
        }
        let options = PreviewOptions {
            screen: self.screen,
            theme: self.theme,
            dark: self.mode == ModeArg::Dark,
            locale: self.locale,
        };
        session::preview(&self.file, options)
            .map(|()| Exit::Done)
            .map_err(|e| Failure(e.to_string()))
    }
}
