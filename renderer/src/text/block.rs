//! A shaped block of text: size, ink, and where its bytes are. Immutable once made; shared by `Arc` between the cache and the op lists.

use cosmic_text::{Buffer, Cursor};

use crate::geometry::{Point, Rect, Size};
use crate::look::Decoration;

/// Shaped text. Coordinates are px from the block's top left.
#[derive(Debug)]
pub struct TextBlock {
    pub(crate) buffer: Buffer,
    pub(crate) size: Size,
    pub(crate) baseline: f32,
    pub(crate) lines: u32,
    /// Underlines and strike-throughs: the rectangle and the span's own colour.
    pub(crate) rules: Vec<(Rect, Option<crate::color::Color>)>,
    pub(crate) decoration: Decoration,
    /// Byte offset of each hard line of the buffer in the shaped text.
    pub(crate) line_starts: Vec<usize>,
}

impl PartialEq for TextBlock {
    /// Blocks come out of one cache: the same text in the same style is the same block.
    fn eq(&self, other: &TextBlock) -> bool {
        std::ptr::eq(self, other)
    }
}

impl TextBlock {
    /// The width of the widest line and the height of all lines.
    pub fn size(&self) -> Size {
        self.size
    }

    /// From the top to the first baseline.
    pub fn baseline(&self) -> f32 {
        self.baseline
    }

    pub fn line_count(&self) -> u32 {
        self.lines
    }

    pub fn decoration(&self) -> Decoration {
        self.decoration
    }

    /// The shaped runs, for a backend.
    pub fn buffer(&self) -> &Buffer {
        &self.buffer
    }

    pub fn rules(&self) -> &[(Rect, Option<crate::color::Color>)] {
        &self.rules
    }

    /// A box that no glyph leaves: overhang left and right, accents and descenders included.
    pub fn ink(&self) -> Rect {
        let mut b = Rect::ZERO;
        for run in self.buffer.layout_runs() {
            let (l, r) = run.glyphs.iter().fold((f32::MAX, f32::MIN), |(l, r), g| {
                (l.min(g.x), r.max(g.x + g.w))
            });
            if l <= r {
                let over = run.line_height * 0.4;
                b = b.union(&Rect::new(
                    l - over,
                    run.line_top - over * 0.5,
                    r - l + 2.0 * over,
                    run.line_height + over,
                ));
            }
        }
        b
    }

    fn cursor(&self, byte: usize) -> Cursor {
        let line = self
            .line_starts
            .partition_point(|s| *s <= byte)
            .saturating_sub(1);
        Cursor::new(
            line,
            byte - self.line_starts.get(line).copied().unwrap_or(0),
        )
    }

    /// The byte (a character boundary) nearest to `p`.
    pub fn hit(&self, p: Point) -> usize {
        self.buffer.hit(p.x, p.y).map_or(0, |c| {
            self.line_starts.get(c.line).copied().unwrap_or(0) + c.index
        })
    }

    /// The caret before `byte`: a box of no width as tall as its line. `None` for a byte past the shown lines.
    pub fn caret(&self, byte: usize) -> Option<Rect> {
        let c = self.cursor(byte);
        let mut last = None;
        for run in self.buffer.layout_runs().filter(|r| r.line_i == c.line) {
            let x = |edge: f32| Rect::new(edge, run.line_top, 0.0, run.line_height);
            if run.glyphs.is_empty() {
                return Some(x(if run.rtl { run.line_w } else { 0.0 }));
            }
            if let Some(g) = run
                .glyphs
                .iter()
                .find(|g| c.index >= g.start && c.index < g.end)
            {
                // A ligature shares its width between its characters.
                let part = (c.index - g.start) as f32 / (g.end - g.start).max(1) as f32;
                return Some(x(if g.level.is_rtl() {
                    g.x + g.w * (1.0 - part)
                } else {
                    g.x + g.w * part
                }));
            }
            let end = run.glyphs.iter().map(|g| g.end).max().unwrap_or(0);
            if c.index >= end {
                let g = run.glyphs.iter().max_by_key(|g| g.end);
                last = g.map(|g| x(if g.level.is_rtl() { g.x } else { g.x + g.w }));
            }
        }
        last
    }

    /// The boxes that cover the bytes `from..to`, one a shaped run.
    pub fn selection(&self, from: usize, to: usize) -> Vec<Rect> {
        let (a, b) = (self.cursor(from.min(to)), self.cursor(from.max(to)));
        self.buffer
            .layout_runs()
            .filter_map(|run| {
                run.highlight(a, b)
                    .map(|(x, w)| Rect::new(x, run.line_top, w, run.line_height))
            })
            .filter(|r| r.w > 0.0)
            .collect()
    }
}
