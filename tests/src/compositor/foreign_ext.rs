//! `ext_foreign_toplevel_list_v1`: the list of windows, titles and nothing to ask for.

use wayland_protocols::ext::foreign_toplevel_list::v1::server::ext_foreign_toplevel_handle_v1::{
    self, ExtForeignToplevelHandleV1,
};
use wayland_protocols::ext::foreign_toplevel_list::v1::server::ext_foreign_toplevel_list_v1::{
    self, ExtForeignToplevelListV1,
};
use wayland_server::{DataInit, Resource};

use super::dispatch::{Bind, Manager, Object};
use super::state::State;
use super::windows::{Window, WindowId};

#[derive(Default)]
pub(crate) struct ExtList {
    lists: Vec<ExtForeignToplevelListV1>,
    handles: Vec<(WindowId, ExtForeignToplevelHandleV1)>,
}

impl Bind<ExtForeignToplevelListV1> for Manager {
    fn bound(&self, list: &ExtForeignToplevelListV1, state: &mut State) {
        state.windows.ext.lists.push(list.clone());
        for id in state
            .windows
            .list
            .iter()
            .map(|entry| entry.id)
            .collect::<Vec<_>>()
        {
            state.ext_announce(list, id);
        }
    }
}

impl Object<ExtForeignToplevelListV1> for Manager {
    fn request(
        &self,
        list: &ExtForeignToplevelListV1,
        request: ext_foreign_toplevel_list_v1::Request,
        state: &mut State,
        _: &mut DataInit<'_, State>,
    ) {
        if matches!(request, ext_foreign_toplevel_list_v1::Request::Stop) {
            state.windows.ext.lists.retain(|kept| kept != list);
            list.finished();
        }
    }

    fn destroyed(&self, list: &ExtForeignToplevelListV1, state: &mut State) {
        state.windows.ext.lists.retain(|kept| kept != list);
    }
}

impl Object<ExtForeignToplevelHandleV1> for WindowId {
    fn request(
        &self,
        _: &ExtForeignToplevelHandleV1,
        _: ext_foreign_toplevel_handle_v1::Request,
        _: &mut State,
        _: &mut DataInit<'_, State>,
    ) {
    }

    fn destroyed(&self, handle: &ExtForeignToplevelHandleV1, state: &mut State) {
        state.windows.ext.handles.retain(|(_, kept)| kept != handle);
    }
}

impl State {
    fn ext_announce(&mut self, list: &ExtForeignToplevelListV1, id: WindowId) {
        let Some(client) = list.client() else { return };
        let handle = client.create_resource::<ExtForeignToplevelHandleV1, _, Self>(
            &self.display,
            list.version(),
            id,
        );
        let Ok(handle) = handle else { return };
        list.toplevel(&handle);
        self.windows.ext.handles.push((id, handle.clone()));
        let Some(entry) = self.windows.get(id) else {
            return;
        };
        handle.identifier(format!("window-{}", id.0));
        handle.title(entry.window.title.clone());
        handle.app_id(entry.window.app_id.clone());
        handle.done();
    }

    fn ext_handles(&self, id: WindowId) -> Vec<ExtForeignToplevelHandleV1> {
        let handles = self
            .windows
            .ext
            .handles
            .iter()
            .filter(|(known, handle)| *known == id && handle.is_alive());
        handles.map(|(_, handle)| handle.clone()).collect()
    }

    pub fn ext_opened(&mut self, id: WindowId) {
        for list in self.windows.ext.lists.clone() {
            self.ext_announce(&list, id);
        }
    }

    pub fn ext_changed(&mut self, id: WindowId, before: &Window) {
        let Some(now) = self.windows.get(id).map(|entry| entry.window.clone()) else {
            return;
        };
        if (&now.title, &now.app_id) == (&before.title, &before.app_id) {
            return;
        }
        for handle in self.ext_handles(id) {
            handle.title(now.title.clone());
            handle.app_id(now.app_id.clone());
            handle.done();
        }
    }

    pub fn ext_closed(&mut self, id: WindowId) {
        self.ext_handles(id)
            .iter()
            .for_each(ExtForeignToplevelHandleV1::closed);
        self.windows.ext.handles.retain(|(known, _)| *known != id);
    }
}
