//! Which way lines run.

use super::super::*;
use super::{engine, style};

#[test]
fn a_right_to_left_line_is_cut_at_its_end() {
    let (mut e, s) = (engine(), style(14.0, 20.0));
    let text = "שלום עולם וברוכים הבאים";
    let spec = TextSpec::new(text, &s)
        .direction(Direction::ContentInRtl)
        .align(Align::Right);
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
    for direction in [Direction::Content, Direction::ContentInRtl] {
        let spec = TextSpec::new("שלום! עולם", &s).direction(direction);
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
fn words_keep_their_order_wherever_they_stand() {
    let (mut e, s) = (engine(), style(14.0, 20.0));
    for (text, direction, rtl) in [
        ("6 h 30", Direction::ContentInRtl, false),
        ("82 %", Direction::ContentInRtl, false),
        ("abc (1)", Direction::ContentInRtl, false),
        ("שלום (1)", Direction::Content, true),
        ("// שלום", Direction::LeftToRight, false),
        ("שלום", Direction::LeftToRight, false),
    ] {
        let spec = TextSpec::new(text, &s)
            .wrap(Some(200.0))
            .direction(direction)
            .align(Align::Right);
        let block = e.shape(&spec);
        let run = block.buffer().layout_runs().next().expect("a line");
        assert_eq!(run.rtl, rtl, "{text}");
        // The side it stands on is the layout's.
        let (first, last) = (block.caret(0), block.caret(text.len()));
        let (first, last) = (first.expect("caret").x, last.expect("caret").x);
        assert!(first.max(last) > 198.0, "{text}: {first} {last}");
        assert!(first.min(last) > 100.0, "{text}: {first} {last}");
    }
}

#[test]
fn a_line_cut_behind_its_number_still_runs_as_the_whole_did() {
    let (mut e, s) = (engine(), style(14.0, 20.0));
    let cut = e.shape(
        &TextSpec::new("12345678 שלום עולם", &s)
            .wrap(Some(70.0))
            .lines(Some(1)),
    );
    assert!(cut.is_cut() && cut.buffer().layout_runs().next().expect("a line").rtl);
}
