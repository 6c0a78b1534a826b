//! What the desktop is made of, apart from any screen: the packages, the documents, the look, the values. The Wayland client and the
//! offscreen picture stand on the same desk.

use std::path::PathBuf;
use std::sync::Arc;

use ede_engine::app_id::AppId;
use ede_engine::broker::grants::Grant;
use ede_engine::broker::names::ScopeId;
use ede_engine::documents::{self, Wallpaper};
use ede_engine::package::{Package, ScreenId, WidgetSize};
use ede_engine::records::Store;
use ede_renderer::color::Color;
use ede_renderer::display::{DisplayList, Op};
use ede_renderer::geometry::{Radii, Rect, Size};
use ede_renderer::images::{Images, Picture, PictureWaker};
use ede_renderer::resources::Resources;
use eui_core::theme::{Density, Mode};
use eui_core::types::ReduceIssue;
use serde_json::{Map, Value};

use super::chrome;
use super::doc_view::DocView;
use super::documents::Documents;
use super::feed::Feed;
use super::gate::{Around, Gate};
use super::mistakes::Mistake;
use super::pictures::{self, Media};
use super::screens::{self, NavItem};
use super::shelf::Packages;
use super::style::Style;
use crate::capabilities::http;
use crate::formatter::Locale;
use crate::themes::{Stamp, Themes};

pub struct Desk {
    pub style: Style,
    pub res: Resources,
    pub shelf: Packages,
    pub feed: Feed,
    /// What apps may do.
    pub gate: Gate,
    pub docs: Documents,
    media: Media,
    /// Where the session's document lies: pictures may be named beside it.
    pub folder: PathBuf,
    scheme: Scheme,
    pub themes: Themes,
    /// The theme, when its files were written, density and contrast the style was made of.
    themed: Option<(String, Stamp, Density, bool)>,
    /// What is wrong with the theme the session names: the one before it stays.
    theme_mistake: Option<Mistake>,
}

/// Light or dark, contrast and motion, as the desktop portal says.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Scheme {
    pub dark: bool,
    pub contrast: bool,
    /// Nothing is to move.
    pub still: bool,
}

impl Desk {
    pub fn new(style: Style, themes: Themes, res: Resources, feed: Feed, docs: Documents) -> Desk {
        Desk {
            themes,
            shelf: Packages::new(style.clone()),
            style,
            res,
            gate: Gate::new(feed.store().cloned()),
            media: Media {
                kept: feed.store().map(Store::blobs),
                ..Media::default()
            },
            feed,
            docs,
            folder: PathBuf::new(),
            scheme: Scheme::default(),
            themed: None,
            theme_mistake: None,
        }
    }

    /// The wallpaper of an output of this size. While a picture is on its way, and where it cannot be read, the theme's own.
    pub fn wallpaper(&mut self, size: Size) -> DisplayList {
        let recipes = self.res.recipes(self.style.theme(), self.style.mode);
        let all = Rect::of_size(size);
        let fill = |color: Color| Op::Fill {
            rect: all,
            radii: Radii::NONE,
            brush: color.into(),
        };
        match self.docs.session().wallpaper {
            Wallpaper::Gradient => super::list_of(chrome::wallpaper(all, &recipes)),
            Wallpaper::Colour(token) => super::list_of(vec![fill(
                recipes
                    .token(token.trim_start_matches("$color."))
                    .over(recipes.token("background")),
            )]),
            Wallpaper::Image { path, fit } => {
                let source = self
                    .media
                    .own
                    .allow(&pictures::resolve(&path, &self.folder));
                let Picture::Ready(bitmap) = self.res.images.get(&source) else {
                    return super::list_of(chrome::wallpaper(all, &recipes));
                };
                let mut ops = vec![fill(recipes.token("background"))];
                let drawn =
                    pictures::fitted(&bitmap, size, fit)
                        .into_iter()
                        .map(|(rect, source)| Op::Image {
                            bitmap: bitmap.clone(),
                            source,
                            rect,
                            radii: Radii::NONE,
                        });
                ops.extend(drawn);
                super::list_of(ops)
            }
        }
    }

    /// Pictures of the session arrive by `waker`, called on another thread.
    pub fn load_pictures(&mut self, folder: PathBuf, waker: PictureWaker) {
        self.folder = folder;
        self.res.images = Images::new(Arc::new(self.media.clone()), waker);
    }

    /// Apps load pictures from where the person lets them connect now. True when that is news: those from elsewhere are asked for anew.
    pub fn allow_pictures(&mut self) -> bool {
        let Some(scope) = ScopeId::parse(http::SCOPE) else {
            return false;
        };
        let granted = |p: &&Arc<Package>| self.gate.grants(p).get(&scope) == Some(Grant::Granted);
        let packages = self.shelf.iter().filter(granted);
        let allowed = packages.map(|p| (p.id().clone(), http::origins(p)));
        let news = self.media.remote.allow(allowed.collect());
        if news {
            self.res.images.forget_remote();
        }
        news
    }

