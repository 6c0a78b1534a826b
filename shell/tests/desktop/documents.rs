//! Documents that change on disk while the shell runs.

use ede_tests::compositor::{LEFT, LayerKind, Scene, SurfaceView};
use ede_tests::picture;
use ede_tests::program::Ede;
use eui_core::theme::THEME_SCHEMA_ID;

use super::harness::{self, Desktop, one, painted};

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

#[test]
fn a_panel_whose_document_changes_keeps_its_surface() {
    let members = |text: &str| {
        format!(
            r#""components": [{{"id": "root", "component": "Box", "style": {{"display": "flex", "flexDirection": "row", "alignItems": "center", "padding": 8}}, "children": ["text", "clock"]}}, {{"id": "text", "component": "Text", "text": "{text}"}}, {{"id": "clock", "component": "AppWidget", "app": "ede.clock", "screen": "clock", "size": "s"}}]"#
        )
    };
    let d = Desktop::with_panel_at(r#"{"edge": "top"}"#, &members("One word"));
    let panel = d.panel();
    let write = |place: &str, text: &str| {
        d.ede
            .write_document("panel-top", &harness::panel(place, &members(text)));
    };
    let surfaces = d.compositor.scene().surfaces.len();
    // Its content.
    write(r#"{"edge": "top"}"#, "Some other words");
    d.compositor.wait_for("other words", |s| {
        s.surface(panel.id)
            .filter(|p| painted(p) && p.picture() != panel.picture())
            .map(|_| ())
    });
    // The place: thickness, reserve, margin, layer, and last the edge.
    for (place, size, zone, layer) in [
        (
            r#"{"edge": "top", "thickness": 64}"#,
            (1280, 112),
            72,
            LayerKind::Top,
        ),
        (
            r#"{"edge": "top", "thickness": 64, "margin": 0}"#,
            (1280, 104),
            64,
            LayerKind::Top,
        ),
        (
            r#"{"edge": "top", "reserve": false, "layer": "bottom"}"#,
            (1280, 88),
            0,
            LayerKind::Bottom,
        ),
        (r#"{"edge": "bottom"}"#, (1280, 88), 48, LayerKind::Top),
        (
            r#"{"edge": "left", "thickness": 200}"#,
            (248, 800),
            208,
            LayerKind::Top,
        ),
    ] {
        write(place, "Some other words");
        d.compositor.wait_for(place, |s| {
            let p = s.surface(panel.id)?;
            let told = &p.layer()?.place;
            (p.size == size && told.exclusive_zone == zone && told.layer == layer && painted(p))
                .then_some(())
        });
    }
    assert_eq!(
        d.compositor.scene().surfaces.len(),
        surfaces,
        "nothing was made anew"
    );
}

#[test]
fn desktop_widgets_keep_their_surfaces_when_the_document_or_the_theme_changes() {
    let (d, _) = Desktop::start(&[one()]);
    d.settle(1);
    let ids = |s: &Scene| s.layers().map(|l| l.id).collect::<Vec<_>>();
    let (before, panel) = (ids(&d.compositor.scene()), d.panel());
    let session =
        r#"{"formatVersion": 1, "id": "session", "kind": "session", "session": {"mode": "dark"}}"#;
    d.ede.write_document("session", session);
    d.compositor.wait_for("a dark panel", |s| {
        let p = s.surface(panel.id)?.picture();
        (p.get_pixel(20, 20).0[0] < 0x40).then_some(())
    });
    let file = d.ede.config().join("ui/desktop.ede-ui.json");
    let good = std::fs::read_to_string(&file).unwrap();
    d.ede.write_document(
        "desktop",
        &good.replacen("\"cell\": [-2, 0]", "\"cell\": [0, 0]", 1),
    );
    d.compositor.wait_for("a widget at the left", |s| {
        s.layers()
            .any(|l| l.namespace() == Some("ede-widget") && l.origin.0 < 100)
            .then_some(())
    });
    assert_eq!(ids(&d.compositor.scene()), before);
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

#[test]
fn another_mode_leaves_what_a_person_did_in_a_window_as_it_is() {
    let session = |mode: &str| {
        format!(
            r#"{{"formatVersion": 1, "id": "session", "kind": "session", "session": {{"mode": "{mode}"}}}}"#
        )
    };
    let ede = Ede::new();
    ede.write_package(
        "test.note",
        r#"{"formatVersion": 3, "id": "test.note", "name": "Note", "version": "1.0.0", "catalogId": "https://ui.exponential.at/catalogs/core/v1", "description": "A note.",
        "screens": [{"template": "main", "title": "Note"}],
        "functions": ["set"],
        "templates": {"main": {"data": {"note": ""}, "components": [
            {"id": "root", "component": "Box", "pressable": true, "style": {"width": "100%", "height": "100%"}, "children": ["note"],
             "on": {"press": {"functionCall": {"call": "set", "args": {"path": "/note", "value": "Begun"}}}}},
            {"id": "note", "component": "Text", "text": {"path": "/note"}}]}}}"#,
    );
    ede.write_document("session", &session("light"));
    let (d, _) = Desktop::start_with(&[one()], ede);
    d.settle(1);
    d.ok(&["open", "test.note"]);
    let empty = d.window();
    let middle = |at: i32, side: i32| f64::from(at) + f64::from(side) / 2.0;
    let (x, y) = (
        middle(empty.origin.0, empty.size.0),
        middle(empty.origin.1, empty.size.1),
    );
    d.press(LEFT, (x, y));
    let other = |than: &SurfaceView| {
        let picture = than.picture();
        d.compositor.wait_for("another picture", |s| {
            let now = s
                .surface(empty.id)
                .filter(|w| w.picture() != picture)
                .cloned();
            now.filter(|w| w.callbacks == 0)
        })
    };
    let begun = other(&empty);
    d.ede.write_document("session", &session("dark"));
    let dark = other(&begun);
    d.ede.write_document("session", &session("light"));
    other(&dark);
    d.compositor.wait_for("what was begun, in light", |s| {
        let now = s.surface(empty.id)?.picture();
        (now == begun.picture()).then_some(())
    });
}

#[test]
fn a_window_whose_document_changes_has_its_new_title_and_limits() {
    let window = |title: &str, least: u32| {
        format!(
            r#"{{"formatVersion": 1, "id": "plan", "kind": "window", "title": "{title}", "place": {{"size": [600, 400], "minSize": [{least}, 300], "maxSize": [900, 700]}}, "components": [{{"id": "root", "component": "Text", "text": "Words"}}]}}"#
        )
    };
    let (d, _) = Desktop::start(&[one()]);
    d.settle(1);
    d.ede.write_document("plan", &window("Plan", 400));
    super::harness::wait_for("the window", || {
        let ran = d.ede.command(&["open", "plan"]).output().unwrap();
        ran.status.success().then_some(())
    });
    let has = |title: &str, least: i32| {
        d.compositor.wait_for(title, |s| {
            let window = s.toplevels().last()?.toplevel()?;
            (window.title.as_deref() == Some(title) && window.min_size.0 == least).then_some(())
        });
    };
    has("Plan", 400);
    d.ede.write_document("plan", &window("Other plan", 500));
    has("Other plan", 500);
}

/// Pixels of the theme's red: the mark's triangle.
fn red(panel: &SurfaceView) -> usize {
    picture::count(&panel.picture(), |p| {
        p[3] > 200 && p[0] > 0xb0 && p[1] < 0x60 && p[2] < 0x60
    })
}

#[test]
fn mistakes_in_files_stay_marked_on_the_panel_until_they_are_mended() {
    let (mut d, _) = Desktop::start(&[one()]);
    d.settle(1);
    assert_eq!(red(&d.panel()), 0);
    let ui = d.ede.config().join("ui");
    let write = |name: &str, text: &str| std::fs::write(ui.join(name), text).unwrap();
    let good = std::fs::read_to_string(ui.join("desktop.ede-ui.json")).unwrap();
    write("desktop.ede-ui.json", "{\n \"formatVersion\": 1,");
    std::fs::write(d.ede.data().join("apps/no id.app.json"), "{}").unwrap();
    let marked = d.compositor.wait_for("a mark on the panel", |s| {
        s.layer("ede-panel").filter(|p| red(p) > 20).cloned()
    });
    // It is the panel's last item; pressed, it says what and where.
    let x = f64::from(marked.size.0) - 30.0;
    d.press(LEFT, (x, 28.0));
    let popup = d.popup(None);
    let list = d.compositor.wait_for("the list of mistakes", |s| {
        s.surface(popup).filter(|p| painted(p)).cloned()
    });
    assert!(list.size.0 >= 320 && list.size.1 > 100, "{:?}", list.size);
    // Half mended, the other is still marked; wholly mended, nothing is.
    write("desktop.ede-ui.json", &good);
    d.compositor.wait_for("a shorter list", |s| {
        s.surface(popup)
            .filter(|p| painted(p) && p.size.1 < list.size.1)
            .map(|_| ())
    });
    assert!(red(&d.panel()) > 20);
    std::fs::remove_file(d.ede.data().join("apps/no id.app.json")).unwrap();
    d.compositor.wait_for("no mark", |s| {
        s.layer("ede-panel").filter(|p| red(p) == 0).map(|_| ())
    });
    d.no_popup();
    assert!(d.shell.runs());
}

#[test]
fn a_theme_with_a_mistake_is_told_of_and_marked_until_it_is_mended() {
    let ede = Ede::new();
    ede.write_document(
        "session",
        r#"{"formatVersion": 1, "id": "session", "kind": "session", "session": {"theme": "mine"}}"#,
    );
    let themes = ede.config().join("themes");
    std::fs::create_dir_all(&themes).unwrap();
    let good = format!(
        r#"{{"$schema": "{THEME_SCHEMA_ID}", "id": "mine", "name": "Mine", "extends": "neutral"}}"#
    );
    let write = |text: &str| std::fs::write(themes.join("mine.theme.json"), text).unwrap();
    write(&good);
    let (d, _) = Desktop::start_with(&[one()], ede);
    d.settle(1);
    assert_eq!(red(&d.panel()), 0);
    write(&good.replace("neutral", "no such theme"));
    d.compositor.wait_for("the message", |s| {
        s.layer("ede-toast").filter(|t| painted(t)).map(|_| ())
    });
    d.compositor.wait_for("a mark on the panel", |s| {
        s.layer("ede-panel").filter(|p| red(p) > 20).map(|_| ())
    });
    write(&good);
    d.compositor.wait_for("no mark", |s| {
        s.layer("ede-panel").filter(|p| red(p) == 0).map(|_| ())
    });
}
