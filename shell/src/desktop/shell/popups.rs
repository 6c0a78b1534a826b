//! The one popup there is at a time: a panel widget opened large, or a menu. A second press on the widget, a press elsewhere and
//! Escape close it.

use std::sync::Arc;

use ede_engine::documents::Edge;
use ede_renderer::display::DisplayList;
use ede_renderer::geometry::{Point, Rect, Size};
use eui_core::surface;

use super::menus::MenuAction;
use super::{DocRef, Shell, Show, whole};
use crate::desktop::chrome::Plate;
use crate::desktop::pane::Pane;
use crate::desktop::popup::{DISTANCE, Popup, TALLEST};
use crate::desktop::style::Style;
use crate::desktop::window_list::{self, WindowList};
use crate::wayland::{
    self, Constraint, Edges, Insets, KeyboardMode, Platform, PopupPlace, PopupSpec, SurfaceId,
};

pub(super) struct OpenPopup {
    pub popup: Popup,
    pub surface: SurfaceId,
    /// What it stands on. Some compositors leave the keys of a grab there.
    pub parent: SurfaceId,
    /// The document it was opened from.
    pub opener: DocRef,
    /// What the entries of a menu do.
    pub actions: Vec<MenuAction>,
    /// A sheet that it has asked for is open: nothing of it is seen or pressed meanwhile, since some compositors have it above the sheet.
    covered: bool,
    /// Where it is pressed.
    input: wayland::Rect,
    place: PopupPlace,
    size: Size,
    list: Arc<DisplayList>,
    content: Arc<DisplayList>,
}

impl OpenPopup {
    fn cover(&mut self, platform: &mut Platform, on: bool) {
        self.covered = on;
        platform.let_stay(self.surface, on);
        self.take_input(platform);
    }

    fn take_input(&self, platform: &mut Platform) {
        let where_it_is = [self.input];
        let input = if self.covered { &[][..] } else { &where_it_is };
        platform.set_input_region(self.surface, Some(input));
        platform.request_redraw(self.surface);
    }

    /// Another look; what is typed in it stays.
    pub fn restyle(&mut self, style: &Style) {
        self.popup.doc.restyle(style);
        self.list = Arc::default();
    }
}

impl Shell {
    /// A press on a panel widget that no control of its own took.
    pub(super) fn toggle_popup(&mut self, platform: &mut Platform, opener: DocRef, widget: &str) {
        let open = self
            .popup
            .as_ref()
            .is_some_and(|p| p.opener == opener && p.popup.widget == widget);
        self.close_popup(platform);
        if open {
            return;
        }
        let Some(w) = self
            .doc(opener)
            .and_then(|d| d.widget(widget))
            .filter(|w| !w.native)
        else {
            return;
        };
        let Some((app, screen, size, params)) = self.desk.popup_of(w.content.app(), w.props())
        else {
            return;
        };
        let anchor = w.frame();
        let Some((parent, place, tallest)) = self.beside(opener, anchor) else {
            return;
        };
        let shows = (screen.as_str(), size.as_str(), &params);
        let popup = Popup::app(&app, widget, shows, tallest, &self.desk.style);
        self.open_popup(platform, parent, opener, popup, place, Vec::new());
        self.hold_item(true);
    }

    /// The windows a panel's list has no room for, or none of them when they are open.
    pub(super) fn toggle_windows(&mut self, platform: &mut Platform, opener: DocRef, widget: &str) {
        // The press has closed the list by now if it was open; on its own item that is all it does.
        if self.pressed.as_ref().is_some_and(|p| p.own_item) {
            return;
        }
        self.close_popup(platform);
        let Some(w) = self.doc(opener).and_then(|d| d.widget(widget)) else {
            return;
        };
        let (Some(list), Some(more)) = (&w.windows, window_list::more_frame(&w.content.view))
        else {
            return;
        };
        let (rest, anchor) = (list.rest(), more.translate(w.frame().origin()));
        let beside = self.beside(opener, anchor).filter(|_| !rest.is_empty());
        let Some((parent, place, tallest)) = beside else {
            return;
        };
        let popup = Popup::windows(widget, rest, tallest, &self.desk.style);
        self.open_popup(platform, parent, opener, popup, place, Vec::new());
        self.hold_item(true);
    }

