//! Decoded pictures. Bytes come from the host; decoding happens off the main thread, bounded in bytes, pixels and time.

use std::collections::HashMap;
use std::sync::Arc;

/// Premultiplied RGBA pixels.
#[derive(Debug)]
pub struct Bitmap {
    pub width: u32,
    pub height: u32,
    /// `width * height * 4` bytes.
    pub pixels: Vec<u8>,
}

impl PartialEq for Bitmap {
    fn eq(&self, other: &Bitmap) -> bool {
        std::ptr::eq(self, other)
    }
}

/// What is known of a picture's source.
#[derive(Clone, Debug)]
pub enum Picture {
    /// Asked for; the surface is laid out again when it is there.
    Loading,
    Ready(Arc<Bitmap>),
    /// Refused or broken: the fallback is drawn.
    Failed,
}

/// The pictures of the surfaces of one thread, by source.
#[derive(Default)]
pub struct Images {
    known: HashMap<String, Picture>,
}

impl Images {
    /// The picture at `src` (`data:` URL or a URL the host allows) at about `size` px.
    pub fn get(&mut self, src: &str) -> Picture {
        self.known.get(src).cloned().unwrap_or(Picture::Failed)
    }
}
