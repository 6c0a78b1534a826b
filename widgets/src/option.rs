//! One line of a list to choose from: a Select's option, a time, a suggestion, a menu entry's label. Icon, text, a tick at the end.

use ede_renderer::component::{Component, MeasureCx, Measured, PaintCx};
use eui_core::measure::LeafRequest;

use crate::inline::{Inline, Place};
use crate::props;

pub struct Choice;

const ICON: f32 = 16.0;
const GAP: f32 = 8.0;

impl Component for Choice {
    fn measure(&self, cx: &mut MeasureCx<'_>, leaf: &LeafRequest<'_>, _: Option<f32>) -> Measured {
        let label = props::text(leaf.props, &["text", "label"]);
        let mut m = Inline::new(GAP)
            .icon(props::string(leaf.props, "icon"), ICON, None)
            .text(&label, leaf.text_style, None)
            .measure(cx.text, &leaf.control);
        if leaf.owner_component == Some("Select") {
            // Room for the tick, chosen or not: choosing never moves the list.
            m.size.w += GAP + ICON;
        }
        m.min_width = m.size.w.min(64.0);
        m
    }

    fn paint(&self, cx: &mut PaintCx<'_>) {
        let node = cx.node;
        let label = props::text(&node.props, &["text", "label"]);
        let (area, style) = (cx.content(), cx.style.clone());
        // The icon steps back, but a coloured entry (a destructive one) keeps its colour.
        let plain =
            [cx.token("popoverForeground"), cx.token("accentForeground")].contains(&cx.color);
        let tint = if plain {
            cx.token("mutedForeground")
        } else {
            cx.color
        };
        let check = props::string(&node.props, "check");
        let ink = cx.recipe("Select", "check").look.color;
        Inline::new(GAP)
            .icon(props::string(&node.props, "icon"), ICON, Some(tint))
            .text(&label, &style, None)
            .grow()
            .icon(check, ICON, ink)
            .paint(cx, area, Place::Start);
    }
}
