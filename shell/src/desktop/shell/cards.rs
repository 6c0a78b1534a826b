//! The card an agent's question stands on: one at a time, at the corner of the first output, below whatever grants something. It takes no
//! keys by itself: a press on it gives them to it, and a press elsewhere takes them back. What is pressed before the person can have seen it
//! answers nothing. Where the desktop is one window, it is drawn over that.

use std::sync::Arc;

use ede_engine::interactions::{CallId, Event, Matter};
use ede_renderer::display::{DisplayList, Item, Key};
use ede_renderer::geometry::{Point, Radii, Rect, Size};
use eui_core::surface;
use serde_json::{Value, json};

use super::toasts::{MARGIN, ROOM};
use super::{DocRef, Shell, Show, Where, whole};
use crate::desktop::board::span;
use crate::desktop::cards;
use crate::desktop::chrome::{PLATE_SLOT, Plate};
use crate::desktop::pane::Pane;
use crate::desktop::popup::Popup;
use crate::desktop::style::Style;
use crate::wayland::{
    self, Edges, Insets, KeyboardMode, Layer, LayerSpec, OutputId, Platform, SurfaceId,
};

/// How long it answers nothing, from when it is seen (ms).
const WAITS: f64 = 700.0;
/// Two frames (ms).
const FRAME: f64 = 32.0;
/// The tallest card, however much room there is (px): a message finds its place above it.
const TALLEST: f32 = 480.0;
/// Between it and a message above it (px).
pub(super) const GAP: f32 = 16.0;

const CORNER: Edges = Edges::BOTTOM.and(Edges::RIGHT);

pub(super) struct OpenCard {
    pub popup: Popup,
    pub id: CallId,
    /// Its own surface; none in the one window of a desktop without layer-shell.
    pub surface: Option<SurfaceId>,
    on: Where,
    size: Size,
    more: usize,
    /// When the person saw it first (ms of the shell's clock).
    seen: Option<f64>,
    ready: bool,
    /// When its controls light up further, once they answer.
    lights: Option<f64>,
    content: Arc<DisplayList>,
    list: Arc<DisplayList>,
}

impl OpenCard {
    /// Another look.
    pub fn restyle(&mut self, style: &Style) {
        self.popup.doc.restyle(style);
        self.list = Arc::default();
    }
}

impl Shell {
    /// Show the first question that waits; take away the card of one that waits no longer.
    pub(super) fn sync_card(&mut self, platform: &mut Platform) {
        let now = self.now_ms();
        let stays = |card: &OpenCard| {
            let waits = self.interactions.get(&card.id).is_some();
            waits && self.outputs.contains_key(&card.on)
        };
        if self.card().is_some_and(|card| !stays(card)) {
            self.close_card(platform);
        }
        if self.card().is_none() {
            self.open_card(platform, now);
        }
        self.card_ready(now);
        self.lay_out_card(platform, now);
    }

    fn card(&self) -> Option<&OpenCard> {
        self.interactions.card.as_ref()
    }

    fn open_card(&mut self, platform: &mut Platform, now: f64) {
        // Without an output it waits for one.
        let Some(on) = self.outputs.keys().next().copied() else {
            return;
        };
        let Some(first) = self.interactions.questions().next() else {
            return;
        };
        let id = first.id.clone();
        let more = self.interactions.questions().count() - 1;
        let mut popup = Popup::sheet(
            cards::components(),
            cards::data(first, more),
            &self.desk.style,
        );
        let room = self.card_room(on);
        popup.fit(room);
        let none = surface::Insets::default();
        let size = popup.update(none, &mut self.desk.shelf, &mut self.desk.res, now);
        let surface = match on {
            None => None,
            Some(output) => match self.card_surface(platform, output, size) {
                Some(surface) => Some(surface),
                // It cannot be shown, now or later.
                None => return self.settle_one(&id, Event::Fail),
            },
        };
        self.interactions.card = Some(OpenCard {
            popup,
            id,
            surface,
            on,
            size,
            more,
            seen: None,
            ready: false,
            lights: None,
            content: Arc::default(),
            list: Arc::default(),
        });
        if surface.is_none() {
            // The next frame of the window has it.
            self.card_seen(now);
        }
    }

