//! Containers and parts that draw nothing of their own: their box is painted by the scene, their content is other nodes.

use ede_renderer::component::{Component, MeasureCx, Measured, PaintCx};
use ede_renderer::geometry::Size;
use eui_core::measure::LeafRequest;

pub struct Nothing;

impl Component for Nothing {
    fn measure(&self, _: &mut MeasureCx<'_>, leaf: &LeafRequest<'_>, _: Option<f32>) -> Measured {
        Measured::around(Size::default(), 0.0, None, &leaf.control)
    }

    fn paint(&self, _: &mut PaintCx<'_>) {}
}
