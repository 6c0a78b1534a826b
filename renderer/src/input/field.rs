//! The text of a field as it is shown: masked, with the preedit in it, wrapped or scrolled. The painter draws it and a click is tested
//! against it, so both must come from here. Pure but for shaping.

use std::ops::Range;
use std::sync::Arc;

use eui_core::measure::TextStyle;

use super::{Edit, FieldSpec};
use crate::geometry::{Point, Rect};
use crate::look::{Align, Decoration};
use crate::text::{Direction, Span, TextBlock, TextEngine, TextSpec};

/// What stands for one character of a secret.
const DOT: char = '•';
/// The caret's width, kept free at the end of a line.
pub const CARET: f32 = 1.0;

/// How a field's text is set.
#[derive(Clone, Copy, Debug)]
pub struct FieldLayout<'a> {
    /// Where the text shows, in the node ([`crate::component::Component::field_area`]).
    pub area: Rect,
    pub style: &'a TextStyle,
    pub align: Align,
    pub rtl: Option<bool>,
}

/// A field's text, shaped and placed.
#[derive(Clone, Debug)]
pub struct FieldText {
    pub block: Arc<TextBlock>,
    pub area: Rect,
    multiline: bool,
    align: Align,
    scroll: Point,
    secret: bool,
    /// Bytes of the shown text the preedit takes.
    preedit: Range<usize>,
    preedit_caret: usize,
    text: String,
    caret: usize,
    anchor: usize,
}

impl FieldText {
    pub fn new(
        engine: &mut TextEngine,
        spec: FieldSpec,
        layout: FieldLayout<'_>,
        edit: &Edit,
    ) -> FieldText {
        let (caret, anchor) = (
            boundary(&edit.text, edit.caret),
            boundary(&edit.text, edit.anchor),
        );
        let mut shown = masked(&edit.text[..caret], spec.secret);
        let start = shown.len();
        let mut preedit_caret = start;
        if let Some((text, at)) = edit.preedit.as_ref().filter(|_| edit.focused) {
            preedit_caret = start + masked(&text[..boundary(text, *at)], spec.secret).len();
            shown.push_str(&masked(text, spec.secret));
        }
        let preedit = start..shown.len();
        shown.push_str(&masked(&edit.text[caret..], spec.secret));
        let spans = if preedit.is_empty() {
            Vec::new()
        } else {
            vec![Span {
                range: preedit.clone(),
                decoration: Decoration::Underline,
                ..Span::default()
            }]
        };
        let width = spec.multiline.then_some((layout.area.w - CARET).max(1.0));
        let block = engine.shape(
            &TextSpec::new(&shown, layout.style)
                .wrap(width)
                .align(if spec.multiline {
                    layout.align
                } else {
                    Align::Left
                })
                .direction(Direction::within(layout.rtl))
                .spans(&spans),
        );
        FieldText {
            block,
            area: layout.area,
            multiline: spec.multiline,
            align: layout.align,
            scroll: edit.scroll,
            secret: spec.secret,
            preedit,
            preedit_caret,
            text: edit.text.clone(),
            caret,
            anchor,
        }
    }

    /// How far the text can be scrolled, right and down.
    pub fn overflow(&self) -> Point {
        let size = self.block.size();
        Point::new(
            if self.multiline {
                0.0
            } else {
                (size.w + CARET - self.area.w).max(0.0)
            },
            if self.multiline {
                (size.h - self.area.h).max(0.0)
            } else {
                0.0
            },
        )
    }

    /// Where the block's top left is, in the node.
    pub fn origin(&self) -> Point {
        let (size, most) = (self.block.size(), self.overflow());
        let free = (self.area.w - size.w).max(0.0);
        let lead = match self.align {
            _ if self.multiline => 0.0,
            Align::Right => (free - CARET).max(0.0),
            Align::Center => free / 2.0,
            Align::Left | Align::Justify => 0.0,
        };
        let down = if self.multiline {
            0.0
        } else {
            (self.area.h - size.h) / 2.0
        };
        Point::new(
            self.area.x + lead - self.scroll.x.clamp(0.0, most.x),
            self.area.y + down - self.scroll.y.clamp(0.0, most.y),
        )
    }

    /// The byte of the field's own text nearest to `at` (node coordinates).
    pub fn hit(&self, at: Point) -> usize {
        let shown = self.block.hit(at - self.origin());
        let own = if shown <= self.preedit.start {
            shown
        } else {
            shown
                .saturating_sub(self.preedit.len())
                .max(self.preedit.start)
        };
        if self.secret {
            self.text
                .char_indices()
                .nth(own / DOT.len_utf8())
                .map_or(self.text.len(), |(i, _)| i)
        } else {
            boundary(&self.text, own)
        }
    }

    /// The caret in the node: its left edge, top and line height.
    pub fn caret(&self) -> Rect {
        let at = if self.preedit.is_empty() {
            self.shown(self.caret)
        } else {
            self.preedit_caret
        };
        let line = Rect::new(0.0, 0.0, 0.0, self.block.size().h.max(1.0));
        self.block
            .caret(at)
            .unwrap_or(line)
            .translate(self.origin())
    }

