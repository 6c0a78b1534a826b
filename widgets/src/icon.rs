//! Icon: one glyph by its name.

use ede_renderer::component::{Component, MeasureCx, Measured, PaintCx};
use ede_renderer::geometry::Size;
use eui_core::measure::LeafRequest;

use crate::props;

pub struct Icon;

const LARGEST_GLYPH: f32 = 24.0;

/// A leaf's own square size from its recipe, else `fallback`.
pub fn square(leaf: &LeafRequest<'_>, fallback: f32) -> Size {
    let c = &leaf.control;
    Size::new(c.width.unwrap_or(fallback), c.height.unwrap_or(fallback))
}

impl Component for Icon {
    fn measure(&self, _: &mut MeasureCx<'_>, leaf: &LeafRequest<'_>, _: Option<f32>) -> Measured {
        let size = square(leaf, 16.0);
        Measured::fixed(size.w, size.h)
    }

    fn paint(&self, cx: &mut PaintCx<'_>) {
        let node = cx.node;
        let name = props::string(&node.props, "name").unwrap_or("ui-icon-placeholder");
        let (area, color) = (cx.content(), cx.color);
        // A pressable mark is smaller than the box that is pressed.
        let side = match node.part.as_deref() {
            Some("remove") if area.w > LARGEST_GLYPH => 16.0,
            Some("remove") => area.w * 0.8,
            _ => area.w.min(area.h),
        };
        cx.icon(name, area.centered(Size::new(side, side)), color);
    }
}
