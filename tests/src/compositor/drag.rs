//! Drag and drop, both ways: a client's drag over its own surfaces or out of them, and another program's drag into them.

use wayland_server::DataInit;
use wayland_server::protocol::wl_data_device::{self, WlDataDevice};
use wayland_server::protocol::wl_data_device_manager::DndAction;
use wayland_server::protocol::wl_data_offer::{self, WlDataOffer};
use wayland_server::protocol::wl_data_source::WlDataSource;

use super::dispatch::Object;
use super::log::{FaultKind, Request};
use super::role::Role;
use super::selection::{Source, Transfer};
use super::state::{State, same_client};
use super::surface::SurfaceId;

/// What an offer object hands out.
pub(crate) struct OfferData {
    pub source: Source,
    pub dragged: bool,
}

#[derive(Default)]
pub(crate) struct Drag {
    source: Option<Source>,
    /// Where the drag is now.
    focus: Option<SurfaceId>,
    offer: Option<WlDataOffer>,
    accepted: Option<String>,
    action: Option<DndAction>,
}

impl Drag {
    pub fn active(&self) -> bool {
        self.source.is_some()
    }

    fn is_from(&self, source: &WlDataSource) -> bool {
        matches!(&self.source, Some(Source::Client(held)) if held == source)
    }

    fn client_source(&self) -> Option<&WlDataSource> {
        if let Some(Source::Client(source)) = &self.source {
            Some(source)
        } else {
            None
        }
    }
}

impl Object<WlDataOffer> for OfferData {
    fn request(
        &self,
        offer: &WlDataOffer,
        request: wl_data_offer::Request,
        state: &mut State,
        _: &mut DataInit<'_, State>,
    ) {
        match request {
            wl_data_offer::Request::Receive { mime_type, fd } => self.source.send(mime_type, fd),
            wl_data_offer::Request::Accept { mime_type, .. } if self.dragged => {
                state.request(Request::DragAccept(mime_type.clone()));
                state
                    .drag
                    .client_source()
                    .into_iter()
                    .for_each(|source| source.target(mime_type.clone()));
                state.drag.accepted = mime_type;
            }
            wl_data_offer::Request::SetActions {
                dnd_actions,
                preferred_action,
            } if self.dragged => {
                let allowed = dnd_actions.into_result().unwrap_or(DndAction::None);
                let preferred = preferred_action.into_result().unwrap_or(DndAction::None);
                let choice = [preferred, DndAction::Copy, DndAction::Move].into_iter();
                let action = choice
                    .filter(|action| !action.is_empty())
                    .find(|action| allowed.contains(*action));
                let action = action.unwrap_or(DndAction::None);
                state.drag.action = Some(action);
                offer.action(action);
                let source = state
                    .drag
                    .client_source()
                    .filter(|source| State::knows(*source, 3));
                source.into_iter().for_each(|source| source.action(action));
            }
            wl_data_offer::Request::Finish if self.dragged => {
                state.request(Request::DragFinished);
                if let Source::Client(source) = &self.source {
                    source.dnd_finished();
                }
            }
            wl_data_offer::Request::Finish => {
                let message = "a clipboard offer was finished".into();
                state.protocol_error(offer, wl_data_offer::Error::InvalidFinish, message);
            }
            _ => {}
        }
    }
}

impl State {
    pub fn start_drag(
        &mut self,
        by: &WlDataDevice,
        source: Option<WlDataSource>,
        origin: SurfaceId,
        icon: Option<SurfaceId>,
        serial: u32,
    ) {
        if let Some(icon) = icon {
            let already = self
                .surface(icon)
                .is_some_and(|surface| matches!(surface.role, Role::DragIcon));
            if !already && !self.give_role(icon, Role::DragIcon, by, wl_data_device::Error::Role) {
                return;
            }
        }
        if !self.seat.is_press(serial) {
            return self.fault(
                FaultKind::StaleSerial,
                format!("{origin:?}: start_drag with serial {serial}, which is no press"),
            );
        }
        let source = source.map(Source::Client);
        self.request(Request::StartDrag(
            origin,
            source.as_ref().map(Source::mimes).unwrap_or_default(),
        ));
        self.begin_drag(source);
    }

