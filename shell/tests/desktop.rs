//! The whole shell, as the person's process, on the fake compositor: outputs that come, go and change, popups, many windows, hostile
//! titles, idling, leaks. What only the platform layer promises is tested below `tests/`, what only a real compositor shows in `on_sway`.
#![allow(clippy::unwrap_used, clippy::expect_used)]

use std::time::{Duration, Instant, SystemTime};

use ede_tests::compositor::{
    Compositor, Globals, Interactivity, LEFT, OutputId, OutputSpec, RIGHT, Scene, SurfaceId,
    SurfaceView, Window,
};
use ede_tests::picture::{self, Picture};
use ede_tests::program::{Ede, Shell};

/// Wallpaper, panel and desktop widgets of the default session on one output.
const SURFACES: usize = 1 + 1 + 4;
/// The middle of the default panel's clock, on an output 1280 wide.
const CLOCK: (f64, f64) = (640.0, 28.0);
/// A point of its system widget, near the panel's right end.
const SYSTEM: (f64, f64) = (1210.0, 28.0);

/// A shell in folders of its own on a compositor of its own. The fields go in this order: the compositor fails the test for what the
/// shell did wrong.
struct Desktop {
    shell: Shell,
    compositor: Compositor,
    ede: Ede,
}

impl Desktop {
    /// The default session.
    fn start(outputs: &[OutputSpec]) -> (Desktop, Vec<OutputId>) {
        Desktop::start_with(outputs, Ede::new())
    }

    fn start_with(outputs: &[OutputSpec], ede: Ede) -> (Desktop, Vec<OutputId>) {
        let compositor = Compositor::start(Globals::all());
        let ids = outputs
            .iter()
            .map(|o| compositor.add_output(o.clone()))
            .collect();
        (
            Desktop {
                shell: ede.run_on(&compositor),
                compositor,
                ede,
            },
            ids,
        )
    }

