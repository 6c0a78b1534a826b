//! The role of a surface, and where a commit goes by it.

use wayland_server::Resource;

use super::layer::Layer;
use super::lock::LockSurface;
use super::popup::Popup;
use super::state::State;
use super::subsurface::Subsurface;
use super::surface::{Pending, Surface, SurfaceId};
use super::toplevel::Toplevel;

/// What a surface is for, with the object that makes it so.
pub(crate) enum Role {
    None,
    Toplevel(Toplevel),
    Popup(Popup),
    Layer(Layer),
    Subsurface(Subsurface),
    Lock(LockSurface),
    Cursor,
    DragIcon,
}

/// The name of a role.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum RoleKind {
    Toplevel,
    Popup,
    Layer,
    Subsurface,
    Lock,
    Cursor,
    DragIcon,
}

impl Role {
    pub fn kind(&self) -> Option<RoleKind> {
        Some(match self {
            Self::None => return None,
            Self::Toplevel(_) => RoleKind::Toplevel,
            Self::Popup(_) => RoleKind::Popup,
            Self::Layer(_) => RoleKind::Layer,
            Self::Subsurface(_) => RoleKind::Subsurface,
            Self::Lock(_) => RoleKind::Lock,
            Self::Cursor => RoleKind::Cursor,
            Self::DragIcon => RoleKind::DragIcon,
        })
    }

    /// The interface of the object that must go before the surface, if there is one.
    pub fn object(&self) -> Option<&'static str> {
        match self {
            Self::Toplevel(_) => Some("xdg_toplevel"),
            Self::Popup(_) => Some("xdg_popup"),
            Self::Layer(_) => Some("zwlr_layer_surface_v1"),
            Self::Lock(_) => Some("ext_session_lock_surface_v1"),
            Self::Subsurface(_) | Self::Cursor | Self::DragIcon | Self::None => None,
        }
    }
}

impl Surface {
    pub fn toplevel(&self) -> Option<&Toplevel> {
        if let Role::Toplevel(toplevel) = &self.role {
            Some(toplevel)
        } else {
            None
        }
    }

    pub fn popup(&self) -> Option<&Popup> {
        if let Role::Popup(popup) = &self.role {
            Some(popup)
        } else {
            None
        }
    }

    pub fn layer(&self) -> Option<&Layer> {
        if let Role::Layer(layer) = &self.role {
            Some(layer)
        } else {
            None
        }
    }
}

impl State {
    pub fn toplevel_mut(&mut self, id: SurfaceId) -> Option<&mut Toplevel> {
        if let Role::Toplevel(toplevel) = &mut self.surface_mut(id)?.role {
            Some(toplevel)
        } else {
            None
        }
    }

    pub fn popup_mut(&mut self, id: SurfaceId) -> Option<&mut Popup> {
        if let Role::Popup(popup) = &mut self.surface_mut(id)?.role {
            Some(popup)
        } else {
            None
        }
    }

    pub fn layer_mut(&mut self, id: SurfaceId) -> Option<&mut Layer> {
        if let Role::Layer(layer) = &mut self.surface_mut(id)?.role {
            Some(layer)
        } else {
            None
        }
    }

    /// Give a surface its role, or post `error` on `by` when it has, or ever had, another.
    pub fn give_role<I: Resource>(
        &mut self,
        id: SurfaceId,
        role: Role,
        by: &I,
        error: impl Into<u32>,
    ) -> bool {
        let Some(surface) = self.surface_mut(id) else {
            return false;
        };
        let taken = surface.kind.is_some_and(|kind| Some(kind) != role.kind())
            || surface.role.object().is_some();
        if taken {
            let message = format!(
                "{id:?} is {:?} already and cannot become {:?}",
                surface.kind,
                role.kind()
            );
            self.protocol_error(by, error, message);
            return false;
        }
        surface.kind = role.kind();
        surface.role = role;
        true
    }

