//! Which face draws which character. Chosen here, before shaping: the shaper then never searches (its own search opens every
//! font of the system), and the same text gets the same faces on every machine with the same fonts.

use std::collections::HashMap;
use std::sync::Arc;

use cosmic_text::fontdb::{self, Style, Weight};

use super::fonts::{MONO, SANS};

/// One face, as the shaper must be asked for it.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(super) struct Face {
    pub family: Arc<str>,
    pub weight: Weight,
    pub style: Style,
    pub stretch: fontdb::Stretch,
    pub id: fontdb::ID,
}

/// Families tried for a range of characters, best first.
struct Script {
    first: u32,
    last: u32,
    families: &'static [&'static str],
}

const fn script(first: u32, last: u32, families: &'static [&'static str]) -> Script {
    Script {
        first,
        last,
        families,
    }
}

const EMOJI: &[&str] = &["Noto Color Emoji", "Twitter Color Emoji", "Noto Emoji"];
const CJK: &[&str] = &[
    "Noto Sans CJK SC",
    "Source Han Sans SC",
    "WenQuanYi Zen Hei",
    "Droid Sans Fallback",
];
const KANA: &[&str] = &[
    "Noto Sans CJK JP",
    "Source Han Sans JP",
    "IPAGothic",
    "Noto Sans CJK SC",
];
const HANGUL: &[&str] = &[
    "Noto Sans CJK KR",
    "Source Han Sans KR",
    "NanumGothic",
    "Noto Sans CJK SC",
];
const SYMBOLS: &[&str] = &[
    "Noto Sans Symbols",
    "Noto Sans Symbols2",
    "DejaVu Sans",
    "Noto Sans Math",
];

/// Sorted by range.
static SCRIPTS: &[Script] = &[
    script(0x0000, 0x058f, &["Noto Sans", "DejaVu Sans"]),
    script(0x0590, 0x05ff, &["Noto Sans Hebrew", "DejaVu Sans"]),
    script(
        0x0600,
        0x06ff,
        &["Noto Sans Arabic", "Noto Naskh Arabic", "DejaVu Sans"],
    ),
    script(0x0700, 0x074f, &["Noto Sans Syriac"]),
    script(
        0x0750,
        0x077f,
        &["Noto Sans Arabic", "Noto Naskh Arabic", "DejaVu Sans"],
    ),
    script(0x0780, 0x07bf, &["Noto Sans Thaana"]),
    script(0x08a0, 0x08ff, &["Noto Sans Arabic", "Noto Naskh Arabic"]),
    script(
        0x0900,
        0x097f,
        &["Noto Sans Devanagari", "Lohit Devanagari"],
    ),
    script(0x0980, 0x09ff, &["Noto Sans Bengali"]),
    script(0x0a00, 0x0a7f, &["Noto Sans Gurmukhi"]),
    script(0x0a80, 0x0aff, &["Noto Sans Gujarati"]),
    script(0x0b00, 0x0b7f, &["Noto Sans Oriya"]),
    script(0x0b80, 0x0bff, &["Noto Sans Tamil"]),
    script(0x0c00, 0x0c7f, &["Noto Sans Telugu"]),
    script(0x0c80, 0x0cff, &["Noto Sans Kannada"]),
    script(0x0d00, 0x0d7f, &["Noto Sans Malayalam"]),
    script(0x0d80, 0x0dff, &["Noto Sans Sinhala"]),
    script(0x0e00, 0x0e7f, &["Noto Sans Thai", "Noto Sans Thai Looped"]),
    script(0x0e80, 0x0eff, &["Noto Sans Lao"]),
    script(0x0f00, 0x0fff, &["Noto Serif Tibetan"]),
    script(0x1000, 0x109f, &["Noto Sans Myanmar"]),
    script(0x10a0, 0x10ff, &["Noto Sans Georgian", "DejaVu Sans"]),
    script(0x1100, 0x11ff, HANGUL),
    script(0x1200, 0x139f, &["Noto Sans Ethiopic"]),
    script(0x13a0, 0x13ff, &["Noto Sans Cherokee"]),
    script(0x1780, 0x17ff, &["Noto Sans Khmer"]),
    script(0x1800, 0x18af, &["Noto Sans Mongolian"]),
    script(0x2000, 0x2bff, SYMBOLS),
    script(0x2d30, 0x2d7f, &["Noto Sans Tifinagh"]),
    script(0x2e80, 0x303f, CJK),
    script(0x3040, 0x30ff, KANA),
    script(0x3100, 0x312f, CJK),
    script(0x3130, 0x318f, HANGUL),
    script(0x31a0, 0x31ef, CJK),
    script(0x31f0, 0x31ff, KANA),
    script(0x3200, 0xa4cf, CJK),
    script(0xac00, 0xd7ff, HANGUL),
    script(0xf900, 0xfaff, CJK),
    script(0xfb1d, 0xfb4f, &["Noto Sans Hebrew", "DejaVu Sans"]),
    script(
        0xfb50,
        0xfdff,
        &["Noto Sans Arabic", "Noto Naskh Arabic", "DejaVu Sans"],
    ),
    script(
        0xfe70,
        0xfeff,
        &["Noto Sans Arabic", "Noto Naskh Arabic", "DejaVu Sans"],
    ),
    script(0xff00, 0xffef, CJK),
    script(0x1d400, 0x1d7ff, &["Noto Sans Math", "DejaVu Sans"]),
    script(0x1f000, 0x1faff, EMOJI),
    script(0x20000, 0x3ffff, CJK),
];

