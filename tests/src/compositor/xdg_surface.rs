//! `xdg_wm_base` and `xdg_surface`: the handshake that toplevels and popups share.

use wayland_protocols::xdg::shell::server::xdg_surface::{self, XdgSurface as Resource_};
use wayland_protocols::xdg::shell::server::xdg_wm_base::{self, XdgWmBase};
use wayland_server::{DataInit, Resource};

use super::configure::Configures;
use super::dispatch::{Bind, Manager, Object};
use super::geometry::Rect;
use super::log::{FaultKind, Request};
use super::positioner::PositionerData;
use super::role::Role;
use super::state::State;
use super::surface::{Surface, SurfaceId};

/// What a configure demands of the window's size.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Demand {
    /// A wish, or no wish at all.
    Free,
    /// Exactly this (maximised).
    Exactly(i32, i32),
    /// At most this (fullscreen, resizing).
    AtMost(i32, i32),
}

/// The xdg half of a surface.
pub(crate) struct XdgSurface {
    pub resource: Resource_,
    pub configures: Configures<Demand>,
    /// The window without its shadow, surface-local.
    pub geometry: Option<Rect>,
}

impl Bind<XdgWmBase> for Manager {
    fn bound(&self, base: &XdgWmBase, state: &mut State) {
        state.bases.push(base.clone());
    }
}

impl Object<XdgWmBase> for Manager {
    fn request(
        &self,
        base: &XdgWmBase,
        request: xdg_wm_base::Request,
        state: &mut State,
        init: &mut DataInit<'_, State>,
    ) {
        match request {
            xdg_wm_base::Request::CreatePositioner { id } => {
                init.init(id, PositionerData::default());
            }
            xdg_wm_base::Request::GetXdgSurface { id, surface } => {
                let Some(on) = surface.data::<SurfaceId>().copied() else {
                    return;
                };
                let resource = init.init(id, on);
                let Some(surface) = state.surface_mut(on) else {
                    return;
                };
                if surface.role.kind().is_some() || surface.xdg.is_some() {
                    return state.protocol_error(
                        base,
                        xdg_wm_base::Error::Role,
                        format!("{on:?} has a role already"),
                    );
                }
                if surface.mapped() || matches!(surface.pending.buffer, Some(Some(_))) {
                    let message = format!("{on:?} has a buffer already");
                    return state.protocol_error(
                        base,
                        xdg_wm_base::Error::InvalidSurfaceState,
                        message,
                    );
                }
                surface.xdg = Some(XdgSurface {
                    resource,
                    configures: Configures::default(),
                    geometry: None,
                });
            }
            xdg_wm_base::Request::Pong { serial } => state.request(Request::Pong(serial)),
            xdg_wm_base::Request::Destroy => {
                let mut surfaces = state
                    .surfaces
                    .values()
                    .filter_map(|surface| surface.xdg.as_ref());
                if surfaces.any(|xdg| super::state::same_client(&xdg.resource, base)) {
                    state.protocol_error(
                        base,
                        xdg_wm_base::Error::DefunctSurfaces,
                        "xdg_surfaces of this client remain".into(),
                    );
                }
            }
            _ => {}
        }
    }
}

