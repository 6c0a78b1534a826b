//! The preview without a display: its window laid out and painted offscreen.
#![allow(clippy::unwrap_used, clippy::expect_used)]

use std::time::{Duration, SystemTime};

use ede_renderer::geometry::Size;
use ede_tests::golden::{Tolerance, assert_golden};
use ede_tests::picture::{self, Picture};
use tempfile::TempDir;

use super::*;
use crate::desktop::desk::Desk;
use crate::desktop::feed::Records;
use crate::desktop::offscreen::document::of_window;
use crate::desktop::setup::{self, Look};
use crate::desktop::window::{Body, Window};
use crate::sources::zone::ZoneFile;

/// The same painter; another machine may round an edge differently.
const SAME: Tolerance = Tolerance {
    channel: 2,
    share: 0.0005,
};
const HOURS: &str = include_str!("../../../../assets/apps/ede.hours.app.json");

fn desk(dark: bool) -> Desk {
    let look = Look {
        dark,
        locale: Some("en-IE".into()),
        now: Some("2026-11-30T09:41:00+01:00".parse().unwrap()),
        zone: ZoneFile::named("Europe/Vienna"),
        ..Look::default()
    };
    setup::desk(&look, Default::default(), Records::Empty).unwrap()
}

/// A package's file in a folder of its own, saved at a fixed time.
fn file(dir: &TempDir, text: &str) -> PathBuf {
    let path = dir.path().join("hours.app.json");
    std::fs::write(&path, text).unwrap();
    // 2026-11-30 09:41:07 in Vienna.
    let saved = SystemTime::UNIX_EPOCH + Duration::from_secs(1_796_028_067);
    let times = std::fs::FileTimes::new().set_modified(saved);
    std::fs::File::options()
        .write(true)
        .open(&path)
        .unwrap()
        .set_times(times)
        .unwrap();
    path
}

fn window(subject: Subject, options: PreviewOptions, desk: &Desk) -> Window {
    let preview = Preview::new(subject, options, desk.style.clone());
    let title = preview.title();
    Window::new(&title, Body::Preview(Box::new(preview)), &desk.style)
}

fn shot(desk: &mut Desk, window: &mut Window) -> (Picture, Value) {
    let taken = of_window(desk, window, Size::new(1216.0, 720.0))
        .paint(1.0)
        .unwrap();
    let dir = tempfile::tempdir().unwrap();
    let path = dir.path().join("shot.png");
    std::fs::write(&path, taken.png).unwrap();
    (picture::load(path).unwrap(), taken.dump)
}

fn texts(dump: &Value) -> Vec<&str> {
    let nodes = dump["nodes"].as_array().unwrap();
    nodes.iter().filter_map(|n| n["text"].as_str()).collect()
}

fn dark() -> PreviewOptions {
    PreviewOptions {
        dark: true,
        ..PreviewOptions::default()
    }
}

#[test]
fn a_package_stands_in_a_phone_and_a_wide_window_side_by_side() {
    let dir = tempfile::tempdir().unwrap();
    let mut desk = desk(true);
    let options = PreviewOptions {
        screen: Some("month".into()),
        ..dark()
    };
    let mut window = window(Subject::File(file(&dir, HOURS)), options, &desk);
    let (picture, dump) = shot(&mut desk, &mut window);
    assert_golden("shell/preview.dark", &picture, SAME);
    let texts = texts(&dump);
    assert!(texts.contains(&"Live, saved 09:41:07"), "{texts:?}");
    // The bottom bar and the sidebar have the same four screens.
    assert_eq!(texts.iter().filter(|t| **t == "Report").count(), 2);
}

#[test]
fn a_broken_save_keeps_the_last_good_version_and_lists_what_is_wrong() {
    let dir = tempfile::tempdir().unwrap();
    let mut desk = desk(false);
    let path = file(&dir, HOURS);
    let mut window = window(Subject::File(path), PreviewOptions::default(), &desk);
    shot(&mut desk, &mut window);
    file(&dir, &HOURS.replacen("\"Text\"", "\"Txet\"", 1));
    window.reload();
    let (picture, dump) = shot(&mut desk, &mut window);
    assert_golden("shell/preview.problem", &picture, SAME);
    let shown = texts(&dump);
    assert!(shown.contains(&"The last good version"), "{shown:?}");
    assert!(shown.iter().any(|t| t.contains("Txet")), "{shown:?}");
    assert!(
        shown.iter().any(|t| t.starts_with("/templates/")),
        "{shown:?}"
    );
    assert!(shown.contains(&"Today"), "the good version's navigation");
    file(&dir, HOURS);
    window.reload();
    let (_, dump) = shot(&mut desk, &mut window);
    assert!(texts(&dump).contains(&"Live, saved 09:41:07"));
}

