//! Keys, input methods and the keyboard's place: which view of a document they go to, and how Tab leads from one to the next.

use ede_renderer::geometry::Point;
use ede_renderer::input::{FocusMove, FocusStep, Key, KeyPress, Modifiers, Response};

use super::routes::mods;
use super::{DocRef, Shell, Show};
use crate::desktop::popup;
use crate::desktop::window::{CONTENT, ChromeAction};
use crate::wayland::{
    KeyEvent, KeyPhase, Keysym, Platform, SurfaceId, TextEdit, TextField, TextHints, TextPurpose,
};

/// A view that keys go to: a document's own, or that of one of its widgets.
pub(super) type Typing = (DocRef, Option<String>);

impl Shell {
    /// The view of a surface that has the keyboard.
    pub(super) fn typing(&self, id: SurfaceId) -> Option<Typing> {
        let popup = self.popup.as_ref();
        let on_it = popup.filter(|p| p.parent == id || p.surface == id);
        if on_it.is_some() && self.popup_is_covered() {
            return Some((DocRef::Sheet, None));
        }
        let id = on_it.map_or(id, |p| p.surface);
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

    pub(super) fn key(&mut self, platform: &mut Platform, id: SurfaceId, event: &KeyEvent) {
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
        self.by_method = false;
        if matches!(doc, DocRef::Window(_)) && self.mods.alt && key == Key::Left {
            self.chrome(platform, id, ChromeAction::Back);
            return;
        }
        if doc == DocRef::Sheet && self.browse_key(platform, key) {
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
                DocRef::Board(_) => {
                    self.blur_docs(platform, |d| d == doc);
                    self.focus.remove(&doc);
                }
                DocRef::Sheet => self.sheet_left(platform),
                DocRef::Card => self.leave_card(platform),
                DocRef::Window(_) | DocRef::Toast => {}
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
    pub(super) fn focus_to(
        &mut self,
        platform: &mut Platform,
        doc: DocRef,
        widget: Option<String>,
    ) {
        self.blur_views(platform, |d, w| d == doc && w != widget.as_deref());
        self.focus.insert(doc, widget);
    }

    /// A press on something of ours: what else on the panels and desktops is typed into is no more.
    pub(super) fn focus_leaves_all_but(&mut self, platform: &mut Platform, doc: Option<DocRef>) {
        self.blur_docs(platform, |d| {
            matches!(d, DocRef::Panel(..) | DocRef::Board(_)) && Some(d) != doc
        });
    }

    /// The focus leaves these documents and everything in them: a field commits what is in it.
    pub(super) fn blur_docs(&mut self, platform: &mut Platform, which: impl Fn(DocRef) -> bool) {
        self.blur_views(platform, |doc, _| which(doc));
    }

    /// The focus leaves these views, the documents' own (`None`) and those of their widgets: a field commits what is in it.
    pub(super) fn blur_views(
        &mut self,
        platform: &mut Platform,
        which: impl Fn(DocRef, Option<&str>) -> bool,
    ) {
        let now = self.now_ms();
        for doc in self.docs() {
            let mut views = vec![None];
            let widgets = self.doc(doc).into_iter().flat_map(|d| d.widgets());
            views.extend(widgets.map(|(id, _)| Some(id.to_string())));
            views.retain(|widget| which(doc, widget.as_deref()));
            for widget in views {
                let left = self.with_view(doc, widget.as_deref(), |view, res| {
                    view.focused().is_some().then(|| view.blur(res, now))
                });
                if let Some(r) = left.flatten() {
                    self.answer(platform, doc, widget.as_deref(), r);
                }
            }
        }
    }

    pub(super) fn text(&mut self, platform: &mut Platform, id: SurfaceId, edit: &TextEdit) {
        let Some((doc, widget)) = self.typing(id) else {
            return;
        };
        let now = self.now_ms();
        self.by_method = true;
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
        let corner = self.caret_corner(platform, id, doc, widget.as_deref());
        let by_method = self.by_method;
        let field = state.0.map(|s| {
            let r = s.rect.translate(Point::ZERO - corner);
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
                by_input_method: by_method,
            }
        });
        platform.set_text_input(id, field);
    }

    /// The point of a view's coordinates at the top left of the surface that has the keys: the one that shows the view, or the panel
    /// whose popup does.
    fn caret_corner(
        &self,
        platform: &Platform,
        keys: SurfaceId,
        doc: DocRef,
        widget: Option<&str>,
    ) -> Point {
        if let DocRef::Popup(popup) = doc
            && popup != keys
            && let Some(corner) = self.corner(popup, doc, widget)
            && let Some((x, y)) = platform.popup_offset(popup)
        {
            return corner - Point::new(x as f32, y as f32);
        }
        self.corner(keys, doc, widget).unwrap_or_default()
    }

    pub(super) fn keyboard_moved(&mut self, id: SurfaceId, focused: bool) {
        if focused {
            self.keyboard = Some(id);
        } else if self.keyboard == Some(id) {
            self.keyboard = None;
            self.unkeyed = self.typing(id);
        }
        self.focus_instances();
    }

    /// What the keyboard left has no focus any more, unless another surface that shows the same has the keys now: an overlay of it.
    pub(super) fn sync_focus(&mut self, platform: &mut Platform) {
        let Some(left) = self.unkeyed.take() else {
            return;
        };
        let now = self.keyboard.and_then(|id| self.typing(id));
        if now.as_ref() != Some(&left) {
            let (doc, widget) = left;
            self.blur_views(platform, |d, w| d == doc && w == widget.as_deref());
        }
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
