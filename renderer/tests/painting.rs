//! What the software painter promises: partial repaints are exact, damage is enough, and no list can make it fail.

#![allow(clippy::unwrap_used, clippy::expect_used)]

mod support;

use std::sync::Arc;

use ede_renderer::color::Color;
use ede_renderer::damage;
use ede_renderer::display::*;
use ede_renderer::geometry::{Point, Radii, Rect};
use ede_renderer::images::Bitmap;
use ede_renderer::software::{IRect, Order, Painter, Target};
use ede_renderer::text::TextBlock;
use proptest::prelude::*;
use support::*;

const SIDE: (f32, f32) = (120.0, 90.0);

fn any_rect() -> impl Strategy<Value = Rect> {
    (-10.0f32..110.0, -10.0f32..80.0, 0.0f32..70.0, 0.0f32..50.0)
        .prop_map(|(x, y, w, h)| Rect::new(x, y, w, h))
}

fn any_color() -> impl Strategy<Value = Color> {
    (any::<[u8; 3]>(), prop_oneof![Just(255u8), 1..255u8])
        .prop_map(|([r, g, b], a)| Color::rgba(r, g, b, a))
}

fn any_radii() -> impl Strategy<Value = Radii> {
    prop_oneof![
        Just(Radii::NONE),
        (0.0f32..30.0).prop_map(Radii::all),
        any::<[u8; 4]>().prop_map(|r| Radii(r.map(|v| f32::from(v) / 12.0))),
    ]
}

fn any_brush() -> impl Strategy<Value = Brush> {
    prop_oneof![
        any_color().prop_map(Brush::Solid),
        (any_color(), any_color(), 0.0f32..360.0).prop_map(|(a, b, angle)| {
            Brush::Linear(Arc::new(LinearGradient {
                angle,
                stops: vec![(0.0, a), (0.7, b)],
            }))
        }),
    ]
}

fn any_op() -> impl Strategy<Value = Op> {
    let texts: Vec<Arc<TextBlock>> = vec![
        shape("Hamburg", 14.0, 400),
        shape("quilt & Åj", 18.0, 600),
        shape("two\nlines", 11.0, 500),
    ];
    let noise = |i: u32| if i % 4 == 3 { 255 } else { (i * 7) as u8 };
    let picture = Arc::new(Bitmap::new(16, 16, (0..1024).map(noise).collect()));
    let style = prop_oneof![
        Just(BorderStyle::Solid),
        Just(BorderStyle::Dashed),
        Just(BorderStyle::Dotted)
    ];
    prop_oneof![
        3 => (any_rect(), any_radii(), any_brush())
            .prop_map(|(rect, radii, brush)| Op::Fill { rect, radii, brush }),
        2 => (any_rect(), any_radii(), any::<[bool; 4]>(), 0.3f32..6.0, any_color(), style).prop_map(
            |(rect, radii, sides, w, color, style)| Op::Border {
                rect,
                radii,
                widths: sides.map(|s| if s { w } else { 1.0 }),
                color,
                style,
            }
        ),
        2 => (any_rect(), any_radii(), 0.0f32..20.0, any_color()).prop_map(
            |(rect, radii, blur, color)| Op::Shadow {
                rect,
                radii,
                blur,
                color,
                hole: (rect.translate(Point::new(0.0, -3.0)), radii),
            }
        ),
        2 => (any_rect(), any_color(), 0..3usize, proptest::option::of(any_rect())).prop_map(
            move |(r, color, i, clip)| Op::Text {
                block: texts[i].clone(),
                origin: r.origin(),
                color,
                clip,
            }
        ),
        1 => (any_rect(), any_color(), any::<bool>()).prop_map(|(r, color, mirrored)| Op::Icon {
            glyph: '\u{e154}',
            rect: Rect::new(r.x, r.y, 16.0, 16.0),
            color,
            mirrored,
        }),
        1 => (any_rect(), any_radii()).prop_map(move |(rect, radii)| Op::Image {
            bitmap: picture.clone(),
            source: Rect::new(0.0, 0.0, 16.0, 16.0),
            rect,
            radii,
        }),
        1 => (any_rect(), any_brush(), proptest::option::of(0.3f32..5.0)).prop_map(
            |(r, brush, width)| Op::Path {
                path: Arc::new(Path::slice(r.center(), r.w.max(1.0), 4.0, 1.0, 4.0)),
                brush,
                stroke: width.map(|width| Stroke { width, dash: None, round: true }),
            }
        ),
    ]
}

