//! Overlays of panels, desktop widgets and popups: each open layer gets a popup surface of its own. eui-core has placed it already,
//! flipped and clamped to the output; the compositor is asked for exactly that place. A window shows its overlays itself.

use std::sync::Arc;

use ede_renderer::display::DisplayList;
use ede_renderer::geometry::{Point, Rect};
use ede_renderer::scene::PaintedLayer;

use super::{DocRef, Shell, Show};
use crate::desktop::chrome::Plate;
use crate::desktop::pane::Pane;
use crate::wayland::{self, Constraint, Edges, Insets, Platform, PopupPlace, PopupSpec, SurfaceId};

pub(super) struct OpenLayer {
    pub doc: DocRef,
    pub widget: Option<String>,
    pub root: u32,
    pub surface: SurfaceId,
}

/// A layer that should be on screen.
struct Wanted {
    doc: DocRef,
    widget: Option<String>,
    root: u32,
    parent: SurfaceId,
    place: PopupPlace,
}

impl Shell {
    pub(super) fn sync_layers(&mut self, platform: &mut Platform) {
        let wanted = self.wanted_layers();
        let stale: Vec<SurfaceId> = self
            .layers
            .iter()
            .filter(|l| {
                !wanted
                    .iter()
                    .any(|w| w.doc == l.doc && w.widget == l.widget && w.root == l.root)
            })
            .map(|l| l.surface)
            .collect();
        for id in stale {
            platform.destroy(id);
            self.forget(id);
        }
        for w in wanted {
            let open = self
                .layers
                .iter()
                .find(|l| w.doc == l.doc && w.widget == l.widget && w.root == l.root);
            if let Some(open) = open {
                platform.reposition(open.surface, w.place);
                continue;
            }
            let spec = PopupSpec {
                parent: w.parent,
                place: w.place,
                frame: Insets::all(Plate::Popup.room() as u32),
                grab: self.grab_serial(),
            };
            if let Some(surface) = platform.create_popup(spec) {
                self.panes.insert(
                    surface,
                    (
                        Show::Layer(w.doc, w.widget.clone(), w.root),
                        Pane::default(),
                    ),
                );
                self.layers.push(OpenLayer {
                    doc: w.doc,
                    widget: w.widget,
                    root: w.root,
                    surface,
                });
            }
        }
    }

    fn wanted_layers(&self) -> Vec<Wanted> {
        let mut wanted = Vec::new();
        for at in self.docs() {
            if matches!(at, DocRef::Window(_)) {
                continue;
            }
            let Some(doc) = self.doc(at) else { continue };
            for (widget, origin, layer) in doc.layers() {
                let Some(parent) = self.surface_of(at, widget, layer) else {
                    continue;
                };
                let Some((_, pane)) = self.panes.get(&parent) else {
                    continue;
                };
                // Where the layer stands on its parent's surface; a desktop widget's surface begins at the widget.
                let origin = match at {
                    DocRef::Board(o) if Some(parent) == self.stand_in.surface => {
                        let board = self.outputs.get(&o).and_then(|on| on.board.as_ref());
                        board.map_or(origin, |b| origin + b.free().origin())
                    }
                    DocRef::Board(_) => Point::ZERO,
                    _ => origin,
                };
                let f = layer
                    .frame
                    .translate(origin)
                    .translate(Point::ZERO - pane.region().origin());
                let place = PopupPlace {
                    anchor_rect: wayland::Rect::new(f.x.round() as i32, f.y.round() as i32, 1, 1),
                    anchor: Edges::TOP.and(Edges::LEFT),
                    gravity: Edges::BOTTOM.and(Edges::RIGHT),
                    offset: (0, 0),
                    size: super::whole(f.size()),
                    constraint: Constraint {
                        flip_y: false,
                        ..Constraint::default()
                    },
                };
                wanted.push(Wanted {
                    doc: at,
                    widget: widget.map(str::to_string),
                    root: layer.root,
                    parent,
                    place,
                });
            }
        }
        wanted
    }

    /// The surface a document's layer hangs on.
    fn surface_of(
        &self,
        at: DocRef,
        widget: Option<&str>,
        _layer: &PaintedLayer,
    ) -> Option<SurfaceId> {
        match at {
            DocRef::Panel(None, _) | DocRef::Board(None) => self.stand_in.surface,
            DocRef::Panel(o, n) => self.outputs.get(&o)?.panels.get(n)?.surface,
            DocRef::Board(o) => {
                let on = self.outputs.get(&o)?;
                let id = widget.or_else(|| on.widgets.keys().next().map(String::as_str))?;
                on.widgets.get(id).copied()
            }
            DocRef::Popup(id) | DocRef::Window(id) => Some(id),
            DocRef::Toast => self.toast.as_ref().map(|t| t.surface),
        }
    }

    fn layer(&self, at: DocRef, widget: Option<&str>, root: u32) -> Option<&PaintedLayer> {
        let doc = self.doc(at)?;
        let view = match widget {
            Some(id) => &doc.widget(id)?.content.view,
            None => &doc.view,
        };
        view.painted().layers.iter().find(|l| l.root == root)
    }

    pub(super) fn layer_picture(
        &self,
        at: DocRef,
        widget: Option<&str>,
        root: u32,
    ) -> Option<(Arc<DisplayList>, Rect)> {
        let layer = self.layer(at, widget, root)?;
        Some((layer.list.clone(), layer.frame.inset(-Plate::Popup.room())))
    }

    /// The compositor took a layer's surface away: the overlay is closed.
    pub(super) fn layer_gone(
        &mut self,
        platform: &mut Platform,
        at: DocRef,
        widget: Option<&str>,
        root: u32,
    ) {
        let Some(owner) = self.layer(at, widget, root).map(|l| l.owner.clone()) else {
            return;
        };
        let Some(doc) = self.doc_mut(at) else { return };
        let view = match widget {
            Some(id) => match doc.widget_mut(id) {
                Some(w) => &mut w.content.view,
                None => return,
            },
            None => &mut doc.view,
        };
        let events = view.surface_mut().set_open(&owner, false);
        self.out_events(platform, at, widget, events);
    }
}
