#![allow(clippy::unwrap_used)]
use std::ffi::OsString;

use super::*;
use crate::desktop::desk::Desk;
use crate::desktop::setup;

fn paths(dir: &Path) -> Paths {
    let place = |name: &str| Some(OsString::from(dir.join(name)));
    Paths::resolve(|v| match v {
        "EDE_CONFIG_HOME" => place("config"),
        "EDE_DATA_HOME" => place("data"),
        "EDE_RUNTIME_DIR" => place("run"),
        "HOME" => place("home"),
        _ => None,
    })
    .unwrap()
}

/// A first run in folders of its own, looked at once. The folders go with the first of these.
fn looked() -> (tempfile::TempDir, Paths, Desk, Library) {
    let dir = tempfile::tempdir().unwrap();
    let paths = paths(dir.path());
    let mut desk = setup::offscreen(&Default::default()).unwrap();
    let mut library = Library::new(&paths);
    library.first_run().unwrap();
    library.look(&mut desk.docs, &mut desk.shelf);
    (dir, paths, desk, library)
}

#[test]
fn a_first_run_has_a_session_a_panel_a_desktop_and_apps_and_a_removed_panel_stays_removed() {
    let dir = tempfile::tempdir().unwrap();
    let paths = paths(dir.path());
    let mut desk = setup::offscreen(&Default::default()).unwrap();
    let mut library = Library::new(&paths);
    library.first_run().unwrap();
    let changed = library.look(&mut desk.docs, &mut desk.shelf);
    assert!(changed.documents && changed.session);
    assert_eq!(changed.apps.len(), BUNDLED.len());
    assert_eq!(desk.docs.panels_on(Default::default()).len(), 1);
    std::fs::remove_file(store::path_of(&paths.ui(), "panel-top")).unwrap();
    assert!(library.look(&mut desk.docs, &mut desk.shelf).documents);
    library.first_run().unwrap();
    assert!(!library.look(&mut desk.docs, &mut desk.shelf).documents);
    assert!(desk.docs.panels_on(Default::default()).is_empty());
}

#[test]
fn a_first_run_that_was_cut_short_is_finished_by_the_next() {
    let dir = tempfile::tempdir().unwrap();
    let paths = paths(dir.path());
    Library::new(&paths).first_run().unwrap();
    std::fs::remove_file(paths.apps().join(DONE)).unwrap();
    std::fs::remove_file(paths.apps().join("ede.tasks.app.json")).unwrap();
    Library::new(&paths).first_run().unwrap();
    assert!(paths.apps().join("ede.tasks.app.json").exists());
    std::fs::remove_file(paths.apps().join("ede.tasks.app.json")).unwrap();
    Library::new(&paths).first_run().unwrap();
    assert!(!paths.apps().join("ede.tasks.app.json").exists());
}

#[test]
fn launchers_are_told_of_the_apps_once_and_only_when_they_are_to_be() {
    let (_dir, paths, _desk, _library) = looked();
    let entry = paths.applications().join("ede-ede.tasks.desktop");
    assert!(!paths.applications().exists(), "a first run tells nobody");
    list_in_launchers(&paths);
    assert!(entry.is_file());
    std::fs::remove_file(&entry).unwrap();
    list_in_launchers(&paths);
    assert!(!entry.exists(), "what the person removes stays removed");
}

#[test]
fn a_half_written_document_changes_nothing_and_the_whole_one_does() {
    let (_dir, paths, mut desk, mut library) = looked();
    let file = store::path_of(&paths.ui(), "panel-top");
    let whole = std::fs::read(&file).unwrap();
    std::fs::write(&file, &whole[..whole.len() / 2]).unwrap();
    let only_mistakes = Changed {
        mistakes: true,
        ..Changed::default()
    };
    assert_eq!(library.look(&mut desk.docs, &mut desk.shelf), only_mistakes);
    assert_eq!(desk.docs.panels_on(Default::default()).len(), 1);
    let untold = library.take_untold();
    assert_eq!(
        (untold.len(), untold[0].file.as_str()),
        (1, "panel-top.ede-ui.json")
    );
    library.look(&mut desk.docs, &mut desk.shelf);
    assert_eq!(library.take_untold(), [], "it is told once");
    let text = String::from_utf8(whole)
        .unwrap()
        .replace("\"thickness\": 40", "\"thickness\": 44");
    std::fs::write(&file, text).unwrap();
    assert_eq!(library.mistakes().len(), 1, "as long as it is there");
    let mended = library.look(&mut desk.docs, &mut desk.shelf);
    assert!(mended.documents && mended.mistakes);
    assert_eq!(
        (library.take_untold(), library.mistakes()),
        (vec![], vec![])
    );
}

