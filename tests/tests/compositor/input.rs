//! Pointer, keyboard, touch and cursor.

use ede_tests::client::{Client, Plain};
use ede_tests::compositor::{
    Capability, Compositor, FaultKind, Global, Globals, LEFT, OutputSpec, Request, Scroll,
};
use wayland_client::WEnum;
use wayland_client::protocol::wl_keyboard::{self, KeyState};
use wayland_client::protocol::wl_pointer::{self, ButtonState};
use wayland_client::protocol::wl_seat::{self, WlSeat};
use wayland_client::protocol::wl_touch;
use wayland_protocols::wp::cursor_shape::v1::client::wp_cursor_shape_device_v1::Shape;
use wayland_protocols::wp::cursor_shape::v1::client::wp_cursor_shape_manager_v1::WpCursorShapeManagerV1;

use crate::{assert_fault, desk};

/// The serial of the last press among the events of a pointer.
pub fn last_press(events: Vec<wl_pointer::Event>) -> Option<u32> {
    let pressed = WEnum::Value(ButtonState::Pressed);
    events.into_iter().rev().find_map(|event| match event {
        wl_pointer::Event::Button { serial, state, .. } if state == pressed => Some(serial),
        _ => None,
    })
}

#[test]
fn the_pointer_enters_moves_presses_and_leaves_in_frames() {
    use wl_pointer::Event as E;
    let (compositor, mut client, _) = desk();
    let seat: WlSeat = client.bind(5);
    let pointer = seat.get_pointer(&client.handle(), Plain);
    client.show_layer("panel", (0, 40));
    let id = compositor.scene().layer("panel").unwrap().id;
    compositor
        .pointer()
        .motion_to(30.5, 10.0)
        .motion_to(31.0, 10.0)
        .click(LEFT)
        .motion_to(30.0, 300.0);
    client.roundtrip();
    let events = client.take(&pointer);
    assert!(matches!(
        events[..],
        [
            E::Enter {
                surface_x: 30.5,
                surface_y: 10.0,
                ..
            },
            E::Frame,
            E::Motion {
                surface_x: 31.0,
                ..
            },
            E::Frame,
            E::Button { button: LEFT, .. },
            E::Frame,
            E::Button { .. },
            E::Frame,
            E::Leave { .. },
            E::Frame
        ]
    ));
    compositor.pointer().motion(id, 1.0, 1.0);
    assert_eq!(compositor.scene().pointer_focus, Some(id));
}

#[test]
fn a_held_button_keeps_the_events_with_the_pressed_surface() {
    let (compositor, mut client, _) = desk();
    let seat: WlSeat = client.bind(5);
    let pointer = seat.get_pointer(&client.handle(), Plain);
    client.show_layer("first", (0, 40));
    client.show_layer("second", (0, 40));
    let scene = compositor.scene();
    let (first, second) = (
        scene.layer("first").unwrap().id,
        scene.layer("second").unwrap().id,
    );
    compositor
        .pointer()
        .motion(first, 5.0, 5.0)
        .press(LEFT)
        .motion(second, 5.0, 5.0);
    assert_eq!(compositor.scene().pointer_focus, Some(first));
    client.roundtrip();
    let y = client
        .take(&pointer)
        .into_iter()
        .rev()
        .find_map(|event| match event {
            wl_pointer::Event::Motion { surface_y, .. } => Some(surface_y),
            _ => None,
        });
    assert_eq!(y, Some(45.0));
}

#[test]
fn an_input_region_lets_presses_through_to_what_is_below() {
    use wayland_client::protocol::wl_compositor::WlCompositor;
    let (compositor, mut client, _) = desk();
    let panel = client.show_layer("panel", (0, 40));
    let region = client
        .bind::<WlCompositor>(4)
        .create_region(&client.handle(), Plain);
    region.add(0, 0, 100, 40);
    panel.surface.set_input_region(Some(&region));
    panel.surface.commit();
    client.roundtrip();
    compositor.pointer().motion_to(100.0, 10.0);
    assert_eq!(compositor.scene().pointer_focus, None);
    compositor.pointer().motion_to(99.0, 10.0);
    let scene = compositor.scene();
    assert_eq!(
        scene.pointer_focus,
        scene.layer("panel").map(|panel| panel.id)
    );
    assert!(
        scene
            .layer("panel")
            .unwrap()
            .input_region
            .as_ref()
            .unwrap()
            .contains(50, 20)
    );
}

/// What a wheel and a finger say to a client that knows a version of the seat.
fn scrolled(version: u32) -> Vec<&'static str> {
    let compositor = Compositor::start(Globals::all().at(Global::Seat, version));
    compositor.add_output(OutputSpec::new("DP-1", 800, 600));
    let mut client = Client::connect(compositor.socket());
    let seat: WlSeat = client.bind(9);
    let pointer = seat.get_pointer(&client.handle(), Plain);
    client.show_layer("panel", (0, 40));
    let id = compositor.scene().layer("panel").unwrap().id;
    compositor.pointer().motion(id, 1.0, 1.0);
    client.roundtrip();
    client.take(&pointer);
    let lifted = Scroll {
        vertical: 4.0,
        stop: true,
        ..Scroll::default()
    };
    compositor.pointer().wheel(1).scroll(lifted);
    client.roundtrip();
    let names = client.take(&pointer).into_iter().map(|event| match event {
        wl_pointer::Event::Axis { .. } => "axis",
        wl_pointer::Event::AxisSource { .. } => "source",
        wl_pointer::Event::AxisValue120 { value120: 120, .. } => "value120",
        wl_pointer::Event::AxisDiscrete { discrete: 1, .. } => "discrete",
        wl_pointer::Event::AxisStop { .. } => "stop",
        wl_pointer::Event::Frame => "frame",
        _ => "unexpected",
    });
    names.collect()
}

