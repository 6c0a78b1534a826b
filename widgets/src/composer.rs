//! Composer: the chat box. A growing text with a clip and a send button beside it, which is a stop button while a reply comes.

use ede_renderer::component::{Component, MeasureCx, Measured, PaintCx};
use ede_renderer::geometry::{Point, Rect, Size};
use ede_renderer::input::field::CARET;
use ede_renderer::input::{FieldSpec, Intent, Key, KeyPress, Purpose, Stand};
use ede_renderer::look::Look;
use ede_renderer::recipes::Recipes;
use ede_renderer::text::TextEngine;
use eui_core::measure::LeafRequest;
use eui_core::surface::PlacedNode;
use serde_json::json;

use crate::paragraph::Paragraph;
use crate::props::{self, Props};
use crate::{field, parts};

pub struct Composer;

const BUTTON: f32 = 32.0;
const GLYPH: f32 = 16.0;
/// The text's own inset beside the buttons' edges.
const LEAD: f32 = 4.0;
const MOST_LINES: f32 = 8.0;

const SPEC: FieldSpec = FieldSpec {
    multiline: true,
    secret: false,
    purpose: Purpose::Text,
    prop: "value",
    enter_submits: true,
    stand: Stand::Styled,
};

/// The width of the buttons beside the text.
fn buttons(props: &Props, gap: f32) -> f32 {
    let n = if props::flag(props, "attachments") {
        2.0
    } else {
        1.0
    };
    n * (BUTTON + gap)
}

struct Plan {
    text: Rect,
    clip: Option<Rect>,
    send: Rect,
}

fn plan(props: &Props, look: &Look, size: Size) -> Plan {
    let rtl = look.rtl == Some(true);
    let area = Rect::of_size(size)
        .inset_sides(look.border)
        .inset_sides(look.padding);
    let gap = look.gap.unwrap_or(8.0);
    let y = area.bottom() - BUTTON;
    let button = |i: f32| {
        let from_end = i * (BUTTON + gap);
        let x = if rtl {
            area.x + from_end
        } else {
            area.right() - BUTTON - from_end
        };
        Rect::new(x, y, BUTTON, BUTTON)
    };
    let taken = buttons(props, gap);
    let w = (area.w - taken - LEAD).max(1.0);
    let x = if rtl { area.x + taken } else { area.x + LEAD };
    // A single line stands in the middle of the buttons; more lines start there and grow up.
    let top = (BUTTON - 20.0) / 2.0;
    Plan {
        text: Rect::new(x, area.y + top, w, (area.h - 2.0 * top).max(1.0)),
        clip: props::flag(props, "attachments").then(|| button(1.0)),
        send: button(0.0),
    }
}

impl Component for Composer {
    fn measure(
        &self,
        cx: &mut MeasureCx<'_>,
        leaf: &LeafRequest<'_>,
        width: Option<f32>,
    ) -> Measured {
        let c = &leaf.control;
        let outer = c.padding[1] + c.padding[3] + 2.0 * c.border_width;
        let taken = buttons(leaf.props, c.gap) + LEAD + outer;
        let wide = width.unwrap_or(320.0);
        let own = props::text(leaf.props, &["value"]);
        let (block, _) = Paragraph::new(&own, leaf.text_style).at(cx.text, wide - taken - CARET);
        let line = leaf.text_style.line_height;
        let lines = (block.line_count().max(1) as f32).min(MOST_LINES);
        let inner = (lines * line + BUTTON - 20.0).max(BUTTON);
        let m = Measured::around(Size::new(0.0, inner), 0.0, None, c);
        Measured {
            size: Size::new(wide, m.size.h),
            min_width: taken + 48.0,
            baseline: None,
        }
    }

    fn paint(&self, cx: &mut PaintCx<'_>) {
        let node = cx.node;
        let plan = plan(&node.props, cx.look, cx.size);
        field::paint(cx, SPEC, plan.text);
        let muted = cx.token("mutedForeground");
        if let Some(clip) = plan.clip {
            cx.icon("ui-attach", clip.centered(Size::new(GLYPH, GLYPH)), muted);
        }
        let busy = props::flag(&node.props, "busy");
        let empty = cx.edit.map_or_else(
            || props::text(&node.props, &["value"]).trim().is_empty(),
            |e| e.text.trim().is_empty(),
        );
        let mut dress = (*cx.recipe("Composer", "send")).clone();
        let dim = if empty && !busy { 0.5 } else { 1.0 };
        dress.look.background = dress.look.background.map(|c| c.fade(dim));
        parts::dress(cx, plan.send, &dress.look);
        let ink = dress
            .look
            .color
            .unwrap_or_else(|| cx.token("primaryForeground"));
        let glyph = if busy { "ui-stop" } else { "ui-send" };
        cx.icon(glyph, plan.send.centered(Size::new(GLYPH, GLYPH)), ink);
    }

    fn field(&self, _: &PlacedNode) -> Option<FieldSpec> {
        Some(SPEC)
    }

    fn field_area(&self, node: &PlacedNode, look: &Look, size: Size) -> Rect {
        plan(&node.props, look, size).text
    }

    fn press(
        &self,
        node: &PlacedNode,
        look: &Look,
        size: Size,
        at: Point,
        _: &Recipes,
        _: &mut TextEngine,
    ) -> Option<Intent> {
        if !plan(&node.props, look, size).send.contains(at) {
            return None;
        }
        if props::flag(&node.props, "busy") {
            return Some(Intent::new("stop", None));
        }
        // What is typed may be newer than the prop: the field submits its own text, and nothing when it is blank.
        let own = props::text(&node.props, &["value"]);
        Some(Intent::new("submit", Some(json!({ "value": own }))))
    }

    fn key(&self, node: &PlacedNode, _: &Look, key: &KeyPress) -> Option<Intent> {
        (key.key == Key::Escape && props::flag(&node.props, "busy"))
            .then(|| Intent::new("stop", None))
    }

    fn focusable(&self, _: &PlacedNode) -> Option<bool> {
        Some(true)
    }
}