#[test]
fn what_is_never_seen_is_listed_with_its_place() {
    let dir = tempfile::tempdir().unwrap();
    let mut desk = desk(false);
    let blank = json!({
        "formatVersion": 3, "id": "acme.blank", "name": "Blank", "version": "1.0.0", "catalogId": eui_core::CORE_CATALOG_ID,
        "icon": {"glyph": "clock", "color": "blue"}, "description": "Nothing to see",
        "templates": {"main": {"components": [{"id": "root", "component": "Box", "children": []}]}},
        "screens": [{"template": "main", "title": "Main"}],
    });
    let mut window = window(
        Subject::File(file(&dir, &blank.to_string())),
        PreviewOptions::default(),
        &desk,
    );
    let (_, dump) = shot(&mut desk, &mut window);
    let shown = texts(&dump);
    assert!(shown.contains(&"/templates/main/components/0"), "{shown:?}");
    assert!(
        shown.contains(&"without records nothing is to be seen in a window 390 wide"),
        "{shown:?}"
    );
}

#[test]
fn a_file_that_never_checked_shows_its_problems_alone() {
    let dir = tempfile::tempdir().unwrap();
    let mut desk = desk(false);
    let mut window = window(
        Subject::File(file(&dir, "{")),
        PreviewOptions::default(),
        &desk,
    );
    let (_, dump) = shot(&mut desk, &mut window);
    let shown = texts(&dump);
    assert!(shown.contains(&"Nothing to show yet"), "{shown:?}");
    assert!(
        shown.iter().any(|t| t.contains("ends too early")),
        "{shown:?}"
    );
}

#[test]
fn navigation_and_controls_change_what_is_shown() {
    let dir = tempfile::tempdir().unwrap();
    let desk = desk(false);
    let options = PreviewOptions::default();
    let mut preview = Preview::new(
        Subject::File(file(&dir, HOURS)),
        options,
        desk.style.clone(),
    );
    let screen = |p: &Preview| {
        let (_, all) = p.components();
        let content = all.iter().find(|c| c["id"] == "preview.wide.content");
        content.unwrap()["screen"].as_str().unwrap().to_owned()
    };
    assert_eq!(screen(&preview), "today");
    assert!(preview.event("preview.screen", &json!({"value": "month"})));
    assert_eq!(screen(&preview), "month");
    let to = Visit {
        screen: "work".into(),
        params: Value::Null,
    };
    assert!(preview.navigate(to));
    assert!(preview.back());
    assert_eq!(screen(&preview), "month");
    preview.event("preview.shown", &json!({"value": "wide"}));
    let (_, all) = preview.components();
    assert!(all.iter().all(|c| c["id"] != "preview.phone"));
    preview.event("preview.mode", &json!({"value": "dark"}));
    preview.event("preview.theme", &json!({"value": "neutral"}));
    preview.event("preview.locale", &json!({"value": "ar-EG"}));
    let style = preview.style();
    assert_eq!(
        (style.mode, style.theme().id.as_str(), style.locale.as_str()),
        (Mode::Dark, "neutral", "ar-EG")
    );
    assert!(!preview.event("preview.other", &json!({"value": "x"})));
}

#[test]
fn the_gallery_shows_every_component_of_the_catalog_or_the_one_that_is_chosen() {
    let mut desk = desk(true);
    let mut all = window(Subject::Gallery, dark(), &desk);
    let (picture, dump) = shot(&mut desk, &mut all);
    assert_golden("shell/preview.gallery", &picture, SAME);
    let shown = texts(&dump);
    for name in eui_core::generated::catalog::COMPONENT_NAMES {
        let times = shown.iter().filter(|t| *t == name).count();
        assert!(times >= 2, "{name} is in both windows: {times}");
    }
    let options = PreviewOptions {
        screen: Some("table".into()),
        ..dark()
    };
    let mut one = window(Subject::Gallery, options, &desk);
    let (_, dump) = shot(&mut desk, &mut one);
    let shown = texts(&dump);
    assert!(
        shown.contains(&"Table") && !shown.contains(&"Sparkline"),
        "{shown:?}"
    );
}
