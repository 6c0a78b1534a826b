//! What `assets` and `themes` hold is what a first run installs: every package and document is sound as `ede check` judges it
//! (its templates reduce without an issue, its own tests pass), and every theme loads.
#![allow(clippy::unwrap_used, clippy::expect_used)]

use std::path::{Path, PathBuf};

use ede_engine::documents::Document;
use ede_engine::issue::Issue;
use ede_engine::package::{Package, WidgetSize};

fn files(folder: &str, ending: &str) -> Vec<(PathBuf, Vec<u8>)> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR"))
        .join("../..")
        .join(folder);
    let mut found: Vec<(PathBuf, Vec<u8>)> = std::fs::read_dir(folder)
        .unwrap()
        .map(|entry| entry.unwrap().path())
        .filter(|path| path.to_string_lossy().ends_with(ending))
        .map(|path| (path.clone(), std::fs::read(&path).unwrap()))
        .collect();
    found.sort();
    assert!(!found.is_empty());
    found
}

fn said(path: &Path, issues: &[Issue]) -> Vec<String> {
    issues
        .iter()
        .map(|i| format!("{}: {}: {}", path.display(), i.pointer, i.message))
        .collect()
}

#[test]
fn every_bundled_package_is_sound() {
    let mut wrong = Vec::new();
    for (path, bytes) in files("assets/apps", ".app.json") {
        wrong.extend(said(&path, &Package::read(&bytes).issues));
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

#[test]
fn every_bundled_package_has_widgets_of_each_size_and_is_named_after_its_file() {
    for (path, bytes) in files("assets/apps", ".app.json") {
        let package = Package::read(&bytes).package.unwrap();
        let name = path.file_name().unwrap().to_string_lossy().into_owned();
        assert_eq!(name, format!("{}.app.json", package.id()));
        for size in ["s", "m", "l"] {
            let size = WidgetSize::parse(size).unwrap();
            assert!(package.widget(size, None).is_ok(), "{name} {size}");
        }
    }
}

#[test]
fn every_default_document_is_sound_and_names_widgets_there_are() {
    let packages: Vec<Package> = files("assets/apps", ".app.json")
        .iter()
        .filter_map(|(_, bytes)| Package::read(bytes).package)
        .collect();
    let mut wrong = Vec::new();
    for (path, bytes) in files("assets/ui", ".ede-ui.json") {
        let parsed = Document::read(&bytes);
        wrong.extend(said(&path, &parsed.issues));
        for component in parsed.document.iter().flat_map(|d| d.components()) {
            if component["component"] != "AppWidget" {
                continue;
            }
            let size = WidgetSize::parse(component["size"].as_str().unwrap()).unwrap();
            let there = packages.iter().any(|package| {
                component["app"] == package.id().as_str()
                    && package
                        .screens()
                        .iter()
                        .any(|s| component["screen"] == s.id.as_str())
                    && package.widget(size, None).is_ok()
            });
            if !there {
                wrong.push(format!("{}: no such widget: {component}", path.display()));
            }
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

#[test]
fn every_example_theme_loads_without_an_issue() {
    for (path, bytes) in files("themes", ".theme.json") {
        let value: serde_json::Value = serde_json::from_slice(&bytes).unwrap();
        let (_, issues) = eui_core::themes::theme_or_default(&value);
        assert!(issues.is_empty(), "{}: {issues:?}", path.display());
    }
}
