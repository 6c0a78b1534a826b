//! Documents that change on disk while the shell runs.

use ede_tests::compositor::Scene;
use ede_tests::program::Ede;

use super::harness::{Desktop, one, painted};

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