    /// The surface and the place of a popup that opens from `anchor`, an item of a panel: centred on it, a little away from the panel,
    /// slid back where the output ends; and how tall it may be there (px).
    fn beside(&self, opener: DocRef, anchor: Rect) -> Option<(SurfaceId, PopupPlace, f32)> {
        let DocRef::Panel(o, n) = opener else {
            return None;
        };
        let on = self.outputs.get(&o)?;
        let on_panel = on.panels.get(n)?;
        let (parent, origin) = match on_panel.surface {
            Some(own) => (own, on_panel.panel.area().origin()),
            None => (self.stand_in.surface?, Point::ZERO),
        };
        let (edge, plate) = (on_panel.panel.place().edge, on_panel.panel.plate());
        let by = DISTANCE as i32;
        let (item, away, offset) = match edge {
            Edge::Top => (
                Rect {
                    y: plate.y,
                    h: plate.h,
                    ..anchor
                },
                Edges::BOTTOM,
                (0, by),
            ),
            Edge::Bottom => (
                Rect {
                    y: plate.y,
                    h: plate.h,
                    ..anchor
                },
                Edges::TOP,
                (0, -by),
            ),
            Edge::Left => (
                Rect {
                    x: plate.x,
                    w: plate.w,
                    ..anchor
                },
                Edges::RIGHT,
                (by, 0),
            ),
            Edge::Right => (
                Rect {
                    x: plate.x,
                    w: plate.w,
                    ..anchor
                },
                Edges::LEFT,
                (-by, 0),
            ),
        };
        let item = item.translate(Point::ZERO - origin);
        let place = PopupPlace {
            anchor_rect: wayland::Rect::new(
                item.x as i32,
                item.y as i32,
                item.w.ceil().max(1.0) as i32,
                item.h.ceil().max(1.0) as i32,
            ),
            anchor: away,
            gravity: away,
            offset,
            size: wayland::Size::new(1, 1),
            constraint: Constraint {
                flip_y: false,
                ..Constraint::default()
            },
        };
        let room = match edge {
            Edge::Top => on.size.h - plate.bottom() - DISTANCE,
            Edge::Bottom => plate.y - DISTANCE,
            Edge::Left | Edge::Right => on.size.h - DISTANCE,
        };
        Some((parent, place, TALLEST.min(room - DISTANCE)))
    }

    /// A menu at a point of a surface.
    pub(super) fn show_menu(
        &mut self,
        platform: &mut Platform,
        parent: SurfaceId,
        opener: DocRef,
        at: Point,
        menu: Popup,
        actions: Vec<MenuAction>,
    ) {
        self.close_popup(platform);
        let place = PopupPlace {
            anchor_rect: wayland::Rect::new(at.x as i32, at.y as i32, 1, 1),
            anchor: Edges::BOTTOM.and(Edges::RIGHT),
            gravity: Edges::BOTTOM.and(Edges::RIGHT),
            offset: (0, 0),
            size: wayland::Size::new(1, 1),
            constraint: Constraint {
                flip_x: true,
                flip_y: true,
                ..Constraint::default()
            },
        };
        self.open_popup(platform, parent, opener, menu, place, actions);
    }

    fn open_popup(
        &mut self,
        platform: &mut Platform,
        parent: SurfaceId,
        opener: DocRef,
        mut popup: Popup,
        mut place: PopupPlace,
        actions: Vec<MenuAction>,
    ) {
        let now = self.now_ms();
        let desk = &mut self.desk;
        // The first layout opens its widgets, the second one has their values.
        popup.update(
            surface::Insets::default(),
            &mut desk.shelf,
            &mut desk.res,
            now,
        );
        desk.fill(&mut popup.doc);
        let size = popup.update(
            surface::Insets::default(),
            &mut desk.shelf,
            &mut desk.res,
            now,
        );
        place.size = whole(size);
        let spec = PopupSpec {
            parent,
            place,
            frame: Insets::all(Plate::Popup.room() as u32),
            grab: self.grab_serial(),
        };
        // sway gives a layer's popup no keyboard: its panel has it meanwhile, and hands on what it hears.
        self.ask_keys(platform, parent, KeyboardMode::Exclusive);
        let Some(surface) = platform.create_popup(spec) else {
            return;
        };
        self.panes.insert(surface, (Show::Popup, Pane::default()));
        self.popup = Some(OpenPopup {
            popup,
            surface,
            parent,
            opener,
            actions,
            covered: false,
            input: wayland::Rect::default(),
            place,
            size,
            list: Arc::default(),
            content: Arc::default(),
        });
    }

