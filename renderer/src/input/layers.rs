//! Overlays: where the focus goes when one opens and returns to when it closes, Escape, presses outside, toasts that time out.

use eui_core::surface::Surface;
use serde_json::Value;

use super::cx::InputCx;
use super::focus::By;
use super::{Input, hover, order, role};
use crate::scene::{LayerInfo, Scene};

/// An overlay that is open, as the keyboard remembers it.
#[derive(Clone, Debug)]
pub(crate) struct Opened {
    root: String,
    /// The node that had the focus when it opened.
    back: Option<String>,
}

/// A toast and how long it still shows.
#[derive(Clone, Debug)]
struct Toast {
    id: String,
    /// Milliseconds it still shows; `None` stays until it is closed.
    left: Option<f64>,
    /// Since when its time runs; `None` while the pointer or the focus holds it.
    since: Option<f64>,
}

#[derive(Debug, Default)]
pub(crate) struct Layers {
    opened: Vec<Opened>,
    toasts: Vec<Toast>,
    /// A menu opened by Up starts at its last entry.
    pub from_end: bool,
}

/// Layers that show something and never take the focus.
pub(crate) fn passive(scene: &Scene, surface: &Surface, l: &LayerInfo) -> bool {
    let suggestions = scene
        .node(l.root)
        .is_some_and(|n| n.placed.part.as_deref() == Some("suggestions"));
    suggestions
        || matches!(l.kind.as_str(), "Tooltip" | "Toast")
        || hover::opens_on_hover(scene, surface.index_of(&l.owner))
}

/// The open layer that another one opened from, both by their roots: a submenu's menu, the popover a list hangs in.
pub(crate) fn below(scene: &Scene, surface: &Surface, root: u32) -> Option<u32> {
    let layers = scene.layers();
    let at = layers.iter().position(|l| l.root == root)?;
    let (earlier, own) = (&layers[..at], &layers[at]);
    let same = |l: &&LayerInfo| l.owner == own.owner && own.kind != "Toast";
    let opener = || order::root_of(scene, surface.index_of(&own.owner)?).into();
    let tree = earlier.iter().rfind(same).map(|l| l.root).or_else(opener)?;
    layers.iter().map(|l| l.root).find(|root| *root == tree)
}

impl Input {
    /// After a layout: overlays came and went.
    pub(crate) fn sync_layers(&mut self, cx: &mut InputCx<'_>) {
        let now: Vec<(String, LayerInfo)> = cx
            .scene
            .layers()
            .iter()
            .filter_map(|l| Some((cx.id(l.root)?, l.clone())))
            .collect();
        let mut closed: Vec<Opened> = Vec::new();
        self.layers.opened.retain(|o| {
            let open = now.iter().any(|(id, _)| *id == o.root);
            if !open {
                closed.push(o.clone());
            }
            open
        });
        let orphan = self
            .focus
            .id
            .as_ref()
            .is_none_or(|id| cx.slot(id).is_none() || closed.iter().any(|c| c.root == *id));
        if let Some(first) = closed.first().filter(|_| orphan) {
            let back = first.back.as_ref().and_then(|id| cx.slot(id)).filter(|s| {
                cx.node(*s)
                    .is_some_and(|n| role::focusable(n, cx.res.registry.of(&n.placed)))
            });
            self.focus_on(cx, back, By::Program);
        }
        for (id, layer) in now {
            if self.layers.opened.iter().any(|o| o.root == id)
                || passive(cx.scene, cx.surface, &layer)
            {
                continue;
            }
            self.layers.opened.push(Opened {
                root: id,
                back: self.focus.id.clone(),
            });
            let target = self.first_in(cx, &layer);
            self.focus_on(cx, Some(target), By::Program);
        }
        self.layers.from_end = false;
    }

