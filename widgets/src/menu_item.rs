//! A row of a Menu: its content is red when what it does cannot be undone.

use ede_renderer::color::Color;
use ede_renderer::component::{Component, MeasureCx, Measured, PaintCx};
use ede_renderer::geometry::Size;
use ede_renderer::recipes::Recipes;
use eui_core::measure::LeafRequest;
use eui_core::surface::PlacedNode;

use crate::props;

pub struct MenuItem;

impl Component for MenuItem {
    fn measure(&self, _: &mut MeasureCx<'_>, leaf: &LeafRequest<'_>, _: Option<f32>) -> Measured {
        Measured::around(Size::default(), 0.0, None, &leaf.control)
    }

    fn paint(&self, _: &mut PaintCx<'_>) {}

    fn ink(&self, node: &PlacedNode, recipes: &Recipes) -> Option<Color> {
        props::flag(&node.props, "destructive").then(|| recipes.token("destructive"))
    }
}
