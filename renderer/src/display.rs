//! What to paint, as plain data: the display list every backend reads. No iced, tiny-skia or Wayland type may appear here.
//!
//! A list is a sequence of items in paint order. An item holds the ops of one node in that node's own coordinates, shared by `Arc`,
//! so that an unchanged node costs one pointer when the list is put together again, and a pointer comparison when two lists are
//! compared for damage ([`crate::damage`]). Lengths are logical pixels; a backend multiplies by the scale and snaps to the pixel grid.

use std::sync::Arc;

use crate::color::Color;
use crate::geometry::{Point, Radii, Rect};
use crate::images::Bitmap;
use crate::text::TextBlock;

/// What a shape is filled with.
#[derive(Clone, Debug, PartialEq)]
pub enum Brush {
    Solid(Color),
    Linear(Arc<LinearGradient>),
}

impl From<Color> for Brush {
    fn from(c: Color) -> Brush {
        Brush::Solid(c)
    }
}

/// A CSS linear gradient over the box of the op: `angle` 0 points up, 90 to the right.
#[derive(Clone, Debug, PartialEq)]
pub struct LinearGradient {
    pub angle: f32,
    /// Colour and offset (0 to 1), in order.
    pub stops: Vec<(f32, Color)>,
}

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum BorderStyle {
    #[default]
    Solid,
    Dashed,
    Dotted,
}

/// A path of the painter's own (icons are text; this is for charts, rings, checks).
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Path {
    pub segments: Vec<Segment>,
}

#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Segment {
    Move(Point),
    Line(Point),
    Quad(Point, Point),
    Cubic(Point, Point, Point),
    Close,
}

impl Path {
    pub fn new() -> Path {
        Path::default()
    }

    pub fn move_to(mut self, x: f32, y: f32) -> Path {
        self.segments.push(Segment::Move(Point::new(x, y)));
        self
    }

    pub fn line_to(mut self, x: f32, y: f32) -> Path {
        self.segments.push(Segment::Line(Point::new(x, y)));
        self
    }

    pub fn close(mut self) -> Path {
        self.segments.push(Segment::Close);
        self
    }

    /// A straight line through `points`.
    pub fn polyline(points: impl IntoIterator<Item = Point>) -> Path {
        let mut segments = Vec::new();
        for p in points {
            segments.push(if segments.is_empty() {
                Segment::Move(p)
            } else {
                Segment::Line(p)
            });
        }
        Path { segments }
    }

    /// An arc on the circle at `center`, from `start` for `sweep` (radians; 0 to the right, positive clockwise).
    pub fn arc(center: Point, radius: f32, start: f32, sweep: f32) -> Path {
        let mut segments = Vec::new();
        Self::push_arc(&mut segments, center, radius, start, sweep, true);
        Path { segments }
    }

    /// A ring or pie slice between two radii; `inner` 0 makes a pie slice.
    pub fn slice(center: Point, outer: f32, inner: f32, start: f32, sweep: f32) -> Path {
        let mut segments = Vec::new();
        Self::push_arc(&mut segments, center, outer, start, sweep, true);
        if inner > 0.0 {
            Self::push_arc(&mut segments, center, inner, start + sweep, -sweep, false);
        } else {
            segments.push(Segment::Line(center));
        }
        segments.push(Segment::Close);
        Path { segments }
    }

    fn push_arc(out: &mut Vec<Segment>, c: Point, r: f32, start: f32, sweep: f32, fresh: bool) {
        let pieces = (sweep.abs() / std::f32::consts::FRAC_PI_2).ceil().max(1.0) as usize;
        let step = sweep / pieces as f32;
        let k = 4.0 / 3.0 * (step / 4.0).tan() * r;
        let at = |a: f32| Point::new(c.x + r * a.cos(), c.y + r * a.sin());
        let first = at(start);
        out.push(if fresh {
            Segment::Move(first)
        } else {
            Segment::Line(first)
        });
        for i in 0..pieces {
            let (a, b) = (start + step * i as f32, start + step * (i + 1) as f32);
            let (p, q) = (at(a), at(b));
            out.push(Segment::Cubic(
                Point::new(p.x - k * a.sin(), p.y + k * a.cos()),
                Point::new(q.x + k * b.sin(), q.y - k * b.cos()),
                q,
            ));
        }
    }

