//! The pointer: hovering, pressing, scrolling, moving and resizing windows. What no control takes belongs to the widget
//! as a whole: its popup in a panel, its app's window on the desktop, its menu for the right button.

use ede_renderer::geometry::Point;
use ede_renderer::input::{Button as ViewButton, Cursor, PointerEvent as ViewPointer};

use super::routes::{Pressed, Target};
use super::{DocRef, Shell, Show, at};
use crate::desktop::window::{self, ChromeAction};
use crate::wayland::{Button, CursorShape, Edges, Platform, PointerEvent, Serial, SurfaceId};

/// A wheel step, in px.
const LINE: f64 = 48.0;
impl Shell {
    pub(super) fn pointer(&mut self, platform: &mut Platform, id: SurfaceId, event: PointerEvent) {
        match event {
            PointerEvent::Enter { position } | PointerEvent::Motion { position, .. } => {
                self.moved(platform, id, at(position))
            }
            PointerEvent::Leave => self.unhover(platform),
            PointerEvent::Press {
                position,
                button,
                serial,
                dismissed,
                ..
            } => self.press(platform, id, at(position), button, serial, dismissed),
            PointerEvent::Release {
                position, button, ..
            } => self.release(platform, id, at(position), button),
            PointerEvent::Scroll {
                position,
                horizontal,
                vertical,
                ..
            } => {
                let px = |a: crate::wayland::ScrollAxis| {
                    (if a.steps120 != 0 {
                        f64::from(a.steps120) / 120.0 * LINE
                    } else {
                        a.pixels
                    }) as f32
                };
                let Some(t) = self.view_at(id, at(position)) else {
                    return;
                };
                let event = ViewPointer::Wheel {
                    at: t.at,
                    dx: px(horizontal),
                    dy: px(vertical),
                };
                self.send(platform, &t, event);
            }
        }
    }
    fn moved(&mut self, platform: &mut Platform, id: SurfaceId, p: Point) {
        if matches!(self.panes.get(&id), Some((Show::Window, _)))
            && self.pressed.is_none()
            && let Some(edges) = self
                .panes
                .get(&id)
                .and_then(|(_, pane)| self.rim(id, pane.to_list(p)))
        {
            self.unhover(platform);
            platform.set_cursor(id, resize_shape(edges));
            return;
        }
        let Some(t) = self.held(id, p).or_else(|| self.view_at(id, p)) else {
            return;
        };
        if self
            .hover
            .as_ref()
            .is_some_and(|h| h.doc != t.doc || h.widget != t.widget)
        {
            self.unhover(platform);
        }
        self.send(platform, &t, ViewPointer::Move(t.at));
        // The leaf under the pointer shows that it can be pressed.
        let leaf = t.widget.as_deref().and_then(|w| self.doc(t.doc)?.widget(w));
        if let Some(frame) = leaf.map(|w| w.frame()) {
            let host = Target {
                doc: t.doc,
                widget: None,
                at: t.at + frame.origin(),
            };
            self.send(platform, &host, ViewPointer::Move(host.at));
        }
        let cursor = self.with_view(t.doc, t.widget.as_deref(), |view, _| view.cursor());
        platform.set_cursor(id, shape(cursor.unwrap_or_default()));
        self.hover = Some(t);
    }

    fn unhover(&mut self, platform: &mut Platform) {
        if let Some(t) = self.hover.take() {
            self.send(platform, &t, ViewPointer::Leave);
            if t.widget.is_some() {
                self.send(platform, &Target { widget: None, ..t }, ViewPointer::Leave);
            }
        }
    }

