//! The trait a native component implements and the registry that finds it. The renderer knows no component by name: it asks the
//! registry for the one that owns a node, and hands it the resolved look, the text engine and a place to put ops.

use std::collections::HashMap;
use std::sync::Arc;

use eui_core::measure::{ControlBox, LeafRequest, TextStyle};
use eui_core::surface::PlacedNode;
use serde_json::{Map, Value};

use crate::color::Color;
use crate::display::{Op, Path, Stroke};
use crate::geometry::{Point, Radii, Rect, Size};
use crate::icons;
use crate::images::Images;
use crate::input::{Drag, Edit, FieldSpec, Intent, KeyPress, Nudge, Own};
use crate::look::{Align, Look};
use crate::recipes::{Recipe, Recipes};
use crate::text::{Direction, TextBlock, TextEngine, TextSpec};

/// What a leaf needs: its border box, the narrowest it can be, and its first baseline from the top.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Measured {
    pub size: Size,
    pub min_width: f32,
    pub baseline: Option<f32>,
}

impl Measured {
    /// A box that is the same at every width.
    pub fn fixed(w: f32, h: f32) -> Measured {
        Measured {
            size: Size::new(w, h),
            min_width: w,
            baseline: None,
        }
    }

    /// Content of `size` inside the control's padding and border; `baseline` is the content's own.
    pub fn around(
        size: Size,
        min_width: f32,
        baseline: Option<f32>,
        control: &ControlBox,
    ) -> Measured {
        let [t, r, b, l] = control.padding;
        let border = 2.0 * control.border_width;
        let sides = l + r + border;
        Measured {
            size: Size::new(size.w + sides, size.h + t + b + border),
            min_width: min_width + sides,
            baseline: baseline.map(|y| y + t + control.border_width),
        }
    }
}

/// A node that was nudged, and what its component may use to say what comes of it.
pub struct NudgeCx<'a> {
    pub node: &'a PlacedNode,
    pub look: &'a Look,
    pub size: Size,
    /// What the component kept of the node so far.
    pub own: Option<Own>,
    pub images: &'a mut Images,
    pub recipes: &'a Recipes,
}

/// What a component may use while it measures.
pub struct MeasureCx<'a> {
    pub text: &'a mut TextEngine,
    pub images: &'a mut Images,
    pub recipes: &'a Recipes,
}

/// What a component may use while it paints one node. The origin is the node's top left; ops go to [`PaintCx::push`].
pub struct PaintCx<'a> {
    pub node: &'a PlacedNode,
    pub look: &'a Look,
    pub size: Size,
    /// The node's colour, its own or the nearest ancestor's.
    pub color: Color,
    pub style: &'a TextStyle,
    pub rtl: bool,
    pub text: &'a mut TextEngine,
    pub images: &'a mut Images,
    pub recipes: &'a Recipes,
    /// The text, caret and selection of the field this node is, while it has the keyboard focus or newer text than its props.
    pub edit: Option<&'a Edit>,
    /// The node has the keyboard focus.
    pub focused: bool,
    /// What [`Component::nudge`] kept of the node.
    pub own: Option<Own>,
    /// Where the pointer is over this node, for components that answer to it.
    pub pointer: Option<Point>,
    /// Milliseconds since the node came into the tree; still at its first value when nothing animates.
    pub elapsed_ms: f64,
    /// What the node's boolean props were before the last of them changed, and how many milliseconds ago that was.
    pub before: Option<(&'a Map<String, Value>, f64)>,
    pub(crate) ops: Vec<Op>,
    pub(crate) animates: bool,
}

