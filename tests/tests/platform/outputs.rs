use crate::desk::*;
use ede::wayland::*;
use ede_tests::compositor::{Globals, OutputSpec, SurfaceView, Transform};

fn two() -> [OutputSpec; 2] {
    [
        OutputSpec::new("A-1", 800, 600),
        OutputSpec::new("B-2", 1024, 768).at(800, 0).scaled(2.0),
    ]
}

fn desk_of_two() -> Desk {
    Desk::new(Globals::all(), &two(), Probe::with_panels())
}

#[test]
fn every_output_is_known_before_the_first_surface() {
    let mut desk = desk_of_two();
    let outputs = desk.with(|_, platform| platform.outputs().to_vec());
    let names: Vec<_> = outputs.iter().map(|output| output.name.as_str()).collect();
    assert_eq!(names, ["A-1", "B-2"]);
    assert_eq!(outputs[1].rect, Rect::new(800, 0, 512, 384));
    assert_eq!(outputs[1].scale, Scale::from_integer(2));
    assert_eq!(
        (outputs[0].make.as_str(), outputs[0].model.as_str()),
        ("Fake", "Monitor")
    );
}

#[test]
fn a_hotplug_storm_leaves_one_sharp_panel_an_output() {
    let mut desk = desk_of_two();
    desk.until("two panels", |scene| {
        (scene.layers().count() == 2).then_some(())
    });
    let mut plugged = Vec::new();
    for round in 0..20 {
        plugged.push(
            desk.compositor.add_output(
                OutputSpec::new(&format!("S-{round}"), 640, 480)
                    .at(2000 + round * 700, 0)
                    .scaled(1.5),
            ),
        );
        // Sometimes gone again before the client has heard of it.
        if round % 3 == 0 {
            desk.compositor.remove_output(plugged.pop().unwrap());
        } else if round % 3 == 1 {
            desk.session
                .dispatch(Some(std::time::Duration::ZERO))
                .unwrap();
        }
        if round % 4 == 3 {
            desk.compositor.remove_output(plugged.remove(0));
        }
    }
    let expected = plugged.len() + 2;
    desk.until("a panel an output", |scene| {
        let sharp = scene.layers().filter(|layer| layer.is_sharp()).count();
        (sharp == expected && scene.layers().count() == expected).then_some(())
    });
}

#[test]
fn all_outputs_may_go_and_come_back() {
    let compositor_outputs = two();
    let mut desk = Desk::new(Globals::all(), &[], Probe::with_panels());
    for _ in 0..3 {
        let outputs: Vec<_> = compositor_outputs
            .iter()
            .map(|spec| desk.compositor.add_output(spec.clone()))
            .collect();
        desk.until("two panels", |scene| {
            (scene.layers().count() == 2).then_some(())
        });
        for output in outputs {
            desk.compositor.remove_output(output);
        }
        desk.until("nothing", |scene| {
            scene.layers().next().is_none().then_some(())
        });
        desk.settle();
        assert_eq!(desk.with(|_, platform| platform.outputs().len()), 0);
    }
}

#[test]
fn surfaces_of_a_gone_output_are_closed_before_the_outputs_change() {
    let mut desk = Desk::new(Globals::all(), &[], Probe::with_panels());
    let output = desk.compositor.add_output(OutputSpec::new("A-1", 800, 600));
    desk.panel_shown();
    desk.settle();
    let panel = desk.panel_id();
    desk.take_told();
    desk.compositor.remove_output(output);
    desk.told("no outputs", |told| {
        (*told == Told::Outputs(vec![])).then_some(())
    });
    let told = desk.take_told();
    let closed = told
        .iter()
        .position(|t| matches!(t, Told::Closed(id, _) if *id == panel));
    let changed = told.iter().position(|t| matches!(t, Told::Outputs(_)));
    assert!(closed.is_some() && closed < changed, "{told:?}");
}

#[test]
fn an_output_that_never_answers_holds_up_nobody() {
    let mut desk = Desk::new(Globals::all(), &[], Probe::with_panels());
    let dead = desk.compositor.add_output(OutputSpec::new("A-1", 800, 600));
    let first = desk.panel_shown();
    let dead_panel = desk.panel_id();
    desk.compositor.set_power(dead, false);
    desk.compositor
        .add_output(OutputSpec::new("B-2", 640, 480).at(800, 0));
    let second = desk.until("the second panel", |scene| {
        scene.layers().find(|l| l.id != first.id).cloned()
    });
    let panels = desk.with(|_, platform| platform.surfaces());
    let live_panel = panels.into_iter().find(|id| *id != dead_panel).unwrap();
    for step in 1..6 {
        desk.with(|probe, platform| {
            probe.step(platform, dead_panel, step);
            probe.step(platform, live_panel, step);
        });
        desk.until("the living panel", |scene| {
            let pixels = scene.surface(second.id)?.pixels.clone()?;
            (*pixels == whole(step, Scale::ONE, pixels.width, pixels.height)).then_some(())
        });
    }
    desk.compositor.set_power(dead, true);
    desk.compositor.frame();
    desk.until("the sleeper's newest state", |scene| {
        let pixels = scene.surface(first.id)?.pixels.clone()?;
        (*pixels == whole(5, Scale::ONE, pixels.width, pixels.height)).then_some(())
    });
}

/// A buffer as dense as the output, or as the next whole scale where there are only whole ones.
fn fits(view: &SurfaceView, scale: f64, fractional: bool) -> bool {
    let scale = if fractional { scale } else { scale.ceil() };
    let pixels = |n: i32| (f64::from(n) * scale).round() as i32;
    view.buffer_size == (pixels(view.size.0), pixels(view.size.1))
}

#[test]
fn scale_and_transform_may_change_up_and_down_in_any_order() {
    for (globals, fractional) in [(Globals::all(), true), (Globals::sway_1_7(), false)] {
        let mut desk = Desk::new(globals, &[], Probe::with_panels());
        let output = desk
            .compositor
            .add_output(OutputSpec::new("A-1", 1200, 900));
        let panel = desk.panel_shown();
        let (_, window) = desk.window(window_spec());
        for scale in [2.0, 1.0, 1.5, 3.0, 1.25, 1.0] {
            desk.compositor.set_scale(output, scale);
            for id in [panel.id, window.id] {
                desk.until("a sharp surface", |scene| {
                    scene
                        .surface(id)
                        .filter(|view| fits(view, scale, fractional))
                        .map(|_| ())
                });
            }
        }
        desk.compositor
            .change_output(output, |spec| spec.transform = Transform::_90);
        desk.until("a panel across the turned screen", |scene| {
            let view = scene.surface(panel.id)?;
            (view.size == (900, 40) && fits(view, 1.0, fractional)).then_some(())
        });
        desk.settle();
        let info = desk.with(|_, platform| platform.outputs()[0].clone());
        assert_eq!(info.transform, ede::wayland::Transform::Rotated90);
        assert_eq!(
            info.pixels,
            PixelSize {
                width: 900,
                height: 1200
            }
        );
    }
}

#[test]
fn a_closed_panel_is_not_made_again_until_outputs_change() {
    let mut desk = Desk::panel();
    let shown = desk.panel_shown();
    let panel = desk.panel_id();
    desk.compositor.close_layer(shown.id);
    desk.told("the close", |told| {
        (*told == Told::Closed(panel, CloseReason::Compositor)).then_some(())
    });
    desk.settle();
    assert!(desk.with(|_, platform| platform.surfaces().is_empty()));
}
