//! Drag and drop, both ways.

use super::clipboard::Payload;
use super::event::{DragEvent, InputEvent, Serial};
use super::geometry::{Insets, Point, Size};
use super::notice::Notice;
use super::platform::Platform;
use super::runtime::Runtime;
use super::spec::SurfaceId;
use super::surface::{Role, Stage, Surface, surface_id};
use super::transfer::TransferId;
use super::words;
use smithay_client_toolkit::compositor::Surface as OwnedSurface;
use smithay_client_toolkit::data_device_manager::data_device::DataDeviceHandler;
use smithay_client_toolkit::data_device_manager::data_offer::{DataOfferHandler, DragOffer};
use smithay_client_toolkit::data_device_manager::data_source::DragSource;
use wayland_client::protocol::wl_data_device::WlDataDevice;
use wayland_client::protocol::wl_data_device_manager::DndAction;
use wayland_client::protocol::wl_data_source::WlDataSource;
use wayland_client::protocol::wl_surface::WlSurface;
use wayland_client::{Connection, Proxy, QueueHandle};

/// What may happen to what is dragged.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct DragActions {
    pub copy: bool,
    /// The source deletes its own afterwards.
    pub moves: bool,
}

impl DragActions {
    pub const COPY: DragActions = DragActions {
        copy: true,
        moves: false,
    };

    fn wire(self) -> DndAction {
        let mut actions = DndAction::None;
        actions.set(DndAction::Copy, self.copy);
        actions.set(DndAction::Move, self.moves);
        actions
    }

    /// The one action to take if several are possible: the one that destroys nothing.
    fn preferred(self) -> DndAction {
        match (self.copy, self.moves) {
            (true, _) => DndAction::Copy,
            (false, true) => DndAction::Move,
            (false, false) => DndAction::None,
        }
    }
}

/// A drag that began here.
struct Outgoing {
    source: DragSource,
    payload: Payload,
    icon: Option<SurfaceId>,
}

/// A drag that is over one of our surfaces.
struct Incoming {
    on: SurfaceId,
    device: WlDataDevice,
    position: Point,
    accepted: bool,
    dropped: bool,
}

#[derive(Default)]
pub(super) struct Drags {
    outgoing: Option<Outgoing>,
    incoming: Option<Incoming>,
    /// Dropped here, still being read.
    reading: Option<(TransferId, DragOffer)>,
}

impl Drags {
    pub fn payload_of(&self, source: &WlDataSource) -> Option<&Payload> {
        self.outgoing
            .as_ref()
            .filter(|drag| drag.source.inner() == source)
            .map(|drag| &drag.payload)
    }
}

impl Platform {
    /// Start to drag something off `from`, from a press on it. With `icon`, a surface of that logical size follows the
    /// pointer: paint it like any other. `drag_ended` says how it went. `None` if that is not possible now; `Some(None)`
    /// is a drag without an icon.
    pub fn start_drag(
        &mut self,
        from: SurfaceId,
        payload: Payload,
        actions: DragActions,
        serial: Serial,
        icon: Option<Size>,
    ) -> Option<Option<SurfaceId>> {
        let scale = self.surfaces.get(&from)?.scale;
        self.seats
            .find(|seat| seat.id == serial.seat)?
            .clipboard
            .as_ref()?;
        let source = self.globals.data.as_ref()?.create_drag_and_drop_source(
            &self.qh,
            payload.mimes(),
            actions.wire(),
        );
        let icon = icon.map(|size| {
            let id = self.new_id();
            let wl = self.globals.compositor.create_surface_with_data(
                &self.qh,
                None,
                scale.integer(),
                id,
            );
            let role = Role::DragIcon(OwnedSurface::from(wl));
            let mut surface = Surface::new(
                id,
                role,
                size,
                Insets::default(),
                scale,
                &self.globals,
                &self.qh,
            );
            // Nobody configures an icon.
            surface.stage = Stage::Ready;
            self.surfaces.insert(id, surface);
            id
        });
        let origin = self.surfaces.get(&from)?.wl();
        let icon_wl = icon.and_then(|id| self.surfaces.get(&id)).map(Surface::wl);
        let device = self
            .seats
            .find(|seat| seat.id == serial.seat)?
            .clipboard
            .as_ref()?;
        source.start_drag(device, origin, icon_wl, serial.raw);
        // Before version 3 nobody tells how a drag ends: it has by the time the next one begins.
        if let Some(before) = self.drags.outgoing.take() {
            self.drag_is_over(before, false);
        }
        self.drags.outgoing = Some(Outgoing {
            source,
            payload,
            icon,
        });
        Some(icon)
    }

    pub(super) fn end_drag(&mut self, source: &WlDataSource, accepted: bool) {
        let ours = self
            .drags
            .outgoing
            .take_if(|drag| drag.source.inner() == source);
        if let Some(drag) = ours {
            self.drag_is_over(drag, accepted);
        }
    }

    /// The pointer is on a surface of ours again, which it never is during a drag: one that began here has ended, even where no event
    /// says so (before version 3).
    pub(super) fn pointer_is_back(&mut self) {
        if let Some(drag) = (self.drags.outgoing).take_if(|drag| drag.source.inner().version() < 3)
        {
            self.drag_is_over(drag, false);
        }
    }

    fn drag_is_over(&mut self, drag: Outgoing, accepted: bool) {
        if let Some(icon) = drag.icon {
            self.destroy(icon);
        }
        self.notices.push(Notice::DragEnded(drag.payload, accepted));
    }

