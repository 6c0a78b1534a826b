//! The pointer: motion, buttons, scrolling, and which surface it is on.

use super::event::{Button, InputEvent, PointerEvent, ScrollAxis, ScrollSource, Serial};
use super::notice::Notice;
use super::platform::Platform;
use super::runtime::Runtime;
use super::surface::surface_id;
use smithay_client_toolkit::seat::pointer::{self, AxisScroll, PointerEventKind, PointerHandler};
use wayland_client::protocol::wl_pointer::{AxisSource, WlPointer};
use wayland_client::protocol::wl_seat::WlSeat;
use wayland_client::{Connection, QueueHandle};

/// Older compositors count whole wheel steps.
fn axis(scroll: &AxisScroll) -> ScrollAxis {
    let steps120 = if scroll.value120 != 0 {
        scroll.value120
    } else {
        scroll.discrete.saturating_mul(120)
    };
    let pixels = if scroll.absolute.is_finite() {
        scroll.absolute
    } else {
        0.0
    };
    ScrollAxis {
        pixels,
        steps120,
        stop: scroll.stop,
    }
}

fn source(source: Option<AxisSource>) -> ScrollSource {
    match source {
        Some(AxisSource::Finger) => ScrollSource::Finger,
        Some(AxisSource::Continuous) => ScrollSource::Continuous,
        Some(AxisSource::WheelTilt) => ScrollSource::WheelTilt,
        _ => ScrollSource::Wheel,
    }
}

impl Platform {
    fn pointer_event(&mut self, wl: &WlPointer, event: &pointer::PointerEvent) {
        let Some(id) = surface_id(&event.surface).filter(|id| self.surfaces.contains_key(id))
        else {
            return;
        };
        let Some(seat) = self
            .seats
            .find(|seat| seat.pointer.as_ref().is_some_and(|p| p.pointer() == wl))
        else {
            return;
        };
        let position = event.position.into();
        let seat_id = seat.id;
        let event = match event.kind {
            PointerEventKind::Enter { .. } => {
                seat.pointer_on = Some(id);
                self.pointer_is_back();
                self.apply_cursor(id);
                PointerEvent::Enter { position }
            }
            PointerEventKind::Leave { .. } => {
                seat.pointer_on = None;
                PointerEvent::Leave
            }
            PointerEventKind::Motion { time } => PointerEvent::Motion { time, position },
            PointerEventKind::Press {
                time,
                button,
                serial,
            } => {
                self.seats.used(seat_id, serial);
                let serial = Serial {
                    raw: serial,
                    seat: seat_id,
                };
                let dismissed = self.pressed_on(id);
                PointerEvent::Press {
                    time,
                    button: Button::from_code(button),
                    position,
                    serial,
                    dismissed,
                }
            }
            PointerEventKind::Release {
                time,
                button,
                serial,
            } => {
                let serial = Serial {
                    raw: serial,
                    seat: seat_id,
                };
                PointerEvent::Release {
                    time,
                    button: Button::from_code(button),
                    position,
                    serial,
                }
            }
            PointerEventKind::Axis {
                time,
                horizontal,
                vertical,
                source: from,
            } => PointerEvent::Scroll {
                time,
                position,
                horizontal: axis(&horizontal),
                vertical: axis(&vertical),
                source: source(from),
            },
        };
        self.notices
            .push(Notice::Input(id, InputEvent::Pointer(event)));
    }

    /// The mouse was unplugged.
    pub(super) fn drop_pointer(&mut self, wl: &WlSeat) {
        let Some(seat) = self.seats.find(|seat| &seat.wl == wl) else {
            return;
        };
        seat.pointer = None;
        if let Some(id) = seat.pointer_on.take() {
            self.notices
                .push(Notice::Input(id, InputEvent::Pointer(PointerEvent::Leave)));
        }
    }
}

impl PointerHandler for Runtime {
    fn pointer_frame(
        &mut self,
        _: &Connection,
        _: &QueueHandle<Self>,
        pointer: &WlPointer,
        events: &[pointer::PointerEvent],
    ) {
        for event in events {
            self.platform.pointer_event(pointer, event);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn old_wheels_scroll_in_120ths_too() {
        let old = AxisScroll {
            absolute: 30.0,
            discrete: 2,
            ..AxisScroll::default()
        };
        assert_eq!(axis(&old).steps120, 240);
        let new = AxisScroll {
            absolute: 7.5,
            value120: 60,
            ..AxisScroll::default()
        };
        assert_eq!(axis(&new).steps120, 60);
    }

    #[test]
    fn a_broken_scroll_length_moves_nothing() {
        assert_eq!(
            axis(&AxisScroll {
                absolute: f64::NAN,
                ..AxisScroll::default()
            })
            .pixels,
            0.0
        );
    }
}
