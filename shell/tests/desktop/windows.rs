//! The windows of other programs in the panel, and our own in front.

use ede_tests::compositor::{LEFT, Request, Scene, SurfaceId, Window, WindowId, WindowRequest};
use ede_tests::picture;
use ede_tests::program::Ede;

use super::harness::{CLOCK, Desktop, one, painted, part};

/// The item for the windows that do not fit, at the end of the room the default panel has for them; down a side it is at this height.
const MORE: (f64, f64) = (508.0, 28.0);
const MORE_DOWN: f64 = 297.0;

/// The name on the desktop's widget of the tasks.
const TASKS: (f64, f64) = (1040.0, 630.0);

fn forty(d: &Desktop) -> Vec<WindowId> {
    (0..40)
        .map(|n| {
            d.compositor.open_window(Window::new(
                &format!("A window with a long title {n}"),
                "app",
            ))
        })
        .collect()
}

#[test]
fn forty_windows_leave_the_clock_and_the_far_end_of_the_panel_where_they_are() {
    let (d, _) = Desktop::start(&[one()]);
    d.settle(1);
    // Again if the clock's minute ended in between, which it does not time after time.
    let bare = part(&d.panel(), 120, 400);
    for tries in 1.. {
        let before = d.compositor.wait_for("a panel without windows", |s| {
            let panel = s.layer("ede-panel").filter(|p| painted(p))?;
            (part(panel, 120, 400) == bare).then(|| panel.clone())
        });
        let windows = forty(&d);
        let after = d.compositor.wait_for("the windows in the panel", |s| {
            s.layer("ede-panel")
                .filter(|p| part(p, 120, 400) != part(&before, 120, 400))
                .cloned()
        });
        if part(&before, 560, 160) == part(&after, 560, 160) {
            break;
        }
        assert!(tries < 3, "the clock moved");
        windows
            .into_iter()
            .for_each(|w| d.compositor.close_window(w));
    }
    d.press(LEFT, CLOCK);
    d.popup(None);
}

#[test]
fn titles_are_text_whatever_they_hold_and_never_change_the_panels_height() {
    let (mut d, _) = Desktop::start(&[one()]);
    d.settle(1);
    let empty = d.panel();
    let titles = [
        "<b>bold</b> & <i",
        "😀 👩‍👩‍👧 party",
        "שלום עולם",
        "a\u{1b}[31m\u{7}\nb\u{202e}c",
        "%s %n $(reboot)",
        "",
    ];
    for title in titles {
        let window = d.compositor.open_window(Window::new(title, "app"));
        let panel = d.compositor.wait_for("the title in the panel", |s| {
            s.layer("ede-panel")
                .filter(|p| part(p, 120, 400) != part(&empty, 120, 400))
                .cloned()
        });
        assert_eq!(panel.buffer_size, empty.buffer_size, "{title:?}");
        d.compositor.close_window(window);
        d.compositor.wait_for("the title gone", |s| {
            s.layer("ede-panel")
                .filter(|p| part(p, 120, 400) == part(&empty, 120, 400))
                .map(|_| ())
        });
    }
    // Longer than its item, and than anything.
    let long = "x".repeat(4000);
    let window = d.compositor.open_window(Window::new("first", "app"));
    d.compositor.change_window(window, |w| w.title = long);
    d.compositor.wait_for("a long title", |s| {
        s.layer("ede-panel")
            .filter(|p| part(p, 120, 400) != part(&empty, 120, 400))
            .map(|_| ())
    });
    assert!(d.shell.runs());
}

