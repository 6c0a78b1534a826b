//! Text fields: Input, Textarea, the number of a NumberField, the entry of a ChipInput, the search lines. The box around is the scene's
//! or another part's; here are the text, its placeholder, the selection and the caret.

use ede_renderer::component::{Component, MeasureCx, Measured, PaintCx};
use ede_renderer::geometry::{Point, Radii, Rect, Size};
use ede_renderer::input::field::{CARET, FieldLayout, FieldText};
use ede_renderer::input::{Edit, FieldSpec, Intent, Key, KeyPress, Purpose, Stand};
use ede_renderer::look::Look;
use eui_core::layout::FIELD_INTRINSIC_WIDTH;
use eui_core::layout_tree::fields::{clamp_number_value, number_prop, number_step_precision};
use eui_core::measure::LeafRequest;
use eui_core::surface::PlacedNode;
use serde_json::json;

use crate::paragraph::Paragraph;
use crate::props::{self, Props};
use crate::text;

pub struct Input;
pub struct Textarea;
pub struct Number;
pub struct Entry;
pub struct Search;

const ICON: f32 = 16.0;
const ICON_GAP: f32 = 8.0;
/// How strongly the selected text is marked.
const SELECTED: f32 = 0.35;
/// Lines a field may ask for.
const MOST_LINES: f64 = 200.0;

fn one_line(purpose: Purpose, prop: &'static str) -> FieldSpec {
    FieldSpec {
        multiline: false,
        secret: purpose == Purpose::Password,
        purpose,
        prop,
        enter_submits: true,
        stand: Stand::Styled,
    }
}

/// The number of a NumberField stands between its buttons; beside its unit where it has one.
fn number_spec(props: &Props) -> FieldSpec {
    let unit = props::string(props, "unit").is_some_and(|unit| !unit.is_empty());
    FieldSpec {
        stand: if unit { Stand::End } else { Stand::Center },
        ..one_line(Purpose::Number, "text")
    }
}

fn enabled(node: &PlacedNode, spec: FieldSpec) -> Option<FieldSpec> {
    let off = props::flag(&node.props, "disabled") || node.states.iter().any(|s| s == "disabled");
    (!off).then_some(spec)
}

fn input_spec(props: &Props) -> FieldSpec {
    let purpose = match props::string(props, "type") {
        Some("password") => Purpose::Password,
        Some("email") => Purpose::Email,
        Some("url") => Purpose::Url,
        Some("tel") => Purpose::Phone,
        Some("number") => Purpose::Number,
        _ => Purpose::Text,
    };
    one_line(purpose, "value")
}

const TEXTAREA: FieldSpec = FieldSpec {
    multiline: true,
    secret: false,
    purpose: Purpose::Text,
    prop: "value",
    enter_submits: false,
    stand: Stand::Styled,
};

/// The text of a field that nobody edits.
fn at_rest(props: &Props, spec: FieldSpec) -> Edit {
    Edit {
        text: props::text(props, &[spec.prop]).into_owned(),
        ..Edit::default()
    }
}

/// Paint a field's text, or its placeholder while it is empty, into `area`.
pub fn paint(cx: &mut PaintCx<'_>, spec: FieldSpec, area: Rect) {
    let node = cx.node;
    let resting = at_rest(&node.props, spec);
    let edit = cx.edit.unwrap_or(&resting);
    let style = cx.style.clone();
    let layout = FieldLayout {
        area,
        style: &style,
        align: spec.align(cx.look),
        rtl: cx.look.rtl,
    };
    let text = FieldText::new(cx.text, spec, layout, edit);
    // A caret at the very edge and an overhanging glyph still show.
    let clip = Rect::new(area.x - 2.0, area.y - 2.0, area.w + 4.0, area.h + 4.0);
    if edit.text.is_empty() && edit.preedit.is_none() {
        placeholder(cx, spec, area, clip);
    } else {
        let marked = cx.token("info").fade(SELECTED);
        for rect in text.selection() {
            cx.fill(rect.intersect(&clip), Radii::all(2.0), marked);
        }
        let color = cx.color;
        cx.block(text.block.clone(), text.origin(), color, Some(clip));
    }
    if edit.focused && edit.caret_on {
        let c = text.caret();
        let high = (style.font_size * 1.25).min(c.h.max(1.0));
        let bar = Rect::new(c.x.round(), c.y + (c.h - high) / 2.0, CARET, high);
        let color = cx.color;
        cx.fill(bar.intersect(&clip), Radii::NONE, color);
    }
}

