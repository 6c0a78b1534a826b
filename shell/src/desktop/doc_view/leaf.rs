//! What a leaf of a document holds, how it gets its size, and who fills it.

use std::collections::BTreeMap;
use std::sync::Arc;

use ede_renderer::component::Measured;
use ede_renderer::display::{DisplayList, Item, Key, Transform};
use ede_renderer::geometry::{Point, Radii, Rect, Size};
use ede_renderer::nested::{Nested, NestedPaint};
use eui_core::measure::LeafRequest;
use eui_core::surface::PlacedNode;
use serde_json::Value;

use crate::desktop::app_view::AppView;
use crate::desktop::chrome::{PLATE_SLOT, Plate};
use crate::desktop::error_tile::Problem;
use crate::desktop::offscreen;
use crate::desktop::window_list::WindowList;

/// What a leaf holds.
pub struct Widget {
    pub content: AppView,
    /// What it shows of the open windows, if that is what it is for.
    pub windows: Option<WindowList>,
    /// The shell's plate under it, for widgets that stand free on the desktop.
    pub plate: Option<Plate>,
    /// Something of the shell's own (a window list, an error tile): its events never reach an app.
    pub native: bool,
    /// It stands for content that could not be shown.
    pub tile: bool,
    /// How much smaller than it is laid out it is shown.
    pub zoom: f32,
    /// The leaf's props it was opened for; other props open it afresh.
    pub(super) props: Value,
    pub(super) slot: u32,
    pub(super) frame: Rect,
    pub(super) list: Arc<DisplayList>,
    pub(super) shown: Arc<DisplayList>,
}

impl Widget {
    pub fn new(content: AppView, plate: Option<Plate>, native: bool) -> Widget {
        Widget {
            content,
            windows: None,
            plate,
            native,
            tile: false,
            zoom: 1.0,
            props: Value::Null,
            slot: 0,
            frame: Rect::ZERO,
            list: Arc::default(),
            shown: Arc::default(),
        }
    }

    /// Where it stands (the document's surface coordinates).
    pub fn frame(&self) -> Rect {
        self.frame
    }

    /// A point of the document in the content's own coordinates.
    pub fn to_content(&self, p: Point) -> Point {
        let q = p - self.frame.origin();
        Point::new(q.x / self.zoom, q.y / self.zoom)
    }

    /// What its content shows, at the size it was laid out at; where it is shown smaller, its overlays are part of the smaller picture.
    pub(super) fn picture(&self, size: Size) -> Arc<DisplayList> {
        let painted = self.content.view.painted();
        if self.zoom == 1.0 {
            return painted.main.clone();
        }
        let key = Key {
            slot: PLATE_SLOT,
            over: true,
        };
        let whole = offscreen::with_layers(
            DisplayList {
                items: painted.main.items.clone(),
            },
            painted.layers.iter().map(|l| (Point::ZERO, l)),
            size,
        );
        let transform = Transform {
            about: Point::ZERO,
            scale: self.zoom,
            degrees: 0.0,
            offset: Point::ZERO,
        };
        let group = Item::Group {
            key,
            opacity: 1.0,
            clip: None,
            transform: Some(transform),
            items: whole.items,
        };
        Arc::new(DisplayList { items: vec![group] })
    }

    pub fn slot(&self) -> u32 {
        self.slot
    }

    /// What it shows, its plate included, in its own coordinates.
    pub fn shown(&self) -> &Arc<DisplayList> {
        &self.shown
    }

    /// What it was placed with.
    pub fn props(&self) -> &Value {
        &self.props
    }
}

/// How leaves get their size.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Sizing {
    /// As wide as they need, this high (px): a panel along the top or bottom.
    Row { height: f32 },
    /// As high as they need, this wide (px): a panel along a side.
    Column { width: f32 },
    /// As the document's style says: a grid, a window.
    Styled,
}

/// What kind of document a leaf stands in.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Room {
    /// A panel along the top or bottom.
    Panel,
    /// A panel along a side.
    SidePanel,
    Desktop,
    Popup,
    Window,
    /// A surface of the preview, shown smaller than it is.
    Preview,
}

/// Fills leaves. The shell implements it: it knows the packages.
pub trait Shelf {
    /// The content of a leaf that came into a document of this kind. Never fails: what cannot be shown is an error tile.
    fn open(&mut self, node: &PlacedNode, room: Room) -> Widget;

    /// What stands in the place of content that cannot be shown.
    fn tile(&mut self, problem: &Problem, room: Room, size: Option<&str>) -> Widget;
}

/// The widgets as a document's layout and painting ask for them.
pub(super) struct Leaves<'a> {
    pub(super) widgets: &'a BTreeMap<String, Widget>,
    pub(super) sizing: Sizing,
}

impl Nested for Leaves<'_> {
    fn measure(&mut self, leaf: &LeafRequest<'_>, _width: Option<f32>) -> Measured {
        match self.sizing {
            // Minimum and maximum are the natural size: a widget in a panel is never squeezed.
            Sizing::Row { .. } | Sizing::Column { .. } => {
                let natural = self
                    .widgets
                    .get(leaf.id)
                    .map(|w| w.content.natural())
                    .unwrap_or_default();
                Measured::fixed(natural.w, natural.h)
            }
            Sizing::Styled => Measured::default(),
        }
    }

    fn paint(&mut self, node: &PlacedNode, _frame: Rect) -> Option<NestedPaint> {
        let widget = self.widgets.get(&node.id)?;
        Some(NestedPaint {
            list: widget.shown.clone(),
            offset: Point::ZERO,
            reach: widget.plate.map_or(0.0, Plate::room) * widget.zoom,
            radii: Radii::NONE,
        })
    }
}