    /// Answer a drag over one of our surfaces: take this form with these actions, or (`None`) refuse it here.
    pub fn accept_drop(&mut self, mime: Option<&str>, actions: DragActions) {
        let Some(offer) = self.drag_offer() else {
            return;
        };
        let Some(incoming) = self.drags.incoming.as_mut() else {
            return;
        };
        incoming.accepted = mime.is_some();
        offer.accept_mime_type(
            offer.serial,
            mime.map(|mime| words::name(mime).into_owned()),
        );
        if mime.is_some() {
            offer.set_actions(actions.wire(), actions.preferred());
        } else {
            offer.set_actions(DndAction::None, DndAction::None);
        }
    }

    /// Read what was dropped, in the form accepted before. The bytes come to `transferred`.
    pub fn read_drop(&mut self, mime: &str) -> Option<TransferId> {
        let offer = self.drag_offer()?;
        self.drags
            .incoming
            .take_if(|incoming| incoming.dropped && incoming.accepted)?;
        match offer.receive(words::name(mime).into_owned()) {
            Ok(pipe) => {
                let id = self.read_pipe(pipe);
                // One that is still being read is given up: its source must not wait for ever.
                if let Some((_, unfinished)) = self.drags.reading.replace((id, offer)) {
                    unfinished.destroy();
                }
                Some(id)
            }
            Err(_) => {
                offer.destroy();
                None
            }
        }
    }

    /// A drop nobody started to read in the turn it was told in is refused.
    pub(super) fn settle_drop(&mut self) {
        if self
            .drags
            .incoming
            .as_ref()
            .is_some_and(|incoming| incoming.dropped)
        {
            if let Some(offer) = self.drag_offer() {
                offer.destroy();
            }
            self.drags.incoming = None;
        }
    }

    /// The read of a drop is over.
    pub(super) fn finish_drop(&mut self, id: TransferId, complete: bool) {
        if let Some((_, offer)) = self.drags.reading.take_if(|(reading, _)| *reading == id) {
            // Finishing without an agreed action is a protocol error.
            if complete && !offer.selected_action.is_empty() {
                offer.finish();
            }
            offer.destroy();
        }
    }

    fn drag_offer(&mut self) -> Option<DragOffer> {
        let device = self.drags.incoming.as_ref()?.device.clone();
        self.device_offer(&device)
    }

    fn device_offer(&mut self, wl: &WlDataDevice) -> Option<DragOffer> {
        let seat = self.seats.find(|seat| {
            seat.clipboard
                .as_ref()
                .is_some_and(|device| device.inner() == wl)
        })?;
        seat.clipboard.as_ref()?.data().drag_offer()
    }
}

impl DataDeviceHandler for Runtime {
    fn enter(
        &mut self,
        _: &Connection,
        _: &QueueHandle<Self>,
        device: &WlDataDevice,
        x: f64,
        y: f64,
        surface: &WlSurface,
    ) {
        let platform = &mut self.platform;
        let Some(on) = surface_id(surface).filter(|on| platform.surfaces.contains_key(on)) else {
            return;
        };
        let position = Point { x, y };
        let offer = platform.device_offer(device);
        let mimes = offer
            .map(|offer| offer.with_mime_types(<[String]>::to_vec))
            .unwrap_or_default();
        platform.drags.incoming = Some(Incoming {
            on,
            device: device.clone(),
            position,
            accepted: false,
            dropped: false,
        });
        platform.notices.push(Notice::Input(
            on,
            InputEvent::Drag(DragEvent::Enter { position, mimes }),
        ));
    }

    fn leave(&mut self, _: &Connection, _: &QueueHandle<Self>, device: &WlDataDevice) {
        let drags = &mut self.platform.drags;
        if let Some(incoming) = drags
            .incoming
            .take_if(|incoming| incoming.device == *device && !incoming.dropped)
        {
            self.platform.notices.push(Notice::Input(
                incoming.on,
                InputEvent::Drag(DragEvent::Leave),
            ));
        }
    }

    fn motion(
        &mut self,
        _: &Connection,
        _: &QueueHandle<Self>,
        device: &WlDataDevice,
        x: f64,
        y: f64,
    ) {
        let position = Point { x, y };
        let time = self
            .platform
            .device_offer(device)
            .and_then(|offer| offer.time)
            .unwrap_or(0);
        if let Some(incoming) = &mut self.platform.drags.incoming {
            incoming.position = position;
            let event = InputEvent::Drag(DragEvent::Motion { time, position });
            self.platform
                .notices
                .push(Notice::Input(incoming.on, event));
        }
    }

    fn selection(&mut self, _: &Connection, _: &QueueHandle<Self>, _: &WlDataDevice) {}

    fn drop_performed(&mut self, _: &Connection, _: &QueueHandle<Self>, _: &WlDataDevice) {
        if let Some(incoming) = &mut self.platform.drags.incoming {
            incoming.dropped = true;
            let event = InputEvent::Drag(DragEvent::Drop {
                position: incoming.position,
            });
            self.platform
                .notices
                .push(Notice::Input(incoming.on, event));
        }
    }
}

impl DataOfferHandler for Runtime {
    fn source_actions(
        &mut self,
        _: &Connection,
        _: &QueueHandle<Self>,
        _: &mut DragOffer,
        _: DndAction,
    ) {
    }

    fn selected_action(
        &mut self,
        _: &Connection,
        _: &QueueHandle<Self>,
        _: &mut DragOffer,
        _: DndAction,
    ) {
    }
}
