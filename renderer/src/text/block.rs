//! A shaped block of text: size, ink, and where its bytes are. Immutable once made; shared by `Arc` between the cache and the op lists.

use std::sync::Arc;

use cosmic_text::{Buffer, Cursor, Font, LayoutGlyph};

use super::source::ByteMap;
use crate::color::Color;
use crate::geometry::{Point, Rect, Size};
use crate::look::Decoration;

/// Where a shown line stands, px from the block's top.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Line {
    pub top: f32,
    pub baseline: f32,
}

/// How far the letters of one line may reach, px from the block's top left; `aside` is past a letter's advance, to either side.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Reach {
    pub top: f32,
    pub bottom: f32,
    pub aside: f32,
}

impl Reach {
    /// A box that none of these glyphs of the line leaves; empty without any.
    pub fn around(&self, glyphs: &[LayoutGlyph]) -> Rect {
        let ends = |(l, r): (f32, f32), g: &LayoutGlyph| (l.min(g.x), r.max(g.x + g.w));
        let (l, r) = glyphs.iter().fold((f32::MAX, f32::MIN), ends);
        if l > r {
            return Rect::ZERO;
        }
        let width = r - l + 2.0 * self.aside;
        Rect::new(l - self.aside, self.top, width, self.bottom - self.top)
    }
}

/// Shaped text. Coordinates are px from the block's top left.
#[derive(Debug)]
pub struct TextBlock {
    pub(super) buffer: Arc<Buffer>,
    pub(super) size: Size,
    pub(super) min_width: f32,
    pub(super) baseline: f32,
    pub(super) lines: Vec<Line>,
    /// Underlines and strike-throughs: the rectangle and the span's own colour.
    pub(super) rules: Vec<(Rect, Option<Color>)>,
    pub(super) decoration: Decoration,
    /// One for each hard line of the buffer.
    pub(super) maps: Vec<ByteMap>,
    pub(super) faces: Vec<Arc<Font>>,
    /// The face of each glyph in paint order; `u16::MAX` for one that has none.
    pub(super) glyph_faces: Vec<u16>,
    /// One for each line.
    pub(super) reaches: Vec<Reach>,
    pub(super) ink: Rect,
    pub(super) incomplete: bool,
    pub(super) cut: bool,
}

/// Do both glyphs paint the same pixels of one line?
fn same(a: &LayoutGlyph, b: &LayoutGlyph) -> bool {
    (a.glyph_id, a.font_id, a.font_weight) == (b.glyph_id, b.font_id, b.font_weight)
        && (a.x, a.y, a.x_offset, a.y_offset) == (b.x, b.y, b.x_offset, b.y_offset)
        && (a.font_size, a.color_opt, a.cache_key_flags)
            == (b.font_size, b.color_opt, b.cache_key_flags)
}

