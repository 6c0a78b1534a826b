//! Puts display lists together from the cached nodes: offsets, clips, groups, animations. A node whose look, size and colour are
//! what they were contributes its old ops.

use std::sync::Arc;

use eui_core::layout_tree::LayerClass;
use serde_json::Map;

use super::motion::{faded, motion};
use super::node::{Cached, Node};
use super::{LayerInfo, Scene, boxes, scrollbar};
use crate::color::Color;
use crate::component::{Component, PaintCx};
use crate::display::{DisplayList, Item, Key, Op, Ops, Transform};
use crate::geometry::{Point, Radii, Rect, Size};
use crate::input::Edit;
use crate::look::Look;
use crate::measure::EXTENSION;
use crate::nested::Nested;
use crate::recipes::Recipes;
use crate::resources::Resources;

/// One open overlay, ready to be painted on the surface itself or on a surface of its own.
#[derive(Clone, Debug)]
pub struct PaintedLayer {
    pub root: u32,
    pub owner: String,
    pub kind: String,
    pub class: LayerClass,
    pub modal: bool,
    pub dismissible: bool,
    pub anchor: Option<Rect>,
    pub position: String,
    /// Where the layer's root stands (surface coordinates).
    pub frame: Rect,
    /// Surface coordinates, without the scrim.
    pub list: Arc<DisplayList>,
    /// What a modal layer darkens the surface below it with.
    pub scrim: Option<Color>,
}

/// Everything a view shows.
#[derive(Clone, Debug, Default)]
pub struct Painted {
    pub main: Arc<DisplayList>,
    pub layers: Vec<PaintedLayer>,
    /// Something moves: build again for the next frame.
    pub animates: bool,
}

/// The node with the keyboard focus.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Focus<'a> {
    pub slot: Option<u32>,
    /// Draw the ring: focus came by the keyboard.
    pub visible: bool,
    /// The ring lies inside the box: a row of a list.
    pub inside: bool,
    pub edit: Option<&'a Edit>,
}

pub(crate) struct BuildCx<'a> {
    pub res: &'a mut Resources,
    pub recipes: &'a Recipes,
    pub nested: &'a mut dyn Nested,
    pub focus: Focus<'a>,
    /// The pointer in surface coordinates.
    pub pointer: Option<Point>,
    /// How visible a container's scrollbars are (0 to 1), by its id.
    pub scrolling: &'a dyn Fn(&str) -> f32,
    pub now_ms: f64,
}

#[derive(Clone, Copy)]
struct Inherited {
    offset: Point,
    clip: Rect,
    color: Color,
    opacity: f32,
}

impl Scene {
    /// The lists of the main tree and of every open layer.
    pub(crate) fn build(&mut self, cx: &mut BuildCx<'_>) -> Painted {
        let inherited = Inherited {
            offset: Point::ZERO,
            clip: Rect::EVERYTHING,
            color: cx.recipes.token("foreground"),
            opacity: 1.0,
        };
        let mut painted = Painted::default();
        let mut items = Vec::with_capacity(self.nodes.len());
        if let Some(root) = self.root {
            self.item(root, inherited, cx, &mut items, &mut painted.animates);
        }
        painted.main = Arc::new(DisplayList { items });
        let infos: Vec<LayerInfo> = self.layers.clone();
        for layer in infos {
            let mut items = Vec::new();
            self.item(layer.root, inherited, cx, &mut items, &mut painted.animates);
            let scrim = layer.modal.then(|| {
                cx.recipes
                    .of(&layer.kind, "overlay", &Map::new(), &[])
                    .look
                    .background
                    .unwrap_or(Color::rgba(0, 0, 0, 128))
            });
            painted.layers.push(PaintedLayer {
                frame: self.node(layer.root).map_or(Rect::ZERO, |n| n.frame),
                root: layer.root,
                owner: layer.owner,
                kind: layer.kind,
                class: layer.class,
                modal: layer.modal,
                dismissible: layer.dismissible,
                anchor: layer.anchor,
                position: layer.position,
                list: Arc::new(DisplayList { items }),
                scrim,
            });
        }
        painted
    }

    fn item(
        &mut self,
        slot: u32,
        mut inh: Inherited,
        cx: &mut BuildCx<'_>,
        out: &mut Vec<Item>,
        animates: &mut bool,
    ) {
        let Some(mut node) = self.nodes.get_mut(slot as usize).and_then(Option::take) else {
            return;
        };
        if !node.placed.hidden && !node.look.gone {
            inh.offset = inh.offset + self.moved(slot);
            self.visible_item(slot, &mut node, inh, cx, out, animates);
        }
        if let Some(place) = self.nodes.get_mut(slot as usize) {
            *place = Some(node);
        }
    }

