//! `ede snapshot FILE -o PNG`: one picture of a package, a document or an A2UI stream, without a display.

use std::path::PathBuf;

use clap::{Args, ValueEnum};
use ede_engine::package::WidgetSize;
use serde_json::Value;

use super::{Exit, Failure, Output};
use crate::desktop::offscreen::{Shot, ShotFrame, Subject};
use crate::desktop::setup::{self, Look};
use crate::paths::Paths;

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
    #[arg(long, value_name = "WxH", value_parser = parse_size)]
    size: Option<(f32, f32)>,
    /// Pixels per logical pixel
    #[arg(long, default_value_t = 1.0, value_parser = parse_scale)]
    scale: f32,
    /// A built-in theme or a theme file
    #[arg(long)]
    theme: Option<String>,
    #[arg(long, value_enum, default_value_t = ModeArg::Light)]
    mode: ModeArg,
    /// BCP 47
    #[arg(long)]
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
    #[arg(long, value_name = "RFC3339")]
    now: Option<String>,
    /// The time zone (IANA)
    #[arg(long, value_name = "ZONE")]
    tz: Option<String>,
    /// What paints it; `wgpu` is not part of this build
    #[arg(long, value_enum, default_value_t = RendererArg::Auto)]
    renderer: RendererArg,
    /// Every painted node as JSON
    #[arg(long, value_name = "F.json")]
    dump: Option<PathBuf>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub enum ModeArg {
    Light,
    Dark,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub enum RendererArg {
    Auto,
    Software,
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

/// The largest picture either side (px): what a PNG of sane size holds.
const MOST: f32 = 16_384.0;

pub(super) fn parse_size(text: &str) -> Result<(f32, f32), String> {
    let (w, h) = text
        .split_once(['x', 'X', '×'])
        .ok_or("write it as 1280x800")?;
    let side = |s: &str| {
        s.trim()
            .parse::<f32>()
            .ok()
            .filter(|n| (1.0..=MOST).contains(n))
            .ok_or(format!("a side is 1 to {MOST} pixels"))
    };
    Ok((side(w)?, side(h)?))
}

pub(super) fn parse_scale(text: &str) -> Result<f32, String> {
    text.parse::<f32>()
        .ok()
        .filter(|s| (0.25..=8.0).contains(s))
        .ok_or_else(|| "a scale is 0.25 to 8".into())
}

impl Snapshot {
    pub fn run(self, paths: &Paths, out: &mut Output) -> Result<Exit, Failure> {
        let place = self.file.display().to_string();
        let bytes = std::fs::read(&self.file)
            .map_err(|e| Failure::new("cannot read the file", &place, e))?;
        let look = Look {
            theme: self.theme.clone(),
            dark: self.mode == ModeArg::Dark,
            locale: self.locale.clone(),
            now: self.now.clone(),
            zone: self.tz.clone(),
        };
        let mut desk = setup::offscreen(paths, &look)
            .map_err(|e| Failure::new(e, &place, "correct the option"))?;
        if let Some(data) = &self.data {
            let name = data.display().to_string();
            let text =
                std::fs::read(data).map_err(|e| Failure::new("cannot read the data", &name, e))?;
            let value: Value = serde_json::from_slice(&text)
                .map_err(|e| Failure::new("the data is not JSON", &name, e))?;
            desk.shelf.data = Some(value);
        }
        let subject = Subject::read(&bytes, self.screen.as_deref(), self.surface.as_deref())
            .map_err(|e| Failure::new(e, &place, "run `ede check` on it"))?;
        let shot = Shot {
            frame: self.frame,
            size: self.size,
            scale: self.scale,
            open: self.open.clone(),
        };
        let taken = shot
            .take(&mut desk, &subject)
            .map_err(|e| Failure::new(e, &place, "run `ede check` on it"))?;
        let to = self.out.display().to_string();
        std::fs::write(&self.out, &taken.png)
            .map_err(|e| Failure::new("cannot write the picture", &to, e))?;
        if let Some(dump) = &self.dump {
            let to = dump.display().to_string();
            let text = serde_json::to_vec_pretty(&taken.dump)
                .map_err(|e| Failure::new("cannot write the dump", &to, e))?;
            std::fs::write(dump, text)
                .map_err(|e| Failure::new("cannot write the dump", &to, e))?;
        }
        out.line(format!("{}: {} × {} pixels", to, taken.width, taken.height))?;
        Ok(Exit::Done)
    }
}
