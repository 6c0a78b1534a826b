//! A Wayland surface's view of a display list: which part it shows, what of it was painted last, and what changed since.

use std::sync::Arc;

use ede_renderer::color::Color;
use ede_renderer::damage;
use ede_renderer::display::{DisplayList, Item, Key};
use ede_renderer::geometry::{Point, Radii, Rect};
use ede_renderer::software::{self, Painter};

use super::chrome::PLATE_SLOT;
use crate::wayland::{Damage, PixelRect, Scale, Target};

/// The slot of the item that moves a list to its surface's origin.
const SHIFT_SLOT: u32 = PLATE_SLOT - 1;

/// What one surface shows.
#[derive(Default)]
pub struct Pane {
    /// The list, in coordinates of its own.
    list: Arc<DisplayList>,
    /// The part of the list the surface covers; its origin is the surface's top left.
    region: Rect,
    shown: Option<(Arc<DisplayList>, Rect)>,
}

impl Pane {
    /// Show this part of `list`. True when something may have changed and the surface should be asked for damage.
    pub fn show(&mut self, list: &Arc<DisplayList>, region: Rect) -> bool {
        if Arc::ptr_eq(&self.list, list) && self.region == region && self.shown.is_some() {
            return false;
        }
        let same = self.region == region && self.shown.is_some() && *self.list == **list;
        self.list = list.clone();
        self.region = region;
        !same
    }

    /// Has it been painted?
    pub fn is_shown(&self) -> bool {
        self.shown.is_some()
    }

    pub fn region(&self) -> Rect {
        self.region
    }

    /// Surface coordinates to the list's.
    pub fn to_list(&self, p: Point) -> Point {
        p + self.region.origin()
    }

    /// What changed since the last paint, in the surface's pixels.
    pub fn damage(&self, scale: Scale) -> Damage {
        let Some((old, region)) = &self.shown else {
            return Damage::All;
        };
        if *region != self.region {
            return Damage::All;
        }
        let rects = damage::diff(old, &self.list);
        let f = scale.as_f32();
        let pixels: Vec<PixelRect> = rects
            .iter()
            .map(|r| {
                r.intersect(&self.region)
                    .translate(Point::ZERO - self.region.origin())
            })
            .filter(|r| !r.is_empty())
            .map(|r| {
                // A pixel more on every side: antialiased edges reach into the next one.
                let (x, y) = (
                    ((r.x * f).floor() - 1.0).max(0.0),
                    ((r.y * f).floor() - 1.0).max(0.0),
                );
                let (right, bottom) = ((r.right() * f).ceil() + 1.0, (r.bottom() * f).ceil() + 1.0);
                PixelRect::new(x as u32, y as u32, (right - x) as u32, (bottom - y) as u32)
            })
            .collect();
        if pixels.is_empty() {
            Damage::None
        } else {
            Damage::Rects(pixels)
        }
    }

    /// Paint the boxes of `clip` and remember what is on the surface now.
    pub fn paint(&mut self, painter: &mut Painter, target: Target<'_>, clip: &[PixelRect]) {
        let shift = Point::ZERO - self.region.origin();
        let shifted = DisplayList {
            items: vec![Item::Nested {
                key: Key {
                    slot: SHIFT_SLOT,
                    over: false,
                },
                list: self.list.clone(),
                at: shift,
                clip: Rect::of_size(self.region.size()),
                radii: Radii::NONE,
            }],
        };
        let clips: Vec<software::IRect> = clip
            .iter()
            .map(|r| software::IRect::new(r.x as i32, r.y as i32, r.width as i32, r.height as i32))
            .collect();
        let target_pixels = software::Target {
            pixels: target.pixels,
            width: target.size.width,
            height: target.size.height,
            stride: target.stride,
            order: software::Order::Bgra,
        };
        painter.paint(
            &shifted,
            target_pixels,
            target.scale.as_f32(),
            Color::TRANSPARENT,
            &clips,
        );
        self.shown = Some((self.list.clone(), self.region));
    }
}
