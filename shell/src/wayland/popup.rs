//! Popups: menus, tooltips, widgets opened large.
//!
//! A compositor allows one chain of popups at a time, each on the one before. Opening a popup therefore dismisses every
//! other one that it does not stand on. The grab ends on presses on *other programs'* surfaces only; presses on our own
//! arrive here like any press, and dismiss too.

use super::client::CloseReason;
use super::event::Serial;
use super::geometry::{Edges, Rect, Size};
use super::notice::Notice;
use super::platform::Platform;
use super::runtime::Runtime;
use super::spec::{PopupPlace, PopupSpec, SurfaceId};
use super::surface::{Role, Stage, Surface, surface_id};
use smithay_client_toolkit::shell::xdg::popup::{Popup, PopupConfigure, PopupHandler};
use smithay_client_toolkit::shell::xdg::{XdgPositioner, XdgSurface};
use wayland_client::protocol::wl_surface::WlSurface;
use wayland_client::{Connection, QueueHandle};
use wayland_protocols::xdg::shell::client::xdg_positioner::{
    Anchor, ConstraintAdjustment, Gravity,
};

pub(super) struct PopupRole {
    pub popup: Popup,
    pub spec: PopupSpec,
    /// Counts the moves of this popup.
    moves: u32,
    /// Presses on other surfaces of ours leave it open.
    stays: bool,
    /// Where the compositor has put it, from its parent's window geometry.
    at: (i32, i32),
}

fn anchor(edges: Edges) -> Anchor {
    match (edges.top, edges.bottom, edges.left, edges.right) {
        (true, false, true, false) => Anchor::TopLeft,
        (true, false, false, true) => Anchor::TopRight,
        (true, false, ..) => Anchor::Top,
        (false, true, true, false) => Anchor::BottomLeft,
        (false, true, false, true) => Anchor::BottomRight,
        (false, true, ..) => Anchor::Bottom,
        (_, _, true, false) => Anchor::Left,
        (_, _, false, true) => Anchor::Right,
        _ => Anchor::None,
    }
}

fn gravity(edges: Edges) -> Gravity {
    match anchor(edges) {
        Anchor::Top => Gravity::Top,
        Anchor::Bottom => Gravity::Bottom,
        Anchor::Left => Gravity::Left,
        Anchor::Right => Gravity::Right,
        Anchor::TopLeft => Gravity::TopLeft,
        Anchor::TopRight => Gravity::TopRight,
        Anchor::BottomLeft => Gravity::BottomLeft,
        Anchor::BottomRight => Gravity::BottomRight,
        _ => Gravity::None,
    }
}

impl Platform {
    /// Open a popup. `None` if its parent is gone. Popups it does not stand on are dismissed first.
    pub fn create_popup(&mut self, spec: PopupSpec) -> Option<SurfaceId> {
        let parent = self.surfaces.get_mut(&spec.parent)?;
        // What the parent asked for before (the keyboard, say) holds before the grab does.
        parent.commit_state();
        let all = spec.grab.is_some();
        let parent = spec.parent;
        self.dismiss_popups_beside(parent, |role| {
            all || (role.spec.grab.is_none() && role.spec.parent == parent)
        });
        let id = self.new_id();
        let surface = self.popup_surface(id, spec)?;
        self.surfaces.insert(id, surface);
        Some(id)
    }

    /// Move or resize an open popup. Compositors too old for that see it open again in the new place; the popups on it
    /// go then. `false` if it is gone.
    pub fn reposition(&mut self, id: SurfaceId, place: PopupPlace) -> bool {
        let Some(surface) = self.surfaces.get_mut(&id) else {
            return false;
        };
        let Role::Popup(role) = &mut surface.role else {
            return false;
        };
        if role.spec.place == place {
            return true;
        }
        role.spec.place = place;
        let (spec, stays) = (role.spec.clone(), role.stays);
        if surface.stage != Stage::New && self.globals.xdg_version() >= 3 {
            let Some(positioner) = self.positioner(&spec) else {
                return false;
            };
            if let Some(Role::Popup(role)) =
                self.surfaces.get_mut(&id).map(|surface| &mut surface.role)
            {
                role.moves = role.moves.wrapping_add(1);
                role.popup.reposition(&positioner, role.moves);
            }
            return true;
        }
        let children: Vec<_> = self
            .surfaces
            .iter()
            .filter(|(_, s)| s.parent() == Some(id))
            .map(|(id, _)| *id)
            .collect();
        for child in children.into_iter().rev() {
            self.close(child, CloseReason::Parent);
        }
        // The old one must go before the new one may grab.
        self.surfaces.remove(&id);
        self.seats.forget(id);
        match self.popup_surface(id, spec) {
            Some(surface) => {
                self.surfaces.insert(id, surface);
                self.let_stay(id, stays);
                true
            }
            None => {
                self.notices.push(Notice::Closed(id, CloseReason::Parent));
                false
            }
        }
    }

