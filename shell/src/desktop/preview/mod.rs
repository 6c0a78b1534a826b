//! The package developer's preview: one screen at phone and wide size side by side, each in the window it would have, what is wrong
//! with the package below, all of it live while the file is edited. The last version that checks stays on show beside the problems of
//! the newest. The gallery shows every component of the catalog in the same two windows.

mod frames;
mod gallery;
mod problems;
mod toolbar;

use std::path::{Path, PathBuf};
use std::sync::Arc;

use ede_engine::app_file::AppFile;
use ede_engine::files;
use ede_engine::issue::{Issue, Note};
use ede_engine::layout::LayoutCheck;
use ede_engine::package::{Judge, Package, Parsed, ScreenId};
use ede_engine::source::Limits;
use eui_core::theme::{Density, Mode};
use jiff::Timestamp;
use serde_json::{Value, json};

use super::layout_check::PainterCheck;
use super::screens::{self, Screens, Visit};
use super::setup::{self, Look};
use super::shelf::Packages;
use super::style::Style;
use crate::themes::Themes;
use frames::{Chrome, Show};
use gallery::Gallery;

/// What is previewed.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Subject {
    /// A package's file.
    File(PathBuf),
    /// Every component of the catalog.
    Gallery,
}

/// How it is shown.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct PreviewOptions {
    /// A screen; in the gallery a component.
    pub screen: Option<String>,
    pub theme: Option<String>,
    /// Where the person's own themes are.
    pub themes: Themes,
    pub dark: bool,
    pub locale: Option<String>,
    /// The member who looks; `None` is the person.
    pub who: Option<String>,
}

/// The file and what was made of it.
struct Source {
    path: PathBuf,
    package: Option<Arc<Package>>,
    /// Where the window of the package is, and was.
    screens: Option<Screens>,
    issues: Vec<Issue>,
    notes: Vec<Note>,
    /// Tests that pass, and all of them.
    tests: (usize, usize),
    /// What was read last, so that a save without a change changes nothing.
    bytes: Vec<u8>,
    saved: Option<Timestamp>,
    /// Lays templates out to see what is never seen.
    painter: Option<PainterCheck>,
}

enum Content {
    Source(Box<Source>),
    Gallery(Gallery),
}

pub struct Preview {
    content: Content,
    options: PreviewOptions,
    show: Show,
    /// Fills the leaves, in the preview's own style.
    pub shelf: Chrome,
}

impl Preview {
    pub fn new(subject: Subject, options: PreviewOptions, style: Style) -> Preview {
        let content = match subject {
            Subject::File(path) => Content::Source(Box::new(Source::new(path))),
            Subject::Gallery => Content::Gallery(Gallery::new(options.screen.as_deref())),
        };
        let mut preview = Preview {
            content,
            options,
            show: Show::Both,
            shelf: Chrome::new(Packages::new(style)),
        };
        preview.restyle();
        if !preview.reload() {
            preview.settle();
        }
        preview
    }

    /// The title of its window.
    pub fn title(&self) -> String {
        match &self.content {
            Content::Gallery(_) => "Preview: every component".into(),
            Content::Source(s) => format!("Preview: {}", file_name(&s.path)),
        }
    }

    fn restyle(&mut self) {
        let style = &mut self.shelf.packages.style;
        if let Some(name) = &self.options.theme {
            match self.options.themes.find(name) {
                Ok(theme) => style.set_theme(theme, Density::Default, false),
                Err(error) => tracing::warn!("{error}"),
            }
        }
        style.mode = if self.options.dark {
            Mode::Dark
        } else {
            Mode::Light
        };
        if let Some(locale) = &self.options.locale {
            style.set_locale(locale);
        }
    }

    fn style(&self) -> &Style {
        &self.shelf.packages.style
    }

    /// Read the file again. True when it holds something else now.
    pub fn reload(&mut self) -> bool {
        let Content::Source(source) = &mut self.content else {
            return false;
        };
        if !source.read(self.options.screen.as_deref()) {
            return false;
        }
        if let Some(package) = &source.package {
            self.shelf.packages.put(package.clone());
        }
        self.settle();
        true
    }

    /// What the frames show after a change: the chrome around the content, or the gallery.
    fn settle(&mut self) {
        match &self.content {
            Content::Source(s) => self.shelf.around(s.package.as_ref(), s.screens.as_ref()),
            Content::Gallery(g) => self.shelf.gallery(g),
        }
    }

