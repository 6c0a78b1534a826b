//! Windows: the handshake, states, requests, decoration.

use ede_tests::client::Plain;
use ede_tests::compositor::{
    Decoration, Edges, FaultKind, LEFT, Rect, Request, ToplevelConfigure, WindowState,
};
use wayland_client::protocol::wl_seat::WlSeat;
use wayland_protocols::xdg::decoration::zv1::client::zxdg_decoration_manager_v1::ZxdgDecorationManagerV1;
use wayland_protocols::xdg::decoration::zv1::client::zxdg_toplevel_decoration_v1::{self, Mode};
use wayland_protocols::xdg::shell::client::xdg_toplevel::{self, ResizeEdge};
use wayland_protocols::xdg::shell::client::xdg_wm_base::{self, XdgWmBase};

use crate::{assert_error, assert_fault, desk};

#[test]
fn a_window_is_told_its_bounds_and_is_seen_with_title_and_app_id() {
    let (compositor, mut client, _) = desk();
    client.show_layer("panel", (0, 40));
    let (surface, xdg, toplevel) = client.toplevel("A title", "ede.notes");
    toplevel.set_min_size(200, 100);
    surface.commit();
    client.roundtrip();
    let events = client.take(&toplevel);
    assert!(events.iter().any(|event| matches!(
        event,
        xdg_toplevel::Event::ConfigureBounds {
            width: 800,
            height: 560
        }
    )));
    assert!(
        events
            .iter()
            .any(|event| matches!(event, xdg_toplevel::Event::WmCapabilities { .. }))
    );
    client.ack_xdg(&xdg);
    let canvas = client.canvas(300, 200, [0; 4]);
    client.attach(&surface, &canvas);
    xdg.set_window_geometry(10, 10, 280, 180);
    surface.commit();
    client.roundtrip();
    let view = compositor.scene().toplevel("ede.notes").cloned().unwrap();
    assert_eq!(view.title(), Some("A title"));
    let top = view.toplevel().unwrap();
    assert_eq!(
        (top.min_size, top.geometry),
        ((200, 100), Some(Rect::new(10, 10, 280, 180)))
    );
    assert_eq!(top.configured.states, [WindowState::Activated]);
    assert_eq!(
        view.origin,
        (250, 220),
        "in the middle of what the panel leaves, its shadow outside"
    );
}

#[test]
fn a_buffer_before_the_acknowledged_configure_is_an_error() {
    let (compositor, mut client, _) = desk();
    let (surface, _, _) = client.toplevel("Window", "app");
    surface.commit();
    let canvas = client.canvas(300, 200, [0; 4]);
    client.attach(&surface, &canvas);
    surface.commit();
    assert_error(&compositor, &mut client, "xdg_surface", 3);
}

#[test]
fn an_ack_of_a_configure_that_never_was_is_an_error() {
    let (compositor, mut client, _) = desk();
    let window = client.show_toplevel("Window", "app", (300, 200));
    window.xdg.ack_configure(4711);
    assert_error(&compositor, &mut client, "xdg_surface", 4);
}

#[test]
fn a_least_size_above_the_largest_is_an_error() {
    let (compositor, mut client, _) = desk();
    let (_, _, toplevel) = client.toplevel("Window", "app");
    toplevel.set_max_size(100, 100);
    toplevel.set_min_size(200, 50);
    assert_error(&compositor, &mut client, "xdg_toplevel", 2);
}

#[test]
fn maximising_is_granted_and_the_size_must_be_obeyed() {
    let (compositor, mut client, _) = desk();
    client.show_layer("panel", (0, 40));
    let window = client.show_toplevel("Window", "app", (300, 200));
    window.toplevel.set_maximized();
    client.roundtrip();
    let configured = compositor
        .scene()
        .toplevel("app")
        .unwrap()
        .toplevel()
        .unwrap()
        .configured
        .clone();
    assert_eq!(configured.size, (800, 560));
    assert!(
        configured.states.contains(&WindowState::Maximized)
            && configured.states.contains(&WindowState::Activated)
    );
    assert!(client.ack_xdg(&window.xdg));
    window.surface.commit();
    assert_fault(&compositor, &mut client, FaultKind::WrongSize);
    window.toplevel.set_fullscreen(None);
    window.toplevel.unset_fullscreen();
    window.toplevel.unset_maximized();
    window.toplevel.set_minimized();
    client.roundtrip();
    let id = compositor.scene().toplevel("app").unwrap().id;
    assert_eq!(
        compositor.take_requests(),
        [
            Request::SetMaximized(id),
            Request::SetFullscreen(id, None),
            Request::UnsetFullscreen(id),
            Request::UnsetMaximized(id),
            Request::SetMinimized(id),
        ]
    );
}