    fn positioner(&self, spec: &PopupSpec) -> Option<XdgPositioner> {
        let positioner = XdgPositioner::new(&self.globals.xdg).ok()?;
        let parent = self.surfaces.get(&spec.parent)?;
        let int = |n: u32| i32::try_from(n).unwrap_or(i32::MAX);
        let (size, place) = (spec.place.size.clamped(), &spec.place);
        positioner.set_size(int(size.width), int(size.height));
        // The protocol counts from the parent's window geometry and wants the box inside of it, not empty: what is left
        // over becomes part of the offset.
        let (frame, inner) = (parent.frame(), parent.content());
        let asked = Rect {
            x: place.anchor_rect.x - int(frame.left),
            y: place.anchor_rect.y - int(frame.top),
            ..place.anchor_rect
        };
        let inside = asked.within(inner);
        positioner.set_anchor_rect(inside.x, inside.y, inside.width, inside.height);
        positioner.set_anchor(anchor(place.anchor));
        positioner.set_gravity(gravity(place.gravity));
        let ((x, y), (at_x, at_y)) = (asked.at(place.anchor), inside.at(place.anchor));
        positioner.set_offset(place.offset.0 + x - at_x, place.offset.1 + y - at_y);
        let mut adjustment = ConstraintAdjustment::empty();
        adjustment.set(ConstraintAdjustment::SlideX, place.constraint.slide_x);
        adjustment.set(ConstraintAdjustment::SlideY, place.constraint.slide_y);
        adjustment.set(ConstraintAdjustment::FlipX, place.constraint.flip_x);
        adjustment.set(ConstraintAdjustment::FlipY, place.constraint.flip_y);
        adjustment.set(ConstraintAdjustment::ResizeX, place.constraint.resize_x);
        adjustment.set(ConstraintAdjustment::ResizeY, place.constraint.resize_y);
        positioner.set_constraint_adjustment(adjustment);
        Some(positioner)
    }

    fn popup_surface(&self, id: SurfaceId, spec: PopupSpec) -> Option<Surface> {
        let positioner = self.positioner(&spec)?;
        let parent = self.surfaces.get(&spec.parent)?;
        let scale = parent.scale;
        let wl: WlSurface =
            self.globals
                .compositor
                .create_surface_with_data(&self.qh, None, scale.integer(), id);
        let xdg_parent = match &parent.role {
            Role::Toplevel(role) => Some(role.window.xdg_surface()),
            Role::Popup(role) => Some(role.popup.xdg_surface()),
            Role::Layer(_) => None,
            Role::DragIcon(_) => return None,
        };
        let popup =
            Popup::from_surface(xdg_parent, &positioner, &self.qh, wl, &self.globals.xdg).ok()?;
        // First the parent, then the grab, both before the first commit.
        if let Role::Layer(role) = &parent.role {
            role.layer.get_popup(popup.xdg_popup());
        }
        if let Some(serial) = spec.grab
            && let Some(seat) = self.seats.wl(serial.seat)
        {
            popup.xdg_popup().grab(&seat, serial.raw);
        }
        let (size, frame) = (spec.place.size, spec.frame);
        let role = Role::Popup(PopupRole {
            popup,
            spec,
            moves: 0,
            stays: false,
            at: (0, 0),
        });
        Some(Surface::new(
            id,
            role,
            size,
            frame,
            scale,
            &self.globals,
            &self.qh,
        ))
    }

