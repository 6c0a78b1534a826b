//! Lists with every kind of op: what the golden images show and both backends draw.

use std::sync::Arc;

use ede_renderer::color::Color;
use ede_renderer::display::*;
use ede_renderer::geometry::{Point, Radii, Rect};
use ede_renderer::icons;
use ede_renderer::images::Bitmap;
use ede_renderer::look::Decoration;
use ede_renderer::text::{Span, TextSpec};
use eui_core::measure::TextStyle;

use super::*;

pub fn shapes() -> DisplayList {
    let black = Color::rgb(10, 10, 10);
    let mut ops = vec![fill(Rect::new(0.0, 0.0, 320.0, 200.0), 0.0, black)];
    let card = Rect::new(16.0, 16.0, 120.0, 80.0);
    for (y, blur, a) in [(8.0, 24.0, 130), (1.0, 3.0, 120)] {
        ops.push(Op::Shadow {
            rect: card.translate(Point::new(0.0, y)),
            radii: Radii::all(12.0),
            blur,
            color: Color::rgba(90, 160, 255, a),
            hole: (card, Radii::all(12.0)),
        });
    }
    ops.push(fill(card, 12.0, Color::rgb(24, 24, 24)));
    ops.push(Op::Border {
        rect: card,
        radii: Radii::all(12.0),
        widths: [1.0; 4],
        color: Color::rgba(255, 255, 255, 40),
        style: BorderStyle::Solid,
    });
    let styles = [BorderStyle::Solid, BorderStyle::Dashed, BorderStyle::Dotted];
    for (i, style) in styles.into_iter().enumerate() {
        for (j, w) in [1.0, 2.0, 3.0].into_iter().enumerate() {
            let (x, y) = (152.0 + 54.0 * j as f32, 16.0 + 30.0 * i as f32);
            ops.push(Op::Border {
                rect: Rect::new(x, y, 46.0, 22.0),
                radii: Radii([6.0, 11.0, 0.0, 6.0]),
                widths: [w; 4],
                color: INK,
                style,
            });
        }
    }
    ops.push(Op::Border {
        rect: Rect::new(16.0, 120.0, 60.0, 30.0),
        radii: Radii::all(8.0),
        widths: [1.0, 3.0, 6.0, 0.0],
        color: INFO,
        style: BorderStyle::Solid,
    });
    for i in 0..6 {
        let (i, d) = (i as f32, 3.0 + 3.0 * i as f32);
        ops.push(fill(Rect::new(90.0 + 22.0 * i, 120.0, d, d), 99.0, INFO));
        ops.push(fill(Rect::new(16.0, 160.0 + 5.3 * i, 60.0, 1.0), 0.0, INK));
    }
    let half = Color::rgba(168, 85, 247, 120);
    ops.push(Op::Fill {
        rect: Rect::new(90.0, 150.0, 120.0, 30.0),
        radii: Radii([15.0, 4.0, 15.0, 4.0]),
        brush: Brush::Linear(Arc::new(LinearGradient {
            angle: 115.0,
            stops: vec![(0.0, INFO), (0.5, half), (1.0, INK)],
        })),
    });
    ops.push(Op::Path {
        path: Arc::new(Path::slice(
            Point::new(240.0, 160.0),
            24.0,
            17.0,
            -1.57,
            4.4,
        )),
        brush: INFO.into(),
        stroke: None,
    });
    let wave = (0..12).map(|i| {
        let x = i as f32;
        Point::new(276.0 + 3.0 * x, 130.0 - (x * 1.3).sin() * 8.0)
    });
    ops.push(Op::Path {
        path: Arc::new(Path::polyline(wave)),
        brush: INK.into(),
        stroke: Some(Stroke {
            width: 1.5,
            dash: None,
            round: true,
        }),
    });
    let squares = |i: u32| {
        let (x, y) = (i % 32, i / 32);
        let v = if (x / 4 + y / 4) % 2 == 0 { 230 } else { 40 };
        [v, (x * 8) as u8, (y * 8) as u8, 255]
    };
    let bitmap = Arc::new(Bitmap::new(32, 32, (0..1024).flat_map(squares).collect()));
    for (x, side) in [(274.0, 10.0), (288.0, 24.0)] {
        ops.push(Op::Image {
            bitmap: bitmap.clone(),
            source: Rect::new(0.0, 0.0, 32.0, 32.0),
            rect: Rect::new(x, 150.0, side, side),
            radii: Radii::all(4.0),
        });
    }
    list(vec![node(1, ops, Point::ZERO)])
}

