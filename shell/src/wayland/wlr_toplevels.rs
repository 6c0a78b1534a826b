//! Windows by `zwlr_foreign_toplevel_manager_v1`: titles, states and actions.

use super::notice::Notice;
use super::outputs::Outputs;
use super::runtime::Runtime;
use super::windows::{WindowAction, WindowId, WindowInfo, WindowSource};
use smithay_client_toolkit::dispatch2::Dispatch2;
use std::sync::Arc;
use wayland_client::backend::ObjectData;
use wayland_client::globals::GlobalList;
use wayland_client::protocol::wl_output::WlOutput;
use wayland_client::protocol::wl_seat::WlSeat;
use wayland_client::{Connection, Proxy, QueueHandle};
use wayland_protocols_wlr::foreign_toplevel::v1::client::zwlr_foreign_toplevel_handle_v1::{
    self, State, ZwlrForeignToplevelHandleV1 as Handle,
};
use wayland_protocols_wlr::foreign_toplevel::v1::client::zwlr_foreign_toplevel_manager_v1::{
    self, ZwlrForeignToplevelManagerV1 as Manager,
};

struct Entry {
    handle: Handle,
    info: WindowInfo,
    outputs: Vec<WlOutput>,
    /// Its first batch of events is complete.
    announced: bool,
}

pub(super) struct WlrToplevels {
    entries: Vec<Entry>,
    next: u64,
}

struct Tag;

impl WlrToplevels {
    pub fn bind(list: &GlobalList, qh: &QueueHandle<Runtime>) -> Option<Self> {
        let _manager: Manager = list.bind(qh, 1..=3, Tag).ok()?;
        Some(WlrToplevels {
            entries: Vec::new(),
            next: 1,
        })
    }

    fn entry(&mut self, handle: &Handle) -> Option<&mut Entry> {
        self.entries
            .iter_mut()
            .find(|entry| entry.handle == *handle)
    }
}

impl WindowSource for WlrToplevels {
    fn name(&self) -> &'static str {
        "wlr-foreign-toplevel-management"
    }

    fn windows(&self, outputs: &Outputs) -> Vec<WindowInfo> {
        let announced = self.entries.iter().filter(|entry| entry.announced);
        announced
            .map(|entry| WindowInfo {
                outputs: entry
                    .outputs
                    .iter()
                    .filter_map(|wl| outputs.id_of(wl))
                    .collect(),
                ..entry.info.clone()
            })
            .collect()
    }

    fn act(&self, id: WindowId, action: WindowAction, seat: Option<&WlSeat>) -> bool {
        let Some(handle) = self
            .entries
            .iter()
            .find(|entry| entry.info.id == id)
            .map(|entry| &entry.handle)
        else {
            return false;
        };
        match action {
            WindowAction::Activate => match seat {
                Some(seat) => handle.activate(seat),
                None => return false,
            },
            WindowAction::Close => handle.close(),
            WindowAction::Minimize(true) => handle.set_minimized(),
            WindowAction::Minimize(false) => handle.unset_minimized(),
            WindowAction::Maximize(true) => handle.set_maximized(),
            WindowAction::Maximize(false) => handle.unset_maximized(),
            WindowAction::Fullscreen(_) if handle.version() < 2 => return false,
            WindowAction::Fullscreen(true) => handle.set_fullscreen(None),
            WindowAction::Fullscreen(false) => handle.unset_fullscreen(),
        }
        true
    }
}

/// States arrive as an array of native-endian words.
fn set_states(info: &mut WindowInfo, states: &[u8]) {
    let words = states
        .chunks_exact(4)
        .filter_map(|word| word.try_into().ok().map(u32::from_ne_bytes));
    let states: Vec<_> = words
        .filter_map(|word| State::try_from(word).ok())
        .collect();
    info.active = states.contains(&State::Activated);
    info.minimized = states.contains(&State::Minimized);
    info.maximized = states.contains(&State::Maximized);
    info.fullscreen = states.contains(&State::Fullscreen);
}

impl Dispatch2<Manager, Runtime> for Tag {
    fn event(
        &self,
        runtime: &mut Runtime,
        _: &Manager,
        event: zwlr_foreign_toplevel_manager_v1::Event,
        _: &Connection,
        _: &QueueHandle<Runtime>,
    ) {
        let platform = &mut runtime.platform;
        match event {
            zwlr_foreign_toplevel_manager_v1::Event::Toplevel { toplevel } => {
                let Some(source) = &mut platform.wlr_toplevels else {
                    return;
                };
                let id = WindowId(source.next);
                source.next += 1;
                let info = WindowInfo {
                    id,
                    controllable: true,
                    ..WindowInfo::default()
                };
                source.entries.push(Entry {
                    handle: toplevel,
                    info,
                    outputs: Vec::new(),
                    announced: false,
                });
            }
            zwlr_foreign_toplevel_manager_v1::Event::Finished => {
                platform.wlr_toplevels = None;
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
        event: zwlr_foreign_toplevel_handle_v1::Event,
        _: &Connection,
        _: &QueueHandle<Runtime>,
    ) {
        use zwlr_foreign_toplevel_handle_v1::Event;
        let platform = &mut runtime.platform;
        let Some(source) = &mut platform.wlr_toplevels else {
            return;
        };
        if let Event::Closed = event {
            source.entries.retain(|entry| entry.handle != *handle);
            handle.destroy();
            platform.notices.push(Notice::WindowsChanged);
            return;
        }
        let Some(entry) = source.entry(handle) else {
            return;
        };
        match event {
            Event::Title { title } => entry.info.title = title,
            Event::AppId { app_id } => entry.info.app_id = app_id,
            Event::OutputEnter { output } => entry.outputs.push(output),
            Event::OutputLeave { output } => entry.outputs.retain(|wl| *wl != output),
            Event::State { state } => set_states(&mut entry.info, &state),
            Event::Done => {
                entry.announced = true;
                platform.notices.push(Notice::WindowsChanged);
            }
            _ => {}
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_broken_state_array_is_read_as_far_as_it_goes() {
        let mut info = WindowInfo {
            minimized: true,
            ..WindowInfo::default()
        };
        let mut bytes = (State::Activated as u32).to_ne_bytes().to_vec();
        bytes.extend(77u32.to_ne_bytes());
        bytes.push(1);
        set_states(&mut info, &bytes);
        assert!(info.active && !info.minimized);
    }
}
