//! Input to the view under it. A control inside a widget takes a press first; what nothing takes belongs to the widget as a whole:
//! its popup in a panel, its window on the desktop, its menu for the right button.

use ede_renderer::View;
use ede_renderer::geometry::Point;
use ede_renderer::input::{
    Button as ViewButton, Cursor, FocusMove, FocusStep, Key, KeyPress, Modifiers,
    PointerEvent as ViewPointer, Response, TouchEvent as ViewTouch,
};
use ede_renderer::resources::Resources;

use super::{DocRef, Shell, Show, at, doc_in};
use crate::desktop::popup;
use crate::desktop::window::{self, CONTENT, ChromeAction};
use crate::wayland::{
    Button, CursorShape, Edges, InputEvent, KeyEvent, KeyPhase, Keysym, Platform, PointerEvent,
    Serial, SurfaceId, TextEdit, TextField, TextHints, TextPurpose, TouchEvent,
};

/// A press that is still down.
pub(super) struct Pressed {
    pub surface: SurfaceId,
    pub doc: DocRef,
    pub widget: Option<String>,
    pub button: Button,
    /// Something on the view took it.
    pub taken: bool,
}

/// The view an event goes to, and the point in that view's coordinates.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Target {
    pub doc: DocRef,
    pub widget: Option<String>,
    pub at: Point,
}

/// A wheel step, in px.
const LINE: f64 = 48.0;

impl Shell {
    pub(super) fn route(&mut self, platform: &mut Platform, id: SurfaceId, event: InputEvent) {
        match event {
            InputEvent::Pointer(e) => self.pointer(platform, id, e),
            InputEvent::Touch(e) => self.touch(platform, id, e),
            InputEvent::Key(e) => self.key(platform, id, &e),
            InputEvent::Text(e) => self.text(platform, id, &e),
            InputEvent::Modifiers(m) => self.mods = mods(m),
            InputEvent::Drag(e) => self.drag(platform, id, e),
        }
    }

    /// The view at a point of a surface.
    pub(super) fn view_at(&self, id: SurfaceId, p: Point) -> Option<Target> {
        let (show, pane) = self.panes.get(&id)?;
        if let Show::Layer(doc, widget, _) = show {
            return Some(Target {
                doc: *doc,
                widget: widget.clone(),
                at: pane.to_list(p),
            });
        }
        let (doc_ref, q) = self.target(id, p)?;
        let doc = self.doc(doc_ref)?;
        // An open overlay of a widget lies over the whole window: the widget decides what the press means.
        let covering = matches!(doc_ref, DocRef::Window(_))
            .then(|| {
                doc.widgets()
                    .find(|(_, w)| !w.content.view.painted().layers.is_empty())
            })
            .flatten();
        if let Some((widget, w)) = covering {
            return Some(Target {
                doc: doc_ref,
                widget: Some(widget.into()),
                at: w.to_content(q),
            });
        }
        if !doc.view.painted().layers.is_empty() && matches!(doc_ref, DocRef::Window(_)) {
            return Some(Target {
                doc: doc_ref,
                widget: None,
                at: q,
            });
        }
        Some(
            match doc.widget_at(q).and_then(|w| Some((w, doc.widget(w)?))) {
                Some((widget, w)) => Target {
                    doc: doc_ref,
                    widget: Some(widget.into()),
                    at: w.to_content(q),
                },
                None => Target {
                    doc: doc_ref,
                    widget: None,
                    at: q,
                },
            },
        )
    }

    /// Where a press that is down keeps sending its moves.
    fn held(&self, id: SurfaceId, p: Point) -> Option<Target> {
        let pressed = self.pressed.as_ref().filter(|d| d.surface == id)?;
        let here = self.view_at(id, p)?;
        if here.doc == pressed.doc && here.widget == pressed.widget {
            return Some(here);
        }
        let (show, pane) = self.panes.get(&id)?;
        let q = match show {
            Show::Layer(..) => pane.to_list(p),
            _ => self.target(id, p)?.1,
        };
        let at = pressed
            .widget
            .as_deref()
            .and_then(|w| self.doc(pressed.doc)?.widget(w))
            .map_or(q, |w| w.to_content(q));
        Some(Target {
            doc: pressed.doc,
            widget: pressed.widget.clone(),
            at,
        })
    }

