//! `ede preview`: a package at phone and wide size side by side, or every component of the catalog, live.

use std::path::PathBuf;

use clap::Args;

use super::options::{self, ModeArg};
use super::run::{log, no_session};
use super::{Exit, Failure};
use crate::desktop::preview::{PreviewOptions, Subject};
use crate::desktop::session;
use crate::paths::Paths;
use crate::themes::Themes;

#[derive(Debug, Args)]
pub struct Preview {
    /// The package's file
    #[arg(required_unless_present = "gallery", conflicts_with = "gallery")]
    file: Option<PathBuf>,
    /// Every component of the catalog instead
    #[arg(long)]
    gallery: bool,
    /// The screen to begin with; in the gallery, the component
    #[arg(long)]
    screen: Option<String>,
    /// A built-in theme or a theme file
    #[arg(long)]
    theme: Option<String>,
    #[arg(long, value_enum, default_value_t = ModeArg::Light)]
    mode: ModeArg,
    /// BCP 47
    #[arg(long, value_parser = options::locale)]
    locale: Option<String>,
    /// The member who looks
    #[arg(long = "as", value_name = "WHO", value_parser = options::who)]
    who: Option<String>,
}

impl Preview {
    pub fn run(self, paths: &Paths) -> Result<Exit, Failure> {
        log();
        let themes = Themes::new(paths.themes());
        if let Some(theme) = &self.theme {
            themes.find(theme).map_err(Failure)?;
        }
        let instead = self.file.as_ref().map_or_else(
            || "ede snapshot FILE -o PNG".into(),
            |file| format!("ede snapshot {} -o PNG", file.display()),
        );
        let subject = match self.file {
            None => Subject::Gallery,
            Some(file) if file.is_file() => Subject::File(file),
            Some(file) => {
                return Err(Failure::new(
                    "there is no such file",
                    file.display(),
                    "name a package's file",
                ));
            }
        };
        let options = PreviewOptions {
            screen: self.screen,
            theme: self.theme,
            themes,
            dark: self.mode == ModeArg::Dark,
            locale: self.locale,
            who: self.who,
        };
        session::preview(subject, options)
            .map(|()| Exit::Done)
            .map_err(|e| no_session(&e, &instead))
    }
}
