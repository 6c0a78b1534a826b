//! From a spec to a block: lines, faces, shaping, the cut with its ellipsis, and the lines' places.

use std::sync::Arc;

use cosmic_text::{
    Attrs, AttrsList, Buffer, BufferLine, CacheKeyFlags, Family, FeatureTag, Font, FontFeatures,
    FontSystem, LineEnding, Metrics, Shaping, Wrap, fontdb,
};
use unicode_segmentation::UnicodeSegmentation;

use super::block::{Line, TextBlock};
use super::fallback::{self, Face};
use super::fonts::MONO;
use super::source::{self, Case, HardLine};
use super::{Fonts, TextSpec};
use crate::color::Color;
use crate::geometry::{Rect, Size};
use crate::look::{Align, Decoration};

const ELLIPSIS: &str = "…";
/// Keeps a word whose faces differ from being shaped in one; belongs to the character before it and has no width.
const SEAM: char = '\u{200c}';
/// The same in right-to-left text, where the shaper puts the faces of one word in the wrong order: it ends the word. The price is
/// that a line may be broken there.
const RTL_SEAM: char = '\u{200b}';
const MOST_SPANS: usize = 2048;
/// How far plain letters of the bundled faces reach past their advance, in em.
const OVERHANG: f32 = 0.15;

/// Glyph metadata: the face is lighter than asked for and is to be emboldened.
pub(crate) const BOLDEN: usize = 1;
const UNDERLINE: usize = 2;
const STRIKE: usize = 4;

/// How one run of the text is to look, sizes made sane.
#[derive(Clone, Debug)]
struct Run {
    family: Arc<str>,
    weight: u16,
    italic: bool,
    size: f32,
    line_height: f32,
    spacing: f32,
    color: Option<Color>,
    decoration: Decoration,
}

/// What shaping needs beside the fonts.
struct Plan {
    runs: Vec<Run>,
    /// From which byte of the source on which run is on top.
    changes: Vec<(usize, usize)>,
    sized: bool,
    features: FontFeatures,
    incomplete: bool,
}

/// Shape `spec`. Lines that `like`, a block of the same text at another width, has shaped alike are laid out from there.
pub(super) fn build(fonts: &mut Fonts, spec: &TextSpec<'_>, like: Option<&TextBlock>) -> TextBlock {
    let width = spec
        .width
        .filter(|w| !w.is_nan())
        .map(|w| w.clamp(0.0, 1.0e6));
    let limit = spec.lines.map(|n| n.max(1) as usize);
    let single = limit == Some(1) && width.is_some();
    let mut plan = plan(fonts, spec);
    let base = plan.runs[0].clone();

    let most = match (limit, width) {
        // No more than could show: the narrowest letters are wider than 0.15 em.
        (Some(n), Some(w)) => (n.min(1000) * (w / (base.size * 0.15)) as usize + 64) * 4,
        _ => source::MOST_BYTES,
    };
    let text = source::bounded(spec.text, most.min(source::MOST_BYTES));
    let mut hard = source::hard_lines(text, Case::parse(spec.style.text_transform.as_deref()));
    let mut more = text.len() < spec.text.len() || hard.len() == source::MOST_LINES;
    if let Some(n) = limit.filter(|n| hard.len() > *n) {
        hard.truncate(n);
        more = true;
    }

    let mut buffer = Buffer::new_empty(Metrics::new(base.size, base.line_height));
    let wrap = width.is_some() && !single;
    let fs = &mut fonts.system;
    buffer.set_wrap(fs, if wrap { Wrap::WordOrGlyph } else { Wrap::None });
    buffer.set_size(fs, width, None);
    let align = Some(match spec.align {
        Align::Left => cosmic_text::Align::Left,
        Align::Center => cosmic_text::Align::Center,
        Align::Right => cosmic_text::Align::Right,
        Align::Justify => cosmic_text::Align::Justified,
    });

    let mut maps = Vec::with_capacity(hard.len());
    let mut shown = 0;
    let mut cut = false;
    let count = hard.len();
    for (i, mut line) in hard.into_iter().enumerate() {
        direct(&mut line, spec.rtl);
        let attrs = faces(fonts, &mut plan, &mut line);
        let ending = if i + 1 == count {
            LineEnding::None
        } else {
            LineEnding::Lf
        };
        let known = like
            .and_then(|block| block.buffer.lines.get(i))
            .filter(|known| {
                known.text() == line.text
                    && known.ending() == ending
                    && *known.attrs_list() == attrs
            });
        let mut shaped = match known {
            Some(known) => {
                let mut known = known.clone();
                known.reset_layout();
                known
            }
            None => BufferLine::new(line.text, ending, attrs, Shaping::Advanced),
        };
        shaped.set_align(align);
        buffer.lines.push(shaped);
        maps.push(line.map);
        let fs = &mut fonts.system;
        let laid = buffer.line_layout(fs, i).unwrap_or(&[]);
        let (rows, wide) = (laid.len(), laid.first().map_or(0.0, |l| l.w));
        let last = i + 1 == count;
        let full = limit.is_some_and(|n| shown + rows >= n);
        if !(full || last && more) {
            shown += rows;
            continue;
        }
        let rows_left = limit.map_or(usize::MAX, |n| n - shown);
        let too_long = rows > rows_left || (single && wide > width.unwrap_or(f32::MAX) + 0.01);
        if too_long || more || !last {
            let room = Room {
                rows: rows_left,
                width: width.unwrap_or(f32::MAX),
                single,
                overflows: too_long,
            };
            if let Some(map) = maps.last_mut() {
                let (kept, added) = shorten(fs, &mut buffer, i, &room);
                map.cut(kept, added);
                cut = true;
            }
        }
        break;
    }

    // Without a width the block is as wide as its widest line, and the others align in that.
    let fs = &mut fonts.system;
    if width.is_none() && buffer.lines.len() > 1 {
        let rtl = buffer
            .lines
            .iter()
            .any(|l| l.shape_opt().is_some_and(|s| s.rtl));
        if rtl || spec.align != Align::Left {
            let widest = buffer
                .layout_runs()
                .fold(0.0_f32, |w, run| w.max(run.line_w));
            buffer.set_size(fs, Some(widest), None);
        }
    }
    finish(fonts, spec, buffer, maps, plan, cut)
}

