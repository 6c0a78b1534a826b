//! Lengths and boxes of the platform layer. Plain data, no Wayland.
//!
//! Two units, two sets of types: *logical* (what surfaces are laid out in: [`Size`], [`Rect`], [`Point`]) and
//! *physical* (pixels of a buffer: [`PixelSize`], [`PixelRect`]). [`super::Scale`] is the only way between them.

/// No surface is ever larger than this in one dimension, whatever a compositor asks for.
pub const MAX_LENGTH: u32 = 16_384;

/// A logical size.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct Size {
    pub width: u32,
    pub height: u32,
}

impl Size {
    pub const fn new(width: u32, height: u32) -> Self {
        Size { width, height }
    }

    /// The nearest size a surface may have: 1 to [`MAX_LENGTH`] in both dimensions.
    pub fn clamped(self) -> Self {
        Size {
            width: self.width.clamp(1, MAX_LENGTH),
            height: self.height.clamp(1, MAX_LENGTH),
        }
    }

    /// This size with `other` where a dimension is zero ("you choose" in Wayland's terms).
    pub fn or(self, other: Size) -> Self {
        Size {
            width: if self.width == 0 {
                other.width
            } else {
                self.width
            },
            height: if self.height == 0 {
                other.height
            } else {
                self.height
            },
        }
    }

    /// The size plus a frame around it.
    pub fn grown(self, frame: Insets) -> Self {
        Size {
            width: self.width.saturating_add(frame.left + frame.right),
            height: self.height.saturating_add(frame.top + frame.bottom),
        }
    }
}

/// A size in pixels of a buffer.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct PixelSize {
    pub width: u32,
    pub height: u32,
}

impl PixelSize {
    /// The whole area as a box.
    pub fn rect(self) -> PixelRect {
        PixelRect {
            x: 0,
            y: 0,
            width: self.width,
            height: self.height,
        }
    }
}

/// A logical position, from the top left of a surface.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Point {
    pub x: f64,
    pub y: f64,
}

impl From<(f64, f64)> for Point {
    fn from((x, y): (f64, f64)) -> Self {
        Point { x, y }
    }
}

/// A logical box.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct Rect {
    pub x: i32,
    pub y: i32,
    pub width: i32,
    pub height: i32,
}

impl Rect {
    pub const fn new(x: i32, y: i32, width: i32, height: i32) -> Self {
        Rect {
            x,
            y,
            width,
            height,
        }
    }

    /// The nearest box that lies inside `size` and is not empty.
    pub fn within(self, size: Size) -> Rect {
        let one = |at: i32, length: i32, all: u32| {
            let all = i32::try_from(all.max(1)).unwrap_or(i32::MAX);
            let low = at.clamp(0, all - 1);
            let high = at.saturating_add(length).clamp(low + 1, all);
            (low, high - low)
        };
        let (x, width) = one(self.x, self.width, size.width);
        let (y, height) = one(self.y, self.height, size.height);
        Rect {
            x,
            y,
            width,
            height,
        }
    }

    /// The point in the middle of an edge, on a corner, or (without edges) in the centre.
    pub fn at(self, edges: Edges) -> (i32, i32) {
        let one = |at: i32, length: i32, low: bool, high: bool| match (low, high) {
            (true, false) => at,
            (false, true) => at.saturating_add(length),
            _ => at.saturating_add(length / 2),
        };
        (
            one(self.x, self.width, edges.left, edges.right),
            one(self.y, self.height, edges.top, edges.bottom),
        )
    }
}

/// A box in pixels of a buffer. Never reaches outside of the buffer it belongs to.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct PixelRect {
    pub x: u32,
    pub y: u32,
    pub width: u32,
    pub height: u32,
}

impl PixelRect {
    pub const fn new(x: u32, y: u32, width: u32, height: u32) -> Self {
        PixelRect {
            x,
            y,
            width,
            height,
        }
    }

    pub fn right(self) -> u32 {
        self.x.saturating_add(self.width)
    }

    pub fn bottom(self) -> u32 {
        self.y.saturating_add(self.height)
    }

    pub fn is_empty(self) -> bool {
        self.width == 0 || self.height == 0
    }

    pub fn area(self) -> u64 {
        u64::from(self.width) * u64::from(self.height)
    }

