//! Icons: eUI's names (Lucide's own, and concepts such as `ui-close`) to glyphs of the icon font. Icons are text: sharp and tintable at any scale.
//!
//! `assets/icons/concepts.json` maps the concepts; a name that is neither there nor Lucide's draws the placeholder.

use std::collections::HashMap;
use std::sync::{Arc, OnceLock};

use crate::color::Color;
use crate::component::PaintCx;
use crate::display::{Op, Path, Stroke};
use crate::geometry::{Point, Rect, Size};

/// What stands for an icon nobody knows.
const PLACEHOLDER: char = '\u{e1cb}';

/// How an icon is drawn.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Icon {
    /// A glyph of the icon font.
    Glyph(char),
    /// A circle filled clockwise from the top: `progress-2-5` is two fifths. The font has no such glyphs.
    Progress { done: u8, of: u8 },
}

/// The icon of an eUI name; `None` for a name that means nothing.
pub fn find(name: &str) -> Option<Icon> {
    let name = concepts().get(name).map_or(name, |target| target.as_str());
    if let Some(parts) = name.strip_prefix("progress-") {
        let (done, of) = parts.split_once('-')?;
        let (done, of) = (done.parse::<u8>().ok()?, of.parse::<u8>().ok()?);
        return (of > 0 && done <= of).then_some(Icon::Progress { done, of });
    }
    lucide_icons::Icon::try_from(name)
        .ok()
        .map(|icon| Icon::Glyph(icon.unicode()))
}

/// Does this icon point along the reading direction, so that it is mirrored in right-to-left text?
pub fn mirrors(name: &str) -> bool {
    eui_core::generated::catalog::RTL_MIRRORED_ICONS.contains(&name)
}

/// The ops that draw `name` centred in `rect`, as large as fits.
pub fn ops(name: &str, rect: Rect, color: Color, rtl: bool) -> Vec<Op> {
    let side = rect.w.min(rect.h);
    if !(side.is_finite() && side > 0.0) || color.is_invisible() {
        return Vec::new();
    }
    let rect = rect.centered(Size::new(side, side));
    match find(name).unwrap_or(Icon::Glyph(PLACEHOLDER)) {
        Icon::Glyph(glyph) => vec![Op::Icon {
            glyph,
            rect,
            color,
            mirrored: rtl && mirrors(name),
        }],
        Icon::Progress { done, of } => progress(f32::from(done) / f32::from(of), rect, color),
    }
}

/// Paint `name` centred in `rect`, as large as fits. Icons that point along the reading direction are mirrored in RTL.
pub fn paint(cx: &mut PaintCx<'_>, name: &str, rect: Rect, color: Color) {
    let rtl = cx.rtl;
    for op in ops(name, rect, color, rtl) {
        cx.push(op);
    }
}

/// Lucide's circle (radius 10 of 24, stroke 2) around a pie of radius 6.
fn progress(share: f32, rect: Rect, color: Color) -> Vec<Op> {
    let unit = rect.w / 24.0;
    let c = rect.center();
    let turn = std::f32::consts::TAU;
    let circle = Path::arc(c, 10.0 * unit, 0.0, turn).close();
    let pie = Path::slice(
        Point::new(c.x, c.y),
        6.0 * unit,
        0.0,
        -turn / 4.0,
        turn * share,
    );
    vec![
        Op::Path {
            path: Arc::new(circle),
            brush: color.into(),
            stroke: Some(Stroke {
                width: 2.0 * unit,
                dash: None,
                round: true,
            }),
        },
        Op::Path {
            path: Arc::new(pie),
            brush: color.into(),
            stroke: None,
        },
    ]
}

/// Concept to Lucide name. The file is part of the binary; one that does not parse maps nothing (a test reads it).
fn concepts() -> &'static HashMap<String, String> {
    static MAP: OnceLock<HashMap<String, String>> = OnceLock::new();
    MAP.get_or_init(|| {
        serde_json::from_str(include_str!("../../assets/icons/concepts.json")).unwrap_or_default()
    })
}

#[cfg(test)]
#[allow(clippy::expect_used)]
mod tests {
    use super::*;
    use eui_core::generated::catalog;

    #[test]
    fn every_icon_name_of_the_catalog_is_drawn() {
        let font =
            swash::FontRef::from_index(lucide_icons::LUCIDE_FONT_BYTES, 0).expect("icon font");
        assert_eq!(catalog::ICON_NAMES.len(), 562);
        for name in catalog::ICON_NAMES
            .iter()
            .chain(catalog::BUILTIN_ICON_NAMES)
        {
            match find(name) {
                Some(Icon::Glyph(c)) => assert_ne!(font.charmap().map(c), 0, "{name}"),
                Some(Icon::Progress { .. }) => {}
                None => panic!("{name} draws nothing"),
            }
        }
        assert_eq!(catalog::BUILTIN_ICON_SLOTS.len(), 42);
    }

    #[test]
    fn an_unknown_name_draws_the_placeholder() {
        assert_eq!(find("no-such-icon"), None);
        assert_eq!(find("ui-icon-placeholder"), Some(Icon::Glyph(PLACEHOLDER)));
        let drawn = ops(
            "no-such-icon",
            Rect::new(0.0, 0.0, 16.0, 16.0),
            Color::BLACK,
            false,
        );
        assert!(matches!(&drawn[..], [Op::Icon { glyph, .. }] if *glyph == PLACEHOLDER));
    }

    #[test]
    fn only_the_pointing_icons_are_mirrored_in_rtl() {
        assert_eq!(catalog::RTL_MIRRORED_ICONS.len(), 14);
        let mirrored = |name: &str, rtl| {
            matches!(
                ops(name, Rect::new(0.0, 0.0, 16.0, 16.0), Color::BLACK, rtl)[0],
                Op::Icon { mirrored: true, .. }
            )
        };
        assert!(
            catalog::RTL_MIRRORED_ICONS
                .iter()
                .all(|n| mirrored(n, true))
        );
        assert!(!mirrored("ui-back", false));
        assert!(!mirrored("check", true));
    }

    #[test]
    fn a_progress_icon_needs_a_sane_share() {
        assert_eq!(
            find("progress-2-5"),
            Some(Icon::Progress { done: 2, of: 5 })
        );
        for bad in ["progress-1-0", "progress-9-4", "progress-x-4", "progress-"] {
            assert_eq!(find(bad), None, "{bad}");
        }
    }
}
