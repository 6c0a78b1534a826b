//! Chart: bars, lines, areas, pies and sparklines with axes, legend and a tooltip under the pointer. The numbers (extent, ticks,
//! colours) are the engine's.

mod bars;
mod legend;
mod lines;
mod model;
mod plot;
mod round;
mod tooltip;

use ede_renderer::component::{Component, MeasureCx, Measured, PaintCx};
use ede_renderer::geometry::Size;
use eui_core::layout::MEDIA_INTRINSIC_WIDTH;
use eui_core::measure::LeafRequest;

use crate::props;
use model::{Kind, Model};
use plot::Plot;

pub struct Chart;

const HEIGHT: f32 = 200.0;

impl Component for Chart {
    fn measure(&self, _: &mut MeasureCx<'_>, leaf: &LeafRequest<'_>, _: Option<f32>) -> Measured {
        Measured {
            size: Size::new(
                MEDIA_INTRINSIC_WIDTH as f32,
                props::length(leaf.props, "height", 4096.0).unwrap_or(HEIGHT),
            ),
            min_width: 0.0,
            baseline: None,
        }
    }

    fn paint(&self, cx: &mut PaintCx<'_>) {
        let m = Model::of(&cx.node.props, cx.look, cx.recipes);
        let plot = Plot::paint(cx, &m);
        if plot.area.is_empty() {
            return;
        }
        let pointer = cx.pointer;
        let hovered = pointer.and_then(|at| {
            if m.kind.round() {
                round::slice_at(&m, &plot, cx.rtl, at)
            } else {
                plot.column_at(at, m.kind)
            }
        });
        match m.kind {
            Kind::Bar | Kind::StackedBar => bars::paint(cx, &m, &plot, hovered),
            Kind::Line | Kind::Area | Kind::Sparkline => lines::paint(cx, &m, &plot, hovered),
            Kind::Pie | Kind::Donut => round::paint(cx, &m, &plot, hovered),
        }
        // A line of text high sparkline has no room to say more.
        let tiny = m.kind == Kind::Sparkline && cx.size.h < 64.0;
        if let (Some(column), Some(at), false) = (hovered, pointer, tiny) {
            tooltip::paint(cx, &m, column, at);
        }
    }

    fn follows_pointer(&self) -> bool {
        true
    }
}
