//! Popups of the panel's widgets.

use ede_tests::compositor::{Globals, LEFT};

use crate::desk;

#[test]
fn popups_of_one_widget_and_another_open_and_close_by_escape() {
    let desk = desk(Globals::all(), 1.0);
    desk.shown();
    // The clock in the middle and the tasks at the end.
    let (clock, tasks) = ((640.0, 28.0), (1120.0, 28.0));
    for (x, y) in [clock, tasks, clock] {
        desk.compositor.pointer().motion_to(x, y).click(LEFT);
        let popup = desk
            .compositor
            .wait_for("the popup", |scene| scene.popup().cloned());
        assert!(
            popup.is_sharp() && ede_tests::picture::colours(&popup.picture()) > 20,
            "drawn"
        );
        desk.compositor.keyboard().tap("Escape");
        desk.compositor
            .wait_for("no popup", |scene| scene.popup().is_none().then_some(()));
    }
}

#[test]
fn a_press_on_the_desktop_closes_the_popup() {
    let desk = desk(Globals::all(), 1.0);
    desk.shown();
    desk.compositor.pointer().motion_to(640.0, 28.0).click(LEFT);
    desk.compositor
        .wait_for("the popup", |scene| scene.popup().cloned());
    desk.compositor
        .pointer()
        .motion_to(200.0, 700.0)
        .click(LEFT);
    desk.compositor
        .wait_for("no popup", |scene| scene.popup().is_none().then_some(()));
}
