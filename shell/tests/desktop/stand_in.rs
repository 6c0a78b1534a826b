//! The desktop in one window, where the compositor has no layer-shell.

use ede_tests::compositor::{
    Compositor, Globals, LEFT, OutputSpec, Scene, SurfaceView, ToplevelConfigure,
};
use ede_tests::picture;
use ede_tests::program::{Ede, Shell};

use super::fields;
use super::harness::{Desktop, painted, wait_for};
use super::messages::{bin, put_record, records};

struct OneWindow {
    shell: Shell,
    compositor: Compositor,
    window: SurfaceView,
    ede: Ede,
}

fn start() -> OneWindow {
    start_with(Ede::new())
}

fn start_with(ede: Ede) -> OneWindow {
    let compositor = Compositor::start(Globals::gnome());
    compositor.add_output(OutputSpec::new("DP-1", 1280, 800));
    let shell = ede.run_on(&compositor);
    let window = compositor.wait_for("the desktop's window", |s| {
        s.toplevels().next().filter(|w| painted(w)).cloned()
    });
    OneWindow {
        shell,
        compositor,
        window,
        ede,
    }
}

impl OneWindow {
    /// Press at this point of the window.
    fn press(&self, x: i32, y: i32) {
        let (left, top) = self.window.origin;
        let hand = self.compositor.pointer();
        hand.motion_to(f64::from(left + x), f64::from(top + y))
            .click(LEFT);
    }
}

#[test]
fn the_desktop_fills_its_window_at_every_size() {
    let d = start();
    for size in [(900, 640), (1600, 1000)] {
        let configure = ToplevelConfigure {
            size,
            ..ToplevelConfigure::default()
        };
        d.compositor.configure_toplevel(d.window.id, configure);
        d.compositor
            .wait_for("the panel up to the window's end", |s| {
                let w = s.surface(d.window.id).filter(|w| w.size == size)?;
                let picture = w.picture();
                // The panel's plate ends 8 px from the sides: near both it has one colour, and it is not the wallpaper's.
                let at = |x: i32, y: u32| picture.get_pixel(x as u32, y).0;
                let plate = |x: i32, y: u32| picture::near(at(x, y), at(size.0 / 3, 14), 6);
                (plate(30, 14) && plate(size.0 - 30, 14) && !plate(2, 60)).then_some(())
            });
    }
}

#[test]
fn a_panel_items_popup_opens_beside_it_and_takes_keys() {
    let d = start();
    d.press(640, 28);
    let popup = d.compositor.wait_for("the clock's popup", |s| {
        s.popup().filter(|p| painted(p)).cloned()
    });
    let below = popup.origin.1 - d.window.origin.1;
    assert!(
        (0..60).contains(&below),
        "it opens {below} px below the window's top"
    );
    d.compositor.keyboard().tap("Escape");
    d.compositor.wait_for("no popup after Escape", |s| {
        s.popup().is_none().then_some(())
    });
}

#[test]
fn a_message_is_shown_over_the_desktop_and_its_button_takes_back_what_it_tells_of() {
    let compositor = Compositor::start(Globals::gnome());
    compositor.add_output(OutputSpec::new("DP-1", 1280, 800));
    let ede = bin(r#"[{"records.delete": {"id": "params.record"}}]"#);
    let d = Desktop {
        shell: ede.run_on(&compositor),
        compositor,
        ede,
    };
    put_record(&d);
    let widget = (200, 160);
    let window = d.compositor.wait_for("the record in the widget", |s| {
        let w = s.toplevels().next()?;
        let name = picture::crop(&w.picture(), 100, 80, 200, 160);
        (picture::colours(&name) > 20).then(|| w.clone())
    });
    let press = |(x, y): (i32, i32)| {
        let (left, top) = window.origin;
        d.press(LEFT, (f64::from(left + x), f64::from(top + y)));
    };
    // The corner that the message stands in, and its button's middle.
    let corner = |s: &Scene| {
        let w = s.surface(window.id)?;
        let (x, y) = (w.size.0 as u32 - 232, w.size.1 as u32 - 112);
        Some(picture::crop(&w.picture(), x, y, 220, 100))
    };
    let button = (window.size.0 - 68, window.size.1 - 60);
    let bare = d.compositor.wait_for("the window", corner);
    assert_eq!(records(&d), 1);
    press(widget);
    d.compositor.wait_for("the message", |s| {
        corner(s).filter(|now| *now != bare && picture::colours(now) > 20)
    });
    wait_for("the record gone", || (records(&d) == 0).then_some(()));
    press(button);
    wait_for("the record back", || (records(&d) == 1).then_some(()));
    d.compositor
        .wait_for("the message gone", |s| corner(s).filter(|now| *now == bare));
}

#[test]
fn closing_the_window_ends_the_shell() {
    let mut d = start();
    d.compositor.close_toplevel(d.window.id);
    let (status, said) = d.shell.wait();
    assert_eq!((status.code(), said.as_str()), (Some(0), ""));
}

#[test]
fn a_field_on_it_is_typed_into_by_mouse_and_finger_and_the_end_keeps_it() {
    for by_finger in [false, true] {
        let d = start_with(fields::app(&[]));
        // The desktop's one widget stands below the panel.
        let (x, y) = (160, 162);
        if by_finger {
            let touch = d.compositor.touch();
            touch.down(1, d.window.id, f64::from(x), f64::from(y)).up(1);
        } else {
            d.press(x, y);
        }
        d.compositor
            .keyboard()
            .focus(Some(d.window.id))
            .text("draft");
        d.compositor.wait_for("the letters in the field", |s| {
            let (told, ..) = s.text_input.as_ref()?.surrounding.as_ref()?;
            (told == "draft").then_some(())
        });
        d.compositor.close_toplevel(d.window.id);
        wait_for("the record", || {
            fields::kept(&d.ede).contains("draft").then_some(())
        });
    }
}
