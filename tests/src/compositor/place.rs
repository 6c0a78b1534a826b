//! Where surfaces stand in the compositor's space, which lies above which, and which is under a point.

use super::layer::LayerKind;
use super::role::{Role, RoleKind};
use super::state::State;
use super::surface::{Surface, SurfaceId};

impl State {
    /// The upper left corner of the window without its shadow.
    pub fn window_origin(&self, id: SurfaceId) -> (i32, i32) {
        let Some(surface) = self.surface(id) else {
            return (0, 0);
        };
        match &surface.role {
            Role::Layer(layer) => (layer.rect.x, layer.rect.y),
            Role::Popup(popup) => {
                let (x, y) = popup
                    .parent
                    .map(|parent| self.window_origin(parent))
                    .unwrap_or_default();
                (x + popup.place.x, y + popup.place.y)
            }
            Role::Toplevel(toplevel) => toplevel.position.unwrap_or_else(|| {
                let area = self.usable_area(self.window_output(id));
                let (width, height) = surface.window_size();
                (
                    area.x + (area.width - width) / 2,
                    area.y + (area.height - height) / 2,
                )
            }),
            Role::Subsurface(subsurface) => {
                let (x, y) = self.surface_origin(subsurface.parent);
                (x + subsurface.position.0, y + subsurface.position.1)
            }
            Role::Lock(lock) => {
                let area = self.output_area(Some(lock.output));
                (area.x, area.y)
            }
            Role::None | Role::Cursor | Role::DragIcon => (0, 0),
        }
    }

    /// The upper left corner of the surface, shadow included.
    pub fn surface_origin(&self, id: SurfaceId) -> (i32, i32) {
        let (x, y) = self.window_origin(id);
        let geometry = self
            .surface(id)
            .and_then(|surface| surface.xdg.as_ref())
            .and_then(|xdg| xdg.geometry);
        geometry.map_or((x, y), |geometry| (x - geometry.x, y - geometry.y))
    }

    /// The surfaces that are seen, the lowest first. A popup or subsurface lies directly above what it stands on.
    pub fn stack(&self) -> Vec<SurfaceId> {
        let mut bases: Vec<_> = self
            .surfaces
            .values()
            .filter(|surface| surface.mapped())
            .filter_map(|s| Some((self.level(s)?, s.id)))
            .collect();
        bases.sort();
        let mut stack = Vec::new();
        bases
            .into_iter()
            .for_each(|(_, id)| self.push_with_children(id, &mut stack));
        stack
    }

    fn push_with_children(&self, id: SurfaceId, stack: &mut Vec<SurfaceId>) {
        stack.push(id);
        let stands_on = |surface: &&Surface| match &surface.role {
            Role::Popup(popup) => popup.parent == Some(id),
            Role::Subsurface(subsurface) => subsurface.parent == id,
            _ => false,
        };
        for child in self
            .surfaces
            .values()
            .filter(|surface| surface.mapped())
            .filter(stands_on)
        {
            self.push_with_children(child.id, stack);
        }
    }

    /// How high a surface lies that stands on no other.
    fn level(&self, surface: &Surface) -> Option<u8> {
        Some(match &surface.role {
            Role::Layer(layer) => match layer.place.layer {
                LayerKind::Background => 0,
                LayerKind::Bottom => 1,
                LayerKind::Top => 4,
                LayerKind::Overlay => 5,
            },
            Role::Toplevel(_)
                if self.keyboard.focus.and_then(|id| self.root(id)) == Some(surface.id) =>
            {
                3
            }
            Role::Toplevel(_) => 2,
            Role::Lock(_) => 6,
            _ => return None,
        })
    }

    /// The surface at the bottom of a pile of popups and subsurfaces.
    pub fn root(&self, id: SurfaceId) -> Option<SurfaceId> {
        match &self.surface(id)?.role {
            Role::Popup(popup) => self.root(popup.parent?),
            Role::Subsurface(subsurface) => self.root(subsurface.parent),
            _ => Some(id),
        }
    }

    /// The uppermost surface that takes input at a point of the compositor's space, with the surface-local point.
    pub fn surface_at(&self, x: f64, y: f64) -> Option<(SurfaceId, f64, f64)> {
        self.stack().into_iter().rev().find_map(|id| {
            let (left, top) = self.surface_origin(id);
            let (x, y) = (x - f64::from(left), y - f64::from(top));
            let current = &self.surface(id)?.current;
            let (width, height) = current.size();
            let inside = x >= 0.0 && y >= 0.0 && x < f64::from(width) && y < f64::from(height);
            let takes = current
                .input
                .as_ref()
                .is_none_or(|region| region.contains(x as i32, y as i32));
            (inside && takes).then_some((id, x, y))
        })
    }

    /// The window that has the focus when no layer surface or popup wants it: the newest.
    pub fn window_below(&self) -> Option<SurfaceId> {
        let windows = self
            .surfaces
            .values()
            .filter(|surface| surface.role.kind() == Some(RoleKind::Toplevel));
        windows
            .filter(|surface| surface.mapped())
            .map(|surface| surface.id)
            .next_back()
    }
}
