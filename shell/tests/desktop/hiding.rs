//! Panels that hide themselves.

use std::time::Duration;

use ede_tests::compositor::{LEFT, Rect, Scene, SurfaceView};

use super::harness::{Desktop, minute, painted, wait_for};

const CLOCK: &str = r#""components": [{"id": "root", "component": "AppWidget", "app": "ede.clock", "screen": "clock", "size": "s"}]"#;

fn start(edge: &str) -> Desktop {
    Desktop::with_panel_at(
        &format!(r#"{{"edge": "{edge}", "autohide": true, "revealDelay": 50}}"#),
        CLOCK,
    )
}

/// What of the panel's surface takes the pointer, if it is one box.
fn input(panel: &SurfaceView) -> Option<Rect> {
    let mut rects = panel.input_region.as_ref()?.rects();
    rects.next().filter(|_| rects.next().is_none())
}

fn empty(panel: &SurfaceView) -> bool {
    panel.mapped && panel.picture().pixels().all(|p| p.0[3] == 0)
}

pub fn hidden(s: &Scene) -> Option<SurfaceView> {
    s.layer("ede-panel").filter(|p| empty(p)).cloned()
}

pub fn out(s: &Scene) -> Option<SurfaceView> {
    let whole = |p: &&SurfaceView| {
        let plate = p.picture();
        // Its middle is there: it is not on its way any more.
        let (x, y) = (plate.width() / 2, plate.height() / 2);
        painted(p) && plate.get_pixel(x, y).0[3] > 200
    };
    s.layer("ede-panel").filter(whole).cloned()
}

#[test]
fn a_hidden_panel_leaves_a_strip_at_its_edge_and_comes_for_a_pointer_that_rests_there() {
    for (edge, strip, at) in [
        ("top", Rect::new(0, 0, 1280, 2), (600.0, 1.0)),
        ("bottom", Rect::new(0, 86, 1280, 2), (600.0, 799.0)),
        ("left", Rect::new(0, 0, 2, 800), (1.0, 400.0)),
        ("right", Rect::new(86, 0, 2, 800), (1279.0, 400.0)),
    ] {
        let d = start(edge);
        let panel = d.compositor.wait_for("a hidden panel", hidden);
        assert_eq!(input(&panel), Some(strip), "{edge}");
        assert_eq!(panel.layer().unwrap().place.exclusive_zone, 0);
        d.compositor.pointer().motion_to(at.0, at.1);
        let shown = d.compositor.wait_for("the panel", |s| {
            out(s).filter(|p| input(p).is_some_and(|r| r.width.min(r.height) == 48))
        });
        assert_eq!(shown.id, panel.id);
        d.compositor.pointer().motion_to(640.0, 401.0);
        d.compositor.wait_for("the panel hidden again", |s| {
            hidden(s).filter(|p| input(p) == Some(strip))
        });
    }
}

#[test]
fn a_panel_stays_while_its_popup_is_open_or_the_keyboard_is_in_it() {
    let d = start("top");
    d.compositor.wait_for("a hidden panel", hidden);
    d.compositor.pointer().motion_to(60.0, 1.0);
    d.compositor.wait_for("the panel", out);
    d.press(LEFT, (60.0, 28.0));
    d.popup(None);
    d.compositor.pointer().motion_to(900.0, 700.0);
    std::thread::sleep(Duration::from_millis(900));
    assert!(out(&d.compositor.scene()).is_some());
    d.press(LEFT, (900.0, 700.0));
    d.no_popup();
    d.compositor.wait_for("the panel hidden again", hidden);
    d.ok(&["focus", "panel"]);
    let shown = d.compositor.wait_for("the panel", out);
    d.compositor.wait_for("the keyboard in it", |s| {
        (s.keyboard_focus == Some(shown.id)).then_some(())
    });
    std::thread::sleep(Duration::from_millis(900));
    assert!(out(&d.compositor.scene()).is_some());
    d.compositor.keyboard().tap("Escape");
    d.compositor.wait_for("the panel hidden again", hidden);
}

#[test]
fn a_finger_at_the_edge_brings_a_hidden_panel_and_presses_nothing_in_it() {
    let d = start("top");
    let panel = d.compositor.wait_for("a hidden panel", hidden);
    d.compositor.touch().down(1, panel.id, 60.0, 1.0).up(1);
    d.compositor.wait_for("the panel", out);
    // A press in the panel would have opened a popup by now.
    std::thread::sleep(Duration::from_millis(500));
    assert!(d.compositor.scene().popup().is_none());
}

#[test]
fn a_hidden_panel_wakes_nobody() {
    let d = start("top");
    d.compositor.wait_for("a hidden panel", hidden);
    d.compositor.pointer().motion_to(600.0, 1.0);
    d.compositor.wait_for("the panel", out);
    d.compositor.pointer().motion_to(600.0, 700.0);
    d.compositor.wait_for("the panel hidden again", hidden);
    wait_for("an idle shell", || {
        let (began, sleeps) = (minute(), d.sleeps());
        d.compositor.take_commits();
        std::thread::sleep(Duration::from_secs(3));
        let quiet = d.compositor.take_commits().is_empty() && d.sleeps() - sleeps <= 1;
        (quiet && minute() == began).then_some(())
    });
}
