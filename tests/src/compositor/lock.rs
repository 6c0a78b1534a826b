//! `ext_session_lock_v1`: a screen locker's surfaces.

use wayland_protocols::ext::session_lock::v1::server::ext_session_lock_manager_v1::{
    self, ExtSessionLockManagerV1,
};
use wayland_protocols::ext::session_lock::v1::server::ext_session_lock_surface_v1::{
    self, ExtSessionLockSurfaceV1,
};
use wayland_protocols::ext::session_lock::v1::server::ext_session_lock_v1::{
    self, ExtSessionLockV1,
};
use wayland_server::{DataInit, Resource};

use super::configure::Configures;
use super::dispatch::{Bind, Manager, Object};
use super::log::Request;
use super::output::OutputId;
use super::role::Role;
use super::state::State;
use super::surface::{Pending, SurfaceId};

/// The lock that holds the session, if any.
#[derive(Default)]
pub(crate) struct Lock(Option<ExtSessionLockV1>);

impl Lock {
    pub fn held(&self) -> bool {
        self.0.is_some()
    }
}

pub(crate) struct LockSurface {
    resource: ExtSessionLockSurfaceV1,
    pub output: OutputId,
    configures: Configures<(i32, i32)>,
}

impl Bind<ExtSessionLockManagerV1> for Manager {}

impl Object<ExtSessionLockManagerV1> for Manager {
    fn request(
        &self,
        _: &ExtSessionLockManagerV1,
        request: ext_session_lock_manager_v1::Request,
        state: &mut State,
        init: &mut DataInit<'_, State>,
    ) {
        let ext_session_lock_manager_v1::Request::Lock { id } = request else {
            return;
        };
        let lock = init.init(id, Self);
        state.request(Request::Lock);
        if state.lock.held() {
            lock.finished();
        } else {
            lock.locked();
            state.lock.0 = Some(lock);
        }
    }
}

impl Object<ExtSessionLockV1> for Manager {
    fn request(
        &self,
        lock: &ExtSessionLockV1,
        request: ext_session_lock_v1::Request,
        state: &mut State,
        init: &mut DataInit<'_, State>,
    ) {
        let holds = state.lock.0.as_ref() == Some(lock);
        match request {
            ext_session_lock_v1::Request::GetLockSurface {
                id,
                surface,
                output,
            } => {
                let (Some(on), Some(output)) = (
                    surface.data::<SurfaceId>().copied(),
                    output.data::<OutputId>().copied(),
                ) else {
                    return;
                };
                let resource = init.init(id, on);
                let twice =
                    |role: &Role| matches!(role, Role::Lock(other) if other.output == output);
                if state.surfaces.values().any(|surface| twice(&surface.role)) {
                    let message = "the output has a lock surface".into();
                    return state.protocol_error(
                        lock,
                        ext_session_lock_v1::Error::DuplicateOutput,
                        message,
                    );
                }
                let role = Role::Lock(LockSurface {
                    resource,
                    output,
                    configures: Configures::default(),
                });
                if state.give_role(on, role, lock, ext_session_lock_v1::Error::Role) {
                    state.configure_lock(on);
                }
            }
            ext_session_lock_v1::Request::Destroy if holds => {
                let message = "a lock that holds the session was destroyed".into();
                state.protocol_error(lock, ext_session_lock_v1::Error::InvalidDestroy, message);
            }
            ext_session_lock_v1::Request::UnlockAndDestroy if holds => {
                state.lock.0 = None;
                state.request(Request::Unlock);
            }
            ext_session_lock_v1::Request::UnlockAndDestroy => {
                let message = "a lock that does not hold the session was opened".into();
                state.protocol_error(lock, ext_session_lock_v1::Error::InvalidUnlock, message);
            }
            _ => {}
        }
    }
}

impl Object<ExtSessionLockSurfaceV1> for SurfaceId {
    fn request(
        &self,
        resource: &ExtSessionLockSurfaceV1,
        request: ext_session_lock_surface_v1::Request,
        state: &mut State,
        _: &mut DataInit<'_, State>,
    ) {
        let ext_session_lock_surface_v1::Request::AckConfigure { serial } = request else {
            return;
        };
        let Some(Role::Lock(lock)) = state.surface_mut(*self).map(|surface| &mut surface.role)
        else {
            return;
        };
        if !lock.configures.ack(serial) {
            let message = format!("{self:?}: configure {serial} was never sent");
            state.protocol_error(
                resource,
                ext_session_lock_surface_v1::Error::InvalidSerial,
                message,
            );
        }
    }

    fn destroyed(&self, _: &ExtSessionLockSurfaceV1, state: &mut State) {
        state.role_gone(*self);
    }
}

impl State {
    fn configure_lock(&mut self, id: SurfaceId) {
        let serial = self.next_serial();
        let Some(Role::Lock(lock)) = self.surface(id).map(|surface| &surface.role) else {
            return;
        };
        let area = self.output_area(Some(lock.output));
        let size = (area.width, area.height);
        let Some(Role::Lock(lock)) = self.surface_mut(id).map(|surface| &mut surface.role) else {
            return;
        };
        lock.configures.push(serial, size);
        lock.resource
            .configure(serial, size.0 as u32, size.1 as u32);
    }

    pub fn lock_allows_commit(&mut self, id: SurfaceId, pending: &Pending) -> bool {
        let Some(Role::Lock(lock)) = self.surface(id).map(|surface| &surface.role) else {
            return false;
        };
        let (resource, acked) = (lock.resource.clone(), lock.configures.acked().is_some());
        let error = match pending.buffer {
            _ if !acked => ext_session_lock_surface_v1::Error::CommitBeforeFirstAck,
            Some(None) => ext_session_lock_surface_v1::Error::NullBuffer,
            _ => return true,
        };
        self.protocol_error(&resource, error, format!("{id:?}: {error:?}"));
        false
    }
}
