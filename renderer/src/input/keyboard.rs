//! Where a key goes: the component, the field, the group, the node, what is around it, the overlay, the tab order. The first that
//! takes it ends the way; what nobody takes belongs to the host.

use eui_core::format::parse_number;
use eui_core::hold::HoldInput;
use eui_core::surface::PlacedNode;
use serde_json::{Value, json};

use super::cx::InputCx;
use super::event::{Key, KeyPress};
use super::focus::By;
use super::intent::Nudge;
use super::order::{self, FocusStep};
use super::rove::is_rtl;
use super::scroll::LINE;
use super::{Input, role};
use crate::geometry::Point;

impl Input {
    pub(crate) fn key(&mut self, cx: &mut InputCx<'_>, key: &KeyPress) {
        cx.out.taken = self.route_key(cx, key);
        self.focus_asked(cx);
    }

    fn route_key(&mut self, cx: &mut InputCx<'_>, key: &KeyPress) -> bool {
        self.keyboard = true;
        let slot = self.focus.slot.filter(|s| {
            cx.node(*s)
                .is_some_and(|n| Some(&n.placed.id) == self.focus.id.as_ref())
        });
        if let Some(slot) = slot {
            if self.number_key(cx, slot, key)
                || self.component_key(cx, slot, key)
                || self.nudge(cx, slot, &Nudge::Key(key.clone()))
            {
                return true;
            }
            if self.editor().is_some() {
                if self.search_key(cx, slot, key) || self.field_key(cx, key) {
                    return true;
                }
            } else if self.rove_key(cx, slot, key)
                || self.part_key(cx, slot, key)
                || self.press_key(cx, slot, key)
            {
                return true;
            }
        }
        if let Some(root) = self.quiet_menu(cx)
            && self.enter_menu(cx, root, key)
        {
            return true;
        }
        match key.key {
            Key::Escape => {
                if self.cancel_press(cx) || self.escape(cx) {
                    return true;
                }
                false
            }
            Key::Tab if !key.mods.commands() => {
                let step = if key.mods.shift {
                    FocusStep::Previous
                } else {
                    FocusStep::Next
                };
                self.tab(cx, step);
                cx.out.taken
            }
            Key::Menu => self.menu_at_focus(cx, slot),
            Key::F(10) if key.mods.shift => self.menu_at_focus(cx, slot),
            _ => self.around_key(cx, slot, key) || self.scroll_key(cx, key),
        }
    }

    /// The component's own keys come first.
    fn component_key(&mut self, cx: &mut InputCx<'_>, slot: u32, key: &KeyPress) -> bool {
        let Some(node) = cx.node(slot) else {
            return false;
        };
        let Some(intent) = cx
            .res
            .registry
            .of(&node.placed)
            .key(&node.placed, &node.look, key)
        else {
            return false;
        };
        if self.editor().is_some() {
            // The engine answers to the text as it stands.
            self.flush_change(cx);
            self.reload_after_layout = true;
        }
        self.tell(cx, slot, intent);
        true
    }

    /// Keys of a number, ahead of its component for what is typed counts: arrows by a step, with shift and pages by ten, Home and End to its bounds.
    fn number_key(&mut self, cx: &mut InputCx<'_>, slot: u32, key: &KeyPress) -> bool {
        let number = |n: &PlacedNode, prop: &str| n.props.get(prop).and_then(Value::as_f64);
        if key.mods.commands()
            || !matches!(
                key.key,
                Key::Up | Key::Down | Key::PageUp | Key::PageDown | Key::Home | Key::End
            )
            || self.editor().is_none()
            || cx
                .node(slot)
                .is_none_or(|n| !role::is_part(&n.placed, "NumberField", "input"))
        {
            return false;
        }
        self.flush_change(cx);
        let owner = cx
            .node(slot)
            .and_then(|n| n.placed.owner.clone())
            .unwrap_or_default();
        let Some(n) = cx.surface.index_of(&owner).and_then(|s| cx.node(s)) else {
            return false;
        };
        let n = &n.placed;
        let (min, max) = (number(n, "min"), number(n, "max"));
        // What was just typed is in the engine, not yet in the node.
        let typed = self.editor().map(|e| e.buffer.text().to_string());
        let value = typed
            .and_then(|t| parse_number(cx.surface.formatter().as_ref(), &t))
            .or(number(n, "value"))
            .unwrap_or(min.filter(|m| *m > 0.0).unwrap_or(0.0));
        let step = number(n, "step").filter(|s| *s > 0.0).unwrap_or(1.0);
        let ten = if key.mods.shift { 10.0 } else { 1.0 };
        let to = match key.key {
            Key::Up => value + step * ten,
            Key::Down => value - step * ten,
            Key::PageUp => value + step * 10.0,
            Key::PageDown => value - step * 10.0,
            Key::Home => match min.filter(|_| !key.mods.shift) {
                Some(m) => m,
                None => return false,
            },
            _ => match max.filter(|_| !key.mods.shift) {
                Some(m) => m,
                None => return false,
            },
        };
        cx.fire(slot, "commit", Some(json!({ "value": to })));
        self.reload_after_layout = true;
        true
    }

