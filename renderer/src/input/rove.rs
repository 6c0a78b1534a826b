//! Arrows inside a group with one tab stop: tabs, radio buttons, tiles, menus, lists of options, calendar days; and typing ahead.

use serde_json::{Value, json};

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

    /// Days: arrows by day and week, pages by month and year, Home and End by week.
    fn day_key(&mut self, cx: &mut InputCx<'_>, slot: u32, key: &KeyPress) -> bool {
        let Some(n) = cx.node(slot).map(|n| &n.placed) else {
            return false;
        };
        let (Some(owner), Some(date)) = (
            n.owner.clone(),
            n.props
                .get("date")
                .and_then(Value::as_str)
                .map(str::to_string),
        ) else {
            return false;
        };
        let week =
            n.id.rsplit('.')
                .next()
                .and_then(|d| d.parse::<i64>().ok())
                .unwrap_or(0);
        let Some(day) = Day::parse(&date) else {
            return false;
        };
        let rtl = is_rtl(cx, slot);
        let back = if rtl { 1 } else { -1 };
        let to = match key.key {
            Key::Left => day.plus_days(back),
            Key::Right => day.plus_days(-back),
            Key::Up => day.plus_days(-7),
            Key::Down => day.plus_days(7),
            Key::Home => day.plus_days(-week),
            Key::End => day.plus_days(6 - week),
            Key::PageUp => day.plus_months(if key.mods.shift { -12 } else { -1 }),
            Key::PageDown => day.plus_months(if key.mods.shift { 12 } else { 1 }),
            _ => return false,
        };
        self.rove.day = Some((owner, to.iso()));
        self.turn_to_day(cx);
        true
    }

    /// Focus the day the keyboard asked for, turning the calendar's page until it is there.
    pub(crate) fn turn_to_day(&mut self, cx: &mut InputCx<'_>) {
        let Some((owner, date)) = self.rove.day.clone() else {
            return;
        };
        let Some(want) = Day::parse(&date) else {
            self.rove.day = None;
            return;
        };
        let title = cx.slot(&format!("{owner}.title")).and_then(|s| cx.node(s));
        let shown = title.and_then(|n| {
            Some((
                n.placed.props.get("year")?.as_i64()?,
                n.placed.props.get("month")?.as_i64()?,
            ))
        });
        let Some((year, month)) = shown else {
            self.rove.day = None;
            return;
        };
        let months = (want.year - year) * 12 + (want.month - month);
        if months != 0 {
            let part = if months > 0 { "next" } else { "previous" };
            let Some(turn) = cx.slot(&format!("{owner}.{part}")) else {
                self.rove.day = None;
                return;
            };
            for _ in 0..months.unsigned_abs().min(24) {
                cx.fire(turn, "press", None);
            }
            return;
        }
        let mut found = None;
        if let Some(layer) = cx.scene.layers().iter().rfind(|l| l.owner == owner) {
            order::each(cx.scene, layer.root, &mut |s| {
                if let Some(n) = cx.scene.node(s)
                    && n.placed.part.as_deref() == Some("day")
                    && n.placed.props.get("date").and_then(Value::as_str) == Some(date.as_str())
                    && !role::flag(&n.placed, "outside")
                {
                    found = Some(s);
                }
            });
        }
        self.rove.day = None;
        if found.is_some_and(|s| {
            cx.node(s)
                .is_some_and(|n| role::focusable(n, cx.res.registry.of(&n.placed)))
        }) {
            self.focus_on(cx, found, By::Keyboard);
        }
    }

    /// Keys of a field that filters a list below it: the arrows move in the list, the focus stays in the field.
    pub(crate) fn search_key(&mut self, cx: &mut InputCx<'_>, slot: u32, key: &KeyPress) -> bool {
        let Some(n) = cx.node(slot).map(|n| &n.placed) else {
            return false;
        };
        if n.part.as_deref() == Some("input") && n.owner_component.as_deref() == Some("ChipInput") {
            return self.chip_key(cx, slot, key);
        }
        if n.part.as_deref() != Some("search") || key.mods.commands() {
            return false;
        }
        let select = n.owner_component.as_deref() == Some("Select");
        let menu = n.owner_component.as_deref() == Some("Menu");
        let at_start = self
            .editor()
            .is_some_and(|e| e.buffer.caret() == 0 && e.buffer.selection().is_empty());
        let name = match key.key {
            Key::Up | Key::Down | Key::Enter => key.key.name(),
            Key::Tab if !select && !key.mods.shift => key.key.name(),
            Key::Left if menu && at_start => key.key.name(),
            _ => None,
        };
        let Some(name) = name else { return false };
        // What is typed must have filtered the list before a row of it is picked.
        self.flush_change(cx);
        if select {
            return self.option_key(cx, slot, key.key);
        }
        cx.fire(slot, "key", Some(json!({ "key": name })))
            || matches!(key.key, Key::Up | Key::Down | Key::Enter)
    }

    /// A select with a search field: the marked option follows the arrows, Enter takes it.
    fn option_key(&mut self, cx: &mut InputCx<'_>, slot: u32, key: Key) -> bool {
        let root = order::root_of(cx.scene, slot);
        let options = options_in(cx, root);
        if options.is_empty() {
            return true;
        }
        let active = self
            .rove
            .active
            .as_ref()
            .and_then(|id| cx.slot(id))
            .and_then(|s| options.iter().position(|o| *o == s));
        match key {
            Key::Enter => {
                if let Some(s) = active.map(|i| options[i]).or(options.first().copied()) {
                    cx.fire(s, "press", None);
                }
            }
            _ => {
                let next = match (key, active) {
                    (Key::Down, Some(i)) => (i + 1) % options.len(),
                    (Key::Up, Some(0) | None) => options.len() - 1,
                    (Key::Up, Some(i)) => i - 1,
                    _ => 0,
                };
                self.mark_option(cx, options[next]);
            }
        }
        true
    }

    fn mark_option(&mut self, cx: &mut InputCx<'_>, slot: u32) {
        if let Some(old) = self.rove.active.take() {
            cx.flag(&old, &["hover"], self.hover.has(&old));
        }
        if let Some(id) = cx.id(slot) {
            cx.flag(&id, &["hover"], true);
            self.rove.active = Some(id);
            self.reveal(cx, slot);
        }
    }

    /// Chips: Backspace in the empty field reaches the last one, Down the suggestions.
    fn chip_key(&mut self, cx: &mut InputCx<'_>, slot: u32, key: &KeyPress) -> bool {
        let Some(owner) = cx.node(slot).and_then(|n| n.placed.owner.clone()) else {
            return false;
        };
        let empty = self.editor().is_some_and(|e| e.buffer.text().is_empty());
        match key.key {
            Key::Backspace if empty => {
                let mut last = None;
                for i in 0.. {
                    match cx.slot(&format!("{owner}.remove.{i}")) {
                        Some(s) => last = Some(s),
                        None => break,
                    }
                }
                if let Some(s) = last {
                    if self.chip_armed.take().as_deref() == Some(owner.as_str()) {
                        self.hover_chip(cx, s, false);
                        cx.fire(s, "press", None);
                    } else {
                        self.hover_chip(cx, s, true);
                        self.chip_armed = Some(owner);
                    }
                }
                true
            }
            Key::Down => {
                let layer = cx
                    .scene
                    .layers()
                    .iter()
                    .find(|l| l.owner == owner)
                    .map(|l| l.root);
                let first = layer.and_then(|root| options_in(cx, root).first().copied());
                if let Some(s) = first {
                    self.flush_change(cx);
                    self.focus_on(cx, Some(s), By::Keyboard);
                }
                first.is_some()
            }
            _ => {
                self.chip_armed = None;
                false
            }
        }
    }

    /// The chip that the next Backspace removes shows it.
    fn hover_chip(&mut self, cx: &mut InputCx<'_>, remove: u32, on: bool) {
        let chip = cx
            .node(remove)
            .and_then(|n| n.placed.parent)
            .and_then(|p| cx.id(p));
        if let Some(id) = chip {
            cx.flag(&id, &["hover", "focus"], on);
        }
    }
}