fn placeholder(cx: &mut PaintCx<'_>, spec: FieldSpec, area: Rect, clip: Rect) {
    let node = cx.node;
    let hint = props::string(&node.props, "placeholder").unwrap_or("");
    if hint.is_empty() {
        return;
    }
    let owner = node.owner_component.as_deref().unwrap_or(&node.component);
    let color = cx
        .recipe(owner, "placeholder")
        .look
        .color
        .unwrap_or_else(|| cx.token("mutedForeground"));
    let hint = props::bounded(hint);
    let style = cx.style.clone();
    let lines = if spec.multiline { None } else { Some(1) };
    let (block, dx) = Paragraph::new(&hint, &style)
        .dressed(cx.look)
        .align(spec.align(cx.look))
        .lines(lines)
        .at(cx.text, area.w);
    let y = if spec.multiline {
        area.y
    } else {
        area.y + (area.h - block.size().h) / 2.0
    };
    cx.block(block, Point::new(area.x + dx, y), color, Some(clip));
}

/// A field of one line at the catalog's width.
fn one_line_box(leaf: &LeafRequest<'_>) -> Measured {
    let line = leaf.text_style.line_height;
    let m = Measured::around(Size::new(0.0, line), 0.0, Some(line * 0.75), &leaf.control);
    Measured {
        size: Size::new(FIELD_INTRINSIC_WIDTH as f32, m.size.h),
        min_width: (leaf.control.padding[1] + leaf.control.padding[3] + 24.0)
            .min(FIELD_INTRINSIC_WIDTH as f32),
        ..m
    }
}

/// A bare line of text inside another part's box: as wide as what it shows.
fn bare_line(cx: &mut MeasureCx<'_>, leaf: &LeafRequest<'_>, prop: &str, lead: f32) -> Measured {
    let own = props::text(leaf.props, &[prop]);
    let hint = props::string(leaf.props, "placeholder").map(props::bounded);
    let mut w = 0.0f32;
    for shown in [Some(own), hint].into_iter().flatten() {
        let block = Paragraph::new(&shown, leaf.text_style)
            .lines(Some(1))
            .natural(cx.text);
        w = w.max(block.size().w + CARET);
    }
    let line = leaf.text_style.line_height;
    let mut m = Measured::around(
        Size::new(w.min(4000.0) + lead, line),
        40.0,
        Some(line * 0.75),
        &leaf.control,
    );
    m.min_width = m.min_width.min(m.size.w);
    m
}

impl Component for Input {
    fn measure(&self, _: &mut MeasureCx<'_>, leaf: &LeafRequest<'_>, _: Option<f32>) -> Measured {
        one_line_box(leaf)
    }

    fn paint(&self, cx: &mut PaintCx<'_>) {
        let (spec, area) = (input_spec(&cx.node.props), cx.content());
        paint(cx, spec, area);
    }

    fn field(&self, node: &PlacedNode) -> Option<FieldSpec> {
        enabled(node, input_spec(&node.props))
    }
}

impl Component for Textarea {
    fn measure(
        &self,
        cx: &mut MeasureCx<'_>,
        leaf: &LeafRequest<'_>,
        width: Option<f32>,
    ) -> Measured {
        let rows = |name: &str| props::number(leaf.props, name).map(|n| n.clamp(1.0, MOST_LINES));
        let least = rows("rows").unwrap_or(3.0);
        let mut lines = least;
        if props::flag(leaf.props, "autosize") {
            let own = props::text(leaf.props, &["value"]);
            let inner = text::inner(leaf, width.unwrap_or(FIELD_INTRINSIC_WIDTH as f32));
            let (block, _) = Paragraph::new(&own, leaf.text_style).at(cx.text, inner - CARET);
            let most = rows("maxRows").unwrap_or(MOST_LINES).max(least);
            lines = f64::from(block.line_count()).clamp(least, most);
        }
        let line = leaf.text_style.line_height;
        let m = Measured::around(
            Size::new(0.0, line * lines as f32),
            0.0,
            Some(line * 0.75),
            &leaf.control,
        );
        Measured {
            size: Size::new(FIELD_INTRINSIC_WIDTH as f32, m.size.h),
            min_width: 64.0,
            ..m
        }
    }