    /// Keys of parts that have rules of their own.
    fn part_key(&mut self, cx: &mut InputCx<'_>, slot: u32, key: &KeyPress) -> bool {
        let Some(n) = cx.node(slot).map(|n| &n.placed) else {
            return false;
        };
        if key.mods.commands() {
            return false;
        }
        if role::is_part(n, "Resizable", "handle") {
            return match key.key {
                Key::Left
                | Key::Right
                | Key::Up
                | Key::Down
                | Key::Home
                | Key::End
                | Key::Enter => cx.fire(slot, "key", Some(json!({ "key": key.key.name() }))),
                _ => false,
            };
        }
        if role::is_part(n, "Accordion", "trigger") {
            let all = order::members(cx.scene, &cx.res.registry, slot);
            let here = all.iter().position(|s| *s == slot).unwrap_or(0);
            let to = match key.key {
                Key::Down => all.get(here + 1),
                Key::Up => here.checked_sub(1).and_then(|i| all.get(i)),
                Key::Home => all.first(),
                Key::End => all.last(),
                _ => return false,
            };
            if let Some(to) = to.copied() {
                self.focus_on(cx, Some(to), By::Keyboard);
            }
            return true;
        }
        if matches!(key.key, Key::Up | Key::Down) {
            // What opens a list or a menu answers to the arrows too.
            let opens = n
                .trigger_for
                .clone()
                .and_then(|t| cx.slot(&t))
                .and_then(|s| cx.node(s));
            let list = opens.is_some_and(|o| {
                matches!(
                    o.placed.component.as_str(),
                    "Menu" | "Select" | "TimePicker" | "DatePicker" | "DateRangePicker"
                )
            });
            let open = n.states.iter().any(|s| s == "open");
            if list && !open && role::pressable(n) {
                self.layers.from_end = key.key == Key::Up;
                cx.fire(slot, "press", None);
                return true;
            }
        }
        if matches!(key.key, Key::Delete | Key::Backspace) {
            // A chip that can be removed.
            let remove = cx.slot(&format!("{}.remove", n.id));
            if let Some(r) =
                remove.filter(|r| cx.node(*r).is_some_and(|n| role::pressable(&n.placed)))
            {
                cx.fire(r, "press", None);
                return true;
            }
        }
        false
    }

    /// Enter and Space press, or hold.
    fn press_key(&mut self, cx: &mut InputCx<'_>, slot: u32, key: &KeyPress) -> bool {
        let name = match key.key {
            Key::Enter if !key.mods.commands() => "Enter",
            Key::Space if !key.mods.commands() => " ",
            _ => return false,
        };
        let Some(node) = cx.node(slot) else {
            return false;
        };
        if role::held(&node.placed) {
            let input = HoldInput::KeyDown {
                key: name.into(),
                repeat: key.repeat,
            };
            let events = cx.surface.hold(slot, &input);
            cx.absorb(events);
            return true;
        }
        if !role::pressable(&node.placed) {
            return false;
        }
        let space_only =
            matches!(node.placed.component.as_str(), "Checkbox") && node.placed.part.is_none();
        let enter_only = node.placed.component == "Link";
        if (space_only && name == "Enter") || (enter_only && name == " ") {
            return false;
        }
        if !key.repeat {
            self.copied_later(cx, slot);
            cx.fire(slot, "press", None);
        }
        true
    }

    /// A key is let go: a held button ends its hold.
    pub(crate) fn key_up(&mut self, cx: &mut InputCx<'_>, key: Key) {
        let name = match key {
            Key::Enter => "Enter",
            Key::Space => " ",
            _ => return,
        };
        if let Some(slot) = self.focus.slot
            && cx.node(slot).is_some_and(|n| role::held(&n.placed))
        {
            let events = cx
                .surface
                .hold(slot, &HoldInput::KeyUp { key: name.into() });
            cx.out.taken = !events.is_empty();
            cx.absorb(events);
        }
    }

    /// The focus leaves a button that is held.
    pub(crate) fn release_hold(&mut self, cx: &mut InputCx<'_>, slot: u32) {
        if cx.node(slot).is_some_and(|n| role::held(&n.placed)) {
            let events = cx.surface.hold(slot, &HoldInput::Blur);
            cx.absorb(events);
        }
    }

    /// Tab. In a menu or a list of options it closes them and moves on from what opened them.
    fn tab(&mut self, cx: &mut InputCx<'_>, step: FocusStep) {
        let root = self.focus.slot.map(|s| order::root_of(cx.scene, s));
        let list = cx
            .scene
            .layers()
            .iter()
            .find(|l| Some(l.root) == root)
            .cloned();
        if let Some(l) = list.filter(|l| {
            matches!(l.kind.as_str(), "Menu" | "Select" | "TimePicker") && l.dismissible
        }) {
            let trigger = trigger_of(cx, &l.owner);
            cx.fire(l.root, "dismiss", None);
            if trigger.is_some() {
                self.focus_on(cx, trigger, By::Keyboard);
            }
        }
        self.focus_step(cx, step);
    }

