//! `wl_pointer` and `wp_cursor_shape_manager_v1`: the mouse, and what it looks like.

use std::collections::BTreeSet;

use wayland_protocols::wp::cursor_shape::v1::server::wp_cursor_shape_device_v1::{
    self, WpCursorShapeDeviceV1,
};
use wayland_protocols::wp::cursor_shape::v1::server::wp_cursor_shape_manager_v1::{
    self, WpCursorShapeManagerV1,
};
use wayland_server::protocol::wl_pointer::{self, Axis, AxisSource, ButtonState, WlPointer};
use wayland_server::{DataInit, Resource, WEnum};

use super::dispatch::{Bind, Manager, Object};
use super::layer::{Interactivity, LayerKind};
use super::log::{FaultKind, Request};
use super::role::{Role, RoleKind};
use super::state::{State, same_client};
use super::surface::SurfaceId;

#[derive(Default)]
pub(crate) struct Pointer {
    resources: Vec<WlPointer>,
    pub focus: Option<SurfaceId>,
    /// Surface-local on the focus.
    pub position: (f64, f64),
    enter_serial: u32,
    /// The serials of earlier enterings.
    former_enters: BTreeSet<u32>,
    pressed: Vec<u32>,
}

/// One turn of a wheel or one stroke of fingers, in each direction.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Scroll {
    /// In logical pixels; down is positive.
    pub vertical: f64,
    /// To the right is positive.
    pub horizontal: f64,
    /// Notches of a wheel in 120ths; none for fingers.
    pub notches: Option<(i32, i32)>,
    /// The fingers left the pad after this.
    pub stop: bool,
}

impl Object<WlPointer> for Manager {
    fn request(
        &self,
        pointer: &WlPointer,
        request: wl_pointer::Request,
        state: &mut State,
        _: &mut DataInit<'_, State>,
    ) {
        let wl_pointer::Request::SetCursor {
            serial, surface, ..
        } = request
        else {
            return;
        };
        let on = surface.and_then(|surface| surface.data::<SurfaceId>().copied());
        if let Some(on) = on {
            let already = state
                .surface(on)
                .is_some_and(|surface| surface.role.kind() == Some(RoleKind::Cursor));
            if !already && !state.give_role(on, Role::Cursor, pointer, wl_pointer::Error::Role) {
                return;
            }
        }
        if state.may_set_cursor(serial, "set_cursor") {
            state.request(Request::CursorSurface(on));
        }
    }

    fn destroyed(&self, pointer: &WlPointer, state: &mut State) {
        state.pointer.resources.retain(|kept| kept != pointer);
    }
}

impl Bind<WpCursorShapeManagerV1> for Manager {}

impl Object<WpCursorShapeManagerV1> for Manager {
    fn request(
        &self,
        _: &WpCursorShapeManagerV1,
        request: wp_cursor_shape_manager_v1::Request,
        _: &mut State,
        init: &mut DataInit<'_, State>,
    ) {
        match request {
            wp_cursor_shape_manager_v1::Request::GetPointer {
                cursor_shape_device,
                ..
            }
            | wp_cursor_shape_manager_v1::Request::GetTabletToolV2 {
                cursor_shape_device,
                ..
            } => {
                init.init(cursor_shape_device, Self);
            }
            _ => {}
        }
    }
}

impl Object<WpCursorShapeDeviceV1> for Manager {
    fn request(
        &self,
        device: &WpCursorShapeDeviceV1,
        request: wp_cursor_shape_device_v1::Request,
        state: &mut State,
        _: &mut DataInit<'_, State>,
    ) {
        let wp_cursor_shape_device_v1::Request::SetShape { serial, shape } = request else {
            return;
        };
        match shape {
            WEnum::Value(shape) if state.may_set_cursor(serial, "set_shape") => {
                state.request(Request::CursorShape(shape.into()))
            }
            WEnum::Value(_) => {}
            WEnum::Unknown(number) => {
                state.protocol_error(
                    device,
                    wp_cursor_shape_device_v1::Error::InvalidShape,
                    format!("cursor shape {number}"),
                );
            }
        }
    }
}

impl State {
    pub fn new_pointer(&mut self, pointer: WlPointer) {
        let focus = self.pointer.focus.and_then(|focus| self.wl_surface(focus));
        if let Some(surface) = focus.filter(|surface| same_client(surface, &pointer)) {
            let (x, y) = self.pointer.position;
            pointer.enter(self.pointer.enter_serial, &surface, x, y);
            frame(&pointer);
        }
        self.pointer.resources.push(pointer);
    }

    /// A serial of an earlier entering may have crossed the newer one on the way: it counts for nothing, and is no fault.
    fn may_set_cursor(&mut self, serial: u32, what: &str) -> bool {
        let fresh = serial == self.pointer.enter_serial;
        if !fresh && !self.pointer.former_enters.contains(&serial) {
            self.fault(
                FaultKind::StaleSerial,
                format!(
                    "{what} with serial {serial}, the pointer entered with {}",
                    self.pointer.enter_serial
                ),
            );
        }
        fresh
    }

    /// The pointer objects that hear of the focused surface.
    fn heard_by(&self) -> Vec<WlPointer> {
        let Some(surface) = self.pointer.focus.and_then(|focus| self.surface(focus)) else {
            return Vec::new();
        };
        self.pointer
            .resources
            .iter()
            .filter(|pointer| same_client(*pointer, &surface.wl))
            .cloned()
            .collect()
    }

