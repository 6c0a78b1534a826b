//! Paints every kind of op at the scale given (default 1) into the file given: something to look at while working on the painter.
//! `cargo run -p ede-renderer --example primitives -- out.png 1.5`

use std::sync::Arc;

use ede_renderer::color::Color;
use ede_renderer::display::*;
use ede_renderer::geometry::{Point, Radii, Rect};
use ede_renderer::icons;
use ede_renderer::look::{Align, Decoration};
use ede_renderer::png::Rgba;
use ede_renderer::software::{IRect, Order, Painter, Target};
use ede_renderer::text::{Fonts, Span, TextEngine, TextSpec};
use eui_core::measure::TextStyle;

const INK: Color = Color::rgb(250, 250, 250);
const MUTED: Color = Color::rgb(163, 163, 163);
const EDGE: Color = Color::rgba(255, 255, 255, 26);
const INFO: Color = Color::rgb(59, 130, 246);

struct Sheet {
    text: TextEngine,
    ops: Vec<Op>,
}

impl Sheet {
    fn fill(&mut self, rect: Rect, r: f32, color: Color) {
        self.ops.push(Op::Fill {
            rect,
            radii: Radii::all(r),
            brush: color.into(),
        });
    }

    fn write(&mut self, spec: &TextSpec<'_>, x: f32, y: f32, color: Color) -> Rect {
        let mut block = self.text.shape(spec);
        if self.text.settle() {
            block = self.text.shape(spec);
        }
        let at = Rect::new(x, y, block.size().w, block.size().h);
        self.ops.push(Op::Text {
            block,
            origin: Point::new(x, y),
            color,
            clip: None,
        });
        at
    }

    fn card(&mut self, rect: Rect) {
        for (y, blur, a) in [(4.0, 24.0, 110), (1.0, 3.0, 90)] {
            self.ops.push(Op::Shadow {
                rect: rect.translate(Point::new(0.0, y)),
                radii: Radii::all(12.0),
                blur,
                color: Color::rgba(0, 0, 0, a),
                hole: (rect, Radii::all(12.0)),
            });
        }
        self.fill(rect, 12.0, Color::rgb(24, 24, 24));
        self.ops.push(Op::Border {
            rect,
            radii: Radii::all(12.0),
            widths: [1.0; 4],
            color: EDGE,
            style: BorderStyle::Solid,
        });
    }
}

fn style(size: f32, line: f32, weight: u16) -> TextStyle {
    TextStyle {
        font_size: size,
        line_height: line,
        font_weight: weight,
        font_family: Some("Inter".into()),
        ..TextStyle::default()
    }
}

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let mut args = std::env::args().skip(1);
    let file = args.next().unwrap_or_else(|| "primitives.png".into());
    let scale: f32 = args.next().and_then(|s| s.parse().ok()).unwrap_or(1.0);
    let mut s = Sheet {
        text: TextEngine::new(Fonts::new()),
        ops: Vec::new(),
    };
    s.ops.push(Op::Fill {
        rect: Rect::new(0.0, 0.0, 900.0, 640.0),
        radii: Radii::NONE,
        brush: Brush::Linear(Arc::new(LinearGradient {
            angle: 145.0,
            stops: vec![
                (0.0, Color::rgb(22, 40, 70)),
                (0.6, Color::rgb(10, 10, 10)),
                (1.0, Color::rgb(50, 26, 60)),
            ],
        })),
    });
    texts(&mut s);
    shapes(&mut s);
    let list = DisplayList {
        items: vec![
            Item::Node {
                key: Key {
                    slot: 0,
                    over: false,
                },
                ops: Arc::new(Ops::new(std::mem::take(&mut s.ops))),
                at: Point::ZERO,
                clip: Rect::EVERYTHING,
            },
            groups(&mut s),
        ],
    };
    let (w, h) = ((900.0 * scale) as u32, (640.0 * scale) as u32);
    let mut pixels = vec![0; (w * h * 4) as usize];
    let mut painter = Painter::new();
    for round in 0..3 {
        let start = std::time::Instant::now();
        painter.paint(
            &list,
            Target {
                pixels: &mut pixels,
                width: w,
                height: h,
                stride: w as usize * 4,
                order: Order::Rgba,
            },
            scale,
            Color::TRANSPARENT,
            &[IRect::new(0, 0, w as i32, h as i32)],
        );
        println!("round {round}: {:?}", start.elapsed());
    }
    std::fs::write(&file, Rgba::from_painted(w, h, &pixels).encode()?)?;
    Ok(())
}

