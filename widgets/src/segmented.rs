//! Segmented: one leaf that holds several segments: a pill track, bare toggles, joined outline buttons, a bottom bar or a rail.
//! Where its segments are is worked out in one place ([`Plan`]), for measuring, painting and presses alike.

use std::borrow::Cow;

use ede_renderer::color::Color;
use ede_renderer::component::{Component, MeasureCx, Measured, PaintCx};
use ede_renderer::display::{BorderStyle, Op};
use ede_renderer::geometry::{Point, Radii, Rect, Size};
use ede_renderer::input::{Intent, Key, KeyPress};
use ede_renderer::look::{Align, Look};
use ede_renderer::recipes::{Recipe, Recipes};
use ede_renderer::text::TextEngine;
use eui_core::measure::{LeafRequest, TextStyle};
use eui_core::segmented::{is_vertical, option_badge};
use eui_core::surface::PlacedNode;
use serde_json::json;

use crate::inline::{Inline, Place};
use crate::paragraph::Paragraph;
use crate::parts;
use crate::props::{self, Props};

pub struct Segmented;

const ICON: f32 = 16.0;
const BAR_ICON: f32 = 20.0;
const BAR_GAP: f32 = 4.0;
/// The narrowest a bar's item gets.
const BAR_ITEM: f32 = 56.0;

#[derive(Clone, Copy, PartialEq, Eq)]
enum Variant {
    Track,
    Toggles,
    Outline,
    Bar,
}

struct Item<'a> {
    label: Cow<'a, str>,
    value: Cow<'a, str>,
    icon: Option<&'a str>,
    badge: Option<String>,
    disabled: bool,
    selected: bool,
}

/// The segments of a node and the box each one takes.
struct Plan<'a> {
    variant: Variant,
    vertical: bool,
    items: Vec<Item<'a>>,
    style: TextStyle,
    /// Natural size of each item, without fill.
    sizes: Vec<Size>,
    gap: f32,
    /// `[top, right, bottom, left]` of the track: border and padding.
    inset: [f32; 4],
    fill: bool,
}

fn chosen(props: &Props) -> Vec<String> {
    let value = props::text(props, &["value"]);
    if props::string(props, "type") == Some("multiple") {
        value
            .split(',')
            .map(str::trim)
            .filter(|s| !s.is_empty())
            .map(str::to_string)
            .collect()
    } else {
        vec![value.into_owned()]
    }
}

