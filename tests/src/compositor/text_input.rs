//! `zwp_text_input_v3`: the client's half of an input method. The test is the input method.

use std::sync::{Mutex, PoisonError};

use wayland_protocols::wp::text_input::zv3::server::zwp_text_input_manager_v3::{
    self, ZwpTextInputManagerV3,
};
use wayland_protocols::wp::text_input::zv3::server::zwp_text_input_v3::{self, ZwpTextInputV3};
use wayland_server::protocol::wl_surface::WlSurface;
use wayland_server::{DataInit, Resource};

use super::dispatch::{Bind, Manager, Object};
use super::geometry::Rect;
use super::state::{State, same_client};

/// What a client told the input method with its last commit.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct TextInputState {
    pub enabled: bool,
    /// The text around the caret, with caret and anchor as byte offsets.
    pub surrounding: Option<(String, i32, i32)>,
    /// The hint's bits and the purpose's number, as the protocol has them.
    pub content: (u32, u32),
    /// Surface-local.
    pub cursor: Option<Rect>,
    /// How often the client committed.
    pub commits: u32,
}

/// The data of a text input: what is pending and what was committed.
#[derive(Default)]
pub(crate) struct TextInputData(Mutex<(TextInputState, TextInputState)>);

impl TextInputData {
    fn of(text_input: &ZwpTextInputV3) -> Option<TextInputState> {
        let data = text_input.data::<Self>()?;
        Some(
            data.0
                .lock()
                .unwrap_or_else(PoisonError::into_inner)
                .1
                .clone(),
        )
    }
}

#[derive(Default)]
pub(crate) struct TextInputs {
    resources: Vec<ZwpTextInputV3>,
    entered: Option<WlSurface>,
}

/// What the input method does to the text.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Composition {
    /// Text that is not decided yet, with the caret's byte offsets in it; none takes it away.
    Preedit(Option<(String, i32, i32)>),
    Commit(String),
    /// Bytes before and after the caret.
    Delete(u32, u32),
}

impl Bind<ZwpTextInputManagerV3> for Manager {}

impl Object<ZwpTextInputManagerV3> for Manager {
    fn request(
        &self,
        _: &ZwpTextInputManagerV3,
        request: zwp_text_input_manager_v3::Request,
        state: &mut State,
        init: &mut DataInit<'_, State>,
    ) {
        let zwp_text_input_manager_v3::Request::GetTextInput { id, .. } = request else {
            return;
        };
        let text_input = init.init(id, TextInputData::default());
        if let Some(surface) = state
            .text_inputs
            .entered
            .as_ref()
            .filter(|surface| same_client(*surface, &text_input))
        {
            text_input.enter(surface);
        }
        state.text_inputs.resources.push(text_input);
    }
}

impl Object<ZwpTextInputV3> for TextInputData {
    fn request(
        &self,
        _: &ZwpTextInputV3,
        request: zwp_text_input_v3::Request,
        _: &mut State,
        _: &mut DataInit<'_, State>,
    ) {
        let mut data = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        let (pending, committed) = &mut *data;
        match request {
            // Enabling begins anew: nothing of the last field remains.
            zwp_text_input_v3::Request::Enable => {
                *pending = TextInputState {
                    enabled: true,
                    ..TextInputState::default()
                }
            }
            zwp_text_input_v3::Request::Disable => pending.enabled = false,
            zwp_text_input_v3::Request::SetSurroundingText {
                text,
                cursor,
                anchor,
            } => pending.surrounding = Some((text, cursor, anchor)),
            zwp_text_input_v3::Request::SetContentType { hint, purpose } => {
                pending.content = (hint.into(), purpose.into())
            }
            zwp_text_input_v3::Request::SetCursorRectangle {
                x,
                y,
                width,
                height,
            } => pending.cursor = Some(Rect::new(x, y, width, height)),
            zwp_text_input_v3::Request::Commit => {
                let commits = committed.commits + 1;
                *committed = TextInputState {
                    commits,
                    ..pending.clone()
                };
            }
            _ => {}
        }
    }

    fn destroyed(&self, text_input: &ZwpTextInputV3, state: &mut State) {
        state
            .text_inputs
            .resources
            .retain(|kept| kept != text_input);
    }
}

impl State {
    pub fn text_input_enter(&mut self, surface: &WlSurface) {
        self.text_inputs
            .resources
            .iter()
            .filter(|input| same_client(*input, surface))
            .for_each(|input| input.enter(surface));
        self.text_inputs.entered = Some(surface.clone());
    }

    pub fn text_input_leave(&mut self, surface: &WlSurface) {
        self.text_inputs
            .resources
            .iter()
            .filter(|input| same_client(*input, surface))
            .for_each(|input| input.leave(surface));
        self.text_inputs.entered = None;
    }

    /// What the focused client told the input method, once a text field is enabled.
    pub fn text_input_state(&self) -> Option<TextInputState> {
        let states = self.focused_text_inputs().filter_map(TextInputData::of);
        states.into_iter().find(|state| state.enabled)
    }

    fn focused_text_inputs(&self) -> impl Iterator<Item = &ZwpTextInputV3> {
        let entered = self.text_inputs.entered.as_ref();
        self.text_inputs
            .resources
            .iter()
            .filter(move |input| entered.is_some_and(|surface| same_client(*input, surface)))
    }

    /// Send what the input method did, as one step.
    pub fn compose(&mut self, steps: &[Composition]) {
        for input in self.focused_text_inputs() {
            let Some(state) = TextInputData::of(input).filter(|state| state.enabled) else {
                continue;
            };
            for step in steps {
                match step {
                    Composition::Preedit(Some((text, begin, end))) => {
                        input.preedit_string(Some(text.clone()), *begin, *end)
                    }
                    Composition::Preedit(None) => input.preedit_string(None, 0, 0),
                    Composition::Commit(text) => input.commit_string(Some(text.clone())),
                    Composition::Delete(before, after) => {
                        input.delete_surrounding_text(*before, *after)
                    }
                }
            }
            input.done(state.commits);
        }
    }
}
