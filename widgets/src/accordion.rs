//! The header of an Accordion section: its title, a count, and a chevron at the end that turns when the section opens.

use ede_renderer::component::{Component, MeasureCx, Measured, PaintCx};
use eui_core::measure::LeafRequest;

use crate::inline::{Inline, Place};
use crate::{parts, props};

pub struct Trigger;

const CHEVRON: f32 = 16.0;

impl Component for Trigger {
    fn measure(&self, cx: &mut MeasureCx<'_>, leaf: &LeafRequest<'_>, _: Option<f32>) -> Measured {
        let title = props::text(leaf.props, &["text"]);
        let count = props::text(leaf.props, &["count"]);
        let mut m = Inline::new(leaf.control.gap)
            .text(&title, leaf.text_style, None)
            .text(&count, leaf.text_style, None)
            .icon(Some("ui-chevron-down"), CHEVRON, None)
            .measure(cx.text, &leaf.control);
        m.min_width = m.min_width.min(96.0);
        m
    }

    fn paint(&self, cx: &mut PaintCx<'_>) {
        let node = cx.node;
        let title = props::text(&node.props, &["text"]);
        let count = props::text(&node.props, &["count"]);
        let dress = cx.recipe("Accordion", "count");
        let (area, style) = (cx.content(), cx.style.clone());
        let light = parts::style(&dress, &style);
        let muted = cx.token("mutedForeground");
        let chevron = if cx.has_state("open") {
            "ui-chevron-up"
        } else {
            "ui-chevron-down"
        };
        Inline::new(cx.look.gap.unwrap_or(8.0))
            .text(&title, &style, None)
            .text(&count, &light, Some(dress.look.color.unwrap_or(muted)))
            .grow()
            .icon(Some(chevron), CHEVRON, Some(muted))
            .paint(cx, area, Place::Start);
    }
}