    pub fn intersects(self, other: PixelRect) -> bool {
        self.x < other.right()
            && other.x < self.right()
            && self.y < other.bottom()
            && other.y < self.bottom()
    }

    /// The part inside `size`; empty if there is none.
    pub fn clipped(self, size: PixelSize) -> PixelRect {
        let (x, y) = (self.x.min(size.width), self.y.min(size.height));
        PixelRect {
            x,
            y,
            width: self.right().min(size.width) - x,
            height: self.bottom().min(size.height) - y,
        }
    }

    /// The smallest box around both.
    pub fn union(self, other: PixelRect) -> PixelRect {
        let (x, y) = (self.x.min(other.x), self.y.min(other.y));
        PixelRect {
            x,
            y,
            width: self.right().max(other.right()) - x,
            height: self.bottom().max(other.bottom()) - y,
        }
    }
}

/// Distances from the four edges, logical.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct Insets {
    pub top: u32,
    pub right: u32,
    pub bottom: u32,
    pub left: u32,
}

impl Insets {
    /// The same distance on every side.
    pub const fn all(length: u32) -> Self {
        Insets {
            top: length,
            right: length,
            bottom: length,
            left: length,
        }
    }
}

/// An edge or a corner of a box; `None` of it is the centre.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct Edges {
    pub top: bool,
    pub right: bool,
    pub bottom: bool,
    pub left: bool,
}

impl Edges {
    pub const NONE: Edges = Edges {
        top: false,
        right: false,
        bottom: false,
        left: false,
    };
    pub const ALL: Edges = Edges {
        top: true,
        right: true,
        bottom: true,
        left: true,
    };
    pub const TOP: Edges = Edges {
        top: true,
        ..Edges::NONE
    };
    pub const RIGHT: Edges = Edges {
        right: true,
        ..Edges::NONE
    };
    pub const BOTTOM: Edges = Edges {
        bottom: true,
        ..Edges::NONE
    };
    pub const LEFT: Edges = Edges {
        left: true,
        ..Edges::NONE
    };

    /// Both sets together: `Edges::TOP.and(Edges::LEFT)` is the top left corner.
    pub const fn and(self, other: Edges) -> Edges {
        Edges {
            top: self.top || other.top,
            right: self.right || other.right,
            bottom: self.bottom || other.bottom,
            left: self.left || other.left,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_size_from_a_compositor_is_always_usable() {
        assert_eq!(Size::new(0, 0).clamped(), Size::new(1, 1));
        assert_eq!(Size::new(u32::MAX, 5).clamped(), Size::new(MAX_LENGTH, 5));
        assert_eq!(
            Size::new(u32::MAX, u32::MAX)
                .grown(Insets::all(8))
                .clamped(),
            Size::new(MAX_LENGTH, MAX_LENGTH)
        );
    }

    #[test]
    fn zero_means_the_client_chooses() {
        assert_eq!(Size::new(0, 40).or(Size::new(300, 20)), Size::new(300, 40));
    }

    #[test]
    fn a_box_brought_inside_is_near_and_not_empty() {
        let size = Size::new(100, 40);
        assert_eq!(
            Rect::new(10, 5, 20, 20).within(size),
            Rect::new(10, 5, 20, 20)
        );
        assert_eq!(
            Rect::new(-30, 60, 10, 10).within(size),
            Rect::new(0, 39, 1, 1)
        );
        assert_eq!(
            Rect::new(-5, 0, 500, 0).within(size),
            Rect::new(0, 0, 100, 1)
        );
        assert_eq!(
            Rect::new(i32::MAX, 0, i32::MAX, 1).within(size),
            Rect::new(99, 0, 1, 1)
        );
    }

    #[test]
    fn a_clipped_box_stays_inside() {
        let size = PixelSize {
            width: 100,
            height: 50,
        };
        assert_eq!(
            PixelRect::new(90, 40, 20, 20).clipped(size),
            PixelRect::new(90, 40, 10, 10)
        );
        assert!(PixelRect::new(100, 0, 5, 5).clipped(size).is_empty());
        assert_eq!(
            PixelRect::new(0, 0, u32::MAX, u32::MAX).clipped(size),
            size.rect()
        );
    }
}