    /// A box around every point and control point.
    pub fn bounds(&self) -> Rect {
        let (mut l, mut t, mut r, mut b) = (f32::MAX, f32::MAX, f32::MIN, f32::MIN);
        let mut add = |p: &Point| {
            l = l.min(p.x);
            t = t.min(p.y);
            r = r.max(p.x);
            b = b.max(p.y);
        };
        for s in &self.segments {
            match s {
                Segment::Move(p) | Segment::Line(p) => add(p),
                Segment::Quad(c, p) => [c, p].into_iter().for_each(&mut add),
                Segment::Cubic(c, d, p) => [c, d, p].into_iter().for_each(&mut add),
                Segment::Close => {}
            }
        }
        if l > r {
            Rect::ZERO
        } else {
            Rect::new(l, t, r - l, b - t)
        }
    }
}

#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Stroke {
    pub width: f32,
    /// Dash and gap; `None` is a solid line.
    pub dash: Option<[f32; 2]>,
    pub round: bool,
}

/// One thing to paint. All of it lies in the coordinates of the item that holds it.
#[derive(Clone, Debug, PartialEq)]
pub enum Op {
    /// A filled, possibly rounded box.
    Fill {
        rect: Rect,
        radii: Radii,
        brush: Brush,
    },
    /// A border inside `rect`, widths `[top, right, bottom, left]`.
    Border {
        rect: Rect,
        radii: Radii,
        widths: [f32; 4],
        color: Color,
        style: BorderStyle,
    },
    /// The blurred shadow of a box: `rect` is the box already moved and spread; nothing is drawn inside `hole`, the box that casts it.
    Shadow {
        rect: Rect,
        radii: Radii,
        blur: f32,
        color: Color,
        hole: (Rect, Radii),
    },
    /// A filled path, or its line when `stroke` is given. A gradient spans `Path::bounds`.
    Path {
        path: Arc<Path>,
        brush: Brush,
        stroke: Option<Stroke>,
    },
    /// Shaped text with its top left at `origin`; spans with a colour of their own keep it. Cut at `clip`.
    Text {
        block: Arc<TextBlock>,
        origin: Point,
        color: Color,
        clip: Option<Rect>,
    },
    /// A glyph of the icon font, its 24-unit box on `rect` (square); `mirrored` left to right.
    Icon {
        glyph: char,
        rect: Rect,
        color: Color,
        mirrored: bool,
    },
    /// `source` (pixels of the bitmap) scaled onto `rect`.
    Image {
        bitmap: Arc<Bitmap>,
        source: Rect,
        rect: Rect,
        radii: Radii,
    },
}

impl Op {
    /// Everything the op may touch, antialiased edges included.
    pub fn bounds(&self) -> Rect {
        match self {
            Op::Fill { rect, .. } | Op::Border { rect, .. } | Op::Image { rect, .. } => *rect,
            // Snapping to the pixel grid may move a glyph by up to half a physical pixel.
            Op::Icon { rect, .. } => rect.inset(-1.0),
            // A gaussian of deviation blur/2, cut where nothing of it is left to see.
            Op::Shadow { rect, blur, .. } => rect.inset(-1.5 * *blur - 1.0),
            Op::Path { path, stroke, .. } => path
                .bounds()
                .inset(-stroke.map_or(0.5, |s| s.width / 2.0 + 0.5)),
            Op::Text {
                block,
                origin,
                clip,
                ..
            } => {
                let ink = block.ink().translate(*origin);
                clip.map_or(ink, |c| ink.intersect(&c))
            }
        }
    }
}

