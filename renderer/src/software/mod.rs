//! The software backend: a display list onto premultiplied pixels in memory (a `wl_shm` buffer, a picture for a file).
//!
//! Only the given clip rectangles are repainted, and a partial repaint leaves the same bytes as a full one: everything an op does to
//! a pixel depends on the op and the pixel alone. Box edges snap to the physical grid, so hairlines are crisp at every scale. Plain
//! shapes are spans of our own; tiny-skia turns paths into coverage, swash turns glyphs into coverage. Nothing is drawn outside the
//! bounds an op declares, whatever it holds.

mod border;
mod canvas;
mod glyphs;
mod gradient;
mod group;
mod path;
mod picture;
mod shadow;
mod shape;
mod text;
mod tone;

pub use crate::grid::IRect;
pub use canvas::Order;

use canvas::{Canvas, Ink};
use glyphs::Glyphs;
use gradient::Gradient;
use picture::Pictures;
use shadow::Shadows;
use shape::{Corners, Shape};
use tiny_skia::FillRule;

use crate::color::Color;
use crate::display::{Brush, DisplayList, Item, Op, Ops};
use crate::geometry::{Radii, Rect};
use crate::grid::Map;

/// Where to paint: premultiplied 8-bit pixels, rows `stride` bytes apart.
pub struct Target<'a> {
    pub pixels: &'a mut [u8],
    pub width: u32,
    pub height: u32,
    pub stride: usize,
    pub order: Order,
}

/// Lists within lists deeper than this are not painted.
const MOST_DEPTH: u32 = 64;

/// Paints display lists. One a thread, for all its surfaces: it keeps glyphs, corners, shadows and scaled pictures between frames,
/// each in bounded memory.
#[derive(Default)]
pub struct Painter {
    glyphs: Glyphs,
    corners: Corners,
    shadows: Shadows,
    pictures: Pictures,
}

impl Painter {
    pub fn new() -> Painter {
        Painter::default()
    }

    /// Repaint exactly `clips` (physical pixels; they may overlap) of `target` with `list` at `scale`, over `clear`. A scale that is
    /// no positive number paints nothing.
    pub fn paint(
        &mut self,
        list: &DisplayList,
        target: Target<'_>,
        scale: f32,
        clear: Color,
        clips: &[IRect],
    ) {
        if !(scale > 0.0 && scale.is_finite()) {
            return;
        }
        let side = |v: u32| i32::try_from(v).unwrap_or(i32::MAX).min(1 << 20);
        let area = IRect::new(0, 0, side(target.width), side(target.height));
        let mut canvas = Canvas::new(target.pixels, area, target.stride, target.order);
        let map = Map {
            scale,
            dx: 0.0,
            dy: 0.0,
        };
        for clip in clips {
            canvas.set_clip(*clip);
            if canvas.clip().is_empty() {
                continue;
            }
            let px = canvas.px(clear);
            canvas.clear(px);
            self.items(&mut canvas, &list.items, &map, MOST_DEPTH);
        }
    }

    /// One op alone on transparent ground: its pixels (premultiplied RGBA) and where they lie. `None` when it has no size, or one
    /// no picture should have.
    #[cfg(feature = "wgpu")]
    pub(crate) fn piece(&mut self, op: &Op, map: &Map) -> Option<(Vec<u8>, IRect)> {
        const MOST_PIXELS: i64 = 16 << 20;
        let area = map.cover(&op.bounds()).grow(1);
        if op.bounds().is_empty() || i64::from(area.w) * i64::from(area.h) > MOST_PIXELS {
            return None;
        }
        let stride = area.w as usize * 4;
        let mut pixels = vec![0; stride * area.h as usize];
        let mut canvas = Canvas::new(&mut pixels, area, stride, Order::Rgba);
        self.op(&mut canvas, op, map);
        Some((pixels, area))
    }

    fn items(&mut self, canvas: &mut Canvas<'_>, items: &[Item], map: &Map, depth: u32) {
        if depth == 0 {
            return;
        }
        for item in items {
            match item {
                Item::Node { ops, at, clip, .. } => {
                    let before = canvas.narrow(map.snap(clip));
                    self.ops(canvas, ops, &map.moved(*at));
                    canvas.set_clip(before);
                }
                Item::Group {
                    opacity,
                    clip,
                    transform,
                    items,
                    ..
                } => {
                    if map
                        .cover(&item.bounds())
                        .intersect(&canvas.clip())
                        .is_empty()
                    {
                        continue;
                    }
                    let group = group::Group {
                        opacity: *opacity,
                        clip: *clip,
                        transform: *transform,
                        items,
                    };
                    self.group(canvas, &group, map, depth - 1);
                }
                Item::Nested {
                    list,
                    at,
                    clip,
                    radii,
                    ..
                } => {
                    let shape = self.clip_shape(clip, radii, map);
                    let inner = map.moved(*at);
                    self.clipped(canvas, &shape, 255, |painter, canvas| {
                        painter.items(canvas, &list.items, &inner, depth - 1);
                    });
                }
            }
        }
    }

