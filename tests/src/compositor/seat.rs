//! `wl_seat`: which input there is, and which serials are worth something.

use wayland_server::protocol::wl_seat::{self, Capability, WlSeat};
use wayland_server::{DataInit, Resource};

use super::dispatch::{Bind, Manager, Object};
use super::state::State;
use super::surface::SurfaceId;

/// How many serials a client may look back.
const REMEMBERED: usize = 64;

pub(crate) struct Seat {
    resources: Vec<WlSeat>,
    capabilities: Capability,
    /// Serials of events, with whether the event was a press of a button, a key or a finger.
    serials: Vec<(u32, bool)>,
}

impl Default for Seat {
    fn default() -> Self {
        let capabilities = Capability::Pointer | Capability::Keyboard | Capability::Touch;
        Self {
            resources: Vec::new(),
            capabilities,
            serials: Vec::new(),
        }
    }
}

impl Seat {
    /// Whether the serial is that of a recent press.
    pub fn is_press(&self, serial: u32) -> bool {
        self.serials.contains(&(serial, true))
    }

    /// Whether the serial is that of any recent input event.
    pub fn is_input(&self, serial: u32) -> bool {
        self.serials.iter().any(|(known, _)| *known == serial)
    }

    fn remember(&mut self, serial: u32, press: bool) {
        self.serials.push((serial, press));
        let old = self.serials.len().saturating_sub(REMEMBERED);
        self.serials.drain(..old);
    }
}

impl Bind<WlSeat> for Manager {
    fn bound(&self, seat: &WlSeat, state: &mut State) {
        state.seat.resources.push(seat.clone());
        seat.capabilities(state.seat.capabilities);
        if State::knows(seat, 2) {
            seat.name("seat0".into());
        }
    }
}

impl Object<WlSeat> for Manager {
    fn request(
        &self,
        _: &WlSeat,
        request: wl_seat::Request,
        state: &mut State,
        init: &mut DataInit<'_, State>,
    ) {
        match request {
            wl_seat::Request::GetPointer { id } => {
                let pointer = init.init(id, Self);
                state.new_pointer(pointer);
            }
            wl_seat::Request::GetKeyboard { id } => {
                let keyboard = init.init(id, Self);
                state.new_keyboard(keyboard);
            }
            wl_seat::Request::GetTouch { id } => {
                let touch = init.init(id, Self);
                state.touch.resources.push(touch);
            }
            _ => {}
        }
    }

    fn destroyed(&self, seat: &WlSeat, state: &mut State) {
        state.seat.resources.retain(|kept| kept != seat);
    }
}

impl State {
    /// A serial for an input event.
    pub fn input_serial(&mut self, press: bool) -> u32 {
        let serial = self.next_serial();
        self.seat.remember(serial, press);
        serial
    }

    /// Plug devices in or out.
    pub fn set_capabilities(&mut self, capabilities: Capability) {
        if !capabilities.contains(Capability::Keyboard) {
            self.focus(None);
        }
        if !capabilities.contains(Capability::Pointer) {
            self.pointer_leave();
        }
        self.seat.capabilities = capabilities;
        for seat in self.seat.resources.iter().filter(|seat| seat.is_alive()) {
            seat.capabilities(capabilities);
        }
    }

    /// A surface is gone from the screen: no input goes there any more, and the focus falls on what is below.
    pub fn input_lost(&mut self, id: SurfaceId) {
        if self.pointer.focus == Some(id) {
            self.pointer_leave();
        }
        self.touch.points.retain(|(_, surface)| *surface != id);
        if self.keyboard.focus == Some(id) {
            let below = self.window_below().filter(|below| *below != id);
            self.focus(below);
        }
    }

    /// Whether a surface can have the keyboard at all.
    pub fn may_focus(&self, id: SurfaceId) -> bool {
        let Some(surface) = self.surface(id).filter(|surface| surface.mapped()) else {
            return false;
        };
        surface
            .layer()
            .is_none_or(|layer| layer.place.interactivity != super::layer::Interactivity::None)
    }
}