    fn press(
        &mut self,
        platform: &mut Platform,
        id: SurfaceId,
        p: Point,
        button: Button,
        serial: Serial,
        dismissed: bool,
    ) {
        self.serial = Some(serial);
        if matches!(self.panes.get(&id), Some((Show::Window, _))) {
            let q = self
                .panes
                .get(&id)
                .map(|(_, pane)| pane.to_list(p))
                .unwrap_or_default();
            if button == Button::Left
                && let Some(edges) = self.rim(id, q)
            {
                platform.start_resize(id, serial, edges);
                return;
            }
            if matches!(button, Button::Back) {
                self.chrome(platform, id, ChromeAction::Back);
                return;
            }
            if self.title_press(platform, id, q, button, serial) {
                return;
            }
        }
        // A press anywhere but in the popup closes it; the press on its own item is what opened it, and toggles.
        // The compositor may have told of the popup's end before it told of the press that ended it.
        let shut = self.shut.take().filter(|_| dismissed);
        let open = self
            .popup
            .as_ref()
            .map(|o| (o.opener, o.popup.widget.clone()));
        let opener = open.or(shut);
        let in_popup = matches!(
            self.panes.get(&id),
            Some((Show::Popup | Show::Layer(DocRef::Popup(_), ..), _))
        );
        let t = self.view_at(id, p);
        // A sheet that the popup has asked for belongs to it.
        let on_sheet = t.as_ref().is_some_and(|t| t.doc == DocRef::Sheet);
        let in_popup = in_popup || on_sheet && self.popup_is_covered();
        if !in_popup {
            self.focus_leaves_all_but(platform, t.as_ref().map(|t| t.doc));
        }
        let Some(t) = t else {
            self.close_popup(platform);
            return;
        };
        let own_item = opener
            .as_ref()
            .is_some_and(|(doc, widget)| *doc == t.doc && t.widget.as_ref() == Some(widget));
        if !in_popup {
            self.close_popup(platform);
        }
        let view_button = match button {
            Button::Left => ViewButton::Left,
            Button::Right => ViewButton::Right,
            Button::Middle => ViewButton::Middle,
            Button::Back | Button::Forward | Button::Other(_) => return,
        };
        self.keys_follow(id, t.doc);
        if self.focused_panel.is_some() && matches!(t.doc, DocRef::Board(_) | DocRef::Window(_)) {
            // The person has left the panel they had called.
            self.release_panel(platform);
        }
        let event = ViewPointer::Press {
            at: t.at,
            button: view_button,
            mods: self.mods,
            clicks: 0,
        };
        if self.beside_sheet(&t) {
            // The safe answer keeps the focus.
            return;
        }
        if let Some(widget) = t.widget.as_ref().filter(|_| button == Button::Left) {
            self.app_pressed(t.doc, widget);
        }
        let taken = self.send(platform, &t, event);
        self.focus_to(platform, t.doc, t.widget.clone());
        if !taken && self.stand_in_pressed(platform, id, &t, p, button, serial) {
            // The compositor has the rest of the press.
            let now = self.now_ms();
            let left = self.with_view(t.doc, None, |view, res| view.cancel_pointer(res, now));
            if let Some(r) = left {
                self.answer(platform, t.doc, None, r);
            }
            return;
        }
        self.pressed = Some(Pressed {
            surface: id,
            doc: t.doc,
            widget: t.widget,
            button,
            // A press beside the popup only closes it, on its own item too; on another item of the panel it opens that one.
            taken: taken || own_item || dismissed && !matches!(t.doc, DocRef::Panel(..)),
            own_item,
        });
    }

    fn release(&mut self, platform: &mut Platform, id: SurfaceId, p: Point, button: Button) {
        let Some(t) = self.held(id, p).or_else(|| self.view_at(id, p)) else {
            return;
        };
        let over = self
            .view_at(id, p)
            .is_some_and(|h| h.doc == t.doc && h.widget == t.widget);
        let view_button = match button {
            Button::Left => ViewButton::Left,
            Button::Right => ViewButton::Right,
            Button::Middle => ViewButton::Middle,
            Button::Back | Button::Forward | Button::Other(_) => return,
        };
        if let Some(widget) = t
            .widget
            .as_deref()
            .filter(|_| over && button == Button::Left)
        {
            self.ask_for_bindings(platform, t.doc, widget);
        }
        self.send(
            platform,
            &t,
            ViewPointer::Release {
                at: t.at,
                button: view_button,
            },
        );
        let pressed = self.pressed.take_if(|d| d.button == button);
        let Some(pressed) = pressed.filter(|d| !d.taken && d.button == Button::Left && over) else {
            return;
        };
        if let Some(widget) = pressed.widget {
            self.widget_pressed(platform, pressed.doc, &widget);
        }
    }

