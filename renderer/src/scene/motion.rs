//! What moves by itself: a style on its way to another, a transform, a keyframe animation.

use eui_core::animation::{AnimationFrame, frame_with_timing};
use eui_core::style::TransformOp;

use super::node::{Node, blend};
use crate::geometry::Point;
use crate::look::Look;

/// The look of a node whose style is on its way, `None` when it has arrived.
pub(super) fn faded(node: &mut Node, now_ms: f64, animates: &mut bool) -> Option<Look> {
    let fade = node.fade.as_ref()?;
    let t = fade.progress(now_ms);
    if t >= 1.0 {
        node.fade = None;
        node.repaint();
        return None;
    }
    *animates = true;
    Some(blend(&fade.from, &node.look, t))
}

/// Where a node is moved and turned to by its transform style and its animation.
pub(super) struct Motion {
    pub offset: Point,
    pub scale: f32,
    pub degrees: f32,
    pub opacity: f32,
}

impl Motion {
    pub fn turns(&self) -> bool {
        self.scale != 1.0 || self.degrees != 0.0
    }
}

pub(super) fn motion(node: &Node, look: &Look, now_ms: f64, animates: &mut bool) -> Motion {
    let mut m = Motion {
        offset: Point::ZERO,
        scale: 1.0,
        degrees: 0.0,
        opacity: 1.0,
    };
    for t in &look.transform {
        match t {
            TransformOp::Translate { x, y } => m.offset = m.offset + Point::new(*x, *y),
            TransformOp::Scale { factor } => m.scale *= factor,
            TransformOp::Rotate { degrees } => m.degrees += degrees,
        }
    }
    if let Some(a) = &look.animation {
        let elapsed = now_ms - node.born_ms;
        if let Some(AnimationFrame {
            opacity,
            translate_x,
            translate_y,
            rotate,
            scale,
            ..
        }) = frame_with_timing(&a.name, &a.timing, elapsed, a.reduced)
        {
            m.offset = m.offset + Point::new(translate_x as f32, translate_y as f32);
            m.degrees += rotate as f32;
            m.scale *= scale as f32;
            m.opacity = opacity as f32;
            *animates |= !a.reduced && elapsed < a.timing.duration_ms * a.timing.iterations.count();
        }
    }
    m
}