/// Sizes and weights of the text itself and of its spans.
fn plan(fonts: &mut Fonts, spec: &TextSpec<'_>) -> Plan {
    let t = spec.style;
    let sane = |v: f32, or: f32, most: f32| {
        if v.is_finite() {
            v.clamp(1.0, most)
        } else {
            or
        }
    };
    let size = sane(t.font_size, 14.0, 512.0);
    let (family, unsure) = fonts.family(t.font_family.as_deref());
    let base = Run {
        family,
        weight: t.font_weight.clamp(1, 1000),
        italic: t.font_style.as_deref() == Some("italic"),
        size,
        line_height: sane(t.line_height, size * 1.4, 2048.0),
        spacing: t.letter_spacing.filter(|s| s.is_finite()).unwrap_or(0.0),
        color: None,
        decoration: spec.decoration,
    };
    let spans = &spec.spans[..spec.spans.len().min(MOST_SPANS)];
    let mut runs = vec![base.clone()];
    for span in spans {
        let (size, line_height) = span.size.map_or((base.size, base.line_height), |(s, l)| {
            (sane(s, base.size, 512.0), sane(l, base.line_height, 2048.0))
        });
        runs.push(Run {
            family: if span.mono {
                MONO.into()
            } else {
                base.family.clone()
            },
            weight: span.weight.unwrap_or(base.weight).clamp(1, 1000),
            italic: base.italic || span.italic,
            size,
            line_height,
            spacing: base.spacing,
            color: span.color,
            decoration: match span.decoration {
                Decoration::None => base.decoration,
                own => own,
            },
        });
    }
    let mut features = FontFeatures::new();
    features.enable(FeatureTag::new(b"tnum"));
    Plan {
        runs,
        changes: source::span_changes(spans)
            .into_iter()
            .map(|(at, top)| (at, top.map_or(0, |i| i + 1)))
            .collect(),
        sized: spans.iter().any(|s| s.size.is_some()),
        features,
        incomplete: unsure,
    }
}

/// Give the paragraph its direction where its first strong character would not.
fn direct(line: &mut HardLine, rtl: Option<bool>) {
    let Some(rtl) = rtl else { return };
    if !rtl && line.text.is_ascii() {
        return;
    }
    source::prefix(line, if rtl { '\u{200f}' } else { '\u{200e}' });
}

