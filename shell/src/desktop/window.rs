//! An app's window: the title bar, the navigation (a sidebar when wide, a bottom bar when narrow) and the app's screen between them.
//! All of it is one document; its style decides by width, so a resize lays out and builds nothing new.

use ede_engine::app_id::AppId;
use ede_renderer::View;
use ede_renderer::geometry::{Rect, Size};
use ede_renderer::resources::Resources;
use eui_core::surface::Insets;
use eui_core::types::FlatComponent;
use serde_json::{Value, json};

use super::catalog;
use super::chrome::Plate;
use super::doc_view::{DocView, Room, Shelf, Sizing};
use super::style::Style;

/// From this width on a window navigates by a sidebar (px).
const WIDE: &str = "@media (min-width: 768px)";

/// Width of the invisible edge that resizes (px).
pub const RESIZE_EDGE: f32 = 8.0;

/// A screen the window can show.
#[derive(Clone, Debug, PartialEq)]
pub struct NavItem {
    pub screen: String,
    pub title: String,
    pub icon: Option<String>,
}

/// One step of the window's own history.
#[derive(Clone, Debug, PartialEq)]
pub struct Visit {
    pub screen: String,
    pub params: Value,
}

/// What a press on the window's chrome asks for.
#[derive(Clone, Debug, PartialEq)]
pub enum ChromeAction {
    Back,
    Close,
    Navigate(String),
}

/// Names of the chrome's own events; an app's events never come through the chrome's document.
const BACK: &str = "window.back";
const CLOSE: &str = "window.close";
const NAVIGATE: &str = "window.navigate";

/// The leaf the app's screen stands in.
pub const CONTENT: &str = "window.content";

pub struct AppWindow {
    pub app: AppId,
    pub doc: DocView,
    title: String,
    nav: Vec<NavItem>,
    history: Vec<Visit>,
    /// The compositor draws title bar and edges.
    server_decorated: bool,
}

impl AppWindow {
    pub fn new(
        app: AppId,
        title: &str,
        nav: Vec<NavItem>,
        first: Visit,
        style: &Style,
    ) -> AppWindow {
        let surface = style.surface("window", eui_core::CORE_CATALOG_ID, catalog::extensions());
        let mut window = AppWindow {
            app,
            doc: DocView::new(View::new(surface), Sizing::Styled, Room::Window),
            title: title.into(),
            nav,
            history: vec![first],
            server_decorated: false,
        };
        window.rebuild();
        window
    }

    pub fn title(&self) -> &str {
        &self.title
    }

    /// What it shows now.
    pub fn visit(&self) -> Option<&Visit> {
        self.history.last()
    }

    /// Go to a screen. A screen of the navigation is a place of its own: the way back ends there.
    pub fn navigate(&mut self, to: Visit) {
        if self.history.last() == Some(&to) {
            return;
        }
        self.history.push(to);
        // A history nobody can remember is no help; the oldest steps go.
        if self.history.len() > 64 {
            self.history.remove(0);
        }
        self.rebuild();
    }

    /// One step back. False at the first screen: Back never leaves the app.
    pub fn back(&mut self) -> bool {
        if self.history.len() < 2 {
            return false;
        }
        self.history.pop();
        self.rebuild();
        true
    }

    pub fn set_server_decorated(&mut self, on: bool) {
        if self.server_decorated != on {
            self.server_decorated = on;
            self.rebuild();
        }
    }

    pub fn update(&mut self, size: Size, shelf: &mut dyn Shelf, res: &mut Resources, now_ms: f64) {
        self.doc.update(size, Insets::default(), shelf, res, now_ms);
    }

    /// Where the title bar is (surface coordinates): pressing it moves the window.
    pub fn title_bar(&self) -> Option<Rect> {
        let surface = self.doc.view.surface();
        let f = surface.last_frame(surface.index_of("window.bar")?)?;
        Some(Rect::new(f.x, f.y, f.w, f.h))
    }

    /// What one of the chrome's own events asks for.
    pub fn action(name: &str, context: &Value) -> Option<ChromeAction> {
        match name {
            BACK => Some(ChromeAction::Back),
            CLOSE => Some(ChromeAction::Close),
            NAVIGATE => context
                .get("screen")
                .and_then(Value::as_str)
                .map(|s| ChromeAction::Navigate(s.into())),
            _ => None,
        }
    }

    pub fn plate(&self, square: bool) -> Plate {
        if square || self.server_decorated {
            Plate::Square
        } else {
            Plate::Window
        }
    }

    fn rebuild(&mut self) {
        let list = self.components();
        self.doc.view.surface_mut().set_components(list);
    }