    /// From here on the pointer moves the drag.
    pub fn begin_drag(&mut self, source: Option<Source>) {
        self.pointer_leave();
        self.drag = Drag {
            source,
            ..Drag::default()
        };
    }

    fn drag_devices(&self) -> Vec<WlDataDevice> {
        let Some(surface) = self.drag.focus.and_then(|focus| self.surface(focus)) else {
            return Vec::new();
        };
        self.selections
            .devices
            .iter()
            .filter(|device| same_client(*device, &surface.wl))
            .cloned()
            .collect()
    }

    pub fn drag_motion(&mut self, target: Option<SurfaceId>, x: f64, y: f64) {
        if target == self.drag.focus {
            let time = self.time();
            return self
                .drag_devices()
                .iter()
                .for_each(|device| device.motion(time, x, y));
        }
        self.drag_leave();
        let Some((source, surface)) = self
            .drag
            .source
            .clone()
            .zip(target.and_then(|target| self.wl_surface(target)))
        else {
            return;
        };
        self.drag.focus = target;
        let serial = self.input_serial(false);
        for device in self.drag_devices() {
            let offer = self.new_offer(&device, source.clone(), true);
            if let Some(offer) = offer.as_ref().filter(|offer| Self::knows(*offer, 3)) {
                offer.source_actions(DndAction::Copy | DndAction::Move);
            }
            device.enter(serial, &surface, x, y, offer.as_ref());
            self.drag.offer = offer;
        }
    }

    fn drag_leave(&mut self) {
        self.drag_devices().iter().for_each(|device| device.leave());
        self.drag.focus = None;
        self.drag.offer = None;
        self.drag.accepted = None;
        self.drag.action = None;
    }

    /// The button was let go: a drop where the target accepted, the end of it elsewhere.
    pub fn drag_drop(&mut self) {
        let modern = self
            .drag
            .offer
            .as_ref()
            .is_some_and(|offer| Self::knows(offer, 3));
        let agreed = !modern || self.drag.action.is_some_and(|action| !action.is_empty());
        let dropped = self.drag.accepted.is_some() && agreed;
        if dropped {
            self.drag_devices().iter().for_each(|device| device.drop());
        }
        if let Some(source) = self
            .drag
            .client_source()
            .filter(|source| Self::knows(*source, 3))
        {
            if dropped {
                source.dnd_drop_performed()
            } else {
                source.cancelled()
            }
        }
        self.drag_leave();
        self.drag = Drag::default();
    }

    /// Drop a client's drag on another program, which takes it as `mime`.
    pub fn drag_take(&mut self, mime: &str) -> Option<std::io::Result<Transfer>> {
        let source = self.drag.source.clone()?;
        self.drag_leave();
        self.drag = Drag::default();
        let Source::Client(object) = &source else {
            return Some(source.read(mime));
        };
        object.target(Some(mime.to_owned()));
        let modern = Self::knows(object, 3);
        if modern {
            object.action(DndAction::Copy);
            object.dnd_drop_performed();
        }
        let transfer = source.read(mime);
        if modern {
            object.dnd_finished();
        }
        Some(transfer)
    }

    /// Give the drag up, as Escape does.
    pub fn drag_cancel(&mut self) {
        self.drag
            .client_source()
            .into_iter()
            .for_each(WlDataSource::cancelled);
        self.drag_leave();
        self.drag = Drag::default();
    }

    pub fn drag_source_gone(&mut self, source: &WlDataSource) {
        if self.drag.is_from(source) {
            self.drag_leave();
            self.drag = Drag::default();
        }
    }
}
