//! A desktop that is one window, where there is no layer-shell: what stands over it elsewhere is drawn in it.

use ede_tests::compositor::{Compositor, Global, Globals, LEFT, OutputSpec, Scene, SurfaceView};
use ede_tests::picture;
use ede_tests::program::{Ede, Shell};
use serde_json::json;

use super::cards::{ANSWER, ask, get, home};
use super::harness::{painted, wait_for};

struct OneWindow {
    _shell: Shell,
    compositor: Compositor,
    window: SurfaceView,
    ede: Ede,
}

fn one_window() -> OneWindow {
    let compositor = Compositor::start(Globals::all().without(Global::LayerShell));
    compositor.add_output(OutputSpec::new("DP-1", 1280, 800));
    let ede = home();
    let shell = ede.run_on(&compositor);
    let window = compositor.wait_for("the desktop's window", |s| {
        s.toplevels().next().filter(|w| painted(w)).cloned()
    });
    OneWindow {
        _shell: shell,
        compositor,
        window,
        ede,
    }
}

#[test]
fn the_one_window_shows_the_card_over_the_desktop_and_takes_its_answer() {
    let d = one_window();
    let (left, top) = d.window.origin;
    let (width, height) = d.window.size;
    let corner = |s: &Scene| {
        let picture = s.surface(d.window.id)?.picture();
        let (x, y) = (width as u32 - 32 - 336, height as u32 - 32 - 120);
        Some(picture::crop(&picture, x, y, 336, 120))
    };
    let before = d.compositor.wait_for("the corner", corner);
    let id = ask(&d.ede, "confirm", &json!({"title": "Move the clock?"}));
    d.compositor
        .wait_for("the card", |s| (corner(s)? != before).then_some(()));
    let at = |(x, y): (f64, f64)| {
        let right = f64::from(left + width - 32);
        let bottom = f64::from(top + height - 32);
        (right - x, bottom - y)
    };
    let record = wait_for("its end", || {
        let (x, y) = at(ANSWER);
        d.compositor.pointer().motion_to(x, y).click(LEFT);
        Some(get(&d.ede, &id)).filter(|said| said["state"] != "pending")
    });
    assert_eq!(record["answer"], json!({"approved": true}));
    d.compositor.wait_for("the desktop again", |s| {
        (corner(s)? == before).then_some(())
    });
}
