//! The runs of a rich text as spans to shape, and the stretches that are boxed or can be pressed.

use ede_renderer::look::Decoration;
use ede_renderer::recipes::{Recipe, Recipes};
use ede_renderer::text::Span;
use eui_core::measure::TextStyle;
use serde_json::Map;

use super::parse::{Rich, Run};

/// A stretch of a text with something drawn behind it or pressed on it.
pub struct Mark {
    pub range: std::ops::Range<usize>,
    /// A link's target; `None` is inline code.
    pub href: Option<String>,
}

/// The text to shape, how its runs look, and what lies behind them. Inline code gets thin spaces around it, inside its box.
pub fn dressed(rich: &Rich, base: &TextStyle, recipes: &Recipes) -> (String, Vec<Span>, Vec<Mark>) {
    const PAD: &str = "\u{2009}";
    let code = recipes.of("Markdown", "code", &Map::new(), &[]);
    let link = recipes.of("Markdown", "link", &Map::new(), &[]);
    let mut text = String::with_capacity(rich.text.len());
    let (mut spans, mut marks, mut from) = (Vec::new(), Vec::new(), 0);
    for run in &rich.runs {
        text.push_str(rich.text.get(from..run.range.start).unwrap_or(""));
        from = run.range.end;
        if run.code {
            text.push_str(PAD);
        }
        let inner = text.len();
        text.push_str(rich.text.get(run.range.clone()).unwrap_or(""));
        let inner = inner..text.len();
        if run.code {
            text.push_str(PAD);
        }
        spans.push(span(run, inner.clone(), base, &code, &link));
        if run.code {
            marks.push(Mark {
                range: inner.clone(),
                href: None,
            });
        }
        if let Some(href) = &run.href {
            marks.push(Mark {
                range: inner,
                href: Some(href.clone()),
            });
        }
    }
    text.push_str(rich.text.get(from..).unwrap_or(""));
    (text, spans, marks)
}

fn span(
    run: &Run,
    range: std::ops::Range<usize>,
    base: &TextStyle,
    code: &Recipe,
    link: &Recipe,
) -> Span {
    let linked = run.href.is_some();
    Span {
        range,
        color: if linked { link.look.color } else { None },
        weight: run.strong.then_some(base.font_weight.max(600)),
        italic: run.emphasis,
        mono: run.code,
        decoration: match (run.struck, linked) {
            (true, _) => Decoration::LineThrough,
            (false, true) => Decoration::Underline,
            _ => Decoration::None,
        },
        size: run.code.then(|| {
            (
                code.font_size.unwrap_or(base.font_size * 0.86),
                base.line_height,
            )
        }),
    }
}
