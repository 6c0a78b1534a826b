//! Image: a picture fitted into its box, a placeholder while it loads, its fallback icon when there is none.

use std::sync::Arc;

use ede_renderer::component::{Component, MeasureCx, Measured, PaintCx};
use ede_renderer::display::Op;
use ede_renderer::geometry::{Radii, Rect, Size};
use ede_renderer::images::{Bitmap, Picture};
use eui_core::layout::{MEDIA_ASPECT_RATIO, MEDIA_INTRINSIC_WIDTH};
use eui_core::measure::LeafRequest;

use crate::props::{self, Props};
use crate::skeleton;

pub struct Image;

const LARGEST: f32 = 10_000.0;

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Fit {
    Contain,
    Cover,
    Fill,
    None,
    ScaleDown,
}

impl Fit {
    pub fn parse(name: Option<&str>) -> Fit {
        match name {
            Some("contain") => Fit::Contain,
            Some("fill") => Fit::Fill,
            Some("none") => Fit::None,
            Some("scaleDown") => Fit::ScaleDown,
            _ => Fit::Cover,
        }
    }
}

/// The part of a `picture` px large bitmap that shows, and where in `area` it goes. `focal` (0 to 1) stays in view when cropped.
pub fn fitted(picture: Size, area: Rect, fit: Fit, focal: (f32, f32)) -> (Rect, Rect) {
    let whole = Rect::of_size(picture);
    if picture.w <= 0.0 || picture.h <= 0.0 || area.is_empty() {
        return (whole, Rect::ZERO);
    }
    let (sx, sy) = (area.w / picture.w, area.h / picture.h);
    let scale = match fit {
        Fit::Fill => return (whole, area),
        Fit::Contain => sx.min(sy),
        Fit::Cover => sx.max(sy),
        Fit::None => 1.0,
        Fit::ScaleDown => sx.min(sy).min(1.0),
    };
    // Along each axis: either the picture is cropped around the focal point, or it is centred with room to spare.
    let axis = |len: f32, room: f32, focus: f32| {
        let shown = len * scale;
        if shown > room {
            let take = room / scale;
            let from = (len * focus - take / 2.0).clamp(0.0, len - take);
            (from, take, 0.0, room)
        } else {
            (0.0, len, (room - shown) / 2.0, shown)
        }
    };
    let (from_x, take_x, at_x, w) = axis(picture.w, area.w, focal.0);
    let (from_y, take_y, at_y, h) = axis(picture.h, area.h, focal.1);
    (
        Rect::new(from_x, from_y, take_x, take_y),
        Rect::new(area.x + at_x, area.y + at_y, w, h),
    )
}

/// Paint `bitmap` into `area`.
pub fn place(
    cx: &mut PaintCx<'_>,
    bitmap: Arc<Bitmap>,
    area: Rect,
    radii: Radii,
    fit: Fit,
    focal: (f32, f32),
) {
    let (source, rect) = fitted(bitmap.size(), area, fit, focal);
    let source = bitmap.pixels_of(source);
    if rect.is_empty() || source.is_empty() {
        return;
    }
    // A picture that does not reach the box's edges has no rounded corners of its own.
    let reaches = (rect.w - area.w).abs() < 0.5 && (rect.h - area.h).abs() < 0.5;
    cx.push(Op::Image {
        bitmap,
        source,
        rect,
        radii: if reaches { radii } else { Radii::NONE },
    });
}

fn focal(props: &Props) -> (f32, f32) {
    let at = |name: &str| props::number(props, name).map_or(0.5, |n| n.clamp(0.0, 1.0) as f32);
    (at("focalX"), at("focalY"))
}

/// The box an Image asks for: its props, else the catalog's media size.
fn natural(leaf: &LeafRequest<'_>, width: Option<f32>) -> Size {
    let (w, h) = (
        props::length(leaf.props, "width", LARGEST),
        props::length(leaf.props, "height", LARGEST),
    );
    let ratio = props::length(leaf.props, "aspectRatio", 1000.0)
        .unwrap_or(MEDIA_ASPECT_RATIO as f32)
        .max(0.001);
    let wide = w
        .or(width)
        .or_else(|| h.map(|h| h * ratio))
        .unwrap_or(MEDIA_INTRINSIC_WIDTH as f32);
    Size::new(wide, h.unwrap_or(wide / ratio))
}

impl Component for Image {
    fn measure(
        &self,
        _: &mut MeasureCx<'_>,
        leaf: &LeafRequest<'_>,
        width: Option<f32>,
    ) -> Measured {
        let fixed = props::length(leaf.props, "width", LARGEST);
        Measured {
            size: natural(leaf, width),
            min_width: fixed.unwrap_or(0.0),
            baseline: None,
        }
    }

    fn paint(&self, cx: &mut PaintCx<'_>) {
        let node = cx.node;
        let area = cx.bounds().inset_sides(cx.look.border);
        let radii = cx.look.radii.fit(cx.size).shrink(cx.look.border[0]);
        // A drawing is painted for a screen of twice the density at most.
        let side = area.w.max(area.h) * 2.0;
        let picture = props::string(&node.props, "src")
            .map_or(Picture::Failed, |src| cx.images.get_for(src, side));
        match picture {
            Picture::Ready(bitmap) => {
                let fit = Fit::parse(props::string(&node.props, "fit"));
                place(cx, bitmap, area, radii, fit, focal(&node.props));
            }
            Picture::Loading => {
                let color = cx.token("muted").fade(skeleton::pulse(cx.elapsed_ms));
                cx.fill(area, radii, color);
                cx.animate();
            }
            Picture::Failed => {
                let name = props::string(&node.props, "fallback").unwrap_or("ui-icon-placeholder");
                fallback(cx, area, radii, name);
            }
        }
    }
}

/// A muted box with an icon in it, where a picture should be.
pub fn fallback(cx: &mut PaintCx<'_>, area: Rect, radii: Radii, icon: &str) {
    let dress = cx.recipe("Image", "fallback");
    let back = dress.look.background.unwrap_or_else(|| cx.token("muted"));
    let ink = dress
        .look
        .color
        .unwrap_or_else(|| cx.token("mutedForeground"));
    cx.fill(area, radii, back);
    let side = (area.w.min(area.h) * 0.4).clamp(8.0, 32.0);
    cx.icon(icon, area.centered(Size::new(side, side)), ink);
}

#[cfg(test)]
mod tests {
    use super::*;

    const AREA: Rect = Rect::new(10.0, 10.0, 100.0, 50.0);

    #[test]
    fn cover_crops_around_the_focal_point() {
        let (source, rect) = fitted(Size::new(100.0, 100.0), AREA, Fit::Cover, (0.5, 1.0));
        assert_eq!(source, Rect::new(0.0, 50.0, 100.0, 50.0));
        assert_eq!(rect, AREA);
    }

    #[test]
    fn contain_centres_and_none_keeps_the_pixels() {
        let (source, rect) = fitted(Size::new(100.0, 100.0), AREA, Fit::Contain, (0.5, 0.5));
        assert_eq!(source, Rect::new(0.0, 0.0, 100.0, 100.0));
        assert_eq!(rect, Rect::new(35.0, 10.0, 50.0, 50.0));
        let (_, rect) = fitted(Size::new(20.0, 10.0), AREA, Fit::None, (0.5, 0.5));
        assert_eq!(rect, Rect::new(50.0, 30.0, 20.0, 10.0));
    }

    #[test]
    fn an_empty_picture_paints_nothing() {
        let (_, rect) = fitted(Size::default(), AREA, Fit::Cover, (0.5, 0.5));
        assert!(rect.is_empty());
    }
}
