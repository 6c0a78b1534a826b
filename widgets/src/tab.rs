//! One tab of a Tabs row: icon, title and count, centred.

use ede_renderer::component::{Component, MeasureCx, Measured, PaintCx};
use ede_renderer::geometry::Rect;
use eui_core::measure::{LeafRequest, TextStyle};

use crate::inline::{Inline, Place};
use crate::props::{self, Props};

pub struct Tab;

const ICON: f32 = 16.0;
const GAP: f32 = 6.0;

fn line<'a>(
    props: &'a Props,
    label: &'a str,
    count: &'a str,
    style: &'a TextStyle,
    muted: Option<ede_renderer::color::Color>,
) -> Inline<'a> {
    Inline::new(GAP)
        .icon(props::string(props, "icon"), ICON, None)
        .text(label, style, None)
        .text(count, style, muted)
}

impl Component for Tab {
    fn measure(&self, cx: &mut MeasureCx<'_>, leaf: &LeafRequest<'_>, _: Option<f32>) -> Measured {
        let label = props::text(leaf.props, &["text"]);
        let count = props::text(leaf.props, &["count"]);
        line(leaf.props, &label, &count, leaf.text_style, None).measure(cx.text, &leaf.control)
    }

    fn paint(&self, cx: &mut PaintCx<'_>) {
        let node = cx.node;
        let label = props::text(&node.props, &["text"]);
        let count = props::text(&node.props, &["count"]);
        let muted = cx.token("mutedForeground");
        let (area, style) = (cx.content(), cx.style.clone());
        line(&node.props, &label, &count, &style, Some(muted)).paint(cx, area, Place::Center);
    }

    fn paint_over(&self, cx: &mut PaintCx<'_>) {
        if !cx.has_state("selected") {
            return;
        }
        let dress = cx.recipe("Tabs", "indicator");
        let high = dress.height.unwrap_or(0.0);
        if let (true, Some(color)) = (high > 0.0, dress.look.background) {
            let rect = Rect::new(0.0, cx.size.h - high, cx.size.w, high);
            cx.fill(rect, dress.look.radii, color);
        }
    }
}
