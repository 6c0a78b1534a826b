//! The box of a Checkbox, and of a Table's selection column (which has no look of its own: the Checkbox recipe dresses it).

use ede_renderer::color::Color;
use ede_renderer::component::{Component, MeasureCx, Measured, PaintCx};
use ede_renderer::display::{BorderStyle, Op};
use ede_renderer::geometry::Size;
use ede_renderer::look::Look;
use ede_renderer::recipes::Recipes;
use eui_core::measure::LeafRequest;

use crate::{icon, parts, props};

pub struct Checkbox;

impl Component for Checkbox {
    fn measure(&self, _: &mut MeasureCx<'_>, leaf: &LeafRequest<'_>, _: Option<f32>) -> Measured {
        let size = icon::square(leaf, 16.0);
        Measured::fixed(size.w, size.h)
    }

    fn paint(&self, cx: &mut PaintCx<'_>) {
        let checked = props::flag(&cx.node.props, "checked");
        if cx.look.border_color.is_none() && cx.look.background.is_none() {
            let dress = cx.recipe("Checkbox", "box");
            let (rect, look) = (cx.bounds(), &dress.look);
            if let Some(color) = look.background {
                cx.fill(rect, look.radii, color);
            }
            if let Some(color) = parts::edge(look, cx.recipes).or(look.border_color) {
                cx.push(Op::Border {
                    rect,
                    radii: look.radii,
                    widths: look.border,
                    color,
                    style: BorderStyle::Solid,
                });
            }
        }
        if checked {
            let check = cx.recipe("Checkbox", "check");
            let side = check.width.unwrap_or(14.0).min(cx.size.w);
            let color = check
                .look
                .color
                .unwrap_or_else(|| cx.token("primaryForeground"));
            let rect = cx.bounds().centered(Size::new(side, side));
            cx.icon("ui-check", rect, color);
        }
    }
    fn edge(&self, look: &Look, recipes: &Recipes) -> Option<Color> {
        parts::edge(look, recipes)
    }
}
