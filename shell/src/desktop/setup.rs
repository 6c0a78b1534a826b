//! Makes a desk: the painter's resources, the look from options and the session document, the packages and documents from disk.

use std::path::Path;
use std::sync::Arc;

use ede_engine::source::Limits;
use ede_renderer::images::Images;
use ede_renderer::resources::Resources;
use ede_renderer::text::{Fonts, TextEngine};
use eui_core::theme::{Density, Mode, ResolvedTheme};
use eui_core::themes;
use jiff::Timestamp;
use serde_json::Value;

use super::desk::Desk;
use super::documents::Documents;
use super::feed::{Feed, Records};
use super::style::Style;
use crate::formatter::Locale;
use crate::sources::zone::ZoneFile;

/// What the person asked for on the command line.
#[derive(Clone, Debug, Default)]
pub struct Look {
    /// A built-in theme or a theme file.
    pub theme: Option<String>,
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

/// A built-in theme by id, or a theme file. An error says what is wrong, where, and what to do.
pub fn theme(name: &str) -> Result<Arc<ResolvedTheme>, String> {
    let path = Path::new(name);
    let input = if path.extension().is_some() || path.is_absolute() {
        let bytes = ede_engine::files::read_regular(path, Limits::THEME.bytes)
            .map_err(|e| e.to_string())?;
        serde_json::from_slice(&bytes)
            .map_err(|e| format!("the theme is not JSON, {name}: {e}, run `ede check` on it"))?
    } else if themes::BUILTIN_THEME_IDS.contains(&name) {
        Value::from(name)
    } else {
        return Err(format!(
            "there is no theme {name}, built in are {}, name one of them or a theme file",
            themes::BUILTIN_THEME_IDS.join(" ")
        ));
    };
    let (theme, issues) = themes::theme_or_default(&input);
    match issues.first() {
        None => Ok(theme),
        Some(first) => Err(format!(
            "the theme is wrong at {}: {}, {name}, run `ede check` on it",
            first.path, first.message
        )),
    }
}

/// The look of a desk: what was asked for, else what the session says, else the environment.
fn style(look: &Look, zone: &ZoneFile, locale: &Locale) -> Result<Style, String> {
    let mut style = Style::new(locale.clone(), zone.zone().clone());
    if let Some(name) = &look.theme {
        style.set_theme(theme(name)?, Density::Default, false);
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
    Ok(Desk::new(style, resources(), feed, docs))
}
