//! Workspaces by `ext_workspace_manager_v1`.

use super::notice::Notice;
use super::outputs::Outputs;
use super::runtime::Runtime;
use super::workspaces::{WorkspaceId, WorkspaceInfo, WorkspaceSource};
use smithay_client_toolkit::dispatch2::Dispatch2;
use std::sync::Arc;
use wayland_client::backend::ObjectData;
use wayland_client::globals::GlobalList;
use wayland_client::protocol::wl_output::WlOutput;
use wayland_client::{Connection, Proxy, QueueHandle, WEnum};
use wayland_protocols::ext::workspace::v1::client::ext_workspace_group_handle_v1::{
    self, ExtWorkspaceGroupHandleV1 as Group,
};
use wayland_protocols::ext::workspace::v1::client::ext_workspace_handle_v1::{
    self, ExtWorkspaceHandleV1 as Workspace, State, WorkspaceCapabilities,
};
use wayland_protocols::ext::workspace::v1::client::ext_workspace_manager_v1::{
    self, ExtWorkspaceManagerV1 as Manager,
};

struct GroupEntry {
    handle: Group,
    outputs: Vec<WlOutput>,
    members: Vec<Workspace>,
}

struct Entry {
    handle: Workspace,
    info: WorkspaceInfo,
    coordinates: Vec<u32>,
    can_activate: bool,
}

pub(super) struct ExtWorkspaces {
    manager: Manager,
    groups: Vec<GroupEntry>,
    entries: Vec<Entry>,
    /// What clients see: the state of the last complete batch of events.
    shown: Vec<(WorkspaceInfo, Vec<WlOutput>)>,
    next: i64,
}

struct Tag;

impl ExtWorkspaces {
    pub fn bind(list: &GlobalList, qh: &QueueHandle<Runtime>) -> Option<Self> {
        let manager = list.bind(qh, 1..=1, Tag).ok()?;
        Some(ExtWorkspaces {
            manager,
            groups: Vec::new(),
            entries: Vec::new(),
            shown: Vec::new(),
            next: 1,
        })
    }

    /// The batch is complete: show it. In the order of their coordinates, which compositors without any leave empty.
    fn publish(&mut self) {
        let group_of = |handle: &Workspace| {
            self.groups
                .iter()
                .position(|group| group.members.contains(handle))
        };
        let mut order: Vec<_> = self.entries.iter().collect();
        order.sort_by_key(|entry| (group_of(&entry.handle), &entry.coordinates));
        let outputs = |entry: &Entry| {
            group_of(&entry.handle)
                .and_then(|at| self.groups.get(at))
                .map(|group| group.outputs.clone())
        };
        self.shown = order
            .iter()
            .map(|entry| (entry.info.clone(), outputs(entry).unwrap_or_default()))
            .collect();
    }
}

impl WorkspaceSource for ExtWorkspaces {
    fn name(&self) -> &'static str {
        "ext-workspace"
    }

    fn workspaces(&self, outputs: &Outputs) -> Vec<WorkspaceInfo> {
        self.shown
            .iter()
            .map(|(info, on)| {
                let output = if let [only] = on.as_slice() {
                    outputs.id_of(only)
                } else {
                    None
                };
                WorkspaceInfo {
                    output,
                    ..info.clone()
                }
            })
            .collect()
    }

    fn activate(&self, id: WorkspaceId) -> bool {
        let Some(entry) = self
            .entries
            .iter()
            .find(|entry| entry.info.id == id && entry.can_activate)
        else {
            return false;
        };
        entry.handle.activate();
        self.manager.commit();
        true
    }
}