fn any_item(slot: u32, depth: u32) -> BoxedStrategy<Item> {
    let key = Key { slot, over: false };
    let at = (-20.0f32..40.0, -20.0f32..30.0).prop_map(|(x, y)| Point::new(x, y));
    let clip = prop_oneof![2 => Just(Rect::EVERYTHING), 1 => any_rect()];
    let leaf = (
        proptest::collection::vec(any_op(), 1..4),
        at.clone(),
        clip.clone(),
    )
        .prop_map(move |(ops, at, clip)| Item::Node {
            key,
            ops: Arc::new(Ops::new(ops)),
            at,
            clip,
        });
    if depth == 0 {
        return leaf.boxed();
    }
    let inner = any_items(3, depth - 1);
    let degrees = prop_oneof![Just(0.0f32), 0.0f32..360.0];
    let turn = (0.3f32..1.4, degrees).prop_map(|(scale, degrees)| Transform {
        about: Point::new(50.0, 40.0),
        scale,
        degrees,
        offset: Point::new(3.3, -2.0),
    });
    let opacity = prop_oneof![Just(1.0f32), 0.0f32..1.0];
    let round = proptest::option::of((any_rect(), any_radii()));
    let group = (opacity, round, proptest::option::of(turn), inner.clone()).prop_map(
        move |(opacity, clip, transform, items)| Item::Group {
            key,
            opacity,
            clip,
            transform,
            items,
        },
    );
    let nested =
        (inner, at, clip, any_radii()).prop_map(move |(items, at, clip, radii)| Item::Nested {
            key,
            list: Arc::new(DisplayList { items }),
            at,
            clip,
            radii,
        });
    prop_oneof![3 => leaf, 1 => group, 1 => nested].boxed()
}

fn any_items(n: u32, depth: u32) -> BoxedStrategy<Vec<Item>> {
    (0..n)
        .map(|slot| any_item(slot, depth))
        .collect::<Vec<_>>()
        .boxed()
}

/// How an item goes from one list to the next.
#[derive(Clone, Copy, Debug)]
enum Step {
    Keep,
    Drop,
    Move,
    Replace,
    Enter,
}

fn step(item: &Item, other: &Item, step: Step, by: Point) -> Option<Item> {
    let mut item = item.clone();
    match step {
        Step::Keep => {}
        Step::Drop => return None,
        Step::Replace => return Some(other.clone()),
        Step::Move => match &mut item {
            Item::Node { at, .. } | Item::Nested { at, .. } => *at = *at + by,
            Item::Group { opacity, .. } => *opacity *= 0.5,
        },
        Step::Enter => match &mut item {
            Item::Node { ops, .. } => {
                let mut changed = ops.list.clone();
                if let Item::Node { ops, .. } = other {
                    changed[0] = ops.list[0].clone();
                }
                *ops = Arc::new(Ops::new(changed));
            }
            Item::Group { items, .. } => {
                items.pop();
            }
            Item::Nested { list, .. } => {
                let mut inner = list.items.clone();
                inner.rotate_left(1);
                *list = Arc::new(DisplayList { items: inner });
            }
        },
    }
    Some(item)
}

fn any_step() -> impl Strategy<Value = Step> {
    prop_oneof![
        4 => Just(Step::Keep),
        1 => Just(Step::Drop),
        1 => Just(Step::Move),
        1 => Just(Step::Replace),
        2 => Just(Step::Enter),
    ]
}

fn two_lists() -> impl Strategy<Value = (DisplayList, DisplayList)> {
    let by = (-9.0f32..9.0, -9.0f32..9.0).prop_map(|(x, y)| Point::new(x, y));
    let steps = proptest::collection::vec(any_step(), 5);
    let swap = proptest::option::of((0..5usize, 0..5usize));
    (any_items(5, 2), any_items(5, 1), steps, by, swap).prop_map(|(a, spare, steps, by, swap)| {
        let mut b: Vec<Item> = a
            .iter()
            .zip(&spare)
            .zip(steps)
            .filter_map(|((item, other), s)| step(item, other, s, by))
            .collect();
        if let Some((i, j)) = swap
            && i < b.len()
            && j < b.len()
        {
            b.swap(i, j);
        }
        (list(a), list(b))
    })
}

fn any_scale() -> impl Strategy<Value = f32> {
    prop_oneof![Just(1.0f32), Just(1.25), Just(1.5), Just(2.0)]
}

fn device(scale: f32) -> (u32, u32) {
    ((SIDE.0 * scale) as u32, (SIDE.1 * scale) as u32)
}

fn first_difference(a: &[u8], b: &[u8], w: u32) -> Option<(u32, u32)> {
    let i = a.iter().zip(b).position(|(a, b)| a != b)? as u32 / 4;
    Some((i % w, i / w))
}

