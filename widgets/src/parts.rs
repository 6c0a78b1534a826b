//! Painting helpers for parts that have no node: a recipe's box, its shadow, its type.

use ede_renderer::color::Color;
use ede_renderer::component::PaintCx;
use ede_renderer::display::Op;
use ede_renderer::geometry::{Point, Radii, Rect};
use ede_renderer::look::Look;
use ede_renderer::recipes::{Recipe, Recipes};
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

/// `base` in the theme's smallest size (captions, durations), 12 px on 16 at a font scale of 1.
pub fn small(recipes: &Recipes, base: &TextStyle) -> TextStyle {
    TextStyle {
        font_size: 12.0 * recipes.font_scale(),
        line_height: 16.0 * recipes.font_scale(),
        ..base.clone()
    }
}

/// How clearly the edge of a control that is nothing but its edge stands out from what lies in it (WCAG 2.2, 1.4.11).
const CLEAR: f32 = 3.0;

/// The edge of an empty box or circle, where the theme's own is too faint to show that there is one: as faint as may be.
pub fn edge(look: &Look, recipes: &Recipes) -> Option<Color> {
    let page = recipes.token("background");
    let ground = look.background.unwrap_or(Color::TRANSPARENT).over(page);
    let own = look.border_color?.over(ground);
    if ground.contrast(page) >= CLEAR || own.contrast(ground) >= CLEAR {
        return None;
    }
    let ink = recipes.token("foreground").over(ground);
    let steps = (1..=32).map(|step| own.mix(ink, step as f32 / 32.0));
    steps.into_iter().find(|c| c.contrast(ground) >= CLEAR)
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
