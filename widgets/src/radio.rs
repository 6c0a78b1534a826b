//! The circle of a Radio option, with its dot when it is the chosen one.

use ede_renderer::color::Color;
use ede_renderer::component::{Component, MeasureCx, Measured, PaintCx};
use ede_renderer::geometry::{Radii, Size};
use ede_renderer::look::Look;
use ede_renderer::recipes::Recipes;
use eui_core::measure::LeafRequest;

use crate::{icon, parts, props};

pub struct Radio;

impl Component for Radio {
    fn measure(&self, _: &mut MeasureCx<'_>, leaf: &LeafRequest<'_>, _: Option<f32>) -> Measured {
        let size = icon::square(leaf, 16.0);
        Measured::fixed(size.w, size.h)
    }

    fn paint(&self, cx: &mut PaintCx<'_>) {
        if props::flag(&cx.node.props, "checked") {
            let dot = cx.recipe("Radio", "dot");
            let side = dot.width.unwrap_or(8.0).min(cx.size.w);
            let color = dot.look.background.unwrap_or_else(|| cx.token("primary"));
            let rect = cx.bounds().centered(Size::new(side, side));
            cx.fill(rect, Radii::all(side / 2.0), color);
        }
    }
    fn edge(&self, look: &Look, recipes: &Recipes) -> Option<Color> {
        parts::edge(look, recipes)
    }
}
