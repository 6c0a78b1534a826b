//! Start, frames, faults and the end.

use ede_tests::client::{Client, Plain};
use ede_tests::compositor::{Compositor, Frames, Global, Globals, OutputSpec, Request};
use wayland_client::protocol::wl_callback;
use wayland_client::protocol::wl_seat::WlSeat;
use wayland_protocols::xdg::activation::v1::client::xdg_activation_token_v1;
use wayland_protocols::xdg::activation::v1::client::xdg_activation_v1::XdgActivationV1;
use wayland_protocols_wlr::layer_shell::v1::client::zwlr_layer_shell_v1::ZwlrLayerShellV1;

use crate::{assert_error, desk};

#[test]
fn a_global_can_be_left_out_or_offered_at_an_older_version() {
    let compositor = Compositor::start(Globals::gnome().at(Global::Seat, 5));
    let client = Client::connect(compositor.socket());
    assert!(client.globals::<ZwlrLayerShellV1>().is_empty());
    assert_eq!(
        client
            .globals::<WlSeat>()
            .iter()
            .map(|(_, version)| *version)
            .collect::<Vec<_>>(),
        [5]
    );
}

#[test]
fn a_process_of_its_own_connects_by_the_display_path() {
    let compositor = Compositor::start(Globals::all());
    compositor.add_output(OutputSpec::new("DP-1", 800, 600));
    let mut client =
        Client::connect(std::os::unix::net::UnixStream::connect(compositor.display()).unwrap());
    client.show_layer("panel", (0, 40));
    assert!(compositor.scene().layer("panel").is_some());
}

#[test]
fn frames_come_by_hand_and_a_commit_before_the_answer_is_unpaced() {
    let (compositor, mut client, _) = desk();
    compositor.set_frames(Frames::ByHand);
    let panel = client.show_layer("panel", (0, 40));
    let first = panel.surface.frame(&client.handle(), Plain);
    client.attach(&panel.surface, &panel.canvas);
    panel.surface.commit();
    client.attach(&panel.surface, &panel.canvas);
    panel.surface.commit();
    client.roundtrip();
    let unpaced: Vec<_> = compositor
        .take_commits()
        .into_iter()
        .map(|commit| commit.unpaced)
        .collect();
    assert_eq!(unpaced, [false, false, false, true]);
    compositor.frame();
    client.roundtrip();
    assert!(matches!(
        client.take(&first)[..],
        [wl_callback::Event::Done { .. }]
    ));
}

#[test]
fn a_hidden_surface_waits_while_another_is_served() {
    let (compositor, mut client, _) = desk();
    let (a, b) = (
        client.show_layer("a", (0, 40)),
        client.show_layer("b", (0, 40)),
    );
    let a_id = compositor.scene().layer("a").unwrap().id;
    compositor.set_visible(a_id, false);
    let hidden = a.surface.frame(&client.handle(), Plain);
    a.surface.commit();
    let shown = b.surface.frame(&client.handle(), Plain);
    b.surface.commit();
    client.flush();
    while client.take(&shown).is_empty() {
        client.wait();
    }
    assert!(client.take(&hidden).is_empty());
    compositor.set_visible(a_id, true);
    while client.take(&hidden).is_empty() {
        client.wait();
    }
}

#[test]
fn a_killed_compositor_closes_the_connection() {
    let (compositor, mut client, _) = desk();
    client.show_layer("panel", (0, 40));
    compositor.kill();
    assert!(!client.try_roundtrip());
    assert!(client.protocol_error().is_none());
}

#[test]
fn a_client_that_leaves_takes_its_surfaces_along_without_a_fault() {
    let (compositor, mut client, _) = desk();
    let window = client.show_toplevel("Window", "app", (300, 200));
    client.show_popup(&window.xdg, None);
    client.show_layer("panel", (0, 40));
    drop((client, window));
    compositor.wait_for("no surface", |scene| {
        scene.surfaces.is_empty().then_some(())
    });
    assert_eq!(compositor.take_faults(), []);
}

#[test]
fn faults_that_nobody_takes_fail_the_test() {
    let failed = std::panic::catch_unwind(|| {
        let (compositor, mut client, _) = desk();
        let surface = client.surface();
        surface.set_buffer_scale(0);
        client.try_roundtrip();
        drop(compositor);
    });
    let message = failed.unwrap_err().downcast::<String>().unwrap();
    assert!(message.contains("buffer scale 0"), "{message}");
}

#[test]
fn an_activation_token_works_once() {
    let (compositor, mut client, _) = desk();
    client.show_toplevel("First", "first", (300, 200));
    let first = compositor.scene().toplevel("first").unwrap().id;
    let window = client.show_toplevel("Second", "second", (300, 200));
    let second = compositor.scene().toplevel("second").unwrap().id;
    compositor.keyboard().focus(Some(first));
    let activation: XdgActivationV1 = client.bind(1);
    let wish = activation.get_activation_token(&client.handle(), Plain);
    wish.set_app_id("ede.notes".into());
    wish.commit();
    client.roundtrip();
    let [xdg_activation_token_v1::Event::Done { ref token }] = client.take(&wish)[..] else {
        panic!("no token")
    };
    activation.activate(token.clone(), &window.surface);
    client.roundtrip();
    assert_eq!(compositor.scene().keyboard_focus, Some(second));
    activation.activate(token.clone(), &window.surface);
    client.roundtrip();
    let used: Vec<_> = compositor
        .take_requests()
        .into_iter()
        .filter_map(|request| {
            if let Request::Activate { known, .. } = request {
                Some(known)
            } else {
                None
            }
        })
        .collect();
    assert_eq!(used, [true, false]);
    wish.commit();
    assert_error(&compositor, &mut client, "xdg_activation_token_v1", 0);
}

#[test]
fn a_locked_session_shows_the_lock_surface_on_top() {
    use wayland_protocols::ext::session_lock::v1::client::ext_session_lock_manager_v1::ExtSessionLockManagerV1;
    use wayland_protocols::ext::session_lock::v1::client::ext_session_lock_surface_v1;
    let (compositor, mut client, output) = desk();
    client.show_layer("panel", (0, 40));
    let manager: ExtSessionLockManagerV1 = client.bind(1);
    let lock = manager.lock(&client.handle(), Plain);
    let surface = client.surface();
    let lock_surface = lock.get_lock_surface(&surface, &client.bind(4), &client.handle(), Plain);
    client.roundtrip();
    let [
        ext_session_lock_surface_v1::Event::Configure {
            serial,
            width: 800,
            height: 600,
        },
    ] = client.take(&lock_surface)[..]
    else {
        panic!("no configure")
    };
    lock_surface.ack_configure(serial);
    let canvas = client.canvas(800, 600, [255, 255, 255, 255]);
    client.attach(&surface, &canvas);
    surface.commit();
    client.roundtrip();
    assert!(compositor.scene().locked);
    assert_eq!(compositor.screenshot(output).get_pixel(5, 5).0, [255; 4]);
    lock_surface.destroy();
    lock.unlock_and_destroy();
    client.roundtrip();
    assert!(!compositor.scene().locked);
    assert_eq!(compositor.take_requests(), [Request::Lock, Request::Unlock]);
}
