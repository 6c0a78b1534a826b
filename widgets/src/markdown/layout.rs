//! Blocks of Markdown to things with a place: shaped texts, boxes, ticks, link areas. Measuring asks for its size, painting for its
//! pieces, a press for its links: all of one layout.

use std::sync::Arc;

use ede_renderer::color::Color;
use ede_renderer::geometry::{Point, Radii, Rect, Size};
use ede_renderer::look::{Align, Look};
use ede_renderer::recipes::{Recipe, Recipes};
use ede_renderer::text::{Direction, TextBlock, TextEngine};
use eui_core::code::tokenize_code;
use eui_core::measure::TextStyle;
use serde_json::Map;

use super::parse::{Block, Column, Item, Rich, Table};
use super::runs::{Mark, dressed};
use crate::code::token_span;
use crate::paragraph::Paragraph;
use crate::parts;

/// One thing to paint. `color: None` is the node's colour.
pub enum Piece {
    Text {
        block: Arc<TextBlock>,
        at: Point,
        color: Option<Color>,
    },
    Fill {
        rect: Rect,
        radii: Radii,
        color: Color,
    },
    Box {
        rect: Rect,
        look: Box<Look>,
    },
    Tick {
        rect: Rect,
        checked: bool,
    },
}

pub struct Document {
    pub pieces: Vec<Piece>,
    pub links: Vec<(Rect, String)>,
    pub size: Size,
    pub baseline: Option<f32>,
}

/// Wide enough that nothing wraps.
const UNBOUNDED: f32 = 100_000.0;
const ITEM_GAP: f32 = 4.0;
const MARKER: f32 = 22.0;
const TICK: f32 = 14.0;
const CELL: (f32, f32) = (10.0, 6.0);
/// Lines of one code block that get token colours.
const MOST_CODE_LINES: usize = 500;

pub struct Typesetter<'a> {
    pub text: &'a mut TextEngine,
    pub recipes: &'a Recipes,
    pub style: &'a TextStyle,
    pub rtl: bool,
    /// Lines still to be set; `None` sets all.
    pub lines: Option<u32>,
}

struct Flow<'a, 'b> {
    set: &'b mut Typesetter<'a>,
    out: Document,
    y: f32,
    right: f32,
    muted: bool,
}

impl Typesetter<'_> {
    pub fn set(&mut self, blocks: &[Block], width: Option<f32>) -> Document {
        let wide = width.unwrap_or(UNBOUNDED);
        let mut flow = Flow {
            set: self,
            out: Document {
                pieces: Vec::new(),
                links: Vec::new(),
                size: Size::default(),
                baseline: None,
            },
            y: 0.0,
            right: 0.0,
            muted: false,
        };
        flow.blocks(blocks, 0.0, wide);
        let mut out = flow.out;
        out.size = Size::new(flow.right.min(wide).ceil(), flow.y);
        if self.rtl && width.is_some() {
            mirror(&mut out, wide);
        }
        out
    }
}

/// Everything was placed from the left: in right-to-left the whole page is turned over, texts are not.
fn mirror(d: &mut Document, wide: f32) {
    let turn = |r: &Rect| Rect {
        x: wide - r.right(),
        ..*r
    };
    for p in &mut d.pieces {
        match p {
            Piece::Text { block, at, .. } => at.x = wide - at.x - block.size().w,
            Piece::Fill { rect, .. } | Piece::Box { rect, .. } | Piece::Tick { rect, .. } => {
                *rect = turn(rect);
            }
        }
    }
    for (rect, _) in &mut d.links {
        *rect = turn(rect);
    }
}

impl Flow<'_, '_> {
    fn recipe(&self, part: &str) -> Arc<Recipe> {
        self.set.recipes.of("Markdown", part, &Map::new(), &[])
    }

    fn full(&self) -> bool {
        self.set.lines == Some(0)
    }

