//! Rectangles and regions. Plain numbers; no protocol object is touched here.

/// A rectangle in whole units: surface-local, buffer or output pixels, as the place that holds it says.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct Rect {
    pub x: i32,
    pub y: i32,
    pub width: i32,
    pub height: i32,
}

impl Rect {
    pub const fn new(x: i32, y: i32, width: i32, height: i32) -> Self {
        Self {
            x,
            y,
            width,
            height,
        }
    }

    pub const fn right(&self) -> i32 {
        self.x.saturating_add(self.width)
    }

    pub const fn bottom(&self) -> i32 {
        self.y.saturating_add(self.height)
    }

    pub const fn is_empty(&self) -> bool {
        self.width <= 0 || self.height <= 0
    }

    pub const fn contains(&self, x: i32, y: i32) -> bool {
        x >= self.x && y >= self.y && x < self.right() && y < self.bottom()
    }

    /// Whether `other` lies wholly inside.
    pub const fn encloses(&self, other: &Self) -> bool {
        other.x >= self.x
            && other.y >= self.y
            && other.right() <= self.right()
            && other.bottom() <= self.bottom()
    }

    /// The part both have, or an empty rectangle.
    pub fn intersection(&self, other: &Self) -> Self {
        let (x, y) = (self.x.max(other.x), self.y.max(other.y));
        let width = self.right().min(other.right()).saturating_sub(x);
        let height = self.bottom().min(other.bottom()).saturating_sub(y);
        Self::new(x, y, width.max(0), height.max(0))
    }

    pub const fn moved(&self, dx: i32, dy: i32) -> Self {
        Self::new(self.x + dx, self.y + dy, self.width, self.height)
    }

    /// The number of pixels inside.
    pub fn area(&self) -> u64 {
        if self.is_empty() {
            0
        } else {
            self.width.unsigned_abs() as u64 * self.height.unsigned_abs() as u64
        }
    }
}

/// A region as a client builds it: rectangles added and taken away, in that order.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Region {
    steps: Vec<(bool, Rect)>,
}

impl Region {
    pub(crate) fn add(&mut self, rect: Rect) {
        self.steps.push((true, rect));
    }

    pub(crate) fn subtract(&mut self, rect: Rect) {
        self.steps.push((false, rect));
    }

    pub fn contains(&self, x: i32, y: i32) -> bool {
        self.steps
            .iter()
            .rev()
            .find(|(_, rect)| rect.contains(x, y))
            .is_some_and(|(added, _)| *added)
    }

    /// True when no point is inside.
    pub fn is_empty(&self) -> bool {
        !self
            .rects()
            .any(|r| (r.y..r.bottom()).any(|y| (r.x..r.right()).any(|x| self.contains(x, y))))
    }

    /// The rectangles that were added, as given.
    pub fn rects(&self) -> impl Iterator<Item = Rect> + '_ {
        self.steps
            .iter()
            .filter(|(added, rect)| *added && !rect.is_empty())
            .map(|(_, rect)| *rect)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_region_is_what_the_last_step_says() {
        let mut region = Region::default();
        region.add(Rect::new(0, 0, 10, 10));
        region.subtract(Rect::new(2, 2, 4, 4));
        region.add(Rect::new(3, 3, 1, 1));
        assert!(region.contains(1, 1) && region.contains(3, 3));
        assert!(!region.contains(2, 2) && !region.contains(10, 0));
        region.subtract(Rect::new(0, 0, 10, 10));
        assert!(region.is_empty());
    }

    #[test]
    fn an_intersection_is_never_negative() {
        let (a, b) = (Rect::new(0, 0, 4, 4), Rect::new(10, 10, 4, 4));
        assert_eq!(a.intersection(&b).area(), 0);
        assert_eq!(
            a.intersection(&Rect::new(2, 1, 9, 2)),
            Rect::new(2, 1, 2, 2)
        );
    }
}
