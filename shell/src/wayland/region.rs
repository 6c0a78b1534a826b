//! Input and opaque regions.

use super::geometry::Rect;
use smithay_client_toolkit::compositor::{CompositorState, Region};
use wayland_client::protocol::wl_surface::WlSurface;

fn region(compositor: &CompositorState, rects: &[Rect]) -> Option<Region> {
    let region = Region::new(compositor).ok()?;
    for rect in rects {
        region.add(rect.x, rect.y, rect.width.max(0), rect.height.max(0));
    }
    Some(region)
}

/// Where presses land; `None` is everywhere. Part of the next commit.
pub(super) fn set_input(compositor: &CompositorState, wl: &WlSurface, rects: Option<&[Rect]>) {
    let region = rects.and_then(|rects| region(compositor, rects));
    wl.set_input_region(region.as_ref().map(Region::wl_region));
}

/// What is opaque; `None` is nothing. Part of the next commit.
pub(super) fn set_opaque(compositor: &CompositorState, wl: &WlSurface, rects: Option<&[Rect]>) {
    let region = rects.and_then(|rects| region(compositor, rects));
    wl.set_opaque_region(region.as_ref().map(Region::wl_region));
}
