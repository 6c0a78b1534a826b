//! Faces, their glyphs and the ink these leave.

use std::sync::Arc;

use super::super::*;
use super::{engine, style};
use crate::geometry::Point;

#[test]
fn an_emoji_moves_neither_the_line_nor_its_baseline() {
    let (mut e, s) = (engine(), style(14.0, 20.0));
    e.shape(&TextSpec::new("😀", &s));
    e.settle();
    let plain = e.shape(&TextSpec::new("Ago", &s));
    for text in ["Ago 😀", "😀", "日本", "Ago مرحبا", "ก็"] {
        let b = e.shape(&TextSpec::new(text, &s));
        assert_eq!(b.size().h, plain.size().h, "{text}");
        assert_eq!(b.baseline(), plain.baseline(), "{text}");
    }
}

#[test]
fn a_glyph_no_bundled_face_has_brings_the_systems_fonts_once() {
    let (mut e, s) = (engine(), style(14.0, 20.0));
    e.shape(&TextSpec::new(
        "Plain text — “quoted”, 1 ≤ 2, naïve Ωμέγα",
        &s,
    ));
    assert!(!e.settle(), "bundled faces were enough");
    assert_eq!(e.generation(), 0);
    let plain = e.shape(&TextSpec::new("Plain", &s));
    let first = e.shape(&TextSpec::new("日本 😀", &s));
    assert!(first.is_incomplete());
    assert!(e.settle());
    assert_eq!(e.generation(), 1);
    let second = e.shape(&TextSpec::new("日本 😀", &s));
    assert!(!second.is_incomplete() && !Arc::ptr_eq(&first, &second));
    assert!(Arc::ptr_eq(&plain, &e.shape(&TextSpec::new("Plain", &s))));
    e.shape(&TextSpec::new("\u{13000}", &s));
    assert!(!e.settle());
}

#[test]
fn no_face_of_the_system_repeats_a_bundled_one() {
    let (mut e, s) = (engine(), style(14.0, 20.0));
    e.shape(&TextSpec::new("😀", &s));
    e.settle();
    let inter = e
        .fonts()
        .database()
        .faces()
        .filter(|f| f.families.iter().any(|(n, _)| n == "Inter"))
        .filter(|f| f.weight.0 == 400 && f.style == cosmic_text::Style::Normal)
        .count();
    assert_eq!(inter, 1);
}

#[test]
fn spacing_is_in_px_at_every_size() {
    let mut e = engine();
    for size in [10.0, 14.0, 30.0] {
        let plain = style(size, 40.0);
        let spaced = TextStyle {
            letter_spacing: Some(2.0),
            ..plain.clone()
        };
        let (a, b) = (
            e.shape(&TextSpec::new("abcdefghij", &plain)).size().w,
            e.shape(&TextSpec::new("abcdefghij", &spaced)).size().w,
        );
        assert!((b - a - 20.0).abs() <= 1.0, "{size}: {a} {b}");
    }
}

#[test]
fn digits_are_all_of_one_width() {
    let (mut e, s) = (engine(), style(14.0, 20.0));
    let widths: Vec<f32> = ["1111", "0000", "7417"]
        .iter()
        .map(|t| e.shape(&TextSpec::new(t, &s)).size().w)
        .collect();
    assert!(widths.windows(2).all(|w| w[0] == w[1]), "{widths:?}");
}

#[test]
fn a_word_in_two_weights_is_shaped_in_both() {
    let (mut e, s) = (engine(), style(14.0, 20.0));
    let spans = [
        Span {
            range: 0..4,
            weight: Some(700),
            ..Span::default()
        },
        Span {
            range: 6..10,
            mono: true,
            ..Span::default()
        },
    ];
    let b = e.shape(&TextSpec::new("Note: (code)x", &s).spans(&spans));
    let faces: std::collections::HashSet<_> = b.glyphs().map(|(_, _, f)| f.id()).collect();
    assert_eq!(faces.len(), 3);
    // The seams take no room and no byte.
    assert_eq!(b.hit(Point::new(1.0e6, 5.0)), 13);
    let end = b.caret(13).expect("caret");
    assert!((end.x - b.size().w).abs() < 1.5);
}

#[test]
fn names_of_fonts_lead_to_what_there_is() {
    let mut e = engine();
    let width = |e: &mut TextEngine, family: &str| {
        let s = TextStyle {
            font_family: Some(family.into()),
            ..style(14.0, 20.0)
        };
        e.shape(&TextSpec::new("iiiiWWWW", &s)).size().w
    };
    let (sans, mono) = (width(&mut e, "Inter"), width(&mut e, "Geist Mono"));
    assert_ne!(sans, mono);
    for name in ["ui-monospace", "Fira Code", "\"Geist Mono\", monospace"] {
        assert_eq!(width(&mut e, name), mono, "{name}");
    }
    for name in ["Geist", "system-ui", "ui-serif", ""] {
        assert_eq!(width(&mut e, name), sans, "{name}");
    }
    assert_eq!(e.generation(), 0);
    assert!(!e.fonts().has_system_fonts());
    width(&mut e, "No Such Family");
    e.settle();
    assert_eq!(width(&mut e, "No Such Family"), sans);
}

#[test]
fn no_plain_letter_leaves_the_ink_of_its_text() {
    let text: String = (' '..='~').collect();
    let mut context = swash::scale::ScaleContext::new();
    for (family, weight) in [
        ("Inter", 400),
        ("Inter", 500),
        ("Inter", 600),
        ("Inter", 700),
        ("Geist Mono", 400),
    ] {
        let s = TextStyle {
            font_family: Some(family.into()),
            font_weight: weight,
            ..style(100.0, 100.0)
        };
        let mut e = engine();
        // One by one: the ends of a text are where a letter could leave it.
        for letter in text.chars().map(String::from) {
            let block = e.shape(&TextSpec::new(&letter, &s));
            let ink = block.ink();
            for (line, g, font) in block.glyphs() {
                let mut scaler = context.builder(font.as_swash()).size(100.0).build();
                let Some(outline) = scaler.scale_outline(g.glyph_id) else {
                    continue;
                };
                let b = outline.bounds();
                if b.min.x >= b.max.x {
                    continue;
                }
                let (left, right) = (g.x + b.min.x, g.x + b.max.x);
                let (top, bottom) = (line.baseline - b.max.y, line.baseline - b.min.y);
                let within =
                    left >= ink.x && right <= ink.right() && top >= ink.y && bottom <= ink.bottom();
                assert!(within, "{letter} of {family} {weight}: {b:?} in {ink:?}");
            }
        }
    }
}

#[test]
fn the_ink_of_a_time_is_little_more_than_its_line() {
    let s = style(14.0, 20.0);
    let block = engine().shape(&TextSpec::new("12:09:41\u{202f}PM", &s));
    let (ink, size) = (block.ink(), block.size());
    assert!(
        ink.h <= 20.0 && ink.w <= size.w + 8.0,
        "{ink:?} of {size:?}"
    );
}