proptest! {
    #![proptest_config(ProptestConfig { cases: ProptestConfig::default().cases / 3, max_shrink_iters: 3000, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn painting_in_parts_gives_the_same_bytes(
        items in any_items(5, 2),
        scale in any_scale(),
        cuts in (0.1f32..0.9, 0.1f32..0.9),
    ) {
        let (w, h) = device(scale);
        let list = list(items);
        let whole = paint(&list, (w, h), scale);
        let (x, y) = ((w as f32 * cuts.0) as i32, (h as f32 * cuts.1) as i32);
        let (right, below) = (w as i32 - x, h as i32 - y);
        let parts = [
            IRect::new(0, 0, x, y),
            IRect::new(x, 0, right, y),
            IRect::new(0, y, x, below),
            IRect::new(x, y, right, below),
        ];
        let mut pixels = vec![77; whole.len()];
        paint_on(&mut Painter::new(), &list, &mut pixels, (w, h), scale, &parts);
        prop_assert_eq!(first_difference(&whole, &pixels, w), None);
    }

    #[test]
    fn repainting_the_damage_gives_the_new_picture((a, b) in two_lists(), scale in any_scale()) {
        let (w, h) = device(scale);
        let clips = damage::physical(&damage::diff(&a, &b), scale, w, h);
        prop_assert!(clips.len() <= damage::MOST_RECTS);
        let mut pixels = paint(&a, (w, h), scale);
        paint_on(&mut Painter::new(), &b, &mut pixels, (w, h), scale, &clips);
        let fresh = paint(&b, (w, h), scale);
        prop_assert_eq!(first_difference(&pixels, &fresh, w), None);
    }

    #[test]
    fn a_text_that_changed_in_its_place_is_repainted_where_it_did(
        (head, tail) in ("[0-9:]{0,9}", "[0-9W,]{0,9}"),
        middles in ("[0-9jÅfgשל\u{301}\n]{0,6}", "[0-9jÅש\n]{0,4}"),
        at in (0.0f32..30.0, 0.0f32..30.0),
        scale in any_scale(),
    ) {
        let (w, h) = device(scale);
        let of = |text: &str| {
            let (block, origin) = (shape(text, 14.0, 500), Point::new(at.0, at.1));
            list(vec![node(1, vec![Op::Text { block, origin, color: INK, clip: None }], Point::ZERO)])
        };
        let [a, b] = [middles.0, middles.1].map(|m| of(&format!("{head}{m}{tail}")));
        let clips = damage::physical(&damage::diff(&a, &b), scale, w, h);
        let mut pixels = paint(&a, (w, h), scale);
        paint_on(&mut Painter::new(), &b, &mut pixels, (w, h), scale, &clips);
        prop_assert_eq!(first_difference(&pixels, &paint(&b, (w, h), scale), w), None);
    }
}

#[test]
fn equal_lists_have_no_damage() {
    let ops = vec![fill(Rect::new(0.0, 0.0, 9.0, 9.0), 2.0, INK)];
    let a = list(vec![node(1, ops, Point::ZERO)]);
    assert_eq!(damage::diff(&a, &a.clone()), []);
}

#[test]
fn one_changed_digit_deep_inside_damages_its_text_only() {
    let clock = |text: &str| {
        let ops = vec![
            fill(Rect::new(0.0, 0.0, 300.0, 40.0), 12.0, INFO),
            Op::Text {
                block: shape(text, 14.0, 600),
                origin: Point::new(120.0, 10.0),
                color: INK,
                clip: None,
            },
        ];
        let widget = list(vec![node(4, ops, Point::new(0.0, 2.0))]);
        let ground = vec![fill(Rect::new(0.0, 0.0, 800.0, 48.0), 0.0, INK)];
        list(vec![
            node(1, ground, Point::ZERO),
            Item::Nested {
                key: Key {
                    slot: 2,
                    over: false,
                },
                list: Arc::new(widget),
                at: Point::new(200.0, 4.0),
                clip: Rect::new(200.0, 4.0, 300.0, 44.0),
                radii: Radii::all(8.0),
            },
        ])
    };
    let damage = damage::diff(&clock("14:32"), &clock("14:33"));
    let [one] = damage[..] else {
        panic!("{damage:?}");
    };
    assert!(one.x > 340.0 && one.w < 20.0 && one.h < 24.0, "{one:?}");
}