    /// Move to a point of a surface. While a button is held the events stay with the surface that was pressed.
    pub fn pointer_motion(&mut self, target: Option<SurfaceId>, x: f64, y: f64) {
        if self.drag.active() {
            return self.drag_motion(target, x, y);
        }
        let held = self
            .pointer
            .focus
            .filter(|_| !self.pointer.pressed.is_empty());
        let (target, x, y) = match (held, target) {
            (Some(held), Some(target)) if held != target => {
                let (from, to) = (self.surface_origin(target), self.surface_origin(held));
                (
                    Some(held),
                    x + f64::from(from.0 - to.0),
                    y + f64::from(from.1 - to.1),
                )
            }
            (Some(held), None) => (Some(held), x, y),
            _ => (target, x, y),
        };
        if target != self.pointer.focus {
            self.pointer_leave();
            self.pointer_enter(target, x, y);
            return;
        }
        self.pointer.position = (x, y);
        let time = self.time();
        for pointer in self.heard_by() {
            pointer.motion(time, x, y);
            frame(&pointer);
        }
    }

    fn pointer_enter(&mut self, target: Option<SurfaceId>, x: f64, y: f64) {
        let Some((id, surface)) = target.and_then(|id| Some((id, self.wl_surface(id)?))) else {
            return;
        };
        self.pointer.focus = Some(id);
        self.pointer.position = (x, y);
        self.pointer.former_enters.insert(self.pointer.enter_serial);
        self.pointer.enter_serial = self.input_serial(false);
        for pointer in self.heard_by() {
            pointer.enter(self.pointer.enter_serial, &surface, x, y);
            frame(&pointer);
        }
    }

    pub fn pointer_leave(&mut self) {
        let heard_by = self.heard_by();
        let surface = self
            .pointer
            .focus
            .take()
            .and_then(|focus| self.wl_surface(focus));
        self.pointer.pressed.clear();
        let Some(surface) = surface else { return };
        let serial = self.next_serial();
        for pointer in heard_by {
            pointer.leave(serial, &surface);
            frame(&pointer);
        }
    }

    /// An interactive move or resize takes the pointer away from the client.
    pub fn pointer_taken(&mut self) {
        self.pointer_leave();
    }

    pub fn pointer_button(&mut self, button: u32, pressed: bool) {
        if self.drag.active() && !pressed {
            return self.drag_drop();
        }
        let serial = self.input_serial(pressed);
        self.pointer.pressed.retain(|held| *held != button);
        if pressed {
            self.pointer.pressed.push(button);
            self.focus_by_press(self.pointer.focus);
        }
        let (time, button_state) = (
            self.time(),
            if pressed {
                ButtonState::Pressed
            } else {
                ButtonState::Released
            },
        );
        for pointer in self.heard_by() {
            pointer.button(serial, time, button, button_state);
            frame(&pointer);
        }
    }

    /// A press gives the keyboard to a window or an on-demand layer surface, and ends grabs when it is on nothing of ours.
    pub fn focus_by_press(&mut self, on: Option<SurfaceId>) {
        let Some(root) = on.and_then(|on| self.root(on)) else {
            return self.dismiss_grabs();
        };
        let exclusive = self
            .keyboard
            .focus
            .and_then(|focus| self.surface(focus))
            .and_then(|surface| surface.layer());
        if self.grabs.topmost().is_some()
            || exclusive.is_some_and(|layer| layer.takes_keyboard_at_once())
        {
            return;
        }
        let takes = match self.surface(root).map(|surface| &surface.role) {
            Some(Role::Toplevel(_)) => true,
            Some(Role::Layer(layer)) => match layer.place.interactivity {
                Interactivity::OnDemand => true,
                Interactivity::Exclusive => layer.place.layer >= LayerKind::Bottom,
                Interactivity::None => false,
            },
            _ => false,
        };
        if takes && self.keyboard.focus != Some(root) {
            self.focus(Some(root));
        }
    }

    pub fn pointer_scroll(&mut self, scroll: Scroll) {
        let time = self.time();
        for pointer in self.heard_by() {
            let knows = |since| Self::knows(&pointer, since);
            if knows(5) {
                pointer.axis_source(if scroll.notches.is_some() {
                    AxisSource::Wheel
                } else {
                    AxisSource::Finger
                });
            }
            let notches = scroll.notches.unwrap_or_default();
            for (axis, length, notches) in [
                (Axis::VerticalScroll, scroll.vertical, notches.0),
                (Axis::HorizontalScroll, scroll.horizontal, notches.1),
            ] {
                if length != 0.0 {
                    if notches != 0 && knows(8) {
                        pointer.axis_value120(axis, notches);
                    } else if notches / 120 != 0 && knows(5) {
                        pointer.axis_discrete(axis, notches / 120);
                    }
                    pointer.axis(time, axis, length);
                }
                if scroll.stop && knows(5) {
                    pointer.axis_stop(time, axis);
                }
            }
            frame(&pointer);
        }
    }
}

fn frame(pointer: &WlPointer) {
    if State::knows(pointer, 5) {
        pointer.frame();
    }
}
