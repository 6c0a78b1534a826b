//! Short messages: what an app has to say, what went wrong with what was just pressed. One at a time, at the corner of the first
//! output, gone by itself. Where the desktop is one window, it is drawn over that: a popup there would end with the next press.

use std::sync::Arc;

use ede_engine::app_id::AppId;
use ede_engine::interactions::{AgentId, CallId, Event};
use ede_engine::records::{ActionId, NoticeId, Tap};
use ede_renderer::display::DisplayList;
use ede_renderer::geometry::{Point, Rect, Size};
use eui_core::surface;

use super::{DocRef, Shell, Show, cards, whole};
use crate::desktop::board::span;
use crate::desktop::cards::notice;
use crate::desktop::chrome::Plate;
use crate::desktop::pane::Pane;
use crate::desktop::popup::{self, Popup, Tone};
use crate::desktop::style::Style;
use crate::wayland::{self, Edges, KeyboardMode, Layer, LayerSpec, OutputId, Platform, SurfaceId};

/// How long a message stays (ms), and how long after a pointer left it.
const STAYS: f64 = 6000.0;
const LEAVES: f64 = 2000.0;
/// How far it stands from the corner (px).
pub(super) const MARGIN: f32 = 32.0;
/// Room for its shadow (px).
pub(super) const ROOM: f32 = 32.0;

/// What the person is to be told: about which app or document, and what can be done about it.
#[derive(Clone, Debug)]
pub(super) struct Message {
    pub about: String,
    pub text: String,
    pub tone: Tone,
    pub offer: Option<Offer>,
    /// Whose words it is, where it is not the shell's own to say.
    pub told: Option<Told>,
}

/// What somebody wants told.
#[derive(Clone, Debug, PartialEq)]
pub(super) enum Told {
    /// This notification of an app.
    Apps(AppId, NoticeId),
    /// This notice of an agent, which stands under its mark.
    Agents(CallId, AgentId),
}

/// What the button of a message does.
#[derive(Clone, Debug)]
pub(super) enum Offer {
    /// Take an action of an app back.
    Undo(AppId, ActionId),
    /// Open an app where it says.
    Open(AppId, Tap),
}

impl Offer {
    fn label(&self) -> &'static str {
        match self {
            Offer::Undo(..) => "Undo",
            Offer::Open(..) => "Open",
        }
    }
}

pub(super) struct OpenToast {
    pub popup: Popup,
    /// `None` in the one window of a desktop without layer-shell.
    pub surface: Option<SurfaceId>,
    pub offer: Option<Offer>,
    pub told: Option<Told>,
    /// How far it stands above its corner (px).
    lift: f32,
    content: Arc<DisplayList>,
    list: Arc<DisplayList>,
    until: f64,
}

impl OpenToast {
    /// Another look.
    pub fn restyle(&mut self, style: &Style) {
        self.popup.doc.restyle(style);
        self.list = Arc::default();
    }
}

impl Shell {
    /// Show what waits to be said; take away what has been there long enough, unless somebody points at it.
    pub(super) fn sync_toast(&mut self, platform: &mut Platform) {
        let now = self.now_ms();
        let pointed = self.hover.as_ref().is_some_and(|t| t.doc == DocRef::Toast);
        if let Some(toast) = self.toast.as_mut().filter(|_| pointed) {
            toast.until = toast.until.max(now + LEAVES);
        }
        let over = |t: &OpenToast| t.until <= now || self.message.is_some();
        if self.toast.as_ref().is_some_and(over) {
            self.close_toast(platform);
        }
        if self.toast.is_none() && self.message.is_none() {
            self.next_in_corner();
        }
        if let Some(message) = self.message.take() {
            self.open_toast(platform, message, now);
        }
        self.lift_toast(platform);
        self.paint_toast(now);
    }

    /// It stands above a card that is at its corner, as far as there is room.
    fn lift_toast(&mut self, platform: &mut Platform) {
        let Some(on) = self.outputs.keys().next().copied() else {
            return;
        };
        let (card, free) = (self.lift(on), self.outputs[&on].free());
        let Some(t) = &mut self.toast else { return };
        let most = free.h - 2.0 * MARGIN - t.popup.plate().h;
        let lift = card.min(most).max(0.0);
        if t.lift != lift {
            t.lift = lift;
            if let Some(id) = t.surface {
                platform.set_margin(id, cards::corner(lift));
            }
        }
    }