#[test]
fn a_buffer_in_wayland_order_is_the_same_picture() {
    let gradient = LinearGradient {
        angle: 30.0,
        stops: vec![(0.0, INFO), (1.0, Color::rgba(200, 90, 10, 120))],
    };
    let ops = vec![
        Op::Fill {
            rect: Rect::new(0.0, 0.0, 60.0, 40.0),
            radii: Radii::all(9.0),
            brush: Brush::Linear(Arc::new(gradient)),
        },
        Op::Image {
            bitmap: Arc::new(Bitmap::new(1, 1, vec![200, 10, 30, 255])),
            source: Rect::new(0.0, 0.0, 1.0, 1.0),
            rect: Rect::new(30.0, 5.0, 20.0, 20.0),
            radii: Radii::all(4.0),
        },
    ];
    let l = list(vec![node(1, ops, Point::ZERO)]);
    let rgba = paint(&l, (64, 48), 1.0);
    let (stride, all) = (64 * 4 + 32, IRect::new(0, 0, 64, 48));
    let mut bgra = vec![9; stride * 48];
    let target = Target {
        pixels: &mut bgra,
        width: 64,
        height: 48,
        stride,
        order: Order::Bgra,
    };
    Painter::new().paint(&l, target, 1.0, Color::rgba(12, 14, 18, 200), &[all]);
    for y in 0..48 {
        let row = &bgra[y * stride..][..stride];
        for x in 0..64 {
            let (a, b) = (&rgba[(y * 64 + x) * 4..][..4], &row[x * 4..][..4]);
            assert_eq!(
                [a[0], a[1], a[2], a[3]],
                [b[2], b[1], b[0], b[3]],
                "{x} {y}"
            );
        }
        assert!(row[64 * 4..].iter().all(|b| *b == 9), "past the row's end");
    }
}

#[test]
fn a_gradient_over_a_large_area_has_no_bands() {
    let gradient = LinearGradient {
        angle: 90.0,
        stops: vec![(0.0, Color::rgb(20, 20, 20)), (1.0, Color::rgb(30, 30, 30))],
    };
    let ops = vec![Op::Fill {
        rect: Rect::new(0.0, 0.0, 400.0, 64.0),
        radii: Radii::NONE,
        brush: Brush::Linear(Arc::new(gradient)),
    }];
    let pixels = paint(&list(vec![node(1, ops, Point::ZERO)]), (400, 64), 1.0);
    // Forty pixels a step: without dither most blocks of 8 would hold one value only.
    let mixed = (0..50)
        .filter(|block| {
            let value = |i: usize| pixels[(i / 8 * 400 + block * 8 + i % 8) * 4];
            (0..64).any(|i| value(i) != value(0))
        })
        .count();
    assert_eq!(mixed, 50);
}

#[test]
fn nothing_in_an_op_makes_the_painter_fail() {
    let odd = [f32::NAN, f32::INFINITY, -1.0e30, 1.0e30, 0.0, -5.0, 1.0e-9];
    let mut ops = Vec::new();
    for a in odd {
        for b in odd {
            let rect = Rect::new(a, b, b, a);
            let radii = Radii([a, b, 3.0, a]);
            ops.push(fill(rect, a, INK));
            ops.push(Op::Border {
                rect,
                radii,
                widths: [a, b, 1.0, 2.0],
                color: INK,
                style: BorderStyle::Dashed,
            });
            ops.push(Op::Shadow {
                rect,
                radii,
                blur: a,
                color: INK,
                hole: (rect, radii),
            });
            ops.push(Op::Path {
                path: Arc::new(Path::arc(Point::new(a, b), b, a, b.clamp(-9.0, 9.0))),
                brush: INK.into(),
                stroke: Some(Stroke {
                    width: a,
                    dash: Some([b, a]),
                    round: true,
                }),
            });
            ops.push(Op::Text {
                block: shape("x", 14.0, 400),
                origin: Point::new(a, b),
                color: INK,
                clip: Some(rect),
            });
            ops.push(Op::Icon {
                glyph: '\u{e154}',
                rect,
                color: INK,
                mirrored: true,
            });
            ops.push(Op::Image {
                bitmap: Arc::new(Bitmap::new(2, 2, vec![9; 16])),
                source: rect,
                rect: Rect::new(0.0, 0.0, 10.0, 10.0),
                radii,
            });
        }
    }
    let nodes: Vec<Item> = ops
        .into_iter()
        .enumerate()
        .map(|(i, op)| node(i as u32, vec![op], Point::ZERO))
        .collect();
    let mut all = nodes.clone();
    all.extend(odd.iter().map(|v| Item::Group {
        key: Key {
            slot: 9,
            over: true,
        },
        opacity: *v,
        clip: None,
        transform: Some(Transform {
            about: Point::ZERO,
            scale: *v,
            degrees: *v,
            offset: Point::new(*v, 0.0),
        }),
        items: nodes.clone(),
    }));
    let all = list(all);
    for scale in [1.5, f32::NAN, 0.0, -1.0] {
        paint(&all, (60, 40), scale);
    }
    damage::diff(&all, &list(nodes));
}