    /// A rounded clip in physical pixels.
    fn clip_shape(&mut self, rect: &Rect, radii: &Radii, map: &Map) -> Shape {
        let radii = Radii(radii.0.map(|r| r * map.scale));
        self.corners.shape(map.snap(rect), &radii)
    }

    fn ops(&mut self, canvas: &mut Canvas<'_>, ops: &Ops, map: &Map) {
        if map
            .cover(&ops.bounds)
            .grow(1)
            .intersect(&canvas.clip())
            .is_empty()
        {
            return;
        }
        for op in &ops.list {
            // Snapping may move an edge to the next pixel; nothing may go further than that.
            let before = canvas.narrow(map.cover(&op.bounds()).grow(1));
            if !canvas.clip().is_empty() {
                self.op(canvas, op, map);
            }
            canvas.set_clip(before);
        }
    }

    fn op(&mut self, canvas: &mut Canvas<'_>, op: &Op, map: &Map) {
        match op {
            Op::Fill { rect, radii, brush } => {
                let shape = self.clip_shape(rect, radii, map);
                if !shape.rect.is_empty() {
                    let at = shape.rect;
                    with_ink(canvas, brush, at, |canvas, ink| shape.fill(canvas, ink));
                }
            }
            Op::Border {
                rect,
                radii,
                widths,
                color,
                style,
            } => border::paint(
                canvas,
                &mut self.corners,
                &border::Border {
                    rect,
                    radii,
                    widths,
                    color: *color,
                    style: *style,
                },
                map,
            ),
            Op::Shadow {
                rect,
                radii,
                blur,
                color,
                hole,
            } => {
                let at = map.snap(rect);
                if at.is_empty() || color.is_invisible() {
                    return;
                }
                let hole = self.clip_shape(&hole.0, &hole.1, map);
                let shadow = shadow::Shadow {
                    rect: at,
                    radii: Radii(radii.0.map(|r| r * map.scale)),
                    blur: blur * map.scale,
                    px: canvas.px(*color),
                };
                self.shadows
                    .paint(canvas, &mut self.corners, &shadow, &hole);
            }
            Op::Path {
                path,
                brush,
                stroke,
            } => {
                let at = map.cover(&path.bounds());
                let Some(built) = path::build(path, map) else {
                    return;
                };
                let drawn = match stroke {
                    Some(s) => path::outline(&built, s, map.scale),
                    None => Some(built),
                };
                if let Some(drawn) = drawn {
                    with_ink(canvas, brush, at, |canvas, ink| {
                        path::fill(canvas, &drawn, FillRule::Winding, ink);
                    });
                }
            }
            Op::Text {
                block,
                origin,
                color,
                clip,
            } => {
                let before = canvas.clip();
                if let Some(clip) = clip {
                    canvas.narrow(map.snap(clip));
                }
                text::paint_block(canvas, &mut self.glyphs, block, *origin, *color, map);
                canvas.set_clip(before);
            }
            Op::Icon {
                glyph,
                rect,
                color,
                mirrored,
            } => text::paint_icon(
                canvas,
                &mut self.glyphs,
                &text::Icon {
                    glyph: *glyph,
                    rect,
                    color: *color,
                    mirrored: *mirrored,
                },
                map,
            ),
            Op::Image {
                bitmap,
                source,
                rect,
                radii,
            } => {
                let shape = self.clip_shape(rect, radii, map);
                self.pictures.paint(canvas, bitmap, source, &shape);
            }
        }
    }
}

/// Run `paint` with what `brush` is on this canvas; a gradient spans `at`.
fn with_ink(
    canvas: &mut Canvas<'_>,
    brush: &Brush,
    at: IRect,
    paint: impl FnOnce(&mut Canvas<'_>, Ink<'_>),
) {
    match brush {
        Brush::Solid(c) => {
            let px = canvas.px(*c);
            paint(canvas, Ink::Solid(px));
        }
        Brush::Linear(spec) => {
            let gradient = Gradient::new(spec, at, canvas);
            paint(canvas, Ink::Gradient(&gradient));
        }
    }
}