    fn blocks(&mut self, blocks: &[Block], x: f32, wide: f32) {
        let gap = self.recipe("root").look.gap.unwrap_or(12.0);
        for (i, block) in blocks.iter().enumerate() {
            if self.full() {
                return;
            }
            if i > 0 {
                // A list right under its sentence belongs to it.
                let tight = matches!(block, Block::List(..))
                    && matches!(blocks[i - 1], Block::Paragraph(_));
                self.y += match tight {
                    true if x > 0.0 => ITEM_GAP,
                    true => gap.min(8.0),
                    false => gap,
                };
            }
            self.block(block, x, wide);
        }
    }

    fn block(&mut self, block: &Block, x: f32, wide: f32) {
        match block {
            Block::Paragraph(rich) => self.rich(rich, self.set.style.clone(), x, wide, Align::Left),
            Block::Heading(level, rich) => {
                let style = self.heading(*level);
                self.rich(rich, style, x, wide, Align::Left);
            }
            Block::Code { language, text } => self.code(language, text, x, wide),
            Block::Quote(blocks) => self.quote(blocks, x, wide),
            Block::List(first, items) => self.list(*first, items, x, wide),
            Block::Table(table) => self.table(table, x, wide),
            Block::Rule => self.rule(x, wide),
        }
    }

    /// The recipe's heading is a section's; a document's title is larger, its small print smaller.
    fn heading(&self, level: u8) -> TextStyle {
        let mut style = parts::style(&self.recipe("heading"), self.set.style);
        let factor = match level {
            1 => 4.0 / 3.0,
            2 => 10.0 / 9.0,
            3 => 1.0,
            4 => 8.0 / 9.0,
            _ => 7.0 / 9.0,
        };
        style.font_size = (style.font_size * factor).round();
        style.line_height = (style.line_height * factor).round();
        style
    }

    fn ink(&self) -> Option<Color> {
        self.muted
            .then(|| self.recipe("quote").look.color)
            .flatten()
    }

    fn rich(&mut self, rich: &Rich, style: TextStyle, x: f32, wide: f32, align: Align) {
        let (text, spans, marks) = dressed(rich, &style, self.set.recipes);
        let mut p = Paragraph::new(&text, &style)
            .spans(&spans)
            .lines(self.set.lines);
        p.align = if self.set.rtl { flip(align) } else { align };
        p.direction = Direction::within(Some(self.set.rtl));
        let (block, dx) = p.at(self.set.text, wide);
        let dx = if self.set.rtl {
            wide - dx - block.size().w
        } else {
            dx
        };
        self.place(block, x + dx.max(0.0), &marks);
    }

    /// Put a text at the pen and move down.
    fn place(&mut self, block: Arc<TextBlock>, x: f32, marks: &[Mark]) {
        let (size, at) = (block.size(), Point::new(x, self.y));
        let code = self.recipe("code");
        for mark in marks {
            for rect in block.selection(mark.range.start, mark.range.end) {
                let rect = if self.set.rtl {
                    // Rectangles are turned over with the page; the text inside its block is not.
                    Rect {
                        x: size.w - rect.right(),
                        ..rect
                    }
                } else {
                    rect
                };
                let rect = rect.translate(at);
                match &mark.href {
                    Some(href) => self.out.links.push((rect, href.clone())),
                    None => {
                        if let Some(color) = code.look.background {
                            self.out.pieces.push(Piece::Fill {
                                rect: rect.inset_sides([1.0, -3.0, 1.0, -3.0]),
                                radii: Radii::all(code.look.radii.0[0].min(5.0)),
                                color,
                            });
                        }
                    }
                }
            }
        }
        self.out.baseline.get_or_insert(self.y + block.baseline());
        if let Some(left) = &mut self.set.lines {
            *left = left.saturating_sub(block.line_count());
        }
        self.y += size.h;
        self.right = self.right.max(x + size.w);
        let color = self.ink();
        self.out.pieces.push(Piece::Text { block, at, color });
    }