    fn open_toast(&mut self, platform: &mut Platform, message: Message, now: f64) {
        // Without an output it waits for one.
        let Some(place) = self.outputs.keys().next().copied() else {
            self.message = Some(message);
            return;
        };
        let label = message.offer.as_ref().map(Offer::label);
        let takes_presses = label.is_some();
        let style = &self.desk.style;
        let mut popup = match &message.told {
            Some(Told::Agents(_, agent)) => {
                let (components, data) = notice(agent, &message.about, &message.text);
                let mut popup = Popup::sheet(components, data, style);
                popup.fit(Size::new(span(2), popup::TALLEST));
                popup
            }
            _ => Popup::toast((&message.about, &message.text), message.tone, label, style),
        };
        let size = popup.update(
            surface::Insets::default(),
            &mut self.desk.shelf,
            &mut self.desk.res,
            now,
        );
        let surface = match place {
            None => None,
            Some(output) => match self.message_surface(platform, output, size, takes_presses) {
                Some(surface) => Some(surface),
                None => {
                    self.message = Some(message);
                    return;
                }
            },
        };
        // An agent's notice is there until it was seen: with the screen off that may be hours, and nothing wakes meanwhile.
        let waits = surface.is_some() && matches!(message.told, Some(Told::Agents(..)));
        self.toast = Some(OpenToast {
            popup,
            surface,
            offer: message.offer,
            told: message.told,
            lift: 0.0,
            content: Arc::default(),
            list: Arc::default(),
            until: match waits {
                true => f64::INFINITY,
                false => now + STAYS,
            },
        });
        if surface.is_none() {
            // The next frame of the window has it.
            self.toast_seen();
        }
    }

    /// A frame of a surface has been shown: if it is the message's, the person sees that.
    pub(super) fn toast_presented(&mut self, id: SurfaceId) {
        let now = self.now_ms();
        if let Some(toast) = self.toast.as_mut().filter(|t| t.surface == Some(id)) {
            if toast.until.is_infinite() {
                toast.until = now + STAYS;
            }
            self.toast_seen();
        }
    }

    /// A notice of an agent is over when it is seen.
    fn toast_seen(&mut self) {
        let told = self.toast.as_ref().and_then(|t| t.told.as_ref());
        if let Some(Told::Agents(id, _)) = told.cloned()
            && self.interactions.get(&id).is_some()
        {
            self.settle_one(&id, Event::Present);
        }
    }

    /// A surface of its own at the corner of an output, for a message of this size.
    fn message_surface(
        &mut self,
        platform: &mut Platform,
        output: OutputId,
        size: Size,
        takes_presses: bool,
    ) -> Option<SurfaceId> {
        let spec = LayerSpec {
            output,
            layer: Layer::Top,
            anchor: Edges::BOTTOM.and(Edges::RIGHT),
            size: whole(cards::around(size)),
            exclusive_zone: 0,
            margin: cards::corner(0.0),
            namespace: "ede-toast".into(),
            keyboard: KeyboardMode::None,
        };
        let surface = platform.create_layer(spec)?;
        // One that only says something lets presses through to what is below.
        let takes = wayland::Rect::new(ROOM as i32, ROOM as i32, size.w as i32, size.h as i32);
        let input = takes_presses.then_some(takes);
        platform.set_input_region(surface, Some(input.as_slice()));
        self.panes.insert(surface, (Show::Toast, Pane::default()));
        Some(surface)
    }

    /// What is drawn of the message in the one window, and the point of the window its list begins at.
    pub(super) fn message_in_window(&self) -> Option<(&Arc<DisplayList>, Point)> {
        let t = self.toast.as_ref().filter(|t| t.surface.is_none())?;
        let (free, plate) = (self.outputs.get(&None)?.free(), t.popup.plate());
        let at = Point::new(
            free.right() - MARGIN - plate.right(),
            free.bottom() - MARGIN - plate.bottom() - t.lift,
        );
        Some((&t.list, at))
    }

