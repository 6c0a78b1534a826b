//! Markdown: headings, lists, task lists, code, quotes, tables and links as prose. Parsed and laid out here; a press on a link opens it.

mod layout;
mod parse;
mod runs;

use ede_renderer::component::{Component, MeasureCx, Measured, PaintCx};
use ede_renderer::display::{BorderStyle, Op};
use ede_renderer::geometry::{Point, Radii, Rect, Size};
use ede_renderer::input::Intent;
use ede_renderer::look::Look;
use ede_renderer::recipes::Recipes;
use ede_renderer::text::TextEngine;
use eui_core::measure::{LeafRequest, TextStyle};
use eui_core::surface::PlacedNode;
use serde_json::json;

use crate::{parts, props, text};
use layout::{Document, Piece, Typesetter};

pub struct Markdown;

fn lines(props: &props::Props) -> Option<u32> {
    props::number(props, "lines")
        .filter(|n| *n >= 1.0)
        .map(|n| n.min(1e6) as u32)
}

impl Component for Markdown {
    fn measure(
        &self,
        cx: &mut MeasureCx<'_>,
        leaf: &LeafRequest<'_>,
        width: Option<f32>,
    ) -> Measured {
        let source = props::string(leaf.props, "text").unwrap_or("");
        let blocks = parse::parse(source);
        let doc = Typesetter {
            text: cx.text,
            recipes: cx.recipes,
            style: leaf.text_style,
            rtl: false,
            lines: lines(leaf.props),
        }
        .set(&blocks, width.map(|w| text::inner(leaf, w)));
        let narrowest = doc.size.w.min(96.0);
        Measured::around(doc.size, narrowest, doc.baseline, &leaf.control)
    }

    fn paint(&self, cx: &mut PaintCx<'_>) {
        let node = cx.node;
        let source = props::string(&node.props, "text").unwrap_or("");
        let blocks = parse::parse(source);
        let area = cx.content();
        let style = cx.style.clone();
        let doc = Typesetter {
            text: cx.text,
            recipes: cx.recipes,
            style: &style,
            rtl: cx.rtl,
            lines: lines(&node.props),
        }
        .set(&blocks, Some(area.w));
        paint(cx, doc, area.origin());
    }

    fn press(
        &self,
        node: &PlacedNode,
        look: &Look,
        size: Size,
        at: Point,
        recipes: &Recipes,
        text: &mut TextEngine,
    ) -> Option<Intent> {
        let blocks = parse::parse(props::string(&node.props, "text").unwrap_or(""));
        let root = recipes.of("Markdown", "root", &node.props, &[]);
        let area = Rect::of_size(size)
            .inset_sides(look.border)
            .inset_sides(look.padding);
        let doc = Typesetter {
            text,
            recipes,
            style: &parts::style(&root, &TextStyle::default()),
            rtl: look.rtl == Some(true),
            lines: lines(&node.props),
        }
        .set(&blocks, Some(area.w));
        let at = at - area.origin();
        let (_, href) = doc.links.into_iter().find(|(rect, _)| rect.contains(at))?;
        Some(Intent::new("openUrl", Some(json!({ "url": href }))))
    }
}

fn paint(cx: &mut PaintCx<'_>, doc: Document, origin: Point) {
    let ink = cx.color;
    for piece in doc.pieces {
        match piece {
            Piece::Text { block, at, color } => {
                cx.block(block, origin + at, color.unwrap_or(ink), None);
            }
            Piece::Fill { rect, radii, color } => cx.fill(rect.translate(origin), radii, color),
            Piece::Box { rect, look } => parts::dress(cx, rect.translate(origin), &look),
            Piece::Tick { rect, checked } => {
                let rect = rect.translate(origin);
                let radii = Radii::all(4.0);
                if checked {
                    let (back, mark) = (cx.token("primary"), cx.token("primaryForeground"));
                    cx.fill(rect, radii, back);
                    cx.icon("ui-check", rect.centered(Size::new(10.0, 10.0)), mark);
                } else {
                    let color = cx.token("input");
                    cx.push(Op::Border {
                        rect,
                        radii,
                        widths: [1.0; 4],
                        color,
                        style: BorderStyle::Solid,
                    });
                }
            }
        }
    }
}