impl<'a> Plan<'a> {
    fn of(props: &'a Props, recipes: &Recipes, engine: &mut TextEngine) -> Plan<'a> {
        let variant = match props::string(props, "variant") {
            Some("toggles") => Variant::Toggles,
            Some("outline") => Variant::Outline,
            Some("bar") => Variant::Bar,
            _ => Variant::Track,
        };
        let chosen = chosen(props);
        let items: Vec<Item<'_>> = props::objects(props, "items")
            .map(|o| {
                let value = props::text(o, &["value"]);
                Item {
                    label: props::text(o, &["label"]),
                    icon: props::string(o, "icon"),
                    badge: option_badge(
                        (variant == Variant::Bar).then_some("bar"),
                        &serde_json::Value::Object(
                            o.get("count")
                                .map(|c| ("count".to_string(), c.clone()))
                                .into_iter()
                                .collect(),
                        ),
                    ),
                    disabled: props::flag(o, "disabled"),
                    selected: chosen.iter().any(|c| *c == value),
                    value,
                }
            })
            .collect();
        let root = recipes.of("Segmented", "root", props, &[]);
        let item = recipes.of("Segmented", "item", props, &[]);
        let mut style = parts::style(&item, &TextStyle::default());
        if variant == Variant::Bar {
            style = parts::small(recipes, &style);
        }
        let vertical = is_vertical(props);
        let tab_bar = recipes.number("control", "tabBar").unwrap_or(BAR_ITEM);
        let sizes = items
            .iter()
            .map(|i| {
                if variant == Variant::Bar {
                    let label = Paragraph::new(&i.label, &style).natural(engine).size().w;
                    return Size::new(
                        item.width.unwrap_or((label + 8.0).max(BAR_ITEM)),
                        item.height.unwrap_or(tab_bar),
                    );
                }
                let (content, _) = i.line(&style).size(engine);
                let [t, r, b, l] = item.look.padding;
                let border = &item.look.border;
                Size::new(
                    content.w + l + r + border[1] + border[3],
                    item.height.unwrap_or(content.h + t + b),
                )
            })
            .collect();
        let [pt, pr, pb, pl] = root.look.padding;
        let [bt, br, bb, bl] = root.look.border;
        Plan {
            variant,
            vertical,
            items,
            style,
            sizes,
            gap: match variant {
                Variant::Outline | Variant::Bar => 0.0,
                _ => root.look.gap.unwrap_or(0.0),
            },
            inset: [pt + bt, pr + br, pb + bb, pl + bl],
            fill: props::flag(props, "fill") || variant == Variant::Bar,
        }
    }

    fn natural(&self) -> Size {
        let gaps = self.gap * self.items.len().saturating_sub(1) as f32;
        let sum = |f: fn(&Size) -> f32| self.sizes.iter().map(f).sum::<f32>();
        let max = |f: fn(&Size) -> f32| self.sizes.iter().map(f).fold(0.0, f32::max);
        let (w, h) = if self.vertical {
            (max(|s| s.w), sum(|s| s.h) + gaps)
        } else {
            (sum(|s| s.w) + gaps, max(|s| s.h))
        };
        let [t, r, b, l] = self.inset;
        Size::new(w + l + r, h + t + b)
    }

    /// The items' boxes inside a node of `size`, in reading order.
    fn boxes(&self, size: Size, rtl: bool) -> Vec<Rect> {
        let area = Rect::of_size(size).inset_sides(self.inset);
        let n = self.items.len();
        let gaps = self.gap * n.saturating_sub(1) as f32;
        let mut out = Vec::with_capacity(n);
        if self.vertical {
            let natural: f32 = self.sizes.iter().map(|s| s.h).sum();
            let scale = ((area.h - gaps) / natural.max(1.0)).min(1.0);
            let mut y = area.y;
            for s in &self.sizes {
                let h = s.h * scale;
                out.push(Rect::new(area.x, y, area.w, h));
                y += h + self.gap;
            }
            return out;
        }
        let natural: f32 = self.sizes.iter().map(|s| s.w).sum();
        let room = area.w - gaps;
        let mut x = 0.0;
        for s in &self.sizes {
            let w = if self.fill {
                room / n.max(1) as f32
            } else if natural > room + 0.5 {
                s.w * room / natural
            } else {
                s.w
            };
            let left = if rtl {
                area.right() - x - w
            } else {
                area.x + x
            };
            out.push(Rect::new(left, area.y, w.max(0.0), area.h));
            x += w + self.gap;
        }
        out
    }
}

impl<'a> Item<'a> {
    fn line(&'a self, style: &'a TextStyle) -> Inline<'a> {
        Inline::new(6.0)
            .icon(self.icon, ICON, None)
            .text(&self.label, style, None)
    }

    fn states(&self, hover: bool) -> Vec<String> {
        let mut states = Vec::new();
        if hover && !self.disabled {
            states.push("hover".to_string());
        }
        if self.selected {
            states.push("selected".to_string());
        }
        states
    }
}

/// The corners of the item at `i` of `n` joined ones.
fn joined(radii: Radii, i: usize, n: usize, vertical: bool, rtl: bool) -> Radii {
    let (first, last) = (i == 0, i + 1 == n);
    let [a, b, c, d] = radii.0;
    let keep = |on: bool, r: f32| if on { r } else { 0.0 };
    if vertical {
        return Radii([keep(first, a), keep(first, b), keep(last, c), keep(last, d)]);
    }
    let (left, right) = if rtl { (last, first) } else { (first, last) };
    Radii([keep(left, a), keep(right, b), keep(right, c), keep(left, d)])
}

