//! Motion: a vector animation. The shell does not play them: a still, labelled box holds its place.

use ede_renderer::component::{Component, MeasureCx, Measured, PaintCx};
use ede_renderer::display::{BorderStyle, Op};
use ede_renderer::geometry::{Radii, Rect, Size};
use ede_renderer::look::Align;
use eui_core::layout_tree::motion_size;
use eui_core::measure::LeafRequest;

use crate::{parts, props};

pub struct Motion;

const LARGEST: f64 = 4096.0;

impl Component for Motion {
    fn measure(&self, _: &mut MeasureCx<'_>, leaf: &LeafRequest<'_>, _: Option<f32>) -> Measured {
        let (w, h) = motion_size(leaf.props).unwrap_or((0.0, 0.0));
        Measured {
            size: Size::new(w.min(LARGEST) as f32, h.min(LARGEST) as f32),
            min_width: 0.0,
            baseline: None,
        }
    }

    fn paint(&self, cx: &mut PaintCx<'_>) {
        let node = cx.node;
        let rect = cx.bounds();
        let color = cx.token("border");
        cx.push(Op::Border {
            rect,
            radii: Radii::all(8.0).fit(cx.size),
            widths: [1.0; 4],
            color,
            style: BorderStyle::Dashed,
        });
        let muted = cx.token("mutedForeground");
        let label = props::string(&node.props, "label").unwrap_or("");
        let style = parts::small(cx.recipes, cx.style);
        let labelled = !label.is_empty() && cx.size.h >= 56.0 && cx.size.w >= 64.0;
        let side = (cx.size.w.min(cx.size.h) * 0.5).min(20.0);
        let down = if labelled { 10.0 } else { 0.0 };
        let icon = rect.centered(Size::new(side, side));
        cx.icon(
            "play",
            Rect {
                y: icon.y - down,
                ..icon
            },
            muted,
        );
        if labelled {
            let line = Rect::new(4.0, icon.bottom() - down + 4.0, cx.size.w - 8.0, 16.0);
            cx.line_styled(label, &style, line, Align::Center, muted);
        }
    }
}
