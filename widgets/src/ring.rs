//! Ring: a fraction as an arc.

use ede_renderer::component::{Component, MeasureCx, Measured, PaintCx};
use ede_renderer::display::Path;
use eui_core::measure::LeafRequest;
use std::f32::consts::TAU;

use crate::{icon, props};

pub struct Ring;

impl Component for Ring {
    fn measure(&self, _: &mut MeasureCx<'_>, leaf: &LeafRequest<'_>, _: Option<f32>) -> Measured {
        let size = icon::square(leaf, 32.0);
        Measured::fixed(size.w, size.h)
    }

    fn paint(&self, cx: &mut PaintCx<'_>) {
        let share = props::number(&cx.node.props, "value")
            .unwrap_or(0.0)
            .clamp(0.0, 1.0) as f32;
        let (track, fill) = (cx.recipe("Ring", "track"), cx.recipe("Ring", "fill"));
        let side = cx.size.w.min(cx.size.h);
        // The recipe's width is for the medium size; a ring keeps its weight as it grows.
        let width = track.look.border[0].max(2.0) * (side / 32.0).max(1.0);
        let (center, radius) = (cx.bounds().center(), (side - width) / 2.0);
        if radius <= 0.0 {
            return;
        }
        let back = track.look.color.unwrap_or_else(|| cx.token("muted"));
        let ink = fill.look.color.unwrap_or_else(|| cx.token("primary"));
        cx.stroke(Path::arc(center, radius, 0.0, TAU), width, back);
        if share > 0.0 {
            let sweep = TAU * share * if cx.rtl { -1.0 } else { 1.0 };
            cx.stroke(Path::arc(center, radius, -TAU / 4.0, sweep), width, ink);
        }
    }
}
