//! Popups and the keyboard.

use ede_tests::compositor::{Interactivity, LEFT, OutputSpec, RIGHT};
use ede_tests::picture;
use ede_tests::program::Ede;

use super::harness::{CLOCK, Desktop, SYSTEM, one, painted, panel};

#[test]
fn popups_follow_each_other_and_toggle() {
    let (d, _) = Desktop::start(&[one()]);
    d.settle(1);
    d.press(LEFT, CLOCK);
    let clock = d.popup(None);
    d.press(LEFT, SYSTEM);
    let system = d.popup(Some(clock));
    d.press(LEFT, CLOCK);
    let again = d.popup(Some(system));
    d.compositor.wait_for("one popup only", |s| {
        (s.popups().count() == 1).then_some(())
    });
    assert_ne!(again, clock);
    d.press(LEFT, CLOCK);
    d.no_popup();
    d.press(RIGHT, SYSTEM);
    d.popup(None);
    d.press(LEFT, (300.0, 600.0));
}

#[test]
fn a_popup_is_as_tall_as_the_widget_in_it() {
    let (d, _) = Desktop::start(&[one()]);
    d.settle(1);
    for (item, least) in [(CLOCK, 280), (SYSTEM, 120)] {
        d.press(LEFT, item);
        let popup = d.popup(None);
        let shown = d.compositor.wait_for("the widget", |s| {
            s.surface(popup).filter(|p| painted(p)).cloned()
        });
        let height = shown.popup().unwrap().place.height;
        assert!(height >= least, "{height}");
        // Down to its end there is something to see.
        let (w, h) = shown.picture().dimensions();
        let low = picture::crop(&shown.picture(), w / 4, h / 2, w / 2, h / 5);
        assert!(picture::colours(&low) > 10);
        d.press(LEFT, item);
        d.no_popup();
    }
}

#[test]
fn a_popup_that_the_compositor_ends_can_be_opened_again() {
    let (d, _) = Desktop::start(&[one()]);
    d.settle(1);
    for _ in 0..3 {
        d.press(LEFT, CLOCK);
        let popup = d.popup(None);
        d.compositor.dismiss_popup(popup);
        d.no_popup();
    }
}

#[test]
fn panels_and_widgets_leave_the_keyboard_to_windows() {
    let (d, _) = Desktop::start(&[one()]);
    d.settle(1);
    let scene = d.compositor.scene();
    assert_eq!(scene.keyboard_focus, None);
    assert!(
        scene
            .layers()
            .all(|l| l.layer().unwrap().place.interactivity == Interactivity::None)
    );
    d.ok(&["open", "ede.system"]);
    let window = d.window();
    d.compositor.wait_for("the window has the keyboard", |s| {
        (s.keyboard_focus == Some(window.id)).then_some(())
    });
    d.press(LEFT, CLOCK);
    d.popup(None);
    d.press(LEFT, CLOCK);
    d.no_popup();
    // The panel had the keys while its popup was open.
    d.compositor
        .wait_for("the window has the keyboard again", |scene| {
            let none = scene
                .layers()
                .all(|l| l.layer().unwrap().place.interactivity == Interactivity::None);
            (none && scene.keyboard_focus.is_none_or(|f| f == window.id)).then_some(())
        });
}

#[test]
fn a_popup_is_no_taller_than_its_screen_has_room() {
    let ede = Ede::new();
    let clock = r#""components": [{"id": "root", "component": "Box", "children": ["clock"]}, {"id": "clock", "component": "AppWidget", "app": "ede.clock", "screen": "clock", "size": "s"}]"#;
    ede.write_document("panel-top", &panel(r#"{"edge": "top"}"#, clock));
    let (d, _) = Desktop::start_with(&[OutputSpec::new("DP-1", 800, 300)], ede);
    d.panel();
    d.press(LEFT, (60.0, 28.0));
    let popup = d.popup(None);
    let shown = d.compositor.wait_for("the calendar", |s| {
        s.surface(popup).filter(|p| painted(p)).cloned()
    });
    // The panel takes 48 px, the gaps beside the popup 8 each; a month needs more than that.
    assert_eq!(shown.popup().unwrap().place.height, 300 - 48 - 16);
}

#[test]
fn keys_walk_through_the_launchers_list_and_open_an_app() {
    let (d, _) = Desktop::start(&[one()]);
    d.settle(1);
    d.press(LEFT, (28.0, 28.0));
    let list = d.popup(None);
    d.compositor.wait_for("the list and its keys", |s| {
        s.surface(list).filter(|p| painted(p))?;
        s.keyboard_focus
    });
    d.compositor.keyboard().tap("Tab").tap("Return");
    let window = d.window();
    // The first has the focus when the list opens.
    assert_eq!(window.app_id(), Some("ede.hours"));
    d.no_popup();
}