#[test]
fn windows_that_do_not_fit_are_in_a_list_that_opens_from_the_panel() {
    let (d, _) = Desktop::start(&[one()]);
    d.settle(1);
    let empty = d.panel();
    let windows = forty(&d);
    let more = |s: &Scene| {
        s.layer("ede-panel")
            .filter(|p| part(p, 516, 40) != part(&empty, 516, 40))
            .map(|_| ())
    };
    d.compositor.wait_for("the item for the rest", more);
    d.press(LEFT, MORE);
    let popup = d.popup(None);
    d.compositor.wait_for("the list", |s| {
        s.surface(popup).filter(|p| painted(p)).map(|_| ())
    });
    d.compositor.take_requests();
    let place = d
        .compositor
        .scene()
        .surface(popup)
        .unwrap()
        .popup()
        .unwrap()
        .place;
    d.press(
        LEFT,
        (f64::from(place.x) + 100.0, f64::from(place.y) + 20.0 + 32.0),
    );
    d.no_popup();
    let asked = d.compositor.wait_for("a window asked for", |s| {
        s.requests.iter().find_map(|r| match r {
            Request::Window(id, WindowRequest::Activate) => Some(*id),
            _ => None,
        })
    });
    let number = windows.iter().position(|w| *w == asked).unwrap();
    assert!(
        (3..8).contains(&number),
        "the second of those that did not fit, not window {number}"
    );
    // A second press on the item closes the list.
    d.press(LEFT, MORE);
    d.popup(None);
    d.press(LEFT, MORE);
    d.no_popup();
    // The list is empty once everything fits.
    d.press(LEFT, MORE);
    d.popup(None);
    for window in windows {
        d.compositor.close_window(window);
    }
    d.no_popup();
    d.compositor.wait_for("the item gone", |s| {
        s.layer("ede-panel")
            .filter(|p| part(p, 120, 420) == part(&empty, 120, 420))
            .map(|_| ())
    });
}

#[test]
fn a_panel_down_a_side_folds_its_windows_and_opens_its_popups_beside_it() {
    for (edge, x, inward) in [("left", 28.0, 1), ("right", 1252.0, -1)] {
        let ede = Ede::new();
        let bundled = include_str!("../../../assets/ui/panel-top.ede-ui.json");
        ede.write_document(
            "panel-top",
            &bundled.replace(r#""edge": "top""#, &format!(r#""edge": "{edge}""#)),
        );
        let (d, _) = Desktop::start_with(&[one()], ede);
        d.settle(1);
        let before = d.panel();
        assert_eq!(before.size, (88, 800));
        forty(&d);
        d.compositor.wait_for("the windows in the panel", |s| {
            s.layer("ede-panel")
                .filter(|p| {
                    picture::crop(&p.picture(), 0, 200, 88, 140)
                        != picture::crop(&before.picture(), 0, 200, 88, 140)
                })
                .map(|_| ())
        });
        let mut last = None;
        for y in [400.0, MORE_DOWN] {
            d.press(LEFT, (x, y));
            let popup = d.popup(last);
            let place = d
                .compositor
                .scene()
                .surface(popup)
                .unwrap()
                .popup()
                .unwrap()
                .place;
            // The place is told from the panel's surface.
            let left = place.x + before.origin.0;
            let beside = if inward > 0 {
                left
            } else {
                1280 - left - place.width
            };
            assert_eq!(beside, 56, "{edge}: {place:?}");
            assert!(place.y >= 0 && place.y + place.height <= 800);
            last = Some(popup);
        }
    }
}

#[test]
fn a_window_that_is_open_comes_to_the_front_for_whoever_asks_for_it() {
    let ede = Ede::new();
    ede.write_document("letters", r#"{"formatVersion": 1, "id": "letters", "kind": "window", "place": {"size": [400, 300]}, "title": "Letters", "components": [{"id": "root", "component": "Text", "text": "Dear all"}]}"#);
    let (d, _) = Desktop::start_with(&[one()], ede);
    d.settle(1);
    let raised = |what: &str, window: SurfaceId| {
        d.compositor.wait_for(what, |s| {
            let raised = |r: &Request| matches!(r, Request::Activate { surface, known: true, .. } if *surface == window);
            s.requests.iter().any(raised).then_some(())
        });
        d.compositor.take_requests();
    };
    let with_token = |name: &str| {
        let token = d.compositor.activation_token();
        let mut open = d.ede.command(&["open", name]);
        assert!(
            open.env("XDG_ACTIVATION_TOKEN", token)
                .status()
                .unwrap()
                .success()
        );
    };
    let windows = |number: usize| {
        d.compositor.wait_for("another window", |s| {
            let all: Vec<SurfaceId> = s.toplevels().map(|w| w.id).collect();
            (all.len() == number).then_some(all)
        })
    };
    for (n, name) in ["letters", "ede.tasks"].into_iter().enumerate() {
        with_token(name);
        let window = windows(n + 1)[n];
        raised("the new window in front", window);
        with_token(name);
        raised("the same window in front", window);
    }
    // A press on the desktop's widget of an app whose window is behind another.
    d.ok(&["open", "ede.notes"]);
    let all = windows(3);
    for window in &all {
        d.compositor.place_toplevel(*window, 0, 60);
    }
    d.press(LEFT, TASKS);
    raised("the app's window in front", all[1]);
}
