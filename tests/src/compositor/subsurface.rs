//! `wl_subcompositor`: surfaces that stand on others, synchronized with them or not.

use wayland_server::protocol::wl_subcompositor::{self, WlSubcompositor};
use wayland_server::protocol::wl_subsurface::{self, WlSubsurface};
use wayland_server::{DataInit, Resource};

use super::dispatch::{Bind, Manager, Object};
use super::role::Role;
use super::state::State;
use super::surface::{Surface, SurfaceId};

pub(crate) struct Subsurface {
    pub parent: SurfaceId,
    /// Relative to the parent's upper left corner.
    pub position: (i32, i32),
    synchronized: bool,
}

impl Bind<WlSubcompositor> for Manager {}

impl Object<WlSubcompositor> for Manager {
    fn request(
        &self,
        by: &WlSubcompositor,
        request: wl_subcompositor::Request,
        state: &mut State,
        init: &mut DataInit<'_, State>,
    ) {
        let wl_subcompositor::Request::GetSubsurface {
            id,
            surface,
            parent,
        } = request
        else {
            return;
        };
        let (Some(on), Some(parent)) = (
            surface.data::<SurfaceId>().copied(),
            parent.data::<SurfaceId>().copied(),
        ) else {
            return;
        };
        init.init(id, on);
        let mut above = Some(parent);
        while let Some(ancestor) = above {
            if ancestor == on {
                let message = format!("{on:?} is its own parent");
                return state.protocol_error(by, wl_subcompositor::Error::BadParent, message);
            }
            above = state
                .surface(ancestor)
                .and_then(|surface| state.subsurface_parent(surface));
        }
        let role = Role::Subsurface(Subsurface {
            parent,
            position: (0, 0),
            synchronized: true,
        });
        state.give_role(on, role, by, wl_subcompositor::Error::BadSurface);
    }
}

impl Object<WlSubsurface> for SurfaceId {
    fn request(
        &self,
        _: &WlSubsurface,
        request: wl_subsurface::Request,
        state: &mut State,
        _: &mut DataInit<'_, State>,
    ) {
        let Some(surface) = state.surface_mut(*self) else {
            return;
        };
        let Role::Subsurface(subsurface) = &mut surface.role else {
            return;
        };
        match request {
            wl_subsurface::Request::SetPosition { x, y } => subsurface.position = (x, y),
            wl_subsurface::Request::SetSync => subsurface.synchronized = true,
            wl_subsurface::Request::SetDesync => {
                subsurface.synchronized = false;
                if let (false, Some(cached)) =
                    (state.is_synchronized(*self), state.take_cached(*self))
                {
                    state.apply(*self, cached);
                }
            }
            _ => {}
        }
    }

    fn destroyed(&self, _: &WlSubsurface, state: &mut State) {
        state.role_gone(*self);
    }
}

impl State {
    fn take_cached(&mut self, id: SurfaceId) -> Option<super::surface::Pending> {
        self.surface_mut(id)?.cached.take()
    }

    /// Whether the surface, or one it stands on, waits for a parent's commit.
    pub fn is_synchronized(&self, id: SurfaceId) -> bool {
        match self.surface(id).map(|surface| &surface.role) {
            Some(Role::Subsurface(subsurface)) => {
                subsurface.synchronized || self.is_synchronized(subsurface.parent)
            }
            _ => false,
        }
    }

    pub fn subsurface_parent(&self, surface: &Surface) -> Option<SurfaceId> {
        if let Role::Subsurface(subsurface) = &surface.role {
            Some(subsurface.parent)
        } else {
            None
        }
    }

    /// The subsurfaces that wait for a commit of `id`.
    pub fn synchronized_children(&self, id: SurfaceId) -> Vec<SurfaceId> {
        let children = self
            .surfaces
            .values()
            .filter(|surface| self.subsurface_parent(surface) == Some(id));
        children
            .map(|surface| surface.id)
            .filter(|child| self.is_synchronized(*child))
            .collect()
    }
}
