//! `ext_workspace_manager_v1`: workspaces in groups, one group for each set of outputs that shares them.

use std::sync::{Mutex, PoisonError};

use wayland_protocols::ext::workspace::v1::server::ext_workspace_group_handle_v1::{
    self, ExtWorkspaceGroupHandleV1, GroupCapabilities,
};
use wayland_protocols::ext::workspace::v1::server::ext_workspace_handle_v1::{
    self, ExtWorkspaceHandleV1, State as StateBits, WorkspaceCapabilities,
};
use wayland_protocols::ext::workspace::v1::server::ext_workspace_manager_v1::{
    self, ExtWorkspaceManagerV1,
};
use wayland_server::{DataInit, Resource};

use super::dispatch::{Bind, Manager, Object};
use super::log::{Request, WorkspaceRequest};
use super::output::OutputId;
use super::state::{State, same_client};

/// A workspace as a pager sees it. The name is unique.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Workspace {
    pub name: String,
    pub coordinates: Vec<u32>,
    pub active: bool,
    pub urgent: bool,
    pub hidden: bool,
    /// The output it belongs to; none for a workspace that spans all.
    pub output: Option<OutputId>,
}

impl Workspace {
    pub fn new(name: &str) -> Self {
        Self {
            name: name.into(),
            ..Self::default()
        }
    }

    #[must_use]
    pub fn active(mut self) -> Self {
        self.active = true;
        self
    }

    #[must_use]
    pub fn on(mut self, output: OutputId) -> Self {
        self.output = Some(output);
        self
    }

    fn bits(&self) -> StateBits {
        let mut bits = StateBits::empty();
        bits.set(StateBits::Active, self.active);
        bits.set(StateBits::Urgent, self.urgent);
        bits.set(StateBits::Hidden, self.hidden);
        bits
    }
}

/// What a client asked for and has not committed yet.
#[derive(Clone, Default)]
pub(crate) struct Asked(std::sync::Arc<Mutex<Vec<(String, WorkspaceRequest)>>>);

impl Asked {
    fn push(&self, name: &str, request: WorkspaceRequest) {
        self.0
            .lock()
            .unwrap_or_else(PoisonError::into_inner)
            .push((name.to_owned(), request));
    }

    fn take(&self) -> Vec<(String, WorkspaceRequest)> {
        std::mem::take(&mut self.0.lock().unwrap_or_else(PoisonError::into_inner))
    }
}

#[derive(Default)]
pub(crate) struct Workspaces {
    pub list: Vec<Workspace>,
    managers: Vec<(ExtWorkspaceManagerV1, Asked)>,
    groups: Vec<(Option<OutputId>, ExtWorkspaceGroupHandleV1)>,
    handles: Vec<(String, ExtWorkspaceHandleV1)>,
}

/// The data of a workspace's handle.
pub(crate) struct HandleData {
    name: String,
    asked: Asked,
}

impl Bind<ExtWorkspaceManagerV1> for Asked {
    fn bound(&self, manager: &ExtWorkspaceManagerV1, state: &mut State) {
        // Each manager keeps its own list of wishes, not the global's.
        let asked = Self::default();
        state.workspaces.managers.push((manager.clone(), asked));
        for workspace in state.workspaces.list.clone() {
            state.announce_workspace(manager, &workspace);
        }
        manager.done();
    }
}

impl Object<ExtWorkspaceManagerV1> for Asked {
    fn request(
        &self,
        manager: &ExtWorkspaceManagerV1,
        request: ext_workspace_manager_v1::Request,
        state: &mut State,
        _: &mut DataInit<'_, State>,
    ) {
        match request {
            ext_workspace_manager_v1::Request::Commit => {
                let asked = state
                    .workspaces
                    .asked_by(manager)
                    .map(|asked| asked.take())
                    .unwrap_or_default();
                for (name, request) in asked {
                    state.workspace_request(&name, request);
                }
            }
            ext_workspace_manager_v1::Request::Stop => {
                state
                    .workspaces
                    .managers
                    .retain(|(kept, _)| kept != manager);
                manager.finished();
            }
            _ => {}
        }
    }

    fn destroyed(&self, manager: &ExtWorkspaceManagerV1, state: &mut State) {
        state
            .workspaces
            .managers
            .retain(|(kept, _)| kept != manager);
    }
}

impl Object<ExtWorkspaceGroupHandleV1> for Manager {
    fn request(
        &self,
        _: &ExtWorkspaceGroupHandleV1,
        _: ext_workspace_group_handle_v1::Request,
        _: &mut State,
        _: &mut DataInit<'_, State>,
    ) {
    }

    fn destroyed(&self, group: &ExtWorkspaceGroupHandleV1, state: &mut State) {
        state.workspaces.groups.retain(|(_, kept)| kept != group);
    }
}

impl Object<ExtWorkspaceHandleV1> for HandleData {
    fn request(
        &self,
        _: &ExtWorkspaceHandleV1,
        request: ext_workspace_handle_v1::Request,
        _: &mut State,
        _: &mut DataInit<'_, State>,
    ) {
        let request = match request {
            ext_workspace_handle_v1::Request::Activate => WorkspaceRequest::Activate,
            ext_workspace_handle_v1::Request::Deactivate => WorkspaceRequest::Deactivate,
            ext_workspace_handle_v1::Request::Assign { .. } => WorkspaceRequest::Assign,
            ext_workspace_handle_v1::Request::Remove => WorkspaceRequest::Remove,
            _ => return,
        };
        self.asked.push(&self.name, request);
    }

