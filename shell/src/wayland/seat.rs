//! Seats: which devices there are, where each one is, and the last thing a person did.

use super::clipboard::ClipboardDevice;
use super::event::{Modifiers, SeatId, Serial};
use super::platform::Platform;
use super::primary::PrimaryDevice;
use super::repeat::Repeat;
use super::runtime::Runtime;
use super::spec::SurfaceId;
use super::text_input::TextInput;
use smithay_client_toolkit::seat::pointer::{ThemeSpec, ThemedPointer};
use smithay_client_toolkit::seat::{Capability, SeatHandler, SeatState};
use std::collections::BTreeMap;
use wayland_client::globals::GlobalList;
use wayland_client::protocol::wl_keyboard::WlKeyboard;
use wayland_client::protocol::wl_seat::WlSeat;
use wayland_client::protocol::wl_touch::WlTouch;
use wayland_client::{Connection, Proxy, QueueHandle};

/// One seat and its devices.
pub(super) struct Seat {
    pub id: SeatId,
    pub wl: WlSeat,
    pub pointer: Option<ThemedPointer>,
    pub keyboard: Option<WlKeyboard>,
    pub touch: Option<WlTouch>,
    pub clipboard: Option<ClipboardDevice>,
    pub primary: Option<PrimaryDevice>,
    pub text_input: Option<TextInput>,
    /// The surface the pointer is over.
    pub pointer_on: Option<SurfaceId>,
    /// The surface that gets the keys.
    pub keys_on: Option<SurfaceId>,
    pub modifiers: Modifiers,
    pub repeat: Repeat,
    /// The surface each finger went down on.
    pub touches: BTreeMap<i32, SurfaceId>,
    /// The newest serial of a press, touch or key.
    pub last: Option<u32>,
}

/// All seats.
pub(super) struct Seats {
    pub state: SeatState,
    list: Vec<Seat>,
    next: u32,
    /// The seat that was used last.
    used: Option<SeatId>,
}

impl Seats {
    pub fn new(list: &GlobalList, qh: &QueueHandle<Runtime>) -> Self {
        Seats {
            state: SeatState::new(list, qh),
            list: Vec::new(),
            next: 0,
            used: None,
        }
    }

    pub fn iter_mut(&mut self) -> impl Iterator<Item = &mut Seat> {
        self.list.iter_mut()
    }

    pub fn wl(&self, id: SeatId) -> Option<WlSeat> {
        self.list
            .iter()
            .find(|seat| seat.id == id)
            .map(|seat| seat.wl.clone())
    }

    /// The seat a person used last, or the first one.
    pub fn current(&self) -> Option<&Seat> {
        let used = self.list.iter().find(|seat| Some(seat.id) == self.used);
        used.or(self.list.first())
    }

    /// A person pressed something on this seat.
    pub fn used(&mut self, id: SeatId, serial: u32) {
        if let Some(seat) = self.list.iter_mut().find(|seat| seat.id == id) {
            seat.last = Some(serial);
            self.used = Some(id);
        }
    }

    /// The surface that has the keys of any seat.
    pub fn keys_on(&self) -> Option<SurfaceId> {
        self.list.iter().find_map(|seat| seat.keys_on)
    }

    pub fn any(&self) -> Option<WlSeat> {
        self.current().map(|seat| seat.wl.clone())
    }

    pub fn last_serial(&self) -> Option<Serial> {
        self.current()
            .and_then(|seat| seat.last.map(|raw| Serial { raw, seat: seat.id }))
    }

    pub fn find(&mut self, test: impl Fn(&Seat) -> bool) -> Option<&mut Seat> {
        self.list.iter_mut().find(|seat| test(seat))
    }

    /// A surface is gone: no device is on it any more.
    pub fn forget(&mut self, id: SurfaceId) {
        for seat in &mut self.list {
            seat.pointer_on = seat.pointer_on.filter(|on| *on != id);
            seat.keys_on = seat.keys_on.filter(|on| *on != id);
            seat.touches.retain(|_, on| *on != id);
        }
    }

