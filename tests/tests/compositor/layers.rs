//! Layer surfaces: places, handshake, keyboard.

use ede_tests::client::Client;
use ede_tests::compositor::{
    Compositor, FaultKind, Global, Globals, Interactivity, LayerKind, OutputSpec,
};
use wayland_protocols_wlr::layer_shell::v1::client::zwlr_layer_shell_v1::{
    Layer, ZwlrLayerShellV1,
};
use wayland_protocols_wlr::layer_shell::v1::client::zwlr_layer_surface_v1::{
    self, Anchor, KeyboardInteractivity,
};

use crate::{assert_error, assert_fault, desk};

#[test]
fn a_panel_is_as_wide_as_its_output_and_the_next_one_stands_below() {
    let (compositor, mut client, output) = desk();
    client.show_layer("first", (0, 40));
    client.show_layer("second", (0, 30));
    let scene = compositor.scene();
    let (first, second) = (
        scene.layer("first").unwrap(),
        scene.layer("second").unwrap(),
    );
    assert_eq!((first.size, first.origin), ((800, 40), (0, 0)));
    assert_eq!((second.size, second.origin), ((800, 30), (0, 40)));
    let layer = first.layer().unwrap();
    assert_eq!(
        (layer.output, layer.place.layer, layer.place.exclusive_zone),
        (Some(output), LayerKind::Top, 40)
    );
    assert_eq!(first.outputs, [output]);
}

#[test]
fn a_panel_is_configured_anew_when_its_output_changes() {
    let (compositor, mut client, output) = desk();
    let panel = client.show_layer("panel", (0, 40));
    compositor.change_output(output, |spec| spec.mode = (1000, 600));
    client.roundtrip();
    assert_eq!(client.ack_layer(&panel.layer), Some((1000, 40)));
}

#[test]
fn a_buffer_before_the_first_configure_is_an_error() {
    let (compositor, mut client, _) = desk();
    let (surface, layer) = client.layer("panel");
    layer.set_size(100, 40);
    let canvas = client.canvas(100, 40, [0; 4]);
    client.attach(&surface, &canvas);
    surface.commit();
    assert_error(&compositor, &mut client, "zwlr_layer_surface_v1", 0);
}

#[test]
fn a_width_of_zero_without_both_edges_is_an_error() {
    let (compositor, mut client, _) = desk();
    let (surface, layer) = client.layer("panel");
    layer.set_size(0, 40);
    layer.set_anchor(Anchor::Left);
    surface.commit();
    assert_error(&compositor, &mut client, "zwlr_layer_surface_v1", 1);
}

#[test]
fn an_ack_of_a_configure_that_never_was_is_an_error() {
    let (compositor, mut client, _) = desk();
    let panel = client.show_layer("panel", (0, 40));
    panel.layer.ack_configure(4711);
    assert_error(&compositor, &mut client, "zwlr_layer_surface_v1", 0);
}

#[test]
fn a_second_role_is_an_error() {
    let (compositor, mut client, _) = desk();
    let panel = client.show_layer("panel", (0, 40));
    panel.layer.destroy();
    let base: wayland_protocols::xdg::shell::client::xdg_wm_base::XdgWmBase = client.bind(5);
    let xdg = base.get_xdg_surface(&panel.surface, &client.handle(), ede_tests::client::Plain);
    xdg.get_toplevel(&client.handle(), ede_tests::client::Plain);
    assert_error(&compositor, &mut client, "xdg_surface", 2);
}

#[test]
fn a_surface_smaller_than_its_configure_is_a_fault() {
    let (compositor, mut client, _) = desk();
    let panel = client.show_layer("panel", (0, 40));
    let small = client.canvas(700, 40, [0; 4]);
    client.attach(&panel.surface, &small);
    panel.surface.commit();
    assert_fault(&compositor, &mut client, FaultKind::WrongSize);
}

#[test]
fn on_demand_keyboard_needs_version_four() {
    let compositor = Compositor::start(Globals::all().at(Global::LayerShell, 3));
    compositor.add_output(OutputSpec::new("DP-1", 800, 600));
    let mut client = Client::connect(compositor.socket());
    let (_, layer) = client.layer("panel");
    layer.set_keyboard_interactivity(KeyboardInteractivity::OnDemand);
    assert_error(&compositor, &mut client, "zwlr_layer_surface_v1", 3);
}

#[test]
fn the_keyboard_follows_what_the_layer_surface_wants() {
    let (compositor, mut client, _) = desk();
    client.show_toplevel("Window", "app", (100, 50));
    let window = compositor.scene().toplevel("app").unwrap().id;
    assert_eq!(compositor.scene().keyboard_focus, Some(window));
    let panel = client.show_layer("panel", (0, 40));
    let panel_id = compositor.scene().layer("panel").unwrap().id;
    compositor
        .pointer()
        .motion(panel_id, 5.0, 5.0)
        .click(ede_tests::compositor::LEFT);
    assert_eq!(
        compositor.scene().keyboard_focus,
        Some(window),
        "a panel without keyboard takes none"
    );
    panel
        .layer
        .set_keyboard_interactivity(KeyboardInteractivity::OnDemand);
    panel.surface.commit();
    client.roundtrip();
    compositor.pointer().click(ede_tests::compositor::LEFT);
    assert_eq!(compositor.scene().keyboard_focus, Some(panel_id));
    panel
        .layer
        .set_keyboard_interactivity(KeyboardInteractivity::None);
    panel.surface.commit();
    client.roundtrip();
    let scene = compositor.scene();
    assert_eq!(scene.keyboard_focus, Some(window), "given back");
    assert_eq!(
        scene
            .layer("panel")
            .unwrap()
            .layer()
            .unwrap()
            .place
            .interactivity,
        Interactivity::None
    );
    panel
        .layer
        .set_keyboard_interactivity(KeyboardInteractivity::Exclusive);
    panel.surface.commit();
    client.roundtrip();
    assert_eq!(compositor.scene().keyboard_focus, Some(panel_id));
}

#[test]
fn a_layer_surface_for_an_output_that_went_is_closed_at_once() {
    let (compositor, mut client, output) = desk();
    let dying: wayland_client::protocol::wl_output::WlOutput = client.bind(4);
    client.roundtrip();
    compositor.remove_output(output);
    let shell: ZwlrLayerShellV1 = client.bind(4);
    let surface = client.surface();
    let plain = ede_tests::client::Plain;
    let layer = shell.get_layer_surface(
        &surface,
        Some(&dying),
        Layer::Top,
        "late".into(),
        &client.handle(),
        plain,
    );
    client.roundtrip();
    assert!(matches!(
        client.take(&layer)[..],
        [zwlr_layer_surface_v1::Event::Closed]
    ));
}