    fn visible_item(
        &mut self,
        slot: u32,
        node: &mut Node,
        mut inh: Inherited,
        cx: &mut BuildCx<'_>,
        out: &mut Vec<Item>,
        animates: &mut bool,
    ) {
        let look = faded(node, cx.now_ms, animates);
        let look = look.as_ref().unwrap_or(&node.look).clone();
        let motion = motion(node, &look, cx.now_ms, animates);
        inh.offset = inh.offset + motion.offset;
        let component = cx.res.registry.of(&node.placed);
        if let Some(c) = component.ink(&node.placed, cx.recipes).or(look.color) {
            inh.color = c;
        }
        let rect = node.frame.translate(inh.offset);
        let opacity = look.opacity * motion.opacity;
        // One op at a lower opacity is the op itself, fainter; more need to be painted together first.
        let leaf = node.placed.children.is_empty();
        let grouped = opacity < 1.0 || motion.turns();
        if opacity <= 0.0 {
            return;
        }
        let mut inner = Vec::new();
        let target: &mut Vec<Item> = if grouped { &mut inner } else { out };
        let inside = Inherited {
            opacity: 1.0,
            ..inh
        };
        if !look.invisible {
            self.own_items(slot, node, &look, rect, inside, cx, target, animates);
        }
        if !leaf {
            self.children(slot, node, &look, rect, inside, cx, target, animates);
        }
        if !look.invisible {
            self.over_items(slot, node, &look, rect, inside, cx, target, animates);
        }
        if grouped && !inner.is_empty() {
            let transform = motion.turns().then(|| Transform {
                about: rect.center(),
                scale: motion.scale,
                degrees: motion.degrees,
                offset: Point::ZERO,
            });
            out.push(Item::Group {
                key: Key { slot, over: false },
                opacity: opacity * inh.opacity,
                clip: None,
                transform,
                items: inner,
            });
        }
    }

    #[allow(clippy::too_many_arguments)]
    fn own_items(
        &mut self,
        slot: u32,
        node: &mut Node,
        look: &Look,
        rect: Rect,
        inh: Inherited,
        cx: &mut BuildCx<'_>,
        out: &mut Vec<Item>,
        animates: &mut bool,
    ) {
        let component = cx.res.registry.of(&node.placed);
        let size = rect.size();
        let visible = !rect.inset(-64.0).intersect(&inh.clip).is_empty();
        if !visible && look.shadows.is_empty() {
            return;
        }
        let live = is_live(node, slot, component, rect, cx);
        let fresh = node
            .below
            .as_ref()
            .is_none_or(|c| c.size != size || c.color != inh.color)
            || node.fade.is_some()
            || live;
        if fresh {
            let mut ops = Vec::new();
            if !component.own_box() {
                let edge = component.edge(look, cx.recipes).map(|color| Look {
                    border_color: Some(color),
                    ..look.clone()
                });
                boxes::paint(edge.as_ref().unwrap_or(look), size, inh.color, &mut ops);
            }
            let (content, moves) = content(
                node,
                look,
                slot,
                size,
                inh.color,
                rect,
                cx,
                ops,
                |c, p| c.paint(p),
                component,
            );
            node.moves = moves;
            let ops = (!content.is_empty()).then(|| Arc::new(Ops::new(content)));
            // The same picture as before keeps its identity, so that it is no damage.
            let same = node
                .below
                .as_ref()
                .is_some_and(|c| c.ops.as_deref() == ops.as_deref());
            if !same {
                node.below = Some(Cached {
                    size,
                    color: inh.color,
                    ops,
                });
            } else if let Some(c) = &mut node.below {
                (c.size, c.color) = (size, inh.color);
            }
        }
        *animates |= node.moves;
        if let Some(Cached { ops: Some(ops), .. }) = &node.below {
            out.push(Item::Node {
                key: Key { slot, over: false },
                ops: ops.clone(),
                at: rect.origin(),
                clip: inh.clip,
            });
        }
        if node.placed.component == EXTENSION
            && let Some(n) = cx.nested.paint(&node.placed, rect)
        {
            let inner = rect.inset_sides(look.border).inset(-n.reach);
            out.push(Item::Nested {
                key: Key { slot, over: true },
                list: n.list,
                at: rect.origin() + n.offset,
                clip: inner.intersect(&inh.clip),
                radii: n.radii,
            });
        }
    }

