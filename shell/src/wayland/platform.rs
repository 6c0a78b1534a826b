//! [`Platform`]: what the shell asks of Wayland.
//!
//! This file holds the state and what concerns no one file of its neighbours; each neighbour adds the methods of its
//! own noun (`layer.rs` creates layer surfaces, `clipboard.rs` copies, and so on).

use super::capabilities::Capabilities;
use super::client::CloseReason;
use super::clipboard::Clipboard;
use super::drag::Drags;
use super::ext_toplevels::ExtToplevels;
use super::ext_workspaces::ExtWorkspaces;
use super::geometry::{Insets, Rect, Size};
use super::globals::Globals;
use super::notice::{Notice, Notices};
use super::outputs::Outputs;
use super::primary::Primary;
use super::region;
use super::runtime::{Options, Runtime};
use super::scale::Scale;
use super::seat::Seats;
use super::spec::SurfaceId;
use super::surface::Surface;
use super::sway::SwayWorkspaces;
use super::text_input::TextInputs;
use super::transfer::Transfers;
use super::wake::Wakes;
use super::windows::{WindowAction, WindowId, WindowInfo, WindowSource};
use super::wlr_toplevels::WlrToplevels;
use super::workspaces::{WorkspaceId, WorkspaceInfo, WorkspaceSource};
use calloop::LoopHandle;
use std::collections::BTreeMap;
use wayland_client::globals::GlobalList;
use wayland_client::{Connection, QueueHandle};

/// The shell's hand on Wayland. A request about a surface that is gone does nothing.
pub struct Platform {
    // Surfaces go before the connection they live on.
    pub(super) surfaces: BTreeMap<SurfaceId, Surface>,
    pub(super) outputs: Outputs,
    pub(super) seats: Seats,
    pub(super) notices: Notices,
    pub(super) text_inputs: TextInputs,
    pub(super) clipboard: Clipboard,
    pub(super) primary: Primary,
    pub(super) drags: Drags,
    pub(super) transfers: Transfers,
    pub(super) wakes: Wakes,
    pub(super) wlr_toplevels: Option<WlrToplevels>,
    pub(super) ext_toplevels: Option<ExtToplevels>,
    pub(super) ext_workspaces: Option<ExtWorkspaces>,
    pub(super) sway: Option<SwayWorkspaces>,
    pub(super) globals: Globals,
    pub(super) qh: QueueHandle<Runtime>,
    pub(super) handle: LoopHandle<'static, Runtime>,
    pub(super) connection: Connection,
    next_id: u64,
    stopping: bool,
}

impl Platform {
    pub(super) fn new(
        connection: Connection,
        qh: QueueHandle<Runtime>,
        handle: LoopHandle<'static, Runtime>,
        globals: Globals,
        list: &GlobalList,
    ) -> Self {
        let wlr_toplevels = WlrToplevels::bind(list, &qh);
        // Only one list of windows: the richer one.
        let ext_toplevels = if wlr_toplevels.is_none() {
            ExtToplevels::bind(list, &qh)
        } else {
            None
        };
        Platform {
            surfaces: BTreeMap::new(),
            outputs: Outputs::new(list, &qh),
            seats: Seats::new(list, &qh),
            notices: Notices::default(),
            text_inputs: TextInputs::default(),
            clipboard: Clipboard::default(),
            primary: Primary::default(),
            drags: Drags::default(),
            transfers: Transfers::default(),
            wakes: Wakes::default(),
            wlr_toplevels,
            ext_toplevels,
            ext_workspaces: ExtWorkspaces::bind(list, &qh),
            sway: None,
            globals,
            qh,
            handle,
            connection,
            next_id: 1,
            stopping: false,
        }
    }