    fn list(&mut self, first: Option<u64>, items: &[Item], x: f32, wide: f32) {
        let style = self.set.style.clone();
        let muted = self.set.recipes.token("mutedForeground");
        let number = |i: usize| first.map(|f| format!("{}.", f.saturating_add(i as u64)));
        let widest = number(items.len().saturating_sub(1)).map_or(0.0, |n| {
            Paragraph::new(&n, &style).natural(self.set.text).size().w
        });
        let indent = MARKER.max(widest + 8.0);
        for (i, item) in items.iter().enumerate() {
            if self.full() {
                return;
            }
            if i > 0 {
                self.y += ITEM_GAP;
            }
            let top = self.y;
            let line = style.line_height;
            if let Some(checked) = item.task {
                let rect = Rect::new(x, top + (line - TICK) / 2.0, TICK, TICK);
                self.out.pieces.push(Piece::Tick { rect, checked });
            } else if let Some(n) = number(i) {
                let block = Paragraph::new(&n, &style).natural(self.set.text);
                let at = Point::new(x + indent - 8.0 - block.size().w, top);
                self.out.pieces.push(Piece::Text {
                    block,
                    at,
                    color: Some(muted),
                });
            } else {
                let rect = Rect::new(x + 6.0, top + line / 2.0 - 2.0, 4.0, 4.0);
                self.out.pieces.push(Piece::Fill {
                    rect,
                    radii: Radii::all(2.0),
                    color: muted,
                });
            }
            if item.blocks.is_empty() {
                self.y += line;
            }
            self.right = self.right.max(x + indent);
            self.blocks(&item.blocks, x + indent, (wide - indent).max(24.0));
        }
    }

    fn quote(&mut self, blocks: &[Block], x: f32, wide: f32) {
        let dress = self.recipe("quote");
        let bar = dress.look.border[3].max(2.0);
        let lead = bar + dress.look.padding[3].max(8.0);
        let was = std::mem::replace(&mut self.muted, true);
        let top = self.y;
        self.blocks(blocks, x + lead, (wide - lead).max(24.0));
        self.muted = was;
        let color = dress
            .look
            .border_color
            .unwrap_or_else(|| self.set.recipes.token("border"));
        let rect = Rect::new(x, top, bar, self.y - top);
        self.out.pieces.push(Piece::Fill {
            rect,
            radii: Radii::all(bar / 2.0),
            color,
        });
    }

    fn code(&mut self, language: &str, text: &str, x: f32, wide: f32) {
        let dress = self.recipe("codeBlock");
        let style = parts::style(&dress, self.set.style);
        let mut spans = Vec::new();
        let mut at = 0;
        for (line, tokens) in text
            .lines()
            .zip(tokenize_code(text, language))
            .take(MOST_CODE_LINES)
        {
            let mut from = at;
            for token in tokens {
                let to = from + token.text.len();
                if token.kind != "plain" && text.get(from..to) == Some(token.text.as_str()) {
                    spans.push(token_span(self.set.recipes, &token.kind, from..to));
                }
                from = to;
            }
            at += line.len() + 1;
        }
        let [t, r, b, l] = dress.look.padding;
        let mut p = Paragraph::new(text, &style)
            .spans(&spans)
            .lines(self.set.lines);
        p.direction = Direction::LeftToRight;
        let (block, _) = p.at(self.set.text, (wide - l - r).max(24.0));
        let size = block.size();
        let w = if wide < UNBOUNDED {
            wide
        } else {
            size.w + l + r
        };
        let rect = Rect::new(x, self.y, w, size.h + t + b);
        self.out.pieces.push(Piece::Box {
            rect,
            look: Box::new(dress.look.clone()),
        });
        if let Some(left) = &mut self.set.lines {
            *left = left.saturating_sub(block.line_count());
        }
        self.right = self.right.max(rect.right());
        // Turned over with the page, code still starts at its box's left.
        let text_x = if self.set.rtl {
            x + w - l - size.w
        } else {
            x + l
        };
        let color = self.ink();
        self.out.pieces.push(Piece::Text {
            block,
            at: Point::new(text_x, self.y + t),
            color,
        });
        self.y += rect.h;
    }