pub fn words() -> DisplayList {
    let black = Color::rgb(10, 10, 10);
    let mut ops = vec![
        fill(Rect::new(0.0, 0.0, 320.0, 110.0), 0.0, black),
        fill(Rect::new(0.0, 110.0, 320.0, 90.0), 0.0, Color::WHITE),
    ];
    let mut write = |text: &str, size, weight, x, y, color| {
        ops.push(Op::Text {
            block: shape(text, size, weight),
            origin: Point::new(x, y),
            color,
            clip: None,
        });
    };
    for (ink, y) in [(INK, 6.0), (black, 114.0)] {
        write("xs Hamburgefonstiv 0123456789", 12.0, 400, 8.0, y, ink);
        write("sm 500 The quick brown fox", 14.0, 500, 8.0, y + 20.0, ink);
        write("Title 600", 18.0, 600, 8.0, y + 44.0, ink);
    }
    let names = [
        "ui-close",
        "ui-back",
        "nav-inbox",
        "wifi-off",
        "progress-2-5",
        "unknown",
    ];
    for (i, name) in names.into_iter().enumerate() {
        let x = 8.0 + 26.0 * i as f32;
        ops.extend(icons::ops(name, Rect::new(x, 84.0, 16.0, 16.0), INK, false));
        ops.extend(icons::ops(
            name,
            Rect::new(x + 160.0, 82.0, 20.0, 20.0),
            INFO,
            true,
        ));
    }
    let style = TextStyle::default();
    let spans = [
        Span {
            range: 0..4,
            weight: Some(700),
            ..Span::default()
        },
        Span {
            range: 6..12,
            italic: true,
            ..Span::default()
        },
        Span {
            range: 14..18,
            mono: true,
            weight: Some(600),
            ..Span::default()
        },
        Span {
            range: 20..24,
            color: Some(INFO),
            decoration: Decoration::Underline,
            ..Span::default()
        },
    ];
    let spec = TextSpec::new("bold, italic, code, link", &style).spans(&spans);
    ops.push(Op::Text {
        block: with_engine(|engine| engine.shape(&spec)),
        origin: Point::new(130.0, 176.0),
        color: Color::BLACK,
        clip: None,
    });
    list(vec![node(1, ops, Point::ZERO)])
}

pub fn groups() -> DisplayList {
    let card = |slot| {
        let ops = vec![
            fill(
                Rect::new(0.0, 0.0, 80.0, 60.0),
                10.0,
                Color::rgb(38, 38, 38),
            ),
            fill(Rect::new(40.0, 25.0, 60.0, 50.0), 0.0, INFO),
            Op::Text {
                block: shape("Group", 14.0, 500),
                origin: Point::new(10.0, 6.0),
                color: INK,
                clip: None,
            },
        ];
        node(slot, ops, Point::new(10.0, 10.0))
    };
    let at = |slot, x: f32, y: f32, opacity, clip, transform| Item::Nested {
        key: Key { slot, over: false },
        list: Arc::new(list(vec![Item::Group {
            key: Key { slot, over: true },
            opacity,
            clip,
            transform,
            items: vec![card(slot + 50)],
        }])),
        at: Point::new(x, y),
        clip: Rect::EVERYTHING,
        radii: Radii::NONE,
    };
    let turn = |scale, degrees| {
        Some(Transform {
            about: Point::new(50.0, 40.0),
            scale,
            degrees,
            offset: Point::ZERO,
        })
    };
    let clip = Some((Rect::new(10.0, 10.0, 80.0, 60.0), Radii::all(20.0)));
    let black = Color::rgb(10, 10, 10);
    let ground = vec![fill(Rect::new(0.0, 0.0, 360.0, 190.0), 0.0, black)];
    list(vec![
        node(1, ground, Point::ZERO),
        at(2, 0.0, 0.0, 0.5, None, None),
        at(3, 120.0, 0.0, 1.0, clip, None),
        at(4, 240.0, 0.0, 0.8, clip, turn(1.0, 15.0)),
        at(5, 0.0, 95.0, 1.0, None, turn(0.5, 0.0)),
        at(6, 120.0, 95.0, 1.0, None, turn(0.94, 0.0)),
        Item::Nested {
            key: Key {
                slot: 7,
                over: false,
            },
            list: Arc::new(list(vec![card(1)])),
            at: Point::new(240.0, 95.0),
            clip: Rect::new(255.0, 110.0, 70.0, 50.0),
            radii: Radii([25.0, 8.0, 0.0, 8.0]),
        },
    ])
}
