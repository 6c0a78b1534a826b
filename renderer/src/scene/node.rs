//! One node as the painter keeps it between frames.

use std::sync::Arc;

use eui_core::measure::TextStyle;
use eui_core::style::Transition;
use eui_core::surface::PlacedNode;
use serde_json::{Map, Value};

use crate::color::Color;
use crate::display::Ops;
use crate::geometry::{Rect, Size};
use crate::input::Own;
use crate::look::Look;

/// A node, its resolved look and the ops it painted last.
#[derive(Debug)]
pub struct Node {
    pub placed: PlacedNode,
    pub look: Look,
    pub style: TextStyle,
    /// Surface coordinates, unscrolled.
    pub frame: Rect,
    /// When the node came into the tree (ms of the view's clock): animations run from here.
    pub(crate) born_ms: f64,
    pub(crate) fade: Option<Fade>,
    pub(crate) before: Option<Box<Before>>,
    /// What its component keeps of it.
    pub(crate) own: Option<Own>,
    /// The component asked for another frame when it painted last.
    pub(crate) moves: bool,
    pub(crate) below: Option<Cached>,
    pub(crate) above: Option<Cached>,
}

/// A node's boolean props as they were until the last of them changed.
#[derive(Debug)]
pub(crate) struct Before {
    pub flags: Map<String, Value>,
    pub until_ms: f64,
}

/// Ops and what they were painted for.
#[derive(Debug, Clone)]
pub(crate) struct Cached {
    pub size: Size,
    pub color: Color,
    pub ops: Option<Arc<Ops>>,
}

/// A style change on its way: colours and opacity move from `from` to the node's look.
#[derive(Debug)]
pub(crate) struct Fade {
    pub from: Box<Look>,
    pub start_ms: f64,
    pub transition: Transition,
}

impl Fade {
    /// 0 at the start, 1 at the end, eased.
    pub fn progress(&self, now_ms: f64) -> f32 {
        let t = (now_ms - self.start_ms) / f64::from(self.transition.duration_ms.max(0.001));
        if t >= 1.0 {
            return 1.0;
        }
        eui_core::animation::cubic_bezier(self.transition.easing.map(f64::from), t.max(0.0)) as f32
    }
}

/// The look between two looks. Only what moves without a new layout: colours, opacity.
pub(crate) fn blend(from: &Look, to: &Look, t: f32) -> Look {
    let mix = |a: Option<Color>, b: Option<Color>| match (a, b) {
        (None, None) => None,
        (a, b) => Some(
            a.unwrap_or(Color::TRANSPARENT)
                .mix(b.unwrap_or(Color::TRANSPARENT), t),
        ),
    };
    Look {
        background: mix(from.background, to.background),
        color: match (from.color, to.color) {
            (Some(a), Some(b)) => Some(a.mix(b, t)),
            (_, b) => b,
        },
        border_color: mix(from.border_color, to.border_color),
        opacity: from.opacity + (to.opacity - from.opacity) * t,
        ..to.clone()
    }
}

impl Node {
    pub(crate) fn new(placed: PlacedNode, look: Look, style: TextStyle, now_ms: f64) -> Node {
        Node {
            placed,
            look,
            style,
            frame: Rect::ZERO,
            born_ms: now_ms,
            fade: None,
            before: None,
            own: None,
            moves: false,
            below: None,
            above: None,
        }
    }

    /// The same node after its props, look or style changed. It keeps its age and its place; what it looked like, and which flags
    /// it had, is where it moves from.
    pub(crate) fn becomes(
        mut self,
        placed: PlacedNode,
        look: Look,
        style: TextStyle,
        now_ms: f64,
    ) -> Node {
        self.wear(look, now_ms);
        let flags = |props: &Map<String, Value>| -> Map<String, Value> {
            let all = props.iter().filter(|(_, v)| v.is_boolean());
            all.map(|(k, v)| (k.clone(), v.clone())).collect()
        };
        let was = flags(&self.placed.props);
        if was != flags(&placed.props) {
            self.before = Some(Box::new(Before {
                flags: was,
                until_ms: now_ms,
            }));
        }
        self.placed = placed;
        self.style = style;
        self.moves = false;
        self.repaint();
        self
    }

    /// Take on another look, at once or over the time of its transition.
    pub(crate) fn wear(&mut self, look: Look, now_ms: f64) {
        if look == self.look {
            return;
        }
        let worn = std::mem::replace(&mut self.look, look);
        let from = match self.fade.take() {
            Some(fade) => blend(&fade.from, &worn, fade.progress(now_ms)),
            None => worn,
        };
        let transition = self.look.transition.filter(|t| t.duration_ms > 0.0);
        self.fade = transition.map(|transition| Fade {
            from: Box::new(from),
            start_ms: now_ms,
            transition,
        });
    }

    pub(crate) fn repaint(&mut self) {
        self.below = None;
        self.above = None;
    }
}
