//! Spinner: work of unknown length. Three quarters of a ring that turns once in the time of the theme's `spin`.

use ede_renderer::color::Color;
use ede_renderer::component::{Component, MeasureCx, Measured, PaintCx};
use ede_renderer::display::Path;
use ede_renderer::geometry::{Rect, Size};
use eui_core::measure::LeafRequest;
use std::f32::consts::TAU;

use crate::icon;

pub struct Spinner;

const TURN_MS: f64 = 1000.0;
const SWEEP: f32 = TAU * 0.7;

/// A spinner that fills `rect`.
pub fn paint(cx: &mut PaintCx<'_>, rect: Rect, color: Color) {
    let side = rect.w.min(rect.h);
    let width = (side / 10.0).clamp(1.25, 3.0);
    let radius = (side - width) / 2.0 - side / 16.0;
    if radius <= 0.0 {
        return;
    }
    let turn = (cx.elapsed_ms / TURN_MS).fract() as f32 * TAU - TAU / 4.0;
    cx.stroke(
        Path::arc(rect.center(), radius, 0.0, TAU),
        width,
        color.fade(0.2),
    );
    cx.stroke(
        Path::arc(rect.center(), radius, turn, SWEEP - TAU / 4.0),
        width,
        color,
    );
    cx.animate();
}

impl Component for Spinner {
    fn measure(&self, _: &mut MeasureCx<'_>, leaf: &LeafRequest<'_>, _: Option<f32>) -> Measured {
        let size = icon::square(leaf, 20.0);
        Measured::fixed(size.w, size.h)
    }

    fn paint(&self, cx: &mut PaintCx<'_>) {
        let (area, color) = (cx.content(), cx.color);
        let side = area.w.min(area.h);
        paint(cx, area.centered(Size::new(side, side)), color);
    }
}
