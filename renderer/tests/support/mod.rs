//! What the painter's tests share: painting into memory, texts, single ops.

#![allow(dead_code)] // Each test uses its part.

pub mod lists;

use std::sync::{Arc, LazyLock, Mutex};

use ede_renderer::color::Color;
use ede_renderer::display::*;
use ede_renderer::geometry::{Point, Radii, Rect};
use ede_renderer::software::{IRect, Order, Painter, Target};
use ede_renderer::text::{Fonts, TextBlock, TextEngine, TextSpec};
use eui_core::measure::TextStyle;

pub const INK: Color = Color::rgb(250, 250, 250);
pub const INFO: Color = Color::rgb(59, 130, 246);

pub fn paint_on(
    painter: &mut Painter,
    list: &DisplayList,
    pixels: &mut [u8],
    (width, height): (u32, u32),
    scale: f32,
    clips: &[IRect],
) {
    let target = Target {
        pixels,
        width,
        height,
        stride: width as usize * 4,
        order: Order::Rgba,
    };
    painter.paint(list, target, scale, Color::rgba(12, 14, 18, 200), clips);
}

pub fn paint(list: &DisplayList, size: (u32, u32), scale: f32) -> Vec<u8> {
    let mut pixels = vec![0; (size.0 * size.1 * 4) as usize];
    let all = IRect::new(0, 0, size.0 as i32, size.1 as i32);
    paint_on(&mut Painter::new(), list, &mut pixels, size, scale, &[all]);
    pixels
}

/// The texts of all lists come from one engine.
pub fn with_engine<T>(use_it: impl FnOnce(&mut TextEngine) -> T) -> T {
    static ENGINE: LazyLock<Mutex<TextEngine>> =
        LazyLock::new(|| Mutex::new(TextEngine::new(Fonts::new())));
    use_it(&mut ENGINE.lock().unwrap())
}

pub fn shape(text: &str, size: f32, weight: u16) -> Arc<TextBlock> {
    let style = TextStyle {
        font_size: size,
        line_height: size * 1.4,
        font_weight: weight,
        ..TextStyle::default()
    };
    with_engine(|engine| engine.shape(&TextSpec::new(text, &style)))
}

pub fn node(slot: u32, ops: Vec<Op>, at: Point) -> Item {
    Item::Node {
        key: Key { slot, over: false },
        ops: Arc::new(Ops::new(ops)),
        at,
        clip: Rect::EVERYTHING,
    }
}

pub fn list(items: Vec<Item>) -> DisplayList {
    DisplayList { items }
}

pub fn fill(rect: Rect, r: f32, color: Color) -> Op {
    Op::Fill {
        rect,
        radii: Radii::all(r),
        brush: color.into(),
    }
}
