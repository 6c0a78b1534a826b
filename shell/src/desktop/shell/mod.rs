//! The desktop on Wayland: one [`Shell`] is the platform's client. It makes surfaces for what the documents say, keeps every
//! surface's pane in step with its display list, and routes input to the document under it.
//!
//! Nothing is painted here and nothing decided about apps: lists come from the documents ([`super::doc_view`]), effects go to the
//! desk ([`super::desk`]). All work that many events share happens once, in `after_events`.

mod automations;
mod calls;
mod cards;
mod commits;
mod docs;
mod drops;
mod effects;
mod fingers;
mod handed;
mod instances;
mod interactions;
mod keys;
mod layers;
mod listed;
mod menus;
mod news;
mod notices;
mod outputs;
mod panels;
mod picks;
mod pointing;
mod popups;
mod readings;
mod routes;
mod sheets;
mod stand_in;
mod timers;
mod toasts;
mod turn;
mod typing;
mod uploads;
mod usable;
mod windows;

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;
use std::time::{Instant, SystemTime};

use ede_renderer::geometry::{Point, Size};
use ede_renderer::input::Modifiers;
use ede_renderer::software::Painter;

use super::desk::Desk;
use super::doc_view::DocView;
use super::library::Library;
use super::pane::Pane;
use super::preview::Preview;
use super::snapshot::SnapshotFile;
use super::window_sizes::WindowSizes;
use crate::capabilities::files::Files;
use crate::wayland::{
    Client, CloseReason, Configured, Damage, InputEvent, KeyboardMode, PixelRect, Platform, Scale,
    Serial, SurfaceId, Target, TransferError, TransferId, Wake,
};
pub use calls::{Called, Reply};
use drops::{Dragged, Dropping};
use instances::AppInstances;
use layers::OpenLayer;
pub use news::{Command, News};

/// Sends news to the loop, from any thread.
pub type Tell = std::sync::Arc<dyn Fn(News) + Send + Sync>;
use calls::Calls;
use docs::doc_in;
pub(crate) use docs::{DocRef, Show, Where};
use interactions::Interactions;
use outputs::OnOutput;
use picks::Picks;
use popups::OpenPopup;
use routes::Pressed;
use sheets::OpenSheet;
use stand_in::StandIn;
use toasts::{Message, OpenToast};
use uploads::Uploads;
use windows::OpenWindow;

/// The desktop's widgets wait for the panels until then, in ms after the start.
const BOARDS_LATEST: f64 = 400.0;

pub struct Shell {
    desk: Desk,
    library: Library,
    painter: Painter,
    outputs: BTreeMap<Where, OnOutput>,
    windows: BTreeMap<SurfaceId, OpenWindow>,
    instances: AppInstances,
    popup: Option<OpenPopup>,
    /// The item whose popup closed last: the press that closed it must not open it again.
    shut: Option<(DocRef, String)>,
    layers: Vec<OpenLayer>,
    panes: BTreeMap<SurfaceId, (Show, Pane)>,
    pressed: Option<Pressed>,
    hover: Option<routes::Target>,
    /// The fingers that are down, by their numbers.
    fingers: BTreeMap<i32, Pressed>,
    keyboard: Option<SurfaceId>,
    /// What the keyboard has just left: another surface may show it and get the keys.
    unkeyed: Option<typing::Typing>,
    /// How each layer surface asked for the keyboard last.
    keys: BTreeMap<SurfaceId, KeyboardMode>,
    /// The panel that has the keyboard by the person's key binding, until Escape.
    focused_panel: Option<SurfaceId>,
    /// The widget of each document that keys go to; `None` for the document itself.
    focus: BTreeMap<DocRef, Option<String>>,
    mods: Modifiers,
    /// The last that was typed came from the input method.
    by_method: bool,
    serial: Option<Serial>,
    last_title_press: Option<(SurfaceId, f64)>,
    stand_in: StandIn,
    /// Selections on their way, and who asked.
    dragged: Option<Dragged>,
    drops: BTreeMap<TransferId, Dropping>,
    pastes: BTreeMap<TransferId, (DocRef, Option<String>)>,
    /// Changes to take in before the next layout.
    waiting: Vec<News>,
    /// Sends news to ourselves from other threads.
    tell: Tell,
    sizes: WindowSizes,
    /// Only windows, no desktop; the last one closed ends the shell (the preview).
    solo: bool,
    first: Option<Preview>,
    /// Windows that come to the front once the compositor has a token for it, by the number of the wish.
    raising: BTreeMap<u64, SurfaceId>,
    /// What the session starts with, until it is started.
    startup: Vec<String>,
    /// What the person is to be told.
    message: Option<Message>,
    toast: Option<OpenToast>,
    /// What agents ask the person.
    interactions: Interactions,
    /// What asks the person, and the calls behind it.
    sheet: Option<OpenSheet>,
    picks: Picks,
    uploads: Uploads,
    calls: Calls,
    /// Documents whose last frame was shown: an animation in them goes on.
    moving: BTreeSet<DocRef>,
    started: Instant,
    /// Until the panels are on screen the desktop's widgets wait: a person looks for the panel first.
    boards_wait: bool,
    wake: Option<f64>,
    wall: Option<SystemTime>,
}

