//! The two windows on the preview's stage: title bar, navigation and content, each laid out at its own size and shown smaller. The
//! content is the app's screen as any window would hold it; the parts around it are surfaces of the shell's own.

use std::sync::Arc;

use ede_engine::package::Package;
use eui_core::direction::TextDirection;
use eui_core::surface::PlacedNode;
use serde_json::{Value, json};

use super::gallery::Gallery;
use crate::desktop::app_view::{AppView, Frame, Owner};
use crate::desktop::catalog;
use crate::desktop::doc_view::{Room, Shelf, Widget};
use crate::desktop::error_tile::Problem;
use crate::desktop::screens::{Nav, SIDE, Screens, Shown};
use crate::desktop::shelf::Packages;
use crate::desktop::window::title_bar;

/// How large the two windows are, and how large they are shown.
const PHONE: (f32, f32) = (390.0, 844.0);
const WIDE: (f32, f32) = (1280.0, 800.0);
const ZOOM: f32 = 0.5;

pub const STAGE: &str = "preview.stage";

/// A title bar's and a bottom bar's height where a theme does not say (px).
const APP_BAR: f32 = 48.0;
const TAB_BAR: f32 = 56.0;

/// Which of the two windows are on the stage.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Show {
    Both,
    Phone,
    Wide,
}

impl Show {
    pub fn read(text: &str) -> Show {
        match text {
            "phone" => Show::Phone,
            "wide" => Show::Wide,
            _ => Show::Both,
        }
    }

    pub fn as_str(self) -> &'static str {
        match self {
            Show::Both => "both",
            Show::Phone => "phone",
            Show::Wide => "wide",
        }
    }
}

/// A part of a window, as the `part` of its leaf says.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Part {
    Bar,
    Side,
    Bottom,
    Gallery,
}

impl Part {
    fn read(text: &str) -> Option<Part> {
        [Part::Bar, Part::Side, Part::Bottom, Part::Gallery]
            .into_iter()
            .find(|p| p.as_str() == text)
    }

    fn as_str(self) -> &'static str {
        match self {
            Part::Bar => "bar",
            Part::Side => "side",
            Part::Bottom => "bottom",
            Part::Gallery => "gallery",
        }
    }
}

/// What the windows hold around and in place of an app's screen.
#[derive(Default)]
struct Held {
    bar: Vec<Value>,
    /// Empty where there is nothing to navigate to.
    side: Vec<Value>,
    bottom: Vec<Value>,
    /// What stands in place of an app's screen.
    gallery: Vec<Value>,
    /// The leaf of the app's screen.
    content: Value,
}

/// Fills the stage's leaves: the parts of the two windows here, the app's screen from its package.
pub struct Chrome {
    pub packages: Packages,
    held: Held,
}

/// The messages of a part: its box is the root of a surface, and fills it.
fn part(mut components: Vec<Value>) -> Vec<Value> {
    for c in components.iter_mut().filter(|c| c["id"] == "root") {
        c["style"]["height"] = json!("100%");
    }
    vec![
        json!({"version": "v0.9", "updateComponents": {"surfaceId": "chrome", "components": components}}),
    ]
}

impl Chrome {
    pub fn new(packages: Packages) -> Chrome {
        Chrome {
            packages,
            held: Held::default(),
        }
    }

    /// Show a screen of a package.
    pub fn around(&mut self, package: Option<&Arc<Package>>, screens: Option<&Screens>) {
        let (Some(package), Some(screens)) = (package, screens) else {
            self.held = Held::default();
            return;
        };
        let (mut side, mut bottom) = (vec![], vec![]);
        if screens.navigates() {
            side = part(screens.navigation("root", Nav::Side, Shown::Always));
            bottom = part(screens.navigation("root", Nav::Bottom, Shown::Always));
        }
        self.held = Held {
            bar: part(title_bar(
                "root",
                package.name(),
                screens.can_go_back(),
                true,
            )),
            side,
            bottom,
            gallery: vec![],
            content: json!({"app": package.id().as_str(), "screen": screens.here(), "params": screens.params()}),
        };
    }

    /// Show the gallery.
    pub fn gallery(&mut self, gallery: &Gallery) {
        self.held = Held {
            bar: part(title_bar("root", "Components", false, true)),
            gallery: gallery.messages(),
            ..Held::default()
        };
    }

    fn number(&self, name: &str, otherwise: f32) -> f32 {
        let numbers = self.packages.style.theme().tokens.numbers("control");
        numbers
            .and_then(|n| n.get(name))
            .map_or(otherwise, |n| *n as f32)
    }

    /// The stage and everything on it.
    pub fn components(&self, show: Show) -> Vec<Value> {
        let (mut all, mut columns) = (Vec::new(), Vec::new());
        for (id, label, size, on) in [
            ("phone", "Phone", PHONE, show != Show::Wide),
            ("wide", "Wide", WIDE, show != Show::Phone),
        ] {
            if on {
                columns.push(self.window(id, label, size, &mut all));
            }
        }
        all.push(stage(&columns));
        all
    }

