//! Video: its poster with a play mark and its length. Playing is not the painter's: the shell has no decoder for it yet.

use ede_renderer::color::Color;
use ede_renderer::component::{Component, MeasureCx, Measured, PaintCx};
use ede_renderer::geometry::{Radii, Rect, Size};
use ede_renderer::images::Picture;
use ede_renderer::look::Align;
use eui_core::layout::{MEDIA_ASPECT_RATIO, MEDIA_INTRINSIC_WIDTH};
use eui_core::measure::{LeafRequest, TextStyle};

use crate::paragraph::Paragraph;
use crate::{image, media, parts, props};

pub struct Video;

const PLAY: f32 = 48.0;
const SHADE: Color = Color::rgba(0, 0, 0, 140);

impl Component for Video {
    fn measure(
        &self,
        _: &mut MeasureCx<'_>,
        leaf: &LeafRequest<'_>,
        width: Option<f32>,
    ) -> Measured {
        let ratio = props::length(leaf.props, "aspectRatio", 1000.0)
            .unwrap_or(MEDIA_ASPECT_RATIO as f32)
            .max(0.001);
        let w = width.unwrap_or(MEDIA_INTRINSIC_WIDTH as f32);
        Measured {
            size: Size::new(w, w / ratio),
            min_width: 0.0,
            baseline: None,
        }
    }

    fn paint(&self, cx: &mut PaintCx<'_>) {
        let node = cx.node;
        let area = cx.bounds();
        let radii = cx.look.radii.fit(cx.size);
        let poster = props::string(&node.props, "poster").map(|src| cx.images.get(src));
        match poster {
            Some(Picture::Ready(bitmap)) => {
                image::place(cx, bitmap, area, radii, image::Fit::Cover, (0.5, 0.5));
            }
            _ => {
                let back = cx.token("muted");
                cx.fill(area, radii, back);
            }
        }
        let side = PLAY.min(area.w.min(area.h) * 0.6);
        media::play(
            cx,
            area.centered(Size::new(side, side)),
            SHADE,
            Color::WHITE,
        );
        if let Some(length) = media::duration(&node.props) {
            let style = TextStyle {
                font_weight: 500,
                ..parts::small(cx.recipes, cx.style)
            };
            let w = Paragraph::new(&length, &style).natural(cx.text).size().w + 12.0;
            let x = if cx.rtl { 8.0 } else { area.right() - 8.0 - w };
            let pill = Rect::new(x, area.bottom() - 28.0, w, 20.0);
            if pill.x >= 0.0 && pill.y >= 0.0 {
                cx.fill(pill, Radii::all(6.0), SHADE);
                cx.line_styled(&length, &style, pill, Align::Center, Color::WHITE);
            }
        }
    }
}
