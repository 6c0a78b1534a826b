//! What comes into a view from its host: events, text from the clipboard and the input method, time. Everything the host must do
//! about it comes back in a [`Response`].

use eui_core::surface::SurfaceCommand;

use super::View;
use crate::geometry::Point;
use crate::input::{
    Cursor, DropOffer, Dropped, FileInfo, FocusMove, FocusStep, Hit, InputCx, Key, KeyPress,
    PointerEvent, Response, TextInputState, TouchEvent, hit_test, layers, order,
};
use crate::resources::Resources;

const MINUTE: f64 = 60_000.0;

impl View {
    /// Run a handler on this view's input and take over what came of it.
    fn with_input(
        &mut self,
        res: &mut Resources,
        now_ms: f64,
        handle: impl FnOnce(&mut crate::input::Input, &mut InputCx<'_>),
    ) -> Response {
        let Some(recipes) = self.recipes.clone() else {
            return Response::default();
        };
        let outer = res.images.set_owner(self.owner.clone());
        let mut cx = InputCx::new(&mut self.surface, &mut self.scene, res, &recipes, now_ms);
        handle(&mut self.input, &mut cx);
        self.input.take_hover_timers(&mut cx);
        let out = cx.out;
        res.images.set_owner(outer);
        self.dirty |= out.relayout;
        self.stale |= out.repaint;
        out
    }

    /// A pointer event in surface coordinates.
    pub fn pointer(&mut self, event: PointerEvent, res: &mut Resources, now_ms: f64) -> Response {
        self.with_input(res, now_ms, |input, cx| input.pointer(cx, event))
    }

    /// A finger, in surface coordinates.
    pub fn touch(&mut self, event: TouchEvent, res: &mut Resources, now_ms: f64) -> Response {
        self.with_input(res, now_ms, |input, cx| input.touch(cx, event))
    }

    /// Something is dragged over the surface; true when it may be dropped at `at`.
    pub fn drag_over(
        &mut self,
        at: Point,
        offer: DropOffer,
        res: &mut Resources,
        now_ms: f64,
    ) -> (bool, Response) {
        let mut takes = false;
        let r = self.with_input(res, now_ms, |input, cx| {
            takes = input.drag_over(cx, at, offer)
        });
        (takes, r)
    }

    /// What was dragged over the surface has left it.
    pub fn drag_leave(&mut self, res: &mut Resources, now_ms: f64) -> Response {
        self.with_input(res, now_ms, |input, cx| input.drag_leave(cx))
    }

    /// Text or files were dropped at `at`.
    pub fn drop(
        &mut self,
        at: Point,
        what: &Dropped,
        res: &mut Resources,
        now_ms: f64,
    ) -> Response {
        self.with_input(res, now_ms, |input, cx| input.drop_at(cx, at, what))
    }

    /// Files the person picked, for the FileUpload that asked (`OutEvent::PickFiles`).
    pub fn picked(
        &mut self,
        component_id: &str,
        files: &[FileInfo],
        res: &mut Resources,
        now_ms: f64,
    ) -> Response {
        self.with_input(res, now_ms, |input, cx| {
            if let Some(slot) = cx.slot(component_id) {
                input.give_files(cx, slot, files);
            }
        })
    }

    /// A key went down, or repeats. A press nothing takes belongs to the host.
    pub fn key(&mut self, key: &KeyPress, res: &mut Resources, now_ms: f64) -> Response {
        self.with_input(res, now_ms, |input, cx| input.key(cx, key))
    }

    /// A key came up.
    pub fn key_release(&mut self, key: Key, res: &mut Resources, now_ms: f64) -> Response {
        self.with_input(res, now_ms, |input, cx| input.key_up(cx, key))
    }

    /// The pointer was taken away with a button down (a drag and drop, a lost grab): nothing comes of the press.
    pub fn cancel_pointer(&mut self, res: &mut Resources, now_ms: f64) -> Response {
        self.with_input(res, now_ms, |input, cx| input.drop_press(cx))
    }

    /// What lies under a point of the surface. Over an extension leaf the host asks the surface inside it first.
    pub fn hit(&self, at: Point) -> Hit {
        Hit::of(&self.scene, &hit_test(&self.scene, at))
    }

    /// The pointer's shape where it is now.
    pub fn cursor(&self) -> Cursor {
        self.input.cursor()
    }

    /// A button is down here: every pointer event until its release belongs to this view, wherever the pointer is.
    pub fn holds_pointer(&self) -> bool {
        self.input.holds_pointer()
    }

    /// Move the keyboard focus along the tab order. [`FocusMove::Exhausted`] hands it on to what comes after this surface,
    /// [`FocusMove::Nested`] into the surface inside a leaf.
    pub fn step_focus(
        &mut self,
        step: FocusStep,
        res: &mut Resources,
        now_ms: f64,
    ) -> (FocusMove, Response) {
        let r = self.with_input(res, now_ms, |input, cx| input.focus_step(cx, step));
        (r.focus.clone().unwrap_or(FocusMove::Exhausted), r)
    }

    /// Nothing here has the keyboard focus any more: a field commits.
    pub fn blur(&mut self, res: &mut Resources, now_ms: f64) -> Response {
        self.with_input(res, now_ms, |input, cx| input.blur(cx))
    }

    /// The id of the node with the keyboard focus.
    pub fn focused(&self) -> Option<&str> {
        self.input.focus_id()
    }

    /// Do what a host or an agent asks of the surface: focus, announce, scroll.
    pub fn command(
        &mut self,
        command: &SurfaceCommand,
        res: &mut Resources,
        now_ms: f64,
    ) -> Response {
        self.with_input(res, now_ms, |input, cx| input.command(cx, command))
    }

    /// Is a text field typed into?
    pub fn is_editing(&self) -> bool {
        self.input.is_editing()
    }

    /// Is there a text field a person could type into?
    pub fn has_field(&self, res: &Resources) -> bool {
        let mut found = false;
        if let Some(root) = self.scene.root() {
            order::each(&self.scene, root, &mut |slot| {
                let node = self.scene.node(slot).map(|n| &n.placed);
                found |= node.is_some_and(|n| res.registry.of(n).field(n).is_some());
            });
        }
        found
    }

    /// The open layer that another one opened from, by their roots: a submenu's menu, the popover a list hangs in. `None`: the surface
    /// itself.
    pub fn layer_below(&self, root: u32) -> Option<u32> {
        layers::below(&self.scene, &self.surface, root)
    }

    /// Does an open layer only show something (a tooltip, suggestions, a message), and leave the keyboard where it is?
    pub fn is_passive(&self, root: u32) -> bool {
        let mut open = self.scene.layers().iter();
        open.find(|l| l.root == root)
            .is_some_and(|l| layers::passive(&self.scene, &self.surface, l))
    }

    /// Text from the clipboard the response asked for.
    pub fn paste(&mut self, text: &str, res: &mut Resources, now_ms: f64) -> Response {
        self.with_input(res, now_ms, |input, cx| input.paste(cx, text))
    }

    /// What the input method is composing, its caret in bytes. An empty text ends it.
    pub fn preedit(
        &mut self,
        text: &str,
        cursor: usize,
        res: &mut Resources,
        now_ms: f64,
    ) -> Response {
        self.with_input(res, now_ms, |input, cx| input.preedit(cx, text, cursor))
    }

    /// Text the input method has composed.
    pub fn commit(&mut self, text: &str, res: &mut Resources, now_ms: f64) -> Response {
        self.with_input(res, now_ms, |input, cx| input.commit_text(cx, text))
    }

    /// The input method takes bytes away around the caret.
    pub fn delete_surrounding(
        &mut self,
        before: usize,
        after: usize,
        res: &mut Resources,
        now_ms: f64,
    ) -> Response {
        self.with_input(res, now_ms, |input, cx| {
            input.delete_surrounding(cx, before, after);
        })
    }

    /// What the input method needs to know, while a text field has the focus.
    pub fn text_input(&mut self, res: &mut Resources) -> Option<TextInputState> {
        let mut state = None;
        self.with_input(res, 0.0, |input, cx| state = input.text_input(cx));
        state
    }

    /// Unix time is the view's clock plus this many ms. Without it the view does not tick with the clock.
    pub fn set_wall_clock(&mut self, offset_ms: Option<f64>) {
        self.wall = offset_ms;
    }

    /// When the view wants [`View::wake`], on its own clock. `None`: never, as things are.
    pub fn next_wake(&self, now_ms: f64) -> Option<f64> {
        let tick = self.wall.filter(|_| self.ticks).map(|offset| {
            let ticked = self.ticked_ms.unwrap_or(now_ms);
            ((ticked + offset) / MINUTE).floor() * MINUTE + MINUTE - offset
        });
        match (tick, self.input.next_wake()) {
            (Some(a), Some(b)) => Some(a.min(b)),
            (a, b) => a.or(b),
        }
    }

    /// Do what is due at `now_ms`.
    pub fn wake(&mut self, res: &mut Resources, now_ms: f64) -> Response {
        let due = self
            .wall
            .filter(|_| self.ticks)
            .zip(self.ticked_ms)
            .is_some_and(|(offset, ticked)| {
                ((now_ms + offset + 0.5) / MINUTE).floor() > ((ticked + offset) / MINUTE).floor()
            });
        if due {
            self.ticked_ms = Some(now_ms + 0.5);
            self.surface.tick();
            self.dirty = true;
        }
        let mut r = self.with_input(res, now_ms, |input, cx| input.wake(cx));
        r.relayout |= due;
        r
    }
}