    fn paint(&self, cx: &mut PaintCx<'_>) {
        let area = cx.content();
        paint(cx, TEXTAREA, area);
    }

    fn field(&self, node: &PlacedNode) -> Option<FieldSpec> {
        enabled(node, TEXTAREA)
    }
}

impl Component for Number {
    fn measure(&self, cx: &mut MeasureCx<'_>, leaf: &LeafRequest<'_>, _: Option<f32>) -> Measured {
        bare_line(cx, leaf, "text", 0.0)
    }

    fn paint(&self, cx: &mut PaintCx<'_>) {
        let (spec, area) = (number_spec(&cx.node.props), cx.content());
        paint(cx, spec, area);
    }

    fn field(&self, node: &PlacedNode) -> Option<FieldSpec> {
        enabled(node, number_spec(&node.props))
    }

    fn key(&self, node: &PlacedNode, _: &Look, key: &KeyPress) -> Option<Intent> {
        let (step, precision) = number_step_precision(&node.props);
        let steps = match key.key {
            Key::Up if key.mods.shift => 10.0,
            Key::Down if key.mods.shift => -10.0,
            Key::Up => 1.0,
            Key::Down => -1.0,
            Key::PageUp => 10.0,
            Key::PageDown => -10.0,
            _ => return None,
        };
        let (min, max) = (
            number_prop(&node.props, "min"),
            number_prop(&node.props, "max"),
        );
        let from = number_prop(&node.props, "value");
        // An empty field starts where the scale does, as its buttons do.
        let to = from.map_or_else(|| min.unwrap_or(0.0).max(0.0), |v| v + steps * step);
        let to = clamp_number_value(to, min, max, precision);
        Some(Intent::new("commit", Some(json!({ "value": to }))))
    }
}

impl Component for Entry {
    fn measure(&self, cx: &mut MeasureCx<'_>, leaf: &LeafRequest<'_>, _: Option<f32>) -> Measured {
        bare_line(cx, leaf, "text", 0.0)
    }

    fn paint(&self, cx: &mut PaintCx<'_>) {
        let area = cx.content();
        paint(cx, one_line(Purpose::Text, "text"), area);
    }

    fn field(&self, node: &PlacedNode) -> Option<FieldSpec> {
        enabled(node, one_line(Purpose::Text, "text"))
    }
}

/// Where a search line's text is: after its glass.
fn search_area(look: &Look, size: Size, icon: bool) -> Rect {
    let mut area = Rect::of_size(size)
        .inset_sides(look.border)
        .inset_sides(look.padding);
    if icon {
        area.w = (area.w - ICON - ICON_GAP).max(0.0);
        if look.rtl != Some(true) {
            area.x += ICON + ICON_GAP;
        }
    }
    area
}

fn has_icon(props: &Props) -> bool {
    props::string(props, "icon").is_some()
}

impl Component for Search {
    fn measure(&self, cx: &mut MeasureCx<'_>, leaf: &LeafRequest<'_>, _: Option<f32>) -> Measured {
        let lead = if has_icon(leaf.props) {
            ICON + ICON_GAP
        } else {
            0.0
        };
        bare_line(cx, leaf, "value", lead)
    }

    fn paint(&self, cx: &mut PaintCx<'_>) {
        let node = cx.node;
        let area = search_area(cx.look, cx.size, has_icon(&node.props));
        if let Some(name) = props::string(&node.props, "icon") {
            let x = if cx.rtl {
                area.right() + ICON_GAP
            } else {
                area.x - ICON_GAP - ICON
            };
            let color = cx.token("mutedForeground");
            let at = Rect::new(x, area.y + (area.h - ICON) / 2.0, ICON, ICON);
            cx.icon(name, at, color);
        }
        paint(cx, one_line(Purpose::Text, "value"), area);
    }

    fn field(&self, node: &PlacedNode) -> Option<FieldSpec> {
        enabled(node, one_line(Purpose::Text, "value"))
    }

    fn field_area(&self, node: &PlacedNode, look: &Look, size: Size) -> Rect {
        search_area(look, size, has_icon(&node.props))
    }
}
