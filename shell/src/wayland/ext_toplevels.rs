//! Windows by `ext_foreign_toplevel_list_v1`: titles only, nothing to do to them.

use super::notice::Notice;
use super::outputs::Outputs;
use super::runtime::Runtime;
use super::windows::{WindowAction, WindowId, WindowInfo, WindowSource};
use smithay_client_toolkit::dispatch2::Dispatch2;
use std::sync::Arc;
use wayland_client::backend::ObjectData;
use wayland_client::globals::GlobalList;
use wayland_client::protocol::wl_seat::WlSeat;
use wayland_client::{Connection, QueueHandle};
use wayland_protocols::ext::foreign_toplevel_list::v1::client::ext_foreign_toplevel_handle_v1::{
    self, ExtForeignToplevelHandleV1 as Handle,
};
use wayland_protocols::ext::foreign_toplevel_list::v1::client::ext_foreign_toplevel_list_v1::{
    self, ExtForeignToplevelListV1 as List,
};

struct Entry {
    handle: Handle,
    info: WindowInfo,
    announced: bool,
}

pub(super) struct ExtToplevels {
    entries: Vec<Entry>,
    next: u64,
}

struct Tag;

impl ExtToplevels {
    pub fn bind(list: &GlobalList, qh: &QueueHandle<Runtime>) -> Option<Self> {
        let _list: List = list.bind(qh, 1..=1, Tag).ok()?;
        Some(ExtToplevels {
            entries: Vec::new(),
            next: 1,
        })
    }
}

impl WindowSource for ExtToplevels {
    fn name(&self) -> &'static str {
        "ext-foreign-toplevel-list"
    }

    fn windows(&self, _: &Outputs) -> Vec<WindowInfo> {
        self.entries
            .iter()
            .filter(|entry| entry.announced)
            .map(|entry| entry.info.clone())
            .collect()
    }

    fn act(&self, _: WindowId, _: WindowAction, _: Option<&WlSeat>) -> bool {
        false
    }
}

impl Dispatch2<List, Runtime> for Tag {
    fn event(
        &self,
        runtime: &mut Runtime,
        list: &List,
        event: ext_foreign_toplevel_list_v1::Event,
        _: &Connection,
        _: &QueueHandle<Runtime>,
    ) {
        let platform = &mut runtime.platform;
        match event {
            ext_foreign_toplevel_list_v1::Event::Toplevel { toplevel } => {
                let Some(source) = &mut platform.ext_toplevels else {
                    return;
                };
                let info = WindowInfo {
                    id: WindowId(source.next),
                    ..WindowInfo::default()
                };
                source.next += 1;
                source.entries.push(Entry {
                    handle: toplevel,
                    info,
                    announced: false,
                });
            }
            ext_foreign_toplevel_list_v1::Event::Finished => {
                list.destroy();
                platform.ext_toplevels = None;
                platform.notices.push(Notice::WindowsChanged);
            }
            _ => {}
        }
    }

    fn event_created_child(_: u16, qh: &QueueHandle<Runtime>) -> Arc<dyn ObjectData> {
        qh.make_data::<Handle, _>(Tag)
    }
}

impl Dispatch2<Handle, Runtime> for Tag {
    fn event(
        &self,
        runtime: &mut Runtime,
        handle: &Handle,
        event: ext_foreign_toplevel_handle_v1::Event,
        _: &Connection,
        _: &QueueHandle<Runtime>,
    ) {
        use ext_foreign_toplevel_handle_v1::Event;
        let platform = &mut runtime.platform;
        let Some(source) = &mut platform.ext_toplevels else {
            return;
        };
        if let Event::Closed = event {
            source.entries.retain(|entry| entry.handle != *handle);
            handle.destroy();
            platform.notices.push(Notice::WindowsChanged);
            return;
        }
        let Some(entry) = source
            .entries
            .iter_mut()
            .find(|entry| entry.handle == *handle)
        else {
            return;
        };
        match event {
            Event::Title { title } => entry.info.title = title,
            Event::AppId { app_id } => entry.info.app_id = app_id,
            Event::Done => {
                entry.announced = true;
                platform.notices.push(Notice::WindowsChanged);
            }
            _ => {}
        }
    }
}