/// The options of a list, disabled ones left out.
fn options_in(cx: &InputCx<'_>, root: u32) -> Vec<u32> {
    let mut out = Vec::new();
    order::each(cx.scene, root, &mut |s| {
        if let Some(n) = cx.scene.node(s)
            && matches!(n.placed.part.as_deref(), Some("item" | "suggestion"))
            && role::focusable(n, cx.res.registry.of(&n.placed))
        {
            out.push(s);
        }
    });
    out
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

/// A day of the Gregorian calendar.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Day {
    year: i64,
    month: i64,
    day: i64,
}

impl Day {
    fn parse(iso: &str) -> Option<Day> {
        let mut parts = iso.splitn(3, '-').map(|p| p.parse::<i64>().ok());
        let (year, month, day) = (parts.next()??, parts.next()??, parts.next()??);
        ((1..=12).contains(&month) && (1..=31).contains(&day)).then_some(Day { year, month, day })
    }

    fn iso(self) -> String {
        format!("{:04}-{:02}-{:02}", self.year, self.month, self.day)
    }

    fn length(year: i64, month: i64) -> i64 {
        let leap = (year % 4 == 0 && year % 100 != 0) || year % 400 == 0;
        match month {
            2 => 28 + i64::from(leap),
            4 | 6 | 9 | 11 => 30,
            _ => 31,
        }
    }

    /// At most a few weeks either way.
    fn plus_days(mut self, days: i64) -> Day {
        self.day += days;
        while self.day < 1 {
            let to = self.plus_months(-1);
            self = Day {
                day: self.day + Day::length(to.year, to.month),
                ..to
            };
        }
        while self.day > Day::length(self.year, self.month) {
            let day = self.day - Day::length(self.year, self.month);
            let to = Day { day: 1, ..self }.plus_months(1);
            self = Day { day, ..to };
        }
        self
    }

    fn plus_months(self, months: i64) -> Day {
        let total = self.year * 12 + self.month - 1 + months;
        let (year, month) = (total.div_euclid(12), total.rem_euclid(12) + 1);
        Day {
            year,
            month,
            day: self.day.clamp(1, Day::length(year, month)),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn days_cross_months_and_years() {
        let day = Day {
            year: 2024,
            month: 3,
            day: 1,
        };
        assert_eq!(day.plus_days(-1).iso(), "2024-02-29");
        assert_eq!(day.plus_days(-7).iso(), "2024-02-23");
        let last = Day {
            year: 2025,
            month: 12,
            day: 31,
        };
        assert_eq!(last.plus_days(1).iso(), "2026-01-01");
        assert_eq!(last.plus_months(2).iso(), "2026-02-28");
    }
}
