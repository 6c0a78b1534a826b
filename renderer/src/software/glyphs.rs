//! Glyphs as small pictures: rasterised once for each size and quarter-pixel place, kept in bounded memory.

use std::collections::HashMap;
use std::rc::Rc;

use swash::scale::image::Content;
use swash::scale::{Render, ScaleContext, Source, StrikeWith};
use swash::zeno::{Angle, Format, Transform, Vector};
use swash::{FontRef, Setting, Tag};

use super::canvas::{Canvas, Ink, Px, over, scale_px};
use super::tone::Tone;
use crate::grid::IRect;

/// Bytes of one of the two generations of kept glyphs.
const GENERATION_BYTES: usize = 1024 * 1024;
/// Larger glyphs (physical px) are refused: a text can ask for any size and scale.
const MOST_SIZE: f32 = 2048.0;

/// A rasterised glyph. `left` and `top` place it about the pen: right and up.
pub(super) struct Glyph {
    left: i32,
    top: i32,
    w: i32,
    h: i32,
    /// One byte of coverage a pixel, or four of straight RGBA for an emoji.
    colored: bool,
    data: Vec<u8>,
}

#[derive(Clone, Copy, PartialEq, Eq, Hash)]
pub(super) struct GlyphKey {
    /// swash's number of the face.
    pub face: u64,
    pub glyph: u16,
    /// Bits of the size in physical px.
    pub size: u32,
    /// Quarter pixels right of the whole one.
    pub quarter: u8,
    pub look: GlyphLook,
    pub tone: Tone,
}

/// What is done to an outline beyond scaling.
#[derive(Clone, Copy, Default, PartialEq, Eq, Hash)]
pub(super) struct GlyphLook {
    pub slanted: bool,
    pub bold: bool,
    pub mirrored: bool,
}

#[derive(Default)]
pub(super) struct Glyphs {
    context: ScaleContext,
    young: HashMap<GlyphKey, Option<Rc<Glyph>>>,
    old: HashMap<GlyphKey, Option<Rc<Glyph>>>,
    bytes: usize,
}

impl Glyphs {
    /// The picture of a glyph; `None` where there is nothing to see. `weight` sets a variable face.
    pub fn get(&mut self, key: GlyphKey, font: FontRef<'_>, weight: u16) -> Option<Rc<Glyph>> {
        if let Some(found) = self.young.get(&key) {
            return found.clone();
        }
        let glyph = match self.old.remove(&key) {
            Some(found) => found,
            None => rasterise(&mut self.context, key, font, weight).map(Rc::new),
        };
        self.bytes += 64 + glyph.as_ref().map_or(0, |g| g.data.len());
        if self.bytes > GENERATION_BYTES {
            self.old = std::mem::take(&mut self.young);
            self.bytes = 0;
        }
        self.young.insert(key, glyph.clone());
        glyph
    }
}

fn rasterise(
    context: &mut ScaleContext,
    key: GlyphKey,
    font: FontRef<'_>,
    weight: u16,
) -> Option<Glyph> {
    let size = f32::from_bits(key.size);
    if !(size > 0.0 && size <= MOST_SIZE) {
        return None;
    }
    let wght = Tag::from_be_bytes(*b"wght");
    let mut builder = context.builder(font).size(size).hint(false);
    if let Some(axis) = font.variations().find_by_tag(wght) {
        let value = f32::from(weight).clamp(axis.min_value(), axis.max_value());
        builder = builder.variations(std::iter::once(Setting { tag: wght, value }));
    }
    let mut scaler = builder.build();
    let mut render = Render::new(&[
        Source::ColorOutline(0),
        Source::ColorBitmap(StrikeWith::BestFit),
        Source::Outline,
    ]);
    let transform = match (key.look.slanted, key.look.mirrored) {
        (_, true) => Some(Transform::scale(-1.0, 1.0)),
        (true, _) => Some(Transform::skew(
            Angle::from_degrees(14.0),
            Angle::from_degrees(0.0),
        )),
        _ => None,
    };
    // A mirrored glyph lies left of the pen: bring it back over its own box.
    let back = if key.look.mirrored { size } else { 0.0 };
    render
        .format(Format::Alpha)
        .offset(Vector::new(f32::from(key.quarter) / 4.0 + back, 0.0))
        .transform(transform);
    if key.look.bold {
        render.embolden(size / 40.0);
    }
    let mut image = render.render(&mut scaler, key.glyph)?;
    let p = image.placement;
    let (w, h) = (p.width as i32, p.height as i32);
    let colored = matches!(image.content, Content::Color);
    if !colored {
        key.tone.apply(&mut image.data);
    }
    let bytes = (w * h) as usize * if colored { 4 } else { 1 };
    (w > 0 && h > 0 && image.data.len() >= bytes).then_some(Glyph {
        left: p.left,
        top: p.top,
        w,
        h,
        colored,
        data: image.data,
    })
}

impl Glyph {
    /// Paint it with the pen at (x, y). `px` colours an outline, `alpha` fades an emoji.
    pub fn paint(&self, canvas: &mut Canvas<'_>, x: i32, y: i32, px: Px, alpha: u8) {
        let at = IRect::new(x + self.left, y - self.top, self.w, self.h);
        let part = at.intersect(&canvas.clip());
        for row in part.y..part.bottom() {
            let from = (row - at.y) as usize * self.w as usize;
            if !self.colored {
                let cover = &self.data[from..from + self.w as usize];
                canvas.mask_row(row, at.x, cover, Ink::Solid(px));
                continue;
            }
            let first = (from + (part.x - at.x) as usize) * 4;
            let src = &self.data[first..first + part.w as usize * 4];
            let order = canvas.order();
            let dst = canvas.row(row, part.x, part.right());
            for (d, s) in dst.iter_mut().zip(src.as_chunks::<4>().0) {
                let a = super::canvas::mul255(s[3], alpha);
                let [r, g, b, _] = scale_px(*s, a);
                let src = match order {
                    super::Order::Rgba => [r, g, b, a],
                    super::Order::Bgra => [b, g, r, a],
                };
                over(d, src);
            }
        }
    }
}
