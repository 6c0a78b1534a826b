//! `zwlr_foreign_toplevel_manager_v1`: the list of windows as wlroots compositors show it, with requests.

use wayland_protocols_wlr::foreign_toplevel::v1::server::zwlr_foreign_toplevel_handle_v1::{
    self, ZwlrForeignToplevelHandleV1,
};
use wayland_protocols_wlr::foreign_toplevel::v1::server::zwlr_foreign_toplevel_manager_v1::{
    self, ZwlrForeignToplevelManagerV1,
};
use wayland_server::{DataInit, Resource};

use super::dispatch::{Bind, Manager, Object};
use super::geometry::Rect;
use super::log::WindowRequest;
use super::output::OutputId;
use super::state::{State, same_client};
use super::surface::SurfaceId;
use super::windows::{Window, WindowId};

#[derive(Default)]
pub(crate) struct WlrList {
    managers: Vec<ZwlrForeignToplevelManagerV1>,
    handles: Vec<(WindowId, ZwlrForeignToplevelHandleV1)>,
}

impl Bind<ZwlrForeignToplevelManagerV1> for Manager {
    fn bound(&self, manager: &ZwlrForeignToplevelManagerV1, state: &mut State) {
        state.windows.wlr.managers.push(manager.clone());
        for id in state
            .windows
            .list
            .iter()
            .map(|entry| entry.id)
            .collect::<Vec<_>>()
        {
            state.wlr_announce(manager, id);
        }
    }
}

impl Object<ZwlrForeignToplevelManagerV1> for Manager {
    fn request(
        &self,
        manager: &ZwlrForeignToplevelManagerV1,
        request: zwlr_foreign_toplevel_manager_v1::Request,
        state: &mut State,
        _: &mut DataInit<'_, State>,
    ) {
        if matches!(request, zwlr_foreign_toplevel_manager_v1::Request::Stop) {
            state.windows.wlr.managers.retain(|kept| kept != manager);
            manager.finished();
        }
    }

    fn destroyed(&self, manager: &ZwlrForeignToplevelManagerV1, state: &mut State) {
        state.windows.wlr.managers.retain(|kept| kept != manager);
    }
}

impl Object<ZwlrForeignToplevelHandleV1> for WindowId {
    fn request(
        &self,
        handle: &ZwlrForeignToplevelHandleV1,
        request: zwlr_foreign_toplevel_handle_v1::Request,
        state: &mut State,
        _: &mut DataInit<'_, State>,
    ) {
        use zwlr_foreign_toplevel_handle_v1::Request;
        let request = match request {
            Request::Activate { .. } => WindowRequest::Activate,
            Request::Close => WindowRequest::Close,
            Request::SetMaximized => WindowRequest::SetMaximized(true),
            Request::UnsetMaximized => WindowRequest::SetMaximized(false),
            Request::SetMinimized => WindowRequest::SetMinimized(true),
            Request::UnsetMinimized => WindowRequest::SetMinimized(false),
            Request::SetFullscreen { .. } => WindowRequest::SetFullscreen(true),
            Request::UnsetFullscreen => WindowRequest::SetFullscreen(false),
            Request::SetRectangle {
                surface,
                x,
                y,
                width,
                height,
            } => {
                if width < 0 || height < 0 {
                    let error = zwlr_foreign_toplevel_handle_v1::Error::InvalidRectangle;
                    return state.protocol_error(
                        handle,
                        error,
                        format!("a rectangle of {width}×{height}"),
                    );
                }
                let Some(surface) = surface.data::<SurfaceId>().copied() else {
                    return;
                };
                WindowRequest::Rectangle(surface, Rect::new(x, y, width, height))
            }
            _ => return,
        };
        state.window_request(*self, request);
    }

    fn destroyed(&self, handle: &ZwlrForeignToplevelHandleV1, state: &mut State) {
        state.windows.wlr.handles.retain(|(_, kept)| kept != handle);
    }
}

