//! Golden pictures: what was drawn against a PNG file a person can open.
//!
//! The expected pictures are `fixtures/golden/NAME.png`; a name may hold folders. A failure leaves
//! `NAME.actual.png`, `NAME.expected.png` and `NAME.difference.png` under `target/golden`. Running a test with
//! `EDE_BLESS=1` takes what was drawn as the new expectation: look at the pictures before committing them.

use std::fmt;
use std::path::{Path, PathBuf};

use image::Rgba;

use crate::picture::{self, Picture};

/// How far a picture may be from the expected one.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Tolerance {
    /// A channel may differ by this much without counting at all.
    pub channel: u8,
    /// So many pixels, as a share of all (0 to 1), may differ by more.
    pub share: f64,
}

impl Tolerance {
    /// Every byte the same.
    pub const EXACT: Self = Self {
        channel: 0,
        share: 0.0,
    };
    /// Two painters of one scene: 2 in each channel, and one antialiased pixel in two hundred.
    pub const PAINTERS: Self = Self {
        channel: 2,
        share: 0.005,
    };
}

/// Why a picture is not the expected one.
#[derive(Debug)]
pub struct Mismatch {
    name: String,
    what: What,
    /// Where the three pictures are.
    folder: PathBuf,
}

#[derive(Debug)]
enum What {
    /// There is no readable expectation.
    Missing(String),
    /// The sizes: actual, expected.
    Size((u32, u32), (u32, u32)),
    /// Pixels that differ, of how many, and the largest difference of a channel.
    Pixels {
        differing: usize,
        of: usize,
        largest: u8,
    },
    /// The pictures could not be written.
    Write(String),
}

impl fmt::Display for Mismatch {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { name, what, folder } = self;
        match what {
            What::Missing(why) => write!(f, "golden picture {name}: {why}; EDE_BLESS=1 makes it")?,
            What::Size(actual, expected) => {
                let ((aw, ah), (ew, eh)) = (actual, expected);
                write!(f, "golden picture {name}: {aw}×{ah} instead of {ew}×{eh}")?;
            }
            What::Pixels {
                differing,
                of,
                largest,
            } => {
                write!(
                    f,
                    "golden picture {name}: {differing} of {of} pixels differ, by up to {largest}"
                )?;
            }
            What::Write(why) => return write!(f, "golden picture {name}: {why}"),
        }
        write!(f, " (see {}/{name}.*.png)", folder.display())
    }
}

impl std::error::Error for Mismatch {}

/// Compare a picture with `fixtures/golden/NAME.png`.
///
/// # Panics
/// When it differs by more than the tolerance allows.
pub fn assert_golden(name: &str, actual: &Picture, tolerance: Tolerance) {
    if let Err(mismatch) = check(name, actual, tolerance) {
        panic!("{mismatch}");
    }
}

/// As [`assert_golden`], with an answer instead of a panic.
///
/// # Errors
/// When the picture differs by more than the tolerance allows, or there is nothing to compare it with.
pub fn check(name: &str, actual: &Picture, tolerance: Tolerance) -> Result<(), Mismatch> {
    let workspace = Path::new(env!("CARGO_MANIFEST_DIR")).join("..");
    let target = std::env::var_os("CARGO_TARGET_DIR")
        .map_or_else(|| workspace.join("target"), PathBuf::from);
    let bless = std::env::var_os("EDE_BLESS").is_some_and(|wish| wish == "1");
    let folders = Folders {
        expected: workspace.join("fixtures/golden"),
        failed: target.join("golden"),
    };
    check_in(&folders, name, actual, tolerance, bless)
}

struct Folders {
    expected: PathBuf,
    failed: PathBuf,
}

fn check_in(
    folders: &Folders,
    name: &str,
    actual: &Picture,
    tolerance: Tolerance,
    bless: bool,
) -> Result<(), Mismatch> {
    let failed = |what| Mismatch {
        name: name.to_owned(),
        what,
        folder: folders.failed.clone(),
    };
    let file = folders.expected.join(format!("{name}.png"));
    let expected = picture::load(&file);
    let what = match &expected {
        Err(error) => Some(What::Missing(error.to_string())),
        Ok(expected) => compare(actual, expected, tolerance),
    };
    let Some(what) = what else { return Ok(()) };
    if bless {
        return save(actual, &file).map_err(|error| failed(What::Write(error)));
    }
    let mut pictures = vec![("actual", actual.clone())];
    if let Ok(expected) = expected {
        pictures.push(("difference", difference(actual, &expected, tolerance)));
        pictures.push(("expected", expected));
    }
    for (kind, picture) in pictures {
        let file = folders.failed.join(format!("{name}.{kind}.png"));
        save(&picture, &file).map_err(|error| failed(What::Write(error)))?;
    }
    Err(failed(what))
}

fn save(picture: &Picture, file: &Path) -> Result<(), String> {
    let folder = file.parent().unwrap_or(file);
    std::fs::create_dir_all(folder).map_err(|error| format!("{}: {error}", folder.display()))?;
    picture
        .save(file)
        .map_err(|error| format!("{}: {error}", file.display()))
}

