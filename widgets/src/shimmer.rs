//! The highlight that wanders over a shimmering text while work runs. Text ops have one colour each, so the band is cut into strips.

use std::sync::Arc;

use ede_renderer::color::Color;
use ede_renderer::component::PaintCx;
use ede_renderer::geometry::{Point, Rect};
use ede_renderer::text::TextBlock;
use eui_core::text_shimmer::text_shimmer;
use eui_core::theme::Mode;

/// Strips from the band's edge to its middle.
const STRIPS: i32 = 6;

pub fn paint(cx: &mut PaintCx<'_>, block: Arc<TextBlock>, origin: Point, color: Color) {
    let hex = format!(
        "#{:02x}{:02x}{:02x}{:02x}",
        color.r, color.g, color.b, color.a
    );
    let shimmer = text_shimmer(&hex, cx.recipes.mode() == Mode::Dark);
    let peak = Color::hex(&shimmer.highlight).unwrap_or(color);
    let spread = shimmer.spread_px as f32;
    let size = block.size();
    let share = (cx.elapsed_ms / f64::from(shimmer.duration_ms.max(1))).fract() as f32;
    // From wholly before the text to wholly past it, so the first frame is the plain text.
    let travel = (size.w + 2.0 * spread) * share - spread;
    let middle = origin.x + if cx.rtl { size.w - travel } else { travel };
    cx.animate();

    let (top, height) = (origin.y - size.h, size.h * 3.0);
    let far = size.w + 2.0 * spread;
    let edge = |i: i32| (middle + spread * i as f32 / STRIPS as f32).round();
    let mut strip = |from: f32, to: f32, color: Color| {
        let clip = Rect::new(from, top, to - from, height);
        cx.block(block.clone(), origin, color, Some(clip));
    };
    strip(origin.x - far, edge(-STRIPS), color);
    for i in -STRIPS..STRIPS {
        let near = 1.0 - (i as f32 + 0.5).abs() / STRIPS as f32;
        strip(edge(i), edge(i + 1), color.mix(peak, near));
    }
    strip(edge(STRIPS), origin.x + far + size.w, color);
}
