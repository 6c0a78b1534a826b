//! ZoomableImage: the picture at its opening view, or at the bound scale. The view's arithmetic is the engine's.

use ede_renderer::component::{Component, MeasureCx, Measured, PaintCx};
use ede_renderer::display::Op;
use ede_renderer::geometry::{Radii, Rect, Size};
use ede_renderer::images::Picture;
use eui_core::layout::MEDIA_INTRINSIC_WIDTH;
use eui_core::layout_tree::zoomable_aspect_ratio;
use eui_core::measure::LeafRequest;
use eui_core::zoom::{ZoomFrame, ZoomInitial, ZoomSize, zoom_centre, zoom_rest_view, zoom_to};

use crate::{image, props, skeleton};

pub struct ZoomableImage;

impl Component for ZoomableImage {
    fn measure(
        &self,
        _: &mut MeasureCx<'_>,
        leaf: &LeafRequest<'_>,
        width: Option<f32>,
    ) -> Measured {
        let w = width.unwrap_or(MEDIA_INTRINSIC_WIDTH as f32);
        let ratio = (zoomable_aspect_ratio(leaf.props) as f32).max(0.01);
        Measured {
            size: Size::new(w, w / ratio),
            min_width: 0.0,
            baseline: None,
        }
    }

    fn paint(&self, cx: &mut PaintCx<'_>) {
        let node = cx.node;
        let area = cx.bounds();
        let radii: Radii = cx.recipe("ZoomableImage", "image").look.radii.fit(cx.size);
        let picture =
            props::string(&node.props, "src").map_or(Picture::Failed, |src| cx.images.get(src));
        let bitmap = match picture {
            Picture::Ready(bitmap) => bitmap,
            Picture::Loading => {
                let color = cx.token("muted").fade(skeleton::pulse(cx.elapsed_ms));
                cx.fill(area, radii, color);
                return cx.animate();
            }
            Picture::Failed => return image::fallback(cx, area, radii, "ui-icon-placeholder"),
        };
        let frame = ZoomFrame {
            natural: ZoomSize {
                width: f64::from(bitmap.natural.0),
                height: f64::from(bitmap.natural.1),
            },
            viewport: ZoomSize {
                width: f64::from(area.w),
                height: f64::from(area.h),
            },
            initial: ZoomInitial::parse(props::string(&node.props, "initial").unwrap_or("auto")),
            max_scale: props::number(&node.props, "maxScale"),
        };
        let rest = zoom_rest_view(&frame);
        let view = match props::number(&node.props, "scale").filter(|s| *s > 0.0) {
            Some(scale) => zoom_to(rest, scale, zoom_centre(&frame), &frame),
            None => rest,
        };
        let scale = view.scale as f32;
        if !(scale.is_finite() && scale > 0.0) {
            return;
        }
        let shown = Rect::new(
            view.x as f32,
            view.y as f32,
            bitmap.size().w * scale,
            bitmap.size().h * scale,
        );
        let rect = shown.intersect(&area);
        let source = Rect::new(
            (rect.x - shown.x) / scale,
            (rect.y - shown.y) / scale,
            rect.w / scale,
            rect.h / scale,
        );
        let source = bitmap.pixels_of(source);
        if !rect.is_empty() {
            cx.push(Op::Image {
                bitmap,
                source,
                rect,
                radii,
            });
        }
    }
}
