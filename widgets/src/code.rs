//! One line of a CodeBlock: its tokens in their colours. A line that does not wrap is never cut, its block scrolls. And its number.

use ede_renderer::component::{Component, MeasureCx, Measured, PaintCx};
use ede_renderer::geometry::{Point, Size};
use ede_renderer::look::{Align, Decoration};
use ede_renderer::recipes::Recipes;
use ede_renderer::text::{Direction, Span};
use eui_core::measure::{LeafRequest, TextStyle};

use crate::paragraph::Paragraph;
use crate::props::{self, Props};
use crate::text;

pub struct Line;
pub struct LineNumber;

/// Tokens of one line that get a colour of their own; a longer line ends plain.
const MOST_TOKENS: usize = 2000;

/// How `kind` tokens look.
pub fn token_span(recipes: &Recipes, kind: &str, range: std::ops::Range<usize>) -> Span {
    let props: Props = [("kind".to_string(), kind.into())].into_iter().collect();
    let dress = recipes.of("CodeBlock", "token", &props, &[]);
    Span {
        range,
        color: dress.look.color,
        weight: dress.font_weight,
        italic: dress.raw.get("fontStyle").and_then(|v| v.as_str()) == Some("italic"),
        mono: true,
        decoration: Decoration::None,
        size: None,
    }
}

/// The text of a line and the look of its tokens. Plain tokens keep the line's own colour.
fn spans(recipes: &Recipes, props: &Props) -> (String, Vec<Span>) {
    let mut text = String::new();
    let mut spans = Vec::new();
    for token in props::objects(props, "tokens").take(MOST_TOKENS) {
        let from = text.len();
        text.push_str(props::string(token, "text").unwrap_or(""));
        let kind = props::string(token, "kind").unwrap_or("plain");
        if kind != "plain" && text.len() > from {
            spans.push(token_span(recipes, kind, from..text.len()));
        }
    }
    let whole = props::text(props, &["text"]);
    if whole.starts_with(&text) {
        (whole.into_owned(), spans)
    } else {
        (whole.into_owned(), Vec::new())
    }
}

fn mono(style: &TextStyle) -> TextStyle {
    TextStyle {
        font_family: style
            .font_family
            .clone()
            .filter(|f| f.contains("mono") || f.contains("Mono") || f.contains("Code"))
            .or_else(|| Some("ui-monospace".into())),
        ..style.clone()
    }
}

impl Component for Line {
    fn measure(
        &self,
        cx: &mut MeasureCx<'_>,
        leaf: &LeafRequest<'_>,
        width: Option<f32>,
    ) -> Measured {
        let (own, spans) = spans(cx.recipes, leaf.props);
        let style = mono(leaf.text_style);
        let p = Paragraph::new(&own, &style).spans(&spans);
        let wraps = leaf.lines.is_none();
        let (size, narrowest, baseline) = p.measure(
            cx.text,
            width.filter(|_| wraps).map(|w| text::inner(leaf, w)),
        );
        let narrowest = if wraps { narrowest } else { size.w };
        let size = Size::new(size.w, size.h.max(style.line_height));
        Measured::around(size, narrowest, baseline, &leaf.control)
    }

    fn paint(&self, cx: &mut PaintCx<'_>) {
        let node = cx.node;
        let (own, spans) = spans(cx.recipes, &node.props);
        if own.is_empty() {
            return;
        }
        let style = mono(cx.style);
        let area = cx.content();
        let mut p = Paragraph::new(&own, &style).spans(&spans);
        // Code reads left to right in every script.
        p.direction = Direction::LeftToRight;
        p.align = Align::Left;
        let block = if node.lines.is_none() {
            p.at(cx.text, area.w).0
        } else {
            p.natural(cx.text)
        };
        let color = cx.color;
        cx.block(block, Point::new(area.x, area.y), color, None);
    }
}

impl Component for LineNumber {
    fn measure(&self, cx: &mut MeasureCx<'_>, leaf: &LeafRequest<'_>, _: Option<f32>) -> Measured {
        let digits = props::number(leaf.props, "digits").unwrap_or(1.0);
        let widest = "0".repeat(digits.clamp(1.0, 9.0) as usize);
        let style = mono(leaf.text_style);
        let (size, _, baseline) = Paragraph::new(&widest, &style).measure(cx.text, None);
        Measured::around(size, size.w, baseline, &leaf.control)
    }

    fn paint(&self, cx: &mut PaintCx<'_>) {
        let node = cx.node;
        let own = props::text(&node.props, &["text"]);
        let style = mono(cx.style);
        let area = cx.content();
        let mut p = Paragraph::new(&own, &style);
        p.align = Align::Right;
        let (block, dx) = p.at(cx.text, area.w);
        let color = cx.color;
        cx.block(block, Point::new(area.x + dx, area.y), color, None);
    }
}
