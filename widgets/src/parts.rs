//! Painting helpers for parts that have no node: a recipe's box, its shadow, its type.

use ede_renderer::component::PaintCx;
use ede_renderer::display::Op;
use ede_renderer::geometry::{Point, Radii, Rect};
use ede_renderer::look::Look;
use ede_renderer::recipes::Recipe;
use eui_core::measure::TextStyle;

/// `base` with what the recipe says of the type.
pub fn style(recipe: &Recipe, base: &TextStyle) -> TextStyle {
    let mut style = base.clone();
    if let Some(size) = recipe.font_size {
        style.font_size = size;
        style.line_height = recipe.line_height.unwrap_or((size * 4.0 / 3.0).round());
    }
    if let Some(height) = recipe.line_height {
        style.line_height = height;
    }
    if let Some(weight) = recipe.font_weight {
        style.font_weight = weight;
    }
    if let Some(family) = recipe.raw.get("fontFamily").and_then(|f| f.as_str()) {
        style.font_family = Some(family.to_string());
    }
    style
}

/// The shadows of a box at `rect`.
pub fn shadow(cx: &mut PaintCx<'_>, rect: Rect, radii: Radii, look: &Look) {
    for s in &look.shadows {
        cx.push(Op::Shadow {
            rect: rect.inset(-s.spread).translate(Point::new(s.x, s.y)),
            radii,
            blur: s.blur,
            color: s.color,
            hole: (rect, radii),
        });
    }
}

/// Shadow, background and border of a look at `rect`.
pub fn dress(cx: &mut PaintCx<'_>, rect: Rect, look: &Look) {
    let radii = look.radii.fit(rect.size());
    shadow(cx, rect, radii, look);
    if let Some(color) = look.background {
        cx.fill(rect, radii, color);
    }
    if let (Some(color), true) = (look.border_color, look.border.iter().any(|w| *w > 0.0)) {
        cx.push(Op::Border {
            rect,
            radii,
            widths: look.border,
            color,
            style: look.border_style,
        });
    }
}
