//! Nothing a caller hands over breaks shaping.

use proptest::prelude::*;

use super::super::*;
use super::{engine, style};
use crate::geometry::{Point, Rect};

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
        direction in prop_oneof![Just(Direction::Content), Just(Direction::ContentInRtl), Just(Direction::LeftToRight)],
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
        let spec = TextSpec::new(&text, &s).wrap(width).lines(lines).direction(direction).align(align).spans(&spans);
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
