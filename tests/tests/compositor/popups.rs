//! Popups: places, grabs, order, dismissal.

use ede_tests::client::{Client, Plain, Window, positioner};
use ede_tests::compositor::{Compositor, FaultKind, LEFT, Rect, Request};
use wayland_client::protocol::wl_seat::WlSeat;
use wayland_protocols::xdg::shell::client::xdg_popup;

use crate::{assert_error, assert_fault, desk};

/// A window in the upper left corner, pressed: the serial of the press.
fn pressed() -> (Compositor, Client, Window, u32) {
    let (compositor, mut client, _) = desk();
    let seat: WlSeat = client.bind(5);
    let pointer = seat.get_pointer(&client.handle(), Plain);
    let window = client.show_toplevel("Window", "app", (300, 200));
    let id = compositor.scene().toplevel("app").unwrap().id;
    compositor.place_toplevel(id, 0, 0);
    compositor.pointer().motion(id, 20.0, 20.0).press(LEFT);
    client.roundtrip();
    let serial = crate::input::last_press(client.take(&pointer)).unwrap();
    (compositor, client, window, serial)
}

#[test]
fn a_popup_stands_below_its_button_and_flips_at_the_edge() {
    let (compositor, mut client, window, _) = pressed();
    let popup = client.show_popup(&window.xdg, None);
    let view = compositor.scene().popup().cloned().unwrap();
    assert_eq!(view.popup().unwrap().place, Rect::new(10, 30, 100, 50));
    popup.popup.destroy();
    let id = compositor.scene().toplevel("app").unwrap().id;
    compositor.place_toplevel(id, 750, 560);
    client.show_popup(&window.xdg, None);
    let view = compositor.scene().popup().cloned().unwrap();
    assert_eq!(
        view.popup().unwrap().place,
        Rect::new(-50, -40, 100, 50),
        "above the button, slid to the left"
    );
}

#[test]
fn a_popup_on_a_layer_surface_takes_it_as_its_parent() {
    let (compositor, mut client, _) = desk();
    let panel = client.show_layer("panel", (0, 40));
    let rules = positioner(&client, (100, 50));
    let (surface, xdg, popup) = client.popup(None, &rules);
    panel.layer.get_popup(&popup);
    surface.commit();
    client.roundtrip();
    assert!(client.ack_xdg(&xdg));
    let scene = compositor.scene();
    let parent = scene.layer("panel").unwrap().id;
    let view = scene
        .surfaces
        .iter()
        .find_map(|surface| surface.popup())
        .unwrap();
    assert_eq!(
        (view.parent, view.place),
        (Some(parent), Rect::new(10, 30, 100, 50))
    );
}

#[test]
fn a_popup_without_a_parent_is_an_error() {
    let (compositor, mut client, _) = desk();
    let rules = positioner(&client, (100, 50));
    let (surface, _, _) = client.popup(None, &rules);
    surface.commit();
    assert_error(&compositor, &mut client, "xdg_wm_base", 3);
}

#[test]
fn a_positioner_without_a_size_is_an_error() {
    let (compositor, mut client, window, _) = pressed();
    let base: wayland_protocols::xdg::shell::client::xdg_wm_base::XdgWmBase = client.bind(5);
    let empty = base.create_positioner(&client.handle(), Plain);
    client.popup(Some(&window.xdg), &empty);
    assert_error(&compositor, &mut client, "xdg_wm_base", 5);
}

#[test]
fn a_grabbing_popup_has_the_keyboard_and_gives_it_back() {
    let (compositor, mut client, window, serial) = pressed();
    let menu = client.show_popup(&window.xdg, Some(serial));
    let scene = compositor.scene();
    let (window_id, menu_id) = (scene.toplevel("app").unwrap().id, scene.popup().unwrap().id);
    assert_eq!(scene.keyboard_focus, Some(menu_id));
    assert!(scene.requests.contains(&Request::PopupGrab(menu_id)));
    let submenu = client.show_popup(&menu.xdg, Some(serial));
    let submenu_id = compositor.scene().popup().unwrap().id;
    assert_eq!(compositor.scene().keyboard_focus, Some(submenu_id));
    submenu.popup.destroy();
    client.roundtrip();
    assert_eq!(compositor.scene().keyboard_focus, Some(menu_id));
    menu.popup.destroy();
    client.roundtrip();
    assert_eq!(compositor.scene().keyboard_focus, Some(window_id));
}

#[test]
fn a_press_on_nothing_ends_the_grab_but_one_on_our_own_surface_does_not() {
    let (compositor, mut client, window, serial) = pressed();
    let menu = client.show_popup(&window.xdg, Some(serial));
    compositor.pointer().release(LEFT).click(LEFT);
    client.roundtrip();
    assert!(
        !client
            .take(&menu.popup)
            .iter()
            .any(|event| matches!(event, xdg_popup::Event::PopupDone))
    );
    compositor.pointer().leave().click(LEFT);
    client.roundtrip();
    assert!(matches!(
        client.take(&menu.popup)[..],
        [xdg_popup::Event::PopupDone]
    ));
    assert!(
        compositor
            .scene()
            .popup()
            .unwrap()
            .popup()
            .unwrap()
            .dismissed
    );
}

#[test]
fn a_grab_with_an_old_serial_is_dismissed_and_noted() {
    let (compositor, mut client, window, _) = pressed();
    let (_, _, popup) = client.popup(Some(&window.xdg), &positioner(&client, (100, 50)));
    popup.grab(&client.bind(5), 1);
    assert_fault(&compositor, &mut client, FaultKind::StaleSerial);
    assert!(matches!(
        client.take(&popup)[..],
        [xdg_popup::Event::PopupDone]
    ));
}

#[test]
fn a_grab_beside_the_topmost_popup_is_an_error() {
    let (compositor, mut client, window, serial) = pressed();
    client.show_popup(&window.xdg, Some(serial));
    let (_, _, popup) = client.popup(Some(&window.xdg), &positioner(&client, (100, 50)));
    popup.grab(&client.bind(5), serial);
    assert_error(&compositor, &mut client, "xdg_wm_base", 2);
}

#[test]
fn a_popup_may_not_go_before_the_one_that_stands_on_it() {
    let (compositor, mut client, window, _) = pressed();
    let menu = client.show_popup(&window.xdg, None);
    client.show_popup(&menu.xdg, None);
    menu.popup.destroy();
    assert_error(&compositor, &mut client, "xdg_wm_base", 2);
}

#[test]
fn repositioning_answers_with_the_token_and_a_new_place() {
    let (compositor, mut client, window, _) = pressed();
    let menu = client.show_popup(&window.xdg, None);
    client.take(&menu.popup);
    let rules = positioner(&client, (80, 40));
    rules.set_offset(7, 0);
    menu.popup.reposition(&rules, 42);
    client.roundtrip();
    let events = client.take(&menu.popup);
    assert!(matches!(
        events[..],
        [
            xdg_popup::Event::Repositioned { token: 42 },
            xdg_popup::Event::Configure {
                x: 17,
                y: 30,
                width: 80,
                height: 40
            }
        ]
    ));
    assert!(client.ack_xdg(&menu.xdg));
    let id = compositor.scene().popup().unwrap().id;
    compositor.dismiss_popup(id);
    client.roundtrip();
    assert!(matches!(
        client.take(&menu.popup)[..],
        [xdg_popup::Event::PopupDone]
    ));
}