    /// A press on a widget that none of its controls took.
    pub(super) fn widget_pressed(&mut self, platform: &mut Platform, doc: DocRef, widget: &str) {
        match doc {
            DocRef::Panel(..) => self.toggle_popup(platform, doc, widget),
            DocRef::Board(_) | DocRef::Window(_) => {
                let app = self
                    .doc(doc)
                    .and_then(|d| d.widget(widget))
                    .and_then(|w| Some((w.content.app()?.clone(), w.content.screen.clone())));
                // In an app's own window a press that nothing takes is nothing.
                let own = |id| {
                    self.windows
                        .get(&id)
                        .is_some_and(|w| w.window.app().is_some())
                };
                let own = matches!(doc, DocRef::Window(id) if own(id));
                if let Some((app, screen)) = app.filter(|_| !own) {
                    self.try_open(platform, &app, Some(&screen), serde_json::Value::Null);
                }
            }
            DocRef::Popup(_) | DocRef::Toast | DocRef::Card | DocRef::Sheet => {}
        }
    }

    /// Notes a press where a window is moved. True when it is the second one of a double press.
    pub(super) fn pressed_twice(&mut self, id: SurfaceId) -> bool {
        let now = self.now_ms();
        let last = self.last_title_press.take();
        if last.is_some_and(|(surface, at)| surface == id && now - at < 400.0) {
            return true;
        }
        self.last_title_press = Some((id, now));
        false
    }

    /// A press on the title bar that none of its buttons took moves the window, twice maximises it, the right one opens its menu.
    fn title_press(
        &mut self,
        platform: &mut Platform,
        id: SurfaceId,
        q: Point,
        button: Button,
        serial: Serial,
    ) -> bool {
        let Some(w) = self.windows.get(&id) else {
            return false;
        };
        let Some(bar) = w.window.title_bar().filter(|b| b.contains(q)) else {
            return false;
        };
        let on_button = window::BUTTONS.iter().any(|name| {
            let s = w.window.doc.view.surface();
            s.index_of(name)
                .and_then(|i| s.last_frame(i))
                .is_some_and(|f| ede_renderer::geometry::Rect::new(f.x, f.y, f.w, f.h).contains(q))
        });
        if on_button || !bar.contains(q) {
            return false;
        }
        match button {
            Button::Left => {
                if self.pressed_twice(id) {
                    let on = self.windows.get(&id).is_some_and(|w| w.maximized);
                    platform.set_maximized(id, !on);
                } else {
                    platform.start_move(id, serial);
                }
            }
            Button::Right => platform.show_window_menu(
                id,
                serial,
                crate::wayland::Point {
                    x: f64::from(q.x),
                    y: f64::from(q.y),
                },
            ),
            _ => return false,
        }
        true
    }
}

fn shape(c: Cursor) -> CursorShape {
    match c {
        Cursor::Default => CursorShape::Default,
        Cursor::Pointer => CursorShape::Pointer,
        Cursor::Text => CursorShape::Text,
        Cursor::NotAllowed => CursorShape::NotAllowed,
        Cursor::Grab => CursorShape::Grab,
        Cursor::Grabbing => CursorShape::Grabbing,
        Cursor::Move => CursorShape::Move,
        Cursor::ColResize => CursorShape::ColResize,
        Cursor::RowResize => CursorShape::RowResize,
    }
}

fn resize_shape(e: Edges) -> CursorShape {
    match (e.top, e.bottom, e.left, e.right) {
        (true, _, true, _) => CursorShape::NwResize,
        (true, _, _, true) => CursorShape::NeResize,
        (_, true, true, _) => CursorShape::SwResize,
        (_, true, _, true) => CursorShape::SeResize,
        (true, ..) => CursorShape::NResize,
        (_, true, ..) => CursorShape::SResize,
        (_, _, true, _) => CursorShape::WResize,
        _ => CursorShape::EResize,
    }
}
