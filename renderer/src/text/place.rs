//! Shaped lines to a block: where they stand, what they may touch, their underlines.

use std::sync::Arc;

use cosmic_text::{Buffer, CacheKeyFlags, Font, fontdb};

use super::block::{Line, Reach, TextBlock};
use super::faces::{Plan, STRIKE, UNDERLINE};
use super::fallback::is_ignorable;
use super::source::ByteMap;
use super::{Fonts, TextSpec};
use crate::color::Color;
use crate::geometry::{Rect, Size};

/// How far plain letters of the bundled faces reach past their advance, in em.
const OVERHANG: f32 = 0.15;
/// Places the shaped lines and gathers what a painter needs.
pub(super) fn finish(
    fonts: &mut Fonts,
    spec: &TextSpec<'_>,
    buffer: Buffer,
    maps: Vec<ByteMap>,
    plan: Plan,
    cut: bool,
) -> TextBlock {
    let base = &plan.runs[0];
    let font = fonts
        .faces
        .nearest(&base.family, base.weight, base.italic)
        .and_then(|f| fonts.system.get_font(f.id, f.weight));
    let em = Em::of(font.as_deref());
    let (mut lines, mut rules) = (Vec::new(), Vec::new());
    let (mut size, mut reaches) = (Size::default(), Vec::new());
    let mut faces: Vec<Arc<Font>> = Vec::new();
    let mut placed: Vec<(fontdb::ID, fontdb::Weight, u16)> = Vec::new();
    let mut glyph_faces = Vec::new();
    for run in buffer.layout_runs() {
        let most = run.glyphs.iter().fold(0.0_f32, |m, g| m.max(g.font_size));
        let font_size = if most > 0.0 { most } else { base.size };
        let baseline = run.line_top + em.baseline(font_size, run.line_height);
        for g in run.glyphs {
            let key = (g.font_id, g.font_weight);
            let known = placed.iter().find(|p| (p.0, p.1) == key).map(|p| p.2);
            let face = known.or_else(|| {
                let font = fonts.system.get_font(g.font_id, g.font_weight)?;
                let index = u16::try_from(faces.len()).ok()?;
                faces.push(font);
                placed.push((key.0, key.1, index));
                Some(index)
            });
            glyph_faces.push(face.unwrap_or(u16::MAX));
        }
        reaches.push(if is_plain(fonts, &run) {
            let (top, bottom) = em.reach(font_size, baseline);
            Reach {
                top,
                bottom,
                aside: OVERHANG * font_size,
            }
        } else {
            // Accents, tails and slants leave the line box; nothing leaves it by more than this.
            let aside = font_size.max(run.line_height) * 0.5;
            Reach {
                top: run.line_top - aside,
                bottom: run.line_top + run.line_height + aside,
                aside,
            }
        });
        decorate(&run, baseline, &em, &mut rules);
        size.w = size.w.max(run.line_w);
        size.h = run.line_top + run.line_height;
        lines.push(Line {
            top: run.line_top,
            baseline,
        });
    }
    let min_width = buffer
        .lines
        .iter()
        .filter_map(|l| l.shape_opt())
        .flat_map(|s| &s.spans)
        .flat_map(|s| &s.words)
        .filter(|w| !w.blank)
        .fold(0.0_f32, |m, w| m.max(w.width(base.size)));
    let ink = buffer
        .layout_runs()
        .zip(&reaches)
        .fold(Rect::ZERO, |ink, (run, reach)| {
            ink.union(&reach.around(run.glyphs))
        });
    TextBlock {
        baseline: lines.first().map_or(0.0, |l| l.baseline),
        size: Size::new(size.w.ceil(), size.h),
        min_width: min_width.ceil(),
        buffer: Arc::new(buffer),
        lines,
        rules,
        decoration: spec.decoration,
        maps,
        faces,
        glyph_faces,
        reaches,
        ink,
        incomplete: plan.incomplete,
        cut,
    }
}

/// Are these letters known to stay within their line: ASCII, blanks (a narrow one stands before PM) and what is not seen (a mark of
/// direction), upright, of the bundled faces?
fn is_plain(fonts: &Fonts, run: &cosmic_text::LayoutRun<'_>) -> bool {
    let plain = |c: char| c.is_ascii() || c.is_whitespace() || is_ignorable(c);
    run.text.chars().all(plain)
        && run.glyphs.iter().all(|g| {
            !g.cache_key_flags.contains(CacheKeyFlags::FAKE_ITALIC) && fonts.is_bundled(g.font_id)
        })
}

/// Underlines and strikes of a line, one for each stretch of equal look.
fn decorate(
    run: &cosmic_text::LayoutRun<'_>,
    baseline: f32,
    em: &Em,
    rules: &mut Vec<(Rect, Option<Color>)>,
) {
    let mut open: Option<(usize, Option<cosmic_text::Color>, f32, f32, f32)> = None;
    let mut close = |part: (usize, Option<cosmic_text::Color>, f32, f32, f32)| {
        let (kind, color, l, r, size) = part;
        let thick = (em.thickness * size).max(1.0);
        let y = if kind == STRIKE {
            baseline - em.strike * size - thick / 2.0
        } else {
            baseline + (em.underline * size).max(1.0)
        };
        let color = color.map(|c| Color::rgba(c.r(), c.g(), c.b(), c.a()));
        rules.push((Rect::new(l, y, r - l, thick), color));
    };
    for g in run.glyphs {
        let kind = g.metadata & (UNDERLINE | STRIKE);
        match &mut open {
            Some((k, c, l, r, size)) if *k == kind && *c == g.color_opt => {
                *l = l.min(g.x);
                *r = r.max(g.x + g.w);
                *size = size.max(g.font_size);
            }
            _ => {
                if let Some(done) = open.take() {
                    close(done);
                }
                if kind != 0 {
                    open = Some((kind, g.color_opt, g.x, g.x + g.w, g.font_size));
                }
            }
        }
    }
    if let Some(done) = open {
        close(done);
    }
}

/// Vertical measures of the text's own face, in em.
struct Em {
    ascent: f32,
    descent: f32,
    underline: f32,
    strike: f32,
    thickness: f32,
}

impl Em {
    fn of(font: Option<&Font>) -> Em {
        let Some(font) = font else {
            return Em {
                ascent: 0.97,
                descent: 0.24,
                underline: 0.1,
                strike: 0.3,
                thickness: 0.07,
            };
        };
        let m = font.metrics();
        let upem = f32::from(m.units_per_em.max(1));
        Em {
            ascent: m.ascent / upem,
            descent: -m.descent / upem,
            underline: m.underline.map_or(0.1, |u| -u.offset / upem).max(0.05),
            strike: m.strikeout.map_or(0.3, |s| s.offset / upem),
            thickness: m.underline.map_or(0.07, |u| u.thickness / upem),
        }
    }

    /// Between which heights plain letters, their underline included, stay.
    fn reach(&self, size: f32, baseline: f32) -> (f32, f32) {
        let (up, down) = (self.ascent.max(0.97), self.descent.max(0.25));
        (baseline - up * size, baseline + down * size)
    }

    /// The baseline in a line of this height. The line belongs to the text's own face: an emoji or a fallback glyph moves
    /// nothing. Rounded like browsers do, so that lines of a paragraph are equally far apart.
    fn baseline(&self, size: f32, line_height: f32) -> f32 {
        let (up, down) = ((self.ascent * size).round(), (self.descent * size).round());
        ((line_height - up - down) / 2.0).floor() + up
    }
}
