//! Toggle: a button that stays pressed.

use ede_renderer::component::{Component, MeasureCx, Measured, PaintCx};
use eui_core::measure::{LeafRequest, TextStyle};

use crate::inline::{Inline, Place};
use crate::props::{self, Props};

pub struct Toggle;

const ICON: f32 = 16.0;

fn line<'a>(props: &'a Props, label: &'a str, style: &'a TextStyle, gap: f32) -> Inline<'a> {
    Inline::new(gap)
        .icon(props::string(props, "icon"), ICON, None)
        .text(label, style, None)
}

impl Component for Toggle {
    fn measure(&self, cx: &mut MeasureCx<'_>, leaf: &LeafRequest<'_>, _: Option<f32>) -> Measured {
        let label = props::text(leaf.props, &["label"]);
        line(leaf.props, &label, leaf.text_style, leaf.control.gap).measure(cx.text, &leaf.control)
    }

    fn paint(&self, cx: &mut PaintCx<'_>) {
        let node = cx.node;
        let label = props::text(&node.props, &["label"]);
        let (area, style) = (cx.content(), cx.style.clone());
        let gap = cx.look.gap.unwrap_or(0.0);
        line(&node.props, &label, &style, gap).paint(cx, area, Place::Center);
    }
}
