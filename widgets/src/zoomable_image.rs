//! ZoomableImage: the picture at its opening view, at the bound scale, or where the wheel, a drag, a double press and keys have moved
//! it. The view's arithmetic is the engine's.

use ede_renderer::component::{Component, MeasureCx, Measured, NudgeCx, PaintCx};
use ede_renderer::display::Op;
use ede_renderer::geometry::{Point, Radii, Rect, Size};
use ede_renderer::images::{Bitmap, Picture};
use ede_renderer::input::{Drag, Intent, Nudge, Own, Phase};
use eui_core::layout::MEDIA_INTRINSIC_WIDTH;
use eui_core::layout_tree::zoomable_aspect_ratio;
use eui_core::measure::LeafRequest;
use eui_core::surface::PlacedNode;
use eui_core::zoom::{
    WheelDeltaMode, ZoomFrame, ZoomInitial, ZoomPoint, ZoomSize, ZoomView, zoom_at_rest,
    zoom_centre, zoom_clamp, zoom_double_tap, zoom_drag, zoom_key, zoom_pan_room, zoom_rest_view,
    zoom_to, zoom_wheel,
};
use serde_json::json;

use crate::props::Props;
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
        let frame = frame(&node.props, &bitmap, area.size());
        let view = view(&node.props, cx.own, &frame);
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

    /// The wheel zooms about the pointer, a drag pans, a double press zooms in or back, and so do the catalog's keys.
    fn nudge(&self, cx: &mut NudgeCx<'_>, nudge: &Nudge) -> Option<(Own, Option<Intent>)> {
        let props = &cx.node.props;
        let Picture::Ready(bitmap) = cx.images.get(props::string(props, "src")?) else {
            return None;
        };
        let frame = frame(props, &bitmap, cx.size);
        let now = view(props, cx.own, &frame);
        let at = |p: &Point| ZoomPoint {
            x: f64::from(p.x),
            y: f64::from(p.y),
        };
        let next = match nudge {
            Nudge::Wheel { at: p, dy } => {
                let dy = f64::from(*dy);
                // At its smallest or largest it leaves the wheel to the page.
                Some(zoom_wheel(now, dy, WheelDeltaMode::Pixel, at(p), &frame))
                    .filter(|next| next.scale != now.scale)?
            }
            Nudge::Double(p) => zoom_double_tap(now, at(p), &frame),
            Nudge::Key(key) if key.mods.commands() => return None,
            Nudge::Key(key) => zoom_key(now, key.text.as_deref()?, &frame)?,
            Nudge::Drag(drag) => return dragged(now, cx.own, drag, &frame).map(|own| (own, None)),
        };
        let told = json!({"scale": next.scale, "atFit": zoom_at_rest(next, &frame)});
        let intent = (next.scale != now.scale).then(|| Intent::new("zoom", Some(told)));
        Some((kept(next, next, false), intent))
    }

    fn focusable(&self, _: &PlacedNode) -> Option<bool> {
        Some(true)
    }
}

/// The view while the picture is dragged, and when it is let go.
fn dragged(now: ZoomView, own: Option<Own>, drag: &Drag, frame: &ZoomFrame) -> Option<Own> {
    let room = zoom_pan_room(now, frame);
    if drag.phase == Phase::Start {
        // A picture that is seen whole is not dragged.
        return (room.x || room.y).then(|| kept(now, now, false));
    }
    let [scale, _, _, x, y, _] = own?;
    let from = ZoomView { scale, x, y };
    let by = drag.at - drag.start;
    let held = zoom_drag(from, f64::from(by.x), f64::from(by.y), frame);
    Some(match drag.phase {
        Phase::End => {
            let rest = zoom_clamp(held, frame);
            kept(rest, rest, false)
        }
        _ => kept(held, from, true),
    })
}

/// A view as it is kept: where it is, where a drag began, and whether it is held there past an edge.
fn kept(view: ZoomView, from: ZoomView, held: bool) -> Own {
    [
        view.scale,
        view.x,
        view.y,
        from.x,
        from.y,
        f64::from(u8::from(held)),
    ]
}

fn frame(props: &Props, bitmap: &Bitmap, size: Size) -> ZoomFrame {
    ZoomFrame {
        natural: ZoomSize {
            width: f64::from(bitmap.natural.0),
            height: f64::from(bitmap.natural.1),
        },
        viewport: ZoomSize {
            width: f64::from(size.w),
            height: f64::from(size.h),
        },
        initial: ZoomInitial::parse(props::string(props, "initial").unwrap_or("auto")),
        max_scale: props::number(props, "maxScale"),
    }
}

/// What is seen: where the person has moved it, unless another scale was bound since; else the opening view.
fn view(props: &Props, own: Option<Own>, frame: &ZoomFrame) -> ZoomView {
    let bound = props::number(props, "scale").filter(|s| *s > 0.0);
    let moved = own.filter(|[scale, ..]| bound.is_none_or(|b| (b - scale).abs() < 1.0e-4));
    if let Some([scale, x, y, _, _, held]) = moved {
        let view = ZoomView { scale, x, y };
        return if held > 0.0 {
            view
        } else {
            zoom_clamp(view, frame)
        };
    }
    let rest = zoom_rest_view(frame);
    match bound {
        Some(scale) => zoom_to(rest, scale, zoom_centre(frame), frame),
        None => rest,
    }
}