#[test]
fn a_window_is_moved_resized_and_has_a_menu_only_from_a_press() {
    let (compositor, mut client, _) = desk();
    let seat: WlSeat = client.bind(5);
    let pointer = seat.get_pointer(&client.handle(), Plain);
    let window = client.show_toplevel("Window", "app", (300, 200));
    let id = compositor.scene().toplevel("app").unwrap().id;
    compositor.pointer().motion(id, 10.0, 5.0).press(LEFT);
    client.roundtrip();
    let serial = crate::input::last_press(client.take(&pointer)).unwrap();
    window.toplevel.show_window_menu(&seat, serial, 10, 5);
    window.toplevel.resize(&seat, serial, ResizeEdge::TopLeft);
    window.toplevel._move(&seat, serial);
    client.roundtrip();
    let corner = Edges {
        top: true,
        left: true,
        ..Edges::default()
    };
    assert_eq!(
        compositor.take_requests(),
        [
            Request::ShowWindowMenu(id, 10, 5),
            Request::Resize(id, corner),
            Request::Move(id)
        ]
    );
    assert_eq!(
        compositor.scene().pointer_focus,
        None,
        "the compositor moves the window now"
    );
    window.toplevel._move(&seat, 1);
    assert_fault(&compositor, &mut client, FaultKind::StaleSerial);
    window.toplevel.resize(&seat, serial, ResizeEdge::None);
    assert_error(&compositor, &mut client, "xdg_toplevel", 0);
}

#[test]
fn the_test_can_configure_and_close_a_window() {
    let (compositor, mut client, _) = desk();
    let window = client.show_toplevel("Window", "app", (300, 200));
    let id = compositor.scene().toplevel("app").unwrap().id;
    client.take(&window.toplevel);
    let tiled = ToplevelConfigure {
        size: (400, 560),
        states: vec![WindowState::TiledLeft],
        bounds: None,
    };
    compositor.configure_toplevel(id, tiled);
    compositor.close_toplevel(id);
    client.roundtrip();
    let events = client.take(&window.toplevel);
    let has = |wanted: &dyn Fn(&xdg_toplevel::Event) -> bool| events.iter().any(wanted);
    let tiled = 5_u32.to_ne_bytes().to_vec();
    assert!(has(
        &|event| matches!(event, xdg_toplevel::Event::Configure { width: 400, height: 560, states } if *states == tiled)
    ));
    assert!(has(&|event| matches!(event, xdg_toplevel::Event::Close)));
}

#[test]
fn decoration_is_the_clients_unless_the_compositor_grants_it() {
    let (compositor, mut client, _) = desk();
    let manager: ZxdgDecorationManagerV1 = client.bind(1);
    let (surface, xdg, toplevel) = client.toplevel("Window", "app");
    let decoration = manager.get_toplevel_decoration(&toplevel, &client.handle(), Plain);
    decoration.set_mode(Mode::ServerSide);
    surface.commit();
    client.roundtrip();
    let client_side = wayland_client::WEnum::Value(Mode::ClientSide);
    assert!(
        matches!(client.take(&decoration)[..], [zxdg_toplevel_decoration_v1::Event::Configure { mode }] if mode == client_side)
    );
    assert!(client.ack_xdg(&xdg));
    compositor.set_server_decorations(true);
    decoration.set_mode(Mode::ServerSide);
    client.roundtrip();
    let server_side = wayland_client::WEnum::Value(Mode::ServerSide);
    assert!(
        matches!(client.take(&decoration)[..], [zxdg_toplevel_decoration_v1::Event::Configure { mode }] if mode == server_side)
    );
    assert!(client.ack_xdg(&xdg), "a decoration comes with a configure");
    let canvas = client.canvas(300, 200, [0; 4]);
    client.attach(&surface, &canvas);
    surface.commit();
    client.roundtrip();
    let decoration = compositor
        .scene()
        .toplevel("app")
        .unwrap()
        .toplevel()
        .unwrap()
        .decoration;
    assert_eq!(decoration, Some(Decoration::Server));
    toplevel.destroy();
    assert_error(&compositor, &mut client, "zxdg_toplevel_decoration_v1", 2);
}

#[test]
fn a_client_that_is_alive_answers_a_ping() {
    let (compositor, mut client, _) = desk();
    let base: XdgWmBase = client.bind(5);
    client.roundtrip();
    let serial = compositor.ping();
    client.roundtrip();
    let [xdg_wm_base::Event::Ping { serial: asked }] = client.take(&base)[..] else {
        panic!("no ping")
    };
    base.pong(asked);
    client.roundtrip();
    assert_eq!(compositor.take_requests(), [Request::Pong(serial)]);
}
