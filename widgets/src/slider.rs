//! The track of a Slider: the range up to its value, and the thumb. A press or drag anywhere on it sets the value, arrows step it.

use ede_renderer::component::{Component, MeasureCx, Measured, PaintCx};
use ede_renderer::display::{BorderStyle, Op};
use ede_renderer::geometry::{Point, Radii, Rect, Size};
use ede_renderer::input::{Drag, Intent, Key, KeyPress};
use ede_renderer::look::Look;
use ede_renderer::recipes::Recipes;
use ede_renderer::text::TextEngine;
use eui_core::layout::FIELD_INTRINSIC_WIDTH;
use eui_core::measure::LeafRequest;
use eui_core::surface::PlacedNode;
use serde_json::json;

use crate::parts;
use crate::props::{self, Props};

pub struct Slider;

const THUMB: f32 = 16.0;

struct Scale {
    min: f64,
    max: f64,
    step: f64,
    value: f64,
}

impl Scale {
    fn of(props: &Props) -> Scale {
        let min = props::number(props, "min").unwrap_or(0.0);
        let max = props::number(props, "max").unwrap_or(100.0).max(min);
        Scale {
            min,
            max,
            step: props::number(props, "step")
                .filter(|s| *s > 0.0)
                .unwrap_or(1.0),
            value: props::number(props, "value").unwrap_or(min).clamp(min, max),
        }
    }

    /// 0 to 1 along the track.
    fn share(&self) -> f32 {
        if self.max > self.min {
            ((self.value - self.min) / (self.max - self.min)) as f32
        } else {
            0.0
        }
    }

    /// The nearest step to `value`, without the noise of binary fractions.
    fn snap(&self, value: f64) -> f64 {
        let steps = ((value - self.min) / self.step).round();
        let v = (self.min + steps * self.step).clamp(self.min, self.max);
        (v * 1e9).round() / 1e9
    }

    fn told(&self, value: f64) -> Option<Intent> {
        let value = self.snap(value);
        Some(Intent::new(
            "change",
            Some(json!({ "value": eui_core::json::number(value) })),
        ))
    }

    fn at(&self, x: f32, width: f32, rtl: bool) -> f64 {
        // The thumb's middle travels between half a thumb from both ends.
        let share = ((x - THUMB / 2.0) / (width - THUMB).max(1.0)).clamp(0.0, 1.0);
        let share = f64::from(if rtl { 1.0 - share } else { share });
        self.min + (self.max - self.min) * share
    }
}

impl Component for Slider {
    fn measure(&self, _: &mut MeasureCx<'_>, leaf: &LeafRequest<'_>, _: Option<f32>) -> Measured {
        Measured {
            size: Size::new(
                FIELD_INTRINSIC_WIDTH as f32,
                leaf.control.height.unwrap_or(6.0),
            ),
            min_width: 48.0,
            baseline: None,
        }
    }

    fn paint(&self, cx: &mut PaintCx<'_>) {
        let share = Scale::of(&cx.node.props).share();
        let range = cx.recipe("Slider", "range");
        let thumb = cx.recipe("Slider", "thumb");
        let side = thumb.width.unwrap_or(THUMB);
        let middle = side / 2.0 + (cx.size.w - side) * share;
        let (from, w) = if cx.rtl {
            (cx.size.w - middle, middle)
        } else {
            (0.0, middle)
        };
        let radii = cx.look.radii.fit(cx.size);
        let filled = range.look.background.unwrap_or_else(|| cx.token("primary"));
        cx.fill(Rect::new(from, 0.0, w, cx.size.h), radii, filled);
        let center = if cx.rtl { cx.size.w - middle } else { middle };
        let knob = Rect::new(center - side / 2.0, (cx.size.h - side) / 2.0, side, side);
        let round = Radii::all(side / 2.0);
        parts::shadow(cx, knob, round, &thumb.look);
        let back = thumb
            .look
            .background
            .unwrap_or_else(|| cx.token("background"));
        cx.fill(knob, round, back);
        if let Some(color) = thumb.look.border_color {
            cx.push(Op::Border {
                rect: knob,
                radii: round,
                widths: thumb.look.border,
                color,
                style: BorderStyle::Solid,
            });
        }
    }

    fn press(
        &self,
        node: &PlacedNode,
        look: &Look,
        size: Size,
        at: Point,
        _: &Recipes,
        _: &mut TextEngine,
    ) -> Option<Intent> {
        let scale = Scale::of(&node.props);
        scale.told(scale.at(at.x, size.w, look.rtl == Some(true)))
    }

    fn drag(&self, node: &PlacedNode, look: &Look, size: Size, drag: &Drag) -> Option<Intent> {
        let scale = Scale::of(&node.props);
        scale.told(scale.at(drag.at.x, size.w, look.rtl == Some(true)))
    }

    fn key(&self, node: &PlacedNode, look: &Look, key: &KeyPress) -> Option<Intent> {
        let s = Scale::of(&node.props);
        let (more, less) = if look.rtl == Some(true) {
            (Key::Left, Key::Right)
        } else {
            (Key::Right, Key::Left)
        };
        let to = match key.key {
            k if k == more || k == Key::Up => s.value + s.step,
            k if k == less || k == Key::Down => s.value - s.step,
            Key::PageUp => s.value + 10.0 * s.step,
            Key::PageDown => s.value - 10.0 * s.step,
            Key::Home => s.min,
            Key::End => s.max,
            _ => return None,
        };
        s.told(to)
    }

    fn focusable(&self, node: &PlacedNode) -> Option<bool> {
        Some(node.pressable)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn scale(v: serde_json::Value) -> Scale {
        Scale::of(v.as_object().unwrap_or(&Props::new()))
    }

    #[test]
    fn values_land_on_steps_without_binary_noise() {
        let s = scale(json!({"min": 0, "max": 1, "step": 0.1, "value": 0.2}));
        assert_eq!(s.snap(0.30000000000000004), 0.3);
        assert_eq!(s.snap(7.0), 1.0);
    }

    #[test]
    fn both_ends_of_the_track_reach_both_ends_of_the_scale() {
        let s = scale(json!({"min": 10, "max": 20, "value": 15}));
        assert_eq!(s.at(0.0, 200.0, false), 10.0);
        assert_eq!(s.at(200.0, 200.0, false), 20.0);
        assert_eq!(s.at(0.0, 200.0, true), 20.0);
        assert_eq!(s.share(), 0.5);
    }

    #[test]
    fn a_scale_turned_around_does_not_panic() {
        let s = scale(json!({"min": 5, "max": -5, "value": 1e300, "step": -3}));
        assert_eq!(s.share(), 0.0);
    }
}
