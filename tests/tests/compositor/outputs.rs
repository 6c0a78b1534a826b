//! Monitors: what is announced, scale, hotplug, power.

use ede_tests::client::{Client, Plain};
use ede_tests::compositor::{Compositor, Globals, OutputSpec, Transform};
use wayland_client::protocol::wl_callback;
use wayland_client::protocol::wl_output::{self, WlOutput};
use wayland_client::protocol::wl_surface;
use wayland_protocols::wp::fractional_scale::v1::client::wp_fractional_scale_manager_v1::WpFractionalScaleManagerV1;
use wayland_protocols::wp::fractional_scale::v1::client::wp_fractional_scale_v1;
use wayland_protocols::xdg::xdg_output::zv1::client::zxdg_output_manager_v1::ZxdgOutputManagerV1;
use wayland_protocols::xdg::xdg_output::zv1::client::zxdg_output_v1;
use wayland_protocols_wlr::layer_shell::v1::client::zwlr_layer_surface_v1;

use crate::desk;

#[test]
fn an_output_says_its_mode_scale_name_and_logical_size() {
    let compositor = Compositor::start(Globals::all());
    compositor.add_output(
        OutputSpec::new("eDP-1", 2880, 1800)
            .scaled(1.5)
            .turned(Transform::_90)
            .at(100, 0),
    );
    let mut client = Client::connect(compositor.socket());
    let output: WlOutput = client.bind(4);
    let manager: ZxdgOutputManagerV1 = client.bind(3);
    let logical = manager.get_xdg_output(&output, &client.handle(), Plain);
    client.roundtrip();
    let events = client.take(&output);
    let has = |wanted: &dyn Fn(&wl_output::Event) -> bool| events.iter().any(wanted);
    assert!(has(&|event| matches!(
        event,
        wl_output::Event::Mode {
            width: 2880,
            height: 1800,
            refresh: 60_000,
            ..
        }
    )));
    assert!(has(&|event| matches!(
        event,
        wl_output::Event::Scale { factor: 2 }
    )));
    assert!(has(
        &|event| matches!(event, wl_output::Event::Name { name } if name == "eDP-1")
    ));
    assert!(matches!(events.last(), Some(wl_output::Event::Done)));
    let logical = client.take(&logical);
    let has = |wanted: &dyn Fn(&zxdg_output_v1::Event) -> bool| logical.iter().any(wanted);
    assert!(has(&|event| matches!(
        event,
        zxdg_output_v1::Event::LogicalPosition { x: 100, y: 0 }
    )));
    assert!(has(&|event| matches!(
        event,
        zxdg_output_v1::Event::LogicalSize {
            width: 1200,
            height: 1920
        }
    )));
}

#[test]
fn a_panel_hears_the_fractional_scale_before_its_first_frame_and_every_change() {
    let (compositor, mut client, output) = desk();
    compositor.set_scale(output, 1.5);
    let (surface, _layer) = client.layer("panel");
    let manager: WpFractionalScaleManagerV1 = client.bind(1);
    let fractional = manager.get_fractional_scale(&surface, &client.handle(), Plain);
    client.roundtrip();
    assert!(matches!(
        client.take(&fractional)[..],
        [wp_fractional_scale_v1::Event::PreferredScale { scale: 180 }]
    ));
    let panel = client.show_layer("other", (0, 40));
    compositor.set_scale(output, 2.0);
    client.roundtrip();
    let events = client.take(&panel.surface);
    assert!(matches!(
        events.last(),
        Some(wl_surface::Event::PreferredBufferTransform { .. })
    ));
    assert!(
        events
            .iter()
            .any(|event| matches!(event, wl_surface::Event::PreferredBufferScale { factor: 2 }))
    );
    let view = compositor.scene().layer("other").cloned().unwrap();
    assert_eq!(
        (view.preferred_scale, view.scale, view.is_sharp()),
        (2.0, 1.0, false)
    );
}

#[test]
fn an_unplugged_output_closes_its_panels_and_windows_move() {
    let (compositor, mut client, first) = desk();
    let panel = client.show_layer("panel", (0, 40));
    client.show_toplevel("Window", "app", (300, 200));
    let second = compositor.add_output(OutputSpec::new("DP-2", 800, 600).at(800, 0));
    client.roundtrip();
    assert_eq!(client.globals::<WlOutput>().len(), 2);
    compositor.remove_output(first);
    client.roundtrip();
    assert_eq!(client.globals::<WlOutput>().len(), 1);
    let closed = |event: &zwlr_layer_surface_v1::Event| {
        matches!(event, zwlr_layer_surface_v1::Event::Closed)
    };
    assert!(client.take(&panel.layer).iter().any(closed));
    assert_eq!(
        compositor.scene().toplevel("app").unwrap().outputs,
        [second]
    );
}

#[test]
fn a_storm_of_hotplug_leaves_the_last_output() {
    let (compositor, mut client, first) = desk();
    let mut last = first;
    for number in 0..50 {
        let next = compositor.add_output(OutputSpec::new(&format!("DP-{number}"), 800, 600));
        compositor.remove_output(last);
        last = next;
    }
    client.roundtrip();
    let globals = client.globals::<WlOutput>();
    let output: WlOutput = client.bind_name(globals[0].0, 4);
    client.roundtrip();
    assert_eq!(globals.len(), 1);
    assert!(
        client
            .take(&output)
            .iter()
            .any(|event| matches!(event, wl_output::Event::Name { name } if name == "DP-49"))
    );
}

#[test]
fn an_output_that_is_off_answers_no_frame_callback_until_it_is_on_again() {
    let (compositor, mut client, output) = desk();
    let panel = client.show_layer("panel", (0, 40));
    compositor.set_power(output, false);
    let callback = panel.surface.frame(&client.handle(), Plain);
    panel.surface.commit();
    client.roundtrip();
    assert_eq!(compositor.scene().layer("panel").unwrap().callbacks, 1);
    compositor.frame();
    client.roundtrip();
    assert!(client.take(&callback).is_empty());
    compositor.set_power(output, true);
    compositor.frame();
    client.roundtrip();
    assert!(matches!(
        client.take(&callback)[..],
        [wl_callback::Event::Done { .. }]
    ));
}

#[test]
fn a_screenshot_lays_the_surfaces_over_each_other() {
    let (compositor, mut client, output) = desk();
    compositor.set_scale(output, 2.0);
    client.show_layer("panel", (0, 40));
    let picture = compositor.screenshot(output);
    assert_eq!(picture.dimensions(), (800, 600));
    assert_eq!(picture.get_pixel(799, 79).0, [0, 255, 0, 255]);
    assert_eq!(picture.get_pixel(0, 80).0, [0, 0, 0, 255]);
}
