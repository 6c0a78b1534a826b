//! Blocks to pages: a cursor goes down the page, and a part that does not fit above the margin begins the next one.
//!
//! A page is *empty* while nothing is written on it. A part goes to the next page only from a page that is *begun*: where the cursor has
//! left the top. A page of blank lines is empty and begun, so what follows 60 of them is not set below the paper.

use std::collections::BTreeSet;
use std::fmt::{self, Write};

use super::metrics::{CONTENT_HEIGHT, CONTENT_WIDTH, MARGIN, Style, TOP};
use super::room::{Room, TooLarge};

/// What is on a page.
#[derive(Debug, Default, PartialEq, Eq)]
pub(super) struct Page {
    /// One a line.
    pub operators: String,
    /// The images it shows, by their index.
    pub images: BTreeSet<usize>,
}

/// An image of the document: its index, its size in pixels (never 0).
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Placed {
    pub index: usize,
    pub width: u32,
    pub height: u32,
}

#[derive(Debug)]
pub(super) struct Layout {
    pub room: Room,
    full: Vec<Page>,
    page: Page,
    /// The cursor: how far above the paper's lower edge.
    y: f64,
}

impl Layout {
    pub fn new(mut room: Room) -> Result<Layout, TooLarge> {
        room.page()?;
        Ok(Layout {
            room,
            full: Vec::new(),
            page: Page::default(),
            y: f64::from(TOP),
        })
    }

    fn is_empty(&self) -> bool {
        self.page.operators.is_empty()
    }

    fn is_begun(&self) -> bool {
        self.y < f64::from(TOP)
    }

    fn next_page(&mut self) -> Result<(), TooLarge> {
        self.room.page()?;
        self.full.push(std::mem::take(&mut self.page));
        self.y = f64::from(TOP);
        Ok(())
    }

    fn make_room(&mut self, height: f64) -> Result<(), TooLarge> {
        if self.is_begun() && self.y - height < f64::from(MARGIN) {
            self.next_page()?;
        }
        Ok(())
    }

    fn write(&mut self, operator: &str) -> Result<(), TooLarge> {
        self.room.operator(operator)?;
        if !self.is_empty() {
            self.page.operators.push('\n');
        }
        self.page.operators.push_str(operator);
        Ok(())
    }

    /// Leave this much free below what was set (points).
    pub fn gap(&mut self, height: u32) {
        self.y -= f64::from(height);
    }

    pub fn gap_before_heading(&mut self) {
        if !self.is_empty() {
            self.gap(12);
        }
    }

    /// Set a line of WinAnsi codes.
    pub fn line(&mut self, codes: &[u8], style: Style) -> Result<(), TooLarge> {
        self.make_room(f64::from(style.leading))?;
        if !codes.is_empty() {
            let Style { font, size, .. } = style;
            let (font, y) = (font.resource(), Points(self.y - f64::from(size)));
            let text = Text(codes);
            self.write(&format!(
                "BT /{font} {size} Tf {MARGIN} {y} Td ({text}) Tj ET"
            ))?;
        }
        self.gap(style.leading);
        Ok(())
    }

    /// Set an image: as large as it is (a pixel a point), or as large as fits on a page.
    pub fn image(&mut self, image: Placed) -> Result<(), TooLarge> {
        let (width, height) = (f64::from(image.width), f64::from(image.height));
        let across = f64::from(CONTENT_WIDTH) / width;
        let down = f64::from(CONTENT_HEIGHT) / height;
        let scale = across.min(down).min(1.0);
        let (width, height) = (width * scale, height * scale);
        self.make_room(height)?;
        let (w, h, y) = (Points(width), Points(height), Points(self.y - height));
        let number = image.index + 1;
        self.write(&format!("q {w} 0 0 {h} {MARGIN} {y} cm /Im{number} Do Q"))?;
        if self.page.images.insert(image.index) {
            self.room.reference()?;
        }
        self.y -= height;
        Ok(())
    }

    pub fn page_break(&mut self) -> Result<(), TooLarge> {
        if self.is_empty() {
            return Ok(());
        }
        self.next_page()
    }

    /// The pages, at least one. A last one with nothing on it is left out.
    pub fn pages(self) -> Vec<Page> {
        let mut pages = self.full;
        if pages.is_empty() || !self.page.operators.is_empty() {
            pages.push(self.page);
        }
        pages
    }
}

/// A number with at most two decimals, as short as it goes.
struct Points(f64);

impl fmt::Display for Points {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}", (self.0 * 100.0).round() / 100.0)
    }
}

/// WinAnsi codes as they stand between parentheses.
struct Text<'a>(&'a [u8]);

