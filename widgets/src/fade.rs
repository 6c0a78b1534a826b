//! The fade over the last rows of a list that goes on below: the list's own colour, growing denser downwards.

use std::sync::Arc;

use ede_renderer::color::Color;
use ede_renderer::component::{Component, MeasureCx, Measured, PaintCx};
use ede_renderer::display::{Brush, LinearGradient, Op};
use ede_renderer::geometry::Radii;
use eui_core::layout::SEARCH_LIST_FADE;
use eui_core::measure::LeafRequest;

pub struct Fade;

impl Component for Fade {
    fn measure(&self, _: &mut MeasureCx<'_>, _: &LeafRequest<'_>, _: Option<f32>) -> Measured {
        Measured::fixed(0.0, SEARCH_LIST_FADE)
    }

    fn paint(&self, cx: &mut PaintCx<'_>) {
        let solid = cx.look.background.unwrap_or_else(|| cx.token("popover"));
        let clear = Color { a: 0, ..solid };
        let rect = cx.bounds();
        cx.push(Op::Fill {
            rect,
            radii: Radii::NONE,
            brush: Brush::Linear(Arc::new(LinearGradient {
                angle: 180.0,
                stops: vec![(0.0, clear), (1.0, solid)],
            })),
        });
    }

    fn own_box(&self) -> bool {
        true
    }
}
