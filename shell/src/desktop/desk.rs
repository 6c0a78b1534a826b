//! What the desktop is made of, apart from any screen: the packages, the documents, the look, the values. The Wayland client and the
//! offscreen picture stand on the same desk.

use std::sync::Arc;

use ede_engine::app_id::AppId;
use ede_engine::package::{ScreenId, WidgetSize};
use ede_renderer::display::DisplayList;
use ede_renderer::geometry::{Rect, Size};
use ede_renderer::resources::Resources;
use eui_core::types::ReduceIssue;
use serde_json::{Map, Value};

use super::chrome;
use super::doc_view::DocView;
use super::documents::Documents;
use super::native;
use super::shelf::Packages;
use super::style::Style;
use super::values::Values;
use super::window::NavItem;
use crate::wayland::{WindowInfo, WorkspaceInfo};

pub struct Desk {
    pub style: Style,
    pub res: Resources,
    pub shelf: Packages,
    pub values: Values,
    pub docs: Documents,
}

impl Desk {
    pub fn new(style: Style, res: Resources, values: Values, docs: Documents) -> Desk {
        Desk { shelf: Packages::new(style.clone()), style, res, values, docs }
    }

    /// The wallpaper of an output of this size.
    pub fn wallpaper(&mut self, size: Size) -> DisplayList {
        let recipes = self.res.recipes(self.style.theme(), self.style.mode);
        super::list_of(chrome::wallpaper(Rect::of_size(size), &recipes))
    }

    /// Say once what is wrong with a document that is shown all the same.
    pub fn report(&self, document: &str, issues: &[ReduceIssue]) {
        for i in issues {
            tracing::warn!(document, component = i.id, "{}", i.message);
        }
    }

    /// Hand the values to everything bound in a document and in the widgets standing in it.
    pub fn fill(&mut self, doc: &mut DocView) {
        for b in doc.bindings.clone() {
            if let Some(value) = self.values.get(None, &b.source)
                && doc.view.surface().get_data(&b.path) != Some(&value)
            {
                // A path the engine refuses was refused when the document was checked.
                let _ = doc.view.surface_mut().set_data(&b.path, Some(value));
            }
        }
        for (_, w) in doc.widgets_mut() {
            let package = w.content.app().and_then(|id| self.shelf.get(id)).cloned();
            for b in w.content.bindings.clone() {
                if let Some(value) = self.values.get(package.as_deref(), &b.source) {
                    w.content.set(&b.path, value);
                }
            }
        }
    }

    /// What a press on a panel widget opens: the app's l widget, else its m; on the same screen where it has one.
    pub fn popup_of(&self, app: Option<&AppId>, props: &Value) -> Option<(AppId, String, WidgetSize, Value)> {
        let id = app?;
        let package = self.shelf.get(id)?;
        let screen = props.get("screen").and_then(Value::as_str).map(ScreenId::new);
        let sizes = [WidgetSize::L, WidgetSize::M];
        let own = sizes.iter().find_map(|s| package.widget(*s, screen.as_ref()).ok().map(|f| (f, *s)));
        let (found, size) = own.or_else(|| sizes.iter().find_map(|s| package.widget(*s, None).ok().map(|f| (f, *s))))?;
        let params = props.get("params").cloned().unwrap_or_else(|| Value::Object(Map::new()));
        Some((id.clone(), found.screen.id.as_str().into(), size, params))
    }

    /// What a window of an app needs to open: its title, its navigation, the screen.
    pub fn window_of(&self, app: &AppId, screen: Option<&str>) -> Result<(String, Vec<NavItem>, String), String> {
        let package: &Arc<_> = self.shelf.get(app).ok_or_else(|| format!("{app} is not installed"))?;
        let asked = screen.map(ScreenId::new);
        let found = package.screen(asked.as_ref()).ok_or_else(|| {
            let known: Vec<&str> = package.screens().iter().map(|s| s.id.as_str()).collect();
            format!("{app} has no screen {}; it has {}", screen.unwrap_or_default(), known.join(", "))
        })?;
        let nav = package.screens().iter().map(|s| NavItem { screen: s.id.as_str().into(), title: s.title.clone(), icon: s.icon.clone() }).collect();
        Ok((package.name().to_string(), nav, found.id.as_str().to_string()))
    }

    /// The widget sizes an app has, smallest first.
    pub fn sizes_of(&self, app: &AppId) -> Vec<WidgetSize> {
        let Some(package) = self.shelf.get(app) else { return Vec::new() };
        WidgetSize::ALL.into_iter().filter(|s| package.widget(*s, None).is_ok()).collect()
    }

    /// The windows of the session, for documents that list them.
    pub fn set_windows(&mut self, windows: &[WindowInfo]) {
        self.values.push("windows", native::windows_value(windows));
    }

    pub fn set_workspaces(&mut self, workspaces: &[WorkspaceInfo]) {
        self.values.push("workspaces", native::workspaces_value(workspaces));
    }

    /// Time has passed, or the clock or the zone was changed: read what shows it again. True when it is another day.
    pub fn clock_moved(&mut self) -> bool {
        self.values.zone.refresh();
        let Desk { values, shelf, .. } = self;
        values.tick(|id| shelf.get(id).cloned());
        let today = values.now().strftime("%Y-%m-%d").to_string();
        let moved = self.style.today.as_deref() != Some(today.as_str());
        self.style.today = Some(today);
        self.shelf.style = self.style.clone();
        moved
    }
}