impl fmt::Display for Text<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for code in self.0 {
            match code {
                b'(' | b')' | b'\\' => write!(f, "\\{}", char::from(*code))?,
                0x80.. => write!(f, "\\{code:03o}")?,
                _ => f.write_char(char::from(*code))?,
            }
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]
    use super::*;

    fn layout() -> Layout {
        Layout::new(Room::default()).unwrap()
    }

    fn operators(layout: Layout) -> Vec<Vec<String>> {
        let lines = |page: &Page| page.operators.lines().map(str::to_owned).collect();
        layout.pages().iter().map(lines).collect()
    }

    #[test]
    fn numbers_are_short() {
        let shown = |number| Points(number).to_string();
        assert_eq!(shown(12.0), "12");
        assert_eq!(shown(12.5), "12.5");
        assert_eq!(shown(12.346), "12.35");
        assert_eq!(shown(300.004), "300");
        assert_eq!(shown(0.000_000_2), "0");
    }

    #[test]
    fn text_is_escaped() {
        assert_eq!(Text(b"a(b)\\c").to_string(), "a\\(b\\)\\\\c");
        assert_eq!(Text(b"\xc4\x80 \xff").to_string(), "\\304\\200 \\377");
    }

    #[test]
    fn lines_go_down_to_the_margin_and_no_further() {
        let mut layout = layout();
        // 48 lines of 15 points are 720 of the 730 there are.
        for _ in 0..49 {
            layout.line(b"x", Style::TEXT).unwrap();
        }
        let pages = operators(layout);
        assert_eq!(pages.iter().map(Vec::len).collect::<Vec<_>>(), [48, 1]);
        assert_eq!(pages[0][0], "BT /F1 11 Tf 56 775 Td (x) Tj ET");
        assert_eq!(pages[0][47], "BT /F1 11 Tf 56 70 Td (x) Tj ET");
        assert_eq!(pages[1][0], pages[0][0]);
    }

    #[test]
    fn a_line_that_ends_on_the_margin_still_fits() {
        let mut layout = layout();
        layout.gap(730 - 15);
        layout.line(b"x", Style::TEXT).unwrap();
        assert_eq!(operators(layout), [["BT /F1 11 Tf 56 60 Td (x) Tj ET"]]);
    }

    #[test]
    fn a_heading_keeps_its_distance_unless_it_is_first() {
        let mut layout = layout();
        for _ in 0..2 {
            layout.gap_before_heading();
            layout.line(b"x", Style::HEADING).unwrap();
            layout.gap(4);
        }
        let expected = [
            "BT /F2 18 Tf 56 768 Td (x) Tj ET",
            "BT /F2 18 Tf 56 728 Td (x) Tj ET",
        ];
        assert_eq!(operators(layout), [expected]);
    }

    #[test]
    fn images_shrink_to_the_page_and_never_grow() {
        let drawn = |width, height| {
            let mut layout = layout();
            let index = 6;
            let image = Placed {
                index,
                width,
                height,
            };
            layout.image(image).unwrap();
            operators(layout).concat().concat()
        };
        assert_eq!(drawn(100, 50), "q 100 0 0 50 56 736 cm /Im7 Do Q");
        assert_eq!(drawn(966, 100), "q 483 0 0 50 56 736 cm /Im7 Do Q");
        assert_eq!(drawn(100, 1460), "q 50 0 0 730 56 56 cm /Im7 Do Q");
        assert_eq!(drawn(600, 400), "q 483 0 0 322 56 464 cm /Im7 Do Q");
        assert_eq!(drawn(700, 401), "q 483 0 0 276.69 56 509.31 cm /Im7 Do Q");
        let flat = u32::MAX >> 1;
        assert_eq!(drawn(flat, 1), "q 483 0 0 0 56 786 cm /Im7 Do Q");
    }

    #[test]
    fn an_image_without_room_goes_to_the_next_page() {
        let mut layout = layout();
        for _ in 0..2 {
            let image = Placed {
                index: 0,
                width: 10,
                height: 400,
            };
            layout.image(image).unwrap();
        }
        let pages = operators(layout);
        assert_eq!(pages[0], pages[1]);
    }

    #[test]
    fn only_a_page_with_something_on_it_is_broken_and_an_empty_last_one_left_out() {
        let mut layout = layout();
        layout.page_break().unwrap();
        layout.line(b"", Style::TEXT).unwrap();
        layout.page_break().unwrap();
        layout.line(b"a", Style::TEXT).unwrap();
        layout.page_break().unwrap();
        layout.page_break().unwrap();
        layout.line(b"b", Style::TEXT).unwrap();
        layout.page_break().unwrap();
        let expected = [
            ["BT /F1 11 Tf 56 760 Td (a) Tj ET"],
            ["BT /F1 11 Tf 56 775 Td (b) Tj ET"],
        ];
        assert_eq!(operators(layout), expected);
    }

    #[test]
    fn what_follows_a_page_of_blank_lines_is_on_paper() {
        let mut layout = layout();
        for _ in 0..60 {
            layout.line(b"", Style::TEXT).unwrap();
        }
        layout.line(b"x", Style::TEXT).unwrap();
        let pages = operators(layout);
        assert_eq!(pages.len(), 2);
        assert_eq!(pages[1], ["BT /F1 11 Tf 56 595 Td (x) Tj ET"]);
    }

    #[test]
    fn there_is_always_a_page() {
        assert_eq!(operators(layout()), [Vec::<String>::new()]);
    }
}