impl PaintCx<'_> {
    pub fn push(&mut self, op: Op) {
        self.ops.push(op);
    }

    /// The whole node.
    pub fn bounds(&self) -> Rect {
        Rect::of_size(self.size)
    }

    /// The node inside its own border and padding.
    pub fn content(&self) -> Rect {
        self.bounds()
            .inset_sides(self.look.border)
            .inset_sides(self.look.padding)
    }

    /// Ask for another frame: what was painted moves with the time.
    pub fn animate(&mut self) {
        self.animates = true;
    }

    pub fn str_prop(&self, name: &str) -> Option<&str> {
        self.node
            .props
            .get(name)
            .and_then(Value::as_str)
            .filter(|s| !s.is_empty())
    }

    pub fn num_prop(&self, name: &str) -> Option<f32> {
        self.node
            .props
            .get(name)
            .and_then(Value::as_f64)
            .map(|n| n as f32)
            .filter(|n| n.is_finite())
    }

    pub fn bool_prop(&self, name: &str) -> bool {
        self.node
            .props
            .get(name)
            .and_then(Value::as_bool)
            .unwrap_or(false)
    }

    /// How long the boolean prop `name` has had its value, in ms, where it had another before.
    pub fn since(&self, name: &str) -> Option<f64> {
        let (was, ms) = self.before?;
        let was = was.get(name).and_then(Value::as_bool).unwrap_or(false);
        (was != self.bool_prop(name)).then_some(ms)
    }

    pub fn has_state(&self, state: &str) -> bool {
        self.node.states.iter().any(|s| s == state)
    }

    pub fn token(&self, name: &str) -> Color {
        self.recipes.token(name)
    }

    /// The resolved style of a part that has no node of its own (a check, a thumb, an axis), with this node's states.
    pub fn recipe(&self, component: &str, part: &str) -> Arc<Recipe> {
        self.recipes
            .of(component, part, &self.node.props, &self.node.states)
    }

    pub fn fill(&mut self, rect: Rect, radii: Radii, color: Color) {
        if !color.is_invisible() && !rect.is_empty() {
            self.push(Op::Fill {
                rect,
                radii,
                brush: color.into(),
            });
        }
    }

    pub fn stroke(&mut self, path: Path, width: f32, color: Color) {
        self.push(Op::Path {
            path: Arc::new(path),
            brush: color.into(),
            stroke: Some(Stroke {
                width,
                dash: None,
                round: true,
            }),
        });
    }

    pub fn shape(&mut self, spec: &TextSpec<'_>) -> Arc<TextBlock> {
        self.text.shape(spec)
    }

    /// Paint `block` with its top left at `origin`, cut at `clip`.
    pub fn block(
        &mut self,
        block: Arc<TextBlock>,
        origin: Point,
        color: Color,
        clip: Option<Rect>,
    ) {
        self.push(Op::Text {
            block,
            origin,
            color,
            clip,
        });
    }

    /// One line of `text` in the node's style, vertically centred in `rect`, cut with an ellipsis at its width.
    pub fn line(&mut self, text: &str, rect: Rect, align: Align, color: Color) {
        let style = self.style.clone();
        self.line_styled(text, &style, rect, align, color);
    }

    /// [`PaintCx::line`] in another style.
    pub fn line_styled(
        &mut self,
        text: &str,
        style: &TextStyle,
        rect: Rect,
        align: Align,
        color: Color,
    ) {
        if text.is_empty() || rect.w <= 0.0 {
            return;
        }
        let block = self.text.shape(
            &TextSpec::new(text, style)
                .wrap(Some(rect.w))
                .lines(Some(1))
                .align(align)
                .direction(Direction::within(self.look.rtl)),
        );
        let y = rect.y + (rect.h - block.size().h) / 2.0;
        self.block(block, Point::new(rect.x, y), color, None);
    }

    /// An icon by its eUI name, as large as `rect` allows and centred in it. An unknown name draws the placeholder.
    pub fn icon(&mut self, name: &str, rect: Rect, color: Color) {
        icons::paint(self, name, rect, color);
    }
}

/// A native component: how its leaves measure, paint and take input. One file each in `ede-widgets`.
pub trait Component: Send + Sync {
    /// The border box of a leaf: at its natural width for `None`, wrapped at the border-box `width` else.
    /// The caller applies the control's fixed and minimum sizes afterwards.
    fn measure(
        &self,
        cx: &mut MeasureCx<'_>,
        leaf: &LeafRequest<'_>,
        width: Option<f32>,
    ) -> Measured;