    pub(super) fn close_popup(&mut self, platform: &mut Platform) {
        if let Some(id) = self.popup.as_ref().map(|p| p.surface) {
            platform.destroy(id);
            self.popup_gone(platform, id);
        }
    }

    /// A sheet is to open that this document has asked for. False where it is not the popup, which is in the way then.
    pub(super) fn cover_popup(&mut self, platform: &mut Platform, doc: Option<DocRef>) -> bool {
        let popup = self.popup.as_mut();
        let popup = popup.filter(|p| doc == Some(DocRef::Popup(p.surface)));
        popup.is_some_and(|p| {
            p.cover(platform, true);
            true
        })
    }

    /// No sheet is open any more.
    pub(super) fn uncover_popup(&mut self, platform: &mut Platform) {
        if let Some(p) = self.popup.as_mut().filter(|p| p.covered) {
            p.cover(platform, false);
        }
    }

    /// Where the popup is pressed is known. False where it is no surface of the popup's.
    pub(super) fn popup_takes_input(
        &mut self,
        platform: &mut Platform,
        id: SurfaceId,
        plate: wayland::Rect,
    ) -> bool {
        let popup = self.popup.as_mut().filter(|p| p.surface == id);
        popup.is_some_and(|p| {
            p.input = plate;
            p.take_input(platform);
            true
        })
    }

    pub(super) fn popup_is_covered(&self) -> bool {
        self.popup.as_ref().is_some_and(|p| p.covered)
    }

    pub(super) fn popup_gone(&mut self, platform: &mut Platform, id: SurfaceId) {
        self.retire(platform, |doc| doc == DocRef::Popup(id));
        if let Some(p) = self.popup.as_ref().filter(|p| p.surface == id) {
            self.shut = Some((p.opener, p.popup.widget.clone()));
            self.hold_item(false);
            self.popup = None;
        }
        self.forget(id);
        self.stop_uploads(platform);
    }

    /// The panel item stays pressed while its popup is open.
    fn hold_item(&mut self, on: bool) {
        let Some((opener, widget)) = self
            .popup
            .as_ref()
            .map(|p| (p.opener, p.popup.widget.clone()))
        else {
            return;
        };
        if let Some(doc) = self.doc_mut(opener).filter(|_| !widget.is_empty()) {
            if let Some(w) = doc.widget_mut(&widget)
                && let Some(list) = &mut w.windows
            {
                list.set_open(&mut w.content.view, on);
                return;
            }
            let states = if on {
                vec!["pressed".to_string()]
            } else {
                Vec::new()
            };
            doc.view.surface_mut().set_states(&widget, states);
        }
    }

    /// Lay the popup out and follow its size.
    pub(super) fn sync_popup(&mut self, platform: &mut Platform) {
        let now = self.now_ms();
        if let Some(p) = self.popup.as_ref().filter(|p| p.popup.lists_windows) {
            let list = self
                .doc(p.opener)
                .and_then(|d| d.widget(&p.popup.widget)?.windows.as_ref());
            let rest = list.map(WindowList::rest).unwrap_or_default();
            if rest.is_empty() {
                self.close_popup(platform);
            } else if let Some(p) = &mut self.popup {
                p.popup.set_windows(rest);
            }
        }
        let Shell { popup, desk, .. } = self;
        let Some(p) = popup else { return };
        let size = p.popup.update(
            surface::Insets::default(),
            &mut desk.shelf,
            &mut desk.res,
            now,
        );
        if size != p.size {
            p.size = size;
            p.place.size = whole(size);
            platform.reposition(p.surface, p.place);
        }
        let content = p.popup.doc.view.painted().main.clone();
        let view = p.popup.doc.view.surface();
        if (!Arc::ptr_eq(&content, &p.content) || p.list.items.is_empty())
            && let Some(theme) = view.effective_theme().cloned()
        {
            let recipes = desk.res.recipes(&theme, view.mode());
            let plate = p.popup.plate();
            p.list = Arc::new(Plate::Popup.under(content.clone(), plate, &recipes));
            p.content = content;
        }
    }

    pub(super) fn popup_picture(&self, id: SurfaceId) -> Option<(Arc<DisplayList>, Rect)> {
        let p = self.popup.as_ref().filter(|p| p.surface == id)?;
        let list = match p.covered {
            true => Arc::default(),
            false => p.list.clone(),
        };
        Some((list, p.popup.plate().inset(-Plate::Popup.room())))
    }
}
