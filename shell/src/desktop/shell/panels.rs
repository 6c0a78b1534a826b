//! The panels of an output: which ones stand on it, their surfaces, and those that hide themselves. A panel keeps its surface for as
//! long as its document stands there: what layer-shell can change of it is changed on the living surface.

use std::sync::Arc;

use ede_engine::documents::{self, Edge, OutputName};
use ede_renderer::geometry::{Point, Rect, Size};

use super::outputs::OnOutput;
use super::{DocRef, Shell, Show, Where, at};
use crate::desktop::mistakes::Mistake;
use crate::desktop::motion::Motion;
use crate::desktop::pane::Pane;
use crate::desktop::panel::Panel;
use crate::wayland::{
    self, DragEvent, Edges, InputEvent, Insets, KeyboardMode, Layer, LayerSpec, Platform,
    PointerEvent, SurfaceId, TouchEvent,
};

pub(super) struct OnPanel {
    pub panel: Panel,
    pub surface: Option<SurfaceId>,
    /// What the compositor was told of the surface.
    placed: Option<Placed>,
    /// How long the compositor lets it be: shorter than its output beside a panel of another program (px).
    length: Option<f32>,
}

impl OnPanel {
    /// The part of an output of this size that it is laid out on.
    pub fn stands_on(&self, output: Size) -> Size {
        match self.length {
            Some(length) if self.panel.place().edge.is_horizontal() => Size::new(length, output.h),
            Some(length) => Size::new(output.w, length),
            None => output,
        }
    }
}

/// A panel's surface as layer-shell knows it.
#[derive(Clone, Copy, Debug, PartialEq)]
struct Placed {
    layer: Layer,
    anchor: Edges,
    size: wayland::Size,
    zone: i32,
    input: wayland::Rect,
}

impl Placed {
    fn of(panel: &Panel) -> Placed {
        let (area, place) = (panel.area(), panel.place());
        let along = wayland::Size::new(0, area.h as u32);
        let down = wayland::Size::new(area.w as u32, 0);
        let (anchor, size) = match place.edge {
            Edge::Top => (Edges::TOP.and(Edges::LEFT).and(Edges::RIGHT), along),
            Edge::Bottom => (Edges::BOTTOM.and(Edges::LEFT).and(Edges::RIGHT), along),
            Edge::Left => (Edges::LEFT.and(Edges::TOP).and(Edges::BOTTOM), down),
            Edge::Right => (Edges::RIGHT.and(Edges::TOP).and(Edges::BOTTOM), down),
        };
        Placed {
            layer: match place.layer {
                documents::Layer::Top => Layer::Top,
                documents::Layer::Bottom => Layer::Bottom,
            },
            anchor,
            size,
            zone: panel.reserved() as i32,
            input: pixels(panel.input().translate(Point::ZERO - area.origin())),
        }
    }
}

fn pixels(r: Rect) -> wayland::Rect {
    wayland::Rect::new(r.x as i32, r.y as i32, r.w.ceil() as i32, r.h.ceil() as i32)
}

impl Shell {
    /// Bring the panels of an output to what the documents say now.
    pub(super) fn furnish_panels(
        &mut self,
        platform: &mut Platform,
        key: Where,
        output: OutputName<'_>,
        on: &mut OnOutput,
        restyled: bool,
    ) {
        let motion = Motion::of(&self.desk.style);
        let mut old = std::mem::take(&mut on.panels);
        // One panel of an output says what is wrong with the files.
        let mut mistakes: Arc<[Mistake]> = self.library.mistakes().into();
        for (doc, place) in self.desk.docs.panels_on(output) {
            let mistakes = std::mem::take(&mut mistakes);
            let there = old.iter().position(|p| p.panel.document().id() == doc.id());
            let (mut p, issues) = match there.map(|n| old.remove(n)) {
                Some(mut p) => {
                    if p.panel.place().edge.is_horizontal() != place.edge.is_horizontal() {
                        p.length = None;
                    }
                    if restyled {
                        p.panel.doc.restyle(&self.desk.style);
                    }
                    let issues = p.panel.show(doc, place, &mistakes);
                    (p, issues)
                }
                None => {
                    let (mut panel, mut issues) = Panel::new(doc, place.clone(), &self.desk.style);
                    issues.extend(panel.show(doc, place, &mistakes));
                    let p = OnPanel {
                        panel,
                        surface: None,
                        placed: None,
                        length: None,
                    };
                    (p, issues)
                }
            };
            self.desk.report(doc.id().as_str(), &issues);
            // The panel's box is known before it is laid out, by the output until the compositor says more.
            p.panel.stand_on(p.stands_on(on.size));
            p.panel.hides(motion);
            on.panels.push(p);
        }
        for id in old.into_iter().filter_map(|p| p.surface) {
            platform.destroy(id);
            self.forget(id);
        }
        // They are known by their number, which may be another one now.
        for (n, p) in on.panels.iter().enumerate() {
            if let Some((show, _)) = p.surface.and_then(|id| self.panes.get_mut(&id)) {
                *show = Show::Panel(key, n);
            }
        }
    }

