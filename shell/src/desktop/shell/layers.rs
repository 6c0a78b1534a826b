//! Overlays of panels, desktop widgets and popups: each open layer gets a popup surface of its own, on the layer it
//! opened from. eui-core has placed it already,
//! flipped and clamped to the output; the compositor is asked for exactly that place. A window shows its overlays itself.

use std::sync::Arc;

use ede_renderer::View;
use ede_renderer::display::DisplayList;
use ede_renderer::geometry::{Point, Rect};
use ede_renderer::scene::PaintedLayer;

use super::{DocRef, Shell, Show};
use crate::desktop::chrome::Plate;
use crate::desktop::pane::Pane;
use crate::wayland::{
    self, Constraint, Edges, Insets, KeyboardMode, Platform, PopupPlace, PopupSpec, SurfaceId,
};

pub(super) struct OpenLayer {
    pub doc: DocRef,
    pub widget: Option<String>,
    pub root: u32,
    pub surface: SurfaceId,
    /// The surface of the document below all of its layers.
    pub base: SurfaceId,
    /// It has the keyboard and ends with a press elsewhere; a tooltip does neither.
    pub grabs: bool,
}

impl OpenLayer {
    fn is(&self, w: &Wanted) -> bool {
        self.doc == w.doc && self.widget == w.widget && self.root == w.root
    }
}

/// A layer that should be on screen.
struct Wanted {
    doc: DocRef,
    widget: Option<String>,
    root: u32,
    /// The layer it opened from.
    below: Option<u32>,
    base: SurfaceId,
    passive: bool,
    place: PopupPlace,
}

impl Shell {
    pub(super) fn sync_layers(&mut self, platform: &mut Platform) {
        let wanted = self.wanted_layers();
        let stale: Vec<SurfaceId> = self
            .layers
            .iter()
            .filter(|l| !wanted.iter().any(|w| l.is(w)))
            .map(|l| l.surface)
            .collect();
        for id in stale {
            platform.destroy(id);
            self.forget(id);
        }
        for w in wanted {
            if let Some(open) = self.layers.iter().find(|l| l.is(&w)) {
                platform.reposition(open.surface, w.place);
            } else {
                self.open_layer(platform, w);
            }
        }
    }

    fn open_layer(&mut self, platform: &mut Platform, w: Wanted) {
        let below = w.below.and_then(|root| {
            let mut open = self.layers.iter();
            open.find(|l| l.doc == w.doc && l.widget == w.widget && l.root == root)
        });
        if w.below.is_some() && below.is_none() {
            // What it hangs on is not on screen, or not yet.
            return;
        }
        // A grab on a popup that holds none itself is a mistake the compositor minds.
        let grabs = !w.passive && below.is_none_or(|l| l.grabs);
        let parent = below.map_or(w.base, |l| l.surface);
        if grabs {
            // A popup of a panel gets no keys on some compositors: the panel has them meanwhile, and hands on what it hears.
            let keys = self.popup.as_ref().filter(|p| p.surface == w.base);
            let keys = keys.map_or(w.base, |p| p.parent);
            self.ask_keys(platform, keys, KeyboardMode::Exclusive);
        }
        let spec = PopupSpec {
            parent,
            place: w.place,
            frame: Insets::all(Plate::Popup.room() as u32),
            grab: self.grab_serial().filter(|_| grabs),
        };
        if let Some(surface) = platform.create_popup(spec) {
            let show = Show::Layer(w.doc, w.widget.clone(), w.root);
            self.panes.insert(surface, (show, Pane::default()));
            self.layers.push(OpenLayer {
                doc: w.doc,
                widget: w.widget,
                root: w.root,
                surface,
                base: w.base,
                grabs,
            });
        }
    }

