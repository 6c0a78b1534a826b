//! A node's resolved visual with its colours parsed once. eui-core hands colours as strings; nothing after this file reads one.

use std::sync::Arc;

use eui_core::style::{TransformOp, Transition, Visual, VisualAnimation};

use crate::color::Color;
use crate::display::{BorderStyle, Brush, LinearGradient};
use crate::geometry::Radii;

/// One `box-shadow` layer.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Shadow {
    pub x: f32,
    pub y: f32,
    pub blur: f32,
    pub spread: f32,
    pub color: Color,
}

/// Physical alignment of a leaf's text.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum Align {
    #[default]
    Left,
    Center,
    Right,
    Justify,
}

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Decoration {
    #[default]
    None,
    Underline,
    LineThrough,
}

/// What the painter needs of eui-core's `Visual`. Lengths in logical px.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Look {
    pub background: Option<Color>,
    pub gradient: Option<Brush>,
    /// `None` inherits from the nearest ancestor, else the theme's foreground.
    pub color: Option<Color>,
    /// `[top, right, bottom, left]`.
    pub border: [f32; 4],
    pub border_color: Option<Color>,
    pub border_style: BorderStyle,
    pub radii: Radii,
    pub opacity: f32,
    pub shadows: Vec<Shadow>,
    pub align: Option<Align>,
    pub decoration: Decoration,
    /// A leaf's own padding `[top, right, bottom, left]`, drawn by its component.
    pub padding: [f32; 4],
    pub gap: Option<f32>,
    pub clips: bool,
    pub scrolls: bool,
    pub transform: Vec<TransformOp>,
    pub transition: Option<Transition>,
    pub animation: Option<VisualAnimation>,
    pub backdrop_blur: Option<f32>,
    pub invisible: bool,
    pub gone: bool,
    pub press_through: bool,
    pub selectable: Option<bool>,
    pub cursor: Option<String>,
    /// The paragraph direction of a leaf's text, where the engine gave one.
    pub rtl: Option<bool>,
}

fn color(text: &Option<String>) -> Option<Color> {
    text.as_deref().and_then(Color::hex)
}

impl Look {
    pub fn of(v: &Visual) -> Look {
        let pad = |side: Option<f32>| side.unwrap_or(0.0);
        let uniform = v.border_width.unwrap_or(0.0);
        Look {
            background: color(&v.background_color).filter(|c| !c.is_invisible()),
            gradient: v.background_gradient.as_ref().map(|g| {
                let stops = g
                    .stops
                    .iter()
                    .map(|s| (s.offset, Color::hex(&s.color).unwrap_or(Color::TRANSPARENT)))
                    .collect();
                Brush::Linear(Arc::new(LinearGradient {
                    angle: g.angle,
                    stops,
                }))
            }),
            color: color(&v.color),
            border: v.border_widths.unwrap_or([uniform; 4]),
            border_color: color(&v.border_color),
            border_style: match v.border_style.as_deref() {
                Some("dashed") => BorderStyle::Dashed,
                Some("dotted") => BorderStyle::Dotted,
                _ => BorderStyle::Solid,
            },
            radii: Radii(
                v.corner_radii
                    .unwrap_or([v.border_radius.unwrap_or(0.0); 4]),
            ),
            opacity: v.opacity.unwrap_or(1.0).clamp(0.0, 1.0),
            shadows: v
                .box_shadow
                .iter()
                .flatten()
                .filter_map(|s| {
                    Some(Shadow {
                        x: s.x,
                        y: s.y,
                        blur: s.blur.max(0.0),
                        spread: s.spread,
                        color: Color::hex(&s.color)?,
                    })
                })
                .collect(),
            align: match v.text_align.as_deref() {
                Some("left") => Some(Align::Left),
                Some("center") => Some(Align::Center),
                Some("right") => Some(Align::Right),
                Some("justify") => Some(Align::Justify),
                _ => None,
            },
            decoration: match v.text_decoration.as_deref() {
                Some("underline") => Decoration::Underline,
                Some("line-through") => Decoration::LineThrough,
                _ => Decoration::None,
            },
            padding: v.padding.unwrap_or([
                pad(v.padding_vertical),
                pad(v.padding_horizontal),
                pad(v.padding_vertical),
                pad(v.padding_horizontal),
            ]),
            gap: v.gap,
            clips: v.overflow_hidden || v.overflow_scroll,
            scrolls: v.overflow_scroll,
            transform: v.transform.clone().unwrap_or_default(),
            transition: v.transition,
            animation: v.animation.clone(),
            backdrop_blur: v.backdrop_blur,
            invisible: v.visibility_hidden,
            gone: v.display_none,
            press_through: v.pointer_events_none,
            selectable: v.user_select.as_deref().map(|s| s != "none"),
            cursor: v.cursor.clone(),
            rtl: v.direction.as_deref().map(|d| d == "rtl"),
        }
    }
}
