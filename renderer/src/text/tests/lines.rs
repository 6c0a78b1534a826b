//! Where lines break, where they are cut, how they align.

use super::super::*;
use super::{engine, shown, style};

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
