//! How the runs of a text look, and which face draws which of their letters.

use std::sync::Arc;

use cosmic_text::{
    Attrs, AttrsList, CacheKeyFlags, Family, FeatureTag, FontFeatures, Metrics, fontdb,
};
use unicode_segmentation::UnicodeSegmentation;

use super::fallback::{self, Face};
use super::fonts::MONO;
use super::source::{self, HardLine};
use super::{Fonts, TextSpec};
use crate::color::Color;
use crate::look::Decoration;

/// Keeps a word whose faces differ from being shaped in one; belongs to the character before it and has no width.
const SEAM: char = '\u{200c}';
/// The same in right-to-left text, where the shaper puts the faces of one word in the wrong order: it ends the word. The price is
/// that a line may be broken there.
const RTL_SEAM: char = '\u{200b}';
const MOST_SPANS: usize = 2048;

/// Glyph metadata: the face is lighter than asked for and is to be emboldened.
pub(crate) const BOLDEN: usize = 1;
pub(super) const UNDERLINE: usize = 2;
pub(super) const STRIKE: usize = 4;

/// How one run of the text is to look, sizes made sane.
#[derive(Clone, Debug)]
pub(super) struct Run {
    pub family: Arc<str>,
    pub weight: u16,
    pub italic: bool,
    pub size: f32,
    pub line_height: f32,
    pub spacing: f32,
    pub color: Option<Color>,
    pub decoration: Decoration,
}

/// What shaping needs beside the fonts.
pub(super) struct Plan {
    pub runs: Vec<Run>,
    /// From which byte of the source on which run is on top.
    pub changes: Vec<(usize, usize)>,
    pub sized: bool,
    pub features: FontFeatures,
    pub incomplete: bool,
}

/// Sizes and weights of the text itself and of its spans.
pub(super) fn plan(fonts: &mut Fonts, spec: &TextSpec<'_>) -> Plan {
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

/// Choose the faces of a line. Clusters nothing draws are replaced: by a blank while the system's fonts are being read, then by
/// the replacement character.
pub(super) fn faces(fonts: &mut Fonts, plan: &mut Plan, line: &mut HardLine) -> AttrsList {
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
pub(super) fn seam(before: &str, after: &str) -> Option<char> {
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