    /// Call something of a view. `None` when it is gone.
    pub(super) fn with_view<R>(
        &mut self,
        doc: DocRef,
        widget: Option<&str>,
        call: impl FnOnce(&mut View, &mut Resources) -> R,
    ) -> Option<R> {
        let Shell {
            outputs,
            windows,
            popup,
            desk,
            ..
        } = self;
        let d = doc_in(outputs, windows, popup, doc)?;
        match widget {
            Some(id) => d
                .widget_mut(id)
                .map(|w| call(&mut w.content.view, &mut desk.res)),
            None => Some(call(&mut d.view, &mut desk.res)),
        }
    }

    fn pointer(&mut self, platform: &mut Platform, id: SurfaceId, event: PointerEvent) {
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

    fn send(&mut self, platform: &mut Platform, t: &Target, event: ViewPointer) -> bool {
        let now = self.now_ms();
        let Some(response) = self.with_view(t.doc, t.widget.as_deref(), |view, res| {
            view.pointer(event, res, now)
        }) else {
            return false;
        };
        let taken = response.taken;
        self.answer(platform, t.doc, t.widget.as_deref(), response);
        taken
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
        if let (Some(widget), Some(frame)) = (
            &t.widget,
            t.widget
                .as_deref()
                .and_then(|w| self.doc(t.doc)?.widget(w))
                .map(|w| w.frame()),
        ) {
            let host = Target {
                doc: t.doc,
                widget: None,
                at: t.at + frame.origin(),
            };
            self.send(platform, &host, ViewPointer::Move(host.at));
            let _ = widget;
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
        let now = self.now_ms();
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
            if self.title_press(platform, id, q, button, serial, now) {
                return;
            }
        }
        // A press anywhere but in the popup closes it; the press on its own item is what opened it, and toggles.
        let opener = self
            .popup
            .as_ref()
            .map(|o| (o.opener, o.popup.widget.clone()));
        let in_popup = matches!(
            self.panes.get(&id),
            Some((Show::Popup | Show::Layer(DocRef::Popup(_), ..), _))
        );
        let Some(t) = self.view_at(id, p) else {
            self.close_popup(platform);
            return;
        };
        let own_item = opener
            .as_ref()
            .is_some_and(|(doc, widget)| *doc == t.doc && t.widget.as_ref() == Some(widget));
        if !in_popup && !own_item {
            self.close_popup(platform);
        }
        let view_button = match button {
            Button::Left => ViewButton::Left,
            Button::Right => ViewButton::Right,
            Button::Middle => ViewButton::Middle,
            Button::Back | Button::Forward | Button::Other(_) => return,
        };
        let event = ViewPointer::Press {
            at: t.at,
            button: view_button,
            mods: self.mods,
            clicks: 0,
        };
        let taken = self.send(platform, &t, event);
        self.focus_to(platform, t.doc, t.widget.clone());
        if button == Button::Right && !taken {
            self.widget_menu(platform, id, &t, p);
        }
        self.pressed = Some(Pressed {
            surface: id,
            doc: t.doc,
            widget: t.widget,
            button,
            taken: taken || dismissed && !own_item,
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
        let pressed = self.pressed.take_if(|d| d.button == button);
        self.send(
            platform,
            &t,
            ViewPointer::Release {
                at: t.at,
                button: view_button,
            },
        );
        let Some(pressed) = pressed.filter(|d| !d.taken && d.button == Button::Left && over) else {
            return;
        };
        if let Some(widget) = pressed.widget {
            self.widget_pressed(platform, pressed.doc, &widget);
        }
    }

    /// A press on a widget that none of its controls took.
    fn widget_pressed(&mut self, platform: &mut Platform, doc: DocRef, widget: &str) {
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
            DocRef::Popup(_) => {}
        }
    }

    /// A press on the title bar that none of its buttons took moves the window, twice maximises it, the right one opens its menu.
    fn title_press(
        &mut self,
        platform: &mut Platform,
        id: SurfaceId,
        q: Point,
        button: Button,
        serial: Serial,
        now: f64,
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
                let double = self
                    .last_title_press
                    .is_some_and(|(surface, at)| surface == id && now - at < 400.0);
                self.last_title_press = Some((id, now));
                if double {
                    self.last_title_press = None;
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

    fn touch(&mut self, platform: &mut Platform, id: SurfaceId, event: TouchEvent) {
        let now = self.now_ms();
        let (target, event) = match event {
            TouchEvent::Down {
                id: finger,
                position,
                serial,
                dismissed,
                ..
            } => {
                self.serial = Some(serial);
                let Some(t) = self.view_at(id, at(position)) else {
                    return;
                };
                self.touched = Some((finger, t.clone()));
                self.pressed = Some(Pressed {
                    surface: id,
                    doc: t.doc,
                    widget: t.widget.clone(),
                    button: Button::Left,
                    taken: dismissed,
                });
                let e = ViewTouch::Down {
                    id: finger,
                    at: t.at,
                };
                (t, e)
            }
            TouchEvent::Motion {
                id: finger,
                position,
                ..
            } => {
                let Some(t) = self.held(id, at(position)) else {
                    return;
                };
                let e = ViewTouch::Move {
                    id: finger,
                    at: t.at,
                };
                (t, e)
            }
            TouchEvent::Up { id: finger, .. } => {
                let Some((_, t)) = self.touched.take_if(|(f, _)| *f == finger) else {
                    return;
                };
                (t, ViewTouch::Up { id: finger })
            }
            TouchEvent::Cancel => {
                let Some((_, t)) = self.touched.take() else {
                    return;
                };
                (t, ViewTouch::Cancel)
            }
        };
        let lifted = matches!(event, ViewTouch::Up { .. });
        let response = self.with_view(target.doc, target.widget.as_deref(), |view, res| {
            view.touch(event, res, now)
        });
        let taken = response.as_ref().is_some_and(|r| r.taken);
        if let Some(r) = response {
            self.answer(platform, target.doc, target.widget.as_deref(), r);
        }
        if lifted
            && let Some(pressed) = self.pressed.take()
            && !taken
            && !pressed.taken
            && let Some(widget) = pressed.widget
        {
            self.widget_pressed(platform, pressed.doc, &widget);
        }
    }

    /// The view of a surface that has the keyboard.
    fn typing(&self, id: SurfaceId) -> Option<(DocRef, Option<String>)> {
        if let Some((Show::Layer(doc, widget, _), _)) = self.panes.get(&id) {
            return Some((*doc, widget.clone()));
        }
        let doc = self.doc_of(id)?;
        let widget = match self.focus.get(&doc) {
            Some(widget) => widget.clone(),
            None if matches!(doc, DocRef::Window(_)) => Some(CONTENT.into()),
            None if matches!(doc, DocRef::Popup(_)) => Some(popup::CONTENT.into()),
            None => None,
        };
        Some((
            doc,
            widget.filter(|w| self.doc(doc).is_some_and(|d| d.widget(w).is_some())),
        ))
    }

    fn key(&mut self, platform: &mut Platform, id: SurfaceId, event: &KeyEvent) {
        let Some((doc, widget)) = self.typing(id) else {
            return;
        };
        let now = self.now_ms();
        let key = key_of(event.keysym);
        if event.phase == KeyPhase::Released {
            if let Some(r) = self.with_view(doc, widget.as_deref(), |view, res| {
                view.key_release(key, res, now)
            }) {
                self.answer(platform, doc, widget.as_deref(), r);
            }
            return;
        }
        if let Some(serial) = event.serial {
            self.serial = Some(serial);
        }
        self.mods = mods(event.modifiers);
        if matches!(doc, DocRef::Window(_)) && self.mods.alt && key == Key::Left {
            self.chrome(platform, id, ChromeAction::Back);
            return;
        }
        let press = KeyPress {
            key,
            mods: self.mods,
            text: event.text.clone(),
            repeat: event.phase == KeyPhase::Repeated,
        };
        let Some(r) = self.with_view(doc, widget.as_deref(), |view, res| {
            view.key(&press, res, now)
        }) else {
            return;
        };
        let (taken, moved) = (r.taken, r.focus.clone());
        self.answer(platform, doc, widget.as_deref(), r);
        if key == Key::Tab && moved == Some(FocusMove::Exhausted) {
            self.focus_on(platform, doc, widget.as_deref(), !self.mods.shift);
        } else if key == Key::Escape && !taken {
            match doc {
                DocRef::Popup(_) => self.close_popup(platform),
                DocRef::Panel(..) => self.release_panel(platform),
                DocRef::Board(_) | DocRef::Window(_) => {}
            }
        }
    }

    /// Tab left a view: on to the next one of the document, round at its end.
    fn focus_on(
        &mut self,
        platform: &mut Platform,
        doc: DocRef,
        from: Option<&str>,
        forward: bool,
    ) {
        let now = self.now_ms();
        let (step, enter) = if forward {
            (FocusStep::Next, FocusStep::First)
        } else {
            (FocusStep::Previous, FocusStep::Last)
        };
        if let Some(widget) = from
            && let Some(r) = self.with_view(doc, Some(widget), |view, res| view.blur(res, now))
        {
            self.answer(platform, doc, Some(widget), r);
        }
        let mut next = self.with_view(doc, None, |view, res| {
            view.step_focus(if from.is_some() { step } else { enter }, res, now)
        });
        if matches!(next, Some((FocusMove::Exhausted, _))) {
            next = self.with_view(doc, None, |view, res| view.step_focus(enter, res, now));
        }
        let Some((moved, r)) = next else { return };
        self.answer(platform, doc, None, r);
        match moved {
            FocusMove::Nested { id, .. } => {
                if let Some((_, r)) =
                    self.with_view(doc, Some(&id), |view, res| view.step_focus(enter, res, now))
                {
                    self.answer(platform, doc, Some(&id), r);
                }
                self.focus.insert(doc, Some(id));
            }
            _ => {
                self.focus.insert(doc, None);
            }
        }
    }

    /// The keyboard came to a panel by the person's key binding: its first stop has the focus.
    pub(super) fn enter_panel(&mut self, platform: &mut Platform, key: super::Where, n: usize) {
        self.mods = Modifiers::default();
        self.focus.remove(&DocRef::Panel(key, n));
        self.focus_on(platform, DocRef::Panel(key, n), None, true);
    }

    /// A press moves the keyboard's place in a document.
    fn focus_to(&mut self, platform: &mut Platform, doc: DocRef, widget: Option<String>) {
        let before = self.focus.get(&doc).cloned().flatten();
        if before != widget
            && before.is_some()
            && let Some(r) = self.with_view(doc, before.as_deref(), |view, res| view.blur(res, 0.0))
        {
            self.answer(platform, doc, before.as_deref(), r);
        }
        self.focus.insert(doc, widget);
    }

    fn text(&mut self, platform: &mut Platform, id: SurfaceId, edit: &TextEdit) {
        let Some((doc, widget)) = self.typing(id) else {
            return;
        };
        let now = self.now_ms();
        let mut all = Response::default();
        let done = self.with_view(doc, widget.as_deref(), |view, res| {
            if edit.delete != (0, 0) {
                all.merge(view.delete_surrounding(
                    edit.delete.0 as usize,
                    edit.delete.1 as usize,
                    res,
                    now,
                ));
            }
            if let Some(text) = &edit.commit {
                all.merge(view.commit(text, res, now));
            }
            let (text, cursor) = edit.preedit.as_ref().map_or(("", 0), |p| {
                (p.text.as_str(), p.cursor.map_or(p.text.len(), |c| c.1))
            });
            all.merge(view.preedit(text, cursor, res, now));
        });
        if done.is_some() {
            self.answer(platform, doc, widget.as_deref(), all);
        }
    }

    /// Tell the input method about the field that is typed into.
    pub(super) fn sync_text_input(&mut self, platform: &mut Platform) {
        let Some(id) = self.keyboard else { return };
        let Some((doc, widget)) = self.typing(id) else {
            return;
        };
        let state = self
            .with_view(doc, widget.as_deref(), |view, res| {
                (view.text_input(res), view.focused().map(str::to_string))
            })
            .unwrap_or_default();
        let origin = widget
            .as_deref()
            .and_then(|w| self.doc(doc)?.widget(w))
            .map_or(Point::ZERO, |w| w.frame().origin());
        let region = self
            .panes
            .get(&id)
            .map(|(_, p)| p.region().origin())
            .unwrap_or_default();
        let field = state.0.map(|s| {
            let r = s.rect.translate(origin - region);
            let name = state.1.unwrap_or_default();
            let number = name.bytes().fold(0xcbf2_9ce4_8422_2325u64, |h, b| {
                (h ^ u64::from(b)).wrapping_mul(0x100_0000_01b3)
            });
            TextField {
                field: number,
                caret: crate::wayland::Rect::new(
                    r.x as i32,
                    r.y as i32,
                    r.w.ceil() as i32,
                    r.h.ceil() as i32,
                ),
                purpose: match s.purpose {
                    ede_renderer::input::Purpose::Text => TextPurpose::Normal,
                    ede_renderer::input::Purpose::Number => TextPurpose::Number,
                    ede_renderer::input::Purpose::Email => TextPurpose::Email,
                    ede_renderer::input::Purpose::Url => TextPurpose::Url,
                    ede_renderer::input::Purpose::Phone => TextPurpose::Phone,
                    ede_renderer::input::Purpose::Password => TextPurpose::Password,
                },
                hints: TextHints {
                    multiline: s.multiline,
                    spellcheck: false,
                },
                text: s.surrounding,
                cursor: s.cursor,
                anchor: s.anchor,
                by_input_method: false,
            }
        });
        platform.set_text_input(id, field);
    }

    pub(super) fn keyboard_moved(&mut self, platform: &mut Platform, id: SurfaceId, focused: bool) {
        if focused {
            self.keyboard = Some(id);
        } else if self.keyboard == Some(id) {
            self.keyboard = None;
            if let Some((doc, widget)) = self.typing(id) {
                let now = self.now_ms();
                if let Some(r) =
                    self.with_view(doc, widget.as_deref(), |view, res| view.blur(res, now))
                {
                    self.answer(platform, doc, widget.as_deref(), r);
                }
            }
        }
    }

    /// The serial a grab is asked for with: the newest press or key.
    pub(super) fn grab_serial(&self) -> Option<Serial> {
        self.serial
    }
}

fn mods(m: crate::wayland::Modifiers) -> Modifiers {
    Modifiers {
        ctrl: m.ctrl,
        shift: m.shift,
        alt: m.alt,
        logo: m.logo,
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

/// A key symbol by what it means.
fn key_of(sym: Keysym) -> Key {
    match sym {
        Keysym::Return | Keysym::KP_Enter | Keysym::ISO_Enter => Key::Enter,
        Keysym::Escape => Key::Escape,
        Keysym::Tab | Keysym::ISO_Left_Tab | Keysym::KP_Tab => Key::Tab,
        Keysym::space | Keysym::KP_Space => Key::Space,
        Keysym::BackSpace => Key::Backspace,
        Keysym::Delete | Keysym::KP_Delete => Key::Delete,
        Keysym::Left | Keysym::KP_Left => Key::Left,
        Keysym::Right | Keysym::KP_Right => Key::Right,
        Keysym::Up | Keysym::KP_Up => Key::Up,
        Keysym::Down | Keysym::KP_Down => Key::Down,
        Keysym::Home | Keysym::KP_Home => Key::Home,
        Keysym::End | Keysym::KP_End => Key::End,
        Keysym::Page_Up | Keysym::KP_Page_Up => Key::PageUp,
        Keysym::Page_Down | Keysym::KP_Page_Down => Key::PageDown,
        Keysym::Menu => Key::Menu,
        other => {
            let n = other.raw().wrapping_sub(Keysym::F1.raw());
            if n < 35 {
                Key::F(n as u8 + 1)
            } else {
                other.key_char().map_or(Key::Other, Key::Char)
            }
        }
    }
}
