//! Input to the view under it: which document, which widget, where in it. A control inside a widget takes a press first; what nothing
//! takes belongs to the widget as a whole (`super::pointing`); keys go where the focus is (`super::typing`).

use ede_renderer::View;
use ede_renderer::geometry::Point;
use ede_renderer::input::{Modifiers, PointerEvent as ViewPointer};
use ede_renderer::resources::Resources;

use super::{DocRef, Shell, Show, doc_in};
use crate::wayland::{Button, InputEvent, Platform, Serial, SurfaceId};

/// A press that is still down: of a button, or of a finger.
#[derive(Clone, Debug)]
pub(super) struct Pressed {
    pub surface: SurfaceId,
    pub doc: DocRef,
    pub widget: Option<String>,
    pub button: Button,
    /// Something on the view took it.
    pub taken: bool,
    /// It closed the popup of the item it is on.
    pub own_item: bool,
}

/// The view an event goes to, and the point in that view's coordinates.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Target {
    pub doc: DocRef,
    pub widget: Option<String>,
    pub at: Point,
}

impl Shell {
    pub(super) fn route(&mut self, platform: &mut Platform, id: SurfaceId, event: InputEvent) {
        if self.at_edge(id, &event) {
            return;
        }
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
    pub(super) fn held(&self, id: SurfaceId, p: Point) -> Option<Target> {
        let pressed = self.pressed.as_ref().filter(|d| d.surface == id)?;
        self.held_by(pressed, p)
    }

    /// Where the moves of a press go, at a point of the surface it is on.
    pub(super) fn held_by(&self, pressed: &Pressed, p: Point) -> Option<Target> {
        let id = pressed.surface;
        let here = self.view_at(id, p)?;
        if here.doc == pressed.doc && here.widget == pressed.widget {
            return Some(here);
        }
        let (show, pane) = self.panes.get(&id)?;
        let q = match show {
            Show::Layer(..) => pane.to_list(p),
            Show::StandIn => self.onto_in_window(pressed.doc, pane.to_list(p))?,
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
            toast,
            interactions,
            sheet,
            desk,
            ..
        } = self;
        let d = doc_in(outputs, windows, popup, toast, interactions, sheet, doc)?;
        match widget {
            Some(id) => d
                .widget_mut(id)
                .map(|w| call(&mut w.content.view, &mut desk.res)),
            None => Some(call(&mut d.view, &mut desk.res)),
        }
    }
    pub(super) fn send(&mut self, platform: &mut Platform, t: &Target, event: ViewPointer) -> bool {
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
    /// The serial a grab is asked for with: the newest press or key.
    pub(super) fn grab_serial(&self) -> Option<Serial> {
        self.serial
    }
}

pub(super) fn mods(m: crate::wayland::Modifiers) -> Modifiers {
    Modifiers {
        ctrl: m.ctrl,
        shift: m.shift,
        alt: m.alt,
        logo: m.logo,
    }
}
