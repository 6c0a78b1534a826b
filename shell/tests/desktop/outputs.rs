//! Monitors that come, go, sleep and change their scale.

use ede_tests::compositor::{
    Compositor, Globals, LEFT, Margin, Rect, Scene, SurfaceId, SurfaceView, Window,
};
use ede_tests::program::Ede;

use super::harness::{CLOCK, Desktop, SURFACES, beside, one, painted, panels, part};

#[test]
fn monitors_that_come_and_go_quickly_leave_one_panel_on_each_that_stays() {
    let (d, _) = Desktop::start(&[one()]);
    d.settle(1);
    for _ in 0..12 {
        let id = d.compositor.add_output(beside());
        d.compositor.remove_output(id);
    }
    let mut last = None;
    for _ in 0..6 {
        if let Some(id) = last.take() {
            d.compositor.remove_output(id);
        }
        last = Some(d.compositor.add_output(beside()));
        // Half of the time the shell has begun to furnish it.
        d.compositor.wait_for("its first surface", |s| {
            s.layers()
                .any(|l| l.layer().and_then(|l| l.output) == last)
                .then_some(())
        });
    }
    d.settle(2);
}

#[test]
fn a_monitor_that_is_off_does_not_hold_up_the_others() {
    let (d, ids) = Desktop::start(&[one(), beside()]);
    d.settle(2);
    d.compositor.set_power(ids[0], false);
    let on_second = |s: &Scene| {
        panels(s)
            .into_iter()
            .find(|p| p.outputs.contains(&ids[1]))
            .unwrap()
    };
    let mut before = d.compositor.scene();
    for n in 0..5 {
        d.compositor
            .open_window(Window::new(&format!("Window {n}"), "app"));
        before =
            d.compositor
                .wait_for("the window's name in the panel of the other monitor", |s| {
                    (on_second(s).pixels != on_second(&before).pixels
                        && part(&on_second(s), 0, 560) != part(&on_second(&before), 0, 560))
                    .then(|| s.clone())
                });
    }
}

#[test]
fn every_surface_is_sharp_at_every_scale_and_none_vanishes() {
    let (d, ids) = Desktop::start(&[one()]);
    d.settle(1);
    for scale in [1.5, 2.0, 1.25, 1.0] {
        d.compositor.set_scale(ids[0], scale);
        d.compositor.wait_for("every surface sharp", |s| {
            let all: Vec<_> = s.layers().collect();
            (all.len() == SURFACES
                && all
                    .iter()
                    .all(|l| l.is_sharp() && (l.scale - scale).abs() < 0.02))
            .then_some(())
        });
    }
}

#[test]
fn the_first_picture_on_a_scaled_monitor_is_sharp() {
    let (d, _) = Desktop::start(&[one().scaled(1.5)]);
    d.settle(1);
    let layers: Vec<SurfaceId> = d.compositor.scene().layers().map(|l| l.id).collect();
    for commit in d
        .compositor
        .commits()
        .iter()
        .filter(|c| layers.contains(&c.surface))
    {
        let Some((width, height)) = commit.buffer else {
            continue;
        };
        let wanted = |length: i32| (f64::from(length) * 1.5).round() as i32;
        assert_eq!(
            (width, height),
            (wanted(commit.size.0), wanted(commit.size.1))
        );
    }
}

#[test]
fn what_binds_the_screens_follows_them() {
    let d = Desktop::with_panel(
        r#""components": [{"id": "root", "component": "Text", "text": {"path": "/screens/outputs/0/name"}}], "bindings": [{"path": "/screens", "source": "ede:outputs"}]"#,
    );
    let words = |s: &Scene| {
        let panel = panels(s).into_iter().find(super::harness::painted)?;
        Some(part(&panel, 0, 200))
    };
    let first = d.compositor.wait_for("the screen's name", words);
    // Another name of the same screen, and nothing else of the panel changes.
    let old = d.panel().outputs[0];
    d.compositor.remove_output(old);
    d.compositor
        .add_output(ede_tests::compositor::OutputSpec::new(
            "HDMI-A-1", 1280, 800,
        ));
    d.compositor.wait_for("the other screen's name", |s| {
        words(s).filter(|now| *now != first)
    });
}

#[test]
fn a_widget_whose_surface_is_taken_away_waits_for_the_outputs_to_change() {
    let (d, ids) = Desktop::start(&[one()]);
    d.settle(1);
    let widget = d.compositor.scene().layer("ede-widget").unwrap().id;
    d.compositor.close_layer(widget);
    let without = |s: &Scene| (s.layers().count() == SURFACES - 1).then_some(());
    d.compositor.wait_for("the widget gone", without);
    // The shell has been round since.
    d.press(LEFT, CLOCK);
    d.popup(None);
    assert_eq!(without(&d.compositor.scene()), Some(()));
    d.compositor.set_scale(ids[0], 2.0);
    d.compositor.wait_for("the widget again", |s| {
        (s.layers().count() == SURFACES).then_some(())
    });
}

