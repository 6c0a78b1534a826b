//! Text: fonts, shaping and the bounded cache of shaped blocks. The block that was measured is the block that is painted.

mod block;
mod build;
mod cache;
mod direction;
mod engine;
mod faces;
mod fallback;
mod fonts;
mod place;
mod source;
#[cfg(test)]
#[allow(clippy::unwrap_used, clippy::expect_used)]
mod tests;

pub use block::{Line, TextBlock};
pub use direction::Direction;
pub use engine::TextEngine;
pub(crate) use faces::BOLDEN;
pub use fonts::{Fonts, FontsWaker};

use eui_core::measure::TextStyle;

use crate::color::Color;
use crate::look::{Align, Decoration};

/// A run of a block that differs from the block's own style. `range` is in bytes of the text.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Span {
    pub range: std::ops::Range<usize>,
    pub color: Option<Color>,
    pub weight: Option<u16>,
    pub italic: bool,
    pub mono: bool,
    pub decoration: Decoration,
    /// Font size and line height in px.
    pub size: Option<(f32, f32)>,
}

/// What to shape. Two equal specs give the same block out of the cache.
#[derive(Clone, Debug)]
pub struct TextSpec<'a> {
    pub text: &'a str,
    pub style: &'a TextStyle,
    /// Wrap at this width (px); `None` breaks only at hard line breaks.
    pub width: Option<f32>,
    /// Cut after this many lines with an ellipsis. With `Some(1)` and a width the one line is cut at the width.
    pub lines: Option<u32>,
    pub align: Align,
    pub direction: Direction,
    pub decoration: Decoration,
    pub spans: &'a [Span],
}

impl<'a> TextSpec<'a> {
    pub fn new(text: &'a str, style: &'a TextStyle) -> TextSpec<'a> {
        TextSpec {
            text,
            style,
            width: None,
            lines: None,
            align: Align::Left,
            direction: Direction::Content,
            decoration: Decoration::None,
            spans: &[],
        }
    }

    pub fn wrap(mut self, width: Option<f32>) -> Self {
        self.width = width;
        self
    }

    pub fn lines(mut self, lines: Option<u32>) -> Self {
        self.lines = lines;
        self
    }

    pub fn align(mut self, align: Align) -> Self {
        self.align = align;
        self
    }

    pub fn direction(mut self, direction: Direction) -> Self {
        self.direction = direction;
        self
    }

    pub fn decoration(mut self, decoration: Decoration) -> Self {
        self.decoration = decoration;
        self
    }

    pub fn spans(mut self, spans: &'a [Span]) -> Self {
        self.spans = spans;
        self
    }
}
