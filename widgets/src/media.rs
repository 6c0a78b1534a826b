//! What the media components share: a duration as a clock, a play mark.

use ede_renderer::color::Color;
use ede_renderer::component::PaintCx;
use ede_renderer::geometry::{Radii, Rect, Size};

use crate::props::{self, Props};

/// `3:07`, `1:02:09`; nothing when the length is not known.
pub fn duration(props: &Props) -> Option<String> {
    let ms = props::number(props, "durationMs").filter(|ms| *ms > 0.0 && *ms < 1e12)?;
    let s = (ms / 1000.0).round() as u64;
    let (h, m, s) = (s / 3600, s / 60 % 60, s % 60);
    Some(if h > 0 {
        format!("{h}:{m:02}:{s:02}")
    } else {
        format!("{m}:{s:02}")
    })
}

/// A round play mark in `rect`.
pub fn play(cx: &mut PaintCx<'_>, rect: Rect, back: Color, ink: Color) {
    cx.fill(rect, Radii::all(rect.w / 2.0), back);
    let side = rect.w * 0.45;
    cx.icon("play", rect.centered(Size::new(side, side)), ink);
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn durations_read_as_a_clock() {
        let d = |ms: serde_json::Value| {
            duration(
                json!({"durationMs": ms})
                    .as_object()
                    .unwrap_or(&Props::new()),
            )
        };
        assert_eq!(d(json!(187_000)).as_deref(), Some("3:07"));
        assert_eq!(d(json!(3_729_000)).as_deref(), Some("1:02:09"));
        assert_eq!(d(json!("x")), None);
        assert_eq!(d(json!(-1)), None);
    }
}
