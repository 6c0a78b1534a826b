use crate::desk::*;
use ede::wayland::*;
use ede_tests::compositor::{Frames, Globals, OutputSpec, Release, Scene};

#[test]
fn a_partial_repaint_leaves_the_pixels_of_a_full_one() {
    for (release, scale) in [
        (Release::AtOnce, 1.0),
        (Release::WhenReplaced, 1.0),
        (Release::WhenReplaced, 1.5),
    ] {
        let probe = Probe::with_panels();
        let outputs = [OutputSpec::new("A-1", 800, 600).scaled(scale)];
        let mut desk = Desk::new(Globals::all(), &outputs, probe);
        desk.compositor.set_release(release);
        let shown = desk.panel_shown();
        let panel = desk.panel_id();
        desk.calm();
        desk.compositor.take_commits();
        for step in 1..12 {
            desk.with(|probe, platform| probe.step(platform, panel, step));
            let number = shown.commits + step;
            let view = desk.until("a frame", |scene| {
                scene
                    .surface(shown.id)
                    .filter(|view| view.commits == number)
                    .cloned()
            });
            let pixels = view.pixels.unwrap();
            let scale = Scale::from_120ths((scale * 120.0) as u32);
            assert!(
                *pixels == whole(step, scale, pixels.width, pixels.height),
                "{release:?}, {scale:?}, step {step}"
            );
        }
        let commits = desk.compositor.take_commits();
        let all = f64::from(shown.buffer_size.0 * shown.buffer_size.1);
        for commit in commits {
            let damaged: i32 = commit.damage.iter().map(|r| r.width * r.height).sum();
            assert!(
                f64::from(damaged) < all / 4.0,
                "little changed, {damaged} of {all} pixels damaged"
            );
        }
    }
}

#[test]
fn a_small_surface_does_not_wait_for_a_large_one() {
    let mut desk = Desk::empty();
    let surfaces = desk.with(|_, platform| {
        let output = platform.outputs()[0].id;
        let small = Probe::panel_spec(output);
        let large = LayerSpec {
            layer: Layer::Background,
            anchor: Edges::ALL,
            size: Size::new(0, 0),
            exclusive_zone: -1,
            ..small.clone()
        };
        [large, small].map(|spec| platform.create_layer(spec).unwrap())
    });
    desk.until("both", |scene| (scene.layers().count() == 2).then_some(()));
    desk.calm();
    desk.compositor.take_commits();
    let count = |scene: &Scene| scene.layers().map(|view| view.commits).sum::<u32>();
    let before = count(&desk.compositor.scene());
    desk.with(|probe, platform| {
        for id in surfaces {
            probe.step(platform, id, 1);
        }
    });
    desk.until("both again", |scene| {
        (count(scene) == before + 2).then_some(())
    });
    let commits = desk.compositor.take_commits();
    let heights: Vec<i32> = commits
        .iter()
        .filter_map(|commit| Some(commit.buffer?.1))
        .collect();
    assert_eq!(heights, [PANEL as i32, 600]);
}

#[test]
fn nothing_is_painted_ahead_of_its_frame() {
    let mut desk = Desk::panel();
    let shown = desk.panel_shown();
    let panel = desk.panel_id();
    desk.calm();
    desk.compositor.set_frames(Frames::ByHand);
    desk.with(|probe, platform| probe.step(platform, panel, 1));
    desk.until("the first step", |scene| {
        scene
            .surface(shown.id)
            .filter(|view| view.commits > shown.commits)
            .map(|_| ())
    });
    let before = desk.with(|probe, _| probe.paints);
    for step in 2..6 {
        desk.with(|probe, platform| probe.step(platform, panel, step));
        desk.settle();
    }
    assert_eq!(
        desk.with(|probe, _| probe.paints),
        before,
        "painted while nobody looked"
    );
    desk.compositor.frame();
    desk.until("the newest state, at once", |scene| {
        let pixels = scene.surface(shown.id)?.pixels.clone()?;
        (*pixels == whole(5, Scale::ONE, pixels.width, pixels.height)).then_some(())
    });
    assert_eq!(desk.with(|probe, _| probe.paints), before + 1);
    assert!(
        desk.compositor
            .commits()
            .iter()
            .all(|commit| !commit.unpaced)
    );
}

#[test]
fn a_hidden_surface_delays_no_other() {
    let mut desk = Desk::panel();
    let panel_shown = desk.panel_shown();
    let panel = desk.panel_id();
    let (window, shown) = desk.window(window_spec());
    desk.calm();
    desk.compositor.set_visible(shown.id, false);
    for step in 1..5 {
        desk.with(|probe, platform| {
            probe.step(platform, window, step);
            probe.step(platform, panel, step);
        });
        desk.until("the panel's step", |scene| {
            let pixels = scene.surface(panel_shown.id)?.pixels.clone()?;
            (*pixels == whole(step, Scale::ONE, pixels.width, pixels.height)).then_some(())
        });
    }
    let commits = desk.compositor.commits();
    let hidden = commits
        .iter()
        .filter(|commit| commit.surface == shown.id && commit.buffer.is_some());
    assert!(hidden.count() <= 2, "the hidden window was painted on");
    desk.compositor.set_visible(shown.id, true);
    desk.until("the window's last step", |scene| {
        let pixels = scene.surface(shown.id)?.pixels.clone()?;
        (*pixels == whole(4, Scale::ONE, pixels.width, pixels.height)).then_some(())
    });
}