    /// The loop, to add channels and descriptors of the shell's own. Their callbacks get the [`Runtime`].
    pub fn handle(&self) -> LoopHandle<'static, Runtime> {
        self.handle.clone()
    }

    /// End the loop after this turn.
    pub fn quit(&mut self) {
        self.stopping = true;
    }

    /// Whether [`Platform::quit`] was called.
    pub fn stopping(&self) -> bool {
        self.stopping
    }

    pub fn capabilities(&self) -> Capabilities {
        Capabilities {
            layer_shell: self.globals.layer_shell.is_some(),
            fractional_scale: self.globals.fractional.is_some(),
            server_decorations: self.globals.has("zxdg_decoration_manager_v1"),
            text_input: self.globals.text_input.is_some(),
            clipboard: self.globals.data.is_some(),
            primary_selection: self.globals.primary.is_some(),
            activation: self.globals.activation.is_some(),
            popup_reposition: self.globals.xdg_version() >= 3,
            windows: self.window_source().map(WindowSource::name),
            workspaces: self.workspace_source().map(WorkspaceSource::name),
        }
    }

    /// Every surface that exists now, oldest first.
    pub fn surfaces(&self) -> Vec<SurfaceId> {
        self.surfaces.keys().copied().collect()
    }

    /// Logical size of a surface, frame included; `None` if it is gone.
    pub fn size(&self, id: SurfaceId) -> Option<Size> {
        self.surfaces.get(&id).map(Surface::size)
    }

    /// Scale of a surface; `None` if it is gone.
    pub fn scale(&self, id: SurfaceId) -> Option<Scale> {
        self.surfaces.get(&id).map(|surface| surface.scale)
    }

    /// Ask the client for the surface's damage at its next frame.
    pub fn request_redraw(&mut self, id: SurfaceId) {
        if let Some(surface) = self.surfaces.get_mut(&id) {
            surface.redraw = true;
            surface.failed = false;
        }
    }

    /// Take a surface away, the popups on it first. The client is told of those popups, not of `id` itself.
    pub fn destroy(&mut self, id: SurfaceId) {
        self.remove(id, None);
    }

    /// Take a surface away and tell the client why.
    pub(super) fn close(&mut self, id: SurfaceId, reason: CloseReason) {
        self.remove(id, Some(reason));
    }

    fn remove(&mut self, id: SurfaceId, reason: Option<CloseReason>) {
        if !self.surfaces.contains_key(&id) {
            return;
        }
        // Newest first: a compositor minds a popup that goes before its own popups.
        let children: Vec<_> = self
            .surfaces
            .iter()
            .filter(|(_, s)| s.parent() == Some(id))
            .map(|(id, _)| *id)
            .collect();
        for child in children.into_iter().rev() {
            self.remove(child, Some(CloseReason::Parent));
        }
        self.surfaces.remove(&id);
        self.seats.forget(id);
        self.text_inputs.forget(id);
        if let Some(reason) = reason {
            self.notices.push(Notice::Closed(id, reason));
        }
    }

    /// Where presses land; the rest of the surface lets them through to what is below. `None`: everywhere.
    pub fn set_input_region(&mut self, id: SurfaceId, rects: Option<&[Rect]>) {
        if let Some(surface) = self.surfaces.get_mut(&id) {
            region::set_input(&self.globals.compositor, surface.wl(), rects);
            surface.commit = true;
        }
    }

    /// Where the surface promises to be opaque, so that the compositor need not paint below. `None`: nowhere.
    pub fn set_opaque_region(&mut self, id: SurfaceId, rects: Option<&[Rect]>) {
        if let Some(surface) = self.surfaces.get_mut(&id) {
            region::set_opaque(&self.globals.compositor, surface.wl(), rects);
            surface.commit = true;
        }
    }

    /// The invisible border of a window or popup (its shadow and resize edges), logical. The surface grows by it, the
    /// compositor places and tiles what is inside. Takes effect with the next paint.
    pub fn set_frame(&mut self, id: SurfaceId, frame: Insets) {
        if let Some(surface) = self.surfaces.get_mut(&id)
            && surface.set_frame(frame)
        {
            self.notices.push(Notice::Configured(id));
        }
    }

    /// All windows of the session, in the order they appeared; empty if the compositor tells nobody.
    pub fn windows(&self) -> Vec<WindowInfo> {
        self.window_source()
            .map(|source| source.windows(&self.outputs))
            .unwrap_or_default()
    }

    /// Does the compositor tell of windows?
    pub fn tells_of_windows(&self) -> bool {
        self.window_source().is_some()
    }

    /// Does [`Platform::act_on_window`] do anything?
    pub fn moves_windows(&self) -> bool {
        self.wlr_toplevels.is_some()
    }

    /// Do something to a window. `false` if it is gone or the compositor offers no way.
    pub fn act_on_window(&mut self, id: WindowId, action: WindowAction) -> bool {
        let seat = self.seats.any();
        self.window_source()
            .is_some_and(|source| source.act(id, action, seat.as_ref()))
    }

    /// All workspaces, in the compositor's order; empty if the compositor tells nobody.
    pub fn workspaces(&self) -> Vec<WorkspaceInfo> {
        self.workspace_source()
            .map(|source| source.workspaces(&self.outputs))
            .unwrap_or_default()
    }

    /// Go to a workspace. `false` if it is gone or the compositor offers no way.
    pub fn activate_workspace(&mut self, id: WorkspaceId) -> bool {
        self.workspace_source()
            .is_some_and(|source| source.activate(id))
    }

    fn window_source(&self) -> Option<&dyn WindowSource> {
        let wlr = self
            .wlr_toplevels
            .as_ref()
            .map(|source| source as &dyn WindowSource);
        wlr.or_else(|| {
            self.ext_toplevels
                .as_ref()
                .map(|source| source as &dyn WindowSource)
        })
    }

    fn workspace_source(&self) -> Option<&dyn WorkspaceSource> {
        let ext = self
            .ext_workspaces
            .as_ref()
            .map(|source| source as &dyn WorkspaceSource);
        ext.or_else(|| {
            self.sway
                .as_ref()
                .map(|source| source as &dyn WorkspaceSource)
        })
    }

    /// Start the fallback for compositors without a workspace protocol.
    pub(super) fn start_workspaces(&mut self, options: &Options) {
        if self.ext_workspaces.is_none()
            && let Some(path) = &options.sway_socket
        {
            self.sway = SwayWorkspaces::start(path, &self.handle);
        }
    }

    pub(super) fn forget_notices(&mut self) {
        self.notices = Notices::default();
    }

    pub(super) fn new_id(&mut self) -> SurfaceId {
        let id = SurfaceId(self.next_id);
        self.next_id += 1;
        id
    }
}