impl Shell {
    pub fn new(desk: Desk, library: Library, sizes: WindowSizes, tell: Tell) -> Shell {
        let asks = tell.clone();
        let files = Files::new(Arc::new(move |pick| asks(News::Pick(pick))));
        let calls = Calls::new(desk.feed.store(), &tell, files.clone());
        Shell {
            desk,
            library,
            tell,
            painter: Painter::new(),
            outputs: BTreeMap::new(),
            windows: BTreeMap::new(),
            instances: AppInstances::default(),
            popup: None,
            shut: None,
            layers: Vec::new(),
            panes: BTreeMap::new(),
            pressed: None,
            hover: None,
            fingers: BTreeMap::new(),
            keyboard: None,
            unkeyed: None,
            keys: BTreeMap::new(),
            focused_panel: None,
            focus: BTreeMap::new(),
            mods: Modifiers::default(),
            by_method: false,
            serial: None,
            last_title_press: None,
            stand_in: StandIn::default(),
            dragged: None,
            drops: BTreeMap::new(),
            pastes: BTreeMap::new(),
            waiting: Vec::new(),
            sizes,
            solo: false,
            first: None,
            raising: BTreeMap::new(),
            startup: Vec::new(),
            message: None,
            toast: None,
            interactions: Interactions::default(),
            sheet: None,
            picks: Picks::default(),
            uploads: Uploads::new(files),
            calls,
            moving: BTreeSet::new(),
            started: Instant::now(),
            boards_wait: true,
            wake: None,
            wall: None,
        }
    }

    /// A shell whose windows come back if it ends while they are open.
    pub fn resuming(mut self, file: SnapshotFile) -> Shell {
        self.instances = AppInstances::resuming(file);
        self
    }

    /// A shell that shows nothing but the preview of a package, and ends with its window.
    pub fn preview(mut self, preview: Preview) -> Shell {
        self.solo = true;
        self.first = Some(preview);
        self
    }

    pub fn desk_mut(&mut self) -> &mut Desk {
        &mut self.desk
    }

    /// The shell's own clock, in ms: animations and timers run on it.
    fn now_ms(&self) -> f64 {
        self.started.elapsed().as_secs_f64() * 1000.0
    }

    fn doc(&self, at: DocRef) -> Option<&DocView> {
        match at {
            DocRef::Panel(o, n) => self.outputs.get(&o)?.panels.get(n).map(|p| &p.panel.doc),
            DocRef::Board(o) => self.outputs.get(&o)?.board.as_ref().map(|b| &b.doc),
            DocRef::Window(id) => self.windows.get(&id).map(|w| &w.window.doc),
            DocRef::Popup(id) => self
                .popup
                .as_ref()
                .filter(|p| p.surface == id)
                .map(|p| &p.popup.doc),
            DocRef::Toast => self.toast.as_ref().map(|t| &t.popup.doc),
            DocRef::Card => self.interactions.card.as_ref().map(|c| &c.popup.doc),
            DocRef::Sheet => self.sheet.as_ref().map(|s| &s.popup.doc),
        }
    }

    fn doc_mut(&mut self, at: DocRef) -> Option<&mut DocView> {
        let Shell {
            outputs,
            windows,
            popup,
            toast,
            interactions,
            sheet,
            ..
        } = self;
        doc_in(outputs, windows, popup, toast, interactions, sheet, at)
    }

