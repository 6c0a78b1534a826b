//! What the pointer is over: hover states, the cursor's shape, tooltips after a while.

use serde_json::Value;

use super::cx::InputCx;
use super::hit::{Found, Step};
use super::timers::Timer;
use super::{Input, order, role};
use crate::component::Registry;
use crate::scene::Scene;

/// A tooltip shows after the pointer has rested this long.
const TIP_DELAY: f64 = 500.0;
/// Moving on to another trigger this soon after a tooltip was open shows its own at once.
const TIP_WARM: f64 = 300.0;

/// The pointer's shape, as CSS names it.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Cursor {
    #[default]
    Default,
    Pointer,
    Text,
    NotAllowed,
    Grab,
    Grabbing,
    Move,
    ColResize,
    RowResize,
}

impl Cursor {
    fn parse(name: &str) -> Option<Cursor> {
        Some(match name {
            "default" => Cursor::Default,
            "pointer" => Cursor::Pointer,
            "text" => Cursor::Text,
            "not-allowed" => Cursor::NotAllowed,
            "grab" => Cursor::Grab,
            "grabbing" => Cursor::Grabbing,
            "move" => Cursor::Move,
            "col-resize" => Cursor::ColResize,
            "row-resize" => Cursor::RowResize,
            _ => return None,
        })
    }

    /// The shape over a path of nodes, the deepest first.
    pub(crate) fn over(scene: &Scene, registry: &Registry, path: &[Step]) -> Cursor {
        for node in path.iter().filter_map(|s| scene.node(s.slot)) {
            let n = &node.placed;
            if role::inert(n) {
                return Cursor::Default;
            }
            if let Some(c) = node.look.cursor.as_deref().and_then(Cursor::parse) {
                return c;
            }
            if role::is_part(n, "Resizable", "handle") {
                let row = n.props.get("orientation").and_then(Value::as_str) == Some("horizontal");
                return if row {
                    Cursor::RowResize
                } else {
                    Cursor::ColResize
                };
            }
            if registry.of(n).field(n).is_some() {
                return Cursor::Text;
            }
            if n.component == "Link" {
                return Cursor::Pointer;
            }
            if role::pressable(n) {
                return Cursor::Default;
            }
        }
        Cursor::Default
    }
}

#[derive(Debug, Default)]
pub(crate) struct Hover {
    /// Nodes that carry the `hover` state.
    ids: Vec<String>,
    /// Triggers under the pointer whose tooltip waits, and those that are open.
    open_tips: Vec<String>,
    /// Triggers that were pressed: silent until the pointer has left them.
    muted: Vec<String>,
    /// The trigger that is open because the keyboard is on it.
    focus_tip: Option<String>,
    last_open: Option<f64>,
    pub cursor: Cursor,
    /// Scroll containers under the pointer, the innermost first.
    pub scrollers: Vec<u32>,
}

impl Hover {
    /// Is the pointer, or what it opened, on this node?
    pub fn has(&self, id: &str) -> bool {
        self.ids.iter().any(|i| i == id)
    }
}

impl Input {
    /// The pointer is over `found` now.
    pub(crate) fn hover(&mut self, cx: &mut InputCx<'_>, found: &Found) {
        self.hover.cursor = Cursor::over(cx.scene, &cx.res.registry, &found.path);
        self.hover.scrollers = found
            .path
            .iter()
            .map(|s| s.slot)
            .filter(|s| cx.scene.scroll_of(*s).is_some())
            .collect();
        let mut ids = Vec::new();
        let mut tips = Vec::new();
        for s in found.path.iter().map(|s| s.slot) {
            let Some(node) = cx.scene.node(s) else {
                continue;
            };
            let n = &node.placed;
            if opens_on_hover(
                cx.scene,
                cx.surface.index_of(n.trigger_for.as_deref().unwrap_or("")),
            ) {
                tips.push(n.id.clone());
                continue;
            }
            let field = cx.res.registry.of(n).field(n).is_some();
            if role::inert(n) {
                continue;
            }
            if role::pressable(n)
                || field
                || n.trigger_for.is_some()
                || found.layer == Some(s)
                || cx.surface.hover_styled(s)
            {
                ids.push(n.id.clone());
            }
        }
        self.tips(cx, tips);
        ids.extend(self.hover.open_tips.iter().cloned());
        self.set_hovered(cx, ids);
    }

    /// The pointer is nowhere on the surface.
    pub(crate) fn unhover(&mut self, cx: &mut InputCx<'_>) {
        self.hover.cursor = Cursor::Default;
        self.hover.scrollers.clear();
        self.tips(cx, Vec::new());
        self.set_hovered(cx, Vec::new());
    }

