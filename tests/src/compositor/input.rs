//! The hands of a test: pointer, keyboard, fingers and input method, as seen from the fixture.

use super::Compositor;
use super::pointer::Scroll;
use super::surface::SurfaceId;
use super::text_input::Composition;

/// The left button's evdev code.
pub const LEFT: u32 = 0x110;
/// The right button's evdev code.
pub const RIGHT: u32 = 0x111;
/// The middle button's evdev code.
pub const MIDDLE: u32 = 0x112;

/// The mouse. Every call is one event with its frame.
pub struct PointerHand<'a>(pub(crate) &'a Compositor);

impl PointerHand<'_> {
    /// To a point of a surface. Elsewhere than before: leave and enter.
    pub fn motion(&self, surface: SurfaceId, x: f64, y: f64) -> &Self {
        self.0
            .with(|state| state.pointer_motion(Some(surface), x, y));
        self
    }

    /// To a point of the compositor's space: the uppermost surface that takes input there, or none.
    pub fn motion_to(&self, x: f64, y: f64) -> &Self {
        self.0.with(|state| match state.surface_at(x, y) {
            Some((surface, x, y)) => state.pointer_motion(Some(surface), x, y),
            None => state.pointer_motion(None, x, y),
        });
        self
    }

    /// Off every surface.
    pub fn leave(&self) -> &Self {
        self.0.with(|state| state.pointer_motion(None, -1.0, -1.0));
        self
    }

    pub fn press(&self, button: u32) -> &Self {
        self.0.with(|state| state.pointer_button(button, true));
        self
    }

    pub fn release(&self, button: u32) -> &Self {
        self.0.with(|state| state.pointer_button(button, false));
        self
    }

    /// Press and release where the pointer is.
    pub fn click(&self, button: u32) -> &Self {
        self.press(button).release(button)
    }

    pub fn scroll(&self, scroll: Scroll) -> &Self {
        self.0.with(|state| state.pointer_scroll(scroll));
        self
    }

    /// Turn the wheel down by so many notches of 15 pixels; a negative number turns it up.
    pub fn wheel(&self, notches: i32) -> &Self {
        let scroll = Scroll {
            vertical: f64::from(notches) * 15.0,
            notches: Some((notches * 120, 0)),
            ..Scroll::default()
        };
        self.scroll(scroll)
    }
}

/// The keyboard. Keys go by name (`Return`, `Left`, `F1`, `ctrl`) or by what they write (`a`, `A`, `ß`).
pub struct KeyboardHand<'a>(pub(crate) &'a Compositor);

impl KeyboardHand<'_> {
    /// Give the keyboard to a surface, or take it from all.
    pub fn focus(&self, surface: Option<SurfaceId>) -> &Self {
        self.0.with(|state| state.focus(surface));
        self
    }

    pub fn press(&self, key: &str) -> &Self {
        self.key(self.code(key).0, true)
    }

    pub fn release(&self, key: &str) -> &Self {
        self.key(self.code(key).0, false)
    }

    /// Press and release a key or a chord: `a`, `Return`, `ctrl+shift+Left`.
    pub fn tap(&self, chord: &str) -> &Self {
        let steps = self.0.keys.borrow().chord(chord);
        let Some(steps) = steps else {
            panic!("the keyboard layout has no key for {chord:?}")
        };
        for (code, pressed) in steps {
            self.key(code, pressed);
        }
        self
    }

    /// Write a text, letter by letter.
    pub fn text(&self, text: &str) -> &Self {
        let mut letter = [0; 4];
        for character in text.chars() {
            self.tap(character.encode_utf8(&mut letter));
        }
        self
    }

    /// Change the layout, for instance to `us` with the variant `intl` for dead keys.
    pub fn layout(&self, layout: &str, variant: &str) -> &Self {
        self.0.set_layout(layout, variant);
        self
    }

    /// Repeats a second (0: none), and milliseconds before the first.
    pub fn repeat(&self, rate: i32, delay: i32) -> &Self {
        self.0.with(|state| state.set_repeat(rate, delay));
        self
    }

    fn code(&self, key: &str) -> (u32, Vec<u32>) {
        let found = self.0.keys.borrow().find(key);
        let Some(found) = found else {
            panic!("the keyboard layout has no key {key:?}")
        };
        found
    }

    fn key(&self, code: u32, pressed: bool) -> &Self {
        let modifiers = self.0.keys.borrow_mut().update(code, pressed);
        self.0.with(|state| state.key(code, pressed, modifiers));
        self
    }
}

/// Fingers on the screen, each with a number.
pub struct TouchHand<'a>(pub(crate) &'a Compositor);

impl TouchHand<'_> {
    pub fn down(&self, finger: i32, surface: SurfaceId, x: f64, y: f64) -> &Self {
        self.0.with(|state| state.touch_down(finger, surface, x, y));
        self
    }

    /// Surface-local on the surface the finger came down on.
    pub fn motion(&self, finger: i32, x: f64, y: f64) -> &Self {
        self.0.with(|state| state.touch_motion(finger, x, y));
        self
    }

    pub fn up(&self, finger: i32) -> &Self {
        self.0.with(|state| state.touch_up(finger));
        self
    }

    pub fn cancel(&self) -> &Self {
        self.0.with(|state| state.touch_cancel());
        self
    }
}

/// The input method. Each call is one step that ends with `done`; nothing is sent unless a text field is enabled.
pub struct InputMethod<'a>(pub(crate) &'a Compositor);

impl InputMethod<'_> {
    /// Show undecided text with the caret at a byte offset in it.
    pub fn preedit(&self, text: &str, caret: i32) -> &Self {
        self.step(Composition::Preedit(Some((text.into(), caret, caret))))
    }

    pub fn clear_preedit(&self) -> &Self {
        self.step(Composition::Preedit(None))
    }

    /// Decide on a text; the undecided one goes.
    pub fn commit(&self, text: &str) -> &Self {
        self.step(Composition::Commit(text.into()))
    }

    /// Take bytes away before and after the caret, and put a text there, in one step.
    pub fn replace(&self, before: u32, after: u32, text: &str) -> &Self {
        self.0.with(|state| {
            state.compose(&[
                Composition::Delete(before, after),
                Composition::Commit(text.into()),
            ])
        });
        self
    }

    fn step(&self, step: Composition) -> &Self {
        self.0.with(|state| state.compose(&[step]));
        self
    }
}