    /// Say once what is wrong with a document that is shown all the same.
    pub fn report(&self, document: &str, issues: &[ReduceIssue]) {
        for i in issues {
            tracing::warn!(document, component = i.id, "{}", i.message);
        }
    }

    /// Ask for everything stale in a document and its widgets.
    pub fn fill(&mut self, doc: &mut DocView) {
        let around = Around {
            shelf: &self.shelf,
            gate: &self.gate,
        };
        doc.feed(&mut self.feed, &around);
    }

    /// What a press on a panel widget opens: the app's l widget, else its m; on the same screen where it has one.
    pub fn popup_of(
        &self,
        app: Option<&AppId>,
        props: &Value,
    ) -> Option<(AppId, String, WidgetSize, Value)> {
        let id = app?;
        let package = self.shelf.get(id)?;
        let screen = props
            .get("screen")
            .and_then(Value::as_str)
            .map(ScreenId::new);
        let sizes = [WidgetSize::L, WidgetSize::M];
        let own = sizes
            .iter()
            .find_map(|s| package.widget(*s, screen.as_ref()).ok().map(|f| (f, *s)));
        let (found, size) = own.or_else(|| {
            sizes
                .iter()
                .find_map(|s| package.widget(*s, None).ok().map(|f| (f, *s)))
        })?;
        let params = props
            .get("params")
            .cloned()
            .unwrap_or_else(|| Value::Object(Map::new()));
        Some((id.clone(), found.screen.id.as_str().into(), size, params))
    }

    /// What a window of an app needs to open: its title, its navigation, the screen. Whoever tells the error names the app.
    pub fn window_of(
        &self,
        app: &AppId,
        screen: Option<&str>,
    ) -> Result<(String, Vec<NavItem>, String), String> {
        let package: &Arc<_> = self.shelf.get(app).ok_or("it is not installed")?;
        let asked = screen.map(ScreenId::new);
        let found = package.screen(asked.as_ref()).ok_or_else(|| {
            let known: Vec<&str> = package.screens().iter().map(|s| s.id.as_str()).collect();
            format!(
                "it has no screen {} but {}",
                screen.unwrap_or_default(),
                known.join(", ")
            )
        })?;
        Ok((
            package.name().to_string(),
            screens::entries(package),
            found.id.as_str().to_string(),
        ))
    }

    /// The widget sizes an app has, smallest first.
    pub fn sizes_of(&self, app: &AppId) -> Vec<WidgetSize> {
        let Some(package) = self.shelf.get(app) else {
            return Vec::new();
        };
        WidgetSize::ALL
            .into_iter()
            .filter(|s| package.widget(*s, None).is_ok())
            .collect()
    }

    /// Read the session's look: theme, mode, density, locale, font scale. True when any of it is another.
    pub fn read_session(&mut self) -> bool {
        let session = self.docs.session();
        let before = (
            Arc::as_ptr(self.style.theme()),
            self.style.mode,
            self.style.font_scale,
            self.style.locale.clone(),
            self.style.reduced_motion,
        );
        let stamp = self.themes.stamp(&session.theme);
        let key = (
            session.theme.clone(),
            stamp,
            session.density,
            self.scheme.contrast,
        );
        if self.themed.as_ref() != Some(&key) {
            let found = self.themes.find(&session.theme);
            self.theme_mistake = found.as_ref().err().map(|what| Mistake {
                // A theme that is nowhere is a mistake of the document that names it.
                file: self
                    .themes
                    .file_name(&session.theme)
                    .unwrap_or_else(|| format!("session{}", documents::store::SUFFIX)),
                what: what.clone(),
            });
            match found {
                Ok(theme) => self
                    .style
                    .set_theme(theme, session.density, self.scheme.contrast),
                Err(error) => tracing::warn!("{error}; the theme stays"),
            }
            self.themed = Some(key);
        }
        self.style.mode = match session.mode {
            documents::Mode::Light => Mode::Light,
            documents::Mode::Dark => Mode::Dark,
            documents::Mode::Auto if self.scheme.dark => Mode::Dark,
            documents::Mode::Auto => Mode::Light,
        };
        self.style.font_scale = session.font_scale;
        self.style.reduced_motion = self.scheme.still;
        if let Some(locale) = session.locale {
            self.style.set_locale(&locale);
            self.feed.locale = Locale::new(&locale);
        }
        self.shelf.style = self.style.clone();
        before
            != (
                Arc::as_ptr(self.style.theme()),
                self.style.mode,
                self.style.font_scale,
                self.style.locale.clone(),
                self.style.reduced_motion,
            )
    }

    /// What is wrong with the theme the session names, as it was read last.
    pub fn theme_mistake(&self) -> Option<&Mistake> {
        self.theme_mistake.as_ref()
    }

    /// What the desktop portal says of light and dark, of contrast and of motion.
    pub fn set_scheme(&mut self, scheme: Scheme) -> bool {
        self.scheme = scheme;
        self.read_session()
    }

    /// It is another day: calendars that open mark it.
    pub fn today(&mut self) {
        self.style.today = Some(self.feed.now().strftime("%Y-%m-%d").to_string());
        self.shelf.style = self.style.clone();
    }
}
