//! Fingers.

use super::event::{InputEvent, Serial, TouchEvent};
use super::notice::Notice;
use super::platform::Platform;
use super::runtime::Runtime;
use super::seat::Seat;
use super::surface::surface_id;
use smithay_client_toolkit::seat::touch::TouchHandler;
use wayland_client::protocol::wl_surface::WlSurface;
use wayland_client::protocol::wl_touch::WlTouch;
use wayland_client::{Connection, QueueHandle};

impl Platform {
    fn touch_seat(&mut self, wl: &WlTouch) -> Option<&mut Seat> {
        self.seats.find(|seat| seat.touch.as_ref() == Some(wl))
    }

    /// Tell every surface under a finger of these seats that the touches are over.
    pub(super) fn cancel_touches(&mut self, of: impl Fn(&Seat) -> bool) {
        let mut surfaces = Vec::new();
        for seat in self.seats.iter_mut().filter(|seat| of(seat)) {
            surfaces.extend(std::mem::take(&mut seat.touches).into_values());
        }
        surfaces.sort_unstable();
        surfaces.dedup();
        for id in surfaces {
            self.notices
                .push(Notice::Input(id, InputEvent::Touch(TouchEvent::Cancel)));
        }
    }
}

impl TouchHandler for Runtime {
    fn down(
        &mut self,
        _: &Connection,
        _: &QueueHandle<Self>,
        touch: &WlTouch,
        serial: u32,
        time: u32,
        surface: WlSurface,
        id: i32,
        position: (f64, f64),
    ) {
        let platform = &mut self.platform;
        let Some(on) = surface_id(&surface).filter(|on| platform.surfaces.contains_key(on)) else {
            return;
        };
        let Some(seat) = platform.touch_seat(touch) else {
            return;
        };
        seat.touches.insert(id, on);
        let seat = seat.id;
        platform.seats.used(seat, serial);
        let serial = Serial { raw: serial, seat };
        let dismissed = platform.pressed_on(on);
        let event = TouchEvent::Down {
            id,
            time,
            position: position.into(),
            serial,
            dismissed,
        };
        platform
            .notices
            .push(Notice::Input(on, InputEvent::Touch(event)));
    }

    fn up(
        &mut self,
        _: &Connection,
        _: &QueueHandle<Self>,
        touch: &WlTouch,
        serial: u32,
        time: u32,
        id: i32,
    ) {
        let Some(seat) = self.platform.touch_seat(touch) else {
            return;
        };
        let Some(on) = seat.touches.remove(&id) else {
            return;
        };
        let serial = Serial {
            raw: serial,
            seat: seat.id,
        };
        self.platform.notices.push(Notice::Input(
            on,
            InputEvent::Touch(TouchEvent::Up { id, time, serial }),
        ));
    }

    fn motion(
        &mut self,
        _: &Connection,
        _: &QueueHandle<Self>,
        touch: &WlTouch,
        time: u32,
        id: i32,
        position: (f64, f64),
    ) {
        let Some(seat) = self.platform.touch_seat(touch) else {
            return;
        };
        let Some(on) = seat.touches.get(&id).copied() else {
            return;
        };
        let event = TouchEvent::Motion {
            id,
            time,
            position: position.into(),
        };
        self.platform
            .notices
            .push(Notice::Input(on, InputEvent::Touch(event)));
    }

    fn shape(
        &mut self,
        _: &Connection,
        _: &QueueHandle<Self>,
        _: &WlTouch,
        _: i32,
        _: f64,
        _: f64,
    ) {
    }

    fn orientation(&mut self, _: &Connection, _: &QueueHandle<Self>, _: &WlTouch, _: i32, _: f64) {}

    fn cancel(&mut self, _: &Connection, _: &QueueHandle<Self>, touch: &WlTouch) {
        let touch = touch.clone();
        self.platform
            .cancel_touches(|seat| seat.touch.as_ref() == Some(&touch));
    }
}
