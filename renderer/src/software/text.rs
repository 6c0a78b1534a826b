//! Shaped text and icons onto a canvas.

use std::sync::OnceLock;

use swash::FontRef;

use super::canvas::{Canvas, Ink, Px};
use super::glyphs::{GlyphKey, GlyphLook, Glyphs};
use super::tone::Tone;
use crate::color::Color;
use crate::geometry::{Point, Rect};
use crate::grid::Map;
use crate::text::{BOLDEN, TextBlock};

/// Paint `block` with its top left at `origin` (logical, in `map`).
pub(super) fn paint_block(
    canvas: &mut Canvas<'_>,
    glyphs: &mut Glyphs,
    block: &TextBlock,
    origin: Point,
    color: Color,
    map: &Map,
) {
    let clip = canvas.clip();
    let px = canvas.px(color);
    let of = |own: Option<Color>, canvas: &Canvas<'_>| match own {
        // A span's own colour fades with the text.
        Some(c) => {
            let c = c.fade(f32::from(color.a) / 255.0);
            (canvas.px(c), c.a)
        }
        None => (px, color.a),
    };
    for (line, g, font) in block.glyphs() {
        let size = g.font_size * map.scale;
        let pen = map.point(Point::new(
            origin.x + g.x + g.x_offset * g.font_size,
            origin.y + line.baseline,
        ));
        // Cheap refusals first: a long text is mostly outside the damage.
        let reach = size * 3.0;
        if pen.y + reach < clip.y as f32
            || pen.y - reach > clip.bottom() as f32
            || pen.x - reach > clip.right() as f32
            || pen.x + g.w * map.scale + reach < clip.x as f32
        {
            continue;
        }
        let quarters = (pen.x * 4.0).round().clamp(-1.0e8, 1.0e8) as i32;
        let rise = ((g.y - g.y_offset * g.font_size) * map.scale).round();
        let y = (pen.y.round() + rise).clamp(-1.0e8, 1.0e8) as i32;
        let face = font.as_swash();
        let own = g.color_opt.map(|c| Color::rgba(c.r(), c.g(), c.b(), c.a()));
        let key = GlyphKey {
            face: face.key.value(),
            glyph: g.glyph_id,
            size: size.to_bits(),
            quarter: quarters.rem_euclid(4) as u8,
            look: GlyphLook {
                slanted: g
                    .cache_key_flags
                    .contains(cosmic_text::CacheKeyFlags::FAKE_ITALIC),
                bold: g.metadata & BOLDEN != 0,
                mirrored: false,
            },
            tone: Tone::of(own.unwrap_or(color)),
        };
        if let Some(glyph) = glyphs.get(key, face, g.font_weight.0) {
            let own = g.color_opt.map(|c| Color::rgba(c.r(), c.g(), c.b(), c.a()));
            let (px, alpha) = of(own, canvas);
            glyph.paint(canvas, quarters.div_euclid(4), y, px, alpha);
        }
    }
    for (rule, own) in block.rules() {
        let (px, _) = of(*own, canvas);
        canvas.fill(map.snap(&rule.translate(origin)), Ink::Solid(px));
    }
}

/// A glyph of the icon font and the place of its 24-unit box.
pub(super) struct Icon<'a> {
    pub glyph: char,
    pub rect: &'a Rect,
    pub color: Color,
    pub mirrored: bool,
}

/// Paint a glyph of the icon font with its 24-unit box on `rect`, on whole pixels.
pub(super) fn paint_icon(canvas: &mut Canvas<'_>, glyphs: &mut Glyphs, icon: &Icon<'_>, map: &Map) {
    let Some(font) = icon_font() else { return };
    let at = map.rect(icon.rect);
    let key = GlyphKey {
        face: font.key.value(),
        glyph: font.charmap().map(icon.glyph),
        size: at.w.to_bits(),
        quarter: 0,
        look: GlyphLook {
            mirrored: icon.mirrored,
            ..GlyphLook::default()
        },
        tone: Tone::default(),
    };
    if let Some(glyph) = glyphs.get(key, font, 400) {
        let px: Px = canvas.px(icon.color);
        let whole = |v: f32| v.round().clamp(-1.0e8, 1.0e8) as i32;
        // The font's em is the icon's box, its baseline the box's bottom.
        glyph.paint(
            canvas,
            whole(at.x),
            whole(at.y) + whole(at.h),
            px,
            icon.color.a,
        );
    }
}

fn icon_font() -> Option<FontRef<'static>> {
    static FONT: OnceLock<Option<FontRef<'static>>> = OnceLock::new();
    *FONT.get_or_init(|| FontRef::from_index(lucide_icons::LUCIDE_FONT_BYTES, 0))
}
