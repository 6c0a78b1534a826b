//! A list's items to iced's calls. iced draws a layer's boxes first, then primitives, pictures and texts: a new layer is opened
//! only where an op would otherwise come to lie under something drawn before it.

use std::sync::Arc;

use iced_core::image::{FilterMethod, Image};
use iced_core::renderer::Quad;
use iced_core::{Background, Border, Point as IcedPoint, Rectangle, Renderer as _, Transformation};
use iced_core::{border, image::Renderer as _};
use iced_graphics::text::{Raw, Renderer as _};
use iced_wgpu::Renderer;
use iced_wgpu::primitive::Renderer as _;

use super::shape::{Layer, Shape};
use super::{Gpu, iced_color, pieces, rectangle, viewport};
use crate::color::Color;
use crate::display::{Brush, Item, Op, Ops, Transform};
use crate::geometry::{Point, Radii, Rect, Size};
use crate::grid::{IRect, Map, Placement, Turn, border_width, outer};
use crate::text::TextBlock;

/// Lists within lists deeper than this are not drawn.
const MOST_DEPTH: u32 = 64;

/// iced's order within a layer.
#[derive(Clone, Copy, PartialEq, PartialOrd)]
enum Class {
    Quad,
    Primitive,
    Picture,
    Text,
}

/// Record `items` on `target`, which shows `area`.
pub(super) fn record(gpu: &mut Gpu, target: &mut Renderer, items: &[Item], map: &Map, area: IRect) {
    target.reset(rectangle(&area));
    let mut frame = Frame {
        gpu,
        target,
        clip: area,
        layer: None,
        drawn: Vec::new(),
    };
    frame.items(items, map, MOST_DEPTH);
    frame.close();
}

struct Frame<'a> {
    gpu: &'a mut Gpu,
    target: &'a mut Renderer,
    clip: IRect,
    /// The clip of the layer that is open.
    layer: Option<IRect>,
    /// What the open layer holds.
    drawn: Vec<(Class, IRect)>,
}

