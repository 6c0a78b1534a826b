//! Monitors that come, change and go under a running shell.

use ede_tests::compositor::{Frames, Globals, OutputSpec, Transform};

use crate::desk;

#[test]
fn every_surface_is_sharp_at_every_scale() {
    for scale in [1.0, 1.25, 1.5, 2.0] {
        let desk = desk(Globals::all(), scale);
        desk.shown();
        for surface in desk.compositor.scene().layers() {
            assert!(
                surface.is_sharp(),
                "{:?} at {scale}: {:?} for {:?}",
                surface.namespace(),
                surface.buffer_size,
                surface.size
            );
        }
    }
}

#[test]
fn without_fractional_scale_the_next_whole_scale_is_painted() {
    let desk = desk(Globals::sway_1_7(), 1.5);
    let panel = desk.panel(desk.output);
    assert_eq!(panel.scale, 2.0);
}

#[test]
fn a_second_output_gets_its_panel_and_the_first_may_go() {
    let mut desk = desk(Globals::all(), 1.0);
    desk.panel(desk.output);
    let second = desk
        .compositor
        .add_output(OutputSpec::new("DP-2", 1000, 700).scaled(2.0).at(1280, 0));
    assert_eq!(desk.panel(second).size.0, 500);
    desk.compositor.remove_output(desk.output);
    desk.compositor.wait_for("only the second output", |scene| {
        scene
            .layers()
            .all(|surface| surface.outputs == [second])
            .then_some(())
    });
    assert!(desk.shell.runs());
}

#[test]
fn a_storm_of_replugging_ends_with_a_panel_on_the_last_output() {
    let mut desk = desk(Globals::all(), 1.0);
    let mut last = desk.output;
    for round in 0..40 {
        let next = OutputSpec::new(&format!("DP-{}", round % 3), 1280, 800)
            .scaled(1.0 + f64::from(round % 4) / 4.0);
        desk.compositor.remove_output(last);
        last = desk.compositor.add_output(next);
    }
    desk.panel(last);
    assert!(desk.shell.runs());
}

#[test]
fn no_output_at_all_is_survived() {
    let mut desk = desk(Globals::all(), 1.0);
    desk.panel(desk.output);
    desk.compositor.remove_output(desk.output);
    desk.compositor.wait_for("an empty screen", |scene| {
        (scene.layers().count() == 0).then_some(())
    });
    let back = desk
        .compositor
        .add_output(OutputSpec::new("DP-1", 1280, 800));
    desk.panel(back);
    assert!(desk.shell.runs());
}

#[test]
fn mode_scale_and_transform_change_under_the_panel() {
    let desk = desk(Globals::all(), 1.0);
    desk.panel(desk.output);
    desk.compositor.change_output(desk.output, |spec| {
        spec.mode = (2560, 1440);
        spec.scale = 2.0;
        spec.transform = Transform::_90;
    });
    desk.compositor.wait_for("a sharp panel of 720", |scene| {
        let panel = scene.layer("ede-panel")?;
        (panel.size.0 == 720 && panel.is_sharp()).then_some(())
    });
}

#[test]
fn a_dead_output_does_not_hold_up_another() {
    let desk = desk(Globals::all(), 1.0);
    desk.panel(desk.output);
    let second = desk
        .compositor
        .add_output(OutputSpec::new("DP-2", 1280, 800).at(1280, 0));
    desk.panel(second);
    desk.compositor.set_power(desk.output, false);
    desk.compositor.take_commits();
    desk.compositor
        .set_frames(Frames::Every(std::time::Duration::from_millis(1)));
    desk.ede.write_document(
        "panel-top",
        r#"{"formatVersion": 1, "id": "panel-top", "kind": "panel",
            "place": {"outputs": ["*"], "edge": "top", "thickness": 60, "layer": "top", "reserve": true},
            "components": [{"id": "root", "component": "Text", "text": "Taller"}]}"#,
    );
    desk.compositor
        .wait_for("the taller panel on the living output", |scene| {
            let mut panels = scene
                .layers()
                .filter(|surface| surface.namespace() == Some("ede-panel"));
            panels
                .find(|panel| {
                    panel.outputs == [second]
                        && panel
                            .layer()
                            .is_some_and(|layer| layer.place.exclusive_zone >= 60)
                })
                .map(drop)
        });
}
