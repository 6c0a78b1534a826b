//! A mouse and a keyboard for a compositor that has none.
//!
//! Both stay plugged in from the start, so a client has bound them long before the first press: no sleep is needed.

use std::fs::File;
use std::io::Write;
use std::os::fd::AsFd;
use std::os::unix::net::UnixStream;
use std::time::Instant;

use wayland_client::protocol::wl_pointer::{Axis, AxisSource, ButtonState};
use wayland_client::protocol::wl_seat::WlSeat;
use wayland_protocols_misc::zwp_virtual_keyboard_v1::client::zwp_virtual_keyboard_manager_v1::ZwpVirtualKeyboardManagerV1;
use wayland_protocols_misc::zwp_virtual_keyboard_v1::client::zwp_virtual_keyboard_v1::ZwpVirtualKeyboardV1;
use wayland_protocols_wlr::virtual_pointer::v1::client::zwlr_virtual_pointer_manager_v1::ZwlrVirtualPointerManagerV1;
use wayland_protocols_wlr::virtual_pointer::v1::client::zwlr_virtual_pointer_v1::ZwlrVirtualPointerV1;

use super::Sway;
use crate::client::{Client, Plain};
use crate::compositor::keys::Keys;

/// The number of the xkb text format on the wire.
const XKB_V1: u32 = 1;

pub(super) struct Hands {
    client: Client,
    pointer: ZwlrVirtualPointerV1,
    keyboard: ZwpVirtualKeyboardV1,
    keys: Keys,
    started: Instant,
}

impl Hands {
    pub fn new(socket: UnixStream) -> Self {
        let mut client = Client::connect(socket);
        let seat: WlSeat = client.bind(5);
        let pointers: ZwlrVirtualPointerManagerV1 = client.bind(1);
        let pointer = pointers.create_virtual_pointer(Some(&seat), &client.handle(), Plain);
        let keyboards: ZwpVirtualKeyboardManagerV1 = client.bind(1);
        let keyboard = keyboards.create_virtual_keyboard(&seat, &client.handle(), Plain);
        let Some(keys) = Keys::new("us", "") else {
            panic!("no keyboard layout: is xkb-data installed?")
        };
        send_keymap(&keyboard, &keys.text()).unwrap_or_else(|error| panic!("no keymap: {error}"));
        client.roundtrip();
        Self {
            client,
            pointer,
            keyboard,
            keys,
            started: Instant::now(),
        }
    }

    fn time(&self) -> u32 {
        self.started.elapsed().as_millis() as u32
    }

    fn motion(&mut self, x: f64, y: f64, (width, height): (u32, u32)) {
        // Fine enough for half a pixel.
        let fine = |value: f64| (value * 4.0).round().max(0.0) as u32;
        self.pointer
            .motion_absolute(self.time(), fine(x), fine(y), width * 4, height * 4);
        self.pointer.frame();
        self.client.roundtrip();
    }

    fn button(&mut self, button: u32, state: ButtonState) {
        self.pointer.button(self.time(), button, state);
        self.pointer.frame();
        self.client.roundtrip();
    }

    fn wheel(&mut self, notches: i32) {
        self.pointer.axis_source(AxisSource::Wheel);
        self.pointer.axis_discrete(
            self.time(),
            Axis::VerticalScroll,
            f64::from(notches) * 15.0,
            notches,
        );
        self.pointer.frame();
        self.client.roundtrip();
    }

    fn tap(&mut self, chord: &str) {
        let Some(steps) = self.keys.chord(chord) else {
            panic!("the keyboard has no key for {chord:?}")
        };
        for (code, pressed) in steps {
            self.keyboard.key(self.time(), code, pressed.into());
            let after = self.keys.update(code, pressed);
            self.keyboard
                .modifiers(after.depressed, after.latched, after.locked, after.group);
        }
        self.client.roundtrip();
    }
}

fn send_keymap(keyboard: &ZwpVirtualKeyboardV1, text: &str) -> std::io::Result<()> {
    let mut file = File::from(rustix::fs::memfd_create(
        "keymap",
        rustix::fs::MemfdFlags::CLOEXEC,
    )?);
    file.write_all(text.as_bytes())?;
    file.write_all(&[0])?;
    keyboard.keymap(XKB_V1, file.as_fd(), text.len() as u32 + 1);
    Ok(())
}

impl Sway {
    fn with_hands<T>(&self, act: impl FnOnce(&mut Hands) -> T) -> T {
        let mut hands = self.hands.borrow_mut();
        let Some(hands) = hands.as_mut() else {
            panic!("sway is still starting")
        };
        act(hands)
    }

    /// Move the mouse to a point of the first output, in logical pixels.
    pub fn motion(&self, x: f64, y: f64) {
        let output = &self.ask(super::Question::Outputs)[0]["rect"];
        let length = |name: &str| output[name].as_u64().unwrap_or_default() as u32;
        self.with_hands(|hands| hands.motion(x, y, (length("width"), length("height"))));
    }

    pub fn press(&self, button: u32) {
        self.with_hands(|hands| hands.button(button, ButtonState::Pressed));
    }

    pub fn release(&self, button: u32) {
        self.with_hands(|hands| hands.button(button, ButtonState::Released));
    }

    /// Go to a point and press and release there.
    pub fn click(&self, button: u32, x: f64, y: f64) {
        self.motion(x, y);
        self.press(button);
        self.release(button);
    }

    /// Turn the wheel down by so many notches; a negative number turns it up.
    pub fn wheel(&self, notches: i32) {
        self.with_hands(|hands| hands.wheel(notches));
    }

    /// Press and release a key or a chord: `a`, `Return`, `ctrl+shift+Left`.
    pub fn tap(&self, chord: &str) {
        self.with_hands(|hands| hands.tap(chord));
    }

    /// Write a text on the keyboard.
    pub fn text(&self, text: &str) {
        let mut letter = [0; 4];
        for character in text.chars() {
            self.tap(character.encode_utf8(&mut letter));
        }
    }
}
