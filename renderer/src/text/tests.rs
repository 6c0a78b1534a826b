//! What texts promise, whatever they are given.

use std::sync::Arc;

use proptest::prelude::*;

use super::*;
use crate::geometry::{Point, Rect};

fn engine() -> TextEngine {
    TextEngine::new(Fonts::new())
}

fn style(size: f32, line_height: f32) -> TextStyle {
    TextStyle {
        font_size: size,
        line_height,
        ..TextStyle::default()
    }
}

fn shown(block: &TextBlock) -> Vec<String> {
    block
        .buffer()
        .layout_runs()
        .map(|run| {
            let from = run.glyphs.iter().map(|g| g.start).min().unwrap_or(0);
            let to = run.glyphs.iter().map(|g| g.end).max().unwrap_or(0);
            run.text[from..to].to_string()
        })
        .collect()
}

#[test]
fn the_same_spec_is_the_same_block_and_another_is_not() {
    let (mut e, s) = (engine(), style(14.0, 20.0));
    let a = e.shape(&TextSpec::new("one", &s));
    assert!(Arc::ptr_eq(&a, &e.shape(&TextSpec::new("one", &s))));
    assert!(!Arc::ptr_eq(&a, &e.shape(&TextSpec::new("two", &s))));
    let wide = TextSpec::new("one", &s).wrap(Some(50.0));
    assert!(!Arc::ptr_eq(&a, &e.shape(&wide)));
    let red = [Span {
        range: 0..3,
        color: Some(Color::rgb(255, 0, 0)),
        ..Span::default()
    }];
    let blue = [Span {
        range: 0..3,
        color: Some(Color::rgb(0, 0, 255)),
        ..Span::default()
    }];
    let a = e.shape(&TextSpec::new("one", &s).spans(&red));
    assert!(!Arc::ptr_eq(
        &a,
        &e.shape(&TextSpec::new("one", &s).spans(&blue))
    ));
}

#[test]
fn the_cache_forgets_what_is_not_used_and_keeps_what_is() {
    let (mut e, s) = (engine(), style(14.0, 20.0));
    let kept = e.shape(&TextSpec::new("kept", &s));
    for i in 0..6000 {
        let text = format!("some text that nobody asks for twice, number {i}");
        e.shape(&TextSpec::new(&text, &s));
        if i % 100 == 0 {
            e.shape(&TextSpec::new("kept", &s));
        }
    }
    assert!(e.known() < 1500, "{}", e.known());
    assert!(Arc::ptr_eq(&kept, &e.shape(&TextSpec::new("kept", &s))));
}

#[test]
fn a_line_that_fits_is_not_cut_and_one_that_does_not_ends_in_an_ellipsis() {
    let (mut e, s) = (engine(), style(14.0, 20.0));
    let text = "The quick brown fox";
    let natural = e.shape(&TextSpec::new(text, &s)).size().w;
    let whole = e.shape(&TextSpec::new(text, &s).wrap(Some(natural)).lines(Some(1)));
    assert!(!whole.is_cut());
    assert_eq!(shown(&whole), [text]);
    for width in [20.0, 61.5, 90.0, natural - 1.0] {
        let cut = e.shape(&TextSpec::new(text, &s).wrap(Some(width)).lines(Some(1)));
        assert!(cut.is_cut() && cut.size().w <= width.ceil(), "{width}");
        assert!(shown(&cut)[0].ends_with('…'));
        assert!(!shown(&cut)[0].ends_with(" …"));
    }
    // As much as fits: with one letter more it would not.
    let cut = e.shape(&TextSpec::new(text, &s).wrap(Some(90.0)).lines(Some(1)));
    let kept = shown(&cut)[0].chars().count() - 1;
    let more: String = text.chars().take(kept + 1).chain(['…']).collect();
    assert!(e.shape(&TextSpec::new(&more, &s)).size().w > 90.0);
}

