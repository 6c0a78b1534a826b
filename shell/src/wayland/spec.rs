//! What the shell asks for when it creates a surface. Plain data, no Wayland.

use super::event::Serial;
use super::geometry::{Edges, Insets, Rect, Size};

/// A surface of the shell, for as long as it lives. Never used twice in one run.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct SurfaceId(pub(super) u64);

/// An output, from the moment it appears until it goes. Plugging a screen in again gives another id.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct OutputId(pub(super) u32);

/// Height in the stack of layer surfaces, lowest first. Windows stand between `Bottom` and `Top`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Layer {
    Background,
    Bottom,
    Top,
    Overlay,
}

/// Whether a layer surface gets keys.
///
/// Some compositors (sway 1.7) let a surface that asks for keys on demand keep them from every window: ask for them
/// while they are needed and give them back.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum KeyboardMode {
    #[default]
    None,
    OnDemand,
    Exclusive,
}

/// A surface on an edge, or anywhere, of an output.
#[derive(Clone, Debug)]
pub struct LayerSpec {
    pub output: OutputId,
    pub layer: Layer,
    /// The edges it sticks to. Two opposite ones stretch it between them.
    pub anchor: Edges,
    /// Logical; zero in a dimension that is stretched.
    pub size: Size,
    /// Logical length kept free of windows along the anchored edge; `-1` ignores what others reserve.
    pub exclusive_zone: i32,
    /// Logical distance from the anchored edges.
    pub margin: Insets,
    /// A name compositors show and match rules on, such as `ede-panel`.
    pub namespace: String,
    pub keyboard: KeyboardMode,
}

/// Who should draw a window's title bar.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Decorations {
    /// The compositor, if it can and will.
    #[default]
    Server,
    /// The shell, unless the compositor insists.
    Client,
}

/// An ordinary window.
#[derive(Clone, Debug, Default)]
pub struct ToplevelSpec {
    pub title: String,
    pub app_id: String,
    /// Logical size used while the compositor leaves the choice to us, without the frame of [`super::Platform::set_frame`].
    pub size: Size,
    /// Zero in a dimension: no limit.
    pub min_size: Size,
    /// Zero in a dimension: no limit. Raised to `min_size` where it is smaller.
    pub max_size: Size,
    pub decorations: Decorations,
    /// The window this one belongs to.
    pub parent: Option<SurfaceId>,
    /// A token another program handed over to let this window come to the front.
    pub activation_token: Option<String>,
}

/// What a compositor may do with a popup that would leave the screen.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Constraint {
    pub slide_x: bool,
    pub slide_y: bool,
    pub flip_x: bool,
    pub flip_y: bool,
    pub resize_x: bool,
    pub resize_y: bool,
}

impl Default for Constraint {
    /// Flip over the anchor, then slide along it.
    fn default() -> Self {
        Constraint {
            slide_x: true,
            slide_y: true,
            flip_x: false,
            flip_y: true,
            resize_x: false,
            resize_y: false,
        }
    }
}

/// Where a popup stands beside its parent.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct PopupPlace {
    /// The box it belongs to, logical, in the parent's surface coordinates; it may lie outside of the parent.
    pub anchor_rect: Rect,
    /// The edge or corner of that box it hangs on.
    pub anchor: Edges,
    /// The direction it grows in from there.
    pub gravity: Edges,
    /// Moves it, logical.
    pub offset: (i32, i32),
    /// Logical, without the frame of [`super::Platform::set_frame`].
    pub size: Size,
    pub constraint: Constraint,
}

/// A small surface beside another one: a menu, a tooltip, a widget opened large.
#[derive(Clone, Debug)]
pub struct PopupSpec {
    pub parent: SurfaceId,
    pub place: PopupPlace,
    /// Invisible border for a shadow, logical.
    pub frame: Insets,
    /// The press that opened it: the popup then takes the keyboard and goes when anything else is pressed.
    /// `None`: a tooltip, which takes nothing.
    pub grab: Option<Serial>,
}
