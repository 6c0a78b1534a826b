//! The placeholder of whatever has no component here: a dashed box with its name, so that a hole is seen and named.

use std::borrow::Cow;

use ede_renderer::component::{Component, MeasureCx, Measured, PaintCx};
use ede_renderer::display::{BorderStyle, Op};
use ede_renderer::geometry::{Radii, Rect};
use eui_core::measure::{ControlBox, LeafRequest, TextStyle};

use crate::inline::{Inline, Place};
use crate::props::{self, Props};

pub struct Unknown;

const ICON: f32 = 14.0;
const GAP: f32 = 6.0;
const PADDING: f32 = 8.0;

fn name<'a>(kind: &'a str, props: &'a Props) -> Cow<'a, str> {
    match kind {
        "Unknown" => Cow::Borrowed(props::string(props, "component").unwrap_or("Unknown")),
        other => Cow::Borrowed(other),
    }
}

fn style(base: &TextStyle) -> TextStyle {
    TextStyle {
        font_size: 12.0,
        line_height: 16.0,
        font_family: Some("ui-monospace".into()),
        ..base.clone()
    }
}

impl Component for Unknown {
    fn measure(&self, cx: &mut MeasureCx<'_>, leaf: &LeafRequest<'_>, _: Option<f32>) -> Measured {
        let own = ControlBox {
            padding: [PADDING; 4],
            border_width: 1.0,
            ..leaf.control
        };
        let mut m = Inline::new(GAP)
            .icon(Some("ui-warning"), ICON, None)
            .text(
                &name(leaf.component, leaf.props),
                &style(leaf.text_style),
                None,
            )
            .measure(cx.text, &own);
        m.min_width = 0.0;
        m
    }

    fn paint(&self, cx: &mut PaintCx<'_>) {
        let node = cx.node;
        let ink = cx.token("destructive");
        let rect = cx.bounds();
        if cx.look.border.iter().all(|w| *w <= 0.0) {
            cx.push(Op::Border {
                rect,
                radii: Radii::all(8.0).fit(cx.size),
                widths: [1.0; 4],
                color: ink.fade(0.6),
                style: BorderStyle::Dashed,
            });
        }
        if !node.children.is_empty() {
            return;
        }
        let style = style(cx.style);
        let area: Rect = rect.inset(PADDING.min(cx.size.h / 4.0));
        Inline::new(GAP)
            .icon(Some("ui-warning"), ICON, Some(ink))
            .text(&name(&node.component, &node.props), &style, Some(ink))
            .paint(cx, area, Place::Start);
    }
}