#[test]
fn lines_past_the_limit_are_cut_with_an_ellipsis_on_the_last() {
    let (mut e, s) = (engine(), style(14.0, 20.0));
    let text = "one two three four five six seven eight nine ten eleven twelve";
    let two = e.shape(&TextSpec::new(text, &s).wrap(Some(120.0)).lines(Some(2)));
    assert_eq!((two.line_count(), two.size().h), (2, 40.0));
    assert!(shown(&two)[1].ends_with('…') && !shown(&two)[0].ends_with('…'));
    let hard = e.shape(&TextSpec::new("a\nb\nc", &s).lines(Some(2)));
    assert_eq!(shown(&hard), ["a", "b…"]);
    let one = e.shape(&TextSpec::new("a\nb", &s).wrap(Some(500.0)).lines(Some(1)));
    assert_eq!(shown(&one), ["a…"]);
    let all = e.shape(&TextSpec::new("a\nb", &s).lines(Some(2)));
    assert!(!all.is_cut());
}

#[test]
fn a_right_to_left_line_is_cut_at_its_end() {
    let (mut e, s) = (engine(), style(14.0, 20.0));
    let text = "שלום עולם וברוכים הבאים";
    let spec = TextSpec::new(text, &s).rtl(Some(true)).align(Align::Right);
    e.shape(&spec);
    e.settle();
    let cut = e.shape(&spec.clone().wrap(Some(70.0)).lines(Some(1)));
    assert!(cut.is_cut());
    let run = cut.buffer().layout_runs().next().expect("a line");
    let dots = run.glyphs.iter().max_by_key(|g| g.start).expect("dots");
    assert!(run.glyphs.iter().all(|g| g.x >= dots.x));
}

#[test]
fn a_mark_of_another_face_stands_after_its_right_to_left_word() {
    let (mut e, s) = (engine(), style(14.0, 20.0));
    for rtl in [true, false] {
        let spec = TextSpec::new("שלום! עולם", &s).rtl(Some(rtl));
        e.shape(&spec);
        e.settle();
        let b = e.shape(&spec);
        let x = |byte| b.caret(byte).expect("caret").x;
        let (word, mark) = (x(0), x("שלום".len()));
        let end = x("שלום!".len());
        assert!(word > mark && mark > end, "{word} {mark} {end}");
    }
}

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
fn sizes_that_are_no_sizes_still_give_a_block() {
    let mut e = engine();
    for size in [f32::NAN, f32::INFINITY, -3.0, 0.0, 1.0e9] {
        for line in [f32::NAN, 0.0, -1.0, 1.0e9] {
            let s = TextStyle {
                letter_spacing: Some(size),
                ..style(size, line)
            };
            for width in [
                None,
                Some(f32::NAN),
                Some(0.0),
                Some(-5.0),
                Some(f32::INFINITY),
            ] {
                let spec = TextSpec::new("a b\tc", &s).wrap(width).lines(Some(3));
                let b = e.shape(&spec);
                assert!(b.size().w.is_finite() && b.size().h.is_finite());
            }
        }
    }
}

