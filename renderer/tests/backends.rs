//! The same list through both backends gives the same picture. Draws on whatever adapter there is (`VK_ICD_FILENAMES` can name a
//! software one).

#![cfg(feature = "wgpu")]
#![allow(clippy::unwrap_used, clippy::expect_used)]

mod support;

use std::path::PathBuf;

use ede_renderer::color::Color;
use ede_renderer::display::DisplayList;
use ede_renderer::gpu::Gpu;
use ede_renderer::png::Rgba;
use support::lists::{groups, shapes, words};
use support::paint;

/// Pixels further apart than the tolerance, in per mille, and the mean difference of all.
fn compare(
    gpu: &mut Gpu,
    name: &str,
    list: &DisplayList,
    size: (f32, f32),
    scale: f32,
) -> (usize, f64) {
    let (w, h) = ((size.0 * scale) as u32, (size.1 * scale) as u32);
    let soft = Rgba::from_painted(w, h, &paint(list, (w, h), scale));
    let pixels = gpu.screenshot(list, (w, h), scale, Color::rgba(12, 14, 18, 200));
    let hard = Rgba::from_painted(w, h, &pixels);
    let off = soft.difference(&hard, 24).unwrap();
    let sum: u64 = soft
        .pixels
        .iter()
        .zip(&hard.pixels)
        .map(|(a, b)| u64::from(a.abs_diff(*b)))
        .sum();
    let out = PathBuf::from(env!("CARGO_TARGET_TMPDIR"));
    for (what, picture) in [
        ("software", &soft),
        ("gpu", &hard),
        ("difference", &off.picture),
    ] {
        let file = out.join(format!("{name}@{scale}.{what}.png"));
        std::fs::write(file, picture.encode().unwrap()).unwrap();
    }
    let all = (w * h) as usize;
    (off.pixels * 1000 / all, sum as f64 / (all * 4) as f64)
}

#[test]
fn both_backends_draw_the_same_picture() {
    let mut gpu = Gpu::headless().expect("a GPU, or a software Vulkan driver");
    support::with_engine(|engine| gpu.share_fonts(engine));
    let mut report = Vec::new();
    for scale in [1.0, 1.5, 2.0] {
        for (name, list, size) in [
            ("shapes", shapes(), (320.0, 200.0)),
            ("words", words(), (320.0, 200.0)),
            ("groups", groups(), (360.0, 190.0)),
        ] {
            let (apart, mean) = compare(&mut gpu, name, &list, size, scale);
            report.push((name, scale, apart, mean));
        }
    }
    // Edges are antialiased by other arithmetic, and iced does not weigh text by its brightness.
    for (name, scale, apart, mean) in &report {
        assert!(*apart <= 4 && *mean < 0.8, "{name}@{scale}: {report:?}");
    }
}
