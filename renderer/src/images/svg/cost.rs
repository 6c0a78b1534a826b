//! How long painting a drawing would take, in pixels that are touched: of its shapes, of the layers that groups with a mask, a clip or an
//! opacity need, of the tiles of its patterns and of every step of its filters. Added up before anything is painted, after all
//! references and styles are resolved.

use resvg::usvg::filter::{self, Kind};
use resvg::usvg::{ClipPath, Group, Mask, Node, NonZeroRect, Paint, Path, Transform, Tree};

/// Pixels touched in all: a few seconds of painting at most.
const MOST: f64 = (1_u64 << 30) as f64;
/// What the smallest thing costs.
const LEAST: f64 = 64.0;
/// Layers reach beyond the picture, so far.
const REACH: f64 = 25.0;
/// The largest tile of a pattern, in pixels: it is held whole.
const LARGEST_TILE: f64 = (1_u64 << 24) as f64;

/// Can the drawing be painted at `scale`, into so many pixels, in the time a picture may take?
pub(super) fn is_bearable(tree: &Tree, scale: f32, pixels: f64) -> bool {
    let mut bill = Bill {
        picture: pixels,
        left: MOST,
    };
    let zoom = f64::from(scale) * f64::from(scale);
    bill.group(tree.root(), zoom).is_some()
}

struct Bill {
    /// Pixels of the picture.
    picture: f64,
    left: f64,
}

/// `None`: too much has been spent.
type Spent = Option<()>;

impl Bill {
    fn spend(&mut self, pixels: f64) -> Spent {
        self.left -= pixels.max(LEAST);
        (self.left > 0.0).then_some(())
    }

    /// Everything in a group. `zoom`: pixels of a unit square where the group's own coordinates are absolute.
    fn group(&mut self, group: &Group, zoom: f64) -> Spent {
        let layer = area(group.abs_layer_bounding_box()) * zoom;
        let here = zoom * stretch(group.abs_transform());
        self.spend(0.0)?;
        if group.should_isolate() {
            self.spend(2.0 * layer.min(self.picture * REACH))?;
        }
        for filter in group.filters() {
            self.filter(filter, here)?;
        }
        if let Some(clip) = group.clip_path() {
            self.clip(clip, here)?;
        }
        if let Some(mask) = group.mask() {
            self.mask(mask, here)?;
        }
        for child in group.children() {
            match child {
                Node::Group(child) => self.group(child, zoom)?,
                Node::Path(path) => self.path(path, zoom)?,
                Node::Image(_) | Node::Text(_) => self.spend(0.0)?,
            }
        }
        Some(())
    }

    fn clip(&mut self, clip: &ClipPath, zoom: f64) -> Spent {
        self.spend(self.picture)?;
        self.group(clip.root(), zoom * stretch(clip.transform()))?;
        clip.clip_path()
            .map_or(Some(()), |clip| self.clip(clip, zoom))
    }

    fn mask(&mut self, mask: &Mask, zoom: f64) -> Spent {
        self.spend(self.picture)?;
        self.group(mask.root(), zoom)?;
        mask.mask().map_or(Some(()), |mask| self.mask(mask, zoom))
    }

    fn path(&mut self, path: &Path, zoom: f64) -> Spent {
        let bounds = path.abs_stroke_bounding_box();
        let covered = f64::from(bounds.width()) * f64::from(bounds.height()) * zoom;
        let corners = path.data().len() as f64 * LEAST;
        self.spend(covered.min(self.picture) + corners)?;
        let here = zoom * stretch(path.abs_transform());
        if let Some(dashes) = path.stroke().and_then(|stroke| stroke.dasharray()) {
            // As long as its corners are apart, at most: every dash is a piece of its own.
            let period = f64::from(dashes.iter().sum::<f32>()).max(f64::MIN_POSITIVE);
            let pieces = length(path) / period * dashes.len() as f64;
            self.spend(pieces.min(1e6) * LEAST)?;
        }
        let paints = path
            .fill()
            .map(|fill| fill.paint())
            .into_iter()
            .chain(path.stroke().map(|stroke| stroke.paint()));
        for paint in paints {
            if let Paint::Pattern(pattern) = paint {
                let inside = here * stretch(pattern.transform());
                let tile = area(pattern.rect()) * inside;
                if tile > LARGEST_TILE {
                    return None;
                }
                self.spend(tile)?;
                self.group(pattern.root(), inside)?;
            }
        }
        Some(())
    }

    fn filter(&mut self, filter: &filter::Filter, zoom: f64) -> Spent {
        let region = (area(filter.rect()) * zoom).min(self.picture * REACH);
        for step in filter.primitives() {
            self.spend(region * each_pixel(step.kind(), zoom, region))?;
            if let Kind::Image(image) = step.kind() {
                self.group(image.root(), zoom)?;
            }
        }
        Some(())
    }
}

/// What a step of a filter does for every pixel, in pixels touched.
fn each_pixel(step: &Kind, zoom: f64, region: f64) -> f64 {
    match step {
        Kind::Turbulence(t) => 40.0 * f64::from(t.num_octaves().max(1)),
        Kind::ConvolveMatrix(m) => {
            4.0 * f64::from(m.matrix().columns()) * f64::from(m.matrix().rows())
        }
        Kind::Morphology(m) => {
            // Two radii each way, no more than the region has.
            let across = f64::from(m.radius_x().get()) * 2.0 + 1.0;
            let down = f64::from(m.radius_y().get()) * 2.0 + 1.0;
            (across * down * zoom).clamp(1.0, region.max(1.0))
        }
        Kind::GaussianBlur(_) | Kind::DropShadow(_) => 16.0,
        Kind::DiffuseLighting(_) | Kind::SpecularLighting(_) => 24.0,
        Kind::Merge(m) => 4.0 * m.inputs().len() as f64,
        _ => 6.0,
    }
}

fn area(rect: NonZeroRect) -> f64 {
    f64::from(rect.width()) * f64::from(rect.height())
}

/// How much larger a transform makes an area.
fn stretch(t: Transform) -> f64 {
    let (sx, sy, kx, ky) = (t.sx, t.sy, t.kx, t.ky);
    (f64::from(sx) * f64::from(sy) - f64::from(kx) * f64::from(ky)).abs()
}

/// How long a path is, at most: as far as its points are apart one by one.
fn length(path: &Path) -> f64 {
    let points = path.data().points().windows(2);
    points
        .map(|p| f64::from((p[1].x - p[0].x).hypot(p[1].y - p[0].y)))
        .sum()
}