    fn set_hovered(&mut self, cx: &mut InputCx<'_>, ids: Vec<String>) {
        if ids == self.hover.ids {
            return;
        }
        self.hover.ids = ids;
        if cx.surface.set_hovered(&self.hover.ids) {
            cx.out.relayout = true;
        }
        cx.drain();
    }

    /// Triggers under the pointer: those that are new wait, those that are left close.
    fn tips(&mut self, cx: &mut InputCx<'_>, tips: Vec<String>) {
        if !self.hover.open_tips.is_empty() {
            self.hover.last_open = Some(cx.now);
        }
        self.hover.open_tips.retain(|t| tips.contains(t));
        self.hover.muted.retain(|t| tips.contains(t));
        let keyboard = self.focus_tip_waits.clone();
        self.timers.cancel_where(|t| {
            matches!(t, Timer::Tip { trigger } if !tips.contains(trigger) && keyboard.as_ref() != Some(trigger))
        });
        let warm = self.hover.last_open.is_some_and(|t| cx.now - t < TIP_WARM);
        for t in tips {
            if self.hover.open_tips.contains(&t) || self.hover.muted.contains(&t) {
                continue;
            }
            if warm {
                self.hover.open_tips.push(t);
            } else if !self.timers.has(&Timer::Tip { trigger: t.clone() }) {
                self.timers
                    .set(Timer::Tip { trigger: t }, cx.now + TIP_DELAY);
            }
        }
    }

    /// The pointer or the focus has rested on a trigger.
    pub(crate) fn tip_due(&mut self, cx: &mut InputCx<'_>, trigger: String) {
        if self.focus_tip_waits.as_deref() == Some(trigger.as_str()) {
            self.focus_tip_waits = None;
            cx.flag(&trigger, &["focus-visible"], true);
            self.hover.focus_tip = Some(trigger);
            return;
        }
        self.hover.open_tips.push(trigger.clone());
        self.hover.last_open = Some(cx.now);
        let mut ids = self.hover.ids.clone();
        ids.push(trigger);
        self.set_hovered(cx, ids);
    }

    /// A press hides the tooltips of what is pressed until the pointer comes back.
    pub(crate) fn hide_tips(&mut self, cx: &mut InputCx<'_>) {
        let waiting = self.timers.take_tips();
        let open = std::mem::take(&mut self.hover.open_tips);
        self.hover.muted.extend(open.iter().cloned());
        self.hover.muted.extend(waiting);
        if !open.is_empty() {
            let ids = self
                .hover
                .ids
                .iter()
                .filter(|i| !open.contains(i))
                .cloned()
                .collect();
            self.set_hovered(cx, ids);
        }
        self.unfocus_tip(cx);
        let shown: Vec<u32> = cx
            .scene
            .layers()
            .iter()
            .filter(|l| l.kind == "Tooltip")
            .map(|l| l.root)
            .collect();
        for root in shown {
            cx.fire(root, "dismiss", None);
        }
    }

    /// The keyboard is on `slot`: the tooltip around it shows after the same delay.
    pub(crate) fn focus_tip(&mut self, cx: &mut InputCx<'_>, slot: u32, visible: bool) {
        self.unfocus_tip(cx);
        if !visible {
            return;
        }
        let trigger = order::ancestors(cx.scene, slot)
            .filter_map(|s| cx.scene.node(s))
            .find(|n| {
                let target = n.placed.trigger_for.as_deref().unwrap_or("");
                opens_on_hover(cx.scene, cx.surface.index_of(target))
            })
            .map(|n| n.placed.id.clone());
        if let Some(trigger) = trigger {
            self.timers.set(
                Timer::Tip {
                    trigger: trigger.clone(),
                },
                cx.now + TIP_DELAY,
            );
            self.focus_tip_waits = Some(trigger);
        }
    }

    pub(crate) fn unfocus_tip(&mut self, cx: &mut InputCx<'_>) {
        if let Some(trigger) = self.focus_tip_waits.take() {
            self.timers.cancel(&Timer::Tip { trigger });
        }
        if let Some(t) = self.hover.focus_tip.take()
            && self.focus.id.as_ref() != Some(&t)
        {
            cx.flag(&t, &["focus-visible"], false);
        }
    }
}

/// A tooltip, or a popover that opens on hover.
pub(crate) fn opens_on_hover(scene: &Scene, overlay: Option<u32>) -> bool {
    overlay.and_then(|s| scene.node(s)).is_some_and(|n| {
        let p = &n.placed;
        p.component == "Tooltip"
            || (p.component == "Popover"
                && p.props.get("openOn").and_then(Value::as_str) == Some("hover"))
    })
}
