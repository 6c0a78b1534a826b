//! `xdg_activation_v1`: tokens by which one program lets another come to the front.

use std::sync::{Mutex, PoisonError};

use wayland_protocols::xdg::activation::v1::server::xdg_activation_token_v1::{
    self, XdgActivationTokenV1,
};
use wayland_protocols::xdg::activation::v1::server::xdg_activation_v1::{self, XdgActivationV1};
use wayland_server::{DataInit, Resource};

use super::dispatch::{Bind, Manager, Object};
use super::log::Request;
use super::state::State;
use super::surface::SurfaceId;

/// The tokens that were given out, and may be used once.
#[derive(Default)]
pub(crate) struct Tokens(Vec<String>);

/// What a client said about a token before it committed it.
#[derive(Default)]
pub(crate) struct TokenData(Mutex<Wish>);

#[derive(Default)]
struct Wish {
    app_id: Option<String>,
    surface: Option<SurfaceId>,
    serial: Option<u32>,
    committed: bool,
}

impl Bind<XdgActivationV1> for Manager {}

impl Object<XdgActivationV1> for Manager {
    fn request(
        &self,
        _: &XdgActivationV1,
        request: xdg_activation_v1::Request,
        state: &mut State,
        init: &mut DataInit<'_, State>,
    ) {
        match request {
            xdg_activation_v1::Request::GetActivationToken { id } => {
                init.init(id, TokenData::default());
            }
            xdg_activation_v1::Request::Activate { token, surface } => {
                let Some(surface) = surface.data::<SurfaceId>().copied() else {
                    return;
                };
                let known = state.tokens.0.contains(&token);
                state.tokens.0.retain(|kept| *kept != token);
                state.request(Request::Activate {
                    token,
                    surface,
                    known,
                });
                if known && state.may_focus(surface) {
                    state.focus(Some(surface));
                }
            }
            _ => {}
        }
    }
}

impl Object<XdgActivationTokenV1> for TokenData {
    fn request(
        &self,
        token: &XdgActivationTokenV1,
        request: xdg_activation_token_v1::Request,
        state: &mut State,
        _: &mut DataInit<'_, State>,
    ) {
        let mut wish = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        match request {
            xdg_activation_token_v1::Request::Destroy => {}
            _ if wish.committed => {
                state.protocol_error(
                    token,
                    xdg_activation_token_v1::Error::AlreadyUsed,
                    "the token was committed already".into(),
                );
            }
            xdg_activation_token_v1::Request::SetSerial { serial, .. } => {
                wish.serial = Some(serial)
            }
            xdg_activation_token_v1::Request::SetAppId { app_id } => wish.app_id = Some(app_id),
            xdg_activation_token_v1::Request::SetSurface { surface } => {
                wish.surface = surface.data::<SurfaceId>().copied()
            }
            xdg_activation_token_v1::Request::Commit => {
                wish.committed = true;
                let name = state.new_token();
                let with_serial = wish
                    .serial
                    .is_some_and(|serial| state.seat.is_input(serial));
                state.request(Request::ActivationToken {
                    app_id: wish.app_id.clone(),
                    surface: wish.surface,
                    with_serial,
                });
                token.done(name);
            }
            _ => {}
        }
    }
}

impl State {
    /// A token that activates one window once, as a launcher would hand it to a program.
    pub fn new_token(&mut self) -> String {
        let name = format!("token-{}", self.next_serial());
        self.tokens.0.push(name.clone());
        name
    }
}
