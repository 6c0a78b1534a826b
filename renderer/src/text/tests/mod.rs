//! What texts promise: blocks and their cache, case, rules. The rest by meaning, one file each.

mod directions;
mod glyphs;
mod hostile;
mod lines;

use std::sync::Arc;

use super::*;
use crate::geometry::Point;

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