    /// The seat for a protocol object, made known if it is new: seats that exist at start are never announced.
    fn ensure(&mut self, wl: &WlSeat) -> &mut Seat {
        let at = self
            .list
            .iter()
            .position(|seat| &seat.wl == wl)
            .unwrap_or_else(|| {
                let id = SeatId(self.next);
                self.next += 1;
                self.list.push(Seat {
                    id,
                    wl: wl.clone(),
                    pointer: None,
                    keyboard: None,
                    touch: None,
                    clipboard: None,
                    primary: None,
                    text_input: None,
                    pointer_on: None,
                    keys_on: None,
                    modifiers: Modifiers::default(),
                    repeat: Repeat::default(),
                    touches: BTreeMap::new(),
                    last: None,
                });
                self.list.len() - 1
            });
        &mut self.list[at]
    }
}

impl Platform {
    fn add_capability(&mut self, wl: &WlSeat, capability: Capability) {
        let (globals, qh) = (&self.globals, &self.qh);
        let seat = self.seats.ensure(wl);
        if seat.clipboard.is_none() {
            seat.clipboard = globals
                .data
                .as_ref()
                .map(|manager| manager.get_data_device(qh, wl));
        }
        if seat.primary.is_none() {
            seat.primary = globals
                .primary
                .as_ref()
                .map(|manager| manager.get_selection_device(qh, wl));
        }
        if seat.text_input.is_none() {
            seat.text_input = globals
                .text_input
                .as_ref()
                .map(|manager| TextInput::new(manager, wl, seat.id, qh));
        }
        match capability {
            Capability::Keyboard if seat.keyboard.is_none() => self.add_keyboard(wl),
            Capability::Pointer if seat.pointer.is_none() => {
                let cursor = globals.compositor.create_surface(qh);
                let shm = globals.shm.wl_shm();
                let pointer = self.seats.state.get_pointer_with_theme::<_, ()>(
                    qh,
                    wl,
                    shm,
                    cursor,
                    ThemeSpec::System,
                );
                match pointer {
                    Ok(pointer) => self.seats.ensure(wl).pointer = Some(pointer),
                    Err(error) => tracing::warn!("no pointer: {error}"),
                }
            }
            Capability::Touch if seat.touch.is_none() => match self.seats.state.get_touch(qh, wl) {
                Ok(touch) => self.seats.ensure(wl).touch = Some(touch),
                Err(error) => tracing::warn!("no touch screen: {error}"),
            },
            _ => {}
        }
    }

    fn remove_capability(&mut self, wl: &WlSeat, capability: Capability) {
        match capability {
            Capability::Keyboard => self.drop_keyboard(wl),
            Capability::Pointer => self.drop_pointer(wl),
            Capability::Touch => self.drop_touch(wl),
            _ => {}
        }
    }

    fn drop_touch(&mut self, wl: &WlSeat) {
        self.cancel_touches(|seat| &seat.wl == wl);
        let seat = self.seats.ensure(wl);
        if let Some(touch) = seat.touch.take()
            && touch.version() >= 3
        {
            touch.release();
        }
    }
}

impl SeatHandler for Runtime {
    fn seat_state(&mut self) -> &mut SeatState {
        &mut self.platform.seats.state
    }

    fn new_seat(&mut self, _: &Connection, _: &QueueHandle<Self>, _: WlSeat) {}

    fn new_capability(
        &mut self,
        _: &Connection,
        _: &QueueHandle<Self>,
        seat: WlSeat,
        capability: Capability,
    ) {
        self.platform.add_capability(&seat, capability);
    }

    fn remove_capability(
        &mut self,
        _: &Connection,
        _: &QueueHandle<Self>,
        seat: WlSeat,
        capability: Capability,
    ) {
        self.platform.remove_capability(&seat, capability);
    }

    fn remove_seat(&mut self, _: &Connection, _: &QueueHandle<Self>, seat: WlSeat) {
        for capability in [Capability::Keyboard, Capability::Pointer, Capability::Touch] {
            self.platform.remove_capability(&seat, capability);
        }
        self.platform.seats.list.retain(|known| known.wl != seat);
    }
}
