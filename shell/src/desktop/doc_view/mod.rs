//! A document's surface with the app widgets standing in it. The document lays out the leaves; each leaf is filled with a surface
//! of its own, painted in place. One `DocView` is a panel, a desktop, a popup or a window.

mod leaf;

use std::collections::BTreeMap;
use std::sync::Arc;

use ede_engine::app_id::AppId;
use ede_engine::binding::{BindingSet, Host, Owner};
use ede_engine::documents::Document;
use ede_engine::package::Binding;
use ede_renderer::View;
use ede_renderer::geometry::{Point, Rect, Size};
use ede_renderer::resources::Resources;
use ede_renderer::scene::PaintedLayer;
use eui_core::surface::{Insets, PlacedNode};
use eui_core::types::{FlatComponent, ReduceIssue};
use serde_json::Value;

use super::app_view::Along;
use super::chrome;
use super::error_tile::Problem;
use super::feed::{Bound, Feed};
use super::style::Style;

use leaf::Leaves;
pub use leaf::{Room, Shelf, Sizing, Widget};

/// Rounds of layout in which widgets may still change their natural size; two settle every honest document.
const MOST_ROUNDS: usize = 3;

/// Run a widget's layout; `None` when it panicked. What it left half done is thrown away with the widget.
fn guarded<R>(work: impl FnOnce() -> R) -> Option<R> {
    std::panic::catch_unwind(std::panic::AssertUnwindSafe(work)).ok()
}

pub struct DocView {
    pub view: View,
    /// The document's own bindings.
    pub bound: Option<Bound>,
    declared: Vec<Binding>,
    widgets: BTreeMap<String, Widget>,
    sizing: Sizing,
    room: Room,
    opened: bool,
    /// Widgets that failed in the last layout.
    failed: Vec<String>,
    size: Size,
    insets: Insets,
}

impl DocView {
    pub fn new(view: View, sizing: Sizing, room: Room) -> DocView {
        DocView {
            view,
            bound: None,
            declared: Vec::new(),
            widgets: BTreeMap::new(),
            sizing,
            room,
            opened: true,
            failed: Vec::new(),
            size: Size::default(),
            insets: Insets::default(),
        }
    }

    /// Follow these sources from now on.
    pub fn follow(&mut self, declared: Vec<Binding>) {
        self.declared = declared;
        self.bound = None;
    }

    /// Ask for everything stale in the document and in its widgets, and write what is known. `host` decides what each may follow.
    pub fn feed(&mut self, feed: &mut Feed, host: &dyn Host) {
        if self.bound.is_none() {
            let (set, refused) = BindingSet::of(Owner::Shell, &self.declared, &|_: &AppId| None);
            for r in refused {
                tracing::warn!(
                    document = self.view.surface().id,
                    source = r.source,
                    "not followed: {}",
                    r.error
                );
            }
            self.bound = Some(feed.bind(set));
        }
        if let Some(bound) = &mut self.bound {
            feed.fill(bound, &mut self.view);
        }
        for w in self.widgets.values_mut() {
            if let Some((bound, view)) = w.content.bind(feed, host) {
                feed.fill(bound, view);
            }
        }
    }

    /// Every set of bindings here with its surface.
    pub fn bounds_mut(&mut self) -> impl Iterator<Item = (&mut Bound, &mut View)> {
        let own = self.bound.as_mut().map(|b| (b, &mut self.view));
        own.into_iter().chain(
            self.widgets
                .values_mut()
                .filter_map(|w| w.content.bound.as_mut().map(|b| (b, &mut w.content.view))),
        )
    }

    /// Every set of bindings here.
    pub fn bounds(&self) -> impl Iterator<Item = &Bound> {
        self.bound.iter().chain(
            self.widgets
                .values()
                .filter_map(|w| w.content.bound.as_ref()),
        )
    }

    pub fn widgets(&self) -> impl Iterator<Item = (&str, &Widget)> {
        self.widgets.iter().map(|(id, w)| (id.as_str(), w))
    }

    pub fn widget(&self, id: &str) -> Option<&Widget> {
        self.widgets.get(id)
    }

    pub fn widgets_mut(&mut self) -> impl Iterator<Item = (&str, &mut Widget)> {
        self.widgets.iter_mut().map(|(id, w)| (id.as_str(), w))
    }

    pub fn widget_mut(&mut self, id: &str) -> Option<&mut Widget> {
        self.widgets.get_mut(id)
    }

    /// Forget the widgets: they are opened afresh in the next update (a package or the style changed).
    pub fn close_widgets(&mut self, which: impl Fn(&Widget) -> bool) {
        self.widgets.retain(|_, w| !which(w));
        self.view.invalidate();
    }

    /// Another look, for all that is in it. What a person typed, opened or scrolled to stays as it is.
    pub fn restyle(&mut self, style: &Style) {
        style.dress(self.view.surface_mut());
        let mut bound: Vec<&mut Bound> = self.bound.iter_mut().collect();
        for w in self.widgets.values_mut() {
            style.dress(w.content.view.surface_mut());
            bound.extend(&mut w.content.bound);
            // Its plate is of the theme too.
            w.shown = Arc::default();
        }
        for bound in bound {
            bound.set.locale_changed();
        }
        self.view.invalidate();
    }

