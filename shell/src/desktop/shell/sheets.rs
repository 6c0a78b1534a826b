//! The shell's own sheets over everything else: one at a time, on the overlay layer, where nothing of an app or an agent is ever drawn. One
//! asks the person, one lets them pick files: their buttons do nothing at first, so that a press meant for what was there before answers
//! nothing. One says what an app may do.

use std::sync::Arc;

use ede_engine::app_id::AppId;
use ede_renderer::color::Color;
use ede_renderer::display::{DisplayList, Item, Key, Op, Ops};
use ede_renderer::geometry::{Point, Radii, Rect, Size};
use eui_core::surface::{self, SurfaceCommand};
use serde_json::Value;

use super::routes::Target;
use super::{DocRef, Shell, Show, Where};
use crate::desktop::chrome::{PLATE_SLOT, Plate};
use crate::desktop::consent;
use crate::desktop::file_sheet;
use crate::desktop::pane::Pane;
use crate::desktop::permissions;
use crate::desktop::popup::{self, Popup};
use crate::desktop::style::Style;
use crate::wayland::{self, Edges, Insets, KeyboardMode, Layer, LayerSpec, Platform, SurfaceId};

/// How long the buttons do nothing, from when the sheet is seen (ms).
const WAITS: f64 = 700.0;
/// What lies under it is dimmed by this much.
const SCRIM: f32 = 0.5;
/// How wide a sheet is, where there is room (px).
const WIDTH: f32 = 448.0;
/// What stays free around it at least (px).
const MARGIN: f32 = 8.0;

/// What a sheet is about.
#[derive(Clone, Debug, PartialEq)]
pub(super) enum About {
    /// The first question that waits.
    Question,
    /// What an app may do.
    Permissions(AppId),
    /// The first pick of files that waits.
    Files,
}

pub(super) struct OpenSheet {
    pub popup: Popup,
    pub about: About,
    /// Its own surface over an output; none in the one window of a desktop without layer-shell.
    pub surface: Option<SurfaceId>,
    pub on: Where,
    /// When the person saw it first (ms of the shell's clock).
    seen: Option<f64>,
    ready: bool,
    content: Arc<DisplayList>,
    list: Arc<DisplayList>,
    at: Point,
}

impl OpenSheet {
    /// Another look.
    pub fn restyle(&mut self, style: &Style) {
        self.popup.doc.restyle(style);
        self.list = Arc::default();
    }

    /// Do its buttons answer?
    pub fn is_ready(&self) -> bool {
        self.ready
    }
}

impl Shell {
    /// Show a sheet with this data over the output `on`. False where that cannot be.
    pub(super) fn open_sheet(
        &mut self,
        platform: &mut Platform,
        on: Where,
        about: About,
        data: Value,
    ) -> bool {
        let on = if self.outputs.contains_key(&on) {
            Some(on)
        } else {
            self.outputs.keys().next().copied()
        };
        let Some(on) = on else { return false };
        let surface = match on {
            None => None,
            Some(output) => {
                let made = platform.create_layer(LayerSpec {
                    output,
                    layer: Layer::Overlay,
                    anchor: Edges::ALL,
                    size: wayland::Size::new(0, 0),
                    exclusive_zone: -1,
                    margin: Insets::default(),
                    namespace: "ede-sheet".into(),
                    keyboard: KeyboardMode::Exclusive,
                });
                let Some(id) = made else { return false };
                self.panes.insert(id, (Show::Sheet, Pane::default()));
                Some(id)
            }
        };
        let components = match about {
            About::Question => consent::components(),
            About::Permissions(_) => permissions::components(),
            About::Files => file_sheet::components(),
        };
        self.sheet = Some(OpenSheet {
            popup: Popup::sheet(components, data, &self.desk.style),
            about,
            surface,
            on,
            // In the one window the next frame has it.
            seen: surface.is_none().then(|| self.now_ms()),
            ready: false,
            content: Arc::default(),
            list: Arc::default(),
            at: Point::ZERO,
        });
        if surface.is_none() {
            self.stand_in.keys = Some(DocRef::Sheet);
        }
        true
    }

    pub(super) fn close_sheet(&mut self, platform: &mut Platform) {
        if let Some(sheet) = self.sheet.take() {
            if let Some(id) = sheet.surface {
                platform.destroy(id);
                self.forget(id);
            }
            self.forget_docs(platform, |doc| doc == DocRef::Sheet);
            self.uncover_popup(platform);
        }
    }

