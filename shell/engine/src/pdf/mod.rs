//! Documents laid out as PDF: headings, text, images and page breaks on A4, by the engine contract's rules. Pure: no clock, no chance,
//! no network, and files only through who calls; the same document gives the same bytes.
//!
//! - [`metrics`] and [`glyphs`]: how large the page, its fonts and their glyphs are
//! - [`text`]: characters to codes, words to lines; [`image`]: headers of JPEG and PNG, whose data goes through undecoded
//! - [`layout`]: blocks to pages, from above; [`writer`]: pages to a file; [`room`]: how large that may be
//!
//! A document that would make more than [`room::LARGEST`] bytes is refused while it is laid out, and all work is linear in what goes
//! in and comes out.

mod glyphs;
mod image;
mod layout;
pub mod metrics;
pub mod room;
mod text;
mod writer;

use std::collections::HashMap;
use std::collections::hash_map::Entry;

use crate::bridge::files::{FileId, StoreError};
use image::Image;
use layout::{Layout, Placed};
use metrics::Style;
use room::{Room, TooLarge};

/// A part of a document.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Block<'a> {
    Heading(&'a str),
    Text(&'a str),
    Image {
        file: &'a str,
        caption: Option<&'a str>,
    },
    /// What follows begins a page, unless it would anyway.
    PageBreak,
}

/// A file, and how many pages are in it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Pdf {
    pub bytes: Vec<u8>,
    pub pages: usize,
}

/// Why there is no PDF, as the caller is told.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum PdfError {
    /// The app has no file with that id.
    #[error("notFound: {0}")]
    NotFound(String),
    /// The file is no image a PDF takes as it is.
    #[error("unsupportedImage: {0}")]
    UnsupportedImage(String),
    #[error(transparent)]
    TooLarge(#[from] TooLarge),
    #[error(transparent)]
    Store(#[from] StoreError),
}

/// Where the bytes of the app's files come from.
type Read<'r> = dyn FnMut(&FileId) -> Result<Option<Vec<u8>>, StoreError> + 'r;

/// Lay out a document. `read` gives the bytes of the app's files; each is asked for once.
///
/// # Errors
/// The first block whose image cannot be had, or the first that is too much.
pub fn render<'a>(
    title: &str,
    blocks: impl IntoIterator<Item = Block<'a>>,
    read: &mut Read<'_>,
) -> Result<Pdf, PdfError> {
    let mut room = Room::default();
    room.title(title)?;
    let (layout, images) = lay_out(blocks, room, read)?;
    let pages = layout.pages();
    Ok(Pdf {
        pages: pages.len(),
        bytes: writer::file(title, images, &pages),
    })
}

fn lay_out<'a>(
    blocks: impl IntoIterator<Item = Block<'a>>,
    room: Room,
    read: &mut Read<'_>,
) -> Result<(Layout, Vec<Image>), PdfError> {
    let mut layout = Layout::new(room)?;
    let mut images = Images::default();
    for block in blocks {
        match block {
            Block::Heading(text) => {
                layout.gap_before_heading();
                lines(&mut layout, text, Style::HEADING)?;
                layout.gap(4);
            }
            Block::Text(text) => {
                lines(&mut layout, text, Style::TEXT)?;
                layout.gap(6);
            }
            Block::Image { file, caption } => {
                let placed = images.place(file, &mut layout, read)?;
                layout.image(placed)?;
                if let Some(caption) = caption {
                    layout.gap(4);
                    lines(&mut layout, caption, Style::CAPTION)?;
                }
                layout.gap(6);
            }
            Block::PageBreak => layout.page_break()?,
        }
    }
    Ok((layout, images.all))
}

fn lines(layout: &mut Layout, text: &str, style: Style) -> Result<(), TooLarge> {
    for paragraph in text.split('\n') {
        for line in text::Lines::of(&text::encode(paragraph), style) {
            layout.line(&line, style)?;
        }
    }
    Ok(())
}

/// The images of a document, each once, in the order of their first use.
#[derive(Default)]
struct Images<'a> {
    all: Vec<Image>,
    known: HashMap<&'a str, Placed>,
}

impl<'a> Images<'a> {
    fn place(
        &mut self,
        file: &'a str,
        layout: &mut Layout,
        read: &mut Read<'_>,
    ) -> Result<Placed, PdfError> {
        let known = match self.known.entry(file) {
            Entry::Occupied(known) => return Ok(*known.get()),
            Entry::Vacant(unknown) => unknown,
        };
        let bytes = read(&FileId::new(file))?;
        let bytes = bytes.ok_or_else(|| PdfError::NotFound(file.to_owned()))?;
        let image =
            Image::read(bytes).ok_or_else(|| PdfError::UnsupportedImage(file.to_owned()))?;
        layout.room.image(&image)?;
        let placed = *known.insert(Placed {
            index: self.all.len(),
            width: image.width,
            height: image.height,
        });
        self.all.push(image);
        Ok(placed)
    }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]
    use super::*;

    /// A JPEG's header and nothing more.
    const IMAGE: &[u8] = &[0xff, 0xd8, 0xff, 0xc0, 0, 8, 8, 0, 9, 0, 9, 3];

    fn within(room: Room, blocks: &[Block<'_>]) -> Result<(Layout, Vec<Image>), PdfError> {
        lay_out(blocks.iter().copied(), room, &mut |_| {
            Ok(Some(IMAGE.to_vec()))
        })
    }

    fn image(file: &str) -> Block<'_> {
        let caption = Some("(a \\ caption)");
        Block::Image { file, caption }
    }

    #[test]
    fn a_file_is_never_larger_than_the_room_it_took() {
        let feeds = "\n".repeat(3000);
        let names: Vec<String> = (0..500).map(|n| n.to_string()).collect();
        let mut many: Vec<Block<'_>> = names.iter().map(|name| image(name)).collect();
        many.extend_from_within(..);
        many.push(Block::Heading("x"));
        for blocks in [
            &[Block::Text("")][..],
            &[Block::Text(&feeds), Block::Text("x")],
            &[Block::Heading("ÄÖÜ"), Block::PageBreak, image("a")],
            &many,
        ] {
            let title = "Ä😀".repeat(50);
            let mut room = Room::default();
            room.title(&title).unwrap();
            let (layout, images) = within(room, blocks).unwrap();
            let taken = layout.room.taken();
            let file = writer::file(&title, images, &layout.pages());
            assert!(file.len() <= taken, "{} > {taken}", file.len());
        }
    }

    #[test]
    fn whatever_fills_the_room_ends_the_layout() {
        let feeds = "\n".repeat(20_000);
        let words = "word ".repeat(4000);
        let names: Vec<String> = (0..500).map(|n| n.to_string()).collect();
        let different: Vec<Block<'_>> = names.iter().map(|name| image(name)).collect();
        for blocks in [
            &vec![Block::Text(&feeds); 100],
            &vec![Block::Text(&words); 100],
            &vec![Block::Heading("x"); 10_000],
            &vec![image("same"); 2000],
            &different,
        ] {
            let refused = within(Room::of(50_000), blocks).unwrap_err();
            assert_eq!(refused, PdfError::TooLarge(TooLarge));
        }
    }

    #[test]
    fn a_store_that_fails_is_told_in_its_own_word() {
        let failed = render("t", [image("a")], &mut |_| Err(StoreError::Unavailable));
        assert_eq!(failed.unwrap_err().to_string(), "unavailable");
    }
}
