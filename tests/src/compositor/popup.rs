//! `xdg_popup`: menus and the like, their grabs and their order.

use wayland_protocols::xdg::shell::server::xdg_popup::{self, XdgPopup};
use wayland_protocols::xdg::shell::server::xdg_positioner::XdgPositioner;
use wayland_protocols::xdg::shell::server::xdg_surface::{self, XdgSurface};
use wayland_protocols::xdg::shell::server::xdg_wm_base;
use wayland_server::DataInit;

use super::dispatch::Object;
use super::geometry::Rect;
use super::log::{FaultKind, Request};
use super::positioner::{Positioner, PositionerData};
use super::role::Role;
use super::state::State;
use super::surface::{Surface, SurfaceId};
use super::xdg_surface::Demand;

pub(crate) struct Popup {
    pub resource: XdgPopup,
    /// None until a layer surface takes it as its own.
    pub parent: Option<SurfaceId>,
    pub positioner: Positioner,
    /// Relative to the parent's window geometry.
    pub place: Rect,
    pub grabs: bool,
    pub dismissed: bool,
}

/// The popups that hold the input, the topmost last.
#[derive(Default)]
pub(crate) struct Grabs(Vec<SurfaceId>);

impl Grabs {
    pub fn holds(&self, id: SurfaceId) -> bool {
        self.0.contains(&id)
    }

    pub fn topmost(&self) -> Option<SurfaceId> {
        self.0.last().copied()
    }
}

impl Object<XdgPopup> for SurfaceId {
    fn request(
        &self,
        resource: &XdgPopup,
        request: xdg_popup::Request,
        state: &mut State,
        _: &mut DataInit<'_, State>,
    ) {
        let id = *self;
        match request {
            xdg_popup::Request::Grab { serial, .. } => state.popup_grab(id, resource, serial),
            xdg_popup::Request::Reposition { positioner, token } => {
                state.request(Request::Reposition(id, token));
                if let Some(popup) = state.popup_mut(id) {
                    popup.positioner = PositionerData::of(&positioner);
                    resource.repositioned(token);
                }
                state.place_popup(id);
            }
            xdg_popup::Request::Destroy => state.check_topmost(id, resource),
            _ => {}
        }
    }

    fn destroyed(&self, _: &XdgPopup, state: &mut State) {
        state.role_gone(*self);
    }
}

impl State {
    pub fn new_popup(
        &mut self,
        id: SurfaceId,
        by: &XdgSurface,
        resource: XdgPopup,
        parent: Option<SurfaceId>,
        positioner: &XdgPositioner,
    ) {
        let positioner = PositionerData::of(positioner);
        let complete = positioner.complete();
        let popup = Popup {
            resource,
            parent,
            positioner,
            place: Rect::default(),
            grabs: false,
            dismissed: false,
        };
        if !self.give_role(
            id,
            Role::Popup(popup),
            by,
            xdg_surface::Error::AlreadyConstructed,
        ) {
            return;
        }
        if !complete {
            self.base_error(
                by,
                xdg_wm_base::Error::InvalidPositioner,
                format!("{id:?}: the positioner has no size or no anchor rectangle"),
            );
        }
        if parent.is_some_and(|parent| {
            self.surface(parent)
                .is_none_or(|parent| parent.xdg.is_none())
        }) {
            self.base_error(
                by,
                xdg_wm_base::Error::InvalidPopupParent,
                format!("{id:?}: the parent is no window"),
            );
        }
    }