    /// Go to another screen of the package. True when that is somewhere else.
    pub fn navigate(&mut self, to: Visit) -> bool {
        let went = match &mut self.content {
            Content::Source(s) => s.screens.as_mut().is_some_and(|s| s.navigate(to)),
            Content::Gallery(_) => false,
        };
        self.settle();
        went
    }

    /// One step back. False where there is none.
    pub fn back(&mut self) -> bool {
        let went = match &mut self.content {
            Content::Source(s) => s.screens.as_mut().is_some_and(Screens::back),
            Content::Gallery(_) => false,
        };
        self.settle();
        went
    }

    /// One of the preview's controls was used. True when something else is to be shown.
    pub fn event(&mut self, name: &str, context: &Value) -> bool {
        let Some(value) = context
            .get("value")
            .and_then(Value::as_str)
            .map(str::to_string)
        else {
            return false;
        };
        match name {
            toolbar::SCREEN => {
                if let Content::Gallery(gallery) = &mut self.content {
                    gallery.choose(&value);
                } else {
                    return self.navigate(Visit {
                        screen: value,
                        params: Value::Null,
                    });
                }
            }
            toolbar::THEME => self.options.theme = Some(value),
            toolbar::MODE => self.options.dark = value == "dark",
            toolbar::LOCALE => self.options.locale = Some(value),
            toolbar::SHOWN => self.show = Show::read(&value),
            _ => return false,
        }
        self.restyle();
        self.settle();
        true
    }

    /// The components below the title bar: the ids to place, in order, and everything they hold.
    pub fn components(&self) -> (Vec<&'static str>, Vec<Value>) {
        let mut all = toolbar::components(self);
        let mut parts = vec![toolbar::ID, frames::STAGE];
        let nothing = match &self.content {
            Content::Source(s) => s.package.is_none(),
            Content::Gallery(_) => false,
        };
        if nothing {
            all.extend(frames::nothing());
        } else {
            all.extend(self.shelf.components(self.show));
        }
        if let Content::Source(s) = &self.content {
            all.extend(problems::components(&s.issues, &s.notes, s.tests));
            parts.push(problems::ID);
        }
        (parts, all)
    }
}

impl Source {
    fn new(path: PathBuf) -> Source {
        Source {
            path,
            package: None,
            screens: None,
            issues: Vec::new(),
            notes: Vec::new(),
            tests: (0, 0),
            bytes: Vec::new(),
            saved: None,
            painter: None,
        }
    }

    /// Everything that is wrong with these bytes, and what would never be seen.
    fn check(&mut self, bytes: &[u8]) -> Parsed {
        if self.painter.is_none() {
            self.painter = setup::offscreen(&Look::default())
                .ok()
                .map(PainterCheck::new);
        }
        let layout = self.painter.as_ref().map(|p| p as &dyn LayoutCheck);
        let judge = Judge {
            layout,
            ..Judge::default()
        };
        AppFile::read(bytes, judge).parsed()
    }

    /// Read the file. True when it holds something else now; `first` is the screen to begin with.
    fn read(&mut self, first: Option<&str>) -> bool {
        let bytes = match files::read_regular(&self.path, Limits::APP_FILE.bytes) {
            Ok(bytes) => bytes,
            Err(error) => {
                self.issues = vec![Issue::new("", error.to_string())];
                self.bytes.clear();
                return true;
            }
        };
        if bytes == self.bytes {
            return false;
        }
        let parsed = self.check(&bytes);
        self.bytes = bytes;
        self.issues = parsed.issues;
        self.notes = parsed.notes;
        self.saved = std::fs::metadata(&self.path)
            .and_then(|m| m.modified())
            .ok()
            .and_then(|t| Timestamp::try_from(t).ok());
        if let Some(package) = parsed.package {
            let tests = package.run_tests();
            self.tests = (tests.iter().filter(|t| t.pass).count(), tests.len());
            let here = self.screens.as_ref().map(|s| s.here().to_string());
            let asked = here.as_deref().or(first).map(ScreenId::new);
            // The screen that was on show while the package has it, else its first.
            let screen = package
                .screen(asked.as_ref())
                .or_else(|| package.screen(None));
            self.screens = screen.map(|screen| {
                Screens::new(
                    package.id().clone(),
                    screens::entries(&package),
                    Visit {
                        screen: screen.id.as_str().into(),
                        params: json!({}),
                    },
                )
            });
            self.package = Some(Arc::new(package));
        }
        true
    }
}

fn file_name(path: &Path) -> &str {
    path.file_name()
        .and_then(|n| n.to_str())
        .unwrap_or("package")
}

#[cfg(test)]
mod tests;
