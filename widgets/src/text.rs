//! Text: a run of words in one type style. Also the text parts of other components; those of a fixed height stand in its middle.

use ede_renderer::component::{Component, MeasureCx, Measured, PaintCx};
use ede_renderer::geometry::Point;
use eui_core::measure::LeafRequest;

use crate::paragraph::Paragraph;
use crate::{props, shimmer};

pub struct Text;

/// A part's text stands in the middle of its box when this is its owner's part.
pub struct CenteredText;

impl Component for Text {
    fn measure(
        &self,
        cx: &mut MeasureCx<'_>,
        leaf: &LeafRequest<'_>,
        width: Option<f32>,
    ) -> Measured {
        measure(cx, leaf, width)
    }

    fn paint(&self, cx: &mut PaintCx<'_>) {
        paint(cx, false);
    }
}

impl Component for CenteredText {
    fn measure(
        &self,
        cx: &mut MeasureCx<'_>,
        leaf: &LeafRequest<'_>,
        width: Option<f32>,
    ) -> Measured {
        measure(cx, leaf, width)
    }

    fn paint(&self, cx: &mut PaintCx<'_>) {
        paint(cx, true);
    }
}

const TEXT: [&str; 4] = ["text", "label", "title", "content"];

/// The inner width of a leaf's border box.
pub fn inner(leaf: &LeafRequest<'_>, width: f32) -> f32 {
    let [_, r, _, l] = leaf.control.padding;
    (width - r - l - 2.0 * leaf.control.border_width).max(0.0)
}

fn measure(cx: &mut MeasureCx<'_>, leaf: &LeafRequest<'_>, width: Option<f32>) -> Measured {
    let text = props::text(leaf.props, &TEXT);
    if text.is_empty() {
        return Measured::around(
            ede_renderer::geometry::Size::default(),
            0.0,
            None,
            &leaf.control,
        );
    }
    let (size, narrowest, baseline) = Paragraph::new(&text, leaf.text_style)
        .lines(leaf.lines)
        .measure(cx.text, width.map(|w| inner(leaf, w)));
    Measured::around(size, narrowest, baseline, &leaf.control)
}

fn paint(cx: &mut PaintCx<'_>, centered: bool) {
    let node = cx.node;
    let text = props::text(&node.props, &TEXT);
    if text.is_empty() {
        return;
    }
    let area = cx.content();
    let style = cx.style.clone();
    let (block, dx) = Paragraph::new(&text, &style)
        .dressed(cx.look)
        .lines(node.lines)
        .at(cx.text, area.w);
    let dy = if centered {
        (area.h - block.size().h) / 2.0
    } else {
        0.0
    };
    let origin = Point::new(area.x + dx, area.y + dy);
    let color = cx.color;
    if props::flag(&node.props, "shimmer") {
        shimmer::paint(cx, block, origin, color);
    } else {
        cx.block(block, origin, color, None);
    }
}