    fn popup_grab(&mut self, id: SurfaceId, resource: &XdgPopup, serial: u32) {
        let Some(surface) = self.surface(id) else {
            return;
        };
        let (mapped, parent) = (
            surface.mapped(),
            surface.popup().and_then(|popup| popup.parent),
        );
        if mapped {
            return self.protocol_error(
                resource,
                xdg_popup::Error::InvalidGrab,
                format!("{id:?} asked for a grab after it was mapped"),
            );
        }
        self.request(Request::PopupGrab(id));
        let parent_popup = parent.filter(|parent| {
            self.surface(*parent)
                .is_some_and(|parent| parent.popup().is_some())
        });
        let in_order = match (self.grabs.topmost(), parent_popup) {
            (None, None) => true,
            (Some(top), Some(parent)) => top == parent,
            _ => false,
        };
        if !in_order {
            let message = format!(
                "{id:?} asked for a grab, but its parent is not the topmost grabbing popup {:?}",
                self.grabs.topmost()
            );
            return self.base_error(resource, xdg_wm_base::Error::NotTheTopmostPopup, message);
        }
        if !self.seat.is_press(serial) {
            self.fault(
                FaultKind::StaleSerial,
                format!("{id:?}: a grab with serial {serial}, which is no press"),
            );
            return self.dismiss_popup(id);
        }
        self.grabs.0.push(id);
        if let Some(popup) = self.popup_mut(id) {
            popup.grabs = true;
        }
    }

    pub fn popup_committed(&mut self, id: SurfaceId) {
        let Some(surface) = self.surface(id) else {
            return;
        };
        let started = surface
            .xdg
            .as_ref()
            .is_some_and(|xdg| xdg.configures.started());
        let orphan = surface.popup().is_some_and(|popup| popup.parent.is_none());
        let resource = surface.xdg.as_ref().map(|xdg| xdg.resource.clone());
        if let (true, Some(resource)) = (orphan, resource) {
            let message = format!("{id:?} was committed without a parent");
            return self.base_error(&resource, xdg_wm_base::Error::InvalidPopupParent, message);
        }
        if started {
            self.check_window_size(id);
        } else {
            self.place_popup(id);
        }
    }

    /// Work the place out and send it.
    pub fn place_popup(&mut self, id: SurfaceId) {
        let Some(popup) = self.surface(id).and_then(Surface::popup) else {
            return;
        };
        let (parent, positioner, resource) =
            (popup.parent, popup.positioner, popup.resource.clone());
        let Some(parent) = parent else { return };
        let (x, y) = self.window_origin(parent);
        let output = self.output_of(parent);
        let place = positioner.place(self.output_area(output).moved(-x, -y));
        if let Some(popup) = self.popup_mut(id) {
            popup.place = place;
        }
        resource.configure(place.x, place.y, place.width, place.height);
        self.send_configure(id, Demand::AtMost(place.width, place.height));
    }

    /// Tell the client that a popup is over, and every popup above it first.
    pub fn dismiss_popup(&mut self, id: SurfaceId) {
        let children: Vec<_> = self.child_popups(id);
        for child in children {
            self.dismiss_popup(child);
        }
        if let Some(popup) = self.popup_mut(id).filter(|popup| !popup.dismissed) {
            popup.dismissed = true;
            popup.resource.popup_done();
        }
    }

    /// Dismiss every popup that grabs, as a press elsewhere does.
    pub fn dismiss_grabs(&mut self) {
        if let Some(first) = self.grabs.0.first().copied() {
            self.dismiss_popup(first);
        }
    }

    fn child_popups(&self, id: SurfaceId) -> Vec<SurfaceId> {
        let is_child = |surface: &&Surface| {
            surface
                .popup()
                .is_some_and(|popup| popup.parent == Some(id))
        };
        self.surfaces
            .values()
            .filter(is_child)
            .map(|surface| surface.id)
            .collect()
    }

    /// A popup may only go when none stands on it.
    fn check_topmost(&mut self, id: SurfaceId, resource: &XdgPopup) {
        if let Some(child) = self.child_popups(id).first() {
            let message = format!("{id:?} was destroyed while {child:?} stood on it");
            self.base_error(resource, xdg_wm_base::Error::NotTheTopmostPopup, message);
        }
    }

    pub fn popup_unmapped(&mut self, id: SurfaceId) {
        let held = self.grabs.holds(id);
        self.grabs.0.retain(|popup| *popup != id);
        if held && self.keyboard.focus == Some(id) {
            let below = self.grabs.topmost().or_else(|| {
                self.surface(id)
                    .and_then(Surface::popup)
                    .and_then(|popup| popup.parent)
            });
            self.focus(below.filter(|below| self.may_focus(*below)));
        }
    }
}