    #[allow(clippy::too_many_arguments)]
    fn children(
        &mut self,
        slot: u32,
        node: &Node,
        look: &Look,
        rect: Rect,
        mut inh: Inherited,
        cx: &mut BuildCx<'_>,
        out: &mut Vec<Item>,
        animates: &mut bool,
    ) {
        let scroll = self.scrolls.get(&slot).copied();
        if let Some(s) = &scroll {
            inh.offset = inh.offset - Point::new(s.offset_x, s.offset_y);
        }
        if !(look.clips || scroll.is_some()) {
            for child in &node.placed.children {
                self.item(*child, inh, cx, out, animates);
            }
            return;
        }
        let inner = rect.inset_sides(look.border);
        inh.clip = inh.clip.intersect(&inner);
        if inh.clip.is_empty() {
            return;
        }
        let mut items = Vec::new();
        for child in &node.placed.children {
            self.item(*child, inh, cx, &mut items, animates);
        }
        let widest = look.border.iter().fold(0.0f32, |a, b| a.max(*b));
        let radii = look.radii.fit(rect.size()).shrink(widest);
        let cut = !radii.is_zero() && items.iter().any(|i| radii.cuts(&inner, &i.bounds()));
        if cut {
            out.push(Item::Group {
                key: Key { slot, over: true },
                opacity: 1.0,
                clip: Some((inner, radii)),
                transform: None,
                items,
            });
        } else {
            out.append(&mut items);
        }
    }

    /// Scrollbars, the component's own upper half, the focus ring.
    #[allow(clippy::too_many_arguments)]
    fn over_items(
        &mut self,
        slot: u32,
        node: &mut Node,
        look: &Look,
        rect: Rect,
        inh: Inherited,
        cx: &mut BuildCx<'_>,
        out: &mut Vec<Item>,
        animates: &mut bool,
    ) {
        let component = cx.res.registry.of(&node.placed);
        let (mut ops, moves) = content(
            node,
            look,
            slot,
            rect.size(),
            inh.color,
            rect,
            cx,
            Vec::new(),
            |c, p| c.paint_over(p),
            component,
        );
        *animates |= moves;
        let bars = self
            .scrolls
            .get(&slot)
            .map(|s| (s, (cx.scrolling)(&node.placed.id)))
            .filter(|(_, shown)| *shown > 0.0);
        if let Some((s, shown)) = bars {
            let color = cx.recipes.token("mutedForeground").fade(0.5 * shown);
            for vertical in [true, false] {
                if let Some(t) = scrollbar::thumb(Rect::of_size(rect.size()), s, vertical, self.rtl)
                {
                    ops.push(Op::Fill {
                        rect: t,
                        radii: Radii::all(t.w.min(t.h) / 2.0),
                        brush: color.into(),
                    });
                }
            }
        }
        if cx.focus.slot == Some(slot) && cx.focus.visible {
            let ring = cx.recipes.token("ring");
            boxes::focus_ring(look, rect.size(), cx.focus.inside, ring, &mut ops);
        }
        if ops.is_empty() {
            node.above = None;
            return;
        }
        let ops = Ops::new(ops);
        let same = node
            .above
            .as_ref()
            .and_then(|c| c.ops.clone())
            .filter(|old| **old == ops);
        let ops = same.unwrap_or_else(|| Arc::new(ops));
        node.above = Some(Cached {
            size: rect.size(),
            color: inh.color,
            ops: Some(ops.clone()),
        });
        // A ring lies outside its box: the parent's clip still holds, a scrolled row's ring must not leave the list.
        out.push(Item::Node {
            key: Key { slot, over: true },
            ops,
            at: rect.origin(),
            clip: inh.clip,
        });
    }
}

/// Does the node's picture depend on more than its look and size?
fn is_live(
    node: &Node,
    slot: u32,
    component: &dyn Component,
    rect: Rect,
    cx: &BuildCx<'_>,
) -> bool {
    let edited = cx.focus.slot == Some(slot) && cx.focus.edit.is_some();
    let followed = component.follows_pointer()
        && (cx.pointer.is_some_and(|p| rect.contains(p)) || node.below.is_some());
    edited || followed || node.moves
}

#[allow(clippy::too_many_arguments)]
fn content(
    node: &Node,
    look: &Look,
    slot: u32,
    size: Size,
    color: Color,
    rect: Rect,
    cx: &mut BuildCx<'_>,
    ops: Vec<Op>,
    draw: impl Fn(&dyn Component, &mut PaintCx<'_>),
    component: &'static dyn Component,
) -> (Vec<Op>, bool) {
    let mut p = PaintCx {
        node: &node.placed,
        look,
        size,
        color,
        style: &node.style,
        rtl: look.rtl.unwrap_or(false),
        text: &mut cx.res.text,
        images: &mut cx.res.images,
        recipes: cx.recipes,
        edit: cx.focus.edit.filter(|_| cx.focus.slot == Some(slot)),
        focused: cx.focus.slot == Some(slot),
        own: node.own,
        pointer: cx
            .pointer
            .filter(|p| rect.contains(*p))
            .map(|p| p - rect.origin()),
        elapsed_ms: cx.now_ms - node.born_ms,
        before: node
            .before
            .as_ref()
            .map(|b| (&b.flags, cx.now_ms - b.until_ms)),
        ops,
        animates: false,
    };
    draw(component, &mut p);
    (p.ops, p.animates)
}