#[test]
fn scrolling_speaks_the_version_of_the_client() {
    let end = ["source", "axis", "stop", "stop", "frame"];
    assert_eq!(
        scrolled(9),
        [&["source", "value120", "axis", "frame"][..], &end].concat()
    );
    assert_eq!(
        scrolled(5),
        [&["source", "discrete", "axis", "frame"][..], &end].concat()
    );
    assert_eq!(scrolled(4), ["axis", "axis"]);
}

#[test]
fn keys_go_to_the_focus_with_their_modifiers() {
    let (compositor, mut client, _) = desk();
    let seat: WlSeat = client.bind(9);
    let keyboard = seat.get_keyboard(&client.handle(), Plain);
    client.show_toplevel("Window", "app", (300, 200));
    let events = client.take(&keyboard);
    let keymap = events.iter().find_map(|event| match event {
        wl_keyboard::Event::Keymap { fd, size, .. } => Some((fd, *size as u64)),
        _ => None,
    });
    let (fd, size) = keymap.unwrap();
    assert_eq!(rustix::fs::fstat(fd).unwrap().st_size as u64, size);
    assert!(events.iter().any(|event| matches!(
        event,
        wl_keyboard::Event::RepeatInfo {
            rate: 25,
            delay: 400
        }
    )));
    assert!(
        events
            .iter()
            .any(|event| matches!(event, wl_keyboard::Event::Enter { .. }))
    );
    compositor.keyboard().tap("ctrl+a").text("A");
    client.roundtrip();
    let keys: Vec<_> = client
        .take(&keyboard)
        .into_iter()
        .filter_map(|event| match event {
            wl_keyboard::Event::Key { key, state, .. } => {
                Some((key, state == WEnum::Value(KeyState::Pressed)))
            }
            wl_keyboard::Event::Modifiers { mods_depressed, .. } => {
                Some((1000 + mods_depressed, true))
            }
            _ => None,
        })
        .collect();
    let (shift, control) = (1, 4);
    assert_eq!(
        keys,
        [
            (29, true),
            (1000 + control, true),
            (30, true),
            (30, false),
            (29, false),
            (1000, true),
            (42, true),
            (1000 + shift, true),
            (30, true),
            (30, false),
            (42, false),
            (1000, true)
        ]
    );
    compositor.keyboard().layout("de", "").repeat(0, 0);
    client.roundtrip();
    let events = client.take(&keyboard);
    assert!(matches!(
        events[..],
        [
            wl_keyboard::Event::Keymap { .. },
            wl_keyboard::Event::RepeatInfo { rate: 0, .. }
        ]
    ));
}

#[test]
fn fingers_come_down_move_and_go() {
    use wl_touch::Event as E;
    let (compositor, mut client, _) = desk();
    let seat: WlSeat = client.bind(5);
    let touch = seat.get_touch(&client.handle(), Plain);
    client.show_layer("panel", (0, 40));
    let id = compositor.scene().layer("panel").unwrap().id;
    compositor
        .touch()
        .down(3, id, 10.0, 10.0)
        .motion(3, 12.0, 10.0)
        .up(3)
        .down(4, id, 1.0, 1.0)
        .cancel()
        .up(4);
    client.roundtrip();
    assert!(matches!(
        client.take(&touch)[..],
        [
            E::Down { id: 3, .. },
            E::Frame,
            E::Motion { id: 3, x: 12.0, .. },
            E::Frame,
            E::Up { id: 3, .. },
            E::Frame,
            E::Down { id: 4, .. },
            E::Frame,
            E::Cancel
        ]
    ));
}

#[test]
fn a_keyboard_that_is_unplugged_takes_the_focus_along() {
    let (compositor, mut client, _) = desk();
    let seat: WlSeat = client.bind(5);
    client.show_toplevel("Window", "app", (300, 200));
    client.take(&seat);
    compositor.set_capabilities(Capability::Pointer);
    client.roundtrip();
    assert_eq!(compositor.scene().keyboard_focus, None);
    let pointer_only = WEnum::Value(wl_seat::Capability::Pointer);
    assert!(
        matches!(client.take(&seat)[..], [wl_seat::Event::Capabilities { capabilities }] if capabilities == pointer_only)
    );
}

#[test]
fn a_cursor_is_set_with_the_serial_of_the_entry() {
    let (compositor, mut client, _) = desk();
    let seat: WlSeat = client.bind(5);
    let pointer = seat.get_pointer(&client.handle(), Plain);
    let device =
        client
            .bind::<WpCursorShapeManagerV1>(1)
            .get_pointer(&pointer, &client.handle(), Plain);
    client.show_layer("panel", (0, 40));
    let id = compositor.scene().layer("panel").unwrap().id;
    compositor.pointer().motion(id, 1.0, 1.0);
    client.roundtrip();
    let serial = client
        .take(&pointer)
        .into_iter()
        .find_map(|event| match event {
            wl_pointer::Event::Enter { serial, .. } => Some(serial),
            _ => None,
        });
    let serial = serial.unwrap();
    device.set_shape(serial, Shape::Text);
    pointer.set_cursor(serial, None, 0, 0);
    client.roundtrip();
    assert_eq!(
        compositor.take_requests(),
        [Request::CursorShape(9), Request::CursorSurface(None)]
    );
    device.set_shape(serial + 100, Shape::Text);
    assert_fault(&compositor, &mut client, FaultKind::StaleSerial);
}
