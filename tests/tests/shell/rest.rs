//! A desktop that nobody touches.

use std::time::Duration;

use ede_tests::compositor::Globals;
use ede_tests::picture;

use crate::desk;

/// A panel with nothing that changes.
const STILL: &str = r#"{"formatVersion": 1, "id": "panel-top", "kind": "panel",
    "place": {"outputs": ["*"], "edge": "top", "thickness": 40, "layer": "top", "reserve": true},
    "components": [{"id": "root", "component": "Text", "text": "Still"}]}"#;

#[test]
fn the_default_desktop_is_shown_whole_and_without_a_fault() {
    let desk = desk(Globals::all(), 1.0);
    desk.shown();
    let shot = desk.compositor.screenshot(desk.output);
    assert!(
        picture::colours(&picture::crop(&shot, 0, 0, 1280, 56)) > 50,
        "a panel with text"
    );
    let commits = desk.compositor.commits();
    assert!(
        commits.iter().all(|commit| !commit.unpaced),
        "no surface painted ahead of its frame callback"
    );
}

#[test]
fn a_desktop_at_rest_commits_nothing() {
    let compositor = ede_tests::compositor::Compositor::start(Globals::all());
    compositor.add_output(ede_tests::compositor::OutputSpec::new("DP-1", 1280, 800));
    let ede = ede_tests::program::Ede::new();
    ede.write_document("panel-top", STILL);
    ede.write_document("desktop", r#"{"formatVersion": 1, "id": "desktop", "kind": "desktop",
        "place": {"outputs": ["*"]}, "components": [{"id": "root", "component": "Box", "children": []}]}"#);
    let _shell = ede.run_on(&compositor);
    compositor.wait_for("the panel", |scene| scene.layer("ede-panel").cloned());
    // A second to come to rest: the number of commits must not depend on how long it is watched.
    std::thread::sleep(Duration::from_secs(1));
    compositor.take_commits();
    std::thread::sleep(Duration::from_secs(2));
    let commits = compositor.take_commits();
    assert!(
        commits.is_empty(),
        "{} commits at rest: {:?}",
        commits.len(),
        commits.first()
    );
}
