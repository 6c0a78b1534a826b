//! The desktop where there is no layer-shell (GNOME, weston): wallpaper, widgets and panels in one ordinary window, with the popups of
//! both beside it. Whoever closes the window ends the shell; the wallpaper is what the window is moved by.

use ede_engine::documents::OutputName;
use ede_renderer::geometry::{Point, Size};

use super::panels::OnPanel;
use super::routes::Target;
use super::{DocRef, Shell, Show, whole};
use crate::desktop::pane::Pane;
use crate::wayland::{self, Button, Configured, Platform, Serial, SurfaceId, ToplevelSpec};

/// Its size where it is not maximised, and the compositor has no wish.
const SIZE: Size = Size::new(1280.0, 800.0);
/// Smaller, a popup would not fit.
const LEAST: Size = Size::new(480.0, 360.0);

/// What the window is, beside its picture.
#[derive(Default)]
pub(super) struct StandIn {
    pub surface: Option<SurfaceId>,
    /// The document that was pressed last: keys go to it.
    pub keys: Option<DocRef>,
    maximized: bool,
}

impl Shell {
    /// Open the window, or bring what stands in it to what the documents say now.
    pub(super) fn open_stand_in(&mut self, platform: &mut Platform) {
        if self.stand_in.surface.is_some() {
            if let Some(on) = self.outputs.get(&None).filter(|on| on.stale) {
                let size = on.size;
                self.furnish(platform, None, OutputName::default(), size);
            }
            return;
        }
        let id = platform.create_toplevel(ToplevelSpec {
            title: "Desktop".into(),
            app_id: "ede".into(),
            size: whole(SIZE),
            min_size: whole(LEAST),
            ..ToplevelSpec::default()
        });
        // A desktop is as large as there is room.
        platform.set_maximized(id, true);
        self.stand_in.surface = Some(id);
        self.panes.insert(id, (Show::StandIn, Pane::default()));
        self.furnish(platform, None, OutputName::default(), SIZE);
    }

    /// The window has a size: the desktop is laid out anew for it.
    pub(super) fn stand_in_configured(&mut self, platform: &mut Platform, now: &Configured) {
        self.stand_in.maximized = now.states.maximized || now.states.fullscreen;
        let size = Size::new(now.size.width as f32, now.size.height as f32);
        if self.outputs.get(&None).is_none_or(|on| on.size != size) {
            self.close_popup(platform);
            self.furnish(platform, None, OutputName::default(), size);
        }
    }

    /// The document at a point of the window: a message that can be pressed, what an agent asks, a panel, the desktop.
    pub(super) fn in_window(&self, q: Point) -> Option<DocRef> {
        if self.sheet_in_window().is_some() {
            return Some(DocRef::Sheet);
        }
        if self.message_takes(q) {
            return Some(DocRef::Toast);
        }
        if self.card_takes(q) {
            return Some(DocRef::Card);
        }
        let on = self.outputs.get(&None)?;
        let taken = |p: &OnPanel| p.panel.is_out() && p.panel.input().contains(q);
        let panel = on.panels.iter().position(taken);
        panel
            .map(|n| DocRef::Panel(None, n))
            .or(on.board.as_ref().map(|_| DocRef::Board(None)))
    }

    /// A point of the window as the coordinates of a document in it.
    pub(super) fn onto_in_window(&self, doc: DocRef, q: Point) -> Option<Point> {
        let on = self.outputs.get(&None)?;
        Some(match doc {
            DocRef::Toast => q - self.message_in_window()?.1,
            DocRef::Card => q - self.card_in_window()?.1,
            DocRef::Sheet => self.onto_sheet(q),
            DocRef::Panel(_, n) => on.panels.get(n)?.panel.onto_items(q),
            _ => q - on.board.as_ref()?.free().origin(),
        })
    }

    /// A press on the window, wherever it was: keys go there from now on.
    pub(super) fn keys_follow(&mut self, id: SurfaceId, doc: DocRef) {
        if self.stand_in.surface == Some(id) {
            self.stand_in.keys = Some(doc);
        }
    }

    /// A press on nothing moves the window, twice makes it large, the right button has the window's menu. True when it was that.
    pub(super) fn stand_in_pressed(
        &mut self,
        platform: &mut Platform,
        id: SurfaceId,
        target: &Target,
        p: Point,
        button: Button,
        serial: Serial,
    ) -> bool {
        if self.stand_in.surface != Some(id) {
            return false;
        }
        if !matches!(target.doc, DocRef::Board(_)) || target.widget.is_some() {
            return false;
        }
        match button {
            Button::Left if self.pressed_twice(id) => {
                platform.set_maximized(id, !self.stand_in.maximized);
            }
            Button::Left => platform.start_move(id, serial),
            Button::Right => {
                let at = wayland::Point {
                    x: f64::from(p.x),
                    y: f64::from(p.y),
                };
                platform.show_window_menu(id, serial, at);
            }
            _ => return false,
        }
        true
    }
}
