//! Fingers.

use super::harness::{CLOCK, Desktop, SYSTEM, one};

#[test]
fn two_fingers_on_a_panel_are_two_presses() {
    let (d, _) = Desktop::start(&[one()]);
    d.settle(1);
    let panel = d.panel().id;
    let hand = d.compositor.touch();
    hand.down(1, panel, SYSTEM.0, SYSTEM.1)
        .down(2, panel, CLOCK.0, CLOCK.1)
        .up(1);
    let system = d.popup(None);
    hand.up(2);
    d.popup(Some(system));
}

#[test]
fn a_finger_that_rests_on_a_widget_has_its_menu() {
    let (d, _) = Desktop::start(&[one()]);
    d.settle(1);
    let panel = d.panel().id;
    d.compositor.touch().down(1, panel, CLOCK.0, CLOCK.1);
    let menu = d.popup(None);
    d.compositor.touch().up(1);
    // Lifting it is no press: the menu stays, until a press beside it.
    d.ok(&["focus", "panel"]);
    assert!(d.compositor.scene().surface(menu).is_some());
    d.press(ede_tests::compositor::LEFT, (300.0, 600.0));
    d.no_popup();
}