    /// Where the focus starts in a layer; its root when nothing in it takes it.
    fn first_in(&self, cx: &InputCx<'_>, layer: &LayerInfo) -> u32 {
        let mut all = Vec::new();
        order::each(cx.scene, layer.root, &mut |s| all.push(s));
        let node = |s: u32| cx.scene.node(s).map(|n| &n.placed);
        let can = |s: u32| {
            cx.scene
                .node(s)
                .is_some_and(|n| role::focusable(n, cx.res.registry.of(&n.placed)))
        };
        let asks = |s: u32| {
            node(s).is_some_and(|n| {
                let access = n.accessibility.as_ref();
                let auto = access
                    .and_then(|a| a.get("autoFocus"))
                    .and_then(Value::as_bool);
                auto == Some(true) || role::flag(n, "autofocus") || role::flag(n, "autoFocus")
            })
        };
        if let Some(s) = all.iter().copied().find(|s| {
            can(*s) && (asks(*s) || node(*s).is_some_and(|n| n.part.as_deref() == Some("search")))
        }) {
            return s;
        }
        let group: Vec<u32> = all
            .iter()
            .copied()
            .filter(|s| can(*s) && node(*s).is_some_and(|n| role::rove(n).is_some()))
            .collect();
        let chosen = group
            .iter()
            .copied()
            .find(|s| node(*s).is_some_and(role::selected))
            .or_else(|| {
                group
                    .iter()
                    .copied()
                    .find(|s| node(*s).is_some_and(|n| role::flag(n, "today")))
            })
            .or_else(|| {
                group
                    .iter()
                    .copied()
                    .find(|s| node(*s).is_some_and(|n| !role::flag(n, "outside")))
            });
        if let Some(s) = chosen {
            if layer.kind != "Menu" {
                return s;
            }
            // A menu opened with the pointer marks nothing until a key is used.
            let end = if self.layers.from_end {
                group.last()
            } else {
                group.first()
            };
            return end.copied().filter(|_| self.keyboard).unwrap_or(layer.root);
        }
        let stops = order::stops_in(cx.scene, &cx.res.registry, layer.root);
        stops
            .iter()
            .copied()
            .find(|s| node(*s).is_some_and(|n| n.part.as_deref() != Some("close")))
            .or(stops.first().copied())
            .unwrap_or(layer.root)
    }

    /// Escape: the topmost overlay closes, a submenu alone. False when there is none.
    pub(crate) fn escape(&mut self, cx: &mut InputCx<'_>) -> bool {
        let focus_root = self.focus.slot.map(|s| order::root_of(cx.scene, s));
        let top = cx
            .scene
            .layers()
            .iter()
            .rfind(|l| l.kind != "Toast" || focus_root == Some(l.root))
            .cloned();
        let Some(top) = top else { return false };
        if let Some(row) = submenu_row(cx, &top) {
            self.keyboard = true;
            self.focus_on(cx, Some(row), By::Keyboard);
            cx.fire(row, "press", None);
            return true;
        }
        if top.dismissible {
            cx.fire(top.root, "dismiss", None);
            return true;
        }
        // A question that must be answered: Escape is its Cancel.
        let mut cancel = None;
        order::each(cx.scene, top.root, &mut |s| {
            if let Some(n) = cx.scene.node(s)
                && n.placed.id.ends_with(".cancel")
                && role::pressable(&n.placed)
            {
                cancel = Some(s);
            }
        });
        if let Some(s) = cancel {
            cx.fire(s, "press", None);
        }
        top.modal
    }

