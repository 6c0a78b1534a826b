//! The windows of others on the panel.

use ede_tests::compositor::{Globals, Window};
use ede_tests::picture::{self, Picture};

use crate::{Desk, desk};

/// The middle of the panel, where the clock is.
fn clock(desk: &Desk) -> Picture {
    picture::crop(&desk.compositor.screenshot(desk.output), 540, 0, 200, 56)
}

#[test]
fn forty_windows_never_push_the_clock_off_the_panel() {
    let desk = desk(Globals::all(), 1.0);
    desk.shown();
    let panel = desk.panel(desk.output);
    for number in 0..40 {
        desk.compositor.open_window(Window::new(
            &format!("A window with a long title, number {number}"),
            "mail",
        ));
    }
    desk.compositor
        .wait_for("a panel with windows on it", |scene| {
            let now = scene.surface(panel.id)?;
            (now.picture() != panel.picture()).then_some(())
        });
    let filled = desk.compositor.scene().surface(panel.id).unwrap().clone();
    assert_eq!(filled.size, panel.size, "the panel is no taller for it");
    assert!(
        picture::colours(&clock(&desk)) > 20,
        "the clock is still there"
    );
}

#[test]
fn a_title_is_text_whatever_it_looks_like() {
    let mut desk = desk(Globals::all(), 1.0);
    let panel = desk.panel(desk.output);
    let titles = [
        "<b>bold</b> & <i",
        "$(touch /tmp/x) `id`",
        "שלום עולם",
        "👩‍👩‍👧‍👦 family",
        "\u{202e}evil",
        "a\nb\tc",
        "",
    ];
    for title in titles {
        let window = desk.compositor.open_window(Window::new(title, title));
        desk.compositor.change_window(window, |window| {
            window.title = title.repeat(300).chars().take(1000).collect()
        });
        desk.compositor.close_window(window);
    }
    let last = desk
        .compositor
        .open_window(Window::new("The last one", "last"));
    let commits = desk.compositor.scene().surface(panel.id).unwrap().commits;
    desk.compositor
        .change_window(last, |window| window.activated = true);
    desk.compositor.wait_for("a repainted panel", |scene| {
        (scene.surface(panel.id)?.commits > commits).then_some(())
    });
    assert!(desk.shell.runs());
}