fn texts(s: &mut Sheet) {
    s.card(Rect::new(20.0, 20.0, 420.0, 330.0));
    let mut y = 36.0;
    for (size, line, weight, text) in [
        (12.0, 16.0, 400, "xs 12/16: Hamburgefonstiv 0123456789"),
        (
            14.0,
            20.0,
            400,
            "sm 14/20: The quick brown fox jumps over it",
        ),
        (14.0, 20.0, 500, "sm 500: The quick brown fox jumps over it"),
        (14.0, 20.0, 600, "sm 600: The quick brown fox jumps over it"),
        (18.0, 28.0, 600, "lg 18/28: Sheet title"),
        (30.0, 36.0, 600, "14:32"),
    ] {
        let st = style(size, line, weight);
        s.write(&TextSpec::new(text, &st), 36.0, y, INK);
        y += line + 2.0;
    }
    let st = style(14.0, 20.0, 400);
    for text in [
        "مرحبا بالعالم، 123 hello",
        "שלום עולם",
        "日本語と中文 한국어",
        "Emoji 😀 👩‍👩‍👧 🇦🇹 ❤️ ok",
    ] {
        s.write(&TextSpec::new(text, &st).wrap(Some(380.0)), 36.0, y, INK);
        y += 22.0;
    }
    let long = "A long paragraph that is cut after two lines with an ellipsis at the very end, because there is more of it than fits here.";
    s.write(
        &TextSpec::new(long, &st).wrap(Some(300.0)).lines(Some(2)),
        36.0,
        y,
        MUTED,
    );
    s.write(
        &TextSpec::new("one line cut at its width", &st)
            .wrap(Some(80.0))
            .lines(Some(1)),
        346.0,
        y,
        MUTED,
    );
    y += 44.0;
    let md = "Note: bold, italic, `code` and link, (struck)";
    let at = |t: &str| {
        let i = md.find(t).unwrap_or(0);
        i..i + t.len()
    };
    let spans = [
        Span {
            range: at("Note"),
            weight: Some(600),
            ..Span::default()
        },
        Span {
            range: at("bold"),
            weight: Some(700),
            ..Span::default()
        },
        Span {
            range: at("italic"),
            italic: true,
            ..Span::default()
        },
        Span {
            range: at("code"),
            mono: true,
            size: Some((12.0, 16.0)),
            ..Span::default()
        },
        Span {
            range: at("link"),
            color: Some(INFO),
            decoration: Decoration::Underline,
            ..Span::default()
        },
        Span {
            range: at("struck"),
            decoration: Decoration::LineThrough,
            ..Span::default()
        },
    ];
    s.write(&TextSpec::new(md, &st).spans(&spans), 36.0, y, INK);
    let light = Rect::new(20.0, 360.0, 420.0, 120.0);
    s.fill(light, 12.0, Color::WHITE);
    let mut y = 370.0;
    for w in [400, 500, 600, 700] {
        let st = style(14.0, 20.0, w);
        s.write(
            &TextSpec::new("Dark on light: The quick brown fox", &st),
            36.0,
            y,
            Color::rgb(10, 10, 10),
        );
        y += 22.0;
    }
    for (i, a) in [Align::Left, Align::Center, Align::Right]
        .into_iter()
        .enumerate()
    {
        let st = style(12.0, 16.0, 400);
        s.write(
            &TextSpec::new("aligned\nin its box", &st)
                .wrap(Some(100.0))
                .align(a),
            300.0,
            366.0 + 36.0 * i as f32,
            Color::rgb(90, 90, 90),
        );
    }
}

