//! Input: pointer, touch, keys and the input method to surface events; hover, focus, scrolling, drags and text editing on the way.
//!
//! [`Input`] is the state of one surface, [`cx::InputCx`] what a handler works with, and each file one noun: what lies under a point
//! ([`hit`]), the pointer, what a held button holds, a finger, the keyboard and its order, groups
//! with one tab stop, fields, overlays, timers. The engine owns
//! what is open, selected and scrolled; nothing here keeps a second truth of it. Hosts come in through [`crate::View`].

mod activate;
mod buffer;
mod cx;
mod days;
mod drop;
mod editor;
mod event;
pub mod field;
mod focus;
mod grip;
mod history;
mod hit;
mod hover;
mod ime;
mod intent;
mod keyboard;
pub(crate) mod layers;
mod nudge;
pub(crate) mod order;
mod pointer;
mod response;
mod role;
mod rove;
mod scroll;
mod search;
mod select;
mod sheet;
mod timers;
mod touch;
mod typing;

#[cfg(test)]
mod tests;

use std::ops::Range;

pub use drop::{DropOffer, Dropped, FileInfo};
pub use event::{Button, Key, KeyPress, Modifiers, PointerEvent, TouchEvent};
pub use hit::Hit;
pub use hover::Cursor;
pub use ime::TextInputState;
pub use intent::{Drag, Edit, FieldSpec, Intent, Nudge, Own, Phase, Purpose, Stand};
pub use order::{FocusMove, FocusStep};
pub use response::{Response, Selection};

pub(crate) use cx::InputCx;
pub(crate) use hit::test as hit_test;

use crate::geometry::Point;
use editor::Editor;
use focus::{FocusHolder, Mark};
use grip::Press;
use hover::Hover;
use layers::Layers;
use pointer::Clicks;
use rove::Roving;
use scroll::Scrolling;
use select::Unit;
use timers::{Timer, Timers};
use touch::Touch;

/// Where the keyboard focus is, for the painter.
pub(crate) struct FocusState<'a> {
    pub slot: Option<u32>,
    pub visible: bool,
    pub inside: bool,
    pub edit: Option<&'a Edit>,
}

/// The input state of one surface. Nodes are remembered by id: slots are the engine's to reuse.
#[derive(Default)]
pub struct Input {
    pointer: Option<Point>,
    /// Nodes under the pointer, the deepest first.
    pointer_path: Vec<u32>,
    press: Option<Press>,
    /// The button that went down last.
    held: Option<Button>,
    touch: Option<Touch>,
    /// The drop zone that shows it would take what is dragged.
    drop_zone: Option<String>,
    clicks: Clicks,
    hover: Hover,
    focus: FocusHolder,
    focus_tip_waits: Option<String>,
    /// The last input was a key: focus that moves by itself shows.
    keyboard: bool,
    editor: Option<Editor>,
    select_unit: Unit,
    select_from: Range<usize>,
    /// A submit or step was told: the next layout's text is the truth.
    reload_after_layout: bool,
    /// The chip field whose last chip the next Backspace removes.
    chip_armed: Option<String>,
    rove: Roving,
    scrolling: Scrolling,
    layers: Layers,
    timers: Timers,
    repaints: Vec<u32>,
}

impl Input {
    pub(crate) fn pointer_at(&self) -> Option<Point> {
        self.pointer
    }

