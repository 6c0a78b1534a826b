//! A line of small things side by side: an icon before a label, a tick at the end, a spinner. Buttons, tabs, options, triggers and
//! table headers are such lines; they measure and paint through here, mirrored in right-to-left.

use ede_renderer::color::Color;
use ede_renderer::component::{Measured, PaintCx};
use ede_renderer::geometry::{Point, Rect, Size};
use ede_renderer::text::{Direction, TextEngine};
use eui_core::measure::{ControlBox, TextStyle};

use crate::paragraph::Paragraph;
use crate::spinner;

/// One thing on the line. `color: None` is the node's colour.
pub enum Piece<'a> {
    Icon {
        name: &'a str,
        size: f32,
        color: Option<Color>,
    },
    Spinner {
        size: f32,
    },
    Text {
        text: &'a str,
        style: &'a TextStyle,
        color: Option<Color>,
    },
    /// Takes what is left, so that the rest stands at the end.
    Grow,
}

/// Where the pieces stand when there is room to spare.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Place {
    Start,
    Center,
    End,
}

pub struct Inline<'a> {
    pieces: Vec<Piece<'a>>,
    gap: f32,
}

impl<'a> Inline<'a> {
    pub fn new(gap: f32) -> Inline<'a> {
        Inline {
            pieces: Vec::new(),
            gap,
        }
    }

    pub fn icon(mut self, name: Option<&'a str>, size: f32, color: Option<Color>) -> Self {
        if let Some(name) = name {
            self.pieces.push(Piece::Icon { name, size, color });
        }
        self
    }

    pub fn spinner(mut self, size: f32) -> Self {
        self.pieces.push(Piece::Spinner { size });
        self
    }

    pub fn text(mut self, text: &'a str, style: &'a TextStyle, color: Option<Color>) -> Self {
        if !text.is_empty() {
            self.pieces.push(Piece::Text { text, style, color });
        }
        self
    }

    pub fn grow(mut self) -> Self {
        self.pieces.push(Piece::Grow);
        self
    }

    fn widths(&self, engine: &mut TextEngine) -> Vec<f32> {
        self.pieces
            .iter()
            .map(|p| match p {
                Piece::Icon { size, .. } | Piece::Spinner { size } => *size,
                Piece::Text { text, style, .. } => paragraph(text, style).natural(engine).size().w,
                Piece::Grow => 0.0,
            })
            .collect()
    }

    /// Gaps stand between things that are seen, not around `Grow`.
    fn gaps(&self) -> f32 {
        let seen = self
            .pieces
            .iter()
            .filter(|p| !matches!(p, Piece::Grow))
            .count();
        self.gap * seen.saturating_sub(1) as f32
    }

    /// The line alone, with its first baseline.
    pub fn size(&self, engine: &mut TextEngine) -> (Size, Option<f32>) {
        let w = self.widths(engine).iter().sum::<f32>() + self.gaps();
        let mut h = 0.0f32;
        let mut baseline = None;
        for p in &self.pieces {
            match p {
                Piece::Icon { size, .. } | Piece::Spinner { size } => h = h.max(*size),
                Piece::Text { text, style, .. } => {
                    let block = paragraph(text, style).natural(engine);
                    h = h.max(block.size().h);
                    baseline.get_or_insert((block.size().h, block.baseline()));
                }
                Piece::Grow => {}
            }
        }
        (
            Size::new(w, h),
            baseline.map(|(line, at)| (h - line) / 2.0 + at),
        )
    }

    /// The line inside a control: it never wraps, and its texts give way to an ellipsis when the control is narrower.
    pub fn measure(&self, engine: &mut TextEngine, control: &ControlBox) -> Measured {
        let (size, baseline) = self.size(engine);
        Measured::around(size, size.w, baseline, control)
    }

    pub fn paint(&self, cx: &mut PaintCx<'_>, rect: Rect, place: Place) {
        let mut widths = self.widths(cx.text);
        let spare = rect.w - widths.iter().sum::<f32>() - self.gaps();
        let mut x = 0.0;
        if spare < -0.5 {
            self.shrink(&mut widths, -spare);
        } else if let Some(i) = self.pieces.iter().position(|p| matches!(p, Piece::Grow)) {
            widths[i] = spare.max(0.0);
        } else {
            x = match place {
                Place::Start => 0.0,
                Place::Center => spare / 2.0,
                Place::End => spare,
            };
        }
        let mut first = true;
        for (piece, w) in self.pieces.iter().zip(widths) {
            if !matches!(piece, Piece::Grow) {
                if !first {
                    x += self.gap;
                }
                first = false;
            }
            let left = if cx.rtl {
                rect.right() - x - w
            } else {
                rect.x + x
            };
            piece.paint(cx, Rect::new(left, rect.y, w, rect.h));
            x += w;
        }
    }

    /// Take `excess` px from the texts, the last first: the label that names a thing goes last.
    fn shrink(&self, widths: &mut [f32], mut excess: f32) {
        let texts = || {
            self.pieces
                .iter()
                .enumerate()
                .rev()
                .filter(|(_, p)| matches!(p, Piece::Text { .. }))
                .map(|(i, _)| i)
        };
        let longest = texts().max_by(|a, b| widths[*a].total_cmp(&widths[*b]));
        for i in longest.into_iter().chain(texts()) {
            let take = excess.min(widths[i]);
            widths[i] -= take;
            excess -= take;
        }
    }
}

fn paragraph<'a>(text: &'a str, style: &'a TextStyle) -> Paragraph<'a> {
    Paragraph::new(text, style).lines(Some(1))
}

impl Piece<'_> {
    fn paint(&self, cx: &mut PaintCx<'_>, rect: Rect) {
        match self {
            Piece::Icon { name, size, color } => {
                let color = color.unwrap_or(cx.color);
                cx.icon(name, rect.centered(Size::new(*size, *size)), color);
            }
            Piece::Spinner { size } => {
                let color = cx.color;
                spinner::paint(cx, rect.centered(Size::new(*size, *size)), color);
            }
            Piece::Text { text, style, color } if rect.w >= 1.0 => {
                let mut p = paragraph(text, style);
                p.direction = Direction::within(cx.look.rtl);
                let (block, dx) = p.at(cx.text, rect.w);
                let y = rect.y + (rect.h - block.size().h) / 2.0;
                let color = color.unwrap_or(cx.color);
                cx.block(block, Point::new(rect.x + dx, y), color, None);
            }
            Piece::Text { .. } | Piece::Grow => {}
        }
    }
}