    fn rule(&mut self, x: f32, wide: f32) {
        let color = self.set.recipes.token("border");
        let w = if wide < UNBOUNDED { wide } else { 0.0 };
        let rect = Rect::new(x, self.y, w, 1.0);
        self.out.pieces.push(Piece::Fill {
            rect,
            radii: Radii::NONE,
            color,
        });
        self.y += 1.0;
    }

    fn table(&mut self, table: &Table, x: f32, wide: f32) {
        let bold = TextStyle {
            font_weight: 600,
            ..self.set.style.clone()
        };
        let body = self.set.style.clone();
        let columns = table
            .rows
            .iter()
            .map(Vec::len)
            .chain([table.head.len()])
            .max()
            .unwrap_or(0);
        if columns == 0 {
            return;
        }
        let mut natural = vec![0.0f32; columns];
        let mut narrow = vec![0.0f32; columns];
        let head = std::iter::once((&table.head, &bold));
        for (row, style) in head.chain(table.rows.iter().map(|r| (r, &body))) {
            for (c, cell) in row.iter().enumerate() {
                let (text, spans, _) = dressed(cell, style, self.set.recipes);
                let p = Paragraph::new(&text, style).spans(&spans);
                let (size, least, _) = p.measure(self.set.text, None);
                natural[c] = natural[c].max(size.w);
                narrow[c] = narrow[c].max(least.min(120.0));
            }
        }
        let pads = 2.0 * CELL.0 * columns as f32;
        let widths = fit(&natural, &narrow, wide - pads - 2.0);
        let whole = widths.iter().sum::<f32>() + pads;
        let dress = self.recipe("table");
        let line = dress
            .look
            .border_color
            .unwrap_or_else(|| self.set.recipes.token("border"));
        let top = self.y;
        let header = (!table.head.is_empty()).then_some((&table.head, &bold));
        for (i, (row, style)) in header
            .into_iter()
            .chain(table.rows.iter().map(|r| (r, &body)))
            .enumerate()
        {
            if self.full() {
                break;
            }
            if i > 0 {
                let rect = Rect::new(x, self.y, whole, 1.0);
                self.out.pieces.push(Piece::Fill {
                    rect,
                    radii: Radii::NONE,
                    color: line,
                });
            }
            let start = self.y + CELL.1;
            let (mut bottom, mut left) = (start + style.line_height, x + CELL.0);
            let budget = self.set.lines;
            let mut used = 1;
            for (c, w) in widths.iter().enumerate() {
                if let Some(cell) = row.get(c) {
                    let align = match table.columns.get(c).copied().unwrap_or_default() {
                        Column::Start => Align::Left,
                        Column::Center => Align::Center,
                        Column::End => Align::Right,
                    };
                    (self.y, self.set.lines) = (start, budget);
                    self.rich(cell, style.clone(), left, *w, align);
                    bottom = bottom.max(self.y);
                    used = used.max(budget.zip(self.set.lines).map_or(1, |(b, l)| b - l));
                }
                left += w + 2.0 * CELL.0;
            }
            self.set.lines = budget.map(|b| b.saturating_sub(used));
            self.y = bottom + CELL.1;
        }
        let rect = Rect::new(x, top, whole, self.y - top);
        self.right = self.right.max(rect.right());
        self.out.pieces.push(Piece::Box {
            rect,
            look: Box::new(dress.look.clone()),
        });
    }
}

/// Column widths: as wide as they like, or shrunk in proportion to what they can spare.
fn fit(natural: &[f32], narrow: &[f32], room: f32) -> Vec<f32> {
    let sum: f32 = natural.iter().sum();
    if sum <= room {
        return natural.to_vec();
    }
    let least: f32 = narrow.iter().sum();
    if least >= room {
        let scale = (room / least.max(1.0)).max(0.0);
        return narrow.iter().map(|w| (w * scale).max(8.0)).collect();
    }
    let share = (room - least) / (sum - least).max(1.0);
    natural
        .iter()
        .zip(narrow)
        .map(|(n, l)| l + (n - l) * share)
        .collect()
}

fn flip(align: Align) -> Align {
    match align {
        Align::Left => Align::Right,
        Align::Right => Align::Left,
        other => other,
    }
}
