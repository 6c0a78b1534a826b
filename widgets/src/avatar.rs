//! Avatar: a person's picture in a circle, or their initials on a hue that is always theirs.

use ede_renderer::color::Color;
use ede_renderer::component::{Component, MeasureCx, Measured, PaintCx};
use ede_renderer::geometry::Size;
use ede_renderer::images::Picture;
use ede_renderer::look::Align;
use eui_core::measure::LeafRequest;
use eui_core::theme::Mode;

use crate::{icon, image, parts, props};

pub struct Avatar;

/// The first letters of the first and last word: `Ada Lovelace` is `AL`.
fn initials(name: &str) -> String {
    let mut words = name
        .split_whitespace()
        .filter_map(|w| w.chars().find(|c| c.is_alphanumeric()));
    let first = words.next();
    let last = words.next_back();
    first
        .into_iter()
        .chain(last)
        .flat_map(char::to_uppercase)
        .collect()
}

/// 0 to 1 for a seed, the same on every machine.
fn hue(seed: &str) -> f32 {
    let hash = seed.bytes().fold(0x811c_9dc5u32, |h, b| {
        (h ^ u32::from(b)).wrapping_mul(0x0100_0193)
    });
    (hash % 360) as f32 / 360.0
}

fn hsl(h: f32, s: f32, l: f32) -> Color {
    let a = s * l.min(1.0 - l);
    let channel = |n: f32| {
        let k = (n + h * 12.0) % 12.0;
        let v = l - a * (k - 3.0).min(9.0 - k).clamp(-1.0, 1.0);
        (v * 255.0).round() as u8
    };
    Color::rgb(channel(0.0), channel(8.0), channel(4.0))
}

impl Component for Avatar {
    fn measure(&self, _: &mut MeasureCx<'_>, leaf: &LeafRequest<'_>, _: Option<f32>) -> Measured {
        let size = icon::square(leaf, 32.0);
        Measured::fixed(size.w, size.h)
    }

    fn paint(&self, cx: &mut PaintCx<'_>) {
        let node = cx.node;
        let bounds = cx.bounds();
        let radii = cx.look.radii.fit(cx.size);
        let picture = props::string(&node.props, "src").map(|src| cx.images.get(src));
        if let Some(Picture::Ready(bitmap)) = picture {
            image::place(cx, bitmap, bounds, radii, image::Fit::Cover, (0.5, 0.5));
            return;
        }
        let name = props::text(&node.props, &["name"]);
        let seed = props::string(&node.props, "seed").unwrap_or(&name);
        let dress = cx.recipe("Avatar", "fallback");
        let (back, ink) = if seed.is_empty() {
            (
                dress.look.background.unwrap_or_else(|| cx.token("muted")),
                dress.look.color.unwrap_or(cx.color),
            )
        } else {
            match cx.recipes.mode() {
                Mode::Dark => (hsl(hue(seed), 0.32, 0.26), hsl(hue(seed), 0.65, 0.86)),
                Mode::Light => (hsl(hue(seed), 0.50, 0.89), hsl(hue(seed), 0.50, 0.27)),
            }
        };
        cx.fill(bounds, radii, back);
        let letters = initials(&name);
        if letters.is_empty() {
            let side = cx.size.w * 0.55;
            cx.icon("user", bounds.centered(Size::new(side, side)), ink);
            return;
        }
        let mut style = parts::style(&dress, cx.style);
        style.font_size = (cx.size.h * 0.4).clamp(9.0, 40.0);
        style.line_height = style.font_size * 1.2;
        cx.line_styled(&letters, &style, bounds, Align::Center, ink);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn initials_are_the_first_and_the_last_word() {
        assert_eq!(initials("Ada King Lovelace"), "AL");
        assert_eq!(initials("plato"), "P");
        assert_eq!(initials("  (éric) "), "É");
        assert_eq!(initials("…"), "");
    }

    #[test]
    fn a_seed_has_one_hue() {
        assert_eq!(hue("ada"), hue("ada"));
        assert_ne!(hue("ada"), hue("bob"));
    }
}
