//! Text that wraps: the one place that decides which shaped block stands for a text at a width, so that what was measured is painted.

use std::sync::Arc;

use ede_renderer::geometry::Size;
use ede_renderer::look::{Align, Decoration, Look};
use ede_renderer::text::{Direction, Span, TextBlock, TextEngine, TextSpec};
use eui_core::measure::TextStyle;

/// Rounding in layout never makes a text that fits wrap.
const SLACK: f32 = 0.5;

#[derive(Clone, Copy, Debug)]
pub struct Paragraph<'a> {
    pub text: &'a str,
    pub style: &'a TextStyle,
    pub lines: Option<u32>,
    pub align: Align,
    pub direction: Direction,
    pub decoration: Decoration,
    pub spans: &'a [Span],
}

impl<'a> Paragraph<'a> {
    pub fn new(text: &'a str, style: &'a TextStyle) -> Paragraph<'a> {
        Paragraph {
            text,
            style,
            lines: None,
            align: Align::Left,
            direction: Direction::Content,
            decoration: Decoration::None,
            spans: &[],
        }
    }

    /// As a node's look says: its alignment, direction and decoration.
    pub fn dressed(mut self, look: &Look) -> Self {
        self.align = look.align.unwrap_or_default();
        self.direction = Direction::within(look.rtl);
        self.decoration = look.decoration;
        self
    }

    pub fn align(mut self, align: Align) -> Self {
        self.align = align;
        self
    }

    pub fn lines(mut self, lines: Option<u32>) -> Self {
        self.lines = lines.filter(|n| *n > 0);
        self
    }

    pub fn spans(mut self, spans: &'a [Span]) -> Self {
        self.spans = spans;
        self
    }

    fn spec(&self, width: Option<f32>, align: Align) -> TextSpec<'a> {
        TextSpec::new(self.text, self.style)
            .wrap(width)
            .lines(self.lines)
            .align(align)
            .direction(self.direction)
            .decoration(self.decoration)
            .spans(self.spans)
    }

    /// Unwrapped: one line for each hard break.
    pub fn natural(&self, engine: &mut TextEngine) -> Arc<TextBlock> {
        engine.shape(&self.spec(None, Align::Left))
    }

    /// The block that stands for the text in `width` px, and how far it is moved right to be aligned.
    pub fn at(&self, engine: &mut TextEngine, width: f32) -> (Arc<TextBlock>, f32) {
        let natural = self.natural(engine);
        let free = width - natural.size().w;
        let one = natural.line_count() <= 1;
        if free >= -SLACK && (one || self.align == Align::Left) {
            let right = match self.align {
                Align::Left => 0.0,
                Align::Justify if !self.direction.is_rtl(self.text) => 0.0,
                Align::Center => free / 2.0,
                Align::Right | Align::Justify => free,
            };
            return (natural, right.max(0.0));
        }
        (
            engine.shape(&self.spec(Some(width.max(1.0)), self.align)),
            0.0,
        )
    }

    /// Size at `width` (`None`: unwrapped), narrowest width, first baseline.
    pub fn measure(&self, engine: &mut TextEngine, width: Option<f32>) -> (Size, f32, Option<f32>) {
        let natural = self.natural(engine);
        let narrowest = natural.min_width().min(natural.size().w);
        let block = match width {
            Some(w) => self.at(engine, w).0,
            None => natural,
        };
        let baseline = (!self.text.is_empty()).then(|| block.baseline());
        (block.size(), narrowest, baseline)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use ede_renderer::text::Fonts;

    #[test]
    fn a_text_that_fits_is_the_block_that_was_measured() {
        let mut engine = TextEngine::new(Fonts::new());
        let style = TextStyle::default();
        let p = Paragraph::new("Hello, world!", &style);
        let (size, narrowest, _) = p.measure(&mut engine, None);
        assert!(narrowest > 20.0 && narrowest < size.w);
        let (block, dx) = p.at(&mut engine, size.w - 0.2);
        assert!(Arc::ptr_eq(&block, &p.natural(&mut engine)));
        assert_eq!(dx, 0.0);
        let centred = Paragraph {
            align: Align::Center,
            ..p
        };
        assert_eq!(centred.at(&mut engine, size.w + 10.0).1, 5.0);
    }

    #[test]
    fn a_narrow_text_wraps_to_the_height_it_is_painted_with() {
        let mut engine = TextEngine::new(Fonts::new());
        let style = TextStyle::default();
        let p = Paragraph::new("one two three four five six seven", &style);
        let (size, ..) = p.measure(&mut engine, Some(80.0));
        assert!(size.h > style.line_height * 1.5);
        assert_eq!(p.at(&mut engine, 80.0).0.size().h, size.h);
    }
}
