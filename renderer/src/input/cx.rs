//! What an input handler works with: the surface it tells, the scene it looks at, and the response it fills. Engine events pass
//! through here, so that those the view handles itself (focus, hover timers, copying) never reach the host.

use eui_core::surface::{OutEvent, Surface};
use serde_json::Value;

use super::{Response, hit};
use crate::component::Component;
use crate::geometry::{Point, Rect};
use crate::recipes::Recipes;
use crate::resources::Resources;
use crate::scene::{Node, Scene};

pub(crate) struct InputCx<'a> {
    pub surface: &'a mut Surface,
    pub scene: &'a mut Scene,
    pub res: &'a mut Resources,
    pub recipes: &'a Recipes,
    /// Milliseconds of the view's clock.
    pub now: f64,
    pub out: Response,
    /// The node the engine wants the focus on.
    pub asked_focus: Option<String>,
    /// Overlays the engine wants closed after a while, with the delay.
    pub hover_timers: Vec<(String, f64)>,
}

impl<'a> InputCx<'a> {
    pub fn new(
        surface: &'a mut Surface,
        scene: &'a mut Scene,
        res: &'a mut Resources,
        recipes: &'a Recipes,
        now: f64,
    ) -> InputCx<'a> {
        InputCx {
            surface,
            scene,
            res,
            recipes,
            now,
            out: Response::default(),
            asked_focus: None,
            hover_timers: Vec::new(),
        }
    }

    /// Tell the engine of `event` on the node at `slot`. True when anything came of it.
    pub fn fire(&mut self, slot: u32, event: &str, payload: Option<Value>) -> bool {
        let events = self.surface.event(slot, event, payload);
        let any = !events.is_empty();
        self.absorb(events);
        self.drain();
        self.out.relayout = true;
        any
    }

    /// Take over what the engine raised by itself.
    pub fn drain(&mut self) {
        let events = self.surface.take_events();
        self.absorb(events);
    }

    pub fn absorb(&mut self, events: Vec<OutEvent>) {
        for e in events {
            match e {
                OutEvent::Relayout => self.out.relayout = true,
                OutEvent::Focus { id, .. } => self.asked_focus = Some(id),
                OutEvent::HoverTimer { owner, delay_ms } => {
                    self.hover_timers.push((owner, f64::from(delay_ms)));
                }
                OutEvent::Copy { text } => self.out.clipboard = Some(text),
                other => {
                    self.out.relayout = true;
                    self.out.events.push(other);
                }
            }
        }
    }

    /// Set or clear host states on one node, the others kept.
    pub fn flag(&mut self, id: &str, flags: &[&str], on: bool) {
        let mut states = self.surface.host_states(id).to_vec();
        states.retain(|s| !flags.contains(&s.as_str()));
        if on {
            states.extend(flags.iter().map(|s| s.to_string()));
        }
        if self.surface.set_states(id, states) {
            self.out.relayout = true;
        }
        self.drain();
    }

    /// The live slot of a node id.
    pub fn slot(&self, id: &str) -> Option<u32> {
        self.surface
            .index_of(id)
            .filter(|s| self.scene.node(*s).is_some_and(|n| n.placed.id == id))
    }

    pub fn node(&self, slot: u32) -> Option<&Node> {
        self.scene.node(slot)
    }

    pub fn id(&self, slot: u32) -> Option<String> {
        self.scene.node(slot).map(|n| n.placed.id.clone())
    }

    pub fn component(&self, slot: u32) -> Option<&'static dyn Component> {
        self.scene
            .node(slot)
            .map(|n| self.res.registry.of(&n.placed))
    }

    /// A surface point in the node's coordinates.
    pub fn local(&self, slot: u32, at: Point) -> Option<Point> {
        hit::to_local(self.scene, slot, at)
    }

    /// The node on the surface, scrolling applied.
    pub fn shown(&self, slot: u32) -> Option<Rect> {
        self.scene.shown_frame(slot)
    }

    pub fn reduced_motion(&self) -> bool {
        self.surface.settings().reduced_motion
    }
}