    fn wanted_layers(&self) -> Vec<Wanted> {
        let mut wanted = Vec::new();
        for at in self.docs() {
            if matches!(at, DocRef::Window(_)) {
                continue;
            }
            let Some(doc) = self.doc(at) else { continue };
            for (widget, _, layer) in doc.layers() {
                let Some(base) = self.surface_of(at, widget) else {
                    continue;
                };
                let Some(view) = self.view(at, widget) else {
                    continue;
                };
                let below = view.layer_below(layer.root);
                let under = below.and_then(|root| self.layer(at, widget, root));
                let corner = match under {
                    Some(under) => Some(region_of(under).origin()),
                    None => self.corner(base, at, widget),
                };
                let Some(corner) = corner else { continue };
                let f = layer.frame.translate(Point::ZERO - corner);
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
                    below,
                    base,
                    passive: view.is_passive(layer.root),
                    place,
                });
            }
        }
        wanted
    }

    /// The point of a view's own coordinates at the top left of the surface `on` that shows it.
    pub(super) fn corner(&self, on: SurfaceId, at: DocRef, widget: Option<&str>) -> Option<Point> {
        let (show, pane) = self.panes.get(&on)?;
        let region = pane.region().origin();
        let leaf = widget.and_then(|w| self.doc(at)?.widget(w));
        let origin = leaf.map_or(Point::ZERO, |w| w.frame().origin());
        Some(match (show, at) {
            // These begin at the widget, or show a view's overlay alone.
            (Show::Widget(..) | Show::Layer(..), _) => region,
            (Show::StandIn, DocRef::Board(o)) => {
                let board = self.outputs.get(&o).and_then(|on| on.board.as_ref());
                let free = board.map_or(Point::ZERO, |b| b.free().origin());
                region - origin - free
            }
            (Show::StandIn, DocRef::Toast) => {
                let (_, at) = self.message_in_window()?;
                region - origin - at
            }
            (Show::StandIn, DocRef::Card) => {
                let (_, at) = self.card_in_window()?;
                region - origin - at
            }
            (_, DocRef::Sheet) => region + (self.onto_sheet(Point::ZERO) - origin),
            _ => region - origin,
        })
    }

    /// The surface a document, or a widget of it, is shown on; its layers stand over that.
    pub(super) fn surface_of(&self, at: DocRef, widget: Option<&str>) -> Option<SurfaceId> {
        match at {
            DocRef::Panel(None, _) | DocRef::Board(None) => self.stand_in.surface,
            DocRef::Panel(o, n) => self.outputs.get(&o)?.panels.get(n)?.surface,
            DocRef::Board(o) => {
                let on = self.outputs.get(&o)?;
                let id = widget.or_else(|| on.widgets.keys().next().map(String::as_str))?;
                on.widgets.get(id).copied()
            }
            DocRef::Popup(id) | DocRef::Window(id) => Some(id),
            DocRef::Sheet => {
                let own = self.sheet.as_ref()?.surface;
                own.or(self.stand_in.surface)
            }
            DocRef::Card => {
                let own = self.interactions.card.as_ref()?.surface;
                own.or(self.stand_in.surface)
            }
            DocRef::Toast => {
                let own = self.toast.as_ref()?.surface;
                own.or(self.stand_in.surface)
            }
        }
    }

    fn view(&self, at: DocRef, widget: Option<&str>) -> Option<&View> {
        let doc = self.doc(at)?;
        match widget {
            Some(id) => doc.widget(id).map(|w| &w.content.view),
            None => Some(&doc.view),
        }
    }

    fn layer(&self, at: DocRef, widget: Option<&str>, root: u32) -> Option<&PaintedLayer> {
        let mut open = self.view(at, widget)?.painted().layers.iter();
        open.find(|l| l.root == root)
    }

    pub(super) fn layer_picture(
        &self,
        at: DocRef,
        widget: Option<&str>,
        root: u32,
    ) -> Option<(Arc<DisplayList>, Rect)> {
        let layer = self.layer(at, widget, root)?;
        Some((layer.list.clone(), region_of(layer)))
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

/// The part of its list that a layer's surface shows: its box, and room for its shadow.
fn region_of(layer: &PaintedLayer) -> Rect {
    layer.frame.inset(-Plate::Popup.room())
}