#[test]
fn a_megabyte_is_cut_before_it_is_shaped() {
    let (mut e, s) = (engine(), style(14.0, 20.0));
    let text = "word ".repeat(200_000);
    let cell = e.shape(&TextSpec::new(&text, &s).wrap(Some(200.0)).lines(Some(1)));
    assert!(cell.is_cut() && cell.glyph_count() < 60);
    let lines = e.shape(&TextSpec::new(&"\n".repeat(1_000_000), &s));
    assert!(lines.line_count() <= 4097);
    let all = e.shape(&TextSpec::new(&text, &s));
    assert!(all.is_cut() && all.glyph_count() <= 64 * 1024 + 1);
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
fn the_narrowest_width_is_the_widest_word() {
    let (mut e, s) = (engine(), style(14.0, 20.0));
    let min = e.min_width(&TextSpec::new("a wonderful day", &s));
    let word = e.shape(&TextSpec::new("wonderful", &s)).size().w;
    assert_eq!(min, word);
    let narrow = e.shape(&TextSpec::new("a wonderful day", &s).wrap(Some(min)));
    assert_eq!(shown(&narrow), ["a", "wonderful", "day"]);
}

#[test]
fn the_widest_line_given_back_as_width_wraps_the_same() {
    let (mut e, s) = (engine(), style(13.0, 20.0));
    for text in ["Hello there, world", "a\nbb\nccc", "tab\tstop", "x  y   "] {
        let natural = e.shape(&TextSpec::new(text, &s));
        let again = e.shape(&TextSpec::new(text, &s).wrap(Some(natural.size().w)));
        assert_eq!(natural.line_count(), again.line_count(), "{text:?}");
    }
}

#[test]
fn case_is_changed_and_bytes_are_still_found() {
    let mut e = engine();
    let upper = TextStyle {
        text_transform: Some("uppercase".into()),
        ..style(14.0, 20.0)
    };
    let b = e.shape(&TextSpec::new("straße x", &upper));
    assert_eq!(shown(&b), ["STRASSE X"]);
    assert_eq!(b.hit(Point::new(1.0e6, 5.0)), "straße x".len());
    let before_x = b.caret("straße ".len()).expect("caret");
    assert!(before_x.x < b.size().w && before_x.x > b.size().w * 0.8);
}

#[test]
fn paragraphs_take_their_direction_from_the_spec() {
    let (mut e, s) = (engine(), style(14.0, 20.0));
    let rtl = e.shape(
        &TextSpec::new("abc (1)", &s)
            .wrap(Some(200.0))
            .rtl(Some(true))
            .align(Align::Right),
    );
    let run = rtl.buffer().layout_runs().next().expect("line");
    assert!(run.rtl);
    assert!(run.glyphs.iter().all(|g| g.x > 100.0));
    let ltr = e.shape(&TextSpec::new("שלום", &s).rtl(Some(false)));
    assert!(!ltr.buffer().layout_runs().next().expect("line").rtl);
}

#[test]
fn lines_without_a_width_align_in_the_widest() {
    let (mut e, s) = (engine(), style(14.0, 20.0));
    let b = e.shape(&TextSpec::new("i\na wider line", &s).align(Align::Right));
    let ends: Vec<f32> = b
        .buffer()
        .layout_runs()
        .filter_map(|r| r.glyphs.last().map(|g| g.x + g.w))
        .collect();
    assert!((ends[0] - ends[1]).abs() < 0.1, "{ends:?}");
}

#[test]
fn underlines_lie_under_their_span_only() {
    let (mut e, s) = (engine(), style(14.0, 20.0));
    let spans = [Span {
        range: 4..8,
        decoration: Decoration::Underline,
        ..Span::default()
    }];
    let b = e.shape(&TextSpec::new("one link two", &s).spans(&spans));
    let [(rule, None)] = b.rules() else {
        panic!("{:?}", b.rules());
    };
    let (from, to) = (b.caret(4).expect("caret").x, b.caret(8).expect("caret").x);
    assert!((rule.x - from).abs() < 0.1 && (rule.right() - to).abs() < 0.1);
    assert!(rule.y > b.baseline() && rule.bottom() <= 20.0);
    let struck = e.shape(&TextSpec::new("all", &s).decoration(Decoration::LineThrough));
    assert!(struck.rules()[0].0.y < struck.baseline());
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

/// Letters of every kind, directions, marks, joiners, breaks and control characters.
fn any_text() -> impl Strategy<Value = String> {
    let piece = prop_oneof![
        4 => "[a-zA-Z0-9 ,.()-]{0,8}",
        2 => "[א-ת ]{0,5}|[ء-ي ]{0,5}",
        1 => "[\u{200b}-\u{200f}\u{202a}-\u{202e}\u{2066}-\u{2069}\u{fe0f}\u{301}\u{ad}\u{feff}]{0,3}",
        1 => "[\n\r\t\u{b}\u{c}\u{1c}\u{85}\u{2028}\u{2029}\u{0}\u{7f}]{0,3}",
        1 => "[😀👩❤🇦日本한ก\u{200d}]{0,4}",
        1 => "\\PC{0,6}",
        1 => any::<String>(),
    ];
    proptest::collection::vec(piece, 0..6).prop_map(|v| v.concat())
}

proptest! {
    #![proptest_config(ProptestConfig { cases: ProptestConfig::default().cases / 2, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn any_text_in_any_style_gives_a_sane_block(
        text in any_text(),
        width in proptest::option::of(0.0f32..300.0),
        lines in proptest::option::of(0u32..4),
        rtl in proptest::option::of(any::<bool>()),
        align in prop_oneof![Just(Align::Left), Just(Align::Center), Just(Align::Right), Just(Align::Justify)],
        case in prop_oneof![Just(None), Just(Some("uppercase")), Just(Some("capitalize"))],
        cuts in proptest::collection::vec(0usize..40, 0..6),
    ) {
        thread_local! {
            static ENGINE: std::cell::RefCell<TextEngine> = std::cell::RefCell::new(engine());
        }
        let s = TextStyle { text_transform: case.map(str::to_string), ..style(14.0, 20.0) };
        let mut cuts = cuts;
        cuts.sort_unstable();
        let spans: Vec<Span> = cuts.chunks(2).enumerate().map(|(i, c)| Span {
            range: c[0]..*c.last().unwrap_or(&0),
            weight: Some(700),
            mono: i % 2 == 1,
            italic: i == 0,
            size: (i == 2).then_some((20.0, 28.0)),
            ..Span::default()
        }).collect();
        let spec = TextSpec::new(&text, &s).wrap(width).lines(lines).rtl(rtl).align(align).spans(&spans);
        let block = ENGINE.with_borrow_mut(|e| {
            e.shape(&spec);
            e.settle();
            e.shape(&spec)
        });
        prop_assert!(block.size().w.is_finite() && block.size().h.is_finite());
        if let Some(n) = lines {
            prop_assert!(block.line_count() <= n.max(1));
        }
        prop_assert!(block.glyphs().all(|(_, g, _)| g.x.is_finite() && g.glyph_id != 0));
        for i in 0..=text.len() {
            if let Some(c) = block.caret(i) {
                prop_assert!(c.x.is_finite() && c.h > 0.0);
            }
            let at = block.hit(Point::new(i as f32 * 7.0, i as f32 * 5.0));
            prop_assert!(text.is_char_boundary(at));
        }
        let all: Vec<Rect> = block.selection(0, text.len());
        prop_assert!(all.iter().all(|r| r.w.is_finite()));
    }
}

#[test]
fn a_text_broken_into_lines_is_what_shaping_it_afresh_gives() {
    let s = style(14.0, 20.0);
    let text = "One two three, four: five\nsix (seven) eight nine";
    for align in [Align::Left, Align::Center, Align::Justify] {
        let wrapped = TextSpec::new(text, &s).wrap(Some(70.0)).align(align);
        let (mut measured, mut fresh) = (engine(), engine());
        measured.shape(&TextSpec::new(text, &s));
        let (a, b) = (measured.shape(&wrapped), fresh.shape(&wrapped));
        let places = |block: &TextBlock| -> Vec<(f32, f32, u16)> {
            block
                .glyphs()
                .map(|(line, g, _)| (line.top, g.x, g.glyph_id))
                .collect()
        };
        assert_eq!(places(&a), places(&b));
        assert_eq!((a.size(), a.line_count()), (b.size(), b.line_count()));
        assert!(a.line_count() > 3);
    }
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
