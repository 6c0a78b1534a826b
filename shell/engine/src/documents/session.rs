//! The session document: how the whole desktop looks and reads, and what starts with it.

use eui_core::theme::Density;
use serde_json::Value;

/// Light, dark, or as the desktop portal says.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
pub enum Mode {
    #[default]
    Auto,
    Light,
    Dark,
}

/// How an image fills an output.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
pub enum Fit {
    /// Fills it, cut where it must be.
    #[default]
    Cover,
    /// All of it, with bars where it must be.
    Contain,
    Centre,
    Tile,
}

/// What is behind everything.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub enum Wallpaper {
    /// A quiet gradient of the theme's own colours.
    #[default]
    Gradient,
    /// One colour token, `$color.muted`.
    Colour(String),
    /// A picture: an absolute path, one below the home folder (`~/`), or one beside the document.
    Image { path: String, fit: Fit },
}

/// The session's settings, defaults filled in.
#[derive(Debug, Clone, PartialEq)]
pub struct Session {
    /// A theme's id.
    pub theme: String,
    pub mode: Mode,
    pub density: Density,
    /// A language tag; none means the environment's.
    pub locale: Option<String>,
    /// 1 is the theme's own size.
    pub font_scale: f32,
    pub wallpaper: Wallpaper,
    /// Desktop entry ids, `.desktop` left out.
    pub startup: Vec<String>,
}

impl Default for Session {
    fn default() -> Session {
        Session::read(&Value::Null)
    }
}

impl Session {
    pub(super) fn read(value: &Value) -> Session {
        Session {
            theme: value["theme"]
                .as_str()
                .unwrap_or(eui_core::themes::DEFAULT_THEME_ID)
                .to_owned(),
            mode: match value["mode"].as_str() {
                Some("light") => Mode::Light,
                Some("dark") => Mode::Dark,
                _ => Mode::Auto,
            },
            density: value["density"]
                .as_str()
                .and_then(Density::parse)
                .unwrap_or_default(),
            locale: value["locale"]
                .as_str()
                .filter(|l| *l != "auto")
                .map(str::to_owned),
            font_scale: value["fontScale"].as_f64().map_or(1.0, |n| n as f32),
            wallpaper: wallpaper(&value["wallpaper"]),
            startup: value["startup"]
                .as_array()
                .into_iter()
                .flatten()
                .filter_map(Value::as_str)
                .map(|id| id.strip_suffix(".desktop").unwrap_or(id).to_owned())
                .collect(),
        }
    }
}

fn wallpaper(value: &Value) -> Wallpaper {
    let text = |key: &str| value[key].as_str().unwrap_or_default().to_owned();
    match value["kind"].as_str() {
        Some("color") => Wallpaper::Colour(text("color")),
        Some("image") => Wallpaper::Image {
            path: text("path"),
            fit: match value["fit"].as_str() {
                Some("contain") => Fit::Contain,
                Some("center") => Fit::Centre,
                Some("tile") => Fit::Tile,
                _ => Fit::Cover,
            },
        },
        _ => Wallpaper::Gradient,
    }
}
