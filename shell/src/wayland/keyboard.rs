//! The keyboard: layouts, dead keys and compose sequences (through xkbcommon), focus.

use super::event::{self, InputEvent, KeyPhase, Keysym, Modifiers, SeatId, Serial};
use super::notice::Notice;
use super::platform::Platform;
use super::runtime::Runtime;
use super::seat::Seat;
use super::spec::SurfaceId;
use super::surface::surface_id;
use smithay_client_toolkit::seat::keyboard::{
    self, KeyEvent, KeyboardHandler, RawModifiers, RepeatInfo,
};
use wayland_client::protocol::wl_keyboard::WlKeyboard;
use wayland_client::protocol::wl_seat::WlSeat;
use wayland_client::protocol::wl_surface::WlSurface;
use wayland_client::{Connection, Proxy, QueueHandle};

impl Platform {
    fn keyboard_seat(&mut self, wl: &WlKeyboard) -> Option<&mut Seat> {
        self.seats.find(|seat| seat.keyboard.as_ref() == Some(wl))
    }

    pub(super) fn add_keyboard(&mut self, wl: &WlSeat) {
        match self.seats.state.get_keyboard(&self.qh, wl, None) {
            Ok(keyboard) => {
                if let Some(seat) = self.seats.find(|seat| &seat.wl == wl) {
                    seat.keyboard = Some(keyboard);
                }
            }
            Err(error) => tracing::warn!("no keyboard: {error}"),
        }
    }

    /// The keyboard was unplugged.
    pub(super) fn drop_keyboard(&mut self, wl: &WlSeat) {
        let Some(seat) = self.seats.find(|seat| &seat.wl == wl) else {
            return;
        };
        if let Some(keyboard) = seat.keyboard.take()
            && keyboard.version() >= 3
        {
            keyboard.release();
        }
        seat.modifiers = Modifiers::default();
        let id = seat.id;
        self.keys_left(id);
    }

    /// The surface that has the keys of any seat.
    pub fn focused(&self) -> Option<SurfaceId> {
        self.seats.keys_on()
    }

    /// Tell of a key, to whichever surface has this seat's keys.
    pub(super) fn key(
        &mut self,
        seat: SeatId,
        serial: Option<u32>,
        key: KeyEvent,
        phase: KeyPhase,
    ) {
        let Some(seat) = self.seats.find(|known| known.id == seat) else {
            return;
        };
        let Some(on) = seat.keys_on else { return };
        let event = event::KeyEvent {
            phase,
            time: key.time,
            code: key.raw_code,
            keysym: key.keysym,
            text: key.utf8.clone().and_then(printable),
            modifiers: seat.modifiers,
            serial: serial.map(|raw| Serial { raw, seat: seat.id }),
        };
        let id = seat.id;
        if let (Some(serial), KeyPhase::Pressed) = (serial, phase) {
            self.seats.used(id, serial);
        }
        self.notices.push(Notice::Input(on, InputEvent::Key(event)));
        match phase {
            KeyPhase::Pressed => self.start_repeat(id, on, &key),
            KeyPhase::Released => self.stop_repeat(id, Some(key.raw_code)),
            KeyPhase::Repeated => {}
        }
    }

    fn key_from(&mut self, keyboard: &WlKeyboard, serial: u32, key: KeyEvent, phase: KeyPhase) {
        if let Some(seat) = self.keyboard_seat(keyboard).map(|seat| seat.id) {
            self.key(seat, Some(serial), key, phase);
        }
    }

    /// Take the keys away from the surface that has them.
    fn keys_left(&mut self, seat: SeatId) {
        self.stop_repeat(seat, None);
        let seat = self.seats.find(|known| known.id == seat);
        if let Some(on) = seat.and_then(|seat| seat.keys_on.take()) {
            self.notices.push(Notice::Focus(on, false));
        }
    }
}

/// What a key types, without the control characters that stand for Return, Escape or Ctrl with a letter.
fn printable(text: String) -> Option<String> {
    (!text.is_empty() && !text.chars().any(char::is_control)).then_some(text)
}

impl KeyboardHandler for Runtime {
    fn enter(
        &mut self,
        _: &Connection,
        _: &QueueHandle<Self>,
        keyboard: &WlKeyboard,
        surface: &WlSurface,
        _: u32,
        _: &[u32],
        _: &[Keysym],
    ) {
        let platform = &mut self.platform;
        let Some(id) = surface_id(surface).filter(|id| platform.surfaces.contains_key(id)) else {
            return;
        };
        let Some(seat) = platform.keyboard_seat(keyboard) else {
            return;
        };
        seat.keys_on = Some(id);
        platform.notices.push(Notice::Focus(id, true));
    }

    fn leave(
        &mut self,
        _: &Connection,
        _: &QueueHandle<Self>,
        keyboard: &WlKeyboard,
        _: &WlSurface,
        _: u32,
    ) {
        if let Some(seat) = self.platform.keyboard_seat(keyboard).map(|seat| seat.id) {
            self.platform.keys_left(seat);
        }
    }

    fn press_key(
        &mut self,
        _: &Connection,
        _: &QueueHandle<Self>,
        keyboard: &WlKeyboard,
        serial: u32,
        key: KeyEvent,
    ) {
        self.platform
            .key_from(keyboard, serial, key, KeyPhase::Pressed);
    }

    fn repeat_key(
        &mut self,
        _: &Connection,
        _: &QueueHandle<Self>,
        keyboard: &WlKeyboard,
        serial: u32,
        key: KeyEvent,
    ) {
        self.platform
            .key_from(keyboard, serial, key, KeyPhase::Repeated);
    }

    fn release_key(
        &mut self,
        _: &Connection,
        _: &QueueHandle<Self>,
        keyboard: &WlKeyboard,
        serial: u32,
        key: KeyEvent,
    ) {
        self.platform
            .key_from(keyboard, serial, key, KeyPhase::Released);
    }

    fn update_modifiers(
        &mut self,
        _: &Connection,
        _: &QueueHandle<Self>,
        keyboard: &WlKeyboard,
        _: u32,
        modifiers: keyboard::Modifiers,
        _: RawModifiers,
        _: u32,
    ) {
        let Some(seat) = self.platform.keyboard_seat(keyboard) else {
            return;
        };
        let modifiers = Modifiers {
            ctrl: modifiers.ctrl,
            alt: modifiers.alt,
            shift: modifiers.shift,
            logo: modifiers.logo,
            caps_lock: modifiers.caps_lock,
            num_lock: modifiers.num_lock,
        };
        if seat.modifiers == modifiers {
            return;
        }
        seat.modifiers = modifiers;
        if let Some(id) = seat.keys_on {
            self.platform
                .notices
                .push(Notice::Input(id, InputEvent::Modifiers(modifiers)));
        }
    }

    fn update_repeat_info(
        &mut self,
        _: &Connection,
        _: &QueueHandle<Self>,
        keyboard: &WlKeyboard,
        info: RepeatInfo,
    ) {
        if let Some(seat) = self.platform.keyboard_seat(keyboard) {
            seat.repeat.configure(info);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn keys_that_type_nothing_have_no_text() {
        assert_eq!(printable("\r".into()), None);
        assert_eq!(printable("\u{3}".into()), None);
        assert_eq!(printable(String::new()), None);
        assert_eq!(printable("é".into()), Some("é".into()));
    }
}
