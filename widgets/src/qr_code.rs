//! QrCode: a value as modules on a plate, always dark on light so that every camera reads it, with a caption under it.

use std::sync::Arc;

use ede_renderer::color::Color;
use ede_renderer::component::{Component, MeasureCx, Measured, PaintCx};
use ede_renderer::display::{Op, Path};
use ede_renderer::geometry::{Radii, Rect};
use ede_renderer::look::Align;
use eui_core::measure::LeafRequest;
use eui_core::qr_code::{QR_CODE, QrLevel, QrMatrix, qr_layout, qr_matrix};

use crate::props::{self, Props};
use crate::{image, parts};

pub struct QrCode;

const EDGE: f32 = 160.0;
const LABEL: f32 = 16.0;

fn edge(props: &Props) -> f32 {
    props::length(props, "size", 2048.0).unwrap_or(EDGE)
}

fn label_room(props: &Props) -> f32 {
    if props::string(props, "label").is_some() {
        QR_CODE.label_gap as f32 + LABEL
    } else {
        0.0
    }
}

fn lightness(c: Color) -> u32 {
    u32::from(c.r) * 3 + u32::from(c.g) * 6 + u32::from(c.b)
}

/// Every dark module in one path, so that neighbours leave no seam. Edges lie on whole px.
fn modules(matrix: &QrMatrix, plate: Rect) -> Path {
    let (module, quiet) = qr_layout(f64::from(plate.w), matrix.size);
    let edge = |from: f32, i: usize| (from + (quiet + module * i as f64) as f32).round();
    let mut path = Path::new();
    for y in 0..matrix.size {
        let (top, bottom) = (edge(plate.y, y), edge(plate.y, y + 1));
        let mut x = 0;
        while x < matrix.size {
            let from = x;
            while x < matrix.size && matrix.dark(x, y) {
                x += 1;
            }
            if x > from {
                let (l, r) = (edge(plate.x, from), edge(plate.x, x));
                path = path
                    .move_to(l, top)
                    .line_to(r, top)
                    .line_to(r, bottom)
                    .line_to(l, bottom)
                    .close();
            } else {
                x += 1;
            }
        }
    }
    path
}

impl Component for QrCode {
    fn measure(&self, _: &mut MeasureCx<'_>, leaf: &LeafRequest<'_>, _: Option<f32>) -> Measured {
        let edge = edge(leaf.props);
        Measured::fixed(edge, edge + label_room(leaf.props))
    }

    fn paint(&self, cx: &mut PaintCx<'_>) {
        let node = cx.node;
        let side = edge(&node.props).min(cx.size.w);
        let plate = Rect::new((cx.size.w - side) / 2.0, 0.0, side, side);
        let dress = cx.recipe("QrCode", "plate");
        let ink = cx.recipe("QrCode", "module").look.color;
        let (a, b) = (
            dress
                .look
                .background
                .unwrap_or_else(|| cx.token("background")),
            ink.unwrap_or_else(|| cx.token("foreground")),
        );
        let (light, dark) = if lightness(a) >= lightness(b) {
            (a, b)
        } else {
            (b, a)
        };
        let radii: Radii = dress.look.radii.fit(plate.size());
        let value = props::text(&node.props, &["value"]);
        let level = QrLevel::parse(props::string(&node.props, "level").unwrap_or("M"));
        let matrix = Some(value)
            .filter(|v| !v.is_empty() && v.len() <= QR_CODE.max_value_bytes)
            .and_then(|v| qr_matrix(&v, level));
        match matrix {
            Some(matrix) => {
                cx.fill(plate, radii, light);
                cx.push(Op::Path {
                    path: Arc::new(modules(&matrix, plate)),
                    brush: dark.into(),
                    stroke: None,
                });
            }
            None => image::fallback(cx, plate, radii, "ui-warning"),
        }
        if let Some(label) = props::string(&node.props, "label") {
            let dress = cx.recipe("QrCode", "label");
            let style = parts::style(&dress, cx.style);
            let color = dress
                .look
                .color
                .unwrap_or_else(|| cx.token("mutedForeground"));
            let y = side + QR_CODE.label_gap as f32;
            let line = Rect::new(0.0, y, cx.size.w, LABEL.max(style.line_height));
            cx.line_styled(label, &style, line, Align::Center, color);
        }
    }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]
    use super::*;

    #[test]
    fn modules_stay_on_the_plate_and_off_its_quiet_zone() {
        let matrix = qr_matrix("https://example.org", QrLevel::M).unwrap();
        let plate = Rect::new(0.0, 0.0, 160.0, 160.0);
        let bounds = modules(&matrix, plate).bounds();
        let (module, quiet) = qr_layout(160.0, matrix.size);
        assert!(module > 1.0 && f64::from(bounds.x) >= quiet - 1.0);
        assert!(f64::from(bounds.right()) <= 160.0 - quiet + 1.0);
    }
}
