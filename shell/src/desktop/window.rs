//! A window of the shell: the title bar and what stands below it, as one document. What a window shows is an app's screens or the
//! package developer's preview.

use std::sync::Arc;

use ede_engine::app_id::AppId;
use ede_renderer::View;
use ede_renderer::display::{DisplayList, Item, Key, Op, Ops};
use ede_renderer::geometry::{Point, Radii, Rect, Size};
use ede_renderer::recipes::Recipes;
use ede_renderer::resources::Resources;
use eui_core::surface::Insets;
use serde_json::{Value, json};

use super::catalog;
use super::chrome::{PLATE_SLOT, Plate};
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

    /// Does it show a file that is not installed?
    pub fn is_preview(&self) -> bool {
        matches!(self.body, Body::Preview(_))
    }

    /// The app whose screens it shows.
    pub fn app(&self) -> Option<&AppId> {
        match &self.body {
            Body::Screens(s) => Some(&s.app),
            Body::Preview(_) | Body::Document(_) => None,
        }
    }

    /// The screen of its app that it shows.
    pub fn visit(&self) -> Option<&Visit> {
        match &self.body {
            Body::Screens(s) => s.visit(),
            Body::Preview(_) | Body::Document(_) => None,
        }
    }

    /// Show another screen of its app.
    pub fn navigate(&mut self, to: Visit) {
        let went = match &mut self.body {
            Body::Screens(s) => s.navigate(to),
            Body::Preview(p) => p.navigate(to),
            Body::Document(_) => false,
        };
        self.moved(went);
    }

    /// One step back. False where there is none.
    pub fn back(&mut self) -> bool {
        let went = match &mut self.body {
            Body::Screens(s) => s.back(),
            Body::Preview(p) => p.back(),
            Body::Document(_) => false,
        };
        self.moved(went);
        went
    }

    /// Show another screen, when it is another.
    fn moved(&mut self, went: bool) {
        match self.body {
            _ if !went => {}
            Body::Preview(_) => self.shown_afresh(),
            Body::Screens(_) | Body::Document(_) => self.rebuild(),
        }
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

    /// Its picture at `size`: plate, content, open overlays on their scrims.
    pub fn picture(&self, size: Size, square: bool, recipes: &Recipes) -> DisplayList {
        let rect = Rect::of_size(size);
        let plate = self.plate(square);
        let edge = if plate == Plate::Square { 0.0 } else { 1.0 };
        let outer = Radii::all(plate.radius(recipes));
        let nested = |n: u32, list: &Arc<DisplayList>, at: Point| Item::Nested {
            key: Key {
                slot: PLATE_SLOT - 16 - 2 * n,
                over: false,
            },
            list: list.clone(),
            at,
            clip: rect.inset(edge),
            radii: outer.shrink(edge),
        };
        let mut items = vec![
            plate.item(rect, recipes),
            nested(0, &self.doc.view.painted().main, Point::ZERO),
        ];
        for (n, (_, at, layer)) in self.doc.layers().iter().enumerate() {
            let n = n as u32 + 1;
            if let Some(c) = layer.scrim {
                let ops = Arc::new(Ops::new(vec![Op::Fill {
                    rect,
                    radii: outer,
                    brush: c.into(),
                }]));
                items.push(Item::Node {
                    key: Key {
                        slot: PLATE_SLOT - 15 - 2 * n,
                        over: false,
                    },
                    ops,
                    at: Point::ZERO,
                    clip: rect,
                });
            }
            items.push(nested(n, &layer.list, *at));
        }
        DisplayList { items }
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
            all.extend(title_bar(
                "window.bar",
                &self.title,
                back,
                !self.server_decorated,
            ));
        }
        parts.extend(body);
        all.push(json!({"id": "root", "component": "Box", "children": parts,
            "style": {"display": "flex", "flexDirection": "column", "width": "100%", "height": "100%", "overflow": "hidden"}}));
        all
    }
}

/// A title bar as a box of this id, and everything it holds.
pub fn title_bar(id: &str, title: &str, back: bool, close: bool) -> Vec<Value> {
    let button = |event: &str, icon: &str, label: &str| {
        json!({"id": event, "component": "Button", "variant": "ghost", "size": "icon", "icon": icon,
            "accessibility": {"label": label}, "on": {"press": {"event": {"name": event}}}})
    };
    let mut all = vec![];
    if back {
        all.push(button(BACK, "ui-back", "Back"));
    }
    all.push(json!({"id": "window.title", "component": "Text", "text": title, "lines": 1,
        "style": {"flexGrow": 1, "flexBasis": 0, "minWidth": 0, "fontWeight": 600, "marginInlineStart": if back { 0 } else { 8 }}}));
    if close {
        all.push(button(CLOSE, "ui-close", "Close"));
    }
    let children: Vec<Value> = all.iter().map(|c| c["id"].clone()).collect();
    all.push(json!({"id": id, "component": "Box", "children": children,
        "style": {"display": "flex", "flexDirection": "row", "alignItems": "center", "gap": 8, "height": "$control.appBar", "flexShrink": 0,
            "paddingHorizontal": 8, "borderBottomWidth": 1, "borderColor": "$color.border"}}));
    all
}
