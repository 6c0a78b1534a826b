//! Right-click menus: a widget's, and the panel's own. A menu is a small document of the shell's, shown as a popup like any other.

use ede_engine::app_id::AppId;
use ede_renderer::geometry::Point;
use serde_json::Value;

use super::{DocRef, Shell};
use crate::desktop::popup::{Entry, Popup};
use crate::wayland::Platform;

/// What an entry of a widget's menu does.
#[derive(Clone, Debug, PartialEq)]
pub(super) enum MenuAction {
    Open(AppId, String),
    Permissions(DocRef, AppId),
    Resize(DocRef, String, &'static str),
    Remove(DocRef, String),
}

impl Shell {
    /// The menu of a widget that asks for one, by the right button, a finger that rests or the menu key, at a point of its own.
    pub(super) fn context_menu(
        &mut self,
        platform: &mut Platform,
        doc: DocRef,
        widget: Option<&str>,
        at: Point,
    ) {
        let Some(widget) = widget.map(str::to_string) else {
            return;
        };
        let Some(id) = self.surface_of(doc, Some(&widget)) else {
            return;
        };
        let Some(corner) = self.corner(id, doc, Some(&widget)) else {
            return;
        };
        let at = at - corner;
        let Some(w) = self.doc(doc).and_then(|d| d.widget(&widget)) else {
            return;
        };
        let app = w.content.app().cloned();
        let place = match doc {
            DocRef::Panel(..) => "panel",
            DocRef::Board(_) => "desktop",
            DocRef::Window(_) | DocRef::Popup(_) | DocRef::Toast | DocRef::Card | DocRef::Sheet => {
                return;
            }
        };
        let mut entries = Vec::new();
        if let Some(app) = app {
            let name = self
                .desk
                .shelf
                .get(&app)
                .map_or_else(|| app.to_string(), |p| p.name().to_string());
            entries.push((
                Entry::new("external-link", format!("Open {name}")),
                MenuAction::Open(app.clone(), w.content.screen.clone()),
            ));
            entries.push((
                Entry::new("shield", "What it may do"),
                MenuAction::Permissions(doc, app.clone()),
            ));
            if let DocRef::Board(_) = doc {
                let now = w
                    .props()
                    .get("size")
                    .and_then(Value::as_str)
                    .unwrap_or("s")
                    .to_string();
                for size in self.desk.sizes_of(&app) {
                    if size.as_str() != now {
                        let words = match size.as_str() {
                            "s" => "Make it small",
                            "m" => "Make it wide",
                            _ => "Make it large",
                        };
                        entries.push((
                            Entry::new("scaling", words),
                            MenuAction::Resize(doc, widget.clone(), size.as_str()),
                        ));
                    }
                }
            }
        }
        entries.push((
            Entry::new("trash-2", format!("Remove from {place}")).apart(),
            MenuAction::Remove(doc, widget),
        ));
        let (entries, actions): (Vec<Entry>, Vec<MenuAction>) = entries.into_iter().unzip();
        let menu = Popup::menu(&entries, &self.desk.style);
        self.show_menu(platform, id, doc, at, menu, actions);
    }

    /// Do what an entry says.
    pub(super) fn menu_action(&mut self, platform: &mut Platform, action: MenuAction) {
        match action {
            MenuAction::Open(app, screen) => {
                self.try_open(platform, &app, Some(&screen), Value::Null)
            }
            MenuAction::Permissions(doc, app) => self.show_permissions(platform, doc, &app),
            MenuAction::Resize(doc, widget, size) => self.edit_widget(doc, &widget, Some(size)),
            MenuAction::Remove(doc, widget) => self.edit_widget(doc, &widget, None),
        }
    }

    /// Change or remove a widget in its document's file; the live reload brings it to the screen.
    fn edit_widget(&mut self, doc: DocRef, widget: &str, size: Option<&str>) {
        let Some(document) = self.doc(doc).map(|d| d.view.surface().id.clone()) else {
            return;
        };
        if let Err(error) = self
            .library
            .edit_widget(&self.desk.docs, &document, widget, size)
        {
            tracing::warn!(document, "the widget was not changed: {error}");
            self.tell(document, format!("The widget was not changed: {error}"));
        }
    }
}
