//! One surface with its painter's state: lay out, build display lists, take input. The unit the shell puts on screen and nests.

use std::rc::Rc;

use eui_core::surface::{LayoutOutput, OutEvent, Surface};

use crate::input::{Input, PointerEvent, Response};
use crate::measure::Measurer;
use crate::nested::Nested;
use crate::recipes::Recipes;
use crate::resources::Resources;
use crate::scene::{BuildCx, Focus, Painted, Scene};

pub struct View {
    surface: Surface,
    scene: Scene,
    pub(crate) input: Input,
    recipes: Option<Rc<Recipes>>,
    fonts: u64,
    dirty: bool,
    painted: Painted,
}

impl View {
    pub fn new(surface: Surface) -> View {
        View {
            surface,
            scene: Scene::default(),
            input: Input::default(),
            recipes: None,
            fonts: 0,
            dirty: true,
            painted: Painted::default(),
        }
    }

    pub fn surface(&self) -> &Surface {
        &self.surface
    }

    /// Change the surface; the next [`View::update`] lays it out again.
    pub fn surface_mut(&mut self) -> &mut Surface {
        self.dirty = true;
        &mut self.surface
    }

    pub fn scene(&self) -> &Scene {
        &self.scene
    }

    /// What the last update painted.
    pub fn painted(&self) -> &Painted {
        &self.painted
    }

    /// Something changed that the surface does not know of: a nested widget, a picture.
    pub fn invalidate(&mut self) {
        self.dirty = true;
    }

    /// Is there anything to lay out or paint again?
    pub fn is_dirty(&self) -> bool {
        self.dirty || self.painted.animates || self.input.wants_paint()
    }

    /// Lay out what changed and put the lists together. `now_ms` is any monotonic clock; animations run on it.
    pub fn update(
        &mut self,
        res: &mut Resources,
        nested: &mut dyn Nested,
        now_ms: f64,
    ) -> &Painted {
        if let Some(theme) = self.surface.effective_theme().cloned() {
            let mode = self.surface.mode();
            if !self
                .recipes
                .as_ref()
                .is_some_and(|r| r.is_for(&theme, mode))
            {
                self.recipes = Some(res.recipes(&theme, mode));
                self.scene.repaint_all();
                self.dirty = true;
            }
        }
        let Some(recipes) = self.recipes.clone() else {
            return &self.painted;
        };
        if self.dirty {
            self.dirty = false;
            let out = self.layout(res, &recipes, nested);
            self.scene.update(&mut self.surface, &out, now_ms);
            if self.fonts != res.text.generation() {
                // A text brought new fonts in: what was measured before no longer holds.
                self.fonts = res.text.generation();
                let out = self.layout(res, &recipes, nested);
                self.scene.update(&mut self.surface, &out, now_ms);
                self.scene.repaint_all();
            }
            self.input
                .after_layout(&mut self.surface, &self.scene, &res.registry);
        }
        for slot in self.input.take_repaints() {
            self.scene.repaint(slot);
        }
        let focus = self.input.focus();
        let mut cx = BuildCx {
            recipes: &recipes,
            nested,
            focus: Focus {
                slot: focus.slot,
                visible: focus.visible,
                edit: focus.edit,
            },
            pointer: self.input.pointer_at(),
            scrolling: &|slot| self.input.shows_scrollbar(slot, now_ms),
            now_ms,
            res,
        };
        self.painted = self.scene.build(&mut cx);
        &self.painted
    }

    fn layout(
        &mut self,
        res: &mut Resources,
        recipes: &Recipes,
        nested: &mut dyn Nested,
    ) -> LayoutOutput {
        let mut measurer = Measurer {
            text: &mut res.text,
            images: &mut res.images,
            registry: &res.registry,
            recipes,
            nested,
        };
        self.surface.layout(&mut measurer)
    }

    /// A pointer event in surface coordinates. What the host must do comes back.
    pub fn pointer(&mut self, event: PointerEvent, res: &mut Resources, now_ms: f64) -> Response {
        let Some(recipes) = self.recipes.clone() else {
            return Response::default();
        };
        let r = self.input.pointer(
            event,
            &mut self.surface,
            &mut self.scene,
            res,
            &recipes,
            now_ms,
        );
        self.dirty |= r.relayout;
        r
    }

    /// Events the engine raised by itself since the last call.
    pub fn take_events(&mut self) -> Vec<OutEvent> {
        self.surface.take_events()
    }
}
