//! What costs nothing when nothing happens, and leaves nothing behind.

use std::time::Duration;

use serde_json::json;

use super::cards;
use super::harness::{Desktop, minute, one, wait_for};

#[test]
fn with_the_clock_alone_nothing_moves_and_nothing_wakes_between_two_minutes() {
    let d = Desktop::with_panel(
        r#""components": [{"id": "root", "component": "AppWidget", "app": "ede.clock", "screen": "clock", "size": "s"}]"#,
    );
    d.panel();
    idles(&d);
}

#[test]
fn what_an_agent_asks_waits_without_waking_anything() {
    let d = Desktop::with_panel(
        r#""components": [{"id": "root", "component": "AppWidget", "app": "ede.clock", "screen": "clock", "size": "s"}]"#,
    );
    d.panel();
    cards::ask(&d.ede, "confirm", &json!({"title": "Move the clock?"}));
    cards::ready(&d.compositor, None);
    idles(&d);
    assert!(d.compositor.scene().layer("ede-card").is_some());
}

/// Once everything of the start is over, a whole while passes without a commit and all but without a wake-up.
fn idles(d: &Desktop) {
    wait_for("an idle shell", || {
        let (began, sleeps) = (minute(), d.sleeps());
        d.compositor.take_commits();
        std::thread::sleep(Duration::from_secs(3));
        let quiet = d.compositor.take_commits().is_empty() && d.sleeps() - sleeps <= 1;
        (quiet && minute() == began).then_some(())
    });
}

#[test]
fn a_clock_with_seconds_damages_little_of_its_panel() {
    let d = Desktop::with_panel(
        r#""components": [
            {"id": "root", "component": "Box", "style": {"display": "flex", "flexDirection": "row", "alignItems": "center", "justifyContent": "center"}, "children": ["time"]},
            {"id": "time", "component": "Text", "text": {"path": "/now/time"}, "style": {"fontWeight": 500}}],
        "bindings": [{"path": "/now", "source": "ede:clock?seconds=1"}]"#,
    );
    let panel = d.panel();
    d.compositor.take_commits();
    for _ in 0..3 {
        let tick = wait_for("the next second", || {
            d.compositor
                .take_commits()
                .into_iter()
                .rfind(|c| c.surface == panel.id && c.buffer.is_some())
        });
        let damaged: i64 = tick
            .damage
            .iter()
            .map(|r| i64::from(r.width) * i64::from(r.height))
            .sum();
        let (width, height) = tick.buffer.unwrap();
        assert!(
            damaged > 0 && damaged * 100 < i64::from(width) * i64::from(height) * 3,
            "{:?} of {width}×{height}",
            tick.damage
        );
    }
}

#[test]
fn a_window_opened_and_closed_leaves_nothing_behind() {
    let (d, _) = Desktop::start(&[one()]);
    d.settle(1);
    let cycle = || {
        d.ok(&["open", "ede.notes"]);
        let window = d.window();
        d.compositor.close_toplevel(window.id);
        d.compositor.wait_for("no window", |s| {
            s.toplevels().next().is_none().then_some(())
        });
    };
    (0..5).for_each(|_| cycle());
    let (files, surfaces) = (d.shell.open_files(), d.compositor.scene().surfaces.len());
    (0..30).for_each(|_| cycle());
    wait_for("as many files as before", || {
        (d.shell.open_files() <= files + 1).then_some(())
    });
    assert_eq!(d.compositor.scene().surfaces.len(), surfaces);
}
