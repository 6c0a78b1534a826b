//! Pies and donuts: the first series' values as shares of their sum.

use std::sync::Arc;

use ede_renderer::color::Color;
use ede_renderer::component::PaintCx;
use ede_renderer::display::{Op, Path};
use ede_renderer::geometry::{Point, Rect};
use ede_renderer::look::Align;
use std::f32::consts::TAU;

use super::model::Model;
use super::plot::Plot;
use crate::paragraph::Paragraph;
use crate::parts;

/// The gap between two slices, in px at the rim.
const GAP: f32 = 1.5;
/// A slice names its value when its middle is at least this wide.
const ROOM: f32 = 4.0;
const DIMMED: f32 = 0.45;

pub struct Slice {
    pub index: usize,
    pub start: f32,
    pub sweep: f32,
}

/// The slices, clockwise from the top (the other way round in right-to-left). Nothing positive makes no slice.
pub fn slices(m: &Model, rtl: bool) -> Vec<Slice> {
    let values = m.series.first().map_or(&[][..], |s| &s.values);
    let share = |v: &Option<f64>| v.unwrap_or(0.0).max(0.0);
    let sum: f64 = values.iter().map(share).sum();
    if sum <= 0.0 {
        return Vec::new();
    }
    let turn = if rtl { -1.0 } else { 1.0 };
    let mut at = -TAU / 4.0;
    values
        .iter()
        .enumerate()
        .filter_map(|(index, v)| {
            let sweep = (share(v) / sum) as f32 * TAU * turn;
            let start = at;
            at += sweep;
            (sweep != 0.0).then_some(Slice {
                index,
                start,
                sweep,
            })
        })
        .collect()
}

pub struct Disc {
    pub center: Point,
    pub outer: f32,
    pub inner: f32,
}

pub fn disc(m: &Model, plot: &Plot) -> Disc {
    let outer = (plot.area.w.min(plot.area.h) / 2.0 - 1.0).max(0.0);
    Disc {
        center: plot.area.center(),
        outer,
        inner: outer * m.hole,
    }
}

/// The slice under a point.
pub fn slice_at(m: &Model, plot: &Plot, rtl: bool, at: Point) -> Option<usize> {
    let d = disc(m, plot);
    let (dx, dy) = (at.x - d.center.x, at.y - d.center.y);
    let r = dx.hypot(dy);
    if r > d.outer || r < d.inner {
        return None;
    }
    let angle = dy.atan2(dx);
    slices(m, rtl).iter().find_map(|s| {
        let along = (angle - s.start) * s.sweep.signum();
        (along.rem_euclid(TAU) <= s.sweep.abs()).then_some(s.index)
    })
}

/// The middle of a slice.
pub fn middle(m: &Model, plot: &Plot, rtl: bool, index: usize) -> Point {
    let d = disc(m, plot);
    let Some(s) = slices(m, rtl).into_iter().find(|s| s.index == index) else {
        return d.center;
    };
    let (angle, r) = (s.start + s.sweep / 2.0, (d.outer + d.inner) / 2.0);
    Point::new(d.center.x + r * angle.cos(), d.center.y + r * angle.sin())
}

pub fn paint(cx: &mut PaintCx<'_>, m: &Model, plot: &Plot, hovered: Option<usize>) {
    let d = disc(m, plot);
    if d.outer <= 1.0 {
        return;
    }
    let all = slices(m, cx.rtl);
    if all.is_empty() {
        let color = cx.token("muted");
        return fill(cx, Path::slice(d.center, d.outer, d.inner, 0.0, TAU), color);
    }
    for s in &all {
        let color = m.slices.get(s.index).copied().unwrap_or(cx.color);
        let dim = if hovered.is_some_and(|h| h != s.index) {
            DIMMED
        } else {
            1.0
        };
        let pad = if all.len() > 1 {
            (GAP / d.outer).min(s.sweep.abs() / 4.0) * s.sweep.signum()
        } else {
            0.0
        };
        let path = Path::slice(
            d.center,
            d.outer,
            d.inner,
            s.start + pad / 2.0,
            s.sweep - pad,
        );
        fill(cx, path, color.fade(dim));
    }
    if m.values {
        for s in &all {
            let color = m.slices.get(s.index).copied().unwrap_or(cx.color);
            label(cx, m, &d, s, color);
        }
    }
}

fn fill(cx: &mut PaintCx<'_>, path: Path, color: Color) {
    cx.push(Op::Path {
        path: Arc::new(path),
        brush: color.into(),
        stroke: None,
    });
}

/// The value in the middle of its slice, dark or light as the slice asks.
fn label(cx: &mut PaintCx<'_>, m: &Model, d: &Disc, s: &Slice, back: Color) {
    let Some(text) = m.series.first().and_then(|f| f.labels.get(s.index)) else {
        return;
    };
    let dress = cx.recipe("Chart", "valueLabel");
    let style = parts::style(&dress, cx.style);
    let size = Paragraph::new(text, &style).natural(cx.text).size();
    let r = if d.inner > 0.0 {
        (d.outer + d.inner) / 2.0
    } else {
        d.outer * 0.64
    };
    let thick = if d.inner > 0.0 {
        d.outer - d.inner
    } else {
        d.outer * 0.7
    };
    if r * s.sweep.abs() < size.w + ROOM || thick < size.w + ROOM {
        return;
    }
    let middle = s.start + s.sweep / 2.0;
    let at = Point::new(d.center.x + r * middle.cos(), d.center.y + r * middle.sin());
    let light = u32::from(back.r) * 3 + u32::from(back.g) * 6 + u32::from(back.b) > 1500;
    let ink = if light {
        Color::rgb(10, 10, 10)
    } else {
        Color::WHITE
    };
    let rect = Rect::new(
        at.x - size.w / 2.0 - 1.0,
        at.y - size.h / 2.0,
        size.w + 2.0,
        size.h,
    );
    cx.line_styled(text, &style, rect, Align::Center, ink);
}
