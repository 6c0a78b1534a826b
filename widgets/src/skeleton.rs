//! Skeleton: a block where something will be, breathing until it is there. Paints its own box: it may be narrower than its frame.

use ede_renderer::component::{Component, MeasureCx, Measured, PaintCx};
use ede_renderer::geometry::{Radii, Rect, Size};
use eui_core::layout::{SKELETON_OPACITY_HIGH, SKELETON_OPACITY_LOW, SKELETON_PULSE_MS};
use eui_core::measure::LeafRequest;
use serde_json::Value;
use std::f64::consts::TAU;

use crate::props::Props;

pub struct Skeleton;

/// A length prop: px, `"16px"`, or `"60%"` of `whole`.
fn length(props: &Props, name: &str, whole: Option<f32>) -> Option<f32> {
    match props.get(name)? {
        Value::Number(n) => n.as_f64().map(|n| n as f32),
        Value::String(s) => {
            let s = s.trim();
            match s.strip_suffix('%') {
                Some(share) => share
                    .trim()
                    .parse::<f32>()
                    .ok()
                    .zip(whole)
                    .map(|(p, w)| w * p / 100.0),
                None => s.trim_end_matches("px").trim().parse().ok(),
            }
        }
        _ => None,
    }
    .filter(|n| n.is_finite() && *n > 0.0)
    .map(|n| n.min(10_000.0))
}

/// How visible the block is at a moment: the first frame shows it whole.
pub fn pulse(elapsed_ms: f64) -> f32 {
    let wave = (elapsed_ms / SKELETON_PULSE_MS * TAU).cos() * 0.5 + 0.5;
    (SKELETON_OPACITY_LOW + (SKELETON_OPACITY_HIGH - SKELETON_OPACITY_LOW) * wave) as f32
}

impl Component for Skeleton {
    fn measure(&self, _: &mut MeasureCx<'_>, leaf: &LeafRequest<'_>, _: Option<f32>) -> Measured {
        let c = &leaf.control;
        let w = c
            .width
            .or_else(|| length(leaf.props, "width", None))
            .unwrap_or(120.0);
        let h = c
            .height
            .or_else(|| length(leaf.props, "height", None))
            .unwrap_or(16.0);
        Measured {
            size: Size::new(w, h),
            min_width: 0.0,
            baseline: None,
        }
    }

    fn paint(&self, cx: &mut PaintCx<'_>) {
        if !cx.node.children.is_empty() {
            return;
        }
        let w = length(&cx.node.props, "width", Some(cx.size.w))
            .unwrap_or(cx.size.w)
            .min(cx.size.w);
        let h = length(&cx.node.props, "height", Some(cx.size.h))
            .unwrap_or(cx.size.h)
            .min(cx.size.h);
        let x = if cx.rtl { cx.size.w - w } else { 0.0 };
        let rect = Rect::new(x, (cx.size.h - h) / 2.0, w, h);
        let radii: Radii = cx.look.radii.fit(rect.size());
        if let Some(color) = cx.look.background {
            cx.fill(rect, radii, color.fade(pulse(cx.elapsed_ms)));
            cx.animate();
        }
    }

    fn own_box(&self) -> bool {
        true
    }
}