    /// A session whose only document is a panel along the top with these members.
    fn with_panel(members: &str) -> Desktop {
        let ede = Ede::new();
        ede.write_document("panel-top", &format!(r#"{{"formatVersion": 1, "id": "panel-top", "kind": "panel", "place": {{"edge": "top"}}, {members}}}"#));
        // With it, nothing on the desktop: the default one has the system's figures, which move.
        ede.write_document("desktop", r#"{"formatVersion": 1, "id": "desktop", "kind": "desktop", "place": {"outputs": ["*"]}, "components": [{"id": "root", "component": "Box", "children": []}]}"#);
        Desktop::start_with(&[one()], ede).0
    }

    /// The command line beside the shell; it must succeed.
    fn ok(&self, arguments: &[&str]) {
        let ran = self.ede.command(arguments).output().unwrap();
        assert!(
            ran.status.success(),
            "ede {arguments:?}: {}",
            String::from_utf8_lossy(&ran.stderr)
        );
    }

    /// Wait for the default session on so many outputs.
    fn settle(&self, outputs: usize) {
        self.compositor
            .wait_for("panels and widgets everywhere", |s| {
                (s.layers().count() == SURFACES * outputs && panels(s).iter().all(painted))
                    .then_some(())
            });
    }

    fn panel(&self) -> SurfaceView {
        self.compositor.wait_for("a panel", |s| {
            s.layer("ede-panel").filter(|p| painted(p)).cloned()
        })
    }

    fn press(&self, button: u32, (x, y): (f64, f64)) {
        self.compositor.pointer().motion_to(x, y).click(button);
    }

    /// The popup that opens next, or in place of `before`.
    fn popup(&self, before: Option<SurfaceId>) -> SurfaceId {
        self.compositor.wait_for("a popup", |s| {
            s.popup().map(|p| p.id).filter(|p| Some(*p) != before)
        })
    }

    fn no_popup(&self) {
        self.compositor
            .wait_for("no popup", |s| s.popup().is_none().then_some(()));
    }

    fn window(&self) -> SurfaceView {
        self.compositor
            .wait_for("a window", |s| s.toplevels().last().cloned())
    }

    /// How often the shell's threads went to sleep by themselves so far: once for every time they woke up.
    fn sleeps(&self) -> u64 {
        let threads = std::fs::read_dir(format!("/proc/{}/task", self.shell.id())).unwrap();
        let of = |status: String| {
            status.lines().find_map(|l| {
                l.strip_prefix("voluntary_ctxt_switches:")?
                    .trim()
                    .parse::<u64>()
                    .ok()
            })
        };
        threads
            .map(|t| {
                of(std::fs::read_to_string(t.unwrap().path().join("status")).unwrap_or_default())
                    .unwrap_or_default()
            })
            .sum()
    }
}

fn one() -> OutputSpec {
    OutputSpec::new("DP-1", 1280, 800)
}

fn beside() -> OutputSpec {
    OutputSpec::new("DP-2", 1280, 800).at(1280, 0)
}

fn panels(scene: &Scene) -> Vec<SurfaceView> {
    scene
        .layers()
        .filter(|s| s.namespace() == Some("ede-panel"))
        .cloned()
        .collect()
}

/// More than a plain surface: text is on it.
fn painted(surface: &SurfaceView) -> bool {
    picture::colours(&surface.picture()) > 20
}

fn part(of: &SurfaceView, x: u32, width: u32) -> Picture {
    picture::crop(&of.picture(), x, 0, width, of.picture().height())
}

fn minute() -> u64 {
    SystemTime::now()
        .duration_since(SystemTime::UNIX_EPOCH)
        .unwrap()
        .as_secs()
        / 60
}

/// Ask until there is an answer, for a minute at most.
fn wait_for<T>(what: &str, mut look: impl FnMut() -> Option<T>) -> T {
    let end = Instant::now() + Duration::from_secs(60);
    loop {
        if let Some(found) = look() {
            return found;
        }
        assert!(Instant::now() < end, "waited in vain for {what}");
        std::thread::sleep(Duration::from_millis(20));
    }
}

// ---- outputs and scale

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

// ---- popups and the keyboard

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

// ---- windows of others

#[test]
fn forty_windows_leave_the_clock_and_the_far_end_of_the_panel_where_they_are() {
    let (d, _) = Desktop::start(&[one()]);
    d.settle(1);
    // Again if the clock's minute ended in between.
    loop {
        let (began, before) = (minute(), d.panel());
        let windows: Vec<_> = (0..40)
            .map(|n| {
                d.compositor.open_window(Window::new(
                    &format!("A window with a long title {n}"),
                    "app",
                ))
            })
            .collect();
        let after = d.compositor.wait_for("the windows in the panel", |s| {
            s.layer("ede-panel")
                .filter(|p| part(p, 120, 400) != part(&before, 120, 400))
                .cloned()
        });
        if minute() == began {
            assert_eq!(
                part(&before, 560, 160),
                part(&after, 560, 160),
                "the clock moved"
            );
            break;
        }
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

// ---- idling and resources

#[test]
fn with_the_clock_alone_nothing_moves_and_nothing_wakes_between_two_minutes() {
    let d = Desktop::with_panel(
        r#""components": [{"id": "root", "component": "AppWidget", "app": "ede.clock", "screen": "clock", "size": "s"}]"#,
    );
    d.panel();
    // Once everything of the start is over, a whole while passes without a commit and all but without a wake-up.
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
            damaged > 0 && damaged * 100 < i64::from(width) * i64::from(height) * 5,
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

// ---- the end

#[test]
fn when_the_compositor_goes_the_shell_ends_with_one_line() {
    for round in 0..4 {
        let (mut d, ids) = Desktop::start(&[one(), beside()]);
        d.settle(2);
        if round > 0 {
            d.press(LEFT, CLOCK);
            d.popup(None);
        }
        if round > 1 {
            // A window with a field, a key held in it.
            d.ok(&["open", "ede.tasks"]);
            let window = d.window();
            d.compositor.keyboard().focus(Some(window.id)).press("a");
        }
        if round > 2 {
            d.compositor.remove_output(ids[1]);
        }
        d.compositor.kill();
        let (status, said) = d.shell.wait();
        assert_eq!(
            (status.code(), said.lines().count()),
            (Some(1), 1),
            "{said}"
        );
        assert!(said.starts_with("error: "), "{said}");
    }
}

#[test]
fn a_document_that_broke_on_disk_changes_nothing_on_screen() {
    let (mut d, _) = Desktop::start(&[one()]);
    d.settle(1);
    let file = d.ede.config().join("ui/panel-top.ede-ui.json");
    let good = std::fs::read_to_string(&file).unwrap();
    let height = d.panel().size.1;
    let half = &good[..good.len() / 2];
    for broken in [half, "", "{\"formatVersion\": 1}", "\u{0}"] {
        std::fs::write(&file, broken).unwrap();
    }
    // A good version after it is taken up at once: the broken ones have been passed over by then.
    let thicker = good.replace("\"thickness\": 40", "\"thickness\": 64");
    d.ede.write_document("panel-top", &thicker);
    d.compositor.wait_for("a thicker panel", |s| {
        s.layer("ede-panel")
            .filter(|p| p.size.1 == height + 24)
            .map(|_| ())
    });
    assert!(d.shell.runs());
}

/// The layout engine cannot divide a chart's axis by so little: it panics, and only the widget around it goes.
#[test]
fn a_widget_whose_layout_panics_shows_an_error_tile_and_the_rest_goes_on() {
    let package = |values: &str| {
        format!(
            r#"{{"formatVersion": 3, "id": "test.tiny", "name": "Tiny", "version": "1.0.0", "catalogId": "https://ui.exponential.at/catalogs/core/v1", "description": "A chart.",
            "screens": [{{"template": "main", "title": "Tiny", "widget": {{"template": "main", "size": "m"}}}}],
            "templates": {{"main": {{"components": [{{"id": "root", "component": "Chart", "kind": "line", "series": [{{"name": "s", "values": {values}}}]}}]}}}}}}"#
        )
    };
    let ede = Ede::new();
    ede.write_package("test.tiny", &package("[0, 5e-324]"));
    ede.write_document("desktop", r#"{"formatVersion": 1, "id": "desktop", "kind": "desktop", "place": {"outputs": ["*"]}, "components": [{"id": "root", "component": "Box", "children": ["chart"]}, {"id": "chart", "component": "AppWidget", "app": "test.tiny", "size": "m", "cell": [0, 0]}]}"#);
    let (mut d, _) = Desktop::start_with(&[one()], ede);
    let widget = |s: &Scene| s.layer("ede-widget").filter(|w| painted(w)).cloned();
    let tile = d.compositor.wait_for("the tile", widget);
    d.ede.write_package("test.tiny", &package("[0, 5]"));
    d.compositor.wait_for("the chart in its place", |s| {
        widget(s)
            .filter(|w| w.picture() != tile.picture())
            .map(|_| ())
    });
    assert!(d.shell.runs());
}
