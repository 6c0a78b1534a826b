//! Shaped blocks between frames. Bounded in bytes by keeping two generations: what the younger one holds was used lately; when it
//! is full it becomes the older one, and what the older one still held is forgotten.

use std::collections::HashMap;
use std::hash::{DefaultHasher, Hash, Hasher};
use std::sync::Arc;

use eui_core::measure::TextStyle;

use super::{Direction, Span, TextBlock, TextSpec};
use crate::look::{Align, Decoration};

/// Bytes (estimated) of one generation.
const GENERATION_BYTES: usize = 2 * 1024 * 1024;

/// Everything that decides how a block looks. Compared in full: two texts of one hash never show each other's block.
struct Key {
    text: String,
    style: TextStyle,
    width: Option<u32>,
    lines: Option<u32>,
    align: Align,
    direction: Direction,
    decoration: Decoration,
    spans: Vec<Span>,
}

impl Key {
    fn of(spec: &TextSpec<'_>) -> Key {
        Key {
            text: spec.text.to_string(),
            style: spec.style.clone(),
            width: spec.width.map(f32::to_bits),
            lines: spec.lines,
            align: spec.align,
            direction: spec.direction,
            decoration: spec.decoration,
            spans: spec.spans.to_vec(),
        }
    }

    fn is(&self, spec: &TextSpec<'_>) -> bool {
        self.text == spec.text
            && self.width == spec.width.map(f32::to_bits)
            && self.lines == spec.lines
            && self.align == spec.align
            && self.direction == spec.direction
            && self.decoration == spec.decoration
            && same_style(&self.style, spec.style)
            && self.spans == spec.spans
    }
}

/// Equal to the bit: a NaN equals itself here, so that a broken style is shaped once and not every frame.
fn same_style(a: &TextStyle, b: &TextStyle) -> bool {
    a.font_size.to_bits() == b.font_size.to_bits()
        && a.line_height.to_bits() == b.line_height.to_bits()
        && a.font_weight == b.font_weight
        && a.letter_spacing.map(f32::to_bits) == b.letter_spacing.map(f32::to_bits)
        && a.font_family == b.font_family
        && a.font_style == b.font_style
        && a.text_transform == b.text_transform
}

fn hash(spec: &TextSpec<'_>) -> u64 {
    let mut h = DefaultHasher::new();
    let t = spec.style;
    spec.text.hash(&mut h);
    (
        t.font_size.to_bits(),
        t.line_height.to_bits(),
        t.font_weight,
    )
        .hash(&mut h);
    (
        spec.width.map(f32::to_bits),
        spec.lines,
        spec.align,
        spec.direction,
    )
        .hash(&mut h);
    spec.spans.len().hash(&mut h);
    h.finish()
}

struct Entry {
    key: Key,
    block: Arc<TextBlock>,
}

type Generation = HashMap<u64, Vec<Entry>>;

#[derive(Default)]
pub(super) struct Cache {
    young: Generation,
    old: Generation,
    young_bytes: usize,
}

impl Cache {
    pub fn get(&mut self, spec: &TextSpec<'_>) -> Option<Arc<TextBlock>> {
        let hash = hash(spec);
        if let Some(e) = self
            .young
            .get(&hash)
            .and_then(|list| list.iter().find(|e| e.key.is(spec)))
        {
            return Some(e.block.clone());
        }
        let list = self.old.get_mut(&hash)?;
        let at = list.iter().position(|e| e.key.is(spec))?;
        let entry = list.swap_remove(at);
        let block = entry.block.clone();
        self.add(hash, entry);
        Some(block)
    }

    pub fn insert(&mut self, spec: &TextSpec<'_>, block: Arc<TextBlock>) {
        let entry = Entry {
            key: Key::of(spec),
            block,
        };
        self.add(hash(spec), entry);
    }

    fn add(&mut self, hash: u64, entry: Entry) {
        let bytes = entry.block.bytes() + entry.key.text.len() + size_of::<Entry>();
        if self.young_bytes + bytes > GENERATION_BYTES {
            self.old = std::mem::take(&mut self.young);
            self.young_bytes = 0;
        }
        self.young_bytes += bytes;
        self.young.entry(hash).or_default().push(entry);
    }

    /// Forget the blocks `gone` says so of.
    pub fn drop_where(&mut self, gone: impl Fn(&TextBlock) -> bool) {
        for generation in [&mut self.young, &mut self.old] {
            generation.retain(|_, list| {
                list.retain(|e| !gone(&e.block));
                !list.is_empty()
            });
        }
    }

    #[cfg(test)]
    pub fn len(&self) -> usize {
        [&self.young, &self.old]
            .iter()
            .flat_map(|g| g.values())
            .map(Vec::len)
            .sum()
    }
}
