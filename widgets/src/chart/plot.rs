//! Where things are in a Chart: title above, legend below, tick labels beside, category labels under the plot. One layout for painting
//! and for the pointer.

use ede_renderer::component::PaintCx;
use ede_renderer::geometry::{Point, Rect};
use ede_renderer::look::Align;
use eui_core::measure::TextStyle;

use super::legend::Legend;
use super::model::{Kind, Model};
use crate::paragraph::Paragraph;
use crate::parts;

/// Tick labels stand at least this far apart; between two labelled ticks there may be bare grid lines.
const LABEL_EVERY: f32 = 40.0;
/// Category labels keep this much room between them.
const CATEGORY_GAP: f32 = 12.0;
const AXIS_GAP: f32 = 8.0;
const UNDER_GAP: f32 = 6.0;
const TITLE_GAP: f32 = 12.0;

pub struct Plot {
    pub area: Rect,
    pub columns: usize,
    rtl: bool,
    axis: TextStyle,
}

impl Plot {
    /// Lay the chart out and paint its title, axes, grid and legend.
    pub fn paint(cx: &mut PaintCx<'_>, m: &Model) -> Plot {
        let axis_look = cx.recipe("Chart", "axis");
        let axis = parts::style(&axis_look, cx.style);
        let ink = axis_look
            .look
            .color
            .unwrap_or_else(|| cx.token("mutedForeground"));
        let mut area = cx.content();
        if let Some(title) = &m.title {
            let dress = cx.recipe("Chart", "title");
            let style = parts::style(&dress, cx.style);
            let line = Rect::new(area.x, area.y, area.w, style.line_height);
            let color = dress.look.color.unwrap_or(cx.color);
            let start = if cx.rtl { Align::Right } else { Align::Left };
            cx.line_styled(title, &style, line, start, color);
            area = area.inset_sides([style.line_height + TITLE_GAP, 0.0, 0.0, 0.0]);
        }
        if m.legend {
            let legend = Legend::new(cx, m, area.w);
            let high = legend.height().min(area.h / 2.0);
            legend.paint(cx, Point::new(area.x, area.bottom() - high), area.w);
            area = area.inset_sides([0.0, 0.0, high + AXIS_GAP, 0.0]);
        }
        let line = axis.line_height;
        if m.values && !m.kind.round() && m.kind != Kind::Sparkline {
            // The highest value's label stands over it.
            area = area.inset_sides([line * 0.75, 0.0, 0.0, 0.0]);
        }
        if m.axes {
            area = axes_room(cx, m, area, &axis);
        } else if m.kind != Kind::Sparkline && !m.kind.round() && !m.categories.is_empty() {
            area = area.inset_sides([0.0, 0.0, line + UNDER_GAP, 0.0]);
        }
        let plot = Plot {
            area,
            columns: m.columns(),
            rtl: cx.rtl,
            axis,
        };
        if m.grid || m.axes {
            plot.grid(cx, m, ink);
        }
        if m.kind != Kind::Sparkline && !m.kind.round() {
            plot.category_labels(cx, m, ink);
            plot.captions(cx, m, ink);
        }
        plot
    }

    /// The middle of a column.
    pub fn x(&self, column: usize, kind: Kind) -> f32 {
        let n = self.columns.max(1) as f32;
        let share = if kind.bars() || self.columns <= 1 {
            (column as f32 + 0.5) / n
        } else {
            column as f32 / (n - 1.0)
        };
        let share = if self.rtl { 1.0 - share } else { share };
        let end = self.end(kind);
        self.area.x + end + (self.area.w - 2.0 * end) * share
    }

    /// Room at both ends of a line chart, so that its first and last points are whole.
    fn end(&self, kind: Kind) -> f32 {
        match kind {
            Kind::Line | Kind::Area => 6.0f32.min(self.area.w / 4.0),
            _ => 0.0,
        }
    }

    pub fn y(&self, m: &Model, value: f64) -> f32 {
        self.area.bottom() - self.area.h * m.share(value).clamp(-0.05, 1.05)
    }

    /// The width one column has.
    pub fn band(&self) -> f32 {
        self.area.w / self.columns.max(1) as f32
    }

    /// The column nearest to a point over the plot.
    pub fn column_at(&self, at: Point, kind: Kind) -> Option<usize> {
        let reach = self.area.inset(-8.0);
        if self.columns == 0 || !reach.contains(at) {
            return None;
        }
        let end = self.end(kind);
        let along = (self.area.w - 2.0 * end).max(1.0);
        let share = ((at.x - self.area.x - end) / along).clamp(0.0, 1.0);
        let share = if self.rtl { 1.0 - share } else { share };
        let n = self.columns as f32;
        let i = if kind.bars() || self.columns <= 1 {
            (share * n).floor()
        } else {
            (share * (n - 1.0)).round()
        };
        Some((i as usize).min(self.columns - 1))
    }

    fn grid(&self, cx: &mut PaintCx<'_>, m: &Model, ink: ede_renderer::color::Color) {
        let line = cx
            .recipe("Chart", "grid")
            .look
            .color
            .unwrap_or_else(|| cx.token("border"));
        let stride = label_stride(m.ticks.len(), self.area.h);
        for (i, tick) in m.ticks.iter().enumerate() {
            let y = self.y(m, tick.value).round();
            let base = tick.value == m.base();
            if m.grid || base {
                cx.fill(
                    Rect::new(self.area.x, y, self.area.w, 1.0),
                    ede_renderer::geometry::Radii::NONE,
                    line,
                );
            }
            if m.axes && i % stride == 0 {
                let high = self.axis.line_height;
                let (x, w, align) = if self.rtl {
                    (self.area.right() + AXIS_GAP, 400.0, Align::Left)
                } else {
                    (self.area.x - AXIS_GAP - 400.0, 400.0, Align::Right)
                };
                let at = Rect::new(x, y - high / 2.0 + 0.5, w, high);
                cx.line_styled(&tick.label, &self.axis, at, align, ink);
            }
        }
    }

