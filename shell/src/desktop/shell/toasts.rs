//! Short messages: what an app has to say, what went wrong with what was just pressed. One at a time, at the corner of the first
//! output, gone by itself.

use std::sync::Arc;

use ede_renderer::display::{DisplayList, Item, Key};
use ede_renderer::geometry::{Point, Radii, Rect};
use eui_core::surface;

use super::{Shell, Show, whole};
use crate::desktop::chrome::{PLATE_SLOT, Plate};
use crate::desktop::pane::Pane;
use crate::desktop::popup::Popup;
use crate::wayland::{Edges, Insets, KeyboardMode, Layer, LayerSpec, Platform, SurfaceId};

/// How long a message stays (ms), and how far it stands from the corner.
const STAYS: f64 = 6000.0;
const MARGIN: f32 = 32.0;
/// Room for its shadow (px).
const ROOM: f32 = 32.0;

pub(super) struct OpenToast {
    surface: SurfaceId,
    list: Arc<DisplayList>,
    plate: Rect,
    until: f64,
}

impl Shell {
    /// Show what waits to be said; take away what has been there long enough.
    pub(super) fn sync_toast(&mut self, platform: &mut Platform) {
        let now = self.now_ms();
        if self
            .toast
            .as_ref()
            .is_some_and(|t| t.until <= now || self.message.is_some())
        {
            self.close_toast(platform);
        }
        let Some((app, text)) = self.message.take() else {
            return;
        };
        let Some(output) = self.outputs.keys().find_map(|key| *key) else {
            return;
        };
        let name = self
            .desk
            .shelf
            .get(&app)
            .map_or_else(|| app.to_string(), |p| p.name().to_string());
        let mut toast = Popup::toast(&name, &text, &self.desk.style);
        let size = toast.update(
            surface::Insets::default(),
            &mut self.desk.shelf,
            &mut self.desk.res,
            now,
        );
        let recipes = self
            .desk
            .res
            .recipes(self.desk.style.theme(), self.desk.style.mode);
        let plate = toast.plate();
        let content = toast.doc.view.painted().main.clone();
        let radii = Radii::all(Plate::Popup.radius(&recipes)).shrink(1.0);
        let inner = Item::Nested {
            key: Key {
                slot: PLATE_SLOT,
                over: true,
            },
            list: content,
            at: Point::ZERO,
            clip: plate.inset(1.0),
            radii,
        };
        let list = Arc::new(DisplayList {
            items: vec![Plate::Popup.item(plate, &recipes), inner],
        });
        let room = ede_renderer::geometry::Size::new(size.w + 2.0 * ROOM, size.h + 2.0 * ROOM);
        let spec = LayerSpec {
            output,
            layer: Layer::Top,
            anchor: Edges::BOTTOM.and(Edges::RIGHT),
            size: whole(room),
            exclusive_zone: 0,
            margin: Insets {
                bottom: (MARGIN - ROOM) as u32,
                right: (MARGIN - ROOM) as u32,
                ..Insets::default()
            },
            namespace: "ede-toast".into(),
            keyboard: KeyboardMode::None,
        };
        let Some(surface) = platform.create_layer(spec) else {
            return;
        };
        // A press on it goes through to what is below: it only says something.
        platform.set_input_region(surface, Some(&[]));
        self.panes.insert(surface, (Show::Toast, Pane::default()));
        self.toast = Some(OpenToast {
            surface,
            list,
            plate,
            until: now + STAYS,
        });
    }

    pub(super) fn close_toast(&mut self, platform: &mut Platform) {
        if let Some(t) = self.toast.take() {
            platform.destroy(t.surface);
            self.forget(t.surface);
        }
    }

    /// When the toast goes (ms of the shell's clock).
    pub(super) fn toast_ends(&self) -> Option<f64> {
        self.toast.as_ref().map(|t| t.until)
    }

    pub(super) fn toast_picture(&self) -> Option<(Arc<DisplayList>, Rect)> {
        self.toast
            .as_ref()
            .map(|t| (t.list.clone(), t.plate.inset(-ROOM)))
    }
}
