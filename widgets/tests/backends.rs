//! Real surfaces through both backends: what the components paint looks the same in software and on a GPU, be it a software one.
#![cfg(feature = "wgpu")]
#![allow(clippy::unwrap_used, clippy::expect_used)]

mod support;

use std::path::PathBuf;

use ede_renderer::color::Color;
use ede_renderer::display::DisplayList;
use ede_renderer::gpu::Gpu;
use ede_renderer::png::Rgba;
use support::{LIGHT, Look, fixture, paint_view, raster, resources, surface};

/// Channels may differ by this much before a pixel counts: edges of letters and corners are antialiased by other arithmetic.
const TOLERANCE: u8 = 40;

#[test]
fn every_sheet_is_the_same_picture_on_a_gpu() {
    let mut gpu = Gpu::headless().expect("a GPU, or a software Vulkan driver");
    let look = Look {
        dark: true,
        ..LIGHT
    };
    let out = PathBuf::from(env!("CARGO_TARGET_TMPDIR"));
    let mut apart = Vec::new();
    for name in ["buttons", "forms", "charts", "data", "lists", "overlays"] {
        let sheet = fixture(&format!("{name}.json"));
        let width = sheet["width"].as_f64().unwrap_or(400.0) as f32;
        let height = sheet["height"].as_f64().unwrap_or(0.0) as f32;
        let mut res = resources();
        for (i, tree) in sheet["items"].as_array().expect("items").iter().enumerate() {
            let (surface, _) = surface(tree, (width, height), look);
            let painted = paint_view(&mut res, surface, name == "overlays", 0.0);
            let size = (width, painted.size.1.max(height).clamp(8.0, 2000.0));
            let soft = raster(&painted.lists, size, look.scale, Color::BLACK);
            let mut all = DisplayList::default();
            for list in &painted.lists {
                all.items.extend(list.items.iter().cloned());
            }
            res.text.settle();
            gpu.share_fonts(&res.text);
            let pixels = gpu.screenshot(&all, (soft.width, soft.height), look.scale, Color::BLACK);
            let hard = Rgba::from_painted(soft.width, soft.height, &pixels);
            let off = soft.difference(&hard, TOLERANCE).expect("same size");
            let share = off.pixels as f64 / f64::from(soft.width * soft.height);
            if share > 0.001 {
                for (what, p) in [
                    ("software", &soft),
                    ("gpu", &hard),
                    ("difference", &off.picture),
                ] {
                    let file = out.join(format!("{name}-{i}.{what}.png"));
                    std::fs::write(file, p.encode().unwrap()).unwrap();
                }
                apart.push(format!("{name}-{i}: {:.2} %", share * 100.0));
            }
        }
    }
    assert!(apart.is_empty(), "{apart:#?}");
}
