//! What a node is to the keyboard and the pointer: pressable, focusable, a member of a group with one tab stop. The shared rules of
//! the catalog's parts live in these tables; a component may say otherwise for its own nodes.

use eui_core::surface::PlacedNode;
use serde_json::Value;

use crate::component::Component;
use crate::measure::EXTENSION;
use crate::scene::Node;

/// A group whose members share one tab stop; arrows move inside it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Rove {
    /// Left and right move and activate.
    Tabs,
    /// Every arrow moves and chooses.
    Radio,
    /// Every arrow moves; choosing is a press.
    Tiles,
    /// Up and down move; a letter jumps.
    Menu,
    Options,
    Days,
}

const GROUPS: &[(&str, &str, Rove)] = &[
    ("Tabs", "tab", Rove::Tabs),
    ("Radio", "item", Rove::Radio),
    ("ChoiceTiles", "tile", Rove::Tiles),
    ("Menu", "item", Rove::Menu),
    ("Select", "item", Rove::Options),
    ("TimePicker", "item", Rove::Options),
    ("ChipInput", "suggestion", Rove::Options),
    ("DatePicker", "day", Rove::Days),
    ("DateRangePicker", "day", Rove::Days),
];

/// Parts a press reaches but Tab does not: their owner has a key for them, or another part does the same.
const UNSTOPPED: &[(&str, &str)] = &[
    ("Radio", "dot"),
    ("NumberField", "decrement"),
    ("NumberField", "increment"),
    ("ChipInput", "remove"),
    ("FileUpload", "browse"),
    ("SearchList", "item"),
    ("Slider", "thumb"),
];

/// Natives a press always means something to, whether or not the author listens.
const PRESSED: &[&str] = &["Button", "Link", "Toggle", "Segmented"];

/// Fields whose label hands its press on to them.
const LABELLED: &[&str] = &[
    "Input",
    "Textarea",
    "NumberField",
    "Select",
    "ChipInput",
    "DatePicker",
    "DateRangePicker",
    "TimePicker",
    "Slider",
];

fn part(n: &PlacedNode) -> Option<(&str, &str)> {
    n.owner_component.as_deref().zip(n.part.as_deref())
}

pub(crate) fn is_part(n: &PlacedNode, owner: &str, name: &str) -> bool {
    part(n) == Some((owner, name))
}

pub(crate) fn flag(n: &PlacedNode, prop: &str) -> bool {
    n.props.get(prop).and_then(Value::as_bool).unwrap_or(false)
}

pub(crate) fn disabled(n: &PlacedNode) -> bool {
    flag(n, "disabled") || flag(n, "loading") || n.states.iter().any(|s| s == "disabled")
}

pub(crate) fn selected(n: &PlacedNode) -> bool {
    flag(n, "selected")
        || flag(n, "checked")
        || n.states.iter().any(|s| s == "selected" || s == "checked")
}

pub(crate) fn rove(n: &PlacedNode) -> Option<Rove> {
    let (owner, name) = part(n)?;
    GROUPS
        .iter()
        .find(|(o, p, _)| *o == owner && *p == name)
        .map(|g| g.2)
}

/// A press on the node means something.
pub(crate) fn pressable(n: &PlacedNode) -> bool {
    !disabled(n) && (n.pressable || (n.part.is_none() && PRESSED.contains(&n.component.as_str())))
}

/// A control that would be pressable were it not switched off: it takes the press and does nothing.
pub(crate) fn inert(n: &PlacedNode) -> bool {
    disabled(n) && (n.pressable || PRESSED.contains(&n.component.as_str()) || rove(n).is_some())
}

/// Can the node hold the keyboard focus?
pub(crate) fn focusable(node: &Node, component: &dyn Component) -> bool {
    let n = &node.placed;
    if n.hidden || node.look.gone || node.look.invisible || disabled(n) {
        return false;
    }
    if n.component == EXTENSION {
        return true;
    }
    if let Some(says) = component.focusable(n) {
        return says;
    }
    component.field(n).is_some() || pressable(n)
}

/// Does Tab stop at a focusable node?
pub(crate) fn stops(n: &PlacedNode) -> bool {
    part(n).is_none_or(|p| !UNSTOPPED.contains(&p))
}

/// The owner whose field a press on this label focuses.
pub(crate) fn labels(n: &PlacedNode) -> Option<&str> {
    let (owner, name) = part(n)?;
    (name == "label" && LABELLED.contains(&owner))
        .then_some(n.owner.as_deref())
        .flatten()
}

/// A button that is held rather than pressed.
pub(crate) fn held(n: &PlacedNode) -> bool {
    n.component == "Button" && n.part.is_none() && flag(n, "hold") && !disabled(n)
}