    /// Every document on screen.
    fn docs(&self) -> Vec<DocRef> {
        let mut all = Vec::new();
        for (id, o) in &self.outputs {
            all.extend((0..o.panels.len()).map(|n| DocRef::Panel(*id, n)));
            all.extend(o.board.as_ref().map(|_| DocRef::Board(*id)));
        }
        all.extend(self.windows.keys().map(|id| DocRef::Window(*id)));
        all.extend(self.popup.as_ref().map(|p| DocRef::Popup(p.surface)));
        all.extend(self.toast.as_ref().map(|_| DocRef::Toast));
        all.extend(self.interactions.card.as_ref().map(|_| DocRef::Card));
        all.extend(self.sheet.as_ref().map(|_| DocRef::Sheet));
        all
    }

    /// The document a surface shows.
    fn doc_of(&self, id: SurfaceId) -> Option<DocRef> {
        match &self.panes.get(&id)?.0 {
            Show::Wallpaper(_) => None,
            Show::StandIn => self.stand_in.keys,
            Show::Toast => Some(DocRef::Toast),
            Show::Card => Some(DocRef::Card),
            Show::Sheet => Some(DocRef::Sheet),
            Show::Panel(o, n) => Some(DocRef::Panel(*o, *n)),
            Show::Widget(o, _) => Some(DocRef::Board(*o)),
            Show::Window => Some(DocRef::Window(id)),
            Show::Popup => Some(DocRef::Popup(id)),
            Show::Layer(doc, ..) => Some(*doc),
        }
    }

    fn pane_mut(&mut self, id: SurfaceId) -> Option<&mut Pane> {
        self.panes.get_mut(&id).map(|(_, p)| p)
    }

    /// Documents are about to go, or to go by another name: their fields commit what is in them, and whatever points at them points at
    /// nothing.
    fn retire(&mut self, platform: &mut Platform, going: impl Fn(DocRef) -> bool) {
        if self.popup.as_ref().is_some_and(|p| going(p.opener)) {
            self.close_popup(platform);
        }
        self.blur_docs(platform, &going);
        self.forget_docs(platform, going);
    }

    /// Documents went: whatever pointed at them points at nothing.
    fn forget_docs(&mut self, platform: &mut Platform, gone: impl Fn(DocRef) -> bool) {
        self.focus.retain(|doc, _| !gone(*doc));
        self.moving.retain(|doc| !gone(*doc));
        self.pastes.retain(|_, (doc, _)| !gone(*doc));
        self.hover.take_if(|t| gone(t.doc));
        self.fingers.retain(|_, p| !gone(p.doc));
        self.pressed.take_if(|p| gone(p.doc));
        self.shut.take_if(|(doc, _)| gone(*doc));
        self.stand_in.keys.take_if(|doc| gone(*doc));
        self.unkeyed.take_if(|(doc, _)| gone(*doc));
        let layers: Vec<SurfaceId> = (self.layers.iter())
            .filter(|l| gone(l.doc))
            .map(|l| l.surface)
            .collect();
        for id in layers {
            platform.destroy(id);
            self.forget(id);
        }
    }

    /// A surface went, by our wish or not.
    fn forget(&mut self, id: SurfaceId) {
        self.panes.remove(&id);
        self.keys.remove(&id);
        self.windows.remove(&id);
        self.layers.retain(|l| l.surface != id);
        if self.keyboard == Some(id) {
            self.keyboard = None;
        }
        self.fingers.retain(|_, p| p.surface != id);
        if self.pressed.as_ref().is_some_and(|p| p.surface == id) {
            self.pressed = None;
        }
    }
}

impl Client for Shell {
    fn started(&mut self, platform: &mut Platform) {
        self.provide(platform);
        self.ask_decisions();
        self.ask_waiting();
        self.look_at_servers();
        self.windows_now(platform);
        self.workspaces_now(platform);
        self.apps_now();
        self.outputs_now(platform);
        if let Some(preview) = self.first.take() {
            self.open_preview(platform, preview);
        }
        self.sync_outputs(platform);
        // What a session starts with is opened once in it; then its windows are what the person left open.
        if !self.take_up() && !self.solo {
            self.startup = self.desk.docs.session().startup;
        }
    }

    fn outputs_changed(&mut self, platform: &mut Platform) {
        self.outputs_now(platform);
        self.sync_outputs(platform);
    }

