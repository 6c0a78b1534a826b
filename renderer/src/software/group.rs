//! Items painted together: at one opacity, through a rounded clip, turned or scaled.
//!
//! Opacity and clips need no layer: the content is painted where it belongs and then mixed with what was there before, which gives
//! the same picture. Only turned or slightly scaled content is painted aside and sampled.

use super::Painter;
use super::canvas::{Canvas, Order, Px, over};

use super::shape::Shape;
use crate::display::{Item, Transform};
use crate::geometry::{Point, Radii, Rect};
use crate::grid::{IRect, Map, Placement, Turn, outer};

pub(super) struct Group<'a> {
    pub opacity: f32,
    pub clip: Option<(Rect, Radii)>,
    pub transform: Option<Transform>,
    pub items: &'a [Item],
}

/// Pixels of content painted aside at most.
const MOST_ASIDE: i64 = 64 << 20;

impl Painter {
    pub(super) fn group(
        &mut self,
        canvas: &mut Canvas<'_>,
        group: &Group<'_>,
        map: &Map,
        depth: u32,
    ) {
        let share = (group.opacity.clamp(0.0, 1.0) * 255.0).round() as u8;
        if share == 0 {
            return;
        }
        let Some(t) = group.transform else {
            self.flat(canvas, group, share, map, depth);
            return;
        };
        match Placement::of(&t, map) {
            Placement::Nowhere => {}
            Placement::At(inner) => self.flat(canvas, group, share, &inner, depth),
            Placement::Turned(turn) => {
                let aside = Aside { t, turn, share };
                self.sampled(canvas, group, &aside, map, depth);
            }
        }
    }

    /// Clip and opacity without a transform.
    fn flat(
        &mut self,
        canvas: &mut Canvas<'_>,
        group: &Group<'_>,
        share: u8,
        map: &Map,
        depth: u32,
    ) {
        let content = group
            .items
            .iter()
            .fold(Rect::ZERO, |b, i| b.union(&i.bounds()));
        let shape = match &group.clip {
            Some((rect, radii)) => self.clip_shape(rect, radii, map),
            None => self
                .corners
                .shape(map.cover(&content).grow(1), &Radii::NONE),
        };
        let items = group.items;
        self.clipped(canvas, &shape, share, |painter, canvas| {
            painter.items(canvas, items, map, depth);
        });
    }

    /// Run `paint` inside `shape`, and of what it paints keep `share` (255 is all).
    pub(super) fn clipped(
        &mut self,
        canvas: &mut Canvas<'_>,
        shape: &Shape,
        share: u8,
        paint: impl FnOnce(&mut Painter, &mut Canvas<'_>),
    ) {
        let before = canvas.narrow(shape.rect);
        if !canvas.clip().is_empty() {
            let boxes: Vec<IRect> = if share < 255 {
                vec![shape.rect]
            } else {
                shape.corner_boxes().collect()
            };
            // Corners of a small box may overlap: each pixel is mixed back once.
            let boxes = disjoint(boxes, shape.rect);
            let saved: Vec<_> = boxes.into_iter().map(|b| canvas.save(b)).collect();
            paint(self, canvas);
            for s in &saved {
                canvas.mix_back(s, |x, y| super::canvas::mul255(shape.cover(x, y), share));
            }
        }
        canvas.set_clip(before);
    }

    /// Paint the content aside at its natural size and sample it through the transform.
    fn sampled(
        &mut self,
        canvas: &mut Canvas<'_>,
        group: &Group<'_>,
        aside: &Aside,
        map: &Map,
        depth: u32,
    ) {
        let Aside { t, turn, share } = aside;
        let mut content = group
            .items
            .iter()
            .fold(Rect::ZERO, |b, i| b.union(&i.bounds()));
        if let Some((rect, _)) = &group.clip {
            content = content.intersect(rect);
        }
        let seen = map.cover(&t.bounds(&content)).intersect(&canvas.clip());
        if seen.is_empty() {
            return;
        }
        // What of the content can be seen, in the pixels it is painted with.
        let natural = Map {
            scale: turn.scale,
            dx: 0.0,
            dy: 0.0,
        };
        let area = outer(&turn.back_bounds(&seen))
            .grow(2)
            .intersect(&natural.cover(&content).grow(1));
        if area.is_empty() || i64::from(area.w) * i64::from(area.h) > MOST_ASIDE {
            return;
        }
        let mut pixels = vec![0_u8; area.w as usize * area.h as usize * 4];
        {
            let stride = area.w as usize * 4;
            let mut canvas = Canvas::new(&mut pixels, area, stride, Order::Rgba);
            self.flat(&mut canvas, group, *share, &natural, depth);
        }
        let content = Content {
            pixels: pixels.as_chunks::<4>().0,
            area,
        };
        let order = canvas.order();
        for y in seen.y..seen.bottom() {
            for (x, d) in (seen.x..).zip(canvas.row(y, seen.x, seen.right())) {
                let p = content.at(turn.back(x as f32 + 0.5, y as f32 + 0.5));
                if p[3] > 0 {
                    over(
                        d,
                        match order {
                            Order::Rgba => p,
                            Order::Bgra => [p[2], p[1], p[0], p[3]],
                        },
                    );
                }
            }
        }
    }
}

/// Cut overlapping boxes apart inside `within`.
fn disjoint(boxes: Vec<IRect>, within: IRect) -> Vec<IRect> {
    let overlap = boxes
        .iter()
        .enumerate()
        .any(|(i, a)| boxes[i + 1..].iter().any(|b| !a.intersect(b).is_empty()));
    if overlap { vec![within] } else { boxes }
}

/// How content is painted aside.
struct Aside {
    t: Transform,
    turn: Turn,
    share: u8,
}

/// Content painted aside; transparent all around.
struct Content<'a> {
    pixels: &'a [Px],
    area: IRect,
}

impl Content<'_> {
    fn texel(&self, x: i32, y: i32) -> [f32; 4] {
        let (x, y) = (x - self.area.x, y - self.area.y);
        if x < 0 || y < 0 || x >= self.area.w || y >= self.area.h {
            return [0.0; 4];
        }
        self.pixels
            .get((y * self.area.w + x) as usize)
            .map_or([0.0; 4], |p| p.map(f32::from))
    }

    /// The colour between the four pixels around `p`.
    fn at(&self, p: Point) -> Px {
        let (u, v) = (
            (p.x - 0.5).clamp(-1.0e8, 1.0e8),
            (p.y - 0.5).clamp(-1.0e8, 1.0e8),
        );
        let (x, y) = (u.floor(), v.floor());
        let (fx, fy) = (u - x, v - y);
        let (x, y) = (x as i32, y as i32);
        let rows = [y, y + 1].map(|y| {
            let (a, b) = (self.texel(x, y), self.texel(x + 1, y));
            std::array::from_fn::<f32, 4, _>(|c| a[c] + (b[c] - a[c]) * fx)
        });
        std::array::from_fn(|c| (rows[0][c] + (rows[1][c] - rows[0][c]) * fy).round() as u8)
    }
}
