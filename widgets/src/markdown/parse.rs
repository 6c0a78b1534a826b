//! Markdown source to blocks of rich text. Raw HTML is dropped; a picture is its description: remote media is never loaded.

use pulldown_cmark::{Alignment, CodeBlockKind, Event, Options, Parser, Tag, TagEnd};
use std::ops::Range;

/// What distinguishes a run of a rich text. `href` is the target of a link.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Run {
    pub range: Range<usize>,
    pub strong: bool,
    pub emphasis: bool,
    pub struck: bool,
    pub code: bool,
    pub href: Option<String>,
}

#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Rich {
    pub text: String,
    pub runs: Vec<Run>,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Block {
    Paragraph(Rich),
    Heading(u8, Rich),
    Code {
        language: String,
        text: String,
    },
    Quote(Vec<Block>),
    /// The number of the first item; `None` has bullets.
    List(Option<u64>, Vec<Item>),
    Table(Table),
    Rule,
}

#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Item {
    /// A task's box, ticked or not.
    pub task: Option<bool>,
    pub blocks: Vec<Block>,
}

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Column {
    #[default]
    Start,
    Center,
    End,
}

#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Table {
    pub columns: Vec<Column>,
    pub head: Vec<Rich>,
    pub rows: Vec<Vec<Rich>>,
}

/// Blocks inside blocks past this depth are laid beside their parents.
const DEEPEST: usize = 12;
const MOST_BLOCKS: usize = 2000;
/// Source that is read; the rest is cut.
const MOST_BYTES: usize = 64 * 1024;

/// A block that is still open.
enum Open {
    Rich(Rich, Ending),
    Code { language: String, text: String },
    Quote(Vec<Block>),
    List(Option<u64>, Vec<Item>),
    Item(Item),
    Table(Table),
    Row(Vec<Rich>, bool),
    Cell(Rich),
}

enum Ending {
    Paragraph,
    Heading(u8),
}

#[derive(Default)]
struct Builder {
    done: Vec<Block>,
    open: Vec<Open>,
    strong: usize,
    emphasis: usize,
    struck: usize,
    links: Vec<Option<String>>,
    /// Inside something whose text is not shown.
    muted: usize,
    blocks: usize,
}

pub fn parse(source: &str) -> Vec<Block> {
    let mut end = source.len().min(MOST_BYTES);
    while !source.is_char_boundary(end) {
        end -= 1;
    }
    let options =
        Options::ENABLE_TABLES | Options::ENABLE_STRIKETHROUGH | Options::ENABLE_TASKLISTS;
    let mut b = Builder::default();
    for event in Parser::new_ext(&source[..end], options) {
        if b.blocks > MOST_BLOCKS {
            break;
        }
        b.event(event);
    }
    while !b.open.is_empty() {
        b.close();
    }
    b.done
}

impl Builder {
    fn event(&mut self, event: Event<'_>) {
        match event {
            Event::Start(tag) => self.start(tag),
            Event::End(tag) => self.end(tag),
            Event::Text(t) => self.text(&t, false),
            Event::Code(t) => self.text(&t, true),
            Event::SoftBreak => self.text(" ", false),
            Event::HardBreak => self.text("\n", false),
            Event::Rule => self.block(Block::Rule),
            Event::TaskListMarker(on) => {
                let item = self.open.iter_mut().rev().find_map(|o| match o {
                    Open::Item(item) => Some(item),
                    _ => None,
                });
                if let Some(item) = item {
                    item.task = Some(on);
                }
            }
            _ => {}
        }
    }