/// What is wrong, if anything is.
fn compare(actual: &Picture, expected: &Picture, tolerance: Tolerance) -> Option<What> {
    if actual.dimensions() != expected.dimensions() {
        return Some(What::Size(actual.dimensions(), expected.dimensions()));
    }
    let of = actual.pixels().len();
    let distances = actual
        .pixels()
        .zip(expected.pixels())
        .map(|(a, b)| distance(a, b));
    let over: Vec<u8> = distances
        .filter(|distance| *distance > tolerance.channel)
        .collect();
    let allowed = (of as f64 * tolerance.share) as usize;
    let largest = over.iter().copied().max().unwrap_or_default();
    (over.len() > allowed).then_some(What::Pixels {
        differing: over.len(),
        of,
        largest,
    })
}

/// The largest difference of a channel. What is fully transparent has no colour to differ.
fn distance(a: &Rgba<u8>, b: &Rgba<u8>) -> u8 {
    if a.0[3] == 0 && b.0[3] == 0 {
        return 0;
    }
    a.0.iter()
        .zip(b.0)
        .map(|(a, b)| a.abs_diff(b))
        .max()
        .unwrap_or_default()
}

/// The expected picture in pale grey, with what differs in red: the stronger, the further apart.
fn difference(actual: &Picture, expected: &Picture, tolerance: Tolerance) -> Picture {
    let (width, height) = (
        actual.width().max(expected.width()),
        actual.height().max(expected.height()),
    );
    Picture::from_fn(width, height, |x, y| {
        match (
            actual.get_pixel_checked(x, y),
            expected.get_pixel_checked(x, y),
        ) {
            (Some(a), Some(b)) if distance(a, b) <= tolerance.channel => {
                let [red, green, blue, alpha] = b.0.map(u32::from);
                let light = (red + green + blue) / 3 * alpha / 255;
                let grey = (192 + light / 4).min(255) as u8;
                Rgba([grey, grey, grey, 255])
            }
            (Some(a), Some(b)) => Rgba([128 + distance(a, b) / 2, 0, 0, 255]),
            _ => Rgba([255, 0, 255, 255]),
        }
    })
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]
    use super::*;

    fn folders() -> (tempfile::TempDir, Folders) {
        let temporary = tempfile::tempdir().unwrap();
        let (expected, failed) = (
            temporary.path().join("expected"),
            temporary.path().join("failed"),
        );
        (temporary, Folders { expected, failed })
    }

    fn grey(level: u8) -> Picture {
        Picture::from_pixel(10, 10, Rgba([level, level, level, 255]))
    }

    #[test]
    fn a_picture_is_blessed_once_and_then_holds() {
        let (_temporary, folders) = folders();
        let check =
            |picture: &Picture, bless| check_in(&folders, "a/b", picture, Tolerance::EXACT, bless);
        assert!(
            check(&grey(10), false)
                .unwrap_err()
                .to_string()
                .contains("EDE_BLESS=1")
        );
        check(&grey(10), true).unwrap();
        check(&grey(10), false).unwrap();
        let wrong = check(&grey(11), false).unwrap_err().to_string();
        assert!(
            wrong.contains("100 of 100 pixels differ, by up to 1"),
            "{wrong}"
        );
        check(&grey(11), true).unwrap();
        check(&grey(11), false).unwrap();
    }

    #[test]
    fn a_failure_leaves_three_pictures() {
        let (_temporary, folders) = folders();
        check_in(&folders, "a/b", &grey(10), Tolerance::EXACT, true).unwrap();
        let mut actual = grey(10);
        actual.put_pixel(4, 5, Rgba([210, 10, 10, 255]));
        check_in(&folders, "a/b", &actual, Tolerance::EXACT, false).unwrap_err();
        let load =
            |kind: &str| picture::load(folders.failed.join(format!("a/b.{kind}.png"))).unwrap();
        assert_eq!((load("actual"), load("expected")), (actual, grey(10)));
        assert_eq!(load("difference").get_pixel(4, 5).0, [228, 0, 0, 255]);
        assert_eq!(load("difference").get_pixel(0, 0).0, [194, 194, 194, 255]);
    }

    #[test]
    fn the_tolerance_bounds_both_how_far_and_how_many() {
        let lenient = Tolerance {
            channel: 2,
            share: 0.02,
        };
        assert!(compare(&grey(12), &grey(10), lenient).is_none());
        assert!(compare(&grey(13), &grey(10), lenient).is_some());
        let mut spots = grey(10);
        spots.put_pixel(0, 0, Rgba([99, 10, 10, 255]));
        spots.put_pixel(1, 0, Rgba([99, 10, 10, 255]));
        assert!(compare(&spots, &grey(10), lenient).is_none());
        spots.put_pixel(2, 0, Rgba([99, 10, 10, 255]));
        assert!(compare(&spots, &grey(10), lenient).is_some());
    }

    #[test]
    fn another_size_is_never_the_same() {
        let small = Picture::new(9, 10);
        let lenient = Tolerance {
            channel: 255,
            share: 1.0,
        };
        assert!(matches!(
            compare(&small, &grey(0), lenient),
            Some(What::Size(..))
        ));
    }
}
