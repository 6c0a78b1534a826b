//! The cells of a Table: headers with their sort mark; text, numbers, ticks and badges in the rows. Row and header boxes are the scene's.

use ede_renderer::component::{Component, MeasureCx, Measured, PaintCx};
use ede_renderer::geometry::{Point, Radii, Rect, Size};
use ede_renderer::look::Align;
use eui_core::measure::{LeafRequest, TextStyle};

use crate::inline::{Inline, Place};
use crate::paragraph::Paragraph;
use crate::props::{self, Props};
use crate::{parts, text};

pub struct HeaderCell;
pub struct Cell;

const SORT_GAP: f32 = 4.0;
const TICK: f32 = 16.0;

fn place(cx: &PaintCx<'_>) -> Place {
    match (cx.look.align.unwrap_or_default(), cx.rtl) {
        (Align::Center, _) => Place::Center,
        (Align::Right, false) | (Align::Left, true) => Place::End,
        _ => Place::Start,
    }
}

impl Component for HeaderCell {
    fn measure(&self, cx: &mut MeasureCx<'_>, leaf: &LeafRequest<'_>, _: Option<f32>) -> Measured {
        let label = props::text(leaf.props, &["text"]);
        let mut m = Inline::new(SORT_GAP)
            .text(&label, leaf.text_style, None)
            .icon(props::string(leaf.props, "sortIcon"), TICK, None)
            .measure(cx.text, &leaf.control);
        m.min_width = m.min_width.min(64.0);
        m
    }

    fn paint(&self, cx: &mut PaintCx<'_>) {
        let node = cx.node;
        let label = props::text(&node.props, &["text"]);
        let sorted = props::string(&node.props, "sortIcon");
        let (area, style) = (cx.content(), cx.style.clone());
        let ink = sorted.map(|_| cx.token("foreground"));
        let side = cx.recipe("Table", "sortIcon").width.unwrap_or(TICK);
        Inline::new(SORT_GAP)
            .text(&label, &style, ink)
            .icon(sorted, side, ink)
            .paint(cx, area, place(cx));
    }
}

fn kind(props: &Props) -> &str {
    props::string(props, "cellType").unwrap_or("text")
}

/// The padding of a badge around its text, and its height.
const BADGE: (f32, f32) = (8.0, 20.0);

fn badge_style(base: &TextStyle) -> TextStyle {
    TextStyle {
        font_size: base.font_size * 12.0 / 14.0,
        line_height: 16.0,
        font_weight: 500,
        ..base.clone()
    }
}

impl Component for Cell {
    fn measure(
        &self,
        cx: &mut MeasureCx<'_>,
        leaf: &LeafRequest<'_>,
        width: Option<f32>,
    ) -> Measured {
        let shown = props::text(leaf.props, &["text"]);
        match kind(leaf.props) {
            "boolean" => Measured::around(Size::new(TICK, TICK), TICK, None, &leaf.control),
            "badge" if !shown.is_empty() => {
                let style = badge_style(leaf.text_style);
                let block = Paragraph::new(&shown, &style)
                    .lines(Some(1))
                    .natural(cx.text);
                let size = Size::new(block.size().w + 2.0 * BADGE.0, BADGE.1);
                let baseline = (BADGE.1 - block.size().h) / 2.0 + block.baseline();
                Measured::around(size, size.w, Some(baseline), &leaf.control)
            }
            _ => {
                let (size, narrowest, baseline) = Paragraph::new(&shown, leaf.text_style)
                    .lines(leaf.lines)
                    .measure(cx.text, width.map(|w| text::inner(leaf, w)));
                Measured::around(size, narrowest, baseline, &leaf.control)
            }
        }
    }

    fn paint(&self, cx: &mut PaintCx<'_>) {
        let node = cx.node;
        let shown = props::text(&node.props, &["text"]);
        if shown.is_empty() {
            return;
        }
        let (area, style) = (cx.content(), cx.style.clone());
        match kind(&node.props) {
            "boolean" => {
                Inline::new(0.0)
                    .icon(Some("ui-check"), TICK, None)
                    .paint(cx, area, place(cx))
            }
            "badge" => badge(cx, &shown, area, &style),
            _ => {
                let (block, dx) = Paragraph::new(&shown, &style)
                    .dressed(cx.look)
                    .lines(node.lines)
                    .at(cx.text, area.w);
                let y = area.y + (area.h - block.size().h) / 2.0;
                let color = cx.color;
                cx.block(block, Point::new(area.x + dx, y), color, None);
            }
        }
    }
}

fn badge(cx: &mut PaintCx<'_>, text: &str, area: Rect, base: &TextStyle) {
    let secondary = [("variant".to_string(), "secondary".into())]
        .into_iter()
        .collect();
    let dress = cx.recipes.of("Badge", "root", &secondary, &[]);
    let style = parts::style(&dress, &badge_style(base));
    let block = Paragraph::new(text, &style).lines(Some(1)).natural(cx.text);
    let w = (block.size().w + 2.0 * BADGE.0).min(area.w);
    let spare = area.w - w;
    let left = match (place(cx), cx.rtl) {
        (Place::Center, _) => spare / 2.0,
        (Place::End, false) | (Place::Start, true) => spare,
        _ => 0.0,
    };
    let rect = Rect::new(area.x + left, area.y + (area.h - BADGE.1) / 2.0, w, BADGE.1);
    let back = dress.look.background.unwrap_or_else(|| cx.token("accent"));
    let ink = dress.look.color.unwrap_or(cx.color);
    cx.fill(rect, Radii::all(BADGE.1 / 2.0), back);
    cx.line_styled(
        text,
        &style,
        rect.inset_sides([0.0, 4.0, 0.0, 4.0]),
        Align::Center,
        ink,
    );
}