/// Font names of the themes and CSS that stand for families we know. Empty for a name of its own.
pub(super) fn family_candidates(name: &str) -> &'static [&'static str] {
    match name {
        "Inter" | "Geist" | "sans-serif" | "system-ui" | "ui-sans-serif" | "ui-rounded" => &[SANS],
        "Geist Mono" | "Fira Code" | "monospace" | "ui-monospace" => &[MONO],
        // A serif is worth a look among the system's fonts, but never worth reading them for.
        "serif" | "ui-serif" | "Georgia" => {
            &["Noto Serif", "DejaVu Serif", "Liberation Serif", SANS]
        }
        _ => &[],
    }
}

/// The faces of the database by family, and what is known about who draws what.
pub(super) struct Faces {
    families: HashMap<Arc<str>, Vec<Face>>,
    /// A character's family outside the family asked for; `None` is tofu.
    found: HashMap<(char, bool), Option<Arc<str>>>,
    /// Searches through every family still allowed: each may touch every font file.
    searches: u16,
}

const MOST_FOUND: usize = 8192;
const MOST_SEARCHES: u16 = 128;

impl Faces {
    pub fn new(db: &fontdb::Database) -> Faces {
        let mut families: HashMap<Arc<str>, Vec<Face>> = HashMap::new();
        for info in db.faces() {
            let Some((name, _)) = info.families.first() else {
                continue;
            };
            let family: Arc<str> = match families.get_key_value(name.as_str()) {
                Some((known, _)) => known.clone(),
                None => name.as_str().into(),
            };
            families.entry(family.clone()).or_default().push(Face {
                family,
                weight: info.weight,
                style: info.style,
                stretch: info.stretch,
                id: info.id,
            });
        }
        Faces {
            families,
            found: HashMap::new(),
            searches: MOST_SEARCHES,
        }
    }

    /// The known family of this name.
    pub fn family(&self, name: &str) -> Option<Arc<str>> {
        self.families.get_key_value(name).map(|(n, _)| n.clone())
    }

    /// The face of `family` nearest to a weight and slant, by CSS's rule for weights. `None` only for an unknown family.
    pub fn nearest(&self, family: &str, weight: u16, italic: bool) -> Option<Face> {
        let distance = |face: &Face| {
            let (have, want) = (i32::from(face.weight.0), i32::from(weight));
            // 400 and 500 stand for each other first; lighter wishes look down first, heavier ones up.
            let away = (have - want).abs();
            let wrong_way = match want {
                ..=500 => have > want.max(500),
                _ => have < want,
            };
            let slanted = face.style != Style::Normal;
            (
                face.stretch != fontdb::Stretch::Normal,
                slanted != italic,
                wrong_way,
                away,
            )
        };
        self.families
            .get(family)?
            .iter()
            .min_by_key(|f| distance(f))
            .cloned()
    }

    /// The family other than the one asked for that draws `c`. `emoji` prefers colour.
    pub fn other_family(
        &mut self,
        db: &fontdb::Database,
        c: char,
        emoji: bool,
    ) -> Option<Arc<str>> {
        if let Some(known) = self.found.get(&(c, emoji)) {
            return known.clone();
        }
        if self.found.len() >= MOST_FOUND {
            self.found.clear();
        }
        let found = self.search(db, c, emoji);
        self.found.insert((c, emoji), found.clone());
        found
    }

    fn search(&mut self, db: &fontdb::Database, c: char, emoji: bool) -> Option<Arc<str>> {
        let at = SCRIPTS.partition_point(|s| s.last < c as u32);
        let script = SCRIPTS
            .get(at)
            .filter(|s| s.first <= c as u32)
            .map_or(&[] as &[&str], |s| s.families);
        let preferred = if emoji { EMOJI } else { &[] }
            .iter()
            .chain(&[SANS, MONO])
            .chain(script)
            .chain(SYMBOLS)
            .chain(EMOJI);
        for name in preferred {
            if let Some((family, faces)) = self.families.get_key_value(*name)
                && faces.first().is_some_and(|f| covers(db, f.id, c))
            {
                return Some(family.clone());
            }
        }
        // Nobody draws private-use and unassigned-plane characters on purpose.
        if self.searches == 0 || matches!(c as u32, 0xe000..=0xf8ff | 0xe0000..) {
            return None;
        }
        self.searches -= 1;
        let mut others: Vec<_> = self.families.keys().cloned().collect();
        others.sort_by_key(|n| (!n.contains("Sans"), n.clone()));
        others.into_iter().find(|n| {
            self.families
                .get(n)
                .and_then(|faces| faces.first())
                .is_some_and(|f| covers(db, f.id, c))
        })
    }
}

