//! The box beside the pointer that says what is under it.

use ede_renderer::color::Color;
use ede_renderer::component::PaintCx;
use ede_renderer::geometry::{Point, Radii, Rect};
use ede_renderer::look::Align;
use eui_core::measure::TextStyle;

use super::model::Model;
use crate::paragraph::Paragraph;
use crate::parts;

const SWATCH: f32 = 8.0;
const GAP: f32 = 6.0;
const APART: f32 = 16.0;
const AWAY: f32 = 12.0;
const MOST_ROWS: usize = 8;

struct Row {
    color: Color,
    name: String,
    value: String,
}

fn rows(m: &Model, column: usize) -> (String, Vec<Row>) {
    let title = m.category(column).to_string();
    if m.kind.round() {
        let value = m.series.first().and_then(|s| s.labels.get(column));
        let row = Row {
            color: m.slices.get(column).copied().unwrap_or_default(),
            name: title,
            value: value.cloned().unwrap_or_default(),
        };
        return (String::new(), vec![row]);
    }
    let rows = m
        .series
        .iter()
        .filter(|s| s.values.get(column).copied().flatten().is_some())
        .take(MOST_ROWS)
        .map(|s| Row {
            color: s.color,
            name: s.name.clone(),
            value: s.labels.get(column).cloned().unwrap_or_default(),
        })
        .collect();
    (title, rows)
}

pub fn paint(cx: &mut PaintCx<'_>, m: &Model, column: usize, at: Point) {
    let (title, rows) = rows(m, column);
    if rows.is_empty() {
        return;
    }
    let dress = cx.recipe("Chart", "tooltip");
    let style = parts::style(&dress, cx.style);
    let strong = TextStyle {
        font_weight: 500,
        ..style.clone()
    };
    let mut width = |text: &str, style: &TextStyle| {
        Paragraph::new(text, style)
            .lines(Some(1))
            .natural(cx.text)
            .size()
            .w
    };
    let names = rows
        .iter()
        .map(|r| width(&r.name, &style))
        .fold(0.0, f32::max)
        .min(160.0);
    let values = rows
        .iter()
        .map(|r| width(&r.value, &strong))
        .fold(0.0, f32::max);
    let heading = if title.is_empty() {
        0.0
    } else {
        width(&title, &strong).min(220.0)
    };
    let apart = if names > 0.0 { APART } else { 0.0 };
    let inner = (SWATCH + GAP + names + apart + values).max(heading);
    let line = style.line_height.max(16.0) + 2.0;
    let [t, r, b, l] = dress.look.padding;
    let count = rows.len() as f32 + if title.is_empty() { 0.0 } else { 1.0 };
    let (w, h) = (inner + l + r, count * line + t + b);
    let beside = if at.x + AWAY + w <= cx.size.w {
        at.x + AWAY
    } else {
        at.x - AWAY - w
    };
    let rect = Rect::new(
        beside.clamp(0.0, (cx.size.w - w).max(0.0)).round(),
        (at.y - h / 2.0)
            .clamp(0.0, (cx.size.h - h).max(0.0))
            .round(),
        w.round(),
        h.round(),
    );
    parts::dress(cx, rect, &dress.look);
    let ink = dress.look.color.unwrap_or(cx.color);
    let muted = cx.token("mutedForeground");
    let rtl = cx.rtl;
    let (start, end) = if rtl {
        (Align::Right, Align::Left)
    } else {
        (Align::Left, Align::Right)
    };
    let mut row_box = Rect::new(rect.x + l, rect.y + t, inner, line);
    if !title.is_empty() {
        cx.line_styled(&title, &strong, row_box, start, ink);
        row_box.y += line;
    }
    for row in rows {
        let x = if rtl {
            row_box.right() - SWATCH
        } else {
            row_box.x
        };
        let swatch = Rect::new(x, row_box.y + (line - SWATCH) / 2.0, SWATCH, SWATCH);
        cx.fill(swatch, Radii::all(2.0), row.color);
        let lead = SWATCH + GAP;
        let words = row_box.inset_sides(if rtl {
            [0.0, lead, 0.0, 0.0]
        } else {
            [0.0, 0.0, 0.0, lead]
        });
        let short = Rect {
            w: (words.w - values).max(0.0),
            ..words
        };
        let name = if rtl {
            short.translate(Point::new(values, 0.0))
        } else {
            short
        };
        cx.line_styled(&row.name, &style, name, start, muted);
        cx.line_styled(&row.value, &strong, words, end, ink);
        row_box.y += line;
    }
}
