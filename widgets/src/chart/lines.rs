//! Lines, areas and sparklines: straight between the points, broken where a value is missing.

use std::sync::Arc;

use ede_renderer::color::Color;
use ede_renderer::component::PaintCx;
use ede_renderer::display::{Op, Path};
use ede_renderer::geometry::{Point, Radii, Rect};
use ede_renderer::look::Align;

use super::model::{Kind, Model, Series};
use super::plot::Plot;
use crate::paragraph::Paragraph;
use crate::parts;

const LINE: f32 = 2.0;
const SPARK: f32 = 1.5;
/// How dense the area under a line is.
const UNDER: f32 = 0.16;
const DOT: f32 = 3.0;
const MOST_LABELS: usize = 200;

pub fn paint(cx: &mut PaintCx<'_>, m: &Model, plot: &Plot, hovered: Option<usize>) {
    let spark = m.kind == Kind::Sparkline;
    let width = if spark { SPARK } else { LINE };
    for series in &m.series {
        let runs = runs(m, plot, series, width);
        let filled = spark || m.kind == Kind::Area;
        for run in &runs {
            if let (true, [first, .., last]) = (filled, run.as_slice()) {
                let ground = if spark {
                    plot.area.bottom()
                } else {
                    plot.y(m, m.base())
                };
                let mut path = Path::polyline(run.iter().copied());
                path = path
                    .line_to(last.x, ground)
                    .line_to(first.x, ground)
                    .close();
                cx.push(Op::Path {
                    path: Arc::new(path),
                    brush: series.color.fade(UNDER).into(),
                    stroke: None,
                });
            }
        }
        for run in runs {
            match run.as_slice() {
                [only] => dot(cx, *only, width.max(DOT - 1.0), series.color),
                _ => cx.stroke(Path::polyline(run), width, series.color),
            }
        }
    }
    if let Some(column) = hovered {
        mark(cx, m, plot, column);
    }
    if m.values && !spark {
        labels(cx, m, plot);
    }
}

/// The points of a series, in unbroken runs. Far more points than px are thinned to the highest and lowest of each px.
fn runs(m: &Model, plot: &Plot, series: &Series, width: f32) -> Vec<Vec<Point>> {
    let inset = if m.kind == Kind::Sparkline {
        width / 2.0
    } else {
        0.0
    };
    let area = plot.area;
    let place = |i: usize, v: f64| {
        let y = if m.kind == Kind::Sparkline {
            let share = if m.high - m.low > 0.0 {
                m.share(v)
            } else {
                0.5
            };
            area.bottom() - inset - (area.h - 2.0 * inset) * share.clamp(0.0, 1.0)
        } else {
            plot.y(m, v)
        };
        let x = plot
            .x(i, m.kind)
            .clamp(area.x + inset, (area.right() - inset).max(area.x));
        Point::new(x, y)
    };
    let mut out: Vec<Vec<Point>> = vec![Vec::new()];
    for (i, v) in series.values.iter().enumerate() {
        match v {
            Some(v) => {
                if let Some(run) = out.last_mut() {
                    run.push(place(i, *v));
                }
            }
            None if out.last().is_some_and(|r| !r.is_empty()) => out.push(Vec::new()),
            None => {}
        }
    }
    out.retain(|r| !r.is_empty());
    if series.values.len() as f32 > area.w * 2.0 {
        out.iter_mut().for_each(|run| *run = thinned(run));
    }
    out
}

fn thinned(run: &[Point]) -> Vec<Point> {
    let mut out = Vec::new();
    for px in run.chunk_by(|a, b| a.x.floor() == b.x.floor()) {
        let by_y = |a: &&Point, b: &&Point| a.y.total_cmp(&b.y);
        let (low, high) = (px.iter().min_by(by_y), px.iter().max_by(by_y));
        out.extend(low.copied());
        out.extend(high.filter(|h| Some(*h) != low).copied());
    }
    out
}

fn dot(cx: &mut PaintCx<'_>, at: Point, r: f32, color: Color) {
    let rect = Rect::new(at.x - r, at.y - r, 2.0 * r, 2.0 * r);
    cx.fill(rect, Radii::all(r), color);
}

/// A hairline and a dot on each line where the pointer is.
fn mark(cx: &mut PaintCx<'_>, m: &Model, plot: &Plot, column: usize) {
    let x = plot.x(column, m.kind).round();
    if m.kind != Kind::Sparkline {
        let color = cx.token("ring").fade(0.6);
        let hair = Rect::new(x, plot.area.y, 1.0, plot.area.h);
        cx.fill(hair, Radii::NONE, color);
    }
    for series in &m.series {
        if let Some(v) = series.values.get(column).copied().flatten() {
            let y = if m.kind == Kind::Sparkline {
                let a = plot.area.inset(SPARK / 2.0);
                a.bottom() - a.h * m.share(v).clamp(0.0, 1.0)
            } else {
                plot.y(m, v)
            };
            dot(cx, Point::new(plot.x(column, m.kind), y), DOT, series.color);
        }
    }
}

/// Values over their points, left out where they would touch another.
fn labels(cx: &mut PaintCx<'_>, m: &Model, plot: &Plot) {
    let dress = cx.recipe("Chart", "valueLabel");
    let style = parts::style(&dress, cx.style);
    let color = dress.look.color.unwrap_or(cx.color);
    let mut taken: Vec<Rect> = Vec::new();
    for series in &m.series {
        for (i, v) in series.values.iter().enumerate() {
            let (Some(v), Some(text)) = (v, series.labels.get(i)) else {
                continue;
            };
            let w = Paragraph::new(text, &style).natural(cx.text).size().w;
            let x = (plot.x(i, m.kind) - w / 2.0).clamp(0.0, (cx.size.w - w).max(0.0));
            let y = (plot.y(m, *v) - style.line_height - 2.0).max(0.0);
            let at = Rect::new(x - 1.0, y, w + 2.0, style.line_height);
            if taken.len() > MOST_LABELS || taken.iter().any(|t| !t.intersect(&at).is_empty()) {
                continue;
            }
            taken.push(at);
            cx.line_styled(text, &style, at, Align::Center, color);
        }
    }
}
