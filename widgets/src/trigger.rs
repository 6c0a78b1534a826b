//! The face of a field that opens a list or a calendar: the chosen text, or the placeholder, and a glyph at the end.

use ede_renderer::component::{Component, MeasureCx, Measured, PaintCx};
use ede_renderer::geometry::Size;
use eui_core::layout::FIELD_INTRINSIC_WIDTH;
use eui_core::measure::LeafRequest;

use crate::inline::{Inline, Place};
use crate::props;

pub struct Trigger;

const ICON: f32 = 16.0;
const GAP: f32 = 8.0;

impl Component for Trigger {
    fn measure(&self, cx: &mut MeasureCx<'_>, leaf: &LeafRequest<'_>, _: Option<f32>) -> Measured {
        let shown = props::text(leaf.props, &["text"]);
        let line = Inline::new(GAP)
            .text(&shown, leaf.text_style, None)
            .icon(props::string(leaf.props, "icon"), ICON, None)
            .measure(cx.text, &leaf.control);
        let h = line
            .size
            .h
            .max(leaf.text_style.line_height + leaf.control.padding[0] + leaf.control.padding[2]);
        Measured {
            size: Size::new(FIELD_INTRINSIC_WIDTH as f32, h),
            min_width: (line.min_width).min(72.0),
            baseline: line.baseline,
        }
    }

    fn paint(&self, cx: &mut PaintCx<'_>) {
        let node = cx.node;
        let shown = props::text(&node.props, &["text"]);
        let muted = cx.token("mutedForeground");
        let hint = props::flag(&node.props, "placeholder");
        let (area, style) = (cx.content(), cx.style.clone());
        Inline::new(GAP)
            .text(&shown, &style, hint.then_some(muted))
            .grow()
            .icon(props::string(&node.props, "icon"), ICON, Some(muted))
            .paint(cx, area, Place::Start);
    }
}