impl Object<Resource_> for SurfaceId {
    fn request(
        &self,
        resource: &Resource_,
        request: xdg_surface::Request,
        state: &mut State,
        init: &mut DataInit<'_, State>,
    ) {
        match request {
            xdg_surface::Request::GetToplevel { id } => {
                let toplevel = init.init(id, *self);
                state.new_toplevel(*self, resource, toplevel);
            }
            xdg_surface::Request::GetPopup {
                id,
                parent,
                positioner,
            } => {
                let popup = init.init(id, *self);
                let parent = parent.and_then(|parent| parent.data::<Self>().copied());
                state.new_popup(*self, resource, popup, parent, &positioner);
            }
            xdg_surface::Request::SetWindowGeometry { width, height, .. }
                if width < 1 || height < 1 =>
            {
                state.protocol_error(
                    resource,
                    xdg_surface::Error::InvalidSize,
                    format!("window geometry of {width}×{height}"),
                );
            }
            xdg_surface::Request::SetWindowGeometry {
                x,
                y,
                width,
                height,
            } => {
                if let Some(xdg) = state
                    .surface_mut(*self)
                    .and_then(|surface| surface.xdg.as_mut())
                {
                    xdg.geometry = Some(Rect::new(x, y, width, height));
                }
            }
            xdg_surface::Request::AckConfigure { serial } => {
                let xdg = state
                    .surface_mut(*self)
                    .and_then(|surface| surface.xdg.as_mut());
                if xdg.is_some_and(|xdg| !xdg.configures.ack(serial)) {
                    let message = format!(
                        "{self:?}: configure {serial} was never sent, or is long acknowledged"
                    );
                    state.protocol_error(resource, xdg_surface::Error::InvalidSerial, message);
                }
            }
            xdg_surface::Request::Destroy if state.has_role_object(*self) => {
                let error = xdg_surface::Error::DefunctRoleObject;
                let message = format!("{self:?}: the xdg_surface went before its role object");
                state.protocol_error(resource, error, message);
            }
            _ => {}
        }
    }

    fn destroyed(&self, _: &Resource_, state: &mut State) {
        if let Some(surface) = state.surface_mut(*self) {
            surface.xdg = None;
        }
    }
}

impl Surface {
    /// The size of the window without its shadow, in logical pixels.
    pub fn window_size(&self) -> (i32, i32) {
        let geometry = self.xdg.as_ref().and_then(|xdg| xdg.geometry);
        geometry.map_or_else(
            || self.current.size(),
            |geometry| (geometry.width, geometry.height),
        )
    }
}

impl State {
    /// Post an error of `xdg_wm_base` that a request on another object earned.
    pub fn base_error<I: Resource>(&mut self, by: &I, error: xdg_wm_base::Error, message: String) {
        let base = self
            .bases
            .iter()
            .find(|base| super::state::same_client(*base, by))
            .cloned();
        if let Some(base) = base {
            self.protocol_error(&base, error, message);
        }
    }

    pub fn xdg_allows_commit(&mut self, id: SurfaceId, with_buffer: bool) -> bool {
        let Some(surface) = self.surface(id) else {
            return false;
        };
        let Some(xdg) = surface.xdg.as_ref() else {
            return true;
        };
        let resource = xdg.resource.clone();
        if matches!(surface.role, Role::None) {
            self.protocol_error(
                &resource,
                xdg_surface::Error::NotConstructed,
                format!("{id:?} was committed without a role"),
            );
            return false;
        }
        if with_buffer && xdg.configures.acked().is_none() {
            let message =
                format!("{id:?}: a buffer was committed before a configure was acknowledged");
            self.protocol_error(&resource, xdg_surface::Error::UnconfiguredBuffer, message);
            return false;
        }
        true
    }

    /// Close a configure sequence: everything the role had to say was sent.
    pub fn send_configure(&mut self, id: SurfaceId, demand: Demand) {
        let serial = self.next_serial();
        if let Some(xdg) = self
            .surface_mut(id)
            .and_then(|surface| surface.xdg.as_mut())
        {
            xdg.configures.push(serial, demand);
            xdg.resource.configure(serial);
        }
    }

    /// Whether the window is as large as the acknowledged configure demands.
    pub fn check_window_size(&mut self, id: SurfaceId) {
        let Some(surface) = self.surface(id).filter(|surface| surface.mapped()) else {
            return;
        };
        let (width, height) = surface.window_size();
        let demand = surface
            .xdg
            .as_ref()
            .and_then(|xdg| xdg.configures.acked().copied());
        let fits = match demand {
            None | Some(Demand::Free) => true,
            Some(Demand::Exactly(w, h)) => (width, height) == (w, h),
            Some(Demand::AtMost(w, h)) => width <= w && height <= h,
        };
        if !fits {
            self.fault(
                FaultKind::WrongSize,
                format!("{id:?} is {width}×{height}, the acknowledged configure said {demand:?}"),
            );
        }
    }
}