#[test]
fn a_redraw_without_damage_commits_nothing() {
    let mut desk = Desk::panel();
    desk.panel_shown();
    let panel = desk.panel_id();
    desk.calm();
    desk.compositor.take_commits();
    for _ in 0..3 {
        desk.with(|_, platform| platform.request_redraw(panel));
        desk.settle();
    }
    assert_eq!(desk.compositor.commits().len(), 0);
}

#[test]
fn a_compositor_that_keeps_every_buffer_is_waited_for() {
    let mut desk = Desk::panel();
    let shown = desk.panel_shown();
    let panel = desk.panel_id();
    desk.compositor.set_release(Release::WhenReplaced);
    for step in 1..40 {
        desk.with(|probe, platform| probe.step(platform, panel, step));
        desk.until("a frame", |scene| {
            let pixels = scene.surface(shown.id)?.pixels.clone()?;
            (*pixels == whole(step, Scale::ONE, pixels.width, pixels.height)).then_some(())
        });
    }
}

#[test]
fn the_first_frame_is_sharp() {
    for globals in [Globals::all(), Globals::sway_1_7(), Globals::labwc()] {
        for scale in [1.0, 1.25, 1.5, 2.0, 3.0] {
            let probe = Probe::with_panels();
            let outputs = [OutputSpec::new("A-1", 1920, 1200).scaled(scale)];
            let mut desk = Desk::new(globals.clone(), &outputs, probe);
            desk.panel_shown();
            desk.window(window_spec());
            let whole_scale = globals
                .version(ede_tests::compositor::Global::FractionalScale)
                .is_none();
            let expected = if whole_scale { scale.ceil() } else { scale };
            for commit in desk
                .compositor
                .commits()
                .iter()
                .filter(|commit| commit.buffer.is_some())
            {
                let (width, height) = commit.size;
                let pixels = |n: i32| (f64::from(n) * expected).round() as i32;
                assert_eq!(
                    commit.buffer,
                    Some((pixels(width), pixels(height))),
                    "at {scale}"
                );
            }
        }
    }
}

#[test]
fn an_input_region_lets_presses_through_and_comes_off_again() {
    let mut desk = Desk::panel();
    let shown = desk.panel_shown();
    let panel = desk.panel_id();
    desk.with(|_, platform| platform.set_input_region(panel, Some(&[Rect::new(0, 0, 100, 40)])));
    desk.until("the region", |scene| {
        scene
            .surface(shown.id)
            .filter(|view| view.input_region.is_some())
            .map(|_| ())
    });
    desk.with(|_, platform| platform.set_input_region(panel, None));
    desk.until("no region", |scene| {
        scene
            .surface(shown.id)
            .filter(|view| view.input_region.is_none())
            .map(|_| ())
    });
}

#[test]
fn an_idle_session_sends_nothing_and_is_told_nothing() {
    let mut desk = Desk::panel();
    desk.panel_shown();
    desk.calm();
    desk.compositor.take_commits();
    desk.take_told();
    desk.settle();
    assert_eq!(desk.compositor.commits().len(), 0);
    assert_eq!(desk.take_told(), []);
}

#[test]
fn a_panic_while_painting_costs_one_frame_of_one_surface() {
    let mut desk = Desk::panel();
    let shown = desk.panel_shown();
    let panel = desk.panel_id();
    let (window, window_shown) = desk.window(window_spec());
    desk.calm();
    desk.compositor.take_commits();
    desk.with(|probe, platform| {
        probe.panics = true;
        probe.step(platform, panel, 3);
    });
    desk.settle();
    desk.settle();
    assert_eq!(desk.compositor.commits().len(), 0, "half a frame was shown");
    let paints = desk.with(|probe, _| probe.paints);
    desk.settle();
    assert_eq!(
        desk.with(|probe, _| probe.paints),
        paints,
        "tried again and again"
    );
    desk.with(|probe, platform| {
        probe.panics = false;
        probe.step(platform, window, 1);
    });
    desk.until("the window, unmoved", |scene| {
        let pixels = scene.surface(window_shown.id)?.pixels.clone()?;
        (*pixels == whole(1, Scale::ONE, pixels.width, pixels.height)).then_some(())
    });
    desk.with(|probe, platform| probe.step(platform, panel, 4));
    desk.until("the panel, whole again", |scene| {
        let pixels = scene.surface(shown.id)?.pixels.clone()?;
        (*pixels == whole(4, Scale::ONE, pixels.width, pixels.height)).then_some(())
    });
}

/// Asked to look again, a client that has nothing new gets no memory for it: the compositor holds the one buffer that shows.
#[test]
fn what_did_not_change_takes_no_buffer() {
    let mut desk = Desk::panel();
    desk.compositor.set_release(Release::WhenReplaced);
    let panel = desk.panel_id();
    desk.panel_shown();
    desk.calm();
    let before = desk.compositor.scene().pools;
    assert!(before > 0);
    let painted = desk.with(|probe, _| probe.paints);
    desk.with(|_, platform| platform.request_redraw(panel));
    desk.settle();
    assert_eq!(desk.with(|probe, _| probe.paints), painted);
    assert_eq!(desk.compositor.scene().pools, before);
}
