//! A drawer pulled towards its edge: it follows the hand, and closes when it was pulled far or fast enough.

use super::cx::InputCx;
use super::{order, role};
use crate::geometry::Point;

/// A sheet let go past this part of its depth, or flicked this fast (px a millisecond), closes.
const PART: f32 = 0.3;
const SPEED: f32 = 0.5;

#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Sheet {
    root: String,
    /// The way to its edge.
    toward: Point,
    pulled: f32,
    speed: f32,
    at: f64,
}

impl Sheet {
    /// The drawer around `slot`, if it may be pulled away.
    pub fn around(cx: &InputCx<'_>, slot: u32) -> Option<Sheet> {
        let root = order::root_of(cx.scene, slot);
        let layer = cx.scene.layers().iter().find(|l| l.root == root)?;
        let owner = cx.slot(&layer.owner).and_then(|s| cx.node(s))?;
        let fixed = owner
            .placed
            .props
            .get("dragToDismiss")
            .and_then(|v| v.as_bool())
            == Some(false);
        if layer.kind != "Drawer" || !layer.dismissible || fixed {
            return None;
        }
        let toward = match layer.position.as_str() {
            "top" => Point::new(0.0, -1.0),
            "left" => Point::new(-1.0, 0.0),
            "right" => Point::new(1.0, 0.0),
            _ => Point::new(0.0, 1.0),
        };
        Some(Sheet {
            root: cx.id(root)?,
            toward,
            pulled: 0.0,
            speed: 0.0,
            at: cx.now,
        })
    }

    /// Does a movement lead to the sheet's edge?
    pub fn goes(&self, way: Point) -> bool {
        let along = way.x * self.toward.x + way.y * self.toward.y;
        along > 0.0
            && along
                >= (way.x * self.toward.y)
                    .abs()
                    .max((way.y * self.toward.x).abs())
    }

    /// The hand is this far from where it took hold.
    pub fn pull(&mut self, cx: &mut InputCx<'_>, by: Point) {
        let to = (by.x * self.toward.x + by.y * self.toward.y).max(0.0);
        let dt = (cx.now - self.at).max(1.0) as f32;
        self.speed = 0.6 * (to - self.pulled) / dt + 0.4 * self.speed;
        (self.pulled, self.at) = (to, cx.now);
        self.show(cx, to);
    }

    pub fn let_go(&self, cx: &mut InputCx<'_>) {
        let Some(root) = cx.slot(&self.root) else {
            return;
        };
        let size = cx.node(root).map(|n| n.frame.size()).unwrap_or_default();
        let depth = if self.toward.x == 0.0 { size.h } else { size.w };
        if self.pulled > depth * PART || (self.speed > SPEED && self.pulled > 0.0) {
            cx.fire(root, "dismiss", None);
        }
        self.show(cx, 0.0);
    }

    /// Back to where it was.
    pub fn show(&self, cx: &mut InputCx<'_>, pulled: f32) {
        if let Some(root) = cx.slot(&self.root) {
            let at = Point::new(self.toward.x * pulled, self.toward.y * pulled);
            cx.scene.set_shift(root, at);
            cx.out.repaint = true;
        }
    }

    pub fn is_handle(n: &eui_core::surface::PlacedNode) -> bool {
        role::is_part(n, "Drawer", "handle")
    }
}
