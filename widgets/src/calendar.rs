//! One day of a calendar: muted outside its month, ringed today, part of a band inside a chosen range.

use ede_renderer::component::{Component, MeasureCx, Measured, PaintCx};
use ede_renderer::display::{BorderStyle, Op};
use ede_renderer::geometry::{Radii, Rect};
use ede_renderer::look::Align;
use eui_core::measure::{LeafRequest, TextStyle};

use crate::paragraph::Paragraph;
use crate::props;

pub struct Day;

impl Component for Day {
    fn measure(&self, cx: &mut MeasureCx<'_>, leaf: &LeafRequest<'_>, _: Option<f32>) -> Measured {
        let day = props::text(leaf.props, &["text"]);
        let (size, _, baseline) = Paragraph::new(&day, leaf.text_style)
            .lines(Some(1))
            .measure(cx.text, None);
        Measured::around(size, size.w, baseline, &leaf.control)
    }

    fn paint(&self, cx: &mut PaintCx<'_>) {
        let node = cx.node;
        let on = |name: &str| props::flag(&node.props, name);
        let day = props::text(&node.props, &["text"]);
        if on("inRange") {
            let dress = cx.recipe("DateRangePicker", "range");
            if let Some(band) = dress.look.background {
                // Over the gap to its neighbours, so that the range is one band.
                let across = cx.bounds().inset_sides([0.0, -1.0, 0.0, -1.0]);
                cx.fill(across, Radii::NONE, band);
            }
        }
        let mut style = cx.style.clone();
        let mut ink = cx.color;
        if on("outside") && !on("selected") {
            ink = cx.token("mutedForeground");
        }
        if on("today") {
            style.font_weight = 600;
            if !on("selected") {
                let color = cx.token("ring");
                let radii = cx.look.radii.fit(cx.size);
                cx.push(Op::Border {
                    rect: cx.bounds(),
                    radii,
                    widths: [1.0; 4],
                    color,
                    style: BorderStyle::Solid,
                });
            }
        }
        let line = Rect::of_size(cx.size);
        cx.line_styled(&day, &style, line, Align::Center, ink);
    }
}

/// A column's weekday name over the days: small and muted.
pub struct Weekday;

impl Component for Weekday {
    fn measure(&self, cx: &mut MeasureCx<'_>, leaf: &LeafRequest<'_>, _: Option<f32>) -> Measured {
        let name = props::text(leaf.props, &["text"]);
        let style = small(leaf.text_style);
        let (size, _, baseline) = Paragraph::new(&name, &style)
            .lines(Some(1))
            .measure(cx.text, None);
        Measured::around(size, size.w.min(24.0), baseline, &leaf.control)
    }

    fn paint(&self, cx: &mut PaintCx<'_>) {
        let node = cx.node;
        let name = props::text(&node.props, &["text"]);
        let (style, muted) = (small(cx.style), cx.token("mutedForeground"));
        let line = Rect::of_size(cx.size);
        cx.line_styled(&name, &style, line, Align::Center, muted);
    }
}

fn small(base: &TextStyle) -> TextStyle {
    TextStyle {
        font_size: base.font_size * 12.0 / 14.0,
        line_height: 16.0,
        ..base.clone()
    }
}