    fn components(&self) -> Vec<FlatComponent> {
        let visit = self.history.last();
        let here = visit.map(|v| v.screen.as_str()).unwrap_or_default();
        let many = self.nav.len() > 1;
        let mut body = vec![];
        let mut all = vec![];
        if many {
            body.push("window.side".to_string());
            let row = |v: &str| format!("window.{v}");
            let mut side = vec![];
            let mut bottom = vec![];
            for (n, item) in self.nav.iter().enumerate() {
                let on = item.screen == here;
                let press = json!({"press": {"event": {"name": NAVIGATE, "context": {"screen": item.screen}}}});
                let icon = item.icon.as_deref().unwrap_or("layout-grid");
                let color = if on {
                    "$color.foreground"
                } else {
                    "$color.mutedForeground"
                };
                let weight = if on {
                    "$type.weight.medium"
                } else {
                    "$type.weight.regular"
                };
                let (s, b) = (row(&format!("side.{n}")), row(&format!("bottom.{n}")));
                all.push(json!({"id": s, "component": "Box", "pressable": true, "on": press, "children": [format!("{s}.icon"), format!("{s}.text")],
                    "accessibility": {"role": "link", "label": item.title},
                    "style": {"display": "flex", "flexDirection": "row", "alignItems": "center", "gap": 8, "height": "$control.row", "paddingHorizontal": 12,
                        "borderRadius": "$radius.md", "flexShrink": 0, (if on { "backgroundColor" } else { ":hover" }):
                        (if on { json!("$color.accent") } else { json!({"backgroundColor": "$color.accent"}) })}}));
                all.push(json!({"id": format!("{s}.icon"), "component": "Icon", "name": icon, "size": "sm", "style": {"color": color}}));
                all.push(json!({"id": format!("{s}.text"), "component": "Text", "text": item.title, "lines": 1, "style": {"fontWeight": weight, "minWidth": 0}}));
                all.push(json!({"id": b, "component": "Box", "pressable": true, "on": press, "children": [format!("{b}.icon"), format!("{b}.text")],
                    "accessibility": {"role": "link", "label": item.title},
                    "style": {"display": "flex", "flexDirection": "column", "alignItems": "center", "justifyContent": "center", "gap": 4, "flexGrow": 1, "flexBasis": 0, "minWidth": 0}}));
                all.push(json!({"id": format!("{b}.icon"), "component": "Icon", "name": icon, "style": {"color": color}}));
                all.push(json!({"id": format!("{b}.text"), "component": "Text", "text": item.title, "lines": 1,
                    "style": {"fontSize": "$type.size.xs", "lineHeight": "$type.lineHeight.xs", "fontWeight": weight, "color": color}}));
                side.push(s);
                bottom.push(b);
            }
            all.push(json!({"id": "window.side", "component": "Box", "children": side, "accessibility": {"role": "navigation"},
                "style": {"display": "none", "flexDirection": "column", "gap": 2, "padding": 8, "width": 200, "flexShrink": 0, "overflowY": "auto",
                    "backgroundColor": "$color.card", "borderRightWidth": 1, "borderColor": "$color.border", WIDE: {"display": "flex"}}}));
            all.push(json!({"id": "window.bottom", "component": "Box", "children": bottom, "accessibility": {"role": "navigation"},
                "style": {"display": "flex", "flexDirection": "row", "height": "$control.tabBar", "flexShrink": 0, "backgroundColor": "$color.card",
                    "borderTopWidth": 1, "borderColor": "$color.border", WIDE: {"display": "none"}}}));
        }
        body.push(CONTENT.into());
        all.push(json!({"id": CONTENT, "component": "AppContent", "app": self.app.as_str(), "screen": here,
            "params": visit.map(|v| v.params.clone()).unwrap_or_default(), "style": {"flexGrow": 1, "flexBasis": 0, "minWidth": 0, "minHeight": 0}}));
        all.push(json!({"id": "window.body", "component": "Box", "children": body,
            "style": {"display": "flex", "flexDirection": "row", "alignItems": "stretch", "flexGrow": 1, "flexBasis": 0, "minHeight": 0}}));
        let mut parts = vec![];
        if !self.server_decorated {
            parts.push("window.bar");
            let mut bar = vec![];
            if self.history.len() > 1 {
                bar.push("window.back");
                all.push(json!({"id": "window.back", "component": "Button", "variant": "ghost", "size": "icon", "icon": "ui-back",
                    "accessibility": {"label": "Back"}, "on": {"press": {"event": {"name": BACK}}}}));
            }
            bar.extend(["window.title", "window.close"]);
            let indent = if self.history.len() > 1 { 0 } else { 8 };
            all.push(json!({"id": "window.title", "component": "Text", "text": self.title, "lines": 1,
                "style": {"flexGrow": 1, "flexBasis": 0, "minWidth": 0, "fontWeight": "$type.weight.semibold", "marginInlineStart": indent}}));
            all.push(json!({"id": "window.close", "component": "Button", "variant": "ghost", "size": "icon", "icon": "ui-close",
                "accessibility": {"label": "Close"}, "on": {"press": {"event": {"name": CLOSE}}}}));
            all.push(json!({"id": "window.bar", "component": "Box", "children": bar,
                "style": {"display": "flex", "flexDirection": "row", "alignItems": "center", "gap": 8, "height": "$control.appBar", "flexShrink": 0,
                    "paddingHorizontal": 8, "borderBottomWidth": 1, "borderColor": "$color.border"}}));
        }
        parts.push("window.body");
        if many {
            parts.push("window.bottom");
        }
        all.push(json!({"id": "root", "component": "Box", "children": parts,
            "style": {"display": "flex", "flexDirection": "column", "width": "100%", "height": "100%", "overflow": "hidden"}}));
        all.into_iter()
            .filter_map(|c| serde_json::from_value(c).ok())
            .collect()
    }
}
