//! QrScanner: a viewfinder that says there is no camera. The shell grants none to a surface.

use ede_renderer::component::{Component, MeasureCx, Measured, PaintCx};
use ede_renderer::display::{Path, Segment};
use ede_renderer::geometry::{Point, Radii, Rect, Size};
use ede_renderer::look::Align;
use ede_renderer::text::Direction;
use eui_core::measure::LeafRequest;
use eui_core::strings::default_string;

use crate::paragraph::Paragraph;
use crate::{parts, props};

pub struct QrScanner;

const FINDER: f32 = 280.0;
const HINT_GAP: f32 = 12.0;
const CORNER: f32 = 24.0;
const STROKE: f32 = 3.0;
const FEED: f32 = 0.06;
const ICON: f32 = 32.0;

impl Component for QrScanner {
    fn measure(
        &self,
        cx: &mut MeasureCx<'_>,
        leaf: &LeafRequest<'_>,
        width: Option<f32>,
    ) -> Measured {
        let side = width.unwrap_or(FINDER).clamp(48.0, FINDER);
        let hint = props::text(leaf.props, &["hint"]);
        let mut h = side;
        if !hint.is_empty() {
            let dress = cx.recipes.of("QrScanner", "hint", leaf.props, &[]);
            let style = parts::style(&dress, leaf.text_style);
            h += HINT_GAP + Paragraph::new(&hint, &style).at(cx.text, side).0.size().h;
        }
        Measured {
            size: Size::new(side, h),
            min_width: 48.0,
            baseline: None,
        }
    }

    fn paint(&self, cx: &mut PaintCx<'_>) {
        let node = cx.node;
        let side = cx.size.w.clamp(0.0, FINDER);
        let finder = Rect::new((cx.size.w - side) / 2.0, 0.0, side, side);
        let look = cx.recipe("QrScanner", "viewfinder");
        let radii: Radii = look.look.radii.fit(finder.size());
        let feed = cx
            .recipe("QrScanner", "feed")
            .look
            .background
            .unwrap_or_else(|| cx.token("foreground"));
        cx.fill(finder, radii, feed.fade(FEED));
        let ink = cx
            .recipe("QrScanner", "corner")
            .look
            .color
            .unwrap_or_else(|| cx.token("primary"));
        for path in corners(finder.inset(STROKE / 2.0), radii.0[0].min(CORNER)) {
            cx.stroke(path, STROKE, ink);
        }
        let muted = cx.token("mutedForeground");
        let dress = cx.recipe("QrScanner", "placeholder");
        let style = parts::style(&dress, cx.style);
        let icon = Rect::new(
            finder.x + (side - ICON) / 2.0,
            finder.y + side / 2.0 - ICON,
            ICON,
            ICON,
        );
        cx.icon("ui-scan", icon, muted);
        let words = default_string("cameraUnavailable").unwrap_or("");
        let line = Rect::new(
            finder.x + 8.0,
            icon.bottom() + 8.0,
            (side - 16.0).max(0.0),
            style.line_height,
        );
        cx.line_styled(words, &style, line, Align::Center, muted);
        let hint = props::text(&node.props, &["hint"]);
        if !hint.is_empty() {
            let dress = cx.recipe("QrScanner", "hint");
            let style = parts::style(&dress, cx.style);
            let mut p = Paragraph::new(&hint, &style);
            (p.align, p.direction) = (Align::Center, Direction::within(cx.look.rtl));
            let (block, dx) = p.at(cx.text, side);
            let color = dress.look.color.unwrap_or(muted);
            let at = Point::new(finder.x + dx, finder.bottom() + HINT_GAP);
            cx.block(block, at, color, None);
        }
    }
}

/// An angle in each corner of the finder.
fn corners(r: Rect, radius: f32) -> [Path; 4] {
    let spots = [
        (r.x, r.y, 1.0, 1.0),
        (r.right(), r.y, -1.0, 1.0),
        (r.right(), r.bottom(), -1.0, -1.0),
        (r.x, r.bottom(), 1.0, -1.0),
    ];
    spots.map(|(x, y, sx, sy)| {
        let mut path = Path::new()
            .move_to(x, y + sy * CORNER)
            .line_to(x, y + sy * radius);
        path.segments.push(Segment::Quad(
            Point::new(x, y),
            Point::new(x + sx * radius, y),
        ));
        path.line_to(x + sx * CORNER, y)
    })
}