#[test]
fn a_panel_beside_another_is_laid_out_in_the_length_it_gets() {
    let ede = Ede::new();
    ede.write_document("panel-left", r#"{"formatVersion": 1, "id": "panel-left", "kind": "panel", "place": {"edge": "left", "thickness": 200}, "components": [{"id": "root", "component": "Text", "text": "Left"}]}"#);
    let (d, _) = Desktop::start_with(&[one()], ede);
    let panel = d.compositor.wait_for("a shorter panel", |s| {
        let mut along = panels(s).into_iter();
        along.find(|p| painted(p) && p.size.0 > 800 && p.size.0 < 1200)
    });
    // Its clock is in the middle of what is left.
    d.compositor
        .pointer()
        .motion(panel.id, f64::from(panel.size.0) / 2.0, 28.0)
        .click(LEFT);
    d.popup(None);
}

/// The boxes of the desktop's widgets without their shadows, from the left.
fn widgets(s: &Scene) -> Vec<Rect> {
    let widgets = s.layers().filter(|l| l.namespace() == Some("ede-widget"));
    let plate = |w: &SurfaceView| {
        let (x, y) = w.origin;
        let region = w.input_region.as_ref()?;
        Some(region.rects().next()?.moved(x, y))
    };
    let mut all: Vec<Rect> = widgets.filter_map(plate).collect();
    all.sort_by_key(|r| (r.x, r.y));
    all
}

#[test]
fn widgets_keep_out_of_what_other_programs_reserve_from_the_first_picture_on() {
    let ede = Ede::new();
    ede.write_package("test.word", r#"{"formatVersion": 3, "id": "test.word", "name": "Word", "version": "1.0.0", "catalogId": "https://ui.exponential.at/catalogs/core/v1", "description": "A word.",
        "screens": [{"template": "main", "title": "Word", "widget": {"template": "main", "size": "s"}}],
        "templates": {"main": {"components": [{"id": "root", "component": "Text", "text": "Word"}]}}}"#);
    ede.write_document("desktop", r#"{"formatVersion": 1, "id": "desktop", "kind": "desktop", "place": {"outputs": ["*"]}, "components": [
        {"id": "root", "component": "Box", "children": ["a", "b", "c"]},
        {"id": "a", "component": "AppWidget", "app": "test.word", "size": "s", "cell": [0, 0]},
        {"id": "b", "component": "AppWidget", "app": "test.word", "size": "s", "at": [2000, 100]},
        {"id": "c", "component": "AppWidget", "app": "test.word", "size": "s", "cell": [-1, -1]}]}"#);
    let compositor = Compositor::start(Globals::all());
    let output = compositor.add_output(one());
    let bars = |top, bottom, left, right| Margin {
        top,
        right,
        bottom,
        left,
    };
    compositor.reserve(output, bars(30, 60, 0, 50));
    let shell = ede.run_on(&compositor);
    let d = Desktop {
        shell,
        compositor,
        ede,
    };
    // Its own panel stands below the other one at the top: 1230 by 662 px are left, six columns and three rows.
    let grid = |n: i32, free: i32, cells: i32| (free - (176 * cells - 16)) / 2 + 176 * n;
    let at = |x, y| Rect::new(x, y, 160, 160);
    let (x, y) = (|n| grid(n, 1230, 6), |n| 78 + grid(n, 662, 3));
    let first = [at(x(0), y(0)), at(1230 - 160, 78 + 100), at(x(5), y(2))];
    let mut sorted = first;
    sorted.sort_by_key(|r| (r.x, r.y));
    d.compositor.wait_for("the widgets in what is left", |s| {
        let there = widgets(s);
        (there == sorted).then_some(())
    });
    // What is shown first stays: one commit to ask for a size, one with the picture.
    let scene = d.compositor.scene();
    for widget in scene
        .layers()
        .filter(|l| l.namespace() == Some("ede-widget"))
    {
        assert_eq!(widget.commits, 2);
    }
    d.compositor.reserve(output, bars(0, 200, 0, 0));
    d.compositor
        .wait_for("the widgets in what is left now", |s| {
            let (x, y) = (|n| grid(n, 1280, 7), |n| 48 + grid(n, 552, 3));
            let mut now = [at(x(0), y(0)), at(1120, 148), at(x(6), y(2))];
            now.sort_by_key(|r| (r.x, r.y));
            (widgets(s) == now).then_some(())
        });
}