    fn start(&mut self, tag: Tag<'_>) {
        match tag {
            Tag::Paragraph => self
                .open
                .push(Open::Rich(Rich::default(), Ending::Paragraph)),
            Tag::Heading { level, .. } => {
                let level = level as u8;
                self.end_loose();
                self.open
                    .push(Open::Rich(Rich::default(), Ending::Heading(level)));
            }
            Tag::CodeBlock(kind) => {
                self.end_loose();
                let language = match kind {
                    CodeBlockKind::Fenced(info) => {
                        info.split([' ', ',']).next().unwrap_or("").to_string()
                    }
                    CodeBlockKind::Indented => String::new(),
                };
                self.open.push(Open::Code {
                    language,
                    text: String::new(),
                });
            }
            Tag::BlockQuote(_) => {
                self.end_loose();
                self.open.push(Open::Quote(Vec::new()));
            }
            Tag::List(first) => {
                self.end_loose();
                self.open.push(Open::List(first, Vec::new()));
            }
            Tag::Item => self.open.push(Open::Item(Item::default())),
            Tag::Table(columns) => {
                self.end_loose();
                let columns = columns
                    .iter()
                    .map(|a| match a {
                        Alignment::Center => Column::Center,
                        Alignment::Right => Column::End,
                        _ => Column::Start,
                    })
                    .collect();
                self.open.push(Open::Table(Table {
                    columns,
                    ..Table::default()
                }));
            }
            Tag::TableHead => self.open.push(Open::Row(Vec::new(), true)),
            Tag::TableRow => self.open.push(Open::Row(Vec::new(), false)),
            Tag::TableCell => self.open.push(Open::Cell(Rich::default())),
            Tag::Strong => self.strong += 1,
            Tag::Emphasis => self.emphasis += 1,
            Tag::Strikethrough => self.struck += 1,
            Tag::Link { dest_url, .. } => self.links.push(Some(dest_url.to_string())),
            Tag::Image { .. } => self.emphasis += 1,
            Tag::HtmlBlock | Tag::MetadataBlock(_) => self.muted += 1,
            _ => {}
        }
    }

    fn end(&mut self, tag: TagEnd) {
        match tag {
            TagEnd::Strong => self.strong = self.strong.saturating_sub(1),
            TagEnd::Emphasis | TagEnd::Image => {
                self.emphasis = self.emphasis.saturating_sub(1);
            }
            TagEnd::Strikethrough => self.struck = self.struck.saturating_sub(1),
            TagEnd::Link => {
                self.links.pop();
            }
            TagEnd::HtmlBlock | TagEnd::MetadataBlock(_) => {
                self.muted = self.muted.saturating_sub(1);
            }
            TagEnd::Item | TagEnd::BlockQuote(_) => {
                self.end_loose();
                self.close();
            }
            TagEnd::Paragraph
            | TagEnd::Heading(_)
            | TagEnd::CodeBlock
            | TagEnd::List(_)
            | TagEnd::Table
            | TagEnd::TableHead
            | TagEnd::TableRow
            | TagEnd::TableCell => self.close(),
            _ => {}
        }
    }

    /// The text of a tight list item has no paragraph around it: it gets one, which ends where the next block starts.
    fn end_loose(&mut self) {
        if matches!(self.open.last(), Some(Open::Rich(_, Ending::Paragraph))) {
            self.close();
        }
    }

    fn text(&mut self, text: &str, code: bool) {
        if self.muted > 0 {
            return;
        }
        if let Some(Open::Code { text: own, .. }) = self.open.last_mut() {
            own.push_str(text);
            return;
        }
        if !matches!(self.open.last(), Some(Open::Rich(..) | Open::Cell(_))) {
            if text.trim().is_empty() {
                return;
            }
            self.open
                .push(Open::Rich(Rich::default(), Ending::Paragraph));
        }
        let style = Run {
            strong: self.strong > 0,
            emphasis: self.emphasis > 0,
            struck: self.struck > 0,
            code,
            href: self.links.last().cloned().flatten(),
            range: 0..0,
        };
        let Some(Open::Rich(rich, _) | Open::Cell(rich)) = self.open.last_mut() else {
            return;
        };
        rich.push(text, style);
    }

    fn close(&mut self) {
        let Some(open) = self.open.pop() else {
            return;
        };
        match open {
            Open::Rich(rich, _) if rich.text.trim().is_empty() => {}
            Open::Rich(rich, Ending::Paragraph) => self.block(Block::Paragraph(rich)),
            Open::Rich(rich, Ending::Heading(level)) => self.block(Block::Heading(level, rich)),
            Open::Code { language, text } => {
                let text = text.trim_end_matches('\n').to_string();
                self.block(Block::Code { language, text });
            }
            Open::Quote(blocks) => self.block(Block::Quote(blocks)),
            Open::List(first, items) => self.block(Block::List(first, items)),
            Open::Item(item) => match self.open.last_mut() {
                Some(Open::List(_, items)) => items.push(item),
                _ => self.done.extend(item.blocks),
            },
            Open::Table(table) => self.block(Block::Table(table)),
            Open::Row(cells, head) => {
                if let Some(Open::Table(table)) = self.open.last_mut() {
                    if head {
                        table.head = cells;
                    } else {
                        table.rows.push(cells);
                    }
                }
            }
            Open::Cell(rich) => {
                if let Some(Open::Row(cells, _)) = self.open.last_mut() {
                    cells.push(rich);
                }
            }
        }
    }