    /// Lay the sheet out in the middle of its output, and let its buttons answer when it is time.
    pub(super) fn sync_sheet(&mut self, platform: &mut Platform) {
        let now = self.now_ms();
        let gone = |s: &OpenSheet| !self.outputs.contains_key(&s.on);
        if self.sheet.as_ref().is_some_and(gone) {
            return self.sheet_left(platform);
        }
        let mut focus = None;
        let Shell {
            sheet,
            desk,
            outputs,
            ..
        } = self;
        let Some(s) = sheet else { return };
        // A sheet the person has called needs no time to be seen.
        if !s.ready
            && (matches!(s.about, About::Permissions(_))
                || s.seen.is_some_and(|seen| now >= seen + WAITS))
        {
            s.ready = true;
            s.popup.set("/waits", Value::Bool(false));
            focus = Some(s.about.clone());
        }
        let none = surface::Insets::default();
        let whole = outputs.get(&s.on).map_or(Size::default(), |on| on.size);
        let within = |room: f32, most: f32| most.min(room - 2.0 * MARGIN).max(1.0);
        let room = Size::new(within(whole.w, WIDTH), within(whole.h, popup::TALLEST));
        s.popup.fit(room);
        let size = s.popup.update(none, &mut desk.shelf, &mut desk.res, now);
        // On the grid of 8 px.
        let middle = |room: f32, length: f32| ((room - length) / 16.0).floor() * 8.0;
        let at = Point::new(middle(whole.w, size.w), middle(whole.h, size.h));
        let content = s.popup.doc.view.painted().main.clone();
        if !Arc::ptr_eq(&content, &s.content) || s.list.items.is_empty() || s.at != at {
            let recipes = desk.res.recipes(desk.style.theme(), desk.style.mode);
            let plate = s.popup.plate().translate(at);
            let key = |n: u32, over| Key {
                slot: PLATE_SLOT - n,
                over,
            };
            let radii = Radii::all(Plate::Popup.radius(&recipes)).shrink(1.0);
            let scrim = Op::Fill {
                rect: Rect::of_size(whole),
                radii: Radii::NONE,
                brush: Color::BLACK.fade(SCRIM).into(),
            };
            let items = vec![
                Item::Node {
                    key: key(1, false),
                    ops: Arc::new(Ops::new(vec![scrim])),
                    at: Point::ZERO,
                    clip: Rect::EVERYTHING,
                },
                Plate::Popup.item(plate, &recipes),
                Item::Nested {
                    key: key(0, true),
                    list: content.clone(),
                    at,
                    clip: plate.inset(1.0),
                    radii,
                },
            ];
            s.list = Arc::new(DisplayList { items });
            (s.content, s.at) = (content, at);
        }
        match focus {
            Some(About::Question) => self.focus_safe(platform, consent::SAFE),
            Some(About::Permissions(_)) => self.focus_safe(platform, permissions::SAFE),
            Some(About::Files) => self.pick_ready(platform),
            None => {}
        }
    }

    /// The safe answer has the focus.
    fn focus_safe(&mut self, platform: &mut Platform, id: &str) {
        self.command_sheet(platform, SurfaceCommand::Focus { id: id.into() });
    }

    /// Have the sheet's own view do something.
    pub(super) fn command_sheet(&mut self, platform: &mut Platform, command: SurfaceCommand) {
        let now = self.now_ms();
        if let Some(r) = self.with_view(DocRef::Sheet, None, |view, res| {
            view.command(&command, res, now)
        }) {
            self.answer(platform, DocRef::Sheet, None, r);
        }
    }

    /// A frame of it has been shown: its buttons' time runs from the first.
    pub(super) fn sheet_presented(&mut self, id: SurfaceId) {
        let now = self.now_ms();
        if let Some(s) = self.sheet.as_mut().filter(|s| s.surface == Some(id)) {
            s.seen.get_or_insert(now);
        }
    }

    /// It asks something else now: its buttons do nothing for as long again.
    pub(super) fn sheet_waits_again(&mut self) {
        let now = self.now_ms();
        if let Some(s) = &mut self.sheet {
            (s.ready, s.seen) = (false, Some(now));
            s.popup.set("/waits", Value::Bool(true));
        }
    }

    /// When its buttons begin to answer (ms of the shell's clock).
    pub(super) fn sheet_waits(&self) -> Option<f64> {
        let waits = self.sheet.as_ref().filter(|s| !s.ready)?;
        waits.seen.map(|seen| seen + WAITS)
    }

    /// Is this beside the sheet, on what it dims?
    pub(super) fn beside_sheet(&self, t: &Target) -> bool {
        let plate = self.sheet.as_ref().map(|s| s.popup.plate());
        t.doc == DocRef::Sheet && plate.is_some_and(|plate| !plate.contains(t.at))
    }

    /// A point of its output in the sheet's own coordinates.
    pub(super) fn onto_sheet(&self, p: Point) -> Point {
        p - self.sheet.as_ref().map_or(Point::ZERO, |s| s.at)
    }

    /// What is drawn of it in the one window, over all of that.
    pub(super) fn sheet_in_window(&self) -> Option<(&Arc<DisplayList>, Point)> {
        let s = self.sheet.as_ref().filter(|s| s.surface.is_none())?;
        Some((&s.list, Point::ZERO))
    }

    pub(super) fn sheet_picture(&self) -> Option<(Arc<DisplayList>, Rect)> {
        let s = self.sheet.as_ref()?;
        let size = self.outputs.get(&s.on)?.size;
        Some((s.list.clone(), Rect::of_size(size)))
    }
}