impl Plan<'_> {
    fn paint(&self, cx: &mut PaintCx<'_>) {
        let boxes = self.boxes(cx.size, cx.rtl);
        let under = cx
            .pointer
            .and_then(|p| boxes.iter().position(|b| b.contains(p)));
        for (i, (item, rect)) in self.items.iter().zip(&boxes).enumerate() {
            let states = item.states(under == Some(i));
            let dress = cx.recipes.of("Segmented", "item", &cx.node.props, &states);
            let dim = if item.disabled {
                cx.recipes.number("opacity", "disabled").unwrap_or(0.5)
            } else {
                1.0
            };
            if self.variant == Variant::Bar {
                self.paint_bar_item(cx, item, *rect, &states, dim);
            } else {
                self.paint_item(cx, item, i, *rect, &dress, dim);
            }
        }
    }

    fn paint_item(
        &self,
        cx: &mut PaintCx<'_>,
        item: &Item<'_>,
        i: usize,
        rect: Rect,
        dress: &Recipe,
        dim: f32,
    ) {
        let look = &dress.look;
        let outline = self.variant == Variant::Outline;
        let radii = if outline {
            joined(look.radii, i, self.items.len(), self.vertical, cx.rtl)
        } else {
            look.radii
        };
        parts::shadow(cx, rect, radii, look);
        if let Some(c) = look.background {
            cx.fill(rect, radii, c.fade(dim));
        }
        if let Some(color) = look.border_color.filter(|_| outline) {
            // Neighbours share the line between them.
            let mut widths = look.border;
            if i > 0 {
                let shared = match (self.vertical, cx.rtl) {
                    (true, _) => 0,
                    (false, true) => 1,
                    (false, false) => 3,
                };
                widths[shared] = 0.0;
            }
            cx.push(Op::Border {
                rect,
                radii,
                widths,
                color,
                style: BorderStyle::Solid,
            });
        }
        let color = look.color.unwrap_or(cx.color).fade(dim);
        let [_, r, _, l] = look.padding;
        let inner = rect.inset_sides([0.0, r.min(rect.w / 4.0), 0.0, l.min(rect.w / 4.0)]);
        Inline::new(6.0)
            .icon(item.icon, ICON, Some(color))
            .text(&item.label, &self.style, Some(color))
            .paint(cx, inner, Place::Center);
    }

    fn paint_bar_item(
        &self,
        cx: &mut PaintCx<'_>,
        item: &Item<'_>,
        rect: Rect,
        states: &[String],
        dim: f32,
    ) {
        let props = &cx.node.props;
        let icon_look = cx.recipes.of("Segmented", "icon", props, states);
        let label_look = cx.recipes.of("Segmented", "label", props, states);
        let ink = |r: &Recipe, fallback: Color| r.look.color.unwrap_or(fallback).fade(dim);
        let mut style = self.style.clone();
        style.font_weight = label_look.font_weight.unwrap_or(style.font_weight);
        let text = !item.label.is_empty();
        let icon = item.icon.is_some();
        let tall = if icon { BAR_ICON } else { 0.0 }
            + if text { style.line_height } else { 0.0 }
            + if icon && text { BAR_GAP } else { 0.0 };
        let mut y = rect.y + (rect.h - tall) / 2.0;
        if let Some(name) = item.icon {
            let at = Rect::new(rect.x + (rect.w - BAR_ICON) / 2.0, y, BAR_ICON, BAR_ICON);
            let color = ink(&icon_look, cx.color);
            cx.icon(name, at, color);
            if let Some(badge) = &item.badge {
                self.paint_badge(cx, badge, at);
            }
            y += BAR_ICON + BAR_GAP;
        }
        if text {
            let line = Rect::new(rect.x + 2.0, y, rect.w - 4.0, style.line_height);
            let color = ink(&label_look, cx.color);
            cx.line_styled(&item.label, &style, line, Align::Center, color);
        }
    }

    /// A count at the icon's end corner.
    fn paint_badge(&self, cx: &mut PaintCx<'_>, text: &str, icon: Rect) {
        let dress = cx.recipes.of("Segmented", "badge", &cx.node.props, &[]);
        let style = parts::style(&dress, &self.style);
        let high = dress.height.unwrap_or(16.0);
        let w = (Paragraph::new(text, &style).natural(cx.text).size().w
            + dress.look.padding[1]
            + dress.look.padding[3])
            .max(high);
        let x = if cx.rtl {
            icon.x + 6.0 - w
        } else {
            icon.right() - 6.0
        };
        let rect = Rect::new(x, icon.y - 6.0, w, high);
        cx.fill(
            rect,
            Radii::all(high / 2.0),
            dress.look.background.unwrap_or_else(|| cx.token("primary")),
        );
        let color = dress
            .look
            .color
            .unwrap_or_else(|| cx.token("primaryForeground"));
        cx.line_styled(text, &style, rect, Align::Center, color);
    }
}

