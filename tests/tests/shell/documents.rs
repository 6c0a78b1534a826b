//! Documents that change under a running shell.

use ede_tests::compositor::{Compositor, Globals, OutputSpec, SurfaceView};
use ede_tests::program::{Ede, Shell};

/// A panel of this thickness, and nothing else on the desktop.
fn panel(thickness: u32) -> String {
    serde_json::json!({
        "formatVersion": 1, "id": "panel-top", "kind": "panel",
        "place": {"outputs": ["*"], "edge": "top", "thickness": thickness, "layer": "top", "reserve": true},
        "components": [{"id": "root", "component": "Text", "text": "A panel"}]
    })
    .to_string()
}

fn started(ede: &Ede) -> (Compositor, Shell) {
    let compositor = Compositor::start(Globals::all());
    compositor.add_output(OutputSpec::new("DP-1", 1280, 800));
    let shell = ede.run_on(&compositor);
    (compositor, shell)
}

/// Wait for a panel that keeps at least this much free and less than ten more.
fn reserved(compositor: &Compositor, thickness: i32) -> SurfaceView {
    compositor.wait_for(&format!("a panel of {thickness}"), |scene| {
        let panel = scene.layer("ede-panel")?;
        let zone = panel.layer()?.place.exclusive_zone;
        (thickness..thickness + 10)
            .contains(&zone)
            .then(|| panel.clone())
    })
}

#[test]
fn a_document_saved_by_rename_is_shown_every_time() {
    let ede = Ede::new();
    ede.write_document("panel-top", &panel(40));
    let (compositor, _shell) = started(&ede);
    for thickness in [40, 60, 80, 50] {
        ede.write_document("panel-top", &panel(thickness as u32));
        reserved(&compositor, thickness);
    }
}

#[test]
fn a_document_that_does_not_read_leaves_the_last_good_panel() {
    let ede = Ede::new();
    ede.write_document("panel-top", &panel(40));
    let (compositor, mut shell) = started(&ede);
    reserved(&compositor, 40);
    let whole = panel(60);
    let file = ede.config().join("ui/panel-top.ede-ui.json");
    for broken in [
        &whole[..whole.len() / 2],
        "",
        "[1, 2",
        &whole.replace("\"Text\"", "\"Txet\""),
        &whole.replace("60", "-5"),
    ] {
        std::fs::write(&file, broken).unwrap();
    }
    // Changes are taken up in their order: once the next good one is on screen, the broken ones were seen.
    ede.write_document(
        "panel-low",
        &panel(50)
            .replace("panel-top", "panel-low")
            .replace("\"top\",\"thick", "\"bottom\",\"thick"),
    );
    compositor.wait_for("a second panel", |scene| {
        let panels = scene
            .layers()
            .filter(|surface| surface.namespace() == Some("ede-panel"));
        (panels.count() == 2).then_some(())
    });
    reserved(&compositor, 40);
    assert!(shell.runs());
}

#[test]
fn a_removed_panel_goes_and_a_restored_one_comes() {
    let ede = Ede::new();
    ede.write_document("panel-top", &panel(40));
    let (compositor, _shell) = started(&ede);
    reserved(&compositor, 40);
    std::fs::remove_file(ede.config().join("ui/panel-top.ede-ui.json")).unwrap();
    compositor.wait_for("no panel", |scene| {
        scene.layer("ede-panel").is_none().then_some(())
    });
    ede.write_document("panel-top", &panel(40));
    reserved(&compositor, 40);
}