fn shapes(s: &mut Sheet) {
    s.card(Rect::new(460.0, 20.0, 420.0, 330.0));
    let mut x = 476.0;
    for name in [
        "ui-close",
        "nav-inbox",
        "ui-back",
        "wifi-off",
        "settings",
        "progress-2-5",
        "status-in-review",
        "trash-2",
        "nope",
        "ui-send",
    ] {
        let rtl = name == "ui-send";
        s.ops
            .extend(icons::ops(name, Rect::new(x, 36.0, 16.0, 16.0), INK, false));
        s.ops
            .extend(icons::ops(name, Rect::new(x, 60.0, 20.0, 20.0), INFO, rtl));
        x += 36.0;
    }
    for (i, st) in [BorderStyle::Solid, BorderStyle::Dashed, BorderStyle::Dotted]
        .into_iter()
        .enumerate()
    {
        for (j, w) in [1.0, 2.0, 4.0].into_iter().enumerate() {
            s.ops.push(Op::Border {
                rect: Rect::new(476.0 + 66.0 * i as f32, 92.0 + 46.0 * j as f32, 58.0, 38.0),
                radii: Radii([8.0, 14.0, 0.0, 8.0]),
                widths: [w; 4],
                color: MUTED,
                style: st,
            });
        }
    }
    s.ops.push(Op::Border {
        rect: Rect::new(680.0, 92.0, 80.0, 38.0),
        radii: Radii::all(10.0),
        widths: [1.0, 4.0, 8.0, 2.0],
        color: INFO,
        style: BorderStyle::Solid,
    });
    s.ops.push(Op::Border {
        rect: Rect::new(680.0, 140.0, 80.0, 38.0),
        radii: Radii::NONE,
        widths: [0.0, 0.0, 1.0, 3.0],
        color: INFO,
        style: BorderStyle::Solid,
    });
    s.ops.push(Op::Border {
        rect: Rect::new(680.0, 188.0, 80.0, 38.0),
        radii: Radii::NONE,
        widths: [1.0; 4],
        color: INFO,
        style: BorderStyle::Dashed,
    });
    for i in 0..5 {
        let d = 4.0 + 4.0 * i as f32;
        s.fill(Rect::new(780.0, 92.0 + 28.0 * i as f32, d, d), 99.0, INFO);
        s.fill(
            Rect::new(812.0, 92.0 + 28.0 * i as f32, 48.0, 2.0 + 4.0 * i as f32),
            99.0,
            Color::rgb(34, 197, 94),
        );
    }
    let points = (0..30).map(|i| {
        Point::new(
            476.0 + i as f32 * 6.0,
            270.0 - (i as f32 * 0.7).sin() * 20.0,
        )
    });
    s.ops.push(Op::Path {
        path: Arc::new(Path::polyline(points)),
        brush: INFO.into(),
        stroke: Some(Stroke {
            width: 1.5,
            dash: None,
            round: true,
        }),
    });
    s.ops.push(Op::Path {
        path: Arc::new(Path::slice(
            Point::new(710.0, 280.0),
            28.0,
            20.0,
            -1.57,
            4.2,
        )),
        brush: Brush::Linear(Arc::new(LinearGradient {
            angle: 90.0,
            stops: vec![(0.0, INFO), (1.0, Color::rgb(168, 85, 247))],
        })),
        stroke: None,
    });
    let bitmap = Arc::new(ede_renderer::images::Bitmap::new(
        64,
        64,
        (0..64 * 64)
            .flat_map(|i| {
                let (x, y) = (i % 64, i / 64);
                let on = (x / 8 + y / 8) % 2 == 0;
                [x as u8 * 4, y as u8 * 4, if on { 200 } else { 80 }, 255]
            })
            .collect(),
    ));
    for (i, side) in [24.0, 48.0, 64.0].into_iter().enumerate() {
        s.ops.push(Op::Image {
            bitmap: bitmap.clone(),
            source: Rect::new(0.0, 0.0, 64.0, 64.0),
            rect: Rect::new(750.0 + 50.0 * i as f32 * 0.9, 260.0, side, side),
            radii: Radii::all(8.0),
        });
    }
}

fn groups(s: &mut Sheet) -> Item {
    let st = style(14.0, 20.0, 500);
    s.card(Rect::new(0.0, 0.0, 120.0, 90.0));
    s.write(&TextSpec::new("Grouped", &st), 16.0, 16.0, INK);
    s.fill(Rect::new(60.0, 40.0, 100.0, 80.0), 0.0, INFO);
    let ops = Arc::new(Ops::new(std::mem::take(&mut s.ops)));
    let node = |slot, x: f32, y: f32| Item::Node {
        key: Key { slot, over: false },
        ops: ops.clone(),
        at: Point::new(x, y),
        clip: Rect::EVERYTHING,
    };
    let group = |slot, x: f32, y: f32, opacity, clip, transform: Option<Transform>| Item::Group {
        key: Key { slot, over: true },
        opacity,
        clip,
        transform,
        items: vec![node(slot + 100, x, y)],
    };
    let turn = |x: f32, y: f32, scale, degrees| {
        Some(Transform {
            about: Point::new(x + 60.0, y + 45.0),
            scale,
            degrees,
            offset: Point::ZERO,
        })
    };
    let clip = |x, y| Some((Rect::new(x, y, 120.0, 90.0), Radii::all(24.0)));
    let inner = DisplayList {
        items: vec![node(1, 10.0, 10.0)],
    };
    let all = vec![
        group(2, 470.0, 380.0, 0.5, None, None),
        group(3, 640.0, 380.0, 1.0, clip(640.0, 380.0), None),
        group(
            4,
            770.0,
            380.0,
            0.7,
            clip(770.0, 380.0),
            turn(770.0, 380.0, 1.0, 12.0),
        ),
        group(5, 470.0, 520.0, 1.0, None, turn(470.0, 520.0, 0.5, 0.0)),
        group(6, 600.0, 520.0, 1.0, None, turn(600.0, 520.0, 0.95, 0.0)),
        Item::Nested {
            key: Key {
                slot: 7,
                over: false,
            },
            list: Arc::new(inner),
            at: Point::new(750.0, 510.0),
            clip: Rect::new(750.0, 510.0, 110.0, 90.0),
            radii: Radii::all(20.0),
        },
    ];
    Item::Group {
        key: Key {
            slot: 1,
            over: false,
        },
        opacity: 1.0,
        clip: None,
        transform: None,
        items: all,
    }
}