    /// Stand another way: what is in it is opened again for it.
    pub fn stand(&mut self, sizing: Sizing, room: Room) {
        if (self.sizing, self.room) != (sizing, room) {
            (self.sizing, self.room) = (sizing, room);
            self.close_widgets(|_| true);
        }
    }

    /// Show another version of its document: what is the same in both stays as it is, values and state too.
    pub fn follow_document(
        &mut self,
        old: &Document,
        new: &Document,
        components: Vec<FlatComponent>,
    ) -> Vec<ReduceIssue> {
        let mut issues = self.view.surface_mut().set_components(components).issues;
        if (old.data(), old.bindings()) != (new.data(), new.bindings()) {
            let data = self.view.surface_mut().set_data("/", Some(new.data()));
            issues.extend(data.err().map(|message| ReduceIssue {
                id: String::new(),
                message,
            }));
            self.follow(new.bindings());
        }
        issues
    }

    /// Lay everything out and paint it again: fonts or pictures came in.
    pub fn refresh(&mut self) {
        self.view.invalidate();
        for w in self.widgets.values_mut() {
            w.content.view.invalidate();
            if let Some(list) = &mut w.windows {
                list.refresh();
            }
        }
    }

    /// Views that show the time tick on the minute: `offset` makes milliseconds since 1970 of the shell's clock.
    pub fn set_wall_clock(&mut self, offset: f64) {
        self.view.set_wall_clock(Some(offset));
        for w in self.widgets.values_mut() {
            w.content.view.set_wall_clock(Some(offset));
        }
    }

    /// Were widgets opened since the last call? They wait for their values.
    pub fn take_opened(&mut self) -> bool {
        std::mem::take(&mut self.opened)
    }

    /// Does anything wait to be laid out or painted?
    pub fn is_dirty(&self) -> bool {
        self.view.is_dirty() || self.widgets.values().any(|w| w.content.view.is_dirty())
    }

    /// The widget at `p` (the document's surface coordinates).
    pub fn widget_at(&self, p: Point) -> Option<&str> {
        self.widgets
            .iter()
            .find(|(_, w)| w.frame.contains(p))
            .map(|(id, _)| id.as_str())
    }

    /// Lay out and paint the document at `size` with everything in it.
    pub fn update(
        &mut self,
        size: Size,
        insets: Insets,
        shelf: &mut dyn Shelf,
        res: &mut Resources,
        now_ms: f64,
    ) {
        self.fit(size, insets);
        for _ in 0..MOST_ROUNDS {
            self.probe(res, now_ms);
            self.paint_host(res, now_ms);
            if !self.fill(shelf) {
                break;
            }
        }
        let mut painted = self.place(res, now_ms);
        if self.replace_failed(shelf) {
            self.probe(res, now_ms);
            self.paint_host(res, now_ms);
            painted |= self.place(res, now_ms);
            // A tile that fails too shows nothing: there is no tile for tiles.
            self.failed.clear();
        }
        if painted {
            self.paint_host(res, now_ms);
        }
    }

    fn fit(&mut self, size: Size, insets: Insets) {
        if self.size != size {
            self.size = size;
            self.view.surface_mut().set_viewport(size.w, size.h, None);
        }
        if self.insets != insets {
            self.insets = insets;
            self.view.surface_mut().set_insets(insets);
        }
    }

    /// What it was laid out at last.
    pub fn size(&self) -> Size {
        self.size
    }

    /// Is it still to be laid out for the first time?
    pub fn is_new(&self) -> bool {
        self.size == Size::default()
    }

    /// Open the widgets that are in it from the start, without laying them out: their values may come first, so that they are
    /// laid out only once.
    pub fn open(
        &mut self,
        size: Size,
        insets: Insets,
        shelf: &mut dyn Shelf,
        res: &mut Resources,
        now_ms: f64,
    ) {
        self.fit(size, insets);
        self.paint_host(res, now_ms);
        self.fill(shelf);
    }

    fn paint_host(&mut self, res: &mut Resources, now_ms: f64) {
        let mut leaves = Leaves {
            widgets: &self.widgets,
            sizing: self.sizing,
        };
        self.view.update(res, &mut leaves, now_ms);
    }

    /// Ask the widgets of a panel how wide they are now.
    fn probe(&mut self, res: &mut Resources, now_ms: f64) {
        let along = match self.sizing {
            Sizing::Row { height } => Along::Row(height),
            Sizing::Column { width } => Along::Column(width),
            Sizing::Styled => return,
        };
        for (id, w) in &mut self.widgets {
            let moved = guarded(|| match &mut w.windows {
                Some(list) => list.probe(&mut w.content, along, res, now_ms),
                None => w.content.probe(along, res, now_ms),
            });
            match moved {
                Some(true) => {
                    self.view.surface_mut().mark_dirty(w.slot);
                }
                Some(false) => {}
                None => self.failed.push(id.clone()),
            }
        }
    }