    /// What there is for it on an output.
    fn card_room(&self, on: Where) -> Size {
        let free = self
            .outputs
            .get(&on)
            .map_or(Rect::default(), |on| on.free());
        let within = |room: f32, most: f32| most.min(room - 2.0 * MARGIN).max(1.0);
        Size::new(within(free.w, span(2)), within(free.h, TALLEST))
    }

    fn card_surface(
        &mut self,
        platform: &mut Platform,
        output: OutputId,
        size: Size,
    ) -> Option<SurfaceId> {
        let surface = platform.create_layer(LayerSpec {
            output,
            layer: Layer::Top,
            anchor: CORNER,
            size: whole(around(size)),
            exclusive_zone: 0,
            margin: corner(0.0),
            namespace: "ede-card".into(),
            keyboard: KeyboardMode::None,
        })?;
        self.panes.insert(surface, (Show::Card, Pane::default()));
        Some(surface)
    }

    /// Its controls answer once it has been seen for long enough.
    fn card_ready(&mut self, now: f64) {
        let Some(card) = &mut self.interactions.card else {
            return;
        };
        card.lights.take_if(|lights| *lights <= now);
        if !card.ready && card.seen.is_some_and(|seen| now >= seen + WAITS) {
            card.ready = true;
            // In the first frame nothing has moved, so nobody tells that it was shown and a second is due.
            card.lights = Some(now + FRAME);
            card.popup.set("/waits", Value::Bool(false));
            self.card_changed();
        }
    }

    /// Its controls say something else: can that be answered?
    fn card_changed(&mut self) {
        let answers = self.card_says().is_some();
        if let Some(card) = &mut self.interactions.card {
            let blocked = !card.ready || !answers;
            card.popup.set("/blocked", json!(blocked));
        }
    }

    fn card_says(&self) -> Option<Value> {
        let card = self.card()?;
        let asked = self.interactions.get(&card.id)?;
        let view = card.popup.doc.view.surface();
        cards::answer(asked, |path| view.get_data(path).cloned())
    }

    /// Is it a file to be saved?
    fn card_offers(&self) -> bool {
        let asked = self.card().and_then(|c| self.interactions.get(&c.id));
        asked.is_some_and(|asked| matches!(asked.request.matter, Matter::Save { .. }))
    }

    fn lay_out_card(&mut self, platform: &mut Platform, now: f64) {
        let more = self.interactions.questions().count().saturating_sub(1);
        let room = self.card().map(|card| self.card_room(card.on));
        let Shell {
            interactions, desk, ..
        } = self;
        let (Some(card), Some(room)) = (&mut interactions.card, room) else {
            return;
        };
        if card.more != more {
            card.more = more;
            let (several, words) = cards::waiting(more);
            card.popup.set("/several", several);
            card.popup.set("/more", words);
        }
        card.popup.fit(room);
        let none = surface::Insets::default();
        let size = (card.popup).update(none, &mut desk.shelf, &mut desk.res, now);
        let whose = card.surface;
        if let Some(id) = whose.filter(|_| size != card.size) {
            platform.set_layer_size(id, whole(around(size)), CORNER);
        }
        let content = card.popup.doc.view.painted().main.clone();
        let fresh = card.list.items.is_empty() || size != card.size;
        card.size = size;
        if let Some(id) = whose.filter(|_| fresh) {
            // Its shadow lets presses through.
            let (x, w, h) = (ROOM as i32, size.w as i32, size.h as i32);
            platform.set_input_region(id, Some(&[wayland::Rect::new(x, x, w, h)]));
        }
        if fresh || !Arc::ptr_eq(&content, &card.content) {
            let recipes = desk.res.recipes(desk.style.theme(), desk.style.mode);
            let plate = below_mark(card.popup.plate());
            card.list = Arc::new(DisplayList {
                items: vec![Plate::Popup.item(plate, &recipes), over(content.clone())],
            });
            card.content = content;
        }
    }

    /// The card goes from the screen; what it asks is another matter.
    pub(super) fn close_card(&mut self, platform: &mut Platform) {
        if let Some(card) = self.interactions.card.take() {
            if let Some(id) = card.surface {
                platform.destroy(id);
                self.forget(id);
            }
            self.forget_docs(platform, |doc| doc == DocRef::Card);
        }
    }