    /// One window under its label. Answers its id.
    fn window(&self, id: &str, label: &str, (w, h): (f32, f32), all: &mut Vec<Value>) -> String {
        let id = format!("preview.{id}");
        let leaf = |name: &str, part: Part, style: Value| json!({"id": format!("{id}.{name}"), "component": catalog::CHROME, "part": part.as_str(), "style": style});
        let bar = self.number("appBar", APP_BAR) * ZOOM;
        let grows = json!({"flexGrow": 1, "flexBasis": 0, "minWidth": 0, "minHeight": 0});
        let (mut rows, mut row) = (vec![], vec![]);
        let mut put = |list: &mut Vec<Value>, leaf: Value| {
            list.push(leaf["id"].clone());
            all.push(leaf);
        };
        put(
            &mut rows,
            leaf("bar", Part::Bar, json!({"height": bar, "flexShrink": 0})),
        );
        let wide = w >= WIDE.0;
        if wide && !self.held.side.is_empty() {
            put(
                &mut row,
                leaf(
                    "side",
                    Part::Side,
                    json!({"width": SIDE * ZOOM, "flexShrink": 0}),
                ),
            );
        }
        let content = if self.held.gallery.is_empty() {
            let mut content = self.held.content.clone();
            content["id"] = json!(format!("{id}.content"));
            content["component"] = json!(catalog::CONTENT);
            content["style"] = grows.clone();
            content
        } else {
            leaf("content", Part::Gallery, grows.clone())
        };
        put(&mut row, content);
        let direction = TextDirection::of_locale(&self.packages.style.locale).as_str();
        let middle = json!({"id": format!("{id}.middle"), "component": "Box", "children": row,
            "style": {"display": "flex", "flexDirection": "row", "alignItems": "stretch", "direction": direction, "flexGrow": 1, "flexBasis": 0, "minHeight": 0}});
        put(&mut rows, middle);
        if !wide && !self.held.bottom.is_empty() {
            let height = self.number("tabBar", TAB_BAR) * ZOOM;
            put(
                &mut rows,
                leaf(
                    "bottom",
                    Part::Bottom,
                    json!({"height": height, "flexShrink": 0}),
                ),
            );
        }
        let small = |text: String, id: &str, muted: bool| {
            let mut style =
                json!({"fontSize": "$type.size.xs", "lineHeight": "$type.lineHeight.xs"});
            if muted {
                style["color"] = json!("$color.mutedForeground");
            } else {
                style["fontWeight"] = json!(500);
            }
            json!({"id": id, "component": "Text", "text": text, "style": style})
        };
        let (name, size) = (format!("{id}.label.name"), format!("{id}.label.size"));
        all.extend([
            small(label.into(), &name, false),
            small(format!("{w} × {h} at {} %", ZOOM * 100.0), &size, true),
            json!({"id": format!("{id}.label"), "component": "Box", "children": [name, size],
                "style": {"display": "flex", "flexDirection": "row", "gap": 8}}),
            json!({"id": format!("{id}.frame"), "component": "Box", "children": rows,
                "style": {"display": "flex", "flexDirection": "column", "width": w * ZOOM + 2.0, "height": h * ZOOM + 2.0, "flexShrink": 0,
                    "borderWidth": 1, "borderColor": "$color.input", "borderRadius": "$radius.sm", "backgroundColor": "$color.background", "overflow": "hidden"}}),
            json!({"id": id, "component": "Box", "children": [format!("{id}.label"), format!("{id}.frame")],
                "style": {"display": "flex", "flexDirection": "column", "gap": 8, "flexShrink": 0}}),
        ]);
        id
    }

    fn part(&self, part: Part) -> Widget {
        let (messages, frame) = match part {
            Part::Bar => (&self.held.bar, Frame::Bare),
            Part::Side => (&self.held.side, Frame::Bare),
            Part::Bottom => (&self.held.bottom, Frame::Bare),
            Part::Gallery => (&self.held.gallery, Frame::Window),
        };
        let (view, issues) = AppView::open(
            Owner::Shell,
            "chrome",
            messages,
            frame,
            &self.packages.style,
        );
        for issue in issues {
            tracing::debug!(component = issue.id, "{}", issue.message);
        }
        Widget::new(view, None, true)
    }
}

impl Shelf for Chrome {
    fn open(&mut self, node: &PlacedNode, room: Room) -> Widget {
        let part = node
            .props
            .get("part")
            .and_then(Value::as_str)
            .and_then(Part::read);
        let mut widget = match part {
            Some(part) => self.part(part),
            None => self.packages.open(node, room),
        };
        // It is not installed, whatever its id: nothing is loaded in an app's name.
        (widget.content.view).set_owner(Some("a preview".into()));
        widget.zoom = ZOOM;
        widget
    }

    fn tile(&mut self, problem: &Problem, room: Room, size: Option<&str>) -> Widget {
        self.packages.tile(problem, room, size)
    }
}

/// The stage where there is no version to show.
pub fn nothing() -> Vec<Value> {
    let id = "preview.nothing";
    vec![
        json!({"id": id, "component": "EmptyState", "icon": "triangle-alert", "title": "Nothing to show yet",
            "description": "The package does not check. Its problems are below."}),
        stage(&[id.to_string()]),
    ]
}

fn stage(children: &[String]) -> Value {
    json!({"id": STAGE, "component": "Box", "children": children,
        "style": {"display": "flex", "flexDirection": "row", "justifyContent": "center", "alignItems": "flex-start", "gap": 32, "padding": 16,
            "paddingTop": 12, "flexGrow": 1, "flexBasis": 0, "minHeight": 0, "overflow": "auto", "backgroundColor": "$color.muted"}})
}
