//! Overlay scrollbars: a thin thumb along the edge of a container that has more than it shows.

use eui_core::surface::ScrollOutput;

use crate::geometry::Rect;

const THICKNESS: f32 = 6.0;
const MARGIN: f32 = 2.0;
const SHORTEST: f32 = 24.0;

/// The thumb inside `frame` (any coordinates), vertical or horizontal; `None` when nothing scrolls that way.
pub(crate) fn thumb(frame: Rect, s: &ScrollOutput, vertical: bool, rtl: bool) -> Option<Rect> {
    let (shown, all, offset, on) = if vertical {
        (frame.h, s.content_height, s.offset_y, s.scroll_y)
    } else {
        (frame.w, s.content_width, s.offset_x, s.scroll_x)
    };
    if !on || all <= shown + 0.5 || shown <= SHORTEST {
        return None;
    }
    let track = shown - 2.0 * MARGIN;
    let length = (track * shown / all).max(SHORTEST).min(track);
    let at = MARGIN + (track - length) * (offset / (all - shown)).clamp(0.0, 1.0);
    Some(if vertical {
        let x = if rtl {
            frame.x + MARGIN
        } else {
            frame.right() - MARGIN - THICKNESS
        };
        Rect::new(x, frame.y + at, THICKNESS, length)
    } else {
        Rect::new(
            frame.x + at,
            frame.bottom() - MARGIN - THICKNESS,
            length,
            THICKNESS,
        )
    })
}