    /// The popups of the chain that ends in `id`, `id` included.
    fn popup_chain(&self, id: SurfaceId) -> Vec<SurfaceId> {
        let mut chain = vec![id];
        while let Some(parent) = chain
            .last()
            .and_then(|id| self.surfaces.get(id))
            .and_then(Surface::parent)
        {
            chain.push(parent);
        }
        chain
    }

    /// Dismiss those popups that are not in the chain of `id` which are to go. Newest first. `true` if one that held a grab went.
    fn dismiss_popups_beside(&mut self, id: SurfaceId, goes: impl Fn(&PopupRole) -> bool) -> bool {
        let chain = self.popup_chain(id);
        let beside: Vec<_> = self
            .surfaces
            .iter()
            .filter_map(|(other, surface)| match &surface.role {
                Role::Popup(role) if !chain.contains(other) => {
                    goes(role).then_some((*other, role.spec.grab.is_some()))
                }
                _ => None,
            })
            .collect();
        let mut grabbed = false;
        for (other, grabs) in beside.into_iter().rev() {
            if self.surfaces.contains_key(&other) {
                grabbed |= grabs;
                self.close(other, CloseReason::Dismissed);
            }
        }
        grabbed
    }

    /// A press landed on `id`: popups it is no part of go. `true` if one that held a grab went.
    pub(super) fn pressed_on(&mut self, id: SurfaceId) -> bool {
        self.dismiss_popups_beside(id, |role| !role.stays)
    }

    /// Let a popup stay open, or no longer, when other surfaces of ours are pressed: then it is the client's to close.
    pub fn let_stay(&mut self, id: SurfaceId, stays: bool) {
        if let Some(Role::Popup(role)) = self.surfaces.get_mut(&id).map(|s| &mut s.role) {
            role.stays = stays;
        }
    }

    /// Close a popup chain from its first popup, as Escape does. `true` if there was one.
    pub fn dismiss_popups(&mut self) -> bool {
        let popups: Vec<_> = self
            .surfaces
            .iter()
            .filter(|(_, s)| matches!(s.role, Role::Popup(_)))
            .map(|(id, _)| *id)
            .collect();
        for id in popups.iter().rev() {
            self.close(*id, CloseReason::Dismissed);
        }
        !popups.is_empty()
    }

    /// Where a popup's surface begins on its parent's, logical, both with their frames; `None` if it is gone.
    pub fn popup_offset(&self, id: SurfaceId) -> Option<(i32, i32)> {
        let surface = self.surfaces.get(&id)?;
        let Role::Popup(role) = &surface.role else {
            return None;
        };
        let (own, parent) = (
            surface.frame(),
            self.surfaces.get(&role.spec.parent)?.frame(),
        );
        let shift = |n: i32, parent: u32, own: u32| n + parent as i32 - own as i32;
        Some((
            shift(role.at.0, parent.left, own.left),
            shift(role.at.1, parent.top, own.top),
        ))
    }

    /// The newest press or key, to open a popup with when an event has no serial of its own.
    pub fn last_serial(&self) -> Option<Serial> {
        self.seats.last_serial()
    }
}

impl PopupHandler for Runtime {
    fn configure(
        &mut self,
        _: &Connection,
        _: &QueueHandle<Self>,
        popup: &Popup,
        configure: PopupConfigure,
    ) {
        let Some(id) = surface_id(popup.wl_surface()) else {
            return;
        };
        let Some(surface) = self.platform.surfaces.get_mut(&id) else {
            return;
        };
        let Role::Popup(role) = &mut surface.role else {
            return;
        };
        role.at = configure.position;
        let whole = |n: i32| u32::try_from(n).unwrap_or(0);
        let size =
            Size::new(whole(configure.width), whole(configure.height)).or(role.spec.place.size);
        surface.configure(size);
        self.platform.notices.push(Notice::Configured(id));
    }

    fn done(&mut self, _: &Connection, _: &QueueHandle<Self>, popup: &Popup) {
        if let Some(id) = surface_id(popup.wl_surface()) {
            self.platform.close(id, CloseReason::Dismissed);
        }
    }
}