    /// The node's content, above its box (background, border, shadow are already there) and below its children.
    fn paint(&self, cx: &mut PaintCx<'_>);

    /// What lies above the children (an indicator, a fade). Most have nothing.
    fn paint_over(&self, _cx: &mut PaintCx<'_>) {}

    /// A focused node of this component takes text: which, and how its edits are told to the surface.
    fn field(&self, _node: &PlacedNode) -> Option<FieldSpec> {
        None
    }

    /// A press and release at `at` (node coordinates). `None` leaves it to the engine's `press`. The event `openUrl` with a `url` opens
    /// it; `submit` on the field being edited submits the text as it stands.
    fn press(
        &self,
        _node: &PlacedNode,
        _look: &Look,
        _size: Size,
        _at: Point,
        _recipes: &Recipes,
        _text: &mut TextEngine,
    ) -> Option<Intent> {
        None
    }

    /// The pointer was pressed on the node and moves. `None` when the component has no drag.
    fn drag(&self, _node: &PlacedNode, _look: &Look, _size: Size, _drag: &Drag) -> Option<Intent> {
        None
    }

    /// A key while the node has the focus. `None` leaves it to the shared rules (Enter and Space press, Tab moves on).
    fn key(&self, _node: &PlacedNode, _look: &Look, _key: &KeyPress) -> Option<Intent> {
        None
    }

    /// What to keep of the node after `nudge`, to be painted from [`PaintCx::own`], and what to tell the surface. `None` leaves the
    /// input to the shared rules.
    fn nudge(&self, _cx: &mut NudgeCx<'_>, _nudge: &Nudge) -> Option<(Own, Option<Intent>)> {
        None
    }

    /// Does a press on a focusable node belong to it? Else it is for what is around it.
    fn holds_press(&self) -> bool {
        true
    }

    /// Can the node take the keyboard focus? `None` leaves it to the engine: a pressable node can.
    fn focusable(&self, _node: &PlacedNode) -> Option<bool> {
        None
    }

    /// Repaint when the pointer moves over the node (a chart's tooltip).
    fn follows_pointer(&self) -> bool {
        false
    }

    /// The component paints the node's box too (background, border, shadow): it is narrower than the frame, or it fades.
    fn own_box(&self) -> bool {
        false
    }

    /// The colour the node's content inherits, where it depends on more than the look (a menu's destructive entry).
    fn ink(&self, _node: &PlacedNode, _recipes: &Recipes) -> Option<Color> {
        None
    }

    /// The colour of the node's border, where the component draws another than the look's.
    fn edge(&self, _look: &Look, _recipes: &Recipes) -> Option<Color> {
        None
    }

    /// Where a field's text lies in the node, for [`crate::input::field::FieldText`]: both the painter and a click use it.
    fn field_area(&self, _node: &PlacedNode, look: &Look, size: Size) -> Rect {
        Rect::of_size(size)
            .inset_sides(look.border)
            .inset_sides(look.padding)
    }
}

/// Finds the component of a node: by the part it is (`Table/cell`), else by its native kind (`Text`).
pub struct Registry {
    parts: HashMap<(&'static str, &'static str), &'static dyn Component>,
    kinds: HashMap<&'static str, &'static dyn Component>,
    fallback: &'static dyn Component,
}

impl Registry {
    /// `fallback` draws whatever has no component: a labelled placeholder.
    pub fn new(fallback: &'static dyn Component) -> Registry {
        Registry {
            parts: HashMap::new(),
            kinds: HashMap::new(),
            fallback,
        }
    }

    pub fn kind(mut self, kind: &'static str, component: &'static dyn Component) -> Registry {
        self.kinds.insert(kind, component);
        self
    }

    pub fn part(
        mut self,
        owner: &'static str,
        part: &'static str,
        component: &'static dyn Component,
    ) -> Registry {
        self.parts.insert((owner, part), component);
        self
    }

    pub fn find(
        &self,
        kind: &str,
        owner: Option<&str>,
        part: Option<&str>,
    ) -> &'static dyn Component {
        owner
            .zip(part)
            .and_then(|key| self.parts.get(&key).copied())
            .or_else(|| self.kinds.get(kind).copied())
            .unwrap_or(self.fallback)
    }

    /// Is there a component for it, or would the placeholder stand in?
    pub fn knows(&self, kind: &str, owner: Option<&str>, part: Option<&str>) -> bool {
        owner
            .zip(part)
            .is_some_and(|key| self.parts.contains_key(&key))
            || self.kinds.contains_key(kind)
    }

    pub fn of(&self, node: &PlacedNode) -> &'static dyn Component {
        self.find(
            &node.component,
            node.owner_component.as_deref(),
            node.part.as_deref(),
        )
    }
}