    /// The person leaves it: nothing is answered.
    pub(super) fn leave_card(&mut self, platform: &mut Platform) {
        self.card_done(platform, Event::Cancel);
    }

    fn card_done(&mut self, platform: &mut Platform, event: Event) {
        if let Some(id) = self.card().map(|card| card.id.clone()) {
            self.close_card(platform);
            self.settle_one(&id, event);
        }
    }

    /// A press on one of its controls, or Enter in its field.
    pub(super) fn card_pressed(&mut self, platform: &mut Platform, name: &str) {
        let Some(card) = self.card().filter(|card| card.ready) else {
            return;
        };
        match name {
            cards::CHANGE => self.card_changed(),
            cards::LEAVE => self.leave_card(platform),
            cards::OTHER => {
                let says = self.interactions.get(&card.id).and_then(cards::other);
                let event = says.map_or(Event::Cancel, Event::Answer);
                self.card_done(platform, event);
            }
            cards::ANSWER if self.card_offers() => {
                let id = card.id.clone();
                self.close_card(platform);
                self.save_handed(id);
            }
            cards::ANSWER => {
                if let Some(says) = self.card_says() {
                    self.card_done(platform, Event::Answer(says));
                }
            }
            _ => {}
        }
    }

    /// A frame of a surface has been shown: if it is the card's, its time runs from the first.
    pub(super) fn card_presented(&mut self, id: SurfaceId) {
        let now = self.now_ms();
        if self.card().is_some_and(|card| card.surface == Some(id)) {
            self.card_seen(now);
        }
    }

    fn card_seen(&mut self, now: f64) {
        if let Some(card) = self.interactions.card.as_mut()
            && card.seen.is_none()
        {
            card.seen = Some(now);
            let id = card.id.clone();
            self.present(&id);
        }
    }

    /// When something about it changes by itself (ms of the shell's clock).
    pub(super) fn card_waits(&self) -> Option<f64> {
        let card = self.card()?;
        let seen = card.seen.filter(|_| !card.ready);
        seen.map(|seen| seen + WAITS).or(card.lights)
    }

    /// How far a message stands above its corner for the card that is there (px).
    pub(super) fn lift(&self, on: Where) -> f32 {
        let card = self.card().filter(|card| card.on == on);
        card.map_or(0.0, |card| card.size.h + GAP)
    }

    /// What is drawn of it in the one window, and the point of the window its list begins at.
    pub(super) fn card_in_window(&self) -> Option<(&Arc<DisplayList>, Point)> {
        let card = self.card().filter(|card| card.surface.is_none())?;
        let free = self.outputs.get(&None)?.free();
        let at = Point::new(
            free.right() - MARGIN - card.size.w,
            free.bottom() - MARGIN - card.size.h,
        );
        Some((&card.list, at))
    }

    /// Is it at this point of the one window?
    pub(super) fn card_takes(&self, q: Point) -> bool {
        let at = self.card_in_window().map(|(_, at)| at);
        let card = self.card().zip(at);
        card.is_some_and(|(card, at)| card.popup.plate().contains(q - at))
    }

    pub(super) fn card_picture(&self) -> Option<(Arc<DisplayList>, Rect)> {
        let card = self.card()?;
        Some((card.list.clone(), card.popup.plate().inset(-ROOM)))
    }
}

/// A surface's size with room for a shadow.
pub(super) fn around(size: Size) -> Size {
    Size::new(size.w + 2.0 * ROOM, size.h + 2.0 * ROOM)
}

/// The margins of a surface with such room at the corner, this far above it.
pub(super) fn corner(lift: f32) -> Insets {
    Insets {
        bottom: (MARGIN - ROOM + lift).max(0.0) as u32,
        right: (MARGIN - ROOM) as u32,
        ..Insets::default()
    }
}

/// The plate of what stands under a mark.
pub(super) fn below_mark(whole: Rect) -> Rect {
    whole.inset_sides([cards::MARK, 0.0, 0.0, 0.0])
}

/// What stands on a plate and above it.
pub(super) fn over(content: Arc<DisplayList>) -> Item {
    Item::Nested {
        key: Key {
            slot: PLATE_SLOT,
            over: true,
        },
        list: content,
        at: Point::ZERO,
        clip: Rect::EVERYTHING,
        radii: Radii::NONE,
    }
}
