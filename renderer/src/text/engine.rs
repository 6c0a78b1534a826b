//! Shapes text on the process's fonts and keeps what it shaped, bounded.

use std::collections::HashMap;
use std::hash::{Hash, Hasher};
use std::sync::Arc;

use cosmic_text::{
    Attrs, Buffer, Family, FeatureTag, FontFeatures, Metrics, Shaping, Style, Weight, Wrap,
};

use super::{Fonts, TextBlock, TextSpec};
use crate::geometry::Size;
use crate::look::Align;

/// Blocks kept between frames.
const MOST_BLOCKS: usize = 4096;

/// The shaping half of text. One a thread; blocks are shared by `Arc`.
pub struct TextEngine {
    fonts: Fonts,
    blocks: HashMap<u64, Arc<TextBlock>>,
}

impl TextEngine {
    pub fn new(fonts: Fonts) -> TextEngine {
        TextEngine {
            fonts,
            blocks: HashMap::new(),
        }
    }

    /// Counts up when new fonts came in: everything measured before is to be measured again.
    pub fn generation(&self) -> u64 {
        0
    }

    /// The shaped block of `spec`, from the cache where it is known.
    pub fn shape(&mut self, spec: &TextSpec<'_>) -> Arc<TextBlock> {
        let key = key_of(spec);
        if let Some(b) = self.blocks.get(&key) {
            return b.clone();
        }
        if self.blocks.len() >= MOST_BLOCKS {
            self.blocks.clear();
        }
        let block = Arc::new(self.build(spec));
        self.blocks.insert(key, block.clone());
        block
    }

    fn build(&mut self, spec: &TextSpec<'_>) -> TextBlock {
        let fs = &mut self.fonts.system;
        let t = spec.style;
        let mut buffer = Buffer::new(
            fs,
            Metrics::new(t.font_size.max(1.0), t.line_height.max(1.0)),
        );
        let mut features = FontFeatures::new();
        features.enable(FeatureTag::new(b"tnum"));
        let mut attrs = Attrs::new()
            .family(Family::Name("Inter"))
            .weight(Weight(t.font_weight))
            .font_features(features);
        if t.font_style.as_deref() == Some("italic") {
            attrs = attrs.style(Style::Italic);
        }
        if let Some(px) = t.letter_spacing {
            attrs = attrs.letter_spacing(px / t.font_size.max(1.0));
        }
        let align = match spec.align {
            Align::Left => None,
            Align::Center => Some(cosmic_text::Align::Center),
            Align::Right => Some(cosmic_text::Align::Right),
            Align::Justify => Some(cosmic_text::Align::Justified),
        };
        buffer.set_wrap(
            fs,
            if spec.width.is_some() {
                Wrap::WordOrGlyph
            } else {
                Wrap::None
            },
        );
        buffer.set_size(fs, spec.width, None);
        buffer.set_text(fs, spec.text, &attrs, Shaping::Advanced, align);
        buffer.shape_until_scroll(fs, false);
        let (mut w, mut h, mut lines, mut baseline) = (0.0f32, 0.0f32, 0, None);
        for run in buffer.layout_runs() {
            baseline.get_or_insert(run.line_y);
            w = w.max(run.line_w);
            h += run.line_height;
            lines += 1;
        }
        TextBlock {
            buffer,
            size: Size::new(w.ceil(), h),
            baseline: baseline.unwrap_or(0.0),
            lines,
            rules: Vec::new(),
            decoration: spec.decoration,
            line_starts: std::iter::once(0)
                .chain(spec.text.match_indices('\n').map(|(i, _)| i + 1))
                .collect(),
        }
    }
}

fn key_of(spec: &TextSpec<'_>) -> u64 {
    let mut h = std::collections::hash_map::DefaultHasher::new();
    let t = spec.style;
    (
        spec.text,
        t.font_size.to_bits(),
        t.font_weight,
        t.line_height.to_bits(),
        &t.font_family,
        &t.font_style,
        &t.text_transform,
    )
        .hash(&mut h);
    (
        t.letter_spacing.map(f32::to_bits),
        spec.width.map(|w| (w * 64.0).round() as i32),
        spec.lines,
        spec.align,
        spec.rtl,
    )
        .hash(&mut h);
    h.finish()
}
