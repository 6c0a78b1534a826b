//! What reaches the shell from outside Wayland: files that changed, records that were written, values that arrived, commands of
//! `ede open` and `ede focus`. All of it comes over one channel and is taken in before the next layout.

use std::path::PathBuf;

use ede_engine::app_id::AppId;
use ede_engine::records::StoreEvent;
use serde_json::Value;

use super::Shell;
use crate::desktop::values::Arrived;
use crate::wayland::{KeyboardMode, Platform};

/// One thing that happened.
pub enum News {
    /// Files below the watched folders changed.
    Files(Vec<PathBuf>),
    Records(StoreEvent),
    Arrived(Arrived),
    /// Fonts or pictures came in.
    Resources,
    /// The desktop's colour scheme or contrast, as the portal says.
    Scheme { dark: bool, contrast: bool },
    Command(Command),
}

/// What another process asks of the running shell.
#[derive(Clone, Debug, PartialEq)]
pub enum Command {
    Open { app: AppId, screen: Option<String>, params: Value, token: Option<String> },
    FocusPanel,
}

impl Shell {
    /// Take in one thing; the answer is for whoever asked.
    pub fn news(&mut self, platform: &mut Platform, news: News) -> Result<(), String> {
        match news {
            News::Command(Command::Open { app, screen, params, token }) => self.open_app(platform, &app, screen.as_deref(), params, token),
            News::Command(Command::FocusPanel) => self.focus_panel(platform),
            News::Arrived(a) => {
                self.desk.values.arrived(a);
                Ok(())
            }
            News::Records(event) => {
                let (values, shelf) = (&mut self.desk.values, &self.desk.shelf);
                match event {
                    StoreEvent::Changed(changes) => values.records_changed(&changes, |id| shelf.get(id).cloned()),
                    StoreEvent::Replaced => values.records_replaced(|id| shelf.get(id).cloned()),
                    StoreEvent::Trouble(trouble) => tracing::error!("records: {trouble}"),
                    StoreEvent::Mended => tracing::info!("records can be read and written again"),
                }
                Ok(())
            }
            News::Resources => {
                self.repaint_all();
                Ok(())
            }
            other => {
                self.waiting.push(other);
                Ok(())
            }
        }
    }

    /// Changes of files and of the look, taken in together once per turn.
    pub(super) fn apply_news(&mut self, platform: &mut Platform) {
        for news in std::mem::take(&mut self.waiting) {
            match news {
                News::Files(paths) => self.files_changed(platform, &paths),
                News::Scheme { dark, contrast } => {
                    if self.desk.set_scheme(dark, contrast) {
                        self.restyle(platform);
                    }
                }
                _ => {}
            }
        }
    }

    /// Files changed: read what they hold now. What does not check changes nothing on screen but is said.
    fn files_changed(&mut self, platform: &mut Platform, paths: &[PathBuf]) {
        let changed = self.desk.reload(paths);
        if changed.style {
            self.restyle(platform);
        } else if changed.documents {
            self.refurnish(platform);
        }
        for app in changed.apps {
            for at in self.docs() {
                if let Some(doc) = self.doc_mut(at) {
                    doc.close_widgets(|w| w.content.app() == Some(&app) || w.native);
                }
            }
        }
    }

    /// The theme or mode is another one: everything is made again in it.
    fn restyle(&mut self, platform: &mut Platform) {
        self.close_popup(platform);
        let style = self.desk.style.clone();
        for w in self.windows.values_mut() {
            style.dress(w.window.doc.view.surface_mut());
            w.window.doc.close_widgets(|_| true);
        }
        self.refurnish(platform);
    }

    /// Every output is furnished from the documents again.
    fn refurnish(&mut self, platform: &mut Platform) {
        self.close_popup(platform);
        for on in self.outputs.values_mut() {
            on.stale = true;
        }
        self.sync_outputs(platform);
    }

    /// Another day: calendars mark it.
    pub(super) fn redress(&mut self) {
        let style = self.desk.style.clone();
        for at in self.docs() {
            let Some(doc) = self.doc_mut(at) else { continue };
            style.dress(doc.view.surface_mut());
            for (_, w) in doc.widgets_mut() {
                style.dress(w.content.view.surface_mut());
            }
        }
    }

    fn repaint_all(&mut self) {
        for at in self.docs() {
            let Some(doc) = self.doc_mut(at) else { continue };
            doc.view.invalidate();
            for (_, w) in doc.widgets_mut() {
                w.content.view.invalidate();
            }
        }
    }

    /// Give the keyboard to the first panel, until Escape.
    fn focus_panel(&mut self, platform: &mut Platform) -> Result<(), String> {
        let panel = self.outputs.iter().find_map(|(key, on)| Some((*key, on.panels.iter().enumerate().find_map(|(n, p)| Some((n, p.surface?)))?)));
        let Some((key, (n, surface))) = panel else { return Err("there is no panel to focus".into()) };
        platform.set_keyboard(surface, KeyboardMode::Exclusive);
        self.enter_panel(platform, key, n);
        Ok(())
    }

    /// Give the keyboard back to the windows.
    pub(super) fn release_panel(&mut self, platform: &mut Platform) {
        for p in self.outputs.values().flat_map(|on| &on.panels) {
            if let Some(surface) = p.surface {
                platform.set_keyboard(surface, KeyboardMode::None);
            }
        }
    }
}
