//! Chart: bars, lines, areas, pies and sparklines with axes, legend and a tooltip under the pointer. The numbers (extent, ticks,
//! colours) are the engine's.

mod bars;
mod legend;
mod lines;
mod model;
mod plot;
mod round;
mod tooltip;

use ede_renderer::component::{Component, MeasureCx, Measured, NudgeCx, PaintCx};
use ede_renderer::geometry::{Point, Size};
use ede_renderer::input::{Intent, Key, Nudge, Own};
use eui_core::layout::MEDIA_INTRINSIC_WIDTH;
use eui_core::measure::LeafRequest;
use eui_core::surface::PlacedNode;

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
        let m = Model::of(&cx.node.props, cx.recipes);
        let plot = Plot::paint(cx, &m);
        if plot.area.is_empty() {
            return;
        }
        let hovered = cx.pointer.and_then(|at| {
            if m.kind.round() {
                round::slice_at(&m, &plot, cx.rtl, at)
            } else {
                plot.column_at(at, m.kind)
            }
        });
        // The pointer knows better than the keys where the person looks.
        let marked = cx.own.filter(|_| cx.focused && hovered.is_none());
        let marked = marked
            .map(|own| own[0] as usize)
            .filter(|column| *column < m.columns());
        let place = |column: usize| {
            if m.kind.round() {
                round::middle(&m, &plot, cx.rtl, column)
            } else {
                Point::new(plot.x(column, m.kind), plot.area.center().y)
            }
        };
        let pointer = marked.map(place).or(cx.pointer);
        let hovered = hovered.or(marked);
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

    /// Arrows move the mark from one column to the next as they are seen, Home and End to the first and last.
    fn nudge(&self, cx: &mut NudgeCx<'_>, nudge: &Nudge) -> Option<(Own, Option<Intent>)> {
        let Nudge::Key(key) = nudge else {
            return None;
        };
        let last = Model::of(&cx.node.props, cx.recipes)
            .columns()
            .checked_sub(1)?;
        let forward = match key.key {
            Key::Right => cx.look.rtl != Some(true),
            Key::Left => cx.look.rtl == Some(true),
            Key::End => true,
            Key::Home => false,
            _ => return None,
        };
        if key.mods.commands() {
            return None;
        }
        let edge = matches!(key.key, Key::Home | Key::End);
        let from = cx
            .own
            .filter(|_| !edge)
            .map(|own| (own[0] as usize).min(last));
        let to = match (from, forward) {
            (Some(at), true) => (at + 1).min(last),
            (Some(at), false) => at.saturating_sub(1),
            // Nothing is marked yet: the first arrow marks the end it comes from.
            (None, true) => {
                if edge {
                    last
                } else {
                    0
                }
            }
            (None, false) => {
                if edge {
                    0
                } else {
                    last
                }
            }
        };
        Some(([to as f64, 0.0, 0.0, 0.0, 0.0, 0.0], None))
    }

    fn focusable(&self, node: &PlacedNode) -> Option<bool> {
        // A sparkline stands beside its number; there is nothing more to read out of it.
        Some(Kind::of(&node.props) != Kind::Sparkline)
    }

    fn holds_press(&self) -> bool {
        false
    }
}
