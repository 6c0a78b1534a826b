//! Button: an icon, a label, or both, centred; a spinner and the pending label while it loads. A button with a child of its own draws
//! nothing here.

use std::borrow::Cow;

use ede_renderer::component::{Component, MeasureCx, Measured, PaintCx};
use eui_core::measure::LeafRequest;
use eui_core::surface::PlacedNode;

use crate::inline::{Inline, Place};
use crate::props::{self, Props};

pub struct Button;

const ICON: f32 = 16.0;
/// An icon alone leaves this share of a small button free on each side (a tab's close glyph in its 16 px box).
const ICON_SHARE: f32 = 0.75;
/// Work that takes no longer than this shows no spinner, in ms: a flash would only disturb.
const PATIENCE_MS: f64 = 150.0;

struct Face<'a> {
    label: Cow<'a, str>,
    icon: Option<&'a str>,
    loading: bool,
}

impl<'a> Face<'a> {
    fn of(props: &'a Props, held: bool) -> Face<'a> {
        let icon = props::string(props, "icon");
        let loading = props::flag(props, "loading");
        let alone = icon.is_some() && props::string(props, "size") == Some("icon");
        let label = match () {
            () if alone => Cow::Borrowed(""),
            () if loading && props::string(props, "pendingLabel").is_some() => {
                props::text(props, &["pendingLabel"])
            }
            () if held && props::string(props, "holdingLabel").is_some() => {
                props::text(props, &["holdingLabel"])
            }
            () => props::text(props, &["label"]),
        };
        Face {
            label,
            icon,
            loading,
        }
    }

    /// As it is while nothing happens.
    fn idle(props: &'a Props) -> Face<'a> {
        let icon = props::string(props, "icon");
        let alone = icon.is_some() && props::string(props, "size") == Some("icon");
        Face {
            label: if alone {
                Cow::Borrowed("")
            } else {
                props::text(props, &["label"])
            },
            icon,
            loading: false,
        }
    }

    fn line<'b>(
        &'b self,
        style: &'b eui_core::measure::TextStyle,
        gap: f32,
        icon: f32,
    ) -> Inline<'b> {
        let line = Inline::new(gap);
        let line = if self.loading {
            line.spinner(icon)
        } else {
            line.icon(self.icon, icon, None)
        };
        line.text(&self.label, style, None)
    }
}

fn held(node: &PlacedNode) -> bool {
    props::flag(&node.props, "hold") && node.states.iter().any(|s| s == "pressed")
}

impl Component for Button {
    fn measure(&self, cx: &mut MeasureCx<'_>, leaf: &LeafRequest<'_>, _: Option<f32>) -> Measured {
        let icon = cx
            .recipes
            .of("Button", "icon", leaf.props, &[])
            .width
            .unwrap_or(ICON);
        let mut widest = Face::of(leaf.props, false)
            .line(leaf.text_style, leaf.control.gap, icon)
            .measure(cx.text, &leaf.control);
        if props::flag(leaf.props, "loading") {
            // A loading button is never narrower than it was before.
            let idle = Face::idle(leaf.props)
                .line(leaf.text_style, leaf.control.gap, icon)
                .measure(cx.text, &leaf.control);
            widest.size.w = widest.size.w.max(idle.size.w);
            widest.min_width = widest.size.w;
        }
        widest
    }

    fn paint(&self, cx: &mut PaintCx<'_>) {
        let node = cx.node;
        if !node.children.is_empty() {
            return;
        }
        let mut face = Face::of(&node.props, held(node));
        if face.loading && cx.since("loading").is_some_and(|ms| ms < PATIENCE_MS) {
            face = Face::idle(&node.props);
            cx.animate();
        }
        let area = cx.content();
        let mut icon = cx.recipe("Button", "icon").width.unwrap_or(ICON);
        if face.label.is_empty() {
            icon = icon.min(cx.size.w.min(cx.size.h) * ICON_SHARE);
        }
        let style = cx.style.clone();
        let gap = cx.look.gap.unwrap_or(0.0);
        face.line(&style, gap, icon).paint(cx, area, Place::Center);
    }
}