    /// A press at a point that is in no node of `top` or above: the topmost overlay closes. True when the press goes no further.
    pub(crate) fn press_outside(
        &mut self,
        cx: &mut InputCx<'_>,
        layer: Option<u32>,
        path: &[u32],
    ) -> bool {
        let index = |root: u32| cx.scene.layers().iter().position(|l| l.root == root);
        let from = layer.and_then(index).map_or(0, |i| i + 1);
        let above: Vec<LayerInfo> = cx.scene.layers()[from.min(cx.scene.layers().len())..].to_vec();
        let mut swallowed = false;
        for l in above.iter().rev() {
            if matches!(l.kind.as_str(), "Toast" | "Tooltip") || !l.dismissible {
                continue;
            }
            // Layers of one owner (a menu and its submenu) close as one.
            let inside_owner = layer.is_some_and(|root| {
                cx.scene
                    .layers()
                    .iter()
                    .any(|o| o.root == root && o.owner == l.owner)
            });
            // The trigger closes what it opened by its own press.
            let on_trigger = path.iter().any(|s| {
                cx.scene
                    .node(*s)
                    .is_some_and(|n| n.placed.trigger_for.as_deref() == Some(l.owner.as_str()))
            });
            // Typing into the field goes on while its suggestions show.
            let on_owner = path
                .iter()
                .any(|s| cx.scene.node(*s).is_some_and(|n| n.placed.id == l.owner))
                && cx
                    .scene
                    .node(l.root)
                    .is_some_and(|n| n.placed.part.as_deref() == Some("suggestions"));
            if inside_owner || on_trigger || on_owner {
                continue;
            }
            cx.fire(l.root, "dismiss", None);
            // A menu or list of options swallows the press that closes it; a popover lets it through.
            swallowed |= l.kind != "Popover";
            break;
        }
        swallowed
    }

    /// A press on the darkened surface around a modal layer.
    pub(crate) fn press_scrim(&mut self, cx: &mut InputCx<'_>, root: u32) {
        let dismissible = cx
            .scene
            .layers()
            .iter()
            .any(|l| l.root == root && l.dismissible);
        if dismissible {
            cx.fire(root, "dismiss", None);
        }
    }

    /// After a layout: toasts that came start their time, those that are gone are forgotten.
    pub(crate) fn sync_toasts(&mut self, cx: &mut InputCx<'_>) {
        let shown: Vec<(String, f64)> = cx.scene.toasts().to_vec();
        self.layers
            .toasts
            .retain(|t| shown.iter().any(|(id, _)| *id == t.id));
        for (id, ms) in shown {
            if !self.layers.toasts.iter().any(|t| t.id == id) {
                self.layers.toasts.push(Toast {
                    id,
                    left: (ms > 0.0).then_some(ms),
                    since: None,
                });
            }
        }
        self.run_toasts(cx);
    }

    /// Pause toasts under the pointer or with the focus; run the others; close those whose time is over.
    pub(crate) fn run_toasts(&mut self, cx: &mut InputCx<'_>) {
        if self.layers.toasts.is_empty() {
            return;
        }
        let roots: Vec<(String, u32)> = cx
            .scene
            .layers()
            .iter()
            .filter(|l| l.kind == "Toast")
            .map(|l| (l.owner.clone(), l.root))
            .collect();
        let mut over = Vec::new();
        for t in &mut self.layers.toasts {
            let root = roots.iter().find(|(o, _)| *o == t.id).map(|(_, r)| *r);
            let held = root.is_some_and(|r| {
                let under = self.pointer_path.contains(&r);
                let focused = self
                    .focus
                    .slot
                    .is_some_and(|s| order::root_of(cx.scene, s) == r);
                under || focused
            });
            let ran = t.since.take().map_or(0.0, |since| cx.now - since);
            let Some(left) = t.left.as_mut() else {
                continue;
            };
            *left -= ran;
            if *left <= 0.5 {
                over.extend(root);
            } else if !held {
                t.since = Some(cx.now);
            }
        }
        for root in over {
            cx.fire(root, "dismiss", None);
        }
    }

    /// When the next toast is over.
    pub(crate) fn toast_wake(&self) -> Option<f64> {
        self.layers
            .toasts
            .iter()
            .filter_map(|t| Some(t.since? + t.left?))
            .reduce(f64::min)
    }
}

/// The row an open submenu belongs to.
pub(crate) fn submenu_row(cx: &InputCx<'_>, layer: &LayerInfo) -> Option<u32> {
    if layer.kind != "Menu" {
        return None;
    }
    let root = cx.scene.node(layer.root)?;
    let rest = root
        .placed
        .id
        .strip_prefix(&format!("{}.content.", layer.owner))?;
    cx.slot(&format!("{}.item.{rest}", layer.owner))
}
