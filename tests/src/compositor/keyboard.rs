//! `wl_keyboard`: keys, modifiers, repeat, and which surface has the focus.

use std::fs::File;
use std::io::Write;
use std::os::fd::{AsFd, OwnedFd};

use wayland_server::protocol::wl_keyboard::{self, KeyState, KeymapFormat, WlKeyboard};
use wayland_server::{DataInit, Resource};

use super::dispatch::{Manager, Object};
use super::state::{State, same_client};
use super::surface::SurfaceId;
use super::toplevel::WindowState;

/// The modifier state as it goes over the wire.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct Modifiers {
    pub depressed: u32,
    pub latched: u32,
    pub locked: u32,
    pub group: u32,
}

pub(crate) struct Keyboard {
    resources: Vec<WlKeyboard>,
    keymap: String,
    pub focus: Option<SurfaceId>,
    /// evdev codes of the keys that are down.
    pressed: Vec<u32>,
    modifiers: Modifiers,
    /// Repeats a second, and milliseconds before the first.
    repeat: (i32, i32),
}

impl Keyboard {
    pub fn new(keymap: String) -> Self {
        let (resources, pressed) = (Vec::new(), Vec::new());
        Self {
            resources,
            keymap,
            focus: None,
            pressed,
            modifiers: Modifiers::default(),
            repeat: (25, 400),
        }
    }

    /// The keymap in a file of its own, and its length with the closing zero.
    fn keymap_file(&self) -> std::io::Result<(OwnedFd, u32)> {
        let mut file = File::from(rustix::fs::memfd_create(
            "keymap",
            rustix::fs::MemfdFlags::CLOEXEC,
        )?);
        file.write_all(self.keymap.as_bytes())?;
        file.write_all(&[0])?;
        Ok((file.into(), self.keymap.len() as u32 + 1))
    }

    fn send_keymap(&self, to: &WlKeyboard) {
        if let Ok((file, size)) = self.keymap_file() {
            to.keymap(KeymapFormat::XkbV1, file.as_fd(), size);
        }
    }
}

impl Object<WlKeyboard> for Manager {
    fn request(
        &self,
        _: &WlKeyboard,
        _: wl_keyboard::Request,
        _: &mut State,
        _: &mut DataInit<'_, State>,
    ) {
    }

    fn destroyed(&self, keyboard: &WlKeyboard, state: &mut State) {
        state.keyboard.resources.retain(|kept| kept != keyboard);
    }
}

impl State {
    pub fn new_keyboard(&mut self, keyboard: WlKeyboard) {
        self.keyboard.send_keymap(&keyboard);
        if Self::knows(&keyboard, 4) {
            keyboard.repeat_info(self.keyboard.repeat.0, self.keyboard.repeat.1);
        }
        self.keyboard.resources.push(keyboard.clone());
        let focus = self.keyboard.focus.and_then(|focus| self.wl_surface(focus));
        if let Some(surface) = focus.filter(|surface| same_client(surface, &keyboard)) {
            let serial = self.input_serial(false);
            self.enter_keyboard(&keyboard, serial, &surface);
        }
    }

    fn enter_keyboard(
        &self,
        keyboard: &WlKeyboard,
        serial: u32,
        surface: &wayland_server::protocol::wl_surface::WlSurface,
    ) {
        let pressed = self
            .keyboard
            .pressed
            .iter()
            .flat_map(|key| key.to_ne_bytes())
            .collect();
        keyboard.enter(serial, surface, pressed);
        let Modifiers {
            depressed,
            latched,
            locked,
            group,
        } = self.keyboard.modifiers;
        keyboard.modifiers(serial, depressed, latched, locked, group);
    }

    fn listeners(&self) -> Vec<WlKeyboard> {
        let Some(surface) = self.keyboard.focus.and_then(|focus| self.surface(focus)) else {
            return Vec::new();
        };
        self.keyboard
            .resources
            .iter()
            .filter(|keyboard| same_client(*keyboard, &surface.wl))
            .cloned()
            .collect()
    }

    /// Give the keyboard to a surface, or to nobody. The window it belongs to is told that it is active.
    pub fn focus(&mut self, next: Option<SurfaceId>) {
        let before = self.keyboard.focus;
        if before == next {
            return;
        }
        let left = self.listeners();
        if let Some(surface) = before.and_then(|before| self.wl_surface(before)) {
            let serial = self.next_serial();
            left.iter()
                .for_each(|keyboard| keyboard.leave(serial, &surface));
            self.text_input_leave(&surface);
        }
        self.keyboard.focus = next.filter(|next| self.surface(*next).is_some());
        let entered = self.keyboard.focus;
        if let Some(surface) = entered.and_then(|id| self.wl_surface(id)) {
            self.offer_selections(&surface);
            let serial = self.input_serial(false);
            for keyboard in self.listeners() {
                self.enter_keyboard(&keyboard, serial, &surface);
            }
            self.text_input_enter(&surface);
        }
        let (old, new) = (
            before.and_then(|id| self.root(id)),
            entered.and_then(|id| self.root(id)),
        );
        if old != new {
            old.into_iter().for_each(|id| self.activate(id, false));
            new.into_iter().for_each(|id| self.activate(id, true));
        }
    }

    fn activate(&mut self, id: SurfaceId, on: bool) {
        self.set_window_state(id, WindowState::Activated, on);
        self.mirror_window(id);
    }

    /// A key of the evdev code went down or up; `modifiers` is the state after it.
    pub fn key(&mut self, code: u32, pressed: bool, modifiers: Modifiers) {
        self.keyboard.pressed.retain(|held| *held != code);
        if pressed {
            self.keyboard.pressed.push(code);
        }
        let changed = self.keyboard.modifiers != modifiers;
        self.keyboard.modifiers = modifiers;
        let (serial, time) = (self.input_serial(pressed), self.time());
        for keyboard in self.listeners() {
            keyboard.key(
                serial,
                time,
                code,
                if pressed {
                    KeyState::Pressed
                } else {
                    KeyState::Released
                },
            );
            if changed {
                let Modifiers {
                    depressed,
                    latched,
                    locked,
                    group,
                } = modifiers;
                keyboard.modifiers(serial, depressed, latched, locked, group);
            }
        }
    }

    /// Change the keymap of every keyboard.
    pub fn set_keymap(&mut self, keymap: String) {
        self.keyboard.keymap = keymap;
        for keyboard in self
            .keyboard
            .resources
            .iter()
            .filter(|keyboard| keyboard.is_alive())
        {
            self.keyboard.send_keymap(keyboard);
        }
    }

    /// Change the repeat of every keyboard; a rate of 0 turns it off.
    pub fn set_repeat(&mut self, rate: i32, delay: i32) {
        self.keyboard.repeat = (rate, delay);
        for keyboard in self
            .keyboard
            .resources
            .iter()
            .filter(|keyboard| Self::knows(*keyboard, 4))
        {
            keyboard.repeat_info(rate, delay);
        }
    }
}
