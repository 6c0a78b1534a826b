//! How everything on the desktop looks: theme, mode, density, locale, clock. One value, cloned into every surface that is made.

use std::sync::Arc;

use ede_engine::theme;
use eui_core::ExtensionDef;
use eui_core::format::Formatter;
use eui_core::surface::{ContrastSetting, Surface, SurfaceOptions, SurfaceSettings};
use eui_core::theme::{Density, Mode, ModeSetting, ResolvedTheme, apply_contrast, apply_density};
use jiff::Timestamp;
use jiff::tz::TimeZone;

use crate::formatter::{Locale, LocaleFormatter};

/// The look of the session. Density and contrast are applied to the theme once, here: a surface that applied them itself would
/// hold a copy of the theme of its own.
#[derive(Clone)]
pub struct Style {
    /// With density and contrast applied.
    theme: Arc<ResolvedTheme>,
    pub mode: Mode,
    pub locale: String,
    pub font_scale: f32,
    pub reduced_motion: bool,
    pub formatter: Arc<dyn Formatter>,
    /// The person's time zone, as the formatter knows it.
    zone: TimeZone,
    /// The time every surface shows, in ms since 1970; `None` is the machine's clock.
    pub now_ms: Option<f64>,
    /// Today in the person's zone, `yyyy-mm-dd`.
    pub today: Option<String>,
}

impl Style {
    pub fn new(locale: Locale, zone: TimeZone) -> Style {
        Style {
            theme: theme::default(),
            mode: Mode::Light,
            locale: locale.tag().to_string(),
            font_scale: 1.0,
            reduced_motion: false,
            formatter: Arc::new(LocaleFormatter::new(locale, zone.clone())),
            zone,
            now_ms: None,
            today: None,
        }
    }

    pub fn theme(&self) -> &Arc<ResolvedTheme> {
        &self.theme
    }

    /// Show `theme` at `density`, in its high-contrast variant when `contrast` is set.
    pub fn set_theme(&mut self, theme: Arc<ResolvedTheme>, density: Density, contrast: bool) {
        let mut theme = theme;
        if density != Density::Default {
            theme = Arc::new(apply_density(&theme, density));
        }
        if contrast {
            theme = Arc::new(apply_contrast(&theme));
        }
        self.theme = theme;
    }

    /// Read dates, numbers and directions as people of this locale do (BCP 47).
    pub fn set_locale(&mut self, tag: &str) {
        let locale = Locale::new(tag);
        self.locale = locale.tag().to_string();
        self.formatter = Arc::new(LocaleFormatter::new(locale, self.zone.clone()));
    }

    /// An instant as a clock with seconds shows it here.
    pub fn time_of_day(&self, at: Timestamp) -> String {
        Locale::new(&self.locale).time(&at.to_zoned(self.zone.clone()), true)
    }

    /// An empty surface in this style.
    pub fn surface(&self, id: &str, catalog_id: &str, extensions: Vec<ExtensionDef>) -> Surface {
        let mut s = Surface::new(
            id,
            SurfaceOptions {
                catalog_id: catalog_id.into(),
                theme: Some(self.theme.clone()),
                mode: self.mode,
                extensions,
                // What the defaults say; asking for them would read every built-in theme.
                rounding: false,
                expand_controls: None,
            },
        );
        self.dress(&mut s);
        s
    }

    /// Bring a living surface to this style.
    pub fn dress(&self, s: &mut Surface) {
        s.set_theme(Some(self.theme.clone()));
        s.set_formatter(self.formatter.clone());
        s.set_clock(self.now_ms);
        let insets = s.settings().insets;
        s.set_settings(SurfaceSettings {
            locale: self.locale.clone(),
            mode: match self.mode {
                Mode::Light => ModeSetting::Light,
                Mode::Dark => ModeSetting::Dark,
            },
            contrast: ContrastSetting::Normal,
            font_scale: self.font_scale,
            reduced_motion: self.reduced_motion,
            hover: true,
            hover_close_ms: eui_core::surface::HOVER_CLOSE_MS,
            today: self.today.clone(),
            insets,
            ..SurfaceSettings::default()
        });
    }
}
