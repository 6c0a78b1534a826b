//! `ede run`: the shell on this session's compositor, or once on a virtual output with `--offscreen`.

use std::path::PathBuf;
use std::sync::Arc;

use clap::Args;
use ede_engine::files;
use ede_engine::records::{Store, StoreOptions};
use jiff::Timestamp;

use super::options::RendererArg;
use super::{Exit, Failure, Output, options};
use crate::clock::SystemClock;
use crate::desktop::desk::Scheme;
use crate::desktop::feed::Records;
use crate::desktop::library::Library;
use crate::desktop::session::{self, SessionError};
use crate::desktop::setup::{self, Look};
use crate::desktop::stage;
use crate::paths::Paths;
use crate::sources::zone::ZoneFile;
use crate::themes::Themes;
use crate::wayland::PlatformError;

#[derive(Debug, Args)]
pub struct Run {
    /// What paints
    #[arg(long, value_enum, default_value_t = RendererArg::Auto)]
    renderer: RendererArg,
    /// Draw the session once on a virtual output into this file, and end
    #[arg(long, value_name = "PNG")]
    offscreen: Option<PathBuf>,
    /// The virtual output's size in logical pixels
    #[arg(long, value_name = "WxH", value_parser = options::size, default_value = "1280x800", requires = "offscreen")]
    size: (f32, f32),
    /// Pixels per logical pixel of the virtual output
    #[arg(long, default_value_t = 1.0, value_parser = options::scale, requires = "offscreen")]
    scale: f32,
    /// The time it is on the virtual output (RFC 3339)
    #[arg(long, value_name = "RFC3339", value_parser = options::instant, requires = "offscreen")]
    now: Option<Timestamp>,
    /// The time zone of the virtual output (IANA)
    #[arg(long, value_name = "ZONE", value_parser = options::zone, requires = "offscreen")]
    tz: Option<ZoneFile>,
    /// The virtual output is dark where the session says `auto`
    #[arg(long, requires = "offscreen")]
    dark: bool,
}

impl Run {
    pub fn run(self, paths: &Paths, out: &mut Output) -> Result<Exit, Failure> {
        if self.offscreen.is_some() {
            self.renderer.picture()?;
        } else if self.renderer == RendererArg::Wgpu {
            out.note("this ede paints the screen in software, whatever --renderer says");
        }
        let mut library = Library::new(paths);
        library
            .first_run()
            .map_err(|e| Failure::new("the first run failed", e, "make the folder writable"))?;
        match &self.offscreen {
            Some(png) => self.picture(paths, library, png, out),
            None => {
                log();
                session::run(paths, library)
                    .map(|()| Exit::Done)
                    .map_err(|e| no_session(&e, "ede run --offscreen PNG"))
            }
        }
    }

    fn picture(
        &self,
        paths: &Paths,
        mut library: Library,
        png: &std::path::Path,
        out: &mut Output,
    ) -> Result<Exit, Failure> {
        let look = Look {
            now: self.now,
            zone: self.tz.clone(),
            dark: self.dark,
            themes: Themes::new(paths.themes()),
            ..Look::default()
        };
        let store = Store::start(StoreOptions::new(paths.records(), Arc::new(SystemClock)))
            .map_err(|e| Failure::new("the records cannot be opened", e, "try again"))?;
        let mut desk =
            setup::desk(&look, Default::default(), Records::Waiting(store)).map_err(Failure)?;
        desk.load_pictures(paths.ui(), Arc::new(|| {}));
        library.look(&mut desk.docs, &mut desk.shelf);
        for mistake in library.take_untold() {
            out.note(mistake);
        }
        desk.set_scheme(Scheme {
            dark: self.dark,
            ..Scheme::default()
        });
        if let Some(mistake) = desk.theme_mistake() {
            out.note(mistake);
        }
        let picture = stage::picture(&mut desk, self.size, self.scale)
            .map_err(|e| Failure::new(&e, png.display(), e.remedy()))?;
        files::write(png, &picture)?;
        out.line(format!(
            "{}: the session at {} × {}",
            png.display(),
            self.size.0,
            self.size.1
        ))?;
        Ok(Exit::Done)
    }
}

/// Why nothing is on screen; where there is no compositor, with the command that draws a picture instead.
pub(super) fn no_session(error: &SessionError, picture: &str) -> Failure {
    match error {
        SessionError::Platform(PlatformError::Connect(_)) => Failure(format!(
            "{error}, run it in a graphical session or draw a picture with `{picture}`"
        )),
        other => Failure(other.to_string()),
    }
}

/// They log what they carry.
const QUIET: [&str; 4] = ["rmcp", "reqwest", "hyper", "hyper_util"];

/// What the shell says while it runs goes to stderr: warnings, or what `EDE_LOG` asks for (`info`, `ede=debug`).
pub(super) fn log() {
    let filter = tracing_subscriber::EnvFilter::try_from_env("EDE_LOG")
        // A dialog of the portal's is listened to before it is there, which zbus warns of.
        .unwrap_or_else(|_| tracing_subscriber::EnvFilter::new("warn,zbus::proxy=error"));
    // What servers say is nobody's to read in a log.
    let filter = (QUIET
        .iter()
        .filter_map(|target| format!("{target}=off").parse().ok()))
    .fold(filter, tracing_subscriber::EnvFilter::add_directive);
    // A second subscriber in one process is a test's, which keeps its own.
    let _ = tracing_subscriber::fmt()
        .with_env_filter(filter)
        .with_writer(std::io::stderr)
        .with_target(false)
        .try_init();
}
