//! How large a file may be. Every part takes its room before it is made, so that a small call cannot ask for much memory: 2,000 texts
//! of line feeds alone would be 800,000 pages.

use super::image::Image;

/// The most a file may hold (bytes).
pub const LARGEST: usize = 128 * 1024 * 1024;

/// What the writer puts around its parts, at most (bytes).
const FRAME: usize = 1024;
const PAGE: usize = 320;
const IMAGE: usize = 320;
/// A page's reference to an image.
const REFERENCE: usize = 32;

/// The document would be larger than [`LARGEST`].
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[error("tooLarge")]
pub struct TooLarge;

/// What is left of [`LARGEST`].
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Room {
    left: usize,
}

impl Default for Room {
    fn default() -> Room {
        Room::of(LARGEST - FRAME)
    }
}

impl Room {
    /// So many bytes beside the frame.
    pub(super) fn of(left: usize) -> Room {
        Room { left }
    }

    fn take(&mut self, bytes: usize) -> Result<(), TooLarge> {
        self.left = self.left.checked_sub(bytes).ok_or(TooLarge)?;
        Ok(())
    }

    pub(super) fn title(&mut self, title: &str) -> Result<(), TooLarge> {
        // A code unit is written as four digits.
        self.take(4 * title.encode_utf16().count())
    }

    pub(super) fn page(&mut self) -> Result<(), TooLarge> {
        self.take(PAGE)
    }

    pub(super) fn image(&mut self, image: &Image) -> Result<(), TooLarge> {
        self.take(IMAGE + image.data.len())
    }

    pub(super) fn reference(&mut self) -> Result<(), TooLarge> {
        self.take(REFERENCE)
    }

    pub(super) fn operator(&mut self, operator: &str) -> Result<(), TooLarge> {
        self.take(operator.len() + 1)
    }

    /// What was taken so far (bytes).
    #[cfg(test)]
    pub(super) fn taken(&self) -> usize {
        LARGEST - self.left
    }
}