impl State {
    fn wlr_announce(&mut self, manager: &ZwlrForeignToplevelManagerV1, id: WindowId) {
        let Some(client) = manager.client() else {
            return;
        };
        let handle = client.create_resource::<ZwlrForeignToplevelHandleV1, _, Self>(
            &self.display,
            manager.version(),
            id,
        );
        let Ok(handle) = handle else { return };
        manager.toplevel(&handle);
        self.windows.wlr.handles.push((id, handle.clone()));
        let Some(entry) = self.windows.get(id) else {
            return;
        };
        let window = &entry.window;
        handle.title(window.title.clone());
        handle.app_id(window.app_id.clone());
        window
            .outputs
            .iter()
            .for_each(|output| self.wlr_output(&handle, *output, true));
        handle.state(states(window, handle.version()));
        if handle.version() >= 3 {
            handle.parent(self.wlr_handle(&handle, window.parent).as_ref());
        }
        handle.done();
    }

    fn wlr_output(&self, handle: &ZwlrForeignToplevelHandleV1, output: OutputId, enter: bool) {
        let Some(output) = self.output(output) else {
            return;
        };
        for resource in output.of_client(handle) {
            if enter {
                handle.output_enter(resource)
            } else {
                handle.output_leave(resource)
            }
        }
    }

    /// The handle by which the client of `of` knows a window.
    fn wlr_handle(
        &self,
        of: &ZwlrForeignToplevelHandleV1,
        id: Option<WindowId>,
    ) -> Option<ZwlrForeignToplevelHandleV1> {
        let mut handles = self.windows.wlr.handles.iter();
        handles
            .find(|(known, handle)| Some(*known) == id && same_client(handle, of))
            .map(|(_, handle)| handle.clone())
    }

    fn wlr_handles(&self, id: WindowId) -> Vec<ZwlrForeignToplevelHandleV1> {
        let handles = self
            .windows
            .wlr
            .handles
            .iter()
            .filter(|(known, handle)| *known == id && handle.is_alive());
        handles.map(|(_, handle)| handle.clone()).collect()
    }

    pub fn wlr_opened(&mut self, id: WindowId) {
        for manager in self.windows.wlr.managers.clone() {
            self.wlr_announce(&manager, id);
        }
    }

    pub fn wlr_changed(&mut self, id: WindowId, before: &Window) {
        let Some(now) = self.windows.get(id).map(|entry| entry.window.clone()) else {
            return;
        };
        for handle in self.wlr_handles(id) {
            if now.title != before.title {
                handle.title(now.title.clone());
            }
            if now.app_id != before.app_id {
                handle.app_id(now.app_id.clone());
            }
            let left = before
                .outputs
                .iter()
                .filter(|output| !now.outputs.contains(output));
            left.for_each(|output| self.wlr_output(&handle, *output, false));
            let entered = now
                .outputs
                .iter()
                .filter(|output| !before.outputs.contains(output));
            entered.for_each(|output| self.wlr_output(&handle, *output, true));
            if now.parent != before.parent && handle.version() >= 3 {
                handle.parent(self.wlr_handle(&handle, now.parent).as_ref());
            }
            handle.state(states(&now, handle.version()));
            handle.done();
        }
    }

    pub fn wlr_closed(&mut self, id: WindowId) {
        self.wlr_handles(id)
            .iter()
            .for_each(ZwlrForeignToplevelHandleV1::closed);
        self.windows.wlr.handles.retain(|(known, _)| *known != id);
    }
}

/// The states as the protocol numbers them.
fn states(window: &Window, version: u32) -> Vec<u8> {
    let states = [
        (window.maximized, 0_u32),
        (window.minimized, 1),
        (window.activated, 2),
        (window.fullscreen && version >= 2, 3),
    ];
    states
        .iter()
        .filter(|(on, _)| *on)
        .flat_map(|(_, number)| number.to_ne_bytes())
        .collect()
}
