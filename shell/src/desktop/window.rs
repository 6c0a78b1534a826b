//! A window of the shell: the title bar and what stands below it, as one document. What a window shows is an app's screens or the
//! package developer's preview.

use ede_engine::app_id::AppId;
use ede_renderer::View;
use ede_renderer::geometry::{Rect, Size};
use ede_renderer::resources::Resources;
use eui_core::surface::Insets;
use serde_json::{Value, json};

use super::catalog;
use super::chrome::Plate;
use super::doc_view::{DocView, Room, Shelf, Sizing};
use super::own_window::OwnWindow;
use super::preview::Preview;
use super::screens::{NAVIGATE, Screens, Visit};
use super::style::Style;

/// From this width on a window navigates by a sidebar (px).
pub(super) const WIDE: &str = "@media (min-width: 768px)";

/// Width of the invisible edge that resizes (px).
pub const RESIZE_EDGE: f32 = 8.0;

/// The leaf the app's screen stands in.
pub const CONTENT: &str = "window.content";

/// What a press on the window's chrome asks for.
#[derive(Clone, Debug, PartialEq)]
pub enum ChromeAction {
    Back,
    Close,
    Navigate(String),
    /// An event of the preview's controls.
    Preview(String, Value),
}

/// Names of the chrome's own events; an app's events never come through the chrome's document.
const BACK: &str = "window.back";
const CLOSE: &str = "window.close";

/// The title bar's own buttons.
pub const BUTTONS: [&str; 2] = [BACK, CLOSE];

/// What stands below the title bar.
pub enum Body {
    Screens(Screens),
    Preview(Box<Preview>),
    Document(Box<OwnWindow>),
}

pub struct Window {
    pub doc: DocView,
    pub body: Body,
    title: String,
    /// The compositor draws title bar and edges.
    server_decorated: bool,
}

impl Window {
    pub fn new(title: &str, body: Body, style: &Style) -> Window {
        let surface = style.surface("window", eui_core::CORE_CATALOG_ID, catalog::extensions());
        let room = match &body {
            Body::Screens(_) => Room::Window,
            Body::Preview(_) => Room::Preview,
            // Its widgets stand free, as on the desktop.
            Body::Document(_) => Room::Desktop,
        };
        let doc = DocView::new(View::new(surface), Sizing::Styled, room);
        let mut window = Window {
            doc,
            body,
            title: title.into(),
            server_decorated: false,
        };
        window.rebuild();
        window
    }

    pub fn title(&self) -> &str {
        &self.title
    }

    /// The app whose screens it shows.
    pub fn app(&self) -> Option<&AppId> {
        match &self.body {
            Body::Screens(s) => Some(&s.app),
            Body::Preview(_) | Body::Document(_) => None,
        }
    }

    /// Show another screen of its app.
    pub fn navigate(&mut self, to: Visit) {
        if let Body::Screens(s) = &mut self.body
            && s.navigate(to)
        {
            self.rebuild();
        }
    }

    /// One step back. False where there is none.
    pub fn back(&mut self) -> bool {
        let went = match &mut self.body {
            Body::Screens(s) => s.back(),
            Body::Preview(_) | Body::Document(_) => false,
        };
        if went {
            self.rebuild();
        }
        went
    }

    /// An event of the preview's controls.
    pub fn preview_event(&mut self, name: &str, context: &Value) {
        let changed = match &mut self.body {
            Body::Preview(p) => p.event(name, context),
            Body::Screens(_) | Body::Document(_) => false,
        };
        if changed {
            self.shown_afresh();
        }
    }

    /// Read the previewed file again.
    pub fn reload(&mut self) {
        let changed = match &mut self.body {
            Body::Preview(p) => p.reload(),
            Body::Screens(_) | Body::Document(_) => false,
        };
        if changed {
            self.shown_afresh();
        }
    }

    /// Show another version of its document.
    pub fn show_document(&mut self, document: OwnWindow) {
        self.title = document.document().title().to_string();
        self.body = Body::Document(Box::new(document));
        self.shown_afresh();
    }

    fn shown_afresh(&mut self) {
        self.rebuild();
        self.doc.close_widgets(|_| true);
    }

    pub fn set_server_decorated(&mut self, on: bool) {
        if self.server_decorated != on {
            self.server_decorated = on;
            self.rebuild();
        }
    }

    pub fn update(&mut self, size: Size, shelf: &mut dyn Shelf, res: &mut Resources, now_ms: f64) {
        match &mut self.body {
            Body::Screens(_) | Body::Document(_) => {
                self.doc.update(size, Insets::default(), shelf, res, now_ms)
            }
            Body::Preview(p) => self
                .doc
                .update(size, Insets::default(), &mut p.shelf, res, now_ms),
        }
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
            _ if name.starts_with("preview.") => {
                Some(ChromeAction::Preview(name.into(), context.clone()))
            }
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
        if let Body::Document(d) = &self.body {
            self.doc.follow(d.document().bindings());
            // Data of a checked document is an object, which any surface takes.
            let _ = self
                .doc
                .view
                .surface_mut()
                .set_data("/", Some(d.document().data()));
        }
        let list = self.components();
        self.doc.view.surface_mut().set_components(
            list.into_iter()
                .filter_map(|c| serde_json::from_value(c).ok())
                .collect(),
        );
    }

    fn components(&self) -> Vec<Value> {
        let (body, mut all) = match &self.body {
            Body::Screens(s) => s.components(),
            Body::Preview(p) => p.components(),
            Body::Document(d) => d.components(),
        };
        let mut parts = vec![];
        let back = matches!(&self.body, Body::Screens(s) if s.can_go_back());
        // A compositor's title bar has no way back: then ours stands below it, without a second close button.
        if !self.server_decorated || back {
            parts.push("window.bar");
            let mut bar = vec![];
            if back {
                bar.push(BACK);
                all.push(json!({"id": BACK, "component": "Button", "variant": "ghost", "size": "icon", "icon": "ui-back",
                    "accessibility": {"label": "Back"}, "on": {"press": {"event": {"name": BACK}}}}));
            }
            bar.push("window.title");
            if !self.server_decorated {
                bar.push(CLOSE);
            }
            all.push(json!({"id": "window.title", "component": "Text", "text": self.title, "lines": 1,
                "style": {"flexGrow": 1, "flexBasis": 0, "minWidth": 0, "fontWeight": "$type.weight.semibold", "marginInlineStart": if back { 0 } else { 8 }}}));
            all.push(json!({"id": CLOSE, "component": "Button", "variant": "ghost", "size": "icon", "icon": "ui-close",
                "accessibility": {"label": "Close"}, "on": {"press": {"event": {"name": CLOSE}}}}));
            all.push(json!({"id": "window.bar", "component": "Box", "children": bar,
                "style": {"display": "flex", "flexDirection": "row", "alignItems": "center", "gap": 8, "height": "$control.appBar", "flexShrink": 0,
                    "paddingHorizontal": 8, "borderBottomWidth": 1, "borderColor": "$color.border"}}));
        }
        parts.extend(body);
        all.push(json!({"id": "root", "component": "Box", "children": parts,
            "style": {"display": "flex", "flexDirection": "column", "width": "100%", "height": "100%", "overflow": "hidden"}}));
        all
    }
}