/// Choose the faces of a line. Clusters nothing draws are replaced: by a blank while the system's fonts are being read, then by
/// the replacement character.
fn faces(fonts: &mut Fonts, plan: &mut Plan, line: &mut HardLine) -> AttrsList {
    let primary: Vec<Option<Face>> = plan
        .runs
        .iter()
        .map(|r| fonts.faces.nearest(&r.family, r.weight, r.italic))
        .collect();
    let default = attrs(plan, 0, primary[0].as_ref());
    let mut list = AttrsList::new(&default);
    if plan.runs.len() == 1 && line.text.is_ascii() {
        return list;
    }

    let mut change = 0;
    let mut clusters: Vec<(std::ops::Range<usize>, Option<String>)> = Vec::new();
    // Runs of one face: where they start in the new text, the run's look and its face.
    let mut parts: Vec<(usize, usize, Option<Face>)> = Vec::new();
    let (mut at, mut replaced) = (0, false);
    for (start, cluster) in line.text.grapheme_indices(true) {
        let source = line.map.to_source(start);
        while plan
            .changes
            .get(change + 1)
            .is_some_and(|(from, _)| *from <= source)
        {
            change += 1;
        }
        let run = plan.changes.get(change).map_or(0, |(_, run)| *run);
        let (face, mut new) = face_of(fonts, &plan.runs[run], primary[run].as_ref(), cluster);
        if new.as_deref() == Some(BLANK) {
            plan.incomplete = true;
        }
        let differs = parts.last().is_none_or(|(_, r, f)| *r != run || *f != face);
        if differs {
            // A word in several faces must not be taken for one.
            let other_face = parts.last().is_some_and(|(_, _, f)| *f != face);
            if other_face && let Some((range, last)) = clusters.last_mut() {
                let before = last.as_deref().unwrap_or(&line.text[range.clone()]);
                if let Some(seam) = seam(before, cluster) {
                    *last = Some(format!("{before}{seam}"));
                    at += seam.len_utf8();
                    replaced = true;
                }
            }
            parts.push((at, run, face));
        }
        at += new.as_ref().map_or(cluster.len(), String::len);
        replaced |= new.is_some();
        clusters.push((start..start + cluster.len(), new.take()));
    }
    if replaced {
        source::rewrite(line, &clusters);
    }
    for (i, (from, run, face)) in parts.iter().enumerate() {
        let to = parts.get(i + 1).map_or(line.text.len(), |p| p.0);
        if from < &to {
            list.add_span(*from..to, &attrs(plan, *run, face.as_ref()));
        }
    }
    list
}

/// What goes between two clusters of one word in different faces.
fn seam(before: &str, after: &str) -> Option<char> {
    let (a, b) = (before.chars().next_back()?, after.chars().next()?);
    if a.is_whitespace() || b.is_whitespace() {
        return None;
    }
    if before.chars().chain(after.chars()).any(fallback::is_rtl) {
        return Some(RTL_SEAM);
    }
    (a.is_ascii() && b.is_ascii()).then_some(SEAM)
}

const BLANK: &str = "\u{a0}";

/// The face of a cluster, and other text for it where no face draws it all.
fn face_of(
    fonts: &mut Fonts,
    run: &Run,
    primary: Option<&Face>,
    cluster: &str,
) -> (Option<Face>, Option<String>) {
    if cluster.is_ascii() {
        return (primary.cloned(), None);
    }
    let mut needed = cluster.chars().filter(|c| !fallback::is_ignorable(*c));
    let Some(first) = needed.next() else {
        return (primary.cloned(), None);
    };
    let emoji = fallback::is_emoji(cluster);
    let db = fonts.system.db();
    let draws = |face: &Face| {
        cluster
            .chars()
            .filter(|c| !fallback::is_ignorable(*c))
            .all(|c| fallback::covers(db, face.id, c))
    };
    if !emoji && let Some(face) = primary.filter(|f| draws(f)) {
        return (Some(face.clone()), None);
    }
    let other = fonts
        .faces
        .other_family(db, first, emoji)
        .and_then(|family| fonts.faces.nearest(&family, run.weight, run.italic));
    let by_primary = primary.filter(|f| fallback::covers(db, f.id, first));
    let Some(face) = other.filter(|f| emoji || draws(f)).or(by_primary.cloned()) else {
        if fonts.has_system_fonts() {
            return (primary.cloned(), Some("\u{fffd}".into()));
        }
        fonts.want_system();
        return (primary.cloned(), Some(BLANK.into()));
    };
    // Marks the face lacks are left out: the shaper would search every font for them.
    let lacks = |c: char| !fallback::is_ignorable(c) && !fallback::covers(db, face.id, c);
    let new = cluster
        .chars()
        .any(lacks)
        .then(|| cluster.chars().filter(|c| !lacks(*c)).collect::<String>());
    (Some(face), new)
}