    pub(crate) fn focus(&self) -> FocusState<'_> {
        FocusState {
            slot: self.focus.slot,
            visible: self.focus.visible && self.focus.mark != Mark::Row,
            inside: self.focus.mark == Mark::Option,
            edit: self.editor.as_ref().map(|e| &e.view),
        }
    }

    pub(crate) fn is_editing(&self) -> bool {
        self.editor.is_some()
    }

    pub(crate) fn focus_id(&self) -> Option<&str> {
        self.focus.id.as_deref()
    }

    pub(crate) fn wants_paint(&self) -> bool {
        !self.repaints.is_empty()
    }

    pub(crate) fn take_repaints(&mut self) -> Vec<u32> {
        std::mem::take(&mut self.repaints)
    }

    /// Something moves by itself: a flick, scrollbars that fade.
    pub(crate) fn animates(&self, now: f64) -> bool {
        self.scrolling.glides() || self.scrolling.fades(now)
    }

    /// How visible a container's scrollbars are, 0 to 1.
    pub(crate) fn scrollbar_opacity(&self, id: &str, now: f64) -> f32 {
        self.scrolling.bar_opacity(id, now)
    }

    /// Move what moves by itself on to `cx.now`.
    pub(crate) fn frame(&mut self, cx: &mut InputCx<'_>) {
        self.glide(cx);
        self.age_bars(cx.now);
    }

    /// Nodes came and went: keep hover, focus and edits on those that stayed.
    pub(crate) fn after_layout(&mut self, cx: &mut InputCx<'_>) {
        cx.drain();
        self.focus.slot = self.focus.id.as_ref().and_then(|id| cx.slot(id));
        self.sync_layers(cx);
        if self.focus.id.is_some() && self.focus.slot.is_none() {
            // What had the focus is gone and nothing took it over.
            self.focus_on(cx, None, focus::By::Program);
        }
        self.sync_field(cx);
        self.turn_to_day(cx);
        self.sync_toasts(cx);
        self.focus_asked(cx);
        if let Some(at) = self.pointer.filter(|_| self.press.is_none()) {
            let found = hit::test(cx.scene, at);
            self.pointer_path = found.path.iter().map(|s| s.slot).collect();
            self.hover(cx, &found);
        }
        self.take_hover_timers(cx);
    }

    /// Timers of hover overlays the engine asked for.
    pub(crate) fn take_hover_timers(&mut self, cx: &mut InputCx<'_>) {
        for (owner, delay) in std::mem::take(&mut cx.hover_timers) {
            let slot = cx.slot(&owner).and_then(|s| cx.node(s));
            if slot.is_some_and(|n| n.placed.component == "Tooltip") {
                // Only a card with something in it waits for the pointer to cross the gap.
                let events = cx.surface.hover_timeout(&owner);
                cx.absorb(events);
            } else {
                self.timers.set(Timer::HoverClose { owner }, cx.now + delay);
            }
        }
    }

    /// When the view wants to be woken, on its own clock.
    pub(crate) fn next_wake(&self) -> Option<f64> {
        [
            self.timers.next(),
            self.editor.as_ref().and_then(Editor::next_wake),
            self.toast_wake(),
        ]
        .into_iter()
        .flatten()
        .reduce(f64::min)
    }

    /// Do what is due.
    pub(crate) fn wake(&mut self, cx: &mut InputCx<'_>) {
        for timer in self.timers.due(cx.now) {
            match timer {
                Timer::Tip { trigger } => self.tip_due(cx, trigger),
                Timer::HoverClose { owner } => {
                    let events = cx.surface.hover_timeout(&owner);
                    cx.absorb(events);
                }
                Timer::Copied { id } => {
                    if let Some(slot) = cx.slot(&id) {
                        cx.fire(slot, "reset", None);
                    }
                }
                Timer::Autoscroll => self.autoscroll(cx),
                Timer::Scrollbars => {
                    self.age_bars(cx.now);
                    cx.out.repaint = true;
                    if let Some(at) = self.bars_wake().filter(|at| *at > cx.now + 0.5) {
                        self.timers.set(Timer::Scrollbars, at);
                    }
                }
                Timer::LongPress => self.long_press(cx),
            }
        }
        self.tell_change(cx, Some(cx.now));
        let still = cx.reduced_motion();
        if let Some(e) = &mut self.editor
            && e.blink(cx.now, still)
        {
            let id = e.id.clone();
            if let Some(slot) = cx.slot(&id) {
                self.repaints.push(slot);
                cx.out.repaint = true;
            }
        }
        self.run_toasts(cx);
        self.focus_asked(cx);
    }
}
