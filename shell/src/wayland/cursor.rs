//! The shape of the pointer: the compositor's own shapes where it has them, else the session's cursor theme.

use super::event::CursorShape;
use super::platform::Platform;
use super::spec::SurfaceId;

impl Platform {
    /// The shape while the pointer is over this surface, from now on.
    pub fn set_cursor(&mut self, id: SurfaceId, shape: CursorShape) {
        let Some(surface) = self.surfaces.get_mut(&id) else {
            return;
        };
        if surface.cursor != shape {
            surface.cursor = shape;
            self.apply_cursor(id);
        }
    }

    /// Show the surface's shape on every pointer that is over it.
    pub(super) fn apply_cursor(&mut self, id: SurfaceId) {
        let Some(shape) = self.surfaces.get(&id).map(|surface| surface.cursor) else {
            return;
        };
        for seat in self
            .seats
            .iter_mut()
            .filter(|seat| seat.pointer_on == Some(id))
        {
            let Some(pointer) = &seat.pointer else {
                continue;
            };
            // A theme without this shape: the plain arrow, or whatever is there.
            if pointer.set_cursor(&self.connection, shape).is_err() && shape != CursorShape::Default
            {
                let _ = pointer.set_cursor(&self.connection, CursorShape::Default);
            }
        }
    }
}
