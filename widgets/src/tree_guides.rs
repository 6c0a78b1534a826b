//! The lines that join a nested row to its parent. Which lines, the engine says; here they are drawn.

use ede_renderer::color::Color;
use ede_renderer::component::{Component, MeasureCx, Measured, PaintCx};
use ede_renderer::display::{Path, Segment};
use ede_renderer::geometry::{Point, Size};
use eui_core::layout::{TREE_GUIDE_BRIDGE, TREE_GUIDE_COLUMN, TREE_GUIDE_RADIUS};
use eui_core::measure::LeafRequest;

use crate::props;

pub struct TreeGuides;

const COLUMN: f32 = TREE_GUIDE_COLUMN as f32;
const MOST_LEVELS: f64 = 64.0;

impl Component for TreeGuides {
    fn measure(&self, _: &mut MeasureCx<'_>, leaf: &LeafRequest<'_>, _: Option<f32>) -> Measured {
        let depth = props::number(leaf.props, "depth").unwrap_or(0.0);
        let w = depth.clamp(0.0, MOST_LEVELS) as f32 * COLUMN;
        Measured {
            size: Size::new(w, 0.0),
            min_width: w,
            baseline: None,
        }
    }

    fn paint(&self, cx: &mut PaintCx<'_>) {
        let props = &cx.node.props;
        let dress = cx.recipe("TreeGuides", "line");
        let color = dress.look.color.unwrap_or_else(|| cx.token("border"));
        let width = dress.width.unwrap_or(1.0);
        let lines = Lines {
            color,
            width,
            top: -TREE_GUIDE_BRIDGE as f32,
            bottom: cx.size.h,
        };
        for level in props::list(props, "passThrough") {
            if let Some(level) = level.as_f64().filter(|l| (0.0..MOST_LEVELS).contains(l)) {
                lines.straight(cx, level as f32);
            }
        }
        let elbow = props::number(props, "elbowAt").filter(|l| (0.0..MOST_LEVELS).contains(l));
        if let Some(level) = elbow {
            let tee = props::flag(props, "tee");
            if tee {
                lines.straight(cx, level as f32);
            }
            lines.elbow(cx, level as f32, tee);
        }
    }
}

struct Lines {
    color: Color,
    width: f32,
    top: f32,
    bottom: f32,
}

impl Lines {
    fn at(&self, cx: &PaintCx<'_>, x: f32) -> f32 {
        if cx.rtl { cx.size.w - x } else { x }
    }

    fn x(&self, level: f32) -> f32 {
        level * COLUMN + (COLUMN / 2.0).floor() + 0.5
    }

    fn straight(&self, cx: &mut PaintCx<'_>, level: f32) {
        let x = self.at(cx, self.x(level));
        cx.stroke(
            Path::new().move_to(x, self.top).line_to(x, self.bottom),
            self.width,
            self.color,
        );
    }

    fn elbow(&self, cx: &mut PaintCx<'_>, level: f32, tee: bool) {
        let middle = (self.bottom / 2.0).floor() + 0.5;
        let from = self.x(level);
        let (x, end) = (self.at(cx, from), self.at(cx, (level + 1.0) * COLUMN));
        let path = if tee {
            Path::new().move_to(x, middle).line_to(end, middle)
        } else {
            let r = TREE_GUIDE_RADIUS as f32;
            let turn = self.at(cx, from + r);
            let mut path = Path::new().move_to(x, self.top).line_to(x, middle - r);
            path.segments.push(Segment::Quad(
                Point::new(x, middle),
                Point::new(turn, middle),
            ));
            path.line_to(end, middle)
        };
        cx.stroke(path, self.width, self.color);
    }
}