impl Dispatch2<Manager, Runtime> for Tag {
    fn event(
        &self,
        runtime: &mut Runtime,
        _: &Manager,
        event: ext_workspace_manager_v1::Event,
        _: &Connection,
        _: &QueueHandle<Runtime>,
    ) {
        use ext_workspace_manager_v1::Event;
        let platform = &mut runtime.platform;
        let Some(source) = &mut platform.ext_workspaces else {
            return;
        };
        match event {
            Event::WorkspaceGroup {
                workspace_group: handle,
            } => {
                source.groups.push(GroupEntry {
                    handle,
                    outputs: Vec::new(),
                    members: Vec::new(),
                });
            }
            Event::Workspace { workspace: handle } => {
                let info = WorkspaceInfo {
                    id: WorkspaceId(source.next),
                    ..WorkspaceInfo::default()
                };
                source.next += 1;
                source.entries.push(Entry {
                    handle,
                    info,
                    coordinates: Vec::new(),
                    can_activate: false,
                });
            }
            Event::Done => {
                source.publish();
                platform.notices.push(Notice::WorkspacesChanged);
            }
            Event::Finished => {
                platform.ext_workspaces = None;
                platform.notices.push(Notice::WorkspacesChanged);
            }
            _ => {}
        }
    }

    fn event_created_child(opcode: u16, qh: &QueueHandle<Runtime>) -> Arc<dyn ObjectData> {
        match opcode {
            ext_workspace_manager_v1::EVT_WORKSPACE_GROUP_OPCODE => qh.make_data::<Group, _>(Tag),
            _ => qh.make_data::<Workspace, _>(Tag),
        }
    }
}

impl Dispatch2<Group, Runtime> for Tag {
    fn event(
        &self,
        runtime: &mut Runtime,
        handle: &Group,
        event: ext_workspace_group_handle_v1::Event,
        _: &Connection,
        _: &QueueHandle<Runtime>,
    ) {
        use ext_workspace_group_handle_v1::Event;
        let Some(source) = &mut runtime.platform.ext_workspaces else {
            return;
        };
        if let Event::Removed = event {
            source.groups.retain(|group| group.handle != *handle);
            handle.destroy();
            return;
        }
        let Some(group) = source
            .groups
            .iter_mut()
            .find(|group| group.handle == *handle)
        else {
            return;
        };
        match event {
            Event::OutputEnter { output } => group.outputs.push(output),
            Event::OutputLeave { output } => {
                group.outputs.retain(|wl| *wl != output && wl.is_alive())
            }
            Event::WorkspaceEnter { workspace } => group.members.push(workspace),
            Event::WorkspaceLeave { workspace } => {
                group.members.retain(|member| *member != workspace)
            }
            _ => {}
        }
    }
}

impl Dispatch2<Workspace, Runtime> for Tag {
    fn event(
        &self,
        runtime: &mut Runtime,
        handle: &Workspace,
        event: ext_workspace_handle_v1::Event,
        _: &Connection,
        _: &QueueHandle<Runtime>,
    ) {
        use ext_workspace_handle_v1::Event;
        let Some(source) = &mut runtime.platform.ext_workspaces else {
            return;
        };
        if let Event::Removed = event {
            source.entries.retain(|entry| entry.handle != *handle);
            for group in &mut source.groups {
                group.members.retain(|member| member != handle);
            }
            handle.destroy();
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
            Event::Name { name } => entry.info.name = name,
            Event::Coordinates { coordinates } => {
                let words = coordinates
                    .chunks_exact(4)
                    .filter_map(|word| word.try_into().ok());
                entry.coordinates = words.map(u32::from_ne_bytes).collect();
            }
            Event::State {
                state: WEnum::Value(state),
            } => {
                entry.info.active = state.contains(State::Active);
                entry.info.focused = entry.info.active;
                entry.info.urgent = state.contains(State::Urgent);
                entry.info.hidden = state.contains(State::Hidden);
            }
            Event::Capabilities {
                capabilities: WEnum::Value(capabilities),
            } => {
                entry.can_activate = capabilities.contains(WorkspaceCapabilities::Activate);
            }
            _ => {}
        }
    }
}