/// How wide a selected line without text shows.
const EMPTY_LINE: f32 = 4.0;

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

    /// The widest word: wrapped narrower than this, words break inside.
    pub fn min_width(&self) -> f32 {
        self.min_width
    }

    /// From the top to the first baseline.
    pub fn baseline(&self) -> f32 {
        self.baseline
    }

    pub fn line_count(&self) -> u32 {
        self.lines.len() as u32
    }

    /// The shown lines, in the order of the buffer's layout runs.
    pub fn lines(&self) -> &[Line] {
        &self.lines
    }

    pub fn decoration(&self) -> Decoration {
        self.decoration
    }

    /// The text did not fit and ends in an ellipsis.
    pub fn is_cut(&self) -> bool {
        self.cut
    }

    /// Some glyph waits for the system's fonts.
    pub fn is_incomplete(&self) -> bool {
        self.incomplete
    }

    /// The shaped runs, for a backend. Baselines are [`TextBlock::lines`]', not the buffer's.
    pub fn buffer(&self) -> &Buffer {
        &self.buffer
    }

    /// The same, to be held on to by a backend that draws later.
    #[cfg(feature = "wgpu")]
    pub(crate) fn shared_buffer(&self) -> &Arc<Buffer> {
        &self.buffer
    }

    pub fn rules(&self) -> &[(Rect, Option<Color>)] {
        &self.rules
    }

    /// A box that no glyph leaves: overhang left and right, accents and descenders included.
    pub fn ink(&self) -> Rect {
        self.ink
    }

    /// Where the two blocks paint otherwise when they stand in one place in one colour: on each line, from the first letter that
    /// differs to the last. Of a clock's digits only those that changed.
    pub fn difference(&self, other: &TextBlock) -> Vec<Rect> {
        let comparable = self.lines == other.lines
            && self.rules == other.rules
            && self.decoration == other.decoration;
        if !comparable {
            return vec![self.ink, other.ink];
        }
        let (a, b) = (self.buffer.layout_runs(), other.buffer.layout_runs());
        let mut out = Vec::new();
        for ((a, b), reach) in a.zip(b).zip(self.reaches.iter().zip(&other.reaches)) {
            let (a, b) = (a.glyphs, b.glyphs);
            let head = a.iter().zip(b).take_while(|(a, b)| same(a, b)).count();
            let (a, b) = (&a[head..], &b[head..]);
            let ends = a.iter().rev().zip(b.iter().rev());
            let tail = ends.take_while(|(a, b)| same(a, b)).count();
            out.push(reach.0.around(&a[..a.len() - tail]));
            out.push(reach.1.around(&b[..b.len() - tail]));
        }
        out.retain(|r| !r.is_empty());
        out
    }

    #[cfg(test)]
    pub(super) fn glyph_count(&self) -> usize {
        self.glyph_faces.len()
    }

    /// Every glyph with its line and its face, in paint order.
    pub(crate) fn glyphs(&self) -> impl Iterator<Item = (&Line, &LayoutGlyph, &Arc<Font>)> {
        self.buffer
            .layout_runs()
            .zip(&self.lines)
            .flat_map(|(run, line)| run.glyphs.iter().map(move |g| (line, g)))
            .zip(&self.glyph_faces)
            .filter_map(|((line, g), face)| Some((line, g, self.faces.get(usize::from(*face))?)))
    }

    /// About how much memory the block takes.
    pub(super) fn bytes(&self) -> usize {
        let text: usize = self.buffer.lines.iter().map(|l| l.text().len() + 600).sum();
        size_of::<TextBlock>() + text + self.glyph_faces.len() * 250
    }

    fn cursor(&self, byte: usize) -> Cursor {
        let line = self
            .maps
            .partition_point(|m| m.source_start() <= byte)
            .saturating_sub(1);
        let index = self.maps.get(line).map_or(0, |m| m.to_shaped(byte));
        Cursor::new(line, index)
    }

    /// The byte (a character boundary) nearest to `p`.
    pub fn hit(&self, p: Point) -> usize {
        self.buffer
            .hit(p.x, p.y)
            .and_then(|c| self.maps.get(c.line).map(|m| m.to_source(c.index)))
            .unwrap_or(0)
    }

    /// The caret before `byte`: a box of no width as tall as its line. `None` for a byte past the shown lines.
    pub fn caret(&self, byte: usize) -> Option<Rect> {
        if self.cut && self.maps.last().is_some_and(|m| byte > m.source_end()) {
            return None;
        }
        let c = self.cursor(byte);
        let mut last = None;
        for run in self.buffer.layout_runs().filter(|r| r.line_i == c.line) {
            let x = |edge: f32| Rect::new(edge, run.line_top, 0.0, run.line_height);
            if run.glyphs.is_empty() {
                return Some(x(self.empty_line_x(run.rtl)));
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

    /// Where the caret of a line without text stands.
    fn empty_line_x(&self, rtl: bool) -> f32 {
        let align = self.buffer.lines.first().and_then(|l| l.align());
        let wide = self.buffer.size().0.unwrap_or(0.0);
        match align {
            Some(cosmic_text::Align::Center) => wide / 2.0,
            Some(cosmic_text::Align::Right) => wide,
            Some(cosmic_text::Align::Justified) if rtl => wide,
            _ => 0.0,
        }
    }

    /// The boxes that cover the bytes `from..to`: one a line, more where the direction changes inside the selection.
    pub fn selection(&self, from: usize, to: usize) -> Vec<Rect> {
        let (a, b) = (self.cursor(from.min(to)), self.cursor(from.max(to)));
        let mut out: Vec<Rect> = Vec::new();
        for run in self.buffer.layout_runs() {
            if run.line_i < a.line || run.line_i > b.line || (a.line, a.index) == (b.line, b.index)
            {
                continue;
            }
            let first = if run.line_i == a.line { a.index } else { 0 };
            let end = if run.line_i == b.line {
                b.index
            } else {
                usize::MAX
            };
            if run.glyphs.is_empty() && run.line_i < b.line {
                let x = self.empty_line_x(run.rtl);
                out.push(Rect::new(x, run.line_top, EMPTY_LINE, run.line_height));
            }
            // Glyphs stand in the order they are seen: what is selected in one direction may lie in pieces.
            let mut open = false;
            for g in run.glyphs {
                let (from, to) = (g.start.max(first), g.end.min(end));
                if from >= to {
                    open = false;
                    continue;
                }
                let long = (g.end - g.start).max(1) as f32;
                let (lead, part) = ((from - g.start) as f32 / long, (to - from) as f32 / long);
                let left = if g.level.is_rtl() {
                    1.0 - lead - part
                } else {
                    lead
                };
                let (x, w) = (g.x + g.w * left, g.w * part);
                match out.last_mut().filter(|_| open) {
                    Some(r) => {
                        let right = r.right().max(x + w);
                        r.x = r.x.min(x);
                        r.w = right - r.x;
                    }
                    None => out.push(Rect::new(x, run.line_top, w, run.line_height)),
                }
                open = true;
            }
        }
        out.retain(|r| r.w > 0.0);
        out
    }
}
