//! The keyboard: layouts, dead keys and compose sequences (through xkbcommon), repeat (through the loop's timers).

use super::event::{self, InputEvent, KeyPhase, Keysym, Modifiers, Serial};
use super::notice::Notice;
use super::platform::Platform;
use super::runtime::Runtime;
use super::seat::Seat;
use super::spec::SurfaceId;
use super::surface::surface_id;
use smithay_client_toolkit::seat::keyboard::{self, KeyEvent, KeyboardHandler, RawModifiers};
use wayland_client::protocol::wl_keyboard::WlKeyboard;
use wayland_client::protocol::wl_seat::WlSeat;
use wayland_client::protocol::wl_surface::WlSurface;
use wayland_client::{Connection, Proxy, QueueHandle};

impl Platform {
    fn keyboard_seat(&mut self, wl: &WlKeyboard) -> Option<&mut Seat> {
        self.seats.find(|seat| seat.keyboard.as_ref() == Some(wl))
    }

    pub(super) fn add_keyboard(&mut self, wl: &WlSeat) {
        // Repeats made here come through this callback; `KeyboardHandler::repeat_key` is for the compositor's own.
        let repeat = Box::new(|runtime: &mut Runtime, keyboard: &WlKeyboard, event: KeyEvent| {
            runtime.platform.key(keyboard, None, event, KeyPhase::Repeated);
        });
        let handle = self.handle.clone();
        match self.seats.state.get_keyboard_with_repeat(&self.qh, wl, None, handle, repeat) {
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
        let Some(seat) = self.seats.find(|seat| &seat.wl == wl) else { return };
        if let Some(keyboard) = seat.keyboard.take()
            && keyboard.version() >= 3
        {
            keyboard.release();
        }
        seat.modifiers = Modifiers::default();
        if let Some(id) = seat.keys_on.take() {
            self.notices.push(Notice::Focus(id, false));
        }
    }

    /// The surface that has the keys of any seat.
    pub fn focused(&mut self) -> Option<SurfaceId> {
        self.seats.iter_mut().find_map(|seat| seat.keys_on)
    }

    fn key(&mut self, keyboard: &WlKeyboard, serial: Option<u32>, key: KeyEvent, phase: KeyPhase) {
        let Some(seat) = self.keyboard_seat(keyboard) else { return };
        let Some(on) = seat.keys_on else { return };
        if phase == KeyPhase::Pressed {
            seat.last = serial.or(seat.last);
        }
        let event = event::KeyEvent {
            phase,
            time: key.time,
            code: key.raw_code,
            keysym: key.keysym,
            text: key.utf8.and_then(printable),
            modifiers: seat.modifiers,
            serial: serial.map(|raw| Serial { raw, seat: seat.id }),
        };
        self.notices.push(Notice::Input(on, InputEvent::Key(event)));
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
        let Some(id) = surface_id(surface).filter(|id| platform.surfaces.contains_key(id)) else { return };
        let Some(seat) = platform.keyboard_seat(keyboard) else { return };
        seat.keys_on = Some(id);
        platform.notices.push(Notice::Focus(id, true));
    }

    fn leave(&mut self, _: &Connection, _: &QueueHandle<Self>, keyboard: &WlKeyboard, _: &WlSurface, _: u32) {
        let Some(seat) = self.platform.keyboard_seat(keyboard) else { return };
        if let Some(id) = seat.keys_on.take() {
            self.platform.notices.push(Notice::Focus(id, false));
        }
    }

    fn press_key(&mut self, _: &Connection, _: &QueueHandle<Self>, keyboard: &WlKeyboard, serial: u32, key: KeyEvent) {
        self.platform.key(keyboard, Some(serial), key, KeyPhase::Pressed);
    }

    fn repeat_key(&mut self, _: &Connection, _: &QueueHandle<Self>, keyboard: &WlKeyboard, serial: u32, key: KeyEvent) {
        self.platform.key(keyboard, Some(serial), key, KeyPhase::Repeated);
    }

    fn release_key(
        &mut self,
        _: &Connection,
        _: &QueueHandle<Self>,
        keyboard: &WlKeyboard,
        serial: u32,
        key: KeyEvent,
    ) {
        self.platform.key(keyboard, Some(serial), key, KeyPhase::Released);
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
        let Some(seat) = self.platform.keyboard_seat(keyboard) else { return };
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
            self.platform.notices.push(Notice::Input(id, InputEvent::Modifiers(modifiers)));
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