/// The value after a press on `value`: it alone, or in and out of the list of several.
fn picked(props: &Props, value: &str) -> String {
    if props::string(props, "type") != Some("multiple") {
        return value.to_string();
    }
    let mut now = chosen(props);
    match now.iter().position(|v| v == value) {
        Some(i) => {
            now.remove(i);
        }
        None => now.push(value.to_string()),
    }
    // In the order of the items, whatever the order of the presses.
    let order: Vec<_> = props::objects(props, "items")
        .map(|o| props::text(o, &["value"]).into_owned())
        .collect();
    now.sort_by_key(|v| order.iter().position(|o| o == v).unwrap_or(usize::MAX));
    now.join(",")
}

fn change(value: String) -> Option<Intent> {
    Some(Intent::new("change", Some(json!({ "value": value }))))
}

impl Component for Segmented {
    fn measure(&self, cx: &mut MeasureCx<'_>, leaf: &LeafRequest<'_>, _: Option<f32>) -> Measured {
        let plan = Plan::of(leaf.props, cx.recipes, cx.text);
        let size = plan.natural();
        let shrinks = plan.variant == Variant::Bar && !plan.vertical;
        Measured {
            size,
            min_width: if shrinks { 0.0 } else { size.w },
            baseline: (!plan.items.is_empty() && plan.variant != Variant::Bar).then(|| {
                let line = plan.style.line_height;
                (size.h - line) / 2.0 + line * 0.75
            }),
        }
    }

    fn paint(&self, cx: &mut PaintCx<'_>) {
        let node = cx.node;
        Plan::of(&node.props, cx.recipes, cx.text).paint(cx);
    }

    fn press(
        &self,
        node: &PlacedNode,
        look: &Look,
        size: Size,
        at: Point,
        recipes: &Recipes,
        text: &mut TextEngine,
    ) -> Option<Intent> {
        let plan = Plan::of(&node.props, recipes, text);
        let i = plan
            .boxes(size, look.rtl == Some(true))
            .iter()
            .position(|b| b.contains(at))?;
        let item = plan.items.get(i).filter(|item| !item.disabled)?;
        let again = item.selected && props::string(&node.props, "type") != Some("multiple");
        if again {
            return None;
        }
        change(picked(&node.props, &item.value))
    }

    fn key(&self, node: &PlacedNode, look: &Look, key: &KeyPress) -> Option<Intent> {
        let values: Vec<_> = props::objects(&node.props, "items")
            .filter(|o| !props::flag(o, "disabled"))
            .map(|o| props::text(o, &["value"]).into_owned())
            .collect();
        if values.is_empty() || props::string(&node.props, "type") == Some("multiple") {
            return None;
        }
        let now = chosen(&node.props);
        let here = values.iter().position(|v| now.contains(v));
        let (last, vertical) = (values.len() - 1, is_vertical(&node.props));
        let step = |on: i64| {
            let from = here.map_or(if on > 0 { -1 } else { 0 }, |h| h as i64);
            (from + on).rem_euclid(values.len() as i64) as usize
        };
        let (forward, back) = if look.rtl == Some(true) {
            (Key::Left, Key::Right)
        } else {
            (Key::Right, Key::Left)
        };
        let to = match key.key {
            k if k == back && !vertical => step(-1),
            k if k == forward && !vertical => step(1),
            Key::Up if vertical => step(-1),
            Key::Down if vertical => step(1),
            Key::Home => 0,
            Key::End => last,
            _ => return None,
        };
        change(values.get(to)?.clone())
    }

    fn follows_pointer(&self) -> bool {
        true
    }

    fn focusable(&self, node: &PlacedNode) -> Option<bool> {
        Some(
            !props::flag(&node.props, "disabled")
                && props::objects(&node.props, "items").any(|o| !props::flag(o, "disabled")),
        )
    }
}
