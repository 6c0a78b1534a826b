//! The row of dots under a Carousel, one a page; past a handful a count stands in for them. A press on a dot goes to its page.

use ede_renderer::component::{Component, MeasureCx, Measured, PaintCx};
use ede_renderer::geometry::{Point, Rect, Size};
use ede_renderer::input::Intent;
use ede_renderer::look::{Align, Look};
use ede_renderer::recipes::Recipes;
use ede_renderer::text::TextEngine;
use eui_core::measure::LeafRequest;
use eui_core::surface::PlacedNode;
use serde_json::json;

use crate::paragraph::Paragraph;
use crate::parts;
use crate::props::{self, Props};

pub struct Indicator;

const GAP: f32 = 6.0;
const DOT: f32 = 8.0;
const MOST_DOTS: usize = 15;

fn pages(props: &Props) -> (usize, usize) {
    let whole = |name: &str| props::number(props, name).unwrap_or(0.0).clamp(0.0, 1e6) as usize;
    (whole("count"), whole("page"))
}

fn counted(count: usize, page: usize) -> String {
    format!("{} / {count}", page + 1)
}

fn dots(size: Size, count: usize, dot: f32) -> Vec<Rect> {
    let wide = count as f32 * (dot + GAP) - GAP;
    let left = (size.w - wide) / 2.0;
    (0..count)
        .map(|i| {
            Rect::new(
                left + i as f32 * (dot + GAP),
                (size.h - dot) / 2.0,
                dot,
                dot,
            )
        })
        .collect()
}

impl Component for Indicator {
    fn measure(&self, cx: &mut MeasureCx<'_>, leaf: &LeafRequest<'_>, _: Option<f32>) -> Measured {
        let (count, page) = pages(leaf.props);
        if count > MOST_DOTS {
            let label = counted(count, page);
            let size = Paragraph::new(&label, leaf.text_style)
                .natural(cx.text)
                .size();
            return Measured::fixed(size.w, size.h);
        }
        let wide = (count as f32 * (DOT + GAP) - GAP).max(0.0);
        Measured::fixed(wide, DOT)
    }

    fn paint(&self, cx: &mut PaintCx<'_>) {
        let (count, page) = pages(&cx.node.props);
        if count > MOST_DOTS {
            let (rect, muted) = (cx.bounds(), cx.token("mutedForeground"));
            cx.line(&counted(count, page), rect, Align::Center, muted);
            return;
        }
        for (i, rect) in dots(cx.size, count, DOT).into_iter().enumerate() {
            let here = if cx.rtl { count - 1 - i } else { i } == page;
            let states = if here {
                vec!["selected".to_string()]
            } else {
                Vec::new()
            };
            let dress = cx
                .recipes
                .of("Carousel", "indicator", &cx.node.props, &states);
            parts::dress(cx, rect, &dress.look);
        }
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
        let (count, _) = pages(&node.props);
        if count > MOST_DOTS {
            return None;
        }
        let page = dots(size, count, DOT)
            .iter()
            .position(|d| d.inset(-GAP / 2.0).contains(at))?;
        let page = if look.rtl == Some(true) {
            count - 1 - page
        } else {
            page
        };
        Some(Intent::new("change", Some(json!({ "page": page }))))
    }
}
