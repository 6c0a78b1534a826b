//! One surface with its painter's state: lay out, build display lists, take input. The unit the shell puts on screen and nests.

mod input;

use std::rc::Rc;
use std::sync::Arc;

use eui_core::surface::{HOVER_CLOSE_MS, LayoutOutput, Surface, SurfaceSettings};

use crate::input::{Input, InputCx, Response};
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
    /// How often pictures had been forgotten when it was painted last.
    forgotten: u64,
    dirty: bool,
    /// What is shown has moved or looks different; nothing needs a layout for it.
    stale: bool,
    painted: Painted,
    /// What came of layouts, for the host to take.
    pending: Response,
    wall: Option<f64>,
    /// The surface shows a time that moves with the clock.
    ticks: bool,
    ticked_ms: Option<f64>,
    /// In whose name its pictures are asked for.
    owner: Option<Arc<str>>,
}

/// Layouts in one update: a layout may open what moves the focus, which may ask for another.
const MOST_PASSES: usize = 4;

impl View {
    pub fn new(surface: Surface) -> View {
        View {
            surface,
            scene: Scene::default(),
            input: Input::default(),
            recipes: None,
            fonts: 0,
            forgotten: 0,
            dirty: true,
            stale: false,
            painted: Painted::default(),
            pending: Response::default(),
            wall: None,
            ticks: false,
            ticked_ms: None,
            owner: None,
        }
    }

    /// In whose name (an app's) its pictures are asked for; nobody's at first.
    pub fn set_owner(&mut self, owner: Option<Arc<str>>) {
        self.owner = owner;
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
        self.dirty || self.stale || self.painted.animates || self.input.wants_paint()
    }

    /// Lay out what changed and put the lists together. `now_ms` is any monotonic clock; animations run on it.
    pub fn update(
        &mut self,
        res: &mut Resources,
        nested: &mut dyn Nested,
        now_ms: f64,
    ) -> &Painted {
        let outer = res.images.set_owner(self.owner.clone());
        self.bring_up(res, nested, now_ms);
        res.images.set_owner(outer);
        &self.painted
    }

    fn bring_up(&mut self, res: &mut Resources, nested: &mut dyn Nested, now_ms: f64) {
        if self.surface.settings().hover_close_ms == 0 {
            // A hover card stays while the pointer crosses the gap to it.
            let settings = SurfaceSettings {
                hover_close_ms: HOVER_CLOSE_MS,
                ..self.surface.settings().clone()
            };
            self.surface.set_settings(settings);
        }
        if self.forgotten != res.images.forgotten() {
            self.forgotten = res.images.forgotten();
            self.scene.repaint_all();
            self.dirty = true;
        }
        if let Some(theme) = self.surface.effective_theme().cloned() {
            let mode = self.surface.mode();
            let font_scale = self.surface.settings().font_scale;
            if !self
                .recipes
                .as_ref()
                .is_some_and(|r| r.is_for(&theme, mode, font_scale))
            {
                self.recipes = Some(res.scaled_recipes(&theme, mode, font_scale));
                self.scene.repaint_all();
                self.dirty = true;
            }
        }
        let Some(recipes) = self.recipes.clone() else {
            return;
        };
        self.handle(res, &recipes, now_ms, |input, cx| {
            input.frame(cx);
            if cx.out.relayout {
                input.tell_scrolls(cx);
            }
        });
        for _ in 0..MOST_PASSES {
            if !self.dirty {
                break;
            }
            self.handle(res, &recipes, now_ms, |input, cx| input.tell_scrolls(cx));
            self.dirty = false;
            let mut rebuilt = self.pass(res, &recipes, nested, now_ms);
            if self.fonts != res.text.generation() {
                // A text brought new fonts in: what was measured before no longer holds.
                self.fonts = res.text.generation();
                rebuilt |= self.pass(res, &recipes, nested, now_ms);
                self.scene.repaint_all();
            }
            self.handle(res, &recipes, now_ms, |input, cx| input.after_layout(cx));
            if rebuilt {
                self.ticks = self.surface.uses_clock();
            }
            self.ticked_ms.get_or_insert(now_ms);
        }
        self.stale = false;
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
                inside: focus.inside,
                edit: focus.edit,
            },
            pointer: self.input.pointer_at(),
            scrolling: &|id| self.input.scrollbar_opacity(id, now_ms),
            now_ms,
            res,
        };
        self.painted = self.scene.build(&mut cx);
        self.painted.animates |= self.input.animates(now_ms);
    }

    /// One layout, taken over by the scene. True when the engine built its tree anew.
    fn pass(
        &mut self,
        res: &mut Resources,
        recipes: &Recipes,
        nested: &mut dyn Nested,
        now_ms: f64,
    ) -> bool {
        let out = self.layout(res, recipes, nested);
        self.scene.update(&mut self.surface, &out, now_ms);
        out.rebuilt
    }

    /// Let the input look at the scene; what comes of it waits for the host.
    fn handle(
        &mut self,
        res: &mut Resources,
        recipes: &Recipes,
        now_ms: f64,
        look: impl FnOnce(&mut Input, &mut InputCx<'_>),
    ) {
        let mut cx = InputCx::new(&mut self.surface, &mut self.scene, res, recipes, now_ms);
        look(&mut self.input, &mut cx);
        self.dirty |= cx.out.relayout;
        self.pending.merge(cx.out);
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

    /// What came of the layouts since the last call: events the engine raised by itself, focus that moved into an overlay.
    pub fn take_response(&mut self) -> Response {
        std::mem::take(&mut self.pending)
    }
}