#[test]
fn of_two_files_with_one_id_the_one_named_after_it_is_shown_and_the_other_is_told_of_once() {
    let (_dir, paths, mut desk, mut library) = looked();
    let copy = store::path_of(&paths.ui(), "a-copy");
    let text = std::fs::read_to_string(store::path_of(&paths.ui(), "panel-top")).unwrap();
    std::fs::write(
        &copy,
        text.replace("\"thickness\": 40", "\"thickness\": 44"),
    )
    .unwrap();
    let shown = |desk: &crate::desktop::desk::Desk| {
        let panels = desk.docs.panels_on(Default::default());
        panels.iter().map(|p| p.1.thickness).collect::<Vec<_>>()
    };
    for mistakes in [true, false] {
        assert_eq!(
            library.look(&mut desk.docs, &mut desk.shelf),
            Changed {
                mistakes,
                ..Changed::default()
            }
        );
        assert_eq!(shown(&desk), [40.0]);
    }
    let untold = library.take_untold();
    assert_eq!(
        (untold.len(), untold[0].file.as_str()),
        (1, "a-copy.ede-ui.json")
    );
    assert!(
        untold[0]
            .what
            .contains("the id of panel-top.ede-ui.json already")
    );
    // The file that counted goes: the other one counts then.
    std::fs::remove_file(store::path_of(&paths.ui(), "panel-top")).unwrap();
    assert!(library.look(&mut desk.docs, &mut desk.shelf).documents);
    assert_eq!(shown(&desk), [44.0]);
}

#[test]
fn a_file_with_a_mistake_keeps_its_id_from_a_copy() {
    let (_dir, paths, mut desk, mut library) = looked();
    let file = store::path_of(&paths.ui(), "panel-top");
    let whole = std::fs::read_to_string(&file).unwrap();
    let other = whole.replace("\"thickness\": 40", "\"thickness\": 44");
    let copy = store::path_of(&paths.ui(), "panel-top-old");
    std::fs::write(&copy, &other).unwrap();
    let shown = |desk: &Desk| {
        let panels = desk.docs.panels_on(Default::default());
        panels.iter().map(|p| p.1.thickness).collect::<Vec<_>>()
    };
    library.look(&mut desk.docs, &mut desk.shelf);
    std::fs::write(&file, "{").unwrap();
    assert!(!library.look(&mut desk.docs, &mut desk.shelf).documents);
    assert_eq!((shown(&desk), library.mistakes().len()), (vec![40.0], 2));
    // A menu does not write to the copy.
    let refused = library.edit_widget(&desk.docs, "panel-top", "clock", None);
    assert!(refused.unwrap_err().contains("has a mistake"));
    assert_eq!(std::fs::read_to_string(&copy).unwrap(), other);
    // It is the copy's turn when the file is gone; then it is the copy that keeps the id, from all but the file named after it.
    std::fs::remove_file(&file).unwrap();
    library.look(&mut desk.docs, &mut desk.shelf);
    assert_eq!(shown(&desk), [44.0]);
    std::fs::write(&copy, "{").unwrap();
    std::fs::write(store::path_of(&paths.ui(), "a-copy"), &whole).unwrap();
    library.look(&mut desk.docs, &mut desk.shelf);
    assert_eq!(shown(&desk), [44.0]);
    std::fs::write(&file, &whole).unwrap();
    library.look(&mut desk.docs, &mut desk.shelf);
    assert_eq!(shown(&desk), [40.0]);
}

#[test]
fn two_files_that_swap_their_ids_lose_neither_document() {
    let (dir, paths, mut desk, mut library) = looked();
    let (a, b) = (
        store::path_of(&paths.ui(), "desktop"),
        store::path_of(&paths.ui(), "panel-top"),
    );
    std::fs::rename(&a, dir.path().join("kept")).unwrap();
    std::fs::rename(&b, &a).unwrap();
    std::fs::rename(dir.path().join("kept"), &b).unwrap();
    let before = desk.docs.iter().count();
    library.look(&mut desk.docs, &mut desk.shelf);
    assert_eq!(desk.docs.iter().count(), before);
    assert!(desk.docs.board_on(Default::default()).is_some());
}

#[test]
fn a_menu_never_writes_over_what_the_person_is_writing() {
    let (_dir, paths, desk, library) = looked();
    let file = store::path_of(&paths.ui(), "desktop");
    let whole = std::fs::read_to_string(&file).unwrap();
    let widget = desk
        .docs
        .board_on(Default::default())
        .and_then(|(d, _)| {
            let c = d
                .components()
                .iter()
                .find(|c| c["component"] == "AppWidget")?;
            Some(c["id"].as_str()?.to_string())
        })
        .unwrap();
    let typo = whole.replacen("\"components\"", "\"componets\"", 1);
    let newer = whole.replacen("\"kind\"", "\"$comment\": \"mine\", \"kind\"", 1);
    for (text, why) in [(typo, "has a mistake"), (newer, "has just changed")] {
        assert_ne!(text, whole);
        std::fs::write(&file, &text).unwrap();
        for size in [None, Some("l")] {
            let error = library
                .edit_widget(&desk.docs, "desktop", &widget, size)
                .unwrap_err();
            assert!(error.contains(why), "{error}");
        }
        assert_eq!(std::fs::read_to_string(&file).unwrap(), text);
    }
}

#[test]
fn a_widget_taken_from_the_desktop_is_gone_from_the_file() {
    let (_dir, _, mut desk, mut library) = looked();
    let widget = desk
        .docs
        .iter()
        .find(|d| d.id().as_str() == "desktop")
        .unwrap()
        .components()
        .iter()
        .find(|c| c["component"] == "AppWidget")
        .unwrap()["id"]
        .as_str()
        .unwrap()
        .to_string();
    library
        .edit_widget(&desk.docs, "desktop", &widget, None)
        .unwrap();
    assert!(library.look(&mut desk.docs, &mut desk.shelf).documents);
    let document = desk
        .docs
        .iter()
        .find(|d| d.id().as_str() == "desktop")
        .unwrap();
    assert!(
        !document
            .value()
            .to_string()
            .contains(&format!("\"{widget}\""))
    );
}
