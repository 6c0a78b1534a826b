//! What lies under a point: reverse paint order through layers, scrolling, pinning, clips and transforms. Pure: looks at the scene only.

use eui_core::style::TransformOp;

use crate::geometry::{Point, Rect};
use crate::measure::EXTENSION;
use crate::scene::{Node, Scene};

/// What a host finds under a point of the surface.
#[derive(Clone, Debug, PartialEq)]
pub enum Hit {
    Nothing,
    /// The deepest node there.
    Node {
        slot: u32,
    },
    /// An extension leaf: the press goes to the surface inside it first.
    Nested {
        slot: u32,
        id: String,
        /// In the leaf's coordinates.
        at: Point,
    },
    /// The darkened surface around a modal layer.
    Scrim {
        root: u32,
    },
}

/// One node under the point, deepest first in a [`Found::path`].
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Step {
    pub slot: u32,
    /// The point in the node's coordinates.
    pub at: Point,
}

#[derive(Clone, Debug, Default, PartialEq)]
pub(crate) struct Found {
    /// From the deepest node to its root; empty when nothing is there.
    pub path: Vec<Step>,
    /// The root of the layer the path lies in, or whose scrim was hit.
    pub layer: Option<u32>,
}

impl Found {
    pub fn deepest(&self) -> Option<u32> {
        self.path.first().map(|s| s.slot)
    }

    pub fn step(&self, slot: u32) -> Option<Step> {
        self.path.iter().copied().find(|s| s.slot == slot)
    }
}

/// A thin handle answers this far around itself, along its thin side.
const SLIDER_REACH: f32 = 10.0;
const SHEET_HANDLE_REACH: f32 = 12.0;

pub(crate) fn test(scene: &Scene, at: Point) -> Found {
    for layer in scene.layers().iter().rev() {
        let mut path = Vec::new();
        if find(
            scene,
            layer.root,
            at,
            Point::ZERO,
            Rect::EVERYTHING,
            &mut path,
        ) {
            return Found {
                path,
                layer: Some(layer.root),
            };
        }
        if layer.modal {
            return Found {
                path: Vec::new(),
                layer: Some(layer.root),
            };
        }
    }
    let mut path = Vec::new();
    if let Some(root) = scene.root() {
        find(scene, root, at, Point::ZERO, Rect::EVERYTHING, &mut path);
    }
    Found { path, layer: None }
}

impl Hit {
    pub(crate) fn of(scene: &Scene, found: &Found) -> Hit {
        match (found.path.first(), found.layer) {
            (Some(step), _) => match scene.node(step.slot) {
                Some(n) if n.placed.component == EXTENSION => Hit::Nested {
                    slot: step.slot,
                    id: n.placed.id.clone(),
                    at: step.at,
                },
                _ => Hit::Node { slot: step.slot },
            },
            (None, Some(root)) => Hit::Scrim { root },
            (None, None) => Hit::Nothing,
        }
    }
}

fn find(
    scene: &Scene,
    slot: u32,
    at: Point,
    offset: Point,
    clip: Rect,
    path: &mut Vec<Step>,
) -> bool {
    let Some(node) = scene.node(slot) else {
        return false;
    };
    if node.placed.hidden || node.look.gone || node.look.press_through || !clip.contains(at) {
        return false;
    }
    let turn = Turn::of(node);
    let offset = offset + scene.moved(slot) + turn.offset;
    let rect = node.frame.translate(offset);
    let (at, clip) = if turn.turns() {
        (turn.undo(at, rect.center()), Rect::EVERYTHING)
    } else {
        (at, clip)
    };
    let (inner_offset, inner_clip) = inside(scene, slot, node, rect, offset, clip);
    if inner_clip.contains(at) {
        let thin = node.placed.children.iter().rev().filter(|c| {
            scene.node(**c).is_some_and(|n| {
                reach(n).is_some_and(|(dx, dy)| {
                    let f = n.frame.translate(inner_offset + scene.moved(**c));
                    f.inset_sides([-dy, -dx, -dy, -dx]).contains(at)
                })
            })
        });
        for child in thin {
            let grown = scene
                .node(*child)
                .map(|n| (n, n.frame.translate(inner_offset)));
            if let Some((n, f)) = grown.filter(|(n, _)| !n.placed.hidden && !n.look.gone) {
                if !find(scene, *child, at, inner_offset, inner_clip, path) {
                    let moved = scene.moved(n.placed.index);
                    path.push(Step {
                        slot: *child,
                        at: at - f.origin() - moved,
                    });
                }
                path.push(Step {
                    slot,
                    at: at - rect.origin(),
                });
                return true;
            }
        }
        for child in node.placed.children.iter().rev() {
            if find(scene, *child, at, inner_offset, inner_clip, path) {
                path.push(Step {
                    slot,
                    at: at - rect.origin(),
                });
                return true;
            }
        }
    }
    let own = rect.contains(at) && !node.look.invisible;
    if own {
        path.push(Step {
            slot,
            at: at - rect.origin(),
        });
    }
    own
}

