//! The harness of the real compositor, with a client that has nothing to do with ede: pixels, clicks, keys, IPC.
#![allow(clippy::unwrap_used, clippy::expect_used)]

use ede_tests::client::{Client, Plain};
use ede_tests::compositor::LEFT;
use ede_tests::picture;
use ede_tests::sway::{Question, Sway};
use wayland_client::WEnum;
use wayland_client::protocol::wl_keyboard::{self, KeyState};
use wayland_client::protocol::wl_pointer::{self, ButtonState};
use wayland_client::protocol::wl_seat::WlSeat;

const GREEN: [u8; 4] = [0, 255, 0, 255];

#[test]
fn a_layer_surface_is_seen_clicked_and_a_window_typed_into() {
    let sway = Sway::start();
    let mut client = Client::connect(sway.connect());
    let seat: WlSeat = client.bind(5);
    let pointer = seat.get_pointer(&client.handle(), Plain);
    let keyboard = seat.get_keyboard(&client.handle(), Plain);
    let _panel = client.show_layer("panel", (0, 40));
    let shot = sway.wait_for("the panel's pixels", |sway| {
        let shot = sway.screenshot();
        (shot.get_pixel(5, 5).0 == GREEN).then_some(shot)
    });
    assert_eq!(shot.dimensions(), (1280, 800));
    assert_eq!(
        picture::count(&shot, |pixel| pixel == GREEN),
        1280 * 40,
        "the panel and nothing else"
    );

    sway.click(LEFT, 300.5, 20.0);
    let pressed = WEnum::Value(ButtonState::Pressed);
    let is_press = |event: &wl_pointer::Event| matches!(event, wl_pointer::Event::Button { button: LEFT, state, .. } if *state == pressed);
    let mut events = Vec::new();
    while !events.iter().any(is_press) {
        client.wait();
        events.extend(client.take(&pointer));
    }
    assert!(events.iter().any(|event| matches!(
        event,
        wl_pointer::Event::Enter {
            surface_x: 300.5,
            surface_y: 20.0,
            ..
        }
    )));

    let _window = client.show_toplevel("Typed into", "typing", (400, 300));
    sway.wait_for("the window's focus", |sway| {
        let windows = sway.windows("typing");
        (windows.first()?["focused"] == true).then_some(())
    });
    client.roundtrip();
    client.take(&keyboard);
    sway.text("aB");
    let down = WEnum::Value(KeyState::Pressed);
    let mut keys = Vec::new();
    while keys.len() < 3 {
        client.wait();
        keys.extend(
            client
                .take(&keyboard)
                .into_iter()
                .filter_map(|event| match event {
                    wl_keyboard::Event::Key { key, state, .. } if state == down => Some(key),
                    _ => None,
                }),
        );
    }
    assert_eq!(keys, [30, 42, 48], "a, shift, b");
}

#[test]
fn scale_and_workspaces_are_set_and_asked_over_ipc() {
    let sway = Sway::start_with("output HEADLESS-1 scale 2");
    assert_eq!(sway.ask(Question::Outputs)[0]["scale"], 2.0);
    sway.run("workspace mail");
    let names: Vec<_> = sway
        .ask(Question::Workspaces)
        .as_array()
        .unwrap()
        .iter()
        .map(|workspace| workspace["name"].clone())
        .collect();
    assert_eq!(names, ["mail"]);
    let mut client = Client::connect(sway.connect());
    let _panel = client.show_layer("panel", (0, 40));
    sway.wait_for("the panel in physical pixels", |sway| {
        (picture::count(&sway.screenshot(), |pixel| pixel == GREEN) == 1280 * 80).then_some(())
    });
}

#[test]
fn nothing_that_was_started_outlives_the_test() {
    let sway = Sway::start();
    let sleeper = sway.spawn("sleep", &["1000"]);
    let mut processes = sway.processes();
    processes.push(sleeper.0.id());
    assert_eq!(processes.len(), 3);
    drop((sleeper, sway));
    for process in processes {
        assert!(
            !std::path::Path::new(&format!("/proc/{process}")).exists(),
            "{process} is still there"
        );
    }
}
