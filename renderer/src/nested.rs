//! Leaves that the host fills: extension components such as an app widget, painted in place from a surface of their own.

use std::sync::Arc;

use eui_core::measure::LeafRequest;
use eui_core::surface::PlacedNode;

use crate::component::Measured;
use crate::display::DisplayList;
use crate::geometry::{Point, Radii, Rect};

/// What a host shows inside an extension leaf.
#[derive(Clone, Debug)]
pub struct NestedPaint {
    pub list: Arc<DisplayList>,
    /// Moves the list inside the leaf.
    pub offset: Point,
    /// How far it may draw past the leaf's box, on every side (px): room for its shadow.
    pub reach: f32,
    pub radii: Radii,
}

/// The host's side of extension leaves. Leaves are known by their node id.
pub trait Nested {
    /// The border box of the leaf, at its natural width for `None`.
    fn measure(&mut self, leaf: &LeafRequest<'_>, width: Option<f32>) -> Measured;

    /// What to show in `frame` (surface coordinates); `None` paints nothing but the leaf's own box.
    fn paint(&mut self, node: &PlacedNode, frame: Rect) -> Option<NestedPaint>;
}

/// For surfaces whose catalog has no extension.
pub struct NoNested;

impl Nested for NoNested {
    fn measure(&mut self, _leaf: &LeafRequest<'_>, _width: Option<f32>) -> Measured {
        Measured::default()
    }

    fn paint(&mut self, _node: &PlacedNode, _frame: Rect) -> Option<NestedPaint> {
        None
    }
}
