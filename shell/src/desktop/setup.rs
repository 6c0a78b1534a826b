//! Makes a desk: the painter's resources, the look from options and the session document, the packages and documents from disk.

use std::path::Path;

use ede_renderer::images::Images;
use ede_renderer::resources::Resources;
use ede_renderer::text::{Fonts, TextEngine};
use eui_core::theme::{Density, Mode};
use jiff::Timestamp;

use super::desk::Desk;
use super::documents::Documents;
use super::feed::{Feed, Records};
use super::style::Style;
use crate::formatter::Locale;
use crate::sources::zone::ZoneFile;
use crate::themes::Themes;

/// What the person asked for on the command line.
#[derive(Clone, Debug, Default)]
pub struct Look {
    /// A theme by its id or its file.
    pub theme: Option<String>,
    /// Where the person's own themes are.
    pub themes: Themes,
    pub dark: bool,
    /// BCP 47.
    pub locale: Option<String>,
    pub now: Option<Timestamp>,
    pub zone: Option<ZoneFile>,
}

/// Fonts, components and an empty picture store.
pub fn resources() -> Resources {
    Resources::new(
        TextEngine::new(Fonts::new()),
        Images::default(),
        ede_widgets::registry(),
    )
}

/// The look of a desk: what was asked for, else what the session says, else the environment.
fn style(look: &Look, zone: &ZoneFile, locale: &Locale) -> Result<Style, String> {
    let mut style = Style::new(locale.clone(), zone.zone().clone());
    if let Some(name) = &look.theme {
        style.set_theme(look.themes.find(name)?, Density::Default, false);
    }
    style.mode = if look.dark { Mode::Dark } else { Mode::Light };
    style.now_ms = look.now.map(|t| t.as_millisecond() as f64);
    let now = look
        .now
        .unwrap_or_else(Timestamp::now)
        .to_zoned(zone.zone().clone());
    style.today = Some(now.strftime("%Y-%m-%d").to_string());
    Ok(style)
}

/// The locale of the environment.
pub fn environment_locale() -> Locale {
    let named = ["LC_ALL", "LC_TIME", "LANG"]
        .iter()
        .find_map(|k| std::env::var(k).ok().filter(|v| !v.is_empty()));
    // `C`, `POSIX` and nonsense are English (US).
    Locale::new(&named.unwrap_or_default())
}

/// A desk with no store, no documents and no packages: pictures of one file.
pub fn offscreen(look: &Look) -> Result<Desk, String> {
    desk(look, Documents::default(), Records::Empty)
}

/// A desk over these documents and records.
pub fn desk(look: &Look, docs: Documents, records: Records) -> Result<Desk, String> {
    let zone = look.zone.clone().unwrap_or_else(|| {
        ZoneFile::of_session(
            std::env::var("TZ").ok().as_deref(),
            Path::new("/etc/localtime"),
        )
    });
    let locale = look
        .locale
        .as_deref()
        .map_or_else(environment_locale, Locale::new);
    let style = style(look, &zone, &locale)?;
    let feed = Feed::new(Path::new("/proc"), zone, locale, look.now, records);
    Ok(Desk::new(
        style,
        look.themes.clone(),
        resources(),
        feed,
        docs,
    ))
}