/// The offset and clip a node's children live in.
fn inside(
    scene: &Scene,
    slot: u32,
    node: &Node,
    rect: Rect,
    offset: Point,
    clip: Rect,
) -> (Point, Rect) {
    let scroll = scene.scroll_of(slot);
    let inner = scroll.map_or(offset, |s| offset - Point::new(s.offset_x, s.offset_y));
    if node.look.clips || scroll.is_some() {
        (inner, clip.intersect(&rect.inset_sides(node.look.border)))
    } else {
        (inner, clip)
    }
}

/// How far around itself a thin node answers, across and down.
fn reach(node: &Node) -> Option<(f32, f32)> {
    let p = &node.placed;
    match (p.owner_component.as_deref()?, p.part.as_deref()?) {
        ("Resizable", "handle") => {
            let hit = p.props.get("hit").and_then(|v| v.as_f64()).unwrap_or(8.0) as f32;
            let grow = |side: f32| ((hit - side) / 2.0).max(0.0);
            Some(
                if p.props.get("orientation").and_then(|v| v.as_str()) == Some("horizontal") {
                    (0.0, grow(node.frame.h))
                } else {
                    (grow(node.frame.w), 0.0)
                },
            )
        }
        ("Slider", "track") => Some((SLIDER_REACH, SLIDER_REACH)),
        ("Drawer", "handle") => Some((SHEET_HANDLE_REACH, SHEET_HANDLE_REACH)),
        _ => None,
    }
}

/// A node's own transform style at rest; an animation on its way does not move what a press means.
struct Turn {
    offset: Point,
    scale: f32,
    degrees: f32,
}

impl Turn {
    fn of(node: &Node) -> Turn {
        let mut t = Turn {
            offset: Point::ZERO,
            scale: 1.0,
            degrees: 0.0,
        };
        for op in &node.look.transform {
            match op {
                TransformOp::Translate { x, y } => t.offset = t.offset + Point::new(*x, *y),
                TransformOp::Scale { factor } => t.scale *= factor,
                TransformOp::Rotate { degrees } => t.degrees += degrees,
            }
        }
        t
    }

    fn turns(&self) -> bool {
        self.scale != 1.0 || self.degrees != 0.0
    }

    /// Where `at` was before the node was turned about `center`.
    fn undo(&self, at: Point, center: Point) -> Point {
        if self.scale.abs() < 1.0e-6 {
            return Point::new(f32::MIN, f32::MIN);
        }
        let (sin, cos) = (-self.degrees).to_radians().sin_cos();
        let d = at - center;
        Point::new(
            center.x + (d.x * cos - d.y * sin) / self.scale,
            center.y + (d.x * sin + d.y * cos) / self.scale,
        )
    }
}

/// A surface point in the coordinates of the node at `slot`, wherever it is.
pub(crate) fn to_local(scene: &Scene, slot: u32, at: Point) -> Option<Point> {
    let mut chain = vec![slot];
    while let Some(p) = scene.node(*chain.last()?).and_then(|n| n.placed.parent) {
        if chain.len() > 4096 {
            return None;
        }
        chain.push(p);
    }
    let (mut at, mut offset, mut origin) = (at, Point::ZERO, Point::ZERO);
    for slot in chain.iter().rev() {
        let node = scene.node(*slot)?;
        let turn = Turn::of(node);
        offset = offset + scene.moved(*slot) + turn.offset;
        let rect = node.frame.translate(offset);
        if turn.turns() {
            at = turn.undo(at, rect.center());
        }
        origin = rect.origin();
        if let Some(s) = scene.scroll_of(*slot) {
            offset = offset - Point::new(s.offset_x, s.offset_y);
        }
    }
    Some(at - origin)
}
