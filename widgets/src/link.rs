//! Link: words that open a URL; with an arrow after them when they leave the app.

use ede_renderer::component::{Component, MeasureCx, Measured, PaintCx};
use ede_renderer::geometry::{Point, Rect, Size};
use eui_core::measure::LeafRequest;

use crate::paragraph::Paragraph;
use crate::{props, text};

pub struct Link;

const ARROW: f32 = 14.0;
const GAP: f32 = 4.0;

/// Room kept for the arrow of an external link.
fn tail(props: &props::Props) -> f32 {
    if props::flag(props, "external") {
        ARROW + GAP
    } else {
        0.0
    }
}

impl Component for Link {
    fn measure(
        &self,
        cx: &mut MeasureCx<'_>,
        leaf: &LeafRequest<'_>,
        width: Option<f32>,
    ) -> Measured {
        let label = props::text(leaf.props, &["label", "text"]);
        let tail = tail(leaf.props);
        let (size, narrowest, baseline) = Paragraph::new(&label, leaf.text_style)
            .lines(leaf.lines)
            .measure(cx.text, width.map(|w| text::inner(leaf, w) - tail));
        Measured::around(
            Size::new(size.w + tail, size.h),
            narrowest + tail,
            baseline,
            &leaf.control,
        )
    }

    fn paint(&self, cx: &mut PaintCx<'_>) {
        let node = cx.node;
        let label = props::text(&node.props, &["label", "text"]);
        let mut area = cx.content();
        let tail = tail(&node.props);
        area.w -= tail;
        if cx.rtl {
            area.x += tail;
        }
        let style = cx.style.clone();
        let p = Paragraph::new(&label, &style)
            .dressed(cx.look)
            .lines(node.lines);
        let (block, dx) = p.at(cx.text, area.w);
        let (size, color) = (block.size(), cx.color);
        cx.block(block, Point::new(area.x + dx, area.y), color, None);
        if tail > 0.0 {
            let w = (size.w + dx).min(area.w);
            let x = if cx.rtl {
                area.x + dx - tail
            } else {
                area.x + w + GAP
            };
            let y = area.y + size.h - cx.style.line_height;
            let line = Rect::new(x, y, ARROW, cx.style.line_height);
            cx.icon(
                "ui-external-link",
                line.centered(Size::new(ARROW, ARROW)),
                color,
            );
        }
    }
}
