//! Bars, beside each other or stacked. They stand on zero and hang from it.

use ede_renderer::component::PaintCx;
use ede_renderer::geometry::{Radii, Rect};
use ede_renderer::look::Align;

use super::model::{Kind, Model};
use super::plot::Plot;
use crate::paragraph::Paragraph;
use crate::parts;

const RADIUS: f32 = 3.0;
/// The width bars have in a dense chart; with more room per column they grow slowly.
const WIDTH: f32 = 10.0;
const MOST_WIDTH: f32 = 36.0;
const GAP: f32 = 2.0;
/// What stands for nothing where no axis shows the zero line.
const STUB: f32 = 2.0;
/// Columns beside the one under the pointer step back.
const DIMMED: f32 = 0.45;

fn bar_width(band: f32, bars: usize) -> f32 {
    let roomy = WIDTH + ((band - 24.0) * 0.12).max(0.0);
    let fits = (band * 0.72 - GAP * bars.saturating_sub(1) as f32) / bars.max(1) as f32;
    roomy.min(fits).clamp(1.0, MOST_WIDTH)
}

pub fn paint(cx: &mut PaintCx<'_>, m: &Model, plot: &Plot, hovered: Option<usize>) {
    let beside = if m.kind == Kind::StackedBar {
        1
    } else {
        m.series.len()
    };
    let w = bar_width(plot.band(), beside);
    let ground = plot.y(m, m.base());
    for column in 0..plot.columns {
        let dim = if hovered.is_some_and(|h| h != column) {
            DIMMED
        } else {
            1.0
        };
        let middle = plot.x(column, m.kind);
        let painted = if m.kind == Kind::StackedBar {
            stack(cx, m, plot, column, middle, w, dim)
        } else {
            group(cx, m, plot, column, middle, w, dim)
        };
        if !painted && !m.axes && !m.grid {
            let color = cx.token("border");
            let stub = Rect::new(middle - w / 2.0, ground - STUB, w, STUB);
            cx.fill(stub, Radii::all(1.0), color);
        }
    }
}

fn group(
    cx: &mut PaintCx<'_>,
    m: &Model,
    plot: &Plot,
    column: usize,
    middle: f32,
    w: f32,
    dim: f32,
) -> bool {
    let n = m.series.len();
    let wide = n as f32 * (w + GAP) - GAP;
    let mut painted = false;
    for (s, series) in m.series.iter().enumerate() {
        let Some(value) = series.values.get(column).copied().flatten() else {
            continue;
        };
        let place = if cx.rtl { n - 1 - s } else { s } as f32;
        let x = middle - wide / 2.0 + place * (w + GAP);
        let (y, ground) = (plot.y(m, value), plot.y(m, m.base()));
        let rect = Rect::new(x, y.min(ground), w, (y - ground).abs());
        if rect.h >= 0.5 {
            painted = true;
            cx.fill(rect, radii(rect), series.color.fade(dim));
        }
        if m.values {
            let label = series.labels.get(column).map_or("", String::as_str);
            value_label(cx, label, rect, value < 0.0, plot.band() / n as f32);
        }
    }
    painted
}

fn stack(
    cx: &mut PaintCx<'_>,
    m: &Model,
    plot: &Plot,
    column: usize,
    middle: f32,
    w: f32,
    dim: f32,
) -> bool {
    let (mut up, mut down) = (m.base(), m.base());
    let mut painted = false;
    let top = |positive: bool| {
        m.series.iter().rposition(|s| {
            let v = s.values.get(column).copied().flatten().unwrap_or(0.0);
            if positive { v > 0.0 } else { v < 0.0 }
        })
    };
    let (top, bottom) = (top(true), top(false));
    for (s, series) in m.series.iter().enumerate() {
        let Some(value) = series.values.get(column).copied().flatten() else {
            continue;
        };
        let from = if value >= 0.0 { &mut up } else { &mut down };
        let (a, b) = (plot.y(m, *from), plot.y(m, *from + value));
        *from += value;
        let mut rect = Rect::new(middle - w / 2.0, a.min(b), w, (a - b).abs());
        if rect.h < 0.5 {
            continue;
        }
        painted = true;
        let end = Some(s) == if value >= 0.0 { top } else { bottom };
        let first = (*from - value) == m.base();
        // A hairline of the ground shows between the parts.
        if !end && rect.h > 3.0 {
            rect.h -= 1.0;
            if value >= 0.0 {
                rect.y += 1.0;
            }
        }
        let r = RADIUS.min(w / 2.0).min(rect.h / 2.0);
        let (outer, inner) = (if end { r } else { 0.0 }, if first { r } else { 0.0 });
        let radii = if value >= 0.0 {
            Radii([outer, outer, inner, inner])
        } else {
            Radii([inner, inner, outer, outer])
        };
        cx.fill(rect, radii, series.color.fade(dim));
    }
    painted
}

fn radii(rect: Rect) -> Radii {
    Radii::all(RADIUS.min(rect.w / 2.0).min(rect.h / 2.0))
}

/// The value over its bar, where the column is wide enough to hold it.
fn value_label(cx: &mut PaintCx<'_>, text: &str, bar: Rect, below: bool, room: f32) {
    let dress = cx.recipe("Chart", "valueLabel");
    let style = parts::style(&dress, cx.style);
    let w = Paragraph::new(text, &style).natural(cx.text).size().w;
    if text.is_empty() || w > room + 8.0 {
        return;
    }
    let y = if below {
        bar.bottom() + 1.0
    } else {
        bar.y - style.line_height - 1.0
    };
    let y = y.clamp(0.0, (cx.size.h - style.line_height).max(0.0));
    let at = Rect::new(
        bar.center().x - w / 2.0 - 1.0,
        y,
        w + 2.0,
        style.line_height,
    );
    let color = dress.look.color.unwrap_or(cx.color);
    cx.line_styled(text, &style, at, Align::Center, color);
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_months_bars_are_ten_wide_and_never_touch() {
        assert!((bar_width(18.6, 1) - 10.0).abs() < 0.01);
        assert!(bar_width(450.0, 1) <= MOST_WIDTH);
        for n in 1..6 {
            for band in [2.0f32, 8.0, 20.0, 90.0] {
                let wide = n as f32 * (bar_width(band, n) + GAP) - GAP;
                assert!(
                    wide <= band.max(n as f32 * (1.0 + GAP)),
                    "{n} bars in {band}"
                );
            }
        }
    }
}