    /// Put a finished block where it belongs.
    fn block(&mut self, block: Block) {
        self.blocks += 1;
        let nested = self
            .open
            .iter()
            .filter(|o| matches!(o, Open::Quote(_) | Open::Item(_)))
            .count();
        let inner = matches!(block, Block::Quote(_) | Block::List(..));
        let home = self.open.iter_mut().rev().find_map(|o| match o {
            Open::Quote(blocks) => Some(blocks),
            Open::Item(item) => Some(&mut item.blocks),
            _ => None,
        });
        let home = home.unwrap_or(&mut self.done);
        match block {
            // Past the deepest level the content goes on beside its parent.
            Block::Quote(blocks) if inner && nested >= DEEPEST => home.extend(blocks),
            Block::List(_, items) if inner && nested >= DEEPEST => {
                home.extend(items.into_iter().flat_map(|i| i.blocks));
            }
            block => home.push(block),
        }
    }
}

impl Rich {
    fn push(&mut self, text: &str, style: Run) {
        let from = self.text.len();
        self.text.push_str(text);
        let range = from..self.text.len();
        let plain = Run {
            range: 0..0,
            ..Run::default()
        };
        if style == plain || range.is_empty() {
            return;
        }
        // A link's text comes in pieces: the same style goes on.
        if let Some(last) = self.runs.last_mut()
            && last.range.end == from
            && (Run {
                range: 0..0,
                ..last.clone()
            }) == style
        {
            last.range.end = range.end;
            return;
        }
        self.runs.push(Run { range, ..style });
    }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]
    use super::*;

    #[test]
    fn the_shapes_of_a_document_come_out() {
        let blocks = parse(
            "# Title\n\nSome **bold _both_** and `code` with a [link](https://a.example).\n\n- [x] done\n- open\n  1. first\n\n> quoted\n\n| a | b |\n|---|--:|\n| 1 | 2 |\n\n```rust\nfn main() {}\n```\n\n---\n",
        );
        let kinds: Vec<&str> = blocks
            .iter()
            .map(|b| match b {
                Block::Paragraph(_) => "p",
                Block::Heading(..) => "h",
                Block::Code { .. } => "code",
                Block::Quote(_) => "quote",
                Block::List(..) => "list",
                Block::Table(_) => "table",
                Block::Rule => "rule",
            })
            .collect();
        assert_eq!(kinds, ["h", "p", "list", "quote", "table", "code", "rule"]);
        let Block::Paragraph(p) = &blocks[1] else {
            panic!()
        };
        assert!(p.text.starts_with("Some bold both and code with a link"));
        assert!(p.runs.iter().any(|r| r.strong && r.emphasis));
        assert_eq!(
            p.runs.iter().find_map(|r| r.href.as_deref()),
            Some("https://a.example")
        );
        let Block::List(None, items) = &blocks[2] else {
            panic!()
        };
        assert_eq!((items[0].task, items[1].task), (Some(true), None));
        assert!(matches!(items[1].blocks[1], Block::List(Some(1), _)));
        let Block::Table(t) = &blocks[4] else {
            panic!()
        };
        assert_eq!(t.columns, [Column::Start, Column::End]);
        assert_eq!((t.head.len(), t.rows.len()), (2, 1));
    }

    #[test]
    fn pictures_and_html_leave_only_words() {
        let blocks =
            parse("![a cat](https://x.example/cat.png) <b>bold</b>\n\n<script>x</script>\n");
        assert_eq!(blocks.len(), 1);
        let Block::Paragraph(p) = &blocks[0] else {
            panic!()
        };
        assert_eq!(p.text, "a cat bold");
    }

    #[test]
    fn hostile_nesting_ends_flat() {
        let deep = format!("{}x", "> ".repeat(500));
        fn depth(blocks: &[Block]) -> usize {
            blocks
                .iter()
                .map(|b| match b {
                    Block::Quote(inner) => 1 + depth(inner),
                    _ => 1,
                })
                .max()
                .unwrap_or(0)
        }
        assert!(depth(&parse(&deep)) <= DEEPEST + 2);
        assert!(parse(&"- ".repeat(3000)).len() <= MOST_BLOCKS);
    }
}
