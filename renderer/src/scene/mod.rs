//! The painter's node cache. It is filled once from a surface, then patched from each layout's delta, and puts display lists together:
//! one for the main tree, one for each open layer. Unchanged nodes keep their ops; only what the delta names is painted again.

mod boxes;
mod build;
mod motion;
mod node;
mod scrollbar;

use std::collections::HashMap;

use eui_core::layout_tree::LayerClass;
use eui_core::surface::{LayoutOutput, ScrollOutput, Surface};

pub(crate) use build::{BuildCx, Focus};
pub use build::{Painted, PaintedLayer};
pub use node::Node;
pub(crate) use scrollbar::thumb;

use crate::geometry::{Point, Rect, Size};
use crate::input::Own;
use crate::look::Look;

/// An open overlay, as the last layout placed it.
#[derive(Clone, Debug)]
pub struct LayerInfo {
    pub root: u32,
    pub owner: String,
    pub kind: String,
    pub class: LayerClass,
    pub modal: bool,
    pub dismissible: bool,
    /// The trigger's frame, for anchored layers (surface coordinates).
    pub anchor: Option<Rect>,
    /// The side of the anchor or viewport it landed on.
    pub position: String,
}

#[derive(Default)]
pub struct Scene {
    nodes: Vec<Option<Box<Node>>>,
    root: Option<u32>,
    layers: Vec<LayerInfo>,
    scrolls: HashMap<u32, ScrollOutput>,
    sticky: HashMap<u32, Point>,
    /// Layers pulled away from their place by a drag.
    shifts: HashMap<u32, Point>,
    /// Windowed lists: the node that holds the built rows, and whether it runs sideways.
    windows: Vec<(u32, bool)>,
    /// Open toasts and how long they show, in ms (0 stays).
    toasts: Vec<(String, f64)>,
    size: Size,
    rtl: bool,
}

impl Scene {
    /// Take over what a layout changed. `now_ms` is the view's clock.
    pub fn update(&mut self, surface: &mut Surface, out: &LayoutOutput, now_ms: f64) {
        let d = &out.delta;
        let fresh: Vec<u32> = d.added.iter().chain(&d.changed).copied().collect();
        if d.renumbered || self.nodes.is_empty() {
            self.nodes.clear();
            for placed in surface.nodes() {
                self.put(surface, placed, now_ms);
            }
        } else {
            for i in &d.removed {
                if let Some(slot) = self.nodes.get_mut(*i as usize) {
                    *slot = None;
                }
            }
            for placed in surface.nodes_at(&fresh) {
                self.put(surface, placed, now_ms);
            }
        }
        for i in &out.visual_changes {
            if let (Some(Some(node)), Some(v)) =
                (self.nodes.get_mut(*i as usize), surface.visual(*i))
            {
                node.wear(Look::of(v), now_ms);
                if let Some(style) = surface.text_style(*i) {
                    node.style = style.clone();
                }
                node.repaint();
            }
        }
        for f in out
            .frames
            .iter()
            .chain(out.layers.iter().flat_map(|l| &l.frames))
        {
            if let Some(Some(node)) = self.nodes.get_mut(f.index as usize) {
                node.frame = Rect::new(f.x, f.y, f.w, f.h);
            }
        }
        self.root = out.frames.first().map(|f| f.index);
        self.layers = out
            .layers
            .iter()
            .map(|l| LayerInfo {
                root: l.root,
                owner: l.owner.clone(),
                kind: l.kind.clone(),
                class: l.class,
                modal: l.modal,
                dismissible: l.dismissible,
                anchor: l.anchor_frame.map(|f| Rect::new(f.x, f.y, f.w, f.h)),
                position: l.position.clone(),
            })
            .collect();
        self.scrolls = out.scrolls.iter().map(|s| (s.index, *s)).collect();
        self.sticky = out
            .sticky
            .iter()
            .map(|s| (s.index, Point::new(s.dx, s.dy)))
            .collect();
        self.windows = out
            .lists
            .iter()
            .filter(|l| l.windowed)
            .map(|l| (l.node, l.horizontal))
            .collect();
        self.toasts = out
            .toasts
            .iter()
            .map(|t| (t.id.clone(), t.duration_ms))
            .collect();
        self.shifts
            .retain(|root, _| out.layers.iter().any(|l| l.root == *root));
        self.size = Size::new(out.surface_width, out.surface_height);
        self.rtl = out.direction == "rtl";
    }

    fn put(&mut self, surface: &Surface, placed: eui_core::surface::PlacedNode, now_ms: f64) {
        let i = placed.index as usize;
        if self.nodes.len() <= i {
            self.nodes.resize_with(i + 1, || None);
        }
        if placed.removed {
            self.nodes[i] = None;
            return;
        }
        let look = surface
            .visual(placed.index)
            .map(Look::of)
            .unwrap_or_default();
        let style = surface
            .text_style(placed.index)
            .cloned()
            .unwrap_or_default();
        let node = match self.nodes[i].take() {
            Some(old) if old.placed.id == placed.id => old.becomes(placed, look, style, now_ms),
            _ => Node::new(placed, look, style, now_ms),
        };
        self.nodes[i] = Some(Box::new(node));
    }