    /// Widgets whose layout or painting failed become error tiles; the rest goes on.
    fn replace_failed(&mut self, shelf: &mut dyn Shelf) -> bool {
        let failed = std::mem::take(&mut self.failed);
        for id in &failed {
            let Some(old) = self.widgets.remove(id) else {
                continue;
            };
            let name = old
                .content
                .app()
                .map_or_else(|| id.clone(), |a| a.to_string());
            tracing::error!(
                widget = id,
                app = name,
                "the widget could not be laid out or painted; that is a fault of ede"
            );
            let problem = Problem {
                name,
                message: "It could not be painted; that is a fault of ede.".into(),
                pointer: String::new(),
                count: 1,
            };
            let mut tile = shelf.tile(
                &problem,
                self.room,
                old.props.get("size").and_then(Value::as_str),
            );
            (tile.props, tile.slot) = (old.props, old.slot);
            self.view.surface_mut().mark_dirty(tile.slot);
            self.widgets.insert(id.clone(), tile);
        }
        !failed.is_empty()
    }

    /// Open what came, close what went. True when the document must be laid out again.
    fn fill(&mut self, shelf: &mut dyn Shelf) -> bool {
        let mut changed = false;
        let mut there = Vec::new();
        let leaves: Vec<PlacedNode> = self
            .view
            .scene()
            .nodes()
            .filter(|n| n.placed.extension_kind.is_some())
            .map(|n| n.placed.clone())
            .collect();
        for node in leaves {
            there.push(node.id.clone());
            let props = Value::Object(node.props.clone());
            if let Some(w) = self.widgets.get_mut(&node.id)
                && w.props == props
            {
                w.slot = node.index;
                continue;
            }
            let mut widget = shelf.open(&node, self.room);
            widget.props = props;
            widget.slot = node.index;
            self.widgets.insert(node.id.clone(), widget);
            // A leaf that comes back under the same id keeps its archived size: it must be asked again.
            self.view.surface_mut().mark_dirty(node.index);
            changed = true;
        }
        self.widgets.retain(|id, _| there.contains(id));
        self.opened |= changed;
        changed
    }

    /// Give every widget the frame its leaf got, and paint it there. True when a picture changed.
    fn place(&mut self, res: &mut Resources, now_ms: f64) -> bool {
        let mut changed = false;
        let recipes = self
            .view
            .surface()
            .effective_theme()
            .cloned()
            .map(|t| res.recipes(&t, self.view.surface().mode()));
        for (id, w) in &mut self.widgets {
            let Some(frame) = self.view.scene().shown_frame(w.slot) else {
                continue;
            };
            let resized = w.frame.size() != frame.size();
            w.frame = frame;
            // The room beyond the leaf, where its popups may open.
            let insets = Insets {
                top: self.insets.top - frame.y,
                left: self.insets.left - frame.x,
                right: frame.right() - (self.size.w - self.insets.right),
                bottom: frame.bottom() - (self.size.h - self.insets.bottom),
            };
            let zoomed = w.zoom != 1.0;
            let size = match self.room {
                // As it was asked how tall it is: a template may tell a popup from a widget by that.
                Room::Popup => Size::new(frame.w, 0.0),
                _ => Size::new(frame.w / w.zoom, frame.h / w.zoom),
            };
            let insets = if zoomed { Insets::default() } else { insets };
            let sizing = self.sizing;
            let done = guarded(|| {
                if let Some(list) = &mut w.windows {
                    let room = match sizing {
                        Sizing::Row { .. } => size.w,
                        Sizing::Column { .. } => size.h,
                        Sizing::Styled => {
                            list.probe(&mut w.content, Along::Row(size.h), res, now_ms);
                            size.w
                        }
                    };
                    list.stand_in(&mut w.content.view, room);
                }
                w.content.update(size, insets, res, now_ms);
            });
            if done.is_none() {
                self.failed.push(id.clone());
                continue;
            }
            let list = w.picture(size);
            if !Arc::ptr_eq(&list, &w.list) && *list != *w.list
                || resized
                || w.shown.items.is_empty()
            {
                w.shown = match (w.plate, &recipes) {
                    (Some(plate), Some(recipes)) => Arc::new(chrome::on_plate(
                        plate,
                        Rect::of_size(frame.size()),
                        recipes,
                        list.clone(),
                    )),
                    _ => list.clone(),
                };
                w.list = list;
                changed = true;
            }
        }
        changed
    }

    /// The open layers of the document and of its widgets, in paint order, with the place of the surface they belong to.
    pub fn layers(&self) -> Vec<(Option<&str>, Point, &PaintedLayer)> {
        let nested = self
            .widgets
            .iter()
            .filter(|(_, w)| w.zoom == 1.0)
            .flat_map(|(id, w)| {
                w.content
                    .view
                    .painted()
                    .layers
                    .iter()
                    .map(move |l| (Some(id.as_str()), w.frame.origin(), l))
            });
        nested
            .chain(
                self.view
                    .painted()
                    .layers
                    .iter()
                    .map(|l| (None, Point::ZERO, l)),
            )
            .collect()
    }
}
