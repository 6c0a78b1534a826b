//! Which pixels changed. Plain data, no Wayland.
//!
//! A client answers with [`Damage`]; each buffer keeps a [`Region`] of what it has missed since it was last filled.

use super::geometry::{PixelRect, PixelSize};

/// What changed on a surface since the client last painted it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Damage {
    /// Nothing: no commit.
    None,
    /// These pixels. Boxes may overlap and may reach outside of the surface; they are merged and clipped.
    Rects(Vec<PixelRect>),
    /// Every pixel.
    All,
}

/// More boxes than this are not worth telling apart: painting has a cost per box.
const MAX_RECTS: usize = 16;

/// A set of pixels as boxes that do not overlap, all inside the buffer it was made for.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Region {
    rects: Vec<PixelRect>,
}

impl Region {
    /// Every pixel of a buffer.
    pub fn full(size: PixelSize) -> Self {
        Region {
            rects: vec![size.rect()],
        }
    }

    pub fn is_empty(&self) -> bool {
        self.rects.is_empty()
    }

    pub fn rects(&self) -> &[PixelRect] {
        &self.rects
    }

    /// Add one box, clipped to `size`. Overlapping boxes become the box around them.
    pub fn add(&mut self, rect: PixelRect, size: PixelSize) {
        let mut rect = rect.clipped(size);
        if rect.is_empty() {
            return;
        }
        while let Some(at) = self.rects.iter().position(|other| other.intersects(rect)) {
            rect = rect.union(self.rects.swap_remove(at));
        }
        self.rects.push(rect);
        if self.rects.len() > MAX_RECTS {
            self.join_cheapest(size);
        }
    }

    /// Add another region.
    pub fn extend(&mut self, other: &Region, size: PixelSize) {
        for rect in &other.rects {
            self.add(*rect, size);
        }
    }

    pub fn clear(&mut self) {
        self.rects.clear();
    }

    /// Join the two boxes that waste the fewest pixels together.
    fn join_cheapest(&mut self, size: PixelSize) {
        let mut best = (u64::MAX, 0, 0);
        for (i, a) in self.rects.iter().enumerate() {
            for (j, b) in self.rects.iter().enumerate().skip(i + 1) {
                let waste = a.union(*b).area().saturating_sub(a.area() + b.area());
                if waste < best.0 {
                    best = (waste, i, j);
                }
            }
        }
        let (_, i, j) = best;
        let joined = self.rects[i].union(self.rects[j]);
        self.rects.swap_remove(j);
        self.rects.swap_remove(i);
        self.add(joined, size);
    }
}

impl Damage {
    /// The damaged pixels of a buffer of this size.
    pub fn region(&self, size: PixelSize) -> Region {
        match self {
            Damage::None => Region::default(),
            Damage::All => Region::full(size),
            Damage::Rects(rects) => {
                let mut region = Region::default();
                for rect in rects {
                    region.add(*rect, size);
                }
                region
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const SIZE: PixelSize = PixelSize {
        width: 200,
        height: 100,
    };

    fn covers(region: &Region, x: u32, y: u32) -> bool {
        region
            .rects()
            .iter()
            .any(|r| r.intersects(PixelRect::new(x, y, 1, 1)))
    }

    #[test]
    fn no_pixel_is_painted_twice() {
        let rects = (0..12)
            .map(|i| PixelRect::new(i * 10, i * 5, 18, 12))
            .collect();
        let region = Damage::Rects(rects).region(SIZE);
        for (i, a) in region.rects().iter().enumerate() {
            assert!(
                region.rects().iter().skip(i + 1).all(|b| !a.intersects(*b)),
                "{region:?}"
            );
        }
    }

    #[test]
    fn many_boxes_stay_few_and_cover_everything() {
        let boxes: Vec<_> = (0..50)
            .map(|i| PixelRect::new((i * 37) % 190, (i * 53) % 95, 3, 2))
            .collect();
        let region = Damage::Rects(boxes.clone()).region(SIZE);
        assert!(region.rects().len() <= MAX_RECTS);
        for b in boxes {
            assert!(
                covers(&region, b.x, b.y) && covers(&region, b.right() - 1, b.bottom() - 1),
                "{b:?} lost"
            );
        }
    }

    #[test]
    fn damage_outside_of_the_surface_is_nothing() {
        assert!(
            Damage::Rects(vec![PixelRect::new(500, 500, 10, 10)])
                .region(SIZE)
                .is_empty()
        );
        assert_eq!(Damage::All.region(SIZE).rects(), [SIZE.rect()]);
        assert!(Damage::None.region(SIZE).is_empty());
    }
}
