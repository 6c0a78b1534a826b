//! `ede snapshot FILE -o PNG`: one picture of a package, a document or an A2UI stream, without a display.

use std::path::PathBuf;

use clap::Args;
use ede_engine::files;
use ede_engine::package::WidgetSize;
use ede_engine::source::Limits;
use jiff::Timestamp;

use super::options::{ModeArg, RendererArg};
use super::{Exit, Failure, Output, context, options};
use crate::desktop::offscreen::{Shot, ShotError, ShotFrame, Subject};
use crate::desktop::setup::{self, Look};
use crate::paths::Paths;
use crate::sources::zone::ZoneFile;
use crate::themes::Themes;

#[derive(Debug, Args)]
pub struct Snapshot {
    /// A package, an ede-ui document, or A2UI messages (a JSON array or JSON lines)
    file: PathBuf,
    /// Where the picture goes
    #[arg(short = 'o', long = "out", value_name = "PNG")]
    out: PathBuf,
    /// phone (390 wide), wide (1280 wide), panel (40 high), widget:s, widget:m or widget:l
    #[arg(long, value_parser = parse_frame)]
    frame: Option<ShotFrame>,
    /// Exactly this size in logical pixels; without it the picture is as tall as its content
    #[arg(long, value_name = "WxH", value_parser = options::size)]
    size: Option<(f32, f32)>,
    /// Pixels per logical pixel
    #[arg(long, default_value_t = 1.0, value_parser = options::scale)]
    scale: f32,
    /// A built-in theme or a theme file
    #[arg(long)]
    theme: Option<String>,
    #[arg(long, value_enum, default_value_t = ModeArg::Light)]
    mode: ModeArg,
    /// BCP 47
    #[arg(long, value_parser = options::locale)]
    locale: Option<String>,
    /// A screen, or where the package has none a template
    #[arg(long)]
    screen: Option<String>,
    /// Which surface of a stream
    #[arg(long, value_name = "ID")]
    surface: Option<String>,
    /// Merged over the data model
    #[arg(long, value_name = "F.json")]
    data: Option<PathBuf>,
    /// Open these overlays
    #[arg(long, value_name = "ID", num_args = 1..)]
    open: Vec<String>,
    /// The time it is (RFC 3339)
    #[arg(long, value_name = "RFC3339", value_parser = options::instant)]
    now: Option<Timestamp>,
    /// The time zone (IANA)
    #[arg(long, value_name = "ZONE", value_parser = options::zone)]
    tz: Option<ZoneFile>,
    /// What paints it
    #[arg(long, value_enum, default_value_t = RendererArg::Auto)]
    renderer: RendererArg,
    /// Every painted node as JSON
    #[arg(long, value_name = "F.json")]
    dump: Option<PathBuf>,
}

fn parse_frame(text: &str) -> Result<ShotFrame, String> {
    match text {
        "phone" => Ok(ShotFrame::Phone),
        "wide" => Ok(ShotFrame::Wide),
        "panel" => Ok(ShotFrame::Panel),
        _ => text
            .strip_prefix("widget:")
            .and_then(WidgetSize::parse)
            .map(ShotFrame::Widget)
            .ok_or_else(|| "it is phone, wide, panel, widget:s, widget:m or widget:l".into()),
    }
}

impl Snapshot {
    pub fn run(self, paths: &Paths, out: &mut Output) -> Result<Exit, Failure> {
        self.renderer.picture()?;
        let place = self.file.display().to_string();
        let bytes = files::read_limited(&self.file, Limits::STREAM.bytes)?;
        let look = Look {
            theme: self.theme,
            themes: Themes::new(paths.themes()),
            dark: self.mode == ModeArg::Dark,
            locale: self.locale,
            now: self.now,
            zone: self.tz,
        };
        let mut desk = setup::offscreen(&look).map_err(Failure)?;
        if let Some(file) = &self.data {
            let data = context::json_input(file)?;
            if !data.is_object() {
                return Err(Failure::new(
                    "the data is not an object",
                    context::named(file),
                    "its members are merged over the data model: write {\"name\": value}",
                ));
            }
            desk.shelf.data = Some(data);
        }
        let wrong = |e: ShotError| Failure::new(&e, &place, e.remedy());
        let subject = Subject::read(&bytes, self.screen.as_deref(), self.surface.as_deref())
            .map_err(wrong)?;
        if let Subject::Package { package, .. } = &subject {
            for failing in package.failing_tests() {
                out.note(format_args!("{place}: {failing}"));
            }
        }
        let shot = Shot {
            frame: self.frame,
            size: self.size,
            scale: self.scale,
            open: self.open,
        };
        let taken = shot.take(&mut desk, &subject).map_err(wrong)?;
        files::write(&self.out, &taken.png)?;
        if let Some(dump) = &self.dump {
            let text = serde_json::to_vec_pretty(&taken.dump)
                .map_err(|e| Failure::new("cannot write the dump", dump.display(), e))?;
            files::write(dump, &text)?;
        }
        out.line(format!(
            "{}: {} × {} pixels",
            self.out.display(),
            taken.width,
            taken.height
        ))?;
        Ok(Exit::Done)
    }
}