    pub fn has_role_object(&self, id: SurfaceId) -> bool {
        self.surface(id)
            .is_some_and(|surface| surface.role.object().is_some())
    }

    /// The role's object is gone: the surface is unmapped, and waits for a new object of the same role.
    pub fn role_gone(&mut self, id: SurfaceId) {
        self.unmapped(id);
        if let Some(surface) = self.surface_mut(id) {
            surface.role = Role::None;
            surface.current.pixels = None;
        }
        self.arrange_layers();
    }

    /// What must hold before a commit is applied. Posts the error when it does not.
    pub fn allows_commit(&mut self, id: SurfaceId, pending: &Pending) -> bool {
        let with_buffer = matches!(pending.buffer, Some(Some(_)));
        let Some(surface) = self.surface(id) else {
            return false;
        };
        match &surface.role {
            Role::Toplevel(_) | Role::Popup(_) => self.xdg_allows_commit(id, with_buffer),
            Role::Layer(_) => self.layer_allows_commit(id, with_buffer),
            Role::Lock(_) => self.lock_allows_commit(id, pending),
            _ if surface.xdg.is_some() => self.xdg_allows_commit(id, with_buffer),
            _ => true,
        }
    }

    /// The part of a commit that depends on the role.
    pub fn after_commit(&mut self, id: SurfaceId, was_mapped: bool) {
        let Some(surface) = self.surface(id) else {
            return;
        };
        let (kind, is_mapped) = (surface.role.kind(), surface.mapped());
        match kind {
            Some(RoleKind::Toplevel) => self.toplevel_committed(id),
            Some(RoleKind::Popup) => self.popup_committed(id),
            Some(RoleKind::Layer) => self.layer_committed(id),
            Some(RoleKind::Lock | RoleKind::Subsurface | RoleKind::Cursor | RoleKind::DragIcon)
            | None => {}
        }
        match (was_mapped, is_mapped) {
            (false, true) => self.mapped(id),
            (true, false) => self.unmapped(id),
            _ => {}
        }
    }

    fn layer_takes_keyboard(&self, id: SurfaceId) -> bool {
        let layer = self.surface(id).and_then(Surface::layer);
        layer.is_some_and(Layer::takes_keyboard_at_once)
    }

    /// The first buffer of a surface: it enters its outputs, and the focus may follow it.
    fn mapped(&mut self, id: SurfaceId) {
        self.enter_outputs(id);
        match self.surface(id).and_then(|surface| surface.role.kind()) {
            Some(RoleKind::Toplevel) => {
                self.mirror_window(id);
                self.focus(Some(id));
            }
            Some(RoleKind::Layer) if self.layer_takes_keyboard(id) => self.focus(Some(id)),
            Some(RoleKind::Popup) if self.grabs.holds(id) => self.focus(Some(id)),
            Some(RoleKind::Lock) => self.focus(Some(id)),
            _ => {}
        }
    }

    /// The surface is no longer seen: whatever pointed at it looks elsewhere.
    pub fn unmapped(&mut self, id: SurfaceId) {
        let Some(kind) = self.surface(id).map(|surface| surface.role.kind()) else {
            return;
        };
        match kind {
            Some(RoleKind::Popup) => self.popup_unmapped(id),
            Some(RoleKind::Toplevel) => self.unmirror_window(id),
            _ => {}
        }
        let Some(surface) = self.surface_mut(id) else {
            return;
        };
        surface.current.pixels = None;
        surface.outputs.clear();
        if let Some(buffer) = surface.current.buffer.take() {
            super::shm::release(&buffer);
        }
        if let Some(xdg) = surface.xdg.as_mut() {
            xdg.configures = super::configure::Configures::default();
        }
        if let Role::Layer(layer) = &mut surface.role {
            layer.configures = super::configure::Configures::default();
            layer.placed = false;
        }
        self.input_lost(id);
    }
}