    pub fn node(&self, slot: u32) -> Option<&Node> {
        self.nodes.get(slot as usize).and_then(Option::as_deref)
    }

    /// Paint the node afresh in the next list (its field's text or caret moved).
    pub fn repaint(&mut self, slot: u32) {
        if let Some(Some(n)) = self.nodes.get_mut(slot as usize) {
            n.repaint();
        }
    }

    /// Keep what a component wants of a node, and paint it so.
    pub(crate) fn keep(&mut self, slot: u32, own: Own) {
        if let Some(Some(n)) = self.nodes.get_mut(slot as usize) {
            n.own = Some(own);
            n.repaint();
        }
    }

    /// Everything afresh: a picture arrived, fonts came.
    pub fn repaint_all(&mut self) {
        self.nodes.iter_mut().flatten().for_each(|n| n.repaint());
    }

    pub fn root(&self) -> Option<u32> {
        self.root
    }

    /// Open overlays in paint order.
    pub fn layers(&self) -> &[LayerInfo] {
        &self.layers
    }

    pub fn scroll_of(&self, slot: u32) -> Option<&ScrollOutput> {
        self.scrolls.get(&slot)
    }

    pub fn sticky_of(&self, slot: u32) -> Point {
        self.sticky.get(&slot).copied().unwrap_or(Point::ZERO)
    }

    /// Where a drag has pulled a layer to.
    pub fn shift_of(&self, slot: u32) -> Point {
        self.shifts.get(&slot).copied().unwrap_or(Point::ZERO)
    }

    pub(crate) fn set_shift(&mut self, root: u32, by: Point) {
        if by == Point::ZERO {
            self.shifts.remove(&root);
        } else {
            self.shifts.insert(root, by);
        }
    }

    /// How far a node stands from its frame by itself: pinned, or pulled by a drag.
    pub(crate) fn moved(&self, slot: u32) -> Point {
        self.sticky_of(slot) + self.shift_of(slot)
    }

    /// Open toasts with the time they show, in ms.
    pub(crate) fn toasts(&self) -> &[(String, f64)] {
        &self.toasts
    }

    /// Move a container's content before the engine knows of it.
    pub(crate) fn set_scroll(&mut self, slot: u32, offset: Point) {
        if let Some(s) = self.scrolls.get_mut(&slot) {
            (s.offset_x, s.offset_y) = (offset.x, offset.y);
        }
    }

    /// Does scrolling this container decide which rows of a list exist?
    pub(crate) fn has_window(&self, scroller: u32) -> bool {
        self.windows.iter().any(|(n, _)| self.under(*n, scroller))
    }

    /// Are all rows that the container shows built?
    pub(crate) fn shows_only_built(&self, scroller: u32) -> bool {
        let (Some(view), Some(s)) = (
            self.node(scroller).map(|n| n.frame),
            self.scrolls.get(&scroller),
        ) else {
            return true;
        };
        let at = view.translate(Point::new(s.offset_x, s.offset_y));
        self.windows
            .iter()
            .filter(|(n, _)| self.under(*n, scroller))
            .all(|(list, sideways)| {
                let rows = self.node(*list).map_or(&[][..], |n| &n.placed.children);
                rows.iter()
                    .filter_map(|c| self.node(*c))
                    .filter(|n| {
                        n.placed.id.ends_with(".spacerStart") || n.placed.id.ends_with(".spacerEnd")
                    })
                    .all(|spacer| {
                        let f = spacer.frame;
                        if *sideways {
                            f.right() <= at.x || f.x >= at.right()
                        } else {
                            f.bottom() <= at.y || f.y >= at.bottom()
                        }
                    })
            })
    }

    fn under(&self, slot: u32, root: u32) -> bool {
        std::iter::successors(Some(slot), |s| self.node(*s)?.placed.parent).any(|s| s == root)
    }

    /// As wide as the viewport, as tall as the content.
    pub fn size(&self) -> Size {
        self.size
    }

    pub fn rtl(&self) -> bool {
        self.rtl
    }

    pub fn nodes(&self) -> impl Iterator<Item = &Node> {
        self.nodes.iter().flatten().map(Box::as_ref)
    }

    /// How far a node's content is moved from its frame by the scrolling and pinning of its ancestors.
    pub fn offset_of(&self, slot: u32) -> Point {
        let mut at = self.moved(slot);
        let mut parent = self.node(slot).and_then(|n| n.placed.parent);
        while let Some(p) = parent {
            if let Some(s) = self.scrolls.get(&p) {
                at = at - Point::new(s.offset_x, s.offset_y);
            }
            at = at + self.moved(p);
            parent = self.node(p).and_then(|n| n.placed.parent);
        }
        at
    }

    /// Where the node is on the surface, scrolling and pinning applied.
    pub fn shown_frame(&self, slot: u32) -> Option<Rect> {
        self.node(slot)
            .map(|n| n.frame.translate(self.offset_of(slot)))
    }
}