    /// A menu is open and nothing in it is marked yet.
    fn quiet_menu(&self, cx: &InputCx<'_>) -> Option<u32> {
        let slot = self.focus.slot?;
        cx.scene
            .layers()
            .iter()
            .find(|l| l.root == slot && l.kind == "Menu")
            .map(|l| l.root)
    }

    /// The first key in a menu that was opened with the pointer.
    fn enter_menu(&mut self, cx: &mut InputCx<'_>, root: u32, key: &KeyPress) -> bool {
        let stops = order::stops_in(cx.scene, &cx.res.registry, root);
        let Some(first) = stops.first().copied() else {
            return false;
        };
        let all = order::members(cx.scene, &cx.res.registry, first);
        let to = match key.key {
            Key::Down | Key::Home | Key::Tab => all.first(),
            Key::Up | Key::End => all.last(),
            _ => return self.type_ahead(cx, first, key),
        };
        if let Some(to) = to.copied() {
            self.focus_on(cx, Some(to), By::Keyboard);
        }
        true
    }

    /// Keys of what the focus is inside of.
    fn around_key(&mut self, cx: &mut InputCx<'_>, slot: Option<u32>, key: &KeyPress) -> bool {
        let Some(slot) = slot.filter(|_| !key.mods.commands()) else {
            return false;
        };
        let carousel = order::ancestors(cx.scene, slot).find(|s| {
            cx.node(*s)
                .is_some_and(|n| n.placed.component == "Carousel" && n.placed.part.is_none())
        });
        let Some(c) = carousel else { return false };
        let id = node_id(cx, c);
        let rtl = is_rtl(cx, c);
        let part = match key.key {
            Key::Left => Some(if rtl { "next" } else { "previous" }),
            Key::Right => Some(if rtl { "previous" } else { "next" }),
            _ => None,
        };
        if let Some(part) = part {
            if let Some(b) = cx
                .slot(&format!("{id}.{part}"))
                .filter(|b| cx.node(*b).is_some_and(|n| role::pressable(&n.placed)))
            {
                cx.fire(b, "press", None);
            }
            return true;
        }
        let pages = cx
            .slot(&format!("{id}.page"))
            .and_then(|p| cx.node(p))
            .map_or(0, |p| p.placed.children.len());
        let page = match key.key {
            Key::Home => 0,
            Key::End => pages.saturating_sub(1),
            _ => return false,
        };
        cx.fire(c, "change", Some(json!({ "page": page })))
    }

    /// Arrows, pages, Home and End scroll what nothing else takes them for.
    fn scroll_key(&mut self, cx: &mut InputCx<'_>, key: &KeyPress) -> bool {
        if key.mods.commands() || self.editor().is_some() {
            return false;
        }
        let Some(s) = self.key_scroller(cx.scene) else {
            return false;
        };
        let Some(frame) = cx.node(s).map(|n| n.frame) else {
            return false;
        };
        let page = frame.h * 0.9;
        let far = 1.0e7;
        let by = match key.key {
            Key::Up => Point::new(0.0, -LINE),
            Key::Down => Point::new(0.0, LINE),
            Key::Left => Point::new(-LINE, 0.0),
            Key::Right => Point::new(LINE, 0.0),
            Key::PageUp => Point::new(0.0, -page),
            Key::PageDown => Point::new(0.0, page),
            Key::Space => Point::new(0.0, if key.mods.shift { -page } else { page }),
            Key::Home => Point::new(0.0, -far),
            Key::End => Point::new(0.0, far),
            _ => return false,
        };
        self.scroll_by(cx, s, by) != by
    }

    /// The context menu of the node with the focus, at the node.
    fn menu_at_focus(&mut self, cx: &mut InputCx<'_>, slot: Option<u32>) -> bool {
        let Some(slot) = slot else { return false };
        if cx.fire(slot, "contextmenu", None) {
            return true;
        }
        let node = cx.scene.node(slot);
        let root = order::root_of(cx.scene, slot);
        let outside = !cx.scene.layers().iter().any(|l| l.root == root);
        cx.out.context_menu = node.filter(|_| outside).map(|n| n.frame.center());
        false
    }
}

fn node_id(cx: &InputCx<'_>, slot: u32) -> String {
    cx.id(slot).unwrap_or_default()
}

/// The node that opened an overlay.
fn trigger_of(cx: &InputCx<'_>, owner: &str) -> Option<u32> {
    cx.scene
        .nodes()
        .find(|n| n.placed.trigger_for.as_deref() == Some(owner))
        .filter(|n| role::focusable(n, cx.res.registry.of(&n.placed)))
        .map(|n| n.placed.index)
}