    /// Is a message of the one window at this point of it that can be pressed?
    pub(super) fn message_takes(&self, q: Point) -> bool {
        let can = |t: &&OpenToast| t.offer.is_some();
        let toast = self.toast.as_ref().filter(can);
        let at = toast.zip(self.message_in_window());
        at.is_some_and(|(t, (_, at))| t.popup.plate().contains(q - at))
    }

    fn paint_toast(&mut self, now: f64) {
        let Shell { toast, desk, .. } = self;
        let Some(t) = toast else { return };
        t.popup.update(
            surface::Insets::default(),
            &mut desk.shelf,
            &mut desk.res,
            now,
        );
        let content = t.popup.doc.view.painted().main.clone();
        if Arc::ptr_eq(&content, &t.content) && !t.list.items.is_empty() {
            return;
        }
        let recipes = desk.res.recipes(desk.style.theme(), desk.style.mode);
        let plate = t.popup.plate();
        t.list = Arc::new(match t.told {
            Some(Told::Agents(..)) => {
                let below = cards::below_mark(plate);
                DisplayList {
                    items: vec![
                        Plate::Popup.item(below, &recipes),
                        cards::over(content.clone()),
                    ],
                }
            }
            _ => Plate::Popup.under(content.clone(), plate, &recipes),
        });
        t.content = content;
    }

    /// What the person reads when an app is meant.
    pub(super) fn app_name(&self, app: &AppId) -> String {
        let package = self.desk.shelf.get(app);
        package.map_or_else(|| app.to_string(), |p| p.name().to_string())
    }

    /// Tell the person something that is not an app's to tell: what did not work, and why.
    pub(super) fn tell(&mut self, about: impl Into<String>, text: impl Into<String>) {
        self.message = Some(Message {
            about: about.into(),
            text: text.into(),
            tone: Tone::Warning,
            offer: None,
            told: None,
        });
    }

    /// Tell the person something about an app. Its words may be what it keeps: no log holds them.
    pub(super) fn say(&mut self, app: &AppId, text: &str) {
        self.message = Some(Message {
            about: self.app_name(app),
            text: text.into(),
            tone: Tone::Info,
            offer: None,
            told: None,
        });
    }

    /// Tell of files that are not used as they are. The last good version of each stays on screen.
    pub(super) fn tell_untold(&mut self) {
        let mut untold = self.library.take_untold().into_iter();
        let Some(first) = untold.next() else { return };
        let text = match untold.len() {
            0 => first.what,
            1 => format!("{}. One more file has a mistake", first.what),
            n => format!("{}. {n} more files have mistakes", first.what),
        };
        self.tell(first.file, text);
    }

    pub(super) fn close_toast(&mut self, platform: &mut Platform) {
        if let Some(t) = self.toast.take() {
            if let Some(surface) = t.surface {
                platform.destroy(surface);
                self.forget(surface);
            }
            self.forget_docs(platform, |doc| doc == DocRef::Toast);
            if let Some(Told::Apps(app, id)) = t.told {
                self.notice_ended(app, id);
            }
        }
    }

    /// Do what the button of the message in the corner says.
    pub(super) fn take_offer(&mut self, platform: &mut Platform) {
        let Some(offer) = self.toast.as_ref().and_then(|t| t.offer.clone()) else {
            return;
        };
        self.close_toast(platform);
        match offer {
            Offer::Undo(app, action) => self.undo(app, action),
            Offer::Open(app, tap) => self.open_tapped(platform, &app, tap, None),
        }
    }

    /// When the toast goes (ms of the shell's clock).
    pub(super) fn toast_ends(&self) -> Option<f64> {
        let until = self.toast.as_ref().map(|t| t.until);
        until.filter(|until| until.is_finite())
    }

    pub(super) fn toast_picture(&self) -> Option<(Arc<DisplayList>, Rect)> {
        self.toast
            .as_ref()
            .map(|t| (t.list.clone(), t.popup.plate().inset(-ROOM)))
    }
}
