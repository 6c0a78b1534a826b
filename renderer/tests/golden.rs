//! Pictures of the painter's primitives, as they were looked at.

#![allow(clippy::unwrap_used, clippy::expect_used)]

mod support;

use ede_renderer::display::DisplayList;
use ede_renderer::png::Rgba;
use std::path::{Path as FilePath, PathBuf};
use support::lists::{groups, shapes, words};
use support::paint;

/// Compares with `tests/golden/NAME.png`; `EDE_BLESS=1` writes it instead. A failure leaves the actual picture and the difference in
/// the target folder.
fn golden(name: &str, list: &DisplayList, (w, h): (f32, f32), scale: f32) {
    let (w, h) = ((w * scale) as u32, (h * scale) as u32);
    let actual = Rgba::from_painted(w, h, &paint(list, (w, h), scale));
    let file = FilePath::new(env!("CARGO_MANIFEST_DIR")).join(format!("tests/golden/{name}.png"));
    if std::env::var_os("EDE_BLESS").is_some() {
        std::fs::create_dir_all(file.parent().unwrap()).unwrap();
        std::fs::write(&file, actual.encode().unwrap()).unwrap();
        return;
    }
    let expected = Rgba::decode(&std::fs::read(&file).expect("golden image")).unwrap();
    let off = actual.difference(&expected, 2).expect("same size");
    if off.pixels > 0 {
        let out = PathBuf::from(env!("CARGO_TARGET_TMPDIR"));
        let write = |what: &str, picture: &Rgba| {
            let file = out.join(format!("{name}.{what}.png"));
            std::fs::write(file, picture.encode().unwrap()).unwrap();
        };
        write("actual", &actual);
        write("expected", &expected);
        write("difference", &off.picture);
        panic!("{name}: {} pixels differ by up to {}", off.pixels, off.most);
    }
}

#[test]
fn shapes_look_as_they_were_looked_at() {
    for scale in [1.0, 1.5, 2.0] {
        golden(&format!("shapes@{scale}"), &shapes(), (320.0, 200.0), scale);
    }
}

#[test]
fn words_and_icons_look_as_they_were_looked_at() {
    for scale in [1.0, 1.5, 2.0] {
        golden(&format!("words@{scale}"), &words(), (320.0, 200.0), scale);
    }
}

#[test]
fn groups_look_as_they_were_looked_at() {
    for scale in [1.0, 2.0] {
        golden(&format!("groups@{scale}"), &groups(), (360.0, 190.0), scale);
    }
}
