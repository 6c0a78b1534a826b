//! The track of a Switch with its thumb: at the end of the reading direction when it is on.

use ede_renderer::component::{Component, MeasureCx, Measured, PaintCx};
use ede_renderer::geometry::{Radii, Rect};
use eui_core::animation::cubic_bezier;
use eui_core::measure::LeafRequest;

use crate::{parts, props};

pub struct Switch;

/// How far the thumb has come to where it belongs, 1 when it is there: it moves while the track changes its colour.
fn way(cx: &mut PaintCx<'_>) -> f32 {
    let Some((ms, t)) = cx.since("checked").zip(cx.look.transition) else {
        return 1.0;
    };
    let part = ms / f64::from(t.duration_ms);
    // No time at all (reduced motion) is not a number here or past the end.
    if !(0.0..1.0).contains(&part) {
        return 1.0;
    }
    cx.animate();
    let eased = cubic_bezier(t.easing.map(f64::from), part) as f32;
    // An easing that overshoots stays on the track.
    eased.clamp(0.0, 1.0)
}

impl Component for Switch {
    fn measure(&self, _: &mut MeasureCx<'_>, leaf: &LeafRequest<'_>, _: Option<f32>) -> Measured {
        let c = &leaf.control;
        Measured::fixed(c.width.unwrap_or(32.0), c.height.unwrap_or(20.0))
    }

    fn paint(&self, cx: &mut PaintCx<'_>) {
        let thumb = cx.recipe("Switch", "thumb");
        let side = thumb.width.unwrap_or(16.0).min(cx.size.h);
        let inset = (cx.size.h - side) / 2.0;
        let on = props::flag(&cx.node.props, "checked");
        let share = if on { way(cx) } else { 1.0 - way(cx) };
        let share = if cx.rtl { 1.0 - share } else { share };
        let x = inset + (cx.size.w - 2.0 * inset - side) * share;
        let rect = Rect::new(x, inset, side, side);
        parts::shadow(cx, rect, Radii::all(side / 2.0), &thumb.look);
        let color = thumb
            .look
            .background
            .unwrap_or_else(|| cx.token("background"));
        cx.fill(rect, Radii::all(side / 2.0), color);
    }
}