    fn destroyed(&self, handle: &ExtWorkspaceHandleV1, state: &mut State) {
        state.workspaces.handles.retain(|(_, kept)| kept != handle);
    }
}

impl Workspaces {
    fn asked_by(&self, manager: &ExtWorkspaceManagerV1) -> Option<&Asked> {
        self.managers
            .iter()
            .find(|(known, _)| known == manager)
            .map(|(_, asked)| asked)
    }
}

impl State {
    /// The group of an output for the client of `manager`, announced when it is new.
    fn workspace_group(
        &mut self,
        manager: &ExtWorkspaceManagerV1,
        output: Option<OutputId>,
    ) -> Option<ExtWorkspaceGroupHandleV1> {
        let mut groups = self.workspaces.groups.iter();
        if let Some((_, group)) =
            groups.find(|(of, group)| *of == output && same_client(group, manager))
        {
            return Some(group.clone());
        }
        let client = manager.client()?;
        let group = client
            .create_resource::<ExtWorkspaceGroupHandleV1, _, Self>(&self.display, 1, Manager)
            .ok()?;
        manager.workspace_group(&group);
        group.capabilities(GroupCapabilities::empty());
        let on = self
            .outputs
            .iter()
            .filter(|candidate| output.is_none_or(|output| candidate.id == output));
        on.flat_map(|output| output.of_client(manager))
            .for_each(|resource| group.output_enter(resource));
        self.workspaces.groups.push((output, group.clone()));
        Some(group)
    }

    fn announce_workspace(&mut self, manager: &ExtWorkspaceManagerV1, workspace: &Workspace) {
        let Some(group) = self.workspace_group(manager, workspace.output) else {
            return;
        };
        let asked = self
            .workspaces
            .asked_by(manager)
            .cloned()
            .unwrap_or_default();
        let data = HandleData {
            name: workspace.name.clone(),
            asked,
        };
        let Some(client) = manager.client() else {
            return;
        };
        let Ok(handle) =
            client.create_resource::<ExtWorkspaceHandleV1, _, Self>(&self.display, 1, data)
        else {
            return;
        };
        manager.workspace(&handle);
        handle.id(workspace.name.clone());
        handle.name(workspace.name.clone());
        if !workspace.coordinates.is_empty() {
            handle.coordinates(
                workspace
                    .coordinates
                    .iter()
                    .flat_map(|number| number.to_ne_bytes())
                    .collect(),
            );
        }
        handle.state(workspace.bits());
        handle.capabilities(WorkspaceCapabilities::Activate | WorkspaceCapabilities::Remove);
        group.workspace_enter(&handle);
        self.workspaces
            .handles
            .push((workspace.name.clone(), handle));
    }

    /// Make the list of workspaces this one: what is new is announced, what is gone is removed, what changed is told.
    pub fn set_workspaces(&mut self, next: Vec<Workspace>) {
        let before = std::mem::replace(&mut self.workspaces.list, next.clone());
        let known = |list: &[Workspace], name: &str| {
            list.iter()
                .find(|workspace| workspace.name == name)
                .cloned()
        };
        for gone in before
            .iter()
            .filter(|workspace| known(&next, &workspace.name).is_none())
        {
            self.remove_workspace(&gone.name, gone.output);
        }
        for workspace in &next {
            match known(&before, &workspace.name) {
                None => {
                    for (manager, _) in self.workspaces.managers.clone() {
                        self.announce_workspace(&manager, workspace);
                    }
                }
                Some(old) if old.bits() != workspace.bits() => {
                    let handles = self
                        .workspaces
                        .handles
                        .iter()
                        .filter(|(name, _)| *name == workspace.name);
                    handles.for_each(|(_, handle)| handle.state(workspace.bits()));
                }
                Some(_) => {}
            }
        }
        self.workspaces
            .managers
            .iter()
            .for_each(|(manager, _)| manager.done());
    }

    fn remove_workspace(&mut self, name: &str, output: Option<OutputId>) {
        for (_, handle) in self
            .workspaces
            .handles
            .iter()
            .filter(|(known, handle)| known == name && handle.is_alive())
        {
            let groups = self
                .workspaces
                .groups
                .iter()
                .filter(|(of, group)| *of == output && same_client(group, handle));
            groups.for_each(|(_, group)| group.workspace_leave(handle));
            handle.removed();
        }
        self.workspaces.handles.retain(|(known, _)| known != name);
    }

    /// Do what a pager asks, as a compositor would.
    fn workspace_request(&mut self, name: &str, request: WorkspaceRequest) {
        self.request(Request::Workspace(name.to_owned(), request));
        let mut next = self.workspaces.list.clone();
        let output = next
            .iter()
            .find(|workspace| workspace.name == name)
            .and_then(|workspace| workspace.output);
        match request {
            WorkspaceRequest::Activate => {
                let beside = next
                    .iter_mut()
                    .filter(|workspace| workspace.output == output);
                beside.for_each(|workspace| workspace.active = workspace.name == name);
            }
            WorkspaceRequest::Remove => next.retain(|workspace| workspace.name != name),
            WorkspaceRequest::Deactivate | WorkspaceRequest::Assign => {}
        }
        self.set_workspaces(next);
    }
}