/// Has the face a glyph for `c`?
pub(super) fn covers(db: &fontdb::Database, id: fontdb::ID, c: char) -> bool {
    db.with_face_data(id, |data, index| {
        swash::FontRef::from_index(data, index as usize).is_some_and(|f| f.charmap().map(c) != 0)
    })
    .unwrap_or(false)
}

/// Characters that change the look of others and have no glyph of their own.
pub(super) fn is_ignorable(c: char) -> bool {
    matches!(c as u32,
        0xad | 0x34f | 0x61c | 0x180b..=0x180f | 0x200b..=0x200f | 0x202a..=0x202e | 0x2060..=0x206f
        | 0xfe00..=0xfe0f | 0xfeff | 0xe0000..=0xe0fff)
}

/// Is this a letter of a script written from right to left?
pub(super) fn is_rtl(c: char) -> bool {
    matches!(c as u32, 0x590..=0x8ff | 0xfb1d..=0xfdff | 0xfe70..=0xfeff | 0x10800..=0x10fff | 0x1e800..=0x1efff)
}

/// Does a cluster ask to be drawn as a picture?
pub(super) fn is_emoji(cluster: &str) -> bool {
    let mut chars = cluster.chars();
    let Some(first) = chars.next() else {
        return false;
    };
    let asked = chars.clone().any(|c| c == '\u{fe0f}');
    let refused = chars.clone().any(|c| c == '\u{fe0e}');
    let by_nature = matches!(first as u32,
        0x231a..=0x231b | 0x23e9..=0x23ec | 0x23f0 | 0x23f3 | 0x25fd..=0x25fe | 0x2614..=0x2615
        | 0x2648..=0x2653 | 0x267f | 0x2693 | 0x26a1 | 0x26aa..=0x26ab | 0x26bd..=0x26be
        | 0x26c4..=0x26c5 | 0x26ce | 0x26d4 | 0x26ea | 0x26f2..=0x26f3 | 0x26f5 | 0x26fa | 0x26fd
        | 0x2705 | 0x270a..=0x270b | 0x2728 | 0x274c | 0x274e | 0x2753..=0x2755 | 0x2757
        | 0x2795..=0x2797 | 0x27b0 | 0x27bf | 0x2b1b..=0x2b1c | 0x2b50 | 0x2b55
        | 0x1f004 | 0x1f0cf | 0x1f18e | 0x1f191..=0x1f19a | 0x1f1e6..=0x1f1ff | 0x1f201
        | 0x1f21a | 0x1f22f | 0x1f232..=0x1f236 | 0x1f238..=0x1f23a | 0x1f250..=0x1f251
        | 0x1f300..=0x1f320 | 0x1f32d..=0x1f335 | 0x1f337..=0x1f37c | 0x1f37e..=0x1f393
        | 0x1f3a0..=0x1f3ca | 0x1f3cf..=0x1f3d3 | 0x1f3e0..=0x1f3f0 | 0x1f3f4 | 0x1f3f8..=0x1f43e
        | 0x1f440 | 0x1f442..=0x1f4fc | 0x1f4ff..=0x1f53d | 0x1f54b..=0x1f54e | 0x1f550..=0x1f567
        | 0x1f57a | 0x1f595..=0x1f596 | 0x1f5a4 | 0x1f5fb..=0x1f64f | 0x1f680..=0x1f6c5
        | 0x1f6cc | 0x1f6d0..=0x1f6d2 | 0x1f6d5..=0x1f6df | 0x1f6eb..=0x1f6ec | 0x1f6f4..=0x1f6fc
        | 0x1f7e0..=0x1f7eb | 0x1f90c..=0x1f93a | 0x1f93c..=0x1f945 | 0x1f947..=0x1f9ff
        | 0x1fa70..=0x1faff);
    asked || (by_nature && !refused)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_script_table_is_in_order() {
        assert!(SCRIPTS.windows(2).all(|w| w[0].last < w[1].first));
        assert!(SCRIPTS.iter().all(|s| s.first <= s.last));
    }

    #[test]
    fn an_emoji_is_told_from_a_sign_by_its_selector() {
        assert!(is_emoji("😀") && is_emoji("❤\u{fe0f}") && is_emoji("1\u{fe0f}\u{20e3}"));
        assert!(!is_emoji("❤") && !is_emoji("1") && !is_emoji("⚡\u{fe0e}"));
    }
}