    /// Make the surfaces that are missing on an output, and tell the compositor what changed about the others.
    pub(super) fn place_panels(&mut self, platform: &mut Platform, output: wayland::OutputId) {
        let key = Some(output);
        let Some(on) = self.outputs.get_mut(&key) else {
            return;
        };
        for (n, p) in on.panels.iter_mut().enumerate() {
            let now = Placed::of(&p.panel);
            if p.surface.is_some() && p.placed == Some(now) {
                continue;
            }
            let old = p.placed.replace(now);
            let Some(id) = p.surface else {
                p.surface = platform.create_layer(LayerSpec {
                    output,
                    layer: now.layer,
                    anchor: now.anchor,
                    size: now.size,
                    exclusive_zone: now.zone,
                    margin: Insets::default(),
                    namespace: "ede-panel".into(),
                    keyboard: KeyboardMode::None,
                });
                if let Some(id) = p.surface {
                    platform.set_input_region(id, Some(&[now.input]));
                    self.panes
                        .insert(id, (Show::Panel(key, n), Pane::default()));
                }
                continue;
            };
            if old.is_none_or(|o| (o.size, o.anchor) != (now.size, now.anchor)) {
                platform.set_layer_size(id, now.size, now.anchor);
            }
            if old.is_none_or(|o| o.zone != now.zone) {
                platform.set_exclusive_zone(id, now.zone);
            }
            if old.is_none_or(|o| o.layer != now.layer) {
                platform.set_layer(id, now.layer);
            }
            if old.is_none_or(|o| o.input != now.input) {
                platform.set_input_region(id, Some(&[now.input]));
            }
        }
    }

    /// The compositor has given a panel its size: along its edge it is laid out in that.
    pub(super) fn panel_configured(
        &mut self,
        platform: &mut Platform,
        key: Where,
        n: usize,
        size: wayland::Size,
    ) {
        let Some(on) = self.outputs.get_mut(&key) else {
            return;
        };
        let output = on.size;
        let Some(p) = on.panels.get_mut(n) else {
            return;
        };
        let length = if p.panel.place().edge.is_horizontal() {
            size.width
        } else {
            size.height
        };
        p.length = Some(length as f32);
        p.panel.stand_on(p.stands_on(output));
        if let Some(output) = key {
            self.place_panels(platform, output);
        }
    }

    /// A panel that hides itself comes when something is at its edge or on it, and goes after it left. True when that is all the
    /// event is for: a press that calls a panel presses nothing in it.
    pub(super) fn at_edge(&mut self, id: SurfaceId, event: &InputEvent) -> bool {
        let (point, pressed) = match event {
            InputEvent::Pointer(e) => match e {
                PointerEvent::Enter { position } | PointerEvent::Motion { position, .. } => {
                    (Some(*position), false)
                }
                PointerEvent::Press { position, .. } => (Some(*position), true),
                PointerEvent::Leave => (None, false),
                PointerEvent::Release { .. } | PointerEvent::Scroll { .. } => return false,
            },
            InputEvent::Drag(e) => match e {
                DragEvent::Enter { position, .. } | DragEvent::Motion { position, .. } => {
                    (Some(*position), false)
                }
                DragEvent::Leave | DragEvent::Drop { .. } => (None, false),
            },
            InputEvent::Touch(TouchEvent::Down { position, .. }) => (Some(*position), true),
            _ => return false,
        };
        let finger = matches!(event, InputEvent::Touch(_));
        let now = self.now_ms();
        let mut called = false;
        let one_window = self.stand_in.surface == Some(id);
        for (key, on) in &mut self.outputs {
            for p in &mut on.panels {
                let own = p.surface == Some(id);
                if !(own || one_window && key.is_none()) {
                    continue;
                }
                let input = p.panel.input();
                let inside = point.is_some_and(|q| own || input.contains(at(q)));
                let Some(reveal) = &mut p.panel.reveal else {
                    continue;
                };
                if !finger {
                    reveal.pointer(inside, now);
                }
                if inside && pressed && !reveal.is_out() {
                    reveal.call(now);
                    called = true;
                }
            }
        }
        called
    }

    /// Move the panels that hide themselves to where they are at this moment.
    pub(super) fn sync_reveals(&mut self, platform: &mut Platform) {
        let now = self.now_ms();
        let mut held = Vec::new();
        for (key, on) in &self.outputs {
            for (n, p) in on.panels.iter().enumerate() {
                if p.panel.reveal.is_some() {
                    let doc = DocRef::Panel(*key, n);
                    held.push((*key, n, self.is_in_use(doc, p.surface)));
                }
            }
        }
        let mut turned = Vec::new();
        for (key, n, held) in held {
            let Some(p) = self
                .outputs
                .get_mut(&key)
                .and_then(|on| on.panels.get_mut(n))
            else {
                continue;
            };
            let before = p.panel.is_out();
            if let Some(reveal) = &mut p.panel.reveal {
                reveal.hold(held, now);
            }
            p.panel.step(now);
            if p.panel.is_out() != before {
                turned.extend(key);
            }
        }
        for output in turned {
            self.place_panels(platform, output);
        }
    }

    /// Has a panel a popup, the keyboard, a field that is typed into, or a press that is down?
    fn is_in_use(&self, doc: DocRef, surface: Option<SurfaceId>) -> bool {
        self.popup.as_ref().is_some_and(|p| p.opener == doc)
            || self.layers.iter().any(|l| l.doc == doc)
            || self.pressed.as_ref().is_some_and(|p| p.doc == doc)
            || self.fingers.values().any(|p| p.doc == doc)
            || surface.is_some() && self.focused_panel == surface
            || self.is_typed_into(doc, None)
    }

    /// When a panel that hides itself has something to do next (ms of the shell's clock).
    pub(super) fn next_reveal(&self, now: f64) -> Option<f64> {
        let panels = self.outputs.values().flat_map(|on| &on.panels);
        panels
            .filter_map(|p| p.panel.reveal.as_ref()?.next_wake(now))
            .min_by(f64::total_cmp)
    }
}