    /// Names under the columns, thinned until none touches another. The last one is always named: it is the latest.
    fn category_labels(&self, cx: &mut PaintCx<'_>, m: &Model, ink: ede_renderer::color::Color) {
        let n = self.columns.min(m.categories.len());
        if n == 0 {
            return;
        }
        let widths: Vec<f32> = m.categories[..n]
            .iter()
            .map(|c| {
                Paragraph::new(c, &self.axis)
                    .lines(Some(1))
                    .natural(cx.text)
                    .size()
                    .w
            })
            .collect();
        let spacing = if n > 1 {
            (self.x(1, m.kind) - self.x(0, m.kind)).abs()
        } else {
            self.area.w
        };
        let widest = widths.iter().copied().fold(0.0, f32::max).min(self.area.w);
        let gap = if spacing < 32.0 && widest < 14.0 {
            4.0
        } else {
            CATEGORY_GAP
        };
        let bounds = cx.bounds();
        let place = |i: usize| {
            let w = widths[i].min(self.area.w);
            let x = self.x(i, m.kind) - w / 2.0;
            (x.clamp(bounds.x, (bounds.right() - w).max(bounds.x)), w)
        };
        // Labels at the ends are moved inside, so the spacing alone does not tell whether two touch.
        let touch = |stride: usize| {
            let shown: Vec<usize> = (0..n).rev().step_by(stride).collect();
            shown.windows(2).any(|pair| {
                let ((a, aw), (b, bw)) = (place(pair[0]), place(pair[1]));
                a < b + bw + gap && b < a + aw + gap
            })
        };
        let least = (((widest.min(spacing * n as f32) / spacing.max(0.1)).floor()) as usize).max(1);
        let stride = (least..n).find(|s| !touch(*s)).unwrap_or(n);
        let top = self.area.bottom() + UNDER_GAP;
        for i in (0..n).rev().step_by(stride) {
            let (x, w) = place(i);
            let at = Rect::new(x, top, w + 1.0, self.axis.line_height);
            cx.line_styled(&m.categories[i], &self.axis, at, Align::Left, ink);
        }
    }

    fn captions(&self, cx: &mut PaintCx<'_>, m: &Model, ink: ede_renderer::color::Color) {
        let high = self.axis.line_height;
        if let Some(text) = &m.x_label {
            let named = if m.categories.is_empty() {
                0.0
            } else {
                high + UNDER_GAP
            };
            let y = self.area.bottom() + named + UNDER_GAP;
            let at = Rect::new(self.area.x, y, self.area.w, high);
            cx.line_styled(text, &self.axis, at, Align::Center, ink);
        }
        if let Some(text) = &m.y_label {
            let whole = cx.content();
            let at = Rect::new(whole.x, self.area.y - high * 1.5 - UNDER_GAP, whole.w, high);
            let start = if self.rtl { Align::Right } else { Align::Left };
            cx.line_styled(text, &self.axis, at, start, ink);
        }
    }
}

/// Each how many ticks one is labelled: as dense as the room allows, both ends among them where that works.
fn label_stride(ticks: usize, height: f32) -> usize {
    let spans = ticks.saturating_sub(1).max(1);
    let spacing = height / spans as f32;
    let least = ((LABEL_EVERY * 0.75 / spacing.max(0.1)).ceil() as usize).clamp(1, spans);
    if least == 1 && spacing >= LABEL_EVERY {
        return 1;
    }
    let least = least.max(2.min(spans));
    (least..=2 * least)
        .find(|s| spans.is_multiple_of(*s))
        .unwrap_or(least)
}

/// What is left for the plot beside the tick labels and above the names.
fn axes_room(cx: &mut PaintCx<'_>, m: &Model, area: Rect, axis: &TextStyle) -> Rect {
    let widest = m
        .ticks
        .iter()
        .map(|t| {
            Paragraph::new(&t.label, axis)
                .lines(Some(1))
                .natural(cx.text)
                .size()
                .w
        })
        .fold(0.0, f32::max);
    let line = axis.line_height;
    let mut under = if m.categories.is_empty() {
        line / 2.0
    } else {
        line + UNDER_GAP
    };
    if m.x_label.is_some() {
        under += line + UNDER_GAP;
    }
    let above = if m.y_label.is_some() {
        line * 1.5 + UNDER_GAP
    } else {
        line / 2.0
    };
    let side = (widest + AXIS_GAP).min(area.w / 2.0);
    let (left, right) = if cx.rtl { (0.0, side) } else { (side, 0.0) };
    area.inset_sides([above, right, under, left])
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn labels_thin_out_before_they_touch() {
        assert_eq!(label_stride(5, 200.0), 1);
        assert_eq!(label_stride(5, 130.0), 2);
        assert_eq!(label_stride(6, 160.0), 2);
        assert_eq!(label_stride(5, 40.0), 4);
        assert_eq!(label_stride(1, 100.0), 1);
        assert_eq!(label_stride(0, 0.0), 1);
    }
}
