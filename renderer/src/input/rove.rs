//! Arrows inside a group with one tab stop: tabs, radio buttons, tiles, menus, lists of options, calendar days; and typing ahead.

use serde_json::Value;

use super::cx::InputCx;
use super::event::{Key, KeyPress};
use super::focus::By;
use super::role::Rove;
use super::{Input, layers, order, role};

/// Letters typed within this time of each other are one search.
const TYPE_AHEAD: f64 = 1000.0;

#[derive(Debug, Default)]
pub(crate) struct Roving {
    typed: String,
    typed_at: f64,
    /// A calendar day to focus once its month is laid out: the owner and the date.
    pub day: Option<(String, String)>,
    /// The option the arrows have reached while the focus stays in a search field.
    pub active: Option<String>,
}

impl Roving {
    pub fn reset(&mut self) {
        self.typed.clear();
        self.active = None;
    }
}

impl Input {
    /// A key on a member of a group. False leaves it to the rules every node shares.
    pub(crate) fn rove_key(&mut self, cx: &mut InputCx<'_>, slot: u32, key: &KeyPress) -> bool {
        let Some(kind) = cx.node(slot).and_then(|n| role::rove(&n.placed)) else {
            return false;
        };
        if key.mods.commands() {
            return false;
        }
        let rtl = is_rtl(cx, slot);
        let along = direction(key.key, rtl);
        match kind {
            Rove::Days => self.day_key(cx, slot, key),
            Rove::Tabs | Rove::Radio | Rove::Tiles => {
                let upright = matches!(key.key, Key::Up | Key::Down);
                if kind == Rove::Tabs && upright {
                    return false;
                }
                let Some(to) = step(cx, slot, along, key.key) else {
                    return false;
                };
                self.focus_on(cx, Some(to), By::Keyboard);
                let single = cx.node(to).is_some_and(|n| chooses_one(cx, &n.placed));
                if kind != Rove::Tiles || single {
                    cx.fire(to, "press", None);
                }
                true
            }
            Rove::Menu => self.menu_key(cx, slot, key, rtl),
            Rove::Options => {
                let vertical = if matches!(key.key, Key::Up | Key::Down) {
                    along
                } else {
                    None
                };
                match step(cx, slot, vertical, key.key) {
                    Some(to) => {
                        self.focus_on(cx, Some(to), By::Keyboard);
                        true
                    }
                    None => self.type_ahead(cx, slot, key),
                }
            }
        }
    }

    fn menu_key(&mut self, cx: &mut InputCx<'_>, slot: u32, key: &KeyPress, rtl: bool) -> bool {
        let vertical = match key.key {
            Key::Up => Some(-1),
            Key::Down => Some(1),
            _ => None,
        };
        if let Some(to) = step(cx, slot, vertical, key.key) {
            self.focus_on(cx, Some(to), By::Keyboard);
            return true;
        }
        let submenu = cx
            .node(slot)
            .is_some_and(|n| n.placed.props.get("kind").and_then(Value::as_str) == Some("submenu"));
        let forward = key.key == if rtl { Key::Left } else { Key::Right };
        let back = key.key == if rtl { Key::Right } else { Key::Left };
        if forward && submenu {
            let open = cx
                .node(slot)
                .is_some_and(|n| n.placed.states.iter().any(|s| s == "open"));
            if !open {
                cx.fire(slot, "press", None);
            }
            return true;
        }
        if back {
            let root = order::root_of(cx.scene, slot);
            let layer = cx.scene.layers().iter().find(|l| l.root == root).cloned();
            if let Some(row) = layer.and_then(|l| layers::submenu_row(cx, &l)) {
                self.focus_on(cx, Some(row), By::Keyboard);
                cx.fire(row, "press", None);
                return true;
            }
        }
        self.type_ahead(cx, slot, key)
    }

    /// A letter jumps to the next member whose label starts with what was typed.
    pub(crate) fn type_ahead(&mut self, cx: &mut InputCx<'_>, slot: u32, key: &KeyPress) -> bool {
        let Some(text) = key.typed().map(str::to_lowercase) else {
            return false;
        };
        if cx.now - self.rove.typed_at > TYPE_AHEAD {
            self.rove.typed.clear();
        }
        if self.rove.typed.is_empty() && text.trim().is_empty() {
            return false;
        }
        self.rove.typed_at = cx.now;
        self.rove.typed.push_str(&text);
        let all = order::members(cx.scene, &cx.res.registry, slot);
        let here = all.iter().position(|s| *s == slot).unwrap_or(0);
        // The same letter again goes on to the next; a longer text stays while it fits.
        let repeated = self.rove.typed.chars().all(|c| text.starts_with(c));
        let needle = if repeated {
            text
        } else {
            self.rove.typed.clone()
        };
        let from = if repeated || needle.chars().count() == 1 {
            here + 1
        } else {
            here
        };
        let found = (0..all.len())
            .map(|i| all[(from + i) % all.len()])
            .find(|s| {
                cx.node(*s)
                    .is_some_and(|n| label(&n.placed.props).to_lowercase().starts_with(&needle))
            });
        if let Some(to) = found {
            self.focus_on(cx, Some(to), By::Keyboard);
        }
        true
    }
}

/// Does the member's group hold one choice?
fn chooses_one(cx: &InputCx<'_>, n: &eui_core::surface::PlacedNode) -> bool {
    let owner = n
        .owner
        .as_ref()
        .and_then(|o| cx.slot(o))
        .and_then(|s| cx.node(s));
    owner.is_none_or(|o| o.placed.props.get("type").and_then(Value::as_str) != Some("multiple"))
}

fn label(props: &serde_json::Map<String, Value>) -> &str {
    ["text", "label"]
        .iter()
        .find_map(|k| props.get(*k).and_then(Value::as_str))
        .unwrap_or("")
}

pub(crate) fn is_rtl(cx: &InputCx<'_>, slot: u32) -> bool {
    order::ancestors(cx.scene, slot)
        .find_map(|s| cx.scene.node(s).and_then(|n| n.look.rtl))
        .unwrap_or(cx.scene.rtl())
}

/// Forward, back, or neither.
fn direction(key: Key, rtl: bool) -> Option<isize> {
    let side = if rtl { -1 } else { 1 };
    match key {
        Key::Left => Some(-side),
        Key::Right => Some(side),
        Key::Up => Some(-1),
        Key::Down => Some(1),
        _ => None,
    }
}

/// The member a key leads to: one further (round and round), the first or the last.
fn step(cx: &InputCx<'_>, slot: u32, along: Option<isize>, key: Key) -> Option<u32> {
    let all = order::members(cx.scene, &cx.res.registry, slot);
    let n = all.len() as isize;
    if n == 0 {
        return None;
    }
    let to = match (along, key) {
        (Some(d), _) => {
            let here = all.iter().position(|s| *s == slot)? as isize;
            (here + d).rem_euclid(n)
        }
        (None, Key::Home) => 0,
        (None, Key::End) => n - 1,
        _ => return None,
    };
    all.get(to as usize).copied()
}