impl Frame<'_> {
    fn close(&mut self) {
        if self.layer.take().is_some() {
            self.target.end_layer();
        }
        self.drawn.clear();
    }

    /// Make sure that something of `class` on `area` comes above all that was drawn before. False when it cannot be seen.
    fn order(&mut self, class: Class, area: IRect) -> bool {
        let area = area.intersect(&self.clip);
        if area.is_empty() {
            return false;
        }
        let hidden = self
            .drawn
            .iter()
            .any(|(c, r)| *c > class && !r.intersect(&area).is_empty());
        if hidden || self.layer != Some(self.clip) {
            self.close();
            self.target.start_layer(rectangle(&self.clip));
            self.layer = Some(self.clip);
        }
        self.drawn.push((class, area));
        true
    }

    fn narrow(&mut self, to: IRect) -> IRect {
        let narrowed = self.clip.intersect(&to);
        std::mem::replace(&mut self.clip, narrowed)
    }

    fn items(&mut self, items: &[Item], map: &Map, depth: u32) {
        if depth == 0 {
            return;
        }
        for item in items {
            match item {
                Item::Node { ops, at, clip, .. } => {
                    let before = self.narrow(map.snap(clip));
                    self.ops(ops, &map.moved(*at));
                    self.clip = before;
                }
                Item::Group {
                    opacity,
                    clip,
                    transform,
                    items,
                    ..
                } => {
                    let seen = map.cover(&item.bounds()).intersect(&self.clip);
                    if seen.is_empty() || *opacity <= 0.0 {
                        continue;
                    }
                    let group = Group {
                        items,
                        clip: *clip,
                        opacity: opacity.clamp(0.0, 1.0),
                    };
                    self.group(&group, transform.as_ref(), map, depth - 1);
                }
                Item::Nested {
                    list,
                    at,
                    clip,
                    radii,
                    ..
                } => {
                    // The clip is the outer list's, the content the inner one's: shift the clip inwards.
                    let group = Group {
                        items: &list.items,
                        clip: Some((clip.translate(Point::ZERO - *at), *radii)),
                        opacity: 1.0,
                    };
                    self.group(&group, None, &map.moved(*at), depth - 1);
                }
            }
        }
    }

    fn group(&mut self, group: &Group<'_>, transform: Option<&Transform>, map: &Map, depth: u32) {
        match transform.map(|t| (t, Placement::of(t, map))) {
            None => self.flat(group, map, depth),
            Some((_, Placement::Nowhere)) => {}
            Some((_, Placement::At(inner))) => self.flat(group, &inner, depth),
            Some((t, Placement::Turned(turn))) => {
                let natural = Map {
                    scale: turn.scale,
                    dx: 0.0,
                    dy: 0.0,
                };
                let mut content = bounds(group.items);
                if let Some((clip, _)) = &group.clip {
                    content = content.intersect(clip);
                }
                let seen = map.cover(&t.bounds(&content)).intersect(&self.clip);
                let area = outer(&turn.back_bounds(&seen))
                    .grow(2)
                    .intersect(&natural.cover(&content).grow(1));
                self.aside(group, &natural, area, seen, Some(&turn), depth);
            }
        }
    }

    /// A group that is not turned: straight onto the layer where its clip is square and it is opaque.
    fn flat(&mut self, group: &Group<'_>, map: &Map, depth: u32) {
        let clip = group.clip.map(|(rect, _)| map.snap(&rect));
        let round = group.clip.is_some_and(|(rect, radii)| {
            let content = bounds(group.items);
            radii.cuts(&rect, &content)
        });
        let before = self.clip;
        if let Some(clip) = clip {
            self.narrow(clip);
        }
        if !round && group.opacity >= 1.0 {
            self.items(group.items, map, depth);
        } else {
            let seen = map
                .cover(&bounds(group.items))
                .grow(1)
                .intersect(&self.clip);
            self.aside(group, map, seen, seen, None, depth);
        }
        self.clip = before;
    }

    /// Draw the content on a texture of its own (`area` of it, in `map`) and lay that on `seen`.
    fn aside(
        &mut self,
        group: &Group<'_>,
        map: &Map,
        area: IRect,
        seen: IRect,
        turn: Option<&Turn>,
        depth: u32,
    ) {
        const MOST: i32 = 8192;
        if area.is_empty() || seen.is_empty() || area.w > MOST || area.h > MOST {
            return;
        }
        let inner = Map {
            dx: map.dx - area.x as f32,
            dy: map.dy - area.y as f32,
            ..*map
        };
        let whole = IRect::new(0, 0, area.w, area.h);
        let mut renderer = self.gpu.borrow();
        renderer.reset(rectangle(&whole));
        let square = group.clip.map_or(whole, |(rect, _)| inner.snap(&rect));
        {
            let mut content = Frame {
                gpu: &mut *self.gpu,
                target: &mut renderer,
                clip: whole.intersect(&square),
                layer: None,
                drawn: Vec::new(),
            };
            content.items(group.items, &inner, depth);
            content.close();
        }
        let (w, h) = (area.w as u32, area.h as u32);
        let view = self.gpu.texture(w, h);
        renderer.present(
            Some(iced_color(Color::TRANSPARENT)),
            super::FORMAT,
            &view,
            &viewport(w, h),
        );
        self.gpu.give_back(renderer);
        let radii = group.clip.map_or(Radii::NONE, |(_, radii)| {
            let size = Size::new(square.w as f32, square.h as f32);
            Radii(radii.0.map(|r| r * map.scale)).fit(size)
        });
        if self.order(Class::Primitive, seen) {
            let layer = Layer {
                view,
                mask: (square, radii),
                opacity: group.opacity,
                back: back(turn, &area),
            };
            self.target
                .draw_primitive(rectangle(&seen), Shape::layer(layer));
        }
    }

    fn ops(&mut self, ops: &Arc<Ops>, map: &Map) {
        let seen = map.cover(&ops.bounds).grow(1);
        if seen.intersect(&self.clip).is_empty() {
            return;
        }
        for (index, op) in ops.list.iter().enumerate() {
            if pieces::is_piece(op) {
                if let Some((handle, area)) = self.gpu.pieces.piece(ops, index, map) {
                    self.picture(handle, area, None, &Radii::NONE);
                }
            } else {
                self.op(op, map);
            }
        }
    }

    fn op(&mut self, op: &Op, map: &Map) {
        match op {
            Op::Fill { rect, radii, brush } => {
                let at = map.snap(rect);
                let radii = fitted(radii, map.scale, &at);
                match brush {
                    Brush::Solid(c) => self.quad(at, &radii, *c, None),
                    Brush::Linear(spec) => {
                        if self.order(Class::Primitive, at) {
                            self.target
                                .draw_primitive(rectangle(&at), Shape::gradient(at, radii, spec));
                        }
                    }
                }
            }
            Op::Border {
                rect,
                radii,
                widths,
                color,
                ..
            } => {
                let at = map.snap(rect);
                let width = border_width(widths[0], map.scale);
                if width > 0 {
                    let radii = fitted(radii, map.scale, &at);
                    self.quad(at, &radii, Color::TRANSPARENT, Some((width, *color)));
                }
            }
            Op::Shadow {
                rect,
                radii,
                blur,
                color,
                hole,
            } => {
                let at = map.snap(rect);
                let (hole_at, deviation) = (map.snap(&hole.0), blur * map.scale / 2.0);
                let reach = at.grow((deviation * 3.0).ceil() as i32 + 1);
                if !at.is_empty() && self.order(Class::Primitive, reach) {
                    let shape = Shape::shadow(
                        (at, fitted(radii, map.scale, &at)),
                        deviation,
                        *color,
                        (hole_at, fitted(&hole.1, map.scale, &hole_at)),
                    );
                    self.target.draw_primitive(rectangle(&reach), shape);
                }
            }
            Op::Text {
                block,
                origin,
                color,
                clip,
            } => self.text(block, *origin, *color, clip.as_ref(), map),
            Op::Image {
                bitmap,
                source,
                rect,
                radii,
            } => {
                let at = map.snap(rect);
                let radii = fitted(radii, map.scale, &at);
                let handle = self.gpu.pieces.picture(bitmap);
                let whole = Rect::new(0.0, 0.0, bitmap.width as f32, bitmap.height as f32);
                let part = (*source != whole).then_some((source, whole));
                self.picture(handle, at, part, &radii);
            }
            // Pieces.
            Op::Icon { .. } | Op::Path { .. } => {}
        }
    }

    fn quad(&mut self, at: IRect, radii: &Radii, fill: Color, edge: Option<(i32, Color)>) {
        if !self.order(Class::Quad, at) {
            return;
        }
        let (width, color) = edge.unwrap_or((0, Color::TRANSPARENT));
        let quad = Quad {
            bounds: rectangle(&at),
            border: Border {
                color: iced_color(color),
                width: width as f32,
                radius: radius(radii),
            },
            snap: true,
            ..Quad::default()
        };
        self.target
            .fill_quad(quad, Background::Color(iced_color(fill)));
    }

    /// A picture on `at`; with `part`, that part of the whole.
    fn picture(
        &mut self,
        handle: iced_core::image::Handle,
        at: IRect,
        part: Option<(&Rect, Rect)>,
        radii: &Radii,
    ) {
        // iced loads pictures by and by; here they must be there.
        if !self.order(Class::Picture, at) || self.target.load_image(&handle).is_err() {
            return;
        }
        let clip = rectangle(&at);
        let bounds = match part {
            Some((part, whole)) if !part.is_empty() => {
                let (kx, ky) = (clip.width / part.w, clip.height / part.h);
                Rectangle {
                    x: clip.x - part.x * kx,
                    y: clip.y - part.y * ky,
                    width: whole.w * kx,
                    height: whole.h * ky,
                }
            }
            _ => clip,
        };
        let image = Image {
            border_radius: radius(radii),
            filter_method: FilterMethod::Linear,
            snap: true,
            ..Image::new(handle)
        };
        self.target.draw_image(image, bounds, clip);
    }

    /// iced places a line by its own reckoning: each stretch of lines is drawn where ours puts it, cut to its own height.
    fn text(
        &mut self,
        block: &Arc<TextBlock>,
        origin: Point,
        color: Color,
        clip: Option<&Rect>,
        map: &Map,
    ) {
        let before = self.clip;
        if let Some(clip) = clip {
            self.narrow(map.snap(clip));
        }
        let ink = map.cover(&block.ink().translate(origin)).grow(1);
        if self.order(Class::Text, ink) {
            let s = map.scale;
            let at = map.point(origin);
            let tops: Vec<i32> = block
                .buffer()
                .layout_runs()
                .zip(block.lines())
                .map(|(run, line)| {
                    let baseline = (at.y + line.baseline * s).round();
                    (baseline - (run.line_y * s).round()) as i32
                })
                .collect();
            let even = tops.windows(2).all(|w| w[0] == w[1]);
            let mut draw = |top: i32, band: Rectangle| {
                // A hair more, so that rounding down finds the whole pixel.
                let position = IcedPoint::new(at.x / s, (top as f32 + 0.01) / s);
                self.target
                    .with_transformation(Transformation::scale(s), |target| {
                        target.fill_raw(Raw {
                            buffer: Arc::downgrade(block.shared_buffer()),
                            position,
                            color: iced_color(color),
                            clip_bounds: band * (1.0 / s),
                        });
                    });
            };
            if even {
                if let Some(top) = tops.first() {
                    draw(*top, rectangle(&ink));
                }
            } else {
                for (i, (top, line)) in tops.iter().zip(block.lines()).enumerate() {
                    let from = at.y + line.top * s;
                    let to = block
                        .lines()
                        .get(i + 1)
                        .map_or(ink.bottom() as f32, |next| at.y + next.top * s);
                    let band = Rectangle {
                        y: from,
                        height: to - from,
                        ..rectangle(&ink)
                    };
                    draw(*top, band);
                }
            }
        }
        for (rule, own) in block.rules() {
            let color = own.map_or(color, |c| c.fade(f32::from(color.a) / 255.0));
            self.quad(map.snap(&rule.translate(origin)), &Radii::NONE, color, None);
        }
        self.clip = before;
    }
}

