//! Makes a desk: the painter's resources, the look from options and the session document, the packages and documents from disk.

use std::path::Path;
use std::sync::Arc;

use ede_engine::theme;
use ede_renderer::images::Images;
use ede_renderer::resources::Resources;
use ede_renderer::text::{Fonts, TextEngine};
use eui_core::theme::{Density, Mode, ResolvedTheme};
use jiff::Timestamp;

use super::desk::Desk;
use super::documents::Documents;
use super::feed::{Feed, Records};
use super::style::Style;
use crate::formatter::Locale;
use crate::paths::Paths;
use crate::sources::zone::ZoneFile;

/// What the person asked for on the command line. Text is as typed.
#[derive(Clone, Debug, Default)]
pub struct Look {
    pub theme: Option<String>,
    pub dark: bool,
    pub locale: Option<String>,
    pub now: Option<String>,
    pub zone: Option<String>,
}

/// Fonts, components and an empty picture store.
pub fn resources() -> Resources {
    Resources::new(
        TextEngine::new(Fonts::new()),
        Images::default(),
        ede_widgets::registry(),
    )
}

/// A built-in theme by id, or a theme file.
pub fn theme(name: &str) -> Result<Arc<ResolvedTheme>, String> {
    let path = Path::new(name);
    if path.extension().is_none() && !path.is_absolute() {
        return theme::built_in(name).ok_or_else(|| {
            let known = eui_core::themes::BUILTIN_THEME_IDS.join(", ");
            format!("there is no theme {name}: known are {known}, or give a file, NAME.theme.json")
        });
    }
    let bytes = ede_engine::files::read_limited(path, 1 << 20).map_err(|e| e.to_string())?;
    let read = theme::read(&bytes, &[]);
    read.theme.ok_or_else(|| {
        let said = read.issues.first();
        let said = said.map(|i| format!(" at {}: {}", i.pointer, i.message));
        format!("the theme {name} is wrong{}", said.unwrap_or_default())
    })
}

/// The look of a desk: what was asked for, else what the session says, else the environment.
fn style(
    look: &Look,
    zone: &ZoneFile,
    locale: &Locale,
    fixed: Option<Timestamp>,
) -> Result<Style, String> {
    let mut style = Style::new(locale.clone(), zone.zone().clone());
    if let Some(name) = &look.theme {
        style.set_theme(theme(name)?, Density::Default, false);
    }
    style.mode = if look.dark { Mode::Dark } else { Mode::Light };
    style.now_ms = fixed.map(|t| t.as_millisecond() as f64);
    let now = fixed
        .unwrap_or_else(Timestamp::now)
        .to_zoned(zone.zone().clone());
    style.today = Some(now.strftime("%Y-%m-%d").to_string());
    Ok(style)
}

fn environment_locale() -> String {
    let named = ["LC_ALL", "LC_TIME", "LANG"]
        .iter()
        .find_map(|k| std::env::var(k).ok().filter(|v| !v.is_empty()));
    named
        .and_then(|l| l.split('.').next().map(|l| l.replace('_', "-")))
        .filter(|l| l.len() > 1 && l != "POSIX")
        .unwrap_or_else(|| "en-US".into())
}

/// A desk with no store, no documents and no packages: pictures of one file.
pub fn offscreen(_paths: &Paths, look: &Look) -> Result<Desk, String> {
    desk(look, Documents::default(), Records::Empty)
}

/// A desk over these documents and records.
pub fn desk(look: &Look, docs: Documents, records: Records) -> Result<Desk, String> {
    let fixed = match &look.now {
        Some(text) => Some(
            ede_engine::clock::parse_instant(text)
                .ok_or_else(|| format!("{text} is no time like 2026-11-30T09:41:00+01:00"))?,
        ),
        None => None,
    };
    let zone = match &look.zone {
        Some(name) => {
            ZoneFile::named(name).ok_or_else(|| format!("there is no time zone {name}"))?
        }
        None => ZoneFile::of_session(
            std::env::var("TZ").ok().as_deref(),
            Path::new("/etc/localtime"),
        ),
    };
    let locale = Locale::new(&look.locale.clone().unwrap_or_else(environment_locale));
    let style = style(look, &zone, &locale, fixed)?;
    let feed = Feed::new(Path::new("/proc"), zone, locale, fixed, records);
    Ok(Desk::new(style, resources(), feed, docs))
}
