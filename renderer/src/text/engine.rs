//! Shapes text on the process's fonts and keeps what it shaped, bounded.

use std::sync::Arc;

use super::cache::Cache;
use super::fonts::FontsWaker;
use super::{Fonts, TextBlock, TextSpec, build};
use crate::look::Align;

/// The shaping half of text. One a thread; blocks are shared by `Arc`.
pub struct TextEngine {
    fonts: Fonts,
    cache: Cache,
    generation: u64,
}

impl TextEngine {
    pub fn new(fonts: Fonts) -> TextEngine {
        TextEngine {
            fonts,
            cache: Cache::default(),
            generation: 0,
        }
    }

    /// Called from another thread once the system's fonts have been read: call [`TextEngine::poll`] and lay out again.
    pub fn set_waker(&mut self, waker: FontsWaker) {
        self.fonts.set_waker(waker);
    }

    pub fn fonts(&self) -> &Fonts {
        &self.fonts
    }

    /// Grows whenever texts shaped before may now shape differently. Keep it with anything measured.
    pub fn generation(&self) -> u64 {
        self.generation
    }

    /// Take over the system's fonts if they have been read meanwhile. True when texts with missing glyphs are to be shaped again.
    pub fn poll(&mut self) -> bool {
        let changed = self.fonts.poll();
        self.refresh(changed)
    }

    /// [`TextEngine::poll`], waiting for fonts that are being read. For pictures made once (previews, tests).
    pub fn settle(&mut self) -> bool {
        let changed = self.fonts.wait();
        self.refresh(changed)
    }

    fn refresh(&mut self, changed: bool) -> bool {
        if changed {
            self.generation += 1;
            self.cache.drop_where(TextBlock::is_incomplete);
        }
        changed
    }

    /// The shaped block of `spec`, from the cache where it is known.
    pub fn shape(&mut self, spec: &TextSpec<'_>) -> Arc<TextBlock> {
        self.poll();
        if let Some(block) = self.cache.get(spec) {
            return block;
        }
        // What was measured without a width is broken into lines, not shaped again.
        let like = spec.width.and_then(|_| {
            let unwrapped = TextSpec {
                width: None,
                align: Align::Left,
                ..spec.clone()
            };
            self.cache.get(&unwrapped)
        });
        let block = Arc::new(build::build(&mut self.fonts, spec, like.as_deref()));
        self.cache.insert(spec, block.clone());
        block
    }

    #[cfg(test)]
    pub(super) fn known(&self) -> usize {
        self.cache.len()
    }

    /// The narrowest `spec` can be: its widest word.
    pub fn min_width(&mut self, spec: &TextSpec<'_>) -> f32 {
        self.shape(spec).min_width()
    }
}
