//! AudioPlayer: a play mark, the title over an empty scrubber, the length. Playing is not the painter's.

use ede_renderer::component::{Component, MeasureCx, Measured, PaintCx};
use ede_renderer::geometry::{Radii, Rect, Size};
use ede_renderer::look::Align;
use eui_core::layout::MEDIA_INTRINSIC_WIDTH;
use eui_core::measure::{LeafRequest, TextStyle};

use crate::paragraph::Paragraph;
use crate::{media, parts, props};

pub struct AudioPlayer;

const PLAY: f32 = 32.0;
const GAP: f32 = 12.0;
const SCRUBBER: f32 = 4.0;

impl Component for AudioPlayer {
    fn measure(
        &self,
        _: &mut MeasureCx<'_>,
        leaf: &LeafRequest<'_>,
        width: Option<f32>,
    ) -> Measured {
        // The recipe's control height is one row's: the title over the scrubber needs a little more.
        let h = leaf.control.height.unwrap_or(0.0).max(40.0);
        Measured {
            size: Size::new(width.unwrap_or(MEDIA_INTRINSIC_WIDTH as f32), h),
            min_width: PLAY + GAP + 64.0,
            baseline: None,
        }
    }

    fn paint(&self, cx: &mut PaintCx<'_>) {
        let node = cx.node;
        let area = cx.content();
        let mirror = |r: Rect, rtl: bool| {
            if rtl {
                Rect {
                    x: area.x + area.right() - r.right(),
                    ..r
                }
            } else {
                r
            }
        };
        let button = Rect::new(area.x, area.y + (area.h - PLAY) / 2.0, PLAY, PLAY);
        let (back, ink) = (cx.token("secondary"), cx.token("secondaryForeground"));
        media::play(cx, mirror(button, cx.rtl), back, ink);
        let dress = cx.recipe("AudioPlayer", "track");
        let title_style = parts::style(&dress, cx.style);
        let small = TextStyle {
            font_weight: 400,
            ..parts::small(cx.recipes, &title_style)
        };
        let muted = cx.token("mutedForeground");
        let length = media::duration(&node.props).unwrap_or_default();
        let length_w = Paragraph::new(&length, &small).natural(cx.text).size().w;
        let x = button.right() + GAP;
        let room = (area.right() - x).max(0.0);
        let title = props::string(&node.props, "title").unwrap_or("");
        let (start, end) = if cx.rtl {
            (Align::Right, Align::Left)
        } else {
            (Align::Left, Align::Right)
        };
        let color = dress.look.color.unwrap_or(cx.color);
        let line = |y: f32, h: f32, w: f32, from: f32| Rect::new(from, y, w, h);
        let top = area.y + (area.h - 30.0) / 2.0;
        let title_box = line(top, 20.0, (room - length_w - GAP).max(0.0), x);
        cx.line_styled(title, &title_style, mirror(title_box, cx.rtl), start, color);
        let length_box = line(top, 20.0, length_w, area.right() - length_w);
        cx.line_styled(&length, &small, mirror(length_box, cx.rtl), end, muted);
        let scrubber = mirror(Rect::new(x, top + 25.0, room, SCRUBBER), cx.rtl);
        let track = cx.token("muted");
        cx.fill(scrubber, Radii::all(SCRUBBER / 2.0), track);
    }
}
