//! Buffers, damage, scale and viewports.

use ede_tests::client::{Canvas, Client, Plain};
use ede_tests::compositor::{FaultKind, Rect, Release};
use wayland_client::protocol::wl_surface::WlSurface;
use wayland_protocols::wp::viewporter::client::wp_viewporter::WpViewporter;

use crate::{assert_error, assert_fault, desk};

const RED: [u8; 4] = [0, 0, 255, 255];

/// Commit a canvas with this damage in buffer pixels.
fn commit(client: &mut Client, surface: &WlSurface, canvas: &Canvas, damage: [i32; 4]) {
    surface.attach(Some(&canvas.buffer), 0, 0);
    surface.damage_buffer(damage[0], damage[1], damage[2], damage[3]);
    surface.commit();
    client.try_roundtrip();
}

#[test]
fn the_pixels_of_a_commit_are_those_the_client_drew() {
    let (compositor, mut client, _) = desk();
    compositor.record_pixels(true);
    let panel = client.show_layer("panel", (0, 40));
    panel.canvas.fill(3, 5, 2, 1, [10, 20, 30, 255]);
    commit(&mut client, &panel.surface, &panel.canvas, [3, 5, 2, 1]);
    let view = compositor.scene().layer("panel").cloned().unwrap();
    let pixels = view.pixels.clone().unwrap();
    assert_eq!(pixels.bgra(4, 5), Some([10, 20, 30, 255]));
    assert_eq!(pixels.bgra(5, 5), Some([0, 255, 0, 255]));
    assert_eq!(view.picture().get_pixel(4, 5).0, [30, 20, 10, 255]);
    let commits = compositor.take_commits();
    let last = commits.last().unwrap();
    assert_eq!(
        (last.buffer, last.size, last.scale),
        (Some((800, 40)), (800, 40), 1.0)
    );
    assert_eq!(last.damage, [Rect::new(3, 5, 2, 1)]);
    assert_eq!(last.pixels.as_deref(), Some(&*pixels));
}

#[test]
fn a_changed_pixel_outside_of_the_damage_is_a_fault() {
    let (compositor, mut client, _) = desk();
    let panel = client.show_layer("panel", (0, 40));
    panel.canvas.fill(100, 10, 4, 4, RED);
    commit(&mut client, &panel.surface, &panel.canvas, [100, 10, 4, 3]);
    assert_fault(&compositor, &mut client, FaultKind::UndamagedChange);
}

#[test]
fn damage_beyond_the_buffer_is_a_fault_unless_it_means_everything() {
    let (compositor, mut client, _) = desk();
    let panel = client.show_layer("panel", (0, 40));
    commit(
        &mut client,
        &panel.surface,
        &panel.canvas,
        [0, 0, i32::MAX, i32::MAX],
    );
    assert_eq!(compositor.take_faults(), []);
    commit(&mut client, &panel.surface, &panel.canvas, [790, 0, 20, 4]);
    assert_fault(&compositor, &mut client, FaultKind::DamageOutside);
}

#[test]
fn a_buffer_comes_back_when_the_next_one_took_its_place_and_not_before() {
    let (compositor, mut client, _) = desk();
    compositor.set_release(Release::WhenReplaced);
    let panel = client.show_layer("panel", (0, 40));
    assert!(client.take(&panel.canvas.buffer).is_empty());
    let second = client.canvas(800, 40, [0, 255, 0, 255]);
    commit(&mut client, &panel.surface, &second, [0, 0, 1, 1]);
    assert_eq!(client.take(&panel.canvas.buffer).len(), 1);
    commit(&mut client, &panel.surface, &second, [0, 0, 1, 1]);
    assert_fault(&compositor, &mut client, FaultKind::BufferInUse);
}

#[test]
fn a_buffer_that_is_no_multiple_of_its_scale_is_an_error() {
    let (compositor, mut client, _) = desk();
    let window = client.show_toplevel("Window", "app", (100, 50));
    window.surface.set_buffer_scale(3);
    commit(&mut client, &window.surface, &window.canvas, [0, 0, 1, 1]);
    assert_error(&compositor, &mut client, "wl_surface", 2);
}

#[test]
fn a_viewport_sets_the_size_and_its_source_must_lie_in_the_buffer() {
    let (compositor, mut client, _) = desk();
    let window = client.show_toplevel("Window", "app", (150, 75));
    let viewporter: WpViewporter = client.bind(1);
    let viewport = viewporter.get_viewport(&window.surface, &client.handle(), Plain);
    viewport.set_destination(100, 50);
    commit(&mut client, &window.surface, &window.canvas, [0, 0, 1, 1]);
    let view = compositor.scene().toplevel("app").cloned().unwrap();
    assert_eq!(
        (view.size, view.buffer_size, view.scale),
        ((100, 50), (150, 75), 1.5)
    );
    viewport.set_source(100.0, 0.0, 51.0, 10.0);
    commit(&mut client, &window.surface, &window.canvas, [0, 0, 1, 1]);
    assert_error(&compositor, &mut client, "wp_viewport", 2);
}

#[test]
fn a_second_viewport_for_a_surface_is_an_error() {
    let (compositor, mut client, _) = desk();
    let surface = client.surface();
    let viewporter: WpViewporter = client.bind(1);
    viewporter.get_viewport(&surface, &client.handle(), Plain);
    viewporter.get_viewport(&surface, &client.handle(), Plain);
    assert_error(&compositor, &mut client, "wp_viewporter", 0);
}

#[test]
fn a_surface_may_not_go_before_its_role() {
    let (compositor, mut client, _) = desk();
    let panel = client.show_layer("panel", (0, 40));
    panel.surface.destroy();
    assert!(!client.try_roundtrip());
    let kinds: Vec<_> = compositor
        .take_faults()
        .into_iter()
        .map(|fault| fault.kind)
        .collect();
    assert_eq!(
        kinds,
        [FaultKind::Protocol {
            interface: "wl_surface",
            code: 4
        }]
    );
}

#[test]
fn a_synchronized_subsurface_waits_for_its_parent() {
    use wayland_client::protocol::wl_subcompositor::WlSubcompositor;
    let (compositor, mut client, _) = desk();
    let window = client.show_toplevel("Window", "app", (100, 50));
    let child = client.surface();
    let subcompositor: WlSubcompositor = client.bind(1);
    let subsurface = subcompositor.get_subsurface(&child, &window.surface, &client.handle(), Plain);
    subsurface.set_position(10, 20);
    let canvas = client.canvas(8, 8, RED);
    commit(&mut client, &child, &canvas, [0, 0, 8, 8]);
    assert_eq!(compositor.scene().stack.len(), 1);
    window.surface.commit();
    client.roundtrip();
    let scene = compositor.scene();
    assert_eq!(scene.stack.len(), 2);
    let (parent, child_view) = (
        scene.surface(scene.stack[0]).unwrap(),
        scene.surface(scene.stack[1]).unwrap(),
    );
    assert_eq!(
        child_view.origin,
        (parent.origin.0 + 10, parent.origin.1 + 20)
    );
    subsurface.set_desync();
    canvas.fill(0, 0, 8, 8, [255, 0, 0, 255]);
    commit(&mut client, &child, &canvas, [0, 0, 8, 8]);
    let after = compositor.scene().surface(child_view.id).cloned().unwrap();
    assert_eq!(after.picture().get_pixel(0, 0).0, [0, 0, 255, 255]);
}