fn attrs<'a>(plan: &'a Plan, run: usize, face: Option<&'a Face>) -> Attrs<'a> {
    let run = &plan.runs[run];
    let mut a = Attrs::new().font_features(plan.features.clone());
    let mut flags = 0;
    // Letters keep their places between pixels, so their outlines are not bent to the grid.
    let mut raster = CacheKeyFlags::DISABLE_HINTING;
    if let Some(face) = face {
        a = a
            .family(Family::Name(&face.family))
            .weight(face.weight)
            .style(face.style)
            .stretch(face.stretch);
        if run.italic && face.style == fontdb::Style::Normal {
            raster |= CacheKeyFlags::FAKE_ITALIC;
        }
        if run.weight >= 600 && face.weight.0 < 550 {
            flags |= BOLDEN;
        }
    }
    flags |= match run.decoration {
        Decoration::None => 0,
        Decoration::Underline => UNDERLINE,
        Decoration::LineThrough => STRIKE,
    };
    if run.spacing != 0.0 {
        // A letter narrower than nothing would walk backwards.
        a = a.letter_spacing((run.spacing / run.size).clamp(-0.2, 10.0));
    }
    if plan.sized {
        a = a.metrics(Metrics::new(run.size, run.line_height));
    }
    if let Some(c) = run.color {
        a = a.color(cosmic_text::Color::rgba(c.r, c.g, c.b, c.a));
    }
    a.metadata(flags).cache_key_flags(raster)
}

/// Where a shortened line has to fit.
struct Room {
    rows: usize,
    width: f32,
    single: bool,
    /// The whole line does not fit; else it is shortened only because more lines follow.
    overflows: bool,
}

/// Cut line `i` so that it and an ellipsis fit. Returns how many of its bytes stay and how many were added.
fn shorten(fs: &mut FontSystem, buffer: &mut Buffer, i: usize, room: &Room) -> (usize, usize) {
    let original = buffer.lines[i].clone();
    let text = original.text().to_string();
    let size = buffer.metrics().font_size;
    let mut keep = text.len();
    if room.overflows {
        // The last row in reading order: whole clusters while they and the ellipsis fit.
        let rows = buffer.line_layout(fs, i).unwrap_or(&[]);
        let row = if room.single { 0 } else { room.rows - 1 };
        let mut glyphs: Vec<_> = rows
            .get(row..)
            .unwrap_or(&[])
            .iter()
            .flat_map(|l| &l.glyphs)
            .map(|g| (g.start, g.end, g.w))
            .collect();
        glyphs.sort_by_key(|g| g.0);
        let mut left = room.width - size;
        keep = glyphs.first().map_or(0, |g| g.0);
        for (_, end, w) in glyphs {
            left -= w;
            if left < 0.0 {
                break;
            }
            keep = end;
        }
        // One em was set aside: more may fit. Try a few clusters further and come back below.
        let further = text[keep..]
            .graphemes(true)
            .take(4)
            .map(str::len)
            .sum::<usize>();
        keep += further;
    }
    loop {
        keep = text[..keep].trim_end().len();
        let mut list = original.attrs_list().clone();
        if keep < text.len() {
            list.split_off(keep);
        }
        let mut short = text[..keep].to_string();
        short.extend(seam(&short, ELLIPSIS));
        short.push_str(ELLIPSIS);
        let added = short.len() - keep;
        list.add_span(keep..short.len(), &original.attrs_list().defaults());
        let mut line = BufferLine::new(short, LineEnding::None, list, Shaping::Advanced);
        line.set_align(original.align());
        buffer.lines[i] = line;
        let rows = buffer.line_layout(fs, i).unwrap_or(&[]);
        let fits = rows.len() <= room.rows
            && (!room.single || rows.iter().all(|r| r.w <= room.width + 0.01));
        if fits || keep == 0 {
            return (keep, added);
        }
        keep = text[..keep]
            .grapheme_indices(true)
            .next_back()
            .map_or(0, |(at, _)| at);
    }
}

/// Places the shaped lines and gathers what a painter needs.
fn finish(
    fonts: &mut Fonts,
    spec: &TextSpec<'_>,
    buffer: Buffer,
    maps: Vec<super::source::ByteMap>,
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
    let (mut size, mut ink) = (Size::default(), Rect::ZERO);
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
        let (l, r) = run.glyphs.iter().fold((f32::MAX, f32::MIN), |(l, r), g| {
            (l.min(g.x), r.max(g.x + g.w))
        });
        if l <= r {
            let row = if is_plain(fonts, &run) {
                let (top, bottom) = em.reach(font_size, baseline);
                let aside = OVERHANG * font_size;
                Rect::new(l - aside, top, r - l + 2.0 * aside, bottom - top)
            } else {
                // Accents, tails and slants leave the line box; nothing leaves it by more than this.
                let over = font_size.max(run.line_height) * 0.5;
                Rect::new(l, run.line_top, r - l, run.line_height).inset(-over)
            };
            ink = ink.union(&row);
        }
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
        ink,
        incomplete: plan.incomplete,
        cut,
    }
}

/// Are these letters known to stay within their line: ASCII, upright, of the bundled faces?
fn is_plain(fonts: &Fonts, run: &cosmic_text::LayoutRun<'_>) -> bool {
    run.text.is_ascii()
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