/// The ops of one node with the box around them, computed once.
#[derive(Clone, Debug, PartialEq)]
pub struct Ops {
    pub list: Vec<Op>,
    pub bounds: Rect,
}

impl Ops {
    pub fn new(list: Vec<Op>) -> Ops {
        let bounds = list.iter().fold(Rect::ZERO, |b, op| b.union(&op.bounds()));
        Ops { list, bounds }
    }
}

/// Which node an item belongs to, unique within one list: the slot of the node, and whether the item lies below or above its children.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Key {
    pub slot: u32,
    pub over: bool,
}

/// A rotation and scale about a point, for `transform` styles and animations. Plain offsets need none.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Transform {
    pub about: Point,
    pub scale: f32,
    pub degrees: f32,
    pub offset: Point,
}

#[derive(Clone, Debug, PartialEq)]
pub enum Item {
    /// A node's own ops, moved by `at`, cut at `clip` (list coordinates).
    Node {
        key: Key,
        ops: Arc<Ops>,
        at: Point,
        clip: Rect,
    },
    /// Items painted together: through a rounded clip, at one opacity, or transformed.
    Group {
        key: Key,
        opacity: f32,
        clip: Option<(Rect, Radii)>,
        transform: Option<Transform>,
        items: Vec<Item>,
    },
    /// Another surface's list, painted in place (an app widget): moved by `at`, cut at `clip` (coordinates of the outer list).
    Nested {
        key: Key,
        list: Arc<DisplayList>,
        at: Point,
        clip: Rect,
        radii: Radii,
    },
}

impl Item {
    pub fn key(&self) -> Key {
        match self {
            Item::Node { key, .. } | Item::Group { key, .. } | Item::Nested { key, .. } => *key,
        }
    }

    /// What the item may touch, in the coordinates of the list that holds it.
    pub fn bounds(&self) -> Rect {
        match self {
            Item::Node { ops, at, clip, .. } => ops.bounds.translate(*at).intersect(clip),
            Item::Group {
                clip,
                transform,
                items,
                ..
            } => {
                let mut b = items.iter().fold(Rect::ZERO, |b, i| b.union(&i.bounds()));
                if let Some((rect, _)) = clip {
                    b = b.intersect(rect);
                }
                transform.map_or(b, |t| t.bounds(&b))
            }
            Item::Nested { list, at, clip, .. } => list.bounds().translate(*at).intersect(clip),
        }
    }
}

impl Transform {
    /// A box around `b` once turned and scaled.
    pub fn bounds(&self, b: &Rect) -> Rect {
        let (sin, cos) = self.degrees.to_radians().sin_cos();
        let corners = [
            (b.x, b.y),
            (b.right(), b.y),
            (b.right(), b.bottom()),
            (b.x, b.bottom()),
        ]
        .map(|(x, y)| {
            let (dx, dy) = (
                (x - self.about.x) * self.scale,
                (y - self.about.y) * self.scale,
            );
            Point::new(
                self.about.x + dx * cos - dy * sin + self.offset.x,
                self.about.y + dx * sin + dy * cos + self.offset.y,
            )
        });
        let (l, t) = corners
            .iter()
            .fold((f32::MAX, f32::MAX), |(l, t), p| (l.min(p.x), t.min(p.y)));
        let (r, bt) = corners
            .iter()
            .fold((f32::MIN, f32::MIN), |(r, bt), p| (r.max(p.x), bt.max(p.y)));
        Rect::new(l, t, r - l, bt - t).inset(-1.0)
    }
}

/// Everything one Wayland surface (or one layer of it) shows.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct DisplayList {
    pub items: Vec<Item>,
}

impl DisplayList {
    pub fn bounds(&self) -> Rect {
        self.items
            .iter()
            .fold(Rect::ZERO, |b, i| b.union(&i.bounds()))
    }
}