    fn configured(&mut self, platform: &mut Platform, id: SurfaceId, configured: &Configured) {
        if self.windows.contains_key(&id) {
            self.window_configured(platform, id, configured);
        }
        if self.usable_learnt(id, configured.size) {
            return;
        }
        if let Some((Show::Panel(key, n), _)) = self.panes.get(&id) {
            self.panel_configured(platform, *key, *n, configured.size);
        }
        if self.stand_in.surface == Some(id) {
            self.stand_in_configured(platform, configured);
        }
        if let Some((Show::Popup | Show::Layer(..), _)) = self.panes.get(&id) {
            // The shadow lets presses through: it lies over the panel the popup came from.
            let (size, frame) = (configured.size, configured.frame);
            let plate = crate::wayland::Rect::new(
                frame.left as i32,
                frame.top as i32,
                size.width.saturating_sub(frame.left + frame.right) as i32,
                size.height.saturating_sub(frame.top + frame.bottom) as i32,
            );
            if !self.popup_takes_input(platform, id, plate) {
                platform.set_input_region(id, Some(&[plate]));
            }
        }
        platform.request_redraw(id);
    }

    fn closed(&mut self, platform: &mut Platform, id: SurfaceId, _: CloseReason) {
        match self.panes.get(&id).map(|(show, _)| show.clone()) {
            Some(Show::Window) => self.close_window(platform, id),
            Some(Show::StandIn) => platform.quit(),
            Some(Show::Popup) => self.popup_gone(platform, id),
            Some(Show::Toast) => self.close_toast(platform),
            Some(Show::Card) => self.close_card(platform),
            Some(Show::Sheet) => self.sheet_left(platform),
            Some(Show::Layer(doc, widget, root)) => {
                self.forget(id);
                self.layer_gone(platform, doc, widget.as_deref(), root);
            }
            _ => {
                for o in self.outputs.values_mut() {
                    o.surface_gone(id);
                }
                self.forget(id);
            }
        }
    }

    fn damage(&mut self, id: SurfaceId, _size: crate::wayland::Size, scale: Scale) -> Damage {
        self.panes
            .get(&id)
            .map_or(Damage::None, |(_, pane)| pane.damage(scale))
    }

    fn paint(&mut self, id: SurfaceId, target: Target<'_>, clip: &[PixelRect]) {
        if let Some((_, pane)) = self.panes.get_mut(&id) {
            pane.paint(&mut self.painter, target, clip);
        }
    }

    fn presented(&mut self, _platform: &mut Platform, id: SurfaceId, _time: u32) {
        self.toast_presented(id);
        self.card_presented(id);
        self.sheet_presented(id);
        // An animation goes on only where its last frame was shown: a hidden surface costs nothing.
        if self.stand_in.surface == Some(id) {
            let stands = |doc: &DocRef| self.surface_of(*doc, None) == Some(id);
            let shown: Vec<DocRef> = self.docs().into_iter().filter(stands).collect();
            self.moving.extend(shown);
        } else if let Some(doc) = self.doc_of(id) {
            self.moving.insert(doc);
        }
    }

    fn input(&mut self, platform: &mut Platform, id: SurfaceId, event: InputEvent) {
        self.route(platform, id, event);
    }

    fn focus(&mut self, _: &mut Platform, id: SurfaceId, focused: bool) {
        self.keyboard_moved(id, focused);
    }

    fn windows_changed(&mut self, platform: &mut Platform) {
        self.windows_now(platform);
    }

    fn workspaces_changed(&mut self, platform: &mut Platform) {
        self.workspaces_now(platform);
    }

    fn transferred(
        &mut self,
        platform: &mut Platform,
        id: TransferId,
        result: Result<Vec<u8>, TransferError>,
    ) {
        self.pasted(platform, id, result);
    }

    fn activation_token(&mut self, platform: &mut Platform, request: u64, token: Option<String>) {
        self.token_for_call(request, token.as_deref());
        self.may_raise(platform, request, token);
    }

    fn woke(&mut self, platform: &mut Platform, wake: Wake) {
        self.timer(platform, wake);
    }

    fn after_events(&mut self, platform: &mut Platform) {
        self.settle(platform);
    }

    fn ending(&mut self, platform: &mut Platform) {
        self.blur_docs(platform, |_| true);
        self.end_calls();
        self.keep_instances_at_the_end();
    }
}

/// The platform's whole pixels from the painter's lengths.
pub(crate) fn whole(size: Size) -> crate::wayland::Size {
    crate::wayland::Size::new(size.w.ceil().max(1.0) as u32, size.h.ceil().max(1.0) as u32)
}

pub(crate) fn at(p: crate::wayland::Point) -> Point {
    Point::new(p.x as f32, p.y as f32)
}