struct Group<'a> {
    items: &'a [Item],
    /// In the items' own coordinates.
    clip: Option<(Rect, Radii)>,
    opacity: f32,
}

fn bounds(items: &[Item]) -> Rect {
    items.iter().fold(Rect::ZERO, |b, i| b.union(&i.bounds()))
}

fn fitted(radii: &Radii, scale: f32, at: &IRect) -> Radii {
    Radii(radii.0.map(|r| r * scale)).fit(Size::new(at.w as f32, at.h as f32))
}

fn radius(r: &Radii) -> border::Radius {
    let [top_left, top_right, bottom_right, bottom_left] = r.0;
    border::Radius {
        top_left,
        top_right,
        bottom_right,
        bottom_left,
    }
}

/// From a pixel of the target to a place on the texture: `[a, b, c, d]` and `[x, y]` of `(a·x + b·y + tx, c·x + d·y + ty)`.
fn back(turn: Option<&Turn>, area: &IRect) -> ([f32; 4], [f32; 2]) {
    let (ox, oy) = (area.x as f32, area.y as f32);
    let Some(turn) = turn else {
        return ([1.0, 0.0, 0.0, 1.0], [-ox, -oy]);
    };
    let (zero, right, down) = (
        turn.back(0.0, 0.0),
        turn.back(1.0, 0.0),
        turn.back(0.0, 1.0),
    );
    (
        [
            right.x - zero.x,
            down.x - zero.x,
            right.y - zero.y,
            down.y - zero.y,
        ],
        [zero.x - ox, zero.y - oy],
    )
}
