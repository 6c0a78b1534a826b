//! The track of a Switch with its thumb: at the end of the reading direction when it is on.

use ede_renderer::component::{Component, MeasureCx, Measured, PaintCx};
use ede_renderer::geometry::{Radii, Rect};
use eui_core::measure::LeafRequest;

use crate::{parts, props};

pub struct Switch;

impl Component for Switch {
    fn measure(&self, _: &mut MeasureCx<'_>, leaf: &LeafRequest<'_>, _: Option<f32>) -> Measured {
        let c = &leaf.control;
        Measured::fixed(c.width.unwrap_or(32.0), c.height.unwrap_or(20.0))
    }

    fn paint(&self, cx: &mut PaintCx<'_>) {
        let thumb = cx.recipe("Switch", "thumb");
        let side = thumb.width.unwrap_or(16.0).min(cx.size.h);
        let inset = (cx.size.h - side) / 2.0;
        let at_end = props::flag(&cx.node.props, "checked") != cx.rtl;
        let x = if at_end {
            cx.size.w - inset - side
        } else {
            inset
        };
        let rect = Rect::new(x, inset, side, side);
        parts::shadow(cx, rect, Radii::all(side / 2.0), &thumb.look);
        let color = thumb
            .look
            .background
            .unwrap_or_else(|| cx.token("background"));
        cx.fill(rect, Radii::all(side / 2.0), color);
    }
}
