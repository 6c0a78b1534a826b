//! The names of a Chart's series or slices, each beside its colour, on as many rows as they need.

use ede_renderer::color::Color;
use ede_renderer::component::PaintCx;
use ede_renderer::geometry::{Point, Radii, Rect};
use ede_renderer::look::Align;
use eui_core::measure::TextStyle;

use super::model::Model;
use crate::paragraph::Paragraph;
use crate::parts;

const SWATCH: f32 = 8.0;
const SWATCH_GAP: f32 = 6.0;
const BETWEEN: f32 = 16.0;
const ROW: f32 = 20.0;
const MOST_ROWS: usize = 4;

struct Entry {
    name: String,
    color: Color,
    at: Point,
    w: f32,
}

pub struct Legend {
    entries: Vec<Entry>,
    rows: usize,
    style: TextStyle,
}

impl Legend {
    pub fn new(cx: &mut PaintCx<'_>, m: &Model, width: f32) -> Legend {
        let dress = cx.recipe("Chart", "legend");
        let style = parts::style(&dress, cx.style);
        let names: Vec<(String, Color)> = if m.kind.round() {
            m.slices
                .iter()
                .enumerate()
                .map(|(i, c)| (m.category(i).to_string(), *c))
                .collect()
        } else {
            m.series.iter().map(|s| (s.name.clone(), s.color)).collect()
        };
        let (mut x, mut row) = (0.0, 0);
        let mut entries = Vec::new();
        for (name, color) in names.into_iter().filter(|(n, _)| !n.is_empty()) {
            let text = Paragraph::new(&name, &style)
                .lines(Some(1))
                .natural(cx.text)
                .size()
                .w;
            let w = (SWATCH + SWATCH_GAP + text).min(width);
            if x > 0.0 && x + w > width {
                (x, row) = (0.0, row + 1);
            }
            if row >= MOST_ROWS {
                break;
            }
            entries.push(Entry {
                name,
                color,
                at: Point::new(x, row as f32 * ROW),
                w,
            });
            x += w + BETWEEN;
        }
        Legend {
            rows: if entries.is_empty() {
                0
            } else {
                row.min(MOST_ROWS - 1) + 1
            },
            entries,
            style,
        }
    }

    pub fn height(&self) -> f32 {
        self.rows as f32 * ROW
    }

    pub fn paint(&self, cx: &mut PaintCx<'_>, at: Point, width: f32) {
        let ink = cx
            .recipe("Chart", "legend")
            .look
            .color
            .unwrap_or_else(|| cx.token("mutedForeground"));
        for e in &self.entries {
            let left = if cx.rtl { width - e.at.x - e.w } else { e.at.x };
            let y = at.y + e.at.y;
            let swatch_x = if cx.rtl { left + e.w - SWATCH } else { left };
            let swatch = Rect::new(at.x + swatch_x, y + (ROW - SWATCH) / 2.0, SWATCH, SWATCH);
            cx.fill(swatch, Radii::all(2.0), e.color);
            let text_x = if cx.rtl {
                left
            } else {
                left + SWATCH + SWATCH_GAP
            };
            let w = e.w - SWATCH - SWATCH_GAP;
            let line = Rect::new(at.x + text_x, y, w + 1.0, ROW);
            let align = if cx.rtl { Align::Right } else { Align::Left };
            cx.line_styled(&e.name, &self.style, line, align, ink);
        }
    }
}
