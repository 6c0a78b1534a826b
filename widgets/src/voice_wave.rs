//! VoiceWave: three rings that follow a voice, around a child; or a row of level bars. The shapes are the engine's.

use std::sync::Arc;

use ede_renderer::component::{Component, MeasureCx, Measured, PaintCx};
use ede_renderer::display::{Op, Path};
use ede_renderer::geometry::{Point, Radii, Rect, Size};
use eui_core::measure::LeafRequest;
use eui_core::voice_wave::{
    Activity, Variant, VoiceWaveBarsInput, VoiceWaveInput, voice_wave, voice_wave_bars,
    voice_wave_bars_box,
};

use crate::props::{self, Props};

pub struct VoiceWave;

fn activity(props: &Props) -> Activity {
    Activity::parse(props::string(props, "activity").unwrap_or("idle"))
}

fn variant(props: &Props) -> Variant {
    Variant::parse(props::string(props, "variant").unwrap_or("ring"))
}

fn bands(props: &Props) -> Option<Vec<f64>> {
    let bands: Vec<f64> = props::list(props, "bands")
        .iter()
        .filter_map(|b| b.as_f64())
        .collect();
    (!bands.is_empty()).then_some(bands)
}

impl Component for VoiceWave {
    fn measure(&self, _: &mut MeasureCx<'_>, leaf: &LeafRequest<'_>, _: Option<f32>) -> Measured {
        let class = props::string(leaf.props, "size").unwrap_or("md");
        let (w, h) = match variant(leaf.props) {
            Variant::Bars => {
                let (w, h, ..) = voice_wave_bars_box(class);
                (w as f32, h as f32)
            }
            Variant::Ring => (56.0, 56.0),
        };
        let c = &leaf.control;
        Measured::fixed(c.width.unwrap_or(w), c.height.unwrap_or(h))
    }

    fn paint(&self, cx: &mut PaintCx<'_>) {
        let props = &cx.node.props;
        let activity = activity(props);
        let elapsed = Some(cx.elapsed_ms / 1000.0);
        let level = props::number(props, "level");
        match variant(props) {
            Variant::Bars => {
                let input = VoiceWaveBarsInput {
                    size: props::string(props, "size").unwrap_or("md").to_string(),
                    activity,
                    level,
                    bands: bands(props),
                    elapsed,
                    reduced_motion: None,
                };
                let color = cx
                    .recipe("VoiceWave", "bar")
                    .look
                    .color
                    .unwrap_or_else(|| cx.token("primary"));
                let left = (cx.size.w - voice_wave_bars_box(&input.size).0 as f32) / 2.0;
                for b in voice_wave_bars(&input).bars {
                    let rect = Rect::new(
                        left + b.x as f32,
                        b.y as f32,
                        b.width as f32,
                        b.height as f32,
                    );
                    cx.fill(rect, Radii::all(b.radius as f32), color);
                }
            }
            Variant::Ring => {
                let size = cx.size.w.min(cx.size.h);
                let wave = voice_wave(&VoiceWaveInput {
                    size: f64::from(size),
                    activity,
                    level,
                    bands: bands(props),
                    elapsed,
                    reduced_motion: None,
                    child: None,
                });
                let corner = cx.bounds().centered(Size::new(size, size)).origin();
                for ring in wave.rings {
                    let color = cx
                        .recipe("VoiceWave", &ring.part)
                        .look
                        .color
                        .unwrap_or_else(|| cx.token("primary"));
                    let path = Path::polyline(
                        ring.points
                            .iter()
                            .map(|[x, y]| corner + Point::new(*x as f32, *y as f32)),
                    )
                    .close();
                    cx.push(Op::Path {
                        path: Arc::new(path.clone()),
                        brush: color.fade(ring.fill_alpha as f32).into(),
                        stroke: None,
                    });
                    cx.stroke(
                        path,
                        ring.stroke_width as f32,
                        color.fade(ring.stroke_alpha as f32),
                    );
                }
            }
        }
        if activity.animates() {
            cx.animate();
        }
    }
}