    /// The boxes of the selected text, in the node.
    pub fn selection(&self) -> Vec<Rect> {
        if self.caret == self.anchor || !self.preedit.is_empty() {
            return Vec::new();
        }
        let (from, to) = (self.caret.min(self.anchor), self.caret.max(self.anchor));
        let origin = self.origin();
        self.block
            .selection(self.shown(from), self.shown(to))
            .iter()
            .map(|r| r.translate(origin))
            .collect()
    }

    /// The scroll that shows the caret with the least movement.
    pub fn scroll_to_caret(&self) -> Point {
        let (caret, most) = (self.caret(), self.overflow());
        let along = |scroll: f32, start: f32, end: f32, lo: f32, hi: f32, most: f32| {
            let scroll = scroll.clamp(0.0, most);
            if start < lo {
                (scroll - (lo - start)).clamp(0.0, most)
            } else if end > hi {
                (scroll + (end - hi)).clamp(0.0, most)
            } else {
                scroll
            }
        };
        let a = self.area;
        Point::new(
            along(
                self.scroll.x,
                caret.x,
                caret.x + CARET,
                a.x,
                a.right(),
                most.x,
            ),
            along(
                self.scroll.y,
                caret.y,
                caret.bottom(),
                a.y,
                a.bottom(),
                most.y,
            ),
        )
    }

    /// The byte one line above or below the caret, `None` past the first or last line.
    pub fn line_step(&self, down: bool) -> Option<usize> {
        let caret = self.caret();
        let y = if down {
            caret.bottom() + caret.h / 2.0
        } else {
            caret.y - caret.h / 2.0
        };
        let top = self.origin().y;
        (y >= top && y < top + self.block.size().h).then(|| self.hit(Point::new(caret.x, y)))
    }

    /// A byte of the field's text as a byte of the shown text.
    fn shown(&self, byte: usize) -> usize {
        let own = if self.secret {
            self.text[..byte].chars().count() * DOT.len_utf8()
        } else {
            byte
        };
        if own > self.preedit.start {
            own + self.preedit.len()
        } else {
            own
        }
    }
}

fn masked(text: &str, secret: bool) -> String {
    if secret {
        text.chars().map(|_| DOT).collect()
    } else {
        text.to_string()
    }
}

/// The character boundary at or before `byte`.
fn boundary(text: &str, byte: usize) -> usize {
    let mut b = byte.min(text.len());
    while !text.is_char_boundary(b) {
        b -= 1;
    }
    b
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::text::Fonts;

    fn field(spec: FieldSpec, edit: &Edit) -> FieldText {
        let style = TextStyle::default();
        let layout = FieldLayout {
            area: Rect::new(12.0, 8.0, 100.0, 20.0),
            style: &style,
            align: Align::Left,
            rtl: None,
        };
        FieldText::new(&mut TextEngine::new(Fonts::new()), spec, layout, edit)
    }

    fn spec(secret: bool, multiline: bool) -> FieldSpec {
        FieldSpec {
            multiline,
            secret,
            purpose: super::super::Purpose::Text,
            prop: "value",
            enter_submits: !multiline,
            stand: Default::default(),
        }
    }

    fn edit(text: &str, caret: usize) -> Edit {
        Edit {
            text: text.into(),
            caret,
            anchor: caret,
            focused: true,
            ..Edit::default()
        }
    }

    #[test]
    fn a_click_on_a_dot_lands_between_characters_of_the_secret() {
        let f = field(spec(true, false), &edit("päß", 0));
        assert_eq!(f.hit(Point::new(500.0, 10.0)), "päß".len());
        let second = f.block.caret(DOT.len_utf8()).unwrap_or_default();
        assert_eq!(f.hit(Point::new(12.0 + second.x, 10.0)), "p".len());
    }

    #[test]
    fn a_preedit_moves_the_caret_but_not_the_text() {
        let mut e = edit("ab", 1);
        let before = field(spec(false, false), &e).caret().x;
        e.preedit = Some(("に".into(), "に".len()));
        let f = field(spec(false, false), &e);
        assert!(f.caret().x > before);
        assert_eq!(f.hit(Point::new(500.0, 10.0)), 2);
    }

    #[test]
    fn the_caret_of_a_long_line_is_scrolled_into_the_field() {
        let text = "a line that is longer than the field is wide";
        let mut e = edit(text, text.len());
        e.scroll = field(spec(false, false), &e).scroll_to_caret();
        assert!(e.scroll.x > 0.0);
        let caret = field(spec(false, false), &e).caret();
        assert!(
            caret.x >= 12.0 && caret.x + CARET <= 112.0 + 0.01,
            "{caret:?}"
        );
    }

    #[test]
    fn arrows_walk_the_wrapped_lines_and_stop_at_the_ends() {
        let text = "one two three four five six";
        let f = field(spec(false, true), &edit(text, 0));
        let next = f.line_step(true);
        assert!(next.is_some_and(|b| b > 0 && b < text.len()));
        assert_eq!(f.line_step(false), None);
    }
}
