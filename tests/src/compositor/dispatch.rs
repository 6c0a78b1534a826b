//! The seam to wayland-server: one small trait for what a protocol object does, one for what a global does when bound.
//!
//! The data of an object implements [`Object`] for its interface, so every noun keeps its requests in its own file.

use wayland_server::backend::ClientId;
use wayland_server::{Client, DataInit, Dispatch, DisplayHandle, GlobalDispatch, New, Resource};

use super::state::State;

/// What the data of a protocol object does with the object's requests.
pub(crate) trait Object<I: Resource>: Send + Sync + 'static {
    fn request(
        &self,
        resource: &I,
        request: I::Request,
        state: &mut State,
        init: &mut DataInit<'_, State>,
    );

    /// The object is gone, by its destructor or with its client.
    fn destroyed(&self, _resource: &I, _state: &mut State) {}
}

impl<I: Resource, D: Object<I>> Dispatch<I, D> for State {
    fn request(
        state: &mut Self,
        _: &Client,
        resource: &I,
        request: I::Request,
        data: &D,
        _: &DisplayHandle,
        init: &mut DataInit<'_, Self>,
    ) {
        data.request(resource, request, state, init);
    }

    fn destroyed(state: &mut Self, _: ClientId, resource: &I, data: &D) {
        data.destroyed(resource, state);
    }
}

/// What a global says to a client that binds it. Its data is handed on to the object.
pub(crate) trait Bind<I: Resource>: Object<I> + Clone {
    fn bound(&self, _resource: &I, _state: &mut State) {}
}

impl<I: Resource + 'static, G: Bind<I>> GlobalDispatch<I, G> for State {
    fn bind(
        state: &mut Self,
        _: &DisplayHandle,
        _: &Client,
        new: New<I>,
        data: &G,
        init: &mut DataInit<'_, Self>,
    ) {
        let resource = init.init(new, data.clone());
        data.bound(&resource, state);
    }
}

/// The data of a global that has none.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Manager;
